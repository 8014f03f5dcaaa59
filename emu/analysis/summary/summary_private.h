/* SPDX-License-Identifier: MIT */
/* The parts of a summary.  Private to summary*.c. */
#ifndef GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_PRIVATE_H
#define GFE_EMU_ANALYSIS_SUMMARY_SUMMARY_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/log/event_line.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log.h"
#include "emu/log/gpu_words.h"
#include "emu/base/id_map.h"
#include "emu/analysis/open_waits.h"
#include "emu/analysis/summary/summary.h"
#include "emu/analysis/summary/summary_amd.h"
#include "emu/analysis/summary/summary_losses.h"
#include "emu/analysis/summary/summary_tasks.h"

enum {
    SUMMARY_METER_IDS = 4096, /* engine, PBDMA and SM numbers lie below; others are not metered */
    SUMMARY_LAUNCHES = 16,
    SUMMARY_RULES = 4096,
    SUMMARY_UNMODELLED = UNMODELLED_SDMA + 2, /* the last: kinds that are not known */
    SUMMARY_INTERRUPTS = 8,
    SUMMARY_LINES = 64,      /* lines of drivers that are kept; lines beyond are counted */
    SUMMARY_ERRORS_FROM = 2, /* index of the first interrupt that is an error */
};

enum summary_meter_kind { METER_PBDMA, METER_GR, METER_CE, METER_SM, METER_KINDS };

/* Measures how long at least one thing goes on. */
struct summary_meter {
    gfe_ps since_ps, busy_ps;
    uint32_t active;
    bool used;
};

struct summary_launch {
    uint64_t grid_id, channel_id, block_count, block_threads, shared_bytes, registers;
    gfe_ps queued_ps, start_ps, end_ps; /* GFE_PS_NEVER: it did not happen */
};

struct summary_rule {
    uint32_t rule, count;
    gfe_ps total_ps, longest_ps;
};

struct summary_wait {
    uint64_t recorded_count, inferred_count;
    uint64_t waited_count; /* of both kinds, those that were not over when they began */
    gfe_ps total_ps;
};

/* A line that a driver printed. */
struct summary_line {
    gfe_ps time_ps;
    char text[EVENT_LINE_BYTES];
};

struct summary {
    struct event_log_reader *log;
    struct model model;
    const struct summary_notes *notes;
    uint64_t event_count;
    gfe_ps first_ps, end_ps; /* first submission (or event), last event */
    uint64_t submission_count, push_bytes, channel_count;
    bool *channels;          /* SUMMARY_METER_IDS; true for channels with a submission */
    uint64_t *driver_fences; /* SUMMARY_METER_IDS; address of the driver's own fence, 0: none yet */
    uint64_t grid_count, grid_end_count, block_count, draw_count;
    uint64_t copy_count, copy_bytes, inline_count, inline_bytes;
    uint64_t releases[4]; /* by origin */
    uint64_t fence_count, fence_expected_count;
    struct open_waits *open; /* what had not ended when nothing was left to do */
    struct summary_wait cpu_waits;
    uint64_t unmodelled[SUMMARY_UNMODELLED];
    struct summary_losses losses; /* by what has a name */
    uint64_t interrupts[SUMMARY_INTERRUPTS];
    struct summary_line *lines; /* SUMMARY_LINES, the first ones */
    uint64_t line_count;
    struct summary_launch launches[SUMMARY_LAUNCHES]; /* the first ones */
    uint32_t launch_count;
    struct summary_rule *rules; /* by number; after summary_finish() by total time */
    uint32_t rule_count;        /* after summary_finish() */
    struct summary_meter *meters[METER_KINDS];
    uint32_t sm_end;            /* 1 + the highest SM with blocks */
    struct summary_tasks tasks; /* of a scenario */
    struct gpu_words words;
    struct summary_amd amd; /* of an AMD GPU */
    bool no_memory;
};

/* Returns the name of the kind of event that is counted in `interrupts` at that index. */
const char *summary_interrupt_name(uint32_t interrupt);

/* Returns the time from the first submission to the last event, in ps. */
static inline gfe_ps summary_simulated_ps(const struct summary *summary)
{
    return summary->end_ps - summary->first_ps;
}

/* summary_take.c: takes a record of the model. */
void summary_take(struct summary *summary, const struct model_record *record);
/* Notes that `count` things end.  If that is more than are active, the log began in the middle, and
 * all end. */
void summary_meter_end(struct summary_meter *meter, uint32_t count, gfe_ps now_ps);

/* Returns the share of a busy time in the whole time, in tenths of a percent, rounded. */
uint32_t summary_share(const struct summary *summary, gfe_ps busy_ps);
/* Writes the name of a unit to `to`, as in "PBDMA 0". */
void summary_meter_name(const struct summary *summary, enum summary_meter_kind kind, uint32_t id,
                        char *to, size_t bytes);

/* Prints the summary as text. */
void summary_text(FILE *file, const struct summary *summary);
/* Prints the summary as JSON.  Returns false when memory is short. */
bool summary_json(FILE *file, const struct summary *summary);

#endif
