/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the micro engines (amd_mec.h) are to each other:
 *
 *     amd_mec.c          doorbells, whose packet a pipe takes up next
 *     amd_mec_slot.c     slots are loaded and left
 *     amd_mec_mqd.c      memory queue descriptors
 *     amd_mec_save.c     a queue leaves in the middle of its dispatches, and goes on
 *     amd_mec_memory.c   memory as a queue sees it, and faults
 *     amd_mec_pending.c  what packets asked for and is not complete: dispatches, releases, signals
 *     amd_mec_launch.c   from a packet to a dispatch
 *     amd_mec_open.c     what is held when nothing is left to do
 *     amd_mec_aql.c      AQL packets
 *     amd_mec_pm4.c      PM4 packets
 */
#ifndef GFE_DEVICES_AMD_AMD_MEC_PRIVATE_H
#define GFE_DEVICES_AMD_AMD_MEC_PRIVATE_H

#include "devices/amd/amd_mec.h"
#include "devices/amd/formats/amd_effect.h"

/* Events; watches have a kind for each slot and signal. */
enum amd_mec_event {
    AMD_MEC_PACKET,   /* argument: slot; its packet has been worked on */
    AMD_MEC_RUNG,     /* argument: slot << 56 | write pointer */
    AMD_MEC_RELEASED, /* argument: 1 + pending record */
    AMD_MEC_LOADED,   /* argument: slot */
    AMD_MEC_LEFT,     /* argument: slot */
    AMD_MEC_STOP,     /* these three: slot | visit << 32; the grace period is over */
    AMD_MEC_SAVED,
    AMD_MEC_RESTORED,
    AMD_MEC_WATCH, /* + slot * AMD_SIGNALS_MAX + n; argument: generation */
};

/* What came of a packet. */
enum amd_mec_result {
    AMD_MEC_DONE,  /* on to the next */
    AMD_MEC_WAITS, /* it blocks its queue: amd_mec_block() was called */
    AMD_MEC_STOPS, /* the queue stops: amd_mec_stop() was called */
};

/* Interrupt sources of client GRBM_CP (irqsrcs_gfx_9_0.h). */
enum {
    AMD_IH_CLIENT_GRBM_CP = 0x14,
    AMD_IH_BAD_OPCODE = 183,
};

static inline struct amd_mec_queue *amd_mec_queue(const struct amd_mec *mec, uint32_t slot_id)
{
    return &mec->state->queues[slot_id];
}
static inline uint32_t amd_mec_me(uint32_t slot_id)
{
    return slot_id / (AMD_PIPES_MAX * AMD_QUEUES_PER_PIPE_MAX) + 1;
}
static inline uint32_t amd_mec_pipe_of(uint32_t slot_id)
{
    return slot_id / AMD_QUEUES_PER_PIPE_MAX % AMD_PIPES_MAX;
}
static inline struct amd_mec_pipe *amd_mec_pipe(const struct amd_mec *mec, uint32_t slot_id)
{
    return &mec->state->pipes[slot_id / AMD_QUEUES_PER_PIPE_MAX];
}
/* The registers of a slot, for who asks for several of them (AMD_HQD_). */
static inline uint32_t *amd_mec_hqd(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_gc_hqd(mec->gc, slot_id, AMD_HQD_BASE);
}
static inline uint32_t amd_hqd_reg(const uint32_t *hqd, uint32_t offset)
{
    return hqd[(offset - AMD_HQD_BASE) / 4];
}
/* Two registers, the low one first. */
static inline uint64_t amd_hqd_reg64(const uint32_t *hqd, uint32_t lo, uint32_t hi)
{
    return (uint64_t)amd_hqd_reg(hqd, hi) << 32 | amd_hqd_reg(hqd, lo);
}
/* Does the ring hold AQL packets? */
static inline bool amd_hqd_is_aql(const uint32_t *hqd)
{
    return REG_GET(amd_hqd_reg(hqd, CP_HQD_AQL_CONTROL), CP_HQD_AQL_CONTROL__CONTROL0) != 0;
}
/* Number of the queue's doorbell. */
static inline uint32_t amd_hqd_doorbell(const uint32_t *hqd)
{
    /* In dwords; a doorbell has two. */
    return REG_GET(amd_hqd_reg(hqd, CP_HQD_PQ_DOORBELL_CONTROL),
                   CP_HQD_PQ_DOORBELL_CONTROL__DOORBELL_OFFSET) /
           2;
}
static inline uint32_t amd_hqd_vmid(const uint32_t *hqd)
{
    return REG_GET(amd_hqd_reg(hqd, CP_HQD_VMID), CP_HQD_VMID__VMID);
}
/* Returns the capacity of the queue's ring in AQL packets or PM4 dwords, a power of two.  Returns 0
 * if the registers describe no ring. */
