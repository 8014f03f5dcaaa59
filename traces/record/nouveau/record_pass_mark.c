/* SPDX-License-Identifier: MIT */
/*
 * Marks on open files: one byte, locked for reading, whose place is the number.  Locks of that kind
 * (F_OFD_SETLK) are the file description's, work on device nodes and on the kernel's files without
 * a name as on others, and show in fdinfo as "lock:" lines (proc_pid_fdinfo(5)).
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "traces/record/nouveau/record_pass_state.h"

/* Far behind the end of anything; the stand-in marks its own files elsewhere (record_file.c). */
#define MARK_OFFSET  ((off_t)1 << 60)
#define NONCE_SHIFT  34
#define KIND_SHIFT   32
#define NONCE_MASK   0xffffffu
#define NUMBER_BYTES ((off_t)1 << KIND_SHIFT)

enum { INFO_BYTES = 4096, PATH_BYTES = 48 };

static off_t mark_offset(const struct record_pass *pass, enum record_pass_kind kind,
                         uint32_t number)
{
    return MARK_OFFSET + ((off_t)(pass->nonce & NONCE_MASK) << NONCE_SHIFT) +
           ((off_t)kind << KIND_SHIFT) + (off_t)number;
}

/* The place that a line of fdinfo names: "lock:\t1: OFDLCK ADVISORY  READ -1 00:05:12 BEGIN END";
 * -1 when it is no such line. */
static off_t line_offset(const char *line)
{
    long long begin, end;

    if (strncmp(line, "lock:", 5) != 0 || !strstr(line, " OFDLCK ") ||
        sscanf(line, "lock: %*s %*s %*s %*s %*s %*s %lld %lld", &begin, &end) != 2 || begin != end)
        return -1;
    return (off_t)begin;
}

/* Fills `text`; false when /proc cannot be read. */
static bool info_read(int fd, char text[INFO_BYTES])
{
    char path[PATH_BYTES];
    size_t got = 0;
    ssize_t part;
    int info;

    snprintf(path, sizeof path, "/proc/thread-self/fdinfo/%d", fd);
    info = openat(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (info < 0)
        return false;
    while (got < INFO_BYTES - 1 && (part = read(info, text + got, INFO_BYTES - 1 - got)) > 0)
        got += (size_t)part;
    close(info);
    text[got] = 0;
    return got > 0;
}

uint32_t record_pass_mark_read(struct record_pass *pass, int fd, enum record_pass_kind kind)
{
    const off_t first = mark_offset(pass, kind, 0);
    const bool remember = kind == RECORD_PASS_FILE && fd >= 0 && fd < PASS_FDS;
    char text[INFO_BYTES], *rest = text;
    uint32_t number = 0;

    if (!info_read(fd, text)) /* no descriptor is free: most likely it is still what it was */
        return remember ? pass->fd_files[fd] : 0;
    for (char *line; number == 0 && (line = strsep(&rest, "\n"));) {
        const off_t offset = line_offset(line);

        if (offset > first && offset - first < NUMBER_BYTES)
            number = (uint32_t)(offset - first);
    }
    if (remember)
        pass->fd_files[fd] = number;
    return number;
}

bool record_pass_mark_write(struct record_pass *pass, int fd, enum record_pass_kind kind,
                            uint32_t number)
{
    struct flock lock = {.l_type = F_RDLCK,
                         .l_whence = SEEK_SET,
                         .l_start = mark_offset(pass, kind, number),
                         .l_len = 1};

    if (fcntl(fd, F_OFD_SETLK, &lock) != 0)
        return false;
    if (kind == RECORD_PASS_FILE && fd >= 0 && fd < PASS_FDS)
        pass->fd_files[fd] = number;
    return true;
}

bool record_pass_file_is_open(const struct record_pass *pass, uint32_t number)
{
    struct flock lock = {.l_type = F_WRLCK,
                         .l_whence = SEEK_SET,
                         .l_start = mark_offset(pass, RECORD_PASS_FILE, number),
                         .l_len = 1};

    return fcntl(pass->fd, F_OFD_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

void record_pass_order_init(pthread_mutex_t *order)
{
    pthread_mutexattr_t kind;

    if (pthread_mutexattr_init(&kind) != 0)
        return;
    (void)pthread_mutexattr_setpshared(&kind, PTHREAD_PROCESS_SHARED);
    (void)pthread_mutexattr_setrobust(&kind, PTHREAD_MUTEX_ROBUST);
    (void)pthread_mutex_init(order, &kind);
    pthread_mutexattr_destroy(&kind);
}
