/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>

#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_user.h"

enum { TILE_MODES = 32, TILE_MACRO_MODES = 16 }; /* amdgpu_gfx.h, struct amdgpu_gfx_config */

struct record_kfd *record_kfd_new(const struct record_kfd_board *const *boards,
                                  unsigned board_count, struct record_out *out,
                                  struct record_kfd_numbers *numbers)
{
    struct record_kfd *kfd = calloc(1, sizeof *kfd);

    if (!kfd)
        return NULL;
    kfd->out = out;
    kfd->numbers = numbers;
    kfd->gpu_count = board_count;
    for (unsigned i = 0; i < board_count; i++)
        kfd->gpus[i] = (struct record_kfd_gpu){.board = boards[i],
                                               .gpu_id = record_kfd_gpu_id(i),
                                               .location_id = record_kfd_location(i)};
    kfd->fd = -1;
    kfd->cursor = 1 << 20;
    return kfd;
}

void record_kfd_free(struct record_kfd *kfd)
{
    if (!kfd)
        return;
    record_kfd_memory_free(kfd);
    record_kfd_pass_free(kfd);
    free(kfd->told);
    free(kfd->kernels);
    free(kfd);
}

#ifdef RECORD_BROKEN
void record_kfd_break(struct record_kfd *kfd, enum record_kfd_fault fault)
{
    kfd->fault = fault;
}
#endif

unsigned record_kfd_gpu_find(const struct record_kfd *kfd, uint32_t gpu_id)
{
    unsigned gpu = 0;

    while (gpu < kfd->gpu_count && kfd->gpus[gpu].gpu_id != gpu_id)
        gpu++;
    return gpu;
}

/* ---- clocks ---------------------------------------------------------------------------------- */

static uint64_t clock_read_ns(clockid_t clock)
{
    struct timespec now;

    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t record_kfd_gpu_clock(const struct record_kfd *kfd, unsigned gpu)
{
    return clock_read_ns(CLOCK_MONOTONIC_RAW) / 1000 * kfd->gpus[gpu].board->counter_khz / 1000;
}

static int clock_counters(struct record_kfd *kfd, const struct record_caller *caller,
                          struct kfd_clock_counters *counters)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, counters->gpu_id);

    if (gpu >= kfd->gpu_count)
        counters->gpu = 0;
    else if (kfd->live_ops)
        counters->gpu = kfd->live_ops->clock(kfd->live, caller->now_ns);
    else
        counters->gpu = record_kfd_gpu_clock(kfd, gpu);
    counters->cpu = clock_read_ns(CLOCK_MONOTONIC_RAW);
    counters->system = clock_read_ns(CLOCK_BOOTTIME);
    counters->system_hz = 1000000000;
    return 0;
}

/* ---- apertures ------------------------------------------------------------------------------- */

/* As gfx9 has them.  The limit of 47 bits makes the thunk share addresses with the CPU. */
static void aperture_fill(struct kfd_aperture *aperture, unsigned gpu)
{
    *aperture = (struct kfd_aperture){
        .lds_base = 1ull << 48,
        .lds_limit = (1ull << 48) + UINT32_MAX,
        .scratch_base = 2ull << 48,
        .scratch_limit = (2ull << 48) + UINT32_MAX,
        .gpuvm_base = 0x10000,
        .gpuvm_limit = (1ull << 47) - 1,
        .gpu_id = record_kfd_gpu_id(gpu),
    };
}

static int apertures(struct record_kfd *kfd, struct kfd_get_apertures *get)
{
    get->count = kfd->gpu_count < KFD_APERTURES_MAX ? kfd->gpu_count : KFD_APERTURES_MAX;
    for (unsigned i = 0; i < get->count; i++)
        aperture_fill(&get->apertures[i], i);
    return 0;
}

static int apertures_new(struct record_kfd *kfd, struct kfd_get_apertures_new *get)
{
    struct kfd_aperture aperture;
    unsigned i;

    for (i = 0; i < kfd->gpu_count && i < get->count; i++) {
        aperture_fill(&aperture, i);
        if (!record_user_write(get->pointer + i * sizeof aperture, &aperture, sizeof aperture))
            return -EFAULT;
    }
    /* With no room it is a question for their number. */
    get->count = get->count == 0 ? kfd->gpu_count : i;
    return 0;
}

/* ---- other answers --------------------------------------------------------------------------- */

/* Gives at most `most` rows, all 0.  Returns 0, or -EFAULT if they cannot be written. */
static int tile_rows(uint64_t pointer, uint32_t *count, uint32_t most)
{
    static const uint32_t zeros[TILE_MODES];

    *count = *count < most ? *count : most;
    return record_user_write(pointer, zeros, *count * sizeof zeros[0]) ? 0 : -EFAULT;
}

/* As amdkfd's kfd_ioctl_get_tile_config() answers on gfx9, whose driver leaves amdgpu's arrays of
 * modes and the numbers of banks and ranks at 0. */
static int tile_config(const struct record_kfd *kfd, struct kfd_tile_config *config)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, config->gpu_id);
    int result;

    if (gpu == kfd->gpu_count)
        return -EINVAL;
    config->gb_addr_config = kfd->gpus[gpu].board->gb_addr_config;
    config->bank_count = config->rank_count = 0;
    result = tile_rows(config->tile_pointer, &config->tile_count, TILE_MODES);
    return result != 0 ? result
                       : tile_rows(config->macro_pointer, &config->macro_count, TILE_MACRO_MODES);
}

static int xnack_mode(struct kfd_xnack_mode *xnack)
{
    if (xnack->mode > 0)
        return -EPERM; /* gfx9 of these boards cannot */
    xnack->mode = 0;
    return 0;
}

