/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_gpu.h"

#include <stdlib.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip_cost.h"
#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/nv_runlist_block.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"

/* Returns the n-th copy engine of that kind on a runlist, or NULL if there are fewer. */
static struct nv_ce *nv_gpu_find_ce(struct nv_gpu *gpu, uint32_t runlist_id,
                                    enum nv_chip_engine_kind kind, uint32_t n)
{
    const struct nv_chip *model = gpu->model;
    uint32_t ce = 0;

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];

        if (engine->kind != NV_CHIP_GRCE && engine->kind != NV_CHIP_LCE)
            continue;
        if (engine->runlist_id == runlist_id && engine->kind == kind && n-- == 0)
            return &gpu->ces[ce];
        ce++;
    }
    return NULL;
}

/* Where the copies of each runlist go that a PBDMA serves (tu104/dev_ram.ref.txt): on a graphics
 * runlist to the copy engine of the runqueue, the n-th GRCE on the runlist's n-th PBDMA; on another
 * to the LCE that the runlist is for. */
static void nv_gpu_route_copies(struct nv_gpu *gpu, uint32_t runlist_id)
{
    uint32_t runqueue = 0;

    for (uint32_t i = 0; i < gpu->model->pbdma_count; i++) {
        struct nv_ce *ce;

        if (!(gpu->model->pbdma_runlists[i] >> runlist_id & 1))
            continue;
        ce = nv_gpu_find_ce(gpu, runlist_id, NV_CHIP_GRCE, runqueue++);
        nv_pbdma_route(&gpu->pbdmas[i], runlist_id,
                       ce ? ce : nv_gpu_find_ce(gpu, runlist_id, NV_CHIP_LCE, 0));
    }
}

/* The copy engine of row `row` of the model. */
static void nv_gpu_wire_ce(struct nv_gpu *gpu, uint32_t number, uint32_t row)
{
    const struct nv_ce_common common = {&gpu->host, &gpu->fe, &gpu->hce, &gpu->pce};
    const struct nv_chip_engine *engine = &gpu->model->engines[row];

    nv_ce_wire(gpu->ces, number, &common, engine->engine_id, engine->instance);
    nv_ce_connect(&gpu->ces[number], &gpu->engines[row]);
}

static void nv_gpu_wire_copy(struct nv_gpu *gpu)
{
    const struct nv_chip *model = gpu->model;

    for (uint32_t i = 0; i < model->engine_count; i++)
        gpu->ce_count +=
            model->engines[i].kind == NV_CHIP_GRCE || model->engines[i].kind == NV_CHIP_LCE;
    nv_pce_wire(&gpu->pce, &gpu->host, gpu->ces, gpu->ce_count);
    for (uint32_t i = 0, number = 0; i < model->engine_count; i++) {
        const struct nv_chip_engine *engine = &model->engines[i];

        if (engine->kind == NV_CHIP_GRCE || engine->kind == NV_CHIP_LCE)
            nv_gpu_wire_ce(gpu, number++, i);
    }
    for (uint32_t i = 0; i < model->runlist_count; i++)
        nv_gpu_route_copies(gpu, i);
}

static const struct nv_engine_ops nv_gpu_fe_ops = {
    .suspend = nv_fe_suspend,
    .resume = nv_fe_resume,
    .busy = nv_fe_busy,
    .runs = nv_fe_runs,
    .has_work = nv_fe_has_work,
    .state_bytes = nv_fe_state_bytes,
    .own_move_ps = nv_fe_own_move_ps,
    .reset = nv_fe_reset,
};

static void nv_gpu_fe_suspended(void *engine)
{
    nv_engine_suspended(engine);
}

static void nv_gpu_fe_work_changed(void *engine, uint32_t tsg_id)
{
    nv_engine_work_changed(engine, tsg_id);
}

static void nv_gpu_connect_engines(struct nv_gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->model->engine_count; i++) {
        if (gpu->model->engines[i].kind != NV_CHIP_GRAPHICS || gpu->model->engines[i].instance != 0)
            continue;
        nv_engine_connect(&gpu->engines[i], &nv_gpu_fe_ops, &gpu->fe);
        gpu->fe.client = (struct nv_fe_client){.suspended = nv_gpu_fe_suspended,
                                               .work_changed = nv_gpu_fe_work_changed,
                                               .client = &gpu->engines[i]};
    }
}

/* A runlist with a runqueue for each of its PBDMAs. */
static void nv_gpu_wire_runlist(struct nv_gpu *gpu, uint32_t runlist_id)
{
    const uint32_t count = nv_runlist_queue_count(gpu->model, runlist_id);

    nv_runlist_wire(&gpu->runlists[runlist_id], &gpu->host, runlist_id);
    for (uint32_t i = 1; i < count; i++)
        nv_runlist_wire_queue(&gpu->runqueues[gpu->runqueue_count++], &gpu->runlists[runlist_id]);
}

