/* SPDX-License-Identifier: MIT */
/* The picture of SMs: what is on it, and how large it becomes. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/svg/show_svg.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "tests/golden_text.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static char *svg;
static size_t bytes;

static void teardown(void)
{
    free(svg);
    svg = NULL;
}

static void draw(const struct show *show, uint32_t sm_count, uint32_t width)
{
    const struct show_svg_options options = {.width = width,
                                             .view = SHOW_SVG_SMS,
                                             .sm_count = sm_count,
                                             .threads_per_sm = sm_count ? 2048 : 0};
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
    ck_assert_msg(strstr(svg, part) != NULL, "'%s' is not in it", part);
}

static uint32_t count_of(const char *part)
{
    uint32_t count = 0;

    for (const char *at = svg; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* ---- a log with streams ---------------------------------------------------------------------- */

static const char program[] =
    "{\"tasks\":[{\"name\":\"a&b\",\"first_call\":0,\"call_count\":2},"
    "{\"name\":\"c\",\"first_call\":2,\"call_count\":2}],\"calls\":["
    "{\"kind\":\"kernel\",\"name\":\"K1\",\"stream\":0},"
    "{\"kind\":\"copy\",\"direction\":\"to host\",\"stream\":0},"
    "{\"kind\":\"kernel\",\"name\":\"K<2>\",\"stream\":1},"
    "{\"kind\":\"kernel\",\"name\":\"K3\",\"stream\":1}],\"stream_names\":{\"1\":\"<\\u00e9>\"}}";

static void begin(struct loaded *loaded)
{
    char *head = log_fixture_cuda_head(program);

    log_fixture_begin_with(&loaded->fixture, head);
    free(head);
}

static void launch(struct log_fixture *fixture, uint64_t at, uint64_t id, uint64_t call,
                   uint64_t blocks, uint64_t threads)
{
    const uint64_t stream = call / 2;

    LOG_ADD(fixture, at, EVENT_CUDA_OPERATION, RULE_NONE, id, stream, stream, call, 0);
    LOG_ADD(fixture, at, EVENT_CUDA_SUBMIT, RULE_NONE, id, stream, id, 0);
    LOG_ADD(fixture, at, EVENT_GRID_QUEUE, RULE_NONE, 100 + id, stream, blocks, threads, 0, 8, id,
            0);
}

static void start(struct log_fixture *fixture, uint64_t at, uint64_t id, uint64_t block,
                  uint64_t sm)
{
    LOG_ADD(fixture, at, EVENT_BLOCK_START, RULE_NONE, 100 + id, block, sm, 0);
}

static void stop(struct log_fixture *fixture, uint64_t at, uint64_t id, uint64_t block, uint64_t sm)
{
    LOG_ADD(fixture, at, EVENT_BLOCK_END, RULE_NONE, 100 + id, block, sm, 0);
}

/* K1 on SM 0, whose first and third block end early; K<2> in the gap that they leave, which is in
 * two parts; K3 on SM 1, in blocks of 2 us, and a copy.  SM 2 is idle. */
