/* SPDX-License-Identifier: MIT */
/* The history of each channel: who works for it, or what it waits for, without a gap. */
#include <config.h>

#include "emu/analysis/explain/explain_private.h"

#include <stdlib.h>

#include "emu/log/event_list.h"

enum { TURNS_LOOKED_AT = 4096 };

/* ---- channels -------------------------------------------------------------------------------- */

/* Returns the place of the channel that is bound to that number.  Returns NULL after an error. */
static uint32_t *channel_place(struct explain_build *build, uint64_t id)
{
    uint32_t at = id_map_find(&build->channel_of, id);

    if (at != ID_MAP_NONE)
        return &build->channels[at];
    at = build->channel_of.count;
    if (id >= EVENT_CHANNEL_IDS || at >= EXPLAIN_IDS) {
        (void)explain_build_absurd(build, "no machine has so many: number", id);
        return NULL;
    }
    if (!id_map_add(&build->channel_of, id, at)) {
        (void)explain_build_no_memory(build);
        return NULL;
    }
    return &build->channels[at];
}

static bool channel_new(struct explain_build *build, uint64_t id, uint32_t binding)
{
    uint32_t *const place = channel_place(build, id);
    struct explain *explain = build->explain;

    if (!place || !explain_build_room(build, &explain->channels, explain->channel_count,
                                      &explain->channel_capacity, sizeof *explain->channels,
                                      EXPLAIN_CHANNELS_MAX))
        return false;
    explain->channels[explain->channel_count] = (struct explain_channel){.id = (uint32_t)id,
                                                                         .binding = binding,
                                                                         .from_ps = build->now_ps,
                                                                         .at_ps = build->now_ps,
                                                                         .entry = EXPLAIN_NONE,
                                                                         .operation = EXPLAIN_NONE,
                                                                         .rung_ps = GFE_PS_NEVER,
                                                                         .pending_ps = GFE_PS_NEVER,
                                                                         .turn = EXPLAIN_NONE};
    *place = explain->channel_count++;
    return true;
}

uint32_t explain_channel_at(struct explain_build *build, uint64_t id)
{
    if (explain_build_channel(build, id) == EXPLAIN_NONE && !channel_new(build, id, 0))
        return EXPLAIN_NONE;
    return explain_build_channel(build, id);
}

static struct explain_channel *channel_of(struct explain_build *build, uint64_t id)
{
    const uint32_t index = explain_channel_at(build, id);

    return index == EXPLAIN_NONE ? NULL : &build->explain->channels[index];
}

/* A number that is bound again is a new channel; what the old one had left stays undone. */
bool explain_channel_bind(struct explain_build *build, const struct model_record *record)
{
    const struct explain_channel *old = channel_of(build, record->channel.channel_id);

    if (!old)
        return false;
    return (old->slice_count == 0 && old->next_sequence == 0 && old->rung_ps == GFE_PS_NEVER) ||
           channel_new(build, record->channel.channel_id, old->binding + 1);
}

static uint64_t entry_key(uint32_t channel, uint64_t sequence)
{
    return (uint64_t)channel << 44 ^ sequence;
}

uint32_t explain_channel_entry(const struct explain *explain, uint32_t channel, uint64_t sequence)
{
    return sequence >> 44
               ? EXPLAIN_NONE
               : id_map_find(&explain->by_id[EXPLAIN_ENTRY], entry_key(channel, sequence));
}

/* ---- history --------------------------------------------------------------------------------- */

/* Continues the channel's history to `to_ps`; earlier pieces stay. */
static bool slice_add(struct explain_build *build, struct explain_channel *channel, gfe_ps to_ps,
                      struct explain_slice slice)
{
    if (to_ps <= channel->at_ps)
        return true;
    if (build->slice_count == EXPLAIN_SLICES_MAX)
        return error_set(build->error, ERROR_LIMIT, "%s: more than %d pieces of channels' time",
                         event_log_name(build->explain->log), EXPLAIN_SLICES_MAX);
    if (!explain_build_room(build, &channel->slices, channel->slice_count, &channel->slice_capacity,
                            sizeof *channel->slices, EXPLAIN_SLICES_MAX))
        return false;
    if (slice.entry == EXPLAIN_NONE) {
        if (!explain_build_room(build, &channel->pauses, channel->pause_count,
                                &channel->pause_capacity, sizeof *channel->pauses,
                                EXPLAIN_SLICES_MAX))
            return false;
        channel->pauses[channel->pause_count++] = channel->slice_count;
    }
    slice.end_ps = to_ps;
    channel->slices[channel->slice_count++] = slice;
    channel->at_ps = to_ps;
    build->slice_count++;
    return true;
}

