/* SPDX-License-Identifier: MIT */
/*
 * Logs of test machines as golden texts: a line for each event, with its time in microseconds, its
 * arguments and the label of the rule that decided.  The logs are small.  Each rule has a log in
 * which a reader finds the rule as a reason (tests/test_rules.c counts the rules).
 */
#ifndef TESTS_GOLDEN_LOG_H
#define TESTS_GOLDEN_LOG_H

#include "tests/check_machine.h"

/* Compares the events that check_machine_run() or check_machine_read_log() decoded last with
 * tests/golden/<name>. */
void golden_log_check(const struct check_machine *check, const char *name);

/* Like golden_log_check(), but for events from elsewhere. */
void golden_log_check_events(const struct log_event *events, uint32_t event_count,
                             const char *name);

#endif
