/* SPDX-License-Identifier: MIT */
/*
 * AMD's dispatcher by itself: no packets, no queues' memory.  Who launches is the test.  What the
 * fixture itself cannot do ends the program.
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
    uint32_t nobody; /* a unit behind the dispatcher, whose events do nothing */
    /* Dispatches that have ended, in their order. */
    uint64_t ended[CHECK_AMD_ENDS_MAX];
    gfe_ps ended_ps[CHECK_AMD_ENDS_MAX];
    uint32_t ended_count;
    struct log_event *events; /* what check_amd_run() decoded */
    uint32_t event_count;
};

/* Wires and seals a chip's dispatcher.  settings: "name=value" of parameters and choice points, the
 * last NULL; may be NULL. */
void check_amd_begin(struct check_amd *check, const char *chip, const char *const *settings);
void check_amd_end(struct check_amd *check);
/* A launch on all CUs with work of so many picoseconds of a CU in each block, without jitter; 24
 * VGPRs and 32 SGPRs for each wave, no LDS. */
struct amd_launch check_amd_launch(const struct check_amd *check, uint32_t ace, uint32_t queue,
                                   uint64_t block_count, uint32_t block_threads, uint64_t block_ps);
/* The masks that enable the first CUs of each of four shader engines. */
void check_amd_mask(struct amd_launch *launch, const uint32_t cus[4]);
uint64_t check_amd_submit(struct check_amd *check, const struct amd_launch *launch);
/* Runs until nothing is left and decodes the log. */
void check_amd_run(struct check_amd *check);
/* When the dispatch ended. */
gfe_ps check_amd_end_ps(const struct check_amd *check, uint64_t grid_id);
/* The n-th event of a kind of that dispatch; NULL: there are not so many. */
const struct log_event *check_amd_event(const struct check_amd *check, uint32_t kind,
                                        uint64_t grid_id, uint32_t n);
uint32_t check_amd_count_rule(const struct check_amd *check, uint32_t kind, uint32_t rule);

/* The paper's task with blocks of so many threads: its work and its jitter as calibrated on
 * isolated runs (docs/check-long.md).  MM256's blocks work a quarter as long. */
struct amd_launch check_amd_matrix_multiply(const struct check_amd *check, uint32_t ace,
                                            uint32_t block_threads, uint64_t seed);
/* From the call of the launch to its return, less what the dispatcher takes. */
#define CHECK_AMD_OVERHEAD_PS UINT64_C(30000000)

#endif
