/* SPDX-License-Identifier: MIT */
/*
 * The files of a recording's memory.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/record_memory.h"
#include "traces/record/record_saved.h"

static int memory_make(struct gfe_error *error)
{
    const uint64_t bytes =
        RECORD_MEMORY_FLAGS_OFFSET + RECORD_MEMORY_WINDOWS * RECORD_MEMORY_WINDOW_FLAGS;
    int sized = -1, fd;

    RETRY(fd, memfd_create("renderD128", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (fd >= 0)
        RETRY(sized, ftruncate(fd, (off_t)bytes));
    /* No process may change its size: a program may try, and a mapping would fault. */
    if (sized == 0 && fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
        return fd;
    error_set_errno(error, errno, "memory of the stand-in (memfd of %llu bytes)",
                    (unsigned long long)bytes);
    if (fd >= 0)
        close(fd);
    return -1;
}

bool record_memory_files_make(struct record_memory_files *files, const char *directory,
                              struct gfe_error *error)
{
    files->memory_fd = files->saved_fd = -1;
    files->memory_fd = memory_make(error);
    if (files->memory_fd >= 0)
        files->saved_fd = record_saved_make(directory, RECORD_MEMORY_BYTES, error);
    if (files->saved_fd >= 0)
        return true;
    if (files->memory_fd >= 0)
        close(files->memory_fd);
    return false;
}
