/* SPDX-License-Identifier: MIT */
/*
 * The head of a log in pieces.  Reading the rows that no event of an input refers to takes most of
 * the time of a target that reads small logs: a head with the other rows only says the same.
 */
#ifndef GFE_TESTS_FUZZ_FUZZ_HEAD_H
#define GFE_TESTS_FUZZ_FUZZ_HEAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FUZZ_HEAD_ROWS_MAX = 1024 };

struct fuzz_head_row {
    uint32_t id;
    char *text;
};

struct fuzz_head {
    char *rest; /* all but the tables of kinds and rules, without its last brace */
    struct fuzz_head_row kinds[FUZZ_HEAD_ROWS_MAX], rules[FUZZ_HEAD_ROWS_MAX];
    uint32_t kind_count, rule_count;
    size_t bytes; /* of the whole, at most */
};

/* Takes a head that event_log_head_build() has made apart, and frees it.  The pieces are kept as
 * long as the program runs. */
void fuzz_head_split(struct fuzz_head *head, char *text);
/* Returns a head with the rows that `uses` says yes to, which the caller frees. */
char *fuzz_head_join(const struct fuzz_head *head,
                     bool (*uses)(const void *context, bool is_rule, uint32_t id),
                     const void *context);

#endif
