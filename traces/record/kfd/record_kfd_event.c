/* SPDX-License-Identifier: MIT */
/*
 * KFD's events: what a program waits for in WAIT_EVENTS.  A packet's signal names one by its
 * mailbox and number.  Numbers count from 1; the slot in the page of mailboxes is the number.
 *
 * As in amdkfd's kfd_events.c an interrupt with a number counts only when something was written
 * into its mailbox, where the program has given their page (ROCm does, for GPUs with memory of
 * their own); the driver then makes the mailbox empty again.
 */
#include <config.h>

#include <errno.h>
#include <string.h>

#include "traces/record/kfd/record_kfd_private.h"
#include "traces/record/record_user.h"

enum { EVENTS_PER_WAIT_MAX = KFD_EVENTS_MAX };
#define MAILBOX_EMPTY UINT64_MAX

static void tell(struct record_kfd *kfd, const struct record_caller *caller,
                 enum trace_event_what what, uint32_t event_id)
{
    struct trace_record record = {0};

    record.event.client_id = kfd->client_id;
    record.event.what = (uint8_t)what;
    record.event.event_id = event_id;
    record.event.kind = kfd->events[event_id].type;
    record.event.auto_reset = kfd->events[event_id].auto_reset;
    record_out_put(kfd->out, caller, TRACE_EVENT, &record);
}

static void mailboxes_begin(struct record_kfd *kfd, const struct record_kfd_object *page)
{
    if (kfd->mailboxes != 0 || page->is_user)
        return;
    kfd->mailboxes = page->va;
    memset(page->host, 0xff, KFD_EVENTS_MAX * sizeof(uint64_t));
}

/* Returns the mailbox of the event, or NULL if it is not in memory. */
static uint64_t *mailbox_of(const struct record_kfd *kfd, uint32_t event_id)
{
    const uint64_t va = kfd->mailboxes + event_id * sizeof(uint64_t);
    uint64_t there = 0;
    const struct record_kfd_object *object =
        kfd->mailboxes ? record_kfd_object_at(kfd, va, &there) : NULL;

    return object && there >= sizeof va ? (uint64_t *)(void *)(object->host + (va - object->va))
                                        : NULL;
}

int record_kfd_create_event(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_create_event *create)
{
    const struct record_kfd_object *page = NULL;
    uint32_t id = 1;

    while (id < KFD_EVENTS_MAX && kfd->events[id].used)
        id++;
    if (id == KFD_EVENTS_MAX)
        return -ENOSPC;
    /* In: the memory object that the mailboxes are in, if the program made it. */
    if (create->page_offset != 0) {
        page = record_kfd_object_of_handle(kfd, create->page_offset);
        if (!page || page->bytes < KFD_EVENTS_MAX * sizeof(uint64_t))
            return -EINVAL;
        mailboxes_begin(kfd, page);
    }
    kfd->events[id] = (struct record_kfd_event){
        .used = true, .auto_reset = create->auto_reset, .type = create->type};
    create->event_id = create->trigger_data = create->slot = id;
    /* 0 would tell the thunk that there are no mailboxes. */
    create->page_offset = KFD_MMAP_TYPE_EVENTS;
    tell(kfd, caller, TRACE_EVENT_CREATE, id);
    return 0;
}

void record_kfd_event_enter(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct kfd_create_event *create)
{
    if (create->event_id >= KFD_EVENTS_MAX)
        return;
    kfd->events[create->event_id] = (struct record_kfd_event){
        .used = true, .auto_reset = create->auto_reset, .type = create->type};
    tell(kfd, caller, TRACE_EVENT_CREATE, create->event_id);
}

static void changed(struct record_kfd *kfd)
{
    __atomic_add_fetch(&kfd->event_count, 1, __ATOMIC_RELEASE);
}

uint32_t *record_kfd_event_word(struct record_kfd *kfd)
{
    return &kfd->event_count;
}

static struct record_kfd_event *event_find(struct record_kfd *kfd, uint32_t event_id)
{
    return event_id < KFD_EVENTS_MAX && kfd->events[event_id].used ? &kfd->events[event_id] : NULL;
}

/* Sets an event, as set_event() of kfd_events.c does.  All calls that wait have it, whenever they
 * wake up.  A later call finds it only if no call waited, or if the event does not reset itself. */
static void set(struct record_kfd *kfd, struct record_kfd_event *event)
{
    event->signaled = !event->auto_reset || event->waiters == 0;
    event->set = ++kfd->event_sets;
}

int record_kfd_event_number(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr,
                            const struct kfd_event_number *which)
{
    struct record_kfd_event *event = event_find(kfd, which->event_id);

    if (!event)
        return -EINVAL;
    tell(kfd, caller,
         nr == KFD_DESTROY_EVENT ? TRACE_EVENT_DESTROY
         : nr == KFD_SET_EVENT   ? TRACE_EVENT_SET
                                 : TRACE_EVENT_RESET,
         which->event_id);
    if (nr == KFD_DESTROY_EVENT)
        event->used = false;
    else if (nr == KFD_SET_EVENT)
        set(kfd, event);
    else
        event->signaled = false;
    changed(kfd);
    return 0;
}

void record_kfd_event_fire(struct record_kfd *kfd, uint32_t event_id)
{
    struct record_kfd_event *event = event_find(kfd, event_id);
    uint64_t *mailbox = event ? mailbox_of(kfd, event_id) : NULL;

    if (!event || record_kfd_is_broken(kfd, RECORD_KFD_FAULT_EVENT))
        return;
    if (mailbox && __atomic_exchange_n(mailbox, MAILBOX_EMPTY, __ATOMIC_ACQ_REL) == MAILBOX_EMPTY)
        return;
    set(kfd, event);
    changed(kfd);
}

