/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/open_waits.h"

#include <inttypes.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text.h"
#include "emu/log/event_list.h"

enum { TIME_BYTES = 48 };

/* ---- the graph ------------------------------------------------------------------------------- */

/* Returns the channel (or AMD's queue) of the subject, or MODEL_NONE. */
static uint64_t channel_of(struct model *model, const struct model_wait *wait)
{
    static const enum model_operation operations[] = {
        [SUBJECT_GRID] = MODEL_GRID, [SUBJECT_WORK] = MODEL_WORK, [SUBJECT_COPY] = MODEL_COPY};
    const uint64_t kind = wait->subject_kind;
    const struct model_live *live = NULL;

    if (kind == SUBJECT_CHANNEL || kind == SUBJECT_QUEUE)
        return wait->subject_id;
    if (kind < sizeof operations / sizeof operations[0] && operations[kind] != MODEL_NO_OPERATION)
        live = model_live(model, operations[kind], wait->subject_id);
    return live ? live->channel_id : MODEL_NONE;
}

void open_waits_take(struct open_waits *open, struct model *model,
                     const struct model_record *record)
{
    open->count++;
    if (open->kept == OPEN_WAITS_KEPT)
        return;
    open->waits[open->kept++] = (struct open_wait){
        .rule = record->rule, .channel_id = channel_of(model, &record->wait), .wait = record->wait};
}

void open_waits_hold(struct open_waits *open, const struct model_record *record)
{
    const struct model_wait *wait = &record->wait;

    if (open->held < OPEN_WAITS_HELD)
        open->holds[open->held++] = (struct open_hold){wait->subject_kind, wait->subject_id,
                                                       wait->blocker_kind, wait->blocker_id};
}

void open_waits_cut(struct open_waits *open)
{
    open->cut = true;
}

struct open_reading {
    struct open_waits *open;
    struct model *model;
};

static bool record_take(void *context, const struct model_record *record)
{
    const struct open_reading *reading = context;

    if (record->type == MODEL_WAIT_UNENDED)
        open_waits_take(reading->open, reading->model, record);
    else if (record->type == MODEL_WAIT_HOLDS)
        open_waits_hold(reading->open, record);
    else if (record->type == MODEL_RUN_CUT)
        open_waits_cut(reading->open);
    return true;
}

bool open_waits_read(struct open_waits *open, struct event_log_reader *log, struct gfe_error *error)
{
    struct model model;
    struct open_reading reading = {open, &model};
    bool good;

    if (!model_init(&model, log, record_take, &reading, error))
        return false;
    model_skip_blocks(&model);
    good = model_read(&model, log, error);
    model_fini(&model);
    return good;
}

static bool is_operation(uint64_t kind)
{
    return kind == SUBJECT_GRID || kind == SUBJECT_COPY || kind == SUBJECT_WORK;
}

static bool holds(const struct open_waits *open, const struct model_wait *holder, uint64_t kind,
                  uint64_t id)
{
    for (uint32_t i = 0; i < open->held; i++) {
        const struct open_hold *hold = &open->holds[i];

        if (hold->held_kind == kind && hold->held_id == id &&
            hold->subject_kind == holder->subject_kind && hold->subject_id == holder->subject_id)
            return true;
    }
    return false;
}

/* The other has to go on before the first can. */
static bool is_behind(const struct open_waits *open, const struct open_wait *one,
                      const struct open_wait *other)
{
    const uint64_t kind = one->wait.blocker_kind, id = one->wait.blocker_id;

    if (one == other || kind == SUBJECT_NONE)
        return false;
    if (other->wait.subject_kind == kind && other->wait.subject_id == id)
        return true;
    if (holds(open, &other->wait, kind, id))
        return true;
    if (kind == SUBJECT_CHANNEL || kind == SUBJECT_RING)
        return other->channel_id == id &&
               (is_operation(other->wait.subject_kind) || kind == SUBJECT_RING);
    return kind == SUBJECT_ENGINE && is_operation(other->wait.subject_kind) &&
           other->channel_id == one->channel_id;
}

uint32_t open_waits_next(const struct open_waits *open, uint32_t of, uint32_t from)
{
    for (uint32_t i = from; i < open->kept; i++)
        if (is_behind(open, &open->waits[of], &open->waits[i]))
            return i;
    return UINT32_MAX;
}

/* The way from one wait to those that it waits for, in depth. */
struct way {
    const struct open_waits *open;
    uint32_t depth;
    uint32_t at[OPEN_WAITS_KEPT];   /* the wait at each depth */
    uint32_t next[OPEN_WAITS_KEPT]; /* the first one behind it that was not looked at */
    bool seen[OPEN_WAITS_KEPT];
};

