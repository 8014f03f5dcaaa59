/* SPDX-License-Identifier: MIT */
/* Entries of runlists in their three forms, from bytes: ids, lengths, slices, pointers. */
#include <config.h>

#include <check.h>
#include <string.h>

#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_runlist_entry.h"
#include "emu/engine/memory.h"
#include "emu/engine/random.h"
#include "tests/suites.h"

static const struct nv_generation *pascal, *volta, *turing, *ampere;

static void set_up(void)
{
    pascal = nv_generation_of(0xc06f, 0x136);
    volta = nv_generation_of(0xc36f, 0x140);
    turing = nv_generation_of(0xc46f, 0x164);
    ampere = nv_generation_of(0xc56f, 0x170);
}

static struct nv_runlist_entry decode(const struct nv_generation *generation, uint32_t w0,
                                      uint32_t w1, uint32_t w2, uint32_t w3)
{
    const uint32_t words[4] = {w0, w1, w2, w3};
    struct nv_runlist_entry entry;

    memset(&entry, 0xa5, sizeof entry);
    nv_runlist_entry_decode(generation, words, &entry);
    return entry;
}

static void expect(struct nv_runlist_entry got, struct nv_runlist_entry wanted)
{
    ck_assert_int_eq(got.is_tsg, wanted.is_tsg);
    ck_assert_uint_eq(got.id, wanted.id);
    ck_assert_uint_eq(got.runqueue, wanted.runqueue);
    ck_assert_uint_eq(got.length, wanted.length);
    ck_assert_uint_eq(got.slice_units, wanted.slice_units);
    ck_assert_uint_eq(got.timeslice_ps, (gfe_ps)wanted.slice_units * 1024000);
    ck_assert_uint_eq(got.inst_address, wanted.inst_address);
    ck_assert_int_eq(got.inst_aperture, wanted.inst_aperture);
    ck_assert_uint_eq(got.userd_address, wanted.userd_address);
    ck_assert_int_eq(got.userd_aperture, wanted.userd_aperture);
}

#define EXPECT(got, ...) expect((got), (struct nv_runlist_entry){__VA_ARGS__})

/* ---- Kepler to Pascal ------------------------------------------------------------------------ */

/* nouveau's word for a TSG of one channel: 0x0600e000 | id, 128 << 3 units. */
START_TEST(a_tsg_of_eight_bytes_has_id_length_and_slice)
{
    EXPECT(decode(pascal, 0x0600e000 | 0x5a7, 0xffffffff, 0, 0), .is_tsg = 1, .id = 0x5a7,
           .length = 1, .slice_units = 1024);
    EXPECT(decode(pascal, 0xffffffff, 0, 0, 0), .is_tsg = 1, .id = 0xfff, .length = 63,
           .slice_units = 255 << 15);
}
END_TEST

START_TEST(a_channel_of_eight_bytes_has_id_and_runqueue_alone)
{
    EXPECT(decode(pascal, 0x00004000 | 0x123, 0x00012345, 0, 0), .id = 0x123, .runqueue = 1);
    EXPECT(decode(pascal, 0xffffdfff, 0xffffffff, 0, 0), .id = 0xfff, .runqueue = 1);
}
END_TEST

/* ---- Volta and Turing ------------------------------------------------------------------------ */

START_TEST(a_tsg_of_sixteen_bytes_has_its_slice_in_the_first_dword)
{
    EXPECT(decode(volta, 0x80030001, 0x00000002, 0x00000abc, 0), .is_tsg = 1, .id = 0xabc,
           .length = 2, .slice_units = 1024);
    EXPECT(decode(turing, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff), .is_tsg = 1, .id = 0xfff,
           .length = 255, .slice_units = 255 << 15);
}
END_TEST

START_TEST(volta_and_turing_drop_the_pointers)
{
    EXPECT(decode(volta, 0xabcdefa2, 0x12, 0x98765432, 0x1), .id = 0x432, .runqueue = 1);
    EXPECT(decode(turing, 0xabcdefa0, 0x12, 0x98765fff, 0x1), .id = 0xfff);
}
END_TEST

