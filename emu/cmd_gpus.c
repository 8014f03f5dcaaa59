/* SPDX-License-Identifier: MIT */
/*
 * gfe gpus: the GPUs that can be emulated, each figure with its basis.
 */
#include <config.h>

#include <jansson.h>
#include <stdio.h>

#include "devices/gpu_model.h"
#include "emu/args.h"
#include "emu/cmd.h"
#include "emu/describe.h"
#include "emu/json_text.h"
#include "emu/output.h"

static const struct args_option options[] = {
    {'j', "json", NULL, "print JSON"},
    {0},
};

static const struct args_command command = {
    "gpus", "[OPTION...] [GPU]",
    "Without GPU: lists the GPUs that can be emulated.  With GPU: prints every figure of its\n"
    "model with its basis (DOCUMENTED, MEASURED, INFERRED or ASSUMED) and its source.\n",
    options, false};

static const char *gpus_engine_kind(enum gpu_engine_kind kind)
{
    static const char *const names[] = {
        [GPU_ENGINE_GRAPHICS] = "graphics and compute",
        [GPU_ENGINE_GRCE] = "copy, on the graphics runlist",
        [GPU_ENGINE_LCE] = "copy",
        [GPU_ENGINE_NVDEC] = "video decoder",
        [GPU_ENGINE_NVENC] = "video encoder",
        [GPU_ENGINE_SEC] = "security",
        [GPU_ENGINE_MSVLD] = "video bitstream decoder",
        [GPU_ENGINE_MSPDEC] = "video picture decoder",
        [GPU_ENGINE_MSPPP] = "video post-processor",
        [GPU_ENGINE_MSENC] = "video encoder",
        [GPU_ENGINE_NVJPG] = "JPEG decoder",
        [GPU_ENGINE_OFA] = "optical flow",
    };

    _Static_assert(sizeof names / sizeof names[0] == GPU_ENGINE_KINDS, "a kind has no name");

    return names[kind];
}

static void gpus_print_table(void)
{
    printf("%-14s %-26s %-8s %4s %9s %9s %7s %8s\n", "NAME", "CARD", "CHIP", "SMS", "RUNLISTS",
           "CHANNELS", "PBDMAS", "ENGINES");
    for (uint32_t i = 0; i < gpu_model_count; i++) {
        const struct gpu_model *model = gpu_models[i];

        printf("%-14s %-26s %-8s %4u %9u %9u %7u %8u\n", model->name, model->title, model->chip,
               model->sm_count, model->runlist_count, model->channel_count, model->pbdma_count,
               model->engine_count);
    }
}

static void gpus_print_engines(const struct gpu_model *model)
{
    printf("\nENGINES\n");
    for (uint32_t i = 0; i < model->engine_count; i++)
        printf("  engine %-3u %-14s runlist %-3u %s\n", model->engines[i].engine_id,
               model->engines[i].name, model->engines[i].runlist_id,
               gpus_engine_kind(model->engines[i].kind));
    printf("\nPBDMAS\n");
    for (uint32_t i = 0; i < model->pbdma_count; i++) {
        printf("  PBDMA %-3u  runlists", i);
        for (uint32_t runlist = 0; runlist < model->runlist_count; runlist++)
            if (model->pbdma_runlists[i] >> runlist & 1)
                printf(" %u", runlist);
        putchar('\n');
    }
}

static void gpus_print(const struct gpu_model *model)
{
    printf("%s: %s, %s, PCI id %04x:%04x, %llu MiB\n\nFIGURES\n", model->name, model->title,
           model->chip, model->pci_id >> 16, model->pci_id & 0xffff,
           (unsigned long long)(model->vram_bytes >> 20));
    for (const struct gpu_figure *figure = model->figures; figure->name; figure++) {
        printf("  %-32s %-28s %s\n", figure->name, figure->value, rule_basis_name(figure->basis));
        describe_wrapped(stdout, 8, figure->source);
    }
    gpus_print_engines(model);
}

/* NULL when memory is short. */
static json_t *gpus_json(const struct gpu_model *model)
{
    json_t *figures = json_array(), *engines = json_array();
    bool done = true;

    for (const struct gpu_figure *figure = model->figures; figure->name; figure++)
        done &= json_array_append_new(figures, json_pack("{ss ss ss ss}", "name", figure->name,
                                                         "value", figure->value, "basis",
                                                         rule_basis_name(figure->basis), "source",
                                                         figure->source)) == 0;
    for (uint32_t i = 0; i < model->engine_count; i++)
        done &= json_array_append_new(engines,
                                      json_pack("{si ss ss si}", "id", model->engines[i].engine_id,
                                                "name", model->engines[i].name, "kind",
                                                gpus_engine_kind(model->engines[i].kind), "runlist",
                                                model->engines[i].runlist_id)) == 0;
    if (!done) {
        json_decref(figures);
        json_decref(engines);
        return NULL;
    }
    return json_pack("{ss ss ss sI si si si si so so}", "name", model->name, "card", model->title,
                     "chip", model->chip, "vram_bytes", (json_int_t)model->vram_bytes, "sm_count",
                     (int)model->sm_count, "runlist_count", (int)model->runlist_count,
                     "channel_count", (int)model->channel_count, "pbdma_count",
                     (int)model->pbdma_count, "engines", engines, "figures", figures);
}

static bool gpus_print_json(const struct gpu_model *only, struct gfe_error *error)
{
    json_t *list = json_array();
    json_t *json = only ? gpus_json(only) : list;
    bool done = json != NULL;

    for (uint32_t i = 0; !only && i < gpu_model_count; i++)
        done = json_array_append_new(list, gpus_json(gpu_models[i])) == 0 && done;
    done = done && json_text_print(stdout, json);
    if (!done)
        error_set(error, ERROR_SYSTEM, "no memory for the list of GPUs");
    if (only)
        json_decref(json);
    json_decref(list);
    return done;
}

int cmd_gpus(int argc, char **argv)
{
    const struct gpu_model *model = NULL;
    struct gfe_error error = {0};
    struct args args;
    bool json = false, done = true;
    int id;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0)
        json = true;
    if (id == ARGS_STOP || !args_operands(&args, 0, 1))
        return args.status;
    if (args.operand_count > 0 && !(model = gpu_model_by_name(args.operands[0])))
        return args_wrong(&args, "no GPU is called '%s'; gfe gpus lists them", args.operands[0]);
    if (json)
        done = gpus_print_json(model, &error);
    else if (model)
        gpus_print(model);
    else
        gpus_print_table();
    if (!done || !output_flush_stdout(&error))
        return args_failed(&args, &error);
    return 0;
}
