/* SPDX-License-Identifier: MIT */
/*
 * Packets of any dwords for the scheduling firmware of AMD's GPUs.  The first byte says how queues
 * behave (bit 0: they have work, 1: they take a millisecond to leave, 2: the one of doorbell 2
 * never does) and which slots there are (bit 3: two, else 32); the second how many dwords the HIQ
 * holds. These follow, then what stands in memory at 0x10000000, where lists may be.  When all is
 * read, every queue is taken off: slots and VMIDs must be free again.
 */
#ifndef TESTS_FUZZ_FUZZ_HWS_H
#define TESTS_FUZZ_FUZZ_HWS_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when slots or VMIDs are given twice or lost, or a wait does not end. */
int fuzz_hws(const uint8_t *data, size_t bytes);

#endif
