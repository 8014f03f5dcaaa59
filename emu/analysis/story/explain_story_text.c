/* SPDX-License-Identifier: MIT */
/* Stories for people. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/story/explain_story_print.h"
#include "emu/base/text.h"

enum { LACKS_AT_LENGTH = 2, WIDTH = 100, PIECES_TOLD = 40, HEAD_PIECES = 24, TIME_BYTES = 48 };

/* An end of a range of that length. */
static const char *end_text(const struct story_print *print, char to[TIME_BYTES], gfe_ps time_ps,
                            gfe_ps length_ps)
{
    if (!print->exact)
        return text_time_of_range(to, TIME_BYTES, time_ps, length_ps);
    (void)snprintf(to, TIME_BYTES, "%" PRIu64 " ps", time_ps);
    return to;
}

static const char *time_text(const struct story_print *print, char to[TIME_BYTES], gfe_ps time_ps)
{
    if (!print->exact)
        return text_time(to, TIME_BYTES, time_ps);
    (void)snprintf(to, TIME_BYTES, "%" PRIu64 " ps", time_ps);
    return to;
}

static int time_width(const struct story_print *print)
{
    return print->exact ? 20 : 10;
}

/* ---- one ---------------------------------------------------------------------------------------
 */

static void head_print(const struct story_print *print, struct story_subject subject,
                       const struct story_life *life)
{
    const struct story *story = print->story;
    const struct story_operation *operation = &story->operations[subject.operation];
    char name[STORY_NAME_BYTES], stream[STORY_NAME_BYTES], what[STORY_NAME_BYTES];
    char times[3][TIME_BYTES], drawn[STORY_NAME_BYTES];

    fputs(story_name(story, subject, name), print->file);
    if (*story_drawn_name(story, subject, drawn))
        fprintf(print->file, " (in pictures %s)", drawn);
    fprintf(print->file, ": %s%s", subject.block == STORY_NONE ? "" : "block of a ",
            story_kind_name(operation->kind));
    if (*story_task_name(story, operation->task))
        fprintf(print->file, " of task \"%s\"", story_task_name(story, operation->task));
    fprintf(print->file, " in %s", story_stream_name(story, operation->stream, stream));
    if (*story_describe(story, subject.operation, what))
        fprintf(print->file, ", %s", what);
    if (story->names[operation->name].count > 1)
        fprintf(print->file, "; %" PRIu32 " of %" PRIu32 ", in iteration %" PRIu64,
                operation->number, story->names[operation->name].count, operation->iteration);
    fprintf(print->file, "\nfrom its call at %s to %s at %s: %s\n\n",
            end_text(print, times[0], life->begin_ps, life->end_ps - life->begin_ps),
            life->unfinished ? "the end of the log, where it is not complete," : "its completion",
            end_text(print, times[1], life->end_ps, life->end_ps - life->begin_ps),
            time_text(print, times[2], life->end_ps - life->begin_ps));
}

static void line_print(const struct story_print *print, gfe_ps after_ps, gfe_ps took_ps,
                       const char *text)
{
    const uint32_t indent = (uint32_t)(2 * time_width(print)) + 3;
    char times[2][TIME_BYTES];

    fprintf(print->file, "%*s %*s  ", time_width(print), time_text(print, times[0], after_ps),
            time_width(print), time_text(print, times[1], took_ps));
    text_paragraph_behind(print->file, text, indent, print->exact ? WIDTH + 20 : WIDTH);
}

static void call_print(const struct story_print *print, struct story_subject subject)
{
    const struct story *story = print->story;
    const struct story_operation *operation = &story->operations[subject.operation];
    char stream[STORY_NAME_BYTES];
    struct story_words words = {.exact = print->exact};

    story_stream_name(story, operation->stream, stream);
    if (story->streams[operation->stream].is_queue)
        story_add(&words, "The doorbell was rung for its packet in %s", stream);
    else
        story_add(&words,
                  story->streams[operation->stream].is_hip
                      ? "Task \"%s\" launched it into %s"
                      : "Task \"%s\" called, and it joined the queue of %s",
                  story_task_name(story, operation->task), stream);
    story_add_rule(&words, story, operation->call_rule);
    story_add(&words, ".");
    line_print(print, 0, 0, words.text);
}