static bool serve(struct explain_build *build, struct explain_channel *channel, gfe_ps to_ps,
                  enum explain_what what, uint32_t entry)
{
    return slice_add(build, channel, to_ps,
                     (struct explain_slice){.entry = entry, .what = (uint8_t)what});
}

static bool wait(struct explain_build *build, struct explain_channel *channel, gfe_ps to_ps,
                 uint32_t rule, struct explain_by by, uint32_t entry)
{
    return slice_add(build, channel, to_ps,
                     (struct explain_slice){.entry = entry,
                                            .what = EXPLAIN_WAIT,
                                            .rule = (uint16_t)rule,
                                            .by_kind = (uint8_t)by.kind,
                                            .by_id = by.id});
}

/* What the PBDMA has done for its entry up to `to_ps` without saying so: methods. */
static bool methods_until(struct explain_build *build, struct explain_channel *channel,
                          gfe_ps to_ps)
{
    return serve(build, channel, to_ps, EXPLAIN_METHODS, channel->entry);
}

/* Nothing to do until the next entry is in the ring, then its doorbell takes effect. */
static bool idle_until(struct explain_build *build, struct explain_channel *channel, gfe_ps to_ps)
{
    const struct explain *explain = build->explain;
    const uint32_t channel_index = (uint32_t)(channel - explain->channels);
    const uint32_t next = explain_channel_entry(explain, channel_index, channel->next_sequence);
    gfe_ps rung_ps = channel->rung_ps;

    if (next != EXPLAIN_NONE)
        rung_ps = explain->operations[next].birth_ps;
    if (rung_ps > to_ps)
        rung_ps = to_ps;
    return serve(build, channel, rung_ps, EXPLAIN_DRIVER_ENTRY, EXPLAIN_NONE) &&
           serve(build, channel, to_ps, EXPLAIN_DOORBELL, EXPLAIN_NONE);
}

/* ---- scheduling ------------------------------------------------------------------------------ */

bool explain_take_doorbell(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->doorbell.channel_id);

    if (!channel)
        return false;
    if (channel->rung_ps == GFE_PS_NEVER)
        channel->rung_ps = build->now_ps;
    return true;
}

bool explain_take_tsg_start(struct explain_build *build, const struct model_record *record)
{
    if (!explain_build_id(build, record->slice.runlist_id))
        return false;
    build->runlists[record->slice.runlist_id] = build->now_ps;
    return true;
}

/* Finds the turns on the same runlist or PBDMA in [begin_ps, end_ps), the latest first. */
static uint32_t turns_find(const struct explain_build *build, gfe_ps begin_ps, gfe_ps end_ps,
                           const struct explain_turn *own, uint32_t found[EXPLAIN_CROWD_MAX])
{
    uint32_t looked = 0, count = 0;

    for (uint32_t i = build->turn_count; i > 0 && looked < TURNS_LOOKED_AT; i--, looked++) {
        const struct explain_turn *turn = &build->turns[i - 1];
        if (turn->from_ps >= end_ps || turn->to_ps <= begin_ps ||
            (turn->runlist != own->runlist && turn->pbdma != own->pbdma))
            continue;
        if (count == EXPLAIN_CROWD_MAX)
            break;
        found[count++] = i - 1;
    }
    return count;
}

/* Pending until start_ps: others had the runlist or the PBDMA, or it was being looked for. */
static bool pending_until(struct explain_build *build, struct explain_channel *channel,
                          gfe_ps start_ps, const struct explain_turn *own)
{
    uint32_t found[EXPLAIN_CROWD_MAX];
    const uint32_t count = turns_find(build, channel->at_ps, start_ps, own, found);

    for (uint32_t i = count; i > 0; i--) {
        const struct explain_turn *turn = &build->turns[found[i - 1]];
        const gfe_ps to_ps = turn->to_ps < start_ps ? turn->to_ps : start_ps;
        if (!serve(build, channel, turn->from_ps, EXPLAIN_SCAN, EXPLAIN_NONE) ||
            !wait(build, channel, to_ps, channel->pending_rule,
                  (struct explain_by){EXPLAIN_BY_CHANNEL, turn->channel}, EXPLAIN_NONE))
            return false;
    }
    return serve(build, channel, start_ps, EXPLAIN_SCAN, EXPLAIN_NONE);
}

