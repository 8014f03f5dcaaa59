/* SPDX-License-Identifier: MIT */
/*
 * The time that a copy takes on a physical copy engine.
 *
 * A copy loads the engine, the link to system memory (each direction separately) and the local
 * memory (reads and writes together).  The one that needs longest for its share determines the
 * time.  Memory is moved in whole sectors, so short or misaligned lines cost more than their bytes.
 * Rates are fractions of integers.  The remainder of a division is carried into the next copy, so
 * that many copies take as long as one copy of all their bytes.
 *
 * One copy moves its bytes at a time (T.C2).  The set-up of a pipelined copy runs while the copy
 * before it moves bytes.  Any other copy is set up after the copy before it has ended.
 *
 * This is the time of a copy alone; copy_share.h handles several copies at once.  Not modelled:
 * other loads on link and memory at the same time (kernels, Host's own reading), the pages of
 * memory chips.
 */
#ifndef GFE_DEVICES_CORE_COPY_H
#define GFE_DEVICES_CORE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/base/clock.h"

/* What bounds a copy: the argument `limited_by` of COPY_START and COPY_END. */
enum copy_limit {
    COPY_LIMIT_NONE,         /* no bytes: only the set-up takes time */
    COPY_LIMIT_ENGINE,       /* the copy engine itself */
    COPY_LIMIT_SYSTEM_READ,  /* reading system memory */
    COPY_LIMIT_SYSTEM_WRITE, /* writing system memory */
    COPY_LIMIT_LOCAL,        /* the GPU's own memory */
    COPY_LIMIT_COUNT,
};

/* Bytes of whole sectors that a copy moves. */
struct copy_traffic {
    uint64_t read_bytes, written_bytes;
    bool reads_system, writes_system; /* true for system memory, false for the GPU's own */
};

/* Bytes per second; none may be 0. */
struct copy_rates {
    uint64_t engine; /* for reading, and the same for writing */
    uint64_t system; /* for each direction of the link */
    uint64_t local;  /* for reading and writing together */
};

GFE_STATE_BEGIN
/* The remainder of the last copy, as a fraction of a picosecond: part / rate. */
struct copy_carry {
    uint64_t part, rate;
};
GFE_STATE_END

/* The demand of a copy on each resource that it loads, by enum copy_limit. */
struct copy_demand {
    uint64_t bytes[COPY_LIMIT_COUNT], rate[COPY_LIMIT_COUNT];
    enum copy_limit worst; /* the resource that needs longest; the first one of equals */
};
/* Returns the demand of a copy with this traffic. */
struct copy_demand copy_demand(const struct copy_rates *rates, const struct copy_traffic *traffic);

/* Returns the time in ps of the traffic alone; *limit is what bounds it.  Returns `GFE_PS_NEVER` if
 * the time does not fit in gfe_ps. */
gfe_ps copy_transfer_ps(struct copy_carry *carry, const struct copy_rates *rates,
                        const struct copy_traffic *traffic, enum copy_limit *limit);

/* Returns the end of the set-up of a copy that was queued at `queued_ps`.  The copy may start at
 * `start_ps`, the first moment at which no other copy moves bytes. */
gfe_ps copy_ready_ps(const struct clock_domain *clock, gfe_ps queued_ps, gfe_ps start_ps,
                     uint64_t setup_cycles, bool pipelined);

/* Returns the bytes of the whole sectors that contain `bytes` bytes from `address` up.  The sector
 * size is a power of two (asserted). */
uint64_t copy_sector_bytes(uint64_t address, uint64_t bytes, uint32_t sector_bytes);
/* Returns the bytes of whole sectors for `lines` lines, `pitch` bytes apart (modulo 2^64, so that
 * the pitch may be negative).  Lines that join count as one. */
uint64_t copy_lines_sector_bytes(uint64_t address, uint64_t pitch, uint64_t line_bytes,
                                 uint64_t lines, uint32_t sector_bytes);

#endif
