/* SPDX-License-Identifier: MIT */
/*
 * Descriptors of kernels (QMD): open-gpu-doc classes/compute/clc0c0qmd.h to clcbc0qmd.h; those of
 * an H100 were recorded (tests/hardware/data, h100, capture_descriptors).
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_qmd.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_push.h"
#include "firmware-models/cuda/cuda_shared.h"
#include "firmware-models/cuda/cuda_split.h"
#include "firmware-models/cuda/cuda_tables.h"

/* Addresses of a descriptor, as the GPU sees them. */
struct qmd_addresses {
    uint64_t semaphore, started, program;
    uint32_t program_offset; /* from the start of the heap */
};

static void qmd_put(const struct nv_qmd_layout *layout, uint32_t *words, const char *name,
                    uint32_t value)
{
    const struct nv_qmd_row *field = nv_qmd_find(layout, name);

    assert(field);
    nv_qmd_bits_put(words, field->hi, field->lo, value);
}

/* Returns the layout with that version; it must exist (asserted). */
static const struct nv_qmd_layout *qmd_layout(uint32_t major, uint32_t minor)
{
    const struct nv_qmd_layout *layout = NULL;

    for (size_t i = 0; i < nv_qmd_layout_count() && !layout; i++)
        if (nv_qmd_layout_at(i)->major == major && nv_qmd_layout_at(i)->minor == minor)
            layout = nv_qmd_layout_at(i);
    assert(layout);
    return layout;
}

/* Returns the layout of a kernel's descriptor.  INFERRED: one with a mask has the layout whose mask
 * has a bit for each TPC, which on Ada is V03_00. */
static const struct nv_qmd_layout *qmd_layout_for(const struct cuda *cuda,
                                                  const struct cuda_kernel *kernel)
{
    if (!mask128_any(&kernel->sm_mask))
        return cuda->layout;
    return cuda->model->class_compute == ADA_COMPUTE_A ? qmd_layout(3, 0) : cuda->layout;
}

/* The mask of TPCs: 64 bits, 72 on Ada (clc9c0qmd.h: SM_DISABLE_MASK_EXT_LOWER, 377:372, and
 * _UPPER, 380:379), or more on Hopper. */
static void qmd_put_mask(const struct cuda *cuda, const struct nv_qmd_layout *layout,
                         uint32_t *words, const struct mask128 *mask)
{
    const struct nv_qmd_row *field = nv_qmd_find(layout, "TPC_DISABLE_MASK");

    for (uint32_t i = 0; field && i < 4; i++)
        nv_qmd_bits_put(words, field->hi + i * field->stride, field->lo + i * field->stride,
                        (uint32_t)(mask->word[i / 2] >> 32 * (i % 2)));
    if (field) {
        qmd_put(layout, words, "TPC_DISABLE_MASK_VALID", mask128_any(mask));
        return;
    }
    qmd_put(layout, words, "SM_DISABLE_MASK_LOWER", (uint32_t)mask->word[0]);
    qmd_put(layout, words, "SM_DISABLE_MASK_UPPER", (uint32_t)(mask->word[0] >> 32));
    if (cuda->model->class_compute == ADA_COMPUTE_A && layout->major == 3) {
        nv_qmd_bits_put(words, 377, 372, (uint32_t)mask->word[1] & 0x3f);
        nv_qmd_bits_put(words, 380, 379, (uint32_t)mask->word[1] >> 6 & 3);
    }
}

