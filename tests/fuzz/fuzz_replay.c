/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_replay.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/simulation.h"
#include "emu/chunk.h"
#include "traces/trace_codec.h"

enum {
    FUZZ_BYTES_MAX = 1 << 18,
    FUZZ_STEPS_MAX = 20000, /* events of one input; more are cut off, and that is no finding */
    FUZZ_LOG_BYTES_MAX = 4 << 20,
};

static void must(bool so)
{
    if (!so)
        abort();
}

/* ---- putting records right ------------------------------------------------------------------ */

/* Heads as a reader wants them: lengths inside the input, growing sequence numbers, no second META
 * and nothing behind END. Returns the bytes used. */
static size_t records_mend(uint8_t *records, size_t bytes)
{
    uint64_t sequence = 0;
    size_t at = 0;

    while (bytes - at >= TRACE_HEAD_BYTES) {
        const size_t left = bytes - at - TRACE_HEAD_BYTES;
        struct trace_head head;

        trace_decode_head(&head, records + at);
        if (sequence == 0)
            head.kind = TRACE_META;
        else if (head.kind == TRACE_META || head.kind == TRACE_END)
            break;
        if (head.length_bytes > left)
            head.length_bytes = (uint32_t)left;
        head.reserved = 0;
        head.sequence = ++sequence;
        trace_encode_head(records + at, &head);
        at += TRACE_HEAD_BYTES + head.length_bytes;
    }
    return at;
}

static uint64_t records_count(const uint8_t *records, size_t bytes)
{
    uint64_t count = 0;
    struct trace_head head;

    for (size_t at = 0; at < bytes; at += TRACE_HEAD_BYTES + head.length_bytes, count++)
        trace_decode_head(&head, records + at);
    return count;
}

static size_t end_put(uint8_t *to, uint64_t record_count)
{
    struct trace_record end = {
        .head = {.kind = TRACE_END, .sequence = record_count + 1, .process_id = 1, .thread_id = 1},
        .end = {.record_count = record_count, .how = TRACE_END_EXIT},
    };

    end.head.length_bytes = (uint32_t)trace_fields_bytes(&end);
    trace_encode_head(to, &end.head);
    return TRACE_HEAD_BYTES + trace_encode_fields(to + TRACE_HEAD_BYTES, &end, TRACE_ALL_FIELDS);
}

static void records_write(int fd, const uint8_t *data, size_t bytes)
{
    struct chunk_writer *writer = chunk_writer_new(fd, "fuzz", NULL);
    uint8_t *records = malloc(bytes + 256);

    must(writer && records);
    memcpy(records, data, bytes);
    bytes = records_mend(records, bytes);
    bytes += end_put(records + bytes, records_count(records, bytes));
    must(chunk_write(writer, CHUNK_TRACE, records, bytes, NULL) &&
         chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
    free(records);
}

/* ---- replay --------------------------------------------------------------------------------- */

/* A failure has one line of words, a success none. */
static void error_check(const struct gfe_error *error, bool good)
{
    must(good == (error->kind == ERROR_NONE));
    must(good == (error->text[0] == 0));
    must(!strchr(error->text, '\n'));
}

static void simulation_try(struct replay_input *input, bool open_loop)
{
    static const struct simulation_setting parameters[] = {{"core.largest_grid_blocks", "200"},
                                                           {"core.largest_copy_bytes", "65536"}};
    const struct simulation_options options = {
        .parameters = parameters,
        .parameter_count = sizeof parameters / sizeof parameters[0],
        .open_loop = open_loop,
    };
    struct gfe_error error = {0};
    struct simulation *simulation = simulation_new(input, &options, &error);

    error_check(&error, simulation != NULL);
    if (!simulation)
        return;
    for (uint32_t steps = 0; steps < FUZZ_STEPS_MAX; steps++)
        if (!machine_step(simulation->machine) ||
            simulation->machine->log.cursor->byte_count > FUZZ_LOG_BYTES_MAX)
            break;
    if (event_queue_next_ps(&simulation->machine->queue) == GFE_PS_NEVER)
        error_check(&error, simulation_run(simulation, GFE_PS_NEVER, &error));
    simulation_free(simulation);
}

int fuzz_replay(const uint8_t *data, size_t bytes)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);
    struct gfe_error error = {0};
    struct replay_input *input;
    char path[40];

    must(fd >= 0);
    if (bytes > FUZZ_BYTES_MAX)
        bytes = FUZZ_BYTES_MAX;
    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0)
        must(write(fd, data, bytes) == (ssize_t)bytes);
    else
        records_write(fd, data, bytes);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    input = replay_load(path, &error);
    error_check(&error, input != NULL);
    if (input)
        simulation_try(input, bytes > 0 && data[bytes - 1] & 1);
    replay_input_free(input);
    close(fd);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_replay(data, bytes);
}
#endif
