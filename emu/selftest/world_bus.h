/* SPDX-License-Identifier: MIT */
/* Random register-level programs (gfe import bus), on an NVIDIA GPU. */
#ifndef GFE_EMU_SELFTEST_WORLD_BUS_H
#define GFE_EMU_SELFTEST_WORLD_BUS_H

#include <jansson.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"

/*
 * The program of such a world is an object:
 *
 *     "tsgs":     [{"runlist": 0, "timeout": 40, "scale": 0}, ...]   time-slice groups
 *     "channels": [{"tsg": 0, "runqueue": 0}, ...]                   numbers of TSGs, from 0
 *     "steps":    [{"after": 100, ...}, ...]                         ns since the step before it
 *
 * A step is one of: "kick" (a channel's number) with "items", which become one GP entry; "list" (a
 * TSG's number), whose runlist is submitted anew, beginning there; "store", what the word that
 * channels wait for has from then on.  An item is one of "launch" (grid, threads, registers,
 * shared_bytes), "copy" (bytes, from system memory), "draw", "release", and "acquire" (the number
 * that it waits for).  Numbers of channels and TSGs count modulo how many there are, so a program
 * stays one if one of them is taken away.
 */

/* What the steps ask for. */
struct world_bus_work {
    uint32_t launches, copies, draws, releases;
    uint64_t blocks, copy_bytes;
};

enum { WORLD_BUS_CHANNELS_MAX = 16, WORLD_BUS_FIRST_CHANNEL = 1 };

/* Writes the program's text for a GPU.  Returns the text, which the caller frees, or NULL with a
 * message. */
char *world_bus_text(const json_t *program, const char *gpu, struct gfe_error *error);
/* Adds up what the steps ask for. */
struct world_bus_work world_bus_work(const json_t *program);
/* Returns how many GP entries of the channel with that number (CHID) are submitted up to a time. */
uint32_t world_bus_entries(const json_t *program, uint64_t channel_id, gfe_ps until_ps);

#endif
