/* SPDX-License-Identifier: MIT */
/*
 * Logs as pages for browsers: the data of a page are read back, by a reader that shares no code
 * with what writes them (zlib and jansson apart), and compared with the tracks and with gfe
 * explain. tests/test_show_html.sh opens pages in a browser.
 */
#include <config.h>

#include <check.h>
#include <ctype.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "emu/base/digest.h"
#include "emu/sim/gpus.h"
#include "emu/views/html/show_html.h"
#include "emu/views/html/show_html_private.h"
#include "emu/views/html/show_html_page.h"
#include "tests/check_trace.h"
#include "tests/scenario_log.h"
#include "tests/show_loaded.h"
#include "tests/suites.h"

/* ---- reading a page back --------------------------------------------------------------------- */

struct made {
    char *text;
    size_t bytes;
};

struct column {
    const uint8_t *at, *end;
};

struct data {
    uint8_t *items;
    struct column columns[HTML_COLUMNS];
    json_t *head, *stories;
};

static struct made make(const struct show *show, struct event_log_reader *again,
                        const struct check_limits *limits)
{
    const struct show_html_options options = {.again = again, .limits = limits};
    struct gfe_error error = {0};
    struct made made = {0};
    FILE *file = open_memstream(&made.text, &made.bytes);

    ck_assert_msg(show_html(file, show, &options, &error), "%s", error.text);
    ck_assert_int_eq(fclose(file), 0);
    return made;
}

static struct made make_loaded(const struct loaded *loaded)
{
    struct gfe_error error = {0};
    struct event_log_reader *again = event_log_open(loaded->fixture.path, &error);
    struct made made;

    ck_assert_msg(again != NULL, "%s", error.text);
    made = make(&loaded->show, again, NULL);
    event_log_close(again);
    return made;
}

static uint32_t digit_of(char letter)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = strchr(digits, letter);

    ck_assert_msg(at && letter, "'%c' is not base64", letter);
    return (uint32_t)(at - digits);
}

/* A part's bytes, inflated; the caller frees them. */
static uint8_t *part_of(const struct made *made, const char *name, size_t *bytes)
{
    char begin[80];
    uLongf room = 64 << 20;
    uint8_t *packed, *raw = malloc(room);
    size_t count = 0, length;
    uint32_t bits = 0, held = 0;

    (void)snprintf(begin, sizeof begin, "<script type=\"text/plain\" id=\"data-%s\">", name);
    const char *text = strstr(made->text, begin);
    ck_assert_msg(text && raw, "the page has no part %s", name);
    text += strlen(begin);
    length = strcspn(text, "<");
    ck_assert_uint_eq(length % 4, 0);
    packed = malloc(length + 1);
    for (size_t i = 0; i < length && text[i] != '='; i++) {
        bits = bits << 6 | digit_of(text[i]);
        held += 6;
        if (held >= 8) {
            held -= 8;
            packed[count++] = (uint8_t)(bits >> held);
        }
    }
    ck_assert_int_eq(uncompress(raw, &room, packed, (uLong)count), Z_OK);
    free(packed);
    *bytes = room;
    return raw;
}

static json_t *json_part(const struct made *made, const char *name)
{
    size_t bytes;
    uint8_t *raw = part_of(made, name, &bytes);
    json_error_t cause;

    for (size_t i = 0; i < bytes; i++) /* as browsers replace what is no UTF-8 */
        raw[i] = raw[i] < 0x80 ? raw[i] : '?';
    json_t *json = json_loadb((const char *)raw, bytes, 0, &cause);

    ck_assert_msg(json != NULL, "%s: %s", name, cause.text);
    free(raw);
    return json;
}

static struct data read_back(const struct made *made)
{
    struct data data = {.head = json_part(made, "head"), .stories = json_part(made, "stories")};
    size_t bytes, at = 0;

