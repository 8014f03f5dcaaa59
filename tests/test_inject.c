/* SPDX-License-Identifier: MIT */
/* The injector: what its models do to what passes and to state, when they do, and that a restored
 * machine goes on with a fault as the first did.  A unit of the test's own lets numbers pass. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/faults/inject.h"
#include "tests/suites.h"

enum { GATE = INJECT_SITE_VENDOR, STATE, SITES = 2, PASSES_MAX = 64 };
enum { PASS };

/* A number passes at 10, 20, 30 ... us: 1, 2, 3 ... */
static struct machine *machine;
static struct inject *inject;
static uint32_t unit, came_count;
static struct {
    gfe_ps at_ps;
    uint64_t value, subject;
} came[PASSES_MAX];
static uint32_t state_words[2];

static void comes(struct machine *in, uint32_t from, uint64_t subject, const void *data)
{
    uint64_t value;

    ck_assert_uint_eq(from, unit);
    memcpy(&value, data, sizeof value);
    ck_assert_uint_lt(came_count, PASSES_MAX);
    came[came_count].at_ps = machine_now(in);
    came[came_count].value = value;
    came[came_count++].subject = subject;
}

static void gate_event(void *context, const struct event *event)
{
    uint64_t value = event->argument;
    const uint64_t subject = event->argument % 2;

    (void)context;
    if (machine_inject(machine, unit, GATE, subject, &value, sizeof value))
        comes(machine, unit, subject, &value);
    MACHINE_LOG(machine, unit, EVENT_CPU_STORE, RULE_NONE, event->argument, 0, 0);
    if (event->argument < 8)
        machine_schedule(machine, unit, machine_now(machine) + 10 * GFE_PS_PER_US, PASS,
                         event->argument + 1);
}

static void gate_start(void *context)
{
    (void)context;
    machine_schedule(machine, unit, 10 * GFE_PS_PER_US, PASS, 1);
}

/* Two words; the highest bit of the first cannot be written. */
static bool read_state(struct machine *in, uint64_t subject, uint32_t index, uint32_t *word)
{
    (void)in;
    *word = state_words[index];
    return subject == 3;
}

static void write_state(struct machine *in, uint64_t subject, uint32_t index, uint32_t word)
{
    (void)in;
    (void)subject;
    state_words[index] = index == 0 ? word & INT32_MAX : word;
}

static const struct unit_ops gate_ops = {.event = gate_event, .start = gate_start};
static const struct inject_field fields[] = {{"high", 15, 8}, {"low", 3, 0}, {NULL, 0, 0}};
static const struct inject_field state_fields[] = {
    {"high", 35, 32}, {"both", 33, 30}, {NULL, 0, 0}};
// clang-format off
static const struct inject_site rows[SITES] = {
    {.name = "gate", .models = UINT32_MAX, .bytes = 8, .subject = "parity", .doc = "a number",
     .fields = fields, .deliver = comes},
    {.name = "state", .place = INJECT_VENDOR, .models = INJECT_CHANGES, .bytes = 8,
     .fields = state_fields, .subject = "NUMBER", .doc = "a word", .read_state = read_state, .write_state = write_state},
};
// clang-format on
static const struct inject_sites sites = {.rows = rows, .count = SITES};

static void setup(void)
{
    const struct machine_config config = {
        .gpu = "test", .vram_bytes = 1 << 20, .sysmem_bytes = 1 << 20};
    struct gfe_error error = {0};

    machine = machine_new(&config, &error);
    ck_assert_ptr_nonnull(machine);
    unit = machine_add_unit(machine, "gate", &gate_ops, NULL);
    inject = inject_new(machine, &sites);
    ck_assert_ptr_nonnull(inject);
    ck_assert(machine_seal(machine, &error));
    came_count = 0;
    state_words[0] = 0xf0;
    state_words[1] = 0;
}

static void teardown(void)
{
    machine_free(machine);
    inject_free(inject);
}

static void arm(const char *text)
{
    struct gfe_error error = {0};
    struct inject_fault fault;

    ck_assert_msg(inject_parse(machine, &sites, text, &fault, &error), "%s", error.text);
    inject_arm(inject, &fault, 1);
}

/* Runs it all; what comes, as a text. */
static const char *run(const char *text)
{
    static char line[1024];
    size_t at = 0;

    arm(text);
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    for (uint32_t i = 0; i < came_count; i++)
        at += (size_t)snprintf(line + at, sizeof line - at, "%s%llu", i > 0 ? " " : "",
                               (unsigned long long)came[i].value);
    return line;
}

START_TEST(without_a_fault_all_passes)
{
    ck_assert_str_eq(run("gate drop @#9"), "1 2 3 4 5 6 7 8");
    ck_assert_uint_eq(inject->state->faults[0].passed, 8);
    ck_assert(inject_waits(inject, GATE) && !inject_waits(inject, GATE + 1));
    ck_assert(!inject_spent(inject));
}
END_TEST

