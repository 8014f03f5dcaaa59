/* SPDX-License-Identifier: MIT */
/* Two observations compared: see emu/faults/outcome.h. */
#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "emu/faults/outcome.h"

/* ---- memory ---------------------------------------------------------------------------------- */

struct outcome_memory {
    const struct outcome_observer *golden, *faulty;
    struct outcome *outcome;
};

static bool outcome_page(void *context, enum memory_aperture aperture, uint64_t address,
                         const uint8_t *here, const uint8_t *there)
{
    const struct outcome_memory *memory = context;
    struct outcome *outcome = memory->outcome;

    for (uint32_t i = 0; i < MEMORY_PAGE_BYTES; i += 4) {
        const uint64_t word = (uint64_t)aperture << 63 | (address + i) / 4;

        if (memcmp(here + i, there + i, 4) == 0 || outcome_is_own(memory->golden, word) ||
            outcome_is_own(memory->faulty, word))
            continue;
        if (outcome->memory_words++ == 0 || word < outcome->first_word)
            outcome->first_word = word;
    }
    return true;
}

static bool outcome_memory(const struct outcome_observer *golden,
                           const struct outcome_observer *faulty, struct outcome *outcome)
{
    struct outcome_memory memory = {.golden = golden, .faulty = faulty, .outcome = outcome};

    return faulty->same_memory ||
           memory_differ(&faulty->machine->memory, golden->memory, outcome_page, &memory);
}

/* ---- results --------------------------------------------------------------------------------- */

/* By subject, what it is, and order. */
static int outcome_compare(const void *a, const void *b)
{
    const struct outcome_result *const *x = a, *const *y = b;

    if ((*x)->who != (*y)->who)
        return (*x)->who < (*y)->who ? -1 : 1;
    if ((*x)->value != (*y)->value)
        return (*x)->value < (*y)->value ? -1 : 1;
    return *x < *y ? -1 : *x > *y;
}

/* Returns pointers to the results, sorted, with NULL at the end.  Returns NULL without memory. */
static const struct outcome_result **outcome_sorted(const struct outcome_list *results)
{
    const struct outcome_result **sorted = malloc((results->count + (size_t)1) * sizeof *sorted);

    if (!sorted)
        return NULL;
    for (uint32_t i = 0; i < results->count; i++)
        sorted[i] = &results->rows[i];
    qsort(sorted, results->count, sizeof *sorted, outcome_compare);
    sorted[results->count] = NULL;
    return sorted;
}

static struct outcome_victim *outcome_victim(struct outcome *outcome, uint64_t who)
{
    const uint32_t listed =
        outcome->victim_count < OUTCOME_VICTIMS_MAX ? outcome->victim_count : OUTCOME_VICTIMS_MAX;

    for (uint32_t i = 0; i < listed; i++)
        if (outcome->victims[i].who == who)
            return &outcome->victims[i];
    outcome->victim_count++;
    if (listed == OUTCOME_VICTIMS_MAX)
        return NULL;
    outcome->victims[listed] = (struct outcome_victim){.who = who};
    return &outcome->victims[listed];
}

/* The results of one subject, as far as they have been looked at. */
struct outcome_tally {
    uint64_t who;
    uint32_t missing, extra, late;
};

/* A result of another value is one that is missing and one that is too many. */
static void outcome_add(struct outcome *outcome, const struct outcome_tally *tally)
{
    const uint32_t different = tally->missing < tally->extra ? tally->missing : tally->extra;
    struct outcome_victim *victim;

    if (tally->missing + tally->extra + tally->late == 0)
        return;
    outcome->different += different;
    outcome->missing += tally->missing - different;
    outcome->extra += tally->extra - different;
    outcome->late += tally->late;
    victim = tally->missing + tally->late > 0 ? outcome_victim(outcome, tally->who) : NULL;
    if (!victim) /* a value that came twice is no harm */
        return;
    victim->different = different;
    victim->missing = tally->missing - different;
    victim->late = tally->late;
}

static void outcome_pair(const struct outcome_result *golden, const struct outcome_result *faulty,
                         gfe_ps late_ps, struct outcome_tally *tally, struct outcome *outcome)
{
    if (faulty->time_ps <= clock_add(golden->time_ps, late_ps))
        return;
    tally->late++;
    if (faulty->time_ps - golden->time_ps > outcome->latest_ps)
        outcome->latest_ps = faulty->time_ps - golden->time_ps;
}

