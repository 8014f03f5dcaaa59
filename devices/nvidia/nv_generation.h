/* SPDX-License-Identifier: MIT */
/*
 * What differs between the generations of Host, Kepler to Turing, one row for each Host class.
 *
 *   a06f Kepler, b06f Maxwell, c06f Pascal: software stores GP_PUT in USERD, which lies in a window
 *        of BAR1 that Host snoops; runlist entries of eight bytes; channels may stand outside TSGs.
 *   c36f Volta, c46f Turing: USERD is any memory; a store to NOTIFY_CHANNEL_PENDING in the
 * user-mode window makes a channel pending; runlist entries of sixteen bytes, TSGs only;
 * SEM_EXECUTE beside SEMAPHORED.  On Turing every runlist has registers of its own for its submits.
 *
 * Which methods Host has, which reductions and which kinds of YIELD, is what its class header lists
 * (nv_class.h).  Sources: open-gpu-doc classes/host/cla06f.h to clc46f.h, gv100 and tu104 dev_fifo,
 * dev_ram, dev_usermode; nouveau gk104.c, gm107.c, gp100.c, gv100.c, tu102.c.
 *
 * Not modelled: registers of copy engines at the addresses of Kepler and Maxwell (Pascal's are
 * there on every chip), channel faulted bits (CLEAR_FAULTED is reported).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_GENERATION_H
#define GFE_DEVICES_NVIDIA_NV_GENERATION_H

#include <stdbool.h>
#include <stdint.h>

enum nv_mem_op_form {
    NV_MEM_OP_B_ACTS,     /* with an operand in A */
    NV_MEM_OP_D_ACTS_OLD, /* the same, in C and D */
    NV_MEM_OP_D_ACTS,     /* with operands in A to C */
};

struct nv_generation {
    uint16_t host_class;
    uint16_t usermode_class; /* NV_USERMODE_CFG0; 0: there is no window */
    uint32_t usermode_base;  /* of the window in BAR0 */
    uint32_t runlist_entry_bytes;
    enum nv_mem_op_form mem_op;
    bool token_has_runlist;     /* the doorbell's word has RUNLIST_ID, else the channel alone */
    bool runlists_submit_apart; /* RUNLIST_SUBMIT(i), else RUNLIST */
    bool channels_in_tsgs_only; /* others raise BAD_TSG */
    bool lces_in_ptop;          /* copy engines have type LCE, else COPY0 and up */
    bool turing_gobs;           /* order of bytes in a GOB: nv_tile.h */
};

/* The row of a Host class; asserts that there is one. */
const struct nv_generation *nv_generation_of(uint32_t host_class);

#endif