/* V04_00: other names, and the first constant buffer's address in units of 64 bytes. */
static void qmd_put_v04(const struct nv_qmd_layout *layout, uint32_t *words,
                        const struct cuda_kernel *kernel, const struct qmd_addresses *at,
                        uint32_t payload)
{
    qmd_put(layout, words, "QMD_MINOR_VERSION", layout->minor);
    qmd_put(layout, words, "GRID_WIDTH", (uint32_t)kernel->block_count);
    qmd_put(layout, words, "GRID_HEIGHT", 1);
    qmd_put(layout, words, "GRID_DEPTH", 1);
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_LOWER_SHIFTED6", (uint32_t)(at->started >> 6));
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_UPPER_SHIFTED6", (uint32_t)(at->started >> 38));
    qmd_put(layout, words, "RELEASE_ENABLE", 1);
    qmd_put(layout, words, "RELEASE_STRUCTURE_SIZE", 1); /* SEMAPHORE_ONE_WORD */
    qmd_put(layout, words, "RELEASE_SEMAPHORE0_ADDR_LOWER", (uint32_t)at->semaphore);
    qmd_put(layout, words, "RELEASE_SEMAPHORE0_ADDR_UPPER", (uint32_t)(at->semaphore >> 32));
    qmd_put(layout, words, "RELEASE_SEMAPHORE0_PAYLOAD_LOWER", payload);
}

/* Fields that V03 calls otherwise than the layouts before it. */
static void qmd_put_v03(const struct nv_qmd_layout *layout, uint32_t *words,
                        const struct cuda_kernel *kernel, const struct qmd_addresses *at,
                        uint32_t payload)
{
    const bool v03 = layout->major == 3;

    qmd_put(layout, words, "QMD_VERSION", layout->minor);
    qmd_put(layout, words, "CTA_RASTER_WIDTH", (uint32_t)kernel->block_count);
    qmd_put(layout, words, "CTA_RASTER_HEIGHT", 1);
    qmd_put(layout, words, "CTA_RASTER_DEPTH", 1);
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_LOWER", (uint32_t)at->started);
    qmd_put(layout, words, "CONSTANT_BUFFER_ADDR_UPPER", (uint32_t)(at->started >> 32));
    qmd_put(layout, words, "RELEASE0_ADDRESS_LOWER", (uint32_t)at->semaphore);
    qmd_put(layout, words, "RELEASE0_ADDRESS_UPPER", (uint32_t)(at->semaphore >> 32));
    qmd_put(layout, words, "RELEASE0_STRUCTURE_SIZE", 1); /* ONE_WORD */
    qmd_put(layout, words, v03 ? "RELEASE0_ENABLE" : "SEMAPHORE_RELEASE_ENABLE0", 1);
    qmd_put(layout, words, v03 ? "RELEASE0_PAYLOAD_LOWER" : "RELEASE0_PAYLOAD", payload);
}

/* Programs have offsets up to Pascal, then addresses. */
static void qmd_put_program(const struct nv_qmd_layout *layout, uint32_t *words,
                            const struct qmd_addresses *at)
{
    if (layout->major > 2 || (layout->major == 2 && layout->minor >= 2)) {
        qmd_put(layout, words, "PROGRAM_ADDRESS_LOWER", (uint32_t)at->program);
        qmd_put(layout, words, "PROGRAM_ADDRESS_UPPER", (uint32_t)(at->program >> 32));
    } else {
        qmd_put(layout, words, "PROGRAM_OFFSET", at->program_offset);
    }
}

static uint32_t cuda_registers(const struct cuda *cuda, const struct cuda_kernel *kernel)
{
    return kernel->registers ? kernel->registers
                             : (uint32_t)cuda_parameter(cuda, PARAM_CUDA_REGISTERS);
}

/* The splits of L1 and shared memory, in units of 4 KiB plus one, which the GPU reads where an SM
 * keeps its split. */
