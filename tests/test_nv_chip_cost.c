/* SPDX-License-Identifier: MIT */
/* Costs that have not been measured on a chip, carried over from one on which they have. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/nv_chip_cost.h"
#include "devices/nvidia/nv_tables.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

/* The rule gives the card that it comes from what was measured there. */
/* PROMISE (nvidia): Costs that were not measured on a chip are an H100's by its SMs, clock and
 * memory. */
START_TEST(the_rule_gives_an_h100_its_own_costs)
{
    const struct nv_chip *h100 = nv_chip_by_name("h100");
    const struct nv_chip_switch *want = &h100->context_switch;
    struct nv_chip chip = *h100;
    struct nv_chip_costs is;

    chip.context_switch = (struct nv_chip_switch){0};
    is = nv_chip_costs(&chip);
    ck_assert_int_le(abs((int)is.context_switch.save_cycles - (int)want->save_cycles), 4);
    ck_assert_int_le(abs((int)is.context_switch.load_cycles - (int)want->load_cycles), 4);
    ck_assert_uint_eq(is.context_switch.save_ps_per_kib, want->save_ps_per_kib);
    ck_assert_uint_eq(is.context_switch.load_ps_per_kib, want->load_ps_per_kib);
    ck_assert_int_le(abs((int)is.context_switch.stop_ps - (int)want->stop_ps), 100);
    ck_assert_uint_eq(is.context_switch.warps_ps_per_kib, want->warps_ps_per_kib);
    ck_assert_uint_eq(is.context_switch.warp_alone_ps_per_kib, want->warp_alone_ps_per_kib);
    is = nv_chip_costs(h100);
    ck_assert_mem_eq(&is.context_switch, want, sizeof *want);
}
END_TEST

/* Worked out by hand from the rule. */
static const struct {
    const char *gpu;
    uint32_t save_ns, load_ns, ps_per_kib, warps_ps_per_kib;
    uint64_t copy_ps_per_kib, draw_ps;
} costs[] = {
    /* 30 of 132 SMs, 1,365 of 1,980 MHz, 336 GB/s */
    {"rtx2060", 32817, 2295, 3510, 114593, 3047, 5516483},
    {"a100", 118141, 8264, 1215, 142849, 658, 6876712},
    {"xavier", 8751, 612, 13048, 113594, 7474, 5468409},
    /* Before Pascal no block is stopped. */
    {"gtx980", 17502, 1224, 7979, 0, 4571, 6687388},
    /* Own ones: nothing is carried over but what a stopped copy and a draw take. */
    {"gtx1060", 0, 13280, 5333, 0, 5333, 5000000},
    {"tx2", 0, 15384, 5333, 0, 17152, 5792307},
};

static void expect_close(uint64_t is, uint64_t want)
{
    ck_assert_uint_le(is > want ? is - want : want - is, want / 500 + 1);
}

START_TEST(other_chips_have_costs_by_sms_and_clock)
{
    const struct nv_chip *chip = nv_chip_by_name(costs[_i].gpu);
    const struct nv_chip_costs is = nv_chip_costs(chip);
    const uint64_t mhz = chip->host_hz / 1000000;

    expect_close(is.context_switch.save_cycles * UINT64_C(1000) / mhz, costs[_i].save_ns);
    expect_close(is.context_switch.load_cycles * UINT64_C(1000) / mhz, costs[_i].load_ns);
    expect_close(is.context_switch.save_ps_per_kib, costs[_i].ps_per_kib);
    expect_close(is.context_switch.load_ps_per_kib, costs[_i].ps_per_kib);
    expect_close(is.context_switch.warps_ps_per_kib, costs[_i].warps_ps_per_kib);
    expect_close(is.copy_ps_per_kib, costs[_i].copy_ps_per_kib);
    expect_close(is.draw_ps, costs[_i].draw_ps);
}
END_TEST

/* State that the SMs could move faster than the memory takes as long as the memory needs. */
START_TEST(state_moves_no_faster_than_the_memory)
{
    struct nv_chip chip = *nv_chip_by_name("a100");

    chip.local_bytes_per_second = UINT64_C(300000000000);
    ck_assert_uint_eq(nv_chip_costs(&chip).context_switch.save_ps_per_kib, 3413);
}
END_TEST

