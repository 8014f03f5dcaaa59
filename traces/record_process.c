/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include "traces/record_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "traces/record_nouveau.h"
#include "traces/record_preload.h"
#include "traces/record_uapi.h"

/* ---- state ---------------------------------------------------------------------------------- */

/* A descriptor of ours, and what it is of. */
struct own_fd {
    int fd;
    dev_t device;
    ino_t inode;
};

enum role {
    ROLE_UNDECIDED, /* no process has opened the node, as far as this one knows */
    ROLE_RECORDER,
    ROLE_BYSTANDER, /* another process records, or nothing can be recorded */
};

static struct {
    pthread_once_t once;
    struct record_real real;
    char directory[PATH_MAX]; /* empty: not under gfe record */
    char tree[PATH_MAX];
    const struct record_board *board;

    pthread_mutex_t lock;   /* for all below; not taken by a process that only inherited it */
    _Atomic enum role role; /* read without the lock */
    pid_t process;          /* whose role it is; set before */
    struct own_fd node, part;
    uint64_t start_ns;
    uint32_t client_count; /* opens of the node */
    bool ending;           /* main has returned: nothing may wait in a buffer */
    struct record_memory *memory;
    struct trace_writer *writer;
    struct record_out out;
    struct record_nouveau *nouveau;
} state = {.once = PTHREAD_ONCE_INIT, .lock = PTHREAD_MUTEX_INITIALIZER};

/* The last submission that this thread made. */
static _Thread_local uint32_t thread_submission;

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
    state.board = gpu ? record_board_find(gpu) : NULL;
    if (!directory || !state.board || strlen(directory) > sizeof state.directory - 64)
        return;
    strcpy(state.directory, directory);
    snprintf(state.tree, sizeof state.tree, "%.*s/" RECORD_NAME_TREE, (int)(sizeof state.tree - 64),
             directory);
}

const struct record_real *record_process_real(void)
{
    pthread_once(&state.once, state_init);
    return &state.real;
}

static void own_path(char path[PATH_MAX], const char *name)
{
    snprintf(path, PATH_MAX, "%.*s/%s", PATH_MAX - 64, state.directory, name);
}

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static struct record_caller caller_now(void)
{
    return (struct record_caller){.thread_id = (uint32_t)gettid(),
                                  .now_ns = clock_ns() - state.start_ns};
}

/* ---- recording ------------------------------------------------------------------------------ */

bool record_process_recording(void)
{
    return state.role == ROLE_RECORDER && state.process == getpid();
}

/* True while this process may see the stand-in: it records, or nobody does yet. */
bool record_process_standing_in(void)
{
    char path[PATH_MAX];

    record_process_real();
    if (!state.directory[0])
        return false;
    if (state.role == ROLE_RECORDER)
        return state.process == getpid();
    if (state.role == ROLE_UNDECIDED) {
        own_path(path, RECORD_NAME_CLAIM);
        if (record_process_real()->access(path, F_OK) == 0)
            state.role = ROLE_BYSTANDER;
    }
    return state.role == ROLE_UNDECIDED;
}

/* Leaves the reason where `gfe record` finds it. */
static void problem_write(const char *text)
{
    char path[PATH_MAX];
    int fd;

    own_path(path, RECORD_NAME_PROBLEM);
    fd = record_process_real()->openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                       0600);
    if (fd < 0)
        return;
    if (write(fd, text, strlen(text)) < 0)
        unlink(path);
    close(fd);
}

/* Moves a descriptor out of the way of the program's; keeps it if there is no room. */
static bool own_fd_take(struct own_fd *own, int fd)
{
    struct stat status;
    const int high = fcntl(fd, F_DUPFD_CLOEXEC, 900);

    if (high >= 0) {
        close(fd);
        fd = high;
    }
    if (record_process_real()->fstat(fd, &status) != 0)
        return false;
    *own = (struct own_fd){fd, status.st_dev, status.st_ino};
    return true;
}

static bool own_fd_good(const struct own_fd *own)
{
    struct stat status;

    return record_process_real()->fstat(own->fd, &status) == 0 && status.st_dev == own->device &&
           status.st_ino == own->inode;
}

