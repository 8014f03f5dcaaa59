/* SPDX-License-Identifier: MIT */
/*
 * What only AMD's GPUs have: slots of queues, rings with packets, shader engines.  A queue has the
 * tracks of a channel.  A slot's slices are written when its queue leaves: what happens to the
 * queue in it lies in the slice of the queue.
 */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>

/* ---- slots ----------------------------------------------------------------------------------- */

static struct pf_hqd *hqd_of(struct show_perfetto *show, uint64_t id)
{
    struct pf_hqd *hqd = show_perfetto_find(show->hqds, id);

    if (hqd)
        return hqd;
    hqd = show_perfetto_at(show, &show->hqds, id, sizeof *hqd);
    if (hqd)
        hqd->map_ps = hqd->preempt_ps = hqd->save_ps = GFE_PS_NEVER;
    return hqd;
}

static struct pf_hqd *hqd_of_pipe(struct show_perfetto *show, const struct model_slot *slot)
{
    if (slot->pipe < GPU_WORDS_MEC_QUEUES / GPU_WORDS_PIPE_QUEUES &&
        slot->index < GPU_WORDS_PIPE_QUEUES)
        return hqd_of(show, slot->pipe * GPU_WORDS_PIPE_QUEUES + slot->index);
    (void)show_perfetto_absurd(show, "no micro engine has such a slot:", slot->index);
    return NULL;
}

static uint64_t hqd_track(struct show_perfetto *show, struct pf_hqd *hqd, uint64_t id)
{
    char name[GPU_WORDS_BYTES];

    if (hqd->track)
        return hqd->track;
    return show_perfetto_track(show, &hqd->track,
                               &(struct pf_place){show_perfetto_gpu(show),
                                                  (int32_t)(PF_RANK_RUNLIST + id),
                                                  gpu_words_slot(id, name)});
}

/* A slice within, or in front of, the queue's; none if it would have no length. */
static void part_slice(struct show_perfetto *show, uint64_t track, uint64_t name, gfe_ps from_ps,
                       gfe_ps to_ps)
{
    if (from_ps >= to_ps || !show_perfetto_within(show, from_ps, to_ps))
        return;
    struct perfetto_event event =
        show_perfetto_begin(show, track, name, CATEGORY_SCHEDULE, from_ps);
    show_perfetto_rest(show, &event, track, from_ps, to_ps);
}

static gfe_ps earlier(gfe_ps a, gfe_ps b)
{
    return a < b ? a : b;
}

/* The queue leaves, or the log ends. */
static void hqd_end(struct show_perfetto *show, struct pf_hqd *hqd, uint64_t id, bool unfinished)
{
    struct pf_channel *queue = show_perfetto_channel(show, hqd->queue);
    const gfe_ps now_ps = show->now_ps;

    hqd->is_loaded = false;
    if (queue && show_perfetto_within(show, hqd->load_ps, now_ps) && hqd->load_ps < now_ps) {
        const uint64_t track = hqd_track(show, hqd, id);
        const uint64_t name = show_perfetto_name(show, &queue->name, "queue %" PRIu64, hqd->queue);
        struct perfetto_event event =
            show_perfetto_begin(show, track, name, CATEGORY_SCHEDULE, hqd->load_ps);
        perfetto_note(&event, NOTE_QUEUE, hqd->queue);
        if (unfinished)
            perfetto_note_flag(&event, NOTE_UNFINISHED);
        perfetto_done(&show->out, &event);
        part_slice(show, track, NAME_RESTORING, hqd->load_ps, earlier(hqd->restored_ps, now_ps));
        if (hqd->preempt_ps < now_ps && show_perfetto_within(show, hqd->preempt_ps, now_ps)) {
            event =
                show_perfetto_begin(show, track, NAME_LEAVING, CATEGORY_SCHEDULE, hqd->preempt_ps);
            perfetto_done(&show->out, &event);
            part_slice(show, track, NAME_SAVING, hqd->save_ps, earlier(hqd->saved_ps, now_ps));
            event = show_perfetto_end(show, track, hqd->preempt_ps, now_ps);
            perfetto_done(&show->out, &event);
        }
        event = show_perfetto_end(show, track, hqd->load_ps, now_ps);
        perfetto_done(&show->out, &event);
    }
    hqd->preempt_ps = hqd->save_ps = GFE_PS_NEVER;
    hqd->restored_ps = 0;
}

