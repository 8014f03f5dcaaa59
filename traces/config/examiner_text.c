/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/config/examiner_text.h"
#include "emu/base/json_text.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 1 << 16 };

static bool is_input(const char *path)
{
    return strcmp(path, "-") == 0;
}

const char *examiner_text_name(const char *path)
{
    return is_input(path) ? "standard input" : path;
}

/* All bytes of the file, up to one more than are allowed.  The caller frees it. */
static char *text_read(FILE *file, const char *name, size_t highest, size_t *bytes,
                       struct gfe_error *error)
{
    const size_t end = highest + 1;
    size_t room = FIRST_ROOM;
    char *text = malloc(room);

    *bytes = 0;
    while (text) {
        *bytes += fread(text + *bytes, 1, room - *bytes, file);
        if (ferror(file)) {
            (void)error_set_errno(error, errno, "%s", name);
            free(text);
            return NULL;
        }
        if (*bytes < room || room == end)
            return text;
        room = room * 2 < end ? room * 2 : end;
        char *more = realloc(text, room);
        if (!more)
            free(text);
        text = more;
    }
    (void)error_set(error, ERROR_SYSTEM, "out of memory");
    return NULL;
}

char *examiner_text_load(const char *path, size_t highest, size_t *bytes, struct gfe_error *error)
{
    FILE *file = is_input(path) ? stdin : fopen(path, "rbe");
    char *text;

    if (!file) {
        (void)error_set_errno(error, errno, "%s", path);
        return NULL;
    }
    text = text_read(file, examiner_text_name(path), highest, bytes, error);
    if (file != stdin)
        (void)fclose(file);
    return text;
}

json_t *examiner_text_json(const char *text, size_t bytes, size_t highest, const char *name,
                           struct gfe_error *error)
{
    json_error_t cause;
    json_t *root;

    if (bytes > highest) {
        (void)error_set(error, ERROR_INPUT, "%s: more than %zu MiB", name, highest >> 20);
        return NULL;
    }
    /* Not JSON_REJECT_DUPLICATES: comments are repeated. */
    root = json_text_load(text, bytes, 0, &cause);
    if (!root && json_error_code(&cause) == json_error_out_of_memory)
        (void)error_set(error, ERROR_SYSTEM, "out of memory");
    else if (!root)
        (void)error_set(error, ERROR_INPUT, "%s: line %d: not JSON: %s", name, cause.line,
                        cause.text);
    return root;
}
