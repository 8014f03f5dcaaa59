/* SPDX-License-Identifier: MIT */
/*
 * What AMD's events become: queues with their packets, the slots that they are in, what is behind
 * work and has no grid of its own.
 *
 * The queue that a dispatch came from is the one in its slot; in a log that does not tell of slots,
 * the slot's number stands for it.
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

bool show_amd_map(struct show_build *build, const struct model_record *record)
{
    return slot_open(build, slot_of(build, record->slot.pipe, record->slot.index), SHOW_LOADING,
                     record->now_ps, record->slot.driver_queue_id);
}

bool show_amd_preempt(struct show_build *build, const struct model_record *record)
{
    return slot_open(build, slot_of(build, record->slot.pipe, record->slot.index), SHOW_LEAVING,
                     record->now_ps, record->slot.driver_queue_id);
}

/* VMID 0 is the driver's own, which has one queue for the firmware's packets, the HIQ. */
bool show_amd_load(struct show_build *build, const struct model_record *record)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, record->queue.queue_id), *slot;

    if (!queue)
        return false;
    queue->taken = record->queue.read_index;
    queue->no_packets = record->queue.is_aql == 0;
    if (record->queue.vmid == 0)
        (void)snprintf(queue->name, sizeof queue->name, "HIQ");
    slot = show_build_track(build, SHOW_SLOT, record->queue.slot_id);
    return slot && slot_close(build, slot, SHOW_LOADING, record->now_ps) &&
           slot_close(build, slot, SHOW_LOADED, record->now_ps) &&
           slot_open(build, slot, SHOW_LOADED, record->now_ps, record->queue.queue_id);
}

bool show_amd_leave(struct show_build *build, const struct model_record *record)
{
    struct show_track *slot = show_build_track(build, SHOW_SLOT, record->queue.slot_id);

    return slot && slot_close(build, slot, SHOW_LEAVING, record->now_ps) &&
           slot_close(build, slot, SHOW_LOADED, record->now_ps);
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

bool show_amd_move(struct show_build *build, enum show_item_kind kind,
                   const struct model_record *record)
{
    struct show_track *slot = show_build_track(build, SHOW_SLOT, record->queue.slot_id);
    struct show_item item = show_build_instant(kind, record->now_ps, record->queue.queue_id);

    item.number = (uint32_t)record->queue.queue_id;
    item.end_ps = record->queue.duration_ps > GFE_PS_NEVER - record->now_ps
                      ? GFE_PS_NEVER
                      : record->now_ps + record->queue.duration_ps;
    return slot && show_build_keep(build, slot, &item) &&
           (item.kind == SHOW_SAVING
                ? dispatches_stop(build,
                                  show_build_track(build, SHOW_CHANNEL, record->queue.queue_id),
                                  record->now_ps)
                : dispatches_go_on(show_build_track(build, SHOW_CHANNEL, record->queue.queue_id),
                                   item.end_ps));
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

/* A packet of a stream stands in the ring.  */
bool show_amd_submit(struct show_build *build, const struct model_record *record)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, record->hip_submit.queue_id);

    if (!queue)
        return false;
    queue->written = record->hip_submit.packet_index >= queue->written
                         ? record->hip_submit.packet_index + 1
                         : queue->written;
    return ring_note(build, queue, record->now_ps);
}

/* Rings of PM4 count dwords: of them nothing is told.  */
bool show_amd_doorbell(struct show_build *build, const struct model_record *record)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, record->ring.queue_id);
    struct show_item item =
        show_build_instant(SHOW_DOORBELL, record->now_ps, record->ring.queue_id);

    if (!queue || queue->no_packets)
        return queue != NULL;
    item.number = (uint32_t)record->ring.write_index;
    queue->written =
        record->ring.write_index > queue->written ? record->ring.write_index : queue->written;
    return ring_note(build, queue, record->now_ps) && show_build_keep(build, queue, &item);
}

/* A vendor-specific packet's PM4 is not AQL. */
bool show_amd_packet(struct show_build *build, const struct model_record *record)
{
    struct show_track *queue = show_build_track(build, SHOW_CHANNEL, record->packet.queue_id);
    struct show_item item =
        show_build_instant(SHOW_PACKET, record->now_ps, record->packet.queue_id);

    if (!queue || !record->packet.is_aql)
        return queue != NULL;
    queue->taken = record->packet.index + 1;
    item.number = (uint32_t)record->packet.code;
    return ring_note(build, queue, record->now_ps) &&
           (record->packet.code == AQL_DISPATCH ||
            show_build_open(build, queue, record->packet.index, &item));
}

bool show_amd_packet_end(struct show_build *build, const struct model_record *record)
{
    return show_build_close(build, show_build_track(build, SHOW_CHANNEL, record->packet.queue_id),
                            SHOW_PACKET, record->packet.index, record->now_ps);
}

/* A grid's last block starts. */
bool show_amd_dispatched(struct show_build *build, const struct model_record *record)
{
    const struct show_operation *grid =
        show_build_find_operation(build, SHOW_GRID, record->done.id);
    struct show_item item = show_build_instant(SHOW_DISPATCHING, record->now_ps, 0);

    if (!grid || !build->show->words.is_amd || grid->start_ps >= record->now_ps)
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
