/* SPDX-License-Identifier: MIT */
/* The result files in tests/examiner, as texts that tests change. */
#ifndef TESTS_EXAMINER_FILES_H
#define TESTS_EXAMINER_FILES_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EXAMINER_FILE_BYTES = 16384 };

/* Returns the text of tests/examiner/`name`, which the caller frees. */
static inline char *examiner_file(const char *name)
{
    const char *srcdir = getenv("top_srcdir");
    char *text = calloc(1, EXAMINER_FILE_BYTES);
    char path[4096];
    FILE *file;

    ck_assert_ptr_nonnull(text);
    (void)snprintf(path, sizeof path, "%s/tests/examiner/%s", srcdir ? srcdir : ".", name);
    file = fopen(path, "rbe");
    ck_assert_msg(file != NULL, "%s", path);
    ck_assert_uint_lt(fread(text, 1, EXAMINER_FILE_BYTES - 1, file), EXAMINER_FILE_BYTES - 1);
    (void)fclose(file);
    return text;
}

/* Replaces the first `from` in `text` by `to` and returns the new text; `text` must contain `from`
 * and is freed.  The caller frees the result. */
static inline char *replaced(char *text, const char *from, const char *to)
{
    const char *at = strstr(text, from);
    const size_t bytes = strlen(text) + strlen(to) + 1;
    char *changed = malloc(bytes);

    ck_assert_msg(at != NULL, "'%s' is not in the text", from);
    ck_assert_ptr_nonnull(changed);
    (void)snprintf(changed, bytes, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return changed;
}

#endif
