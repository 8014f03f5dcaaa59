/* SPDX-License-Identifier: MIT */
/* Queues of programs.  A change is noted, the queues are taken off, the change is made, and they
 * are put back: kfd_begin(), kfd_settle(). */
#include <config.h>

#include <assert.h>
#include <string.h>

#include "firmware-models/kfd/kfd.h"
#include "firmware-models/kfd/kfd_cu_mask.h"
#include "firmware-models/kfd/kfd_tables.h"

uint32_t kfd_pasid(const struct kfd *kfd, const struct kfd_queue *queue)
{
    return kfd->state->processes[queue->process].pasid;
}

uint32_t kfd_queue_id(const struct kfd_queue *queue)
{
    return queue->mqd.doorbell / 2;
}

static void kfd_write_mqd(struct kfd *kfd, const struct kfd_queue *queue, bool is_new)
{
    uint32_t mqd[AMD_MQD_DWORDS];

    if (!is_new)
        (void)machine_read(kfd->machine, MEMORY_SYSMEM, queue->mqd_physical, mqd, sizeof mqd);
    (is_new ? kfd_mqd_init : kfd_mqd_update)(mqd, &queue->mqd);
    (void)machine_write(kfd->machine, MEMORY_SYSMEM, queue->mqd_physical, mqd, sizeof mqd);
}

void kfd_queue_read_mqd(struct kfd *kfd, uint32_t queue, uint32_t mqd[AMD_MQD_DWORDS])
{
    assert(kfd->state->queues[queue].used);
    (void)machine_read(kfd->machine, MEMORY_SYSMEM, kfd->state->queues[queue].mqd_physical, mqd,
                       KFD_MQD_BYTES);
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* The count of active queues of its kind. */
static uint32_t *kfd_active(struct kfd_state *state, const struct kfd_queue *queue)
{
    return kfd_mqd_is_sdma(&queue->mqd) ? &state->active_sdma_count : &state->active_count;
}

static void kfd_link(struct kfd *kfd, uint32_t index)
{
    struct kfd_state *state = kfd->state;
    struct kfd_queue *queue = &state->queues[index];
    struct kfd_process *process = &state->processes[queue->process];

    if (process->queue_count++ == 0) {
        process->next = state->first_process;
        state->first_process = queue->process;
        state->process_count++;
    }
    queue->next = process->first_queue;
    process->first_queue = index;
    state->queue_count++;
    state->sdma_count += kfd_mqd_is_sdma(&queue->mqd);
    *kfd_active(state, queue) += queue->active;
}

static void kfd_unlink(struct kfd *kfd, uint32_t index)
{
    struct kfd_state *state = kfd->state;
    const struct kfd_queue *queue = &state->queues[index];
    struct kfd_process *process = &state->processes[queue->process];
    uint32_t *link = &process->first_queue;

    while (*link != index)
        link = &state->queues[*link].next;
    *link = queue->next;
    if (--process->queue_count == 0) {
        for (link = &state->first_process; *link != queue->process;)
            link = &state->processes[*link].next;
        *link = process->next;
        state->process_count--;
    }
    state->queue_count--;
    state->sdma_count -= kfd_mqd_is_sdma(&queue->mqd);
    *kfd_active(state, queue) -= queue->active;
}

static void kfd_free_queue(struct kfd *kfd, uint32_t index)
{
    struct kfd_state *state = kfd->state;
    struct kfd_queue *queue = &state->queues[index];
    struct kfd_process *process = &state->processes[queue->process];
    const uint32_t doorbell = queue->mqd.doorbell % KFD_DOORBELL_DWORDS / 2;

    kfd_unlink(kfd, index);
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_QUEUE_GONE, RULE_NONE, kfd_queue_id(queue),
                process->pasid);
    process->doorbells[doorbell / 32] &= ~(UINT32_C(1) << doorbell % 32);
    (void)extent_give(&state->memory, queue->mqd_physical, queue->mqd_bytes);
    if (kfd_mqd_is_sdma(&queue->mqd))
        kfd_sdma_give(kfd, queue);
    else if (kfd->ops->gone)
        kfd->ops->gone(kfd->engine, queue->mqd.mqd_address);
    if (queue->pipe != KFD_NONE)
        state->slots |= UINT32_C(1) << (queue->pipe * AMD_QUEUES_PER_PIPE_MAX + queue->slot);
    if (process->vmid != 0 && process->queue_count == 0) {
        state->vmids |= UINT32_C(1) << process->vmid;
        process->vmid = 0;
    }
    *queue = (struct kfd_queue){0};
}

/* ---- changes --------------------------------------------------------------------------------- */

