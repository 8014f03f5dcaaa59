/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/poke.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"

enum { POKE_DUE };

static void pokes_event(void *unit, const struct event *event);
static void pokes_start(void *unit);
static const struct unit_ops pokes_ops = {.event = pokes_event, .start = pokes_start};

/* ---- texts ----------------------------------------------------------------------------------- */

static bool poke_wrong(struct reg_assign_message *message, const char *what, const char *word)
{
    (void)snprintf(message->text, sizeof message->text, "%s%.64s", what, word);
    return false;
}

/* The word up to the next blank; returns what follows the blanks behind it. */
static const char *poke_word(const char *text, char *word, size_t bytes)
{
    const size_t length = strcspn(text, " \t");

    (void)snprintf(word, bytes, "%.*s", (int)(length < bytes ? length : bytes), text);
    return text + length + strspn(text + length, " \t");
}

/* ID or R:ID. */
static bool poke_target(const char *text, struct poke_target *target,
                        struct reg_assign_message *message)
{
    const char *colon = strchr(text, ':');
    uint64_t runlist_id = POKE_NO_RUNLIST, id;
    char word[32];

    if (colon) {
        (void)snprintf(word, sizeof word, "%.*s", (int)(colon - text < 31 ? colon - text : 31),
                       text);
        if (!args_parse_number(word, &runlist_id) || runlist_id >= POKE_NO_RUNLIST)
            return poke_wrong(message, "not the number of a runlist: ", word);
    }
    if (!args_parse_number(colon ? colon + 1 : text, &id) || id > UINT32_MAX)
        return poke_wrong(message, "not a number: ", colon ? colon + 1 : text);
    *target = (struct poke_target){(uint32_t)runlist_id, (uint32_t)id};
    return true;
}

static bool poke_verb_parse(const struct machine *machine, const char *rest, struct poke *poke,
                            struct reg_assign_message *message)
{
    char word[40];

    if (rest[0] == '\0') {
        (void)snprintf(message->text, sizeof message->text, "%s needs %s", poke->verb->name,
                       poke->verb->argument);
        return false;
    }
    rest = poke_word(rest, word, sizeof word);
    if (rest[0] != '\0')
        return poke_wrong(message, "this is too much: ", rest);
    return poke_target(word, &poke->target, message) &&
           poke->verb->check(machine, &poke->target, message);
}

bool poke_parse(const struct machine *machine, const struct poke_verb *verbs, uint32_t verb_count,
                const char *text, struct poke *poke, struct reg_assign_message *message)
{
    const char *rest = text + strspn(text, " \t"), *behind;
    char word[64];

    *poke = (struct poke){0};
    rest = poke_word(rest, word, sizeof word);
    if (!args_parse_time(word, &poke->at_ps))
        return poke_wrong(message, "a time such as 2ms comes first, not ", word);
    behind = poke_word(rest, word, sizeof word);
    for (uint32_t i = 0; i < verb_count; i++)
        if (strcmp(word, verbs[i].name) == 0) {
            poke->verb = &verbs[i];
            poke->verb_number = i + 1;
        }
    return poke->verb ? poke_verb_parse(machine, behind, poke, message)
                      : reg_assign_parse(&machine->mmio, rest, &poke->assign, message);
}

/* ---- wiring ---------------------------------------------------------------------------------- */

/* Puts the n-th text behind those that are as early. */
static void pokes_insert(struct pokes *pokes, const struct poke *poke, uint32_t index)
{
    uint32_t at = pokes->count;

    while (at > 0 && pokes->by_time[at - 1].at_ps > poke->at_ps) {
        pokes->by_time[at] = pokes->by_time[at - 1];
        pokes->index[at] = pokes->index[at - 1];
        at--;
    }
    pokes->by_time[at] = *poke;
    pokes->index[at] = index;
    pokes->count++;
}

static bool pokes_parse(struct pokes *pokes, const struct poke_verb *verbs, uint32_t verb_count,
                        const char *const *texts, uint32_t count, struct gfe_error *error)
{
    struct reg_assign_message message;
    struct poke poke;

    for (uint32_t i = 0; i < count; i++) {
        if (!poke_parse(pokes->machine, verbs, verb_count, texts[i], &poke, &message))
            return error_set(error, ERROR_USAGE, "--poke '%.200s': %s", texts[i], message.text);
        pokes_insert(pokes, &poke, i);
    }
    return true;
}

struct pokes *pokes_new(struct machine *machine, const struct poke_verb *verbs, uint32_t verb_count,
                        const char *const *texts, uint32_t count, struct gfe_error *error)
{
    struct pokes *pokes = calloc(1, sizeof *pokes);

    assert(count <= POKES_MAX && verb_count <= POKE_VERBS_MAX);
    if (pokes) {
        pokes->machine = machine;
        pokes->by_time = calloc(count, sizeof *pokes->by_time);
        pokes->index = calloc(count, sizeof *pokes->index);
    }
    if (!pokes || !pokes->by_time || !pokes->index) {
        error_set(error, ERROR_SYSTEM, "no memory for the pokes");
    } else if (pokes_parse(pokes, verbs, verb_count, texts, count, error)) {
        pokes->unit = machine_add_unit(machine, "poke", &pokes_ops, pokes);
        pokes->state = machine_alloc(machine, sizeof *pokes->state);
        return pokes;
    }
    pokes_free(pokes);
    return NULL;
}

void pokes_free(struct pokes *pokes)
{
    if (!pokes)
        return;
    free(pokes->by_time);
    free(pokes->index);
    free(pokes);
}

/* ---- running --------------------------------------------------------------------------------- */

static void pokes_schedule(struct pokes *pokes)
{
    if (pokes->state->next < pokes->count)
        machine_schedule(pokes->machine, pokes->unit, pokes->by_time[pokes->state->next].at_ps,
                         POKE_DUE, 0);
}

static void pokes_start(void *unit)
{
    pokes_schedule(unit);
}

uint32_t poke_read32(const struct pokes *pokes, uint32_t offset)
{
    return machine_read32(pokes->machine, offset);
}

void poke_write32(const struct pokes *pokes, uint32_t offset, uint32_t value)
{
    MACHINE_LOG_ORIGIN(pokes->machine, pokes->unit, EVENT_MMIO_WRITE, RULE_NONE, ORIGIN_POKE, 0,
                       offset, value);
    machine_write32(pokes->machine, offset, value);
}

static void poke_assign(const struct pokes *pokes, const struct reg_assign *assign)
{
    const uint32_t kept =
        assign->mask == UINT32_MAX ? 0 : poke_read32(pokes, assign->offset) & ~assign->mask;

    poke_write32(pokes, assign->offset, kept | assign->value);
}

static void pokes_event(void *unit, const struct event *event)
{
    struct pokes *pokes = unit;
    const uint32_t at = pokes->state->next;
    const struct poke *poke = &pokes->by_time[at];

    assert(event->kind == POKE_DUE && at < pokes->count);
    pokes->state->next++;
    MACHINE_LOG_ORIGIN(pokes->machine, pokes->unit, EVENT_POKE, RULE_NONE, ORIGIN_POKE,
                       pokes->index[at], poke->verb_number,
                       poke->verb ? poke->target.id : poke->assign.offset);
    if (poke->verb)
        poke->verb->run(pokes, &poke->target);
    else
        poke_assign(pokes, &poke->assign);
    pokes_schedule(pokes);
}
