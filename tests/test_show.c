/* SPDX-License-Identifier: MIT */
/* The model of a log's picture, and its two drawings. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/program/cmd.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "tests/fuzz/fuzz_log.h"
#include "tests/golden_text.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

/* ---- helpers --------------------------------------------------------------------------------- */

static const struct show_track *track(const struct loaded *loaded, enum show_track_kind kind,
                                      uint32_t id)
{
    for (uint32_t t = 0; t < loaded->show.track_count; t++)
        if (loaded->show.tracks[t].kind == kind && loaded->show.tracks[t].id == id)
            return &loaded->show.tracks[t];
    ck_abort_msg("no track of kind %d with number %u", (int)kind, id);
}

static uint32_t items_of(const struct show_track *track, uint8_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < track->item_count; i++)
        count += track->items[i].kind == kind;
    return count;
}

static char *text_of(const struct show *show, const struct show_text_options *options,
                     size_t *bytes)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    struct gfe_error error = {0};

    ck_assert_msg(show_text(file, show, options, &error), "%s", error.text);
    fclose(file);
    return text;
}

static char *svg_of(const struct show *show, const struct show_svg_options *options, size_t *bytes)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, bytes);
    struct gfe_error error = {0};

    ck_assert_msg(show_svg(file, show, options, &error), "%s", error.text);
    fclose(file);
    return text;
}

/* Runs xmllint over the text; where there is none, the check is left out. */
static void assert_well_formed(const char *svg)
{
    if (system("xmllint --version >/dev/null 2>&1") != 0)
        return;
    FILE *lint = popen("xmllint --noout --nonet - >/dev/null 2>&1", "w");
    ck_assert_ptr_nonnull(lint);
    fputs(svg, lint);
    ck_assert_int_eq(pclose(lint), 0);
}

/* What show_load() says about a log that it refuses. */
static const char *refusal(struct log_fixture *fixture)
{
    static struct gfe_error error;
    struct show show;

    log_fixture_end(fixture);
    struct event_log_reader *log = event_log_open(fixture->path, NULL);
    ck_assert_ptr_nonnull(log);
    error = (struct gfe_error){0};
    ck_assert(!show_load(&show, log, 0, GFE_PS_NEVER, &error));
    ck_assert_ptr_null(strchr(error.text, '\n'));
    event_log_close(log);
    log_fixture_remove(fixture);
    return error.text;
}

static void assert_has(const char *text, const char *part)
{
    ck_assert_msg(strstr(text, part) != NULL, "'%s' is not in\n%s", part, text);
}

/* ---- the model ------------------------------------------------------------------------------- */

START_TEST(tracks_hold_what_happened_on_them)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_compute);
    ck_assert_uint_eq(loaded.show.track_count, 9);
    const struct show_track *thread = track(&loaded, SHOW_THREAD, 0);
    ck_assert_uint_eq(items_of(thread, SHOW_SUBMIT), 2);
    ck_assert_uint_eq(items_of(thread, SHOW_CPU_WAIT), 1);
    const struct show_track *channel = track(&loaded, SHOW_CHANNEL, 2);
    ck_assert_uint_eq(items_of(channel, SHOW_OPERATION), 4);
    ck_assert_uint_eq(items_of(channel, SHOW_QUEUED), 2);
    ck_assert_uint_eq(items_of(channel, SHOW_WAIT), 2);
    ck_assert_uint_eq(items_of(channel, SHOW_DOORBELL), 2);
    ck_assert_uint_eq(items_of(channel, SHOW_INLINE_WRITE), 1);
    ck_assert_uint_eq(items_of(channel, SHOW_RELEASE), 2);
    const struct show_track *pbdma = track(&loaded, SHOW_PBDMA, 0);
    ck_assert_uint_eq(items_of(pbdma, SHOW_SEGMENT), 4);
    ck_assert_uint_eq(items_of(pbdma, SHOW_LOADED), 2);
    ck_assert_uint_eq(items_of(pbdma, SHOW_LOADING), 2);
    ck_assert_uint_eq(pbdma->items[0].end_ps - pbdma->items[0].begin_ps, NS(500));
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_GR, 0), SHOW_OPERATION), 3);
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_CE, 1), SHOW_OPERATION), 1);
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_SM, 0), SHOW_BLOCK), 8 + 2);
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_SM, 3), SHOW_BLOCK), 7 + 1);
    unload(&loaded);
}
END_TEST

