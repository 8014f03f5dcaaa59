/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/inspect_regs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "emu/base/json_text.h"
#include "emu/base/args.h"

enum { TEXT_BYTES = 512 };

/* ---- registers as rows ----------------------------------------------------------------------- */

void inspect_fields_text(const struct reg_assign *reg, uint32_t word, char *text, size_t bytes)
{
    char whole[TEXT_BYTES];
    const char *space;

    reg_format(reg->list, reg->variants, reg->row, reg->index, word, whole, sizeof whole);
    space = strchr(whole, ' ');
    (void)snprintf(text, bytes, "%s", space ? space + 1 : "");
}

json_t *inspect_fields_json(const struct reg_assign *reg, uint32_t word)
{
    const struct reg_row *row = reg->row;
    json_t *fields = json_object();

    while (fields && (row = reg_next_field(reg->list, reg->variants, row)) != NULL) {
        fields = json_text_set(fields, reg_short_name(row->name, reg->row->name),
                               json_integer(reg_get(word, row->hi, row->lo)));
    }
    return fields;
}

json_t *inspect_register_row(struct machine *machine, const struct reg_assign *reg)
{
    const uint32_t word = machine_read32(machine, reg->offset);
    char name[128], text[TEXT_BYTES];

    if (reg->row->count > 1)
        (void)snprintf(name, sizeof name, "%s[%u]", reg->row->name, reg->index);
    else
        (void)snprintf(name, sizeof name, "%s", reg->row->name);
    inspect_fields_text(reg, word, text, sizeof text);
    return json_pack("{ss so so ss so}", "register", name, "offset",
                     json_sprintf("0x%06x", reg->offset), "value", json_sprintf("0x%08x", word),
                     "fields", text, "field_values", inspect_fields_json(reg, word));
}

void inspect_regs_print(FILE *file, const json_t *view)
{
    const json_t *row;
    size_t i;

    json_array_foreach(json_object_get(view, "rows"), i, row)
    {
        fprintf(file, "%s  %-36s %s", json_string_value(json_object_get(row, "offset")),
                json_string_value(json_object_get(row, "register")),
                json_string_value(json_object_get(row, "value")));
        if (json_string_value(json_object_get(row, "fields"))[0] != '\0')
            fprintf(file, "  %s", json_string_value(json_object_get(row, "fields")));
        fputc('\n', file);
    }
}

bool inspect_window_add(json_t *view, struct machine *machine, const struct mmio_window *window,
                        uint32_t *left_out)
{
    for (uint32_t i = 0; i < window->list->row_count; i++) {
        const struct reg_row *row = &window->list->rows[i];

        if (row->kind != ROW_REG || !(row->variants & window->variants))
            continue;
        for (uint32_t n = 0; n < row->count; n++) {
            const uint64_t at = row->number + (uint64_t)n * row->stride_bytes;
            struct reg_assign reg = {
                .row = row, .list = window->list, .variants = window->variants, .index = n};

            if (!mmio_has(window, at))
                continue;
            reg.offset = window->base + (uint32_t)at;
            if (row->count > 8 && machine_read32(machine, reg.offset) == row->reset) {
                ++*left_out;
                continue;
            }
            if (!inspect_add(view, inspect_register_row(machine, &reg)))
                return false;
        }
    }
    return true;
}

/* ---- any unit -------------------------------------------------------------------------------- */

/* "nv_pbdma" or "nv_pbdma[1]": name and instance (UINT32_MAX: all). */
static bool unit_parse(const char *argument, char name[64], uint32_t *instance)
{
    const size_t bytes = strcspn(argument, "[(");
    char number[16];
    uint64_t wide;

    *instance = UINT32_MAX;
    if (bytes >= 64)
        return false;
    (void)snprintf(name, 64, "%.*s", (int)bytes, argument);
    if (argument[bytes] == '\0')
        return true;
    (void)snprintf(number, sizeof number, "%.*s", (int)strcspn(argument + bytes + 1, "])"),
                   argument + bytes + 1);
    if (!args_parse_number(number, &wide) || wide >= UINT32_MAX)
        return false;
    *instance = (uint32_t)wide;
    return true;
}

/* The units that have registers, for a message. */
static json_t *no_unit(const struct inspect_subject *subject)
{
    const struct mmio *mmio = &subject->machine->mmio;
    char names[200] = "";
    size_t at = 0;

    for (uint32_t i = 0; i < mmio->window_count && at < sizeof names; i++) {
        const char *name = mmio->windows[i].list->name;

        if (!strstr(names, name))
            at += (size_t)snprintf(names + at, sizeof names - at, "%s%s", at ? ", " : "", name);
    }
    error_set(subject->error, ERROR_USAGE, "regs needs one of this GPU's units: %s", names);
    return NULL;
}

json_t *inspect_regs_build(const struct inspect_subject *subject)
{
    struct machine *machine = subject->machine;
    uint32_t instance, left_out = 0, found = 0;
    char name[64], note[120];
    json_t *view;
    bool good;

    if (!subject->argument || !unit_parse(subject->argument, name, &instance))
        return no_unit(subject);
    view = inspect_new("regs");
    good = view != NULL;
    for (uint32_t i = 0; i < machine->mmio.window_count && good; i++) {
        const struct mmio_window *window = &machine->mmio.windows[i];

        if (strcasecmp(window->list->name, name) != 0 ||
            (instance != UINT32_MAX && window->instance != instance))
            continue;
        found++;
        good = inspect_window_add(view, machine, window, &left_out);
    }
    if (good && found == 0) {
        json_decref(view);
        return no_unit(subject);
    }
    (void)snprintf(note, sizeof note,
                   "%u registers of arrays hold what they held after a reset: not shown", left_out);
    good = good && (left_out == 0 || inspect_note(view, note));
    return good ? view : inspect_no_memory(view, subject->error);
}
