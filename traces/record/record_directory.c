/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_directory.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/record_preload.h"
#include "traces/record/record_tree.h"

#define NAME_PREFIX "gfe-record-"

/* A directory without a lock file is perhaps just being made. */
enum { UNLOCKED_STALE_SECONDS = 60 };

/* Where temporary files go, links resolved; allocated. */
static char *temporary_root(struct gfe_error *error)
{
    const char *wanted = getenv("TMPDIR");
    char *root;

    if (!wanted || !*wanted)
        wanted = "/tmp";
    root = realpath(wanted, NULL);
    if (!root)
        error_set_errno(error, errno, "%s (TMPDIR)", wanted);
    return root;
}

static char *path_join(const char *directory, const char *name)
{
    char *path = NULL;

    return asprintf(&path, "%s/%s", directory, name) < 0 ? NULL : path;
}

char *record_directory_file(const struct record_directory *directory, const char *name)
{
    return path_join(directory->path, name);
}

/* Opens the lock file of a directory; -1 and errno. */
static int lock_open(const char *directory)
{
    char *path = path_join(directory, RECORD_NAME_LOCK);
    int fd;

    if (!path) {
        errno = ENOMEM;
        return -1;
    }
    RETRY(fd, open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    free(path);
    return fd;
}

/* Makes the lock file of a directory.  It is locked from the moment when it has its name: a process
 * that cleans up finds no lock file, or one that is held. */
static bool lock_make(struct record_directory *directory)
{
    char *unnamed = path_join(directory->path, RECORD_NAME_LOCK ".new");
    char *named = path_join(directory->path, RECORD_NAME_LOCK);
    bool done = false;

    if (unnamed && named) {
        RETRY(directory->lock_fd,
              open(unnamed, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600));
        done = directory->lock_fd >= 0 && flock(directory->lock_fd, LOCK_SH) == 0 &&
               rename(unnamed, named) == 0;
    } else {
        errno = ENOMEM;
    }
    free(unnamed);
    free(named);
    return done;
}

bool record_directory_make(struct record_directory *directory, struct gfe_error *error)
{
    char *root = temporary_root(error);
    char *path;

    *directory = (struct record_directory){.lock_fd = -1};
    if (!root)
        return false;
    path = path_join(root, NAME_PREFIX "XXXXXX");
    free(root);
    if (!path)
        return error_set_errno(error, ENOMEM, "record");
    if (!mkdtemp(path)) {
        error_set_errno(error, errno, "%s", path);
        free(path);
        return false;
    }
    directory->path = path;
    if (lock_make(directory))
        return true;
    error_set_errno(error, errno, "%s/" RECORD_NAME_LOCK, path);
    record_directory_remove(directory);
    return false;
}

bool record_directory_take(struct record_directory *directory, const char *path,
                           struct gfe_error *error)
{
    *directory = (struct record_directory){.lock_fd = lock_open(path)};
    if (directory->lock_fd < 0)
        return error_set(error, ERROR_INPUT, "%s: not a directory that gfe record left behind",
                         path);
    if (flock(directory->lock_fd, LOCK_EX | LOCK_NB) != 0) {
        error_set(error, ERROR_INPUT, "%s: still in use: a recording is going on", path);
        record_directory_leave(directory);
        return false;
    }
    directory->path = realpath(path, NULL);
    if (directory->path)
        return true;
    error_set_errno(error, errno, "%s", path);
    record_directory_leave(directory);
    return false;
}

bool record_directory_follow(struct record_directory *directory)
{
    char link[64], path[PATH_MAX];
    ssize_t bytes;
    char *slash;

    if (access(directory->path, F_OK) == 0)
        return true;
    (void)snprintf(link, sizeof link, "/proc/self/fd/%d", directory->lock_fd);
    bytes = readlink(link, path, sizeof path - 1);
    path[bytes > 0 ? bytes : 0] = 0;
    if (access(path, F_OK) != 0 || !(slash = strrchr(path, '/')))
        return false;
    *slash = 0;
    slash = strdup(path);
    if (!slash)
        return false;
    free(directory->path);
    directory->path = slash;
    return true;
}

bool record_directory_alone(const struct record_directory *directory)
{
    return flock(directory->lock_fd, LOCK_EX | LOCK_NB) == 0;
}

void record_directory_leave(struct record_directory *directory)
{
    if (directory->lock_fd >= 0)
        close(directory->lock_fd);
    free(directory->path);
    *directory = (struct record_directory){.lock_fd = -1};
}

void record_directory_remove(struct record_directory *directory)
{
    /* Twice: what failed at first may work now.  gfe record --clean finds the rest. */
    if (directory->path && record_directory_follow(directory) &&
        !record_tree_remove(directory->path))
        (void)record_tree_remove(directory->path);
    record_directory_leave(directory);
}

/* ---- what is left ---------------------------------------------------------------------------- */

/* Returns true if the directory is this user's and no process holds it.  It is then held
 * exclusively through *lock_fd, or has no lock file (-1). */
static bool left_behind(const char *path, int *lock_fd)
{
    struct stat status;

    *lock_fd = -1;
    if (lstat(path, &status) != 0 || !S_ISDIR(status.st_mode) || status.st_uid != geteuid())
        return false;
    *lock_fd = lock_open(path);
    if (*lock_fd < 0)
        return errno == ENOENT && time(NULL) - status.st_mtime > UNLOCKED_STALE_SECONDS;
    /* A lock file without a name is that of a directory which its owner has removed meanwhile. */
    if (flock(*lock_fd, LOCK_EX | LOCK_NB) == 0 && fstat(*lock_fd, &status) == 0 &&
        status.st_nlink > 0)
        return true;
    close(*lock_fd);
    *lock_fd = -1;
    return false;
}

/* The path of a directory that was left behind, held through *lock_fd; NULL if it was not. */
static char *left_path(const char *root, const char *name, int *lock_fd)
{
    char *path = path_join(root, name);

    if (path && left_behind(path, lock_fd))
        return path;
    free(path);
    return NULL;
}

/* Calls `found` for each directory that was left behind, while it is held. */
static void left_each(void (*found)(void *context, const char *path), void *context)
{
    const size_t length = strlen(NAME_PREFIX "XXXXXX");
    char *root = temporary_root(NULL);
    DIR *stream = root ? opendir(root) : NULL;

    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry; entry = readdir(stream)) {
        int lock_fd = -1;
        char *path = NULL;

        if (strlen(entry->d_name) == length &&
            strncmp(entry->d_name, NAME_PREFIX, strlen(NAME_PREFIX)) == 0)
            path = left_path(root, entry->d_name, &lock_fd);
        if (path)
            found(context, path);
        if (lock_fd >= 0)
            close(lock_fd);
        free(path);
    }
    if (stream)
        closedir(stream);
    free(root);
}

struct cleaning {
    void (*told)(void *context, const char *path, bool removed);
    void *context;
};

static void clean_one(void *context, const char *path)
{
    const struct cleaning *cleaning = context;

    cleaning->told(cleaning->context, path, record_tree_remove(path));
}

void record_directory_clean(void (*told)(void *context, const char *path, bool removed),
                            void *context)
{
    struct cleaning cleaning = {told, context};

    left_each(clean_one, &cleaning);
}

struct counting {
    unsigned count;
    char **first;
};

static void count_one(void *context, const char *path)
{
    struct counting *counting = context;

    if (counting->count++ == 0)
        *counting->first = strdup(path);
}

unsigned record_directory_left(char **first)
{
    struct counting counting = {.first = first};

    *first = NULL;
    left_each(count_one, &counting);
    return *first ? counting.count : 0;
}
