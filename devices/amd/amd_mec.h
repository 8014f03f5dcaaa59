/* SPDX-License-Identifier: MIT */
/*
 * The micro engines of compute (MEC) of a gfx9 chip: what they do with a queue in a hardware queue
 * slot (HQD).
 *
 * A MEC has pipes (the paper's ACEs), each with some slots.  The driver loads a slot by writing its
 * registers and then ACTIVE; the scheduling firmware loads it from a memory queue descriptor
 * (amd_mec_map()).  A doorbell, whose offset stands in the slot, announces how far the queue has
 * been written.  A pipe takes up the packets of its slots one after another, in turn (AMD.PIPE),
 * and those of each queue in order.  Packets are AQL packets (amd_mec_aql.c), or PM4
 * (amd_mec_pm4.c) in a ring, or in an indirect buffer to which either points.  Dispatches go to the
 * pipe's ACE (amd_dispatch.h).  The effects that a packet requests for their end - signals, values
 * in memory, interrupts - follow in the queue's order of completion.
 *
 * A queue stops, with an error in CP_HQD_ERROR and an interrupt, at an invalid packet (bad opcode,
 * AQL type, dispatch that can never run) or at an unmapped address.  Other queues continue.
 * Incomplete work has a place in tables of a fixed size, of which each queue has AMD_PENDING_OWN
 * for itself.  Beyond these the queue may have to wait (AMD.ROOM).
 *
 * DEQUEUE_REQUEST: the queue takes up nothing more, and leaves its slot.  With DRAIN_PIPE it leaves
 * when its dispatches are complete.  With RESET_WAVES it leaves at once: its dispatches are thrown
 * away, and their packets are never complete.  With SAVE_WAVES it leaves when its waves have been
 * saved into its context save area (amd_cwsr.h).  If the firmware requests that, waves have a grace
 * period to end (SCH_WAVE of CP_IQ_WAIT_TIME2), in which nothing new is dispatched.  Then they
 * stop.  The save takes time by its bytes; CP_HQD_CNTL_STACK_OFFSET and CP_HQD_WG_STATE_OFFSET then
 * hold the size saved; and the queue leaves.  When the queue is loaded again, into whatever slot,
 * it continues where it was: in the middle of its dispatches, and of an indirect buffer.  Without a
 * save area, or room in it, the queue drains.
 *
 * Sources: amdgpu gfx_v9_0.c, amdgpu_amdkfd_gfx_v9.c (loading and leaving a slot); ROCR-Runtime
 * amd_aql_queue.cpp, amd_hsa_queue.h, amd_hsa_signal.h (what the packets' processor does to the
 * queue and signals in memory); HSA Platform System Architecture 1.2, s.2.9.  ASSUMED: all times,
 * of a save those of amd_mec_tables.h; queues do not slow each other down while they are saved; a
 * header becomes INVALID, and the read pointer moves, when the packet is taken up and not when it
 * is complete; pipes do not disturb each other.  Not modelled: the graphics engine, interrupt
 * queues (IQ), GWS and GDS, queue and pipe priorities, CP's own caches.
 */
#ifndef GFE_DEVICES_AMD_AMD_MEC_H
#define GFE_DEVICES_AMD_AMD_MEC_H

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_dispatch.h"
#include "devices/amd/amd_gc.h"
#include "devices/amd/amd_ih.h"
#include "devices/amd/amd_vm.h"
#include "emu/engine/machine.h"

enum {
    AMD_PENDING_MAX = 4096, /* packets of all queues whose effects are not complete */
    /* packets, and places of the dispatcher, that each queue has for itself */
    AMD_PENDING_OWN = 8,
    AMD_PM4_BODY_MAX = 64, /* dwords of a packet that are decoded; longer packets are data */
    AMD_IB_DEPTH = 2,      /* an indirect buffer, and one that it calls */
    AMD_SIGNALS_MAX = 5,   /* signals that a barrier packet waits for */
    AMD_PARKED_MAX = 1024, /* queues without a slot that have incomplete work */
    CNTL_STACK_BYTES_MASK = 0x7000, /* of CP_HQD_CNTL_STACK_SIZE, CP_HQD_CTX_SAVE_SIZE */
    CTX_SAVE_BYTES_MASK = 0x1fff000,
};

/* source_id of the interrupt of a completion, which carries the number that the program gave. */
enum { AMD_IH_EOP = 181 };