/* Which of two comes first by subject and value: below 0 the first, 0 they are alike. */
static int outcome_order(const struct outcome_result *x, const struct outcome_result *y)
{
    if (!x || !y)
        return x ? -1 : 1;
    if (x->who != y->who)
        return x->who < y->who ? -1 : 1;
    return x->value == y->value ? 0 : x->value < y->value ? -1 : 1;
}

/* Compares the results of both runs.  For each subject, the k-th result with a value is paired with
 * the k-th result with the same value in the other run.  Their order does not matter. */
static bool outcome_results(const struct outcome_observer *golden,
                            const struct outcome_observer *faulty, gfe_ps late_ps,
                            struct outcome *outcome)
{
    const struct outcome_result **const a = outcome_sorted(&golden->lists[OUTCOME_RESULT]);
    const struct outcome_result **const b = outcome_sorted(&faulty->lists[OUTCOME_RESULT]);
    const struct outcome_result **x = a, **y = b;
    struct outcome_tally tally = {0};

    while (a && b && (*x || *y)) {
        const int order = outcome_order(*x, *y);
        const uint64_t who = order <= 0 ? (*x)->who : (*y)->who;

        if (who != tally.who) {
            outcome_add(outcome, &tally);
            tally = (struct outcome_tally){.who = who};
        }
        if (order == 0)
            outcome_pair(*x, *y, late_ps, &tally, outcome);
        tally.missing += order < 0;
        tally.extra += order > 0;
        x += order <= 0;
        y += order >= 0;
    }
    outcome_add(outcome, &tally);
    free(a);
    free(b);
    return a && b;
}

/* Those of each kind and subject that the golden run has not as often. */
static void outcome_detections(const struct outcome_observer *golden,
                               const struct outcome_observer *faulty, gfe_ps acted_ps,
                               struct outcome *outcome)
{
    const struct outcome_list *theirs = &golden->lists[OUTCOME_DETECTION];
    const struct outcome_list *ours = &faulty->lists[OUTCOME_DETECTION];

    outcome->latency_ps = GFE_PS_NEVER;
    for (uint32_t i = 0; i < ours->count; i++) {
        const struct outcome_result *found = &ours->rows[i];
        uint32_t before = 0, golden_count = 0;
        struct outcome_victim *victim;

        for (uint32_t k = 0; k <= i; k++)
            before += ours->rows[k].value == found->value && ours->rows[k].who == found->who;
        for (uint32_t k = 0; k < theirs->count; k++)
            golden_count +=
                theirs->rows[k].value == found->value && theirs->rows[k].who == found->who;
        if (before <= golden_count || found->time_ps < acted_ps)
            continue;
        if (!outcome->detected_by) {
            outcome->detected_by = outcome_row_kind(found->row);
            outcome->latency_ps = found->time_ps - acted_ps;
        }
        if (found->who == 0)
            continue;
        victim = outcome_victim(outcome, found->who);
        if (victim)
            victim->detections++;
    }
}

/* ---- the judgement --------------------------------------------------------------------------- */

/* How often a subject stands in a list. */
static uint32_t outcome_count(const struct outcome_observer *observer, enum outcome_role role,
                              uint64_t who)
{
    const struct outcome_list *list = &observer->lists[role];
    uint32_t count = 0;

    for (uint32_t i = 0; i < list->count; i++)
        count += list->rows[i].who == who;
    return count;
}

/* Has somebody else been affected?  What a program did not submit any more, because it waits for
 * something else, is no wrong done to its other channels. */
static bool outcome_is_other(const struct outcome_observer *golden,
                             const struct outcome_observer *faulty,
                             const struct outcome_victim *victim,
                             const struct outcome_owners *owners)
{
    if (!outcome_owners_other(owners, victim->who))
        return false;
    return victim->different + victim->detections > 0 ||
           (victim->missing > 0 && outcome_count(faulty, OUTCOME_SUBMISSION, victim->who) >=
                                       outcome_count(golden, OUTCOME_SUBMISSION, victim->who));
}

/* Returns true if the subject has been torn down.  It waits for ever then, which is no hang. */
static bool outcome_is_torn_down(const struct outcome_observer *golden,
                                 const struct outcome_observer *faulty, uint64_t who)
{
    static const enum outcome_role roles[] = {OUTCOME_RECOVERY, OUTCOME_DETECTION};

    for (size_t r = 0; r < sizeof roles / sizeof roles[0]; r++) {
        const struct outcome_list *list = &faulty->lists[roles[r]];

        for (uint32_t i = 0; i < list->count; i++)
            if ((list->rows[i].who == who && outcome_row_ends(list->rows[i].row)) ||
                (outcome_row_aborts(list->rows[i].row) &&
                 outcome_same_process(&golden->places, list->rows[i].who, who)))
                return true;
    }
    return false;
}

