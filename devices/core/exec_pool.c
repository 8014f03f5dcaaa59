/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/exec_pool.h"

#include <assert.h>

#include "devices/core/core_events.h"

static uint32_t exec_round(uint32_t value, uint32_t unit)
{
    return (uint32_t)(((uint64_t)value + unit - 1) / unit * unit);
}

/* The same number for each sub-partition. */
static exec_lanes exec_all(const struct exec_limits *limits, uint32_t number)
{
    static const exec_lanes ones[EXEC_PARTITIONS_MAX + 1] = {0, 1, UINT64_C(0x00010001), 0,
                                                             UINT64_C(0x0001000100010001)};

    return number * ones[limits->partitions];
}

/* What exec_equal_parts_fit() needs. */
static void exec_need_beside(const struct exec_limits *limits, struct exec_need *need)
{
    const uint32_t slots = limits->warps_per_sm / limits->partitions;
    const uint32_t registers = limits->registers_per_sm / limits->partitions;
    const uint32_t part = (need->warps + limits->partitions - 1) / limits->partitions;

    if (part > slots || (uint64_t)part * need->warp_registers > registers)
        return;
    need->beside_warps = exec_all(limits, 0x8000 + slots - part);
    need->beside_registers = exec_all(limits, 0x8000 + registers - part * need->warp_registers);
}

/* Half an SM can hold it. */
static bool exec_fits_half(const struct exec_limits *limits, const struct exec_need *need)
{
    const uint32_t registers = limits->registers_per_sm / limits->partitions;
    const uint32_t slots = limits->warps_per_sm / limits->partitions;
    const uint32_t warps = need->warp_registers == 0 ? slots : registers / need->warp_registers;

    return need->warps <= (warps < slots ? warps : slots) * (limits->partitions / 2);
}

bool exec_need_make(const struct exec_limits *limits, uint32_t threads, uint32_t registers,
                    uint32_t shared_bytes, bool half_sm, struct exec_need *need, uint32_t *rule)
{
    const uint32_t warps = exec_round(threads, limits->threads_per_warp) / limits->threads_per_warp;

    *need = (struct exec_need){.threads = threads, .warps = warps, .most_l1_bytes = UINT32_MAX};
    *rule = RULE_T_R2;
    if (threads == 0 || threads > limits->threads_per_block || warps > limits->warps_per_sm)
        return false;
    *rule = RULE_T_R3;
    if (shared_bytes > limits->shared_bytes_per_block)
        return false;
    need->shared_bytes = exec_round(shared_bytes, limits->shared_unit_bytes);
    *rule = RULE_T_REG;
    if (registers > limits->registers_per_thread)
        return false;
    need->warp_registers = exec_round(registers * limits->threads_per_warp, limits->register_unit);
    need->registers = need->warp_registers * warps;
    need->half_sm = half_sm && limits->has_half_mode && exec_fits_half(limits, need);
    if (!need->half_sm)
        exec_need_beside(limits, need);
    return need->warp_registers * exec_round(warps, limits->partitions) <=
           limits->registers_per_block;
}

/* Returns how many more warps of the block the sub-partition has room for. */
static uint32_t exec_room(const struct exec_limits *limits, const struct exec_sm *sm,
                          uint32_t partition, const struct exec_need *need)
{
    const uint32_t slots =
        limits->warps_per_sm / limits->partitions - exec_lane(sm->partition_warps, partition);
    const uint32_t registers = limits->registers_per_sm / limits->partitions -
                               exec_lane(sm->partition_registers, partition);
    const uint32_t warps = need->warp_registers == 0 ? slots : registers / need->warp_registers;

    return warps < slots ? warps : slots;
}

/* The warps have room on these sub-partitions together, whose first is `first`. */
static bool exec_warps_fit(const struct exec_limits *limits, const struct exec_sm *sm,
                           const struct exec_need *need, uint32_t first, uint32_t count)
{
    uint32_t room = 0;

    for (uint32_t i = first; i < first + count && room < need->warps; i++)
        room += exec_room(limits, sm, i, need);
    return room >= need->warps;
}

