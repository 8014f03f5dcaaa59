/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <locale.h>
#include <sched.h>
#include <seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <termios.h>
#include <unistd.h>

#include "emu/base/opened.h"
#include "emu/base/retry.h"

#if defined(__SANITIZE_ADDRESS__)
#define SANDBOX_BUILT false
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANDBOX_BUILT false
#endif
#endif
#ifndef SANDBOX_BUILT
#define SANDBOX_BUILT true
#endif

bool sandbox_is_built(void)
{
    return SANDBOX_BUILT;
}

int sandbox_possible(void)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);

    /* A filter at no address is EFAULT where there are filters (seccomp(2)). */
    return (version >= 1 ? SANDBOX_LANDLOCK : 0) |
           (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, NULL, 0, 0) < 0 && errno == EFAULT
                ? SANDBOX_SECCOMP
                : 0);
}

/* ---- the command line ------------------------------------------------------------------------ */

/* Options whose argument names a file, or a folder, that is written; and -o. */
static const char *const writers[] = {"--output", "--snapshot", "--strings", "--times"};

/* Returns true if the word is a writing option, whose file is the next word; or holds the file
 * itself, which *file is then. */
static bool is_writer(const char *word, const char **file)
{
    const char *equals = strchr(word, '=');
    const size_t bytes = equals ? (size_t)(equals - word) : strlen(word);
    const char *letter = word[0] == '-' && word[1] != '-' ? strchr(word, 'o') : NULL;

    *file = NULL;
    if (letter) { /* -oFILE, -o FILE, or letters together: -jo FILE */
        *file = letter[1] != '\0' ? letter + 1 : NULL;
        return true;
    }
    if (strncmp(word, "--", 2) != 0 || bytes < 3)
        return false;
    for (size_t i = 0; i < sizeof writers / sizeof writers[0]; i++)
        /* getopt_long takes the beginning of a name, too. */
        if (strncmp(writers[i], word, bytes) == 0) {
            *file = equals ? equals + 1 : NULL;
            return true;
        }
    return false;
}

static bool names_output(int argc, char **argv)
{
    const char *file;

    for (int i = 1; i < argc; i++)
        if (is_writer(argv[i], &file))
            return true;
    return false;
}

/* gfe campaign leaves an empty journal beside its database.  SQLite opens it to see that. */
enum journal { JOURNAL_NONE, JOURNAL_EMPTY, JOURNAL_FULL };

/* Looks for a journal beside the file, whose name *journal is then (NULL without memory); the
 * caller frees it. */
static enum journal journal_beside(const char *path, char **journal)
{
    struct stat status;

    if (asprintf(journal, "%s-journal", path) < 0)
        *journal = NULL;
    if (!*journal || stat(*journal, &status) != 0)
        return JOURNAL_NONE;
    return S_ISREG(status.st_mode) && status.st_size == 0 ? JOURNAL_EMPTY : JOURNAL_FULL;
}

/* ---- Landlock -------------------------------------------------------------------------------- */

/* Rights of the kernel's interface; the comments give the version of Landlock that added them
 * (Documentation/userspace-api/landlock.rst).  They stand here because the linux/landlock.h that
 * gfe is built with may be older than the kernel that it runs on. */
#define FS_EXECUTE     (UINT64_C(1) << 0)
#define FS_WRITE_FILE  (UINT64_C(1) << 1)
#define FS_READ_FILE   (UINT64_C(1) << 2)
#define FS_READ_DIR    (UINT64_C(1) << 3)
#define FS_REMOVE_FILE (UINT64_C(1) << 5)
#define FS_MAKE_DIR    (UINT64_C(1) << 7)
#define FS_MAKE_REG    (UINT64_C(1) << 8)
#define FS_FIRST       ((UINT64_C(1) << 13) - 1) /* those of version 1 */
#define FS_REFER       (UINT64_C(1) << 13)       /* version 2 */
#define FS_TRUNCATE    (UINT64_C(1) << 14)       /* version 3 */
#define NET_ALL        UINT64_C(3)               /* bind and connect; version 4 */
#define SCOPE_ALL      UINT64_C(3)               /* abstract sockets and signals; version 6 */

