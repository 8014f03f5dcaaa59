/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/outcome.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "emu/faults/inject.h"
#include "emu/log/event_list.h"
#include "firmware-models/bare/bare_tables.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "firmware-models/rm/rm_tables.h"

enum {
    OUTCOME_NO_ROW = 0xff,
    OUTCOME_NO_ARGUMENT = 0xff,
    OUTCOME_VALUES = 3,
};

/* Subjects, as `who` numbers them; and what kinds that vendors share name: NVIDIA's channel, of AMD
 * the queue, or the slot that it was in, which is no matter, as the end of the packet follows. */
enum outcome_subject {
    OUTCOME_NOBODY,
    OUTCOME_CHANNEL,
    OUTCOME_QUEUE,
    OUTCOME_THREAD,
    OUTCOME_STREAM,
    OUTCOME_CHANNEL_OR_QUEUE,
    OUTCOME_CHANNEL_OR_SLOT,
    OUTCOME_WHO_WAITS, /* as the wait's subject_kind says */
};

/* What events say.  The observer hears the machine itself, so kinds are those of this build: their
 * numbers stand beside their names, as one of one vendor's firmware may be another's too. */
/* clang-format off */
#define ROW(kind, ...) {#kind, EVENT_##kind, __VA_ARGS__}
static const struct outcome_row {
    const char *kind;
    uint32_t number;
    enum outcome_role role;
    enum outcome_subject subject;
    const char *who;
    const char *values[OUTCOME_VALUES];
} outcome_rows[] = {
    ROW(NV_RELEASE, OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {"address", "value"}),
    ROW(NV_INLINE_WRITE, OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {"address", "byte_count"}),
    ROW(NV_NOTIFY, OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {"address"}),
    ROW(COPY_END, OUTCOME_RESULT, OUTCOME_CHANNEL_OR_QUEUE, "channel_id", {"byte_count"}),
    ROW(GRID_END, OUTCOME_RESULT, OUTCOME_CHANNEL_OR_SLOT, "channel_id", {NULL}),
    ROW(WORK_END, OUTCOME_RESULT, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(CUDA_COMPLETE, OUTCOME_RESULT, OUTCOME_STREAM, "stream_id", {NULL}),
    ROW(CPU_WAIT_END, OUTCOME_RESULT, OUTCOME_THREAD, "thread_index", {NULL}),
    ROW(AMD_SIGNAL, OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"signal_address", "value"}),
    ROW(AMD_WRITE, OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"address", "value"}),
    ROW(AMD_PACKET_END, OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"code"}),
    ROW(AMD_SDMA_WRITE, OUTCOME_RESULT, OUTCOME_QUEUE, "doorbell_index", {"address", "value"}),
    ROW(HIP_RETURN, OUTCOME_RESULT, OUTCOME_THREAD, "plugin_index", {"iteration_index"}),
    ROW(NV_PBDMA_INTR, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(NV_BIND_ERROR, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(NV_SCHED_ERROR, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(NV_MMU_FAULT, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(NV_ENGINE_ERROR, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(NV_CE_LAUNCHERR, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(NV_CTXSW_TIMEOUT, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(DRIVER_ERROR, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(DRIVER_KILL, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_MMU_FAULT, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_GR, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_PBDMA, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_PBDMA_1, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_REMOVAL, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_CRC, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_XID_CTXSW, OUTCOME_DETECTION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_RC_NOTIFIER, OUTCOME_RECOVERY, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(RM_RC_END, OUTCOME_RECOVERY, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(DRIVER_RC_END, OUTCOME_RECOVERY, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(AMD_VM_FAULT, OUTCOME_DETECTION, OUTCOME_QUEUE, "doorbell_index", {NULL}),
    ROW(AMD_REFUSED, OUTCOME_DETECTION, OUTCOME_QUEUE, "doorbell_index", {NULL}),
    ROW(AMD_SDMA_FAULT, OUTCOME_DETECTION, OUTCOME_QUEUE, "doorbell_index", {NULL}),
    ROW(AMDGPU_CP_ERROR, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(AMDGPU_IH_OVERFLOW, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_NO_PASID, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_EXCEPTION, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(HWS_STOP, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(HWS_REFUSED, OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}),
    ROW(HWS_SDMA_REFUSED, OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}),
    ROW(KFD_NOT_PREEMPTED, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_HQD_TIMEOUT, OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}),
    ROW(KFD_SDMA_TIMEOUT, OUTCOME_DETECTION, OUTCOME_QUEUE, "queue_id", {NULL}),
    /* Its process is told, and has no queues any more: it does not wait. */
    ROW(KFD_EVICT, OUTCOME_RECOVERY, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_QUEUE_RESET, OUTCOME_RECOVERY, OUTCOME_QUEUE, "queue_id", {NULL}),
    ROW(KFD_RESET, OUTCOME_RECOVERY, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_FENCE_TIMEOUT, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_HANG, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_QUIESCE_FAILED, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(KFD_RESUME_FAILED, OUTCOME_DETECTION, OUTCOME_NOBODY, NULL, {NULL}),
    ROW(NV_DOORBELL, OUTCOME_SUBMISSION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(NV_NOTIFY_PENDING, OUTCOME_SUBMISSION, OUTCOME_CHANNEL, "channel_id", {NULL}),
    ROW(AMD_DOORBELL, OUTCOME_SUBMISSION, OUTCOME_QUEUE, "doorbell_index", {NULL}),
    ROW(AMD_SDMA_DOORBELL, OUTCOME_SUBMISSION, OUTCOME_QUEUE, "doorbell_index", {NULL}),
    ROW(WAIT_OPEN, OUTCOME_OPEN, OUTCOME_WHO_WAITS, "subject_id", {"subject_kind"}),
    ROW(DRIVER_CHANNEL, OUTCOME_PLACE, OUTCOME_CHANNEL, "channel_id", {"tsg_id", "runlist_id"}),
    ROW(RM_CHANNEL, OUTCOME_PLACE, OUTCOME_CHANNEL, "channel_id", {"tsg_id", "runlist_id"}),
    ROW(BARE_CHANNEL_MADE, OUTCOME_PLACE, OUTCOME_CHANNEL, "channel_id", {"tsg_id"}),
    ROW(CUDA_STREAM, OUTCOME_PLACE, OUTCOME_STREAM, "stream_id", {"process_id"}),
    ROW(CUDA_CHANNEL, OUTCOME_PLACE, OUTCOME_STREAM, "stream_id", {"channel_id"}),
    ROW(CUDA_STREAM_CHANNEL, OUTCOME_PLACE, OUTCOME_STREAM, "stream_id", {"channel_id"}),
    ROW(KFD_QUEUE, OUTCOME_PLACE, OUTCOME_QUEUE, "queue_id", {"pasid"}),
};
#undef ROW
/* clang-format on */
enum { OUTCOME_ROWS = sizeof outcome_rows / sizeof outcome_rows[0] };

const char *outcome_row_kind(uint32_t row)
{
    return outcome_rows[row].kind;
}

bool outcome_row_ends(uint32_t row)
{
    return outcome_rows[row].role == OUTCOME_RECOVERY ||
           outcome_rows[row].number == EVENT_DRIVER_KILL || outcome_row_aborts(row);
}

bool outcome_row_aborts(uint32_t row)
{
    return outcome_rows[row].number == EVENT_AMD_REFUSED;
}

const char *outcome_class_name(enum outcome_class class_)
{
    static const char *const names[] = {"Not activated", "Masked", "SDC-timing", "Detected",
                                        "SDC-data",      "Hang",   "Collateral", "Breach"};

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

void outcome_owners_add(struct outcome_owners *owners, uint64_t who)
{
    uint32_t at = owners->count;

    if (outcome_owners_have(owners, who))
        return;
    assert(owners->count < INJECT_FAULTS_MAX);
    for (; at > 0 && owners->who[at - 1] > who; at--)
        owners->who[at] = owners->who[at - 1];
    owners->who[at] = who;
    owners->count++;
}

bool outcome_owners_have(const struct outcome_owners *owners, uint64_t who)
{
    for (uint32_t i = 0; i < owners->count; i++)
        if (owners->who[i] == who)
            return true;
    return false;
}

bool outcome_owners_other(const struct outcome_owners *owners, uint64_t who)
{
    return owners->count > 0 && who >> 56 == owners->who[0] >> 56 &&
           !outcome_owners_have(owners, who);
}

void outcome_owners_text(const struct outcome_owners *owners, char text[OUTCOME_OWNERS_BYTES])
{
    size_t at = 0;

    text[0] = '\0';
    for (uint32_t i = 0; i < owners->count && at < OUTCOME_OWNERS_BYTES; i++) {
        char who[32];

        outcome_who(owners->who[i], who, sizeof who);
        at +=
            (size_t)snprintf(text + at, OUTCOME_OWNERS_BYTES - at, "%s%s", i > 0 ? " + " : "", who);
    }
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

static void outcome_bind(struct outcome_observer *observer, uint32_t number,
                         const struct event_kind_row *kind)
{
    for (uint32_t row = 0; row < OUTCOME_ROWS; row++) {
        if (outcome_rows[row].number != number || strcmp(outcome_rows[row].kind, kind->name) != 0 ||
            (observer->has_queues && outcome_rows[row].subject == OUTCOME_CHANNEL_OR_SLOT))
            continue;
        observer->row_of_kind[number] = (uint8_t)row;
        observer->argument_at[row][0] = outcome_argument(kind, outcome_rows[row].who);
        for (uint32_t i = 0; i < OUTCOME_VALUES; i++)
            observer->argument_at[row][1 + i] = outcome_argument(kind, outcome_rows[row].values[i]);
    }
}

void outcome_observe(struct outcome_observer *observer, struct machine *machine)
{
    _Static_assert(OUTCOME_ROWS <= sizeof observer->argument_at / sizeof observer->argument_at[0],
                   "each row has its arguments");
    *observer =
        (struct outcome_observer){.machine = machine,
                                  .has_queues = outcome_owner(machine->inject->sites.holder, 0) ==
                                                outcome_subject(OUTCOME_QUEUE, 0),
                                  .isolation = &outcome_isolation_default};
    memset(observer->row_of_kind, OUTCOME_NO_ROW, sizeof observer->row_of_kind);
    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->event_count; i++)
            outcome_bind(observer, machine->tables[t]->base + i, &machine->tables[t]->events[i]);
    machine->inject->observer = observer;
}

void outcome_fini(struct outcome_observer *observer)
{
    memory_image_free(observer->memory);
    for (uint32_t role = 0; role < OUTCOME_ROLES; role++)
        free(observer->lists[role].rows);
    id_map_fini(&observer->own_words);
    outcome_places_fini(&observer->places);
}

bool outcome_list_add(struct outcome_list *list, const struct outcome_result *rows, uint32_t count)
{
    if (count > list->capacity - list->count) {
        const uint32_t capacity = 2 * list->capacity + count + 255;
        void *more = realloc(list->rows, capacity * sizeof *rows);

        if (!more)
            return false;
        list->rows = more;
        list->capacity = capacity;
    }
    if (count > 0)
        memcpy(list->rows + list->count, rows, count * sizeof *rows);
    list->count += count;
    return true;
}

static uint64_t outcome_mix(uint64_t hash, uint64_t value)
{
    hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

static enum outcome_subject outcome_subject_of(const struct outcome_observer *observer,
                                               uint32_t row)
{
    const enum outcome_subject subject = outcome_rows[row].subject;

    if (subject != OUTCOME_CHANNEL_OR_QUEUE && subject != OUTCOME_CHANNEL_OR_SLOT)
        return subject;
    return observer->has_queues ? OUTCOME_QUEUE : OUTCOME_CHANNEL;
}

static enum outcome_subject outcome_waits(uint64_t subject_kind)
{
    return subject_kind == SUBJECT_CHANNEL  ? OUTCOME_CHANNEL
           : subject_kind == SUBJECT_QUEUE  ? OUTCOME_QUEUE
           : subject_kind == SUBJECT_THREAD ? OUTCOME_THREAD
                                            : OUTCOME_NOBODY;
}

/* A queue that was stopped or taken off for an error is torn down: its waiting is no hang.  Nor is
 * the order of a recording, when the thread that comes first has ended with a call that failed. */
static bool outcome_is_over(uint32_t kind, uint32_t rule, const uint64_t *arguments)
{
    enum { BLOCKER_KIND = 3, TOLD = 4, TOLD_NOT = 0 };

    /* A refusal that no program can hear of is no detection.  ASSUMED: a recording without the
     * signal lacks it alone, because ROCr gives one to each AQL queue (amd_aql_queue.cpp). */
    if (kind == EVENT_AMD_REFUSED)
        return arguments[TOLD] == TOLD_NOT;
    if (kind != EVENT_WAIT_OPEN)
        return false;
    return rule == RULE_AMD_STOPPED || rule == RULE_KFD_EVICT || rule == RULE_A_H_REFUSED ||
           (rule == RULE_GFE_SUBMITTED && arguments[BLOCKER_KIND] == SUBJECT_THREAD);
}

/* ---- where channels and queues belong -------------------------------------------------------- */

/* The numbers of processes of different kinds, none of which is 0. */
enum { PROCESS_CUDA = 1, PROCESS_PASID };

static uint64_t outcome_process(uint32_t kind, uint64_t number)
{
    return outcome_mix(kind, number) | 1;
}

/* The channel that a stream holds is of the stream's process. */
static void outcome_place_stream(struct outcome_places *places, uint64_t stream, uint64_t channel)
{
    const struct outcome_place *holds = outcome_place_of(places, stream);
    const uint64_t process = holds ? holds->process : 0;
    struct outcome_place *held =
        outcome_place_of(places, outcome_subject(OUTCOME_CHANNEL, channel));

    if (held && process != 0)
        held->process = process;
}

static bool outcome_place_take(struct outcome_observer *observer, uint32_t kind, uint64_t who,
                               const uint64_t *values, uint32_t value_count)
{
    struct outcome_place *place = outcome_place_of(&observer->places, who);

    if (!place)
        return false;
    switch (kind) {
    case EVENT_CUDA_STREAM:
        place->process = outcome_process(PROCESS_CUDA, values[0]);
        return true;
    case EVENT_CUDA_CHANNEL:
    case EVENT_CUDA_STREAM_CHANNEL:
        outcome_place_stream(&observer->places, who, values[0]);
        return true;
    case EVENT_KFD_QUEUE:
        place->process = outcome_process(PROCESS_PASID, values[0]);
        place->context = who;
        return true;
    default:
        place->context = outcome_mix(value_count > 1 ? values[1] + 1 : 0, values[0]) | 1;
        return true;
    }
}

/* A channel that has work is bound: its instance block names its page tables. */
static void outcome_place_space(struct outcome_observer *observer, uint64_t who)
{
    const struct inject_sites *sites = &observer->machine->inject->sites;
    struct outcome_place *place;

    if (!sites->space_of)
        return;
    place = outcome_place_of(&observer->places, who);
    if (!place)
        observer->no_memory = true;
    if (place && place->space == 0)
        place->space = sites->space_of(observer->machine, who & ((UINT64_C(1) << 56) - 1));
}

static void outcome_place_event(struct outcome_observer *observer, uint32_t kind, uint32_t row,
                                uint64_t who, const uint64_t *arguments)
{
    const uint8_t *at = observer->argument_at[row];
    uint64_t values[OUTCOME_VALUES];
    uint32_t count = 0;

    while (count < OUTCOME_VALUES && at[1 + count] != OUTCOME_NO_ARGUMENT) {
        values[count] = arguments[at[1 + count]];
        count++;
    }
    if (!outcome_place_take(observer, kind, who, values, count))
        observer->no_memory = true;
}

/* Channels that had no work, but are bound. */
static void outcome_place_rest(struct outcome_observer *observer)
{
    const uint64_t channels = outcome_subject(OUTCOME_CHANNEL, 0) >> 56;

    for (uint32_t i = 0; i < observer->places.count; i++)
        if (observer->places.rows[i].who >> 56 == channels)
            outcome_place_space(observer, observer->places.rows[i].who);
}

bool outcome_keep_memory(struct outcome_observer *observer)
{
    outcome_place_rest(observer);
    memory_image_free(observer->memory);
    observer->memory = memory_take(&observer->machine->memory);
    return observer->memory != NULL;
}

void outcome_take(void *context, uint32_t kind, uint32_t rule, const uint64_t *arguments)
{
    struct outcome_observer *observer = context;
    const uint32_t row = observer->row_of_kind[kind];
    const uint8_t *at = observer->argument_at[row == OUTCOME_NO_ROW ? 0 : row];
    enum outcome_subject subject;
    struct outcome_result result;

    if (row == OUTCOME_NO_ROW || outcome_is_over(kind, rule, arguments))
        return;
    result = (struct outcome_result){
        .time_ps = machine_now(observer->machine), .row = row, .value = outcome_mix(0, row)};
    subject = outcome_rows[row].subject == OUTCOME_WHO_WAITS ? outcome_waits(arguments[at[1]])
                                                             : outcome_subject_of(observer, row);
    if (at[0] != OUTCOME_NO_ARGUMENT && subject != OUTCOME_NOBODY)
        result.who = outcome_subject(subject, arguments[at[0]]);
    if (outcome_rows[row].role == OUTCOME_PLACE) {
        outcome_place_event(observer, kind, row, result.who, arguments);
        return;
    }
    if (outcome_rows[row].role == OUTCOME_SUBMISSION && !observer->golden)
        outcome_place_space(observer, result.who);
    for (uint32_t i = 1; i <= OUTCOME_VALUES; i++)
        if (at[i] != OUTCOME_NO_ARGUMENT)
            result.value = outcome_mix(result.value, arguments[at[i]]);
    if (!outcome_list_add(&observer->lists[outcome_rows[row].role], &result, 1))
        observer->no_memory = true;
    if (outcome_row_aborts(row) &&
        !outcome_list_add(&observer->lists[OUTCOME_RECOVERY], &result, 1))
        observer->no_memory = true;
}

bool outcome_is_own(const struct outcome_observer *observer, uint64_t word)
{
    for (uint32_t i = 0; i < observer->own_range_count; i++)
        if (word - observer->own_ranges[i].first < observer->own_ranges[i].count)
            return true;
    return id_map_find(&observer->own_words, word) != ID_MAP_NONE;
}

static bool outcome_has_range(const struct outcome_observer *observer, uint64_t first,
                              uint32_t words)
{
    for (uint32_t i = 0; observer && i < observer->own_range_count; i++)
        if (observer->own_ranges[i].first == first && observer->own_ranges[i].count >= words)
            return true;
    return false;
}

/* Long ranges beyond the first few are kept word by word. */
void outcome_take_own(void *context, enum memory_aperture aperture, uint64_t address,
                      uint32_t bytes)
{
    struct outcome_observer *observer = context;
    const uint64_t first = (uint64_t)aperture << 63 | address / 4;
    const uint32_t room = sizeof observer->own_ranges / sizeof observer->own_ranges[0];

    if (outcome_has_range(observer, first, bytes / 4) ||
        outcome_has_range(observer->golden, first, bytes / 4))
        return;
    if (bytes > 64 && observer->own_range_count < room) {
        observer->own_ranges[observer->own_range_count++] =
            (struct outcome_range){first, bytes / 4};
        return;
    }
    for (uint32_t i = 0; i < bytes / 4; i++)
        if (!(observer->golden && outcome_is_own(observer->golden, first + i)) &&
            id_map_find(&observer->own_words, first + i) == ID_MAP_NONE &&
            !id_map_add(&observer->own_words, first + i, 0))
            observer->no_memory = true;
}
