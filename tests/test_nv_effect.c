/* SPDX-License-Identifier: MIT */
/* Each method of each class, and each field of each descriptor, is on a list of effects. */
#include <config.h>

#include <check.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/nvidia/formats/nv_effect.h"
#include "tests/check_machine.h"
#include "tests/suites.h"

static const struct nv_class_row *method_at(const struct nv_class *nv_class, size_t slot)
{
    const uint16_t place = nv_class->index->methods[slot];

    return place != 0 ? &nv_class_rows[place] : NULL;
}

/* PROMISE (nvidia): Each method of a class table is pure state, modelled, or counted with what is
 * lost; one on no list fails. */
START_TEST(each_method_of_each_class_is_on_a_list)
{
    uint32_t unlisted = 0;

    for (size_t i = 0; i < nv_class_count(); i++) {
        const struct nv_class *nv_class = nv_class_at(i);

        for (size_t slot = 0; slot < NV_CLASS_METHODS; slot++) {
            const struct nv_class_row *method = method_at(nv_class, slot);

            if (method == NULL || nv_effect_of_method(nv_class, method) != NV_EFFECT_UNLISTED)
                continue;
            printf("%04x %04x %s is on no list of nv_effect_list.h\n", nv_class->id, method->offset,
                   nv_class_row_name(method));
            unlisted++;
        }
    }
    ck_assert_uint_eq(unlisted, 0);
}
END_TEST

/* The method of a class that has that name. */
static enum nv_effect effect_of(uint16_t class_id, const char *name)
{
    for (size_t i = 0; i < nv_class_count(); i++)
        for (size_t slot = 0; nv_class_at(i)->id == class_id && slot < NV_CLASS_METHODS; slot++) {
            const struct nv_class_row *method = method_at(nv_class_at(i), slot);

            if (method != NULL && strcmp(nv_class_row_name(method), name) == 0)
                return nv_effect_of_method(nv_class_at(i), method);
        }
    ck_abort_msg("%04x has no %s", class_id, name);
}

/* Methods of open-gpu-doc's clc197.h: what their names say is all that they do. */
START_TEST(the_effect_of_a_method_is_its_own)
{
    ck_assert_int_eq(effect_of(0xc197, "SET_POINT_SIZE"), NV_EFFECT_STATE);
    ck_assert_int_eq(effect_of(0xc197, "SET_BLEND_CONST_RED"), NV_EFFECT_STATE);
    ck_assert_int_eq(effect_of(0xc197, "SET_DEPTH_TEST"), NV_EFFECT_STATE);
    ck_assert_int_eq(effect_of(0xc197, "SET_REPORT_SEMAPHORE_D"), NV_EFFECT_MODELLED);
    ck_assert_int_eq(effect_of(0xc0c0, "SET_SHADER_LOCAL_MEMORY_WINDOW"), NV_EFFECT_STATE);
}
END_TEST

/* A field that no unit looks at would be lost in silence, too. */
START_TEST(each_field_of_a_modelled_method_is_looked_at_or_lost)
{
    uint32_t unlisted = 0;

    for (size_t i = 0; i < nv_class_count(); i++) {
        const struct nv_class *nv_class = nv_class_at(i);

        for (size_t slot = 0; slot < NV_CLASS_METHODS; slot++) {
            const struct nv_class_row *method = method_at(nv_class, slot), *field = method;

            if (method == NULL || nv_effect_of_method(nv_class, method) != NV_EFFECT_MODELLED)
                continue;
            while ((field = nv_class_next(field, NV_ROW_FIELD)) != NULL) {
                if (nv_effect_has_field(nv_class, method, field))
                    continue;
                printf("%04x %s: field %s (%u:%u) is in no list\n", nv_class->id,
                       nv_class_row_name(method), nv_class_row_name(field), field->hi, field->lo);
                unlisted++;
            }
        }
    }
    ck_assert_uint_eq(unlisted, 0);
}
END_TEST

START_TEST(each_field_of_a_descriptor_is_on_a_list)
{
    uint32_t unlisted = 0;

    for (size_t i = 0; i < nv_qmd_layout_count(); i++) {
        const struct nv_qmd_layout *layout = nv_qmd_layout_at(i);

        for (size_t row = 0; row < layout->row_count; row++) {
            if (layout->rows[row].kind != NV_QMD_ROW_FIELD ||
                nv_effect_of_qmd_field(&layout->rows[row]) != NV_EFFECT_UNLISTED)
                continue;
            printf("%s: field %s is in no list\n", layout->name, layout->rows[row].name);
            unlisted++;
        }
    }
    ck_assert_uint_eq(unlisted, 0);
}
END_TEST

