/* SPDX-License-Identifier: MIT */
/* Parameters and choice points that a GPU file sets. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpu_file_private.h"

static const struct parameter *parameter_find(const char *id)
{
    for (uint32_t set = 0; set < gfe_table_set_count; set++)
        for (uint32_t i = 0; i < gfe_table_sets[set]->parameter_count; i++) {
            const struct parameter *row = &gfe_table_sets[set]->parameters[i];

            if (row->id && strcmp(row->id, id) == 0)
                return row;
        }
    return NULL;
}

static const struct choice_point *choice_find(const char *id)
{
    for (uint32_t set = 0; set < gfe_table_set_count; set++)
        for (uint32_t i = 0; i < gfe_table_sets[set]->choice_count; i++) {
            const struct choice_point *row = &gfe_table_sets[set]->choices[i];

            if (row->id && strcmp(row->id, id) == 0)
                return row;
        }
    return NULL;
}

static bool parameter_load(struct gpu_file_settings *settings, const struct spot *spot)
{
    const struct parameter *row = parameter_find(spot->key);
    char *number = settings->numbers[settings->count];
    uint64_t highest;
    int64_t value;

    if (!row)
        return spot_wrong(spot, "no parameter is called so; gfe rules lists them");
    highest = parameter_highest(row);
    if (!spot_number(spot, 0, highest > INT64_MAX ? INT64_MAX : (int64_t)highest, "a whole number",
                     &value))
        return false;
    (void)snprintf(number, GPU_FILE_NUMBER_BYTES, "%" PRId64, value);
    settings->rows[settings->count] = (struct simulation_setting){row->id, number};
    return true;
}

static bool choice_load(struct gpu_file_settings *settings, const struct spot *spot)
{
    const struct choice_point *row = choice_find(spot->key);
    const char *text = json_string_value(spot->json);

    if (!row)
        return spot_wrong(spot, "no choice point is called so; gfe rules lists them");
    for (uint32_t i = 0; text && i < CHOICE_ALTERNATIVES_MAX && row->alternatives[i]; i++)
        if (strcmp(row->alternatives[i], text) == 0) {
            settings->rows[settings->count] =
                (struct simulation_setting){row->id, row->alternatives[i]};
            return true;
        }
    return spot_is_not(spot, "one of its alternatives; gfe rules lists them");
}

static int by_id(const void *a, const void *b)
{
    const struct simulation_setting *one = a, *other = b;

    return strcmp(one->id, other->id);
}

/* In the order of their ids, so that the order in the file has no effect. */
static bool settings_load(struct gpu_file_settings *settings, const struct spot *spot,
                          bool (*load)(struct gpu_file_settings *settings, const struct spot *spot))
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)spot->json, key, value)
    {
        const struct spot member = spot_member(spot, key);

        if (settings->count == GPU_FILE_SETTINGS_MAX)
            return spot_wrong(spot, "more than %d members", GPU_FILE_SETTINGS_MAX);
        if (!load(settings, &member))
            return false;
        settings->count++;
    }
    qsort(settings->rows, settings->count, sizeof settings->rows[0], by_id);
    return true;
}

bool gpu_file_settings_load(struct gpu_file *file, const struct spot *all)
{
    const struct spot parameters = spot_member(all, "parameters");
    const struct spot choices = spot_member(all, "choices");

    return settings_load(&file->parameters, &parameters, parameter_load) &&
           settings_load(&file->choices, &choices, choice_load);
}
