/* SPDX-License-Identifier: MIT */
/*
 * Injected faults: what goes wrong in the emulated hardware, where (site), how (model), and when
 * (trigger).
 *
 * A site is a place where something can go wrong.  Most are passages: what goes through there - a
 * doorbell, a GP entry on its way from memory into a PBDMA, a semaphore release, an interrupt - may
 * be changed, lost, doubled or late.  The unit that models the passage calls machine_inject() and
 * does what it says.  Others are state: a bit of memory, of a register, of a translation; those are
 * changed between two events.  Sites of all vendors are rows (struct inject_site); gfe inject
 * --list prints them.
 *
 * Models are those of the dependability literature (bit flip, stuck-at, loss, omission, timing), at
 * the level of what the front end hands on; how a particle or an aged transistor causes one is not
 * modelled.  A fault acts once, unless it is stuck or told to act more often.  It has acted (it is
 * activated) when something has become other than it would have been: what writes the value that is
 * there already has had its turn, and has not.
 *
 * How far a fault has come lies in the arena; what it is (struct inject_fault) is constant for a
 * run and is given to the machine by inject_arm(), between two events.  A machine without an
 * injector pays one test of a pointer at each passage.
 *
 * Text of a fault (inject_parse()):
 *     SITE[.FIELD][:SUBJECT] MODEL[=ARGUMENT] [@TRIGGER]
 *     doorbell:3 drop @#2                        the second doorbell of channel 3 is lost
 *     gp_entry.length:1 flip=0 @#7               lowest bit of the seventh GP entry's LENGTH
 *     release value=0x5 @2ms                     the first release from 2 ms on has that payload
 *     register:NV_PFIFO_INTR_EN_0 stuck0 @1ms
 *     memory:vid:0x12340 flip=3,17 @NV_GP_FETCH#4      before the event after the fourth such one
 *     mapping:1:0x100000 unmap                   a page of address space 1, from the start
 *     signal drop @random=7                      one of those that pass, each as likely
 *     release drop @channel_ram.on_pbdma:2==1    the first while that is so
 * Faults that act together in one run may stand in one text, with "; " between them.
 */
#ifndef GFE_EMU_INJECT_H
#define GFE_EMU_INJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"
#include "emu/engine/machine.h"
#include "emu/engine/passage.h"

enum {
    INJECT_FAULTS_MAX = 8, /* of one run */
    INJECT_BITS_MAX = 16,  /* that one fault flips */
    INJECT_TEXT_MAX = 256,
    INJECT_SET_MAX = INJECT_FAULTS_MAX * (INJECT_TEXT_MAX + 2), /* a text of several */
};
#define INJECT_ANY UINT64_MAX /* every subject */

enum inject_when {
    INJECT_AT_TIME, /* before the first event at or after it; a passage: the first from then on */
    INJECT_AT_PASSAGE, /* the n-th, from 1, of the subject's, since the fault was armed */
    INJECT_AT_EVENT,   /* behind the n-th event of a kind in the log; likewise */
    INJECT_AT_VALUE,   /* when a register, a vendor's state, or a field, first has a value after an
                          event */
    INJECT_AT_RANDOM,  /* by a seed, which stands in count; never acts before inject_draw() */
};

struct inject_trigger {
    enum inject_when when;
    gfe_ps time_ps;
    uint64_t count;      /* INJECT_AT_PASSAGE, INJECT_AT_EVENT */
    uint32_t event_kind; /* INJECT_AT_EVENT: its number */
    /* INJECT_AT_VALUE: of INJECT_SITE_REGISTER, or the reg_offset-th word of a vendor's state. */
    uint32_t site, reg_bank;
    uint64_t subject;
    uint32_t reg_offset, reg_mask, reg_value;
};

