/* SPDX-License-Identifier: MIT */
/*
 * Makes inputs of fuzz targets from a recording:
 *
 *     tests/fuzz/fuzz_seeds [--whole] TRACE NAME DIRECTORY
 *
 * With --whole it makes one input of all the records only.
 * DIRECTORY/gpfifo/NAME-<n>: submission n as commands of fuzz_gpfifo.h, its memory at the recorded
 * addresses.  DIRECTORY/replay/NAME-<n>: the records up to submission n, uncompressed.  Of layer
 * RING DIRECTORY/kfd_replay/NAME-<n>: the records up to doorbell n.  What was made is then merged
 * into the corpus with libFuzzer's -merge=1 (tests/fuzz/run.sh --merge).
 */
#include <config.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_gpfifo.h"
#include "traces/format/trace_codec.h"

enum {
    SEED_BYTES_MAX = 48 << 10,   /* larger ones are left out: a fuzzer wants small inputs */
    WHOLE_BYTES_MAX = 256 << 10, /* what the targets take */
    MAPS_MAX = 256,
    PAGE_BYTES = 4096,
    FIRST_PAGE = 0x2000, /* physical: behind what tests/check_machine.h lays out */
    RUN_NS = 1000000,
};

struct buffer {
    uint8_t *data;
    size_t bytes, room;
};

struct map {
    uint64_t va, size_bytes;
    uint32_t handle, page_kind;
};

struct seeds {
    const char *name, *directory;
    struct buffer records; /* all so far */
    struct buffer stores;  /* STORE commands since the last submission */
    struct map maps[MAPS_MAX];
    uint32_t map_count, submission_count;
    bool rings; /* doorbells were seen: layer RING */
    bool whole; /* one input of all the records, and no others */
};

static void must(bool so, const char *what)
{
    if (!so) {
        fprintf(stderr, "fuzz_seeds: %s\n", what);
        exit(1);
    }
}

static uint8_t *buffer_grow(struct buffer *buffer, size_t bytes)
{
    if (buffer->bytes + bytes > buffer->room) {
        buffer->room = 2 * (buffer->bytes + bytes);
        buffer->data = realloc(buffer->data, buffer->room);
        must(buffer->data != NULL, "no memory");
    }
    buffer->bytes += bytes;
    return buffer->data + buffer->bytes - bytes;
}

static void buffer_add(struct buffer *buffer, const void *data, size_t bytes)
{
    if (bytes > 0)
        memcpy(buffer_grow(buffer, bytes), data, bytes);
}

static void put(struct buffer *buffer, uint32_t dword)
{
    uint8_t *to = buffer_grow(buffer, 4);

    for (unsigned i = 0; i < 4; i++)
        to[i] = (uint8_t)(dword >> (8 * i));
}

static void head_put(struct buffer *buffer, uint32_t operation, uint32_t count)
{
    put(buffer, operation | count << 16);
}

static void seed_write(const struct seeds *seeds, const char *target, const struct buffer *buffer)
{
    char path[1024];
    FILE *file;

    if (buffer->bytes > (seeds->whole ? WHOLE_BYTES_MAX : SEED_BYTES_MAX))
        return;
    (void)snprintf(path, sizeof path, "%s/%s/%s-%u", seeds->directory, target, seeds->name,
                   seeds->submission_count);
    file = fopen(path, "wbe");
    must(file && fwrite(buffer->data, 1, buffer->bytes, file) == buffer->bytes, path);
    must(fclose(file) == 0, path);
}

/* ---- records as commands --------------------------------------------------------------------- */

static void store_put(struct seeds *seeds, const struct trace_mem *mem)
{
    uint32_t count = mem->data.length / 4;

    /* Most of an uploaded page is zero at its end, as is memory that was never written. */
    while (count > 0 && memcmp(mem->data.data + 4 * (count - 1), "\0\0\0", 4) == 0)
        count--;
    head_put(&seeds->stores, FUZZ_STORE, count + 2);
    put(&seeds->stores, (uint32_t)mem->address);
    put(&seeds->stores, (uint32_t)(mem->address >> 32));
    buffer_add(&seeds->stores, mem->data.data, 4 * (size_t)count);
}

static const struct map *map_find(const struct seeds *seeds, uint32_t handle)
{
    for (uint32_t i = 0; i < seeds->map_count; i++)
        if (seeds->maps[i].handle == handle)
            return &seeds->maps[i];
    return NULL;
}

