/* SPDX-License-Identifier: MIT */
/* What engines do: launches and their blocks, draws, copies, semaphores. */
#include <config.h>

#include "emu/analysis/explain/explain_private.h"

/* Launches and reports that are looked through for the one that is seen again. */
enum { QUEUE_LOOKED_AT = 256, ENGINE_OF_GRIDS = 0 };

/* ---- taken, and seen again later ------------------------------------------------------------- */

static bool queue_push(struct explain_build *build, uint32_t operation)
{
    if (!explain_build_room(build, &build->queue, build->queue_count, &build->queue_capacity,
                            sizeof *build->queue, EXPLAIN_OPERATIONS_MAX))
        return false;
    build->queue[build->queue_count++] = operation;
    return true;
}

/* What a queued operation has to be like. */
struct queue_key {
    enum explain_kind kind;
    uint64_t channel, parent; /* UINT64_MAX: any */
    uint64_t address;         /* of a semaphore */
    gfe_ps waits_from_ps;     /* a report that has not been let through, taken then; 0: any */
};

static bool queue_fits(const struct explain *explain, uint32_t index, const struct queue_key *key)
{
    const struct explain_operation *operation = &explain->operations[index];

    return operation->kind == key->kind &&
           (key->channel == UINT64_MAX || operation->channel == key->channel) &&
           (key->parent == UINT64_MAX || operation->parent == key->parent) &&
           (key->kind != EXPLAIN_SEMAPHORE ||
            (operation->semaphore.address == key->address &&
             (key->waits_from_ps == 0 || (operation->first_wait == EXPLAIN_NONE &&
                                          operation->semaphore.taken_ps == key->waits_from_ps))));
}

/* The first that fits; `take`: it leaves the queue. */
static uint32_t queue_find(struct explain_build *build, const struct queue_key *key, bool take)
{
    uint32_t looked = 0;

    while (build->queue_head < build->queue_count &&
           build->queue[build->queue_head] == EXPLAIN_NONE)
        build->queue_head++;
    for (uint32_t i = build->queue_head; i < build->queue_count && looked < QUEUE_LOOKED_AT;
         i++, looked++) {
        const uint32_t index = build->queue[i];
        if (index == EXPLAIN_NONE || !queue_fits(build->explain, index, key))
            continue;
        if (take)
            build->queue[i] = EXPLAIN_NONE;
        return index;
    }
    return EXPLAIN_NONE;
}

/* ---- what a method starts -------------------------------------------------------------------- */

/* A new operation of the channel's entry; *channel is the channel's index. */
static struct explain_operation *begun(struct explain_build *build, enum explain_kind kind,
                                       uint64_t key, uint64_t channel_id, uint64_t sequence)
{
    const uint32_t channel = explain_channel_at(build, channel_id);
    uint32_t index;

    if (channel == EXPLAIN_NONE)
        return NULL;
    index = explain_build_operation(build, kind, key);
    if (index == EXPLAIN_NONE)
        return NULL;
    build->explain->operations[index].channel = channel;
    explain_build_parent(build, index,
                         sequence == UINT64_MAX
                             ? build->explain->channels[channel].entry
                             : explain_channel_entry(build->explain, channel, sequence));
    return &build->explain->operations[index];
}

static uint32_t index_of(const struct explain_build *build, const struct explain_operation *at)
{
    return (uint32_t)(at - build->explain->operations);
}

/* A method of its channel has started it. */
static void by_method(struct explain_build *build, const struct explain_operation *operation)
{
    explain_channel_started(build, operation->channel, index_of(build, operation));
}

bool explain_take_launch(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *launch = begun(build, EXPLAIN_LAUNCH, UINT64_MAX,
                                             record->method.channel_id, record->method.gp_sequence);

    if (!launch)
        return false;
    launch->launch.queued_ps = launch->launch.start_ps = GFE_PS_NEVER;
    launch->launch.last_started = launch->launch.last_ended = EXPLAIN_NONE;
    launch->launch.first_stop = launch->launch.last_stop = EXPLAIN_NONE;
    by_method(build, launch);
    return queue_push(build, index_of(build, launch));
}

