/* SPDX-License-Identifier: MIT */
/*
 * Faults in an AMD GPU's front end: every site with every model acts, and does what its row says.
 * A table of faults, each on a recording (kfd_kernels: see test_kfd_simulation.c; hip_streams: HIP
 * with streams, copies by SDMA, and lists that change while waves run) or on a configuration of
 * eleven streams; that no site and model is missing is a test of its own.
 */
#include <config.h>

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_gc.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/amd_mec.h"
#include "emu/faults/inject_run.h"
#include "firmware-models/kfd/kfd.h"
#include "tests/hip_run.h"
#include "tests/inject_run_parse.h"
#include "tests/suites.h"
#include "tests/trace_samples.h"

enum program { KERNELS, STREAMS, CROWD, PROGRAMS };

/* What is to come of a fault: its class, the event that told of it first (NULL: none), and the
 * first word that it changed (both 0: not looked at). */
static const struct row {
    enum program program;
    const char *fault;
    enum outcome_class outcome;
    const char *detected_by;
    uint64_t old_value, new_value;
} rows[] = {
    /* A message is lost or late: the program waits for it. */
    {KERNELS, "interrupt drop", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "interrupt delay=50us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {KERNELS, "interrupt spurious @1ms", OUTCOME_MASKED, NULL, 0, 0},
    {KERNELS, "block_end drop", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "grid_end drop", OUTCOME_HANG, NULL, 0, 0},
    /* A doorbell says how far a queue has been written: a later one makes up for it. */
    {KERNELS, "doorbell:1025 drop", OUTCOME_MASKED, NULL, 0, 0},
    {KERNELS, "doorbell:1025 drop @#2", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "doorbell drop=all", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0, 0},
    {KERNELS, "doorbell.value:1025 flip=1", OUTCOME_DETECTED, "AMD_REFUSED", 0x0, 0x2},
    {KERNELS, "doorbell.index:1025 value=1024 @#2", OUTCOME_COLLATERAL, "AMD_REFUSED", 0x401,
     0x400},
    {KERNELS, "doorbell:1024 stuck0=0", OUTCOME_HANG, NULL, 0x1, 0x0},
    {KERNELS, "doorbell:1024 stuck1=20", OUTCOME_DETECTED, "AMD_REFUSED", 0x0, 0x100000},
    {KERNELS, "doorbell duplicate", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "doorbell delay=50us @#3", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {KERNELS, "doorbell:1024 reorder", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "wptr flip=0 @#3", OUTCOME_DETECTED, "AMD_REFUSED", 0x0, 0x1},
    {KERNELS, "wptr value=7 @#2", OUTCOME_DETECTED, "AMD_REFUSED", 0, 7},
    {STREAMS, "wptr stuck0=2", OUTCOME_COLLATERAL, NULL, 0x4, 0x0},
    /* Also after the reset the HIQ waits for the rest of a packet. */
    {STREAMS, "wptr stuck1=0", OUTCOME_HANG, "AMDGPU_CP_ERROR", 0x8, 0x9},
    {KERNELS, "wptr:1025 drop", OUTCOME_MASKED, NULL, 0, 0},
    /* The program looks at read pointers only to see whether its ring is full. */
    {KERNELS, "rptr flip=3", OUTCOME_MASKED, NULL, 0x8, 0x0},
    {KERNELS, "rptr value=0", OUTCOME_MASKED, NULL, 0x8, 0x0},
    {KERNELS, "rptr stuck0", OUTCOME_SDC_DATA, NULL, 0x8, 0x0},
    {KERNELS, "rptr stuck1=4", OUTCOME_SDC_DATA, NULL, 0x8, 0x18},
    {KERNELS, "rptr drop=all", OUTCOME_SDC_DATA, NULL, 0, 0},
    /* Packets */
    {KERNELS, "aql drop", OUTCOME_MASKED, NULL, 0, 0},
    {KERNELS, "aql drop @#2", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "aql.TYPE value=1", OUTCOME_HANG, NULL, 0x103, 0x101},
    {KERNELS, "aql.TYPE value=4", OUTCOME_DETECTED, "AMD_REFUSED", 0x103, 0x104},
    {KERNELS, "aql.KERNEL_OBJECT flip=40", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x0, 0x100},
    {KERNELS, "aql.GRID_SIZE_X value=128 @#2", OUTCOME_MASKED, NULL, 0x200, 0x80},
    {KERNELS, "aql.COMPLETION_SIGNAL stuck0", OUTCOME_HANG, NULL, 0xa7d9b000, 0x0},
    {STREAMS, "aql.BARRIER stuck1=0", OUTCOME_MASKED, NULL, 0x11402, 0x11502},
    {STREAMS, "kernel.RSRC2 stuck0", OUTCOME_MASKED, NULL, 0x84, 0x0},
    {KERNELS, "kernel.RSRC1 flip=0", OUTCOME_MASKED, NULL, 0x0, 0x1},
    {KERNELS, "kernel.RSRC1 value=0xffffffff", OUTCOME_DETECTED, "AMD_REFUSED", 0x0, 0xffffffff},
    {KERNELS, "kernel.RSRC1 stuck1=5", OUTCOME_MASKED, NULL, 0x0, 0x20},
    {KERNELS, "acquire value=0", OUTCOME_MASKED, NULL, 0x3, 0x0},
    {KERNELS, "acquire flip=0", OUTCOME_MASKED, NULL, 0x3, 0x2},
    {KERNELS, "acquire stuck0", OUTCOME_MASKED, NULL, 0x3, 0x0},
    {KERNELS, "acquire stuck1=0", OUTCOME_HANG, NULL, 0x2, 0x3},
    {KERNELS, "signal drop", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "signal.value flip=5", OUTCOME_HANG, NULL, 0x2, 0x22},
    {KERNELS, "signal.value value=7", OUTCOME_HANG, NULL, 0x2, 0x7},
    {KERNELS, "signal.value stuck0", OUTCOME_SDC_DATA, NULL, 0x2, 0x0},
    {KERNELS, "signal.value stuck1=3", OUTCOME_HANG, NULL, 0x2, 0xa},
    {KERNELS, "signal.address flip=40", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x7f35, 0x7e35},
    {KERNELS, "signal duplicate @#3", OUTCOME_MASKED, NULL, 0, 0},
    {KERNELS, "signal delay=50us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {KERNELS, "signal reorder", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "release.value flip=3 @#2", OUTCOME_SDC_DATA, NULL, 0x7, 0xf},
    {STREAMS, "release.value value=9", OUTCOME_SDC_DATA, NULL, 0x0, 0x9},
    {STREAMS, "release.value stuck0", OUTCOME_COLLATERAL, NULL, 0x7, 0x0},
    {STREAMS, "release.value stuck1=4", OUTCOME_COLLATERAL, NULL, 0x0, 0x10},
    {STREAMS, "release drop", OUTCOME_SDC_DATA, NULL, 0, 0},
    {STREAMS, "release duplicate", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "release delay=50us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "release reorder", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "release.address flip=40", OUTCOME_DETECTED, "AMD_SDMA_FAULT", 0x7f2a, 0x7e2a},
    /* The HIQ's packets are PM4. */
    {STREAMS, "pm4_header.opcode flip=3", OUTCOME_DETECTED, "AMDGPU_CP_ERROR", 0xc006a000,
     0xc006a800},
    {STREAMS, "pm4_header.count flip=1 @#5", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0xc005a400,
     0xc007a400},
    {STREAMS, "pm4_header.type value=0 @#3", OUTCOME_DETECTED, "AMDGPU_CP_ERROR", 0xc0055800,
     0x55800},
    {STREAMS, "pm4_header.count stuck1=1", OUTCOME_DETECTED, "AMDGPU_CP_ERROR", 0xc0055800,
     0xc0075800},
    {STREAMS, "pm4_header.opcode stuck0=0", OUTCOME_DETECTED, "HWS_STOP", 0xc002a500, 0xc002a400},
    {STREAMS, "pm4_body.dword1 flip=4 @#3", OUTCOME_MASKED, NULL, 0x28840000, 0x28840010},
    {STREAMS, "pm4_body.dword2 value=0 @#3", OUTCOME_MASKED, NULL, 0xffffffff, 0x0},
    {STREAMS, "pm4_body.dword3 stuck0 @#4", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0x1810, 0x0},
    {STREAMS, "pm4_body.dword1 stuck1=2 @#4", OUTCOME_DETECTED, "HWS_STOP", 0x30, 0x34},
    /* Descriptors and slots */
    {STREAMS, "mqd_load.CP_HQD_PQ_BASE_LO flip=4 @#3", OUTCOME_COLLATERAL, "AMD_REFUSED",
     0x29b75800, 0x29b75810},
    {STREAMS, "mqd_load.CP_HQD_PQ_BASE_LO value=4096 @#5", OUTCOME_DETECTED, "AMD_VM_FAULT",
     0x29b37800, 0x1000},
    {STREAMS, "mqd_load.CP_HQD_PQ_CONTROL stuck0", OUTCOME_DETECTED, "AMDGPU_CP_ERROR", 0xc0000508,
     0x0},
    {STREAMS, "mqd_load.CP_HQD_PQ_RPTR stuck1=3", OUTCOME_HANG, NULL, 0x0, 0x8},
    {STREAMS, "mqd_save drop=all", OUTCOME_COLLATERAL, NULL, 0, 0},
    {STREAMS, "mqd_save.CP_HQD_PQ_RPTR flip=4", OUTCOME_MASKED, NULL, 0x20, 0x30},
    {STREAMS, "mqd_save.CP_HQD_PQ_BASE_LO value=5", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x2abc44e0,
     0x5},
    {STREAMS, "mqd_save.CP_HQD_PQ_BASE_LO stuck0", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x2abc44e0,
     0x0},
    {STREAMS, "mqd_save.CP_HQD_PQ_BASE_LO stuck1=4", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x2abc44e0,
     0x2abc44f0},
    {STREAMS, "vmid flip=2 @#8", OUTCOME_DETECTED, "AMD_SDMA_FAULT", 0x8, 0xc},
    {STREAMS, "vmid value=2 @#8", OUTCOME_DETECTED, "AMD_SDMA_FAULT", 0x8, 0x2},
    {STREAMS, "vmid stuck0=3", OUTCOME_HANG, "AMD_VM_FAULT", 0x8, 0x0},
    {STREAMS, "vmid stuck1=2", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x0, 0x4},
    /* CUs and waves */
    {STREAMS, "cu_mask.se0 value=1", OUTCOME_SDC_TIMING, NULL, 0xffffffff, 0x1},
    {STREAMS, "cu_mask.se0 flip=3", OUTCOME_MASKED, NULL, 0xffffffff, 0xfffffff7},
    {STREAMS, "cu_mask stuck0=3", OUTCOME_MASKED, NULL, 0xffffffff, 0xfffffff7},
    {CROWD, "cu_mask.se0 stuck1=15", OUTCOME_MASKED, NULL, 0x0, 0x8000},
    {STREAMS, "cu drop", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "cu:7 drop=all", OUTCOME_HANG, NULL, 0, 0},
    {STREAMS, "wave drop", OUTCOME_HANG, NULL, 0, 0},
    {STREAMS, "save_end drop", OUTCOME_HANG, "HWS_REFUSED", 0, 0},
    {STREAMS, "restore_end drop", OUTCOME_COLLATERAL, "HWS_REFUSED", 0, 0},
    {STREAMS, "preempt drop", OUTCOME_DETECTED, "HWS_REFUSED", 0, 0},
    {STREAMS, "preempt_done drop", OUTCOME_DETECTED, "HWS_REFUSED", 0, 0},
    /* Runlists */
    {STREAMS, "map_process drop", OUTCOME_DETECTED, "HWS_STOP", 0, 0},
    {STREAMS, "map_process.PASID flip=3", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x14008000, 0x14008008},
    {STREAMS, "map_process.PASID value=0", OUTCOME_DETECTED, "AMD_VM_FAULT", 0x14008000,
     0x14000000},
    {STREAMS, "map_process.PROCESS_QUANTUM stuck0", OUTCOME_MASKED, NULL, 0x14008000, 0x8000},
    {STREAMS, "map_process.OPCODE stuck1=6", OUTCOME_DETECTED, "HWS_STOP", 0xc00ea100, 0xc00ee100},
    {STREAMS, "map_queues drop", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "map_queues duplicate", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "map_queues.MQD_ADDR flip=12", OUTCOME_SDC_TIMING, NULL, 0x23000, 0x22000},
    {STREAMS, "map_queues.DOORBELL_OFFSET value=9", OUTCOME_MASKED, NULL, 0x2000, 0x24},
    {STREAMS, "map_queues.NUM_QUEUES stuck0", OUTCOME_DETECTED, "HWS_STOP", 0x20000010, 0x10},
    {STREAMS, "map_queues.ENGINE_SEL stuck1=2", OUTCOME_DETECTED, "HWS_STOP", 0x20000010,
     0x30000010},
    {STREAMS, "hiq:0xa5 drop", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "hiq:0xa4 drop", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0, 0},
    {STREAMS, "hiq:0xa0 drop", OUTCOME_HANG, NULL, 0, 0},
    {STREAMS, "hiq.dword1 flip=4", OUTCOME_HANG, NULL, 0x2028ff00, 0x2028ff10},
    {STREAMS, "hiq.dword3:0xa5 value=0", OUTCOME_DETECTED, "HWS_STOP", 0x1800017, 0x0},
    {STREAMS, "hiq.opcode stuck0=0", OUTCOME_DETECTED, "HWS_STOP", 0xc002a500, 0xc002a400},
    {STREAMS, "hiq.dword1 stuck1=2", OUTCOME_DETECTED, "HWS_STOP", 0x2028ff00, 0x2028ff04},
    {STREAMS, "fence drop", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0, 0},
    {STREAMS, "fence delay=50us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "fence.value value=1", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0x64, 0x1},
    {STREAMS, "fence.value flip=3", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0x64, 0x6c},
    {STREAMS, "fence.address stuck0=12", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0x1810, 0x810},
    {STREAMS, "fence.value stuck1=4", OUTCOME_DETECTED, "KFD_FENCE_TIMEOUT", 0x64, 0x74},
    /* Interrupts */
    {STREAMS, "ih_entry drop", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "ih_entry drop=all", OUTCOME_HANG, NULL, 0, 0},
    {STREAMS, "ih_entry duplicate", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "ih_entry delay=50us", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "ih_entry reorder", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "ih_entry spurious @132ms", OUTCOME_MASKED, NULL, 0, 0},
    /* The process's own queues, 1 ms later; and a process that there is not. */
    {KERNELS, "userptr:0x8000 spurious @500us", OUTCOME_SDC_TIMING, NULL, 0, 0},
    {STREAMS, "userptr:0x9000 spurious @132ms", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "ih_entry.SOURCE_ID value=183", OUTCOME_DETECTED, "AMDGPU_CP_ERROR", 0x824b514,
     0x824b714},
    {STREAMS, "ih_entry.PASID value=0", OUTCOME_DETECTED, "KFD_NO_PASID", 0x8000, 0x0},
    {STREAMS, "ih_entry.CONTEXT_ID_0 flip=0", OUTCOME_SDC_DATA, NULL, 0x5, 0x4},
    {STREAMS, "ih_entry.SOURCE_ID stuck0", OUTCOME_HANG, NULL, 0x824b514, 0x8240014},
    {STREAMS, "ih_entry.CLIENT_ID stuck1=0", OUTCOME_MASKED, NULL, 0x824b514, 0x824b515},
    {STREAMS, "ih_wptr drop", OUTCOME_MASKED, NULL, 0, 0},
    {STREAMS, "ih_wptr drop=all", OUTCOME_HANG, NULL, 0, 0},
    {STREAMS, "ih_wptr.overflow value=1", OUTCOME_DETECTED, "AMDGPU_IH_OVERFLOW", 0x20, 0x21},
    {STREAMS, "ih_wptr flip=5", OUTCOME_MASKED, NULL, 0x20, 0x0},
    {STREAMS, "ih_wptr.offset stuck0=3", OUTCOME_HANG, NULL, 0x20, 0x0},
    {STREAMS, "ih_wptr.overflow stuck1", OUTCOME_DETECTED, "AMDGPU_IH_OVERFLOW", 0x20, 0x21},
    /* SDMA */
    {STREAMS, "sdma_packet drop @#2", OUTCOME_SDC_DATA, NULL, 0, 0},
    {STREAMS, "sdma_packet.op flip=3", OUTCOME_MASKED, NULL, 0x8, 0x0},
    {STREAMS, "sdma_packet.op value=99", OUTCOME_SDC_TIMING, NULL, 0x8, 0x63},
    {STREAMS, "sdma_packet.dword1 stuck0=4", OUTCOME_COLLATERAL, NULL, 0xffff, 0xffef},
    {STREAMS, "sdma_packet.dword1 stuck1=8", OUTCOME_COLLATERAL, NULL, 0x0, 0x100},
    {STREAMS, "sdma_mqd_load.RB_BASE flip=4", OUTCOME_COLLATERAL, NULL, 0x29a86000, 0x29a86010},
    {STREAMS, "sdma_mqd_load.RB_RPTR value=64", OUTCOME_COLLATERAL, NULL, 0x0, 0x40},
    {STREAMS, "sdma_mqd_load.RB_BASE_HI stuck0", OUTCOME_DETECTED, "AMD_SDMA_FAULT", 0x7f, 0x0},
    {STREAMS, "sdma_mqd_load.RB_BASE stuck1=4", OUTCOME_COLLATERAL, NULL, 0x29a86000, 0x29a86010},
    {STREAMS, "sdma_mqd_save drop", OUTCOME_SDC_DATA, NULL, 0, 0},
    {STREAMS, "sdma_mqd_save.RB_RPTR flip=4", OUTCOME_MASKED, NULL, 0xd8, 0xc8},
    {STREAMS, "sdma_mqd_save.RB_RPTR value=0", OUTCOME_SDC_DATA, NULL, 0xd8, 0x0},
    {STREAMS, "sdma_mqd_save.RB_RPTR stuck0", OUTCOME_SDC_DATA, NULL, 0xd8, 0x0},
    {STREAMS, "sdma_mqd_save.RB_RPTR stuck1=5", OUTCOME_MASKED, NULL, 0xd8, 0xf8},
    {STREAMS, "copy.bytes flip=4", OUTCOME_SDC_DATA, NULL, 0xffff, 0xffef},
    {STREAMS, "copy.bytes value=15", OUTCOME_SDC_DATA, NULL, 0xffff, 0xf},
    {STREAMS, "copy.bytes stuck0=8", OUTCOME_COLLATERAL, NULL, 0xffff, 0xfeff},
    {STREAMS, "copy.source stuck1=12", OUTCOME_DETECTED, "AMD_SDMA_FAULT", 0xb75d0000, 0xb75d1000},
    {STREAMS, "copy.target flip=40", OUTCOME_DETECTED, "AMD_SDMA_FAULT", 0x7f29, 0x7e29},
    {STREAMS, "copy_end drop", OUTCOME_DETECTED, "HWS_SDMA_REFUSED", 0, 0},
    /* State */
    {STREAMS, "register:2.0.0/CP_HQD_PQ_CONTROL value=0 @131ms", OUTCOME_DETECTED,
     "AMDGPU_CP_ERROR", 0xc0000508, 0x0},
    {STREAMS, "register:1.1.0/CP_HQD_PQ_BASE flip=4 @KFD_RUN_LIST#2", OUTCOME_MASKED, NULL, 0x0,
     0x10},
    {STREAMS, "register:SDMA0_F32_CNTL[0].SDMA0_F32_CNTL__HALT value=1 @100ms", OUTCOME_HANG, NULL,
     0x0, 0x1},
    {STREAMS, "register:1024/CP_HQD_PQ_CONTROL stuck0 @133ms", OUTCOME_SDC_DATA, NULL, 0, 0},
    {KERNELS, "register:1025/CP_HQD_PQ_BASE stuck1=4 @1024/CP_HQD_ACTIVE==1", OUTCOME_DETECTED,
     "AMD_REFUSED", 0, 0},
    {KERNELS, "signal drop @1024/CP_HQD_PQ_RPTR==48", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "memory:1:0x7f35a7d9b008 flip=5 @1ms", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "memory:1:0x7f35a7d9b008 value=7 @1ms", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "memory:1:0x7f35a7d9b008 stuck0=1 @1ms", OUTCOME_SDC_DATA, NULL, 0, 0},
    {KERNELS, "memory:1:0x7f35a7d9b008 stuck1=6 @1ms", OUTCOME_HANG, NULL, 0, 0},
    {KERNELS, "mapping:1:0x7f35a7d9b000 unmap @500us", OUTCOME_DETECTED, "AMD_VM_FAULT", 0, 0},
    {KERNELS, "mapping:1:0x7f35a7d9b000 wrong_page @500us", OUTCOME_DETECTED, "AMD_VM_FAULT", 0, 0},
    {KERNELS, "mapping:1:0x7f35a7d9b000 read_only @500us", OUTCOME_DETECTED, "AMD_VM_FAULT", 0, 0},
};
enum { ROWS = sizeof rows / sizeof rows[0] };

static struct replay_input *inputs[PROGRAMS];
static struct memory_file config;
static struct inject_run runs[PROGRAMS];

static void load(enum program program, const char *file)
{
    const char *folder = getenv("top_srcdir");
    struct gfe_error error = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".", file);
    inputs[program] = replay_load(path, &error);
    ck_assert_msg(inputs[program] != NULL, "%s", error.text);
}

static void setup(void)
{
    const struct simulation_options options = {.gpu = "radeon-vii"};

    load(KERNELS, "kfd_kernels.gft");
    load(STREAMS, "hip_streams.gft");
    config = memory_file_new(hip_run_crowd, strlen(hip_run_crowd));
    for (uint32_t i = 0; i < PROGRAMS; i++) {
        const struct any_program program = {.input = inputs[i],
                                            .hip_path = i == CROWD ? config.path : NULL};
        struct gfe_error error = {0};

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
    memory_file_free(&config);
}

static void make(enum program program, const char *text, struct inject_experiment *experiment,
                 struct outcome *outcome)
{
    struct gfe_error error = {0};
    struct inject_fault fault;

    ck_assert_msg(inject_run_parse(&runs[program], text, &fault, &error), "%s", error.text);
    ck_assert_msg(
        inject_run_make(&runs[program], &fault, 1, UINT64_MAX, experiment, outcome, &error),
        "%s: %s", text, error.text);
}

/* PROMISE (faults): `gfe inject` on AMD's GPUs: each site with each model acts and does what its
 * row says. */
START_TEST(each_fault_acts_and_does_what_its_site_says)
{
    const struct row *row = &rows[_i];
    struct inject_experiment experiment;
    const struct inject_fault_state *state;
    struct outcome outcome;

    make(row->program, row->fault, &experiment, &outcome);
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

/* PROMISE (faults): No site and model of AMD's is without a tested row. */
START_TEST(no_site_and_model_is_without_a_row)
{
    for (uint32_t s = 0; s < INJECT_SITE_VENDOR + amd_inject_sites.count; s++)
        for (uint32_t m = 0; m < INJECT_MODELS; m++) {
            const struct inject_site *site = inject_site(&amd_inject_sites, s);

            ck_assert_msg(site->name && site->doc, "site %u has no row", s);
            ck_assert_msg(site->unit && site->unit[0], "%s is of no unit", site->name);
            if (site->models & INJECT_BIT(m))
                ck_assert_msg(has_row(site->name, inject_model_name((enum inject_model)m)),
                              "%s %s has no row", site->name,
                              inject_model_name((enum inject_model)m));
        }
}
END_TEST

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
    static const char *const never[] = {"doorbell drop @#1000000", "aql flip=3 @100s",
                                        "pm4_body flip=3 @100s", "sdma_packet drop @#1000000"};

    for (uint32_t i = 0; i < sizeof never / sizeof never[0]; i++) {
        struct inject_experiment experiment;
        struct outcome outcome;
        uint64_t golden_bytes, bytes;
        const uint8_t *golden =
            event_log_bytes(&runs[STREAMS].golden.simulation.machine->log, &golden_bytes);
        const uint8_t *made;

        make(STREAMS, never[i], &experiment, &outcome);
        made = event_log_bytes(&experiment.simulation.machine->log, &bytes);
        ck_assert_uint_eq(bytes, golden_bytes);
        ck_assert_int_eq(memcmp(made, golden, (size_t)bytes), 0);
        ck_assert_int_eq(outcome.most, OUTCOME_NOT_ACTIVATED);
        ck_assert_uint_eq(outcome.classes, 0);
        inject_experiment_fini(&experiment);
    }
}
END_TEST

static const void *unit_of(const struct machine *machine, const char *name)
{
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, name) == 0)
            return machine->units[i].unit;
    ck_abort_msg("no unit is called %s", name);
}

/* A bit of one slot's register, of no other's; the window shows afterwards what it showed before.
 */
START_TEST(a_register_of_a_slot_is_reached_through_its_bank)
{
    struct inject_experiment experiment;
    const struct amd_gc *gc = NULL;
    const struct machine *machine;
    struct outcome outcome;

    make(STREAMS, "register:1.3.0/CP_HQD_ERROR flip=4 @131500us", &experiment, &outcome);
    machine = experiment.simulation.machine;
    for (uint32_t i = 0; i < machine->unit_count; i++)
        if (strcmp(machine->units[i].name, "amd_gc") == 0)
            gc = machine->units[i].unit;
    ck_assert_ptr_nonnull(gc);
    ck_assert_uint_eq(*amd_gc_hqd(gc, amd_slot_id(1, 3, 0), CP_HQD_ERROR), 1 << 4);
    ck_assert_uint_eq(*amd_gc_hqd(gc, amd_slot_id(1, 0, 3), CP_HQD_ERROR), 0);
    ck_assert_uint_eq(gc->state->selected, AMD_NO_SLOT);
    inject_experiment_fini(&experiment);
}
END_TEST

/* ---- what the driver does about it ----------------------------------------------------------- */

/* The firmware does not answer, at several moments of what queues do, and with engines that hang.
 */
static const struct hang {
    const char *faults[3];
} hangs[] = {
    {{"fence drop"}},
    {{"fence drop @#3"}},
    {{"fence drop @#5"}},
    {{"fence drop @#7"}},
    {{"save_end drop", "fence drop=all @#4"}},
    {{"restore_end drop", "fence drop=all @#5"}},
    {{"copy_end drop", "fence drop=all @#5"}},
    {{"cu:7 drop=all", "fence drop=all @#3"}},
    {{"wave drop", "fence drop"}},
    {{"grid_end drop", "fence drop"}},
    {{"preempt drop", "hiq:0xa4 drop"}},
    {{"map_process drop"}},
};
enum { HANGS = sizeof hangs / sizeof hangs[0] };

/* PROMISE (faults): After a GPU reset, from twelve hangs, every slot is empty, nothing is
 * pending, and the HIQ runs. */
START_TEST(after_a_reset_every_slot_is_empty)
{
    const struct hang *hang = &hangs[_i];
    struct inject_fault faults[3];
    struct inject_experiment experiment;
    struct gfe_error error = {0};
    const struct amd_mec *mec;
    const struct kfd *kfd;
    struct outcome outcome;
    uint32_t count = 0;

    for (; count < 3 && hang->faults[count]; count++)
        ck_assert(inject_run_parse(&runs[STREAMS], hang->faults[count], &faults[count], &error));
    ck_assert(
        inject_run_make(&runs[STREAMS], faults, count, UINT64_MAX, &experiment, &outcome, &error));
    mec = unit_of(experiment.simulation.machine, "amd_mec");
    kfd = unit_of(experiment.simulation.machine, "kfd");
    ck_assert_uint_ge(kfd->state->reset_count, 1);
    ck_assert_uint_eq(kfd->state->hangs, 0);
    for (uint32_t slot_id = 0; slot_id < AMD_SLOTS; slot_id++)
        ck_assert_uint_eq(mec->state->queues[slot_id].phase,
                          slot_id == amd_slot_id(2, 0, 0) ? AMD_QUEUE_IDLE : AMD_QUEUE_EMPTY);
    ck_assert_uint_eq(mec->dispatch->state->grid_count, 0);
    ck_assert_uint_eq(mec->state->shared_pending, 0);
    ck_assert_uint_eq(mec->state->shared_dispatches, 0);
    ck_assert(outcome.classes >> OUTCOME_DETECTED & 1);
    ck_assert(!(outcome.classes >> OUTCOME_HANG & 1));
    inject_experiment_fini(&experiment);
}
END_TEST

/* A queue that does not leave: it is reset alone, its slot is given to others, and what the call
 * wanted is done.  Without the choice the call fails.  Who polls for what the lost queue would have
 * written waits for ever: nobody takes that one off. */
/* PROMISE (faults): A queue that does not leave its slot can be reset alone (`kfd.queue_reset`). */
START_TEST(a_queue_that_does_not_leave_can_be_reset_alone)
{
    static const char *const texts[] = {"preempt drop", "save_end drop", "preempt drop @#3"};
    const bool on = _i < 3, polls = _i == 1;
    const struct simulation_setting reset = {"kfd.queue_reset", on ? "on" : "off"};
    const struct simulation_options options = {.choices = &reset, .choice_count = 1};
    const struct any_program program = {.input = inputs[STREAMS]};
    struct inject_experiment experiment;
    struct gfe_error error = {0};
    struct inject_fault fault;
    struct outcome outcome;
    struct inject_run run;
    const struct kfd *kfd;
    uint32_t lost = 0;

    ck_assert(inject_run_init(&run, &program, &options, 0, &error));
    ck_assert(inject_run_parse(&run, texts[_i % 3], &fault, &error));
    ck_assert(inject_run_make(&run, &fault, 1, UINT64_MAX, &experiment, &outcome, &error));
    kfd = unit_of(experiment.simulation.machine, "kfd");
    for (uint32_t i = 0; i < KFD_QUEUES_MAX; i++) {
        const struct kfd_queue *queue = &kfd->state->queues[i];

        lost += queue->lost;
        if (queue->lost) /* and its slot is another's */
            ck_assert_uint_eq(amd_mec_slot_of(unit_of(experiment.simulation.machine, "amd_mec"),
                                              queue->mqd.doorbell / 2),
                              AMD_NO_SLOT);
    }
    ck_assert_msg(lost == (on ? 1 : 0), "%s: %u lost", texts[_i % 3], lost);
    ck_assert_uint_eq(kfd->state->hangs, 0);
    ck_assert_uint_eq(kfd->state->reset_count, 0);
    ck_assert_msg((outcome.classes >> OUTCOME_HANG & 1) == polls || !on, "%s hangs: %d",
                  texts[_i % 3], !polls);
    inject_experiment_fini(&experiment);
    inject_run_fini(&run);
}
END_TEST

START_TEST(without_recovery_there_is_no_reset)
{
    const struct simulation_setting off = {"amdgpu.gpu_recovery", "off"};
    const struct simulation_options options = {.choices = &off, .choice_count = 1};
    const struct any_program program = {.input = inputs[STREAMS]};
    struct inject_experiment experiment;
    struct gfe_error error = {0};
    const struct kfd *kfd;
    struct inject_fault fault;
    struct outcome outcome;
    struct inject_run run;

    ck_assert(inject_run_init(&run, &program, &options, 0, &error));
    ck_assert(inject_run_parse(&run, "fence drop", &fault, &error));
    ck_assert(inject_run_make(&run, &fault, 1, UINT64_MAX, &experiment, &outcome, &error));
    kfd = unit_of(experiment.simulation.machine, "kfd");
    ck_assert_uint_eq(kfd->state->hangs, 1);
    ck_assert_uint_eq(kfd->state->reset_count, 0);
    inject_experiment_fini(&experiment);
    inject_run_fini(&run);
}
END_TEST

/* The bit is that of the slot in which the queue is then; one that is in none cannot be hit. */
START_TEST(a_register_of_a_queue_is_that_of_its_slot)
{
    static const char *const texts[] = {"register:1024/CP_HQD_ERROR flip=4 @131500us",
                                        "register:1026/CP_HQD_ERROR flip=4 @131500us"};

    for (uint32_t i = 0; i < 2; i++) {
        struct inject_experiment experiment;
        const struct machine *machine;
        struct outcome outcome;
        const struct amd_gc *gc;

        make(STREAMS, texts[i], &experiment, &outcome);
        machine = experiment.simulation.machine;
        gc = unit_of(machine, "amd_gc");
        ck_assert_uint_eq(machine->inject->state->faults[0].acted, i == 0);
        ck_assert_uint_eq(*amd_gc_hqd(gc, amd_slot_id(1, 0, 2), CP_HQD_ERROR), i == 0 ? 1 << 4 : 0);
        ck_assert_uint_eq(gc->state->selected, AMD_NO_SLOT);
        inject_experiment_fini(&experiment);
    }
}
END_TEST

START_TEST(a_slot_that_there_is_not_is_told)
{
    static const char *const texts[] = {
        "register:0.0.0/CP_HQD_ERROR flip=0",      "register:3.0.0/CP_HQD_ERROR flip=0",
        "register:1.4.0/CP_HQD_ERROR flip=0",      "register:1.0.8/CP_HQD_ERROR flip=0",
        "register:/CP_HQD_ERROR flip=0",           "register:1.0/CP_HQD_ERROR flip=0",
        "register:0x80000000/CP_HQD_ERROR flip=0", "signal drop @1.9.0/CP_HQD_ERROR==1"};

    for (uint32_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        struct gfe_error error = {0};
        struct inject_fault fault;

        ck_assert(!inject_run_parse(&runs[KERNELS], texts[i], &fault, &error));
        ck_assert_msg(strstr(error.text, "ME.PIPE.QUEUE/"), "%s", error.text);
    }
}
END_TEST

Suite *amd_inject_suite(void)
{
    Suite *suite = suite_create("amd_inject");
    TCase *tcase = tcase_create("sites");

    tcase_add_unchecked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, each_fault_acts_and_does_what_its_site_says, 0, ROWS);
    tcase_add_test(tcase, no_site_and_model_is_without_a_row);
    tcase_add_test(tcase, each_class_of_outcome_has_a_row);
    tcase_add_test(tcase, a_run_without_an_act_is_the_golden_run);
    tcase_add_test(tcase, a_register_of_a_slot_is_reached_through_its_bank);
    tcase_add_test(tcase, a_register_of_a_queue_is_that_of_its_slot);
    tcase_add_test(tcase, a_slot_that_there_is_not_is_told);
    tcase_add_loop_test(tcase, after_a_reset_every_slot_is_empty, 0, HANGS);
    tcase_add_loop_test(tcase, a_queue_that_does_not_leave_can_be_reset_alone, 0, 6);
    tcase_add_test(tcase, without_recovery_there_is_no_reset);
    suite_add_tcase(suite, tcase);
    return suite;
}
