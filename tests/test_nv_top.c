/* SPDX-License-Identifier: MIT */
/* PTOP: the table of every chip is read back as drivers read it; nvgpu's own words; any words. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_top_table.h"
#include "tests/suites.h"

/* ---- nvgpu's words, userspace/units/top/nvgpu-top.c @6ecfb593 -------------------------------- */

/* Row 0 is not valid; then two LCEs, of which the second's DATA is of a type that nobody knows. */
static const uint32_t nvgpu_rows[NV_TOP_ROWS] = {
    [1] = 0x90228c3e, [2] = 0x8c10407d, [3] = 0x0000004f,
    [4] = 0x94230e3e, [5] = 0xc8104085, [6] = 0x0000004f,
};

START_TEST(nvgpus_words_are_the_device_that_nvgpu_sees)
{
    struct nv_top_device device;
    uint32_t at = 0;

    ck_assert(nv_top_next(NV_TOP_DEVICE_INFO, nvgpu_rows, NV_TOP_ROWS, &at, &device));
    ck_assert_uint_eq(at, 4);
    ck_assert_uint_eq(device.type, NV_TOP_LCE);
    ck_assert_uint_eq(device.instance, 3);
    ck_assert(device.is_engine);
    ck_assert_uint_eq(device.engine_id, 4);
    ck_assert_uint_eq(device.runlist_id, 1);
    ck_assert_uint_eq(device.intr_id, 5);
    ck_assert_uint_eq(device.reset_id, 6);
    ck_assert_uint_eq(device.fault_id, 15);
    ck_assert_uint_eq(device.pri_base, 0x104000);
    ck_assert(!nv_top_next(NV_TOP_DEVICE_INFO, nvgpu_rows, NV_TOP_ROWS, &at, &device));
}
END_TEST

/* The same words, with the second device's DATA made ENUM2. */
START_TEST(nvgpus_second_device_is_there_when_its_type_is_known)
{
    struct nv_top_device device;
    uint32_t rows[NV_TOP_ROWS], at = 4;

    memcpy(rows, nvgpu_rows, sizeof rows);
    rows[5] &= ~(UINT32_C(1) << 30);
    ck_assert(nv_top_next(NV_TOP_DEVICE_INFO, rows, NV_TOP_ROWS, &at, &device));
    ck_assert_uint_eq(device.engine_id, 5);
    ck_assert_uint_eq(device.runlist_id, 1);
    ck_assert_uint_eq(device.intr_id, 6);
    ck_assert_uint_eq(device.reset_id, 7);
    ck_assert_uint_eq(device.fault_id, 16);
    ck_assert_uint_eq(device.instance, 2);
}
END_TEST

/* nvgpu's words for graphics on gv11b (userspace/units/gr/init): interrupt and reset 12. */
START_TEST(nvgpus_graphics_engine_has_interrupt_and_reset_12)
{
    static const uint32_t rows[] = {0, 0x8006183e, 0x80000105, 0x00000003};
    struct nv_top_device device;
    uint32_t at = 0;

    ck_assert(nv_top_next(NV_TOP_DEVICE_INFO, rows, 4, &at, &device));
    ck_assert_uint_eq(device.type, NV_TOP_GRAPHICS);
    ck_assert_uint_eq(device.intr_id, 12);
    ck_assert_uint_eq(device.reset_id, 12);
    ck_assert_uint_eq(device.engine_id, 0);
    ck_assert_uint_eq(device.runlist_id, 0);
}
END_TEST

/* ---- the chips' own tables ------------------------------------------------------------------- */

static uint32_t id_or_zero(uint32_t id)
{
    return id == NV_CHIP_ID_NONE ? 0 : id;
}

