/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_inline.h"

#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_release.h"
#include "devices/nvidia/nv_tables.h"

_Static_assert((int)NVA140_SET_I2M_SEMAPHORE_A == (int)NVA0C0_SET_I2M_SEMAPHORE_A, "one offset");
_Static_assert((int)NVA040_LINE_LENGTH_IN == (int)NVA097_LINE_LENGTH_IN, "one offset");
_Static_assert((int)NVA040_SET_RENDER_ENABLE_C == (int)NVA0C0_SET_RENDER_ENABLE_C, "one offset");

/* The classes differ in how many upper bits an address has. */
static uint32_t nv_inline_upper_mask(uint32_t class_id, bool semaphore)
{
    if ((class_id & 0xff) == 0x40)
        return 0x1ffffff;
    return (class_id & 0xff) == 0xc0 && !semaphore ? 0x1ffff : UINT8_MAX;
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Where byte `at` of the transfer goes; *together is cut to what follows it there. */
static uint64_t nv_inline_target(const struct nv_inline *transfer, uint64_t at, uint64_t *together)
{
    const uint32_t x = (uint32_t)(at % transfer->line_bytes);
    const uint64_t y = at / transfer->line_bytes;
    const uint32_t to_x = x + transfer->origin_x;

    if (*together > transfer->line_bytes - x)
        *together = transfer->line_bytes - x;
    if (REG_GET(transfer->launch, NVA040_LAUNCH_DMA_DST_MEMORY_LAYOUT) ==
        NVA040_LAUNCH_DMA_DST_MEMORY_LAYOUT_PITCH)
        return transfer->base + y * transfer->pitch + x;
    if (*together > nv_tile_run(to_x))
        *together = nv_tile_run(to_x);
    return transfer->base + nv_tile_offset(&transfer->surface, to_x,
                                           (uint32_t)y + transfer->origin_y, transfer->layer);
}

/* Writes up to the first byte without a translation.  If there is one, returns false, and *fault is
 * its address. */
static bool nv_inline_write(struct nv_fe *fe, const struct nv_inline *transfer, uint64_t address,
                            const uint8_t *data, size_t bytes, uint64_t *fault)
{
    uint64_t ignored;

    if (machine_vm_write(fe->machine, transfer->space_id, address, data, bytes, fault))
        return true;
    if (*fault - address < bytes)
        (void)machine_vm_write(fe->machine, transfer->space_id, address, data,
                               (size_t)(*fault - address), &ignored);
    return false;
}

/* Writes the buffered bytes.  Returns false after a fault; the transfer is over then, and the
 * channel is stopped. */
static bool nv_inline_flush(struct nv_fe *fe, struct nv_fe_pipe *pipe, uint32_t subchannel)
{
    struct nv_inline *transfer = &pipe->inlines[subchannel];
    const uint64_t from = transfer->bytes_done - transfer->buffered_bytes;
    const uint8_t *buffer = pipe->inline_buffers[subchannel];
    uint64_t together = 1, fault, done = 0;
    uint64_t first;

    if (transfer->buffered_bytes == 0)
        return true;
    first = nv_inline_target(transfer, from, &together);
    while (done < transfer->buffered_bytes) {
        uint64_t address;

        together = transfer->buffered_bytes - done;
        address = nv_inline_target(transfer, from + done, &together);
        if (!nv_inline_write(fe, transfer, address, buffer + done, (size_t)together, &fault)) {
            nv_fe_fault(fe, transfer->channel_id, fault, true);
            *transfer = (struct nv_inline){0};
            return false;
        }
        done += together;
    }
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_INLINE_WRITE, RULE_NONE, transfer->channel_id,
                first, transfer->buffered_bytes, transfer->class_id, transfer->gp_sequence);
    transfer->buffered_bytes = 0;
    return true;
}