/* Does some value of an element of the field lose something? */
static bool can_lose(const struct nv_qmd_row *field)
{
    for (unsigned index = 0; index < field->count; index++)
        for (uint32_t value = 0; value < 32; value++)
            if (nv_qmd_lost(field, index, value))
                return true;
    return false;
}

/* A unit keeps the fields of a layout that can lose something: all of them, and no more. */
START_TEST(each_field_of_a_descriptor_that_can_lose_is_watched)
{
    struct nv_qmd_watch watch;
    uint32_t watched = 0, count;

    for (size_t i = 0; i < nv_qmd_layout_count(); i++) {
        const struct nv_qmd_layout *layout = nv_qmd_layout_at(i);

        nv_qmd_watch_fill(&watch, layout, false);
        count = 0;
        for (size_t row = 0; row < layout->row_count; row++)
            count += layout->rows[row].kind == NV_QMD_ROW_FIELD && can_lose(&layout->rows[row]);
        ck_assert_msg(watch.count == count, "%s: %" PRIu32 " of %" PRIu32 " fields", layout->name,
                      watch.count, count);
        watched += watch.count;
        nv_qmd_watch_fill(&watch, layout, true); /* with a split that SMs keep: none is lost */
        for (size_t i_field = 0; i_field < watch.count; i_field++)
            ck_assert_ptr_null(strstr(watch.fields[i_field]->name, "SM_CONFIG_SHARED_MEM_SIZE"));
        ck_assert_uint_eq(
            watch.count + (nv_qmd_find(layout, "TARGET_SM_CONFIG_SHARED_MEM_SIZE") != NULL), count);
    }
    ck_assert_uint_gt(watched, 0);
}
END_TEST

/* ---- on a machine ---------------------------------------------------------------------------- */

#define DATA(offset) ((uint32_t)CHECK_DATA + (offset))
enum { THREE_D, COMPUTE, INLINE, TWO_D, QMD = 0x10000, SEMAPHORE = 0x30000 };

static struct check_machine check;

static void begin(const char *gpu)
{
    check_machine_begin_on(&check, gpu);
    check_machine_channel(&check, 0);
    check_machine_runlist(&check, 0, 1, (const uint32_t[]){0});
}

/* The n-th UNMODELLED event, whose name and loss the lists have. */
static const char *lost(uint32_t n, uint32_t class_id, uint32_t method)
{
    const struct log_event *event = check_machine_event(&check, EVENT_UNMODELLED, n);
    const struct nv_loss *loss;

    ck_assert_ptr_nonnull(event);
    ck_assert_uint_eq(event_unmodelled_of(event).address, (uint64_t)class_id << 16 | method);
    loss = nv_loss_next(class_id, method, (uint32_t)event_unmodelled_of(event).value, NULL);
    ck_assert_ptr_nonnull(loss);
    return loss->lost;
}

/* CALL_MME_MACRO(i) is at 0x3800 + 8 * i, CALL_MME_DATA(i) behind it (open-gpu-doc
 * classes/3d/cla097.h).  The arguments of a call are part of it. */
START_TEST(each_call_of_a_macro_is_counted)
{
    uint32_t dwords[41][4];

    begin("gtx1060");
    for (uint32_t n = 0; n < 41; n++)
        memcpy(dwords[n], (uint32_t[]){PB_ONE_INC(THREE_D, 0x3800 + 8 * (n % 5), 3), n, 1, 2},
               sizeof dwords[n]);
    check_machine_submit(&check, 0, dwords[0], sizeof dwords / 4);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 41);
    for (uint32_t n = 0; n < 41; n++) {
        const struct log_event *event = check_machine_event(&check, EVENT_UNMODELLED, n);

        ck_assert_uint_eq(event_unmodelled_of(event).what, UNMODELLED_MACRO);
        ck_assert_uint_eq(event_unmodelled_of(event).value, n);
        ck_assert_ptr_nonnull(lost(n, 0xc197, 0x3800 + 8 * (n % 5)));
    }
    check_machine_end(&check);
}
END_TEST

/* Offsets and values from open-gpu-doc classes/3d/clc197.h, compute/clc1c0.h, twod/cl902d.h.  Of
 * each method a data word that loses something, and one that does not, if there is one. */
