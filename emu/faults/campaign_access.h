/* SPDX-License-Identifier: MIT */
/*
 * The accesses to guest memory of the run without faults.  They show whether any access would have
 * met a bit that was inverted there.
 *
 * Accesses are kept piece by piece, as memory reports them (emu/engine/memory.h), each in one page,
 * with its time.  After CAMPAIGN_ACCESSES_MAX accesses nothing is known.
 *
 * Only times are compared: accesses at the very time of a fault may come before it or after it, and
 * count as both.
 */
#ifndef GFE_EMU_FAULTS_CAMPAIGN_ACCESS_H
#define GFE_EMU_FAULTS_CAMPAIGN_ACCESS_H

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

/* Begins to collect the machine's accesses.  Call campaign_access_fini() in any case. */
void campaign_access_begin(struct campaign_accesses *accesses, struct machine *machine);
/* Ends the collection after the run, so that campaign_access_fate() can be called. */
void campaign_access_end(struct campaign_accesses *accesses, struct machine *machine);
void campaign_access_fini(struct campaign_accesses *accesses);

/* The fate of a word some of whose bytes change at a time and not by an access. */
enum campaign_fate {
    CAMPAIGN_FATE_UNKNOWN, /* a unit waits for a change of the word, or the accesses do not say */
    CAMPAIGN_FATE_READ,    /* a changed byte is read */
    CAMPAIGN_FATE_DEAD,    /* all changed bytes are overwritten before they are read */
    CAMPAIGN_FATE_LEFT,    /* no changed byte is read; at least one is unchanged until the end */
};
/* Returns the fate of a word.  The bits of `bytes` are its changed bytes, from the lowest address.
 * *met_ps is when the first of them is read or written; `GFE_PS_NEVER` means that none is. */
enum campaign_fate campaign_access_fate(const struct campaign_accesses *accesses,
                                        enum memory_aperture aperture, uint64_t address,
                                        uint32_t bytes, gfe_ps time_ps, gfe_ps *met_ps);

#endif
