/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a trace from its bytes to the end of its replay: container, loading, driver model,
 * devices, log.
 *
 * Takes traces as fuzz_records.h makes them.
 */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_replay(const uint8_t *data, size_t bytes);

#endif
