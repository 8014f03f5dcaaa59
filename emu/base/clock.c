/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/clock.h"

#include <assert.h>

#include "emu/base/often.h"

__extension__ typedef unsigned __int128 wide;

struct clock_domain clock_make(uint64_t frequency_hz, gfe_ps origin_ps)
{
    uint64_t divisor = frequency_hz, rest = GFE_PS_PER_S;

    assert(frequency_hz != 0);
    while (rest != 0) {
        const uint64_t next = divisor % rest;

        divisor = rest;
        rest = next;
    }
    return (struct clock_domain){
        .frequency_hz = frequency_hz,
        .origin_ps = origin_ps,
        .ratio_cycles = frequency_hz / divisor,
        .ratio_ps = GFE_PS_PER_S / divisor,
        .cycle_end = UINT64_MAX / (GFE_PS_PER_S / divisor),
        .ps_end = UINT64_MAX / (frequency_hz / divisor) - 1,
        .cycles_reciprocal = UINT64_MAX / (frequency_hz / divisor),
        .ps_reciprocal = UINT64_MAX / (GFE_PS_PER_S / divisor),
    };
}

/* number / divisor by its reciprocal, which falls short of 2^64 / divisor by at most 1, and so the
 * quotient too.  A division takes several times as long on many processors. */
static inline uint64_t clock_divide(uint64_t number, uint64_t divisor, uint64_t reciprocal)
{
    const uint64_t quotient = (uint64_t)((wide)number * reciprocal >> 64);

    return quotient + (number - quotient * divisor >= divisor);
}

gfe_ps clock_add(gfe_ps a, gfe_ps b)
{
    return b > GFE_PS_NEVER - a ? GFE_PS_NEVER : a + b;
}

gfe_ps clock_times(uint64_t count, gfe_ps unit_ps)
{
    const wide ps = (wide)count * unit_ps;

    return ps >= GFE_PS_NEVER ? GFE_PS_NEVER : (gfe_ps)ps;
}

/* What 64 bits do not hold.  Apart, as is clock_after_far(), so that the usual way needs no room on
 * the stack for it. */
static __attribute__((noinline)) gfe_ps clock_start_far(const struct clock_domain *clock,
                                                        uint64_t cycle)
{
    wide ps;

    assert(clock->frequency_hz != 0);
    ps = (wide)cycle * GFE_PS_PER_S / clock->frequency_hz + clock->origin_ps;
    return ps >= GFE_PS_NEVER ? GFE_PS_NEVER : (gfe_ps)ps;
}

static inline gfe_ps clock_start_of(const struct clock_domain *clock, uint64_t cycle)
{
    if (cycle >= clock->cycle_end)
        return clock_start_far(clock, cycle);
    return clock_add(
        clock_divide(cycle * clock->ratio_ps, clock->ratio_cycles, clock->cycles_reciprocal),
        clock->origin_ps);
}

gfe_ps clock_at_cycle(const struct clock_domain *clock, uint64_t cycle)
{
    return clock_start_of(clock, cycle);
}

/* The largest n with floor(n * 10^12 / f) <= t is floor(((t + 1) * f - 1) / 10^12). */
uint64_t clock_cycle_at(const struct clock_domain *clock, gfe_ps time_ps)
{
    wide cycle;

    assert(clock->frequency_hz != 0);
    if (time_ps < clock->origin_ps)
        return 0;
    if (time_ps - clock->origin_ps < clock->ps_end)
        return clock_divide((time_ps - clock->origin_ps + 1) * clock->ratio_cycles - 1,
                            clock->ratio_ps, clock->ps_reciprocal);
    cycle = (((wide)(time_ps - clock->origin_ps) + 1) * clock->frequency_hz - 1) / GFE_PS_PER_S;
    return cycle > UINT64_MAX ? UINT64_MAX : (uint64_t)cycle;
}

gfe_ps clock_next_edge(const struct clock_domain *clock, gfe_ps time_ps)
{
    return clock_after_cycles(clock, time_ps, 0);
}

static __attribute__((noinline)) gfe_ps clock_after_far(const struct clock_domain *clock,
                                                        gfe_ps time_ps, uint64_t cycles)
{
    uint64_t cycle = clock_cycle_at(clock, time_ps);

    if (clock_at_cycle(clock, cycle) < time_ps && ++cycle == 0)
        return GFE_PS_NEVER;
    return cycles > UINT64_MAX - cycle ? GFE_PS_NEVER : clock_at_cycle(clock, cycle + cycles);
}

/* As in clock_cycle_at(); what the division leaves says how far into its cycle time_ps lies: on the
 * edge if that is less than a picosecond. */
gfe_ps clock_after_cycles(const struct clock_domain *clock, gfe_ps time_ps, uint64_t cycles)
{
    uint64_t product, cycle;

    if (RARELY(time_ps < clock->origin_ps || time_ps - clock->origin_ps >= clock->ps_end))
        return clock_after_far(clock, time_ps, cycles);
    product = (time_ps - clock->origin_ps + 1) * clock->ratio_cycles - 1;
    cycle = clock_divide(product, clock->ratio_ps, clock->ps_reciprocal);
    cycle += product - cycle * clock->ratio_ps >= clock->ratio_cycles;
    if (cycles > UINT64_MAX - cycle)
        return GFE_PS_NEVER;
    return clock_start_of(clock, cycle + cycles);
}
