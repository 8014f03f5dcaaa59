/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_top.h"

#include <assert.h>
#include <string.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_generation.h"

static const struct reg_row nv_ptop_rows[] = {NV_PTOP_REGS(REG_ROW, FIELD_ROW, VALUE_ROW)};
static const struct reg_row nv_ptop_ga100_rows[] = {
    NV_PTOP_GA100_REGS(REG_ROW, FIELD_ROW, VALUE_ROW)};

const struct reg_list nv_ptop_list = {
    .name = "nv_ptop",
    .source = "open-gpu-doc tu104/dev_top.ref.txt; nvgpu hw_top_gp106.h @6ecfb593",
    .rows = nv_ptop_rows,
    .row_count = sizeof nv_ptop_rows / sizeof nv_ptop_rows[0],
    .variants = NV_UP_TO_TURING,
};
const struct reg_list nv_ptop_ga100_list = {
    .name = "nv_ptop_ga100",
    .source = "nvgpu hw_top_ga10b.h @6ecfb593; open RM ampere/ga100/dev_top.h @df1c9a3d",
    .rows = nv_ptop_ga100_rows,
    .row_count = sizeof nv_ptop_ga100_rows / sizeof nv_ptop_ga100_rows[0],
    .variants = NV_FROM_AMPERE,
};

enum nv_top_form nv_top_form_of(const struct gpu_model *model)
{
    if (model->runlists[0].pri_base != 0)
        return NV_TOP_DEVICE_INFO2;
    return model->class_host < PASCAL_CHANNEL_GPFIFO_A ? NV_TOP_DEVICE_INFO_KEPLER
                                                       : NV_TOP_DEVICE_INFO;
}

uint32_t nv_top_type(enum nv_top_form form, uint32_t gpu_engine_kind, uint32_t instance)
{
    static const uint8_t types[GPU_ENGINE_KINDS] = {
        [GPU_ENGINE_GRAPHICS] = NV_TOP_GRAPHICS, [GPU_ENGINE_GRCE] = NV_TOP_LCE,
        [GPU_ENGINE_LCE] = NV_TOP_LCE,           [GPU_ENGINE_NVDEC] = NV_TOP_NVDEC,
        [GPU_ENGINE_NVENC] = NV_TOP_NVENC,       [GPU_ENGINE_SEC] = NV_TOP_SEC,
        [GPU_ENGINE_MSVLD] = NV_TOP_MSVLD,       [GPU_ENGINE_MSPDEC] = NV_TOP_MSPDEC,
        [GPU_ENGINE_MSPPP] = NV_TOP_MSPPP,       [GPU_ENGINE_MSENC] = NV_TOP_MSENC,
        [GPU_ENGINE_NVJPG] = NV_TOP_NVJPG,       [GPU_ENGINE_OFA] = NV_TOP_OFA,
    };

    assert(gpu_engine_kind < GPU_ENGINE_KINDS);
    if (form == NV_TOP_DEVICE_INFO_KEPLER &&
        (gpu_engine_kind == GPU_ENGINE_GRCE || gpu_engine_kind == GPU_ENGINE_LCE))
        return NV_TOP_COPY0 + instance;
    return types[gpu_engine_kind];
}

/* ---- writing --------------------------------------------------------------------------------- */

static uint32_t nv_top_enum_row(const struct gpu_engine *engine)
{
    uint32_t row = NV_PTOP_DEVICE_INFO_ENTRY_ENUM;

    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_ENGINE, 1);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_ENGINE_ENUM, engine->engine_id);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RUNLIST, 1);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RUNLIST_ENUM, engine->runlist_id);
    if (engine->reset_id != GPU_ID_NONE) {
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RESET, 1);
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_RESET_ENUM, engine->reset_id);
    }
    if (engine->intr_id != GPU_ID_NONE) {
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_INTR, 1);
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_INTR_ENUM, engine->intr_id);
    }
    return REG_PUT(row, NV_PTOP_DEVICE_INFO_CHAIN, 1);
}

static uint32_t nv_top_data_row(const struct gpu_engine *engine)
{
    uint32_t row = NV_PTOP_DEVICE_INFO_ENTRY_DATA;

    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_INST_ID, engine->instance);
    row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_PRI_BASE, engine->pri_base >> 12);
    if (engine->fault_id != GPU_ID_NONE) {
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID, 1);
        row = REG_PUT(row, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID_ENUM, engine->fault_id);
    }
    return REG_PUT(row, NV_PTOP_DEVICE_INFO_CHAIN, 1);
}

