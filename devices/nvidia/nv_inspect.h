/* SPDX-License-Identifier: MIT */
/*
 * An NVIDIA GPU as seen from the CPU: views over registers and memory like the files of nvdebug,
 * and the writes that nvdebug's files make (Bakita and Anderson 2024, Appendix A).
 *
 * Views read registers by their manuals' names (emu/engine/reg_assign.h), and runlists and instance
 * blocks in memory where registers point at them, as a driver would.  Data that a generation does
 * not have is left out.  Data that no register shows comes from the model's state and is marked as
 * such.
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
    uint32_t length;   /* number of entries */
};

/* An entry, with its fields as they stand in memory. */
struct nv_inspect_entry {
    bool is_tsg;
    uint32_t id;
    uint32_t runqueue;               /* of a channel */
    uint32_t scale, timeout, length; /* of a TSG */
    uint64_t instance;               /* of a channel; physical; 0 if the entry has none */
    uint32_t instance_target;        /* its aperture field */
};

/* Finds the submitted list; length 0 means that none is.  Returns false if the chip has no such
 * runlist. */
bool nv_inspect_list(struct machine *machine, uint32_t runlist_id, struct nv_inspect_list *list);
/* Reads and decodes an entry.  Returns false if it lies outside the memory. */
bool nv_inspect_entry(struct machine *machine, const struct nv_inspect_list *list, uint32_t index,
                      struct nv_inspect_entry *entry);
/* Reads the register with a channel's state: CCSR, or from Ampere on the runlist's channel RAM.
 * Returns false if there is no such channel. */
bool nv_inspect_channel(struct machine *machine, uint32_t runlist_id, uint32_t channel_id,
                        struct reg_assign *reg);
/* Returns the physical address of the instance block that CCSR names for a channel, up to Turing.
 */
uint64_t nv_inspect_instance(struct machine *machine, uint32_t channel_id);
/* Returns true if this machine has a register block for each runlist (Ampere and later). */
bool nv_inspect_has_blocks(const struct machine *machine);
/* Returns the bytes of a runlist entry, by the form of the lists to which the registers belong. */
uint32_t nv_inspect_entry_bytes(const struct machine *machine);

/* ---- pokes (nv_poke.c) ----------------------------------------------------------------------- */

extern const struct poke_verb nv_poke_verbs[];
extern const uint32_t nv_poke_verb_count;

#endif
