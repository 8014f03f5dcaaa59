/* SPDX-License-Identifier: MIT */
/*
 * Logs of test machines as golden texts: a line for each event, with its time in microseconds, its
 * arguments and the label of the rule that decided.  Small ones, so that each rule has a log in
 * which a reader finds it as the reason (tests/test_rules.c counts them).
 */
#ifndef TESTS_GOLDEN_LOG_H
#define TESTS_GOLDEN_LOG_H

#include "tests/check_machine.h"

/* Compares what check_machine_run() or check_machine_read_log() decoded last with
 * tests/golden/<name>. */
void golden_log_check(const struct check_machine *check, const char *name);

/* The same for events that come from elsewhere. */
void golden_log_check_events(const struct log_event *events, uint32_t event_count,
                             const char *name);

#endif
