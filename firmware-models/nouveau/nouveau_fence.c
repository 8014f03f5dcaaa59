/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/nouveau/nouveau_fence.h"

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "emu/engine/reg.h"

#define NOUVEAU_KERNEL_VA       UINT64_C(0x1000000)
#define NOUVEAU_KERNEL_STRIDE   UINT64_C(0x100000)
#define NOUVEAU_FENCE_BUFFER_VA UINT64_C(0x800000)

enum { NOUVEAU_FENCE_BYTES = 16 };

uint64_t nouveau_buffer_va(uint32_t channel_id)
{
    return NOUVEAU_KERNEL_VA + NOUVEAU_KERNEL_STRIDE * channel_id;
}

uint64_t nouveau_fence_va(uint32_t channel_id)
{
    return NOUVEAU_FENCE_BUFFER_VA + (uint64_t)NOUVEAU_FENCE_BYTES * channel_id;
}

uint32_t nouveau_fence_offset(uint64_t n, uint32_t dword_count)
{
    const uint32_t bytes = 4 * dword_count;
    const uint32_t fit = (NOUVEAU_PUSH_BYTES - NOUVEAU_PUSH_SKIP_BYTES) / bytes;

    return NOUVEAU_PUSH_SKIP_BYTES + (uint32_t)(n % fit) * bytes;
}

void nouveau_fence_segment(uint64_t fence_va, uint32_t value, uint32_t dwords[NOUVEAU_FENCE_DWORDS])
{
    const struct nv_header header = {
        .kind = NV_HEADER_INC, .method = NVA06F_SEMAPHOREA, .count = NOUVEAU_FENCE_DWORDS - 1};

    dwords[0] = nv_header_encode(&header);
    dwords[1] = (uint32_t)(fence_va >> 32) & 0xff;
    dwords[2] = (uint32_t)fence_va;
    dwords[3] = value;
    /* RELEASE_WFI EN and RELEASE_SIZE 16BYTE are both 0. */
    dwords[4] = REG_PUT(0, NVB06F_SEMAPHORED_OPERATION, NVB06F_SEMAPHORED_OPERATION_RELEASE);
    dwords[5] = 0;
}

static uint32_t nouveau_fence_header(uint32_t method, uint32_t count)
{
    const struct nv_header header = {
        .kind = NV_HEADER_INC, .method = (uint16_t)method, .count = (uint16_t)count};

    return nv_header_encode(&header);
}

void nouveau_fence_segment_sem(uint64_t fence_va, uint32_t value,
                               uint32_t dwords[NOUVEAU_FENCE_DWORDS_MAX])
{
    uint32_t execute = NVC36F_SEM_EXECUTE_OPERATION_RELEASE;

    execute = REG_PUT(execute, NVC36F_SEM_EXECUTE_RELEASE_WFI, NVC36F_SEM_EXECUTE_RELEASE_WFI_EN);
    dwords[0] = nouveau_fence_header(NVC36F_SEM_ADDR_LO, 3);
    dwords[1] = (uint32_t)fence_va;
    dwords[2] = (uint32_t)(fence_va >> 32);
    dwords[3] = value;
    dwords[4] = nouveau_fence_header(NVC36F_SEM_EXECUTE, 1);
    dwords[5] = execute;
    dwords[6] = nouveau_fence_header(NVA06F_NON_STALL_INTERRUPT, 1);
    dwords[7] = 0;
}
