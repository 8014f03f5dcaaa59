/* SPDX-License-Identifier: MIT */
/*
 * What the run without faults read and wrote of guest memory, for who wants to know whether anybody
 * would have met a bit that was inverted there.
 *
 * Accesses are kept piece by piece, as memory tells of them (emu/engine/memory.h), each in one
 * page, with its time.  Beyond CAMPAIGN_ACCESSES_MAX nothing is known any more.
 *
 * What is compared is time alone: accesses at the very time of a fault may come before it or after
 * it, and are taken for both.
 */
#ifndef GFE_DEVICES_CAMPAIGN_ACCESS_H
#define GFE_DEVICES_CAMPAIGN_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/engine/machine.h"

enum { CAMPAIGN_ACCESSES_MAX = 1 << 22 };

struct campaign_access {
    uint64_t page; /* aperture << 63 | page number */
    gfe_ps time_ps;
    uint16_t offset, bytes, kind; /* enum memory_access */
    uint16_t reserved;
    uint32_t number; /* in their order */
};

struct campaign_accesses {
    const struct machine *machine;
    struct campaign_access *rows; /* by page and number, once it is over */
    uint32_t count, capacity;
    bool too_many;
};

/* The machine's accesses from now on.  campaign_access_fini() in any case. */
void campaign_access_begin(struct campaign_accesses *accesses, struct machine *machine);
/* The run is over: nothing more is heard, and questions can be asked. */
void campaign_access_end(struct campaign_accesses *accesses, struct machine *machine);
void campaign_access_fini(struct campaign_accesses *accesses);

/* What comes of a word some of whose bytes (bits of `bytes`, from the lowest address) change at a
 * time and not by an access. */
enum campaign_fate {
    CAMPAIGN_FATE_UNKNOWN, /* somebody waits for it to change, or what is known does not tell */
    CAMPAIGN_FATE_READ,    /* a changed byte is read */
    CAMPAIGN_FATE_DEAD,    /* all of them are written over before they are read */
    CAMPAIGN_FATE_LEFT,    /* none is read; at least one is as it is until the end */
};
/* *met_ps is when the first of them is read or written; GFE_PS_NEVER: none is. */
enum campaign_fate campaign_access_fate(const struct campaign_accesses *accesses,
                                        enum memory_aperture aperture, uint64_t address,
                                        uint32_t bytes, gfe_ps time_ps, gfe_ps *met_ps);

#endif
