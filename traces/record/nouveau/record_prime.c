/* SPDX-License-Identifier: MIT */
/*
 * Descriptors that stand for buffer objects and go from process to process (PRIME, dma-buf).
 *
 * Each is of a file "prime-N" in the recording's directory, as large as the object: it is known by
 * its inode wherever it comes from, its size is the object's, and a lock on it tells whether a
 * descriptor is still open (see record_file.c).  It has no contents: mmap(2) of one is sent to the
 * object's place in the memory (record_preload.c).
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "traces/record/nouveau/record_nouveau_private.h"

static bool prime_path(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo,
                       char path[PATH_MAX])
{
    return nouveau->directory && (size_t)snprintf(path, PATH_MAX, "%s/prime-%u", nouveau->directory,
                                                  (unsigned)bo->number) < PATH_MAX;
}

static bool prime_prepare(const struct record_nouveau *nouveau, struct record_nouveau_bo *bo,
                          int fd)
{
    struct flock lock = {.l_type = F_RDLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    struct stat status;

    if (ftruncate(fd, (off_t)record_nouveau_bo_buffer(nouveau, bo)->size_bytes) != 0 ||
        fstat(fd, &status) != 0 || fcntl(fd, F_OFD_SETLK, &lock) != 0)
        return false;
    bo->prime_device = status.st_dev;
    bo->prime_inode = status.st_ino;
    bo->is_exported = 1;
    return true;
}

int record_nouveau_prime_open(struct record_nouveau *nouveau, struct record_nouveau_bo *bo,
                              uint32_t flags)
{
    char path[PATH_MAX];
    int fd, error;

    if (!prime_path(nouveau, bo, path))
        return -ENOSYS;
    fd = openat(AT_FDCWD, path, O_RDWR | O_CREAT | ((int)flags & O_CLOEXEC), 0600);
    if (fd < 0)
        return -errno;
    if (prime_prepare(nouveau, bo, fd))
        return fd;
    error = errno;
    close(fd);
    return -error;
}

bool record_nouveau_prime_is_open(const struct record_nouveau *nouveau,
                                  const struct record_nouveau_bo *bo)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 0, .l_len = 1};
    char path[PATH_MAX];
    bool is_open;
    int fd;

    if (!prime_path(nouveau, bo, path))
        return false;
    fd = openat(AT_FDCWD, path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return errno != ENOENT;
    is_open = fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
    close(fd);
    return is_open;
}

void record_nouveau_prime_remove(const struct record_nouveau *nouveau,
                                 const struct record_nouveau_bo *bo)
{
    char path[PATH_MAX];

    if (prime_path(nouveau, bo, path))
        (void)unlink(path);
}

struct record_nouveau_bo *record_nouveau_prime_find(const struct record_nouveau *nouveau,
                                                    uint64_t device, uint64_t inode)
{
    for (uint32_t i = 0; i < nouveau->table->bo_count && i < RECORD_MEMORY_BUFFERS_MAX; i++) {
        struct record_nouveau_bo *bo = &nouveau->table->bos[i];

        if (bo->number != 0 && bo->is_exported && bo->prime_inode == inode &&
            bo->prime_device == device)
            return bo;
    }
    return NULL;
}

bool record_nouveau_prime(const struct record_nouveau *nouveau, uint64_t device, uint64_t inode,
                          uint64_t *offset)
{
    const struct record_nouveau_bo *bo = record_nouveau_prime_find(nouveau, device, inode);

    if (bo)
        *offset = record_nouveau_bo_buffer(nouveau, bo)->offset;
    return bo != NULL;
}