/* Two or three rows of DEVICE_INFO; returns how many. */
static uint32_t nv_top_fill_old(enum nv_top_form form, const struct gpu_engine *engine,
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
static uint32_t nv_top_fill_new(const struct gpu_model *model, const struct gpu_engine *engine,
                                uint32_t *rows)
{
    const uint32_t type = nv_top_type(NV_TOP_DEVICE_INFO2, engine->kind, engine->instance);
    const uint32_t block = model->runlists[engine->runlist_id].pri_base;

    rows[0] = REG_PUT(0, NV_PTOP_DEVICE_INFO2_DEV_TYPE_ENUM, type);
    rows[0] = REG_PUT(rows[0], NV_PTOP_DEVICE_INFO2_DEV_INSTANCE_ID, engine->instance);
    if (engine->fault_id != GPU_ID_NONE)
        rows[0] = REG_PUT(rows[0], NV_PTOP_DEVICE_INFO2_DEV_FAULT_ID, engine->fault_id);
    rows[0] = REG_PUT(rows[0], NV_PTOP_DEVICE_INFO2_ROW_CHAIN, 1);
    rows[1] = REG_PUT(0, NV_PTOP_DEVICE_INFO2_DEV_IS_ENGINE, 1);
    rows[1] = REG_PUT(rows[1], NV_PTOP_DEVICE_INFO2_DEV_DEVICE_PRI_BASE, engine->pri_base >> 8);
    if (engine->reset_id != GPU_ID_NONE)
        rows[1] = REG_PUT(rows[1], NV_PTOP_DEVICE_INFO2_DEV_RESET_ID, engine->reset_id);
    rows[1] = REG_PUT(rows[1], NV_PTOP_DEVICE_INFO2_ROW_CHAIN, 1);
    rows[2] = REG_PUT(0, NV_PTOP_DEVICE_INFO2_DEV_RLENG_ID, engine->rleng_id);
    rows[2] = REG_PUT(rows[2], NV_PTOP_DEVICE_INFO2_DEV_RUNLIST_PRI_BASE, block >> 10);
    return NV_TOP_DEVICE_ROWS;
}

_Static_assert(GPU_ENGINES_MAX *NV_TOP_DEVICE_ROWS <= NV_TOP_ROWS_MAX, "engines fit in the table");

uint32_t nv_top_fill(const struct gpu_model *model, uint32_t rows[NV_TOP_ROWS_MAX])
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

/* ---- reading --------------------------------------------------------------------------------- */

static uint32_t nv_top_id(uint32_t valid, uint32_t id)
{
    return valid ? id : GPU_ID_NONE;
}

/* One row of DEVICE_INFO; false when the device cannot be: the kind was there, or DATA is not
 * ENUM2. *kinds has a bit for each kind that was there. */
static bool nv_top_read_old(uint32_t row, struct nv_top_device *device, uint32_t *kinds)
{
    const uint32_t kind = REG_GET(row, NV_PTOP_DEVICE_INFO_ENTRY);
    const bool again = *kinds >> kind & 1;

    *kinds |= 1u << kind;
    switch (kind) {
    case NV_PTOP_DEVICE_INFO_ENTRY_ENUM:
        device->is_engine = REG_GET(row, NV_PTOP_DEVICE_INFO_ENGINE);
        device->engine_id =
            nv_top_id(device->is_engine, REG_GET(row, NV_PTOP_DEVICE_INFO_ENGINE_ENUM));
        device->runlist_id = nv_top_id(REG_GET(row, NV_PTOP_DEVICE_INFO_RUNLIST),
                                       REG_GET(row, NV_PTOP_DEVICE_INFO_RUNLIST_ENUM));
        device->reset_id = nv_top_id(REG_GET(row, NV_PTOP_DEVICE_INFO_RESET),
                                     REG_GET(row, NV_PTOP_DEVICE_INFO_RESET_ENUM));
        device->intr_id = nv_top_id(REG_GET(row, NV_PTOP_DEVICE_INFO_INTR),
                                    REG_GET(row, NV_PTOP_DEVICE_INFO_INTR_ENUM));
        return !again;
    case NV_PTOP_DEVICE_INFO_ENTRY_DATA:
        device->instance = REG_GET(row, NV_PTOP_DEVICE_INFO_DATA_INST_ID);
        device->pri_base = REG_GET(row, NV_PTOP_DEVICE_INFO_DATA_PRI_BASE) << 12;
        device->fault_id = nv_top_id(REG_GET(row, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID),
                                     REG_GET(row, NV_PTOP_DEVICE_INFO_DATA_FAULT_ID_ENUM));
        return !again && REG_GET(row, NV_PTOP_DEVICE_INFO_DATA_TYPE) == 0;
    case NV_PTOP_DEVICE_INFO_ENTRY_ENGINE_TYPE:
        device->type = REG_GET(row, NV_PTOP_DEVICE_INFO_TYPE_ENUM);
        return !again;
    default:
        return true; /* a row to be ignored */
    }
}

static bool nv_top_next_old(const uint32_t *rows, uint32_t row_count, uint32_t *at,
                            struct nv_top_device *device)
{
    while (*at < row_count) {
        uint32_t kinds = 0;
        bool sound = true, chained;

        *device = (struct nv_top_device){
            .engine_id = GPU_ID_NONE,
            .runlist_id = GPU_ID_NONE,
            .reset_id = GPU_ID_NONE,
            .intr_id = GPU_ID_NONE,
            .fault_id = GPU_ID_NONE,
        };
        do {
            const uint32_t row = rows[(*at)++];

            sound &= nv_top_read_old(row, device, &kinds);
            /* An invalid row's CHAIN means nothing. */
            chained = REG_GET(row, NV_PTOP_DEVICE_INFO_ENTRY) != 0 || (kinds & ~1u) != 0
                          ? REG_GET(row, NV_PTOP_DEVICE_INFO_CHAIN)
                          : false;
        } while (chained && *at < row_count);
        if (sound && !chained && kinds >> NV_PTOP_DEVICE_INFO_ENTRY_ENGINE_TYPE & 1)
            return true;
    }
    return false;
}

static void nv_top_read_new(const uint32_t row[NV_TOP_DEVICE_ROWS], struct nv_top_device *device)
{
    *device = (struct nv_top_device){
        .type = REG_GET(row[0], NV_PTOP_DEVICE_INFO2_DEV_TYPE_ENUM),
        .instance = REG_GET(row[0], NV_PTOP_DEVICE_INFO2_DEV_INSTANCE_ID),
        .fault_id = REG_GET(row[0], NV_PTOP_DEVICE_INFO2_DEV_FAULT_ID),
        .reset_id = REG_GET(row[1], NV_PTOP_DEVICE_INFO2_DEV_RESET_ID),
        .pri_base = REG_GET(row[1], NV_PTOP_DEVICE_INFO2_DEV_DEVICE_PRI_BASE) << 8,
        .is_engine = REG_GET(row[1], NV_PTOP_DEVICE_INFO2_DEV_IS_ENGINE),
        .rleng_id = REG_GET(row[2], NV_PTOP_DEVICE_INFO2_DEV_RLENG_ID),
        .runlist_pri_base = REG_GET(row[2], NV_PTOP_DEVICE_INFO2_DEV_RUNLIST_PRI_BASE) << 10,
        .engine_id = GPU_ID_NONE,
        .runlist_id = GPU_ID_NONE,
        .intr_id = GPU_ID_NONE,
    };
}

static bool nv_top_next_new(const uint32_t *rows, uint32_t row_count, uint32_t *at,
                            struct nv_top_device *device)
{
    while (*at < row_count) {
        uint32_t row[NV_TOP_DEVICE_ROWS] = {0}, count = 0;
        bool chained;

        if (rows[*at] == 0) {
            (*at)++;
            continue;
        }
        do {
            chained = REG_GET(rows[*at], NV_PTOP_DEVICE_INFO2_ROW_CHAIN);
            if (count < NV_TOP_DEVICE_ROWS)
                row[count] = rows[*at];
            count++;
            (*at)++;
        } while (chained && *at < row_count);
        if (!chained && count > 1 && count <= NV_TOP_DEVICE_ROWS) {
            nv_top_read_new(row, device);
            return true;
        }
    }
    return false;
}

bool nv_top_next(enum nv_top_form form, const uint32_t *rows, uint32_t row_count, uint32_t *at,
                 struct nv_top_device *device)
{
    return form == NV_TOP_DEVICE_INFO2 ? nv_top_next_new(rows, row_count, at, device)
                                       : nv_top_next_old(rows, row_count, at, device);
}

/* ---- wiring ---------------------------------------------------------------------------------- */

bool nv_top_wire(struct machine *machine, uint32_t unit, const struct gpu_model *model)
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
