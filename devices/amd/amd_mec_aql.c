/* SPDX-License-Identifier: MIT */
/*
 * AQL packets.  What a packet waits for - its header, the barrier bit, signals, scratch memory - is
 * looked at before the pipe takes it up, so that a queue that waits holds up no other.
 */
#include <config.h>

#include <string.h>

#include "devices/amd/formats/amd_aql.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/formats/amd_kernel.h"
#include "devices/amd/amd_mec_private.h"
#include "devices/amd/amd_mec_tables.h"

enum { AQL_INVALID = AMD_AQL_TYPE_INVALID, SIGNAL_VALUE = 8 };
/* amd_queue_t (ROCR-Runtime amd_hsa_queue.h). */
enum { QUEUE_READ_DISPATCH_ID = 0x80, QUEUE_LANE_BYTES = 0xb0, QUEUE_INACTIVE_SIGNAL = 0xc0 };

/* Returns the address of the program's side of the queue, amd_queue_t.  Returns 0 if the slot was
 * loaded without it. */
static uint64_t amd_mec_program_queue(const uint32_t *hqd)
{
    const uint64_t report =
        amd_hqd_reg64(hqd, CP_HQD_PQ_RPTR_REPORT_ADDR, CP_HQD_PQ_RPTR_REPORT_ADDR_HI);

    return report > QUEUE_READ_DISPATCH_ID ? report - QUEUE_READ_DISPATCH_ID : 0;
}

/* Returns the address of the packet that the queue reads next. */
static uint64_t amd_mec_packet_address(const struct amd_mec_view *at)
{
    return (amd_hqd_reg64(at->hqd, CP_HQD_PQ_BASE, CP_HQD_PQ_BASE_HI) << 8) +
           (at->queue->read & (at->ring - 1)) * AMD_AQL_BYTES;
}

/* ---- telling the runtime --------------------------------------------------------------------- */

/* Writes a code into the queue_inactive_signal. */
static enum amd_told amd_mec_tell(struct amd_mec *mec, uint32_t slot_id, uint64_t code)
{
    const uint64_t queue = amd_mec_program_queue(amd_mec_hqd(mec, slot_id));
    uint64_t signal, mailbox[2];

    if (queue == 0 || !amd_mec_peek(mec, slot_id, queue + QUEUE_INACTIVE_SIGNAL, &signal, 8))
        return AMD_TOLD_NOT;
    if (signal == 0)
        return AMD_TOLD_UNRECORDED;
    if (!amd_mec_complete_value(mec, slot_id, signal + SIGNAL_VALUE, code, sizeof code) ||
        !amd_mec_read(mec, slot_id, signal + 16, mailbox, sizeof mailbox))
        return AMD_TOLD_NOT;
    mailbox[1] = (uint32_t)mailbox[1]; /* event_id */
    if (mailbox[0] != 0 && amd_mec_write(mec, slot_id, mailbox[0], &mailbox[1], 8))
        amd_mec_interrupt(mec, slot_id, AMD_IH_EOP, (uint32_t)mailbox[1]);
    return AMD_TOLD;
}

void amd_mec_refuse(struct amd_mec *mec, uint32_t slot_id, enum amd_refuse code)
{
    const enum amd_told told =
        amd_mec_is_aql(mec, slot_id) ? amd_mec_tell(mec, slot_id, code) : AMD_TOLD_NOT;

    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_REFUSED, RULE_AMD_STOPPED, slot_id,
                amd_mec_doorbell_of(mec, slot_id), amd_mec_queue(mec, slot_id)->packet, code, told);
    if (amd_mec_queue(mec, slot_id)->phase != AMD_QUEUE_STOPPED)
        amd_mec_stop(mec, slot_id, CP_HQD_ERROR__AQL_ERROR_LO, 0);
}

/* ---- what a packet waits for ----------------------------------------------------------------- */

/* Returns the n-th signal of a barrier packet, or 0 if it has none. */
static uint64_t amd_mec_dependency(const uint32_t *packet, uint32_t n)
{
    return (uint64_t)packet[3 + 2 * n] << 32 | packet[2 + 2 * n];
}

/* How many of them there may be: mostly one. */
static uint32_t amd_mec_dependencies(const uint32_t *packet)
{
    uint32_t others = 0;

    for (uint32_t i = 4; i < 2 + 2 * AMD_SIGNALS_MAX; i++)
        others |= packet[i];
    return others != 0 ? AMD_SIGNALS_MAX : 1;
}

