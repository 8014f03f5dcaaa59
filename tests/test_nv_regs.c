/* SPDX-License-Identifier: MIT */
/* Every register of the complete lists, on a chip of each generation: what zeroes, ones and noise
 * leave behind, what reserved bits read as, and what is reported. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_intr_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "emu/engine/random.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

static const char *const gpus[] = {"gtx680", "gtx980", "gtx1060", "v100", "rtx2060", NULL};
enum { GENERATIONS = sizeof gpus / sizeof gpus[0] };

static struct check_machine check;
static struct nv_chip ga100;

static void begin(int generation)
{
    ga100 = check_machine_ga100();
    if (gpus[generation])
        check_machine_begin_on(&check, gpus[generation]);
    else
        check_machine_begin_model(&check, &ga100);
}

/* ---- a register's bits, from its rows alone -------------------------------------------------- */

struct bits {
    uint32_t fields, plain, ones_clear, read_only, write_only;
};

static struct bits bits_of(const struct mmio_window *window, const struct reg_row *reg)
{
    const struct reg_row *end = window->list->rows + window->list->row_count;
    struct bits bits = {0, 0, 0, 0, 0};

    for (const struct reg_row *row = reg + 1; row < end && row->kind != ROW_REG; row++) {
        const uint8_t access = row->access == REG_SAME ? reg->access : row->access;
        uint32_t mask = 0;

        if (row->kind != ROW_FIELD || !(row->variants & window->variants))
            continue;
        for (unsigned bit = row->lo; bit <= row->hi; bit++)
            mask |= UINT32_C(1) << bit;
        bits.fields |= mask;
        bits.plain |= access == REG_RW || access == REG_INERT ? mask : 0;
        bits.ones_clear |= access == REG_W1C ? mask : 0;
        bits.read_only |= access == REG_RO ? mask : 0;
        bits.write_only |= access == REG_WO ? mask : 0;
    }
    if (bits.fields == 0) {
        bits.fields = UINT32_MAX;
        bits.plain = reg->access == REG_RW || reg->access == REG_INERT ? UINT32_MAX : 0;
        bits.ones_clear = reg->access == REG_W1C ? UINT32_MAX : 0;
        bits.read_only = reg->access == REG_RO ? UINT32_MAX : 0;
        bits.write_only = reg->access == REG_WO ? UINT32_MAX : 0;
    }
    return bits;
}

/* Calls for the first and the last register of each row of the chip's complete lists. */
static uint32_t each_register(void (*call)(const struct mmio_window *window,
                                           const struct reg_row *row, uint32_t address))
{
    const struct mmio *mmio = &check.machine->mmio;
    uint32_t count = 0;

    for (uint32_t w = 0; w < mmio->window_count; w++)
        for (uint32_t i = 0; i < mmio->windows[w].list->row_count; i++) {
            const struct mmio_window *window = &mmio->windows[w];
            const struct reg_row *row = &window->list->rows[i];

            if (row->kind != ROW_REG || !window->list->complete ||
                !(row->variants & window->variants))
                continue;
            call(window, row, window->base + row->number);
            call(window, row, window->base + row->number + (row->count - 1) * row->stride_bytes);
            count++;
        }
    return count;
}

/* ---- what each must do ----------------------------------------------------------------------- */

static void expect_reset(const struct mmio_window *window, const struct reg_row *row,
                         uint32_t address)
{
    const struct bits bits = bits_of(window, row);
    const bool held = row->access == REG_SET || row->access == REG_CLEAR;

    /* What the chip or the machine fills in is read only. */
    ck_assert_msg(
        ((machine_read32(check.machine, address) ^ (held ? 0 : row->reset)) &
         (bits.plain | bits.ones_clear)) == 0 ||
            row->number == NV_RUNLIST_INTR_VECTORID ||
            (window->list == &nv_pfifo_list && row->number == NV_PFIFO_BAR1_BASE) ||
            (window->list == &nv_runlist_list && row->number == NV_RUNLIST_VIRTUAL_CHANNEL_CFG),
        "%s", row->name);
    ck_assert_msg((machine_read32(check.machine, address) & ~bits.fields) == 0, "%s", row->name);
}

