/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/reg.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

/* A single register needs no stride.  Nearly all rows that are looked at are of other registers. */
static bool reg_is_at(const struct reg_row *row, uint32_t offset, uint32_t *index)
{
    const uint32_t at = offset - row->number;

    if (at != 0 && (offset < row->number || row->count <= 1))
        return false;
    *index = at != 0 ? at / row->stride_bytes : 0;
    return at == *index * row->stride_bytes && *index < row->count;
}

const struct reg_row *reg_find(const struct reg_list *list, uint32_t variants, uint32_t offset,
                               uint32_t *index)
{
    for (uint32_t i = 0; i < list->row_count; i++)
        if (list->rows[i].kind == ROW_REG && reg_is_at(&list->rows[i], offset, index) &&
            (list->rows[i].variants & variants))
            return &list->rows[i];
    return NULL;
}

const struct reg_row *reg_by_name(const struct reg_list *list, uint32_t variants, const char *name)
{
    for (uint32_t i = 0; i < list->row_count; i++)
        if (list->rows[i].kind == ROW_REG && (list->rows[i].variants & variants) &&
            strcasecmp(list->rows[i].name, name) == 0)
            return &list->rows[i];
    return NULL;
}

const struct reg_row *reg_next_field(const struct reg_list *list, uint32_t variants,
                                     const struct reg_row *row)
{
    const struct reg_row *end = list->rows + list->row_count;

    for (row++; row < end && row->kind != ROW_REG; row++)
        if (row->kind == ROW_FIELD && (row->variants & variants))
            return row;
    return NULL;
}

static void reg_add_mask(struct reg_masks *masks, uint8_t access, uint32_t bits)
{
    if (access == REG_RW || access == REG_HOOK || access == REG_INERT)
        masks->stored |= bits;
    if (access == REG_W1C || access == REG_CLEAR)
        masks->cleared |= bits;
    if (access == REG_SET)
        masks->set |= bits;
    if (access != REG_WO)
        masks->readable |= bits;
    if (access == REG_INERT)
        masks->inert |= bits;
}

struct reg_masks reg_masks(const struct reg_list *list, uint32_t variants,
                           const struct reg_row *row)
{
    struct reg_masks masks = {0, 0, 0, 0, 0, 0};
    uint32_t in_fields = 0, index;

    for (const struct reg_row *field = row;
         (field = reg_next_field(list, variants, field)) != NULL;) {
        const uint32_t bits = UINT32_MAX >> (31 - (field->hi - field->lo)) << field->lo;

        reg_add_mask(&masks, field->access == REG_SAME ? row->access : field->access, bits);
        in_fields |= bits;
    }
    if (!list->complete || in_fields == 0)
        reg_add_mask(&masks, row->access, ~in_fields);
    else if (row->access != REG_W1C && row->access != REG_CLEAR && row->access != REG_SET)
        masks.reserved = ~in_fields;
    if (row->access == REG_SET || row->access == REG_CLEAR) {
        const struct reg_row *held = reg_find(list, variants, row->reset, &index);

        if (held && held->access == REG_RO)
            masks.readable = 0;
    }
    return masks;
}

const char *reg_short_name(const char *name, const char *prefix)
{
    const size_t length = strlen(prefix);

    if (strncmp(name, prefix, length) != 0 || name[length] != '_')
        return name;
    return name + length + (name[length + 1] == '_' ? 2 : 1);
}

const char *reg_value_name(const struct reg_list *list, const struct reg_row *field, uint32_t value)
{
    const struct reg_row *end = list->rows + list->row_count;

    for (const struct reg_row *row = field + 1; row < end && row->kind == ROW_VALUE; row++)
        if (row->number == value)
            return reg_short_name(row->name, field->name);
    return NULL;
}

void reg_format(const struct reg_list *list, uint32_t variants, const struct reg_row *row,
                uint32_t index, uint32_t value, char *text, size_t text_bytes)
{
    if (text_bytes == 0)
        return;
    if (row->count > 1)
        (void)snprintf(text, text_bytes, "%s(%u)=%08x", row->name, index, value);
    else
        (void)snprintf(text, text_bytes, "%s=%08x", row->name, value);
    for (const struct reg_row *field = row;
         (field = reg_next_field(list, variants, field)) != NULL;) {
        const uint32_t part = reg_get(value, field->hi, field->lo);
        const char *name = reg_value_name(list, field, part);
        const size_t used = strlen(text);

        (void)snprintf(text + used, text_bytes - used, " %s=%u%s%s%s",
                       reg_short_name(field->name, row->name), part, name ? "(" : "",
                       name ? name : "", name ? ")" : "");
    }
}
