/* SPDX-License-Identifier: MIT */
/*
 * Packets, byte for byte.  Numbers of fields are those of the Perfetto project's
 * trace_packet.proto, track_event.proto, track_descriptor.proto, interned_data.proto and
 * debug_annotation.proto; what a reader makes of whole traces tests/test_perfetto_reader.sh looks
 * at.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/perfetto/perfetto.h"
#include "tests/suites.h"

static struct perfetto perfetto;
static char *text;
static size_t size;
static FILE *file;

static void begin(void)
{
    text = NULL;
    file = open_memstream(&text, &size);
    ck_assert_ptr_nonnull(file);
    ck_assert(perfetto_init(&perfetto, file));
    perfetto.out.at = perfetto.out.bytes; /* what begins every trace has a test of its own */
}

static void end(void)
{
    perfetto_fini(&perfetto);
    ck_assert_int_eq(fclose(file), 0);
    free(text);
}

/* Just these bytes have been written since begin(). */
static void expect(const void *expected, size_t count)
{
    ck_assert_uint_eq((size_t)(perfetto.out.at - perfetto.out.bytes), count);
    ck_assert_mem_eq(perfetto.out.bytes, expected, count);
}
#define EXPECT(string) expect(string, sizeof string - 1)

START_TEST(a_trace_begins_with_a_sequence_that_knows_no_names)
{
    text = NULL;
    file = open_memstream(&text, &size);
    ck_assert(perfetto_init(&perfetto, file));
    EXPECT("\x0a\x87\0"
           "\x50\1"
           "\x68\1"
           "\xb8\5\1");
    ck_assert_uint_eq(perfetto.epoch, 1);
    end();
}
END_TEST

START_TEST(names_can_be_forgotten)
{
    begin();
    perfetto_forget(&perfetto);
    EXPECT("\x0a\x84\0"
           "\x50\1"
           "\x68\1");
    ck_assert_uint_eq(perfetto.epoch, 2);
    end();
}
END_TEST

START_TEST(a_name_is_a_number_and_a_text_in_its_table)
{
    begin();
    perfetto_define(&perfetto, PERFETTO_NAMES, 7, "K1");
    EXPECT("\x0a\x91\0"
           "\x50\1"
           "\x68\2"
           "\x62\x8a\0"
           "\x12\x87\0"
           "\x08\7"
           "\x12\x82\0K1");
    end();
}
END_TEST

START_TEST(a_text_has_a_table_beyond_fifteen)
{
    begin();
    perfetto_define(&perfetto, PERFETTO_TEXTS, 300, "x");
    EXPECT("\x0a\x92\0"
           "\x50\1"
           "\x68\2"
           "\x62\x8b\0"
           "\xea\1\x87\0"
           "\x08\xac\2"
           "\x12\x81\0x");
    end();
}
END_TEST

START_TEST(a_slice_has_a_begin_with_its_name_and_an_end)
{
    struct perfetto_event event;

    begin();
    event = perfetto_event(&perfetto, 5999, PERFETTO_BEGIN, perfetto_track_number(3));
    perfetto_name(&event, 7, 1);
    perfetto_note(&event, 2, 300);
    perfetto_done(&perfetto, &event);
    event = perfetto_event(&perfetto, 6000, PERFETTO_END, perfetto_track_number(3));
    perfetto_done(&perfetto, &event);
    EXPECT("\x0a\x98\0"
           "\x40\5"
           "\x50\1"
           "\x68\2"
           "\x5a\x8f\0"
           "\x48\1"
           "\x58\3"
           "\x50\7"
           "\x18\1"
           "\x22\5"
           "\x08\2"
           "\x18\xac\2"
           "\x0a\x8d\0"
           "\x40\6"
           "\x50\1"
           "\x68\2"
           "\x5a\x84\0"
           "\x48\2"
           "\x58\3");
    ck_assert_uint_eq(perfetto.packet_count, 3);
    end();
}
END_TEST

/* The bytes of an event, with its name and an annotation put in as pieces or one by one. */
static size_t event_with(bool as_pieces, uint64_t number, uint8_t to[64])
{
    struct perfetto_event event;
    size_t count;

    begin();
    event = perfetto_event(&perfetto, 1000, PERFETTO_BEGIN, perfetto_track_number(number >> 16));
    if (as_pieces) {
        const struct perfetto_piece name = perfetto_piece_name(number, 127);
        const struct perfetto_piece note = perfetto_piece_note((uint32_t)number % 16384, number);
        perfetto_put(&event, &name);
        perfetto_put(&event, &note);
    } else {
        perfetto_name(&event, number, 127);
        perfetto_note(&event, (uint32_t)number % 16384, number);
    }
    perfetto_done(&perfetto, &event);
    count = (size_t)(perfetto.out.at - perfetto.out.bytes);
    ck_assert_uint_le(count, 64);
    memcpy(to, perfetto.out.bytes, count);
    end();
    return count;
}

START_TEST(pieces_are_what_is_written_without_them)
{
    static const uint64_t numbers[] = {0, 1, 127, 128, 16383, 16384, UINT64_MAX};

    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        uint8_t pieces[64], parts[64];
        const size_t count = event_with(false, numbers[i], parts);

        ck_assert_uint_eq(event_with(true, numbers[i], pieces), count);
        ck_assert_mem_eq(pieces, parts, count);
    }
}
END_TEST

