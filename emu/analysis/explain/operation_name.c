/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/explain/operation_name.h"

#include <string.h>

#include "emu/base/args.h"

/* A decimal number up to `end`, which is a character or 0; moves *text behind it. */
static bool number_take(const char **text, char end, uint64_t *value)
{
    char digits[24];
    size_t length = 0;

    while ((*text)[length] >= '0' && (*text)[length] <= '9')
        length++;
    if (length == 0 || length >= sizeof digits || (*text)[length] != end)
        return false;
    memcpy(digits, *text, length);
    digits[length] = 0;
    *text += length + (end != 0);
    return args_parse_number(digits, value);
}

/* A block's number, to the end of the text. */
static bool block_take(const char *text, struct operation_name *name)
{
    uint64_t block;

    if (!number_take(&text, 0, &block) || block > UINT32_MAX)
        return false;
    name->block = (uint32_t)block;
    name->has_block = true;
    return true;
}

/* 0:17, or 0.2:17 of a channel whose number is bound for the third time */
static bool entry_take(const char *text, struct operation_name *name)
{
    const char *plain = text;

    if (number_take(&plain, ':', &name->channel))
        return number_take(&plain, 0, &name->number);
    return number_take(&text, '.', &name->channel) && number_take(&text, ':', &name->binding) &&
           number_take(&text, 0, &name->number);
}

/* What follows the kind's name and a colon. */
static bool numbered_take(const char *text, struct operation_name *name)
{
    const char *whole = text;

    if (name->kind == EXPLAIN_ENTRY)
        return entry_take(text, name);
    if (name->kind == EXPLAIN_BLOCK) {
        name->kind = EXPLAIN_LAUNCH;
        return number_take(&text, '.', &name->number) && block_take(text, name);
    }
    if (number_take(&whole, 0, &name->number))
        return true;
    return name->kind == EXPLAIN_LAUNCH && number_take(&text, ':', &name->number) &&
           block_take(text, name);
}

/* The kind that the name begins with, before a colon; EXPLAIN_KINDS: none. */
static enum explain_kind kind_of(const char *text)
{
    for (uint32_t i = 0; i < EXPLAIN_KINDS; i++) {
        const char *kind = explain_kind_name((enum explain_kind)i);

        if (strncmp(kind, text, strlen(kind)) == 0 && text[strlen(kind)] == ':')
            return (enum explain_kind)i;
    }
    return EXPLAIN_KINDS;
}

/* K1, C2, D3: letter and number, up to `bytes`. */
static bool turn_take(const char *text, struct operation_name *name)
{
    static const char letters[EXPLAIN_KINDS + 1] = "--KDC--";
    const char *letter = *text == '-' || *text == 0 ? NULL : strchr(letters, *text);
    const char *number = text + 1;
    const char end = text[name->bytes];

    if (!letter || !number_take(&number, end, &name->number) ||
        number != text + name->bytes + (end != 0))
        return false;
    name->kind = (enum explain_kind)(letter - letters);
    return true;
}

bool operation_name_read(const char *text, struct operation_name *name)
{
    const char *colon = strrchr(text, ':');

    *name = (struct operation_name){.form = OPERATION_BY_NUMBER, .kind = kind_of(text)};
    name->bytes = strlen(text);
    if (name->kind != EXPLAIN_KINDS)
        return numbered_take(strchr(text, ':') + 1, name);
    name->form = OPERATION_BY_LABEL;
    if (colon && block_take(colon + 1, name))
        name->bytes = (size_t)(colon - text);
    if (turn_take(text, name))
        name->form = OPERATION_BY_TURN;
    return name->bytes > 0;
}

bool operation_name_is_number(const char *text)
{
    return kind_of(text) != EXPLAIN_KINDS;
}
