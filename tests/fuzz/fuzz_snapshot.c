/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_snapshot.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/sim/simulation_snapshot.h"
#include "emu/base/digest.h"
#include "tests/check_machine.h"

enum {
    PIECES_MAX = 64,
    SAMPLE_CHUNKS_MAX = 16,
    SAMPLE_STEPS = 6, /* events before the sample is taken */
    PAGES_MAX = 32,   /* of one command */
    PATH_BYTES = 40,
    FILES = 3,
};

/* A chunk of the file that is being made. */
struct piece {
    enum chunk_kind kind;
    const uint8_t *raw;
    size_t bytes;
    uint8_t *own; /* what `raw` is if it is not the sample's */
};

struct pieces {
    uint32_t count;
    struct piece at[PIECES_MAX];
};

struct fuzz_snapshot {
    struct check_machine check;
    struct snapshot_identity identity;
    struct machine_snapshot *sample;
    char hash[65]; /* of the machine then */
    struct pieces chunks;
    int files[FILES]; /* of the input, and of what was read of it, written once and again */
};

struct fuzz_input {
    const uint8_t *data;
    size_t bytes, at;
};

static void must(bool so)
{
    if (!so)
        abort();
}

static uint64_t fuzz_take(struct fuzz_input *input, unsigned bytes)
{
    uint64_t value = 0;

    for (unsigned i = 0; i < bytes && input->at < input->bytes; i++)
        value |= (uint64_t)input->data[input->at++] << (8 * i);
    return value;
}

static uint8_t *fuzz_put(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        *to++ = (uint8_t)(value >> (8 * i));
    return to;
}

/* ---- files ----------------------------------------------------------------------------------- */

static void file_name(int fd, char path[PATH_BYTES])
{
    (void)snprintf(path, PATH_BYTES, "/proc/self/fd/%d", fd);
}

static int file_new(void)
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);

    must(fd >= 0);
    return fd;
}

/* A file is written over the last one, whose pages it keeps. */
static void file_begin(int fd)
{
    must(lseek(fd, 0, SEEK_SET) == 0);
}

static void file_end(int fd)
{
    must(ftruncate(fd, lseek(fd, 0, SEEK_CUR)) == 0);
}

