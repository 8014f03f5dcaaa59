/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/opened.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/retry.h"

bool opened_keep(const char *path)
{
    struct stat status;
    int fd, kept;

    if (*path == '\0' || stat(path, &status) != 0)
        return true;
    RETRY(fd, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY));
    if (fd < 0)
        return errno != EMFILE && errno != ENFILE; /* who wants to read it is told why */
    kept = fcntl(fd, F_DUPFD_CLOEXEC, OPENED_FIRST);
    (void)close(fd);
    if (kept >= OPENED_FIRST + OPENED_MOST)
        (void)close(kept);
    return kept >= 0 && kept < OPENED_FIRST + OPENED_MOST;
}

/* Returns the descriptor of the process's own that the path names; -1 if it names none. */
static int opened_own(const char *path)
{
    int fd, used = 0;

    return sscanf(path, "/proc/self/fd/%d%n", &fd, &used) == 1 && path[used] == '\0' ? fd : -1;
}

int opened_find(const char *path)
{
    const int own = opened_own(path);
    struct stat wanted, status;

    if (own >= 0)
        return fcntl(own, F_DUPFD_CLOEXEC, 0);

    if (stat(path, &wanted) != 0)
        return -1;
    for (int fd = OPENED_FIRST; fd < OPENED_FIRST + OPENED_MOST && fstat(fd, &status) == 0; fd++)
        if (status.st_dev == wanted.st_dev && status.st_ino == wanted.st_ino &&
            (fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDONLY)
            return fcntl(fd, F_DUPFD_CLOEXEC, 0);
    if (access(path, R_OK) == 0)
        errno = EPERM;
    return -1;
}

static int opened_open(const char *path, int flags)
{
    int fd;

    RETRY(fd, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | flags));
    return fd < 0 && errno == EPERM ? opened_find(path) : fd;
}

int opened_read(const char *path)
{
    return opened_open(path, 0);
}

int opened_read_now(const char *path)
{
    return opened_open(path, O_NONBLOCK);
}
