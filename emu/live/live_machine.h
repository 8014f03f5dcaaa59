/* SPDX-License-Identifier: MIT */
/*
 * The common part of machines below a running program (emu/live/live_kfd.h,
 * emu/live/live_nouveau.h): the log's head, faults, and time, which is the host's since the start
 * of the recording.
 */
#ifndef GFE_EMU_LIVE_LIVE_MACHINE_H
#define GFE_EMU_LIVE_LIVE_MACHINE_H

#include "emu/faults/inject.h"
#include "emu/engine/machine.h"

/* The longest wait of a thread for a call, even if the call takes longer. */
#define LIVE_TAKES_MAX_PS (20000 * GFE_PS_PER_US)

struct live_machine {
    struct machine *machine;
    struct inject *inject;
    uint32_t unit;                      /* the program's */
    uint64_t ahead_ps;                  /* how far the emulation's time is ahead of the host's */
    uint64_t takes_ps;                  /* the time that the last call should still take */
    bool is_over;                       /* the program has ended: it is told nothing any more */
    uint64_t acted[INJECT_FAULTS_MAX];  /* counts that are in the log */
    bool was_futile[INJECT_FAULTS_MAX]; /* in the log: its turn came, and it changed nothing */
};

/* Writes the head of the machine's log.  Returns false with a message on error. */
bool live_machine_head(struct live_machine *live, const char *driver_model,
                       struct gfe_error *error);
/* Arms faults by their texts.  Returns false with a message on error. */
bool live_machine_arm(struct live_machine *live, const struct inject_sites *sites,
                      const char *const *texts, uint32_t count, struct gfe_error *error);
/* Logs the faults that have acted since the last call.  A fault may end the program at once, so the
 * log is written into its file when a fault first acts. */
void live_machine_tell_faults(struct live_machine *live);

/* Returns the emulation's time at a host's time. */
gfe_ps live_machine_time(const struct live_machine *live, gfe_ps now_ps);
/* Does all work that is due by then.  `kind` is an event of the unit that has no effect.  Returns
 * the emulation's time. */
gfe_ps live_machine_advance(struct live_machine *live, gfe_ps now_ps, uint32_t kind);
/* Ends a call that began at `now_ps` and has ended by the emulation's time.  Sets takes_ps to the
 * thread's wait, and adds the rest of the call's time to ahead_ps. */
void live_machine_take(struct live_machine *live, gfe_ps now_ps);
/* Returns the host's time of the next work; `GFE_PS_NEVER` means that there is none. */
gfe_ps live_machine_next(const struct live_machine *live);
/* Handles one more event.  Returns false if there is none. */
bool live_machine_step(struct live_machine *live);
/* Logs the end, and what waits for ever.  If something is under way, the GPU goes on without the
 * program first (emu/live/live_rest.h), behind the event LIVE_END; if it does not come to rest,
 * nothing is said to wait. */
bool live_machine_end(struct live_machine *live, gfe_ps now_ps, uint32_t kind,
                      struct gfe_error *error);

#endif