    data.items = part_of(made, "items", &bytes);
    for (uint32_t c = 0; c < HTML_COLUMNS; c++) {
        ck_assert_uint_le(at + 4, bytes);
        const uint32_t length = data.items[at] | (uint32_t)data.items[at + 1] << 8 |
                                (uint32_t)data.items[at + 2] << 16 |
                                (uint32_t)data.items[at + 3] << 24;
        ck_assert_uint_le(at + 4 + length, bytes);
        data.columns[c] = (struct column){data.items + at + 4, data.items + at + 4 + length};
        at += 4 + length;
    }
    ck_assert_uint_eq(at, bytes);
    return data;
}

static void forget(struct made *made, struct data *data)
{
    free(made->text);
    free(data->items);
    json_decref(data->head);
    json_decref(data->stories);
}

static uint64_t byte_of(struct data *data, enum html_column column)
{
    ck_assert(data->columns[column].at < data->columns[column].end);
    return *data->columns[column].at++;
}

static uint64_t varint_of(struct data *data, enum html_column column)
{
    uint64_t value = 0;

    for (uint32_t shift = 0;; shift += 7) {
        const uint64_t byte = byte_of(data, column);
        value |= (byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
}

static uint64_t difference_of(struct data *data, enum html_column column, uint64_t before)
{
    const uint64_t value = varint_of(data, column);

    return before + (value & 1 ? ~(value >> 1) : value >> 1);
}

/* All columns of items, to their ends, are those of the tracks. */
static void items_compare(struct data *data, const struct show *show)
{
    const json_t *tracks = json_object_get(data->head, "tracks");

    for (uint32_t t = 0; t < show->track_count; t++) {
        const struct show_track *track = &show->tracks[t];
        const json_t *row = json_array_get(tracks, t);
        uint64_t begin = 0, operation = 0, number = 0, channel = 0;

        ck_assert_str_eq(json_string_value(json_object_get(row, "name")), track->name);
        ck_assert_int_eq(json_integer_value(json_object_get(row, "kind")), track->kind);
        ck_assert_int_eq(json_integer_value(json_object_get(row, "items")), track->item_count);
        for (uint32_t i = 0; i < track->item_count; i++) {
            const struct show_item *item = &track->items[i];
            ck_assert_uint_eq(byte_of(data, HTML_ITEM_KIND),
                              item->kind | (item->unfinished ? 0x80u : 0));
            begin += varint_of(data, HTML_ITEM_BEGIN);
            ck_assert_uint_eq(begin, item->begin_ps);
            ck_assert_uint_eq(begin + varint_of(data, HTML_ITEM_LENGTH), item->end_ps);
            operation = difference_of(data, HTML_ITEM_OPERATION, operation);
            ck_assert_uint_eq((uint32_t)(operation - 1), item->operation);
            number = difference_of(data, HTML_ITEM_NUMBER, number);
            ck_assert_uint_eq((uint32_t)number, item->number);
            const uint64_t place = varint_of(data, HTML_ITEM_PLACE);
            if (item->kind == SHOW_BLOCK)
                ck_assert_uint_eq(place, item->bottom);
            else if (item->kind >= SHOW_DOORBELL)
                ck_assert_uint_eq(place, item->address);
            else if (show_has_lanes(item->kind))
                ck_assert_uint_eq(place, item->lane);
            channel = difference_of(data, HTML_ITEM_CHANNEL, channel);
            ck_assert_uint_eq((uint32_t)channel, item->channel_id);
        }
    }
}

static void waits_compare(struct data *data, const struct show *show)
{
    uint64_t subject = 0, blocker = 0;

    for (uint32_t i = 0; i < show->wait_count; i++) {
        const struct show_wait *wait = &show->waits[i];
        char number[16];

        ck_assert_uint_eq(varint_of(data, HTML_WAIT_RULE), wait->rule);
        ck_assert_uint_eq(byte_of(data, HTML_WAIT_SUBJECT), wait->subject_kind);
        ck_assert_uint_eq(byte_of(data, HTML_WAIT_BLOCKER), wait->blocker_kind);
        subject = difference_of(data, HTML_WAIT_SUBJECT_ID, subject);
        blocker = difference_of(data, HTML_WAIT_BLOCKER_ID, blocker);
        ck_assert_uint_eq(subject, wait->subject_id);
        ck_assert_uint_eq(blocker, wait->blocker_id);
        (void)snprintf(number, sizeof number, "%u", wait->rule);
        const json_t *rule = json_object_get(json_object_get(data->head, "rules"), number);
        if (wait->rule != RULE_NONE)
            ck_assert_str_eq(json_string_value(json_array_get(rule, 0)),
                             show_rule_label(show, wait->rule));
        if (wait->rule != RULE_NONE)
            ck_assert_str_eq(json_string_value(json_array_get(rule, 2)),
                             event_log_rule(show->log, wait->rule)->basis_words);
    }
    ck_assert_ptr_eq(data->columns[HTML_WAIT_RULE].at, data->columns[HTML_WAIT_RULE].end);
}

static gfe_ps later(struct data *data, enum html_column column, gfe_ps since_ps)
{
    const uint64_t value = varint_of(data, column);

    return value == 0 ? GFE_PS_NEVER : since_ps + value - 1;
}

static void operations_compare(struct data *data, const struct show *show)
{
    uint64_t id = 0, queued = 0, channel = 0;

    for (uint32_t i = 0; i < show->operation_count; i++) {
        const struct show_operation *operation = &show->operations[i];
        char name[SHOW_NAME_BYTES];

        ck_assert_uint_eq(byte_of(data, HTML_OP_KIND), operation->kind);
        id = difference_of(data, HTML_OP_ID, id);
        ck_assert_uint_eq(id, operation->id);
        queued = difference_of(data, HTML_OP_QUEUED, queued);
        if (operation->queued_ps != GFE_PS_NEVER)
            ck_assert_uint_eq(queued, operation->queued_ps);
        ck_assert_uint_eq(later(data, HTML_OP_START, queued), operation->start_ps);
        ck_assert_uint_eq(later(data, HTML_OP_END, queued), operation->end_ps);
        channel = difference_of(data, HTML_OP_CHANNEL, channel);
        ck_assert_uint_eq((uint32_t)channel, operation->channel_id);
        (void)varint_of(data, HTML_OP_COLOUR);
        ck_assert_uint_eq(varint_of(data, HTML_OP_BLOCKS), operation->block_count);
        ck_assert_uint_eq(varint_of(data, HTML_OP_THREADS), operation->block_threads);
        show_operation_name(show, operation, name, sizeof name);
        ck_assert_str_eq(json_string_value(json_array_get(json_object_get(data->head, "names"), i)),
                         name);
    }
}

static void load_all(struct loaded *loaded, gfe_ps from_ps, gfe_ps to_ps)
{
    struct gfe_error error = {0};

    show_fini(&loaded->show);
    event_log_close(loaded->log);
    loaded->log = event_log_open(loaded->fixture.path, &error);
    ck_assert_msg(show_load_all(&loaded->show, loaded->log, from_ps, to_ps, &error), "%s",
                  error.text);
}

static void compare_all(struct loaded *loaded)
{
    struct made made = make_loaded(loaded);
    struct data data = read_back(&made);

    items_compare(&data, &loaded->show);
    waits_compare(&data, &loaded->show);
    operations_compare(&data, &loaded->show);
    forget(&made, &data);
}

/* PROMISE (views): Items, waits and operations of a page, read back, are those of the tracks. */
START_TEST(a_recordings_page_has_all_items)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_compute);
    load_all(&loaded, 0, GFE_PS_NEVER);
    ck_assert_uint_gt(loaded.show.item_count, 40);
    ck_assert_uint_gt(loaded.show.wait_count, 0);
    compare_all(&loaded);
    unload(&loaded);
}
END_TEST

