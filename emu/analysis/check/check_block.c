/* SPDX-License-Identifier: MIT */
/* Kernels and blocks: queues, and what SMs hold. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/check/check_private.h"

static uint64_t round_up(uint64_t value, uint64_t unit)
{
    return unit ? (value + unit - 1) / unit * unit : value;
}

/* The grid with that number; NULL, noted as a violation: it never was, or is over. */
struct check_grid *check_grid_of(struct check *check, uint64_t grid_id, const char *what)
{
    const uint32_t index = id_map_find(&check->grid_ids, grid_id);
    struct check_grid *grid = index == ID_MAP_NONE ? NULL : &check->grids[index];
    const struct check_event event =
        check_event_at(check->now, "%s of kernel %" PRIu64, what, grid_id);

    if (grid && !grid->over)
        return grid;
    check_violation(check, "LOG", grid ? &grid->queued : NULL, &event,
                    grid ? "the kernel is over" : "no such kernel was queued");
    return NULL;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static uint32_t queue_new(struct check *check, uint64_t group)
{
    struct check_queue *queues = check_room(check, check->queues, check->queue_count,
                                            &check->queue_capacity, sizeof *check->queues);

    if (!queues || !id_map_add(&check->group_queues, group, check->queue_count)) {
        check->no_memory = true;
        return CHECK_NONE;
    }
    check->queues = queues;
    queues[check->queue_count] = (struct check_queue){.group = group};
    for (uint32_t level = 0; level < CHECK_LEVELS_MAX; level++)
        queues[check->queue_count].first[level] = queues[check->queue_count].last[level] =
            CHECK_NONE;
    return check->queue_count++;
}

static uint32_t queue_of_group(struct check *check, uint64_t group)
{
    const uint32_t queue = id_map_find(&check->group_queues, group);

    return queue != ID_MAP_NONE ? queue : queue_new(check, group);
}

/* From now on the channel's kernels join that queue. */
static void channel_set_queue(struct check *check, uint64_t channel_id, uint32_t queue)
{
    const uint32_t index = id_map_find(&check->channel_ids, channel_id);
    uint32_t *queues;

    if (index != ID_MAP_NONE) {
        check->channel_queues[index] = queue;
        return;
    }
    queues = check_room(check, check->channel_queues, check->channel_count,
                        &check->channel_capacity, sizeof *queues);
    if (!queues)
        return;
    check->channel_queues = queues;
    queues[check->channel_count] = queue;
    if (id_map_add(&check->channel_ids, channel_id, check->channel_count))
        check->channel_count++;
    else
        check->no_memory = true;
}

void check_channel_load(struct check *check, const uint64_t *values)
{
    const uint64_t runlist = values[1];
    uint32_t queue;

    if (runlist >= CHECK_RUNLISTS_MAX || !check->tsg_on[runlist])
        return;
    /* The runqueues of a runlist have the TSG's one queue. */
    queue = queue_of_group(check, ((runlist & 63) << 32 | check->tsg_ids[runlist]) + 1);
    if (queue != CHECK_NONE)
        channel_set_queue(check, values[0], queue);
}

static void queue_push(struct check *check, uint32_t index)
{
    struct check_grid *grid = &check->grids[index];
    struct check_queue *queue = &check->queues[grid->queue];

    grid->next_queued = CHECK_NONE;
    if (queue->last[grid->level] != CHECK_NONE)
        check->grids[queue->last[grid->level]].next_queued = index;
    else
        queue->first[grid->level] = index;
    queue->last[grid->level] = index;
}

/* Takes a grid out, wherever it stands. */
static void queue_remove(struct check *check, uint32_t index)
{
    struct check_queue *queue = &check->queues[check->grids[index].queue];
    const uint32_t level = check->grids[index].level;
    uint32_t before = CHECK_NONE, at = queue->first[level];

    while (at != CHECK_NONE && at != index) {
        before = at;
        at = check->grids[at].next_queued;
    }
    if (at == CHECK_NONE)
        return;
    if (before == CHECK_NONE)
        queue->first[level] = check->grids[index].next_queued;
    else
        check->grids[before].next_queued = check->grids[index].next_queued;
    if (queue->last[level] == index)
        queue->last[level] = before;
}

/* What a block takes, rounded as the hardware gives it. */
void check_grid_need(const struct check_limits *limits, struct check_grid *grid,
                     const uint64_t *values)
{
    const uint64_t warps = round_up(values[3], limits->threads_per_warp) / limits->threads_per_warp;

    grid->threads = (uint32_t)values[3];
    grid->warps = (uint32_t)warps;
    grid->shared_bytes = (uint32_t)round_up(values[4], limits->shared_unit_bytes);
    grid->warp_registers =
        (uint32_t)round_up(values[5] * limits->threads_per_warp, limits->register_unit);
    grid->registers = (uint32_t)(grid->warp_registers * warps);
}

uint32_t check_warps_of_registers(const struct check_limits *limits, uint32_t warp_registers)
{
    const uint32_t partitions = limits->partitions ? limits->partitions : 1;

    return warp_registers ? limits->registers_per_sm / partitions / warp_registers * partitions
                          : UINT32_MAX;
}

/* No SM could ever hold such a block. */
void check_grid_limits(struct check_report *report, const struct check_limits *limits,
                       const struct check_grid *grid, const uint64_t *values)
{
    const uint64_t launched =
        grid->warp_registers * round_up(grid->warps, limits->partitions ? limits->partitions : 1);

    if (grid->threads == 0 || grid->threads > limits->threads_per_block)
        check_report_add(report, "T.R2", NULL, &grid->queued,
                         "a block has %" PRIu64 " threads, of at most %u", values[3],
                         limits->threads_per_block);
    if (values[4] > limits->shared_bytes_per_block)
        check_report_add(report, "T.R3", NULL, &grid->queued,
                         "a block has %" PRIu64 " bytes of shared memory, of at most %u", values[4],
                         limits->shared_bytes_per_block);
    if (values[5] > limits->registers_per_thread || launched > limits->registers_per_block)
        check_report_add(report, "T.REG", NULL, &grid->queued,
                         "a block takes %" PRIu64 " registers, of at most %u (%u a thread)",
                         launched, limits->registers_per_block, limits->registers_per_thread);
}

/* Figures beyond what any GPU has would not fit the account. */
bool check_grid_absurd(const uint64_t *values)
{
    return values[3] > UINT16_MAX || values[4] > UINT32_MAX / 2 || values[5] > UINT16_MAX;
}

void check_grid_queue(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(
        check->now, "kernel %" PRIu64 " of channel %" PRIu64 " is queued", values[0], values[1]);
    const uint32_t channel = id_map_find(&check->channel_ids, values[1]);
    struct check_grid *grids;
    uint32_t index = id_map_find(&check->grid_ids, values[0]);

    if (index != ID_MAP_NONE || check_grid_absurd(values)) {
        check_violation(
            check, "LOG", index != ID_MAP_NONE ? &check->grids[index].queued : NULL, &event,
            index != ID_MAP_NONE ? "that number has been given before" : "no GPU has such blocks");
        return;
    }
    grids = check_room(check, check->grids, check->grid_count, &check->grid_capacity,
                       sizeof *check->grids);
    if (!grids)
        return;
    check->grids = grids;
    index = check->grid_count;
    grids[index] = (struct check_grid){.grid_id = values[0],
                                       .channel_id = values[1],
                                       .process = UINT64_MAX,
                                       .block_count = values[2],
                                       .queued = event};
    grids[index].queue =
        channel != ID_MAP_NONE ? check->channel_queues[channel] : queue_of_group(check, 0);
    if (grids[index].queue == CHECK_NONE || !id_map_add(&check->grid_ids, values[0], index)) {
        check->no_memory = true;
        return;
    }
    check->grid_count++;
    check->report->kernel_count++;
    check_operation_work(check, true, index, values[1], values[6]);
    check_grid_need(check->limits, &grids[index], values);
    check_grid_limits(check->report, check->limits, &grids[index], values);
    if (values[2] > 0)
        queue_push(check, index);
    else
        grids[index].dispatched = true;
}

/* grid: its priority, which the log has after its queueing: the grid joins another queue */
void check_grid_cost(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the priority");
    const struct check_event event = check_event_at(
        check->now, "kernel %" PRIu64 " has priority %" PRIu64, values[0], values[1]);

    if (!grid)
        return;
    if (values[1] >= CHECK_LEVELS_MAX || grid->started > 0) {
        check_violation(check, "T.A1", &grid->queued, &event,
                        grid->started > 0 ? "a block of it has started before"
                                          : "there are not so many priorities");
        return;
    }
    queue_remove(check, (uint32_t)(grid - check->grids));
    grid->level = (uint32_t)values[1];
    if (grid->block_count > 0)
        queue_push(check, (uint32_t)(grid - check->grids));
}

/* grid: the splits of an SM's memory that it needs and chooses */
void check_grid_split(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the split");
    const struct check_event event = check_event_at(
        check->now, "kernel %" PRIu64 " needs %" PRIu64 " bytes of an SM, and chooses %" PRIu64,
        values[0], values[1], values[2]);

    if (!grid)
        return;
    if (values[1] > values[2] || values[2] > check->limits->shared_bytes_per_sm ||
        values[1] < grid->shared_bytes) {
        check_violation(check, "CORE.SM_SPLIT", &grid->queued, &event,
                        "a block has %u bytes of shared memory, an SM %u", grid->shared_bytes,
                        check->limits->shared_bytes_per_sm);
        return;
    }
    grid->least_split_bytes = (uint32_t)values[1];
    grid->chosen_split_bytes = (uint32_t)values[2];
}

/* The block's SM has a split since it was empty; the block has to fit into it. */
static void sm_split(struct check *check, const struct check_grid *grid, uint32_t index,
                     const struct check_event *event)
{
    const struct check_sm *sm = &check->sms[index];
    const struct check_event *first = sm->last.text[0] ? &sm->last : NULL;

    if (grid->least_split_bytes > sm->split_bytes)
        check_violation(check, "CORE.SM_SPLIT", first, event,
                        "SM %u has %u bytes of shared memory, the kernel needs one with %u", index,
                        sm->split_bytes, grid->least_split_bytes);
    if (sm->shared_bytes > sm->split_bytes)
        check_violation(check, "CORE.SM_SPLIT", first, event,
                        "SM %u holds %u bytes of shared memory, and has %u", index,
                        sm->shared_bytes, sm->split_bytes);
}

void check_grid_dispatched(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the dispatch");
    const struct check_event event =
        check_event_at(check->now, "kernel %" PRIu64 " leaves the queue", values[0]);

    if (!grid)
        return;
    if (grid->started < grid->block_count || grid->dispatched)
        check_violation(check, "T.G3", &grid->queued, &event,
                        "%" PRIu64 " of its %" PRIu64 " blocks have been assigned%s", grid->started,
                        grid->block_count, grid->dispatched ? ", and it has left before" : "");
    grid->dispatched = true;
    queue_remove(check, (uint32_t)(grid - check->grids));
}

void check_grid_end(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the end");
    const struct check_event event =
        check_event_at(check->now, "kernel %" PRIu64 " ends", values[0]);

    if (!grid)
        return;
    if (grid->ended < grid->block_count)
        check_violation(check, "T.G4", &grid->queued, &event,
                        "%" PRIu64 " of its %" PRIu64 " blocks have ended", grid->ended,
                        grid->block_count);
    if (!grid->dispatched)
        check_violation(check, "T.G3", &grid->queued, &event, "it has not been fully dispatched");
    check_grid_drop(check, values);
}

/* ---- SMs ------------------------------------------------------------------------------------- */

static uint32_t warp_size(const struct check_limits *limits, const struct check_grid *grid)
{
    const uint32_t units = limits->register_unit ? grid->warp_registers / limits->register_unit : 0;

    return units < CHECK_WARP_SIZES ? units : CHECK_WARP_SIZES - 1;
}

void check_sm_take(const struct check_limits *limits, struct check_sm *sm,
                   const struct check_grid *grid, uint32_t slot, bool takes)
{
    const uint32_t sign = takes ? 1 : UINT32_MAX; /* modulo 2^32 */

    sm->threads += sign * grid->threads;
    sm->warps += sign * grid->warps;
    sm->registers += sign * grid->registers;
    sm->shared_bytes += sign * grid->shared_bytes;
    sm->blocks += sign;
    sm->warps_of_size[warp_size(limits, grid)] += sign * grid->warps;
    if (takes)
        sm->slots |= UINT64_C(1) << slot;
    else
        sm->slots &= ~(UINT64_C(1) << slot);
}

static void sm_take(struct check *check, const struct check_grid *grid,
                    const struct check_block *block, bool takes)
{
    if (takes)
        check->sms[block->sm].split_bytes = block->split_bytes;
    check_sm_take(check->limits, &check->sms[block->sm], grid, block->slot, takes);
    check_client_take(check, grid, block->sm, takes);
}

/* The grid's running blocks leave the SMs, or come back. */
static void grid_move(struct check *check, struct check_grid *grid, bool on)
{
    struct check_queue *queue = &check->queues[grid->queue];

    for (uint32_t i = 0; i < grid->running; i++)
        sm_take(check, grid, &grid->blocks[i], on);
    queue->running += on ? grid->running : -(uint64_t)grid->running;
    grid->suspended = !on;
}

void check_grid_drop(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the loss");

    if (!grid)
        return;
    if (!grid->suspended)
        grid_move(check, grid, false);
    queue_remove(check, (uint32_t)(grid - check->grids));
    check->queues[grid->queue].resident -= grid->started > 0;
    grid->over = true;
    grid->running = grid->capacity = 0;
    free(grid->blocks);
    grid->blocks = NULL;
}

void check_grid_suspend(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the suspension");
    const struct check_event event =
        check_event_at(check->now, "kernel %" PRIu64 " is suspended", values[0]);

    if (!grid)
        return;
    if (grid->suspended || values[1] != grid->running)
        check_violation(check, "LOG", &grid->queued, &event,
                        "%" PRIu64 " blocks stop, but %u run%s", values[1], grid->running,
                        grid->suspended ? ", and it has been suspended before" : "");
    if (!grid->suspended)
        grid_move(check, grid, false);
}

/* Blocks of a queue come on the SMs: those of another must be gone. */
static void sms_belong(struct check *check, const struct check_grid *grid,
                       const struct check_event *event)
{
    if (check->last_queue != CHECK_NONE && check->last_queue != grid->queue &&
        check->queues[check->last_queue].running > 0)
        check_violation(check, "T.P1", &check->last, event,
                        "%" PRIu64 " blocks of another address space are on the SMs",
                        check->queues[check->last_queue].running);
    check->last_queue = grid->queue;
    check->last = *event;
}

/* For each size of a warp's registers: the SM cannot hold more warps of that size or larger than it
 * could hold of that size alone. */
static void sm_registers(struct check_report *report, const struct check_limits *limits,
                         const struct check_sm *sm, uint32_t index, const struct check_event *event)
{
    uint32_t warps = 0;

    for (uint32_t size = CHECK_WARP_SIZES; size-- > 1;) {
        const uint32_t most = check_warps_of_registers(limits, size * limits->register_unit);

        warps += sm->warps_of_size[size];
        if (sm->warps_of_size[size] > 0 && warps > most) {
            check_report_add(report, "T.REG", sm->last.text[0] ? &sm->last : NULL, event,
                             "SM %u holds %u warps of %u registers or more, of at most %u", index,
                             warps, size * limits->register_unit, most);
            return;
        }
    }
}

/* What the SM holds is more than it has. */
void check_sm_limits(struct check_report *report, const struct check_limits *limits,
                     const struct check_sm *sm, uint32_t index, const struct check_event *event)
{
    const struct check_event *first = sm->last.text[0] ? &sm->last : NULL;

    if (sm->threads > limits->threads_per_sm)
        check_report_add(report, "T.R2", first, event, "SM %u holds %u threads, of at most %u",
                         index, sm->threads, limits->threads_per_sm);
    if (sm->shared_bytes > limits->shared_bytes_per_sm)
        check_report_add(report, "T.R3", first, event,
                         "SM %u holds %u bytes of shared memory, of at most %u", index,
                         sm->shared_bytes, limits->shared_bytes_per_sm);
    if (sm->registers > limits->registers_per_sm)
        check_report_add(report, "T.REG", first, event, "SM %u holds %u registers, of at most %u",
                         index, sm->registers, limits->registers_per_sm);
    else if (limits->partitions > 1)
        sm_registers(report, limits, sm, index, event);
    if (sm->blocks > limits->blocks_per_sm || sm->warps > limits->warps_per_sm)
        check_report_add(report, "T.SLOT", first, event,
                         "SM %u holds %u blocks and %u warps, of at most %u and %u", index,
                         sm->blocks, sm->warps, limits->blocks_per_sm, limits->warps_per_sm);
}

void check_grid_resume(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "the return");
    const struct check_event event =
        check_event_at(check->now, "kernel %" PRIu64 " goes on", values[0]);

