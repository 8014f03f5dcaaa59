/* SPDX-License-Identifier: MIT */
/*
 * The MMU's reaction to an access that has no translation: registers, fault buffer, interrupt.
 *
 * Kepler to Pascal: each unit that makes accesses has a set of registers
 * (NV_PFIFO_INTR_MMU_FAULT_INST and so on, by the unit's fault id) and a bit in INTR_MMU_FAULT_ID.
 * While the bit is set, another fault of the unit is dropped, and INTR_0 shows that.  Volta and
 * later: a fault is a packet of 32 bytes in the buffer for faults that are not replayable,
 * NV_PFB_PRI_MMU_FAULT_BUFFER or, on Turing, its twin in the virtual function's space.  A full
 * buffer drops the packet and sets OVERFLOW until software has cleared it.  Without a buffer the
 * fault is in FAULT_ADDR, FAULT_INST and FAULT_INFO (ASSUMED to be what "other" faults are), and a
 * second one is dropped.
 *
 * From Volta on a fault of a PBDMA or a copy engine sets the channel's PBDMA_FAULTED or
 * ENG_FAULTED.  The PBDMA saves the channel out, and its TSG is not scheduled until software has
 * cleared the bit (ga100/dev_runlist.ref.txt, "Channel Teardown Sequence"; tu104/dev_pbdma.ref.txt,
 * CLEAR_FAULTED).  When both bits are clear the channel continues: the PBDMA tries the failed
 * access again, and faults again if its cause remains.  ASSUMED: a copy that failed is over, and
 * the channel's later copies in the copy engine are dropped.  ASSUMED: the graphics engine's faults
 * set no bit and stop the channel for good, as all faults do before Volta, and a fault of RAMFC
 * itself.
 *
 * Described in open-gpu-doc gv100 and tu104/dev_mmu_fault.ref.txt, dev_fault.ref.txt, dev_fb of
 * open-gpu-kernel-modules, nvgpu hw_fifo_gp10b.h; units' fault ids of Pascal by nouveau gp100.c
 * (INFERRED).  Not modelled: replayable faults (the log says so once if FAULT_REPLAY is requested);
 * the buffer for methods of a faulted channel (ENG_METHOD_BUFFER); buffers at virtual addresses
 * (their packets are lost, and reported); prefetches.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_FAULT_H
#define GFE_DEVICES_NVIDIA_NV_FAULT_H

#include "devices/nvidia/nv_mmu.h"
#include "emu/engine/machine.h"

struct nv_host;

/* Values of unit_kind of EVENT_NV_MMU_FAULT. */
enum nv_fault_unit { NV_FAULT_HOST, NV_FAULT_GR, NV_FAULT_CE };

struct nv_fault {
    enum nv_fault_unit unit_kind;
    uint32_t instance; /* number of the PBDMA, 0, or number of the copy engine */
    uint32_t channel_id;
    uint64_t address;
    enum nv_access_type access;
    bool physical; /* true if the address is physical and lies beyond its memory */
};

/* A unit of the machine, with the registers that the chip has. */
struct nv_fault_registers {
    struct machine *machine;
    struct nv_host *host;
    struct nv_mmu *mmu;
    uint32_t unit;
    struct mmio_window *pfb;              /* NULL on Turing and later */
    struct mmio_window *virtual_function; /* NULL before Turing */
};

/* Adds the unit, with its register windows. */
void nv_fault_wire(struct nv_fault_registers *faults, struct nv_host *host, struct nv_mmu *mmu);
/* Reports an access that failed: logs it for `unit` and reports it to software.  The caller stops
 * the channel. */
void nv_fault_raise(struct nv_fault_registers *faults, uint32_t unit, const struct nv_fault *fault);
/* Returns the MMU's number of a unit that makes accesses (NV_PFAULT_MMU_ENG_ID). */
uint32_t nv_fault_engine_id(const struct nv_fault_registers *faults, enum nv_fault_unit unit_kind,
                            uint32_t instance);

#endif