/* Phase of a slot's queue. */
enum amd_queue_phase {
    AMD_QUEUE_EMPTY,     /* the slot is not active */
    AMD_QUEUE_MOVING,    /* the firmware loads or saves the queue */
    AMD_QUEUE_IDLE,      /* nothing to take up before its write pointer */
    AMD_QUEUE_READY,     /* the queue waits for its pipe */
    AMD_QUEUE_TAKEN,     /* its pipe works on its packet */
    AMD_QUEUE_BLOCKED,   /* by block_rule */
    AMD_QUEUE_STOPPED,   /* by an error */
    AMD_QUEUE_RESTORING, /* its waves are being restored */
};

/* Progress of SAVE_WAVES. */
enum amd_save {
    AMD_SAVE_NONE,
    AMD_SAVE_GRACE,  /* nothing more is dispatched */
    AMD_SAVE_DUE,    /* its pipe works on a packet; its waves stop after that */
    AMD_SAVE_MOVING, /* its waves have been stopped */
    AMD_SAVE_DONE,
};

enum amd_parked_phase { AMD_PARKED_FREE, AMD_PARKED_SAVING, AMD_PARKED_AWAY, AMD_PARKED_RESTORING };

/* Requests in DEQUEUE_REQ of CP_HQD_DEQUEUE_REQUEST. */
enum amd_dequeue { AMD_DEQUEUE_NONE, AMD_DEQUEUE_DRAIN, AMD_DEQUEUE_RESET, AMD_DEQUEUE_SAVE };

GFE_STATE_BEGIN
/* A source of PM4 dwords. */
struct amd_ib {
    uint64_t address;
    uint32_t dword_count, at;
};

struct amd_mec_queue {
    uint64_t read, write;   /* AQL packets, or PM4 dwords, taken up and written since the start */
    uint64_t packet;        /* number of the AQL packet, or first dword of the PM4 packet */
    gfe_ps blocked_ps;      /* time since when it is blocked */
    uint64_t block_address; /* address that is waited for, if it is memory */
    uint32_t phase;         /* enum amd_queue_phase */
    uint32_t block_rule;
    uint32_t dequeue;                     /* enum amd_dequeue: request to leave */
    uint32_t pending_first, pending_last; /* 1 + record; 0 if all is complete */
    uint32_t pending_count;
    uint32_t dispatches; /* number of incomplete dispatches */
    uint32_t generation; /* counts its times in the slot: older watches and events are ignored */
    /* 1 while a packet of it is worked on, also if it has been stopped since */
    uint32_t in_pipe;
    uint32_t ib_depth; /* 0 means the ring; otherwise ibs[ib_depth - 1] */
    struct amd_ib ibs[AMD_IB_DEPTH];
    uint64_t ib_signal;   /* signal of the AQL packet that has called the indirect buffer */
    gfe_ps asked_ps;      /* time of the request to leave with SAVE_WAVES */
    uint32_t by_firmware; /* 1 if it has a descriptor, into which it is saved */
    uint32_t save;        /* enum amd_save */
    uint32_t context;     /* 1 + parked record, while it is saved or restored */
    uint32_t releasing;   /* dispatches that have ended but whose packets are not complete yet */
    uint32_t visit;       /* like generation, but an error does not end it */
    uint32_t passed;      /* 1 if the current packet has passed the sites of injected faults */
    /* the AQL packet that is worked on; for a PM4 packet, the bits that injected faults have
     * inverted */
    uint32_t latched[AMD_AQL_DWORDS];
    /* pads the record to a power of two: queues are looked up all the time */
    uint32_t reserved[10];
};

/* An incomplete effect that a packet requested. */
struct amd_pending {
    uint64_t grid_id; /* of a dispatch; 0 means a release, due when all earlier ones are complete */
    uint64_t packet;
    uint64_t signal; /* AQL: completion signal, 0 if none. PM4: address, or 0 */
    uint64_t data;   /* PM4: value to write there */
    gfe_ps begin_ps;
    uint32_t slot_id;
    uint32_t next;      /* 1 + record */
    uint32_t code;      /* code of the packet */
    uint8_t releasing;  /* 1 if its dispatch has ended */
    uint8_t is_release; /* 1 for RELEASE_MEM, with the next members */
    uint8_t data_sel, int_sel;
    uint32_t context_id;
    uint32_t reserved; /* pads the record to a power of two */
};

