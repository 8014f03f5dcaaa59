/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_decode.h"

#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_methods.h"

/* The low byte of a class id tells its kind. */
enum { KIND_INLINE = 0x40, KIND_HOST = 0x6f, KIND_3D = 0x97, KIND_COMPUTE = 0xc0 };

_Static_assert((int)NVA040_LAUNCH_DMA == (int)NVA0C0_LAUNCH_DMA &&
                   (int)NVA040_LOAD_INLINE_DATA == (int)NVA0C0_LOAD_INLINE_DATA &&
                   (int)NVA040_LINE_LENGTH_IN == (int)NVA0C0_LINE_LENGTH_IN &&
                   (int)NVA040_LAUNCH_DMA == (int)NVA097_LAUNCH_DMA &&
                   (int)NVA040_LOAD_INLINE_DATA == (int)NVA097_LOAD_INLINE_DATA,
               "compute and 3D have inline to memory's methods");

void nv_decode_init(struct nv_decode *decode, const struct nv_decode_ops *ops, void *context,
                    struct nv_decode_chip chip)
{
    *decode = (struct nv_decode){.ops = *ops, .context = context, .host_class = chip.host_class};
    decode->class_id[NV_DECODE_COPY_SUBCHANNEL] = chip.copy_class;
}

/* nouveau nvkm/engine/device/base.c; open-gpu-kernel-modules g_gpu_class_list.c from Ampere on,
 * where Ada has Ampere's; nv_arch.h for the numbers of Blackwell's.  GP100 and GP10B have c0b5,
 * GP102 to GP108 c1b5.  From GK110 on Kepler's Host has class a16f.  Fermi's SET_OBJECT names the
 * engine (cl906f.h), so its copies are bound as other classes are. */
struct nv_decode_chip nv_decode_chip(uint32_t chipset)
{
    static const struct {
        uint32_t first, last;
        struct nv_decode_chip chip;
    } chips[] = {
        {0x0c0, 0x0d9, {GF100_CHANNEL_GPFIFO, 0}},
        {0x0e4, 0x0e7, {KEPLER_CHANNEL_GPFIFO_A, KEPLER_DMA_COPY_A}},
        {0x0f0, 0x108, {KEPLER_CHANNEL_GPFIFO_B, KEPLER_DMA_COPY_A}},
        {0x117, 0x12b, {MAXWELL_CHANNEL_GPFIFO_A, MAXWELL_DMA_COPY_A}},
        {0x130, 0x130, {PASCAL_CHANNEL_GPFIFO_A, PASCAL_DMA_COPY_A}},
        {0x132, 0x138, {PASCAL_CHANNEL_GPFIFO_A, PASCAL_DMA_COPY_B}},
        {0x13b, 0x13b, {PASCAL_CHANNEL_GPFIFO_A, PASCAL_DMA_COPY_A}},
        {0x140, 0x14b, {VOLTA_CHANNEL_GPFIFO_A, VOLTA_DMA_COPY_A}},
        {0x162, 0x168, {TURING_CHANNEL_GPFIFO_A, TURING_DMA_COPY_A}},
        {0x170, 0x170, {AMPERE_CHANNEL_GPFIFO_A, AMPERE_DMA_COPY_A}},
        {0x172, 0x177, {AMPERE_CHANNEL_GPFIFO_A, AMPERE_DMA_COPY_B}},
        {0x17b, 0x17b, {AMPERE_CHANNEL_GPFIFO_B, AMPERE_DMA_COPY_B}},
        {0x180, 0x180, {HOPPER_CHANNEL_GPFIFO_A, HOPPER_DMA_COPY_A}},
        {0x192, 0x197, {AMPERE_CHANNEL_GPFIFO_A, AMPERE_DMA_COPY_B}},
        {0x1a0, 0x1a4, {BLACKWELL_CHANNEL_GPFIFO_A, BLACKWELL_DMA_COPY_A}},
        {0x1ab, 0x1ab, {BLACKWELL_CHANNEL_GPFIFO_A, BLACKWELL_DMA_COPY_A}},
        {0x1b2, 0x1b7, {BLACKWELL_CHANNEL_GPFIFO_B, BLACKWELL_DMA_COPY_B}},
        {0x1bb, 0x1bc, {BLACKWELL_CHANNEL_GPFIFO_B, BLACKWELL_DMA_COPY_B}},
    };

    for (size_t i = 0; i < sizeof chips / sizeof chips[0]; i++)
        if (chipset >= chips[i].first && chipset <= chips[i].last)
            return chips[i].chip;
    return (struct nv_decode_chip){0};
}

