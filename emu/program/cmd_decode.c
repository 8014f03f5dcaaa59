/* SPDX-License-Identifier: MIT */
/*
 * gfe decode: every GP entry and method of a trace with names and fields.
 *
 * The records are followed in order: maps and memory build up what each address space holds, a
 * submission's entries are walked on their channel (devices/nvidia/formats/nv_decode.h) and
 * printed. What is no trace is cmd_decode_amd.c's.
 */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_decode.h"
#include "devices/nvidia/formats/nv_decode_text.h"
#include "emu/base/args.h"
#include "emu/program/sandbox.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_decode_amd.h"
#include "emu/program/cmd_decode_kfd.h"
#include "emu/base/limits.h"
#include "emu/base/output.h"
#include "traces/format/trace_space.h"
#include "firmware-models/nouveau/nouveau_fence.h"
#include "traces/format/trace.h"
#include "traces/format/trace_dump.h"

enum {
    OPTION_RECORDED = ARGS_LONG_ONLY,
    OPTION_RECORDS,
    OPTION_HEX,
    OPTION_JSON,
    OPTION_GPU,
    OPTION_GENERATION,
};

static const struct args_option options[] = {
    {'o', "output", "FILE", "write to FILE, which appears when it is complete"},
    {'r', "raw", NULL, "one line for each dword of the pushbuffers"},
    {OPTION_RECORDS, "records", NULL,
     "one line for each record of the trace, of whatever GPU, by name and\n"
     "fields; of data the first bytes"},
    {OPTION_RECORDED, "recorded-only", NULL, "leave out what the kernel driver's model adds"},
    {'f', "format", "FORMAT", "the file is no trace but bare bytes of FORMAT, see above"},
    {OPTION_HEX, "hex", NULL,
     "with --format: the file is text, dwords in hexadecimal, with\n"
     "addresses (0040:) and comments (#) between or not"},
    {OPTION_JSON, "json", NULL, "with --format: print JSON"},
    {OPTION_GPU, "gpu", "GPU",
     "with amd-kernel-descriptor: whose registers (default radeon-vii);\n"
     "with other formats: whose packets"},
    {OPTION_GENERATION, "generation", "GEN",
     "with --format: whose packets, gfx9, gfx10, gfx11 or gfx12; for SDMA\n"
     "also sdma4 to sdma7"},
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    LIMITS_OPTION_INPUT("256M, with --format"),
    SANDBOX_OPTION,
    {0},
};

static const struct args_command command = {
    "decode", "[OPTION...] TRACE|FILE",
    "Prints what a recorded driver sent: each submission with its GP entries, each method\n"
    "with subchannel, class, byte offset, data, NVIDIA's name and fields, and each compute\n"
    "grid with its descriptor (qmd).  R in front: recorded, M: added by gfe's model of the\n"
    "kernel driver.  A ? after a name: the class header gives no size of that array, and\n"
    "the index is past the next method.  TRACE may be - for standard input.  Of an AMD GPU:\n"
    "its queues, and each packet with its fields, as --format shows them.\n"
    "\n"
    "  gfe decode F.gft | grep ' qmd '         the grids\n"
    "  gfe decode F.gft | awk '$3 == \"c1b5\"'   the copies\n"
    "\n"
    "With --format, FILE holds bare packets or descriptors of an AMD GPU, little endian, and\n"
    "is shown packet by packet: byte offset, first dword, AMD's name, fields, and what is\n"
    "wrong with it.  Any bytes can be decoded.  Where generations differ, one has to be named\n"
    "with --generation (or --gpu).  The formats:\n"
    "\n"
    "  amd-pm4                PM4 packets: of a compute queue, the HIQ, an indirect buffer\n"
    "  amd-aql                AQL packets of 64 bytes: dispatches, barriers, AMD's own\n"
    "  amd-sdma               packets of an SDMA ring\n"
    "  amd-mqd                memory queue descriptors (v9, 2048 bytes); what is 0 is left out\n"
    "  amd-hqd                windows of a hardware queue slot, 56 dwords\n"
    "  amd-sdma-mqd           memory queue descriptors of SDMA (v9, 512 bytes), without what is 0\n"
    "  amd-ih                 entries of the ring of interrupts (IH), 8 dwords\n"
    "  amd-kernel-descriptor  kernel descriptors of 64 bytes, or a code object (ELF)\n",
    options, false};

