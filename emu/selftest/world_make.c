/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/selftest/world_make.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/sim/gpus.h"

/* ---- chance ---------------------------------------------------------------------------------- */

uint32_t maker_between(struct maker *maker, uint32_t lowest, uint32_t highest)
{
    return lowest + random_below(&maker->random, highest - lowest + 1);
}

uint32_t maker_small(struct maker *maker, uint32_t highest)
{
    return maker_between(maker, 1, maker_between(maker, 1, highest));
}

bool maker_chance(struct maker *maker, uint32_t percent)
{
    return random_below(&maker->random, 100) < percent;
}

/* ---- values ---------------------------------------------------------------------------------- */

static json_t *made(struct maker *maker, json_t *value)
{
    if (!value)
        maker->failed = true;
    return value;
}

json_t *maker_object(struct maker *maker)
{
    return made(maker, json_object());
}

json_t *maker_array(struct maker *maker)
{
    return made(maker, json_array());
}

json_t *maker_number(struct maker *maker, uint64_t number)
{
    return made(maker, json_integer((json_int_t)number));
}

json_t *maker_text(struct maker *maker, const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return made(maker, json_string(text));
}

/* The models use no floating point, and neither does this: the JSON reader makes the number. */
json_t *maker_seconds(struct maker *maker, uint64_t ns)
{
    json_error_t cause;
    char text[48];

    (void)snprintf(text, sizeof text, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
    return made(maker, json_text_load(text, strlen(text), JSON_DECODE_ANY, &cause));
}

void maker_set(struct maker *maker, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        maker->failed = true;
}

void maker_add(struct maker *maker, json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) != 0)
        maker->failed = true;
}

/* ---- settings -------------------------------------------------------------------------------- */

enum { POLICY_PERCENT = 15, PARAMETER_PERCENT = 15 };

static bool begins(const char *id, const char *const *prefixes)
{
    for (uint32_t i = 0; prefixes[i]; i++)
        if (strncmp(id, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static void policy_add(struct maker *maker, json_t *policies, const struct choice_point *point)
{
    uint32_t count = 0;

    while (count < CHOICE_ALTERNATIVES_MAX && point->alternatives[count])
        count++;
    maker_add(maker, policies,
              maker_text(maker, "%s=%s", point->id,
                         point->alternatives[maker_between(maker, 0, count - 1)]));
}

void maker_settings(struct maker *maker, json_t *world, const char *const *prefixes,
                    const struct maker_parameter *parameters, uint32_t parameter_count)
{
    json_t *policies = maker_array(maker), *values = maker_array(maker);

    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->choice_count; i++)
            if (begins(gfe_table_sets[s]->choices[i].id, prefixes) &&
                maker_chance(maker, POLICY_PERCENT))
                policy_add(maker, policies, &gfe_table_sets[s]->choices[i]);
    for (uint32_t i = 0; i < parameter_count; i++)
        if (maker_chance(maker, PARAMETER_PERCENT))
            maker_add(maker, values,
                      maker_text(maker, "%s=%" PRIu64, parameters[i].id,
                                 (uint64_t)maker_between(maker, parameters[i].lowest,
                                                         parameters[i].highest) *
                                     parameters[i].unit));
    maker_set(maker, world, "policies", policies);
    maker_set(maker, world, "parameters", values);
}