static inline uint64_t amd_hqd_ring(const uint32_t *hqd)
{
    const uint32_t control = amd_hqd_reg(hqd, CP_HQD_PQ_CONTROL);
    /* 6 bits: more than 2^57 dwords are no ring. */
    const uint32_t size = REG_GET(control, CP_HQD_PQ_CONTROL__QUEUE_SIZE);
    const uint64_t dwords = size < 30 ? UINT64_C(2) << size : 0;

    return amd_hqd_is_aql(hqd) ? dwords / AMD_AQL_DWORDS : dwords;
}

/* A slot and what its registers say, for who works on an AQL packet of it, by which none of this
 * changes. */
struct amd_mec_view {
    uint32_t slot_id;
    uint32_t doorbell, vmid;
    uint32_t space_id; /* of the VMID */
    struct amd_mec_queue *queue;
    struct amd_mec_near *near;
    uint32_t *hqd;
    uint64_t ring; /* amd_hqd_ring() */
    bool is_aql;   /* amd_hqd_is_aql() */
};
static inline struct amd_mec_view amd_mec_view(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    uint32_t *hqd = amd_mec_hqd(mec, slot_id);

    return (struct amd_mec_view){.slot_id = slot_id,
                                 .doorbell = amd_hqd_doorbell(hqd),
                                 .vmid = amd_hqd_vmid(hqd),
                                 .space_id = amd_vm_space(mec->vm, amd_hqd_vmid(hqd)),
                                 .queue = queue,
                                 .near = &mec->near[slot_id],
                                 .hqd = hqd,
                                 .ring = amd_hqd_ring(hqd),
                                 .is_aql = amd_hqd_is_aql(hqd)};
}
/* Is its packet one of AQL, just now? */
static inline bool amd_mec_is_at_aql(const struct amd_mec_view *at)
{
    return at->is_aql && at->queue->ib_depth == 0;
}

/* The same by the number of the slot. */
static inline uint32_t amd_mec_reg(const struct amd_mec *mec, uint32_t slot_id, uint32_t offset)
{
    return amd_hqd_reg(amd_mec_hqd(mec, slot_id), offset);
}
static inline uint64_t amd_mec_reg64(const struct amd_mec *mec, uint32_t slot_id, uint32_t lo,
                                     uint32_t hi)
{
    return amd_hqd_reg64(amd_mec_hqd(mec, slot_id), lo, hi);
}
static inline bool amd_mec_is_aql(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_hqd_is_aql(amd_mec_hqd(mec, slot_id));
}
static inline uint32_t amd_mec_doorbell_of(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_hqd_doorbell(amd_mec_hqd(mec, slot_id));
}
static inline uint32_t amd_mec_vmid(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_hqd_vmid(amd_mec_hqd(mec, slot_id));
}
static inline uint64_t amd_mec_ring(const struct amd_mec *mec, uint32_t slot_id)
{
    return amd_hqd_ring(amd_mec_hqd(mec, slot_id));
}
/* Where in the ring the n-th of them is; 0 if it is none. */
static inline uint64_t amd_mec_in_ring(const struct amd_mec *mec, uint32_t slot_id, uint64_t n)
{
    const uint64_t ring = amd_mec_ring(mec, slot_id);

    return ring != 0 ? n & (ring - 1) : 0;
}
/* The queue is the kernel driver's. */
static inline bool amd_mec_is_private(const struct amd_mec *mec, uint32_t slot_id)
{
    return REG_GET(amd_mec_reg(mec, slot_id, CP_HQD_PQ_CONTROL), CP_HQD_PQ_CONTROL__PRIV_STATE) !=
           0;
}

/* ---- amd_mec.c ------------------------------------------------------------------------------- */

/* The queue waits; it is tried again when a watch strikes, or amd_mec_retry() is called.  `address`
 * is what it waits for if that is memory, else 0. */
