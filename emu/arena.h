/* SPDX-License-Identifier: MIT */
/*
 * The arena: all mutable state of a machine but guest memory lies here, in one block, so that a
 * snapshot is a copy of it and a comparison a hash of it.  Nothing in it is a pointer; references
 * are indices.  Units get their state at wiring time; afterwards the arena is sealed and the event
 * path allocates nothing.  Structs that live here are declared between GFE_STATE_BEGIN and
 * GFE_STATE_END, which refuse implicit padding: padding has no defined value and would make equal
 * states hash differently.
 */
#ifndef GFE_EMU_ARENA_H
#define GFE_EMU_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/error.h"

#define GFE_STATE_BEGIN _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic error \"-Wpadded\"")
#define GFE_STATE_END _Pragma("GCC diagnostic pop")

enum { ARENA_CAPACITY_BYTES = 256 << 20, ARENA_ALIGN_BYTES = 16 };

struct arena {
    uint8_t *base;
    size_t used_bytes;
    bool sealed;
};

/* Reserves ARENA_CAPACITY_BYTES of address space; memory is used as it is touched. */
bool arena_init(struct arena *arena, struct gfe_error *error);
/* Gives everything back; what was allocated is gone. */
void arena_fini(struct arena *arena);
/* Zeroed, aligned to ARENA_ALIGN_BYTES, valid as long as the arena.  Wiring time only (asserted);
 * running out is a programmer's error (asserted): sizes come from the GPU model. */
void *arena_alloc(struct arena *arena, size_t bytes);
/* Ends the wiring: nothing can be allocated any more. */
void arena_seal(struct arena *arena);

#endif