bool explain_take_channel_load(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->loaded.channel_id);
    struct explain_turn turn = {.to_ps = GFE_PS_NEVER, .pbdma = (uint32_t)record->loaded.pbdma_id};

    if (!channel || !explain_build_id(build, record->loaded.pbdma_id) ||
        !explain_build_id(build, record->loaded.runlist_id) ||
        !explain_build_room(build, &build->turns, build->turn_count, &build->turn_capacity,
                            sizeof *build->turns, EXPLAIN_SLICES_MAX))
        return false;
    turn.runlist = (uint32_t)record->loaded.runlist_id;
    turn.channel = (uint32_t)(channel - build->explain->channels);
    turn.from_ps = build->runlists[turn.runlist];
    if (turn.from_ps > build->now_ps)
        turn.from_ps = build->now_ps; /* it was never said */
    const gfe_ps pending_ps =
        channel->pending_ps < turn.from_ps ? channel->pending_ps : turn.from_ps;
    channel->loaded = true;
    channel->unit = build->event->unit;
    channel->pending_ps = GFE_PS_NEVER;
    if (!idle_until(build, channel, pending_ps) ||
        !pending_until(build, channel, turn.from_ps, &turn) ||
        !serve(build, channel, build->now_ps, EXPLAIN_RAMFC_LOAD, EXPLAIN_NONE))
        return false;
    channel->turn = build->turn_count;
    build->turns[build->turn_count++] = turn;
    return true;
}

bool explain_take_channel_save(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->loaded.channel_id);

    if (!channel)
        return false;
    if (channel->turn != EXPLAIN_NONE)
        build->turns[channel->turn].to_ps = build->now_ps;
    channel->turn = EXPLAIN_NONE;
    channel->loaded = false;
    /* In the middle of an entry: it leaves with its work undone. */
    return channel->entry == EXPLAIN_NONE ||
           serve(build, channel, build->now_ps, EXPLAIN_RAMFC_SAVE, EXPLAIN_NONE);
}

bool explain_take_context_load(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->context.channel_id);

    return channel && serve(build, channel, clock_add(build->now_ps, record->context.load_ps),
                            EXPLAIN_CONTEXT_LOAD, EXPLAIN_NONE);
}

/* ---- entries --------------------------------------------------------------------------------- */

static uint32_t entry_new(struct explain_build *build, uint32_t channel, uint64_t sequence,
                          uint64_t dword_count)
{
    struct explain *explain = build->explain;
    uint32_t index;

    if (sequence >> 44) {
        (void)explain_build_absurd(build, "no ring has so many entries: number", sequence);
        return EXPLAIN_NONE;
    }
    index = explain_build_operation(build, EXPLAIN_ENTRY, entry_key(channel, sequence));
    if (index == EXPLAIN_NONE)
        return EXPLAIN_NONE;
    explain->operations[index].id = sequence;
    explain->operations[index].channel = channel;
    explain->operations[index].entry.fetch_ps = GFE_PS_NEVER;
    explain->operations[index].entry.dword_count = (uint32_t)dword_count;
    return index;
}

bool explain_take_driver_entry(struct explain_build *build, const struct model_record *record)
{
    const uint32_t channel = explain_channel_at(build, record->entry.channel_id);
    uint32_t index;

    if (channel == EXPLAIN_NONE)
        return false;
    index = entry_new(build, channel, record->entry.gp_sequence, record->entry.dword_count);
    if (index == EXPLAIN_NONE)
        return false;
    build->explain->operations[index].entry.is_modelled = build->event->origin == ORIGIN_MODELLED;
    explain_build_parent(
        build, index,
        id_map_find(&build->explain->by_id[EXPLAIN_SUBMISSION], record->entry.submission_id));
    return true;
}

static void entry_end(struct explain_build *build, struct explain_channel *channel)
{
    struct explain_operation *entry = &build->explain->operations[channel->entry];

    entry->end_ps = channel->at_ps;
    entry->slice_end = channel->slice_count;
    channel->entry = EXPLAIN_NONE;
}

