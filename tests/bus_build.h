/* SPDX-License-Identifier: MIT */
/* Register-level programs for tests (emu/selftest/bus_program.h): a failure fails the running test.
 */
#ifndef TESTS_BUS_BUILD_H
#define TESTS_BUS_BUILD_H

#include "emu/selftest/bus_program.h"

/* Sets the time of the following lines: "2ms", "+10us". */
void bus_build_at(struct bus_build *build, const char *time);
/* Sets AUTH_LEVEL PRIVILEGED of CONFIG in RAMFC, as a kernel driver's own channel has it. */
void bus_build_privileged(struct bus_build *build, const struct bus_channel *channel);
/* Pushes a pitch copy of one line between physical addresses of the heap, on subchannel 4. */
void bus_build_copy(struct bus_build *build, struct bus_channel *channel, uint64_t from,
                    uint64_t to, uint32_t bytes);
/* Imports the text and returns the loaded trace.  `build` must not be used afterwards. */
struct replay_input *bus_build_end(struct bus_build *build);

#endif
