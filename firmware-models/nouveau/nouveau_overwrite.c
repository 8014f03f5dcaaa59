/* SPDX-License-Identifier: MIT */
/*
 * Does a store of the program hit commands that a channel has in its ring and the GPU has not
 * fetched?  Asked for every store, so entries are only looked at when the store lies between the
 * first and the last address of one of the last submissions.
 */
#include <config.h>

#include <string.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

/* Makes room for another: the oldest two become one that ends with the later fence. */
static void nouveau_spans_merge(struct nouveau_spans *spans)
{
    struct nouveau_span *first = &spans->span[0], *second = &spans->span[1];

    second->begin = first->begin < second->begin ? first->begin : second->begin;
    second->end = first->end > second->end ? first->end : second->end;
    memmove(first, second, (--spans->count) * sizeof *first);
    spans->span[spans->count] = (struct nouveau_span){0};
}

void nouveau_note_span(struct nouveau_channel *channel, uint64_t va, uint64_t bytes)
{
    const uint32_t fence_value = channel->fence_value + 1; /* of the submission being made */
    struct nouveau_spans *spans = &channel->spans;
    struct nouveau_span *last;

    if (spans->count == 0 || spans->span[spans->count - 1].fence_value != fence_value) {
        if (spans->count == NOUVEAU_SPANS_MAX)
            nouveau_spans_merge(spans);
        spans->span[spans->count++] =
            (struct nouveau_span){.begin = va, .end = va + bytes, .fence_value = fence_value};
        return;
    }
    last = &spans->span[spans->count - 1];
    last->begin = va < last->begin ? va : last->begin;
    last->end = va + bytes > last->end ? va + bytes : last->end;
}

/* Where something lies, as one number: the address, and the aperture in the highest bit. */
static uint64_t nouveau_physical_key(const struct address_space_range *where)
{
    return where->physical | (uint64_t)(where->aperture == MEMORY_SYSMEM) << 63;
}

void nouveau_note_physical(struct nouveau *nouveau, struct nouveau_channel *channel, uint64_t va,
                           uint64_t bytes)
{
    struct address_space_range where;
    uint64_t contiguous;

    while (bytes > 0 && address_space_translate(&nouveau->machine->spaces, channel->space_id, va,
                                                &where, &contiguous)) {
        const uint64_t part = contiguous < bytes ? contiguous : bytes;

        nouveau_note_span(channel, nouveau_physical_key(&where), part);
        va += part;
        bytes -= part;
    }
}

/* Converts a store to a memory object into a record of its physical place.  Returns false if the
 * object has none. */
static bool nouveau_store_physical(struct nouveau *nouveau, const struct trace_mem *record,
                                   struct trace_mem *physical)
{
    struct address_space_range where;
    uint64_t contiguous;

    if (!address_space_translate(&nouveau->machine->spaces, nouveau->state->object_space,
                                 record->address, &where, &contiguous))
        return false;
    *physical = *record;
    physical->address = nouveau_physical_key(&where);
    return true;
}

/* Returns true if the store may hit what submissions after fence value `done` have in the ring. */
static bool nouveau_may_hit(const struct nouveau_channel *channel, uint32_t done,
                            const struct trace_mem *record)
{
    const uint64_t end = record->address + record->data.length;

    if (record->address < channel->buffer_va + NOUVEAU_PUSH_BYTES && end > channel->buffer_va)
        return true; /* where the driver's own fences lie */
    for (uint32_t i = 0; i < channel->spans.count; i++) {
        const struct nouveau_span *span = &channel->spans.span[i];

        if ((int32_t)(span->fence_value - done) > 0 && record->address < span->end &&
            end > span->begin)
            return true;
    }
    return false;
}

/* True when bytes in [from, to) of the channel's address space differ from `data`.  What is not
 * mapped does not differ. */
