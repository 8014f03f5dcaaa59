/* SPDX-License-Identifier: MIT */
/*
 * record_counts F.gft: what the methods of a trace are, counted.
 * record_counts -w F.gft: its waits, and how many threads made its submissions.
 * record_counts -p F.gft: how many processes submit, and channels and mappings made and ended.
 * record_counts -m F.gft: what the recorder noted in it (MARK).
 * record_counts -r F.gft: all its records, for people and for comparing two traces.
 *
 * For tests/test_record.sh, which compares the text with tests/golden/record_*.txt.  Headers and
 * launches are taken apart here once more, from the class headers' facts and without the project's
 * decoders, so that a mistake there and in the recorder cannot agree.  Pushes are read from the
 * memory that the trace's MEM records make, not from anything the recorder knew besides.
 */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/format/trace.h"
#include "traces/format/trace_dump.h"

enum {
    MAPS_MAX = 256,
    SUBCHANNELS = 8,
    METHODS = 0x4000 / 4,
    COPY_SUBCHANNEL = 4,
    COPY_CLASS = 0xc1b5, /* GP106's; the stream does not bind it */
    COMPUTE_CLASS = 0xc1c0,
    SEND_PCAS_A = 0x2b4,
    SEND_SIGNALING_PCAS_B = 0x2bc,
    HEADER_KINDS = 8,
    THREADS_MAX = 16,
};

struct map {
    uint64_t va, size;
    uint32_t handle;
    uint8_t *bytes;
};

struct counts {
    struct map maps[MAPS_MAX];
    unsigned map_count;

    /* The stream's state, for one channel. */
    uint32_t kind, subchannel, method, left;
    uint32_t class_id[SUBCHANNELS];
    uint32_t qmd;

    unsigned long submissions, empty, dwords, completions, headers[HEADER_KINDS];
    unsigned long methods[SUBCHANNELS][METHODS];
};

