/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/outcome.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/inject.h"

enum {
    OUTCOME_NO_ROW = 0xff,
    OUTCOME_NO_ARGUMENT = 0xff,
    OUTCOME_VALUES = 3,
};

/* Subjects, as `who` numbers them; and what kinds that vendors share name: NVIDIA's channel, of AMD
 * the queue, or the slot that it was in, which is no matter, as AMD_PACKET_END follows. */
enum outcome_subject {
    OUTCOME_NOBODY,
    OUTCOME_CHANNEL,
    OUTCOME_QUEUE,
    OUTCOME_THREAD,
    OUTCOME_STREAM,
    OUTCOME_CHANNEL_OR_QUEUE,
    OUTCOME_CHANNEL_OR_SLOT,
};

enum outcome_role { OUTCOME_RESULT, OUTCOME_DETECTION, OUTCOME_SUBMISSION, OUTCOME_RECOVERY, OUTCOME_OPEN };

/* What events say; names, as every reader of logs has them. */
static const struct outcome_row {
    const char *kind;
    enum outcome_role role;
    enum outcome_subject subject;
    const char *who;
    const char *values[OUTCOME_VALUES];
} outcome_rows[] = {
    {"NV_RELEASE", OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {"address", "value"}},
    {"NV_INLINE_WRITE", OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {"address", "byte_count"}},
    {"NV_NOTIFY", OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {"address"}},
    {"COPY_END", OUTCOME_RESULT, OUTCOME_CHANNEL_OR_QUEUE, "channel_id", {"byte_count"}},
    {"GRID_END", OUTCOME_RESULT, OUTCOME_CHANNEL_OR_SLOT, "channel_id", {NULL}},
    {"WORK_END", OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"CUDA_COMPLETE", OUTCOME_RESULT, OUTCOME_STREAM, "stream_id", {NULL}},
    {"CPU_WAIT_END", OUTCOME_RESULT, OUTCOME_THREAD, "thread_index", {NULL}},
    {"AMD_SIGNAL", OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"signal_address", "value"}},
    {"AMD_WRITE", OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"address", "value"}},
    {"AMD_PACKET_END", OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"code"}},
    {"AMD_SDMA_WRITE", OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"address", "value"}},
    {"HIP_RETURN", OUTCOME_RESULT, OUTCOME_THREAD, "plugin_index", {"iteration_index"}},
    {"NV_PBDMA_INTR", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"NV_BIND_ERROR", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"NV_SCHED_ERROR", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"NV_MMU_FAULT", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"NV_ENGINE_ERROR", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"NV_CE_LAUNCHERR", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"NV_CTXSW_TIMEOUT", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"DRIVER_ERROR", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"DRIVER_KILL", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_XID_MMU_FAULT", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_XID_PBDMA", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_XID_PBDMA_1", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_XID_REMOVAL", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_XID_CRC", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_XID_CTXSW", OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"RM_RC_END", OUTCOME_RECOVERY, OUTCOME_NOBODY, NULL, {NULL}},
    {"AMD_VM_FAULT", OUTCOME_DETECTION, OUTCOME_QUEUE, "doorbell_index", {NULL}},
    {"AMD_SDMA_FAULT", OUTCOME_DETECTION, OUTCOME_QUEUE, "doorbell_index", {NULL}},
    {"AMDGPU_CP_ERROR", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"AMDGPU_IH_OVERFLOW", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"KFD_NO_PASID", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"KFD_EXCEPTION", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"HWS_STOP", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"HWS_REFUSED", OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}},
    {"HWS_SDMA_REFUSED", OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}},
    {"KFD_NOT_PREEMPTED", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"KFD_HQD_TIMEOUT", OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}},
    {"KFD_SDMA_TIMEOUT", OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}},
    /* Its process is told, and has no queues any more: it does not wait. */
    {"KFD_EVICT", OUTCOME_RECOVERY, OUTCOME_NOBODY, NULL, {NULL}},
    {"KFD_FENCE_TIMEOUT", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"KFD_HANG", OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}},
    {"NV_DOORBELL", OUTCOME_SUBMISSION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"NV_NOTIFY_PENDING", OUTCOME_SUBMISSION, OUTCOME_CHANNEL, "channel_id", {NULL}},
    {"AMD_DOORBELL", OUTCOME_SUBMISSION, OUTCOME_QUEUE, "doorbell_index", {NULL}},
    {"AMD_SDMA_DOORBELL", OUTCOME_SUBMISSION, OUTCOME_QUEUE, "doorbell_index", {NULL}},
    {"WAIT_OPEN", OUTCOME_OPEN, OUTCOME_NOBODY, NULL, {NULL}},
};
enum { OUTCOME_ROWS = sizeof outcome_rows / sizeof outcome_rows[0] };