/* Does the n-th signal let the packet go?  False also for a fault. */
static bool amd_mec_signal_ok(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t signal,
                              uint32_t n, bool *stops)
{
    uint64_t value;

    *stops =
        !amd_mec_vm_read(mec, at->slot_id, at->vmid, signal + SIGNAL_VALUE, &value, sizeof value);
    (void)machine_inject(mec->machine, mec->unit, AMD_INJECT_ACQUIRE, at->doorbell, &value,
                         sizeof value);
    if (*stops || value == 0)
        return !*stops;
    *stops = !amd_mec_watch(mec, at->slot_id, n, signal + SIGNAL_VALUE);
    return false;
}

/* BARRIER_AND, BARRIER_OR: up to five signals, of which 0 is none. */
static __attribute__((noinline)) enum amd_mec_result
amd_mec_barrier_any(struct amd_mec *mec, const struct amd_mec_view *at, uint32_t count, bool any)
{
    const uint32_t *packet = at->queue->latched;
    uint64_t waits_for = 0;
    uint32_t good = 0;
    bool stops = false;

    for (uint32_t n = 0; n < count && !stops; n++) {
        const uint64_t signal = amd_mec_dependency(packet, n);

        if (signal == 0)
            continue;
        if (amd_mec_signal_ok(mec, at, signal, n, &stops))
            good++;
        else if (waits_for == 0)
            waits_for = signal;
    }
    if (stops)
        return AMD_MEC_STOPS;
    if (waits_for == 0 || (any && good > 0))
        return AMD_MEC_DONE;
    amd_mec_block(mec, at->slot_id, RULE_AMD_DEPENDS, waits_for);
    return AMD_MEC_WAITS;
}

/* Mostly there is one signal, and what it stands for is complete. */
static OFTEN enum amd_mec_result amd_mec_barrier(struct amd_mec *mec, const struct amd_mec_view *at,
                                                 bool any)
{
    const uint32_t *packet = at->queue->latched;
    const uint32_t count = amd_mec_dependencies(packet);
    const uint64_t signal = amd_mec_dependency(packet, 0);
    const uint8_t *here;
    uint64_t value = 1;

    if (count == 1 && signal != 0 && !mec->machine->inject) {
        here = machine_vm_seen(mec->machine, &at->near->depends, at->space_id,
                               signal + SIGNAL_VALUE, sizeof value);
        if (here)
            memcpy(&value, here, sizeof value);
        if (value == 0)
            return AMD_MEC_DONE;
    }
    return amd_mec_barrier_any(mec, at, count, any);
}

/* AMD's own: a signal's value, masked, compared. */
static __attribute__((noinline)) enum amd_mec_result amd_mec_barrier_value(struct amd_mec *mec,
                                                                           uint32_t slot_id)
{
    const uint32_t *packet = amd_mec_queue(mec, slot_id)->latched;
    const uint64_t signal = amd_get(packet, AMD_AQL_BARRIER_VALUE_SIGNAL);
    const int64_t wanted = (int64_t)amd_get(packet, AMD_AQL_BARRIER_VALUE_VALUE);
    const uint64_t mask = amd_get(packet, AMD_AQL_BARRIER_VALUE_MASK);
    int64_t value;
    bool ok;

    if (signal == 0)
        return AMD_MEC_DONE;
    if (!amd_mec_read(mec, slot_id, signal + SIGNAL_VALUE, &value, sizeof value))
        return AMD_MEC_STOPS;
    value = (int64_t)((uint64_t)value & mask);
    switch (amd_get(packet, AMD_AQL_BARRIER_VALUE_CONDITION)) {
    case 0:
        ok = value == wanted;
        break;
    case 1:
        ok = value != wanted;
        break;
    case 2:
        ok = value < wanted;
        break;
    default:
        ok = value >= wanted;
    }
    if (ok)
        return AMD_MEC_DONE;
    if (!amd_mec_watch(mec, slot_id, 0, signal + SIGNAL_VALUE))
        return AMD_MEC_STOPS;
    amd_mec_block(mec, slot_id, RULE_AMD_DEPENDS, signal);
    return AMD_MEC_WAITS;
}

/* The kernel needs scratch memory: does its queue have as much for each lane?  If not the runtime
 * is asked, by its queue_inactive_signal, and answers by clearing it. */
