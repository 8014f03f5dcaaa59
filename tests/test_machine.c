/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <string.h>

#include "emu/engine/machine.h"
#include "tests/suites.h"

enum { PAGE = MEMORY_PAGE_BYTES, VRAM_PAGES = 8, SYSMEM_PAGES = 4, TICK_PS = 1000 };

static struct machine *machine;
static uint32_t handled; /* events */

/* A unit that goes on for ever. */
static void tick(void *unit, const struct event *event)
{
    (void)unit;
    handled++;
    machine_schedule(machine, event->unit, event->time_ps + TICK_PS, 0, 0);
}

static const struct unit_ops ticker = {.event = tick};

/* One space: VRAM pages at 0x10000 and on, then system memory, of which the last page of the
 * mapping lies behind the end of the aperture. */
static void begin(uint64_t max_events, gfe_ps max_time_ps)
{
    const struct machine_config config = {.gpu = "none",
                                          .vram_bytes = VRAM_PAGES * PAGE,
                                          .sysmem_bytes = SYSMEM_PAGES * PAGE,
                                          .max_events = max_events,
                                          .max_time_ps = max_time_ps};
    struct gfe_error error = {0};
    uint32_t unit;

    machine = machine_new(&config, &error);
    ck_assert_msg(machine != NULL, "%s", error.text);
    unit = machine_add_unit(machine, "ticker", &ticker, NULL);
    ck_assert(machine_seal(machine, &error));
    handled = 0;
    machine_schedule(machine, unit, TICK_PS, 0, 0);
}

static void set_up(void)
{
    begin(0, 0);
    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_VRAM, 0), 0);
}

static void tear_down(void)
{
    machine_free(machine);
}

static void map(uint64_t va, uint64_t pages, enum memory_aperture aperture, uint64_t physical)
{
    const struct address_space_range range = {
        .va = va, .size_bytes = pages * PAGE, .physical = physical, .aperture = aperture};

    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
}

/* ---- limits ---------------------------------------------------------------------------------- */

START_TEST(a_run_stops_before_one_event_too_many)
{
    begin(7, 0);
    ck_assert(!machine_run(machine, GFE_PS_NEVER));
    ck_assert_uint_eq(handled, 7);
    ck_assert_int_eq(machine->error.kind, ERROR_LIMIT);
    ck_assert_str_eq(machine->error.text, "the run has more than 7 events (--max-events)");
    machine_free(machine);
}
END_TEST

START_TEST(a_run_stops_before_simulated_time_passes_its_bound)
{
    begin(0, 5 * TICK_PS);
    ck_assert(!machine_run(machine, GFE_PS_NEVER));
    ck_assert_uint_eq(handled, 5);
    ck_assert_int_eq(machine->error.kind, ERROR_LIMIT);
    ck_assert_str_eq(machine->error.text, "simulated time passes 5000 ps (--max-time)");
    machine_free(machine);
}
END_TEST

/* What lies within the bounds, or is not asked for, does not fail. */
START_TEST(a_run_that_keeps_to_its_bounds_goes_on)
{
    begin(5, 5 * TICK_PS);
    ck_assert(machine_run(machine, 5 * TICK_PS + 1));
    ck_assert_uint_eq(handled, 5);
    ck_assert(!machine_run(machine, GFE_PS_NEVER));
    machine_free(machine);
    begin(0, 0);
    ck_assert(machine_run(machine, 1000 * TICK_PS));
    ck_assert_uint_eq(handled, 999);
    machine_free(machine);
}
END_TEST

/* ---- guest memory by virtual address --------------------------------------------------------- */

