/* SPDX-License-Identifier: MIT */
/*
 * Runlists of any bytes, in each of their three forms.  The first byte chooses the chip (GTX 1060,
 * Titan V, RTX 2060, GA100) and whether the list stands in system memory; two bytes are where it
 * starts; the rest is the list.  It is submitted to runlist 0, on which three channels have work,
 * then again with an offset, and taken off again by an empty one.  A channel of another runlist
 * that the list does not name has to do its own work meanwhile.
 */
#ifndef TESTS_FUZZ_FUZZ_RUNLIST_H
#define TESTS_FUZZ_FUZZ_RUNLIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Returns 0; aborts when a run does not end, an event goes wrong, or the other channel is
 * disturbed. */
int fuzz_runlist(const uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or taken back to its mark; both come to the same
 * hashes, which are written unless NULL. */
void fuzz_runlist_hash(const uint8_t *data, size_t bytes, bool fresh,
                       struct check_machine_hashes *hashes);

#endif
