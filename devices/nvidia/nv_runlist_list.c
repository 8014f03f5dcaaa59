/* SPDX-License-Identifier: MIT */
/* A runlist's copy of the list in memory, and which of its TSGs could be served. */
#include <config.h>

#include <string.h>

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_runlist_block.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* Where reading has come. */
struct nv_runlist_reader {
    uint32_t entry, end; /* the next one, behind the last one */
    uint32_t start_entry;
    uint32_t expected; /* channel entries that the TSG still needs */
    uint32_t read;     /* entries, with those that an injected fault has put there twice */
    enum nv_runlist_bad_tsg bad;
    /* The TSG that is read: it opens a group in each runqueue of which it has a channel. */
    uint32_t header; /* place of its header */
    uint32_t tsg_id, slice_units;
    uint32_t opened; /* a bit for each runqueue */
};

/* *lost: an injected fault has it that the entry is not seen. */
static bool nv_runlist_entry_at(const struct nv_runlist *runlist, uint32_t index,
                                struct nv_runlist_entry *entry, bool *lost)
{
    const struct nv_runlist_state *state = runlist->state;
    const uint32_t bytes = runlist->host->generation->runlist_entry_bytes;
    uint32_t words[NV_RUNLIST_ENTRY_WORDS];

    if (!machine_read(runlist->machine, (enum memory_aperture)state->aperture,
                      state->base + (uint64_t)index * bytes, words, bytes))
        return false;
    *lost = !machine_inject(runlist->machine, runlist->unit, NV_INJECT_RUNLIST_ENTRY,
                            runlist->runlist_id, words, bytes);
    nv_runlist_entry_decode(runlist->host->generation, words, entry);
    return true;
}

static uint32_t nv_runlist_full_id(const struct nv_runlist *runlist, uint32_t id)
{
    return runlist->host->generation->channels_per_runlist
               ? runlist->runlist_id << NV_CHANNEL_RUNLIST_SHIFT | id
               : id;
}

/* Scheduling starts with the first TSG that does not lie before OFFSET. */
static void nv_runlist_open_group(struct nv_runlist *queue, struct nv_runlist_reader *reader)
{
    struct nv_runlist_state *state = queue->state;

    reader->opened |= 1u << queue->runqueue;
    if (reader->header <= reader->start_entry)
        state->next_group =
            reader->header == reader->start_entry ? state->group_count : state->group_count + 1;
    queue->groups[state->group_count++] =
        (struct nv_runlist_group){.tsg_id = reader->tsg_id,
                                  .slice_units = reader->slice_units,
                                  .first = (uint16_t)state->member_count};
}

static void nv_runlist_begin_group(struct nv_runlist_reader *reader, uint32_t tsg_id,
                                   uint32_t slice_units)
{
    reader->header = reader->entry;
    reader->tsg_id = tsg_id;
    reader->slice_units = slice_units;
    reader->opened = 0;
}

static bool nv_runlist_read_header(struct nv_runlist *runlist, struct nv_runlist_reader *reader,
                                   const struct nv_runlist_entry *entry)
{
    const uint32_t left = reader->end - reader->entry - 1;

    if (reader->expected > 0)
        reader->bad = NV_RUNLIST_BAD_EXPECTED_CHID;
    else if (entry->length == 0)
        reader->bad = NV_RUNLIST_BAD_ZERO_LENGTH;
    else if (entry->length > runlist->host->generation->tsg_length_max)
        reader->bad = NV_RUNLIST_BAD_MAX_LENGTH;
    else if (entry->length > left)
        reader->bad = NV_RUNLIST_BAD_OVERFLOW;
    else {
        nv_runlist_begin_group(reader, nv_runlist_full_id(runlist, entry->id), entry->slice_units);
        reader->expected = entry->length;
        return true;
    }
    return false;
}

static bool nv_runlist_read_channel(struct nv_runlist *runlist, struct nv_runlist_reader *reader,
                                    const struct nv_runlist_entry *entry)
{
    struct nv_runlist *queue = nv_runlist_queue(runlist, entry->runqueue);
    const uint32_t channel_id = nv_runlist_full_id(runlist, entry->id);

    if (!nv_runlist_block_has_runqueue(runlist, entry->runqueue)) {
        reader->bad = NV_RUNLIST_BAD_INVALID_RUNQUEUE;
        return false;
    }
    if (reader->expected > 0) {
        reader->expected--;
    } else if (runlist->host->generation->channels_in_tsgs_only) {
        reader->bad = NV_RUNLIST_BAD_EXPECTED_TSG_HEADER;
        return false;
    } else {
        nv_runlist_begin_group(reader, NV_RUNLIST_NO_TSG + channel_id, 0);
    }
    if (!(reader->opened >> queue->runqueue & 1))
        nv_runlist_open_group(queue, reader);
    queue->groups[queue->state->group_count - 1].length++;
    queue->members[queue->state->member_count++] =
        (struct nv_runlist_member){.channel_id = channel_id,
                                   .group = (uint16_t)(queue->state->group_count - 1),
                                   .place = (uint16_t)reader->header};
    if (runlist->host->generation->channels_per_runlist)
        nv_runlist_block_enlist(runlist, channel_id, entry);
    return true;
}

