/* SPDX-License-Identifier: MIT */
/* Channels of the bare-channel model, and what is submitted to them. */
#include <config.h>

#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_top.h"
#include "firmware-models/bare/bare.h"
#include "firmware-models/bare/bare_tables.h"

/* ASSUMED: where a channel's ring and the image of its graphics context are mapped, near the end of
 * the 40 bits of addresses that a GP entry has. */
#define BARE_VA UINT64_C(0xff00000000)

enum {
    KIND_COPY = 0xb5,
    KIND_HOST = 0x6f,
    BARE_IMAGE_BYTES = 0x11000,
    BARE_CHANNEL_BYTES = 0x20000, /* ring, then image */
    BARE_PUSH_MAX_BYTES = 0x7fffff,
};

static bool bare_refuse(struct bare *bare, const char *what, uint32_t channel_id)
{
    machine_fail(bare->machine, ERROR_INPUT, "%s (channel %u)", what, channel_id);
    return false;
}

struct bare_channel *bare_channel_find(const struct bare *bare, uint32_t recorded_id)
{
    for (uint32_t i = 0; i < BARE_CHANNELS_MAX; i++)
        if (bare->state->channels[i].used && bare->state->channels[i].recorded_id == recorded_id)
            return &bare->state->channels[i];
    return NULL;
}

static uint32_t bare_ring_entries(const struct bare *bare)
{
    return (uint32_t)machine_parameter(bare->machine, PARAM_BARE_RING_ENTRIES);
}

/* ---- before the first submission ------------------------------------------------------------- */

bool bare_channel(void *driver, const struct trace_channel *record)
{
    struct bare *bare = driver;
    uint32_t i = 0;

    if (record->as_id >= BARE_SPACES_MAX || bare->state->space_ids[record->as_id] == 0 ||
        bare_channel_find(bare, record->channel_id))
        return bare_refuse(bare, "the trace creates a channel twice, or without an address space",
                           record->channel_id);
    while (i < BARE_CHANNELS_MAX && bare->state->channels[i].used)
        i++;
    if (i == BARE_CHANNELS_MAX)
        return bare_refuse(bare, "too many channels", record->channel_id);
    bare->state->channels[i] = (struct bare_channel){
        .used = 1,
        .recorded_id = record->channel_id,
        .as_id = record->as_id,
        .count_physical = bare->state->count_page + UINT64_C(4) * i,
    };
    return true;
}

bool bare_object(void *driver, const struct trace_object *record)
{
    struct bare *bare = driver;
    struct bare_channel *channel = bare_channel_find(bare, record->channel_id);

    if (!channel)
        return bare_refuse(bare, "the trace makes an object of a channel that does not exist",
                           record->channel_id);
    if ((record->class_id & 0xff) == KIND_COPY)
        channel->has_copies = 1;
    else
        channel->has_others = 1;
    return true;
}

/* ---- made ------------------------------------------------------------------------------------ */

static uint32_t bare_index(const struct bare *bare, const struct bare_channel *channel)
{
    return (uint32_t)(channel - bare->state->channels);
}

/* BARE.RUNLIST.  Of the logical copy engines, those that a physical one serves count.  Before
 * Pascal each copy engine has a type of its own. */
static uint32_t bare_runlist(const struct bare *bare, const struct bare_channel *channel)
{
    const bool copies = channel->has_copies && !channel->has_others;
    uint32_t runlist_id = RM_NONE;

    if (copies)
        runlist_id = rm_top_runlist(bare->rm, NV_TOP_LCE, 0);
    if (copies && runlist_id == RM_NONE)
        runlist_id = rm_top_runlist(bare->rm, NV_TOP_COPY0, 0);
    return runlist_id == RM_NONE ? rm_top_runlist(bare->rm, NV_TOP_GRAPHICS, 0) : runlist_id;
}

static bool bare_map_own(struct bare *bare, struct bare_channel *channel)
{
    struct address_space_range range = {
        .va = BARE_VA + (uint64_t)bare_index(bare, channel) * BARE_CHANNEL_BYTES,
        .size_bytes = BARE_CHANNEL_BYTES,
        .physical = extent_take(&bare->state->vram, BARE_CHANNEL_BYTES, MEMORY_PAGE_BYTES),
        .space_id = bare->state->space_ids[channel->as_id],
        .aperture = MEMORY_VRAM,
    };

    channel->ring = range.physical;
    channel->ring_va = range.va;
    return range.physical != EXTENT_NONE &&
           address_space_map(&bare->machine->spaces, &range) == ADDRESS_SPACE_OK;
}

static void bare_watch(struct bare *bare, uint32_t channel)
{
    const struct bare_channel *of = &bare->state->channels[channel];

    machine_watch(bare->machine, bare->unit, BARE_GET_MOVED + channel, channel, MEMORY_VRAM,
                  bare->rm->state->channels[of->made - 1].userd + NV_RAMUSERD_GP_GET);
}

