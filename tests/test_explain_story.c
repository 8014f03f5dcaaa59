/* SPDX-License-Identifier: MIT */
/*
 * Stories of the experiments of Amert et al. 2017 (s.3.1, 3.2, 4.1, 4.2) and Bakita and Anderson
 * 2024 (s.VI-A): who waited for whom, by which rule and how long, as the papers say; every story
 * adds up to the picosecond; logs that are broken.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/engine/arena.h"
#include "emu/analysis/story/explain_story_print.h"
#include "emu/analysis/streams.h"
#include "tests/check_limits.h"
#include "tests/check_trace.h"
#include "tests/cuda_run.h"
#include "tests/event_log_append.h"
#include "tests/golden_text.h"
#include "tests/simulation_calls.h"
#include "tests/streams_fold.h"
#include "tests/suites.h"

#define MS (1000 * GFE_PS_PER_US)
#define S  (1000 * MS)
enum { MUTATIONS = 300 };

struct told {
    struct cuda_run run;
    struct memory_file file;
    struct event_log_reader *log;
    struct story story;
};

/* Opens the log under a name that stands in what is printed; nothing is left of it. */
static struct event_log_reader *open_as(const struct memory_file *file, const char *name)
{
    char folder[] = "/tmp/gfe-story-XXXXXX", path[128];
    struct gfe_error error = {0};
    struct event_log_reader *log = NULL;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/%s.gfl", folder, name);
    if (symlink(file->path, path) == 0)
        log = event_log_open(path, &error);
    (void)unlink(path);
    (void)rmdir(folder);
    ck_assert_msg(log != NULL, "%s", error.text);
    return log;
}

static void tell_files(struct told *told, const char *gpu, const char *const *files)
{
    static const char *const settings[] = {"core.copy_rate_percent", "5", NULL};
    struct gfe_error error = {0};
    struct chunk_writer *writer;

    cuda_run_begin(&told->run, gpu, 0, files, settings);
    told->file = memory_file_new("", 0);
    writer = chunk_writer_new(told->file.fd, "log", &error);
    ck_assert_msg(writer && simulation_log_write(told->run.simulation, "-", writer, &error), "%s",
                  error.text);
    chunk_writer_free(writer);
    told->log = open_as(&told->file, files[0][0] == '{' ? "text" : files[0]);
    ck_assert(story_is_told(told->log));
    ck_assert_msg(story_load(&told->story, told->log,
                             strcmp(gpu, "tx2") == 0 ? &check_limits_tx2 : NULL, &error),
                  "%s", error.text);
}

static void tell(struct told *told, const char *gpu, const char *file)
{
    const char *const files[] = {file, NULL};

    tell_files(told, gpu, files);
}

static void tell_end(struct told *told)
{
    story_fini(&told->story);
    event_log_close(told->log);
    memory_file_free(&told->file);
    cuda_run_end(&told->run);
}

/* ---- looking at stories ------------------------------------------------------------------------
 */

static struct story_subject subject_of(const struct told *told, const char *name)
{
    struct story_subject subject;

    ck_assert_msg(story_find(&told->story, name, &subject), "%s", name);
    return subject;
}

/* The n-th wait by a rule; the caller's `life` holds it. */
static const struct story_piece *wait_of(const struct told *told, struct story_subject subject,
                                         struct story_life *life, const char *rule, uint32_t n)
{
    ck_assert(story_life(&told->story, subject, life));
    for (uint32_t i = 0; i < life->count; i++)
        if (life->pieces[i].what == STORY_WAIT &&
            strcmp(story_rule(&told->story, life->pieces[i].rule), rule) == 0 && n-- == 0)
            return &life->pieces[i];
    ck_abort_msg("it does not wait by %s so often", rule);
    return NULL;
}

/* Whose n-th wait by the rule is because of that one, and takes so long, but for a millisecond; why
 * is filled. */
static void waits(const struct told *told, const char *name, const char *rule, uint32_t n,
                  const char *by, gfe_ps for_ps, struct story_why *why)
{
    const struct story_subject subject = subject_of(told, name);
    struct story_life life = {0};
    const struct story_piece *piece = wait_of(told, subject, &life, rule, n);
    const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
    char who[STORY_NAME_BYTES];

    ck_assert_str_eq(story_by_name(&told->story, piece, who), by);
    ck_assert_msg(took_ps + MS > for_ps && took_ps < for_ps + MS, "%s, %s: %llu ps", name, rule,
                  (unsigned long long)took_ps);
    story_why(&told->story, subject, piece, why);
    story_life_fini(&life);
}