void show_perfetto_amd_map(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_hqd *hqd = hqd_of_pipe(show, &record->slot);

    if (hqd)
        hqd->map_ps = show->now_ps;
}

void show_perfetto_amd_preempt(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_hqd *hqd = hqd_of_pipe(show, &record->slot);

    if (hqd && hqd->is_loaded)
        hqd->preempt_ps = show->now_ps;
}

void show_perfetto_amd_load(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_hqd *hqd = hqd_of(show, record->queue.slot_id);
    struct pf_channel *queue = hqd ? show_perfetto_channel(show, record->queue.queue_id) : NULL;

    if (!queue)
        return;
    if (hqd->is_loaded)
        hqd_end(show, hqd, record->queue.slot_id, false);
    if (hqd->map_ps != GFE_PS_NEVER)
        part_slice(show, hqd_track(show, hqd, record->queue.slot_id), NAME_LOADING, hqd->map_ps,
                   show->now_ps);
    hqd->map_ps = GFE_PS_NEVER;
    hqd->is_loaded = true;
    hqd->queue = record->queue.queue_id;
    hqd->load_ps = show->now_ps;
    queue->taken = record->queue.read_index;
    queue->is_pm4 = record->queue.is_aql == 0;
}

void show_perfetto_amd_leave(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_hqd *hqd = show_perfetto_find(show->hqds, record->queue.slot_id);

    if (hqd && hqd->is_loaded)
        hqd_end(show, hqd, record->queue.slot_id, false);
}

void show_perfetto_amd_save(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_hqd *hqd = hqd_of(show, record->queue.slot_id);

    if (!hqd)
        return;
    hqd->save_ps = show->now_ps;
    hqd->saved_ps = clock_add(show->now_ps, record->queue.duration_ps);
    /* Without the firmware nothing says that it has to leave. */
    hqd->preempt_ps = earlier(hqd->preempt_ps, show->now_ps);
}

/* It begins when the queue is loaded. */
void show_perfetto_amd_restore(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_hqd *hqd = hqd_of(show, record->queue.slot_id);

    if (hqd)
        hqd->restored_ps = clock_add(show->now_ps, record->queue.duration_ps);
}

/* ---- packets --------------------------------------------------------------------------------- */

static void ring_count(struct show_perfetto *show, struct pf_channel *queue)
{
    if (!show_perfetto_here(show) || queue->is_pm4)
        return;
    const uint64_t group = show_perfetto_channel_track(show, queue, queue->id);
    const uint64_t track = show_perfetto_counter(
        show, &queue->ring, &(struct pf_place){group, PF_RANK_RING, "packets in the ring"});
    show_perfetto_count(show, track,
                        queue->written > queue->taken ? queue->written - queue->taken : 0);
}

void show_perfetto_amd_doorbell(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *queue = show_perfetto_channel(show, record->ring.queue_id);

    if (!queue)
        return;
    /* The thread that has just made a submission has rung it. */
    if (queue->group == 0 && !queue->has_owner && show->last_submit_ps == show->now_ps) {
        queue->process = show->process_of[show->last_submit_thread];
        queue->has_owner = true;
    }
    queue->written =
        record->ring.write_index > queue->written ? record->ring.write_index : queue->written;
    ring_count(show, queue);
}

void show_perfetto_amd_submit(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *queue = show_perfetto_channel(show, record->hip_submit.queue_id);

    if (!queue)
        return;
    queue->written = record->hip_submit.packet_index >= queue->written
                         ? record->hip_submit.packet_index + 1
                         : queue->written;
    ring_count(show, queue);
}

void show_perfetto_amd_packet(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *queue = show_perfetto_channel(show, record->packet.queue_id);

    if (!queue || !record->packet.is_aql)
        return;
    queue->taken = record->packet.index + 1;
    ring_count(show, queue);
    if (queue->packet_count == PF_HANDED)
        return; /* of so many one does not say how long they take */
    queue->packets[queue->packet_count++] =
        (struct pf_packet){record->packet.index, show->now_ps, record->packet.code};
}

