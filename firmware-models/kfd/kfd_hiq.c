/* SPDX-License-Identifier: MIT */
/* The driver's ring, in which it speaks to the scheduling firmware, and the fence with which that
 * answers. */
#include <config.h>

#include <string.h>

#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_tables.h"

/* The first pages of the driver's memory. */
enum {
    HIQ_MQD = 0,
    HIQ_RING = 4096,
    HIQ_READ_POINTER = HIQ_RING + KFD_HIQ_BYTES,
    HIQ_WRITE_POINTER = HIQ_READ_POINTER + 8,
    HIQ_FENCE = HIQ_WRITE_POINTER + 8,
    HIQ_LIST = 2 * 4096,
};

static uint32_t hiq_is_gfx90a(const struct kfd *kfd)
{
    return kfd->chip->gfx_target_version == 90010;
}

/* Up to the end of the longest list. */
static uint64_t hiq_bytes(const struct kfd *kfd)
{
    const uint64_t dwords = KFD_PROCESSES_MAX * (hiq_is_gfx90a(kfd) ? KFD_MAP_PROCESS_GFX90A_DWORDS
                                                                    : KFD_MAP_PROCESS_DWORDS) +
                            KFD_QUEUES_MAX * KFD_MAP_QUEUES_DWORDS + KFD_RUN_LIST_DWORDS;

    return HIQ_LIST + (4 * dwords + 4095) / 4096 * 4096;
}

static void hiq_store(struct kfd *kfd, uint32_t at, const void *data, size_t bytes)
{
    (void)machine_write(kfd->machine, MEMORY_SYSMEM, kfd->physical + at, data, bytes);
}

static uint64_t hiq_load(struct kfd *kfd, uint32_t at, size_t bytes)
{
    uint64_t value = 0;

    (void)machine_read(kfd->machine, MEMORY_SYSMEM, kfd->physical + at, &value, bytes);
    return value;
}

/* ---- the ring -------------------------------------------------------------------------------- */

void kfd_hiq_start(struct kfd *kfd)
{
    (void)extent_take(&kfd->state->memory, hiq_bytes(kfd), MEMORY_PAGE_BYTES);
    if (kfd_has_firmware(kfd))
        kfd_hiq_begin(kfd);
}

void kfd_hiq_begin(struct kfd *kfd)
{
    static const uint64_t pointers[2];
    uint32_t mqd[AMD_MQD_DWORDS], dwords[KFD_SET_RESOURCES_DWORDS];
    struct kfd_mqd_queue queue = {
        .mqd_address = KFD_VA + HIQ_MQD,
        .ring_address = KFD_VA + HIQ_RING,
        .read_pointer = KFD_VA + HIQ_READ_POINTER,
        .write_pointer = KFD_VA + HIQ_WRITE_POINTER,
        .ring_bytes = KFD_HIQ_BYTES,
        .doorbell = KFD_HIQ_DOORBELL,
        .format = KFD_MQD_HIQ,
        .priority = KFD_MQD_PRIORITY_MAX,
    };

    if (kfd->state->reset_count > 0) {
        kfd->state->hiq_write = 0;
        hiq_store(kfd, HIQ_READ_POINTER, pointers, sizeof pointers);
    }
    memset(queue.engines, 0xff, sizeof queue.engines);
    kfd_mqd_init(mqd, &queue);
    hiq_store(kfd, HIQ_MQD, mqd, sizeof mqd);
    kfd->ops->map_hiq(kfd->engine, queue.mqd_address);
    kfd_set_resources(dwords, kfd_vmid_mask(kfd), kfd_slot_mask(kfd));
    (void)kfd_hiq_put(kfd, dwords, KFD_SET_RESOURCES_DWORDS);
}

