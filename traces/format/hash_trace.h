/* SPDX-License-Identifier: MIT */
/*
 * The identity of a trace (traces/format/hash.h), made record by record by whoever reads it anyway.
 * Of a long trace a second thread does the hashing.
 */
#ifndef GFE_EMU_HASH_TRACE_H
#define GFE_EMU_HASH_TRACE_H

#include <stdbool.h>

#include "emu/base/digest.h"
#include "traces/format/trace.h"

struct hash_trace;

struct hash_trace *hash_trace_new(void); /* NULL when memory is short */
/* All records in their order, from META to END.  False when memory is short: the hash is then of no
 * use. */
bool hash_trace_add(struct hash_trace *hash, const struct trace_record *record);
/* The hexadecimal digits; once. */
void hash_trace_end(struct hash_trace *hash, char hex[DIGEST_HEX_BYTES]);
void hash_trace_free(struct hash_trace *hash);

#endif
