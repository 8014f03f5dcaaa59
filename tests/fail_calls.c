/* SPDX-License-Identifier: MIT */
/*
 * Calls that fail on purpose, for tests/fail_commands.c.  Built twice: as a library to be preloaded
 * into gfe, which then also fails what zlib, jansson and the C library allocate; and with
 * -DFAIL_WRAP into a gfe of its own, linked with --wrap, for builds whose sanitizers want to own
 * malloc.
 *
 * GFE_FAIL in the environment says what fails, in a program called gfe or gfe_wrapped:
 *
 *     alloc N    the N-th allocation            alloc+ N   the N-th and all after it
 *     call N     the N-th call on files         call+ N    the N-th and all after it
 *     interrupt  each call that signals can interrupt fails with EINTR, every second time
 *     short      reads and writes move one byte
 *     space N    files take N bytes, then they are full
 *     at N WHAT  at the N-th call that changes a file or a folder (tests/test_interrupted.sh): kill
 *                (SIGKILL, half of the data written), term, hup (signals), enospc (from then on),
 * eio (once), vanish ($TMPDIR gets another name)
 *
 * GFE_FAIL_NAME is the name of another program in which it fails.  At the end the numbers of
 * allocations, of calls and of calls that change files go to the file that GFE_FAIL_COUNTS names.
 * libseccomp gets its memory: without it the filter is incomplete, or never done.
 * glibc only; files that the C library's own streams write fail by `space` alone, and standard
 * error never fails.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/fail_server.h"

#define EXPORT __attribute__((visibility("default")))

#ifdef FAIL_WRAP
#define NAME(call) __wrap_##call
void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
#define REAL(call) __real_##call
#else
#define NAME(call) call
void *__libc_malloc(size_t bytes);
void *__libc_calloc(size_t count, size_t bytes);
void *__libc_realloc(void *old, size_t bytes);
#define REAL(call) __libc_##call
#endif

enum fail_kind { FAIL_NONE, FAIL_ALLOC, FAIL_CALL, FAIL_INTERRUPT, FAIL_SHORT, FAIL_AT };

/* The state of this program: counters.  Not of gfe, so the rule against globals does not hold. */
static struct {
    enum fail_kind kind;
    bool on, onwards;
    unsigned long at, allocs, calls, interrupts, changes;
    int signal, error; /* of FAIL_AT; neither: TMPDIR vanishes */
    pid_t process;
    uintptr_t spared, spared_end; /* where the code of libseccomp lies */
} fail;

/* ---- what fails ------------------------------------------------------------------------------ */

static bool fail_alloc(const void *caller)
{
    if (!fail.on || ((uintptr_t)caller >= fail.spared && (uintptr_t)caller < fail.spared_end))
        return false;
    fail.allocs++;
    if (fail.kind != FAIL_ALLOC || (fail.onwards ? fail.allocs < fail.at : fail.allocs != fail.at))
        return false;
    errno = ENOMEM;
    return true;
}

static bool fail_call(int errno_value)
{
    if (!fail.on)
        return false;
    fail.calls++;
    if (fail.kind != FAIL_CALL || (fail.onwards ? fail.calls < fail.at : fail.calls != fail.at))
        return false;
    errno = errno_value;
    return true;
}

/* The sandbox of gfe lets a process signal itself in this way alone. */
static void fail_signal(int number)
{
    (void)syscall(SYS_tgkill, getpid(), gettid(), number);
}

/* A part of the data gets into the file, where there are data; then the process is gone. */
static _Noreturn void fail_die(int fd, const void *data, size_t bytes, off_t at)
{
    if (data && at < 0)
        (void)!syscall(SYS_write, fd, data, bytes / 2);
    else if (data)
        (void)!syscall(SYS_pwrite64, fd, data, bytes / 2, at);
    fail_signal(SIGKILL);
    for (;;)
        (void)pause();
}