static void way_begin(struct way *way, uint32_t wait)
{
    way->at[0] = wait;
    way->next[0] = 0;
    way->depth = 1;
    way->seen[wait] = true;
}

/* Goes on to the next wait, or one step back.  Returns the wait that it came to, which is on the
 * way already where a cycle closes; UINT32_MAX for a step back. */
static uint32_t way_step(struct way *way)
{
    const uint32_t last = way->depth - 1;
    const uint32_t next = open_waits_next(way->open, way->at[last], way->next[last]);

    if (next == UINT32_MAX) {
        way->depth--;
        return UINT32_MAX;
    }
    way->next[last] = next + 1;
    if (way->seen[next])
        return next;
    way->seen[next] = true;
    way->at[way->depth] = next;
    way->next[way->depth++] = 0;
    return next;
}

static uint32_t way_find(const struct way *way, uint32_t wait)
{
    uint32_t at = 0;

    while (at < way->depth && way->at[at] != wait)
        at++;
    return at;
}

uint32_t open_waits_cycle(const struct open_waits *open, uint32_t cycle[OPEN_WAITS_KEPT])
{
    struct way way = {.open = open};

    for (uint32_t root = 0; root < open->kept; root++) {
        if (way.seen[root])
            continue;
        way_begin(&way, root);
        while (way.depth > 0) {
            const uint32_t depth = way.depth, wait = way_step(&way);
            const uint32_t at =
                wait == UINT32_MAX || way.depth > depth ? way.depth : way_find(&way, wait);

            if (at >= way.depth)
                continue;
            memcpy(cycle, &way.at[at], (way.depth - at) * sizeof *cycle);
            return way.depth - at;
        }
    }
    return 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

const char *open_waits_name(const struct event_log_reader *log, uint64_t kind, uint64_t id,
                            char name[OPEN_WAITS_NAME_BYTES])
{
    // clang-format off
    static const char *const names[SUBJECT_KINDS] = {
        [SUBJECT_NONE] = "nothing",      [SUBJECT_CHANNEL] = "channel",
        [SUBJECT_SUBMISSION] = "submission", [SUBJECT_GRID] = "grid",
        [SUBJECT_WORK] = "draw",         [SUBJECT_COPY] = "copy",
        [SUBJECT_ENGINE] = "engine",     [SUBJECT_RING] = "ring of channel",
        [SUBJECT_SEMAPHORE] = "semaphore at", [SUBJECT_THREAD] = "thread",
        [SUBJECT_BIND] = "job",          [SUBJECT_OPERATION] = "operation",
        [SUBJECT_QUEUE] = "queue",       [SUBJECT_INTERRUPT] = "interrupt",
    };
    // clang-format on
    const char *engine = kind == SUBJECT_ENGINE ? event_log_engine(log, id) : NULL;

    if (kind >= SUBJECT_KINDS || kind == SUBJECT_NONE)
        (void)snprintf(name, OPEN_WAITS_NAME_BYTES, "%s", names[SUBJECT_NONE]);
    else if (engine)
        (void)snprintf(name, OPEN_WAITS_NAME_BYTES, "%s", engine);
    else
        (void)snprintf(name, OPEN_WAITS_NAME_BYTES,
                       kind == SUBJECT_SEMAPHORE ? "%s 0x%" PRIx64 : "%s %" PRIu64, names[kind],
                       id);
    return name;
}

static const char *label_of(const struct event_log_reader *log, uint32_t rule)
{
    const struct event_log_rule *row = event_log_rule(log, rule);

    return rule != RULE_NONE && row && row->label ? row->label : "no rule";
}

/* Numbers of rules are the log's own. */
static bool is_lost(const struct event_log_reader *log, uint32_t rule)
{
    return strcmp(label_of(log, rule), "GFE.LOST") == 0;
}

static void wait_print(FILE *file, const struct open_wait *wait, const struct event_log_reader *log)
{
    char name[OPEN_WAITS_NAME_BYTES], time[TIME_BYTES];

    fputs(open_waits_name(log, wait->wait.subject_kind, wait->wait.subject_id, name), file);
    if (wait->wait.blocker_kind != SUBJECT_NONE)
        fprintf(file, " waits for %s",
                open_waits_name(log, wait->wait.blocker_kind, wait->wait.blocker_id, name));
    else
        fputs(is_lost(log, wait->rule) ? " is under way" : " waits", file);
    fprintf(file, ", since %s (%s)\n", text_time(time, sizeof time, wait->wait.begin_ps),
            label_of(log, wait->rule));
}

static void cycle_print(FILE *file, const struct open_waits *open,
                        const struct event_log_reader *log)
{
    uint32_t cycle[OPEN_WAITS_KEPT];
    const uint32_t count = open_waits_cycle(open, cycle);

    if (count == 0)
        return;
    fputs("  a deadlock: each waits for the next one, the last for the first\n", file);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i == 0 ? "  +-> " : "  |   ", file);
        wait_print(file, &open->waits[cycle[i]], log);
    }
    fputs("  '---'\n", file);
}

