/* SPDX-License-Identifier: MIT */
/*
 * Faults in an NVIDIA GPU's front end: every site with every model acts, and does what its row
 * says. A table of faults, each on a recording or on a program of two channels made here; that no
 * site and model is missing is a test of its own.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/faults/inject_run.h"
#include "devices/nvidia/nv_inject.h"
#include "emu/sim/scenario.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/bus_build.h"
#include "tests/check_machine.h"
#include "tests/inject_run_parse.h"
#include "tests/suites.h"

enum program { COMPUTE, UPLOAD, TWO_CHANNELS, TASKS, PROGRAMS };

static const char *const files[PROGRAMS] = {"compute.gft", "upload.gft", NULL, NULL};

/* Two streams of a task on NVIDIA's driver, with a copy. */
static const char tasks[] =
    "{\"gfe_scenario\": 1, \"name\": \"own\", \"processes\": [{\"streams\": [{\"name\": \"a\"}, "
    "{\"name\": \"b\"}], \"tasks\": [{\"name\": \"t\", \"release\": 0.001, \"period\": 0.002, "
    "\"iterations\": 2, \"calls\": [{\"launch\": {\"name\": \"k\", \"blocks\": 3, \"threads\": 8, "
    "\"work\": 0.0001}}, {\"record\": \"e\"}, {\"wait\": \"e\", \"stream\": \"b\"}, {\"copy\": "
    "{\"bytes\": 4096, \"direction\": \"to device\", \"synchronous\": true}}, "
    "{\"synchronize\": \"device\"}]}]}]}";

/* What is to come of a fault: its class, the event that told of it first (NULL: none), and the
 * first word that it changed (both 0: not looked at). */
