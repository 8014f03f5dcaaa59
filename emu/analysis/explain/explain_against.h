/* SPDX-License-Identifier: MIT */
/*
 * The operations of a run, compared with those of another run of the same program.  To compare a
 * run with a fault and the run without shows the fault's wake, operation by operation.
 *
 * Two operations are the same when they have the same place in the program:
 *
 *   - a submission: the same number;
 *   - a GP entry: the same channel and number;
 *   - what an entry's methods start: the same turn among those of its kind in that entry.
 *
 * So a lost operation shifts only those of its kind that come after it in its own entry.
 */
#ifndef GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_AGAINST_H
#define GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_AGAINST_H

#include "emu/analysis/explain/explain.h"

struct explain_against {
    const struct explain *explain; /* borrowed */
    struct explain other;
    uint32_t *others;  /* by operation of `explain`: the other run's operation, or EXPLAIN_NONE */
    uint32_t *missing; /* operations of the other run, in its order, that this run does not have */
    uint32_t missing_count;
    struct explain_life life; /* work space */
};

/* Reads the other log, which must stay open as long as `against` is used.  Returns false with a
 * message if the log is bad, or of another GPU or program, or if memory is short.  The caller
 * releases `against` with explain_against_fini() in any case. */
bool explain_against_make(struct explain_against *against, const struct explain *explain,
                          struct event_log_reader *other, struct gfe_error *error);
void explain_against_fini(struct explain_against *against);

enum explain_against_what {
    AGAINST_SAME,    /* begins and ends when the other does */
    AGAINST_MOVED,   /* takes as long, at another time */
    AGAINST_LENGTH,  /* takes longer or shorter than the other */
    AGAINST_NO_END,  /* does not end, and the other does */
    AGAINST_HAS_END, /* ends, and the other does not */
    AGAINST_NEW,     /* the other run does not have the operation */
};

struct explain_against_row {
    enum explain_against_what what;
    gfe_ps by_ps; /* AGAINST_MOVED: how much later; AGAINST_LENGTH: how much longer */
    bool is_less; /* by_ps is how much earlier or shorter */
};

/* Compares an operation whose life is `life` with that of the other run.  Blocks are always
 * AGAINST_SAME.  Returns false when memory is short. */
bool explain_against_row(struct explain_against *against, struct explain_ref ref,
                         const struct explain_life *life, struct explain_against_row *row);

#endif