static void list_print(FILE *file, const struct open_waits *open,
                       const struct event_log_reader *log)
{
    struct way way = {.open = open};
    bool is_awaited[OPEN_WAITS_KEPT] = {false};
    uint32_t lines = 0;

    for (uint32_t i = 0; i < open->kept; i++)
        for (uint32_t next = open_waits_next(open, i, 0); next != UINT32_MAX;
             next = open_waits_next(open, i, next + 1))
            is_awaited[next] = true;
    /* The first round prints waits that no other wait depends on, each with those behind it.  What
     * is not printed then belongs to a cycle: the second round starts at any of its waits. */
    for (uint32_t k = 0; k < 2 * open->kept; k++) {
        const uint32_t root = k % open->kept;

        if (way.seen[root] || (k < open->kept && is_awaited[root]))
            continue;
        way_begin(&way, root);
        for (uint32_t depth = 0; way.depth > 0;) {
            if (way.depth > depth && lines++ < OPEN_WAITS_LINES) {
                fprintf(file, "%*s", (int)(4 + 2 * way.depth), "");
                wait_print(file, &open->waits[way.at[way.depth - 1]], log);
            }
            depth = way.depth;
            (void)way_step(&way);
        }
    }
    if (open->count > OPEN_WAITS_LINES)
        fprintf(file, "      and %" PRIu64 " more\n", open->count - OPEN_WAITS_LINES);
}

void open_waits_print(FILE *file, const struct open_waits *open, const struct event_log_reader *log)
{
    if (open->count == 0)
        return;
    if (open->cut)
        fprintf(file, "  the run was ended early, when %" PRIu64 " %s\n", open->count,
                open->count == 1 ? "thing waited" : "things waited");
    else
        fprintf(file, "  work is left: %" PRIu64 " %s for ever\n", open->count,
                open->count == 1 ? "thing waits" : "things wait");
    list_print(file, open, log);
    cycle_print(file, open, log);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *name_json(const struct event_log_reader *log, uint64_t kind, uint64_t id)
{
    char name[OPEN_WAITS_NAME_BYTES];

    return kind == SUBJECT_NONE ? json_null() : json_string(open_waits_name(log, kind, id, name));
}

static json_t *behind_json(const struct open_waits *open, uint32_t of)
{
    json_t *list = json_array();

    for (uint32_t next = open_waits_next(open, of, 0); next != UINT32_MAX;
         next = open_waits_next(open, of, next + 1))
        list = json_text_append(list, json_integer(next));
    return list;
}

static json_t *wait_json(const struct open_waits *open, uint32_t index,
                         const struct event_log_reader *log)
{
    const struct open_wait *wait = &open->waits[index];
    const struct event_log_rule *rule = event_log_rule(log, wait->rule);

    return json_text_pack("{s:o, s:s, s:s, s:I, s:o, s:o}", "waiter",
                          name_json(log, wait->wait.subject_kind, wait->wait.subject_id), "rule",
                          label_of(log, wait->rule), "text", rule && rule->text ? rule->text : "",
                          "since_ps", (json_int_t)wait->wait.begin_ps, "waits_for",
                          name_json(log, wait->wait.blocker_kind, wait->wait.blocker_id), "behind",
                          behind_json(open, index));
}

json_t *open_waits_json(const struct open_waits *open, const struct event_log_reader *log)
{
    uint32_t cycle[OPEN_WAITS_KEPT];
    const uint32_t count = open_waits_cycle(open, cycle);
    json_t *waits = json_array(), *deadlock = json_array();

    for (uint32_t i = 0; i < open->kept; i++)
        waits = json_text_append(waits, wait_json(open, i, log));
    for (uint32_t i = 0; i < count; i++)
        deadlock = json_text_append(deadlock, json_integer(cycle[i]));
    return json_text_pack("{s:b, s:o, s:o}", "ended_early", open->cut, "waits", waits, "deadlock",
                          deadlock);
}