void nv_inline_flush_all(struct nv_fe *fe, struct nv_fe_pipe *pipe)
{
    for (uint32_t i = 0; i < NV_FE_SUBCHANNELS; i++)
        if (pipe->inlines[i].buffered_bytes != 0)
            (void)nv_inline_flush(fe, pipe, i);
}

void nv_inline_restored(struct nv_fe_pipe *pipe, uint32_t channel_id, uint32_t space_id)
{
    for (uint32_t i = 0; i < NV_FE_SUBCHANNELS; i++) {
        struct nv_inline *transfer = &pipe->inlines[i];

        if (transfer->bytes_left == 0 || transfer->line_bytes == 0) {
            *transfer = (struct nv_inline){0};
            continue;
        }
        transfer->channel_id = channel_id;
        transfer->space_id = space_id;
        transfer->buffered_bytes = 0;
        transfer->packed &= 1;
        transfer->line_done = (uint32_t)(transfer->bytes_done % transfer->line_bytes);
        transfer->surface.block_height_log2 &= 0xf;
        transfer->surface.block_depth_log2 &= 0xf;
    }
}

/* ---- transfers ------------------------------------------------------------------------------- */

/* The reduction belongs to the semaphore, as in SET_REPORT_SEMAPHORE_D, which has the same fields
 * (INFERRED). */
static void nv_inline_complete(struct nv_fe *fe, struct nv_inline *transfer)
{
    const uint32_t launch = transfer->launch;
    const struct nv_release release = {
        .address = transfer->semaphore_address,
        .payload = transfer->payload,
        .gp_sequence = transfer->gp_sequence,
        .channel_id = transfer->channel_id,
        .space_id = transfer->space_id,
        .class_id = transfer->class_id,
        .rule = RULE_NV_REPORT,
        .has_time = REG_GET(launch, NVA040_LAUNCH_DMA_SEMAPHORE_STRUCT_SIZE) ==
                    NVA040_LAUNCH_DMA_SEMAPHORE_STRUCT_SIZE_FOUR_WORDS,
        .reduces = REG_GET(launch, NVA040_LAUNCH_DMA_REDUCTION_ENABLE),
        .is_signed = REG_GET(launch, NVA040_LAUNCH_DMA_REDUCTION_FORMAT) ==
                     NVA040_LAUNCH_DMA_REDUCTION_FORMAT_SIGNED_32,
        .reduction =
            nv_semaphore_graphics_reduction(REG_GET(launch, NVA040_LAUNCH_DMA_REDUCTION_OP)),
    };
    uint64_t fault;

    if (REG_GET(launch, NVA040_LAUNCH_DMA_COMPLETION_TYPE) ==
            NVA040_LAUNCH_DMA_COMPLETION_TYPE_RELEASE_SEMAPHORE &&
        !nv_release_write(fe->machine, fe->unit, &release, &fault))
        nv_fe_fault(fe, transfer->channel_id, fault, true);
    else if (REG_GET(launch, NVA040_LAUNCH_DMA_INTERRUPT_TYPE) ==
             NVA040_LAUNCH_DMA_INTERRUPT_TYPE_INTERRUPT)
        nv_fe_interrupt(fe, transfer->channel_id, 1u << NV_PGRAPH_INTR_NOTIFY_LO, false);
    *transfer = (struct nv_inline){0};
}

