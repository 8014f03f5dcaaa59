/* SPDX-License-Identifier: MIT */
/* Runs of hip_plugin_framework configurations, and the replay of a recording of two queues, with
 * their logs in files.  Uses Check: a failure fails the running test. */
#ifndef TESTS_HIP_RUN_H
#define TESTS_HIP_RUN_H

#include "emu/sim/simulation.h"
#include "emu/analysis/check/check.h"
#include "emu/log/event_log.h"
#include "tests/trace_samples.h"

/* "big" launches 96 blocks of 1,024 threads twice; "small" launches 640 blocks of 256 threads again
 * and again.  Each partition has two shader engines of a Radeon VII.  In the uneven case the first
 * partition also has a CU of one of the other's (Otterness and Anderson 2022, s.5.2). */
extern const char hip_run_shared[], hip_run_even[], hip_run_uneven[];
/* Six streams without masks, which share four queues, and five with masks: each ACE has several. */
extern const char hip_run_crowd[];
/* 33 streams with masks, more queues than slots (A.H2). */
extern const char hip_run_many[];
/* Like hip_run_many, with enough blocks that most queues leave their slots amid their blocks. */
extern const char hip_run_long[];

struct hip_run {
    struct memory_file file;
    struct event_log_reader *log;
    struct check_limits limits; /* of the Radeon VII */
};

/* Runs a configuration.  `choice` is one choice with its alternative, or NULL. */
void hip_run_begin(struct hip_run *run, const char *config,
                   const struct simulation_setting *choice);
/* Replays tests/golden/kfd_kernels.gft. */
void hip_run_replay(struct hip_run *run);
/* Replays another recording of ROCm in tests/golden. */
void hip_run_replay_of(struct hip_run *run, const char *recording);
/* Opens the log again, at its beginning. */
void hip_run_reopen(struct hip_run *run);
void hip_run_end(struct hip_run *run);

#endif
