/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_runlist_status.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"

/* ---- engines --------------------------------------------------------------------------------- */

/* Returns the n-th engine of the runlist, or NULL if it has fewer. */
const struct nv_engine *nv_runlist_status_engine(const struct nv_runlist *runlist,
                                                 uint32_t rleng_id)
{
    const struct nv_host *host = runlist->host;

    for (uint32_t i = 0; i < host->model->engine_count; i++)
        if (host->model->engines[i].runlist_id == runlist->runlist_id &&
            host->model->engines[i].rleng_id == rleng_id)
            return &host->engines[i];
    return NULL;
}

/* Returns an id without its runlist, or 0 for no TSG or channel. */
static uint32_t nv_runlist_status_id(uint32_t id)
{
    return id == NV_ENGINE_NOBODY ? 0 : id & 0x7ff;
}

static uint32_t nv_runlist_status_ctx(enum nv_engine_status status)
{
    static const uint32_t codes[] = {
        [NV_ENGINE_INVALID] = NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_INVALID,
        [NV_ENGINE_VALID] = NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_VALID,
        [NV_ENGINE_SWITCH] = NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_SWITCH,
        [NV_ENGINE_SAVE] = NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_SAVE,
        [NV_ENGINE_LOAD] = NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS_CTXSW_LOAD,
    };

    return codes[status];
}

static uint32_t nv_runlist_status_0(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;
    uint32_t word = nv_runlist_status_id(state->tsg_id);

    word = REG_PUT(word, NV_RUNLIST_ENGINE_STATUS0_CTX_STATUS,
                   nv_runlist_status_ctx(nv_engine_status(engine)));
    word = REG_PUT(word, NV_RUNLIST_ENGINE_STATUS0_NEXT_TSGID,
                   nv_runlist_status_id(state->next_tsg_id));
    word = REG_PUT(word, NV_RUNLIST_ENGINE_STATUS0_FAULTED, nv_engine_faulted(engine));
    return REG_PUT(word, NV_RUNLIST_ENGINE_STATUS0_ENGINE, nv_engine_busy(engine));
}

static uint32_t nv_runlist_status_channel(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;
    uint32_t word = nv_runlist_status_id(state->channel_id);

    word = REG_PUT(word, NV_RUNLIST_ENGINE_STATUS_CHANNEL_VALID,
                   state->channel_id != NV_ENGINE_NOBODY);
    word = REG_PUT(word, NV_RUNLIST_ENGINE_STATUS_CHANNEL_NEXT_CHID,
                   nv_runlist_status_id(state->next_channel_id));
    return REG_PUT(word, NV_RUNLIST_ENGINE_STATUS_CHANNEL_NEXT_VALID,
                   state->next_channel_id != NV_ENGINE_NOBODY);
}

/* Instance block of a channel: lower or upper word of ENGINE_STATUS_INST and its like. */
static uint32_t nv_runlist_status_inst(const struct nv_host *host, uint32_t channel_id, bool high)
{
    enum memory_aperture aperture;
    uint64_t instance;

    if (!nv_host_instance(host, channel_id, &instance, &aperture))
        return 0;
    return high ? (uint32_t)(instance >> 32)
                : ((uint32_t)instance & 0xfffff000) | 1u << NV_RUNLIST_ENGINE_STATUS_INST_VALID_LO |
                      (aperture == MEMORY_SYSMEM
                           ? NV_RUNLIST_ENGINE_STATUS_INST_TARGET_SYS_MEM_COHERENT
                           : NV_RUNLIST_ENGINE_STATUS_INST_TARGET_VID_MEM);
}

uint32_t nv_runlist_timeout_info(const struct nv_engine *engine)
{
    const enum nv_engine_status status = nv_engine_status(engine);
    uint32_t word = nv_runlist_status_id(engine->state->tsg_id);

    word = REG_PUT(word, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE,
                   status == NV_ENGINE_LOAD ? NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD
                   : status == NV_ENGINE_SAVE
                       ? NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SAVE
                       : NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SWITCH);
    return REG_PUT(word, NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_INFO_NEXT_TSGID,
                   nv_runlist_status_id(engine->state->next_tsg_id));
}

