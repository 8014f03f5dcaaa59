/* SPDX-License-Identifier: MIT */
/* Registers by their names: what each form of text means, and what is said of those that mean
 * nothing.  Offsets are the manuals', typed here. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "emu/sim/bare_gpu.h"
#include "emu/engine/reg_assign.h"
#include "tests/suites.h"

static struct bare_gpu bare;

static void setup(void)
{
    struct gfe_error error = {0};

    ck_assert_msg(bare_gpu_init(&bare, nv_chip_by_name("gtx1060-3gb"), &error), "%s", error.text);
}

static void teardown(void)
{
    bare_gpu_fini(&bare);
}

static const struct {
    const char *text;
    uint32_t offset, value, mask;
} good[] = {
    {"NV_PFIFO_SCHED_DISABLE=1", 0x2630, 1, UINT32_MAX},
    {" NV_PFIFO_SCHED_DISABLE  =\t0x10 ", 0x2630, 0x10, UINT32_MAX},
    {"NV_PPBDMA_INTR_0[2] = 4", 0x44108, 4, UINT32_MAX},
    {"NV_PPBDMA_INTR_0(2) = 4", 0x44108, 4, UINT32_MAX},
    {"NV_PCCSR_CHANNEL[5] = 0x400", 0x80002c, 0x400, UINT32_MAX},
    {"NV_PCCSR_CHANNEL[5].ENABLE_SET = 1", 0x80002c, 0x400, 0x400},
    {"NV_PCCSR_CHANNEL[5].NV_PCCSR_CHANNEL_ENABLE_SET = 1", 0x80002c, 0x400, 0x400},
    {"NV_PFIFO_PREEMPT ID=7 TYPE=TSG", 0x2634, 0x01000007, UINT32_MAX},
    {"NV_PFIFO_PREEMPT TYPE=NV_PFIFO_PREEMPT_TYPE_CHANNEL ID=7", 0x2634, 7, UINT32_MAX},
    {"NV_PFIFO_PREEMPT.TYPE=1", 0x2634, 0x01000000, 0x03000000},
    {"0x2630=3", 0x2630, 3, UINT32_MAX},
    {"9776 = 3", 0x2630, 3, UINT32_MAX},
    {"0x2634 TYPE=TSG", 0x2634, 0x01000000, UINT32_MAX},
    {"0xfffff0 = 4294967295", 0xfffff0, UINT32_MAX, UINT32_MAX},
    {"NV_PFIFO_ENG_RUNLIST[6] = 1", 0x22b4, 1, UINT32_MAX},
};

START_TEST(each_form_means_its_register_and_bits)
{
    struct reg_assign_message message;
    struct reg_assign assign;

    ck_assert_msg(reg_assign_parse(&bare.machine->mmio, good[_i].text, &assign, &message), "%s: %s",
                  good[_i].text, message.text);
    ck_assert_msg(assign.offset == good[_i].offset && assign.value == good[_i].value &&
                      assign.mask == good[_i].mask,
                  "%s: 0x%x = 0x%x, mask 0x%x", good[_i].text, assign.offset, assign.value,
                  assign.mask);
}
END_TEST

static const struct {
    const char *text, *said;
} wrong[] = {
    {"", "a register was expected"},
    {"= 1", "a register was expected before = 1"},
    {"NV_PFIFO_SCHED_DISABEL = 1",
     "this GPU has no register 'NV_PFIFO_SCHED_DISABEL' (gfe regs lists names)"},
    {"NV_PFIFO_SCHED_DISABLE", "'= VALUE' is missing"},
    {"NV_PFIFO_SCHED_DISABLE = ", "a number was expected"},
    {"NV_PFIFO_SCHED_DISABLE = x", "'x' is not a number"},
    {"NV_PFIFO_SCHED_DISABLE = 4294967296", "4294967296 is more than 0xffffffff"},
    {"NV_PFIFO_SCHED_DISABLE = 1 2", "'2' is too much"},
    {"NV_PFIFO_SCHED_DISABLE[0][1] = 1", "NV_PFIFO_SCHED_DISABLE has not so many indices"},
    {"NV_PPBDMA_INTR_0 = 1", "4 units have NV_PPBDMA_INTR_0: write NV_PPBDMA_INTR_0[i]"},
    {"NV_PPBDMA_INTR_0[4] = 1", "there is no unit 4 with NV_PPBDMA_INTR_0"},
    {"NV_PPBDMA_INTR_0[1][0] = 1", "NV_PPBDMA_INTR_0 has not so many indices"},
    {"NV_PPBDMA_INTR_0[1][0][0] = 1", "more than 2 indices"},
    {"NV_PPBDMA_INTR_0[1 = 1", "']' is missing after an index"},
    {"NV_PPBDMA_INTR_0(1] = 1", "')' is missing after an index"},
    {"NV_PCCSR_CHANNEL = 1", "there are 4096 registers NV_PCCSR_CHANNEL: one more index is needed"},
    {"NV_PCCSR_CHANNEL[4096] = 1", "NV_PCCSR_CHANNEL has no index 4096: there are 4096"},
    {"NV_PFIFO_PREEMPT.KIND = 1", "NV_PFIFO_PREEMPT has no field 'KIND'"},
    {"NV_PFIFO_PREEMPT.TYPE 1", "'=' was expected after TYPE"},
    {"NV_PFIFO_PREEMPT.TYPE = BOTH", "NV_PFIFO_PREEMPT_TYPE has no value 'BOTH'"},
    {"NV_PFIFO_PREEMPT.TYPE = 4", "4 is more than the 2 bits of NV_PFIFO_PREEMPT_TYPE hold"},
    {"NV_PFIFO_PREEMPT.TYPE = 1 ID=2", "'ID=2' is too much"},
    {"NV_PFIFO_PREEMPT TYPE=1 TYPE=1", "TYPE overlaps a field that was said before"},
    {"NV_PFIFO_PREEMPT TYPE=1 ID", "'=' was expected after ID"},
    {"0x2631 = 1", "registers lie at multiples of 4: 0x2631 does not"},
    {"0x100002630 = 1", "'0x100002630' is neither a register nor a BAR0 offset"},
    {"0xfffff0.BIT = 1", "no list has a register at 0xfffff0, so it has no field 'BIT'"},
    {"\x01 = 1", "a character that cannot be printed"},
};

START_TEST(what_means_nothing_is_said_exactly)
{
    struct reg_assign_message message;
    struct reg_assign assign;

    ck_assert_msg(!reg_assign_parse(&bare.machine->mmio, wrong[_i].text, &assign, &message), "%s",
                  wrong[_i].text);
    ck_assert_msg(strncmp(message.text, wrong[_i].said, strlen(wrong[_i].said)) == 0, "%s: %s",
                  wrong[_i].text, message.text);
}
END_TEST

START_TEST(a_text_without_end_is_refused)
{
    struct reg_assign_message message;
    struct reg_assign assign;
    char text[REG_ASSIGN_BYTES + 10];

    memset(text, 'A', sizeof text);
    text[sizeof text - 1] = '\0';
    ck_assert(!reg_assign_parse(&bare.machine->mmio, text, &assign, &message));
    ck_assert_str_eq(message.text, "the text is longer than 1023 characters");
    text[200] = '\0';
    ck_assert(!reg_assign_parse(&bare.machine->mmio, text, &assign, &message));
    ck_assert_ptr_nonnull(strstr(message.text, "too long for a name"));
}
END_TEST

/* Every register of every window is found by its name and by its offset. */
START_TEST(each_register_has_its_name)
{
    const struct mmio *mmio = &bare.machine->mmio;
    uint32_t count = 0;

    for (uint32_t w = 0; w < mmio->window_count; w++) {
        const struct mmio_window *window = &mmio->windows[w];

        for (uint32_t i = 0; i < window->list->row_count; i++) {
            const struct reg_row *row = &window->list->rows[i];
            struct reg_assign by_name, by_offset;

            if (row->kind != ROW_REG || !(row->variants & window->variants) ||
                row->number >= window->size_bytes)
                continue;
            ck_assert(reg_assign_named(mmio, row->name, window->instance, 0, &by_name));
            ck_assert_msg(by_name.offset == window->base + row->number, "%s", row->name);
            ck_assert(reg_assign_find(mmio, by_name.offset, &by_offset));
            ck_assert_ptr_eq(by_offset.row, row);
            count++;
        }
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

/* From each register of an array to the next, as far as names lead. */
START_TEST(the_next_of_an_array_is_that_of_the_next_index)
{
    const struct mmio *mmio = &bare.machine->mmio;
    uint32_t count = 0;

    for (uint32_t w = 0; w < mmio->window_count; w++) {
        const struct mmio_window *window = &mmio->windows[w];

        for (uint32_t i = 0; i < window->list->row_count; i++) {
            const struct reg_row *row = &window->list->rows[i];
            struct reg_assign reg, wanted;
            uint32_t index = 0;

            if (row->kind != ROW_REG || row->count < 2 ||
                !reg_assign_named(mmio, row->name, window->instance, 0, &reg))
                continue;
            while (reg_assign_named(mmio, row->name, window->instance, ++index, &wanted)) {
                ck_assert_msg(reg_assign_next(mmio, &reg), "%s[%u]", row->name, index);
                ck_assert_uint_eq(reg.offset, wanted.offset);
                ck_assert_uint_eq(reg.index, index);
                ck_assert_ptr_eq(reg.row, wanted.row);
                count++;
            }
            wanted = reg;
            ck_assert_msg(!reg_assign_next(mmio, &reg), "%s[%u]", row->name, index);
            ck_assert_uint_eq(reg.offset, wanted.offset);
        }
    }
    ck_assert_uint_gt(count, 100);
}
END_TEST

START_TEST(fields_are_taken_and_put_by_name)
{
    struct reg_assign reg;
    uint32_t value;

    ck_assert(
        reg_assign_named(&bare.machine->mmio, "NV_PFIFO_PREEMPT", REG_ASSIGN_ANY_UNIT, 0, &reg));
    ck_assert(reg_assign_field(&reg, 0x01000007, "TYPE", &value));
    ck_assert_uint_eq(value, 1);
    ck_assert(!reg_assign_field(&reg, 0x01000007, "KIND", &value));
    ck_assert_uint_eq(value, 0);
    ck_assert_uint_eq(reg_assign_put(&reg, 0x01000007, "ID", 0x123), 0x01000123);
    ck_assert_uint_eq(reg_assign_put(&reg, 7, "KIND", 1), 7);
    ck_assert(!reg_assign_named(&bare.machine->mmio, "NV_NOTHING", REG_ASSIGN_ANY_UNIT, 0, &reg));
    ck_assert(!reg_assign_named(&bare.machine->mmio, "NV_PPBDMA_INTR_0", 4, 0, &reg));
}
END_TEST

Suite *reg_assign_suite(void)
{
    Suite *suite = suite_create("reg_assign");
    TCase *tcase = tcase_create("texts");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, each_form_means_its_register_and_bits, 0,
                        (int)(sizeof good / sizeof good[0]));
    tcase_add_loop_test(tcase, what_means_nothing_is_said_exactly, 0,
                        (int)(sizeof wrong / sizeof wrong[0]));
    tcase_add_test(tcase, a_text_without_end_is_refused);
    tcase_add_test(tcase, each_register_has_its_name);
    tcase_add_test(tcase, the_next_of_an_array_is_that_of_the_next_index);
    tcase_add_test(tcase, fields_are_taken_and_put_by_name);
    suite_add_tcase(suite, tcase);
    return suite;
}