void amd_mec_block(struct amd_mec *mec, uint32_t slot_id, uint32_t rule, uint64_t address);
void amd_mec_retry(struct amd_mec *mec, uint32_t slot_id);
/* Something of the queue is complete: it may go on, or leave. */
void amd_mec_advanced(struct amd_mec *mec, uint32_t slot_id);
/* It has come to the end of what was written. */
void amd_mec_idle(struct amd_mec *mec, uint32_t slot_id);
/* A PM4 packet has no effect here: reported once for each opcode. */
void amd_mec_unmodelled(struct amd_mec *mec, uint32_t what, const struct amd_loss *loss,
                        uint64_t value);
/* The queue stops for good, with that bit of CP_HQD_ERROR; source_id: interrupt, 0 = none. */
enum { AMD_NO_ERROR_BIT = 32 };
void amd_mec_stop(struct amd_mec *mec, uint32_t slot_id, uint32_t error_bit, uint32_t source_id);
void amd_mec_interrupt(struct amd_mec *mec, uint32_t slot_id, uint32_t source_id,
                       uint32_t context_id);

/* The slot's pipe looks for a packet to take up. */
void amd_mec_turn_of(struct amd_mec *mec, uint32_t slot_id);
/* Between packets: on to the next, or to leave. */
void amd_mec_next(struct amd_mec *mec, uint32_t slot_id);
/* A wait since then that is over now. */
void amd_mec_log_wait(struct amd_mec *mec, uint32_t slot_id, uint32_t rule, gfe_ps from_ps);
/* The wait of a queue that is blocked, for that signal or place in memory, is over. */
void amd_mec_log_block(struct amd_mec *mec, uint32_t slot_id);

/* ---- amd_mec_slot.c -------------------------------------------------------------------------- */

/* It has a queue that is neither being loaded nor saved. */
static inline bool amd_mec_active(const struct amd_mec *mec, uint32_t slot_id)
{
    const uint32_t phase = amd_mec_queue(mec, slot_id)->phase;

    return phase != AMD_QUEUE_EMPTY && phase != AMD_QUEUE_MOVING;
}
/* The queue of a slot begins; it is to leave at once if `dequeue` says so. */
void amd_mec_begin(struct amd_mec *mec, uint32_t slot_id, bool by_firmware, uint32_t dequeue);
/* amd_gc_client.activate and .dequeue */
void amd_mec_activate(void *mec, uint32_t slot_id);
void amd_mec_dequeue(void *mec, uint32_t slot_id, uint32_t request);
/* It leaves if it has to and all that it has begun is complete. */
void amd_mec_leave_if_done(struct amd_mec *mec, uint32_t slot_id);
/* AMD_MEC_LEFT: the slot is empty. */
void amd_mec_left(struct amd_mec *mec, uint32_t slot_id);

/* ---- amd_mec_mqd.c --------------------------------------------------------------------------- */

/* AMD_MEC_LOADED */
void amd_mec_loaded(struct amd_mec *mec, uint32_t slot_id);
/* The slot's registers go into its descriptor, if it has one.  INFERRED: also where a register, and
 * not the firmware, asks for it, as kgd_hqd_load() of amdgpu_amdkfd_gfx_v9.c goes on at the read
 * pointer that it finds there. */
void amd_mec_save(struct amd_mec *mec, uint32_t slot_id);

/* ---- amd_mec_save.c -------------------------------------------------------------------------- */

/* SAVE_WAVES: the queue is held, and its waves stop when the grace period is over. */
void amd_mec_save_begin(struct amd_mec *mec, uint32_t slot_id);
/* Its pipe works on no packet of it any more: a save that is due begins. */
void amd_mec_save_go_on(struct amd_mec *mec, uint32_t slot_id);
/* AMD_MEC_STOP, AMD_MEC_SAVED, AMD_MEC_RESTORED */
void amd_mec_save_event(struct amd_mec *mec, uint32_t kind, uint64_t argument);
/* The queue leaves with all that is not complete; if no place is left that is lost (ASSUMED). */
void amd_mec_park(struct amd_mec *mec, uint32_t slot_id);
/* Restores the slot's queue if it left in the middle of its packets.  If not, returns false. */
bool amd_mec_restore(struct amd_mec *mec, uint32_t slot_id);
void amd_mec_restored(struct amd_mec *mec, uint32_t slot_id);
/* RESET_WAVES: what has begun is thrown away. */
void amd_mec_throw(struct amd_mec *mec, uint32_t slot_id);

/* ---- amd_mec_memory.c ------------------------------------------------------------------------ */

