/* SPDX-License-Identifier: MIT */
/*
 * Copies that run at the same time: how they share the link to system memory and the local memory.
 *
 * A copy alone runs at full speed.  Its bottleneck (copy.h) is then busy all the time.  Of each
 * link l it takes the share load[l] = (time that its bytes need on l) / (time that it needs).
 * Copies at speeds s need sum(s * load[l]) of link l, which must not exceed the whole link.  The
 * speeds are those of max-min fairness.  All speeds rise together from 0.  When a link is full, the
 * copies on it keep their speed, and the others rise further, at most to full speed.  So copies
 * that meet at a bottleneck are slowed by the same factor.  A link with room slows no copy, and the
 * share that one copy leaves goes to the others. (Processor sharing; that the hardware's arbiters
 * are fair is ASSUMED.)
 *
 * Speeds and loads are integers, in units of 2^-32 of the whole; two equal copies get exactly half
 * each.  The rest of a copy is counted in 2^-32 ps of its time alone.  The excess of its last
 * picosecond is carried into the next copy of that place.
 */
#ifndef GFE_DEVICES_CORE_COPY_SHARE_H
#define GFE_DEVICES_CORE_COPY_SHARE_H

#include "devices/core/copy.h"

#define COPY_SPEED_FULL (UINT64_C(1) << 32)

enum { COPY_SHARE_MAX = 64 };

/* The links that copies share, in the order of enum copy_limit. */
enum copy_link { COPY_LINK_SYSTEM_READ, COPY_LINK_SYSTEM_WRITE, COPY_LINK_LOCAL, COPY_LINKS };

GFE_STATE_BEGIN
/* Time at full speed. */
struct copy_work {
    uint64_t ps, part; /* part: 2^-32 ps, below 2^32 */
};

/* A copy under way, or a place for one. */
struct copy_flow {
    struct copy_work left, goal; /* it stops when `left` has fallen to `goal` */
    uint64_t carry;              /* parts carried over from the copy before */
    uint64_t load[COPY_LINKS];   /* in units of 1 / COPY_SPEED_FULL */
    uint64_t speed;              /* in the same unit, valid since since_ps */
    gfe_ps since_ps;             /* time to which `left` belongs */
    uint32_t moves;              /* 1 if it may run */
    uint32_t limit;              /* enum copy_limit: what bounds its speed */
    uint32_t own_limit;          /* what bounds it alone */
    uint32_t reserved;
};
GFE_STATE_END

/* Puts a copy into its place at `now_ps`; it does not run yet.  `left` of its time alone is still
 * to do. load and own_limit follow from its whole traffic. */
void copy_flow_begin(struct copy_flow *flow, struct copy_work left, const struct copy_rates *rates,
                     const struct copy_traffic *traffic, gfe_ps now_ps);
/* Advances the copy to `now_ps`.  Returns true if it has reached its goal. */
bool copy_flow_settle(struct copy_flow *flow, gfe_ps now_ps);
/* Returns the time at which the copy reaches its goal at this speed.  `GFE_PS_NEVER` means that it
 * does not. */
gfe_ps copy_flow_due_ps(const struct copy_flow *flow);
/* Computes speeds and limits of `count` flows (at most COPY_SHARE_MAX), which must be settled.
 * Flows that do not move get speed 0. */
void copy_share(struct copy_flow *flows, uint32_t count);

/* Returns the work left of a copy that takes `alone_ps`, after `done` of its `whole` bytes; rounded
 * down. done <= whole, whole > 0 (asserted). */
struct copy_work copy_work_left(gfe_ps alone_ps, uint64_t done, uint64_t whole);
/* Returns <0, 0 or >0 if a is less than, equal to or more than b. */
int copy_work_compare(struct copy_work a, struct copy_work b);

#endif
