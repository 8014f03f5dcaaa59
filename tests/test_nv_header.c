/* SPDX-License-Identifier: MIT */
/* GP entries and pushbuffer headers: open-gpu-doc clc06f.h, tu104 dev_ram "FIFO_DMA". */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_header.h"
#include "tests/suites.h"

static void check_same(const struct nv_header *a, const struct nv_header *b)
{
    ck_assert_int_eq(a->kind, b->kind);
    ck_assert_int_eq(a->old, b->old);
    ck_assert_uint_eq(a->subchannel, b->subchannel);
    ck_assert_uint_eq(a->method, b->method);
    ck_assert_uint_eq(a->count, b->count);
    ck_assert_uint_eq(a->immediate, b->immediate);
    ck_assert_uint_eq(a->subdevice_mask, b->subdevice_mask);
}

/* The kernel's fence begins with 0x20050004: INC, 5 data dwords, subchannel 0, SEMAPHOREA. */
START_TEST(the_fence_header_is_five_dwords_from_semaphorea)
{
    const struct nv_header header = nv_header_decode(0x20050004);

    ck_assert_int_eq(header.kind, NV_HEADER_INC);
    ck_assert_uint_eq(header.subchannel, 0);
    ck_assert_uint_eq(header.method, 0x10);
    ck_assert_uint_eq(header.count, 5);
    ck_assert_uint_eq(nv_header_method(&header, 4), 0x20);
}
END_TEST

/* Headers of a recorded NVK stream and of the class header's formats, one of each kind. */
START_TEST(every_sec_op_decodes_to_its_kind)
{
    static const struct {
        uint32_t dword;
        struct nv_header header;
    } rows[] = {
        {0x00000000, {.kind = NV_HEADER_NOP}},
        {0x20018040, {.kind = NV_HEADER_INC, .subchannel = 4, .method = 0x100, .count = 1}},
        {0x7fff206d,
         {.kind = NV_HEADER_NON_INC, .subchannel = 1, .method = 0x1b4, .count = 0x1fff}},
        {0x800320af, {.kind = NV_HEADER_IMMD, .subchannel = 1, .method = 0x2bc, .immediate = 3}},
        {0x9fffe0c0,
         {.kind = NV_HEADER_IMMD, .subchannel = 7, .method = 0x300, .immediate = 0x1fff}},
        {0xa0020e24, {.kind = NV_HEADER_ONE_INC, .method = 0x3890, .count = 2}},
        {0x00010ff0, {.kind = NV_HEADER_SET_SUBDEVICE, .subdevice_mask = 0xff}},
        {0x0002fff0, {.kind = NV_HEADER_STORE_SUBDEVICE, .subdevice_mask = 0xfff}},
        {0x00030000, {.kind = NV_HEADER_USE_SUBDEVICE}},
        {0xe0000000, {.kind = NV_HEADER_END_SEGMENT}},
        {0xc0000000, {.kind = NV_HEADER_INVALID}},
        {0x00046100,
         {.kind = NV_HEADER_INC, .old = true, .subchannel = 3, .method = 0x100, .count = 1}},
        {0x5ffc3ffc,
         {.kind = NV_HEADER_NON_INC,
          .old = true,
          .subchannel = 1,
          .method = 0x1ffc,
          .count = 0x7ff}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct nv_header header = nv_header_decode(rows[i].dword);

        check_same(&header, &rows[i].header);
        ck_assert_uint_eq(nv_header_encode(&header), rows[i].dword);
    }
}
END_TEST

/* dev_ram: "COUNT 0: no-op"; the other fields do not matter.  Not so for IMMD, which has none. */
START_TEST(a_count_of_zero_does_nothing)
{
    static const uint32_t dwords[] = {0x2000ffff, 0x6000ffff, 0xa000ffff, 0x0000e004, 0x40001ffc};

    for (size_t i = 0; i < sizeof dwords / sizeof dwords[0]; i++) {
        const struct nv_header header = nv_header_decode(dwords[i]);

        ck_assert_int_eq(header.kind, NV_HEADER_NOP);
        ck_assert_uint_eq(header.count, 0);
    }
    ck_assert_int_eq(nv_header_decode(0x80000044).kind, NV_HEADER_IMMD);
}
END_TEST

START_TEST(what_has_no_meaning_is_invalid)
{
    ck_assert_int_eq(nv_header_decode(0xdfffffff).kind, NV_HEADER_INVALID); /* RESERVED6 */
    ck_assert_int_eq(nv_header_decode(0x40050100).kind, NV_HEADER_INVALID); /* GRP2, TERT_OP 1 */
    ck_assert_int_eq(nv_header_decode(0x40060100).kind, NV_HEADER_INVALID);
    ck_assert_int_eq(nv_header_decode(0x40070100).kind, NV_HEADER_INVALID);
}
END_TEST

/* One of each combination of kind, subchannel, some methods and counts. */
START_TEST(headers_survive_encoding_and_decoding)
{
    static const enum nv_header_kind kinds[] = {NV_HEADER_INC, NV_HEADER_NON_INC, NV_HEADER_ONE_INC,
                                                NV_HEADER_IMMD};
    uint32_t checked = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++)
        for (uint8_t subchannel = 0; subchannel < 8; subchannel++)
            for (uint16_t method = 0; method <= NV_METHOD_MAX_BYTES; method += 0x1fc)
                for (uint16_t data = 1; data < 0x2000; data = (uint16_t)(data * 2 + 1)) {
                    const bool immediate = kinds[k] == NV_HEADER_IMMD;
                    const struct nv_header in = {
                        .kind = kinds[k],
                        .subchannel = subchannel,
                        .method = method,
                        .count = immediate ? 0 : data,
                        .immediate = immediate ? data : 0,
                    };
                    const struct nv_header out = nv_header_decode(nv_header_encode(&in));

                    check_same(&in, &out);
                    checked++;
                }
    ck_assert_uint_eq(checked, 4 * 8 * 33 * 13);
}
END_TEST

