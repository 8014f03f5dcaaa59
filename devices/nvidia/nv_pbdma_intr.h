/* SPDX-License-Identifier: MIT */
/*
 * The interrupts of a PBDMA: which bits of INTR_0 and INTR_1 there are on which generation, what
 * freezes and what does not, and a way to raise those that nothing here gives cause for.
 *
 * A bit of INTR_0 is numbered 0 to 31 here and in events, one of INTR_1 NV_PBDMA_INTR_1 + 0 to 31.
 *
 *   bits 0 to 12, 22   up to Turing (8, LBREQ: to Pascal)
 *   bit 20             up to Pascal XBARCONNECT; Volta and Turing CLEAR_FAULTED_ERROR
 *   bit 24 ENG_RESET   from Volta on, as is CTXNOTVALID of INTR_1
 *   bit 28             Pascal's Tegra (GP10B): SYNCPOINT_ILLEGAL
 *   bit 29 NO_CTXSW_SEG  up to Pascal
 *   the others         always
 *
 * Sources: open-gpu-doc gv100, tu104 and ga100 dev_pbdma.ref.txt (INTR_0, INTR_1, INTR_STALL);
 * nvgpu hw_pbdma_gk20a.h, gm20b, gp10b, gp106 @6ecfb593 for Kepler to Pascal.  nvgpu's headers for
 * Volta and Turing still name bit 29; the manuals do not, and it is left out there.
 *
 * An interrupt whose bit of INTR_STALL or INTR_STALL_1 is 1 when it is raised freezes the PBDMA,
 * and keeps its channel from being saved, until software clears the bit.  The registers are there
 * up to Turing; from Ampere on all interrupts stall.  ASSUMED, as the manual has them for
 * verification only and does not say what follows: with 0 a method that Host cannot execute is
 * dropped, a GP entry or check that failed is passed over, an instruction that means nothing is
 * taken for one of no methods, a missed deadline lets the acquire go on; and GPFIFO, GPPTR, PBPTR,
 * SIGNATURE and what is unrecoverable hold the PBDMA all the same, because there is nothing it
 * could go on with.  So does CTXNOTVALID, of which the manual says that the behaviour is undefined.
 *
 * What raises them: nv_pbdma_fetch.c GPFIFO and GPPTR, nv_pbdma_entry.c GPENTRY, GPCRC, PBCRC and
 * PBSEG, nv_pbdma_check.c PBPTR, SIGNATURE and CTXNOTVALID, nv_pbdma_method.c PBENTRY, DEVICE,
 * CTXNOTVALID and (asking nv_ce.c) HCE_*, nv_pbdma_host.c METHOD and METHODCRC,
 * nv_pbdma_semaphore.c SEMAPHORE and ACQUIRE, nv_pbdma_faulted.c CLEAR_FAULTED_ERROR, a write of a
 * register PRI, nv_engine.c ENG_RESET (which can be injected, too).  The others have no cause here,
 * and can be injected.
 *
 * ENG_RESET: an engine of the runlist whose channel is on the PBDMA goes into reset, or is still in
 * reset when the PBDMA would go on behind an interrupt; one that is frozen when the reset comes
 * does not raise it.  Software takes the engine out of reset, clears the bit, and ends the TSG.  If
 * it does not, the channel goes on where it was, without what the engine had of it (ASSUMED).
 */
#ifndef GFE_DEVICES_NVIDIA_NV_PBDMA_INTR_H
#define GFE_DEVICES_NVIDIA_NV_PBDMA_INTR_H

#include <stdbool.h>
#include <stdint.h>

struct nv_engine;
struct nv_host;
struct nv_pbdma;

enum { NV_PBDMA_INTR_1 = 32, NV_PBDMA_INTRS = 64 };

/* When an injected interrupt is raised. */
enum nv_pbdma_inject {
    NV_PBDMA_INJECT_NEVER, /* it has causes of its own */
    NV_PBDMA_INJECT_NOW,   /* what is injected is an answer that nobody asked for, or an event */
    NV_PBDMA_INJECT_FETCH, /* the next read of GP entries or segments gets no answer */
    NV_PBDMA_INJECT_SEMAPHORE, /* the next access to a semaphore */
    NV_PBDMA_INJECT_FB_FLUSH,  /* the next FB_FLUSH method */
    NV_PBDMA_INJECT_MEM_OP,    /* the next memory operation */
    NV_PBDMA_INJECT_ENGINE,    /* the next method to an engine */
};