/* Everything that the transfer needs of the class state. */
static struct nv_inline nv_inline_latch(const struct nv_fe *fe, const struct nv_method *method)
{
    const uint32_t s = method->subchannel, class_id = nv_fe_class(fe, s);
    const uint32_t block = nv_fe_shadow(fe, s, NVA040_SET_DST_BLOCK_SIZE);
    const uint32_t pitch = nv_fe_shadow(fe, s, NVA040_PITCH_OUT);
    const uint32_t *choices = fe->machine->choices;
    struct nv_inline transfer = {
        .base =
            nv_fe_address(fe, s, NVA140_OFFSET_OUT_UPPER, nv_inline_upper_mask(class_id, false)),
        .pitch = pitch,
        .semaphore_address =
            nv_fe_address(fe, s, NVA140_SET_I2M_SEMAPHORE_A, nv_inline_upper_mask(class_id, true)),
        .gp_sequence = method->gp_sequence,
        .surface = {.width_bytes = nv_fe_shadow(fe, s, NVA040_SET_DST_WIDTH),
                    .height = nv_fe_shadow(fe, s, NVA040_SET_DST_HEIGHT),
                    .block_height_log2 = REG_GET(block, NVA040_SET_DST_BLOCK_SIZE_HEIGHT),
                    .block_depth_log2 = REG_GET(block, NVA040_SET_DST_BLOCK_SIZE_DEPTH),
                    .gob = nv_host_gob(fe->host)},
        .origin_x = REG_GET(nv_fe_shadow(fe, s, NVA140_SET_DST_ORIGIN_BYTES_X),
                            NVA140_SET_DST_ORIGIN_BYTES_X_V),
        .origin_y = REG_GET(nv_fe_shadow(fe, s, NVA140_SET_DST_ORIGIN_SAMPLES_Y),
                            NVA140_SET_DST_ORIGIN_SAMPLES_Y_V),
        .layer = nv_fe_shadow(fe, s, NVA040_SET_DST_LAYER),
        .line_bytes = nv_fe_shadow(fe, s, NVA040_LINE_LENGTH_IN),
        .launch = method->data,
        .payload = nv_fe_shadow(fe, s, NVA040_SET_I2M_SEMAPHORE_C),
        .channel_id = method->channel_id,
        .space_id = method->space_id,
        .class_id = class_id,
        .packed = choices[CHOICE_NV_INLINE_PADDING],
    };

    if (choices[CHOICE_NV_PITCH_SIGN] == 0 && pitch >> 31)
        transfer.pitch |= UINT64_MAX << 32;
    if (choices[CHOICE_NV_BLOCK_SHRINK])
        nv_tile_shrink(&transfer.surface, nv_fe_shadow(fe, s, NVA040_SET_DST_DEPTH));
    transfer.bytes_left = (uint64_t)transfer.line_bytes * nv_fe_shadow(fe, s, NVA040_LINE_COUNT);
    return transfer;
}

void nv_inline_launch(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_inline *transfer = &nv_fe_pipe(fe)->inlines[method->subchannel];

    if (!nv_inline_flush(fe, nv_fe_pipe(fe), method->subchannel))
        return;
    *transfer = nv_inline_latch(fe, method);
    if (transfer->bytes_left == 0)
        nv_inline_complete(fe, transfer); /* nothing to wait for */
}

/* Bytes of the next word that belong to the transfer: a line that is no whole number of words is
 * padded to one, or the words run on. */
static uint32_t nv_inline_word_bytes(const struct nv_inline *transfer)
{
    const uint64_t rest =
        transfer->packed ? transfer->bytes_left : transfer->line_bytes - transfer->line_done;

    return rest < 4 ? (uint32_t)rest : 4;
}

bool nv_inline_data_visible(const struct nv_fe *fe, uint32_t subchannel)
{
    const struct nv_inline *transfer = &nv_fe_pipe(fe)->inlines[subchannel];
    uint32_t bytes;

    if (transfer->bytes_left == 0)
        return true;
    bytes = nv_inline_word_bytes(transfer);
    return transfer->bytes_left <= bytes || transfer->buffered_bytes + bytes + 4 > NV_INLINE_BYTES;
}

void nv_inline_data_private(struct nv_fe *fe, uint32_t subchannel, uint32_t data)
{
    nv_inline_data(
        fe, &(struct nv_method){.subchannel = subchannel,
                                .data = data,
                                .gp_sequence = nv_fe_pipe(fe)->inlines[subchannel].gp_sequence});
}

