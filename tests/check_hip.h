/* SPDX-License-Identifier: MIT */
/*
 * A hip_plugin_framework configuration on a Radeon VII: host threads, the HIP runtime's model,
 * kernel driver, firmware and GPU in one machine, and its log.  Uses Check.
 */
#ifndef TESTS_CHECK_HIP_H
#define TESTS_CHECK_HIP_H

#include "emu/sim/hip_threads.h"
#include "tests/check_machine.h"

struct check_hip {
    struct machine *machine;
    struct amd_node node;
    struct hip_threads threads;
    struct hip_config *config;
    struct check_machine log; /* has the events after a run */
};

/* Wires and seals the machine.  `settings` are "name=value" of parameters and choice points, and
 * end with NULL; `settings` itself may be NULL.  Returns false with `error` set if a plugin could
 * never run. */
bool check_hip_wire(struct check_hip *check, const char *text, const char *const *settings,
                    uint64_t seed, struct gfe_error *error);
/* Calls check_hip_wire(), which must succeed, then runs to the end.  The run may fail. */
void check_hip_try(struct check_hip *check, const char *text, const char *const *settings,
                   uint64_t seed);
/* Like check_hip_try(), but the run must succeed. */
void check_hip_run(struct check_hip *check, const char *text, const char *const *settings,
                   uint64_t seed);
void check_hip_end(struct check_hip *check);

/* Returns the n-th event of a kind whose first argument is `first`.  There must be one. */
const struct log_event *check_hip_find(const struct check_hip *check, uint32_t kind, uint64_t first,
                                       uint32_t n);

#endif