/* A PBDMA fetches ahead: the next segment is worked on from where the one before ended. */
START_TEST(segments_follow_one_another)
{
    struct loaded loaded;
    gfe_ps last_end = 0;

    load_scene(&loaded, log_scene_compute);
    const struct show_track *pbdma = track(&loaded, SHOW_PBDMA, 0);
    for (uint32_t i = 0; i < pbdma->item_count; i++) {
        const struct show_item *item = &pbdma->items[i];
        if (item->kind != SHOW_SEGMENT)
            continue;
        ck_assert_uint_ge(item->begin_ps, last_end);
        ck_assert_uint_lt(item->begin_ps, item->end_ps);
        last_end = item->end_ps;
    }
    unload(&loaded);
}
END_TEST

/* Figure 3 of Amert et al. 2017: blocks of a SM never cover each other and stand as low as they
 * can. */
START_TEST(blocks_are_stacked_by_their_threads)
{
    static const struct {
        uint32_t grid, block, bottom, height;
    } wanted[] = {{0, 0, 0, 768},    {0, 2, 768, 768}, {0, 4, 0, 768},    {1, 0, 768, 256},
                  {1, 2, 1024, 256}, {2, 0, 0, 512},   {3, 0, 512, 1024}, {4, 0, 0, 256}};
    struct loaded loaded;

    load_scene(&loaded, log_scene_paper);
    const struct show_track *sm = track(&loaded, SHOW_SM, 0);
    ck_assert_uint_eq(sm->item_count, 8);
    ck_assert_uint_eq(sm->top, 1536);
    ck_assert_uint_eq(sm->threads_top, 1536);
    for (uint32_t i = 0; i < sm->item_count; i++) {
        ck_assert_uint_eq(sm->items[i].operation, wanted[i].grid);
        ck_assert_uint_eq(sm->items[i].number, wanted[i].block);
        ck_assert_uint_eq(sm->items[i].bottom, wanted[i].bottom);
        ck_assert_uint_eq(sm->items[i].height, wanted[i].height);
    }
    unload(&loaded);
}
END_TEST

START_TEST(what_overlaps_gets_lanes_of_its_own)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_paper);
    const struct show_track *gr = track(&loaded, SHOW_GR, 0);
    ck_assert_uint_eq(gr->lane_count, 3);
    for (uint32_t i = 0; i < gr->item_count; i++)
        for (uint32_t j = 0; j < i; j++)
            ck_assert(gr->items[i].lane != gr->items[j].lane ||
                      gr->items[j].end_ps <= gr->items[i].begin_ps);
    unload(&loaded);
}
END_TEST

START_TEST(a_window_keeps_what_it_touches)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    log_scene_compute(&loaded.fixture);
    load(&loaded, MS(20), MS(26) + US(131));
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_THREAD, 0), SHOW_SUBMIT), 1);
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_CHANNEL, 2), SHOW_OPERATION), 0);
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_CHANNEL, 2), SHOW_DOORBELL), 1);
    /* Operations keep their names, whatever the window. */
    char name[16];
    show_operation_name(&loaded.show, &loaded.show.operations[loaded.show.operation_count - 1],
                        name, sizeof name);
    ck_assert_str_eq(name, "K2");
    unload(&loaded);
}
END_TEST

START_TEST(what_has_not_ended_lasts_to_the_end)
{
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, US(1), EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 32, 0, 8, 0, 0);
    LOG_ADD(&loaded.fixture, US(2), EVENT_GRID_START, RULE_NONE, 1, 0);
    LOG_ADD(&loaded.fixture, US(2), EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&loaded.fixture, US(9), EVENT_NV_MMU_FAULT, RULE_NONE, 0, 0x1000, 2, 1, 0);
    load(&loaded, 0, GFE_PS_NEVER);
    const struct show_item *block = &track(&loaded, SHOW_SM, 0)->items[0];
    ck_assert_uint_eq(block->end_ps, US(9));
    ck_assert_uint_eq(block->unfinished, 1);
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_CHANNEL, 0), SHOW_ERROR), 1);
    unload(&loaded);
}
END_TEST