static gfe_ps waited(const struct told *told, const char *name, const char *rule)
{
    struct story_life life = {0};
    struct story_total total;
    gfe_ps sum_ps = 0;

    ck_assert(story_life(&told->story, subject_of(told, name), &life));
    total = story_total(&life);
    for (uint32_t i = 0; i < total.wait_count; i++)
        if (!*rule || strcmp(story_rule(&told->story, total.waits[i].rule), rule) == 0)
            sum_ps += total.waits[i].ps;
    story_life_fini(&life);
    return sum_ps;
}

static void name_is(const struct told *told, struct story_subject subject, const char *wanted)
{
    char name[STORY_NAME_BYTES];

    ck_assert_uint_ne(subject.operation, STORY_NONE);
    ck_assert_str_eq(story_name(&told->story, subject, name), wanted);
}

/* Pieces touch, none is empty, and they and the totals add up. */
static void life_check(const struct story *story, struct story_subject subject,
                       struct story_life *life)
{
    struct story_total total;
    gfe_ps at_ps, sum_ps;

    ck_assert(story_life(story, subject, life));
    at_ps = life->begin_ps;
    for (uint32_t i = 0; i < life->count; i++) {
        ck_assert_uint_eq(life->pieces[i].begin_ps, at_ps);
        ck_assert_uint_gt(life->pieces[i].end_ps, at_ps);
        at_ps = life->pieces[i].end_ps;
    }
    total = story_total(life);
    sum_ps = total.service_ps + total.unattributed_ps;
    for (uint32_t i = 0; i < total.wait_count; i++)
        sum_ps += total.waits[i].ps;
    ck_assert_uint_eq(at_ps, life->end_ps);
    ck_assert_uint_eq(total.total_ps, life->end_ps - life->begin_ps);
    ck_assert_uint_eq(total.total_ps, sum_ps);
}

/* A name leads back to who has it. */
static void name_check(const struct story *story, struct story_subject subject)
{
    char name[STORY_NAME_BYTES];
    struct story_subject found;

    ck_assert_msg(story_find(story, story_name(story, subject, name), &found) &&
                      found.operation == subject.operation && found.block == subject.block,
                  "%s", name);
}

static void all_check(const struct story *story)
{
    struct story_life life = {0};

    for (uint32_t i = 0; i < story->operation_count; i++)
        life_check(story, (struct story_subject){i, STORY_NONE}, &life);
    for (uint32_t i = 0; i < story->block_count; i++) {
        const uint32_t operation = story->works[story->blocks[i].work].operation;

        if (operation != STORY_NONE)
            life_check(story, (struct story_subject){operation, i}, &life);
    }
    story_life_fini(&life);
}

static void print_story(const struct story *story, struct story_subject subject, bool json,
                        FILE *file)
{
    struct gfe_error error = {0};
    const struct story_print print = {.file = file, .story = story, .error = &error};

    ck_assert(json ? story_json(&print, subject) : story_text(&print, subject));
}

static void golden(const struct told *told, const char *name, bool json, const char *file)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *memory = open_memstream(&text, &bytes);

    ck_assert_ptr_nonnull(memory);
    print_story(&told->story, subject_of(told, name), json, memory);
    ck_assert_int_eq(fclose(memory), 0);
    golden_text_check(file, text, bytes);
    free(text);
}

/* ---- papers ------------------------------------------------------------------------------------
 */

static const struct {
    const char *gpu, *file;
} experiments[] = {{"tx2", "amert2017-table1"},
                   {"tx2", "amert2017-table2"},
                   {"tx2", "amert2017-table3"},
                   {"tx2", "amert2017-table5"},
                   {"gtx1060", "bakita2024-fig5"}};

/* What the log says that an operation waited for in the runtime is in its story. */
static void waits_check(const struct told *told)
{
    static const struct {
        const char *label;
        uint32_t rule;
    } rules[] = {{"T.G2", RULE_T_G2},
                 {"T.C1", RULE_T_C1},
                 {"T.N1", RULE_T_N1},
                 {"T.N2", RULE_T_N2},
                 {"B.R2", RULE_B_R2}};
    char name[STORY_NAME_BYTES];

    for (uint32_t i = 0; i < told->story.operation_count; i++)
        for (size_t r = 0; r < sizeof rules / sizeof rules[0]; r++)
            ck_assert_uint_eq(
                waited(told, story_name(&told->story, (struct story_subject){i, STORY_NONE}, name),
                       rules[r].label),
                cuda_run_waited(&told->run, SUBJECT_OPERATION,
                                told->story.operations[i].operation_id, rules[r].rule));
}

