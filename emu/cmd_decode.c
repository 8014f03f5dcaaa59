/* SPDX-License-Identifier: MIT */
/*
 * gfe decode: every GP entry and method of a trace with names and fields.
 *
 * The records are followed in order: maps and memory build up what each address space holds, a
 * submission's entries are walked on their channel (devices/nvidia/nv_decode.h) and printed.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "devices/nvidia/nv_decode.h"
#include "devices/nvidia/nv_decode_text.h"
#include "emu/args.h"
#include "emu/cmd.h"
#include "emu/memory.h"
#include "emu/output.h"
#include "traces/trace.h"

static const struct args_option options[] = {
    {'o', "output", "FILE", "write to FILE, which appears when it is complete"},
    {'r', "raw", NULL, "one line for each dword of the pushbuffers"},
    {0},
};

static const struct args_command command = {
    "decode", "[OPTION...] TRACE",
    "Prints what a recorded driver sent: each submission with its GP entries, each method\n"
    "with subchannel, class, byte offset, data, NVIDIA's name and fields, and each compute\n"
    "grid with its descriptor (qmd).  R in front: recorded, M: added by gfe's model of the\n"
    "kernel driver.  A ? behind a name: the class header gives no size of that array, and\n"
    "the index is past the next method.  TRACE may be - for standard input.\n"
    "\n"
    "  gfe decode F.gft | grep ' qmd '         the grids\n"
    "  gfe decode F.gft | awk '$3 == \"c1b5\"'   the copies\n",
    options, false};

enum {
    DECODE_SPACES_MAX = 4096,
    DECODE_CHANNELS_MAX = 65536,
    DECODE_MAPS_MAX = 1 << 20,
    DECODE_PAGES_MAX = 1 << 20, /* 4 GiB of the host's memory over all address spaces */
    DECODE_VENDOR_NVIDIA = 0x10de,
    DECODE_COUNTS = 256,
};
#define DECODE_VA_BYTES       ((uint64_t)1 << 40)
#define DECODE_PUSH_MAX_BYTES 0x7fffffull /* LENGTH of a GP entry: 21 bits of dwords */

struct decode_space {
    uint32_t as_id;
    struct memory memory; /* by virtual address, in the aperture VRAM */
};

struct decode_map {
    uint32_t as_id, handle;
    uint64_t va, size_bytes, object_offset;
};

struct decode_channel {
    uint32_t channel_id;
    struct decode_space *space;
    struct decode_run *run;
    struct nv_decode decode;
};

/* Methods of one class on one subchannel. */
struct decode_count {
    uint8_t subchannel;
    uint16_t class_id;
    uint64_t method_count;
};

struct decode_run {
    FILE *file;
    bool raw;
    const struct trace_meta *meta;
    struct gfe_error *error;
    struct decode_space **spaces; /* channels point at them */
    struct decode_channel **channels;
    struct decode_map *maps;
    uint32_t space_count, channel_count, map_count;
    struct decode_count counts[DECODE_COUNTS];
    uint32_t count_count;
    uint64_t grid_count;
};

/* Makes room for one more element; NULL and an error when the limit is reached. */
static void *decode_grow(struct decode_run *run, void *list, uint32_t count, uint32_t limit,
                         size_t bytes)
{
    if (count >= limit) {
        error_set(run->error, ERROR_LIMIT, "the trace has more than %" PRIu32 " %s", limit,
                  limit == DECODE_MAPS_MAX ? "mapped ranges" : "channels or address spaces");
        return NULL;
    }
    if (count > 0 && (count & (count - 1)) != 0)
        return list;
    void *grown = realloc(list, (count > 0 ? (size_t)count * 2 : 1) * bytes);
    if (grown == NULL)
        error_set(run->error, ERROR_SYSTEM, "no memory for the lists of the trace");
    return grown;
}

static struct decode_space *decode_space(struct decode_run *run, uint32_t as_id)
{
    for (uint32_t i = 0; i < run->space_count; i++)
        if (run->spaces[i]->as_id == as_id)
            return run->spaces[i];

