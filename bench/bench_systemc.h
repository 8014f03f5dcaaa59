/* SPDX-License-Identifier: MIT */
/*
 * A control for the event queue: SystemC's kernel (libsystemc-dev).  Each pending event is an
 * sc_event with one method process, which notifies its event again later.  Only where configure
 * found SystemC and a C++ compiler (HAVE_SYSTEMC).
 */
#ifndef GFE_BENCH_BENCH_SYSTEMC_H
#define GFE_BENCH_BENCH_SYSTEMC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `processes` method processes, once in a program; `steps` (a power of two of them, in
 * picoseconds) is borrowed. */
void bench_systemc_begin(uint32_t processes, const uint32_t *steps, uint32_t step_count);
/* Leaves `pending` notifications, and nothing else. */
void bench_systemc_fill(uint32_t pending);
/* Runs until at least so many methods were called; how many it were (the last instant is finished).
 */
uint64_t bench_systemc_run(uint64_t events);
const char *bench_systemc_version(void);

#ifdef __cplusplus
}
#endif

#endif