static void die(const char *what)
{
    fprintf(stderr, "record_counts: %s\n", what);
    exit(1);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static struct map *map_of_va(struct counts *counts, uint64_t va, uint64_t bytes)
{
    for (unsigned i = 0; i < counts->map_count; i++) {
        struct map *map = &counts->maps[i];

        if (map->bytes && va >= map->va && va + bytes <= map->va + map->size)
            return map;
    }
    return NULL;
}

static void map_add(struct counts *counts, const struct trace_as_map *record)
{
    struct map *map = &counts->maps[counts->map_count];

    if (counts->map_count == MAPS_MAX)
        die("too many maps");
    *map =
        (struct map){record->va, record->size_bytes, record->handle, calloc(1, record->size_bytes)};
    if (!map->bytes)
        die("no memory");
    counts->map_count++;
}

static void map_remove(struct counts *counts, uint64_t va)
{
    struct map *map = map_of_va(counts, va, 1);

    if (!map || map->va != va)
        die("AS_UNMAP of what is not mapped");
    free(map->bytes);
    map->bytes = NULL;
}

static void memory_write(struct counts *counts, const struct trace_mem *mem)
{
    struct map *map = map_of_va(counts, mem->address, mem->data.length);

    if (!map)
        die("MEM outside all maps");
    memcpy(map->bytes + (mem->address - map->va), mem->data.data, mem->data.length);
}

static uint32_t dword_at(const uint8_t *bytes)
{
    uint32_t dword;

    memcpy(&dword, bytes, sizeof dword);
    return dword;
}

/* ---- methods --------------------------------------------------------------------------------- */

/* Bits `high`:`low` of a QMD, as clc0c0qmd.h counts them. */
static uint32_t qmd_bits(const uint8_t *qmd, unsigned high, unsigned low)
{
    return (dword_at(qmd + low / 32 * 4) >> (low % 32)) & (UINT32_MAX >> (31 - (high - low)));
}

/* Version 02_01's places. */
static void print_launch(struct counts *counts)
{
    const uint64_t va = (uint64_t)counts->qmd << 8;
    const struct map *map = map_of_va(counts, va, 256);
    const uint8_t *qmd;

    if (!map) {
        printf("launch QMD nowhere\n");
        return;
    }
    qmd = map->bytes + (va - map->va);
    printf("launch grid %ux%ux%u block %ux%ux%u shared %u registers %u barriers %u\n",
           qmd_bits(qmd, 415, 384), qmd_bits(qmd, 431, 416), qmd_bits(qmd, 463, 448),
           qmd_bits(qmd, 607, 592), qmd_bits(qmd, 623, 608), qmd_bits(qmd, 639, 624),
           qmd_bits(qmd, 561, 544), qmd_bits(qmd, 991, 984), qmd_bits(qmd, 959, 955));
}

static void method(struct counts *counts, uint32_t data)
{
    const uint32_t at = counts->method, subchannel = counts->subchannel;

    counts->methods[subchannel][at / 4]++;
    if (at == 0) {
        counts->class_id[subchannel] = data & 0xffff;
        printf("bind %u %04x\n", subchannel, data & 0xffff);
    } else if (counts->class_id[subchannel] == COMPUTE_CLASS && at == SEND_PCAS_A) {
        counts->qmd = data;
    } else if (counts->class_id[subchannel] == COMPUTE_CLASS && at == SEND_SIGNALING_PCAS_B) {
        print_launch(counts);
    }
}

static void dword(struct counts *counts, uint32_t value)
{
    if (counts->left > 0) {
        method(counts, value);
        if (counts->kind == 1 || counts->kind == 5)
            counts->method += 4;
        if (counts->kind == 5)
            counts->kind = 3; /* increments once */
        counts->left--;
        return;
    }
    counts->kind = value >> 29;
    counts->subchannel = value >> 13 & 7;
    counts->method = (value & 0xfff) << 2;
    counts->headers[counts->kind]++;
    switch (counts->kind) {
    case 1:
    case 3:
    case 5:
        counts->left = value >> 16 & 0x1fff;
        break;
    case 4:
        method(counts, value >> 16 & 0x1fff);
        break;
    default:
        printf("odd header %08x\n", value);
    }
}

static void submit(struct counts *counts, const struct trace_submit *record)
{
    counts->submissions++;
    counts->empty += record->pushes.count == 0;
    for (uint32_t i = 0; i < record->pushes.count; i++) {
        const struct trace_push *push = &record->pushes.push[i];
        const struct map *map = NULL;

        for (unsigned m = 0; m < counts->map_count; m++)
            if (counts->maps[m].bytes && counts->maps[m].handle == push->handle)
                map = &counts->maps[m];
        if (!map || push->offset + push->length_bytes > map->size)
            die("a push outside its object");
        for (uint64_t at = 0; at < push->length_bytes; at += 4)
            dword(counts, dword_at(map->bytes + push->offset + at));
        counts->dwords += push->length_bytes / 4;
    }
}

/* ---- waits ----------------------------------------------------------------------------------- */

static void take_wait(const struct trace_record *record, uint32_t threads[THREADS_MAX],
                      unsigned *thread_count)
{
    unsigned i = 0;

    if (record->head.kind == TRACE_CPU_WAIT) {
        if (record->cpu_wait.begin_ns > record->cpu_wait.end_ns)
            die("a wait ends before it begins");
        printf("%s after submission %u\n", record->cpu_wait.call.text,
               record->cpu_wait.submission_id);
    }
    if (record->head.kind != TRACE_SUBMIT)
        return;
    while (i < *thread_count && threads[i] != record->head.thread_id)
        i++;
    if (i == *thread_count && i < THREADS_MAX)
        threads[(*thread_count)++] = record->head.thread_id;
}

static void print_waits(struct trace_reader *reader)
{
    uint32_t threads[THREADS_MAX];
    struct gfe_error error = {0};
    unsigned thread_count = 0;
    struct trace_record record;

    while (trace_read(reader, &record, &error) == TRACE_GOT)
        take_wait(&record, threads, &thread_count);
    if (error.text[0])
        die(error.text);
    printf("threads %u\n", thread_count);
}

static void print_marks(struct trace_reader *reader)
{
    struct gfe_error error = {0};
    struct trace_record record;

    while (trace_read(reader, &record, &error) == TRACE_GOT)
        if (record.head.kind == TRACE_MARK)
            printf("%s\n", record.mark.text.text);
    if (error.text[0])
        die(error.text);
}

/* ---- all ------------------------------------------------------------------------------------- */

static void take(struct counts *counts, const struct trace_record *record)
{
    switch (record->head.kind) {
    case TRACE_AS_MAP:
        map_add(counts, &record->as_map);
        break;
    case TRACE_AS_UNMAP:
        map_remove(counts, record->as_unmap.va);
        break;
    case TRACE_MEM:
        memory_write(counts, &record->mem);
        break;
    case TRACE_OBJECT:
        printf("object %04x %08x\n", record->object.class_id, record->object.handle);
        break;
    case TRACE_SUBMIT:
        submit(counts, &record->submit);
        break;
    case TRACE_GPU_WRITE:
        counts->completions++;
        break;
    case TRACE_MARK:
        printf("mark %s\n", record->mark.text.text);
        break;
    default:
        break;
    }
}

static void print_counts(const struct counts *counts)
{
    printf("submissions %lu, without pushes %lu\n", counts->submissions, counts->empty);
    printf("dwords %lu\n", counts->dwords);
    printf("completions %lu\n", counts->completions);
    printf("headers incrementing %lu, not %lu, immediate %lu, once %lu\n", counts->headers[1],
           counts->headers[3], counts->headers[4], counts->headers[5]);
    for (unsigned s = 0; s < SUBCHANNELS; s++) {
        unsigned long total = 0;

        for (unsigned m = 0; m < METHODS; m++)
            total += counts->methods[s][m];
        if (total > 0)
            printf("class %04x writes %lu\n", counts->class_id[s], total);
        for (unsigned m = 0; m < METHODS; m++)
            if (counts->methods[s][m])
                printf("  %04x %lu\n", m * 4, counts->methods[s][m]);
    }
}

static void count_all(struct trace_reader *reader)
{
    struct counts *counts = calloc(1, sizeof *counts);
    struct gfe_error error = {0};
    struct trace_record record;
    enum trace_result result;

    if (!counts)
        die("no memory");
    counts->class_id[COPY_SUBCHANNEL] = COPY_CLASS;
    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT)
        take(counts, &record);
    if (result != TRACE_AT_END)
        die(error.text);
    print_counts(counts);
    for (unsigned i = 0; i < counts->map_count; i++)
        free(counts->maps[i].bytes);
    free(counts);
}

