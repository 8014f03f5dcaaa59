/* SPDX-License-Identifier: MIT */
/*
 * The first pass over a trace for replay: all of it is checked and hashed, and what must be known
 * in advance is gathered (threads, channels, the completion values that it ends with, where each
 * thread's records are).
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/format/hash_trace.h"
#include "emu/replay/replay.h"
#include "emu/replay/replay_fences.h"
#include "emu/replay/replay_needs.h"
#include "emu/base/opened.h"
#include "emu/base/retry.h"
#include "traces/format/trace_aql.h"
#include "traces/format/trace_sdma.h"

/* What is needed while the trace is read. */
struct replay_load {
    struct replay_input *input;
    struct trace_reader *reader;
    struct hash_trace *hash;
    struct gfe_error *error;
    uint64_t resource_count;
    uint32_t last_thread;
    struct replay_fences *fences;
    uint32_t channel_spaces[REPLAY_CHANNELS_MAX];  /* as_id of each of input->channels */
    uint32_t channel_clients[REPLAY_CHANNELS_MAX]; /* and client, at layer RING */
};

static bool replay_no_memory(const struct replay_load *load)
{
    return error_set(load->error, ERROR_SYSTEM, "%s: no memory to read the trace",
                     load->input->path);
}

/* ---- what the records say -------------------------------------------------------------------- */

static bool replay_thread(struct replay_load *load, const struct trace_head *head,
                          uint32_t *thread_index)
{
    struct replay_input *input = load->input;

    for (uint32_t n = 0; n < input->thread_count; n++) {
        const uint32_t i = (load->last_thread + n) % input->thread_count;

        if (input->threads[i].process_id == head->process_id &&
            input->threads[i].thread_id == head->thread_id) {
            *thread_index = load->last_thread = i;
            return true;
        }
    }
    if (input->thread_count == REPLAY_THREADS_MAX)
        return error_set(load->error, ERROR_LIMIT, "%s: more than %d threads", input->path,
                         REPLAY_THREADS_MAX);
    *thread_index = load->last_thread = input->thread_count++;
    input->threads[*thread_index] =
        (struct replay_program_thread){head->process_id, head->thread_id};
    return true;
}

static bool replay_note_channel(struct replay_load *load, uint32_t channel_id, uint32_t as_id,
                                uint32_t client_id)
{
    struct replay_input *input = load->input;
    uint32_t i = 0;

    while (i < input->channel_count && input->channels[i] != channel_id)
        i++;
    if (i == REPLAY_CHANNELS_MAX)
        return error_set(load->error, ERROR_LIMIT, "%s: more than %d numbers of channels",
                         input->path, REPLAY_CHANNELS_MAX);
    input->channels[i] = channel_id;
    load->channel_spaces[i] = as_id;
    load->channel_clients[i] = client_id;
    input->channel_count += i == input->channel_count;
    return true;
}

/* The space of a channel; of one that was never made, none that has memory. */
static uint32_t replay_channel_space(const struct replay_load *load, uint32_t channel_id)
{
    for (uint32_t i = 0; i < load->input->channel_count; i++)
        if (load->input->channels[i] == channel_id)
            return load->channel_spaces[i];
    return TRACE_AS_PHYSICAL;
}

/* Times and counters say nothing of completion, but may lie where another value did. */
static bool replay_note_write(struct replay_load *load, const struct trace_gpu_write *write)
{
    const uint32_t space = replay_channel_space(load, write->channel_id);
    struct replay_fence fence = {
        .channel_id = write->channel_id, .address = write->address, .as_id = space};

    replay_fences_overwritten(load->fences, space, write->address, write->data.length);
    if (write->data.length < sizeof fence.value || write->why == TRACE_WHY_NOTIFY ||
        write->why == TRACE_WHY_COUNTER)
        return true;
    memcpy(&fence.value, write->data.data, sizeof fence.value);
    switch (replay_fences_written(load->fences, &fence)) {
    case REPLAY_FENCES_FULL:
        return error_set(load->error, ERROR_LIMIT, "%s: more than %d places of completion values",
                         load->input->path, REPLAY_FENCES_MAX);
    case REPLAY_FENCES_NO_MEMORY:
        return replay_no_memory(load);
    case REPLAY_FENCES_DONE:
        break;
    }
    return true;
}

