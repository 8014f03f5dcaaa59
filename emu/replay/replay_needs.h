/* SPDX-License-Identifier: MIT */
/*
 * What a record of layer RING stands behind: completions that its program must have seen.
 *
 * Programs of user-mode queues wait by looking at signals, which no recording shows.  But who sets
 * a signal anew, takes a queue away or gives memory back has seen what the GPU wrote there before.
 * The first pass over a trace counts the GPU's writes of completion values by place (address space
 * and address); for such a record it notes how many there had been.  In closed loop the record then
 * waits until the emulated GPU has made as many (rule GFE.INFERRED).  A recording's own order is
 * without cycles, so such waits alone never stop a replay.
 *
 * Likewise memory that an SDMA queue has copied to: who writes there afterwards (a kernel that was
 * loaded so, its arguments) has seen the copy's end, which is the next completion of its queue. And
 * what a packet waits for: a program that has let a barrier go, and sets its signal anew, has seen
 * that it went; else a replay in which the program is a little quicker would take the value away
 * again before the queue has looked.
 *
 * And small stores, as those into signals, by the stores before them at the same place: the thread
 * of a recorder that has seen a store is not the one that made it, so that two stores at one place
 * may be records of two threads, which a replay does not keep in step otherwise.
 *
 * And events for which programs sleep in the kernel: such a wait lasts until the event has been set
 * as often as it had been in the recording when the wait was over.  Whether it is set at the moment
 * says less: an emulated GPU that is quicker has set it twice before the program takes it once.
 *
 * The noted numbers are constants of the input; how often the emulated GPU has written lies in the
 * arena.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_NEEDS_H
#define GFE_EMU_REPLAY_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* Places of completion values in a recording. */
enum { REPLAY_PLACES_MAX = 1 << 20, REPLAY_COPIES_MAX = 1024, REPLAY_STORE_BYTES_MAX = 8 };

struct replay_needs;

/* NULL: no memory. */
struct replay_needs *replay_needs_new(void);
void replay_needs_free(struct replay_needs *needs);

/* ---- the first pass; false: no memory, or too many places -------------------------------------
 */

/* The GPU has written a completion value, for that queue. */
bool replay_needs_written(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                          uint32_t queue_id);
/* A packet of a queue will write a range, or waits for a value there, before the queue's next
 * completion that is asked for (of REPLAY_COPIES_MAX the last are remembered); or one asks for a
 * completion. */
void replay_needs_copy(struct replay_needs *needs, uint32_t as_id, uint64_t address, uint64_t bytes,
                       uint32_t queue_id);
void replay_needs_asked(struct replay_needs *needs, uint32_t queue_id);
/* A client's event has been set; it is waited for by a record with that number. */
bool replay_needs_fired(struct replay_needs *needs, uint32_t client_id, uint32_t event_id);
bool replay_needs_event(struct replay_needs *needs, uint32_t client_id, uint32_t event_id,
                        uint64_t number);
/* A record with that number overwrites or gives back a range. */
bool replay_needs_range(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                        uint64_t bytes, uint64_t number);
/* A thread (any number that is its own) stores so many bytes there; more than
 * REPLAY_STORE_BYTES_MAX do not count.  For its order this is as good as can be: beyond half of
 * REPLAY_PLACES_MAX new places are left out. */
bool replay_needs_stored(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                         uint64_t bytes, uint64_t thread, uint64_t number);
/* Or takes away a queue. */
bool replay_needs_queue(struct replay_needs *needs, uint32_t queue_id, uint64_t number);

/* ---- replay -----------------------------------------------------------------------------------
 */

uint32_t replay_needs_place_count(const struct replay_needs *needs);
/* The place's index, UINT32_MAX: there is none. */
uint32_t replay_needs_place(const struct replay_needs *needs, uint32_t as_id, uint64_t address);
/* That of small stores there. */
uint32_t replay_needs_store_place(const struct replay_needs *needs, uint32_t as_id,
                                  uint64_t address);
/* That of an event. */
uint32_t replay_needs_event_place(const struct replay_needs *needs, uint32_t client_id,
                                  uint32_t event_id);
/* Has every place of what the record stands behind been written often enough?  written[]: by
 * place. */
bool replay_needs_met(const struct replay_needs *needs, uint64_t number, const uint32_t *written);

#endif
