/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/reg_assign.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/args.h"

enum { INDICES_MAX = 2, NAME_BYTES = 96 };

struct parser {
    const struct mmio *mmio;
    const char *at;
    struct reg_assign *assign;
    struct reg_assign_message *message;
};

static bool wrong(struct parser *parser, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static bool wrong(struct parser *parser, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(parser->message->text, sizeof parser->message->text, format, arguments);
    va_end(arguments);
    return false;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void skip_blanks(struct parser *parser)
{
    while (*parser->at == ' ' || *parser->at == '\t')
        parser->at++;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A name or number; false when there is none. */
static bool take_word(struct parser *parser, char word[NAME_BYTES], const char *what)
{
    size_t bytes = 0;

    skip_blanks(parser);
    while (is_word(parser->at[bytes]))
        bytes++;
    if (bytes == 0)
        return wrong(parser, "%s was expected%s%.24s", what, *parser->at ? " before " : "",
                     parser->at);
    if (bytes >= NAME_BYTES)
        return wrong(parser, "'%.24s...' is too long for a name", parser->at);
    memcpy(word, parser->at, bytes);
    word[bytes] = '\0';
    parser->at += bytes;
    return true;
}

static bool take_sign(struct parser *parser, char sign)
{
    skip_blanks(parser);
    if (*parser->at != sign)
        return false;
    parser->at++;
    return true;
}

static bool take_number(struct parser *parser, uint64_t highest, uint32_t *value)
{
    char word[NAME_BYTES];
    uint64_t wide;

    if (!take_word(parser, word, "a number"))
        return false;
    if (!args_parse_number(word, &wide))
        return wrong(parser, "'%s' is not a number", word);
    if (wide > highest)
        return wrong(parser, "%s is more than 0x%" PRIx64, word, highest);
    *value = (uint32_t)wide;
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

/* The register of that name that the window's generation has. */
static const struct reg_row *register_row(const struct mmio_window *window, const char *name)
{
    const struct reg_list *list = window->list;

    for (uint32_t i = 0; i < list->row_count; i++)
        if (list->rows[i].kind == ROW_REG && (list->rows[i].variants & window->variants) &&
            strcmp(list->rows[i].name, name) == 0)
            return &list->rows[i];
    return NULL;
}

/* The window with the register, the n-th or that of an instance; *count is how many there are. */
static const struct mmio_window *register_window(const struct mmio *mmio, const char *name,
                                                 const uint32_t *instance, uint32_t *count)
{
    const struct mmio_window *found = NULL, *last = NULL;
    const struct reg_row *row = NULL;

    *count = 0;
    for (uint32_t i = 0; i < mmio->window_count; i++) {
        const struct mmio_window *window = &mmio->windows[i];

        /* Like units stand side by side: their list is searched once. */
        if (!last || window->list != last->list || window->variants != last->variants)
            row = register_row(window, name);
        last = window;
        if (!row || !mmio_has(window, row->number))
            continue;
        (*count)++;
        if (!found || (instance && window->instance == *instance))
            found = window;
    }
    return found && instance && found->instance != *instance ? NULL : found;
}

/* [i] or (i), any number of times up to INDICES_MAX. */
static bool take_indices(struct parser *parser, uint32_t indices[INDICES_MAX], uint32_t *count)
{
    for (*count = 0;; (*count)++) {
        const char *from = parser->at;
        const bool round = !take_sign(parser, '[');

        if (round && !take_sign(parser, '(')) {
            parser->at = from;
            return true;
        }
        if (*count == INDICES_MAX)
            return wrong(parser, "more than %d indices", INDICES_MAX);
        if (!take_number(parser, UINT32_MAX, &indices[*count]))
            return false;
        if (!take_sign(parser, round ? ')' : ']'))
            return wrong(parser, "'%c' is missing after an index", round ? ')' : ']');
    }
}

/* The indices say which of several like units, then which of an array. */
static bool place_indexed(struct parser *parser, const char *name, const uint32_t *indices,
                          uint32_t index_count)
{
    uint32_t windows, used = 0;
    const struct mmio_window *window = register_window(parser->mmio, name, NULL, &windows);
    const struct reg_row *row;
    bool by_unit;

    if (!window)
        return wrong(parser, "this GPU has no register '%s' (gfe regs lists names)", name);
    row = register_row(window, name);
    by_unit = windows > 1 || index_count > (row->count > 1);
    if (by_unit && index_count == 0)
        return wrong(parser, "%u units have %s: write %s[i]", windows, name, name);
    if (by_unit) {
        window = register_window(parser->mmio, name, &indices[used++], &windows);
        if (!window)
            return wrong(parser, "there is no unit %u with %s", indices[0], name);
    }
    parser->assign->index = 0;
    if (row->count > 1 && used == index_count)
        return wrong(parser, "there are %u registers %s%s: one more index is needed", row->count,
                     name, by_unit ? "[i]" : "");
    if (row->count > 1)
        parser->assign->index = indices[used++];
    if (used != index_count)
        return wrong(parser, "%s has not so many indices", name);
    if (parser->assign->index >= row->count ||
        !mmio_has(window, row->number + (uint64_t)parser->assign->index * row->stride_bytes))
        return wrong(parser, "%s has no index %u: there are %u", name, parser->assign->index,
                     row->count);
    parser->assign->row = row;
    parser->assign->list = window->list;
    parser->assign->variants = window->variants;
    parser->assign->offset = window->base + row->number + parser->assign->index * row->stride_bytes;
    return true;
}

bool reg_assign_find(const struct mmio *mmio, uint32_t offset, struct reg_assign *assign)
{
    *assign = (struct reg_assign){.offset = offset};
    for (uint32_t i = 0; i < mmio->window_count; i++) {
        const struct mmio_window *window = &mmio->windows[i];

        if (offset < window->base || !mmio_has(window, offset - window->base))
            continue;
        assign->list = window->list;
        assign->variants = window->variants;
        assign->row =
            reg_find(window->list, window->variants, offset - window->base, &assign->index);
    }
    return assign->row != NULL;
}

/* A name with indices, or an offset. */
static bool take_place(struct parser *parser)
{
    uint32_t indices[INDICES_MAX], count;
    char name[NAME_BYTES];
    uint64_t offset;

    if (!take_word(parser, name, "a register"))
        return false;
    if (!isdigit((unsigned char)name[0]))
        return take_indices(parser, indices, &count) && place_indexed(parser, name, indices, count);
    if (!args_parse_number(name, &offset) || offset > UINT32_MAX)
        return wrong(parser, "'%s' is neither a register nor a BAR0 offset", name);
    if (offset % 4)
        return wrong(parser, "registers lie at multiples of 4: %s does not", name);
    (void)reg_assign_find(parser->mmio, (uint32_t)offset, parser->assign);
    return true;
}

/* ---- fields ---------------------------------------------------------------------------------- */

/* Is it the row's name, or the part of it behind the prefix?  (AMD's have two underscores there.)
 */
static bool row_is(const struct reg_row *row, const char *prefix, const char *name)
{
    return strcmp(row->name, name) == 0 || strcmp(reg_short_name(row->name, prefix), name) == 0;
}

static const struct reg_row *field_row(const struct reg_assign *assign, const char *name)
{
    const struct reg_row *row = assign->row;

    while ((row = reg_next_field(assign->list, assign->variants, row)) != NULL)
        if (row_is(row, assign->row->name, name))
            return row;
    return NULL;
}

/* A number that fits the field, or the name of a value. */
static bool take_field_value(struct parser *parser, const struct reg_row *field, uint32_t *value)
{
    const struct reg_row *end = parser->assign->list->rows + parser->assign->list->row_count;
    const uint32_t highest = UINT32_MAX >> (31 - (field->hi - field->lo));
    char word[NAME_BYTES];
    uint64_t wide;

    if (!take_word(parser, word, "a value"))
        return false;
    if (!isdigit((unsigned char)word[0])) {
        for (const struct reg_row *row = field + 1; row < end && row->kind == ROW_VALUE; row++)
            if ((row->variants & parser->assign->variants) && row_is(row, field->name, word)) {
                *value = row->number;
                return true;
            }
        return wrong(parser, "%s has no value '%s'", field->name, word);
    }
    if (!args_parse_number(word, &wide))
        return wrong(parser, "'%s' is not a number", word);
    if (wide > highest)
        return wrong(parser, "%s is more than the %u bits of %s hold", word,
                     field->hi - field->lo + 1u, field->name);
    *value = (uint32_t)wide;
    return true;
}

/* FIELD=VALUE, added to value and mask. */
static bool take_field(struct parser *parser)
{
    struct reg_assign *assign = parser->assign;
    const struct reg_row *field;
    uint32_t value = 0, bits;
    char name[NAME_BYTES];

    if (!take_word(parser, name, "a field"))
        return false;
    if (!assign->row)
        return wrong(parser, "no list has a register at 0x%x, so it has no field '%s'",
                     assign->offset, name);
    field = field_row(assign, name);
    if (!field)
        return wrong(parser, "%s has no field '%s'", assign->row->name, name);
    if (!take_sign(parser, '='))
        return wrong(parser, "'=' was expected after %s", name);
    if (!take_field_value(parser, field, &value))
        return false;
    bits = reg_put(0, field->hi, field->lo, UINT32_MAX >> (31 - (field->hi - field->lo)));
    if (assign->mask & bits)
        return wrong(parser, "%s overlaps a field that was said before", name);
    assign->mask |= bits;
    assign->value |= value << field->lo;
    return true;
}

/* ---- assignments ----------------------------------------------------------------------------- */

static bool at_end(struct parser *parser)
{
    skip_blanks(parser);
    return *parser->at == '\0';
}

static bool no_rest(struct parser *parser)
{
    return at_end(parser) || wrong(parser, "'%.24s' is too much", parser->at);
}

static bool take_fields(struct parser *parser)
{
    do
        if (!take_field(parser))
            return false;
    while (!at_end(parser));
    parser->assign->mask = UINT32_MAX;
    return true;
}

static bool parser_start(struct parser *parser, const char *text)
{
    *parser->assign = (struct reg_assign){0};
    parser->message->text[0] = '\0';
    if (strlen(text) >= REG_ASSIGN_BYTES)
        return wrong(parser, "the text is longer than %d characters", REG_ASSIGN_BYTES - 1);
    for (const char *c = text; *c; c++)
        if (!isprint((unsigned char)*c) && *c != '\t')
            return wrong(parser, "a character that cannot be printed");
    return true;
}

bool reg_assign_parse(const struct mmio *mmio, const char *text, struct reg_assign *assign,
                      struct reg_assign_message *message)
{
    struct parser parser = {.mmio = mmio, .at = text, .assign = assign, .message = message};

    if (!parser_start(&parser, text) || !take_place(&parser))
        return false;
    if (take_sign(&parser, '.'))
        return take_field(&parser) && no_rest(&parser);
    if (take_sign(&parser, '=')) {
        assign->mask = UINT32_MAX;
        return take_number(&parser, UINT32_MAX, &assign->value) && no_rest(&parser);
    }
    if (at_end(&parser))
        return wrong(&parser, "'= VALUE' is missing");
    return take_fields(&parser);
}

/* ---- by name --------------------------------------------------------------------------------- */

bool reg_assign_named(const struct mmio *mmio, const char *name, uint32_t instance, uint32_t index,
                      struct reg_assign *assign)
{
    uint32_t windows;
    const struct mmio_window *window =
        register_window(mmio, name, instance == REG_ASSIGN_ANY_UNIT ? NULL : &instance, &windows);
    const struct reg_row *row = window ? register_row(window, name) : NULL;
    uint64_t at;

    *assign = (struct reg_assign){0};
    if (!row || index >= row->count)
        return false;
    at = row->number + (uint64_t)index * row->stride_bytes;
    if (!mmio_has(window, at))
        return false;
    *assign = (struct reg_assign){.offset = window->base + (uint32_t)at,
                                  .row = row,
                                  .list = window->list,
                                  .variants = window->variants,
                                  .index = index};
    return true;
}

bool reg_assign_next(const struct mmio *mmio, struct reg_assign *assign)
{
    const uint64_t offset = (uint64_t)assign->offset + assign->row->stride_bytes;

    if (assign->index + 1 >= assign->row->count)
        return false;
    for (uint32_t i = 0; i < mmio->window_count; i++) {
        const struct mmio_window *window = &mmio->windows[i];

        if (window->list != assign->list || assign->offset < window->base ||
            !mmio_has(window, assign->offset - window->base))
            continue;
        if (!mmio_has(window, offset - window->base))
            return false;
        assign->offset = (uint32_t)offset;
        assign->index++;
        return true;
    }
    return false;
}

bool reg_assign_field(const struct reg_assign *assign, uint32_t word, const char *field,
                      uint32_t *value)
{
    const struct reg_row *row = assign->row ? field_row(assign, field) : NULL;

    *value = row ? reg_get(word, row->hi, row->lo) : 0;
    return row != NULL;
}

uint32_t reg_assign_put(const struct reg_assign *assign, uint32_t word, const char *field,
                        uint32_t value)
{
    const struct reg_row *row = assign->row ? field_row(assign, field) : NULL;

    return row ? reg_put(word, row->hi, row->lo, value) : word;
}
