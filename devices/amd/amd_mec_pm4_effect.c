/* SPDX-License-Identifier: MIT */
/* What PM4 packets do. */
#include <config.h>

#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_kernel.h"
#include "devices/amd/amd_mec_pm4.h"
#include "devices/amd/amd_mec_tables.h"

enum { SH_BASE = 0xb000, CONFIG_BASE = 0x8000, UCONFIG_BASE = 0x30000, UCONFIG_END = 0x31000 };
enum { AMD_IH_ILLEGAL_REGISTER = 184 };

/* ---- memory and registers -------------------------------------------------------------------- */

static bool amd_mec_store(struct amd_mec *mec, uint32_t slot_id, uint64_t address, uint64_t value,
                          uint32_t bytes)
{
    MACHINE_LOG(mec->machine, mec->unit, EVENT_AMD_WRITE, RULE_NONE, slot_id,
                amd_mec_doorbell_of(mec, slot_id), address, value, bytes);
    return amd_mec_write(mec, slot_id, address, &value, bytes);
}

/* A register by its byte offset: the queue's own dispatch registers, those that any program may
 * write, or any. */
static bool amd_mec_set_register(struct amd_mec *mec, uint32_t slot_id, uint32_t offset,
                                 uint32_t value)
{
    if (offset >= AMD_COMPUTE_BASE && offset < AMD_COMPUTE_BASE + 4 * AMD_COMPUTE_DWORDS) {
        *amd_gc_compute(mec->gc, slot_id, offset) = value;
        return true;
    }
    if (!amd_mec_is_private(mec, slot_id) && (offset < UCONFIG_BASE || offset >= UCONFIG_END)) {
        amd_mec_stop(mec, slot_id, AMD_NO_ERROR_BIT, AMD_IH_ILLEGAL_REGISTER);
        return false;
    }
    machine_write32(mec->machine, offset, value);
    return true;
}

static uint32_t amd_mec_get_register(struct amd_mec *mec, uint32_t slot_id, uint32_t offset)
{
    if (offset >= AMD_COMPUTE_BASE && offset < AMD_COMPUTE_BASE + 4 * AMD_COMPUTE_DWORDS)
        return *amd_gc_compute(mec->gc, slot_id, offset);
    return machine_read32(mec->machine, offset);
}

/* SET_SH_REG, SET_UCONFIG_REG, SET_CONFIG_REG */
static bool amd_mec_set_registers(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords,
                                  uint32_t count, uint32_t base)
{
    const uint32_t offset = base + 4 * (uint32_t)amd_get(dwords, AMD_PM4_SET_SH_REG_OFFSET);

    for (uint32_t i = 2; i < count; i++) {
        uint32_t value;

        if (!amd_mec_pm4_dword(mec, slot_id, dwords, i, &value) ||
            !amd_mec_set_register(mec, slot_id, offset + 4 * (i - 2), value))
            return false;
    }
    return true;
}

static bool amd_mec_write_data(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords,
                               uint32_t count)
{
    const uint64_t select = amd_get(dwords, AMD_PM4_WRITE_DATA_DST_SEL);
    const uint64_t address = amd_get(dwords, AMD_PM4_WRITE_DATA_DST_ADDR);
    const bool one = amd_get(dwords, AMD_PM4_WRITE_DATA_WR_ONE_ADDR);

    for (uint32_t i = 4; i < count; i++) {
        const uint64_t at = address + (one ? 0 : (uint64_t)(i - 4) * (select == 0 ? 1 : 4));
        uint32_t value;

        if (!amd_mec_pm4_dword(mec, slot_id, dwords, i, &value))
            return false;
        if (select == 0 ? !amd_mec_set_register(mec, slot_id, 4 * (uint32_t)at, value)
                        : select != 3 /* GDS */ && !amd_mec_store(mec, slot_id, at, value, 4))
            return false;
    }
    return true;
}

