/* SPDX-License-Identifier: MIT */
/*
 * Where faults can enter a machine: the hook that units call, and the rows that describe sites.
 *
 * A unit calls machine_inject() (machine.h) where something passes, and does what it says.  What a
 * fault is, when it acts and what came of it stands above the machine: emu/faults/inject.h, which
 * also defines the functions below.  A machine without an injector pays one test of a pointer.
 */
#ifndef GFE_EMU_PASSAGE_H
#define GFE_EMU_PASSAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/engine/machine.h"

enum {
    INJECT_SITES_MAX = 96,
    INJECT_DATA_MAX = 4096, /* bytes that pass at a time */
    INJECT_HELD_MAX = 128,  /* bytes of what can be late or come twice */
};

enum inject_model {
    INJECT_FLIP,       /* =BIT[,BIT...]: these bits are inverted */
    INJECT_STUCK_0,    /* =BIT[,BIT...] or all of the field: are 0 from then on */
    INJECT_STUCK_1,    /* likewise 1 */
    INJECT_VALUE,      /* =NUMBER: the field, or all of it, is that */
    INJECT_DROP,       /* [=COUNT|all]: it does not come, so many times */
    INJECT_DUPLICATE,  /* it comes twice */
    INJECT_DELAY,      /* =TIME: it comes later */
    INJECT_REORDER,    /* it comes behind the next one */
    INJECT_SPURIOUS,   /* it comes without a cause */
    INJECT_UNMAP,      /* no translation */
    INJECT_WRONG_PAGE, /* [=PAGES]: the translation names a page so many further on */
    INJECT_READ_ONLY,  /* writes are refused */
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
    const char *unit;                  /* of the hardware or its firmware; campaigns add up by it */
    uint32_t place;                    /* enum inject_place */
    uint32_t models;                   /* INJECT_BIT() of those that make sense here */
    uint32_t bytes;                    /* of what passes; 0: it has no contents */
    const char *subject;               /* whose it is, for SUBJECT; NULL: nobody's in particular */
    const char *doc;                   /* one line */
    const struct inject_field *fields; /* NULL: none has a name */
    /* Fields that differ by chip: those of a machine's.  NULL: `fields` are all chips'. */
    const struct inject_field *(*fields_of)(const struct machine *machine);
    /* Lets what was held come, as if it came now (INJECT_DUPLICATE, DELAY, REORDER, SPURIOUS).  Of
     * a site that has DUPLICATE alone NULL: whoever lets it pass asks inject_comes_again(). */
    void (*deliver)(struct machine *machine, uint32_t unit, uint64_t subject, const void *data);
    /* INJECT_VENDOR: the index-th 32 bits of the subject's state; false: there is no such subject
     * at present.  Bits that cannot be written stay. */
    bool (*read_state)(struct machine *machine, uint64_t subject, uint32_t index, uint32_t *word);
    void (*write_state)(struct machine *machine, uint64_t subject, uint32_t index, uint32_t word);
};

/* Sites by number: those of the engine first, then a vendor's. */
enum inject_emu_site {
    INJECT_SITE_MEMORY,
    INJECT_SITE_REGISTER,
    INJECT_SITE_MAPPING,
    INJECT_SITE_INTERRUPT,
    INJECT_SITE_VENDOR, /* a vendor's first */
};
extern const struct inject_site inject_emu_sites[INJECT_SITE_VENDOR];

struct inject_sites {
    const struct inject_site *rows; /* the vendor's */
    uint32_t count;
    /* Registers that are there many times, of which a window shows one bank; NULL: there are none.
     * A text that begins with a bank, and what follows; NULL: it does not.  Lets the window show a
     * bank, without anybody's noticing, and says which it showed; false: there is none at present.
     */
    const char *bank_form; /* for messages */
    const char *(*bank_parse)(const struct machine *machine, const char *text, uint32_t *bank);
    bool (*bank_select)(struct machine *machine, uint32_t bank, uint32_t *before);
};
#define INJECT_NO_BANK UINT32_MAX

/* ---- what the machine and its units call ----------------------------------------------------- */

struct inject;

/* Adds an injector without a fault to a machine that is being wired, after all other units.  The
 * vendor's rows are borrowed.  Returns NULL when memory is short; inject_free() takes it back. */
struct inject *inject_new(struct machine *machine, const struct inject_sites *sites);
void inject_free(struct inject *inject);

/* Is there a fault that may yet act on what passes a site, or somebody who counts it?  Else the
 * unit need not ask, and may take many at once. */
bool inject_waits(const struct inject *inject, uint32_t site);

/* What machine_inject() (emu/engine/machine.h) calls. */
bool inject_pass(struct inject *inject, uint32_t unit, uint32_t site, uint64_t subject, void *data,
                 size_t bytes);

/* Is what has just passed to be taken once more, where it stands?  Asked once. */
bool inject_comes_again(struct machine *machine);

/* Behind each event of a machine with faults that wait for more than a passage. */
void inject_look(struct inject *inject);

/* An event has been logged. */
__attribute__((noinline)) void inject_logged(struct inject *inject, uint32_t kind,
                                             const uint64_t *arguments);

#endif
