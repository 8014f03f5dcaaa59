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

static void details_note(struct perfetto_event *event, const struct pf_operation *operation)
{
    static const struct {
        uint32_t notes[4];
    } rows[PF_KINDS] = {
        [PF_GRID] = {{NOTE_BLOCKS, NOTE_THREADS, NOTE_SHARED, NOTE_REGISTERS}},
        [PF_COPY] = {{NOTE_BYTES, NOTE_LIMITED}},
        [PF_WORK] = {{NOTE_CLASS, NOTE_METHOD}},
    };

    for (uint32_t i = 0; i < 4 && rows[operation->kind].notes[i]; i++)
        perfetto_note_as(event, operation->kind == PF_WORK ? 7 : 3, rows[operation->kind].notes[i],
                         operation->details[i]);
}

/* AMD's dispatches are on no engine of their own: their blocks are, on CUs. */
static bool is_of_cus(const struct show_perfetto *show, const struct pf_operation *operation)
{
    return show->words.is_amd && operation->kind == PF_GRID;
}

/* Within its slice: up to where its last block has started. */
static void dispatching_slice(struct show_perfetto *show, const struct pf_operation *grid,
                              uint64_t track)
{
    const gfe_ps to_ps = grid->dispatched_ps ? grid->dispatched_ps : show->now_ps;

    if (grid->start_ps >= to_ps || !show_perfetto_within(show, grid->start_ps, to_ps))
        return;
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_DISPATCHING, CATEGORY_OPERATION, grid->start_ps);
    show_perfetto_rest(show, &event, track, grid->start_ps, to_ps);
}

/* One slice of an operation, up to now.  `flow`: it is where the operation's flow goes through. */
static void operation_slice(struct show_perfetto *show, struct pf_operation *operation,
                            gfe_ps from_ps, uint64_t track, bool flow, bool unfinished)
{
    const uint64_t name = show_perfetto_operation_name(show, operation);
    char text[PF_ID_BYTES];

    show_perfetto_operation_id((enum pf_kind)operation->kind, operation->id, text);
    struct perfetto_event event =
        show_perfetto_begin(show, track, name, CATEGORY_OPERATION, from_ps);
    perfetto_note_string(&event, NOTE_OPERATION, text);
    perfetto_note(&event, NOTE_CHANNEL, operation->channel_id);
    perfetto_note(&event, NOTE_ENTRY, operation->sequence);
    details_note(&event, operation);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    if (flow)
        perfetto_flow(&event, operation->flow, false);
    if (is_of_cus(show, operation)) {
        perfetto_done(&show->out, &event);
        dispatching_slice(show, operation, track);
        event = show_perfetto_end(show, track, from_ps, show->now_ps);
        perfetto_done(&show->out, &event);
    } else
        show_perfetto_rest(show, &event, track, from_ps, show->now_ps);
}

/* From where it was handed over to where it starts or, if it never does, to now. */
static void queued_slice(struct show_perfetto *show, const struct pf_operation *operation,
                         uint64_t track, bool unfinished)
{
    const gfe_ps end_ps = operation->start_ps == GFE_PS_NEVER ? show->now_ps : operation->start_ps;
    const uint64_t rule = show_perfetto_rule_name(show, operation->start_rule);
    char text[PF_ID_BYTES];

    if (operation->queued_ps >= end_ps || !show_perfetto_within(show, operation->queued_ps, end_ps))
        return;
    show_perfetto_operation_id((enum pf_kind)operation->kind, operation->id, text);
    struct perfetto_event event =
        show_perfetto_begin(show, track, NAME_QUEUED, CATEGORY_OPERATION, operation->queued_ps);
    perfetto_note_string(&event, NOTE_OPERATION, text);
    if (rule != NAME_WAIT)
        perfetto_note_text(&event, NOTE_RULE, rule);
    if (unfinished)
        perfetto_note_flag(&event, NOTE_UNFINISHED);
    show_perfetto_rest(show, &event, track, operation->queued_ps, end_ps);
}

static void pces_slices(struct show_perfetto *show, struct pf_operation *operation, bool unfinished)
{
    for (uint32_t i = 0; i < PF_PCES; i++) {
        char name[20];
        if (!(operation->details[2] >> i & 1) || operation->piece_ps == GFE_PS_NEVER ||
            !show_perfetto_within(show, operation->piece_ps, show->now_ps))
            continue;
        (void)snprintf(name, sizeof name, "PCE %" PRIu32, i);
        const struct pf_place place = {show_perfetto_gpu(show), (int32_t)(PF_RANK_PCE + i), name};
        operation_slice(
            show, operation, operation->piece_ps,
            show_perfetto_lane(show, &show->pces[i], &place, operation->piece_ps, show->now_ps),
            false, unfinished);
    }
}

