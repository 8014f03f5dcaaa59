/* SPDX-License-Identifier: MIT */
/* Logs made by hand for gfe check: a table of events, with one change, that is checked.  Uses
 * Check. */
#ifndef TESTS_CHECK_STEPS_H
#define TESTS_CHECK_STEPS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/analysis/check/check.h"
#include "tests/log_fixture.h"

#define COUNT(array) ((uint32_t)(sizeof(array) / sizeof(array)[0]))
enum { CHECK_STEPS_MAX = 64, CHECK_STEP_ARGUMENTS = 8 };

/* An event, which STEP(kind, arguments...) initialises. */
struct check_step {
    uint32_t kind, argument_count;
    uint64_t arguments[CHECK_STEP_ARGUMENTS];
};
#define STEP(kind, ...)                                                                            \
    {                                                                                              \
        kind, sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t),                          \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

enum check_change_kind { SET, DROP, SWAP, TWICE };
struct check_change {
    const char *rule; /* the rule that the change breaks */
    uint32_t step;
    enum check_change_kind kind;
    uint32_t argument; /* SET: index of the argument; SWAP: the other step */
    uint64_t value;
};

/* Copies the good steps and makes the change, unless `change` is NULL.  Returns the number of
 * steps. */
uint32_t check_steps_make(struct check_step steps[CHECK_STEPS_MAX], const struct check_step *good,
                          uint32_t good_count, const struct check_change *change);
/* Checks a log with that head, which is freed. */
void check_steps_with(const struct check_step *steps, uint32_t count, char *head,
                      const struct check_limits *limits, struct check_report *report);
/* Writes the steps into a log, a picosecond apart from 10 ps on, and checks it as a log of a TX2.
 * If `cuda` is true, the log knows the kinds of the CUDA runtime's model.  The caller frees the
 * report. */
void check_steps(const struct check_step *steps, uint32_t count, bool cuda,
                 struct check_report *report);
/* Like check_steps(), but for a Radeon VII, with the kinds of AMD's devices, driver and firmware.
 */
void check_steps_amd(const struct check_step *steps, uint32_t count, struct check_report *report);

/* Makes each change to the good steps, checks the log, and compares all findings with a golden
 * text: rule, both events and what the user reads.  `changes` names the events of the log that a
 * finding is about, so that the text can be read beside the steps. */
void check_steps_findings(const char *golden, const struct check_step *good, uint32_t good_count,
                          const struct check_change *changes, uint32_t change_count,
                          void (*run)(const struct check_step *steps, uint32_t count,
                                      struct check_report *report));

/* Sets *head to the head of such a log, which the caller frees, and *limits to the GPU's limits. */
void check_steps_amd_head(char **head, struct check_limits *limits);

#endif
