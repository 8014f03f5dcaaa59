/* SPDX-License-Identifier: MIT */
/*
 * PM4 packets: where they come from, how long they are, what holds them up.  They lie in a ring or
 * in an indirect buffer, which may call another one, or be followed by one instead of its end
 * (chained).
 */
#include <config.h>

#include "devices/amd/amd_mec_pm4.h"

#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec_tables.h"

enum { CS_PARTIAL_FLUSH = 7, NOP_OF_ONE_DWORD = 0x3fff };

/* ---- dwords ---------------------------------------------------------------------------------- */

static struct amd_ib *amd_mec_ib(const struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    return queue->ib_depth ? &queue->ibs[queue->ib_depth - 1] : NULL;
}

uint64_t amd_mec_pm4_address(const struct amd_mec *mec, uint32_t slot_id, uint32_t ahead)
{
    const struct amd_ib *ib = amd_mec_ib(mec, slot_id);

    if (ib)
        return ib->address + 4 * ((uint64_t)ib->at + ahead);
    return (amd_mec_reg64(mec, slot_id, CP_HQD_PQ_BASE, CP_HQD_PQ_BASE_HI) << 8) +
           4 * amd_mec_in_ring(mec, slot_id, amd_mec_queue(mec, slot_id)->read + ahead);
}

bool amd_mec_pm4_read(struct amd_mec *mec, uint32_t slot_id, uint32_t ahead, uint32_t *dwords,
                      uint32_t count)
{
    const uint64_t ring = amd_mec_ib(mec, slot_id) ? UINT64_MAX : amd_mec_ring(mec, slot_id);
    const uint64_t at = amd_mec_queue(mec, slot_id)->read + ahead;
    const uint64_t left =
        ring == UINT64_MAX ? count : ring - amd_mec_in_ring(mec, slot_id, at); /* up to the end */
    const uint32_t first = left < count ? (uint32_t)left : count;

    return amd_mec_read(mec, slot_id, amd_mec_pm4_address(mec, slot_id, ahead), dwords,
                        first * sizeof *dwords) &&
           (first == count ||
            amd_mec_read(mec, slot_id, amd_mec_pm4_address(mec, slot_id, ahead + first),
                         dwords + first, (count - first) * sizeof *dwords));
}

/* Dwords from here to the end of what has been written. */
static uint64_t amd_mec_pm4_left(const struct amd_mec *mec, uint32_t slot_id)
{
    const struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const struct amd_ib *ib = amd_mec_ib(mec, slot_id);

    return ib ? ib->dword_count - ib->at : queue->write - queue->read;
}

/* Returns the length of the packet in dwords, header included, or 0 if there is no such packet. */
static uint32_t amd_mec_pm4_dwords(uint32_t header)
{
    switch (AMD_PM4_TYPE(header)) {
    case 2:
        return 1;
    case 3:
        if (AMD_PM4_OPCODE(header) == AMD_PM4_NOP && AMD_PM4_COUNT(header) == NOP_OF_ONE_DWORD)
            return 1;
        return AMD_PM4_COUNT(header) + 2;
    default:
        return 0;
    }
}

/* Passes `count` of the packet's first dwords, from `first` on, through a site of faults.  Faults
 * are injected at the first fetch of a packet.  The bits that they invert stay inverted until the
 * packet is done. */
static void amd_mec_pm4_pass(struct amd_mec *mec, uint32_t slot_id, uint32_t site, uint32_t first,
                             uint32_t *dwords, uint32_t count)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    uint32_t before[AMD_AQL_DWORDS];

    for (uint32_t i = first; i < first + count && i < AMD_AQL_DWORDS; i++)
        before[i] = dwords[i];
    if (!queue->passed && count > 0)
        (void)machine_inject(mec->machine, mec->unit, site, amd_mec_doorbell_of(mec, slot_id),
                             dwords + first, count * sizeof *dwords);
    for (uint32_t i = first; i < first + count && i < AMD_AQL_DWORDS; i++)
        if (queue->passed)
            dwords[i] ^= queue->latched[i];
        else
            queue->latched[i] = before[i] ^ dwords[i];
}