/* Packets do not wrap: what is left at the ring's end is filled. */
bool kfd_hiq_put(struct kfd *kfd, const uint32_t *dwords, uint32_t count)
{
    static const uint32_t filler = 0xffff1000; /* NOP of one dword */
    struct kfd_state *state = kfd->state;
    const uint32_t read = (uint32_t)hiq_load(kfd, HIQ_READ_POINTER, 4) % KFD_HIQ_DWORDS;
    uint32_t write = (uint32_t)(state->hiq_write % KFD_HIQ_DWORDS);
    const uint32_t fill = write + count > KFD_HIQ_DWORDS ? KFD_HIQ_DWORDS - write : 0;

    if (fill + count > (read + KFD_HIQ_DWORDS - 1 - write) % KFD_HIQ_DWORDS)
        return false;
    for (uint32_t i = 0; i < fill; i++, write++)
        hiq_store(kfd, HIQ_RING + 4 * write, &filler, 4);
    hiq_store(kfd, HIQ_RING + 4 * (write % KFD_HIQ_DWORDS), dwords, count * sizeof *dwords);
    state->hiq_write += fill + count;
    hiq_store(kfd, HIQ_WRITE_POINTER, &state->hiq_write, sizeof state->hiq_write);
    kfd->ops->ring(kfd->engine, KFD_HIQ_DOORBELL, state->hiq_write);
    return true;
}

/* ---- lists ----------------------------------------------------------------------------------- */

static void hiq_list_put(void *context, uint32_t at_dword, const uint32_t *dwords, uint32_t count)
{
    hiq_store(context, HIQ_LIST + 4 * at_dword, dwords, count * sizeof *dwords);
}

static void hiq_list_process(const struct kfd *kfd, struct kfd_runlist *list,
                             const struct kfd_process *process)
{
    kfd_runlist_process(list, &(struct kfd_runlist_process){.pasid = process->pasid,
                                                            .queue_count = process->queue_count,
                                                            .page_table = process->page_table,
                                                            .is_gfx90a = hiq_is_gfx90a(kfd)});
    for (uint32_t i = process->first_queue; i != KFD_NONE; i = kfd->state->queues[i].next) {
        const struct kfd_queue *queue = &kfd->state->queues[i];

        if (queue->active)
            kfd_runlist_queue(
                list, &(struct kfd_runlist_queue){
                          .doorbell = queue->mqd.doorbell,
                          .engine = kfd_mqd_is_sdma(&queue->mqd) ? 1 + queue->mqd.sdma_engine : 0,
                          .mqd_address = queue->mqd.mqd_address,
                          .write_pointer = queue->mqd.write_pointer});
    }
}

static uint32_t hiq_slot_count(const struct kfd *kfd)
{
    uint32_t count = 0;

    for (uint64_t mask = kfd_slot_mask(kfd); mask; mask &= mask - 1)
        count++;
    return count;
}

enum kfd_result kfd_hiq_map(struct kfd *kfd)
{
    struct kfd_state *state = kfd->state;
    const struct kfd_runlist_counts counts = {.process_count = state->process_count,
                                              .queue_count = state->active_count,
                                              .sdma_count = state->active_sdma_count,
                                              .slot_count = hiq_slot_count(kfd),
                                              .process_limit = kfd_process_limit(kfd),
                                              .is_gfx90a = hiq_is_gfx90a(kfd)};
    struct kfd_runlist list = {.put = hiq_list_put, .context = kfd, .address = KFD_VA + HIQ_LIST};
    uint32_t dwords[KFD_RUN_LIST_DWORDS];

    if (state->active_count + state->active_sdma_count == 0 || state->listed)
        return KFD_OK;
    for (uint32_t i = state->first_process; i != KFD_NONE; i = state->processes[i].next)
        hiq_list_process(kfd, &list, &state->processes[i]);
    kfd_runlist_end(&list, &counts);
    if (kfd_runlist_oversubscribed(&counts) && !state->warned) {
        state->warned = 1;
        state->warned_ps = machine_now(kfd->machine);
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_OVERSUBSCRIBED, RULE_A_H2,
                    counts.queue_count, counts.slot_count, counts.process_count,
                    counts.process_limit);
    }
    kfd_run_list(dwords, list.address, list.dwords, &counts, false);
    if (!kfd_hiq_put(kfd, dwords, KFD_RUN_LIST_DWORDS))
        return KFD_ENOMEM;
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_RUN_LIST, RULE_NONE, list.address, list.dwords,
                counts.process_count, counts.queue_count + counts.sdma_count);
    state->listed = list.dwords;
    return KFD_OK;
}

uint32_t kfd_list(const struct kfd *kfd, uint64_t *physical)
{
    *physical = kfd->physical + HIQ_LIST;
    return 4 * kfd->state->listed;
}

/* ---- taking the list off --------------------------------------------------------------------- */

static void hiq_watch(struct kfd *kfd)
{
    machine_watch(kfd->machine, kfd->unit, KFD_FENCE_WRITTEN, 0, MEMORY_SYSMEM,
                  kfd->physical + HIQ_FENCE);
}