/* As exec_warps_fit(), of a block that may be anywhere or has to stay in one half. */
static bool exec_dealable(const struct exec_limits *limits, const struct exec_sm *sm,
                          const struct exec_need *need)
{
    const uint32_t half = limits->partitions / 2;

    if (!need->half_sm)
        return exec_equal_parts_fit(sm, need) ||
               exec_warps_fit(limits, sm, need, 0, limits->partitions);
    return exec_warps_fit(limits, sm, need, 0, half) ||
           exec_warps_fit(limits, sm, need, half, half);
}

bool exec_fits(const struct exec_limits *limits, const struct exec_sm *sm,
               const struct exec_need *need, uint32_t *rule)
{
    /* Threads before warps: full warps run out of both at once, and the paper names the threads. */
    if (sm->threads + need->threads > limits->threads_per_sm)
        *rule = limits->one_pool ? RULE_Y_R1 : RULE_T_R2;
    else if (sm->blocks == limits->blocks_per_sm || sm->warps + need->warps > limits->warps_per_sm)
        *rule = RULE_T_SLOT;
    else if (sm->shared_bytes + need->shared_bytes > limits->shared_bytes_per_sm)
        *rule = RULE_T_R3;
    else if (sm->registers + need->registers > limits->registers_per_sm ||
             !exec_dealable(limits, sm, need))
        *rule = RULE_T_REG;
    else if (sm->l1_bytes > need->most_l1_bytes ||
             sm->shared_bytes + sm->l1_bytes + need->shared_bytes > limits->shared_bytes_per_sm)
        *rule = RULE_CORE_SM_SPLIT;
    else
        return true;
    return false;
}

/* Returns the sub-partition of those from `first` on that the next warp goes to. */
static uint32_t exec_next_partition(const struct exec_limits *limits, const struct exec_sm *sm,
                                    const struct exec_need *need, uint32_t first, uint32_t count)
{
    uint32_t best = EXEC_PARTITIONS_MAX, best_registers = 0, best_warps = 0;

    for (uint32_t i = first; i < first + count; i++) {
        const uint32_t registers = exec_lane(sm->partition_registers, i);
        const uint32_t warps = exec_lane(sm->partition_warps, i);

        if (best < EXEC_PARTITIONS_MAX &&
            (registers > best_registers || (registers == best_registers && warps >= best_warps)))
            continue;
        if (exec_room(limits, sm, i, need) == 0)
            continue;
        best = i;
        best_registers = registers;
        best_warps = warps;
    }
    assert(best < EXEC_PARTITIONS_MAX);
    return best;
}

/* All sub-partitions are equally full. */
static bool exec_level(const struct exec_limits *limits, const struct exec_sm *sm)
{
    return sm->partition_warps == exec_all(limits, exec_lane(sm->partition_warps, 0)) &&
           sm->partition_registers == exec_all(limits, exec_lane(sm->partition_registers, 0));
}

/* Numbers of 8 bits each in lanes of 16. */
static exec_lanes exec_spread(uint32_t bytes)
{
    const exec_lanes pairs = (bytes | (exec_lanes)bytes << 16) & UINT64_C(0x0000ffff0000ffff);

    return (pairs | pairs << 8) & UINT64_C(0x00ff00ff00ff00ff);
}

/* The reverse of exec_spread(). */
static uint32_t exec_pack(exec_lanes lanes)
{
    const exec_lanes pairs = (lanes | lanes >> 8) & UINT64_C(0x0000ffff0000ffff);

    return (uint32_t)(pairs | pairs >> 16);
}

/* Deals the block's warps out.  Returns how many go to each sub-partition. */
static exec_lanes exec_deal(const struct exec_limits *limits, const struct exec_sm *sm,
                            const struct exec_need *need)
{
    struct exec_sm dealt = {.partition_warps = sm->partition_warps,
                            .partition_registers = sm->partition_registers};
    uint32_t first = 0, count = limits->partitions;

    if (need->half_sm) {
        count /= 2;
        first = exec_warps_fit(limits, sm, need, 0, count) ? 0 : count;
    } else if (need->warps % count == 0 && exec_level(limits, sm)) {
        return exec_all(limits, need->warps / count);
    }
    for (uint32_t i = 0; i < need->warps; i++) {
        const uint32_t to = 16 * exec_next_partition(limits, &dealt, need, first, count);

        dealt.partition_warps += UINT64_C(1) << to;
        dealt.partition_registers += (uint64_t)need->warp_registers << to;
    }
    return dealt.partition_warps - sm->partition_warps;
}

