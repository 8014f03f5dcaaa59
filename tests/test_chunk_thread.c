/* SPDX-License-Identifier: MIT */
/* Chunks that a second thread packs, or unpacks ahead: nobody can tell. */
#include <config.h>

#include <check.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "tests/chunk_samples.h"
#include "tests/suites.h"

/* So many that both ends use their thread for most of them. */
enum { MANY = 40, MANY_BYTES = 100000 };

static void fill_sizes(size_t sizes[MANY])
{
    for (size_t i = 0; i < MANY; i++)
        sizes[i] = MANY_BYTES + 977 * i;
}

static struct memory_file many_chunks(bool thread)
{
    struct memory_file file = memory_file_new("", 0);
    struct gfe_error error = {0};
    struct chunk_writer *writer = chunk_writer_new(file.fd, "test", &error);
    size_t sizes[MANY];

    fill_sizes(sizes);
    if (thread)
        chunk_writer_use_thread(writer);
    for (size_t i = 0; i < MANY; i++) {
        uint8_t *data = pattern(sizes[i], (uint32_t)i);
        ck_assert_uint_eq(chunk_writer_count(writer), i);
        ck_assert(chunk_write(writer, CHUNK_LOG_EVENTS, data, sizes[i], &error));
        free(data);
    }
    ck_assert_msg(chunk_writer_finish(writer, &error), "%s", error.text);
    chunk_writer_free(writer);
    return file;
}

START_TEST(a_thread_writes_the_same_file)
{
    struct memory_file alone = many_chunks(false), threaded = many_chunks(true);
    size_t bytes, threaded_bytes;
    uint8_t *file = memory_file_read(&alone, &bytes);
    uint8_t *threaded_file = memory_file_read(&threaded, &threaded_bytes);

    ck_assert_uint_eq(bytes, threaded_bytes);
    ck_assert(memcmp(file, threaded_file, bytes) == 0);
    free(file);
    free(threaded_file);
    memory_file_free(&alone);
    memory_file_free(&threaded);
}
END_TEST

/* All that a caller can see of a file, chunk by chunk. */
static char *reading(const char *path, bool ahead)
{
    struct gfe_error error = {0};
    struct chunk_reader *reader = chunk_reader_open(path, &error);
    struct chunk chunk = {0};
    enum chunk_result result;
    char *text = NULL;
    size_t bytes;
    FILE *file = open_memstream(&text, &bytes);

    ck_assert(reader && file);
    if (ahead)
        chunk_reader_read_ahead(reader);
    do {
        result = chunk_read(reader, &chunk, &error);
        fprintf(file, "%d %d %u %llu %llu %lu %llu %d %d %s\n", (int)result, (int)chunk.kind,
                chunk.raw_bytes, (unsigned long long)chunk.file_offset,
                (unsigned long long)chunk.number,
                result == CHUNK_GOT ? crc32_z(0, chunk.raw, chunk.raw_bytes) : 0,
                (unsigned long long)chunk_reader_offset(reader), chunk_reader_saw_index(reader),
                chunk_reader_was_cut(reader), error.text);
    } while (result == CHUNK_GOT);
    ck_assert_int_eq(chunk_read(reader, &chunk, NULL), result); /* it stays so */
    chunk_reader_free(reader);
    ck_assert_int_eq(fclose(file), 0);
    return text;
}

static void assert_same_reading(const char *path)
{
    char *alone = reading(path, false), *ahead = reading(path, true);

    ck_assert_str_eq(alone, ahead);
    free(alone);
    free(ahead);
}

START_TEST(reading_ahead_shows_the_same)
{
    struct memory_file file = many_chunks(false);
    size_t bytes;
    uint8_t *data = memory_file_read(&file, &bytes), *copy = malloc(bytes);
    struct memory_file broken;

    ck_assert_ptr_nonnull(copy);
    assert_same_reading(file.path);
    for (size_t i = 1; i < 8; i++) { /* damaged, and cut, early and late */
        memcpy(copy, data, bytes);
        copy[bytes * i / 8] ^= 1;
        broken = memory_file_new(copy, bytes);
        assert_same_reading(broken.path);
        memory_file_free(&broken);
        broken = memory_file_new(data, bytes * i / 8);
        assert_same_reading(broken.path);
        memory_file_free(&broken);
    }
    free(data);
    free(copy);
    memory_file_free(&file);
}
END_TEST

START_TEST(who_reads_ahead_may_stop_early)
{
    struct memory_file file = many_chunks(false);
    struct gfe_error error = {0};
    struct chunk chunk;

    for (size_t stop = 0; stop < MANY; stop += 5) {
        struct chunk_reader *reader = chunk_reader_open(file.path, &error);

        chunk_reader_read_ahead(reader);
        for (size_t i = 0; i < stop; i++)
            ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_GOT);
        chunk_reader_free(reader);
    }
    memory_file_free(&file);
}
END_TEST