enum {
    DECODE_CHANNELS_MAX = 65536,
    DECODE_VENDOR_NVIDIA = 0x10de,
    DECODE_COUNTS = 256,
    DECODE_NOTES = 32,
};
#define DECODE_PUSH_MAX_BYTES 0x7fffffull /* LENGTH of a GP entry: 21 bits of dwords */

struct decode_channel {
    uint32_t channel_id;
    struct trace_space *space;
    struct decode_run *run;
    struct nv_decode decode;
    uint32_t hardware_id; /* what the driver model would number it: the lowest that is free */
    bool live;
};

/* Methods of one class on one subchannel. */
struct decode_count {
    uint8_t subchannel;
    uint16_t class_id;
    uint64_t method_count;
};

struct decode_run {
    FILE *file;
    bool raw, recorded_only, records;
    const struct trace_meta *meta;
    struct gfe_error *error;
    struct trace_spaces spaces;
    struct decode_channel **channels;
    uint32_t channel_count;
    struct decode_count counts[DECODE_COUNTS];
    uint32_t count_count;
    uint16_t noted[DECODE_NOTES]; /* classes without a table that were named */
    uint32_t noted_count;
    uint64_t grid_count;
    uint32_t fence_values[NOUVEAU_CHANNELS_MAX]; /* last fence, by the driver model's number */
};

/* ---- what the walker asks for and finds ------------------------------------------------------ */

static bool walk_read(void *context, uint64_t va, void *data, size_t bytes)
{
    const struct decode_channel *channel = context;

    return trace_space_read(channel->space, va, data, bytes);
}

