/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/replay/replay_fences.h"

#include <stdlib.h>

enum { FENCES_FIRST = 64, FENCES_PAGE_BITS = 12 };

struct fences_entry {
    struct replay_fence fence;
    uint32_t next;   /* of the same bucket: index + 1, 0 = none */
    bool is_current; /* the program has not written there since */
};

struct replay_fences {
    struct fences_entry *entries;
    uint32_t count, capacity;
    uint32_t *buckets; /* by space and page, as many as entries: index + 1, 0 = none */
};

struct replay_fences *replay_fences_new(void)
{
    return calloc(1, sizeof(struct replay_fences));
}

void replay_fences_free(struct replay_fences *fences)
{
    if (!fences)
        return;
    free(fences->entries);
    free(fences->buckets);
    free(fences);
}

static uint32_t *fences_bucket(const struct replay_fences *fences, uint32_t as_id, uint64_t address)
{
    const uint64_t page = address >> FENCES_PAGE_BITS ^ (uint64_t)as_id << 40;
    const uint32_t hash = (uint32_t)(page * UINT64_C(0x9e3779b97f4a7c15) >> 32);

    return &fences->buckets[hash & (fences->capacity - 1)];
}

static void fences_link(struct replay_fences *fences, uint32_t index)
{
    struct fences_entry *entry = &fences->entries[index];
    uint32_t *bucket = fences_bucket(fences, entry->fence.as_id, entry->fence.address);

    entry->next = *bucket;
    *bucket = index + 1;
}

static bool fences_grow(struct replay_fences *fences)
{
    const uint32_t capacity = fences->capacity ? 2 * fences->capacity : FENCES_FIRST;
    struct fences_entry *entries = realloc(fences->entries, capacity * sizeof *entries);
    uint32_t *buckets = entries ? calloc(capacity, sizeof *buckets) : NULL;

    if (entries)
        fences->entries = entries;
    if (!buckets)
        return false;
    free(fences->buckets);
    fences->buckets = buckets;
    fences->capacity = capacity;
    for (uint32_t i = 0; i < fences->count; i++)
        fences_link(fences, i);
    return true;
}

enum replay_fences_result replay_fences_written(struct replay_fences *fences,
                                                const struct replay_fence *fence)
{
    uint32_t next = fences->count > 0 ? *fences_bucket(fences, fence->as_id, fence->address) : 0;

    while (next != 0) {
        struct fences_entry *entry = &fences->entries[next - 1];

        if (entry->fence.channel_id == fence->channel_id && entry->fence.as_id == fence->as_id &&
            entry->fence.address == fence->address && entry->fence.end_number == REPLAY_NO_RECORD) {
            entry->fence.value = fence->value;
            entry->fence.write_count++;
            entry->is_current = true;
            return REPLAY_FENCES_DONE;
        }
        next = entry->next;
    }
    if (fences->count == REPLAY_FENCES_MAX)
        return REPLAY_FENCES_FULL;
    if (fences->count == fences->capacity && !fences_grow(fences))
        return REPLAY_FENCES_NO_MEMORY;
    fences->entries[fences->count] = (struct fences_entry){.fence = *fence, .is_current = true};
    fences->entries[fences->count].fence.write_count = 1;
    fences->entries[fences->count].fence.end_number = REPLAY_NO_RECORD;
    fences_link(fences, fences->count++);
    return REPLAY_FENCES_DONE;
}

void replay_fences_channel_end(struct replay_fences *fences, uint32_t channel_id,
                               uint64_t record_number)
{
    for (uint32_t i = 0; i < fences->count; i++) {
        struct replay_fence *fence = &fences->entries[i].fence;

        if (fence->channel_id == channel_id && fence->end_number == REPLAY_NO_RECORD)
            fence->end_number = record_number;
    }
}

void replay_fences_overwritten(struct replay_fences *fences, uint32_t as_id, uint64_t address,
                               uint64_t bytes)
{
    uint32_t next = fences->count > 0 ? *fences_bucket(fences, as_id, address) : 0;

    while (next != 0) {
        struct fences_entry *entry = &fences->entries[next - 1];

        if (entry->fence.as_id == as_id && entry->fence.address - address < bytes)
            entry->is_current = false;
        next = entry->next;
    }
}

static int fences_order(const void *a, const void *b)
{
    const struct replay_fence *x = a, *y = b;

    if (x->address != y->address)
        return x->address < y->address ? -1 : 1;
    return x->channel_id < y->channel_id ? -1 : x->channel_id > y->channel_id;
}

bool replay_fences_take(const struct replay_fences *fences, struct replay_fence **sorted,
                        uint32_t *count)
{
    struct replay_fence *list = fences->count ? malloc(fences->count * sizeof *list) : NULL;

    *sorted = list;
    *count = 0;
    if (fences->count > 0 && !list)
        return false;
    for (uint32_t i = 0; i < fences->count; i++)
        if (fences->entries[i].is_current)
            list[(*count)++] = fences->entries[i].fence;
    if (*count > 0)
        qsort(list, *count, sizeof *list, fences_order);
    return true;
}