static void fail_vanish(void)
{
    const char *folder = getenv("TMPDIR");
    char gone[4096];

    if (folder && (size_t)snprintf(gone, sizeof gone, "%s.gone", folder) < sizeof gone)
        (void)syscall(SYS_renameat2, AT_FDCWD, folder, AT_FDCWD, gone, 0);
}

/* In front of a call that changes files, by `bytes` of `data` at `at` (-1: where the file is).
 * True: it fails. */
static bool fail_change(int fd, const void *data, size_t bytes, off_t at)
{
    unsigned long number;

    if (!fail.on)
        return false;
    number = __atomic_add_fetch(&fail.changes, 1, __ATOMIC_RELAXED);
    if (fail.kind != FAIL_AT || (fail.onwards ? number < fail.at : number != fail.at))
        return false;
    if (fail.signal == SIGKILL)
        fail_die(fd, data, bytes, at);
    if (fail.signal)
        fail_signal(fail.signal);
    else if (!fail.error)
        fail_vanish();
    errno = fail.error;
    return fail.error != 0;
}

/* Do these flags of open() make a file? */
static bool fail_makes(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

/* Is it a file on a disk?  Memory without a name (memfd) is none. */
static bool fail_is_on_disk(int fd)
{
    char path[64], target[16] = "";

    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    (void)!syscall(SYS_readlinkat, AT_FDCWD, path, target, sizeof target - 1);
    return strncmp(target, "/memfd:", 7) != 0;
}

/* The program's standard streams are no files of gfe's. */
static bool fail_write(int fd, const void *data, size_t bytes, off_t at)
{
    return fail.on && fd > STDERR_FILENO && fail_is_on_disk(fd) && fail_change(fd, data, bytes, at);
}

static bool fail_folder(void)
{
    return fail_change(-1, NULL, 0, -1);
}

static bool fail_interrupt(void)
{
    if (!fail.on || fail.kind != FAIL_INTERRUPT || fail.interrupts++ % 2)
        return false;
    errno = EINTR;
    return true;
}

static size_t fail_short(size_t bytes)
{
    return fail.on && fail.kind == FAIL_SHORT && bytes > 1 ? 1 : bytes;
}

/* ---- the beginning and the end --------------------------------------------------------------- */

static void fail_space(rlim_t bytes)
{
    const struct rlimit limit = {bytes, bytes};

    (void)setrlimit(RLIMIT_FSIZE, &limit);
    (void)signal(SIGXFSZ, SIG_IGN);
}

static void fail_at(const char *what)
{
    fail.kind = FAIL_AT;
    fail.signal = strcmp(what, "kill") == 0   ? SIGKILL
                  : strcmp(what, "term") == 0 ? SIGTERM
                  : strcmp(what, "hup") == 0  ? SIGHUP
                                              : 0;
    fail.onwards = strcmp(what, "enospc") == 0;
    fail.error = fail.onwards ? ENOSPC : strcmp(what, "eio") == 0 ? EIO : 0;
}

#ifdef FAIL_WRAP
/* Gives a run its standard streams, and its words in the environment. */
static void fail_run(const char *words)
{
    int in = open("input", O_RDONLY);

    if (in < 0)
        in = open("/dev/null", O_RDONLY);
    if (dup2(in, 0) < 0 || dup2(FAIL_SERVER_PRINTED, 1) < 0 || dup2(FAIL_SERVER_SAID, 2) < 0 ||
        setenv("GFE_FAIL", words, 1) != 0 || unsetenv(FAIL_SERVER_VARIABLE) != 0)
        _exit(99);
    (void)close(in);
    for (int fd = FAIL_SERVER_ASK; fd <= FAIL_SERVER_SAID; fd++)
        (void)close(fd);
    (void)alarm(FAIL_RUN_SECONDS);
}

/* Returns in a process of its own for each run that is asked for. */
static void fail_serve(void)
{
    char words[FAIL_SERVER_BYTES];
    int status;

    while (read(FAIL_SERVER_ASK, words, sizeof words) == sizeof words) {
        const pid_t child = fork();

        if (child == 0) {
            fail_run(words);
            return;
        }
        if (child < 0 || waitpid(child, &status, 0) != child ||
            write(FAIL_SERVER_ANSWER, &status, sizeof status) != sizeof status)
            _exit(99);
    }
    _exit(0);
}
#endif

static int fail_spare(struct dl_phdr_info *info, size_t bytes, void *context)
{
    (void)bytes;
    (void)context;
    for (int i = 0; strstr(info->dlpi_name, "/libseccomp.so") && i < info->dlpi_phnum; i++)
        if (info->dlpi_phdr[i].p_type == PT_LOAD && info->dlpi_phdr[i].p_flags & PF_X) {
            fail.spared = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr;
            fail.spared_end = fail.spared + info->dlpi_phdr[i].p_memsz;
        }
    return 0;
}

__attribute__((constructor)) static void fail_begin(void)
{
#ifdef FAIL_WRAP
    if (getenv(FAIL_SERVER_VARIABLE))
        fail_serve();
#endif
    const char *words = getenv("GFE_FAIL"), *other = getenv("GFE_FAIL_NAME");
    const char *name = program_invocation_short_name;
    char kind[16], what[16] = "";

    if (!words || sscanf(words, "%15s %lu %15s", kind, &fail.at, what) < 1 ||
        (other ? strcmp(name, other) != 0
               : strcmp(name, "gfe") != 0 && strcmp(name, "gfe_wrapped") != 0))
        return;
    fail.onwards = strchr(kind, '+') != NULL;
    if (strncmp(kind, "alloc", 5) == 0)
        fail.kind = FAIL_ALLOC;
    else if (strncmp(kind, "call", 4) == 0)
        fail.kind = FAIL_CALL;
    else if (strcmp(kind, "interrupt") == 0)
        fail.kind = FAIL_INTERRUPT;
    else if (strcmp(kind, "short") == 0)
        fail.kind = FAIL_SHORT;
    else if (strcmp(kind, "space") == 0)
        fail_space(fail.at);
    else if (strcmp(kind, "at") == 0)
        fail_at(what);
    fail.process = getpid();
    (void)dl_iterate_phdr(fail_spare, NULL);
    fail.on = true;
}

__attribute__((destructor)) static void fail_end(void)
{
    const char *path = getenv("GFE_FAIL_COUNTS");
    char text[64];
    int length, fd;

    if (!fail.on || getpid() != fail.process || !path)
        return;
    fail.on = false;
    length = snprintf(text, sizeof text, "%lu %lu %lu\n", fail.allocs, fail.calls, fail.changes);
    fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    /* Who asks for them sees when they are missing; on a disk made full they are. */
    if (fd >= 0)
        (void)!syscall(SYS_write, fd, text, (size_t)length);
}

/* ---- allocations ----------------------------------------------------------------------------- */

EXPORT void *NAME(malloc)(size_t bytes);
EXPORT void *NAME(malloc)(size_t bytes)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : REAL(malloc)(bytes);
}

