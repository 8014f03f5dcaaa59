/* SPDX-License-Identifier: MIT */
/*
 * gfe gpus: the GPUs that gfe knows, each figure with its basis.
 */
#include <config.h>

#include <jansson.h>
#include <stdio.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_chip_cost.h"
#include "emu/base/args.h"
#include "emu/program/cmd_gpu.h"
#include "emu/sim/gpu_from_cuda.h"
#include "emu/sim/gpu_from_nvdebug.h"
#include "emu/program/cmd.h"
#include "emu/sim/describe.h"
#include "emu/base/json_text.h"
#include "emu/base/output.h"
#include "traces/record/nouveau/record_board.h"
#include "traces/record/kfd/record_kfd_board.h"

/* What --from takes a GPU from. */
static const struct {
    const char *name;
    json_t *(*make)(const char *path, struct gfe_error *error);
} gpus_sources[] = {{"cuda", gpu_from_cuda}, {"nvdebug", gpu_from_nvdebug}};
enum { GPUS_SOURCES = sizeof gpus_sources / sizeof gpus_sources[0] };

enum { OPTION_EXPORT = ARGS_LONG_ONLY, OPTION_SCHEMA, OPTION_FROM };
static const struct args_option options[] = {
    {'j', "json", NULL, "print JSON"},
    {OPTION_EXPORT, "export", NULL,
     "print GPU as a GPU file (docs/gpu-files.md), complete, with the\n"
     "basis and the source of its figures"},
    {OPTION_FROM, "from", "WHAT",
     "print a GPU file.  cuda: made of what CUDA says of a GPU; the operand\n"
     "is what tests/hardware/device_properties.cu printed.  nvdebug: made of\n"
     "the files of the nvdebug module; the operand is /proc/gpuN or a copy"},
    {OPTION_SCHEMA, "schema", NULL, "print the JSON schema of GPU files"},
    {0},
};

static const struct args_command command = {
    "gpus", "[OPTION...] [GPU]",
    "Without GPU: lists the GPUs that gfe knows.  With GPU: prints every figure of its model\n"
    "with its basis (DOCUMENTED, PUBLISHED, MEASURED, INFERRED or ASSUMED) and its source,\n"
    "and whether gfe record can stand in for it.  Of an NVIDIA GPU also its classes, engines,\n"
    "runlists and PBDMAs, and which physical copy engine (PCE) serves which logical one\n"
    "(LCE); of an AMD GPU its shader engines, registers, LDS and queues.  AMD GPUs run\n"
    "recordings of ROCm's libraries made for them, and configurations of\n"
    "hip_plugin_framework.\n"
    "\n"
    "GPU may be a file: --gpu FILE of every command takes it as it takes a name.\n",
    options, false};

static const char *gpus_engine_kind(enum nv_chip_engine_kind kind)
{
    static const char *const names[] = {
        [NV_CHIP_GRAPHICS] = "graphics and compute",
        [NV_CHIP_GRCE] = "copy, on the graphics runlist",
        [NV_CHIP_LCE] = "copy",
        [NV_CHIP_NVDEC] = "video decoder",
        [NV_CHIP_NVENC] = "video encoder",
        [NV_CHIP_SEC] = "security",
        [NV_CHIP_MSVLD] = "video bitstream decoder",
        [NV_CHIP_MSPDEC] = "video picture decoder",
        [NV_CHIP_MSPPP] = "video post-processor",
        [NV_CHIP_MSENC] = "video encoder",
        [NV_CHIP_NVJPG] = "JPEG decoder",
        [NV_CHIP_OFA] = "optical flow",
    };

    _Static_assert(sizeof names / sizeof names[0] == NV_CHIP_ENGINE_KINDS, "a kind has no name");

    return names[kind];
}

static bool gpus_can_record(const struct nv_chip *model)
{
    return record_board_find(model->name) != NULL;
}

static void gpus_print_figures(const struct chip_figure *figure)
{
    for (; figure->name; figure++) {
        printf("  %-32s %-28s %s\n", figure->name, figure->value, rule_basis_name(figure->basis));
        describe_wrapped(stdout, 8, figure->source);
    }
}

