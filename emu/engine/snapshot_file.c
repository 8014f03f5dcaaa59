/* SPDX-License-Identifier: MIT */
/* Snapshots as files: see emu/engine/snapshot.h for the format. */
#include <config.h>

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/snapshot.h"
#include "emu/base/json_text.h"

enum {
    ARENA_ENTRY_BYTES = 8 + ARENA_PAGE_BYTES,
    MEMORY_ENTRY_BYTES = 16 + MEMORY_PAGE_BYTES,
    ENTRIES_PER_CHUNK = 64,
    PAGES_MAX = 4 << 20, /* of guest memory, as machines have at most by default */
};

/* The machine's numbers lie in the arena as they are in memory. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static const char byte_order[] = "big";
#else
static const char byte_order[] = "little";
#endif

static void put64(uint8_t *to, uint64_t value)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static uint64_t get64(const uint8_t *from)
{
    uint64_t value = 0;

    for (int i = 0; i < 8; i++)
        value |= (uint64_t)from[i] << (8 * i);
    return value;
}

/* ---- writing --------------------------------------------------------------------------------- */

/* Entries of one kind on their way into chunks. */
struct snapshot_out {
    struct chunk_writer *writer;
    struct gfe_error *error;
    enum chunk_kind kind;
    size_t entry_bytes, used;
    bool failed;
    uint8_t data[ENTRIES_PER_CHUNK * MEMORY_ENTRY_BYTES];
};

static void out_flush(struct snapshot_out *out)
{
    if (!out->failed && out->used > 0)
        out->failed = !chunk_write(out->writer, out->kind, out->data, out->used, out->error);
    out->used = 0;
}

static uint8_t *out_entry(struct snapshot_out *out)
{
    uint8_t *entry;

    if (out->used == ENTRIES_PER_CHUNK * out->entry_bytes)
        out_flush(out);
    entry = out->data + out->used;
    out->used += out->entry_bytes;
    return entry;
}

static void out_memory_page(void *context, enum memory_aperture aperture, uint64_t address,
                            const uint8_t *page)
{
    uint8_t *entry = out_entry(context);

    put64(entry, (uint64_t)aperture);
    put64(entry + 8, address);
    memcpy(entry + 16, page, MEMORY_PAGE_BYTES);
}

static bool out_pages(struct snapshot_out *out, const struct machine_snapshot *snapshot)
{
    const struct arena_image *arena = snapshot->arena;

    out->kind = CHUNK_SNAPSHOT_ARENA;
    out->entry_bytes = ARENA_ENTRY_BYTES;
    for (uint32_t i = 0; i < arena->page_count; i++)
        if (arena->pages[i]) {
            uint8_t *entry = out_entry(out);

            put64(entry, i);
            memcpy(entry + 8, arena->pages[i]->data, ARENA_PAGE_BYTES);
        }
    out_flush(out);
    out->kind = CHUNK_SNAPSHOT_MEMORY;
    out->entry_bytes = MEMORY_ENTRY_BYTES;
    if (!memory_image_visit(snapshot->memory, out_memory_page, out))
        return error_set_errno(out->error, ENOMEM, "%s: cannot write",
                               chunk_writer_name(out->writer));
    out_flush(out);
    return !out->failed;
}

static void count_page(void *context, enum memory_aperture aperture, uint64_t address,
                       const uint8_t *page)
{
    (void)aperture;
    (void)address;
    (void)page;
    ++*(uint32_t *)context;
}

