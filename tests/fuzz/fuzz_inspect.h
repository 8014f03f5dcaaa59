/* SPDX-License-Identifier: MIT */
/*
 * Logs from a stranger below gfe inspect: its views of what the events show, and the run that it
 * would make again.  An input is a file (it begins as one of gfe's), or events behind the head of a
 * scenario.
 */
#ifndef TESTS_FUZZ_FUZZ_INSPECT_H
#define TESTS_FUZZ_FUZZ_INSPECT_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words. */
int fuzz_inspect(const uint8_t *data, size_t bytes);

#endif