static void amd_mec_pm4_pass_header(struct amd_mec *mec, uint32_t slot_id, uint32_t *dwords)
{
    if (mec->machine->inject)
        amd_mec_pm4_pass(mec, slot_id, AMD_INJECT_PM4_HEADER, 0, dwords, 1);
}

/* All of the packet is there. */
static void amd_mec_pm4_pass_body(struct amd_mec *mec, uint32_t slot_id, uint32_t *dwords,
                                  uint32_t count)
{
    if (!mec->machine->inject)
        return;
    amd_mec_pm4_pass(mec, slot_id, AMD_INJECT_PM4_BODY, 1, dwords,
                     (count < AMD_AQL_DWORDS ? count : AMD_AQL_DWORDS) - 1);
    amd_mec_queue(mec, slot_id)->passed = 1;
}

/* Reads the packet at hand.  *count is its length with the header, or 0 if it is no packet.
 * `dwords` gets as much of it as is examined, and zeros behind that, unless the packet is not
 * written completely.  Most packets need a single read.  Returns false after a fault. */
static bool amd_mec_pm4_packet(struct amd_mec *mec, uint32_t slot_id,
                               uint32_t dwords[AMD_PM4_BODY_MAX], uint32_t *count)
{
    enum { FIRST_LOOK = 16 };
    const uint64_t address = amd_mec_pm4_address(mec, slot_id, 0);
    const uint64_t read = amd_mec_queue(mec, slot_id)->read;
    const bool to_end =
        !amd_mec_ib(mec, slot_id) && amd_mec_in_ring(mec, slot_id, read + FIRST_LOOK) < FIRST_LOOK;
    uint32_t there = FIRST_LOOK;

    if (to_end || !amd_mec_peek(mec, slot_id, address, dwords, FIRST_LOOK * sizeof *dwords)) {
        there = 1;
        if (!amd_mec_pm4_read(mec, slot_id, 0, dwords, there))
            return false;
    }
    amd_mec_pm4_pass_header(mec, slot_id, dwords);
    *count = amd_mec_pm4_dwords(dwords[0]);
    if (*count > there && *count <= amd_mec_pm4_left(mec, slot_id)) {
        const uint32_t header = dwords[0];

        if (!amd_mec_pm4_read(mec, slot_id, 0, dwords,
                              *count < AMD_PM4_BODY_MAX ? *count : AMD_PM4_BODY_MAX))
            return false;
        dwords[0] = header;
    }
    for (uint32_t i = *count; i < there; i++)
        dwords[i] = 0;
    if (*count > 0 && *count <= amd_mec_pm4_left(mec, slot_id))
        amd_mec_pm4_pass_body(mec, slot_id, dwords, *count);
    return true;
}

/* ---- going on -------------------------------------------------------------------------------- */

/* The read pointer as the driver sees it: in a register, and in memory. */
static bool amd_mec_pm4_report(struct amd_mec *mec, uint32_t slot_id)
{
    const uint64_t report =
        amd_mec_reg64(mec, slot_id, CP_HQD_PQ_RPTR_REPORT_ADDR, CP_HQD_PQ_RPTR_REPORT_ADDR_HI);
    uint64_t at = amd_mec_in_ring(mec, slot_id, amd_mec_queue(mec, slot_id)->read);

    *amd_gc_hqd(mec->gc, slot_id, CP_HQD_PQ_RPTR) = (uint32_t)at;
    return report == 0 ||
           !machine_inject(mec->machine, mec->unit, AMD_INJECT_RPTR,
                           amd_mec_doorbell_of(mec, slot_id), &at, sizeof at) ||
           amd_mec_write(mec, slot_id, report, &at, sizeof(uint32_t));
}

/* The indirect buffer that an AQL packet has called is at its end: that packet is complete when all
 * that the buffer asked for is. */
static void amd_mec_pm4_return(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    if (!amd_mec_is_aql(mec, slot_id))
        return;
    amd_mec_pend(mec, slot_id, AMD_AQL_TYPE_VENDOR)->signal = queue->ib_signal;
    queue->ib_signal = 0;
    amd_mec_settle(mec, slot_id);
}