START_TEST(a_write_that_fails_has_written_nothing)
{
    uint8_t data[3 * PAGE], byte = 0;
    uint64_t fault = 0;

    memset(data, 0xaa, sizeof data);
    map(0x10000, 2, MEMORY_VRAM, 0);
    map(0x12000, 2, MEMORY_SYSMEM, (SYSMEM_PAGES - 1) * PAGE); /* one page too many */
    /* Over the end of the aperture, from the range before it and within the one that has it. */
    ck_assert(!machine_vm_write(machine, 0, 0x11004, data, 2 * PAGE, &fault));
    ck_assert_uint_eq(fault, 0x13000);
    ck_assert(!machine_vm_write(machine, 0, 0x12ffe, data, 4, &fault));
    ck_assert_uint_eq(fault, 0x13000);
    /* Over the end of the mapping. */
    ck_assert(!machine_vm_write(machine, 0, 0x13ffe, data, 4, &fault));
    ck_assert_uint_eq(fault, 0x13ffe);
    map(0x14000, 1, MEMORY_VRAM, 4 * PAGE);
    ck_assert(!machine_vm_write(machine, 0, 0x14ffe, data, 4, &fault));
    ck_assert_uint_eq(fault, 0x15000);
    for (uint64_t va = 0x10000; va < 0x13000; va++) {
        ck_assert(machine_vm_read(machine, 0, va, &byte, 1, &fault));
        ck_assert_msg(byte == 0, "%#llx was written", (unsigned long long)va);
    }
    ck_assert(machine_vm_read(machine, 0, 0x14ffe, &byte, 1, &fault));
    ck_assert_uint_eq(byte, 0);
}
END_TEST

START_TEST(a_read_that_fails_leaves_the_buffer_alone)
{
    uint8_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    const uint8_t before[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t fault = 0;

    map(0x12000, 2, MEMORY_SYSMEM, (SYSMEM_PAGES - 1) * PAGE);
    ck_assert(!machine_vm_read(machine, 0, 0x12ffc, data, 8, &fault));
    ck_assert_uint_eq(fault, 0x13000);
    ck_assert_mem_eq(data, before, 8);
}
END_TEST

START_TEST(an_access_goes_over_the_borders_of_pages_ranges_and_apertures)
{
    uint8_t written[2 * PAGE], data[2 * PAGE];
    uint64_t fault;

    for (uint32_t i = 0; i < sizeof written; i++)
        written[i] = (uint8_t)(i * 7 + i / 256);
    map(0x10000, 1, MEMORY_VRAM, 3 * PAGE);
    map(0x11000, 2, MEMORY_SYSMEM, PAGE);
    ck_assert(machine_vm_write(machine, 0, 0x10800, written, sizeof written, &fault));
    ck_assert(machine_vm_read(machine, 0, 0x10800, data, sizeof data, &fault));
    ck_assert_mem_eq(data, written, sizeof written);
    ck_assert(machine_read(machine, MEMORY_VRAM, 3 * PAGE + 0x800, data, 0x800));
    ck_assert_mem_eq(data, written, 0x800);
    ck_assert(machine_read(machine, MEMORY_SYSMEM, PAGE, data, 0x1800));
    ck_assert_mem_eq(data, written + 0x800, 0x1800);
}
END_TEST

/* Whatever is kept to find ranges and pages faster must not outlive a change of the map. */
START_TEST(an_access_follows_every_change_of_the_map)
{
    uint32_t value, fault_count = 0;
    uint64_t fault;

    for (uint32_t page = 0; page < VRAM_PAGES; page++)
        ck_assert(machine_write(machine, MEMORY_VRAM, page * PAGE, &page, sizeof page));
    for (uint32_t page = 0; page < VRAM_PAGES; page++) {
        map(0x10000, 1, MEMORY_VRAM, page * PAGE);
        ck_assert(machine_vm_read(machine, 0, 0x10000, &value, sizeof value, &fault));
        ck_assert_uint_eq(value, page);
        value = 100 + page;
        ck_assert(machine_vm_write(machine, 0, 0x10000, &value, sizeof value, &fault));
        ck_assert(address_space_unmap(&machine->spaces, 0, 0x10000, PAGE));
        fault_count += !machine_vm_read(machine, 0, 0x10000, &value, sizeof value, &fault);
        ck_assert(machine_read(machine, MEMORY_VRAM, page * PAGE, &value, sizeof value));
        ck_assert_uint_eq(value, 100 + page);
    }
    ck_assert_uint_eq(fault_count, VRAM_PAGES);
}
END_TEST

/* Nor a snapshot: what is restored has other ranges and other pages. */
START_TEST(an_access_follows_a_restore)
{
    struct machine_snapshot *before;
    uint32_t value = 1;
    uint64_t fault;

    map(0x10000, 1, MEMORY_VRAM, 0);
    ck_assert(machine_vm_write(machine, 0, 0x10000, &value, sizeof value, &fault));
    before = machine_take(machine);
    ck_assert_ptr_nonnull(before);
    for (uint32_t round = 0; round < 3; round++) {
        value = 2;
        ck_assert(machine_vm_write(machine, 0, 0x10000, &value, sizeof value, &fault));
        map(0x11000, 1, MEMORY_VRAM, PAGE);
        ck_assert(machine_vm_write(machine, 0, 0x11000, &value, sizeof value, &fault));
        ck_assert(machine_restore(machine, before));
        ck_assert(machine_vm_read(machine, 0, 0x10000, &value, sizeof value, &fault));
        ck_assert_uint_eq(value, 1);
        ck_assert(!machine_vm_read(machine, 0, 0x11000, &value, sizeof value, &fault));
        ck_assert_uint_eq(fault, 0x11000);
        ck_assert(machine_read(machine, MEMORY_VRAM, PAGE, &value, sizeof value));
        ck_assert_uint_eq(value, 0);
    }
    machine_snapshot_free(before);
}
END_TEST

static bool write32(uint32_t space_id, uint64_t va, uint32_t value)
{
    uint64_t fault;

    return machine_vm_write(machine, space_id, va, &value, sizeof value, &fault);
}

static uint32_t read32(uint32_t space_id, uint64_t va)
{
    uint32_t value = 0;
    uint64_t fault;

    ck_assert(machine_vm_read(machine, space_id, va, &value, sizeof value, &fault));
    return value;
}

/* Pages that were used before are found again: each in its own space, at its own address, also
 * those that are kept in the same place. */
START_TEST(pages_that_were_used_before_are_not_mistaken_for_others)
{
    uint64_t va[3] = {0x10000, 0x10000, 0x10000};

    do
        va[1] += PAGE;
    while (machine_page_index(0, va[1]) != machine_page_index(0, va[0]));
    do
        va[2] += PAGE;
    while (machine_page_index(1, va[2]) != machine_page_index(0, va[0]));
    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_VRAM, PAGE), 1);
    map(va[0], 1, MEMORY_VRAM, 0);
    map(va[1], 1, MEMORY_VRAM, PAGE);
    for (uint32_t i = 0; i < 3; i += 2)
        ck_assert_int_eq(address_space_map(&machine->spaces,
                                           &(struct address_space_range){.va = va[i],
                                                                         .size_bytes = PAGE,
                                                                         .physical = (2 + i) * PAGE,
                                                                         .space_id = 1}),
                         ADDRESS_SPACE_OK);
    for (uint32_t round = 0; round < 3; round++) {
        ck_assert(write32(0, va[0], 10 + round));
        ck_assert(write32(0, va[1], 20 + round));
        ck_assert(write32(1, va[0], 30 + round));
        ck_assert(write32(1, va[2], 40 + round));
        ck_assert_uint_eq(read32(0, va[0]), 10 + round);
        ck_assert_uint_eq(read32(0, va[1]), 20 + round);
        ck_assert_uint_eq(read32(1, va[0]), 30 + round);
        ck_assert_uint_eq(read32(1, va[2]), 40 + round);
    }
}
END_TEST

