/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/chunk_samples.h"
#include "tests/suites.h"

START_TEST(chunks_come_back_as_written_from_none_to_the_largest_size)
{
    static const size_t sizes[] = {0, 1, BIG - 1, BIG};
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    size_t count;
    bool was_cut;

    write_chunks(file.fd, sizes, 4, true);
    ck_assert_int_eq(read_chunks(file.path, sizes, &count, &was_cut, &error), CHUNK_AT_END);
    ck_assert_uint_eq(count, 4);
    ck_assert(!was_cut);
    memory_file_free(&file);
}
END_TEST

/* The bound counts unpacked bytes, and bytes that a user of the chunks adds to them. */
START_TEST(a_file_that_unpacks_to_more_than_it_may_is_refused)
{
    const size_t sizes[] = {1000, 2000, 3000};
    struct memory_file file = memory_file_new("", 0);
    struct chunk chunk;

    write_chunks(file.fd, sizes, 3, true);
    for (uint64_t limit = 5999; limit <= 6000; limit++) {
        struct gfe_error error = {0};
        struct chunk_reader *reader = chunk_reader_open(file.path, &error);
        enum chunk_result result;

        chunk_reader_limit(reader, limit);
        while ((result = chunk_read(reader, &chunk, &error)) == CHUNK_GOT)
            ;
        ck_assert_int_eq(result, limit == 6000 ? CHUNK_AT_END : CHUNK_FAILED);
        ck_assert_int_eq(error.kind, limit == 6000 ? ERROR_NONE : ERROR_LIMIT);
        ck_assert_int_eq(chunk_reader_spend(reader, 1, &error), false);
        ck_assert_ptr_nonnull(strstr(error.text, "(--max-expansion)"));
        chunk_reader_free(reader);
    }
    memory_file_free(&file);
}
END_TEST

static void interrupt(int signal_number)
{
    (void)signal_number;
}

/* The writer is interrupted again and again, and the pipe takes a few bytes at a time: writes are
 * cut short and fail with EINTR, and nothing is lost. */
START_TEST(a_slow_pipe_and_signals_lose_nothing)
{
    static const size_t sizes[] = {300000, 17, 1000000};
    int ends[2];
    size_t count;
    bool was_cut;
    struct gfe_error error = {0};

    ck_assert_int_eq(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const struct sigaction action = {.sa_handler = interrupt};
        const struct itimerval often = {{0, 300}, {0, 300}};
        sigaction(SIGALRM, &action, NULL);
        setitimer(ITIMER_REAL, &often, NULL);
        close(ends[0]);
        write_chunks(ends[1], sizes, 3, true);
        _exit(0);
    }
    close(ends[1]);
    ck_assert_int_ge(dup2(ends[0], STDIN_FILENO), 0);
    usleep(30000); /* the pipe is full by now, and the writer is interrupted while it waits */
    ck_assert_int_eq(read_chunks("-", sizes, &count, &was_cut, &error), CHUNK_AT_END);
    ck_assert_uint_eq(count, 3);
    ck_assert(!was_cut);
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    close(ends[0]);
}
END_TEST

START_TEST(a_file_cut_at_any_byte_gives_its_complete_chunks_and_says_cut)
{
    struct memory_file whole = some_chunks(true);
    size_t bytes, count, last_count = 0;
    uint8_t *data = memory_file_read(&whole, &bytes);

    for (size_t cut = 0; cut < bytes; cut++) {
        struct memory_file file = memory_file_new(data, cut);
        struct gfe_error error = {0};
        bool was_cut;
        const enum chunk_result result =
            read_chunks(file.path, some_sizes, &count, &was_cut, &error);
        ck_assert(was_cut);
        ck_assert_int_ne(result, CHUNK_GOT);
        ck_assert((result == CHUNK_FAILED) == (error.kind == ERROR_INPUT));
        ck_assert_uint_ge(count, last_count);
        last_count = count;
        memory_file_free(&file);
    }
    ck_assert_uint_eq(last_count, SOME);
    free(data);
    memory_file_free(&whole);
}
END_TEST

