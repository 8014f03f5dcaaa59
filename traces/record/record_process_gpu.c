/* SPDX-License-Identifier: MIT */
/*
 * The thread that runs the emulated GPU behind the stand-in for nouveau (`gfe live`): Mesa looks
 * for its fences in memory, without a call.  All its signals are blocked; it takes the lock of all
 * processes for each round, sleeps until the emulation's next event is due, and when nothing is,
 * until the next call.  What the log has to say is in its file FLUSH_NS later.
 */
#undef _FORTIFY_SOURCE
#include <config.h>

#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/nouveau/record_nouveau_live.h"
#include "traces/record/record_process_state.h"

enum { NS_PER_S = 1000000000, NAP_NS = 20000, FLUSH_NS = 2000000 };

void record_process_nap(uint64_t ns)
{
    struct timespec left = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};

    while (ns > 0 && nanosleep(&left, &left) != 0 && errno == EINTR)
        ;
}

/* One round: how long nothing will be due, UINT64_MAX: for ever. */
static uint64_t round_make(bool flush)
{
    struct record_process_state *state = record_process_state();
    struct record_process_guard guard;
    struct gfe_error error = {0};
    uint64_t next_ns = UINT64_MAX, now_ns = 0;

    record_process_enter(&guard);
    if (record_process_ready(-1, &error)) {
        now_ns = record_process_caller().now_ns;
        record_nouveau_live_run(state->nouveau, now_ns, &next_ns);
        if (flush || state->ending)
            record_nouveau_live_flush(state->nouveau, now_ns, false);
    }
    record_process_leave(&guard);
    return next_ns == UINT64_MAX ? UINT64_MAX : next_ns > now_ns ? next_ns - now_ns : 0;
}

static void *gpu_run(void *context)
{
    struct record_process_state *state = record_process_state();
    bool is_told = true; /* the log's file has all */

    (void)context;
    for (;;) {
        const uint32_t seen = __atomic_load_n(&state->gpu_work, __ATOMIC_ACQUIRE);
        const uint64_t left_ns = round_make(false);
        const uint64_t idle_ns = is_told ? UINT64_MAX : FLUSH_NS;
        const uint64_t ns = left_ns < NAP_NS ? NAP_NS : left_ns < idle_ns ? left_ns : idle_ns;
        const struct timespec time = {(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};

        syscall(SYS_futex, &state->gpu_work, FUTEX_WAIT_PRIVATE, seen,
                ns == UINT64_MAX ? NULL : &time, NULL, 0);
        if (__atomic_load_n(&state->gpu_work, __ATOMIC_ACQUIRE) != seen) {
            is_told = false;
        } else if (left_ns >= FLUSH_NS && !is_told) {
            (void)round_make(true);
            is_told = true;
        }
    }
    return NULL;
}

void record_process_gpu_work(void)
{
    struct record_process_state *state = record_process_state();
    pthread_attr_t kind;
    pthread_t thread;

    __atomic_add_fetch(&state->gpu_work, 1, __ATOMIC_RELEASE);
    if (state->gpu_thread) {
        syscall(SYS_futex, &state->gpu_work, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
        return;
    }
    if (pthread_attr_init(&kind) != 0)
        return;
    pthread_attr_setdetachstate(&kind, PTHREAD_CREATE_DETACHED);
    state->gpu_thread = pthread_create(&thread, &kind, gpu_run, NULL) == 0;
    pthread_attr_destroy(&kind);
    if (!state->gpu_thread)
        record_process_give_up("the thread of the emulated GPU could not be made");
}
