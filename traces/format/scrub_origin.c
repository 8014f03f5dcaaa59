/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/scrub_origin.h"

#include <stdlib.h>
#include <string.h>

/* Addresses are gone through in pieces that do not cross a page. */
enum { PIECE_BYTES = MEMORY_PAGE_BYTES, CAPACITY_FIRST = 4096 };

/* In a byte's number + 1 as it is kept: the stream has moved it there. */
#define TAG_MOVED (UINT64_C(1) << 39)

/* What lies in one piece of one address space. */
struct piece {
    struct scrub_origin *origin;
    uint32_t as_id;
    uint64_t va;
    size_t bytes;
    bool is_tagged; /* false: all tags are 0 */
    uint8_t content[PIECE_BYTES];
    uint64_t tags[PIECE_BYTES]; /* number + 1, 0 = from nowhere */
};

void scrub_origin_init(struct scrub_origin *origin, uint64_t limit_bytes)
{
    *origin = (struct scrub_origin){.limit_bytes = limit_bytes};
    origin->content.limit_bytes = origin->watched.limit_bytes = limit_bytes;
    for (uint32_t i = 0; i < SCRUB_ORIGIN_PLANES; i++)
        origin->planes[i].limit_bytes = limit_bytes;
}

void scrub_origin_close(struct scrub_origin *origin)
{
    trace_spaces_fini(&origin->content);
    trace_spaces_fini(&origin->watched);
    for (uint32_t i = 0; i < SCRUB_ORIGIN_PLANES; i++)
        trace_spaces_fini(&origin->planes[i]);
}

void scrub_origin_fini(struct scrub_origin *origin)
{
    scrub_origin_close(origin);
    free(origin->needed);
    free(origin->repeated);
    *origin = (struct scrub_origin){0};
}

/* ---- pieces ---------------------------------------------------------------------------------- */

static size_t piece_bytes(uint64_t va, uint64_t bytes)
{
    const uint64_t rest = PIECE_BYTES - va % PIECE_BYTES;

    return (size_t)(bytes < rest ? bytes : rest);
}

/* Most pages of what a copy goes through are empty. */
static bool bytes_are_zero(const uint8_t *data, size_t bytes)
{
    static const uint8_t zeroes[PIECE_BYTES];

    return memcmp(data, zeroes, bytes) == 0;
}

static void bytes_read(struct scrub_origin *origin, struct trace_spaces *spaces, uint32_t as_id,
                       uint64_t va, uint8_t *data, size_t bytes)
{
    const struct trace_space *space = trace_space(spaces, as_id, &origin->error);

    if (!space || !trace_space_read(space, va, data, bytes))
        memset(data, 0, bytes);
}

/* Pages of zeroes are not made. */
static void bytes_write(struct scrub_origin *origin, struct trace_spaces *spaces, uint32_t as_id,
                        uint64_t va, const uint8_t *data, size_t bytes)
{
    struct trace_space *space = trace_space(spaces, as_id, &origin->error);
    uint8_t old[PIECE_BYTES];

    if (!space || !trace_space_read(space, va, old, bytes) || memcmp(old, data, bytes) == 0)
        return;
    (void)trace_space_write(space, va, data, bytes, &origin->error);
}

static void piece_read(struct piece *piece, struct scrub_origin *origin, uint32_t as_id,
                       uint64_t va, size_t bytes)
{
    uint8_t plane[PIECE_BYTES];

    piece->origin = origin;
    piece->as_id = as_id;
    piece->va = va;
    piece->bytes = bytes;
    piece->is_tagged = false;
    bytes_read(origin, &origin->content, as_id, va, piece->content, bytes);
    memset(piece->tags, 0, bytes * sizeof piece->tags[0]);
    for (uint32_t i = 0; i < SCRUB_ORIGIN_PLANES; i++) {
        bytes_read(origin, &origin->planes[i], as_id, va, plane, bytes);
        if (bytes_are_zero(plane, bytes))
            continue;
        piece->is_tagged = true;
        for (size_t at = 0; at < bytes; at++)
            piece->tags[at] |= (uint64_t)plane[at] << 8 * i;
    }
}