/* PROMISE (analysis): Every story of each operation and block of Tables 1, 2, 3 and 5 of Amert
 * et al. (2017), of Fig. 5 of Bakita and Anderson (2024), and of Tables 3 and 4 as two processes
 * adds up to the picosecond. */
START_TEST(every_story_adds_up)
{
    struct story_life life = {0};
    struct told told;

    tell(&told, experiments[_i].gpu, experiments[_i].file);
    all_check(&told.story);
    waits_check(&told);
    for (uint32_t i = 0; i < told.story.operation_count; i++) {
        const struct story_subject subject = {i, STORY_NONE};

        name_check(&told.story, subject);
        ck_assert(story_life(&told.story, subject, &life) && !life.unfinished);
        ck_assert_uint_eq(story_total(&life).unattributed_ps, 0);
    }
    for (uint32_t i = 0; i < told.story.block_count; i++)
        name_check(&told.story, (struct story_subject){
                                    told.story.works[told.story.blocks[i].work].operation, i});
    story_life_fini(&life);
    tell_end(&told);
}
END_TEST

/* S.3.2: K1 has four of its six blocks, as 768 threads fit twice into 2,048 (R2); K4 behind it may
 * not (X1); K5 finds no shared memory until K4's blocks complete (R3), though there are threads. */
/* PROMISE (analysis): What waited for what in Table 1, by which rule and how long, is what the
 * paper says. */
START_TEST(table_1_is_told_as_in_the_paper)
{
    struct story_lack lacks[STORY_SMS_MAX];
    struct story_why why;
    struct told told;

    tell(&told, "tx2", "amert2017-table1");
    waits(&told, "K1", "T.R2", 0, "K1:0", S, &why);
    name_is(&told, (struct story_subject){why.blocker.operation, why.lacking}, "K1:4");
    ck_assert(
        story_lacks(&told.story, told.story.operations[why.blocker.operation].work, S / 2, lacks));
    for (uint32_t sm = 0; sm < 2; sm++) {
        ck_assert_int_eq(lacks[sm].lacks, STORY_THREADS);
        ck_assert_uint_eq(lacks[sm].used, 1536);
        ck_assert_uint_eq(lacks[sm].limit, 2048);
        ck_assert_uint_eq(lacks[sm].need, 768);
        ck_assert_uint_eq(lacks[sm].holder_count, 2);
    }
    waits(&told, "K4:0", "T.X1", 0, "K1", 800 * MS, &why);
    ck_assert_uint_eq(why.unassigned, 2);
    name_is(&told, why.blocker, "K1:5");
    waits(&told, "K5:0", "T.X1", 0, "K1", 600 * MS, &why);
    waits(&told, "K5:0", "T.R3", 0, "K4:0", S, &why);
    name_is(&told, (struct story_subject){subject_of(&told, "K5").operation, why.lacking}, "K5:0");
    ck_assert(story_lacks(&told.story,
                          told.story.operations[subject_of(&told, "K5").operation].work, 3 * S / 2,
                          lacks));
    ck_assert_int_eq(lacks[0].lacks, STORY_SHARED);
    ck_assert_uint_eq(lacks[0].used, 65536);
    ck_assert_int_eq(lacks[1].lacks, STORY_SHARED);
    tell_end(&told);
}
END_TEST

/* S.3.2 on: K2 behind K1 in its stream (G2), C2o behind C5o on the copy engine (C2); K6 is not held
 * up by anybody. */
START_TEST(table_1_tells_of_streams_and_copies)
{
    struct story_why why;
    struct told told;

    tell(&told, "tx2", "amert2017-table1");
    waits(&told, "K2", "T.G2", 0, "K1", 2 * S, &why);
    name_is(&told, why.blocker, "K1");
    waits(&told, "S1/copy", "T.C1", 0, "K2", 3 * S, &why);
    waits(&told, "S1/copy#1", "T.C2", 0, "S3/copy", 180 * MS, &why);
    waits(&told, "K3", "T.G2", 0, "S1/copy#2", 3540 * MS, &why);
    ck_assert_uint_eq(waited(&told, "K6", ""), 0);
    tell_end(&told);
}
END_TEST

