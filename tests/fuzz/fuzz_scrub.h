/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: gfe scrub.  Takes traces as fuzz_records.h makes them; where the last octet has bit
 * 1 the scrub's replays are made too.
 *
 * What is found: a failure without one line of words; a new trace that has not the old one's
 * records, or in them bytes that are neither as they were nor 0; another log.
 */
#ifndef TESTS_FUZZ_SCRUB_H
#define TESTS_FUZZ_SCRUB_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_scrub(const uint8_t *data, size_t bytes);

#endif
