/* SPDX-License-Identifier: MIT */
/* Random register-level programs: their text for gfe import bus, and what they ask for. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/selftest/bus_program.h"
#include "emu/selftest/world_bus.h"

enum { FIRST_TSG = 8, TSGS_MAX = 64, ACQUIRED = 0xf00, DWORDS = 6 };

struct text {
    struct bus_build build;
    const json_t *program;
    struct bus_channel channels[WORLD_BUS_CHANNELS_MAX];
    bool has_graphics[WORLD_BUS_CHANNELS_MAX];
    uint32_t released[WORLD_BUS_CHANNELS_MAX];
    uint32_t channel_count, tsg_count;
    uint64_t words; /* physical: where semaphores are */
};

static uint64_t number(const json_t *object, const char *key)
{
    return (uint64_t)json_integer_value(json_object_get(object, key));
}

static uint32_t count_of(const json_t *program, const char *list, uint32_t most)
{
    const size_t count = json_array_size(json_object_get(program, list));

    return count < most ? (uint32_t)count : most;
}

static const json_t *element(const json_t *program, const char *list, size_t index)
{
    return json_array_get(json_object_get(program, list), index);
}

static uint32_t tsg_of(const struct text *text, uint32_t channel)
{
    return (uint32_t)number(element(text->program, "channels", channel), "tsg") % text->tsg_count;
}

static uint32_t runlist_of(const struct text *text, uint32_t tsg)
{
    return (uint32_t)number(element(text->program, "tsgs", tsg), "runlist");
}

/* ---- channels and lists ---------------------------------------------------------------------- */

/* The first graphics engine is modelled; others, of Orins, are not. */
static bool is_graphics(const struct nv_chip *model, uint32_t runlist_id)
{
    for (uint32_t i = 0; i < model->engine_count; i++)
        if (model->engines[i].kind == NV_CHIP_GRAPHICS && model->engines[i].instance == 0 &&
            model->engines[i].runlist_id == runlist_id)
            return true;
    return false;
}

static bool has_copies(const struct nv_chip *model, uint32_t runlist_id)
{
    for (uint32_t i = 0; i < model->engine_count; i++)
        if ((model->engines[i].kind == NV_CHIP_GRCE || model->engines[i].kind == NV_CHIP_LCE) &&
            model->engines[i].runlist_id == runlist_id)
            return true;
    return false;
}

/* Refuses what no world is made with, so that a world that becomes small stays a sound program. */
static void refuse(struct text *text, const char *what, uint32_t number)
{
    if (text->build.error.kind == ERROR_NONE)
        error_set(&text->build.error, ERROR_INPUT, "a world of registers: %s (%u)", what, number);
}

static void tsgs_check(struct text *text)
{
    for (uint32_t i = 0; i < text->tsg_count; i++) {
        if (number(element(text->program, "tsgs", i), "timeout") == 0)
            refuse(text, "a TSG has no slice", i);
        if (!is_graphics(text->build.bare.model, runlist_of(text, i)) &&
            !has_copies(text->build.bare.model, runlist_of(text, i)))
            refuse(text, "a TSG's runlist neither copies nor draws", i);
    }
}

static void item_check(struct text *text, uint32_t c, const json_t *item)
{
    const json_t *launch = json_object_get(item, "launch"), *copy = json_object_get(item, "copy");

    if ((launch || json_object_get(item, "draw")) && !text->has_graphics[c])
        refuse(text, "a channel that only copies draws or launches", c);
    if (launch && (number(launch, "grid") == 0 || number(launch, "threads") == 0))
        refuse(text, "a launch of nothing", c);
    if (copy && (json_integer_value(copy) == 0 ||
                 !has_copies(text->build.bare.model, runlist_of(text, tsg_of(text, c)))))
        refuse(text, "a copy of nothing, or without a copy engine", c);
}

static void channel_add(struct text *text, uint32_t i)
{
    const struct nv_chip *model = text->build.bare.model;
    const uint32_t runlist_id = runlist_of(text, tsg_of(text, i));
    const uint64_t root = bus_build_space(&text->build);
    struct bus_channel *channel = &text->channels[i];

    bus_build_system(&text->build, root);
    *channel = bus_build_channel(&text->build, runlist_id, WORLD_BUS_FIRST_CHANNEL + i, root);
    channel->runqueue = (uint32_t)number(element(text->program, "channels", i), "runqueue");
    text->has_graphics[i] = is_graphics(model, runlist_id);
    if (!text->has_graphics[i])
        bus_build_copies_only(&text->build, channel);
}

