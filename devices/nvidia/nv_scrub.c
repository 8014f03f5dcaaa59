/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_scrub.h"

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"

/* The low byte of a class id tells its kind, and the methods named here have had their offsets
 * since Kepler (open-gpu-doc classes/). */
enum {
    KIND_2D = 0x2d,
    KIND_INLINE = 0x40,
    KIND_3D = 0x97,
    KIND_COPY = 0xb5,
    KIND_COMPUTE = 0xc0,
    CONSTANT_WORDS = 16,    /* LOAD_CONSTANT_BUFFER(0) to (15) */
    ENGINE_SUBCHANNELS = 5, /* the others are software's, whose data goes to an interrupt handler */
    SEMAPHORE_BYTES = 16,
    CONDITION_BYTES = 24, /* two reports' counts, 16 bytes apart */
    /* Volta's Host methods (clc36f.h), beside Pascal's. */
    SEM_ADDR_LO = 0x5c,
    SEM_ADDR_HI = 0x60,
    SEM_EXECUTE = 0x6c,
};

/* ---- what is told ---------------------------------------------------------------------------- */

static void scrub_tell_needs(struct nv_scrub *scrub)
{
    if (scrub->needs.bytes > 0)
        scrub->ops.needs(scrub->context, scrub->needs.va, scrub->needs.bytes, scrub->needs.reason);
    scrub->needs.bytes = 0;
}

/* What was needed before must be told before it is written over. */
static void scrub_tell(struct nv_scrub *scrub)
{
    scrub_tell_needs(scrub);
    if (scrub->moves.bytes > 0)
        scrub->ops.moves(scrub->context, scrub->moves.to_va, scrub->moves.from_va,
                         scrub->moves.bytes);
    scrub->moves.bytes = 0;
}

/* Runs that continue the last one become one. */
static void scrub_needs(struct nv_scrub *scrub, uint64_t va, uint64_t bytes,
                        enum nv_scrub_reason reason)
{
    struct nv_scrub_run *run = &scrub->needs;

    if (scrub->moves.bytes > 0 || run->bytes == 0 || run->va + run->bytes != va ||
        run->reason != reason) {
        scrub_tell(scrub);
        *run = (struct nv_scrub_run){va, 0, reason};
    }
    run->bytes += bytes;
}

static void scrub_moves(struct nv_scrub *scrub, uint64_t to_va, uint64_t from_va, uint64_t bytes)
{
    struct nv_scrub_move *move = &scrub->moves;

    if (move->bytes == 0 || move->to_va + move->bytes != to_va ||
        move->from_va + move->bytes != from_va) {
        scrub_tell(scrub);
        *move = (struct nv_scrub_move){to_va, from_va, 0};
    }
    move->bytes += bytes;
}

static void scrub_semaphore(struct nv_scrub *scrub, uint32_t upper, uint32_t lower)
{
    scrub_needs(scrub, (uint64_t)upper << 32 | lower, SEMAPHORE_BYTES, NV_SCRUB_SEMAPHORE);
}

static void scrub_condition(struct nv_scrub *scrub, uint32_t upper, uint32_t lower)
{
    scrub_needs(scrub, (uint64_t)(upper & UINT8_MAX) << 32 | lower, CONDITION_BYTES,
                NV_SCRUB_CONDITION);
}

/* ---- methods that carry data ----------------------------------------------------------------- */

static bool scrub_is_one_of(uint32_t method, uint32_t first, uint32_t count)
{
    return method >= first && method < first + 4 * count;
}

static bool scrub_is_3d_data(uint32_t method)
{
    return method == NVA097_LOAD_INLINE_DATA ||
           scrub_is_one_of(method, NVA097_LOAD_CONSTANT_BUFFER, CONSTANT_WORDS) ||
           scrub_is_one_of(method, NVA097_SET_COLOR_CLEAR_VALUE, 4) ||
           method == NVA097_SET_Z_CLEAR_VALUE || method == NVA097_SET_STENCIL_CLEAR_VALUE ||
           scrub_is_one_of(method, NVA097_SET_BLEND_CONST_RED, 4);
}

