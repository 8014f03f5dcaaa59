/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_top_table.h"

#include <assert.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"

_Static_assert((int)NV_CHIP_ID_NONE == (int)NV_TOP_ID_NONE,
               "the model's missing ids are the table's");

enum nv_top_form nv_top_form_of(const struct nv_chip *model)
{
    if (model->runlists[0].pri_base != 0)
        return NV_TOP_DEVICE_INFO2;
    return model->class_host < PASCAL_CHANNEL_GPFIFO_A ? NV_TOP_DEVICE_INFO_KEPLER
                                                       : NV_TOP_DEVICE_INFO;
}

uint32_t nv_top_type(enum nv_top_form form, uint32_t nv_chip_engine_kind, uint32_t instance)
{
    static const uint8_t types[NV_CHIP_ENGINE_KINDS] = {
        [NV_CHIP_GRAPHICS] = NV_TOP_GRAPHICS, [NV_CHIP_GRCE] = NV_TOP_LCE,
        [NV_CHIP_LCE] = NV_TOP_LCE,           [NV_CHIP_NVDEC] = NV_TOP_NVDEC,
        [NV_CHIP_NVENC] = NV_TOP_NVENC,       [NV_CHIP_SEC] = NV_TOP_SEC,
        [NV_CHIP_MSVLD] = NV_TOP_MSVLD,       [NV_CHIP_MSPDEC] = NV_TOP_MSPDEC,
        [NV_CHIP_MSPPP] = NV_TOP_MSPPP,       [NV_CHIP_MSENC] = NV_TOP_MSENC,
        [NV_CHIP_NVJPG] = NV_TOP_NVJPG,       [NV_CHIP_OFA] = NV_TOP_OFA,
    };

    assert(nv_chip_engine_kind < NV_CHIP_ENGINE_KINDS);
    if (form == NV_TOP_DEVICE_INFO_KEPLER &&
        (nv_chip_engine_kind == NV_CHIP_GRCE || nv_chip_engine_kind == NV_CHIP_LCE))
        return NV_TOP_COPY0 + instance;
    return types[nv_chip_engine_kind];
}

/* ---- writing --------------------------------------------------------------------------------- */

static uint32_t nv_top_enum_row(const struct nv_chip_engine *engine)
{
    uint32_t row = NV_PTOP_DEVICE_INFO_ENTRY_ENUM;

    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_ENGINE, 1);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_ENGINE_ENUM, engine->engine_id);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RUNLIST, 1);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RUNLIST_ENUM, engine->runlist_id);
    if (engine->reset_id != NV_CHIP_ID_NONE) {
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RESET, 1);
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RESET_ENUM, engine->reset_id);
    }
    if (engine->intr_id != NV_CHIP_ID_NONE) {
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_INTR, 1);
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_INTR_ENUM, engine->intr_id);
    }
    return REG_PUT(row, NV_PTOP_DEVICE_INFO_CHAIN, 1);
}

static uint32_t nv_top_data_row(const struct nv_chip_engine *engine)
{
    uint32_t row = NV_PTOP_DEVICE_INFO_ENTRY_DATA;

    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_INST_ID, engine->instance);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_PRI_BASE, engine->pri_base >> 12);
    if (engine->fault_id != NV_CHIP_ID_NONE) {
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID, 1);
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID_ENUM, engine->fault_id);
    }
    return REG_PUT(row, NV_PTOP_DEVICE_INFO_CHAIN, 1);
}

/* Two or three rows of DEVICE_INFO; returns how many. */
static uint32_t nv_top_fill_old(enum nv_top_form form, const struct nv_chip_engine *engine,
                                uint32_t *rows)
{
    const uint32_t type = nv_top_type(form, engine->kind, engine->instance);
    uint32_t count = 0;

    rows[count++] = nv_top_enum_row(engine);
    if (form == NV_TOP_DEVICE_INFO)
        rows[count++] = nv_top_data_row(engine);
    rows[count++] =
        REG_PUT(NV_PTOP_DEVICE_INFO_ENTRY_ENGINE_TYPE, NV_PTOP_DEVICE_INFO_TYPE_ENUM, type);
    return count;
}

