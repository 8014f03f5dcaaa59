/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/exec_pool.h"

#include <assert.h>

#include "devices/core/core_events.h"

static uint32_t exec_round(uint32_t value, uint32_t unit)
{
    return (uint32_t)(((uint64_t)value + unit - 1) / unit * unit);
}

bool exec_need_make(const struct exec_limits *limits, uint32_t threads, uint32_t registers,
                    uint32_t shared_bytes, struct exec_need *need, uint32_t *rule)
{
    const uint32_t warps = exec_round(threads, limits->threads_per_warp) / limits->threads_per_warp;

    *need = (struct exec_need){.threads = threads, .warps = warps};
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
    need->registers = exec_round(registers * limits->threads_per_warp, limits->register_unit) *
                      exec_round(warps, limits->warp_unit);
    return need->registers <= limits->registers_per_block;
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
    else if (sm->registers + need->registers > limits->registers_per_sm)
        *rule = RULE_T_REG;
    else
        return true;
    return false;
}

uint32_t exec_take(const struct exec_limits *limits, struct exec_sm *sm,
                   const struct exec_need *need)
{
    uint32_t rule, slot = 0;

    assert(exec_fits(limits, sm, need, &rule));
    (void)limits;
    (void)rule;
    while (sm->slots >> slot & 1)
        slot++;
    exec_take_back(sm, need, slot);
    return slot;
}

void exec_take_back(struct exec_sm *sm, const struct exec_need *need, uint32_t slot)
{
    assert(!(sm->slots >> slot & 1));
    sm->threads += need->threads;
    sm->warps += need->warps;
    sm->registers += need->registers;
    sm->shared_bytes += need->shared_bytes;
    sm->blocks++;
    sm->slots |= UINT64_C(1) << slot;
}

void exec_give(struct exec_sm *sm, const struct exec_need *need, uint32_t slot)
{
    assert(sm->slots >> slot & 1);
    sm->threads -= need->threads;
    sm->warps -= need->warps;
    sm->registers -= need->registers;
    sm->shared_bytes -= need->shared_bytes;
    sm->blocks--;
    sm->slots &= ~(UINT64_C(1) << slot);
}
