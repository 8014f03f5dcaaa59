/* SPDX-License-Identifier: MIT */
/*
 * The three kernels that ROCr brings with it for copies and fills (hsa_amd_memory_fill(), copies in
 * video memory, the loading of code).  Without their effects programs would find no code.
 *
 * They are known by their descriptor: an amd_kernel_code_t without a version, which no compiler
 * makes, whose entry follows it at once, and its count of registers.  Arguments as ROCr 5.2 lays
 * them out, in words of 64 bits: copies have the source in 0, the target in 1 and the end of the
 * source in 8 (aligned) or 4; a fill has its target in 0, its end in 2, the value in 3.
 */
#include <config.h>

#include <string.h>

#include "traces/record/kfd/record_kfd_private.h"

enum {
    ENTRY_OFFSET = 16,
    RESOURCES_1 = 48,
    ENTRY = 256,
    COPY_ALIGNED = 0xc2,
    COPY_MISALIGNED = 0x82,
    FILL = 0x81,
    ARGUMENT_WORDS = 9,
};

static unsigned blit_kind(struct record_kfd *kfd, const struct record_caller *caller,
                          uint64_t kernel)
{
    static const uint8_t zeros[ENTRY_OFFSET];
    const uint8_t *descriptor = record_kfd_at(kfd, caller, kernel, ENTRY);
    uint64_t entry;

    if (!descriptor || memcmp(descriptor, zeros, sizeof zeros) != 0)
        return 0;
    memcpy(&entry, descriptor + ENTRY_OFFSET, sizeof entry);
    return entry == ENTRY ? descriptor[RESOURCES_1] : 0;
}

enum trace_kernel_what record_kfd_blit_what(struct record_kfd *kfd,
                                            const struct record_caller *caller, uint64_t kernel)
{
    switch (blit_kind(kfd, caller, kernel)) {
    case COPY_ALIGNED:
    case COPY_MISALIGNED:
        return TRACE_KERNEL_COPY;
    case FILL:
        return TRACE_KERNEL_FILL;
    default:
        return TRACE_KERNEL_APPLICATION;
    }
}

void record_kfd_blit_run(struct record_kfd *kfd, const struct record_caller *caller,
                         uint64_t kernel, uint64_t arguments)
{
    const unsigned kind = blit_kind(kfd, caller, kernel);
    uint64_t words[ARGUMENT_WORDS] = {0}, there = 0;
    const struct record_kfd_object *object = record_kfd_object_at(kfd, arguments, &there);

    if (!object || (kind != COPY_ALIGNED && kind != COPY_MISALIGNED && kind != FILL))
        return;
    memcpy(words, object->host + (arguments - object->va),
           there < sizeof words ? there : sizeof words);
    if (kind == FILL)
        (void)record_kfd_fill(kfd, caller, words[0], (uint32_t)words[3], words[2] - words[0]);
    else
        (void)record_kfd_copy(kfd, caller, words[1], words[0],
                              words[kind == COPY_ALIGNED ? 8 : 4] - words[0]);
}
