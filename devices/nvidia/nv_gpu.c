/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_gpu.h"

#include <stdlib.h>

#include "devices/nvidia/nv_intr.h"
#include "devices/nvidia/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"

/* Copy engines that share a runlist with graphics: the n-th serves the n-th runqueue's PBDMA. */
static void nv_gpu_wire_copy(struct nv_gpu *gpu)
{
    const struct gpu_model *model = gpu->model;
    uint32_t pbdma_id = 0;

    for (uint32_t i = 0; i < model->engine_count; i++) {
        const struct gpu_engine *engine = &model->engines[i];

        if (engine->kind != GPU_ENGINE_GRCE)
            continue;
        while (pbdma_id < model->pbdma_count &&
               !(model->pbdma_runlists[pbdma_id] >> engine->runlist_id & 1))
            pbdma_id++;
        if (pbdma_id == model->pbdma_count)
            break;
        nv_ce_wire(&gpu->ces[gpu->ce_count], &gpu->host, &gpu->fe, engine->engine_id,
                   engine->instance);
        gpu->pbdmas[pbdma_id++].ce = &gpu->ces[gpu->ce_count++];
    }
    nv_ce_wire_shared(gpu->ces, gpu->ce_count);
}

/* Class state of the front end is loaded when its context is; its work is everybody's. */
static void nv_gpu_resume_fe(void *fe, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id)
{
    (void)nv_fe_context_load(fe, channel_id, tsg_id, space_id);
}

static void nv_gpu_suspend_fe(void *context, uint32_t tsg_id)
{
    struct nv_fe *fe = context;

    (void)tsg_id;
    nv_constant_flush_log(fe);
    nv_engine_suspended(nv_engine_by_id(fe->host, NV_TARGET_GR));
}

static const struct nv_engine_ops nv_gpu_fe_ops = {
    .suspend = nv_gpu_suspend_fe,
    .resume = nv_gpu_resume_fe,
};

static void nv_gpu_connect_engines(struct nv_gpu *gpu)
{
    for (uint32_t i = 0; i < gpu->model->engine_count; i++)
        if (gpu->model->engines[i].kind == GPU_ENGINE_GRAPHICS)
            nv_engine_connect(&gpu->engines[i], &nv_gpu_fe_ops, &gpu->fe);
}

void *nv_gpu_wire(struct machine *machine, const struct gpu_model *model, struct gfe_error *error)
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
        nv_runlist_wire(&gpu->runlists[i], &gpu->host, i);
    for (uint32_t i = 0; i < model->pbdma_count; i++)
        nv_pbdma_wire(&gpu->pbdmas[i], &gpu->host, &gpu->fe, i);
    nv_engine_wire(&gpu->host);
    nv_runlist_regs_wire(&gpu->host);
    nv_fe_wire(&gpu->fe, &gpu->host, &gpu->dispatch);
    nv_gpu_wire_copy(gpu);
    nv_gpu_connect_engines(gpu);
    dispatch_wire(&gpu->dispatch, machine, &model->sm, model->sm_count, model->sm_hz);
    nv_mmu_wire(&gpu->mmu, &gpu->host);
    nv_fault_wire(&gpu->faults, &gpu->host, &gpu->mmu);
    nv_intr_wire(&gpu->host);
    return gpu;
}

void nv_gpu_unwire(void *gpu)
{
    free(gpu);
}
