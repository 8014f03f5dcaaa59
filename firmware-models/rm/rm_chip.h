/* SPDX-License-Identifier: MIT */
/*
 * The differences between the chips that the resource-manager model drives, Pascal to Hopper, and
 * those of which it makes bare channels alone, Kepler and Maxwell.
 *
 * Sources: open-gpu-doc gv100, tu104, ga100 dev_fifo, dev_ram, dev_runlist, dev_usermode,
 * pri_mmu_hub; nvgpu hw_ram_gp10b.h, hw_fb_gv11b.h @6ecfb593; nouveau gk104.c, gm107.c, gp100.c,
 * gv100.c, tu102.c, ga100.c.
 */
#ifndef GFE_FIRMWARE_MODELS_RM_RM_CHIP_H
#define GFE_FIRMWARE_MODELS_RM_RM_CHIP_H

#include <stdbool.h>
#include <stdint.h>

enum rm_runlist_form {
    RM_RUNLIST_GP100, /* 8 bytes */
    RM_RUNLIST_GV100, /* 16 bytes */
    RM_RUNLIST_GA100, /* 16 bytes; USERD and instance block are taken from the entry */
};

/* A PCE that NVIDIA's driver gives to an LCE which has none after a reset. */
struct rm_chip_pce {
    uint32_t pce, lce;
};
enum { RM_CHIP_PCES = 2 };

struct rm_chip {
    uint32_t first, last; /* chip ids, PMC_BOOT_0 */
    enum rm_runlist_form form;
    uint32_t tsg_length_max;
    bool runlists_apart; /* RUNLIST_SUBMIT(i) of PFIFO */
    bool blocks;         /* NV_RUNLIST and channel RAM; ids are counted per runlist */
    uint32_t doorbell;   /* NOTIFY_CHANNEL_PENDING in BAR0; 0: USERD in BAR1 */
    bool token_has_runlist;
    uint32_t fault_info;    /* MMU_FAULT_ADDR_LO in BAR0; 0: NV_PFIFO_INTR_MMU_FAULT_INFO */
    uint32_t fault_enable;  /* NV_PFB_NISO_INTR_EN_SET; 0: none needed */
    uint32_t host_fault_id; /* of PBDMA 0; NV_PFAULT_MMU_ENG_ID_HOST0 */
    bool bare_only;         /* only channels without a driver: rm_new_bare() */
    bool old_page_tables;   /* of Kepler and Maxwell: 40 bits of addresses */
    bool no_tsgs;           /* channels stand in runlists alone */
    uint32_t pce_count;     /* of `pces` */
    struct rm_chip_pce pces[RM_CHIP_PCES];
    bool ccsr_runlist; /* CCSR_CHANNEL has the runlist, its entries no instance block */
};

/* The row of a chip id (PMC_BOOT_0); NULL for chips that the model does not drive.  Of a row with
 * bare_only NVIDIA's driver is not modelled. */
enum { RM_CHIP_GP10B = 0x13b }; /* Jetson TX2 */

const struct rm_chip *rm_chip_find(uint32_t chip_id);

#endif