/* Submits the runlist of a TSG, which comes first. */
static void list_submit(struct text *text, uint32_t first)
{
    const uint32_t runlist_id = runlist_of(text, first);
    struct bus_tsg tsgs[TSGS_MAX];
    uint32_t count = 0;

    for (uint32_t i = 0; i < text->tsg_count; i++) {
        const uint32_t at = (first + i) % text->tsg_count;
        const json_t *row = element(text->program, "tsgs", at);
        struct bus_tsg *tsg = &tsgs[count];

        if (runlist_of(text, at) != runlist_id)
            continue;
        *tsg = (struct bus_tsg){.id = FIRST_TSG + at,
                                .timeout = (uint32_t)number(row, "timeout"),
                                .scale = (uint32_t)number(row, "scale")};
        for (uint32_t c = 0; c < text->channel_count; c++)
            if (tsg_of(text, c) == at)
                tsg->channels[tsg->count++] = &text->channels[c];
        count += tsg->count > 0;
    }
    bus_build_runlist(&text->build, runlist_id, tsgs, count);
}

static void lists_submit(struct text *text)
{
    uint32_t done = 0;

    for (uint32_t i = 0; i < text->tsg_count; i++) {
        const uint32_t runlist_id = runlist_of(text, i);

        if (!(done >> runlist_id & 1))
            list_submit(text, i);
        done |= UINT32_C(1) << runlist_id;
    }
}

/* ---- what channels get ----------------------------------------------------------------------- */

static uint32_t header(uint32_t subchannel, uint32_t method, uint32_t count)
{
    return UINT32_C(1) << 29 | count << 16 | subchannel << 13 | method >> 2;
}

/* Semaphores of Host: SEMAPHOREA to D up to Pascal (open-gpu-doc classes/host/clc06f.h), SEM_* from
 * Volta on (clc36f.h). */
static void semaphore(struct text *text, struct bus_channel *channel, uint64_t physical,
                      uint32_t value, bool acquires)
{
    const uint64_t va = BUS_VA + physical;
    const uint32_t low = (uint32_t)va, high = (uint32_t)(va >> 32);
    const uint32_t old[] = {header(0, 0x10, 4), high, low, value,
                            acquires ? 4 | 1u << 12 : 2 | 1u << 24};
    const uint32_t new[] = {
        header(0, 0x5c, 5), low, high, value, 0, acquires ? 3 | 1u << 12 : 1 | 1u << 20};

    if (text->build.has_doorbell)
        bus_build_push(&text->build, channel, new, sizeof new / sizeof new[0]);
    else
        bus_build_push(&text->build, channel, old, sizeof old / sizeof old[0]);
}

static void objects_set(struct text *text, uint32_t c)
{
    const struct nv_chip *model = text->build.bare.model;
    const uint32_t objects[] = {header(0, 0, 1),      model->class_3d, header(1, 0, 1),
                                model->class_compute, header(4, 0, 1), model->class_copy};
    const uint32_t first = text->has_graphics[c] ? 0 : 4;

    bus_build_push(&text->build, &text->channels[c], objects + first, DWORDS - first);
}

static void item_push(struct text *text, uint32_t c, const json_t *item)
{
    struct bus_channel *channel = &text->channels[c];
    const json_t *launch = json_object_get(item, "launch");
    const uint32_t draw = UINT32_C(4) << 29 | 1 << 16 | 0x19d0 >> 2; /* CLEAR_SURFACE */

    item_check(text, c, item);
    if (text->build.error.kind != ERROR_NONE)
        return;
    if (launch)
        bus_build_launch(
            &text->build, channel,
            &(struct bus_launch){.grid = (uint32_t)number(launch, "grid"),
                                 .threads = (uint32_t)number(launch, "threads"),
                                 .registers = (uint32_t)number(launch, "registers"),
                                 .shared_bytes = (uint32_t)number(launch, "shared_bytes")});
    if (json_object_get(item, "draw"))
        bus_build_push(&text->build, channel, &draw, 1);
    if (json_object_get(item, "copy"))
        bus_build_copy_virtual(&text->build, channel, BUS_SYSTEM,
                               BUS_VA + BUS_HEAP_END - (UINT64_C(64) << 20),
                               (uint32_t)number(item, "copy"));
    if (json_object_get(item, "acquire"))
        semaphore(text, channel, text->words + ACQUIRED, (uint32_t)number(item, "acquire"), true);
    if (json_object_get(item, "release"))
        semaphore(text, channel, text->words + 16 * c, ++text->released[c], false);
}

