/* SPDX-License-Identifier: MIT */
/*
 * Inspection of a run by its log.  The unit finds the trace that the log is of, and makes the run
 * again up to a time.  If there is no trace, views are made from the log's events.
 */
#ifndef GFE_EMU_DEBUG_INSPECTION_H
#define GFE_EMU_DEBUG_INSPECTION_H

#include "emu/sim/any_simulation.h"
#include "emu/engine/inspect.h"

struct hip_simulation;
struct kfd_simulation;

/* A moment: after all events at or before a time, or after the N-th event of the log, from 1. */
struct inspection_when {
    gfe_ps at_ps;   /* GFE_PS_NEVER: the end, or `event` */
    uint64_t event; /* UINT64_MAX: the time counts */
};

struct inspection {
    char *log_path;
    json_t *head; /* of the log */
    struct gpu_file
        *gpu_file; /* owned; the GPU that the log's head describes, or NULL for a built-in one */
    const struct gpu *described;  /* its GPU; else NULL */
    struct replay_input *input;   /* a recording; else NULL */
    char *config;                 /* path of a configuration of hip_plugin_framework; else NULL */
    struct scenario *scenario;    /* of CUDA programs; else NULL */
    struct gfe_error trace_error; /* why none of the three was found */
};

struct inspection_run {
    struct inspection_when when;
    const char *snapshot; /* path; NULL: from the start */
    uint64_t max_events;  /* of the run; 0: any number */
    gfe_ps max_time_ps;   /* simulated; 0: any */
    uint64_t max_memory_bytes;
};

/* Opens a log, checks that it is of this version, and looks for its trace.  That is `trace` (which
 * must be the right one), or the path that gfe run used, or the same name beside the log.  A
 * scenario may be of several files, each of which is looked for so; `trace` stands for one file.
 * Returns NULL with a message on error. */
struct inspection *inspection_open(const char *log, const char *trace, uint64_t unpacked_bytes,
                                   struct gfe_error *error);
void inspection_close(struct inspection *inspection);
/* Returns true if the program that the log is of was found. */
static inline bool inspection_has_program(const struct inspection *inspection)
{
    return inspection->input || inspection->config || inspection->scenario;
}
/* Makes the run again up to `when` and compares it with the log; inspection_has_program() must
 * hold.  The inspection must outlive the simulation.  Returns false with a message if a
 * parameter is unknown, the snapshot is of another run, or the run differs or ends before the
 * event. */
bool inspection_rerun(const struct inspection *inspection, const struct inspection_run *run,
                      struct any_simulation *simulation, struct gfe_error *error);
/* Returns the view as far as the log's events show it.  Returns NULL with a message if they show
 * nothing of it. */
json_t *inspection_from_log(const struct inspection *inspection, const struct inspect_view *view,
                            uint32_t number, const struct inspection_when *when,
                            struct gfe_error *error);
/* Returns the view that prints the result of inspection_from_log(). */
const struct inspect_view *inspection_log_view(const struct inspect_view *view);

/* Returns a string of the head's "run" object; "" if there is none. */
const char *inspection_run_string(const struct inspection *inspection, const char *key);

/* Views of every vendor, by name. */
const struct inspect_view *inspection_view_find(const char *name, uint32_t *number);
void inspection_view_names(char *text, size_t bytes);
/* Writes the names of the views of some vendors (enum inspect_vendor, or'ed), without `queues`,
 * which is made from logs. */
void inspection_view_names_of(uint32_t vendors, char *text, size_t bytes);

#endif
