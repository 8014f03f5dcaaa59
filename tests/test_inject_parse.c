/* SPDX-License-Identifier: MIT */
/* The text of a fault: what each form means, and what is said of those that mean nothing. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/sim/bare_gpu.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_inject.h"
#include "emu/faults/inject.h"
#include "tests/suites.h"

static struct bare_gpu bare;
static struct inject_fault fault;

static void setup(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(bare_gpu_init(&bare, nv_chip_by_name("gtx1060"), &error), "%s", error.text);
}

static void teardown(void)
{
    bare_gpu_fini(&bare);
}

static void parse(const char *text)
{
    struct gfe_error error = {0};

    ck_assert_msg(inject_parse(bare.machine, &nv_inject_sites, text, &fault, &error), "%s: %s",
                  text, error.text);
    ck_assert_str_eq(fault.text, text);
}

START_TEST(a_passage_with_all_its_parts)
{
    parse("gp_entry.length:7 flip=0,20 @#9");
    ck_assert_str_eq(inject_site(&nv_inject_sites, fault.site)->name, "gp_entry");
    ck_assert_uint_eq(fault.subject, 7);
    ck_assert_uint_eq(fault.bits_given, 2);
    ck_assert_uint_eq(fault.bits[0], 42);
    ck_assert_uint_eq(fault.bits[1], 62);
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_PASSAGE);
    ck_assert_uint_eq(fault.trigger.count, 9);
    parse("  doorbell   drop=all\t@2.5ms");
    ck_assert_uint_eq(fault.subject, INJECT_ANY);
    ck_assert_uint_eq(fault.value, UINT64_MAX);
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_TIME);
    ck_assert_uint_eq(fault.trigger.time_ps, 2500 * GFE_PS_PER_US);
    parse("release delay=20us");
    ck_assert_uint_eq(fault.value, 20 * GFE_PS_PER_US);
    ck_assert_uint_eq(fault.trigger.count, 1);
}
END_TEST

START_TEST(a_random_trigger_becomes_one_that_can_be_given_again)
{
    parse("doorbell:3 drop @random=7");
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_RANDOM);
    ck_assert(!inject_draw(&nv_inject_sites, &fault, 0, 1000));
    ck_assert(inject_draw(&nv_inject_sites, &fault, 10, 1000));
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_PASSAGE);
    ck_assert_uint_ge(fault.trigger.count, 1);
    ck_assert_uint_le(fault.trigger.count, 10);
    {
        const struct inject_fault drawn = fault;

        ck_assert(strncmp(drawn.text, "doorbell:3 drop @#", 18) == 0);
        parse(drawn.text);
        ck_assert_uint_eq(fault.trigger.count, drawn.trigger.count);
    }
    parse("memory:vid:0x40 flip=1 @random=8");
    ck_assert(inject_draw(&nv_inject_sites, &fault, 0, 1000));
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_TIME);
    ck_assert_uint_lt(fault.trigger.time_ps, 1000);
    {
        const gfe_ps time_ps = fault.trigger.time_ps;
        char text[INJECT_TEXT_MAX];

        memcpy(text, fault.text, sizeof text);
        parse(text);
        ck_assert_uint_eq(fault.trigger.time_ps, time_ps);
    }
}
END_TEST

/* Each passage is drawn about as often as any other. */
START_TEST(all_passages_are_drawn)
{
    uint32_t drawn[8] = {0};

    for (uint32_t seed = 0; seed < 800; seed++) {
        char text[64];

        (void)snprintf(text, sizeof text, "doorbell drop @random=%u", seed);
        parse(text);
        ck_assert(inject_draw(&nv_inject_sites, &fault, 8, 0));
        drawn[fault.trigger.count - 1]++;
    }
    for (uint32_t i = 0; i < 8; i++)
        ck_assert_msg(drawn[i] > 60 && drawn[i] < 140, "#%u: %u", i + 1, drawn[i]);
}
END_TEST

