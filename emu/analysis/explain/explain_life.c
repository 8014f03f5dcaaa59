/* SPDX-License-Identifier: MIT */
/* The life of one operation, put together from what was loaded. */
#include <config.h>

#include <stdlib.h>

#include "emu/analysis/explain/explain.h"

static struct explain_by nobody(void)
{
    return (struct explain_by){EXPLAIN_BY_NOBODY, 0};
}

/* Continues the life to `to_ps`.  Earlier pieces stay; time beyond the end of the life is cut. */
static void life_add(struct explain_life *life, gfe_ps to_ps, enum explain_what what, uint32_t rule,
                     struct explain_by by)
{
    struct explain_piece *last = life->count ? &life->pieces[life->count - 1] : NULL;

    if (to_ps > life->end_ps)
        to_ps = life->end_ps;
    if (to_ps <= life->at_ps || life->failed)
        return;
    if (last && last->what == what && last->rule == rule && last->by.kind == by.kind &&
        last->by.id == by.id) {
        last->end_ps = life->at_ps = to_ps;
        return;
    }
    if (life->count == life->capacity) {
        const uint32_t wanted = life->capacity ? 2 * life->capacity : 16;
        struct explain_piece *moved = realloc(life->pieces, wanted * sizeof *moved);
        if (!moved) {
            life->failed = true;
            return;
        }
        life->pieces = moved;
        life->capacity = wanted;
    }
    life->pieces[life->count++] = (struct explain_piece){life->at_ps, to_ps, what, rule, by};
    life->at_ps = to_ps;
}

static void life_serve(struct explain_life *life, gfe_ps to_ps, enum explain_what what)
{
    life_add(life, to_ps, what, RULE_NONE, nobody());
}

static void life_wait(struct explain_life *life, gfe_ps to_ps, uint32_t rule, struct explain_by by)
{
    life_add(life, to_ps, EXPLAIN_WAIT, rule, by);
}

static struct explain_by by_operation(uint32_t index)
{
    return (struct explain_by){index == EXPLAIN_NONE ? EXPLAIN_BY_NOBODY : EXPLAIN_BY_OPERATION,
                               index == EXPLAIN_NONE ? 0 : index};
}

/* ---- a channel's history --------------------------------------------------------------------- */

static gfe_ps slice_begin(const struct explain_channel *channel, uint32_t slice)
{
    return slice == 0 ? channel->from_ps : channel->slices[slice - 1].end_ps;
}

static void slice_add(struct explain_life *life, const struct explain_slice *slice)
{
    life_add(life, slice->end_ps, (enum explain_what)slice->what, slice->rule,
             (struct explain_by){(enum explain_by_kind)slice->by_kind, slice->by_id});
}

