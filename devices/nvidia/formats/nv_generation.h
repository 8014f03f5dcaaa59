/* SPDX-License-Identifier: MIT */
/*
 * The differences between the generations of Host, Kepler to Hopper, one row for each.
 *
 *   a06f Kepler, b06f Maxwell, c06f Pascal:
 *        Software stores GP_PUT in USERD, which lies in a window of BAR1 that Host snoops.
 *        Runlist entries have eight bytes; channels may stand outside TSGs.
 *   c36f Volta, c46f Turing:
 *        USERD is any memory; a store to NOTIFY_CHANNEL_PENDING in the user-mode window makes a
 *        channel pending.  Runlist entries have sixteen bytes; there are only TSGs.  SEM_EXECUTE
 *        exists beside SEMAPHORED.  On Turing every runlist has registers of its own for its
 *        submits, and interrupts reach the CPU also through a tree of leaves.
 *   c56f Ampere and Ada, c76f Orin (GA10B), c86f Hopper:
 *        PFIFO and CCSR are gone.  Every runlist has a block of registers and a channel RAM;
 *        channels and TSGs are numbered within it, and its entries have the addresses of instance
 *        block and USERD.  Codes of LOAD and SAVE in statuses are exchanged.
 *
 * The class header of Host lists its methods, reductions and kinds of YIELD (nv_class.h).  Sources:
 * open-gpu-doc classes/host/cla06f.h to clc76f.h, gv100 and tu104 dev_fifo, dev_ram, dev_usermode,
 * ga100 dev_runlist, dev_ram, dev_vm; nouveau gk104.c, gm107.c, gp100.c, gv100.c, tu102.c, ga100.c.
 * The publications about GA100's Host are taken for all of Ampere, Ada and Hopper: INFERRED,
 * because nouveau and nvgpu drive them alike.
 */
#ifndef GFE_DEVICES_NVIDIA_FORMATS_NV_GENERATION_H
#define GFE_DEVICES_NVIDIA_FORMATS_NV_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

/* Bits of generations: the variants of register lists (emu/engine/reg.h). */
enum nv_generations {
    NV_KEPLER = 1 << 0,
    NV_MAXWELL = 1 << 1,
    NV_PASCAL = 1 << 2,
    NV_VOLTA = 1 << 3,
    NV_TURING = 1 << 4,
    NV_GA100 = 1 << 5,
    NV_GA10X = 1 << 6, /* GA102 to GA107, GA10B */
    NV_ADA = 1 << 7,
    NV_HOPPER = 1 << 8,
    NV_ALL_GENERATIONS = (1 << 9) - 1,
    NV_AMPERE = NV_GA100 | NV_GA10X,
    NV_UP_TO_MAXWELL = NV_KEPLER | NV_MAXWELL,
    NV_UP_TO_PASCAL = NV_UP_TO_MAXWELL | NV_PASCAL,
    NV_UP_TO_VOLTA = NV_UP_TO_PASCAL | NV_VOLTA,
    NV_UP_TO_TURING = NV_UP_TO_VOLTA | NV_TURING,
    NV_FROM_MAXWELL = NV_ALL_GENERATIONS & ~NV_KEPLER,
    NV_FROM_PASCAL = NV_ALL_GENERATIONS & ~NV_UP_TO_MAXWELL,
    NV_FROM_VOLTA = NV_ALL_GENERATIONS & ~NV_UP_TO_PASCAL,
    NV_FROM_TURING = NV_ALL_GENERATIONS & ~NV_UP_TO_VOLTA,
    NV_FROM_AMPERE = NV_ALL_GENERATIONS & ~NV_UP_TO_TURING,
    NV_VOLTA_AND_TURING = NV_VOLTA | NV_TURING,
};
/* Their names, by bit number; ends with NULL. */
extern const char *const nv_generation_names[];

enum nv_mem_op_form {
    NV_MEM_OP_B_ACTS,     /* with an operand in A */
    NV_MEM_OP_D_ACTS_OLD, /* the same, in C and D */
    NV_MEM_OP_D_ACTS,     /* with operands in A to C */
};

/* The layout of a runlist entry: nv_runlist_entry.h. */
enum nv_runlist_form {
    NV_RUNLIST_FORM_GK104, /* 8 bytes */
    NV_RUNLIST_FORM_GV100, /* 16 bytes; pointers are ignored */
    NV_RUNLIST_FORM_GA100, /* 16 bytes; pointers are used, ids have 11 bits */
};

struct nv_generation {
    uint16_t host_class;
    uint16_t chip_from;      /* lowest chip id (PMC_BOOT_0) of the class to which the row applies */
    uint32_t bit;            /* enum nv_generations */
    uint16_t usermode_class; /* CFG0 of the user-mode window; 0 if there is none */
    uint32_t usermode_base;  /* NV_USERMODE in BAR0; 0 if there is none */
    uint32_t
        /* NV_VIRTUAL_FUNCTION of the physical function in BAR0; 0 if there is none */
        virtual_function_base;
    uint32_t runlist_entry_bytes;
    enum nv_runlist_form runlist_form;
    uint32_t tsg_length_max; /* channels that a TSG may have in a runlist */
    uint32_t pbdma_stride;   /* bytes between PBDMAs' registers */
    enum nv_mem_op_form mem_op;
    /* true if the doorbell's word has RUNLIST_ID; false if it has only the channel */
    bool token_has_runlist;
    bool runlists_submit_apart; /* true for RUNLIST_SUBMIT(i), false for RUNLIST */
    bool runlists_have_blocks;  /* NV_RUNLIST registers and channel RAM instead of PFIFO and CCSR */
    bool channels_in_tsgs_only; /* others raise BAD_TSG */
    bool lces_in_ptop;          /* true if copy engines have type LCE; false for COPY0 and up */
    bool channels_per_runlist;  /* CHIDs and TSGIDs are counted in each runlist: nv_channel.h */
    bool turing_gobs;           /* order of bytes in a GOB: nv_tile.h */
    bool load_is_6;             /* CTX_STATUS has LOAD 6 and SAVE 5; false for the reverse */
};

/* Returns the row of a Host class and chip id; asserts that there is one. */
const struct nv_generation *nv_generation_of(uint32_t host_class, uint32_t chip_id);

#endif