/* What the page allows counts, whatever it allowed before; and where it ends. */
START_TEST(a_page_that_was_written_may_become_read_only_and_has_an_end)
{
    struct address_space_range range = {
        .va = 0x10000, .size_bytes = PAGE, .access = ADDRESS_SPACE_READ_ONLY};
    uint32_t words[2] = {1, 2};
    uint64_t fault = 0;

    map(0x10000, 1, MEMORY_VRAM, 0);
    ck_assert(write32(0, 0x10ffc, 5));
    ck_assert(!machine_vm_write(machine, 0, 0x10ffc, words, sizeof words, &fault));
    ck_assert_uint_eq(fault, 0x11000);
    ck_assert(!machine_vm_read(machine, 0, 0x10ffc, words, sizeof words, &fault));
    ck_assert(address_space_unmap(&machine->spaces, 0, 0x10000, PAGE));
    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    ck_assert_uint_eq(read32(0, 0x10ffc), 5);
    ck_assert(!write32(0, 0x10ffc, 6));
    ck_assert(address_space_unmap(&machine->spaces, 0, 0x10000, PAGE));
    range.access = ADDRESS_SPACE_WRITE_ONLY;
    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    ck_assert(write32(0, 0x10ffc, 7));
    ck_assert(!machine_vm_read(machine, 0, 0x10ffc, words, sizeof *words, &fault));
}
END_TEST

