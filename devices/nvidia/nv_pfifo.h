/* SPDX-License-Identifier: MIT */
/*
 * PFIFO, up to Turing: the registers with which software submits runlists, preempts, and sees the
 * state of each PBDMA and engine, and with which Host interrupts software.
 *
 * INTR_0 has bits of two kinds.  Errors, CHANNEL_INTR and TSG_PREEMPT_COMPLETE are set by events
 * and cleared by writing ones.  The others only show that another register is not zero, and clear
 * when that register does.  These are PBDMA_INTR (the PBDMAs' own registers), RUNLIST_EVENT
 * (INTR_RUNLIST), and MMU_FAULT (INTR_MMU_FAULT_ID, up to Pascal).  On Turing CTXSW_TIMEOUT
 * (INTR_CTXSW_TIMEOUT) and the four of an idle runlist join them, each with enables of its own for
 * each runlist.  A bit that is enabled in INTR_EN_0 raises the line.  Described in open-gpu-doc
 * gv100 and tu104 dev_fifo.ref.txt; for Kepler to Pascal, nvgpu hw_fifo_gp106.h, hw_fifo_gp10b.h
 * and nouveau gf100.c, gk104.c.  From Ampere on each runlist has such registers of its own:
 * nv_runlist_regs.h.
 *
 * A context switch that takes longer than ENG_TIMEOUT raises SCHED_ERROR with CTXSW_TIMEOUT.  On
 * Turing it raises INTR_CTXSW_TIMEOUT, with the phase of the switch in INTR_CTXSW_TIMEOUT_INFO. The
 * switch continues.
 *
 * Up to Pascal TRIGGER_MMU_FAULT, one register for each engine, raises a fault of the context on
 * that engine.  Its runlist then stands still until ERROR_SCHED_DISABLE is cleared.  The register
 * has no effect while SCHED_ERROR is pending (nouveau gf100.c, gk104.c; the rest is ASSUMED: the
 * fault's address is 0).  Faults of other causes stop only their channel.
 *
 * INFERRED: a runlist's enables let INTR_0 show its bit, not INTR_RUNLIST_IDLE.
 *
 * Not modelled: strengths of semaphore accesses (CONFIG), PB_TIMESLICE and clock gating (writes are
 * reported); INTR_EN_1 and INTR_STALL (there is one line to the CPU; writes are reported);
 * CHSW_ERROR, LB_ERROR, MEMOP_TIMEOUT and the memory-system codes of SCHED_ERROR (nothing here
 * takes that long); ENG_RELOAD (no manual says when it is set); the timer of USERD_WRITEBACK
 * (GP_GET is written with each entry, the others when the channel is saved, and writes are
 * reported); NEXT_ID of a PBDMA that is not loading.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PFIFO_H
#define GFE_DEVICES_NVIDIA_NV_PFIFO_H

#include "devices/nvidia/nv_runlist.h"

struct nv_engine;
struct nv_host;

/* Adds PFIFO's and CCSR's windows to Host's unit. */
void nv_pfifo_wire(struct nv_host *host);
/* Returns what a register reads.  `offset` counts bytes from NV_PFIFO_BASE; `stored` is the stored
 * word. */
uint32_t nv_pfifo_read(const struct nv_host *host, uint32_t offset, uint32_t stored);
/* Handles a write to a register, after the store; `old` is the word stored before. */
void nv_pfifo_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written);
/* Returns true if an interrupt is pending that INTR_EN_0 lets through. */
bool nv_pfifo_pending(const struct nv_host *host);
/* Returns true if BAR1_BASE has VALID: USERD is snooped there (up to Pascal). */
bool nv_pfifo_has_bar1(const struct nv_host *host);
/* Sets bits of INTR_0 and raises the line. */
void nv_pfifo_interrupt(struct nv_host *host, uint32_t intr_0_bits);
/* Updates INTR_0 after a PBDMA's interrupts have changed. */
void nv_pfifo_pbdmas_changed(struct nv_host *host);
/* Raises BIND_ERROR (EVENT_NV_BIND_ERROR) or SCHED_ERROR (EVENT_NV_SCHED_ERROR) with that code.
 * `id` is the channel or runlist, for the log. */
void nv_pfifo_error(struct nv_host *host, uint32_t event, uint32_t id, uint32_t code);
/* Does the work of nv_host_runlist_event() in these generations. */
void nv_pfifo_runlist_event(struct nv_host *host, uint32_t runlist_id,
                            enum nv_runlist_notice notice, uint32_t code);
/* Returns the time limit of a context switch; `GFE_PS_NEVER` means no limit. */
gfe_ps nv_pfifo_ctxsw_timeout_ps(const struct nv_host *host);
/* Reports that the current switch on that engine has reached the limit. */
void nv_pfifo_ctxsw_timeout(struct nv_host *host, const struct nv_engine *engine);
/* Reports that a reset of the engine has ended that switch. */
void nv_pfifo_ctxsw_reset(struct nv_host *host, const struct nv_engine *engine);

#endif
