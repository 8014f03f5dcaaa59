/* SPDX-License-Identifier: MIT */
/* Operations on engines: grids, copies, draws; and what has been handed over but not begun. */
#include <config.h>

#include "emu/views/perfetto/show_perfetto_private.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ENGINE_OF_GRIDS = 0 };

/* ---- engines --------------------------------------------------------------------------------- */

struct pf_engine *show_perfetto_engine(struct show_perfetto *show, uint64_t id)
{
    struct pf_engine *engine = show_perfetto_find(show->engines, id);
    const char *name = event_log_engine(show->log, id);

    if (engine)
        return engine;
    engine = show_perfetto_at(show, &show->engines, id, sizeof *engine);
    if (!engine)
        return NULL;
    if (name)
        (void)snprintf(engine->name, sizeof engine->name, "%s", name);
    else
        (void)snprintf(engine->name, sizeof engine->name, "%s %" PRIu64,
                       show->words.is_amd ? show->words.copier : "engine", id);
    return engine;
}

static uint64_t engine_lane(struct show_perfetto *show, struct pf_engine *engine, uint64_t id,
                            gfe_ps begin_ps)
{
    const struct pf_place place = {show_perfetto_gpu(show), (int32_t)(PF_RANK_ENGINE + 2 * id),
                                   engine->name};

    return show_perfetto_lane(show, &engine->work, &place, begin_ps, show->now_ps);
}

/* The first of its lanes, for instants. */
uint64_t show_perfetto_engine_track(struct show_perfetto *show, uint64_t id)
{
    struct pf_engine *engine = show_perfetto_engine(show, id);

    if (!engine)
        return 0;
    return engine->work.count ? engine->work.tracks[0]
                              : engine_lane(show, engine, id, show->now_ps);
}

void show_perfetto_context_load(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_engine *engine = show_perfetto_engine(show, record->context.engine_id);
    const gfe_ps end_ps = clock_add(show->now_ps, record->context.load_ps);
    char name[80];

    if (!engine || record->context.load_ps == 0 ||
        !show_perfetto_within(show, show->now_ps, end_ps))
        return;
    (void)snprintf(name, sizeof name, "%s contexts", engine->name);
    const struct pf_place place = {show_perfetto_gpu(show),
                                   (int32_t)(PF_RANK_ENGINE + 2 * record->context.engine_id + 1),
                                   name};
    const uint64_t track =
        show_perfetto_lane(show, &engine->contexts, &place, show->now_ps, end_ps);
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_CONTEXT, CATEGORY_SCHEDULE, show->now_ps);
    perfetto_note(&event, NOTE_CHANNEL, record->context.channel_id);
    perfetto_note(&event, NOTE_TSG, record->context.tsg_id);
    show_perfetto_rest(show, &event, track, show->now_ps, end_ps);
}

/* ---- operations as slices -------------------------------------------------------------------- */

static void details_note(struct perfetto_event *event, const struct model_live *live,
                         const struct pf_operation *own)
{
    static const struct {
        uint32_t notes[4];
    } rows[] = {
        [MODEL_GRID] = {{NOTE_BLOCKS, NOTE_THREADS, NOTE_SHARED, NOTE_REGISTERS}},
        [MODEL_COPY] = {{NOTE_BYTES, NOTE_LIMITED}},
        [MODEL_WORK] = {{NOTE_CLASS, NOTE_METHOD}},
    };

    for (uint32_t i = 0; i < 4 && rows[live->operation].notes[i]; i++)
        perfetto_note_as(event, live->operation == MODEL_WORK ? 7 : 3,
                         rows[live->operation].notes[i], own->details[i]);
}

/* AMD's dispatches are on no engine of their own: their blocks are, on CUs. */
static bool is_of_cus(const struct show_perfetto *show, const struct model_live *live)
{
    return show->words.is_amd && live->operation == MODEL_GRID;
}

/* Within its slice: up to where its last block has started. */
static void dispatching_slice(struct show_perfetto *show, const struct model_live *grid,
                              uint64_t track)
{
    const gfe_ps to_ps = grid->dispatched_ps != GFE_PS_NEVER ? grid->dispatched_ps : show->now_ps;

    if (grid->start_ps >= to_ps || !show_perfetto_within(show, grid->start_ps, to_ps))
        return;
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_DISPATCHING, CATEGORY_OPERATION, grid->start_ps);
    show_perfetto_rest(show, &event, track, grid->start_ps, to_ps);
}

