/* SPDX-License-Identifier: MIT */
/*
 * Compute launches: SEND_PCAS_A names a QMD in memory, SEND_SIGNALING_PCAS_B with SCHEDULE hands it
 * to the block dispatcher, or from Ampere on SEND_SIGNALING_PCAS2_B with an action that schedules.
 * Described in open-gpu-doc classes/compute/clc1c0.h, clc6c0.h and clc1c0qmd.h.
 * RELEASE0 and RELEASE1 of a QMD are written when its last block is done, and only then does the
 * grid count as complete (ASSUMED: a wait for idle waits for them).  What its blocks cost is looked
 * up by the address of its program (devices/core/cost.h).
 *
 * From Pascal on the descriptor may come with the methods: LOAD_INLINE_QMD_DATA writes its words
 * to SET_INLINE_QMD_ADDRESS.  The last word launches the grid, without SEND_PCAS: INFERRED from
 * tinygrad's NV backend (ops_nv.py of 2024), which launched so on GA10x and AD10x.
 *
 * A grid of type GRID_NULL has no blocks (INFERRED from the name, and from the descriptors that
 * CUDA's driver puts before each kernel, tests/hardware).  Fields of the descriptor that the model
 * ignores are logged with each launch (nv_effect_list.h): dependent QMDs, queues and so on.  A grid
 * of type GRID_GPC_CGA has clusters of GPC_CGA_WIDTH, _HEIGHT and _DEPTH blocks, of which it has a
 * whole number (ASSUMED: another one, or a cluster of more than 16, is an error).
 */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/formats/nv_qmd.h"
#include "devices/nvidia/nv_release.h"
#include "devices/nvidia/nv_tables.h"

/* What the descriptor wants released at the end of its grid. */
static struct nv_fe_grid_end nv_compute_end(struct nv_fe *fe, const struct nv_method *method,
                                            const struct nv_qmd *qmd)
{
    struct nv_fe_grid_end end = {.channel_id = method->channel_id,
                                 .space_id = method->space_id,
                                 .class_id = nv_fe_class(fe, method->subchannel),
                                 .membar = qmd->release_sysmembar,
                                 .gp_sequence = method->gp_sequence};

    for (uint32_t i = 0; i < 2; i++) {
        const struct nv_qmd_release *release = &qmd->release[i];

        if (!release->enable)
            continue;
        end.release[i] = (struct nv_fe_grid_release){
            .address = release->address,
            .payload = release->payload,
            .enable = 1,
            .four_words = !release->one_word,
            .reduces = release->reduction_enable,
            .is_signed = release->reduction_format == 1,
            .reduction = nv_semaphore_graphics_reduction(release->reduction_op),
        };
    }
    return end;
}

/* Returns the address of the program's first instruction.  From Volta on the descriptor has it;
 * earlier descriptors have an offset from SET_PROGRAM_REGION. */
static uint64_t nv_compute_program(struct nv_fe *fe, const struct nv_method *method,
                                   const struct nv_qmd *qmd)
{
    const uint32_t subchannel = method->subchannel;

    if (nv_fe_class(fe, subchannel) >= VOLTA_COMPUTE_A)
        return qmd->program_offset;
    return ((uint64_t)nv_fe_shadow(fe, subchannel, NVC0C0_SET_PROGRAM_REGION_A) << 32 |
            nv_fe_shadow(fe, subchannel, NVA0C0_SET_PROGRAM_REGION_B)) +
           qmd->program_offset;
}

static void nv_compute_cost(struct nv_fe *fe, const struct nv_method *method,
                            const struct nv_qmd *qmd, struct nv_fe_launch *launch)
{
    launch->cost =
        cost_find(&fe->dispatch->costs, method->space_id, nv_compute_program(fe, method, qmd));
    if (launch->cost.counts_starts && qmd->constant_buffers[0].valid)
        launch->end.starts_address = qmd->constant_buffers[0].address;
}

/* ---- the split of L1 and shared memory ------------------------------------------------------- */

static bool nv_compute_splits(const struct nv_fe *fe)
{
    return fe->machine->choices[CHOICE_NV_SM_SPLIT] == NV_SM_SPLIT_HELD &&
           fe->model->sm.split_count > 0;
}

/* Units of 4 KiB, plus one. */
static uint32_t nv_compute_split_kib(uint32_t field, uint32_t unset_kib)
{
    return field != 0 ? 4 * (field - 1) : unset_kib;
}

/* The descriptor says which splits the grid needs and chooses.  Where it says nothing, the grid
 * chooses the least one that it needs (ASSUMED). */
