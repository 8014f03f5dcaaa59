/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_top.h"

#include "devices/nvidia/formats/nv_generation.h"

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

static uint32_t nv_top_id(uint32_t valid, uint32_t id)
{
    return valid ? id : NV_TOP_ID_NONE;
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
            .engine_id = NV_TOP_ID_NONE,
            .runlist_id = NV_TOP_ID_NONE,
            .reset_id = NV_TOP_ID_NONE,
            .intr_id = NV_TOP_ID_NONE,
            .fault_id = NV_TOP_ID_NONE,
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
        .engine_id = NV_TOP_ID_NONE,
        .runlist_id = NV_TOP_ID_NONE,
        .intr_id = NV_TOP_ID_NONE,
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