static json_t *head_make(const struct machine_snapshot *snapshot,
                         const struct snapshot_identity *identity)
{
    json_t *head = json_object(), *texts = json_object();
    uint32_t arena_pages = 0, memory_pages = 0;
    bool good = memory_image_visit(snapshot->memory, count_page, &memory_pages);

    for (uint32_t i = 0; i < snapshot->arena->page_count; i++)
        arena_pages += snapshot->arena->pages[i] != NULL;
    for (uint32_t i = 0; i < identity->count; i++)
        good &= json_object_set_new(texts, identity->texts[i].key,
                                    json_string(identity->texts[i].value)) == 0;
    good &= json_object_set_new(head, "format", json_integer(SNAPSHOT_FORMAT)) == 0;
    good &= json_object_set_new(head, "byte_order", json_string(byte_order)) == 0;
    good &= json_object_set_new(head, "identity", texts) == 0;
#define PUT(key, value)                                                                            \
    good &= json_object_set_new(head, (key), json_integer((json_int_t)(value))) == 0
    PUT("now_ps", snapshot->now_ps);
    PUT("event_count", snapshot->event_count);
    PUT("arena_bytes", snapshot->arena->used_bytes);
    PUT("arena_pages", arena_pages);
    PUT("vram_bytes", memory_image_aperture_bytes(snapshot->memory, MEMORY_VRAM));
    PUT("sysmem_bytes", memory_image_aperture_bytes(snapshot->memory, MEMORY_SYSMEM));
    PUT("memory_pages", memory_pages);
    PUT("log_parts", event_log_image_part_count(snapshot->log));
#undef PUT
    if (good)
        return head;
    json_decref(head);
    return NULL;
}

static bool out_head(const struct machine_snapshot *snapshot,
                     const struct snapshot_identity *identity, struct chunk_writer *writer,
                     struct gfe_error *error)
{
    json_t *head = head_make(snapshot, identity);
    char *text = head ? json_text(head, JSON_INDENT(1)) : NULL;
    bool done = false;

    if (text)
        done = chunk_write(writer, CHUNK_SNAPSHOT_HEAD, text, strlen(text), error);
    else
        error_set_errno(error, ENOMEM, "%s: cannot write", chunk_writer_name(writer));
    free(text);
    json_decref(head);
    return done;
}

bool snapshot_write(const struct machine_snapshot *snapshot,
                    const struct snapshot_identity *identity, struct chunk_writer *writer,
                    struct gfe_error *error)
{
    struct snapshot_out *out = calloc(1, sizeof *out);
    bool done;

