/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/summary/summary.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/summary/summary_private.h"

/* The first SUMMARY_ERRORS_FROM are part of normal work. */
const char *summary_interrupt_name(uint32_t interrupt)
{
    static const enum model_type types[SUMMARY_INTERRUPTS] = {
        MODEL_PBDMA_STOPPED, MODEL_CHANNEL_INTERRUPTED, MODEL_PBDMA_STOPPED, MODEL_MMU_FAULT,
        MODEL_ENGINE_ERROR,  MODEL_CHANNEL_STOPPED,     MODEL_BIND_ERROR,    MODEL_RUNLIST_ERROR};

    return model_event_of(types[interrupt]);
}

uint32_t summary_share(const struct summary *summary, gfe_ps busy_ps)
{
    const gfe_ps whole_ps = summary_simulated_ps(summary);

    return whole_ps ? (uint32_t)(((unsigned __int128)busy_ps * 1000 + whole_ps / 2) / whole_ps) : 0;
}

void summary_meter_name(const struct summary *summary, enum summary_meter_kind kind, uint32_t id,
                        char *to, size_t bytes)
{
    static const char *const words[METER_KINDS] = {[METER_PBDMA] = "PBDMA", [METER_GR] = "GR"};
    char sm[GPU_WORDS_BYTES];

    const char *engine =
        kind == METER_GR || kind == METER_CE ? event_log_engine(summary->log, id) : NULL;

    if (engine)
        (void)snprintf(to, bytes, "%s", engine);
    else if (kind == METER_SM)
        (void)snprintf(to, bytes, "%s", gpu_words_sm(&summary->words, id, sm));
    else
        (void)snprintf(to, bytes, "%s %" PRIu32,
                       kind == METER_CE ? summary->words.copier : words[kind], id);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The listener of the model. */
static bool record_take(void *context, const struct model_record *record)
{
    struct summary *summary = context;

    summary->end_ps = record->now_ps;
    summary->event_count = record->event_number + 1;
    if (record->event_number == 0)
        summary->first_ps = record->now_ps;
    summary->tasks.has_names = summary->grid_count > SUMMARY_LAUNCHES;
    if (!summary_tasks_take(&summary->tasks, record))
        summary->no_memory = true;
    summary_take(summary, record);
    return !summary->no_memory;
}

static bool events_read(struct summary *summary, struct gfe_error *error)
{
    return model_read(&summary->model, summary->log, error) ||
           (summary->no_memory &&
            error_set_errno(error, ENOMEM, "%s", event_log_name(summary->log)));
}

static int rule_order(const void *left, const void *right)
{
    const struct summary_rule *a = left, *b = right;

    if (a->total_ps != b->total_ps)
        return a->total_ps > b->total_ps ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

/* What still goes on at the end has been busy up to there. */
static void summary_finish(struct summary *summary)
{
    uint32_t kept = 0;

    for (uint32_t kind = 0; kind < METER_KINDS; kind++)
        for (uint32_t id = 0; id < SUMMARY_METER_IDS; id++)
            summary_meter_end(&summary->meters[kind][id], UINT32_MAX, summary->end_ps);
    for (uint32_t rule = 0; rule < SUMMARY_RULES; rule++)
        if (summary->rules[rule].count > 0) {
            summary->rules[kept] = summary->rules[rule];
            summary->rules[kept++].rule = rule;
        }
    summary->rule_count = kept;
    if (kept > 0)
        qsort(summary->rules, kept, sizeof *summary->rules, rule_order);
}

static bool summary_init(struct summary *summary, struct event_log_reader *log)
{
    bool good = true;

    *summary = (struct summary){.log = log};
    summary->channels = calloc(SUMMARY_METER_IDS, sizeof *summary->channels);
    summary->driver_fences = calloc(SUMMARY_METER_IDS, sizeof *summary->driver_fences);
    summary->rules = calloc(SUMMARY_RULES, sizeof *summary->rules);
    for (uint32_t kind = 0; kind < METER_KINDS; kind++) {
        summary->meters[kind] = calloc(SUMMARY_METER_IDS, sizeof **summary->meters);
        good = good && summary->meters[kind];
    }
    summary->lines = calloc(SUMMARY_LINES, sizeof *summary->lines);
    summary->open = calloc(1, sizeof *summary->open);
    return good && summary->open && summary->lines && summary->channels && summary->driver_fences &&
           summary->rules;
}

static void summary_fini(struct summary *summary)
{
    for (uint32_t kind = 0; kind < METER_KINDS; kind++)
        free(summary->meters[kind]);
    free(summary->channels);
    free(summary->open);
    free(summary->lines);
    free(summary->driver_fences);
    free(summary->rules);
    summary_tasks_fini(&summary->tasks);
    model_fini(&summary->model);
}

/* What the log's head tells. */
static bool head_take(struct summary *summary, const struct event_log_reader *log,
                      struct gfe_error *error)
{
    gpu_words_init(&summary->words, log);
    return summary_tasks_init(&summary->tasks, log, error) &&
           model_init(&summary->model, log, record_take, summary, error);
}

static bool summary_put(FILE *file, struct summary *summary, const struct summary_notes *notes,
                        bool json, struct gfe_error *error)
{
    summary->notes = notes;
    summary_finish(summary);
    if (json && !summary_json(file, summary))
        return error_set_errno(error, ENOMEM, "%s", event_log_name(summary->log));
    if (!json)
        summary_text(file, summary);
    return true;
}

bool summary_print(FILE *file, struct event_log_reader *log, const struct summary_notes *notes,
                   bool json, struct gfe_error *error)
{
    struct summary summary;
    bool good = summary_init(&summary, log);

    if (!good)
        (void)error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    good = good && head_take(&summary, log, error) && events_read(&summary, error) &&
           summary_put(file, &summary, notes, json, error);
    summary_fini(&summary);
    return good;
}

/* ---- while the log is written ---------------------------------------------------------------- */

struct summary_live {
    struct event_log_reader *log;
    struct summary summary;
    struct gfe_error error; /* the first failure */
};

struct summary_live *summary_live_new(const char *name, struct gfe_error *error)
{
    struct summary_live *live = calloc(1, sizeof *live);

    if (live)
        live->log = event_log_reader_new(name, error);
    if (live && live->log && summary_init(&live->summary, live->log))
        return live;
    (void)error_set_errno(error, ENOMEM, "%s", name);
    summary_live_free(live);
    return NULL;
}

void summary_live_chunk(void *context, const struct chunk *chunk)
{
    struct summary_live *live = context;

    if (live->error.kind != ERROR_NONE || !event_log_feed(live->log, chunk, &live->error))
        return;
    if (chunk->kind == CHUNK_LOG_HEAD)
        (void)head_take(&live->summary, live->log, &live->error);
    else
        (void)events_read(&live->summary, &live->error);
}

struct event_log_reader *summary_live_log(const struct summary_live *live)
{
    return live->log;
}

bool summary_live_print(FILE *file, struct summary_live *live, const struct summary_notes *notes,
                        bool json, struct gfe_error *error)
{
    if (live->error.kind != ERROR_NONE)
        return error_set(error, live->error.kind, "%s", live->error.text);
    return summary_put(file, &live->summary, notes, json, error);
}

void summary_live_free(struct summary_live *live)
{
    if (!live)
        return;
    summary_fini(&live->summary);
    event_log_close(live->log);
    free(live);
}