EXPORT void *NAME(calloc)(size_t count, size_t bytes);
EXPORT void *NAME(calloc)(size_t count, size_t bytes)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : REAL(calloc)(count, bytes);
}

EXPORT void *NAME(realloc)(void *old, size_t bytes);
EXPORT void *NAME(realloc)(void *old, size_t bytes)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : REAL(realloc)(old, bytes);
}

EXPORT void *NAME(mmap)(void *address, size_t bytes, int protection, int flags, int fd, off_t at);
EXPORT void *NAME(mmap)(void *address, size_t bytes, int protection, int flags, int fd, off_t at)
{
    if (fail_alloc(__builtin_return_address(0)))
        return MAP_FAILED;
    return (void *)syscall(SYS_mmap, address, bytes, protection, flags, fd, at); /* NOLINT */
}

#ifdef FAIL_WRAP
/* The C library allocates for these on its own. */
char *__real_strdup(const char *text);
char *__real_strndup(const char *text, size_t bytes);
char *__real_realpath(const char *path, char *resolved);
FILE *__real_fopen(const char *path, const char *mode);
FILE *__real_fdopen(int fd, const char *mode);
int vasprintf(char **text, const char *format, va_list arguments);

char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : __real_strdup(text);
}

char *__wrap_strndup(const char *text, size_t bytes);
char *__wrap_strndup(const char *text, size_t bytes)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : __real_strndup(text, bytes);
}