struct landlock {
    int ruleset;
    uint64_t handled;
};

/* The attributes of a ruleset as of version 6; older kernels take its beginning. */
struct landlock_attr {
    uint64_t fs, net, scoped;
};

static bool landlock_open(struct landlock *landlock)
{
    const long version =
        syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    struct landlock_attr attr = {.fs = FS_FIRST};
    size_t bytes = offsetof(struct landlock_attr, net);

    if (version < 1)
        return false;
    attr.fs |= (version >= 2 ? FS_REFER : 0) | (version >= 3 ? FS_TRUNCATE : 0);
    if (version >= 4) {
        attr.net = NET_ALL;
        bytes = offsetof(struct landlock_attr, scoped);
    }
    if (version >= 6) {
        attr.scoped = SCOPE_ALL;
        bytes = sizeof attr;
    }
    landlock->handled = attr.fs;
    landlock->ruleset = (int)syscall(SYS_landlock_create_ruleset, &attr, bytes, 0);
    return landlock->ruleset >= 0;
}

/* Allows rights for what the path names, if that is there: those that a file can have if it is none
 * of the folders. */
static void landlock_allow(const struct landlock *landlock, const char *path, uint64_t rights,
                           bool folders)
{
    const uint64_t of_files = FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE;
    struct landlock_path_beneath_attr rule = {.allowed_access = rights & landlock->handled};
    struct stat status;

    RETRY(rule.parent_fd, open(path, O_PATH | O_CLOEXEC));
    if (rule.parent_fd < 0)
        return;
    if (fstat(rule.parent_fd, &status) == 0 && (folders || !S_ISDIR(status.st_mode))) {
        if (!S_ISDIR(status.st_mode))
            rule.allowed_access &= of_files;
        (void)syscall(SYS_landlock_add_rule, landlock->ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule,
                      0);
    }
    (void)close(rule.parent_fd);
}

static const uint64_t rights_to_write =
    FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE | FS_MAKE_DIR | FS_MAKE_REG | FS_REMOVE_FILE;

/* An output stands for its folder, where it appears when it is whole; or is a folder, or a device.
 */
static void landlock_allow_output(const struct landlock *landlock, const char *path)
{
    char *real = realpath(path, NULL), *copy = strdup(real ? real : path);
    char *slash = copy ? strrchr(copy, '/') : NULL;
    struct stat status;

    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
        landlock_allow(landlock, path, rights_to_write, true);
    else if (slash && slash != copy) {
        *slash = '\0';
        landlock_allow(landlock, copy, rights_to_write, true);
    } else
        landlock_allow(landlock, slash ? "/" : ".", rights_to_write, true);
    free(copy);
    free(real);
}

/* Also what stands behind each "=", as in NAME=FILE. */
static void landlock_allow_word(const struct landlock *landlock, const char *word)
{
    while (word) {
        if (*word)
            landlock_allow(landlock, word, FS_READ_FILE, false);
        word = strchr(word, '=');
        word = word ? word + 1 : NULL;
    }
}

/* A journal with something in it tells that the database's writer was killed: it is taken back,
 * which writes both. */
static void landlock_allow_journal(const struct landlock *landlock, const char *path)
{
    char *journal = NULL;
    const enum journal kind = journal_beside(path, &journal);

    if (kind == JOURNAL_FULL)
        landlock_allow_output(landlock, path);
    else if (kind == JOURNAL_EMPTY)
        landlock_allow(landlock, journal, FS_READ_FILE, false);
    free(journal);
}