static bool nouveau_differs(struct nouveau *nouveau, const struct nouveau_channel *channel,
                            uint64_t from, uint64_t to, const uint8_t *data)
{
    uint8_t bytes[MEMORY_PAGE_BYTES];
    uint64_t fault;

    while (from < to) {
        const uint64_t page_end = (from / MEMORY_PAGE_BYTES + 1) * MEMORY_PAGE_BYTES;
        const size_t here = (size_t)((to < page_end ? to : page_end) - from);

        if (machine_vm_read(nouveau->machine, channel->space_id, from, bytes, here, &fault) &&
            memcmp(bytes, data, here) != 0)
            return true;
        from += here;
        data += here;
    }
    return false;
}

static struct nv_gp_entry nouveau_entry(struct nouveau *nouveau,
                                        const struct nouveau_channel *channel, uint32_t index)
{
    uint32_t words[2];

    (void)machine_read(nouveau->machine, MEMORY_SYSMEM,
                       channel->buffer + NOUVEAU_PUSH_BYTES + UINT64_C(8) * index, words,
                       sizeof words);
    return nv_gp_entry_decode(words[0], words[1]);
}

/* True when the store changes bytes of the segment that a GP entry names. */
static bool nouveau_changes(struct nouveau *nouveau, const struct nouveau_channel *channel,
                            uint32_t index, const struct trace_mem *record)
{
    const struct nv_gp_entry entry = nouveau_entry(nouveau, channel, index);
    const uint64_t end = record->address + record->data.length;
    uint64_t from, to;

    from = entry.address > record->address ? entry.address : record->address;
    to = entry.address + UINT64_C(4) * entry.length_dwords;
    to = to < end ? to : end;
    return from < to && nouveau_differs(nouveau, channel, from, to,
                                        record->data.data + (from - record->address));
}

/* The same of commands at a virtual address, for a store whose address is nouveau_physical_key():
 * piece by piece. */
static bool nouveau_changes_physical(struct nouveau *nouveau, const struct nouveau_channel *channel,
                                     uint64_t commands, uint64_t bytes,
                                     const struct trace_mem *record)
{
    struct address_space_range where;
    uint64_t contiguous, done = 0;

    while (done < bytes && address_space_translate(&nouveau->machine->spaces, channel->space_id,
                                                   commands + done, &where, &contiguous)) {
        const uint64_t part = contiguous < bytes - done ? contiguous : bytes - done;
        const uint64_t key = nouveau_physical_key(&where);
        const uint64_t end = record->address + record->data.length;
        const uint64_t from = key > record->address ? key : record->address;
        const uint64_t to = key + part < end ? key + part : end;
        const uint64_t va = commands + done + (from - key);

        if (from < to && nouveau_differs(nouveau, channel, va, va + (to - from),
                                         record->data.data + (from - record->address)))
            return true;
        done += part;
    }
    return false;
}

static bool nouveau_changes_entry(struct nouveau *nouveau, const struct nouveau_channel *channel,
                                  uint32_t index, const struct trace_mem *record)
{
    const struct nv_gp_entry entry = nouveau_entry(nouveau, channel, index);

    return nouveau_changes_physical(nouveau, channel, entry.address,
                                    UINT64_C(4) * entry.length_dwords, record);
}

/* Commands of a job whose entries are not in the ring yet. */
static bool nouveau_changes_job(struct nouveau *nouveau, const struct nouveau_job *job,
                                const struct trace_mem *record)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t at = job->first_item; at != 0; at = jobs->item[at - 1].next)
        if (nouveau_changes_physical(nouveau, &nouveau->state->channels[job->queue],
                                     jobs->item[at - 1].va, jobs->item[at - 1].size_bytes, record))
            return true;
    return false;
}

/* Jobs of all channels: the program waits for the fence that such a one will have. */
static bool nouveau_overwrites_jobs(struct nouveau *nouveau, const struct trace_mem *record,
                                    struct driver_fence *fence)
{
    const struct nouveau_jobs *jobs = &nouveau->state->jobs;