/* S.4.1: K2 of the NULL stream waits for K1 (N1), K5 for both K3 and K4; nobody passes K2 (N2). */
START_TEST(table_2_is_told_as_in_the_paper)
{
    struct story_why why;
    struct told told;

    tell(&told, "tx2", "amert2017-table2");
    waits(&told, "K2", "T.N1", 0, "K1", 1800 * MS, &why);
    name_is(&told, why.blocker, "K1");
    waits(&told, "K3:0", "T.N2", 0, "K2", 2600 * MS, &why);
    waits(&told, "K4", "T.G2", 0, "K3", 3600 * MS, &why);
    waits(&told, "K5", "T.N1", 0, "K3", S, &why);
    waits(&told, "K5", "T.N1", 1, "K4", S, &why);
    waits(&told, "K6", "T.N2", 0, "K2", 2200 * MS, &why);
    waits(&told, "K6", "T.N2", 1, "K5", 3 * S, &why);
    tell_end(&told);
}
END_TEST

/* S.4.2: K2, of high priority, gets what the first blocks of K1 free, and K1's others wait until
 * both K2 and K3 are fully dispatched (A2). */
START_TEST(table_3_is_told_as_in_the_paper)
{
    struct story_why why;
    struct told told;

    tell(&told, "tx2", "amert2017-table3");
    waits(&told, "K2:0", "T.R2", 0, "K1:0", 300 * MS, &why);
    waits(&told, "K1:4", "T.A2", 0, "K2", 1800 * MS, &why);
    ck_assert_uint_eq(why.unassigned, 16);
    waits(&told, "K1:4", "T.A2", 1, "K3", 2 * S, &why);
    waits(&told, "K1:4", "T.R2", 1, "K3:12", 500 * MS, &why);
    waits(&told, "K3:0", "T.X1", 0, "K2", 1500 * MS, &why);
    tell_end(&told);
}
END_TEST

/* S.4.2: K8 needs an SM's 1,024 threads: the end of K1 leaves 512 on each, that of K2 makes room.
 * K9 would fit but K8's queue is not empty. */
START_TEST(table_5_is_told_as_in_the_paper)
{
    struct story_why why;
    struct told told;

    tell(&told, "tx2", "amert2017-table5");
    waits(&told, "K8", "T.R2", 0, "K2:0", 450 * MS, &why);
    waits(&told, "K9:0", "T.A2", 0, "K8", 400 * MS, &why);
    ck_assert_uint_eq(why.unassigned, 1);
    name_is(&told, why.blocker, "K8:0");
    tell_end(&told);
}
END_TEST

/* S.VI-A: eight streams hold all channels until their last kernels are dispatched; one of them then
 * hands its channel to the ninth. */
START_TEST(figure_5_tells_of_channels)
{
    struct story_why why;
    struct told told;
    char name[STORY_NAME_BYTES];

    tell(&told, "gtx1060", "bakita2024-fig5");
    waits(&told, "S9 K1:0", "B.R2", 0, "", 292 * MS, &why);
    ck_assert_uint_eq(why.held_count, 8);
    ck_assert_uint_eq(why.waiting_count, 1);
    ck_assert_str_eq(story_rule(&told.story, why.got_rule), "B.C2");
    ck_assert_uint_ne(why.freed_stream, STORY_NONE);
    ck_assert_uint_eq(told.story.operations[why.blocker.operation].stream, why.freed_stream);
    ck_assert_ptr_nonnull(strstr(story_name(&told.story, why.blocker, name), " K4:0"));
    ck_assert_uint_eq(waited(&told, "S1 K1", ""), waited(&told, "S1 K1", "NV.RUNLIST"));
    tell_end(&told);
}
END_TEST

