/* SPDX-License-Identifier: MIT */
/* AMD's dispatches: turns of queues and shader engines, slots, CUs. */
#include <config.h>

#include "emu/analysis/check/check_dispatch.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is known of a dispatch --------------------------------------------------------------
 */

struct dispatch_grid *check_dispatch_grid(struct check *check, uint64_t grid_id, const char *what)
{
    const uint32_t index = id_map_find(&check->dispatch->grid_ids, grid_id);
    struct dispatch_grid *grid = index == ID_MAP_NONE ? NULL : &check->dispatch->grids[index];
    const struct check_event event =
        check_event_at(check->now, "%s of dispatch %" PRIu64, what, grid_id);

    if (grid && !grid->over)
        return grid;
    check_violation(check, "LOG", grid ? &grid->queued : NULL, &event,
                    grid ? "the dispatch is over" : "no such dispatch was queued");
    return NULL;
}

/* grid, blocks, threads, LDS bytes, VGPRs */
static void take_queue(struct check *check, const uint64_t *values)
{
    struct check_dispatch *dispatch = check->dispatch;
    const struct check_event event =
        check_event_at(check->now, "dispatch %" PRIu64 " is queued", values[0]);
    struct dispatch_grid *grids;

    if (id_map_find(&dispatch->grid_ids, values[0]) != ID_MAP_NONE) {
        check_violation(check, "LOG", NULL, &event, "this number was given before");
        return;
    }
    if (values[2] == 0 || values[2] > check->limits->threads_per_block ||
        values[3] > check->limits->shared_bytes_per_block ||
        values[4] > check->limits->registers_per_thread) {
        check_violation(check, "A.D5", NULL, &event, "no CU can hold such a block");
        return;
    }
    grids = check_room(check, dispatch->grids, dispatch->grid_count, &dispatch->grid_capacity,
                       sizeof *grids);
    if (!grids)
        return;
    dispatch->grids = grids;
    if (!id_map_add(&dispatch->grid_ids, values[0], dispatch->grid_count)) {
        check->no_memory = true;
        return;
    }
    grids[dispatch->grid_count++] = (struct dispatch_grid){
        .grid_id = values[0],
        .block_count = values[1],
        .threads = (uint32_t)values[2],
        .waves = (uint32_t)check_dispatch_round(values[2], check->limits->threads_per_warp) /
                 check->limits->threads_per_warp,
        .vgprs =
            (uint32_t)check_dispatch_round(values[4] ? values[4] : 1, check->limits->vgpr_unit),
        .lds_bytes = (uint32_t)check_dispatch_round(values[3], check->limits->shared_unit_bytes),
        .next_in_queue = CHECK_NONE,
        .last_engine = CHECK_NONE,
        .next_of_ring = CHECK_NONE,
        .queued = event};
    check->report->kernel_count++;
}

void check_dispatch_pop(struct check *check, struct dispatch_grid *grid)
{
    struct check_dispatch *dispatch = check->dispatch;
    uint32_t *first = &dispatch->aces[grid->ace].first[grid->queue];

    if (*first != (uint32_t)(grid - dispatch->grids))
        return;
    *first = grid->next_in_queue;
    if (*first == CHECK_NONE)
        dispatch->aces[grid->ace].last[grid->queue] = CHECK_NONE;
}

void check_dispatch_append(struct check *check, struct dispatch_grid *grid)
{
    struct check_dispatch *dispatch = check->dispatch;
    const uint32_t index = (uint32_t)(grid - dispatch->grids);
    uint32_t *last = &dispatch->aces[grid->ace].last[grid->queue];

    grid->next_in_queue = CHECK_NONE;
    if (*last == CHECK_NONE)
        dispatch->aces[grid->ace].first[grid->queue] = index;
    else
        dispatch->grids[*last].next_in_queue = index;
    *last = index;
}

/* grid, ace, queue, waves, SGPRs, masks */
static void take_dispatch(struct check *check, const uint64_t *values)
{
    struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "the needs");

    if (!grid)
        return;
    if (grid->known || values[1] >= DISPATCH_ACES || values[1] >= check->limits->ace_count ||
        values[2] >= DISPATCH_QUEUES || values[2] >= check->limits->queues_per_ace) {
        check_violation(check, "LOG", NULL, &grid->queued,
                        grid->known ? "it is told of twice" : "no such ACE or queue");
        return;
    }
    if (values[3] != grid->waves)
        check_violation(check, "A.D5", NULL, &grid->queued,
                        "a block of %" PRIu32 " threads is %" PRIu32 " waves, not %" PRIu64,
                        grid->threads, grid->waves, values[3]);
    grid->known = true;
    grid->ace = (uint32_t)values[1];
    grid->queue = (uint32_t)values[2];
    grid->sgprs = (uint32_t)check_dispatch_round(values[4] < 1024 ? values[4] : 1024,
                                                 check->limits->sgpr_unit);
    memcpy(grid->masks, &values[5], sizeof grid->masks);
    grid->to_stage = grid->block_count;
    if (grid->block_count > 0)
        check_dispatch_append(check, grid);
}

