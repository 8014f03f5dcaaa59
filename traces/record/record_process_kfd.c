/* SPDX-License-Identifier: MIT */
/*
 * The stand-in for KFD in a process: its calls, the thread that works on its queues, and its
 * doorbells.
 *
 * The program sees the page of doorbells for reading only.  A store there is a SIGSEGV, whose
 * handler carries it out in our view of the page and records it, so that no value is lost and their
 * order is that of the stores.  The program's own action for SIGSEGV is kept for all other faults
 * (record_process_kfd_trap.c).
 *
 * The queues' thread has all signals blocked and ends with the process.  It takes the lock of all
 * processes for each round.  Records wait in a buffer for at most FLUSH_NS after the queues became
 * idle; a program that is killed loses no more, and one that calls _exit() nothing (record_exit.c).
 */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/kfd/record_kfd_live.h"
#include "traces/record/kfd/record_kfd_tree.h"
#include "traces/record/kfd/record_kfd_uapi.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_process_kfd.h"
#include "traces/record/record_tree.h"
#include "traces/record/nouveau/record_uapi.h"

enum { NAP_NS = 20000, NAP_MAX_NS = 500000, FLUSH_NS = 2000000 };

/* ---- nodes ----------------------------------------------------------------------------------- */

void record_process_kfd_nodes(void)
{
    struct record_process_state *state = record_process_state();
    struct stat status;

    for (unsigned i = 0;
         state->kfd_board_count > 0 && !state->passing && i <= state->kfd_board_count; i++) {
        char node[64], path[PATH_MAX];

        record_kfd_tree_node(node, sizeof node, i);
        if ((size_t)snprintf(path, sizeof path, "%s%s", state->tree, node) < sizeof path &&
            state->real.fstatat(AT_FDCWD, path, &status, 0) == 0)
            state->kfd_nodes[i] = (struct record_process_node){status.st_dev, status.st_ino};
    }
}

bool record_process_is_kfd(void)
{
    record_process_real();
    return record_process_state()->kfd_board_count > 0;
}

bool record_process_tree_has(const char *path)
{
    return record_process_is_kfd() ? record_kfd_tree_has(path) : record_tree_has(path);
}

/* 0: KFD's, n: the render node of the n-th GPU, -1: none. */
static int node_of(const struct stat *status)
{
    const struct record_process_state *state = record_process_state();

    for (unsigned i = 0; state->kfd_board_count > 0 && i <= state->kfd_board_count; i++)
        if (state->kfd_nodes[i].inode != 0 && state->kfd_nodes[i].inode == status->st_ino &&
            state->kfd_nodes[i].device == status->st_dev)
            return (int)i;
    return -1;
}

bool record_process_node_number(const struct stat *status, dev_t *number)
{
    int node;

    if (!record_process_is_kfd()) {
        *number = makedev(RECORD_TREE_MAJOR, RECORD_TREE_MINOR);
        return record_process_status_is_node(status);
    }
    node = node_of(status);
    *number = node == 0 ? makedev(RECORD_KFD_MAJOR, 0)
                        : makedev(RECORD_TREE_MAJOR, RECORD_KFD_RENDER_MINOR + (unsigned)node - 1);
    return node >= 0;
}

/* As in the kernel only the process that opened /dev/kfd can use it.  Whose an open file is, its
 * offset tells, which a node has no other use for and which follows dup(2) and SCM_RIGHTS. */
void record_process_kfd_opened(int fd)
{
    struct record_shared *shared;
    struct stat status;
    int node;

    if (!record_process_is_kfd() || record_process_real()->fstat(fd, &status) != 0)
        return;
    node = node_of(&status);
    shared = node >= 0 ? record_process_shared() : NULL;
    if (shared)
        shared->opened = 1;
    if (node == 0)
        (void)syscall(SYS_lseek, fd, (off_t)getpid(), SEEK_SET);
}

static bool is_own(int fd)
{
    return syscall(SYS_lseek, fd, (off_t)0, SEEK_CUR) == getpid();
}

/* ---- the queues' thread ---------------------------------------------------------------------- */

static void futex_wait(uint32_t *word, uint32_t seen, uint64_t ns)
{
    const struct timespec time = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};

    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, ns == UINT64_MAX ? NULL : &time, NULL, 0);
}

static void futex_wake(uint32_t *word)
{
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT32_MAX, NULL, NULL, 0);
}

void record_process_kfd_work(void)
{
    struct record_process_state *state = record_process_state();

    __atomic_add_fetch(&state->kfd_work, 1, __ATOMIC_RELEASE);
    futex_wake(&state->kfd_work);
}

bool record_process_kfd_ready(void)
{
    struct record_process_state *state = record_process_state();
    const bool failed = state->out.failed;
    struct gfe_error error = {0};
    bool ready = record_process_ready(-1, &error);

    if (ready && !record_process_part_ready(&error))
        state->out.failed = true; /* the program goes on */
    if (error.text[0])
        record_process_give_up(error.text);
    else if (state->out.failed && !failed && state->out.error.text[0])
        record_process_give_up(state->out.error.text);
    return ready;
}

