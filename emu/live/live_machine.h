/* SPDX-License-Identifier: MIT */
/*
 * What machines below a running program have in common (emu/live/live_kfd.h,
 * emu/live/live_nouveau.h): the log's head, faults, and time, which is the host's since the start
 * of the recording.
 */
#ifndef GFE_DEVICES_LIVE_MACHINE_H
#define GFE_DEVICES_LIVE_MACHINE_H

#include "emu/faults/inject.h"
#include "emu/engine/machine.h"

/* A call that would take longer has its thread wait for so long only. */
#define LIVE_TAKES_MAX_PS (20000 * GFE_PS_PER_US)

struct live_machine {
    struct machine *machine;
    struct inject *inject;
    uint32_t unit;                      /* the program's */
    uint64_t ahead_ps;                  /* of the emulation's time before the host's */
    uint64_t takes_ps;                  /* what the last call has yet to take */
    uint64_t acted[INJECT_FAULTS_MAX];  /* as the log has it */
    bool was_futile[INJECT_FAULTS_MAX]; /* likewise: its turn came, and it changed nothing */
};

/* The head of the machine's log; false with a message. */
bool live_machine_head(struct live_machine *live, const char *driver_model,
                       struct gfe_error *error);
/* Faults by their texts; false with a message. */
bool live_machine_arm(struct live_machine *live, const struct inject_sites *sites,
                      const char *const *texts, uint32_t count, struct gfe_error *error);
/* Which faults have acted since the log was told?  What a fault does may end the program at once:
 * when it first acts the log goes into its file. */
void live_machine_tell_faults(struct live_machine *live);

/* The emulation's time at one of the host's. */
gfe_ps live_machine_time(const struct live_machine *live, gfe_ps now_ps);
/* Everything that is due by then; the unit has an event of `kind`, of which nothing comes.  Returns
 * the emulation's time. */
gfe_ps live_machine_advance(struct live_machine *live, gfe_ps now_ps, uint32_t kind);
/* A call that began at `now_ps` has ended by the emulation's time: takes_ps, and what is left. */
void live_machine_take(struct live_machine *live, gfe_ps now_ps);
/* By the host's time, when something is next; GFE_PS_NEVER: nothing is. */
gfe_ps live_machine_next(const struct live_machine *live);
/* One event more; false when there is none. */
bool live_machine_step(struct live_machine *live);
/* What still waits goes into the log, and its end. */
bool live_machine_end(struct live_machine *live, gfe_ps now_ps, uint32_t kind,
                      struct gfe_error *error);

#endif