/* Adds the rows to the array.  Returns false if memory is short. */
static bool gpus_json_add_figures(json_t *figures, const struct chip_figure *figure)
{
    bool done = true;

    for (; figure->name; figure++)
        done &= json_array_append_new(figures, json_pack("{ss ss ss ss}", "name", figure->name,
                                                         "value", figure->value, "basis",
                                                         rule_basis_name(figure->basis), "source",
                                                         figure->source)) == 0;
    return done;
}

/* As json_pack(): NULL when memory is short.  `more` may be NULL. */
static json_t *gpus_json_figures(const struct chip_figure *figure, const struct chip_figure *more)
{
    json_t *figures = json_array();

    if (figures && gpus_json_add_figures(figures, figure) &&
        (!more || gpus_json_add_figures(figures, more)))
        return figures;
    json_decref(figures);
    return NULL;
}

/* ---- AMD ------------------------------------------------------------------------------------- */

/* Slots for queues of programs: those of the first MEC that the kernel driver does not keep. */
static uint32_t gpus_amd_queues(const struct amd_chip *chip)
{
    return chip->pipes_per_mec * (chip->queues_per_pipe - chip->kernel_queues_per_pipe);
}

static void gpus_amd_print_table(void)
{
    printf("%-14s %-26s %-9s %4s %8s %8s %6s %7s %-6s\n", "NAME", "CARD", "CHIP", "CUS", "ENGINES",
           "QUEUES", "PIPES", "SDMAS", "RECORD");
    for (uint32_t i = 0; i < amd_chip_count; i++) {
        const struct amd_chip *chip = amd_chips[i];

        printf("%-14s %-26s %-9s %4u %8u %8u %6u %7u %-6s\n", chip->name, chip->title, chip->chip,
               chip->cu_count, chip->shader_engine_count, gpus_amd_queues(chip),
               chip->pipes_per_mec, chip->sdma_engine_count + chip->sdma_xgmi_engine_count,
               record_kfd_board_find(chip->name) ? "yes" : "no");
    }
}

static void gpus_amd_print(const struct amd_chip *chip)
{
    printf("%s: %s, %s (%s), PCI id %04x:%04x, %llu MiB\n\nFIGURES\n", chip->name, chip->title,
           chip->chip, chip->isa, (unsigned)chip->pci_id >> 16, (unsigned)chip->pci_id & 0xffff,
           (unsigned long long)(chip->vram_bytes >> 20));
    gpus_print_figures(chip->figures);
    printf("\nSHADER ENGINES\n");
    for (uint32_t i = 0; i < chip->shader_engine_count; i++)
        printf("  SE%u  %u of %u CUs\n", i, chip->engine_cus[i], chip->cu_slots_per_engine);
    printf("\nQUEUES\n  MEC1, pipes 0 to %u: HQD %u to %u each for programs, %u slots\n"
           "  MEC2, pipe 0, HQD 0: the kernel driver's (HIQ)\n"
           "  SDMA: %u engines with %u queues each\n",
           chip->pipes_per_mec - 1, chip->kernel_queues_per_pipe, chip->queues_per_pipe - 1,
           gpus_amd_queues(chip), chip->sdma_engine_count + chip->sdma_xgmi_engine_count,
           chip->sdma_queues_per_engine);
    printf("\nEMULATION\n  gfe run: recordings of ROCm's libraries made for it, configurations of "
           "hip_plugin_framework\n");
}