/* A block in two pieces, at the same height, and another context's block in its place between them.
 */
START_TEST(suspended_work_is_drawn_in_pieces)
{
    struct loaded loaded;
    const struct show_track *sm, *channel;

    log_fixture_begin(&loaded.fixture);
    for (uint64_t i = 1; i <= 2; i++) {
        LOG_ADD(&loaded.fixture, US(1), EVENT_GRID_QUEUE, RULE_T_Q, i, i, 2, 32, 0, 8, 0, 0);
        LOG_ADD(&loaded.fixture, US(1), EVENT_GRID_START, RULE_NONE, i, i);
        if (i == 1)
            LOG_ADD(&loaded.fixture, US(1), EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    }
    LOG_ADD(&loaded.fixture, US(2), EVENT_BLOCK_START, RULE_NONE, 1, 1, 0, 1);
    LOG_ADD(&loaded.fixture, US(3), EVENT_GRID_SUSPEND, RULE_T_P1, 1, 1, 2);
    LOG_ADD(&loaded.fixture, US(4), EVENT_BLOCK_START, RULE_NONE, 2, 0, 0, 0);
    LOG_ADD(&loaded.fixture, US(5), EVENT_GRID_SUSPEND, RULE_T_P1, 2, 2, 1);
    LOG_ADD(&loaded.fixture, US(6), EVENT_GRID_RESUME, RULE_T_P1, 1, 1, US(3), 2);
    LOG_ADD(&loaded.fixture, US(7), EVENT_BLOCK_END, RULE_NONE, 1, 0, 0, 0);
    LOG_ADD(&loaded.fixture, US(8), EVENT_BLOCK_END, RULE_NONE, 1, 1, 0, 1);
    LOG_ADD(&loaded.fixture, US(8), EVENT_GRID_END, RULE_NONE, 1, 1, US(1), US(1));
    load(&loaded, 0, GFE_PS_NEVER);
    sm = track(&loaded, SHOW_SM, 0);
    channel = track(&loaded, SHOW_CHANNEL, 1);
    ck_assert_uint_eq(items_of(sm, SHOW_BLOCK), 5);
    ck_assert_uint_eq(sm->top, 64);
    for (uint32_t i = 0; i < 5; i++) {
        static const gfe_ps times[5][2] = {{1, 3}, {2, 3}, {4, 5}, {6, 7}, {6, 8}};
        static const uint32_t bottoms[5] = {0, 32, 0, 0, 32};

        ck_assert_uint_eq(sm->items[i].begin_ps, times[i][0] * US(1));
        ck_assert_uint_eq(sm->items[i].end_ps, times[i][1] * US(1));
        ck_assert_uint_eq(sm->items[i].bottom, bottoms[i]);
    }
    ck_assert_uint_eq(items_of(channel, SHOW_OPERATION), 2);
    ck_assert_uint_eq(items_of(channel, SHOW_WAIT), 1);
    ck_assert_str_eq(show_rule_label(&loaded.show, loaded.show.waits[0].rule), "T.P1");
    ck_assert_uint_eq(loaded.show.waits[0].blocker_id, 2);
    unload(&loaded);
}
END_TEST

/* B.R4: two copies on one engine, in turns. */
START_TEST(suspended_copies_are_drawn_in_pieces)
{
    static const gfe_ps times[3][2] = {{1, 3}, {4, 5}, {6, 8}};
    static const uint32_t lanes[3] = {0, 1, 0};
    const struct show_track *engine;
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    for (uint64_t i = 1; i <= 2; i++)
        LOG_ADD(&loaded.fixture, US(1), EVENT_COPY_QUEUE, RULE_NONE, i, i, 6, 4096, 0, 0, 0);
    LOG_ADD(&loaded.fixture, US(1), EVENT_COPY_START, RULE_T_C2, 1, 1, 6, 4096, 8192, 0, 1);
    LOG_ADD(&loaded.fixture, US(3), EVENT_COPY_SUSPEND, RULE_NONE, 1, 1, 6, 2048);
    LOG_ADD(&loaded.fixture, US(4), EVENT_COPY_START, RULE_T_C2, 2, 2, 6, 4096, 8192, 0, 1);
    LOG_ADD(&loaded.fixture, US(5), EVENT_COPY_SUSPEND, RULE_NONE, 2, 2, 6, 1024);
    LOG_ADD(&loaded.fixture, US(6), EVENT_COPY_RESUME, RULE_NONE, 1, 1, 6, 2048, 0, 1);
    LOG_ADD(&loaded.fixture, US(8), EVENT_COPY_END, RULE_NONE, 1, 1, 6, 4096, 0);
    load(&loaded, 0, GFE_PS_NEVER);
    engine = track(&loaded, SHOW_CE, 6);
    ck_assert_uint_eq(items_of(engine, SHOW_OPERATION), 3);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(engine->items[i].begin_ps, times[i][0] * US(1));
        ck_assert_uint_eq(engine->items[i].end_ps, times[i][1] * US(1));
        ck_assert_uint_eq(engine->items[i].lane, lanes[i]);
    }
    ck_assert_uint_eq(items_of(track(&loaded, SHOW_CHANNEL, 1), SHOW_OPERATION), 2);
    unload(&loaded);
}
END_TEST

