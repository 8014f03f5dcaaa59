/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/outcome_reach.h"

#include <stdlib.h>
#include <string.h>

const struct outcome_isolation outcome_isolation_default = {.boundary = OUTCOME_REACH_PROCESS};

const char *outcome_reach_name(enum outcome_reach reach)
{
    static const char *const names[] = {"none", "same context", "another context",
                                        "another process", "another tenant"};

    return names[reach];
}

static const char *const boundary_names[] = {
    [OUTCOME_REACH_CONTEXT] = "context",
    [OUTCOME_REACH_PROCESS] = "process",
    [OUTCOME_REACH_TENANT] = "tenant",
};

const char *outcome_boundary_name(enum outcome_reach boundary)
{
    return boundary_names[boundary];
}

bool outcome_boundary_parse(const char *text, enum outcome_reach *boundary)
{
    for (uint32_t i = OUTCOME_REACH_CONTEXT; i < OUTCOME_REACHES; i++)
        if (strcmp(boundary_names[i], text) == 0) {
            *boundary = (enum outcome_reach)i;
            return true;
        }
    return false;
}

bool outcome_tenant_add(struct outcome_isolation *isolation, uint64_t holder, uint32_t tenant)
{
    if (isolation->tenant_count == OUTCOME_TENANTS_MAX)
        return false;
    isolation->tenants[isolation->tenant_count++] = (struct outcome_tenant){holder, tenant};
    return true;
}

/* ---- places ---------------------------------------------------------------------------------- */

struct outcome_place *outcome_place_of(struct outcome_places *places, uint64_t who)
{
    const uint32_t index = id_map_find(&places->index, who);

    if (index != ID_MAP_NONE)
        return &places->rows[index];
    if (places->count == places->capacity) {
        const uint32_t capacity = 2 * places->capacity + 16;
        struct outcome_place *rows = realloc(places->rows, capacity * sizeof *rows);

        if (!rows)
            return NULL;
        places->rows = rows;
        places->capacity = capacity;
    }
    if (!id_map_add(&places->index, who, places->count))
        return NULL;
    places->rows[places->count] = (struct outcome_place){.who = who};
    return &places->rows[places->count++];
}

void outcome_places_fini(struct outcome_places *places)
{
    free(places->rows);
    id_map_fini(&places->index);
    *places = (struct outcome_places){0};
}

/* ---- the reach ------------------------------------------------------------------------------- */

static uint32_t tenant_of(const struct outcome_isolation *isolation, uint64_t who)
{
    const uint64_t holder = who & ((UINT64_C(1) << 56) - 1);

    for (uint32_t i = 0; i < isolation->tenant_count; i++)
        if (isolation->tenants[i].holder == holder)
            return isolation->tenants[i].tenant;
    return 0;
}

static struct outcome_place place_of(const struct outcome_places *places, uint64_t who)
{
    const uint32_t index = id_map_find(&places->index, who);

    return index == ID_MAP_NONE ? (struct outcome_place){.who = who} : places->rows[index];
}

static bool is_same_process(const struct outcome_place *a, const struct outcome_place *b)
{
    if (a->process != 0 && b->process != 0)
        return a->process == b->process;
    return (a->context != 0 && a->context == b->context) || (a->space != 0 && a->space == b->space);
}

bool outcome_same_process(const struct outcome_places *places, uint64_t who, uint64_t other)
{
    const struct outcome_place a = place_of(places, who), b = place_of(places, other);

    return who == other || is_same_process(&a, &b);
}

static enum outcome_reach reach_between(const struct outcome_places *places,
                                        const struct outcome_isolation *isolation, uint64_t owner,
                                        uint64_t victim)
{
    const struct outcome_place a = place_of(places, owner), b = place_of(places, victim);

    if (tenant_of(isolation, owner) != tenant_of(isolation, victim))
        return OUTCOME_REACH_TENANT;
    if (!is_same_process(&a, &b))
        return OUTCOME_REACH_PROCESS;
    return a.context == 0 || a.context != b.context ? OUTCOME_REACH_CONTEXT
                                                    : OUTCOME_REACH_SAME_CONTEXT;
}

enum outcome_reach outcome_reach_of(const struct outcome_places *places,
                                    const struct outcome_isolation *isolation,
                                    const struct outcome_owners *owners, uint64_t who)
{
    enum outcome_reach nearest = OUTCOME_REACH_TENANT;

    for (uint32_t i = 0; i < owners->count; i++) {
        const enum outcome_reach reach = reach_between(places, isolation, owners->who[i], who);

        nearest = reach < nearest ? reach : nearest;
    }
    return nearest;
}
