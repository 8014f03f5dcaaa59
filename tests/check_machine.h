/* SPDX-License-Identifier: MIT */
/*
 * A GPU without a trace: the devices alone, or with the nouveau model, which answers interrupts.
 * The GPU is a GP106 unless the test asks for another.  Channels, runlists, rings and pushbuffers
 * are written by hand, word by word, from the tables of NVIDIA's manuals and not by the code of the
 * models.  So both are checked against each other.
 *
 * Everything lies in the first 16 MiB of video memory; 12 MiB of it are mapped at CHECK_VA in the
 * one address space that all channels share.  Does not use Check, because fuzz targets use it too.
 * A failure of the fixture itself ends the program.
 */
#ifndef TESTS_CHECK_MACHINE_H
#define TESTS_CHECK_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_gpu.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log.h"
#include "firmware-models/nouveau/nouveau.h"
#include "firmware-models/nouveau/nouveau_tables.h"

enum {
    CHECK_CHANNELS = 8,
    CHECK_RING_ENTRIES = 32,
    CHECK_INSTANCES = 0x100000, /* physical: 4 KiB for each channel */
    CHECK_USERD = 0x200000,     /* physical: 512 bytes for each channel */
    CHECK_ROOT = 0x210000,      /* physical: the page directory */
    CHECK_RUNLISTS = 0x220000,  /* physical: a page for each runlist */
    CHECK_MEMORY = 0x400000,    /* physical address of the memory mapped at CHECK_VA */
    CHECK_MEMORY_BYTES = 0xc00000,
    CHECK_BAR1_USERD = 0x100000,
};
#define CHECK_VA               UINT64_C(0x10000000)
/* Virtual addresses of a channel's ring, pushbuffer and context image, and of the tests' data. */
#define CHECK_RING(channel)    (CHECK_VA + UINT64_C(0x1000) * (channel))
#define CHECK_PUSH(channel)    (CHECK_VA + UINT64_C(0x100000) + UINT64_C(0x80000) * (channel))
#define CHECK_CONTEXT(channel) (CHECK_VA + UINT64_C(0x600000) + UINT64_C(0x40000) * (channel))
#define CHECK_DATA             (CHECK_VA + UINT64_C(0x800000)) /* 4 MiB */

struct machine_mark;

struct check_machine {
    struct machine *machine;
    struct nv_gpu *gpu;
    struct nouveau *nouveau; /* NULL if no driver answers interrupts */
    uint32_t space_id;
    uint32_t doorbell;   /* the doorbell's register; 0 if a store to USERD announces work */
    bool long_entries;   /* runlist entries have four words */
    bool runlists_apart; /* each runlist has a register for submits */
    bool runlist_blocks; /* Ampere: each runlist has a block of registers and a channel RAM */
    const struct nv_chip *model;
    uint32_t runlist_of[CHECK_CHANNELS]; /* by channel: its last runlist */
    uint32_t put[CHECK_CHANNELS];        /* next free GP entry */
    uint32_t push_at[CHECK_CHANNELS];    /* next free byte of the pushbuffer */
    struct log_event *events;            /* decoded by check_machine_run() */
    uint32_t event_count;
};

/* Headers of pushbuffer dwords (source: open-gpu-doc classes/host/clc06f.h). */
#define PB_INC(subchannel, method, count)                                                          \
    (1u << 29 | (uint32_t)(count) << 16 | (uint32_t)(subchannel) << 13 | (uint32_t)(method) >> 2)
#define PB_NON_INC(subchannel, method, count)                                                      \
    (3u << 29 | (uint32_t)(count) << 16 | (uint32_t)(subchannel) << 13 | (uint32_t)(method) >> 2)
#define PB_IMMD(subchannel, method, data)                                                          \
    (4u << 29 | (uint32_t)(data) << 16 | (uint32_t)(subchannel) << 13 | (uint32_t)(method) >> 2)
#define PB_ONE_INC(subchannel, method, count)                                                      \
    (5u << 29 | (uint32_t)(count) << 16 | (uint32_t)(subchannel) << 13 | (uint32_t)(method) >> 2)
#define PB_END_SEGMENT (7u << 29)

/* Wires and seals a GTX 1060; parameters may still be set until the first event. */
void check_machine_begin(struct check_machine *check, bool with_nouveau);
/* Like check_machine_begin(), but with little room for events and ranges, so that snapshots are
 * cheap to restore. */
void check_machine_begin_small(struct check_machine *check, bool with_nouveau);
/* Like check_machine_begin(), but writes the log to `log` instead of memory.  No driver answers
 * interrupts. */
void check_machine_begin_log(struct check_machine *check, struct chunk_writer *log);
/* Like check_machine_begin(), but with another GPU.  No driver answers interrupts. */
void check_machine_begin_on(struct check_machine *check, const char *gpu);
/* Like check_machine_begin_on(), but with a model of the test's own, which must outlive `check`. */
void check_machine_begin_model(struct check_machine *check, const struct nv_chip *model);
/* Returns a model of GA100 with two runlists: graphics with two PBDMAs on runlist 0, a copy engine
 * on runlist 1.  Blocks are at CHECK_BLOCK(runlist); doorbell ids are 5 and 9. */