/* ---- turns ------------------------------------------------------------------------------------
 */

/* ace, queue */
static void take_turn(struct check *check, const uint64_t *values)
{
    struct check_dispatch *dispatch = check->dispatch;
    const struct check_event event =
        check_event_at(check->now, "ACE %" PRIu64 " turns to queue %" PRIu64, values[0], values[1]);
    const uint32_t count = check->limits->queues_per_ace;
    uint32_t next;

    if (values[0] >= check->limits->ace_count || values[1] >= count) {
        check_violation(check, "LOG", NULL, &event, "no such ACE or queue");
        return;
    }
    next = dispatch->aces[values[0]].current;
    for (uint32_t i = 0; i < count; i++) {
        next = (next + 1) % count;
        if (dispatch->aces[values[0]].first[next] != CHECK_NONE &&
            (next == values[1] || dispatch->aces[values[0]].held_until_ps[next] < check->now))
            break;
    }
    if (next != values[1] || dispatch->aces[values[0]].first[next] == CHECK_NONE)
        check_violation(check, "A.D1", NULL, &event,
                        dispatch->aces[values[0]].first[values[1]] == CHECK_NONE
                            ? "it has no dispatch to stage"
                            : "queue %" PRIu32 " comes before it",
                        next);
    dispatch->aces[values[0]].current = (uint32_t)values[1];
}

/* A.D1, A.O1, A.M1, A.D2 of a block that is staged. */
static void stage_order(struct check *check, struct dispatch_grid *grid, uint64_t block,
                        uint32_t engine, const struct check_event *event)
{
    const struct check_dispatch *dispatch = check->dispatch;
    const uint32_t head = dispatch->aces[grid->ace].first[grid->queue];
    uint32_t next = grid->last_engine == CHECK_NONE ? engine : grid->last_engine;

    if (head != (uint32_t)(grid - dispatch->grids))
        check_violation(check, "A.D1", head == CHECK_NONE ? NULL : &dispatch->grids[head].queued,
                        event, "its dispatch is not at the head of its queue");
    if (dispatch->aces[grid->ace].current != grid->queue)
        check_violation(check, "A.D1", NULL, event, "the ACE is at queue %" PRIu32,
                        dispatch->aces[grid->ace].current);
    if (block != grid->next_block)
        check_violation(check, "A.O1", NULL, event, "block %" PRIu64 " is the next",
                        grid->next_block);
    if (check_dispatch_mask(grid, engine) == 0)
        check_violation(check, "A.M1", NULL, event, "its mask leaves it no CU there");
    if (grid->last_engine == CHECK_NONE)
        return;
    for (uint32_t i = 0; i < check->limits->engine_count; i++) {
        next = (next + 1) % check->limits->engine_count;
        if (check_dispatch_mask(grid, next) != 0)
            break;
    }
    if (next != engine)
        check_violation(check, "A.D2", NULL, event, "it is shader engine %" PRIu32 "'s turn", next);
}

/* grid, block, shader engine, ace */
static void take_stage(struct check *check, const uint64_t *values)
{
    struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "a block");
    const struct check_event event =
        check_event_at(check->now,
                       "block %" PRIu64 " of dispatch %" PRIu64 " into shader engine %" PRIu64
                       "'s slot of ACE %" PRIu64,
                       values[1], values[0], values[2], values[3]);
    struct dispatch_slot *slot;

    if (!grid)
        return;
    if (values[2] >= check->limits->engine_count || !grid->known || values[3] != grid->ace) {
        check_violation(check, "LOG", &grid->queued, &event, "it is not there, or not its ACE");
        return;
    }
    slot = &check->dispatch->slots[grid->ace][values[2]];
    if (slot->grid != CHECK_NONE)
        check_violation(check, "A.D3", &slot->staged, &event, "the slot holds a block");
    if (!grid->stopped)
        stage_order(check, grid, values[1], (uint32_t)values[2], &event);
    *slot = (struct dispatch_slot){
        .grid = (uint32_t)(grid - check->dispatch->grids), .block = values[1], .staged = event};
    grid->last_engine = (uint32_t)values[2];
    if (values[1] >= grid->next_block)
        grid->next_block = values[1] + 1;
    if (grid->to_stage > 0 && --grid->to_stage == 0)
        check_dispatch_pop(check, grid);
}