static bool piece_print(const struct story_print *print, struct story_subject subject,
                        const struct story_life *life, const struct story_piece *piece,
                        enum story_tell tell)
{
    struct story_words words = {.exact = print->exact};

    if (!story_sentence(print->story, subject, piece, tell, &words))
        return false;
    story_add(&words, ".");
    line_print(print, piece->begin_ps - life->begin_ps, piece->end_ps - piece->begin_ps,
               words.text);
    return true;
}

/* Pieces that are left out, added up. */
static void rest_print(const struct story_print *print, const struct story_life *life,
                       uint32_t first, uint32_t count)
{
    struct story_life rest = {.pieces = life->pieces + first,
                              .count = count,
                              .begin_ps = life->pieces[first].begin_ps,
                              .end_ps = life->pieces[first + count - 1].end_ps};
    const struct story_total total = story_total(&rest);
    struct story_words words = {.exact = print->exact};

    story_add(&words, "... %" PRIu32 " pieces more, of them ", count);
    story_add_time(&words, total.service_ps + total.unattributed_ps);
    story_add(&words, " service");
    for (uint32_t i = 0; i < total.wait_count; i++) {
        story_add(&words, ", ");
        story_add_time(&words, total.waits[i].ps);
        story_add(&words, " %s", story_rule(print->story, total.waits[i].rule));
    }
    story_add(&words, "; --all prints them.");
    line_print(print, rest.begin_ps - life->begin_ps, total.total_ps, words.text);
}

/* How often it waited by a rule, where that was more than once. */
static void counts_print(const struct story_print *print, const struct story_total *total)
{
    char times[2][TIME_BYTES];

    for (uint32_t i = 0; i < total->wait_count; i++)
        if (total->waits[i].count > 1)
            fprintf(print->file, "\n%s: %" PRIu32 " times, %s in all, the longest %s",
                    story_rule(print->story, total->waits[i].rule), total->waits[i].count,
                    time_text(print, times[0], total->waits[i].ps),
                    time_text(print, times[1], total->waits[i].longest_ps));
}

/* "2 ps service + 3 ps T.X1 = 5 ps" */
static void total_print(const struct story_print *print, const struct story_life *life)
{
    const struct story_total total = story_total(life);

    counts_print(print, &total);
    fprintf(print->file, "\n%" PRIu64 " ps service", total.service_ps);
    for (uint32_t i = 0; i < total.wait_count; i++)
        fprintf(print->file, " + %" PRIu64 " ps %s", total.waits[i].ps,
                story_rule(print->story, total.waits[i].rule));
    if (total.unattributed_ps > 0)
        fprintf(print->file, " + %" PRIu64 " ps unattributed", total.unattributed_ps);
    fprintf(print->file, " = %" PRIu64 " ps\n", total.total_ps);
}

/* What was lacking is told at length a few times, and after many waits none is looked into. */
static enum story_tell how_much(const struct story *story, const struct story_piece *piece,
                                uint32_t *waits, uint32_t *resources)
{
    const bool is_wait = piece->what == STORY_WAIT;
    const bool lacked = is_wait && story_role(story, piece->rule) == STORY_ROLE_RESOURCE;

    *waits += is_wait;
    *resources += lacked;
    return *waits > STORY_DETAILS_MAX               ? STORY_TELL_PIECE
           : lacked && *resources > LACKS_AT_LENGTH ? STORY_TELL_BRIEF
                                                    : STORY_TELL_ALL;
}

static bool pieces_print(const struct story_print *print, struct story_subject subject,
                         const struct story_life *life)
{
    const uint32_t left_out =
        print->all || life->count <= PIECES_TOLD ? 0 : life->count - PIECES_TOLD;
    uint32_t waits = 0, resources = 0;

    for (uint32_t i = 0; i < life->count; i++) {
        const struct story_piece *piece = &life->pieces[i];

        if (left_out > 0 && i == HEAD_PIECES) {
            rest_print(print, life, i, left_out);
            i += left_out - 1;
            continue;
        }
        if (!piece_print(print, subject, life, piece,
                         how_much(print->story, piece, &waits, &resources)))
            return false;
    }
    return true;
}

