/* SPDX-License-Identifier: MIT */
/*
 * The reader of event logs, and what draws and sums up logs, on any bytes.  Bytes that begin with
 * "gfeC" are a file, those that begin with "{" are a log's head, all others are the events of one
 * chunk behind a sound head, so that checksums do not end the search at once.
 */
#ifndef TESTS_FUZZ_FUZZ_LOG_H
#define TESTS_FUZZ_FUZZ_LOG_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where the reader breaks its word. */
int fuzz_log(const uint8_t *data, size_t bytes);

#endif
