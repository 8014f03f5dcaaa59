/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/check_json.h"

#include <check.h>
#include <jansson.h>
#include <stdlib.h>

/* Which of jansson's allocations fails, from 1, and how many there were since the start. */
static struct {
    bool on;
    uint32_t fails, count;
} memory;

static void *memory_get(size_t bytes)
{
    return memory.on && ++memory.count == memory.fails ? NULL : malloc(bytes);
}

/* Returns what was printed, which the caller frees. */
static char *printed(check_json_print *print, void *context, uint32_t fails, bool *done)
{
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    memory.fails = fails;
    memory.count = 0;
    *done = print(file, context);
    memory.on = false;
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

void check_json_start(void)
{
    memory.on = true;
}

static void differ(const char *text, const char *whole, uint32_t fails, uint32_t count)
{
    size_t at = 0;

    while (text[at] == whole[at] && whole[at] != '\0')
        at++;
    if (whole[at] != text[at])
        ck_abort_msg("allocation %u of %u fails, and this is taken for whole: '%.60s', not '%.60s'",
                     fails, count, text + at, whole + at);
}

/* Those that fail: `first` of them, and then each `step`th of the `last` ones. */
static void check_json(check_json_print *print, void *context, uint32_t first, uint32_t last,
                       uint32_t step)
{
    char *whole, *text;
    uint32_t count;
    bool done;

    json_set_alloc_funcs(memory_get, free);
    whole = printed(print, context, 0, &done);
    count = memory.count;
    ck_assert(done && whole[0] != '\0' && count > 0);
    for (uint32_t fails = 1; fails <= count; fails++) {
        const uint32_t left = count - fails;

        if (fails > first && (left >= last || left % step != 0))
            continue;
        text = printed(print, context, fails, &done);
        if (done)
            differ(text, whole, fails, count);
        free(text);
    }
    json_set_alloc_funcs(malloc, free);
    free(whole);
}

void check_json_whole(check_json_print *print, void *context)
{
    check_json(print, context, UINT32_MAX, 0, 1);
}

void check_json_first(check_json_print *print, void *context, uint32_t count)
{
    check_json(print, context, count, 0, 1);
}

void check_json_last(check_json_print *print, void *context, uint32_t count, uint32_t step)
{
    check_json(print, context, 0, count, step);
}