static void landlock_allow_all(const struct landlock *landlock, int argc, char **argv,
                               bool reads_all)
{
    static const char *const read[] = {"/usr/lib/locale", "/usr/share/locale", "/proc/self",
                                       "/dev/urandom", "/sys/devices/system/cpu"};
    const char *folder = getenv("TMPDIR"), *file;

    for (size_t i = 0; i < sizeof read / sizeof read[0]; i++)
        landlock_allow(landlock, read[i], FS_READ_FILE | FS_READ_DIR, true);
    landlock_allow(landlock, folder && *folder ? folder : "/tmp", rights_to_write, true);
    landlock_allow(landlock, "/tmp", rights_to_write, true);
    if (reads_all)
        landlock_allow(landlock, "/", FS_READ_FILE | FS_READ_DIR, true);
    for (int i = 1; i < argc; i++) {
        if (!is_writer(argv[i], &file)) {
            landlock_allow_word(landlock, argv[i]);
            landlock_allow_journal(landlock, argv[i]);
        } else if (file || i + 1 < argc)
            landlock_allow_output(landlock, file ? file : argv[++i]);
    }
}

static bool landlock_enter(int argc, char **argv, bool reads_all)
{
    struct landlock landlock;
    bool done;

    if (!landlock_open(&landlock))
        return false;
    landlock_allow_all(&landlock, argc, argv, reads_all);
    done = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, landlock.ruleset, 0) == 0;
    (void)close(landlock.ruleset);
    return done;
}

/* ---- seccomp --------------------------------------------------------------------------------- */

/* Whatever their arguments.  A name that an architecture does not have is left out. */
static const char *const calls[] = {
    /* memory */
    "brk", "munmap", "mremap", "madvise", "msync", "mincore", "memfd_create", "userfaultfd",
    /* files that are open, and looking at names */
    "read", "write", "readv", "writev", "pread64", "pwrite64", "preadv", "pwritev", "lseek",
    "_llseek", "close", "fstat", "fstat64", "stat", "stat64", "lstat", "lstat64", "newfstatat",
    "fstatat64", "statx", "access", "faccessat", "faccessat2", "readlink", "readlinkat", "getcwd",
    "fcntl", "fcntl64", "dup", "dup2", "dup3", "flock", "ftruncate", "ftruncate64", "fallocate",
    "fadvise64", "fadvise64_64", "fsync", "fdatasync", "fstatfs", "fstatfs64", "statfs", "statfs64",
    "getdents64", "poll", "ppoll", "ppoll_time64", "select", "pselect6", "copy_file_range",
    "sendfile", "fchmod", "umask",
    /* threads and their time */
    "futex", "futex_time64", "futex_waitv", "set_robust_list", "get_robust_list", "rseq",
    "set_tid_address", "sched_yield", "sched_getaffinity", "sched_setaffinity", "gettid", "getpid",
    "getppid", "getuid", "geteuid", "getgid", "getegid", "getrandom", "clock_gettime",
    "clock_gettime64", "clock_getres", "clock_nanosleep", "clock_nanosleep_time64", "nanosleep",
    "gettimeofday", "time", "times", "getrusage", "getrlimit", "ugetrlimit", "sysinfo", "uname",
    "getcpu", "membarrier", "arch_prctl", "restart_syscall", "exit", "exit_group",
    /* signals to oneself: tgkill() is below */
    "rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "rt_sigtimedwait", "rt_sigtimedwait_time64",
    "sigaltstack", "sigreturn", "setitimer", "alarm"};

/* Names of files that an output needs. */
static const char *const output_calls[] = {"link",   "linkat",   "rename", "renameat", "renameat2",
                                           "unlink", "unlinkat", "mkdir",  "mkdirat"};

/* What may still be opened beside files without a name.  ALL: a database is changed in place.
 * LATER: sandbox_narrow() takes READ and ALL away. */
enum files { FILES_READ = 1, FILES_WRITE = 2, FILES_ALL = 4, FILES_LATER = 8 };

static bool allow(scmp_filter_ctx filter, const char *name)
{
    const int number = seccomp_syscall_resolve_name(name);

    return number == __NR_SCMP_ERROR || seccomp_rule_add(filter, SCMP_ACT_ALLOW, number, 0) == 0;
}

