/* SPDX-License-Identifier: MIT */
/*
 * Inline-to-memory: data in the pushbuffer itself goes to memory.  The class a140 has it alone, the
 * 3D and compute classes contain it.  LAUNCH_DMA starts a transfer of LINE_COUNT lines of
 * LINE_LENGTH_IN bytes, LOAD_INLINE_DATA brings them, and the completion may release a semaphore.
 * Constant-buffer loads of the 3D class are the same idea for single words.
 * Described in open-gpu-doc classes/inline-to-memory/cla140.h.
 */
#include <config.h>

#include <string.h>

#include "devices/nvidia/nv_events.h"
#include "devices/gpu_model.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/nv_tile.h"

_Static_assert((int)NVA140_SET_I2M_SEMAPHORE_A == (int)NVC1C0_SET_I2M_SEMAPHORE_A, "one offset");
_Static_assert((int)NVA140_LINE_LENGTH_IN == (int)NVC197_LINE_LENGTH_IN, "one offset");

static void nv_inline_complete(struct nv_fe *fe, const struct nv_method *method);

void nv_inline_launch(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_fe_inline *transfer = &fe->state->inlines[method->subchannel];
    const uint64_t line = nv_fe_shadow(fe, method->subchannel, NVA140_LINE_LENGTH_IN);
    const uint64_t lines = nv_fe_shadow(fe, method->subchannel, NVA140_LINE_COUNT);

    if (REG_GET(method->data, NVA140_LAUNCH_DMA_REDUCTION_ENABLE) ||
        REG_GET(method->data, NVA140_LAUNCH_DMA_INTERRUPT_TYPE))
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    transfer->bytes_left = line * lines;
    transfer->bytes_done = 0;
    transfer->buffered_bytes = 0;
    transfer->buffer_from = 0;
    transfer->line_bytes = (uint32_t)line;
    if (transfer->bytes_left == 0)
        nv_inline_complete(fe, method); /* nothing to wait for */
}

/* A line that is no whole number of dwords is padded to one in the stream. */
static uint32_t nv_inline_word_bytes(const struct nv_fe_inline *transfer)
{
    const uint64_t in_line = transfer->bytes_done % transfer->line_bytes;
    const uint64_t rest = transfer->line_bytes - in_line;

    return rest < 4 ? (uint32_t)rest : 4;
}

/* The dword that completes the transfer or fills the buffer writes memory. */
bool nv_inline_data_visible(const struct nv_fe *fe, uint32_t subchannel)
{
    const struct nv_fe_inline *transfer = &fe->state->inlines[subchannel];
    uint32_t bytes;

    if (transfer->bytes_left == 0)
        return true;
    bytes = nv_inline_word_bytes(transfer);
    return transfer->bytes_left <= bytes ||
           transfer->buffered_bytes + bytes + 4 > sizeof transfer->buffer;
}

/* Where byte `at` of the transfer goes; *together is how many bytes follow it there. */
static uint64_t nv_inline_target(const struct nv_fe *fe, uint32_t subchannel, uint64_t at,
                                 uint64_t *together)
{
    const struct nv_fe_inline *transfer = &fe->state->inlines[subchannel];
    const uint64_t base = nv_fe_address(fe, subchannel, NVA140_OFFSET_OUT_UPPER, UINT8_MAX);
    const uint32_t launch = nv_fe_shadow(fe, subchannel, NVA140_LAUNCH_DMA);
    const uint32_t x = (uint32_t)(at % transfer->line_bytes);
    const uint32_t y = (uint32_t)(at / transfer->line_bytes);
    const uint32_t block = nv_fe_shadow(fe, subchannel, NVA140_SET_DST_BLOCK_SIZE);
    const struct nv_surface surface = {
        .width_bytes = nv_fe_shadow(fe, subchannel, NVA140_SET_DST_WIDTH),
        .height = nv_fe_shadow(fe, subchannel, NVA140_SET_DST_HEIGHT),
        .block_height_log2 = REG_GET(block, NVA140_SET_DST_BLOCK_SIZE_HEIGHT),
        .block_depth_log2 = REG_GET(block, NVA140_SET_DST_BLOCK_SIZE_DEPTH),
    };
    const uint32_t to_x = x + nv_fe_shadow(fe, subchannel, NVA140_SET_DST_ORIGIN_BYTES_X);
    const uint32_t to_y = y + nv_fe_shadow(fe, subchannel, NVA140_SET_DST_ORIGIN_SAMPLES_Y);

    *together = transfer->line_bytes - x;
    if (REG_GET(launch, NVA140_LAUNCH_DMA_DST_MEMORY_LAYOUT) ==
        NVA140_LAUNCH_DMA_DST_MEMORY_LAYOUT_PITCH)
        return base + (uint64_t)y * nv_fe_shadow(fe, subchannel, NVA140_PITCH_OUT) + x;
    if (*together > nv_tile_run(to_x))
        *together = nv_tile_run(to_x);
    return base +
           nv_tile_offset(&surface, to_x, to_y, nv_fe_shadow(fe, subchannel, NVA140_SET_DST_LAYER));
}

