/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "emu/base/visible.h"

enum { OUTPUT_NAMES_MAX = 1000, OUTPUT_PROC_NAME_BYTES = 40 };

static void output_clear(struct output *output)
{
    free(output->path);
    free(output->target);
    free(output->temporary);
    *output = (struct output){0};
}

/* The directory of a path, as a prefix for names in it: "" or with a slash at its end. */
static size_t output_directory_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash ? (size_t)(slash - path) + 1 : 0;
}

/* Name number `number` for a temporary file beside the target; NULL when memory is short. */
static char *output_temporary_name(const char *target, int number)
{
    char *name = NULL;

    if (asprintf(&name, "%.*s.gfe-%ld-%d.tmp", (int)output_directory_bytes(target), target,
                 (long)getpid(), number) < 0)
        return NULL;
    return name;
}

static void output_proc_name(int fd, char name[OUTPUT_PROC_NAME_BYTES])
{
    (void)snprintf(name, OUTPUT_PROC_NAME_BYTES, "/proc/self/fd/%d", fd);
}

/* A file without a name, which linkat() can give one later; -1 where that cannot be had. */
static int output_open_nameless(const char *target, mode_t mode)
{
#ifdef O_TMPFILE
    const size_t bytes = output_directory_bytes(target);
    char *directory = bytes ? strndup(target, bytes) : strdup(".");
    char proc_name[OUTPUT_PROC_NAME_BYTES];
    int fd;

    if (!directory)
        return -1;
    RETRY(fd, open(directory, O_TMPFILE | O_WRONLY | O_CLOEXEC, mode));
    free(directory);
    if (fd < 0)
        return -1;
    output_proc_name(fd, proc_name);
    if (access(proc_name, F_OK) == 0)
        return fd;
    (void)close(fd);
#else
    (void)target, (void)mode;
#endif
    return -1;
}

