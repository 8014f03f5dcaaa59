/* SPDX-License-Identifier: MIT */
/*
 * LAUNCH_DMA: class state becomes a copy, and what the engine would not do is found.  The codes are
 * those of LAUNCHERR (open-gpu-doc tu104/dev_ce.ref.txt), which are published without their
 * conditions: these are INFERRED from the names, and nv.ce.launch_checks turns them off.
 */
#include <config.h>

#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_tables.h"

#define ERROR(name) NV_CE_LCE_LAUNCHERR_REPORT_##name

enum { GOB_BYTES = 512, BLOCK_LOG2_MAX = 5, FADD = NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_FADD };

/* The two sides have the same methods at other offsets. */
struct nv_ce_side_methods {
    uint16_t offset, pitch, block_size, width, height, depth, layer, origin_x, origin_y, phys_mode;
};

static const struct nv_ce_side_methods nv_ce_source = {
    NVC0B5_OFFSET_IN_UPPER,   NVA0B5_PITCH_IN,       NVC0B5_SET_SRC_BLOCK_SIZE,
    NVA0B5_SET_SRC_WIDTH,     NVA0B5_SET_SRC_HEIGHT, NVA0B5_SET_SRC_DEPTH,
    NVA0B5_SET_SRC_LAYER,     NVC1B5_SRC_ORIGIN_X,   NVC1B5_SRC_ORIGIN_Y,
    NVA0B5_SET_SRC_PHYS_MODE,
};
static const struct nv_ce_side_methods nv_ce_destination = {
    NVC0B5_OFFSET_OUT_UPPER,  NVA0B5_PITCH_OUT,      NVC0B5_SET_DST_BLOCK_SIZE,
    NVA0B5_SET_DST_WIDTH,     NVA0B5_SET_DST_HEIGHT, NVA0B5_SET_DST_DEPTH,
    NVA0B5_SET_DST_LAYER,     NVC1B5_DST_ORIGIN_X,   NVC1B5_DST_ORIGIN_Y,
    NVA0B5_SET_DST_PHYS_MODE,
};

uint64_t nv_ce_address(const struct nv_ce *ce, uint32_t upper)
{
    return (uint64_t)(nv_ce_shadow(ce, upper) & 0x1ffff) << 32 | nv_ce_shadow(ce, upper + 4);
}

/* Elements times their bytes; what does not fit is cut, and is out of bounds anyway. */
static uint32_t nv_ce_bytes(uint32_t elements, uint32_t element_bytes)
{
    const uint64_t bytes = (uint64_t)elements * element_bytes;

    return bytes > UINT32_MAX ? UINT32_MAX : (uint32_t)bytes;
}

/* Widths, x origins and lengths of lines count elements when components are remapped (INFERRED:
 * Mesa nvc0_transfer.c, nve4_m2mf_transfer_rect, gives them so). */
static struct nv_ce_side nv_ce_side(const struct nv_ce *ce,
                                    const struct nv_ce_side_methods *methods, bool pitch,
                                    bool physical, uint32_t element_bytes)
{
    const uint32_t block = nv_ce_shadow(ce, methods->block_size);
    const uint32_t target = nv_ce_shadow(ce, methods->phys_mode) & 3;
    const uint32_t stride = nv_ce_shadow(ce, methods->pitch);
    struct nv_ce_side side = {
        .base = nv_ce_address(ce, methods->offset),
        .pitch = stride,
        .surface =
            {
                .width_bytes = nv_ce_bytes(nv_ce_shadow(ce, methods->width), element_bytes),
                .height = nv_ce_shadow(ce, methods->height),
                .block_height_log2 = REG_GET(block, NVC0B5_SET_SRC_BLOCK_SIZE_HEIGHT),
                .block_depth_log2 = REG_GET(block, NVC0B5_SET_SRC_BLOCK_SIZE_DEPTH),
                .gob = nv_host_gob(ce->host),
            },
        .element_bytes = element_bytes,
        .origin_x = nv_ce_bytes(nv_ce_shadow(ce, methods->origin_x), element_bytes),
        .origin_y = nv_ce_shadow(ce, methods->origin_y),
        .layer = nv_ce_shadow(ce, methods->layer),
        .block_linear = !pitch,
        .aperture = MEMORY_APERTURE_COUNT,
    };

    if (ce->machine->choices[CHOICE_NV_PITCH_SIGN] == 0 && stride >> 31)
        side.pitch |= UINT64_MAX << 32;
    if (physical)
        side.aperture =
            target == NVA0B5_SET_SRC_PHYS_MODE_TARGET_LOCAL_FB ? MEMORY_VRAM : MEMORY_SYSMEM;
    if (ce->machine->choices[CHOICE_NV_BLOCK_SHRINK])
        nv_tile_shrink(&side.surface, nv_ce_shadow(ce, methods->depth));
    return side;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static uint32_t nv_ce_check_fields(uint32_t launch)
{
    const uint32_t reduction = REG_GET(launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION);

    if (REG_GET(launch, NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE) == 3 ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE) == 3 ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_INTERRUPT_TYPE) == 3)
        return ERROR(INVALID_VALUE);
    if (REG_GET(launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_ENABLE) &&
        reduction > NVC1B5_LAUNCH_DMA_SEMAPHORE_REDUCTION_DEC && reduction != FADD)
        return ERROR(INVALID_VALUE);
    return ERROR(NO_ERR);
}

