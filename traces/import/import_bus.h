/* SPDX-License-Identifier: MIT */
/*
 * Register-level programs (gfe import bus): a text that says what a CPU writes to a GPU's registers
 * and memory, and when.  It becomes a trace of layer BUS, which runs without any driver model.
 *
 * A line is a statement, # begins a comment.  In front may stand the time: 2ms, 1.5us, 700ns since
 * the start, or +10us after the line before; a line may have nothing else.  Without, it is the time
 * of the line before.  Numbers are decimal, or hexadecimal after 0x; sizes may end in k, M, G.
 *
 *     gfe-bus 1                           the first statement: version of this form
 *     gpu NAME                            the GPU that the program is for, before the others
 *
 *     NAME = NUMBER                       a register is written, all of it; emu/engine/reg_assign.h
 *     NAME[i] FIELD=VALUE FIELD=VALUE     or of these fields, the others 0
 *     0xOFFSET = NUMBER                   the same by its BAR0 offset
 *     read NAME = NUMBER                  it is read, and has to hold that
 *     bar1 OFFSET = NUMBER                a store through BAR1
 *     doorbell CHANNEL NUMBER             up to Pascal GP_PUT into the channel's USERD behind BAR1,
 *                                         from Volta on the word that the doorbell takes
 *     words ADDRESS [vram|sysmem]         dwords in hexadecimal on the lines that follow, up to
 *     end                                 this; they are stored from that physical address on
 *     map ROOT VA SIZE PHYSICAL [vram|sysmem]   in place of page tables: what the address space
 *                                         whose page directory lies at ROOT (0: BAR1) shows at VA
 *     unmap ROOT VA SIZE
 *     mark TEXT                           a note
 *
 * Whole pages of 4096 bytes are mapped.  Times have whole nanoseconds.
 */
#ifndef GFE_TRACES_IMPORT_BUS_H
#define GFE_TRACES_IMPORT_BUS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/error.h"

struct mmio;

/* What the importer has to know of the GPU that a text names. */
struct import_bus_chip {
    const char *name;
    uint32_t chip_id, pci_id;
    uint64_t vram_bytes;
    const struct mmio *mmio; /* names of registers and where they lie; NULL while none is open */
    void *handle;            /* the opener's own */
};

/* Where the importer looks GPUs up.  Importers stand below the GPUs, so the caller hands this in.
 */
struct import_bus_chips {
    /* Fills *chip.  Returns false either with *is_known false, when no GPU has that name, or with a
     * message in *error. */
    bool (*open)(const char *name, struct import_bus_chip *chip, bool *is_known,
                 struct gfe_error *error);
    /* Gives back what open() took.  A chip that was never opened, all zeroes, is allowed. */
    void (*close)(struct import_bus_chip *chip);
};

/* Reads a text and writes a trace to `fd`.  `name` is the text's path, for messages; errors name
 * the line.  `chips` is borrowed for the call. */
bool import_bus(FILE *file, const char *name, int fd, const char *output_name,
                const struct import_bus_chips *chips, struct gfe_error *error);

#endif