START_TEST(so_has_a_page_of_a_window)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_compute);
    const uint32_t all = loaded.show.item_count;
    load_all(&loaded, loaded.show.to_ps / 2, loaded.show.to_ps);
    ck_assert_uint_lt(loaded.show.item_count, all);
    ck_assert_uint_gt(loaded.show.item_count, 0);
    compare_all(&loaded);
    unload(&loaded);
}
END_TEST

START_TEST(so_has_an_amd_gpus_page)
{
    struct loaded loaded;

    load_amd(&loaded, "3 2");
    compare_all(&loaded);
    struct made made = make_loaded(&loaded);
    struct data data = read_back(&made);
    const json_t *tracks = json_object_get(data.head, "tracks");
    uint32_t engines[2] = {0};
    for (size_t t = 0; t < json_array_size(tracks); t++) {
        const json_t *engine = json_object_get(json_array_get(tracks, t), "se");
        if (engine)
            engines[json_integer_value(engine)]++;
    }
    ck_assert_uint_gt(engines[0], 0);
    ck_assert_uint_gt(engines[1], 0);
    forget(&made, &data);
    unload(&loaded);
}
END_TEST

START_TEST(many_blocks_take_few_bytes)
{
    struct loaded loaded;
    struct made made;

    log_fixture_begin(&loaded.fixture);
    log_scene_many_blocks(&loaded.fixture, 50000);
    load(&loaded, 0, GFE_PS_NEVER);
    compare_all(&loaded);
    made = make_loaded(&loaded);
    ck_assert_uint_lt(made.bytes, html_script.bytes + html_style.bytes + 50000 * 8);
    free(made.text);
    unload(&loaded);
}
END_TEST