const char *outcome_class_name(enum outcome_class class_)
{
    static const char *const names[] = {"Masked",   "SDC-timing", "Detected",
                                        "SDC-data", "Hang",       "Collateral"};

    return names[class_];
}

void outcome_who(uint64_t who, char *text, size_t bytes)
{
    static const char *const names[] = {"the GPU", "channel", "queue", "thread", "stream"};

    if (who >> 56 == OUTCOME_NOBODY)
        (void)snprintf(text, bytes, "%s", names[0]);
    else
        (void)snprintf(text, bytes, "%s %" PRIu64, names[who >> 56 & 7],
                       who & ((UINT64_C(1) << 56) - 1));
}

static uint64_t outcome_subject(enum outcome_subject kind, uint64_t number)
{
    return (uint64_t)kind << 56 | (number & ((UINT64_C(1) << 56) - 1));
}

uint64_t outcome_owner(const char *subject_kind, uint64_t subject)
{
    if (subject_kind && strcmp(subject_kind, "channel") == 0)
        return outcome_subject(OUTCOME_CHANNEL, subject);
    if (subject_kind && strcmp(subject_kind, "queue") == 0)
        return outcome_subject(OUTCOME_QUEUE, subject);
    return UINT64_MAX;
}

/* ---- observing ------------------------------------------------------------------------------- */

static uint8_t outcome_argument(const struct event_kind_row *kind, const char *name)
{
    for (uint32_t i = 0; name && i < event_kind_argument_count(kind); i++)
        if (strcmp(kind->arguments[i], name) == 0)
            return (uint8_t)i;
    assert(!name && "a row names what its kind of event does not have");
    return OUTCOME_NO_ARGUMENT;
}

static bool outcome_has_kind(const struct machine *machine, const char *name)
{
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->event_count; i++)
            if (strcmp(machine->tables[t]->events[i].name, name) == 0)
                return true;
    return false;
}

static void outcome_bind(struct outcome_observer *observer, uint32_t number,
                         const struct event_kind_row *kind)
{
    for (uint32_t row = 0; row < OUTCOME_ROWS; row++) {
        if (strcmp(outcome_rows[row].kind, kind->name) != 0 ||
            (observer->is_amd && outcome_rows[row].subject == OUTCOME_CHANNEL_OR_SLOT))
            continue;
        observer->row_of_kind[number] = (uint8_t)row;
        observer->argument_at[row][0] = outcome_argument(kind, outcome_rows[row].who);
        for (uint32_t i = 0; i < OUTCOME_VALUES; i++)
            observer->argument_at[row][1 + i] =
                outcome_argument(kind, outcome_rows[row].values[i]);
    }
}

void outcome_observe(struct outcome_observer *observer, struct machine *machine)
{
    _Static_assert(OUTCOME_ROWS <= sizeof observer->argument_at / sizeof observer->argument_at[0],
                   "each row has its arguments");
    *observer = (struct outcome_observer){
        .machine = machine, .is_amd = outcome_has_kind(machine, "AMD_PACKET_END")};
    memset(observer->row_of_kind, OUTCOME_NO_ROW, sizeof observer->row_of_kind);
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->event_count; i++)
            outcome_bind(observer, machine->tables[t]->base + i, &machine->tables[t]->events[i]);
    machine->inject->observer = observer;
}

void outcome_fini(struct outcome_observer *observer)
{
    free(observer->results);
    free(observer->detections);
    free(observer->submissions);
    id_map_fini(&observer->own_words);
}

/* Room for one more; false: no memory. */
static bool outcome_grow(struct outcome_observer *observer, void **rows, uint32_t count,
                         uint32_t *capacity, size_t bytes)
{
    void *more;

    if (count < *capacity)
        return true;
    more = realloc(*rows, (*capacity ? 2 * (size_t)*capacity : 256) * bytes);
    if (!more) {
        observer->no_memory = true;
        return false;
    }
    *rows = more;
    *capacity = *capacity ? 2 * *capacity : 256;
    return true;
}

static uint64_t outcome_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static enum outcome_subject outcome_subject_of(const struct outcome_observer *observer, uint32_t row)
{
    const enum outcome_subject subject = outcome_rows[row].subject;

    if (subject != OUTCOME_CHANNEL_OR_QUEUE && subject != OUTCOME_CHANNEL_OR_SLOT)
        return subject;
    return observer->is_amd ? OUTCOME_QUEUE : OUTCOME_CHANNEL;
}