bool amd_mec_pm4_dword(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords, uint32_t n,
                       uint32_t *value)
{
    if (n >= AMD_PM4_BODY_MAX)
        return amd_mec_pm4_read(mec, slot_id, n, value, 1);
    *value = dwords[n];
    return true;
}

bool amd_mec_pm4_skip(struct amd_mec *mec, uint32_t slot_id, uint32_t dwords)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    struct amd_ib *ib = amd_mec_ib(mec, slot_id);

    if (!ib) {
        queue->read +=
            dwords < amd_mec_pm4_left(mec, slot_id) ? dwords : amd_mec_pm4_left(mec, slot_id);
        return amd_mec_pm4_report(mec, slot_id);
    }
    ib->at = dwords < ib->dword_count - ib->at ? ib->at + dwords : ib->dword_count;
    return true;
}

/* Buffers that are at their end return to where they were called. */
static void amd_mec_pm4_unwind(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);

    while (queue->ib_depth > 0 &&
           amd_mec_ib(mec, slot_id)->at == amd_mec_ib(mec, slot_id)->dword_count) {
        queue->ib_depth--;
        if (queue->ib_depth == 0)
            amd_mec_pm4_return(mec, slot_id);
    }
}

bool amd_mec_pm4_call(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const bool chain = amd_get(dwords, AMD_PM4_INDIRECT_BUFFER_CHAIN) && queue->ib_depth > 0;
    const struct amd_ib ib = {.address = amd_get(dwords, AMD_PM4_INDIRECT_BUFFER_IB_BASE),
                              .dword_count =
                                  (uint32_t)amd_get(dwords, AMD_PM4_INDIRECT_BUFFER_IB_SIZE)};

    if (!amd_get(dwords, AMD_PM4_INDIRECT_BUFFER_VALID) || ib.dword_count == 0)
        return true;
    if (!chain && queue->ib_depth == AMD_IB_DEPTH)
        return false;
    if (!chain)
        queue->ib_depth++;
    queue->ibs[queue->ib_depth - 1] = ib;
    return true;
}

/* ---- what holds a packet up ------------------------------------------------------------------ */

static enum amd_mec_result amd_mec_wait_reg_mem(struct amd_mec *mec, uint32_t slot_id,
                                                const uint32_t *dwords)
{
    const uint64_t address = amd_get(dwords, AMD_PM4_WAIT_REG_MEM_POLL_ADDR);
    const bool memory = amd_get(dwords, AMD_PM4_WAIT_REG_MEM_MEM_SPACE) == 1;
    uint32_t value;

    if (!memory)
        value = machine_read32(mec->machine,
                               4 * (uint32_t)amd_get(dwords, AMD_PM4_WAIT_REG_MEM_REG_REG));
    else if (!amd_mec_read(mec, slot_id, address, &value, sizeof value))
        return AMD_MEC_STOPS;
    if (amd_compares((uint32_t)amd_get(dwords, AMD_PM4_WAIT_REG_MEM_FUNCTION),
                     value & amd_get(dwords, AMD_PM4_WAIT_REG_MEM_MASK),
                     amd_get(dwords, AMD_PM4_WAIT_REG_MEM_REFERENCE)))
        return AMD_MEC_DONE;
    if (memory && !amd_mec_watch(mec, slot_id, 0, address))
        return AMD_MEC_STOPS;
    /* A register that changes is looked at again when something of the queue is complete. */
    amd_mec_block(mec, slot_id, RULE_AMD_WRM, memory ? address : 0);
    return AMD_MEC_WAITS;
}

static enum amd_mec_result amd_mec_pm4_hold(struct amd_mec *mec, uint32_t slot_id, uint32_t rule)
{
    amd_mec_block(mec, slot_id, rule, 0);
    return AMD_MEC_WAITS;
}

