/* SPDX-License-Identifier: MIT */
/*
 * What the rows of all tables rest on.  DOCUMENTED is the vendor's word: a source that names only
 * papers is none.  What a paper shows was seen on some GPU, which its row names.  A source leads a
 * reader to a text: an author and a year do, a number of ours and "general knowledge" do not.
 */
#include <config.h>

#include <check.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "devices/amd/amd_chip.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/log/event_log.h"
#include "emu/log/event_log_head.h"
#include "emu/sim/gpus.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

/* ---- what is wrong with a row ------------------------------------------------------------------
 */

enum { PART_BYTES = 400 };

/* Copies the next part of a source, up to a semicolon.  Returns what follows, or NULL. */
static const char *next_part(const char *source, char part[PART_BYTES])
{
    const size_t length = strcspn(source, ";");

    ck_assert_uint_lt(length, PART_BYTES);
    memcpy(part, source, length);
    part[length] = '\0';
    return source[length] == ';' ? source + length + 1 + strspn(source + length + 1, " ") : NULL;
}

static bool is_year(const char *text)
{
    return (strncmp(text, "19", 2) == 0 || strncmp(text, "20", 2) == 0) &&
           isdigit((unsigned char)text[2]) && isdigit((unsigned char)text[3]) &&
           !isdigit((unsigned char)text[4]);
}

/* "Amert et al. 2017", "Bakita and Anderson 2024", or a number of arXiv with its year. */
static bool is_paper(const char *part)
{
    const char *many = strstr(part, " et al. "), *two = strstr(part, " and ");

    if (many && is_year(many + strlen(" et al. ")))
        return true;
    if (two && isupper((unsigned char)two[5])) {
        const char *year = two + 5 + strcspn(two + 5, " ");
        if (*year == ' ' && is_year(year + 1))
            return true;
    }
    return strstr(part, "arXiv ") != NULL;
}

/* A number of ours for a paper ("003 Fig. 6"), or no word at all. */
static bool is_number(const char *part)
{
    const size_t digits = strspn(part, "0123456789");

    if (part[0] == '0' && digits == 3 && !isalnum((unsigned char)part[digits]))
        return true;
    while (*part && !isalpha((unsigned char)*part))
        part++;
    return *part == '\0';
}

/* Says whether a chip or a GPU of `gfe gpus` begins the item, with or without more in parentheses.
 */
static bool is_known(const char *item)
{
    for (uint32_t i = 0; i < nv_chip_count; i++)
        if (rule_is_seen_on(item, nv_chips[i]->chip, nv_chips[i]->name))
            return true;
    for (uint32_t i = 0; i < amd_chip_count; i++)
        if (rule_is_seen_on(item, amd_chips[i]->chip, amd_chips[i]->name))
            return true;
    return false;
}

static const char *seen_fault(const char *seen_on)
{
    char item[PART_BYTES];

    for (const char *at = seen_on; *at;) {
        const size_t length = strcspn(at, ",");

        (void)snprintf(item, sizeof item, "%.*s", (int)length, at);
        if (!is_known(item))
            return "a GPU on which it was seen is none of gfe gpus";
        at += length + strspn(at + length, ", ");
    }
    return NULL;
}

/* Returns NULL if nothing is wrong. */
static const char *fault_of(enum basis basis, const char *source, const char *seen_on)
{
    uint32_t papers = 0, others = 0;
    char part[PART_BYTES];

    if (strcasestr(source, "general knowledge"))
        return "general knowledge is no source";
    for (const char *at = source; at;) {
        at = next_part(at, part);
        if (is_number(part))
            return "a number is no source";
        papers += is_paper(part);
        others += !is_paper(part) && strncmp(part, "gfe", 3) != 0;
    }
    if (basis == DOCUMENTED && others == 0)
        return "DOCUMENTED, but no source is the vendor's";
    if (basis == PUBLISHED && papers == 0)
        return "PUBLISHED, but no source is a paper with its year";
    if ((basis == PUBLISHED || basis == MEASURED) && (!seen_on || !*seen_on))
        return "no GPU on which it was seen: write PUBLISHED_ON() or MEASURED_ON()";
    if (basis != PUBLISHED && basis != MEASURED && seen_on)
        return "seen on a GPU, but neither PUBLISHED nor MEASURED";
    return seen_on ? seen_fault(seen_on) : NULL;
}

static void expect_sound(const char *name, enum basis basis, const char *source,
                         const char *seen_on)
{
    const char *fault = fault_of(basis, source, seen_on);

    ck_assert_msg(!fault, "%s: %s (source: %s)", name, fault, source);
}

