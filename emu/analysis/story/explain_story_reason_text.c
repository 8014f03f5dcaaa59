/* SPDX-License-Identifier: MIT */
/* Why the launches of HIP threads took as long as they did, for people. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/story/explain_story_dispatch.h"
#include "emu/analysis/story/explain_story_print.h"
#include "emu/base/text.h"

enum { WIDTH = 100, INDENT = 22, TIME_BYTES = 48, TOLD_PERMILLE = 5, VERDICT_PERCENT = 25 };

/* `part` of `whole` in units of 1 / `of`, rounded; the parts may be of 2^63 ps. */
static uint64_t share(gfe_ps part, gfe_ps whole, uint32_t of)
{
    return whole == 0 ? 0 : (uint64_t)(((unsigned __int128)part * of + whole / 2) / whole);
}

static uint32_t cus_of(const struct story_dispatch *dispatch, uint32_t engine)
{
    return (uint32_t)__builtin_popcount(story_dispatch_cus(dispatch, engine));
}

static uint32_t all_cus(const struct story_dispatch *dispatch)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++)
        count += cus_of(dispatch, i);
    return count;
}

/* The dispatch of the first operation of that name that has one. */
static const struct story_dispatch *dispatch_of(const struct story *story,
                                                const struct story_reasons *reasons)
{
    const uint32_t first = reasons->first_operation;

    if (first == STORY_NONE || story->operations[first].work == STORY_NONE)
        return NULL;
    return story_dispatch_of(story, story->operations[first].work);
}

static void add_time(struct story_words *words, const struct story_print *print, gfe_ps time_ps)
{
    char text[TIME_BYTES];

    if (print->exact)
        story_add(words, "%" PRIu64 " ps", time_ps);
    else
        story_add(words, "%s", text_time(text, sizeof text, time_ps));
}

/* ---- rows --------------------------------------------------------------------------------------
 */

static void add_who(struct story_words *words, const struct story *story,
                    const struct story_reason *reason)
{
    if (reason->others > 0)
        story_add(words, "%" PRIu32 " others", reason->others);
    else
        story_add(words, "%s", reason->by == STORY_NONE ? "others" : story->names[reason->by].text);
}

static void add_via(struct story_words *words, const struct story *story,
                    const struct story_reason *reason, uint32_t rule)
{
    switch (story_role(story, rule)) {
    case STORY_ROLE_CUT:
        story_add(words, "blocks of ");
        add_who(words, story, reason);
        story_add(words, " that fit cut ahead of the one in the slot (%s)",
                  story_rule(story, rule));
        break;
    case STORY_ROLE_SLOT:
        story_add(words, "the workload manager was not done with others (%s)",
                  story_rule(story, rule));
        break;
    default:
        story_add(words, "no CU had room for the one in the slot (%s)", story_rule(story, rule));
        if (reason->by == STORY_NONE && reason->others == 0)
            break;
        story_add(words, "; most there was ");
        add_who(words, story, reason);
        story_add(words, reason->others > 0 ? "', now one's, now another's" : "'s");
    }
}

static void add_wait(struct story_words *words, const struct story *story,
                     const struct story_reason *reason)
{
    switch (story_role(story, reason->rule)) {
    case STORY_ROLE_ENGINE:
        story_add(words,
                  "SE %" PRIu32 " had its turn (%s) and its slot was taken, while another SE's was "
                  "empty: ",
                  reason->engine, story_rule(story, reason->rule));
        add_via(words, story, reason, reason->via);
        break;
    case STORY_ROLE_SLOT:
    case STORY_ROLE_CUT:
    case STORY_ROLE_CU:
        story_add(words, "SE %" PRIu32 ": ", reason->engine);
        add_via(words, story, reason, reason->rule);
        break;
    case STORY_ROLE_ACE:
        story_add(words, "its ACE was at ");
        add_who(words, story, reason);
        story_add(words, " (%s)", story_rule(story, reason->rule));
        break;
    case STORY_ROLE_RING:
        story_add(words, "it waited for others in its queue's ring (%s)",
                  story_rule(story, reason->rule));
        break;
    default:
        story_add(words, "it waited %s (%s)", story_queue_says(story, reason->rule),
                  story_rule(story, reason->rule));
        if (reason->by == STORY_NONE)
            break;
        story_add(words, " because of ");
        add_who(words, story, reason);
    }
}

