/* SPDX-License-Identifier: MIT */
/* Fuzz target: gfe scrub without its replays: plan and new trace.  Takes traces as fuzz_records.h
 * makes them. */
#ifndef TESTS_FUZZ_SCRUB_H
#define TESTS_FUZZ_SCRUB_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_scrub(const uint8_t *data, size_t bytes);

#endif
