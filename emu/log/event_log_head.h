/* SPDX-License-Identifier: MIT */
/*
 * The head of an event log: one JSON object with what was run and the tables that the numbers in
 * the events refer to.
 *
 *     {"format": 1,
 *      "run":        {"gpu": "gtx1060", "trace": "...", ...}      strings
 *      "units":      ["replay", "pbdma0", ...]                    by number
 *      "engines":    ["GR0", "GRCE0/LCE0", ...]                   by Host's number; may be absent
 *      "rules":      [{"id", "label", "basis", "enforcer", "source", "text"}, ...]
 *      "kinds":      [{"id", "name", "arguments": [...]}, ...]
 *      "parameters": [{"id", "name", "unit", "value", "basis"}, ...]
 *      "choices":    [{"id", "name", "alternative"}, ...]
 *      "pokes":      ["2ms NV_PFIFO_SCHED_DISABLE=1", ...]        absent when there are none
 *      "gpu":        {"gfe_gpu": 1, ...}                          of a GPU file: emu/sim/gpu_file.h
 *      "program":    {"tasks": [...], ...}}                       of a scenario: emu/sim/scenario.h
 *
 * A rule or parameter that was seen on some GPUs (PUBLISHED, MEASURED) also has "seen_on", their
 * list, and if the run's GPU is not among them "carried_over": true.  Older logs have neither.
 *
 * "id" is a number of rule.h's numbering.  A value beyond 2^63 - 1, which JSON numbers do not hold
 * everywhere, is a string of decimal digits.  The text depends on the arguments alone.
 */
#ifndef GFE_EMU_LOG_EVENT_LOG_HEAD_H
#define GFE_EMU_LOG_EVENT_LOG_HEAD_H

#include <stdint.h>

#include "emu/log/rule.h"

enum { EVENT_LOG_FORMAT = 2 };

struct event_log_head_string {
    const char *key, *value; /* bytes that are not UTF-8 become '?' */
};

struct event_log_head {
    const struct event_log_head_string *run;
    const char *const *units;
    const char *const *engines; /* NULL entries are numbers without a name */
    const struct table_set *const *sets;
    const uint64_t *parameter_values; /* by parameter number; NULL means the tables' defaults */
    /* by number of the choice point; NULL means the tables' defaults */
    const uint32_t *choice_values;
    const char *const *pokes; /* in the order in which they were given */
    const char *gpu, *chip;   /* of the run, for "carried_over"; NULL if it has no name */
    const char *gpu_json;     /* an object; NULL for a built-in GPU */
    const char *program_json; /* an object; NULL if there is no program */
    uint32_t run_count, unit_count, engine_count, set_count, poke_count;
};

/* Returns the JSON text, which the caller frees.  Returns NULL when memory is short. */
char *event_log_head_build(const struct event_log_head *head);

#endif
