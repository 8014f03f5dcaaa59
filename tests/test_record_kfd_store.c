/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>

#include "tests/suites.h"
#include "traces/record/kfd/record_kfd_store.h"

/* Instructions as an assembler makes them; what they store. */
static const struct row {
    const char *what;
    uint8_t code[RECORD_KFD_CODE_BYTES];
    unsigned length, bytes;
    uint64_t value;
    int exchanged;
} rows[] = {
    {"mov [rax], rcx", {0x48, 0x89, 0x08}, 3, 8, 0x101, -1},
    {"mov [rax], r9", {0x4c, 0x89, 0x08}, 3, 8, 0x109, -1},
    {"mov [r12], rdx", {0x49, 0x89, 0x14, 0x24}, 4, 8, 0x102, -1},
    {"mov [rax+16], rbx", {0x48, 0x89, 0x58, 0x10}, 4, 8, 0x103, -1},
    {"mov [rax+0x1000], rsi", {0x48, 0x89, 0xb0, 0, 0x10, 0, 0}, 7, 8, 0x106, -1},
    {"mov [rbx+rcx*8], rdi", {0x48, 0x89, 0x3c, 0xcb}, 4, 8, 0x107, -1},
    {"mov [rbx+rcx*8+1], rdi", {0x48, 0x89, 0x7c, 0xcb, 1}, 5, 8, 0x107, -1},
    {"mov [rip+9], rax", {0x48, 0x89, 0x05, 9, 0, 0, 0}, 7, 8, 0x100, -1},
    {"mov [0x1000], rax", {0x48, 0x89, 0x04, 0x25, 0, 0x10, 0, 0}, 8, 8, 0x100, -1},
    {"mov [rax], r8d", {0x44, 0x89, 0x00}, 3, 4, 0x108, -1},
    {"mov qword [rax], -2", {0x48, 0xc7, 0x00, 0xfe, 0xff, 0xff, 0xff}, 7, 8, UINT64_MAX - 1, -1},
    {"mov dword [rax], 5", {0xc7, 0x00, 5, 0, 0, 0}, 6, 4, 5, -1},
    {"xchg [rax], rcx", {0x48, 0x87, 0x08}, 3, 8, 0x101, 1},
    {"lock xchg [rax], r10", {0xf0, 0x4c, 0x87, 0x10}, 4, 8, 0x10a, 10},
    {"movnti [rax], rdx", {0x48, 0x0f, 0xc3, 0x10}, 4, 8, 0x102, -1},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static bool decode(const uint8_t *code, size_t bytes, struct record_kfd_store *store)
{
    uint64_t registers[RECORD_KFD_REGISTERS];

    for (unsigned i = 0; i < RECORD_KFD_REGISTERS; i++)
        registers[i] = 0x100 + i;
    return record_kfd_store_decode(code, bytes, registers, store);
}

/* PROMISE (traces): Machine code of stores to a doorbell is understood. */
START_TEST(stores_are_understood)
{
    const struct row *row = &rows[_i];
    struct record_kfd_store store;

    ck_assert_msg(decode(row->code, sizeof row->code, &store), "%s", row->what);
    ck_assert_msg(store.length == row->length, "%s has %u bytes", row->what, store.length);
    ck_assert_msg(store.bytes == row->bytes, "%s stores %u bytes", row->what, store.bytes);
    ck_assert_msg(store.value == row->value, "%s stores %#llx", row->what,
                  (unsigned long long)store.value);
    ck_assert_msg(store.exchanged == row->exchanged, "%s", row->what);
}
END_TEST

START_TEST(a_cut_off_instruction_is_none)
{
    struct record_kfd_store store;

    for (unsigned bytes = 0; bytes < rows[_i].length; bytes++)
        ck_assert_msg(!decode(rows[_i].code, bytes, &store), "%s of %u bytes", rows[_i].what,
                      bytes);
}
END_TEST

START_TEST(other_instructions_are_refused)
{
    static const uint8_t others[][4] = {
        {0x48, 0x8b, 0x08}, /* mov rcx, [rax] */
        {0x48, 0x89, 0xc8}, /* mov rax, rcx */
        {0x88, 0x08},       /* mov [rax], cl */
        {0x66, 0x89, 0x08}, /* mov [rax], cx */
        {0xc3},             /* ret */
        {0x0f, 0x89, 0x08}, /* jns */
        {0x48, 0xc7, 0x08}, /* no such group */
        {0xf3, 0x48, 0xab}, /* rep stosq */
        {0x0f, 0x11, 0x00}, /* movups [rax], xmm0 */
    };
    struct record_kfd_store store;

    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        ck_assert_msg(!decode(others[i], sizeof others[i], &store), "%zu", i);
}
END_TEST

Suite *record_kfd_store_suite(void)
{
    Suite *suite = suite_create("record_kfd_store");
    TCase *tcase = tcase_create("record_kfd_store");

    tcase_add_loop_test(tcase, stores_are_understood, 0, ROWS);
    tcase_add_loop_test(tcase, a_cut_off_instruction_is_none, 0, ROWS);
    tcase_add_test(tcase, other_instructions_are_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