uint32_t nv_runlist_status_of_engine(const struct nv_runlist *runlist, uint32_t rleng_id,
                                     uint32_t offset, uint32_t stored)
{
    const struct nv_engine *engine = nv_runlist_status_engine(runlist, rleng_id);

    if (!engine)
        return offset == NV_RUNLIST_ENGINE_CTXSW_TIMEOUT_CONFIG ||
                       offset == NV_RUNLIST_ENGINE_STATUS_DEBUG
                   ? stored
                   : 0;
    switch (offset) {
    case NV_RUNLIST_ENGINE_STATUS0:
        return nv_runlist_status_0(engine);
    case NV_RUNLIST_ENGINE_STATUS1:
        return REG_PUT(0, NV_RUNLIST_ENGINE_STATUS1_INTR_ID, engine->row->intr_id & 0x1f);
    case NV_RUNLIST_ENGINE_STATUS_CHANNEL:
        return nv_runlist_status_channel(engine);
    case NV_RUNLIST_ENGINE_STATUS_INST:
    case NV_RUNLIST_ENGINE_STATUS_INST_HI:
        return nv_runlist_status_inst(runlist->host, engine->state->channel_id,
                                      offset == NV_RUNLIST_ENGINE_STATUS_INST_HI);
    case NV_RUNLIST_ENGINE_STATUS_NEXT_INST:
    case NV_RUNLIST_ENGINE_STATUS_NEXT_INST_HI:
        return nv_runlist_status_inst(runlist->host, engine->state->next_channel_id,
                                      offset == NV_RUNLIST_ENGINE_STATUS_NEXT_INST_HI);
    default:
        return stored;
    }
}

/* ---- PBDMAs ---------------------------------------------------------------------------------- */

/* Codes as the engines': LOAD 6, SAVE 5. */
static uint32_t nv_runlist_status_sched(const struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    uint32_t status = NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_VALID;

    if (state->phase == NV_PBDMA_EMPTY)
        return 0;
    if (state->phase == NV_PBDMA_LOADING)
        status = NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_CHSW_LOAD;
    if (state->phase == NV_PBDMA_SAVING)
        status = NV_PPBDMA_STATUS_SCHED_CHAN_STATUS_CHSW_SAVE;
    if (state->phase == NV_PBDMA_LOADING)
        return REG_PUT(
            REG_PUT(0, NV_PPBDMA_STATUS_SCHED_NEXT_TSGID, nv_runlist_status_id(state->tsg_id)),
            NV_PPBDMA_STATUS_SCHED_CHAN_STATUS, status);
    return REG_PUT(nv_runlist_status_id(state->tsg_id), NV_PPBDMA_STATUS_SCHED_CHAN_STATUS, status);
}

static uint32_t nv_runlist_status_userd(const struct nv_pbdma *pbdma, bool high)
{
    const struct nv_channel *channel = nv_channel_get(pbdma->host, pbdma->state->channel_id);

    if (!channel)
        return 0;
    return high ? (uint32_t)(channel->userd >> 32)
                : ((uint32_t)channel->userd & 0xffffff00) | 1u << NV_PPBDMA_STATUS_USERD_VALID_LO |
                      (channel->userd_aperture == MEMORY_SYSMEM
                           ? NV_PPBDMA_STATUS_USERD_TARGET_SYS_MEM_COHERENT
                           : NV_PPBDMA_STATUS_USERD_TARGET_VID_MEM);
}

