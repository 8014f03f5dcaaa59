/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include "traces/record/record_process_state.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#include "traces/record/kfd/record_kfd_live.h"
#include "traces/record/nouveau/record_nouveau_live.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_state_file.h"
#include "traces/record/record_step.h"
#include "traces/record/nouveau/record_uapi.h"

enum { HOLD_TRIES = 100 };

/* ---- state ----------------------------------------------------------------------------------- */

static struct record_process_state state = {.once = PTHREAD_ONCE_INIT};

struct record_process_state *record_process_state(void)
{
    return &state;
}

/* The last submission that this thread made; whether it is in the library. */
static _Thread_local uint32_t thread_submission;
static _Thread_local bool thread_inside;

static void *real_find(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* POSIX lets a pointer from dlsym() be a function's; ISO C needs the detour. */
#define REAL_FIND(member)                                                                          \
    do {                                                                                           \
        void *found_ = real_find(#member);                                                         \
        memcpy(&state.real.member, &found_, sizeof found_);                                        \
    } while (0)

static void state_init(void)
{
    const char *directory = getenv(RECORD_ENV_DIRECTORY);
    const char *gpu = getenv(RECORD_ENV_GPU);
    const char *node = getenv(RECORD_ENV_NODE);
    const char *passing = getenv(RECORD_ENV_PASSING);
    unsigned long long device = 0, inode = 0;
    unsigned major, minor, gpus = 0;

    REAL_FIND(openat);
    REAL_FIND(fstatat);
    REAL_FIND(fstat);
    REAL_FIND(statx);
    REAL_FIND(ioctl);
    REAL_FIND(faccessat);
    REAL_FIND(access);
    REAL_FIND(readlink);
    REAL_FIND(realpath);
    REAL_FIND(fopen);
    REAL_FIND(fopen64);
    REAL_FIND(opendir);
    REAL_FIND(lseek);
    REAL_FIND(mmap);
    REAL_FIND(sigaction);
    REAL_FIND(_exit);
    state.board = gpu ? record_board_find(gpu) : NULL;
    if (!directory || strlen(directory) > sizeof state.directory - 64)
        return;
    if (gpu && !state.board)
        state.kfd_board_count = record_kfd_board_list(gpu, state.kfd_boards);
    state.passing = passing && sscanf(passing, "%u:%u:%u", &major, &minor, &gpus) >= 2;
    if (state.passing) {
        state.passing_node = makedev(major, minor);
        state.kfd_board_count = gpus <= RECORD_KFD_GPUS_MAX ? gpus : 0;
        for (unsigned i = 0; i < state.kfd_board_count; i++)
            state.kfd_boards[i] = &state.kfd_real[i];
    } else if (state.kfd_board_count == 0 &&
               (!state.board || !node || sscanf(node, "%llu:%llu", &device, &inode) != 2))
        return;
    state.node_device = (dev_t)device;
    state.node_inode = (ino_t)inode;
    strcpy(state.directory, directory);
    snprintf(state.tree, sizeof state.tree, "%.*s/" RECORD_NAME_TREE, (int)(sizeof state.tree - 64),
             directory);
    record_process_kfd_nodes();
}

const struct record_real *record_process_real(void)
{
    pthread_once(&state.once, state_init);
    return &state.real;
}

void record_process_path(char path[PATH_MAX], const char *name)
{
    snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 64, state.directory, name);
}

uint64_t record_process_clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct record_caller record_process_caller(void)
{
    const uint64_t now_ns = record_process_clock_ns(), start_ns = state.shared->start_ns;

    return (struct record_caller){.thread_id = (uint32_t)gettid(),
                                  .now_ns = now_ns > start_ns ? now_ns - start_ns : 0};
}

bool record_process_inside(void)
{
    return thread_inside;
}

/* Leaves the reason where `gfe record` finds it, and where --recover does.  A full disk has no room
 * for the latter. */
static void problem_write(const char *text)
{
    char path[PATH_MAX];
    int fd;

    if (state.shared && !state.shared->problem[0])
        snprintf(state.shared->problem, sizeof state.shared->problem, "%s", text);
    record_process_path(path, RECORD_NAME_PROBLEM);
    fd = record_process_real()->openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                       0600);
    if (fd < 0)
        return;
    if (write(fd, text, strlen(text)) < 0)
        unlink(path);
    close(fd);
}

/* ---- the shared state ------------------------------------------------------------------------ */

struct record_shared *record_process_shared(void)
{
    struct record_shared *expected = NULL, *shared = state.shared;
    struct gfe_error error = {0};

