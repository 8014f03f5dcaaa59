/* SPDX-License-Identifier: MIT */
/* Logs of AMD's GPUs as tracks: queues with their packets, slots, CUs; and as text. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_mec_tables.h"
#include "emu/views/text/show_text.h"
#include "firmware-models/hip/hip_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "tests/golden_text.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

static const struct show_track *track_of(const struct loaded *loaded, enum show_track_kind kind,
                                         uint32_t id)
{
    for (uint32_t t = 0; t < loaded->show.track_count; t++)
        if (loaded->show.tracks[t].kind == kind && loaded->show.tracks[t].id == id)
            return &loaded->show.tracks[t];
    return NULL;
}

static uint32_t count_of(const struct show_track *track, enum show_item_kind kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < track->item_count; i++)
        count += track->items[i].kind == kind;
    return count;
}

/* The N-th item of a kind. */
static const struct show_item *item_of(const struct show_track *track, enum show_item_kind kind,
                                       uint32_t n)
{
    ck_assert_ptr_nonnull(track);
    for (uint32_t i = 0; i < track->item_count; i++)
        if (track->items[i].kind == kind && n-- == 0)
            return &track->items[i];
    ck_abort_msg("%s has no such item", track->name);
}

static void lasts(const struct show_item *item, gfe_ps from_ps, gfe_ps to_ps)
{
    ck_assert_uint_eq(item->begin_ps, from_ps);
    ck_assert_uint_eq(item->end_ps, to_ps);
}

START_TEST(a_slot_shows_its_queues)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    const struct show_track *slot = track_of(&loaded, SHOW_SLOT, 2);
    ck_assert_str_eq(slot->name, "ACE 0.2");
    lasts(item_of(slot, SHOW_LOADING, 0), US(1), US(3));
    lasts(item_of(slot, SHOW_LOADED, 0), US(3), US(36));
    ck_assert_uint_eq(item_of(slot, SHOW_LOADED, 0)->number, 1024);
    lasts(item_of(slot, SHOW_LEAVING, 0), US(30), US(36));
    lasts(item_of(slot, SHOW_SAVING, 0), US(32), US(36));
    slot = track_of(&loaded, SHOW_SLOT, 11);
    lasts(item_of(slot, SHOW_LOADED, 0), US(40), US(64));
    ck_assert_uint_eq(item_of(slot, SHOW_LOADED, 0)->unfinished, 1);
    lasts(item_of(slot, SHOW_RESTORING, 0), US(40), US(45));
    ck_assert_str_eq(track_of(&loaded, SHOW_SLOT, 32)->name, "MEC2 0.0");
    unload(&loaded);
}
END_TEST

START_TEST(a_queue_shows_its_packets)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    const struct show_track *queue = track_of(&loaded, SHOW_CHANNEL, 1024);
    ck_assert_str_eq(queue->name, "queue 1024");
    lasts(item_of(queue, SHOW_IN_RING, 0), US(10), US(61)); /* two packets, one after the other */
    lasts(item_of(queue, SHOW_OPERATION, 0), US(12), US(32));
    lasts(item_of(queue, SHOW_OPERATION, 1), US(45), US(60));
    lasts(item_of(queue, SHOW_DISPATCHING, 0), US(12), US(20));
    lasts(item_of(queue, SHOW_PACKET, 0), US(61), US(64));
    ck_assert_uint_eq(item_of(queue, SHOW_PACKET, 0)->number, 3);
    ck_assert_uint_eq(count_of(queue, SHOW_PACKET), 1);
    ck_assert_uint_eq(count_of(queue, SHOW_DOORBELL), 1);
    ck_assert_uint_eq(count_of(queue, SHOW_RELEASE), 2);
    /* The dispatch is of the queue, though its events name slots. */
    ck_assert_uint_eq(loaded.show.operations[0].channel_id, 1024);
    unload(&loaded);
}
END_TEST

/* Two waits for room that overlap are one on the track; both are in the list. */
START_TEST(waits_of_blocks_join)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    const struct show_track *queue = track_of(&loaded, SHOW_CHANNEL, 1024);
    ck_assert_uint_eq(count_of(queue, SHOW_WAIT), 3);
    lasts(item_of(queue, SHOW_WAIT, 0), US(12), US(20)); /* A.D5 */
    lasts(item_of(queue, SHOW_WAIT, 1), US(12), US(62)); /* A.Q3, the queue's own */
    lasts(item_of(queue, SHOW_WAIT, 2), US(32), US(45)); /* AMD.CWSR */
    ck_assert_uint_eq(loaded.show.wait_count, 4);
    unload(&loaded);
}
END_TEST

