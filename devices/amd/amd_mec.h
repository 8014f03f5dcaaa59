/* SPDX-License-Identifier: MIT */
/*
 * The micro engines of compute (MEC) of a gfx9 chip: what becomes of a queue that is in a hardware
 * queue slot (HQD).
 *
 * A MEC has pipes (the paper's ACEs), each with some slots.  A slot is loaded by the driver, who
 * writes its registers and then ACTIVE, or by the scheduling firmware from a memory queue
 * descriptor (amd_mec_map()).  A doorbell, whose offset stands in the slot, tells how far the queue
 * has been written.  A pipe takes up the packets of its slots one after another, in turn
 * (AMD.PIPE), and of each queue in order: AQL packets (amd_mec_aql.c), or PM4 (amd_mec_pm4.c) in a
 * ring, or in an indirect buffer to which either points.  Dispatches go to the pipe's ACE
 * (amd_dispatch.h); what a packet asks for when they are done - signals, values in memory,
 * interrupts - follows in the queue's order of completion.
 *
 * A queue stops, with an error in CP_HQD_ERROR and an interrupt, where a packet is not one (bad
 * opcode, AQL type, dispatch that can never run) or where nothing is mapped; others go on.  What is
 * not complete has a place in tables of a fixed size, of which each queue has AMD_PENDING_OWN for
 * itself: beyond them it may have to wait (AMD.ROOM).
 *
 * DEQUEUE_REQUEST: the queue takes up nothing more, and leaves its slot: with DRAIN_PIPE when its
 * dispatches are complete; with RESET_WAVES at once: its dispatches are thrown away, and their
 * packets are never complete; with SAVE_WAVES when its waves have been saved into its context save
 * area (amd_cwsr.h).  When the firmware asks for that waves have a grace period to end (SCH_WAVE of
 * CP_IQ_WAIT_TIME2), in which nothing new is dispatched.  Then they stop; so many bytes take so
 * long; CP_HQD_CNTL_STACK_OFFSET and CP_HQD_WG_STATE_OFFSET tell how much was saved; and the queue
 * leaves. It goes on where it was when it is loaded again, into whatever slot: in the middle of its
 * dispatches, and of an indirect buffer.  Without a save area, or room in it, it drains.
 *
 * Sources: amdgpu gfx_v9_0.c, amdgpu_amdkfd_gfx_v9.c (loading and leaving a slot); ROCR-Runtime
 * amd_aql_queue.cpp, amd_hsa_queue.h, amd_hsa_signal.h (what the packets' processor does to the
 * queue and signals in memory); HSA Platform System Architecture 1.2, s.2.9.  ASSUMED: all times,
 * of a save those of amd_mec_tables.h; that queues do not slow each other down while they are
 * saved; that a header becomes INVALID, and the read pointer moves, when the packet is taken up and
 * not when it is complete; that pipes do not disturb each other.  Not modelled: the graphics
 * engine, interrupt queues (IQ), GWS and GDS, queue and pipe priorities, CP's own caches.
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
    AMD_PENDING_MAX = 4096, /* packets whose effects are not complete, of all queues */
    AMD_PENDING_OWN = 8,    /* of them, and of the dispatcher's places, that are each queue's own */
    AMD_PM4_BODY_MAX = 64,  /* dwords of a packet that are looked at; longer ones are data */
    AMD_IB_DEPTH = 2,       /* an indirect buffer, and one that it calls */
    AMD_SIGNALS_MAX = 5,    /* that a barrier packet waits for */
    AMD_PARKED_MAX = 1024,  /* queues that are in no slot and have something that is not complete */
    CNTL_STACK_BYTES_MASK = 0x7000, /* of CP_HQD_CNTL_STACK_SIZE, CP_HQD_CTX_SAVE_SIZE */
    CTX_SAVE_BYTES_MASK = 0x1fff000,
};

/* source_id of the interrupt of a completion, with the number that the program gave. */
enum { AMD_IH_EOP = 181 };

