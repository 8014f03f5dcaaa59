/* SPDX-License-Identifier: MIT */
/*
 * Pokes: register writes that the user puts into a run at given times, as somebody does who writes
 * to the files of a debugging module while the program runs.
 *
 *     TIME ASSIGNMENT      2ms NV_PFIFO_SCHED_DISABLE = 1      (emu/engine/reg_assign.h)
 *     TIME VERB ID         2ms disable_channel 5               (the vendor's: struct poke_verb)
 *     TIME VERB R:ID       the same where ids count per runlist: of runlist R
 *
 * TIME has its unit (2ms, 1.5us, 700ps).  An assignment to one field reads the register first.
 * Pokes are a unit of the machine, the last in rank: at equal times they come behind everything
 * else, and among themselves in the order in which they were given.  Each is logged (POKE), and so
 * is each write that it makes (MMIO_WRITE, origin POKE).  How far they are lies in the arena; the
 * texts are part of the run's identity.
 */
#ifndef GFE_EMU_POKE_H
#define GFE_EMU_POKE_H

#include "emu/engine/machine.h"
#include "emu/engine/reg_assign.h"

enum { POKES_MAX = 4096, POKE_VERBS_MAX = 32 };
#define POKE_NO_RUNLIST UINT32_MAX

struct pokes;

/* What a verb is to be done to. */
struct poke_target {
    uint32_t runlist_id; /* POKE_NO_RUNLIST: the text names none */
    uint32_t id;
};

struct poke_verb {
    const char *name;
    const char *argument; /* what ID is: CHANNEL, TSG, RUNLIST */
    const char *doc;
    /* Can it be done on this machine?  False with a message. */
    bool (*check)(const struct machine *machine, const struct poke_target *target,
                  struct reg_assign_message *message);
    /* Does it, by poke_read32() and poke_write32() and reads of memory alone. */
    void (*run)(const struct pokes *pokes, const struct poke_target *target);
};

struct poke {
    gfe_ps at_ps;
    const struct poke_verb *verb; /* NULL: the assignment */
    uint32_t verb_number;         /* from 1, for the log; 0 without */
    struct poke_target target;
    struct reg_assign assign;
};

GFE_STATE_BEGIN
struct poke_state {
    uint32_t next; /* of the pokes by time */
    uint32_t reserved;
};
GFE_STATE_END

struct pokes {
    struct machine *machine;
    uint32_t unit, count;
    struct poke *by_time;
    uint32_t *index; /* of by_time[i], in the order given */
    struct poke_state *state;
};

/* Parses one, for a machine whose GPU is wired.  False with a message. */
bool poke_parse(const struct machine *machine, const struct poke_verb *verbs, uint32_t verb_count,
                const char *text, struct poke *poke, struct reg_assign_message *message);
/* Joins a machine that is being wired, behind all other units.  NULL with a message that quotes the
 * text which is wrong. */
struct pokes *pokes_new(struct machine *machine, const struct poke_verb *verbs, uint32_t verb_count,
                        const char *const *texts, uint32_t count, struct gfe_error *error);
void pokes_free(struct pokes *pokes);
/* For verbs: register accesses as a CPU's; writes are logged. */
uint32_t poke_read32(const struct pokes *pokes, uint32_t offset);
void poke_write32(const struct pokes *pokes, uint32_t offset, uint32_t value);

#endif
