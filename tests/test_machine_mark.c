/* SPDX-License-Identifier: MIT */
/*
 * Machines that are used again (emu/engine/machine_mark.h, emu/sim/simulation_base.h) against
 * machines that are wired for each run.  The inputs are the fuzzers' corpora; each target's machine
 * comes to an input from the one before, which may have done anything to it.
 */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/engine/arena_watch.h"
#include "emu/engine/machine_mark.h"
#include "emu/sim/simulation.h"
#include "tests/fuzz/fuzz_amd_mec.h"
#include "tests/fuzz/fuzz_amd_mqd.h"
#include "tests/fuzz/fuzz_amd_sdma.h"
#include "tests/fuzz/fuzz_bus.h"
#include "tests/fuzz/fuzz_gpfifo.h"
#include "tests/fuzz/fuzz_inject.h"
#include "tests/fuzz/fuzz_kfd_replay.h"
#include "tests/fuzz/fuzz_pbdma.h"
#include "tests/fuzz/fuzz_poke.h"
#include "tests/fuzz/fuzz_registers.h"
#include "tests/fuzz/fuzz_replay.h"
#include "tests/fuzz/fuzz_runlist.h"

enum { FILE_BYTES_MAX = 1 << 20, FILES_MAX = 2048, GPFIFO_STEP = 16 };

struct target {
    const char *corpus;
    void (*run)(const uint8_t *data, size_t bytes, bool fresh, struct check_machine_hashes *hashes);
};

static const struct target targets[] = {
    {"amd_mec", fuzz_amd_mec_hash},     {"amd_mqd", fuzz_amd_mqd_hash},
    {"amd_sdma", fuzz_amd_sdma_hash},   {"bus", fuzz_bus_hash},
    {"inject", fuzz_inject_hash},       {"kfd_replay", fuzz_kfd_replay_hash},
    {"pbdma", fuzz_pbdma_hash},         {"poke", fuzz_poke_hash},
    {"registers", fuzz_registers_hash}, {"replay", fuzz_replay_hash},
    {"runlist", fuzz_runlist_hash},
};

static const char *corpus_folder(const char *name)
{
    static char folder[2048];
    const char *srcdir = getenv("top_srcdir");

    (void)snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".", name);
    return folder;
}

/* The files of a corpus by name, so that the order is the same everywhere. */
static int corpus_list(const char *name, struct dirent ***files)
{
    const int count = scandir(corpus_folder(name), files, NULL, alphasort);

    ck_assert_msg(count > 2, "no corpus %s", name);
    return count;
}

static uint8_t *file_load(const char *corpus, const char *name, size_t *bytes)
{
    char path[4096];
    uint8_t *data = malloc(FILE_BYTES_MAX);
    FILE *file;

    (void)snprintf(path, sizeof path, "%s/%s", corpus_folder(corpus), name);
    file = fopen(path, "rbe");
    ck_assert_msg(data && file, "%s", path);
    *bytes = fread(data, 1, FILE_BYTES_MAX, file);
    fclose(file);
    return data;
}

static void hashes_must_be_equal(const char *name, const struct check_machine_hashes *fresh,
                                 const struct check_machine_hashes *again)
{
    ck_assert_msg(strcmp(fresh->log, again->log) == 0, "%s: another log", name);
    ck_assert_msg(strcmp(fresh->machine, again->machine) == 0, "%s: another machine", name);
}

/* PROMISE (engine): A machine that is used again runs as one that is wired anew: same log, state
 * and memory. */
START_TEST(a_machine_that_is_used_again_is_as_a_new_one)
{
    const struct target *target = &targets[_i];
    struct dirent **files;
    const int count = corpus_list(target->corpus, &files);
    int ran = 0;

    for (int i = 0; i < count; i++) {
        struct check_machine_hashes fresh = {0}, again = {0};
        size_t bytes;
        uint8_t *data;

        if (files[i]->d_name[0] != '.') {
            data = file_load(target->corpus, files[i]->d_name, &bytes);
            target->run(data, bytes, true, &fresh);
            target->run(data, bytes, false, &again);
            hashes_must_be_equal(files[i]->d_name, &fresh, &again);
            ran += fresh.log[0] != '\0';
            free(data);
        }
        free(files[i]);
    }
    free(files);
    ck_assert_int_ge(ran, 3);
}
END_TEST

