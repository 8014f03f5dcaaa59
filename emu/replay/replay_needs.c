/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_needs.h"

#include <stdlib.h>

enum { BUCKETS = 4096, PAGE_BITS = 12, LINES = 4096 };
/* In the number of an address space: the place is one of stores. */
#define STORES UINT32_C(0x80000000)

struct needs_place {
    uint64_t address;
    uint64_t thread;          /* of the last store */
    uint32_t as_id, queue_id; /* of the last write */
    uint32_t count;
    uint32_t next; /* of the same page's bucket: index + 1, 0 = none */
};

struct needs_entry {
    uint64_t number;
    uint32_t place, count;
};

struct needs_copy {
    uint64_t address, bytes;
    uint64_t due; /* done with so many completions of its queue */
    uint32_t as_id, queue_id;
    uint32_t place, count; /* of that completion; UINT32_MAX: it has not come */
};

/* Completions of an SDMA queue. */
struct needs_line {
    uint64_t asked, done;
    uint32_t open; /* copies without a place */
};

struct replay_needs {
    struct needs_place *places;
    struct needs_entry *entries; /* by number, as they were noted */
    uint32_t place_count, place_capacity;
    uint64_t entry_count, entry_capacity;
    uint32_t buckets[BUCKETS]; /* index + 1 */
    uint64_t copy_count;
    struct needs_line lines[LINES]; /* by the queue's number */
    struct needs_copy copies[REPLAY_COPIES_MAX];
};

struct replay_needs *replay_needs_new(void)
{
    return calloc(1, sizeof(struct replay_needs));
}

void replay_needs_free(struct replay_needs *needs)
{
    if (!needs)
        return;
    free(needs->places);
    free(needs->entries);
    free(needs);
}

static uint32_t bucket_of(uint32_t as_id, uint64_t address)
{
    const uint64_t page = address >> PAGE_BITS ^ (uint64_t)as_id << 40;

    return (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 32) % BUCKETS;
}

uint32_t replay_needs_place(const struct replay_needs *needs, uint32_t as_id, uint64_t address)
{
    uint32_t next = needs->buckets[bucket_of(as_id, address)];

    while (next != 0 &&
           (needs->places[next - 1].address != address || needs->places[next - 1].as_id != as_id))
        next = needs->places[next - 1].next;
    return next - 1;
}

uint32_t replay_needs_place_count(const struct replay_needs *needs)
{
    return needs->place_count;
}

/* ---- the first pass ---------------------------------------------------------------------------
 */

static uint32_t place_new(struct replay_needs *needs, uint32_t as_id, uint64_t address)
{
    uint32_t *bucket = &needs->buckets[bucket_of(as_id, address)];

    if (needs->place_count == REPLAY_PLACES_MAX)
        return UINT32_MAX;
    if (needs->place_count == needs->place_capacity) {
        const uint32_t capacity = needs->place_capacity ? 2 * needs->place_capacity : 64;
        struct needs_place *grown = realloc(needs->places, capacity * sizeof *grown);

        if (!grown)
            return UINT32_MAX;
        needs->places = grown;
        needs->place_capacity = capacity;
    }
    needs->places[needs->place_count] =
        (struct needs_place){.address = address, .as_id = as_id, .next = *bucket};
    *bucket = ++needs->place_count;
    return needs->place_count - 1;
}

static bool entry_put(struct replay_needs *needs, uint64_t number, uint32_t place, uint32_t count)
{
    if (needs->entry_count == needs->entry_capacity) {
        const uint64_t capacity = needs->entry_capacity ? 2 * needs->entry_capacity : 64;
        struct needs_entry *grown = realloc(needs->entries, capacity * sizeof *grown);

        if (!grown)
            return false;
        needs->entries = grown;
        needs->entry_capacity = capacity;
    }
    needs->entries[needs->entry_count++] = (struct needs_entry){number, place, count};
    return true;
}

static bool entry_add(struct replay_needs *needs, uint64_t number, uint32_t place)
{
    return entry_put(needs, number, place, needs->places[place].count);
}

/* ---- events ------------------------------------------------------------------------------------
 */

/* Places of no address space. */
uint32_t replay_needs_event_place(const struct replay_needs *needs, uint32_t client_id,
                                  uint32_t event_id)
{
    return replay_needs_place(needs, UINT32_MAX, (uint64_t)client_id << 32 | event_id);
}

bool replay_needs_fired(struct replay_needs *needs, uint32_t client_id, uint32_t event_id)
{
    uint32_t place = replay_needs_event_place(needs, client_id, event_id);

    if (place == UINT32_MAX)
        place = place_new(needs, UINT32_MAX, (uint64_t)client_id << 32 | event_id);
    if (place == UINT32_MAX)
        return false;
    needs->places[place].count++;
    needs->places[place].queue_id = UINT32_MAX;
    return true;
}

bool replay_needs_event(struct replay_needs *needs, uint32_t client_id, uint32_t event_id,
                        uint64_t number)
{
    const uint32_t place = replay_needs_event_place(needs, client_id, event_id);

    return place == UINT32_MAX || entry_add(needs, number, place);
}

/* ---- stores ------------------------------------------------------------------------------------
 */

uint32_t replay_needs_store_place(const struct replay_needs *needs, uint32_t as_id,
                                  uint64_t address)
{
    return replay_needs_place(needs, as_id | STORES, address);
}