/* From Ampere on the log's number of a channel has its runlist above the channel's own. */
/* A copy that a fault ends is drawn up to the fault, although the log goes on. */
START_TEST(a_lost_copy_is_drawn_to_its_fault)
{
    struct loaded loaded;
    const struct show_track *channel, *engine;

    log_fixture_begin(&loaded.fixture);
    LOG_ADD(&loaded.fixture, US(1), EVENT_COPY_QUEUE, RULE_T_Q, 4, 1, 2, 4096, 0, 0, 0);
    LOG_ADD(&loaded.fixture, US(2), EVENT_COPY_START, RULE_NONE, 4, 1, 2, 4096);
    LOG_ADD(&loaded.fixture, US(5), EVENT_NV_MMU_FAULT, RULE_NONE, 1, 0x1000, 1, 0, 0);
    LOG_ADD(&loaded.fixture, US(9), EVENT_FENCE, RULE_NONE, 0, 0x1000, 5, 4, 1);
    load(&loaded, 0, GFE_PS_NEVER);
    channel = track(&loaded, SHOW_CHANNEL, 1);
    engine = track(&loaded, SHOW_CE, 2);
    ck_assert_uint_eq(items_of(channel, SHOW_OPERATION), 1);
    ck_assert_uint_eq(items_of(engine, SHOW_OPERATION), 1);
    ck_assert_uint_eq(engine->items[0].begin_ps, US(2));
    ck_assert_uint_eq(engine->items[0].end_ps, US(5));
    ck_assert_uint_eq(engine->items[0].unfinished, 1);
    unload(&loaded);
}
END_TEST

START_TEST(channels_of_any_runlist_have_tracks)
{
    static const uint64_t ids[] = {1, 2 << 16 | 1, 63 << 16 | 0xffff};
    struct loaded loaded;

    log_fixture_begin(&loaded.fixture);
    for (uint64_t i = 0; i < 3; i++)
        LOG_ADD(&loaded.fixture, US(1 + i), EVENT_NV_NOTIFY_PENDING, RULE_NONE, ids[i], 1);
    load(&loaded, 0, GFE_PS_NEVER);
    for (uint32_t i = 0; i < 3; i++) {
        ck_assert_uint_eq(track(&loaded, SHOW_CHANNEL, (uint32_t)ids[i])->item_count, 1);
        ck_assert_uint_eq(track(&loaded, SHOW_CHANNEL, (uint32_t)ids[i])->items[0].channel_id,
                          ids[i]);
    }
    unload(&loaded);
}
END_TEST

