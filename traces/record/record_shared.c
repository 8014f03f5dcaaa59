/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include "traces/record/record_shared.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/nouveau/record_nouveau.h"
#include "traces/record/record_state_file.h"

/* "gfeS" and a number to raise when the structs change. */
#define SHARED_MAGIC 0x0000000353656667ull

enum { PATH_BYTES = 64, STAT_BYTES = 1024, PID_LIMIT = 1 << 22 /* Linux's highest pid, and one */ };

/* ---- system calls without a name that the preloaded library takes over ------------------------
 */

static int file_open(const char *path, int flags)
{
    long fd;

    RETRY(fd, syscall(SYS_openat, AT_FDCWD, path, flags | O_CLOEXEC, 0600));
    return (int)fd;
}

/* ---- making, mapping ------------------------------------------------------------------------- */

static size_t driver_offset(void)
{
    return (sizeof(struct record_shared) + 4095) & ~(size_t)4095;
}

static size_t shared_bytes(void)
{
    return driver_offset() + record_nouveau_table_bytes();
}

void *record_shared_driver(struct record_shared *shared)
{
    return (char *)shared + driver_offset();
}

static struct record_shared *shared_map(int fd)
{
    void *at = mmap(NULL, shared_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (at == MAP_FAILED)
        return NULL;
    (void)madvise(at, shared_bytes(), MADV_DONTDUMP);
    return at;
}

static bool lock_init(struct record_shared *shared)
{
    pthread_mutexattr_t kind;
    bool done;

    if (pthread_mutexattr_init(&kind) != 0)
        return false;
    done = pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED) == 0 &&
           pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST) == 0 &&
           pthread_mutex_init(&shared->lock, &kind) == 0;
    pthread_mutexattr_destroy(&kind);
    return done;
}

/* By the system call: the library's own fstatat() stands in front of the C library's. */
static bool folder_stat(const char *directory, struct stat *status)
{
    const int fd = file_open(directory, O_PATH | O_DIRECTORY);
    const bool done = fd >= 0 && syscall(SYS_fstat, fd, status) == 0;

    if (fd >= 0)
        close(fd);
    return done;
}

static bool identities_note(struct record_shared *shared, const char *directory,
                            const struct record_memory_files *files)
{
    struct stat memory, saved, folder;

    if (fstat(files->memory_fd, &memory) != 0 || fstat(files->saved_fd, &saved) != 0 ||
        !folder_stat(directory, &folder))
        return false;
    shared->directory_device = folder.st_dev;
    shared->directory_inode = folder.st_ino;
    shared->memory_device = memory.st_dev;
    shared->memory_inode = memory.st_ino;
    shared->saved_device = saved.st_dev;
    shared->saved_inode = saved.st_ino;
    return true;
}

static uint64_t clock_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

struct record_shared *record_shared_make(const char *directory, struct record_memory_files *files,
                                         struct gfe_error *error)
{
    struct record_shared *shared = NULL;

    *files = (struct record_memory_files){-1, -1, record_state_file_make(shared_bytes())};
    if (files->state_fd >= 0)
        shared = shared_map(files->state_fd);
    if (!shared || !lock_init(shared) || !record_state_file_link(directory, files->state_fd)) {
        error_set_errno(error, errno, "%s: the state of the recording", directory);
    } else if (record_memory_files_make(files, directory, error) &&
               (identities_note(shared, directory, files) ||
                error_set_errno(error, errno, "%s", directory))) {
        shared->bytes = shared_bytes();
        shared->start_ns = clock_ns();
        (void)record_shared_enter(shared, files);
        shared->magic = SHARED_MAGIC;
        return shared;
    }
    record_shared_close(shared);
    if (files->state_fd >= 0)
        close(files->state_fd);
    files->state_fd = -1;
    return NULL;
}

/* Maps a file that a link leads to.  Returns NULL if it is the state of another version, or of
 * another recording. */
static struct record_shared *shared_adopt(int fd, const char *directory)
{
    struct record_shared *shared = shared_map(fd);
    struct stat status;

    if (shared && shared->magic == SHARED_MAGIC && shared->bytes == shared_bytes() &&
        folder_stat(directory, &status) && shared->directory_device == status.st_dev &&
        shared->directory_inode == status.st_ino)
        return shared;
    record_shared_close(shared);
    return NULL;
}

struct record_shared *record_shared_open(const char *directory, int *state_fd,
                                         struct gfe_error *error)
{
    struct record_state_links links;
    struct record_shared *shared = NULL;
    int fd;

