/* SPDX-License-Identifier: MIT */
/*
 * The walker of pushbuffers and its text on any bytes.  They are one channel's pushbuffer, cut into
 * segments of 64 dwords; the memory around is empty, and the stream may write to all of it.
 */
#ifndef TESTS_FUZZ_FUZZ_NV_DECODE_H
#define TESTS_FUZZ_FUZZ_NV_DECODE_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where a dword is lost or seen twice. */
int fuzz_nv_decode(const uint8_t *data, size_t bytes);

#endif