struct exec_place exec_take(const struct exec_limits *limits, struct exec_sm *sm,
                            const struct exec_need *need)
{
    struct exec_place place = {0};
    uint32_t rule;

    assert(exec_fits(limits, sm, need, &rule));
    (void)rule;
    while (sm->slots >> place.slot & 1)
        place.slot++;
    place.warps = exec_pack(exec_deal(limits, sm, need));
    place.l1_bytes = sm->blocks == 0 ? need->l1_bytes : sm->l1_bytes;
    exec_take_back(sm, need, &place);
    return place;
}

void exec_take_back(struct exec_sm *sm, const struct exec_need *need,
                    const struct exec_place *place)
{
    const exec_lanes warps = exec_spread(place->warps);

    assert(!(sm->slots >> place->slot & 1));
    sm->l1_bytes = place->l1_bytes;
    sm->threads += need->threads;
    sm->warps += need->warps;
    sm->registers += need->registers;
    sm->shared_bytes += need->shared_bytes;
    sm->blocks++;
    sm->slots |= UINT64_C(1) << place->slot;
    sm->partition_warps += warps;
    sm->partition_registers += warps * need->warp_registers;
}

void exec_give(struct exec_sm *sm, const struct exec_need *need, const struct exec_place *place)
{
    const exec_lanes warps = exec_spread(place->warps);

    assert(sm->slots >> place->slot & 1);
    sm->threads -= need->threads;
    sm->warps -= need->warps;
    sm->registers -= need->registers;
    sm->shared_bytes -= need->shared_bytes;
    sm->blocks--;
    sm->l1_bytes = sm->blocks ? sm->l1_bytes : 0;
    sm->slots &= ~(UINT64_C(1) << place->slot);
    sm->partition_warps -= warps;
    sm->partition_registers -= warps * need->warp_registers;
}

struct exec_blocks exec_blocks_by_limit(const struct exec_limits *limits,
                                        const struct exec_need *need)
{
    const uint32_t halves = need->half_sm ? 2 : 1;
    struct exec_blocks by = {.threads = limits->threads_per_sm / need->threads,
                             .slots = limits->blocks_per_sm,
                             .warps = limits->warps_per_sm / halves / need->warps * halves,
                             .shared_bytes = UINT32_MAX,
                             .registers = UINT32_MAX};

    if (need->shared_bytes > 0)
        by.shared_bytes = limits->shared_bytes_per_sm / need->shared_bytes;
    if (need->warp_registers > 0)
        by.registers = limits->registers_per_sm / limits->partitions / need->warp_registers *
                       (limits->partitions / halves) / need->warps * halves;
    return by;
}

/* ---- splits of L1 and shared memory ---------------------------------------------------------- */

static uint32_t exec_smaller(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

uint32_t exec_blocks_fit(const struct exec_limits *limits, const struct exec_need *need)
{
    const struct exec_blocks by = exec_blocks_by_limit(limits, need);

    return exec_smaller(exec_smaller(exec_smaller(by.threads, by.slots), by.warps),
                        exec_smaller(by.shared_bytes, by.registers));
}

uint32_t exec_least_split_kib(const struct exec_limits *limits, const struct exec_need *need)
{
    const uint32_t blocks = exec_blocks_fit(limits, need);
    uint32_t i = 0;

    while (i + 1 < limits->split_count &&
           (uint64_t)limits->splits_kib[i] << 10 < (uint64_t)blocks * need->shared_bytes)
        i++;
    return limits->split_count ? limits->splits_kib[i] : 0;
}

void exec_need_split(const struct exec_limits *limits, struct exec_need *need, uint32_t least_kib,
                     uint32_t chosen_kib)
{
    const uint32_t all = limits->shared_bytes_per_sm;
    const uint32_t least_bytes = least_kib > all >> 10 ? all : least_kib << 10;
    const uint32_t least = least_bytes > need->shared_bytes ? least_bytes : need->shared_bytes;
    const uint32_t chosen_bytes = chosen_kib > all >> 10 ? all : chosen_kib << 10;

    need->most_l1_bytes = all - least;
    need->l1_bytes = all - (chosen_bytes > least ? chosen_bytes : least);
}
