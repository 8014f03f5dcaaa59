/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_settings.h"

#include <stdio.h>
#include <string.h>

#include "emu/base/text.h"

bool cmd_settings_add(struct args *args, struct simulation_setting settings[CMD_SETTINGS_MAX],
                      uint32_t *count, const char *id, const char *value)
{
    if (*count == CMD_SETTINGS_MAX) {
        args_wrong(args, "too many --%s", args->option);
        return false;
    }
    settings[(*count)++] = (struct simulation_setting){id, value};
    return true;
}

bool cmd_settings_take(struct args *args, struct simulation_setting settings[CMD_SETTINGS_MAX],
                       uint32_t *count)
{
    char *equals = strchr(args->value, '=');

    if (!equals) {
        args_wrong(args, "--%s needs ID=VALUE", args->option);
        return false;
    }
    *equals = '\0';
    return cmd_settings_add(args, settings, count, args->value, equals + 1);
}

bool cmd_settings_cost(struct args *args, struct scenario_cost costs[SCENARIO_COSTS_MAX],
                       uint32_t *count)
{
    char *equals = strchr(args->value, '=');
    struct scenario_cost *cost = &costs[*count];

    if (!equals || *count == SCENARIO_COSTS_MAX) {
        args_wrong(args, equals ? "too many --%s" : "--%s needs NAME=TIME", args->option);
        return false;
    }
    *equals = '\0';
    cost->benchmark = args->value;
    args->value = equals + 1;
    if (!args_time(args, &cost->block_ps))
        return false;
    (*count)++;
    return true;
}

bool cmd_settings_cost_from(struct args *args, struct scenario_cost costs[SCENARIO_COSTS_MAX],
                            char names[SCENARIO_COSTS_MAX][MEASURED_COST_NAME_BYTES],
                            uint32_t *count)
{
    struct gfe_error error = {0};
    struct measured_cost measured;
    char text[48];

    if (*count == SCENARIO_COSTS_MAX) {
        args_wrong(args, "too many --%s", args->option);
        return false;
    }
    if (!measured_cost_read(args->value, &measured, &error)) {
        args->status = args_failed(args, &error);
        return false;
    }
    fprintf(stderr, "gfe %s: %s: a block of %s costs %s, the median of %zu\n", args->command->name,
            args->value, measured.name, text_time(text, sizeof text, measured.block_ps),
            measured.sample_count);
    memcpy(names[*count], measured.name, sizeof names[*count]);
    costs[*count] = (struct scenario_cost){names[*count], measured.block_ps};
    (*count)++;
    return true;
}
