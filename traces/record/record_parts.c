/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_parts.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "traces/record/record_preload.h"

bool record_parts_problem(const struct record_directory *directory, char *text, size_t room)
{
    char *path = record_directory_file(directory, RECORD_NAME_PROBLEM);
    ssize_t bytes = -1, done;
    int fd = -1;

    if (path)
        RETRY(fd, open(path, O_RDONLY | O_CLOEXEC));
    if (fd >= 0)
        for (bytes = 0; (size_t)bytes < room - 1; bytes += done) {
            RETRY(done, read(fd, text + bytes, room - 1 - (size_t)bytes));
            if (done <= 0)
                break;
        }
    if (fd >= 0)
        close(fd);
    free(path);
    if (bytes < 0)
        return false;
    text[bytes] = 0;
    return true;
}

static int names_order(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void names_free(char **names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(names[i]);
    free(names);
}

/* Paths of the parts in the directory, in the order of their numbers; NULL when there are none, or
 * with a message.  Their number is in *count. */
static char **parts_list(const struct record_directory *directory, uint32_t *count,
                         struct gfe_error *error)
{
    DIR *stream = opendir(directory->path);
    char **names = NULL;

    *count = 0;
    if (!stream)
        error_set_errno(error, errno, "%s", directory->path);
    for (struct dirent *entry = stream ? readdir(stream) : NULL; entry; entry = readdir(stream)) {
        char **grown;

        if (fnmatch(RECORD_PART_PATTERN, entry->d_name, 0) != 0)
            continue;
        grown = realloc(names, (*count + 1) * sizeof *names);
        if (grown) {
            names = grown;
            names[*count] = record_directory_file(directory, entry->d_name);
        }
        if (!grown || !names[*count]) {
            error_set_errno(error, ENOMEM, "%s", directory->path);
            break;
        }
        ++*count;
    }
    if (stream)
        closedir(stream);
    if (*count > 0 && !error->text[0]) {
        qsort(names, *count, sizeof *names, names_order);
        return names;
    }
    names_free(names, *count);
    return NULL;
}

bool record_parts_exist(const struct record_directory *directory)
{
    struct gfe_error error = {0};
    uint32_t count;
    char **parts = parts_list(directory, &count, &error);

    names_free(parts, parts ? count : 0);
    return parts || error.text[0];
}

bool record_parts_output(struct output *output, const char *path, struct gfe_error *error)
{
    if (strcmp(path, "-") == 0)
        return error_set(error, ERROR_USAGE,
                         "record: the trace cannot go to standard output, which is the program's");
    return output_open_private(output, path, error);
}

bool record_parts_join(const struct record_directory *directory, bool salvage,
                       struct output *output, const char *name, const struct trace_end *end,
                       struct record_totals *totals, struct gfe_error *error)
{
    struct record_parts parts = {.salvage = salvage};
    bool done;

    parts.names = parts_list(directory, &parts.count, error);
    done = parts.names && record_finish(&parts, output->fd, name, end, totals, error) &&
           output_commit(output, error);
    names_free(parts.names, parts.names ? parts.count : 0);
    return done;
}