/* zlib leaves a few bits unused: then the chunks must be as they were (read_chunks() looks). */
/* PROMISE (log): A flipped bit in a file of chunks is noticed or changes nothing. */
START_TEST(any_flipped_bit_is_noticed_or_changes_nothing)
{
    struct memory_file whole = some_chunks(true);
    size_t bytes, count, noticed = 0;
    uint8_t *data = memory_file_read(&whole, &bytes);

    for (size_t bit = 0; bit < 8 * bytes; bit++) {
        struct gfe_error error = {0};
        bool was_cut;
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
        struct memory_file file = memory_file_new(data, bytes);
        if (read_chunks(file.path, some_sizes, &count, &was_cut, &error) == CHUNK_FAILED) {
            ck_assert_msg(strstr(error.text, file.path) == error.text, "%s", error.text);
            noticed++;
        } else {
            ck_assert_uint_eq(count, SOME);
            ck_assert(!was_cut);
        }
        memory_file_free(&file);
        data[bit / 8] ^= (uint8_t)(1 << bit % 8);
    }
    ck_assert_uint_gt(noticed, 8 * bytes - 100);
    free(data);
    memory_file_free(&whole);
}
END_TEST

/* ---- headers that are well formed and lie ---------------------------------------------------- */

struct lie {
    const char *message;
    uint32_t version_kind, raw_bytes, stored_bytes;
};
static const struct lie lies[] = {
    {"chunk version 2, but this gfe reads version 1", 2 | 3 << 16, 10, 10},
    {"unknown kind 77", 1 | 77 << 16, 10, 10},
    {"unknown kind 0", 1, 10, 10},
    {"larger than chunks may be", 1 | 3 << 16, BIG + 1, 100000},
    {"larger than chunks may be", 1 | 3 << 16, 10, 0xffffffff},
    {"expand more than zlib can", 1 | 3 << 16, 1101, 1},
    {"expand more than zlib can", 1 | 3 << 16, 1, 0},
};

static void put32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static size_t forge(uint8_t *to, uint32_t version_kind, uint32_t raw_bytes, const void *stored,
                    uint32_t stored_bytes)
{
    memcpy(to, "gfeC", 4);
    put32(to + 4, version_kind);
    put32(to + 8, raw_bytes);
    put32(to + 12, stored_bytes);
    put32(to + 16, 0);
    put32(to + 20, (uint32_t)crc32_z(0, to, 20));
    if (stored)
        memcpy(to + CHUNK_HEAD_BYTES, stored, stored_bytes);
    return CHUNK_HEAD_BYTES + (stored ? stored_bytes : 0);
}

static void expect_failure(const void *data, size_t bytes, const char *message)
{
    struct memory_file file = memory_file_new(data, bytes);
    struct gfe_error error = {0};
    size_t count;
    bool was_cut;

    ck_assert_int_eq(read_chunks(file.path, some_sizes, &count, &was_cut, &error), CHUNK_FAILED);
    ck_assert_msg(strstr(error.text, message) != NULL, "%s; expected: %s", error.text, message);
    memory_file_free(&file);
}

START_TEST(sizes_and_kinds_are_checked_before_anything_is_read)
{
    const struct lie *lie = &lies[_i];
    uint8_t data[CHUNK_HEAD_BYTES];

    expect_failure(data, forge(data, lie->version_kind, lie->raw_bytes, NULL, lie->stored_bytes),
                   lie->message);
}
END_TEST

/* The stored data unpack to 100 bytes whatever the header says. */
START_TEST(data_that_unpack_to_another_size_are_refused)
{
    static const uint8_t raw[100];
    uint8_t stored[200], data[300];
    uLongf stored_bytes = sizeof stored;
    const uint32_t raw_bytes = (uint32_t)_i;

    ck_assert_int_eq(compress(stored, &stored_bytes, raw, sizeof raw), Z_OK);
    expect_failure(data, forge(data, 1 | 3 << 16, raw_bytes, stored, (uint32_t)stored_bytes),
                   raw_bytes == 100 ? "checksum of the chunk's data"
                                    : "does not unpack to the size");
}
END_TEST