/* It is taken back, and staged anew some time. */
static void take_unstage(struct check *check, const uint64_t *values)
{
    struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "a block");

    if (!grid || values[2] >= check->limits->engine_count || !grid->known)
        return;
    grid->stopped = true;
    grid->to_stage++;
    check->dispatch->slots[grid->ace][values[2]].grid = CHECK_NONE;
}

/* ---- ends --------------------------------------------------------------------------------------
 */

static void take_end(struct check *check, const uint64_t *values)
{
    struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "the end");
    const struct check_event event =
        check_event_at(check->now, "dispatch %" PRIu64 " ends", values[0]);

    if (!grid)
        return;
    if (grid->ended != grid->block_count)
        check_violation(check, "LOG", &grid->queued, &event,
                        "%" PRIu64 " of its %" PRIu64 " blocks have ended", grid->ended,
                        grid->block_count);
    grid->over = true;
}

/* It is thrown away, with what it has in slots. */
static void take_drop(struct check *check, const uint64_t *values)
{
    struct dispatch_grid *grid = check_dispatch_grid(check, values[0], "the end");

    if (!grid)
        return;
    for (uint32_t i = 0; grid->known && i < check->limits->engine_count; i++)
        if (check->dispatch->slots[grid->ace][i].grid == (uint32_t)(grid - check->dispatch->grids))
            check->dispatch->slots[grid->ace][i].grid = CHECK_NONE;
    if (grid->known)
        check_dispatch_pop(check, grid);
    grid->over = true;
}

static void take_wait(struct check *check, const uint64_t *values)
{
    const struct check_event event = check_event_at(check->now, "a wait ends");

    if (values[0] > check->now)
        check_violation(check, "LOG", NULL, &event, "it begins at %" PRIu64 " ps, after its end",
                        values[0]);
}

/* ---- events -----------------------------------------------------------------------------------
 */

/* clang-format off */
const struct event_fields_row check_dispatch_rows[] = {
    {"GRID_QUEUE", {"grid_id", "block_count", "block_threads", "shared_bytes", "registers"}},
    {"AMD_DISPATCH", {"grid_id", "ace_index", "queue_index", "wave_count", "sgpr_count",
                      "cu_mask_lo", "cu_mask_hi"}},
    {"AMD_ACE_TURN", {"ace_index", "queue_index"}},
    {"AMD_BLOCK_STAGE", {"grid_id", "block_index", "se_index", "ace_index"}},
    {"AMD_BLOCK_UNSTAGE", {"grid_id", "block_index", "se_index"}},
    {"BLOCK_START", {"grid_id", "block_index", "sm_index", "slot_index"}},
    {"BLOCK_END", {"grid_id", "block_index", "sm_index", "slot_index"}},
    {"AMD_BLOCK_STOP", {"grid_id", "block_index", "sm_index", "slot_index", "byte_count"}},
    {"AMD_BLOCK_GO_ON", {"grid_id", "block_index", "sm_index", "slot_index"}},
    {"GRID_END", {"grid_id"}},
    {"GRID_DROP", {"grid_id"}},
    {"WAIT", {"begin_ps"}},
    {"AMD_QUEUE_LOAD", {"slot_id", "doorbell_index", "vmid", "is_aql", "read_index"}},
    {"AMD_QUEUE_LEAVE", {"slot_id", "doorbell_index", "read_index", "request"}},
    {"AMD_DOORBELL", {"doorbell_index", "write_index"}},
    {"AMD_LAUNCH", {"doorbell_index", "grid_id"}},
    {"HWS_PREEMPT", {"pipe_index", "slot_index", "queue_id"}},
    {"AMD_SAVE_REFUSED", {"doorbell_index"}},
    {"AMD_QUEUE_SAVE", {"doorbell_index", "duration_ps"}},
    {"AMD_QUEUE_RESTORE", {"doorbell_index", "duration_ps"}},
    {"AMD_PACKET", {"slot_id", "doorbell_index", "packet_index", "is_aql", "code", "barrier"}},
    {"AMD_DEPENDS", {"doorbell_index", "packet_index", "value"}},
    {"AMD_PACKET_END", {"doorbell_index", "packet_index", "code"}},
    {"KFD_QUEUE", {"doorbell"}},
    {"HWS_MAP", {"pasid", "vmid", "queue_id"}},
    {"HWS_UNMAP", {"pasid", "queue_id"}},
    {"HWS_RUN_LIST", {"chained"}},
    {"KFD_UNMAP", {"queue_count"}},
    {"KFD_RESET", {"process_count"}},
    {"KFD_QUEUE_GONE", {"queue_id"}},
    {"HWS_QUANTUM", {"duration_ps"}},
    {"HWS_REFUSED", {"queue_id"}},
    {"AMD_SDMA_LOAD", {"engine_index", "queue_index", "doorbell_index", "read_index"}},
    {"AMD_SDMA_LEAVE", {"engine_index", "queue_index", "doorbell_index", "read_index"}},
    {"AMD_SDMA_PACKET", {"engine_index", "queue_index", "doorbell_index", "read_index"}},
    {"AMD_SDMA_WRITE", {"engine_index", "doorbell_index"}},
    {"COPY_QUEUE", {"copy_id", "channel_id", "engine_id", "byte_count", "gp_sequence"}},
    {"COPY_START", {"copy_id", "engine_id", "traffic_bytes"}},
    {"COPY_SPEED", {"copy_id", "engine_id", "speed_ppm"}},
    {"COPY_END", {"copy_id", "engine_id", "byte_count"}},
    {"COPY_DROP", {"copy_id", "engine_id"}},
};
void (*const check_dispatch_takers[])(struct check *check, const uint64_t *values) = {
    take_queue, take_dispatch, take_turn, take_stage, take_unstage, check_cu_start, check_cu_end,
    check_cu_stop, check_cu_go_on, take_end, take_drop, take_wait, check_hqd_load,
    check_hqd_leave, check_hqd_doorbell, check_hqd_launch, check_hqd_preempt, check_hqd_refused,
    check_hqd_save, check_hqd_restore,
    check_hqd_packet, check_hqd_depends, check_hqd_packet_end, check_hqd_new, check_hqd_map,
    check_hqd_unmap, check_rotation_list, check_rotation_change, check_rotation_reset,
    check_rotation_forget,
    check_rotation_quantum, check_rotation_refused, check_dma_load, check_dma_leave,
    check_dma_packet, check_dma_write, check_dma_copy, check_dma_copy_start,
    check_dma_copy_speed, check_dma_copy_end, check_dma_copy_drop,
};
/* clang-format on */
enum { ROWS = sizeof check_dispatch_rows / sizeof check_dispatch_rows[0] };
_Static_assert(ROWS == sizeof check_dispatch_takers / sizeof check_dispatch_takers[0],
               "each row has a taker");