bool story_text(const struct story_print *print, struct story_subject subject)
{
    const int width = time_width(print);
    struct story_life life = {0};
    bool good = story_life(print->story, subject, &life);

    if (good) {
        head_print(print, subject, &life);
        fprintf(print->file, "%*s %*s\n", width, "after", width, "for");
        call_print(print, subject);
        good = pieces_print(print, subject, &life);
        total_print(print, &life);
    }
    story_life_fini(&life);
    return good || story_print_no_memory(print);
}

/* ---- all ---------------------------------------------------------------------------------------
 */

static void list_line(const struct story_print *print, uint32_t operation,
                      const struct story_life *life)
{
    const struct story *story = print->story;
    const struct story_total total = story_total(life);
    const int width = time_width(print);
    char name[STORY_NAME_BYTES], times[3][TIME_BYTES], what[STORY_NAME_BYTES];

    fprintf(print->file, "  %-18s %*s = %*s service",
            story_name(story, (struct story_subject){operation, STORY_NONE}, name), width,
            time_text(print, times[0], total.total_ps), width,
            time_text(print, times[1], total.service_ps));
    for (uint32_t i = 0; i < total.wait_count; i++)
        fprintf(print->file, " + %s %s", time_text(print, times[2], total.waits[i].ps),
                story_rule(story, total.waits[i].rule));
    if (total.unattributed_ps > 0)
        fprintf(print->file, " + %s unattributed",
                time_text(print, times[2], total.unattributed_ps));
    if (*story_describe(story, operation, what))
        fprintf(print->file, "  (%s)", what);
    fprintf(print->file, "%s\n", life->unfinished ? ", not complete" : "");
}

static void stream_print(const struct story_print *print, uint32_t stream)
{
    static const char *const kinds[] = {"blocking", "non-blocking", "of its process",
                                        "of its thread"};
    const struct story *story = print->story;
    const struct story_stream *of = &story->streams[stream];
    char name[STORY_NAME_BYTES];

    fprintf(print->file, "\n%s, %s, process %" PRIu32 "%s, priority %" PRIu32 "\n",
            story_stream_name(story, stream, name), of->kind < 4 ? kinds[of->kind] : "unknown",
            of->process, story_client(story, stream) ? " (client of MPS)" : "", of->priority);
}

/* Prints, for HIP threads, a table for each name.  A line for each launch would be a line for each
 * iteration. */
static bool stream_sum(const struct story_print *print, uint32_t stream)
{
    const struct story *story = print->story;
    uint32_t last = STORY_NONE;

    for (uint32_t i = story->streams[stream].first; i != STORY_NONE;
         i = story->operations[i].next) {
        if (story->operations[i].number == 1 && story->operations[i].name != last &&
            !story_reasons_print(print, story->operations[i].name))
            return false;
        last = story->operations[i].name;
    }
    return true;
}

bool story_text_list(const struct story_print *print)
{
    const struct story *story = print->story;
    const char *gpu = event_log_run(story->log, "gpu"), *path = event_log_name(story->log);
    const char *slash = strrchr(path, '/');
    struct story_life life = {0};
    bool good = true;

    fprintf(print->file, "%s on %s: %" PRIu32 " operation%s in %" PRIu32 " stream%s\n",
            slash && slash[1] ? slash + 1 : path, gpu ? gpu : "a GPU", story->operation_count,
            story->operation_count == 1 ? "" : "s", story->stream_count,
            story->stream_count == 1 ? "" : "s");
    for (uint32_t i = 0; i < story->stream_count && good; i++) {
        if (story->streams[i].first == STORY_NONE)
            continue;
        if (story->streams[i].is_hip || story->streams[i].is_queue) {
            good = stream_sum(print, i);
            continue;
        }
        stream_print(print, i);
        for (uint32_t k = story->streams[i].first; k != STORY_NONE && good;
             k = story->operations[k].next) {
            good = story_life(story, (struct story_subject){k, STORY_NONE}, &life);
            if (good)
                list_line(print, k, &life);
        }
    }
    story_life_fini(&life);
    return good || story_print_no_memory(print);
}