static bool amd_mec_copy_data(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords)
{
    const uint32_t bytes = amd_get(dwords, AMD_PM4_COPY_DATA_COUNT_SEL) ? 8 : 4;
    const uint64_t source = amd_get(dwords, AMD_PM4_COPY_DATA_SRC);
    const uint64_t target = amd_get(dwords, AMD_PM4_COPY_DATA_DST);
    const struct clock_domain clock = {.frequency_hz = mec->chip->reference_hz};
    uint64_t value = 0;

    switch (amd_get(dwords, AMD_PM4_COPY_DATA_SRC_SEL)) {
    case 0: /* a register, by its dword */
        value = amd_mec_get_register(mec, slot_id, 4 * (uint32_t)source);
        break;
    case 1:
    case 2:
        if (!amd_mec_read(mec, slot_id, source, &value, bytes))
            return false;
        break;
    case 5:
        value = source;
        break;
    case 9:
        value = clock_cycle_at(&clock, machine_now(mec->machine));
        break;
    default:
        break;
    }
    switch (amd_get(dwords, AMD_PM4_COPY_DATA_DST_SEL)) {
    case 0:
        return amd_mec_set_register(mec, slot_id, 4 * (uint32_t)target, (uint32_t)value);
    case 1:
    case 2:
    case 5:
        return amd_mec_store(mec, slot_id, target, bytes == 8 ? value : (uint32_t)value, bytes);
    default:
        return true;
    }
}

static bool amd_mec_atomic(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords)
{
    const uint32_t operation = (uint32_t)amd_get(dwords, AMD_PM4_ATOMIC_MEM_ATOMIC);
    const uint64_t address = amd_get(dwords, AMD_PM4_ATOMIC_MEM_ADDR);
    const uint64_t source = amd_get(dwords, AMD_PM4_ATOMIC_MEM_SRC_DATA);
    const uint64_t compared = amd_get(dwords, AMD_PM4_ATOMIC_MEM_CMP_DATA);
    const uint32_t bytes = operation & 0x20 ? 8 : 4;
    uint64_t value = 0;

    if (!amd_mec_read(mec, slot_id, address, &value, bytes))
        return false;
    if (!amd_atomic(operation, source, compared, &value)) {
        amd_mec_unmodelled(mec, UNMODELLED_PM4, amd_loss_at(mec->losses[AMD_PM4_ATOMIC_MEM] - 1u),
                           operation);
        return true;
    }
    return amd_mec_store(mec, slot_id, address, bytes == 8 ? value : (uint32_t)value, bytes);
}

static void amd_mec_release_mem(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords)
{
    struct amd_pending *record = amd_mec_pend(mec, slot_id, AMD_PM4_RELEASE_MEM);

    record->is_release = 1;
    record->signal = amd_get(dwords, AMD_PM4_RELEASE_MEM_ADDR);
    record->data = amd_get(dwords, AMD_PM4_RELEASE_MEM_DATA);
    record->data_sel = (uint8_t)amd_get(dwords, AMD_PM4_RELEASE_MEM_DATA_SEL);
    record->int_sel = (uint8_t)amd_get(dwords, AMD_PM4_RELEASE_MEM_INT_SEL);
    record->context_id = (uint32_t)amd_get(dwords, AMD_PM4_RELEASE_MEM_INT_CTXID);
    amd_mec_settle(mec, slot_id);
}

/* ---- dispatches ------------------------------------------------------------------------------ */

static enum amd_mec_result amd_mec_dispatch(struct amd_mec *mec, uint32_t slot_id,
                                            const uint32_t dimensions[3], uint32_t initiator)
{
    uint32_t descriptor[AMD_KERNEL_DWORDS] = {0};
    struct amd_mec_launch asked = {.code = AMD_PM4_DISPATCH_DIRECT, .launch.block_count = 1};
    struct amd_kind *kind = &asked.launch.kind;
    struct amd_mec_view at;
    uint64_t threads = 1;
    uint32_t rsrc2;

#define COMPUTE(offset) *amd_gc_compute(mec->gc, slot_id, (offset))
    COMPUTE(COMPUTE_DISPATCH_INITIATOR) = initiator;
    if (!REG_GET(initiator, COMPUTE_DISPATCH_INITIATOR__COMPUTE_SHADER_EN))
        return AMD_MEC_DONE;
    for (uint32_t i = 0; i < 3; i++) {
        const uint32_t size =
            REG_GET(COMPUTE(COMPUTE_NUM_THREAD_X + 4 * i), COMPUTE_NUM_THREAD_X__NUM_THREAD_FULL);
        uint64_t blocks = dimensions[i];

        COMPUTE(COMPUTE_DIM_X + 4 * i) = dimensions[i];
        if (REG_GET(initiator, COMPUTE_DISPATCH_INITIATOR__USE_THREAD_DIMENSIONS))
            blocks = size ? (blocks + size - 1) / size : 0;
        threads *= size; /* 48 bits */
        if (__builtin_mul_overflow(asked.launch.block_count, blocks, &asked.launch.block_count))
            asked.launch.block_count = UINT64_MAX;
    }
    descriptor[12] = COMPUTE(COMPUTE_PGM_RSRC1);
    descriptor[13] = rsrc2 = COMPUTE(COMPUTE_PGM_RSRC2);
    asked.launch.packet_address =
        ((uint64_t)COMPUTE(COMPUTE_PGM_HI) << 32 | COMPUTE(COMPUTE_PGM_LO)) << 8;
#undef COMPUTE
    kind->block_threads = threads < UINT32_MAX ? (uint32_t)threads : UINT32_MAX;
    kind->lds_bytes = REG_GET(rsrc2, COMPUTE_PGM_RSRC2__LDS_SIZE) * 512;
    kind->vgprs = amd_kernel_vgprs(mec->chip->vgpr_unit, descriptor);
    kind->sgprs = amd_kernel_sgprs(mec->chip->sgpr_unit, descriptor);
    at = amd_mec_view(mec, slot_id);
    return amd_mec_launch(mec, &at, &asked);
}

