/* SPDX-License-Identifier: MIT */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include "traces/record/record_own_fd.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/record/record_process.h"

bool record_own_fd_take(struct record_own_fd *own, int fd)
{
    struct stat status;
    const int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 900);

    *own = (struct record_own_fd){.fd = -1};
    if (high >= 0) {
        close(fd);
        fd = high;
    }
    if (fd < 0 || record_process_real()->fstat(fd, &status) != 0)
        return false;
    *own = (struct record_own_fd){fd, status.st_dev, status.st_ino};
    return true;
}

bool record_own_fd_good(const struct record_own_fd *own)
{
    struct stat status;

    return own->fd >= 0 && record_process_real()->fstat(own->fd, &status) == 0 &&
           status.st_dev == own->device && status.st_ino == own->inode;
}