static void snapshot_put(int fd, const struct machine_snapshot *snapshot,
                         const struct snapshot_identity *identity)
{
    struct chunk_writer *writer;

    file_begin(fd);
    writer = chunk_writer_new(fd, "fuzz", NULL);
    must(writer && snapshot_write(snapshot, identity, writer, NULL) &&
         chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
    file_end(fd);
}

/* ---- the sample ------------------------------------------------------------------------------ */

static void pieces_free(struct pieces *pieces)
{
    for (uint32_t i = 0; i < pieces->count; i++)
        free(pieces->at[i].own);
    pieces->count = 0;
}

static struct piece *pieces_add(struct pieces *pieces, enum chunk_kind kind, size_t bytes)
{
    struct piece *piece = &pieces->at[pieces->count++];

    must(pieces->count <= PIECES_MAX);
    *piece = (struct piece){.kind = kind, .own = calloc(1, bytes + 1), .bytes = bytes};
    must(piece->own != NULL);
    piece->raw = piece->own;
    return piece;
}

static void sample_read(struct fuzz_snapshot *fuzz, const char *path)
{
    struct chunk_reader *reader = chunk_reader_open(path, NULL);
    struct chunk chunk;

    must(reader != NULL);
    while (chunk_read(reader, &chunk, NULL) == CHUNK_GOT) {
        struct piece *piece = pieces_add(&fuzz->chunks, chunk.kind, chunk.raw_bytes);

        memcpy(piece->own, chunk.raw, chunk.raw_bytes);
        must(fuzz->chunks.count <= SAMPLE_CHUNKS_MAX);
    }
    must(chunk_reader_saw_index(reader));
    chunk_reader_free(reader);
}

static struct fuzz_snapshot *fuzz_snapshot_new(void)
{
    struct fuzz_snapshot *fuzz = calloc(1, sizeof *fuzz);
    struct machine *machine;
    char path[PATH_BYTES];

    must(fuzz != NULL);
    for (uint32_t i = 0; i < FILES; i++)
        fuzz->files[i] = file_new();
    check_machine_begin_small(&fuzz->check, false);
    machine = fuzz->check.machine;
    check_machine_channel(&fuzz->check, 0);
    check_machine_runlist(&fuzz->check, 0, 1, (const uint32_t[]){0});
    CHECK_SUBMIT(&fuzz->check, 0, PB_INC(1, 0, 1), 0xc1c0, PB_INC(1, 0x188, 3), 1, 2, 3);
    for (uint32_t i = 0; i < SAMPLE_STEPS; i++)
        (void)machine_step(machine);
    snapshot_identity_add(&fuzz->identity, "gpu", "gtx1060");
    snapshot_identity_add_layout(&fuzz->identity, machine);
    fuzz->sample = machine_take(machine);
    must(fuzz->sample && machine_hash(machine, fuzz->hash));
    snapshot_put(fuzz->files[0], fuzz->sample, &fuzz->identity);
    file_name(fuzz->files[0], path);
    sample_read(fuzz, path);
    return fuzz;
}

static void fuzz_snapshot_free(struct fuzz_snapshot *fuzz)
{
    pieces_free(&fuzz->chunks);
    for (uint32_t i = 0; i < FILES; i++)
        close(fuzz->files[i]);
    machine_snapshot_free(fuzz->sample);
    check_machine_end(&fuzz->check);
    free(fuzz);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* The head with one number more that is not the sample's. */
static void head_set(struct piece *head, const char *key, uint64_t number)
{
    json_t *json = json_loadb((const char *)head->raw, head->bytes, 0, NULL);
    char *text;

    if (!json_is_object(json)) { /* by RAW or PATCH */
        json_decref(json);
        return;
    }
    must(json_object_set_new(json, key, json_integer((json_int_t)number)) == 0);
    text = json_dumps(json, JSON_INDENT(1));
    must(text != NULL);
    free(head->own);
    head->raw = head->own = (uint8_t *)text;
    head->bytes = strlen(text);
    json_decref(json);
}

/* A piece of the sample is copied when it is changed. */
static void fuzz_copy(struct pieces *pieces, const struct piece *piece)
{
    if (pieces->count < PIECES_MAX)
        pieces->at[pieces->count++] =
            (struct piece){.kind = piece->kind, .raw = piece->raw, .bytes = piece->bytes};
}

static uint8_t *piece_own(struct piece *piece)
{
    if (!piece->own) {
        piece->own = malloc(piece->bytes);
        must(piece->own != NULL);
        memcpy(piece->own, piece->raw, piece->bytes);
        piece->raw = piece->own;
    }
    return piece->own;
}

/* The head, which is made when it is first wanted, stays the first piece. */
static void fuzz_number(const struct fuzz_snapshot *fuzz, struct pieces *pieces,
                        struct fuzz_input *input)
{
    static const char *const keys[] = {"format",      "now_ps",     "event_count",  "arena_bytes",
                                       "arena_pages", "vram_bytes", "sysmem_bytes", "memory_pages",
                                       "log_parts",   "byte_order", "identity"};
    const char *key = keys[fuzz_take(input, 1) % (sizeof keys / sizeof keys[0])];
    const uint64_t number = fuzz_take(input, 8);

    if (pieces->count == 0)
        fuzz_copy(pieces, &fuzz->chunks.at[0]);
    if (pieces->at[0].kind == CHUNK_SNAPSHOT_HEAD)
        head_set(&pieces->at[0], key, number);
}

static void fuzz_raw(struct pieces *pieces, struct fuzz_input *input)
{
    const enum chunk_kind kind =
        (enum chunk_kind)(CHUNK_TRACE + fuzz_take(input, 1) % (CHUNK_KIND_END - CHUNK_TRACE));
    const size_t wanted = (size_t)fuzz_take(input, 2), left = input->bytes - input->at;
    const size_t bytes = wanted < left ? wanted : left;
    /* The index is the writer's. */
    struct piece *piece =
        pieces_add(pieces, kind == CHUNK_INDEX ? CHUNK_SNAPSHOT_HEAD : kind, bytes);

    memcpy(piece->own, input->data + input->at, bytes);
    input->at += bytes;
}

static void fuzz_pages(struct pieces *pieces, struct fuzz_input *input, bool of_arena)
{
    const uint32_t count = (uint32_t)fuzz_take(input, 1) % PAGES_MAX;
    const size_t head_bytes = of_arena ? 8 : 16;
    struct piece *piece =
        pieces_add(pieces, of_arena ? CHUNK_SNAPSHOT_ARENA : CHUNK_SNAPSHOT_MEMORY,
                   count * (head_bytes + MEMORY_PAGE_BYTES));
    uint8_t *to = piece->own;

    _Static_assert((int)ARENA_PAGE_BYTES == (int)MEMORY_PAGE_BYTES, "one size");
    for (uint32_t i = 0; i < count; i++) {
        if (!of_arena)
            to = fuzz_put(to, fuzz_take(input, 1));
        to = fuzz_put(to, fuzz_take(input, 4) * (of_arena ? 1 : MEMORY_PAGE_BYTES));
        memset(to, (int)fuzz_take(input, 1), MEMORY_PAGE_BYTES);
        to += MEMORY_PAGE_BYTES;
    }
}

static void fuzz_edit(struct pieces *pieces, struct fuzz_input *input, bool cuts)
{
    const uint32_t where = (uint32_t)fuzz_take(input, 4);
    const uint64_t value = cuts ? 0 : fuzz_take(input, 8);
    struct piece *piece;

    if (pieces->count == 0 || pieces->at[pieces->count - 1].bytes == 0)
        return;
    piece = &pieces->at[pieces->count - 1];
    if (cuts)
        piece->bytes -= where % piece->bytes;
    else
        for (size_t i = 0, at = where % piece->bytes; i < 8 && at + i < piece->bytes; i++)
            piece_own(piece)[at + i] = (uint8_t)(value >> (8 * i));
}

static void fuzz_act(const struct fuzz_snapshot *fuzz, struct pieces *pieces,
                     struct fuzz_input *input)
{
    const struct pieces *chunks = &fuzz->chunks;

    switch ((enum fuzz_snapshot_operation)(fuzz_take(input, 1) % FUZZ_SNAPSHOT_OPERATIONS)) {
    case FUZZ_SNAPSHOT_SAMPLE:
        fuzz_copy(pieces, &chunks->at[fuzz_take(input, 1) % chunks->count]);
        break;
    case FUZZ_SNAPSHOT_NUMBER:
        fuzz_number(fuzz, pieces, input);
        break;
    case FUZZ_SNAPSHOT_RAW:
        fuzz_raw(pieces, input);
        break;
    case FUZZ_SNAPSHOT_ARENA:
        fuzz_pages(pieces, input, true);
        break;
    case FUZZ_SNAPSHOT_MEMORY:
        fuzz_pages(pieces, input, false);
        break;
    case FUZZ_SNAPSHOT_PATCH:
        fuzz_edit(pieces, input, false);
        break;
    case FUZZ_SNAPSHOT_CUT:
        fuzz_edit(pieces, input, true);
        break;
    default: /* ALL */
        for (uint32_t i = 0; i < chunks->count; i++)
            fuzz_copy(pieces, &chunks->at[i]);
    }
}

/* ---- putting together ------------------------------------------------------------------------ */

/* The head's counts as they are. */
static void counts_put(struct pieces *pieces)
{
    uint64_t arena = 0, memory = 0, log = 0;

    if (pieces->count == 0 || pieces->at[0].kind != CHUNK_SNAPSHOT_HEAD)
        return;
    for (uint32_t i = 1; i < pieces->count; i++) {
        const struct piece *piece = &pieces->at[i];

        if (piece->kind == CHUNK_SNAPSHOT_ARENA)
            arena += piece->bytes / (8 + ARENA_PAGE_BYTES);
        else if (piece->kind == CHUNK_SNAPSHOT_MEMORY)
            memory += piece->bytes / (16 + MEMORY_PAGE_BYTES);
        else
            log += piece->kind == CHUNK_SNAPSHOT_LOG;
    }
    head_set(&pieces->at[0], "arena_pages", arena);
    head_set(&pieces->at[0], "memory_pages", memory);
    head_set(&pieces->at[0], "log_parts", log);
}

static void pieces_write(const struct pieces *pieces, int fd, bool with_index)
{
    struct chunk_writer *writer = chunk_writer_new(fd, "fuzz", NULL);

    must(writer != NULL);
    for (uint32_t i = 0; i < pieces->count; i++)
        must(chunk_write(writer, pieces->at[i].kind, pieces->at[i].raw, pieces->at[i].bytes, NULL));
    if (with_index)
        must(chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
}

static void file_fill(const struct fuzz_snapshot *fuzz, int fd, const uint8_t *data, size_t bytes)
{
    struct fuzz_input input = {data, bytes, 0};
    struct pieces pieces = {0};
    uint32_t flags;

    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0) {
        must(write(fd, data, bytes) == (ssize_t)bytes);
        return;
    }
    flags = (uint32_t)fuzz_take(&input, 1);
    while (input.at < input.bytes && pieces.count < PIECES_MAX)
        fuzz_act(fuzz, &pieces, &input);
    if (flags & FUZZ_SNAPSHOT_COUNTS)
        counts_put(&pieces);
    pieces_write(&pieces, fd, !(flags & FUZZ_SNAPSHOT_NO_INDEX));
    pieces_free(&pieces);
}

/* ---- what must hold -------------------------------------------------------------------------- */

/* A failure has one line of words, a success none. */
static void error_check(const struct gfe_error *error, bool good)
{
    must(good == (error->kind == ERROR_NONE));
    must(good == (error->text[0] == 0));
    must(!strchr(error->text, '\n'));
}

static void files_compare(int fd_a, int fd_b)
{
    const off_t bytes = lseek(fd_a, 0, SEEK_END);
    uint8_t *a = malloc((size_t)bytes), *b = malloc((size_t)bytes);

    must(bytes > 0 && bytes == lseek(fd_b, 0, SEEK_END) && a && b);
    must(pread(fd_a, a, (size_t)bytes, 0) == bytes && pread(fd_b, b, (size_t)bytes, 0) == bytes);
    must(memcmp(a, b, (size_t)bytes) == 0);
    free(a);
    free(b);
}

/* What a file holds, kind by kind.  Pages of zeroes need not be there. */
struct contents {
    char arena[DIGEST_HEX_BYTES], memory[DIGEST_HEX_BYTES], log[DIGEST_HEX_BYTES];
};

static void pages_digest(struct digest *digest, const struct chunk *chunk, size_t head_bytes)
{
    const size_t entry_bytes = head_bytes + MEMORY_PAGE_BYTES;

    for (size_t at = 0; at + entry_bytes <= chunk->raw_bytes; at += entry_bytes)
        if (!arena_is_zero(chunk->raw + at + head_bytes, MEMORY_PAGE_BYTES))
            digest_add(digest, chunk->raw + at, entry_bytes);
}

static void contents_digest(const char *path, struct contents *contents)
{
    struct chunk_reader *reader = chunk_reader_open(path, NULL);
    struct digest arena, memory, log;
    struct chunk chunk;

    must(reader != NULL);
    digest_start(&arena);
    digest_start(&memory);
    digest_start(&log);
    while (chunk_read(reader, &chunk, NULL) == CHUNK_GOT)
        if (chunk.kind == CHUNK_SNAPSHOT_ARENA) {
            pages_digest(&arena, &chunk, 8);
        } else if (chunk.kind == CHUNK_SNAPSHOT_MEMORY) {
            pages_digest(&memory, &chunk, 16);
        } else if (chunk.kind == CHUNK_SNAPSHOT_LOG) {
            digest_add(&log, &chunk.raw_bytes, sizeof chunk.raw_bytes);
            digest_add(&log, chunk.raw, chunk.raw_bytes);
        }
    digest_end_hex(&arena, contents->arena);
    digest_end_hex(&memory, contents->memory);
    digest_end_hex(&log, contents->log);
    chunk_reader_free(reader);
}

static void contents_compare(const char *path_a, const char *path_b)
{
    struct contents a, b;

    contents_digest(path_a, &a);
    contents_digest(path_b, &b);
    must(strcmp(a.arena, b.arena) == 0);
    must(strcmp(a.memory, b.memory) == 0);
    must(strcmp(a.log, b.log) == 0);
}

/* What was read is written, read and written: all three hold the same, the last two are the same.
 */
static void rewriting_try(const struct fuzz_snapshot *fuzz,
                          const struct simulation_snapshot *snapshot, const char *path)
{
    struct gfe_error error = {0};
    struct simulation_snapshot *again;
    char path_a[PATH_BYTES];
    const int fd_a = fuzz->files[1], fd_b = fuzz->files[2];

    file_name(fd_a, path_a);
    snapshot_put(fd_a, snapshot->machine, &snapshot->identity);
    contents_compare(path, path_a);
    again = simulation_snapshot_load(path_a, &error);
    must(again != NULL);
    snapshot_put(fd_b, again->machine, &again->identity);
    files_compare(fd_a, fd_b);
    simulation_snapshot_free(again);
}

/* The machine's log is that of the snapshot. */
static void log_compare(const struct machine *machine, const struct machine_snapshot *snapshot)
{
    uint64_t left;
    const uint8_t *at = event_log_bytes(&machine->log, &left);

    for (uint32_t i = 0; i < event_log_image_part_count(snapshot->log); i++) {
        size_t bytes;
        const uint8_t *part = event_log_image_part(snapshot->log, i, &bytes);

        must(bytes <= left && (bytes == 0 || memcmp(at, part, bytes) == 0));
        at += bytes;
        left -= bytes;
    }
    must(left == 0);
}

static void restoring_try(struct fuzz_snapshot *fuzz, const struct simulation_snapshot *snapshot)
{
    struct machine *machine = fuzz->check.machine;
    struct gfe_error error = {0};
    const bool fits = snapshot_identity_fits(&snapshot->identity, &fuzz->identity, "x", &error) &&
                      snapshot_fits(snapshot->machine, machine, "x", &error);
    char first[65], second[65];

    error_check(&error, fits);
    if (!fits)
        return;
    must(machine_restore(machine, snapshot->machine) && machine_hash(machine, first));
    log_compare(machine, snapshot->machine);
    must(machine_restore(machine, fuzz->sample) && machine_hash(machine, second));
    must(strcmp(second, fuzz->hash) == 0);
    must(machine_restore(machine, snapshot->machine) && machine_hash(machine, second));
    must(strcmp(first, second) == 0);
}

static void fuzz_snapshot_run(struct fuzz_snapshot *fuzz, const uint8_t *data, size_t bytes)
{
    struct gfe_error error = {0};
    struct simulation_snapshot *snapshot;
    char path[PATH_BYTES];
    const int fd = fuzz->files[0];

    file_name(fd, path);
    file_begin(fd);
    file_fill(fuzz, fd, data, bytes);
    file_end(fd);
    snapshot = simulation_snapshot_load(path, &error);
    error_check(&error, snapshot != NULL);
    if (snapshot) {
        rewriting_try(fuzz, snapshot, path);
        restoring_try(fuzz, snapshot);
    }
    simulation_snapshot_free(snapshot);
}

int fuzz_snapshot(const uint8_t *data, size_t bytes)
{
    struct fuzz_snapshot *fuzz = fuzz_snapshot_new();

    fuzz_snapshot_run(fuzz, data, bytes);
    fuzz_snapshot_free(fuzz);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    /* The one variable of this program: wiring a machine for each input would be slow. */
    static struct fuzz_snapshot *fuzz;

    if (!fuzz)
        fuzz = fuzz_snapshot_new();
    fuzz_snapshot_run(fuzz, data, bytes);
    return 0;
}
#endif
