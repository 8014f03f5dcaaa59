/* SPDX-License-Identifier: MIT */
/*
 * Traces for tests: records of every kind made from the schema's tables, files in memory, and whole
 * traces in them.
 */
#ifndef TESTS_TRACE_SAMPLES_H
#define TESTS_TRACE_SAMPLES_H

#include <stddef.h>

#include "traces/format/trace.h"

/* A file in memory and the path that opens it anew, at its start. */
struct memory_file {
    int fd;
    char path[40];
};
struct memory_file memory_file_new(const void *data, size_t bytes);
/* What is in it, to be freed. */
uint8_t *memory_file_read(const struct memory_file *file, size_t *bytes);
void memory_file_free(struct memory_file *file);

/* Every field differs from that of another kind, field or seed; strings, data and push entries are
 * not empty.  What it points at is static: at most one sample lives at a time. */
/* The n-th kind, from 1 to TRACE_KINDS: in the order of their numbers, but END is the last. */
uint16_t sample_kind(uint16_t n);
struct trace_record sample_record(uint16_t kind, uint32_t seed);
/* Are all fields and the heads equal (sequence and length aside)? */
bool sample_equal(const struct trace_record *a, const struct trace_record *b);

struct trace_record sample_meta(void);
struct trace_record sample_mem(uint64_t address, const void *data, uint32_t length);

/* A whole small trace: META, one record of each other kind, END. */
struct memory_file sample_trace(void);

/* Reads a trace to its end.  *count: records.  Asserts that there is one line of message if and
 * only if it fails, and that the message names the file. */
enum trace_result sample_read(const char *path, bool accept_cut, uint64_t *count,
                              struct gfe_error *error);

#endif