static void add_reason(struct story_words *words, const struct story *story,
                       const struct story_reason *reason)
{
    static const char *const services[STORY_WHATS] = {
        [STORY_RUNTIME] = "runtime, and the way to the head of its HSA queue",
        [STORY_FRONT_END] = "doorbell, queue slot and packet processor",
        [STORY_PLACE] = "the dispatcher places blocks",
        [STORY_COPYING] = "the SDMA engine moves its bytes",
        [STORY_RUN] = "the block that ends last runs",
        [STORY_SAVE] =
            "its waves are stopped and saved, as its queue has to leave its slot (AMD.CWSR)",
        [STORY_RESTORE] = "its waves are read back, as its queue is in a slot again (AMD.CWSR)",
        [STORY_REST] = "the block that ends last is over, and others are not",
        [STORY_COMPLETION] = "from the last block's end until the thread knows",
        [STORY_UNATTRIBUTED] = "the log does not say",
    };

    if (reason->what == STORY_WAIT)
        add_wait(words, story, reason);
    else
        story_add(words, "%s", services[reason->what] ? services[reason->what] : "service");
}

static void row_print(const struct story_print *print, const struct story_reasons *reasons,
                      gfe_ps ps, const struct story_words *says)
{
    const uint64_t permille = share(ps, reasons->total_ps, 1000);
    struct story_words time = {.used = 0};

    add_time(&time, print, ps);
    fprintf(print->file, "  %3" PRIu64 ".%" PRIu64 " %% %*s  ", permille / 10, permille % 10,
            print->exact ? 20 : 11, time.text);
    text_paragraph_behind(print->file, says->text, print->exact ? INDENT + 9 : INDENT,
                          print->exact ? WIDTH + 9 : WIDTH);
}

/* Longest first; what is below half a per cent is added up. */
static void rows_print(const struct story_print *print, const struct story_reasons *all)
{
    struct story_reasons gathered = *all;
    const struct story_reasons *reasons = &gathered;
    uint32_t left_out = 0;
    gfe_ps rest_ps = 0;

    if (!print->all)
        story_reasons_gather(&gathered);

    for (uint32_t i = 0; i < reasons->count; i++) {
        const struct story_reason *reason = &reasons->reasons[i];
        struct story_words says = {.exact = print->exact};

        if (!print->all && reason->what != STORY_UNATTRIBUTED &&
            share(reason->ps, reasons->total_ps, 1000) < TOLD_PERMILLE) {
            rest_ps += reason->ps;
            left_out++;
            continue;
        }
        add_reason(&says, print->story, reason);
        row_print(print, reasons, reason->ps, &says);
    }
    if (left_out > 0) {
        struct story_words says = {.used = 0};

        story_add(&says, "%" PRIu32 " smaller reason%s; --all prints them", left_out,
                  left_out == 1 ? "" : "s");
        row_print(print, reasons, rest_ps, &says);
    }
}

/* ---- what it comes to --------------------------------------------------------------------------
 */

static void add_percent(struct story_words *words, gfe_ps part, gfe_ps whole)
{
    const uint64_t permille = share(part, whole, 1000);

    story_add(words, "%" PRIu64 ".%" PRIu64 " %%", permille / 10, permille % 10);
}

/* "A.D2 99.8 % (A.D4 94.3 %, A.D5 5.5 %)": of what has that key, by the next one. */
static gfe_ps rule_sum(const struct story_reasons *reasons, uint32_t rule, uint32_t via, bool all)
{
    gfe_ps sum_ps = 0;

    for (uint32_t i = 0; i < reasons->count; i++)
        if (reasons->reasons[i].what == STORY_WAIT && reasons->reasons[i].rule == rule &&
            (all || reasons->reasons[i].via == via))
            sum_ps += reasons->reasons[i].ps;
    return sum_ps;
}

static bool told_before(const struct story_reasons *reasons, uint32_t at, bool with_via)
{
    for (uint32_t i = 0; i < at; i++)
        if (reasons->reasons[i].what == STORY_WAIT &&
            reasons->reasons[i].rule == reasons->reasons[at].rule &&
            (!with_via || reasons->reasons[i].via == reasons->reasons[at].via))
            return true;
    return false;
}