static void scene(struct log_fixture *fixture)
{
    LOG_ADD(fixture, 0, EVENT_CUDA_STREAM, RULE_NONE, 0, 0, 2, 0);
    LOG_ADD(fixture, 0, EVENT_CUDA_STREAM, RULE_NONE, 1, 0, 1, 1);
    launch(fixture, 0, 1, 0, 4, 512);
    LOG_ADD(fixture, MS(1), EVENT_GRID_START, RULE_NONE, 101, 0);
    for (uint64_t i = 0; i < 4; i++)
        start(fixture, MS(1) + US(100) * i, 1, i, 0);
    LOG_ADD(fixture, MS(2), EVENT_CUDA_OPERATION, RULE_NONE, 2, 0, 0, 1, 0);
    launch(fixture, MS(2), 3, 2, 1, 1024);
    launch(fixture, MS(2), 4, 3, 40, 256);
    stop(fixture, MS(4), 1, 0, 0);
    stop(fixture, MS(4), 1, 2, 0);
    LOG_ADD(fixture, MS(5), EVENT_GRID_START, RULE_NONE, 103, 1);
    start(fixture, MS(5), 3, 0, 0);
    LOG_ADD(fixture, MS(6), EVENT_GRID_START, RULE_NONE, 104, 1);
    for (uint64_t i = 0; i < 40; i++) {
        start(fixture, MS(6) + US(2) * i, 4, i, 1);
        stop(fixture, MS(6) + US(2) * (i + 1), 4, i, 1);
    }
    stop(fixture, MS(8), 1, 1, 0);
    stop(fixture, MS(8), 1, 3, 0);
    LOG_ADD(fixture, MS(8), EVENT_CUDA_SUBMIT, RULE_NONE, 2, 7, 0, 0);
    LOG_ADD(fixture, MS(8), EVENT_COPY_QUEUE, RULE_NONE, 200, 7, 2, 4096, 0, 0, 0);
    LOG_ADD(fixture, MS(8), EVENT_COPY_START, RULE_NONE, 200, 7, 2, 4096, 4096, 0, 0);
    LOG_ADD(fixture, MS(9), EVENT_COPY_END, RULE_NONE, 200, 7, 2, 4096, 0);
}

START_TEST(the_picture_of_streams_looks_as_it_did)
{
    struct loaded loaded;

    begin(&loaded);
    scene(&loaded.fixture);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 3, 1000);
    golden_text_check("show_svg_sms.svg", svg, bytes);
    unload(&loaded);
}
END_TEST

/* PROMISE (views): Boxes of the picture of SMs say what they are in their tooltips. */
START_TEST(boxes_say_what_they_are)
{
    struct loaded loaded;

    begin(&loaded);
    scene(&loaded.fixture);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 3, 1000);
    has("<title>K1:3, block 3 of 4 of kernel K1 (NULL stream 0 of a&amp;b, priority 0) on SM 0: "
        "512 "
        "threads, from 1.3 ms to 8 ms (6.7 ms)</title>");
    has(">NULL stream 0 of a&amp;b, priority 0</text>");
    has(">stream 1 &lt;??&gt; of c, priority 1</text>");
    has("<title>K1 is launched in NULL stream 0 of a&amp;b, priority 0, at 0</title>");
    has("<title>K&lt;2&gt;, K3 are launched, at 2 ms</title>");
    has("<title>SM 1: 36 blocks begin here, too narrow to be drawn, the first is K3:0; stream 1 &lt;??&gt; of c, "
        "priority 1");
    has("40 blocks are too narrow for a box");
    has("drawn in pieces");
    ck_assert_uint_eq(count_of("<title>K&lt;2&gt;:0, block"), 2); /* pieces of one block */
    has(">SM 2</text>");
    ck_assert_uint_eq(count_of("has no"), 0);
    unload(&loaded);
}
END_TEST

START_TEST(a_window_has_its_launches_only)
{
    struct loaded loaded;

    begin(&loaded);
    scene(&loaded.fixture);
    load(&loaded, MS(1), MS(5));
    draw(&loaded.show, 3, 1000);
    ck_assert_ptr_null(strstr(svg, "K1 is launched"));
    has("<title>K&lt;2&gt;, K3 are launched, at 2 ms</title>");
    has("1 ms to 5 ms of simulated time");
    ck_assert_ptr_null(strstr(svg, ">copies<"));
    unload(&loaded);
}
END_TEST

/* ---- other logs ------------------------------------------------------------------------------ */

START_TEST(recordings_have_the_colours_of_channels)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_compute);
    draw(&loaded.show, 10, 1000);
    has(">channel 2</text>");
    has(">queued</text>");
    has(" is queued in channel 2, at ");
    has("Arrows: when the GPU queues a kernel");
    has("Not drawn: 1 draw (see --view all)");
    unload(&loaded);
}
END_TEST

