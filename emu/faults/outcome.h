/* SPDX-License-Identifier: MIT */
/*
 * The outcome of a run with injected faults, against the same run without faults.
 *
 * An observer reads a machine's log.  For each channel, queue or thread it keeps the results of its
 * work (a release and its value, the end of a grid, copy or draw), and each report of an error. Two
 * observations are compared: for each subject the k-th result of one value with the k-th of the
 * same value.  Memory is compared as a whole, except for words that are no results of the program:
 * times that the GPU wrote, and the front end's own state (RAMFC, context images).
 *
 * Classes are those of the dependability literature, told apart for a front end:
 *     Not activated  no fault changed anything: nothing else holds then
 *     Masked       same results, same memory, none later than the threshold
 *     SDC-timing   same results, but some later (silent, because no error was reported)
 *     Detected     an interrupt, Xid or driver message more than without the fault
 *     SDC-data     another value or memory, or a result that never came although the run ended
 *     Hang         a wait that has no end, and whose subject was not torn down: no event is left
 *                  (exact), or a watchdog fired.  A channel or queue that waits for ever hangs even
 *                  if others were recovered.  Other waits (threads, copies, grids) count as ended
 *                  by a recovery, because the owner of torn-down work is notified
 *     Collateral   another channel or queue than the fault's own was affected
 *     Breach       ... beyond the boundary that is to hold (emu/faults/outcome_reach.h)
 * docs/injection.md has the decisions as a tree.  Several classes may hold; the most severe, the
 * last of these, is the outcome's class.  A result that a
 * detected fault cost its own channel counts as Detected, not as SDC-data.
 */
#ifndef GFE_EMU_FAULTS_OUTCOME_H
#define GFE_EMU_FAULTS_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/id_map.h"
#include "emu/faults/inject.h"
#include "emu/faults/outcome_reach.h"
#include "emu/engine/machine.h"

enum outcome_class {
    OUTCOME_NOT_ACTIVATED,
    OUTCOME_MASKED,
    OUTCOME_SDC_TIMING,
    OUTCOME_DETECTED,
    OUTCOME_SDC_DATA,
    OUTCOME_HANG,
    OUTCOME_COLLATERAL,
    OUTCOME_BREACH,
    OUTCOME_CLASSES,
};

/* A result.  The first argument of its kind's row names its subject. */
struct outcome_result {
    gfe_ps time_ps;
    uint64_t who;   /* kind of subject << 56 | its number */
    uint64_t value; /* a hash of its kind and its values */
    uint32_t row;   /* of the rows below */
    uint32_t reserved;
};

/* The meaning of an event. */
enum outcome_role {
    OUTCOME_RESULT,     /* work is done */
    OUTCOME_DETECTION,  /* an error was reported */
    OUTCOME_SUBMISSION, /* work is handed over */
    OUTCOME_RECOVERY,   /* a subject was torn down or reset: the event's subject, if it names one */
    OUTCOME_OPEN,       /* the subject waits for ever */
    OUTCOME_ROLES,
    OUTCOME_PLACE = OUTCOME_ROLES, /* where a channel or queue belongs; kept apart */
};

struct outcome_list {
    struct outcome_result *rows;
    uint32_t count, capacity;
};

/* The observer of one run.  It is not part of the machine's state. */
struct outcome_observer {
    struct machine *machine;
    uint8_t row_of_kind[TABLE_END];
    uint8_t argument_at[80][4]; /* by row: of the subject, and of up to three values */
    struct outcome_list lists[OUTCOME_ROLES];
    /* Words of memory that are no results of the program: times, and the front end's own state.
     * Words are aperture << 63 | address / 4. */
    struct id_map own_words;
    struct outcome_places places; /* of the run without faults */
    const struct outcome_isolation *isolation;
    struct outcome_range {
        uint64_t first;
        uint64_t count;
    } own_ranges[64]; /* the long ones */
    uint32_t own_range_count;
    /* The run without faults, if it is known already: its own words are not kept again. */
    const struct outcome_observer *golden;
    struct memory_image *memory; /* at the end: outcome_keep_memory() */
    bool same_memory;            /* set by a caller that knows that the final memory is golden's */
    bool has_queues;             /* queues hold the work, as on AMD's GPUs; else channels */
    bool no_memory;
    bool ended;    /* no event was left */
    bool watchdog; /* ... or a limit was reached instead */
    bool stopped;  /* ... or the program could not go on, because a call of it failed */
    gfe_ps end_ps;
};

