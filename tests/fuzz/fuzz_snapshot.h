/* SPDX-License-Identifier: MIT */
/*
 * Fuzz target: files of snapshots (.gfs): read, compared with a machine, restored, written again.
 *
 * The input is either a file (it begins with the chunk magic), or an octet of flags and commands
 * that make one with right checksums.  Each command is an octet and its operands, little endian,
 * which are zero where the input has ended.  The sample is a snapshot of a GP106 in the middle of
 * its work.
 *
 *     0 SAMPLE   u8: that chunk of the sample, modulo their number
 *     1 NUMBER   u8, u64: the sample's head with another number for that key (and those before)
 *     2 RAW      u8, u16, octets: a chunk of that kind (modulo the kinds) with that content
 *     3 ARENA    u8 modulo 32, then as often u32, u8: pages of the arena, filled with the octet
 *     4 MEMORY   u8 modulo 32, then as often u8, u32, u8: pages of an aperture, filled with the
 * octet 5 PATCH    u32, u64: eight octets in the chunk made last, from that place on, modulo its
 * size 6 CUT      u32: the chunk made last has so many octets fewer, modulo its size 7 ALL every
 * chunk of the sample
 *
 * Flag 1: there is no index at the end.  Flag 2: the head's counts are put right.
 *
 * What is found: a failure without one line of words; a file that is read, but holds something
 * else when it is written again (pages in another order, say); a machine that, restored, has
 * another log, or is not as it was when it is restored from the sample again.  A machine is not run
 * from a state that the input made: the arena's bytes are believed (emu/engine/snapshot.h).
 */
#ifndef TESTS_FUZZ_SNAPSHOT_H
#define TESTS_FUZZ_SNAPSHOT_H

#include <stddef.h>
#include <stdint.h>

enum fuzz_snapshot_operation {
    FUZZ_SNAPSHOT_SAMPLE,
    FUZZ_SNAPSHOT_NUMBER,
    FUZZ_SNAPSHOT_RAW,
    FUZZ_SNAPSHOT_ARENA,
    FUZZ_SNAPSHOT_MEMORY,
    FUZZ_SNAPSHOT_PATCH,
    FUZZ_SNAPSHOT_CUT,
    FUZZ_SNAPSHOT_ALL,
    FUZZ_SNAPSHOT_OPERATIONS,
};
enum { FUZZ_SNAPSHOT_NO_INDEX = 1, FUZZ_SNAPSHOT_COUNTS = 2 };

/* Takes any bytes; ends the program when something is found.  Always 0. */
int fuzz_snapshot(const uint8_t *data, size_t bytes);

#endif
