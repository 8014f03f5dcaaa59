/* SPDX-License-Identifier: MIT */
/* Registers and pieces of memory as people name them in a session. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "emu/base/args.h"
#include "emu/faults/inject.h"
#include "emu/engine/inspect_regs.h"
#include "emu/sim/gpus.h"

static const struct inject_sites *sites_of(const struct debug *debug)
{
    return debug->simulation.ops->vendor->sites;
}

/* What stands before a slash names a bank. */
static const char *bank_take(struct debug *debug, const char *text, uint32_t *bank,
                             struct gfe_error *error)
{
    const struct inject_sites *sites = sites_of(debug);
    const char *rest;

    *bank = INJECT_NO_BANK;
    if (!strchr(text, '/'))
        return text;
    rest = sites->bank_parse ? sites->bank_parse(debug->machine, text, bank) : NULL;
    if (!rest)
        error_set(error, ERROR_INPUT, "'%.80s': %s%s", text,
                  sites->bank_parse ? "before a register's name stands "
                                    : "there are no slots here",
                  sites->bank_parse ? sites->bank_form : "");
    return rest;
}

bool debug_place_register(struct debug *debug, const char *text, struct debug_place *place,
                          struct gfe_error *error)
{
    struct reg_assign_message message = {0};
    char assignment[DEBUG_TEXT_BYTES + 8];
    const char *name;

    *place = (struct debug_place){.is_register = true, .bytes = 4};
    name = bank_take(debug, text, &place->bank, error);
    if (!name)
        return false;
    (void)snprintf(assignment, sizeof assignment, "%.*s = 0", DEBUG_TEXT_BYTES, name);
    if (!reg_assign_parse(&debug->machine->mmio, assignment, &place->reg, &message))
        return error_set(error, ERROR_INPUT, "%s", message.text);
    return place->reg.row != NULL ||
           error_set(error, ERROR_INPUT, "no register is at 0x%x", place->reg.offset);
}

/* ---- memory ---------------------------------------------------------------------------------- */

/* Where a virtual address leads; the machine is put back, for a look fills what the MMU keeps. */
static bool place_translate(struct debug *debug, uint32_t space_id, uint64_t va,
                            struct debug_place *place, struct gfe_error *error)
{
    struct machine_snapshot *snapshot = debug_hold(debug, error);
    struct address_space_range where;
    uint64_t contiguous = 0;
    bool found;

    if (!snapshot)
        return false;
    found = address_space_translate(&debug->machine->spaces, space_id, va, &where, &contiguous);
    if (!debug_put_back(debug, snapshot, error))
        return false;
    if (!found || contiguous < place->bytes)
        return error_set(error, ERROR_INPUT,
                         "%u:0x%" PRIx64 ": nothing is mapped there now, or not %u bytes in one "
                         "piece",
                         space_id, va, place->bytes);
    place->aperture = where.aperture;
    place->address = where.physical;
    return true;
}

bool debug_place_memory(struct debug *debug, const char *text, uint32_t bytes,
                        struct debug_place *place, struct gfe_error *error)
{
    const char *colon = strchr(text, ':');
    uint64_t space = 0;
    char word[32] = "";

    *place = (struct debug_place){.bytes = bytes};
    if (colon && (size_t)(colon - text) < sizeof word)
        (void)snprintf(word, sizeof word, "%.*s", (int)(colon - text), text);
    if (!colon || !args_parse_number(colon + 1, &place->address))
        return error_set(error, ERROR_INPUT,
                         "'%.80s' is no place in memory: vid:ADDRESS, sys:ADDRESS or "
                         "SPACE:ADDRESS, of an address space by its number",
                         text);
    if (strcmp(word, "vid") == 0 || strcmp(word, "sys") == 0) {
        place->aperture = word[0] == 'v' ? MEMORY_VRAM : MEMORY_SYSMEM;
        return (place->address < debug->machine->memory.size_bytes[place->aperture] &&
                debug->machine->memory.size_bytes[place->aperture] - place->address >= bytes) ||
               error_set(error, ERROR_INPUT, "%s: lies beyond the end of that memory", text);
    }
    if (!args_parse_number(word, &space) || space >= debug->machine->spaces.state->space_count)
        return error_set(error, ERROR_INPUT, "'%s': there are %u address spaces, from 0", word,
                         debug->machine->spaces.state->space_count);
    return place_translate(debug, (uint32_t)space, place->address, place, error);
}

/* ---- what is there --------------------------------------------------------------------------- */

static uint32_t register_read(struct debug *debug, const struct debug_place *place)
{
    const struct inject_sites *sites = sites_of(debug);
    uint32_t before, word;

    if (place->bank == INJECT_NO_BANK)
        return machine_read32(debug->machine, place->reg.offset);
    if (!sites->bank_select(debug->machine, place->bank, &before))
        return 0; /* the queue is in no slot now */
    word = machine_read32(debug->machine, place->reg.offset);
    (void)sites->bank_select(debug->machine, before, &before);
    return word;
}

void debug_place_read(struct debug *debug, const struct debug_place *place, uint8_t *to)
{
    memset(to, 0, place->bytes);
    if (place->is_register) {
        const uint32_t word = register_read(debug, place) & place->reg.mask;

        memcpy(to, &word, sizeof word);
    } else {
        (void)memory_read(&debug->machine->memory, place->aperture, place->address, to,
                          place->bytes);
    }
}

static void register_text(const struct debug_place *place, uint32_t word, char *text, size_t bytes)
{
    char fields[400];

    if (place->reg.mask != UINT32_MAX) {
        const uint32_t low = place->reg.mask ? (uint32_t)__builtin_ctz(place->reg.mask) : 0;

        (void)snprintf(text, bytes, "0x%x", word >> low);
        return;
    }
    inspect_fields_text(&place->reg, word, fields, sizeof fields);
    (void)snprintf(text, bytes, "0x%08x%s%s", word, fields[0] ? " " : "", fields);
}

void debug_place_text(const struct debug_place *place, const uint8_t *value, char *text,
                      size_t bytes)
{
    size_t used = 0;

    text[0] = '\0';
    if (place->is_register) {
        uint32_t word;

        memcpy(&word, value, sizeof word);
        register_text(place, word, text, bytes);
        return;
    }
    for (uint32_t i = 0; i + 4 <= place->bytes && used < bytes; i += 4) {
        uint32_t word;

        memcpy(&word, value + i, sizeof word);
        used += (size_t)snprintf(text + used, bytes - used, "%s%08x", i ? " " : "", word);
    }
}