static void nv_compute_split(const struct nv_fe *fe, const struct nv_qmd *qmd,
                             struct exec_need *need)
{
    const struct exec_limits *limits = &fe->model->sm;
    uint32_t least_kib;

    if (!nv_compute_splits(fe))
        return;
    least_kib = nv_compute_split_kib(qmd->least_split, exec_least_split_kib(limits, need));
    exec_need_split(limits, need, least_kib, nv_compute_split_kib(qmd->chosen_split, least_kib));
}

/* ---- what a descriptor asks for that is not modelled ----------------------------------------- */

static const struct nv_qmd_watch *nv_compute_watch(struct nv_fe *fe,
                                                   const struct nv_qmd_layout *layout)
{
    struct nv_qmd_watch *watch = fe->qmd_watches;

    while (watch->layout != NULL && watch->layout != layout &&
           watch < &fe->qmd_watches[NV_QMD_LAYOUTS_MAX - 1])
        watch++;
    if (watch->layout != layout)
        nv_qmd_watch_fill(watch, layout, nv_compute_splits(fe));
    return watch;
}

static void nv_compute_account(struct nv_fe *fe, uint32_t class_id, const uint32_t *words,
                               const struct nv_qmd_watch *watch)
{
    for (uint32_t i = 0; i < watch->count; i++)
        for (unsigned index = 0; index < watch->fields[i]->count; index++) {
            const uint32_t value = nv_qmd_get(words, watch->fields[i], index);

            if ((value > 31 || !(watch->harmless[i] >> value & 1)) &&
                nv_qmd_lost(watch->fields[i], index, value) != NULL)
                MACHINE_LOG(fe->machine, fe->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_QMD,
                            nv_qmd_name(class_id, watch->layout, watch->fields[i], index), value);
        }
}

static bool nv_compute_is_null(const uint32_t *words, const struct nv_qmd_watch *watch)
{
    return watch->type != NULL && nv_qmd_get(words, watch->type, 0) == NV_QMD_TYPE_GRID_NULL;
}

/* ---- launches -------------------------------------------------------------------------------- */

/* Reads and checks the descriptor.  Returns false after an error of the guest, which is logged. */
static bool nv_compute_descriptor(struct nv_fe *fe, const struct nv_method *method,
                                  struct nv_fe_launch *launch)
{
    const uint32_t class_id = nv_fe_class(fe, method->subchannel);
    uint32_t words[NV_QMD_MAX_DWORDS] = {0}, rule;
    const struct nv_qmd_layout *layout;
    const struct nv_qmd_watch *watch;
    struct nv_qmd qmd;
    uint64_t fault, threads;

    if (!machine_vm_read(fe->machine, method->space_id, launch->descriptor_address, words,
                         NV_QMD_BYTES, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, false);
        return false;
    }
    (void)machine_inject(fe->machine, fe->unit, NV_INJECT_QMD, method->channel_id, words,
                         NV_QMD_BYTES);
    layout = nv_qmd_layout_of(class_id, words);
    if (layout && layout->dwords > NV_QMD_DWORDS &&
        !machine_vm_read(fe->machine, method->space_id, launch->descriptor_address + NV_QMD_BYTES,
                         &words[NV_QMD_DWORDS], NV_QMD_MAX_BYTES - NV_QMD_BYTES, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, false);
        return false;
    }
    if (!nv_qmd_decode(class_id, words, &qmd)) {
        nv_fe_error(fe, method, NV_FE_ERROR_QMD_VERSION);
        return false;
    }
    launch->end = nv_compute_end(fe, method, &qmd);
    threads = (uint64_t)qmd.block[0] * qmd.block[1] * qmd.block[2];
    watch = nv_compute_watch(fe, qmd.layout);
    launch->block_count = (uint64_t)qmd.grid[0] * qmd.grid[1] * qmd.grid[2];
    if (nv_compute_is_null(words, watch))
        launch->block_count = 0;
    launch->block_threads = threads > UINT32_MAX ? UINT32_MAX : (uint32_t)threads;
    launch->shared_bytes = qmd.shared_bytes;
    launch->registers = qmd.registers;
    launch->disabled_mask = qmd.tpc_disable_mask;
    launch->cluster = qmd.cluster[0] * qmd.cluster[1] * qmd.cluster[2];
    if (launch->cluster > DISPATCH_CLUSTER_MAX ||
        (launch->cluster > 0 && launch->block_count % launch->cluster != 0)) {
        nv_fe_error(fe, method, NV_FE_ERROR_QMD_LIMITS);
        return false;
    }
    launch->level = class_id == HOPPER_COMPUTE_A ? nv_qmd_level_of(qmd.group_id) : NV_QMD_NO_LEVEL;
    nv_compute_cost(fe, method, &qmd, launch);
    if (!exec_need_make(&fe->model->sm, launch->block_threads, launch->registers,
                        launch->shared_bytes, machine_parameter(fe->machine, PARAM_NV_HALF_SM) != 0,
                        &launch->need, &rule)) {
        nv_fe_error(fe, method, NV_FE_ERROR_QMD_LIMITS);
        return false;
    }
    nv_compute_split(fe, &qmd, &launch->need);
    nv_compute_account(fe, class_id, words, watch);
    return true;
}

