/* SPDX-License-Identifier: MIT */
/*
 * Heads of event logs: the JSON object with what was run and the tables, behind which stands a log
 * with some events.
 */
#ifndef TESTS_FUZZ_FUZZ_LOG_HEAD_H
#define TESTS_FUZZ_FUZZ_LOG_HEAD_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words, or the tables have a row that cannot be asked for.
 */
int fuzz_log_head(const uint8_t *data, size_t bytes);

#endif