/* In a row, so that the thread starts, and back and forth. */
START_TEST(who_reads_ahead_may_jump)
{
    struct memory_file file = many_chunks(false);
    struct gfe_error error = {0};
    struct chunk_reader *reader = chunk_reader_open(file.path, &error);
    uint64_t offsets[MANY];
    uLong sums[MANY];
    struct chunk chunk;

    for (size_t i = 0; i < MANY; i++) {
        ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_GOT);
        offsets[i] = chunk.file_offset;
        sums[i] = crc32_z(0, chunk.raw, chunk.raw_bytes);
    }
    chunk_reader_read_ahead(reader);
    for (size_t from = 0; from < MANY; from += 3) {
        for (size_t i = from; i < MANY; i++) {
            if (i == from || i % 4 == 0) /* also where it would go on anyway */
                chunk_reader_seek(reader, offsets[i], i);
            ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_GOT);
            ck_assert_uint_eq(chunk.number, i);
            ck_assert_uint_eq(chunk.file_offset, offsets[i]);
            ck_assert_uint_eq(crc32_z(0, chunk.raw, chunk.raw_bytes), sums[i]);
        }
        ck_assert_int_eq(chunk_read(reader, &chunk, &error), CHUNK_AT_END);
    }
    chunk_reader_free(reader);
    memory_file_free(&file);
}
END_TEST

START_TEST(a_full_disk_is_reported_from_the_thread)
{
    struct gfe_error error = {0};
    const int fd = open("/dev/full", O_WRONLY);
    struct chunk_writer *writer = chunk_writer_new(fd, "/dev/full", &error);
    struct memory_file file = memory_file_new("", 0);
    uint8_t *data = pattern(MANY_BYTES, 1);
    bool good = true;

    /* The thread starts while all is well; then the disk is full. */
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(dup2(file.fd, fd), fd);
    chunk_writer_use_thread(writer);
    for (unsigned i = 0; i < 20; i++)
        ck_assert(chunk_write(writer, CHUNK_LOG_EVENTS, data, MANY_BYTES, &error));
    const int full = open("/dev/full", O_WRONLY);
    ck_assert_int_eq(dup2(full, fd), fd);
    for (unsigned i = 0; i < 20 && good; i++)
        good = chunk_write(writer, CHUNK_LOG_EVENTS, data, MANY_BYTES, &error);
    if (good)
        good = chunk_writer_finish(writer, &error);
    ck_assert(!good);
    ck_assert_str_eq(error.text, "/dev/full: cannot write: No space left on device");
    error = (struct gfe_error){0};
    ck_assert(!chunk_write(writer, CHUNK_LOG_EVENTS, data, 1, &error));
    ck_assert_ptr_nonnull(strstr(error.text, "an earlier write failed"));
    chunk_writer_free(writer);
    (void)close(full);
    (void)close(fd);
    memory_file_free(&file);
    free(data);
}
END_TEST

struct seen {
    uint64_t count, bytes;
    uLong crc;
};

static void see(void *context, const struct chunk *chunk)
{
    struct seen *seen = context;

    ck_assert_uint_eq(chunk->number, seen->count);
    seen->count++;
    seen->bytes += chunk->raw_bytes;
    seen->crc = crc32_z(seen->crc, chunk->raw, chunk->raw_bytes);
}

START_TEST(an_observer_sees_every_chunk_in_order)
{
    size_t sizes[MANY];

    fill_sizes(sizes);
    for (int thread = 0; thread < 2; thread++) {
        struct memory_file file = memory_file_new("", 0);
        struct chunk_writer *writer = chunk_writer_new(file.fd, "test", NULL);
        struct seen seen = {0}, given = {0};

        if (thread)
            chunk_writer_use_thread(writer);
        chunk_writer_observe(writer, see, &seen);
        for (size_t i = 0; i < MANY; i++) {
            uint8_t *data = pattern(sizes[i], (uint32_t)i);
            const struct chunk chunk = {
                .raw = data, .raw_bytes = (uint32_t)sizes[i], .number = given.count};
            see(&given, &chunk);
            ck_assert(chunk_write(writer, CHUNK_LOG_EVENTS, data, sizes[i], NULL));
            free(data);
        }
        ck_assert(chunk_writer_finish(writer, NULL));
        ck_assert_uint_eq(seen.count, given.count);
        ck_assert_uint_eq(seen.bytes, given.bytes);
        ck_assert_uint_eq(seen.crc, given.crc);
        chunk_writer_free(writer);
        memory_file_free(&file);
    }
}
END_TEST

Suite *chunk_thread_suite(void)
{
    Suite *suite = suite_create("chunk_thread");
    TCase *tcase = tcase_create("all");

    tcase_add_test(tcase, a_thread_writes_the_same_file);
    tcase_add_test(tcase, reading_ahead_shows_the_same);
    tcase_add_test(tcase, who_reads_ahead_may_stop_early);
    tcase_add_test(tcase, who_reads_ahead_may_jump);
    tcase_add_test(tcase, a_full_disk_is_reported_from_the_thread);
    tcase_add_test(tcase, an_observer_sees_every_chunk_in_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