/* The parameters of a machine are the costs of its chip. */
START_TEST(a_machine_has_the_costs_of_its_chip)
{
    const struct nv_chip *chip = nv_chips[_i];
    const struct nv_chip_costs want = nv_chip_costs(chip);
    struct check_machine check;

    check_machine_begin_on(&check, chip->name);
    ck_assert_uint_eq(machine_parameter(check.machine, PARAM_NV_GR_SAVE_CYCLES),
                      want.context_switch.save_cycles);
    ck_assert_uint_eq(machine_parameter(check.machine, PARAM_NV_CONTEXT_LOAD_CYCLES),
                      want.context_switch.load_cycles);
    ck_assert_uint_eq(machine_parameter(check.machine, PARAM_NV_GR_LOAD_KIB_PS),
                      want.context_switch.load_ps_per_kib);
    ck_assert_uint_eq(machine_parameter(check.machine, PARAM_NV_CE_SAVE_KIB_PS),
                      want.copy_ps_per_kib);
    ck_assert_uint_eq(machine_parameter(check.machine, PARAM_NV_DRAW_PS), want.draw_ps);
    check_machine_end(&check);
}
END_TEST

/* The reader of a chip's figures finds the switch once: measured, chosen, or carried over. */
START_TEST(the_figures_say_what_is_carried_over)
{
    const struct nv_chip *chip = nv_chips[_i];
    const bool own = chip->context_switch.load_cycles != 0;
    struct nv_chip_cost_figures carried;
    uint32_t switches = 0;

    nv_chip_cost_figures(chip, &carried);
    for (const struct chip_figure *row = carried.rows; row->name; row++) {
        ck_assert_int_eq(row->basis, ASSUMED);
        switches += strcmp(row->name, "context switch") == 0;
    }
    ck_assert_uint_eq(switches, own ? 0 : 1);
    for (const struct chip_figure *row = chip->figures; row->name; row++)
        switches += strcmp(row->name, "context switch") == 0;
    if (strncmp(chip->name, "yang17", 6) != 0) /* its figures are one for all of GP106's */
        ck_assert_uint_eq(switches, 1);
    if (strcmp(chip->name, "rtx2060") == 0)
        ck_assert_str_eq(carried.rows[0].value,
                         "35.1 us; 7.0 ns for each KiB; shared memory by its own warps; "
                         "work runs on for 9.0 us");
}
END_TEST

/* What the figure says of the link is what copies get. */
START_TEST(the_figure_of_the_link_is_its_rate)
{
    const struct nv_chip *chip = nv_chips[_i];
    char want[40];

    for (const struct chip_figure *row = chip->figures; row->name; row++)
        if (strcmp(row->name, "link to system memory") == 0) {
            const uint64_t hundredths = chip->system_bytes_per_second / 10000000;
            const char *form = hundredths % 100 == 0  ? "%llu GB/s a direction"
                               : hundredths % 10 == 0 ? "%llu.%llu GB/s a direction"
                                                      : "%llu.%02llu GB/s a direction";

            (void)snprintf(want, sizeof want, form, (unsigned long long)hundredths / 100,
                           (unsigned long long)(hundredths % 10 == 0 ? hundredths % 100 / 10
                                                                     : hundredths % 100));
            ck_assert_str_eq(row->value, want);
            return;
        }
    ck_assert(strncmp(chip->name, "yang17", 6) == 0);
}
END_TEST

Suite *nv_chip_cost_suite(void)
{
    Suite *suite = suite_create("nv_chip_cost");
    TCase *rule = tcase_create("rule"), *chips = tcase_create("chips");

    tcase_add_test(rule, the_rule_gives_an_h100_its_own_costs);
    tcase_add_loop_test(rule, other_chips_have_costs_by_sms_and_clock, 0,
                        sizeof costs / sizeof costs[0]);
    tcase_add_test(rule, state_moves_no_faster_than_the_memory);
    suite_add_tcase(suite, rule);
    tcase_add_loop_test(chips, a_machine_has_the_costs_of_its_chip, 0, (int)nv_chip_count);
    tcase_add_loop_test(chips, the_figures_say_what_is_carried_over, 0, (int)nv_chip_count);
    tcase_add_loop_test(chips, the_figure_of_the_link_is_its_rate, 0, (int)nv_chip_count);
    suite_add_tcase(suite, chips);
    return suite;
}
