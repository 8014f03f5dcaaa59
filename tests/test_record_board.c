/* SPDX-License-Identifier: MIT */
/* The boards for recording: whole rows, with classes that have tables, of the chip that they name.
 */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/formats/nv_decode.h"
#include "tests/suites.h"
#include "traces/record/nouveau/record_board.h"

START_TEST(every_board_is_found_by_its_name)
{
    unsigned count = 0;

    for (const struct record_board *board; (board = record_board_at(count)) != NULL; count++)
        ck_assert_ptr_eq(record_board_find(board->gpu), board);
    ck_assert_uint_eq(count, 9);
    ck_assert_ptr_null(record_board_find("no such board"));
}
END_TEST

START_TEST(texts_fit_their_fields_and_figures_are_there)
{
    const struct record_board *board;

    for (unsigned i = 0; (board = record_board_at(i)) != NULL; i++) {
        ck_assert_uint_le(strlen(board->chip_name), 15);
        ck_assert_uint_le(strlen(board->name), 63);
        ck_assert_uint_eq(board->pci_vendor, 0x10de);
        ck_assert_uint_ge(board->vram_mib, 1024);
        ck_assert_uint_ge(board->tpc_count, board->gpc_count);
        ck_assert_uint_gt(board->gpc_count, 0);
        ck_assert_uint_gt(board->rop_count, 0);
    }
}
END_TEST

/* Low byte of a class: what kind of object; in the order of the list. */
START_TEST(every_class_of_a_board_has_a_table)
{
    static const uint8_t kinds[RECORD_BOARD_CLASSES] = {0x2d, 0x40, 0x97, 0xc0, 0xb5};
    const struct record_board *board;

    for (unsigned i = 0; (board = record_board_at(i)) != NULL; i++) {
        for (unsigned c = 0; c < RECORD_BOARD_CLASSES; c++) {
            ck_assert_ptr_nonnull(nv_class_find(board->classes[c]));
            ck_assert_uint_eq(board->classes[c] & 0xff, kinds[c]);
        }
        ck_assert_uint_eq(board->copy_class, board->classes[4]);
    }
}
END_TEST

/* The decoder has the chip's Host and copy class from the chipset number in the trace. */
START_TEST(the_decoder_knows_every_boards_chip)
{
    static const struct {
        uint8_t family;
        uint16_t host_class;
    } families[] = {{8, 0xa06f}, {9, 0xb06f}, {10, 0xc06f}, {11, 0xc36f}, {12, 0xc46f}};
    const struct record_board *board;

    for (unsigned i = 0; (board = record_board_at(i)) != NULL; i++) {
        const struct nv_decode_chip chip = nv_decode_chip(board->chipset);

        ck_assert_uint_eq(chip.copy_class, board->copy_class);
        for (unsigned f = 0; f < sizeof families / sizeof families[0]; f++)
            if (families[f].family == board->family)
                ck_assert_uint_eq(chip.host_class, families[f].host_class);
        ck_assert_ptr_nonnull(nv_class_find(chip.host_class));
    }
}
END_TEST

Suite *record_board_suite(void)
{
    Suite *suite = suite_create("record_board");
    TCase *boards = tcase_create("boards");

    tcase_add_test(boards, every_board_is_found_by_its_name);
    tcase_add_test(boards, texts_fit_their_fields_and_figures_are_there);
    tcase_add_test(boards, every_class_of_a_board_has_a_table);
    tcase_add_test(boards, the_decoder_knows_every_boards_chip);
    suite_add_tcase(suite, boards);
    return suite;
}
