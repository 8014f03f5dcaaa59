/* SPDX-License-Identifier: MIT */
/*
 * Snapshots of machines, and their files (.gfs).
 *
 * A snapshot holds the arena, guest memory, and the event log so far.  So a run that continues from
 * it ends with the same whole log.  Snapshots that follow each other share pages of arena and
 * memory.  A file holds all pages but those of zeroes.
 *
 * A file is a stream of chunks (emu/log/chunk.h).  The first, of kind CHUNK_SNAPSHOT_HEAD, is a
 * JSON object: format; byte order; the identity, strings by key, of what the snapshot was taken of;
 * sizes and counts of what follows.  Then, each in its order and without repetition,
 *
 *     CHUNK_SNAPSHOT_ARENA   u64 number of a page, its ARENA_PAGE_BYTES; again and again
 *     CHUNK_SNAPSHOT_MEMORY  u64 aperture, u64 address, MEMORY_PAGE_BYTES; again and again
 *     CHUNK_SNAPSHOT_LOG     events of one complete chunk of the log; the last, of the open one
 *
 * and the index.  Numbers are little endian.  The arena is stored as it lies in memory, so a
 * snapshot fits only programs of the same version and layout; the identity names them.
 *
 * Trust: damage is detected (checksums, sizes, counts, order, identity) and rejected.  Beyond that
 * the arena's bytes are trusted like the program's own memory.  Anyone who can make a file with
 * right checksums can put any state into the machine, including indices that lead anywhere.
 * Restore only snapshots of people whose programs you would run.
 */
#ifndef GFE_EMU_ENGINE_SNAPSHOT_H
#define GFE_EMU_ENGINE_SNAPSHOT_H

#include "emu/log/chunk.h"
#include "emu/engine/machine.h"

enum { SNAPSHOT_FORMAT = 1, SNAPSHOT_TEXTS_MAX = 16 };

/* Identity of what a snapshot was taken of.  A machine of equal identity can restore it. */
struct snapshot_identity {
    uint32_t count;
    struct snapshot_text {
        char key[24], value[80];
    } texts[SNAPSHOT_TEXTS_MAX];
};

/* Adds a text.  Values that are too long lose their end.  At most SNAPSHOT_TEXTS_MAX texts
 * (asserted). */
void snapshot_identity_add(struct snapshot_identity *identity, const char *key, const char *value);
/* Adds "layout": SHA-256 of the machine's wiring, tables, parameters and choices. */
void snapshot_identity_add_layout(struct snapshot_identity *identity,
                                  const struct machine *machine);
/* Returns true if all texts of `snapshot` are equal in `machine`.  If not, *error names the first
 * difference. */
bool snapshot_identity_fits(const struct snapshot_identity *snapshot,
                            const struct snapshot_identity *machine, const char *name,
                            struct gfe_error *error);

/* Returns true if a snapshot has the sizes of a machine, and its log has the events that its arena
 * counts. machine_restore() asserts both.  The identities are compared before. */
bool snapshot_fits(const struct machine_snapshot *snapshot, const struct machine *machine,
                   const char *name, struct gfe_error *error);
/* Writes head, pages and log; the writer's owner writes the index.  The machine's log must have
 * been kept in memory (asserted).  Returns false after an error. */
bool snapshot_write(const struct machine_snapshot *snapshot,
                    const struct snapshot_identity *identity, struct chunk_writer *writer,
                    struct gfe_error *error);
/* Reads a whole snapshot.  Returns NULL, with a message, if it is not a snapshot, is damaged, or
 * does not fit in memory. */
struct machine_snapshot *snapshot_read(struct chunk_reader *reader,
                                       struct snapshot_identity *identity, struct gfe_error *error);

/* The parts of a snapshot, for snapshot.c and snapshot_file.c. */
struct machine_snapshot {
    struct arena_image *arena;
    struct memory_image *memory;
    struct event_log_image *log;
    gfe_ps now_ps; /* simulated time, and events handled, when it was taken */
    uint64_t event_count;
};

#endif
