/* SPDX-License-Identifier: MIT */
/* The lines of `gfe decode`: people and scripts rely on the columns. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_decode_text.h"
#include "tests/suites.h"

static void check_lines(const struct nv_decode_item *item, bool raw, const char *expected)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    nv_decode_print(file, item, raw);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(text, expected);
    free(text);
}

static struct nv_decode_item method_item(uint16_t class_id, uint16_t method, uint32_t data)
{
    return (struct nv_decode_item){
        .kind = NV_DECODE_METHOD,
        .va = 0x102c00004,
        .dword = data,
        .header = {.kind = NV_HEADER_INC, .subchannel = 1, .method = method, .count = 1},
        .subchannel = 1,
        .class_id = class_id,
        .table_id = (uint16_t)nv_class_of_method(0xc06f, class_id, method),
        .method = method,
        .data = data,
    };
}

START_TEST(a_method_is_one_line_of_fixed_columns)
{
    struct nv_decode_item item = method_item(0xc1c0, 0x2bc, 3);

    check_lines(&item, false,
                "R s1 c1c0 02bc 00000003 SEND_SIGNALING_PCAS_B                    "
                "INVALIDATE=TRUE SCHEDULE=TRUE\n");
    check_lines(&item, true, "R 0102c00004 00000003   s1 c1c0 02bc SEND_SIGNALING_PCAS_B\n");
}
END_TEST

/* Host's methods are c06f's on every subchannel; what the kernel driver's model adds has an M. */
START_TEST(a_fence_of_the_modelled_driver_is_marked)
{
    struct nv_decode_item item = method_item(0xc197, 0x1c, 2);

    item.origin = NV_DECODE_MODELLED;
    check_lines(&item, false,
                "M s1 c06f 001c 00000002 SEMAPHORED                               "
                "OPERATION=RELEASE\n");
}
END_TEST

START_TEST(set_object_names_the_class)
{
    struct nv_decode_item item = method_item(0xc1b5, 0, 0xc1b5);

    check_lines(&item, false,
                "R s1 c06f 0000 0000c1b5 SET_OBJECT                               "
                "NVCLASS=0xc1b5 (PASCAL_DMA_COPY_B)\n");
    item = method_item(0xc6ff, 0, 0xc6ff);
    check_lines(&item, false,
                "R s1 c06f 0000 0000c6ff SET_OBJECT                               "
                "NVCLASS=0xc6ff (a class without a table)\n");
    item = method_item(0xa140, 0, 0xa140);
    check_lines(&item, false,
                "R s1 a140 0000 0000a140 SET_OBJECT                               "
                "CLASS_ID=0xa140 (KEPLER_INLINE_TO_MEMORY_B)\n");
}
END_TEST

START_TEST(a_subchannel_without_a_class_has_dashes)
{
    const struct nv_decode_item item = method_item(0, 0x200, 1);

    check_lines(&item, false,
                "R s1 ---- 0200 00000001 UNKNOWN_0200                             "
                "no class is known here\n");
}
END_TEST

START_TEST(an_upload_says_where_its_data_goes)
{
    struct nv_decode_item item = method_item(0xa140, 0x1b4, 0xdeadbeef);

    item.uploads = true;
    item.upload_va = 0x1003500c0;
    check_lines(&item, false,
                "R s1 a140 01b4 deadbeef LOAD_INLINE_DATA                         "
                "-> 0x1003500c0\n");
}
END_TEST

START_TEST(method_headers_show_in_raw_only)
{
    struct nv_decode_item item = {.kind = NV_DECODE_HEADER, .va = 0x102c00000, .dword = 0x200320ad};

    item.header = nv_header_decode(item.dword);
    check_lines(&item, false, "");
    check_lines(&item, true, "R 0102c00000 200320ad INC s1 02b4 x3\n");
}
END_TEST

START_TEST(headers_without_methods_have_a_line)
{
    struct nv_decode_item item = {.kind = NV_DECODE_HEADER, .dword = 0xe0000000};

    item.header = nv_header_decode(item.dword);
    check_lines(&item, false, "R -- ---- ---- e0000000 END_PB_SEGMENT\n");
    item.dword = 0xc0000000;
    item.header = nv_header_decode(item.dword);
    check_lines(&item, false, "R -- ---- ---- c0000000 INVALID: no header (PBENTRY)\n");
    item = (struct nv_decode_item){.kind = NV_DECODE_SKIPPED, .va = 0x1008, .count = 2};
    check_lines(&item, false, "R -- ---- ---- -------- SKIPPED 2 dwords from 0x1008\n");
}
END_TEST