static void nothing(struct log_fixture *fixture)
{
    (void)fixture;
}

START_TEST(an_empty_log_has_a_page)
{
    struct loaded loaded;

    load_scene(&loaded, nothing);
    compare_all(&loaded);
    unload(&loaded);
}
END_TEST

/* ---- runlists -------------------------------------------------------------------------------- */

static void slices(struct log_fixture *fixture)
{
    LOG_ADD(fixture, US(1), EVENT_NV_TSG_START, RULE_NONE, 3, 7, US(2));
    LOG_ADD(fixture, US(3), EVENT_NV_TSG_END, RULE_NONE, 3, 7, US(2), US(2));
    LOG_ADD(fixture, US(4), EVENT_NV_TSG_START, RULE_NONE, 3, SHOW_NO_TSG + 5, US(2));
}

START_TEST(runlists_have_their_slices)
{
    struct loaded loaded;

    load_scene(&loaded, slices);
    ck_assert_uint_eq(loaded.show.track_count, 0);
    load_all(&loaded, 0, GFE_PS_NEVER);
    ck_assert_uint_eq(loaded.show.track_count, 1);
    const struct show_track *track = loaded.show.tracks;
    ck_assert_str_eq(track->name, "runlist 3");
    ck_assert_uint_eq(track->item_count, 2);
    ck_assert_uint_eq(track->items[0].number, 7);
    ck_assert_uint_eq(track->items[0].begin_ps, US(1));
    ck_assert_uint_eq(track->items[0].end_ps, US(3));
    ck_assert_uint_eq(track->items[1].number, SHOW_NO_TSG + 5);
    ck_assert_uint_eq(track->items[1].unfinished, 1);
    compare_all(&loaded);
    unload(&loaded);
}
END_TEST

/* ---- stories --------------------------------------------------------------------------------- */

static const json_t *story_named(const struct data *data, const char *name)
{
    const json_t *names = json_object_get(data->head, "names");
    json_t *story;
    size_t at;

    json_array_foreach(data->stories, at, story)
    {
        const json_int_t i = json_integer_value(json_object_get(story, "i"));
        const char *own = json_string_value(json_object_get(story, "n"));

        if (strcmp(json_string_value(json_array_get(names, (size_t)i)), name) == 0 ||
            (own && strcmp(own, name) == 0))
            return story;
    }
    ck_abort_msg("there is no story of %s", name);
}

static uint64_t length_of(const json_t *piece)
{
    return (uint64_t)json_integer_value(json_array_get(piece, 0));
}

/* A log in memory, and its page. */
struct told {
    struct memory_file file;
    struct event_log_reader *log;
    struct show show;
    struct made made;
    struct data data;
};

static struct event_log_reader *log_of(const struct memory_file *file)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(file->path, &error);

    ck_assert_msg(log != NULL, "%s", error.text);
    return log;
}