START_TEST(a_row_that_says_more_than_it_knows_is_found)
{
    static const struct {
        enum basis basis;
        const char *source, *seen_on, *fault;
    } rows[] = {
        {DOCUMENTED, "Amert et al. 2017, s.3.2", NULL, "no source is the vendor's"},
        {DOCUMENTED, "Bakita and Anderson 2024, s.V-D; Amert et al. 2017", NULL, "the vendor's"},
        {DOCUMENTED, "\"Streams\", arXiv 2604.26889, 2026", NULL, "no source is the vendor's"},
        {DOCUMENTED, "gfe", NULL, "no source is the vendor's"},
        {DOCUMENTED, "Bakita and Anderson 2024; open-gpu-doc tu104/dev_ram.ref.txt", NULL, NULL},
        {PUBLISHED, "Amert et al. 2017, s.3.2", NULL, "no GPU on which it was seen"},
        {PUBLISHED, "Amert et al. 2017, s.3.2", "", "no GPU on which it was seen"},
        {PUBLISHED, "Amert et al. 2017, s.3.2", "Jetson TX2", "none of gfe gpus"},
        {PUBLISHED, "Amert et al. 2017, s.3.2", "GP10B (Jetson TX2), GP999", "none of gfe gpus"},
        {PUBLISHED, "Amert et al. 2017, s.3.2", "GP10B (Jetson TX2), gtx1060", NULL},
        {PUBLISHED, "a paper", "GP10B", "a paper with its year"},
        {MEASURED, "003", "GP106", "a number is no source"},
        {INFERRED, "17", NULL, "a number is no source"},
        {INFERRED, "1536 CUDA cores (NVIDIA, product page)", NULL, NULL},
        {MEASURED, "003 Fig. 6 (GTX 1060)", "GP106", "a number is no source"},
        {INFERRED, "nouveau gk104.c; 003 s.V-C", NULL, "a number is no source"},
        {MEASURED, "tests/hardware/data", NULL, "no GPU on which it was seen"},
        {INFERRED, "vendor's product page, general knowledge", NULL, "general knowledge"},
        {INFERRED, "nouveau gk104.c", "GK104", "neither PUBLISHED nor MEASURED"},
        {ASSUMED, "gfe", NULL, NULL},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *fault = fault_of(rows[i].basis, rows[i].source, rows[i].seen_on);

        ck_assert_msg(!fault == !rows[i].fault && (!fault || strstr(fault, rows[i].fault)),
                      "row %zu: %s", i, fault ? fault : "nothing is wrong with it");
    }
}
END_TEST

/* PROMISE (program): DOCUMENTED is the vendor's word; what only papers show is PUBLISHED, and says
 * on which GPUs it was seen. */
START_TEST(every_row_says_no_more_than_its_source)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++) {
        const struct table_set *set = gfe_table_sets[s];

        for (uint32_t i = 0; i < set->rule_count; i++)
            expect_sound(set->rules[i].label, set->rules[i].basis, set->rules[i].source,
                         set->rules[i].seen_on);
        for (uint32_t i = 0; i < set->parameter_count; i++)
            expect_sound(set->parameters[i].id, set->parameters[i].basis, set->parameters[i].source,
                         set->parameters[i].seen_on);
        for (uint32_t i = 0; i < set->choice_count; i++)
            expect_sound(set->choices[i].id, set->choices[i].basis, set->choices[i].source,
                         set->choices[i].seen_on);
    }
}
END_TEST

/* A figure is of one chip: what was seen was seen on that. */
static void expect_figures(const char *chip, const struct chip_figure *figure)
{
    for (; figure->name; figure++)
        expect_sound(figure->name, figure->basis, figure->source,
                     figure->basis == PUBLISHED || figure->basis == MEASURED ? chip : NULL);
}

START_TEST(every_figure_of_a_chip_says_no_more_than_its_source)
{
    for (uint32_t i = 0; i < nv_chip_count; i++)
        expect_figures(nv_chips[i]->chip, nv_chips[i]->figures);
    for (uint32_t i = 0; i < amd_chip_count; i++)
        expect_figures(amd_chips[i]->chip, amd_chips[i]->figures);
}
END_TEST

/* ---- on which GPU ------------------------------------------------------------------------------
 */

