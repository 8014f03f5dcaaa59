/* SPDX-License-Identifier: MIT */
/*
 * How far a fault reaches: from the channel or queue that owns it to the one that it affected.
 *
 *     same context      a channel of the same time-slice group (TSG)
 *     another context   of the same process: another TSG; of AMD's queues, which the hardware saves
 *                       one by one, every other queue of the process
 *     another process   as the driver or runtime numbers them; where one of the two has no number,
 *                       another GPU address space
 *     another tenant    a channel or queue that the plan gives to another tenant (a virtual machine
 *                       or a customer)
 *
 * Where a channel or queue belongs is learned from the run without faults: NVIDIA's from the events
 * of the driver and of the CUDA runtime, and from the page tables that its instance block names;
 * AMD's from amdkfd's PASID.  ASSUMED: without a runtime model an address space is a process.  One
 * of which neither is known counts as of another process.
 *
 * Isolation is broken by an effect beyond the boundary.
 *
 * Not modelled: hardware partitions (MIG, SR-IOV), which is why tenants are named by the user.
 */
#ifndef GFE_EMU_FAULTS_OUTCOME_REACH_H
#define GFE_EMU_FAULTS_OUTCOME_REACH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/id_map.h"
#include "emu/faults/inject.h"

enum outcome_reach {
    OUTCOME_REACH_NONE,
    OUTCOME_REACH_SAME_CONTEXT,
    OUTCOME_REACH_CONTEXT, /* another one */
    OUTCOME_REACH_PROCESS,
    OUTCOME_REACH_TENANT,
    OUTCOME_REACHES,
};

enum { OUTCOME_TENANTS_MAX = 64 };

/* What is to be isolated from what. */
struct outcome_isolation {
    enum outcome_reach boundary; /* CONTEXT, PROCESS or TENANT: what reaches so far is a breach */
    /* Channels or queues of tenants, by number; those not listed are of tenant 0. */
    struct outcome_tenant {
        uint64_t holder;
        uint32_t tenant;
    } tenants[OUTCOME_TENANTS_MAX];
    uint32_t tenant_count;
};
/* The boundary process, without tenants. */
extern const struct outcome_isolation outcome_isolation_default;

/* The owners of the faults, in order.  There are none if one of the faults has no owner, because
 * its victims cannot be found then. */
struct outcome_owners {
    uint64_t who[INJECT_FAULTS_MAX];
    uint32_t count;
};

/* Where channels, queues and streams belong.  0: not known. */
struct outcome_places {
    struct outcome_place {
        uint64_t who, context, process, space;
    } * rows;
    uint32_t count, capacity;
    struct id_map index; /* from who */
};

/* Returns the place of one, which is added if need be.  Returns NULL if memory is short. */
struct outcome_place *outcome_place_of(struct outcome_places *places, uint64_t who);
void outcome_places_fini(struct outcome_places *places);
/* Returns how far it is from the nearest owner.  There is an owner. */
enum outcome_reach outcome_reach_of(const struct outcome_places *places,
                                    const struct outcome_isolation *isolation,
                                    const struct outcome_owners *owners, uint64_t who);
/* Returns true if both are known to be of one process. */
bool outcome_same_process(const struct outcome_places *places, uint64_t who, uint64_t other);
/* Returns the name of a reach, such as "another process". */
const char *outcome_reach_name(enum outcome_reach reach);
/* Parses the name of a boundary: context, process or tenant. */
bool outcome_boundary_parse(const char *text, enum outcome_reach *boundary);
const char *outcome_boundary_name(enum outcome_reach boundary);
/* Adds a channel or queue to a tenant, from 1.  Returns false if there are too many. */
bool outcome_tenant_add(struct outcome_isolation *isolation, uint64_t holder, uint32_t tenant);

#endif
