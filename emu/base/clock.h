/* SPDX-License-Identifier: MIT */
/*
 * Time, counted in picoseconds since the start of the trace.
 *
 * `gfe_ps` counts up to 213 days.  A clock domain converts its own cycle numbers into picoseconds.
 * Cycle n of a domain lies at origin + floor(n * 10^12 / f), computed in 128 bits.  So the errors
 * of rounded periods never add up.
 */
#ifndef GFE_EMU_BASE_CLOCK_H
#define GFE_EMU_BASE_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t gfe_ps;

/* `GFE_PS_NEVER` means that the event never happens, or that the time does not fit in gfe_ps. */
#define GFE_PS_NEVER  UINT64_MAX
#define GFE_PS_PER_NS UINT64_C(1000)
#define GFE_PS_PER_US UINT64_C(1000000)
#define GFE_PS_PER_S  UINT64_C(1000000000000)

struct clock_domain {
    uint64_t frequency_hz; /* not 0 */
    gfe_ps origin_ps;      /* time of cycle 0 */
    /* Added by clock_make(), so that most conversions need only 64 bits.  Exactly ratio_cycles
     * cycles last ratio_ps picoseconds.  Before cycle_end and ps_end the products do not overflow.
     */
    uint64_t ratio_cycles, ratio_ps;
    uint64_t cycle_end;
    gfe_ps ps_end;                             /* counted from the origin */
    uint64_t cycles_reciprocal, ps_reciprocal; /* (2^64 - 1) / ratio_cycles, ... / ratio_ps */
};

/* Returns a domain with the members that make conversions fast.  A domain that lacks them gives the
 * same results, more slowly. */
struct clock_domain clock_make(uint64_t frequency_hz, gfe_ps origin_ps);

/* Returns the time at which a cycle starts, or `GFE_PS_NEVER` if gfe_ps cannot hold that time. */
gfe_ps clock_at_cycle(const struct clock_domain *clock, uint64_t cycle);
/* Returns the number of the cycle that is running at time_ps.  Returns 0 before the origin. */
uint64_t clock_cycle_at(const struct clock_domain *clock, gfe_ps time_ps);
/* Returns the start of the first cycle at or after time_ps. */
gfe_ps clock_next_edge(const struct clock_domain *clock, gfe_ps time_ps);
/* Returns the time at which `cycles` further cycles have passed since the first edge at or after
 * time_ps.  The computation goes through cycle numbers, so rounding errors do not add up. */
gfe_ps clock_after_cycles(const struct clock_domain *clock, gfe_ps time_ps, uint64_t cycles);
/* Returns a + b, or `GFE_PS_NEVER` if the sum does not fit. */
gfe_ps clock_add(gfe_ps a, gfe_ps b);
/* Returns count times unit_ps, or `GFE_PS_NEVER` if the product does not fit. */
gfe_ps clock_times(uint64_t count, gfe_ps unit_ps);

#endif