static void expect_device(const struct nv_chip *model, enum nv_top_form form,
                          const struct nv_chip_engine *engine, const struct nv_top_device *device)
{
    const uint32_t none = NV_CHIP_ID_NONE;

    ck_assert_uint_eq(device->type, nv_top_type(form, engine->kind, engine->instance));
    ck_assert(device->is_engine);
    if (form == NV_TOP_DEVICE_INFO2) {
        ck_assert_uint_eq(device->runlist_pri_base, model->runlists[engine->runlist_id].pri_base);
        ck_assert_uint_eq(device->rleng_id, engine->rleng_id);
        ck_assert_uint_eq(device->reset_id, id_or_zero(engine->reset_id));
        ck_assert_uint_eq(device->fault_id, id_or_zero(engine->fault_id));
        ck_assert_uint_eq(device->engine_id, none);
    } else {
        ck_assert_uint_eq(device->engine_id, engine->engine_id);
        ck_assert_uint_eq(device->runlist_id, engine->runlist_id);
        ck_assert_uint_eq(device->reset_id, engine->reset_id);
        ck_assert_uint_eq(device->intr_id, engine->intr_id);
        ck_assert_uint_eq(device->fault_id, form == NV_TOP_DEVICE_INFO ? engine->fault_id : none);
    }
    if (form == NV_TOP_DEVICE_INFO_KEPLER)
        return; /* neither instance nor address */
    ck_assert_uint_eq(device->instance, engine->instance);
    ck_assert_uint_eq(device->pri_base, engine->pri_base);
}

/* PROMISE (nvidia): PTOP of every chip, read as drivers read it, names its engines. */
START_TEST(every_chips_table_is_read_back_as_its_engines)
{
    const struct nv_chip *model = nv_chips[_i];
    const enum nv_top_form form = nv_top_form_of(model);
    struct nv_top_device device;
    uint32_t rows[NV_TOP_ROWS_MAX], at = 0;
    const uint32_t count = nv_top_fill(model, rows);

    ck_assert_uint_le(count, form == NV_TOP_DEVICE_INFO2 ? NV_TOP_ROWS_MAX : NV_TOP_ROWS);
    for (uint32_t i = 0; i < model->engine_count; i++) {
        ck_assert(nv_top_next(form, rows, count, &at, &device));
        expect_device(model, form, &model->engines[i], &device);
    }
    ck_assert(!nv_top_next(form, rows, count, &at, &device));
    ck_assert_uint_eq(at, count);
}
END_TEST

/* The form of a chip and the first words of its table, put together by hand from the manuals. */
START_TEST(the_three_forms_look_as_the_manuals_have_them)
{
    uint32_t rows[NV_TOP_ROWS_MAX];

    ck_assert_int_eq(nv_top_form_of(nv_chip_by_name("gtx680")), NV_TOP_DEVICE_INFO_KEPLER);
    (void)nv_top_fill(nv_chip_by_name("gtx680"), rows);
    ck_assert_uint_eq(rows[0], 0x8006183e); /* as nvgpu's, above */
    ck_assert_uint_eq(rows[1], 0x00000003);
    ck_assert_uint_eq(rows[3], 3u << 2 | 3); /* COPY2 */

    ck_assert_int_eq(nv_top_form_of(nv_chip_by_name("titan-v")), NV_TOP_DEVICE_INFO);
    (void)nv_top_fill(nv_chip_by_name("titan-v"), rows);
    ck_assert_uint_eq(rows[0], 0x8006183e);
    ck_assert_uint_eq(rows[1], 0x80400000u | 64 << 3 | 1 << 2 | 1);
    ck_assert_uint_eq(rows[2], 0x00000003);
    ck_assert_uint_eq(rows[5], 0x0000004f);

    /* A100's GRCE1: type and instance, MMU id 16; address 0x104000; runlist 0, its third engine. */
    ck_assert_int_eq(nv_top_form_of(nv_chip_by_name("a100")), NV_TOP_DEVICE_INFO2);
    (void)nv_top_fill(nv_chip_by_name("a100"), rows);
    ck_assert_uint_eq(rows[27], 0x80000000u | 0x13 << 24 | 1 << 16 | 16);
    ck_assert_uint_eq(rows[28] & 0xffffff00, 0xc0104000u);
    ck_assert_uint_eq(rows[29], nv_chip_by_name("a100")->runlists[0].pri_base | 2);
}
END_TEST

/* ---- any words ------------------------------------------------------------------------------- */

