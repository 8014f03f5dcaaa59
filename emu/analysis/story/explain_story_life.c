/* SPDX-License-Identifier: MIT */
/* The life of an operation or block, piece by piece. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/log/event_list.h"
#include "emu/analysis/story/explain_story_dispatch.h"

struct by {
    enum story_by_kind kind;
    uint64_t id;
};

/* ---- pieces -----------------------------------------------------------------------------------
 */

void story_life_add(struct story_life *life, const struct story_piece *piece)
{
    struct story_piece *last = life->count ? &life->pieces[life->count - 1] : NULL;
    const gfe_ps to_ps = piece->end_ps < life->end_ps ? piece->end_ps : life->end_ps;

    if (to_ps <= life->at_ps || life->failed)
        return;
    if (last && last->what == piece->what && last->rule == piece->rule && last->by == piece->by &&
        last->by_id == piece->by_id && last->via == piece->via && last->engine == piece->engine &&
        last->signal == piece->signal) {
        last->end_ps = life->at_ps = to_ps;
        return;
    }
    if (life->count == life->capacity) {
        const uint32_t capacity = life->capacity ? 2 * life->capacity : 16;
        struct story_piece *grown = realloc(life->pieces, capacity * sizeof *grown);

        if (!grown) {
            life->failed = true;
            return;
        }
        life->pieces = grown;
        life->capacity = capacity;
    }
    last = &life->pieces[life->count++];
    *last = *piece;
    last->begin_ps = life->at_ps;
    last->end_ps = life->at_ps = to_ps;
}

/* Up to `to_ps`: nothing when that is over already. */
static void life_add(struct story_life *life, gfe_ps to_ps, enum story_what what, uint32_t rule,
                     struct by by)
{
    story_life_add(life, &(struct story_piece){.end_ps = to_ps,
                                               .what = what,
                                               .rule = rule,
                                               .by = by.kind,
                                               .by_id = by.id,
                                               .engine = STORY_NONE});
}

static void life_serve(struct story_life *life, gfe_ps to_ps, enum story_what what)
{
    life_add(life, to_ps, what, RULE_NONE, (struct by){STORY_BY_NOBODY, 0});
}

/* ---- what was in the way -----------------------------------------------------------------------
 */

static struct by by_index(enum story_by_kind kind, uint32_t index)
{
    return index == ID_MAP_NONE ? (struct by){STORY_BY_NOBODY, 0} : (struct by){kind, index};
}

static struct by by_of(const struct story *story, const struct story_wait *wait)
{
    switch (wait->by_kind) {
    case SUBJECT_OPERATION:
        return by_index(STORY_BY_OPERATION, id_map_find(&story->operation_by_id, wait->by_id));
    case SUBJECT_GRID:
        return by_index(STORY_BY_WORK, id_map_find(&story->grid_by_id, wait->by_id));
    case SUBJECT_COPY:
        return by_index(STORY_BY_WORK, id_map_find(&story->copy_by_id, wait->by_id));
    case SUBJECT_CHANNEL:
        return (struct by){STORY_BY_CHANNEL, wait->by_id};
    default:
        return (struct by){STORY_BY_NOBODY, 0};
    }
}

uint32_t story_process(const struct story *story, uint32_t work)
{
    const uint32_t operation = story->works[work].operation;
    uint32_t stream;

    if (operation == STORY_NONE)
        return STORY_NONE;
    stream = story->operations[operation].stream;
    return story_client(story, stream) ? 0 : story->streams[stream].process;
}

/* Place among those dispatched of the first that is later than that. */
static uint32_t dispatched_after(const struct story *story, gfe_ps time_ps)
{
    uint32_t low = 0, high = story->dispatched_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (story->works[story->dispatched[middle]].dispatched_ps > time_ps)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Others are at the head of its queue (T.X1), or of higher ones (T.A2), one after another. */
static void life_behind(const struct story *story, struct story_life *life, uint32_t work,
                        const struct story_wait *wait)
{
    const uint32_t process = story_process(story, work), priority = story->works[work].priority;
    const bool own_queue = story_role(story, wait->rule) == STORY_ROLE_HEAD;
    struct by by = {STORY_BY_NOBODY, 0};
    uint32_t listed = 0;

    for (uint32_t i = dispatched_after(story, life->at_ps); i < story->dispatched_count; i++) {
        const uint32_t index = story->dispatched[i];
        const struct story_work *head = &story->works[index];

        if (head->dispatched_ps > wait->end_ps || listed == STORY_CROWD_MAX)
            break;
        if (index == work || story_process(story, index) != process ||
            (own_queue ? head->priority != priority || index > work : head->priority <= priority))
            continue;
        by = (struct by){STORY_BY_WORK, index};
        listed++;
        life_add(life, head->dispatched_ps, STORY_WAIT, wait->rule, by);
    }
    life_add(life, wait->end_ps, STORY_WAIT, wait->rule, (struct by){STORY_BY_NOBODY, 0});
}

uint32_t story_block_from(const struct story *story, uint32_t work, gfe_ps time_ps)
{
    const uint32_t *order = &story->block_order[story->works[work].first_block];
    uint32_t low = 0, high = story->works[work].started;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (story->blocks[order[middle]].start_ps >= time_ps)
            high = middle;
        else
            low = middle + 1;
    }
    return low < story->works[work].started ? order[low] : STORY_NONE;
}

