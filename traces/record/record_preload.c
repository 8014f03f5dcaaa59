/* SPDX-License-Identifier: MIT */
/*
 * The interposed calls.  Each asks record_process.h whether it concerns the stand-in, and goes on
 * to the next library if not.
 */
/* The names below are to be the plain ones, without the checking inline variants. */
#undef _FORTIFY_SOURCE
#include <config.h>
#undef _FILE_OFFSET_BITS

#include "traces/record/record_preload.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "traces/record/record_process.h"
#include "traces/record/kfd/record_kfd_uapi.h"
#include "traces/record/record_tree.h"
#include "traces/record/nouveau/record_uapi.h"

_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "stat and stat64 are the same here");

static const struct record_real *real(void)
{
    return record_process_real();
}

/* ---- paths ----------------------------------------------------------------------------------- */

/* `path`, or its place in the tree, which `room` then holds. */
static const char *path_redirect(const char *path, char room[PATH_MAX])
{
    if (!path || !record_process_tree_has(path) || record_process_inside() ||
        !record_process_standing_in())
        return path;
    if ((size_t)snprintf(room, PATH_MAX, "%s%s", record_process_tree(), path) >= PATH_MAX)
        return path;
    return room;
}

static bool path_is_node(const char *path)
{
    return path && strcmp(path, RECORD_TREE_NODE) == 0 && !record_process_inside() &&
           record_process_standing_in() && !record_process_is_kfd();
}

/* The tree's name in front of a result is taken off again. */
static char *path_restore(char *path)
{
    const char *tree = record_process_tree();
    const size_t length = strlen(tree);

    if (path && length > 0 && strncmp(path, tree, length) == 0 && path[length] == '/')
        memmove(path, path + length, strlen(path + length) + 1);
    return path;
}

/* ---- stat ------------------------------------------------------------------------------------ */

/* A real node is what it is; the library itself sees the file. */
static bool patching(void)
{
    return !record_process_passing() && !record_process_inside();
}

/* `is_node`: by its path; else by what is known of the file. */
static void status_patch(struct stat *status, bool is_node)
{
    dev_t number = makedev(RECORD_TREE_MAJOR, RECORD_TREE_MINOR);

    if (!patching() || (!is_node && !record_process_node_number(status, &number)))
        return;
    status->st_mode = S_IFCHR | 0666;
    status->st_rdev = number;
    status->st_size = 0;
    status->st_blocks = 0;
}

static int status_of_path(int directory, const char *path, struct stat *status, int flags)
{
    char room[PATH_MAX];
    const int result = real()->fstatat(directory, path_redirect(path, room), status, flags);

    if (result == 0)
        status_patch(status, path_is_node(path));
    return result;
}

static int status_of_fd(int fd, struct stat *status)
{
    const int result = real()->fstat(fd, status);

    if (result == 0)
        status_patch(status, false);
    return result;
}

static bool fd_is_node(int fd)
{
    struct stat status;

    return !record_process_inside() && real()->fstat(fd, &status) == 0 &&
           record_process_status_is_node(&status);
}

RECORD_EXPORT int stat(const char *restrict path, struct stat *restrict status)
{
    return status_of_path(AT_FDCWD, path, status, 0);
}

RECORD_EXPORT int stat64(const char *restrict path, struct stat64 *restrict status)
{
    return status_of_path(AT_FDCWD, path, (struct stat *)(void *)status, 0);
}

