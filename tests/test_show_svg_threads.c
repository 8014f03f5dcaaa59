/* SPDX-License-Identifier: MIT */
/* The picture of active threads: areas of the right heights at the right places, kernels by name,
 * a size that does not grow with the blocks. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/svg/show_svg.h"
#include "tests/hip_run.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static char *svg;
static size_t bytes;

static void teardown(void)
{
    free(svg);
    svg = NULL;
}

static void draw(const struct show *show, uint32_t width)
{
    const struct show_svg_options options = {
        .width = width, .to_scale = true, .view = SHOW_SVG_THREADS};
    struct gfe_error error = {0};
    FILE *file = open_memstream(&svg, &bytes);

    ck_assert_msg(show_svg(file, show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    if (system("xmllint --version >/dev/null 2>&1") != 0)
        return;
    file = popen("xmllint --noout --nonet - >/dev/null 2>&1", "w");
    ck_assert_ptr_nonnull(file);
    fputs(svg, file);
    ck_assert_int_eq(pclose(file), 0);
}

static void has(const char *part)
{
    ck_assert_msg(strstr(svg, part) != NULL, "'%s' is not in %s", part, svg);
}

static void block(struct log_fixture *fixture, uint64_t grid, uint64_t sm, gfe_ps from, gfe_ps to)
{
    LOG_ADD(fixture, from, EVENT_GRID_QUEUE, RULE_NONE, grid, grid, 1, 256 * grid * grid, 0, 8, 0,
            0);
    LOG_ADD(fixture, from, EVENT_GRID_START, RULE_NONE, grid, grid);
    LOG_ADD(fixture, from, EVENT_BLOCK_START, RULE_NONE, grid, 0, sm, 0);
    LOG_ADD(fixture, to, EVENT_BLOCK_END, RULE_NONE, grid, 0, sm, 0);
    LOG_ADD(fixture, to, EVENT_GRID_END, RULE_NONE, grid, grid, from, from);
}

/* 276 columns and 300 pixels for 2,000 threads: 256 threads of K1 in the first half of the time,
 * then 1,024 of K2. */
/* PROMISE (views): The picture of active threads is as high as threads are many. */
START_TEST(areas_are_as_high_as_threads_are_many)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    block(&loaded.fixture, 1, 0, 0, MS(1));
    block(&loaded.fixture, 2, 1, MS(1), MS(2));
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 400);
    has(">2000</text>");
    has("<path class=\"area k0\" d=\"M104 352H104V313.6H242V352.0H380V352Z\"><title>K1</title>");
    has("<path class=\"area k1\" d=\"M104 "
        "352H104V313.6H242V198.4H380V352H380V352.0H242V313.6H104Z\">"
        "<title>K2</title>");
    unload(&loaded);
}
END_TEST

/* Blocks above each other: 256 of K1 all the time, 1,024 of K2 in the second half. */
START_TEST(kernels_are_stacked)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 1, 1, 256, 0, 8, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_START, RULE_NONE, 1, 1);
    LOG_ADD(&loaded.fixture, 0, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    block(&loaded.fixture, 2, 1, MS(1), MS(2));
    LOG_ADD(&loaded.fixture, MS(2), EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 400);
    has("<path class=\"area k0\" d=\"M104 352H104V313.6H380V352Z\">");
    has("<path class=\"area k1\" d=\"M104 352H104V313.6H242V160.0H380V352H380V313.6H104Z\">");
    unload(&loaded);
}
END_TEST

/* 384 + 1,280 blocks and more: two areas with the plugins' names, and not much to write. */
/* PROMISE (views): All launches of a name are one area, so the size does not grow with the
 * blocks. */
START_TEST(launches_of_a_name_are_one_area)
{
    struct gfe_error error = {0};
    struct hip_run run;
    struct show show;

    hip_run_begin(&run, hip_run_uneven, NULL);
    ck_assert_msg(show_load(&show, run.log, 0, GFE_PS_NEVER, &error), "%s", error.text);
    draw(&show, 1000);
    has("<title>big</title>");
    has("<title>small</title>");
    ck_assert_ptr_null(strstr(svg, "k2\" d="));
    ck_assert_uint_lt(bytes, 100000);
    show_fini(&show);
    hip_run_end(&run);
    teardown();
    hip_run_begin(&run, hip_run_crowd, NULL); /* eleven plugins: the last ones share an area */
    ck_assert_msg(show_load(&show, run.log, 0, GFE_PS_NEVER, &error), "%s", error.text);
    draw(&show, 1000);
    has(" and others</text>");
    show_fini(&show);
    hip_run_end(&run);
}
END_TEST

/* A log without blocks, and a window without any. */
START_TEST(nothing_is_drawn_of_nothing)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 400);
    has("0 blocks");
    ck_assert_ptr_null(strstr(svg, "class=\"area"));
    unload(&loaded);
}
END_TEST

Suite *show_svg_threads_suite(void);

Suite *show_svg_threads_suite(void)
{
    Suite *suite = suite_create("show_svg_threads");
    TCase *tests = tcase_create("picture");

    tcase_set_timeout(tests, 60);
    tcase_add_checked_fixture(tests, NULL, teardown);
    tcase_add_test(tests, areas_are_as_high_as_threads_are_many);
    tcase_add_test(tests, kernels_are_stacked);
    tcase_add_test(tests, launches_of_a_name_are_one_area);
    tcase_add_test(tests, nothing_is_drawn_of_nothing);
    suite_add_tcase(suite, tests);
    return suite;
}