    if (!out)
        return error_set_errno(error, ENOMEM, "%s: cannot write", chunk_writer_name(writer));
    out->writer = writer;
    out->error = error;
    done = out_head(snapshot, identity, writer, error) && out_pages(out, snapshot);
    for (uint32_t i = 0; done && i < event_log_image_part_count(snapshot->log); i++) {
        size_t bytes;
        const uint8_t *part = event_log_image_part(snapshot->log, i, &bytes);

        done = chunk_write(writer, CHUNK_SNAPSHOT_LOG, part, bytes, error);
    }
    free(out);
    return done;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct snapshot_in {
    struct chunk_reader *chunks;
    struct chunk chunk; /* the one at hand */
    struct gfe_error *error;
    struct machine_snapshot *snapshot;
    uint64_t arena_bytes, vram_bytes, sysmem_bytes;
    uint64_t arena_pages, memory_pages, log_parts; /* as the head says */
    uint64_t arena_count, memory_count, log_count; /* as found */
    uint64_t next_arena_page, next_memory_page;    /* the lowest that may come */
};

static bool in_damaged(struct snapshot_in *in, const char *what)
{
    return error_set(in->error, ERROR_INPUT, "%s: offset %llu: damaged: %s",
                     chunk_reader_name(in->chunks), (unsigned long long)in->chunk.file_offset,
                     what);
}

static bool in_no_memory(struct snapshot_in *in)
{
    return error_set_errno(in->error, ENOMEM, "%s: cannot read", chunk_reader_name(in->chunks));
}

static bool head_number(struct snapshot_in *in, const json_t *head, const char *key,
                        uint64_t *value)
{
    const json_t *number = json_object_get(head, key);

    if (!json_is_integer(number) || json_integer_value(number) < 0)
        return in_damaged(in, "the head lacks a number");
    *value = (uint64_t)json_integer_value(number);
    return true;
}

static bool head_identity(struct snapshot_in *in, json_t *texts, struct snapshot_identity *identity)
{
    const char *key;
    json_t *value;

    *identity = (struct snapshot_identity){0};
    if (!json_is_object(texts) || json_object_size(texts) > SNAPSHOT_TEXTS_MAX)
        return in_damaged(in, "the head says not what the snapshot was taken of");
    json_object_foreach(texts, key, value)
    {
        if (!json_is_string(value))
            return in_damaged(in, "the head's identity is not made of strings");
        snapshot_identity_add(identity, key, json_string_value(value));
    }
    return true;
}

static bool head_numbers(struct snapshot_in *in, const json_t *head)
{
    uint64_t format = 0;

    if (!head_number(in, head, "format", &format))
        return false;
    if (format != SNAPSHOT_FORMAT)
        return error_set(in->error, ERROR_INPUT,
                         "%s: snapshot format %" PRIu64 ", but this gfe reads format %d",
                         chunk_reader_name(in->chunks), format, SNAPSHOT_FORMAT);
    if (!json_is_string(json_object_get(head, "byte_order")) ||
        strcmp(json_string_value(json_object_get(head, "byte_order")), byte_order) != 0)
        return error_set(in->error, ERROR_INPUT,
                         "%s: of a machine with another byte order than this one's",
                         chunk_reader_name(in->chunks));
    return head_number(in, head, "now_ps", &in->snapshot->now_ps) &&
           head_number(in, head, "event_count", &in->snapshot->event_count) &&
           head_number(in, head, "arena_bytes", &in->arena_bytes) &&
           head_number(in, head, "arena_pages", &in->arena_pages) &&
           head_number(in, head, "vram_bytes", &in->vram_bytes) &&
           head_number(in, head, "sysmem_bytes", &in->sysmem_bytes) &&
           head_number(in, head, "memory_pages", &in->memory_pages) &&
           head_number(in, head, "log_parts", &in->log_parts);
}

/* Sizes are checked before anything is allocated by them. */
static bool in_head(struct snapshot_in *in, struct snapshot_identity *identity)
{
    json_t *head = json_text_load((const char *)in->chunk.raw, in->chunk.raw_bytes, 0, NULL);
    const bool good = head ? head_numbers(in, head) &&
                                 head_identity(in, json_object_get(head, "identity"), identity)
                           : in_damaged(in, "the head is not JSON");

    json_decref(head);
    if (!good)
        return false;
    if (in->arena_bytes > ARENA_CAPACITY_BYTES || in->vram_bytes % MEMORY_PAGE_BYTES ||
        in->sysmem_bytes % MEMORY_PAGE_BYTES)
        return in_damaged(in, "the head states sizes that no machine has");
    if (in->memory_pages > PAGES_MAX)
        return error_set(in->error, ERROR_LIMIT, "%s: more than %d pages of guest memory",
                         chunk_reader_name(in->chunks), PAGES_MAX);
    in->snapshot->arena = arena_image_new((size_t)in->arena_bytes);
    in->snapshot->memory = memory_image_new(in->vram_bytes, in->sysmem_bytes);
    in->snapshot->log = event_log_image_new();
    return (in->snapshot->arena && in->snapshot->memory && in->snapshot->log) || in_no_memory(in);
}

static bool in_arena(struct snapshot_in *in, const uint8_t *entry)
{
    struct arena_image *arena = in->snapshot->arena;
    const uint64_t page = get64(entry);
    size_t bytes;

    if (page < in->next_arena_page || page >= arena->page_count ||
        in->arena_count++ == in->arena_pages)
        return in_damaged(in, "a page of the arena too much, or out of order");
    bytes = arena_page_bytes(arena->used_bytes, (uint32_t)page);
    if (!arena_is_zero(entry + 8 + bytes, ARENA_PAGE_BYTES - bytes))
        return in_damaged(in, "something lies beyond the end of the arena");
    in->next_arena_page = page + 1;
    return arena_image_put(arena, (uint32_t)page, entry + 8) || in_no_memory(in);
}

static bool in_memory(struct snapshot_in *in, const uint8_t *entry)
{
    const uint64_t aperture = get64(entry), address = get64(entry + 8);
    uint64_t order;

    if (aperture >= MEMORY_APERTURE_COUNT || address % MEMORY_PAGE_BYTES != 0 ||
        address >=
            memory_image_aperture_bytes(in->snapshot->memory, (enum memory_aperture)aperture))
        return in_damaged(in, "a page outside the GPU's memory");
    order = aperture << 63 | address / MEMORY_PAGE_BYTES;
    if (order < in->next_memory_page || in->memory_count++ == in->memory_pages)
        return in_damaged(in, "a page of memory too much, or out of order");
    in->next_memory_page = order + 1;
    return memory_image_put(in->snapshot->memory, (enum memory_aperture)aperture, address,
                            entry + 16) ||
           in_no_memory(in);
}

static bool in_entries(struct snapshot_in *in, size_t entry_bytes,
                       bool (*take)(struct snapshot_in *in, const uint8_t *entry))
{
    if (in->chunk.raw_bytes % entry_bytes != 0)
        return in_damaged(in, "the chunk holds no whole pages");
    for (size_t at = 0; at < in->chunk.raw_bytes; at += entry_bytes)
        if (!take(in, in->chunk.raw + at))
            return false;
    return true;
}

static bool in_chunk(struct snapshot_in *in)
{
    switch (in->chunk.kind) {
    case CHUNK_SNAPSHOT_ARENA:
        return in_entries(in, ARENA_ENTRY_BYTES, in_arena);
    case CHUNK_SNAPSHOT_MEMORY:
        return in_entries(in, MEMORY_ENTRY_BYTES, in_memory);
    case CHUNK_SNAPSHOT_LOG:
        if (in->log_count++ == in->log_parts)
            return in_damaged(in, "a part of the event log too much");
        return event_log_image_add(in->snapshot->log, in->chunk.raw, in->chunk.raw_bytes) ||
               in_no_memory(in);
    default:
        return in_damaged(in, "a chunk that does not belong into a snapshot");
    }
}

static bool in_all(struct snapshot_in *in, struct snapshot_identity *identity)
{
    enum chunk_result result = chunk_read(in->chunks, &in->chunk, in->error);

    if (result == CHUNK_AT_END)
        return error_set(in->error, ERROR_INPUT, "%s: the file is empty: a snapshot is expected",
                         chunk_reader_name(in->chunks));
    if (result == CHUNK_GOT && in->chunk.kind != CHUNK_SNAPSHOT_HEAD)
        return error_set(in->error, ERROR_INPUT, "%s: this is %s, not a snapshot",
                         chunk_reader_name(in->chunks), chunk_file_kind(in->chunk.kind));
    if (result == CHUNK_FAILED || !in_head(in, identity))
        return false;
    while ((result = chunk_read(in->chunks, &in->chunk, in->error)) == CHUNK_GOT)
        if (!in_chunk(in))
            return false;
    if (result == CHUNK_FAILED)
        return false;
    if (!chunk_reader_saw_index(in->chunks) || in->arena_count != in->arena_pages ||
        in->memory_count != in->memory_pages || in->log_count != in->log_parts ||
        in->log_parts == 0)
        return error_set(in->error, ERROR_INPUT, "%s: cut off: not all of the snapshot is there",
                         chunk_reader_name(in->chunks));
    return true;
}

struct machine_snapshot *snapshot_read(struct chunk_reader *reader,
                                       struct snapshot_identity *identity, struct gfe_error *error)
{
    struct snapshot_in in = {
        .chunks = reader, .error = error, .snapshot = calloc(1, sizeof(struct machine_snapshot))};

    if (!in.snapshot) {
        in_no_memory(&in);
        return NULL;
    }
    if (in_all(&in, identity))
        return in.snapshot;
    machine_snapshot_free(in.snapshot);
    return NULL;
}