/* One round.  Waiters are woken without the lock. */
static enum record_kfd_left round_make(bool flush)
{
    struct record_process_state *state = record_process_state();
    enum record_kfd_left left = RECORD_KFD_IDLE;
    struct record_process_guard guard;
    struct record_caller caller;
    uint32_t *events = record_kfd_event_word(state->kfd), before, after;

    record_process_enter(&guard);
    before = *events;
    if (record_process_kfd_ready()) {
        caller = record_process_caller();
        left = record_kfd_step(state->kfd, &caller);
        if (flush || state->ending) {
            record_out_flush(&state->out);
            record_kfd_live_flush(state->kfd, &caller, false);
        }
    }
    after = *events;
    record_process_leave(&guard);
    if (after != before)
        futex_wake(events);
    return left;
}

static void *queues_run(void *context)
{
    struct record_process_state *state = record_process_state();
    uint64_t nap_ns = NAP_NS, slept_ns = 0; /* since records went into the file */
    bool is_told = true;                    /* all records are in the file */

    (void)context;
    for (;;) {
        const uint32_t seen = __atomic_load_n(&state->kfd_work, __ATOMIC_ACQUIRE);

        const bool flush = slept_ns >= FLUSH_NS; /* the next wait may be long */

        slept_ns = flush ? 0 : slept_ns;
        switch (round_make(flush)) {
        case RECORD_KFD_BUSY:
            is_told = false;
            nap_ns = NAP_NS;
            sched_yield();
            break;
        case RECORD_KFD_WAITING:
            is_told = false;
            futex_wait(&state->kfd_work, seen, nap_ns);
            slept_ns += nap_ns;
            if (__atomic_load_n(&state->kfd_work, __ATOMIC_ACQUIRE) != seen)
                nap_ns = NAP_NS / 2;
            nap_ns = 2 * nap_ns < NAP_MAX_NS ? 2 * nap_ns : NAP_MAX_NS;
            break;
        default:
            futex_wait(&state->kfd_work, seen, is_told ? UINT64_MAX : FLUSH_NS);
            if (__atomic_load_n(&state->kfd_work, __ATOMIC_ACQUIRE) == seen) {
                (void)round_make(true);
                is_told = true;
            }
        }
    }
    return NULL;
}

/* Under the lock, with all signals blocked, which the thread inherits. */
void record_process_kfd_start(void)
{
    struct record_process_state *state = record_process_state();
    pthread_attr_t kind;
    pthread_t thread;

    if (state->kfd_thread || !record_kfd_has_queues(state->kfd) || pthread_attr_init(&kind) != 0)
        return;
    pthread_attr_setdetachstate(&kind, PTHREAD_CREATE_DETACHED);
    state->kfd_thread = pthread_create(&thread, &kind, queues_run, NULL) == 0;
    pthread_attr_destroy(&kind);
    if (!state->kfd_thread)
        record_process_give_up("the thread of the stand-in's queues could not be made");
}

/* ---- this process -----------------------------------------------------------------------------
 */

#ifdef RECORD_BROKEN
static void start_broken(struct record_kfd *kfd)
{
    static const struct {
        const char *name;
        enum record_kfd_fault fault;
    } rows[] = {
        {"copy", RECORD_KFD_FAULT_COPY},         {"fill", RECORD_KFD_FAULT_FILL},
        {"and", RECORD_KFD_FAULT_AND},           {"or", RECORD_KFD_FAULT_OR},
        {"barrier", RECORD_KFD_FAULT_BARRIER},   {"poll", RECORD_KFD_FAULT_POLL},
        {"fence", RECORD_KFD_FAULT_FENCE},       {"twice", RECORD_KFD_FAULT_TWICE},
        {"doorbell", RECORD_KFD_FAULT_DOORBELL}, {"drop", RECORD_KFD_FAULT_DROP},
        {"read", RECORD_KFD_FAULT_READ},         {"scratch", RECORD_KFD_FAULT_SCRATCH},
        {"event", RECORD_KFD_FAULT_EVENT},       {"untold", RECORD_KFD_FAULT_UNTOLD},
    };
    const char *name = getenv(RECORD_ENV_BREAK);

    if (name && strcmp(name, "silent") == 0)
        record_process_state()->out.failed = true;
    for (size_t i = 0; name && i < sizeof rows / sizeof rows[0]; i++)
        if (strcmp(name, rows[i].name) == 0)
            record_kfd_break(kfd, rows[i].fault);
}
#endif

/* A forked child's is new; its parent's threads may have been in the old one. */
bool record_process_kfd_make(struct gfe_error *error)
{
    struct record_process_state *state = record_process_state();

    state->kfd_thread = false;
    if (state->passing) {
        state->kfd_turn = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
        record_kfd_pass_boards(&state->shared->kfd_device, state->kfd_real);
    }
    state->kfd =
        record_kfd_new(state->kfd_boards, state->kfd_board_count, &state->out, &state->shared->kfd);
    if (!state->kfd || (state->passing && !record_process_kfd_pass_begin()))
        return error_set_errno(error, ENOMEM, "the recorder's driver");
#ifdef RECORD_BROKEN
    start_broken(state->kfd);
#endif
#ifdef RECORD_LIVE
    return state->passing ||
           record_process_live(state->kfd, state->kfd_boards[0]->gpu, state->directory, error);
#endif
    return true;
}

