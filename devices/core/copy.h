/* SPDX-License-Identifier: MIT */
/*
 * How long a copy takes on a physical copy engine.
 *
 * A copy loads the engine, the link to system memory (each direction for itself) and the local
 * memory (reads and writes together); whichever needs longest for its share says how long the copy
 * takes.  Memory is moved in whole sectors, so short or misaligned lines cost more than their
 * bytes. Rates are fractions of integers: what a division leaves is carried into the next copy, so
 * that many copies take as long as one of all their bytes.
 *
 * One copy moves its bytes at a time (T.C2).  The set-up of a pipelined copy runs while the copy in
 * front of it moves bytes; any other copy is set up when that one has ended.
 *
 * This is what a copy takes alone; copy_share.h has what happens when several run at once.  Not
 * modelled: what else uses link and memory meanwhile (kernels, Host's own reading), the pages of
 * memory chips.
 */
#ifndef GFE_DEVICES_CORE_COPY_H
#define GFE_DEVICES_CORE_COPY_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/engine/arena.h"
#include "emu/base/clock.h"

/* What bounds a copy: argument `limited_by` of COPY_START and COPY_END. */
enum copy_limit {
    COPY_LIMIT_NONE,         /* no bytes: only its set-up takes time */
    COPY_LIMIT_ENGINE,       /* the copy engine itself */
    COPY_LIMIT_SYSTEM_READ,  /* reading system memory */
    COPY_LIMIT_SYSTEM_WRITE, /* writing it */
    COPY_LIMIT_LOCAL,        /* the GPU's own memory */
    COPY_LIMIT_COUNT,
};

/* Bytes of whole sectors that a copy moves. */
struct copy_traffic {
    uint64_t read_bytes, written_bytes;
    bool reads_system, writes_system; /* else the GPU's own memory */
};

/* Bytes per second; none may be 0. */
struct copy_rates {
    uint64_t engine; /* each of reading and writing */
    uint64_t system; /* each direction of the link */
    uint64_t local;  /* reading and writing together */
};

GFE_STATE_BEGIN
/* What the last copy left of a picosecond: part / rate. */
struct copy_carry {
    uint64_t part, rate;
};
GFE_STATE_END

/* What a copy asks of each of the things that it loads, by enum copy_limit. */
struct copy_demand {
    uint64_t bytes[COPY_LIMIT_COUNT], rate[COPY_LIMIT_COUNT];
    enum copy_limit worst; /* that which needs longest; of equals the first */
};
struct copy_demand copy_demand(const struct copy_rates *rates, const struct copy_traffic *traffic);

/* Time of the traffic alone; *limit says what bounds it.  GFE_PS_NEVER when it does not fit. */
gfe_ps copy_transfer_ps(struct copy_carry *carry, const struct copy_rates *rates,
                        const struct copy_traffic *traffic, enum copy_limit *limit);

/* When the set-up of a copy is over that was queued at `queued_ps` and starts at `start_ps`, the
 * first moment at which no other copy moves bytes. */
gfe_ps copy_ready_ps(const struct clock_domain *clock, gfe_ps queued_ps, gfe_ps start_ps,
                     uint64_t setup_cycles, bool pipelined);

/* Bytes of the whole sectors in which `bytes` bytes from `address` on lie; sectors are a power of
 * two (asserted). */
uint64_t copy_sector_bytes(uint64_t address, uint64_t bytes, uint32_t sector_bytes);
/* The same for `lines` lines, `pitch` bytes apart (modulo 2^64, so that it may be negative).  Lines
 * that join are taken as one. */
uint64_t copy_lines_sector_bytes(uint64_t address, uint64_t pitch, uint64_t line_bytes,
                                 uint64_t lines, uint32_t sector_bytes);

#endif
