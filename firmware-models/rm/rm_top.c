/* SPDX-License-Identifier: MIT */
/*
 * PTOP as the driver reads it: which engines there are, and on which runlists (open-gpu-doc tu104
 * dev_top; from Ampere on open RM ampere/ga100/dev_top.h @df1c9a3d).  From Ampere on runlists are
 * numbered in the order in which the table first names them (nouveau ga100.c).
 */
#include <config.h>

#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/formats/nv_top.h"
#include "firmware-models/rm/rm.h"

enum { RM_TOP_ROWS = 64 };

/* A row, of the window of rows at `offset`. */
static uint32_t rm_top_row(struct rm *rm, uint32_t offset, uint32_t row)
{
    uint32_t word = machine_read32(rm->machine, NV_PTOP_BASE + offset + 4 * row);

    (void)machine_inject(rm->machine, rm->unit, NV_INJECT_PTOP, row, &word, sizeof word);
    return word;
}

static void rm_top_add(struct rm *rm, const struct rm_engine *engine)
{
    struct rm_state *state = rm->state;

    if (state->engine_count == RM_ENGINES_MAX || engine->runlist_id >= RM_RUNLISTS_MAX)
        return;
    state->engines[state->engine_count++] = *engine;
    if (engine->runlist_id >= state->runlist_count)
        state->runlist_count = engine->runlist_id + 1;
}

/* Up to Turing: a chain of an ENUM, a DATA, an ENGINE_TYPE, in any order. */
static void rm_top_read_gp100(struct rm *rm)
{
    struct rm_engine engine = {.runlist_id = RM_NONE, .fault_id = RM_NONE, .reset_id = RM_NONE};

    for (uint32_t i = 0; i < RM_TOP_ROWS; i++) {
        const uint32_t word = rm_top_row(rm, NV_PTOP_DEVICE_INFO, i);

        switch (REG_GET(word, NV_PTOP_DEVICE_INFO_ENTRY)) {
        case NV_PTOP_DEVICE_INFO_ENTRY_NOT_VALID:
            continue;
        case NV_PTOP_DEVICE_INFO_ENTRY_ENUM:
            if (REG_GET(word, NV_PTOP_DEVICE_INFO_RUNLIST))
                engine.runlist_id = REG_GET(word, NV_PTOP_DEVICE_INFO_RUNLIST_ENUM);
            engine.engine_id = REG_GET(word, NV_PTOP_DEVICE_INFO_ENGINE_ENUM);
            if (REG_GET(word, NV_PTOP_DEVICE_INFO_RESET))
                engine.reset_id = REG_GET(word, NV_PTOP_DEVICE_INFO_RESET_ENUM);
            break;
        case NV_PTOP_DEVICE_INFO_ENTRY_DATA:
            engine.instance = REG_GET(word, NV_PTOP_DEVICE_INFO_DATA_INST_ID);
            if (REG_GET(word, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID))
                engine.fault_id = REG_GET(word, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID_ENUM);
            break;
        default:
            engine.type = REG_GET(word, NV_PTOP_DEVICE_INFO_TYPE_ENUM);
            break;
        }
        if (REG_GET(word, NV_PTOP_DEVICE_INFO_CHAIN))
            continue;
        rm_top_add(rm, &engine);
        engine =
            (struct rm_engine){.runlist_id = RM_NONE, .fault_id = RM_NONE, .reset_id = RM_NONE};
    }
}

/* The number of the runlist whose registers are there: a new one if it was not named before. */
static uint32_t rm_top_number(struct rm *rm, uint32_t base)
{
    struct rm_state *state = rm->state;
    uint32_t i = 0;

    while (i < RM_RUNLISTS_MAX && state->runlists[i].base != RM_NONE &&
           state->runlists[i].base != base)
        i++;
    if (i < RM_RUNLISTS_MAX)
        state->runlists[i].base = base;
    return i;
}

static void rm_top_read_ga100(struct rm *rm)
{
    const uint32_t cfg = machine_read32(rm->machine, NV_PTOP_BASE + NV_PTOP_DEVICE_INFO_CFG);
    const uint32_t rows = REG_GET(cfg, NV_PTOP_DEVICE_INFO_CFG_NUM_ROWS);
    uint32_t device[NV_TOP_DEVICE_ROWS] = {0}, row = 0;

    for (uint32_t i = 0; i < rows && i < NV_TOP_ROWS_MAX; i++) {
        const uint32_t word = rm_top_row(rm, NV_PTOP_DEVICE_INFO2, i);
        struct rm_engine engine = {0};

        if (word == 0 && row == 0)
            continue;
        if (row < NV_TOP_DEVICE_ROWS)
            device[row++] = word;
        if (REG_GET(word, NV_PTOP_DEVICE_INFO2_ROW_CHAIN))
            continue;
        engine.type = REG_GET(device[0], NV_PTOP_DEVICE_INFO2_DEV_TYPE_ENUM);
        engine.instance = REG_GET(device[0], NV_PTOP_DEVICE_INFO2_DEV_INSTANCE_ID);
        engine.fault_id = REG_GET(device[0], NV_PTOP_DEVICE_INFO2_DEV_FAULT_ID);
        engine.reset_id = REG_GET(device[1], NV_PTOP_DEVICE_INFO2_DEV_RESET_ID);
        engine.engine_id = REG_GET(device[2], NV_PTOP_DEVICE_INFO2_DEV_RLENG_ID);
        if (row == NV_TOP_DEVICE_ROWS && REG_GET(device[1], NV_PTOP_DEVICE_INFO2_DEV_IS_ENGINE)) {
            engine.runlist_id = rm_top_number(
                rm, REG_GET(device[2], NV_PTOP_DEVICE_INFO2_DEV_RUNLIST_PRI_BASE) << 10);
            rm_top_add(rm, &engine);
        }
        row = 0;
    }
}

bool rm_top_read(struct rm *rm)
{
    for (uint32_t i = 0; i < RM_RUNLISTS_MAX; i++)
        rm->state->runlists[i].base = RM_NONE;
    if (rm->chip->blocks)
        rm_top_read_ga100(rm);
    else
        rm_top_read_gp100(rm);
    if (rm->state->engine_count > 0)
        return true;
    machine_fail(rm->machine, ERROR_INPUT, "PTOP names no engine: rm drives none");
    return false;
}

static bool rm_top_has_graphics(const struct rm *rm, uint32_t runlist_id)
{
    for (uint32_t i = 0; i < rm->state->engine_count; i++)
        if (rm->state->engines[i].type == NV_TOP_GRAPHICS &&
            rm->state->engines[i].runlist_id == runlist_id)
            return true;
    return false;
}

uint32_t rm_top_runlist(const struct rm *rm, uint32_t type, uint32_t n)
{
    for (uint32_t i = 0; i < rm->state->engine_count; i++) {
        const struct rm_engine *engine = &rm->state->engines[i];

        if (type == NV_TOP_LCE && rm->lce_mask != 0 && !(rm->lce_mask >> engine->instance & 1))
            continue;
        if (engine->type == type &&
            (type == NV_TOP_GRAPHICS || !rm_top_has_graphics(rm, engine->runlist_id)) && n-- == 0)
            return engine->runlist_id;
    }
    return RM_NONE;
}

const struct rm_engine *rm_top_by_fault_id(const struct rm *rm, uint32_t fault_id)
{
    for (uint32_t i = 0; i < rm->state->engine_count; i++)
        if (rm->state->engines[i].fault_id == fault_id)
            return &rm->state->engines[i];
    return NULL;
}
