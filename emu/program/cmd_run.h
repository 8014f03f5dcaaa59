/* SPDX-License-Identifier: MIT */
/* The options of gfe run.  Private to cmd_run.c, which reads them, and cmd_run_*.c, which make one
 * run with them. */
#ifndef GFE_EMU_PROGRAM_CMD_RUN_H
#define GFE_EMU_PROGRAM_CMD_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/sim/any_simulation.h"
#include "emu/explore/responses.h"
#include "emu/sim/scenario.h"
#include "emu/sim/simulation.h"
#include "emu/program/cmd_settings.h"
#include "emu/base/limits.h"

enum {
    RUN_POKES_MAX = 1024,
};

struct run {
    struct cmd_gpu *gpu; /* owned by the command */
    struct simulation_options options;
    struct simulation_setting parameters[CMD_SETTINGS_MAX], choices[CMD_SETTINGS_MAX];
    const char *pokes[RUN_POKES_MAX];
    const char *trace, *log;  /* trace: path of the trace or of the first configuration */
    const char *const *paths; /* of all configurations */
    uint32_t path_count;
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    char cost_names[SCENARIO_COSTS_MAX][MEASURED_COST_NAME_BYTES]; /* of measured ones */
    uint32_t cost_count;
    enum scenario_default_stream default_stream;
    bool mps;
    const char *scenario_option;    /* the last option that only configurations have; NULL = none */
    uint32_t explore;               /* seeds; 0 = one run, with its log */
    bool explore_all;               /* vary choice points, not seeds */
    char *responses;                /* the text of the response times; owned */
    const char *times;              /* file for the response time of each iteration; NULL = none */
    const char *snapshot, *restore; /* files; NULL = none */
    gfe_ps snapshot_ps;             /* time of the snapshot; UINT64_MAX = not by time */
    uint64_t snapshot_events;       /* number of events before it; UINT64_MAX = not by events */
    struct limits limits;
    bool json;
    bool *interrupted; /* set to true if the run ended by Ctrl-C, before its end */
    bool work_left;    /* set by the run: it ended, and something waits for ever */
};

/* cmd_run_watch.c: runs a simulation to its end, with head and end of its log.  On a terminal it
 * says how far the run is.  Ctrl-C ends the run there, with a message, and sets *interrupted. */
bool run_watched(struct any_simulation *simulation, bool *interrupted, struct gfe_error *error);

/* The program to run: one of the two. */
struct run_subject {
    const struct replay_input *input;
    const struct scenario *scenario;
};

/* Adds the given parameters, choices, pokes and limits to the options. */
void run_options_complete(const struct run *run, struct simulation_options *options);
/* Runs it once: writes the log if one is wanted, prints the summary, and leaves run->responses to
 * the caller. */
bool run_subject(struct run *run, const struct run_subject *subject, struct gfe_error *error);

/* Prints the response times of many runs on stdout. */
bool run_print_responses(const struct run *run, const struct responses *responses,
                         struct gfe_error *error);

/* cmd_run_snapshot.c: returns true if the run begins from a snapshot or takes one.  The
 * simulation's log is then kept in memory, because a snapshot holds all of it so far, and is
 * written at the end. */
bool run_has_snapshots(const struct run *run);
/* Runs a simulation, whose log goes to the writer, to its end, and finishes the writer. */
bool run_to_end(const struct run *run, struct any_simulation *simulation,
                struct chunk_writer *writer, struct gfe_error *error);
/* Returns false with a message if --lose-event names an event that the run did not come to. */
bool run_lost_event(const struct run *run, const struct any_simulation *simulation,
                    struct gfe_error *error);
/* Checks that none of log, snapshot and times would overwrite an input or each other.  Returns
 * false with a message otherwise.  A snapshot may replace the one that the run begins from, which
 * is read first. */
bool run_outputs_differ(const struct run *run, struct gfe_error *error);

/* cmd_run_hip.c: returns true if the run is for an AMD GPU. */
bool run_hip_is(const struct run *run);
/* Runs a configuration of hip_plugin_framework once, and prints its response times. */
bool run_hip(struct run *run, struct gfe_error *error);

#endif