static const struct {
    uint32_t subchannel, class_id, method, loses;
    int64_t harmless;
} counted[] = {
    {THREE_D, 0xc197, 0x1558, 0, 1},  /* SET_RENDER_ENABLE_C: FALSE, TRUE */
    {THREE_D, 0xc197, 0x1558, 4, 1},  /* RENDER_IF_NOT_EQUAL */
    {THREE_D, 0xc197, 0x1944, 2, 0},  /* SET_RENDER_ENABLE_OVERRIDE: NEVER_RENDER, USE_... */
    {THREE_D, 0xc197, 0x0138, 2, 1},  /* SET_GLOBAL_RENDER_ENABLE_C: CONDITIONAL */
    {THREE_D, 0xc197, 0x0744, 1, 0},  /* SET_STREAM_OUTPUT */
    {THREE_D, 0xc197, 0x02f0, 7, -1}, /* PEER_SEMAPHORE_RELEASE */
    {THREE_D, 0xc197, 0x0124, 3, 0},  /* SET_MME_SHADOW_RAM_CONTROL: METHOD_REPLAY, METHOD_TRACK */
    {THREE_D, 0xc197, 0x02c8, 5, -1}, /* INCREMENT_SYNC_POINT */
    {THREE_D, 0xc197, 0x2310, 9, -1}, /* SET_FALCON04 */
    {THREE_D, 0xc197, 0x1338, 1, -1}, /* INVALIDATE_TEXTURE_DATA_CACHE */
    {THREE_D, 0xc197, 0x1530, 1, -1}, /* CLEAR_REPORT_VALUE */
    {COMPUTE, 0xc1c0, 0x1558, 3, 1},  /* SET_RENDER_ENABLE_C */
    {COMPUTE, 0xc1c0, 0x021c, 1, -1}, /* INVALIDATE_SHADER_CACHES */
    {INLINE, 0xa140, 0x1558, 2, 1},   /* SET_RENDER_ENABLE_C */
    {TWO_D, 0x902d, 0x026c, 2, 1},    /* SET_RENDER_ENABLE_C */
    {TWO_D, 0x902d, 0x3808, 2, -1},   /* CALL_MME_MACRO(1) */
    {TWO_D, 0x902d, 0x0860, 2, -1},   /* PIXELS_FROM_CPU_DATA */
};
enum { COUNTED = sizeof counted / sizeof counted[0] };

START_TEST(each_use_of_a_lost_effect_is_counted_by_its_name)
{
    const uint32_t subchannel = counted[_i].subchannel, method = counted[_i].method;

    begin("gtx1060");
    for (uint32_t n = 0; n < 3; n++)
        CHECK_SUBMIT(&check, 0, PB_INC(subchannel, method, 1), counted[_i].loses);
    if (counted[_i].harmless >= 0)
        CHECK_SUBMIT(&check, 0, PB_INC(subchannel, method, 1), (uint32_t)counted[_i].harmless);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 3);
    ck_assert_ptr_nonnull(lost(2, counted[_i].class_id, method));
    check_machine_end(&check);
}
END_TEST

/* A clear under a condition is done, and the log says what was not asked. */
START_TEST(a_clear_under_a_condition_is_done_and_told)
{
    begin("gtx1060");
    CHECK_SUBMIT(&check, 0, PB_INC(THREE_D, 0x1550, 3), 0, DATA(0), 4, PB_INC(THREE_D, 0x19d0, 1),
                 0x3c);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_WORK_START), 1);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 1);
    check_machine_end(&check);
}
END_TEST

/* Class state of all kinds: nothing is told. */
START_TEST(pure_state_is_not_counted)
{
    begin("gtx1060");
    CHECK_SUBMIT(&check, 0, PB_INC(THREE_D, 0x0800, 8), 0, 0x1000, 64, 64, 0xd5, 0, 1, 0,
                 PB_INC(THREE_D, 0x0118, 4), 1, 2, 3, 4, PB_INC(COMPUTE, 0x0790, 2), 0, 0x1000,
                 PB_INC(TWO_D, 0x0200, 8), 0xd5, 1, 0, 1, 0, 256, 64, 64);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    check_machine_end(&check);
}
END_TEST

/* ---- descriptors ----------------------------------------------------------------------------- */

/* clc6c0qmd.h, V03_00: version 583:576, grid 415:384, 431:416, 463:448, block 607:592, 623:608,
 * 639:624, registers 656:648.  clcbc0qmd.h, V04_00: type 25:23, grid 1055:1024, 1071:1056,
 * 1103:1088, block 1167:1152 and so on, registers 1208:1200. */
