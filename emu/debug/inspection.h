/* SPDX-License-Identifier: MIT */
/*
 * Inspection of a run by its log: finds the trace that the log is of, and makes the run again up to
 * a time.  Where there is no trace, views are made of what happened, as the log tells it.
 */
#ifndef GFE_DEVICES_INSPECTION_H
#define GFE_DEVICES_INSPECTION_H

#include "emu/sim/any_simulation.h"
#include "emu/engine/inspect.h"

struct hip_simulation;
struct kfd_simulation;

/* Behind all events at or before a time, or behind the N-th event of the log, from 1. */
struct inspection_when {
    gfe_ps at_ps;   /* GFE_PS_NEVER: the end, or: */
    uint64_t event; /* UINT64_MAX: the time counts */
};

struct inspection {
    char *log_path;
    json_t *head;               /* of the log */
    struct replay_input *input; /* NULL: the trace was not found, or: */
    char *config; /* of a configuration of hip_plugin_framework, its path; else NULL */
    struct gfe_error trace_error; /* why */
};

struct inspection_run {
    struct inspection_when when;
    const char *snapshot; /* path; NULL: from the start */
    uint64_t max_memory_bytes;
};

/* Opens a log, checks that it is of this version, and looks for its trace: `trace` (which must be
 * the one), or where gfe run found it, or under that name beside the log.  NULL with a message. */
struct inspection *inspection_open(const char *log, const char *trace, uint64_t unpacked_bytes,
                                   struct gfe_error *error);
void inspection_close(struct inspection *inspection);
/* Makes the run again up to `when` and compares it with the log; inspection->input or ->config is
 * not NULL.  The inspection must outlive it.  False with a message: a parameter is unknown, the
 * snapshot is of another run, the run differs, or ends before the event. */
bool inspection_rerun(const struct inspection *inspection, const struct inspection_run *run,
                      struct any_simulation *simulation, struct gfe_error *error);
/* The view as far as the log's events tell it; NULL with a message when they tell nothing of it. */
json_t *inspection_from_log(const struct inspection *inspection, const struct inspect_view *view,
                            uint32_t number, const struct inspection_when *when,
                            struct gfe_error *error);
/* How that is printed. */
const struct inspect_view *inspection_log_view(const struct inspect_view *view);

/* A string of the head's "run" object; "" when there is none. */
const char *inspection_run_string(const struct inspection *inspection, const char *key);

/* Views of every vendor, by name; whose GPUs they are of. */
enum inspection_vendor { INSPECTION_NVIDIA = 1, INSPECTION_AMD = 2 };
uint32_t inspection_view_vendors(const struct inspect_view *view);
const struct inspect_view *inspection_view_find(const char *name, uint32_t *number);
void inspection_view_names(char *text, size_t bytes);
/* Of one vendor's GPUs, without `queues`, which is made of logs. */
void inspection_view_names_of(enum inspection_vendor vendor, char *text, size_t bytes);

#endif