const uint32_t check_dispatch_row_count = ROWS;

/* The alternative of a choice point is the log's own, or the default. */
static bool is_choice(const struct event_log_reader *log, const char *name, const char *alternative)
{
    json_t *head = event_log_head_take(log);
    const json_t *choices = json_object_get(head, "choices");
    bool is = true;

    for (size_t i = 0; i < json_array_size(choices); i++) {
        const json_t *choice = json_array_get(choices, i);
        const char *of = json_string_value(json_object_get(choice, "name"));
        const char *now = json_string_value(json_object_get(choice, "alternative"));

        if (of && now && strcmp(of, name) == 0)
            is = strcmp(now, alternative) == 0;
    }
    json_decref(head);
    return is;
}

bool check_dispatch_init(struct check *check)
{
    struct check_dispatch *dispatch = malloc(sizeof *dispatch);
    const uint64_t most = (uint64_t)check->limits->simds_per_cu * check->limits->waves_per_simd;
    uint64_t waves;

    if (!dispatch)
        return false;
    check->dispatch = dispatch;
    memset(dispatch, 0, sizeof *dispatch);
    memset(dispatch->slots, 0xff, sizeof dispatch->slots);
    memset(dispatch->hqds, 0xff, sizeof dispatch->hqds);
    for (uint32_t i = 0; i < DISPATCH_ACES; i++) {
        memset(dispatch->aces[i].first, 0xff, sizeof dispatch->aces[i].first);
        memset(dispatch->aces[i].last, 0xff, sizeof dispatch->aces[i].last);
    }
    for (uint32_t i = 0; i < CHECK_SMS_MAX; i++)
        memset(dispatch->cus[i].blocks, 0xff, sizeof dispatch->cus[i].blocks);
    for (uint32_t i = 0; i < DISPATCH_ENGINES; i++)
        dispatch->first_cus[i + 1] = dispatch->first_cus[i] + check->limits->engine_cus[i];
    dispatch->wave_limit =
        event_log_parameter(check->log, "amd.cu_waves", &waves) && waves < most ? waves : most;
    dispatch->rotation.in_order = is_choice(check->log, "hws.swap", "list");
    dispatch->rotation.quantum_end_ps = GFE_PS_NEVER;
    check_dma_init(check);
    dispatch->round_robin = is_choice(check->log, "amd.wlm_arbitration", "round-robin");
    return true;
}

void check_dispatch_fini(struct check *check)
{
    if (!check->dispatch)
        return;
    id_map_fini(&check->dispatch->grid_ids);
    id_map_fini(&check->dispatch->ring_ids);
    check_dma_fini(check);
    check_rotation_fini(check);
    free(check->dispatch->grids);
    free(check->dispatch->rings);
    free(check->dispatch);
}