START_TEST(each_kind_walks_its_methods_in_its_own_way)
{
    const struct nv_header inc = nv_header_decode(0x20030040);
    const struct nv_header non_inc = nv_header_decode(0x60030040);
    const struct nv_header one_inc = nv_header_decode(0xa0030040);

    ck_assert_uint_eq(nv_header_method(&inc, 0), 0x100);
    ck_assert_uint_eq(nv_header_method(&inc, 2), 0x108);
    ck_assert_uint_eq(nv_header_method(&non_inc, 2), 0x100);
    ck_assert_uint_eq(nv_header_method(&one_inc, 0), 0x100);
    ck_assert_uint_eq(nv_header_method(&one_inc, 1), 0x104);
    ck_assert_uint_eq(nv_header_method(&one_inc, 2), 0x104);
}
END_TEST

/* INC from the last method: the second data dword would go to 0x4000, where PBENTRY is raised. */
START_TEST(an_overrun_shows_as_a_method_past_the_last)
{
    const struct nv_header header = nv_header_decode(0x20020fff);

    ck_assert_uint_eq(nv_header_method(&header, 0), NV_METHOD_MAX_BYTES);
    ck_assert_uint_gt(nv_header_method(&header, 1), NV_METHOD_MAX_BYTES);
}
END_TEST

START_TEST(every_kind_has_a_name)
{
    for (int kind = 0; kind < NV_HEADER_KIND_COUNT; kind++)
        ck_assert_ptr_nonnull(nv_header_kind_name((enum nv_header_kind)kind));
    ck_assert_str_eq(nv_header_kind_name(NV_HEADER_ONE_INC), "ONE_INC");
}
END_TEST

/* nouveau: words va[31:0] and va[39:32] | LEVEL | dwords << 10 | SYNC. */
START_TEST(a_segment_entry_has_address_length_and_flags)
{
    const struct nv_gp_entry entry = nv_gp_entry_decode(0x02e40004, 0x80000201 | 1064u << 10);

    ck_assert_uint_eq(entry.address, 0x102e40004);
    ck_assert_uint_eq(entry.length_dwords, 1064);
    ck_assert(entry.subroutine && entry.sync_wait && !entry.privileged && !entry.conditional);
    ck_assert_uint_eq(entry.opcode, 0);
    ck_assert_uint_eq(entry.operand, 0);
    ck_assert(nv_gp_entry_valid(&entry));
}
END_TEST

