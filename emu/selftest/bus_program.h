/* SPDX-License-Identifier: MIT */
/*
 * Register-level programs, written line by line: makes the text of gfe import bus
 * (traces/import/import_bus.h), for any generation.  So such a program can also be read, kept and
 * run by hand.  A program on runlist 0 with CHID 1:
 *
 *     struct bus_build build;
 *     bus_build_begin(&build, "gtx1060-3gb");
 *     const uint64_t root = bus_build_space(&build);
 *     struct bus_channel a = bus_build_channel(&build, 0, 1, root);
 *     const struct bus_tsg tsgs[] = {
 *         {.id = 8, .timeout = 250, .scale = 3, .channels = {&a}, .count = 1}};
 *     bus_build_runlist(&build, 0, tsgs, 1);
 *     bus_build_launch(&build, &a, &(struct bus_launch){.grid = 9, .threads = 32});
 *     bus_build_line(&build, "1us");
 *     bus_build_kick(&build, &a);
 *     const char *text = bus_build_text(&build);
 *     ...
 *     bus_build_fini(&build);
 *
 * Memory is allocated from one heap of video memory, which every address space maps at
 * BUS_VA + physical address.  Layouts (RAMFC, runlist entries, registers) are typed here from the
 * manuals, not taken from the model's code; registers are written by name.  The first failure is
 * kept in `error`, and bus_build_text() returns NULL then.
 */
#ifndef GFE_EMU_SELFTEST_BUS_PROGRAM_H
#define GFE_EMU_SELFTEST_BUS_PROGRAM_H

#include <stdio.h>

#include "emu/base/text_stream.h"
#include "emu/sim/bare_gpu.h"
#include "emu/sim/simulation.h"

#define BUS_VA           UINT64_C(0x100000000)
#define BUS_HEAP         UINT64_C(0x1000000)   /* physical, video memory */
#define BUS_HEAP_END     UINT64_C(0x11000000)  /* 256 MiB */
#define BUS_SYSTEM       UINT64_C(0x200000000) /* virtual: system memory, if a space maps it */
#define BUS_SYSTEM_BYTES UINT64_C(0x10000000)  /* the first 32 MiB, eight times over */

enum { BUS_TSG_CHANNELS = 128, BUS_RING_ENTRIES = 256, BUS_PUSH_BYTES = 1 << 16 };

struct bus_build {
    FILE *file;             /* the stream of `text`; NULL: it is not open, and nothing is written */
    struct gfe_error error; /* the first failure */
    struct text_stream stream;
    char *text;           /* complete after bus_build_text() */
    struct bare_gpu bare; /* the same GPU, which knows its registers */
    uint64_t heap;        /* next free byte */
    uint64_t userd;       /* up to Pascal: one pool, behind BAR1 */
    bool long_entries;    /* runlist entries have 16 bytes */
    bool has_doorbell;    /* from Volta on */
    bool has_blocks;      /* from Ampere on: registers of each runlist, channel RAM */
};

struct bus_channel {
    uint32_t runlist_id, chid;
    uint64_t root, instance, userd; /* physical */
    uint64_t ring, push, context;   /* physical; the GPU sees them at BUS_VA + that */
    uint32_t put;                   /* GP entries written */
    uint32_t push_at;               /* bytes of the pushbuffer used */
    uint32_t entry_at;              /* begin of the open segment */
    uint32_t runqueue;              /* of its runlist entry */
};

struct bus_tsg {
    uint32_t id, timeout, scale;
    const struct bus_channel *channels[BUS_TSG_CHANNELS];
    uint32_t count;
};

/* A grid of `grid` blocks in x. */
struct bus_launch {
    uint32_t grid, threads, registers, shared_bytes;
};

/* Writes the text's head and the registers that a driver writes once: interrupts on and, up to
 * Pascal, BAR1 and USERD. */
void bus_build_begin(struct bus_build *build, const char *gpu);
/* Writes any line, as printf() does. */
void bus_build_line(struct bus_build *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Allocates whole pages of the heap and returns their physical address. */
uint64_t bus_build_alloc(struct bus_build *build, uint64_t bytes);
/* Stores dwords at a physical address of video memory. */
void bus_build_words(struct bus_build *build, uint64_t physical, const uint32_t *words,
                     uint32_t count);
/* Makes an address space and returns the physical address of its root. */
uint64_t bus_build_space(struct bus_build *build);
/* Maps system memory at BUS_SYSTEM in the space of `root`.  Long copies find room there, and the
 * run needs little memory. */
void bus_build_system(struct bus_build *build, uint64_t root);
/* Makes a channel: instance block, RAMFC, USERD, ring and pushbuffer.  Binds (up to Turing) and
 * enables the channel. */
struct bus_channel bus_build_channel(struct bus_build *build, uint32_t runlist_id, uint32_t chid,
                                     uint64_t root);
/* Removes the graphics context from the instance block, since a channel that only copies has no
 * such context. */
void bus_build_copies_only(struct bus_build *build, const struct bus_channel *channel);
/* Writes the TSGs with their channels and submits the list. */
void bus_build_runlist(struct bus_build *build, uint32_t runlist_id, const struct bus_tsg *tsgs,
                       uint32_t count);
/* Submits a list of raw entries.  An entry has two words up to Pascal, and four from Volta on. */
void bus_build_runlist_raw(struct bus_build *build, uint32_t runlist_id, const uint32_t *words,
                           uint32_t entry_count);
/* Puts dwords into the channel's open segment. */
void bus_build_push(struct bus_build *build, struct bus_channel *channel, const uint32_t *dwords,
                    uint32_t count);
#define BUS_PUSH(build, channel, ...)                                                              \
    bus_build_push((build), (channel), (const uint32_t[]){__VA_ARGS__},                            \
                   sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))
/* Pushes a descriptor and its launch.  The first call also pushes SET_OBJECT of the chip's compute
 * class on subchannel 1. */
void bus_build_launch(struct bus_build *build, struct bus_channel *channel,
                      const struct bus_launch *launch);
/* Pushes a pitch copy of one line between virtual addresses, on subchannel 4. */
void bus_build_copy_virtual(struct bus_build *build, struct bus_channel *channel, uint64_t from,
                            uint64_t to, uint32_t bytes);
/* Ends the open segment, writes a GP entry for it, and rings the doorbell. */
void bus_build_kick(struct bus_build *build, struct bus_channel *channel);
/* Ends the program and returns its text, which `build` owns.  Returns NULL after a failure. */
const char *bus_build_text(struct bus_build *build);
/* Loads a text of gfe import bus; `name` is for messages.  Returns NULL with a message on error. */
struct replay_input *bus_build_load_text(const char *text, size_t bytes, const char *name,
                                         struct gfe_error *error);
/* Frees a program that is not loaded. */
void bus_build_fini(struct bus_build *build);

#endif
