/* SPDX-License-Identifier: MIT */
/* JSON made while memory is short: it is whole, or none is made.  Uses Check. */
#ifndef TESTS_CHECK_JSON_H
#define TESTS_CHECK_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Prints JSON to `file`.  Calls check_json_start() when jansson's allocations are to fail from then
 * on.  Returns false if memory was short. */
typedef bool check_json_print(FILE *file, void *context);

/* Calls `print` once with enough memory, and then again and again, each time with another one of
 * jansson's allocations failing.  Fails the test if `print` returns true after it has printed
 * something else than with enough memory. */
void check_json_whole(check_json_print *print, void *context);
/* Do the same for the first `count` allocations, and for each `step`th of the last ones, where all
 * would take long. */
void check_json_first(check_json_print *print, void *context, uint32_t count);
void check_json_last(check_json_print *print, void *context, uint32_t count, uint32_t step);
void check_json_start(void);

#endif
