/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/format/trace_store.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    SLOTS_MAX = 80,
    SLOT_STEP_BYTES = CHUNK_BUFFER_STEP_BYTES, /* capacities are multiples */
};

struct segment {
    uint64_t file_offset, first_chunk;
    uint64_t position, first_record;
};

/* An unpacked segment. */
struct slot {
    uint32_t segment; /* UINT32_MAX: empty */
    uint64_t used_at; /* of the store's clock */
    uint64_t position;
    size_t bytes, capacity;
    uint8_t *data;
    uint32_t *chunk_starts; /* in `data`, and the end behind the last */
    uint32_t chunk_count, chunk_capacity;
};

struct trace_store {
    int fd;
    struct chunk_reader *chunks; /* for the second pass */
    struct segment *segments;    /* one more than the count: the end */
    uint32_t segment_count, segment_capacity;
    uint64_t last_chunk; /* of the first pass; UINT64_MAX before it */
    struct slot slots[SLOTS_MAX];
    struct slot *last; /* used last; NULL = none */
    uint64_t clock, load_count;
    size_t held_bytes, peak_bytes;
    uint8_t piece[TRACE_PIECE_BYTES]; /* referenced bytes */
};

struct trace_store *trace_store_new(int fd, const char *name, struct gfe_error *error)
{
    struct chunk_reader *chunks = chunk_reader_new(fd, true, name, error);
    struct trace_store *store = chunks ? calloc(1, sizeof *store) : NULL;

    if (!store) {
        error_set_errno(error, ENOMEM, "%s: cannot read", name);
        chunk_reader_free(chunks);
        return NULL;
    }
    chunk_reader_read_ahead(chunks); /* most of the time one segment follows the other */
    store->fd = fd;
    store->chunks = chunks;
    /* It is read again and again; the first time, trace_store_reader() counts. */
    chunk_reader_limit(chunks, UINT64_MAX);
    store->last_chunk = UINT64_MAX;
    for (uint32_t i = 0; i < SLOTS_MAX; i++)
        store->slots[i].segment = UINT32_MAX;
    return store;
}

struct trace_reader *trace_store_reader(struct trace_store *store, struct gfe_error *error)
{
    struct chunk_reader *chunks =
        chunk_reader_new(store->fd, false, chunk_reader_name(store->chunks), error);

    if (!chunks)
        return NULL;
    chunk_reader_read_ahead(chunks);
    return trace_reader_adopt(chunks, NULL, error);
}

void trace_store_free(struct trace_store *store)
{
    if (!store)
        return;
    for (uint32_t i = 0; i < SLOTS_MAX; i++) {
        free(store->slots[i].data);
        free(store->slots[i].chunk_starts);
    }
    chunk_reader_free(store->chunks);
    free(store->segments);
    free(store);
}

/* ---- the first pass -------------------------------------------------------------------------- */

static bool segments_reserve(struct trace_store *store)
{
    const uint32_t capacity = store->segment_capacity ? 2 * store->segment_capacity : 64;
    struct segment *segments;

    if (store->segment_count + 2 <= store->segment_capacity)
        return true;
    segments = realloc(store->segments, capacity * sizeof *segments);
    if (!segments)
        return false;
    store->segments = segments;
    store->segment_capacity = capacity;
    return true;
}

/* A segment ends where a chunk does, when it has its size. */
static bool segment_is_full(const struct trace_store *store, const struct trace_position *position)
{
    return store->segment_count == 0 ||
           position->chunk - store->segments[store->segment_count - 1].position >=
               TRACE_STORE_TARGET_BYTES;
}

uint32_t trace_store_note(struct trace_store *store, const struct trace_position *position)
{
    if (position->chunk_number != store->last_chunk && segment_is_full(store, position)) {
        if (!segments_reserve(store))
            return UINT32_MAX;
        store->segments[store->segment_count++] =
            (struct segment){.file_offset = position->chunk_offset,
                             .first_chunk = position->chunk_number,
                             .position = position->chunk,
                             .first_record = position->record_number};
    }
    store->last_chunk = position->chunk_number;
    store->segments[store->segment_count] =
        (struct segment){.first_chunk = position->chunk_number + 1,
                         .position = position->chunk + position->chunk_bytes,
                         .first_record = position->record_number + 1};
    return store->segment_count - 1;
}

uint32_t trace_store_segment_count(const struct trace_store *store)
{
    return store->segment_count;
}

struct trace_place trace_store_segment(const struct trace_store *store, uint32_t segment)
{
    assert(segment <= store->segment_count && store->segment_count > 0);
    return (struct trace_place){store->segments[segment].first_record,
                                store->segments[segment].position};
}

