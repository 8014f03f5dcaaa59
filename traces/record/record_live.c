/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/record_wait.h"

enum { NS_PER_S = 1000000000, REAP_NS = 10000000 };

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

/* ---- before -----------------------------------------------------------------------------------
 */

bool record_live_orders(const struct record_live *live, const char *directory,
                        struct gfe_error *error)
{
    const size_t bytes = strlen(live->orders);
    char *path = NULL;
    ssize_t written;
    int fd;

    /* What a process of the program leaves behind when it dies becomes our child. */
    if (prctl(PR_SET_CHILD_SUBREAPER, 1) != 0)
        return error_set_errno(error, errno, "live");
    if (asprintf(&path, "%s/live", directory) < 0)
        return error_set_errno(error, ENOMEM, "live");
    fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    RETRY(written, fd < 0 ? -1 : write(fd, live->orders, bytes));
    if (written < 0 || (size_t)written != bytes)
        error_set_errno(error, written < 0 ? errno : ENOSPC, "%s", path);
    if (fd >= 0)
        close(fd);
    free(path);
    return !error->text[0];
}

bool record_live_child(const struct record_live *live)
{
    return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
           (live->out_fd < 0 || dup2(live->out_fd, STDOUT_FILENO) >= 0) &&
           (live->err_fd < 0 || dup2(live->err_fd, STDERR_FILENO) >= 0);
}

/* ---- while it runs ----------------------------------------------------------------------------
 */

/* Waits for a signal until then; passes it on to the program if it is one of those. */
static void signal_wait(struct record_live *live, const sigset_t *blocked, pid_t program,
                        uint64_t until_ns)
{
    const uint64_t now_ns = clock_ns(), left_ns = until_ns > now_ns ? until_ns - now_ns : 0;
    const struct timespec left = {(time_t)(left_ns / NS_PER_S), (long)(left_ns % NS_PER_S)};
    siginfo_t info;

    if (sigtimedwait(blocked, &info, until_ns == UINT64_MAX ? NULL : &left) <= 0 ||
        info.si_signo == SIGCHLD)
        return;
    live->interrupted = info.si_signo;
    if (program > 0 && !record_wait_is_typed(&info))
        kill(program, info.si_signo);
}

/* Kills and reaps all that the program started and did not wait for.  Returns how many processes
 * died of it; children of those that are killed come next. */
static unsigned rest_kill(struct record_live *live, const sigset_t *blocked)
{
    unsigned count = 0;
    bool has_killed = false;
    int status = 0;
    pid_t ended;

    for (;;) {
        for (;;) {
            RETRY(ended, waitpid(-1, &status, WNOHANG));
            if (ended <= 0)
                break;
            count += has_killed && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        }
        if (ended < 0)
            return count;
        record_wait_signal_children(SIGKILL); /* by now all are the program's */
        has_killed = true;
        signal_wait(live, blocked, 0, clock_ns() + REAP_NS);
    }
}

int record_live_wait(struct record_live *live, pid_t program, const sigset_t *blocked)
{
    const uint64_t begin_ns = clock_ns();
    const uint64_t until_ns = live->timeout_ns == 0 ? UINT64_MAX : begin_ns + live->timeout_ns;
    pid_t ended;

    for (;;) {
        RETRY(ended, waitpid(program, &live->wait_status, WNOHANG));
        if (ended != 0)
            break;
        if (clock_ns() >= until_ns && !live->timed_out) {
            live->timed_out = true;
            kill(program, SIGKILL);
        }
        signal_wait(live, blocked, program, live->timed_out ? clock_ns() + REAP_NS : until_ns);
    }
    live->took_ns = clock_ns() - begin_ns;
    live->left_count = rest_kill(live, blocked);
    live->has_run = true;
    return live->wait_status;
}

bool record_live_collect(struct record_live *live, const char *directory, struct gfe_error *error)
{
    return !live->collect || live->collect(live->context, directory, error);
}
