/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "traces/record/kfd/record_kfd_pass_private.h"
#include "traces/record/record_user.h"

void record_kfd_pass_boards(const struct record_kfd_device *device,
                            struct record_kfd_board boards[RECORD_KFD_GPUS_MAX])
{
    for (uint32_t i = 0; i < device->gpu_count; i++)
        boards[i] = (struct record_kfd_board){
            .gpu = device->gpus[i].gpu,
            .chip = "",
            .gfx_version = device->gpus[i].gfx_version,
            .pci_device = device->gpus[i].pci_device,
            .vram_mib = device->gpus[i].vram_mib,
        };
}

bool record_kfd_pass_begin(struct record_kfd *kfd, const struct record_kfd_device *device,
                           const struct record_kfd_next *next)
{
    struct record_kfd_pass *pass = calloc(1, sizeof *pass);

    if (!pass)
        return false;
    pass->next = *next;
    for (unsigned i = 0; i < kfd->gpu_count; i++) {
        pass->render_fd[i] = -1;
        kfd->gpus[i].gpu_id = device->gpus[i].gpu_id;
        kfd->gpus[i].location_id = device->gpus[i].location_id;
    }
    kfd->pass = pass;
    return true;
}

void record_kfd_pass_free(struct record_kfd *kfd)
{
    if (kfd->pass)
        free(kfd->pass->pending);
    free(kfd->pass);
    kfd->pass = NULL;
}

/* ---- what succeeded -------------------------------------------------------------------------- */

union pass_argument {
    struct kfd_create_queue create_queue;
    struct kfd_destroy_queue destroy_queue;
    struct kfd_update_queue update_queue;
    struct kfd_set_cu_mask cu_mask;
    struct kfd_queue_gws gws;
    struct kfd_create_event create_event;
    struct kfd_event_number event;
    struct kfd_wait_events wait;
    struct kfd_acquire_vm acquire;
    struct kfd_alloc_memory alloc;
    struct kfd_free_memory free;
    struct kfd_map_memory map;
    uint8_t bytes[RECORD_KFD_CALL_BYTES];
};

static void queue_made(struct record_kfd *kfd, const struct record_caller *caller,
                       const struct kfd_create_queue *create)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, create->gpu_id);
    const uint64_t offset = create->doorbell_offset & (RECORD_KFD_DOORBELLS_BYTES - 1);

    if (gpu == kfd->gpu_count ||
        !record_kfd_queue_enter(kfd, caller, create, gpu,
                                (unsigned)(offset / RECORD_KFD_DOORBELL_BYTES)))
        record_out_mark(kfd->out, caller, "a queue of GPU %u is not recorded",
                        (unsigned)create->gpu_id);
    else if (create->type == KFD_QUEUE_PM4)
        record_out_mark(kfd->out, caller,
                        "packets of a compute queue without AQL are not recorded");
}

/* USERPTR's memory is told before the call, whose answer takes its place. */
static void memory_made(struct record_kfd *kfd, const struct kfd_alloc_memory *before,
                        const struct kfd_alloc_memory *alloc)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, alloc->gpu_id);
    struct record_kfd_object object = {
        .va = alloc->va,
        .bytes =
            (alloc->bytes + RECORD_KFD_PAGE_BYTES - 1) & ~(uint64_t)(RECORD_KFD_PAGE_BYTES - 1),
        .handle = alloc->handle,
        .offset = alloc->mmap_offset,
        .flags = alloc->flags,
        .gpu = gpu,
    };

    if (gpu == kfd->gpu_count)
        return;
    if (alloc->flags & KFD_MEMORY_USERPTR) {
        object.is_user = true;
        object.host = (uint8_t *)(uintptr_t)before->mmap_offset;
    } else if ((alloc->flags & (KFD_MEMORY_VRAM | KFD_MEMORY_GTT)) &&
               kfd->pass->render_fd[gpu] >= 0) {
        object.host = kfd->pass->next.map(kfd->pass->next.context, kfd->pass->render_fd[gpu],
                                          alloc->mmap_offset, object.bytes);
    }
    if (object.host && !object.is_user) {
        (void)madvise(object.host, object.bytes, MADV_DONTDUMP);
        (void)madvise(object.host, object.bytes, MADV_DONTFORK);
    }
    if (!record_kfd_object_enter(kfd, &object) && object.host && !object.is_user)
        munmap(object.host, object.bytes);
}

static void acquired(struct record_kfd *kfd, const struct kfd_acquire_vm *acquire)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, acquire->gpu_id);

    if (gpu < kfd->gpu_count)
        kfd->pass->render_fd[gpu] = (int)acquire->render_fd;
}

static void memory_done(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr,
                        const union pass_argument *before, union pass_argument *after)
{
    switch (nr) {
    case KFD_ACQUIRE_VM:
        acquired(kfd, &before->acquire);
        break;
    case KFD_ALLOC_MEMORY:
        memory_made(kfd, &before->alloc, &after->alloc);
        break;
    case KFD_FREE_MEMORY:
        (void)record_kfd_free_memory(kfd, caller, &before->free);
        break;
    case KFD_MAP_MEMORY:
        (void)record_kfd_map_memory(kfd, caller, &after->map);
        break;
    case KFD_UNMAP_MEMORY:
        (void)record_kfd_unmap_memory(kfd, caller, &after->map);
        break;
    default:
        break;
    }
}

