/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/world_load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/nvidia/nv_inspect.h"
#include "emu/base/json_text.h"
#include "emu/faults/inject.h"
#include "emu/selftest/bus_program.h"
#include "emu/selftest/world_bus.h"
#include "firmware-models/cuda/cuda.h"

static bool no_memory(struct gfe_error *error)
{
    return error_set(error, ERROR_SYSTEM, "no memory for a world");
}

/* ---- programs -------------------------------------------------------------------------------- */

static bool load_cuda(struct world_loaded *loaded, struct gfe_error *error)
{
    const struct nv_chip *model = nv_chip_by_name(loaded->options.gpu);
    char *text = json_text(world_program(loaded->world), 0);

    if (model && text) {
        const struct scenario_options options = {.priority_levels = cuda_priority_levels(model),
                                                 .model = model,
                                                 .shares = cuda_mps_has_shares(model)};

        loaded->scenario = scenario_parse(text, strlen(text), "the world", &options, error);
    } else if (!text) {
        no_memory(error);
    } else {
        error_set(error, ERROR_INPUT, "the world has no GPU for CUDA programs");
    }
    free(text);
    loaded->program.scenario = loaded->scenario;
    return loaded->scenario != NULL;
}

static bool load_hip(struct world_loaded *loaded, struct gfe_error *error)
{
    char *text = json_text(world_program(loaded->world), 0);
    bool written;

    if (!text)
        return no_memory(error);
    loaded->fd = memfd_create("world", MFD_CLOEXEC);
    written = loaded->fd >= 0 && write(loaded->fd, text, strlen(text)) == (ssize_t)strlen(text);
    free(text);
    if (!written)
        return error_set_errno(error, errno, "the world's configuration");
    (void)snprintf(loaded->path, sizeof loaded->path, "/proc/self/fd/%d", loaded->fd);
    loaded->program.hip_path = loaded->path;
    return true;
}

static bool load_bus(struct world_loaded *loaded, struct gfe_error *error)
{
    char *text = world_bus_text(world_program(loaded->world), loaded->options.gpu, error);

    if (text)
        loaded->input = bus_build_load_text(text, strlen(text), "the world", error);
    free(text);
    loaded->program.input = loaded->input;
    return loaded->input != NULL;
}

static bool (*const loaders[WORLD_KINDS])(struct world_loaded *loaded, struct gfe_error *error) = {
    load_cuda, load_hip, load_bus};

/* ---- settings -------------------------------------------------------------------------------- */

static bool settings_load(struct world_loaded *loaded, const char *key,
                          struct simulation_setting *settings, uint32_t *count)
{
    const json_t *list = json_object_get(loaded->world, key), *element;
    size_t i;

    json_array_foreach(list, i, element)
    {
        const char *text = json_string_value(element);
        char *copy = text && *count < WORLD_SETTINGS_MAX ? strdup(text) : NULL;
        char *equals = copy ? strchr(copy, '=') : NULL;

        if (!equals) {
            free(copy);
            return false;
        }
        loaded->texts[loaded->text_count++] = copy;
        *equals = '\0';
        settings[(*count)++] = (struct simulation_setting){copy, equals + 1};
    }
    return true;
}

static bool pokes_load(struct world_loaded *loaded)
{
    const json_t *element;
    size_t i;

    json_array_foreach(json_object_get(loaded->world, "pokes"), i, element)
    {
        if (i == WORLD_POKES_MAX || !json_is_string(element))
            return false;
        loaded->pokes[i] = json_string_value(element);
        loaded->options.poke_count++;
    }
    return true;
}

bool world_load(struct world_loaded *loaded, const json_t *world, struct gfe_error *error)
{
    const enum world_kind kind = world_kind(world);
    struct simulation_options *options = &loaded->options;

    *loaded = (struct world_loaded){.world = world, .fd = -1};
    options->gpu = world_gpu(world);
    options->seed = (uint64_t)json_integer_value(json_object_get(world, "seed"));
    options->lost_event = (uint64_t)json_integer_value(json_object_get(world, "lose_event"));
    options->max_events = WORLD_RUN_EVENTS_MAX;
    options->injects = json_array_size(json_object_get(world, "faults")) > 0;
    options->parameters = loaded->parameters;
    options->choices = loaded->policies;
    options->pokes = loaded->pokes;
    if (kind == WORLD_KINDS || !options->gpu || !json_is_object(world_program(world)))
        return error_set(error, ERROR_INPUT, "no world: its kind, GPU or program is missing");
    return ((settings_load(loaded, "policies", loaded->policies, &options->choice_count) &&
             settings_load(loaded, "parameters", loaded->parameters, &options->parameter_count) &&
             pokes_load(loaded)) ||
            error_set(error, ERROR_INPUT, "no world: a setting is wrong")) &&
           loaders[kind](loaded, error);
}