/* Replay drives one layer. */
static bool replay_note_layer(struct replay_load *load, uint8_t layer)
{
    struct replay_input *input = load->input;

    if (layer != TRACE_LAYER_UAPI && layer != TRACE_LAYER_RING && layer != TRACE_LAYER_BUS)
        return error_set(load->error, ERROR_INPUT,
                         "%s: recorded at a layer that cannot be replayed yet (UAPI, RING and BUS "
                         "can)",
                         input->path);
    if (input->layer != 0 && input->layer != layer)
        return error_set(load->error, ERROR_INPUT,
                         "%s: its clients are of different layers: replay drives only one",
                         input->path);
    input->layer = layer;
    return true;
}

static bool replay_note_needs(struct replay_load *load, bool noted)
{
    return noted || error_set(load->error, ERROR_LIMIT,
                              "%s: no memory for its completion values, or more than %d places",
                              load->input->path, REPLAY_PLACES_MAX);
}

/* Notes a number in a mailbox: the interrupt that follows it has set that event. */
static bool replay_note_fired(struct replay_load *load, const struct trace_gpu_write *write)
{
    uint32_t event_id = 0, i = 0;

    while (i < load->input->channel_count && load->input->channels[i] != write->channel_id)
        i++;
    if (i == load->input->channel_count || write->data.length < sizeof event_id)
        return true;
    memcpy(&event_id, write->data.data, sizeof event_id);
    return replay_note_needs(
        load, replay_needs_fired(load->input->needs, load->channel_clients[i], event_id));
}

static bool replay_note_wait(struct replay_load *load, const struct trace_event_wait *wait)
{
    const uint64_t number = trace_reader_position(load->reader).record_number;
    uint32_t event_id;

    for (uint32_t at = 0; at + sizeof event_id <= wait->events.length; at += sizeof event_id) {
        memcpy(&event_id, wait->events.data + at, sizeof event_id);
        if (!replay_note_needs(
                load, replay_needs_event(load->input->needs, wait->client_id, event_id, number)))
            return false;
    }
    return true;
}

/* What a packet of SDMA will do. */
static void replay_note_sdma(struct replay_load *load, const struct trace_packet *packet)
{
    struct replay_needs *needs = load->input->needs;
    uint64_t address, bytes;

    switch (trace_sdma(packet->data.data, packet->data.length, &address, &bytes)) {
    case TRACE_SDMA_BYTES:
        replay_needs_copy(needs, replay_channel_space(load, packet->queue_id), address, bytes,
                          packet->queue_id);
        break;
    case TRACE_SDMA_DONE:
        replay_needs_asked(needs, packet->queue_id);
        break;
    case TRACE_SDMA_NOTHING:
        break;
    }
}

/* What a packet of AQL waits for, until the next completion of its queue. */
static void replay_note_aql(struct replay_load *load, const struct trace_packet *packet)
{
    struct replay_needs *needs = load->input->needs;
    uint64_t waits[TRACE_AQL_WAITS_MAX];
    bool completes;
    const uint32_t count = trace_aql(packet->data.data, packet->data.length, waits, &completes);

    for (uint32_t i = 0; i < count; i++)
        replay_needs_copy(needs, replay_channel_space(load, packet->queue_id), waits[i],
                          TRACE_AQL_VALUE_BYTES, packet->queue_id);
    if (completes)
        replay_needs_asked(needs, packet->queue_id);
}