/* The entry that is read now; a log without a driver model knows it only from here. */
static uint32_t entry_fetched(struct explain_build *build, uint32_t channel_index,
                              uint64_t sequence, uint64_t dword_count, gfe_ps fetch_ps)
{
    const struct explain_channel *channel = &build->explain->channels[channel_index];
    uint32_t index = explain_channel_entry(build->explain, channel_index, sequence);

    if (index != EXPLAIN_NONE)
        return index;
    index = entry_new(build, channel_index, sequence, dword_count);
    if (index != EXPLAIN_NONE)
        build->explain->operations[index].birth_ps =
            channel->rung_ps < fetch_ps ? channel->rung_ps : fetch_ps;
    return index;
}

bool explain_take_gp_fetch(struct explain_build *build, const struct model_record *record)
{
    const gfe_ps fetch_ps =
        record->fetched.fetch_ps < build->now_ps ? build->now_ps - record->fetched.fetch_ps : 0;
    const uint32_t channel_index = explain_channel_at(build, record->fetched.channel_id);
    uint32_t index;

    if (channel_index == EXPLAIN_NONE)
        return false;
    index = entry_fetched(build, channel_index, record->fetched.gp_sequence,
                          record->fetched.dword_count, fetch_ps);
    if (index == EXPLAIN_NONE)
        return false;
    struct explain_channel *channel = &build->explain->channels[channel_index];
    struct explain_operation *entry = &build->explain->operations[index];
    if (entry->entry.fetch_ps != GFE_PS_NEVER)
        return explain_build_absurd(build,
                                    "this GP entry was read before:", record->fetched.gp_sequence);
    if (channel->entry != EXPLAIN_NONE) {
        if (!methods_until(build, channel, fetch_ps))
            return false;
        entry_end(build, channel);
    }
    channel->next_sequence = record->fetched.gp_sequence;
    channel->order_rule = build->event->rule;
    if (!idle_until(build, channel, fetch_ps))
        return false;
    entry->entry.fetch_ps = channel->at_ps > entry->birth_ps ? channel->at_ps : entry->birth_ps;
    entry->first_slice = channel->slice_count;
    channel->entry = index;
    channel->rung_ps = GFE_PS_NEVER;
    channel->next_sequence++;
    if (!serve(build, channel, build->now_ps, EXPLAIN_GP_FETCH, index))
        return false;
    if (record->fetched.dword_count == 0)
        entry_end(build, channel); /* a control entry has no segment */
    return true;
}

bool explain_take_pb_fetch(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->fetched.channel_id);

    if (!channel)
        return false;
    if (record->fetched.fetch_ps == 0) /* read ahead: processing did not wait for it */
        return true;
    return methods_until(build, channel,
                         record->fetched.fetch_ps < build->now_ps
                             ? build->now_ps - record->fetched.fetch_ps
                             : 0) &&
           serve(build, channel, build->now_ps, EXPLAIN_PB_FETCH, channel->entry);
}

bool explain_take_segment_end(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->segment.channel_id);

    if (!channel)
        return false;
    if (channel->entry == EXPLAIN_NONE)
        return true;
    if (!methods_until(build, channel, build->now_ps))
        return false;
    entry_end(build, channel);
    return true;
}

/* ---- waits and ends -------------------------------------------------------------------------- */

/* Where what the channel's method has waited for begins: its waits and memory operations end now;
 * in between the channel may have been off its PBDMA. */
static uint32_t method_begin(const struct explain_channel *channel)
{
    uint32_t begin = channel->slice_count;

    for (uint32_t i = channel->slice_count; i > 0; i--) {
        const struct explain_slice *slice = &channel->slices[i - 1];
        const bool is_its = slice->entry == channel->entry &&
                            (slice->what == EXPLAIN_WAIT || slice->what == EXPLAIN_BARRIER ||
                             slice->what == EXPLAIN_MEM_OP);
        if (channel->slice_count - i == EXPLAIN_CROWD_MAX ||
            (!is_its && slice->entry != EXPLAIN_NONE && slice->what != EXPLAIN_RAMFC_SAVE))
            break;
        if (is_its)
            begin = i - 1;
    }
    return begin;
}

static gfe_ps slice_begin(const struct explain_channel *channel, uint32_t slice)
{
    return slice == 0 ? channel->from_ps : channel->slices[slice - 1].end_ps;
}

