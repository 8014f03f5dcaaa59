/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/input.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/opened.h"
#include "emu/base/retry.h"

enum { FIRST_ROOM = 1 << 16 };

const char *input_name(const char *path)
{
    return strcmp(path, "-") == 0 ? "standard input" : path;
}

bool input_failed(const char *name, int errno_value, struct input_bound bound,
                  struct gfe_error *error)
{
    const bool is_large = bound.bytes >> 20 > 0;

    if (errno_value != EFBIG)
        return error_set_errno(error, errno_value, "%s", name);
    return error_set(error, ERROR_INPUT, "%s: more than %" PRIu64 "%s%s%s%s", name,
                     is_large ? bound.bytes >> 20 : bound.bytes, is_large ? " MiB" : " bytes",
                     bound.option ? "; " : "", bound.option ? bound.option : "",
                     bound.option ? " raises that" : "");
}

off_t input_offset(int fd)
{
    struct stat status;

    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) ? lseek(fd, 0, SEEK_CUR) : -1;
}

ssize_t input_at(int fd, void *to, size_t bytes, off_t at)
{
    size_t done = 0;

    while (done < bytes) {
        ssize_t got;

        RETRY(got, pread(fd, (char *)to + done, bytes - done, at + (off_t)done));
        if (got < 0)
            return -1;
        if (got == 0)
            break;
        done += (size_t)got;
    }
    return (ssize_t)done;
}

/* ---- streams --------------------------------------------------------------------------------- */

struct input {
    int fd;
    off_t at; /* in a regular file; -1: the descriptor's own offset counts */
    uint64_t left;
};

static ssize_t input_read(void *cookie, char *to, size_t bytes)
{
    struct input *input = cookie;
    ssize_t got;

    /* A byte more than may be there tells that there is one. */
    if (bytes > input->left)
        bytes = (size_t)input->left + 1;
    if (input->at >= 0)
        RETRY(got, pread(input->fd, to, bytes, input->at));
    else
        RETRY(got, read(input->fd, to, bytes));
    if (got > 0 && (uint64_t)got > input->left) {
        errno = EFBIG;
        return -1;
    }
    if (got > 0)
        input->left -= (uint64_t)got;
    if (got > 0 && input->at >= 0)
        input->at += got;
    return got;
}

static int input_close(void *cookie)
{
    struct input *input = cookie;
    const int done = input->fd == STDIN_FILENO ? 0 : close(input->fd);

    free(input);
    return done;
}

FILE *input_open(const char *path, uint64_t bytes, struct gfe_error *error)
{
    struct input *input = malloc(sizeof *input);
    FILE *file = NULL;
    int fd = STDIN_FILENO;

    if (input && strcmp(path, "-") != 0)
        fd = opened_read(path);
    if (input && fd >= 0)
        file = fopencookie(input, "r",
                           (cookie_io_functions_t){.read = input_read, .close = input_close});
    if (file) {
        *input = (struct input){
            .fd = fd, .at = fd == STDIN_FILENO ? -1 : input_offset(fd), .left = bytes};
        return file;
    }
    (void)error_set_errno(error, errno, "%s", input_name(path));
    if (fd > STDIN_FILENO)
        (void)close(fd);
    free(input);
    return NULL;
}

enum input_line input_line(FILE *file, char *line, size_t size)
{
    size_t used = 0;
    int byte = 0;

    while (used + 2 < size && byte != '\n' && (byte = getc_unlocked(file)) != EOF) {
        if (byte == '\0')
            return INPUT_ZERO;
        line[used++] = (char)byte;
    }
    line[used] = '\0';
    if (byte == EOF)
        return ferror(file) ? INPUT_FAILED : used > 0 ? INPUT_LINE : INPUT_END;
    return byte == '\n' ? INPUT_LINE : INPUT_LONG;
}

/* ---- whole files ----------------------------------------------------------------------------- */

/* Reads to the end of the stream. */
static char *input_all(FILE *file, size_t *bytes)
{
    size_t room = FIRST_ROOM;
    char *text = malloc(room);

    *bytes = 0;
    while (text) {
        char *more;

        *bytes += fread(text + *bytes, 1, room - 1 - *bytes, file);
        if (ferror(file))
            break;
        if (*bytes < room - 1) {
            text[*bytes] = '\0';
            return text;
        }
        room *= 2;
        more = realloc(text, room);
        if (!more)
            break;
        text = more;
    }
    free(text);
    return NULL;
}

char *input_load(const char *path, struct input_bound bound, size_t *bytes, struct gfe_error *error)
{
    FILE *file = input_open(path, bound.bytes, error);
    char *text;

    if (!file)
        return NULL;
    text = input_all(file, bytes);
    if (!text)
        (void)input_failed(input_name(path), errno, bound, error);
    (void)fclose(file);
    return text;
}
