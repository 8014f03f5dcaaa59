/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: a program that calls the KFD stand-in (traces/record/kfd/record_kfd.h) with any
 * arguments, and writes anything into queues' rings, signals and buffers.
 *
 * The input is read byte by byte: an operation (calls, stores, doorbells, steps of the queues),
 * then its values, each by a byte that says where it comes from (small, of the input, an address, a
 * handle, a pointer that is good, one that is not).  Pointers to memory of the program's own are
 * kept to a buffer: a program that has the GPU write to its stack harms itself.
 */
#ifndef TESTS_FUZZ_FUZZ_RECORD_KFD_H
#define TESTS_FUZZ_FUZZ_RECORD_KFD_H

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes; ends the program when something is found, also when the trace that was recorded
 * cannot be read.  Always 0. */
int fuzz_record_kfd(const uint8_t *data, size_t bytes);

#endif