bool kfd_may_run(const struct kfd *kfd, const struct kfd_queue *queue)
{
    const struct kfd_process *process = &kfd->state->processes[queue->process];

    return queue->wanted && !process->evicted && !process->quiesced && !queue->lost;
}

void kfd_deactivate(struct kfd *kfd, struct kfd_queue *queue)
{
    *kfd_active(kfd->state, queue) -= queue->active;
    queue->active = 0;
}

void kfd_activate(struct kfd *kfd, struct kfd_queue *queue)
{
    queue->active = kfd_may_run(kfd, queue);
    *kfd_active(kfd->state, queue) += queue->active;
}

static void kfd_apply_update(struct kfd *kfd, struct kfd_queue *queue)
{
    struct kfd_state *state = kfd->state;

    kfd_deactivate(kfd, queue);
    queue->wanted = state->change_active;
    kfd_activate(kfd, queue);
    queue->mqd = state->change_to;
    kfd_write_mqd(kfd, queue, false);
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_QUEUE_CHANGE, RULE_NONE, kfd_queue_id(queue),
                kfd_pasid(kfd, queue), queue->mqd.priority, queue->active);
    if (!kfd_has_firmware(kfd) && queue->active)
        kfd_hqd_load(kfd, queue);
}

/* The lock is free: who waits for it to evict a process tries again. */
static void kfd_evict_later(struct kfd *kfd)
{
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++) {
        const struct kfd_process *process = &kfd->state->processes[i];

        if (process->used && (process->evict || process->quiesce || process->resume)) {
            machine_schedule(kfd->machine, kfd->unit, machine_now(kfd->machine), KFD_LOCK_FREE, 0);
            return;
        }
    }
}

uint32_t kfd_errno(enum kfd_result result)
{
    static const uint8_t numbers[] = {[KFD_EPERM] = 1,  [KFD_EIO] = 5,     [KFD_ENOMEM] = 12,
                                      [KFD_EBUSY] = 16, [KFD_EINVAL] = 22, [KFD_ETIME] = 62};

    return result < sizeof numbers ? numbers[result] : 0;
}

/* pqm_create_queue(): what goes wrong in the manager of queues has a line.  What it refuses before
 * (too many queues of a process, A.H3) has none. */
static void kfd_create_failed(struct kfd *kfd, const struct kfd_queue *queue,
                              enum kfd_result result)
{
    static const uint8_t types[] = {[KFD_MQD_SDMA] = 1, [KFD_MQD_SDMA_XGMI] = 4};
    const uint32_t type = queue->mqd.format <= KFD_MQD_SDMA_XGMI ? types[queue->mqd.format] : 0;

    if (kfd->machine->choices[CHOICE_KFD_PROCESS_NAME] == KFD_PROCESS_PID)
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_CREATE_FAILED_PID, RULE_NONE,
                    queue->process + 1, type, kfd_errno(result));
    else
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_CREATE_FAILED, RULE_NONE,
                    kfd_pasid(kfd, queue), type, kfd_errno(result));
}

/* The queues are off (`result`: whether all went well): the change is made.  KFD_PENDING: there is
 * another slot to empty. */
static enum kfd_result kfd_settle(struct kfd *kfd, enum kfd_result result)
{
    struct kfd_state *state = kfd->state;
    struct kfd_process *process = &state->processes[state->change_process];
    const enum kfd_change change = state->change;

    while (state->change == KFD_CHANGE_CLOSE && process->queue_count > 0) {
        const uint32_t index = process->first_queue;
        const bool loaded =
            !kfd_has_firmware(kfd) && state->queues[index].active && state->change_queue != index;

        if (loaded &&
            kfd_hqd_unload(kfd, index, CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__RESET_WAVES) ==
                KFD_PENDING)
            return KFD_PENDING;
        kfd_free_queue(kfd, index);
        state->change_queue = KFD_NONE;
    }
    if (state->change == KFD_CHANGE_EVICT && !kfd_evict_settle(kfd, process))
        return KFD_PENDING;
    if (change == KFD_CHANGE_QUIESCE) {
        if (!kfd_quiesce_settle(kfd, process, result))
            return KFD_PENDING;
        result = state->quiesce_failed;
    }
    if (change == KFD_CHANGE_RESUME)
        kfd_resume_settle(kfd, process);
    if (state->change == KFD_CHANGE_CLOSE)
        process->used = 0;
    if (state->change == KFD_CHANGE_DESTROY)
        kfd_free_queue(kfd, state->change_queue);
    if (state->change == KFD_CHANGE_UPDATE && result == KFD_OK)
        kfd_apply_update(kfd, &state->queues[state->change_queue]);
    if (result == KFD_OK && kfd_has_firmware(kfd))
        result = kfd_hiq_map(kfd);
    if (state->change == KFD_CHANGE_CREATE && result != KFD_OK)
        kfd_create_failed(kfd, &state->queues[state->change_queue], result);
    state->change = KFD_CHANGE_NONE;
    if (change >= KFD_CHANGE_QUIESCE)
        kfd_userptr_ended(kfd, change, process, result);
    kfd_evict_later(kfd);
    return result;
}

