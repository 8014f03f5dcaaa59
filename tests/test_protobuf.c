/* SPDX-License-Identifier: MIT */
/* The wire format: expected bytes are those of protobuf.dev, "Encoding", or worked out from it. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/perfetto/protobuf.h"
#include "tests/suites.h"

static uint8_t bytes[PROTOBUF_MESSAGE_MAX + 64];

static void expect(const uint8_t *end, const void *expected, size_t count)
{
    ck_assert_uint_eq((size_t)(end - bytes), count);
    ck_assert_mem_eq(bytes, expected, count);
}

START_TEST(a_varint_has_seven_bits_a_byte_the_lowest_first)
{
    expect(protobuf_varint(bytes, 0), "\0", 1);
    expect(protobuf_varint(bytes, 1), "\1", 1);
    expect(protobuf_varint(bytes, 127), "\x7f", 1);
    expect(protobuf_varint(bytes, 128), "\x80\1", 2);
    expect(protobuf_varint(bytes, 150), "\x96\1", 2);
    expect(protobuf_varint(bytes, 300), "\xac\2", 2);
    expect(protobuf_varint(bytes, UINT64_MAX), "\xff\xff\xff\xff\xff\xff\xff\xff\xff\1", 10);
}
END_TEST

/* As the bytes are defined, one by one. */
static uint8_t *slow_varint(uint8_t *to, uint64_t value)
{
    do
        *to++ = (uint8_t)((value & 0x7f) | (value > 0x7f ? 0x80 : 0));
    while (value >>= 7);
    return to;
}

START_TEST(numbers_of_every_length_are_written_the_same_way)
{
    uint64_t random = 1;

    for (uint32_t i = 0; i < 100000; i++) {
        uint8_t expected[16];
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t edge = UINT64_C(1) << i % 64;
        const uint64_t value = i < 128 ? edge - (i >= 64) : random >> i % 64;
        expect(protobuf_varint(bytes, value), expected,
               (size_t)(slow_varint(expected, value) - expected));
    }
}
END_TEST

START_TEST(a_number_that_is_ready_is_written_as_its_varint)
{
    uint64_t random = 1;

    for (uint32_t i = 0; i < 10000; i++) {
        uint8_t expected[16];
        random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
        const uint64_t edge = UINT64_C(1) << i % 49;
        const uint64_t value = i < 98 ? edge - (i >= 49) : random >> (15 + i % 49);
        ck_assert_int_eq(protobuf_short(value) == 0, value == 0);
        expect(protobuf_short_put(bytes, protobuf_short(value)), expected,
               (size_t)(slow_varint(expected, value) - expected));
    }
}
END_TEST

START_TEST(a_field_has_its_number_and_type_in_front)
{
    expect(protobuf_uint(bytes, 1, 150), "\x08\x96\1", 3);
    expect(protobuf_uint(bytes, 15, 1), "\x78\1", 2);
    expect(protobuf_uint(bytes, 16, 1), "\x80\1\1", 3);
    expect(protobuf_fixed64(bytes, 47, UINT64_C(0x0123456789abcdef)),
           "\xf9\2\xef\xcd\xab\x89\x67\x45\x23\1", 10);
}
END_TEST

START_TEST(a_message_has_its_length_in_two_bytes_in_front)
{
    static const size_t lengths[] = {0, 1, 127, 128, 300, PROTOBUF_MESSAGE_MAX - 1};

    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        uint8_t *inside = protobuf_open(bytes, 2);
        const uint8_t *end = protobuf_close(inside, inside + lengths[i]);
        ck_assert_uint_eq((size_t)(end - bytes), 3 + lengths[i]);
        ck_assert_uint_eq(bytes[0], 2 << 3 | 2);
        ck_assert_uint_ge(bytes[1], 0x80);
        ck_assert_uint_lt(bytes[2], 0x80);
        ck_assert_uint_eq((bytes[1] & 0x7fu) | (size_t)bytes[2] << 7, lengths[i]);
    }
}
END_TEST