static void done(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr,
                 const union pass_argument *before, union pass_argument *after)
{
    switch (nr) {
    case KFD_CREATE_QUEUE:
        queue_made(kfd, caller, &after->create_queue);
        break;
    case KFD_DESTROY_QUEUE:
        (void)record_kfd_destroy_queue(kfd, caller, &before->destroy_queue);
        break;
    case KFD_UPDATE_QUEUE:
        (void)record_kfd_update_queue(kfd, caller, &before->update_queue);
        break;
    case KFD_SET_CU_MASK:
        (void)record_kfd_set_cu_mask(kfd, caller, &before->cu_mask);
        break;
    case KFD_ALLOC_QUEUE_GWS:
        (void)record_kfd_queue_gws(kfd, caller, &after->gws);
        break;
    case KFD_CREATE_EVENT:
        record_kfd_event_enter(kfd, caller, &after->create_event);
        break;
    case KFD_DESTROY_EVENT:
    case KFD_SET_EVENT:
    case KFD_RESET_EVENT:
        (void)record_kfd_event_number(kfd, caller, nr, &before->event);
        break;
    case KFD_WAIT_EVENTS:
        record_kfd_wait_told(kfd, caller, &after->wait);
        break;
    default:
        memory_done(kfd, caller, nr, before, after);
    }
}

/* ---- around a call --------------------------------------------------------------------------- */

bool record_kfd_pass_is_wait(unsigned long request)
{
    return _IOC_NR(request) == KFD_WAIT_EVENTS;
}

/* Calls that the trace says nothing of, and need not. */
static bool is_question(unsigned nr)
{
    switch (nr) {
    case KFD_GET_VERSION:
    case KFD_SET_MEMORY_POLICY:
    case KFD_GET_CLOCK_COUNTERS:
    case KFD_GET_APERTURES:
    case KFD_SET_SCRATCH_VA:
    case KFD_GET_TILE_CONFIG:
    case KFD_SET_TRAP_HANDLER:
    case KFD_GET_APERTURES_NEW:
    case KFD_SET_XNACK_MODE:
    case KFD_AVAILABLE_MEMORY:
        return true;
    default:
        return false;
    }
}

static bool is_recorded(unsigned nr)
{
    return nr >= KFD_CREATE_QUEUE && nr <= KFD_ALLOC_QUEUE_GWS && !is_question(nr) &&
           (nr <= KFD_WAIT_EVENTS || (nr >= KFD_ACQUIRE_VM && nr <= KFD_SET_CU_MASK) ||
            nr == KFD_ALLOC_QUEUE_GWS);
}

static void note_unknown(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr)
{
    if (is_question(nr) || kfd->refused[nr / 8] & 1u << nr % 8)
        return;
    kfd->refused[nr / 8] |= (uint8_t)(1u << nr % 8);
    record_out_mark(kfd->out, caller, "KFD ioctl %#x went to the driver and is not recorded", nr);
}

void record_kfd_pass_before(struct record_kfd *kfd, const struct record_caller *caller,
                            struct record_kfd_call *call)
{
    const unsigned nr = _IOC_NR(call->request);
    const size_t bytes = _IOC_SIZE(call->request);

    record_kfd_tell_client(kfd, caller);
    call->begin_ns = caller->now_ns;
    (void)record_kfd_pass_look(kfd, caller);
    call->is_looked_at = is_recorded(nr) && bytes <= sizeof call->words &&
                         record_user_read(call->words, call->argument, bytes);
}

void record_kfd_pass_after(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_call *call, int result)
{
    union pass_argument before = {0}, after = {0};
    struct record_caller who = *caller;
    const size_t bytes = _IOC_SIZE(call->request);

    if (result < 0)
        return;
    if (!call->is_looked_at) {
        note_unknown(kfd, caller, _IOC_NR(call->request));
        return;
    }
    memcpy(&before, call->words, bytes);
    if (!record_user_read(&after, call->argument, bytes))
        return;
    who.begin_ns = call->begin_ns;
    (void)record_kfd_pass_look(kfd, caller);
    done(kfd, &who, _IOC_NR(call->request), &before, &after);
}

/* ---- doorbells ------------------------------------------------------------------------------- */

bool record_kfd_pass_is_doorbells(const struct record_kfd *kfd, uint64_t offset, unsigned *gpu)
{
    *gpu = record_kfd_gpu_find(kfd, (uint32_t)(offset >> KFD_MMAP_GPU_SHIFT) & KFD_MMAP_GPU_MASK);
    return (offset & KFD_MMAP_TYPE_MASK) == KFD_MMAP_TYPE_DOORBELL && *gpu < kfd->gpu_count;
}

void record_kfd_pass_doorbells(struct record_kfd *kfd, const struct record_caller *caller,
                               unsigned gpu, void *at, size_t bytes, void *own)
{
    if (kfd->gpus[gpu].doorbells)
        munmap(kfd->gpus[gpu].doorbells, RECORD_KFD_DOORBELLS_BYTES);
    kfd->gpus[gpu].doorbells = own;
    record_kfd_doorbells_at(kfd, gpu, at, bytes, own != NULL);
    if (own)
        return;
    record_out_mark(kfd->out, caller, "stores to doorbells cannot be seen: values may be missing");
}

void record_kfd_pass_store(struct record_kfd *kfd, unsigned gpu, uint64_t offset, uint64_t value,
                           unsigned bytes)
{
    if (kfd->gpus[gpu].doorbells)
        kfd->pass->next.store(kfd->pass->next.context, (uint8_t *)kfd->gpus[gpu].doorbells + offset,
                              value, bytes);
}
