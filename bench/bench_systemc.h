/* SPDX-License-Identifier: MIT */
/*
 * A control for the event queue: SystemC's kernel (libsystemc-dev).  Each pending event is an
 * sc_event with one method process, which notifies its event again later.  This control exists only
 * if configure found SystemC and a C++ compiler (HAVE_SYSTEMC).
 */
#ifndef GFE_BENCH_BENCH_SYSTEMC_H
#define GFE_BENCH_BENCH_SYSTEMC_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Makes `processes` method processes; a program may call it once.  `steps` (ps) is borrowed, and
 * step_count must be a power of two. */
void bench_systemc_begin(uint32_t processes, const uint32_t *steps, uint32_t step_count);
/* Makes exactly `pending` notifications pending. */
void bench_systemc_fill(uint32_t pending);
/* Runs until at least `events` methods were called, and finishes the last instant.  Returns the
 * number of methods that were called. */
uint64_t bench_systemc_run(uint64_t events);
const char *bench_systemc_version(void);

#ifdef __cplusplus
}
#endif

#endif
