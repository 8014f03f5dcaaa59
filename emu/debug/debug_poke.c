/* SPDX-License-Identifier: MIT */
/*
 * What a session changes: registers and memory, at a position of the run, again each time that it
 * comes there.  A poke is logged as those of gfe run are (POKE's number is its place in the
 * session), as of the first unit of the machine: a session is no unit.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "devices/nvidia/nv_inspect.h"
#include "emu/base/args.h"
#include "emu/faults/inject.h"
#include "emu/engine/poke.h"

static const char memory_word[] = "memory ";

/* memory PLACE = VALUE */
static bool memory_parse(struct debug *debug, const char *text, struct debug_place *place,
                         uint32_t *value, struct gfe_error *error)
{
    const char *equals = strchr(text, '=');
    char word[96];
    uint64_t wide;

    if (!equals)
        return error_set(error, ERROR_INPUT, "memory PLACE = VALUE is needed");
    (void)snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " ="), text);
    if (!debug_place_memory(debug, word, 4, place, error))
        return false;
    equals++;
    equals += strspn(equals, " ");
    if (!args_parse_number(equals, &wide) || wide > UINT32_MAX)
        return error_set(error, ERROR_INPUT, "'%.60s' is no number of 32 bits", equals);
    *value = (uint32_t)wide;
    return true;
}

/* As gfe run's, at no time. */
static bool register_parse(const struct debug *debug, const char *text, struct poke *poke,
                           struct gfe_error *error)
{
    const bool has_verbs = !debug->is_amd;
    struct reg_assign_message message = {0};
    char with_time[DEBUG_TEXT_BYTES + 8];

    (void)snprintf(with_time, sizeof with_time, "0 %s", text);
    return poke_parse(debug->machine, has_verbs ? nv_poke_verbs : NULL,
                      has_verbs ? nv_poke_verb_count : 0, with_time, poke, &message) ||
           error_set(error, ERROR_INPUT, "%s", message.text);
}

/* ---- doing it -------------------------------------------------------------------------------- */

static void log_begin(struct debug *debug, uint32_t number)
{
    MACHINE_LOG_ORIGIN(debug->machine, 0, EVENT_POKE, RULE_NONE, ORIGIN_POKE, number, 0, 0);
}

static void register_write(struct debug *debug, const struct reg_assign *assign)
{
    const struct pokes pokes = {.machine = debug->machine};
    uint32_t word = assign->value;

    if (assign->mask != UINT32_MAX)
        word |= machine_read32(debug->machine, assign->offset) & ~assign->mask;
    poke_write32(&pokes, assign->offset, word);
}

static void memory_poke(struct debug *debug, const struct debug_place *place, uint32_t value)
{
    MACHINE_LOG_ORIGIN(debug->machine, 0, EVENT_MEM_WRITE, RULE_NONE, ORIGIN_POKE, place->aperture,
                       place->address, sizeof value);
    (void)machine_write(debug->machine, place->aperture, place->address, &value, sizeof value);
}

/* Parses and, with `does`, does it.  A text that was good once is again, because the run is the
 * same.  Returns false with a message if it is bad, or if memory is short. */
static bool poke_make(struct debug *debug, const char *text, uint32_t number, bool does,
                      struct gfe_error *error)
{
    struct pokes pokes = {.machine = debug->machine};
    struct debug_place place;
    struct poke poke = {0};
    uint32_t value = 0;

    if (strncmp(text, memory_word, sizeof memory_word - 1) == 0) {
        if (!memory_parse(debug, text + sizeof memory_word - 1, &place, &value, error))
            return false;
        if (does) {
            log_begin(debug, number);
            memory_poke(debug, &place, value);
        }
        return true;
    }
    if (strchr(text, '/'))
        return error_set(error, ERROR_INPUT,
                         "registers of a slot are written through GRBM_GFX_CNTL, as a driver does");
    if (!register_parse(debug, text, &poke, error))
        return false;
    if (does) {
        log_begin(debug, number);
        if (poke.verb)
            poke.verb->run(&pokes, &poke.target);
        else
            register_write(debug, &poke.assign);
    }
    return true;
}

bool debug_pokes_apply(struct debug *debug, struct gfe_error *error)
{
    bool good = true;

    for (uint32_t i = 0; good && i < debug->poke_count; i++)
        if (debug->pokes[i].position == debug->position)
            good = poke_make(debug, debug->pokes[i].text, i, true, error);
    return good;
}

bool debug_poke(struct debug *debug, const char *text, struct gfe_error *error)
{
    uint32_t at = debug->poke_count;

    if (strlen(text) >= DEBUG_TEXT_BYTES || at == DEBUG_POKES_MAX)
        return error_set(error, ERROR_INPUT, "%s",
                         at == DEBUG_POKES_MAX ? "that is a poke too many" : "that is too long");
    if (debug_at_end(debug) || debug->position == 0)
        return error_set(error, ERROR_INPUT, "%s",
                         debug->position == 0 ? "the run has not begun: make a step first"
                                              : "the run has ended: go back first");
    if (!poke_make(debug, text, at, false, error))
        return false;
    debug_forget_marks(debug, debug->position);
    debug_stream_forget(debug);
    while (at > 0 && debug->pokes[at - 1].position > debug->position)
        at--;
    memmove(&debug->pokes[at + 1], &debug->pokes[at],
            (debug->poke_count - at) * sizeof debug->pokes[0]);
    debug->pokes[at] = (struct debug_poke_row){.position = debug->position};
    (void)snprintf(debug->pokes[at].text, sizeof debug->pokes[at].text, "%s", text);
    debug->poke_count++;
    return poke_make(debug, text, at, true, error);
}

void debug_list_pokes(const struct debug *debug, FILE *file)
{
    for (uint32_t i = 0; i < debug->poke_count; i++)
        fprintf(file, "at step %" PRIu64 ": %s\n", debug->pokes[i].position, debug->pokes[i].text);
    if (debug->poke_count == 0)
        fputs("nothing was poked\n", file);
}
