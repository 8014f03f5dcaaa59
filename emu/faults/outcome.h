/* SPDX-License-Identifier: MIT */
/*
 * What became of a run with injected faults, against the same run without.
 *
 * An observer stands at a machine's log and keeps, of each channel, queue or thread, the results of
 * its work (a release and its value, the end of a grid, copy or draw), and each time that something
 * said that there was an error.  Two observations are compared: of each subject the k-th result of
 * one value with the k-th of the same value.  Memory is compared as a whole but for what says
 * nothing about the program: times that the GPU wrote, and where the front end keeps its own state
 * (RAMFC, context images).
 *
 * Classes are those of the dependability literature, told apart for a front end:
 *     Masked       same results, same memory, none later than the threshold
 *     SDC-timing   same results, but some later (silent, as nothing has said so)
 *     Detected     an interrupt, Xid or driver message more than without the fault
 *     SDC-data     another value or memory, or a result that never came although the run ended
 *     Hang         something waits for ever, and nobody has torn it down: nothing is left to do
 *                  (exact), or a watchdog fired.  A channel or queue that waits for ever hangs also
 *                  when others were recovered; of other waits (threads, copies, grids) a recovery
 *                  is taken to have ended them, as whoever was torn down is told
 *     Collateral   another channel, queue or process than the fault's own was affected
 * Several may hold; the most severe, the last of these, is the outcome's class.  A result that a
 * detected fault cost its own channel counts as Detected, not as SDC-data.
 */
#ifndef GFE_EMU_OUTCOME_H
#define GFE_EMU_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/id_map.h"
#include "emu/faults/inject.h"
#include "emu/engine/machine.h"

enum outcome_class {
    OUTCOME_MASKED,
    OUTCOME_SDC_TIMING,
    OUTCOME_DETECTED,
    OUTCOME_SDC_DATA,
    OUTCOME_HANG,
    OUTCOME_COLLATERAL,
    OUTCOME_CLASSES,
};

/* Whose result it is: what the first argument of its kind's row names. */
struct outcome_result {
    gfe_ps time_ps;
    uint64_t who;   /* kind of subject << 56 | its number */
    uint64_t value; /* a hash of what it is and its values */
    uint32_t row;   /* of the rows below */
    uint32_t reserved;
};

/* What an event says. */
enum outcome_role {
    OUTCOME_RESULT,     /* work is done */
    OUTCOME_DETECTION,  /* something has said that there was an error */
    OUTCOME_SUBMISSION, /* work is handed over */
    OUTCOME_RECOVERY,   /* somebody has been torn down or reset: the subject, if it is named */
    OUTCOME_OPEN,       /* the subject waits for ever */
    OUTCOME_ROLES,
};

struct outcome_list {
    struct outcome_result *rows;
    uint32_t count, capacity;
};

/* Of one run.  Not part of the machine's state. */
struct outcome_observer {
    struct machine *machine;
    uint8_t row_of_kind[TABLE_END];
    uint8_t argument_at[80][4]; /* by row: of who, and of up to three values */
    struct outcome_list lists[OUTCOME_ROLES];
    /* What of memory says nothing about the program: times, and the front end's own state.  Words
     * are aperture << 63 | address / 4. */
    struct id_map own_words;
    struct outcome_range {
        uint64_t first;
        uint64_t count;
    } own_ranges[64]; /* the long ones */
    uint32_t own_range_count;
    /* The run without faults, if it is known already: what is its own is not kept again. */
    const struct outcome_observer *golden;
    struct memory_image *memory; /* at the end: outcome_keep_memory() */
    bool same_memory;            /* it ends with the golden run's, as somebody else knows */
    bool is_amd;                 /* the GPU; else NVIDIA's */
    bool no_memory;
    bool ended;    /* nothing was left to do */
    bool watchdog; /* ... but a bound was reached instead */
    bool stopped;  /* ... or the program could not be run on: a call of it failed */
    gfe_ps end_ps;
};

/* Stands at the machine's log from now on; the observer must outlive the machine's last event. */
void outcome_observe(struct outcome_observer *observer, struct machine *machine);
/* The run is over: keeps its memory, for the judgement of others.  False: no memory. */
bool outcome_keep_memory(struct outcome_observer *observer);
void outcome_fini(struct outcome_observer *observer);
/* What the injector calls (emu/faults/inject.h). */
void outcome_take(void *observer, uint32_t kind, const uint64_t *arguments);
void outcome_take_own(void *observer, enum memory_aperture aperture, uint64_t address,
                      uint32_t bytes);

enum { OUTCOME_VICTIMS_MAX = 16, OUTCOME_OWNERS_BYTES = 256 };

/* Whose the faults are, in order; none, if one is nobody's: then it cannot be said whom it hurt. */
struct outcome_owners {
    uint64_t who[INJECT_FAULTS_MAX];
    uint32_t count;
};

struct outcome_victim {
    uint64_t who;
    uint32_t different, missing, late, detections;
};

struct outcome {
    enum outcome_class most; /* the class */
    uint32_t classes;        /* bits of all that hold */
    gfe_ps latency_ps;       /* from the first act to the first detection; GFE_PS_NEVER: none */
    const char *detected_by; /* kind of event; NULL: none */
    bool recovered;          /* detected, and everything after it went on to its end */
    /* Results of all: of another value, that never came, that came too often, late. */
    uint32_t different, missing, extra, late;
    gfe_ps latest_ps;      /* how much later the latest was */
    uint64_t memory_words; /* words of memory that differ */
    uint64_t first_word;   /* the first of them: aperture << 63 | address / 4 */
    struct outcome_victim victims[OUTCOME_VICTIMS_MAX]; /* those affected, by number */
    uint32_t victim_count;                              /* of all; only the first are listed */
};

/* Whose number `subject` is at a site; UINT64_MAX: nobody's. */
uint64_t outcome_owner(const char *subject_kind, uint64_t subject);
/* Adds one, in order, that is not among them. */
void outcome_owners_add(struct outcome_owners *owners, uint64_t who);
bool outcome_owners_have(const struct outcome_owners *owners, uint64_t who);
/* Is a subject of the kind that the owners are of, and none of them? */
bool outcome_owners_other(const struct outcome_owners *owners, uint64_t who);
/* Their names, such as "channel 1 + channel 2"; "" of nobody. */
void outcome_owners_text(const struct outcome_owners *owners, char text[OUTCOME_OWNERS_BYTES]);
/* Is a word (aperture << 63 | address / 4) one that says nothing about the program? */
bool outcome_is_own(const struct outcome_observer *observer, uint64_t word);
/* Name of the kind of event that a result or detection was. */
const char *outcome_row_kind(uint32_t row);
/* Is the subject that such an event names torn down by it? */
bool outcome_row_ends(uint32_t row);
/* Appends rows to a list; false: no memory. */
bool outcome_list_add(struct outcome_list *list, const struct outcome_result *rows, uint32_t count);
/* Compares; the golden run has kept its memory, the faulty one's machine still stands.  `owners`
 * are whose the faults are, `acted_ps` when it first acted or GFE_PS_NEVER (then everything is
 * masked).  False: no memory. */
bool outcome_judge(const struct outcome_observer *golden, const struct outcome_observer *faulty,
                   const struct outcome_owners *owners, gfe_ps acted_ps, gfe_ps late_ps,
                   struct outcome *outcome);
const char *outcome_class_name(enum outcome_class class_);
/* Name of a subject, such as "channel 3". */
void outcome_who(uint64_t who, char *text, size_t bytes);

#endif