static const struct {
    const char *fault, *comes;
} models[] = {
    {"gate drop", "2 3 4 5 6 7 8"},
    {"gate drop=3 @#2", "1 5 6 7 8"},
    {"gate drop=all @#7", "1 2 3 4 5 6"},
    {"gate:0 drop @#2", "1 2 3 5 6 7 8"},
    {"gate drop @35us", "1 2 3 5 6 7 8"},
    {"gate drop @CPU_STORE#5", "1 2 3 4 5 7 8"},
    {"gate flip=0,2 @#4", "1 2 3 1 5 6 7 8"},
    {"gate.high flip=1 @#3", "1 2 515 4 5 6 7 8"},
    {"gate value=99 @#8", "1 2 3 4 5 6 7 99"},
    {"gate.low value=15 @#8", "1 2 3 4 5 6 7 15"},
    {"gate stuck1=0 @#3", "1 2 3 5 5 7 7 9"},
    {"gate stuck0=0 @#3", "1 2 2 4 4 6 6 8"},
    {"gate.low stuck0 @#6", "1 2 3 4 5 0 0 0"},
    {"gate duplicate @#2", "1 2 2 3 4 5 6 7 8"},
    {"gate delay=25us @#2", "1 3 4 2 5 6 7 8"},
    {"gate delay=1s", "2 3 4 5 6 7 8 1"},
    {"gate reorder @#2", "1 3 2 4 5 6 7 8"},
    {"gate:1 reorder @#2", "1 2 4 5 3 6 7 8"},
    {"gate reorder @#8", "1 2 3 4 5 6 7"},
};

START_TEST(each_model_does_what_it_says)
{
    ck_assert_str_eq(run(models[_i].fault), models[_i].comes);
    ck_assert_uint_gt(inject->state->faults[0].acted, 0);
}
END_TEST

START_TEST(what_is_late_comes_at_its_time)
{
    (void)run("gate delay=25us @#2");
    ck_assert_uint_eq(came[3].at_ps, 45 * GFE_PS_PER_US);
    ck_assert_uint_eq(came[3].subject, 0);
    ck_assert_uint_eq(inject->state->faults[0].first_ps, 20 * GFE_PS_PER_US);
    ck_assert(inject_spent(inject));
}
END_TEST

/* What writes what is there already has had its turn, and is not activated. */
static const char *const futile[] = {
    "gate value=4 @#4",         "gate.low value=4 @CPU_STORE#3",    "gate stuck0=5 @#2",
    "gate stuck1=0 @#99",       "memory:vid:0x100 value=0 @25us",   "memory:vid:0x100 stuck0 @25us",
    "state:3 value=0xf0 @25us", "state.high:3 stuck0 @CPU_STORE#2",
};

START_TEST(what_changes_nothing_is_not_activated)
{
    ck_assert_str_eq(run(futile[_i]), "1 2 3 4 5 6 7 8");
    ck_assert_uint_eq(inject->state->faults[0].acted, 0);
    ck_assert_uint_eq(inject->state->faults[0].is_futile, strstr(futile[_i], "#99") == NULL);
    ck_assert_int_eq(inject_spent(inject), strstr(futile[_i], "stuck") == NULL);
    ck_assert_int_eq(inject_waits(inject, GATE), strncmp(futile[_i], "gate stuck", 10) == 0);
}
END_TEST

START_TEST(a_page_that_is_read_only_already_does_not_become_so)
{
    const struct address_space_range range = {.va = 0x40000,
                                              .size_bytes = 0x3000,
                                              .physical = 0x3000,
                                              .aperture = MEMORY_SYSMEM,
                                              .access = ADDRESS_SPACE_READ_ONLY};

    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_SYSMEM, 0), 0);
    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    arm("mapping:0:0x41000 read_only @15us");
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert_uint_eq(inject->state->faults[0].acted, 0);
    ck_assert_uint_eq(inject->state->faults[0].is_futile, 1);
    ck_assert_int_eq(machine->spaces.state->range_count, 1);
}
END_TEST

START_TEST(memory_changes_at_its_time_and_stays_stuck)
{
    uint32_t word = 0xff;

    ck_assert(machine_write(machine, MEMORY_VRAM, 0x100, &word, 4));
    arm("memory:vid:0x100 stuck0=3 @25us");
    ck_assert(machine_run(machine, 25 * GFE_PS_PER_US));
    ck_assert(machine_read(machine, MEMORY_VRAM, 0x100, &word, 4) && word == 0xff);
    ck_assert(machine_run(machine, 31 * GFE_PS_PER_US));
    ck_assert(machine_read(machine, MEMORY_VRAM, 0x100, &word, 4));
    ck_assert_uint_eq(word, 0xf7);
    word = 0xff;
    ck_assert(machine_write(machine, MEMORY_VRAM, 0x100, &word, 4));
    ck_assert(machine_run(machine, 41 * GFE_PS_PER_US));
    ck_assert(machine_read(machine, MEMORY_VRAM, 0x100, &word, 4));
    ck_assert_uint_eq(word, 0xf7);
    ck_assert_uint_eq(inject->state->faults[0].acted, 2);
}
END_TEST

