/* SPDX-License-Identifier: MIT */
/*
 * What holds in every world.
 *
 * An invariant reads the log of a run, the world's own program, and what the vendor says of the
 * GPU.  It shares no code with what it looks at: each is a second opinion, with an account of its
 * own.
 */
#ifndef GFE_EMU_SELFTEST_INVARIANT_H
#define GFE_EMU_SELFTEST_INVARIANT_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/analysis/check/check.h"
#include "emu/log/event_list.h"
#include "emu/log/event_struct.h"
#include "emu/selftest/world_load.h"

enum { INVARIANT_SAYS_BYTES = 240 };

/* A run that is over. */
struct world_run {
    const struct world_loaded *loaded;
    enum world_kind kind;
    enum world_disturbance disturbance;
    struct any_simulation simulation;
    struct gfe_error stopped; /* why the run had to stop; ERROR_NONE: it did not */
    struct log_event *events; /* of the log, in order */
    uint32_t event_count, event_capacity;
    uint64_t open_count;  /* waits that had not ended when nothing was left to do */
    uint64_t snapshot_at; /* events before the snapshot, for `snapshot` */
    struct check_limits limits;
    int log_fd; /* the whole log, as gfe run -o writes it; -1: none yet */
};

/* Makes the run.  Returns false with a message if the machine cannot be wired.  Call
 * world_run_fini() in either case.  `loaded` must outlive the run. */
bool world_run_make(struct world_run *run, const struct world_loaded *loaded,
                    struct gfe_error *error);
void world_run_fini(struct world_run *run);
/* Opens the run's log, from its begin.  Returns NULL with a message on error. */
struct event_log_reader *world_run_log(const struct world_run *run, struct gfe_error *error);

struct invariant {
    const char *name;
    const char *text; /* one sentence */
    bool needs_end;   /* it is of runs only that came to their end */
    /* Returns true if it holds.  Else `says` tells what is wrong.  A lack of memory counts as wrong
     * and is told. */
    bool (*holds)(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
};

extern const struct invariant invariants[];
extern const uint32_t invariant_count;

/* The functions, one a row of invariants[]. */
bool invariant_ends(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_waits(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_put(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_work(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_slices(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_turns(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_room(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_check(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_explain(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_snapshot(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
bool invariant_batch(const struct world_run *run, char says[INVARIANT_SAYS_BYTES]);
/* Writes what is wrong, as printf() does, and returns false. */
bool invariant_wrong(char says[INVARIANT_SAYS_BYTES], const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
