/* SPDX-License-Identifier: MIT */
/*
 * The completions that a record of layer RING depends on: those that its program must have seen
 * before.
 *
 * Programs of user-mode queues wait by polling signals, which no recording shows.  But a program
 * that sets a signal anew, takes a queue away or frees memory has seen the GPU's earlier writes
 * there.  The first pass over a trace counts the GPU's writes of completion values by place
 * (address space and address).  For such a record it notes how many there had been.  In closed loop
 * the record then waits until the emulated GPU has made as many (rule GFE.INFERRED).  A recording's
 * own order has no cycles, so such waits alone never stop a replay.
 *
 * The same holds for memory that an SDMA queue has copied to.  A program that writes there
 * afterwards (a kernel that was loaded that way, its arguments) has seen the copy's end, which is
 * the next completion of the queue.  It also holds for the signal that a packet waits for.  A
 * program that has released a barrier, and sets its signal anew, has seen that the barrier was
 * passed.  Otherwise a slightly faster program in the replay would reset the value before the queue
 * has read it.
 *
 * Small stores, such as those into signals, depend on the stores before them at the same place. The
 * recorder's thread that has seen a store is not the thread that made it.  So two stores at one
 * place may be records of two threads, whose order a replay would not keep otherwise.
 *
 * Programs also sleep in the kernel for events.  Such a wait lasts until the event has been set as
 * often as it had been in the recording when the wait was over.  The event's present state is not
 * enough: a faster emulated GPU may have set it twice before the program takes it once.
 *
 * The noted numbers are constants of the input; the counts of the emulated GPU's writes lie in the
 * arena.  Private to replay*.c.
 */
#ifndef GFE_EMU_REPLAY_REPLAY_NEEDS_H
#define GFE_EMU_REPLAY_REPLAY_NEEDS_H

#include <stdbool.h>
#include <stdint.h>

/* Places of completion values in a recording. */
enum { REPLAY_PLACES_MAX = 1 << 20, REPLAY_COPIES_MAX = 1024, REPLAY_STORE_BYTES_MAX = 8 };

struct replay_needs;

/* Makes an empty set of dependencies.  Returns NULL if memory is short. */
struct replay_needs *replay_needs_new(void);
void replay_needs_free(struct replay_needs *needs);

/* ---- the first pass ---------------------------------------------------------------------------
 * Each function returns false if memory is short or there are too many places. */

/* Notes that the GPU has written a completion value, for that queue. */
bool replay_needs_written(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                          uint32_t queue_id);
/* Notes that a packet of a queue writes a range, or waits for a value there, before the queue's
 * next requested completion.  The last REPLAY_COPIES_MAX packets are remembered.
 * replay_needs_asked() notes that a packet requests a completion. */
void replay_needs_copy(struct replay_needs *needs, uint32_t as_id, uint64_t address, uint64_t bytes,
                       uint32_t queue_id);
void replay_needs_asked(struct replay_needs *needs, uint32_t queue_id);
/* Note that a client's event has been set, and that the record with that number waits for it. */
bool replay_needs_fired(struct replay_needs *needs, uint32_t client_id, uint32_t event_id);
bool replay_needs_event(struct replay_needs *needs, uint32_t client_id, uint32_t event_id,
                        uint64_t number);
/* Notes that the record with that number overwrites or frees a range. */
bool replay_needs_range(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                        uint64_t bytes, uint64_t number);
/* Notes that a thread stores bytes there; `thread` is any number unique to the thread.  Stores of
 * more than REPLAY_STORE_BYTES_MAX do not count.  The order is kept as far as there is room: once
 * half of REPLAY_PLACES_MAX is used, new places are left out. */
bool replay_needs_stored(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                         uint64_t bytes, uint64_t thread, uint64_t number);
/* Notes that the record with that number takes a queue away. */
bool replay_needs_queue(struct replay_needs *needs, uint32_t queue_id, uint64_t number);

/* ---- replay -----------------------------------------------------------------------------------
 */

uint32_t replay_needs_place_count(const struct replay_needs *needs);
/* Returns the place's index; UINT32_MAX means that there is none. */
uint32_t replay_needs_place(const struct replay_needs *needs, uint32_t as_id, uint64_t address);
/* Returns the index of the place for small stores there, or UINT32_MAX. */
uint32_t replay_needs_store_place(const struct replay_needs *needs, uint32_t as_id,
                                  uint64_t address);
/* Returns the index of the place for an event, or UINT32_MAX. */
uint32_t replay_needs_event_place(const struct replay_needs *needs, uint32_t client_id,
                                  uint32_t event_id);
/* Returns true if all places that the record depends on have been written often enough.  written[]
 * has the counts by place. */
bool replay_needs_met(const struct replay_needs *needs, uint64_t number, const uint32_t *written);
/* Returns the address of a completion value that the record depends on and that has not been
 * written often enough; 0 if there is none, or it waits for an event or a store. */
uint64_t replay_needs_awaited(const struct replay_needs *needs, uint64_t number,
                              const uint32_t *written);

#endif