/* ---- Ampere ---------------------------------------------------------------------------------- */

START_TEST(ampere_takes_the_pointers_and_ids_of_eleven_bits)
{
    /* INST_TARGET system memory coherent (2), USERD_TARGET video memory (0) */
    EXPECT(decode(ampere, 0xabcdef22, 0xffffff12, 0x98765fff, 0x1), .id = 0x7ff, .runqueue = 1,
           .userd_address = 0x12abcdef00, .userd_aperture = MEMORY_VRAM,
           .inst_address = 0x198765000, .inst_aperture = MEMORY_SYSMEM);
    /* ... and the other way round; target 1 is video memory too. */
    EXPECT(decode(ampere, 0x000002d0, 0, 0x00001801, 0), .id = 1, .userd_address = 0x200,
           .userd_aperture = MEMORY_SYSMEM, .inst_address = 0x1000, .inst_aperture = MEMORY_VRAM);
    EXPECT(decode(ampere, 0x00020001, 1, 0xffffffff, 0xffffffff), .is_tsg = 1, .id = 0x7ff,
           .length = 1, .slice_units = 1);
}
END_TEST

/* ---- slices ---------------------------------------------------------------------------------- */

/* T.B1: (timeout << scale) * 1024 ns, and 0 is one unit: facts of tu104 dev_ram. */
START_TEST(a_timeslice_is_counted_in_units_of_1024_ns)
{
    ck_assert_uint_eq(nv_runlist_slice_units(128, 3), 1024);
    ck_assert_uint_eq(nv_runlist_slice_units(250, 2), 1000);
    ck_assert_uint_eq(nv_runlist_slice_units(250, 3), 2000);
    ck_assert_uint_eq(nv_runlist_slice_units(162, 3), 1296);
    ck_assert_uint_eq(nv_runlist_slice_units(0, 15), 1);
    ck_assert_uint_eq(nv_runlist_slice_units(255, 15), 8355840);
    ck_assert_uint_eq(decode(volta, 0x80030001, 1, 0, 0).timeslice_ps, 1048576000);
}
END_TEST

/* ---- there and back -------------------------------------------------------------------------- */

/* A field with as much of the value as fits. */
#define CUT(word, field, value)                                                                    \
    REG_PUT((word), field, reg_get((uint32_t)(value), field##_HI - field##_LO, 0))

static void encode_gk104(const struct nv_runlist_entry *entry, uint32_t timeout, uint32_t scale,
                         uint32_t *words)
{
    words[0] = CUT(0, NV_RAMRL_ENTRY_ID, entry->id);
    words[0] = REG_PUT(words[0], NV_RAMRL_ENTRY_TYPE, entry->is_tsg);
    if (!entry->is_tsg) {
        words[0] = CUT(words[0], NV_RAMRL_ENTRY_CHAN_RUNQUEUE, entry->runqueue);
        words[1] = (uint32_t)(entry->inst_address >> 12);
        return;
    }
    words[0] = CUT(words[0], NV_RAMRL_ENTRY_TSG_LENGTH, entry->length);
    words[0] = CUT(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_TIMEOUT, timeout);
    words[0] = CUT(words[0], NV_RAMRL_ENTRY_TSG_TIMESLICE_SCALE, scale);
}

static uint32_t target(enum memory_aperture aperture)
{
    return aperture == MEMORY_SYSMEM ? 2 : 0;
}

static void encode_gv100(const struct nv_runlist_entry *entry, uint32_t timeout, uint32_t scale,
                         uint32_t *words)
{
    words[0] = REG_PUT(0, NV_RAMRL_GV100_ENTRY_TYPE, entry->is_tsg);
    words[2] = CUT(0, NV_RAMRL_GV100_ENTRY_ID, entry->id);
    if (entry->is_tsg) {
        words[0] = CUT(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_TIMEOUT, timeout);
        words[0] = CUT(words[0], NV_RAMRL_GV100_ENTRY_TSG_TIMESLICE_SCALE, scale);
        words[1] = CUT(0, NV_RAMRL_GV100_ENTRY_TSG_LENGTH, entry->length);
        return;
    }
    words[0] = CUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_RUNQUEUE, entry->runqueue);
    words[0] =
        REG_PUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_INST_TARGET, target(entry->inst_aperture));
    words[0] =
        REG_PUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_USERD_TARGET, target(entry->userd_aperture));
    words[0] = CUT(words[0], NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_LO, entry->userd_address >> 8);
    words[1] = CUT(0, NV_RAMRL_GV100_ENTRY_CHAN_USERD_PTR_HI, entry->userd_address >> 32);
    words[2] = CUT(words[2], NV_RAMRL_GV100_ENTRY_CHAN_INST_PTR_LO, entry->inst_address >> 12);
    words[3] = (uint32_t)(entry->inst_address >> 32);
}

