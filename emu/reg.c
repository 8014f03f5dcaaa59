/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/reg.h"

#include <stdio.h>
#include <string.h>

/* A single register needs no stride. */
static bool reg_is_at(const struct reg_row *row, uint32_t offset, uint32_t *index)
{
    const uint32_t at = offset - row->number;

    if (row->kind != ROW_REG || offset < row->number)
        return false;
    *index = row->count > 1 ? at / row->stride_bytes : 0;
    return at == *index * row->stride_bytes && *index < row->count;
}

const struct reg_row *reg_find(const struct reg_list *list, uint32_t offset, uint32_t *index)
{
    for (uint32_t i = 0; i < list->row_count; i++)
        if (reg_is_at(&list->rows[i], offset, index))
            return &list->rows[i];
    return NULL;
}

/* The part of a field's name that its register's name does not say already. */
static const char *reg_short_name(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);

    return strncmp(name, prefix, length) == 0 && name[length] == '_' ? name + length + 1 : name;
}

static const char *reg_value_name(const struct reg_list *list, const struct reg_row *field,
                                  uint32_t value)
{
    const struct reg_row *end = list->rows + list->row_count;

    for (const struct reg_row *row = field + 1; row < end && row->kind == ROW_VALUE; row++)
        if (row->number == value)
            return reg_short_name(row->name, field->name);
    return NULL;
}

void reg_format(const struct reg_list *list, const struct reg_row *row, uint32_t index,
                uint32_t value, char *text, size_t text_bytes)
{
    const struct reg_row *end = list->rows + list->row_count;

    if (text_bytes == 0)
        return;
    if (row->count > 1)
        (void)snprintf(text, text_bytes, "%s(%u)=%08x", row->name, index, value);
    else
        (void)snprintf(text, text_bytes, "%s=%08x", row->name, value);
    for (const struct reg_row *field = row + 1; field < end && field->kind != ROW_REG; field++) {
        const uint32_t part = field->kind == ROW_FIELD ? reg_get(value, field->hi, field->lo) : 0;
        const char *name = field->kind == ROW_FIELD ? reg_value_name(list, field, part) : NULL;
        const size_t used = strlen(text);

        if (field->kind != ROW_FIELD)
            continue;
        (void)snprintf(text + used, text_bytes - used, " %s=%u%s%s%s",
                       reg_short_name(field->name, row->name), part, name ? "(" : "",
                       name ? name : "", name ? ")" : "");
    }
}