/* Of its corpus, which is large, each sixteenth; all of it when GFE_LONG is set. */
START_TEST(a_channel_that_is_used_again_is_as_a_new_one)
{
    struct fuzz_gpfifo *kept = fuzz_gpfifo_new();
    struct dirent **files;
    const int count = corpus_list("gpfifo", &files);
    const int step = getenv("GFE_LONG") ? 1 : GPFIFO_STEP;

    for (int i = 0; i < count; i++) {
        if (files[i]->d_name[0] != '.' && i % step == 0) {
            struct check_machine_hashes fresh, again;
            struct fuzz_gpfifo *own = fuzz_gpfifo_new();
            size_t bytes;
            uint8_t *data = file_load("gpfifo", files[i]->d_name, &bytes);

            fuzz_gpfifo_hash(own, data, bytes, &fresh);
            fuzz_gpfifo_hash(kept, data, bytes, &again);
            hashes_must_be_equal(files[i]->d_name, &fresh, &again);
            fuzz_gpfifo_free(own);
            free(data);
        }
        free(files[i]);
    }
    free(files);
    fuzz_gpfifo_free(kept);
}
END_TEST

/* ---- the mark -------------------------------------------------------------------------------- */

/* Of a sealed machine, in the middle of a run. */
START_TEST(what_lies_outside_the_arena_comes_back_too)
{
    struct check_machine check;
    struct machine_mark *mark;
    struct gfe_error error = {0};
    char before[65], after[65];

    check_machine_begin_channel(&check, false);
    CHECK_SUBMIT(&check, 0, PB_INC(0, 0x10, 4), 0, (uint32_t)CHECK_DATA, 7, 0x01100002);
    (void)machine_step(check.machine);
    mark = machine_mark_new(check.machine, &error);
    ck_assert_msg(mark != NULL, "%s", error.text);
    ck_assert(machine_hash(check.machine, before));
    for (int i = 0; i < 2; i++) {
        (void)machine_set_parameter(check.machine, "core.largest_grid_blocks", 1);
        check.machine->choices[CHOICE_NV_GR_UNBOUND] ^= 1;
        check.machine->config.batch_limit = 1;
        machine_fail(check.machine, ERROR_LIMIT, "no more");
        check_machine_poke(&check, CHECK_DATA + 0x1000, 9);
        ck_assert(machine_mark_return(mark, NULL));
        ck_assert(!machine_failed(check.machine));
        ck_assert_uint_eq(check.machine->config.batch_limit, 0);
        ck_assert_uint_eq(check.machine->choices[CHOICE_NV_GR_UNBOUND], NV_GR_UNBOUND_CHIP);
        ck_assert_uint_ne(machine_parameter(check.machine, PARAM_LARGEST_GRID_BLOCKS), 1);
        ck_assert(machine_hash(check.machine, after));
        ck_assert_str_eq(before, after);
        check_machine_run(&check);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA), 7);
        ck_assert_uint_eq(check_machine_peek(&check, CHECK_DATA + 0x1000), 0);
    }
    machine_mark_free(mark);
    check_machine_end(&check);
}
END_TEST

/* A watch that begins anew still sees each write. */
START_TEST(a_watch_that_begins_anew_sees_what_is_written_again)
{
    struct arena arena;
    struct arena_image *image;
    struct gfe_error error = {0};
    uint8_t *block;

    ck_assert(arena_init(&arena, &error));
    block = arena_alloc(&arena, (size_t)3 * ARENA_PAGE_BYTES);
    arena_seal(&arena);
    ck_assert(arena_watch(&arena, &error));
    image = arena_take(&arena);
    block[ARENA_PAGE_BYTES] = 1;
    arena_restore(&arena, image);
    arena_watch_renew(&arena);
    ck_assert_uint_eq(arena.watch->count, 0);
    block[ARENA_PAGE_BYTES] = 2;
    block[0] = 3;
    ck_assert_uint_eq(arena.watch->count, 2);
    arena_restore(&arena, image);
    ck_assert_uint_eq(block[ARENA_PAGE_BYTES] | block[0], 0);
    arena_image_free(image);
    arena_fini(&arena);
}
END_TEST