START_TEST(an_entry_of_length_zero_is_control)
{
    const struct nv_gp_entry entry = nv_gp_entry_decode(0xdeadbeef, NV_GP_OPCODE_PB_CRC);

    ck_assert_uint_eq(entry.length_dwords, 0);
    ck_assert_uint_eq(entry.opcode, NV_GP_OPCODE_PB_CRC);
    ck_assert_uint_eq(entry.operand, 0xdeadbeef);
    ck_assert_uint_eq(entry.address, 0);
    ck_assert(!entry.conditional);
    ck_assert(nv_gp_entry_valid(&entry));
    ck_assert_str_eq(nv_gp_opcode_name(entry.opcode), "PB_CRC");
}
END_TEST

START_TEST(entries_that_raise_gpentry_are_not_valid)
{
    struct nv_gp_entry entry = nv_gp_entry_decode(0, NV_GP_OPCODE_ILLEGAL);

    ck_assert(!nv_gp_entry_valid(&entry));
    entry = nv_gp_entry_decode(0, 4); /* Hopper's; here without a name */
    ck_assert(!nv_gp_entry_valid(&entry));
    ck_assert_ptr_null(nv_gp_opcode_name(entry.opcode));
    entry = nv_gp_entry_decode(0xfffffff8, 0xff | 1u << 10);
    ck_assert(nv_gp_entry_valid(&entry)); /* ends at the last dword, which it does not use */
    entry = nv_gp_entry_decode(0xfffffff8, 0xff | 2u << 10);
    ck_assert(!nv_gp_entry_valid(&entry));
}
END_TEST

/* Every single bit that decodes to something comes back; the two words have no others. */
START_TEST(entries_survive_decoding_and_encoding)
{
    for (unsigned flags = 0; flags < 16; flags++)
        for (unsigned bit = 0; bit < 40; bit++)
            for (unsigned length_bit = 0; length_bit < 21; length_bit++) {
                const struct nv_gp_entry in = {
                    .address = bit < 2 ? 0 : 1ull << bit,
                    .length_dwords = 1u << length_bit,
                    .conditional = flags & 1,
                    .privileged = flags & 2,
                    .subroutine = flags & 4,
                    .sync_wait = flags & 8,
                };
                uint32_t words[2], again[2];

                nv_gp_entry_encode(&in, words);
                const struct nv_gp_entry out = nv_gp_entry_decode(words[0], words[1]);
                nv_gp_entry_encode(&out, again);
                ck_assert_uint_eq(out.address, in.address);
                ck_assert_uint_eq(out.length_dwords, in.length_dwords);
                ck_assert_int_eq(out.conditional, in.conditional);
                ck_assert_int_eq(out.privileged, in.privileged);
                ck_assert_int_eq(out.subroutine, in.subroutine);
                ck_assert_int_eq(out.sync_wait, in.sync_wait);
                ck_assert_mem_eq(words, again, sizeof words);
            }

    const struct nv_gp_entry control = {.sync_wait = true, .opcode = 2, .operand = 0x12345679};
    uint32_t words[2];
    nv_gp_entry_encode(&control, words);
    ck_assert_uint_eq(words[0], 0x12345679);
    ck_assert_uint_eq(words[1], 0x80000002);
}
END_TEST

Suite *nv_header_suite(void)
{
    Suite *suite = suite_create("nv_header");
    TCase *tcase = tcase_create("pushbuffer");

    tcase_add_test(tcase, the_fence_header_is_five_dwords_from_semaphorea);
    tcase_add_test(tcase, every_sec_op_decodes_to_its_kind);
    tcase_add_test(tcase, a_count_of_zero_does_nothing);
    tcase_add_test(tcase, what_has_no_meaning_is_invalid);
    tcase_add_test(tcase, headers_survive_encoding_and_decoding);
    tcase_add_test(tcase, each_kind_walks_its_methods_in_its_own_way);
    tcase_add_test(tcase, an_overrun_shows_as_a_method_past_the_last);
    tcase_add_test(tcase, every_kind_has_a_name);
    suite_add_tcase(suite, tcase);

    tcase = tcase_create("gp entries");
    tcase_add_test(tcase, a_segment_entry_has_address_length_and_flags);
    tcase_add_test(tcase, an_entry_of_length_zero_is_control);
    tcase_add_test(tcase, entries_that_raise_gpentry_are_not_valid);
    tcase_add_test(tcase, entries_survive_decoding_and_encoding);
    suite_add_tcase(suite, tcase);
    return suite;
}
