/* SPDX-License-Identifier: MIT */
/*
 * What somebody sees who looks at an NVIDIA GPU from the CPU: views over registers and memory as
 * the files of nvdebug show them, and the writes that nvdebug's files make (Bakita and Anderson
 * 2024, Appendix A).
 *
 * Views read registers by their manuals' names (emu/engine/reg_assign.h), and runlists and instance
 * blocks in memory where registers point at them, as a driver would: what a generation has not is
 * left out.  What no register shows comes from the model's state and is marked so.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_INSPECT_H
#define GFE_DEVICES_NVIDIA_NV_INSPECT_H

#include "emu/engine/machine.h"
#include "emu/engine/poke.h"

struct nv_chip;

/* ---- runlists (nv_inspect_runlist.c) --------------------------------------------------------- */

/* A runlist as its registers name it. */
struct nv_inspect_list {
    uint64_t base;
    uint32_t aperture; /* enum memory_aperture */
    uint32_t length;   /* entries */
};

/* An entry, its fields as they stand in memory. */
struct nv_inspect_entry {
    bool is_tsg;
    uint32_t id;
    uint32_t runqueue;               /* of a channel */
    uint32_t scale, timeout, length; /* of a TSG */
    uint64_t instance;               /* of a channel; physical, 0: the entry has none */
    uint32_t instance_target;        /* its aperture field */
};

/* Which list is submitted; length 0: none is.  False: the chip has no such runlist. */
bool nv_inspect_list(struct machine *machine, uint32_t runlist_id, struct nv_inspect_list *list);
/* Reads and decodes an entry; false: it lies outside the memory. */
bool nv_inspect_entry(struct machine *machine, const struct nv_inspect_list *list, uint32_t index,
                      struct nv_inspect_entry *entry);
/* The register with a channel's state: CCSR, or from Ampere on the runlist's channel RAM, and the
 * word that it reads.  False: there is none of that number. */
bool nv_inspect_channel(struct machine *machine, uint32_t runlist_id, uint32_t channel_id,
                        struct reg_assign *reg);
/* Up to Turing: the instance block that CCSR names for a channel; physical. */
uint64_t nv_inspect_instance(struct machine *machine, uint32_t channel_id);
/* Has this machine a register block for each runlist (Ampere and later)? */
bool nv_inspect_has_blocks(const struct machine *machine);
/* Bytes of a runlist entry: by the form of the lists that the registers belong to. */
uint32_t nv_inspect_entry_bytes(const struct machine *machine);

/* ---- pokes (nv_poke.c) ----------------------------------------------------------------------- */

extern const struct poke_verb nv_poke_verbs[];
extern const uint32_t nv_poke_verb_count;

#endif
