/* SPDX-License-Identifier: MIT */
/*
 * The replay of texture uploads: a program that fills 200 objects of 1 MiB with what does not
 * compress and has each copied into a block-linear texture (tests/clients/drm_upload) is recorded,
 * and replayed from start to exit.  Nearly all of that trace are records of memory, and each byte
 * moves twice: out of the trace into guest memory, and in the copy.
 *
 * Controls in the same run: gfe run of the pushbuffers that bench_replay replays, in bytes of their
 * memory records; zlib on the chunks of the trace, which are stored deflated; and memcpy of every
 * byte twice.
 */
#include <config.h>

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench/bench.h"
#include "bench/bench_trace.h"
#include "emu/log/chunk.h"

#define UPLOAD "tests/clients/drm_upload"

enum { OBJECTS = 200, OBJECT_KIB = 1024, SUBMISSIONS = 1000, PUSHES = 250, PATH_BYTES = 4096 };

extern char **environ;

static char folder[PATH_BYTES];
static char upload_path[PATH_BYTES + 16], entries_path[PATH_BYTES + 16];

static _Noreturn void fail(const char *what, const struct gfe_error *error)
{
    fprintf(stderr, "bench_upload: %s: %s\n", what, error ? error->text : "failed");
    exit(1);
}

/* Runs a program to its end, without its output. */
static bool run(char *const words[])
{
    posix_spawn_file_actions_t actions;
    pid_t pid;
    int status;

    return posix_spawn_file_actions_init(&actions) == 0 &&
           posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0) == 0 &&
           posix_spawn(&pid, words[0], &actions, NULL, words, environ) == 0 &&
           posix_spawn_file_actions_destroy(&actions) == 0 && waitpid(pid, &status, 0) == pid &&
           status == 0;
}

static bool upload_record(void)
{
    char objects[16], kib[16];
    char *words[] = {"./gfe",     "record", "-q", "--gpu", "gtx1060", "-o",      upload_path, "--",
                     "./" UPLOAD, objects,  kib,  "0",     "4096",    "texture", NULL};

    (void)snprintf(objects, sizeof objects, "%d", OBJECTS);
    (void)snprintf(kib, sizeof kib, "%d", OBJECT_KIB);
    return run(words);
}

/* ---- what is timed --------------------------------------------------------------------------- */

/* A trace, and how many bytes its memory records have. */
struct replayed {
    char *path;
    uint64_t bytes;
};

static uint64_t replay(void *context)
{
    const struct replayed *replayed = context;
    char *words[] = {"./gfe", "run", "-o", "/dev/null", replayed->path, NULL};

    return run(words) ? replayed->bytes : 0;
}

/* Unpacks and checks all chunks. */
static uint64_t unpack(void *context)
{
    const struct replayed *replayed = context;
    struct gfe_error error = {0};
    struct chunk_reader *reader = chunk_reader_open(replayed->path, &error);
    enum chunk_result result = CHUNK_FAILED;
    struct chunk chunk;

    while (reader && (result = chunk_read(reader, &chunk, &error)) == CHUNK_GOT)
        ;
    chunk_reader_free(reader);
    return result == CHUNK_AT_END ? replayed->bytes : 0;
}

struct copied {
    uint8_t *from, *to;
    uint64_t bytes;
};

static uint64_t copy_twice(void *context)
{
    const struct copied *copied = context;

    for (int i = 0; i < 2; i++) {
        memcpy(copied->to, copied->from, copied->bytes);
        __asm__ volatile("" : : "r"(copied->to) : "memory");
    }
    return copied->bytes;
}

static void measure(struct bench *bench)
{
    static struct replayed upload = {upload_path, (uint64_t)OBJECTS * OBJECT_KIB << 10};
    static struct replayed entries = {entries_path,
                                      (uint64_t)SUBMISSIONS * PUSHES * BENCH_TRACE_DWORDS * 4};
    struct copied copied = {.bytes = upload.bytes};

    copied.from = malloc(copied.bytes);
    copied.to = malloc(copied.bytes);
    if (!copied.from || !copied.to)
        fail("memory", NULL);
    memset(copied.from, 'u', copied.bytes);
    bench_run(bench, &(struct bench_case){
                         .name = "gfe run of texture uploads, bytes of memory records",
                         .unit = "bytes/s",
                         .subject = {"gfe run", NULL, replay, &upload, 0},
                         .controls = {{"gfe run of pushbuffers", NULL, replay, &entries, 0},
                                      {"its chunks unpacked", NULL, unpack, &upload, 0},
                                      {"memcpy of every byte twice", NULL, copy_twice, &copied, 0}},
                     });
    bench_note(bench, "%llu bytes recorded and copied once more by the copy engine",
               (unsigned long long)upload.bytes);
    free(copied.from);
    free(copied.to);
}

int main(void)
{
    const char *parent = getenv("TMPDIR");
    struct gfe_error error = {0};
    struct bench *bench = bench_begin("bench_upload");

    if (access(UPLOAD, X_OK) != 0) {
        bench_note(bench, "not measured: " UPLOAD " is not built (make check)");
        return bench_end(bench);
    }
    (void)snprintf(folder, sizeof folder, "%s/gfe-bench-XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder))
        fail("a folder", NULL);
    (void)snprintf(upload_path, sizeof upload_path, "%s/upload.gft", folder);
    (void)snprintf(entries_path, sizeof entries_path, "%s/entries.gft", folder);
    if (!upload_record())
        fail("gfe record", NULL);
    if (!bench_trace_write(entries_path, &(struct bench_trace){SUBMISSIONS, PUSHES}, &error))
        fail(entries_path, &error);
    measure(bench);
    (void)unlink(upload_path);
    (void)unlink(entries_path);
    (void)rmdir(folder);
    return bench_end(bench);
}