static bool nv_runlist_read_entry(struct nv_runlist *runlist, struct nv_runlist_reader *reader,
                                  const struct nv_runlist_entry *entry)
{
    reader->read++;
    return entry->is_tsg ? nv_runlist_read_header(runlist, reader, entry)
                         : nv_runlist_read_channel(runlist, reader, entry);
}

/* A channel stands where the first entry that names it is; one that another list names as well is
 * on the list that was submitted last (ASSUMED: neither is legal). */
static void nv_runlist_enlist(struct nv_runlist *runlist)
{
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        for (uint32_t i = 0; i < queue->state->member_count; i++)
            nv_channel_join_list(queue->host, queue->members[i].channel_id, queue, i);
}

static void nv_runlist_clear_queue(struct nv_runlist *runlist)
{
    struct nv_runlist_state *state = runlist->state;

    for (uint32_t i = 0; i < state->member_count; i++) {
        const struct nv_channel *channel =
            nv_channel_get(runlist->host, runlist->members[i].channel_id);

        if (channel && channel->entry == i + 1 && channel->runlist_id == runlist->runlist_id &&
            channel->runqueue == runlist->runqueue)
            nv_channel_leave_list(runlist->host, runlist->members[i].channel_id);
    }
    memset(runlist->members, 0, state->member_count * sizeof *runlist->members);
    memset(runlist->groups, 0, state->group_count * sizeof *runlist->groups);
    state->group_count = state->member_count = state->next_group = 0;
}

static void nv_runlist_clear(struct nv_runlist *runlist)
{
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        nv_runlist_clear_queue(queue);
}

/* Entries behind those that the copy has room for, which is all that a list without repetitions can
 * have, are not looked at (UNDOCUMENTED; reported). */
static uint32_t nv_runlist_readable(const struct nv_runlist *runlist)
{
    const struct nv_runlist_state *state = runlist->state;

    if (state->entry_count <= runlist->capacity)
        return state->entry_count;
    MACHINE_LOG(runlist->machine, runlist->unit, EVENT_UNMODELLED, RULE_NONE,
                UNMODELLED_REGISTER_WRITE, nv_runlist_block_submit_at(runlist), state->entry_count);
    return runlist->capacity;
}

bool nv_runlist_read(struct nv_runlist *runlist, uint32_t start_entry, enum nv_runlist_bad_tsg *bad)
{
    struct nv_runlist_reader reader = {.start_entry = start_entry};
    struct nv_runlist_entry entry;
    bool good = true, lost = false;

    nv_runlist_clear(runlist);
    reader.end = nv_runlist_readable(runlist);
    for (; good && reader.entry < reader.end; reader.entry++) {
        if (!nv_runlist_entry_at(runlist, reader.entry, &entry, &lost)) {
            reader.bad = NV_RUNLIST_BAD_OVERFLOW;
            good = false;
        } else if (!lost) {
            good = nv_runlist_read_entry(runlist, &reader, &entry);
            if (inject_comes_again(runlist->machine) && good && reader.read < runlist->capacity)
                good = nv_runlist_read_entry(runlist, &reader, &entry);
        }
    }
    *bad = reader.bad;
    if (!good)
        nv_runlist_clear(runlist);
    for (struct nv_runlist *queue = runlist; queue; queue = queue->next)
        if (queue->state->next_group >= queue->state->group_count)
            queue->state->next_group = 0;
    nv_runlist_enlist(runlist);
    return good;
}

/* ---- finding --------------------------------------------------------------------------------- */

/* Returns the first set bit from `from` on in `count` words, or UINT32_MAX if none is set. */
static uint32_t nv_runlist_first_bit(const uint64_t *words, uint32_t count, uint32_t from)
{
    uint32_t at = from / 64;
    uint64_t word = at < count ? words[at] & ~UINT64_C(0) << from % 64 : 0;

    while (word == 0 && ++at < count)
        word = words[at];
    return word == 0 || at >= count ? UINT32_MAX : 64 * at + (uint32_t)__builtin_ctzll(word);
}