/* One slice of an operation, up to now.  `flow`: it is where the operation's flow goes through. */
static void operation_slice(struct show_perfetto *show, const struct model_live *live,
                            gfe_ps from_ps, uint64_t track, bool flow, bool unfinished)
{
    const uint64_t name = show_perfetto_operation_name(show, live);
    const struct pf_operation *own = show_perfetto_own(show, live);
    char text[PF_ID_BYTES];

    show_perfetto_operation_id((enum model_operation)live->operation, live->id, text);
    struct perfetto_event event =
        show_perfetto_begin(show, track, name, CATEGORY_OPERATION, from_ps);
    perfetto_note_string(&event, NOTE_OPERATION, text);
    perfetto_note(&event, NOTE_CHANNEL, live->channel_id);
    perfetto_note(&event, NOTE_ENTRY, live->gp_sequence);
    details_note(&event, live, own);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    if (flow)
        perfetto_flow(&event, own->flow, false);
    if (is_of_cus(show, live)) {
        perfetto_done(&show->out, &event);
        dispatching_slice(show, live, track);
        event = show_perfetto_end(show, track, from_ps, show->now_ps);
        perfetto_done(&show->out, &event);
    } else
        show_perfetto_rest(show, &event, track, from_ps, show->now_ps);
}

/* From where it was handed over to where it starts or, if it never does, to now. */
static void queued_slice(struct show_perfetto *show, const struct model_live *live, uint64_t track,
                         bool unfinished)
{
    const gfe_ps end_ps = live->start_ps == GFE_PS_NEVER ? show->now_ps : live->start_ps;
    const uint64_t rule = show_perfetto_rule_name(show, show_perfetto_own(show, live)->start_rule);
    char text[PF_ID_BYTES];

    if (live->handed_ps >= end_ps || !show_perfetto_within(show, live->handed_ps, end_ps))
        return;
    show_perfetto_operation_id((enum model_operation)live->operation, live->id, text);
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_QUEUED, CATEGORY_OPERATION, live->handed_ps);
    perfetto_note_string(&event, NOTE_OPERATION, text);
    if (rule != NAME_WAIT)
        perfetto_note_text(&event, NOTE_RULE, rule);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, track, live->handed_ps, end_ps);
}

static void pces_slices(struct show_perfetto *show, const struct model_live *copy, bool unfinished)
{
    for (uint32_t i = 0; i < PF_PCES; i++) {
        char name[20];
        if (!(show_perfetto_own(show, copy)->details[2] >> i & 1) ||
            copy->piece_ps == GFE_PS_NEVER ||
            !show_perfetto_within(show, copy->piece_ps, show->now_ps))
            continue;
        (void)snprintf(name, sizeof name, "PCE %" PRIu32, i);
        const struct pf_place place = {show_perfetto_gpu(show), (int32_t)(PF_RANK_PCE + i), name};
        operation_slice(
            show, copy, copy->piece_ps,
            show_perfetto_lane(show, &show->pces[i], &place, copy->piece_ps, show->now_ps), false,
            unfinished);
    }
}

/* The channel can tell its next release that this has ended. */
static void ended_note(struct show_perfetto *show, const struct model_live *live)
{
    struct pf_channel *channel = show_perfetto_channel(show, live->channel_id);
    const uint32_t at = show_perfetto_recent((enum model_operation)live->operation, live->id);

    show->ended[at].known = true;
    show->ended[at].kind = live->operation;
    show->ended[at].id = live->id;
    show->ended[at].number = live->number;
    show->ended[at].channel_id = live->channel_id;
    if (!channel)
        return;
    if (channel->ended_count == PF_HANDED)
        memmove(channel->ended, channel->ended + 1,
                --channel->ended_count * sizeof *channel->ended);
    channel->ended[channel->ended_count++] = show_perfetto_own(show, live)->flow;
}