RECORD_EXPORT int lstat(const char *restrict path, struct stat *restrict status)
{
    return status_of_path(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

RECORD_EXPORT int lstat64(const char *restrict path, struct stat64 *restrict status)
{
    return status_of_path(AT_FDCWD, path, (struct stat *)(void *)status, AT_SYMLINK_NOFOLLOW);
}

RECORD_EXPORT int fstat(int fd, struct stat *status)
{
    return status_of_fd(fd, status);
}

RECORD_EXPORT int fstat64(int fd, struct stat64 *status)
{
    return status_of_fd(fd, (struct stat *)(void *)status);
}

RECORD_EXPORT int fstatat(int fd, const char *restrict path, struct stat *restrict status,
                          int flags)
{
    return status_of_path(fd, path, status, flags);
}

RECORD_EXPORT int fstatat64(int fd, const char *restrict path, struct stat64 *restrict status,
                            int flags)
{
    return status_of_path(fd, path, (struct stat *)(void *)status, flags);
}

/* What programs built against a glibc before 2.33 call; `version` is always 1 here. */
RECORD_EXPORT int __xstat(int version, const char *path, struct stat *status);
RECORD_EXPORT int __xstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return status_of_path(AT_FDCWD, path, status, 0);
}

RECORD_EXPORT int __xstat64(int version, const char *path, struct stat *status);
RECORD_EXPORT int __xstat64(int version, const char *path, struct stat *status)
{
    (void)version;
    return status_of_path(AT_FDCWD, path, status, 0);
}

RECORD_EXPORT int __lxstat(int version, const char *path, struct stat *status);
RECORD_EXPORT int __lxstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return status_of_path(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

RECORD_EXPORT int __lxstat64(int version, const char *path, struct stat *status);
RECORD_EXPORT int __lxstat64(int version, const char *path, struct stat *status)
{
    (void)version;
    return status_of_path(AT_FDCWD, path, status, AT_SYMLINK_NOFOLLOW);
}

RECORD_EXPORT int __fxstat(int version, int fd, struct stat *status);
RECORD_EXPORT int __fxstat(int version, int fd, struct stat *status)
{
    (void)version;
    return status_of_fd(fd, status);
}

RECORD_EXPORT int __fxstat64(int version, int fd, struct stat *status);
RECORD_EXPORT int __fxstat64(int version, int fd, struct stat *status)
{
    (void)version;
    return status_of_fd(fd, status);
}

RECORD_EXPORT int statx(int fd, const char *restrict path, int flags, unsigned mask,
                        struct statx *restrict status)
{
    char room[PATH_MAX];
    const int result =
        real()->statx(fd, path_redirect(path, room), flags, mask | STATX_INO, status);
    struct stat plain = {0};

    if (result != 0)
        return result;
    plain.st_dev = makedev(status->stx_dev_major, status->stx_dev_minor);
    plain.st_ino = status->stx_ino;
    status_patch(&plain, path_is_node(path));
    if (S_ISCHR(plain.st_mode)) {
        status->stx_mode = S_IFCHR | 0666;
        status->stx_rdev_major = major(plain.st_rdev);
        status->stx_rdev_minor = minor(plain.st_rdev);
        status->stx_size = 0;
        status->stx_blocks = 0;
    }
    return result;
}

/* ---- open ------------------------------------------------------------------------------------ */

static int open_at(int directory, const char *path, int flags, mode_t mode)
{
    char room[PATH_MAX];
    const char *redirected;
    int fd;

    if (path_is_node(path))
        return record_process_open(flags);
    redirected = path_redirect(path, room);
    fd = real()->openat(directory, redirected, flags, mode);
    if (fd >= 0 && redirected != path)
        record_process_kfd_opened(fd);
    return fd;
}

/* The mode stands behind the flags only when a file may be made. */
static bool open_has_mode(int flags)
{
    return (flags & O_CREAT) || (flags & O_TMPFILE) == O_TMPFILE;
}

#define OPEN_MODE(flags, mode)                                                                     \
    do {                                                                                           \
        if (open_has_mode(flags)) {                                                                \
            va_list arguments_;                                                                    \
            va_start(arguments_, flags);                                                           \
            (mode) = va_arg(arguments_, mode_t);                                                   \
            va_end(arguments_);                                                                    \
        }                                                                                          \
    } while (0)

RECORD_EXPORT int open(const char *path, int flags, ...)
{
    mode_t mode = 0;

    OPEN_MODE(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

RECORD_EXPORT int open64(const char *path, int flags, ...)
{
    mode_t mode = 0;

    OPEN_MODE(flags, mode);
    return open_at(AT_FDCWD, path, flags, mode);
}

RECORD_EXPORT int openat(int directory, const char *path, int flags, ...)
{
    mode_t mode = 0;

    OPEN_MODE(flags, mode);
    return open_at(directory, path, flags, mode);
}

RECORD_EXPORT int openat64(int directory, const char *path, int flags, ...)
{
    mode_t mode = 0;

    OPEN_MODE(flags, mode);
    return open_at(directory, path, flags, mode);
}

/* What fortified programs call when there is no mode. */
RECORD_EXPORT int __open_2(const char *path, int flags);
RECORD_EXPORT int __open_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

RECORD_EXPORT int __open64_2(const char *path, int flags);
RECORD_EXPORT int __open64_2(const char *path, int flags)
{
    return open_at(AT_FDCWD, path, flags, 0);
}

RECORD_EXPORT int __openat_2(int directory, const char *path, int flags);
RECORD_EXPORT int __openat_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0);
}

RECORD_EXPORT int __openat64_2(int directory, const char *path, int flags);
RECORD_EXPORT int __openat64_2(int directory, const char *path, int flags)
{
    return open_at(directory, path, flags, 0);
}

RECORD_EXPORT FILE *fopen(const char *restrict path, const char *restrict mode)
{
    char room[PATH_MAX];

    return real()->fopen(path_redirect(path, room), mode);
}

RECORD_EXPORT FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    char room[PATH_MAX];

    return real()->fopen64(path_redirect(path, room), mode);
}

RECORD_EXPORT DIR *opendir(const char *path)
{
    char room[PATH_MAX];

    return real()->opendir(path_redirect(path, room));
}

/* ---- the rest -------------------------------------------------------------------------------- */

RECORD_EXPORT int access(const char *path, int mode)
{
    char room[PATH_MAX];

    return real()->access(path_redirect(path, room), mode);
}

RECORD_EXPORT int faccessat(int directory, const char *path, int mode, int flags)
{
    char room[PATH_MAX];

    return real()->faccessat(directory, path_redirect(path, room), mode, flags);
}

RECORD_EXPORT ssize_t readlink(const char *restrict path, char *restrict to, size_t bytes)
{
    char room[PATH_MAX];

    return real()->readlink(path_redirect(path, room), to, bytes);
}

RECORD_EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room_bytes);
RECORD_EXPORT ssize_t __readlink_chk(const char *path, char *to, size_t bytes, size_t room_bytes)
{
    if (bytes > room_bytes)
        abort(); /* as glibc's */
    return readlink(path, to, bytes);
}

