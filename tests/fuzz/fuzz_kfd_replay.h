/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a recording of ROCm's libraries (layer RING) from its bytes to the end of its replay
 * by the AMD GPU with driver and firmware (emu/sim/kfd_simulation.h).
 *
 * Takes traces as fuzz_records.h makes them.
 */
#ifndef TESTS_FUZZ_FUZZ_KFD_REPLAY_H
#define TESTS_FUZZ_FUZZ_KFD_REPLAY_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_kfd_replay(const uint8_t *data, size_t bytes);

#endif