/* What a slot's queue does. */
enum amd_queue_phase {
    AMD_QUEUE_EMPTY,     /* the slot is not active */
    AMD_QUEUE_MOVING,    /* the firmware loads it, or saves it */
    AMD_QUEUE_IDLE,      /* nothing to take up, as far as its write pointer says */
    AMD_QUEUE_READY,     /* waits for its pipe */
    AMD_QUEUE_TAKEN,     /* its pipe works on its packet */
    AMD_QUEUE_BLOCKED,   /* by block_rule */
    AMD_QUEUE_STOPPED,   /* by an error */
    AMD_QUEUE_RESTORING, /* its waves are */
};

/* How far SAVE_WAVES is. */
enum amd_save {
    AMD_SAVE_NONE,
    AMD_SAVE_GRACE,  /* nothing more is dispatched */
    AMD_SAVE_DUE,    /* its pipe works on a packet: then its waves stop */
    AMD_SAVE_MOVING, /* they have been stopped */
    AMD_SAVE_DONE,
};

enum amd_parked_phase { AMD_PARKED_FREE, AMD_PARKED_SAVING, AMD_PARKED_AWAY, AMD_PARKED_RESTORING };

/* What DEQUEUE_REQ of CP_HQD_DEQUEUE_REQUEST asks for. */
enum amd_dequeue { AMD_DEQUEUE_NONE, AMD_DEQUEUE_DRAIN, AMD_DEQUEUE_RESET, AMD_DEQUEUE_SAVE };

GFE_STATE_BEGIN
/* Where PM4 dwords come from. */
struct amd_ib {
    uint64_t address;
    uint32_t dword_count, at;
};

struct amd_mec_queue {
    uint64_t read, write;   /* AQL packets, or PM4 dwords, ever taken up and ever written */
    uint64_t packet;        /* number of the AQL packet, or first dword of the PM4 packet */
    gfe_ps blocked_ps;      /* since when */
    uint64_t block_address; /* what is waited for, if it is memory */
    uint32_t phase;         /* enum amd_queue_phase */
    uint32_t block_rule;
    uint32_t dequeue;                     /* enum amd_dequeue: to leave */
    uint32_t pending_first, pending_last; /* 1 + record; 0: all is complete */
    uint32_t pending_count;
    uint32_t dispatches; /* of them, not complete */
    uint32_t generation; /* of its time in the slot: older watches and events mean nothing */
    uint32_t in_pipe;    /* a packet of it is worked on, also if it has been stopped since */
    uint32_t ib_depth;   /* 0: the ring; else ibs[ib_depth - 1] */
    struct amd_ib ibs[AMD_IB_DEPTH];
    uint64_t ib_signal;   /* of the AQL packet that has called the indirect buffer */
    gfe_ps asked_ps;      /* to leave, with SAVE_WAVES */
    uint32_t by_firmware; /* it has a descriptor, into which it is saved */
    uint32_t save;        /* enum amd_save */
    uint32_t context;     /* 1 + parked, while it is saved or restored */
    uint32_t releasing;   /* dispatches that have ended, and whose packets are not complete yet */
    uint32_t visit;       /* as generation; an error does not end it */
    uint32_t passed;      /* the packet at hand has passed where faults are injected */
    uint32_t latched[AMD_AQL_DWORDS]; /* the AQL packet that is worked on; of a PM4 packet: the bits
                                       * that injected faults have inverted */
    uint32_t reserved[10];            /* up to a power of two: these are looked up all the time */
};

/* Something that a packet asked for and that is not complete. */
struct amd_pending {
    uint64_t grid_id; /* of a dispatch; 0: a release, due when all in front is complete */
    uint64_t packet;
    uint64_t signal; /* AQL: completion signal, 0 = none.  PM4: address, or 0 */
    uint64_t data;   /* PM4: what is written there */
    gfe_ps begin_ps;
    uint32_t slot_id;
    uint32_t next;      /* 1 + record */
    uint32_t code;      /* of the packet */
    uint8_t releasing;  /* its dispatch has ended */
    uint8_t is_release; /* of RELEASE_MEM: */
    uint8_t data_sel, int_sel;
    uint32_t context_id;
    uint32_t reserved; /* up to a power of two */
};