/* A chip whose virtual GPCs are known gives out blocks by them, unless told otherwise. */
static void nv_gpu_wire_dispatch(struct nv_gpu *gpu, const struct nv_chip *model)
{
    struct machine *machine = gpu->host.machine;

    dispatch_wire(&gpu->dispatch, machine, &model->sm, model->sm_count, model->sm_hz);
    if (model->holds_split)
        machine->choices[CHOICE_NV_SM_SPLIT] = NV_SM_SPLIT_HELD;
    if (model->passes_masked)
        machine->choices[CHOICE_MASKED_GRIDS] = CORE_MASKED_PASSED;
    if (model->vgpc_count == 0)
        return;
    dispatch_groups_make(&gpu->dispatch.groups, model->vgpc_tpcs, model->vgpc_count,
                         model->singleton_tpcs, model->sm_count / model->tpc_count);
    machine->choices[CHOICE_BLOCK_TO_SM] = CORE_BLOCK_TO_SM_TURNS;
}

/* What its work costs on this chip. */
static void nv_gpu_wire_costs(struct machine *machine, const struct nv_chip *model)
{
    const struct nv_chip_costs costs = nv_chip_costs(model);
    const struct nv_chip_switch *cost = &costs.context_switch;

    if (model->launch_cycles != 0)
        machine->parameters[PARAM_NV_LAUNCH_CYCLES] = model->launch_cycles;
    if (model->copy_setup_cycles != 0)
        machine->parameters[PARAM_COPY_SETUP_CYCLES] = model->copy_setup_cycles;
    machine->parameters[PARAM_NV_CONTEXT_LOAD_CYCLES] = cost->load_cycles;
    machine->parameters[PARAM_NV_GR_SAVE_CYCLES] = cost->save_cycles;
    machine->parameters[PARAM_NV_GR_SAVE_KIB_PS] = cost->save_ps_per_kib;
    machine->parameters[PARAM_NV_GR_LOAD_KIB_PS] = cost->load_ps_per_kib;
    machine->parameters[PARAM_NV_GR_WARPS_KIB_PS] = cost->warps_ps_per_kib;
    machine->parameters[PARAM_NV_GR_WARP_ALONE_KIB_PS] = cost->warp_alone_ps_per_kib;
    machine->parameters[PARAM_NV_GR_STOP_PS] = cost->stop_ps;
    machine->parameters[PARAM_NV_CE_SAVE_KIB_PS] = costs.copy_ps_per_kib;
    machine->parameters[PARAM_NV_CE_LOAD_KIB_PS] = costs.copy_ps_per_kib;
    machine->parameters[PARAM_NV_DRAW_PS] = costs.draw_ps;
}

void *nv_gpu_wire(struct machine *machine, const struct nv_chip *model, struct gfe_error *error)
{
    struct nv_gpu *gpu;

    gpu = calloc(1, sizeof *gpu);
    if (!gpu) {
        error_set(error, ERROR_SYSTEM, "no memory for the GPU's units");
        return NULL;
    }
    gpu->machine = machine;
    gpu->model = model;
    gpu->host.runlists = gpu->runlists;
    gpu->host.pbdmas = gpu->pbdmas;
    gpu->host.engines = gpu->engines;
    gpu->host.mmu = &gpu->mmu;
    gpu->host.faults = &gpu->faults;
    machine_add_tables(machine, &nv_tables);
    /* The order of wiring is the rank at equal times: along the way of the work. */
    nv_host_wire(&gpu->host, machine, model);
    for (uint32_t i = 0; i < model->runlist_count; i++)
        nv_gpu_wire_runlist(gpu, i);
    for (uint32_t i = 0; i < model->pbdma_count; i++)
        nv_pbdma_wire(&gpu->pbdmas[i], &gpu->host, &gpu->fe, i);
    nv_engine_wire(&gpu->host);
    nv_runlist_block_wire(&gpu->host);
    nv_fe_wire(&gpu->fe, &gpu->host, &gpu->dispatch);
    nv_gpu_wire_copy(gpu);
    nv_gpu_connect_engines(gpu);
    nv_gpu_wire_dispatch(gpu, model);
    nv_gpu_wire_costs(machine, model);
    nv_mmu_wire(&gpu->mmu, &gpu->host);
    nv_fault_wire(&gpu->faults, &gpu->host, &gpu->mmu);
    nv_intr_wire(&gpu->host);
    return gpu;
}

void nv_gpu_unwire(void *gpu)
{
    free(gpu);
}

struct cost_table *nv_gpu_costs(void *gpu)
{
    struct nv_gpu *of = gpu;

    return &of->dispatch.costs;
}
