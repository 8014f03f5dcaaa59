/* SPDX-License-Identifier: MIT */
/*
 * Streams of pushbuffer segments, for tests and benchmarks of the PBDMA's decoder: a synthetic
 * stream, and the segments that a recorded program pushed into one channel.
 */
#ifndef GFE_TESTS_PUSH_STREAM_H
#define GFE_TESTS_PUSH_STREAM_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/error.h"

struct push_stream {
    uint32_t *dwords; /* dwords of all segments, one after the other */
    uint32_t dword_count;
    uint32_t *lengths; /* dwords of each segment */
    uint32_t segment_count;
};

/* Dwords of a synthetic segment: 11 headers with 4 dwords of data each, and a semaphore release
 * with its interrupt, as in nouveau's fence. */
enum { PUSH_STREAM_HEADERS = 11, PUSH_STREAM_SEGMENT = 11 * 5 + 6 };

/* Makes a synthetic stream, whose data differ from dword to dword.  Returns false if the host's
 * memory is short. */
bool push_stream_synthetic(struct push_stream *stream, uint32_t segment_count);
/* Reads the segments of the trace's first channel, without those that a driver model adds.  Returns
 * false with `error` set on failure. */
bool push_stream_recorded(struct push_stream *stream, const char *path, struct gfe_error *error);
void push_stream_fini(struct push_stream *stream);

#endif