/* ---- calls ------------------------------------------------------------------------------------
 */

/* One look.  *word and *seen: what to sleep on when it says AGAIN, until wait->deadline_ns. */
static int answer_once(int node, unsigned long request, uint64_t argument, uint64_t *begin_ns,
                       struct record_kfd_wait *wait, uint32_t **word, uint32_t *seen)
{
    struct record_process_state *state = record_process_state();
    struct record_process_guard guard;
    struct record_caller caller;
    int result = -EIO;

    record_process_enter(&guard);
    if (record_process_kfd_ready()) {
        caller = record_process_caller();
        if (*begin_ns == UINT64_MAX)
            *begin_ns = caller.now_ns;
        caller.begin_ns = *begin_ns;
        *word = record_kfd_event_word(state->kfd);
        *seen = **word;
        if (node > 0)
            result = record_kfd_drm(state->kfd, &caller, (unsigned)node - 1, request, argument);
        else
            result = record_kfd_ioctl(state->kfd, &caller, request, argument, wait);
        record_process_kfd_start();
        if (state->ending)
            record_out_flush(&state->out);
    }
    record_process_leave(&guard);
    return result;
}

static int answer(int node, unsigned long request, uint64_t argument)
{
    struct record_kfd_wait wait = {0};
    uint64_t begin_ns = UINT64_MAX;
    uint32_t *word = NULL, seen = 0, now;
    int result;

    while ((result = answer_once(node, request, argument, &begin_ns, &wait, &word, &seen)) ==
           RECORD_KFD_AGAIN) {
        const uint64_t now_ns = record_process_caller().now_ns;

        if (wait.deadline_ns == UINT64_MAX)
            futex_wait(word, seen, UINT64_MAX);
        else if (wait.deadline_ns > now_ns)
            futex_wait(word, seen, wait.deadline_ns - now_ns);
    }
    now = word ? __atomic_load_n(word, __ATOMIC_ACQUIRE) : seen;
    if (now != seen)
        futex_wake(word);
    record_process_nap(wait.takes_ns);
    return result;
}

bool record_process_kfd_ioctl(int fd, unsigned long request, uint64_t argument, int *result)
{
    struct stat status;
    int node;

    if (record_process_is_kfd() && record_process_state()->passing) {
        if (record_process_inside() || _IOC_TYPE(request) != KFD_TYPE ||
            record_process_real()->fstat(fd, &status) != 0 ||
            !record_process_status_is_node(&status) || !record_process_shared())
            return false;
        *result = record_process_kfd_pass_ioctl(fd, request, argument);
        return true;
    }
    if (!record_process_is_kfd() || record_process_inside() ||
        record_process_real()->fstat(fd, &status) != 0)
        return false;
    node = node_of(&status);
    if (node < 0 || !record_process_shared())
        return false;
    if ((node == 0) != (_IOC_TYPE(request) == KFD_TYPE))
        *result = -ENOTTY;
    else
        *result = node == 0 && !is_own(fd) ? -EBADF : answer(node, request, argument);
    if (*result == 0)
        return true;
    errno = -*result;
    *result = -1;
    return true;
}

/* ---- mmap(2) ----------------------------------------------------------------------------------
 */

static void *map_part(const struct record_kfd_mapping *mapping, void *at, size_t bytes,
                      int protection, int flags)
{
    struct record_process_state *state = record_process_state();
    const bool caught = mapping->is_doorbells && record_process_kfd_trap();
    void *mapped;

    if (caught)
        protection = PROT_READ;
    mapped = (void *)syscall(SYS_mmap, at, bytes, protection, flags, mapping->fd, mapping->offset);
    if (mapped != MAP_FAILED && mapping->is_doorbells) {
        (void)madvise(mapped, bytes, MADV_DONTFORK); /* as the kernel's */
        record_kfd_doorbells_at(state->kfd, mapping->gpu, mapped, bytes, caught);
        record_process_kfd_work(); /* the queue was there first */
    }
    return mapped;
}

bool record_process_kfd_map(const struct stat *status, void *at, size_t bytes, int protection,
                            int flags, off_t offset, void **mapped)
{
    struct record_process_state *state = record_process_state();
    struct record_kfd_mapping mapping;
    struct record_process_guard guard;

    if (state->kfd_board_count == 0 || record_process_inside() || node_of(status) < 0 ||
        !record_process_shared())
        return false;
    *mapped = MAP_FAILED;
    record_process_enter(&guard);
    if (record_process_kfd_ready() && record_kfd_map(state->kfd, (uint64_t)offset, bytes, &mapping))
        *mapped = map_part(&mapping, at, bytes, protection, flags);
    else
        errno = EINVAL;
    record_process_leave(&guard);
    return true;
}
