/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/clock.h"

#include <assert.h>

__extension__ typedef unsigned __int128 wide;

gfe_ps clock_add(gfe_ps a, gfe_ps b)
{
    return b > GFE_PS_NEVER - a ? GFE_PS_NEVER : a + b;
}

gfe_ps clock_at_cycle(const struct clock_domain *clock, uint64_t cycle)
{
    wide ps;

    assert(clock->frequency_hz != 0);
    ps = (wide)cycle * GFE_PS_PER_S / clock->frequency_hz + clock->origin_ps;
    return ps >= GFE_PS_NEVER ? GFE_PS_NEVER : (gfe_ps)ps;
}

/* The largest n with floor(n * 10^12 / f) <= t is floor(((t + 1) * f - 1) / 10^12). */
uint64_t clock_cycle_at(const struct clock_domain *clock, gfe_ps time_ps)
{
    wide cycle;

    assert(clock->frequency_hz != 0);
    if (time_ps < clock->origin_ps)
        return 0;
    cycle = (((wide)(time_ps - clock->origin_ps) + 1) * clock->frequency_hz - 1) / GFE_PS_PER_S;
    return cycle > UINT64_MAX ? UINT64_MAX : (uint64_t)cycle;
}

gfe_ps clock_next_edge(const struct clock_domain *clock, gfe_ps time_ps)
{
    return clock_after_cycles(clock, time_ps, 0);
}

gfe_ps clock_after_cycles(const struct clock_domain *clock, gfe_ps time_ps, uint64_t cycles)
{
    uint64_t cycle = clock_cycle_at(clock, time_ps);

    if (clock_at_cycle(clock, cycle) < time_ps) {
        if (cycle == UINT64_MAX)
            return GFE_PS_NEVER;
        cycle++;
    }
    return cycles > UINT64_MAX - cycle ? GFE_PS_NEVER : clock_at_cycle(clock, cycle + cycles);
}

gfe_ps clock_transfer_ps(uint64_t amount, uint64_t rate_per_second)
{
    wide ps;

    if (rate_per_second == 0)
        return GFE_PS_NEVER;
    ps = ((wide)amount * GFE_PS_PER_S + rate_per_second - 1) / rate_per_second;
    return ps >= GFE_PS_NEVER ? GFE_PS_NEVER : (gfe_ps)ps;
}
