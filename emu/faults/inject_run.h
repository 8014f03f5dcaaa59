/* SPDX-License-Identifier: MIT */
/*
 * Runs one program with and without faults.  The run without faults (golden) is kept; each run with
 * faults is judged against it (emu/faults/outcome.h).
 */
#ifndef GFE_EMU_FAULTS_INJECT_RUN_H
#define GFE_EMU_FAULTS_INJECT_RUN_H

#include "emu/sim/any_simulation.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome.h"

struct inject_experiment {
    struct any_simulation simulation;
    struct gfe_error stopped; /* why the run stopped early; ERROR_NONE: it ran to its end */
    struct outcome_observer observer;
};

struct inject_run {
    struct any_program program;
    struct simulation_options options;
    gfe_ps late_ps; /* results that are this much later, or more, count as late */
    struct inject_experiment golden;
    uint64_t golden_events;
};

/* Runs the program without faults.  `options` and the data that they point to must outlive the run;
 * options->log is ignored, because logs are kept in memory.  Returns false with a message on error.
 * Call inject_run_fini() in any case. */
bool inject_run_init(struct inject_run *run, const struct any_program *program,
                     const struct simulation_options *options, gfe_ps late_ps,
                     struct gfe_error *error);
void inject_run_fini(struct inject_run *run);
/* Parses the faults of a text (inject_parse_set()) for this run and adds them, at most
 * INJECT_FAULTS_MAX in all.  Returns false with a message that quotes the text. */
bool inject_run_parse_set(const struct inject_run *run, const char *text,
                          struct inject_fault faults[INJECT_FAULTS_MAX], uint32_t *count,
                          struct gfe_error *error);
/* Replaces a random trigger by the one that its seed draws (inject_draw()); for that it runs the
 * program once more.  Other triggers are unchanged.  Returns false with a message if the site has
 * no passage. */
bool inject_run_draw(struct inject_run *run, struct inject_fault *fault, struct gfe_error *error);
/* Runs the program with faults, from the start, under a watchdog.  Its limits are four times the
 * golden run's events plus 100,000, and four times its simulated time plus a minute.  `owner` is
 * the owner of the faults (outcome_owner()); UINT64_MAX stands for the subject that each first
 * touches.  Returns false with a message if memory is short.  Call inject_experiment_fini() in any
 * case. */
bool inject_run_make(struct inject_run *run, const struct inject_fault *faults, uint32_t count,
                     uint64_t owner, struct inject_experiment *experiment, struct outcome *outcome,
                     struct gfe_error *error);
void inject_experiment_fini(struct inject_experiment *experiment);

/* The following functions serve other units that make such runs (emu/faults/campaign_run.h). */

/* Computes the limits of a run with faults. */
void inject_run_watchdog(uint64_t golden_events, gfe_ps golden_end_ps, uint64_t *max_events,
                         gfe_ps *max_time_ps);
/* Returns the owners of the faults that acted: `given`, or with UINT64_MAX the subjects that they
 * touched.  If one of the faults has no owner, there are none. */
struct outcome_owners inject_run_owners(const struct inject *inject, uint64_t given);
/* Returns when the first fault acted; `GFE_PS_NEVER` means that none has. */
gfe_ps inject_run_acted_ps(const struct inject *inject);

#endif
