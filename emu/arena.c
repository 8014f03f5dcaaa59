/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/arena.h"

#include <assert.h>
#include <errno.h>
#include <sys/mman.h>

bool arena_init(struct arena *arena, struct gfe_error *error)
{
    void *base = mmap(NULL, ARENA_CAPACITY_BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (base == MAP_FAILED)
        return error_set_errno(error, errno, "cannot reserve memory for the machine's state");
    *arena = (struct arena){.base = base};
    return true;
}

void arena_fini(struct arena *arena)
{
    if (arena->base)
        (void)munmap(arena->base, ARENA_CAPACITY_BYTES);
    *arena = (struct arena){0};
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    size_t offset = arena->used_bytes;

    assert(!arena->sealed);
    assert(bytes <= ARENA_CAPACITY_BYTES - offset - ARENA_ALIGN_BYTES);
    arena->used_bytes += (bytes + ARENA_ALIGN_BYTES - 1) / ARENA_ALIGN_BYTES * ARENA_ALIGN_BYTES;
    return arena->base + offset;
}

void arena_seal(struct arena *arena)
{
    arena->sealed = true;
}