/* Two processes take turns; names that two tasks share are told apart. */
START_TEST(time_slices_are_told)
{
    static const char *const files[] = {"amert2017-table3", "amert2017-table4", NULL};
    struct story_life life = {0};
    struct story_total total;
    struct told told;

    tell_files(&told, "tx2", files);
    all_check(&told.story);
    ck_assert_uint_ne(subject_of(&told, "K1 (0)").operation, subject_of(&told, "K1 (3)").operation);
    ck_assert_uint_gt(waited(&told, "K4:0", "T.P1"), 400 * MS);
    ck_assert(story_life(&told.story, subject_of(&told, "K4:0"), &life));
    total = story_total(&life);
    for (uint32_t i = 0; i < total.wait_count; i++)
        if (strcmp(story_rule(&told.story, total.waits[i].rule), "T.P1") == 0)
            ck_assert_uint_gt(total.waits[i].count, 100);
    story_life_fini(&life);
    tell_end(&told);
}
END_TEST

/* Two kernels that may only have the first TPC: the others are not for them. */
#define MASKED                                                                                     \
    "\"filename\": \"./bin/timer_spin.so\", \"thread_count\": 1024, \"block_count\": 2, "          \
    "\"data_size\": 0, \"additional_info\": 1000000, \"sm_mask\": \"~0x1\""
static const char masked[] =
    "{\"name\": \"masks\", \"max_iterations\": 1, \"max_time\": 0, "
    "\"cuda_device\": 0, \"benchmarks\": [{" MASKED ", \"label\": \"A\"}, {" MASKED
    ", \"label\": \"B\", \"release_time\": 0.0005}]}";

START_TEST(disabled_sms_are_told)
{
    struct check_limits limits = check_limits_tx2;
    struct story_lack lacks[STORY_SMS_MAX];
    struct story_why why;
    struct told told;
    struct story_words words = {.used = 0};
    struct story_life life = {0};

    tell(&told, "gtx1060", masked);
    limits.sm_count = told.story.sm_count = 10;
    told.story.limits = &limits;
    waits(&told, "B:0", "T.R2", 0, "A:0", MS / 2, &why);
    ck_assert(story_lacks(&told.story, told.story.operations[subject_of(&told, "B").operation].work,
                          9 * MS / 10, lacks));
    ck_assert_int_eq(lacks[0].lacks, STORY_THREADS);
    for (uint32_t sm = 1; sm < 10; sm++)
        ck_assert_int_eq(lacks[sm].lacks, STORY_NOTHING);
    ck_assert(story_sentence(&told.story, subject_of(&told, "B:0"),
                             wait_of(&told, subject_of(&told, "B:0"), &life, "T.R2", 0),
                             STORY_TELL_ALL, &words));
    ck_assert_ptr_nonnull(strstr(words.text, "; 9 SMs are not for it (CORE.SM_MASK)"));
    ck_assert_ptr_nonnull(strstr(words.text, "SM 0 had 2048 of 2048 threads taken by A:0 and A:1"));
    story_life_fini(&life);
    tell_end(&told);
}
END_TEST

/* The block takes all that an empty SM has, and lacks nothing.  If the SM has a thread, a slot or a
 * warp less, the block lacks that. */
START_TEST(a_block_that_fits_exactly_lacks_nothing)
{
    struct check_limits limits = check_limits_tx2;
    struct story_lack lacks[STORY_SMS_MAX];
    uint32_t work;
    struct told told;
    const struct {
        uint32_t *limit;
        enum story_resource lacks;
    } rows[] = {{&limits.threads_per_sm, STORY_THREADS},
                {&limits.blocks_per_sm, STORY_BLOCK_SLOTS},
                {&limits.warps_per_sm, STORY_WARPS}};

    tell(&told, "gtx1060", masked);
    limits.threads_per_sm = 1024;
    limits.blocks_per_sm = 1;
    limits.warps_per_sm = 32;
    limits.sm_count = told.story.sm_count = 10;
    told.story.limits = &limits;
    work = told.story.operations[subject_of(&told, "B").operation].work;
    ck_assert(story_lacks(&told.story, work, 9 * MS / 10, lacks));
    ck_assert_int_eq(lacks[0].lacks, STORY_THREADS);
    for (uint32_t sm = 1; sm < 10; sm++)
        ck_assert_int_eq(lacks[sm].lacks, STORY_NOTHING);
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        --*rows[i].limit;
        ck_assert(story_lacks(&told.story, work, 9 * MS / 10, lacks));
        ck_assert_int_eq(lacks[1].lacks, rows[i].lacks);
        ++*rows[i].limit;
    }
    tell_end(&told);
}
END_TEST

/* ---- names and printing ------------------------------------------------------------------------
 */

