/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a trace from its bytes to the end of its replay: container, loading, driver model,
 * devices, log.
 *
 * The input is either a .gft file (it begins with the chunk magic), or the raw records of one.  Of
 * raw records the heads are put right before they are read (lengths, sequence numbers, the count of
 * END), so that most inputs get past the reader.
 */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_replay(const uint8_t *data, size_t bytes);

#endif