struct nv_pbdma_intr {
    const char *name;     /* behind NV_PPBDMA_INTR_0_ or _1_; NULL: there is no such bit */
    uint32_t generations; /* enum nv_generations */
    uint8_t inject;       /* enum nv_pbdma_inject */
    bool holds;           /* freezes whatever INTR_STALL says */
    bool unrecoverable;   /* clearing the bit does not help: the channel stops */
};

/* The bit of a generation (one bit of enum nv_generations).  NULL: it has none. */
const struct nv_pbdma_intr *nv_pbdma_intr_of(uint32_t generation, uint32_t intr_bit);
/* The bits that the chip's INTR_0 (first 0) or INTR_1 (first NV_PBDMA_INTR_1) has. */
uint32_t nv_pbdma_intr_bits(const struct nv_host *host, uint32_t first);

/* Raises the interrupt: logs it, and freezes unless it does not stall; then METHOD0 is dropped and
 * processing goes on behind it.  An interrupt that the generation lacks is never raised. */
void nv_pbdma_interrupt(struct nv_pbdma *pbdma, uint32_t intr_bit);
/* ... when a missed deadline raises it.  False: it does not stall, the acquire goes on waiting. */
bool nv_pbdma_interrupt_acquire(struct nv_pbdma *pbdma);

/*
 * Fault injection: makes the PBDMA raise an interrupt for which nothing in the model is a cause.
 * Nothing calls it in a normal run.  Those of enum nv_pbdma_inject NOW are raised at once, while a
 * channel is on the PBDMA and no interrupt freezes it; the others wait for the next request of
 * their kind, which then gets no answer, and are raised when TIMEOUT (microseconds) has passed.
 * Logged as NV_PBDMA_INJECT.  An injection whose request comes never is never raised; one whose
 * channel leaves before the time is over is forgotten.
 *
 * The timeouts and extra answers of memory and latency buffer, bits 0 to 12 and XBARCONNECT, are
 * unrecoverable (dev_pbdma): when software clears the bit, the channel stops (NV_CHANNEL_STOP) and
 * keeps the PBDMA until it is preempted; it is not saved (ASSUMED).  After ENG_RESET, and after
 * SYNCPOINT_ILLEGAL and NO_CTXSW_SEG, whose cause is not published, processing goes on.
 *
 * False, and nothing done: the chip has no such bit, it has causes of its own, no channel is on the
 * PBDMA, or it is frozen ("halted") and the interrupt would be raised at once.
 */
bool nv_pbdma_inject(struct nv_pbdma *pbdma, uint32_t intr_bit);
/* True if an injection has taken away the answer to a request of that kind, which begins now: the
 * caller does not go on.  METHOD0 waits where it is one of methods. */
bool nv_pbdma_lost(struct nv_pbdma *pbdma, enum nv_pbdma_inject kind);
/* An injection waits for a request of that kind. */
bool nv_pbdma_will_lose(const struct nv_pbdma *pbdma, enum nv_pbdma_inject kind);
/* The event of the timeout of a request that got no answer. */
void nv_pbdma_lost_timeout(struct nv_pbdma *pbdma);
/* Software has cleared the bit of an unrecoverable interrupt. */
void nv_pbdma_give_up(struct nv_pbdma *pbdma);

/* An engine goes into reset; software has cleared a bit, and the PBDMA may go on. */
void nv_pbdma_engine_reset(struct nv_pbdma *pbdma, const struct nv_engine *engine);
void nv_pbdma_goes_on(struct nv_pbdma *pbdma);
/* Software has written INTR_EN, INTR_STALL or an enable of a tree: bits that the chip lacks read
 * as zero.  `offset` is the register's. */
void nv_pbdma_intr_mask(struct nv_pbdma *pbdma, uint32_t offset);
/* After the wiring: what INTR_STALL is after a reset. */
void nv_pbdma_intr_reset(struct nv_pbdma *pbdma);

#endif