    for (uint32_t i = 0; i < NOUVEAU_JOBS_MAX && jobs->job_count > 0; i++) {
        const struct nouveau_job *job = &jobs->job[i];
        const struct nouveau_channel *channel = &nouveau->state->channels[job->queue];
        uint32_t ahead, number;

        if (job->queue >= NOUVEAU_CHANNELS_MAX || job->first_item == 0 || !channel->used ||
            !nouveau_changes_job(nouveau, job, record))
            continue;
        ahead = nouveau_jobs_queued(nouveau, job->queue, job->number, &ahead, &number);
        *fence = (struct driver_fence){channel->fence_physical, MEMORY_VRAM,
                                       channel->fence_value + ahead, channel->fence_va};
        return true;
    }
    return false;
}

/* The value of the fence behind an entry: entries that name the kernel's own push buffer are
 * fences, and the last of them that is in the ring has the channel's last value. */
static uint32_t nouveau_fence_behind(struct nouveau *nouveau, const struct nouveau_channel *channel,
                                     uint32_t index, uint32_t mask)
{
    uint32_t fences = 0;

    for (uint32_t i = index; i != channel->put; i = (i + 1) & mask)
        fences +=
            nouveau_entry(nouveau, channel, i).address - channel->buffer_va < NOUVEAU_PUSH_BYTES;
    return channel->fence_value - fences + 1; /* none: that of the submission being made */
}

/* True when all that the channel was given is done. */
static bool nouveau_is_through(const struct nouveau_channel *channel, uint32_t done)
{
    const struct nouveau_spans *spans = &channel->spans;

    return done == channel->fence_value &&
           (spans->count == 0 || (int32_t)(spans->span[spans->count - 1].fence_value - done) <= 0);
}

/* Looks at entries from the one in work (behind GP_GET) to GP_PUT.  The program waits for the fence
 * of the submission that it would change: a driver would. */
bool nouveau_overwrites(void *driver, const struct trace_mem *record, struct driver_fence *fence)
{
    struct nouveau *nouveau = driver;
    const uint32_t mask =
        (uint32_t)machine_parameter(nouveau->machine, PARAM_NOUVEAU_RING_ENTRIES) - 1;
    const bool of_object = record->as_id == TRACE_AS_OBJECTS;
    struct trace_mem physical;

    if (of_object && !nouveau_store_physical(nouveau, record, &physical))
        return false;
    if (of_object && nouveau_overwrites_jobs(nouveau, &physical, fence))
        return true;
    for (uint32_t id = 0; id < NOUVEAU_CHANNELS_MAX; id++) {
        const struct nouveau_channel *channel = &nouveau->state->channels[id];
        const uint64_t userd =
            nouveau->state->userd_pool + (uint64_t)id * NV_RAMUSERD_BYTES + NV_RAMUSERD_GP_GET;
        uint32_t done = 0, get = 0;

        if (!channel->used || (of_object ? !nouveau->state->space_is_vm[channel->as_id]
                                         : channel->as_id != record->as_id))
            continue;
        (void)machine_read(nouveau->machine, MEMORY_VRAM, channel->fence_physical, &done,
                           sizeof done);
        if (nouveau_is_through(channel, done) ||
            !nouveau_may_hit(channel, done, of_object ? &physical : record))
            continue;
        (void)machine_read(nouveau->machine, MEMORY_VRAM, userd, &get, sizeof get);
        for (uint32_t i = (get - 1) & mask; i != channel->put; i = (i + 1) & mask)
            if (of_object ? nouveau_changes_entry(nouveau, channel, i, &physical)
                          : nouveau_changes(nouveau, channel, i, record)) {
                *fence = (struct driver_fence){channel->fence_physical, MEMORY_VRAM,
                                               nouveau_fence_behind(nouveau, channel, i, mask),
                                               channel->fence_va};
                return true;
            }
    }
    return false;
}
