/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/formats/amd_effect.h"

#include <string.h>

#include "devices/amd/formats/amd_pm4.h"
#include "devices/amd/formats/amd_pm4_fields.h"
#include "devices/amd/formats/amd_sdma_fields.h"
#include "devices/amd/formats/amd_sdma_packet.h"

#define LOST_GRAPHICS  "graphics: there is no graphics engine"
#define LOST_CACHE     "there are no caches: the time of a flush or invalidation"
#define LOST_GDS       "the global data share: what is written there, and reads give 0"
#define LOST_COUNT     "counters and traces, whose values are not written"
#define LOST_REGISTERS "registers that the packet loads or sets"
#define LOST_ORDER     "the order of the parts of the graphics engine"
#define LOST_SEMAPHORE "semaphores of this form"
#define LOST_MEMORY    "what the packet writes to memory"
#define LOST_TILED     "tiled and structured surfaces, and copies to two places"
#define LOST_PAGES     "page tables: what the packet writes into them"
#define LOST_POLL      "polls of registers, and what they write: the queue goes on"
#define LOST_ATOMIC    "atomic operations of this number"
#define LOST_TARGET    "writes to the queue's write pointer"
#define LOST_INTERRUPT "interrupts that depend on a value"

#define BIT(value) (UINT64_C(1) << (value))
/* No data word has the row: the unit knows. */
#define BY_UNIT    UINT64_MAX