static void step_write(struct text *text, const json_t *step)
{
    const json_t *kick = json_object_get(step, "kick"), *list = json_object_get(step, "list"),
                 *store = json_object_get(step, "store"), *item;
    const uint32_t value = (uint32_t)json_integer_value(store);
    size_t i;

    bus_build_line(&text->build, "+%" PRIu64 "ns", number(step, "after"));
    if (list)
        list_submit(text, (uint32_t)json_integer_value(list) % text->tsg_count);
    if (store)
        bus_build_words(&text->build, text->words + ACQUIRED, &value, 1);
    if (!kick)
        return;
    const uint32_t c = (uint32_t)json_integer_value(kick) % text->channel_count;

    if (json_array_size(json_object_get(step, "items")) == 0)
        refuse(text, "a step kicks nothing", c);
    if (text->channels[c].push_at == 0)
        objects_set(text, c);
    json_array_foreach(json_object_get(step, "items"), i, item) item_push(text, c, item);
    bus_build_kick(&text->build, &text->channels[c]);
}

static void program_write(struct text *text)
{
    const json_t *step;
    size_t s;

    text->words = bus_build_alloc(&text->build, 4096);
    tsgs_check(text);
    for (uint32_t i = 0; i < text->channel_count; i++)
        channel_add(text, i);
    lists_submit(text);
    json_array_foreach(json_object_get(text->program, "steps"), s, step) step_write(text, step);
}

char *world_bus_text(const json_t *program, const char *gpu, struct gfe_error *error)
{
    struct text text = {.program = program,
                        .channel_count = count_of(program, "channels", WORLD_BUS_CHANNELS_MAX),
                        .tsg_count = count_of(program, "tsgs", TSGS_MAX)};
    const char *made;
    char *copy = NULL;

    if (text.channel_count == 0 || text.tsg_count == 0) {
        error_set(error, ERROR_INPUT, "a world of registers has channels and TSGs");
        return NULL;
    }
    bus_build_begin(&text.build, gpu);
    if (text.build.error.kind == ERROR_NONE)
        program_write(&text);
    made = bus_build_text(&text.build);
    if (!made)
        *error = text.build.error;
    else if ((copy = strdup(made)) == NULL)
        error_set(error, ERROR_SYSTEM, "no memory for a world");
    bus_build_fini(&text.build);
    return copy;
}

/* ---- what they ask for ----------------------------------------------------------------------- */

struct world_bus_work world_bus_work(const json_t *program)
{
    struct world_bus_work work = {0};
    const json_t *step, *item;
    size_t s, i;

    json_array_foreach(json_object_get(program, "steps"), s, step) json_array_foreach(
        json_object_get(step, "kick") ? json_object_get(step, "items") : NULL, i, item)
    {
        const json_t *launch = json_object_get(item, "launch");

        work.launches += launch != NULL;
        work.blocks += number(launch, "grid");
        work.copies += json_object_get(item, "copy") != NULL;
        work.copy_bytes += number(item, "copy");
        work.draws += json_object_get(item, "draw") != NULL;
        work.releases += json_object_get(item, "release") != NULL;
    }
    return work;
}

uint32_t world_bus_entries(const json_t *program, uint64_t channel_id, gfe_ps until_ps)
{
    const uint32_t channels = count_of(program, "channels", WORLD_BUS_CHANNELS_MAX);
    const json_t *step;
    uint32_t count = 0;
    uint64_t ns = 0;
    size_t s;

    json_array_foreach(json_object_get(program, "steps"), s, step)
    {
        ns += number(step, "after");
        if (ns * GFE_PS_PER_NS > until_ps)
            break;
        count += json_object_get(step, "kick") &&
                 number(step, "kick") % channels + WORLD_BUS_FIRST_CHANNEL == channel_id;
    }
    return count;
}
