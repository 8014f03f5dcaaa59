/* SPDX-License-Identifier: MIT */
/* Random register-level programs: what they are made of, by chance. */
#include <config.h>

#include "emu/selftest/world_bus.h"

#include "devices/nvidia/nv_chip.h"
#include "emu/selftest/world_make.h"

enum {
    TSGS_MAX = 8,
    STEPS_MAX = 40,
    ITEMS_MAX = 4,
    RUNLISTS_MAX = 8,
    LAST_STEP_NS = 2000000,
    LAST_VALUE = 1000
};

static const char *const prefixes[] = {"core.", "nv.", NULL};

static const struct maker_parameter parameters[] = {
    {"nv.host.doorbell_cycles", 0, 20, 20},
    {"nv.host.schedule_cycles", 0, 20, 30},
    {"nv.host.ramfc_load_cycles", 0, 20, 40},
    {"nv.host.ramfc_save_cycles", 0, 20, 40},
    {"nv.host.idle_cycles", 0, 20, 100},
    {"nv.pbdma.prefetch_entries", 1, 16, 1},
    {"nv.pbdma.prefetch_dwords", 1, 16, 64},
    {"nv.ce.credits", 1, 3, 1},
    {"nv.gr.context_load_cycles", 0, 40, 500},
    {"nv.gr.context_save_cycles", 0, 40, 500},
    {"nv.draw_ps", 0, 50, 1000000},
    {"core.block_base_cycles", 0, 100, 500},
    {"core.block_warp_cycles", 0, 20, 100},
    {"core.dispatch_cycles", 0, 40, 1},
    {"core.saved_blocks", 1, 64, 1},
    {"core.copy_rate_percent", 1, 100, 1},
};

/* Runlists that worlds use: that of graphics first, then those of copies. */
static uint32_t runlists_of(const struct nv_chip *model, uint32_t runlists[RUNLISTS_MAX])
{
    uint32_t count = 0;

    for (uint32_t pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < model->engine_count && count < RUNLISTS_MAX; i++) {
            const struct nv_chip_engine *engine = &model->engines[i];
            bool known = engine->kind != (pass ? NV_CHIP_LCE : NV_CHIP_GRAPHICS) ||
                         (pass == 0 && engine->instance > 0);

            for (uint32_t k = 0; k < count; k++)
                known = known || runlists[k] == engine->runlist_id;
            if (!known)
                runlists[count++] = engine->runlist_id;
        }
    return count;
}

static uint32_t runqueues_of(const struct nv_chip *model, uint32_t runlist_id)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < model->pbdma_count; i++)
        count += model->pbdma_runlists[i] >> runlist_id & 1;
    return count > 0 ? count : 1;
}

static json_t *launch(struct maker *maker)
{
    json_t *launch = maker_object(maker);

    maker_set(maker, launch, "grid", maker_number(maker, maker_small(maker, 40)));
    maker_set(maker, launch, "threads", maker_number(maker, maker_small(maker, 1024)));
    if (maker_chance(maker, 30))
        maker_set(maker, launch, "registers", maker_number(maker, maker_between(maker, 16, 32)));
    if (maker_chance(maker, 30))
        maker_set(maker, launch, "shared_bytes",
                  maker_number(maker, 256 * maker_between(maker, 0, 128)));
    return launch;
}

static json_t *item(struct maker *maker, bool has_graphics, uint32_t *acquired)
{
    json_t *item = maker_object(maker);
    const uint32_t chance = maker_between(maker, 0, 99);

    if (has_graphics && chance < 30) {
        maker_set(maker, item, "launch", launch(maker));
    } else if (has_graphics && chance < 40) {
        maker_set(maker, item, "draw", json_true());
    } else if (chance < 60) {
        maker_set(
            maker, item, "copy",
            maker_number(maker, maker_small(maker, maker_chance(maker, 70) ? 8192 : 1 << 21)));
    } else if (chance < 70) {
        *acquired += maker_between(maker, 0, 1);
        maker_set(maker, item, "acquire", maker_number(maker, *acquired));
    } else {
        maker_set(maker, item, "release", json_true());
    }
    return item;
}

