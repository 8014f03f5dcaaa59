/* SPDX-License-Identifier: MIT */
/*
 * The interrupts of a PBDMA: the bits of INTR_0 and INTR_1 in each generation, which of them freeze
 * the PBDMA, and a way to raise those that have no cause in the model.
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
 * nvgpu hw_pbdma_gk20a.h, gm20b, gp10b, gp106 @6ecfb593 for Kepler to Pascal. nvgpu's headers for
 * Volta and Turing still name bit 29; the manuals do not, and it is left out there.
 *
 * An interrupt whose bit of INTR_STALL or INTR_STALL_1 is 1 when it is raised freezes the PBDMA,
 * and keeps its channel from being saved, until software clears the bit.  These registers exist up
 * to Turing; from Ampere on all interrupts stall.  The manual has them for verification only and
 * does not describe the effect of 0.  ASSUMED: with 0 a method that Host cannot execute is dropped;
 * a GP entry or check that failed is skipped; an invalid instruction counts as one of no methods;
 * after a missed deadline the acquire continues.  GPFIFO, GPPTR, PBPTR, SIGNATURE and the
 * unrecoverable interrupts hold the PBDMA in any case, because there is nothing with which it could
 * continue.  So does CTXNOTVALID, for which the manual calls the behaviour undefined.
 *
 * Causes: nv_pbdma_fetch.c raises GPFIFO and GPPTR; nv_pbdma_entry.c GPENTRY, GPCRC, PBCRC and
 * PBSEG; nv_pbdma_check.c PBPTR, SIGNATURE and CTXNOTVALID; nv_pbdma_method.c PBENTRY, DEVICE,
 * CTXNOTVALID and (through nv_ce.c) HCE_*; nv_pbdma_host.c METHOD and METHODCRC;
 * nv_pbdma_semaphore.c SEMAPHORE and ACQUIRE; nv_pbdma_faulted.c CLEAR_FAULTED_ERROR; a write of a
 * register PRI; nv_engine.c ENG_RESET (which can be injected, too).  The others have no cause here,
 * and can be injected.
 *
 * ENG_RESET: raised when an engine of the runlist whose channel is on the PBDMA goes into reset, or
 * is still in reset when the PBDMA would continue after an interrupt.  A PBDMA that is frozen when
 * the reset comes does not raise it.  Software takes the engine out of reset, clears the bit, and
 * ends the TSG.  If it does not, the channel continues where it was, without the work that the
 * engine had (ASSUMED).
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
    NV_PBDMA_INJECT_NEVER,     /* it has causes of its own */
    NV_PBDMA_INJECT_NOW,       /* the injected interrupt is an unrequested answer, or an event */
    NV_PBDMA_INJECT_FETCH,     /* the next read of GP entries or segments gets no answer */
    NV_PBDMA_INJECT_SEMAPHORE, /* the next access to a semaphore */
    NV_PBDMA_INJECT_FB_FLUSH,  /* the next FB_FLUSH method */
    NV_PBDMA_INJECT_MEM_OP,    /* the next memory operation */
    NV_PBDMA_INJECT_ENGINE,    /* the next method to an engine */
};

struct nv_pbdma_intr {
    const char *name;     /* after NV_PPBDMA_INTR_0_ or _1_; NULL if there is no such bit */
    uint32_t generations; /* enum nv_generations */
    uint8_t inject;       /* enum nv_pbdma_inject */
    bool holds;           /* freezes the PBDMA whatever INTR_STALL is */
    bool unrecoverable;   /* clearing the bit does not help: the channel stops */
};

/* Returns the bit of a generation (one bit of enum nv_generations), or NULL if it has no such bit.
 */
const struct nv_pbdma_intr *nv_pbdma_intr_of(uint32_t generation, uint32_t intr_bit);
/* Returns the bits of the chip's INTR_0 (first 0) or INTR_1 (first NV_PBDMA_INTR_1). */
uint32_t nv_pbdma_intr_bits(const struct nv_host *host, uint32_t first);

/* Raises and logs the interrupt, and freezes the PBDMA.  If the interrupt does not stall, METHOD0
 * is dropped and processing continues after it.  An interrupt that the generation lacks is never
 * raised. */
void nv_pbdma_interrupt(struct nv_pbdma *pbdma, uint32_t intr_bit);
/* Raises the interrupt of a missed deadline.  Returns false if it does not stall; the acquire then
 * continues to wait. */
bool nv_pbdma_interrupt_acquire(struct nv_pbdma *pbdma);

/*
 * Makes the PBDMA raise an interrupt that has no cause in the model, for fault injection.  Nothing
 * calls it in a normal run.  Interrupts of enum nv_pbdma_inject NOW are raised at once, if a
 * channel is on the PBDMA and no interrupt freezes it.  The others wait for the next request of
 * their kind, which then gets no answer, and are raised after TIMEOUT (microseconds).  Logged as
 * NV_PBDMA_INJECT.  An injection whose request never comes is never raised.  One whose channel
 * leaves before the time is over is dropped.
 *
 * The timeouts and extra answers of memory and latency buffer, bits 0 to 12 and XBARCONNECT, are
 * unrecoverable (dev_pbdma).  When software clears the bit, the channel stops (NV_CHANNEL_STOP) and
 * keeps the PBDMA until it is preempted; it is not saved (ASSUMED).  After ENG_RESET, and after
 * SYNCPOINT_ILLEGAL and NO_CTXSW_SEG, whose cause is not published, processing continues.
 *
 * Returns false, with nothing done, if the chip has no such bit, if the bit has causes of its own,
 * or if no channel is on the PBDMA.  Also returns false if the PBDMA is frozen ("halted") and the
 * interrupt would be raised at once.
 */
bool nv_pbdma_inject(struct nv_pbdma *pbdma, uint32_t intr_bit);
/* Returns true if an injection has taken away the answer to a request of that kind, which begins
 * now.  The caller must not continue.  METHOD0 waits if the request belongs to a method. */
bool nv_pbdma_lost(struct nv_pbdma *pbdma, enum nv_pbdma_inject kind);
/* Returns true if an injection waits for a request of that kind. */
bool nv_pbdma_will_lose(const struct nv_pbdma *pbdma, enum nv_pbdma_inject kind);
/* Handles the timeout event of a request that got no answer. */
void nv_pbdma_lost_timeout(struct nv_pbdma *pbdma);
/* Stops the channel after software has cleared the bit of an unrecoverable interrupt. */
void nv_pbdma_give_up(struct nv_pbdma *pbdma);

/* Handle an engine that goes into reset; and a cleared bit, after which the PBDMA may continue. */
void nv_pbdma_engine_reset(struct nv_pbdma *pbdma, const struct nv_engine *engine);
void nv_pbdma_goes_on(struct nv_pbdma *pbdma);
/* Handles a write of software to INTR_EN, INTR_STALL or an enable of a tree: bits that the chip
 * lacks read as zero.  `offset` is the register's. */
void nv_pbdma_intr_mask(struct nv_pbdma *pbdma, uint32_t offset);
/* Sets INTR_STALL to its reset value, after the wiring. */
void nv_pbdma_intr_reset(struct nv_pbdma *pbdma);

#endif