bool nv_scrub_is_opaque(uint32_t subchannel, uint32_t class_id, uint32_t method)
{
    if (subchannel >= ENGINE_SUBCHANNELS || method < NV_CLASS_HOST_END)
        return false;
    switch (class_id & 0xff) {
    case KIND_INLINE:
    case KIND_COMPUTE:
        return method == NVA040_LOAD_INLINE_DATA;
    case KIND_3D:
        return scrub_is_3d_data(method);
    case KIND_2D:
        return method == NV902D_PIXELS_FROM_CPU_DATA ||
               scrub_is_one_of(method, NV902D_SET_RENDER_SOLID_PRIM_COLOR0, 4) ||
               method == NV902D_SET_RENDER_SOLID_PRIM_COLOR;
    default:
        return false;
    }
}

/* ---- methods that look at memory ------------------------------------------------------------- */

static void scrub_host(struct nv_scrub *scrub, const struct nv_decode_item *item)
{
    uint32_t *host = scrub->host;

    host[item->method / 4] = item->data;
    switch (item->method) {
    case NVB06F_SEMAPHORED:
        scrub_semaphore(scrub, host[NVA06F_SEMAPHOREA / 4] & UINT8_MAX,
                        host[NVA06F_SEMAPHOREB / 4]);
        break;
    case SEM_EXECUTE:
        scrub_semaphore(scrub, host[SEM_ADDR_HI / 4] & UINT8_MAX, host[SEM_ADDR_LO / 4]);
        break;
    case NVA06F_CRC_CHECK:
        scrub->checks_crc = true;
        break;
    default:
        break;
    }
}

/* Lines of a copy from pitch to pitch. */
static void scrub_copy_lines(struct nv_scrub *scrub, uint32_t launch)
{
    const uint32_t *copy = scrub->copy;
    const uint64_t from = (uint64_t)(copy[NVC0B5_OFFSET_IN_UPPER / 4] & 0x1ffff) << 32 |
                          copy[NVA0B5_OFFSET_IN_LOWER / 4];
    const uint64_t to = (uint64_t)(copy[NVC0B5_OFFSET_OUT_UPPER / 4] & 0x1ffff) << 32 |
                        copy[NVA0B5_OFFSET_OUT_LOWER / 4];
    const uint32_t bytes = copy[NVA0B5_LINE_LENGTH_IN / 4];
    const uint32_t lines =
        nv_field(launch, NVC1B5_LAUNCH_DMA_MULTI_LINE_ENABLE) ? copy[NVA0B5_LINE_COUNT / 4] : 1;

    if ((uint64_t)bytes * lines > NV_SCRUB_COPY_MAX_BYTES - scrub->copied_bytes ||
        lines > NV_SCRUB_COPY_MAX_LINES - scrub->copied_lines) {
        scrub->copies_unfollowed++;
        return;
    }
    scrub->copied_bytes += (uint64_t)bytes * lines;
    scrub->copied_lines += lines;
    for (uint32_t line = 0; line < lines && bytes > 0; line++)
        scrub_moves(scrub, to + (uint64_t)line * copy[NVA0B5_PITCH_OUT / 4],
                    from + (uint64_t)line * copy[NVA0B5_PITCH_IN / 4], bytes);
}

static bool scrub_copy_is_plain(uint32_t launch)
{
    return nv_field(launch, NVC1B5_LAUNCH_DMA_SRC_MEMORY_LAYOUT) ==
               NVC1B5_LAUNCH_DMA_SRC_MEMORY_LAYOUT_PITCH &&
           nv_field(launch, NVC1B5_LAUNCH_DMA_DST_MEMORY_LAYOUT) ==
               NVC1B5_LAUNCH_DMA_DST_MEMORY_LAYOUT_PITCH &&
           !nv_field(launch, NVC1B5_LAUNCH_DMA_REMAP_ENABLE) &&
           nv_field(launch, NVC1B5_LAUNCH_DMA_SRC_TYPE) == NVC1B5_LAUNCH_DMA_SRC_TYPE_VIRTUAL &&
           nv_field(launch, NVC1B5_LAUNCH_DMA_DST_TYPE) == NVC1B5_LAUNCH_DMA_DST_TYPE_VIRTUAL;
}