static __attribute__((noinline)) enum amd_mec_result
amd_mec_scratch(struct amd_mec *mec, uint32_t slot_id, uint64_t needed)
{
    uint64_t queue, signal, value;
    uint32_t lane_bytes;

    queue = amd_mec_program_queue(amd_mec_hqd(mec, slot_id));
    if (queue == 0)
        return AMD_MEC_DONE;
    if (!amd_mec_read(mec, slot_id, queue + QUEUE_LANE_BYTES, &lane_bytes, sizeof lane_bytes) ||
        !amd_mec_read(mec, slot_id, queue + QUEUE_INACTIVE_SIGNAL, &signal, sizeof signal))
        return AMD_MEC_STOPS;
    if (needed <= lane_bytes || signal == 0)
        return AMD_MEC_DONE;
    if (!amd_mec_read(mec, slot_id, signal + SIGNAL_VALUE, &value, sizeof value))
        return AMD_MEC_STOPS;
    if (value == 0 && !amd_mec_tell(mec, slot_id, AMD_REFUSE_SCRATCH))
        return AMD_MEC_STOPS;
    if (!amd_mec_watch(mec, slot_id, 0, signal + SIGNAL_VALUE))
        return AMD_MEC_STOPS;
    amd_mec_block(mec, slot_id, RULE_AMD_SCRATCH, signal);
    return AMD_MEC_WAITS;
}

static __attribute__((noinline)) enum amd_mec_result
amd_mec_wait_for(struct amd_mec *mec, uint32_t slot_id, uint32_t rule)
{
    amd_mec_block(mec, slot_id, rule, 0);
    return AMD_MEC_WAITS;
}

static enum amd_mec_result amd_mec_kernel_ready(struct amd_mec *mec, const struct amd_mec_view *at)
{
    const uint64_t scratch =
        amd_get(at->queue->latched, AMD_AQL_KERNEL_DISPATCH_PRIVATE_SEGMENT_SIZE);

    if (!amd_mec_has_cu(mec, at->slot_id))
        return amd_mec_wait_for(mec, at->slot_id, RULE_AMD_NO_CU);
    return scratch == 0 ? AMD_MEC_DONE : amd_mec_scratch(mec, at->slot_id, scratch);
}

/* The header is there; what else? */
static enum amd_mec_result amd_mec_aql_ready(struct amd_mec *mec, const struct amd_mec_view *at)
{
    const struct amd_mec_queue *queue = at->queue;
    const uint32_t *packet = queue->latched;
    const uint32_t slot_id = at->slot_id;

    if (amd_get(packet, AMD_AQL_BARRIER) && queue->pending_first != 0)
        return amd_mec_wait_for(mec, slot_id, RULE_A_Q3);
    if (!amd_mec_has_room(mec, slot_id))
        return amd_mec_wait_for(mec, slot_id, RULE_AMD_ROOM);
    switch (amd_get(packet, AMD_AQL_TYPE)) {
    case AMD_AQL_TYPE_KERNEL_DISPATCH:
        return amd_mec_kernel_ready(mec, at);
    case AMD_AQL_TYPE_BARRIER_AND:
        return amd_mec_barrier(mec, at, false);
    case AMD_AQL_TYPE_BARRIER_OR:
        return amd_mec_barrier(mec, at, true);
    case AMD_AQL_TYPE_VENDOR:
        if (amd_get(packet, AMD_AQL_FORMAT) == AMD_AQL_FORMAT_BARRIER_VALUE)
            return amd_mec_barrier_value(mec, slot_id);
        return AMD_MEC_DONE;
    default:
        return AMD_MEC_DONE;
    }
}

/* What the signals are of a barrier that is taken up. */
static void amd_mec_aql_log_signals(struct amd_mec *mec, const struct amd_mec_view *at,
                                    uint32_t type)
{
    const uint32_t *packet = at->queue->latched;
    /* If it waited for all of them they are 0, as far as no fault has hidden it. */
    const bool known = type == AMD_AQL_TYPE_BARRIER_AND && !mec->machine->inject;
    const uint32_t count = amd_mec_dependencies(packet);
    uint64_t value = 0;

    for (uint32_t n = 0; n < count; n++) {
        const uint64_t signal = amd_mec_dependency(packet, n);

        if (signal != 0 &&
            (known || amd_mec_peek(mec, at->slot_id, signal + SIGNAL_VALUE, &value, sizeof value)))
            MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_DEPENDS, RULE_NONE, at->doorbell,
                        at->queue->packet, type, signal, value);
    }
}

/* A packet is taken up. */
static void amd_mec_aql_log(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t address)
{
    const struct amd_mec_queue *queue = at->queue;
    const uint32_t *packet = queue->latched;
    const uint32_t type = (uint32_t)amd_get(packet, AMD_AQL_TYPE);

    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_PACKET, RULE_A_Q1, at->slot_id, at->doorbell,
                queue->packet, 1, type, address, amd_get(packet, AMD_AQL_BARRIER));
    if (type == AMD_AQL_TYPE_BARRIER_AND || type == AMD_AQL_TYPE_BARRIER_OR)
        amd_mec_aql_log_signals(mec, at, type);
}