static void descriptor(uint32_t words[NV_QMD_DWORDS], bool hopper)
{
    memset(words, 0, NV_QMD_BYTES);
    nv_qmd_bits_put(words, 583, 576, hopper ? 0x40 : 0x30);
    if (hopper)
        nv_qmd_bits_put(words, 25, 23, 2); /* GRID_CTA */
    nv_qmd_bits_put(words, hopper ? 1055 : 415, hopper ? 1024 : 384, 3);
    nv_qmd_bits_put(words, hopper ? 1071 : 431, hopper ? 1056 : 416, 1);
    nv_qmd_bits_put(words, hopper ? 1103 : 463, hopper ? 1088 : 448, 1);
    nv_qmd_bits_put(words, hopper ? 1167 : 607, hopper ? 1152 : 592, 64);
    nv_qmd_bits_put(words, hopper ? 1183 : 623, hopper ? 1168 : 608, 1);
    nv_qmd_bits_put(words, hopper ? 1199 : 639, hopper ? 1184 : 624, 1);
    nv_qmd_bits_put(words, hopper ? 1208 : 656, hopper ? 1200 : 648, 16);
}

static void launch(const uint32_t words[NV_QMD_DWORDS])
{
    check_machine_fill(&check, CHECK_DATA + QMD, words, NV_QMD_BYTES);
    CHECK_SUBMIT(&check, 0, PB_INC(COMPUTE, 0x2b4, 1), DATA(QMD) >> 8, PB_IMMD(COMPUTE, 0x2c0, 9));
    check_machine_run(&check);
}

/* Bits and what they lose, from the same headers. */
static const struct {
    const char *field;
    uint32_t hi, lo, value;
    bool hopper;
} ignored[] = {
    {"DEPENDENT_QMD0_ENABLE", 512, 512, 1, false},
    {"DEPENDENT_QMD_ENABLE", 373, 373, 1, true}, /* the second */
    {"QMD_TYPE", 25, 23, 4, true},               /* GRID_GPU_CGA */
    {"QMD_TYPE", 25, 23, 0, true},               /* QUEUE */
    {"RELEASE0_PAYLOAD64B", 829, 829, 1, false},
    {"RELEASE2_ENABLE", 1719, 1719, 1, false},
};
enum { IGNORED = sizeof ignored / sizeof ignored[0] };

START_TEST(each_field_of_a_descriptor_that_is_ignored_is_told_with_each_launch)
{
    uint32_t words[NV_QMD_DWORDS];
    unsigned index;

    begin(ignored[_i].hopper ? "h100" : "a100");
    descriptor(words, ignored[_i].hopper);
    launch(words);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    nv_qmd_bits_put(words, ignored[_i].hi, ignored[_i].lo, ignored[_i].value);
    launch(words);
    launch(words);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 2);
    for (uint32_t n = 0; n < 2; n++) {
        const struct event_unmodelled event =
            event_unmodelled_of(check_machine_event(&check, EVENT_UNMODELLED, n));

        ck_assert_uint_eq(event.what, UNMODELLED_QMD);
        ck_assert_uint_eq(event.value, ignored[_i].value);
        ck_assert_str_eq(nv_qmd_named(event.address, &index)->name, ignored[_i].field);
    }
    check_machine_end(&check);
}
END_TEST

/* QMD_TYPE GRID_NULL (1): CUDA's driver schedules such descriptors before each kernel
 * (tests/hardware/data).  They start no block. */
START_TEST(a_null_grid_has_no_blocks)
{
    uint32_t words[NV_QMD_DWORDS];

    begin("h100");
    descriptor(words, true);
    nv_qmd_bits_put(words, 25, 23, 1);
    launch(words);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_START), 0);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_END), 1);
    check_machine_end(&check);
}
END_TEST

/* GRID_GPC_CGA (3) with GPC_CGA_WIDTH, _HEIGHT and _DEPTH (2149:2144, 2157:2152, 2165:2160): three
 * blocks are one cluster of three, and no clusters of two or of 18. */
START_TEST(a_grid_has_a_whole_number_of_clusters)
{
    static const struct {
        uint32_t width, height, depth;
        bool good;
    } cases[] = {{3, 1, 1, true}, {1, 3, 1, true}, {2, 1, 1, false}, {3, 3, 2, false}};
    uint32_t words[NV_QMD_MAX_DWORDS] = {0};

    begin("h100");
    descriptor(words, true);
    nv_qmd_bits_put(words, 25, 23, 3);
    nv_qmd_bits_put(words, 2149, 2144, cases[_i].width);
    nv_qmd_bits_put(words, 2157, 2152, cases[_i].height);
    nv_qmd_bits_put(words, 2165, 2160, cases[_i].depth);
    check_machine_fill(&check, CHECK_DATA + QMD, words, sizeof words);
    CHECK_SUBMIT(&check, 0, PB_INC(COMPUTE, 0x2b4, 1), DATA(QMD) >> 8, PB_IMMD(COMPUTE, 0x2c0, 9));
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_GRID_CLUSTER), cases[_i].good);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_START), cases[_i].good ? 3 : 0);
    check_machine_end(&check);
}
END_TEST

