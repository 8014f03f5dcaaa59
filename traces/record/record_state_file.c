/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include "traces/record/record_state_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/record_preload.h"

enum { LINK_BYTES = 4096, TARGET_BYTES = 64 };

int record_state_file_make(size_t bytes)
{
    int sized = -1, fd;

    RETRY(fd, memfd_create("gfe-state", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd >= 0)
        RETRY(sized, ftruncate(fd, (off_t)bytes));
    if (sized == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

bool record_state_file_link(const char *directory, int fd)
{
    char path[LINK_BYTES], target[TARGET_BYTES];

    if ((size_t)snprintf(path, sizeof path, "%s/" RECORD_NAME_STATE "%d", directory,
                         (int)getpid()) >= sizeof path) {
        errno = ENAMETOOLONG;
        return false;
    }
    (void)snprintf(target, sizeof target, "/proc/%d/fd/%d", (int)getpid(), fd);
    return symlink(target, path) == 0 ||
           (errno == EEXIST && unlink(path) == 0 && symlink(target, path) == 0);
}

/* ---- finding it ------------------------------------------------------------------------------ */

/* By system calls without a name that the preloaded library takes over. */
static int at_open(int folder_fd, const char *path, int flags)
{
    long fd;

    RETRY(fd, syscall(SYS_openat, folder_fd, path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0));
    return (int)fd;
}

bool record_state_links_begin(struct record_state_links *links, const char *directory)
{
    links->directory = directory;
    links->bytes = links->at = 0;
    links->folder_fd = at_open(AT_FDCWD, directory, O_RDONLY | O_DIRECTORY);
    return links->folder_fd >= 0;
}

/* The next name of a link; NULL at the end. */
static const char *name_next(struct record_state_links *links)
{
    for (;;) {
        const struct dirent64 *entry;

        if (links->at == links->bytes) {
            links->at = 0;
            links->bytes = getdents64(links->folder_fd, links->entries, sizeof links->entries);
        }
        if (links->bytes <= 0)
            return NULL;
        entry = (const void *)(links->entries + links->at);
        links->at += entry->d_reclen;
        if (strncmp(entry->d_name, RECORD_NAME_STATE, strlen(RECORD_NAME_STATE)) == 0)
            return entry->d_name;
    }
}

int record_state_links_open(struct record_state_links *links, size_t bytes)
{
    const char *name;
    struct stat status;

    while ((name = name_next(links)) != NULL) {
        const int fd = at_open(links->folder_fd, name, O_RDWR);

        if (fd < 0)
            continue;
        if (syscall(SYS_fstat, fd, &status) == 0 && S_ISREG(status.st_mode) &&
            (size_t)status.st_size == bytes)
            return fd;
        close(fd);
    }
    return -1;
}

void record_state_links_end(struct record_state_links *links)
{
    if (links->folder_fd >= 0)
        close(links->folder_fd);
    links->folder_fd = -1;
}
