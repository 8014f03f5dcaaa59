/* SPDX-License-Identifier: MIT */
/*
 * Calls above a real driver.  The recorder looks before and after each call, with the lock of all
 * processes; the call itself is made without the lock.  A wait is made with the program's own
 * signals and cancellation.  A submission, which no other may overtake, is made without both.
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "traces/record/record_process_state.h"

/* ---- the functions behind -------------------------------------------------------------------- */

static int next_ioctl(void *context, int fd, unsigned long request, void *argument)
{
    const int result = record_process_real()->ioctl(fd, request, argument);

    (void)context;
    return result < 0 ? -errno : result;
}

static void *next_map(void *context, int fd, uint64_t offset, uint64_t bytes)
{
    void *at = record_process_real()->mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                                           (off_t)offset);

    (void)context;
    return at == MAP_FAILED ? NULL : at;
}

bool record_process_pass_begin(void)
{
    struct record_process_state *state = record_process_state();
    const struct record_pass_next next = {.ioctl = next_ioctl, .map = next_map};

    return record_pass_begin(state->nouveau, &state->shared->device, &next);
}

/* ---- looking --------------------------------------------------------------------------------- */

/* Under the lock: is there something to record with?  What went wrong is told once. */
static bool recorder_ready(void)
{
    struct record_process_state *state = record_process_state();
    const bool failed = state->out.failed;
    struct gfe_error error = {0};
    const bool ready = record_process_ready(-1, &error) && record_process_part_ready(&error);

    if (error.text[0])
        record_process_give_up(error.text);
    else if (state->out.failed && !failed && state->out.error.text[0])
        record_process_give_up(state->out.error.text);
    return ready && !state->out.failed;
}

void record_process_pass_look(const struct record_caller *caller)
{
    struct record_process_state *state = record_process_state();

    if (state->passing && state->nouveau)
        record_pass_look_idle(state->nouveau, caller);
}

static void look_before(struct record_pass_call *call)
{
    const struct record_process_state *state = record_process_state();
    struct record_caller caller;

    if (!recorder_ready())
        return;
    caller = record_process_caller();
    record_pass_before(state->nouveau, &caller, call);
}

static void look_after(struct record_pass_call *call, int result)
{
    struct record_process_state *state = record_process_state();
    struct record_caller caller;

    if (!state->nouveau || !recorder_ready())
        return;
    caller = record_process_caller();
    record_pass_after(state->nouveau, &caller, call, result);
    if (result >= 0 && record_pass_is_ordered(call->request))
        record_process_submitted();
    if (state->ending)
        record_out_flush(&state->out);
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* Under the lock, which is left meanwhile: the turn of the file that `fd` is of; NULL when it
 * cannot be known. */
static pthread_mutex_t *turn_take(int fd)
{
    const struct record_process_state *state = record_process_state();

    while (recorder_ready()) {
        struct record_caller caller = record_process_caller();
        pthread_mutex_t *turn = record_pass_order(state->nouveau, &caller, fd);
        int result;

        if (!turn)
            return NULL;
        record_process_unlock();
        result = pthread_mutex_lock(turn);
        if (result == EOWNERDEAD) /* what it did is done, or was never taken */
            result = pthread_mutex_consistent(turn);
        record_process_lock();
        if (result != 0)
            return NULL;
        if (recorder_ready() && record_pass_order(state->nouveau, &caller, fd) == turn)
            return turn;
        pthread_mutex_unlock(turn); /* the descriptor is another file's by now */
    }
    return NULL;
}

static int ordered_ioctl(struct record_pass_call *call)
{
    struct record_process_guard guard;
    pthread_mutex_t *turn;
    int result;

    record_process_enter(&guard);
    turn = turn_take(call->fd);
    look_before(call);
    record_process_unlock();
    result = next_ioctl(NULL, call->fd, call->request, (void *)(uintptr_t)call->argument);
    record_process_lock();
    look_after(call, result);
    if (turn)
        pthread_mutex_unlock(turn);
    record_process_leave(&guard);
    return result;
}

static int plain_ioctl(struct record_pass_call *call)
{
    struct record_process_guard guard;
    int result;

    record_process_enter(&guard);
    look_before(call);
    record_process_leave(&guard);
    result = next_ioctl(NULL, call->fd, call->request, (void *)(uintptr_t)call->argument);
    if (!call->is_looked_at)
        return result;
    record_process_enter(&guard);
    look_after(call, result);
    record_process_leave(&guard);
    return result;
}

int record_process_pass_ioctl(int fd, unsigned long request, void *argument)
{
    struct record_pass_call call = {.fd = fd, .request = request, .argument = (uintptr_t)argument};
    int result;

    if (!record_process_shared())
        return record_process_real()->ioctl(fd, request, argument);
    result = record_pass_is_ordered(request) ? ordered_ioctl(&call) : plain_ioctl(&call);
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

void record_process_mapped(int fd, off_t offset, size_t bytes)
{
    const struct record_process_state *state = record_process_state();
    const int saved_errno = errno;
    struct record_process_guard guard;
    struct record_caller caller;
    struct stat status;
    bool is_node;

    if (record_process_real()->fstat(fd, &status) != 0 || !record_process_shared())
        return;
    is_node = record_process_status_is_node(&status);
    if (!is_node && !record_pass_may_be_dmabuf(record_shared_driver(state->shared), status.st_dev,
                                               status.st_ino))
        return;
    record_process_enter(&guard);
    if (recorder_ready()) {
        caller = record_process_caller();
        record_pass_mapped(state->nouveau, &caller, fd, is_node, (uint64_t)offset, bytes);
    }
    record_process_leave(&guard);
    errno = saved_errno;
}

/* So that it is known from the beginning where calls go. */
static __attribute__((constructor)) void recorder_begin(void)
{
    record_process_real();
}
