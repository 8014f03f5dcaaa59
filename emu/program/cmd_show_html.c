/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd_show_html.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/analysis/check/check.h"
#include "emu/base/output.h"
#include "emu/base/opened.h"
#include "emu/base/retry.h"
#include "emu/sim/gpus.h"
#include "emu/views/html/show_html.h"

struct source {
    const char *path, *name;
    const struct limits *limits;
    int kept; /* what came through a pipe; -1: the path can be opened again */
};

/* ---- the log --------------------------------------------------------------------------------- */

static bool write_all(int fd, const char *bytes, size_t count)
{
    while (count > 0) {
        ssize_t written;

        RETRY(written, write(fd, bytes, count));
        if (written <= 0)
            return false;
        bytes += written;
        count -= (size_t)written;
    }
    return true;
}

static bool copy_all(int to, int from, uint64_t most_bytes)
{
    char part[1 << 16];
    ssize_t got;

    for (uint64_t copied = 0;; copied += (uint64_t)got) {
        RETRY(got, read(from, part, sizeof part));
        if (got <= 0)
            return got == 0;
        if (copied > most_bytes) {
            errno = EFBIG;
            return false;
        }
        if (!write_all(to, part, (size_t)got))
            return false;
    }
}

/* A log is smaller than what it unpacks to, which is bounded. */
static bool source_keep(struct source *source, struct gfe_error *error)
{
    const bool is_stdin = strcmp(source->path, "-") == 0;
    int from = STDIN_FILENO;
    struct stat status;
    bool good;

    if (!is_stdin) {
        from = opened_read(source->path);
        if (from < 0)
            return error_set_errno(error, errno, "%s", source->path);
    }
    if (!is_stdin && fstat(from, &status) == 0 &&
        (S_ISREG(status.st_mode) || S_ISDIR(status.st_mode))) {
        (void)close(from);
        return true;
    }
    source->kept = memfd_create("log", MFD_CLOEXEC);
    good = source->kept >= 0 && copy_all(source->kept, from, source->limits->expansion_bytes);
    if (!good)
        error_set_errno(error, errno, "%s", source->name);
    if (!is_stdin)
        (void)close(from);
    return good;
}

/* What is kept has one offset for all who read it: one after the other. */
static struct event_log_reader *log_open(const struct source *source, struct gfe_error *error)
{
    struct event_log_reader *log;

    if (source->kept < 0) {
        log = event_log_open(source->path, error);
    } else {
        const int fd = fcntl(source->kept, F_DUPFD_CLOEXEC, 0);

        if (fd < 0 || lseek(fd, 0, SEEK_SET) != 0) {
            error_set_errno(error, errno, "%s", source->name);
            if (fd >= 0)
                (void)close(fd);
            return NULL;
        }
        log = event_log_open_fd(fd, source->name, error);
    }
    if (log)
        event_log_limit(log, source->limits->expansion_bytes);
    return log;
}

/* ---- the page -------------------------------------------------------------------------------- */

/* What could not be written output_commit() says. */
static bool page_write(struct output *output, struct show *show, struct event_log_reader *again,
                       struct gfe_error *error)
{
    struct check_limits limits = {0};
    bool known;

    if (!cmd_gpu_limits(show->log, &limits, &known, error))
        return false;

    const struct show_html_options html = {
        .again = again, .limits = known ? &limits : NULL, .threads_per_sm = limits.threads_per_sm};

    if (!show_place_blocks(show, limits.threads_per_sm, limits.threads_per_warp, error))
        return false;
    return show_html(output->file, show, &html, error) || ferror(output->file);
}

static bool tracks_draw(const struct source *source, struct event_log_reader *log,
                        const char *output_path, gfe_ps from_ps, gfe_ps to_ps,
                        struct gfe_error *error)
{
    struct event_log_reader *again = NULL;
    struct output output = {0};
    struct show show;
    bool good;

    if (!output_differs(output_path, source->path, error) ||
        !show_load_all(&show, log, from_ps, to_ps, error))
        return false;
    again = log_open(source, error);
    good = again && output_open_text(&output, output_path, error) &&
           page_write(&output, &show, again, error) && output_commit(&output, error);
    output_abort(&output);
    event_log_close(again);
    show_fini(&show);
    return good;
}

bool cmd_show_html(const char *log_path, const char *output_path, gfe_ps from_ps, gfe_ps to_ps,
                   const struct limits *limits, struct gfe_error *error)
{
    struct source source = {.path = log_path,
                            .name = strcmp(log_path, "-") == 0 ? "standard input" : log_path,
                            .limits = limits,
                            .kept = -1};
    struct event_log_reader *log = NULL;
    bool good = false;

    if (source_keep(&source, error) && (log = log_open(&source, error)) != NULL)
        good = tracks_draw(&source, log, output_path, from_ps, to_ps, error);
    event_log_close(log);
    if (source.kept >= 0)
        (void)close(source.kept);
    return good;
}