void kfd_unmapped(struct kfd *kfd, enum kfd_result result)
{
    const bool is_call = kfd->state->change < KFD_CHANGE_EVICT; /* somebody waits for it */

    result = kfd_settle(kfd, result);
    if (result != KFD_PENDING && is_call)
        kfd->ops->done(kfd->engine, result);
    else if (result != KFD_PENDING && kfd->ops->lock_free)
        kfd->ops->lock_free(kfd->engine);
}

/* Takes off what has to be: all queues of the firmware's list, or the one slot. */
static enum kfd_result kfd_begin(struct kfd *kfd, enum kfd_change change, uint32_t queue,
                                 bool touches, uint32_t request)
{
    struct kfd_state *state = kfd->state;
    enum kfd_result result = KFD_OK;

    state->change = change;
    state->change_queue = queue;
    if (touches)
        result = kfd_has_firmware(kfd) ? kfd_hiq_unmap(kfd) : kfd_hqd_unload(kfd, queue, request);
    return result == KFD_PENDING ? result : kfd_settle(kfd, result);
}

void kfd_change_own(struct kfd *kfd, enum kfd_change change, uint32_t process)
{
    kfd->state->change_process = process;
    kfd->state->quiesce_failed = KFD_OK;
    (void)kfd_begin(kfd, change, KFD_NONE, kfd_has_firmware(kfd), 0);
}

/* ---- making one ------------------------------------------------------------------------------ */

static bool kfd_ring_ok(uint64_t address, uint32_t bytes)
{
    return (bytes & (bytes - 1)) == 0 && (bytes == 0 || bytes >= 8) && address % 256 == 0;
}

static bool kfd_options_ok(const struct kfd_queue_options *options)
{
    return options->percent <= 100 && options->priority <= KFD_MQD_PRIORITY_MAX &&
           options->format <= KFD_MQD_SDMA_XGMI && options->format != KFD_MQD_HIQ &&
           kfd_ring_ok(options->ring_address, options->ring_bytes) &&
           kfd_ring_ok(options->eop_address, options->eop_bytes);
}

/* A.H3, as pqm_create_queue() has it: processes are counted also for one that has queues; those of
 * SDMA are not. */
static bool kfd_refuses(struct kfd *kfd, const struct kfd_process *process, uint32_t format)
{
    const struct kfd_state *state = kfd->state;
    const uint32_t process_limit = AMD_VMIDS - kfd->chip->first_kfd_vmid;
    uint32_t slots = 0;

    for (uint64_t mask = kfd_slot_mask(kfd); mask; mask &= mask - 1)
        slots++;
    if (kfd->machine->choices[CHOICE_KFD_SCHED_POLICY] != KFD_SCHED_NO_OVERSUBSCRIPTION ||
        format > KFD_MQD_AQL ||
        (state->process_count < process_limit && state->active_count < slots))
        return false;
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_REFUSED, RULE_A_H3, process->pasid,
                state->active_count, slots, state->process_count, process_limit);
    return true;
}

/* KFD_PROCESS_QUEUES_MAX: none is free. */
static uint32_t kfd_free_doorbell(const struct kfd_process *process)
{
    uint32_t n = 0;

    while (n < KFD_PROCESS_QUEUES_MAX &&
           ((process->doorbells[n / 32] >> n % 32 & 1) != 0 || kfd_sdma_keeps(n)))
        n++;
    return n;
}

/* Returns the address at which preempted waves are saved, or 0 if they are not saved. */
static uint64_t kfd_save_address(const struct kfd *kfd, const struct kfd_queue_options *options)
{
    return machine_parameter(kfd->machine, PARAM_KFD_CWSR_ENABLE) ? options->save_address : 0;
}

/* The control stack, where there is one, lies a page behind the MQD. */
static uint64_t kfd_mqd_room(const struct kfd *kfd, const struct kfd_queue_options *options)
{
    const uint64_t pages =
        (options->control_stack_bytes + (uint64_t)MEMORY_PAGE_BYTES - 1) / MEMORY_PAGE_BYTES;

    return (1 + (kfd_save_address(kfd, options) ? pages : 0)) * MEMORY_PAGE_BYTES;
}

