/* SPDX-License-Identifier: MIT */
/*
 * Kernel descriptors of AMDHSA code objects (version 3 and later): the 64 bytes to which
 * KERNEL_OBJECT of a dispatch packet points.  In a code object the descriptor has the kernel's name
 * followed by .kd.  The command processor loads the PGM_RSRC registers from it.  The registers that
 * a wave takes of a SIMD follow from them.
 *
 * Those of gfx9 are known here; a code object for another generation is told by its e_flags.
 *
 * Sources: LLVM AMDHSAKernelDescriptor.h and AMDGPUUsage (EF_AMDGPU_MACH too); tinygrad @a9069c17
 * autogen/amdgpu_kd.py has the layout; checked with descriptors that ROCr loaded.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_KERNEL_H
#define GFE_DEVICES_AMD_FORMATS_AMD_KERNEL_H

#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_layout.h"
#include "emu/base/error.h"

enum { AMD_KERNEL_DWORDS = 16, AMD_KERNEL_BYTES = 64, AMD_KERNEL_NAME_MAX = 512 };

/* clang-format off */
#define AMD_KERNEL_FIELDS(F, R)                                                                    \
    F(KERNEL, GROUP_SEGMENT_FIXED_SIZE, 0, 0, 32, 0, DEC, NULL)                                    \
    F(KERNEL, PRIVATE_SEGMENT_FIXED_SIZE, 1, 0, 32, 0, DEC, NULL)                                  \
    F(KERNEL, KERNARG_SIZE, 2, 0, 32, 0, DEC, NULL)                                                \
    F(KERNEL, CODE_ENTRY_BYTE_OFFSET, 4, 0, 64, 0, HEX, NULL)                                      \
    F(KERNEL, COMPUTE_PGM_RSRC3, 11, 0, 32, 0, HEX, NULL)                                          \
    R(KERNEL, COMPUTE_PGM_RSRC1, 12, COMPUTE_PGM_RSRC1)                                            \
    R(KERNEL, COMPUTE_PGM_RSRC2, 13, COMPUTE_PGM_RSRC2)                                            \
    F(KERNEL, SGPR_PRIVATE_SEGMENT_BUFFER, 14, 0, 1, 0, DEC, NULL)                                 \
    F(KERNEL, SGPR_DISPATCH_PTR, 14, 1, 1, 0, DEC, NULL)                                           \
    F(KERNEL, SGPR_QUEUE_PTR, 14, 2, 1, 0, DEC, NULL)                                              \
    F(KERNEL, SGPR_KERNARG_SEGMENT_PTR, 14, 3, 1, 0, DEC, NULL)                                    \
    F(KERNEL, SGPR_DISPATCH_ID, 14, 4, 1, 0, DEC, NULL)                                            \
    F(KERNEL, SGPR_FLAT_SCRATCH_INIT, 14, 5, 1, 0, DEC, NULL)                                      \
    F(KERNEL, SGPR_PRIVATE_SEGMENT_SIZE, 14, 6, 1, 0, DEC, NULL)                                   \
    F(KERNEL, WAVEFRONT_SIZE32, 14, 10, 1, 0, DEC, NULL)                                           \
    F(KERNEL, DYNAMIC_STACK, 14, 11, 1, 0, DEC, NULL)                                              \
    F(KERNEL, KERNARG_PRELOAD_LENGTH, 14, 16, 7, 0, DEC, NULL)                                     \
    F(KERNEL, KERNARG_PRELOAD_OFFSET, 14, 23, 9, 0, DEC, NULL)
/* clang-format on */

enum { AMD_KERNEL_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };

extern const struct amd_layout amd_kernel_layout;

/* A kernel of a code object. */
struct amd_kernel {
    char name[AMD_KERNEL_NAME_MAX]; /* without .kd, and cut to fit; unprintable characters are ? */
    uint64_t address;               /* of the descriptor, if the object is loaded at 0 */
    uint32_t descriptor[AMD_KERNEL_DWORDS];
};
/* Takes a kernel.  Returns false to end the walk. */
typedef bool amd_kernel_take(void *context, const struct amd_kernel *kernel);

/* Returns false for a code object that says that it is for another machine than gfx9's, whose
 * descriptors differ.  *machine is its EF_AMDGPU_MACH; 0 means that it does not say. */
bool amd_kernel_is_gfx9(const void *data, size_t bytes, uint32_t *machine);
/* Decodes the descriptor at reader->at and advances past it.  Returns false at the end. */
bool amd_kernel_next(struct amd_reader *reader, struct amd_packet *packet);
/* Return the number of registers that a wave takes of a SIMD: vector registers of one lane, and
 * scalar registers.  The unit is the chip's allocation unit (struct amd_chip), a power of two. */
uint32_t amd_kernel_vgprs(uint32_t vgpr_unit, const uint32_t *descriptor);
uint32_t amd_kernel_sgprs(uint32_t sgpr_unit, const uint32_t *descriptor);
/*
 * Calls `take` for each kernel of a code object, in the order of its symbols.  Returns true also if
 * there are no kernels.  Returns false with ERROR_INPUT if the bytes are not a code object for AMD
 * GPUs, or if their tables are damaged.  The bytes are not changed.
 */
bool amd_kernel_walk(const void *data, size_t bytes, amd_kernel_take *take, void *context,
                     struct gfe_error *error);

#endif