static void tell(struct told *told, struct memory_file file, const char *gpu)
{
    struct gfe_error error = {0};
    struct check_limits limits;

    told->file = file;
    told->log = log_of(&told->file);
    ck_assert(show_load_all(&told->show, told->log, 0, GFE_PS_NEVER, &error));
    ck_assert(gpu_find_limits(gpu, NULL, &limits));
    struct event_log_reader *again = log_of(&told->file);
    told->made = make(&told->show, again, &limits);
    event_log_close(again);
    told->data = read_back(&told->made);
}

static void untell(struct told *told)
{
    forget(&told->made, &told->data);
    show_fini(&told->show);
    event_log_close(told->log);
    memory_file_free(&told->file);
}

/* The log of a recorded program. */
static struct memory_file recorded(const char *program)
{
    const char *folder = getenv("top_srcdir");
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s.gft", folder ? folder : ".", program);
    struct replay_input *input = replay_load(path, &error);
    struct simulation_options options = {.log = chunk_writer_new(file.fd, "log", &error)};
    struct simulation *simulation = check_simulation_new(input, &options);
    ck_assert_msg(simulation_log_head(simulation, "-", &error) &&
                      simulation_run(simulation, GFE_PS_NEVER, &error) &&
                      simulation_log_end(simulation, &error) &&
                      chunk_writer_finish(options.log, &error),
                  "%s", error.text);
    simulation_free(simulation);
    replay_input_free(input);
    chunk_writer_free(options.log);
    return file;
}

static void life_compare(const struct data *data, const struct explain *explain, uint32_t i,
                         struct explain_life *life)
{
    const struct explain_ref ref = {(enum explain_kind)explain->operations[i].kind, i};
    char name[EXPLAIN_NAME_BYTES];

    ck_assert(explain_life(explain, ref, life));
    const json_t *story = story_named(data, explain_name(explain, ref, name));
    const json_t *pieces = json_object_get(story, "p");
    ck_assert_uint_eq((uint64_t)json_integer_value(json_object_get(story, "b")), life->birth_ps);
    ck_assert_uint_eq(json_array_size(pieces), life->count);
    for (uint32_t p = 0; p < life->count; p++) {
        const struct explain_piece *piece = &life->pieces[p];
        const json_t *told = json_array_get(pieces, p);
        const char *by = json_string_value(json_array_get(told, 4));

        ck_assert_uint_eq(length_of(told), piece->end_ps - piece->begin_ps);
        ck_assert_int_eq(json_integer_value(json_array_get(told, 1)) == 1,
                         piece->what == EXPLAIN_WAIT);
        if (piece->what != EXPLAIN_WAIT)
            continue;
        ck_assert_str_eq(json_string_value(json_array_get(told, 2)),
                         explain_rule(explain, piece->rule));
        ck_assert_str_eq(by ? by : "", explain_by_name(explain, piece->by, name));
    }
}

START_TEST(a_recordings_story_is_the_life_that_explain_tells)
{
    struct told told;
    struct gfe_error error = {0};
    struct explain explain = {0};
    struct explain_life life = {0};

    tell(&told, recorded("compute"), "gtx1060");
    struct event_log_reader *again = log_of(&told.file);
    ck_assert(explain_load(&explain, again, &error));
    ck_assert_uint_gt(explain.operation_count, 20);
    ck_assert_uint_eq(json_array_size(told.data.stories), explain.operation_count);
    for (uint32_t i = 0; i < explain.operation_count; i++)
        life_compare(&told.data, &explain, i, &life);
    items_compare(&told.data, &told.show);
    explain_life_fini(&life);
    explain_fini(&explain);
    event_log_close(again);
    untell(&told);
}
END_TEST

/* Events of the scene repeat entries, which gfe explain does not believe. */
START_TEST(a_log_that_explain_refuses_has_a_page_without_stories)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_compute);
    struct made made = make_loaded(&loaded);
    struct data data = read_back(&made);
    ck_assert_uint_eq(json_array_size(data.stories), 0);
    ck_assert_ptr_nonnull(
        strstr(json_string_value(json_object_get(data.head, "untold")), "was read before"));
    forget(&made, &data);
    unload(&loaded);
}
END_TEST

