/* SPDX-License-Identifier: MIT */
/*
 * Time.  Everything is counted in picoseconds since the start of the trace (gfe_ps, 213 days); a
 * clock domain turns its own cycle numbers into that.  Cycle n of a domain lies at
 * origin + floor(n * 10^12 / f), in 128-bit arithmetic, so that rounded periods never add up.
 */
#ifndef GFE_EMU_CLOCK_H
#define GFE_EMU_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t gfe_ps;

#define GFE_PS_NEVER  UINT64_MAX
#define GFE_PS_PER_NS UINT64_C(1000)
#define GFE_PS_PER_US UINT64_C(1000000)
#define GFE_PS_PER_S  UINT64_C(1000000000000)

struct clock_domain {
    uint64_t frequency_hz; /* not 0 */
    gfe_ps origin_ps;      /* where cycle 0 lies */
    /* What clock_make() adds, so that most conversions take 64 bits: ratio_cycles cycles are
     * exactly ratio_ps picoseconds, and below these ends their products do not overflow. */
    uint64_t ratio_cycles, ratio_ps;
    uint64_t cycle_end;
    gfe_ps ps_end;                             /* since the origin */
    uint64_t cycles_reciprocal, ps_reciprocal; /* (2^64 - 1) / ratio_cycles, ... / ratio_ps */
};

/* A domain whose conversions are fast; without the members that it adds they are only slower. */
struct clock_domain clock_make(uint64_t frequency_hz, gfe_ps origin_ps);

/* Time of a cycle's start; GFE_PS_NEVER when it lies beyond the range of gfe_ps. */
gfe_ps clock_at_cycle(const struct clock_domain *clock, uint64_t cycle);
/* Number of the cycle that is running at time_ps (0 before the origin). */
uint64_t clock_cycle_at(const struct clock_domain *clock, gfe_ps time_ps);
/* Start of the first cycle at or after time_ps. */
gfe_ps clock_next_edge(const struct clock_domain *clock, gfe_ps time_ps);
/* Time at which `cycles` further cycles have passed, counted from the first edge at or after
 * time_ps.  Not additive rounding: it goes through cycle numbers. */
gfe_ps clock_after_cycles(const struct clock_domain *clock, gfe_ps time_ps, uint64_t cycles);
/* a + b, GFE_PS_NEVER when that does not fit. */
gfe_ps clock_add(gfe_ps a, gfe_ps b);
/* count times unit_ps, likewise. */
gfe_ps clock_times(uint64_t count, gfe_ps unit_ps);

#endif