START_TEST(broken_chains_are_no_devices)
{
    static const struct {
        enum nv_top_form form;
        uint32_t rows[8];
    } cases[] = {
        {NV_TOP_DEVICE_INFO, {0x8006183e, 0x80000105}},             /* ends within the chain */
        {NV_TOP_DEVICE_INFO, {0x8006183e, 0x8006183e, 0x00000003}}, /* ENUM twice */
        {NV_TOP_DEVICE_INFO, {0x0006183e}},                         /* no type */
        {NV_TOP_DEVICE_INFO2, {0x13000010}},                        /* one row */
        {NV_TOP_DEVICE_INFO2, {0x93000010, 0xc0104000, 0x80c00000, 0x00000001}}, /* four */
        {NV_TOP_DEVICE_INFO2, {[7] = 0x93000010}}, /* the table ends */
    };

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct nv_top_device device;
        uint32_t at = 0;

        ck_assert_msg(!nv_top_next(cases[i].form, cases[i].rows, 8, &at, &device), "case %zu", i);
        ck_assert_uint_eq(at, 8);
    }
}
END_TEST

/* A device behind a broken one is found, and rows that are not valid part devices. */
START_TEST(what_follows_a_broken_device_is_found)
{
    static const uint32_t old[] = {0x0006183e, 0x80000000, 0x8006183e, 0x00000003};
    static const uint32_t new[] = {0x13000010, 0, 0x93010010, 0xc0104000, 0x00c00001};
    struct nv_top_device device;
    uint32_t at = 0;

    ck_assert(nv_top_next(NV_TOP_DEVICE_INFO, old, 4, &at, &device));
    ck_assert_uint_eq(device.type, NV_TOP_GRAPHICS);
    at = 0;
    ck_assert(nv_top_next(NV_TOP_DEVICE_INFO2, new, 5, &at, &device));
    ck_assert_uint_eq(device.instance, 1);
    ck_assert_uint_eq(device.runlist_pri_base, 0xc00000);
    ck_assert_uint_eq(device.rleng_id, 1);
}
END_TEST

/* Every walk ends, and never reads past the table (the sanitizers watch). */
START_TEST(any_words_end_the_walk)
{
    uint32_t state = 0x2545f491, rows[NV_TOP_ROWS_MAX];

    for (uint32_t round = 0; round < 2000; round++) {
        for (uint32_t i = 0; i < NV_TOP_ROWS_MAX; i++) {
            state = state * 1664525 + 1013904223;
            rows[i] = round % 3 == 0 && state >> 30 == 0 ? 0 : state;
        }
        for (uint32_t form = NV_TOP_DEVICE_INFO_KEPLER; form <= NV_TOP_DEVICE_INFO2; form++) {
            const uint32_t count = round % (NV_TOP_ROWS_MAX + 1);
            struct nv_top_device device;
            uint32_t at = 0, devices = 0;

            while (nv_top_next((enum nv_top_form)form, rows, count, &at, &device))
                devices++;
            ck_assert_uint_eq(at, count);
            ck_assert_uint_le(devices, count);
        }
    }
}
END_TEST

Suite *nv_top_suite(void)
{
    Suite *suite = suite_create("nv_top");
    TCase *words = tcase_create("nvgpu's words"), *tables = tcase_create("tables");
    TCase *any = tcase_create("any words");

    tcase_add_test(words, nvgpus_words_are_the_device_that_nvgpu_sees);
    tcase_add_test(words, nvgpus_second_device_is_there_when_its_type_is_known);
    tcase_add_test(words, nvgpus_graphics_engine_has_interrupt_and_reset_12);
    suite_add_tcase(suite, words);
    tcase_add_loop_test(tables, every_chips_table_is_read_back_as_its_engines, 0,
                        (int)nv_chip_count);
    tcase_add_test(tables, the_three_forms_look_as_the_manuals_have_them);
    suite_add_tcase(suite, tables);
    tcase_add_test(any, broken_chains_are_no_devices);
    tcase_add_test(any, what_follows_a_broken_device_is_found);
    tcase_add_test(any, any_words_end_the_walk);
    suite_add_tcase(suite, any);
    return suite;
}
