/* SPDX-License-Identifier: MIT */
/* zlib itself stands on the other side: data must go both ways between it and the library in use.
 */
#include <config.h>

#include "emu/base/deflate.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "tests/suites.h"

enum { DATA_BYTES = 100000 };

static const size_t sizes[] = {0, 1, 17, 4096, DATA_BYTES};
enum { SIZE_COUNT = sizeof sizes / sizeof sizes[0] };

/* Repetitive, with something new now and then. */
static uint8_t *data_new(void)
{
    uint8_t *data = malloc(DATA_BYTES);
    uint32_t random = 1;

    ck_assert_ptr_nonnull(data);
    for (size_t i = 0; i < DATA_BYTES; i++) {
        random = random * 1664525 + 1013904223;
        data[i] = random >> 28 ? (uint8_t)(i % 24) : (uint8_t)(random >> 20);
    }
    return data;
}

/* Packs; the caller frees. */
static uint8_t *packed(const uint8_t *data, size_t bytes, size_t *stored_bytes)
{
    struct deflate_packer *packer = deflate_packer_new();
    uint8_t *stored;

    ck_assert_ptr_nonnull(packer);
    stored = malloc(deflate_bound(packer, bytes));
    ck_assert_ptr_nonnull(stored);
    *stored_bytes = deflate_pack(packer, stored, data, bytes);
    ck_assert_uint_le(*stored_bytes, deflate_bound(packer, bytes));
    deflate_packer_free(packer);
    return stored;
}

START_TEST(zlib_reads_what_is_packed)
{
    uint8_t *data = data_new(), *back = malloc(DATA_BYTES + 1);
    size_t stored_bytes;
    uint8_t *stored = packed(data, sizes[_i], &stored_bytes);
    uLongf got = DATA_BYTES + 1;

    ck_assert_ptr_nonnull(back);
    ck_assert_int_eq(uncompress(back, &got, stored, (uLong)stored_bytes), Z_OK);
    ck_assert_uint_eq(got, sizes[_i]);
    ck_assert_mem_eq(back, data, sizes[_i]);
    free(stored);
    free(back);
    free(data);
}
END_TEST

START_TEST(what_zlib_packs_is_unpacked)
{
    uint8_t *data = data_new(), *back = malloc(DATA_BYTES + 1);
    uLongf stored_bytes = compressBound(DATA_BYTES);
    uint8_t *stored = malloc(stored_bytes);
    struct deflate_unpacker *unpacker = deflate_unpacker_new();

    ck_assert(back && stored && unpacker);
    ck_assert_int_eq(compress2(stored, &stored_bytes, data, (uLong)sizes[_i], 9), Z_OK);
    ck_assert(deflate_unpack(unpacker, stored, stored_bytes, back, sizes[_i]));
    ck_assert_mem_eq(back, data, sizes[_i]);
    deflate_unpacker_free(unpacker);
    free(stored);
    free(back);
    free(data);
}
END_TEST

START_TEST(another_size_than_stated_is_refused)
{
    uint8_t *data = data_new(), *back = malloc(DATA_BYTES + 1);
    struct deflate_unpacker *unpacker = deflate_unpacker_new();
    size_t stored_bytes;
    uint8_t *stored = packed(data, 4096, &stored_bytes);

    ck_assert(back && unpacker);
    ck_assert(!deflate_unpack(unpacker, stored, stored_bytes, back, 4095));
    ck_assert(!deflate_unpack(unpacker, stored, stored_bytes, back, 4097));
    ck_assert(!deflate_unpack(unpacker, stored, stored_bytes - 1, back, 4096));
    ck_assert(deflate_unpack(unpacker, stored, stored_bytes, back, 4096));
    deflate_unpacker_free(unpacker);
    free(stored);
    free(back);
    free(data);
}
END_TEST

START_TEST(bytes_behind_the_data_are_refused)
{
    uint8_t *data = data_new(), *back = malloc(DATA_BYTES + 1), *longer;
    struct deflate_unpacker *unpacker = deflate_unpacker_new();
    size_t stored_bytes;
    uint8_t *stored = packed(data, 4096, &stored_bytes);

    longer = realloc(stored, stored_bytes + 1);
    ck_assert(back && unpacker && longer);
    longer[stored_bytes] = 0;
    ck_assert(!deflate_unpack(unpacker, longer, stored_bytes + 1, back, 4096));
    deflate_unpacker_free(unpacker);
    free(longer);
    free(back);
    free(data);
}
END_TEST

START_TEST(damaged_data_are_noticed)
{
    uint8_t *data = data_new(), *back = malloc(DATA_BYTES + 1);
    struct deflate_unpacker *unpacker = deflate_unpacker_new();
    size_t stored_bytes;
    uint8_t *stored = packed(data, 4096, &stored_bytes);

    unsigned harmless = 0;

    ck_assert(back && unpacker);
    for (size_t i = 0; i < stored_bytes; i++) {
        stored[i] ^= 0x10;
        if (deflate_unpack(unpacker, stored, stored_bytes, back, 4096)) {
            ck_assert_msg(memcmp(back, data, 4096) == 0, "byte %zu", i);
            harmless++; /* a bit that fills up the last byte of the stream */
        }
        stored[i] ^= 0x10;
    }
    ck_assert_uint_le(harmless, 1);
    deflate_unpacker_free(unpacker);
    free(stored);
    free(back);
    free(data);
}
END_TEST

START_TEST(the_checksum_is_that_of_zlib)
{
    uint8_t *data = data_new();

    ck_assert_uint_eq(deflate_crc(0, "123456789", 9), 0xcbf43926);
    for (unsigned i = 0; i < SIZE_COUNT; i++)
        ck_assert_uint_eq(deflate_crc(7, data, sizes[i]), crc32(7, data, (uInt)sizes[i]));
    free(data);
}
END_TEST

Suite *deflate_suite(void)
{
    Suite *suite = suite_create("deflate");
    TCase *tcase = tcase_create("deflate");

    tcase_add_loop_test(tcase, zlib_reads_what_is_packed, 0, SIZE_COUNT);
    tcase_add_loop_test(tcase, what_zlib_packs_is_unpacked, 0, SIZE_COUNT);
    tcase_add_test(tcase, another_size_than_stated_is_refused);
    tcase_add_test(tcase, bytes_behind_the_data_are_refused);
    tcase_add_test(tcase, damaged_data_are_noticed);
    tcase_add_test(tcase, the_checksum_is_that_of_zlib);
    suite_add_tcase(suite, tcase);
    return suite;
}
