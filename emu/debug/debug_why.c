/* SPDX-License-Identifier: MIT */
/*
 * What waits, and what is where.  A wait is logged when it ends, so the run goes on for a while
 * from where it is, on a machine that is put back afterwards: what it logs of waits that have begun
 * by now is what waits now.  Pokes that lie ahead are not made on that way.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "emu/analysis/check/check.h"
#include "emu/analysis/model/model.h"
#include "emu/analysis/open_waits.h"
#include "emu/sim/describe.h"
#include "emu/analysis/explain/explain_print.h"
#include "emu/analysis/story/explain_story_print.h"
#include "emu/analysis/inspect_queues.h"
#include "emu/analysis/explain/operation_name.h"
#include "emu/log/event_list.h"
#include "emu/sim/gpus.h"

enum { WAITS_MAX = 256 };

/* Runs on, at most so far, and logs what waits then.  Returns false with a message if memory is
 * short on the way. */
static bool look_ahead(struct debug *debug, struct gfe_error *error)
{
    uint32_t steps = 0;

    while (steps < debug->ahead_steps && machine_step(debug->machine))
        steps++;
    if (!debug_at_end(debug) && !machine_failed(debug->machine))
        machine_finish(debug->machine);
    return debug_machine_is_well(debug, error);
}

/* ---- waits ----------------------------------------------------------------------------------- */

static void print_wait(const struct debug *debug, FILE *file, const struct model_record *record,
                       gfe_ps now_ps)
{
    const struct log_event *event = record->event;
    const struct model_wait *wait = &record->wait;
    const struct event_log_rule *rule = event_log_rule(debug->words, event->rule);
    const gfe_ps waited = now_ps - wait->begin_ps;
    char name[OPEN_WAITS_NAME_BYTES];

    fprintf(file, "%s waits",
            open_waits_name(debug->words, wait->subject_kind, wait->subject_id, name));
    if (wait->blocker_kind != SUBJECT_NONE)
        fprintf(file, " for %s",
                open_waits_name(debug->words, wait->blocker_kind, wait->blocker_id, name));
    fprintf(file, " (%s)", event->rule != RULE_NONE && rule ? rule->label : "no rule");
    fprintf(file, ", for %" PRIu64 ".%06" PRIu64 " us so far", waited / GFE_PS_PER_US,
            waited % GFE_PS_PER_US);
    if (record->type == MODEL_WAIT_UNENDED)
        fputs(", to the end of what was looked at\n", file);
    else
        fprintf(file, ", until %" PRIu64 ".%06" PRIu64 " us\n", event->time_ps / GFE_PS_PER_US,
                event->time_ps % GFE_PS_PER_US);
    if (event->rule != RULE_NONE && rule)
        describe_wrapped(file, 4, rule->text);
}

/* Waits that had begun by `now_ps`. */
struct waits {
    const struct debug *debug;
    FILE *file;
    gfe_ps now_ps;
    uint32_t count;
};

/* The listener of the model.  What begins and ends at once has not begun yet. */
static bool take_wait(void *context, const struct model_record *record)
{
    struct waits *waits = context;
    const gfe_ps now_ps = waits->now_ps, begin_ps = record->wait.begin_ps;

    if ((record->type != MODEL_WAITED && record->type != MODEL_WAIT_UNENDED) || begin_ps > now_ps ||
        (record->type == MODEL_WAITED && begin_ps == now_ps && record->now_ps == now_ps))
        return true;
    if (waits->count < WAITS_MAX)
        print_wait(waits->debug, waits->file, record, now_ps);
    waits->count++;
    return true;
}

/* Prints waits among the events that the machine has logged since.  These waits end after the
 * position of the session, perhaps at the same time.  Returns false without memory. */
static bool print_waits(struct waits *waits, struct debug *debug, struct event_log_cursor *at,
                        struct gfe_error *error)
{
    struct model model;
    struct log_event event;
    bool good = true;

    if (!model_init(&model, debug->words, take_wait, waits, error))
        return false;
    model_skip_blocks(&model);
    while (good && debug_log_next(debug, at, &event))
        good = model_take(&model, &event);
    model_fini(&model);
    return good || error_set(error, ERROR_SYSTEM, "no memory for the waits");
}