/* ---- files put together wrongly ---------------------------------------------------------------
 */

START_TEST(a_chunk_missing_from_the_middle_is_noticed_by_the_index)
{
    static const size_t sizes[] = {64, 64, 64};
    struct memory_file whole = memory_file_new("", 0);
    struct gfe_error error = {0};
    size_t bytes;

    write_chunks(whole.fd, sizes, 3, true);
    uint8_t *data = memory_file_read(&whole, &bytes);
    struct chunk_reader *reader = chunk_reader_open(whole.path, &error);
    struct chunk chunk;
    uint64_t offsets[3];
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_GOT);
        offsets[i] = chunk.file_offset;
    }
    chunk_reader_free(reader);

    memmove(data + offsets[1], data + offsets[2], bytes - offsets[2]);
    struct memory_file file = memory_file_new(data, bytes - (offsets[2] - offsets[1]));
    reader = chunk_reader_open(file.path, &error);
    while (chunk_read(reader, &chunk, &error) == CHUNK_GOT)
        ;
    ck_assert_msg(strstr(error.text, "does not fit the file") != NULL, "%s", error.text);
    chunk_reader_free(reader);
    free(data);
    memory_file_free(&file);
    memory_file_free(&whole);
}
END_TEST

/* As many as the index lists, but not those. */
START_TEST(chunks_that_changed_places_are_noticed_by_the_index)
{
    static const size_t sizes[] = {64, 640};
    struct memory_file whole = memory_file_new("", 0), swapped = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk chunk;
    size_t bytes;

    write_chunks(whole.fd, sizes, 2, true);
    uint8_t *data = memory_file_read(&whole, &bytes);
    struct chunk_reader *reader = chunk_reader_open(whole.path, &error);
    ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_GOT);
    const size_t second = (size_t)chunk_reader_offset(reader);
    ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_GOT);
    const size_t index = (size_t)chunk_reader_offset(reader);
    chunk_reader_free(reader);

    ck_assert_int_gt(write(swapped.fd, data + second, index - second), 0);
    ck_assert_int_gt(write(swapped.fd, data, second), 0);
    ck_assert_int_gt(write(swapped.fd, data + index, bytes - index), 0);
    reader = chunk_reader_open(swapped.path, &error);
    while (chunk_read(reader, &chunk, &error) == CHUNK_GOT)
        ;
    ck_assert_msg(strstr(error.text, "does not fit the file") != NULL, "%s", error.text);
    chunk_reader_free(reader);
    free(data);
    memory_file_free(&whole);
    memory_file_free(&swapped);
}
END_TEST

START_TEST(a_second_file_behind_the_index_is_refused)
{
    struct memory_file file = some_chunks(true);
    struct gfe_error error = {0};
    size_t count;
    bool was_cut;

    write_chunks(file.fd, some_sizes, SOME, true);
    ck_assert_int_eq(read_chunks(file.path, some_sizes, &count, &was_cut, &error), CHUNK_FAILED);
    ck_assert_uint_eq(count, SOME);
    ck_assert_msg(strstr(error.text, "a chunk follows the index") != NULL, "%s", error.text);
    memory_file_free(&file);
}
END_TEST

