/* SPDX-License-Identifier: MIT */
/* What gfe explain says of a page's operations: which of them it knows, and their stories. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/story/explain_story_print.h"
#include "emu/views/html/show_html_private.h"

enum {
    PIECES_ALL = 60,   /* a story of so many is told whole */
    SHORT_SHARE = 200, /* of longer ones what is shorter than this part is told together */
};

/* ---- who is who ------------------------------------------------------------------------------ */

static uint32_t told_count(const struct html *html)
{
    return html->is_story ? html->story.operation_count : html->explain.operation_count;
}

/* What the pictures call the I-th of gfe explain's operations; false: they do not draw it. */
static bool drawn_as(const struct html *html, uint32_t i, enum show_operation_kind *kind,
                     uint64_t *id)
{
    if (html->is_story) {
        const uint32_t work = html->story.operations[i].work;
        if (work == STORY_NONE)
            return false;
        *kind = html->story.works[work].is_copy ? SHOW_COPY : SHOW_GRID;
        *id = html->story.works[work].id;
        return true;
    }
    *id = html->explain.operations[i].id;
    switch (html->explain.operations[i].kind) {
    case EXPLAIN_LAUNCH:
        *kind = SHOW_GRID;
        return true;
    case EXPLAIN_COPY:
        *kind = SHOW_COPY;
        return true;
    case EXPLAIN_DRAW:
        *kind = SHOW_WORK;
        return true;
    default:
        return false;
    }
}

static bool in_window(const struct html *html, uint32_t i)
{
    const struct show *show = html->show;
    const gfe_ps from_ps =
        html->is_story ? html->story.operations[i].called_ps : html->explain.operations[i].birth_ps;
    const gfe_ps to_ps = html->is_story ? html->story.operations[i].completed_ps
                                        : html->explain.operations[i].end_ps;

    return from_ps <= show->to_ps && to_ps >= show->from_ps;
}

static bool maps_make(const struct show *show, struct id_map maps[SHOW_OPERATION_KINDS])
{
    for (uint32_t i = 0; i < show->operation_count; i++)
        if (!id_map_add(&maps[show->operations[i].kind], show->operations[i].id, i))
            return false;
    return true;
}

static void operations_join(struct html *html, const struct id_map maps[SHOW_OPERATION_KINDS])
{
    const uint32_t drawn = html->show->operation_count;

    html->operation_count = drawn;
    for (uint32_t i = 0; i < told_count(html); i++) {
        enum show_operation_kind kind;
        uint32_t index = SHOW_NONE;
        uint64_t id;

        html->is_of[i] = SHOW_NONE;
        if (drawn_as(html, i, &kind, &id))
            index = id_map_find(&maps[kind], id);
        else if (in_window(html, i) && html->operation_count - drawn < HTML_STORIES_MAX)
            index = html->operation_count++;
        if (index == SHOW_NONE || html->tells[index])
            continue;
        html->tells[index] = i + 1;
        html->is_of[i] = index;
    }
}

/* False: the stories cannot be told, or (with html->error set) the page cannot be made. */
static bool log_read(struct html *html)
{
    struct event_log_reader *log = html->options->again;
    const bool is_story = story_is_told(log);
    const bool good = is_story ? story_load(&html->story, log, html->options->limits, &html->untold)
                               : explain_load(&html->explain, log, &html->untold);
    html->is_story = good && is_story;
    if (!good && html->untold.kind == ERROR_SYSTEM)
        return error_set(html->error, html->untold.kind, "%s", html->untold.text);
    return good;
}

bool html_stories_load(struct html *html)
{
    struct id_map maps[SHOW_OPERATION_KINDS] = {{0}};
    bool good = log_read(html);

    if (!good && html->error->kind != ERROR_NONE)
        return false;
    html->tells =
        calloc((size_t)html->show->operation_count + told_count(html) + 1, sizeof *html->tells);
    html->is_of = calloc((size_t)told_count(html) + 1, sizeof *html->is_of);
    good = html->tells && html->is_of && maps_make(html->show, maps);
    if (good)
        operations_join(html, maps);
    else
        error_set_errno(html->error, ENOMEM, "%s", event_log_name(html->show->log));
    for (uint32_t i = 0; i < SHOW_OPERATION_KINDS; i++)
        id_map_fini(&maps[i]);
    return good;
}

void html_stories_fini(struct html *html)
{
    free(html->tells);
    free(html->is_of);
    if (html->is_story)
        story_fini(&html->story);
    else
        explain_fini(&html->explain);
}