struct nv_chip check_machine_ga100(void);
#define CHECK_BLOCK(runlist) (0xa00000u + 0x400u * (runlist))
/* Returns the address of a channel's word in the channel RAM, as CHANNEL_CONFIG gives it. */
uint32_t check_machine_channel_ram(struct check_machine *check, uint32_t runlist_id,
                                   uint32_t channel_id);
void check_machine_end(struct check_machine *check);
/* A machine that is set up once, and is as it was then for each input or step of a test. */
struct check_machine_kept {
    struct check_machine check;
    struct machine_mark *mark; /* NULL: nothing is kept yet */
};
/* Keeps the machine as it is.  `check` goes over to `kept`. */
void check_machine_keep(struct check_machine_kept *kept, const struct check_machine *check);
/* Takes it back and writes it to *check, which the caller gives back with check_machine_rest(). */
void check_machine_again(const struct check_machine_kept *kept, struct check_machine *check);
void check_machine_rest(struct check_machine *check);
void check_machine_kept_end(struct check_machine_kept *kept);
/* Writes instance block, RAMFC and USERD of a channel, binds and enables it. */
void check_machine_channel(struct check_machine *check, uint32_t channel_id);
/* Puts channels, each in a TSG of its own (id 32 + channel, timeslice 128 << 3), on a runlist. */
void check_machine_runlist(struct check_machine *check, uint32_t runlist_id, uint32_t count,
                           const uint32_t *channel_ids);
/* Submits a runlist of raw entries (two words each). */
void check_machine_runlist_raw(struct check_machine *check, uint32_t runlist_id, uint32_t count,
                               const uint32_t *words);
/* Begins a machine with channel 0 on runlist 0, which is all that most tests need. */
void check_machine_begin_channel(struct check_machine *check, bool with_nouveau);
/* Puts dwords into the pushbuffer and returns their virtual address. */
uint64_t check_machine_dwords(struct check_machine *check, uint32_t channel_id,
                              const uint32_t *dwords, uint32_t count);
/* Puts a raw GP entry into the ring.  Rings the doorbell if `ring` is true. */
void check_machine_entry(struct check_machine *check, uint32_t channel_id, uint32_t entry0,
                         uint32_t entry1, bool ring);
/* Like check_machine_entry(), but makes the entry for `count` dwords at `address`. */
void check_machine_segment(struct check_machine *check, uint32_t channel_id, uint64_t address,
                           uint32_t count, bool ring);
void check_machine_ring(struct check_machine *check, uint32_t channel_id);
/* CHECK_SUBMIT(&check, channel, dwords...) pushes dwords as one segment and rings the doorbell. */
#define CHECK_SUBMIT(check, channel, ...)                                                          \
    check_machine_submit((check), (channel), (const uint32_t[]){__VA_ARGS__},                      \
                         sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
void check_machine_submit(struct check_machine *check, uint32_t channel_id, const uint32_t *dwords,
                          uint32_t count);
/* Runs until no event is left, and decodes the log from its start.  Ends the program if the run
 * fails or does not end. */
void check_machine_run(struct check_machine *check);
/* Decodes the log again, without running. */
void check_machine_read_log(struct check_machine *check);

/* Return the n-th event of a kind, or NULL if there are fewer, and the number of such events. */
const struct log_event *check_machine_event(const struct check_machine *check, uint32_t kind,
                                            uint32_t n);
uint32_t check_machine_count(const struct check_machine *check, uint32_t kind);
/* Returns the number of events of a kind with the given rule. */
uint32_t check_machine_count_rule(const struct check_machine *check, uint32_t kind, uint32_t rule);

/* Read and write memory by virtual address; those with _vram use physical video memory. */
uint32_t check_machine_peek(struct check_machine *check, uint64_t va);
void check_machine_poke(struct check_machine *check, uint64_t va, uint32_t value);
void check_machine_fill(struct check_machine *check, uint64_t va, const void *data, size_t bytes);
void check_machine_fetch(struct check_machine *check, uint64_t va, void *data, size_t bytes);
uint32_t check_machine_peek_vram(struct check_machine *check, uint64_t address);
void check_machine_poke_vram(struct check_machine *check, uint64_t address, uint32_t value);

/* Decodes the events of a machine whose log is kept in memory.  The caller frees the result. */
struct log_event *check_machine_decode(const struct machine *machine, uint32_t *count);
/* Writes the SHA-256 of such a log, in hexadecimal. */
void check_machine_log_hash(const struct machine *machine, char hex[65]);
/* What a run came to: its log, if it is kept in memory, and all state and memory of the machine. */
struct check_machine_hashes {
    char log[65], machine[65];
};
void check_machine_hash(struct machine *machine, struct check_machine_hashes *hashes);

#endif
