/* SPDX-License-Identifier: MIT */
/*
 * Reads from a recorded AQL packet which signals it waits for, and whether it completes a signal.
 * Used to find the records that depend on each other.
 *
 * Sources: HSA Platform System Architecture 1.2, section 2.9 (AQL packets); ROCR-Runtime
 * inc/hsa_ext_amd.h (barrier value packet) and inc/amd_hsa_signal.h (where a signal's value is).
 */
#ifndef GFE_TRACES_FORMAT_TRACE_AQL_H
#define GFE_TRACES_FORMAT_TRACE_AQL_H

#include <stdbool.h>
#include <stdint.h>

enum { TRACE_AQL_WAITS_MAX = 5, TRACE_AQL_VALUE_BYTES = 8 };

/* Reads a packet.  waits[] gets the addresses of the values that a barrier packet waits for;
 * returns how many.  *completes is true if the packet has a completion signal. */
uint32_t trace_aql(const uint8_t *data, uint32_t bytes, uint64_t waits[TRACE_AQL_WAITS_MAX],
                   bool *completes);

#endif
