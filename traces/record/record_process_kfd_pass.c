/* SPDX-License-Identifier: MIT */
/*
 * Calls above a real KFD: around each the recorder looks, with the lock of all processes; the call
 * itself is made without it.  Calls of this process go down one after the other, with no signal in
 * between; a wait goes down beside them, with the program's own signals and cancellation.
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>

#include "traces/record/record_process_kfd.h"

/* ---- the functions behind -------------------------------------------------------------------- */

static void *next_map(void *context, int fd, uint64_t offset, uint64_t bytes)
{
    void *at = record_process_real()->mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
                                           (off_t)offset);

    (void)context;
    return at == MAP_FAILED ? NULL : at;
}

/* What is below may catch stores as we do (a recorder does): its handler is let in. */
static void next_store(void *context, void *address, uint64_t value, unsigned bytes)
{
    sigset_t fault;

    (void)context;
    sigemptyset(&fault);
    sigaddset(&fault, SIGSEGV);
    pthread_sigmask(SIG_UNBLOCK, &fault, NULL);
    if (bytes == sizeof value)
        __atomic_store_n((uint64_t *)address, value, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint32_t *)address, (uint32_t)value, __ATOMIC_RELEASE);
    pthread_sigmask(SIG_BLOCK, &fault, NULL);
}

bool record_process_kfd_pass_begin(void)
{
    struct record_process_state *state = record_process_state();
    const struct record_kfd_next next = {.map = next_map, .store = next_store};

    return record_kfd_pass_begin(state->kfd, &state->shared->kfd_device, &next);
}

/* ---- looking --------------------------------------------------------------------------------- */

static void look_before(struct record_kfd_call *call)
{
    struct record_process_state *state = record_process_state();
    struct record_caller caller;

    if (!record_process_kfd_ready())
        return;
    caller = record_process_caller();
    record_kfd_pass_before(state->kfd, &caller, call);
}

static void look_after(const struct record_kfd_call *call, int result)
{
    struct record_process_state *state = record_process_state();
    struct record_caller caller;

    if (!state->kfd || !record_process_kfd_ready())
        return;
    caller = record_process_caller();
    record_kfd_pass_after(state->kfd, &caller, call, result);
    record_process_kfd_start();
    if (state->ending)
        record_out_flush(&state->out);
}

void record_process_kfd_look(const struct record_caller *caller)
{
    struct record_process_state *state = record_process_state();

    if (state->passing && state->kfd)
        (void)record_kfd_step(state->kfd, caller);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static int real_ioctl(int fd, const struct record_kfd_call *call)
{
    const int result =
        record_process_real()->ioctl(fd, call->request, (void *)(uintptr_t)call->argument);

    return result < 0 ? -errno : result;
}

static int ordered_ioctl(int fd, struct record_kfd_call *call)
{
    struct record_process_state *state = record_process_state();
    struct record_process_guard guard;
    int result;

    record_process_enter(&guard);
    record_process_unlock();
    pthread_mutex_lock(&state->kfd_turn);
    record_process_lock();
    look_before(call);
    record_process_unlock();
    result = real_ioctl(fd, call);
    record_process_lock();
    look_after(call, result);
    pthread_mutex_unlock(&state->kfd_turn);
    record_process_leave(&guard);
    return result;
}

static int wait_ioctl(int fd, struct record_kfd_call *call)
{
    struct record_process_guard guard;
    int result;

    record_process_enter(&guard);
    look_before(call);
    record_process_leave(&guard);
    result = real_ioctl(fd, call);
    record_process_enter(&guard);
    look_after(call, result);
    record_process_leave(&guard);
    return result;
}

int record_process_kfd_pass_ioctl(int fd, unsigned long request, uint64_t argument)
{
    struct record_kfd_call call = {.request = request, .argument = argument};
    const int result =
        record_kfd_pass_is_wait(request) ? wait_ioctl(fd, &call) : ordered_ioctl(fd, &call);

    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

/* ---- mmap(2) --------------------------------------------------------------------------------- */

/* Under the lock.  Where stores can be caught, the program gets the page for reading only. */
static void *map_doorbells(void *at, size_t bytes, int protection, int flags, int fd, off_t offset,
                           unsigned gpu)
{
    struct record_process_state *state = record_process_state();
    const struct record_caller caller = record_process_caller();
    const bool caught = record_process_kfd_trap();
    void *own = NULL, *mapped;

    mapped =
        record_process_real()->mmap(at, bytes, caught ? PROT_READ : protection, flags, fd, offset);
    if (mapped == MAP_FAILED)
        return MAP_FAILED;
    if (caught)
        own = next_map(NULL, fd, (uint64_t)offset, bytes);
    if (own)
        (void)madvise(own, bytes, MADV_DONTFORK);
    else
        (void)mprotect(mapped, bytes, protection);
    record_kfd_pass_doorbells(state->kfd, &caller, gpu, mapped, bytes, own);
    record_process_kfd_work();
    return mapped;
}

void *record_process_kfd_pass_map(void *at, size_t bytes, int protection, int flags, int fd,
                                  off_t offset)
{
    struct record_process_state *state = record_process_state();
    void *mapped = MAP_FAILED;
    struct record_process_guard guard;
    struct stat status;
    bool is_ours = false;
    unsigned gpu;

    if ((protection & PROT_WRITE) && !record_process_inside() && record_process_shared() &&
        record_process_real()->fstat(fd, &status) == 0 && record_process_status_is_node(&status)) {
        record_process_enter(&guard);
        is_ours = record_process_kfd_ready() &&
                  record_kfd_pass_is_doorbells(state->kfd, (uint64_t)offset, &gpu);
        if (is_ours)
            mapped = map_doorbells(at, bytes, protection, flags, fd, offset, gpu);
        record_process_leave(&guard);
    }
    return is_ours ? mapped : record_process_real()->mmap(at, bytes, protection, flags, fd, offset);
}
