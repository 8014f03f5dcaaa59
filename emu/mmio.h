/* SPDX-License-Identifier: MIT */
/*
 * Register dispatch: BAR0 offset -> window of a unit -> register of its list.
 *
 * A window is a unit's register list placed at a base.  Its storage lies in the arena, one word per
 * register word of the window; the list's access kinds are applied here, side effects are the
 * unit's hooks.  An access to anything not in a list is reported once per address and reads as zero:
 * nothing unmodelled is silently stored.
 */
#ifndef GFE_EMU_MMIO_H
#define GFE_EMU_MMIO_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/arena.h"
#include "emu/error.h"
#include "emu/reg.h"

enum { MMIO_WINDOWS_MAX = 64, MMIO_REPORTED_MAX = 1024 };

struct mmio_window {
    const char *name;
    const struct reg_list *list;
    uint32_t base;       /* BAR0 offset */
    uint32_t size_bytes;
    uint32_t unit;       /* number of the unit whose hooks it calls */
    uint32_t instance;   /* which of several like units */
    uint32_t *storage;   /* in the arena, size_bytes / 4 words */
    const struct reg_row **row_of_word; /* NULL = no register there */
};

GFE_STATE_BEGIN
struct mmio_state {
    uint32_t reported_count;
    uint32_t reported[MMIO_REPORTED_MAX]; /* offset | 1 for writes */
    uint32_t unreported_count; /* accesses to further addresses, for which there was no room */
};
GFE_STATE_END

struct mmio {
    struct mmio_state *state;
    struct mmio_window windows[MMIO_WINDOWS_MAX];
    uint32_t window_count;
};

/* No windows yet; the list of what was reported lies in the arena. */
void mmio_init(struct mmio *mmio, struct arena *arena);
void mmio_fini(struct mmio *mmio);
/* Places a list; windows must not overlap (asserted).  Registers get their reset values. */
struct mmio_window *mmio_add(struct mmio *mmio, struct arena *arena, struct mmio_window window,
                             struct gfe_error *error);
/* The window at an offset, NULL when there is none. */
struct mmio_window *mmio_find(struct mmio *mmio, uint32_t offset);
/* What a write leaves in storage by the register's access kind. */
uint32_t mmio_stored_by_write(const struct reg_row *row, uint32_t old, uint32_t value);
/* True the first time it is asked for this word and direction.  After MMIO_REPORTED_MAX of them always
 * false: state->unreported_count counts on. */
bool mmio_report_once(struct mmio *mmio, uint32_t offset, bool is_write);

#endif