/* Nothing is mapped there: the queue stops. */
void amd_mec_fault(struct amd_mec *mec, uint32_t slot_id, uint64_t address, bool is_write);
/* Accesses memory in the address space of the queue's VMID.  Returns false if nothing is mapped
 * there; the queue has been stopped then.  The functions with `_vm_` are for callers that know the
 * VMID already. */
static inline bool amd_mec_vm_read(struct amd_mec *mec, uint32_t slot_id, uint32_t vmid,
                                   uint64_t address, void *data, size_t bytes)
{
    uint64_t fault;

    if (!RARELY(!amd_vm_read(mec->vm, vmid, address, data, bytes, &fault)))
        return true;
    amd_mec_fault(mec, slot_id, fault, false);
    return false;
}
static inline bool amd_mec_vm_write(struct amd_mec *mec, uint32_t slot_id, uint32_t vmid,
                                    uint64_t address, const void *data, size_t bytes)
{
    uint64_t fault;

    if (!RARELY(!amd_vm_write(mec->vm, vmid, address, data, bytes, &fault)))
        return true;
    amd_mec_fault(mec, slot_id, fault, true);
    return false;
}
/* The same, apart. */
bool amd_mec_read_far(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t address,
                      void *data, size_t bytes);
bool amd_mec_write_far(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t address,
                       const void *data, size_t bytes);
/* The same for who knows in which page it is, for that is where it was before: one of at->near. */
static inline bool amd_mec_read_near(struct amd_mec *mec, const struct amd_mec_view *at,
                                     const struct machine_page **near, uint64_t address, void *data,
                                     size_t bytes)
{
    const uint8_t *here = machine_vm_seen(mec->machine, near, at->space_id, address, bytes);

    if (RARELY(!here))
        return amd_mec_read_far(mec, at, address, data, bytes);
    memcpy(data, here, bytes);
    return true;
}
static inline bool amd_mec_write_near(struct amd_mec *mec, const struct amd_mec_view *at,
                                      const struct machine_page **near, uint64_t address,
                                      const void *data, size_t bytes)
{
    uint8_t *here = machine_vm_here(mec->machine, near, at->space_id, address, bytes);

    if (RARELY(!here))
        return amd_mec_write_far(mec, at, address, data, bytes);
    memcpy(here, data, bytes);
    return true;
}
static inline bool amd_mec_read(struct amd_mec *mec, uint32_t slot_id, uint64_t address, void *data,
                                size_t bytes)
{
    return amd_mec_vm_read(mec, slot_id, amd_mec_vmid(mec, slot_id), address, data, bytes);
}
static inline bool amd_mec_write(struct amd_mec *mec, uint32_t slot_id, uint64_t address,
                                 const void *data, size_t bytes)
{
    return amd_mec_vm_write(mec, slot_id, amd_mec_vmid(mec, slot_id), address, data, bytes);
}
/* The same of a completion value, of which who compares them is told. */
bool amd_mec_complete_value(struct amd_mec *mec, uint32_t slot_id, uint64_t address, uint64_t value,
                            size_t bytes);
/* As amd_mec_read(), and nothing happens if nothing is mapped there. */
static inline bool amd_mec_peek(struct amd_mec *mec, uint32_t slot_id, uint64_t address, void *data,
                                size_t bytes)
{
    uint64_t fault;

    return amd_vm_read(mec->vm, amd_mec_vmid(mec, slot_id), address, data, bytes, &fault);
}
/* The queue is tried again when four bytes there are written; n tells watches of a slot apart. */
bool amd_mec_watch(struct amd_mec *mec, uint32_t slot_id, uint32_t n, uint64_t address);

/* ---- amd_mec_pending.c ----------------------------------------------------------------------- */

/* DATA_SEL and INT_SEL of RELEASE_MEM. */
enum { AMD_DATA_NONE, AMD_DATA_32, AMD_DATA_64, AMD_DATA_CLOCK };
enum { AMD_INT_ONLY = 1, AMD_INT_AFTER_CONFIRM = 2 };

/* Room for another packet of the queue?  It may pend two records. */
bool amd_mec_has_room(const struct amd_mec *mec, uint32_t slot_id);
/* A dispatch of the queue begins (+1), or is complete (-1). */
void amd_mec_count_dispatch(struct amd_mec *mec, uint32_t slot_id, int change);
/* A new record at the end of the queue's list, for the packet that it is at.  There is room. */
struct amd_pending *amd_mec_pend(struct amd_mec *mec, uint32_t slot_id, uint32_t code);
/* The signal's value goes down by one; who sleeps on it is woken.  A fault stops the queue. */
void amd_mec_signal(struct amd_mec *mec, uint32_t slot_id, const uint32_t *hqd, uint64_t packet,
                    uint64_t signal, gfe_ps begin_ps);
