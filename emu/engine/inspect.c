/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/inspect.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"

enum { CELL_BYTES = 256, COLUMNS_MAX = 40 };

/* ---- names ----------------------------------------------------------------------------------- */

static bool number_follows(const struct inspect_view *view, const char *rest, uint32_t *number)
{
    const bool may = view->argument && view->argument[0] != ' ';
    const bool must = may && view->argument[0] != '[';
    uint64_t wide;

    *number = UINT32_MAX;
    if (rest[0] == '\0')
        return !must;
    if (!may || strspn(rest, "0123456789") != strlen(rest) || !args_parse_number(rest, &wide) ||
        wide >= UINT32_MAX)
        return false;
    *number = (uint32_t)wide;
    return true;
}

const struct inspect_view *inspect_view_find(const struct inspect_view *views, uint32_t count,
                                             const char *name, uint32_t *number)
{
    for (uint32_t i = 0; i < count; i++) {
        const size_t bytes = strlen(views[i].name);

        if (strncmp(name, views[i].name, bytes) == 0 &&
            number_follows(&views[i], name + bytes, number))
            return &views[i];
    }
    return NULL;
}

void inspect_view_names(const struct inspect_view *views, uint32_t count, char *text, size_t bytes)
{
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < count && at < bytes; i++)
        at += (size_t)snprintf(text + at, bytes - at, "%s%s%s", i ? ", " : "", views[i].name,
                               views[i].argument ? views[i].argument : "");
}

/* ---- building -------------------------------------------------------------------------------- */

json_t *inspect_new(const char *name)
{
    return json_pack("{ss s[]}", "view", name, "rows");
}

bool inspect_add(json_t *view, json_t *row)
{
    return json_array_append_new(json_object_get(view, "rows"), row) == 0;
}

/* Adds a text to a list of the view's that is made when it is needed. */
static bool add_text(json_t *view, const char *key, const char *text)
{
    json_t *list = json_object_get(view, key);

    if (!list && json_object_set_new(view, key, json_array()) == 0)
        list = json_object_get(view, key);
    return list && json_array_append_new(list, json_string(text)) == 0;
}

bool inspect_note(json_t *view, const char *text)
{
    return add_text(view, "notes", text);
}

json_t *inspect_no_memory(json_t *view, struct gfe_error *error)
{
    json_decref(view);
    error_set(error, ERROR_SYSTEM, "no memory for the view");
    return NULL;
}

/* ---- tables ---------------------------------------------------------------------------------- */

/* A value as a cell. */
static void cell_print(const json_t *value, char *cell, size_t bytes)
{
    const char *gap = "";
    const json_t *item;
    size_t i, at = 0;

    cell[0] = '\0';
    if (json_is_string(value))
        (void)snprintf(cell, bytes, "%s", json_string_value(value));
    else if (json_is_integer(value))
        (void)snprintf(cell, bytes, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_boolean(value))
        (void)snprintf(cell, bytes, "%d", json_is_true(value));
    json_array_foreach((json_t *)(uintptr_t)value, i, item)
    {
        char part[CELL_BYTES];

        cell_print(item, part, sizeof part);
        if (at < bytes)
            at += (size_t)snprintf(cell + at, bytes - at, "%s%s", gap, part);
        gap = " ";
    }
}

static bool is_marked(const json_t *view, const char *key)
{
    const json_t *marks = json_object_get(view, "not_in_registers"), *mark;
    size_t i;

    json_array_foreach((json_t *)(uintptr_t)marks, i, mark)
    {
        if (strcmp(json_string_value(mark), key) == 0)
            return true;
    }
    return false;
}

/* Widths of the columns that the first row has. */
static uint32_t table_columns(const json_t *view, const char *keys[COLUMNS_MAX],
                              int widths[COLUMNS_MAX])
{
    const json_t *rows = json_object_get(view, "rows");
    json_t *first = json_array_get(rows, 0), *value;
    const char *key;
    uint32_t count = 0;

    json_object_foreach(first, key, value)
    {
        if (count == COLUMNS_MAX)
            break;
        keys[count] = key;
        widths[count] = (int)strlen(key) + is_marked(view, key);
        count++;
    }
    for (size_t i = 0; i < json_array_size(rows); i++)
        for (uint32_t c = 0; c < count; c++) {
            char cell[CELL_BYTES];

            cell_print(json_object_get(json_array_get(rows, i), keys[c]), cell, sizeof cell);
            if ((int)strlen(cell) > widths[c])
                widths[c] = (int)strlen(cell);
        }
    return count;
}

/* Numbers stand to the right. */
static void table_cell(FILE *file, const char *cell, int width, bool right, bool last)
{
    if (right)
        fprintf(file, "%*s", width, cell);
    else
        fprintf(file, "%-*s", last ? 0 : width, cell);
    fputs(last ? "\n" : "  ", file);
}

/* A column with numbers, though some of its cells may say that there is none. */
static bool has_numbers(const json_t *rows, const char *key)
{
    for (size_t i = 0; i < json_array_size(rows); i++) {
        const json_t *value = json_object_get(json_array_get(rows, i), key);

        if (json_is_integer(value) || json_is_boolean(value))
            return true;
    }
    return false;
}

static void table_print(FILE *file, const json_t *view)
{
    const json_t *rows = json_object_get(view, "rows");
    const char *keys[COLUMNS_MAX];
    int widths[COLUMNS_MAX];
    const uint32_t count = table_columns(view, keys, widths);
    char cell[CELL_BYTES];
    bool right[COLUMNS_MAX];

    for (uint32_t c = 0; c < count; c++) {
        right[c] = has_numbers(rows, keys[c]);
        (void)snprintf(cell, sizeof cell, "%s%s", keys[c], is_marked(view, keys[c]) ? "*" : "");
        table_cell(file, cell, widths[c], right[c], c + 1 == count);
    }
    for (size_t i = 0; i < json_array_size(rows); i++)
        for (uint32_t c = 0; c < count; c++) {
            cell_print(json_object_get(json_array_get(rows, i), keys[c]), cell, sizeof cell);
            table_cell(file, cell, widths[c], right[c], c + 1 == count);
        }
    if (count == 0)
        fputs("(nothing)\n", file);
}

void inspect_print(FILE *file, const struct inspect_view *view, const json_t *json)
{
    const json_t *note;
    size_t i;

    if (view->print)
        view->print(file, json);
    else
        table_print(file, json);
    if (!view->print && json_object_get(json, "not_in_registers"))
        fputs("* no register shows it: the model's state\n", file);
    json_array_foreach(json_object_get(json, "notes"), i, note)
    {
        fprintf(file, "%s\n", json_string_value(note));
    }
}
