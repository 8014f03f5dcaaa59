/* SPDX-License-Identifier: MIT */
/*
 * What a CUDA context makes of the resource manager: recorded with CUDA 12.5 and driver 555.42 on a
 * TITAN RTX (ioctl traces of pulak999/ioctl-cuda-mapping @35700adb): four TSGs; the first has eight
 * channels with compute and copy objects, the others four channels each with copy objects alone;
 * GPFIFO_SCHEDULE on each TSG, then SET_TIMESLICE on the first.
 *
 * A CUDA 13.0 context on an H100 has the same TSGs, for copy engines 2, 3 and 4 on runlists 1, 3
 * and 10 (tests/hardware/data, h100).  ASSUMED: that it is the same on other generations; which
 * copy engines the three TSGs are for there: the first three that have runlists of their own, where
 * there are fewer in turn; where there is none
 * (TX2) all channels are in the first TSG; rings of 1,024 entries.
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/formats/nv_top.h"
#include "firmware-models/rm/rm.h"
#include "firmware-models/rm/rm_tables.h"

/* ASSUMED: addresses and sizes. */
#define RM_CONTEXT_VA UINT64_C(0x200000000)

enum {
    RM_CONTEXT_RING_BYTES = 8 * RM_CONTEXT_RING_ENTRIES,
    RM_CONTEXT_IMAGE_BYTES = 1 << 20,
};

static bool rm_context_refuse(struct rm *rm, const char *what)
{
    machine_fail(rm->machine, ERROR_LIMIT, "a CUDA context: %s", what);
    return false;
}

/* One piece of video memory, mapped as a whole: rings, a page for rm_context_init.c, the graphics
 * engine's image, the heap. */
static bool rm_context_memory(struct rm *rm, struct rm_cuda_context *context, uint64_t *root)
{
    const uint64_t init = (uint64_t)context->channel_count * RM_CONTEXT_RING_BYTES;
    const uint64_t bytes = init + MEMORY_PAGE_BYTES + RM_CONTEXT_IMAGE_BYTES + context->heap_bytes;
    struct address_space_range range = {.va = RM_CONTEXT_VA, .aperture = MEMORY_VRAM};

    *root = rm_take(rm, MEMORY_PAGE_BYTES);
    range.size_bytes = bytes;
    range.physical = rm_take(rm, bytes);
    if (*root == EXTENT_NONE || range.physical == EXTENT_NONE)
        return false;
    range.space_id = address_space_new(&rm->machine->spaces, MEMORY_VRAM, *root);
    context->space_id = range.space_id;
    context->heap_physical = range.physical + bytes - context->heap_bytes;
    context->heap_va = range.va + bytes - context->heap_bytes;
    context->init_physical = range.physical + init;
    context->init_va = range.va + init;
    for (uint32_t i = 0; i < context->channel_count; i++)
        context->channels[i] = (struct rm_context_channel){
            .channel = RM_NONE,
            .is_compute = i < context->compute_count,
            .ring_physical = range.physical + (uint64_t)i * RM_CONTEXT_RING_BYTES,
            .ring_va = range.va + (uint64_t)i * RM_CONTEXT_RING_BYTES,
        };
    return range.space_id != ADDRESS_SPACE_NONE &&
           address_space_map(&rm->machine->spaces, &range) == ADDRESS_SPACE_OK;
}

/* Returns the runlist of the context's n-th TSG, or RM_NONE if it has none of its own. */
static uint32_t rm_context_runlist(const struct rm *rm, uint32_t n)
{
    uint32_t lces = 0;

    if (n == 0)
        return rm_top_runlist(rm, NV_TOP_GRAPHICS, 0);
    while (rm_top_runlist(rm, NV_TOP_LCE, lces) != RM_NONE)
        lces++;
    return lces == 0 ? RM_NONE : rm_top_runlist(rm, NV_TOP_LCE, (n - 1) % lces);
}

/* The n-th TSG: the server's, or a new one. */
static uint32_t rm_context_group(struct rm *rm, const struct rm_cuda_context *context, uint32_t n,
                                 const struct rm_cuda_context *server)
{
    const uint32_t runlist_id = rm_context_runlist(rm, n);

    if (server)
        return server->tsgs[n];
    return n > 0 && runlist_id == RM_NONE ? context->tsgs[0] : rm_tsg_new(rm, runlist_id);
}

/* Returns the number of runqueues among which the channels of its n-th TSG take turns. */
static uint32_t rm_context_runqueues(struct rm *rm, const struct rm_cuda_context *context,
                                     uint32_t n)
{
    const uint32_t wanted = (uint32_t)machine_parameter(rm->machine, PARAM_RM_RUNQUEUES);
    const uint32_t there =
        n == 0 ? rm_runqueue_count(rm, rm->state->tsgs[context->tsgs[n]].runlist_id) : 1;
    const uint32_t count = wanted < there ? wanted : there;

    return count > 0 ? count : 1;
}

/* Its channels in its n-th TSG. */
static bool rm_context_tsg(struct rm *rm, struct rm_cuda_context *context, uint32_t n,
                           uint64_t root)
{
    const uint32_t runqueues =
        context->tsgs[n] == RM_NONE ? 1 : rm_context_runqueues(rm, context, n);
    const uint32_t first = n == 0 ? 0 : context->compute_count + (n - 1) * context->copy_count;
    const uint32_t count = n == 0 ? context->compute_count : context->copy_count;

    if (context->tsgs[n] == RM_NONE)
        return false;
    for (uint32_t i = first; i < first + count; i++) {
        const struct rm_channel_options options = {
            .page_directory = root,
            .gpfifo = context->channels[i].ring_va,
            .gpfifo_entries = RM_CONTEXT_RING_ENTRIES,
            /* B.S1: who copies alone never needs the graphics engine. */
            .context = n == 0 ? context->heap_va - RM_CONTEXT_IMAGE_BYTES : 0,
            .runqueue = (i - first) % runqueues,
        };

        context->channels[i].channel = rm_channel_new(rm, context->tsgs[n], &options);
        if (context->channels[i].channel == RM_NONE)
            return false;
    }
    return true;
}

