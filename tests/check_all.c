/* SPDX-License-Identifier: MIT */
/*
 * Runs every suite of tests/suites.h, or those named as arguments:
 *
 *     tests/check_all [SUITE...]
 *     tests/check_all --list       # the name of each suite that would run, and its number of tests
 *
 * GFE_SUITES_BUT in the environment names suites that are left out, unless suites are named here.
 *
 * Check's own variables work as usual: CK_FORK=no to debug, CK_VERBOSITY=verbose for all names,
 * CK_RUN_CASE for one case. Exit status: 0 all passed, 1 some failed, 2 no such suite.
 */
#include <config.h>

#include <check.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/suites.h"

struct suite_row {
    const char *name;
    Suite *(*make)(void);
};

#define SUITE_ROW(name) {#name, name##_suite},
static const struct suite_row suite_rows[] = {TEST_SUITES(SUITE_ROW)};
#define SUITE_COUNT (sizeof suite_rows / sizeof suite_rows[0])

/* Whether a list of names with blanks in between has this one. */
static bool has_name(const char *list, const char *name)
{
    const size_t bytes = strlen(name);

    while (*list != '\0') {
        const size_t word = strcspn(list, " ");

        if (word == bytes && memcmp(list, name, bytes) == 0)
            return true;
        list += word + (list[word] == ' ');
    }
    return false;
}

static bool wanted(const char *name, int name_count, char **names)
{
    const char *left_out = getenv("GFE_SUITES_BUT");

    if (name_count == 0 && left_out && has_name(left_out, name))
        return false;
    for (int i = 0; i < name_count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return name_count == 0;
}

static bool known(const char *name)
{
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (strcmp(suite_rows[i].name, name) == 0)
            return true;
    return false;
}

static int counted;

void check_all_count(int test_count)
{
    counted += test_count;
}

/* Makes each wanted suite in order to count its tests, and frees it. */
static void list_suites(void)
{
    for (size_t i = 0; i < SUITE_COUNT; i++) {
        if (!wanted(suite_rows[i].name, 0, NULL))
            continue;
        counted = 0;
        srunner_free(srunner_create(suite_rows[i].make()));
        printf("%s %d\n", suite_rows[i].name, counted);
    }
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        list_suites();
        return EXIT_SUCCESS;
    }
    for (int i = 1; i < argc; i++) {
        if (!known(argv[i])) {
            fprintf(stderr, "check_all: no suite is called '%s' (see tests/suites.h)\n", argv[i]);
            return 2;
        }
    }

    /* A net for endless loops, not an assertion: wide enough for sanitizers on a busy machine. */
    setenv("CK_DEFAULT_TIMEOUT", "120", 0);

    SRunner *runner = srunner_create(NULL);
    for (size_t i = 0; i < SUITE_COUNT; i++)
        if (wanted(suite_rows[i].name, argc - 1, argv + 1))
            srunner_add_suite(runner, suite_rows[i].make());
    srunner_run_all(runner, CK_ENV);

    const int failed_count = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed_count == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
