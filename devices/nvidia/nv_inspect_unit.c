/* SPDX-License-Identifier: MIT */
/* pbdmaN and enginesN: registers of units, word by word and field by field. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_inspect.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "emu/engine/inspect_regs.h"

enum { TEXT_BYTES = 512 };

/* ---- PBDMAs ---------------------------------------------------------------------------------- */

static bool is_pbdma_window(const struct mmio_window *window)
{
    const struct reg_row *rows = window->list->rows;

    for (uint32_t i = 0; i < window->list->row_count; i++)
        if (rows[i].kind == ROW_REG && strcmp(rows[i].name, "NV_PPBDMA_GP_GET") == 0)
            return true;
    return false;
}

/* What is on it, as PFIFO says up to Turing; later the PBDMA itself has STATUS_SCHED. */
static bool pbdma_status_add(json_t *view, struct machine *machine, uint32_t pbdma_id)
{
    struct reg_assign reg;

    return !reg_assign_named(&machine->mmio, "NV_PFIFO_PBDMA_STATUS", REG_ASSIGN_ANY_UNIT, pbdma_id,
                             &reg) ||
           inspect_add(view, inspect_register_row(machine, &reg));
}

json_t *nv_inspect_build_pbdma(const struct inspect_subject *subject)
{
    struct machine *machine = subject->machine;
    const struct mmio_window *found = NULL;
    uint32_t left_out = 0;
    json_t *view;

    for (uint32_t i = 0; i < machine->mmio.window_count; i++)
        if (machine->mmio.windows[i].instance == subject->number &&
            is_pbdma_window(&machine->mmio.windows[i]))
            found = &machine->mmio.windows[i];
    if (!found) {
        error_set(subject->error, ERROR_USAGE, "this GPU has no PBDMA %u", subject->number);
        return NULL;
    }
    view = inspect_new("pbdma");
    if (view && pbdma_status_add(view, machine, subject->number) &&
        inspect_window_add(view, machine, found, &left_out))
        return view;
    return inspect_no_memory(view, subject->error);
}

/* ---- engines --------------------------------------------------------------------------------- */

/* The status register of an engine: PFIFO's by Host's number, from Ampere on the runlist's by the
 * engine's number in the runlist. */
static bool engine_status(const struct machine *machine, const struct nv_chip_engine *engine,
                          uint32_t rank, struct reg_assign *reg)
{
    if (nv_inspect_has_blocks(machine))
        return reg_assign_named(&machine->mmio, "NV_RUNLIST_ENGINE_STATUS0", engine->runlist_id,
                                rank, reg);
    return reg_assign_named(&machine->mmio, "NV_PFIFO_ENGINE_STATUS", REG_ASSIGN_ANY_UNIT,
                            engine->engine_id, reg);
}

static json_t *engine_row(struct machine *machine, const struct nv_chip_engine *engine,
                          uint32_t rank)
{
    struct reg_assign reg;
    char text[TEXT_BYTES] = "no status register";
    uint32_t word = 0;

    if (engine_status(machine, engine, rank, &reg)) {
        word = machine_read32(machine, reg.offset);
        inspect_fields_text(&reg, word, text, sizeof text);
    }
    return json_pack("{ss si si so ss}", "engine", engine->name, "runlist", (int)engine->runlist_id,
                     "id", (int)engine->engine_id, "status", json_sprintf("0x%08x", word), "fields",
                     text);
}

/* Builds the view of the engines of a runlist, or of all engines if no number was given.  PTOP has
 * the list of engines; the chip's model has their names. */
json_t *nv_inspect_build_engines(const struct inspect_subject *subject)
{
    const struct nv_chip *model = subject->model;
    uint8_t ranks[NV_CHIP_RUNLISTS_MAX] = {0};
    json_t *view;
    bool good;

    if (subject->number != UINT32_MAX && subject->number >= model->runlist_count) {
        error_set(subject->error, ERROR_USAGE, "this GPU has no runlist %u", subject->number);
        return NULL;
    }
    view = inspect_new("engines");
    good = view != NULL;
    for (uint32_t i = 0; i < model->engine_count && good; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];
        const uint32_t rank = ranks[engine->runlist_id % NV_CHIP_RUNLISTS_MAX]++;

        if (subject->number == UINT32_MAX || subject->number == engine->runlist_id)
            good = inspect_add(view, engine_row(subject->machine, engine, rank));
    }
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- all views ------------------------------------------------------------------------------- */

const struct inspect_view nv_inspect_views[] = {
    {"device_info", NULL, "engines with runlist, reset, interrupt and fault ids (PTOP)",
     nv_inspect_build_device_info, NULL, true, INSPECT_NVIDIA},
    {"runlist", "N", "entries of runlist N and the state of its channels", nv_inspect_build_runlist,
     nv_inspect_print_runlist, false, INSPECT_NVIDIA},
    {"pce_map", NULL, "mask of the physical copy engines", nv_inspect_build_pce_map,
     nv_inspect_print_value, false, INSPECT_NVIDIA},
    {"lce_for_pce", "N", "the logical copy engine that PCE N serves", nv_inspect_build_lce_for_pce,
     nv_inspect_print_value, false, INSPECT_NVIDIA},
    {"shared_lce_for_grce", "N", "the logical copy engine whose PCE GRCE N shares",
     nv_inspect_build_shared_lce_for_grce, nv_inspect_print_value, false, INSPECT_NVIDIA},
    {"channels", NULL, "channels that are bound, enabled or on a runlist",
     nv_inspect_build_channels, NULL, false, INSPECT_NVIDIA},
    {"tsgs", NULL, "time-slice groups of all runlists", nv_inspect_build_tsgs, NULL, false,
     INSPECT_NVIDIA},
    {"pbdma", "N", "registers of PBDMA N", nv_inspect_build_pbdma, inspect_regs_print, false,
     INSPECT_NVIDIA},
    {"engines", "[N]", "status of the engines of runlist N, or of all", nv_inspect_build_engines,
     NULL, false, INSPECT_NVIDIA},
    {"regs", " UNIT", "registers of a unit, as gfe regs names it; nv_pbdma[1] is one of several",
     inspect_regs_build, inspect_regs_print, false, INSPECT_ALL},
};
const uint32_t nv_inspect_view_count = sizeof nv_inspect_views / sizeof nv_inspect_views[0];