static uint64_t replay_thread_key(const struct trace_head *head)
{
    return (uint64_t)head->process_id << 32 | head->thread_id;
}

/* Notes records of layer RING that have to wait for completions that the program has seen. */
static bool replay_note_ring(struct replay_load *load, const struct trace_record *record)
{
    struct replay_input *input = load->input;
    const uint64_t number = trace_reader_position(load->reader).record_number;

    switch (record->head.kind) {
    case TRACE_QUEUE:
        return replay_note_channel(load, record->queue.queue_id, record->queue.as_id,
                                   record->queue.client_id);
    case TRACE_QUEUE_END:
        replay_fences_channel_end(load->fences, record->queue_end.queue_id, number);
        return replay_note_needs(
            load, replay_needs_queue(input->needs, record->queue_end.queue_id, number));
    case TRACE_AS_CREATE:
        if (record->as_create.as_id < REPLAY_CHANNELS_MAX &&
            record->as_create.as_id >= input->space_count)
            input->space_count = record->as_create.as_id + 1;
        return true;
    case TRACE_AS_UNMAP:
        return replay_note_needs(load, replay_needs_range(input->needs, record->as_unmap.as_id,
                                                          record->as_unmap.va,
                                                          record->as_unmap.size_bytes, number));
    case TRACE_MEM:
        return replay_note_needs(
            load, replay_needs_range(input->needs, record->mem.as_id, record->mem.address,
                                     record->mem.data.length, number) &&
                      replay_needs_stored(input->needs, record->mem.as_id, record->mem.address,
                                          record->mem.data.length, replay_thread_key(&record->head),
                                          number));
    case TRACE_KERNEL:
        return replay_note_needs(
            load,
            replay_needs_range(input->needs, record->kernel.as_id, record->kernel.kernel_address,
                               record->kernel.descriptor.length, number) &&
                replay_needs_range(input->needs, record->kernel.as_id, record->kernel.entry_address,
                                   record->kernel.code.length, number));
    case TRACE_EVENT:
        return record->event.what != TRACE_EVENT_SET ||
               replay_note_needs(load, replay_needs_fired(input->needs, record->event.client_id,
                                                          record->event.event_id));
    case TRACE_EVENT_WAIT:
        return replay_note_wait(load, &record->event_wait);
    case TRACE_PACKET:
        if (record->packet.what == TRACE_PACKET_SDMA)
            replay_note_sdma(load, &record->packet);
        else if (record->packet.what == TRACE_PACKET_AQL)
            replay_note_aql(load, &record->packet);
        return true;
    case TRACE_QUEUE_SCRATCH: /* the runtime has seen that the queue asks for more */
        return record->queue_scratch.what != TRACE_SCRATCH_GIVEN ||
               replay_note_needs(
                   load, replay_needs_queue(input->needs, record->queue_scratch.queue_id, number));
    default:
        input->submission_count++; /* DOORBELL */
        return true;
    }
}

/* Signals and SDMA's fences are completions; mailboxes only wake.  ASSUMED: a fence is what ROCr
 * means by it, the number of an event in its mailbox, and a TRAP follows it. */
static bool replay_note_ring_write(struct replay_load *load, const struct trace_gpu_write *write)
{
    const uint32_t queue_id = write->channel_id;

    if (write->why != TRACE_WHY_SIGNAL && !replay_note_fired(load, write))
        return false;

    return write->why == TRACE_WHY_MAILBOX ||
           (replay_note_write(load, write) &&
            replay_note_needs(load, replay_needs_written(load->input->needs,
                                                         replay_channel_space(load, queue_id),
                                                         write->address, queue_id)));
}