/* PROMISE (views): Stories of the page are those of `gfe explain`, with the operation that was
 * in the way. */
START_TEST(a_scenarios_story_names_who_was_in_the_way)
{
    struct told told;
    uint64_t sum = 0;

    tell(&told, scenario_log_run("tx2", "amert2017-table1", NULL), "tx2");
    const json_t *story = story_named(&told.data, "K4"), *pieces = json_object_get(story, "p");
    bool found = false;
    for (size_t p = 0; p < json_array_size(pieces); p++) {
        const json_t *piece = json_array_get(pieces, p), *rule = json_array_get(piece, 2);
        sum += length_of(piece);
        if (json_is_string(rule) && strcmp(json_string_value(rule), "T.X1") == 0) {
            found = true;
            ck_assert_ptr_nonnull(strstr(json_string_value(json_array_get(piece, 4)), "K1"));
            ck_assert_ptr_nonnull(
                strstr(json_string_value(json_array_get(piece, 3)), "2 of its 6 blocks"));
        }
    }
    ck_assert(found);
    ck_assert_uint_eq(sum, UINT64_C(1800019138461)); /* as gfe explain K4 adds it up */
    untell(&told);
}
END_TEST

/* Streams come behind the show's tracks: an operation's last item ends where it is complete. */
START_TEST(streams_are_tracks_from_call_to_completion)
{
    struct told told;
    uint32_t streams = 0;

    tell(&told, scenario_log_run("tx2", "amert2017-table1", NULL), "tx2");
    const json_t *tracks = json_object_get(told.data.head, "tracks");
    items_compare(&told.data, &told.show);
    for (size_t t = told.show.track_count; t < json_array_size(tracks); t++, streams++) {
        const json_t *track = json_array_get(tracks, t);
        uint64_t begin = 0;

        ck_assert_int_eq(json_integer_value(json_object_get(track, "kind")), HTML_STREAM);
        for (json_int_t i = 0; i < json_integer_value(json_object_get(track, "items")); i++) {
            const uint64_t kind = byte_of(&told.data, HTML_ITEM_KIND);
            begin += varint_of(&told.data, HTML_ITEM_BEGIN);
            ck_assert(kind == SHOW_QUEUED || kind == SHOW_OPERATION);
            ck_assert_uint_le(begin + varint_of(&told.data, HTML_ITEM_LENGTH), told.show.end_ps);
        }
    }
    ck_assert_uint_eq(streams, 3);
    ck_assert_ptr_eq(told.data.columns[HTML_ITEM_KIND].at, told.data.columns[HTML_ITEM_KIND].end);
    ck_assert_ptr_eq(told.data.columns[HTML_ITEM_BEGIN].at, told.data.columns[HTML_ITEM_BEGIN].end);
    untell(&told);
}
END_TEST

/* ---- safety ---------------------------------------------------------------------------------- */

static uint32_t count_of(const char *text, const char *what)
{
    uint32_t count = 0;

    for (const char *at = strstr(text, what); at; at = strstr(at + 1, what))
        count++;
    return count;
}

/* A file name and a GPU's name of an enemy; names of the program are made ASCII, and are in the
 * data. */
