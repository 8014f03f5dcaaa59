/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a text as a configuration of hip_plugin_framework (traces/config/hip_config.h), run
 * on the chip that the last byte names if it is one.
 */
#ifndef TESTS_FUZZ_FUZZ_HIP_CONFIG_H
#define TESTS_FUZZ_FUZZ_HIP_CONFIG_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_hip_config(const uint8_t *data, size_t bytes);

#endif
