/* SPDX-License-Identifier: MIT */
/* Methods that a class does not have, classes that a chip does not have, nothing bound. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

enum {
    PGRAPH_INTR = 0x400100,
    PGRAPH_INTR_EN = 0x40013c,
    ILLEGAL_METHOD = 1 << 4,
    ILLEGAL_CLASS = 1 << 5,
    TRAPPED_ADDR = 0x400704,
    TRAPPED_DATA = 0x400708,
    OBJECT_TABLE = 0x404200,
};

static struct check_machine check;

static void teardown(void)
{
    check_machine_end(&check);
}

/* A GPU on which nothing is bound, with channel 0 on the graphics engine's runlist. */
static void begin(const char *gpu)
{
    const uint32_t channel = 0;

    check_machine_begin_on(&check, gpu);
    check.machine->choices[CHOICE_NV_GR_UNBOUND] = NV_GR_UNBOUND_NOTHING;
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, &channel);
}

/* Exactly one error, which stopped the channel; PGRAPH says which. */
static void expect_error(uint32_t code, uint32_t subchannel, uint32_t class_id, uint32_t method,
                         uint32_t data)
{
    struct event_nv_engine_error error;

    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_NV_ENGINE_ERROR, RULE_NV_CLASS), 1);
    error = event_nv_engine_error_of(check_machine_event(&check, EVENT_NV_ENGINE_ERROR, 0));
    ck_assert_uint_eq(error.code, code);
    ck_assert_uint_eq(error.class_id, class_id);
    ck_assert_uint_eq(error.method, method);
    ck_assert_uint_eq(error.data, data);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 1);
    ck_assert_uint_eq(machine_read32(check.machine, PGRAPH_INTR),
                      code == NV_FE_ERROR_METHOD ? ILLEGAL_METHOD : ILLEGAL_CLASS);
    /* nouveau gr/gf100.c (gf100_gr_intr): method, subchannel, data, class. */
    ck_assert_uint_eq(machine_read32(check.machine, TRAPPED_ADDR) & 0x3ffc, method);
    ck_assert_uint_eq(machine_read32(check.machine, TRAPPED_ADDR) >> 16 & 7, subchannel);
    ck_assert_uint_eq(machine_read32(check.machine, TRAPPED_DATA), data);
    ck_assert_uint_eq(machine_read32(check.machine, OBJECT_TABLE + 4 * subchannel), class_id);
}

/* ---- classes --------------------------------------------------------------------------------- */

/* The classes of ENG_GR by chip: nouveau gr/gk104.c, gm200.c, gp100.c, gp102.c, gp104.c, gp107.c,
 * gp10b.c, gv100.c (sclass), open-gpu-kernel-modules g_gpu_class_list.c from Turing on; and one of
 * the generation before and after, or a copy or Host class. */
static const struct {
    const char *gpu;
    uint16_t has[4], lacks[4];
} chips[] = {
    {"gtx680", {0xa097, 0xa0c0, 0xa040, 0x902d}, {0xa0b5, 0xb197, 0xb1c0, 0xa140}},
    {"gtx980", {0xb197, 0xb1c0, 0xa140, 0x902d}, {0xa097, 0xa0c0, 0xb0b5, 0xc0c0}},
    {"gtx1060", {0xc197, 0xc1c0, 0xa140, 0x902d}, {0xc097, 0xc0c0, 0xc1b5, 0xc3c0}},
    {"tx2", {0xc097, 0xc0c0, 0xa140, 0x902d}, {0xc197, 0xc1c0, 0xc0b5, 0xb1c0}},
    {"titanv", {0xc397, 0xc3c0, 0xa140, 0x902d}, {0xc197, 0xc1c0, 0xc3b5, 0xc5c0}},
    {"rtx2060", {0xc597, 0xc5c0, 0xa140, 0x902d}, {0xc397, 0xc7c0, 0xc5b5, 0xc46f}},
    {"a100", {0xc697, 0xc6c0, 0xa140, 0x902d}, {0xc797, 0xc7c0, 0xc6b5, 0xc5c0}},
    {"orin", {0xc797, 0xc7c0, 0xa140, 0x902d}, {0xc697, 0xc6c0, 0xc7b5, 0xc9c0}},
    {"rtx6000ada", {0xc997, 0xc9c0, 0xa140, 0x902d}, {0xc797, 0xc7c0, 0xc7b5, 0xcbc0}},
    {"h100", {0xcb97, 0xcbc0, 0xa140, 0x902d}, {0xc997, 0xc9c0, 0xc8b5, 0xcdc0}},
};
enum { CHIPS = sizeof chips / sizeof chips[0] };

START_TEST(classes_that_a_chip_has_are_bound)
{
    const uint16_t *has = chips[_i].has;

    begin(chips[_i].gpu);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0, 1), has[0], PB_INC(1, 0, 1), has[1], PB_INC(2, 0, 1),
                 has[2], PB_INC(3, 0, 1), has[3], PB_INC(0, 0, 1), has[3]);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_SET_OBJECT), 5);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_ERROR), 0);
    ck_assert_uint_eq(machine_read32(check.machine, OBJECT_TABLE + 4), has[1]);
}
END_TEST

