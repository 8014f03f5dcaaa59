/* SPDX-License-Identifier: MIT */
/*
 * Host: channels, interrupts, and the doorbell.
 *
 * Up to Turing its registers are PFIFO (nv_pfifo.h) and CCSR (nv_ccsr.h).  From Ampere on each
 * runlist has a block of them (nv_runlist_regs.h).  Host snoops stores into the USERD window of
 * BAR1 (NV_PFIFO_BAR1_BASE): a store to GP_PUT makes that channel pending, and its runlist looks
 * for work.  From Volta on USERD is any memory, and a store to NOTIFY_CHANNEL_PENDING has this
 * effect.  Other differences between chips are in nv_generation.h.  Described in open-gpu-doc
 * gv100/dev_fifo.ref.txt and tu104/dev_usermode.ref.txt; the snoop is INFERRED from nouveau and
 * nvgpu.  The headers of its parts list what is not modelled.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_HOST_H
#define GFE_DEVICES_NVIDIA_NV_HOST_H

#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/nv_runlist.h"
#include "emu/engine/machine.h"

struct nv_chip;
struct nv_engine;
struct nv_fault_registers;
struct nv_mmu;
struct nv_pbdma;

GFE_STATE_BEGIN
struct nv_host_state {
    uint32_t pended_slots; /* channels from this slot up were never pending */
    uint32_t reserved;
};
GFE_STATE_END

struct nv_host {
    struct machine *machine;
    const struct nv_chip *model;
    const struct nv_generation *generation;
    uint32_t known_methods[2];   /* a bit for each Host method that the class has */
    uint32_t yield_operations;   /* a bit for each value of YIELD_OP that the class has */
    uint32_t mem_operations;     /* a bit for each operation of MEM_OP that the class has */
    bool reduces;                /* true if SEMAPHORED has reductions */
    struct nv_runlist *runlists; /* model->runlist_count of them */
    struct nv_pbdma *pbdmas;     /* model->pbdma_count of them */
    struct nv_engine *engines;   /* model->engine_count of them */
    struct nv_channel *channels; /* state: channel_slots of them, by nv_channel_slot() */
    uint32_t channel_slots;
    bool channels_are_global; /* true if channel numbers are slots: up to Turing */
    struct nv_mmu *mmu;
    struct nv_fault_registers *faults;
    struct clock_domain clock;
    uint32_t unit;
    struct mmio_window *pfifo, *pccsr, *pmc;
    struct mmio_window *usermode;         /* NULL before Volta */
    struct mmio_window *virtual_function; /* NULL before Turing: nv_intr.h */
    struct nv_host_state *state;
};

/* Returns nv_channel_slot() of an existing channel.  For another channel the result is at least
 * channel_slots. */
static inline uint32_t nv_host_slot(const struct nv_host *host, uint32_t channel_id)
{
    return host->channels_are_global ? channel_id : nv_channel_slot(host, channel_id);
}

/* Returns the channel for reading, or NULL if there is no such channel. nv_channel.h changes it. */
static inline const struct nv_channel *nv_channel_get(const struct nv_host *host,
                                                      uint32_t channel_id)
{
    const uint32_t slot = nv_host_slot(host, channel_id);

    return slot < host->channel_slots ? &host->channels[slot] : NULL;
}

/* Adds Host as a unit, with the register windows of PFIFO and CCSR. */
void nv_host_wire(struct nv_host *host, struct machine *machine, const struct nv_chip *model);
/* Returns true if the chip's Host class has this method (byte offset, below 0x100). */
static inline bool nv_host_knows(const struct nv_host *host, uint32_t method)
{
    return host->known_methods[method / 128] >> (method / 4 % 32) & 1;
}
/* Sets bits of NV_PFIFO_INTR_0, and raises the line if INTR_EN_0 lets them through. */
void nv_host_interrupt(struct nv_host *host, uint32_t intr_0_bits);
/* Updates PMC after a copy engine's interrupt became pending or was cleared, and raises the line.
 */
void nv_host_ce_interrupt(struct nv_host *host, uint32_t instance, bool pending);
/* Updates PMC: the graphics engine has an enabled interrupt, or none any more. */
void nv_host_gr_interrupt(struct nv_host *host, bool pending);
/* Reports an event of a runlist to the interrupt registers of the generation. */
void nv_host_runlist_event(struct nv_host *host, uint32_t runlist_id, enum nv_runlist_notice notice,
                           uint32_t code);
/* Return the time after which a context switch of that engine is an error, by its register
 * (`GFE_PS_NEVER` means no limit); and report a switch that has taken that long. */
gfe_ps nv_host_ctxsw_timeout_ps(const struct nv_host *host, const struct nv_engine *engine);
void nv_host_ctxsw_timeout(struct nv_host *host, const struct nv_engine *engine);
/* Reports that a reset of the engine has ended a switch that was reported. */
void nv_host_ctxsw_reset(struct nv_host *host, const struct nv_engine *engine);
/* Returns the time between the runlist's polls of failed acquires, ACQ_PRETEST. 0 means as short as
 * possible. */
gfe_ps nv_host_acq_pretest_ps(const struct nv_host *host, uint32_t runlist_id);
/* Updates the PBDMA_INTR summary after a PBDMA's INTR_0 changed. */
void nv_host_pbdma_interrupt_changed(struct nv_host *host);
/* Stops a channel that raised an error, and logs it with the interrupt bits. */
void nv_host_stop_channel(struct nv_host *host, uint32_t channel_id, uint32_t intr_bits);
/* Stops a channel after a fault: until software clears its faulted bits; before Volta for good. */
void nv_host_fault_channel(struct nv_host *host, uint32_t channel_id);
/* Sets a channel's faulted bit after the current event, because an access of its PBDMA, or of a
 * copy engine for it, has failed. */
void nv_host_channel_faulted(struct nv_host *host, uint32_t channel_id, bool engine);
/* Returns the time `cycles` of Host's clock after now. */
static inline gfe_ps nv_host_after(const struct nv_host *host, uint64_t cycles)
{
    return clock_after_cycles(&host->clock, machine_now(host->machine), cycles);
}
/* Finds the instance block of a channel.  Returns false if the channel is not bound. */
bool nv_host_instance(const struct nv_host *host, uint32_t channel_id, uint64_t *address,
                      enum memory_aperture *aperture);
/* Returns the order of bytes in the chip's GOBs: enum nv_gob. */
uint32_t nv_host_gob(const struct nv_host *host);
/* Returns the memory aperture of a hardware TARGET field (0 video, 2 and 3 system memory). */
enum memory_aperture nv_host_aperture(uint32_t target);

/* Events of Host, which channels schedule, too.  Their argument is the channel.  The last three are
 * the first number of a kind with one number for each slot.  They are: a write to a word that the
 * channel's acquire waits for (two kinds: lower and upper half); the acquire's deadline; the end of
 * the time between polls, by ACQ_PRETEST. */
enum nv_host_event {
    NV_HOST_PENDING,
    NV_HOST_PBDMA_FAULTED,
    NV_HOST_ENG_FAULTED,
    NV_HOST_ACQUIRE = 1 << 20,
    NV_HOST_DEADLINE = 1 << 22,
    NV_HOST_PRETEST = 1 << 23,
};

#endif