/* A queue without a slot, in the middle of its work.  The context of its dispatches (amd_cwsr.h) is
 * 1 + its place in the table. */
struct amd_parked {
    uint64_t mqd_address, ring_address;
    uint64_t bytes; /* size of its saved waves */
    uint64_t ib_signal;
    uint32_t phase; /* enum amd_parked_phase */
    uint32_t space_id, doorbell;
    uint32_t stack_offset, state_offset; /* registers as the queue left them */
    uint32_t blocks, waves;              /* number saved */
    uint32_t pending_first, pending_last, pending_count, dispatches, ib_depth;
    struct amd_ib ibs[AMD_IB_DEPTH];
};

struct amd_mec_pipe {
    uint32_t turn; /* queue of which a packet was taken up last */
    uint32_t busy; /* 1 while a packet is worked on */
    /* a bit for each queue that may be AMD_QUEUE_READY; the others are not */
    uint32_t may_be_ready;
    uint32_t reserved;
};

struct amd_mec_state {
    uint32_t free_pending, used_pending; /* 1 + record; number of records ever used */
    /* Places that queues use beyond their own. */
    uint32_t shared_pending, shared_dispatches;
    uint64_t launch_count; /* dispatches since the start */
    /* a bit for each slot whose queue waits, or waited, for a place (AMD.ROOM) */
    uint64_t room_waits;
    uint32_t reserved_line[8];                           /* the records below begin at a line */
    struct amd_mec_pipe pipes[AMD_MECS * AMD_PIPES_MAX]; /* AMD_PIPES_MAX for each MEC */
    struct amd_mec_queue queues[AMD_SLOTS];
    struct amd_pending pending[AMD_PENDING_MAX];
    uint32_t used_parked, reserved; /* number of records ever used */
    struct amd_parked parked[AMD_PARKED_MAX];
};
GFE_STATE_END

_Static_assert(offsetof(struct amd_mec_state, queues) % ARENA_ALIGN_BYTES == 0 &&
                   offsetof(struct amd_mec_state, pending) % ARENA_ALIGN_BYTES == 0,
               "records lie in as few lines of a cache as they can");

/* The kernel of a packet, for the client that knows its cost. */
struct amd_mec_kernel {
    uint64_t address;   /* of the descriptor, or with PM4 of the code */
    uint64_t arguments; /* AQL: address of the arguments; PM4: 0 */
    uint32_t space_id;
    uint64_t block_count;
    uint32_t block_threads;
    uint64_t grid_number; /* number of the dispatch: seed of the jitter */
};

/* Callbacks.  Those in the middle of a packet - cost, interrupt - must not write registers at once.
 */
struct amd_mec_client {
    /* Sets the work of the kernel's blocks.  If it is NULL, or leaves *cost unchanged, amd.block_ps
     * is used. */
    void (*cost)(void *client, const struct amd_mec_kernel *kernel, struct amd_cost *cost);
    /* Reports an interrupt that has gone to the IH ring, for listeners other than the kernel
     * driver.  May be NULL. */
    void (*interrupt)(void *client, uint32_t source_id, uint32_t ring_id, uint32_t vmid,
                      uint32_t context_id);
    /* Reports that a queue has left its slot.  May be NULL. */
    void (*left)(void *client, uint32_t slot_id);
    /* Reports that a queue has got work, or that the doorbell of a queue without a slot was rung.
     * May be NULL. */
    void (*rung)(void *client, uint32_t doorbell_index);
    /* Returns true if packets of the scheduler (SET_RESOURCES to RUN_LIST) in a queue of the kernel
     * driver must wait until amd_mec_go_on().  NULL means that they never wait. */
    bool (*scheduler_waits)(void *client);
    /* Executes a packet of the scheduler.  NULL means that it is a bad opcode.  Returns false if
     * the firmware has stopped; the queue then stops, too. */
    bool (*schedule)(void *client, uint32_t slot_id, const uint32_t *dwords, uint32_t dword_count);
    void *client;
};

/* Pages found last for a slot's packets.  Not state. */
struct amd_mec_near {
    const struct machine_page *ring, *program, *kernel, *depends, *signal;
};