START_TEST(an_empty_log_has_a_picture_of_sms)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 0, 400);
    has("nothing happens");
    teardown();
    draw(&loaded.show, 2, 400);
    ck_assert_ptr_null(strstr(svg, ">SM 1</text>"));
    has("No SM has a block here.");
    unload(&loaded);
}
END_TEST

START_TEST(very_many_blocks_are_merged_by_stream)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    log_scene_many_blocks(&loaded.fixture, 200000);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 132, 1000);
    ck_assert_uint_lt(bytes, 100000);
    has("200000 blocks are too narrow for a box");
    has(" SMs without blocks");
    unload(&loaded);
}
END_TEST

/* Each block wide enough, but too many of them: the narrower ones are merged all the same. */
/* PROMISE (views): The size of a picture is bounded, however many blocks ran. */
START_TEST(the_number_of_boxes_is_bounded)
{
    enum { BLOCKS = 40000, SMS = 100 };
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, BLOCKS, 64, 0, 8, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_START, RULE_NONE, 1, 0);
    for (uint64_t i = 0; i < BLOCKS; i += SMS) {
        for (uint64_t sm = 0; sm < SMS; sm++)
            LOG_ADD(&loaded.fixture, US(i / SMS), EVENT_BLOCK_START, RULE_NONE, 1, i + sm, sm, 0);
        for (uint64_t sm = 0; sm < SMS; sm++)
            LOG_ADD(&loaded.fixture, US(i / SMS + 1), EVENT_BLOCK_END, RULE_NONE, 1, i + sm, sm, 0);
    }
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, SMS, 1000);
    has("40000 blocks are too narrow for a box");
    ck_assert_uint_lt(bytes, 1000000);
    unload(&loaded);
}
END_TEST

/* PROMISE (views): A picture says what is merged or left out. */
START_TEST(what_is_left_out_is_said)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 600, 64, 0, 8, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_START, RULE_NONE, 1, 0);
    for (uint64_t sm = 0; sm < 600; sm++)
        LOG_ADD(&loaded.fixture, 0, EVENT_BLOCK_START, RULE_NONE, 1, sm, sm, 0);
    for (uint64_t sm = 0; sm < 600; sm++)
        LOG_ADD(&loaded.fixture, US(1), EVENT_BLOCK_END, RULE_NONE, 1, sm, sm, 0);
    for (uint64_t i = 0; i < 40; i++) {
        LOG_ADD(&loaded.fixture, US(1), EVENT_GRID_QUEUE, RULE_NONE, 2 + i, 1 + i, 1, 64, 0, 8, 0,
                0);
        LOG_ADD(&loaded.fixture, US(1), EVENT_BLOCK_START, RULE_NONE, 2 + i, 0, 0, 0);
    }
    LOG_ADD(&loaded.fixture, US(2), EVENT_GRID_START, RULE_NONE, 2, 1);
    load(&loaded, 0, GFE_PS_NEVER);
    draw(&loaded.show, 610, 1000);
    has("Not drawn: 10 SMs without blocks, 88 SMs more<");
    has("Colours repeat after 28 streams");
    has("2560 threads high."); /* nothing ended, and nobody counted */
    unload(&loaded);
}
END_TEST

Suite *show_svg_sms_suite(void)
{
    Suite *suite = suite_create("show_svg_sms");
    TCase *tcase = tcase_create("streams");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, the_picture_of_streams_looks_as_it_did);
    tcase_add_test(tcase, boxes_say_what_they_are);
    tcase_add_test(tcase, a_window_has_its_launches_only);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("others");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, recordings_have_the_colours_of_channels);
    tcase_add_test(tcase, an_empty_log_has_a_picture_of_sms);
    tcase_add_test(tcase, very_many_blocks_are_merged_by_stream);
    tcase_add_test(tcase, the_number_of_boxes_is_bounded);
    tcase_add_test(tcase, what_is_left_out_is_said);
    suite_add_tcase(suite, tcase);
    return suite;
}
