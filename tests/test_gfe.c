/* SPDX-License-Identifier: MIT */
/* libgfe as a program outside sees it: only emu/sim/gfe.h. */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/sim/gfe.h"
#include "tests/suites.h"

static struct gfe_simulation *open_named(const char *name, const struct gfe_options *options)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_simulation *simulation;
    char path[512], message[512] = "";

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".", name);
    simulation = gfe_simulation_open(path, options, message, sizeof message);
    ck_assert_msg(simulation != NULL, "%s", message);
    ck_assert_str_eq(message, "");
    return simulation;
}

static struct gfe_simulation *open_golden(const struct gfe_options *options)
{
    return open_named("compute.gft", options);
}

static char *file_read(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rbe");
    char *text = NULL;
    FILE *memory = open_memstream(&text, bytes);

    ck_assert_ptr_nonnull(file);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        (void)fputc(c, memory);
    fclose(memory);
    fclose(file);
    return text;
}

/* The library answers with the version that configure.ac states. */
START_TEST(the_version_is_that_of_the_package)
{
    ck_assert_str_eq(gfe_version(), PACKAGE_VERSION);
}
END_TEST

START_TEST(a_trace_runs_to_its_end_and_reaches_its_fences)
{
    struct gfe_simulation *simulation = open_golden(NULL);
    uint32_t count, reached;

    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    ck_assert_str_eq(gfe_simulation_message(simulation), "");
    gfe_simulation_fences(simulation, &count, &reached);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(reached, 2);
    ck_assert_uint_gt(gfe_simulation_time_ps(simulation), 0);
    gfe_simulation_close(simulation);
}
END_TEST

/* All ways through a run end in the same state and log. */
/* PROMISE (sim): Through the C library single steps, stretches and one run come to the same log. */
START_TEST(steps_stretches_and_one_run_come_to_the_same)
{
    struct gfe_simulation *whole = open_golden(NULL), *stepped = open_golden(NULL);
    struct gfe_simulation *stretched = open_golden(NULL);
    char hash[65], other[65];
    uint64_t until = 0;

    ck_assert_int_eq(gfe_simulation_run(whole, UINT64_MAX), 0);
    while (gfe_simulation_step(stepped) > 0)
        ;
    while (gfe_simulation_run(stretched, until) > 0) {
        ck_assert_uint_le(gfe_simulation_time_ps(stretched), until);
        until += UINT64_C(100000000);
    }
    gfe_simulation_hash(whole, hash);
    gfe_simulation_hash(stepped, other);
    ck_assert_str_eq(hash, other);
    gfe_simulation_hash(stretched, other);
    ck_assert_str_eq(hash, other);
    gfe_simulation_close(whole);
    gfe_simulation_close(stepped);
    gfe_simulation_close(stretched);
}
END_TEST

START_TEST(a_snapshot_brings_back_state_and_log)
{
    struct gfe_simulation *simulation = open_golden(NULL), *second = open_golden(NULL);
    struct gfe_snapshot *snapshot;
    char hash[65], other[65];

    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_C(42700000000)), 1);
    snapshot = gfe_simulation_take(simulation);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    gfe_simulation_hash(simulation, hash);
    ck_assert_int_eq(gfe_simulation_restore(simulation, snapshot), 0);
    gfe_simulation_hash(simulation, other);
    ck_assert_str_ne(hash, other);
    ck_assert_int_eq(gfe_simulation_restore(second, snapshot), 0);
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    ck_assert_int_eq(gfe_simulation_run(second, UINT64_MAX), 0);
    gfe_simulation_hash(simulation, other);
    ck_assert_str_eq(hash, other);
    gfe_simulation_hash(second, other);
    ck_assert_str_eq(hash, other);
    gfe_snapshot_free(snapshot);
    gfe_simulation_close(simulation);
    gfe_simulation_close(second);
}
END_TEST

/* Through a file, into a simulation that was opened later: the same state and the same whole log.
 */
/* A recording for an AMD GPU is a simulation like any other. */
START_TEST(so_it_is_with_user_mode_queues)
{
    struct gfe_simulation *simulation = open_named("kfd_kernels.gft", NULL), *second;
    struct gfe_snapshot *snapshot;
    char state[65], found[65];
    uint32_t count, reached;

    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(gfe_simulation_step(simulation), 1);
    snapshot = gfe_simulation_take(simulation);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    gfe_simulation_hash(simulation, state);
    second = open_named("kfd_kernels.gft", NULL);
    ck_assert_int_eq(gfe_simulation_restore(second, snapshot), 0);
    ck_assert_int_eq(gfe_simulation_run(second, UINT64_MAX), 0);
    gfe_simulation_hash(second, found);
    ck_assert_str_eq(found, state);
    gfe_simulation_fences(second, &count, &reached);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(reached, 2);
    gfe_snapshot_free(snapshot);
    gfe_simulation_close(second);
    gfe_simulation_close(simulation);
}
END_TEST