void outcome_take(void *context, uint32_t kind, const uint64_t *arguments)
{
    struct outcome_observer *observer = context;
    const uint32_t row = observer->row_of_kind[kind];
    const uint8_t *at = observer->argument_at[row == OUTCOME_NO_ROW ? 0 : row];
    struct outcome_result result;

    if (row == OUTCOME_NO_ROW)
        return;
    if (outcome_rows[row].role == OUTCOME_OPEN) {
        observer->open_waits++;
        return;
    }
    if (outcome_rows[row].role == OUTCOME_RECOVERY) {
        observer->recoveries++;
        return;
    }
    result = (struct outcome_result){.time_ps = machine_now(observer->machine), .row = row,
                                     .value = outcome_mix(0, row)};
    if (at[0] != OUTCOME_NO_ARGUMENT)
        result.who = outcome_subject(outcome_subject_of(observer, row), arguments[at[0]]);
    for (uint32_t i = 1; i <= OUTCOME_VALUES; i++)
        if (at[i] != OUTCOME_NO_ARGUMENT)
            result.value = outcome_mix(result.value, arguments[at[i]]);
    if (outcome_rows[row].role == OUTCOME_SUBMISSION) {
        if (outcome_grow(observer, (void **)&observer->submissions, observer->submission_count,
                         &observer->submission_capacity, sizeof result))
            observer->submissions[observer->submission_count++] = result;
    } else if (outcome_rows[row].role == OUTCOME_RESULT) {
        if (outcome_grow(observer, (void **)&observer->results, observer->result_count,
                         &observer->result_capacity, sizeof result))
            observer->results[observer->result_count++] = result;
    } else if (outcome_grow(observer, (void **)&observer->detections, observer->detection_count,
                            &observer->detection_capacity, sizeof result)) {
        observer->detections[observer->detection_count++] = result;
    }
}

/* Long ranges beyond the first few are kept word by word. */
void outcome_take_own(void *context, enum memory_aperture aperture, uint64_t address,
                      uint32_t bytes)
{
    struct outcome_observer *observer = context;
    const uint64_t first = (uint64_t)aperture << 63 | address / 4;
    const uint32_t room = sizeof observer->own_ranges / sizeof observer->own_ranges[0];

    for (uint32_t i = 0; i < observer->own_range_count; i++)
        if (observer->own_ranges[i].first == first && observer->own_ranges[i].count >= bytes / 4)
            return;
    if (bytes > 64 && observer->own_range_count < room) {
        observer->own_ranges[observer->own_range_count++] =
            (struct outcome_range){first, bytes / 4};
        return;
    }
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (id_map_find(&observer->own_words, first + i) == ID_MAP_NONE &&
            !id_map_add(&observer->own_words, first + i, 0))
            observer->no_memory = true;
}

/* ---- memory ---------------------------------------------------------------------------------- */

struct outcome_memory {
    const struct outcome_observer *golden, *faulty;
    struct machine *other; /* whose memory the visited page is compared with */
    bool back;             /* the second way: only pages that the first has not */
    struct outcome *outcome;
};

static bool outcome_is_own(const struct outcome_observer *observer, uint64_t word)
{
    for (uint32_t i = 0; i < observer->own_range_count; i++)
        if (word - observer->own_ranges[i].first < observer->own_ranges[i].count)
            return true;
    return id_map_find(&observer->own_words, word) != ID_MAP_NONE;
}

static void outcome_page(void *context, enum memory_aperture aperture, uint64_t address,
                         const uint8_t *page)
{
    struct outcome_memory *memory = context;
    uint8_t other[MEMORY_PAGE_BYTES];
    static const uint8_t zeroes[MEMORY_PAGE_BYTES];

    if (!machine_read(memory->other, aperture, address, other, sizeof other))
        return;
    if (memory->back && memcmp(other, zeroes, sizeof other) != 0)
        return; /* it was seen on the way there */
    if (memcmp(page, other, sizeof other) == 0)
        return;
    for (uint32_t i = 0; i < sizeof other; i += 4) {
        const uint64_t word = (uint64_t)aperture << 63 | (address + i) / 4;

        if (memcmp(page + i, other + i, 4) == 0 || outcome_is_own(memory->golden, word) ||
            outcome_is_own(memory->faulty, word))
            continue;
        if (memory->outcome->memory_words++ == 0 || word < memory->outcome->first_word)
            memory->outcome->first_word = word;
    }
}