static enum amd_mec_result amd_mec_dispatch_indirect(struct amd_mec *mec, uint32_t slot_id,
                                                     const uint32_t *dwords)
{
    uint32_t dimensions[3];

    if (!amd_mec_read(mec, slot_id, amd_get(dwords, AMD_PM4_DISPATCH_INDIRECT_ADDR), dimensions,
                      sizeof dimensions))
        return AMD_MEC_STOPS;
    return amd_mec_dispatch(mec, slot_id, dimensions,
                            (uint32_t)amd_get(dwords, AMD_PM4_DISPATCH_INDIRECT_INITIATOR));
}

/* ---- all ------------------------------------------------------------------------------------- */

/* COND_EXEC, PRED_EXEC: skips the dwords that follow unless the packet's condition holds. */
static bool amd_mec_conditional(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords)
{
    const bool by_memory = AMD_PM4_OPCODE(dwords[0]) == AMD_PM4_COND_EXEC;
    uint32_t go = amd_get(dwords, AMD_PM4_PRED_EXEC_DEVICE_SELECT) & 1; /* the only device */

    if (by_memory && !amd_mec_read(mec, slot_id, amd_get(dwords, AMD_PM4_COND_EXEC_ADDR), &go, 4))
        return false;
    return go != 0 ||
           amd_mec_pm4_skip(mec, slot_id,
                            (uint32_t)amd_get(dwords, by_memory ? AMD_PM4_COND_EXEC_EXEC_COUNT
                                                                : AMD_PM4_PRED_EXEC_EXEC_COUNT));
}

/* The scheduler's packets, on the queue of the kernel driver alone. */
static enum amd_mec_result amd_mec_schedule(struct amd_mec *mec, uint32_t slot_id,
                                            const uint32_t *dwords, uint32_t count)
{
    if (!mec->client.schedule || !amd_mec_is_private(mec, slot_id)) {
        amd_mec_stop(mec, slot_id, AMD_NO_ERROR_BIT, AMD_IH_BAD_OPCODE);
        return AMD_MEC_STOPS;
    }
    if (mec->client.schedule(mec->client.client, slot_id, dwords,
                             count < AMD_PM4_BODY_MAX ? count : AMD_PM4_BODY_MAX))
        return AMD_MEC_DONE;
    amd_mec_stop(mec, slot_id, AMD_NO_ERROR_BIT, 0);
    return AMD_MEC_STOPS;
}

/* A packet that has a name and no effect here (which is logged already), or none at all. */
static enum amd_mec_result amd_mec_other(struct amd_mec *mec, uint32_t slot_id,
                                         const uint32_t *dwords, uint32_t count)
{
    struct amd_reader reader = {.dwords = dwords,
                                .count = count < AMD_PM4_BODY_MAX ? count : AMD_PM4_BODY_MAX};
    struct amd_packet packet;

    if (amd_pm4_next(&reader, &packet) && packet.problem != AMD_UNKNOWN)
        return AMD_MEC_DONE;
    amd_mec_stop(mec, slot_id, AMD_NO_ERROR_BIT, AMD_IH_BAD_OPCODE);
    return AMD_MEC_STOPS;
}

static enum amd_mec_result amd_mec_result_of(bool ok)
{
    return ok ? AMD_MEC_DONE : AMD_MEC_STOPS;
}