static json_t *gpus_amd_json(const struct amd_chip *chip)
{
    json_t *engines = json_array();
    bool done = engines != NULL;

    for (uint32_t i = 0; i < chip->shader_engine_count; i++)
        done &= json_array_append_new(engines, json_integer(chip->engine_cus[i])) == 0;
    if (!done) {
        json_decref(engines);
        return NULL;
    }
    return json_pack(
        "{ss ss ss ss ss sI sI si so si si si si si si si si si si si si si si sb sb so}", "name",
        chip->name, "vendor", "AMD", "card", chip->title, "chip", chip->chip, "isa", chip->isa,
        "vram_bytes", (json_int_t)chip->vram_bytes, "shader_hz", (json_int_t)chip->shader_hz,
        "cu_count", (int)chip->cu_count, "engine_cus", engines, "simds_per_cu",
        (int)chip->simds_per_cu, "waves_per_simd", (int)chip->waves_per_simd, "threads_per_wave",
        (int)chip->threads_per_wave, "vgprs_per_simd", (int)chip->vgprs_per_simd, "vgpr_unit",
        (int)chip->vgpr_unit, "sgprs_per_simd", (int)chip->sgprs_per_simd, "sgpr_unit",
        (int)chip->sgpr_unit, "lds_bytes_per_cu", (int)chip->lds_bytes_per_cu, "lds_unit_bytes",
        (int)chip->lds_unit_bytes, "pipes_per_mec", (int)chip->pipes_per_mec, "queues_per_pipe",
        (int)chip->queues_per_pipe, "kernel_queues_per_pipe", (int)chip->kernel_queues_per_pipe,
        "first_kfd_vmid", (int)chip->first_kfd_vmid, "sdma_engine_count",
        (int)(chip->sdma_engine_count + chip->sdma_xgmi_engine_count), "records",
        record_kfd_board_find(chip->name) != NULL, "emulated", true, "figures",
        gpus_json_figures(chip->figures, NULL));
}

/* ---- NVIDIA ---------------------------------------------------------------------------------- */

static void gpus_print_table(void)
{
    printf("%-14s %-26s %-6s %4s %8s %8s %6s %7s %-6s\n", "NAME", "CARD", "CHIP", "SMS", "RUNLISTS",
           "CHANNELS", "PBDMAS", "ENGINES", "RECORD");
    for (uint32_t i = 0; i < nv_chip_count; i++) {
        const struct nv_chip *model = nv_chips[i];

        printf("%-14s %-26s %-6s %4u %8u %8u %6u %7u %-6s\n", model->name, model->title,
               model->chip, model->sm_count, model->runlist_count, model->channel_count,
               model->pbdma_count, model->engine_count, gpus_can_record(model) ? "yes" : "no");
    }
    printf("\n");
    gpus_amd_print_table();
    /* No line here may look like a row: the completion takes those for names. */
    printf("\nCHANNELS: the chip's, from Ampere on each runlist's.\n"
           "QUEUES: slots for queues of programs; PIPES: the ACEs that serve them.\n"
           "RECORD: whether gfe record can stand in for it; no other command needs that.\n"
           "AMD GPUs run recordings of ROCm's libraries made for them, and configurations of\n"
           "hip_plugin_framework.\n");
}

/* "12", or "-" for an id that the chip's table lacks. */
static const char *gpus_id(uint32_t id, char text[static 12])
{
    if (id == NV_CHIP_ID_NONE)
        return "-";
    (void)snprintf(text, 12, "%u", (unsigned)id);
    return text;
}

static void gpus_print_engines(const struct nv_chip *model)
{
    printf("\nENGINES\n  %-6s %-12s %7s %5s %5s %5s %8s  %s\n", "ENGINE", "NAME", "RUNLIST",
           "RESET", "INTR", "FAULT", "PRI BASE", "KIND");
    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];
        char reset[12], intr[12], fault[12];

        printf("  %-6u %-12s %7u %5s %5s %5s 0x%06x  %s\n", engine->engine_id, engine->name,
               engine->runlist_id, gpus_id(engine->reset_id, reset), gpus_id(engine->intr_id, intr),
               gpus_id(engine->fault_id, fault), (unsigned)engine->pri_base,
               gpus_engine_kind(engine->kind));
    }
}

/* The PBDMAs that serve a runlist are its runqueues, in this order. */
static void gpus_print_runlists(const struct nv_chip *model)
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

static void gpus_print_copy_map(const struct nv_chip *model)
{
    printf("\nCOPY ENGINES\n");
    for (uint32_t i = 0; i < model->pce_count; i++)
        if (model->pce_to_lce[i] == NV_CHIP_PCE_UNUSED)
            printf("  PCE %-2u  unused\n", i);
        else
            printf("  PCE %-2u  serves LCE%u\n", i, model->pce_to_lce[i]);
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++)
        if (model->grce[i].is_shared)
            printf("  GRCE%u   shares the PCEs of LCE%u\n", i, model->grce[i].shared_lce);
}

