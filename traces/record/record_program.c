/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_program.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "emu/base/retry.h"

enum {
    HEAD_BYTES = 512,     /* enough for an ELF head or an interpreter line */
    INTERPRETERS_MAX = 5, /* as Linux: more are refused when the program starts */
    SEGMENTS_MAX = 1000,
};

/* ---- ELF ------------------------------------------------------------------------------------- */

/* Reads as many bytes as there are; -1 and errno. */
static ssize_t read_at(int fd, off_t at, void *to, size_t bytes)
{
    size_t got = 0;

    while (got < bytes) {
        ssize_t done;

        RETRY(done, pread(fd, (char *)to + got, bytes - got, at + (off_t)got));
        if (done < 0)
            return -1;
        if (done == 0)
            break;
        got += (size_t)done;
    }
    return (ssize_t)got;
}

/* This program's own machine. */
static Elf64_Half own_machine(void)
{
    Elf64_Ehdr head = {0};
    int fd;

    RETRY(fd, open("/proc/self/exe", O_RDONLY | O_CLOEXEC));
    if (fd >= 0) {
        if (read_at(fd, 0, &head, sizeof head) != sizeof head)
            head.e_machine = EM_NONE;
        close(fd);
    }
    return head.e_machine;
}

/* Name of the program's dynamic linker into `interpreter`: "" when it has none. */
static bool elf_interpreter(int fd, const Elf64_Ehdr *head, char interpreter[PATH_MAX])
{
    interpreter[0] = 0;
    if (head->e_phentsize != sizeof(Elf64_Phdr) || head->e_phnum > SEGMENTS_MAX)
        return false;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        const off_t at = (off_t)(head->e_phoff + i * sizeof(Elf64_Phdr));
        Elf64_Phdr segment;

        if (read_at(fd, at, &segment, sizeof segment) != sizeof segment)
            return false;
        if (segment.p_type != PT_INTERP)
            continue;
        if (segment.p_filesz == 0 || segment.p_filesz >= PATH_MAX ||
            read_at(fd, (off_t)segment.p_offset, interpreter, segment.p_filesz) !=
                (ssize_t)segment.p_filesz)
            return false;
        interpreter[segment.p_filesz] = 0;
        return true;
    }
    return true;
}

static bool elf_check(int fd, const char *path, const Elf64_Ehdr *head, struct gfe_error *error)
{
    char interpreter[PATH_MAX];

    if (head->e_ident[EI_CLASS] != ELFCLASS64 || head->e_ident[EI_DATA] != ELFDATA2LSB ||
        head->e_machine != own_machine())
        return error_set(error, ERROR_INPUT,
                         "%s: a program for another machine (ELF machine %u, %s-bit); the recorder "
                         "is for ELF machine %u, 64-bit",
                         path, (unsigned)head->e_machine,
                         head->e_ident[EI_CLASS] == ELFCLASS64 ? "64" : "32",
                         (unsigned)own_machine());
    if (!elf_interpreter(fd, head, interpreter))
        return error_set(error, ERROR_INPUT, "%s: damaged ELF program headers", path);
    if (!interpreter[0])
        return error_set(error, ERROR_INPUT,
                         "%s: statically linked: no library can be preloaded into it, so it cannot "
                         "be recorded",
                         path);
    if (strstr(interpreter, "ld-musl"))
        return error_set(error, ERROR_INPUT,
                         "%s: linked with musl; the recorder is for programs of the GNU C library",
                         path);
    return true;
}

/* ---- privileges ------------------------------------------------------------------------------ */

static bool privileges_check(int fd, const char *path, const struct stat *status,
                             struct gfe_error *error)
{
    const char *kind = NULL;

    if (status->st_mode & S_ISUID)
        kind = "is set-uid";
    else if ((status->st_mode & S_ISGID) && (status->st_mode & S_IXGRP))
        kind = "is set-gid";
    else if (fgetxattr(fd, "security.capability", NULL, 0) > 0)
        kind = "has file capabilities";
    if (!kind)
        return true;
    return error_set(error, ERROR_INPUT,
                     "%s %s: the system preloads no library into it, so it cannot be "
                     "recorded (a copy of it that lacks this can)",
                     path, kind);
}

/* ---- scripts and the like -------------------------------------------------------------------- */

/* The interpreter that a script's first line names, into `interpreter`. */
static bool script_interpreter(const char *head, char interpreter[HEAD_BYTES])
{
    const char *from = head + 2;
    size_t length;

    from += strspn(from, " \t");
    length = strcspn(from, " \t\n");
    memcpy(interpreter, from, length);
    interpreter[length] = 0;
    return length > 0;
}

