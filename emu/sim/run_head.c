/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/run_head.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/engine/machine.h"
#include "emu/log/event_log_head.h"
#include "emu/sim/gfe.h"
#include "emu/sim/gpus.h"

enum { STRINGS_MAX = 13 };

/* Drops the strings that the run does not have.  Returns how many are left. */
static uint32_t strings_keep(struct event_log_head_string strings[STRINGS_MAX])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < STRINGS_MAX; i++)
        if (strings[i].value)
            strings[count++] = strings[i];
    return count;
}

bool run_head_write(struct machine *machine, const struct run_head *of, struct gfe_error *error)
{
    const char *units[MACHINE_UNITS_MAX];
    char seed[24], *json;
    struct event_log_head_string strings[STRINGS_MAX] = {
        {"gpu", machine->config.gpu},
        {"driver_model", of->driver_model},
        {"engine_cus", of->engine_cus},
        {"trace_hash", of->trace_hash},
        {"seed", seed},
        {"loop", of->loop},
        {"version", gfe_version()},
        {"durations", machine->duration_sources},
        {"completions", of->completions},
        {"processes", of->processes},
        {"costs", of->costs},
        {"assumed", of->assumed},
        {"default_stream", of->default_stream},
    };
    const struct event_log_head head = {
        .run = strings,
        .run_count = strings_keep(strings),
        .units = units,
        .unit_count = machine->unit_count,
        .engines = of->engines,
        .engine_count = of->engine_count,
        .sets = machine->tables,
        .set_count = machine->table_count,
        .parameter_values = machine->parameters,
        .choice_values = machine->choices,
        .pokes = of->pokes,
        .poke_count = of->poke_count,
        .gpu = machine->config.gpu,
        .chip = gpu_find_chip(machine->config.gpu, machine->config.described),
        .gpu_json = machine->config.described ? machine->config.described->description : NULL,
        .program_json = of->program_json,
    };
    bool done;

    (void)snprintf(seed, sizeof seed, "%" PRIu64, machine->config.seed);
    for (uint32_t i = 0; i < machine->unit_count; i++)
        units[i] = machine->units[i].name;
    json = event_log_head_build(&head);
    if (!json)
        return error_set(error, ERROR_SYSTEM, "no memory for the log's head");
    done = event_log_head(&machine->log, json, error);
    free(json);
    return done;
}
