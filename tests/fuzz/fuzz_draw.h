/* SPDX-License-Identifier: MIT */
/*
 * Pictures of logs from a stranger: SVG, the page, Perfetto, a dump of values.  An input is two
 * bytes of a length, as much of a head (none: that of a scenario), and events.  Which picture is
 * drawn follows from its length.
 */
#ifndef TESTS_FUZZ_FUZZ_DRAW_H
#define TESTS_FUZZ_FUZZ_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts when a refusal has no words, or a name of the log gets out of its quotes. */
int fuzz_draw(const uint8_t *data, size_t bytes);

#endif