static void piece_write(const struct piece *piece)
{
    struct scrub_origin *origin = piece->origin;
    uint8_t plane[PIECE_BYTES] = {0};

    bytes_write(origin, &origin->content, piece->as_id, piece->va, piece->content, piece->bytes);
    for (uint32_t i = 0; i < SCRUB_ORIGIN_PLANES; i++) {
        for (size_t at = 0; piece->is_tagged && at < piece->bytes; at++)
            plane[at] = (uint8_t)(piece->tags[at] >> 8 * i);
        bytes_write(origin, &origin->planes[i], piece->as_id, piece->va, plane, piece->bytes);
    }
}

/* ---- marks ----------------------------------------------------------------------------------- */

static void mark_needed(struct scrub_origin *origin, uint64_t tag, uint32_t reason)
{
    const uint64_t byte = (tag & ~TAG_MOVED) - 1;

    if (tag == 0 || scrub_origin_is_needed(origin, byte))
        return;
    origin->needed[byte / 8] |= (uint8_t)(1 << byte % 8);
    origin->needed_count[reason]++;
}

/* The reason with which a place is watched is kept as number + 1. */
static void piece_watched(const struct piece *piece)
{
    struct scrub_origin *origin = piece->origin;
    uint8_t watched[PIECE_BYTES];

    if (!piece->is_tagged)
        return;
    bytes_read(origin, &origin->watched, piece->as_id, piece->va, watched, piece->bytes);
    for (size_t at = 0; at < piece->bytes; at++)
        if (watched[at])
            mark_needed(origin, piece->tags[at], watched[at] - 1u);
}

