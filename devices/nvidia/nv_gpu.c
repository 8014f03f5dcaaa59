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

void *nv_gpu_wire(struct machine *machine, const struct gpu_model *model, struct gfe_error *error)
{
    struct nv_gpu *gpu = calloc(1, sizeof *gpu);

    if (!gpu) {
        error_set(error, ERROR_SYSTEM, "no memory for the GPU's units");
        return NULL;
    }
    gpu->machine = machine;
    gpu->model = model;
    gpu->host.runlists = gpu->runlists;
    gpu->host.pbdmas = gpu->pbdmas;
    gpu->host.engines = gpu->engines;
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
    dispatch_wire(&gpu->dispatch, machine, &model->sm, model->sm_count, model->sm_hz);
    nv_intr_wire(&gpu->host);
    return gpu;
}

void nv_gpu_unwire(void *gpu)
{
    free(gpu);
}