START_TEST(unknown_names_are_not_found)
{
    static const char *const names[] = {
        "",          "K7",  "K1:6",          "K1#2",           "K1#0",
        "K1:",       "K1#", "K1:x",          "K1#:1",          "S1/copy#4",
        "S1/copy:0", ":0",  "K1:4294967295", "K1:99999999999", "S1"};
    struct story_subject subject;
    struct told told;
    char all[300];

    tell(&told, "tx2", "amert2017-table1");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        ck_assert_msg(!story_find(&told.story, names[i], &subject), "%s", names[i]);
    ck_assert_str_eq(story_names(&told.story, all, sizeof all),
                     "K1, K2, S1/copy#1 to #3, K3, K4, K5, S3/copy, K6, S2/copy");
    ck_assert_str_eq(story_names(&told.story, all, 50), "K1, K2 and 7 more");
    tell_end(&told);
}
END_TEST

/* Who reads a name in a picture or a list finds the story by it, and the other way round. */
/* PROMISE (views): An operation has the same name in pictures, lists and stories. */
START_TEST(names_are_those_of_pictures)
{
    struct gfe_error error = {0};
    char name[STORY_NAME_BYTES], in_pictures[STREAMS_NAME_BYTES];
    struct story_subject subject, first;
    struct streams streams;
    struct model model;
    struct told told;

    tell(&told, "tx2", "amert2017-table1");
    struct event_log_reader *log = event_log_open(told.file.path, &error);
    ck_assert_msg(log && streams_init(&streams, log, &error) &&
                      model_init(&model, log, streams_fold, &streams, &error) &&
                      model_read(&model, log, &error),
                  "%s", error.text);
    model_fini(&model);
    ck_assert_uint_eq(streams.operation_count, told.story.operation_count);
    for (uint32_t i = 0; i < streams.operation_count; i++) {
        streams_name(&streams, &streams.operations[i], in_pictures);
        story_name(&told.story, (struct story_subject){i, STORY_NONE}, name);
        ck_assert_str_eq(name, in_pictures);
        ck_assert(story_find(&told.story, name, &subject) && subject.operation == i);
    }
    ck_assert(story_find(&told.story, "S1/copy#1", &subject));
    ck_assert(story_find(&told.story, "S1/copy", &first));
    ck_assert_uint_eq(subject.operation, first.operation);
    streams_fini(&streams);
    event_log_close(log);
    tell_end(&told);
}
END_TEST

START_TEST(stories_are_printed)
{
    struct gfe_error error = {0};
    char *text = NULL;
    size_t bytes = 0;
    struct told told;

    tell(&told, "tx2", "amert2017-table1");
    golden(&told, "K4:0", false, "story_table1_k4_0.txt");
    golden(&told, "K5", false, "story_table1_k5.txt");
    golden(&told, "S1/copy", false, "story_table1_copy.txt");
    golden(&told, "K5:1", true, "story_table1_k5_1.json");
    for (int json = 0; json < 2; json++) {
        FILE *memory = open_memstream(&text, &bytes);
        const struct story_print print = {.file = memory, .story = &told.story, .error = &error};

        ck_assert(json ? story_json_list(&print) : story_text_list(&print));
        ck_assert_int_eq(fclose(memory), 0);
        golden_text_check(json ? "story_table1.json" : "story_table1.txt", text, bytes);
        free(text);
    }
    tell_end(&told);
    tell(&told, "tx2", "amert2017-table2");
    golden(&told, "K6", false, "story_table2_k6.txt");
    tell_end(&told);
    tell(&told, "tx2", "amert2017-table3");
    golden(&told, "K1:4", false, "story_table3_k1_4.txt");
    tell_end(&told);
    tell(&told, "gtx1060", "bakita2024-fig5");
    golden(&told, "S9 K1:0", false, "story_fig5_s9_k1_0.txt");
    tell_end(&told);
    tell(&told, "h100", "bakita2024-fig5"); /* the ninth stream has the first one's channel */
    golden(&told, "S9 K1:0", false, "story_fig5_static.txt");
    tell_end(&told);
}
END_TEST

/* ---- broken logs -------------------------------------------------------------------------------
 */

