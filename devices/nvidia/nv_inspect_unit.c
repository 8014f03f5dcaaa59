/* SPDX-License-Identifier: MIT */
/* pbdmaN, enginesN and regs UNIT: registers of units, word by word and field by field. */
#include <config.h>

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_inspect.h"
#include "devices/nvidia/nv_inspect_views.h"
#include "emu/args.h"

enum { TEXT_BYTES = 512 };

/* ---- registers as rows ----------------------------------------------------------------------- */

/* "FIELD=3(NAME) ..." of a register: what reg_format() says behind the first word. */
static void fields_text(const struct reg_assign *reg, uint32_t word, char *text, size_t bytes)
{
    char whole[TEXT_BYTES];
    const char *space;

    reg_format(reg->list, reg->variants, reg->row, reg->index, word, whole, sizeof whole);
    space = strchr(whole, ' ');
    (void)snprintf(text, bytes, "%s", space ? space + 1 : "");
}

static json_t *fields_json(const struct reg_assign *reg, uint32_t word)
{
    const struct reg_row *row = reg->row;
    const size_t prefix = strlen(reg->row->name);
    json_t *fields = json_object();

    while (fields && (row = reg_next_field(reg->list, reg->variants, row)) != NULL) {
        const char *name =
            strncmp(row->name, reg->row->name, prefix) == 0 && row->name[prefix] == '_'
                ? row->name + prefix + 1
                : row->name;

        (void)json_object_set_new(fields, name, json_integer(reg_get(word, row->hi, row->lo)));
    }
    return fields;
}

/* A register of the unit with that instance. */
static json_t *register_row(struct machine *machine, const struct reg_assign *reg)
{
    const uint32_t word = machine_read32(machine, reg->offset);
    char name[128], text[TEXT_BYTES];

    if (reg->row->count > 1)
        (void)snprintf(name, sizeof name, "%s[%u]", reg->row->name, reg->index);
    else
        (void)snprintf(name, sizeof name, "%s", reg->row->name);
    fields_text(reg, word, text, sizeof text);
    return json_pack("{ss so so ss so}", "register", name, "offset",
                     json_sprintf("0x%06x", reg->offset), "value", json_sprintf("0x%08x", word),
                     "fields", text, "field_values", fields_json(reg, word));
}

void nv_inspect_print_regs(FILE *file, const json_t *view)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(view, "rows"), i, row)
    {
        fprintf(file, "%s  %-36s %s", json_string_value(json_object_get(row, "offset")),
                json_string_value(json_object_get(row, "register")),
                json_string_value(json_object_get(row, "value")));
        if (json_string_value(json_object_get(row, "fields"))[0] != '\0')
            fprintf(file, "  %s", json_string_value(json_object_get(row, "fields")));
        fputc('\n', file);
    }
}

/* ---- PBDMAs ---------------------------------------------------------------------------------- */

static bool is_pbdma_window(const struct mmio_window *window)
{
    const struct reg_row *rows = window->list->rows;

    for (uint32_t i = 0; i < window->list->row_count; i++)
        if (rows[i].kind == ROW_REG && strcmp(rows[i].name, "NV_PPBDMA_GP_GET") == 0)
            return true;
    return false;
}

/* Adds each register of a window; elements of arrays that hold their reset value are counted, not
 * shown. */
static bool window_add(json_t *view, struct machine *machine, const struct mmio_window *window,
                       uint32_t *left_out)
{
    for (uint32_t i = 0; i < window->list->row_count; i++) {
        const struct reg_row *row = &window->list->rows[i];

        if (row->kind != ROW_REG || !(row->variants & window->variants))
            continue;
        for (uint32_t n = 0; n < row->count; n++) {
            const uint64_t at = row->number + (uint64_t)n * row->stride_bytes;
            struct reg_assign reg = {
                .row = row, .list = window->list, .variants = window->variants, .index = n};

            if (!mmio_has(window, at))
                continue;
            reg.offset = window->base + (uint32_t)at;
            if (row->count > 8 && machine_read32(machine, reg.offset) == row->reset) {
                ++*left_out;
                continue;
            }
            if (!inspect_add(view, register_row(machine, &reg)))
                return false;
        }
    }
    return true;
}

/* What is on it, as PFIFO says up to Turing; later the PBDMA itself has STATUS_SCHED. */
static bool pbdma_status_add(json_t *view, struct machine *machine, uint32_t pbdma_id)
{
    struct reg_assign reg;

    return !reg_assign_named(&machine->mmio, "NV_PFIFO_PBDMA_STATUS", REG_ASSIGN_ANY_UNIT, pbdma_id,
                             &reg) ||
           inspect_add(view, register_row(machine, &reg));
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
        window_add(view, machine, found, &left_out))
        return view;
    return inspect_no_memory(view, subject->error);
}

/* ---- engines --------------------------------------------------------------------------------- */

/* The status register of an engine: PFIFO's by Host's number, from Ampere on the runlist's by the
 * engine's number in the runlist. */
static bool engine_status(const struct machine *machine, const struct gpu_engine *engine,
                          uint32_t rank, struct reg_assign *reg)
{
    if (nv_inspect_has_blocks(machine))
        return reg_assign_named(&machine->mmio, "NV_RUNLIST_ENGINE_STATUS0", engine->runlist_id,
                                rank, reg);
    return reg_assign_named(&machine->mmio, "NV_PFIFO_ENGINE_STATUS", REG_ASSIGN_ANY_UNIT,
                            engine->engine_id, reg);
}

