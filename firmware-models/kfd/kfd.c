/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "firmware-models/kfd/kfd.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "firmware-models/kfd/kfd_tables.h"

static void kfd_event(void *unit, const struct event *event)
{
    struct kfd *kfd = unit;

    if (event->kind == KFD_FENCE_WRITTEN)
        kfd_hiq_fence(kfd);
    else if (event->kind == KFD_LOCK_FREE)
        kfd_evict_next(kfd);
    else if (event->kind == KFD_RESET)
        kfd_reset(kfd);
    else if (event->kind == KFD_RESET_DONE)
        kfd_reset_done(kfd);
    else if (event->kind == KFD_RESTORE)
        kfd_userptr_restore(kfd);
    else if (event->kind == KFD_MOVED)
        kfd_userptr_invalidate(kfd, (uint32_t)event->argument);
    else if (kfd->state->waiting == KFD_WAIT_FENCE)
        kfd_hiq_timeout(kfd);
    else
        kfd_hqd_timeout(kfd);
}

static const struct unit_ops kfd_unit_ops = {.event = kfd_event, .finish = kfd_finish};

struct kfd *kfd_new(struct machine *machine, const struct amd_chip *chip, uint64_t physical,
                    uint64_t bytes, const struct kfd_ops *ops, void *engine)
{
    struct kfd *kfd = calloc(1, sizeof *kfd);

    assert(bytes >= KFD_MEMORY_BYTES_MIN && (physical | bytes) % MEMORY_PAGE_BYTES == 0);
    if (!kfd)
        return NULL;
    *kfd = (struct kfd){.machine = machine,
                        .chip = chip,
                        .ops = ops,
                        .engine = engine,
                        .physical = physical,
                        .bytes = bytes};
    kfd->unit = machine_add_unit(machine, "kfd", &kfd_unit_ops, kfd);
    kfd->state = machine_alloc(machine, sizeof *kfd->state);
    if (!kfd->state)
        return kfd; /* machine_seal() fails */
    kfd->state->first_process = KFD_NONE;
    extents_init(&kfd->state->memory, physical, bytes);
    return kfd;
}

void kfd_free(struct kfd *kfd)
{
    free(kfd);
}

bool kfd_has_firmware(const struct kfd *kfd)
{
    return kfd->machine->choices[CHOICE_KFD_SCHED_POLICY] != KFD_SCHED_NO_HWS;
}

uint64_t kfd_slot_mask(const struct kfd *kfd)
{
    const struct amd_chip *chip = kfd->chip;
    const uint64_t kernel = machine_parameter(kfd->machine, PARAM_KFD_NUM_KCQ);
    uint64_t mask = 0;

    for (uint32_t pipe = 0; pipe < chip->pipes_per_mec; pipe++)
        for (uint32_t slot = 0; slot < chip->queues_per_pipe; slot++)
            if (pipe + slot * chip->pipes_per_mec >= kernel)
                mask |= UINT64_C(1) << (pipe * AMD_QUEUES_PER_PIPE_MAX + slot);
    return mask;
}

/* Returns a bit for each VMID that the graphics driver leaves. */
uint32_t kfd_vmid_mask(const struct kfd *kfd)
{
    return (1u << AMD_VMIDS) - (1u << kfd->chip->first_kfd_vmid);
}

uint32_t kfd_process_limit(const struct kfd *kfd)
{
    const uint64_t wanted = machine_parameter(kfd->machine, PARAM_KFD_HWS_MAX_CONC_PROC);
    const uint32_t vmids = AMD_VMIDS - kfd->chip->first_kfd_vmid;

    return wanted == 0 || wanted > vmids ? vmids : (uint32_t)wanted;
}

uint64_t kfd_va(const struct kfd *kfd, uint64_t physical)
{
    return KFD_VA + (physical - kfd->physical);
}

void kfd_start(struct kfd *kfd)
{
    struct kfd_state *state = kfd->state;
    const struct address_space_range range = {.va = KFD_VA,
                                              .size_bytes = kfd->bytes,
                                              .physical = kfd->physical,
                                              .aperture = MEMORY_SYSMEM};
    struct address_space_range in_space = range;

    assert(!state->started);
    state->started = 1;
    state->space_id = address_space_new(&kfd->machine->spaces, MEMORY_SYSMEM, kfd->physical);
    in_space.space_id = state->space_id;
    if (state->space_id == ADDRESS_SPACE_NONE ||
        address_space_map(&kfd->machine->spaces, &in_space) != ADDRESS_SPACE_OK) {
        machine_fail(kfd->machine, ERROR_LIMIT, "no room for the address space of AMD's driver");
        return;
    }
    machine_wrote_own(kfd->machine, MEMORY_SYSMEM, kfd->physical, (uint32_t)kfd->bytes);
    state->slots = (uint32_t)kfd_slot_mask(kfd);
    state->vmids = kfd_vmid_mask(kfd);
    kfd_sdma_start(kfd);
    kfd_hiq_start(kfd);
}

uint32_t kfd_process_open(struct kfd *kfd, uint64_t page_table)
{
    for (uint32_t i = 0; i < KFD_PROCESSES_MAX; i++)
        if (!kfd->state->processes[i].used) {
            kfd->state->processes[i] = (struct kfd_process){.page_table = page_table,
                                                            .used = 1,
                                                            .pasid = KFD_PASID_FIRST + i,
                                                            .first_queue = KFD_NONE,
                                                            .next = KFD_NONE};
            return i;
        }
    return KFD_NONE;
}
