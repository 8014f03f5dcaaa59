/* SPDX-License-Identifier: MIT */
/* Stories for programs; docs/explain.md describes them. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/analysis/story/explain_story_dispatch.h"
#include "emu/analysis/story/explain_story_print.h"
#include "emu/base/json_text.h"

static const char *const services[STORY_WHATS] = {[STORY_RUNTIME] = "runtime",
                                                  [STORY_FRONT_END] = "front end",
                                                  [STORY_SETUP] = "copy engine",
                                                  [STORY_PLACE] = "dispatcher",
                                                  [STORY_RUN] = "SM",
                                                  [STORY_REST] = "SM",
                                                  [STORY_SAVE] = "queue save",
                                                  [STORY_RESTORE] = "queue restore",
                                                  [STORY_COPYING] = "copy engine",
                                                  [STORY_COMPLETION] = "completion"};

static bool set(json_t *object, const char *key, json_t *value)
{
    return json_object_set_new(object, key, value) == 0;
}

static json_t *number(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *name_of(const struct story *story, struct story_subject subject)
{
    char name[STORY_NAME_BYTES];

    return json_string(story_name(story, subject, name));
}

static json_t *block_of(const struct story *story, uint32_t block)
{
    const struct story_piece by = {.by = STORY_BY_BLOCK, .by_id = block};
    char name[STORY_NAME_BYTES];

    return json_string(story_by_name(story, &by, name));
}

static json_t *stream_of(const struct story *story, uint32_t stream)
{
    char name[STORY_NAME_BYTES];

    return json_string(story_stream_name(story, stream, name));
}

/* ---- why ---------------------------------------------------------------------------------------
 */

