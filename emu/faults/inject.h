/* SPDX-License-Identifier: MIT */
/*
 * Injected faults: errors in the emulated hardware, with their place (site), kind (model), and time
 * (trigger).
 *
 * A site is a place where an error can happen.  Most sites are passages: a doorbell, a GP entry on
 * its way from memory into a PBDMA, a semaphore release, an interrupt.  Data in a passage may be
 * changed, lost, doubled or late.  The unit that models the passage calls machine_inject() and
 * follows its answer.  Other sites are state: a bit of memory, of a register, of a translation.
 * State is changed between two events.  Sites of all vendors are rows (struct inject_site); gfe
 * inject --list prints them.
 *
 * Models are those of the dependability literature (bit flip, stuck-at, loss, omission, timing), at
 * the level of the front end's data; how a particle or an aged transistor causes one is not
 * modelled.  A fault acts once, unless it is stuck or is set to act more often.  It has acted (it
 * is activated) when it has changed a value or an order.  A fault that writes the value that is
 * there already has had its turn, but has not acted.
 *
 * The progress of a fault lies in the arena.  Its description (struct inject_fault) is constant for
 * a run; inject_arm() passes it to the machine between two events.  A machine without an injector
 * pays one test of a pointer at each passage.
 *
 * Text of a fault (inject_parse()):
 *     SITE[.FIELD][:SUBJECT] MODEL[=ARGUMENT] [@TRIGGER]
 *     doorbell:3 drop @#2                        the second doorbell of channel 3 is lost
 *     gp_entry.length:1 flip=0 @#7               lowest bit of the seventh GP entry's LENGTH
 *     release value=0x5 @2ms                     the first release from 2 ms on has that payload
 *     register:NV_PFIFO_INTR_EN_0 stuck0 @1ms
 *     memory:vid:0x12340 flip=3,17 @NV_GP_FETCH#4      before the event after the fourth such one
 *     mapping:1:0x100000 unmap                   a page of address space 1, from the start
 *     signal drop @random=7                      one of the passages, each as likely
 *     release drop @channel_ram.on_pbdma:2==1    the first release while that holds
 * Faults that act together in one run may stand in one text, with "; " between them.
 */
#ifndef GFE_EMU_FAULTS_INJECT_H
#define GFE_EMU_FAULTS_INJECT_H

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
    INJECT_AT_TIME,    /* before the first event at or after it; the first passage from then on */
    INJECT_AT_PASSAGE, /* the subject's n-th passage, from 1, since the fault was armed */
    INJECT_AT_EVENT,   /* after the n-th event of a kind in the log, from 1, since then */
    INJECT_AT_VALUE,   /* when a register, a vendor's state, or a field, first has a value after an
                          event */
    INJECT_AT_RANDOM,  /* by a seed, which `count` holds; never acts before inject_draw() */
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
    uint32_t bit_low, bit_count;                /* of the field in the passage, or of the word */
    uint32_t bits[INJECT_BITS_MAX], bits_given; /* from bit 0 of the passage */
    uint64_t value; /* INJECT_VALUE, DELAY (ps), DROP (how often), WRONG_PAGE (pages) */
    struct inject_trigger trigger;
    /* For sites that are state: */
    uint32_t aperture; /* memory by physical address; or MEMORY_APERTURE_COUNT and: */
    uint32_t space_id;
    uint64_t address;
    uint32_t reg_offset, reg_bank; /* reg_bank INJECT_NO_BANK: the bank that the window shows */
};

/* Parses a fault for a machine that is wired; names of registers and event kinds are looked up in
 * it. Returns false with a message that says what is wrong, without file or text. */
bool inject_parse(const struct machine *machine, const struct inject_sites *sites, const char *text,
                  struct inject_fault *fault, struct gfe_error *error);
/* Parses a text of several faults, and adds them after the *count faults that are there.  There is
 * room for `room` more.  The message quotes the fault that is wrong. */
bool inject_parse_set(const struct machine *machine, const struct inject_sites *sites,
                      const char *text, struct inject_fault *faults, uint32_t *count, uint32_t room,
                      struct gfe_error *error);
/* Gives a fault with a random trigger the trigger that its seed draws: one of `passed` passages, or
 * for state a time before end_ps.  The fault's text then has that trigger, and can be used again.
 * Faults with other triggers are unchanged.  Returns false if there is no passage. */
bool inject_draw(const struct inject_sites *sites, struct inject_fault *fault, uint64_t passed,
                 gfe_ps end_ps);
/* Return the row of a site by its number, and the number of a site by its name.  UINT32_MAX means
 * that there is no such site. */
const struct inject_site *inject_site(const struct inject_sites *sites, uint32_t site);
uint32_t inject_site_by_name(const struct inject_sites *sites, const char *name);
const char *inject_model_name(enum inject_model model);
/* Returns the fields of a site on a machine, up to a row without a name.  NULL means that there are
 * none. */
const struct inject_field *inject_fields(const struct inject_site *site,
                                         const struct machine *machine);

/* ---- in a machine ---------------------------------------------------------------------------- */

GFE_STATE_BEGIN
/* The progress of a fault. */
struct inject_fault_state {
    uint64_t passed; /* passages of its subject since it was armed */
    uint64_t acted;  /* how often it has acted, that is, changed a value or an order */
    gfe_ps first_ps; /* when it first acted */
    uint64_t old_value,
        new_value;      /* of the first 8 bytes that it changed first, from bit_low's byte on */
    uint64_t subject;   /* the subject that it first acted on */
    uint64_t events;    /* events of the kind of its trigger */
    uint32_t is_on;     /* its trigger has come */
    uint32_t is_futile; /* its turn has come, and it changed nothing */
    uint32_t is_holding;
    uint32_t reserved;
    uint64_t held_subject;
    uint32_t held_unit;
    uint32_t held_bytes;
    uint8_t held[INJECT_HELD_MAX];
};

struct inject_state {
    uint32_t delivering; /* 1: the passage was held back before, and now goes on unchanged */
    uint32_t again;      /* 1: the passage is to be repeated at once */
    struct inject_fault_state faults[INJECT_FAULTS_MAX];
};
GFE_STATE_END

/* Callbacks in a run without faults: for each passage with its contents, and for each event that is
 * logged.  Either may be NULL. */
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
    void *observer; /* emu/faults/outcome.h; may be NULL */
    struct inject_ear ear;
};

/* Arms these faults, which are copied, in place of all others.  None of them has acted yet.  Call
 * it between two events. */
void inject_arm(struct inject *inject, const struct inject_fault *faults, uint32_t count);
/* Returns true if no fault will ever act again.  The machine then goes on as it would without
 * faults from its present state. */
bool inject_spent(const struct inject *inject);

/* Returns true if the fault would change these contents of a passage. */
bool inject_would_change(const struct inject_fault *fault, const void *data, size_t bytes);

#endif
