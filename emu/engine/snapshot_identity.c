/* SPDX-License-Identifier: MIT */
/* What a snapshot was taken of, and whether a machine is the same: see emu/snapshot.h. */
#include <config.h>

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/digest.h"
#include "emu/engine/snapshot.h"

void snapshot_identity_add(struct snapshot_identity *identity, const char *key, const char *value)
{
    struct snapshot_text *text = &identity->texts[identity->count++];

    assert(identity->count <= SNAPSHOT_TEXTS_MAX);
    (void)snprintf(text->key, sizeof text->key, "%s", key);
    (void)snprintf(text->value, sizeof text->value, "%s", value);
}

static const char *identity_value(const struct snapshot_identity *identity, const char *key)
{
    for (uint32_t i = 0; i < identity->count; i++)
        if (strcmp(identity->texts[i].key, key) == 0)
            return identity->texts[i].value;
    return NULL;
}

bool snapshot_identity_fits(const struct snapshot_identity *snapshot,
                            const struct snapshot_identity *machine, const char *name,
                            struct gfe_error *error)
{
    for (uint32_t i = 0; i < machine->count; i++) {
        const char *key = machine->texts[i].key, *wanted = machine->texts[i].value;
        const char *found = identity_value(snapshot, key);

        if (found && strcmp(found, wanted) != 0 && strcmp(key, "layout") == 0)
            return error_set(error, ERROR_INPUT,
                             "%s: does not fit this run: it was taken with other parameters or "
                             "policies, or by another build of gfe",
                             name);
        if (!found || strcmp(found, wanted) != 0)
            return error_set(error, ERROR_INPUT,
                             "%s: does not fit this run: it was taken with %s %s, this one has %s",
                             name, key, found ? found : "(none)", wanted);
    }
    if (snapshot->count != machine->count)
        return error_set(error, ERROR_INPUT, "%s: does not fit this run: it names more than that",
                         name);
    return true;
}

/* ---- layout ---------------------------------------------------------------------------------- */

static void hash_number(struct digest *context, uint64_t number)
{
    uint8_t bytes[8];

    for (unsigned i = 0; i < 8; i++)
        bytes[i] = (uint8_t)(number >> (8 * i));
    digest_add(context, bytes, sizeof bytes);
}

static void hash_text(struct digest *context, const char *text)
{
    const size_t bytes = strlen(text);

    hash_number(context, bytes);
    digest_add(context, (const uint8_t *)text, bytes);
}

/* Names and numbers of all rows, and the parameters and choices that this machine has. */
static void hash_tables(struct digest *context, const struct machine *machine,
                        const struct table_set *tables)
{
    hash_number(context, tables->base);
    hash_number(context, tables->rule_count);
    for (uint32_t i = 0; i < tables->rule_count; i++)
        hash_text(context, tables->rules[i].label ? tables->rules[i].label : "");
    hash_number(context, tables->event_count);
    for (uint32_t i = 0; i < tables->event_count; i++)
        hash_text(context, tables->events[i].name ? tables->events[i].name : "");
    hash_number(context, tables->parameter_count);
    for (uint32_t i = 0; i < tables->parameter_count; i++) {
        hash_text(context, tables->parameters[i].id);
        hash_number(context, machine->parameters[tables->base + i]);
    }
    hash_number(context, tables->choice_count);
    for (uint32_t i = 0; i < tables->choice_count; i++) {
        hash_text(context, tables->choices[i].id);
        hash_number(context, machine->choices[tables->base + i]);
    }
}

void snapshot_identity_add_layout(struct snapshot_identity *identity, const struct machine *machine)
{
    const uint32_t order = 0x01020304;
    char hex[65];
    struct digest context;

    digest_start(&context);
    digest_add(&context, (const uint8_t *)&order, sizeof order);
    hash_number(&context, machine->arena.used_bytes);
    hash_number(&context, machine->arena.layout);
    hash_number(&context, machine->config.vram_bytes);
    hash_number(&context, machine->config.sysmem_bytes);
    for (uint32_t i = 0; i < machine->unit_count; i++)
        hash_text(&context, machine->units[i].name);
    for (uint32_t i = 0; i < machine->table_count; i++)
        hash_tables(&context, machine, machine->tables[i]);
    digest_end_hex(&context, hex);
    snapshot_identity_add(identity, "layout", hex);
}

/* ---- contents -------------------------------------------------------------------------------- */

/* Copies what the arena holds at an offset. */
static void image_bytes(const struct arena_image *image, size_t offset, uint8_t *to, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const struct arena_page *page = image->pages[(offset + i) / ARENA_PAGE_BYTES];

        to[i] = page ? page->data[(offset + i) % ARENA_PAGE_BYTES] : 0;
    }
}

bool snapshot_fits(const struct machine_snapshot *snapshot, const struct machine *machine,
                   const char *name, struct gfe_error *error)
{
    struct event_log_cursor cursor;
    bool fits = snapshot->arena->used_bytes == machine->arena.used_bytes;

    for (uint32_t i = 0; i < MEMORY_APERTURE_COUNT; i++)
        fits &= memory_image_aperture_bytes(snapshot->memory, (enum memory_aperture)i) ==
                machine->memory.size_bytes[i];
    if (!fits)
        return error_set(error, ERROR_INPUT, "%s: of a machine with other sizes", name);
    image_bytes(snapshot->arena,
                (size_t)((const uint8_t *)machine->log.cursor - machine->arena.base),
                (uint8_t *)&cursor, sizeof cursor);
    if (!event_log_image_fits(snapshot->log, &cursor))
        return error_set(error, ERROR_INPUT,
                         "%s: its event log is not the one that its state goes on from", name);
    return true;
}
