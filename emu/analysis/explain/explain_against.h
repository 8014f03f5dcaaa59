/* SPDX-License-Identifier: MIT */
/*
 * The operations of a run against those of another run of the same program: of a run with a fault
 * against the one without, which shows the fault's wake operation by operation.
 *
 * Operations are the same when they have the same place in the program: a submission its number, a
 * GP entry its channel and number, what an entry's methods start its turn among those of its kind
 * in that entry.  So a lost one shifts only those of its kind behind it in its own entry.
 */
#ifndef GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_AGAINST_H
#define GFE_EMU_ANALYSIS_EXPLAIN_EXPLAIN_AGAINST_H

#include "emu/analysis/explain/explain.h"

struct explain_against {
    const struct explain *explain; /* borrowed */
    struct explain other;
    uint32_t *others;  /* by operation of `explain`: the other's, or EXPLAIN_NONE */
    uint32_t *missing; /* of the other's operations, in its order: those that are not here */
    uint32_t missing_count;
    struct explain_life life; /* work space */
};

/* Reads the other log, which must stay open as long.  False with a message: it is bad, of another
 * GPU or program, or memory is short.  explain_against_fini() in any case. */
bool explain_against_make(struct explain_against *against, const struct explain *explain,
                          struct event_log_reader *other, struct gfe_error *error);
void explain_against_fini(struct explain_against *against);

enum explain_against_what {
    AGAINST_SAME,    /* begins and ends when the other does */
    AGAINST_MOVED,   /* takes as long, at another time */
    AGAINST_LENGTH,  /* takes another time */
    AGAINST_NO_END,  /* does not end, and the other does */
    AGAINST_HAS_END, /* the other way round */
    AGAINST_NEW,     /* the other run has none */
};

struct explain_against_row {
    enum explain_against_what what;
    gfe_ps by_ps; /* how much later or longer; AGAINST_MOVED, AGAINST_LENGTH */
    bool is_less; /* earlier, shorter */
};

/* Of an operation (blocks: AGAINST_SAME), whose life is that.  False: no memory. */
bool explain_against_row(struct explain_against *against, struct explain_ref ref,
                         const struct explain_life *life, struct explain_against_row *row);

#endif