static json_t *step(struct maker *maker, const bool *graphics, uint32_t channels,
                    uint32_t *acquired)
{
    json_t *step = maker_object(maker), *items;
    const uint32_t channel = maker_between(maker, 0, channels - 1);

    maker_set(maker, step, "after",
              maker_number(maker, maker_chance(maker, 40) ? 0 : maker_small(maker, 40000)));
    if (maker_chance(maker, 8)) {
        maker_set(maker, step, "list", maker_number(maker, maker_between(maker, 0, TSGS_MAX - 1)));
        return step;
    }
    if (maker_chance(maker, 8)) {
        maker_set(maker, step, "store", maker_number(maker, *acquired));
        return step;
    }
    items = maker_array(maker);
    for (uint32_t i = maker_small(maker, ITEMS_MAX); i > 0; i--)
        maker_add(maker, items, item(maker, graphics[channel], acquired));
    maker_set(maker, step, "kick", maker_number(maker, channel));
    maker_set(maker, step, "items", items);
    return step;
}

/* What channels wait for comes in the end. */
static json_t *steps_of(struct maker *maker, const bool *graphics, uint32_t channels)
{
    json_t *steps = maker_array(maker), *last = maker_object(maker);
    uint32_t acquired = 0;

    for (uint32_t i = maker_small(maker, STEPS_MAX); i > 0; i--)
        maker_add(maker, steps, step(maker, graphics, channels, &acquired));
    maker_set(maker, last, "after", maker_number(maker, maker_between(maker, 0, LAST_STEP_NS)));
    maker_set(maker, last, "store", maker_number(maker, LAST_VALUE));
    maker_add(maker, steps, last);
    return steps;
}

static json_t *tsg_of(struct maker *maker, uint32_t runlist_id)
{
    json_t *tsg = maker_object(maker);

    maker_set(maker, tsg, "runlist", maker_number(maker, runlist_id));
    maker_set(maker, tsg, "timeout", maker_number(maker, maker_small(maker, 40)));
    maker_set(maker, tsg, "scale", maker_number(maker, maker_between(maker, 0, 2)));
    return tsg;
}

void world_make_bus(struct maker *maker, json_t *world)
{
    const struct nv_chip *model = nv_chips[maker_between(maker, 0, nv_chip_count - 1)];
    json_t *program = maker_object(maker), *tsgs = maker_array(maker),
           *channels = maker_array(maker);
    uint32_t runlists[RUNLISTS_MAX], at[TSGS_MAX];
    const uint32_t runlist_count = runlists_of(model, runlists);
    const uint32_t tsg_count = maker_small(maker, TSGS_MAX);
    const uint32_t channel_count = maker_between(maker, tsg_count, WORLD_BUS_CHANNELS_MAX);
    bool graphics[WORLD_BUS_CHANNELS_MAX];

    for (uint32_t i = 0; i < tsg_count; i++) {
        at[i] = maker_chance(maker, 60) ? 0 : maker_between(maker, 0, runlist_count - 1);
        maker_add(maker, tsgs, tsg_of(maker, runlists[at[i]]));
    }
    for (uint32_t i = 0; i < channel_count; i++) {
        json_t *channel = maker_object(maker);
        const uint32_t tsg = i < tsg_count ? i : maker_between(maker, 0, tsg_count - 1);
        const uint32_t runqueues = runqueues_of(model, runlists[at[tsg]]);

        graphics[i] = at[tsg] == 0;
        maker_set(maker, channel, "tsg", maker_number(maker, tsg));
        maker_set(maker, channel, "runqueue",
                  maker_number(maker, maker_between(maker, 0, runqueues - 1)));
        maker_add(maker, channels, channel);
    }
    maker_set(maker, program, "tsgs", tsgs);
    maker_set(maker, program, "channels", channels);
    maker_set(maker, program, "steps", steps_of(maker, graphics, channel_count));
    maker_set(maker, world, "gpu", maker_text(maker, "%s", model->name));
    maker_settings(maker, world, prefixes, parameters, sizeof parameters / sizeof parameters[0]);
    maker_set(maker, world, "program", program);
}