START_TEST(absurd_logs_are_refused_in_one_line)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_NV_CHANNEL_LOAD, RULE_NONE, 0, UINT64_MAX, 0, 0, 0);
    assert_has(refusal(&fixture), "event 0 (NV_CHANNEL_LOAD): no machine has so many");

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_NV_NOTIFY_PENDING, RULE_NONE, 1 << 22, 1);
    assert_has(refusal(&fixture), "event 0 (NV_NOTIFY_PENDING): no machine has so many");

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_BLOCK_START, RULE_NONE, 5, 0, 0, 0);
    assert_has(refusal(&fixture), "nothing was queued with number 5");

    log_fixture_begin(&fixture);
    for (int i = 0; i < 2; i++)
        LOG_ADD(&fixture, 0, EVENT_COPY_QUEUE, RULE_NONE, 7, 0, 0, 1, 0, 0, 0);
    assert_has(refusal(&fixture), "this number was given before: 7");

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, UINT32_MAX, 0, 8, 0, 0);
    LOG_ADD(&fixture, 0, EVENT_BLOCK_START, RULE_NONE, 1, 0, 0, 0);
    assert_has(refusal(&fixture), "no block has so many threads");

    log_fixture_begin(&fixture);
    LOG_ADD(&fixture, 0, EVENT_GRID_QUEUE, RULE_NONE, 1, 0, 1, 1, 0, 8, 0, 0);
    for (uint64_t i = 0; i <= SHOW_OPEN_MAX; i++)
        LOG_ADD(&fixture, 0, EVENT_BLOCK_START, RULE_NONE, 1, i, 0, 0);
    assert_has(refusal(&fixture), "too much at a time on one track");
}
END_TEST

START_TEST(an_empty_log_is_a_picture_too)
{
    struct loaded loaded;
    size_t bytes;

    log_fixture_begin(&loaded.fixture);
    load(&loaded, 0, GFE_PS_NEVER);
    char *text = text_of(&loaded.show, &(struct show_text_options){.width = 80}, &bytes);
    assert_has(text, "no submissions");
    free(text);
    char *svg = svg_of(&loaded.show, &(struct show_svg_options){.width = 800}, &bytes);
    assert_well_formed(svg);
    free(svg);
    unload(&loaded);
}
END_TEST
/* ---- drawings -------------------------------------------------------------------------------- */

