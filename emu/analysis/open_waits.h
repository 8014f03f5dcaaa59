/* SPDX-License-Identifier: MIT */
/*
 * What still waits when nothing is left to do, and who waits for whom.
 *
 * A run's last events are WAIT_OPEN, one for each thing that waits, with the rule and what is in
 * its way, and WAIT_HOLDS, what a thing that waits would do if it went on.  Together they make a
 * graph: something waits for another if that is in its way, or holds what it waits for.  A cycle in
 * it is a deadlock.
 *
 * Beside these events only the channel of an operation is used: an engine, or a channel, in the way
 * means the operations of the channel that have not ended.
 */
#ifndef GFE_EMU_ANALYSIS_OPEN_WAITS_H
#define GFE_EMU_ANALYSIS_OPEN_WAITS_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/analysis/model/model.h"
#include "emu/log/event_log.h"

enum {
    OPEN_WAITS_KEPT = 256,  /* waits of which the graph is made; more are counted */
    OPEN_WAITS_HELD = 1024, /* things held that are kept */
    OPEN_WAITS_LINES = 16,  /* lines of a text that name waits */
    OPEN_WAITS_NAME_BYTES = 48,
};

struct open_wait {
    uint32_t rule;
    uint64_t
        channel_id; /* of the waiter, if it is a channel, a queue or an operation; MODEL_NONE */
    struct model_wait wait;
};

struct open_hold {
    uint64_t subject_kind, subject_id, held_kind, held_id;
};

struct open_waits {
    uint64_t count; /* of all, kept or not */
    bool cut;       /* the run was ended from outside: they might have gone on */
    uint32_t kept, held;
    struct open_wait waits[OPEN_WAITS_KEPT];
    struct open_hold holds[OPEN_WAITS_HELD];
};

/* Take a record of the model, MODEL_WAIT_UNENDED or MODEL_WAIT_HOLDS. */
void open_waits_take(struct open_waits *open, struct model *model,
                     const struct model_record *record);
void open_waits_hold(struct open_waits *open, const struct model_record *record);
/* Takes note of MODEL_RUN_CUT. */
void open_waits_cut(struct open_waits *open);
/* Takes all of a log's events that say what waits.  Returns false with a message on error. */
bool open_waits_read(struct open_waits *open, struct event_log_reader *log,
                     struct gfe_error *error);
/* Returns the index, from `from` on, of a wait that has to end before the wait of that index can;
 * or UINT32_MAX if there is no (further) one. */
uint32_t open_waits_next(const struct open_waits *open, uint32_t of, uint32_t from);
/* Finds a cycle.  Writes the indices of its waits in their order to `cycle` and returns their
 * number; 0 if there is none. */
uint32_t open_waits_cycle(const struct open_waits *open, uint32_t cycle[OPEN_WAITS_KEPT]);
/* Prints what waits for whom as an indented list, and a cycle as a picture.  Prints nothing if
 * nothing waits.  The log has the words. */
void open_waits_print(FILE *file, const struct open_waits *open,
                      const struct event_log_reader *log);
/* Returns the same as JSON, which the caller owns, or NULL when memory is short:
 *     ended_early  the run was ended from outside, so they might have gone on
 *     waits      list: waiter, rule, text, since_ps, waits_for (null: for nothing that is known),
 *                behind (indices in this list, of waits that have to end first)
 *     deadlock   list of indices; empty if no cycle was found
 */
json_t *open_waits_json(const struct open_waits *open, const struct event_log_reader *log);
/* Writes the name of something that waits, or of what is in its way, as "channel 3". */
const char *open_waits_name(const struct event_log_reader *log, uint64_t kind, uint64_t id,
                            char name[OPEN_WAITS_NAME_BYTES]);

#endif