uint32_t trace_store_segment_of(const struct trace_store *store, uint64_t number)
{
    uint32_t low = 0, high = store->segment_count;

    /* The last whose first record is not behind. */
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (store->segments[middle].first_record <= number)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* ---- unpacking ------------------------------------------------------------------------------- */

static bool store_changed(const struct trace_store *store, struct gfe_error *error)
{
    return error_set(error, ERROR_INPUT, "%s: was changed while it was replayed",
                     chunk_reader_name(store->chunks));
}

static void slot_clear(struct trace_store *store, struct slot *slot)
{
    store->held_bytes -= slot->capacity;
    free(slot->data);
    free(slot->chunk_starts);
    *slot = (struct slot){.segment = UINT32_MAX};
}

/* The slot to use next, and room in the cache: an empty one, or that used longest ago. */
static struct slot *slot_choose(struct trace_store *store, size_t bytes)
{
    for (;;) {
        struct slot *empty = NULL, *oldest = NULL;

        for (uint32_t i = 0; i < SLOTS_MAX; i++) {
            struct slot *slot = &store->slots[i];

            if (slot->capacity == 0)
                empty = empty ? empty : slot;
            else if (!oldest || slot->used_at < oldest->used_at)
                oldest = slot;
        }
        if (empty && store->held_bytes + bytes <= TRACE_STORE_CACHE_BYTES)
            return empty;
        assert(oldest);
        if (oldest->capacity == bytes)
            return oldest;
        slot_clear(store, oldest);
    }
}

static bool slot_reserve(struct trace_store *store, struct slot *slot, size_t bytes)
{
    if (slot->capacity < bytes) {
        slot->data = malloc(bytes);
        if (!slot->data)
            return false;
        slot->capacity = bytes;
        store->held_bytes += bytes;
        if (store->held_bytes > store->peak_bytes)
            store->peak_bytes = store->held_bytes;
    }
    return true;
}

static bool slot_chunk_add(struct slot *slot, uint32_t start)
{
    if (slot->chunk_count == slot->chunk_capacity) {
        const uint32_t capacity = slot->chunk_capacity ? 2 * slot->chunk_capacity : 4;
        uint32_t *starts = realloc(slot->chunk_starts, capacity * sizeof *starts);

        if (!starts)
            return false;
        slot->chunk_starts = starts;
        slot->chunk_capacity = capacity;
    }
    slot->chunk_starts[slot->chunk_count++] = start;
    return true;
}

/* Most segments have one chunk: then its buffer need not be copied. */
static void slot_take(struct trace_store *store, struct slot *slot, const struct chunk *chunk)
{
    uint8_t *data =
        slot->bytes == 0 ? chunk_reader_exchange(store->chunks, slot->data, slot->capacity) : NULL;

    if (data)
        slot->data = data;
    else
        memcpy(slot->data + slot->bytes, chunk->raw, chunk->raw_bytes);
    slot->bytes += chunk->raw_bytes;
}

/* Unpacks the chunks of a segment, one behind the other. */
static bool slot_fill(struct trace_store *store, struct slot *slot, const struct segment *segment,
                      struct gfe_error *error)
{
    struct chunk chunk;

    slot->bytes = 0;
    slot->chunk_count = 0;
    chunk_reader_seek(store->chunks, segment->file_offset, segment->first_chunk);
    while (slot->bytes < segment[1].position - segment->position) {
        const enum chunk_result result = chunk_read(store->chunks, &chunk, error);

        if (result == CHUNK_FAILED)
            return false;
        if (result == CHUNK_AT_END || chunk.kind != CHUNK_TRACE ||
            chunk.raw_bytes > segment[1].position - segment->position - slot->bytes)
            return store_changed(store, error);
        if (!slot_chunk_add(slot, (uint32_t)slot->bytes))
            return error_set_errno(error, ENOMEM, "%s: cannot read",
                                   chunk_reader_name(store->chunks));
        slot_take(store, slot, &chunk);
    }
    return true;
}

static struct slot *slot_load(struct trace_store *store, uint32_t index, struct gfe_error *error)
{
    const struct segment *segment = &store->segments[index];
    const size_t bytes = ((size_t)(segment[1].position - segment->position) + SLOT_STEP_BYTES - 1) /
                         SLOT_STEP_BYTES * SLOT_STEP_BYTES;
    struct slot *slot = slot_choose(store, bytes);

    slot->segment = UINT32_MAX;
    store->last = NULL;
    if (!slot_reserve(store, slot, bytes)) {
        error_set_errno(error, ENOMEM, "%s: cannot read", chunk_reader_name(store->chunks));
        return NULL;
    }
    if (!slot_fill(store, slot, segment, error))
        return NULL;
    slot->segment = index;
    slot->position = segment->position;
    store->load_count++;
    return slot;
}

static struct slot *slot_of_segment(struct trace_store *store, uint32_t index,
                                    struct gfe_error *error)
{
    struct slot *slot = NULL;

    for (uint32_t i = 0; i < SLOTS_MAX && !slot; i++)
        if (store->slots[i].segment == index)
            slot = &store->slots[i];
    if (!slot)
        slot = slot_load(store, index, error);
    if (slot)
        slot->used_at = ++store->clock;
    return slot;
}

/* The slot with the record at a place.  NULL with a message. */
static const struct slot *slot_at(struct trace_store *store, const struct trace_place *place,
                                  struct gfe_error *error)
{
    struct slot *slot = store->last;

    if (slot && place->position - slot->position < slot->bytes) {
        slot->used_at = ++store->clock;
        return slot;
    }
    slot = slot_of_segment(store, trace_store_segment_of(store, place->number), error);
    store->last = slot;
    if (slot && place->position - slot->position >= slot->bytes) {
        store_changed(store, error);
        return NULL;
    }
    return slot;
}

/* ---- records --------------------------------------------------------------------------------- */

/* Bytes of the record at a place up to the end of its segment; NULL with a message when there is
 * not even a head. */
static const uint8_t *record_bytes(struct trace_store *store, const struct trace_place *place,
                                   struct trace_head *head, struct gfe_error *error)
{
    const struct slot *slot = slot_at(store, place, error);
    const uint8_t *from;
    size_t left;

    if (!slot)
        return NULL;
    from = slot->data + (place->position - slot->position);
    left = slot->bytes - (size_t)(place->position - slot->position);
    if (left >= TRACE_HEAD_BYTES) {
        trace_decode_head(head, from);
        if (head->length_bytes <= left - TRACE_HEAD_BYTES && trace_record_row(head->kind))
            return from;
    }
    store_changed(store, error);
    return NULL;
}

bool trace_store_head(struct trace_store *store, const struct trace_place *place,
                      struct trace_head *head, struct gfe_error *error)
{
    return record_bytes(store, place, head, error) != NULL;
}

struct trace_place trace_store_behind(const struct trace_place *place,
                                      const struct trace_head *head)
{
    return (struct trace_place){place->number + 1,
                                place->position + TRACE_HEAD_BYTES + head->length_bytes};
}

/* The segment that holds a chunk. */
static uint32_t segment_of_chunk(const struct trace_store *store, uint64_t chunk)
{
    uint32_t low = 0, high = store->segment_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;

        if (store->segments[middle].first_chunk <= chunk)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Copies what a MEM refers to.  The first pass has checked it; here only that it is still so. */
static bool reference_copy(struct trace_store *store, const struct trace_reference *reference,
                           struct trace_bytes *data, struct gfe_error *error)
{
    const uint32_t index = segment_of_chunk(store, reference->chunk_number);
    const struct slot *slot = slot_of_segment(store, index, error);
    uint64_t chunk, end;

    if (!slot)
        return false;
    chunk = reference->chunk_number - store->segments[index].first_chunk;
    if (chunk >= slot->chunk_count || data->length > sizeof store->piece)
        return store_changed(store, error);
    end = chunk + 1 < slot->chunk_count ? slot->chunk_starts[chunk + 1] : slot->bytes;
    if (reference->offset > end - slot->chunk_starts[chunk] ||
        data->length > end - slot->chunk_starts[chunk] - reference->offset)
        return store_changed(store, error);
    memcpy(store->piece, slot->data + slot->chunk_starts[chunk] + reference->offset, data->length);
    data->data = store->piece;
    return true;
}

bool trace_store_record(struct trace_store *store, const struct trace_place *place,
                        struct trace_record *record, struct trace_scratch *scratch,
                        struct gfe_error *error)
{
    struct trace_reference reference;
    const uint8_t *from = record_bytes(store, place, &record->head, error);
    const char *wrong;

    if (!from)
        return false;
    wrong = trace_decode_fields(record, from + TRACE_HEAD_BYTES, scratch, &reference);
    if (wrong == trace_memory_is_short)
        return error_set_errno(error, ENOMEM, "%s: cannot read", chunk_reader_name(store->chunks));
    if (wrong)
        return store_changed(store, error);
    return record->head.kind != TRACE_MEM || !reference.present ||
           reference_copy(store, &reference, &record->mem.data, error);
}

uint64_t trace_store_load_count(const struct trace_store *store)
{
    return store->load_count;
}

size_t trace_store_peak_bytes(const struct trace_store *store)
{
    return store->peak_bytes;
}