static int output_open_temporary(struct output *output, mode_t mode)
{
    for (int number = 0; number < OUTPUT_NAMES_MAX; number++) {
        char *name = output_temporary_name(output->target, number);
        int fd = -1;

        if (name)
            RETRY(fd, open(name, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, mode));

        if (fd >= 0)
            output->temporary = name;
        else
            free(name);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Opens what commit will rename; `old` is the file that stands there now, or NULL. */
static int output_open_beside(struct output *output, const struct stat *old, bool is_private)
{
    const mode_t mode = is_private ? 0600 : 0666;
    int fd;

    if (old && faccessat(AT_FDCWD, output->path, W_OK, AT_EACCESS) != 0)
        return -1;
    output->target = old ? realpath(output->path, NULL) : strdup(output->path);
    if (!output->target)
        return -1;
    fd = output_open_nameless(output->target, mode);
    if (fd < 0)
        fd = output_open_temporary(output, mode);
    if (fd >= 0 && old && !is_private)
        (void)fchmod(fd, old->st_mode & 0777);
    return fd;
}

static int output_open_fd(struct output *output, bool is_private, struct gfe_error *error)
{
    struct stat old;
    int fd;

    if (stat(output->path, &old) != 0) {
        if (errno != ENOENT || output->path[0] == '\0') {
            error_set_errno(error, errno, "%s: cannot be written", output->path);
            return -1;
        }
        fd = output_open_beside(output, NULL, is_private);
    } else if (S_ISDIR(old.st_mode)) {
        error_set(error, ERROR_SYSTEM, "%s: is a directory; the name of a file was expected",
                  output->path);
        return -1;
    } else if (S_ISREG(old.st_mode)) {
        fd = output_open_beside(output, &old, is_private);
    } else {
        RETRY(fd, open(output->path, O_WRONLY | O_CLOEXEC | O_NOCTTY));
    }
    if (fd < 0)
        error_set_errno(error, errno, "%s: cannot be written", output->path);
    return fd;
}

bool output_differs(const char *output_path, const char *input_path, struct gfe_error *error)
{
    struct stat output, input;

    if (stat(output_path, &output) != 0 || stat(input_path, &input) != 0 ||
        !S_ISREG(output.st_mode) || output.st_dev != input.st_dev || output.st_ino != input.st_ino)
        return true;
    return error_set(error, ERROR_USAGE, "%s is the file that is read; write to another",
                     output_path);
}

/* Says what errno knows; of a write that failed long ago the reason is lost. */
static bool output_failed(const char *path, struct gfe_error *error)
{
    return errno ? error_set_errno(error, errno, "%s: cannot be written", path)
                 : error_set(error, ERROR_SYSTEM, "%s: cannot be written", path);
}

/* The stream of a descriptor; `fd` stays open if there is none. */
static FILE *output_stream(int fd, bool is_text)
{
    return is_text ? visible_open(fd) : fdopen(fd, "w");
}

/* Bytes go past `stdout`, which may be a stream for text. */
static int output_open_stdout(struct gfe_error *error)
{
    const int fd = output_flush_stdout(error) ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0) : -1;

    if (fd < 0)
        (void)output_failed("standard output", error);
    return fd;
}

static bool output_start(struct output *output, const char *path, bool is_text, bool is_private,
                         struct gfe_error *error)
{
    const bool to_stdout = strcmp(path, "-") == 0;

    *output = (struct output){.fd = -1};
    output->path = strdup(to_stdout ? "standard output" : path);
    if (!output->path)
        return error_set_errno(error, ENOMEM, "%s", path);
    if (to_stdout && is_text) {
        output->file = stdout;
        output->fd = STDOUT_FILENO;
        return true;
    }
    output->fd = to_stdout ? output_open_stdout(error) : output_open_fd(output, is_private, error);
    if (output->fd >= 0) {
        output->file = output_stream(output->fd, is_text);
        if (output->file)
            return true;
        error_set_errno(error, errno, "%s: cannot be written", output->path);
        (void)close(output->fd);
        if (output->temporary)
            (void)unlink(output->temporary);
    }
    output_clear(output);
    return false;
}

bool output_open(struct output *output, const char *path, struct gfe_error *error)
{
    return output_start(output, path, false, false, error);
}

bool output_open_private(struct output *output, const char *path, struct gfe_error *error)
{
    return output_start(output, path, false, true, error);
}

bool output_open_text(struct output *output, const char *path, struct gfe_error *error)
{
    return output_start(output, path, true, false, error);
}

/* Gives the nameless file a name: the target's if it is free, else one beside it. */
static bool output_link(struct output *output)
{
    char proc_name[OUTPUT_PROC_NAME_BYTES];

    output_proc_name(output->fd, proc_name);
    if (linkat(AT_FDCWD, proc_name, AT_FDCWD, output->target, AT_SYMLINK_FOLLOW) == 0)
        return true;
    for (int number = 0; errno == EEXIST && number < OUTPUT_NAMES_MAX; number++) {
        char *name = output_temporary_name(output->target, number);

        if (!name)
            return false;
        if (linkat(AT_FDCWD, proc_name, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            output->temporary = name;
            return true;
        }
        free(name);
    }
    return false;
}

static bool output_name(struct output *output)
{
    if (!output->temporary && !output_link(output))
        return false;
    if (!output->temporary)
        return true;
    if (rename(output->temporary, output->target) != 0)
        return false;
    free(output->temporary);
    output->temporary = NULL;
    return true;
}

/* After everything is written: makes the file appear.  Sets errno on failure.  A signal that ends
 * the program waits meanwhile, because a file that replaces another has a name of its own before.
 */
static bool output_publish(struct output *output)
{
    sigset_t all, before;
    bool done;
    int saved_errno;

    if (!output->target)
        return true;
    sigfillset(&all);
    (void)pthread_sigmask(SIG_BLOCK, &all, &before);
    done = output_name(output);
    saved_errno = errno;
    if (!done && output->temporary && unlink(output->temporary) == 0) {
        free(output->temporary);
        output->temporary = NULL;
    }
    (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = saved_errno;
    return done;
}

bool output_commit(struct output *output, struct gfe_error *error)
{
    bool done;

    errno = 0;
    done = fflush(output->file) == 0 && !ferror(output->file) && output_publish(output);
    if (!done)
        output_failed(output->path, error);
    output_abort(output);
    return done;
}

void output_abort(struct output *output)
{
    const int saved_errno = errno;

    if (output->file && output->file != stdout)
        (void)fclose(output->file);
    if (output->temporary)
        (void)unlink(output->temporary);
    output_clear(output);
    errno = saved_errno;
}

bool output_flush_stdout(struct gfe_error *error)
{
    errno = 0;
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    return output_failed("standard output", error);
}
