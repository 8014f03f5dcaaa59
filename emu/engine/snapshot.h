/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of machines, and their files (.gfs).
 *
 * What a snapshot holds: the arena, guest memory, and the event log so far, so that a run that goes
 * on from it ends with the same whole log.  Pages of arena and memory are shared between snapshots
 * that follow each other; a file holds all pages but those of zeroes.
 *
 * A file is a stream of chunks (emu/log/chunk.h).  The first, of kind CHUNK_SNAPSHOT_HEAD, is a
 * JSON object: format; byte order; the identity, strings by key, of what the snapshot was taken of;
 * sizes and counts of what follows.  Then, each in its order and without repetition,
 *
 *     CHUNK_SNAPSHOT_ARENA   u64 number of a page, its ARENA_PAGE_BYTES; again and again
 *     CHUNK_SNAPSHOT_MEMORY  u64 aperture, u64 address, MEMORY_PAGE_BYTES; again and again
 *     CHUNK_SNAPSHOT_LOG     events of one complete chunk of the log; the last, of the open one
 *
 * and the index.  Numbers are little endian; the arena is memory as it is, so that a snapshot fits
 * programs of the same version and layout only: the identity says which.
 *
 * Trust: damage is found (checksums, sizes, counts, order, identity) and refused.  Beyond that the
 * arena's bytes are believed, as the program's own memory is: whoever can make a file with right
 * checksums can put any state into the machine, indices that lead anywhere included.  Restore only
 * snapshots of people whose programs you would run.
 */
#ifndef GFE_EMU_SNAPSHOT_H
#define GFE_EMU_SNAPSHOT_H

#include "emu/log/chunk.h"
#include "emu/engine/machine.h"

enum { SNAPSHOT_FORMAT = 1, SNAPSHOT_TEXTS_MAX = 16 };

/* What a snapshot was taken of.  A machine of equal identity can restore it. */
struct snapshot_identity {
    uint32_t count;
    struct snapshot_text {
        char key[24], value[80];
    } texts[SNAPSHOT_TEXTS_MAX];
};

/* Values that are too long lose their end.  At most SNAPSHOT_TEXTS_MAX (asserted). */
void snapshot_identity_add(struct snapshot_identity *identity, const char *key, const char *value);
/* "layout": SHA-256 of how the machine was wired, its tables, parameters and choices. */
void snapshot_identity_add_layout(struct snapshot_identity *identity,
                                  const struct machine *machine);
/* True when all of `snapshot` is as in `machine`; else *error names the first difference. */
bool snapshot_identity_fits(const struct snapshot_identity *snapshot,
                            const struct snapshot_identity *machine, const char *name,
                            struct gfe_error *error);

/* True when a snapshot has the sizes of a machine, and its log the events that its arena counts:
 * what machine_restore() asserts of a file's contents.  The identities are compared before. */
bool snapshot_fits(const struct machine_snapshot *snapshot, const struct machine *machine,
                   const char *name, struct gfe_error *error);
/* Writes head, pages and log; the index is left to the owner of the writer.  The machine's log was
 * kept in memory (asserted). */
bool snapshot_write(const struct machine_snapshot *snapshot,
                    const struct snapshot_identity *identity, struct chunk_writer *writer,
                    struct gfe_error *error);
/* Reads all of it.  NULL with a message when it is no snapshot, damaged, or more than memory holds.
 */
struct machine_snapshot *snapshot_read(struct chunk_reader *reader,
                                       struct snapshot_identity *identity, struct gfe_error *error);

/* The parts, for snapshot.c and snapshot_file.c. */
struct machine_snapshot {
    struct arena_image *arena;
    struct memory_image *memory;
    struct event_log_image *log;
    gfe_ps now_ps; /* simulated time, and events handled, when it was taken */
    uint64_t event_count;
};

#endif