    if (!grid)
        return;
    if (!grid->suspended) {
        check_violation(check, "LOG", &grid->queued, &event, "it was not suspended");
        return;
    }
    sms_belong(check, grid, &event);
    grid_move(check, grid, true);
    for (uint32_t i = 0; i < grid->running; i++)
        check_sm_limits(check->report, check->limits, &check->sms[grid->blocks[i].sm],
                        grid->blocks[i].sm, &event);
}

/* Returns the first grid of a queue that the grid has to wait for, or the grid itself.  Returns
 * CHECK_NONE if there is none. */
static uint32_t queue_waits(const struct check *check, uint32_t first,
                            const struct check_grid *grid)
{
    while (first != CHECK_NONE && (check_client_passed(check, &check->grids[first], grid) ||
                                   check_mask_passed(check, &check->grids[first], grid)))
        first = check->grids[first].next_queued;
    return first;
}

/* The queues of higher priorities are empty. */
static void block_priority(struct check *check, const struct check_grid *grid,
                           const struct check_event *event)
{
    const struct check_queue *queue = &check->queues[grid->queue];

    for (uint32_t level = grid->level + 1; level < CHECK_LEVELS_MAX; level++) {
        const uint32_t waits = queue_waits(check, queue->first[level], grid);

        if (waits != CHECK_NONE)
            check_violation(check, "T.A2", &check->grids[waits].queued, event,
                            "kernel %" PRIu64 " of a higher priority has blocks to assign",
                            check->grids[waits].grid_id);
    }
}