START_TEST(state_with_its_places)
{
    parse("memory:vid:0x12340 flip=31");
    ck_assert_uint_eq(fault.aperture, MEMORY_VRAM);
    ck_assert_uint_eq(fault.address, 0x12340);
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_TIME);
    parse("memory:5:0x100000000 value=9 @NV_GP_FETCH#4");
    ck_assert_uint_eq(fault.aperture, MEMORY_APERTURE_COUNT);
    ck_assert_uint_eq(fault.space_id, 5);
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_EVENT);
    ck_assert_uint_eq(fault.trigger.event_kind, EVENT_NV_GP_FETCH);
    parse("mapping:1:0x100000 wrong_page=3");
    ck_assert_uint_eq(fault.value, 3);
    parse("register:NV_PCCSR_CHANNEL[5].ENABLE stuck0 @NV_PFIFO_SCHED_DISABLE==1");
    ck_assert_uint_eq(fault.reg_offset, 0x80002c);
    ck_assert_uint_eq(fault.bit_count, 1);
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_VALUE);
    ck_assert_uint_eq(fault.trigger.reg_offset, 0x2630);
    ck_assert_uint_eq(fault.trigger.reg_value, 1);
    ck_assert_uint_eq(fault.trigger.site, INJECT_SITE_REGISTER);
    ck_assert_uint_eq(fault.trigger.reg_bank, INJECT_NO_BANK);
    parse("ramfc.gp_put:7 value=3 @channel_ram.acquire:5==1");
    ck_assert_uint_eq(fault.subject, 7);
    ck_assert_int_eq(fault.trigger.when, INJECT_AT_VALUE);
    ck_assert_str_eq(inject_site(&nv_inject_sites, fault.trigger.site)->name, "channel_ram");
    ck_assert_uint_eq(fault.trigger.subject, 5);
    ck_assert_uint_eq(fault.trigger.reg_offset, 0);
    ck_assert_uint_eq(fault.trigger.reg_mask, 0x100);
    ck_assert_uint_eq(fault.trigger.reg_value, 0x100);
    parse("doorbell drop @userd.gp_put:5==9");
    ck_assert_uint_eq(fault.trigger.reg_offset, 0x8c / 4);
    ck_assert_uint_eq(fault.trigger.reg_mask, UINT32_MAX);
    ck_assert_uint_eq(fault.trigger.reg_value, 9);
}
END_TEST

/* A Pascal's runlist entry has its fields elsewhere than a Turing's. */
START_TEST(fields_are_those_of_the_chip)
{
    struct gfe_error error = {0};

    parse("runlist_entry.tsg_length value=0");
    ck_assert_uint_eq(fault.bit_low, 26);
    ck_assert_uint_eq(fault.bit_count, 6);
    bare_gpu_fini(&bare);
    ck_assert(bare_gpu_init(&bare, nv_chip_by_name("rtx2060"), &error));
    parse("runlist_entry.tsg_length value=0");
    ck_assert_uint_eq(fault.bit_low, 32);
    ck_assert_uint_eq(fault.bit_count, 8);
}
END_TEST

static const struct {
    const char *text, *says;
} wrong[] = {
    {"", "SITE MODEL is needed"},
    {"doorbell", "SITE MODEL is needed"},
    {"doorbell @#2", "SITE MODEL is needed"},
    {"doorbel drop", "no site is called 'doorbel'"},
    {"doorbell lose", "no model is called 'lose'"},
    {"doorbell unmap", "doorbell cannot have 'unmap'"},
    {"doorbell drop #2", "a trigger begins with @"},
    {"doorbell drop @#2 now", "this is too much: 'now'"},
    {"doorbell drop @#0", "they count from #1"},
    {"doorbell drop @soon", "'@soon' is no trigger"},
    {"doorbell drop @NV_NOTHING#1", "no event is called 'NV_NOTHING'"},
    {"doorbell drop @NV_NOTHING==1", "NV_NOTHING"},
    {"doorbell drop=0", "drop takes =COUNT or =all"},
    {"doorbell delay", "delay needs a time"},
    {"doorbell delay=5", "delay needs a time"},
    {"doorbell duplicate=2", "duplicate takes no argument"},
    {"doorbell flip", "flip needs =BIT"},
    {"doorbell flip=32", "'32' is no bit: there are 32"},
    {"doorbell flip=1,1", "bit 1 is given twice"},
    {"doorbell flip=1,,2", "'' is no bit"},
    {"doorbell value=0x100000000", "has more than 32 bits"},
    {"doorbell:x drop", "'x' is no number of a channel"},
    {"interrupt:1 drop", "interrupt has no subject"},
    {"gp_entry.size flip=1", "gp_entry has no field 'size'"},
    {"qmd value=1", "qmd cannot have 'value'"},
    {"ramfc_load value=1", "name a field"},
    {"ramfc_load stuck0", "stuck0 needs =BIT"},
    {"memory flip=1", "memory needs :"},
    {"memory:vid flip=1", "is no vid:ADDRESS"},
    {"memory:vid:12x flip=1", "'12x' is no address"},
    {"memory:vid:0x12341 flip=1", "no multiple of 4"},
    {"memory:vid:0xfffffffffffffffc flip=1", "beyond the end"},
    {"memory:vid:0x100 flip=1 @#2", "nothing passes there"},
    {"register:NV_NOTHING flip=1", "NV_NOTHING"},
    {"register:0x1 flip=1", "0x1"},
    {"mapping:vid:0 unmap", "is no SPACE:ADDRESS"},
    {"channel_ram flip=0", "channel_ram needs :CHANNEL"},
    {"doorbell drop @channel_ram==1", "channel_ram needs :CHANNEL"},
    {"doorbell drop @channel_ram.size:1==1", "channel_ram has no field 'size'"},
    {"doorbell drop @channel_ram.busy:1==2", "never is 0x2: it has 1 bits"},
    {"doorbell drop @ramfc:1==2", "has more than 32 bits: name a field"},
    {"doorbell drop @NV_PCCSR_CHANNEL[5].ENABLE==2", "never is 0x2"},
    {"doorbell drop @1.0.0/NV_PCCSR_CHANNEL[5]==2", "there are no banks here"},
    {"doorbell drop @gp_entry:1==2", "gp_entry"},
};

