/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_saved.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "emu/base/retry.h"

int record_saved_make(const char *directory, uint64_t bytes, struct gfe_error *error)
{
    char *path = NULL;
    int sized = -1, fd;

    RETRY(fd, open(directory, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (fd < 0 && asprintf(&path, "%s/saved-XXXXXX", directory) >= 0) {
        fd = mkostemp(path, O_CLOEXEC);
        if (fd >= 0)
            (void)unlink(path);
        free(path);
    }
    if (fd >= 0)
        RETRY(sized, ftruncate(fd, (off_t)bytes));
    if (sized == 0)
        return fd;
    error_set_errno(error, errno, "%s: a sparse file of %llu bytes", directory,
                    (unsigned long long)bytes);
    if (fd >= 0)
        close(fd);
    return -1;
}

bool record_saved_read(int fd, uint64_t offset, uint8_t *to, uint64_t bytes)
{
    while (bytes > 0) {
        ssize_t done;

        RETRY(done, pread(fd, to, bytes, (off_t)offset));
        if (done <= 0)
            return false;
        to += done;
        offset += (uint64_t)done;
        bytes -= (uint64_t)done;
    }
    return true;
}

/* A limit on the size of files would kill the program. */
static bool saved_may_grow_to(uint64_t end)
{
    struct rlimit limit;

    return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
           (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur >= end);
}

bool record_saved_write(int fd, uint64_t offset, const uint8_t *from, uint64_t bytes)
{
    if (!saved_may_grow_to(offset + bytes))
        return false;
    while (bytes > 0) {
        ssize_t done;

        RETRY(done, pwrite(fd, from, bytes, (off_t)offset));
        if (done <= 0)
            return false;
        from += done;
        offset += (uint64_t)done;
        bytes -= (uint64_t)done;
    }
    return true;
}