static void packet_slice(struct show_perfetto *show, struct pf_channel *queue,
                         const struct pf_packet *packet, bool unfinished)
{
    static const uint8_t names[] = {NAME_VENDOR,      NAME_INVALID, NAME_DISPATCH,
                                    NAME_BARRIER_AND, NAME_AGENT,   NAME_BARRIER_OR};

    if (packet->begin_ps >= show->now_ps ||
        !show_perfetto_within(show, packet->begin_ps, show->now_ps))
        return;
    const struct pf_place place = {show_perfetto_channel_track(show, queue, queue->id),
                                   PF_RANK_STREAM, "packets"};
    const uint64_t track =
        show_perfetto_lane(show, &queue->packet_lanes, &place, packet->begin_ps, show->now_ps);
    struct perfetto_event event = show_perfetto_begin(
        show, track, packet->code < sizeof names ? names[packet->code] : NAME_INVALID,
        CATEGORY_STREAM, packet->begin_ps);
    perfetto_note(&event, NOTE_PACKET, packet->index);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, track, packet->begin_ps, show->now_ps);
}

void show_perfetto_amd_packet_end(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *queue = show_perfetto_channel(show, record->packet.queue_id);

    for (uint32_t i = 0; queue && i < queue->packet_count; i++) {
        const struct pf_packet packet = queue->packets[i];
        if (packet.index != record->packet.index)
            continue;
        memmove(&queue->packets[i], &queue->packets[i + 1],
                (--queue->packet_count - i) * sizeof packet);
        packet_slice(show, queue, &packet, false);
        return;
    }
}

/* ---- waves ----------------------------------------------------------------------------------- */

void show_perfetto_amd_dispatch(struct show_perfetto *show, const struct model_record *record)
{
    const struct model_live *grid = model_live(&show->model, MODEL_GRID, record->dispatch.grid_id);

    if (grid)
        show_perfetto_own(show, grid)->waves = (uint32_t)record->dispatch.wave_count;
}

uint64_t show_perfetto_sm_parent(struct show_perfetto *show, uint32_t sm_index)
{
    char name[GPU_WORDS_BYTES];
    uint32_t engine, index;

    if (!gpu_words_engine(&show->words, sm_index, &engine, &index))
        return show_perfetto_gpu(show);
    (void)snprintf(name, sizeof name, "SE %" PRIu32, engine);
    return show_perfetto_track(
        show, &show->shader_engines[engine].track,
        &(struct pf_place){show_perfetto_gpu(show), (int32_t)(PF_RANK_SM + engine), name});
}

void show_perfetto_amd_waves(struct show_perfetto *show, struct pf_sm *sm, uint32_t sm_index,
                             int64_t waves)
{
    uint32_t engine, index;

    if (waves == 0)
        return;
    sm->waves += waves;
    const bool has_engine = gpu_words_engine(&show->words, sm_index, &engine, &index);
    if (has_engine)
        show->shader_engines[engine].waves += waves;
    if (!show_perfetto_here(show))
        return;
    const uint64_t parent = show_perfetto_sm_track(show, sm, sm_index);
    show_perfetto_count(
        show, show_perfetto_counter(show, &sm->counter, &(struct pf_place){parent, 0, "waves"}),
        sm->waves > 0 ? (uint64_t)sm->waves : 0);
    if (!has_engine)
        return;
    struct pf_shader_engine *se = &show->shader_engines[engine];
    show_perfetto_count(
        show,
        show_perfetto_counter(
            show, &se->counter,
            &(struct pf_place){show_perfetto_sm_parent(show, sm_index), 0, "waves"}),
        se->waves > 0 ? (uint64_t)se->waves : 0);
}

/* ---- the end --------------------------------------------------------------------------------- */

void show_perfetto_amd_finish(struct show_perfetto *show)
{
    for (uint32_t id = 0; id < show->id_end; id++) {
        struct pf_hqd *hqd = show_perfetto_find(show->hqds, id);
        struct pf_channel *queue = show_perfetto_find(show->channels, id);
        if (hqd && hqd->is_loaded)
            hqd_end(show, hqd, id, true);
        for (uint32_t i = 0; queue && i < queue->packet_count; i++)
            packet_slice(show, queue, &queue->packets[i], true);
    }
}