static void expect_kept(const struct mmio_window *window, const struct reg_row *row,
                        uint32_t address)
{
    static const uint32_t patterns[] = {0, UINT32_MAX, 0xa5a5a5a5, 0x5a5a5a5a, 0x12345678};
    const struct bits bits = bits_of(window, row);

    /* A submit of noise as a runlist is not what this is about. */
    if ((window->list == &nv_pfifo_list &&
         (row->number == NV_PFIFO_RUNLIST || row->number == NV_PFIFO_RUNLIST_SUBMIT)) ||
        (window->list == &nv_runlist_list && row->number == NV_RUNLIST_SUBMIT))
        return;
    for (uint32_t i = 0; i < sizeof patterns / sizeof patterns[0]; i++) {
        const uint32_t before = machine_read32(check.machine, address);
        uint32_t after;

        machine_write32(check.machine, address, patterns[i]);
        after = machine_read32(check.machine, address);
        ck_assert_msg(((after ^ patterns[i]) & bits.plain) == 0, "%s: %08x after %08x", row->name,
                      after, patterns[i]);
        ck_assert_msg((after & bits.ones_clear & patterns[i]) == 0, "%s: %08x", row->name, after);
        if (window->list != &nv_pccsr_list) /* where ENABLE_SET moves ENABLE */
            ck_assert_msg(((after ^ before) & bits.read_only) == 0, "%s: %08x, was %08x", row->name,
                          after, before);
        ck_assert_msg((after & bits.write_only) == 0, "%s: %08x", row->name, after);
        ck_assert_msg((after & ~bits.fields) == 0, "%s: %08x", row->name, after);
    }
}

START_TEST(registers_begin_with_the_manuals_values_and_nothing_in_reserved_bits)
{
    begin(_i);
    ck_assert_uint_gt(each_register(expect_reset), _i == GENERATIONS - 1 ? 60 : 20);
    check_machine_end(&check);
}
END_TEST

/* PROMISE (nvidia): Registers of every generation have the manual's reset values and keep what
 * their fields can hold. */
START_TEST(registers_keep_what_their_fields_can_hold_and_no_other_bit)
{
    begin(_i);
    (void)each_register(expect_kept);
    check_machine_end(&check);
}
END_TEST

/* ---- pairs that set and clear ---------------------------------------------------------------- */

static uint32_t pairs;

static void expect_pair(const struct mmio_window *window, const struct reg_row *row,
                        uint32_t address)
{
    const struct bits bits = bits_of(window, row);
    const uint32_t element = address - window->base - row->number;
    uint32_t set = 0;

    if (row->access != REG_CLEAR)
        return;
    for (uint32_t i = 0; i < window->list->row_count; i++) /* the one that sets the same word */
        if (window->list->rows[i].access == REG_SET && window->list->rows[i].reset == row->reset &&
            (window->list->rows[i].variants & window->variants))
            set = window->base + window->list->rows[i].number + element;
    ck_assert_msg(set != 0, "%s has no partner", row->name);
    machine_write32(check.machine, address, UINT32_MAX);
    ck_assert_uint_eq(machine_read32(check.machine, address), 0);
    machine_write32(check.machine, set, UINT32_MAX);
    machine_write32(check.machine, address, 0x0000ff00);
    ck_assert_msg(machine_read32(check.machine, set) == (bits.fields & 0xffff00ff), "%s",
                  row->name);
    ck_assert_msg(machine_read32(check.machine, address) == (bits.fields & 0xffff00ff), "%s",
                  row->name);
    machine_write32(check.machine, set, 0); /* zeroes do nothing */
    machine_write32(check.machine, address, 0);
    ck_assert_uint_eq(machine_read32(check.machine, set), bits.fields & 0xffff00ff);
    machine_write32(check.machine, address, UINT32_MAX);
    pairs++;
}

START_TEST(one_register_sets_what_its_partner_clears)
{
    begin(_i);
    pairs = 0;
    (void)each_register(expect_pair);
    ck_assert_uint_ge(pairs, _i == GENERATIONS - 1 ? 12 : _i == 4 ? 14 : 0);
    check_machine_end(&check);
}
END_TEST

/* PMC's are beside the register that they change, and cannot be read. */
START_TEST(pmc_sets_and_clears_its_enables)
{
    begin(2);
    machine_write32(check.machine, 0x164, 0x111);
    machine_write32(check.machine, 0x184, 0x100);
    ck_assert_uint_eq(machine_read32(check.machine, 0x144), 0x011);
    ck_assert_uint_eq(machine_read32(check.machine, 0x140), 0);
    ck_assert_uint_eq(machine_read32(check.machine, 0x164), 0);
    machine_write32(check.machine, 0x144, 0xfff);
    ck_assert_uint_eq(machine_read32(check.machine, 0x144), 0x011);
    check_machine_end(&check);
}
END_TEST

/* ---- what is reported ------------------------------------------------------------------------ */

static uint32_t reports(uint32_t what, uint32_t address, uint32_t *value)
{
    uint32_t count = 0;

    check_machine_read_log(&check);
    for (uint32_t i = 0; i < check.event_count; i++)
        if (check.events[i].kind == EVENT_UNMODELLED &&
            event_unmodelled_of(&check.events[i]).what == what &&
            event_unmodelled_of(&check.events[i]).address == address) {
            *value = (uint32_t)event_unmodelled_of(&check.events[i]).value;
            count++;
        }
    return count;
}

