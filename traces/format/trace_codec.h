/* SPDX-License-Identifier: MIT */
/*
 * The encoding of records as bytes: private to trace_writer.c, trace_reader.c and hash.c.
 *
 * A record is TRACE_HEAD_BYTES of struct trace_head, then its fields as
 * traces/format/trace_schema.h says, all little endian and without padding.  Encoding and decoding
 * run over the tables of trace_record_row(): no record is written by hand.
 *
 * One field has two forms.  The `data` of MEM is either inline, as any `bytes`, or a reference:
 *
 *     u32  TRACE_REFERENCE_BIT | length
 *     u64  number of the chunk that holds the same bytes, counted from 0
 *     u32  their offset in that chunk's raw data
 *
 * The referenced bytes lie wholly in one chunk and before the record that refers to them.  They
 * begin at most TRACE_WINDOW_BYTES before that record, counted in raw bytes of trace chunks.  The
 * length of MEM is at most TRACE_PIECE_BYTES, and MEM does not cross a multiple of it in its
 * address.
 */
#ifndef GFE_TRACES_FORMAT_TRACE_CODEC_H
#define GFE_TRACES_FORMAT_TRACE_CODEC_H

#include "traces/format/trace.h"

enum {
    TRACE_HEAD_BYTES = 32,
    TRACE_PIECE_BYTES = 4096,
    TRACE_PUSH_BYTES = 24,
    TRACE_SYNC_BYTES = 16,
    TRACE_BIND_BYTES = 40,
    TRACE_REFERENCE_BYTES = 12, /* after the length word */
};
#define TRACE_REFERENCE_BIT 0x80000000u

struct trace_reference {
    bool present;
    uint64_t chunk_number;
    uint32_t offset;
};

/* Returns the bytes of the fields of `record`, without its head.  64 bits, because strings and data
 * may add up. */
uint64_t trace_fields_bytes(const struct trace_record *record);

enum trace_which_fields { TRACE_ALL_FIELDS, TRACE_WITHOUT_HOST_FIELDS };
/* Writes the fields to `to`, which has room for trace_fields_bytes().  Returns the bytes written.
 */
size_t trace_encode_fields(uint8_t *to, const struct trace_record *record,
                           enum trace_which_fields which);
void trace_encode_head(uint8_t to[TRACE_HEAD_BYTES], const struct trace_head *head);
/* Writes the fields of a MEM with a reference in place of its data, which are longer than a
 * reference.  `to` has room for the inline form.  Returns the bytes written. */
size_t trace_encode_mem_reference(uint8_t *to, const struct trace_record *record,
                                  const struct trace_reference *reference);

/* Memory for decoded strings with their terminators, and for aligned rows.  It grows as needed, to
 * at most a small multiple of a record.  Zero it first, free it last. */
struct trace_scratch {
    uint8_t *data;
    size_t capacity, used;
};
void trace_scratch_free(struct trace_scratch *scratch);

void trace_decode_head(struct trace_head *head, const uint8_t from[TRACE_HEAD_BYTES]);
/*
 * Decodes the head.length_bytes bytes of fields at `from` into `record`, whose head is decoded and
 * of a known kind.  `bytes` fields point into `from`; the other data lies in `scratch`, whose
 * earlier contents are lost.  A MEM that is a reference leaves data.data NULL and fills *reference.
 * Returns NULL, or a text that says what is wrong.  It is trace_memory_is_short if the record is
 * not at fault.
 */
extern const char trace_memory_is_short[];
const char *trace_decode_fields(struct trace_record *record, const uint8_t *from,
                                struct trace_scratch *scratch, struct trace_reference *reference);

struct chunk;
struct chunk_reader;
/* Makes a reader of a stream whose first chunk the caller has read to recognise it, because a pipe
 * cannot be opened twice.  Owns `chunks` from now on, also if it fails and returns NULL. */
struct trace_reader *trace_reader_adopt(struct chunk_reader *chunks, const struct chunk *first,
                                        struct gfe_error *error);

#endif