struct inject_fault {
    char text[INJECT_TEXT_MAX]; /* as it was given */
    uint32_t site;
    enum inject_model model;
    uint64_t subject;                           /* or INJECT_ANY */
    uint32_t bit_low, bit_count;                /* of the field in what passes, or of the word */
    uint32_t bits[INJECT_BITS_MAX], bits_given; /* from bit 0 of what passes */
    uint64_t value; /* INJECT_VALUE, DELAY (ps), DROP (how often), WRONG_PAGE (pages) */
    struct inject_trigger trigger;
    /* Of state: */
    uint32_t aperture; /* memory by physical address; or MEMORY_APERTURE_COUNT and */
    uint32_t space_id;
    uint64_t address;
    uint32_t reg_offset, reg_bank; /* reg_bank: INJECT_NO_BANK: what the window shows */
};

/* Parses a fault for a machine that is wired (names of registers and event kinds are looked up in
 * it).  False with a message that says what was wrong, without file or text. */
bool inject_parse(const struct machine *machine, const struct inject_sites *sites, const char *text,
                  struct inject_fault *fault, struct gfe_error *error);
/* The same of a text of several, of which there is room for `room` more behind *count: adds them to
 * it. The message quotes the one that is wrong. */
bool inject_parse_set(const struct machine *machine, const struct inject_sites *sites,
                      const char *text, struct inject_fault *faults, uint32_t *count, uint32_t room,
                      struct gfe_error *error);
/* Gives a fault with a random trigger the one that its seed draws: of `passed` passages, or of
 * state a time before end_ps; its text then says which, and can be given again.  Others stay.
 * False: nothing passes. */
bool inject_draw(const struct inject_sites *sites, struct inject_fault *fault, uint64_t passed,
                 gfe_ps end_ps);
/* The row of a site by number; by name UINT32_MAX when there is none. */
const struct inject_site *inject_site(const struct inject_sites *sites, uint32_t site);
uint32_t inject_site_by_name(const struct inject_sites *sites, const char *name);
const char *inject_model_name(enum inject_model model);
/* The fields of a site on a machine; NULL, or up to a row without a name. */
const struct inject_field *inject_fields(const struct inject_site *site,
                                         const struct machine *machine);

/* ---- in a machine ---------------------------------------------------------------------------- */

GFE_STATE_BEGIN
/* How far a fault has come. */
struct inject_fault_state {
    uint64_t passed; /* of its subject since it was armed */
    uint64_t acted;  /* how often it has acted: made something other than it would have been */
    gfe_ps first_ps; /* when it first did */
    uint64_t old_value,
        new_value;      /* of the first 8 bytes that it changed first, from bit_low's byte on */
    uint64_t subject;   /* whose it was then */
    uint64_t events;    /* of the kind of its trigger */
    uint32_t is_on;     /* its trigger has come */
    uint32_t is_futile; /* its turn has come, and all was as it would have made it */
    uint32_t is_holding;
    uint32_t reserved;
    uint64_t held_subject;
    uint32_t held_unit;
    uint32_t held_bytes;
    uint8_t held[INJECT_HELD_MAX];
};

struct inject_state {
    uint32_t delivering; /* 1: what passes has been held, and passes untouched */
    uint32_t again;      /* 1: what has passed is to come once more, at once */
    struct inject_fault_state faults[INJECT_FAULTS_MAX];
};
GFE_STATE_END

/* Who is told what passes, as it is without a fault, and what is logged, in a run without faults;
 * either may be NULL. */
struct inject_ear {
    void *context;
    void (*passed)(void *context, uint32_t site, uint64_t subject, const void *data, size_t bytes);
    void (*logged)(void *context, uint32_t kind);
};

struct inject {
    struct machine *machine;
    struct inject_sites sites;
    uint32_t unit;
    struct inject_fault faults[INJECT_FAULTS_MAX]; /* not state: constant while a run lasts */
    uint32_t fault_count;
    struct inject_state *state;
    void *observer; /* emu/faults/outcome.h; NULL: nobody observes */
    struct inject_ear ear;
};

/* Between two events: from now on these faults, copied, and no others; none of them has acted. */
void inject_arm(struct inject *inject, const struct inject_fault *faults, uint32_t count);
/* Has every fault done all that it will ever do?  Then the machine goes on as it would from its
 * state. */
bool inject_spent(const struct inject *inject);

/* Would these contents of a passage be others with the fault? */
bool inject_would_change(const struct inject_fault *fault, const void *data, size_t bytes);

#endif