/* Processes that submit; what was made and ended. */
static void print_processes(struct trace_reader *reader)
{
    uint32_t processes[THREADS_MAX];
    unsigned process_count = 0, i, of_kind[TRACE_SYNCOBJ_WAIT + 1] = {0};
    struct trace_record record;
    struct gfe_error error = {0};
    enum trace_result result;

    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT) {
        if (record.head.kind <= TRACE_SYNCOBJ_WAIT)
            of_kind[record.head.kind]++;
        if (record.head.kind != TRACE_SUBMIT)
            continue;
        for (i = 0; i < process_count && processes[i] != record.head.process_id; i++)
            ;
        if (i == process_count && process_count < THREADS_MAX)
            processes[process_count++] = record.head.process_id;
    }
    if (result != TRACE_AT_END)
        die(error.text);
    printf("processes %u\nchannels %u, ended %u\nmappings %u, ended %u\n", process_count,
           of_kind[TRACE_CHANNEL], of_kind[TRACE_CHANNEL_END], of_kind[TRACE_AS_MAP],
           of_kind[TRACE_AS_UNMAP]);
}

static void print_records(struct trace_reader *reader)
{
    struct trace_record record;
    struct gfe_error error = {0};
    enum trace_result result;

    while ((result = trace_read(reader, &record, &error)) == TRACE_GOT)
        trace_dump(stdout, &record);
    if (result != TRACE_AT_END)
        die(error.text);
}

int main(int argc, char **argv)
{
    const bool records = argc == 3 && strcmp(argv[1], "-r") == 0;
    const bool processes = argc == 3 && strcmp(argv[1], "-p") == 0;
    const bool waits = argc == 3 && strcmp(argv[1], "-w") == 0;
    const bool marks = argc == 3 && strcmp(argv[1], "-m") == 0;
    struct gfe_error error = {0};
    struct trace_reader *reader;

    if (argc != 2 && !waits && !marks && !processes && !records)
        die("usage: record_counts [-w | -m | -p | -r] F.gft");
    reader = trace_reader_open(argv[argc - 1], &error);
    if (!reader)
        die(error.text);
    if (waits)
        print_waits(reader);
    else if (processes)
        print_processes(reader);
    else if (marks)
        print_marks(reader);
    else if (records)
        print_records(reader);
    else
        count_all(reader);
    trace_reader_free(reader);
    return 0;
}
