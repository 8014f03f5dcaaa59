/* SPDX-License-Identifier: MIT */
/*
 * Writes to any register of any list at any time, on a chip of each generation, with channels at
 * work in between.  The first byte chooses the chip; then an action a byte: a register is written
 * or read, some bytes of memory change, a channel gets work, time goes on.
 */
#ifndef TESTS_FUZZ_FUZZ_REGISTERS_H
#define TESTS_FUZZ_FUZZ_REGISTERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Returns 0; aborts when a run does not end, an event goes wrong, or a register shows a bit that
 * its list says is reserved. */
int fuzz_registers(const uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or taken back to its mark; both come to the same
 * hashes, which are written unless NULL. */
void fuzz_registers_hash(const uint8_t *data, size_t bytes, bool fresh,
                         struct check_machine_hashes *hashes);

#endif
