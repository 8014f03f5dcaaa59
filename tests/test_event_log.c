/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/engine/arena.h"
#include "emu/log/chunk.h"
#include "emu/log/event_log.h"
#include "emu/log/event_log_head.h"
#include "emu/log/event_log_reader.h"
#include "tests/check_json.h"
#include "tests/event_log_append.h"
#include "traces/format/hash.h"
#include "tests/log_fixture.h"
#include "tests/suites.h"

enum { FILE_BYTES_MAX = 8 << 20 };

/* ---- helpers --------------------------------------------------------------------------------- */

/* Reads the whole log.  Returns the number of events, or -1 with the message in *error; a message
 * that is not one clean line fails the test. */
static int64_t read_all(const char *path, struct gfe_error *error)
{
    struct log_event event;
    int64_t count = 0;
    enum event_log_result result = EVENT_LOG_FAILED;

    *error = (struct gfe_error){0};
    struct event_log_reader *reader = event_log_open(path, error);
    while (reader && (result = event_log_read(reader, &event, error)) == EVENT_LOG_GOT)
        count++;
    if (reader && result == EVENT_LOG_FAILED) /* it stays failed */
        ck_assert_int_eq(event_log_read(reader, &event, NULL), EVENT_LOG_FAILED);
    event_log_close(reader);
    if (result == EVENT_LOG_AT_END) {
        ck_assert_int_eq(error->kind, ERROR_NONE);
        return count;
    }
    ck_assert_int_ne(error->kind, ERROR_NONE);
    ck_assert_uint_gt(strlen(error->text), 10);
    for (const char *c = error->text; *c; c++)
        ck_assert_msg((unsigned char)*c >= ' ', "control character in '%s'", error->text);
    return -1;
}

/* A file with the given chunks, each kind with its text (or bytes), and an index. */
struct raw_chunk {
    enum chunk_kind kind;
    const void *raw;
    size_t bytes;
};

