/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/copy.h"

#include <assert.h>

__extension__ typedef unsigned __int128 wide;

struct copy_demand copy_demand(const struct copy_rates *rates, const struct copy_traffic *traffic)
{
    const uint64_t more =
        traffic->read_bytes > traffic->written_bytes ? traffic->read_bytes : traffic->written_bytes;
    const uint64_t local_read = traffic->reads_system ? 0 : traffic->read_bytes;
    const uint64_t local_written = traffic->writes_system ? 0 : traffic->written_bytes;
    struct copy_demand demand = {
        .bytes = {[COPY_LIMIT_ENGINE] = more,
                  [COPY_LIMIT_SYSTEM_READ] = traffic->read_bytes - local_read,
                  [COPY_LIMIT_SYSTEM_WRITE] = traffic->written_bytes - local_written,
                  [COPY_LIMIT_LOCAL] = local_read + local_written},
        .rate = {[COPY_LIMIT_NONE] = 1,
                 [COPY_LIMIT_ENGINE] = rates->engine,
                 [COPY_LIMIT_SYSTEM_READ] = rates->system,
                 [COPY_LIMIT_SYSTEM_WRITE] = rates->system,
                 [COPY_LIMIT_LOCAL] = rates->local},
        .worst = COPY_LIMIT_NONE,
    };

    for (uint32_t i = COPY_LIMIT_ENGINE; i < COPY_LIMIT_COUNT; i++) {
        assert(demand.rate[i] > 0);
        if ((wide)demand.bytes[i] * demand.rate[demand.worst] >
            (wide)demand.bytes[demand.worst] * demand.rate[i])
            demand.worst = (enum copy_limit)i;
    }
    return demand;
}

gfe_ps copy_transfer_ps(struct copy_carry *carry, const struct copy_rates *rates,
                        const struct copy_traffic *traffic, enum copy_limit *limit)
{
    const struct copy_demand demand = copy_demand(rates, traffic);
    const uint64_t bytes = demand.bytes[demand.worst], rate = demand.rate[demand.worst];
    wide part;

    *limit = demand.worst;
    if (demand.worst == COPY_LIMIT_NONE)
        return 0;
    /* What was left of a picosecond, in units of this rate; a part of less than one unit is lost.
     */
    part = carry->rate ? (wide)carry->part * rate / carry->rate : 0;
    part += (wide)bytes * GFE_PS_PER_S;
    *carry = (struct copy_carry){.part = (uint64_t)(part % rate), .rate = rate};
    part /= rate;
    return part >= GFE_PS_NEVER ? GFE_PS_NEVER : (gfe_ps)part;
}

gfe_ps copy_ready_ps(const struct clock_domain *clock, gfe_ps queued_ps, gfe_ps start_ps,
                     uint64_t setup_cycles, bool pipelined)
{
    const gfe_ps ready = clock_after_cycles(clock, pipelined ? queued_ps : start_ps, setup_cycles);

    return ready > start_ps ? ready : start_ps;
}

uint64_t copy_sector_bytes(uint64_t address, uint64_t bytes, uint32_t sector_bytes)
{
    const uint64_t mask = sector_bytes - 1;

    assert(sector_bytes > 0 && (sector_bytes & mask) == 0);
    return bytes ? ((address & mask) + bytes + mask) & ~mask : 0;
}

uint64_t copy_lines_sector_bytes(uint64_t address, uint64_t pitch, uint64_t line_bytes,
                                 uint64_t lines, uint32_t sector_bytes)
{
    uint64_t sum = 0, period = 0;

    if (pitch == line_bytes)
        return copy_sector_bytes(address, line_bytes * lines, sector_bytes);
    /* Places within a sector repeat, at the latest after as many lines as a sector has bytes. */
    for (uint64_t line = 0; line < lines && line < sector_bytes; line++)
        period += copy_sector_bytes(address + line * pitch, line_bytes, sector_bytes);
    if (lines <= sector_bytes)
        return period;
    sum = lines / sector_bytes * period;
    for (uint64_t line = 0; line < lines % sector_bytes; line++)
        sum += copy_sector_bytes(address + line * pitch, line_bytes, sector_bytes);
    return sum;
}