START_TEST(a_list_of_gpus_is_compared_by_whole_names)
{
    const char *list = "GP10B (Jetson TX2), Vega 20, yang17";

    ck_assert(rule_is_seen_on(list, "GP10B", "tx2"));
    ck_assert(rule_is_seen_on(list, "Vega 20", NULL));
    ck_assert(rule_is_seen_on(list, NULL, "yang17"));
    ck_assert(!rule_is_seen_on(list, "GP10", "yang17-7"));
    ck_assert(!rule_is_seen_on(list, "TX2", "Jetson TX2"));
    ck_assert(!rule_is_seen_on(list, "Vega", NULL));
    ck_assert(!rule_is_seen_on(list, NULL, NULL));
    ck_assert(!rule_is_seen_on(NULL, "GP10B", "tx2"));
}
END_TEST

/* Opens a log with this head and no events. */
static struct event_log_reader *open_head(const char *head)
{
    struct log_fixture fixture;
    struct event_log_reader *log;

    log_fixture_begin_with(&fixture, head);
    log_fixture_end(&fixture);
    log = event_log_open(fixture.path, NULL);
    ck_assert_ptr_nonnull(log);
    log_fixture_remove(&fixture);
    return log;
}

/* The chip decides, not the card: what was seen on a GTX 1060 holds on one with less memory, too.
 */
START_TEST(a_log_says_what_its_run_carried_over)
{
    static const struct {
        const char *gpu, *chip, *words;
    } runs[] = {
        {"tx2", "GP10B", "PUBLISHED, seen on GP10B (Jetson TX2)"},
        {"h100", "GH100", "PUBLISHED, carried over from GP10B (Jetson TX2)"},
        {NULL, NULL, "PUBLISHED, carried over from GP10B (Jetson TX2)"},
    };
    static const struct rule rules[] = {
        RULE_ROW(0, "X.1", PUBLISHED_ON("GP10B (Jetson TX2)"), HARDWARE, "Amert et al. 2017", "A.")
            RULE_ROW(0, "X.2", ASSUMED, HARDWARE, "gfe", "B.")};
    static const struct table_set set = {.name = "x", .base = 1, .rules = rules, .rule_count = 2};
    static const struct table_set *const sets[] = {&set};

    for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
        char *head = event_log_head_build(&(struct event_log_head){
            .sets = sets, .set_count = 1, .gpu = runs[i].gpu, .chip = runs[i].chip});
        struct event_log_reader *log = open_head(head);

        ck_assert_str_eq(event_log_rule(log, 1)->basis, "PUBLISHED");
        ck_assert_str_eq(event_log_rule(log, 1)->basis_words, runs[i].words);
        ck_assert_str_eq(event_log_rule(log, 1)->seen_on, "GP10B (Jetson TX2)");
        ck_assert_int_eq(event_log_rule(log, 1)->carried_over, i > 0);
        ck_assert_str_eq(event_log_rule(log, 2)->basis_words, "ASSUMED");
        ck_assert_ptr_null(event_log_rule(log, 2)->seen_on);
        event_log_close(log);
        free(head);
    }
}
END_TEST

/* Written by gfe before rows said where they were seen. */
START_TEST(an_older_log_is_read_with_the_basis_that_it_has)
{
    struct event_log_reader *log = open_head(
        "{\"format\":2,\"run\":{\"gpu\":\"h100\"},\"units\":[],\"rules\":[{\"id\":1,\"label\":"
        "\"T.G3\",\"basis\":\"DOCUMENTED\",\"enforcer\":\"hardware\",\"source\":\"Amert et al. "
        "2017\",\"text\":\"A.\"}],\"kinds\":[],\"parameters\":[],\"choices\":[]}");

    ck_assert_str_eq(event_log_rule(log, 1)->basis_words, "DOCUMENTED");
    ck_assert_ptr_null(event_log_rule(log, 1)->seen_on);
    ck_assert(!event_log_rule(log, 1)->carried_over);
    event_log_close(log);
}
END_TEST

Suite *basis_suite(void)
{
    Suite *suite = suite_create("basis");
    TCase *rows = tcase_create("rows"), *gpus = tcase_create("gpus");

    tcase_add_test(rows, a_row_that_says_more_than_it_knows_is_found);
    tcase_add_test(rows, every_row_says_no_more_than_its_source);
    tcase_add_test(rows, every_figure_of_a_chip_says_no_more_than_its_source);
    suite_add_tcase(suite, rows);
    tcase_add_test(gpus, a_list_of_gpus_is_compared_by_whole_names);
    tcase_add_test(gpus, a_log_says_what_its_run_carried_over);
    tcase_add_test(gpus, an_older_log_is_read_with_the_basis_that_it_has);
    suite_add_tcase(suite, gpus);
    return suite;
}
