/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: GP entries and pushbuffers, executed by a GP106 with four channels.
 *
 * The input is a list of dwords, so that the dwords of recordings and of dictionaries keep their
 * place in it: one of flags, then commands, each a head (operation in bits 3:0, channel in 5:4,
 * number of dwords in 31:16) and its dwords.
 *
 *     0 SEGMENT    dwords for the channel's pushbuffer; a GP entry is made and the doorbell rung
 *     1 ENTRIES    raw GP entries, then the doorbell
 *     2 REGISTERS  pairs (offset, value): read, then written
 *     3 STORE      address low, address high, dwords: written by virtual address
 *     4 POKE       address, dwords: written to video memory
 *     5 RUN        a time in nanoseconds
 *     6 STEP       a number of events
 *     7 MAP        virtual page, pages, physical page, page kind
 *     8 UNMAP      virtual page, pages
 *     9 RING       GP_PUT
 *    10 OBJECTS    binds the classes as nouveau's clients do (any dwords are passed over)
 *    11 RUNLIST    raw runlist entries for the runlist in the channel's place
 *
 * Flag 1: the nouveau model answers interrupts.  Flag 2: the input runs twice, the second time with
 * --batch-limit 1, and both logs must be the same.
 *
 * The machine is wired once; each input begins at its mark (emu/engine/machine_mark.h).
 */
#ifndef TESTS_FUZZ_GPFIFO_H
#define TESTS_FUZZ_GPFIFO_H

#include <stddef.h>
#include <stdint.h>

#include "tests/check_machine.h"

enum fuzz_gpfifo_operation {
    FUZZ_SEGMENT,
    FUZZ_ENTRIES,
    FUZZ_REGISTERS,
    FUZZ_STORE,
    FUZZ_POKE,
    FUZZ_RUN,
    FUZZ_STEP,
    FUZZ_MAP,
    FUZZ_UNMAP,
    FUZZ_RING,
    FUZZ_OBJECTS,
    FUZZ_RUNLIST,
    FUZZ_OPERATIONS,
};
enum { FUZZ_FLAG_NOUVEAU = 1, FUZZ_FLAG_TWICE = 2 };

struct fuzz_gpfifo;

/* Wires the machines; ends the program when there is no memory. */
struct fuzz_gpfifo *fuzz_gpfifo_new(void);
void fuzz_gpfifo_free(struct fuzz_gpfifo *fuzz);
/* Runs any bytes; ends the program when something is found. */
void fuzz_gpfifo_run(struct fuzz_gpfifo *fuzz, const uint8_t *data, size_t bytes);
/* The same; writes the hashes of the machine that ran. */
void fuzz_gpfifo_hash(struct fuzz_gpfifo *fuzz, const uint8_t *data, size_t bytes,
                      struct check_machine_hashes *hashes);
/* All of the above for one input; always 0. */
int fuzz_gpfifo(const uint8_t *data, size_t bytes);

#endif