char *__wrap_realpath(const char *path, char *resolved);
char *__wrap_realpath(const char *path, char *resolved)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : __real_realpath(path, resolved);
}

FILE *__wrap_fopen(const char *path, const char *mode);
FILE *__wrap_fopen(const char *path, const char *mode)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : __real_fopen(path, mode);
}

FILE *__wrap_fdopen(int fd, const char *mode);
FILE *__wrap_fdopen(int fd, const char *mode)
{
    return fail_alloc(__builtin_return_address(0)) ? NULL : __real_fdopen(fd, mode);
}

__attribute__((format(printf, 2, 3))) int __wrap_asprintf(char **text, const char *format, ...);
int __wrap_asprintf(char **text, const char *format, ...)
{
    va_list arguments;
    int length;

    if (fail_alloc(__builtin_return_address(0)))
        return -1;
    va_start(arguments, format);
    length = vasprintf(text, format, arguments);
    va_end(arguments);
    return length;
}
#endif

/* ---- calls on files -------------------------------------------------------------------------- */

EXPORT ssize_t NAME(read)(int fd, void *data, size_t bytes);
EXPORT ssize_t NAME(read)(int fd, void *data, size_t bytes)
{
    if (fail_interrupt() || fail_call(EIO))
        return -1;
    return syscall(SYS_read, fd, data, fail_short(bytes));
}

EXPORT ssize_t NAME(pread)(int fd, void *data, size_t bytes, off_t at);
EXPORT ssize_t NAME(pread)(int fd, void *data, size_t bytes, off_t at)
{
    if (fail_interrupt() || fail_call(EIO))
        return -1;
    return syscall(SYS_pread64, fd, data, fail_short(bytes), at);
}

EXPORT ssize_t NAME(write)(int fd, const void *data, size_t bytes);
EXPORT ssize_t NAME(write)(int fd, const void *data, size_t bytes)
{
    /* What is said on standard error is what tells of the failure. */
    if (fd == STDERR_FILENO)
        return syscall(SYS_write, fd, data, bytes);
    if (fail_interrupt() || fail_call(ENOSPC) || fail_write(fd, data, bytes, -1))
        return -1;
    return syscall(SYS_write, fd, data, fail_short(bytes));
}

EXPORT ssize_t NAME(pwrite)(int fd, const void *data, size_t bytes, off_t at);
EXPORT ssize_t NAME(pwrite)(int fd, const void *data, size_t bytes, off_t at)
{
    if (fail_interrupt() || fail_call(ENOSPC) || fail_write(fd, data, bytes, at))
        return -1;
    return syscall(SYS_pwrite64, fd, data, fail_short(bytes), at);
}

