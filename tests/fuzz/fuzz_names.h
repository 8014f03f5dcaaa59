/* SPDX-License-Identifier: MIT */
/*
 * Names in a scenario, a line each: of the scenario, a stream, a task, a kernel, an event.  It
 * runs, and its log is drawn as text and as a picture.
 */
#ifndef TESTS_FUZZ_FUZZ_NAMES_H
#define TESTS_FUZZ_FUZZ_NAMES_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a name gets out of its quotes, or a refusal has no words. */
int fuzz_names(const uint8_t *data, size_t bytes);

#endif
