/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "emu/faults/campaign_access.h"
#include "tests/suites.h"

enum { PAGE = MEMORY_PAGE_BYTES, TICK_PS = 1000, ALL = 0xf };

static struct machine *machine;
static struct campaign_accesses accesses;

static void tick(void *unit, const struct event *event)
{
    (void)unit;
    machine_schedule(machine, event->unit, event->time_ps + TICK_PS, 0, 0);
}

static const struct unit_ops ticker = {.event = tick};

/* A page of video memory at 0x10000 of space 0. */
static void set_up(void)
{
    const struct machine_config config = {
        .gpu = "none", .vram_bytes = 4 * PAGE, .sysmem_bytes = 4 * PAGE};
    const struct address_space_range range = {
        .va = 0x10000, .size_bytes = PAGE, .physical = PAGE, .aperture = MEMORY_VRAM};
    struct gfe_error error = {0};
    uint32_t unit;

    machine = machine_new(&config, &error);
    ck_assert_msg(machine != NULL, "%s", error.text);
    unit = machine_add_unit(machine, "ticker", &ticker, NULL);
    ck_assert(machine_seal(machine, &error));
    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_VRAM, 0), 0);
    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    machine_schedule(machine, unit, TICK_PS, 0, 0);
    campaign_access_begin(&accesses, machine);
}

static void tear_down(void)
{
    campaign_access_fini(&accesses);
    machine_free(machine);
}

static void at(gfe_ps time_ps)
{
    ck_assert(machine_run(machine, time_ps + 1));
}

static void writes(uint64_t address, size_t bytes)
{
    static const uint8_t data[2 * PAGE];

    ck_assert(machine_write(machine, MEMORY_VRAM, address, data, bytes));
}

static void reads(uint64_t address, size_t bytes)
{
    static uint8_t data[2 * PAGE];

    ck_assert(machine_read(machine, MEMORY_VRAM, address, data, bytes));
}

static enum campaign_fate fate(uint64_t address, uint32_t bytes, gfe_ps time_ps)
{
    gfe_ps met_ps;

    return campaign_access_fate(&accesses, MEMORY_VRAM, address, bytes, time_ps, &met_ps);
}

static gfe_ps met(uint64_t address, uint32_t bytes, gfe_ps time_ps)
{
    gfe_ps met_ps;

    (void)campaign_access_fate(&accesses, MEMORY_VRAM, address, bytes, time_ps, &met_ps);
    return met_ps;
}

START_TEST(what_is_written_over_unread_is_dead)
{
    at(1000);
    writes(16, 4);
    at(2000);
    reads(16, 4);
    at(3000);
    writes(16, 2);
    at(4000);
    writes(18, 2);
    campaign_access_end(&accesses, machine);
    ck_assert_int_eq(fate(16, ALL, 500), CAMPAIGN_FATE_DEAD);
    ck_assert_int_eq(fate(16, ALL, 1500), CAMPAIGN_FATE_READ);
    ck_assert_int_eq(fate(16, ALL, 2500), CAMPAIGN_FATE_DEAD);
    ck_assert_int_eq(fate(16, 0x3, 3500), CAMPAIGN_FATE_LEFT);
    ck_assert_int_eq(fate(16, 0xc, 3500), CAMPAIGN_FATE_DEAD);
    ck_assert_int_eq(fate(16, ALL, 3500), CAMPAIGN_FATE_LEFT);
    ck_assert_int_eq(fate(20, ALL, 0), CAMPAIGN_FATE_LEFT);
    ck_assert_uint_eq(met(16, ALL, 500), 1000);
    ck_assert_uint_eq(met(16, 0xc, 2500), 4000);
    ck_assert_uint_eq(met(16, ALL, 4500), GFE_PS_NEVER);
}
END_TEST

/* Which of the two was first at that time nobody has written down. */
START_TEST(at_the_very_time_both_is_possible)
{
    at(1000);
    writes(16, 4);
    at(2000);
    reads(16, 4);
    campaign_access_end(&accesses, machine);
    ck_assert_int_eq(fate(16, ALL, 1000), CAMPAIGN_FATE_READ);
    ck_assert_int_eq(fate(16, ALL, 2000), CAMPAIGN_FATE_READ);
    ck_assert_int_eq(fate(16, ALL, 2001), CAMPAIGN_FATE_LEFT);
}
END_TEST

/* Also an access of many pages, and one by virtual address that is kept (emu/engine/machine.h). */
/* PROMISE (faults): Pruning hears every way in which memory is read and written. */
START_TEST(every_way_to_memory_is_heard)
{
    uint32_t word = 5;
    uint64_t fault;

    at(1000);
    writes(PAGE - 8, PAGE);
    ck_assert(machine_vm_read(machine, 0, 0x10ffc, &word, 4, &fault));
    at(2000);
    ck_assert(machine_vm_read(machine, 0, 0x10ffc, &word, 4, &fault));
    ck_assert(machine_vm_write(machine, 0, 0x10010, &word, 4, &fault));
    at(3000);
    ck_assert(machine_vm_write(machine, 0, 0x10010, &word, 4, &fault));
    campaign_access_end(&accesses, machine);
    ck_assert_int_eq(fate(PAGE - 8, ALL, 0), CAMPAIGN_FATE_DEAD);
    ck_assert_int_eq(fate(2 * PAGE - 12, ALL, 0), CAMPAIGN_FATE_DEAD);
    ck_assert_int_eq(fate(2 * PAGE - 8, ALL, 0), CAMPAIGN_FATE_LEFT);
    ck_assert_uint_eq(met(2 * PAGE - 4, ALL, 1500), 2000);
    ck_assert_uint_eq(met(PAGE + 0x10, ALL, 1500), 2000);
    ck_assert_uint_eq(met(PAGE + 0x10, ALL, 2500), 3000);
    ck_assert(machine_vm_write(machine, 0, 0x10010, &word, 4, &fault));
    ck_assert_uint_eq(met(PAGE + 0x10, ALL, 3500), GFE_PS_NEVER);
}
END_TEST

START_TEST(a_word_that_somebody_waits_for_is_unknown)
{
    at(1000);
    machine_watch(machine, 0, 0, 0, MEMORY_VRAM, 32);
    at(2000);
    writes(32, 4);
    campaign_access_end(&accesses, machine);
    ck_assert_int_eq(fate(32, ALL, 0), CAMPAIGN_FATE_UNKNOWN);
    ck_assert_int_eq(fate(32, ALL, 5000), CAMPAIGN_FATE_UNKNOWN);
    ck_assert_int_eq(fate(36, ALL, 0), CAMPAIGN_FATE_LEFT);
}
END_TEST

START_TEST(too_many_are_none)
{
    writes(0, 4);
    for (uint32_t i = 0; i < CAMPAIGN_ACCESSES_MAX; i++)
        reads(64, 4);
    campaign_access_end(&accesses, machine);
    ck_assert_int_eq(fate(0, ALL, 0), CAMPAIGN_FATE_UNKNOWN);
}
END_TEST

Suite *campaign_access_suite(void)
{
    Suite *suite = suite_create("campaign_access");
    TCase *tcase = tcase_create("accesses");

    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, what_is_written_over_unread_is_dead);
    tcase_add_test(tcase, at_the_very_time_both_is_possible);
    tcase_add_test(tcase, every_way_to_memory_is_heard);
    tcase_add_test(tcase, a_word_that_somebody_waits_for_is_unknown);
    tcase_add_test(tcase, too_many_are_none);
    suite_add_tcase(suite, tcase);
    return suite;
}
