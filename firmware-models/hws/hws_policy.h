/* SPDX-License-Identifier: MIT */
/*
 * Which queues leave their hardware slots at the end of a quantum, and which come: the alternatives
 * of choice hws.swap (kfd_tables.h), as functions of what the firmware can see.
 *
 * The firmware's own rule is not published.  `list` is what a list that is chained to its beginning
 * suggests: all leave, the list goes on from where it stopped.  `oldest` gives up no more slots
 * than are wanted.  `idle` is gem5's hw_scheduler.cc: only queues without work leave.  `ready` is
 * the queue prioritisation of Puthoor et al. 2018: slots are for queues that have work.  `priority`
 * is `oldest` among queues of no higher priority than who waits.
 */
#ifndef GFE_FIRMWARE_MODELS_HWS_POLICY_H
#define GFE_FIRMWARE_MODELS_HWS_POLICY_H

#include <stdbool.h>
#include <stdint.h>

#define HWS_POLICY_NONE UINT32_MAX

/* A queue of the list, in the order of the list. */
struct hws_policy_queue {
    uint64_t since; /* when it got its slot, or began to wait */
    uint32_t mapped;
    uint32_t busy;     /* has work */
    uint32_t fixed;    /* may not leave, or not come: static, or given up */
    uint32_t priority; /* higher comes first */
};

struct hws_policy_view {
    const struct hws_policy_queue *queues;
    uint32_t queue_count;
    uint32_t next;          /* where the list goes on */
    uint32_t swap;          /* alternative of hws.swap */
    uint32_t process_waits; /* a process waits for another to leave: not for slots alone */
};

/* At the end of a quantum: writes the queues that have to leave to victims[], which has room for
 * `room` (as many as have slots), in the order in which they are told; returns how many. */
uint32_t hws_policy_victims(const struct hws_policy_view *view, uint32_t *victims, uint32_t room);

/* The queue that is to get the next free slot; HWS_POLICY_NONE: none of those that wait. */
uint32_t hws_policy_next(const struct hws_policy_view *view);

#endif