static uint32_t nv_ce_check_semaphore(const struct nv_ce_copy *copy)
{
    switch (REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE)) {
    case NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_RELEASE_ONE_WORD_SEMAPHORE:
        return copy->semaphore_address % 4 ? ERROR(INVALID_ALIGNMENT) : ERROR(NO_ERR);
    case NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_RELEASE_FOUR_WORD_SEMAPHORE:
        return copy->semaphore_address % 16 ? ERROR(INVALID_ALIGNMENT) : ERROR(NO_ERR);
    default:
        return ERROR(NO_ERR);
    }
}

/* The components that the element really has must name something that is there. */
static uint32_t nv_ce_check_remap(uint32_t launch, uint32_t remap)
{
    const uint32_t from = REG_GET(remap, NVA0B5_SET_REMAP_COMPONENTS_NUM_SRC_COMPONENTS) + 1;
    const uint32_t to = REG_GET(remap, NVA0B5_SET_REMAP_COMPONENTS_NUM_DST_COMPONENTS) + 1;

    if (!REG_GET(launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE))
        return ERROR(NO_ERR);
    for (uint32_t i = 0; i < to; i++) {
        const uint32_t what = remap >> (4 * i) & 7;

        if (what > NVA0B5_SET_REMAP_COMPONENTS_DST_X_NO_WRITE)
            return ERROR(INVALID_VALUE);
        if (what <= NVA0B5_SET_REMAP_COMPONENTS_DST_X_SRC_W && what >= from)
            return ERROR(BAD_SRC_PIXEL_COMP_REF);
    }
    return ERROR(NO_ERR);
}

static uint32_t nv_ce_check_tiled(const struct nv_ce *ce, const struct nv_ce_side_methods *methods,
                                  const struct nv_ce_copy *copy, const struct nv_ce_side *side)
{
    const uint32_t block = nv_ce_shadow(ce, methods->block_size);
    const uint64_t right = (uint64_t)nv_ce_shadow(ce, methods->origin_x) + copy->line_elements;
    const uint64_t bottom = (uint64_t)side->origin_y + copy->line_count;
    const uint32_t width = nv_ce_shadow(ce, methods->width);

    if (REG_GET(block, NVC0B5_SET_SRC_BLOCK_SIZE_WIDTH) != 0 ||
        REG_GET(block, NVC0B5_SET_SRC_BLOCK_SIZE_HEIGHT) > BLOCK_LOG2_MAX ||
        REG_GET(block, NVC0B5_SET_SRC_BLOCK_SIZE_DEPTH) > BLOCK_LOG2_MAX ||
        REG_GET(block, NVC0B5_SET_SRC_BLOCK_SIZE_GOB_HEIGHT) !=
            NVC0B5_SET_SRC_BLOCK_SIZE_GOB_HEIGHT_GOB_HEIGHT_FERMI_8 ||
        (uint64_t)width * side->element_bytes > UINT32_MAX)
        return ERROR(INVALID_VALUE);
    if (side->base % GOB_BYTES)
        return ERROR(INVALID_ALIGNMENT);
    if (side->layer >= nv_ce_shadow(ce, methods->depth))
        return ERROR(2D_LAYER_EXCEEDS_DEPTH);
    if (copy->line_elements && copy->line_count && (right > width || bottom > side->surface.height))
        return ERROR(MEM2MEM_RECT_OUT_OF_BOUNDS);
    return ERROR(NO_ERR);
}