static void qmd_put_split(const struct cuda *cuda, const struct nv_qmd_layout *layout,
                          uint32_t *words, const struct cuda_kernel *kernel)
{
    const struct exec_limits *sm = &cuda->model->sm;
    struct cuda_split split;

    if (cuda->machine->choices[CHOICE_NV_SM_SPLIT] != NV_SM_SPLIT_HELD || sm->split_count == 0)
        return;
    split = cuda_split_of(cuda, kernel, cuda_registers(cuda, kernel));
    qmd_put(layout, words, "MIN_SM_CONFIG_SHARED_MEM_SIZE", split.least_kib / 4 + 1);
    qmd_put(layout, words, "MAX_SM_CONFIG_SHARED_MEM_SIZE",
            sm->splits_kib[sm->split_count - 1] / 4u + 1);
    qmd_put(layout, words, "TARGET_SM_CONFIG_SHARED_MEM_SIZE", split.chosen_kib / 4 + 1);
}

/* A cluster has its blocks along the first dimension, as grids have here. */
static void qmd_put_cluster(const struct nv_qmd_layout *layout, uint32_t *words, uint32_t cluster)
{
    if (cluster == 0)
        return;
    qmd_put(layout, words, "GPC_CGA_WIDTH", cluster);
    qmd_put(layout, words, "GPC_CGA_HEIGHT", 1);
    qmd_put(layout, words, "GPC_CGA_DEPTH", 1);
    qmd_put(layout, words, "CGA_CTA_DISTRIBUTION_MODE", 1); /* MULTI_CAST, as recorded */
}

void cuda_write_qmd(struct cuda *cuda, uint32_t stream, uint32_t kernel_index)
{
    const struct cuda_kernel *kernel = &cuda->kernels[kernel_index];
    const struct nv_qmd_layout *layout = qmd_layout_for(cuda, kernel);
    const uint32_t offset = CUDA_PROGRAM_BYTES * kernel_index;
    const struct qmd_addresses at = {
        .semaphore = cuda_va(cuda, stream, CUDA_AT_SEMAPHORE),
        .started = cuda_va(cuda, stream, CUDA_AT_STARTED),
        .program = cuda_process(cuda, stream)->context.heap_va + offset,
        .program_offset = offset,
    };
    uint32_t words[NV_QMD_MAX_DWORDS] = {0};
    struct mask128 mask;

    qmd_put(layout, words, "QMD_MAJOR_VERSION", layout->major);
    qmd_put(layout, words, "CTA_THREAD_DIMENSION0", kernel->block_threads);
    qmd_put(layout, words, "CTA_THREAD_DIMENSION1", 1);
    qmd_put(layout, words, "CTA_THREAD_DIMENSION2", 1);
    qmd_put(layout, words, "SHARED_MEMORY_SIZE",
            kernel->shared_bytes + cuda_shared_of(cuda->model).driver_bytes);
    qmd_put(layout, words,
            nv_qmd_find(layout, "REGISTER_COUNT_V") ? "REGISTER_COUNT_V" : "REGISTER_COUNT",
            cuda_registers(cuda, kernel));
    qmd_put(layout, words, "CONSTANT_BUFFER_VALID", 1);
    (layout->major >= 4 ? qmd_put_v04 : qmd_put_v03)(layout, words, kernel, &at,
                                                     cuda->streams[stream].payload);
    qmd_put_program(layout, words, &at);
    qmd_put_split(cuda, layout, words, kernel);
    mask = mask128_or(kernel->sm_mask, cuda_mps_mask(cuda, cuda->program->streams[stream].process));
    qmd_put_mask(cuda, layout, words, &mask);
    if (cuda->model->class_compute == HOPPER_COMPUTE_A) {
        qmd_put(layout, words, "QMD_TYPE",
                kernel->cluster > 0 ? 3 : 2); /* GRID_GPC_CGA, GRID_CTA */
        qmd_put_cluster(layout, words, kernel->cluster);
        qmd_put(layout, words, "QMD_GROUP_ID",
                nv_qmd_group_of(cuda->program->streams[stream].priority));
    }
    cuda_poke(cuda, stream, cuda_turn(cuda, stream), words, 4 * (size_t)layout->dwords);
    cuda_poke(cuda, stream, CUDA_AT_STARTED, &(uint32_t){0}, sizeof(uint32_t));
}
