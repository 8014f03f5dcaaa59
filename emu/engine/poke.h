/* SPDX-License-Identifier: MIT */
/*
 * Pokes: register writes that the user inserts into a run at given times, like writes to the files
 * of a debugging module while the program runs.
 *
 *     TIME ASSIGNMENT      2ms NV_PFIFO_SCHED_DISABLE = 1      (emu/engine/reg_assign.h)
 *     TIME VERB ID         2ms disable_channel 5               (the vendor's: struct poke_verb)
 *     TIME VERB R:ID       the same on runlist R, where each runlist has its own ids
 *
 * TIME has its unit (2ms, 1.5us, 700ps).  An assignment to one field reads the register first.
 * Pokes are a unit of the machine, the last in rank.  At equal times they come after everything
 * else, and among themselves in the order in which they were given.  Each poke is logged (POKE),
 * and so is each write that it makes (MMIO_WRITE, origin POKE).  The number of pokes done lies in
 * the arena; the texts are part of the run's identity.
 */
#ifndef GFE_EMU_ENGINE_POKE_H
#define GFE_EMU_ENGINE_POKE_H

#include "emu/engine/machine.h"
#include "emu/engine/reg_assign.h"

enum { POKES_MAX = 4096, POKE_VERBS_MAX = 32 };
#define POKE_NO_RUNLIST UINT32_MAX

struct pokes;

/* The object of a verb. */
struct poke_target {
    uint32_t runlist_id; /* POKE_NO_RUNLIST means that the text names no runlist */
    uint32_t id;
};

struct poke_verb {
    const char *name;
    const char *argument; /* meaning of ID: CHANNEL, TSG, RUNLIST */
    const char *doc;
    /* Checks that this machine can do it.  Returns false with a message. */
    bool (*check)(const struct machine *machine, const struct poke_target *target,
                  struct reg_assign_message *message);
    /* Does it.  Uses only poke_read32(), poke_write32() and reads of memory. */
    void (*run)(const struct pokes *pokes, const struct poke_target *target);
};

struct poke {
    gfe_ps at_ps;
    const struct poke_verb *verb; /* NULL means the assignment */
    uint32_t verb_number;         /* from 1, for the log; 0 without a verb */
    struct poke_target target;
    struct reg_assign assign;
};

GFE_STATE_BEGIN
struct poke_state {
    uint32_t next; /* next of the pokes, ordered by time */
    uint32_t reserved;
};
GFE_STATE_END

struct pokes {
    struct machine *machine;
    uint32_t unit, count;
    struct poke *by_time;
    uint32_t *index; /* position of by_time[i] in the order given */
    struct poke_state *state;
};

/* Parses one poke for a machine whose GPU is wired.  Returns false with a message. */
bool poke_parse(const struct machine *machine, const struct poke_verb *verbs, uint32_t verb_count,
                const char *text, struct poke *poke, struct reg_assign_message *message);
/* Adds the pokes to a machine that is being wired, after all other units.  Returns NULL with a
 * message that quotes the wrong text. */
struct pokes *pokes_new(struct machine *machine, const struct poke_verb *verbs, uint32_t verb_count,
                        const char *const *texts, uint32_t count, struct gfe_error *error);
void pokes_free(struct pokes *pokes);
/* Access registers like a CPU, for verbs; writes are logged. */
uint32_t poke_read32(const struct pokes *pokes, uint32_t offset);
void poke_write32(const struct pokes *pokes, uint32_t offset, uint32_t value);

#endif
