/* SPDX-License-Identifier: MIT */
/* A file that inherits: its values over those of the built-in GPU, and what becomes of figures. */
#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/sim/gpu_field.h"
#include "emu/sim/gpu_file_private.h"

enum { PATH_BYTES = 80, VALUE_BYTES = 40 };

static bool no_memory(const struct spot *spot)
{
    return error_set(spot->reader->error, ERROR_SYSTEM, "no memory for a GPU");
}

static bool is_comment(const char *key)
{
    return strncmp(key, "comment", strlen("comment")) == 0;
}

/* ---- figures of values ------------------------------------------------------------------------
 */

/* A value as a figure has it. */
static void value_print(const json_t *value, char text[VALUE_BYTES])
{
    char *whole = NULL;

    if (json_is_string(value))
        (void)snprintf(text, VALUE_BYTES, "%.38s", json_string_value(value));
    else if (json_is_array(value) || !(whole = json_text(value, JSON_ENCODE_ANY)))
        (void)snprintf(text, VALUE_BYTES, "as listed");
    else
        (void)snprintf(text, VALUE_BYTES, "%.38s", whole);
    free(whole);
}

/* The basis and the source of a value that stands alone, or of one that has them. */
static bool figure_add(struct gpu_file_merge *merge, const struct spot *spot, const char *path,
                       const json_t *value)
{
    const char *basis = json_string_value(json_object_get(spot->json, "basis"));
    const char *source = json_string_value(json_object_get(spot->json, "source"));
    char text[VALUE_BYTES];

    value_print(value, text);
    return json_array_append_new(
               merge->news,
               json_pack("{ss ss ss ss}", "name", path, "value", text, "basis",
                         basis ? basis : "ASSUMED", "source",
                         source && source[0] ? source : "the GPU's file does not say")) == 0 ||
           no_memory(spot);
}

/* ---- values ---------------------------------------------------------------------------------- */

static bool is_wrapped(const json_t *json)
{
    return json_object_get(json, "value") != NULL;
}

/* Returns true if basis and source are what they have to be. */
static bool wrap_check(const struct spot *spot)
{
    static const char *const keys[] = {"value", "basis", "source", NULL};
    const struct spot basis = spot_member(spot, "basis"), source = spot_member(spot, "source");
    const struct chip_field *field = gpu_field_find(chip_figure_fields, "basis");
    const char *text = json_string_value(basis.json);
    uint32_t i = 0;

    if (!spot_object(spot, keys))
        return false;
    if (source.json && !json_is_string(source.json))
        return spot_is_not(&source, "a text");
    while (text && field->words[i] && strcmp(field->words[i], text) != 0)
        i++;
    return !basis.json || (text && field->words[i]) ||
           spot_is_not(&basis, "one of DOCUMENTED, PUBLISHED, MEASURED, INFERRED, ASSUMED");
}

/* Sets a value in `to`, an object of merge->all, and notes its figure. */
static bool value_set(struct gpu_file_merge *merge, const struct spot *spot, json_t *to,
                      const char *path)
{
    const bool wrapped = is_wrapped(spot->json);
    json_t *value =
        wrapped ? json_object_get(spot->json, "value") : (json_t *)(uintptr_t)spot->json;
    const bool is_new = !json_equal(json_object_get(to, spot->key), value);

    if (wrapped && !wrap_check(spot))
        return false;
    if (((is_new && merge->from) || wrapped) && !figure_add(merge, spot, path, value))
        return false;
    if (is_new && json_object_set_new(merge->said, path, json_null()) != 0)
        return no_memory(spot);
    return json_object_set(to, spot->key, value) == 0 || no_memory(spot);
}

/* Is it a text that names the GPU, and no figure of it? */
static bool is_name(const struct chip_field *field)
{
    return field->kind == CHIP_TEXT;
}

static bool text_set(const struct spot *spot, json_t *to)
{
    return json_object_set(to, spot->key, (json_t *)(uintptr_t)spot->json) == 0 || no_memory(spot);
}

static bool group_merge(struct gpu_file_merge *merge, const struct chip_field *fields,
                        const struct spot *file, json_t *to, const char *prefix);

static bool member_merge(struct gpu_file_merge *merge, const struct chip_field *field,
                         const struct spot *spot, json_t *to, const char *prefix)
{
    char path[PATH_BYTES];

    if (field->kind != CHIP_GROUP && (is_name(field) || field->fields == chip_figure_fields))
        return text_set(spot, to);
    if (field->kind != CHIP_GROUP) {
        (void)snprintf(path, sizeof path, "%s%s", prefix, field->name);
        return value_set(merge, spot, to, path);
    }
    if (!json_is_object(spot->json))
        return spot_is_not(spot, "an object");
    if (!json_object_get(to, field->name) &&
        json_object_set_new(to, field->name, json_object()) != 0)
        return no_memory(spot);
    (void)snprintf(path, sizeof path, "%s.", field->name);
    return group_merge(merge, field->fields, spot, json_object_get(to, field->name), path);
}

