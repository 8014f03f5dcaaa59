/* SPDX-License-Identifier: MIT */
/*
 * The identity of a trace (traces/format/hash.h), made record by record for a caller that reads the
 * trace anyway.  A second thread hashes a long trace.
 */
#ifndef GFE_TRACES_FORMAT_HASH_TRACE_H
#define GFE_TRACES_FORMAT_HASH_TRACE_H

#include <stdbool.h>

#include "emu/base/digest.h"
#include "traces/format/trace.h"

struct hash_trace;

struct hash_trace *hash_trace_new(void); /* NULL when memory is short */
/* Adds a record.  The caller adds all records in their order, from META to END.  Returns false if
 * memory is short; the hash is then useless. */
bool hash_trace_add(struct hash_trace *hash, const struct trace_record *record);
/* Ends the hash and writes its hexadecimal digits.  Call it once. */
void hash_trace_end(struct hash_trace *hash, char hex[DIGEST_HEX_BYTES]);
void hash_trace_free(struct hash_trace *hash);

#endif
