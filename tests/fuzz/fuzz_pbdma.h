/* SPDX-License-Identifier: MIT */
/*
 * The front end on any bytes.  They are a list of things that a driver, right or wrong, could do:
 * pushbuffers of noise and pushbuffers of plausible methods, GP entries, register writes, pokes
 * into instance blocks, descriptors and runlists, with the machine running in between.  Four
 * channels, two of them on a runqueue of their own; the first byte says whether the nouveau model
 * answers.
 */
#ifndef TESTS_FUZZ_FUZZ_PBDMA_H
#define TESTS_FUZZ_FUZZ_PBDMA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

/* Returns 0; aborts when a run does not end or an event goes wrong.  A run that stops with a
 * message (a bound was reached) is right. */
int fuzz_pbdma(const uint8_t *data, size_t bytes);
/* Bytes for it, made from a seed: noise, which its grammar makes sense of. */
void fuzz_pbdma_make(uint64_t seed, uint8_t *data, size_t bytes);
/* The same, on a machine wired for it (`fresh`) or taken back to its mark; both come to the same
 * hashes, which are written unless NULL. */
void fuzz_pbdma_hash(const uint8_t *data, size_t bytes, bool fresh,
                     struct check_machine_hashes *hashes);

#endif