static void scrub_copy(struct nv_scrub *scrub, const struct nv_decode_item *item)
{
    uint32_t *copy = scrub->copy;

    if (item->method / 4 >= sizeof scrub->copy / 4)
        return;
    copy[item->method / 4] = item->data;
    if (item->method == NVA0B5_SET_RENDER_ENABLE_C)
        scrub_condition(scrub, copy[NVA0B5_SET_RENDER_ENABLE_A / 4],
                        copy[NVA0B5_SET_RENDER_ENABLE_B / 4]);
    if (item->method != NVC1B5_LAUNCH_DMA)
        return;
    if (nv_field(item->data, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE) !=
        NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_NONE)
        scrub_semaphore(scrub, copy[NVC0B5_SET_SEMAPHORE_A / 4] & 0x1ffff,
                        copy[NVA0B5_SET_SEMAPHORE_B / 4]);
    if (nv_field(item->data, NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE) ==
        NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE_NONE)
        return;
    if (scrub_copy_is_plain(item->data))
        scrub_copy_lines(scrub, item->data);
    else
        scrub->copies_unfollowed++;
}

/* The upper bits of a report's address: 25 from Hopper on, eight before. */
static uint32_t scrub_upper(uint32_t class_id)
{
    return class_id >= HOPPER_A ? 0x1ffffff : UINT8_MAX;
}

/* Methods that 3D, compute and inline to memory have in the same places. */
static void scrub_graphics(struct nv_scrub *scrub, const struct nv_decode_item *item)
{
    uint32_t *report = scrub->report[item->subchannel];
    uint32_t *executed = scrub->executed[item->subchannel];
    uint32_t *semaphore = scrub->inline_semaphore[item->subchannel];
    uint32_t *condition = scrub->condition[item->subchannel];

    switch (item->method) {
    case NVA097_SET_REPORT_SEMAPHORE_A:
    case NVA097_SET_REPORT_SEMAPHORE_B:
        report[(item->method - NVA097_SET_REPORT_SEMAPHORE_A) / 4] = item->data;
        break;
    case NVC197_SET_REPORT_SEMAPHORE_D:
        scrub_semaphore(scrub, report[0] & scrub_upper(item->class_id), report[1]);
        break;
    case NVC797_SET_REPORT_SEMAPHORE_ADDRESS_LOWER:
    case NVC797_SET_REPORT_SEMAPHORE_ADDRESS_UPPER:
        executed[(item->method - NVC797_SET_REPORT_SEMAPHORE_ADDRESS_LOWER) / 4] = item->data;
        break;
    case NVC797_REPORT_SEMAPHORE_EXECUTE:
        scrub_semaphore(scrub, executed[1] & scrub_upper(item->class_id), executed[0]);
        break;
    case NVA097_SET_I2M_SEMAPHORE_A:
    case NVA097_SET_I2M_SEMAPHORE_B:
        semaphore[(item->method - NVA097_SET_I2M_SEMAPHORE_A) / 4] = item->data;
        break;
    case NVA097_LAUNCH_DMA:
        if (nv_field(item->data, NVA040_LAUNCH_DMA_COMPLETION_TYPE) ==
            NVA040_LAUNCH_DMA_COMPLETION_TYPE_RELEASE_SEMAPHORE)
            scrub_semaphore(scrub, semaphore[0] & 0x1ffffff, semaphore[1]);
        break;
    case NVA097_SET_RENDER_ENABLE_A:
    case NVA097_SET_RENDER_ENABLE_B:
        condition[(item->method - NVA097_SET_RENDER_ENABLE_A) / 4] = item->data;
        break;
    case NVA097_SET_RENDER_ENABLE_C:
        scrub_condition(scrub, condition[0], condition[1]);
        break;
    default:
        break;
    }
}