/* Writes what is buffered.  False: a fault, the channel is stopped. */
static bool nv_inline_flush(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_fe_inline *transfer = &fe->state->inlines[method->subchannel];
    uint64_t first = UINT64_MAX, done = 0;

    while (done < transfer->buffered_bytes) {
        uint64_t together, fault;
        const uint64_t address =
            nv_inline_target(fe, method->subchannel, transfer->buffer_from + done, &together);

        if (together > transfer->buffered_bytes - done)
            together = transfer->buffered_bytes - done;
        if (!machine_vm_write(fe->machine, method->space_id, address, transfer->buffer + done,
                              together, &fault)) {
            nv_fe_fault(fe, method->channel_id, fault, true);
            return false;
        }
        if (first == UINT64_MAX)
            first = address;
        done += together;
    }
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_INLINE_WRITE, RULE_NONE, method->channel_id, first,
                transfer->buffered_bytes, nv_fe_class(fe, method->subchannel), method->gp_sequence);
    transfer->buffer_from += transfer->buffered_bytes;
    transfer->buffered_bytes = 0;
    return true;
}

static void nv_inline_complete(struct nv_fe *fe, const struct nv_method *method)
{
    const uint32_t launch = nv_fe_shadow(fe, method->subchannel, NVA140_LAUNCH_DMA);

    if (REG_GET(launch, NVA140_LAUNCH_DMA_COMPLETION_TYPE) !=
        NVA140_LAUNCH_DMA_COMPLETION_TYPE_RELEASE_SEMAPHORE)
        return;
    (void)nv_fe_release(
        fe, method->channel_id, method->space_id,
        nv_fe_address(fe, method->subchannel, NVA140_SET_I2M_SEMAPHORE_A, UINT8_MAX),
        nv_fe_shadow(fe, method->subchannel, NVA140_SET_I2M_SEMAPHORE_C),
        REG_GET(launch, NVA140_LAUNCH_DMA_SEMAPHORE_STRUCT_SIZE) ==
            NVA140_LAUNCH_DMA_SEMAPHORE_STRUCT_SIZE_FOUR_WORDS,
        nv_fe_class(fe, method->subchannel), method->gp_sequence);
}

void nv_inline_data(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_fe_inline *transfer = &fe->state->inlines[method->subchannel];
    const bool full = nv_inline_data_visible(fe, method->subchannel);
    uint32_t bytes;

    if (transfer->bytes_left == 0) {
        nv_fe_unmodelled(fe, method, UNMODELLED_METHOD); /* data without a transfer */
        return;
    }
    bytes = nv_inline_word_bytes(transfer);
    memcpy(transfer->buffer + transfer->buffered_bytes, &method->data, bytes);
    transfer->buffered_bytes += bytes;
    transfer->bytes_done += bytes;
    transfer->bytes_left -= bytes;
    if (!full)
        return;
    if (!nv_inline_flush(fe, method))
        *transfer = (struct nv_fe_inline){0}; /* a fault: the rest goes nowhere */
    else if (transfer->bytes_left == 0)
        nv_inline_complete(fe, method);
}

/* ---- constant buffers ----------------------------------------------------------------------- */

/* LOAD_CONSTANT_BUFFER_OFFSET moves on by four with each word. */
void nv_constant_load(struct nv_fe *fe, const struct nv_method *method)
{
    struct nv_fe_state *state = fe->state;
    uint32_t *offset = &state->shadow[method->subchannel][NVC197_LOAD_CONSTANT_BUFFER_OFFSET / 4];
    const uint64_t address =
        nv_fe_address(fe, method->subchannel, NVC197_SET_CONSTANT_BUFFER_SELECTOR_B, UINT8_MAX) +
        *offset;
    uint64_t fault;

    if (!machine_vm_write(fe->machine, method->space_id, address, &method->data, 4, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, true);
        return;
    }
    if (state->constant_bytes && (method->channel_id != state->constant_channel ||
                                  address != state->constant_address + state->constant_bytes))
        nv_constant_flush_log(fe);
    if (state->constant_bytes == 0) {
        state->constant_address = address;
        state->constant_channel = method->channel_id;
        state->constant_sequence = method->gp_sequence;
    }
    state->constant_bytes += 4;
    *offset += 4;
}

/* One line for a run of words: the writes themselves have been visible all the while. */
void nv_constant_flush_log(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;

    if (state->constant_bytes == 0)
        return;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_INLINE_WRITE, RULE_NONE, state->constant_channel,
                state->constant_address, state->constant_bytes, fe->model->class_3d,
                state->constant_sequence);
    state->constant_bytes = 0;
}