static uint32_t bare_channel_id(const struct bare *bare, const struct bare_channel *channel)
{
    return rm_channel_full_id(bare->rm, channel->made - 1);
}

static bool bare_make(struct bare *bare, struct bare_channel *channel)
{
    struct rm *rm = bare->rm;
    const struct rm_channel_options options = {
        .page_directory = bare->machine->spaces.spaces[bare->state->space_ids[channel->as_id]].root,
        .gpfifo = BARE_VA + (uint64_t)bare_index(bare, channel) * BARE_CHANNEL_BYTES,
        .gpfifo_entries = bare_ring_entries(bare),
        .context = BARE_VA + (uint64_t)bare_index(bare, channel) * BARE_CHANNEL_BYTES +
                   BARE_CHANNEL_BYTES - BARE_IMAGE_BYTES,
    };
    uint32_t runlist_id, tsg, made;

    if (!rm_start(rm))
        return false;
    if (!bare_map_own(bare, channel))
        return bare_refuse(bare, "no room for the channel's ring, or the capture has memory there",
                           channel->recorded_id);
    runlist_id = bare_runlist(bare, channel);
    tsg = rm_tsg_new(rm, runlist_id);
    made = tsg == RM_NONE ? RM_NONE : rm_channel_new(rm, tsg, &options);
    if (made == RM_NONE)
        return bare_refuse(bare, "the GPU has no room for the channel", channel->recorded_id);
    channel->made = made + 1;
    rm_tsg_set_timeslice(rm, tsg, machine_parameter(bare->machine, PARAM_BARE_TIMESLICE_UNITS));
    MACHINE_LOG(bare->machine, bare->unit, EVENT_BARE_RUNLIST, RULE_BARE_RUNLIST,
                bare_channel_id(bare, channel), runlist_id);
    MACHINE_LOG(bare->machine, bare->unit, EVENT_BARE_CHANNEL_MADE, RULE_BARE_TSG,
                bare_channel_id(bare, channel), rm->state->tsgs[tsg].tsg_id, channel->ring_va,
                channel->recorded_id);
    return rm_tsg_schedule(rm, tsg, true) ||
           bare_refuse(bare, "the runlist is full", channel->recorded_id);
}

/* ---- submissions ----------------------------------------------------------------------------- */

static bool bare_push_lies(const struct bare *bare, const struct bare_channel *channel,
                           const struct trace_push *push)
{
    const struct bare_object *object = bare_object_find(bare, channel->as_id, push->handle);

    return push->length_bytes % 4 == 0 && push->offset % 4 == 0 && push->length_bytes > 0 &&
           push->length_bytes <= BARE_PUSH_MAX_BYTES && object &&
           push->offset <= object->size_bytes &&
           push->length_bytes <= object->size_bytes - push->offset;
}

bool bare_submit(void *driver, const struct trace_submit *record, uint32_t thread_index)
{
    struct bare *bare = driver;
    struct bare_channel *channel = bare_channel_find(bare, record->channel_id);
    uint32_t call = 0;

    if (!channel)
        return bare_refuse(bare, "a submission goes to a channel that does not exist",
                           record->channel_id);
    for (uint32_t i = 0; i < record->pushes.count; i++)
        if (!bare_push_lies(bare, channel, &record->pushes.push[i]))
            return bare_refuse(bare, "an entry does not lie in a memory object",
                               record->channel_id);
    if (channel->made == 0 && !bare_make(bare, channel))
        return false;
    while (call < BARE_CALLS_MAX && bare->state->calls[call].active)
        call++;
    if (call == BARE_CALLS_MAX)
        return bare_refuse(bare, "too many threads submit at once", record->channel_id);
    bare->state->calls[call] = (struct bare_call){.active = 1,
                                                  .thread_index = thread_index,
                                                  .channel = bare_index(bare, channel),
                                                  .wait_from_ps = GFE_PS_NEVER};
    machine_schedule(bare->machine, bare->unit, machine_now(bare->machine), BARE_STEP, call);
    return true;
}

static void bare_write_entry(struct bare *bare, struct bare_channel *channel,
                             const struct trace_push *push, uint32_t submission_id)
{
    const struct bare_object *object = bare_object_find(bare, channel->as_id, push->handle);
    const uint32_t index = channel->written % bare_ring_entries(bare);
    const struct nv_gp_entry entry = {
        .address = object->va + push->offset,
        .length_dwords = (uint32_t)(push->length_bytes / 4),
        .sync_wait = (push->flags & TRACE_PUSH_NO_PREFETCH) != 0,
    };
    uint32_t words[2];

    nv_gp_entry_encode(&entry, words);
    (void)machine_write(bare->machine, MEMORY_VRAM, channel->ring + UINT64_C(8) * index, words,
                        sizeof words);
    MACHINE_LOG_ORIGIN(bare->machine, bare->unit, EVENT_BARE_GP_ENTRY, RULE_NONE, ORIGIN_RECORDED,
                       bare_channel_id(bare, channel), channel->written, index, entry.address,
                       entry.length_dwords, submission_id);
    channel->written++;
}

