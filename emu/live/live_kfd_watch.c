/* SPDX-License-Identifier: MIT */
/*
 * Words of the program's memory that units wait for.  The program's stores are not seen, so each is
 * compared with what it was when it was looked at last.  That is always before the unit looks
 * itself: at the first look it is told in any case.
 */
#include <config.h>

#include "emu/live/live_kfd.h"

static struct live_watch *live_watch_find(struct live_kfd *live, const struct machine_watch *watch)
{
    for (uint32_t i = 0; i < live->watch_count; i++)
        if (live->watches[i].unit == watch->unit && live->watches[i].kind == watch->kind)
            return &live->watches[i];
    return NULL;
}

/* Forgets the watches that had no waiter at the last look. */
static void live_watch_forget(struct live_kfd *live)
{
    for (uint32_t i = 0; i < live->watch_count;)
        if (live->watches[i].round < live->round)
            live->watches[i] = live->watches[--live->watch_count];
        else
            i++;
}

/* True when the unit is to look. */
static bool live_watch_changed(struct live_kfd *live, const struct machine_watch *watch)
{
    struct live_watch *seen = live_watch_find(live, watch);
    uint32_t value = 0;
    bool changed;

    (void)live->program.read(live->program.program, watch->address - MACHINE_HOST_BASE, &value,
                             sizeof value);
    if (!seen) {
        if (live->watch_count == LIVE_WATCHES_MAX)
            return true;
        seen = &live->watches[live->watch_count++];
        changed = true;
    } else {
        changed = seen->address != watch->address || seen->value != value;
    }
    *seen = (struct live_watch){.address = watch->address,
                                .aperture = watch->aperture,
                                .unit = watch->unit,
                                .kind = watch->kind,
                                .value = value,
                                .round = live->round};
    return changed;
}

bool live_kfd_look(struct live_kfd *live)
{
    struct machine *machine = live->machine;
    const struct machine_state *state = machine->state;
    uint32_t changed[LIVE_WATCHES_MAX], changed_count = 0;
    bool waits = false;

    live->round++;
    for (uint32_t i = 0; i < state->watch_count; i++) {
        if (state->watches[i].address < MACHINE_HOST_BASE)
            continue;
        waits = true;
        if (changed_count < LIVE_WATCHES_MAX && live_watch_changed(live, &state->watches[i]))
            changed[changed_count++] = i;
    }
    /* From the last to the first: a watch that is told is gone, those in front of it stay. */
    while (changed_count-- > 0) {
        const struct machine_watch watch = state->watches[changed[changed_count]];

        machine_touched(machine, (enum memory_aperture)watch.aperture, watch.address, 4);
    }
    live_watch_forget(live);
    return waits;
}