/* By whichever address memory is written, it is the same; also when its page has become another one
 * because an image has the first. */
START_TEST(a_page_has_what_is_written_to_it_by_its_other_addresses)
{
    struct machine_snapshot *image;
    uint32_t value = 3;

    map(0x10000, 1, MEMORY_VRAM, 0);
    map(0x20000, 1, MEMORY_VRAM, 0);
    ck_assert_uint_eq(read32(0, 0x10000), 0);
    ck_assert(write32(0, 0x20000, 1));
    ck_assert_uint_eq(read32(0, 0x10000), 1);
    ck_assert(write32(0, 0x10000, 2));
    ck_assert_uint_eq(read32(0, 0x20000), 2);
    ck_assert(machine_write(machine, MEMORY_VRAM, 0, &value, sizeof value));
    ck_assert_uint_eq(read32(0, 0x10000), 3);
    image = machine_take(machine);
    ck_assert_ptr_nonnull(image);
    ck_assert_uint_eq(read32(0, 0x10000), 3);
    ck_assert(write32(0, 0x20000, 4));
    ck_assert_uint_eq(read32(0, 0x10000), 4);
    machine_snapshot_free(image);
}
END_TEST

/* What is changed where it lies is what others read; where somebody might wait for it, or it may
 * not be written, or it is no piece of one page, it has to be asked for in another way. */
START_TEST(bytes_are_changed_in_place_only_where_nobody_minds)
{
    const struct address_space_range read_only = {
        .va = 0x20000, .size_bytes = PAGE, .physical = 2 * PAGE, .access = ADDRESS_SPACE_READ_ONLY};
    const uint32_t value = 5;
    const struct machine_page *near = machine->pages;
    struct machine_snapshot *image;
    uint8_t *here;

    map(0x10000, 2, MEMORY_VRAM, 0);
    ck_assert_int_eq(address_space_map(&machine->spaces, &read_only), ADDRESS_SPACE_OK);
    ck_assert_ptr_null(machine_vm_here(machine, &near, 0, 0x10010, 8)); /* nobody has looked yet */
    ck_assert(write32(0, 0x10000, 1));
    here = machine_vm_here(machine, &near, 0, 0x10010, 8);
    ck_assert_ptr_nonnull(here);
    memcpy(here, &value, sizeof value);
    ck_assert_uint_eq(read32(0, 0x10010), 5);
    ck_assert_ptr_nonnull(machine_vm_here(machine, &near, 0, 0x10ff8, 8));
    ck_assert_ptr_null(machine_vm_here(machine, &near, 0, 0x10ffc, 8));
    ck_assert_ptr_null(machine_vm_here(machine, &near, 0, 0xffff, 8));
    ck_assert_ptr_null(machine_vm_here(machine, &near, 1, 0x10010, 8));
    ck_assert_uint_eq(read32(0, 0x20000), 0);
    ck_assert_ptr_null(machine_vm_here(machine, &near, 0, 0x20000, 4));

    image = machine_take(machine); /* it has the page now */
    ck_assert_ptr_nonnull(image);
    ck_assert_ptr_null(machine_vm_here(machine, &near, 0, 0x10010, 8));
    ck_assert(write32(0, 0x10010, 6));
    ck_assert(machine_restore(machine, image));
    ck_assert_uint_eq(read32(0, 0x10010), 5);
    machine_snapshot_free(image);

    ck_assert(write32(0, 0x10010, 7));
    ck_assert_ptr_nonnull(machine_vm_here(machine, &near, 0, 0x10010, 8));
    machine_watch(machine, 0, 0, 0, MEMORY_VRAM, PAGE);
    ck_assert_ptr_null(machine_vm_here(machine, &near, 0, 0x10010, 8));
}
END_TEST

