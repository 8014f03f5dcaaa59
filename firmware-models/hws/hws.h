/* SPDX-License-Identifier: MIT */
/*
 * The hardware scheduler (HWS): the firmware of AMD's compute micro engine that gives queues of
 * programs the hardware's queue slots.
 *
 * The kernel driver (KFD) says what may be used (SET_RESOURCES: VMIDs, and slots as bits pipe * 8 +
 * queue).  It then hands over a list (RUN_LIST), which has the page tables and a quantum of each
 * process, and the address of each queue's MQD.  The firmware gives a process a VMID and each of
 * its queues the next free slot, one pipe after the other (A.H1; the kernel's own test
 * QueuePriorityOnSamePipe counts on it), lowest free slot of the pipe first (ASSUMED).  When the
 * driver sees more queues than slots, or more processes than it allows at a time, it chains the
 * list to its own beginning.  Then queues have to leave for those that wait (A.H2), after the
 * quantum of the processes that are on (the longest, ASSUMED).  The rule for which queues leave,
 * and which come next, is not published: choice hws.swap.  The firmware does not go on with the
 * list before the last of them has left (ASSUMED).
 *
 * UNMAP_QUEUES takes queues off their slots and off the list.  The answer comes when the last queue
 * has left, or when UNMAP_LATENCY is over.  In the second case the firmware gives up the queues
 * that stayed, without a message, and notes their doorbells (A.H.REFUSED), which the driver finds
 * in the HIQ's MQD.
 *
 * A queue of an SDMA engine gets a place on its engine: the lowest that is free (ASSUMED), with its
 * process's VMID.  It takes no slot, so it leaves for no other queue.  It leaves with its process
 * when more processes are listed than may be on at a time.  UNMAP_QUEUES names one engine.
 *
 * While no queue of a chained list has work, nothing is rotated.  A write to a doorbell calls
 * hws_wake(), and a quantum begins then.  Without that an idle machine would never come to an end.
 *
 * Sources: Otterness and Anderson 2022, s.4.2; amdkfd kfd_packet_manager.c, kfd_pm4_headers_ai.h,
 * kfd_device_queue_manager.c.  Not modelled: GWS and GDS, the debugger's queues, leaving a quantum
 * early.
 */
#ifndef GFE_FIRMWARE_MODELS_HWS_HWS_H
#define GFE_FIRMWARE_MODELS_HWS_HWS_H

#include "emu/engine/machine.h"

#define HWS_NONE UINT32_MAX

enum {
    HWS_PIPES_MAX = 4,
    HWS_SLOTS_MAX = 8, /* of a pipe, or of an SDMA engine */
    HWS_SDMA_MAX = 8,  /* engines */
    /* Slots of pipes, then those of SDMA engines. */
    HWS_PLACES = (HWS_PIPES_MAX + HWS_SDMA_MAX) * HWS_SLOTS_MAX,
    HWS_COMPUTE = 0, /* engine of a queue; else 1 + number of an SDMA engine */
    HWS_VMIDS = 16,
    HWS_PROCESSES_MAX = 256,
    HWS_QUEUES_MAX = 4096, /* KFD's max_num_of_queues_per_device */
};

/* A queue, as MAP_QUEUES has it. */
struct hws_queue {
    uint32_t queue_id; /* the driver's number, for the log */
    uint32_t doorbell; /* DOORBELL_OFFSET: dwords from the aperture's start */
    uint32_t engine;   /* HWS_COMPUTE, or 1 + SDMA engine */
    uint64_t mqd_address, wptr_address;
    uint32_t priority;  /* of the MQD's QUEUE_PRIORITY; used by hws.swap=priority alone */
    uint32_t is_static; /* "normal latency static queue": UNMAP_ALL_NON_STATIC passes it over */
};

/* The place of a queue.  `pipe` is 0 for a queue of an SDMA engine. */
struct hws_place {
    uint32_t pipe, slot, vmid, pasid, engine;
};

/* The services of the micro engine for its firmware. */
struct hws_ops {
    /* Loads the queue's MQD into the registers of that slot. */
    void (*map)(void *unit, const struct hws_queue *queue, const struct hws_place *place);
    /* Preempts the queue in that slot or, with `reset`, throws its work away.  Calls hws_left()
     * when the queue has left, from within or later. */
    void (*preempt)(void *unit, const struct hws_place *place, bool reset);
    /* Returns true if the queue has packets that are not done.  place->slot is HWS_NONE while the
     * queue has no slot. */
    bool (*busy)(void *unit, const struct hws_queue *queue, const struct hws_place *place);
    /* Reports that the slot's queue has not left in time.  `index` counts such queues from 0 in one
     * UNMAP_QUEUES. */
    void (*refused)(void *unit, const struct hws_queue *queue, uint32_t index);
    /* Reports that all queues that UNMAP_QUEUES named have left their slots, or were given up. */
    void (*unmapped)(void *unit);
    /* Reports, for unit_ops.finish of `log_unit`, what the packets of a queue that has no slot
     * would complete (machine_log_holds()).  May be NULL. */
    void (*holds)(void *unit, const struct hws_queue *queue, uint32_t pasid, uint32_t log_unit);
};

/* QUEUE_SEL of UNMAP_QUEUES. */
enum hws_select { HWS_DOORBELLS, HWS_PASID, HWS_ALL, HWS_ALL_NON_STATIC };