static void kfd_fill(struct kfd *kfd, struct kfd_queue *queue, uint32_t doorbell,
                     const struct kfd_queue_options *options)
{
    queue->mqd = (struct kfd_mqd_queue){
        .mqd_address = kfd_va(kfd, queue->mqd_physical),
        .ring_address = options->ring_address,
        .read_pointer = options->read_pointer,
        .write_pointer = options->write_pointer,
        .eop_address = options->eop_address,
        .save_address = kfd_save_address(kfd, options),
        .ring_bytes = options->ring_bytes ? options->ring_bytes : 8,
        .eop_bytes = options->eop_bytes,
        .save_bytes = options->save_bytes,
        .control_stack_bytes = options->control_stack_bytes,
        .doorbell = (queue->process + 1) * KFD_DOORBELL_DWORDS + 2 * doorbell,
        .format = options->format,
        .priority = options->priority,
        .vmid = queue->mqd.vmid,
        .sdma_engine = queue->mqd.sdma_engine,
        .sdma_slot = queue->mqd.sdma_slot,
    };
    kfd_cu_mask_all(queue->mqd.engines);
    queue->wanted = options->ring_bytes > 0 && options->ring_address != 0 && options->percent > 0;
    queue->active = kfd_may_run(kfd, queue); /* kfd_link() counts it */
}

/* A place: on an SDMA engine; without the firmware a slot. */
static enum kfd_result kfd_take_place(struct kfd *kfd, struct kfd_queue *queue)
{
    enum kfd_result result = KFD_OK;

    if (kfd_mqd_is_sdma(&queue->mqd)) {
        result = kfd_sdma_take(kfd, queue);
        if (result == KFD_OK && !kfd_has_firmware(kfd) && !kfd_take_vmid(kfd, queue)) {
            kfd_sdma_give(kfd, queue);
            result = KFD_ENOMEM;
        }
    } else if (!kfd_has_firmware(kfd)) {
        result = kfd_take_hqd(kfd, queue);
    }
    return result;
}

/* Everything that the queue needs; on errors nothing is kept. */
static enum kfd_result kfd_make(struct kfd *kfd, struct kfd_queue *queue,
                                const struct kfd_queue_options *options)
{
    struct kfd_process *process = &kfd->state->processes[queue->process];
    const uint64_t bytes = kfd_mqd_room(kfd, options);
    const uint64_t at = extent_take(&kfd->state->memory, bytes, MEMORY_PAGE_BYTES);
    enum kfd_result result = at == EXTENT_NONE ? KFD_ENOMEM : KFD_OK;
    uint32_t doorbell = kfd_free_doorbell(process);

    queue->mqd.format = options->format;
    if (result == KFD_OK && process->queue_count == KFD_PROCESS_QUEUES_MAX)
        result = KFD_ENOMEM;
    if (result == KFD_OK && doorbell == KFD_PROCESS_QUEUES_MAX && !kfd_mqd_is_sdma(&queue->mqd))
        result = KFD_EBUSY;
    if (result == KFD_OK)
        result = kfd_take_place(kfd, queue);
    if (result != KFD_OK) {
        if (at != EXTENT_NONE)
            (void)extent_give(&kfd->state->memory, at, bytes);
        return result;
    }
    if (kfd_mqd_is_sdma(&queue->mqd))
        doorbell = kfd_sdma_doorbell(queue);
    process->doorbells[doorbell / 32] |= UINT32_C(1) << doorbell % 32;
    queue->mqd_physical = at;
    queue->mqd_bytes = bytes;
    queue->used = 1;
    kfd_fill(kfd, queue, doorbell, options);
    kfd_write_mqd(kfd, queue, true);
    MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_QUEUE, RULE_NONE, kfd_queue_id(queue),
                process->pasid, queue->mqd.doorbell, queue->mqd.mqd_address, queue->mqd.priority,
                queue->active);
    if (kfd_mqd_is_sdma(&queue->mqd))
        MACHINE_LOG(kfd->machine, kfd->unit, EVENT_KFD_SDMA_QUEUE, RULE_A_H_SDMA,
                    kfd_queue_id(queue), process->pasid, queue->mqd.sdma_engine,
                    queue->mqd.sdma_slot);
    return KFD_OK;
}

