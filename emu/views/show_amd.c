/* SPDX-License-Identifier: MIT */
/*
 * What AMD's events become: queues with their packets, the slots that they are in, what is behind
 * work and has no grid of its own.
 *
 * Which queue a dispatch came from its first event does not say: it names the slot, and the queue
 * that is in it is the one (of a log that does not tell of slots, the slot's number stands for it).
 */
#include <config.h>

#include "emu/views/show_amd.h"

#include <stdio.h>

/* AQL's types of packets (devices/amd/formats/amd_aql.h). */
enum { AQL_DISPATCH = 2 };

enum { EARLIER_MAX = 16 }; /* items that are looked at for a wait that goes on */

/* ---- slots ----------------------------------------------------------------------------------- */

/* Items of a slot have no key: it holds one queue. */
static bool slot_open(struct show_build *build, struct show_track *slot, enum show_item_kind kind,
                      gfe_ps now_ps, uint64_t queue)
{
    struct show_item item = show_build_instant(kind, now_ps, queue);

    item.number = (uint32_t)queue;
    if (!slot || show_build_find_open(slot, kind, 0) != SHOW_NONE)
        return slot != NULL;
    return show_build_open(build, slot, 0, &item);
}

static bool slot_close(struct show_build *build, struct show_track *slot, enum show_item_kind kind,
                       gfe_ps now_ps)
{
    const uint32_t at = show_build_find_open(slot, kind, 0);

    /* A queue without work leaves at once. */
    if (at != SHOW_NONE && slot->open[at].item.begin_ps == now_ps) {
        slot->open[at] = slot->open[--slot->open_count];
        return true;
    }
    return show_build_close(build, slot, kind, 0, now_ps);
}

static struct show_track *slot_of(struct show_build *build, uint64_t pipe, uint64_t queue)
{
    if (pipe >= GPU_WORDS_MEC_QUEUES || queue >= GPU_WORDS_PIPE_QUEUES) {
        (void)show_build_absurd(build, "no micro engine has such a slot:", queue);
        return NULL;
    }
    return show_build_track(build, SHOW_SLOT, pipe * GPU_WORDS_PIPE_QUEUES + queue);
}

/* Values: pipe, queue, the number that the driver gives the queue. */
bool show_amd_map(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return slot_open(build, slot_of(build, values[0], values[1]), SHOW_LOADING, now_ps, values[2]);
}

bool show_amd_preempt(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return slot_open(build, slot_of(build, values[0], values[1]), SHOW_LEAVING, now_ps, values[2]);
}

/* Values: slot, queue, packets that have been taken up before, is it AQL, VMID: 0 is the driver's
 * own, which has one queue for the firmware's packets, the HIQ. */
bool show_amd_load(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, values[1]), *slot;

    if (!queue)
        return false;
    queue->taken = values[2];
    queue->no_packets = values[3] == 0;
    if (values[4] == 0)
        (void)snprintf(queue->name, sizeof queue->name, "HIQ");
    slot = show_build_track(build, SHOW_SLOT, values[0]);
    return slot && slot_close(build, slot, SHOW_LOADING, now_ps) &&
           slot_close(build, slot, SHOW_LOADED, now_ps) &&
           slot_open(build, slot, SHOW_LOADED, now_ps, values[1]);
}

bool show_amd_leave(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *slot = show_build_track(build, SHOW_SLOT, values[0]);

    return slot && slot_close(build, slot, SHOW_LEAVING, now_ps) &&
           slot_close(build, slot, SHOW_LOADED, now_ps);
}

/* What runs of the queue is drawn in pieces; one that stands still begins never. */
static bool dispatches_stop(struct show_build *build, struct show_track *queue, gfe_ps now_ps)
{
    for (uint32_t i = 0; queue && i < queue->open_count; i++) {
        struct show_item piece = queue->open[i].item;
        if (piece.kind != SHOW_OPERATION || piece.begin_ps == GFE_PS_NEVER)
            continue;
        queue->open[i].item.begin_ps = GFE_PS_NEVER;
        piece.end_ps = now_ps;
        if (!show_build_keep(build, queue, &piece))
            return false;
    }
    return queue != NULL;
}

static bool dispatches_go_on(struct show_track *queue, gfe_ps from_ps)
{
    for (uint32_t i = 0; queue && i < queue->open_count; i++)
        if (queue->open[i].item.begin_ps == GFE_PS_NEVER)
            queue->open[i].item.begin_ps = from_ps;
    return queue != NULL;
}