GFE_STATE_BEGIN
struct hws_process {
    uint32_t pasid, quantum; /* quantum in units of hws.quantum_ps */
    uint32_t vmid;           /* HWS_NONE: none of its queues has a slot */
    uint32_t mapped;         /* of its queues */
};

struct hws_entry {
    uint64_t mqd_address, wptr_address;
    gfe_ps since_ps; /* when it got its slot, or began to wait for one */
    uint32_t queue_id, doorbell, priority, is_static;
    uint32_t process; /* in `processes` */
    uint32_t place;   /* pipe * HWS_SLOTS_MAX + slot, engines after pipes; HWS_NONE: waits */
    uint32_t leaving; /* it has been told to leave */
    uint32_t refused; /* it has not left in time: its slot is lost */
    uint32_t dropped; /* by UNMAP_QUEUES: no longer on a list */
    uint32_t engine;
};

struct hws_state {
    uint32_t vmid_mask, unmap_latency; /* of SET_RESOURCES */
    uint64_t slot_mask;                /* bit pipe * HWS_SLOTS_MAX + slot */
    uint32_t slots[HWS_PLACES];        /* in `queues`; HWS_NONE: free */
    uint32_t vmids[HWS_VMIDS];         /* in `processes`; HWS_NONE: free */
    uint32_t process_count, queue_count;
    uint32_t process_limit; /* at a time */
    uint32_t listed;        /* the list is complete, and in use */
    uint32_t chained;
    uint32_t next;      /* the queue with which the list goes on */
    uint32_t next_pipe; /* the pipe in which the search for the next slot begins */
    uint32_t listing;   /* process whose queues follow, while a list is read; HWS_NONE: none */
    /* Quanta in a row in which no queue with work had a slot; HWS_NONE: the last one has shown that
     * no further one changes anything. */
    uint32_t futile;
    uint32_t leaving;       /* queues that have been told to leave, and have not left yet */
    uint32_t unmapping;     /* an UNMAP_QUEUES waits for them */
    uint32_t quantum_armed; /* an event for the quantum's end is on its way */
    struct hws_process processes[HWS_PROCESSES_MAX];
    struct hws_entry queues[HWS_QUEUES_MAX];
};
GFE_STATE_END

struct hws {
    struct machine *machine;
    struct hws_state *state;
    const struct hws_ops *ops;
    void *engine;
    uint32_t unit, pipes;
    uint32_t sdma_engines, sdma_slots; /* engines, and places of each; set after hws_add() */
};

/* Adds the unit to a machine that has kfd_tables.  It has slots in `pipes` pipes, none of which may
 * be used yet.  `ops` and `engine` are borrowed. */
void hws_add(struct hws *hws, struct machine *machine, uint32_t pipes, const struct hws_ops *ops,
             void *engine);

/* Carries out SET_RESOURCES.  Slots outside the pipes, and VMIDs from 16 on, are ignored. */
void hws_set_resources(struct hws *hws, uint32_t vmid_mask, uint64_t slot_mask,
                       uint32_t unmap_latency);

/* Take a list packet by packet: MAP_PROCESS, then MAP_QUEUES for each of its queues.  The list
 * before must have been taken off (UNMAP_QUEUES, all that are not static); static queues stay.
 * Return false, and note nothing, if the tables are full or a queue comes before any process. */
void hws_list_begin(struct hws *hws);
bool hws_list_process(struct hws *hws, uint32_t pasid, uint32_t quantum);
bool hws_list_queue(struct hws *hws, const struct hws_queue *queue);
/* Ends the list, and begins to use it.  Up to process_limit processes are on at a time; 0 counts as
 * 1. */
void hws_list_end(struct hws *hws, uint32_t process_limit, bool chained);

/* Carries out UNMAP_QUEUES.  `ids` are doorbells or pasids, as `select` says.  HWS_ALL and
 * HWS_ALL_NON_STATIC drop the list.  Only one can be under way, because the HIQ's packets follow
 * each other.  Calls ops->unmapped(), from within or later. */
void hws_unmap(struct hws *hws, enum hws_select select, bool reset, const uint32_t *ids,
               uint32_t id_count);
/* Like hws_unmap(), for queues of one SDMA engine (1 + its number).  The list stays in use for all
 * other queues. */
void hws_unmap_sdma(struct hws *hws, uint32_t engine, enum hws_select select, bool reset,
                    const uint32_t *ids, uint32_t id_count);

/* Restarts the firmware: nothing is listed, and slots are empty or about to be. */
void hws_reset(struct hws *hws);

/* Note that the queue in that slot has left it. */
void hws_left(struct hws *hws, uint32_t pipe, uint32_t slot);
void hws_sdma_left(struct hws *hws, uint32_t engine, uint32_t slot);
/* Notes that a queue, in a slot or not, has got work. */
void hws_wake(struct hws *hws);

/* Returns the queue in a slot of an SDMA engine; NULL means that the slot is empty. */
const struct hws_entry *hws_sdma_queue(const struct hws *hws, uint32_t engine, uint32_t slot);

/* Returns true if the firmware has that queue on its list; `doorbell` counts dwords. */
bool hws_has(const struct hws *hws, uint32_t doorbell);

/* ---- hws.c, for hws_list.c -------------------------------------------------------------------
 */

/* Gives the free slots to the queues that wait.  Begins a quantum if queues still wait. */
void hws_fill(struct hws *hws);
/* hws_list.c: removes all queues and processes. */
void hws_clear(struct hws *hws);
/* Cancels the end of the quantum. */
void hws_disarm(struct hws *hws);

#endif