/* The kernel's turn, and the block's. */
static void block_order(struct check *check, const struct check_grid *grid, uint64_t block_index,
                        const struct check_event *event)
{
    const uint32_t head = queue_waits(check, check->queues[grid->queue].first[grid->level], grid);

    block_priority(check, grid, event);
    if (head != CHECK_NONE && &check->grids[head] != grid)
        check_violation(check, "T.X1", &check->grids[head].queued, event,
                        "kernel %" PRIu64 " is at the head of the queue, with %" PRIu64
                        " blocks to assign",
                        check->grids[head].grid_id,
                        check->grids[head].block_count - check->grids[head].started);
    if (block_index != grid->started)
        check_violation(check, "CORE.BLOCK_ORDER", &grid->queued, event,
                        "the kernel's next block is %" PRIu64, grid->started);
    if (grid->started >= grid->block_count)
        check_violation(check, "T.G3", &grid->queued, event,
                        "all of its %" PRIu64 " blocks have been assigned", grid->block_count);
    if (grid->suspended)
        check_violation(check, "T.P1", &grid->queued, event, "the kernel is suspended");
}

/* Its first block starts. */
static void grid_becomes_resident(struct check *check, const struct check_grid *grid,
                                  const struct check_event *event)
{
    struct check_queue *queue = &check->queues[grid->queue];

    if (check->limits->grids != 0 && queue->resident == check->limits->grids)
        check_violation(check, "CORE.GRIDS", &check->last, event,
                        "%u kernels of its address space have started and not ended",
                        queue->resident);
    queue->resident++;
}