/* Words for a constant buffer go to memory too, each four bytes behind the one before. */
static void scrub_constant(struct nv_scrub *scrub, const struct nv_decode_item *item)
{
    uint32_t *constant = scrub->constant[item->subchannel];

    if (item->method == NVA097_SET_CONSTANT_BUFFER_SELECTOR_B)
        constant[0] = item->data;
    else if (item->method == NVA097_SET_CONSTANT_BUFFER_SELECTOR_C)
        constant[1] = item->data;
    else if (item->method == NVA097_LOAD_CONSTANT_BUFFER_OFFSET)
        constant[2] = item->data;
    else if (scrub_is_one_of(item->method, NVA097_LOAD_CONSTANT_BUFFER, CONSTANT_WORDS)) {
        const uint64_t base = (uint64_t)(constant[0] & UINT8_MAX) << 32 | constant[1];

        scrub_moves(scrub, base + constant[2], item->va, 4);
        constant[2] += 4;
    }
}

/* ---- the walk -------------------------------------------------------------------------------- */

static bool walk_read(void *context, uint64_t va, void *data, size_t bytes)
{
    struct nv_scrub *scrub = context;

    if (scrub->moves.bytes > 0 && va < scrub->moves.to_va + scrub->moves.bytes &&
        va + bytes > scrub->moves.to_va)
        scrub_tell(scrub);
    if (bytes == 4) {
        scrub->dword_va = va;
        scrub->dword_used = 0;
    }
    return scrub->ops.read(scrub->context, va, data, bytes);
}

/* nv_decode passes the bytes of the dword in their order. */
static bool walk_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    struct nv_scrub *scrub = context;

    (void)data;
    if (scrub->dword_used + bytes > 4)
        return false;
    scrub_moves(scrub, va, scrub->dword_va + scrub->dword_used, bytes);
    scrub->dword_used += (uint32_t)bytes;
    return true;
}

static void walk_method(struct nv_scrub *scrub, const struct nv_decode_item *item)
{
    const uint32_t kind = item->class_id & 0xff;

    if (item->header.kind == NV_HEADER_IMMD || scrub->keep_data ||
        !nv_scrub_is_opaque(item->subchannel, item->class_id, item->method))
        scrub_needs(scrub, item->va, 4,
                    item->header.kind == NV_HEADER_IMMD ? NV_SCRUB_HEADER : NV_SCRUB_METHOD);
    if (item->method > 0 && item->method < NV_CLASS_HOST_END)
        scrub_host(scrub, item);
    else if (kind == KIND_COPY)
        scrub_copy(scrub, item);
    else if (kind == KIND_3D || kind == KIND_COMPUTE || kind == KIND_INLINE)
        scrub_graphics(scrub, item);
    if (kind == KIND_3D)
        scrub_constant(scrub, item);
}

static void walk_found(void *context, const struct nv_decode_item *item)
{
    struct nv_scrub *scrub = context;

    switch (item->kind) {
    case NV_DECODE_HEADER:
        scrub_needs(scrub, item->va, 4, NV_SCRUB_HEADER);
        break;
    case NV_DECODE_METHOD:
        walk_method(scrub, item);
        break;
    case NV_DECODE_GRID:
        scrub_needs(scrub, item->qmd_va,
                    item->qmd_words ? 4 * (uint64_t)item->qmd_dwords : NV_QMD_BYTES,
                    NV_SCRUB_DESCRIPTOR);
        break;
    case NV_DECODE_SKIPPED: /* after an invalid header the driver may go on */
        scrub_needs(scrub, item->va, 4 * (uint64_t)item->count, NV_SCRUB_HEADER);
        break;
    case NV_DECODE_UNREADABLE:
        break;
    }
}

void nv_scrub_init(struct nv_scrub *scrub, const struct nv_scrub_ops *ops, void *context,
                   struct nv_decode_chip chip)
{
    static const struct nv_decode_ops walk = {walk_read, walk_write, walk_found};

    *scrub = (struct nv_scrub){.ops = *ops, .context = context};
    nv_decode_init(&scrub->decode, &walk, scrub, chip);
}

void nv_scrub_segment(struct nv_scrub *scrub, uint64_t va, uint32_t dword_count)
{
    nv_decode_segment(&scrub->decode, NV_DECODE_RECORDED, va, dword_count);
    scrub_tell(scrub);
}