void nv_inline_data(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_inline *transfer = &nv_fe_pipe(fe)->inlines[method->subchannel];
    const bool writes = nv_inline_data_visible(fe, method->subchannel);
    uint8_t *buffer = nv_fe_pipe(fe)->inline_buffers[method->subchannel];
    uint32_t bytes;

    if (transfer->bytes_left == 0) {
        nv_fe_unmodelled(fe, method, UNMODELLED_METHOD);
        return;
    }
    bytes = nv_inline_word_bytes(transfer);
    memcpy(buffer + transfer->buffered_bytes, &method->data, bytes);
    transfer->buffered_bytes += bytes;
    transfer->bytes_done += bytes;
    transfer->bytes_left -= bytes;
    transfer->line_done += bytes;
    if (transfer->line_done >= transfer->line_bytes)
        transfer->line_done -= transfer->line_bytes;
    transfer->gp_sequence = method->gp_sequence;
    if (writes && nv_inline_flush(fe, nv_fe_pipe(fe), method->subchannel) &&
        transfer->bytes_left == 0)
        nv_inline_complete(fe, transfer);
}

/* ---- constant buffers ------------------------------------------------------------------------ */

/* LOAD_CONSTANT_BUFFER_OFFSET moves on by four with each word, within its 16 bits (ASSUMED). */
void nv_constant_load(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_fe_pipe *pipe = nv_fe_pipe(fe);
    uint32_t *offset = &pipe->shadow[method->subchannel][NVA097_LOAD_CONSTANT_BUFFER_OFFSET / 4];
    const uint64_t address =
        nv_fe_address(fe, method->subchannel, NVA097_SET_CONSTANT_BUFFER_SELECTOR_B, UINT8_MAX) +
        REG_GET(*offset, NVA097_LOAD_CONSTANT_BUFFER_OFFSET_V);
    uint64_t fault;

    /* No method has selected a buffer: a macro may have (NVK's do), and macros are not run.  Where
     * the word goes is then not known. */
    if (REG_GET(pipe->shadow[method->subchannel][NVA097_SET_CONSTANT_BUFFER_SELECTOR_A / 4],
                NVA097_SET_CONSTANT_BUFFER_SELECTOR_A_SIZE) == 0) {
        struct nv_method shown = *method;

        shown.data = 0; /* a constant is the program's own: it is in no log */
        nv_fe_unmodelled(fe, &shown, UNMODELLED_METHOD);
        return;
    }
    if (!machine_vm_write(fe->machine, method->space_id, address, &method->data, 4, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, true);
        return;
    }
    if (pipe->constant_bytes && (method->channel_id != pipe->constant_channel ||
                                 address != pipe->constant_address + pipe->constant_bytes))
        nv_constant_flush_log(fe, pipe);
    if (pipe->constant_bytes == 0) {
        pipe->constant_address = address;
        pipe->constant_channel = method->channel_id;
        pipe->constant_sequence = method->gp_sequence;
    }
    pipe->constant_bytes += 4;
    *offset = REG_GET(*offset + 4, NVA097_LOAD_CONSTANT_BUFFER_OFFSET_V);
}

/* One line for a run of words: the writes themselves have been visible all the while. */
void nv_constant_flush_log(struct nv_fe *fe, struct nv_fe_pipe *pipe)
{
    if (pipe->constant_bytes == 0)
        return;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_INLINE_WRITE, RULE_NONE, pipe->constant_channel,
                pipe->constant_address, pipe->constant_bytes, fe->model->class_3d,
                pipe->constant_sequence);
    pipe->constant_bytes = 0;
}

void nv_constant_flush_channel(struct nv_fe *fe, uint32_t channel_id)
{
    for (uint32_t i = 0; i < fe->pipe_count; i++)
        if (fe->pipes[i].constant_channel == channel_id)
            nv_constant_flush_log(fe, &fe->pipes[i]);
}

void nv_constant_flush_all(struct nv_fe *fe)
{
    for (uint32_t i = 0; i < fe->pipe_count; i++)
        nv_constant_flush_log(fe, &fe->pipes[i]);
}