/* The stream may write where nothing is: then nothing happens. */
static bool walk_write(void *context, uint64_t va, const void *data, size_t bytes)
{
    struct decode_channel *channel = context;

    if (va >= TRACE_SPACE_VA_BYTES || bytes > TRACE_SPACE_VA_BYTES - va)
        return false;
    return trace_space_write(channel->space, va, data, bytes, channel->run->error);
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

/* Says in front of a class's first method that the class has no table, and whose names follow. */
static void walk_note(struct decode_run *run, const struct nv_decode_item *item)
{
    const struct nv_class *nearest = nv_class_nearest(item->table_id);

    if (item->table_id == 0 || (nearest && nearest->id == item->table_id))
        return;
    for (uint32_t i = 0; i < run->noted_count; i++)
        if (run->noted[i] == item->table_id)
            return;
    if (run->noted_count == DECODE_NOTES)
        return;
    run->noted[run->noted_count++] = item->table_id;
    fprintf(run->file, "# no table of class %04x", item->table_id);
    if (nearest)
        fprintf(run->file,
                ": its methods are named as those of %s (%04x), the nearest older class of its "
                "kind\n",
                nearest->name, nearest->id);
    else
        fprintf(run->file, ", nor of an older class of its kind: its methods have no names\n");
}

static void walk_found(void *context, const struct nv_decode_item *item)
{
    struct decode_channel *channel = context;

    if (item->kind == NV_DECODE_METHOD)
        walk_note(channel->run, item);
    /* The closing counts are the recording's own. */
    if (item->kind == NV_DECODE_METHOD && item->origin == NV_DECODE_RECORDED)
        walk_count(channel->run, item);
    if (item->kind == NV_DECODE_GRID)
        channel->run->grid_count++;
    nv_decode_print(channel->run->file, item, channel->run->raw);
}

/* ---- records --------------------------------------------------------------------------------- */

static struct decode_channel *decode_channel_find(struct decode_run *run, uint32_t channel_id)
{
    for (uint32_t i = 0; i < run->channel_count; i++)
        if (run->channels[i]->channel_id == channel_id)
            return run->channels[i];
    return NULL;
}

static struct decode_channel *decode_channel_new(struct decode_run *run)
{
    const uint32_t count = run->channel_count;

    if (count == DECODE_CHANNELS_MAX) {
        error_set(run->error, ERROR_LIMIT, "more than %d channels", DECODE_CHANNELS_MAX);
        return NULL;
    }
    void *list = realloc(run->channels, (count + 1) * sizeof *run->channels);
    struct decode_channel *channel = calloc(1, sizeof *channel);
    if (list != NULL)
        run->channels = list;
    if (list == NULL || channel == NULL) {
        free(channel);
        error_set(run->error, ERROR_SYSTEM, "no memory for a channel");
        return NULL;
    }
    return run->channels[run->channel_count++] = channel;
}

/* What the driver model would number it: the lowest that is free, at most NOUVEAU_CHANNELS_MAX. */
static uint32_t decode_hardware_id(const struct decode_run *run)
{
    uint64_t used = 0;
    uint32_t id = 0;

    for (uint32_t i = 0; i < run->channel_count; i++)
        if (run->channels[i]->live && run->channels[i]->hardware_id < NOUVEAU_CHANNELS_MAX)
            used |= UINT64_C(1) << run->channels[i]->hardware_id;
    while (id < NOUVEAU_CHANNELS_MAX && used >> id & 1)
        id++;
    return id;
}

/* A number that comes again is a new channel. */
static bool decode_channel(struct decode_run *run, const struct trace_channel *record)
{
    static const struct nv_decode_ops ops = {walk_read, walk_write, walk_found};
    struct decode_channel *channel = decode_channel_find(run, record->channel_id);
    struct trace_space *space = trace_space(&run->spaces, record->as_id, run->error);

    if (channel == NULL)
        channel = decode_channel_new(run);
    if (channel == NULL || space == NULL)
        return false;
    channel->channel_id = record->channel_id;
    channel->space = space;
    channel->run = run;
    channel->live = false;
    channel->hardware_id = decode_hardware_id(run);
    channel->live = true;
    nv_decode_init(&channel->decode, &ops, channel,
                   nv_decode_chip_of(run->meta->chipset, record->class_id));
    return true;
}

static bool decode_channel_end(struct decode_run *run, const struct trace_channel_end *record)
{
    struct decode_channel *channel = decode_channel_find(run, record->channel_id);

    if (channel)
        channel->live = false;
    return true;
}

/* Prints a GP entry and walks its segment.  The state of the parser belongs to the channel, for
 * entries of the program and of the driver alike. */
static void decode_entry(struct decode_channel *channel, enum nv_decode_origin origin,
                         uint32_t index, const struct nv_gp_entry *entry, const char *note)
{
    nv_decode_print_entry(channel->run->file, origin, index, entry, note);
    nv_decode_segment(&channel->decode, origin, entry->address, entry->length_dwords);
}

/* A SUBMIT or an EXEC. */
struct decode_submission {
    uint32_t channel_id, submission_id;
    bool is_exec;
    struct trace_pushes pushes;
};

static bool decode_push(struct decode_run *run, struct decode_channel *channel,
                        const struct decode_submission *submit, uint32_t index)
{
    const struct trace_push *push = &submit->pushes.push[index];
    struct nv_gp_entry entry = {.sync_wait = (push->flags & TRACE_PUSH_NO_PREFETCH) != 0};
    char note[64] = "";

    if (push->length_bytes > DECODE_PUSH_MAX_BYTES)
        return error_set(run->error, ERROR_INPUT,
                         "entry %" PRIu32 " of submission %" PRIu32 " is longer than a GP entry",
                         index, submit->submission_id);
    if (!trace_spaces_push_va(&run->spaces, channel->space->as_id, push, &entry.address))
        return error_set(run->error, ERROR_INPUT,
                         "entry %" PRIu32 " of submission %" PRIu32 " lies in buffer %" PRIu32
                         ", which is not mapped there",
                         index, submit->submission_id, push->handle);
    entry.length_dwords = (uint32_t)(push->length_bytes / 4);
    if (push->handle != TRACE_ANY)
        snprintf(note, sizeof note, "buffer=%" PRIu32 "+0x%" PRIx64, push->handle, push->offset);
    decode_entry(channel, NV_DECODE_RECORDED, index, &entry, note);
    return run->error->kind == ERROR_NONE;
}

/* Prints what the driver model adds after a submission: its fence, as `gfe run` puts it into the
 * ring. */
static bool decode_fence(struct decode_run *run, struct decode_channel *channel,
                         const struct decode_submission *submit)
{
    uint32_t dwords[NOUVEAU_FENCE_DWORDS], *value;
    struct nv_gp_entry entry = {.length_dwords = NOUVEAU_FENCE_DWORDS};
    char note[64];

    if (channel->hardware_id >= NOUVEAU_CHANNELS_MAX)
        return true; /* more channels than the driver model has: gfe run refuses the trace */
    value = &run->fence_values[channel->hardware_id];
    entry.address = channel->space->kernel_va + nouveau_buffer_va(channel->hardware_id) +
                    nouveau_fence_offset(*value, NOUVEAU_FENCE_DWORDS);
    nouveau_fence_segment(channel->space->kernel_va + nouveau_fence_va(channel->hardware_id),
                          ++*value, dwords);
    if (!trace_space_write(channel->space, entry.address, dwords, sizeof dwords, run->error))
        return false;
    (void)snprintf(note, sizeof note, "fence=%" PRIu32, *value);
    decode_entry(channel, NV_DECODE_MODELLED, submit->pushes.count, &entry, note);
    return run->error->kind == ERROR_NONE;
}

static void decode_syncs(FILE *file, const char *name, const struct trace_syncs *syncs)
{
    for (uint32_t i = 0; i < syncs->count; i++) {
        fprintf(file, "%s%" PRIu32, i == 0 ? name : ",", syncs->sync[i].syncobj_id);
        if (syncs->sync[i].flags & TRACE_SYNC_TIMELINE)
            fprintf(file, "@%" PRIu64, syncs->sync[i].point);
    }
}

static bool decode_submit(struct decode_run *run, const struct trace_record *record)
{
    const bool is_exec = record->head.kind == TRACE_EXEC;
    const struct decode_submission exec = {record->exec.channel_id, record->exec.submission_id,
                                           true, record->exec.pushes};
    const struct decode_submission pushbuf = {
        record->submit.channel_id, record->submit.submission_id, false, record->submit.pushes};
    const struct decode_submission *submit = is_exec ? &exec : &pushbuf;
    struct decode_channel *channel = decode_channel_find(run, submit->channel_id);
    const uint64_t us = record->head.time_ns / 1000;

    if (channel == NULL)
        return error_set(run->error, ERROR_INPUT,
                         "submission %" PRIu32 " is for channel %" PRIu32
                         ", which does not exist then",
                         submit->submission_id, submit->channel_id);
    fprintf(run->file,
            "%s %" PRIu32 " channel=%" PRIu32 " time=%" PRIu64 ".%03" PRIu64 "ms entries=%" PRIu32,
            is_exec ? "EXEC" : "SUBMIT", submit->submission_id, submit->channel_id, us / 1000,
            us % 1000, submit->pushes.count);
    if (is_exec) {
        decode_syncs(run->file, " waits=", &record->exec.waits);
        decode_syncs(run->file, " signals=", &record->exec.signals);
    }
    fputc('\n', run->file);
    for (uint32_t i = 0; i < submit->pushes.count; i++)
        if (!decode_push(run, channel, submit, i))
            return false;
    /* A SUBMIT without pushes is a question; an EXEC without is its fence. */
    return run->recorded_only || (submit->pushes.count == 0 && !is_exec) ||
           decode_fence(run, channel, submit);
}

static bool decode_record(struct decode_run *run, const struct trace_record *record)
{
    switch (record->head.kind) {
    case TRACE_CHANNEL:
        return decode_channel(run, &record->channel);
    case TRACE_CHANNEL_END:
        return decode_channel_end(run, &record->channel_end);
    case TRACE_SUBMIT:
    case TRACE_EXEC:
        return decode_submit(run, record);
    default:
        return trace_spaces_record(&run->spaces, record, run->error);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void decode_summary(const struct decode_run *run)
{
    uint64_t method_count = 0;

    for (uint8_t subchannel = 0; subchannel < NV_DECODE_SUBCHANNELS; subchannel++)
        for (uint32_t i = 0; i < run->count_count; i++) {
            const struct decode_count *count = &run->counts[i];

            if (count->subchannel != subchannel)
                continue;
            fprintf(run->file, "# subchannel %u class %04x: %" PRIu64 " methods%s\n", subchannel,
                    count->class_id, count->method_count,
                    count->class_id == 0 || nv_class_find(count->class_id) ? ""
                                                                           : " (without a table)");
            method_count += count->method_count;
        }
    fprintf(run->file, "# %" PRIu64 " methods, %" PRIu64 " grids\n", method_count, run->grid_count);
}

/* Any trace, undecoded. */
static bool decode_records(struct decode_run *run, struct trace_reader *reader)
{
    enum trace_result result;
    struct trace_record record;

    while ((result = trace_read(reader, &record, run->error)) == TRACE_GOT)
        trace_dump(run->file, &record);
    return result == TRACE_AT_END;
}

static bool decode_trace(struct decode_run *run, struct trace_reader *reader)
{
    enum trace_result result;
    struct trace_record record;

    run->meta = trace_reader_meta(reader);
    if (run->meta->pci_id >> 16 == DECODE_VENDOR_AMD)
        return decode_kfd(run->file, reader, run->error);
    if (run->meta->pci_id >> 16 != DECODE_VENDOR_NVIDIA)
        return error_set(run->error, ERROR_INPUT,
                         "%s: a GPU of neither NVIDIA nor AMD (vendor %04x); --records lists it",
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
    for (uint32_t i = 0; i < run->channel_count; i++)
        free(run->channels[i]);
    free(run->channels);
    trace_spaces_fini(&run->spaces);
}

/* The trace that is named; what could not be is in the error. */
static void decode_one_trace(struct decode_run *run, const char *path, const char *output_path,
                             const struct limits *limits)
{
    struct trace_reader *reader = trace_reader_open(path, run->error);
    struct output output = {0};

    if (reader != NULL)
        trace_reader_limit(reader, limits->expansion_bytes);
    run->spaces.limit_bytes = limits->memory_bytes;
    if (reader != NULL && output_differs(output_path, path, run->error) &&
        output_open_text(&output, output_path, run->error)) {
        run->file = output.file;
        if (run->records ? decode_records(run, reader) : decode_trace(run, reader))
            (void)output_commit(&output, run->error);
        output_abort(&output);
    }
    decode_fini(run);
    trace_reader_free(reader);
}

/* Options of the one form have no meaning in the other. */
static bool decode_options_fit(struct args *args, const struct decode_run *run,
                               const struct decode_amd_request *bare)
{
    if (bare->format && (run->raw || run->recorded_only || run->records))
        return args_wrong(args, "--raw, --records and --recorded-only are for traces, not for "
                                "--format") == 0;
    if (!bare->format && (bare->hex || bare->json || bare->gpu || bare->generation))
        return args_wrong(args, "--hex, --json, --gpu and --generation need --format") == 0;
    return true;
}

int cmd_decode(int argc, char **argv)
{
    const char *output_path = "-";
    struct gfe_error error = {0};
    struct decode_run run = {.error = &error};
    struct limits limits = LIMITS_DEFAULT;
    struct cmd_gpu gpu CMD_GPU_OWNED = {0};
    struct decode_amd_request bare = {.limits = &limits};
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0) {
        if (id == 'o')
            output_path = args.value;
        else if (id == OPTION_RECORDS)
            run.records = true;
        else if (id == OPTION_RECORDED)
            run.recorded_only = true;
        else if (id == 'f')
            bare.format = args.value;
        else if (id == OPTION_HEX)
            bare.hex = true;
        else if (id == OPTION_JSON)
            bare.json = true;
        else if (id == OPTION_GPU) {
            if (!cmd_gpu_take(&args, &gpu))
                return args.status;
            bare.gpu = gpu.name;
            bare.described = gpu.described;
        } else if (id == OPTION_GENERATION)
            bare.generation = args.value;
        else if (limits_is(id) && !limits_take(&args, id, &limits))
            return args.status;
        else if (id == 'r')
            run.raw = true;
    }
    if (id == ARGS_STOP || !args_operands(&args, 1, 1) || !decode_options_fit(&args, &run, &bare))
        return args.status;
    bare.path = args.operands[0];
    if (bare.format)
        decode_amd_file(&bare, output_path, &error);
    else
        decode_one_trace(&run, args.operands[0], output_path, &limits);
    return error.kind == ERROR_NONE ? 0 : args_failed(&args, &error);
}
