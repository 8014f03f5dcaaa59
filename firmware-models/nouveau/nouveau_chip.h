/* SPDX-License-Identifier: MIT */
/*
 * The differences between chips in the nouveau kernel driver, Kepler to Turing.  The driver knows
 * its chip from PMC_BOOT_0.
 *
 *   GK104          bare channels in the runlist, whose entries hold no instance block; CCSR says
 *                  which runlist
 *   GM107, GM200   bare channels, entries with the instance block
 *   GP100 on       a hardware TSG around every channel, page tables of version 2, copy engines with
 *                  registers of their own form
 *   GV100          RAMFC and runlist of Volta, USERD behind no window, a doorbell
 *   TU102 on       registers of its own for every runlist; the doorbell's word has the runlist, and
 *                  is rung when a channel starts
 *
 * Sources (nouveau's MIT-licensed code, read as facts): nvkm/engine/fifo nve0.c @37a5d028, gk104.c
 * @3499af52, gm107.c, gm200.c @0fc72ee9, gp100.c @06db7fde, gpfifogv100.c @0c6a0df3, gv100.c
 * @05f19412, tu102.c @0ea5c948; nvkm/subdev/vfn/tu102.c @2c55d703; gv100_fence.c @74f1af95.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_CHIP_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_CHIP_H

#include <stdbool.h>
#include <stdint.h>

enum nouveau_entry_form {
    NOUVEAU_ENTRY_NUMBER,   /* two words, the second 0 */
    NOUVEAU_ENTRY_INSTANCE, /* two words, the second the instance block */
    NOUVEAU_ENTRY_GV100,    /* four words */
};

struct nouveau_chip {
    uint32_t first, last; /* chip numbers */
    enum nouveau_entry_form entry_form;
    bool groups;         /* hardware TSGs */
    bool ccsr_runlist;   /* bits 19:16 of CCSR_CHANNEL */
    bool big_pages_bit;  /* PAGE_DIR_BASE says 64 KiB */
    bool page_tables_2;  /* PAGE_DIR_BASE also says version 2 */
    bool gv100_ramfc;    /* RAMFC of Volta, without ADR_LIMIT */
    bool runlists_apart; /* RUNLIST_BASE_LO ... */
    bool token_has_runlist;
    bool lces;         /* copy engines have Pascal's registers */
    uint32_t doorbell; /* register; 0: a store to USERD is enough */
    /* Recovery preempts the runlist.  On older chips it triggers faults, and ERROR_SCHED_DISABLE is
     * cleared. */
    bool preempts_runlists;
    uint32_t fault_buffer; /* MMU_FAULT_BUFFER_LO and on; 0: faults are PFIFO's */
    uint32_t fault_info;   /* MMU_FAULT_ADDR_LO and on */
    uint32_t fault_enable; /* register that lets their interrupts through; 0: there is none */
};

/* Returns the row of a chip; NULL for chips that this driver model does not know. */
const struct nouveau_chip *nouveau_chip_find(uint32_t chip_id);

#endif
