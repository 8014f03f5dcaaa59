/* SPDX-License-Identifier: MIT */
/* Channels: their streams of GP entries, and the PBDMAs that work through them. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>

struct pf_channel *show_perfetto_other_channel(struct show_perfetto *show, uint64_t id)
{
    uint32_t at = id_map_find(&show->channel_of, id);
    struct pf_channel *channel;

    if (at != ID_MAP_NONE)
        return show->last_channel = show_perfetto_find(show->channels, at);
    at = show->channel_of.count;
    if (id >= EVENT_CHANNEL_IDS) {
        (void)show_perfetto_absurd(show, "no machine has so many: number", id);
        return NULL;
    }
    channel = show_perfetto_at(show, &show->channels, at, sizeof *channel);
    if (!channel)
        return NULL;
    if (!id_map_add(&show->channel_of, id, at)) {
        (void)show_perfetto_no_memory(show);
        return NULL;
    }
    channel->id = id;
    channel->pbdma = PF_NONE;
    return channel;
}

uint64_t show_perfetto_channel_track(struct show_perfetto *show, struct pf_channel *channel,
                                     uint64_t id)
{
    char name[40];

    if (channel->group)
        return channel->group;
    (void)snprintf(name, sizeof name, "%s %" PRIu64, show->words.channel, id);
    return show_perfetto_track(
        show, &channel->group,
        &(struct pf_place){show_perfetto_process(show, channel->process), (int32_t)id + 1, name});
}

static uint64_t stream_track(struct show_perfetto *show, struct pf_channel *channel, uint64_t id)
{
    if (channel->stream)
        return channel->stream;
    const uint64_t group = show_perfetto_channel_track(show, channel, id);
    return show_perfetto_track(show, &channel->stream,
                               &(struct pf_place){group, PF_RANK_STREAM, "stream"});
}

uint64_t show_perfetto_channel_events(struct show_perfetto *show, uint64_t id)
{
    struct pf_channel *channel = show_perfetto_channel(show, id);

    if (!channel || channel->events)
        return channel ? channel->events : 0;
    const uint64_t group = show_perfetto_channel_track(show, channel, id);
    return show_perfetto_track(show, &channel->events,
                               &(struct pf_place){group, PF_RANK_CHANNEL_EVENTS, "events"});
}

uint64_t show_perfetto_channel_semaphores(struct show_perfetto *show, uint64_t id)
{
    struct pf_channel *channel = show_perfetto_channel(show, id);

    if (!channel || channel->semaphores)
        return channel ? channel->semaphores : 0;
    const uint64_t group = show_perfetto_channel_track(show, channel, id);
    return show_perfetto_track(show, &channel->semaphores,
                               &(struct pf_place){group, PF_RANK_SEMAPHORES,
                                                  show->words.is_amd ? "signals" : "semaphores"});
}

/* ---- the ring -------------------------------------------------------------------------------- */

static void ring_count(struct show_perfetto *show, struct pf_channel *channel, uint64_t id)
{
    if (!show_perfetto_here(show))
        return;
    const uint64_t group = show_perfetto_channel_track(show, channel, id);
    const uint64_t track = show_perfetto_counter(
        show, &channel->ring, &(struct pf_place){group, PF_RANK_RING, "GP entries in the ring"});
    show_perfetto_count(show, track, channel->in_ring);
}

uint32_t show_perfetto_entry_submission(const struct pf_channel *channel, uint64_t sequence)
{
    const uint32_t at = sequence % PF_ENTRIES;

    return channel->entries[at].sequence == (uint32_t)sequence ? channel->entries[at].submission
                                                               : 0;
}

void show_perfetto_driver_entry(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->entry.channel_id);

    if (!channel)
        return;
    channel->entries[record->entry.gp_sequence % PF_ENTRIES].sequence =
        (uint32_t)record->entry.gp_sequence;
    channel->entries[record->entry.gp_sequence % PF_ENTRIES].submission =
        (uint32_t)record->entry.submission_id;
    channel->in_ring++;
    show_perfetto_submission_begin(show, record->entry.submission_id);
    ring_count(show, channel, record->entry.channel_id);
}

/* ---- PBDMAs ---------------------------------------------------------------------------------- */

static struct pf_pbdma *pbdma_of(struct show_perfetto *show, uint64_t id)
{
    struct pf_pbdma *pbdma = show_perfetto_find(show->pbdmas, id);

    if (pbdma)
        return pbdma;
    pbdma = show_perfetto_at(show, &show->pbdmas, id, sizeof *pbdma);
    if (pbdma)
        pbdma->id = id;
    return pbdma;
}