/* clang-format off */
#define PM4(code, name, lost) {AMD_PACKET_PM4, code, 0, 0, name, NULL, lost},
#define PM4_FIELD(packet, field, harmless, lost) \
    {AMD_PACKET_PM4, AMD_PM4_##packet, AMD_PM4_##packet##_##field, harmless, #packet, #field, lost},
#define SDMA(code, name, lost) {AMD_PACKET_SDMA, code, 0, 0, name, NULL, lost},
#define SDMA_FIELD(packet, field, harmless, lost) \
    {AMD_PACKET_SDMA, AMD_SDMA_OP_##packet, AMD_SDMA_##packet##_##field, harmless, #packet, #field, lost},
static const struct amd_loss losses[] = {
    PM4(0x11, "SET_BASE", LOST_GRAPHICS)
    PM4(0x12, "CLEAR_STATE", LOST_GRAPHICS)
    PM4(0x13, "INDEX_BUFFER_SIZE", LOST_GRAPHICS)
    PM4(0x1d, "ATOMIC_GDS", LOST_GDS)
    PM4_FIELD(ATOMIC_MEM, ATOMIC, BY_UNIT, LOST_ATOMIC)
    PM4(0x1f, "OCCLUSION_QUERY", LOST_COUNT)
    PM4(0x20, "SET_PREDICATION", LOST_GRAPHICS)
    PM4(0x21, "REG_RMW", LOST_REGISTERS)
    PM4(0x24, "DRAW_INDIRECT", LOST_GRAPHICS)
    PM4(0x25, "DRAW_INDEX_INDIRECT", LOST_GRAPHICS)
    PM4(0x26, "INDEX_BASE", LOST_GRAPHICS)
    PM4(0x27, "DRAW_INDEX_2", LOST_GRAPHICS)
    PM4(0x28, "CONTEXT_CONTROL", LOST_GRAPHICS)
    PM4(0x2a, "INDEX_TYPE", LOST_GRAPHICS)
    PM4(0x2c, "DRAW_INDIRECT_MULTI", LOST_GRAPHICS)
    PM4(0x2d, "DRAW_INDEX_AUTO", LOST_GRAPHICS)
    PM4(0x2f, "NUM_INSTANCES", LOST_GRAPHICS)
    PM4(0x30, "DRAW_INDEX_MULTI_AUTO", LOST_GRAPHICS)
    PM4(0x33, "INDIRECT_BUFFER_CONST", LOST_GRAPHICS)
    PM4(0x34, "STRMOUT_BUFFER_UPDATE", LOST_MEMORY)
    PM4(0x35, "DRAW_INDEX_OFFSET_2", LOST_GRAPHICS)
    PM4(0x36, "DRAW_PREAMBLE", LOST_GRAPHICS)
    PM4_FIELD(WRITE_DATA, DST_SEL, BIT(0) | BIT(1) | BIT(2) | BIT(5), LOST_GDS)
    PM4(0x38, "DRAW_INDEX_INDIRECT_MULTI", LOST_GRAPHICS)
    PM4(0x39, "MEM_SEMAPHORE", LOST_SEMAPHORE)
    PM4_FIELD(WAIT_REG_MEM, OPERATION, BIT(0) | BIT(3), LOST_REGISTERS)
    PM4_FIELD(COPY_DATA, SRC_SEL, BIT(0) | BIT(1) | BIT(2) | BIT(5) | BIT(9), LOST_GDS)
    PM4_FIELD(COPY_DATA, DST_SEL, BIT(0) | BIT(1) | BIT(2) | BIT(5), LOST_GDS)
    PM4(0x42, "PFP_SYNC_ME", LOST_ORDER)
    PM4(0x45, "COND_WRITE", LOST_MEMORY)
    /* CS_PARTIAL_FLUSH waits. */
    PM4_FIELD(EVENT_WRITE, EVENT_TYPE, BIT(7), LOST_COUNT)
    PM4_FIELD(RELEASE_MEM, DST_SEL, BIT(0) | BIT(1), LOST_TARGET)
    PM4_FIELD(RELEASE_MEM, DATA_SEL, BIT(0) | BIT(1) | BIT(2) | BIT(3), LOST_COUNT)
    PM4_FIELD(RELEASE_MEM, INT_SEL, BIT(0) | BIT(1) | BIT(2) | BIT(3), LOST_INTERRUPT)
    PM4(0x4a, "PREAMBLE_CNTL", LOST_GRAPHICS)
    PM4(0x50, "DMA_DATA", LOST_MEMORY)
    PM4(0x58, "ACQUIRE_MEM", LOST_CACHE)
    PM4(0x59, "REWIND", LOST_ORDER)
    PM4(0x5e, "LOAD_UCONFIG_REG", LOST_REGISTERS)
    PM4(0x5f, "LOAD_SH_REG", LOST_REGISTERS)
    PM4(0x60, "LOAD_CONFIG_REG", LOST_REGISTERS)
    PM4(0x61, "LOAD_CONTEXT_REG", LOST_REGISTERS)
    PM4(0x69, "SET_CONTEXT_REG", LOST_GRAPHICS)
    PM4(0x73, "SET_CONTEXT_REG_INDIRECT", LOST_GRAPHICS)
    PM4(0x77, "SET_SH_REG_OFFSET", LOST_REGISTERS)
    PM4(0x78, "SET_QUEUE_REG", LOST_REGISTERS)
    PM4(0x7d, "SCRATCH_RAM_WRITE", LOST_GRAPHICS)
    PM4(0x7e, "SCRATCH_RAM_READ", LOST_GRAPHICS)
    PM4(0x80, "LOAD_CONST_RAM", LOST_GRAPHICS)
    PM4(0x81, "WRITE_CONST_RAM", LOST_GRAPHICS)
    PM4(0x83, "DUMP_CONST_RAM", LOST_MEMORY)
    PM4(0x84, "INCREMENT_CE_COUNTER", LOST_ORDER)
    PM4(0x85, "INCREMENT_DE_COUNTER", LOST_ORDER)
    PM4(0x86, "WAIT_ON_CE_COUNTER", LOST_ORDER)
    PM4(0x88, "WAIT_ON_DE_COUNTER_DIFF", LOST_ORDER)
    PM4(0x8b, "SWITCH_BUFFER", LOST_ORDER)
    PM4(0x90, "FRAME_CONTROL", LOST_GRAPHICS)
    PM4(0x98, "INVALIDATE_TLBS", LOST_CACHE)
    SDMA(0x001, "COPY_BROADCAST_LINEAR", LOST_TILED)
    SDMA(0x101, "COPY_TILED", LOST_TILED)
    SDMA(0x101, "COPY_L2T_BROADCAST", LOST_TILED)
    SDMA(0x301, "COPY_STRUCT", LOST_TILED)
    SDMA(0x501, "COPY_TILED_SUBWIN", LOST_TILED)
    SDMA(0x601, "COPY_T2T", LOST_TILED)
    SDMA(0x701, "COPY_DIRTY_PAGE", LOST_TILED)
    SDMA(0x801, "COPY_PHYSICAL_LINEAR", LOST_TILED)
    SDMA(0x102, "WRITE_TILED", LOST_TILED)
    SDMA(0x007, "SEMAPHORE", LOST_SEMAPHORE)
    SDMA(0x008, "HDP_FLUSH", LOST_CACHE)
    SDMA_FIELD(POLL_REGMEM, HDP_FLUSH, BIT(0), LOST_CACHE)
    SDMA_FIELD(POLL_REGMEM, MEM_POLL, BIT(1), LOST_POLL)
    SDMA(0x108, "POLL_REG_WRITE_MEM", LOST_POLL)
    SDMA(0x208, "POLL_DBIT_WRITE_MEM", LOST_POLL)
    SDMA(0x308, "POLL_MEM_VERIFY", LOST_POLL)
    SDMA_FIELD(ATOMIC, ATOMIC_OP, BY_UNIT, LOST_ATOMIC)
    SDMA(0x10b, "DATA_FILL_MULTI", LOST_MEMORY)
    SDMA(0x00c, "WRITE_INCR", LOST_PAGES)
    SDMA(0x10c, "PTEPDE_COPY", LOST_PAGES)
    SDMA(0x20c, "PTEPDE_RMW", LOST_PAGES)
    SDMA(0x30c, "PTEPDE_COPY_BACKWARDS", LOST_PAGES)
};
/* clang-format on */

enum { LOSSES = sizeof losses / sizeof losses[0] };
_Static_assert(LOSSES < 256, "a byte for a row");

/* Packets that a unit carries out.  Memory is coherent here, so that the fences of AQL's headers
 * are kept; their caches' time is not modelled. */
const char *const amd_modelled[] = {
    [AMD_PACKET_PM4] = (" NOP DISPATCH_DIRECT DISPATCH_INDIRECT ATOMIC_MEM COND_EXEC PRED_EXEC "
                        "WRITE_DATA WAIT_REG_MEM INDIRECT_BUFFER COPY_DATA EVENT_WRITE RELEASE_MEM "
                        "SET_CONFIG_REG SET_SH_REG SET_UCONFIG_REG SET_RESOURCES MAP_PROCESS "
                        "MAP_QUEUES UNMAP_QUEUES QUERY_STATUS RUN_LIST "),
    [AMD_PACKET_SDMA] = (" NOP COPY_LINEAR COPY_LINEAR_SUBWIN WRITE_UNTILED INDIRECT FENCE TRAP "
                         "POLL_REGMEM COND_EXE ATOMIC CONSTANT_FILL TIMESTAMP_SET TIMESTAMP_GET "
                         "TIMESTAMP_GET_GLOBAL SRBM_WRITE PRE_EXE DUMMY_TRAP "),
    /* An agent dispatch, or a vendor's packet of another format, stops the queue. */
    [AMD_PACKET_AQL] = (" VENDOR INVALID KERNEL_DISPATCH BARRIER_AND BARRIER_OR AGENT_DISPATCH "
                        "AMD_PM4_IB AMD_BARRIER_VALUE "),
};

const struct amd_loss *amd_loss_at(size_t index)
{
    return index < LOSSES ? &losses[index] : NULL;
}

void amd_losses_fill(enum amd_packet_kind kind, uint8_t rows[256])
{
    memset(rows, 0, 256);
    for (size_t i = 0; i < LOSSES; i++)
        if (losses[i].kind == kind && rows[losses[i].code % 256] == 0)
            rows[losses[i].code % 256] = (uint8_t)(i + 1);
}

static bool loss_holds(const struct amd_loss *loss, uint64_t value)
{
    return loss->harmless != BY_UNIT &&
           (loss->bits == 0 || value > 63 || !(loss->harmless >> value & 1));
}

const struct amd_loss *amd_loss_hit(size_t index, const uint32_t *dwords)
{
    for (size_t i = index; i < LOSSES && losses[i].kind == losses[index].kind &&
                           strcmp(losses[i].packet, losses[index].packet) == 0;
         i++)
        if (loss_holds(&losses[i], losses[i].bits ? amd_get(dwords, losses[i].bits) : 0))
            return &losses[i];
    return NULL;
}

size_t amd_loss_of(enum amd_packet_kind kind, const char *packet)
{
    size_t i = 0;

    while (i < LOSSES && (losses[i].kind != kind || strcmp(losses[i].packet, packet) != 0))
        i++;
    return i;
}

enum { NAME_BITS = 32, NAME_ORDINAL = 16 };

uint64_t amd_loss_name(const struct amd_loss *loss)
{
    uint64_t ordinal = 0;

    for (const struct amd_loss *row = losses; row != loss; row++)
        ordinal += row->kind == loss->kind && row->code == loss->code && row->bits == loss->bits;
    return (uint64_t)loss->bits << NAME_BITS | ordinal << NAME_ORDINAL | loss->code;
}

const struct amd_loss *amd_loss_named(enum amd_packet_kind kind, uint64_t name, uint64_t value)
{
    const struct amd_loss *by_unit = NULL;

    for (size_t i = 0; i < LOSSES; i++) {
        if (losses[i].kind != kind || amd_loss_name(&losses[i]) != name)
            continue;
        if (loss_holds(&losses[i], value))
            return &losses[i];
        by_unit = &losses[i];
    }
    return by_unit;
}