static int available_memory(const struct record_kfd *kfd, struct kfd_available_memory *memory)
{
    const unsigned gpu = record_kfd_gpu_find(kfd, memory->gpu_id);
    uint64_t all;

    if (gpu == kfd->gpu_count)
        return -EINVAL;
    all = (uint64_t)kfd->gpus[gpu].board->vram_mib << 20;
    memory->bytes = all > kfd->gpus[gpu].vram_used ? all - kfd->gpus[gpu].vram_used : 0;
    return 0;
}

/* ---- dispatch -------------------------------------------------------------------------------- */

union record_kfd_argument {
    struct kfd_get_version version;
    struct kfd_create_queue create_queue;
    struct kfd_destroy_queue destroy_queue;
    struct kfd_update_queue update_queue;
    struct kfd_set_cu_mask cu_mask;
    struct kfd_queue_gws gws;
    struct kfd_clock_counters counters;
    struct kfd_get_apertures apertures;
    struct kfd_get_apertures_new apertures_new;
    struct kfd_create_event create_event;
    struct kfd_event_number event;
    struct kfd_wait_events wait;
    struct kfd_tile_config tile_config;
    struct kfd_alloc_memory alloc;
    struct kfd_free_memory free;
    struct kfd_map_memory map;
    struct kfd_xnack_mode xnack;
    struct kfd_available_memory available;
    uint8_t bytes[RECORD_KFD_ARGUMENT_BYTES_MAX];
};

static int refuse(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr)
{
    if (!(kfd->refused[nr / 8] & 1u << nr % 8)) {
        kfd->refused[nr / 8] |= (uint8_t)(1u << nr % 8);
        record_out_mark(kfd->out, caller, "KFD ioctl %#x is not modelled: refused", nr);
    }
    return -EINVAL;
}

static int memory_answer(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr,
                         union record_kfd_argument *argument)
{
    switch (nr) {
    case KFD_ALLOC_MEMORY:
        return record_kfd_alloc_memory(kfd, caller, &argument->alloc);
    case KFD_FREE_MEMORY:
        return record_kfd_free_memory(kfd, caller, &argument->free);
    case KFD_MAP_MEMORY:
        return record_kfd_map_memory(kfd, caller, &argument->map);
    case KFD_UNMAP_MEMORY:
        return record_kfd_unmap_memory(kfd, caller, &argument->map);
    case KFD_AVAILABLE_MEMORY:
        return available_memory(kfd, &argument->available);
    case KFD_SET_MEMORY_POLICY:
    case KFD_SET_SCRATCH_VA:
    case KFD_SET_TRAP_HANDLER:
    case KFD_ACQUIRE_VM:
        return 0; /* nothing that the front end would show */
    default:
        return refuse(kfd, caller, nr);
    }
}

static int answer(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr,
                  union record_kfd_argument *argument, struct record_kfd_wait *wait)
{
    switch (nr) {
    case KFD_GET_VERSION:
        argument->version = (struct kfd_get_version){KFD_MAJOR, KFD_MINOR};
        return 0;
    case KFD_CREATE_QUEUE:
        return record_kfd_create_queue(kfd, caller, &argument->create_queue);
    case KFD_DESTROY_QUEUE:
        return record_kfd_destroy_queue(kfd, caller, &argument->destroy_queue);
    case KFD_UPDATE_QUEUE:
        return record_kfd_update_queue(kfd, caller, &argument->update_queue);
    case KFD_SET_CU_MASK:
        return record_kfd_set_cu_mask(kfd, caller, &argument->cu_mask);
    case KFD_ALLOC_QUEUE_GWS:
        return record_kfd_queue_gws(kfd, caller, &argument->gws);
    case KFD_GET_CLOCK_COUNTERS:
        return clock_counters(kfd, caller, &argument->counters);
    case KFD_GET_APERTURES:
        return apertures(kfd, &argument->apertures);
    case KFD_GET_APERTURES_NEW:
        return apertures_new(kfd, &argument->apertures_new);
    case KFD_CREATE_EVENT:
        return record_kfd_create_event(kfd, caller, &argument->create_event);
    case KFD_DESTROY_EVENT:
    case KFD_SET_EVENT:
    case KFD_RESET_EVENT:
        return record_kfd_event_number(kfd, caller, nr, &argument->event);
    case KFD_WAIT_EVENTS:
        return record_kfd_wait_events(kfd, caller, &argument->wait, wait);
    case KFD_GET_TILE_CONFIG:
        return tile_config(kfd, &argument->tile_config);
    case KFD_SET_XNACK_MODE:
        return xnack_mode(&argument->xnack);
    default:
        return memory_answer(kfd, caller, nr, argument);
    }
}

int record_kfd_ioctl(struct record_kfd *kfd, const struct record_caller *caller,
                     unsigned long request, uint64_t argument, struct record_kfd_wait *wait)
{
    const size_t bytes = _IOC_SIZE(request);
    union record_kfd_argument room = {0}; /* what an older program does not give is 0 */
    int result;

    if (bytes > sizeof room)
        return refuse(kfd, caller, _IOC_NR(request));
    if ((_IOC_DIR(request) & _IOC_WRITE) && !record_user_read(&room, argument, bytes))
        return -EFAULT;
    record_kfd_tell_client(kfd, caller);
    kfd->live_takes_ns = 0;
    result = answer(kfd, caller, _IOC_NR(request), &room, wait);
    wait->takes_ns = kfd->live_takes_ns;
    /* As kfd_ioctl() does: also of a call that failed, whose results tell how far it came. */
    if (result <= 0 && (_IOC_DIR(request) & _IOC_READ) &&
        !record_user_write(argument, &room, bytes))
        return -EFAULT;
    return result;
}
