/* SPDX-License-Identifier: MIT */
/*
 * A timed replay as gfe run does it: from the machine's first event to its last, the trace unpacked
 * again on the way, the log packed, written to disk and summed up.  Beside it, for the same trace:
 * its dwords copied, its chunks unpacked by zlib, and the log's events packed by zlib.  What comes
 * before, the first pass that checks and hashes the trace, is in the figure of gfe itself from
 * start to exit, on the same trace; and gfe on the sample recordings.
 */
#include <config.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <zlib.h>

#include "bench/bench.h"
#include "bench/bench_trace.h"
#include "emu/sim/simulation.h"
#include "emu/analysis/summary/summary.h"

enum {
    SUBMISSIONS = 1000,
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

/* ---- the replay ------------------------------------------------------------------------------ */

/* A machine at rest in front of its first event, and where its log goes. */
struct bench_replay {
    struct replay_input *input;
    int fd;
    struct chunk_writer *writer;
    struct summary_live *summary;
    struct simulation *simulation;
};

static struct bench_replay replay = {.fd = -1};
static uint64_t event_count;
static double least_thread_s; /* CPU time of the simulating thread in the quickest replay */

static void replay_free_all(void)
{
    simulation_free(replay.simulation);
    chunk_writer_free(replay.writer);
    summary_live_free(replay.summary);
    replay_input_free(replay.input);
    if (replay.fd >= 0)
        (void)close(replay.fd);
    replay = (struct bench_replay){.fd = -1};
}

/* The first pass over the trace, and the machine: what is not timed as the replay itself. */
static void replay_prepare(void *context)
{
    struct simulation_options options = {0};

    (void)context;
    replay_free_all();
    replay.input = replay_load(trace_path, &failure);
    replay.fd = open(log_path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
    replay.writer = chunk_writer_new(replay.fd, log_path, &failure);
    replay.summary = summary_live_new(log_path, &failure);
    if (!replay.input || replay.fd < 0 || !replay.writer || !replay.summary)
        return;
    chunk_writer_observe(replay.writer, summary_live_chunk, replay.summary);
    chunk_writer_use_thread(replay.writer);
    options.log = replay.writer;
    replay.simulation = simulation_new(replay.input, &options, &failure);
}

/* CPU time of this thread. */
static double thread_now(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* From the machine's first event to the last byte of its log, written and summed up. */
static bool replay_run_through(void)
{
    const double from = thread_now();
    const bool done = replay.simulation &&
                      simulation_log_head(replay.simulation, replay.input->hash, &failure) &&
                      simulation_run(replay.simulation, GFE_PS_NEVER, &failure) &&
                      simulation_log_end(replay.simulation, &failure) &&
                      chunk_writer_finish(replay.writer, &failure);

    if (done && (least_thread_s <= 0 || thread_now() - from < least_thread_s))
        least_thread_s = thread_now() - from;
    if (done)
        event_count = replay.simulation->machine->log.cursor->event_count;
    return done;
}

static uint64_t run_replay(void *context)
{
    const uint64_t *things = context;

    return replay_run_through() ? *things : 0;
}

static uint64_t run_events(void *context)
{
    (void)context;
    return replay_run_through() ? event_count : 0;
}

/* ---- controls -------------------------------------------------------------------------------- */

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

/* ---- from start to exit ---------------------------------------------------------------------- */

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

/* The large trace once, both passes over it. */
static uint64_t run_whole(void *context)
{
    char *arguments[] = {(char *)"gfe", (char *)"run", (char *)"-o", log_path, trace_path, NULL};
    const uint64_t *things = context;

    return start(arguments) ? *things : 0;
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

/* ---- all ------------------------------------------------------------------------------------- */

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
        .subject = {.name = "replay",
                    .prepare = replay_prepare,
                    .run = run_replay,
                    .context = &dwords},
        .controls =
            {{.name = "memcpy of the trace", .run = run_copy, .context = &trace_control},
             {.name = "zlib inflate of the trace", .run = run_inflate, .context = &trace_control},
             {.name = "zlib deflate of the log", .run = run_deflate, .context = &log_control}},
    };
    const struct bench_case by_entry = {
        .name = "timed replay, log on disk, GP entries of 61 dwords",
        .unit = "GP entries/s",
        .target = 1e6,
        .subject = {.name = "replay",
                    .prepare = replay_prepare,
                    .run = run_replay,
                    .context = &entries},
    };
    const struct bench_case by_event = {
        .name = "timed replay, log on disk, events logged",
        .unit = "events/s",
        .subject = {.name = "replay", .prepare = replay_prepare, .run = run_events},
    };
    const struct bench_case whole = {
        .name = "gfe run -o from start to exit, GP entries of 61 dwords",
        .unit = "GP entries/s",
        .subject = {.name = "gfe run -o", .run = run_whole, .context = &entries},
    };

    trace_control.things = log_control.things = DWORDS;
    bench_run(bench, &by_dword);
    bench_run(bench, &by_entry);
    bench_run(bench, &by_event);
    bench_value(bench, "events logged for each GP entry", "events",
                (double)event_count / (double)entries, 0, false);
    bench_value(bench, "timed replay, by the simulating thread's CPU time alone, quickest of all",
                "GP entries/s", (double)entries / least_thread_s, 0, true);
    bench_run(bench, &whole);
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
    if (bench_trace_write(trace_path, &trace, &failure))
        replay_prepare(NULL);
    if (replay_run_through()) {
        control_load(&trace_control, trace_path);
        control_load(&log_control, log_path);
        time_replay(bench);
        time_samples(bench);
    }
    replay_free_all();
    if (failure.kind != ERROR_NONE)
        fprintf(stderr, "bench_replay: %s\n", failure.text);
    (void)unlink(trace_path);
    (void)unlink(log_path);
    (void)rmdir(folder);
    status = bench_end(bench);
    return failure.kind != ERROR_NONE ? 1 : status;
}