/* Returns the rule by which the context's n-th TSG has its runlist: each engine is bound to one
 * (B.R7); where no copy engine has one of its own, copies are in compute's TSG (B.R6); where there
 * are fewer runlists than TSGs, one in front of it has the same (B.R5). */
static uint32_t rm_context_rule(const struct rm *rm, const struct rm_cuda_context *context,
                                uint32_t n)
{
    const uint32_t runlist_id = rm->state->tsgs[context->tsgs[n]].runlist_id;

    if (n > 0 && context->tsgs[n] == context->tsgs[0])
        return RULE_B_R6;
    for (uint32_t i = 0; i < n; i++)
        if (rm->state->tsgs[context->tsgs[i]].runlist_id == runlist_id)
            return RULE_B_R5;
    return RULE_B_R7;
}

/* Gives PCEs to the LCEs by which contexts copy and which have none after a reset. */
static void rm_context_map_pces(struct rm *rm)
{
    for (uint32_t i = 0; i < rm->chip->pce_count; i++)
        machine_write32(
            rm->machine, NV_CE_BASE + NV_CE_GA100_PCE2LCE_CONFIG + 4 * rm->chip->pces[i].pce,
            REG_PUT(0, NV_CE_GA100_PCE2LCE_CONFIG_PCE_ASSIGNED_LCE, rm->chip->pces[i].lce));
}

/* What the GPU has, told once, and where the context's TSGs went. */
static void rm_context_tell(struct rm *rm, const struct rm_cuda_context *context)
{
    for (uint32_t i = 0; i < rm->state->engine_count && !rm->state->engines_told; i++) {
        const struct rm_engine *engine = &rm->state->engines[i];

        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_ENGINE, RULE_NONE, engine->type,
                    engine->instance, engine->runlist_id);
    }
    rm->state->engines_told = 1;
    for (uint32_t i = 0; i < RM_CONTEXT_TSGS; i++) {
        const struct rm_tsg *tsg = &rm->state->tsgs[context->tsgs[i]];

        MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_TSG, rm_context_rule(rm, context, i),
                    tsg->runlist_id, tsg->tsg_id, i);
    }
}

/* The TSGs go on their runlists; or, as they are there already, with their new channels. */
static bool rm_context_schedule(struct rm *rm, const struct rm_cuda_context *context, bool joins)
{
    for (uint32_t i = 0; i < RM_CONTEXT_TSGS; i++) {
        const struct rm_tsg *tsg = &rm->state->tsgs[context->tsgs[i]];

        if (joins ? !rm_runlist_update(rm, tsg->runlist_id)
                  : !tsg->scheduled && !rm_tsg_schedule(rm, context->tsgs[i], true))
            return false;
    }
    for (uint32_t i = 0; i < context->channel_count && joins; i++) {
        const struct rm_channel *channel = &rm->state->channels[context->channels[i].channel];

        rm_channel_enable(rm, rm->state->tsgs[channel->tsg].runlist_id, channel->chid, true);
    }
    return true;
}

static void rm_context_timeslice(struct rm *rm, const struct rm_cuda_context *context)
{
    const struct rm_tsg *tsg = &rm->state->tsgs[context->tsgs[0]];

    rm_tsg_set_timeslice(rm, context->tsgs[0],
                         machine_parameter(rm->machine, PARAM_RM_COMPUTE_TIMESLICE_UNITS));
    MACHINE_LOG(rm->machine, rm->unit, EVENT_RM_TIMESLICE,
                rm->chip->first == RM_CHIP_GP10B ? RULE_B_T1B : RULE_B_T3, tsg->runlist_id,
                tsg->tsg_id, tsg->timeout, tsg->scale);
}

bool rm_cuda_context_build_with(struct rm *rm, struct rm_cuda_context *context,
                                const struct rm_context_options *options)
{
    uint64_t root;

    assert(options->compute_count >= 1 && options->compute_count <= RM_CONTEXT_COMPUTE_MAX);
    assert(options->copy_count >= 1 && options->copy_count <= RM_CONTEXT_COPY);
    *context = (struct rm_cuda_context){
        .compute_count = options->compute_count,
        .copy_count = options->copy_count,
        .heap_bytes = options->heap_bytes ? options->heap_bytes : RM_CONTEXT_HEAP_BYTES,
        .channel_count = options->compute_count + (RM_CONTEXT_TSGS - 1) * options->copy_count,
    };
    if (!rm_start(rm))
        return false;
    if (!rm->state->engines_told)
        rm_context_map_pces(rm);
    if (!rm_context_memory(rm, context, &root))
        return rm_context_refuse(rm, "no memory for its rings");
    for (uint32_t i = 0; i < RM_CONTEXT_TSGS; i++) {
        context->tsgs[i] = rm_context_group(rm, context, i, options->server);
        if (!rm_context_tsg(rm, context, i, root))
            return rm_context_refuse(rm, "no room for its channels, or no engine for copies");
    }
    if (!rm_context_schedule(rm, context, options->server != NULL))
        return rm_context_refuse(rm, "its runlist is full");
    if (options->server)
        return true;
    rm_context_tell(rm, context);
    if (!options->copies_only || context->tsgs[1] != context->tsgs[0])
        rm_context_timeslice(rm, context);
    return true;
}