static json_t *engine_row(struct machine *machine, const struct gpu_engine *engine, uint32_t rank)
{
    struct reg_assign reg;
    char text[TEXT_BYTES] = "no status register";
    uint32_t word = 0;

    if (engine_status(machine, engine, rank, &reg)) {
        word = machine_read32(machine, reg.offset);
        fields_text(&reg, word, text, sizeof text);
    }
    return json_pack("{ss si si so ss}", "engine", engine->name, "runlist", (int)engine->runlist_id,
                     "id", (int)engine->engine_id, "status", json_sprintf("0x%08x", word), "fields",
                     text);
}

/* Of a runlist, or without a number all; which engines there are is PTOP's, their names are the
 * model's. */
json_t *nv_inspect_build_engines(const struct inspect_subject *subject)
{
    const struct gpu_model *model = subject->model;
    uint8_t ranks[GPU_RUNLISTS_MAX] = {0};
    json_t *view;
    bool good;

    if (subject->number != UINT32_MAX && subject->number >= model->runlist_count) {
        error_set(subject->error, ERROR_USAGE, "this GPU has no runlist %u", subject->number);
        return NULL;
    }
    view = inspect_new("engines");
    good = view != NULL;
    for (uint32_t i = 0; i < model->engine_count && good; i++) {
        const struct gpu_engine *engine = &model->engines[i];
        const uint32_t rank = ranks[engine->runlist_id % GPU_RUNLISTS_MAX]++;

        if (subject->number == UINT32_MAX || subject->number == engine->runlist_id)
            good = inspect_add(view, engine_row(subject->machine, engine, rank));
    }
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- any unit -------------------------------------------------------------------------------- */

/* "nv_pbdma" or "nv_pbdma[1]": name and instance (UINT32_MAX: all). */
static bool unit_parse(const char *argument, char name[64], uint32_t *instance)
{
    const size_t bytes = strcspn(argument, "[(");
    char number[16];
    uint64_t wide;

    *instance = UINT32_MAX;
    if (bytes >= 64)
        return false;
    (void)snprintf(name, 64, "%.*s", (int)bytes, argument);
    if (argument[bytes] == '\0')
        return true;
    (void)snprintf(number, sizeof number, "%.*s", (int)strcspn(argument + bytes + 1, "])"),
                   argument + bytes + 1);
    if (!args_parse_number(number, &wide) || wide >= UINT32_MAX)
        return false;
    *instance = (uint32_t)wide;
    return true;
}

/* The units that have registers, for a message. */
static json_t *no_unit(const struct inspect_subject *subject)
{
    const struct mmio *mmio = &subject->machine->mmio;
    char names[200] = "";
    size_t at = 0;

    for (uint32_t i = 0; i < mmio->window_count && at < sizeof names; i++) {
        const char *name = mmio->windows[i].list->name;

        if (!strstr(names, name))
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", name);
    }
    error_set(subject->error, ERROR_USAGE, "regs needs one of this GPU's units: %s", names);
    return NULL;
}

json_t *nv_inspect_build_regs(const struct inspect_subject *subject)
{
    struct machine *machine = subject->machine;
    uint32_t instance, left_out = 0, found = 0;
    char name[64], note[120];
    json_t *view;
    bool good;

    if (!subject->argument || !unit_parse(subject->argument, name, &instance))
        return no_unit(subject);
    view = inspect_new("regs");
    good = view != NULL;
    for (uint32_t i = 0; i < machine->mmio.window_count && good; i++) {
        const struct mmio_window *window = &machine->mmio.windows[i];

        if (strcasecmp(window->list->name, name) != 0 ||
            (instance != UINT32_MAX && window->instance != instance))
            continue;
        found++;
        good = window_add(view, machine, window, &left_out);
    }
    if (good && found == 0) {
        json_decref(view);
        return no_unit(subject);
    }
    (void)snprintf(note, sizeof note,
                   "%u registers of arrays hold what they held after a reset: not shown", left_out);
    good = good && (left_out == 0 || inspect_note(view, note));
    return good ? view : inspect_no_memory(view, subject->error);
}

/* ---- all views ------------------------------------------------------------------------------- */

const struct inspect_view nv_inspect_views[] = {
    {"device_info", NULL, "engines with runlist, reset, interrupt and fault ids (PTOP)",
     nv_inspect_build_device_info, NULL, true},
    {"runlist", "N", "entries of runlist N and the state of its channels", nv_inspect_build_runlist,
     nv_inspect_print_runlist, false},
    {"pce_map", NULL, "mask of the physical copy engines", nv_inspect_build_pce_map,
     nv_inspect_print_value, false},
    {"lce_for_pce", "N", "the logical copy engine that PCE N serves", nv_inspect_build_lce_for_pce,
     nv_inspect_print_value, false},
    {"shared_lce_for_grce", "N", "the logical copy engine whose PCE GRCE N shares",
     nv_inspect_build_shared_lce_for_grce, nv_inspect_print_value, false},
    {"channels", NULL, "channels that are bound, enabled or on a runlist",
     nv_inspect_build_channels, NULL, false},
    {"tsgs", NULL, "time-slice groups of all runlists", nv_inspect_build_tsgs, NULL, false},
    {"pbdma", "N", "registers of PBDMA N", nv_inspect_build_pbdma, nv_inspect_print_regs, false},
    {"engines", "[N]", "status of the engines of runlist N, or of all", nv_inspect_build_engines,
     NULL, false},
    {"regs", " UNIT", "registers of a unit, as gfe regs names it; nv_pbdma[1] is one of several",
     nv_inspect_build_regs, nv_inspect_print_regs, false},
};
const uint32_t nv_inspect_view_count = sizeof nv_inspect_views / sizeof nv_inspect_views[0];