uint32_t nv_runlist_status_of_pbdma(const struct nv_pbdma *pbdma, uint32_t offset, uint32_t stored)
{
    const bool empty = nv_pbdma_is_free(pbdma);

    switch (offset) {
    case NV_PPBDMA_STATUS_SCHED:
        return nv_runlist_status_sched(pbdma);
    case NV_PPBDMA_STATUS_INST:
    case NV_PPBDMA_STATUS_INST_HI:
        return empty ? 0
                     : nv_runlist_status_inst(pbdma->host, pbdma->state->channel_id,
                                              offset == NV_PPBDMA_STATUS_INST_HI);
    case NV_PPBDMA_STATUS_USERD:
    case NV_PPBDMA_STATUS_USERD_HI:
        return empty ? 0 : nv_runlist_status_userd(pbdma, offset == NV_PPBDMA_STATUS_USERD_HI);
    default:
        return stored;
    }
}

/* ---- the runlist ----------------------------------------------------------------------------- */

static bool nv_runlist_status_eng_idle(const struct nv_runlist *runlist)
{
    for (uint32_t i = 0; i < runlist->engine_count; i++)
        if (nv_engine_busy(runlist->engine_at[i]))
            return false;
    return true;
}

/* Returns true if no runqueue of the runlist has a TSG on. */
static bool nv_runlist_status_rests(const struct nv_runlist *runlist)
{
    for (const struct nv_runlist *queue = runlist; queue; queue = queue->next)
        if (queue->state->tsg_id != UINT32_MAX)
            return false;
    return true;
}

/* Returns true if a runqueue of the runlist has TSGs that wait for acquires. */
static bool nv_runlist_status_acquires(const struct nv_runlist *runlist)
{
    for (const struct nv_runlist *queue = runlist; queue; queue = queue->next)
        if (queue->state->serviceable_groups > queue->state->ready_groups)
            return true;
    return false;
}

uint32_t nv_runlist_info(const struct nv_runlist *runlist)
{
    const struct nv_runlist_state *state = runlist->state;
    const bool told = state->idle == NV_RUNLIST_IDLE || state->idle == NV_RUNLIST_ENG_IDLE;
    uint32_t word = 0;

    word = REG_PUT(word, NV_RUNLIST_INFO_RUNLIST_IDLE_INTR_ARM, !told);
    word = REG_PUT(word, NV_RUNLIST_INFO_RUNLIST_ACQUIRE_INTR_ARM, state->idle == 0u);
    word = REG_PUT(word, NV_RUNLIST_INFO_RUNLIST_AND_ENG_IDLE_INTR_ARM,
                   state->idle != NV_RUNLIST_ENG_IDLE);
    word = REG_PUT(word, NV_RUNLIST_INFO_RUNLIST_ACQUIRE_AND_ENG_IDLE_INTR_ARM, state->idle == 0u);
    word = REG_PUT(word, NV_RUNLIST_INFO_ENG_IDLE, nv_runlist_status_eng_idle(runlist));
    word = REG_PUT(word, NV_RUNLIST_INFO_RUNLIST_IDLE, nv_runlist_status_rests(runlist));
    return REG_PUT(word, NV_RUNLIST_INFO_ACQUIRE_STILL_PENDING,
                   nv_runlist_status_acquires(runlist));
}

/* ASSUMED: of several runqueues the first that had a TSG on is told. */
uint32_t nv_runlist_submit_info(const struct nv_runlist *runlist)
{
    while (runlist->state->preempted_tsg_id == UINT32_MAX && runlist->next)
        runlist = runlist->next;
    const uint32_t tsg_id = runlist->state->preempted_tsg_id;
    const bool blocks = runlist->host->generation->runlists_have_blocks;
    uint32_t word = tsg_id == UINT32_MAX ? 0 : tsg_id & (blocks ? 0x7ffu : 0xfffu);

    word = REG_PUT(word, NV_RUNLIST_SUBMIT_INFO_PREEMPTED_TSGID_VALID, tsg_id != UINT32_MAX);
    return REG_PUT(word, NV_RUNLIST_SUBMIT_INFO_PREEMPTED_OFFSET,
                   runlist->state->preempted_entry & 0xffff);
}