START_TEST(a_string_is_cut_between_characters)
{
    expect(protobuf_string(bytes, 2, "testing", 100), "\x12\x87\0testing", 10);
    expect(protobuf_string(bytes, 2, "testing", 4), "\x12\x84\0test", 7);
    expect(protobuf_string(bytes, 2, "a\302\265s", 3), "\x12\x83\0a\302\265", 6);
    expect(protobuf_string(bytes, 2, "a\302\265s", 2), "\x12\x81\0a", 4);
    expect(protobuf_string(bytes, 2, "", 2), "\x12\x80\0", 3);
}
END_TEST

/* RFC 3629: no byte beyond f4, none too few, no overlong form, no surrogate, nothing past 10ffff.
 */
START_TEST(what_is_not_utf_8_becomes_a_question_mark)
{
    static const char *const bad[] = {"\xff",
                                      "\x80",
                                      "\xc3",
                                      "\xc0\x80",
                                      "\xe0\x80\x80",
                                      "\xed\xa0\x80",
                                      "\xf4\x90\x80\x80",
                                      "\xf0\x80\x80\x80",
                                      "\xe2\x82"};

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const uint8_t *end = protobuf_string(bytes, 2, bad[i], 100);
        ck_assert_uint_eq((size_t)(end - bytes), 3 + strlen(bad[i]));
        for (size_t at = 0; at < strlen(bad[i]); at++)
            ck_assert_int_eq(bytes[3 + at], '?');
    }
    expect(protobuf_string(bytes, 2, "\xf4\x8f\xbf\xbf", 100), "\x12\x84\0\xf4\x8f\xbf\xbf", 7);
}
END_TEST

START_TEST(a_full_buffer_goes_to_the_file_in_order)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    struct protobuf out;

    ck_assert(protobuf_init(&out, file));
    for (uint32_t i = 0; i < 200000; i++)
        out.at = protobuf_uint(protobuf_room(&out), 1, i % 100);
    ck_assert(protobuf_flush(&out));
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_uint_eq(size, 400000);
    ck_assert_uint_eq(out.flushed_bytes, 400000);
    for (uint32_t i = 0; i < 200000; i++)
        ck_assert_int_eq(text[2 * i + 1], (int)(i % 100));
    protobuf_fini(&out);
    free(text);
}
END_TEST

START_TEST(a_write_that_fails_is_remembered)
{
    FILE *file = fopen("/dev/full", "w");
    struct protobuf out;

    ck_assert_ptr_nonnull(file);
    setbuf(file, NULL);
    ck_assert(protobuf_init(&out, file));
    out.at = protobuf_uint(protobuf_room(&out), 1, 1);
    ck_assert(!protobuf_flush(&out));
    ck_assert(!protobuf_flush(&out));
    ck_assert(out.failed);
    ck_assert(ferror(file));
    protobuf_fini(&out);
    (void)fclose(file);
}
END_TEST

Suite *protobuf_suite(void)
{
    Suite *suite = suite_create("protobuf");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, a_varint_has_seven_bits_a_byte_the_lowest_first);
    tcase_add_test(tcase, numbers_of_every_length_are_written_the_same_way);
    tcase_add_test(tcase, a_number_that_is_ready_is_written_as_its_varint);
    tcase_add_test(tcase, a_field_has_its_number_and_type_in_front);
    tcase_add_test(tcase, a_message_has_its_length_in_two_bytes_in_front);
    tcase_add_test(tcase, a_string_is_cut_between_characters);
    tcase_add_test(tcase, what_is_not_utf_8_becomes_a_question_mark);
    tcase_add_test(tcase, a_full_buffer_goes_to_the_file_in_order);
    tcase_add_test(tcase, a_write_that_fails_is_remembered);
    suite_add_tcase(suite, tcase);
    return suite;
}
