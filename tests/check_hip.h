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
    struct check_machine log; /* events, when it has run */
};

/* Wires and seals; settings: "name=value" of parameters and choice points, the last NULL; may be
 * NULL. False with *error when a plugin could never run. */
bool check_hip_wire(struct check_hip *check, const char *text, const char *const *settings,
                    uint64_t seed, struct gfe_error *error);
/* check_hip_wire(), which must succeed, and a run to its end, which may not. */
void check_hip_try(struct check_hip *check, const char *text, const char *const *settings,
                   uint64_t seed);
/* The same, and the run succeeds. */
void check_hip_run(struct check_hip *check, const char *text, const char *const *settings,
                   uint64_t seed);
void check_hip_end(struct check_hip *check);

/* The n-th event of a kind whose first argument is that number; there is one. */
const struct log_event *check_hip_find(const struct check_hip *check, uint32_t kind, uint64_t first,
                                       uint32_t n);

#endif