EXPORT int NAME(open)(const char *path, int flags, ...);
EXPORT int NAME(open)(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode = 0;

    if (fail_interrupt() || fail_call(EMFILE) || (fail_makes(flags) && fail_folder()))
        return -1;
    va_start(arguments, flags);
    if (flags & (O_CREAT | O_TMPFILE))
        mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

EXPORT int NAME(openat)(int folder, const char *path, int flags, ...);
EXPORT int NAME(openat)(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode = 0;

    if (fail_interrupt() || fail_call(EMFILE) || (fail_makes(flags) && fail_folder()))
        return -1;
    va_start(arguments, flags);
    if (flags & (O_CREAT | O_TMPFILE))
        mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return (int)syscall(SYS_openat, folder, path, flags, mode);
}

EXPORT int NAME(memfd_create)(const char *name, unsigned flags);
EXPORT int NAME(memfd_create)(const char *name, unsigned flags)
{
    return fail_call(EMFILE) ? -1 : (int)syscall(SYS_memfd_create, name, flags);
}

EXPORT int NAME(ftruncate)(int fd, off_t bytes);
EXPORT int NAME(ftruncate)(int fd, off_t bytes)
{
    if (fail_interrupt() || fail_call(ENOSPC) || fail_write(fd, NULL, 0, -1))
        return -1;
    return (int)syscall(SYS_ftruncate, fd, bytes);
}

EXPORT int NAME(fsync)(int fd);
EXPORT int NAME(fsync)(int fd)
{
    if (fail_interrupt() || fail_call(EIO))
        return -1;
    return (int)syscall(SYS_fsync, fd);
}

EXPORT int NAME(rename)(const char *from, const char *to);
EXPORT int NAME(rename)(const char *from, const char *to)
{
    return fail_call(ENOSPC) || fail_folder()
               ? -1
               : (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}

EXPORT int NAME(linkat)(int from_folder, const char *from, int to_folder, const char *to,
                        int flags);
EXPORT int NAME(linkat)(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    if (fail_call(ENOSPC) || fail_folder())
        return -1;
    return (int)syscall(SYS_linkat, from_folder, from, to_folder, to, flags);
}

#ifndef FAIL_WRAP
/* These fail at a number only.  sqlite calls the names with 64. */
EXPORT int mkdir(const char *path, mode_t mode)
{
    return fail_folder() ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

EXPORT int mkdirat(int folder, const char *path, mode_t mode)
{
    return fail_folder() ? -1 : (int)syscall(SYS_mkdirat, folder, path, mode);
}

EXPORT int symlink(const char *to, const char *path)
{
    return fail_folder() ? -1 : (int)syscall(SYS_symlinkat, to, AT_FDCWD, path);
}

EXPORT int symlinkat(const char *to, int folder, const char *path)
{
    return fail_folder() ? -1 : (int)syscall(SYS_symlinkat, to, folder, path);
}

EXPORT int fdatasync(int fd)
{
    return fail_write(fd, NULL, 0, -1) ? -1 : (int)syscall(SYS_fdatasync, fd);
}

EXPORT ssize_t pwrite64(int fd, const void *data, size_t bytes, off64_t at)
{
    return fail_write(fd, data, bytes, at) ? -1 : syscall(SYS_pwrite64, fd, data, bytes, at);
}

EXPORT int ftruncate64(int fd, off64_t bytes)
{
    return fail_write(fd, NULL, 0, -1) ? -1 : (int)syscall(SYS_ftruncate, fd, bytes);
}

EXPORT int open64(const char *path, int flags, ...)
{
    va_list arguments;
    mode_t mode = 0;

    if (fail_makes(flags) && fail_folder())
        return -1;
    va_start(arguments, flags);
    if (fail_makes(flags))
        mode = va_arg(arguments, mode_t);
    va_end(arguments);
    return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}
#endif

EXPORT int NAME(fchmod)(int fd, mode_t mode);
EXPORT int NAME(fchmod)(int fd, mode_t mode)
{
    return fail_call(EPERM) ? -1 : (int)syscall(SYS_fchmod, fd, mode);
}

EXPORT int NAME(pipe2)(int fds[2], int flags);
EXPORT int NAME(pipe2)(int fds[2], int flags)
{
    return fail_call(EMFILE) ? -1 : (int)syscall(SYS_pipe2, fds, flags);
}

EXPORT pid_t NAME(waitpid)(pid_t process, int *status, int options);
EXPORT pid_t NAME(waitpid)(pid_t process, int *status, int options)
{
    if (fail_interrupt())
        return -1;
    return (pid_t)syscall(SYS_wait4, process, status, options, NULL);
}