START_TEST(annotations_have_the_types_that_viewers_tell_apart)
{
    struct perfetto_event event;

    begin();
    event = perfetto_event(&perfetto, 0, PERFETTO_INSTANT, perfetto_track_number(1));
    perfetto_note_flag(&event, 1);
    perfetto_note_address(&event, 1, 16);
    perfetto_note_text(&event, 1, 2);
    perfetto_note_string(&event, 1, "K1");
    perfetto_done(&perfetto, &event);
    EXPECT("\x0a\xaa\0"
           "\x40\0"
           "\x50\1"
           "\x68\2"
           "\x5a\xa1\0"
           "\x48\3"
           "\x58\1"
           "\x22\4"
           "\x08\1"
           "\x10\1"
           "\x22\4"
           "\x08\1"
           "\x38\x10"
           "\x22\5"
           "\x08\1"
           "\x88\1\2"
           "\x22\x87\0"
           "\x08\1"
           "\x32\x82\0K1");
    end();
}
END_TEST

START_TEST(the_largest_annotation_fits_its_length)
{
    struct perfetto_event event;

    begin();
    event = perfetto_event(&perfetto, 0, PERFETTO_INSTANT, perfetto_track_number(1));
    const uint8_t *from = event.to;
    perfetto_note_text(&event, UINT32_MAX, UINT64_MAX);
    ck_assert_uint_eq(from[1], (size_t)(event.to - from) - 2);
    ck_assert_uint_lt(from[1], 0x80);
    perfetto_done(&perfetto, &event);
    end();
}
END_TEST

START_TEST(flows_and_counts_are_events_fields)
{
    struct perfetto_event event;

    begin();
    event = perfetto_event(&perfetto, 0, PERFETTO_COUNTER, perfetto_track_number(1));
    perfetto_count(&event, 2);
    perfetto_flow(&event, 1, false);
    perfetto_flow(&event, UINT64_C(1) << 56, true);
    perfetto_done(&perfetto, &event);
    EXPECT("\x0a\xa4\0"
           "\x40\0"
           "\x50\1"
           "\x68\2"
           "\x5a\x9b\0"
           "\x48\4"
           "\x58\1"
           "\xf0\1\2"
           "\xf9\2\1\0\0\0\0\0\0\0"
           "\x81\3\0\0\0\0\0\0\0\1");
    end();
}
END_TEST

START_TEST(tracks_say_what_they_are_and_whose_children)
{
    begin();
    perfetto_track(&perfetto, 0,
                   &(struct perfetto_track){.number = perfetto_track_number(1),
                                            .kind = PERFETTO_TRACK_PROCESS,
                                            .name = "p",
                                            .pid = 9});
    EXPECT("\x0a\x93\0"
           "\x40\0"
           "\x50\1"
           "\xe2\3\x8b\0"
           "\x08\1"
           "\x1a\x86\0"
           "\x08\x09"
           "\x32\x81\0p");
    perfetto.out.at = perfetto.out.bytes;
    perfetto_track(&perfetto, 0,
                   &(struct perfetto_track){.number = perfetto_track_number(2),
                                            .parent = perfetto_track_number(1),
                                            .kind = PERFETTO_TRACK_THREAD,
                                            .name = "t",
                                            .pid = 9,
                                            .tid = 8});
    EXPECT("\x0a\x97\0"
           "\x40\0"
           "\x50\1"
           "\xe2\3\x8f\0"
           "\x08\2"
           "\x28\1"
           "\x22\x88\0"
           "\x08\x09"
           "\x10\x08"
           "\x2a\x81\0t");
    perfetto.out.at = perfetto.out.bytes;
    perfetto_track(&perfetto, 0,
                   &(struct perfetto_track){.number = perfetto_track_number(3),
                                            .kind = PERFETTO_TRACK_COUNTER,
                                            .name = "c"});
    EXPECT("\x0a\x93\0"
           "\x40\0"
           "\x50\1"
           "\xe2\3\x8b\0"
           "\x08\3"
           "\x12\x81\0c"
           "\x42\x82\0"
           "\x18\2");
    perfetto.out.at = perfetto.out.bytes;
    perfetto_track(&perfetto, 0,
                   &(struct perfetto_track){
                       .number = perfetto_track_number(4), .name = "n", .rank = 5, .orders = true});
    EXPECT("\x0a\x92\0"
           "\x40\0"
           "\x50\1"
           "\xe2\3\x8a\0"
           "\x08\4"
           "\x12\x81\0n"
           "\x58\3"
           "\x60\5");
    end();
}
END_TEST

START_TEST(a_long_name_is_cut)
{
    char *name = malloc(1 << 20);

    memset(name, 'x', 1 << 20);
    name[(1 << 20) - 1] = 0;
    begin();
    perfetto_define(&perfetto, PERFETTO_NAMES, 7, name);
    ck_assert_uint_lt((size_t)(perfetto.out.at - perfetto.out.bytes), PERFETTO_TEXT_MAX + 40);
    end();
    free(name);
}
END_TEST

Suite *perfetto_suite(void)
{
    Suite *suite = suite_create("perfetto");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, a_trace_begins_with_a_sequence_that_knows_no_names);
    tcase_add_test(tcase, names_can_be_forgotten);
    tcase_add_test(tcase, a_name_is_a_number_and_a_text_in_its_table);
    tcase_add_test(tcase, a_text_has_a_table_beyond_fifteen);
    tcase_add_test(tcase, a_slice_has_a_begin_with_its_name_and_an_end);
    tcase_add_test(tcase, pieces_are_what_is_written_without_them);
    tcase_add_test(tcase, annotations_have_the_types_that_viewers_tell_apart);
    tcase_add_test(tcase, the_largest_annotation_fits_its_length);
    tcase_add_test(tcase, flows_and_counts_are_events_fields);
    tcase_add_test(tcase, tracks_say_what_they_are_and_whose_children);
    tcase_add_test(tcase, a_long_name_is_cut);
    suite_add_tcase(suite, tcase);
    return suite;
}
