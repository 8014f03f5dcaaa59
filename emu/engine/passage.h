/* SPDX-License-Identifier: MIT */
/*
 * Where faults can enter a machine: the hook that units call, and the rows that describe sites.
 *
 * A unit calls machine_inject() (machine.h) where data passes, and obeys the result.  What a fault
 * is, when it acts and what resulted is decided above the machine, in emu/faults/inject.h; that
 * unit also defines the functions below.  A machine without an injector pays one test of a pointer.
 */
#ifndef GFE_EMU_ENGINE_PASSAGE_H
#define GFE_EMU_ENGINE_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/engine/machine.h"

enum {
    INJECT_SITES_MAX = 96,
    INJECT_DATA_MAX = 4096, /* bytes that pass at a time */
    INJECT_HELD_MAX = 128,  /* bytes of data that can be late or come twice */
};

enum inject_model {
    INJECT_FLIP,       /* =BIT[,BIT...]: these bits are inverted */
    INJECT_STUCK_0,    /* =BIT[,BIT...] or all of the field: these bits are 0 from then on */
    INJECT_STUCK_1,    /* =BIT[,BIT...] or all of the field: these bits are 1 from then on */
    INJECT_VALUE,      /* =NUMBER: the field, or all of the data, has that value */
    INJECT_DROP,       /* [=COUNT|all]: it is lost, COUNT times */
    INJECT_DUPLICATE,  /* it comes twice */
    INJECT_DELAY,      /* =TIME: it comes later */
    INJECT_REORDER,    /* it comes after the next one */
    INJECT_SPURIOUS,   /* it comes without a cause */
    INJECT_UNMAP,      /* the page has no translation */
    INJECT_WRONG_PAGE, /* [=PAGES]: the translation names a page that many pages further on */
    INJECT_READ_ONLY,  /* writes are rejected */
    INJECT_MODELS,
};
#define INJECT_BIT(model) (UINT32_C(1) << (model))
#define INJECT_CHANGES                                                                             \
    (INJECT_BIT(INJECT_FLIP) | INJECT_BIT(INJECT_STUCK_0) | INJECT_BIT(INJECT_STUCK_1) |           \
     INJECT_BIT(INJECT_VALUE))

enum inject_place {
    INJECT_PASSAGE,
    INJECT_MEMORY,
    INJECT_REGISTER,
    INJECT_MAPPING,
    INJECT_VENDOR, /* state that only the vendor's row can reach */
};

/* Bits of what passes: bit 0 is the lowest of its first byte. */
struct inject_field {
    const char *name; /* NULL ends a list */
    uint32_t high, low;
};

struct inject_site {
    const char *name;
    /* of the hardware or its firmware; campaigns sum up by unit */
    const char *unit;
    uint32_t place;  /* enum inject_place */
    uint32_t models; /* INJECT_BIT() of each model that makes sense here */
    /* size of the data that passes; 0 if there are no contents */
    uint32_t bytes;
    const char *subject;               /* what SUBJECT names; NULL if the data has no subject */
    const char *doc;                   /* one line */
    const struct inject_field *fields; /* NULL if no field has a name */
    /* Returns the fields of a machine, if they differ by chip.  NULL means that `fields` holds for
     * all chips. */
    const struct inject_field *(*fields_of)(const struct machine *machine);
    /* Delivers held data as if it came now (INJECT_DUPLICATE, DELAY, REORDER, SPURIOUS).  NULL for
     * a site whose only model of these is DUPLICATE; its unit calls inject_comes_again() instead.
     */
    void (*deliver)(struct machine *machine, uint32_t unit, uint64_t subject, const void *data);
    /* For INJECT_VENDOR: read and write the index-th 32 bits of the subject's state. read_state()
     * returns false if there is no such subject at present.  Bits that cannot be written stay
     * unchanged. */
    bool (*read_state)(struct machine *machine, uint64_t subject, uint32_t index, uint32_t *word);
    void (*write_state)(struct machine *machine, uint64_t subject, uint32_t index, uint32_t word);
};

/* Numbers of sites: those of the engine first, then a vendor's. */
enum inject_emu_site {
    INJECT_SITE_MEMORY,
    INJECT_SITE_REGISTER,
    INJECT_SITE_MAPPING,
    INJECT_SITE_INTERRUPT,
    INJECT_SITE_VENDOR, /* the vendor's first site */
};
extern const struct inject_site inject_emu_sites[INJECT_SITE_VENDOR];

struct inject_sites {
    const struct inject_site *rows; /* rows of the vendor */
    uint32_t count;
    /* The thing that holds a program's work on the vendor's GPUs, as the rows' subjects name it:
     * "channel" or "queue".  It owns faults (outcome_owner()).  NULL if there is none. */
    const char *holder;
    /* Returns a number of the address space of a holder's work, the same for holders that share
     * one; 0 means that it has none now.  NULL if the driver's events name the process. */
    uint64_t (*space_of)(const struct machine *machine, uint64_t holder);
    /* Access to registers that exist many times, of which a window shows one bank.  NULL if there
     * are none. bank_parse() takes a text that begins with a bank and returns the rest, or NULL if
     * it does not. bank_select() lets the window show a bank, invisibly to the rest of the machine.
     * It returns the bank shown before in *before, or false if there is no such bank at present. */
    const char *bank_form; /* for messages */
    const char *(*bank_parse)(const struct machine *machine, const char *text, uint32_t *bank);
    bool (*bank_select)(struct machine *machine, uint32_t bank, uint32_t *before);
};
#define INJECT_NO_BANK UINT32_MAX

/* ---- what the machine and its units call ----------------------------------------------------- */

struct inject;

/* Adds an injector without a fault to a machine that is being wired, after all other units.  The
 * vendor's rows are borrowed.  Returns NULL when memory is short. inject_free() frees it. */
struct inject *inject_new(struct machine *machine, const struct inject_sites *sites);
void inject_free(struct inject *inject);

/* Returns true if a fault may still act on data that passes a site, or if such data is counted.  If
 * false, the unit need not call machine_inject() and may take many pieces at once. */
bool inject_waits(const struct inject *inject, uint32_t site);

/* Does the work of machine_inject() (emu/engine/machine.h). */
bool inject_pass(struct inject *inject, uint32_t unit, uint32_t site, uint64_t subject, void *data,
                 size_t bytes);

/* Returns true if the data that has just passed must be taken once more, where it stands.  The unit
 * asks once. */
bool inject_comes_again(struct machine *machine);

/* Called after each event of a machine with faults that wait for more than a passage. */
void inject_look(struct inject *inject);

/* Called after an event has been logged. */
__attribute__((noinline)) void inject_logged(struct inject *inject, uint32_t kind, uint32_t rule,
                                             const uint64_t *arguments);

#endif