static uint32_t nv_runlist_find_up(const struct nv_runlist *runlist, uint32_t from)
{
    const uint32_t words = (runlist->capacity + 63) / 64;
    const uint32_t first = nv_runlist_first_bit(runlist->serviceable, from / 64 + 1, from);
    const uint32_t word =
        first != UINT32_MAX
            ? first / 64
            : nv_runlist_first_bit(runlist->summary, (words + 63) / 64, from / 64 + 1);

    if (first != UINT32_MAX)
        return first;
    return word == UINT32_MAX ? UINT32_MAX
                              : 64 * word + (uint32_t)__builtin_ctzll(runlist->serviceable[word]);
}

uint32_t nv_runlist_find(const struct nv_runlist *runlist, uint32_t from)
{
    uint32_t found = UINT32_MAX;

    if (from < runlist->state->group_count)
        found = nv_runlist_find_up(runlist, from);
    return found == UINT32_MAX ? nv_runlist_find_up(runlist, 0) : found;
}

uint32_t nv_runlist_find_tsg(const struct nv_runlist *runlist, uint32_t tsg_id)
{
    for (uint32_t i = 0; i < runlist->state->group_count; i++)
        if (runlist->groups[i].tsg_id == tsg_id)
            return i;
    return UINT32_MAX;
}

uint32_t nv_runlist_entry_of(const struct nv_runlist *runlist, uint32_t group)
{
    return runlist->members[runlist->groups[group].first].place;
}

uint32_t nv_runlist_next_member(const struct nv_runlist *runlist, uint32_t group, uint32_t after,
                                bool polls)
{
    const struct nv_runlist_group *tsg = &runlist->groups[group];
    const uint32_t last = (uint32_t)tsg->first + tsg->length - 1;
    uint32_t at = after < tsg->first || after >= last ? tsg->first : after + 1;
    uint32_t found = UINT32_MAX;

    for (uint32_t i = 0; i < tsg->length; i++) {
        const struct nv_channel *channel =
            nv_channel_get(runlist->host, runlist->members[at].channel_id);
        const bool counts =
            channel && channel->entry == at + 1 &&
            (polls ? channel->count == NV_RUNLIST_POLLS : channel->count == NV_RUNLIST_READY);

        if (counts && channel->next)
            return at;
        if (counts && found == UINT32_MAX)
            found = at;
        at = at == last ? tsg->first : at + 1;
    }
    return found;
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool nv_runlist_is_ready(const struct nv_runlist_group *group)
{
    return group->ready > 0 && group->faulted == 0;
}

static bool nv_runlist_is_serviceable(const struct nv_runlist_group *group)
{
    return (group->ready > 0 || group->polls > 0) && group->faulted == 0;
}

/* The counts of a TSG have changed: the bits and sums follow. */
static void nv_runlist_regroup(struct nv_runlist *runlist, uint32_t index, bool was_ready,
                               bool was_serviceable)
{
    struct nv_runlist_state *state = runlist->state;
    const struct nv_runlist_group *group = &runlist->groups[index];
    const bool ready = nv_runlist_is_ready(group), serviceable = nv_runlist_is_serviceable(group);
    uint64_t *word = &runlist->serviceable[index / 64];
    uint64_t *summary = &runlist->summary[index / 4096];

    state->ready_groups += (uint32_t)ready - (uint32_t)was_ready;
    if (serviceable == was_serviceable)
        return;
    state->serviceable_groups += (uint32_t)serviceable - (uint32_t)was_serviceable;
    *word ^= UINT64_C(1) << index % 64;
    if (*word)
        *summary |= UINT64_C(1) << index / 64 % 64;
    else
        *summary &= ~(UINT64_C(1) << index / 64 % 64);
}

void nv_runlist_count(struct nv_runlist *runlist, uint32_t member, enum nv_runlist_count was,
                      enum nv_runlist_count is)
{
    const uint32_t index = runlist->members[member].group;
    struct nv_runlist_group *group = &runlist->groups[index];
    const bool ready = nv_runlist_is_ready(group), serviceable = nv_runlist_is_serviceable(group);

    group->ready = (uint8_t)(group->ready - (was == NV_RUNLIST_READY) + (is == NV_RUNLIST_READY));
    group->polls = (uint8_t)(group->polls - (was == NV_RUNLIST_POLLS) + (is == NV_RUNLIST_POLLS));
    nv_runlist_regroup(runlist, index, ready, serviceable);
}

void nv_runlist_count_faulted(struct nv_runlist *runlist, uint32_t member, bool more)
{
    const uint32_t index = runlist->members[member].group;
    struct nv_runlist_group *group = &runlist->groups[index];
    const bool ready = nv_runlist_is_ready(group), serviceable = nv_runlist_is_serviceable(group);

    group->faulted = (uint8_t)(more ? group->faulted + 1 : group->faulted - 1);
    nv_runlist_regroup(runlist, index, ready, serviceable);
}