    if (shared || !state.directory[0] || state.is_out || thread_inside)
        return shared;
    thread_inside = true; /* for mmap(), which would ask again */
    shared = record_shared_open(state.directory, NULL, &error);
    thread_inside = false;
    if (!shared) {
        if (error.text[0])
            problem_write(error.text);
        state.is_out = true;
        return NULL;
    }
    if (atomic_compare_exchange_strong(&state.shared, &expected, shared))
        return shared;
    record_shared_close(shared); /* another thread was first */
    return expected;
}

void record_process_lock(void)
{
    if (record_shared_lock(state.shared))
        state.shared->repair_due = 1;
}

void record_process_unlock(void)
{
    record_shared_unlock(state.shared);
}

void record_process_enter(struct record_process_guard *guard)
{
    sigset_t all;

    sigfillset(&all);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &guard->cancel);
    pthread_sigmask(SIG_SETMASK, &all, &guard->signals);
    thread_inside = true;
    record_process_lock();
}

/* Whatever call it was that could not be recorded: its loss is told. */
static void failure_tell(void)
{
    if (!state.out.failed || state.failure_told || !state.out.error.text[0])
        return;
    state.failure_told = true;
    record_process_give_up(state.out.error.text);
}

void record_process_leave(const struct record_process_guard *guard)
{
    failure_tell();
    record_process_unlock();
    thread_inside = false;
    pthread_sigmask(SIG_SETMASK, &guard->signals, NULL);
    pthread_setcancelstate(guard->cancel, NULL);
}

bool record_process_recording(void)
{
    return state.alive && *state.alive && state.out.writer;
}

bool record_process_standing_in(void)
{
    record_process_real();
    return !state.passing && record_process_shared() != NULL;
}

bool record_process_passing(void)
{
    return state.passing;
}

/* ---- descriptors ----------------------------------------------------------------------------- */

/* Lets other processes reach the state through this one, when gfe record was killed. */
static void state_hold(void)
{
    struct record_shared *again = NULL;
    struct gfe_error error = {0};
    int fd = -1;

    if (!record_own_fd_good(&state.state_file)) {
        again = record_shared_open(state.directory, &fd, &error);
        record_shared_close(again);
        if (!again || !record_own_fd_take(&state.state_file, fd))
            return;
    }
    (void)record_state_file_link(state.directory, state.state_file.fd);
}

/* Keeps the directory from being cleaned away as long as this process lives. */
static void directory_hold(void)
{
    const struct timespec nap = {.tv_nsec = 1000000};
    char path[PATH_MAX];

    if (record_own_fd_good(&state.hold))
        return;
    state_hold();
    record_process_path(path, RECORD_NAME_LOCK);
    if (record_own_fd_take(&state.hold,
                           record_process_real()->openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC)))
        /* Another gfe record that looks for directories that were left has it for a moment. */
        for (int i = 0; i < HOLD_TRIES && flock(state.hold.fd, LOCK_SH | LOCK_NB) != 0; i++)
            nanosleep(&nap, NULL);
}

/* The two files of the memory, again if the program closed ours.  `fd` is the program's own
 * descriptor of the node, or -1. */
static bool files_ready(int fd, struct gfe_error *error)
{
    struct record_memory_files files = {-1, -1, -1};
    char path[64];

    if (record_own_fd_good(&state.memory_file) && record_own_fd_good(&state.saved_file))
        return true;
    if (!record_shared_files_open(state.shared, &files, error) && fd >= 0) {
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        files.memory_fd = record_process_real()->openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    }
    if (!record_own_fd_good(&state.memory_file) &&
        !record_own_fd_take(&state.memory_file, files.memory_fd))
        return false;
    if (files.saved_fd >= 0 && !record_own_fd_good(&state.saved_file))
        (void)record_own_fd_take(&state.saved_file, files.saved_fd);
    files = (struct record_memory_files){state.memory_file.fd, state.saved_file.fd, -1};
    *error = (struct gfe_error){0};
    if (state.memory)
        record_memory_set_files(state.memory, &files);
    return true;
}

/* ---- this process ---------------------------------------------------------------------------- */

#ifdef RECORD_BROKEN
static unsigned long die_at, die_steps;

/* The first child that is forked dies at a step. */
static void die_prepare(void)
{
    const char *name = getenv(RECORD_ENV_BREAK);
    char path[PATH_MAX];

    record_process_path(path, "dying");
    if (name && strncmp(name, "die:", 4) == 0 &&
        open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600) >= 0)
        die_at = strtoul(name + 4, NULL, 10);
}

void record_step(void)
{
    if (die_at != 0 && ++die_steps == die_at)
        kill(getpid(), SIGKILL);
}