/* A queue that is in no slot, in the middle of something.  The context of its dispatches
 * (amd_cwsr.h) is 1 + its place in the table. */
struct amd_parked {
    uint64_t mqd_address, ring_address;
    uint64_t bytes; /* of its waves, saved */
    uint64_t ib_signal;
    uint32_t phase; /* enum amd_parked_phase */
    uint32_t space_id, doorbell;
    uint32_t stack_offset, state_offset; /* registers, as it was left */
    uint32_t blocks, waves;              /* saved */
    uint32_t pending_first, pending_last, pending_count, dispatches, ib_depth;
    struct amd_ib ibs[AMD_IB_DEPTH];
};

struct amd_mec_pipe {
    uint32_t turn;         /* queue of which a packet was taken up last */
    uint32_t busy;         /* a packet is being worked on */
    uint32_t may_be_ready; /* bit per queue: of the others none is AMD_QUEUE_READY */
    uint32_t reserved;
};

struct amd_mec_state {
    uint32_t free_pending, used_pending; /* 1 + record; records ever used */
    /* Places that queues have beyond their own. */
    uint32_t shared_pending, shared_dispatches;
    uint64_t launch_count;  /* dispatches ever */
    uint64_t room_waits;    /* bit per slot whose queue waits for a place, or did (AMD.ROOM) */
    uint32_t unmodelled[8]; /* PM4 opcodes without effect that were reported */
    struct amd_mec_pipe pipes[AMD_MECS * AMD_PIPES_MAX]; /* of which each MEC has AMD_PIPES_MAX */
    struct amd_mec_queue queues[AMD_SLOTS];
    struct amd_pending pending[AMD_PENDING_MAX];
    uint32_t used_parked, reserved; /* records ever used */
    struct amd_parked parked[AMD_PARKED_MAX];
};
GFE_STATE_END

_Static_assert(offsetof(struct amd_mec_state, queues) % ARENA_ALIGN_BYTES == 0 &&
                   offsetof(struct amd_mec_state, pending) % ARENA_ALIGN_BYTES == 0,
               "records lie in as few lines of a cache as they can");

/* An AQL packet's kernel, for who knows its cost. */
struct amd_mec_kernel {
    uint64_t address;   /* of the descriptor, or with PM4 of the code */
    uint64_t arguments; /* AQL: their address; else 0 */
    uint32_t space_id;
    uint64_t block_count;
    uint32_t block_threads;
    uint64_t grid_number; /* counts dispatches: seed of the jitter */
};

/* What is told in the middle of a packet - cost, interrupt - must not lead to a write of registers
 * at once. */
struct amd_mec_client {
    /* What its blocks work; NULL, or left as it is: amd.block_ps. */
    void (*cost)(void *client, const struct amd_mec_kernel *kernel, struct amd_cost *cost);
    /* An interrupt has gone to the IH ring, for who listens beside the kernel driver; may be NULL.
     */
    void (*interrupt)(void *client, uint32_t source_id, uint32_t ring_id, uint32_t vmid,
                      uint32_t context_id);
    /* A queue has left its slot; may be NULL. */
    void (*left)(void *client, uint32_t slot_id);
    /* A queue has been given work, or one that is in no slot has had its doorbell rung; may be
     * NULL.
     */
    void (*rung)(void *client, uint32_t doorbell_index);
    /* Packets of the scheduler's (SET_RESOURCES to RUN_LIST) in a queue of the kernel driver: they
     * wait until amd_mec_go_on(); NULL: never. */
    bool (*scheduler_waits)(void *client);
    /* One of them; NULL: a bad opcode.  False: the firmware has stopped, and so does the queue. */
    bool (*schedule)(void *client, uint32_t slot_id, const uint32_t *dwords, uint32_t dword_count);
    void *client;
};