/* What has nothing on it has no track; the driver's own queue tells nothing of its dwords. */
START_TEST(there_are_no_empty_queues_and_no_engine_of_grids)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    ck_assert_ptr_null(track_of(&loaded, SHOW_CHANNEL, 1025));
    ck_assert_ptr_null(track_of(&loaded, SHOW_CHANNEL, 1));
    ck_assert_ptr_null(track_of(&loaded, SHOW_GR, 0));
    ck_assert_str_eq(track_of(&loaded, SHOW_CE, 1)->name, "SDMA 1");
    ck_assert_str_eq(track_of(&loaded, SHOW_SM, 4)->name, "CU 1.1");
    ck_assert_uint_eq(count_of(track_of(&loaded, SHOW_THREAD, 0), SHOW_DOORBELL), 1);
    ck_assert_uint_eq(count_of(track_of(&loaded, SHOW_THREAD, 0), SHOW_SUBMIT), 0);
    unload(&loaded);
}
END_TEST

/* Logs may say anything. */
START_TEST(absurd_logs_are_refused_or_drawn)
{
    static const struct {
        uint32_t kind, argument_count;
        uint64_t arguments[7];
        const char *message; /* NULL: it is drawn */
    } rows[] = {
        {EVENT_AMD_QUEUE_LOAD, 4, {UINT64_MAX, 5, 8, 1}, "no machine has so many"},
        {EVENT_AMD_QUEUE_LOAD, 4, {2, UINT64_MAX, 8, 1}, "no machine has so many"},
        {EVENT_HWS_MAP, 4, {1, 1, UINT64_MAX, 0}, "no micro engine has such a slot"},
        {EVENT_HWS_PREEMPT, 4, {1, 1, 0, 8}, "no micro engine has such a slot"},
        {EVENT_AMD_QUEUE_LEAVE, 2, {3, 5}, NULL},
        {EVENT_AMD_QUEUE_SAVE, 6, {3, 5, 0, 0, 0, UINT64_MAX}, NULL},
        {EVENT_AMD_QUEUE_RESTORE, 6, {3, 5, 0, 0, 0, UINT64_MAX}, NULL},
        {EVENT_AMD_PACKET, 5, {3, 5, UINT64_MAX, 1, 77}, NULL},
        {EVENT_AMD_PACKET_END, 3, {3, 5, 9}, NULL},
        {EVENT_AMD_DOORBELL, 3, {5, 3, UINT64_MAX}, NULL},
        {EVENT_HIP_SUBMIT, 3, {0, 5, UINT64_MAX}, NULL},
        {EVENT_GRID_DISPATCHED, 1, {99}, "nothing was queued"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct loaded loaded;
        struct gfe_error error = {0};
        char *head = log_fixture_amd_head("3 2");
        log_fixture_begin_with(&loaded.fixture, head);
        free(head);
        for (uint32_t times = 0; times < 2; times++)
            log_fixture_add(&loaded.fixture, US(1 + times), rows[i].kind, RULE_NONE,
                            rows[i].argument_count, rows[i].arguments);
        log_fixture_end(&loaded.fixture);
        loaded.log = event_log_open(loaded.fixture.path, &error);
        ck_assert_ptr_nonnull(loaded.log);
        const bool good = show_load(&loaded.show, loaded.log, 0, GFE_PS_NEVER, &error);
        ck_assert_msg(good == (rows[i].message == NULL), "row %zu: %s", i, error.text);
        if (!good)
            ck_assert_msg(strstr(error.text, rows[i].message) != NULL, "%s", error.text);
        else
            show_fini(&loaded.show);
        event_log_close(loaded.log);
        log_fixture_remove(&loaded.fixture);
    }
}
END_TEST

START_TEST(text_has_queues_slots_engines_and_cus)
{
    const struct show_text_options options = {.width = 90, .ascii = true, .to_scale = true};
    struct loaded loaded;
    struct gfe_error error = {0};
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);

    load_amd(&loaded, "3 2");
    ck_assert_msg(show_text(file, &loaded.show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    golden_text_check("show_amd.txt", text, bytes);
    free(text);
    unload(&loaded);
}
END_TEST

Suite *show_amd_suite(void)
{
    Suite *suite = suite_create("show_amd");
    TCase *tracks = tcase_create("tracks");

    tcase_add_test(tracks, a_slot_shows_its_queues);
    tcase_add_test(tracks, a_queue_shows_its_packets);
    tcase_add_test(tracks, waits_of_blocks_join);
    tcase_add_test(tracks, there_are_no_empty_queues_and_no_engine_of_grids);
    tcase_add_test(tracks, absurd_logs_are_refused_or_drawn);
    tcase_add_test(tracks, text_has_queues_slots_engines_and_cus);
    suite_add_tcase(suite, tracks);
    return suite;
}