START_TEST(memory_of_a_space_is_found_by_its_translation)
{
    const struct address_space_range range = {
        .va = 0x40000, .size_bytes = 0x2000, .physical = 0x3000, .aperture = MEMORY_SYSMEM};
    uint32_t word = 0;

    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_SYSMEM, 0), 0);
    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    arm("memory:0:0x41004 value=0x1234 @15us");
    ck_assert(machine_run(machine, 21 * GFE_PS_PER_US));
    ck_assert(machine_read(machine, MEMORY_SYSMEM, 0x4004, &word, 4));
    ck_assert_uint_eq(word, 0x1234);
}
END_TEST

START_TEST(a_translation_goes_or_leads_elsewhere_or_cannot_be_written)
{
    static const char *const faults[] = {"mapping:0:0x41000 unmap @15us",
                                         "mapping:0:0x41000 wrong_page=2 @15us",
                                         "mapping:0:0x41ffc read_only @15us"};
    const struct address_space_range range = {
        .va = 0x40000, .size_bytes = 0x3000, .physical = 0x3000, .aperture = MEMORY_SYSMEM};
    const uint32_t word = 7;
    uint32_t found = 0;
    uint64_t fault;

    ck_assert_uint_eq(address_space_new(&machine->spaces, MEMORY_SYSMEM, 0), 0);
    ck_assert_int_eq(address_space_map(&machine->spaces, &range), ADDRESS_SPACE_OK);
    arm(faults[_i]);
    ck_assert(machine_run(machine, 21 * GFE_PS_PER_US));
    ck_assert_uint_eq(inject->state->faults[0].acted, 1);
    ck_assert_int_eq(machine_vm_write(machine, 0, 0x41000, &word, 4, &fault), _i == 1);
    ck_assert_int_eq(machine_vm_read(machine, 0, 0x41000, &found, 4, &fault), _i > 0);
    ck_assert(machine_vm_write(machine, 0, 0x42000, &word, 4, &fault)); /* its neighbours stay */
    if (_i == 1) {
        ck_assert(machine_read(machine, MEMORY_SYSMEM, 0x6000, &found, 4));
        ck_assert_uint_eq(found, 7);
    }
}
END_TEST

/* An MMU whose pages have 64 KiB, each where its address says. */
static bool walk(void *mmu, const struct address_space *space, uint64_t va,
                 struct address_space_range *page)
{
    (void)mmu;
    (void)space;
    *page = (struct address_space_range){
        .va = va & ~UINT64_C(0xffff), .size_bytes = 0x10000, .physical = va & UINT64_C(0xf0000)};
    page->aperture = MEMORY_SYSMEM;
    return true;
}

static uint32_t walk_entries(void *mmu)
{
    (void)mmu;
    return 16;
}

/* Where the page tables say something else, and whatever is forgotten and found again. */
START_TEST(a_translation_that_is_walked_for_stays_wrong)
{
    static const char *const faults[] = {"mapping:0:0x41000 unmap @15us",
                                         "mapping:0:0x41000 wrong_page=2 @15us",
                                         "mapping:0:0x41ffc read_only @15us"};
    const uint32_t word = 7;
    uint32_t found = 0;
    uint64_t fault;

    machine->spaces.walker.walk = walk;
    machine->spaces.walker.entries = walk_entries;
    ck_assert_uint_eq(
        address_space_walked(&machine->spaces, MEMORY_SYSMEM, 0, 1, UINT64_C(1) << 40), 0);
    ck_assert(machine_vm_write(machine, 0, 0x41000, &word, 4, &fault));
    arm(faults[_i]);
    ck_assert(machine_run(machine, 21 * GFE_PS_PER_US));
    ck_assert_uint_eq(inject->state->faults[0].acted, 1);
    ck_assert_uint_eq(inject->state->faults[0].old_value, 0x41000);
    for (int again = 0; again < 2; again++) {
        ck_assert(
            machine_vm_write(machine, 0, 0x42000, &word, 4, &fault)); /* its neighbours stay */
        ck_assert_int_eq(machine_vm_write(machine, 0, 0x41000, &word, 4, &fault), _i == 1);
        ck_assert_int_eq(machine_vm_read(machine, 0, 0x41000, &found, 4, &fault), _i > 0);
        ck_assert(machine_vm_write(machine, 0, 0x40ffc, &word, 4, &fault));
        address_space_invalidate(&machine->spaces, ADDRESS_SPACE_NONE, NULL);
    }
    ck_assert_int_eq(machine->spaces.state->range_count, 0);
    ck_assert(machine_read(machine, MEMORY_SYSMEM, 0x43000, &found, 4));
    ck_assert_uint_eq(found, _i == 1 ? 7 : 0);
    ck_assert(!inject_spent(inject));
}
END_TEST

