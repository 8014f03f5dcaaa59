/* SPDX-License-Identifier: MIT */
/*
 * Makes many experiments with one program fast, for a fault campaign.
 *
 * The run without faults (golden) is made once, with a snapshot at each of many points.  An
 * experiment restores the last snapshot before one of its faults can act, and goes on with the
 * faults.  It stops when the faults will never act again and the machine at a point equals the
 * golden run's there, because both runs are the same from then on.  So the cost of an experiment
 * depends on the fault's effects, not on its time.
 *
 * The outcome is the same in every detail as that of inject_run_make() (emu/faults/inject_run.h)
 * from the start.  The comparison is exact: all of guest memory, and all of the arena except
 *   - the log's cursor and the injector's own counters, which no running unit reads;
 *   - the places of events in the queue: the queue must have the same events in the same order;
 * and a run that is over its bounds, or has been before, is never cut short.
 *
 * A run belongs to the thread that made it (emu/engine/arena_watch.h), and to processes that it
 * forks.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_RUN_H
#define GFE_EMU_FAULTS_CAMPAIGN_RUN_H

#include "emu/sim/any_simulation.h"
#include "emu/faults/campaign_access.h"
#include "emu/engine/arena_watch.h"
#include "emu/engine/event_queue_list.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

enum {
    CAMPAIGN_POINTS_MAX = 256,
    CAMPAIGN_PENDING_MAX = 1024,
    CAMPAIGN_CONTENTS_MAX = 64 << 20, /* bytes kept of the passages' contents */
    CAMPAIGN_CONDITIONS_MAX = 64,
};

/* A point of the golden run, after all events before a time. */
struct campaign_point {
    gfe_ps time_ps;
    uint64_t event_count;
    struct machine_snapshot *snapshot;
    struct event_queue_pending *pending;
    uint32_t pending_count; /* CAMPAIGN_PENDING_MAX + 1: too many, and no comparison here */
    /* Counts of the golden run up to here. */
    uint32_t counts[OUTCOME_ROLES];
    uint64_t kinds[TABLE_END]; /* events logged, by kind */
};

/* The passages of one site in the golden run, in order. */
struct campaign_passages {
    struct campaign_passage {
        uint64_t subject;
        gfe_ps time_ps;
        uint32_t point;     /* the last point before it */
        uint32_t bytes;     /* size of its contents, from contents_at on in the run's contents */
        size_t contents_at; /* SIZE_MAX: not kept, because there were too many */
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
    uint64_t owner; /* see outcome_owner(); UINT64_MAX: the subject that each fault first touches */
    struct any_simulation simulation;
    struct outcome_observer golden, faulty;
    struct campaign_point *points;
    uint32_t point_count;
    uint64_t event_count;      /* of the golden run */
    uint64_t kinds[TABLE_END]; /* events that it logged, by kind */
    gfe_ps end_ps;
    struct campaign_passages passages[INJECT_SITES_MAX];
    struct campaign_contents contents; /* of the passages */
    struct campaign_accesses accesses; /* to memory */
    struct campaign_condition {
        struct inject_trigger trigger; /* INJECT_AT_VALUE */
        uint32_t start;                /* see campaign_condition_start() */
    } conditions[CAMPAIGN_CONDITIONS_MAX];
    uint32_t condition_count;
    bool prunes; /* experiments whose outcome is known are not made (emu/faults/campaign_prune.h) */
    struct arena_range except[3]; /* the parts of the arena that are not compared */
    size_t hint;                  /* the place in the arena of the last difference */
    uint32_t at;                  /* the point that the golden run is at */
    bool memory_differs;          /* the last difference was in memory */
    bool no_memory;
};

/* The result of an experiment. */
struct campaign_result {
    struct outcome outcome;
    uint64_t acted;               /* how often the faults acted */
    uint32_t activated;           /* how many of them acted */
    gfe_ps first_ps;              /* when the first acted, if one did */
    struct outcome_owners owners; /* the owners of the faults */
    uint64_t events;              /* events handled for this experiment */
    bool pruned;         /* it was not made: both runs are known to be one; no values are known */
    uint32_t from, stop; /* points; stop = point_count: it ran to its end; from UINT32_MAX: none was
                          * made */
};

/* Makes the golden run.  Experiments are pruned unless the caller sets run->prunes to false.
 * `options` (without log) with the data that they point to, and the program, must outlive the run.
 * Returns false with a message on error.  Call campaign_run_fini() in any case. */
bool campaign_run_init(struct campaign_run *run, const struct any_program *program,
                       const struct simulation_options *options, gfe_ps late_ps, uint64_t owner,
                       struct gfe_error *error);
void campaign_run_fini(struct campaign_run *run);
/* Makes an experiment with faults that act together.  Returns false with a message if memory is
 * short.
 */
bool campaign_run_make(struct campaign_run *run, const struct inject_fault *faults, uint32_t count,
                       struct campaign_result *result, struct gfe_error *error);
/* Returns the point from which an experiment with that fault alone starts.  UINT32_MAX means that
 * the fault cannot act, because no passage follows there. */
uint32_t campaign_run_start(const struct campaign_run *run, const struct inject_fault *fault);
/* Returns the number of passages of that subject (or INJECT_ANY) at a site in the golden run. */
uint64_t campaign_run_passages(const struct campaign_run *run, uint32_t site, uint64_t subject);

/* Returns true if the machine is as it was at this point without a fault, so that it goes on in the
 * same way.  Call it between two events. */
bool campaign_run_is_back(struct campaign_run *run, uint32_t index);
/* Returns the last point at or before a time. */
uint32_t campaign_run_point_at(const struct campaign_run *run, gfe_ps time_ps);
/* Returns the first passage of a site at or after a time. */
uint32_t campaign_run_passage_at(const struct campaign_passages *passages, gfe_ps time_ps);

/* Makes the golden run, for campaign_run_init(); in campaign_golden.c. */
bool campaign_golden(struct campaign_run *run, struct gfe_error *error);

#endif