void check_block_start(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "a block");
    const uint64_t sm = values[2], slot = values[3];
    const struct check_event event =
        check_event_at(check->now, "block %" PRIu64 ":%" PRIu64 " starts on SM %" PRIu64, values[0],
                       values[1], sm);
    struct check_block *blocks;

    if (!grid)
        return;
    if (sm >= check->limits->sm_count || sm >= CHECK_SMS_MAX || slot >= CHECK_SLOTS_MAX) {
        check_violation(check, "LOG", NULL, &event, "the GPU has %u SMs, and no slot %" PRIu64,
                        check->limits->sm_count, slot);
        return;
    }
    block_order(check, grid, values[1], &event);
    sms_belong(check, grid, &event);
    if (slot >= check->limits->blocks_per_sm || check->sms[sm].slots >> slot & 1)
        check_violation(check, "T.SLOT", &check->sms[sm].last, &event,
                        "slot %" PRIu64 " is taken, or not there", slot);
    blocks = check_room(check, grid->blocks, grid->running, &grid->capacity, sizeof *grid->blocks);
    if (!blocks)
        return;
    grid->blocks = blocks;
    blocks[grid->running++] = (struct check_block){
        values[1], (uint32_t)sm, (uint32_t)slot,
        check->sms[sm].blocks == 0 ? grid->chosen_split_bytes : check->sms[sm].split_bytes};
    if (grid->started == 0)
        grid_becomes_resident(check, grid, &event);
    if (++grid->started == grid->block_count)
        queue_remove(check, (uint32_t)(grid - check->grids));
    check->queues[grid->queue].running++;
    check->report->block_count++;
    sm_take(check, grid, &blocks[grid->running - 1], true);
    check_client_share(check, grid, &event);
    check_mask_block(check, grid, (uint32_t)values[2], &event);
    check_cluster_block(check, grid, values[1], (uint32_t)values[2], &event);
    check_sm_limits(check->report, check->limits, &check->sms[sm], (uint32_t)sm, &event);
    if (grid->least_split_bytes != 0 || check->sms[sm].split_bytes != 0)
        sm_split(check, grid, (uint32_t)sm, &event);
    check->sms[sm].last = event;
}

void check_block_end(struct check *check, const uint64_t *values)
{
    struct check_grid *grid = check_grid_of(check, values[0], "a block's end");
    const struct check_event event =
        check_event_at(check->now, "block %" PRIu64 ":%" PRIu64 " ends on SM %" PRIu64, values[0],
                       values[1], values[2]);
    uint32_t i = 0;

    if (!grid)
        return;
    while (i < grid->running && grid->blocks[i].block_index != values[1])
        i++;
    if (i == grid->running || grid->blocks[i].sm != values[2]) {
        check_violation(check, "LOG", &grid->queued, &event, "it does not run there");
        return;
    }
    if (grid->suspended) {
        check_violation(check, "T.P1", &grid->queued, &event, "the kernel is suspended");
        return;
    }
    sm_take(check, grid, &grid->blocks[i], false);
    check->queues[grid->queue].running--;
    grid->blocks[i] = grid->blocks[--grid->running];
    grid->ended++;
}
