/* SPDX-License-Identifier: MIT */
/* The corpora of the fuzz targets, run once: what was found with them stays mended. */
#include <config.h>

#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz_amd_mec.h"
#include "tests/fuzz/fuzz_amd_mqd.h"
#include "tests/fuzz/fuzz_amd_object.h"
#include "tests/fuzz/fuzz_amd_packets.h"
#include "tests/fuzz/fuzz_amd_sdma.h"
#include "tests/fuzz/fuzz_bus.h"
#include "tests/fuzz/fuzz_campaign_db.h"
#include "tests/fuzz/fuzz_debug.h"
#include "tests/fuzz/fuzz_draw.h"
#include "tests/fuzz/fuzz_examiner.h"
#include "tests/fuzz/fuzz_explain.h"
#include "tests/fuzz/fuzz_gpfifo.h"
#include "tests/fuzz/fuzz_gpu_file.h"
#include "tests/fuzz/fuzz_hip_config.h"
#include "tests/fuzz/fuzz_hws.h"
#include "tests/fuzz/fuzz_inject.h"
#include "tests/fuzz/fuzz_inspect.h"
#include "tests/fuzz/fuzz_kfd_replay.h"
#include "tests/fuzz/fuzz_live.h"
#include "tests/fuzz/fuzz_log.h"
#include "tests/fuzz/fuzz_log_head.h"
#include "tests/fuzz/fuzz_measured.h"
#include "tests/fuzz/fuzz_names.h"
#include "tests/fuzz/fuzz_nv_decode.h"
#include "tests/fuzz/fuzz_nvdebug.h"
#include "tests/fuzz/fuzz_nvt.h"
#include "tests/fuzz/fuzz_pbdma.h"
#include "tests/fuzz/fuzz_plan.h"
#include "tests/fuzz/fuzz_poke.h"
#include "tests/fuzz/fuzz_raw.h"
#include "tests/fuzz/fuzz_record_kfd.h"
#include "tests/fuzz/fuzz_recover.h"
#include "tests/fuzz/fuzz_registers.h"
#include "tests/fuzz/fuzz_replay.h"
#include "tests/fuzz/fuzz_result.h"
#include "tests/fuzz/fuzz_runlist.h"
#include "tests/fuzz/fuzz_scenario.h"
#include "tests/fuzz/fuzz_scrub.h"
#include "tests/fuzz/fuzz_snapshot.h"
#include "tests/fuzz/fuzz_trace.h"

enum { FILE_BYTES_MAX = 1 << 20 };

struct corpus {
    const char *name;
    int (*run)(const uint8_t *data, size_t bytes);
    int at_least; /* inputs that there have to be */
};

static const struct corpus corpora[] = {
    {"amd_mec", fuzz_amd_mec, 33},
    {"amd_mqd", fuzz_amd_mqd, 37},
    {"amd_object", fuzz_amd_object, 3},
    {"amd_packets", fuzz_amd_packets, 6},
    {"amd_sdma", fuzz_amd_sdma, 13},
    {"bus", fuzz_bus, 4},
    {"poke", fuzz_poke, 5},
    {"explain", fuzz_explain, 5},
    {"gpu_file", fuzz_gpu_file, 9},
    {"hip_config", fuzz_hip_config, 6},
    {"hws", fuzz_hws, 9},
    {"inject", fuzz_inject, 8},
    {"kfd_replay", fuzz_kfd_replay, 5},
    {"log", fuzz_log, 4},
    {"nv_decode", fuzz_nv_decode, 2},
    {"nvt", fuzz_nvt, 1},
    {"pbdma", fuzz_pbdma, 1},
    {"replay", fuzz_replay, 50},
    {"record_kfd", fuzz_record_kfd, 15},
    {"registers", fuzz_registers, 6},
    {"runlist", fuzz_runlist, 10},
    {"replay", fuzz_scrub, 50},
    {"raw", fuzz_raw, 3},
    {"scrub", fuzz_scrub, 1},
    {"snapshot", fuzz_snapshot, 5},
    {"trace", fuzz_trace, 5},
    {"examiner", fuzz_examiner, 7},
    {"result", fuzz_result, 7},
    {"scenario", fuzz_scenario, 5},
    {"campaign_db", fuzz_campaign_db, 3},
    {"debug", fuzz_debug, 3},
    {"draw", fuzz_draw, 3},
    {"inspect", fuzz_inspect, 3},
    {"live", fuzz_live, 3},
    {"log_head", fuzz_log_head, 3},
    {"measured", fuzz_measured, 7},
    {"names", fuzz_names, 3},
    {"nvdebug", fuzz_nvdebug, 4},
    {"plan", fuzz_plan, 3},
    {"recover", fuzz_recover, 3},
};

static uint8_t *file_load(const char *folder, const char *name, size_t *bytes)
{
    char path[4096];
    uint8_t *data = malloc(FILE_BYTES_MAX);
    FILE *file;

    ck_assert_ptr_nonnull(data);
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    file = fopen(path, "rbe");
    ck_assert_msg(file != NULL, "%s", path);
    *bytes = fread(data, 1, FILE_BYTES_MAX, file);
    ck_assert_uint_lt(*bytes, FILE_BYTES_MAX);
    fclose(file);
    return data;
}

/* Calls run() for each file of tests/fuzz/corpus/<name>; returns how many there were. */
static int corpus_run(const char *name, int (*run)(const uint8_t *data, size_t bytes),
                      struct fuzz_gpfifo *gpfifo)
{
    const char *srcdir = getenv("top_srcdir");
    char folder[2048];
    int count = 0;
    DIR *stream;

    (void)snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%s", srcdir ? srcdir : ".", name);
    stream = opendir(folder);
    ck_assert_msg(stream != NULL, "%s", folder);
    for (struct dirent *entry; (entry = readdir(stream)) != NULL;) {
        size_t bytes;
        uint8_t *data;

        if (entry->d_name[0] == '.')
            continue;
        data = file_load(folder, entry->d_name, &bytes);
        if (gpfifo)
            fuzz_gpfifo_run(gpfifo, data, bytes);
        else
            ck_assert_int_eq(run(data, bytes), 0);
        free(data);
        count++;
    }
    closedir(stream);
    return count;
}

/* PROMISE (program): Every input of the fuzzers' corpora ends in good order. */
START_TEST(each_input_of_the_corpora_ends_in_good_order)
{
    ck_assert_int_ge(corpus_run(corpora[_i].name, corpora[_i].run, NULL), corpora[_i].at_least);
}
END_TEST

/* The same machines for all inputs: each begins with restoring their snapshots. */
START_TEST(each_input_of_the_gpfifo_corpus_ends_in_good_order)
{
    struct fuzz_gpfifo *gpfifo = fuzz_gpfifo_new();

    ck_assert_int_ge(corpus_run("gpfifo", NULL, gpfifo), 100);
    fuzz_gpfifo_free(gpfifo);
}
END_TEST

Suite *fuzz_suite(void)
{
    Suite *suite = suite_create("fuzz");
    TCase *tcase = tcase_create("corpora");

    tcase_add_loop_test(tcase, each_input_of_the_corpora_ends_in_good_order, 0,
                        (int)(sizeof corpora / sizeof corpora[0]));
    tcase_add_test(tcase, each_input_of_the_gpfifo_corpus_ends_in_good_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
