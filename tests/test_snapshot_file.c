/* SPDX-License-Identifier: MIT */
/* Files of snapshots: what is refused, and in which words. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/log/chunk.h"
#include "emu/base/digest.h"
#include "emu/sim/simulation_snapshot.h"
#include "traces/format/hash.h"
#include "tests/check_json.h"
#include "tests/check_trace.h"
#include "tests/suites.h"

enum { CHUNKS_MAX = 64 };

static struct replay_input *input;
static struct any_simulation simulation;
static char trace_hash[HASH_HEX_BYTES], path[] = "/tmp/gfe-test-snapshot-XXXXXX";

/* A snapshot of the compute recording in its middle, in the file `path`. */
static void setup(void)
{
    const char *folder = getenv("top_srcdir");
    const struct simulation_options options = {0};
    struct simulation_snapshot *snapshot;
    struct any_program program = {0};
    struct gfe_error error = {0};
    char trace[4096];

    snprintf(trace, sizeof trace, "%s/tests/golden/compute.gft", folder ? folder : ".");
    input = replay_load(trace, &error);
    ck_assert_msg(input && hash_file_within(trace, CHUNK_UNPACKED_MAX_BYTES, trace_hash, &error),
                  "%s", error.text);
    program.input = input;
    ck_assert(any_simulation_new(&program, &options, &simulation, &error));
    for (uint32_t i = 0; i < 250; i++)
        ck_assert(machine_step(simulation.machine));
    snapshot = any_simulation_take(&simulation, &error);
    snprintf(path, sizeof path, "/tmp/gfe-test-snapshot-XXXXXX");
    ck_assert_int_eq(close(mkstemp(path)), 0);
    ck_assert_msg(snapshot && simulation_snapshot_save(snapshot, path, &error), "%s", error.text);
    simulation_snapshot_free(snapshot);
}

static void teardown(void)
{
    any_simulation_free(&simulation);
    replay_input_free(input);
    ck_assert_int_eq(unlink(path), 0);
}

/* Loads the file and restores it; on failure there is one line that names the file. */
static bool restores(struct gfe_error *error)
{
    struct simulation_snapshot *snapshot = simulation_snapshot_load(path, error);
    const bool restored = snapshot && any_simulation_restore(&simulation, snapshot, path, error);

    simulation_snapshot_free(snapshot);
    if (!restored)
        ck_assert_msg(strstr(error->text, path) && error->kind == ERROR_INPUT, "%s", error->text);
    return restored;
}

static uint8_t *file_bytes(size_t *bytes)
{
    FILE *file = fopen(path, "rb");
    uint8_t *data = malloc(1 << 20);

    ck_assert(file && data);
    *bytes = fread(data, 1, 1 << 20, file);
    ck_assert_uint_lt(*bytes, 1 << 20);
    ck_assert_int_eq(fclose(file), 0);
    return data;
}

static void file_put(const uint8_t *data, size_t bytes)
{
    FILE *file = fopen(path, "wb");

    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(data, 1, bytes, file), bytes);
    ck_assert_int_eq(fclose(file), 0);
}

/* ---- damage ---------------------------------------------------------------------------------- */

START_TEST(what_was_written_is_read_and_goes_on)
{
    struct gfe_error error = {0};
    char before[65], after[65];

    ck_assert(machine_hash(simulation.machine, before));
    ck_assert(any_simulation_run(&simulation, GFE_PS_NEVER, &error));
    ck_assert(restores(&error));
    ck_assert(machine_hash(simulation.machine, after));
    ck_assert_str_eq(before, after);
}
END_TEST

/* Writes the snapshot, and prints a sum over the file. */
static bool print_file(FILE *file, void *context)
{
    struct gfe_error error = {0};
    struct simulation_snapshot *snapshot = any_simulation_take(&simulation, &error);
    struct digest digest;
    char hex[DIGEST_HEX_BYTES];
    uint8_t *data;
    size_t bytes;
    bool done;

    (void)context;
    ck_assert_msg(snapshot != NULL, "%s", error.text);
    check_json_start();
    done = simulation_snapshot_save(snapshot, path, &error);
    simulation_snapshot_free(snapshot);
    if (!done)
        return false;
    data = file_bytes(&bytes);
    digest_start(&digest);
    digest_add(&digest, data, bytes);
    digest_end_hex(&digest, hex);
    fputs(hex, file);
    free(data);
    return true;
}