/* PROMISE (faults): A text that is no fault is refused with the reason. */
START_TEST(what_means_nothing_is_told)
{
    struct gfe_error error = {0};

    ck_assert_msg(!inject_parse(bare.machine, &nv_inject_sites, wrong[_i].text, &fault, &error),
                  "'%s' was taken", wrong[_i].text);
    ck_assert_int_eq(error.kind, ERROR_USAGE);
    ck_assert_msg(strstr(error.text, wrong[_i].says) != NULL, "'%s': %s", wrong[_i].text,
                  error.text);
}
END_TEST

START_TEST(long_texts_are_refused)
{
    char text[INJECT_TEXT_MAX + 8];
    struct gfe_error error = {0};

    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    ck_assert(!inject_parse(bare.machine, &nv_inject_sites, text, &fault, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "less than 256 characters"));
}
END_TEST

static bool parse_set(const char *text, uint32_t room, uint32_t *count, struct gfe_error *error)
{
    static struct inject_fault faults[INJECT_FAULTS_MAX];

    *error = (struct gfe_error){0};
    *count = 0;
    return inject_parse_set(bare.machine, &nv_inject_sites, text, faults, count, room, error);
}

START_TEST(several_may_stand_in_one_text)
{
    static const char nine[] =
        "doorbell drop;doorbell drop;doorbell drop;doorbell drop;doorbell drop;"
        "doorbell drop;doorbell drop;doorbell drop;doorbell drop";
    char text[2 * INJECT_TEXT_MAX] = "doorbell drop; ";
    struct gfe_error error;
    uint32_t count;

    ck_assert_msg(parse_set("doorbell drop", 8, &count, &error) && count == 1, "%s", error.text);
    ck_assert_msg(
        parse_set("doorbell drop @#2;  gp_entry flip=3 @1ms; release drop", 3, &count, &error) &&
            count == 3,
        "%s", error.text);
    ck_assert(!parse_set(nine, INJECT_FAULTS_MAX, &count, &error));
    ck_assert_str_eq(error.text, "more than 8 faults");
    ck_assert(parse_set(nine + strlen("doorbell drop;"), INJECT_FAULTS_MAX, &count, &error));
    ck_assert(!parse_set("doorbell drop;", 8, &count, &error));
    ck_assert(!parse_set(";doorbell drop", 8, &count, &error));
    ck_assert(!parse_set("doorbell drop; dorbell drop", 8, &count, &error));
    ck_assert_msg(strncmp(error.text, "'dorbell drop': no site", 23) == 0, "%s", error.text);
    memset(text + 15, 'a', sizeof text - 16);
    ck_assert(!parse_set(text, 8, &count, &error));
    ck_assert_msg(strstr(error.text, "is too long for a fault") != NULL, "%s", error.text);
}
END_TEST

START_TEST(names_are_unique)
{
    const uint32_t count = INJECT_SITE_VENDOR + nv_inject_sites.count;

    ck_assert_uint_gt(count, 20);
    for (uint32_t i = 0; i < count; i++) {
        const struct inject_site *site = inject_site(&nv_inject_sites, i);

        ck_assert_uint_eq(inject_site_by_name(&nv_inject_sites, site->name), i);
        ck_assert_uint_gt(strlen(site->doc), 10);
        ck_assert_msg(site->unit && site->unit[0], "%s is of no unit", site->name);
        ck_assert_uint_ne(site->models, 0);
        /* What comes twice without a way of its own does so where it is taken up. */
        ck_assert(!(site->models & (INJECT_BIT(INJECT_DELAY) | INJECT_BIT(INJECT_REORDER) |
                                    INJECT_BIT(INJECT_SPURIOUS))) ||
                  site->deliver);
        ck_assert((site->place == INJECT_VENDOR) == (site->read_state && site->write_state));
        for (const struct inject_field *field = site->fields; field && field->name; field++)
            ck_assert_msg(field->low <= field->high && field->high < 8 * site->bytes, "%s.%s",
                          site->name, field->name);
    }
}
END_TEST

Suite *inject_parse_suite(void)
{
    Suite *suite = suite_create("inject_parse");
    TCase *tcase = tcase_create("texts");

    tcase_add_unchecked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, a_passage_with_all_its_parts);
    tcase_add_test(tcase, a_random_trigger_becomes_one_that_can_be_given_again);
    tcase_add_test(tcase, all_passages_are_drawn);
    tcase_add_test(tcase, state_with_its_places);
    tcase_add_test(tcase, fields_are_those_of_the_chip);
    tcase_add_loop_test(tcase, what_means_nothing_is_told, 0, sizeof wrong / sizeof wrong[0]);
    tcase_add_test(tcase, long_texts_are_refused);
    tcase_add_test(tcase, several_may_stand_in_one_text);
    tcase_add_test(tcase, names_are_unique);
    suite_add_tcase(suite, tcase);
    return suite;
}
