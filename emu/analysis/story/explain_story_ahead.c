/* SPDX-License-Identifier: MIT */
/*
 * Operations that are handed to their channel before those in front of them are complete
 * (CUDA.AHEAD).  They wait there, not in the runtime: first behind what was handed to the channel
 * before and has not gone on to the GPU, then for the operation in front of them in their own
 * stream, whose end their acquire waits for (CUDA.STREAM_ACQUIRE).  The log has the acquires as
 * waits of the channel; who waits for whom is told by the order of the submissions.
 */
#include <config.h>

#include "emu/analysis/story/explain_story_dispatch.h"
#include "emu/analysis/story/explain_story_private.h"

enum { AHEAD_MAX = 256 }; /* operations in front of one in its channel that a story names */

/* Channels have 22 bits; entries of a damaged log may meet. */
static uint64_t entry_key(uint64_t channel_id, uint64_t gp_sequence)
{
    return channel_id << 40 ^ gp_sequence;
}

/* Returns true if the channel is done with the operation. */
static bool is_served(const struct story_operation *operation)
{
    return operation->work != STORY_NONE || operation->completed_ps != GFE_PS_NEVER;
}

bool story_ahead_hand(const struct story_build *build, struct story_channel *channel,
                      uint32_t index)
{
    struct story *story = build->story;
    struct story_operation *operation = &story->operations[index];
    const uint64_t key = entry_key(operation->channel, operation->gp_sequence);

    operation->before = channel->last;
    if (channel->last != STORY_NONE)
        story->operations[channel->last].following = index;
    channel->last = index;
    if (channel->operation == STORY_NONE || is_served(&story->operations[channel->operation]))
        channel->operation = index;
    return id_map_find(&story->operation_by_entry, key) != ID_MAP_NONE ||
           id_map_add(&story->operation_by_entry, key, index) || story_no_memory(build);
}

uint32_t story_ahead_find(const struct story *story, uint64_t channel_id, uint64_t gp_sequence)
{
    const uint32_t index =
        id_map_find(&story->operation_by_entry, entry_key(channel_id, gp_sequence));

    return index == ID_MAP_NONE || story->operations[index].gp_sequence != gp_sequence ||
                   story->operations[index].channel != channel_id
               ? STORY_NONE
               : index;
}

void story_ahead_serve(const struct story_build *build, uint32_t index)
{
    struct story *story = build->story;
    const uint32_t at = id_map_find(&story->channel_by_id, story->operations[index].channel);
    struct story_channel *channel = at == ID_MAP_NONE ? NULL : &story->channels[at];

    while (channel && channel->operation != STORY_NONE &&
           is_served(&story->operations[channel->operation]) &&
           story->operations[channel->operation].following != STORY_NONE)
        channel->operation = story->operations[channel->operation].following;
}

/* ---- stories ----------------------------------------------------------------------------------
 */

/* Returns when the channel was done with the operation. */
static gfe_ps served_ps(const struct story *story, const struct story_operation *operation)
{
    return operation->work != STORY_NONE ? story->works[operation->work].queued_ps
                                         : operation->completed_ps;
}

static void wait_for(struct story_life *life, gfe_ps to_ps, uint32_t rule, uint32_t operation)
{
    story_life_add(life, &(struct story_piece){.end_ps = to_ps,
                                               .what = STORY_WAIT,
                                               .rule = rule,
                                               .by = STORY_BY_OPERATION,
                                               .by_id = operation,
                                               .engine = STORY_NONE});
}

/* Returns true if the operation's channel is a compute channel that its stream has for ever. */
static bool is_static(const struct story *story, const struct story_operation *operation)
{
    const uint32_t channel = id_map_find(&story->channel_by_id, operation->channel);

    return channel != ID_MAP_NONE && !story->channels[channel].is_pooled &&
           (operation->work == STORY_NONE || !story->works[operation->work].is_copy);
}

/* Waits behind operations of other streams that were handed to the channel before. */
static void in_channel(const struct story *story, struct story_life *life,
                       const struct story_operation *operation)
{
    const uint32_t rule = story_role_rule(story, STORY_ROLE_ORDER);
    uint32_t others[AHEAD_MAX], count = 0;

    for (uint32_t i = operation->before; i != STORY_NONE && count < AHEAD_MAX;
         i = story->operations[i].before) {
        if (served_ps(story, &story->operations[i]) <= life->at_ps)
            break;
        if (story->operations[i].stream != operation->stream)
            others[count++] = i;
    }
    while (count-- > 0)
        wait_for(life, served_ps(story, &story->operations[others[count]]), rule, others[count]);
}

void story_ahead_life(const struct story *story, struct story_life *life, uint32_t index)
{
    const struct story_operation *operation = &story->operations[index];
    const uint32_t rule = story_role_rule(story, STORY_ROLE_ACQUIRE);
    const uint32_t previous = operation->previous;
    const gfe_ps own_ps =
        operation->work != STORY_NONE ? served_ps(story, operation) : GFE_PS_NEVER;

    if (rule == RULE_NONE || operation->submitted_ps == GFE_PS_NEVER)
        return;
    if (story_role_rule(story, STORY_ROLE_ORDER) != RULE_NONE && is_static(story, operation))
        in_channel(story, life, operation);
    if (previous != STORY_NONE && story->operations[previous].completed_ps < own_ps)
        wait_for(life, story->operations[previous].completed_ps, rule, previous);
    else if (previous != STORY_NONE && own_ps == GFE_PS_NEVER)
        wait_for(life, GFE_PS_NEVER, rule, previous);
}