START_TEST(an_immediate_is_one_line_in_raw)
{
    struct nv_decode_item item = method_item(0xc1c0, 0x2bc, 3);

    item.header = nv_header_decode(0x800320af);
    check_lines(&item, true, "");
    item.kind = NV_DECODE_HEADER;
    item.dword = 0x800320af;
    check_lines(&item, true,
                "R 0102c00004 800320af IMMD s1 02bc data=0003 SEND_SIGNALING_PCAS_B\n");
}
END_TEST

/* Eight words a line, each line with the address of its first word. */
START_TEST(raw_words_of_a_descriptor_have_their_addresses)
{
    uint32_t words[16];
    const struct nv_decode_item item = {.kind = NV_DECODE_GRID,
                                        .class_id = 0xc0c0,
                                        .qmd_va = 0x1000,
                                        .qmd_words = words,
                                        .qmd_dwords = 16};

    for (uint32_t i = 0; i < 16; i++)
        words[i] = i;
    check_lines(&item, true,
                "R 0000001000 qmd 00000000 00000001 00000002 00000003 00000004 00000005 00000006 "
                "00000007\n"
                "R 0000001020 qmd 00000008 00000009 0000000a 0000000b 0000000c 0000000d 0000000e "
                "0000000f\n");
}
END_TEST

START_TEST(a_grid_is_spelled_out)
{
    static const uint32_t words[NV_QMD_DWORDS] = {
        [12] = 7, [13] = 1, [14] = 1, [18] = 0x200021, [19] = 0x20004};
    struct nv_decode_item item = method_item(0xc1c0, 0x2bc, 3);

    item.kind = NV_DECODE_GRID;
    item.qmd_va = 0x102e40200;
    item.qmd_words = words;
    check_lines(&item, false,
                "R s1 c1c0  qmd 0x102e40200 V02_01 grid=7x1x1 block=32x4x2 shared=0 registers=0 "
                "barriers=0 program=0x0\n"
                "R s1 c1c0  qmd   CTA_RASTER_WIDTH=7\n"
                "R s1 c1c0  qmd   CTA_RASTER_HEIGHT=1\n"
                "R s1 c1c0  qmd   CTA_RASTER_DEPTH=1\n"
                "R s1 c1c0  qmd   QMD_VERSION=1\n"
                "R s1 c1c0  qmd   QMD_MAJOR_VERSION=2\n"
                "R s1 c1c0  qmd   CTA_THREAD_DIMENSION0=32\n"
                "R s1 c1c0  qmd   CTA_THREAD_DIMENSION1=4\n"
                "R s1 c1c0  qmd   CTA_THREAD_DIMENSION2=2\n");
    item.class_id = 0xc5c0;
    item.qmd_words = (const uint32_t[NV_QMD_DWORDS]){[18] = 0x24};
    check_lines(&item, false, "R s1 c5c0  qmd 0x102e40200 has version bits 24, unknown\n");
    item.qmd_words = NULL;
    check_lines(&item, false, "R s1 c5c0  qmd 0x102e40200 is not in memory\n");
}
END_TEST

START_TEST(entries_show_what_the_gpfifo_holds)
{
    const struct nv_gp_entry segment = {.address = 0x100001000, .length_dwords = 1064};
    const struct nv_gp_entry control = {.opcode = 1, .operand = 0x10, .sync_wait = true};
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(file);
    nv_decode_print_entry(file, NV_DECODE_RECORDED, 0, &segment, "buffer=2+0x0");
    nv_decode_print_entry(file, NV_DECODE_MODELLED, 1, &control, "");
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_str_eq(text, "R gp 0 GET=0x100001000 LENGTH=1064 SYNC=PROCEED buffer=2+0x0\n"
                           "M gp 1 OPCODE=ILLEGAL(1) OPERAND=0x10 SYNC=WAIT (GPENTRY)\n");
    free(text);
}
END_TEST

Suite *nv_decode_text_suite(void)
{
    Suite *suite = suite_create("nv_decode_text");
    TCase *tcase = tcase_create("lines");

    tcase_add_test(tcase, a_method_is_one_line_of_fixed_columns);
    tcase_add_test(tcase, a_fence_of_the_modelled_driver_is_marked);
    tcase_add_test(tcase, set_object_names_the_class);
    tcase_add_test(tcase, a_subchannel_without_a_class_has_dashes);
    tcase_add_test(tcase, an_upload_says_where_its_data_goes);
    tcase_add_test(tcase, method_headers_show_in_raw_only);
    tcase_add_test(tcase, headers_without_methods_have_a_line);
    tcase_add_test(tcase, an_immediate_is_one_line_in_raw);
    tcase_add_test(tcase, raw_words_of_a_descriptor_have_their_addresses);
    tcase_add_test(tcase, a_grid_is_spelled_out);
    tcase_add_test(tcase, entries_show_what_the_gpfifo_holds);
    suite_add_tcase(suite, tcase);
    return suite;
}