static enum amd_mec_result amd_mec_pm4_ready(struct amd_mec *mec, uint32_t slot_id,
                                             const uint32_t *dwords)
{
    switch (AMD_PM4_OPCODE(dwords[0])) {
    case AMD_PM4_WAIT_REG_MEM:
        return amd_mec_wait_reg_mem(mec, slot_id, dwords);
    case AMD_PM4_DISPATCH_DIRECT:
    case AMD_PM4_DISPATCH_INDIRECT:
        if (!amd_mec_has_cu(mec, slot_id))
            return amd_mec_pm4_hold(mec, slot_id, RULE_AMD_NO_CU);
        break;
    case AMD_PM4_EVENT_WRITE:
        if (amd_get(dwords, AMD_PM4_EVENT_WRITE_EVENT_TYPE) == CS_PARTIAL_FLUSH &&
            amd_mec_queue(mec, slot_id)->dispatches > 0)
            return amd_mec_pm4_hold(mec, slot_id, RULE_AMD_FLUSH);
        break;
    case AMD_PM4_SET_RESOURCES:
    case AMD_PM4_MAP_PROCESS:
    case AMD_PM4_MAP_QUEUES:
    case AMD_PM4_UNMAP_QUEUES:
    case AMD_PM4_QUERY_STATUS:
    case AMD_PM4_RUN_LIST:
        if (amd_mec_is_private(mec, slot_id) && mec->client.scheduler_waits &&
            mec->client.scheduler_waits(mec->client.client))
            return amd_mec_pm4_hold(mec, slot_id, RULE_AMD_SCHEDULER);
        break;
    default:
        break;
    }
    /* Any packet may be the last of a buffer, whose end needs a place, too. */
    return amd_mec_has_room(mec, slot_id) ? AMD_MEC_DONE
                                          : amd_mec_pm4_hold(mec, slot_id, RULE_AMD_ROOM);
}

/* It is no packet, or goes on behind the end of its buffer. */
static enum amd_mec_result amd_mec_pm4_bad(struct amd_mec *mec, uint32_t slot_id)
{
    amd_mec_stop(mec, slot_id, AMD_NO_ERROR_BIT, AMD_IH_BAD_OPCODE);
    return AMD_MEC_STOPS;
}

enum amd_mec_result amd_mec_pm4_fetch(struct amd_mec *mec, uint32_t slot_id)
{
    struct amd_mec_queue *queue = amd_mec_queue(mec, slot_id);
    const uint64_t left = amd_mec_pm4_left(mec, slot_id);
    uint32_t dwords[AMD_PM4_BODY_MAX] = {0}, count = 0;
    enum amd_mec_result result;

    if (left > 0 && !amd_mec_pm4_packet(mec, slot_id, dwords, &count))
        return AMD_MEC_STOPS;
    if (left > 0 && (count == 0 || (count > left && queue->ib_depth > 0)))
        return amd_mec_pm4_bad(mec, slot_id);
    if (count > left || left == 0) { /* the rest has not been written yet */
        amd_mec_idle(mec, slot_id);
        return AMD_MEC_WAITS;
    }
    if (queue->ib_depth == 0)
        queue->packet = queue->read;
    result = amd_mec_pm4_ready(mec, slot_id, dwords);
    if (result == AMD_MEC_DONE)
        MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_PACKET, RULE_NONE, slot_id,
                    amd_mec_doorbell_of(mec, slot_id), queue->packet, 0, AMD_PM4_OPCODE(dwords[0]),
                    amd_mec_pm4_address(mec, slot_id, 0), 0);
    return result;
}

enum amd_mec_result amd_mec_pm4_execute(struct amd_mec *mec, uint32_t slot_id)
{
    uint32_t dwords[AMD_PM4_BODY_MAX] = {0}, count = 0;
    enum amd_mec_result result = AMD_MEC_DONE;

    if (!amd_mec_pm4_packet(mec, slot_id, dwords, &count))
        return AMD_MEC_STOPS;
    amd_mec_queue(mec, slot_id)->passed = 0;
    /* It has been changed since it was looked at. */
    if (count == 0 || count > amd_mec_pm4_left(mec, slot_id))
        return amd_mec_pm4_bad(mec, slot_id);
    if (AMD_PM4_TYPE(dwords[0]) == 3)
        result = amd_mec_pm4_effect(mec, slot_id, dwords, count);
    else if (!amd_mec_pm4_skip(mec, slot_id, count))
        result = AMD_MEC_STOPS;
    if (result != AMD_MEC_STOPS)
        amd_mec_pm4_unwind(mec, slot_id);
    return result;
}
