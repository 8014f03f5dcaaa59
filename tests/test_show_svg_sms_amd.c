/* SPDX-License-Identifier: MIT */
/* Pictures of AMD's logs: CUs below their shader engines, slots in the colours of queues' owners.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/svg/show_svg.h"
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

static void draw(const char *engine_cus, enum show_svg_view view)
{
    const struct show_svg_options options = {.width = 600, .view = view};
    struct loaded loaded;
    struct gfe_error error = {0};
    FILE *file = open_memstream(&svg, &bytes);

    load_amd(&loaded, engine_cus);
    ck_assert_msg(show_svg(file, &loaded.show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    unload(&loaded);
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

static void has_not(const char *part)
{
    ck_assert_msg(strstr(svg, part) == NULL, "'%s' is in it", part);
}

static uint32_t count_of(const char *part)
{
    uint32_t count = 0;

    for (const char *at = svg; (at = strstr(at, part)) != NULL; at++)
        count++;
    return count;
}

/* Both engines' names, and each CU once: also CU 0.2, which is idle, as the chip is small. */
START_TEST(cus_stand_below_their_shader_engines)
{
    draw("3 2", SHOW_SVG_SMS);
    has(">SE 0</text>");
    has(">SE 1</text>");
    ck_assert_uint_eq(count_of(">CU 0</text>"), 2);
    ck_assert_uint_eq(count_of(">CU 1</text>"), 2);
    ck_assert_uint_eq(count_of(">CU 2</text>"), 1);
    has_not("SM");
}
END_TEST

START_TEST(cus_without_engines_are_numbered_through)
{
    draw(NULL, SHOW_SVG_SMS);
    has(">CU 4</text>");
    has_not(">SE 0</text>");
}
END_TEST

/* Queue 1024 has the colour of its blocks, in both slots; 1025 has no work and no colour; the
 * driver's own slot is not drawn. */
START_TEST(slots_have_the_colours_of_queues)
{
    draw("3 2", SHOW_SVG_SMS);
    has(">ACE 0.2</text>");
    has(">ACE 1.2</text>");
    has(">ACE 1.3</text>");
    has_not("MEC2");
    has("<title>queue 1024 is in ACE 0.2;");
    has("<rect class=\"o0\" x=\"104.00\"");
    ck_assert_uint_eq(count_of("class=\"in to0\""), 2 + 5); /* two slots, five pieces of blocks */
    has("<title>queue 1025 is in ACE 1.2;");
    has("class=\"in tloaded\"");
    has("<title>queue 1024: its waves are saved, in ACE 0.2;");
    has("<title>queue 1024: its waves are restored, in ACE 1.3;");
    has(">queue 1024</text>"); /* of the legend */
    has(">has to leave the slot</text>");
}
END_TEST

/* PROMISE (views): Pictures of AMD's GPUs show queues, slots and CUs, to the byte. */
START_TEST(the_picture_is_as_expected)
{
    draw("3 2", SHOW_SVG_SMS);
    golden_text_check("show_svg_sms_amd.svg", svg, bytes);
}
END_TEST

START_TEST(all_tracks_are_drawn)
{
    draw("3 2", SHOW_SVG_ALL);
    has(">queue 1024</text>");
    has(">SDMA 1</text>");
    has(">CU 1.1</text>");
    has("<title>queue 1024: packets wait in the ring;");
    has("<title>queue 1024: barrier-AND packet;");
    has("<title>queue 1024: not all blocks have started yet;");
    has("<title>completion signal, value 0 (address 0x7000); at 61 us</title>");
    has("<title>doorbell: submission 1; at 10 us</title>");
    has(">queue in the slot</text>");
    has_not("channel");
    has_not("SM");
}
END_TEST

Suite *show_svg_sms_amd_suite(void)
{
    Suite *suite = suite_create("show_svg_sms_amd");
    TCase *pictures = tcase_create("pictures");

    tcase_add_checked_fixture(pictures, NULL, teardown);
    tcase_add_test(pictures, cus_stand_below_their_shader_engines);
    tcase_add_test(pictures, cus_without_engines_are_numbered_through);
    tcase_add_test(pictures, slots_have_the_colours_of_queues);
    tcase_add_test(pictures, the_picture_is_as_expected);
    tcase_add_test(pictures, all_tracks_are_drawn);
    suite_add_tcase(suite, pictures);
    return suite;
}