bool replay_needs_stored(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                         uint64_t bytes, uint64_t thread, uint64_t number)
{
    uint32_t place = replay_needs_store_place(needs, as_id, address);
    struct needs_place *stores;

    if (bytes > REPLAY_STORE_BYTES_MAX)
        return true;
    if (place == UINT32_MAX) {
        if (needs->place_count >= REPLAY_PLACES_MAX / 2)
            return true;
        place = place_new(needs, as_id | STORES, address);
        if (place == UINT32_MAX)
            return false;
        needs->places[place].thread = thread;
        needs->places[place].queue_id = UINT32_MAX;
    }
    stores = &needs->places[place];
    if (stores->thread != thread && !entry_add(needs, number, place))
        return false;
    stores->thread = thread;
    stores->count++;
    return true;
}

/* ---- copies ------------------------------------------------------------------------------------
 */

static struct needs_line *line_of(struct replay_needs *needs, uint32_t queue_id)
{
    return &needs->lines[queue_id % LINES];
}

void replay_needs_asked(struct replay_needs *needs, uint32_t queue_id)
{
    line_of(needs, queue_id)->asked++;
}

void replay_needs_copy(struct replay_needs *needs, uint32_t as_id, uint64_t address, uint64_t bytes,
                       uint32_t queue_id)
{
    struct needs_copy *copy = &needs->copies[needs->copy_count++ % REPLAY_COPIES_MAX];

    *copy = (struct needs_copy){.address = address,
                                .bytes = bytes,
                                .due = line_of(needs, queue_id)->asked + 1,
                                .as_id = as_id,
                                .queue_id = queue_id,
                                .place = UINT32_MAX};
    line_of(needs, queue_id)->open++;
}

/* A queue of SDMA has completed something: the copies in front of it are done. */
static void copies_done(struct replay_needs *needs, uint32_t queue_id, uint32_t place)
{
    struct needs_line *line = line_of(needs, queue_id);
    uint32_t open = 0;

    line->done++;
    for (uint32_t i = 0; i < REPLAY_COPIES_MAX && line->open > 0; i++) {
        struct needs_copy *copy = &needs->copies[i];

        if (copy->bytes == 0 || copy->queue_id != queue_id || copy->place != UINT32_MAX)
            continue;
        open += copy->due > line->done;
        if (copy->due > line->done)
            continue;
        copy->place = place;
        copy->count = needs->places[place].count;
    }
    line->open = open;
}

static bool copies_range(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                         uint64_t bytes, uint64_t number)
{
    for (uint32_t i = 0; i < REPLAY_COPIES_MAX && i < needs->copy_count; i++) {
        const struct needs_copy *copy = &needs->copies[i];

        if (copy->as_id == as_id && copy->place != UINT32_MAX &&
            (copy->address - address < bytes || address - copy->address < copy->bytes) &&
            !entry_put(needs, number, copy->place, copy->count))
            return false;
    }
    return true;
}

bool replay_needs_written(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                          uint32_t queue_id)
{
    uint32_t place = replay_needs_place(needs, as_id, address);

    if (place == UINT32_MAX)
        place = place_new(needs, as_id, address);
    if (place == UINT32_MAX)
        return false;
    needs->places[place].count++;
    needs->places[place].queue_id = queue_id;
    if (line_of(needs, queue_id)->asked > 0)
        copies_done(needs, queue_id, place);
    return true;
}

bool replay_needs_range(struct replay_needs *needs, uint32_t as_id, uint64_t address,
                        uint64_t bytes, uint64_t number)
{
    const uint64_t last = (address + bytes - 1) >> PAGE_BITS;

    if (bytes == 0)
        return true;
    if (!copies_range(needs, as_id, address, bytes, number))
        return false;
    if (last - (address >> PAGE_BITS) >= BUCKETS) { /* each place, rather than each page */
        for (uint32_t i = 0; i < needs->place_count; i++)
            if (needs->places[i].as_id == as_id && needs->places[i].address - address < bytes &&
                !entry_add(needs, number, i))
                return false;
        return true;
    }
    for (uint64_t page = address >> PAGE_BITS; page <= last; page++)
        for (uint32_t next = needs->buckets[bucket_of(as_id, page << PAGE_BITS)]; next != 0;
             next = needs->places[next - 1].next) {
            const struct needs_place *place = &needs->places[next - 1];

            if (place->as_id == as_id && place->address >> PAGE_BITS == page &&
                place->address - address < bytes && !entry_add(needs, number, next - 1))
                return false;
        }
    return true;
}

bool replay_needs_queue(struct replay_needs *needs, uint32_t queue_id, uint64_t number)
{
    for (uint32_t i = 0; i < needs->place_count; i++)
        if (needs->places[i].queue_id == queue_id && !entry_add(needs, number, i))
            return false;
    return true;
}

/* ---- replay -----------------------------------------------------------------------------------
 */

/* The first entry of a record, or of one behind it. */
static uint64_t entries_of(const struct replay_needs *needs, uint64_t number)
{
    uint64_t low = 0, high = needs->entry_count;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (needs->entries[middle].number < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool replay_needs_met(const struct replay_needs *needs, uint64_t number, const uint32_t *written)
{
    for (uint64_t i = entries_of(needs, number);
         i < needs->entry_count && needs->entries[i].number == number; i++)
        if (written[needs->entries[i].place] < needs->entries[i].count)
            return false;
    return true;
}

uint64_t replay_needs_awaited(const struct replay_needs *needs, uint64_t number,
                              const uint32_t *written)
{
    for (uint64_t i = entries_of(needs, number);
         i < needs->entry_count && needs->entries[i].number == number; i++) {
        const struct needs_place *place = &needs->places[needs->entries[i].place];

        if (written[needs->entries[i].place] < needs->entries[i].count && place->as_id < STORES)
            return place->address;
    }
    return 0;
}