START_TEST(a_head_is_whole_or_no_file_is_written)
{
    check_json_whole(print_file, NULL);
}
END_TEST

/* Every byte of the first header, and some of all the others. */
/* PROMISE (engine): A damaged snapshot file is refused. */
START_TEST(a_flipped_bit_is_found)
{
    size_t bytes, refused = 0, tried = 0;
    uint8_t *data = file_bytes(&bytes);

    for (size_t at = 0; at < bytes; at += at < 24 ? 1 : 211) {
        struct gfe_error error = {0};

        data[at] ^= (uint8_t)(1 << at % 8);
        file_put(data, bytes);
        data[at] ^= (uint8_t)(1 << at % 8);
        tried++;
        refused += !restores(&error);
    }
    ck_assert_uint_gt(tried, 100);
    /* At the end of compressed data there may be bits that carry nothing. */
    ck_assert_uint_ge(refused + 2, tried);
    free(data);
}
END_TEST

START_TEST(a_cut_off_file_is_refused)
{
    size_t bytes;
    uint8_t *data = file_bytes(&bytes);

    for (size_t length = 0; length < bytes; length += length < 24 ? 1 : 499) {
        struct gfe_error error = {0};

        file_put(data, length);
        ck_assert_msg(!restores(&error), "cut at %zu", length);
    }
    free(data);
}
END_TEST

START_TEST(files_of_another_kind_are_named_as_what_they_are)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char trace[4096];

    snprintf(trace, sizeof trace, "%s/tests/golden/compute.gft", folder ? folder : ".");
    ck_assert_ptr_null(simulation_snapshot_load(trace, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "this is a trace, not a snapshot"));
    error = (struct gfe_error){0};
    ck_assert_ptr_null(replay_load(path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "this is a snapshot, not a trace"));
    error = (struct gfe_error){0};
    ck_assert_ptr_null(event_log_open(path, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "this is a snapshot, not an event log"));
    error = (struct gfe_error){0};
    ck_assert(!hash_file_within(path, CHUNK_UNPACKED_MAX_BYTES, trace_hash, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "a snapshot"));
}
END_TEST

/* ---- files with right checksums that say wrong things ------------------------------------------
 */

struct copy {
    enum chunk_kind kind;
    uint8_t *raw;
    size_t bytes;
};
static struct copy copies[CHUNKS_MAX];
static uint32_t copy_count;

static void copies_take(void)
{
    struct gfe_error error = {0};
    struct chunk_reader *reader = chunk_reader_open(path, &error);
    struct chunk chunk;

    ck_assert_ptr_nonnull(reader);
    for (copy_count = 0; chunk_read(reader, &chunk, &error) == CHUNK_GOT; copy_count++) {
        ck_assert_uint_lt(copy_count, CHUNKS_MAX);
        copies[copy_count] =
            (struct copy){chunk.kind, malloc(chunk.raw_bytes + 100), chunk.raw_bytes};
        memcpy(copies[copy_count].raw, chunk.raw, chunk.raw_bytes);
    }
    chunk_reader_free(reader);
    ck_assert_uint_ge(copy_count, 4);
}

