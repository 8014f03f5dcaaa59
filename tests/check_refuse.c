/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_refuse.h"

#include <check.h>
#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/check_long.h"

static bool is_filtered; /* this process, or the one that it was forked from */

#if CHECK_SANITIZED
/* LeakSanitizer asks whether it is to look for leaks at the end (sanitizer/lsan_interface.h). Calls
 * that it makes for that may be refused by now, which would be an error of its own, or wait for the
 * thread that answers, which it has stopped.  Its library finds the function by name. */
__attribute__((visibility("default"))) int __lsan_is_turned_off(void);
int __lsan_is_turned_off(void)
{
    return is_filtered;
}
#endif

static void rule_load(uint32_t action, int call, const struct scmp_arg_cmp *where, int *notify_fd)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);

    is_filtered = true;
    ck_assert_ptr_nonnull(filter);
    ck_assert_int_eq(seccomp_rule_add_array(filter, action, call, where != NULL, where), 0);
    ck_assert_int_eq(seccomp_load(filter), 0);
    if (notify_fd)
        *notify_fd = seccomp_notify_fd(filter);
    seccomp_release(filter);
}

void check_refuse_child(void (*tries)(void))
{
    const pid_t child = fork();
    int status;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        tries();
        exit(EXIT_SUCCESS);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

void check_refuse(int call, int error)
{
    rule_load(SCMP_ACT_ERRNO((uint32_t)error), call, NULL, NULL);
}

void check_refuse_where(int call, int error, unsigned place, uint64_t mask, uint64_t value)
{
    const struct scmp_arg_cmp where = {place, SCMP_CMP_MASKED_EQ, mask, value};

    rule_load(SCMP_ACT_ERRNO((uint32_t)error), call, &where, NULL);
}

/* ---- one call -------------------------------------------------------------------------------- */

/* What the thread that answers the kernel knows.  It began in front of the filter: its own calls
 * are not asked about. */
static struct {
    pthread_barrier_t loaded; /* the filter is there */
    int notify_fd, error;
    unsigned at;
    atomic_uint count;
} once;

static void *once_answer(void *unused)
{
    struct seccomp_notif *request = NULL;
    struct seccomp_notif_resp *response = NULL;

    (void)unused;
    if (seccomp_notify_alloc(&request, &response) != 0)
        _exit(EXIT_FAILURE);
    pthread_barrier_wait(&once.loaded);
    for (;;) {
        memset(request, 0, sizeof *request); /* seccomp_unotify(2) wants it so */
        if (seccomp_notify_receive(once.notify_fd, request) != 0)
            continue;
        memset(response, 0, sizeof *response);
        response->id = request->id;
        if (atomic_fetch_add(&once.count, 1) + 1 == once.at)
            response->error = -once.error;
        else
            response->flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
        (void)seccomp_notify_respond(once.notify_fd, response);
    }
    return NULL;
}

void check_refuse_once(int call, int error, unsigned at)
{
    pthread_t thread;

    once.error = error;
    once.at = at;
    ck_assert_int_eq(pthread_barrier_init(&once.loaded, NULL, 2), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, once_answer, NULL), 0);
    rule_load(SCMP_ACT_NOTIFY, call, NULL, &once.notify_fd);
    pthread_barrier_wait(&once.loaded);
}

unsigned check_refuse_count(void)
{
    return atomic_load(&once.count);
}
