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
#include "traces/record_board.h"

static const struct args_option options[] = {
    {'j', "json", NULL, "print JSON"},
    {0},
};

static const struct args_command command = {
    "gpus", "[OPTION...] [GPU]",
    "Without GPU: lists the GPUs that can be emulated.  With GPU: prints every figure of its\n"
    "model with its basis (DOCUMENTED, MEASURED, INFERRED or ASSUMED) and its source, its\n"
    "classes, engines, runlists and PBDMAs, which physical copy engine (PCE) serves which\n"
    "logical one (LCE), and whether gfe record can stand in for it.\n",
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

static bool gpus_can_record(const struct gpu_model *model)
{
    return record_board_find(model->name) != NULL;
}

static void gpus_print_table(void)
{
    printf("%-14s %-26s %-6s %4s %8s %8s %6s %7s %-6s\n", "NAME", "CARD", "CHIP", "SMS", "RUNLISTS",
           "CHANNELS", "PBDMAS", "ENGINES", "RECORD");
    for (uint32_t i = 0; i < gpu_model_count; i++) {
        const struct gpu_model *model = gpu_models[i];

        printf("%-14s %-26s %-6s %4u %8u %8u %6u %7u %-6s\n", model->name, model->title,
               model->chip, model->sm_count, model->runlist_count, model->channel_count,
               model->pbdma_count, model->engine_count, gpus_can_record(model) ? "yes" : "no");
    }
    /* No line here may look like a row: the completion takes those for names. */
    printf("\nCHANNELS: the chip's, from Ampere on each runlist's.\n"
           "RECORD: whether gfe record can stand in for it; no other command needs that.\n");
}

/* "12", or "-" for an id that the chip's table lacks. */
static const char *gpus_id(uint32_t id, char text[static 12])
{
    if (id == GPU_ID_NONE)
        return "-";
    (void)snprintf(text, 12, "%u", (unsigned)id);
    return text;
}

static void gpus_print_engines(const struct gpu_model *model)
{
    printf("\nENGINES\n  %-6s %-12s %7s %5s %5s %5s %8s  %s\n", "ENGINE", "NAME", "RUNLIST",
           "RESET", "INTR", "FAULT", "PRI BASE", "KIND");
    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct gpu_engine *engine = &model->engines[i];
        char reset[12], intr[12], fault[12];

        printf("  %-6u %-12s %7u %5s %5s %5s 0x%06x  %s\n", engine->engine_id, engine->name,
               engine->runlist_id, gpus_id(engine->reset_id, reset), gpus_id(engine->intr_id, intr),
               gpus_id(engine->fault_id, fault), (unsigned)engine->pri_base,
               gpus_engine_kind(engine->kind));
    }
}

/* The PBDMAs that serve a runlist are its runqueues, in this order. */
static void gpus_print_runlists(const struct gpu_model *model)
{
    printf("\nRUNLISTS\n");
    for (uint32_t runlist = 0; runlist < model->runlist_count; runlist++) {
        uint32_t engines = 0;

        printf("  runlist %-2u ", runlist);
        if (model->runlists[runlist].pri_base != 0)
            printf(" at 0x%06x, doorbell %-2u ", (unsigned)model->runlists[runlist].pri_base,
                   model->runlists[runlist].doorbell_id);
        printf(" PBDMA");
        for (uint32_t i = 0; i < model->pbdma_count; i++)
            if (model->pbdma_runlists[i] >> runlist & 1)
                printf(" %u", i);
        printf(":");
        for (uint32_t i = 0; i < model->engine_count; i++)
            if (model->engines[i].runlist_id == runlist)
                printf("%s %s", engines++ ? "," : "", model->engines[i].name);
        printf("%s\n", engines ? "" : " no engine");
    }
}

static void gpus_print_copy_map(const struct gpu_model *model)
{
    printf("\nCOPY ENGINES\n");
    for (uint32_t i = 0; i < model->pce_count; i++)
        if (model->pce_to_lce[i] == GPU_PCE_UNUSED)
            printf("  PCE %-2u  unused\n", i);
        else
            printf("  PCE %-2u  serves LCE%u\n", i, model->pce_to_lce[i]);
    for (uint32_t i = 0; i < GPU_GRCES_MAX; i++)
        if (model->grce[i].is_shared)
            printf("  GRCE%u   shares the PCEs of LCE%u\n", i, model->grce[i].shared_lce);
}