START_TEST(a_snapshot_can_be_saved_and_loaded)
{
    struct gfe_simulation *simulation = open_golden(NULL), *second;
    char path[] = "/tmp/gfe-test-XXXXXX", message[512] = "", hash[65], other[65];
    struct gfe_snapshot *snapshot;
    size_t bytes, other_bytes;
    char *log, *other_log;

    close(mkstemp(path));
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_C(42700000000)), 1);
    snapshot = gfe_simulation_take(simulation);
    ck_assert_ptr_nonnull(snapshot);
    ck_assert_uint_eq(gfe_snapshot_time_ps(snapshot), gfe_simulation_time_ps(simulation));
    ck_assert_int_eq(gfe_snapshot_save(snapshot, path, message, sizeof message), 0);
    gfe_snapshot_free(snapshot);
    snapshot = gfe_snapshot_load(path, message, sizeof message);
    ck_assert_msg(snapshot != NULL, "%s", message);
    second = open_golden(NULL);
    ck_assert_int_eq(gfe_simulation_restore(second, snapshot), 0);
    ck_assert_uint_eq(gfe_snapshot_time_ps(snapshot), gfe_simulation_time_ps(second));
    gfe_snapshot_free(snapshot);
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    ck_assert_int_eq(gfe_simulation_run(second, UINT64_MAX), 0);
    gfe_simulation_hash(simulation, hash);
    gfe_simulation_hash(second, other);
    ck_assert_str_eq(hash, other);
    ck_assert_int_eq(gfe_simulation_write_log(simulation, path), 0);
    log = file_read(path, &bytes);
    ck_assert_int_eq(gfe_simulation_write_log(second, path), 0);
    other_log = file_read(path, &other_bytes);
    ck_assert_uint_eq(bytes, other_bytes);
    ck_assert_mem_eq(log, other_log, bytes);
    free(log);
    free(other_log);
    (void)unlink(path);
    gfe_simulation_close(simulation);
    gfe_simulation_close(second);
}
END_TEST

/* What does not fit is said, and changes nothing. */
/* PROMISE (sim): The C library refuses a snapshot of another run. */
START_TEST(a_snapshot_of_another_run_is_refused)
{
    const struct gfe_options options = {.size = sizeof options, .seed = 1};
    struct gfe_simulation *simulation = open_golden(NULL), *seeded = open_golden(&options);
    struct gfe_snapshot *snapshot = gfe_simulation_take(simulation);
    char message[512] = "", hash[65], after[65];

    ck_assert_ptr_nonnull(snapshot);
    gfe_simulation_hash(seeded, hash);
    ck_assert_int_eq(gfe_simulation_restore(seeded, snapshot), -1);
    ck_assert_ptr_nonnull(strstr(gfe_simulation_message(seeded), "seed"));
    gfe_simulation_hash(seeded, after);
    ck_assert_str_eq(hash, after);
    ck_assert_int_eq(gfe_simulation_run(seeded, UINT64_MAX), 0);
    ck_assert_int_eq(gfe_snapshot_save(snapshot, "/nowhere/x.gfs", message, sizeof message), -1);
    ck_assert_ptr_nonnull(strstr(message, "/nowhere/x.gfs"));
    ck_assert_ptr_null(gfe_snapshot_load("/nowhere/x.gfs", message, sizeof message));
    ck_assert_ptr_nonnull(strstr(message, "/nowhere/x.gfs"));
    ck_assert_ptr_null(gfe_snapshot_load("/nowhere/x.gfs", NULL, 0));
    gfe_snapshot_free(snapshot);
    gfe_simulation_close(simulation);
    gfe_simulation_close(seeded);
}
END_TEST