/* Faults are injected when it is seen first; then what was fetched holds. */
static bool amd_mec_aql_latch(struct amd_mec *mec, const struct amd_mec_view *at, uint64_t address)
{
    struct amd_mec_queue *queue = at->queue;

    if (RARELY(queue->passed))
        return true;
    if (RARELY(!amd_mec_read_near(mec, at, &at->near->ring, address, queue->latched,
                                  sizeof queue->latched)))
        return false;
    if (!RARELY(mec->machine->inject != NULL) ||
        amd_get(queue->latched, AMD_AQL_TYPE) == AQL_INVALID)
        return true;
    if (!machine_inject(mec->machine, mec->unit, AMD_INJECT_AQL, at->doorbell, queue->latched,
                        sizeof queue->latched)) {
        memset(queue->latched, 0, sizeof queue->latched);
        amd_put(queue->latched, AMD_AQL_TYPE, AMD_AQL_TYPE_BARRIER_AND); /* without signals */
    }
    queue->passed = amd_get(queue->latched, AMD_AQL_TYPE) != AQL_INVALID;
    return true;
}

OFTEN enum amd_mec_result amd_mec_aql_fetch(struct amd_mec *mec, const struct amd_mec_view *at)
{
    struct amd_mec_queue *queue = at->queue;
    const uint64_t address = amd_mec_packet_address(at);
    enum amd_mec_result result;

    if (RARELY(!amd_mec_aql_latch(mec, at, address)))
        return AMD_MEC_STOPS;
    queue->packet = queue->read;
    if (amd_get(queue->latched, AMD_AQL_TYPE) == AQL_INVALID) {
        if (!amd_mec_watch(mec, at->slot_id, 0, address))
            return AMD_MEC_STOPS;
        amd_mec_block(mec, at->slot_id, RULE_AMD_INVALID, address);
        return AMD_MEC_WAITS;
    }
    result = amd_mec_aql_ready(mec, at);
    if (result == AMD_MEC_DONE)
        amd_mec_aql_log(mec, at, address);
    return result;
}

/* ---- what a packet does ---------------------------------------------------------------------- */

/* The program may write that place of the ring again. */
static bool amd_mec_aql_retire(struct amd_mec *mec, const struct amd_mec_view *at)
{
    const uint64_t address = amd_mec_packet_address(at);
    const uint64_t program = amd_mec_program_queue(at->hqd);
    const uint16_t invalid = AQL_INVALID;
    uint64_t read = ++at->queue->read;

    at->hqd[(CP_HQD_PQ_RPTR - AMD_HQD_BASE) / 4] =
        (uint32_t)((read & (at->ring - 1)) * AMD_AQL_DWORDS);
    return amd_mec_write_near(mec, at, &at->near->ring, address, &invalid, sizeof invalid) &&
           (program == 0 ||
            !machine_inject(mec->machine, mec->unit, AMD_INJECT_RPTR, at->doorbell, &read,
                            sizeof read) ||
            amd_mec_write_near(mec, at, &at->near->program, program + QUEUE_READ_DISPATCH_ID, &read,
                               sizeof read));
}

/* Blocks of a dimension: mostly one, in two of three. */
static uint64_t amd_mec_blocks(uint64_t items, uint64_t per_block)
{
    return items <= per_block ? 1 : items / per_block + (items % per_block != 0);
}