static bool write_meta(const struct record_caller *caller)
{
    struct trace_record record = {0};
    struct utsname host;
    char text[sizeof host.sysname + sizeof host.release + sizeof host.machine + 2] = "";
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    if (uname(&host) == 0)
        snprintf(text, sizeof text, "%s %s %s", host.sysname, host.release, host.machine);
    record.meta.format = TRACE_FORMAT;
    record.meta.driver = record_out_str(RECORD_NOUVEAU_DRIVER);
    record.meta.gpu = record_out_str(state.board->gpu);
    record.meta.chipset = state.board->chipset;
    record.meta.pci_id = (uint32_t)state.board->pci_vendor << 16 | state.board->pci_device;
    record.meta.vram_bytes = (uint64_t)state.board->vram_mib << 20;
    record.meta.completions = TRACE_COMPLETIONS_STAND_IN;
    record.meta.recorder = record_out_str(PACKAGE_STRING);
    record.meta.host = record_out_str(text);
    record.meta.program = record_out_str(program_invocation_short_name);
    record.meta.epoch_ns = (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
    record_out_put(&state.out, caller, TRACE_META, &record);
    return !state.out.failed;
}

/* Keeps the directory from being swept as long as this process lives. */
static void directory_hold(void)
{
    char path[PATH_MAX];
    struct own_fd own;
    int fd;

    own_path(path, RECORD_NAME_LOCK);
    fd = record_process_real()->openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (fd >= 0 && own_fd_take(&own, fd))
        (void)flock(own.fd, LOCK_SH | LOCK_NB);
}

static bool start_files(struct gfe_error *error)
{
    char path[PATH_MAX];
    int fd;

    own_path(path, RECORD_NAME_CLAIM);
    fd = record_process_real()->openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                       0600);
    if (fd < 0)
        return false; /* another process was first: no message */
    close(fd);
    directory_hold();
    own_path(path, RECORD_NAME_PART);
    fd = record_process_real()->openat(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
                                       0600);
    if (fd < 0 || !own_fd_take(&state.part, fd))
        return error_set_errno(error, errno, "%s", path);
    state.memory = record_memory_new(error);
    if (!state.memory)
        return false;
    if (!own_fd_take(&state.node, record_memory_fd(state.memory)))
        return error_set_errno(error, errno, "memory of the stand-in");
    record_memory_fd_set(state.memory, state.node.fd);
    return true;
}

#ifdef RECORD_BROKEN
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
}
#endif

static bool start_recorder(struct gfe_error *error)
{
    struct record_caller caller;

    if (!start_files(error))
        return false;
    state.writer = trace_writer_new(state.part.fd, RECORD_NAME_PART, error);
    if (!state.writer)
        return false;
    state.out = (struct record_out){.writer = state.writer, .process_id = (uint32_t)getpid()};
    state.start_ns = clock_ns();
    caller = caller_now();
    if (!write_meta(&caller)) {
        *error = state.out.error;
        return false;
    }
    state.nouveau = record_nouveau_new(state.board, state.memory, &state.out, &caller);
    if (!state.nouveau)
        return error_set_errno(error, ENOMEM, "the stand-in's driver");
#ifdef RECORD_BROKEN
    start_broken();
#endif
    record_out_flush(&state.out); /* killed now, it is a trace without submissions */
    return true;
}

/* Under the lock.  What was made stays until the process ends: the state is never taken down. */
static bool recorder_ready(void)
{
    struct gfe_error error = {0};

    if (state.role == ROLE_UNDECIDED) {
        state.process = getpid();
        state.role = start_recorder(&error) ? ROLE_RECORDER : ROLE_BYSTANDER;
        if (error.text[0])
            problem_write(error.text);
    }
    return record_process_recording();
}

/* Under the lock.  `fd` is the program's descriptor of the node: a spare for ours.  Without the
 * part file recording stops; the answers go on. */
static bool recorder_check(int fd)
{
    if (!own_fd_good(&state.node)) {
        if (!own_fd_take(&state.node, fcntl(fd, F_DUPFD_CLOEXEC, 0)))
            return false;
        record_memory_fd_set(state.memory, state.node.fd);
    }
    if (!state.out.failed && !own_fd_good(&state.part))
        state.out.failed = !error_set(&state.out.error, ERROR_SYSTEM,
                                      "the program closed the recorder's file descriptor");
    return true;
}

