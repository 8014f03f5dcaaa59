/* SPDX-License-Identifier: MIT */
/*
 * The identity of traces and event logs: SHA-256 over what they say, not over how it is stored.
 *
 * Of an event log: the raw bytes of its chunks and their kinds.  How often a kind is split into
 * chunks does not count, nor do compression and index.
 *
 * Of a trace: its records in order.  For each the kind, the time, process and thread as running
 * numbers in the order of first appearance, and all fields but those marked HOST
 * (traces/trace_schema.h).  Memory enters with its contents, so it does not matter which pages the
 * writer shared.  The sequence number, which only repeats the order, is left out.
 *
 * A damaged or cut file has no identity: that is an error.
 */
#ifndef GFE_EMU_HASH_H
#define GFE_EMU_HASH_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/error.h"

enum { HASH_HEX_BYTES = 65 }; /* 64 digits and the terminator */

/* Hashes a trace or an event log ("-" is standard input). */
bool hash_file(const char *path, char hex[HASH_HEX_BYTES], struct gfe_error *error);
/* The same of a file that unpacks to at most so many bytes. */
bool hash_file_within(const char *path, uint64_t unpacked_bytes, char hex[HASH_HEX_BYTES],
                      struct gfe_error *error);

#endif