    if (!record_state_links_begin(&links, directory))
        return NULL;
    while (!shared && (fd = record_state_links_open(&links, shared_bytes())) >= 0) {
        shared = shared_adopt(fd, directory);
        if (shared && state_fd)
            *state_fd = fd;
        else
            close(fd);
    }
    record_state_links_end(&links);
    if (!shared)
        error_set(error, ERROR_SYSTEM,
                  "%s: the state of the recording cannot be reached (needs /proc, a gfe record or "
                  "a recorded process that runs, and a library of the same version)",
                  directory);
    return shared;
}

void record_shared_close(struct record_shared *shared)
{
    if (shared)
        munmap(shared, shared_bytes());
}

/* ---- the lock -------------------------------------------------------------------------------- */

bool record_shared_lock(struct record_shared *shared)
{
    if (pthread_mutex_lock(&shared->lock) != EOWNERDEAD)
        return false;
    pthread_mutex_consistent(&shared->lock);
    return true;
}

void record_shared_unlock(struct record_shared *shared)
{
    pthread_mutex_unlock(&shared->lock);
}

/* ---- processes ------------------------------------------------------------------------------- */

static bool is_file(int fd, uint64_t device, uint64_t inode)
{
    struct stat status;

    return fd >= 0 && syscall(SYS_fstat, fd, &status) == 0 && status.st_dev == device &&
           status.st_ino == inode;
}

/* Opens a file that another process has open, if it is still the one. */
static int borrow(int32_t pid, int fd, uint64_t device, uint64_t inode)
{
    char path[PATH_BYTES];
    int own;

    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)pid, fd);
    own = file_open(path, O_RDWR);
    if (own < 0 || is_file(own, device, inode))
        return own;
    close(own);
    return -1;
}

bool record_shared_files_open(const struct record_shared *shared, struct record_memory_files *files,
                              struct gfe_error *error)
{
    for (uint32_t i = 0; i < shared->process_count; i++) {
        const struct record_shared_process *process = &shared->processes[i];

        if (process->pid == 0)
            continue;
        files->memory_fd = borrow(process->pid, process->files.memory_fd, shared->memory_device,
                                  shared->memory_inode);
        files->saved_fd = files->memory_fd < 0 ? -1
                                               : borrow(process->pid, process->files.saved_fd,
                                                        shared->saved_device, shared->saved_inode);
        if (files->saved_fd >= 0)
            return true;
        if (files->memory_fd >= 0)
            close(files->memory_fd);
    }
    return error_set(error, ERROR_SYSTEM,
                     "the memory of the stand-in cannot be reached (needs /proc, a gfe record that "
                     "runs, and a free file descriptor)");
}

/* Field 22 of /proc/self/stat: when this process started; 0 when that cannot be read. */
static uint64_t own_start(void)
{
    char text[STAT_BYTES];
    const int fd = file_open("/proc/self/stat", O_RDONLY);
    const ssize_t bytes = fd < 0 ? -1 : read(fd, text, sizeof text - 1);
    const char *at;

    if (fd >= 0)
        close(fd);
    if (bytes <= 0)
        return 0;
    text[bytes] = 0;
    at = strrchr(text, ')'); /* the name in front of it may hold anything */
    for (int field = 2; at && field < 22; field++)
        at = strchr(at + 1, ' ');
    return at ? strtoull(at + 1, NULL, 10) : 0;
}

/* An entry for a new process: one at the end, or that of one that is gone. */
static struct record_shared_process *entry_new(struct record_shared *shared)
{
    if (shared->process_count < RECORD_SHARED_PROCESSES_MAX)
        return &shared->processes[shared->process_count];
    for (uint32_t i = 1; i < RECORD_SHARED_PROCESSES_MAX; i++)
        if (kill(shared->processes[i].pid, 0) != 0 && errno == ESRCH)
            return &shared->processes[i];
    return &shared->processes[RECORD_SHARED_PROCESSES_MAX - 1];
}

struct record_shared_process *record_shared_entry(struct record_shared *shared, int32_t pid,
                                                  uint64_t start)
{
    struct record_shared_process *entry;
    bool was_used = false;

    for (uint32_t i = 0; i < shared->process_count; i++) {
        entry = &shared->processes[i];
        if (entry->pid == pid && entry->start == start)
            return entry;
        was_used = was_used || entry->pid == pid;
    }
    entry = entry_new(shared);
    *entry = (struct record_shared_process){
        .pid = pid, .number = (uint32_t)pid, .start = start, .files = {-1, -1, -1}};
    if (was_used)
        entry->number += ++shared->pid_reuse_count * PID_LIMIT;
    if (entry == &shared->processes[shared->process_count])
        shared->process_count++;
    return entry;
}

uint32_t record_shared_enter(struct record_shared *shared, const struct record_memory_files *files)
{
    struct record_shared_process *entry =
        record_shared_entry(shared, (int32_t)getpid(), own_start());

    entry->files = *files;
    return entry->number;
}