    void *list =
        decode_grow(run, run->spaces, run->space_count, DECODE_SPACES_MAX, sizeof *run->spaces);
    if (list == NULL)
        return NULL;
    run->spaces = list;
    struct decode_space *space = calloc(1, sizeof *space);
    if (space == NULL) {
        error_set(run->error, ERROR_SYSTEM, "no memory for an address space");
        return NULL;
    }
    space->as_id = as_id;
    if (!memory_init(&space->memory, DECODE_VA_BYTES, 0, DECODE_PAGES_MAX, run->error)) {
        free(space);
        return NULL;
    }
    run->spaces[run->space_count++] = space;
    return space;
}

/* ---- memory --------------------------------------------------------------------------------- */

static bool decode_write(struct decode_run *run, struct decode_space *space, uint64_t va,
                         const struct trace_bytes *bytes)
{
    switch (memory_write(&space->memory, MEMORY_VRAM, va, bytes->data, bytes->length)) {
    case MEMORY_OUTSIDE:
        return error_set(run->error, ERROR_INPUT,
                         "memory at 0x%" PRIx64 " lies outside the 40-bit address space", va);
    case MEMORY_EXHAUSTED:
        return error_set(run->error, ERROR_LIMIT, "the trace fills more than %d pages of memory",
                         DECODE_PAGES_MAX);
    case MEMORY_OK:
        break;
    }
    return true;
}

static bool walk_read(void *context, uint64_t va, void *data, size_t bytes)
{
    const struct decode_channel *channel = context;

    return memory_read(&channel->space->memory, MEMORY_VRAM, va, data, bytes);
}

/* The guest may write where nothing is: then nothing happens. */
static bool walk_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    struct decode_channel *channel = context;
    const struct trace_bytes what = {data, (uint32_t)bytes};

    if (va >= DECODE_VA_BYTES || bytes > DECODE_VA_BYTES - va)
        return false;
    return decode_write(channel->run, channel->space, va, &what);
}

static void walk_count(struct decode_run *run, const struct nv_decode_item *item)
{
    uint32_t i = 0;

    while (i < run->count_count && (run->counts[i].subchannel != item->subchannel ||
                                    run->counts[i].class_id != item->class_id))
        i++;
    if (i == DECODE_COUNTS)
        return;
    if (i == run->count_count)
        run->counts[run->count_count++] =
            (struct decode_count){item->subchannel, item->class_id, 0};
    run->counts[i].method_count++;
}

static void walk_found(void *context, const struct nv_decode_item *item)
{
    struct decode_channel *channel = context;

    if (item->kind == NV_DECODE_METHOD)
        walk_count(channel->run, item);
    if (item->kind == NV_DECODE_GRID)
        channel->run->grid_count++;
    nv_decode_print(channel->run->file, item, channel->run->raw);
}

/* ---- records -------------------------------------------------------------------------------- */

static bool decode_as_map(struct decode_run *run, const struct trace_as_map *record)
{
    void *list = decode_grow(run, run->maps, run->map_count, DECODE_MAPS_MAX, sizeof *run->maps);

    if (list == NULL)
        return false;
    run->maps = list;
    run->maps[run->map_count++] = (struct decode_map){record->as_id, record->handle, record->va,
                                                      record->size_bytes, record->object_offset};
    return true;
}

static void decode_as_unmap(struct decode_run *run, const struct trace_as_unmap *record)
{
    uint32_t i = 0;

    while (i < run->map_count) {
        const struct decode_map *map = &run->maps[i];

        if (map->as_id == record->as_id && map->va >= record->va &&
            map->va - record->va < record->size_bytes)
            run->maps[i] = run->maps[--run->map_count];
        else
            i++;
    }
}

static struct decode_channel *decode_channel_find(struct decode_run *run, uint32_t channel_id)
{
    for (uint32_t i = 0; i < run->channel_count; i++)
        if (run->channels[i]->channel_id == channel_id)
            return run->channels[i];
    return NULL;
}