static void copies_put(void)
{
    struct gfe_error error = {0};
    FILE *file = fopen(path, "wb");
    struct chunk_writer *writer = chunk_writer_new(fileno(file), path, &error);

    for (uint32_t i = 0; i < copy_count; i++)
        ck_assert(chunk_write(writer, copies[i].kind, copies[i].raw, copies[i].bytes, &error));
    ck_assert(chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
    ck_assert_int_eq(fclose(file), 0);
}

static void copies_free(void)
{
    for (uint32_t i = 0; i < copy_count; i++)
        free(copies[i].raw);
}

static struct copy *copy_of(enum chunk_kind kind)
{
    for (uint32_t i = 0; i < copy_count; i++)
        if (copies[i].kind == kind)
            return &copies[i];
    ck_abort_msg("no chunk of kind %d", kind);
}

/* Replaces the number of a key in the head; NULL takes the key's name away. */
static void head_edit(const char *key, const char *number)
{
    struct copy *head = copy_of(CHUNK_SNAPSHOT_HEAD);
    char wanted[40], *text = strndup((const char *)head->raw, head->bytes), *at, *end;

    snprintf(wanted, sizeof wanted, "\"%s\": ", key);
    at = strstr(text, wanted);
    ck_assert_msg(at != NULL, "%s", key);
    at += strlen(wanted);
    end = at + strcspn(at, ",\n}");
    free(head->raw);
    ck_assert_int_gt(asprintf((char **)&head->raw, "%.*s%s%s", (int)(at - text), text, number, end),
                     0);
    head->bytes = strlen((const char *)head->raw);
    free(text);
}

static const struct wrong {
    const char *key, *value, *words;
} wrongs[] = {
    {"format", "2", "snapshot format 2"},
    {"format", "\"1\"", "the head lacks a number"},
    {"byte_order", "\"big\"", "another byte order"},
    {"byte_order", "7", "another byte order"},
    {"identity", "7, \"x\": {", "not what the snapshot was taken of"},
    {"version", "\"0.0.1\"", "taken with version 0.0.1, this one has"},
    {"gpu", "\"gtx1060-3gb\"", "taken with gpu gtx1060-3gb"},
    {"seed", "\"1\"", "taken with seed 1, this one has 0"},
    {"seed", "1", "not made of strings"},
    {"loop", "\"open\"", "taken with loop open"},
    {"loop", "\"closed\", \"x\": \"y\"", "names more than that"},
    {"layout", "\"00\"", "taken with other parameters or policies"},
    {"arena_bytes", "18446744073709551615", "not JSON"},
    {"arena_bytes", "9223372036854775807", "sizes that no machine has"},
    {"arena_bytes", "-1", "lacks a number"},
    {"arena_bytes", "4096", "too much, or out of order"},
    {"arena_bytes", "268435456", "other sizes"},
    {"arena_pages", "1", "too much"},
    {"arena_pages", "1000", "cut off"},
    {"vram_bytes", "4097", "sizes that no machine has"},
    {"vram_bytes", "4096", "outside the GPU's memory"},
    {"vram_bytes", "8589934592", "other sizes"},
    {"memory_pages", "0", "too much"},
    {"memory_pages", "1000", "cut off"},
    {"log_parts", "0", "too much"},
    {"log_parts", "2", "cut off"},
    {"now_ps", "true", "lacks a number"},
};

START_TEST(a_head_that_says_something_wrong_is_refused)
{
    const struct wrong *wrong = &wrongs[_i];
    struct gfe_error error = {0};

    copies_take();
    head_edit(wrong->key, wrong->value);
    copies_put();
    ck_assert(!restores(&error));
    ck_assert_msg(strstr(error.text, wrong->words) != NULL, "%s: %s", wrong->key, error.text);
    copies_free();
}
END_TEST

START_TEST(a_chunk_left_out_or_doubled_is_noticed)
{
    copies_take();
    for (uint32_t i = 0; i < copy_count; i++) {
        const struct copy copy = copies[i];
        struct gfe_error error = {0}, twice = {0};

        copies[i].kind = i == 0 ? CHUNK_SNAPSHOT_LOG : CHUNK_SNAPSHOT_ARENA;
        copies[i].bytes = 0;
        copies_put();
        ck_assert_msg(!restores(&error), "without chunk %u", i);
        copies[i] = copy;
        copies[copy_count++] = copy;
        copies_put();
        ck_assert_msg(!restores(&twice), "with chunk %u twice", i);
        copy_count--;
    }
    copies_free();
}
END_TEST

/* Entries are u64 number, page; u64 aperture, u64 address, page. */
START_TEST(pages_that_are_nowhere_are_refused)
{
    static const struct {
        enum chunk_kind kind;
        uint32_t at;
        uint8_t byte;
        const char *words;
    } edits[] = {
        {CHUNK_SNAPSHOT_ARENA, 7, 0x80, "out of order"},
        {CHUNK_SNAPSHOT_ARENA, 3, 0x80, "out of order"},
        {CHUNK_SNAPSHOT_MEMORY, 0, 2, "outside the GPU's memory"},
        {CHUNK_SNAPSHOT_MEMORY, 0, 1, "out of order"},
        {CHUNK_SNAPSHOT_MEMORY, 8, 1, "outside the GPU's memory"},
        {CHUNK_SNAPSHOT_MEMORY, 14, 1, "outside the GPU's memory"},
    };

    copies_take();
    for (size_t i = 0; i < sizeof edits / sizeof edits[0]; i++) {
        uint8_t *byte = copy_of(edits[i].kind)->raw + edits[i].at;
        struct gfe_error error = {0};
        const uint8_t was = *byte;

        ck_assert_uint_ne(was, edits[i].byte);
        *byte = edits[i].byte;
        copies_put();
        *byte = was;
        ck_assert(!restores(&error));
        ck_assert_msg(strstr(error.text, edits[i].words) != NULL, "%zu: %s", i, error.text);
    }
    copies_free();
}
END_TEST

START_TEST(a_log_that_the_state_does_not_go_on_from_is_refused)
{
    struct gfe_error error = {0};
    struct copy *log;

    copies_take();
    log = copy_of(CHUNK_SNAPSHOT_LOG);
    ck_assert_uint_gt(log->bytes, 0);
    log->bytes--;
    copies_put();
    ck_assert(!restores(&error));
    ck_assert_ptr_nonnull(strstr(error.text, "event log is not the one"));
    copies_free();
}
END_TEST

/* What is refused has changed nothing. */
/* PROMISE (engine): A refused snapshot leaves the machine as it was. */
START_TEST(a_refused_snapshot_leaves_the_machine_as_it_was)
{
    struct gfe_error error = {0};
    char before[65], after[65];

    ck_assert(machine_hash(simulation.machine, before));
    copies_take();
    head_edit("seed", "\"1\"");
    copies_put();
    ck_assert(!restores(&error));
    ck_assert(machine_hash(simulation.machine, after));
    ck_assert_str_eq(before, after);
    ck_assert(any_simulation_run(&simulation, GFE_PS_NEVER, &error));
    copies_free();
}
END_TEST

Suite *snapshot_file_suite(void)
{
    Suite *suite = suite_create("snapshot_file");
    TCase *damage = tcase_create("damage");
    TCase *wrong = tcase_create("wrong");

    tcase_add_checked_fixture(damage, setup, teardown);
    tcase_add_test(damage, what_was_written_is_read_and_goes_on);
    tcase_add_test(damage, a_head_is_whole_or_no_file_is_written);
    tcase_add_test(damage, a_flipped_bit_is_found);
    tcase_add_test(damage, a_cut_off_file_is_refused);
    tcase_add_test(damage, files_of_another_kind_are_named_as_what_they_are);
    suite_add_tcase(suite, damage);
    tcase_add_checked_fixture(wrong, setup, teardown);
    tcase_add_loop_test(wrong, a_head_that_says_something_wrong_is_refused, 0,
                        sizeof wrongs / sizeof wrongs[0]);
    tcase_add_test(wrong, a_chunk_left_out_or_doubled_is_noticed);
    tcase_add_test(wrong, pages_that_are_nowhere_are_refused);
    tcase_add_test(wrong, a_log_that_the_state_does_not_go_on_from_is_refused);
    tcase_add_test(wrong, a_refused_snapshot_leaves_the_machine_as_it_was);
    suite_add_tcase(suite, wrong);
    return suite;
}
