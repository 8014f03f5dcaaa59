/* SPDX-License-Identifier: MIT */
/*
 * Traces for tests: records of every kind made from the schema's tables, files in memory, and whole
 * traces in them.
 */
#ifndef TESTS_TRACE_SAMPLES_H
#define TESTS_TRACE_SAMPLES_H

#include <stddef.h>

#include "traces/format/trace.h"

/* A file in memory, and a path by which it can be opened again, at its start. */
struct memory_file {
    int fd;
    char path[40];
};
struct memory_file memory_file_new(const void *data, size_t bytes);
/* Returns the file's contents, which the caller frees, and sets *bytes to their size. */
uint8_t *memory_file_read(const struct memory_file *file, size_t *bytes);
void memory_file_free(struct memory_file *file);

/* Returns the n-th kind, from 1 to TRACE_KINDS.  Kinds are in the order of their numbers, except
 * that END is the last. */
uint16_t sample_kind(uint16_t n);
/* Returns a record in which every field differs from that of another kind, field or seed.  Strings,
 * data and push entries are not empty.  The record points at static memory, so only one sample may
 * be in use at a time. */
struct trace_record sample_record(uint16_t kind, uint32_t seed);
/* Returns true if all fields and the heads are equal, except for sequence and length. */
bool sample_equal(const struct trace_record *a, const struct trace_record *b);

struct trace_record sample_meta(void);
struct trace_record sample_mem(uint64_t address, const void *data, uint32_t length);

/* Makes a whole small trace: META, one record of each other kind, END.  The caller frees the
 * file. */
struct memory_file sample_trace(void);

/* Reads a trace to its end and sets *count to the number of records.  Asserts that a failure, and
 * only a failure, gives one line of message, and that the message names the file. */
enum trace_result sample_read(const char *path, bool accept_cut, uint64_t *count,
                              struct gfe_error *error);

#endif