/* PROMISE (views): Names from an enemy stay text in the file and in the browser. */
START_TEST(hostile_names_stay_text)
{
    static const char evil[] =
        "</script><script>alert(1)</script><img src=x onerror=\\\"alert(2)\\\">";
    char *usual = log_fixture_head(), *head, path[200];
    struct loaded loaded;
    struct made plain, made;

    load_scene(&loaded, log_scene_compute);
    plain = make_loaded(&loaded);
    unload(&loaded);
    const char *gpu = strstr(usual, "gtx1060");
    ck_assert_ptr_nonnull(gpu);
    head = malloc(strlen(usual) + sizeof evil);
    (void)sprintf(head, "%.*s%s%s", (int)(gpu - usual), usual, evil, gpu + strlen("gtx1060"));
    log_fixture_begin_with(&loaded.fixture, head);
    (void)snprintf(path, sizeof path, "%s/\xff\xc3\x28</title><script>\"'&.gfl",
                   loaded.fixture.folder);
    log_scene_compute(&loaded.fixture);
    log_fixture_end(&loaded.fixture);
    struct gfe_error error = {0};
    const int fd = open(loaded.fixture.path, O_RDONLY),
              again_fd = open(loaded.fixture.path, O_RDONLY);
    loaded.log = event_log_open_fd(fd, path, &error);
    ck_assert_msg(loaded.log != NULL, "%s", error.text);
    ck_assert(show_load_all(&loaded.show, loaded.log, 0, GFE_PS_NEVER, &error));
    struct event_log_reader *again = event_log_open_fd(again_fd, path, &error);
    made = make(&loaded.show, again, NULL);
    static const char *const tags[] = {"<script", "</script", "<img",
                                       "<title",  "</title",  "onerror"};
    for (size_t i = 0; i < sizeof tags / sizeof tags[0]; i++)
        ck_assert_uint_eq(count_of(made.text, tags[i]),
                          count_of(plain.text, tags[i]) +
                              (strcmp(tags[i], "onerror") == 0 ? 2 : 0));
    struct data data = read_back(&made);
    ck_assert_ptr_nonnull(strstr(json_string_value(json_object_get(data.head, "gpu")), "<script>"));
    event_log_close(again);
    forget(&made, &data);
    free(plain.text);
    free(usual);
    free(head);
    unload(&loaded);
}
END_TEST

/* What the policy allows is the program that is there, by its SHA-256, and nothing else. */
/* PROMISE (views): The page's policy allows one program, by its hash. */
START_TEST(the_policy_names_the_program)
{
    const struct html_source *const sources[] = {&html_script, &html_style};
    struct loaded loaded;

    load_scene(&loaded, log_scene_paper);
    struct made made = make_loaded(&loaded);
    const char *policy = strstr(made.text, "Content-Security-Policy");
    ck_assert_ptr_nonnull(policy);
    ck_assert_ptr_nonnull(strstr(policy, "default-src 'none'"));
    for (size_t i = 0; i < 2; i++) {
        const char *hash = strstr(policy, i ? "style-src 'sha256-" : "script-src 'sha256-");
        const char *tag = i ? "<style>" : "\n<script>";
        struct digest digest;
        uint8_t bytes[DIGEST_BYTES];
        uint32_t bits = 0, held = 0, count = 0;

        ck_assert_ptr_nonnull(hash);
        const char *text = strstr(made.text, tag) + strlen(tag);
        ck_assert_uint_eq((size_t)(strstr(text, i ? "</style>" : "</script>") - text),
                          sources[i]->bytes);
        digest_start(&digest);
        digest_add(&digest, text, sources[i]->bytes);
        digest_end(&digest, bytes);
        for (hash = strchr(hash, '-') + 5 + strlen("sha256-") + 1; *hash != '='; hash++) {
            bits = bits << 6 | digit_of(*hash);
            held += 6;
            if (held >= 8) {
                held -= 8;
                ck_assert_uint_eq(bytes[count++], bits >> held & 255);
            }
        }
        ck_assert_uint_eq(count, DIGEST_BYTES);
    }
    free(made.text);
    unload(&loaded);
}
END_TEST

static bool has(const struct html_source *source, const char *what)
{
    return memmem(source->text, source->bytes, what, strlen(what)) != NULL;
}

