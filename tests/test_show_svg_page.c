/* SPDX-License-Identifier: MIT */
/*
 * What all SVG pictures have: colours that can be told apart and read, in light and dark pages and
 * with any colour vision; words that stay within the picture; a title of one's own.
 *
 * Colours are taken out of the pictures themselves.  Contrast is that of WCAG 2.1 (relative
 * luminance, 1.4.3: text needs 4.5); how a protanope, deuteranope or tritanope sees a colour is
 * computed as in Machado, Oliveira and Fernandes 2009 (severity 1); differences are CIE 1976's.
 */
#include <config.h>

#include <check.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/svg/show_svg.h"
#include "emu/views/svg/show_svg_page.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static char *svg;
static size_t bytes;

static void draw(enum show_svg_view view, uint32_t width, const char *title)
{
    const struct show_svg_options options = {
        .width = width, .view = view, .sm_count = 2, .threads_per_sm = 2048, .title = title};
    struct gfe_error error = {0};
    struct loaded loaded;
    FILE *file = open_memstream(&svg, &bytes);

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 1, 1, 256, 0, 8, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_START, RULE_NONE, 1, 1);
    LOG_ADD(&loaded.fixture, 0, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&loaded.fixture, MS(1), EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&loaded.fixture, MS(1), EVENT_GRID_END, RULE_NONE, 1, 1, 0, 0);
    load(&loaded, 0, GFE_PS_NEVER);
    ck_assert_msg(show_svg(file, &loaded.show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    unload(&loaded);
}

static void teardown(void)
{
    free(svg);
    svg = NULL;
}

/* ---- the style ------------------------------------------------------------------------------- */

struct colour {
    double r, g, b; /* linear */
};

static double linear(unsigned long byte)
{
    const double c = (double)byte / 255;

    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

/* "#rgb" or "#rrggbb". */
static struct colour colour_of(const char *text)
{
    const size_t digits = strspn(text + 1, "0123456789abcdef");
    unsigned long n = strtoul(text + 1, NULL, 16);

    ck_assert_int_eq(*text, '#');
    ck_assert(digits == 3 || digits == 6);
    if (digits == 3)
        n = ((n >> 8) * 0x110000) | ((n >> 4 & 15) * 0x1100) | ((n & 15) * 0x11);
    return (struct colour){linear(n >> 16 & 255), linear(n >> 8 & 255), linear(n & 255)};
}

/* Is ".class" one of the selectors, which end at the brace? */
static bool selects(const char *selectors, const char *brace, const char *class)
{
    const size_t length = strlen(class);

    for (const char *at = selectors; at < brace; at++) {
        const char *end = at + strcspn(at, ",{");
        const char *begin = *at == '.' ? at + 1 : at;
        if ((size_t)(end - begin) == length && strncmp(begin, class, length) == 0)
            return true;
        at = end;
    }
    return false;
}

/* The fill of an element with these classes ("in tk4"): the last rule that has one holds.  "text"
 * is the element's name. */
static struct colour fill_of(const char *classes, bool dark)
{
    char list[64], found[16] = "", *next = list;
    bool inside = false;

    (void)snprintf(list, sizeof list, "%s", classes);
    for (char *class; (class = strsep(&next, " ")) != NULL;)
        (void)class;
    for (const char *at = strstr(svg, "<style>") + 7; at && *at;) {
        const char *brace = strchr(at, '{'), *close = brace ? strchr(brace, '}') : NULL;
        if (!close)
            break;
        while (*at == '\n' || *at == '}') {
            inside = inside && *at != '}';
            at++;
        }
        if (strncmp(at, "@media", 6) == 0) {
            inside = true;
            at = brace + 1;
            continue;
        }
        if (*at == '<') { /* the next style, if there is one */
            at = strstr(at + 1, "<style>");
            at = at ? at + 7 : NULL;
            continue;
        }
        const char *fill = strstr(brace, "fill:#");
        for (const char *class = list; class < list + strlen(classes); class += strlen(class) + 1)
            if (fill && fill < close && (dark || !inside) && selects(at, brace, class))
                (void)snprintf(found, sizeof found, "%.*s",
                               1 + (int)strspn(fill + 6, "0123456789abcdef"), fill + 5);
        at = close + 1;
    }
    ck_assert_msg(*found == '#', "no colour of '%s'", classes);
    return colour_of(found);
}

static double luminance(struct colour c)
{
    return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

static double contrast(struct colour a, struct colour b)
{
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;

    return x > y ? x / y : y / x;
}

/* ---- tests ----------------------------------------------------------------------------------- */

static void check_text(const char *text, const char *below, bool dark)
{
    const double ratio = contrast(fill_of(text, dark), fill_of(below, dark));

    ck_assert_msg(ratio >= 4.5, "'%s' on '%s' has a contrast of %.2f (%s)", text, below, ratio,
                  dark ? "dark" : "light");
}

/* PROMISE (views): Text has a contrast of 4.5 or more (WCAG 2.1) in light and dark pages. */
START_TEST(text_can_be_read_in_light_and_dark)
{
    static const char *const pairs[][2] = {
        {"text", "page"},           {"sub", "page"},
        {"text", "lane"},           {"cut", "page"},
        {"in tcopy", "copy"},       {"in tdraw", "draw"},
        {"in tk0", "k0"},           {"in tk1", "k1"},
        {"in tk2", "k2"},           {"in tk3", "k3"},
        {"in tk4", "k4"},           {"in tk5", "k5"},
        {"in tk6", "k6"},           {"in tsubmit", "submit"},
        {"in tcpuwait", "cpuwait"}, {"in tloaded", "loaded"},
        {"in tsegment", "segment"}, {"in twait", "lane"},
    };

    draw(SHOW_SVG_ALL, 1000, NULL);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        check_text(pairs[i][0], pairs[i][1], _i == 1);
    teardown();
    draw(SHOW_SVG_SMS, 1000, NULL);
    check_text("threads", "page", _i == 1);
    check_text("in to0", "o0", _i == 1);
}
END_TEST

/* CIE 1976 L*a*b*, of linear sRGB under D65. */
static void lab_of(struct colour c, double lab[3])
{
    const double xyz[3] = {(0.4124 * c.r + 0.3576 * c.g + 0.1805 * c.b) / 0.9505, luminance(c),
                           (0.0193 * c.r + 0.1192 * c.g + 0.9505 * c.b) / 1.089};
    double f[3];

    for (int i = 0; i < 3; i++)
        f[i] = xyz[i] > 0.008856 ? cbrt(xyz[i]) : 7.787 * xyz[i] + 16.0 / 116;
    lab[0] = 116 * f[1] - 16;
    lab[1] = 500 * (f[0] - f[1]);
    lab[2] = 200 * (f[1] - f[2]);
}

static double bounded(double v)
{
    return v < 0 ? 0 : v > 1 ? 1 : v;
}

static struct colour seen(struct colour c, const double m[9])
{
    return (struct colour){bounded(m[0] * c.r + m[1] * c.g + m[2] * c.b),
                           bounded(m[3] * c.r + m[4] * c.g + m[5] * c.b),
                           bounded(m[6] * c.r + m[7] * c.g + m[8] * c.b)};
}

/* PROMISE (views): The colours differ by 16 or more (CIE 1976) for protanopes, deuteranopes,
 * tritanopes and full colour vision. */
START_TEST(colours_differ_with_any_colour_vision)
{
    static const double visions[4][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1},
                                         {0.152286, 1.052583, -0.204868, 0.114503, 0.786281,
                                          0.099216, -0.003882, -0.048116, 1.051998},
                                         {0.367322, 0.860646, -0.227968, 0.280085, 0.672501,
                                          0.047413, -0.011820, 0.042940, 0.968881},
                                         {1.255528, -0.076749, -0.178779, -0.078411, 0.930809,
                                          0.147602, 0.004733, 0.691367, 0.303900}};
    double labs[SVG_COLOURS][3];

    draw(SHOW_SVG_ALL, 1000, NULL);
    for (int i = 0; i < SVG_COLOURS; i++) {
        const char class[3] = {'k', (char)('0' + i), '\0'};
        const struct colour of_class = fill_of(class, false), own = colour_of(svg_colours[i]);
        ck_assert_double_eq(luminance(of_class), luminance(own));
        lab_of(seen(own, visions[_i]), labs[i]);
        for (int j = 0; j < i; j++) {
            const double distance = hypot(hypot(labs[i][0] - labs[j][0], labs[i][1] - labs[j][1]),
                                          labs[i][2] - labs[j][2]);
            ck_assert_msg(distance >= 16, "%s and %s are %.1f apart", svg_colours[i],
                          svg_colours[j], distance);
        }
    }
}
END_TEST

/* No line of words is longer than the picture is wide, as far as letters are as wide as is reckoned
 * with. */
/* PROMISE (views): Words end within the picture, from a width of 400 pixels on. */
START_TEST(words_stay_within_the_picture)
{
    static const enum show_svg_view views[] = {SHOW_SVG_ALL, SHOW_SVG_SMS, SHOW_SVG_THREADS};
    static const uint32_t widths[] = {SHOW_SVG_WIDTH_MIN, 720, 1000, 3000};
    const uint32_t width = widths[_i / 3];
    uint32_t lines = 0;

    draw(views[_i % 3], width, NULL);
    for (const char *at = svg; (at = strstr(at, "<text class=\"sub\" x=\"104\"")) != NULL; at++) {
        const char *text = strchr(at, '>') + 1;
        ck_assert_uint_le(104 + strcspn(text, "<") * SVG_LETTER_WIDTH, width);
        ck_assert_uint_gt(strcspn(text, "<"), 0);
        lines++;
    }
    ck_assert_uint_gt(lines, width == SHOW_SVG_WIDTH_MIN ? 1 : 0);
}
END_TEST

START_TEST(a_title_takes_the_place_of_the_names)
{
    draw(SHOW_SVG_SMS, 720, "Fig. 3 <a & b>");
    ck_assert_ptr_nonnull(strstr(svg, ">Fig. 3 &lt;a &amp; b&gt;</text>"));
    ck_assert_ptr_nonnull(strstr(svg, "<title id=\"title\">Fig. 3 &lt;a &amp; b&gt;</title>"));
    ck_assert_ptr_null(strstr(svg, " on gtx1060<"));
    teardown();
    draw(SHOW_SVG_SMS, 720, NULL);
    ck_assert_ptr_null(strstr(svg, "Fig. 3"));
}
END_TEST

/* ---- names of blocks ------------------------------------------------------------------------- */

/* Blocks of one kernel on one SM, each so long, one behind the other, in a picture of 10 ms. */
static void draw_blocks(enum show_svg_view view, uint32_t count, gfe_ps each_ps)
{
    const struct show_svg_options options = {
        .width = 1000, .view = view, .sm_count = 1, .threads_per_sm = 1024};
    struct gfe_error error = {0};
    struct loaded loaded;
    FILE *file = open_memstream(&svg, &bytes);

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, 0, EVENT_COPY_QUEUE, RULE_NONE, 9, 1, 0, 4096, 0, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_COPY_START, RULE_NONE, 9, 1, 0, 4096, 4096, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 1, count, 1024, 0, 8, 0, 0);
    LOG_ADD(&loaded.fixture, 0, EVENT_GRID_START, RULE_NONE, 1, 1);
    for (uint64_t i = 0; i < count; i++) {
        LOG_ADD(&loaded.fixture, i * each_ps, EVENT_BLOCK_START, RULE_NONE, 1, i, 0, 0);
        LOG_ADD(&loaded.fixture, (i + 1) * each_ps, EVENT_BLOCK_END, RULE_NONE, 1, i, 0, 0);
    }
    LOG_ADD(&loaded.fixture, count * each_ps, EVENT_GRID_END, RULE_NONE, 1, 1, 0, 0);
    LOG_ADD(&loaded.fixture, MS(10), EVENT_COPY_END, RULE_NONE, 9, 1, 0, 4096, 0);
    load(&loaded, 0, GFE_PS_NEVER);
    ck_assert_msg(show_svg(file, &loaded.show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    unload(&loaded);
}

static void says(const char *words, bool it_does)
{
    ck_assert_msg((strstr(svg, words) != NULL) == it_does, "%s", words);
}

/* What Kn:b means is said where such a name is to be seen. */
START_TEST(blocks_with_names_are_explained)
{
    draw_blocks(_i ? SHOW_SVG_SMS : SHOW_SVG_ALL, 2, MS(2));
    says(">K1:1</text>", true);
    says("Kn:b is block b of kernel Kn", true);
    says("gfe explain", false);
}
END_TEST

/* Else what one can say to gfe explain; the tooltip has each name. */
START_TEST(narrow_blocks_have_their_names_in_tooltips)
{
    draw_blocks(_i ? SHOW_SVG_SMS : SHOW_SVG_ALL, 2, US(100)); /* about 9 pixels */
    says(">K1:1</text>", false);
    says("Kn:b", false);
    says("for gfe explain block 0 of K1 is K1:0", true);
    says("<title>K1:1", true);
    teardown();
    draw_blocks(_i ? SHOW_SVG_SMS : SHOW_SVG_ALL, 3, US(2)); /* merged */
    says("Kn:b", false);
    says("for gfe explain block 0 of K1 is K1:0", true);
    says("3 blocks", true);
    says("the first is K1:0", true);
}
END_TEST

/* Copies too narrow to be drawn one by one. */
START_TEST(merged_operations_have_their_names)
{
    const struct show_svg_options options = {.width = 1000, .view = SHOW_SVG_ALL};
    struct gfe_error error = {0};
    struct loaded loaded;
    FILE *file = open_memstream(&svg, &bytes);

    log_fixture_begin(&loaded.fixture);
    for (uint64_t i = 0; i < 4; i++) {
        const gfe_ps begin = US(i), end = i < 3 ? US(i + 1) : MS(10);

        LOG_ADD(&loaded.fixture, begin, EVENT_COPY_QUEUE, RULE_NONE, i + 1, 1, 0, 4096, 0, 0, 0);
        LOG_ADD(&loaded.fixture, begin, EVENT_COPY_START, RULE_NONE, i + 1, 1, 0, 4096, 4096, 0, 0);
        LOG_ADD(&loaded.fixture, end, EVENT_COPY_END, RULE_NONE, i + 1, 1, 0, 4096, 0);
    }
    load(&loaded, 0, GFE_PS_NEVER);
    ck_assert_msg(show_svg(file, &loaded.show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    unload(&loaded);
    says("<title>C1 to C3: 3 of these, each narrower than a pixel</title>", true);
    says("<title>C4: ", true);
}
END_TEST

Suite *show_svg_page_suite(void)
{
    Suite *suite = suite_create("show_svg_page");
    TCase *tcase = tcase_create("all pictures");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_loop_test(tcase, text_can_be_read_in_light_and_dark, 0, 2);
    tcase_add_loop_test(tcase, colours_differ_with_any_colour_vision, 0, 4);
    tcase_add_loop_test(tcase, words_stay_within_the_picture, 0, 12);
    tcase_add_test(tcase, a_title_takes_the_place_of_the_names);
    tcase_add_loop_test(tcase, blocks_with_names_are_explained, 0, 2);
    tcase_add_loop_test(tcase, narrow_blocks_have_their_names_in_tooltips, 0, 2);
    tcase_add_test(tcase, merged_operations_have_their_names);
    suite_add_tcase(suite, tcase);
    return suite;
}