START_TEST(text_looks_as_it_did)
{
    static const struct {
        const char *name;
        void (*scene)(struct log_fixture *);
        struct show_text_options options;
    } rows[] = {
        {"show_compute_80.txt", log_scene_compute, {.width = 80}},
        {"show_compute_100_ascii.txt", log_scene_compute, {.width = 100, .ascii = true}},
        {"show_compute_120_to_scale.txt", log_scene_compute, {.width = 120, .to_scale = true}},
        {"show_paper_100.txt", log_scene_paper, {.width = 100}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct loaded loaded;
        size_t bytes;
        load_scene(&loaded, rows[i].scene);
        char *text = text_of(&loaded.show, &rows[i].options, &bytes);
        golden_text_check(rows[i].name, text, bytes);
        free(text);
        unload(&loaded);
    }
}
END_TEST

/* A kernel of 1 us every 10 us: no column of 10 us and more is full, though each has a kernel. */
START_TEST(text_is_shaded_by_the_share_of_a_column)
{
    struct loaded loaded;
    size_t bytes;

    log_fixture_begin(&loaded.fixture);
    for (uint64_t i = 1; i <= 100; i++) {
        LOG_ADD(&loaded.fixture, US(10) * i, EVENT_GRID_QUEUE, RULE_NONE, i, 1, 1, 32, 0, 8, 0, 0);
        LOG_ADD(&loaded.fixture, US(10) * i, EVENT_GRID_START, RULE_NONE, i, 1);
        LOG_ADD(&loaded.fixture, US(10) * i + US(1), EVENT_GRID_END, RULE_NONE, i, 1, 0, US(1));
    }
    load(&loaded, 0, GFE_PS_NEVER);
    char *text =
        text_of(&loaded.show,
                &(struct show_text_options){.width = 80, .ascii = true, .to_scale = true}, &bytes);
    const char *row = strstr(text, "\nGR 0 ");
    ck_assert_ptr_nonnull(row);
    char *line = strndup(row + 5, strcspn(row + 5, "\n"));
    ck_assert_msg(!strchr(line, '#') && !strchr(line, '*') && strchr(line, ','), "%s", line);
    free(line);
    free(text);
    unload(&loaded);
}
END_TEST

START_TEST(text_keeps_to_its_width_and_alphabet)
{
    void (*const scenes[])(struct log_fixture *) = {log_scene_compute, log_scene_paper};

    for (uint32_t width = 80; width <= 120; width += 20)
        for (int i = 0; i < 4; i++) {
            const bool ascii = i & 1;
            struct loaded loaded;
            size_t bytes;
            uint32_t column = 0;
            load_scene(&loaded, scenes[i / 2]);
            char *text = text_of(
                &loaded.show, &(struct show_text_options){.width = width, .ascii = ascii}, &bytes);
            for (const char *c = text; *c; c++) {
                ck_assert_msg(!ascii || !(*c & 0x80), "not ASCII:\n%s", text);
                column = *c == '\n' ? 0 : column + ((*c & 0xc0) != 0x80);
                ck_assert_msg(column <= width, "a line is longer than %u:\n%s", width, text);
            }
            free(text);
            unload(&loaded);
        }
}
END_TEST

START_TEST(svg_looks_as_it_did)
{
    static const struct {
        const char *name;
        void (*scene)(struct log_fixture *);
        struct show_svg_options options;
    } rows[] = {
        {"show_compute.svg", log_scene_compute, {.width = 1000}},
        {"show_paper.svg", log_scene_paper, {.width = 800, .to_scale = true}},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct loaded loaded;
        size_t bytes;
        load_scene(&loaded, rows[i].scene);
        char *svg = svg_of(&loaded.show, &rows[i].options, &bytes);
        assert_well_formed(svg);
        golden_text_check(rows[i].name, svg, bytes);
        free(svg);
        unload(&loaded);
    }
}
END_TEST

/* Names in a log come from outside: they must not become markup. */
START_TEST(names_are_escaped_in_svg)
{
    struct loaded loaded;
    size_t bytes;
    char *head = log_fixture_head(), *hostile = malloc(strlen(head) + 64);
    char *gpu = strstr(head, "gtx1060"), *rule = strstr(head, "T.X1");

    ck_assert(gpu && rule && gpu < rule);
    (void)sprintf(hostile, "%.*s<g>&\\\"'\\uffff%.*s]]>%s", (int)(gpu - head), head,
                  (int)(rule - gpu - 7), gpu + 7, rule + 4);
    log_fixture_begin_with(&loaded.fixture, hostile);
    log_scene_compute(&loaded.fixture);
    load(&loaded, 0, GFE_PS_NEVER);
    char *svg = svg_of(&loaded.show, &(struct show_svg_options){.width = 1000}, &bytes);
    assert_well_formed(svg);
    assert_has(svg, "&lt;g&gt;&amp;&quot;'?");
    assert_has(svg, "]]&gt;");
    free(svg);
    unload(&loaded);
    free(head);
    free(hostile);
}
END_TEST

/* Narrow blocks are merged: the file stays small, and the picture says so. */
START_TEST(very_many_blocks_make_a_small_picture)
{
    enum { BLOCKS = 200000 };
    struct loaded loaded;
    size_t bytes;

    log_fixture_begin(&loaded.fixture);
    log_scene_many_blocks(&loaded.fixture, BLOCKS);
    load(&loaded, 0, GFE_PS_NEVER);
    char *svg = svg_of(&loaded.show, &(struct show_svg_options){.width = 1000}, &bytes);
    ck_assert_uint_lt(bytes, 100000);
    assert_has(svg, "200000 items narrower than a pixel are merged");
    assert_well_formed(svg);
    free(svg);
    char *text = text_of(&loaded.show, &(struct show_text_options){.width = 80}, &bytes);
    ck_assert_uint_lt(bytes, 4000);
    assert_has(text, "200000 blocks of 128 threads");
    free(text);
    unload(&loaded);
}
END_TEST

/* ---- the corpus of the fuzz target ----------------------------------------------------------- */

static size_t corpus_read(const char *name, uint8_t *data, size_t room)
{
    const char *folder = getenv("top_srcdir");
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/fuzz/corpus/log/%s", folder ? folder : ".", name);
    FILE *file = fopen(path, "rbe");
    ck_assert_msg(file != NULL, "%s", path);
    const size_t bytes = fread(data, 1, room, file);
    fclose(file);
    ck_assert_uint_gt(bytes, 0);
    return bytes;
}

START_TEST(any_bytes_are_read_without_harm)
{
    static const char *const names[] = {"cut.gfl", "events.bin", "head.json", "whole.gfl"};
    uint8_t data[8192], damaged[8192];
    uint32_t random = 1;

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_int_eq(fuzz_log(data, corpus_read(names[i], data, sizeof data)), 0);
    const size_t bytes = corpus_read("events.bin", data, sizeof data);
    for (int i = 0; i < 300; i++) {
        memcpy(damaged, data, bytes);
        for (int j = 0; j <= i % 4; j++) {
            random = random * 1664525 + 1013904223;
            damaged[(random >> 8) % bytes] = (uint8_t)(random >> 24);
        }
        ck_assert_int_eq(fuzz_log(damaged, bytes), 0);
    }
}
END_TEST

/* ---- the command ----------------------------------------------------------------------------- */

static int run_show(const char *as, const char *option, const char *output, const char *log)
{
    char *arguments[] = {(char *)"show", (char *)"--as", (char *)as,  (char *)option,
                         (char *)"-o",   (char *)output, (char *)log, NULL};

    ck_assert_ptr_nonnull(freopen("/dev/null", "w", stderr)); /* in the test's own process */
    return cmd_show(7, arguments);
}

START_TEST(the_command_answers_with_its_exit_status)
{
    struct log_fixture fixture;
    char output[100];

    log_fixture_begin(&fixture);
    log_scene_compute(&fixture);
    log_fixture_end(&fixture);
    (void)snprintf(output, sizeof output, "%s/out", fixture.folder);
    ck_assert_int_eq(run_show("perfetto", "--ascii", output, fixture.path), 2);
    ck_assert_int_eq(run_show("nonsense", "--ascii", output, fixture.path), 2);
    ck_assert_int_eq(run_show("text", "--width=20", output, fixture.path), 2);
    ck_assert_int_eq(run_show("text", "--from=1parsec", output, fixture.path), 2);
    ck_assert_int_eq(run_show("text", "--ascii", output, "/nonexistent.gfl"), 1);
    ck_assert_int_eq(run_show("text", "--ascii", output, "/proc/self/exe"), 1);
    ck_assert_int_ne(access(output, F_OK), 0); /* nothing half-written */
    ck_assert_int_eq(run_show("svg", "--no-cuts", "/nonexistent/out", fixture.path), 1);
    ck_assert_int_eq(run_show("svg", "--no-cuts", output, fixture.path), 0);
    ck_assert_int_eq(access(output, F_OK), 0);
    ck_assert_int_eq(run_show("text", "--to=20ms", output, fixture.path), 0);
    ck_assert_int_eq(run_show("perfetto", "--to=20ms", output, fixture.path), 0);
    ck_assert_int_eq(run_show("perfetto", "--to=20ms", "/nonexistent/out", fixture.path), 1);
    (void)unlink(output);
    log_fixture_remove(&fixture);
}
END_TEST
Suite *show_suite(void)
{
    Suite *suite = suite_create("show");
    TCase *tcase = tcase_create("model");

    tcase_add_test(tcase, tracks_hold_what_happened_on_them);
    tcase_add_test(tcase, segments_follow_one_another);
    tcase_add_test(tcase, blocks_are_stacked_by_their_threads);
    tcase_add_test(tcase, what_overlaps_gets_lanes_of_its_own);
    tcase_add_test(tcase, a_window_keeps_what_it_touches);
    tcase_add_test(tcase, what_has_not_ended_lasts_to_the_end);
    tcase_add_test(tcase, suspended_work_is_drawn_in_pieces);
    tcase_add_test(tcase, suspended_copies_are_drawn_in_pieces);
    tcase_add_test(tcase, a_lost_copy_is_drawn_to_its_fault);
    tcase_add_test(tcase, channels_of_any_runlist_have_tracks);
    tcase_add_test(tcase, absurd_logs_are_refused_in_one_line);
    tcase_add_test(tcase, an_empty_log_is_a_picture_too);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("drawings");
    tcase_add_test(tcase, text_looks_as_it_did);
    tcase_add_test(tcase, text_is_shaded_by_the_share_of_a_column);
    tcase_add_test(tcase, text_keeps_to_its_width_and_alphabet);
    tcase_add_test(tcase, svg_looks_as_it_did);
    tcase_add_test(tcase, names_are_escaped_in_svg);
    tcase_add_test(tcase, very_many_blocks_make_a_small_picture);
    tcase_add_test(tcase, any_bytes_are_read_without_harm);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("command");
    tcase_add_test(tcase, the_command_answers_with_its_exit_status);
    suite_add_tcase(suite, tcase);
    return suite;
}
