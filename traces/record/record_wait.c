/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_wait.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/record_say.h"

enum { NS_PER_S = 1000000000, NAP_NS = 50000000, TELL_NS = 1000000000 };

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

bool record_wait_is_typed(const siginfo_t *info)
{
    return (info->si_signo == SIGINT || info->si_signo == SIGQUIT) && info->si_code == SI_KERNEL;
}

void record_wait_signal_children(int signal)
{
    char path[64];
    FILE *file;
    int child;

    (void)snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    file = fopen(path, "re");
    while (file && fscanf(file, "%d", &child) == 1)
        if (child > 1)
            (void)kill((pid_t)child, signal);
    if (file)
        fclose(file);
}

/* Reaps what has ended.  Returns false if there is no child left. */
static bool children_reap(struct record_wait *wait, bool *program_ended)
{
    int status = 0;
    pid_t ended;

    for (;;) {
        RETRY(ended, waitpid(-1, &status, WNOHANG));
        if (ended <= 0)
            return ended == 0;
        if (ended == wait->program) {
            wait->wait_status = status;
            *program_ended = true;
        }
    }
}

void record_wait_program(struct record_wait *wait)
{
    bool ended = false;
    siginfo_t info;

    while (children_reap(wait, &ended) && !ended) {
        if (sigwaitinfo(wait->blocked, &info) < 0 || info.si_signo == SIGCHLD)
            continue;
        if (!record_wait_is_typed(&info))
            kill(wait->program, info.si_signo);
    }
}

/* Sleeps until a signal or `until_ns`.  Returns the signal that asks gfe to end, or 0. */
static int rest_sleep(const struct record_wait *wait, uint64_t until_ns)
{
    const uint64_t now_ns = clock_ns(), left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    const struct timespec left = {(time_t)(left_ns / NS_PER_S), (long)(left_ns % NS_PER_S)};
    siginfo_t info;

    if (sigtimedwait(wait->blocked, &info, until_ns == UINT64_MAX ? NULL : &left) <= 0 ||
        info.si_signo == SIGCHLD)
        return 0;
    if (!record_wait_is_typed(&info))
        record_wait_signal_children(info.si_signo);
    return info.si_signo;
}

void record_wait_rest(struct record_wait *wait)
{
    const uint64_t begin_ns = clock_ns();
    uint64_t last_ns = UINT64_MAX, tell_ns = wait->quiet || wait->end_rest ? UINT64_MAX : begin_ns;
    bool ended = false;

    if (tell_ns != UINT64_MAX)
        tell_ns += TELL_NS;
    while (children_reap(wait, &ended) && clock_ns() < last_ns) {
        const uint64_t now_ns = clock_ns();
        uint64_t until_ns = last_ns < tell_ns ? last_ns : tell_ns;

        if (now_ns >= tell_ns) {
            record_say("%s has ended; gfe waits for what it started and records that (Ctrl-C "
                       "stops the waiting, --end-rest ends what is left)",
                       wait->name);
            tell_ns = until_ns = UINT64_MAX;
        }
        if (wait->end_rest) {
            record_wait_signal_children(now_ns < begin_ns + RECORD_WAIT_TERM_NS ? SIGTERM
                                                                                : SIGKILL);
            until_ns = now_ns + NAP_NS;
        }
        if (last_ns != UINT64_MAX)
            until_ns = now_ns + NAP_NS;
        if (rest_sleep(wait, until_ns) != 0 && last_ns == UINT64_MAX)
            last_ns = clock_ns() + RECORD_WAIT_LAST_NS;
    }
}