/* Room for the marks of `bytes` more bytes. */
static bool marks_grow(struct scrub_origin *origin, uint64_t bytes)
{
    const uint64_t wanted = (origin->byte_count + bytes) / 8 + 1;
    uint64_t capacity = origin->capacity_bytes ? origin->capacity_bytes : CAPACITY_FIRST;
    uint8_t *needed, *repeated;

    while (capacity < wanted)
        capacity *= 2;
    if (capacity == origin->capacity_bytes)
        return true;
    if (capacity > (origin->limit_bytes ? origin->limit_bytes : TRACE_SPACES_BYTES))
        return error_set(&origin->error, ERROR_LIMIT,
                         "the marks of its memory's bytes take more than --max-memory");
    needed = realloc(origin->needed, capacity);
    if (needed)
        origin->needed = needed;
    repeated = needed ? realloc(origin->repeated, capacity) : NULL;
    if (repeated)
        origin->repeated = repeated;
    if (!repeated)
        return error_set(&origin->error, ERROR_SYSTEM, "no memory for the marks of its bytes");
    memset(origin->needed + origin->capacity_bytes, 0, capacity - origin->capacity_bytes);
    memset(origin->repeated + origin->capacity_bytes, 0, capacity - origin->capacity_bytes);
    origin->capacity_bytes = capacity;
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

static void mem_piece(struct scrub_origin *origin, const struct trace_mem *mem, size_t from,
                      size_t bytes)
{
    struct piece piece;

    piece_read(&piece, origin, mem->as_id, mem->address + from, bytes);
    for (size_t at = 0; at < bytes; at++) {
        const uint64_t byte = origin->byte_count + from + at, tag = piece.tags[at];

        if (tag != 0 && !(tag & TAG_MOVED) && piece.content[at] == mem->data.data[from + at])
            origin->repeated[byte / 8] |= (uint8_t)(1 << byte % 8);
        else
            piece.tags[at] = byte + 1;
        piece.content[at] = mem->data.data[from + at];
    }
    piece.is_tagged = true;
    piece_watched(&piece);
    piece_write(&piece);
}

static bool mem_is_inside(const struct trace_mem *mem)
{
    return mem->address < TRACE_SPACE_VA_BYTES &&
           mem->data.length <= TRACE_SPACE_VA_BYTES - mem->address;
}

static bool origin_mem(struct scrub_origin *origin, const struct trace_mem *mem,
                       uint32_t physical_reason)
{
    if (!marks_grow(origin, mem->data.length))
        return false;
    if (!trace_as_is_physical(mem->as_id) && !mem_is_inside(mem))
        return error_set(&origin->error, ERROR_INPUT,
                         "memory at 0x%llx lies outside the 49-bit address space",
                         (unsigned long long)mem->address);
    for (size_t from = 0, bytes; from < mem->data.length; from += bytes) {
        bytes = piece_bytes(mem->address + from, mem->data.length - from);
        if (!trace_as_is_physical(mem->as_id))
            mem_piece(origin, mem, from, bytes);
        for (size_t at = 0; trace_as_is_physical(mem->as_id) && at < bytes; at++)
            mark_needed(origin, origin->byte_count + from + at + 1, physical_reason);
    }
    origin->byte_count += mem->data.length;
    origin->record_count++;
    return origin->error.kind == ERROR_NONE;
}

bool scrub_origin_record(struct scrub_origin *origin, const struct trace_record *record,
                         uint32_t physical_reason)
{
    if (record->head.kind == TRACE_MEM)
        return origin_mem(origin, &record->mem, physical_reason);
    if (!trace_spaces_record(&origin->content, record, &origin->error) ||
        !trace_spaces_record(&origin->watched, record, &origin->error))
        return false;
    for (uint32_t i = 0; i < SCRUB_ORIGIN_PLANES; i++)
        if (!trace_spaces_record(&origin->planes[i], record, &origin->error))
            return false;
    return true;
}

/* ---- the stream ------------------------------------------------------------------------------ */

bool scrub_origin_read(struct scrub_origin *origin, uint32_t as_id, uint64_t va, void *data,
                       size_t bytes)
{
    const struct trace_space *space = trace_space(&origin->content, as_id, &origin->error);

    return space && trace_space_read(space, va, data, bytes);
}

/* What of a range lies inside an address space. */
static uint64_t range_inside(uint64_t va, uint64_t bytes)
{
    if (va >= TRACE_SPACE_VA_BYTES)
        return 0;
    return bytes < TRACE_SPACE_VA_BYTES - va ? bytes : TRACE_SPACE_VA_BYTES - va;
}

void scrub_origin_needs(struct scrub_origin *origin, uint32_t as_id, uint64_t va, uint64_t bytes,
                        uint32_t reason, bool watch)
{
    const uint64_t inside = range_inside(va, bytes);
    uint8_t watched[PIECE_BYTES];
    struct piece piece;
    size_t here;

    memset(watched, (int)reason + 1, sizeof watched);
    for (uint64_t at = 0; at < inside && origin->error.kind == ERROR_NONE; at += here) {
        here = piece_bytes(va + at, inside - at);
        piece_read(&piece, origin, as_id, va + at, here);
        for (size_t i = 0; piece.is_tagged && i < here; i++)
            mark_needed(origin, piece.tags[i], reason);
        if (watch)
            bytes_write(origin, &origin->watched, as_id, va + at, watched, here);
    }
}

/* As many bytes as do not cross a page on either side. */
static size_t move_bytes(uint64_t to_va, uint64_t from_va, uint64_t bytes)
{
    return piece_bytes(from_va, piece_bytes(to_va, bytes));
}

void scrub_origin_moves(struct scrub_origin *origin, uint32_t as_id, uint64_t to_va,
                        uint64_t from_va, uint64_t bytes)
{
    const uint64_t inside = range_inside(from_va, range_inside(to_va, bytes));
    struct piece piece;
    size_t here;

    for (uint64_t at = 0; at < inside && origin->error.kind == ERROR_NONE; at += here) {
        here = move_bytes(to_va + at, from_va + at, inside - at);
        piece_read(&piece, origin, as_id, from_va + at, here);
        for (size_t i = 0; piece.is_tagged && i < here; i++)
            piece.tags[i] |= piece.tags[i] ? TAG_MOVED : 0;
        piece.va = to_va + at;
        piece_watched(&piece);
        piece_write(&piece);
    }
}