static bool decode_channel(struct decode_run *run, const struct trace_channel *record)
{
    static const struct nv_decode_ops ops = {walk_read, walk_write, walk_found};
    struct decode_channel *channel = decode_channel_find(run, record->channel_id);
    struct decode_space *space = decode_space(run, record->as_id);

    if (space == NULL)
        return false;
    if (channel == NULL) {
        void *list = decode_grow(run, run->channels, run->channel_count, DECODE_CHANNELS_MAX,
                                 sizeof *run->channels);

        if (list == NULL)
            return false;
        run->channels = list;
        channel = calloc(1, sizeof *channel);
        if (channel == NULL)
            return error_set(run->error, ERROR_SYSTEM, "no memory for a channel");
        run->channels[run->channel_count++] = channel;
    }
    channel->channel_id = record->channel_id;
    channel->space = space;
    channel->run = run;
    nv_decode_init(&channel->decode, &ops, channel, nv_decode_copy_class(run->meta->chipset));
    return true;
}

/* Where a push lies in the channel's address space; false when its buffer is not mapped. */
static bool decode_push_va(const struct decode_run *run, const struct decode_channel *channel,
                           const struct trace_push *push, uint64_t *va)
{
    if (push->handle == TRACE_ANY) {
        *va = push->offset;
        return true;
    }
    for (uint32_t i = 0; i < run->map_count; i++) {
        const struct decode_map *map = &run->maps[i];

        if (map->as_id == channel->space->as_id && map->handle == push->handle &&
            push->offset >= map->object_offset &&
            push->offset - map->object_offset < map->size_bytes) {
            *va = map->va + (push->offset - map->object_offset);
            return true;
        }
    }
    return false;
}

static bool decode_push(struct decode_run *run, struct decode_channel *channel,
                        const struct trace_submit *submit, uint32_t index)
{
    const struct trace_push *push = &submit->pushes.push[index];
    struct nv_gp_entry entry = {.sync_wait = (push->flags & TRACE_PUSH_NO_PREFETCH) != 0};
    char note[64] = "";

    if (push->length_bytes > DECODE_PUSH_MAX_BYTES)
        return error_set(run->error, ERROR_INPUT,
                         "entry %" PRIu32 " of submission %" PRIu32 " is longer than a GP entry",
                         index, submit->submission_id);
    if (!decode_push_va(run, channel, push, &entry.address))
        return error_set(run->error, ERROR_INPUT,
                         "entry %" PRIu32 " of submission %" PRIu32 " lies in buffer %" PRIu32
                         ", which is not mapped there",
                         index, submit->submission_id, push->handle);
    entry.length_dwords = (uint32_t)(push->length_bytes / 4);
    if (push->handle != TRACE_ANY)
        snprintf(note, sizeof note, "buffer=%" PRIu32 "+0x%" PRIx64, push->handle, push->offset);
    nv_decode_print_entry(run->file, NV_DECODE_RECORDED, index, &entry, note);
    nv_decode_segment(&channel->decode, NV_DECODE_RECORDED, entry.address, entry.length_dwords);
    return run->error->kind == ERROR_NONE;
}

static bool decode_submit(struct decode_run *run, const struct trace_record *record)
{
    const struct trace_submit *submit = &record->submit;
    struct decode_channel *channel = decode_channel_find(run, submit->channel_id);
    const uint64_t us = record->head.time_ns / 1000;

    if (channel == NULL)
        return error_set(run->error, ERROR_INPUT,
                         "submission %" PRIu32 " is for channel %" PRIu32
                         ", which does not exist then",
                         submit->submission_id, submit->channel_id);
    fprintf(run->file,
            "SUBMIT %" PRIu32 " channel=%" PRIu32 " time=%" PRIu64 ".%03" PRIu64
            "ms entries=%" PRIu32 "\n",
            submit->submission_id, submit->channel_id, us / 1000, us % 1000, submit->pushes.count);
    for (uint32_t i = 0; i < submit->pushes.count; i++)
        if (!decode_push(run, channel, submit, i))
            return false;
    return true;
}

