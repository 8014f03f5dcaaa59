/* SPDX-License-Identifier: MIT */
/*
 * Where NVIDIA's PBDMAs stand in their channels' streams: which dword of which segment comes next,
 * and what the dwords before it were, by nv_decode.h.
 *
 * Classes on subchannels are those that the log has named so far.  A header in an earlier segment
 * whose data follow in this one is known only if the run was looked at when the PBDMA was there.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "emu/analysis/model/model.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_decode_text.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_gpu.h"

static const struct nv_gpu *gpu_of(const struct debug *debug)
{
    const struct simulation *simulation = debug->simulation.simulation;

    return simulation->gpu;
}

uint32_t debug_streams(const struct debug *debug, struct debug_stream streams[DEBUG_PBDMAS_MAX])
{
    const struct nv_gpu *gpu = debug->is_amd ? NULL : gpu_of(debug);
    const uint32_t count = gpu ? gpu->model->pbdma_count : 0;

    for (uint32_t i = 0; i < count; i++) {
        const struct nv_pbdma_state *state = gpu->pbdmas[i].state;
        const struct nv_pbdma_entry *entry = &state->entries[state->entry_head % NV_PBDMA_ENTRIES];

        streams[i] = (struct debug_stream){
            .pbdma_id = i,
            .is_loaded = state->phase != NV_PBDMA_EMPTY,
            .in_segment = state->in_segment != 0 && entry->length > 0,
            .is_in_method = state->phase == NV_PBDMA_METHOD || state->phase == NV_PBDMA_BLOCKED,
            .channel_id = state->channel_id,
            .space_id = state->space_id,
            .segment = entry->address,
            .length = entry->length,
            .done = entry->done,
            .entry = state->entry_head};
    }
    return count;
}

/* In the same segment? */
static bool stream_same(const struct debug_stream *before, const struct debug_stream *after)
{
    return before->in_segment && before->entry == after->entry &&
           before->channel_id == after->channel_id;
}

bool debug_stream_moved(const struct debug_stream *before, const struct debug_stream *after)
{
    return after->in_segment && after->done > (stream_same(before, after) ? before->done : 0);
}

/* ---- decoding -------------------------------------------------------------------------------- */

/* What is kept of a PBDMA's stream, so that each dword is decoded once. */
struct decoder {
    struct nv_decode decode;
    struct debug_stream at; /* decoded up to there */
    bool is_valid;
};

struct debug_nvidia {
    struct debug_classes classes;
    struct decoder decoders[DEBUG_PBDMAS_MAX];
};

/* For whom is decoded. */
struct reading {
    struct machine *machine;
    uint32_t space_id;
    /* The last method: */
    bool found;
    uint32_t method;
    char *name;
    size_t name_bytes;
    /* Or the lines of methods whose dword lies in [from, to): */
    FILE *file;
    uint64_t from, to, mark;
};

/* The PBDMA has just read these pages itself, so that a look adds nothing to what the MMU keeps. */
static bool reading_read(void *context, uint64_t va, void *data, size_t bytes)
{
    const struct reading *reading = context;
    uint64_t fault;

    return machine_vm_read(reading->machine, reading->space_id, va, data, bytes, &fault);
}

static bool reading_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    (void)context;
    (void)va;
    (void)data;
    (void)bytes;
    return true;
}

static void reading_found(void *context, const struct nv_decode_item *item)
{
    struct reading *reading = context;
    struct nv_class_method method;

    if (item->kind != NV_DECODE_METHOD)
        return;
    if (reading->file) {
        if (item->va < reading->from || item->va >= reading->to)
            return;
        fprintf(reading->file, "    %s %09" PRIx64 " ", item->va == reading->mark ? "=>" : "  ",
                item->va);
        nv_decode_print(reading->file, item, false);
        return;
    }
    reading->found = true;
    reading->method = item->method;
    if (nv_class_lookup(nv_class_nearest(item->table_id), item->method, &method))
        (void)snprintf(reading->name, reading->name_bytes, "%s", nv_class_row_name(method.row));
    else
        reading->name[0] = '\0';
}

static const struct nv_decode_ops reading_ops = {reading_read, reading_write, reading_found};

/* ---- classes --------------------------------------------------------------------------------- */

bool debug_stream_init(struct debug *debug, struct gfe_error *error)
{
    if (!debug->is_amd)
        debug->nvidia = calloc(1, sizeof *debug->nvidia);
    return debug->is_amd || debug->nvidia ||
           error_set(error, ERROR_SYSTEM, "no memory for the streams");
}