static void start_broken(void)
{
    const char *name = getenv(RECORD_ENV_BREAK);

    if (!name)
        return;
    if (strcmp(name, "fence") == 0)
        record_nouveau_break(state.nouveau, RECORD_FAULT_FENCE);
    else if (strcmp(name, "offset") == 0)
        record_nouveau_break(state.nouveau, RECORD_FAULT_OFFSET);
    else if (strcmp(name, "pages") == 0)
        record_nouveau_break(state.nouveau, RECORD_FAULT_PAGES);
    else if (strcmp(name, "silent") == 0)
        record_nouveau_break(state.nouveau, RECORD_FAULT_SILENT);
}
#endif

static bool driver_make(struct gfe_error *error)
{
    const struct record_memory_files files = {state.memory_file.fd, state.saved_file.fd,
                                              state.state_file.fd};

    if (state.kfd_board_count > 0)
        return record_process_kfd_make(error);
    state.memory = record_memory_attach(&state.shared->memory, &files, error);
    if (!state.memory)
        return false;
    state.nouveau = record_nouveau_new(state.board, state.memory, &state.out,
                                       record_shared_driver(state.shared), state.directory);
    if (!state.nouveau || (state.passing && !record_process_pass_begin()))
        return error_set_errno(error, ENOMEM, "the recorder's driver");
#ifdef RECORD_BROKEN
    start_broken();
#endif
#ifdef RECORD_LIVE
    if (!state.passing &&
        !record_process_live_nouveau(state.nouveau, state.board->gpu, state.directory, error))
        return false;
#endif
    return true;
}

/* In a process that is new, also by fork(2): what was the parent's is left alone. */
static bool process_make(struct gfe_error *error)
{
    const struct record_memory_files files = {state.memory_file.fd, state.saved_file.fd,
                                              state.state_file.fd};
    const bool forked = state.alive != NULL;
    void *page = state.alive;

    if (!forked) {
        page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (page == MAP_FAILED || madvise(page, 4096, MADV_WIPEONFORK) != 0)
            return error_set_errno(error, errno, "a page that fork wipes");
        state.alive = page;
    }
    /* A writer of the parent's may be half way through something: it is not freed. */
    state.out = (struct record_out){.sequence = &state.shared->sequence};
    state.part = state.hold = (struct record_own_fd){.fd = -1};
    state.submission = 0;
    if ((!state.nouveau || state.kfd_board_count > 0) && !driver_make(error))
        return false;
    if (state.passing && forked && state.nouveau)
        record_pass_forked(state.nouveau);
    if (forked && state.nouveau && record_nouveau_is_live(state.nouveau))
        return error_set(error, ERROR_INPUT,
                         "gfe live: a process that forked uses its parent's GPU");
    state.out.process_id = record_shared_enter(state.shared, &files);
#ifdef RECORD_BROKEN
    if (forked)
        die_prepare();
#endif
    state.pid = getpid();
    *state.alive = 1;
    return true;
}

bool record_process_ready(int fd, struct gfe_error *error)
{
    if (state.kfd_board_count == 0 && !files_ready(fd, error))
        return false;
    if ((!state.alive || !*state.alive) && !process_make(error))
        return false;
    directory_hold();
    if (state.shared->repair_due) {
        if (state.nouveau)
            record_nouveau_repair(state.nouveau);
        state.shared->repair_due = 0;
    }
    return true;
}

void record_process_give_up(const char *text)
{
    problem_write(text);
    state.shared->over = 1;
}

/* ---- calls ----------------------------------------------------------------------------------- */

int record_process_open(int flags)
{
    struct gfe_error error = {0};
    struct record_caller caller;
    struct record_process_guard guard;
    int fd = -ENODEV;

    if (!record_process_shared()) {
        errno = ENODEV;
        return -1;
    }
    record_process_enter(&guard);
    if (record_process_ready(-1, &error)) {
        caller = record_process_caller();
        if (record_process_part_ready(&error))
            fd = record_nouveau_open(state.nouveau, &caller, flags);
    }
    if (error.text[0])
        problem_write(error.text);
    record_process_leave(&guard);
    if (fd >= 0)
        return fd;
    errno = -fd;
    return -1;
}

void record_process_submitted(void)
{
    state.submission = thread_submission = record_nouveau_submission(state.nouveau);
}