/* Allows a call whose argument has exactly `value` in the bits of `mask`. */
static bool allow_bits(scmp_filter_ctx filter, int number, unsigned argument, uint64_t mask,
                       uint64_t value)
{
    const struct scmp_arg_cmp compare = SCMP_CMP(argument, SCMP_CMP_MASKED_EQ, mask, value);

    return number < 0 || seccomp_rule_add_array(filter, SCMP_ACT_ALLOW, number, 1, &compare) == 0;
}

/* Allows open() whose flags have exactly `value` in the bits of `mask`. */
static bool allow_open(scmp_filter_ctx filter, uint64_t mask, uint64_t value)
{
    return allow_bits(filter, SCMP_SYS(openat), 2, mask, value) &&
           allow_bits(filter, SCMP_SYS(open), 1, mask, value);
}

/* Allows to open files: to read if `reads`, to write if `writes`, and those without a name.  What
 * is opened to write cannot be read, unless it is new. */
static bool allow_files(scmp_filter_ctx filter, bool reads, bool writes)
{
    const uint64_t changes = O_ACCMODE | O_CREAT | O_TRUNC | (O_TMPFILE & ~O_DIRECTORY);
    const uint64_t fresh = O_CREAT | O_EXCL | O_RDWR;
    bool good = allow_open(filter, O_TMPFILE, O_TMPFILE) &&
                (!reads || allow_open(filter, changes, O_RDONLY)) &&
                (!writes || (allow_open(filter, O_ACCMODE, O_WRONLY) &&
                             allow_open(filter, O_ACCMODE | fresh, fresh)));

    for (size_t i = 0; writes && i < sizeof output_calls / sizeof output_calls[0]; i++)
        good = good && allow(filter, output_calls[i]);
    return good;
}

static bool allow_some(scmp_filter_ctx filter)
{
    static const unsigned long terminal[] = {TCGETS, TIOCGWINSZ, FIONREAD};
    bool good = allow_bits(filter, SCMP_SYS(mmap), 2, PROT_EXEC, 0) &&
                allow_bits(filter, SCMP_SYS(mmap2), 2, PROT_EXEC, 0) &&
                allow_bits(filter, SCMP_SYS(mprotect), 2, PROT_EXEC, 0) &&
                allow_bits(filter, SCMP_SYS(clone), 0, CLONE_THREAD, CLONE_THREAD) &&
                allow_bits(filter, SCMP_SYS(tgkill), 0, UINT64_MAX, (uint64_t)getpid()) &&
                allow_bits(filter, SCMP_SYS(prlimit64), 2, UINT64_MAX, 0) &&
                /* glibc goes back to clone() then, whose flags can be looked at. */
                seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0) == 0;

    for (size_t i = 0; i < sizeof terminal / sizeof terminal[0]; i++)
        good = good && allow_bits(filter, SCMP_SYS(ioctl), 1, UINT32_MAX, terminal[i]);
    return good;
}

static bool seccomp_enter(enum files files)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    bool good = filter && allow_some(filter);

    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++)
        good = good && allow(filter, calls[i]);
    if (files & FILES_ALL)
        good = good && allow(filter, "open") && allow(filter, "openat");
    if (files & FILES_LATER)
        good = good && allow(filter, "seccomp");
    good = good && allow_files(filter, files & FILES_READ, files & (FILES_WRITE | FILES_ALL)) &&
           seccomp_load(filter) == 0;
    if (filter)
        seccomp_release(filter);
    return good;
}

/* Denies open() whose flags have exactly `value` in the bits of `mask`. */
static bool deny_open(scmp_filter_ctx filter, uint64_t mask, uint64_t value)
{
    static const struct {
        int number;
        unsigned argument;
    } opens[] = {{SCMP_SYS(openat), 2}, {SCMP_SYS(open), 1}};
    bool good = true;

    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        const struct scmp_arg_cmp compare =
            SCMP_CMP(opens[i].argument, SCMP_CMP_MASKED_EQ, mask, value);

        good = good &&
               (opens[i].number < 0 || seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM),
                                                              opens[i].number, 1, &compare) == 0);
    }
    return good;
}

