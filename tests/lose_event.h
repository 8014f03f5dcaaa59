/* SPDX-License-Identifier: MIT */
/*
 * Nothing stays undone in silence: a program runs once as it is, and then again and again, each
 * time without one of its events, as if its handler had not been called.  A run in which less gets
 * done than before has to report what it left (machine_log_open()).
 *
 * The events to lose are chosen by lot, from each kind of event of each unit before a second one of
 * any kind.  What gets done is what the log says is complete: grids, blocks, copies, draws,
 * packets, signals, releases, jobs, iterations, and threads of a recording.  The right answer is
 * not gfe's word but the count of the first run.
 *
 * Uses Check: a failure fails the running test, and names the event.
 */
#ifndef TESTS_LOSE_EVENT_H
#define TESTS_LOSE_EVENT_H

#include "emu/sim/any_simulation.h"

/* How a program fared. */
struct lose_event_result {
    uint32_t tried;  /* runs without an event */
    uint32_t undone; /* of them, those in which less got done; all were reported */
};

/* Runs the program, and `samples` times without one event (all events once, if it has fewer).
 * options->log and ->lost_event are set here.  The first run may have no work left.  Runs in which
 * time or events exceed a multiple of the first run's are stopped and not counted. */
struct lose_event_result lose_event_check(const struct any_program *program,
                                          const struct simulation_options *options,
                                          const char *name, uint32_t samples);
/* The same of a file below the source folder: a recording (.gft) or a configuration of
 * hip_plugin_framework for options->gpu (by default radeon-vii). */
struct lose_event_result
lose_event_check_file(const char *path, const struct simulation_options *options, uint32_t samples);

#endif
