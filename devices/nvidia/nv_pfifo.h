/* SPDX-License-Identifier: MIT */
/*
 * PFIFO, up to Turing: the registers by which software submits runlists, preempts, sees what is on
 * each PBDMA and engine, and by which Host interrupts it.
 *
 * INTR_0 has bits of two kinds.  Errors, CHANNEL_INTR and TSG_PREEMPT_COMPLETE are set by what
 * happens and cleared by writing ones.  The others only show that a register behind them is not
 * zero, and go when that is cleared: PBDMA_INTR (the PBDMAs' own registers), RUNLIST_EVENT
 * (INTR_RUNLIST), MMU_FAULT (INTR_MMU_FAULT_ID, up to Pascal), and on Turing CTXSW_TIMEOUT
 * (INTR_CTXSW_TIMEOUT) and the four of an idle runlist, each with enables of its own by runlist.
 * What is enabled in INTR_EN_0 raises the line.  Described in open-gpu-doc gv100 and tu104
 * dev_fifo.ref.txt; of Kepler to Pascal, nvgpu hw_fifo_gp106.h, hw_fifo_gp10b.h and nouveau
 * gf100.c, gk104.c.  From Ampere on each runlist has such registers of its own: nv_runlist_regs.h.
 *
 * A context switch that takes longer than ENG_TIMEOUT says raises SCHED_ERROR with CTXSW_TIMEOUT,
 * on Turing INTR_CTXSW_TIMEOUT with what was going on in INTR_CTXSW_TIMEOUT_INFO; the switch goes
 * on.
 *
 * Up to Pascal TRIGGER_MMU_FAULT, one register for each engine, raises a fault of the context that
 * is on it, and its runlist stands still until ERROR_SCHED_DISABLE is cleared; nothing comes of it
 * while SCHED_ERROR is pending (nouveau gf100.c, gk104.c; the rest is ASSUMED: the fault's address
 * is 0).  Faults of other causes stop their channel alone.
 *
 * INFERRED: a runlist's enables let INTR_0 show its bit, not INTR_RUNLIST_IDLE.  Not modelled:
 * INTR_EN_1 and INTR_STALL (there is one line to the CPU; writes are reported), CHSW_ERROR,
 * LB_ERROR, MEMOP_TIMEOUT and the memory-system codes of SCHED_ERROR (nothing here takes that
 * long), ENG_RELOAD (no manual says when it is set), the timer of USERD_WRITEBACK (GP_GET is
 * written with each entry, the others when the channel is saved; writes are reported), NEXT_ID of a
 * PBDMA that is not loading.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PFIFO_H
#define GFE_DEVICES_NVIDIA_NV_PFIFO_H

#include "devices/nvidia/nv_runlist.h"

struct nv_engine;
struct nv_host;

/* Adds PFIFO's and CCSR's windows to Host's unit. */
void nv_pfifo_wire(struct nv_host *host);
/* A register: byte offset from NV_PFIFO_BASE, what is stored there. */
uint32_t nv_pfifo_read(const struct nv_host *host, uint32_t offset, uint32_t stored);
/* A write to one, behind the store; `old` is what was stored. */
void nv_pfifo_write(struct nv_host *host, uint32_t offset, uint32_t old, uint32_t written);
/* Something is pending that INTR_EN_0 lets through. */
bool nv_pfifo_pending(const struct nv_host *host);
/* BAR1_BASE has VALID: USERD is snooped there (up to Pascal). */
bool nv_pfifo_has_bar1(const struct nv_host *host);
/* Sets bits of INTR_0 and raises the line. */
void nv_pfifo_interrupt(struct nv_host *host, uint32_t intr_0_bits);
/* A PBDMA's interrupts have changed. */
void nv_pfifo_pbdmas_changed(struct nv_host *host);
/* BIND_ERROR (EVENT_NV_BIND_ERROR) or SCHED_ERROR (EVENT_NV_SCHED_ERROR) with that code; id: of the
 * channel or runlist, for the log. */
void nv_pfifo_error(struct nv_host *host, uint32_t event, uint32_t id, uint32_t code);
/* What nv_host_runlist_event() is here. */
void nv_pfifo_runlist_event(struct nv_host *host, uint32_t runlist_id,
                            enum nv_runlist_notice notice, uint32_t code);
/* How long a context switch may take; GFE_PS_NEVER: for ever. */
gfe_ps nv_pfifo_ctxsw_timeout_ps(const struct nv_host *host);
/* The switch under way on that engine has taken as long. */
void nv_pfifo_ctxsw_timeout(struct nv_host *host, const struct nv_engine *engine);
/* ... and a reset of the engine has ended it. */
void nv_pfifo_ctxsw_reset(struct nv_host *host, const struct nv_engine *engine);

#endif