uint32_t record_kfd_event_except(struct record_kfd *kfd, uint32_t type,
                                 const union record_kfd_exception_data *data)
{
    uint32_t count = 0;

    for (uint32_t id = 1; id < KFD_EVENTS_MAX; id++) {
        struct record_kfd_event *event = &kfd->events[id];

        if (!event->used || event->type != type)
            continue;
        set(kfd, event);
        event->exception = *data;
        count++;
    }
    if (count > 0)
        changed(kfd);
    return count;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static bool ids_read(uint64_t pointer, uint32_t count, uint32_t *ids)
{
    for (uint32_t i = 0; i < count; i++) {
        struct kfd_event_data data;

        if (!record_user_read(&data, pointer + i * sizeof data, sizeof data))
            return false;
        ids[i] = data.event_id;
    }
    return true;
}

/* What came with those that have happened. */
static bool exceptions_write(const struct record_kfd *kfd, uint64_t pointer, const uint32_t *ids,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct record_kfd_event *event = &kfd->events[ids[i]];

        if ((event->signaled || event->set > 0) &&
            (event->type == RECORD_KFD_MEMORY_EXCEPTION ||
             event->type == RECORD_KFD_HW_EXCEPTION) &&
            !record_user_write(pointer + i * sizeof(struct kfd_event_data), &event->exception,
                               sizeof event->exception))
            return false;
    }
    return true;
}

/* Have enough of them happened?  Then those that reset themselves do. */
static bool satisfied(struct record_kfd *kfd, const struct record_kfd_wait *state, uint64_t pointer,
                      const uint32_t *ids, uint32_t count, bool all)
{
    uint32_t there = 0;

    for (uint32_t i = 0; i < count; i++)
        there += kfd->events[ids[i]].signaled ||
                 (state->waits && kfd->events[ids[i]].set > state->since);
    if (all ? there < count : there == 0)
        return false;
    (void)exceptions_write(kfd, pointer, ids, count); /* it could be read */
    for (uint32_t i = 0; i < count; i++)
        if (kfd->events[ids[i]].auto_reset)
            kfd->events[ids[i]].signaled = false;
    return true;
}

static void tell_wait(struct record_kfd *kfd, const struct record_caller *caller,
                      const struct kfd_wait_events *wait, const uint32_t *ids)
{
    struct trace_record record = {0};

    record.event_wait.client_id = kfd->client_id;
    record.event_wait.events =
        (struct trace_bytes){(const uint8_t *)ids, wait->count * (uint32_t)sizeof *ids};
    record.event_wait.all = wait->all != 0;
    record.event_wait.timeout_ms = wait->timeout_ms;
    record.event_wait.begin_ns = caller->begin_ns;
    record.event_wait.end_ns = caller->now_ns;
    record.event_wait.timed_out = wait->result == KFD_WAIT_TIMEOUT;
    record_out_put(kfd->out, caller, TRACE_EVENT_WAIT, &record);
}

/* Notes that a call begins to wait for its events, or stops.  Ended events are left out. */
static void wait_turn(struct record_kfd *kfd, struct record_kfd_wait *state, const uint32_t *ids,
                      uint32_t count, bool waits)
{
    if (state->waits == waits)
        return;
    state->waits = waits;
    state->since = kfd->event_sets;
    for (uint32_t i = 0; i < count; i++) {
        struct record_kfd_event *event = event_find(kfd, ids[i]);

        if (event && (waits || event->waiters > 0))
            event->waiters += waits ? 1 : UINT32_MAX;
    }
}

int record_kfd_wait_events(struct record_kfd *kfd, const struct record_caller *caller,
                           struct kfd_wait_events *wait, struct record_kfd_wait *state)
{
    uint32_t ids[EVENTS_PER_WAIT_MAX];

    wait->result = KFD_WAIT_FAIL;
    if (wait->count == 0 || wait->count > EVENTS_PER_WAIT_MAX)
        return -EINVAL;
    if (!ids_read(wait->pointer, wait->count, ids))
        return -EFAULT;
    for (uint32_t i = 0; i < wait->count; i++)
        if (!event_find(kfd, ids[i])) {
            const bool began = state->waits; /* the event was ended while it was waited for */

            wait_turn(kfd, state, ids, wait->count, false);
            return began ? -EIO : -EINVAL;
        }
    state->deadline_ns = wait->timeout_ms == KFD_TIMEOUT_NEVER
                             ? UINT64_MAX
                             : caller->begin_ns + (uint64_t)wait->timeout_ms * 1000000;
    if (satisfied(kfd, state, wait->pointer, ids, wait->count, wait->all))
        wait->result = KFD_WAIT_COMPLETE;
    else if (caller->now_ns >= state->deadline_ns)
        wait->result = KFD_WAIT_TIMEOUT;
    else {
        wait_turn(kfd, state, ids, wait->count, true);
        return RECORD_KFD_AGAIN;
    }
    wait_turn(kfd, state, ids, wait->count, false);
    tell_wait(kfd, caller, wait, ids);
    return 0;
}

void record_kfd_wait_told(struct record_kfd *kfd, const struct record_caller *caller,
                          const struct kfd_wait_events *wait)
{
    uint32_t ids[EVENTS_PER_WAIT_MAX];

    if (wait->count > 0 && wait->count <= EVENTS_PER_WAIT_MAX &&
        ids_read(wait->pointer, wait->count, ids))
        tell_wait(kfd, caller, wait, ids);
}