struct nv_decode_chip nv_decode_chip_of(uint32_t chipset, uint32_t channel_class)
{
    struct nv_decode_chip chip = nv_decode_chip(chipset);

    if ((channel_class & 0xff) == KIND_HOST)
        chip.host_class = (uint16_t)channel_class;
    return chip;
}

/* ---- uploads --------------------------------------------------------------------------------- */

static void upload_open(struct nv_decode_upload *upload, uint32_t launch)
{
    const uint64_t upper = nv_field(upload->upper, NVA140_OFFSET_OUT_UPPER_VALUE);

    upload->box = (struct nv_decode_box){
        .va = upper << 32 | upload->lower,
        .size_bytes = (uint64_t)upload->line_bytes * upload->line_count,
        .line_bytes = upload->line_bytes,
        .pitch_bytes = upload->pitch_bytes,
        .pitch_layout = nv_field(launch, NVA040_LAUNCH_DMA_DST_MEMORY_LAYOUT) ==
                        NVA040_LAUNCH_DMA_DST_MEMORY_LAYOUT_PITCH,
    };
}

/* Four bytes, fewer at the end of the box; a line may end within them. */
static void upload_data(struct nv_decode *decode, struct nv_decode_item *item)
{
    struct nv_decode_box *box = &decode->uploads[item->subchannel].box;

    for (unsigned i = 0; i < 4 && box->done_bytes < box->size_bytes; i++, box->done_bytes++) {
        const uint64_t line = box->done_bytes / box->line_bytes;
        const uint64_t va = box->va + line * box->pitch_bytes + box->done_bytes % box->line_bytes;
        const uint8_t byte = (uint8_t)(item->data >> 8 * i);

        if (!box->pitch_layout)
            continue;
        (void)decode->ops.write(decode->context, va, &byte, 1);
        if (i == 0) {
            item->uploads = true;
            item->upload_va = va;
        }
    }
}

static void upload_method(struct nv_decode *decode, struct nv_decode_item *item)
{
    struct nv_decode_upload *upload = &decode->uploads[item->subchannel];

    switch (item->method) {
    case NVA040_LINE_LENGTH_IN:
        upload->line_bytes = item->data;
        break;
    case NVA040_LINE_COUNT:
        upload->line_count = item->data;
        break;
    case NVA140_OFFSET_OUT_UPPER:
        upload->upper = item->data;
        break;
    case NVA040_OFFSET_OUT:
        upload->lower = item->data;
        break;
    case NVA040_PITCH_OUT:
        upload->pitch_bytes = item->data;
        break;
    case NVA040_LAUNCH_DMA:
        upload_open(upload, item->data);
        break;
    case NVA040_LOAD_INLINE_DATA:
        upload_data(decode, item);
        break;
    default:
        break;
    }
}

/* ---- grids ----------------------------------------------------------------------------------- */