/* Those of SDMA engine by engine, if there are any; then the others. */
static bool hiq_put_unmaps(struct kfd *kfd)
{
    const uint32_t engines = kfd->chip->sdma_engine_count + kfd->chip->sdma_xgmi_engine_count;
    uint32_t unmap[KFD_UNMAP_QUEUES_DWORDS];

    for (uint32_t engine = 0; engine < engines && kfd->state->sdma_count > 0; engine++) {
        kfd_unmap_sdma(unmap, engine);
        if (!kfd_hiq_put(kfd, unmap, KFD_UNMAP_QUEUES_DWORDS))
            return false;
    }
    kfd_unmap_queues(unmap, false, false);
    return kfd_hiq_put(kfd, unmap, KFD_UNMAP_QUEUES_DWORDS);
}

enum kfd_result kfd_hiq_unmap(struct kfd *kfd)
{
    static const uint64_t not_yet = KFD_FENCE_INIT;
    struct kfd_state *state = kfd->state;
    uint32_t query[KFD_QUERY_STATUS_DWORDS];

    if (state->hangs)
        return KFD_EIO;
    if (!state->listed)
        return KFD_OK;
    kfd_query_status(query, KFD_VA + HIQ_FENCE, KFD_FENCE_COMPLETED);
    hiq_store(kfd, HIQ_FENCE, &not_yet, sizeof not_yet);
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_UNMAP, RULE_A_H_UNMAP,
                state->active_count + state->active_sdma_count);
    if (!hiq_put_unmaps(kfd) || !kfd_hiq_put(kfd, query, KFD_QUERY_STATUS_DWORDS))
        return KFD_ENOMEM;
    state->waiting = KFD_WAIT_FENCE;
    state->since_ps = machine_now(kfd->machine);
    hiq_watch(kfd);
    machine_schedule(kfd->machine, kfd->unit,
                     machine_now(kfd->machine) +
                         machine_parameter(kfd->machine, PARAM_KFD_PREEMPTION_TIMEOUT_PS),
                     KFD_TIMEOUT, 0);
    return KFD_PENDING;
}

/* Resets all queues that have not left.  Returns false if the reset of one fails. */
static bool hiq_reset_queues(struct kfd *kfd)
{
    const uint64_t at = HIQ_MQD + AMD_BITS_FIRST(AMD_MQD_V9_QUEUE_DOORBELL_ID0) / 8;

    for (uint32_t i = 0; i < KFD_MQD_DOORBELL_IDS; i++) {
        const uint32_t doorbell = (uint32_t)hiq_load(kfd, at + 4 * i, 4);

        if (doorbell && !kfd_reset_queue(kfd, doorbell))
            return false;
    }
    return true;
}

void kfd_hiq_fence(struct kfd *kfd)
{
    struct kfd_state *state = kfd->state;
    uint32_t doorbell;

    if (state->waiting != KFD_WAIT_FENCE)
        return;
    if (hiq_load(kfd, HIQ_FENCE, 8) != KFD_FENCE_COMPLETED) {
        hiq_watch(kfd);
        return;
    }
    state->waiting = KFD_WAIT_NONE;
    (void)machine_cancel(kfd->machine, kfd->unit, KFD_TIMEOUT);
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_UNMAPPED, RULE_NONE,
                machine_now(kfd->machine) - state->since_ps);
    doorbell =
        (uint32_t)hiq_load(kfd, HIQ_MQD + AMD_BITS_FIRST(AMD_MQD_V9_QUEUE_DOORBELL_ID0) / 8, 4);
    if (doorbell) {
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_NOT_PREEMPTED, RULE_A_H_REFUSED, doorbell);
        if (!hiq_reset_queues(kfd)) {
            kfd_unmapped(kfd, KFD_ETIME);
            return;
        }
    }
    state->listed = 0;
    kfd_unmapped(kfd, KFD_OK);
}

void kfd_hiq_timeout(struct kfd *kfd)
{
    kfd->state->waiting = KFD_WAIT_NONE;
    kfd->state->hangs = 1;
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_FENCE_TIMEOUT, RULE_NONE,
                machine_now(kfd->machine) - kfd->state->since_ps);
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_HANG, RULE_NONE, kfd->state->active_count);
    kfd_reset_later(kfd);
    kfd_unmapped(kfd, KFD_ETIME);
}
