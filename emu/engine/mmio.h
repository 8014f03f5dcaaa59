/* SPDX-License-Identifier: MIT */
/*
 * Register dispatch: BAR0 offset -> window of a unit -> register of its list.
 *
 * A window is a unit's register list placed at a base.  Its storage lies in the arena, one word per
 * register word of the window; the list's access kinds are applied here, side effects are the
 * unit's hooks.  An access to anything not in a list is reported once per address and reads as
 * zero: nothing unmodelled is silently stored.  So are writes of ones to reserved bits, and of
 * fields that have no effect here, once for each bit.
 */
#ifndef GFE_EMU_MMIO_H
#define GFE_EMU_MMIO_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/base/error.h"
#include "emu/engine/reg.h"

enum { MMIO_WINDOWS_MAX = 192, MMIO_REPORTED_MAX = 1024 };

struct mmio_window {
    const char *name;
    const struct reg_list *list;
    uint32_t base;  /* BAR0 offset of what the list has at 0 */
    uint32_t start; /* offset in the list where the window begins: what is in front is elsewhere */
    uint32_t size_bytes;
    uint32_t unit;     /* number of the unit whose hooks it calls */
    bool is_part;      /* there are registers of the list in front or behind */
    uint32_t instance; /* which of several like units */
    uint32_t variants; /* bit of the list's variant that the chip has; 0 = REG_ALL_VARIANTS */
    uint32_t *storage; /* in the arena, size_bytes / 4 words */
    const struct reg_row **row_of_word; /* NULL = no register there */
    struct reg_masks *masks;            /* by row of the list */
};

GFE_STATE_BEGIN
struct mmio_state {
    uint32_t reported_count;
    uint32_t reported[MMIO_REPORTED_MAX];      /* offset | 1 for writes, 2 for bits */
    uint32_t reported_bits[MMIO_REPORTED_MAX]; /* of a register that is there */
    uint32_t unreported_count; /* accesses to further addresses, for which there was no room */
};
GFE_STATE_END

struct mmio {
    struct mmio_state *state;
    struct mmio_window windows[MMIO_WINDOWS_MAX];
    uint8_t by_base[MMIO_WINDOWS_MAX]; /* indices of windows, lowest base first */
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
/* The word of the window at an offset in its list. */
static inline uint32_t mmio_word(const struct mmio_window *window, uint32_t offset)
{
    return (offset - window->start) / 4;
}
/* Is that offset of the list in the window? */
static inline bool mmio_has(const struct mmio_window *window, uint64_t offset)
{
    return offset >= window->start && offset - window->start < window->size_bytes;
}
/* The masks of the register at an offset in the list; there must be one. */
static inline const struct reg_masks *mmio_masks(const struct mmio_window *window, uint32_t offset)
{
    return &window->masks[window->row_of_word[mmio_word(window, offset)] - window->list->rows];
}
/* What a write leaves in storage. */
uint32_t mmio_stored_by_write(const struct reg_masks *masks, uint32_t old, uint32_t value);
/* True the first time it is asked for this word and direction.  After MMIO_REPORTED_MAX of them
 * always false: state->unreported_count counts on. */
bool mmio_report_once(struct mmio *mmio, uint32_t offset, bool is_write);
/* Those of the bits for which it has not been asked before at this word; 0 when there is no room.
 */
uint32_t mmio_report_bits_once(struct mmio *mmio, uint32_t offset, uint32_t bits);

#endif
