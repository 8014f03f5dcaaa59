/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/copy_share.h"

#include <assert.h>

__extension__ typedef unsigned __int128 wide;

static wide work_parts(struct copy_work work)
{
    return (wide)work.ps << 32 | work.part;
}

static struct copy_work work_of(wide parts)
{
    return (struct copy_work){.ps = (uint64_t)(parts >> 32), .part = (uint32_t)parts};
}

struct copy_work copy_work_left(gfe_ps alone_ps, uint64_t done, uint64_t whole)
{
    wide product;

    assert(whole > 0 && done <= whole);
    product = (wide)alone_ps * (whole - done);
    return (struct copy_work){
        .ps = (uint64_t)(product / whole),
        .part = (uint64_t)((product % whole << 32) / whole),
    };
}

int copy_work_compare(struct copy_work a, struct copy_work b)
{
    const wide left = work_parts(a), right = work_parts(b);

    return (left > right) - (left < right);
}

/* ---- one copy -------------------------------------------------------------------------------- */

/* bytes / rate as a part of worst_bytes / worst_rate, which is no less; rounded up. */
static uint64_t load_of(uint64_t bytes, uint64_t rate, uint64_t worst_bytes, uint64_t worst_rate)
{
    wide asked, whole, load;

    if (bytes == 0)
        return 0;
    while ((bytes | worst_bytes) >> 48) { /* the quotient is all that counts */
        bytes >>= 1;
        worst_bytes >>= 1;
    }
    asked = (wide)bytes * worst_rate;
    whole = (wide)worst_bytes * rate;
    while (asked >> 95) {
        asked >>= 1;
        whole >>= 1;
    }
    if (whole == 0)
        return COPY_SPEED_FULL;
    load = ((asked << 32) + whole - 1) / whole;
    return load > COPY_SPEED_FULL ? COPY_SPEED_FULL : (uint64_t)load;
}

void copy_flow_begin(struct copy_flow *flow, struct copy_work left, const struct copy_rates *rates,
                     const struct copy_traffic *traffic, gfe_ps now_ps)
{
    const struct copy_demand demand = copy_demand(rates, traffic);
    const wide parts = work_parts(left);
    const uint64_t carry = flow->carry;

    *flow = (struct copy_flow){
        .left = work_of(parts > carry ? parts - carry : 0),
        .since_ps = now_ps,
        .limit = demand.worst,
        .own_limit = demand.worst,
    };
    for (uint32_t link = 0; link < COPY_LINKS; link++)
        flow->load[link] = load_of(demand.bytes[COPY_LIMIT_SYSTEM_READ + link],
                                   demand.rate[COPY_LIMIT_SYSTEM_READ + link],
                                   demand.bytes[demand.worst], demand.rate[demand.worst]);
}

bool copy_flow_settle(struct copy_flow *flow, gfe_ps now_ps)
{
    const wide todo = work_parts(flow->left) - work_parts(flow->goal); /* goal <= left */
    const wide done = (wide)(now_ps - flow->since_ps) * flow->speed;

    assert(now_ps >= flow->since_ps);
    flow->since_ps = now_ps;
    if (done < todo) {
        flow->left = work_of(work_parts(flow->left) - done);
        return false;
    }
    flow->carry = done - todo < COPY_SPEED_FULL ? (uint64_t)(done - todo) : 0;
    flow->left = flow->goal;
    return true;
}

gfe_ps copy_flow_due_ps(const struct copy_flow *flow)
{
    const wide todo = work_parts(flow->left) - work_parts(flow->goal);
    wide span;

    if (todo == 0)
        return flow->since_ps;
    if (flow->speed == 0)
        return GFE_PS_NEVER;
    span = (todo + flow->speed - 1) / flow->speed;
    return span >= GFE_PS_NEVER ? GFE_PS_NEVER : clock_add(flow->since_ps, (gfe_ps)span);
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* The link that is full first when the speeds of the open flows rise together, and the speed that
 * they then have; COPY_LINKS: none is full at full speed. */
static uint32_t fullest(const struct copy_flow *flows, uint64_t open, const uint64_t *room,
                        uint64_t *speed)
{
    uint32_t full = COPY_LINKS;

    *speed = COPY_SPEED_FULL;
    for (uint32_t link = 0; link < COPY_LINKS; link++) {
        uint64_t load = 0;

        for (uint64_t left = open; left; left &= left - 1)
            load += flows[__builtin_ctzll(left)].load[link];
        if ((wide)room[link] * COPY_SPEED_FULL >= (wide)*speed * load)
            continue;
        *speed = (uint64_t)((wide)room[link] * COPY_SPEED_FULL / load);
        full = link;
    }
    return full;
}

void copy_share(struct copy_flow *flows, uint32_t count)
{
    uint64_t room[COPY_LINKS] = {COPY_SPEED_FULL, COPY_SPEED_FULL, COPY_SPEED_FULL};
    uint64_t open = 0;

    assert(count <= COPY_SHARE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        flows[i].speed = 0;
        open |= (uint64_t)flows[i].moves << i;
    }
    while (open) {
        uint64_t speed;
        const uint32_t link = fullest(flows, open, room, &speed);

        for (uint64_t left = open; left; left &= left - 1) {
            struct copy_flow *flow = &flows[__builtin_ctzll(left)];

            if (link != COPY_LINKS && flow->load[link] == 0)
                continue;
            flow->speed = speed;
            flow->limit = link == COPY_LINKS ? flow->own_limit : COPY_LIMIT_SYSTEM_READ + link;
            open &= ~(left & -left);
            for (uint32_t l = 0; l < COPY_LINKS; l++) /* rounded down: never below what is left */
                room[l] -= (uint64_t)((wide)speed * flow->load[l] >> 32);
        }
    }
}