static bool replay_note(struct replay_load *load, const struct trace_record *record)
{
    struct replay_input *input = load->input;

    switch (record->head.kind) {
    case TRACE_CHANNEL:
        return replay_note_channel(load, record->channel.channel_id, record->channel.as_id,
                                   record->channel.client_id);
    case TRACE_CHANNEL_END:
        replay_fences_channel_end(load->fences, record->channel_end.channel_id,
                                  trace_reader_position(load->reader).record_number);
        return true;
    case TRACE_QUEUE:
    case TRACE_QUEUE_END:
    case TRACE_AS_CREATE:
    case TRACE_AS_UNMAP:
    case TRACE_DOORBELL:
    case TRACE_EVENT:
    case TRACE_EVENT_WAIT:
    case TRACE_KERNEL:
    case TRACE_PACKET:
    case TRACE_QUEUE_SCRATCH:
        return input->layer != TRACE_LAYER_RING || replay_note_ring(load, record);
    case TRACE_CLIENT:
        return replay_note_layer(load, record->client.layer);
    case TRACE_SUBMIT:
    case TRACE_EXEC:
        input->submission_count++;
        return true;
    case TRACE_SYNCOBJ_WAIT:
        input->recorded_wait_count++;
        return true;
    case TRACE_CPU_WAIT:
        input->recorded_wait_count++;
        input->has_call_waits |= record->cpu_wait.how == TRACE_WAIT_CALL;
        return true;
    case TRACE_GPU_WRITE:
        return input->layer == TRACE_LAYER_RING ? replay_note_ring_write(load, &record->gpu_write)
                                                : replay_note_write(load, &record->gpu_write);
    case TRACE_MEM:
        replay_fences_overwritten(load->fences, record->mem.as_id, record->mem.address,
                                  record->mem.data.length);
        return input->layer != TRACE_LAYER_RING || replay_note_ring(load, record);
    default:
        return true;
    }
}

/* The record's segment; its entry is made at its first record. */
static struct replay_segment *replay_note_segment(struct replay_load *load)
{
    struct replay_input *input = load->input;
    const struct trace_position position = trace_reader_position(load->reader);
    const uint32_t segment = trace_store_note(input->store, &position);

    if (segment == UINT32_MAX)
        return NULL;
    if (segment == input->segment_capacity) {
        const uint32_t capacity = segment ? 2 * segment : 16;
        struct replay_segment *segments = realloc(input->segments, capacity * sizeof *segments);

        if (!segments)
            return NULL;
        input->segments = segments;
        input->segment_capacity = capacity;
    }
    if (position.record_number == trace_store_segment(input->store, segment).number)
        input->segments[segment] =
            (struct replay_segment){.resources_before = load->resource_count};
    return &input->segments[segment];
}

static bool replay_add(struct replay_load *load, const struct trace_record *record)
{
    struct replay_segment *segment = replay_note_segment(load);
    uint32_t thread_index = 0;

    if (!segment || !hash_trace_add(load->hash, record))
        return replay_no_memory(load);
    if (!replay_note(load, record))
        return false;
    if (!replay_records_is_program(record->head.kind))
        return true;
    if (!replay_thread(load, &record->head, &thread_index))
        return false;
    segment->threads[thread_index / 64] |= UINT64_C(1) << thread_index % 64;
    load->resource_count += replay_records_is_resource(record->head.kind);
    return true;
}