/* Lines may not run into each other.  `code` is that of a pitch above 0, the next one that of a
 * negative pitch. */
static uint32_t nv_ce_check_pitch(const struct nv_ce_copy *copy, const struct nv_ce_side *side,
                                  uint32_t code)
{
    const bool negative = side->pitch >> 63;
    const uint64_t pitch = negative ? 0 - side->pitch : side->pitch;

    if (copy->line_count <= 1 || (uint64_t)copy->line_elements * side->element_bytes <= pitch)
        return ERROR(NO_ERR);
    return negative ? code + 1 : code;
}

static uint32_t nv_ce_check_side(const struct nv_ce *ce, const struct nv_ce_copy *copy, bool source)
{
    const struct nv_ce_side_methods *methods = source ? &nv_ce_source : &nv_ce_destination;
    const struct nv_ce_side *side = source ? &copy->from : &copy->to;

    if (side->aperture != MEMORY_APERTURE_COUNT &&
        nv_ce_shadow(ce, methods->phys_mode) > NVA0B5_SET_SRC_PHYS_MODE_TARGET_NONCOHERENT_SYSMEM)
        return ERROR(INVALID_VALUE);
    if (side->block_linear)
        return nv_ce_check_tiled(ce, methods, copy, side);
    return nv_ce_check_pitch(
        copy, side, source ? ERROR(SRC_LINE_EXCEEDS_PITCH) : ERROR(DST_LINE_EXCEEDS_PITCH));
}

/* The first thing that is wrong with a launch. */
static uint32_t nv_ce_check(const struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    uint32_t error = nv_ce_pces(ce) ? ERROR(NO_ERR) : ERROR(INVALID_CONFIG);

    if (error || ce->machine->choices[CHOICE_NV_CE_LAUNCH_CHECKS])
        return error;
    error = nv_ce_check_fields(copy->launch);
    if (!error)
        error = nv_ce_check_semaphore(copy);
    if (error || copy->line_count == 0)
        return error;
    error = nv_ce_check_remap(copy->launch, copy->remap);
    if (!error && copy->reads_source)
        error = nv_ce_check_side(ce, copy, true);
    return error ? error : nv_ce_check_side(ce, copy, false);
}

/* ---- launch ---------------------------------------------------------------------------------- */

/* Bytes of a remapped element, of the source's or the destination's components. */
static uint32_t nv_ce_element_bytes(uint32_t launch, uint32_t remap, bool source)
{
    const uint32_t size = REG_GET(remap, NVA0B5_SET_REMAP_COMPONENTS_COMPONENT_SIZE) + 1;
    const uint32_t from = REG_GET(remap, NVA0B5_SET_REMAP_COMPONENTS_NUM_SRC_COMPONENTS) + 1;
    const uint32_t to = REG_GET(remap, NVA0B5_SET_REMAP_COMPONENTS_NUM_DST_COMPONENTS) + 1;

    return REG_GET(launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE) ? size * (source ? from : to) : 1;
}

/* A source that no component names is not read: fills with a constant do not set one. */
static bool nv_ce_reads_source(uint32_t launch, uint32_t remap)
{
    const uint32_t to = REG_GET(remap, NVA0B5_SET_REMAP_COMPONENTS_NUM_DST_COMPONENTS) + 1;

    if (!REG_GET(launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE))
        return true;
    for (uint32_t i = 0; i < to; i++)
        if ((remap >> (4 * i) & 7) <= NVA0B5_SET_REMAP_COMPONENTS_DST_X_SRC_W)
            return true;
    return false;
}