START_TEST(registers_and_memory_can_be_read_and_written)
{
    struct gfe_simulation *simulation = open_golden(NULL);
    const uint32_t word = 0x600df00d;
    uint32_t back = 0;

    ck_assert_uint_eq(gfe_simulation_read_register(simulation, 0), 0x136000a1);
    ck_assert_uint_eq(gfe_simulation_read_register(simulation, 0x2008), 4096);
    gfe_simulation_write_register(simulation, 0x2008, 1); /* read only */
    ck_assert_uint_eq(gfe_simulation_read_register(simulation, 0x2008), 4096);
    ck_assert_int_eq(
        gfe_simulation_write_memory(simulation, GFE_VIDEO_MEMORY, 0x100, &word, sizeof word), 0);
    ck_assert_int_eq(
        gfe_simulation_read_memory(simulation, GFE_VIDEO_MEMORY, 0x100, &back, sizeof back), 0);
    ck_assert_uint_eq(back, word);
    ck_assert_int_eq(
        gfe_simulation_read_memory(simulation, GFE_SYSTEM_MEMORY, 0x100, &back, sizeof back), 0);
    ck_assert_uint_eq(back, 0);
    ck_assert_int_eq(gfe_simulation_read_memory(simulation, GFE_VIDEO_MEMORY, UINT64_C(6) << 30,
                                                &back, sizeof back),
                     -1);
    gfe_simulation_close(simulation);
}
END_TEST

/* The log may be written more than once, and later again with more in it. */
START_TEST(the_log_can_be_written_at_any_time_and_again)
{
    struct gfe_simulation *simulation = open_golden(NULL);
    char path[] = "/tmp/gfe-test-XXXXXX";
    size_t half, whole, again;
    char *first, *second;

    close(mkstemp(path));
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_C(42700000000)), 1);
    ck_assert_int_eq(gfe_simulation_write_log(simulation, path), 0);
    free(file_read(path, &half));
    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    ck_assert_int_eq(gfe_simulation_write_log(simulation, path), 0);
    first = file_read(path, &whole);
    ck_assert_int_eq(gfe_simulation_write_log(simulation, path), 0);
    second = file_read(path, &again);
    ck_assert_uint_gt(whole, half);
    ck_assert_uint_eq(whole, again);
    ck_assert_int_eq(memcmp(first, second, whole), 0);
    free(first);
    free(second);
    (void)unlink(path);
    ck_assert_int_eq(gfe_simulation_write_log(simulation, "/nowhere/at/all.gfl"), -1);
    ck_assert_ptr_nonnull(strstr(gfe_simulation_message(simulation), "/nowhere/at/all.gfl"));
    gfe_simulation_close(simulation);
}
END_TEST

/* PROMISE (sim): The C library says in one line what cannot be opened. */
START_TEST(what_cannot_be_opened_is_said_in_one_line)
{
    const struct gfe_options options = {.size = sizeof options, .gpu = "gtx9999"};
    const char *folder = getenv("top_srcdir");
    char path[512], message[512] = "";

    ck_assert_ptr_null(gfe_simulation_open("/nowhere.gft", NULL, message, sizeof message));
    ck_assert_ptr_nonnull(strstr(message, "/nowhere.gft"));
    ck_assert_ptr_null(strchr(message, '\n'));
    ck_assert_ptr_null(gfe_simulation_open("/nowhere.gft", NULL, NULL, 0));
    (void)snprintf(path, sizeof path, "%s/tests/golden/compute.gft", folder ? folder : ".");
    ck_assert_ptr_null(gfe_simulation_open(path, &options, message, sizeof message));
    ck_assert_ptr_nonnull(strstr(message, "gtx9999"));
}
END_TEST

/* An older program has a smaller struct: what it does not have counts as 0. */
START_TEST(options_of_an_older_program_are_read_as_far_as_they_go)
{
    struct gfe_options options = {.size = offsetof(struct gfe_options, seed),
                                  .gpu = "gtx1060-3gb",
                                  .open_loop = 1,
                                  .batch_limit = 1};
    struct gfe_simulation *simulation = open_golden(&options);

    ck_assert_int_eq(gfe_simulation_run(simulation, UINT64_MAX), 0);
    gfe_simulation_close(simulation);
}
END_TEST

Suite *gfe_suite(void)
{
    Suite *suite = suite_create("gfe");
    TCase *tcase = tcase_create("library");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, the_version_is_that_of_the_package);
    tcase_add_test(tcase, a_trace_runs_to_its_end_and_reaches_its_fences);
    tcase_add_test(tcase, steps_stretches_and_one_run_come_to_the_same);
    tcase_add_test(tcase, a_snapshot_brings_back_state_and_log);
    tcase_add_test(tcase, so_it_is_with_user_mode_queues);
    tcase_add_test(tcase, a_snapshot_can_be_saved_and_loaded);
    tcase_add_test(tcase, a_snapshot_of_another_run_is_refused);
    tcase_add_test(tcase, registers_and_memory_can_be_read_and_written);
    tcase_add_test(tcase, the_log_can_be_written_at_any_time_and_again);
    tcase_add_test(tcase, what_cannot_be_opened_is_said_in_one_line);
    tcase_add_test(tcase, options_of_an_older_program_are_read_as_far_as_they_go);
    suite_add_tcase(suite, tcase);
    return suite;
}
