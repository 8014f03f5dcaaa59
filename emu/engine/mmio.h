/* SPDX-License-Identifier: MIT */
/*
 * Register dispatch: BAR0 offset -> window of a unit -> register of its list.
 *
 * A window is a unit's register list placed at a base.  Its storage lies in the arena, one word for
 * each register word of the window.  The list's access kinds are applied here; side effects are the
 * unit's hooks.  An access to anything outside the lists is reported once for each address and
 * reads as zero: nothing unmodelled is silently stored.  Writes of ones to reserved bits, and
 * writes to fields that have no effect here, are reported once for each bit.
 */
#ifndef GFE_EMU_ENGINE_MMIO_H
#define GFE_EMU_ENGINE_MMIO_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/base/error.h"
#include "emu/engine/reg.h"

enum { MMIO_WINDOWS_MAX = 192, MMIO_REPORTED_MAX = 1024 };

struct mmio_window {
    const char *name;
    const struct reg_list *list;
    uint32_t base; /* BAR0 offset of the list's offset 0 */
    /* offset in the list where the window begins; earlier registers are elsewhere */
    uint32_t start;
    uint32_t size_bytes;
    uint32_t unit;     /* number of the unit whose hooks it calls */
    bool is_part;      /* true if the list has registers before or after the window */
    uint32_t instance; /* index among several like units */
    uint32_t variants; /* bit of the list's variant that the chip has; 0 means REG_ALL_VARIANTS */
    uint32_t *storage; /* in the arena, size_bytes / 4 words */
    const struct reg_row **row_of_word; /* NULL means that there is no register */
    struct reg_masks *masks;            /* by row of the list */
};

GFE_STATE_BEGIN
struct mmio_state {
    uint32_t reported_count;
    uint32_t reported[MMIO_REPORTED_MAX];      /* offset | 1 for writes, 2 for bits */
    uint32_t reported_bits[MMIO_REPORTED_MAX]; /* bits reported of a register that exists */
    uint32_t unreported_count; /* accesses to further addresses, when `reported` was full */
};
GFE_STATE_END

struct mmio {
    struct mmio_state *state;
    struct mmio_window windows[MMIO_WINDOWS_MAX];
    uint8_t by_base[MMIO_WINDOWS_MAX]; /* indices of windows, lowest base first */
    uint32_t window_count;
};

/* Initializes without windows.  The list of what was reported lies in the arena. */
void mmio_init(struct mmio *mmio, struct arena *arena);
void mmio_fini(struct mmio *mmio);
/* Places a list.  Windows must not overlap (asserted).  Registers get their reset values.  Returns
 * NULL after an error. */
struct mmio_window *mmio_add(struct mmio *mmio, struct arena *arena, struct mmio_window window,
                             struct gfe_error *error);
/* Returns the window at an offset, or NULL if there is none. */
struct mmio_window *mmio_find(struct mmio *mmio, uint32_t offset);
/* Returns the index of the window's word at an offset in its list. */
static inline uint32_t mmio_word(const struct mmio_window *window, uint32_t offset)
{
    return (offset - window->start) / 4;
}
/* Returns true if that offset of the list lies in the window. */
static inline bool mmio_has(const struct mmio_window *window, uint64_t offset)
{
    return offset >= window->start && offset - window->start < window->size_bytes;
}
/* Returns the masks of the register at an offset in the list; there must be one. */
static inline const struct reg_masks *mmio_masks(const struct mmio_window *window, uint32_t offset)
{
    return &window->masks[window->row_of_word[mmio_word(window, offset)] - window->list->rows];
}
/* Returns what a write leaves in storage. */
uint32_t mmio_stored_by_write(const struct reg_masks *masks, uint32_t old, uint32_t value);
/* Returns true at the first call for this word and direction.  After MMIO_REPORTED_MAX of them it
 * always returns false, and state->unreported_count counts the calls. */
bool mmio_report_once(struct mmio *mmio, uint32_t offset, bool is_write);
/* Returns those of the bits that no earlier call reported at this word; 0 if there is no room. */
uint32_t mmio_report_bits_once(struct mmio *mmio, uint32_t offset, uint32_t bits);

#endif