static void gpus_print(const struct nv_chip *model)
{
    struct nv_chip_cost_figures carried;
    char pci[24] = "no PCI id";

    if (model->pci_id != 0)
        (void)snprintf(pci, sizeof pci, "PCI id %04x:%04x", (unsigned)model->pci_id >> 16,
                       (unsigned)model->pci_id & 0xffff);
    printf("%s: %s, %s, %s, %llu MiB\n\nFIGURES\n", model->name, model->title, model->chip, pci,
           (unsigned long long)(model->vram_bytes >> 20));
    gpus_print_figures(model->figures);
    nv_chip_cost_figures(model, &carried);
    gpus_print_figures(carried.rows);
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
    return id == NV_CHIP_ID_NONE ? json_null() : json_integer(id);
}

static json_t *gpus_json_engine(const struct nv_chip_engine *engine)
{
    return json_pack("{si ss ss si so so so si si}", "id", (int)engine->engine_id, "name",
                     engine->name, "kind", gpus_engine_kind(engine->kind), "runlist",
                     (int)engine->runlist_id, "reset_id", gpus_json_id(engine->reset_id), "intr_id",
                     gpus_json_id(engine->intr_id), "fault_id", gpus_json_id(engine->fault_id),
                     "pri_base", (int)engine->pri_base, "rleng_id", (int)engine->rleng_id);
}

static json_t *gpus_json_runlist(const struct nv_chip *model, uint32_t runlist_id)
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
static json_t *gpus_json(const struct nv_chip *model)
{
    struct nv_chip_cost_figures carried;
    json_t *figures, *engines = json_array(), *runlists = json_array();
    json_t *pces = json_array(), *grces = json_array(), *json;
    bool done;

    nv_chip_cost_figures(model, &carried);
    figures = gpus_json_figures(model->figures, carried.rows);
    done = figures != NULL;

    for (uint32_t i = 0; i < model->engine_count; i++)
        done &= json_array_append_new(engines, gpus_json_engine(&model->engines[i])) == 0;
    for (uint32_t i = 0; i < model->runlist_count; i++)
        done &= json_array_append_new(runlists, gpus_json_runlist(model, i)) == 0;
    for (uint32_t i = 0; i < model->pce_count; i++)
        done &= json_array_append_new(pces, model->pce_to_lce[i] == NV_CHIP_PCE_UNUSED
                                                ? json_null()
                                                : json_integer(model->pce_to_lce[i])) == 0;
    for (uint32_t i = 0; i < NV_CHIP_GRCES_MAX; i++)
        if (model->grce[i].is_shared)
            done &= json_array_append_new(grces, json_pack("{si si}", "grce", (int)i, "lce",
                                                           (int)model->grce[i].shared_lce)) == 0;
    json = done ? json_pack("{ss ss ss ss sI si si si si sb sb sO sO sO sO sO}", "name",
                            model->name, "vendor", "NVIDIA", "card", model->title, "chip",
                            model->chip, "vram_bytes", (json_int_t)model->vram_bytes, "sm_count",
                            (int)model->sm_count, "runlist_count", (int)model->runlist_count,
                            "channel_count", (int)model->channel_count, "pbdma_count",
                            (int)model->pbdma_count, "records", gpus_can_record(model), "emulated",
                            true, "engines", engines, "figures", figures, "runlists", runlists,
                            "pce_to_lce", pces, "shared_grces", grces)
                : NULL;
    json_decref(figures);
    json_decref(engines);
    json_decref(runlists);
    json_decref(pces);
    json_decref(grces);
    return json;
}

/* One GPU, or with neither all. */
static bool gpus_print_json(const struct nv_chip *model, const struct amd_chip *chip,
                            struct gfe_error *error)
{
    json_t *json = model ? gpus_json(model) : chip ? gpus_amd_json(chip) : json_array();
    bool done = json != NULL;

