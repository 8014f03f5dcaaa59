/* SPDX-License-Identifier: MIT */
/*
 * Writes to any register of any list at any time, on a chip of each generation, with channels at
 * work in between.  The first byte chooses the chip; then an action a byte: a register is written
 * or read, some bytes of memory change, a channel gets work, time goes on.
 */
#ifndef TESTS_FUZZ_FUZZ_REGISTERS_H
#define TESTS_FUZZ_FUZZ_REGISTERS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a run does not end, an event goes wrong, or a register shows a bit that
 * its list says is reserved. */
int fuzz_registers(const uint8_t *data, size_t bytes);

#endif
