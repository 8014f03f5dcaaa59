/* SPDX-License-Identifier: MIT */
/* Pieces of configurations of cuda_scheduling_examiner, for the tests of its reader. */
#ifndef TESTS_EXAMINER_TEXTS_H
#define TESTS_EXAMINER_TEXTS_H

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "traces/config/examiner_config.h"

/* Quotes in these texts are single. */
#define GLOBALS   "'name': 'n', 'max_iterations': 1, 'max_time': 0, 'cuda_device': 0"
#define SHAPE     "'thread_count': 64, 'block_count': 2, 'data_size': 0"
#define NO_SHAPE  "'thread_count': 0, 'block_count': 0, 'data_size': 0"
#define LIST(x)   "{" GLOBALS ", 'benchmarks': [" x "]}"
#define SPIN(x)   "{'filename': './bin/timer_spin.so', " SHAPE x "}"
#define ONE(x)    LIST(SPIN(x))
#define SHARED(x) LIST("{'filename': 'sharedmem_timer_spin.so', " SHAPE x "}")
#define MULTI(x)  LIST("{'filename': 'multikernel.so', " NO_SHAPE ", 'additional_info': " x "}")
#define KERNEL    "'kernel_label': 'K', 'duration': 5, 'block_count': 3, 'thread_count': 32"
#define ACTIONS(x)                                                                                 \
    LIST("{'filename': 'stream_action.so', " SHAPE ", 'additional_info': {'actions': [" x "]}}")
#define HOST(x) "{'filename': 'task_host.so', " NO_SHAPE ", 'additional_info': " x "}"

/* Returns a copy of the text with JSON's double quotes.  The caller frees the copy. */
static inline char *quoted(const char *text)
{
    char *copy = strdup(text);

    ck_assert_ptr_nonnull(copy);
    for (char *at = copy; (at = strchr(at, '\'')) != NULL;)
        *at = '"';
    return copy;
}

static inline struct examiner_config *parse(const char *text)
{
    struct gfe_error error = {0};
    char *json = quoted(text);
    struct examiner_config *config = examiner_config_parse(json, strlen(json), "c.json", &error);

    free(json);
    ck_assert_msg(config != NULL, "%s", error.text);
    ck_assert_int_eq(error.kind, ERROR_NONE);
    return config;
}

/* Returns `head`, then `count` times `piece`, separated by commas, then `tail`.  The caller frees
 * the result. */
static inline char *repeated(const char *head, const char *piece, int count, const char *tail)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    (void)fputs(head, file);
    for (int i = 0; i < count; i++)
        (void)fprintf(file, "%s%s", i ? "," : "", piece);
    (void)fputs(tail, file);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

#endif
