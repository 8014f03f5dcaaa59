/* SPDX-License-Identifier: MIT */
/*
 * Many experiments with one program, fast: what a fault campaign does again and again.
 *
 * The run without faults (golden) is made once, with a snapshot at each of many points.  An
 * experiment restores the last one before one of its faults can act, goes on with them, and stops
 * when they have done all that they ever will and the machine is at a point as it was there
 * without: from then on both go the same way.  So it costs what the fault changes, not how late it
 * is.
 *
 * The outcome is the one that inject_run_make() (emu/faults/inject_run.h) comes to from the start,
 * in every detail.  "As it was" is exact: all of guest memory, and all of the arena but for
 *   - the log's cursor and the injector's own counters, which nothing that runs asks for;
 *   - where the queue keeps its events: it must have the same ones in the same order;
 * and a run that is over its bounds, or has been before, is never cut short.
 *
 * A run belongs to the thread that made it (emu/engine/arena_watch.h), and to what that forks.
 */
#ifndef GFE_DEVICES_CAMPAIGN_RUN_H
#define GFE_DEVICES_CAMPAIGN_RUN_H

#include "emu/sim/any_simulation.h"
#include "emu/faults/campaign_access.h"
#include "emu/engine/arena_watch.h"
#include "emu/engine/event_queue_list.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

enum {
    CAMPAIGN_POINTS_MAX = 256,
    CAMPAIGN_PENDING_MAX = 1024,
    CAMPAIGN_CONTENTS_MAX = 64 << 20, /* bytes kept of what passed */
    CAMPAIGN_CONDITIONS_MAX = 64,
};

/* Behind all events before a time. */
struct campaign_point {
    gfe_ps time_ps;
    uint64_t event_count;
    struct machine_snapshot *snapshot;
    struct event_queue_pending *pending;
    uint32_t pending_count; /* CAMPAIGN_PENDING_MAX + 1: more, and nothing is compared here */
    /* What the golden run had come to. */
    uint32_t counts[OUTCOME_ROLES];
    uint64_t kinds[TABLE_END]; /* events logged, by kind */
};

/* What passed one site in the golden run, in its order. */
struct campaign_passages {
    struct campaign_passage {
        uint64_t subject;
        gfe_ps time_ps;
        uint32_t point;     /* the last before it */
        uint32_t bytes;     /* of its contents, from contents_at on in the run's; */
        size_t contents_at; /* SIZE_MAX: not kept, there were too many */
    } * rows;
    uint32_t count, capacity;
};

struct campaign_contents {
    uint8_t *data;
    size_t count, capacity;
};

struct campaign_run {
    struct any_program program;
    struct simulation_options options;
    gfe_ps late_ps;
    uint64_t owner; /* as outcome_owner() has it; UINT64_MAX: whose each fault is */
    struct any_simulation simulation;
    struct outcome_observer golden, faulty;
    struct campaign_point *points;
    uint32_t point_count;
    uint64_t event_count;      /* of the golden run */
    uint64_t kinds[TABLE_END]; /* events that it logged, by kind */
    gfe_ps end_ps;
    struct campaign_passages passages[INJECT_SITES_MAX];
    struct campaign_contents contents; /* of what passed */
    struct campaign_accesses accesses; /* to memory */
    struct campaign_condition {
        struct inject_trigger trigger; /* INJECT_AT_VALUE */
        uint32_t start;                /* as campaign_condition_start() says */
    } conditions[CAMPAIGN_CONDITIONS_MAX];
    uint32_t condition_count;
    bool prunes; /* experiments whose outcome is known are not made (emu/faults/campaign_prune.h) */
    struct arena_range except[3]; /* of the arena, what is not compared */
    size_t hint;                  /* where in it two last differed */
    uint32_t at;                  /* point at which the golden run is */
    bool memory_differs;          /* it was memory that differed last */
    bool no_memory;
};

/* What came of an experiment. */
struct campaign_result {
    struct outcome outcome;
    uint64_t acted;               /* how often the faults have */
    uint32_t activated;           /* how many of them have */
    gfe_ps first_ps;              /* when the first did, if one has */
    struct outcome_owners owners; /* whose they are taken for */
    uint64_t events;              /* handled for this experiment */
    bool pruned;         /* it was not made: both runs are known to be one; no values are known */
    uint32_t from, stop; /* points; stop = point_count: it ran to its end; from UINT32_MAX: none was
                          * made */
};

/* Makes the golden run; experiments are pruned unless run->prunes is made false.  `options`
 * (without log) and what they point to, and the program, must outlive it.  False with a message;
 * campaign_run_fini() in any case. */
bool campaign_run_init(struct campaign_run *run, const struct any_program *program,
                       const struct simulation_options *options, gfe_ps late_ps, uint64_t owner,
                       struct gfe_error *error);
void campaign_run_fini(struct campaign_run *run);
/* With faults that act together.  False with a message: no memory. */
bool campaign_run_make(struct campaign_run *run, const struct inject_fault *faults, uint32_t count,
                       struct campaign_result *result, struct gfe_error *error);
/* The point from which an experiment with that fault alone starts; UINT32_MAX: it cannot act, as
 * nothing passes there any more. */
uint32_t campaign_run_start(const struct campaign_run *run, const struct inject_fault *fault);
/* How often something of that subject (or INJECT_ANY) passed a site in the golden run. */
uint64_t campaign_run_passages(const struct campaign_run *run, uint32_t site, uint64_t subject);

/* Between experiments' events: is the machine as it was at this point without a fault, so that it
 * goes on as it did then? */
bool campaign_run_is_back(struct campaign_run *run, uint32_t index);
/* The last point at a time or before. */
uint32_t campaign_run_point_at(const struct campaign_run *run, gfe_ps time_ps);
/* The first passage of a site at a time or later. */
uint32_t campaign_run_passage_at(const struct campaign_passages *passages, gfe_ps time_ps);

/* Of campaign_run_init(): the golden run, in campaign_golden.c. */
bool campaign_golden(struct campaign_run *run, struct gfe_error *error);

#endif