bool bare_unfetched(const struct bare *bare, const struct bare_channel *channel, uint64_t va,
                    uint64_t bytes)
{
    for (uint32_t i = channel->fetched; i != channel->written; i++) {
        uint32_t words[2] = {0};
        struct nv_gp_entry entry;

        (void)machine_read(bare->machine, MEMORY_VRAM,
                           channel->ring + UINT64_C(8) * (i % bare_ring_entries(bare)), words,
                           sizeof words);
        entry = nv_gp_entry_decode(words[0], words[1]);
        if (va < entry.address + UINT64_C(4) * entry.length_dwords && entry.address < va + bytes)
            return true;
    }
    return false;
}

/* GP_PUT once for all entries that were written. */
static void bare_kick(struct bare *bare, struct bare_channel *channel)
{
    const uint32_t put = channel->written % bare_ring_entries(bare);

    bare_watch(bare, bare_index(bare, channel));
    MACHINE_LOG(bare->machine, bare->unit, EVENT_BARE_KICK, RULE_NONE,
                bare_channel_id(bare, channel), put);
    rm_channel_kick(bare->rm, channel->made - 1, put);
}

static void bare_call_done(struct bare *bare, struct bare_call *call, uint32_t submission_id)
{
    struct bare_channel *channel = &bare->state->channels[call->channel];
    const uint32_t thread_index = call->thread_index;

    channel->submissions[channel->submission_count++ % BARE_SUBMISSIONS] =
        (struct bare_submission){submission_id, channel->written};
    *call = (struct bare_call){0};
    bare->client.call_returned(bare->client.context, thread_index);
}

void bare_step(struct bare *bare, uint32_t index)
{
    struct bare_call *call = &bare->state->calls[index];
    struct bare_channel *channel = &bare->state->channels[call->channel];
    const struct trace_record *record;
    const uint32_t before = channel->written;

    record = call->active ? bare->record(bare->client.context, call->thread_index) : NULL;
    if (!record || record->head.kind != TRACE_SUBMIT)
        return; /* the trace cannot be read any more, and the run stops */
    while (call->next_push < record->submit.pushes.count &&
           channel->written - channel->fetched < bare_ring_entries(bare) - 1)
        bare_write_entry(bare, channel, &record->submit.pushes.push[call->next_push++],
                         record->submit.submission_id);
    if (channel->written != before)
        bare_kick(bare, channel);
    if (call->next_push == record->submit.pushes.count) {
        if (call->wait_from_ps != GFE_PS_NEVER)
            MACHINE_LOG(bare->machine, bare->unit, EVENT_WAIT, RULE_BARE_RING, call->wait_from_ps,
                        SUBJECT_THREAD, call->thread_index, SUBJECT_CHANNEL,
                        bare_channel_id(bare, channel));
        bare_call_done(bare, call, record->submit.submission_id);
    } else if (call->wait_from_ps == GFE_PS_NEVER) {
        call->wait_from_ps = machine_now(bare->machine);
    }
}

void bare_get_moved(struct bare *bare, uint32_t index)
{
    struct bare_channel *channel = &bare->state->channels[index];
    const uint32_t entries = bare_ring_entries(bare), before = channel->fetched;
    uint32_t get = 0;

    (void)machine_read(bare->machine, MEMORY_VRAM,
                       bare->rm->state->channels[channel->made - 1].userd + NV_RAMUSERD_GP_GET,
                       &get, sizeof get);
    channel->fetched += (get - channel->fetched) % entries;
    if (channel->fetched != channel->written)
        bare_watch(bare, index);
    if (channel->fetched == before)
        return;
    MACHINE_LOG(bare->machine, bare->unit, EVENT_BARE_FETCHED, RULE_BARE_WAIT,
                bare_channel_id(bare, channel), channel->fetched);
    (void)machine_write(bare->machine, MEMORY_VRAM, channel->count_physical, &channel->fetched,
                        sizeof channel->fetched);
    for (uint32_t i = 0; i < BARE_CALLS_MAX; i++)
        if (bare->state->calls[i].active && bare->state->calls[i].channel == index)
            bare_step(bare, i);
    if (bare->state->asleep) {
        bare->state->asleep = 0;
        bare->client.woken(bare->client.context);
    }
}

/* The channel stays on its runlist, without work: a capture does not say who took it off. */
bool bare_channel_end(void *driver, const struct trace_channel_end *record, uint32_t thread_index)
{
    struct bare *bare = driver;
    struct bare_channel *channel = bare_channel_find(bare, record->channel_id);

    if (!channel)
        return bare_refuse(bare, "the trace ends a channel that does not exist",
                           record->channel_id);
    channel->recorded_id = TRACE_ANY;
    bare->client.call_returned(bare->client.context, thread_index);
    return true;
}