/* What was allocated since is zero for the next one, and images taken in between are whole. */
START_TEST(an_arena_can_grow_above_its_mark_again_and_again)
{
    struct arena arena;
    struct arena_image *mark, *later;
    struct gfe_error error = {0};
    uint8_t *block, *more;

    ck_assert(arena_init(&arena, &error));
    block = arena_alloc(&arena, 100);
    block[1] = 1;
    arena.sealed = true;
    ck_assert(arena_watch(&arena, &error));
    mark = arena_take(&arena);
    for (int i = 0; i < 2; i++) {
        arena_return(&arena, mark, 77, false);
        more = arena_alloc(&arena, (size_t)2 * ARENA_PAGE_BYTES);
        ck_assert(arena_is_zero(more, ARENA_PAGE_BYTES));
        ck_assert(arena_is_zero(more + ARENA_PAGE_BYTES, ARENA_PAGE_BYTES));
        ck_assert_uint_eq(block[1], 1);
        more[5] = block[1] = 9;
        arena_seal(&arena);
        later = arena_take(&arena);
        memset(more, 3, (size_t)2 * ARENA_PAGE_BYTES);
        block[1] = 4;
        arena_restore(&arena, later);
        ck_assert_uint_eq(more[5], 9);
        ck_assert_uint_eq(more[6], 0);
        ck_assert_uint_eq(block[1], 9);
        memset(more, 3, (size_t)2 * ARENA_PAGE_BYTES);
        arena_image_free(later);
    }
    arena_image_free(mark);
    arena_fini(&arena);
}
END_TEST

/* After a first run, what was allocated above the mark is watched like what lies below. */
START_TEST(what_grows_above_the_mark_costs_what_was_written)
{
    enum { PAGES = 50, WRITTEN = 20 };
    struct arena arena;
    struct arena_image *mark, *later;
    struct gfe_error error = {0};
    uint8_t *more;

    ck_assert(arena_init(&arena, &error));
    (void)arena_alloc(&arena, 100);
    arena.sealed = true;
    ck_assert(arena_watch(&arena, &error));
    mark = arena_take(&arena);
    for (uint32_t run = 0; run < 3; run++) {
        arena_return(&arena, mark, 77, false);
        more = arena_alloc(&arena, (size_t)(PAGES + 10 * run) * ARENA_PAGE_BYTES);
        for (uint32_t i = 0; i < PAGES + 10 * run; i++)
            ck_assert(arena_is_zero(more + i * ARENA_PAGE_BYTES, ARENA_PAGE_BYTES));
        arena_seal(&arena);
        if (run > 0)
            ck_assert_uint_ge(arena.watch->page_count, PAGES);
        more[WRITTEN * ARENA_PAGE_BYTES] = 1;
        ck_assert_uint_eq(arena.watch->count, run > 0);
        later = arena_take(&arena);
        more[WRITTEN * ARENA_PAGE_BYTES] = 2;
        more[(PAGES + 10 * run) * ARENA_PAGE_BYTES - 1] = 3; /* in a page that is not watched yet */
        arena_restore(&arena, later);
        ck_assert_uint_eq(more[WRITTEN * ARENA_PAGE_BYTES], 1);
        ck_assert_uint_eq(more[(PAGES + 10 * run) * ARENA_PAGE_BYTES - 1], 0);
        arena_image_free(later);
    }
    arena_return(&arena, mark, 77, false);
    arena_watch_renew(&arena);
    ck_assert_uint_eq(arena.watch->count, 0);
    arena_image_free(mark);
    arena_fini(&arena);
}
END_TEST

Suite *machine_mark_suite(void)
{
    Suite *suite = suite_create("machine_mark");
    TCase *tcase = tcase_create("corpora");

    tcase_add_loop_test(tcase, a_machine_that_is_used_again_is_as_a_new_one, 0,
                        (int)(sizeof targets / sizeof targets[0]));
    tcase_add_test(tcase, a_channel_that_is_used_again_is_as_a_new_one);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("mark");
    tcase_add_test(tcase, what_lies_outside_the_arena_comes_back_too);
    tcase_add_test(tcase, a_watch_that_begins_anew_sees_what_is_written_again);
    tcase_add_test(tcase, what_grows_above_the_mark_costs_what_was_written);
    tcase_add_test(tcase, an_arena_can_grow_above_its_mark_again_and_again);
    suite_add_tcase(suite, tcase);
    return suite;
}