START_TEST(a_failure_stays_a_failure)
{
    struct memory_file file = memory_file_new("no gfe file", 11);
    struct gfe_error error = {0}, again = {0};
    struct chunk_reader *reader = chunk_reader_open(file.path, &error);
    struct chunk chunk;

    ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_FAILED);
    ck_assert(!chunk_reader_was_cut(reader));
    ck_assert_int_eq(chunk_read(reader, &chunk, &again), CHUNK_FAILED);
    ck_assert_str_eq(error.text, again.text);
    chunk_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(a_long_or_strange_file_name_leaves_a_message_of_one_line)
{
    char name[2000];
    struct gfe_error error = {0};

    memset(name, 'x', sizeof name);
    memcpy(name + sizeof name - 9, "/a\nb.gft", 9);
    struct chunk_reader *reader = chunk_reader_new(open("/dev/null", O_RDONLY), true, name, &error);
    ck_assert_ptr_nonnull(strstr(chunk_reader_name(reader), "x/a?b.gft"));
    ck_assert_uint_lt(strlen(chunk_reader_name(reader)), 256);
    chunk_reader_free(reader);
}
END_TEST

START_TEST(a_full_disk_is_reported_and_nothing_more_is_written)
{
    const int fd = open("/dev/full", O_WRONLY);
    struct gfe_error error = {0}, again = {0};
    struct chunk_writer *writer = chunk_writer_new(fd, "F.gft", &error);

    ck_assert(!chunk_write(writer, CHUNK_TRACE, "x", 1, &error));
    ck_assert_str_eq(error.text, "F.gft: cannot write: No space left on device");
    ck_assert(!chunk_writer_finish(writer, &again));
    ck_assert_str_eq(again.text, "F.gft: an earlier write failed");
    chunk_writer_free(writer);
    close(fd);
}
END_TEST

/* 349,525 entries fill an index chunk. */
START_TEST(an_index_too_large_for_one_chunk_goes_on_in_the_next)
{
    enum { CHUNKS = 349525 + 10 };
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "test", &error);
    struct chunk chunk;
    uint32_t count = 0;

    for (uint32_t i = 0; i < CHUNKS; i++)
        ck_assert(chunk_write(writer, CHUNK_TRACE, "", 0, &error));
    ck_assert(chunk_writer_finish(writer, &error));
    chunk_writer_free(writer);
    struct chunk_reader *reader = chunk_reader_open(file.path, &error);
    while (chunk_read(reader, &chunk, &error) == CHUNK_GOT)
        count++;
    ck_assert_msg(error.kind == ERROR_NONE, "%s", error.text);
    ck_assert(chunk_reader_saw_index(reader));
    ck_assert_uint_eq(count, CHUNKS);
    chunk_reader_free(reader);
    memory_file_free(&file);
}
END_TEST
Suite *chunk_suite(void)
{
    Suite *suite = suite_create("chunk");
    TCase *tcase = tcase_create("chunk");

    tcase_add_test(tcase, chunks_come_back_as_written_from_none_to_the_largest_size);
    tcase_add_test(tcase, a_file_that_unpacks_to_more_than_it_may_is_refused);
    tcase_add_test(tcase, a_slow_pipe_and_signals_lose_nothing);
    tcase_add_test(tcase, a_file_cut_at_any_byte_gives_its_complete_chunks_and_says_cut);
    tcase_add_test(tcase, any_flipped_bit_is_noticed_or_changes_nothing);
    tcase_add_loop_test(tcase, sizes_and_kinds_are_checked_before_anything_is_read, 0,
                        (int)(sizeof lies / sizeof lies[0]));
    tcase_add_loop_test(tcase, data_that_unpack_to_another_size_are_refused, 99, 102);
    tcase_add_test(tcase, a_chunk_missing_from_the_middle_is_noticed_by_the_index);
    tcase_add_test(tcase, chunks_that_changed_places_are_noticed_by_the_index);
    tcase_add_test(tcase, a_second_file_behind_the_index_is_refused);
    tcase_add_test(tcase, a_failure_stays_a_failure);
    tcase_add_test(tcase, a_long_or_strange_file_name_leaves_a_message_of_one_line);
    tcase_add_test(tcase, a_full_disk_is_reported_and_nothing_more_is_written);
    tcase_add_test(tcase, an_index_too_large_for_one_chunk_goes_on_in_the_next);
    suite_add_tcase(suite, tcase);
    return suite;
}