/* Who keeps a page in mind sees what is there now, whatever has become of the page since. */
START_TEST(a_page_that_was_kept_in_mind_is_looked_at_anew)
{
    const struct address_space_range other = {
        .va = 0x10000, .size_bytes = PAGE, .physical = 5 * PAGE};
    const struct machine_page *near = machine->pages, *first;
    const uint8_t *seen;
    uint32_t value = 0;

    map(0x10000, 4, MEMORY_VRAM, 0);
    ck_assert_ptr_null(machine_vm_seen(machine, &near, 0, 0x10010, 4));
    ck_assert_ptr_eq(near, machine->pages);
    ck_assert(write32(0, 0x10010, 1) && write32(0, 0x11010, 2));
    seen = machine_vm_seen(machine, &near, 0, 0x10010, 4);
    ck_assert_ptr_nonnull(seen);
    memcpy(&value, seen, sizeof value);
    ck_assert_uint_eq(value, 1);
    first = near;
    ck_assert_uint_eq(first->va, 0x10000);

    /* Another page, and the first again. */
    seen = machine_vm_seen(machine, &near, 0, 0x11010, 4);
    ck_assert_ptr_nonnull(seen);
    memcpy(&value, seen, sizeof value);
    ck_assert_uint_eq(value, 2);
    ck_assert_uint_eq(near->va, 0x11000);
    ck_assert_ptr_nonnull(machine_vm_seen(machine, &near, 0, 0x10010, 4));
    ck_assert_ptr_eq(near, first);
    ck_assert_ptr_null(machine_vm_seen(machine, &near, 0, 0x10ffe, 4));
    ck_assert_ptr_null(machine_vm_seen(machine, &near, 1, 0x10010, 4));
    ck_assert_ptr_eq(near, first);

    /* It is mapped elsewhere. */
    ck_assert(address_space_unmap(&machine->spaces, 0, 0x10000, PAGE));
    ck_assert_ptr_null(machine_vm_seen(machine, &near, 0, 0x10010, 4));
    ck_assert_int_eq(address_space_map(&machine->spaces, &other), ADDRESS_SPACE_OK);
    ck_assert(write32(0, 0x10010, 3));
    seen = machine_vm_seen(machine, &near, 0, 0x10010, 4);
    ck_assert_ptr_nonnull(seen);
    memcpy(&value, seen, sizeof value);
    ck_assert_uint_eq(value, 3);
}
END_TEST

/* ---- watches --------------------------------------------------------------------------------- */

enum { WATCHERS = 300 };

static uint32_t seen[WATCHERS]; /* by kind: how often the event came */
static uint64_t seen_argument;

static void look(void *unit, const struct event *event)
{
    (void)unit;
    seen[event->kind]++;
    seen_argument = event->argument;
}

static const struct unit_ops watcher = {.event = look};

static uint32_t begin_watching(void)
{
    const struct machine_config config = {
        .gpu = "none", .vram_bytes = VRAM_PAGES * PAGE, .sysmem_bytes = SYSMEM_PAGES * PAGE};
    struct gfe_error error = {0};
    uint32_t unit;

    machine = machine_new(&config, &error);
    ck_assert_msg(machine != NULL, "%s", error.text);
    unit = machine_add_unit(machine, "watcher", &watcher, NULL);
    ck_assert(machine_seal(machine, &error));
    memset(seen, 0, sizeof seen);
    return unit;
}

static void store(enum memory_aperture aperture, uint64_t address, size_t bytes)
{
    static const uint8_t zeroes[16];

    ck_assert(machine_write(machine, aperture, address, zeroes, bytes));
    ck_assert(machine_run(machine, GFE_PS_NEVER));
}

/* PROMISE (engine): A watch on memory goes off once, at the first write to its word, by whatever
 * address. */
START_TEST(a_watch_goes_off_once_at_the_first_write_to_its_word)
{
    const uint32_t unit = begin_watching();

    machine_watch(machine, unit, 1, 7, MEMORY_VRAM, 0x100);
    store(MEMORY_VRAM, 0xfc, 4);
    store(MEMORY_VRAM, 0x104, 8);
    store(MEMORY_SYSMEM, 0x100, 4);
    ck_assert_uint_eq(seen[1], 0);
    store(MEMORY_VRAM, 0x103, 1);
    ck_assert_uint_eq(seen[1], 1);
    ck_assert_uint_eq(seen_argument, 7);
    store(MEMORY_VRAM, 0x100, 4);
    ck_assert_uint_eq(seen[1], 1);
    machine_free(machine);
}
END_TEST

/* A write by a virtual address, also one that was written before. */
START_TEST(a_watch_goes_off_at_a_write_by_a_virtual_address)
{
    const uint32_t unit = begin_watching();

    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_VRAM, 0), 0);
    map(0x10000, 1, MEMORY_VRAM, 0);
    for (uint32_t round = 1; round <= 3; round++) {
        ck_assert(write32(0, 0x10100, round));
        machine_watch(machine, unit, 1, round, MEMORY_VRAM, 0x100);
        ck_assert(write32(0, 0x10100, round));
        ck_assert(machine_run(machine, GFE_PS_NEVER));
        ck_assert_uint_eq(seen[1], round);
    }
    machine_free(machine);
}
END_TEST

