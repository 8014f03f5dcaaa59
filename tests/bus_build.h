/* SPDX-License-Identifier: MIT */
/* Register-level programs for tests (emu/selftest/bus_program.h): a failure fails the running test.
 */
#ifndef TESTS_BUS_BUILD_H
#define TESTS_BUS_BUILD_H

#include "emu/selftest/bus_program.h"

/* Imports the text and returns the loaded trace.  `build` must not be used afterwards. */
struct replay_input *bus_build_end(struct bus_build *build);

#endif
