/* SPDX-License-Identifier: MIT */
/*
 * One program with and without faults: the run without (golden), kept, and any number of runs with
 * them, each judged against it (emu/faults/outcome.h).
 */
#ifndef GFE_DEVICES_INJECT_RUN_H
#define GFE_DEVICES_INJECT_RUN_H

#include "emu/sim/any_simulation.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

struct inject_experiment {
    struct any_simulation simulation;
    struct gfe_error stopped; /* why it did not run to its end; ERROR_NONE: it did */
    struct outcome_observer observer;
};

struct inject_run {
    struct any_program program;
    struct simulation_options options;
    gfe_ps late_ps; /* results that come so much later count as late */
    struct inject_experiment golden;
    uint64_t golden_events;
};

/* Runs the program without faults.  `options` (of which log is ignored: logs are kept in memory)
 * and what they point to must outlive it.  False with a message; inject_run_fini() in any case. */
bool inject_run_init(struct inject_run *run, const struct any_program *program,
                     const struct simulation_options *options, gfe_ps late_ps,
                     struct gfe_error *error);
void inject_run_fini(struct inject_run *run);
/* Parses the faults of a text (inject_parse_set()) for this run and adds them, at most
 * INJECT_FAULTS_MAX in all; false with a message that quotes the text. */
bool inject_run_parse_set(const struct inject_run *run, const char *text,
                          struct inject_fault faults[INJECT_FAULTS_MAX], uint32_t *count,
                          struct gfe_error *error);
/* A random trigger becomes the one that its seed draws (inject_draw()); for that the program is run
 * once more.  Others stay.  False with a message: nothing of it ever passes. */
bool inject_run_draw(struct inject_run *run, struct inject_fault *fault, struct gfe_error *error);
/* Runs with faults, from the start, within a watchdog: four times the golden run's events and
 * simulated time, and 100,000 events and a minute more.  `owner` is whose the faults are as
 * outcome_owner() has it, UINT64_MAX: whom each first touches.  False with a message: no memory.
 * inject_experiment_fini() in any case. */
bool inject_run_make(struct inject_run *run, const struct inject_fault *faults, uint32_t count,
                     uint64_t owner, struct inject_experiment *experiment, struct outcome *outcome,
                     struct gfe_error *error);
void inject_experiment_fini(struct inject_experiment *experiment);

/* For others who make such runs (emu/faults/campaign_run.h): the bounds of a run with faults, */
void inject_run_watchdog(uint64_t golden_events, gfe_ps golden_end_ps, uint64_t *max_events,
                         gfe_ps *max_time_ps);
/* whose the faults that acted are, `given` or (UINT64_MAX) whom they touched; nobody's as soon as
 * one is, */
struct outcome_owners inject_run_owners(const struct inject *inject, uint64_t given);
/* and when it did; GFE_PS_NEVER: none has. */
gfe_ps inject_run_acted_ps(const struct inject *inject);

#endif