static enum amd_mec_result amd_mec_kernel_dispatch(struct amd_mec *mec,
                                                   const struct amd_mec_view *at)
{
    const uint32_t *packet = at->queue->latched;
    const uint32_t slot_id = at->slot_id;
    const uint64_t size[3] = {amd_get(packet, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_X),
                              amd_get(packet, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Y),
                              amd_get(packet, AMD_AQL_KERNEL_DISPATCH_WORKGROUP_SIZE_Z)};
    const uint64_t grid[3] = {amd_get(packet, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_X),
                              amd_get(packet, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_Y),
                              amd_get(packet, AMD_AQL_KERNEL_DISPATCH_GRID_SIZE_Z)};
    const uint64_t kernel = amd_get(packet, AMD_AQL_KERNEL_DISPATCH_KERNEL_OBJECT);
    struct amd_mec_launch asked = {
        .code = AMD_AQL_TYPE_KERNEL_DISPATCH,
        .arguments = amd_get(packet, AMD_AQL_KERNEL_DISPATCH_KERNARG_ADDRESS),
        .signal = amd_get(packet, AMD_AQL_KERNEL_DISPATCH_COMPLETION_SIGNAL),
        .launch = {.packet_address = kernel},
    };
    struct amd_kind *kind = &asked.launch.kind;
    uint64_t blocks = 1;
    uint32_t descriptor[AMD_KERNEL_DWORDS];
    uint64_t threads = 1;

    for (uint32_t i = 0; i < 3; i++) {
        if (RARELY(size[i] == 0 || grid[i] == 0)) {
            amd_mec_refuse(mec, slot_id, AMD_REFUSE_DIMENSIONS);
            return AMD_MEC_STOPS;
        }
        threads *= size[i]; /* 48 bits */
        if (__builtin_mul_overflow(blocks, amd_mec_blocks(grid[i], size[i]), &blocks))
            blocks = UINT64_MAX;
    }
    if (RARELY(kernel == 0)) {
        amd_mec_refuse(mec, slot_id, AMD_REFUSE_CODE);
        return AMD_MEC_STOPS;
    }
    if (RARELY(
            !amd_mec_read_near(mec, at, &at->near->kernel, kernel, descriptor, sizeof descriptor)))
        return AMD_MEC_STOPS;
    (void)machine_inject(mec->machine, mec->unit, AMD_INJECT_KERNEL, at->doorbell, descriptor,
                         sizeof descriptor);
    asked.launch.block_count = blocks;
    kind->block_threads = threads < UINT32_MAX ? (uint32_t)threads : UINT32_MAX;
    kind->lds_bytes = (uint32_t)amd_get(packet, AMD_AQL_KERNEL_DISPATCH_GROUP_SEGMENT_SIZE);
    kind->vgprs = amd_kernel_vgprs(mec->chip->vgpr_unit, descriptor);
    kind->sgprs = amd_kernel_sgprs(mec->chip->sgpr_unit, descriptor);
    return amd_mec_launch(mec, at, &asked);
}

/* An indirect buffer of PM4 packets; the packet is complete when all of it is. */
static enum amd_mec_result amd_mec_vendor_ib(struct amd_mec *mec, const struct amd_mec_view *at)
{
    struct amd_mec_queue *queue = at->queue;
    const uint32_t *packet = queue->latched;
    const uint32_t dwords = (uint32_t)amd_get(packet, AMD_AQL_PM4_IB_IB_SIZE);

    if (dwords == 0) {
        amd_mec_signal_now(mec, at, AMD_AQL_TYPE_VENDOR,
                           amd_get(packet, AMD_AQL_PM4_IB_COMPLETION_SIGNAL));
        return AMD_MEC_DONE;
    }
    queue->ibs[0] =
        (struct amd_ib){.address = amd_get(packet, AMD_AQL_PM4_IB_IB_BASE), .dword_count = dwords};
    queue->ib_depth = 1;
    queue->ib_signal = amd_get(packet, AMD_AQL_PM4_IB_COMPLETION_SIGNAL);
    return AMD_MEC_DONE;
}

enum amd_mec_result amd_mec_aql_execute(struct amd_mec *mec, const struct amd_mec_view *at)
{
    const uint32_t *packet = at->queue->latched;
    const uint32_t slot_id = at->slot_id;
    const uint32_t type = (uint32_t)amd_get(packet, AMD_AQL_TYPE);
    const uint32_t format = (uint32_t)amd_get(packet, AMD_AQL_FORMAT);

    at->queue->passed = 0;
    if (RARELY(!amd_mec_aql_retire(mec, at)))
        return AMD_MEC_STOPS;
    switch (type) {
    case AMD_AQL_TYPE_KERNEL_DISPATCH:
        return amd_mec_kernel_dispatch(mec, at);
    case AMD_AQL_TYPE_BARRIER_AND:
    case AMD_AQL_TYPE_BARRIER_OR:
        amd_mec_signal_now(mec, at, type, amd_get(packet, AMD_AQL_BARRIER_AND_COMPLETION_SIGNAL));
        return AMD_MEC_DONE;
    case AMD_AQL_TYPE_VENDOR:
        if (format == AMD_AQL_FORMAT_PM4_IB)
            return amd_mec_vendor_ib(mec, at);
        if (format == AMD_AQL_FORMAT_BARRIER_VALUE) {
            amd_mec_signal_now(mec, at, type,
                               amd_get(packet, AMD_AQL_BARRIER_VALUE_COMPLETION_SIGNAL));
            return AMD_MEC_DONE;
        }
        amd_mec_refuse(mec, slot_id, AMD_REFUSE_VENDOR);
        return AMD_MEC_STOPS;
    default: /* agent dispatches are not for GPUs */
        amd_mec_refuse(mec, slot_id, AMD_REFUSE_FORMAT);
        return AMD_MEC_STOPS;
    }
}