static uint64_t pbdma_track(struct show_perfetto *show, struct pf_pbdma *pbdma)
{
    char name[40];

    if (pbdma->track)
        return pbdma->track;
    (void)snprintf(name, sizeof name, "PBDMA %" PRIu64, pbdma->id);
    return show_perfetto_track(
        show, &pbdma->track,
        &(struct pf_place){show_perfetto_gpu(show), (int32_t)(PF_RANK_PBDMA + pbdma->id), name});
}

static void load_begin(struct show_perfetto *show, struct pf_pbdma *pbdma)
{
    struct pf_channel *channel = show_perfetto_channel(show, pbdma->channel_id);

    if (!pbdma->is_loaded || pbdma->load_begun || !channel)
        return;
    const uint64_t name =
        show_perfetto_name(show, &channel->name, "channel %" PRIu64, pbdma->channel_id);
    struct perfetto_event event = show_perfetto_begin(show, pbdma_track(show, pbdma), name,
                                                      CATEGORY_SCHEDULE, pbdma->load_ps);
    perfetto_note(&event, NOTE_CHANNEL, pbdma->channel_id);
    perfetto_done(&show->out, &event);
    pbdma->load_begun = true;
}

static void load_end(struct show_perfetto *show, struct pf_pbdma *pbdma, bool unfinished)
{
    if (!pbdma->is_loaded)
        return;
    if (pbdma->load_begun || show_perfetto_within(show, pbdma->load_ps, show->now_ps)) {
        load_begin(show, pbdma);
        struct perfetto_event event =
            show_perfetto_end(show, pbdma->track, pbdma->load_ps, show->now_ps);
        if (unfinished)
            perfetto_note_flag(&event, NOTE_UNFINISHED);
        perfetto_done(&show->out, &event);
    }
    pbdma->is_loaded = false;
}

/* Something that the PBDMA did for the channel since then, within the time that this is loaded. */
static void load_child(struct show_perfetto *show, struct pf_pbdma *pbdma, uint32_t name,
                       gfe_ps begin_ps, const struct pf_entry *entry)
{
    if (pbdma->is_loaded && begin_ps < pbdma->load_ps)
        begin_ps = pbdma->load_ps;
    if (begin_ps >= show->now_ps || !show_perfetto_within(show, begin_ps, show->now_ps))
        return;
    load_begin(show, pbdma);
    struct perfetto_event event =
        show_perfetto_begin(show, pbdma_track(show, pbdma), name, CATEGORY_SCHEDULE, begin_ps);
    if (entry) {
        perfetto_note(&event, NOTE_ENTRY, entry->sequence);
        perfetto_note(&event, NOTE_GP_INDEX, entry->index);
    }
    show_perfetto_rest(show, &event, pbdma->track, begin_ps, show->now_ps);
}

/* The PBDMA has worked on the channel's entry up to now. */
static void stretch_end(struct show_perfetto *show, struct pf_channel *channel, uint64_t pbdma_id)
{
    struct pf_pbdma *pbdma = pbdma_of(show, pbdma_id);

    if (pbdma)
        load_child(show, pbdma, NAME_METHODS, channel->stretch_ps, &channel->entry);
    channel->stretch_ps = show->now_ps;
}

void show_perfetto_channel_load(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->loaded.channel_id);
    struct pf_pbdma *pbdma = channel ? pbdma_of(show, record->loaded.pbdma_id) : NULL;

    if (!pbdma)
        return;
    load_end(show, pbdma, true);
    pbdma->is_loaded = true;
    pbdma->load_begun = pbdma->has_fetched = false;
    pbdma->load_ps = show->now_ps;
    pbdma->channel_id = record->loaded.channel_id;
    channel->pbdma = (uint32_t)record->loaded.pbdma_id;
    channel->stretch_ps = show->now_ps;
}

void show_perfetto_channel_save(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->loaded.channel_id);
    struct pf_pbdma *pbdma = channel ? pbdma_of(show, record->loaded.pbdma_id) : NULL;

    if (!pbdma)
        return;
    if (channel->has_entry && channel->pbdma == record->loaded.pbdma_id)
        stretch_end(show, channel, record->loaded.pbdma_id);
    channel->pbdma = PF_NONE;
    if (pbdma->is_loaded && pbdma->channel_id == record->loaded.channel_id)
        load_end(show, pbdma, false);
}

/* ---- the stream ------------------------------------------------------------------------------ */

