/* SPDX-License-Identifier: MIT */
/*
 * Copies between the GPU's memory and the system's, in tests.  Both are mapped at fixed addresses,
 * as much as copies of some milliseconds need.  A GTX 1060 moves 12 bytes a nanosecond over the
 * link each way, and a PCE 48.192.  So a copy of COPY_LINK_BYTES takes COPY_LINK_PS if it runs
 * alone.
 */
#ifndef TESTS_CHECK_COPY_H
#define TESTS_CHECK_COPY_H

#include "tests/copy_methods.h"
#include "tests/event_member.h"

enum {
    COPY_SYSTEM = 0x20000000, /* virtual, 64 MiB of system memory */
    COPY_LOCAL = 0x28000000,  /* 64 MiB of video memory */
    COPY_MAPPED_BYTES = 64 << 20,
    COPY_LINK_BYTES = 12 * 1000 * 1000 / 32 * 32,
};
#define COPY_LINK_PS (GFE_PS_PER_S / 1000)

static inline void copy_map(struct check_machine *check)
{
    const struct address_space_range system = {.va = COPY_SYSTEM,
                                               .size_bytes = COPY_MAPPED_BYTES,
                                               .physical = 16 << 20,
                                               .space_id = check->space_id,
                                               .aperture = MEMORY_SYSMEM};
    struct address_space_range local = system;

    local.va = COPY_LOCAL;
    local.aperture = MEMORY_VRAM;
    local.physical = 64 << 20;
    ck_assert_int_eq(address_space_map(&check->machine->spaces, &system), ADDRESS_SPACE_OK);
    ck_assert_int_eq(address_space_map(&check->machine->spaces, &local), ADDRESS_SPACE_OK);
}

/* Methods for a copy of one line, on subchannel 4. */
#define COPY_LINE(from, to, bytes)                                                                 \
    PB_INC(4, 0x400, 8), 0, (uint32_t)(from), 0, (uint32_t)(to), 0, 0, (uint32_t)(bytes), 1,       \
        LAUNCH(PITCH_TO_PITCH)
#define COPY_UPLOAD(bytes)   COPY_LINE(COPY_SYSTEM, COPY_LOCAL, bytes)
#define COPY_DOWNLOAD(bytes) COPY_LINE(COPY_LOCAL + (32 << 20), COPY_SYSTEM + (32 << 20), bytes)

/* Returns the n-th event of a kind whose first argument is `copy_id`, or NULL. */
static inline const struct log_event *copy_event(const struct check_machine *check, uint32_t kind,
                                                 uint64_t copy_id, uint32_t n)
{
    for (uint32_t i = 0; check_machine_event(check, kind, i); i++)
        if (event_first(check_machine_event(check, kind, i)) == copy_id && n-- == 0)
            return check_machine_event(check, kind, i);
    return NULL;
}

/* Returns the time from a copy's start to its end. */
static inline gfe_ps copy_took(const struct check_machine *check, uint64_t copy_id)
{
    const struct log_event *start = copy_event(check, EVENT_COPY_START, copy_id, 0);
    const struct log_event *end = copy_event(check, EVENT_COPY_END, copy_id, 0);

    ck_assert_ptr_nonnull(start);
    ck_assert_ptr_nonnull(end);
    return end->time_ps - start->time_ps;
}

/* Returns the sum of a copy's waits by a rule, between its start and its end. */
static inline gfe_ps copy_waited(const struct check_machine *check, uint64_t copy_id, uint32_t rule)
{
    const gfe_ps start = copy_event(check, EVENT_COPY_START, copy_id, 0)->time_ps;
    const struct log_event *wait;
    gfe_ps sum = 0;

    for (uint32_t i = 0; (wait = check_machine_event(check, EVENT_WAIT, i)) != NULL; i++)
        if (wait->rule == rule && event_wait_of(wait).subject_kind == SUBJECT_COPY &&
            event_wait_of(wait).subject_id == copy_id && event_wait_of(wait).begin_ps >= start)
            sum += wait->time_ps - event_wait_of(wait).begin_ps;
    return sum;
}

/* Returns the n-th copy (from 0) of a channel in the log, or 0 if there is none. */
static inline uint64_t copy_of_channel(const struct check_machine *check, uint32_t channel_id,
                                       uint32_t n)
{
    for (uint32_t i = 0; check_machine_event(check, EVENT_COPY_QUEUE, i); i++)
        if (event_copy_queue_of(check_machine_event(check, EVENT_COPY_QUEUE, i)).channel_id ==
                channel_id &&
            n-- == 0)
            return event_copy_queue_of(check_machine_event(check, EVENT_COPY_QUEUE, i)).copy_id;
    return 0;
}

#endif