/* What the packet does that was at hand, and has been skipped if nothing of it is to be read again.
 */
static enum amd_mec_result amd_mec_do(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords,
                                      uint32_t count)
{
    switch (AMD_PM4_OPCODE(dwords[0])) {
    case AMD_PM4_NOP:
    case AMD_PM4_WAIT_REG_MEM: /* it has been true */
    case AMD_PM4_ACQUIRE_MEM:  /* caches */
    case AMD_PM4_EVENT_WRITE:
    case AMD_PM4_INVALIDATE_TLBS:
        return AMD_MEC_DONE;
    case AMD_PM4_DISPATCH_DIRECT:
        return amd_mec_dispatch(mec, slot_id, &dwords[1], dwords[4]);
    case AMD_PM4_DISPATCH_INDIRECT:
        return amd_mec_dispatch_indirect(mec, slot_id, dwords);
    case AMD_PM4_COND_EXEC:
    case AMD_PM4_PRED_EXEC:
        return amd_mec_result_of(amd_mec_conditional(mec, slot_id, dwords));
    case AMD_PM4_COPY_DATA:
        return amd_mec_result_of(amd_mec_copy_data(mec, slot_id, dwords));
    case AMD_PM4_ATOMIC_MEM:
        return amd_mec_result_of(amd_mec_atomic(mec, slot_id, dwords));
    case AMD_PM4_RELEASE_MEM:
        amd_mec_release_mem(mec, slot_id, dwords);
        return AMD_MEC_DONE;
    case AMD_PM4_INDIRECT_BUFFER:
        if (amd_mec_pm4_call(mec, slot_id, dwords))
            return AMD_MEC_DONE;
        amd_mec_stop(mec, slot_id, AMD_NO_ERROR_BIT, AMD_IH_BAD_OPCODE);
        return AMD_MEC_STOPS;
    case AMD_PM4_SET_RESOURCES:
    case AMD_PM4_MAP_PROCESS:
    case AMD_PM4_MAP_QUEUES:
    case AMD_PM4_UNMAP_QUEUES:
    case AMD_PM4_QUERY_STATUS:
    case AMD_PM4_RUN_LIST:
        return amd_mec_schedule(mec, slot_id, dwords, count);
    default:
        return amd_mec_other(mec, slot_id, dwords, count);
    }
}

/* Packets with data of any length, which are read where they are. */
static bool amd_mec_do_data(struct amd_mec *mec, uint32_t slot_id, const uint32_t *dwords,
                            uint32_t count, bool *ok)
{
    switch (AMD_PM4_OPCODE(dwords[0])) {
    case AMD_PM4_SET_SH_REG:
        *ok = amd_mec_set_registers(mec, slot_id, dwords, count, SH_BASE);
        return true;
    case AMD_PM4_SET_UCONFIG_REG:
        *ok = amd_mec_set_registers(mec, slot_id, dwords, count, UCONFIG_BASE);
        return true;
    case AMD_PM4_SET_CONFIG_REG:
        *ok = amd_mec_set_registers(mec, slot_id, dwords, count, CONFIG_BASE);
        return true;
    case AMD_PM4_WRITE_DATA:
        *ok = amd_mec_write_data(mec, slot_id, dwords, count);
        return true;
    default:
        return false;
    }
}

/* Logs what the packet loses of its effect, if anything. */
static void amd_mec_account(struct amd_mec *mec, const uint32_t *dwords)
{
    const struct amd_loss *loss = amd_loss_hit(mec->losses[AMD_PM4_OPCODE(dwords[0])] - 1u, dwords);

    if (loss != NULL)
        amd_mec_unmodelled(mec, UNMODELLED_PM4, loss,
                           loss->bits ? amd_get(dwords, loss->bits) : dwords[0]);
}

enum amd_mec_result amd_mec_pm4_effect(struct amd_mec *mec, uint32_t slot_id,
                                       const uint32_t *dwords, uint32_t count)
{
    bool ok = true;

    if (mec->losses[AMD_PM4_OPCODE(dwords[0])] != 0)
        amd_mec_account(mec, dwords);

    if (amd_mec_do_data(mec, slot_id, dwords, count, &ok))
        return amd_mec_result_of(ok && amd_mec_pm4_skip(mec, slot_id, count));
    if (!amd_mec_pm4_skip(mec, slot_id, count))
        return AMD_MEC_STOPS;
    return amd_mec_do(mec, slot_id, dwords, count);
}