static const struct row {
    enum program program;
    const char *fault;
    enum outcome_class outcome;
    const char *detected_by;
    uint64_t old_value, new_value;
} rows[] = {
    /* A message is lost: the driver is not told, and programs wait for it.  PFIFO's first is one
     * that the driver can do without. */
    {COMPUTE, "interrupt drop @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "interrupt delay=50us @#2", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {COMPUTE, "interrupt spurious @33ms", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "block_end drop @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "grid_end drop", OUTCOME_HANG, NULL, 0, 0},
    /* The driver rings again before it waits: one doorbell less costs nothing; all, all. */
    {COMPUTE, "doorbell drop", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "doorbell drop=all", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "doorbell flip=1", OUTCOME_MASKED, NULL, 0, 2},
    {COMPUTE, "doorbell value=1", OUTCOME_MASKED, NULL, 0, 1},
    {COMPUTE, "doorbell stuck1=1", OUTCOME_HANG, NULL, 0, 2},
    {TWO_CHANNELS, "doorbell:1 stuck0=0", OUTCOME_COLLATERAL, NULL, 1, 0},
    {COMPUTE, "doorbell duplicate", OUTCOME_MASKED, NULL, 0, 0},
    {TWO_CHANNELS, "doorbell:1 delay=50us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {COMPUTE, "doorbell reorder", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "gp_put drop", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "gp_put flip=1 @#2", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {COMPUTE, "gp_put value=1 @#2", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {COMPUTE, "gp_put stuck0=1 @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "gp_put stuck1=1 @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "gp_get drop", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "gp_get flip=1 @#2", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "gp_get value=1 @#2", OUTCOME_MASKED, NULL, 2, 1},
    {COMPUTE, "gp_get stuck0=1 @#2", OUTCOME_SDC_DATA, NULL, 2, 0},
    {COMPUTE, "gp_get stuck1=1 @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "gp_entry drop @#2", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "gp_entry flip=1 @#2", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "gp_entry.length value=0 @#2", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "gp_entry.get stuck1=20", OUTCOME_HANG, "NV_MMU_FAULT", 0, 0},
    {COMPUTE, "gp_entry.length stuck0=0", OUTCOME_HANG, "NV_ENGINE_ERROR", 0, 0},
    {COMPUTE, "gp_entry duplicate", OUTCOME_DETECTED, "NV_PBDMA_INTR", 0, 0},
    {COMPUTE, "header.count flip=1 @#3", OUTCOME_HANG, "NV_PBDMA_INTR", 0x20016000, 0x20036000},
    {COMPUTE, "header.type value=0 @#3", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "header stuck0=1 @#2", OUTCOME_HANG, "NV_MMU_FAULT", 0, 0},
    {COMPUTE, "header stuck1=1 @#2", OUTCOME_HANG, "NV_ENGINE_ERROR", 0, 0},
    {COMPUTE, "data flip=1 @#2", OUTCOME_HANG, "NV_ENGINE_ERROR", 0, 0},
    {COMPUTE, "data value=1 @#2", OUTCOME_HANG, "NV_ENGINE_ERROR", 0, 0},
    {COMPUTE, "data stuck0=1 @#2", OUTCOME_HANG, "NV_ENGINE_ERROR", 0, 0},
    {COMPUTE, "data stuck1=1 @#2", OUTCOME_HANG, "NV_ENGINE_ERROR", 0, 0},
    {COMPUTE, "release.payload flip=3 @#4", OUTCOME_SDC_DATA, NULL, 2, 10},
    {COMPUTE, "release.payload value=7 @#4", OUTCOME_SDC_DATA, NULL, 2, 7},
    {COMPUTE, "release.payload stuck0 @#4", OUTCOME_HANG, NULL, 2, 0},
    {COMPUTE, "release.payload stuck1=3 @#4", OUTCOME_SDC_DATA, NULL, 2, 10},
    {COMPUTE, "release.address value=4 @#2", OUTCOME_HANG, "NV_MMU_FAULT", 0, 0},
    {COMPUTE, "release drop @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "release duplicate @#2", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "release delay=50us @#2", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {COMPUTE, "release:0 reorder @#1", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {TWO_CHANNELS, "release:1 drop", OUTCOME_COLLATERAL, NULL, 0, 0},
    {TWO_CHANNELS, "acquire value=5", OUTCOME_MASKED, NULL, 0, 5}, /* it does not wait */
    {TWO_CHANNELS, "acquire flip=1 @#2", OUTCOME_MASKED, NULL, 0, 2},
    {TWO_CHANNELS, "acquire stuck0=0", OUTCOME_HANG, NULL, 5, 4},
    {TWO_CHANNELS, "acquire stuck1=1", OUTCOME_HANG, NULL, 0, 2},
    {COMPUTE, "ramfc_load.gp_base flip=12", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "ramfc_load.signature value=0", OUTCOME_HANG, "DRIVER_ERROR", 0, 0},
    {COMPUTE, "ramfc_load.gp_base stuck0", OUTCOME_HANG, "NV_MMU_FAULT", 0x1010000, 0},
    {COMPUTE, "ramfc_load.gp_base stuck1=12", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "ramfc_save drop=all", OUTCOME_DETECTED, "NV_PBDMA_INTR", 0, 0},
    {COMPUTE, "ramfc_save.gp_get flip=0 @#1", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "ramfc_save.gp_get value=0 @#2", OUTCOME_DETECTED, "NV_PBDMA_INTR", 0, 0},
    {COMPUTE, "ramfc_save.gp_get stuck0 @#2", OUTCOME_DETECTED, "NV_PBDMA_INTR", 0, 0},
    {COMPUTE, "ramfc_save.gp_get stuck1=0 @#1", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_entry drop @#2", OUTCOME_HANG, "NV_SCHED_ERROR", 0, 0},
    {TWO_CHANNELS, "runlist_entry flip=0 @#2", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_entry.word0 value=0 @#2", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_entry stuck0=0", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_entry stuck1=1 @#2", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "runlist_submit drop", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_submit duplicate", OUTCOME_MASKED, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_entry duplicate @#1", OUTCOME_HANG, "NV_SCHED_ERROR", 0, 0},
    {TWO_CHANNELS, "runlist_entry.tsg_length value=9 @#1", OUTCOME_HANG, "NV_SCHED_ERROR", 0, 0},
    {TWO_CHANNELS, "runlist_entry.timeslice_timeout value=0 @#1", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_entry.timeslice_scale value=15 @#1", OUTCOME_MASKED, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_submit delay=500us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_submit.length value=0", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_submit.length flip=2", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_submit.base stuck1=20", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "runlist_submit.length stuck0", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "preempt_done drop=all", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "context_switch drop", OUTCOME_HANG, "NV_CTXSW_TIMEOUT", 0, 0},
    {TWO_CHANNELS, "context_save drop", OUTCOME_HANG, "NV_CTXSW_TIMEOUT", 0, 0},
    {COMPUTE, "context_load drop", OUTCOME_HANG, "NV_CTXSW_TIMEOUT", 0, 0},
    {COMPUTE, "qmd flip=384", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "qmd stuck0=384", OUTCOME_MASKED, NULL, 5, 4},
    {COMPUTE, "qmd stuck1=400", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "copy.line_length_in flip=4", OUTCOME_SDC_DATA, NULL, 0x7800, 0x7810},
    {COMPUTE, "copy.line_length_in value=16", OUTCOME_SDC_DATA, NULL, 0x7800, 0x10},
    {COMPUTE, "copy.offset_in_lower stuck1=12", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "copy.line_length_in stuck0", OUTCOME_SDC_DATA, NULL, 0x7800, 0},
    {COMPUTE, "copy_end drop", OUTCOME_SDC_DATA, NULL, 0, 0},
    {UPLOAD, "work_end drop", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "channel_ram.enable:0 value=0 @40ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "channel_ram.pending:0 flip=0 @40ms", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "channel_ram.enable:0 stuck0 @40ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "channel_ram.next:0 stuck1 @40ms", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "sm drop", OUTCOME_HANG, NULL, 0, 0},
    {TASKS, "sm drop=all", OUTCOME_HANG, NULL, 0, 0},
    {TASKS, "ptop flip=1", OUTCOME_HANG, NULL, 0, 0},
    {TASKS, "ptop value=0", OUTCOME_HANG, NULL, 0, 0},
    {TASKS, "ptop stuck0", OUTCOME_SDC_DATA, NULL, 0, 0},
    {TASKS, "ptop stuck1=1", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "userd.gp_put:0 flip=1 @42735us", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "userd.gp_put:0 value=1 @42735us", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "userd.gp_put:0 stuck0 @40ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "userd.gp_get:0 stuck1=3 @40ms", OUTCOME_MASKED, NULL, 0, 0},
    {TWO_CHANNELS, "ramfc.gp_base:1 flip=12 @1500ns", OUTCOME_HANG, NULL, 0, 0},
    {TWO_CHANNELS, "ramfc.gp_base:1 value=0 @1500ns", OUTCOME_HANG, "NV_MMU_FAULT", 0, 0},
    {TWO_CHANNELS, "ramfc.signature:1 stuck0 @1500ns", OUTCOME_HANG, "NV_PBDMA_INTR", 0, 0},
    {TWO_CHANNELS, "ramfc.gp_get:1 stuck1=0 @1500ns", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "pce_map.present:0 value=0", OUTCOME_DETECTED, "NV_CE_LAUNCHERR", 0, 0},
    {COMPUTE, "pce_map.lce:0 flip=0", OUTCOME_DETECTED, "NV_CE_LAUNCHERR", 0, 0},
    {COMPUTE, "pce_map.lce:1 stuck0", OUTCOME_MASKED, NULL, 0, 0},
    {COMPUTE, "pce_map.lce:0 stuck1=3", OUTCOME_DETECTED, "NV_CE_LAUNCHERR", 0, 0},
    {COMPUTE, "memory:1:0x100201000 flip=3 @45460us", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "memory:1:0x100201000 value=3 @45460us", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "memory:1:0x100201000 stuck0=1", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "memory:1:0x100201000 stuck1=4", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "register:NV_PFIFO_SCHED_DISABLE flip=0 @40ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "register:NV_PFIFO_SCHED_DISABLE value=1 @40ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "register:NV_PFIFO_INTR_EN_0 stuck0 @20ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "register:NV_PFIFO_SCHED_DISABLE stuck1=0 @40ms", OUTCOME_HANG, NULL, 0, 0},
    {COMPUTE, "mapping:1:0x100201000 unmap @42720us", OUTCOME_HANG, "NV_MMU_FAULT", 0, 0},
    {COMPUTE, "mapping:1:0x100201000 wrong_page @42720us", OUTCOME_SDC_DATA, NULL, 0, 0},
    {COMPUTE, "mapping:1:0x100201000 read_only @42720us", OUTCOME_HANG, "NV_MMU_FAULT", 0, 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static struct replay_input *inputs[PROGRAMS];
static struct scenario *scenario;
static struct inject_run runs[PROGRAMS];

#define METHOD(count, subchannel, method)                                                          \
    (UINT32_C(1) << 29 | (uint32_t)(count) << 16 | (uint32_t)(subchannel) << 13 |                  \
     (uint32_t)(method) / 4)
enum { SEMAPHORED_ACQUIRE = 1 | 1 << 12 /* with ACQUIRE_SWITCH */, SEMAPHORED_RELEASE = 2 };

static void semaphore(struct bus_build *build, struct bus_channel *channel, uint64_t physical,
                      uint32_t payload, uint32_t operation)
{
    const uint64_t va = BUS_VA + physical;

    BUS_PUSH(build, channel, METHOD(4, 0, 0x10), (uint32_t)(va >> 32), (uint32_t)va, payload,
             operation | 1u << 24);
}

/* Channel 2 waits for what channel 1 releases behind a grid, in a TSG of its own; the runlist is
 * preempted while the grid runs; at last channel 1 has something more to do. */
static struct replay_input *two_channels(void)
{
    struct bus_build build;
    struct bus_channel a, b;
    uint64_t root, word;

    bus_build_begin(&build, "gtx1060-3gb");
    root = bus_build_space(&build);
    word = bus_build_alloc(&build, 4096);
    a = bus_build_channel(&build, 0, 1, root);
    b = bus_build_channel(&build, 0, 2, root);
    const struct bus_tsg tsgs[] = {
        {.id = 1, .timeout = 250, .scale = 3, .channels = {&a}, .count = 1},
        {.id = 2, .timeout = 250, .scale = 3, .channels = {&b}, .count = 1}};

    bus_build_runlist(&build, 0, tsgs, 2);
    bus_build_launch(&build, &a, &(struct bus_launch){.grid = 4, .threads = 32});
    semaphore(&build, &a, word, 5, SEMAPHORED_RELEASE);
    semaphore(&build, &b, word, 5, SEMAPHORED_ACQUIRE);
    bus_build_launch(&build, &b, &(struct bus_launch){.grid = 2, .threads = 32});
    semaphore(&build, &b, word + 16, 6, SEMAPHORED_RELEASE);
    bus_build_at(&build, "1us");
    bus_build_kick(&build, &b);
    bus_build_at(&build, "20us");
    bus_build_kick(&build, &a);
    bus_build_at(&build, "36us");
    bus_build_line(&build, "NV_PFIFO_RUNLIST_PREEMPT = 1");
    bus_build_at(&build, "3ms");
    semaphore(&build, &a, word + 32, 7, SEMAPHORED_RELEASE);
    bus_build_kick(&build, &a);
    return bus_build_end(&build);
}

static struct scenario *tasks_load(struct gfe_error *error)
{
    const struct nv_chip *model = nv_chip_by_name("gtx1060");
    const struct scenario_options options = {
        .priority_levels = cuda_priority_levels(model),
        .model = model,
    };

    return scenario_parse(tasks, sizeof tasks - 1, "tasks", &options, error);
}

static void setup(void)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char path[4096];

    for (uint32_t i = 0; i < PROGRAMS; i++) {
        static const struct simulation_setting unbound = {"nv.gr.unbound", "chip"};
        const struct simulation_options options = {.gpu = i == TASKS ? "gtx1060" : NULL,
                                                   .choices = &unbound,
                                                   .choice_count = i == TWO_CHANNELS};
        struct any_program program = {0};

        snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".",
                 files[i] ? files[i] : "");
        if (i == TASKS)
            program.scenario = scenario = tasks_load(&error);
        else
            program.input = inputs[i] = files[i] ? replay_load(path, &error) : two_channels();
        ck_assert_msg(program.scenario || program.input, "%s", error.text);
        ck_assert_msg(inject_run_init(&runs[i], &program, &options, 10000 * GFE_PS_PER_NS, &error),
                      "%s", error.text);
        ck_assert_uint_eq(runs[i].golden.observer.lists[OUTCOME_OPEN].count, 0);
        ck_assert_uint_gt(runs[i].golden.observer.lists[OUTCOME_RESULT].count, 3);
    }
}

static void teardown(void)
{
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        inject_run_fini(&runs[i]);
        replay_input_free(inputs[i]);
    }
    scenario_free(scenario);
}

static void row_is_so(const struct row *row)
{
    struct inject_experiment experiment;
    const struct inject_fault_state *state;
    struct gfe_error error = {0};
    struct inject_fault fault;
    struct outcome outcome;

    ck_assert_msg(inject_run_parse(&runs[row->program], row->fault, &fault, &error), "%s",
                  error.text);
    ck_assert_msg(
        inject_run_make(&runs[row->program], &fault, 1, UINT64_MAX, &experiment, &outcome, &error),
        "%s: %s", row->fault, error.text);
    state = &experiment.simulation.machine->inject->state->faults[0];
    ck_assert_msg(state->acted > 0, "%s: it did not act; %llu passed", row->fault,
                  (unsigned long long)state->passed);
    ck_assert_msg(outcome.most == row->outcome, "%s: %s", row->fault,
                  outcome_class_name(outcome.most));
    ck_assert_msg(
        row->detected_by ? outcome.detected_by && strcmp(outcome.detected_by, row->detected_by) == 0
                         : !outcome.detected_by,
        "%s: detected by %s", row->fault, outcome.detected_by ? outcome.detected_by : "nobody");
    if (row->old_value != 0 || row->new_value != 0)
        ck_assert_msg(state->old_value == row->old_value && state->new_value == row->new_value,
                      "%s: 0x%llx -> 0x%llx", row->fault, (unsigned long long)state->old_value,
                      (unsigned long long)state->new_value);
    inject_experiment_fini(&experiment);
}

/* PROMISE (faults): `gfe inject` on NVIDIA's GPUs: each site with each model acts and does what
 * its row says. */
START_TEST(each_fault_acts_and_does_what_its_site_says)
{
    row_is_so(&rows[_i]);
}
END_TEST

/* ---- class errors, word by word ---------------------------------------------------------------
 */

/* What the rows with NV_ENGINE_ERROR above come to, taken by hand from the words that the driver
 * sent (tests/golden/compute_136.h). A header (open-gpu-doc classes/host/clc06f.h, DMA formats) has
 * the kind in bits 31:29 (1: incrementing methods), the count in 28:16, the subchannel in 15:13 and
 * the method / 4 in 11:0. Method 0 is SET_OBJECT, 0x8 NOP; those below 0x100 are Host's own. The
 * graphics engine of a GP106 has the classes 902d, a140, c197 and c1c0 (nouveau gr/gp104.c), and
 * raises ILLEGAL_CLASS for others (gr/gf100.c, gf100_gr_intr), at SET_OBJECT or, with nothing bound
 * to the subchannel, at the method.
 *
 * The first segment begins with 2001e000 906e, 20014000 a140, 20016000 902d, 20016098 0:
 * SET_OBJECT on subchannels 7, 2 and 3, then method 0x260 on 3. */
static const struct class_error {
    const char *fault;
    uint64_t acted; /* times, up to the error */
    uint32_t class_id, method, data;
} class_errors[] = {
    /* The second data word, a140, is SET_OBJECT's: with bit 1 it names class a142. */
    {"data flip=1 @#2", 1, 0xa142, 0, 0xa142},
    {"data stuck1=1 @#2", 1, 0xa142, 0, 0xa142},
    {"data value=1 @#2", 1, 1, 0, 1},
    /* a140 and 902d have no bit 1, nor have the data 0 of 0x260, 0x290 and 0x29c and the data 1 of
     * 0x26c, 0x888 and 0x104. SET_OPERATION's 3 becomes 1 (another operation), 0x884's 3f becomes
     * 3d; both methods exist. The third is c197: c195. */
    {"data stuck0=1 @#2", 3, 0xc195, 0, 0xc195},
    /* 20014000 and 20016000 become methods 0x8, NOPs of Host: nothing is bound to subchannels 2 and
     * 3. 20016098 becomes 2001609a: method 0x268 on subchannel 3, whose object table has 0. */
    {"header stuck1=1 @#2", 3, 0, 0x268, 0},
    /* Entries of 1064, 6, 806 and 6 dwords, then the first odd one, of 5: 200406c0 (0x1b00 on
     * subchannel 0, four words) and its data, of which the last is cut off. So the fence behind it,
     * 20050004 0 800000 3 2 ..., gives its header as data, and the word 0 is a header without data.
     * 800000 then has kind 0 in bits 31:29 and in 17:16: the old form of incrementing methods, with
     * the count, 32, in 28:18. It is SET_OBJECT on subchannel 0, and its data is the payload, 3. */
    {"gp_entry.length stuck0=0", 1, 3, 0, 3},
};
enum { CLASS_ERRORS = sizeof class_errors / sizeof class_errors[0] };

/* PROMISE (faults): Words that a fault changes raise the class error that the driver's own words,
 * read by hand, come to. */
START_TEST(each_class_error_is_that_of_the_changed_word)
{
    const struct class_error *want = &class_errors[_i];
    struct inject_experiment experiment;
    struct event_nv_engine_error is;
    struct gfe_error error = {0};
    struct inject_fault fault;
    struct outcome outcome;
    struct log_event *events;
    uint32_t count, first = 0;

    ck_assert(inject_run_parse(&runs[COMPUTE], want->fault, &fault, &error));
    ck_assert(
        inject_run_make(&runs[COMPUTE], &fault, 1, UINT64_MAX, &experiment, &outcome, &error));
    ck_assert_uint_eq(experiment.simulation.machine->inject->state->faults[0].acted, want->acted);
    events = check_machine_decode(experiment.simulation.machine, &count);
    while (first < count && events[first].kind != EVENT_NV_ENGINE_ERROR)
        first++;
    ck_assert_uint_lt(first, count);
    is = event_nv_engine_error_of(&events[first]);
    ck_assert_uint_eq(is.code, NV_FE_ERROR_CLASS);
    ck_assert_uint_eq(is.class_id, want->class_id);
    ck_assert_uint_eq(is.method, want->method);
    ck_assert_uint_eq(is.data, want->data);
    free(events);
    inject_experiment_fini(&experiment);
}
END_TEST

/* Each row that says so has its words here. */
START_TEST(no_class_error_is_without_its_words)
{
    for (uint32_t i = 0; i < ROWS; i++) {
        bool found = !rows[i].detected_by || strcmp(rows[i].detected_by, "NV_ENGINE_ERROR") != 0;

        for (uint32_t j = 0; j < CLASS_ERRORS && !found; j++)
            found = strcmp(class_errors[j].fault, rows[i].fault) == 0;
        ck_assert_msg(found, "%s", rows[i].fault);
    }
}
END_TEST

/* Is there a row for the site and model? */
static bool has_row(const char *site, const char *model)
{
    const size_t length = strlen(site);

    for (uint32_t i = 0; i < ROWS; i++) {
        const char *blank = strchr(rows[i].fault, ' ');

        if (strncmp(rows[i].fault, site, length) == 0 && strchr(" .:", rows[i].fault[length]) &&
            strncmp(blank + 1, model, strlen(model)) == 0 &&
            (strchr("= ", blank[1 + strlen(model)]) || blank[1 + strlen(model)] == '\0'))
            return true;
    }
    return false;
}

/* PROMISE (faults): No site and model of NVIDIA's is without a tested row. */
START_TEST(no_site_and_model_is_without_a_row)
{
    for (uint32_t s = 0; s < INJECT_SITE_VENDOR + nv_inject_sites.count; s++)
        for (uint32_t m = 0; m < INJECT_MODELS; m++) {
            const struct inject_site *site = inject_site(&nv_inject_sites, s);

            if (site->models & INJECT_BIT(m))
                ck_assert_msg(has_row(site->name, inject_model_name((enum inject_model)m)),
                              "%s %s has no row", site->name,
                              inject_model_name((enum inject_model)m));
        }
}
END_TEST

/* PROMISE (faults): Every class of outcome is reached by a tested fault. */
START_TEST(each_class_of_outcome_has_a_row)
{
    uint32_t classes = 0;

    for (uint32_t i = 0; i < ROWS; i++)
        classes |= 1u << rows[i].outcome;
    /* Each fault here acts, and each program is one process: tests/test_outcomes.sh has the others.
     */
    classes |= 1u << OUTCOME_NOT_ACTIVATED | 1u << OUTCOME_BREACH;
    ck_assert_uint_eq(classes, (1u << OUTCOME_CLASSES) - 1);
}
END_TEST

START_TEST(a_run_without_an_act_is_the_golden_run)
{
    static const char *const never[] = {"doorbell drop @#1000000", "data flip=3 @100s"};

    for (uint32_t i = 0; i < 2; i++) {
        struct inject_experiment experiment;
        struct gfe_error error = {0};
        struct inject_fault fault;
        struct outcome outcome;
        uint64_t golden_bytes, bytes;
        const uint8_t *golden =
            event_log_bytes(&runs[COMPUTE].golden.simulation.machine->log, &golden_bytes);
        const uint8_t *made;

        ck_assert(inject_run_parse(&runs[COMPUTE], never[i], &fault, &error));
        ck_assert(
            inject_run_make(&runs[COMPUTE], &fault, 1, UINT64_MAX, &experiment, &outcome, &error));
        made = event_log_bytes(&experiment.simulation.machine->log, &bytes);
        ck_assert_uint_eq(bytes, golden_bytes);
        ck_assert_int_eq(memcmp(made, golden, (size_t)bytes), 0);
        ck_assert_int_eq(outcome.most, OUTCOME_NOT_ACTIVATED);
        ck_assert_uint_eq(outcome.classes, 0);
        inject_experiment_fini(&experiment);
    }
}
END_TEST

Suite *nv_inject_suite(void)
{
    Suite *suite = suite_create("nv_inject");
    TCase *tcase = tcase_create("sites");

    tcase_add_unchecked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, each_fault_acts_and_does_what_its_site_says, 0, ROWS);
    tcase_add_loop_test(tcase, each_class_error_is_that_of_the_changed_word, 0, CLASS_ERRORS);
    tcase_add_test(tcase, no_class_error_is_without_its_words);
    tcase_add_test(tcase, no_site_and_model_is_without_a_row);
    tcase_add_test(tcase, each_class_of_outcome_has_a_row);
    tcase_add_test(tcase, a_run_without_an_act_is_the_golden_run);
    suite_add_tcase(suite, tcase);
    return suite;
}