void world_unload(struct world_loaded *loaded)
{
    for (uint32_t i = 0; i < loaded->text_count; i++)
        free(loaded->texts[i]);
    scenario_free(loaded->scenario);
    if (loaded->input)
        replay_input_free(loaded->input);
    if (loaded->fd >= 0)
        (void)close(loaded->fd);
    *loaded = (struct world_loaded){.fd = -1};
}

/* ---- machines -------------------------------------------------------------------------------- */

static bool faults_arm(const json_t *faults, struct machine *machine, struct gfe_error *error)
{
    struct inject_fault parsed[INJECT_FAULTS_MAX];
    const json_t *element;
    uint32_t count = 0;
    size_t i;

    json_array_foreach(faults, i, element)
    {
        const char *text = json_string_value(element);

        if (!text || !inject_parse_set(machine, &machine->inject->sites, text, parsed, &count,
                                       INJECT_FAULTS_MAX - count, error))
            return false;
    }
    if (count > 0)
        inject_arm(machine->inject, parsed, count);
    return true;
}

bool world_wire(const struct world_loaded *loaded, uint32_t batch_limit,
                struct any_simulation *simulation, struct gfe_error *error)
{
    struct simulation_options options = loaded->options;

    options.batch_limit = batch_limit;
    if (!any_simulation_new(&loaded->program, &options, simulation, error))
        return false;
    if (faults_arm(json_object_get(loaded->world, "faults"), simulation->machine, error))
        return true;
    any_simulation_free(simulation);
    return false;
}

/* ---- what a machine refuses ------------------------------------------------------------------ */

static bool takes_setting(struct machine *machine, const char *text, bool is_policy)
{
    char id[128];
    const char *equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : 0;

    if (!equals || length >= sizeof id)
        return false;
    memcpy(id, text, length);
    id[length] = '\0';
    return is_policy ? machine_set_choice(machine, id, equals + 1)
                     : machine_parameter_row(machine, id) != NULL;
}

static bool takes(struct machine *machine, const char *key, const char *text)
{
    struct reg_assign_message message;
    struct gfe_error error = {0};
    struct inject_fault fault;
    struct poke poke;

    if (strcmp(key, "pokes") == 0)
        return poke_parse(machine, nv_poke_verbs, nv_poke_verb_count, text, &poke, &message);
    if (strcmp(key, "faults") == 0)
        return inject_parse(machine, &machine->inject->sites, text, &fault, &error);
    return takes_setting(machine, text, strcmp(key, "policies") == 0);
}

static void list_settle(json_t *world, const char *key, struct machine *machine)
{
    json_t *list = json_object_get(world, key);

    for (size_t i = json_array_size(list); i > 0; i--)
        if (!takes(machine, key, json_string_value(json_array_get(list, i - 1))))
            (void)json_array_remove(list, i - 1);
    if (list && json_array_size(list) == 0)
        (void)json_object_del(world, key);
}

bool world_settle(json_t *world, struct gfe_error *error)
{
    static const char *const keys[] = {"policies", "parameters", "pokes", "faults"};
    json_t *bare = json_copy(world);
    struct world_loaded loaded = {.fd = -1};
    struct any_simulation simulation = {0};
    bool good = bare != NULL;

    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++)
        (void)json_object_del(bare, keys[i]);
    if (!good)
        no_memory(error);
    good = good && world_load(&loaded, bare, error);
    loaded.options.injects = true;
    good = good && world_wire(&loaded, 0, &simulation, error);
    for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++)
        list_settle(world, keys[i], simulation.machine);
    any_simulation_free(&simulation);
    world_unload(&loaded);
    json_decref(bare);
    return good;
}