static bool grid_words(struct nv_decode *decode, uint64_t va, uint32_t *words, size_t count)
{
    uint8_t bytes[NV_QMD_MAX_BYTES];

    if (!decode->ops.read(decode->context, va, bytes, 4 * count))
        return false;
    for (size_t i = 0; i < count; i++)
        words[i] = (uint32_t)bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 |
                   (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
    return true;
}

/* The version in the first dwords tells whether there are more. */
static void grid_scheduled(struct nv_decode *decode, const struct nv_decode_item *method)
{
    struct nv_decode_item item = *method;
    uint32_t words[NV_QMD_MAX_DWORDS] = {0};

    item.kind = NV_DECODE_GRID;
    item.qmd_va = (uint64_t)decode->pcas_a[item.subchannel] << 8;
    if (grid_words(decode, item.qmd_va, words, NV_QMD_DWORDS)) {
        const struct nv_qmd_layout *layout = nv_qmd_layout_of(item.class_id, words);

        item.qmd_dwords = NV_QMD_DWORDS;
        if (layout && layout->dwords > NV_QMD_DWORDS &&
            grid_words(decode, item.qmd_va + NV_QMD_BYTES, words + NV_QMD_DWORDS,
                       layout->dwords - NV_QMD_DWORDS))
            item.qmd_dwords = layout->dwords;
        item.qmd_words = words;
    }
    decode->ops.found(decode->context, &item);
}

static void grid_inline_data(struct nv_decode *decode, struct nv_decode_item *item)
{
    const uint32_t *address = decode->inline_qmd[item->subchannel];
    const uint64_t va = ((uint64_t)address[0] << 32 | address[1]) << 8;
    const uint8_t bytes[4] = {(uint8_t)item->data, (uint8_t)(item->data >> 8),
                              (uint8_t)(item->data >> 16), (uint8_t)(item->data >> 24)};

    item->uploads = true;
    item->upload_va = va + item->method - NVC0C0_LOAD_INLINE_QMD_DATA;
    (void)decode->ops.write(decode->context, item->upload_va, bytes, sizeof bytes);
}

static void grid_method(struct nv_decode *decode, struct nv_decode_item *item)
{
    if (item->method == NVA0C0_SEND_PCAS_A)
        decode->pcas_a[item->subchannel] = item->data;
    else if (item->method == NVC0C0_SET_INLINE_QMD_ADDRESS_A)
        decode->inline_qmd[item->subchannel][0] = item->data;
    else if (item->method == NVC0C0_SET_INLINE_QMD_ADDRESS_B)
        decode->inline_qmd[item->subchannel][1] = item->data;
    else if (item->method >= NVC0C0_LOAD_INLINE_QMD_DATA &&
             item->method <
                 NVC0C0_LOAD_INLINE_QMD_DATA +
                     (item->class_id < HOPPER_COMPUTE_A ? NV_QMD_BYTES : NV_QMD_MAX_BYTES))
        grid_inline_data(decode, item);
}

/* ---- methods --------------------------------------------------------------------------------- */

static void decode_method(struct nv_decode *decode, struct nv_decode_item *item)
{
    const bool host = item->method > 0 && item->method < NV_CLASS_HOST_END;

    item->kind = NV_DECODE_METHOD;
    item->header = decode->header;
    item->subchannel = decode->header.subchannel;
    item->method = (uint16_t)nv_header_method(&decode->header, decode->data_index);
    if (item->method == NVA06F_SET_OBJECT)
        decode->class_id[item->subchannel] =
            (uint16_t)nv_field(item->data, NVA06F_SET_OBJECT_NVCLASS);
    item->class_id = decode->class_id[item->subchannel];
    item->table_id = (uint16_t)nv_class_of_method(decode->host_class, item->class_id, item->method);

    /* Fermi's classes have no uploads and no descriptors. */
    const unsigned kind = item->class_id < KEPLER_INLINE_TO_MEMORY_A ? 0 : item->class_id & 0xff;
    if (!host && (kind == KIND_INLINE || kind == KIND_COMPUTE || kind == KIND_3D))
        upload_method(decode, item);
    if (!host && kind == KIND_COMPUTE)
        grid_method(decode, item);
    decode->ops.found(decode->context, item);
    if (kind == KIND_COMPUTE && nv_qmd_is_scheduled(item->class_id, item->method, item->data))
        grid_scheduled(decode, item);
}

/* False when the rest of the segment is not to be looked at. */
static bool decode_header(struct nv_decode *decode, struct nv_decode_item *item)
{
    item->kind = NV_DECODE_HEADER;
    item->header = nv_header_decode(item->dword);
    item->subchannel = item->header.subchannel;
    item->method = item->header.method;
    item->class_id = decode->class_id[item->subchannel];
    item->table_id = (uint16_t)nv_class_of_method(decode->host_class, item->class_id, item->method);
    decode->header = item->header;
    decode->data_index = 0;
    decode->data_left = item->header.count;
    decode->ops.found(decode->context, item);
    if (item->header.kind == NV_HEADER_IMMD) {
        item->data = item->header.immediate;
        decode_method(decode, item);
    }
    return item->header.kind != NV_HEADER_END_SEGMENT && item->header.kind != NV_HEADER_INVALID;
}

static bool decode_dword(struct nv_decode *decode, struct nv_decode_item *item)
{
    if (decode->data_left == 0)
        return decode_header(decode, item);
    item->data = item->dword;
    decode_method(decode, item);
    decode->data_index++;
    decode->data_left--;
    return true;
}

void nv_decode_segment(struct nv_decode *decode, enum nv_decode_origin origin, uint64_t va,
                       uint32_t dword_count)
{
    for (uint32_t i = 0; i < dword_count; i++) {
        struct nv_decode_item item = {.origin = origin, .va = va + 4ull * i};
        uint8_t bytes[4];

        if (!decode->ops.read(decode->context, item.va, bytes, sizeof bytes)) {
            item.kind = NV_DECODE_UNREADABLE;
            item.count = dword_count - i;
            decode->ops.found(decode->context, &item);
            return;
        }
        item.dword = (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24;
        if (!decode_dword(decode, &item) && i + 1 < dword_count) {
            item = (struct nv_decode_item){.kind = NV_DECODE_SKIPPED,
                                           .origin = origin,
                                           .va = va + 4ull * (i + 1),
                                           .count = dword_count - i - 1};
            decode->ops.found(decode->context, &item);
            return;
        }
    }
}