struct amd_mec {
    struct machine *machine;
    const struct amd_chip *chip;
    struct amd_vm *vm;
    struct amd_gc *gc;
    struct amd_dispatch *dispatch;
    struct amd_ih *ih; /* destination of interrupts and page faults; NULL if there is none */
    struct amd_mec_state *state;
    struct amd_mec_client client;
    uint32_t unit;
    uint8_t losses[256]; /* by opcode of PM4: amd_losses_fill() */
    struct amd_mec_near near[AMD_SLOTS];
};

/* Adds the engines as a unit, with amd_mec_tables. vm, gc and dispatch must be wired. */
void amd_mec_wire(struct amd_mec *mec, struct machine *machine, const struct amd_chip *chip,
                  struct amd_vm *vm, struct amd_gc *gc, struct amd_dispatch *dispatch);

/* Returns the slot whose queue has that doorbell, or `AMD_NO_SLOT` if there is none. */
uint32_t amd_mec_slot_of(const struct amd_mec *mec, uint32_t doorbell_index);
/* Counts down the signal of a packet whose queue is still in its slot, after an injected fault has
 * delayed it. */
void amd_mec_signal_late(struct amd_mec *mec, uint32_t slot_id, uint64_t packet, uint64_t signal,
                         gfe_ps begin_ps);
/* Stores 64 bits to a doorbell, by its number (offset / 8). */
void amd_mec_doorbell(struct amd_mec *mec, uint32_t doorbell_index, uint64_t value);

/* Let the firmware load a slot from a memory queue descriptor in the space of VMID 0, or save it
 * there and empty it. client.left() reports that the slot is empty. amd_mec_map() returns false if
 * the slot has a queue, or if the descriptor cannot be read. */
bool amd_mec_map(struct amd_mec *mec, uint32_t slot_id, uint64_t mqd_address, uint32_t vmid);
void amd_mec_unmap(struct amd_mec *mec, uint32_t slot_id, enum amd_dequeue how);

/* Returns true if the queue with that descriptor has no slot and is in the middle of its work. */
bool amd_mec_is_parked(const struct amd_mec *mec, uint64_t mqd_address);
/* Throws away what was saved of a queue that no longer exists. */
void amd_mec_forget(struct amd_mec *mec, uint64_t mqd_address);

/* Resets all queues: each leaves its slot, also the driver's, and what was saved of others is lost.
 * Slots that are being loaded or left, or whose pipe works on a packet, are empty a little later.
 */
void amd_mec_reset(struct amd_mec *mec);
/* Resets the queue of that doorbell, if it is in a slot. */
void amd_mec_reset_queue(struct amd_mec *mec, uint32_t doorbell_index);

/* Continues a slot's queue after client.scheduler_waits() was true for it and no longer is. */
void amd_mec_go_on(struct amd_mec *mec, uint32_t slot_id);

/* Returns true if a slot has the queue of that doorbell, also if the queue is just leaving it. */
bool amd_mec_has_queue(const struct amd_mec *mec, uint32_t doorbell_index);
/* AQL packets that stand in a queue and were not taken up. */
struct amd_mec_packets {
    uint32_t space_id, doorbell_index;
    uint64_t ring_address, count; /* count: of the ring, in packets */
    uint64_t read, write;         /* numbers of packets since the start */
};
/* Reports, for unit_ops.finish, the signals that these packets would complete (the first of them,
 * up to a limit). */
void amd_mec_holds_packets(struct machine *machine, uint32_t unit,
                           const struct amd_mec_packets *packets);

/* Returns true if the slot's queue has something to do, or incomplete work. */
bool amd_mec_busy(const struct amd_mec *mec, uint32_t slot_id);

/* A slot's stream for viewers (amd_mec_stream.c): AQL packets, or dwords of PM4. */
struct amd_mec_stream {
    uint32_t doorbell_index;
    bool is_aql;
    uint64_t read,
        /* taken up and written since the start; the packet at `read` is next, or is worked on */
        write;
    struct amd_ib ib; /* current source of its PM4; dword_count 0 means the ring */
};
/* Describes a slot's stream.  Returns false if the slot has no queue. */
bool amd_mec_stream(const struct amd_mec *mec, uint32_t slot_id, struct amd_mec_stream *stream);
/* Reads up to `count` dwords from the current place of the ring or of the indirect buffer on.
 * Returns the number of dwords.  The MMU keeps the translations that it looked up. */
uint32_t amd_mec_stream_read(struct amd_mec *mec, uint32_t slot_id,
                             const struct amd_mec_stream *stream, uint32_t *dwords, uint32_t count);

#endif