/* A packet that is complete at once. */
void amd_mec_signal_now(struct amd_mec *mec, const struct amd_mec_view *at, uint32_t code,
                        uint64_t signal);
/* Reserves room for the contents of a queue's own places, which it takes along when it leaves its
 * slot.  Returns false if there is none. */
bool amd_mec_reserve_park(struct amd_mec *mec);
void amd_mec_release_park(struct amd_mec *mec);
/* What is not complete of a slot's queue goes to a record of queues that are in no slot, and back;
 * or it is dropped, without effect. */
void amd_mec_park_list(struct amd_mec *mec, uint32_t slot_id, struct amd_parked *parked);
void amd_mec_unpark_list(struct amd_mec *mec, uint32_t slot_id, const struct amd_parked *parked);
void amd_mec_drop_list(struct amd_mec *mec, const struct amd_parked *parked);
/* Drops it of a slot's queue, all but dispatches that have ended. */
void amd_mec_remove_unfinished(struct amd_mec *mec, uint32_t slot_id);
/* Releases at the front of the list take effect. */
void amd_mec_settle(struct amd_mec *mec, uint32_t slot_id);
/* amd_dispatch_client.done */
void amd_mec_dispatched(void *mec, uint32_t ace, uint32_t queue, uint64_t grid_id);
/* AMD_MEC_RELEASED */
void amd_mec_released(struct amd_mec *mec, uint32_t record);

/* ---- amd_mec_launch.c ------------------------------------------------------------------------ */

/* What a packet asks to be dispatched. */
struct amd_mec_launch {
    uint64_t code;      /* of the packet */
    uint64_t arguments; /* AQL: their address */
    uint64_t signal;
    /* block_count, packet_address (the kernel's) and its kind but for the CU masks are asked for;
     * what else there is, the slot says. */
    struct amd_launch launch;
};
/* Dispatches it, having completed `asked`.  A dispatch that can never run stops the queue. */
enum amd_mec_result amd_mec_launch(struct amd_mec *mec, const struct amd_mec_view *at,
                                   struct amd_mec_launch *asked);
/* CUs of each shader engine that the queue may have, as its registers say: also of engines that the
 * chip does not have. */
void amd_mec_cu_masks(const struct amd_mec *mec, uint32_t slot_id,
                      uint32_t masks[AMD_SHADER_ENGINES_MAX]);
/* The queue's CU mask leaves it any. */
bool amd_mec_has_cu(const struct amd_mec *mec, uint32_t slot_id);
/* amd_mec_aql.c: the queue stops, and its runtime is told why by the queue_inactive_signal: codes
 * of ROCR-Runtime amd_aql_queue.cpp. */
enum amd_refuse {
    AMD_REFUSE_SCRATCH = 1, /* not an error: more is wanted */
    AMD_REFUSE_DIMENSIONS = 2,
    AMD_REFUSE_CODE = 8,
    AMD_REFUSE_VENDOR = 16,
    AMD_REFUSE_FORMAT = 32,
    AMD_REFUSE_WORKGROUP = 64,
};
/* Does a runtime learn of it?  The last: ROCr gives each queue such a signal, but memory has none
 * where it stands; a recording may lack it. */
enum amd_told { AMD_TOLD_NOT, AMD_TOLD, AMD_TOLD_UNRECORDED };
void amd_mec_refuse(struct amd_mec *mec, uint32_t slot_id, enum amd_refuse code);

/* ---- amd_mec_aql.c, amd_mec_pm4.c ------------------------------------------------------------ */

/* The queue has a packet: may it be taken up?  AMD_MEC_DONE: yes, and it is latched.  There is a
 * ring. */
enum amd_mec_result amd_mec_aql_fetch(struct amd_mec *mec, const struct amd_mec_view *at);
/* What the packet that was taken up does. */
enum amd_mec_result amd_mec_aql_execute(struct amd_mec *mec, const struct amd_mec_view *at);
enum amd_mec_result amd_mec_pm4_fetch(struct amd_mec *mec, uint32_t slot_id);
enum amd_mec_result amd_mec_pm4_execute(struct amd_mec *mec, uint32_t slot_id);

/* ---- amd_mec_open.c -------------------------------------------------------------------------- */

/* unit_ops.finish */
void amd_mec_finish(void *mec);

#endif