/* The client of a descriptor: its number is the position of the open file, which nobody else uses
 * and which copies of the descriptor share, in whatever process.  0: the position cannot be had. */
static uint32_t client_of(int fd)
{
    const off_t position = lseek(fd, 0, SEEK_CUR);

    return position > 0 && position <= (off_t)UINT32_MAX ? (uint32_t)position : 0;
}

/* Under the lock, which is free while it waits for what another thread has yet to do. */
static int ioctl_answer(int fd, unsigned long request, uint64_t argument)
{
    const struct timespec nap = {.tv_nsec = 100000};
    struct record_caller caller = caller_now();
    const uint64_t begin_ns = caller.now_ns;

    for (;;) {
        int result;

        caller.begin_ns = begin_ns;
        caller.client_id = client_of(fd);
        if (!recorder_check(fd))
            return -EIO;
        result = record_nouveau_ioctl(state.nouveau, &caller, request, argument);
        if (result != RECORD_NOUVEAU_AGAIN)
            return result;
        pthread_mutex_unlock(&state.lock);
        nanosleep(&nap, NULL);
        pthread_mutex_lock(&state.lock);
        caller = caller_now();
    }
}

int record_process_ioctl(int fd, unsigned long request, uint64_t argument)
{
    bool failed;
    int result;

    pthread_mutex_lock(&state.lock);
    failed = state.out.failed;
    result = ioctl_answer(fd, request, argument);
    if (_IOC_NR(request) == UAPI_GEM_PUSHBUF || _IOC_NR(request) == UAPI_EXEC)
        thread_submission = record_nouveau_submission(state.nouveau);
    if (state.ending)
        record_out_flush(&state.out);
    if (state.out.failed && !failed)
        problem_write(state.out.error.text);
    pthread_mutex_unlock(&state.lock);
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
    pthread_mutex_lock(&state.lock);
    wait->begin_ns = caller_now().now_ns;
    wait->submission_id = record_nouveau_submission(state.nouveau);
    pthread_mutex_unlock(&state.lock);
    return true;
}

void record_process_wait_end(const struct record_process_wait *wait, const char *call)
{
    const int saved_errno = errno;
    const uint32_t submission =
        thread_submission > wait->submission_id ? thread_submission : wait->submission_id;
    struct record_caller caller;

    pthread_mutex_lock(&state.lock);
    caller = caller_now();
    if (own_fd_good(&state.part))
        record_nouveau_wait(state.nouveau, &caller, call, wait->begin_ns, submission);
    pthread_mutex_unlock(&state.lock);
    errno = saved_errno;
}

/* Other libraries may still submit after this: see `ending`. */
static __attribute__((destructor)) void recorder_end(void)
{
    record_process_real();
    if (!record_process_recording())
        return;
    pthread_mutex_lock(&state.lock);
    state.ending = true;
    if (own_fd_good(&state.part))
        record_out_flush(&state.out);
    pthread_mutex_unlock(&state.lock);
}

const char *record_process_tree(void)
{
    return state.tree;
}

/* An open file of its own for each client, as the kernel's; where /proc is out of reach, all share
 * one and are one client. */
static int node_open(int flags, uint32_t client_id)
{
    char path[64];
    int fd;

    snprintf(path, sizeof path, "/proc/self/fd/%d", state.node.fd);
    fd = record_process_real()->openat(AT_FDCWD, path, O_RDWR | (flags & O_CLOEXEC));
    if (fd >= 0 && lseek(fd, (off_t)client_id, SEEK_SET) == (off_t)client_id)
        return fd;
    if (fd >= 0)
        close(fd);
    return fcntl(state.node.fd, flags & O_CLOEXEC ? F_DUPFD_CLOEXEC : F_DUPFD, 0);
}

int record_process_open(int flags)
{
    uint32_t client_id;
    bool ready;

    pthread_mutex_lock(&state.lock);
    ready = recorder_ready();
    client_id = ++state.client_count;
    pthread_mutex_unlock(&state.lock);
    if (!ready) {
        errno = ENODEV;
        return -1;
    }
    return node_open(flags, client_id);
}

bool record_process_status_is_node(const struct stat *status)
{
    return record_process_recording() && status->st_dev == state.node.device &&
           status->st_ino == state.node.inode;
}
