/* SPDX-License-Identifier: MIT */
/*
 * gfe occupancy: how many blocks of a kernel an SM (or CU) holds at once, and what limits them.
 */
#include <config.h>

#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd.h"
#include "emu/sim/gpus.h"
#include "emu/sim/occupancy.h"

enum { OPTION_SGPRS = ARGS_LONG_ONLY, OPTION_BARE, OPTION_HALF_SM };

static const struct args_option options[] = {
    {'g', "gpu", "GPU",
     "the GPU, by name or from a GPU file (default gtx1060; gfe gpus lists\nthem)"},
    {'t', "threads", "N", "threads of a block (default 256)"},
    {'r', "registers", "N", "registers of a thread; of AMD's vector registers (default 32)"},
    {OPTION_SGPRS, "sgprs", "N", "scalar registers of a wave, of AMD's GPUs (default 16)"},
    {'s', "shared", "BYTES", "shared memory (LDS) of a block (default 0)"},
    {OPTION_BARE, "bare", NULL, "without what CUDA's driver adds to a block's shared memory"},
    {OPTION_HALF_SM, "half-sm", NULL,
     "with partitioned global caching (nv.half_sm): a block stays in half an SM"},
    {'j', "json", NULL, "print JSON"},
    {0},
};

static const struct args_command command = {
    "occupancy", "[OPTION...]",
    "Prints how many blocks of a kernel an SM of NVIDIA's or a CU of AMD's holds at once, how\n"
    "many each limit alone allows, and which binds, with its rule.  Figures of NVIDIA's are\n"
    "those of its occupancy calculator.  Exit status 1: no SM can hold such a block.\n",
    options, false};

struct asked {
    struct cmd_gpu *chosen; /* owned by the command */
    const char *gpu;
    uint64_t threads, registers, sgprs, shared_bytes;
    bool bare, half_sm, json;
};

/* ---- printing -------------------------------------------------------------------------------- */

static void print_answer(const struct asked *asked, const struct occupancy *answer)
{
    const uint32_t groups = occupancy_blocks(answer) * answer->groups_per_block;
    const struct occupancy_limit *bound = &answer->limits[answer->bound];

    printf("%s: blocks of %" PRIu64 " threads (%u %s%s), %" PRIu64 " registers a thread, %" PRIu64
           " bytes of shared memory",
           answer->gpu, asked->threads, answer->groups_per_block, answer->group,
           answer->groups_per_block == 1 ? "" : "s", asked->registers, asked->shared_bytes);
    if (answer->driver_bytes > 0)
        printf(" and %u of the driver's", answer->driver_bytes);
    printf("\n%u block%s on each %s: %u of %u %ss (%.1f %%); %s %s (%s)\n",
           occupancy_blocks(answer), occupancy_blocks(answer) == 1 ? "" : "s", answer->unit, groups,
           answer->groups_per_unit, answer->group, 100.0 * groups / answer->groups_per_unit,
           bound->label, bound->label[strlen(bound->label) - 1] == 's' ? "bind" : "binds",
           occupancy_rule_label(bound->rule));
    printf("%" PRIu64 " on the GPU's %u %ss\n\n  %-18s %6s  %s\n",
           (uint64_t)occupancy_blocks(answer) * answer->units, answer->units, answer->unit, "LIMIT",
           "BLOCKS", "OF");
    for (uint32_t i = 0; i < answer->limit_count; i++) {
        const struct occupancy_limit *limit = &answer->limits[i];

        if (limit->blocks == UINT32_MAX)
            printf("  %-18s %6s\n", limit->label, "any");
        else
            printf("  %-18s %6u  %s%s\n", limit->label, limit->blocks, limit->of,
                   limit->blocks == occupancy_blocks(answer) ? "  <-" : "");
    }
}

/* NULL when memory is short. */
static json_t *answer_json(const struct asked *asked, const struct occupancy *answer)
{
    json_t *limits = json_object();
    bool done = limits != NULL;

    for (uint32_t i = 0; i < answer->limit_count; i++)
        if (answer->limits[i].blocks != UINT32_MAX)
            done &= json_object_set_new(limits, answer->limits[i].name,
                                        json_integer(answer->limits[i].blocks)) == 0;
    if (!done) {
        json_decref(limits);
        return NULL;
    }
    return json_pack("{ss si si si si si si si si ss ss so}", "gpu", answer->gpu, "threads",
                     (int)asked->threads, "registers", (int)asked->registers, "shared_bytes",
                     (int)asked->shared_bytes, "driver_shared_bytes", (int)answer->driver_bytes,
                     "blocks", (int)occupancy_blocks(answer), "units", (int)answer->units, "groups",
                     (int)(occupancy_blocks(answer) * answer->groups_per_block), "groups_most",
                     (int)answer->groups_per_unit, "bound_by", answer->limits[answer->bound].name,
                     "rule", occupancy_rule_label(answer->limits[answer->bound].rule), "limits",
                     limits);
}

static bool print_json(const struct asked *asked, const struct occupancy *answer,
                       struct gfe_error *error)
{
    json_t *json = answer_json(asked, answer);
    const bool done = json_text_print(stdout, json);

    json_decref(json);
    return done || error_set(error, ERROR_SYSTEM, "no memory for the answer");
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool take_option(struct args *args, int id, struct asked *asked)
{
    switch (id) {
    case 'g':
        if (!cmd_gpu_take(args, asked->chosen))
            return false;
        asked->gpu = asked->chosen->name;
        return true;
    case 't':
        return args_number_within(args, 1, 65535, &asked->threads);
    case 'r':
        return args_number_within(args, 0, 65535, &asked->registers);
    case OPTION_SGPRS:
        return args_number_within(args, 0, 65535, &asked->sgprs);
    case 's':
        return args_number_within(args, 0, 1 << 28, &asked->shared_bytes);
    case OPTION_BARE:
        asked->bare = true;
        return true;
    case OPTION_HALF_SM:
        asked->half_sm = true;
        return true;
    default:
        asked->json = true;
        return true;
    }
}

int cmd_occupancy(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct asked asked = {
        .gpu = "gtx1060", .chosen = &chosen, .threads = 256, .registers = 32, .sgprs = 16};
    struct gpu gpu;
    struct occupancy_question question;
    struct gfe_error error = {0};
    struct occupancy answer;
    struct args args;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        if (!take_option(&args, id, &asked))
            return args.status;
    if (id == ARGS_STOP || !args_operands(&args, 0, 0))
        return args.status;
    if (!gpu_find(asked.gpu, chosen.described, &gpu))
        return args_wrong(&args, "no GPU is called '%s'; gfe gpus lists them", asked.gpu);
    question = (struct occupancy_question){.threads = (uint32_t)asked.threads,
                                           .registers = (uint32_t)asked.registers,
                                           .sgprs = (uint32_t)asked.sgprs,
                                           .shared_bytes = (uint32_t)asked.shared_bytes,
                                           .bare = asked.bare,
                                           .half_sm = asked.half_sm};
    gpu.vendor->occupancy(&gpu, &question, &answer);
    if (!answer.possible) {
        error_set(&error, ERROR_LIMIT, "no %s of %s can hold such a block (%s)", answer.unit,
                  answer.gpu, occupancy_rule_label(answer.refused_by));
        return args_failed(&args, &error);
    }
    if (!asked.json)
        print_answer(&asked, &answer);
    else if (!print_json(&asked, &answer, &error))
        return args_failed(&args, &error);
    if (!output_flush_stdout(&error))
        return args_failed(&args, &error);
    return EXIT_SUCCESS;
}