/* The launch that was taken for it, if the log says so, else a new one. */
bool explain_take_grid_queue(struct explain_build *build, const struct model_record *record)
{
    struct explain *explain = build->explain;
    const uint32_t channel = explain_channel_at(build, record->grid.channel_id);
    uint32_t index;

    if (channel == EXPLAIN_NONE)
        return false;
    if (id_map_find(&explain->by_id[EXPLAIN_LAUNCH], record->grid.id) != ID_MAP_NONE)
        return explain_build_absurd(build, "this number was given before:", record->grid.id);
    index = queue_find(build,
                       &(struct queue_key){.kind = EXPLAIN_LAUNCH,
                                           .channel = channel,
                                           .parent = explain_channel_entry(
                                               explain, channel, record->grid.gp_sequence)},
                       true);
    if (index == EXPLAIN_NONE) {
        const struct explain_operation *launch = begun(
            build, EXPLAIN_LAUNCH, UINT64_MAX, record->grid.channel_id, record->grid.gp_sequence);
        if (!launch)
            return false;
        index = index_of(build, launch);
    }
    if (!id_map_add(&explain->by_id[EXPLAIN_LAUNCH], record->grid.id, index))
        return explain_build_no_memory(build);
    struct explain_operation *launch = &explain->operations[index];
    launch->id = record->grid.id;
    launch->launch.queued_ps = build->now_ps;
    launch->launch.start_ps = GFE_PS_NEVER;
    launch->launch.block_count = (uint32_t)record->grid.block_count;
    launch->launch.block_threads = (uint32_t)record->grid.block_threads;
    launch->launch.last_started = launch->launch.last_ended = EXPLAIN_NONE;
    launch->launch.first_stop = launch->launch.last_stop = EXPLAIN_NONE;
    return true;
}

static enum explain_kind kind_of(const struct model_record *record)
{
    static const enum explain_kind kinds[] = {
        [MODEL_GRID] = EXPLAIN_LAUNCH, [MODEL_COPY] = EXPLAIN_COPY, [MODEL_WORK] = EXPLAIN_DRAW};

    return kinds[record->operation];
}

static struct explain_operation *find(struct explain_build *build, enum explain_kind kind,
                                      uint64_t id)
{
    const uint32_t index = id_map_find(&build->explain->by_id[kind], id);

    if (index == ID_MAP_NONE)
        (void)explain_build_absurd(build, "nothing was started with number", id);
    return index == ID_MAP_NONE ? NULL : &build->explain->operations[index];
}

static bool ended(struct explain_build *build, struct explain_operation *operation, uint64_t engine)
{
    operation->end_ps = build->now_ps;
    if (engine < EXPLAIN_IDS)
        build->engines[engine] = index_of(build, operation);
    return true;
}

bool explain_take_grid_dispatched(struct explain_build *build, const struct model_record *record)
{
    struct explain *explain = build->explain;
    const struct explain_operation *launch = find(build, EXPLAIN_LAUNCH, record->done.id);

    if (!launch ||
        !explain_build_room(build, &explain->heads, explain->head_count, &explain->head_capacity,
                            sizeof *explain->heads, EXPLAIN_OPERATIONS_MAX))
        return false;
    explain->heads[explain->head_count++] =
        (struct explain_head){build->now_ps, index_of(build, launch)};
    return true;
}

bool explain_take_ended(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *operation = find(build, kind_of(record), record->done.id);

    return operation &&
           ended(build, operation,
                 record->operation == MODEL_GRID ? ENGINE_OF_GRIDS : operation->work.engine);
}

static bool stopped(struct explain_build *build, struct explain_operation *operation)
{
    return operation && explain_build_stop(build, operation);
}

static bool gone_on(struct explain_build *build, const struct explain_operation *operation,
                    uint64_t by_channel_id)
{
    if (operation)
        explain_build_go_on(build, operation, by_channel_id);
    return operation != NULL;
}

bool explain_take_suspended(struct explain_build *build, const struct model_record *record)
{
    return stopped(build, find(build, kind_of(record), record->done.id));
}

bool explain_take_resumed(struct explain_build *build, const struct model_record *record)
{
    return gone_on(build, find(build, kind_of(record), record->done.id),
                   record->done.by_channel_id);
}

bool explain_take_copy_queue(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *copy = begun(build, EXPLAIN_COPY, record->copy.id,
                                           record->copy.channel_id, record->copy.gp_sequence);

    if (!copy)
        return false;
    copy->work.engine = (uint32_t)record->copy.engine_id;
    copy->work.byte_count = record->copy.byte_count;
    copy->work.queued_ps = build->now_ps;
    copy->work.start_ps = GFE_PS_NEVER;
    by_method(build, copy);
    return true;
}

bool explain_take_copy_start(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *copy = find(build, EXPLAIN_COPY, record->done.id);

    if (!copy)
        return false;
    copy->work.start_ps = build->now_ps;
    /* What it has waited for since it was queued the log may have said, or not. */
    const gfe_ps from_ps = copy->last_wait == EXPLAIN_NONE
                               ? copy->work.queued_ps
                               : build->explain->waits[copy->last_wait].end_ps;
    return from_ps >= build->now_ps ||
           explain_build_wait(build, index_of(build, copy), from_ps, build->event->rule,
                              explain_build_engine(build, copy->work.engine, from_ps));
}

