/* SPDX-License-Identifier: MIT */
/*
 * The boards that the stand-in can play: the figures that the nouveau kernel driver would report.
 *
 * Nothing here was read from a card.  The PCI ids are those of the PCI id repository; VRAM and the
 * number of TPCs are the product's; the counts of GPCs and ROP partitions are the white paper's or
 * chosen to fit (the driver only scales its scratch memory by them).  Each figure stands with its
 * basis among the figures of the chip, struct nv_chip, which `gfe gpus NAME` prints.  Every board
 * here has a chip of the same name.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_BOARD_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_BOARD_H

#include <stdint.h>

enum { RECORD_BOARD_CLASSES = 5 };

struct record_board {
    const char *gpu;       /* gfe's name, such as gtx1060 */
    const char *alias;     /* another name that is accepted, or NULL */
    const char *chip_name; /* at most 15 characters: NVIF INFO's field */
    const char *name;      /* at most 63 characters */
    uint32_t chipset;      /* as nouveau numbers it: PMC_BOOT_0 bits 28:20 */
    uint16_t pci_vendor, pci_device;
    uint8_t pci_revision;
    uint8_t family; /* NVIF_DEVICE_INFO_V0_*: 8 Kepler ... 12 Turing */
    uint32_t vram_mib;
    uint8_t gpc_count, tpc_count, rop_count;
    uint16_t copy_class;                    /* on subchannel 4, which only GK104's streams bind */
    uint16_t classes[RECORD_BOARD_CLASSES]; /* as NVIF SCLASS lists them on a channel */
};

/* Returns the board of that name or alias, or NULL. */
const struct record_board *record_board_find(const char *gpu);
/* Returns the first board with a chip, as nouveau numbers it, or NULL. */
const struct record_board *record_board_of_chipset(uint32_t chipset);
/* Like record_board_of_chipset(), but prefers a board with this PCI device. */
const struct record_board *record_board_of_device(uint32_t chipset, uint32_t pci_device);
/* Returns the index-th board, or NULL after the last. */
const struct record_board *record_board_at(unsigned index);

#endif