/* The channel can tell its next release that this has ended. */
static void ended_note(struct show_perfetto *show, const struct pf_operation *operation)
{
    struct pf_channel *channel = show_perfetto_channel(show, operation->channel_id);
    const uint32_t at = show_perfetto_recent((enum pf_kind)operation->kind, operation->id);

    show->ended[at].known = true;
    show->ended[at].kind = operation->kind;
    show->ended[at].id = operation->id;
    show->ended[at].number = operation->number;
    show->ended[at].channel_id = operation->channel_id;
    if (!channel)
        return;
    if (channel->ended_count == PF_HANDED)
        memmove(channel->ended, channel->ended + 1,
                --channel->ended_count * sizeof *channel->ended);
    channel->ended[channel->ended_count++] = operation->flow;
}

/* What it was on its engine for since it started or went on. */
static void engine_slice(struct show_perfetto *show, struct pf_operation *operation,
                         struct pf_engine *engine, bool flow, bool unfinished)
{
    if (operation->piece_ps != GFE_PS_NEVER &&
        show_perfetto_within(show, operation->piece_ps, show->now_ps))
        operation_slice(show, operation, operation->piece_ps,
                        engine_lane(show, engine, operation->engine_id, operation->piece_ps), flow,
                        unfinished);
}

/* Writes it, and forgets it: it ends now. */
static void operation_end(struct show_perfetto *show, struct pf_operation *operation,
                          bool unfinished)
{
    const bool started = operation->start_ps != GFE_PS_NEVER;
    struct pf_channel *channel = show_perfetto_channel(show, operation->channel_id);
    struct pf_engine *engine = show_perfetto_engine(show, operation->engine_id);

    if (channel && engine && show_perfetto_within(show, operation->queued_ps, show->now_ps)) {
        const struct pf_place place = {
            show_perfetto_channel_track(show, channel, operation->channel_id), PF_RANK_OPERATIONS,
            "operations"};
        const uint64_t track = show_perfetto_lane(show, &channel->operations, &place,
                                                  operation->queued_ps, show->now_ps);
        queued_slice(show, operation, track, unfinished);
        if (started && show_perfetto_within(show, operation->start_ps, show->now_ps)) {
            operation_slice(show, operation, operation->start_ps, track, is_of_cus(show, operation),
                            unfinished);
            if (!is_of_cus(show, operation))
                engine_slice(show, operation, engine, true, unfinished);
            if (operation->kind == PF_COPY)
                pces_slices(show, operation, unfinished);
        }
    }
    if (engine && started && !is_of_cus(show, operation)) {
        engine->last_kind = operation->kind;
        engine->last_number = operation->number;
        engine->last_id = operation->id;
        engine->last_ps = show->now_ps;
    }
    if (started && !unfinished)
        ended_note(show, operation);
    show_perfetto_operation_remove(show, operation);
}

static void operation_end_id(struct show_perfetto *show, enum pf_kind kind, uint64_t id)
{
    struct pf_operation *operation = show_perfetto_operation(show, kind, id);

    if (operation)
        operation_end(show, operation, false);
}

static void operation_start(struct show_perfetto *show, struct pf_operation *operation)
{
    if (operation->start_ps != GFE_PS_NEVER)
        (void)show_perfetto_absurd(show, "started twice:", operation->id);
    operation->start_ps = operation->piece_ps = show->now_ps;
    operation->start_rule = show->event->rule;
}

/* Its context is off its engine, and comes back. */
static void operation_suspend(struct show_perfetto *show, struct pf_operation *operation)
{
    struct pf_engine *engine = operation ? show_perfetto_engine(show, operation->engine_id) : NULL;

    if (!engine || operation->start_ps == GFE_PS_NEVER)
        return;
    engine_slice(show, operation, engine, false, false);
    if (operation->kind == PF_COPY)
        pces_slices(show, operation, false);
    operation->piece_ps = GFE_PS_NEVER;
}

static void operation_resume(struct show_perfetto *show, struct pf_operation *operation)
{
    if (operation && operation->start_ps != GFE_PS_NEVER && operation->piece_ps == GFE_PS_NEVER)
        operation->piece_ps = show->now_ps;
}

/* ---- operations of any kind ------------------------------------------------------------------ */

static enum pf_kind kind_of(const struct model_record *record)
{
    static const enum pf_kind kinds[] = {
        [MODEL_GRID] = PF_GRID, [MODEL_COPY] = PF_COPY, [MODEL_WORK] = PF_WORK};

    return kinds[record->operation];
}

void show_perfetto_started(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *operation =
        show_perfetto_operation(show, kind_of(record), record->done.id);

    if (!operation)
        return;
    operation_start(show, operation);
    if (record->operation != MODEL_COPY)
        return;
    operation->details[1] = record->done.limited_by;
    operation->details[2] = record->done.pce_bits;
    if (show->event->unit < PF_UNITS)
        show->copy_of_unit[show->event->unit] = record->done.id + 1;
}

