/* SPDX-License-Identifier: MIT */
/*
 * Compute launches: SEND_PCAS_A names a QMD in memory, SEND_SIGNALING_PCAS_B with SCHEDULE hands it
 * to the block dispatcher.  Described in open-gpu-doc classes/compute/clc1c0.h and clc1c0qmd.h.
 * Not modelled: QMD groups, dependent QMDs, release semaphores inside a QMD (reported).
 */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/gpu_model.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_qmd.h"
#include "devices/nvidia/nv_tables.h"

/* Reads and checks the descriptor.  False: an error of the guest, logged. */
static bool nv_compute_descriptor(struct nv_fe *fe, const struct nv_method *method,
                                  struct nv_fe_launch *launch)
{
    const uint32_t class_id = nv_fe_class(fe, method->subchannel);
    uint32_t words[NV_QMD_DWORDS], rule;
    struct nv_qmd qmd;
    uint64_t fault, threads;

    launch->descriptor_address = (uint64_t)nv_fe_shadow(fe, method->subchannel, NVC1C0_SEND_PCAS_A)
                                 << 8;
    if (!machine_vm_read(fe->machine, method->space_id, launch->descriptor_address, words,
                         sizeof words, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, false);
        return false;
    }
    if (!nv_qmd_decode(class_id, words, &qmd)) {
        nv_fe_error(fe, method, NV_FE_ERROR_QMD_VERSION);
        return false;
    }
    if (qmd.release[0].enable || qmd.release[1].enable)
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    threads = (uint64_t)qmd.block[0] * qmd.block[1] * qmd.block[2];
    launch->block_count = (uint64_t)qmd.grid[0] * qmd.grid[1] * qmd.grid[2];
    launch->block_threads = threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
    launch->shared_bytes = qmd.shared_bytes;
    launch->registers = qmd.registers;
    if (!exec_need_make(&fe->model->sm, launch->block_threads, launch->registers,
                        launch->shared_bytes, &launch->need, &rule)) {
        nv_fe_error(fe, method, NV_FE_ERROR_QMD_LIMITS);
        return false;
    }
    return true;
}

bool nv_compute_launch(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_launch launch = {.channel_id = method->channel_id,
                                  .gp_sequence = method->gp_sequence};

    if (!REG_GET(method->data, NVC1C0_SEND_SIGNALING_PCAS_B_SCHEDULE))
        return true; /* INVALIDATE alone: there is no descriptor cache here */
    if (state->launch_count == NV_FE_LAUNCHES || state->outstanding_count == NV_FE_OUTSTANDING ||
        fe->dispatch->state->grid_count + state->launch_count >= DISPATCH_GRIDS_MAX)
        return nv_fe_refuse(fe, method, RULE_NV_FE_FULL, rule);
    if (!nv_compute_descriptor(fe, method, &launch))
        return true;
    /* The hardware would run it; here it is a question of patience. */
    if (launch.block_count > machine_parameter(fe->machine, PARAM_LARGEST_GRID_BLOCKS)) {
        machine_fail(fe->machine, ERROR_LIMIT,
                     "channel %u launches a grid of %llu blocks, more than core.largest_grid_blocks "
                     "allows",
                     method->channel_id, (unsigned long long)launch.block_count);
        return true;
    }
    launch.order = ++state->order;
    state->launches[(state->launch_head + state->launch_count) % NV_FE_LAUNCHES] = launch;
    state->launch_count++;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_LAUNCH, RULE_NONE, launch.channel_id,
                launch.descriptor_address, launch.gp_sequence);
    /* It counts from now on; until the dispatcher gives it a number its order stands for it. */
    (void)nv_fe_outstanding_add(fe, UINT64_MAX - launch.order, launch.order);
    machine_schedule(
        fe->machine, fe->unit,
        nv_host_after(fe->host, machine_parameter(fe->machine, PARAM_NV_LAUNCH_CYCLES)),
        NV_FE_LAUNCH, 0);
    return true;
}

static void nv_compute_number(struct nv_fe *fe, uint64_t order, uint64_t grid_id)
{
    for (uint32_t i = 0; i < NV_FE_OUTSTANDING; i++)
        if (fe->state->outstanding[i].operation_id == UINT64_MAX - order)
            fe->state->outstanding[i].operation_id = grid_id;
}

void nv_compute_launch_due(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    const struct nv_fe_launch launch = state->launches[state->launch_head];
    const struct dispatch_launch grid = {
        .channel_id = launch.channel_id,
        .block_count = launch.block_count,
        .need = launch.need,
        .block_threads = launch.block_threads,
        .shared_bytes = launch.shared_bytes,
        .registers = launch.registers,
        .gp_sequence = launch.gp_sequence,
        .descriptor_address = launch.descriptor_address,
    };

    assert(state->launch_count > 0);
    state->launches[state->launch_head] = (struct nv_fe_launch){0};
    state->launch_head = (state->launch_head + 1) % NV_FE_LAUNCHES;
    state->launch_count--;
    nv_compute_number(fe, launch.order, dispatch_launch(fe->dispatch, &grid));
    nv_fe_resume_waiting(fe);
}

void nv_compute_grid_done(void *context, uint64_t grid_id)
{
    nv_fe_outstanding_done(context, grid_id);
}