static void raw_file(char path[32], const struct raw_chunk *chunks, size_t count)
{
    (void)strcpy(path, "/tmp/gfe-raw-XXXXXX");
    const int fd = mkstemp(path);
    struct chunk_writer *writer = chunk_writer_new(fd, path, NULL);

    ck_assert_ptr_nonnull(writer);
    for (size_t i = 0; i < count; i++)
        ck_assert(chunk_write(writer, chunks[i].kind, chunks[i].raw, chunks[i].bytes, NULL));
    ck_assert(chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
    ck_assert_int_eq(close(fd), 0);
}

/* Head, these bytes as events, end: what does the reader say? */
static const char *events_message(const void *raw, size_t bytes)
{
    static struct gfe_error error;
    char path[32];
    char *head = log_fixture_head();
    const struct raw_chunk chunks[] = {{CHUNK_LOG_HEAD, head, strlen(head)},
                                       {CHUNK_LOG_EVENTS, raw, bytes},
                                       {CHUNK_LOG_END, "{}", 2}};

    raw_file(path, chunks, 3);
    const int64_t count = read_all(path, &error);
    (void)unlink(path);
    free(head);
    return count < 0 ? error.text : "good";
}

/* This head, no events, end. */
static const char *head_message(const char *head)
{
    static struct gfe_error error;
    char path[32];
    const struct raw_chunk chunks[] = {{CHUNK_LOG_HEAD, head, strlen(head)},
                                       {CHUNK_LOG_END, "{}", 2}};

    raw_file(path, chunks, 2);
    const int64_t count = read_all(path, &error);
    (void)unlink(path);
    return count < 0 ? error.text : "good";
}

static void assert_says(const char *message, const char *words)
{
    ck_assert_msg(strstr(message, words) != NULL, "'%s' does not say '%s'", message, words);
}

/* Event number n of a long log: every field takes part. */
static struct log_event sample(uint64_t n)
{
    return (struct log_event){.time_ps = n * 977 + (n > 500 ? UINT64_C(1) << 50 : 0),
                              .kind = n % 3 ? EVENT_BLOCK_START : EVENT_CPU_SUBMIT_RETURN,
                              .unit = (uint16_t)(n % UNIT_COUNT),
                              .rule = n % 5 ? RULE_NONE : RULE_T_R2,
                              .origin = (uint8_t)(n % 3),
                              .argument_count = n % 3 ? 4 : 3,
                              .argument = {n, UINT64_MAX - n, n << 33, n % 3 ? 7 : 0}};
}

static void assert_sample(const struct log_event *event, uint64_t n)
{
    const struct log_event want = sample(n);

    ck_assert_uint_eq(event->time_ps, want.time_ps);
    ck_assert_uint_eq(event->kind, want.kind);
    ck_assert_uint_eq(event->unit, want.unit);
    ck_assert_uint_eq(event->rule, want.rule);
    ck_assert_uint_eq(event->origin, want.origin);
    ck_assert_uint_eq(event->argument_count, want.argument_count);
    for (uint32_t i = 0; i < want.argument_count; i++)
        ck_assert_uint_eq(event->argument[i], want.argument[i]);
}

/* ---- round trip ------------------------------------------------------------------------------ */

/* PROMISE (log): What is written to a log is read. */
START_TEST(what_is_written_is_read)
{
    enum { EVENTS = 100000 }; /* several chunks */
    struct log_fixture fixture;
    struct log_event event;
    struct gfe_error error = {0};

    log_fixture_begin(&fixture);
    for (uint64_t n = 0; n < EVENTS; n++) {
        event = sample(n);
        event_log_append(&fixture.log, &event);
    }
    ck_assert_uint_gt(chunk_writer_count(fixture.writer), 3);
    log_fixture_end(&fixture);

    struct event_log_reader *reader = event_log_open(fixture.path, &error);
    ck_assert_msg(reader != NULL, "%s", error.text);
    for (uint64_t n = 0; n < EVENTS; n++) {
        ck_assert_msg(event_log_read(reader, &event, &error) == EVENT_LOG_GOT, "%s", error.text);
        assert_sample(&event, n);
    }
    ck_assert_ptr_null(reader->end_json);
    ck_assert_int_eq(event_log_read(reader, &event, &error), EVENT_LOG_AT_END);
    ck_assert_int_eq(event_log_read(reader, &event, &error), EVENT_LOG_AT_END);
    ck_assert_str_eq(reader->end_json, "{\"event_count\": 100000}");
    event_log_close(reader);
    log_fixture_remove(&fixture);
}
END_TEST

/* A log whose head is that of one that is open already is read with its tables; another log is not.
 */
START_TEST(a_log_like_an_open_one_has_its_tables)
{
    enum { EVENTS = 1000 };
    char other_path[32], *head = log_fixture_head();
    struct raw_chunk chunks[] = {{CHUNK_LOG_HEAD, head, strlen(head)}, {CHUNK_LOG_END, "{}", 2}};
    struct event_log_reader *first, *again, *other;
    struct log_fixture fixture;
    struct log_event event;

    log_fixture_begin(&fixture);
    for (uint64_t n = 0; n < EVENTS; n++) {
        event = sample(n);
        event_log_append(&fixture.log, &event);
    }
    log_fixture_end(&fixture);
    first = event_log_open(fixture.path, NULL);
    again = event_log_open_fd_like(open(fixture.path, O_RDONLY | O_CLOEXEC), "again", first, NULL);
    ck_assert(first && again);
    ck_assert_ptr_eq(event_log_kind(again, EVENT_BLOCK_START),
                     event_log_kind(first, EVENT_BLOCK_START));
    ck_assert_uint_eq(event_log_kind_by_name(again, "BLOCK_START"), EVENT_BLOCK_START);
    ck_assert_str_eq(event_log_head_json(again), event_log_head_json(first));
    for (uint64_t n = 0; n < EVENTS; n++) {
        ck_assert_int_eq(event_log_read(again, &event, NULL), EVENT_LOG_GOT);
        assert_sample(&event, n);
    }
    event_log_close(again);
    *strstr(head, "BLOCK_START") = 'C'; /* the same length */
    raw_file(other_path, chunks, 2);
    other = event_log_open_fd_like(open(other_path, O_RDONLY | O_CLOEXEC), "other", first, NULL);
    ck_assert_ptr_nonnull(other);
    ck_assert_uint_eq(event_log_kind_by_name(other, "BLOCK_START"), UINT32_MAX);
    event_log_close(other);
    ck_assert_uint_eq(event_log_kind_by_name(first, "BLOCK_START"), EVENT_BLOCK_START);
    event_log_close(first);
    (void)unlink(other_path);
    free(head);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(the_head_explains_the_numbers)
{
    struct log_fixture fixture;

    log_fixture_begin(&fixture);
    log_fixture_end(&fixture);
    struct event_log_reader *reader = event_log_open(fixture.path, NULL);
    ck_assert_ptr_nonnull(reader);

    const struct event_log_kind *kind = event_log_kind(reader, EVENT_NV_GP_FETCH);
    ck_assert_ptr_nonnull(kind);
    ck_assert_str_eq(kind->name, "NV_GP_FETCH");
    ck_assert_uint_eq(kind->argument_count, 8);
    ck_assert_str_eq(kind->arguments[2], "gp_index");
    ck_assert_ptr_null(event_log_kind(reader, EVENT_CORE_END));
    ck_assert_ptr_null(event_log_kind(reader, UINT32_MAX));
    ck_assert_uint_eq(event_log_kind_by_name(reader, "GRID_END"), EVENT_GRID_END);
    ck_assert_uint_eq(event_log_kind_by_name(reader, "NO_SUCH"), UINT32_MAX);

    const struct event_log_rule *rule = event_log_rule(reader, RULE_T_R3);
    ck_assert_ptr_nonnull(rule);
    ck_assert_str_eq(rule->label, "T.R3");
    ck_assert_str_eq(rule->basis, "DOCUMENTED");
    ck_assert_str_eq(rule->enforcer, "hardware");
    ck_assert_ptr_null(event_log_rule(reader, RULE_CORE_END));

    ck_assert_uint_eq(event_log_unit_count(reader), UNIT_COUNT);
    ck_assert_str_eq(event_log_unit(reader, UNIT_PBDMA), "pbdma0");
    ck_assert_ptr_null(event_log_unit(reader, UNIT_COUNT));
    ck_assert_str_eq(event_log_run(reader, "gpu"), "gtx1060");
    ck_assert_ptr_null(event_log_run(reader, "nothing"));
    ck_assert_str_eq(event_log_name(reader), fixture.path);
    event_log_close(reader);
    log_fixture_remove(&fixture);
}
END_TEST

/* Names come from outside: control characters would reach the reader's terminal. */
static bool print_head(FILE *file, void *context)
{
    const struct event_log_head_string run = {"trace", context};
    char *text;

    check_json_start();
    text = event_log_head_build(&(struct event_log_head){.run = &run, .run_count = 1});
    if (text)
        fputs(text, file);
    free(text);
    return text != NULL;
}

START_TEST(a_heads_names_are_whole_or_no_head_is_made)
{
    char utf8[] = "\xc3\xa4.gft", bytes[] = "\xff.gft";

    check_json_whole(print_head, utf8);
    check_json_whole(print_head, bytes);
}
END_TEST

/* What JSON has to escape and what is not ASCII comes back as it was (RFC 8259, section 7; jansson
 * reads it), and so does a number that JSON does not hold everywhere. */
START_TEST(words_of_the_tables_come_back)
{
    static const char *const words[] = {"plain", "",     "a \"b\"",  "c\\d",
                                        "e\nf",  "\x01", "\xc3\xa4", "\x7f"};
    static const struct parameter parameter = {.id = "p_ps", .unit = "ps", .value = UINT64_MAX};
    const char *const label = words[_i];
    const struct rule rule = {.label = label, .source = "", .text = "t", .seen_on = "gtx1060"};
    const struct table_set set = {
        .base = 7, .rules = &rule, .rule_count = 1, .parameters = &parameter, .parameter_count = 1};
    const struct table_set *const sets[] = {&set};
    char *text = event_log_head_build(&(struct event_log_head){.sets = sets, .set_count = 1});
    json_t *head = json_loads(text, 0, NULL), *row;

    ck_assert_ptr_nonnull(head);
    row = json_array_get(json_object_get(head, "rules"), 0);
    ck_assert_int_eq(json_integer_value(json_object_get(row, "id")), 7);
    ck_assert_str_eq(json_string_value(json_object_get(row, "label")), label);
    ck_assert_str_eq(json_string_value(json_object_get(row, "source")), "");
    ck_assert_str_eq(json_string_value(json_object_get(row, "text")), "t");
    ck_assert(json_is_true(json_object_get(row, "carried_over")));
    row = json_array_get(json_object_get(head, "parameters"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(row, "name")), "p_ps");
    ck_assert_str_eq(json_string_value(json_object_get(row, "value")), "18446744073709551615");
    json_decref(head);
    free(text);
}
END_TEST

START_TEST(names_cannot_command_the_terminal)
{
    static const char head[] =
        "{\"format\":2,\"run\":{\"trace\":\"a\\u001b[2Jb\\nc\"},\"units\":[\"u\\u009bx\"],"
        "\"rules\":[],\"kinds\":[],\"parameters\":[]}";
    char path[32];
    const struct raw_chunk chunks[] = {{CHUNK_LOG_HEAD, head, strlen(head)}};

    raw_file(path, chunks, 1);
    struct event_log_reader *reader = event_log_open(path, NULL);
    ck_assert_ptr_nonnull(reader);
    ck_assert_str_eq(event_log_run(reader, "trace"), "a?[2Jb?c");
    ck_assert_str_eq(event_log_unit(reader, 0), "u??x");
    event_log_close(reader);
    (void)unlink(path);
}
END_TEST

/* ---- memory, rewinding ----------------------------------------------------------------------- */

static void append_samples(struct event_log *log, uint64_t from, uint64_t to)
{
    for (uint64_t n = from; n < to; n++) {
        const struct log_event event = sample(n);
        event_log_append(log, &event);
    }
}

/* A log that was taken back and went on is, byte for byte, one that never went astray. */
START_TEST(a_rewound_log_is_as_if_it_had_not_been)
{
    enum { KEPT = 12000, ASTRAY = 60000, END = 30000 };
    struct arena arena, straight_arena;
    struct event_log log, straight;
    uint64_t bytes, straight_bytes;

    ck_assert(arena_init(&arena, NULL) && arena_init(&straight_arena, NULL));
    event_log_init(&log, arena_alloc(&arena, sizeof *log.cursor), NULL);
    event_log_init(&straight, arena_alloc(&straight_arena, sizeof *straight.cursor), NULL);
    append_samples(&log, 0, KEPT);
    const struct event_log_cursor saved = *log.cursor;
    append_samples(&log, KEPT + 5000, ASTRAY); /* over chunk boundaries, other events */
    *log.cursor = saved;
    append_samples(&log, KEPT, END);
    append_samples(&straight, 0, END);

    const uint8_t *kept = event_log_bytes(&log, &bytes);
    const uint8_t *straight_kept = event_log_bytes(&straight, &straight_bytes);
    ck_assert_uint_eq(bytes, straight_bytes);
    ck_assert_mem_eq(kept, straight_kept, bytes);
    ck_assert_mem_eq(log.cursor, straight.cursor, sizeof *log.cursor);
    ck_assert_uint_eq(log.cursor->event_count, END);

    /* Also the places where chunks end: given a writer, both make the same file. */
    const char *names[] = {"rewound", "straight"};
    struct event_log *logs[] = {&log, &straight};
    static char files[2][FILE_BYTES_MAX];
    ssize_t sizes[2];
    for (int i = 0; i < 2; i++) {
        const int fd = memfd_create(names[i], MFD_CLOEXEC);
        ck_assert_int_ge(fd, 0);
        logs[i]->writer = chunk_writer_new(fd, names[i], NULL);
        ck_assert(event_log_finish(logs[i], "{}", NULL));
        sizes[i] = pread(fd, files[i], FILE_BYTES_MAX, 0);
        chunk_writer_free(logs[i]->writer);
        (void)close(fd);
        event_log_fini(logs[i]);
    }
    ck_assert_int_gt(sizes[0], 1000);
    ck_assert_int_eq(sizes[0], sizes[1]);
    ck_assert_mem_eq(files[0], files[1], (size_t)sizes[0]);
    arena_fini(&arena);
    arena_fini(&straight_arena);
}
END_TEST

/* The same events give the same bytes whether they go out at once or are kept. */
START_TEST(kept_and_written_logs_hold_the_same_events)
{
    enum { EVENTS = 30000 };
    struct log_fixture fixture;
    struct arena arena;
    struct event_log kept;
    struct gfe_error error;

    log_fixture_begin(&fixture);
    append_samples(&fixture.log, 0, EVENTS);
    ck_assert(arena_init(&arena, NULL));
    event_log_init(&kept, arena_alloc(&arena, sizeof *kept.cursor), NULL);
    append_samples(&kept, 0, EVENTS);
    ck_assert_mem_eq(kept.cursor, fixture.log.cursor, sizeof *kept.cursor);
    log_fixture_end(&fixture);
    ck_assert_int_eq(read_all(fixture.path, &error), EVENTS);
    log_fixture_remove(&fixture);
    event_log_fini(&kept);
    arena_fini(&arena);
}
END_TEST

/* A full disk is the run's first failure; the machine's state does not depend on it. */
START_TEST(a_failed_write_is_reported_at_the_end_and_counts_on)
{
    struct arena arena, other_arena;
    struct event_log log, other;
    struct gfe_error error = {0};
    const int fd = open("/dev/full", O_WRONLY);

    ck_assert(arena_init(&arena, NULL) && arena_init(&other_arena, NULL));
    struct chunk_writer *writer = chunk_writer_new(fd, "/dev/full", NULL);
    event_log_init(&log, arena_alloc(&arena, sizeof *log.cursor), writer);
    event_log_init(&other, arena_alloc(&other_arena, sizeof *other.cursor), NULL);
    append_samples(&log, 0, 40000);
    append_samples(&other, 0, 40000);
    ck_assert_mem_eq(log.cursor, other.cursor, sizeof *log.cursor);
    ck_assert(!event_log_finish(&log, "{}", &error));
    assert_says(error.text, "/dev/full: cannot write: No space left on device");
    event_log_fini(&log);
    event_log_fini(&other);
    chunk_writer_free(writer);
    (void)close(fd);
    arena_fini(&arena);
    arena_fini(&other_arena);
}
END_TEST

/* ---- damaged and foreign files --------------------------------------------------------------- */

/* Ten bytes of ones: 2^64 - 1. */
#define LARGEST 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1

START_TEST(events_must_fit_the_tables)
{
    enum { KIND = EVENT_CPU_SUBMIT_RETURN << 1, SOURCE = UNIT_HOST << 2 };
    const uint8_t good[] = {KIND, 5, SOURCE, 0, 1, 2, 3};
    const uint8_t again[] = {KIND, 5, SOURCE, 0, 1, 2, 3, KIND | 1, 5, 0, 0, 2};
    const uint8_t no_kind[] = {EVENT_EMU_END << 1, 5, SOURCE, 0, 1, 2, 3};
    const uint8_t huge_kind[] = {LARGEST, 0, 0};
    const uint8_t no_unit[] = {KIND, 5, UNIT_COUNT << 2, 0, 1, 2, 3};
    const uint8_t no_rule[] = {KIND, 5, SOURCE, RULE_CORE_END, 1, 2, 3};
    const uint8_t short_event[] = {KIND, 5, SOURCE, 0, 1, 2};
    const uint8_t long_number[] = {KIND, 5, SOURCE, 0, 1, 2, LARGEST};
    const uint8_t huge_number[] = {KIND, 5,    SOURCE, 0,    1,    2,    0xff, 0xff,
                                   0xff, 0xff, 0xff,   0xff, 0xff, 0xff, 0xff, 2};
    const uint8_t late[] = {KIND, LARGEST, SOURCE, 0, 1, 2, 3};

    ck_assert_str_eq(events_message(good, sizeof good), "good");
    ck_assert_str_eq(events_message(again, sizeof again), "good");
    ck_assert_str_eq(events_message(long_number, sizeof long_number), "good");
    assert_says(events_message(no_kind, sizeof no_kind), "no such kind");
    assert_says(events_message(huge_kind, sizeof huge_kind), "no such kind");
    assert_says(events_message(no_unit, sizeof no_unit), "no such unit");
    assert_says(events_message(no_rule, sizeof no_rule), "no such rule");
    assert_says(events_message(short_event, sizeof short_event), "beyond the end of its chunk");
    assert_says(events_message(huge_number, sizeof huge_number), "does not fit 64 bits");
    assert_says(events_message(late, sizeof late), "its time does not fit 64 bits");
    assert_says(events_message(no_unit, sizeof no_unit), "event 0, byte 3");
}
END_TEST

START_TEST(time_does_not_go_back_from_chunk_to_chunk)
{
    const uint8_t first[] = {EVENT_CPU_SUBMIT_RETURN << 1, 50, UNIT_HOST << 2, 0, 1, 2, 3};
    const uint8_t second[] = {EVENT_CPU_SUBMIT_RETURN << 1, 49, UNIT_HOST << 2, 0, 1, 2, 3};
    char path[32];
    char *head = log_fixture_head();
    const struct raw_chunk chunks[] = {{CHUNK_LOG_HEAD, head, strlen(head)},
                                       {CHUNK_LOG_EVENTS, first, sizeof first},
                                       {CHUNK_LOG_EVENTS, second, sizeof second},
                                       {CHUNK_LOG_END, "{}", 2}};
    struct gfe_error error;

    raw_file(path, chunks, 4);
    ck_assert_int_eq(read_all(path, &error), -1);
    assert_says(error.text, "before the event before it");
    (void)unlink(path);
    free(head);
}
END_TEST

static void see_chunk(void *context, const struct chunk *chunk)
{
    *(uint32_t *)context += chunk->kind == CHUNK_LOG_EVENTS;
}

/* A writer without a file: its observer gets the events; without one they are counted only. */
START_TEST(a_log_that_nobody_hears_counts_its_events)
{
    struct chunk_writer *writer = chunk_writer_new(-1, "nowhere", NULL);
    const struct log_event event = sample(1);
    struct log_fixture fixture;
    char *head = log_fixture_head();
    uint32_t seen = 0;

    ck_assert_ptr_nonnull(writer);
    log_fixture_begin(&fixture);
    fixture.log.writer = writer;
    if (_i == 1)
        chunk_writer_observe(writer, see_chunk, &seen);
    ck_assert(event_log_head(&fixture.log, head, NULL));
    event_log_append(&fixture.log, &event);
    ck_assert_uint_eq(fixture.log.cursor->event_count, 1);
    ck_assert_int_eq(fixture.log.cursor->byte_count != 0, _i == 1);
    ck_assert(event_log_finish(&fixture.log, "{}", NULL));
    ck_assert_uint_eq(seen, (uint32_t)_i);
    fixture.log.writer = NULL;
    chunk_writer_free(writer);
    log_fixture_end(&fixture);
    log_fixture_remove(&fixture);
    free(head);
}
END_TEST

/* The bytes that a repeated event takes: kind (two, from 64 on), time, arguments. */
START_TEST(an_event_like_the_one_before_is_short)
{
    struct log_fixture fixture;
    struct log_event event = sample(1);
    uint64_t before;

    log_fixture_begin(&fixture);
    event_log_append(&fixture.log, &event);
    before = fixture.log.cursor->byte_count;
    event_log_append(&fixture.log, &event);
    ck_assert_uint_eq(fixture.log.cursor->byte_count - before, 2 + 1 + 4);
    log_fixture_end(&fixture);
    log_fixture_remove(&fixture);
}
END_TEST

START_TEST(heads_that_are_none_are_refused)
{
#define TABLES "\"units\":[],\"rules\":[],\"kinds\":[]"
    static char deep[300000];

    ck_assert_str_eq(head_message("{\"format\":2," TABLES "}"), "good");
    assert_says(head_message("{\"format\":3," TABLES "}"), "of format 3");
    assert_says(head_message("{" TABLES "}"), "does not state its format");
    assert_says(head_message("[1]"), "an object is expected");
    assert_says(head_message("{\"format\":2,\n\"oops"), "not JSON");
    assert_says(head_message("{\"format\":2}"), "table of rules");
    assert_says(head_message("{\"format\":2,\"units\":[3],\"rules\":[],\"kinds\":[]}"), "units");
    assert_says(head_message("{\"format\":2,\"units\":[],\"rules\":[],\"kinds\":[{\"id\":70000,"
                             "\"name\":\"X\",\"arguments\":[]}]}"),
                "event kinds");
    assert_says(head_message("{\"format\":2,\"units\":[],\"rules\":[],\"kinds\":[{\"id\":1,"
                             "\"name\":\"X\",\"arguments\":[\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
                             "\"a\",\"a\",\"a\"]}]}"),
                "event kinds");
    assert_says(head_message("{\"format\":2,\"units\":[],\"rules\":[{\"id\":1,\"label\":\"X\"}],"
                             "\"kinds\":[]}"),
                "table of rules");
    memset(deep, '[', sizeof deep - 1);
    assert_says(head_message(deep), "nested too deeply");
#undef TABLES
}
END_TEST

START_TEST(files_of_another_kind_are_named)
{
    struct gfe_error error;
    char path[32];
    char *head = log_fixture_head();
    const struct raw_chunk trace[] = {{CHUNK_TRACE, "x", 1}};
    const struct raw_chunk no_end[] = {{CHUNK_LOG_HEAD, head, strlen(head)}};
    const struct raw_chunk after_end[] = {
        {CHUNK_LOG_HEAD, head, strlen(head)}, {CHUNK_LOG_END, "{}", 2}, {CHUNK_LOG_EVENTS, "", 0}};
    const struct raw_chunk wrong_count[] = {{CHUNK_LOG_HEAD, head, strlen(head)},
                                            {CHUNK_LOG_END, "{\"event_count\":1}", 17}};
    const struct raw_chunk mixed[] = {{CHUNK_LOG_HEAD, head, strlen(head)}, {CHUNK_TRACE, "x", 1}};
    const struct {
        const struct raw_chunk *chunks;
        size_t count;
        const char *words;
    } rows[] = {
        {trace, 1, "this is a trace, not an event log"},
        {trace + 1, 0, "the file is empty"},
        {no_end + 1, 0, "the file is empty"},
        {no_end, 1, "was cut off after 0 events"},
        {after_end, 3, "a chunk follows the end of the log"},
        {after_end + 1, 1, "begins with its head"},
        {wrong_count, 2, "another number of events"},
        {mixed, 2, "does not belong into an event log"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        raw_file(path, rows[i].chunks, rows[i].count);
        ck_assert_int_eq(read_all(path, &error), -1);
        assert_says(error.text, rows[i].words);
        assert_says(error.text, path);
        (void)unlink(path);
    }
    ck_assert_int_eq(read_all("/nonexistent/log.gfl", &error), -1);
    assert_says(error.text, "/nonexistent/log.gfl: No such file");
    ck_assert_int_eq(read_all("/proc/self/exe", &error), -1);
    assert_says(error.text, "no gfe file");
    free(head);
}
END_TEST

/* Every truncation of a small log and a flipped bit in every byte: one line, never a crash.  Bits
 * of a deflate stream that say nothing (behind its end, lengths of codes that do not occur) may
 * change: then the file unpacks to the same log, of the same identity. */
/* PROMISE (log): Damage anywhere in a log is noticed. */
START_TEST(damage_anywhere_is_noticed)
{
    char whole[HASH_HEX_BYTES], other[HASH_HEX_BYTES];
    struct log_fixture fixture;
    static uint8_t bytes[FILE_BYTES_MAX];
    struct gfe_error error;

    log_fixture_begin(&fixture);
    append_samples(&fixture.log, 0, 20);
    log_fixture_end(&fixture);
    const int fd = open(fixture.path, O_RDWR);
    const ssize_t size = read(fd, bytes, sizeof bytes);
    ck_assert_int_gt(size, 100);
    ck_assert_int_eq(read_all(fixture.path, &error), 20);
    ck_assert(hash_file_within(fixture.path, CHUNK_UNPACKED_MAX_BYTES, whole, &error));

    for (ssize_t at = 0; at < size; at++) {
        const uint8_t flipped = (uint8_t)(bytes[at] ^ 1 << at % 8);
        ck_assert_int_eq(pwrite(fd, &flipped, 1, at), 1);
        const int64_t count = read_all(fixture.path, &error);
        ck_assert(count == -1 || count == 20);
        if (count == 20) {
            ck_assert_msg(hash_file_within(fixture.path, CHUNK_UNPACKED_MAX_BYTES, other, &error),
                          "%s", error.text);
            ck_assert_str_eq(other, whole);
        }
        ck_assert_int_eq(pwrite(fd, &bytes[at], 1, at), 1);
    }
    for (ssize_t length = size - 1; length >= 0; length--) {
        ck_assert_int_eq(ftruncate(fd, length), 0);
        if (read_all(fixture.path, &error) != -1) /* only the index may be missing */
            ck_assert_int_ge(length, size - 200);
    }
    (void)close(fd);
    log_fixture_remove(&fixture);
}
END_TEST

Suite *event_log_suite(void)
{
    Suite *suite = suite_create("event_log");
    TCase *tcase = tcase_create("writing");

    tcase_add_test(tcase, what_is_written_is_read);
    tcase_add_test(tcase, an_event_like_the_one_before_is_short);
    tcase_add_loop_test(tcase, a_log_that_nobody_hears_counts_its_events, 0, 2);
    tcase_add_test(tcase, a_log_like_an_open_one_has_its_tables);
    tcase_add_test(tcase, the_head_explains_the_numbers);
    tcase_add_test(tcase, a_heads_names_are_whole_or_no_head_is_made);
    tcase_add_loop_test(tcase, words_of_the_tables_come_back, 0, 8);
    tcase_add_test(tcase, names_cannot_command_the_terminal);
    tcase_add_test(tcase, a_rewound_log_is_as_if_it_had_not_been);
    tcase_add_test(tcase, kept_and_written_logs_hold_the_same_events);
    tcase_add_test(tcase, a_failed_write_is_reported_at_the_end_and_counts_on);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("damage");
    tcase_add_test(tcase, events_must_fit_the_tables);
    tcase_add_test(tcase, time_does_not_go_back_from_chunk_to_chunk);
    tcase_add_test(tcase, heads_that_are_none_are_refused);
    tcase_add_test(tcase, files_of_another_kind_are_named);
    tcase_add_test(tcase, damage_anywhere_is_noticed);
    suite_add_tcase(suite, tcase);
    return suite;
}