/* The three rows of DEVICE_INFO2.  The form has no valid bits: an id that is not told is 0. */
static uint32_t nv_top_fill_new(const struct nv_chip *model, const struct nv_chip_engine *engine,
                                uint32_t *rows)
{
    const uint32_t type = nv_top_type(NV_TOP_DEVICE_INFO2, engine->kind, engine->instance);
    const uint32_t block = model->runlists[engine->runlist_id].pri_base;

    rows[0] = REG_PUT(0, NV_PTOP_DEVICE_INFO2_DEV_TYPE_ENUM, type);
    rows[0] = REG_PUT(rows[0], NV_PTOP_DEVICE_INFO2_DEV_INSTANCE_ID, engine->instance);
    if (engine->fault_id != NV_CHIP_ID_NONE)
        rows[0] = REG_PUT(rows[0], NV_PTOP_DEVICE_INFO2_DEV_FAULT_ID, engine->fault_id);
    rows[0] = REG_PUT(rows[0], NV_PTOP_DEVICE_INFO2_ROW_CHAIN, 1);
    rows[1] = REG_PUT(0, NV_PTOP_DEVICE_INFO2_DEV_IS_ENGINE, 1);
    rows[1] = REG_PUT(rows[1], NV_PTOP_DEVICE_INFO2_DEV_DEVICE_PRI_BASE, engine->pri_base >> 8);
    if (engine->reset_id != NV_CHIP_ID_NONE)
        rows[1] = REG_PUT(rows[1], NV_PTOP_DEVICE_INFO2_DEV_RESET_ID, engine->reset_id);
    rows[1] = REG_PUT(rows[1], NV_PTOP_DEVICE_INFO2_ROW_CHAIN, 1);
    rows[2] = REG_PUT(0, NV_PTOP_DEVICE_INFO2_DEV_RLENG_ID, engine->rleng_id);
    rows[2] = REG_PUT(rows[2], NV_PTOP_DEVICE_INFO2_DEV_RUNLIST_PRI_BASE, block >> 10);
    return NV_TOP_DEVICE_ROWS;
}

_Static_assert(NV_CHIP_ENGINES_MAX *NV_TOP_DEVICE_ROWS <= NV_TOP_ROWS_MAX,
               "engines fit in the table");

uint32_t nv_top_fill(const struct nv_chip *model, uint32_t rows[NV_TOP_ROWS_MAX])
{
    const enum nv_top_form form = nv_top_form_of(model);
    uint32_t count = 0;

    memset(rows, 0, NV_TOP_ROWS_MAX * sizeof rows[0]);
    for (uint32_t i = 0; i < model->engine_count; i++)
        count += form == NV_TOP_DEVICE_INFO2
                     ? nv_top_fill_new(model, &model->engines[i], &rows[count])
                     : nv_top_fill_old(form, &model->engines[i], &rows[count]);
    return count;
}

/* ---- wiring ---------------------------------------------------------------------------------- */

bool nv_top_wire(struct machine *machine, uint32_t unit, const struct nv_chip *model)
{
    const bool is_new = nv_top_form_of(model) == NV_TOP_DEVICE_INFO2;
    const struct mmio_window *window =
        machine_add_window(machine, unit, is_new ? &nv_ptop_ga100_list : &nv_ptop_list,
                           NV_PTOP_BASE, is_new ? NV_PTOP_GA100_BYTES : NV_PTOP_BYTES, 0);
    uint32_t rows[NV_TOP_ROWS_MAX];
    uint32_t count, *config;

    if (!window)
        return false;
    count = nv_top_fill(model, rows);
    assert(is_new || count <= NV_TOP_ROWS);
    memcpy(&window->storage[(is_new ? NV_PTOP_DEVICE_INFO2 : NV_PTOP_DEVICE_INFO) / 4], rows,
           count * sizeof rows[0]);
    if (!is_new)
        return true;
    config = &window->storage[NV_PTOP_DEVICE_INFO_CFG / 4];
    *config = REG_PUT(0, NV_PTOP_DEVICE_INFO_CFG_VERSION, NV_PTOP_DEVICE_INFO_CFG_VERSION_INIT);
    *config = REG_PUT(*config, NV_PTOP_DEVICE_INFO_CFG_MAX_DEVICES, model->engine_count);
    *config = REG_PUT(*config, NV_PTOP_DEVICE_INFO_CFG_MAX_ROWS_PER_DEVICE, NV_TOP_DEVICE_ROWS);
    /* One row more than the engines have, ASSUMED: 88 on GA100, which is one more than threes. */
    *config = REG_PUT(*config, NV_PTOP_DEVICE_INFO_CFG_NUM_ROWS, count + 1);
    return true;
}
