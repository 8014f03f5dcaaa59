/* SPDX-License-Identifier: MIT */
/*
 * The whole of a timed replay: a trace is read and hashed, replayed, its log written to disk and
 * summed up, as gfe run does it.  Beside it, for the same trace: its dwords copied, its chunks
 * unpacked by zlib, and the log's events packed by zlib.  And gfe itself, from start to exit, on
 * the sample recordings.
 */
#include <config.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "bench/bench.h"
#include "bench/bench_trace.h"
#include "devices/simulation.h"
#include "emu/summary.h"

enum {
    SUBMISSIONS = 400,
    PUSHES = 250, /* with the driver's fence a quarter of its ring */
    ENTRIES = SUBMISSIONS * (PUSHES + 1),
    DWORDS = SUBMISSIONS * (PUSHES * BENCH_TRACE_DWORDS + 6),
    CHUNKS_MAX = 4096,
    STARTS = 10,
    PATH_BYTES = 4096,
};

extern char **environ;

static char folder[PATH_BYTES], trace_path[PATH_BYTES + 16], log_path[PATH_BYTES + 16];
static struct gfe_error failure;

/* ---- the replay ----------------------------------------------------------------------------- */

static uint64_t event_count;

static bool replay(const struct replay_input *input, int fd, FILE *summary_file)
{
    const struct summary_notes notes = {.name = "bench"};
    struct chunk_writer *writer = chunk_writer_new(fd, log_path, &failure);
    struct summary_live *summary = summary_live_new(log_path, &failure);
    const struct simulation_options options = {.log = writer};
    struct simulation *simulation = NULL;
    bool done = false;

    if (writer && summary) {
        chunk_writer_observe(writer, summary_live_chunk, summary);
        chunk_writer_use_thread(writer);
        simulation = simulation_new(input, &options, &failure);
    }
    if (simulation) {
        done = simulation_log_head(simulation, input->hash, &failure) &&
               simulation_run(simulation, GFE_PS_NEVER, &failure) &&
               simulation_log_end(simulation, &failure) && chunk_writer_finish(writer, &failure);
        event_count = simulation->machine->log.cursor->event_count;
    }
    simulation_free(simulation);
    chunk_writer_free(writer);
    done = done && summary_live_print(summary_file, summary, &notes, false, &failure);
    summary_live_free(summary);
    return done;
}

