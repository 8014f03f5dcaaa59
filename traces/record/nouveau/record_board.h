/* SPDX-License-Identifier: MIT */
/*
 * The boards that the stand-in can play: what the nouveau kernel driver would tell of them.
 *
 * Nothing here was read from a card.  The PCI ids are those of the PCI id repository; VRAM and the
 * number of TPCs are the product's; the counts of GPCs and ROP partitions are the white paper's or
 * chosen to fit (the driver only scales its scratch memory by them).  Each figure stands with its
 * basis among the figures of the chip, struct nv_chip, which `gfe gpus NAME` prints: there is one
 * of the same name for every board here.
 */
#ifndef GFE_TRACES_RECORD_BOARD_H
#define GFE_TRACES_RECORD_BOARD_H

#include <stdint.h>

enum { RECORD_BOARD_CLASSES = 5 };

struct record_board {
    const char *gpu;       /* gfe's name, such as gtx1060 */
    const char *alias;     /* another name that is taken, or NULL */
    const char *chip_name; /* at most 15 characters: NVIF INFO's field */
    const char *name;      /* at most 63 characters */
    uint32_t chipset;      /* as nouveau numbers it: PMC_BOOT_0 bits 28:20 */
    uint16_t pci_vendor, pci_device;
    uint8_t pci_revision;
    uint8_t family; /* NVIF_DEVICE_INFO_V0_*: 8 Kepler ... 12 Turing */
    uint32_t vram_mib;
    uint8_t gpc_count, tpc_count, rop_count;
    uint16_t copy_class;                    /* on subchannel 4, which no stream but GK104's binds */
    uint16_t classes[RECORD_BOARD_CLASSES]; /* as NVIF SCLASS lists them on a channel */
};

/* The board of that name or alias, or NULL. */
const struct record_board *record_board_find(const char *gpu);
/* The first board with a chip, as nouveau numbers it; NULL. */
const struct record_board *record_board_of_chipset(uint32_t chipset);
/* The same, of this PCI device if there is one. */
const struct record_board *record_board_of_device(uint32_t chipset, uint32_t pci_device);
/* The index-th board, or NULL behind the last. */
const struct record_board *record_board_at(unsigned index);

#endif