    if (!model && !chip) {
        for (uint32_t i = 0; i < nv_chip_count; i++)
            done = json_array_append_new(json, gpus_json(nv_chips[i])) == 0 && done;
        for (uint32_t i = 0; i < amd_chip_count; i++)
            done = json_array_append_new(json, gpus_amd_json(amd_chips[i])) == 0 && done;
    }
    done = done && json_text_print(stdout, json);
    if (!done)
        error_set(error, ERROR_SYSTEM, "no memory for the list of GPUs");
    json_decref(json);
    return done;
}

/* Prints JSON that is made for printing, and releases it. */
static bool gpus_print_made(json_t *json, struct gfe_error *error)
{
    const bool done = json && json_text_print(stdout, json);

    json_decref(json);
    return done || error_set(error, ERROR_SYSTEM, "no memory for the description of a GPU");
}

/* The complete file, and beside its figures, as a comment, the costs that are carried over. */
static json_t *gpus_export(const struct gpu *gpu)
{
    json_t *file = gpu_file_describe(gpu), *comment;
    struct nv_chip_cost_figures carried;

    if (!file || !gpu->nvidia)
        return file;
    nv_chip_cost_figures(gpu->nvidia, &carried);
    comment = json_array();
    if (comment && gpus_json_add_figures(comment, carried.rows) &&
        json_object_set(file, "comment_carried_over", comment) == 0) {
        json_decref(comment);
        return file;
    }
    json_decref(comment);
    json_decref(file);
    return NULL;
}

static bool gpus_answer(const struct gpu *gpu, int form, struct gfe_error *error)
{
    if (form == OPTION_SCHEMA)
        return gpus_print_made(gpu_file_schema(), error);
    if (form == OPTION_EXPORT)
        return gpus_print_made(gpus_export(gpu), error);
    if (form == 'j')
        return gpus_print_json(gpu->nvidia, gpu->amd, error);
    if (gpu->nvidia)
        gpus_print(gpu->nvidia);
    else if (gpu->amd)
        gpus_amd_print(gpu->amd);
    else
        gpus_print_table();
    return true;
}

/* The number of the source of that name; GPUS_SOURCES: there is none. */
static uint32_t gpus_source(const char *name)
{
    uint32_t i = 0;

    while (i < GPUS_SOURCES && strcmp(name, gpus_sources[i].name) != 0)
        i++;
    return i;
}

static int gpus_from(struct args *args, uint32_t source)
{
    struct gfe_error error = {0};
    json_t *json = gpus_sources[source].make(args->operands[0], &error);

    if (!json || !gpus_print_made(json, &error) || !output_flush_stdout(&error))
        return args_failed(args, &error);
    return 0;
}

/* Takes the operand, a name or a file. */
static bool gpus_operand(struct args *args, struct cmd_gpu *chosen, struct gpu *gpu)
{
    args->value = args->operands[0];
    if (!cmd_gpu_take(args, chosen))
        return false;
    return gpu_find(chosen->name, chosen->described, gpu) ||
           args_wrong(args, "no GPU is called '%s'; gfe gpus lists them", args->operands[0]) == 0;
}

int cmd_gpus(int argc, char **argv)
{
    struct cmd_gpu chosen CMD_GPU_OWNED = {0};
    struct gpu gpu = {0};
    struct gfe_error error = {0};
    struct args args;
    uint32_t source = 0;
    int id, form = 0;

    args_start(&args, &command, argc, argv);
    while ((id = args_next(&args)) > 0) {
        if (form && form != id)
            return args_wrong(&args, "only one of --json, --export, --from and --schema");
        form = id;
        if (id == OPTION_FROM && (source = gpus_source(args.value)) == GPUS_SOURCES)
            return args_wrong(&args, "--from is cuda or nvdebug, not '%s'", args.value);
    }
    if (id == ARGS_STOP ||
        !args_operands(&args, form == OPTION_EXPORT || form == OPTION_FROM ? 1 : 0,
                       form == OPTION_SCHEMA ? 0 : 1))
        return args.status;
    if (form == OPTION_FROM)
        return gpus_from(&args, source);
    if (args.operand_count > 0 && !gpus_operand(&args, &chosen, &gpu))
        return args.status;
    if (!gpus_answer(&gpu, form, &error) || !output_flush_stdout(&error))
        return args_failed(&args, &error);
    return 0;
}
