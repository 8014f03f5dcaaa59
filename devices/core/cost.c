/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/cost.h"

#include <assert.h>

void cost_wire(struct cost_table *table, struct machine *machine)
{
    table->state = machine_alloc(machine, sizeof *table->state);
}

/* Its row, or the free one where it would be: there is always a free one. */
static struct cost_row *cost_row(const struct cost_table *table, uint32_t space_id,
                                 uint64_t program)
{
    struct cost_row *rows = table->state->rows;
    const uint64_t key = (program ^ (uint64_t)space_id << 48) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t at = (uint32_t)(key >> 32) % COST_HASH;

    while (rows[at].used && (rows[at].program != program || rows[at].space_id != space_id))
        at = (at + 1) % COST_HASH;
    return &rows[at];
}

bool cost_set(struct cost_table *table, uint32_t space_id, uint64_t program,
              const struct cost *cost)
{
    struct cost_row *row = cost_row(table, space_id, program);

    if (!row->used && table->state->row_count == COST_ROWS_MAX)
        return false;
    table->state->row_count += !row->used;
    *row = (struct cost_row){.program = program, .space_id = space_id, .used = 1, .cost = *cost};
    return true;
}

struct cost cost_find(const struct cost_table *table, uint32_t space_id, uint64_t program)
{
    return cost_row(table, space_id, program)->cost;
}

static uint8_t *cost_level(const struct cost_table *table, uint32_t channel_id)
{
    const uint32_t runlist_id = channel_id >> 16, chid = channel_id & 0xffff;

    assert(runlist_id < COST_RUNLISTS_MAX && chid < COST_CHANNELS_MAX);
    return &table->state->priorities[runlist_id][chid];
}

void cost_set_priority(struct cost_table *table, uint32_t channel_id, uint32_t level)
{
    assert(level < COST_PRIORITIES);
    *cost_level(table, channel_id) = (uint8_t)level;
}

uint32_t cost_priority(const struct cost_table *table, uint32_t channel_id)
{
    return *cost_level(table, channel_id);
}

bool cost_set_share(struct cost_table *table, uint32_t space_id, uint32_t sm_count)
{
    struct cost_state *state = table->state;

    assert(sm_count > 0 && cost_share(table, space_id) == 0);
    if (state->share_count == COST_SHARES_MAX)
        return false;
    state->shares[state->share_count++] = (struct cost_share){space_id, sm_count};
    return true;
}

uint32_t cost_share(const struct cost_table *table, uint32_t space_id)
{
    const struct cost_state *state = table->state;

    for (uint32_t i = 0; i < state->share_count; i++)
        if (state->shares[i].space_id == space_id)
            return state->shares[i].sm_count;
    return 0;
}