START_TEST(a_second_watch_of_a_unit_and_kind_replaces_the_first)
{
    const uint32_t unit = begin_watching();

    machine_watch(machine, unit, 1, 7, MEMORY_VRAM, 0x100);
    machine_watch(machine, unit, 1, 8, MEMORY_VRAM, 0x200);
    store(MEMORY_VRAM, 0x100, 4);
    ck_assert_uint_eq(seen[1], 0);
    store(MEMORY_VRAM, 0x200, 4);
    ck_assert_uint_eq(seen[1], 1);
    ck_assert_uint_eq(seen_argument, 8);
    machine_free(machine);
}
END_TEST

/* As many as a program may have threads; those that have not gone off go on watching. */
START_TEST(many_watches_go_off_each_for_itself)
{
    const uint32_t unit = begin_watching();

    for (uint32_t i = 0; i < WATCHERS; i++)
        machine_watch(machine, unit, i, i, MEMORY_VRAM, 4 * (uint64_t)(i / 2));
    for (uint32_t i = WATCHERS / 2; i-- > 0;) {
        store(MEMORY_VRAM, 4 * (uint64_t)i, 4);
        ck_assert_uint_eq(machine->state->watch_count, 2 * i);
        ck_assert_uint_eq(seen_argument, 2 * i + 1);
    }
    for (uint32_t i = 0; i < WATCHERS; i++)
        ck_assert_uint_eq(seen[i], 1);
    machine_free(machine);
}
END_TEST

START_TEST(one_watch_too_many_stops_the_run)
{
    const uint32_t unit = begin_watching();

    for (uint32_t i = 0; i < MACHINE_WATCHES_MAX; i++)
        machine_watch(machine, unit, i, i, MEMORY_VRAM, 0);
    ck_assert(!machine_failed(machine));
    machine_watch(machine, unit, MACHINE_WATCHES_MAX, 0, MEMORY_VRAM, 0);
    ck_assert_int_eq(machine->error.kind, ERROR_LIMIT);
    machine_free(machine);
}
END_TEST

Suite *machine_suite(void)
{
    Suite *suite = suite_create("machine");
    TCase *limits = tcase_create("limits"), *memory = tcase_create("memory");
    TCase *watches = tcase_create("watches");

    tcase_add_test(limits, a_run_stops_before_one_event_too_many);
    tcase_add_test(limits, a_run_stops_before_simulated_time_passes_its_bound);
    tcase_add_test(limits, a_run_that_keeps_to_its_bounds_goes_on);
    suite_add_tcase(suite, limits);
    tcase_add_checked_fixture(memory, set_up, tear_down);
    tcase_add_test(memory, a_write_that_fails_has_written_nothing);
    tcase_add_test(memory, a_read_that_fails_leaves_the_buffer_alone);
    tcase_add_test(memory, an_access_goes_over_the_borders_of_pages_ranges_and_apertures);
    tcase_add_test(memory, an_access_follows_every_change_of_the_map);
    tcase_add_test(memory, an_access_follows_a_restore);
    tcase_add_test(memory, pages_that_were_used_before_are_not_mistaken_for_others);
    tcase_add_test(memory, a_page_that_was_written_may_become_read_only_and_has_an_end);
    tcase_add_test(memory, a_page_has_what_is_written_to_it_by_its_other_addresses);
    tcase_add_test(memory, bytes_are_changed_in_place_only_where_nobody_minds);
    tcase_add_test(memory, a_page_that_was_kept_in_mind_is_looked_at_anew);
    suite_add_tcase(suite, memory);
    tcase_add_test(watches, a_watch_goes_off_once_at_the_first_write_to_its_word);
    tcase_add_test(watches, a_second_watch_of_a_unit_and_kind_replaces_the_first);
    tcase_add_test(watches, a_watch_goes_off_at_a_write_by_a_virtual_address);
    tcase_add_test(watches, many_watches_go_off_each_for_itself);
    tcase_add_test(watches, one_watch_too_many_stops_the_run);
    suite_add_tcase(suite, watches);
    return suite;
}