enum kfd_result kfd_queue_create(struct kfd *kfd, uint32_t process,
                                 const struct kfd_queue_options *options, uint32_t *queue)
{
    struct kfd_state *state = kfd->state;
    enum kfd_result result;
    uint32_t index = 0;

    assert(state->started && process < KFD_PROCESSES_MAX && state->processes[process].used);
    *queue = KFD_NONE;
    if (state->change != KFD_CHANGE_NONE)
        return KFD_BUSY;
    if (!kfd_options_ok(options))
        return KFD_EINVAL;
    if (kfd_refuses(kfd, &state->processes[process], options->format))
        return KFD_EPERM;
    while (index < KFD_QUEUES_MAX && state->queues[index].used)
        index++;
    if (index == KFD_QUEUES_MAX)
        return KFD_ENOMEM;
    state->queues[index] = (struct kfd_queue){
        .process = process, .pipe = KFD_NONE, .slot = KFD_NONE, .next = KFD_NONE};
    result = kfd_make(kfd, &state->queues[index], options);
    if (result != KFD_OK) {
        if (state->processes[process].queue_count < KFD_PROCESS_QUEUES_MAX)
            kfd_create_failed(kfd, &state->queues[index], result);
        state->queues[index] = (struct kfd_queue){0};
        return result;
    }
    *queue = index;
    kfd_link(kfd, index);
    if (!kfd_has_firmware(kfd)) {
        if (state->queues[index].active)
            kfd_hqd_load(kfd, &state->queues[index]);
        return KFD_OK;
    }
    return kfd_begin(kfd, KFD_CHANGE_CREATE, index, state->queues[index].active, 0);
}

/* ---- changing one ---------------------------------------------------------------------------- */

uint32_t kfd_save_request(const struct kfd_queue *queue)
{
    return queue->mqd.save_address ? CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__SAVE_WAVES
                                   : CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__DRAIN_PIPE;
}

static enum kfd_result kfd_update(struct kfd *kfd, uint32_t index)
{
    const struct kfd_queue *queue = &kfd->state->queues[index];

    return kfd_begin(kfd, KFD_CHANGE_UPDATE, index, kfd_has_firmware(kfd) || queue->active,
                     kfd_save_request(queue));
}

enum kfd_result kfd_queue_update(struct kfd *kfd, uint32_t queue, uint64_t ring_address,
                                 uint32_t ring_bytes, uint32_t percent, uint32_t priority)
{
    struct kfd_state *state = kfd->state;

    assert(queue < KFD_QUEUES_MAX && state->queues[queue].used);
    if (state->change != KFD_CHANGE_NONE)
        return KFD_BUSY;
    if (percent > 100 || priority > KFD_MQD_PRIORITY_MAX || !kfd_ring_ok(ring_address, ring_bytes))
        return KFD_EINVAL;
    state->change_to = state->queues[queue].mqd;
    state->change_to.ring_address = ring_address;
    state->change_to.ring_bytes = ring_bytes ? ring_bytes : 8;
    state->change_to.priority = priority;
    state->change_active = ring_bytes > 0 && ring_address != 0 && percent > 0;
    return kfd_update(kfd, queue);
}

enum kfd_result kfd_queue_set_cu_mask(struct kfd *kfd, uint32_t queue, const uint32_t *mask,
                                      uint32_t bit_count)
{
    struct kfd_state *state = kfd->state;

    assert(queue < KFD_QUEUES_MAX && state->queues[queue].used);
    if (state->change != KFD_CHANGE_NONE)
        return KFD_BUSY;
    if (bit_count == 0 || bit_count % 32 != 0)
        return KFD_EINVAL;
    state->change_to = state->queues[queue].mqd;
    state->change_active = state->queues[queue].wanted;
    (void)kfd_cu_mask_split(kfd->chip, mask, bit_count, state->change_to.engines);
    return kfd_update(kfd, queue);
}

enum kfd_result kfd_queue_destroy(struct kfd *kfd, uint32_t queue)
{
    struct kfd_state *state = kfd->state;

    assert(queue < KFD_QUEUES_MAX && state->queues[queue].used);
    if (state->change != KFD_CHANGE_NONE)
        return KFD_BUSY;
    return kfd_begin(kfd, KFD_CHANGE_DESTROY, queue, state->queues[queue].active,
                     CP_HQD_DEQUEUE_REQUEST__DEQUEUE_REQ__RESET_WAVES);
}

enum kfd_result kfd_process_close(struct kfd *kfd, uint32_t process)
{
    struct kfd_state *state = kfd->state;

    assert(process < KFD_PROCESSES_MAX && state->processes[process].used);
    if (state->change != KFD_CHANGE_NONE)
        return KFD_BUSY;
    state->change_process = process;
    return kfd_begin(kfd, KFD_CHANGE_CLOSE, KFD_NONE,
                     kfd_has_firmware(kfd) && state->processes[process].queue_count > 0, 0);
}