static bool nv_compute_launch_at(struct nv_fe *fe, const struct nv_method *method,
                                 uint64_t descriptor_address, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_launch launch = {.channel_id = method->channel_id,
                                  .gp_sequence = method->gp_sequence,
                                  .descriptor_address = descriptor_address};

    if (state->launch_count == NV_FE_LAUNCHES || !nv_fe_outstanding_room(fe) ||
        !dispatch_has_room(fe->dispatch, state->current - 1, state->launch_count + 1))
        return nv_fe_refuse(fe, method, RULE_NV_FE_FULL, rule);
    if (!nv_compute_descriptor(fe, method, &launch))
        return true;
    /* The hardware would run it; here it is a question of patience. */
    if (launch.block_count > machine_parameter(fe->machine, PARAM_LARGEST_GRID_BLOCKS)) {
        machine_fail(
            fe->machine, ERROR_LIMIT,
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
    nv_fe_outstanding_add(fe, UINT64_MAX - launch.order, launch.order);
    nv_fe_current(fe)->in_flight++;
    machine_schedule(
        fe->machine, fe->unit,
        nv_host_after(fe->host, machine_parameter(fe->machine, PARAM_NV_LAUNCH_CYCLES)),
        NV_FE_LAUNCH, nv_fe_tag(fe, nv_fe_current(fe), 0));
    return true;
}

bool nv_compute_launch(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    /* There is no cache of descriptors that another action could invalidate or fill ahead. */
    return !nv_qmd_is_scheduled(nv_fe_class(fe, method->subchannel), method->method,
                                method->data) ||
           nv_compute_launch_at(
               fe, method, (uint64_t)nv_fe_shadow(fe, method->subchannel, NVA0C0_SEND_PCAS_A) << 8,
               rule);
}

/* ---- descriptors that come with the methods -------------------------------------------------- */

bool nv_compute_is_inline(uint32_t class_id, uint32_t method)
{
    return (class_id & 0xff) == 0xc0 && class_id >= PASCAL_COMPUTE_A &&
           method >= NVC0C0_LOAD_INLINE_QMD_DATA &&
           method < NVC0C0_LOAD_INLINE_QMD_DATA + 4 * NV_QMD_MAX_DWORDS;
}

/* Hopper has descriptors of 384 bytes, too. */
static uint32_t nv_compute_inline_dwords(const struct nv_fe *fe, const struct nv_method *method,
                                         uint64_t *address)
{
    const uint32_t upper = nv_fe_shadow(fe, method->subchannel, NVC0C0_SET_INLINE_QMD_ADDRESS_A);
    const bool hopper = nv_fe_class(fe, method->subchannel) >= HOPPER_COMPUTE_A;

    *address = ((uint64_t)(hopper ? upper & 0x1ff : upper) << 32 |
                nv_fe_shadow(fe, method->subchannel, NVC0C0_SET_INLINE_QMD_ADDRESS_B))
               << 8;
    return hopper && upper >> 30 & 1 ? NV_QMD_MAX_DWORDS : NV_QMD_DWORDS;
}

bool nv_compute_inline(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    uint64_t address, fault;
    const uint32_t dwords = nv_compute_inline_dwords(fe, method, &address);
    const uint32_t offset = method->method - NVC0C0_LOAD_INLINE_QMD_DATA;

    if (!machine_vm_write(fe->machine, method->space_id, address + offset, &method->data, 4,
                          &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, true);
        return true;
    }
    if (offset / 4 + 1 != dwords)
        return true;
    if (!nv_compute_launch_at(fe, method, address, rule))
        return false; /* the word is written again when it is tried again */
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_INLINE_WRITE, RULE_NONE, method->channel_id,
                address, 4 * dwords, nv_fe_class(fe, method->subchannel), method->gp_sequence);
    return true;
}

/* From now on the grid has the number that the dispatcher gave it. */
static void nv_compute_number(struct nv_fe *fe, const struct nv_fe_launch *launch, uint64_t grid_id)
{
    struct nv_fe_outstanding *outstanding =
        nv_fe_outstanding_find(fe, nv_fe_current(fe), UINT64_MAX - launch->order);

    outstanding->operation_id = grid_id;
    outstanding->end = launch->end;
}

void nv_compute_launch_due(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    const struct nv_fe_launch launch = state->launches[state->launch_head];
    const struct dispatch_launch grid = {
        .context = state->current - 1,
        .channel_id = launch.channel_id,
        .block_count = launch.block_count,
        .need = launch.need,
        .block_threads = launch.block_threads,
        .shared_bytes = launch.shared_bytes,
        .registers = launch.registers,
        .gp_sequence = launch.gp_sequence,
        .descriptor_address = launch.descriptor_address,
        .cost = launch.cost,
        .disabled_mask = launch.disabled_mask,
        .cluster = launch.cluster,
        .sms_per_bit = fe->model->sm_count / fe->model->tpc_count,
        .priority = launch.level != NV_QMD_NO_LEVEL
                        ? launch.level
                        : cost_priority(&fe->dispatch->costs, launch.channel_id),
        .client_id = launch.end.space_id,
        .sm_limit = cost_share(&fe->dispatch->costs, launch.end.space_id),
    };

    assert(state->launch_count > 0);
    state->launches[state->launch_head] = (struct nv_fe_launch){0};
    state->launch_head = (state->launch_head + 1) % NV_FE_LAUNCHES;
    state->launch_count--;
    nv_compute_number(fe, &launch, dispatch_launch(fe->dispatch, &grid));
    nv_fe_resume_waiting(fe);
    nv_fe_current(fe)->in_flight--;
    nv_fe_context_changed(fe, nv_fe_current(fe));
}

/* ---- blocks that start ------------------------------------------------------------------------
 */

void nv_compute_started(void *unit, uint32_t context_index, uint64_t grid_id, uint64_t block_count)
{
    struct nv_fe *fe = unit;
    const struct nv_fe_outstanding *outstanding =
        nv_fe_outstanding_find(fe, &fe->state->contexts[context_index], grid_id);
    const uint32_t count = (uint32_t)block_count;
    uint64_t fault;

    if (outstanding->end.starts_address != 0 &&
        !machine_vm_write(fe->machine, outstanding->end.space_id, outstanding->end.starts_address,
                          &count, sizeof count, &fault))
        nv_fe_fault(fe, outstanding->end.channel_id, fault, true);
}

/* ---- the end of a grid ----------------------------------------------------------------------- */

void nv_compute_grid_done(void *unit, uint32_t context_index, uint64_t grid_id)
{
    struct nv_fe *fe = unit;
    struct nv_fe_context *context = &fe->state->contexts[context_index];
    const struct nv_fe_outstanding *outstanding = nv_fe_outstanding_find(fe, context, grid_id);
    const struct nv_fe_grid_end *end = &outstanding->end;
    uint64_t cycles = machine_parameter(fe->machine, PARAM_NV_MEMORY_CYCLES);

    if (!end->release[0].enable && !end->release[1].enable) {
        nv_fe_outstanding_done(fe, context, grid_id);
        return;
    }
    context->in_flight++;
    if (end->membar)
        cycles += machine_parameter(fe->machine, PARAM_NV_SYSMEMBAR_CYCLES);
    machine_schedule(fe->machine, fe->unit, nv_host_after(fe->host, cycles), NV_FE_GRID_RELEASE,
                     nv_fe_tag(fe, context, (uint32_t)(outstanding - fe->state->outstanding)));
}

void nv_compute_release_due(struct nv_fe *fe, uint64_t index)
{
    const struct nv_fe_outstanding outstanding = fe->state->outstanding[index];
    const struct nv_fe_grid_end *end = &outstanding.end;

    for (uint32_t i = 0; i < 2; i++) {
        const struct nv_release release = {
            .address = end->release[i].address,
            .payload = end->release[i].payload,
            .gp_sequence = end->gp_sequence,
            .channel_id = end->channel_id,
            .space_id = end->space_id,
            .class_id = end->class_id,
            .rule = RULE_NV_REPORT,
            .has_time = end->release[i].four_words,
            .reduces = end->release[i].reduces,
            .is_signed = end->release[i].is_signed,
            .reduction = (enum nv_reduction)end->release[i].reduction,
        };
        uint64_t fault;

        if (end->release[i].enable && !nv_release_write(fe->machine, fe->unit, &release, &fault)) {
            nv_fe_fault(fe, end->channel_id, fault, true);
            break;
        }
    }
    fe->state->contexts[outstanding.context].in_flight--;
    nv_fe_outstanding_done(fe, &fe->state->contexts[outstanding.context], outstanding.operation_id);
}