bool debug_why_waits(struct debug *debug, FILE *file, struct gfe_error *error)
{
    struct waits waits = {.debug = debug, .file = file, .now_ps = debug_now_ps(debug)};
    struct machine_snapshot *snapshot = debug_hold(debug, error);
    struct event_log_cursor *at = malloc(sizeof *at);
    bool good;

    if (!snapshot || !at) {
        machine_snapshot_free(snapshot);
        free(at);
        return error_set(error, ERROR_SYSTEM, "no memory to look ahead");
    }
    *at = *debug->machine->log.cursor;
    good = look_ahead(debug, error) && print_waits(&waits, debug, at, error);
    if (waits.count > WAITS_MAX)
        fprintf(file, "and %" PRIu32 " more\n", waits.count - WAITS_MAX);
    if (good && waits.count == 0)
        fputs("nothing waits\n", file);
    free(at);
    return debug_put_back(debug, snapshot, error) && good;
}

/* ---- who ------------------------------------------------------------------------------------- */

static void print_streams(const struct debug *debug, FILE *file)
{
    struct debug_stream streams[DEBUG_PBDMAS_MAX];
    const uint32_t count = debug_streams(debug, streams);

    if (count == 0)
        return;
    fputs("PBDMAs\n", file);
    for (uint32_t i = 0, first; i < count; i++) {
        if (streams[i].is_loaded) {
            fprintf(file, "  PBDMA %" PRIu32 ": channel %" PRIu32 "%s\n", i, streams[i].channel_id,
                    streams[i].in_segment ? "" : ", in no segment");
            continue;
        }
        for (first = i; i + 1 < count && !streams[i + 1].is_loaded;)
            i++;
        fprintf(file, "  PBDMA %" PRIu32, first);
        if (i > first)
            fprintf(file, "-%" PRIu32, i);
        fputs(": no channel\n", file);
    }
    fputc('\n', file);
}

bool debug_who(struct debug *debug, FILE *file, struct gfe_error *error)
{
    const uint64_t events = debug_event_count(debug);
    struct machine_snapshot *snapshot = debug_hold(debug, error);
    struct event_log_reader *log = NULL;
    json_t *view = NULL;

    if (!snapshot)
        return false;
    print_streams(debug, file);
    if (look_ahead(debug, error))
        log = debug_log_open(debug, error);
    if (!debug_put_back(debug, snapshot, error) || !log) {
        event_log_close(log);
        return false;
    }
    if (events > 0)
        view = inspect_queues(log, GFE_PS_NEVER, events, error);
    event_log_close(log);
    if (view)
        inspect_queues_view.print(file, view);
    else if (events == 0)
        fputs("nothing has happened yet\n", file);
    json_decref(view);
    return view || events == 0;
}

/* ---- explain --------------------------------------------------------------------------------- */

static bool explain_lives(struct event_log_reader *log, const char *operation, FILE *file,
                          struct gfe_error *error)
{
    struct explain explain = {0};
    const struct explain_print print = {
        .file = file, .explain = &explain, .error = error, .only = EXPLAIN_KINDS};
    struct explain_ref ref;
    bool done;

    if (!explain_load(&explain, log, error))
        return false;
    if (operation[0] == '\0')
        done = explain_text_list(&print);
    else
        done =
            explain_find(&explain, operation, &ref)
                ? explain_text_one(&print, ref)
                : error_set(error, ERROR_INPUT, "there is no operation '%.60s' so far", operation);
    explain_fini(&explain);
    return done;
}

static bool explain_stories(struct debug *debug, struct event_log_reader *log,
                            const char *operation, FILE *file, struct gfe_error *error)
{
    struct check_limits limits = {0};
    const bool known =
        gpu_find_limits(debug->machine->config.gpu, debug->machine->config.described, &limits);
    struct story story = {0};
    const struct story_print print = {.file = file, .story = &story, .error = error};
    struct story_subject subject;
    bool done;

    if (!story_load(&story, log, known ? &limits : NULL, error))
        return false;
    if (operation[0] == '\0')
        done = story_text_list(&print);
    else
        done =
            story_find(&story, operation, &subject)
                ? story_text(&print, subject)
                : error_set(error, ERROR_INPUT, "there is no operation '%.60s' so far", operation);
    story_fini(&story);
    return done;
}

bool debug_explain(struct debug *debug, const char *operation, FILE *file, struct gfe_error *error)
{
    struct event_log_reader *log = debug_log_open(debug, error);
    bool done = false;

    if (log)
        done = story_is_told(log) && !operation_name_is_number(operation)
                   ? explain_stories(debug, log, operation, file, error)
                   : explain_lives(log, operation, file, error);
    event_log_close(log);
    return done;
}