/* One file on the way: *next is the interpreter of a script, or "". */
static bool file_check(const char *path, char next[HEAD_BYTES], struct gfe_error *error)
{
    union {
        char text[HEAD_BYTES];
        Elf64_Ehdr elf;
    } head = {{0}};
    struct stat status;
    bool good = true;
    int fd;

    next[0] = 0;
    RETRY(fd, open(path, O_RDONLY | O_CLOEXEC));
    if (fd < 0) /* executable but not readable: nothing can be said about it */
        return errno == EACCES ? true : error_set_errno(error, errno, "%s", path);
    if (read_at(fd, 0, head.text, sizeof head.text - 1) < 0 || fstat(fd, &status) != 0)
        good = error_set_errno(error, errno, "%s", path);
    else if (memcmp(head.text, ELFMAG, SELFMAG) == 0)
        good = elf_check(fd, path, &head.elf, error) && privileges_check(fd, path, &status, error);
    else if (memcmp(head.text, "#!", 2) == 0)
        good = script_interpreter(head.text, next) ||
               error_set(error, ERROR_INPUT, "%s: a script without an interpreter", path);
    close(fd);
    return good;
}

/* ---- finding --------------------------------------------------------------------------------- */

static bool executable(const char *path, struct gfe_error *error)
{
    struct stat status;

    if (stat(path, &status) != 0)
        return error_set_errno(error, errno, "%s", path);
    if (S_ISDIR(status.st_mode))
        return error_set(error, ERROR_INPUT, "%s: a directory, not a program", path);
    if (access(path, X_OK) != 0)
        return error_set(error, ERROR_INPUT, "%s: not executable", path);
    return true;
}

/* Looks along $PATH; false without a message when it is not there. */
static bool path_search(const char *name, char found[PATH_MAX])
{
    const char *directories = getenv("PATH");

    if (!directories)
        directories = "/bin:/usr/bin";
    for (const char *at = directories;; at++) {
        const size_t length = strcspn(at, ":");
        const int bytes =
            snprintf(found, PATH_MAX, "%.*s%s%s", (int)length, at, length > 0 ? "/" : "./", name);

        if (bytes < PATH_MAX && executable(found, NULL))
            return true;
        at += length;
        if (!*at)
            return false;
    }
}

bool record_program_check(const char *name, struct gfe_error *error)
{
    char path[PATH_MAX], next[HEAD_BYTES];

    if (strchr(name, '/')) {
        if ((size_t)snprintf(path, sizeof path, "%s", name) >= sizeof path)
            return error_set_errno(error, ENAMETOOLONG, "%.100s...", name);
        if (!executable(path, error))
            return false;
    } else if (!*name || !path_search(name, path)) {
        return error_set(error, ERROR_INPUT, "%s: no such program (looked along PATH)", name);
    }
    for (int i = 0; i <= INTERPRETERS_MAX; i++) {
        if (!file_check(path, next, error))
            return false;
        if (!next[0])
            return true;
        snprintf(path, sizeof path, "%s", next);
        if (!executable(path, error))
            return false;
    }
    return error_set(error, ERROR_INPUT, "%s: interpreters of interpreters without end", name);
}

/* ---- the driver ------------------------------------------------------------------------------ */

static bool driver_in(const char *directories)
{
    char path[PATH_MAX];

    for (const char *at = directories;; at++) {
        const size_t length = strcspn(at, ":");

        if (snprintf(path, sizeof path, "%.*s/nouveau_dri.so", (int)length, at) < PATH_MAX &&
            access(path, R_OK) == 0)
            return true;
        at += length;
        if (!*at)
            return false;
    }
}

bool record_program_driver_check(struct gfe_error *error)
{
    const char *own = getenv("LIBGL_DRIVERS_PATH");

    if (own && *own ? driver_in(own)
                    : driver_in("/usr/lib/x86_64-linux-gnu/dri:/usr/lib/aarch64-linux-gnu/dri:"
                                "/usr/lib64/dri:/usr/lib/dri:/usr/local/lib/dri"))
        return true;
    return error_set(
        error, ERROR_INPUT,
        "nouveau_dri.so, Mesa's driver for NVIDIA GPUs, is not installed%s%s; on Debian: "
        "apt-get install libgl1-mesa-dri libegl1 libgles2",
        own && *own ? " in LIBGL_DRIVERS_PATH=" : "", own && *own ? own : "");
}