RECORD_EXPORT char *realpath(const char *restrict path, char *restrict resolved)
{
    char room[PATH_MAX];
    const char *redirected = path_redirect(path, room);
    char *result = real()->realpath(redirected, resolved);

    return redirected == path ? result : path_restore(result);
}

RECORD_EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room_bytes);
RECORD_EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room_bytes)
{
    if (room_bytes < PATH_MAX)
        abort(); /* as glibc's */
    return realpath(path, resolved);
}

RECORD_EXPORT char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}

RECORD_EXPORT int ioctl(int fd, unsigned long request, ...)
{
    va_list arguments;
    void *argument;
    int result;

    va_start(arguments, request);
    argument = va_arg(arguments, void *);
    va_end(arguments);
    if ((_IOC_TYPE(request) == UAPI_DRM_TYPE || _IOC_TYPE(request) == KFD_TYPE) &&
        record_process_kfd_ioctl(fd, request, (uintptr_t)argument, &result))
        return result;
    if (_IOC_TYPE(request) == UAPI_DRM_TYPE && fd_is_node(fd))
        return record_process_ioctl(fd, request, (uintptr_t)argument);
    return real()->ioctl(fd, request, argument);
}

/* ---- what a node's descriptor does otherwise than a file's -------------------------------------
 */

/* A node has no offset; the file's is the library's (record_file.c). */
static off_t seek(int fd, off_t offset, int whence)
{
    if (record_process_passing())
        return real()->lseek(fd, offset, whence);
    if (record_process_standing_in() && fd_is_node(fd))
        return 0;
    return (off_t)syscall(SYS_lseek, fd, offset, whence);
}

RECORD_EXPORT off_t lseek(int fd, off_t offset, int whence)
{
    return seek(fd, offset, whence);
}

RECORD_EXPORT off64_t lseek64(int fd, off64_t offset, int whence)
{
    return seek(fd, offset, whence);
}

/* What is mapped of a real node is noted.  The next library may have to do with it, too. */
static void *map_real(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    void *mapped;

    if (record_process_is_kfd())
        return record_process_kfd_pass_map(at, bytes, protection, flags, fd, offset);
    mapped = real()->mmap(at, bytes, protection, flags, fd, offset);
    if (mapped != MAP_FAILED && !record_process_inside())
        record_process_mapped(fd, offset, bytes);
    return mapped;
}

/* A PRIME descriptor is mapped where its object is.  All by the system call: allocators map before
 * anything else works. */
static void *map(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    struct stat status;
    uint64_t begin;
    void *mapped;

    if (fd >= 0 && !(flags & MAP_ANONYMOUS) && record_process_passing())
        return map_real(at, bytes, protection, flags, fd, offset);
    if (fd >= 0 && !(flags & MAP_ANONYMOUS) && syscall(SYS_fstat, fd, &status) == 0) {
        if (record_process_kfd_map(&status, at, bytes, protection, flags, offset, &mapped))
            return mapped;
        if (record_process_prime(&status, &fd, &begin))
            offset += (off_t)begin;
    }
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, offset);
}

RECORD_EXPORT void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return map(at, bytes, protection, flags, fd, offset);
}

RECORD_EXPORT void *mmap64(void *at, size_t bytes, int protection, int flags, int fd,
                           off64_t offset)
{
    return map(at, bytes, protection, flags, fd, offset);
}