static bool replay_read_all(struct replay_load *load)
{
    struct replay_input *input = load->input;
    struct trace_record record;

    for (;;) {
        switch (trace_read(load->reader, &record, load->error)) {
        case TRACE_GOT:
            if (!replay_add(load, &record))
                return false;
            break;
        case TRACE_AT_END:
            hash_trace_end(load->hash, input->hash);
            return replay_fences_take(load->fences, &input->fences, &input->fence_count) ||
                   replay_no_memory(load);
        case TRACE_FAILED:
            return false;
        }
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A file without a name, for what comes through a pipe and is needed twice. */
static int replay_spool(const char *name, struct gfe_error *error)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    int fd = -1;

    if (!folder || !*folder)
        folder = "/tmp";
#ifdef O_TMPFILE
    RETRY(fd, open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
#endif
    if (fd < 0 && (size_t)snprintf(path, sizeof path, "%s/gfe-XXXXXX", folder) < sizeof path) {
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            (void)unlink(path);
    }
    if (fd < 0)
        error_set_errno(error, errno, "%s: is no file, and %s cannot keep it meanwhile (TMPDIR)",
                        name, folder);
    return fd;
}

static int replay_open(const char *path, const char *name, struct gfe_error *error)
{
    int fd;

    if (strcmp(path, "-") == 0)
        fd = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
    else
        fd = opened_read(path);
    if (fd < 0)
        error_set_errno(error, errno, "%s", name);
    return fd;
}

/* A regular file is read where it is, anything else through a copy. */
static bool replay_is_plain(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && lseek(fd, 0, SEEK_CUR) == 0;
}

static bool replay_load_open(struct replay_load *load, int fd)
{
    struct replay_input *input = load->input;
    struct chunk_reader *chunks;
    int kept;

    if (replay_is_plain(fd)) {
        input->store = trace_store_new(fd, input->path, load->error);
        if (input->store)
            load->reader = trace_store_reader(input->store, load->error);
        return load->reader != NULL;
    }
    chunks = chunk_reader_new(fd, true, input->path, load->error);
    kept = chunks ? replay_spool(input->path, load->error) : -1;
    if (kept >= 0)
        input->store = trace_store_new(kept, input->path, load->error);
    if (!input->store) {
        chunk_reader_free(chunks);
        return false;
    }
    chunk_reader_tee(chunks, kept);
    load->reader = trace_reader_adopt(chunks, NULL, load->error);
    return load->reader != NULL;
}

static void replay_take_meta(struct replay_input *input, const struct trace_meta *meta)
{
    strncpy(input->gpu, meta->gpu.text, sizeof input->gpu - 1);
    strncpy(input->driver, meta->driver.text, sizeof input->driver - 1);
    input->is_capture = strcmp(meta->recorder.text, REPLAY_CAPTURE_RECORDER) == 0;
    input->meta = *meta;
    input->meta.gpu = input->meta.driver = (struct trace_str){NULL, 0};
    input->meta.recorder = input->meta.host = input->meta.program = input->meta.gpu;
}

struct replay_input *replay_load(const char *path, struct gfe_error *error)
{
    return replay_load_within(path, CHUNK_UNPACKED_MAX_BYTES, error);
}

struct replay_input *replay_load_within(const char *path, uint64_t unpacked_bytes,
                                        struct gfe_error *error)
{
    const char *name = strcmp(path, "-") == 0 ? "standard input" : path;
    const int fd = replay_open(path, name, error);
    struct replay_input *input = fd >= 0 ? calloc(1, sizeof *input) : NULL;
    struct replay_load load = {
        .input = input, .error = error, .hash = hash_trace_new(), .fences = replay_fences_new()};
    bool done = false;

    if (input) {
        input->path = strdup(name);
        input->needs = replay_needs_new();
    }
    if (fd >= 0 && input && input->path && input->needs && load.hash && load.fences) {
        done = replay_load_open(&load, fd);
        if (done)
            trace_reader_limit(load.reader, unpacked_bytes);
        done = done && replay_read_all(&load);
    } else if (fd >= 0) {
        error_set(error, ERROR_SYSTEM, "%s: no memory to read the trace", name);
        (void)close(fd);
    }
    if (done)
        replay_take_meta(input, trace_reader_meta(load.reader));
    trace_reader_free(load.reader);
    hash_trace_free(load.hash);
    replay_fences_free(load.fences);
    if (done)
        return input;
    replay_input_free(input);
    return NULL;
}

void replay_input_free(struct replay_input *input)
{
    if (!input)
        return;
    trace_store_free(input->store);
    free(input->segments);
    free(input->fences);
    replay_needs_free(input->needs);
    free(input->path);
    free(input);
}