static void entry_begin(struct show_perfetto *show, struct pf_channel *channel, uint64_t id)
{
    const struct pf_entry *entry = &channel->entry;
    const uint32_t submission = show_perfetto_entry_submission(channel, entry->sequence);

    if (!channel->has_entry || channel->entry_begun)
        return;
    const uint64_t track = stream_track(show, channel, id);
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_ENTRY, CATEGORY_STREAM, entry->begin_ps);
    perfetto_note(&event, NOTE_ENTRY, entry->sequence);
    perfetto_note(&event, NOTE_GP_INDEX, entry->index);
    perfetto_note_address(&event, NOTE_ADDRESS, entry->address);
    perfetto_note(&event, NOTE_DWORDS, entry->dword_count);
    if (submission) {
        perfetto_note(&event, NOTE_SUBMISSION, submission);
        show_perfetto_submission_flow(show, &event, submission, false);
    }
    perfetto_done(&show->out, &event);
    channel->entry_begun = true;
}

/* Ends the entry, now or where the next had begun. */
static void entry_end(struct show_perfetto *show, struct pf_channel *channel, uint64_t id,
                      gfe_ps end_ps, bool unfinished)
{
    if (channel->entry_begun || show_perfetto_within(show, channel->entry.begin_ps, end_ps)) {
        entry_begin(show, channel, id);
        struct perfetto_event event =
            show_perfetto_end(show, channel->stream, channel->entry.begin_ps, end_ps);
        if (unfinished)
            perfetto_note_flag(&event, NOTE_UNFINISHED);
        perfetto_done(&show->out, &event);
        channel->stream_ps = end_ps;
    }
    channel->has_entry = channel->entry_begun = false;
}

/* What a unit did for the stream during the last `took_ps`; what lies behind already stays. */
static void stream_child(struct show_perfetto *show, uint64_t id, uint32_t name, gfe_ps took_ps)
{
    struct pf_channel *channel = show_perfetto_channel(show, id);
    gfe_ps begin_ps = took_ps < show->now_ps ? show->now_ps - took_ps : 0;

    if (!channel)
        return;
    if (begin_ps < channel->stream_ps)
        begin_ps = channel->stream_ps;
    if (channel->has_entry && begin_ps < channel->entry.begin_ps)
        begin_ps = channel->entry.begin_ps;
    if (begin_ps >= show->now_ps || !show_perfetto_within(show, begin_ps, show->now_ps))
        return;
    entry_begin(show, channel, id);
    const uint64_t track = stream_track(show, channel, id);
    struct perfetto_event event = show_perfetto_begin(show, track, name, CATEGORY_STREAM, begin_ps);
    show_perfetto_rest(show, &event, track, begin_ps, show->now_ps);
    channel->stream_ps = show->now_ps;
}

struct perfetto_event show_perfetto_handed(struct show_perfetto *show, uint64_t channel_id,
                                           uint64_t name)
{
    struct pf_channel *channel = show_perfetto_channel(show, channel_id);

    if (channel)
        entry_begin(show, channel, channel_id);
    return show_perfetto_instant(show, channel ? stream_track(show, channel, channel_id) : 0, name,
                                 CATEGORY_STREAM);
}

/* An event of the stream that has no duration. */
void show_perfetto_in_stream(struct show_perfetto *show, uint64_t channel_id)
{
    if (!show_perfetto_here(show))
        return;
    (void)show_perfetto_rule_name(show, show->event->rule);
    const uint64_t name = show_perfetto_kind_name(show, show->event->kind);
    struct perfetto_event event = show_perfetto_handed(show, channel_id, name);
    show_perfetto_arguments(show, &event);
    perfetto_done(&show->out, &event);
}

/* A control entry has no segment. */
static void control_entry(struct show_perfetto *show, const struct model_fetched *entry)
{
    const struct pf_channel *channel = show_perfetto_channel(show, entry->channel_id);

    if (!show_perfetto_here(show) || !channel)
        return;
    const uint32_t submission = show_perfetto_entry_submission(channel, entry->gp_sequence);
    struct perfetto_event event = show_perfetto_handed(show, entry->channel_id, NAME_CONTROL);
    perfetto_note(&event, NOTE_ENTRY, entry->gp_sequence);
    if (submission)
        show_perfetto_submission_flow(show, &event, submission, false);
    perfetto_done(&show->out, &event);
}