static void encode(const struct nv_generation *generation, const struct nv_runlist_entry *entry,
                   uint32_t timeout, uint32_t scale, uint32_t words[NV_RUNLIST_ENTRY_WORDS])
{
    for (uint32_t i = 0; i < NV_RUNLIST_ENTRY_WORDS; i++)
        words[i] = 0;
    if (generation->runlist_form == NV_RUNLIST_FORM_GK104)
        encode_gk104(entry, timeout, scale, words);
    else
        encode_gv100(entry, timeout, scale, words);
}

/* PROMISE (nvidia): Entries of runlists are decoded in the form of each generation. */
START_TEST(what_is_encoded_is_decoded_in_every_form)
{
    const struct nv_generation *const forms[] = {pascal, volta, turing, ampere};
    const struct nv_generation *form = forms[_i];
    struct random_state random;

    random_seed(&random, 7, 0);
    for (uint32_t n = 0; n < 1000; n++) {
        const bool is_tsg = random_next(&random) & 1, points = form == ampere && !is_tsg;
        const uint32_t timeout = random_next(&random) & 0xff, scale = random_next(&random) & 0xf;
        uint32_t words[NV_RUNLIST_ENTRY_WORDS];
        struct nv_runlist_entry back,
            entry = {
                .is_tsg = is_tsg,
                .id = random_next(&random) & (form == ampere ? 0x7ff : 0xfff),
                .runqueue = is_tsg ? 0 : random_next(&random) & 1,
                .length = is_tsg ? random_next(&random) & (form == pascal ? 0x3f : 0xff) : 0,
                .slice_units = is_tsg ? nv_runlist_slice_units(timeout, scale) : 0,
                .inst_address = points ? (uint64_t)random_next(&random) << 12 : 0,
                .userd_address = points ? ((uint64_t)random_next(&random) << 8) & 0xffffffffff : 0,
                .inst_aperture = points && n & 1 ? MEMORY_SYSMEM : 0,
                .userd_aperture = points && n & 2 ? MEMORY_SYSMEM : 0,
            };

        encode(form, &entry, timeout, scale, words);
        nv_runlist_entry_decode(form, words, &back);
        expect(back, entry);
    }
}
END_TEST

Suite *nv_runlist_entry_suite(void)
{
    Suite *suite = suite_create("nv_runlist_entry");
    TCase *test = tcase_create("nv_runlist_entry");

    tcase_add_checked_fixture(test, set_up, NULL);
    tcase_add_test(test, a_tsg_of_eight_bytes_has_id_length_and_slice);
    tcase_add_test(test, a_channel_of_eight_bytes_has_id_and_runqueue_alone);
    tcase_add_test(test, a_tsg_of_sixteen_bytes_has_its_slice_in_the_first_dword);
    tcase_add_test(test, volta_and_turing_drop_the_pointers);
    tcase_add_test(test, ampere_takes_the_pointers_and_ids_of_eleven_bits);
    tcase_add_test(test, a_timeslice_is_counted_in_units_of_1024_ns);
    tcase_add_loop_test(test, what_is_encoded_is_decoded_in_every_form, 0, 4);
    suite_add_tcase(suite, test);
    return suite;
}