static bool outcome_memory(const struct outcome_observer *golden,
                           const struct outcome_observer *faulty, struct outcome *outcome)
{
    struct outcome_memory memory = {.golden = golden, .faulty = faulty, .outcome = outcome};

    memory.other = faulty->machine;
    if (!memory_visit(&golden->machine->memory, outcome_page, &memory))
        return false;
    memory.other = golden->machine;
    memory.back = true;
    return memory_visit(&faulty->machine->memory, outcome_page, &memory);
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

/* Pointers to the results, sorted, and NULL behind them; NULL: no memory. */
static const struct outcome_result **outcome_sorted(const struct outcome_result *results,
                                                    uint32_t count)
{
    const struct outcome_result **sorted = malloc((count + (size_t)1) * sizeof *sorted);

    if (!sorted)
        return NULL;
    for (uint32_t i = 0; i < count; i++)
        sorted[i] = &results[i];
    qsort(sorted, count, sizeof *sorted, outcome_compare);
    sorted[count] = NULL;
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
    if (!victim) /* what came twice with the same value has hurt nobody */
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

/* Of one subject, a value that comes k times is paired with the same value in the other run, the
 * first with the first: in which order they come is no matter. */
static bool outcome_results(const struct outcome_observer *golden,
                            const struct outcome_observer *faulty, gfe_ps late_ps,
                            struct outcome *outcome)
{
    const struct outcome_result **const a = outcome_sorted(golden->results, golden->result_count);
    const struct outcome_result **const b = outcome_sorted(faulty->results, faulty->result_count);
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
    outcome->latency_ps = GFE_PS_NEVER;
    for (uint32_t i = 0; i < faulty->detection_count; i++) {
        const struct outcome_result *found = &faulty->detections[i];
        uint32_t before = 0, golden_count = 0;
        struct outcome_victim *victim;

        for (uint32_t k = 0; k <= i; k++)
            before += faulty->detections[k].value == found->value &&
                      faulty->detections[k].who == found->who;
        for (uint32_t k = 0; k < golden->detection_count; k++)
            golden_count += golden->detections[k].value == found->value &&
                            golden->detections[k].who == found->who;
        if (before <= golden_count || found->time_ps < acted_ps)
            continue;
        if (!outcome->detected_by) {
            outcome->detected_by = outcome_rows[found->row].kind;
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

static uint32_t outcome_submitted(const struct outcome_observer *observer, uint64_t who)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < observer->submission_count; i++)
        count += observer->submissions[i].who == who;
    return count;
}

/* Has somebody else been affected?  What a program did not submit any more, because it waits for
 * something else, is no wrong done to its other channels. */
static bool outcome_is_other(const struct outcome_observer *golden,
                             const struct outcome_observer *faulty,
                             const struct outcome_victim *victim, uint64_t owner)
{
    if (victim->who == owner || victim->who >> 56 != owner >> 56)
        return false;
    return victim->different + victim->detections > 0 ||
           (victim->missing > 0 && outcome_submitted(faulty, victim->who) >=
                                       outcome_submitted(golden, victim->who));
}

static bool outcome_hangs(const struct outcome_observer *golden,
                          const struct outcome_observer *faulty, const struct outcome *outcome)
{
    /* What has been torn down waits for ever, but nobody waits for it. */
    return faulty->watchdog || (faulty->open_waits > golden->open_waits && outcome->missing > 0 &&
                                faulty->recoveries <= golden->recoveries);
}

static void outcome_classify(const struct outcome_observer *golden,
                             const struct outcome_observer *faulty, uint64_t owner,
                             struct outcome *outcome)
{
    const bool hangs = outcome_hangs(golden, faulty, outcome);
    /* Work that was not done has left no memory: that is not corruption. */
    const bool corrupt = outcome->different > 0 || (!hangs && outcome->memory_words > 0);
    uint32_t classes = 0;

    if (outcome->late > 0)
        classes |= 1u << OUTCOME_SDC_TIMING;
    if (outcome->detected_by)
        classes |= 1u << OUTCOME_DETECTED;
    if (corrupt && !outcome->detected_by)
        classes |= 1u << OUTCOME_SDC_DATA;
    if (hangs)
        classes |= 1u << OUTCOME_HANG;
    if (outcome->missing > 0 && !hangs && !outcome->detected_by)
        classes |= 1u << OUTCOME_SDC_DATA;
    for (uint32_t i = 0; owner != UINT64_MAX && i < outcome->victim_count &&
                         i < OUTCOME_VICTIMS_MAX; i++)
        if (outcome_is_other(golden, faulty, &outcome->victims[i], owner))
            classes |= 1u << OUTCOME_COLLATERAL;
    outcome->recovered = outcome->detected_by && !hangs;
    outcome->classes = classes;
    outcome->most = classes == 0 ? OUTCOME_MASKED
                                 : (enum outcome_class)(31 - __builtin_clz(classes));
}

bool outcome_judge(const struct outcome_observer *golden, const struct outcome_observer *faulty,
                   uint64_t owner, gfe_ps acted_ps, gfe_ps late_ps, struct outcome *outcome)
{
    *outcome = (struct outcome){.latency_ps = GFE_PS_NEVER};
    if (acted_ps == GFE_PS_NEVER)
        return true;
    if (golden->no_memory || faulty->no_memory ||
        !outcome_results(golden, faulty, late_ps, outcome))
        return false;
    outcome_detections(golden, faulty, acted_ps, outcome);
    if (!outcome_hangs(golden, faulty, outcome) && !outcome_memory(golden, faulty, outcome))
        return false;
    outcome_classify(golden, faulty, owner, outcome);
    return true;
}
