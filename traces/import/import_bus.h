/* SPDX-License-Identifier: MIT */
/*
 * Register-level programs (gfe import bus): a text with a CPU's writes to a GPU's registers and
 * memory, and their times.  It becomes a trace of layer BUS, which runs without any driver model.
 *
 * A line is a statement, # begins a comment.  A line may begin with its time: 2ms, 1.5us, 700ns
 * since the start, or +10us after the line before.  A line may be a time alone.  A line without a
 * time has the time of the line before.  Numbers are decimal, or hexadecimal after 0x; sizes may
 * end in k, M, G.
 *
 *     gfe-bus 1                           the first statement: version of this form
 *     gpu NAME                            the GPU that the program is for, before the others
 *
 *     NAME = NUMBER                       a register is written: all of it, or these fields, with
 *     NAME[i] FIELD=VALUE FIELD=VALUE     the others 0 (emu/engine/reg_assign.h)
 *     0xOFFSET = NUMBER                   the same by its BAR0 offset
 *     read NAME = NUMBER                  the register is read, and has to hold that
 *     bar1 OFFSET = NUMBER                a store through BAR1
 *     doorbell CHANNEL NUMBER             up to Pascal GP_PUT into the channel's USERD in BAR1,
 *                                         from Volta on the word that the doorbell takes
 *     words ADDRESS [vram|sysmem]         dwords in hexadecimal on the lines that follow, up to
 *     end                                 this; they are stored from that physical address on
 *     map ROOT VA SIZE PHYSICAL [vram|sysmem]   in place of page tables: the mapping at VA of the
 *                                         address space with its page directory at ROOT (0: BAR1)
 *     unmap ROOT VA SIZE
 *     mark TEXT                           a note
 *
 * Whole pages of 4096 bytes are mapped.  Times have whole nanoseconds.
 */
#ifndef GFE_TRACES_IMPORT_IMPORT_BUS_H
#define GFE_TRACES_IMPORT_IMPORT_BUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/error.h"

struct mmio;

/* The figures of the GPU that a text names, as far as the importer needs them. */
struct import_bus_chip {
    const char *name;
    uint32_t chip_id, pci_id;
    uint64_t vram_bytes;
    const struct mmio *mmio; /* names and offsets of registers; NULL while no chip is open */
    void *handle;            /* the opener's own */
};

/* The importer's look-up of GPUs.  The caller passes it, because importers are in a lower room than
 * GPUs. */
struct import_bus_chips {
    /* Fills *chip.  Returns false with *is_known false if no GPU has that name.  Returns false with
     * a message in *error after any other failure. */
    bool (*open)(const char *name, struct import_bus_chip *chip, bool *is_known,
                 struct gfe_error *error);
    /* Frees the resources of open().  A chip that was never opened, all zeroes, is allowed. */
    void (*close)(struct import_bus_chip *chip);
};

/* Reads a text and writes a trace to `fd`.  `name` is the text's path, for messages.  `chips` is
 * borrowed for the call.  Returns false with a message that names the line on error. */
bool import_bus(FILE *file, const char *name, int fd, const char *output_name,
                const struct import_bus_chips *chips, struct gfe_error *error);

#endif