static bool outcome_is_channel(const struct outcome_result *open)
{
    return open->who >> 56 == outcome_owner("channel", 0) >> 56 ||
           open->who >> 56 == outcome_owner("queue", 0) >> 56;
}

static bool outcome_hangs(const struct outcome_observer *golden,
                          const struct outcome_observer *faulty, const struct outcome *outcome)
{
    const struct outcome_list *opens = &faulty->lists[OUTCOME_OPEN];
    const bool recovered =
        faulty->lists[OUTCOME_RECOVERY].count > golden->lists[OUTCOME_RECOVERY].count;

    if (faulty->watchdog)
        return true;
    if (outcome->missing == 0 || opens->count <= golden->lists[OUTCOME_OPEN].count)
        return false;
    for (uint32_t i = 0; recovered && i < opens->count; i++)
        if (outcome_is_channel(&opens->rows[i]) &&
            !outcome_is_torn_down(golden, faulty, opens->rows[i].who) &&
            outcome_count(faulty, OUTCOME_OPEN, opens->rows[i].who) >
                outcome_count(golden, OUTCOME_OPEN, opens->rows[i].who))
            return true;
    return !recovered;
}

static void outcome_reaches(const struct outcome_observer *golden,
                            const struct outcome_owners *owners, struct outcome *outcome,
                            struct outcome_victim *victim)
{
    victim->reach = outcome_reach_of(&golden->places, golden->isolation, owners, victim->who);
    if (victim->reach > outcome->reach)
        outcome->reach = victim->reach;
}

static void outcome_classify(const struct outcome_observer *golden,
                             const struct outcome_observer *faulty,
                             const struct outcome_owners *owners, struct outcome *outcome)
{
    const bool hangs = outcome_hangs(golden, faulty, outcome);
    /* Work that was not done has left no memory: that is not corruption. */
    const bool corrupt = outcome->different > 0 || (!hangs && outcome->memory_words > 0);
    uint32_t classes = 0;

    if (outcome->late > 0 && !outcome->detected_by)
        classes |= 1u << OUTCOME_SDC_TIMING;
    if (outcome->detected_by)
        classes |= 1u << OUTCOME_DETECTED;
    if (corrupt && !outcome->detected_by)
        classes |= 1u << OUTCOME_SDC_DATA;
    if (hangs)
        classes |= 1u << OUTCOME_HANG;
    if (outcome->missing > 0 && !hangs && !outcome->detected_by)
        classes |= 1u << OUTCOME_SDC_DATA;
    for (uint32_t i = 0; i < outcome->victim_count && i < OUTCOME_VICTIMS_MAX; i++)
        if (outcome_is_other(golden, faulty, &outcome->victims[i], owners))
            outcome_reaches(golden, owners, outcome, &outcome->victims[i]);
    if (outcome->reach != OUTCOME_REACH_NONE)
        classes |= 1u << OUTCOME_COLLATERAL;
    if (outcome->reach >= golden->isolation->boundary)
        classes |= 1u << OUTCOME_BREACH;
    outcome->recovered = outcome->detected_by && !hangs && !faulty->stopped;
    outcome->classes = classes;
    outcome->most =
        classes == 0 ? OUTCOME_MASKED : (enum outcome_class)(31 - __builtin_clz(classes));
}

bool outcome_judge(const struct outcome_observer *golden, const struct outcome_observer *faulty,
                   const struct outcome_owners *owners, gfe_ps acted_ps, gfe_ps late_ps,
                   struct outcome *outcome)
{
    *outcome = (struct outcome){.latency_ps = GFE_PS_NEVER, .most = OUTCOME_NOT_ACTIVATED};
    if (acted_ps == GFE_PS_NEVER)
        return true;
    if (golden->no_memory || faulty->no_memory ||
        !outcome_results(golden, faulty, late_ps, outcome))
        return false;
    outcome_detections(golden, faulty, acted_ps, outcome);
    if (!outcome_hangs(golden, faulty, outcome) && !outcome_memory(golden, faulty, outcome))
        return false;
    outcome_classify(golden, faulty, owners, outcome);
    return true;
}