/* PROMISE (nvidia): A class that a chip does not have raises ILLEGAL_CLASS, on each generation. */
START_TEST(a_class_of_another_chip_is_illegal)
{
    const uint32_t class_id = chips[_i / 4].lacks[_i % 4];

    begin(chips[_i / 4].gpu);
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0, 1), class_id, PB_INC(1, 0x110, 1), 0);
    check_machine_run(&check);
    expect_error(NV_FE_ERROR_CLASS, 1, class_id, 0, class_id);
}
END_TEST

/* PROMISE (nvidia): A method of a subchannel on which nothing is bound raises ILLEGAL_CLASS. */
START_TEST(nothing_bound_is_an_illegal_class)
{
    begin(chips[_i / 4].gpu);
    CHECK_SUBMIT(&check, 0, PB_INC((uint32_t)_i % 4, 0x110, 1), 7);
    check_machine_run(&check);
    expect_error(NV_FE_ERROR_CLASS, (uint32_t)_i % 4, 0, 0x110, 7);
}
END_TEST

/* ---- methods --------------------------------------------------------------------------------- */

/* A chip's four classes; the headers of none of them (open-gpu-doc classes/3d, compute,
 * inline-to-memory, twod) have a method at 0x16c or 0x1d0. */
/* PROMISE (nvidia): A method that its class does not have raises ILLEGAL_METHOD, on each
 * generation. */
START_TEST(a_method_that_the_class_has_not_is_illegal)
{
    const uint32_t method = _i % 2 ? 0x1d0 : 0x16c, subchannel = (uint32_t)_i / 2 % 4;
    const uint32_t class_id = chips[_i / 8].has[subchannel];

    begin(chips[_i / 8].gpu);
    CHECK_SUBMIT(&check, 0, PB_INC(subchannel, 0, 1), class_id, PB_INC(subchannel, 0x100, 1), 5,
                 PB_INC(subchannel, method, 1), 0xcafe);
    check_machine_run(&check);
    expect_error(NV_FE_ERROR_METHOD, subchannel, class_id, method, 0xcafe);
}
END_TEST

/* Each class that a chip has is one whose methods are known: none would be illegal in whole. */
START_TEST(each_class_of_each_chip_has_a_table)
{
    for (uint32_t i = 0; i < nv_chip_count; i++) {
        const struct nv_chip *chip = nv_chips[i];
        const uint16_t classes[] = {chip->class_3d, chip->class_compute, chip->class_inline,
                                    chip->class_2d};

        for (uint32_t k = 0; k < 4; k++)
            ck_assert_msg(nv_class_find(classes[k]) != NULL, "%s: class %x", chip->name,
                          classes[k]);
    }
}
END_TEST

/* ---- afterwards ------------------------------------------------------------------------------ */

static void skip_begin(void)
{
    check_machine_begin_channel(&check, true);
    check.machine->choices[CHOICE_NV_GR_CLASS_ERROR] = NV_GR_CLASS_ERROR_SKIP;
}

/* With the choice the engine goes on behind each, once the driver has cleared it. */
START_TEST(with_the_choice_it_goes_on_behind_the_method)
{
    skip_begin();
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x16c, 1), 1, PB_INC(1, 0x1d0, 1), 2, PB_INC(1, 0x188, 1),
                 77);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_ERROR), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_DRIVER_GR_ERROR), 2);
    ck_assert_uint_eq(check_machine_count_rule(&check, EVENT_WAIT, RULE_NV_CLASS), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_CHANNEL_STOP), 0);
    ck_assert_uint_eq(nv_fe_shadow(&check.gpu->fe, 1, 0x188), 77);
    ck_assert_uint_eq(nv_fe_shadow(&check.gpu->fe, 1, 0x16c), 0);
}
END_TEST

/* Without a driver that clears it the method waits. */
START_TEST(what_nobody_clears_waits)
{
    check_machine_begin_channel(&check, false);
    check.machine->choices[CHOICE_NV_GR_CLASS_ERROR] = NV_GR_CLASS_ERROR_SKIP;
    CHECK_SUBMIT(&check, 0, PB_INC(1, 0x16c, 1), 1, PB_INC(1, 0x188, 1), 77);
    check_machine_run(&check);
    ck_assert_uint_ne(nv_fe_shadow(&check.gpu->fe, 1, 0x188), 77);
    machine_write32(check.machine, PGRAPH_INTR, ILLEGAL_METHOD);
    check_machine_run(&check);
    ck_assert_uint_eq(nv_fe_shadow(&check.gpu->fe, 1, 0x188), 77);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_ENGINE_ERROR), 1);
}
END_TEST

Suite *nv_class_error_suite(void)
{
    Suite *suite = suite_create("nv_class_error");
    TCase *tcase = tcase_create("errors");

    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_loop_test(tcase, classes_that_a_chip_has_are_bound, 0, CHIPS);
    tcase_add_loop_test(tcase, a_class_of_another_chip_is_illegal, 0, 4 * CHIPS);
    tcase_add_loop_test(tcase, nothing_bound_is_an_illegal_class, 0, 4 * CHIPS);
    tcase_add_loop_test(tcase, a_method_that_the_class_has_not_is_illegal, 0, 8 * CHIPS);
    tcase_add_test(tcase, with_the_choice_it_goes_on_behind_the_method);
    tcase_add_test(tcase, what_nobody_clears_waits);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("tables");
    tcase_add_test(tcase, each_class_of_each_chip_has_a_table);
    suite_add_tcase(suite, tcase);
    return suite;
}