const char *html_name(const struct html *html, uint32_t operation, char to[STORY_NAME_BYTES])
{
    if (operation < html->show->operation_count) {
        show_operation_name(html->show, &html->show->operations[operation], to, STORY_NAME_BYTES);
        return to;
    }
    const uint32_t index = html->tells[operation] - 1;
    if (html->is_story)
        return story_name(&html->story, (struct story_subject){index, STORY_NONE}, to);
    return explain_name(
        &html->explain,
        (struct explain_ref){(enum explain_kind)html->explain.operations[index].kind, index}, to);
}

bool html_is_told(const struct html *html, uint32_t operation)
{
    const uint32_t drawn = html->show->operation_count;

    return html->tells[operation] != 0 && (operation >= drawn || operation < HTML_STORIES_MAX) &&
           in_window(html, html->tells[operation] - 1);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* A piece in the page's form: [length, kind, rule or unit, words, who was in the way]. */
enum tell_kind { TELL_SERVICE, TELL_WAIT, TELL_UNATTRIBUTED, TELL_SHORT };

struct teller {
    const struct html *html;
    struct html_bytes *to;
    gfe_ps short_ps; /* pieces below are told together */
    gfe_ps sum_ps, wait_ps;
    uint32_t short_count, piece_count;
};

static void piece_put(struct teller *teller, gfe_ps length_ps, enum tell_kind kind,
                      const char *what, const char *words, const char *by)
{
    html_print(teller->to, "%s[%" PRIu64 ",%d,", teller->piece_count++ ? "," : "", length_ps, kind);
    html_json(teller->to, what);
    html_byte(teller->to, ',');
    html_json(teller->to, words);
    html_byte(teller->to, ',');
    html_json(teller->to, by && *by ? by : NULL);
    html_byte(teller->to, ']');
}

static void short_put(struct teller *teller)
{
    if (teller->short_count > 0) {
        html_print(teller->to, "%s[%" PRIu64 ",%d,%" PRIu32 ",%" PRIu64 "]",
                   teller->piece_count++ ? "," : "", teller->sum_ps, TELL_SHORT,
                   teller->short_count, teller->wait_ps);
        teller->sum_ps = teller->wait_ps = 0;
        teller->short_count = 0;
    }
}

/* Is the piece one of those that are told together? */
static bool short_take(struct teller *teller, gfe_ps length_ps, bool waits)
{
    if (length_ps >= teller->short_ps) {
        short_put(teller);
        return false;
    }
    teller->short_count++;
    teller->sum_ps += length_ps;
    teller->wait_ps += waits ? length_ps : 0;
    return true;
}

static void story_piece_put(struct teller *teller, struct story_subject subject,
                            const struct story_piece *piece)
{
    const struct story *story = &teller->html->story;
    const bool waits = piece->what == STORY_WAIT;
    struct story_words words = {.exact = false};
    struct story_why why = STORY_WHY_NONE;
    char by[STORY_NAME_BYTES] = "";

    if (short_take(teller, piece->end_ps - piece->begin_ps, waits))
        return;
    teller->to->failed |= !story_sentence(story, subject, piece, STORY_TELL_ALL, &words);
    if (waits) {
        story_why(story, subject, piece, &why);
        if (why.blocker.operation != STORY_NONE)
            (void)story_name(story, why.blocker, by);
        else
            (void)story_by_name(story, piece, by);
    }
    piece_put(teller, piece->end_ps - piece->begin_ps,
              waits                               ? TELL_WAIT
              : piece->what == STORY_UNATTRIBUTED ? TELL_UNATTRIBUTED
                                                  : TELL_SERVICE,
              waits ? story_rule(story, piece->rule) : NULL, words.text, by);
}

static void explain_piece_put(struct teller *teller, const struct explain_piece *piece)
{
    const struct explain *explain = &teller->html->explain;
    const struct explain_what_row *row = &explain_whats[piece->what];
    const bool waits = piece->what == EXPLAIN_WAIT;
    char words[EXPLAIN_NAME_BYTES + 128], by[EXPLAIN_NAME_BYTES] = "";

    if (short_take(teller, piece->end_ps - piece->begin_ps, waits))
        return;
    if (waits)
        (void)explain_by_name(explain, piece->by, by);
    if (waits)
        (void)snprintf(words, sizeof words, "waits%s%s", *by ? " because of " : "", by);
    else
        (void)snprintf(words, sizeof words, "%s: %s", row->unit, row->text);
    piece_put(teller, piece->end_ps - piece->begin_ps,
              waits                                 ? TELL_WAIT
              : piece->what == EXPLAIN_UNATTRIBUTED ? TELL_UNATTRIBUTED
                                                    : TELL_SERVICE,
              waits ? explain_rule(explain, piece->rule) : row->parameters[0], words, by);
}

/* ---- stories --------------------------------------------------------------------------------- */

/* `name`: as gfe explain has it. */
static void head_put(const struct html *html, struct html_bytes *to, uint32_t operation,
                     const char *name, const char *what, const char *of)
{
    char drawn[STORY_NAME_BYTES];

    html_print(to, "{\"i\":%" PRIu32 ",\"w\":", operation);
    html_json(to, what);
    html_print(to, ",\"o\":");
    html_json(to, of);
    if (strcmp(html_name(html, operation, drawn), name) != 0) {
        html_print(to, ",\"n\":");
        html_json(to, name);
    }
}

static void life_put(struct html_bytes *to, gfe_ps begin_ps, bool finished, gfe_ps service_ps)
{
    html_print(to, ",\"b\":%" PRIu64 ",\"f\":%d,\"s\":%" PRIu64 ",\"p\":[", begin_ps, finished,
               service_ps);
}

static gfe_ps short_of(gfe_ps total_ps, uint32_t count)
{
    return count <= PIECES_ALL ? 0 : total_ps / SHORT_SHARE;
}

static bool story_put(const struct html *html, uint32_t operation, struct story_life *life,
                      struct html_bytes *to)
{
    const struct story *story = &html->story;
    const struct story_subject subject = {html->tells[operation] - 1, STORY_NONE};
    struct teller teller = {.html = html, .to = to};
    char what[STORY_NAME_BYTES], stream[STORY_NAME_BYTES], name[STORY_NAME_BYTES];

    if (!story_life(story, subject, life))
        return false;
    const struct story_total total = story_total(life);
    teller.short_ps = short_of(total.total_ps, life->count);
    head_put(html, to, operation, story_name(story, subject, name),
             story_describe(story, subject.operation, what),
             story_stream_name(story, story->operations[subject.operation].stream, stream));
    life_put(to, life->begin_ps, !life->unfinished, total.service_ps);
    for (uint32_t i = 0; i < life->count; i++)
        story_piece_put(&teller, subject, &life->pieces[i]);
    short_put(&teller);
    html_print(to, "]}");
    return true;
}

static bool explain_put(const struct html *html, uint32_t operation, struct explain_life *life,
                        struct html_bytes *to)
{
    const struct explain *explain = &html->explain;
    const uint32_t index = html->tells[operation] - 1, parent = explain->operations[index].parent;
    const struct explain_ref ref = {(enum explain_kind)explain->operations[index].kind, index};
    struct teller teller = {.html = html, .to = to};
    char what[EXPLAIN_WORDS_BYTES], of[EXPLAIN_NAME_BYTES] = "", name[EXPLAIN_NAME_BYTES];

    if (!explain_life(explain, ref, life))
        return false;
    const struct explain_total total = explain_total(life);
    if (parent != EXPLAIN_NONE)
        (void)explain_name(
            explain,
            (struct explain_ref){(enum explain_kind)explain->operations[parent].kind, parent}, of);
    teller.short_ps = short_of(total.total_ps, life->count);
    head_put(html, to, operation, explain_name(explain, ref, name),
             explain_describe(explain, ref, what), *of ? of : NULL);
    life_put(to, life->birth_ps, !explain->operations[index].unfinished, total.service_ps);
    for (uint32_t i = 0; i < life->count; i++)
        explain_piece_put(&teller, &life->pieces[i]);
    short_put(&teller);
    html_print(to, "]}");
    return true;
}

void html_stories_write(struct html *html, struct html_bytes *to)
{
    struct story_life story = {0};
    struct explain_life life = {0};
    const char *before = "[";
    bool good = true;

    for (uint32_t i = 0; i < html->operation_count && good && !to->failed; i++) {
        if (!html_is_told(html, i))
            continue;
        html_print(to, "%s", before);
        before = ",\n";
        good = html->is_story ? story_put(html, i, &story, to) : explain_put(html, i, &life, to);
    }
    html_print(to, "%s]", *before == '[' ? before : "");
    to->failed |= !good;
    story_life_fini(&story);
    explain_life_fini(&life);
}