static json_t *lack_json(const struct story *story, uint32_t sm, const struct story_lack *lack)
{
    const uint32_t told =
        lack->holder_count < STORY_HOLDERS_MAX ? lack->holder_count : STORY_HOLDERS_MAX;
    json_t *object = json_object(), *holders = json_array();
    bool good = set(object, "sm", number(sm));

    if (lack->lacks == STORY_NOTHING) {
        good &= set(object, "lacks", json_null());
    } else {
        good &= set(object, "lacks", json_string(story_resource_name(lack->lacks))) &&
                set(object, "used", number(lack->used)) &&
                set(object, "limit", number(lack->limit)) &&
                set(object, "needed", number(lack->need)) &&
                set(object, "holder_count", number(lack->holder_count));
        for (uint32_t i = 0; i < told; i++)
            good &= json_array_append_new(holders, block_of(story, lack->holders[i])) == 0;
        good &= json_object_set(object, "holders", holders) == 0;
    }
    json_decref(holders);
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

static bool lacks_set(const struct story *story, json_t *object, uint32_t work, gfe_ps time_ps)
{
    struct story_lack lacks[STORY_SMS_MAX];
    json_t *array;
    bool good = true;

    if (!story_lacks(story, work, time_ps, lacks))
        return true;
    array = json_array();
    for (uint32_t sm = 0; sm < story->sm_count && good; sm++)
        good = json_array_append_new(array, lack_json(story, sm, &lacks[sm])) == 0;
    good = good && json_object_set(object, "sms", array) == 0;
    json_decref(array);
    return good;
}

static bool residents_set(const struct story *story, json_t *object, uint32_t waiter, gfe_ps at_ps)
{
    json_t *array = json_array();
    bool good = true;

    for (uint32_t i = story_resident_next(story, waiter, at_ps, 0); i != STORY_NONE && good;
         i = story_resident_next(story, waiter, at_ps, i + 1)) {
        const struct story_piece by = {.by = STORY_BY_WORK, .by_id = i};
        char name[STORY_NAME_BYTES];

        good = json_array_append_new(array, json_string(story_by_name(story, &by, name))) == 0;
    }
    good = good && json_object_set(object, "resident", array) == 0;
    json_decref(array);
    return good;
}

static bool why_set(const struct story *story, json_t *object, struct story_subject subject,
                    const struct story_piece *piece, const struct story_why *why)
{
    const uint32_t work = story->operations[subject.operation].work;
    bool good = true;

    if (why->head != STORY_NONE)
        good &= set(object, "unassigned_blocks", number(why->unassigned)) &&
                set(object, "block_count", number(story->works[why->head].block_count));
    if (story_role(story, piece->rule) == STORY_ROLE_CHANNEL)
        good &= set(object, "held_channel_count", number(why->held_count));
    if (why->freed_stream != STORY_NONE)
        good &= set(object, "freed_by", stream_of(story, why->freed_stream)) &&
                set(object, "channel_id", number(why->channel)) &&
                set(object, "got_by", json_string(story_rule(story, why->got_rule))) &&
                set(object, "choice", json_string(story_choice(story, "cuda.channel_next"))) &&
                set(object, "waiting_stream_count", number(why->waiting_count));
    if (why->lacking != STORY_NONE)
        good &= set(object, "block", block_of(story, why->lacking));
    if (why->freed != STORY_NONE)
        good &= set(object, "freed_by", block_of(story, why->freed));
    if (story_role(story, piece->rule) == STORY_ROLE_GRIDS && work != STORY_NONE)
        good &= residents_set(story, object, work, piece->end_ps);
    if (story_role(story, piece->rule) == STORY_ROLE_RESOURCE && work != STORY_NONE)
        good &= lacks_set(story, object, work, piece->begin_ps);
    return good;
}

/* ---- pieces ------------------------------------------------------------------------------------
 */

/* `since_ps`: where the story begins; `depth`: of the chain. */
struct chain {
    const struct story *story;
    gfe_ps since_ps;
    uint32_t depth;
};

static json_t *piece_json(const struct chain *chain, struct story_subject subject,
                          const struct story_piece *piece, bool with_why);

/* A part of a blocker's life, in the form of a piece. */
static json_t *most_json(const struct chain *chain, struct story_subject blocker,
                         const struct story_most *most)
{
    struct story_piece piece = most->piece;
    json_t *object, *name;

    piece.begin_ps = most->from_ps;
    piece.end_ps = most->to_ps;
    object = piece_json(chain, blocker, &piece, true);
    name = name_of(chain->story, story_teller(chain->story, blocker, &piece));
    if (object && set(object, "name", name) && set(object, "sum_ps", number(most->sum_ps)) &&
        set(object, "count", number(most->count)))
        return object;
    json_decref(object);
    return NULL;
}

/* What the blocker did most of in the meantime, and, if it was served, what had made it late. */
static bool because_set(const struct chain *before, json_t *object, struct story_subject blocker,
                        gfe_ps from_ps, gfe_ps to_ps)
{
    struct chain chain = *before;
    struct story_life life = {0};
    struct story_most most, late;
    json_t *because = NULL;
    bool good = story_life(chain.story, blocker, &life), is_late;

    if (good && ++chain.depth <= STORY_DEPTH_MAX && story_most(&life, from_ps, to_ps, &most)) {
        is_late = most.is_root && story_late(&life, chain.since_ps, &most, &late);
        because = most_json(&chain, blocker, &most);
        good = because && set(because, "root", json_boolean(most.is_root && !is_late));
        if (good && is_late)
            good = set(because, "because", most_json(&chain, blocker, &late));
        good = good && json_object_set(object, "because", because) == 0;
    }
    json_decref(because);
    story_life_fini(&life);
    return good;
}

static bool wait_set(const struct chain *chain, json_t *object, struct story_subject subject,
                     const struct story_piece *piece, bool with_why)
{
    const struct story *story = chain->story;
    char by[STORY_NAME_BYTES];
    struct story_why why;
    bool good =
        set(object, "rule",
            piece->rule == RULE_NONE ? json_null() : json_string(story_rule(story, piece->rule)));

    story_by_name(story, piece, by);
    good &= set(object, "by", *by ? json_string(by) : json_null());
    if (piece->via != RULE_NONE)
        good &= set(object, "via", json_string(story_rule(story, piece->via)));
    if (piece->engine != STORY_NONE)
        good &= set(object, "se", number(piece->engine));
    if (piece->signal != 0)
        good &= set(object, "address", number(piece->signal));
    if (!with_why || !good)
        return good;
    story_why(story, subject, piece, &why);
    return why_set(story, object, subject, piece, &why) &&
           (why.blocker.operation == STORY_NONE ||
            because_set(chain, object, why.blocker, piece->begin_ps, piece->end_ps));
}

static json_t *piece_json(const struct chain *chain, struct story_subject subject,
                          const struct story_piece *piece, bool with_why)
{
    const bool waits = piece->what == STORY_WAIT;
    const char *kind = waits                               ? "wait"
                       : piece->what == STORY_UNATTRIBUTED ? "unattributed"
                                                           : "service";
    json_t *object = json_object();
    bool good = set(object, "begin_ps", number(piece->begin_ps)) &&
                set(object, "end_ps", number(piece->end_ps)) &&
                set(object, "kind", json_string(kind));

    if (good && services[piece->what])
        good = set(object, "unit", json_string(services[piece->what]));
    if (good && waits)
        good = wait_set(chain, object, subject, piece, with_why);
    if (good)
        return object;
    json_decref(object);
    return NULL;
}

static bool text_set(const struct story *story, json_t *object, struct story_subject subject,
                     const struct story_piece *piece)
{
    struct story_words words = {.exact = true};

    return story_sentence(story, subject, piece, STORY_TELL_ALL, &words) &&
           set(object, "text", json_string(words.text));
}

static bool pieces_set(const struct story *story, json_t *object, struct story_subject subject,
                       const struct story_life *life)
{
    const struct chain chain = {.story = story, .since_ps = life->begin_ps};
    json_t *array = json_array();
    uint32_t details = 0;
    bool good = true;

    for (uint32_t i = 0; i < life->count && good; i++) {
        const struct story_piece *piece = &life->pieces[i];
        json_t *element;

        details += piece->what == STORY_WAIT;
        element = piece_json(&chain, subject, piece, details <= STORY_DETAILS_MAX);
        good = element &&
               (details > STORY_DETAILS_MAX || text_set(story, element, subject, piece)) &&
               json_array_append(array, element) == 0;
        json_decref(element);
    }
    good = good && json_object_set(object, "pieces", array) == 0;
    json_decref(array);
    return good;
}

/* ---- stories -----------------------------------------------------------------------------------
 */

static bool waits_set(const struct story *story, json_t *object, const struct story_total *total)
{
    json_t *array = json_array();
    bool good = true;

    for (uint32_t i = 0; i < total->wait_count && good; i++)
        good =
            json_array_append_new(
                array, json_pack("{ss sI sI sI}", "rule", story_rule(story, total->waits[i].rule),
                                 "wait_ps", (json_int_t)total->waits[i].ps, "count",
                                 (json_int_t)total->waits[i].count, "longest_ps",
                                 (json_int_t)total->waits[i].longest_ps)) == 0;
    good = good && json_object_set(object, "waits", array) == 0;
    json_decref(array);
    return good;
}

static json_t *story_object(const struct story *story, struct story_subject subject,
                            const struct story_life *life)
{
    const struct story_operation *operation = &story->operations[subject.operation];
    const struct story_total total = story_total(life);
    char what[STORY_NAME_BYTES];
    json_t *object = json_object();

    story_describe(story, subject.operation, what);
    if (set(object, "name", name_of(story, subject)) &&
        set(object, "kind", json_string(story_kind_name(operation->kind))) &&
        set(object, "task", json_string(story_task_name(story, operation->task))) &&
        set(object, "stream", stream_of(story, operation->stream)) &&
        set(object, "operation_id", number(operation->operation_id)) &&
        set(object, "iteration", number(operation->iteration)) &&
        set(object, "what", json_string(what)) && set(object, "begin_ps", number(life->begin_ps)) &&
        set(object, "end_ps", number(life->end_ps)) &&
        set(object, "complete", json_boolean(!life->unfinished)) &&
        set(object, "total_ps", number(total.total_ps)) &&
        set(object, "service_ps", number(total.service_ps)) &&
        set(object, "unattributed_ps", number(total.unattributed_ps)) &&
        waits_set(story, object, &total))
        return object;
    json_decref(object);
    return NULL;
}

/* Releases the value; false: it is NULL, or memory is short. */
static bool text_print(const struct story_print *print, json_t *value, size_t flags)
{
    char *text = !value ? NULL : json_text(value, flags | JSON_ENCODE_ANY);

    if (text)
        fputs(text, print->file);
    free(text);
    json_decref(value);
    return text != NULL;
}

/* What stands in front of the stories. */
static bool frame_print(const struct story_print *print)
{
    const char *gpu = event_log_run(print->story->log, "gpu");
    const char *path = event_log_name(print->story->log), *slash = strrchr(path, '/');
    json_t *name = json_text_string(slash && slash[1] ? slash + 1 : path);
    bool good;

    fputs("{\"format\": 1, \"log\": ", print->file);
    good = text_print(print, json_is_null(name) ? json_string("?") : name, 0);
    fputs(", \"gpu\": ", print->file);
    good = text_print(print, gpu ? json_string(gpu) : json_null(), 0) && good;
    fprintf(print->file, ", \"end_ps\": %" PRIu64 ", \"stories\": [", print->story->end_ps);
    return good;
}

bool story_json(const struct story_print *print, struct story_subject subject)
{
    struct story_life life = {0};
    json_t *object = NULL;
    bool good = story_life(print->story, subject, &life);

    if (good) {
        object = story_object(print->story, subject, &life);
        good = object && pieces_set(print->story, object, subject, &life) && frame_print(print) &&
               text_print(print, json_incref(object), JSON_INDENT(2));
        fputs("]}\n", print->file);
    }
    json_decref(object);
    story_life_fini(&life);
    return good || story_print_no_memory(print);
}

static json_t *reason_json(const struct story *story, const struct story_reason *reason)
{
    const bool waits = reason->what == STORY_WAIT;
    const bool has_engine = waits && reason->engine != STORY_NONE;
    json_t *engine = has_engine ? json_integer(reason->engine) : NULL;

    if (has_engine && !engine)
        return NULL;
    return json_text_pack(
        "{ss ss* ss* ss* so* ss* sI sI sI}", "kind",
        waits                                ? "wait"
        : reason->what == STORY_UNATTRIBUTED ? "unattributed"
                                             : "service",
        "unit", services[reason->what], "rule", waits ? story_rule(story, reason->rule) : NULL,
        "via", waits && reason->via != RULE_NONE ? story_rule(story, reason->via) : NULL, "se",
        engine, "by", reason->by == STORY_NONE ? NULL : story->names[reason->by].text, "total_ps",
        (json_int_t)reason->ps, "count", (json_int_t)reason->count, "longest_ps",
        (json_int_t)reason->longest_ps);
}

static json_t *reasons_object(const struct story *story, uint32_t name)
{
    json_t *array = json_array(), *object = NULL;
    struct story_reasons reasons;
    bool good = array && story_reasons_of(story, name, &reasons);

    for (uint32_t i = 0; good && i < reasons.count; i++)
        good = json_array_append_new(array, reason_json(story, &reasons.reasons[i])) == 0;
    if (good)
        object = json_pack("{ss sI sI sI sI sO}", "name", story->names[name].text, "count",
                           (json_int_t)reasons.operation_count, "total_ps",
                           (json_int_t)reasons.total_ps, "least_ps", (json_int_t)reasons.least_ps,
                           "most_ps", (json_int_t)reasons.most_ps, "reasons", array);
    json_decref(array);
    return object;
}

/* Prints, for AMD's GPUs, the reasons of all launches of each name. */
static bool sums_print(const struct story_print *print)
{
    const struct story *story = print->story;
    const char *before = ", \"sums\": [\n";
    bool good = true;

    for (uint32_t i = 0; i < story->operation_count && good; i++) {
        if (story->operations[i].number != 1 ||
            !(story->streams[story->operations[i].stream].is_hip ||
              story->streams[story->operations[i].stream].is_queue))
            continue;
        fputs(before, print->file);
        good = text_print(print, reasons_object(story, story->operations[i].name), JSON_COMPACT);
        before = ",\n";
    }
    if (*before == ',' && before[1] == '\n')
        fputs("\n]", print->file);
    return good;
}

/* One story a line: they need not all be in memory. */
bool story_json_list(const struct story_print *print)
{
    const struct story *story = print->story;
    struct story_life life = {0};
    bool good = frame_print(print);

    for (uint32_t i = 0; i < story->operation_count && good; i++) {
        const struct story_subject subject = {i, STORY_NONE};

        good = story_life(story, subject, &life);
        fputs(i ? ",\n" : "\n", print->file);
        good = good && text_print(print, story_object(story, subject, &life), JSON_COMPACT);
    }
    fputs("\n]", print->file);
    good = good && sums_print(print);
    fputs("}\n", print->file);
    story_life_fini(&life);
    return good || story_print_no_memory(print);
}