/* As tinygrad's NV backend launched in 2024 on GA10x and AD10x (tinygrad runtime/ops_nv.py):
 * SET_INLINE_QMD_ADDRESS_A with a count of 0x42, that is the address and the descriptor, and no
 * SEND_PCAS. */
START_TEST(a_descriptor_in_the_pushbuffer_launches_its_grid)
{
    uint32_t dwords[3 + NV_QMD_DWORDS], found[NV_QMD_DWORDS];

    begin("rtx6000ada");
    dwords[0] = PB_INC(COMPUTE, 0x318, 2 + NV_QMD_DWORDS);
    dwords[1] = 0;
    dwords[2] = DATA(QMD) >> 8;
    descriptor(&dwords[3], false);
    check_machine_submit(&check, 0, dwords, 3 + NV_QMD_DWORDS);
    check_machine_run(&check);
    check_machine_fetch(&check, CHECK_DATA + QMD, found, sizeof found);
    ck_assert_mem_eq(found, &dwords[3], sizeof found);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_BLOCK_START), 3);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    check_machine_end(&check);
}
END_TEST

/* REPORT_SEMAPHORE_EXECUTE (open-gpu-doc classes/3d/clc797.h, classes/compute/clc7c0.h): payload
 * 0x158 and 0x15c, address 0x160 (lower) and 0x164; OPERATION 1:0 RELEASE 0, ACQUIRE 1;
 * STRUCTURE_SIZE SEMAPHORE_TWO_WORDS (2) in 14:13 or 4:3, PAYLOAD_SIZE64 bit 27 or 12. */
START_TEST(the_newer_form_of_a_report_releases_and_acquires)
{
    const uint32_t subchannel = _i ? COMPUTE : THREE_D;
    const uint32_t two_words = _i ? 2 << 3 | 1 << 12 : 2 << 13 | 1 << 27;

    begin("rtx6000ada");
    CHECK_SUBMIT(&check, 0, PB_INC(subchannel, 0x158, 5), 7, 9, DATA(SEMAPHORE), 0, two_words,
                 PB_IMMD(subchannel, 0x168, 1), PB_INC(subchannel, 0x158, 5), 8, 0,
                 DATA(SEMAPHORE) + 16, 0, 0);
    check_machine_run(&check);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE), 7);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 4), 9);
    ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 16), 8);
    ck_assert_uint_ne(check_machine_peek(&check, CHECK_DATA + SEMAPHORE + 24), 0); /* the time */
    ck_assert_uint_eq(check_machine_count(&check, EVENT_NV_RELEASE), 2);
    ck_assert_uint_eq(check_machine_count(&check, EVENT_UNMODELLED), 0);
    check_machine_end(&check);
}
END_TEST

Suite *nv_effect_suite(void)
{
    Suite *suite = suite_create("nv_effect");
    TCase *tcase = tcase_create("lists");

    tcase_add_test(tcase, the_effect_of_a_method_is_its_own);
    tcase_add_test(tcase, each_method_of_each_class_is_on_a_list);
    tcase_add_test(tcase, each_field_of_a_modelled_method_is_looked_at_or_lost);
    tcase_add_test(tcase, each_field_of_a_descriptor_is_on_a_list);
    tcase_add_test(tcase, each_field_of_a_descriptor_that_can_lose_is_watched);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("machine");
    tcase_add_test(tcase, each_call_of_a_macro_is_counted);
    tcase_add_loop_test(tcase, each_use_of_a_lost_effect_is_counted_by_its_name, 0, COUNTED);
    tcase_add_test(tcase, a_clear_under_a_condition_is_done_and_told);
    tcase_add_test(tcase, pure_state_is_not_counted);
    tcase_add_loop_test(tcase, each_field_of_a_descriptor_that_is_ignored_is_told_with_each_launch,
                        0, IGNORED);
    tcase_add_test(tcase, a_null_grid_has_no_blocks);
    tcase_add_loop_test(tcase, a_grid_has_a_whole_number_of_clusters, 0, 4);
    tcase_add_test(tcase, a_descriptor_in_the_pushbuffer_launches_its_grid);
    tcase_add_loop_test(tcase, the_newer_form_of_a_report_releases_and_acquires, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