static void gpus_print(const struct gpu_model *model)
{
    char pci[24] = "no PCI id";

    if (model->pci_id != 0)
        (void)snprintf(pci, sizeof pci, "PCI id %04x:%04x", (unsigned)model->pci_id >> 16,
                       (unsigned)model->pci_id & 0xffff);
    printf("%s: %s, %s, %s, %llu MiB\n\nFIGURES\n", model->name, model->title, model->chip, pci,
           (unsigned long long)(model->vram_bytes >> 20));
    for (const struct gpu_figure *figure = model->figures; figure->name; figure++) {
        printf("  %-32s %-28s %s\n", figure->name, figure->value, rule_basis_name(figure->basis));
        describe_wrapped(stdout, 8, figure->source);
    }
    printf("\nCLASSES\n  Host %04x, compute %04x, 3D %04x, 2D %04x, inline %04x, copy %04x",
           model->class_host, model->class_compute, model->class_3d, model->class_2d,
           model->class_inline, model->class_copy);
    if (model->class_copy_older != 0)
        printf(" and %04x", model->class_copy_older);
    printf("\n");
    gpus_print_engines(model);
    gpus_print_runlists(model);
    gpus_print_copy_map(model);
    printf("\nRECORDING\n  %s\n",
           gpus_can_record(model)
               ? "gfe record stands in for it, as the nouveau driver would show it"
               : "not possible: gfe has no driver model that knows this GPU to record with");
}

/* As json_pack(): NULL when memory is short.  An id that there is none of is null. */
static json_t *gpus_json_id(uint32_t id)
{
    return id == GPU_ID_NONE ? json_null() : json_integer(id);
}

static json_t *gpus_json_engine(const struct gpu_engine *engine)
{
    return json_pack("{si ss ss si so so so si si}", "id", (int)engine->engine_id, "name",
                     engine->name, "kind", gpus_engine_kind(engine->kind), "runlist",
                     (int)engine->runlist_id, "reset_id", gpus_json_id(engine->reset_id), "intr_id",
                     gpus_json_id(engine->intr_id), "fault_id", gpus_json_id(engine->fault_id),
                     "pri_base", (int)engine->pri_base, "rleng_id", (int)engine->rleng_id);
}

static json_t *gpus_json_runlist(const struct gpu_model *model, uint32_t runlist_id)
{
    json_t *pbdmas = json_array();
    bool done = true;

    for (uint32_t i = 0; i < model->pbdma_count; i++)
        if (model->pbdma_runlists[i] >> runlist_id & 1)
            done &= json_array_append_new(pbdmas, json_integer(i)) == 0;
    if (!done) {
        json_decref(pbdmas);
        return NULL;
    }
    return json_pack("{si si si so}", "id", (int)runlist_id, "pri_base",
                     (int)model->runlists[runlist_id].pri_base, "doorbell_id",
                     (int)model->runlists[runlist_id].doorbell_id, "pbdmas", pbdmas);
}

/* NULL when memory is short. */
static json_t *gpus_json(const struct gpu_model *model)
{
    json_t *figures = json_array(), *engines = json_array(), *runlists = json_array();
    json_t *pces = json_array(), *grces = json_array(), *json;
    bool done = true;

    for (const struct gpu_figure *figure = model->figures; figure->name; figure++)
        done &= json_array_append_new(figures, json_pack("{ss ss ss ss}", "name", figure->name,
                                                         "value", figure->value, "basis",
                                                         rule_basis_name(figure->basis), "source",
                                                         figure->source)) == 0;
    for (uint32_t i = 0; i < model->engine_count; i++)
        done &= json_array_append_new(engines, gpus_json_engine(&model->engines[i])) == 0;
    for (uint32_t i = 0; i < model->runlist_count; i++)
        done &= json_array_append_new(runlists, gpus_json_runlist(model, i)) == 0;
    for (uint32_t i = 0; i < model->pce_count; i++)
        done &= json_array_append_new(pces, model->pce_to_lce[i] == GPU_PCE_UNUSED
                                                ? json_null()
                                                : json_integer(model->pce_to_lce[i])) == 0;
    for (uint32_t i = 0; i < GPU_GRCES_MAX; i++)
        if (model->grce[i].is_shared)
            done &= json_array_append_new(grces, json_pack("{si si}", "grce", (int)i, "lce",
                                                           (int)model->grce[i].shared_lce)) == 0;
    json = done
               ? json_pack("{ss ss ss sI si si si si sb sO sO sO sO sO}", "name", model->name,
                           "card", model->title, "chip", model->chip, "vram_bytes",
                           (json_int_t)model->vram_bytes, "sm_count", (int)model->sm_count,
                           "runlist_count", (int)model->runlist_count, "channel_count",
                           (int)model->channel_count, "pbdma_count", (int)model->pbdma_count,
                           "records", gpus_can_record(model), "engines", engines, "figures",
                           figures, "runlists", runlists, "pce_to_lce", pces, "shared_grces", grces)
               : NULL;
    json_decref(figures);
    json_decref(engines);
    json_decref(runlists);
    json_decref(pces);
    json_decref(grces);
    return json;
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