/* PROMISE (nvidia): A register or bit without a model is reported once. */
START_TEST(reserved_bits_and_fields_without_effect_are_reported_once_each)
{
    uint32_t value = 0;

    begin(GENERATIONS - 1);
    machine_write32(check.machine, CHECK_BLOCK(0), 0x410); /* CONFIG as it is */
    ck_assert_uint_eq(reports(UNMODELLED_REGISTER_BITS, CHECK_BLOCK(0), &value), 0);
    machine_write32(check.machine, CHECK_BLOCK(0), 0x510); /* L2_EVICT */
    ck_assert_uint_eq(reports(UNMODELLED_REGISTER_BITS, CHECK_BLOCK(0), &value), 1);
    ck_assert_uint_eq(value, 0x100);
    machine_write32(check.machine, CHECK_BLOCK(0), 0x410);
    machine_write32(check.machine, CHECK_BLOCK(0), 0x510);
    ck_assert_uint_eq(reports(UNMODELLED_REGISTER_BITS, CHECK_BLOCK(0), &value), 1);
    machine_write32(check.machine, CHECK_BLOCK(0), 0x80000511); /* reserved, SEM_ACQ_STRENGTH */
    ck_assert_uint_eq(reports(UNMODELLED_REGISTER_BITS, CHECK_BLOCK(0), &value), 2);
    ck_assert_uint_eq(value, 0x80000001);
    ck_assert_uint_eq(machine_read32(check.machine, CHECK_BLOCK(0)), 0x511);
    check_machine_end(&check);
}
END_TEST

/* Software clears interrupts with all ones: that is no report. */
START_TEST(ones_that_clear_are_not_reported)
{
    uint32_t value;

    begin(GENERATIONS - 1);
    machine_write32(check.machine, CHECK_BLOCK(0) + 0x100, UINT32_MAX);
    machine_write32(check.machine, CHECK_BLOCK(0) + 0x140, UINT32_MAX);
    ck_assert_uint_eq(reports(UNMODELLED_REGISTER_BITS, CHECK_BLOCK(0) + 0x100, &value), 0);
    ck_assert_uint_eq(reports(UNMODELLED_REGISTER_BITS, CHECK_BLOCK(0) + 0x140, &value), 0);
    check_machine_end(&check);
}
END_TEST

/* A register of another generation is none: PFIFO's submits on Ampere, Turing's on Pascal and the
 * other way round. */
static const struct {
    int generation;
    uint32_t address;
    bool there;
} placed[] = {
    {2, 0x2270, true},   {2, 0x2b00, false},  {4, 0x2270, false},        {4, 0x2b00, true},
    {3, 0x2b00, false},  {5, 0x2270, false},  {5, 0x2b00, false},        {5, 0x800000, true},
    {3, 0x810000, true}, {4, 0x810000, true}, {4, 0xbb0000, true},       {5, 0x810000, false},
    {5, 0xbb0000, true}, {4, 0xb81000, true}, {3, 0xb81000, false},      {2, 0x2a34, true},
    {4, 0x2a34, false},  {5, 0x40170, true},  {5, 0x40800, true},        {4, 0x40170, false},
    {4, 0x42000, true},  {5, 0x4010c, false}, {5, CHECK_BLOCK(1), true},
};

START_TEST(each_generation_has_its_own_registers)
{
    uint32_t value;

    begin(placed[_i].generation);
    (void)machine_read32(check.machine, placed[_i].address);
    ck_assert_msg(reports(UNMODELLED_REGISTER_READ, placed[_i].address, &value) ==
                      !placed[_i].there,
                  "%08x", placed[_i].address);
    check_machine_end(&check);
}
END_TEST

Suite *nv_regs_suite(void)
{
    Suite *suite = suite_create("nv_regs");
    TCase *tcase = tcase_create("every generation");
    TCase *reported = tcase_create("reports");

    tcase_add_loop_test(tcase, registers_begin_with_the_manuals_values_and_nothing_in_reserved_bits,
                        0, GENERATIONS);
    tcase_add_loop_test(tcase, registers_keep_what_their_fields_can_hold_and_no_other_bit, 0,
                        GENERATIONS);
    tcase_add_loop_test(tcase, one_register_sets_what_its_partner_clears, 0, GENERATIONS);
    tcase_add_test(tcase, pmc_sets_and_clears_its_enables);
    tcase_add_loop_test(tcase, each_generation_has_its_own_registers, 0,
                        (int)(sizeof placed / sizeof placed[0]));
    suite_add_tcase(suite, tcase);
    tcase_add_test(reported, reserved_bits_and_fields_without_effect_are_reported_once_each);
    tcase_add_test(reported, ones_that_clear_are_not_reported);
    suite_add_tcase(suite, reported);
    return suite;
}