/* Whose end made room for the grid's block that starts when its wait ends. */
static struct by by_freed(const struct story *story, uint32_t work, const struct story_wait *wait)
{
    const uint32_t block = story_block_from(story, work, wait->end_ps);

    if (block == STORY_NONE || story->blocks[block].start_ps != wait->end_ps ||
        story->blocks[block].freed == STORY_NONE)
        return by_of(story, wait);
    return (struct by){STORY_BY_BLOCK, story->blocks[block].freed};
}

/* ---- parts of a life --------------------------------------------------------------------------
 */

/* A chain's waits of that subject up to `to_ps`, or its stops, between them `what`; those that the
 * life has passed are over. */
static void life_waits(const struct story *story, struct story_life *life, uint32_t chain,
                       gfe_ps to_ps, uint32_t subject_kind, enum story_what what)
{
    struct by by;

    for (uint32_t i = chain; i != STORY_NONE; i = story->waits[i].next) {
        const struct story_wait *wait = &story->waits[i];

        if (wait->end_ps <= life->at_ps || wait->subject_kind != subject_kind)
            continue;
        if (wait->begin_ps >= to_ps)
            break;
        life_serve(life, wait->begin_ps, what);
        by = by_of(story, wait);
        story_life_add(life,
                       &(struct story_piece){.end_ps = wait->end_ps < to_ps ? wait->end_ps : to_ps,
                                             .what = STORY_WAIT,
                                             .rule = wait->rule,
                                             .by = by.kind,
                                             .by_id = by.id,
                                             .signal = wait->signal,
                                             .engine = STORY_NONE});
    }
    life_serve(life, to_ps, what);
}

/* The grid waits until its block is placed. */
static void life_placing(const struct story *story, struct story_life *life, uint32_t work,
                         gfe_ps to_ps)
{
    for (uint32_t i = story->works[work].first_wait; i != STORY_NONE; i = story->waits[i].next) {
        const struct story_wait *wait = &story->waits[i];
        const enum story_role role = story_role(story, wait->rule);

        if (wait->end_ps > to_ps)
            break;
        if (wait->end_ps <= life->at_ps)
            continue;
        life_serve(life, wait->begin_ps, STORY_PLACE);
        if (role == STORY_ROLE_HEAD || role == STORY_ROLE_HIGHER)
            life_behind(story, life, work, wait);
        else
            life_add(life, wait->end_ps, STORY_WAIT, wait->rule,
                     role == STORY_ROLE_RESOURCE || role == STORY_ROLE_SHARE
                         ? by_freed(story, work, wait)
                         : by_of(story, wait));
    }
    life_serve(life, to_ps, STORY_PLACE);
}

/* A grid's life, as that block sees it. */
static void life_of_grid(const struct story *story, struct story_life *life, uint32_t work,
                         uint32_t block)
{
    const struct story_work *grid = &story->works[work];

    if (grid->dispatch != STORY_NONE)
        story_dispatch_life(story, life, work, block);
    if (block == STORY_NONE) {
        life_placing(story, life, work, grid->end_ps);
        return;
    }
    life_placing(story, life, work, story->blocks[block].start_ps);
    life_waits(story, life, grid->first_stop, story->blocks[block].end_ps, SUBJECT_GRID, STORY_RUN);
    if (grid->dispatch != STORY_NONE)
        life_serve(life, grid->end_ps, STORY_REST);
    life_add(life, grid->end_ps, STORY_WAIT, story->order_rule,
             grid->last_ended != STORY_NONE && grid->last_ended != block
                 ? (struct by){STORY_BY_BLOCK, grid->last_ended}
                 : (struct by){STORY_BY_NOBODY, 0});
}

