/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/engine/machine_mark.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/arena_watch.h"

/* Returns to the mark after which the watch of the arena begins anew.  A page that one run has
 * written is compared at every later return, so without that a few rare runs would make all others
 * slow. */
enum { MARK_RETURNS = 1024 };

/* All of struct machine before `pages`, whose entries say themselves when they are out of date. */
enum { MARK_BYTES = offsetof(struct machine, pages) };

struct machine_mark {
    struct machine *machine;
    struct machine *saved; /* the machine's own members; its arena, memory and log are not used */
    struct arena_image *arena;
    struct memory_image *memory;
    struct event_log_image *log; /* NULL if the log had no events */
    uint32_t returns;
};

/* Takes an image of an arena that may still grow. */
static struct arena_image *mark_arena(struct arena *arena, struct gfe_error *error)
{
    const bool sealed = arena->sealed;
    struct arena_image *image = NULL;

    arena->sealed = true;
    if (arena_watch(arena, error))
        image = arena_take(arena);
    arena->sealed = sealed;
    return image;
}

struct machine_mark *machine_mark_new(struct machine *machine, struct gfe_error *error)
{
    struct machine_mark *mark = calloc(1, sizeof *mark);
    const bool has_events = machine->log.cursor->event_count > 0;

    assert(!has_events || !machine->log.writer);
    if (mark)
        mark->saved = malloc(sizeof *mark->saved);
    if (!mark || !mark->saved) {
        free(mark);
        error_set(error, ERROR_SYSTEM, "no memory to mark a machine");
        return NULL;
    }
    mark->machine = machine;
    mark->log = has_events ? event_log_take(&machine->log) : NULL;
    mark->memory = mark->log || !has_events ? memory_take(&machine->memory) : NULL;
    mark->arena = mark->memory ? mark_arena(&machine->arena, error) : NULL;
    if (!mark->arena) {
        machine_mark_free(mark);
        error_set(error, ERROR_SYSTEM, "no memory to mark a machine");
        return NULL;
    }
    memcpy(mark->saved, machine, sizeof *machine);
    return mark;
}

/* ---- going back ------------------------------------------------------------------------------ */

/* The log as it was; one without events begins anew, with the writer that the machine has now. */
static bool mark_return_log(const struct machine_mark *mark)
{
    struct machine *machine = mark->machine;
    struct event_log *log = &machine->log;

    if (mark->log)
        return event_log_restore(log, mark->log);
    event_log_fini(log);
    event_log_init(log, mark->saved->log.cursor, machine->config.log);
    if (mark->saved->log.is_overheard)
        event_log_overhear(log);
    return true;
}

static bool mark_return_memory(const struct machine_mark *mark)
{
    struct memory *memory = &mark->machine->memory;

    if (memory->ear.heard)
        memory_listen(memory, mark->saved->memory.ear);
    return memory_restore(memory, mark->memory);
}

/* Windows that were added since. */
static void mark_return_windows(const struct machine_mark *mark)
{
    struct mmio *mmio = &mark->machine->mmio;

    for (uint32_t i = mark->saved->mmio.window_count; i < mmio->window_count; i++) {
        free(mmio->windows[i].row_of_word);
        free(mmio->windows[i].masks);
    }
}

/* What does not lie in the arena.  Whatever is added to struct machine comes back here by itself,
 * but for the three parts that have memory of their own, and counts that must not go back. */
static void mark_return_members(const struct machine_mark *mark)
{
    struct machine *machine = mark->machine;
    const struct arena arena = machine->arena;
    const struct memory memory = machine->memory;
    const struct event_log log = machine->log;
    const uint64_t removals = machine->spaces.removals;

    mark_return_windows(mark);
    memcpy(machine, mark->saved, MARK_BYTES);
    machine->arena = arena;
    machine->memory = memory;
    machine->log = log;
    machine->spaces.removals = removals + 1;
}

static void mark_configure(struct machine *machine, const struct machine_config *config)
{
    assert(!machine->state->started && strcmp(config->gpu, machine->config.gpu) == 0);
    assert(config->vram_bytes == machine->config.vram_bytes &&
           config->sysmem_bytes == machine->config.sysmem_bytes &&
           config->event_capacity == machine->config.event_capacity &&
           config->range_capacity == machine->config.range_capacity);
    machine_configure(machine, config);
    random_seed(machine->random, config->seed, 0);
}

bool machine_mark_return(struct machine_mark *mark, const struct machine_config *config)
{
    struct machine *machine = mark->machine;

    if (!mark_return_memory(mark))
        return false;
    arena_return(&machine->arena, mark->arena, mark->saved->arena.layout,
                 mark->saved->arena.sealed);
    if (++mark->returns % MARK_RETURNS == 0)
        arena_watch_renew(&machine->arena);
    mark_return_members(mark);
    if (config)
        mark_configure(machine, config);
    return mark_return_log(mark);
}

void machine_mark_free(struct machine_mark *mark)
{
    if (!mark)
        return;
    arena_unwatch(&mark->machine->arena);
    arena_image_free(mark->arena);
    memory_image_free(mark->memory);
    event_log_image_free(mark->log);
    free(mark->saved);
    free(mark);
}