/* It is over without having come to its end. */
static void breaks_off(const struct explain_build *build, struct explain_operation *operation)
{
    operation->end_ps = build->now_ps;
    operation->unfinished = true;
}

bool explain_take_dropped(struct explain_build *build, const struct model_record *record)
{
    const uint32_t index = id_map_find(&build->explain->by_id[kind_of(record)], record->done.id);

    if (index != ID_MAP_NONE)
        breaks_off(build, &build->explain->operations[index]);
    return true;
}

/* When the front end took it is known from its wait. */
bool explain_take_work_start(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *draw = begun(build, EXPLAIN_DRAW, record->work.id,
                                           record->work.channel_id, record->work.gp_sequence);

    if (!draw)
        return false;
    draw->work.engine = (uint32_t)record->work.engine_id;
    draw->work.class_id = (uint16_t)record->work.class_id;
    draw->work.method = (uint16_t)record->work.method;
    draw->work.start_ps = build->now_ps;
    return true;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static uint64_t block_key(const struct explain_build *build, const struct explain_operation *launch,
                          uint64_t index)
{
    return (uint64_t)index_of(build, launch) << 32 ^ index;
}

/* A wait of the launch that has just ended is the block's own: for the SM's last block, unless the
 * log says for whom. */
static void block_waited(struct explain_build *build, const struct explain_operation *launch,
                         uint64_t sm)
{
    struct explain *explain = build->explain;
    struct explain_wait *wait;

    if (launch->last_wait == EXPLAIN_NONE)
        return; /* perhaps there are no waits at all */
    wait = &explain->waits[launch->last_wait];
    if (wait->end_ps != build->now_ps || wait->rule == explain->head_rule ||
        wait->rule == explain->context_rule)
        return;
    if (wait->by.kind == EXPLAIN_BY_NOBODY && build->sms[sm] != EXPLAIN_NONE)
        wait->by = (struct explain_by){EXPLAIN_BY_BLOCK, build->sms[sm]};
}

bool explain_take_block_start(struct explain_build *build, const struct model_record *record)
{
    struct explain *explain = build->explain;
    struct explain_operation *launch = find(build, EXPLAIN_LAUNCH, record->block.grid_id);
    struct explain_block *block;

    if (!launch || !explain_build_id(build, record->block.sm))
        return false;
    if (record->block.index > UINT32_MAX ||
        id_map_find(&explain->block_by_id, block_key(build, launch, record->block.index)) !=
            ID_MAP_NONE)
        return explain_build_absurd(build, "this block was started before:", record->block.index);
    if (!explain_build_room(build, &explain->blocks, explain->block_count, &explain->block_capacity,
                            sizeof *explain->blocks, EXPLAIN_BLOCKS_MAX))
        return false;
    if (!id_map_add(&explain->block_by_id, block_key(build, launch, record->block.index),
                    explain->block_count))
        return explain_build_no_memory(build);
    block_waited(build, launch, record->block.sm);
    block = &explain->blocks[explain->block_count];
    const uint32_t previous = launch->launch.last_started;
    *block = (struct explain_block){
        .start_ps = build->now_ps,
        .end_ps = GFE_PS_NEVER,
        .previous_ps = previous == EXPLAIN_NONE ? GFE_PS_NEVER : explain->blocks[previous].start_ps,
        .launch = index_of(build, launch),
        .index = (uint32_t)record->block.index,
        .sm = (uint32_t)record->block.sm,
        .previous = previous,
        .wait = launch->last_wait,
        .stop = launch->launch.last_stop,
    };
    launch->launch.last_started = explain->block_count++;
    if (previous == EXPLAIN_NONE)
        launch->launch.start_ps = build->now_ps;
    explain->counts[EXPLAIN_BLOCK]++;
    return true;
}

bool explain_take_block_end(struct explain_build *build, const struct model_record *record)
{
    struct explain *explain = build->explain;
    struct explain_operation *launch = find(build, EXPLAIN_LAUNCH, record->block.grid_id);
    uint32_t index;

    if (!launch || !explain_build_id(build, record->block.sm))
        return false;
    index = record->block.index > UINT32_MAX
                ? ID_MAP_NONE
                : id_map_find(&explain->block_by_id, block_key(build, launch, record->block.index));
    if (index == ID_MAP_NONE)
        return explain_build_absurd(build, "this block was not started:", record->block.index);
    explain->blocks[index].end_ps = build->now_ps;
    launch->launch.last_ended = index;
    build->sms[record->block.sm] = index;
    return true;
}

/* ---- semaphores ------------------------------------------------------------------------------ */

static struct explain_operation *semaphore_new(struct explain_build *build, uint64_t channel_id,
                                               uint64_t sequence, enum explain_semaphore type,
                                               uint64_t address)
{
    struct explain_operation *semaphore =
        begun(build, EXPLAIN_SEMAPHORE, build->explain->counts[EXPLAIN_SEMAPHORE] + 1u, channel_id,
              sequence);

    if (semaphore) {
        semaphore->semaphore.type = type;
        semaphore->semaphore.taken_ps = build->now_ps;
        semaphore->semaphore.address = address;
    }
    return semaphore;
}

bool explain_take_report(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *report =
        semaphore_new(build, record->method.channel_id, record->method.gp_sequence, EXPLAIN_REPORT,
                      record->method.address);

    if (!report)
        return false;
    by_method(build, report);
    return queue_push(build, index_of(build, report));
}

/* The report of that channel and address that was taken first. */
static struct explain_operation *report_find(struct explain_build *build, uint32_t channel,
                                             uint64_t address)
{
    const uint32_t index = queue_find(build,
                                      &(struct queue_key){.kind = EXPLAIN_SEMAPHORE,
                                                          .channel = channel,
                                                          .parent = UINT64_MAX,
                                                          .address = address},
                                      true);

    return index == EXPLAIN_NONE ? NULL : &build->explain->operations[index];
}

static bool release_note(struct explain_build *build, uint64_t address, uint32_t operation)
{
    const uint32_t at = id_map_find(&build->release_by_address, address);

    if (at != ID_MAP_NONE) {
        build->releases[at] = operation;
        return true;
    }
    if (!explain_build_room(build, &build->releases, build->release_count, &build->release_capacity,
                            sizeof *build->releases, EXPLAIN_OPERATIONS_MAX))
        return false;
    if (!id_map_add(&build->release_by_address, address, build->release_count))
        return explain_build_no_memory(build);
    build->releases[build->release_count++] = operation;
    return true;
}

bool explain_take_release(struct explain_build *build, const struct model_record *record)
{
    const uint32_t channel = explain_channel_at(build, record->method.channel_id);
    struct explain_operation *release;

    if (channel == EXPLAIN_NONE)
        return false;
    release = report_find(build, channel, record->method.address);
    if (release)
        (void)ended(build, release, ENGINE_OF_GRIDS);
    else
        release = semaphore_new(build, record->method.channel_id, record->method.gp_sequence,
                                EXPLAIN_RELEASE, record->method.address);
    if (!release)
        return false;
    /* Host's own is a method's; an engine's comes with its copy or its data. */
    if (release->semaphore.type == EXPLAIN_RELEASE &&
        build->event->unit == build->explain->channels[channel].unit)
        by_method(build, release);
    release->end_ps = build->now_ps;
    release->semaphore.value = record->method.value;
    return release_note(build, record->method.address, index_of(build, release));
}

bool explain_take_notify(struct explain_build *build, const struct model_record *record)
{
    const uint32_t channel = explain_channel_at(build, record->method.channel_id);
    struct explain_operation *notify;

    if (channel == EXPLAIN_NONE)
        return false;
    notify = report_find(build, channel, record->method.address);
    if (!notify)
        notify = semaphore_new(build, record->method.channel_id, UINT64_MAX, EXPLAIN_NOTIFY,
                               record->method.address);
    if (!notify)
        return false;
    notify->semaphore.type = EXPLAIN_NOTIFY;
    return ended(build, notify, ENGINE_OF_GRIDS);
}

bool explain_take_acquire(struct explain_build *build, const struct model_record *record)
{
    struct explain_operation *acquire = semaphore_new(build, record->method.channel_id, UINT64_MAX,
                                                      EXPLAIN_ACQUIRE, record->method.address);

    if (!acquire)
        return false;
    by_method(build, acquire);
    acquire->end_ps = build->now_ps;
    acquire->semaphore.value = record->method.value;
    return true;
}

/* A report that waits for the work in front of it. */
bool explain_take_report_wait(struct explain_build *build, const struct model_record *record)
{
    const uint32_t index = queue_find(build,
                                      &(struct queue_key){.kind = EXPLAIN_SEMAPHORE,
                                                          .channel = UINT64_MAX,
                                                          .parent = UINT64_MAX,
                                                          .address = record->wait.subject_id,
                                                          .waits_from_ps = record->wait.begin_ps},
                                      false);

    return index == EXPLAIN_NONE ||
           explain_build_wait(
               build, index, record->wait.begin_ps, record->rule,
               explain_build_engine(build, record->wait.blocker_id, record->wait.begin_ps));
}