/* What it was on its engine for since it started or went on. */
static void engine_slice(struct show_perfetto *show, const struct model_live *live,
                         struct pf_engine *engine, bool flow, bool unfinished)
{
    if (live->piece_ps != GFE_PS_NEVER && show_perfetto_within(show, live->piece_ps, show->now_ps))
        operation_slice(show, live, live->piece_ps,
                        engine_lane(show, engine, live->engine_id, live->piece_ps), flow,
                        unfinished);
}

/* Writes it: it ends now. */
static void operation_end(struct show_perfetto *show, const struct model_live *live,
                          bool unfinished)
{
    const bool started = live->start_ps != GFE_PS_NEVER;
    struct pf_channel *channel = show_perfetto_channel(show, live->channel_id);
    struct pf_engine *engine = show_perfetto_engine(show, live->engine_id);

    if (channel && engine && show_perfetto_within(show, live->handed_ps, show->now_ps)) {
        const struct pf_place place = {show_perfetto_channel_track(show, channel, live->channel_id),
                                       PF_RANK_OPERATIONS, "operations"};
        const uint64_t track =
            show_perfetto_lane(show, &channel->operations, &place, live->handed_ps, show->now_ps);
        queued_slice(show, live, track, unfinished);
        if (started && show_perfetto_within(show, live->start_ps, show->now_ps)) {
            operation_slice(show, live, live->start_ps, track, is_of_cus(show, live), unfinished);
            if (!is_of_cus(show, live))
                engine_slice(show, live, engine, true, unfinished);
            if (live->operation == MODEL_COPY)
                pces_slices(show, live, unfinished);
        }
    }
    if (engine && started && !is_of_cus(show, live)) {
        engine->last_kind = live->operation;
        engine->last_number = live->number;
        engine->last_id = live->id;
        engine->last_ps = show->now_ps;
    }
    if (started && !unfinished)
        ended_note(show, live);
}

/* ---- operations of any kind ------------------------------------------------------------------ */

void show_perfetto_started(struct show_perfetto *show, const struct model_record *record)
{
    const struct model_live *live = show_perfetto_operation(show, record);
    struct pf_operation *own = live ? show_perfetto_own(show, live) : NULL;

    if (!live)
        return;
    if (record->again)
        (void)show_perfetto_absurd(show, "started twice:", live->id);
    own->start_rule = show->event->rule;
    if (record->operation != MODEL_COPY)
        return;
    own->details[1] = record->done.limited_by;
    own->details[2] = record->done.pce_bits;
}

void show_perfetto_suspended(struct show_perfetto *show, const struct model_record *record)
{
    const struct model_live *live = show_perfetto_operation(show, record);
    struct pf_engine *engine = live ? show_perfetto_engine(show, live->engine_id) : NULL;

    if (!engine || live->start_ps == GFE_PS_NEVER)
        return;
    engine_slice(show, live, engine, false, false);
    if (live->operation == MODEL_COPY)
        pces_slices(show, live, false);
}

void show_perfetto_resumed(struct show_perfetto *show, const struct model_record *record)
{
    const struct model_live *live = show_perfetto_operation(show, record);

    if (live && record->operation == MODEL_COPY)
        show_perfetto_own(show, live)->details[2] = record->done.pce_bits; /* it may change */
}

void show_perfetto_ended(struct show_perfetto *show, const struct model_record *record)
{
    const struct model_live *live = show_perfetto_operation(show, record);

    if (live)
        operation_end(show, live, false);
}

