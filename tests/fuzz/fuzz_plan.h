/* SPDX-License-Identifier: MIT */
/*
 * Texts of plans for gfe campaign: the reader refuses one with a line of words, or hands over a
 * plan.
 */
#ifndef TESTS_FUZZ_FUZZ_PLAN_H
#define TESTS_FUZZ_FUZZ_PLAN_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words, or a plan is out of its bounds. */
int fuzz_plan(const uint8_t *data, size_t bytes);

#endif