/* Values: slot, queue, how long its waves are on their way. */
bool show_amd_move(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *slot = show_build_track(build, SHOW_SLOT, values[0]);
    struct show_item item =
        show_build_instant((enum show_item_kind)build->detail, now_ps, values[1]);

    item.number = (uint32_t)values[1];
    item.end_ps = values[2] > GFE_PS_NEVER - now_ps ? GFE_PS_NEVER : now_ps + values[2];
    return slot && show_build_keep(build, slot, &item) &&
           (item.kind == SHOW_SAVING
                ? dispatches_stop(build, show_build_track(build, SHOW_CHANNEL, values[1]), now_ps)
                : dispatches_go_on(show_build_track(build, SHOW_CHANNEL, values[1]), item.end_ps));
}

uint64_t show_amd_queue_in(struct show_build *build, uint64_t slot_id)
{
    const uint32_t t = id_map_find(&build->tracks[SHOW_SLOT], slot_id);
    const struct show_track *slot = t == ID_MAP_NONE ? NULL : &build->show->tracks[t];
    const uint32_t at = slot ? show_build_find_open(slot, SHOW_LOADED, 0) : SHOW_NONE;

    return at == SHOW_NONE ? slot_id : slot->open[at].item.channel_id;
}

/* ---- rings of AQL packets -------------------------------------------------------------------- */

/* Packets stand in the ring, or none do any more. */
static bool ring_note(struct show_build *build, struct show_track *queue, gfe_ps now_ps)
{
    const struct show_item item = show_build_instant(SHOW_IN_RING, now_ps, queue->id);
    const bool is_open = show_build_find_open(queue, SHOW_IN_RING, 0) != SHOW_NONE;

    if (queue->written > queue->taken)
        return is_open || show_build_open(build, queue, 0, &item);
    return !is_open || show_build_close(build, queue, SHOW_IN_RING, 0, now_ps);
}

/* A packet of a stream stands in the ring.  Values: queue, its index. */
bool show_amd_submit(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, values[0]);

    if (!queue)
        return false;
    queue->written = values[1] >= queue->written ? values[1] + 1 : queue->written;
    return ring_note(build, queue, now_ps);
}

/* Rings of PM4 count dwords: of them nothing is told.  Values: queue, packets that there are now.
 */
bool show_amd_doorbell(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, values[0]);
    struct show_item item = show_build_instant(SHOW_DOORBELL, now_ps, values[0]);

    if (!queue || queue->no_packets)
        return queue != NULL;
    item.number = (uint32_t)values[1];
    queue->written = values[1] > queue->written ? values[1] : queue->written;
    return ring_note(build, queue, now_ps) && show_build_keep(build, queue, &item);
}

/* Values: queue, index, is it AQL (a vendor-specific packet's PM4 is not), type. */
bool show_amd_packet(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, values[0]);
    struct show_item item = show_build_instant(SHOW_PACKET, now_ps, values[0]);

    if (!queue || !values[2])
        return queue != NULL;
    queue->taken = values[1] + 1;
    item.number = (uint32_t)values[3];
    return ring_note(build, queue, now_ps) &&
           (values[3] == AQL_DISPATCH || show_build_open(build, queue, values[1], &item));
}

bool show_amd_packet_end(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    return show_build_close(build, show_build_track(build, SHOW_CHANNEL, values[0]), SHOW_PACKET,
                            values[1], now_ps);
}

/* A grid's last block starts. */
bool show_amd_dispatched(struct show_build *build, gfe_ps now_ps, const uint64_t *values)
{
    const struct show_operation *grid = show_build_find_operation(build, SHOW_GRID, values[0]);
    struct show_item item = show_build_instant(SHOW_DISPATCHING, now_ps, 0);

    if (!grid || !build->show->words.is_amd || grid->start_ps >= now_ps)
        return grid != NULL;
    item.operation = (uint32_t)(grid - build->show->operations);
    item.channel_id = grid->channel_id;
    item.begin_ps = grid->start_ps;
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, grid->channel_id);
    return queue && show_build_keep(build, queue, &item);
}

/* ---- waits ----------------------------------------------------------------------------------- */

/* Blocks of a grid wait at several shader engines at once, and one after the other: on the queue's
 * track that is one wait.  Only the last items can be of one that goes on, as waits come when they
 * end. */
bool show_amd_wait_joins(struct show_build *build, struct show_track *track,
                         const struct show_wait *wait)
{
    if (!build->show->words.is_amd || wait->subject_kind != SUBJECT_GRID)
        return false;
    for (uint32_t back = 1; back <= EARLIER_MAX && back <= track->item_count; back++) {
        struct show_item *item = &track->items[track->item_count - back];
        const struct show_wait *other = &build->show->waits[item->number];
        if (item->kind != SHOW_WAIT || other->rule != wait->rule ||
            other->subject_kind != SUBJECT_GRID || other->subject_id != wait->subject_id ||
            item->end_ps < wait->begin_ps)
            continue;
        item->begin_ps = wait->begin_ps < item->begin_ps ? wait->begin_ps : item->begin_ps;
        item->end_ps = wait->end_ps > item->end_ps ? wait->end_ps : item->end_ps;
        return true;
    }
    return false;
}