static bool group_merge(struct gpu_file_merge *merge, const struct chip_field *fields,
                        const struct spot *file, json_t *to, const char *prefix)
{
    const char *key;
    json_t *value;

    json_object_foreach((json_t *)(uintptr_t)file->json, key, value)
    {
        const struct chip_field *field = gpu_field_find(fields, key);
        const struct spot spot = spot_member(file, key);

        if (is_comment(key))
            continue;
        if (!field)
            return spot_wrong(&spot, "there is no such member; docs/gpu.schema.json lists them");
        if (!member_merge(merge, field, &spot, to, prefix))
            return false;
    }
    return true;
}

/* "parameters" or "choices". */
static bool settings_merge(struct gpu_file_merge *merge, const struct spot *file, const char *name)
{
    const struct spot spot = spot_member(file, name);
    const char *key;
    json_t *value, *to = json_object();
    bool good = true;

    if (!spot.json || !to || json_object_set_new(merge->all, name, to) != 0) {
        if (!spot.json)
            json_decref(to);
        return !spot.json || no_memory(file);
    }
    if (!json_is_object(spot.json))
        return spot_is_not(&spot, "an object");
    json_object_foreach((json_t *)(uintptr_t)spot.json, key, value)
    {
        const struct spot member = spot_member(&spot, key);
        char path[PATH_BYTES];

        (void)snprintf(path, sizeof path, "%.60s", key);
        good = good && (is_comment(key) || value_set(merge, &member, to, path));
    }
    return good;
}

bool gpu_file_merge(struct gpu_file_merge *merge, const struct spot *file)
{
    static const char *const others[] = {"gfe_gpu",    "inherits", "vendor",
                                         "parameters", "choices",  NULL};
    json_t *members = json_copy((json_t *)(uintptr_t)file->json);
    const struct spot rest = {.reader = file->reader, .json = members};
    bool good;

    for (uint32_t i = 0; others[i]; i++)
        (void)json_object_del(members, others[i]);
    if (merge->from && json_object_get(members, "name"))
        (void)json_object_del(merge->all, "alias");
    good = members ? group_merge(merge, merge->fields, &rest, merge->all, "") : no_memory(file);
    json_decref(members);
    return good && settings_merge(merge, file, "parameters") &&
           settings_merge(merge, file, "choices");
}

/* ---- figures of the whole ---------------------------------------------------------------------
 */

static const struct chip_field *field_of_path(const struct chip_field *fields, const char *path)
{
    const char *dot = strchr(path, '.');
    char group[PATH_BYTES];
    const struct chip_field *field;

    (void)snprintf(group, sizeof group, "%.*s", dot ? (int)(dot - path) : (int)strlen(path), path);
    field = gpu_field_find(fields, group);
    return field && dot && field->kind == CHIP_GROUP ? gpu_field_find(field->fields, dot + 1)
                                                     : field;
}

/* Does the name of an inherited figure speak of a value that the file gives anew?  Of another chip
 * every figure does: what was seen on one says nothing of the other. */
static bool is_stale(const struct gpu_file_merge *merge, const char *name)
{
    const char *chip = json_string_value(json_object_get(merge->all, "chip")), *path;
    json_t *value;

    if (chip && strcmp(chip, merge->from->vendor->chip(merge->from)) != 0)
        return true;

    json_object_foreach(merge->said, path, value)
    {
        const struct chip_field *field = field_of_path(merge->fields, path);

        if (field && field->figure && strstr(name, field->figure))
            return true;
    }
    return false;
}

/* Says of an inherited figure whose it is. */
static bool stale_mark(const struct gpu_file_merge *merge, json_t *figure)
{
    const char *name = json_string_value(json_object_get(figure, "name"));
    char text[160];

    if (!name || !is_stale(merge, name))
        return true;
    (void)snprintf(text, sizeof text, "%.100s (of %.40s)", name, merge->from->name);
    return json_object_set_new(figure, "name", json_string(text)) == 0;
}

bool gpu_file_merge_figures(struct gpu_file_merge *merge, const struct spot *file)
{
    json_t *figures = json_object_get(merge->all, "figures"), *figure;
    const bool inherits = merge->from && !json_object_get(file->json, "figures");
    size_t i;

    if (!json_is_array(figures))
        return true; /* the reader says so */
    if (inherits)
        json_array_foreach(figures, i, figure)
        {
            if (!stale_mark(merge, figure))
                return no_memory(file);
        }
    return json_array_extend(figures, merge->news) == 0 || no_memory(file);
}
