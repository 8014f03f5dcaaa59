/* SPDX-License-Identifier: MIT */
/*
 * AMD's dispatcher by itself, without packets and without memory of queues.  The test makes the
 * launches.  A failure of the fixture itself ends the program.
 */
#ifndef TESTS_CHECK_AMD_H
#define TESTS_CHECK_AMD_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/amd/amd_dispatch.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "emu/log/event_log.h"

enum { CHECK_AMD_ENDS_MAX = 256 };

struct check_amd {
    struct machine *machine;
    struct amd_dispatch dispatch;
    uint32_t nobody; /* a unit after the dispatcher, whose events do nothing */
    /* Dispatches that have ended, in the order of their ends. */
    uint64_t ended[CHECK_AMD_ENDS_MAX];
    gfe_ps ended_ps[CHECK_AMD_ENDS_MAX];
    uint32_t ended_count;
    struct log_event *events; /* decoded by check_amd_run() */
    uint32_t event_count;
};

/* Wires and seals a chip's dispatcher.  `settings` are "name=value" of parameters and choice
 * points, and end with NULL; `settings` itself may be NULL. */
void check_amd_begin(struct check_amd *check, const char *chip, const char *const *settings);
void check_amd_end(struct check_amd *check);
/* Returns a launch on all CUs.  Each block has `block_ps` of a CU's work, without jitter.  Each
 * wave has 24 VGPRs and 32 SGPRs, and no LDS. */
struct amd_launch check_amd_launch(const struct check_amd *check, uint32_t ace, uint32_t queue,
                                   uint64_t block_count, uint32_t block_threads, uint64_t block_ps);
/* Sets the masks that enable the first cus[i] CUs of each of four shader engines. */
void check_amd_mask(struct amd_launch *launch, const uint32_t cus[4]);
uint64_t check_amd_submit(struct check_amd *check, const struct amd_launch *launch);
/* Runs until no event is left, and decodes the log. */
void check_amd_run(struct check_amd *check);
/* Returns the time at which the dispatch ended. */
gfe_ps check_amd_end_ps(const struct check_amd *check, uint64_t grid_id);
/* Returns the n-th event of a kind of the dispatch, or NULL if there are fewer such events. */
const struct log_event *check_amd_event(const struct check_amd *check, uint32_t kind,
                                        uint64_t grid_id, uint32_t n);
uint32_t check_amd_count_rule(const struct check_amd *check, uint32_t kind, uint32_t rule);

/* Returns the paper's task with blocks of `block_threads` threads.  Work and jitter are calibrated
 * on isolated runs (docs/quality/check-long.md).  MM256's blocks work a quarter as long. */
struct amd_launch check_amd_matrix_multiply(const struct check_amd *check, uint32_t ace,
                                            uint32_t block_threads, uint64_t seed);
/* Time from the call of the launch to its return, without the dispatcher's own time. */
#define CHECK_AMD_OVERHEAD_PS UINT64_C(30000000)

#endif