/* The operation's life begins with what its method waited for. */
static void method_waited(struct explain_build *build, struct explain_channel *channel)
{
    struct explain_operation *operation = &build->explain->operations[channel->operation];

    if (channel->entry == EXPLAIN_NONE || channel->at_ps != build->now_ps)
        return;
    operation->first_slice = method_begin(channel);
    operation->slice_end = channel->slice_count;
    if (operation->first_slice < operation->slice_end)
        operation->birth_ps = slice_begin(channel, operation->first_slice);
}

void explain_channel_started(struct explain_build *build, uint32_t channel_index,
                             uint32_t operation)
{
    struct explain_channel *channel = &build->explain->channels[channel_index];

    channel->operation = operation;
    channel->operation_ps = build->now_ps;
    method_waited(build, channel);
}

bool explain_channel_wait(struct explain_build *build, uint32_t channel_index, gfe_ps begin_ps,
                          struct explain_by by)
{
    struct explain_channel *channel = &build->explain->channels[channel_index];
    const uint32_t rule = build->event->rule;

    if (!channel->loaded && by.kind == EXPLAIN_BY_NOBODY) {
        channel->pending_ps = begin_ps;
        channel->pending_rule = rule;
        return true;
    }
    if (!channel->loaded)
        return (channel->entry != EXPLAIN_NONE || idle_until(build, channel, begin_ps)) &&
               wait(build, channel, build->now_ps, rule, by, channel->entry);
    if (!methods_until(build, channel, begin_ps) ||
        !wait(build, channel, build->now_ps, rule, by, channel->entry))
        return false;
    /* The log may name what its method has started before it says what that waited for. */
    if (channel->operation != EXPLAIN_NONE && channel->operation_ps == build->now_ps)
        method_waited(build, channel);
    return true;
}

/* Operation 5 is MEMBAR (open-gpu-doc clc06f.h, MEM_OP_D); 32 and up are the barriers that a
 * release or a flush has without naming one. */
bool explain_take_mem_op(struct explain_build *build, const struct model_record *record)
{
    const enum explain_what what = record->mem_op.operation == 5 || record->mem_op.operation >= 32
                                       ? EXPLAIN_BARRIER
                                       : EXPLAIN_MEM_OP;
    struct explain_channel *channel = channel_of(build, record->mem_op.channel_id);

    if (!channel)
        return false;
    return methods_until(build, channel,
                         record->mem_op.took_ps < build->now_ps
                             ? build->now_ps - record->mem_op.took_ps
                             : 0) &&
           serve(build, channel, build->now_ps, what, channel->entry);
}

bool explain_take_channel_stop(struct explain_build *build, const struct model_record *record)
{
    struct explain_channel *channel = channel_of(build, record->stopped.channel_id);

    if (!channel)
        return false;
    if (channel->entry != EXPLAIN_NONE && !methods_until(build, channel, build->now_ps))
        return false;
    channel->stopped = true;
    channel->stop_rule = build->event->rule;
    return true;
}

bool explain_take_channel_go_on(struct explain_build *build, const struct model_record *record)
{
    const struct explain_by nobody = {EXPLAIN_BY_NOBODY, 0};
    struct explain_channel *channel = channel_of(build, record->channel.channel_id);

    if (!channel)
        return false;
    channel->stopped = false;
    return wait(build, channel, build->now_ps, build->event->rule, nobody, channel->entry);
}

bool explain_channel_finish(struct explain_build *build, uint32_t channel_index)
{
    struct explain_channel *channel = &build->explain->channels[channel_index];
    const struct explain_by nobody = {EXPLAIN_BY_NOBODY, 0};
    const uint32_t entry = channel->entry;
    const gfe_ps end_ps = build->now_ps;
    bool good;

    if (channel->stopped)
        good = wait(build, channel, end_ps, channel->stop_rule, nobody, entry);
    else if (entry != EXPLAIN_NONE)
        good = methods_until(build, channel, end_ps);
    else if (channel->pending_ps != GFE_PS_NEVER)
        good = idle_until(build, channel, channel->pending_ps) &&
               wait(build, channel, end_ps, channel->pending_rule, nobody, EXPLAIN_NONE);
    else
        good = idle_until(build, channel, end_ps);
    if (good && entry != EXPLAIN_NONE)
        build->explain->operations[entry].slice_end = channel->slice_count;
    return good;
}
