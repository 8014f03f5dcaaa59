/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/world.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "emu/selftest/world_make.h"

/* The generators draw from streams of their own, so that a seed of one is no seed of another. */
enum { STREAM = 77, POKES_PERCENT = 25, FAULTS_PERCENT = 12, LOSE_PERCENT = 6, EVENTS_MAX = 3000 };

static const char *const kinds[WORLD_KINDS] = {"cuda", "hip", "bus"};
static const char *const disturbances[WORLD_DISTURBANCES] = {"calm", "software", "faulty"};
static void (*const makers[WORLD_KINDS])(struct maker *maker, json_t *world) = {
    world_make_cuda, world_make_hip, world_make_bus};

enum world_kind world_kind(const json_t *world)
{
    const char *name = json_string_value(json_object_get(world, "kind"));

    for (uint32_t kind = 0; kind < WORLD_KINDS && name; kind++)
        if (strcmp(kinds[kind], name) == 0)
            return (enum world_kind)kind;
    return WORLD_KINDS;
}

const char *world_disturbance_name(enum world_disturbance disturbance)
{
    return disturbances[disturbance];
}

const char *world_gpu(const json_t *world)
{
    return json_string_value(json_object_get(world, "gpu"));
}

const json_t *world_program(const json_t *world)
{
    return json_object_get(world, "program");
}

/* A poke that is an assignment writes any register. */
enum world_disturbance world_disturbance(const json_t *world)
{
    const json_t *pokes = json_object_get(world, "pokes");
    const json_t *poke;
    size_t i;

    if (json_array_size(json_object_get(world, "faults")) > 0 ||
        json_object_get(world, "lose_event"))
        return WORLD_FAULTY;
    json_array_foreach(pokes, i,
                       poke) if (strchr(json_string_value(poke), '=')) return WORLD_FAULTY;
    return json_array_size(pokes) > 0 ? WORLD_SOFTWARE : WORLD_CALM;
}

static enum world_kind draw_kind(struct maker *maker)
{
    const uint32_t chance = maker_between(maker, 0, 99);

    return chance < 40 ? WORLD_CUDA : chance < 65 ? WORLD_HIP : WORLD_BUS;
}

static void disturb(struct maker *maker, enum world_kind kind, json_t *world)
{
    maker_set(maker, world, "snapshot", maker_number(maker, maker_between(maker, 0, 1000000)));
    if (maker_chance(maker, FAULTS_PERCENT)) {
        world_make_faults(maker, world);
        return;
    }
    if (kind != WORLD_HIP && maker_chance(maker, POKES_PERCENT))
        world_make_pokes(maker, world);
    if (maker_chance(maker, LOSE_PERCENT))
        maker_set(maker, world, "lose_event", maker_number(maker, maker_small(maker, EVENTS_MAX)));
}

json_t *world_make(uint64_t seed, struct gfe_error *error)
{
    struct maker maker = {.failed = false};
    enum world_kind kind;
    json_t *world;

    random_seed(&maker.random, seed, STREAM);
    world = maker_object(&maker);
    kind = draw_kind(&maker);
    maker_set(&maker, world, "kind", maker_text(&maker, "%s", kinds[kind]));
    maker_set(&maker, world, "seed", maker_number(&maker, maker_between(&maker, 0, 1000)));
    makers[kind](&maker, world);
    disturb(&maker, kind, world);
    if (!maker.failed && world_settle(world, error))
        return world;
    if (maker.failed)
        error_set(error, ERROR_SYSTEM, "no memory for a world");
    json_decref(world);
    return NULL;
}
