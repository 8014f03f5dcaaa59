/* SPDX-License-Identifier: MIT */
/*
 * The scheduling firmware's choice of queues at the end of a quantum: which leave their hardware
 * slots, and which come.  The alternatives of choice hws.swap (kfd_tables.h) are functions of what
 * the firmware can see.
 *
 * The firmware's own rule is not published.  `list` is what a list that is chained to its beginning
 * suggests: all leave, and the list goes on from where it stopped.  `oldest` gives up no more slots
 * than are wanted.  `idle` is gem5's hw_scheduler.cc: only queues without work leave.  `ready` is
 * the queue prioritisation of Puthoor et al. 2018: slots are for queues that have work.  `priority`
 * is `oldest` among queues whose priority is no higher than that of a waiting queue.
 */
#ifndef GFE_FIRMWARE_MODELS_HWS_HWS_POLICY_H
#define GFE_FIRMWARE_MODELS_HWS_HWS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_POLICY_NONE UINT32_MAX

/* A queue of the list, in the order of the list. */
struct hws_policy_queue {
    uint64_t since; /* when it got its slot, or began to wait */
    uint32_t mapped;
    uint32_t busy;     /* has work */
    uint32_t fixed;    /* static or given up: it may not leave, or may not come */
    uint32_t priority; /* higher comes first */
};

struct hws_policy_view {
    const struct hws_policy_queue *queues;
    uint32_t queue_count;
    uint32_t next;          /* the queue with which the list goes on */
    uint32_t swap;          /* alternative of hws.swap */
    uint32_t process_waits; /* a process waits for another to leave: not for slots alone */
};

/* Chooses the queues that have to leave at the end of a quantum.  Writes them to victims[] in the
 * order in which they are told, and returns how many.  victims[] has room for `room` queues, as
 * many as have slots. */
uint32_t hws_policy_victims(const struct hws_policy_view *view, uint32_t *victims, uint32_t room);

/* Returns true if it depends on the queues' work which of them have to leave.  If it does not, and
 * a quantum ends without a victim, so does each later one until the list or a slot changes. */
bool hws_policy_looks_at_work(const struct hws_policy_view *view);

/* Returns the waiting queue that is to get the next free slot; HWS_POLICY_NONE means none. */
uint32_t hws_policy_next(const struct hws_policy_view *view);

#endif