/* Observes the machine's log from now on, with the default isolation.  The observer must outlive
 * the machine's last event. */
void outcome_observe(struct outcome_observer *observer, struct machine *machine);
/* Keeps the final memory of a run that is over, for the judgement of other runs.  Returns false if
 * memory is short. */
bool outcome_keep_memory(struct outcome_observer *observer);
void outcome_fini(struct outcome_observer *observer);
/* Take an event, and a word of the front end's own; called by the injector (emu/faults/inject.h).
 */
void outcome_take(void *observer, uint32_t kind, uint32_t rule, const uint64_t *arguments);
void outcome_take_own(void *observer, enum memory_aperture aperture, uint64_t address,
                      uint32_t bytes);

enum { OUTCOME_VICTIMS_MAX = 16, OUTCOME_OWNERS_BYTES = 256 };

struct outcome_victim {
    uint64_t who;
    uint32_t different, missing, late, detections;
    enum outcome_reach reach; /* NONE: not affected in the sense of Collateral */
};

struct outcome {
    enum outcome_class most; /* the class */
    uint32_t classes;        /* bits of all that hold */
    gfe_ps latency_ps;       /* from the first act to the first detection; GFE_PS_NEVER: none */
    const char *detected_by; /* kind of event; NULL: none */
    bool recovered;          /* detected, and everything after it went on to its end */
    /* Counts of results: of another value, that never came, that came too often, late. */
    uint32_t different, missing, extra, late;
    gfe_ps latest_ps;      /* the delay of the latest */
    uint64_t memory_words; /* words of memory that differ */
    uint64_t first_word;   /* the first of them: aperture << 63 | address / 4 */
    struct outcome_victim victims[OUTCOME_VICTIMS_MAX]; /* those affected, by number */
    uint32_t victim_count;                              /* all victims; only the first are listed */
    enum outcome_reach reach;                           /* of the farthest victim */
};

/* Returns the owner of the subject with that number at a site; UINT64_MAX means that it has none.
 */
uint64_t outcome_owner(const char *subject_kind, uint64_t subject);
/* Adds an owner, in order, unless it is there. */
void outcome_owners_add(struct outcome_owners *owners, uint64_t who);
bool outcome_owners_have(const struct outcome_owners *owners, uint64_t who);
/* Returns true if a subject is of the owners' kind, and is not one of them. */
bool outcome_owners_other(const struct outcome_owners *owners, uint64_t who);
/* Writes the owners' names, such as "channel 1 + channel 2"; "" if there are none. */
void outcome_owners_text(const struct outcome_owners *owners, char text[OUTCOME_OWNERS_BYTES]);
/* Returns true if a word (aperture << 63 | address / 4) is no result of the program. */
bool outcome_is_own(const struct outcome_observer *observer, uint64_t word);
/* Returns the name of the kind of event that a result or detection was. */
const char *outcome_row_kind(uint32_t row);
/* Returns true if such an event tears down the subject that it names. */
bool outcome_row_ends(uint32_t row);
/* Returns true if after such an event the runtime aborts the program: no thread and no queue of the
 * process waits any more.  So does ROCr after a refused packet (AqlQueue::DynamicQueueEventsHandler
 * gives HSA_STATUS_ERROR_INVALID_PACKET_FORMAT and others to the program's callback, of which HIP's
 * aborts). */
bool outcome_row_aborts(uint32_t row);
/* Appends rows to a list.  Returns false if memory is short. */
bool outcome_list_add(struct outcome_list *list, const struct outcome_result *rows, uint32_t count);
/* Judges a faulty run.  The golden run has kept its memory, and the faulty run's machine still
 * exists. `owners` are the owners of the faults.  `acted_ps` is when a fault first acted; with
 * `GFE_PS_NEVER` everything is masked.  Returns false if memory is short. */
bool outcome_judge(const struct outcome_observer *golden, const struct outcome_observer *faulty,
                   const struct outcome_owners *owners, gfe_ps acted_ps, gfe_ps late_ps,
                   struct outcome *outcome);
const char *outcome_class_name(enum outcome_class class_);
/* Writes the name of a subject, such as "channel 3". */
void outcome_who(uint64_t who, char *text, size_t bytes);

#endif