void debug_stream_fini(struct debug *debug)
{
    free(debug->nvidia);
    debug->nvidia = NULL;
}

void debug_stream_forget(struct debug *debug)
{
    if (debug->nvidia)
        memset(debug->nvidia, 0, sizeof *debug->nvidia);
}

/* Reads on in the log, or from its start when the run is before what was read. */
static void classes_read(struct debug *debug, struct debug_classes *classes)
{
    const uint32_t kind = debug_kind(debug, model_event_of(MODEL_OBJECT_SET));
    struct event_nv_set_object set;
    struct log_event event;

    if (classes->read.event_count > debug_event_count(debug))
        memset(classes, 0, sizeof *classes);
    while (debug_log_next(debug, &classes->read, &event)) {
        if (event.kind != kind)
            continue;
        set = event_nv_set_object_of(&event);
        if (set.channel_id < DEBUG_CHANNELS && set.subchannel < 8)
            classes->of[set.channel_id][set.subchannel] = (uint16_t)set.class_id;
    }
}

static void decoder_begin(struct debug *debug, struct decoder *decoder,
                          const struct debug_stream *stream)
{
    struct debug_classes *classes = &debug->nvidia->classes;
    const struct nv_decode_chip chip = nv_decode_chip(gpu_of(debug)->model->chip_id);

    classes_read(debug, classes);
    nv_decode_init(&decoder->decode, &reading_ops, NULL, chip);
    if (stream->channel_id < DEBUG_CHANNELS)
        for (uint32_t i = 0; i < NV_DECODE_SUBCHANNELS; i++)
            if (classes->of[stream->channel_id][i])
                decoder->decode.class_id[i] = classes->of[stream->channel_id][i];
    decoder->at = *stream;
    decoder->at.done = 0;
    decoder->is_valid = true;
}

/* The dwords up to there; methods in them are `reading`'s. */
static void decoder_read(struct decoder *decoder, struct reading *reading, uint32_t done)
{
    decoder->decode.context = reading;
    nv_decode_segment(&decoder->decode, NV_DECODE_RECORDED,
                      decoder->at.segment + 4 * (uint64_t)decoder->at.done,
                      done - decoder->at.done);
    decoder->at.done = done;
}

bool debug_stream_method(struct debug *debug, const struct debug_stream *before,
                         const struct debug_stream *stream, uint32_t *offset, char *name,
                         size_t bytes)
{
    struct reading reading = {
        .machine = debug->machine, .space_id = stream->space_id, .name = name, .name_bytes = bytes};
    struct decoder *decoder = &debug->nvidia->decoders[stream->pbdma_id];

    if (!decoder->is_valid || decoder->at.channel_id != stream->channel_id ||
        decoder->at.entry != stream->entry || decoder->at.segment != stream->segment ||
        decoder->at.done > stream->done)
        decoder_begin(debug, decoder, stream);
    if (stream_same(before, stream) && decoder->at.done < before->done)
        decoder_read(decoder, &reading, before->done);
    reading.found = false;
    decoder_read(decoder, &reading, stream->done);
    *offset = reading.method;
    return reading.found;
}

/* ---- context --------------------------------------------------------------------------------- */

/* The method that it is at: the one that waits in METHOD0, or that of the next dword. */
static uint64_t stream_mark(const struct debug_stream *stream)
{
    return stream->segment + 4 * (uint64_t)(stream->is_in_method && stream->done > 0
                                                ? stream->done - 1
                                                : stream->done);
}

bool debug_stream_print(struct debug *debug, const struct debug_stream *stream, uint32_t context,
                        FILE *file, struct gfe_error *error)
{
    struct reading reading = {
        .machine = debug->machine, .space_id = stream->space_id, .file = file};
    struct machine_snapshot *snapshot;
    struct decoder decoder = {0};
    uint64_t from, to;

    if (!stream->in_segment)
        return true;
    reading.mark = stream_mark(stream);
    from = reading.mark - stream->segment < 4 * (uint64_t)context
               ? stream->segment
               : reading.mark - 4 * (uint64_t)context;
    to = reading.mark + 4 * (uint64_t)context + 4;
    reading.from = from;
    reading.to = to;
    snapshot = debug_hold(debug, error);
    if (!snapshot)
        return false;
    decoder_begin(debug, &decoder, stream);
    decoder.decode.context = &reading;
    nv_decode_segment(&decoder.decode, NV_DECODE_RECORDED, stream->segment, stream->length);
    return debug_put_back(debug, snapshot, error);
}