/* Nothing is loaded from anywhere; nothing makes code or HTML of text. */
/* PROMISE (views): The page's program loads nothing and makes no HTML of text. */
START_TEST(the_program_asks_for_nothing_and_makes_no_html)
{
    static const char *const words[] = {"http:",          "https:",       "//www",
                                        "XMLHttpRequest", "fetch(",       "WebSocket",
                                        "EventSource",    "import(",      "importScripts",
                                        "sendBeacon",     "eval(",        "Function(",
                                        "innerHTML",      "outerHTML",    "insertAdjacent",
                                        "document.write", "setTimeout('", "</script",
                                        "<!--",           "@import",      "url("};
    const struct html_source *const sources[] = {&html_script, &html_style, &html_frame};

    for (size_t s = 0; s < 3; s++) {
        for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
            ck_assert_msg(!has(sources[s], words[i]) ||
                              (s == 2 && strcmp(words[i], "</script") == 0),
                          "source %zu has %s", s, words[i]);
        for (size_t i = 0; i < sources[s]->bytes; i++)
            ck_assert_msg(sources[s]->text[i] == '\n' ||
                              isprint((unsigned char)sources[s]->text[i]),
                          "source %zu, byte %zu is not ASCII", s, i);
    }
    ck_assert(!has(&html_frame, " src=") && !has(&html_frame, " href=") &&
              !has(&html_frame, " style="));
}
END_TEST

START_TEST(every_place_of_the_frame_is_filled)
{
    struct loaded loaded;

    load_scene(&loaded, log_scene_paper);
    struct made made = make_loaded(&loaded);
    static const char *const places[] = {"@TITLE@", "@POLICY@", "@STYLE@", "@DATA@", "@SCRIPT@"};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        ck_assert(has(&html_frame, places[i]));
        ck_assert_ptr_null(strstr(made.text, places[i]));
    }
    ck_assert_ptr_nonnull(strstr(made.text, "<title>test.gfl on gtx1060</title>"));
    free(made.text);
    unload(&loaded);
}
END_TEST

/* A reader of columns must know what each of them is: their number is in the page's program, too.
 */
START_TEST(numbers_take_the_bytes_that_they_need)
{
    struct html_bytes bytes = {0};

    html_varint(&bytes, 0);
    html_varint(&bytes, 127);
    html_varint(&bytes, 128);
    html_varint(&bytes, UINT64_MAX);
    html_difference(&bytes, 5, 6);
    html_difference(&bytes, 6, 5);
    html_difference(&bytes, 0, UINT64_MAX);
    static const uint8_t wanted[] = {0,   127, 128, 1,   255, 255, 255, 255, 255,
                                     255, 255, 255, 255, 1,   1,   2,   2};
    ck_assert_uint_eq(bytes.count, sizeof wanted);
    ck_assert_mem_eq(bytes.at, wanted, sizeof wanted);
    html_bytes_fini(&bytes);
    html_json(&bytes, "a\"b\\c\n\x01");
    html_json(&bytes, NULL);
    ck_assert_uint_eq(bytes.count, strlen("\"a\\\"b\\\\c\\u000a\\u0001\"null"));
    ck_assert_mem_eq(bytes.at, "\"a\\\"b\\\\c\\u000a\\u0001\"null", bytes.count);
    html_bytes_fini(&bytes);
}
END_TEST

Suite *show_html_suite(void)
{
    Suite *suite = suite_create("show_html");
    TCase *tcase = tcase_create("show_html");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, a_recordings_page_has_all_items);
    tcase_add_test(tcase, so_has_a_page_of_a_window);
    tcase_add_test(tcase, so_has_an_amd_gpus_page);
    tcase_add_test(tcase, many_blocks_take_few_bytes);
    tcase_add_test(tcase, an_empty_log_has_a_page);
    tcase_add_test(tcase, runlists_have_their_slices);
    tcase_add_test(tcase, a_recordings_story_is_the_life_that_explain_tells);
    tcase_add_test(tcase, a_log_that_explain_refuses_has_a_page_without_stories);
    tcase_add_test(tcase, a_scenarios_story_names_who_was_in_the_way);
    tcase_add_test(tcase, streams_are_tracks_from_call_to_completion);
    tcase_add_test(tcase, hostile_names_stay_text);
    tcase_add_test(tcase, the_policy_names_the_program);
    tcase_add_test(tcase, the_program_asks_for_nothing_and_makes_no_html);
    tcase_add_test(tcase, every_place_of_the_frame_is_filled);
    tcase_add_test(tcase, numbers_take_the_bytes_that_they_need);
    suite_add_tcase(suite, tcase);
    return suite;
}
