/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a trace from its bytes to the end of its replay: container, loading, driver model,
 * devices, log.
 *
 * Takes traces as fuzz_records.h makes them.
 */
#ifndef TESTS_FUZZ_REPLAY_H
#define TESTS_FUZZ_REPLAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_replay(const uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or one that was used before; both come to the same
 * hashes, which are written unless NULL; an input that does not come to a run leaves them. */
void fuzz_replay_hash(const uint8_t *data, size_t bytes, bool fresh,
                      struct check_machine_hashes *hashes);

#endif