static void maps_put(const struct seeds *seeds, struct buffer *seed)
{
    uint64_t page = FIRST_PAGE;

    for (uint32_t i = 0; i < seeds->map_count; i++) {
        const struct map *map = &seeds->maps[i];

        head_put(seed, FUZZ_MAP, 4);
        put(seed, (uint32_t)(map->va / PAGE_BYTES));
        put(seed, (uint32_t)(map->size_bytes / PAGE_BYTES - 1));
        put(seed, (uint32_t)page);
        put(seed, map->page_kind);
        page += map->size_bytes / PAGE_BYTES;
    }
}

static void submission_put(struct seeds *seeds, const struct trace_submit *submit)
{
    struct buffer seed = {0};

    put(&seed, FUZZ_FLAG_NOUVEAU | FUZZ_FLAG_TWICE);
    maps_put(seeds, &seed);
    head_put(&seed, FUZZ_OBJECTS, 0);
    buffer_add(&seed, seeds->stores.data, seeds->stores.bytes);
    head_put(&seed, FUZZ_ENTRIES, 2 * submit->pushes.count);
    for (uint32_t i = 0; i < submit->pushes.count; i++) {
        const struct trace_push *push = &submit->pushes.push[i];
        const struct map *map = map_find(seeds, push->handle);
        const uint64_t va = (map ? map->va : 0) + push->offset;

        put(&seed, (uint32_t)va);
        put(&seed, (uint32_t)(va >> 32) | (uint32_t)(push->length_bytes / 4) << 10);
    }
    head_put(&seed, FUZZ_RUN, 1);
    put(&seed, RUN_NS);
    seed_write(seeds, "gpfifo", &seed);
    free(seed.data);
    seeds->stores.bytes = 0;
}

/* ---- records as records ---------------------------------------------------------------------- */

static void record_put(struct seeds *seeds, const struct trace_record *record)
{
    const size_t bytes = (size_t)trace_fields_bytes(record);
    struct trace_head head = record->head;
    uint8_t *to = buffer_grow(&seeds->records, TRACE_HEAD_BYTES + bytes);

    head.length_bytes = (uint32_t)bytes;
    trace_encode_head(to, &head);
    (void)trace_encode_fields(to + TRACE_HEAD_BYTES, record, TRACE_ALL_FIELDS);
}

static void record_take(struct seeds *seeds, const struct trace_record *record)
{
    if (record->head.kind != TRACE_END)
        record_put(seeds, record);
    switch (record->head.kind) {
    case TRACE_AS_MAP:
        must(seeds->map_count < MAPS_MAX, "too many maps");
        seeds->maps[seeds->map_count++] =
            (struct map){record->as_map.va, record->as_map.size_bytes, record->as_map.handle,
                         record->as_map.tile_flags >> 8 & 0xff};
        break;
    case TRACE_MEM:
        store_put(seeds, &record->mem);
        break;
    case TRACE_SUBMIT:
        seeds->submission_count++;
        if (seeds->whole)
            break;
        submission_put(seeds, &record->submit);
        seed_write(seeds, "replay", &seeds->records);
        break;
    case TRACE_DOORBELL:
        seeds->submission_count++;
        seeds->rings = true;
        if (!seeds->whole)
            seed_write(seeds, "kfd_replay", &seeds->records);
        break;
    default:
        break;
    }
}

int main(int argc, char **argv)
{
    struct seeds seeds = {0};
    struct gfe_error error = {0};
    struct trace_record record;
    struct trace_reader *reader;
    enum trace_result result;

    seeds.whole = argc == 5 && strcmp(argv[1], "--whole") == 0;
    must(argc == 4 + seeds.whole, "usage: fuzz_seeds [--whole] TRACE NAME DIRECTORY");
    argv += seeds.whole;
    seeds.name = argv[2];
    seeds.directory = argv[3];
    reader = trace_reader_open(argv[1], &error);
    must(reader != NULL, error.text);
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT)
        record_take(&seeds, &record);
    must(result == TRACE_AT_END, error.text);
    seed_write(&seeds, seeds.rings ? "kfd_replay" : "replay", &seeds.records);
    trace_reader_free(reader);
    free(seeds.records.data);
    free(seeds.stores.data);
    return 0;
}