static uint64_t odd_number(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* The log again, with some numbers changed and some events left out. */
static struct memory_file mutated(const struct told *told, uint64_t *random)
{
    static const uint64_t odd[] = {0, 1, 2, UINT32_MAX, UINT64_MAX, 1 << 20};
    struct memory_file file = memory_file_new("", 0);
    struct chunk_writer *writer = chunk_writer_new(file.fd, "log", NULL);
    struct event_log log;
    struct arena arena;

    ck_assert(writer && arena_init(&arena, NULL));
    event_log_init(&log, arena_alloc(&arena, sizeof *log.cursor), writer);
    ck_assert(event_log_head(&log, event_log_head_json(told->log), NULL));
    for (uint32_t i = 0; i < told->run.event_count; i++) {
        struct log_event event = told->run.events[i];
        const uint64_t what = odd_number(random) % 64;

        if (what == 0)
            continue;
        if (what < 4 && event.argument_count > 0)
            event.argument[odd_number(random) % event.argument_count] =
                odd[odd_number(random) % (sizeof odd / sizeof odd[0])];
        event_log_append(&log, &event);
    }
    ck_assert(event_log_finish(&log, "{}", NULL) && chunk_writer_finish(writer, NULL));
    event_log_fini(&log);
    arena_fini(&arena);
    chunk_writer_free(writer);
    return file;
}

static void story_try(struct event_log_reader *log, FILE *sink)
{
    struct gfe_error error = {0};
    struct story story;

    if (!story_load(&story, log, &check_limits_tx2, &error)) {
        ck_assert_int_ne(error.kind, ERROR_NONE);
        return;
    }
    const struct story_print print = {.file = sink, .story = &story, .error = &error, .all = true};

    all_check(&story);
    for (uint32_t i = 0; i < story.operation_count; i++)
        for (int json = 0; json < 2; json++)
            print_story(&story, (struct story_subject){i, STORY_NONE}, json, sink);
    for (uint32_t i = 0; i < story.block_count; i++)
        if (story.works[story.blocks[i].work].operation != STORY_NONE)
            print_story(&story,
                        (struct story_subject){story.works[story.blocks[i].work].operation, i},
                        i & 1, sink);
    ck_assert(story_text_list(&print) && story_json_list(&print));
    story_fini(&story);
}

/* PROMISE (analysis): Logs with changed numbers or missing events are explained or refused, and
 * their stories add up. */
START_TEST(broken_logs_are_told_all_the_same)
{
    uint64_t random = 88172645463325252;
    FILE *sink = fopen("/dev/null", "we");
    struct told told;

    ck_assert_ptr_nonnull(sink);
    tell(&told, experiments[_i].gpu, experiments[_i].file);
    for (uint32_t i = 0; i < MUTATIONS / (_i == 4 ? 10 : 5); i++) {
        struct memory_file file = mutated(&told, &random);
        struct event_log_reader *log = event_log_open(file.path, NULL);

        ck_assert_ptr_nonnull(log);
        story_try(log, sink);
        event_log_close(log);
        memory_file_free(&file);
    }
    (void)fclose(sink);
    tell_end(&told);
}
END_TEST

Suite *explain_story_suite(void)
{
    const int experiment_count = sizeof experiments / sizeof experiments[0];
    Suite *suite = suite_create("explain_story");
    TCase *papers = tcase_create("papers"), *printing = tcase_create("printing"),
          *broken = tcase_create("broken");

    tcase_set_timeout(papers, 60);
    tcase_add_loop_test(papers, every_story_adds_up, 0, experiment_count);
    tcase_add_test(papers, table_1_is_told_as_in_the_paper);
    tcase_add_test(papers, table_1_tells_of_streams_and_copies);
    tcase_add_test(papers, table_2_is_told_as_in_the_paper);
    tcase_add_test(papers, table_3_is_told_as_in_the_paper);
    tcase_add_test(papers, table_5_is_told_as_in_the_paper);
    tcase_add_test(papers, figure_5_tells_of_channels);
    tcase_add_test(papers, time_slices_are_told);
    tcase_add_test(papers, disabled_sms_are_told);
    tcase_add_test(papers, a_block_that_fits_exactly_lacks_nothing);
    suite_add_tcase(suite, papers);
    tcase_add_test(printing, unknown_names_are_not_found);
    tcase_add_test(printing, names_are_those_of_pictures);
    tcase_add_test(printing, stories_are_printed);
    suite_add_tcase(suite, printing);
    tcase_set_timeout(broken, 120);
    tcase_add_loop_test(broken, broken_logs_are_told_all_the_same, 0, experiment_count);
    suite_add_tcase(suite, broken);
    return suite;
}