/* What stands from sandbox_enter() on decides about all that this filter lets through. */
static bool narrow(scmp_filter_ctx filter, bool writes)
{
    const uint64_t nameless = O_TMPFILE & ~O_DIRECTORY;
    bool good = deny_open(filter, O_ACCMODE, O_RDONLY) &&
                deny_open(filter, O_ACCMODE | nameless | (writes ? O_EXCL : 0), O_RDWR) &&
                (writes || deny_open(filter, O_ACCMODE, O_WRONLY));

    for (size_t i = 0; !writes && i < sizeof output_calls / sizeof output_calls[0]; i++) {
        const int number = seccomp_syscall_resolve_name(output_calls[i]);

        good = good && (number == __NR_SCMP_ERROR ||
                        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), number, 0) == 0);
    }
    /* prctl() is gone, and what it would set stands. */
    return good && seccomp_attr_set(filter, SCMP_FLTATR_CTL_NNP, 0) == 0 &&
           seccomp_load(filter) == 0;
}

/* Returns true if sandbox_enter() has raised seccomp, whose list has no prctl(), and open() may
 * still read. */
static bool is_wide(void)
{
    int fd;

    if (prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) >= 0)
        return false;
    RETRY(fd, open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd >= 0)
        (void)close(fd);
    return fd >= 0 || errno != EPERM;
}

bool sandbox_narrow(bool writes)
{
    scmp_filter_ctx filter;
    bool good;

    if (!sandbox_is_built() || !is_wide())
        return true;
    filter = seccomp_init(SCMP_ACT_ALLOW);
    good = filter && narrow(filter, writes);
    if (filter)
        seccomp_release(filter);
    return good;
}

/* A database whose journal is taken back is written, too. */
static bool has_journal(int argc, char **argv)
{
    bool has = false;

    for (int i = 1; i < argc && !has; i++) {
        char *journal = NULL;

        has = journal_beside(argv[i], &journal) == JOURNAL_FULL;
        free(journal);
    }
    return has;
}

/* What libraries would open later.  The C library keeps the locale that it has once read, for a
 * setlocale() behind the walls (the object lives as long as the process); jansson takes the seed of
 * its hashes from the system's random numbers. */
static void prepare_libraries(void)
{
    (void)newlocale(LC_CTYPE_MASK, "", NULL);
    json_object_seed(0);
}

static bool keep_journal(const char *path)
{
    char *journal = NULL;
    const bool good = journal_beside(path, &journal) != JOURNAL_EMPTY || opened_keep(journal);

    free(journal);
    return good;
}

/* Opens what the words name, also behind each "=". */
static bool keep_inputs(int argc, char **argv)
{
    const char *file;
    bool good = true;

    for (int i = 1; i < argc; i++) {
        if (is_writer(argv[i], &file)) {
            i += file ? 0 : 1;
            continue;
        }
        for (const char *word = argv[i]; word && good; word = word ? word + 1 : NULL) {
            good = opened_keep(word);
            word = strchr(word, '=');
        }
        good = good && keep_journal(argv[i]);
    }
    return good;
}

int sandbox_enter(int argc, char **argv, bool reads_all)
{
    enum files files = names_output(argc, argv) ? FILES_WRITE : 0;
    int stands = 0;

    if (!sandbox_is_built())
        return 0;
    prepare_libraries();
    if (has_journal(argc, argv))
        files |= FILES_ALL | FILES_LATER;
    else if (reads_all || !keep_inputs(argc, argv))
        files |= FILES_READ | FILES_LATER;
    if (landlock_enter(argc, argv, reads_all))
        stands |= SANDBOX_LANDLOCK;
    if (seccomp_enter(files))
        stands |= SANDBOX_SECCOMP;
    return stands;
}