static bool decode_record(struct decode_run *run, const struct trace_record *record)
{
    struct decode_space *space;

    switch (record->head.kind) {
    case TRACE_AS_MAP:
        return decode_as_map(run, &record->as_map);
    case TRACE_AS_UNMAP:
        decode_as_unmap(run, &record->as_unmap);
        return true;
    case TRACE_MEM:
        if (record->mem.as_id == TRACE_AS_PHYSICAL)
            return true;
        space = decode_space(run, record->mem.as_id);
        return space != NULL && decode_write(run, space, record->mem.address, &record->mem.data);
    case TRACE_CHANNEL:
        return decode_channel(run, &record->channel);
    case TRACE_SUBMIT:
        return decode_submit(run, record);
    default:
        return true;
    }
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void decode_summary(const struct decode_run *run)
{
    uint64_t method_count = 0;

    for (uint8_t subchannel = 0; subchannel < NV_DECODE_SUBCHANNELS; subchannel++)
        for (uint32_t i = 0; i < run->count_count; i++) {
            const struct decode_count *count = &run->counts[i];

            if (count->subchannel != subchannel)
                continue;
            fprintf(run->file, "# subchannel %u class %04x: %" PRIu64 " methods\n", subchannel,
                    count->class_id, count->method_count);
            method_count += count->method_count;
        }
    fprintf(run->file, "# %" PRIu64 " methods, %" PRIu64 " grids\n", method_count, run->grid_count);
}

static bool decode_trace(struct decode_run *run, struct trace_reader *reader)
{
    enum trace_result result;
    struct trace_record record;

    run->meta = trace_reader_meta(reader);
    if (run->meta->pci_id >> 16 != DECODE_VENDOR_NVIDIA)
        return error_set(run->error, ERROR_INPUT, "%s: not a trace of an NVIDIA GPU (vendor %04x)",
                         trace_reader_name(reader), (unsigned)(run->meta->pci_id >> 16));
    fprintf(run->file, "# %s: %s, chip %x, driver %s\n", trace_reader_name(reader),
            run->meta->gpu.text, (unsigned)run->meta->chipset, run->meta->driver.text);
    while ((result = trace_read(reader, &record, run->error)) == TRACE_GOT) {
        struct gfe_error *error = run->error;
        struct gfe_error inner = {0};

        run->error = &inner;
        const bool good = decode_record(run, &record);
        run->error = error;
        if (!good)
            return error_set(error, inner.kind, "%s: record %" PRIu64 ": %s",
                             trace_reader_name(reader), record.head.sequence, inner.text);
    }
    if (result == TRACE_AT_END)
        decode_summary(run);
    return result == TRACE_AT_END;
}

static void decode_fini(struct decode_run *run)
{
    for (uint32_t i = 0; i < run->space_count; i++) {
        memory_fini(&run->spaces[i]->memory);
        free(run->spaces[i]);
    }
    for (uint32_t i = 0; i < run->channel_count; i++)
        free(run->channels[i]);
    free(run->spaces);
    free(run->channels);
    free(run->maps);
}

int cmd_decode(int argc, char **argv)
{
    const char *output_path = "-";
    struct gfe_error error = {0};
    struct decode_run run = {.error = &error};
    struct output output = {0};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0) {
        if (id == 'o')
            output_path = args.value;
        else
            run.raw = true;
    }
    if (id == ARGS_STOP || !args_operands(&args, 1, 1))
        return args.status;

    struct trace_reader *reader = trace_reader_open(args.operands[0], &error);
    if (reader != NULL && output_open(&output, output_path, &error)) {
        run.file = output.file;
        if (decode_trace(&run, reader))
            (void)output_commit(&output, &error);
        output_abort(&output);
    }
    decode_fini(&run);
    trace_reader_free(reader);
    return error.kind == ERROR_NONE ? 0 : args_failed(&args, &error);
}
