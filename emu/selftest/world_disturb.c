/* SPDX-License-Identifier: MIT */
/* What happens to random worlds from outside: register writes, and faults in the hardware. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_inspect.h"
#include "emu/engine/passage.h"
#include "emu/faults/inject.h"
#include "emu/selftest/world_make.h"
#include "emu/sim/gpus.h"

enum { POKES = 6, FAULTS = 3, TRIES = 50, NAME_BYTES = 96, LAST_NS = 1500000 };

/* A register of the vendor's, by its name; "" if none was found. */
static void register_name(struct maker *maker, const char *unit, char name[NAME_BYTES])
{
    name[0] = '\0';
    for (uint32_t i = 0; i < TRIES; i++) {
        const struct reg_list *list =
            gfe_reg_lists[maker_between(maker, 0, gfe_reg_list_count - 1)];
        const struct reg_row *row = &list->rows[maker_between(maker, 0, list->row_count - 1)];

        if (strncmp(list->name, unit, strlen(unit)) != 0 || row->kind != ROW_REG)
            continue;
        if (row->count > 1)
            (void)snprintf(name, NAME_BYTES, "%s[%u]", row->name,
                           maker_between(maker, 0, row->count < 16 ? row->count - 1 : 15));
        else
            (void)snprintf(name, NAME_BYTES, "%s", row->name);
        return;
    }
}

static uint32_t word(struct maker *maker)
{
    switch (maker_between(maker, 0, 3)) {
    case 0:
        return maker_between(maker, 0, 16);
    case 1:
        return UINT32_C(1) << maker_between(maker, 0, 31);
    case 2:
        return UINT32_MAX;
    default:
        return random_next(&maker->random);
    }
}

/* ---- register writes ------------------------------------------------------------------------- */

static json_t *poke_of_verb(struct maker *maker, const char *gpu)
{
    const struct poke_verb *verb = &nv_poke_verbs[maker_between(maker, 0, nv_poke_verb_count - 1)];
    const struct nv_chip *model = nv_chip_by_name(gpu);
    const uint32_t ns = maker_small(maker, LAST_NS), id = maker_small(maker, 16);
    const bool apart = model && model->runlists[0].pri_base != 0;

    if (strcmp(verb->argument, "RUNLIST") == 0)
        return maker_text(maker, "%uns %s %u", ns, verb->name, maker_between(maker, 0, 3));
    if (apart)
        return maker_text(maker, "%uns %s %u:%u", ns, verb->name, maker_between(maker, 0, 3), id);
    return maker_text(maker, "%uns %s %u", ns, verb->name, id);
}

void world_make_pokes(struct maker *maker, json_t *world)
{
    const char *gpu = json_string_value(json_object_get(world, "gpu"));
    json_t *pokes = maker_array(maker);
    const bool any_register = maker_chance(maker, 25);
    char name[NAME_BYTES];

    for (uint32_t i = maker_small(maker, POKES); i > 0; i--) {
        if (any_register)
            register_name(maker, "nv_", name);
        if (any_register && name[0])
            maker_add(maker, pokes,
                      maker_text(maker, "%uns %s = 0x%x", maker_small(maker, LAST_NS), name,
                                 word(maker)));
        else if (gpu)
            maker_add(maker, pokes, poke_of_verb(maker, gpu));
    }
    maker_set(maker, world, "pokes", pokes);
}

/* ---- faults ---------------------------------------------------------------------------------- */

/* How it is wrong, after the site: "flip=3", "drop", "delay=5us". */
static void model_text(struct maker *maker, const struct inject_site *site, char *to, size_t bytes)
{
    enum inject_model models[INJECT_MODELS];
    const uint32_t bits = site->bytes > 0 ? 8 * site->bytes : 32;
    uint32_t count = 0;

    for (uint32_t m = 0; m < INJECT_MODELS; m++)
        if (site->models & INJECT_BIT(m))
            models[count++] = (enum inject_model)m;
    const enum inject_model model = models[maker_between(maker, 0, count - 1)];
    const char *name = inject_model_name(model);

    switch (model) {
    case INJECT_FLIP:
    case INJECT_STUCK_0:
    case INJECT_STUCK_1:
        (void)snprintf(to, bytes, "%s=%u", name, maker_between(maker, 0, bits - 1));
        break;
    case INJECT_VALUE:
        (void)snprintf(to, bytes, "%s=0x%x", name, word(maker));
        break;
    case INJECT_DELAY:
        (void)snprintf(to, bytes, "%s=%uns", name, maker_small(maker, 100000));
        break;
    default:
        (void)snprintf(to, bytes, "%s", name);
    }
}

static json_t *fault(struct maker *maker, const struct gpu_vendor *vendor, const char *unit)
{
    const uint32_t count = INJECT_SITE_VENDOR + vendor->sites->count;
    const uint32_t number = maker_between(maker, 0, count - 1);
    const struct inject_site *site = inject_site(vendor->sites, number);
    char model[64], trigger[32] = "", subject[NAME_BYTES + 1] = "";

    model_text(maker, site, model, sizeof model);
    if (site->place == INJECT_REGISTER) {
        subject[0] = ':';
        register_name(maker, unit, subject + 1);
    } else if (site->subject && (site->place == INJECT_VENDOR || maker_chance(maker, 30))) {
        (void)snprintf(subject, sizeof subject, ":%u", maker_between(maker, 0, 20));
    }
    if (site->place != INJECT_PASSAGE || maker_chance(maker, 30))
        (void)snprintf(trigger, sizeof trigger, " @%uns", maker_small(maker, LAST_NS));
    else
        (void)snprintf(trigger, sizeof trigger, " @#%u", maker_small(maker, 12));
    return maker_text(maker, "%s%s %s%s", site->name, subject, model, trigger);
}

void world_make_faults(struct maker *maker, json_t *world)
{
    const struct gpu_vendor *vendor =
        gpu_vendor_of(json_string_value(json_object_get(world, "gpu")));
    json_t *faults = maker_array(maker);

    for (uint32_t i = maker_small(maker, FAULTS); i > 0 && vendor; i--)
        maker_add(maker, faults, fault(maker, vendor, vendor->has_methods ? "nv_" : "amd_"));
    maker_set(maker, world, "faults", faults);
}