void show_perfetto_gp_fetch(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->fetched.channel_id);
    struct pf_pbdma *pbdma = channel ? pbdma_of(show, record->fetched.pbdma_id) : NULL;
    const struct pf_entry entry = {.begin_ps = show->now_ps,
                                   .index = record->fetched.gp_index,
                                   .sequence = record->fetched.gp_sequence,
                                   .address = record->fetched.address,
                                   .dword_count = record->fetched.dword_count};

    if (!pbdma)
        return;
    if (pbdma->is_loaded && pbdma->channel_id == record->fetched.channel_id &&
        !pbdma->has_fetched) {
        pbdma->has_fetched = true;
        load_child(show, pbdma, NAME_LOADING, pbdma->load_ps, NULL);
    }
    if (channel->in_ring > 0)
        channel->in_ring--;
    ring_count(show, channel, record->fetched.channel_id);
    stream_child(show, record->fetched.channel_id, NAME_GP_FETCH, record->fetched.fetch_ps);
    if (record->fetched.dword_count == 0) {
        control_entry(show, &record->fetched);
    } else if (!channel->has_entry) {
        channel->has_entry = true;
        channel->entry = entry;
        channel->stretch_ps = show->now_ps;
    } else {
        if (channel->ahead_count == PF_AHEAD)
            memmove(channel->ahead, channel->ahead + 1,
                    --channel->ahead_count * sizeof *channel->ahead);
        channel->ahead[channel->ahead_count++] = entry;
    }
}

void show_perfetto_pb_fetch(struct show_perfetto *show, const struct model_record *record)
{
    stream_child(show, record->fetched.channel_id, NAME_PB_FETCH, record->fetched.fetch_ps);
}

/* Operation 5 is MEMBAR (open-gpu-doc clc06f.h, MEM_OP_D); 32 and up are barriers that a release or
 * a flush has without naming one. */
void show_perfetto_mem_op(struct show_perfetto *show, const struct model_record *record)
{
    stream_child(show, record->mem_op.channel_id,
                 record->mem_op.operation == 5 || record->mem_op.operation >= 32 ? NAME_BARRIER
                                                                                 : NAME_MEM_OP,
                 record->mem_op.took_ps);
}

/* The entry with that index is the one worked on; those before it held no methods. */
static bool entry_reach(struct show_perfetto *show, struct pf_channel *channel, uint64_t id,
                        uint64_t index)
{
    uint32_t at = 0;

    if (channel->has_entry && channel->entry.index == index)
        return true;
    while (at < channel->ahead_count && channel->ahead[at].index != index)
        at++;
    if (at == channel->ahead_count)
        return false;
    struct pf_entry entry = channel->ahead[at];
    if (channel->entry_begun && entry.begin_ps < channel->stream_ps)
        entry.begin_ps = channel->stream_ps;
    if (channel->entry_begun)
        entry_end(show, channel, id, entry.begin_ps, false);
    channel->ahead_count -= at + 1;
    memmove(channel->ahead, channel->ahead + at + 1, channel->ahead_count * sizeof *channel->ahead);
    channel->entry = entry;
    channel->has_entry = true;
    channel->stretch_ps = entry.begin_ps;
    return true;
}

void show_perfetto_segment_end(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->segment.channel_id);

    if (!channel ||
        !entry_reach(show, channel, record->segment.channel_id, record->segment.gp_index))
        return;
    stretch_end(show, channel, record->segment.pbdma_id);
    entry_end(show, channel, record->segment.channel_id, show->now_ps, false);
    if (channel->ahead_count == 0)
        return;
    for (uint32_t i = 0; i < channel->ahead_count; i++)
        channel->ahead[i].begin_ps = show->now_ps;
    channel->entry = channel->ahead[0];
    channel->has_entry = true;
    memmove(channel->ahead, channel->ahead + 1, --channel->ahead_count * sizeof *channel->ahead);
}

/* ---- ends ------------------------------------------------------------------------------------ */

/* A number that is bound again is another channel; what the old one had left stays undone. */
void show_perfetto_bind(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->channel.channel_id);

    if (!channel || channel->group == 0)
        return;
    if (channel->has_entry)
        entry_end(show, channel, record->channel.channel_id, show->now_ps, true);
    show_perfetto_lanes_free(&channel->operations);
    show_perfetto_lanes_free(&channel->waits);
    *channel = (struct pf_channel){.id = channel->id, .pbdma = PF_NONE, .name = channel->name};
}

void show_perfetto_channels_finish(struct show_perfetto *show)
{
    for (uint32_t i = 0; i < show->channel_of.count; i++) {
        struct pf_channel *channel = show_perfetto_find(show->channels, i);
        if (!channel || !channel->has_entry)
            continue;
        if (channel->pbdma != PF_NONE)
            stretch_end(show, channel, channel->pbdma);
        entry_end(show, channel, channel->id, show->now_ps, true);
    }
    for (uint32_t id = 0; id < show->id_end; id++) {
        struct pf_pbdma *pbdma = show_perfetto_find(show->pbdmas, id);
        if (pbdma)
            load_end(show, pbdma, true);
    }
}