START_TEST(a_vendors_state_changes_and_others_have_none)
{
    arm("state:3 flip=0 @CPU_STORE#2");
    ck_assert(machine_run(machine, 15 * GFE_PS_PER_US));
    ck_assert_uint_eq(state_words[0], 0xf0);
    ck_assert(machine_run(machine, 25 * GFE_PS_PER_US));
    ck_assert_uint_eq(state_words[0], 0xf1);
    arm("state:4 flip=0 @30us");
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert_uint_eq(state_words[0], 0xf1);
    ck_assert_uint_eq(inject->state->faults[0].acted, 0);
}
END_TEST

START_TEST(a_field_of_state_may_lie_in_two_words)
{
    arm("state.both:3 value=0xd @15us");
    ck_assert(machine_run(machine, 25 * GFE_PS_PER_US));
    ck_assert_uint_eq(state_words[0], UINT32_C(0x400000f0)); /* bit 31 cannot be written */
    ck_assert_uint_eq(state_words[1], 3);
    ck_assert_uint_eq(inject->state->faults[0].old_value, 0xf0);
    arm("state:3 flip=31 @30us");
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert_uint_eq(inject->state->faults[0].acted, 0);
    ck_assert(inject_spent(inject));
}
END_TEST

/* The state is so from the third passage on, and the fault acts on the one behind it. */
START_TEST(state_can_be_a_condition)
{
    struct gfe_error error = {0};
    struct inject_fault faults[2];

    ck_assert(
        inject_parse(machine, &sites, "state.high:3 value=5 @CPU_STORE#3", &faults[0], &error));
    ck_assert(inject_parse(machine, &sites, "gate drop @state.high:3==5", &faults[1], &error));
    inject_arm(inject, faults, 2);
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert_uint_eq(came_count, 7);
    ck_assert_uint_eq(came[2].value, 3);
    ck_assert_uint_eq(came[3].value, 5);
    ck_assert_uint_eq(inject->state->faults[1].first_ps, 40 * GFE_PS_PER_US);
}
END_TEST

/* PROMISE (faults): A restored machine goes on with its fault. */
START_TEST(a_restored_machine_goes_on_with_the_fault)
{
    struct machine_snapshot *snapshot;
    char first[65], second[65];

    arm("gate delay=35us @#2");
    ck_assert(machine_run(machine, 25 * GFE_PS_PER_US)); /* it is being held */
    snapshot = machine_take(machine);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert(machine_hash(machine, first));
    came_count = 0;
    ck_assert(machine_restore(machine, snapshot));
    ck_assert(machine_run(machine, GFE_PS_NEVER));
    ck_assert(machine_hash(machine, second));
    ck_assert_str_eq(first, second);
    ck_assert_uint_eq(came[3].value, 2);
    machine_snapshot_free(snapshot);
}
END_TEST

Suite *inject_suite(void)
{
    Suite *suite = suite_create("inject");
    TCase *tcase = tcase_create("models");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, without_a_fault_all_passes);
    tcase_add_loop_test(tcase, each_model_does_what_it_says, 0, sizeof models / sizeof models[0]);
    tcase_add_test(tcase, what_is_late_comes_at_its_time);
    tcase_add_loop_test(tcase, what_changes_nothing_is_not_activated, 0,
                        (int)(sizeof futile / sizeof futile[0]));
    tcase_add_test(tcase, a_page_that_is_read_only_already_does_not_become_so);
    tcase_add_test(tcase, memory_changes_at_its_time_and_stays_stuck);
    tcase_add_test(tcase, memory_of_a_space_is_found_by_its_translation);
    tcase_add_loop_test(tcase, a_translation_goes_or_leads_elsewhere_or_cannot_be_written, 0, 3);
    tcase_add_loop_test(tcase, a_translation_that_is_walked_for_stays_wrong, 0, 3);
    tcase_add_test(tcase, a_vendors_state_changes_and_others_have_none);
    tcase_add_test(tcase, a_field_of_state_may_lie_in_two_words);
    tcase_add_test(tcase, state_can_be_a_condition);
    tcase_add_test(tcase, a_restored_machine_goes_on_with_the_fault);
    suite_add_tcase(suite, tcase);
    return suite;
}