struct nv_ce_copy nv_ce_decode(struct nv_ce *ce, const struct nv_method *method, bool transfers)
{
    const uint32_t launch = method->data;
    const uint32_t config = nv_pbdma_reg(&ce->pbdmas[method->pbdma_id], NV_PPBDMA_CONFIG);
    const uint32_t remap = nv_ce_shadow(ce, NVA0B5_SET_REMAP_COMPONENTS);
    const uint32_t bytes_from = nv_ce_element_bytes(launch, remap, true);
    const uint32_t bytes_to = nv_ce_element_bytes(launch, remap, false);
    const uint32_t widest = bytes_from > bytes_to ? bytes_from : bytes_to;
    const uint32_t length = nv_ce_shadow(ce, NVA0B5_LINE_LENGTH_IN);
    const uint32_t lines = REG_GET(launch, NVC1B5_LAUNCH_DMA_MULTI_LINE_ENABLE)
                               ? nv_ce_shadow(ce, NVA0B5_LINE_COUNT)
                               : 1;
    struct nv_ce_copy copy = {
        .gp_sequence = method->gp_sequence,
        .semaphore_address = nv_ce_address(ce, NVC0B5_SET_SEMAPHORE_A),
        .queued_ps = machine_now(ce->machine),
        .waiting_ps = machine_now(ce->machine),
        .from = nv_ce_side(ce, &nv_ce_source, REG_GET(launch, NVC1B5_LAUNCH_DMA_SRC_MEMORY_LAYOUT),
                           REG_GET(launch, NVC1B5_LAUNCH_DMA_SRC_TYPE), bytes_from),
        .to =
            nv_ce_side(ce, &nv_ce_destination, REG_GET(launch, NVC1B5_LAUNCH_DMA_DST_MEMORY_LAYOUT),
                       REG_GET(launch, NVC1B5_LAUNCH_DMA_DST_TYPE), bytes_to),
        .channel_id = method->channel_id,
        .space_id = method->space_id,
        .tsg_id = method->tsg_id,
        .splits = REG_GET(config, NV_PPBDMA_CONFIG_CE_SPLIT) == NV_PPBDMA_CONFIG_CE_SPLIT_ENABLE,
        .throttled = REG_GET(config, NV_PPBDMA_CONFIG_CE_THROTTLE_MODE) ==
                     NV_PPBDMA_CONFIG_CE_THROTTLE_MODE_THROTTLE,
        .semaphore_payload = nv_ce_shadow(ce, NVA0B5_SET_SEMAPHORE_PAYLOAD),
        .launch = launch,
        .remap = remap,
        .constant_a = nv_ce_shadow(ce, NVA0B5_SET_REMAP_CONST_A),
        .constant_b = nv_ce_shadow(ce, NVA0B5_SET_REMAP_CONST_B),
        .reads_source = nv_ce_reads_source(launch, remap),
    };

    if (transfers && length > 0) {
        /* Lines beyond 4 GiB do not exist: they would leave the address space. */
        copy.line_elements = length > UINT32_MAX / widest ? UINT32_MAX / widest : length;
        copy.line_count = lines;
    }
    copy.byte_count = (uint64_t)copy.line_elements * bytes_to * copy.line_count;
    copy.launch_error = nv_ce_check(ce, &copy);
    return copy;
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* ASSUMED, as conditional rendering of the 3D class is used (Mesa nvc0_query_hw.c): 64 bits that
 * are not 0, or that are equal to the 64 bits of the report behind, 16 bytes on. */
bool nv_ce_condition(struct nv_ce *ce, const struct nv_method *method, bool *enabled,
                     uint64_t *fault_address)
{
    const uint64_t address = (uint64_t)(nv_ce_shadow(ce, NVA0B5_SET_RENDER_ENABLE_A) & UINT8_MAX)
                                 << 32 |
                             nv_ce_shadow(ce, NVA0B5_SET_RENDER_ENABLE_B);
    const uint32_t mode = REG_GET(method->data, NVA0B5_SET_RENDER_ENABLE_C_MODE);
    uint64_t first = 0, second = 0;

    *enabled = mode == NVA0B5_SET_RENDER_ENABLE_C_MODE_TRUE;
    if (mode < NVA0B5_SET_RENDER_ENABLE_C_MODE_CONDITIONAL)
        return true;
    if (!machine_vm_read(ce->machine, method->space_id, address, &first, sizeof first,
                         fault_address))
        return false;
    *enabled = first != 0;
    if (mode == NVA0B5_SET_RENDER_ENABLE_C_MODE_CONDITIONAL)
        return true;
    if (!machine_vm_read(ce->machine, method->space_id, address + 16, &second, sizeof second,
                         fault_address))
        return false;
    *enabled = (first == second) == (mode == NVA0B5_SET_RENDER_ENABLE_C_MODE_RENDER_IF_EQUAL);
    return true;
}
