/* SPDX-License-Identifier: MIT */
/* Places on the SDMA engines: allocate_sdma_queue() and allocate_doorbell() of amdkfd, whose
 * numbers of doorbells are amdgpu's (amdgpu_doorbell.h, Vega 20). */
#include <config.h>

#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"

enum {
    DOORBELL_FIRST = 0x100, /* of engine 0; up to the last, no doorbell is of the micro engine */
    DOORBELL_LAST = 0x18f,
    DOORBELLS_PER_ENGINE = 10,
    DOORBELL_MIRROR = 512, /* places of an odd number have their doorbells so much higher */
};

static uint64_t bits(uint32_t count)
{
    return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

void kfd_sdma_start(struct kfd *kfd)
{
    const struct amd_chip *chip = kfd->chip;

    kfd->state->sdma_free = bits(chip->sdma_engine_count * chip->sdma_queues_per_engine);
    kfd->state->xgmi_free = bits(chip->sdma_xgmi_engine_count * chip->sdma_queues_per_engine);
}

enum kfd_result kfd_sdma_take(struct kfd *kfd, struct kfd_queue *queue)
{
    const struct amd_chip *chip = kfd->chip;
    const bool is_xgmi = queue->mqd.format == KFD_MQD_SDMA_XGMI;
    const uint32_t engines = is_xgmi ? chip->sdma_xgmi_engine_count : chip->sdma_engine_count;
    uint64_t *free = is_xgmi ? &kfd->state->xgmi_free : &kfd->state->sdma_free;
    uint32_t bit = 0;

    if (*free == 0) {
        MACHINE_LOG_EITHER(kfd->machine, kfd->unit, is_xgmi, EVENT_KFD_XGMI_FULL,
                           EVENT_KFD_SDMA_FULL, RULE_A_H_SDMA, kfd_pasid(kfd, queue),
                           kfd->state->sdma_count);
        return KFD_ENOMEM;
    }
    while ((*free >> bit & 1) == 0)
        bit++;
    *free &= ~(UINT64_C(1) << bit);
    queue->mqd.sdma_engine = bit % engines + (is_xgmi ? chip->sdma_engine_count : 0);
    queue->mqd.sdma_slot = bit / engines;
    return KFD_OK;
}

void kfd_sdma_give(struct kfd *kfd, const struct kfd_queue *queue)
{
    const struct amd_chip *chip = kfd->chip;
    const uint32_t first = queue->mqd.format == KFD_MQD_SDMA_XGMI ? chip->sdma_engine_count : 0;
    const uint32_t engines = first ? chip->sdma_xgmi_engine_count : chip->sdma_engine_count;
    const uint64_t bit = UINT64_C(1)
                         << (queue->mqd.sdma_slot * engines + (queue->mqd.sdma_engine - first));

    if (first)
        kfd->state->xgmi_free |= bit;
    else
        kfd->state->sdma_free |= bit;
}

uint32_t kfd_sdma_doorbell(const struct kfd_queue *queue)
{
    return DOORBELL_FIRST + queue->mqd.sdma_engine * DOORBELLS_PER_ENGINE +
           queue->mqd.sdma_slot % 2 * DOORBELL_MIRROR + queue->mqd.sdma_slot / 2;
}

bool kfd_sdma_keeps(uint32_t doorbell)
{
    return doorbell % DOORBELL_MIRROR >= DOORBELL_FIRST &&
           doorbell % DOORBELL_MIRROR <= DOORBELL_LAST;
}
