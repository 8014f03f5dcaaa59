/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_sdma.h"

#include <stdlib.h>

static void check_sdma_interrupt(void *client, uint32_t client_id, uint32_t source_id,
                                 uint32_t ring_id, uint32_t vmid, uint32_t context_id)
{
    struct check_sdma *check = client;

    (void)client_id;
    (void)ring_id;
    (void)vmid;
    check->sources[check->interrupt_count % 8] = source_id;
    check->contexts[check->interrupt_count++ % 8] = context_id;
}

static void check_sdma_left(void *client, uint32_t engine, uint32_t queue_id)
{
    (void)engine;
    (void)queue_id;
    ((struct check_sdma *)client)->left_count++;
}

void check_sdma_begin(struct check_sdma *check)
{
    struct address_space_range range;

    *check = (struct check_sdma){.interrupt_count = 0};
    check_mec_begin(&check->mec);
    range = (struct address_space_range){.va = SDMA_SYSTEM,
                                         .size_bytes = SDMA_SYSTEM_BYTES,
                                         .physical = (1 << 20) - SDMA_SYSTEM_BYTES,
                                         .space_id = check->mec.space_id,
                                         .aperture = MEMORY_SYSMEM};
    if (address_space_map(&check->mec.machine->spaces, &range) != ADDRESS_SPACE_OK)
        abort();
    for (uint32_t engine = 0; engine < 2; engine++) {
        check->mec.gpu.sdma[engine].client = (struct amd_sdma_client){
            .interrupt = check_sdma_interrupt, .left = check_sdma_left, .client = check};
        check_sdma_set_reg(check, engine, 0x70, 3); /* CNTL: TRAP_ENABLE, UTC_L1_ENABLE */
        check_sdma_set_reg(check, engine, 0xa8, 0); /* F32_CNTL */
    }
}

void check_sdma_end(struct check_sdma *check)
{
    check_mec_end(&check->mec);
}

uint32_t check_sdma_reg(struct check_sdma *check, uint32_t engine, uint32_t offset)
{
    return machine_read32(check->mec.machine, (engine ? 0x6180 : 0x4980) + offset);
}

void check_sdma_set_reg(struct check_sdma *check, uint32_t engine, uint32_t offset, uint32_t value)
{
    machine_write32(check->mec.machine, (engine ? 0x6180 : 0x4980) + offset, value);
}

void check_sdma_load(struct check_sdma *check, uint32_t engine, uint32_t queue, uint32_t control)
{
    const uint64_t ring = SDMA_RING(engine, queue), report = ring + 0x8000;
    const struct {
        uint32_t offset, value;
    } writes[] = {
        {0x500, 0},
        {0x5ac, 2 * SDMA_DOORBELL(engine, queue) << 2}, /* DOORBELL_OFFSET */
        {0x548, 1u << 28},                              /* DOORBELL: ENABLE */
        {0x504, LO(ring >> 8)},                         /* RB_BASE */
        {0x508, HI(ring >> 8)},
        {0x50c, 0}, /* RB_RPTR */
        {0x510, 0},
        {0x5d4, 1}, /* MINOR_PTR_UPDATE */
        {0x514, 0}, /* RB_WPTR */
        {0x518, 0},
        {0x5d4, 0},
        {0x520, HI(report)}, /* RB_RPTR_ADDR */
        {0x524, LO(report)},
        {0x500, 1 | 10 << 1 | 1u << 12 | MEC_VMID << 24 | control}, /* RB_CNTL: 1,024 dwords */
    };

    for (uint32_t i = 0; i < sizeof writes / sizeof writes[0]; i++)
        check_sdma_set_reg(check, engine, writes[i].offset + queue * 0x180, writes[i].value);
}

void check_sdma_put(struct check_sdma *check, uint32_t engine, uint32_t queue,
                    const uint32_t *dwords, uint32_t count, bool quiet)
{
    uint64_t *written = &check->written[engine][queue];

    for (uint32_t i = 0; i < count; i++, *written += 4)
        check_mec_poke(&check->mec, SDMA_RING(engine, queue) + *written % SDMA_RING_BYTES,
                       &dwords[i], 4);
    if (!quiet)
        amd_gpu_doorbell(&check->mec.gpu, SDMA_DOORBELL(engine, queue), *written);
}

void check_sdma_set_data(struct check_sdma *check, uint64_t offset, uint32_t value)
{
    check_mec_poke(&check->mec, MEC_DATA + offset, &value, sizeof value);
}