/* Under the lock.  *takes_ns: only after that the call should return. */
static int answer(int fd, unsigned long request, uint64_t argument, uint64_t *begin_ns,
                  uint64_t *takes_ns, struct gfe_error *error)
{
    struct record_caller caller;
    int result;

    if (!record_process_ready(fd, error))
        return -EIO;
    if (!record_process_part_ready(error))
        state.out.failed = true;
    caller = record_process_caller();
    if (*begin_ns == 0)
        *begin_ns = caller.now_ns;
    caller.begin_ns = *begin_ns;
    result = record_nouveau_ioctl(state.nouveau, &caller, fd, request, argument);
    *takes_ns = record_nouveau_live_takes(state.nouveau);
    if (record_nouveau_is_live(state.nouveau))
        record_process_gpu_work();
    if (_IOC_NR(request) == UAPI_PRIME_HANDLE_TO_FD && result == 0)
        state.shared->prime_count++;
    if (_IOC_NR(request) == UAPI_GEM_PUSHBUF || _IOC_NR(request) == UAPI_EXEC)
        record_process_submitted();
    if (state.ending)
        record_out_flush(&state.out);
    return result;
}

/* One look.  RECORD_NOUVEAU_AGAIN: another thread, or process, has yet to do something. */
static int answer_guarded(int fd, unsigned long request, uint64_t argument, uint64_t *begin_ns,
                          uint64_t *takes_ns)
{
    struct gfe_error error = {0};
    struct record_process_guard guard;
    int result;

    record_process_enter(&guard);
    result = answer(fd, request, argument, begin_ns, takes_ns, &error);
    if (error.text[0])
        record_process_give_up(error.text);
    record_process_leave(&guard);
    return result;
}

int record_process_ioctl(int fd, unsigned long request, uint64_t argument)
{
    const struct timespec nap = {.tv_nsec = 100000};
    uint64_t begin_ns = 0, takes_ns = 0;
    int result;

    if (state.passing)
        return record_process_pass_ioctl(fd, request, (void *)(uintptr_t)argument);
    if (!record_process_shared()) {
        errno = ENODEV;
        return -1;
    }
    while ((result = answer_guarded(fd, request, argument, &begin_ns, &takes_ns)) ==
           RECORD_NOUVEAU_AGAIN)
        nanosleep(&nap, NULL);
    record_process_nap(takes_ns);
    if (result == 0)
        return 0;
    errno = -result;
    return -1;
}

bool record_process_wait_begin(struct record_process_wait *wait)
{
    record_process_real();
    if (!record_process_recording())
        return false;
    wait->begin_ns = record_process_caller().now_ns;
    wait->submission_id = state.submission;
    return true;
}

void record_process_wait_end(const struct record_process_wait *wait, const char *call)
{
    const int saved_errno = errno;
    const uint32_t submission =
        thread_submission > wait->submission_id ? thread_submission : wait->submission_id;
    struct gfe_error error = {0};
    struct record_caller caller;
    struct record_process_guard guard;

    record_process_enter(&guard);
    if (record_process_ready(-1, &error) && state.out.writer && record_process_part_ready(&error)) {
        caller = record_process_caller();
        record_process_pass_look(&caller);
        record_process_kfd_look(&caller);
        if (state.nouveau)
            record_nouveau_wait(state.nouveau, &caller, call, wait->begin_ns, submission);
    }
    record_process_leave(&guard);
    errno = saved_errno;
}

/* Other libraries may still submit after this: see `ending`. */
__attribute__((destructor)) void record_process_end(void)
{
    struct gfe_error error = {0};
    struct record_process_guard guard;

    record_process_real();
    if (!state.alive || !*state.alive || (!state.out.writer && !state.out.tap) ||
        state.pid != getpid())
        return;
    record_process_enter(&guard);
    state.ending = true;
    if (record_process_part_ready(&error)) {
        const struct record_caller caller = record_process_caller();

        record_process_pass_look(&caller);
        record_process_kfd_look(&caller);
        record_out_flush(&state.out);
        if (state.kfd)
            record_kfd_live_flush(state.kfd, &caller, true);
        if (state.nouveau)
            record_nouveau_live_flush(state.nouveau, caller.now_ns, true);
    }
    record_process_leave(&guard);
}

const char *record_process_tree(void)
{
    return state.tree;
}

bool record_process_status_is_node(const struct stat *status)
{
    record_process_real();
    if (state.passing)
        return S_ISCHR(status->st_mode) && status->st_rdev == state.passing_node;
    return state.directory[0] && state.kfd_board_count == 0 &&
           status->st_dev == state.node_device && status->st_ino == state.node_inode;
}

bool record_process_prime(const struct stat *status, int *fd, uint64_t *offset)
{
    struct gfe_error error = {0};
    struct record_process_guard guard;
    bool found = false;

    if (!S_ISREG(status->st_mode) || thread_inside || !state.directory[0] || state.passing ||
        state.kfd_board_count > 0 || !record_process_shared() || state.shared->prime_count == 0)
        return false;
    record_process_enter(&guard);
    if (record_process_ready(-1, &error))
        found = record_nouveau_prime(state.nouveau, status->st_dev, status->st_ino, offset);
    *fd = state.memory_file.fd;
    record_process_leave(&guard);
    return found;
}