/* Where the pages were found last that a slot's packets need; not state. */
struct amd_mec_near {
    const struct machine_page *ring, *program, *kernel, *depends, *signal;
};

struct amd_mec {
    struct machine *machine;
    const struct amd_chip *chip;
    struct amd_vm *vm;
    struct amd_gc *gc;
    struct amd_dispatch *dispatch;
    struct amd_ih *ih; /* where interrupts and page faults go; NULL: nowhere */
    struct amd_mec_state *state;
    struct amd_mec_client client;
    uint32_t unit;
    struct amd_mec_near near[AMD_SLOTS];
};

/* Adds it as a unit, with amd_mec_tables; vm, gc and dispatch are wired. */
void amd_mec_wire(struct amd_mec *mec, struct machine *machine, const struct amd_chip *chip,
                  struct amd_vm *vm, struct amd_gc *gc, struct amd_dispatch *dispatch);

/* The slot whose queue has that doorbell; AMD_NO_SLOT: none. */
uint32_t amd_mec_slot_of(const struct amd_mec *mec, uint32_t doorbell_index);
/* Counts down the signal of a packet whose queue is still in its slot, after an injected fault held
 * it back. */
void amd_mec_signal_late(struct amd_mec *mec, uint32_t slot_id, uint64_t packet, uint64_t signal,
                         gfe_ps begin_ps);
/* A store of 64 bits to the doorbell aperture, at a doorbell's number (offset / 8). */
void amd_mec_doorbell(struct amd_mec *mec, uint32_t doorbell_index, uint64_t value);

/* The firmware loads a slot from a memory queue descriptor in the space of VMID 0, and has it saved
 * there again and emptied (client.left() tells when).  False: the slot has a queue, or the
 * descriptor cannot be read. */
bool amd_mec_map(struct amd_mec *mec, uint32_t slot_id, uint64_t mqd_address, uint32_t vmid);
void amd_mec_unmap(struct amd_mec *mec, uint32_t slot_id, enum amd_dequeue how);

/* The queue with that descriptor is in no slot, and in the middle of something. */
bool amd_mec_is_parked(const struct amd_mec *mec, uint64_t mqd_address);
/* It is no more: what was saved of it is thrown away. */
void amd_mec_forget(struct amd_mec *mec, uint64_t mqd_address);

/* Every queue is thrown out of its slot, the driver's too, and what was saved of others is lost.
 * Slots that are being loaded or left, or whose pipe works on a packet, are empty a little later.
 */
void amd_mec_reset(struct amd_mec *mec);
/* The same of the slot that the queue of that doorbell is in, if it is in one. */
void amd_mec_reset_queue(struct amd_mec *mec, uint32_t doorbell_index);

/* client.scheduler_waits() was true for that slot, and is no more. */
void amd_mec_go_on(struct amd_mec *mec, uint32_t slot_id);

/* The slot's queue has something to do, or not done. */
bool amd_mec_busy(const struct amd_mec *mec, uint32_t slot_id);

/* For who looks at a slot's stream (amd_mec_stream.c): AQL packets, or dwords of PM4. */
struct amd_mec_stream {
    uint32_t doorbell_index;
    bool is_aql;
    uint64_t read,
        write;        /* ever taken up - the one that is worked on comes next - and ever written */
    struct amd_ib ib; /* that its PM4 comes from just now; dword_count 0: from the ring */
};
/* False: the slot has no queue. */
bool amd_mec_stream(const struct amd_mec *mec, uint32_t slot_id, struct amd_mec_stream *stream);
/* Dwords from there on, of the ring (from that packet or dword on), or of the indirect buffer: up
 * to `count`, and how many there are.  The MMU keeps what it looked up. */
uint32_t amd_mec_stream_read(struct amd_mec *mec, uint32_t slot_id,
                             const struct amd_mec_stream *stream, uint32_t *dwords, uint32_t count);

#endif