static void add_vias(struct story_words *words, const struct story *story,
                     const struct story_reasons *reasons, uint32_t rule)
{
    const char *before = " (";

    for (uint32_t i = 0; i < reasons->count; i++) {
        const struct story_reason *reason = &reasons->reasons[i];

        if (reason->what != STORY_WAIT || reason->rule != rule || reason->via == RULE_NONE ||
            told_before(reasons, i, true))
            continue;
        story_add(words, "%s%s ", before, story_rule(story, reason->via));
        add_percent(words, rule_sum(reasons, rule, reason->via, false), reasons->total_ps);
        before = ", ";
    }
    story_add(words, "%s", *before == ',' ? ")" : "");
}

/* One line: the waits by rule, and in brackets why the slot stayed taken. */
static void rules_print(const struct story_print *print, const struct story_reasons *reasons)
{
    struct story_words words = {.exact = print->exact};

    story_add(&words, "By rule:");
    for (uint32_t i = 0; i < reasons->count; i++) {
        const struct story_reason *reason = &reasons->reasons[i];

        if (reason->what != STORY_WAIT || told_before(reasons, i, false))
            continue;
        story_add(&words, "%s %s ", words.used > 8 ? "," : "",
                  story_rule(print->story, reason->rule));
        add_percent(&words, rule_sum(reasons, reason->rule, RULE_NONE, true), reasons->total_ps);
        add_vias(&words, print->story, reasons, reason->rule);
    }
    if (words.used <= 8)
        return;
    fputs("\n", print->file);
    text_paragraph(print->file, words.text, 2, WIDTH);
}

/* The shader engine whose turns took most, and what of it was while others cut ahead. */
struct pace {
    uint32_t engine, cus, all_cus;
    gfe_ps ordered_ps, cut_ps;
    uint64_t blocks, all_blocks, cuts;
};

static void pace_find(const struct story *story, const struct story_reasons *reasons,
                      const struct story_dispatch *dispatch, struct pace *pace)
{
    gfe_ps ordered_ps[STORY_ENGINES_MAX] = {0}, cut_ps[STORY_ENGINES_MAX] = {0};
    uint32_t slow = 0;

    *pace = (struct pace){.all_cus = all_cus(dispatch)};
    for (uint32_t i = 0; i < reasons->count; i++) {
        const struct story_reason *reason = &reasons->reasons[i];

        if (reason->what != STORY_WAIT || reason->engine >= STORY_ENGINES_MAX ||
            story_role(story, reason->rule) != STORY_ROLE_ENGINE)
            continue;
        ordered_ps[reason->engine] += reason->ps;
        if (story_role(story, reason->via) == STORY_ROLE_CUT)
            cut_ps[reason->engine] += reason->ps;
    }
    for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++) {
        pace->all_blocks += reasons->engine_blocks[i];
        if (ordered_ps[i] > ordered_ps[slow])
            slow = i;
    }
    pace->engine = slow;
    pace->cus = cus_of(dispatch, slow);
    pace->ordered_ps = ordered_ps[slow];
    pace->cut_ps = cut_ps[slow];
    pace->blocks = reasons->engine_blocks[slow];
    pace->cuts = reasons->engine_cuts[slow];
}

/* Says why strict turns hold up a dispatch: a shader engine has fewer CUs than its share of the
 * blocks. */
