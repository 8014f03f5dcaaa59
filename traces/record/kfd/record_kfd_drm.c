/* SPDX-License-Identifier: MIT */
/*
 * What ROCm's runtimes ask of amdgpu's render node: who it is.  Nothing is submitted there.
 */
#include <config.h>

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>

#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_drm_uapi.h"
#include "traces/record/record_user.h"

static bool string_answer(uint64_t to, uint64_t *bytes, const char *text)
{
    const uint64_t length = strlen(text), part = length < *bytes ? length : *bytes;

    *bytes = length;
    return to == 0 || record_user_write(to, text, (size_t)part);
}

static int version(struct uapi_version *answer)
{
    answer->major = 3;
    answer->minor = 49;
    answer->patch = 0;
    if (!string_answer(answer->name, &answer->name_bytes, "amdgpu") ||
        !string_answer(answer->date, &answer->date_bytes, "20150101") ||
        !string_answer(answer->text, &answer->text_bytes, "AMD GPU"))
        return -EFAULT;
    return 0;
}

static struct amdgpu_device_info device_info(const struct record_kfd_board *board)
{
    return (struct amdgpu_device_info){
        .device_id = board->pci_device,
        .external_rev = board->drm_revision,
        .pci_rev = board->pci_revision,
        .family = board->drm_family,
        .engine_count = board->engine_count,
        .arrays_per_engine = 1,
        .counter_khz = board->counter_khz,
        .max_engine_khz = (uint64_t)board->clock_mhz * 1000,
        .max_memory_khz = (uint64_t)board->memory_clock_mhz * 1000,
        .cu_count = board->cu_count,
        .rb_count = 16,
        .va_begin = 0x200000,
        .va_end = 0x800000000000,
        .va_alignment = RECORD_KFD_PAGE_BYTES,
        .pte_fragment_bytes = 1 << 21,
        .gart_page_bytes = RECORD_KFD_PAGE_BYTES,
        .vram_bits = board->memory_bits,
        .wave_size = 64,
        .cus_per_array = board->cus_per_array,
        .high_va_begin = 0xffff800000000000,
        .high_va_end = 0xffffffffffffe000,
    };
}

static int info(struct record_kfd *kfd, const struct record_caller *caller,
                const struct record_kfd_board *board, const struct amdgpu_info *ask)
{
    const struct amdgpu_device_info device = device_info(board);
    uint8_t answer[1024] = {0};
    size_t bytes = sizeof answer < ask->bytes ? sizeof answer : ask->bytes;

    switch (ask->query) {
    case AMDGPU_INFO_ACCEL_WORKING:
        answer[0] = 1;
        break;
    case AMDGPU_INFO_DEV_INFO:
        memcpy(answer, &device, sizeof device);
        break;
    case AMDGPU_INFO_READ_MMR:
        break; /* registers read as 0 */
    default:
        if (!(kfd->refused_drm[ask->query / 8 % 32] & 1u << ask->query % 8)) {
            kfd->refused_drm[ask->query / 8 % 32] |= (uint8_t)(1u << ask->query % 8);
            record_out_mark(kfd->out, caller, "AMDGPU_INFO %#x is not modelled: refused",
                            (unsigned)ask->query);
        }
        return -EINVAL;
    }
    return record_user_write(ask->pointer, answer, bytes) ? 0 : -EFAULT;
}

int record_kfd_drm(struct record_kfd *kfd, const struct record_caller *caller, unsigned gpu,
                   unsigned long request, uint64_t argument)
{
    const size_t bytes = _IOC_SIZE(request);
    struct uapi_version who;
    struct uapi_get_cap cap;
    struct amdgpu_info ask;
    int result;

    switch (_IOC_NR(request)) {
    case AMDGPU_VERSION:
        if (bytes != sizeof who || !record_user_read(&who, argument, sizeof who))
            return -EFAULT;
        result = version(&who);
        return result == 0 && !record_user_write(argument, &who, sizeof who) ? -EFAULT : result;
    case AMDGPU_GET_CAP:
        if (bytes != sizeof cap || !record_user_read(&cap, argument, sizeof cap))
            return -EFAULT;
        cap.value = 0;
        return record_user_write(argument, &cap, sizeof cap) ? 0 : -EFAULT;
    case AMDGPU_INFO:
        if (bytes != sizeof ask || !record_user_read(&ask, argument, sizeof ask))
            return -EFAULT;
        return info(kfd, caller, kfd->gpus[gpu].board, &ask);
    default:
        return -EINVAL;
    }
}
