/* SPDX-License-Identifier: MIT */
/* The grids that are in the way under CORE.GRIDS: those that may have blocks at that time. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>

#include "emu/analysis/explain/explain.h"

/* Its context was off the engine just before that time. */
static bool stands_still(const struct explain *explain, const struct explain_operation *launch,
                         gfe_ps at_ps)
{
    for (uint32_t i = launch->launch.first_stop; i != EXPLAIN_NONE; i = explain->waits[i].next)
        if (explain->waits[i].begin_ps < at_ps && explain->waits[i].end_ps >= at_ps)
            return true;
    return false;
}

uint32_t explain_resident_next(const struct explain *explain, gfe_ps at_ps, uint32_t from)
{
    for (uint32_t i = from; i < explain->operation_count; i++) {
        const struct explain_operation *operation = &explain->operations[i];

        if (operation->kind == EXPLAIN_LAUNCH && operation->launch.start_ps < at_ps &&
            operation->end_ps >= at_ps && !stands_still(explain, operation, at_ps))
            return i;
    }
    return EXPLAIN_NONE;
}

void explain_resident_words(const struct explain *explain, gfe_ps at_ps,
                            char to[EXPLAIN_NAME_BYTES])
{
    uint32_t count = 0, first = EXPLAIN_NONE;
    char name[EXPLAIN_NAME_BYTES];

    *to = 0;
    for (uint32_t i = explain_resident_next(explain, at_ps, 0); i != EXPLAIN_NONE;
         i = explain_resident_next(explain, at_ps, i + 1)) {
        count++;
        if (first == EXPLAIN_NONE ||
            explain->operations[i].end_ps < explain->operations[first].end_ps)
            first = i;
    }
    if (count == 0)
        return;
    explain_name(explain, (struct explain_ref){EXPLAIN_LAUNCH, first}, name);
    if (count == 1)
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "%.26s, the resident grid", name);
    else
        (void)snprintf(to, EXPLAIN_NAME_BYTES, "%.26s and %" PRIu32 " more resident grids", name,
                       count - 1);
}