static void why_print(const struct story_print *print, const struct story_reasons *reasons,
                      const struct story_dispatch *dispatch)
{
    const struct story *story = print->story;
    struct story_words words = {.exact = print->exact};
    struct pace pace;

    pace_find(story, reasons, dispatch, &pace);
    if (share(pace.ordered_ps, reasons->total_ps, 100) < VERDICT_PERCENT ||
        4 * pace.cus * pace.all_blocks >= 3 * pace.blocks * pace.all_cus)
        return;
    story_add(&words,
              "Why: blocks go to shader engines in strict turn (%s), so SE %" PRIu32
              " gets %" PRIu64 " of %" PRIu64 " blocks with %" PRIu32 " of %" PRIu32
              " enabled CUs, and sets the pace of all. For ",
              story_rule(story, story_role_rule(story, STORY_ROLE_ENGINE)), pace.engine,
              pace.blocks, pace.all_blocks, pace.cus, pace.all_cus);
    add_percent(&words, pace.ordered_ps, reasons->total_ps);
    story_add(&words, " of the time the next block was to go there, its slot was taken, and "
                      "another SE's slot was empty.");
    if (pace.cut_ps > 0) {
        story_add(&words,
                  " %" PRIu64 " blocks of others that fit cut ahead of those in its slot (%s): ",
                  pace.cuts, story_rule(story, story_role_rule(story, STORY_ROLE_CUT)));
        add_percent(&words, pace.cut_ps, reasons->total_ps);
        story_add(&words, " of the time.");
    }
    text_paragraph(print->file, words.text, 2, WIDTH);
}

/* ---- a stream ----------------------------------------------------------------------------------
 */

static void head_print(const struct story_print *print, const struct story_reasons *reasons,
                       const struct story_dispatch *dispatch)
{
    const struct story *story = print->story;
    const struct story_operation *first = &story->operations[reasons->first_operation];
    const struct story_stream *stream = &story->streams[first->stream];
    struct story_words words = {.exact = print->exact};
    char what[STORY_NAME_BYTES];

    if (stream->is_sdma)
        story_add(&words, "\n%s: %" PRIu32 " cop%s, %" PRIu64 " bytes in all\n",
                  story->names[first->name].text, reasons->operation_count,
                  reasons->operation_count == 1 ? "y" : "ies", reasons->byte_count);
    else
        story_add(&words, "\n%s: %" PRIu32 " launch%s of %s\n", story->names[first->name].text,
                  reasons->operation_count, reasons->operation_count == 1 ? "" : "es",
                  story_describe(story, reasons->first_operation, what));
    if (stream->is_sdma)
        story_add(&words, "  the SDMA queue of doorbell %" PRIu64 ", engine %" PRIu32,
                  stream->stream_id, stream->hsa_queue);
    else if (stream->is_hip)
        story_add(&words, "  HSA queue %" PRIu32, stream->hsa_queue);
    else
        story_add(&words, "  the queue of doorbell %" PRIu64, stream->stream_id);
    if (dispatch) {
        const char *before = ": ";

        const uint32_t slots = (uint32_t)__builtin_popcountll(reasons->slots);

        if (slots == 1)
            story_add(&words, ", slot %" PRIu32 " of ACE %" PRIu32, dispatch->queue, dispatch->ace);
        else
            story_add(&words, ", in %" PRIu32 " slots one after another", slots);
        if (reasons->saves > 0)
            story_add(&words, ", saved %" PRIu64 " time%s", reasons->saves,
                      reasons->saves == 1 ? "" : "s");
        story_add(&words, "; %" PRIu32 " CUs", all_cus(dispatch));
        for (uint32_t i = 0; i < STORY_ENGINES_MAX; i++) {
            if (story_dispatch_cus(dispatch, i) == 0)
                continue;
            story_add(&words, "%s%" PRIu32 " of SE %" PRIu32, before, cus_of(dispatch, i), i);
            before = ", ";
        }
    }
    story_add(&words, "\n  response: ");
    if (reasons->operation_count > 1) {
        add_time(&words, print, reasons->least_ps);
        story_add(&words, " to ");
        add_time(&words, print, reasons->most_ps);
        story_add(&words, ", mean ");
    }
    add_time(&words, print, reasons->total_ps / reasons->operation_count);
    fprintf(print->file, "%s\n\n", words.text);
}

bool story_reasons_print(const struct story_print *print, uint32_t name)
{
    const struct story_dispatch *dispatch;
    struct story_reasons reasons;

    if (!story_reasons_of(print->story, name, &reasons))
        return false;
    if (reasons.operation_count == 0)
        return true;
    dispatch = dispatch_of(print->story, &reasons);
    head_print(print, &reasons, dispatch);
    rows_print(print, &reasons);
    rules_print(print, &reasons);
    if (dispatch)
        why_print(print, &reasons, dispatch);
    return true;
}