/* It will not be done, whether it was queued or not. */
void show_perfetto_dropped(struct show_perfetto *show, const struct model_record *record)
{
    if (record->live)
        operation_end(show, record->live, true);
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* An instant in the stream where an operation's flow begins. */
static void handed_over(struct show_perfetto *show, uint64_t channel_id, uint32_t name,
                        uint64_t flow)
{
    if (!show_perfetto_here(show))
        return;
    struct perfetto_event event = show_perfetto_handed(show, channel_id, name);
    show_perfetto_arguments(show, &event);
    perfetto_flow(&event, flow, false);
    perfetto_done(&show->out, &event);
}

/* The front end takes a launch; the dispatcher gets it later. */
void show_perfetto_launch(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_channel *channel = show_perfetto_channel(show, record->method.channel_id);
    const uint64_t flow = PF_FLOW_OPERATION(++show->flow_count);

    if (!channel)
        return;
    if (channel->handed_count == PF_HANDED)
        memmove(channel->handed, channel->handed + 1,
                --channel->handed_count * sizeof *channel->handed);
    channel->handed[channel->handed_count].sequence = record->method.gp_sequence;
    channel->handed[channel->handed_count++].flow = flow;
    handed_over(show, record->method.channel_id, NAME_LAUNCH, flow);
}

/* Flow of the first launch of that entry that was taken; 0: none was. */
static uint64_t launch_take(struct pf_channel *channel, uint64_t sequence)
{
    for (uint32_t i = 0; i < channel->handed_count; i++) {
        const uint64_t flow = channel->handed[i].flow;
        if (channel->handed[i].sequence != sequence)
            continue;
        channel->handed_count--;
        memmove(channel->handed + i, channel->handed + i + 1,
                (channel->handed_count - i) * sizeof *channel->handed);
        return flow;
    }
    return 0;
}

static void launches_count(struct show_perfetto *show)
{
    if (!show_perfetto_here(show))
        return;
    show_perfetto_count(
        show,
        show_perfetto_counter(show, &show->launches,
                              &(struct pf_place){show_perfetto_gpu(show), PF_RANK_LAUNCHES,
                                                 show->words.is_amd
                                                     ? "dispatches with blocks to start"
                                                     : "launches at the dispatcher"}),
        show->launch_count);
}

void show_perfetto_grid_queue(struct show_perfetto *show, const struct model_record *record)
{
    const uint64_t channel_id = model_grid_channel(&record->grid);
    struct pf_channel *channel = show_perfetto_channel(show, channel_id);
    struct pf_operation *grid = channel ? show_perfetto_operation_new(show, record) : NULL;

    if (!grid)
        return;
    grid->details[0] = record->grid.block_count;
    grid->details[1] = record->grid.block_threads;
    grid->details[2] = record->grid.shared_bytes;
    grid->details[3] = record->grid.registers;
    grid->flow = launch_take(channel, record->grid.gp_sequence);
    if (grid->flow == 0) {
        grid->flow = PF_FLOW_OPERATION(++show->flow_count);
        handed_over(show, channel_id, NAME_LAUNCH, grid->flow);
    }
    show->launch_count++;
    launches_count(show);
}

void show_perfetto_grid_dispatched(struct show_perfetto *show, const struct model_record *record)
{
    (void)record;
    if (show->launch_count > 0)
        show->launch_count--;
    launches_count(show);
}

/* ---- copies, draws --------------------------------------------------------------------------- */

void show_perfetto_copy_queue(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *copy = show_perfetto_operation_new(show, record);

    if (!copy)
        return;
    copy->details[0] = record->copy.byte_count;
    copy->flow = PF_FLOW_OPERATION(++show->flow_count);
    handed_over(show, record->copy.channel_id, NAME_COPY, copy->flow);
}

/* Work that the model only gives a time to is not queued anywhere. */
void show_perfetto_work_start(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *work = show_perfetto_operation_new(show, record);

    if (!work)
        return;
    work->details[0] = record->work.class_id;
    work->details[1] = record->work.method;
    work->flow = PF_FLOW_OPERATION(++show->flow_count);
    handed_over(show, record->work.channel_id, NAME_DRAW, work->flow);
}

static int by_kind_and_number(const void *left, const void *right)
{
    const struct model_live *const *a = left, *const *b = right;

    if ((*a)->operation != (*b)->operation)
        return (*a)->operation < (*b)->operation ? -1 : 1;
    return (*a)->number < (*b)->number ? -1 : (*a)->number > (*b)->number;
}

/* What has not ended by the end of the log, in the order of kinds and numbers. */
void show_perfetto_work_finish(struct show_perfetto *show)
{
    const struct model_lives *lives = &show->model.lives;
    const struct model_live **left = malloc((lives->live_end + 1) * sizeof *left);
    uint32_t count = 0;

    if (!left) {
        (void)show_perfetto_no_memory(show);
        return;
    }
    for (uint32_t i = 0; i < lives->live_end; i++)
        if (lives->lives[i].operation != MODEL_NO_OPERATION)
            left[count++] = &lives->lives[i];
    qsort(left, count, sizeof *left, by_kind_and_number);
    for (uint32_t i = 0; i < count; i++)
        operation_end(show, left[i], true);
    free(left);
}