void show_perfetto_suspended(struct show_perfetto *show, const struct model_record *record)
{
    operation_suspend(show, show_perfetto_operation(show, kind_of(record), record->done.id));
    if (record->operation == MODEL_GRID)
        show_perfetto_blocks_suspend(show, record->done.id);
}

void show_perfetto_resumed(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *operation =
        show_perfetto_operation(show, kind_of(record), record->done.id);

    operation_resume(show, operation);
    if (record->operation == MODEL_GRID)
        show_perfetto_blocks_resume(show, record->done.id);
    if (operation && record->operation == MODEL_COPY)
        operation->details[2] = record->done.pce_bits; /* the map may have changed */
}

void show_perfetto_ended(struct show_perfetto *show, const struct model_record *record)
{
    operation_end_id(show, kind_of(record), record->done.id);
}

/* It will not be done, whether it was queued or not. */
void show_perfetto_dropped(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *operation =
        show_perfetto_operation_find(show, kind_of(record), record->done.id);

    if (operation)
        operation_end(show, operation, true);
}

/* ---- grids ----------------------------------------------------------------------------------- */

/* An instant in the stream where an operation's flow begins. */
static void handed_over(struct show_perfetto *show, uint64_t channel_id, uint32_t name,
                        uint64_t flow)
{
    if (!show->here)
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
    if (!show->here)
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
    struct pf_operation *grid =
        channel ? show_perfetto_operation_new(show, PF_GRID, record->grid.id) : NULL;

    if (!grid)
        return;
    grid->channel_id = channel_id;
    grid->engine_id = ENGINE_OF_GRIDS;
    grid->sequence = record->grid.gp_sequence;
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
    struct pf_operation *grid = show_perfetto_operation_find(show, PF_GRID, record->done.id);

    if (grid)
        grid->dispatched_ps = show->now_ps;
    if (show->launch_count > 0)
        show->launch_count--;
    launches_count(show);
}

/* ---- copies, draws --------------------------------------------------------------------------- */

void show_perfetto_copy_queue(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *copy = show_perfetto_operation_new(show, PF_COPY, record->copy.id);

    if (!copy)
        return;
    copy->channel_id = record->copy.channel_id;
    copy->engine_id = record->copy.engine_id;
    copy->details[0] = record->copy.byte_count;
    copy->sequence = record->copy.gp_sequence;
    copy->flow = PF_FLOW_OPERATION(++show->flow_count);
    handed_over(show, record->copy.channel_id, NAME_COPY, copy->flow);
}

/* The copy that runs in the unit that says so is over, and will not be said to have ended. */
void show_perfetto_mmu_fault(struct show_perfetto *show)
{
    const uint32_t unit = show->event->unit;

    if (unit >= PF_UNITS || show->copy_of_unit[unit] == 0)
        return;
    struct pf_operation *copy =
        show_perfetto_operation_find(show, PF_COPY, show->copy_of_unit[unit] - 1);
    if (copy)
        operation_end(show, copy, true);
    show->copy_of_unit[unit] = 0;
}

/* Work that the model only gives a time to is not queued anywhere. */
void show_perfetto_work_start(struct show_perfetto *show, const struct model_record *record)
{
    struct pf_operation *work = show_perfetto_operation_new(show, PF_WORK, record->work.id);

    if (!work)
        return;
    work->channel_id = record->work.channel_id;
    work->engine_id = record->work.engine_id;
    work->details[0] = record->work.class_id;
    work->details[1] = record->work.method;
    work->sequence = record->work.gp_sequence;
    work->start_ps = work->piece_ps = show->now_ps;
    work->flow = PF_FLOW_OPERATION(++show->flow_count);
    handed_over(show, record->work.channel_id, NAME_DRAW, work->flow);
}

static int by_kind_and_number(const void *left, const void *right)
{
    const struct pf_operation *a = left, *b = right;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

/* What has not ended by the end of the log, in the order of kinds and numbers. */
void show_perfetto_work_finish(struct show_perfetto *show)
{
    const uint32_t count = show->operation_count;
    struct pf_operation *left = count ? malloc(count * sizeof *left) : NULL;
    uint32_t copied = 0;

    if (count > 0 && !left) {
        (void)show_perfetto_no_memory(show);
        return;
    }
    for (uint32_t i = 0; i < show->operation_capacity; i++)
        if (show->operations[i].used)
            left[copied++] = show->operations[i];
    if (count > 0)
        qsort(left, count, sizeof *left, by_kind_and_number);
    for (uint32_t i = 0; i < count; i++) {
        struct pf_operation *operation =
            show_perfetto_operation_find(show, (enum pf_kind)left[i].kind, left[i].id);
        operation_end(show, operation, true);
    }
    free(left);
}