static bool replay_to_disk(void)
{
    struct replay_input *input = replay_load(trace_path, &failure);
    FILE *summary_file = fopen("/dev/null", "w");
    const int fd = open(log_path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    const bool done = input && summary_file && fd >= 0 && replay(input, fd, summary_file);

    if (summary_file)
        (void)fclose(summary_file);
    if (fd >= 0)
        (void)close(fd);
    replay_input_free(input);
    return done;
}

static uint64_t run_replay(void *context)
{
    const uint64_t *things = context;

    return replay_to_disk() ? *things : 0;
}

static uint64_t run_events(void *context)
{
    (void)context;
    return replay_to_disk() ? event_count : 0;
}

/* ---- controls ------------------------------------------------------------------------------- */

struct control_chunk {
    uint8_t *raw, *stored;
    size_t raw_bytes, stored_bytes;
};

/* The chunks of a file, and buffers to unpack or pack them into. */
struct control {
    struct control_chunk chunks[CHUNKS_MAX];
    size_t count, raw_bytes;
    uint8_t *to;
    size_t room;
    uint64_t things;
};

static struct control trace_control, log_control;

static void die(const char *what)
{
    fprintf(stderr, "bench_replay: %s\n", what);
    exit(1);
}

static void *need(void *pointer)
{
    if (!pointer)
        die("no memory");
    return pointer;
}

static void control_load(struct control *control, const char *path)
{
    struct chunk_reader *reader = chunk_reader_open(path, &failure);
    struct chunk chunk;

    while (reader && control->count < CHUNKS_MAX &&
           chunk_read(reader, &chunk, &failure) == CHUNK_GOT) {
        struct control_chunk *kept = &control->chunks[control->count++];
        uLongf stored_bytes = compressBound(chunk.raw_bytes);

        kept->raw = need(malloc(chunk.raw_bytes + 1));
        kept->stored = need(malloc(stored_bytes));
        memcpy(kept->raw, chunk.raw, chunk.raw_bytes);
        kept->raw_bytes = chunk.raw_bytes;
        (void)compress2(kept->stored, &stored_bytes, kept->raw, chunk.raw_bytes, 3);
        kept->stored_bytes = stored_bytes;
        control->raw_bytes += chunk.raw_bytes;
        if (stored_bytes > control->room || chunk.raw_bytes > control->room)
            control->room = stored_bytes > chunk.raw_bytes ? stored_bytes : chunk.raw_bytes;
    }
    chunk_reader_free(reader);
    if (control->count == 0)
        die(failure.text);
    control->room = compressBound(control->room);
    control->to = need(malloc(control->room));
}

static uint64_t run_copy(void *context)
{
    struct control *control = context;

    for (size_t i = 0; i < control->count; i++) {
        memcpy(control->to, control->chunks[i].raw, control->chunks[i].raw_bytes);
        __asm__ volatile("" : : "r"(control->to) : "memory");
    }
    return control->things;
}

static uint64_t run_inflate(void *context)
{
    struct control *control = context;

    for (size_t i = 0; i < control->count; i++) {
        uLongf bytes = control->room;
        if (uncompress(control->to, &bytes, control->chunks[i].stored,
                       control->chunks[i].stored_bytes) != Z_OK)
            return 0;
    }
    return control->things;
}

static uint64_t run_deflate(void *context)
{
    struct control *control = context;

    for (size_t i = 0; i < control->count; i++) {
        uLongf bytes = control->room;
        if (compress2(control->to, &bytes, control->chunks[i].raw, control->chunks[i].raw_bytes,
                      3) != Z_OK)
            return 0;
    }
    return control->things;
}

/* ---- from start to exit --------------------------------------------------------------------- */

/* Runs ./gfe with these arguments, its output thrown away. */
static bool start(char *const *arguments)
{
    posix_spawn_file_actions_t actions;
    int status = 1;
    pid_t child;
    bool done;

    (void)posix_spawn_file_actions_init(&actions);
    (void)posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    done = posix_spawn(&child, "./gfe", &actions, NULL, arguments, environ) == 0 &&
           waitpid(child, &status, 0) == child && status == 0;
    (void)posix_spawn_file_actions_destroy(&actions);
    return done;
}

static uint64_t run_program(void *context)
{
    char *arguments[] = {(char *)"gfe", (char *)"run", (char *)"-o", log_path, context, NULL};

    for (unsigned i = 0; i < STARTS; i++)
        if (!start(arguments))
            return 0;
    return STARTS;
}

static uint64_t run_version(void *context)
{
    char *arguments[] = {(char *)"gfe", (char *)"--version", NULL};

    (void)context;
    for (unsigned i = 0; i < STARTS; i++)
        if (!start(arguments))
            return 0;
    return STARTS;
}

static void time_samples(struct bench *bench)
{
    static const char *const samples[] = {"clear", "triangle", "compute"};
    const char *top = getenv("top_srcdir");
    char path[PATH_BYTES], name[64];

    for (size_t i = 0; i < sizeof samples / sizeof samples[0]; i++) {
        const struct bench_case one = {
            .name = name,
            .unit = "ms",
            .target = 20,
            .subject = {.name = "gfe run -o", .run = run_program, .context = path},
            .controls = {{.name = "gfe --version", .run = run_version}},
        };

        (void)snprintf(path, sizeof path, "%s/tests/golden/%s.gft", top ? top : ".", samples[i]);
        (void)snprintf(name, sizeof name, "start to exit: %s", samples[i]);
        bench_run(bench, &one);
    }
}

/* ---- all ------------------------------------------------------------------------------------ */

static uint64_t file_bytes(const char *path)
{
    struct stat status;

    return stat(path, &status) == 0 ? (uint64_t)status.st_size : 0;
}

static void time_replay(struct bench *bench)
{
    static uint64_t entries = ENTRIES, dwords = DWORDS;
    const struct bench_case by_dword = {
        .name = "timed replay, log on disk",
        .unit = "dwords/s",
        .target = 50e6,
        .subject = {.name = "replay", .run = run_replay, .context = &dwords},
        .controls =
            {{.name = "memcpy of the trace", .run = run_copy, .context = &trace_control},
             {.name = "zlib inflate of the trace", .run = run_inflate, .context = &trace_control},
             {.name = "zlib deflate of the log", .run = run_deflate, .context = &log_control}},
    };
    const struct bench_case by_entry = {
        .name = "timed replay, log on disk, GP entries of 61 dwords",
        .unit = "GP entries/s",
        .target = 1e6,
        .subject = {.name = "replay", .run = run_replay, .context = &entries},
    };
    const struct bench_case by_event = {
        .name = "timed replay, log on disk, events logged",
        .unit = "events/s",
        .subject = {.name = "replay", .run = run_events},
    };

    trace_control.things = log_control.things = DWORDS;
    bench_run(bench, &by_dword);
    bench_run(bench, &by_entry);
    bench_run(bench, &by_event);
    bench_value(bench, "log: stored bytes of an event", "B",
                (double)file_bytes(log_path) / (double)event_count, 0, false);
    bench_value(bench, "log: raw bytes of an event", "B",
                (double)log_control.raw_bytes / (double)event_count, 0, false);
    bench_note(bench, "the trace: %d submissions of %d pushes; %llu bytes, %zu unpacked",
               SUBMISSIONS, PUSHES, (unsigned long long)file_bytes(trace_path),
               trace_control.raw_bytes);
}

int main(void)
{
    const struct bench_trace trace = {.submissions = SUBMISSIONS, .pushes = PUSHES};
    const char *parent = getenv("TMPDIR");
    struct bench *bench = bench_begin("replay");
    int status;

    (void)snprintf(folder, sizeof folder, "%s/gfe-bench-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        die("no temporary folder");
    (void)snprintf(trace_path, sizeof trace_path, "%s/a.gft", folder);
    (void)snprintf(log_path, sizeof log_path, "%s/a.gfl", folder);
    if (bench_trace_write(trace_path, &trace, &failure) && replay_to_disk()) {
        control_load(&trace_control, trace_path);
        control_load(&log_control, log_path);
        time_replay(bench);
        time_samples(bench);
    }
    if (failure.kind != ERROR_NONE)
        fprintf(stderr, "bench_replay: %s\n", failure.text);
    (void)unlink(trace_path);
    (void)unlink(log_path);
    (void)rmdir(folder);
    status = bench_end(bench);
    return failure.kind != ERROR_NONE ? 1 : status;
}