/* First of the channel's pauses that ends after `time_ps`. */
static uint32_t pause_after(const struct explain_channel *channel, gfe_ps time_ps)
{
    uint32_t low = 0, high = channel->pause_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (channel->slices[channel->pauses[middle]].end_ps > time_ps)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Up to `to_ps` the channel works on entries in front, except in its pauses.  `before`: the entry
 * directly in front, or EXPLAIN_NONE. */
static void life_behind(struct explain_life *life, const struct explain_channel *channel,
                        gfe_ps to_ps, uint32_t before)
{
    const struct explain_by by = by_operation(before);
    const gfe_ps known_ps = to_ps < channel->at_ps ? to_ps : channel->at_ps;
    uint32_t listed = 0;

    if (to_ps > life->end_ps)
        to_ps = life->end_ps;
    if (life->at_ps < channel->from_ps)
        life_serve(life, channel->from_ps < to_ps ? channel->from_ps : to_ps, EXPLAIN_UNATTRIBUTED);
    for (uint32_t i = pause_after(channel, life->at_ps); i < channel->pause_count; i++) {
        const uint32_t at = channel->pauses[i];
        const gfe_ps begin_ps = slice_begin(channel, at);
        if (begin_ps >= known_ps)
            break;
        if (listed++ == EXPLAIN_CROWD_MAX) {
            life_wait(life, known_ps, channel->order_rule,
                      (struct explain_by){EXPLAIN_BY_OTHERS, 0});
            break;
        }
        life_wait(life, begin_ps, channel->order_rule, by);
        struct explain_slice slice = channel->slices[at];
        if (slice.end_ps > known_ps)
            slice.end_ps = known_ps;
        slice_add(life, &slice);
    }
    life_wait(life, known_ps, channel->order_rule, by);
    life_serve(life, to_ps, EXPLAIN_UNATTRIBUTED);
}

/* From where its entry is read to where it ends. */
static void life_own(const struct explain *explain, struct explain_life *life, uint32_t index)
{
    const struct explain_operation *entry = &explain->operations[index];
    const struct explain_channel *channel = &explain->channels[entry->channel];

    if (entry->entry.fetch_ps == GFE_PS_NEVER)
        return;
    for (uint32_t i = entry->first_slice; i < entry->slice_end; i++) {
        const struct explain_slice *slice = &channel->slices[i];
        if (slice->entry == index || slice->entry == EXPLAIN_NONE)
            slice_add(life, slice);
        else
            life_wait(life, slice->end_ps, channel->order_rule, by_operation(slice->entry));
    }
}

static gfe_ps entry_fetched(const struct explain_operation *entry)
{
    return entry->entry.fetch_ps == GFE_PS_NEVER ? entry->end_ps : entry->entry.fetch_ps;
}

/* The entry in the ring directly in front of this one. */
static uint32_t entry_before(const struct explain *explain, uint32_t index)
{
    const struct explain_operation *entry = &explain->operations[index];

    return entry->id == 0 ? EXPLAIN_NONE
                          : id_map_find(&explain->by_id[EXPLAIN_ENTRY],
                                        (uint64_t)entry->channel << 44 ^ (entry->id - 1));
}

static void life_of_entry(const struct explain *explain, struct explain_life *life, uint32_t index)
{
    const struct explain_operation *entry = &explain->operations[index];

    life_behind(life, &explain->channels[entry->channel], entry_fetched(entry),
                entry_before(explain, index));
    life_own(explain, life, index);
}

/* What its method waited for. */
static void life_of_method(const struct explain *explain, struct explain_life *life,
                           const struct explain_operation *operation)
{
    if (operation->channel == EXPLAIN_NONE)
        return;
    for (uint32_t i = operation->first_slice; i < operation->slice_end; i++)
        slice_add(life, &explain->channels[operation->channel].slices[i]);
}

/* ---- launches and blocks --------------------------------------------------------------------- */

/* First launch to leave the dispatcher's queue after `time_ps`. */
static uint32_t head_after(const struct explain *explain, gfe_ps time_ps)
{
    uint32_t low = 0, high = explain->head_count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (explain->heads[middle].time_ps > time_ps)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

/* Other launches are at the head of the dispatcher's queue, one after another, up to `to_ps`. */
static void life_behind_heads(const struct explain *explain, struct explain_life *life,
                              gfe_ps to_ps, uint32_t rule)
{
    uint32_t listed = 0;

    for (uint32_t i = head_after(explain, life->at_ps);
         i < explain->head_count && explain->heads[i].time_ps <= to_ps; i++) {
        if (listed++ == EXPLAIN_CROWD_MAX) {
            life_wait(life, to_ps, rule, (struct explain_by){EXPLAIN_BY_OTHERS, 0});
            return;
        }
        life_wait(life, explain->heads[i].time_ps, rule, by_operation(explain->heads[i].launch));
    }
    life_wait(life, to_ps, rule, nobody());
}

/* Waits of the operation one after another, up to `to_ps`; between them `what`. */
static void life_waits(const struct explain *explain, struct explain_life *life,
                       const struct explain_operation *operation, gfe_ps to_ps,
                       enum explain_what what)
{
    for (uint32_t i = operation->first_wait; i != EXPLAIN_NONE; i = explain->waits[i].next) {
        const struct explain_wait *wait = &explain->waits[i];
        if (wait->end_ps > to_ps)
            break;
        if (wait->end_ps <= life->at_ps)
            continue;
        life_serve(life, wait->begin_ps < to_ps ? wait->begin_ps : to_ps, what);
        if (wait->rule == explain->head_rule && operation->kind == EXPLAIN_LAUNCH)
            life_behind_heads(explain, life, wait->end_ps, wait->rule);
        else
            life_wait(life, wait->end_ps, wait->rule, wait->by);
    }
    life_serve(life, to_ps, what);
}

/* Adds the waits of a chain one after another, from `first` on, and `what` between and after them.
 * A wait that has not ended goes on to the end. */
static void life_stops(const struct explain *explain, struct explain_life *life, uint32_t first,
                       enum explain_what what)
{
    for (uint32_t i = first; i != EXPLAIN_NONE; i = explain->waits[i].next) {
        const struct explain_wait *wait = &explain->waits[i];
        if (wait->begin_ps >= life->end_ps)
            break;
        if (wait->end_ps <= life->at_ps)
            continue;
        life_serve(life, wait->begin_ps, what);
        life_wait(life, wait->end_ps, wait->rule, wait->by);
    }
    life_serve(life, life->end_ps, what);
}

/* The block runs, but for when its launch is stopped. */
static void life_run(const struct explain *explain, struct explain_life *life,
                     const struct explain_block *block)
{
    const gfe_ps end_ps = life->end_ps;

    if (block->end_ps < life->end_ps)
        life->end_ps = block->end_ps;
    life_stops(explain, life,
               block->stop == EXPLAIN_NONE ? explain->operations[block->launch].launch.first_stop
                                           : explain->waits[block->stop].next,
               EXPLAIN_EXECUTE);
    life->end_ps = end_ps;
}

/* Up to the placing of the block that ends last, and its execution. */
static void life_of_launch(const struct explain *explain, struct explain_life *life,
                           const struct explain_operation *launch)
{
    const uint32_t last =
        launch->unfinished ? launch->launch.last_started : launch->launch.last_ended;

    life_waits(explain, life, launch,
               launch->launch.queued_ps < life->end_ps ? launch->launch.queued_ps : life->end_ps,
               EXPLAIN_START);
    if (last == EXPLAIN_NONE) {
        life_waits(explain, life, launch, life->end_ps, EXPLAIN_PLACE);
        return;
    }
    life_waits(explain, life, launch, explain->blocks[last].start_ps, EXPLAIN_PLACE);
    life_run(explain, life, &explain->blocks[last]);
}

/* What the block waited for since the one before it started, but to be the first in the queue. */
static void life_of_placing(const struct explain *explain, struct explain_life *life,
                            const struct explain_block *block)
{
    const struct explain_operation *launch = &explain->operations[block->launch];
    const uint32_t known =
        block->previous == EXPLAIN_NONE ? EXPLAIN_NONE : explain->blocks[block->previous].wait;

    for (uint32_t i = known == EXPLAIN_NONE ? launch->first_wait : explain->waits[known].next;
         i != EXPLAIN_NONE && explain->waits[i].end_ps <= block->start_ps;
         i = explain->waits[i].next) {
        const struct explain_wait *wait = &explain->waits[i];
        if (wait->rule == explain->head_rule)
            continue;
        life_serve(life, wait->begin_ps, EXPLAIN_PLACE);
        life_wait(life, wait->end_ps, wait->rule, wait->by);
    }
    life_serve(life, block->start_ps, EXPLAIN_PLACE);
}

static void life_of_block(const struct explain *explain, struct explain_life *life,
                          const struct explain_block *block)
{
    const struct explain_operation *launch = &explain->operations[block->launch];
    const gfe_ps first_ps =
        block->previous_ps < block->start_ps ? block->previous_ps : block->start_ps;

    /* For the launch to be the first in the queue. */
    for (uint32_t i = launch->first_wait; i != EXPLAIN_NONE; i = explain->waits[i].next) {
        const struct explain_wait *wait = &explain->waits[i];
        if (wait->end_ps <= life->at_ps)
            continue;
        if (wait->rule != explain->head_rule || wait->end_ps > first_ps)
            break;
        life_behind_heads(explain, life, wait->end_ps, wait->rule);
    }
    if (block->previous != EXPLAIN_NONE)
        life_wait(life, block->previous_ps, explain->block_order_rule,
                  (struct explain_by){EXPLAIN_BY_BLOCK, block->previous});
    life_of_placing(explain, life, block);
    life_run(explain, life, block);
}

/* ---- the others ------------------------------------------------------------------------------ */

/* It may wait once it has started: for its turn on what it shares, for its context to come back. */
static void life_of_work(const struct explain *explain, struct explain_life *life,
                         const struct explain_operation *work)
{
    const gfe_ps start_ps = work->work.start_ps < life->end_ps ? work->work.start_ps : life->end_ps;

    life_waits(explain, life, work, start_ps, EXPLAIN_UNATTRIBUTED);
    if (work->work.start_ps != GFE_PS_NEVER)
        life_stops(explain, life, work->first_wait,
                   work->kind == EXPLAIN_COPY ? EXPLAIN_COPYING : EXPLAIN_DRAWING);
}

static void life_of_semaphore(const struct explain *explain, struct explain_life *life,
                              const struct explain_operation *semaphore)
{
    const bool is_report =
        semaphore->semaphore.type == EXPLAIN_REPORT || semaphore->semaphore.type == EXPLAIN_NOTIFY;

    life_waits(explain, life, semaphore, life->end_ps,
               is_report ? EXPLAIN_WRITE : EXPLAIN_UNATTRIBUTED);
}

static void life_of_operation(const struct explain *explain, struct explain_life *life,
                              uint32_t index);

/* Adds the part of another operation's life that comes after this one's. */
static void life_tail(const struct explain *explain, struct explain_life *life, uint32_t index)
{
    struct explain_life other = {0};

    if (!explain_life(explain, (struct explain_ref){explain->operations[index].kind, index},
                      &other))
        life->failed = true;
    for (uint32_t i = 0; i < other.count && !life->failed; i++)
        life_add(life, other.pieces[i].end_ps, other.pieces[i].what, other.pieces[i].rule,
                 other.pieces[i].by);
    explain_life_fini(&other);
}

static void life_of_submission(const struct explain *explain, struct explain_life *life,
                               const struct explain_operation *submission)
{
    const gfe_ps return_ps = submission->submission.return_ps;
    bool in_ring = false;

    for (uint32_t i = submission->first_child; i != EXPLAIN_NONE;
         i = explain->operations[i].next_child) {
        const struct explain_operation *entry = &explain->operations[i];
        if (!in_ring)
            life_waits(explain, life, submission, entry->birth_ps, EXPLAIN_DRIVER_CALL);
        in_ring = true;
        life_behind(life, &explain->channels[entry->channel], entry_fetched(entry),
                    entry_before(explain, i));
        life_own(explain, life, i);
    }
    if (submission->submission.last != EXPLAIN_NONE)
        life_tail(explain, life, submission->submission.last);
    if (return_ps != GFE_PS_NEVER || !in_ring)
        life_waits(explain, life, submission, return_ps < life->end_ps ? return_ps : life->end_ps,
                   in_ring ? EXPLAIN_DRIVER_RETURN : EXPLAIN_DRIVER_CALL);
}

static void life_of_operation(const struct explain *explain, struct explain_life *life,
                              uint32_t index)
{
    const struct explain_operation *operation = &explain->operations[index];

    switch ((enum explain_kind)operation->kind) {
    case EXPLAIN_SUBMISSION:
        life_of_submission(explain, life, operation);
        break;
    case EXPLAIN_ENTRY:
        life_of_entry(explain, life, index);
        break;
    case EXPLAIN_LAUNCH:
        life_of_method(explain, life, operation);
        life_of_launch(explain, life, operation);
        break;
    case EXPLAIN_DRAW:
    case EXPLAIN_COPY:
        life_of_method(explain, life, operation);
        life_of_work(explain, life, operation);
        break;
    case EXPLAIN_SEMAPHORE:
        life_of_method(explain, life, operation);
        life_of_semaphore(explain, life, operation);
        break;
    case EXPLAIN_BLOCK:
    case EXPLAIN_KINDS:
        break;
    }
}

bool explain_life(const struct explain *explain, struct explain_ref ref, struct explain_life *life)
{
    life->count = 0;
    life->failed = false;
    if (ref.kind == EXPLAIN_BLOCK) {
        const struct explain_block *block = &explain->blocks[ref.index];
        const struct explain_operation *launch = &explain->operations[block->launch];
        const gfe_ps queued_ps = launch->launch.queued_ps;
        life->birth_ps = queued_ps < block->start_ps ? queued_ps : block->start_ps;
        /* One that does not end is over with its launch, which may have been dropped. */
        life->end_ps = block->end_ps == GFE_PS_NEVER ? launch->end_ps : block->end_ps;
    } else {
        life->birth_ps = explain->operations[ref.index].birth_ps;
        life->end_ps = explain->operations[ref.index].end_ps;
    }
    life->at_ps = life->birth_ps;
    if (ref.kind == EXPLAIN_BLOCK)
        life_of_block(explain, life, &explain->blocks[ref.index]);
    else
        life_of_operation(explain, life, ref.index);
    life_serve(life, life->end_ps, EXPLAIN_UNATTRIBUTED);
    return !life->failed;
}

void explain_life_fini(struct explain_life *life)
{
    free(life->pieces);
    *life = (struct explain_life){0};
}

/* ---- totals ---------------------------------------------------------------------------------- */

enum { RULES_ADDED_UP = 32 };

struct explain_total explain_total(const struct explain_life *life)
{
    struct explain_total total = {.total_ps = life->end_ps - life->birth_ps};
    gfe_ps by_rule[RULES_ADDED_UP] = {0}, longest_ps = 0;
    uint32_t rules[RULES_ADDED_UP], rule_count = 0;

    for (uint32_t i = 0; i < life->count; i++) {
        const struct explain_piece *piece = &life->pieces[i];
        const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
        uint32_t at = 0;
        if (piece->what == EXPLAIN_UNATTRIBUTED)
            total.unattributed_ps += took_ps;
        else if (piece->what != EXPLAIN_WAIT)
            total.service_ps += took_ps;
        if (piece->what != EXPLAIN_WAIT)
            continue;
        total.wait_ps += took_ps;
        while (at < rule_count && rules[at] != piece->rule)
            at++;
        if (at == RULES_ADDED_UP)
            continue;
        if (at == rule_count)
            rules[rule_count++] = piece->rule;
        by_rule[at] += took_ps;
        if (by_rule[at] > total.rule_ps) {
            total.rule_ps = by_rule[at];
            total.rule = piece->rule;
        }
    }
    for (uint32_t i = 0; i < life->count; i++) {
        const struct explain_piece *piece = &life->pieces[i];
        const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
        if (piece->what != EXPLAIN_WAIT || piece->rule != total.rule || took_ps <= longest_ps)
            continue;
        longest_ps = took_ps;
        total.by = piece->by;
    }
    return total;
}