static void life_of_copy(const struct story *story, struct story_life *life, uint32_t work)
{
    const struct story_work *copy = &story->works[work];

    life_waits(story, life, copy->first_wait, copy->started_ps, SUBJECT_COPY, STORY_SETUP);
    if (copy->first_stop != STORY_NONE)
        life_waits(story, life, copy->first_stop, copy->end_ps, SUBJECT_GRID, STORY_COPYING);
    life_waits(story, life, copy->first_wait, copy->end_ps, SUBJECT_COPY, STORY_COPYING);
}

/* Returns the block that ends last, or else the block that starts last, or STORY_NONE if none
 * starts. */
static uint32_t last_block(const struct story *story, uint32_t work)
{
    const struct story_work *grid = &story->works[work];

    if (grid->end_ps != GFE_PS_NEVER && grid->last_ended != STORY_NONE)
        return grid->last_ended;
    return grid->started ? story->block_order[grid->first_block + grid->started - 1] : STORY_NONE;
}

/* Adds the way of a packet (AMD): it waits behind earlier packets of its ring, then for what its
 * queue waits for. */
static void life_in_ring(const struct story *story, struct story_life *life,
                         const struct story_work *work)
{
    if (work->before_in_queue != STORY_NONE)
        life_add(life,
                 work->is_copy ? story->works[work->before_in_queue].end_ps
                               : story->works[work->before_in_queue].queued_ps,
                 STORY_WAIT, story_role_rule(story, STORY_ROLE_RING),
                 (struct by){STORY_BY_WORK, work->before_in_queue});
    if (work->first_front != STORY_NONE)
        life_waits(story, life, work->first_front, work->queued_ps, SUBJECT_QUEUE, STORY_FRONT_END);
}

bool story_life(const struct story *story, struct story_subject subject, struct story_life *life)
{
    const struct story_operation *operation = &story->operations[subject.operation];
    const bool of_gpu = operation->work != STORY_NONE;
    const struct story_work *work = of_gpu ? &story->works[operation->work] : NULL;
    const gfe_ps submitted_ps = operation->submitted_ps;
    const uint32_t waits = operation->first_wait;

    *life = (struct story_life){.pieces = life->pieces, .capacity = life->capacity};
    life->unfinished = operation->completed_ps == GFE_PS_NEVER;
    life->begin_ps = life->at_ps = operation->called_ps;
    life->end_ps = life->unfinished ? story->end_ps : operation->completed_ps;
    life_waits(story, life, waits, submitted_ps, SUBJECT_OPERATION, STORY_RUNTIME);
    story_ahead_life(story, life, subject.operation);
    if (of_gpu)
        life_in_ring(story, life, work);
    life_waits(story, life, waits, of_gpu ? work->queued_ps : GFE_PS_NEVER, SUBJECT_CHANNEL,
               STORY_FRONT_END);
    if (of_gpu && work->is_copy)
        life_of_copy(story, life, operation->work);
    else if (of_gpu)
        life_of_grid(story, life, operation->work,
                     subject.block != STORY_NONE ? subject.block
                                                 : last_block(story, operation->work));
    life_waits(story, life, waits, GFE_PS_NEVER, SUBJECT_CHANNEL, STORY_COMPLETION);
    return !life->failed;
}

void story_life_fini(struct story_life *life)
{
    free(life->pieces);
    *life = (struct story_life){0};
}

/* ---- totals ------------------------------------------------------------------------------------
 */

struct story_total story_total(const struct story_life *life)
{
    struct story_total total = {.total_ps = life->end_ps - life->begin_ps};

    for (uint32_t i = 0; i < life->count; i++) {
        const struct story_piece *piece = &life->pieces[i];
        const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
        uint32_t at = 0;

        if (piece->what != STORY_WAIT) {
            *(piece->what == STORY_UNATTRIBUTED ? &total.unattributed_ps : &total.service_ps) +=
                took_ps;
            continue;
        }
        while (at < total.wait_count && total.waits[at].rule != piece->rule)
            at++;
        if (at == STORY_RULES_MAX)
            at--;
        else if (at == total.wait_count)
            total.waits[total.wait_count++].rule = piece->rule;
        total.waits[at].ps += took_ps;
        total.waits[at].count++;
        if (took_ps > total.waits[at].longest_ps)
            total.waits[at].longest_ps = took_ps;
    }
    return total;
}
