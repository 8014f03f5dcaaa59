/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_pfifo_status.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist_status.h"

enum { NV_PFIFO_ELEMENTS = 16 };

/* Which element of an array of registers that is; false: none of it. */
static bool nv_pfifo_is(uint32_t offset, uint32_t first, uint32_t stride, uint32_t *element)
{
    *element = (offset - first) / stride;
    return offset >= first && (offset - first) % stride == 0 && *element < NV_PFIFO_ELEMENTS;
}

/* ---- who ------------------------------------------------------------------------------------- */

/* ID and ID_TYPE, as they stand in bits 12:0. */
static uint32_t nv_pfifo_id(uint32_t tsg_id)
{
    if (tsg_id == NV_ENGINE_NOBODY)
        return 0;
    return tsg_id < NV_RUNLIST_NO_TSG ? REG_PUT(tsg_id & 0xfff, NV_PFIFO_ENGINE_STATUS_ID_TYPE,
                                                NV_PFIFO_ENGINE_STATUS_ID_TYPE_TSGID)
                                      : (tsg_id - NV_RUNLIST_NO_TSG) & 0xfff;
}

/* ENGINE_STATUS_INST and its like, which are laid out the same. */
static uint32_t nv_pfifo_inst(const struct nv_host *host, uint32_t channel_id)
{
    enum memory_aperture aperture;
    uint64_t instance;
    uint32_t word;

    if (!nv_host_instance(host, channel_id, &instance, &aperture))
        return 0;
    word = REG_PUT(0, NV_PFIFO_ENGINE_STATUS_INST_PTR, (uint32_t)(instance >> 12) & 0xfffffff);
    word = REG_PUT(word, NV_PFIFO_ENGINE_STATUS_INST_TARGET,
                   aperture == MEMORY_SYSMEM ? NV_PFIFO_ENGINE_STATUS_INST_TARGET_SYS_MEM_COHERENT
                                             : NV_PFIFO_ENGINE_STATUS_INST_TARGET_VID_MEM);
    return REG_PUT(word, NV_PFIFO_ENGINE_STATUS_INST_VALID, 1);
}

/* ---- engines --------------------------------------------------------------------------------- */

static uint32_t nv_pfifo_engine_status(const struct nv_engine *engine)
{
    static const uint32_t codes[] = {
        [NV_ENGINE_INVALID] = NV_PFIFO_ENGINE_STATUS_CTX_STATUS_INVALID,
        [NV_ENGINE_VALID] = NV_PFIFO_ENGINE_STATUS_CTX_STATUS_VALID,
        [NV_ENGINE_SWITCH] = NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SWITCH,
        [NV_ENGINE_SAVE] = NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_SAVE,
        [NV_ENGINE_LOAD] = NV_PFIFO_ENGINE_STATUS_CTX_STATUS_CTXSW_LOAD,
    };
    const struct nv_engine_state *state = engine->state;
    uint32_t word = nv_pfifo_id(state->tsg_id) | nv_pfifo_id(state->next_tsg_id)
                                                     << NV_PFIFO_ENGINE_STATUS_NEXT_ID_LO;

    word = REG_PUT(word, NV_PFIFO_ENGINE_STATUS_CTX_STATUS, codes[nv_engine_status(engine)]);
    word = REG_PUT(word, NV_PFIFO_ENGINE_STATUS_FAULTED, nv_engine_faulted(engine));
    return REG_PUT(word, NV_PFIFO_ENGINE_STATUS_ENGINE,
                   nv_engine_busy(engine) || state->next_tsg_id != NV_ENGINE_NOBODY);
}

uint32_t nv_pfifo_timeout_info(const struct nv_engine *engine)
{
    const struct nv_engine_state *state = engine->state;
    const enum nv_engine_status status = nv_engine_status(engine);
    uint32_t word =
        REG_PUT(0, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_PREV_TSGID, nv_pfifo_id(state->tsg_id) & 0xfff);

    word =
        REG_PUT(word, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE,
                status == NV_ENGINE_LOAD   ? NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_LOAD
                : status == NV_ENGINE_SAVE ? NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SAVE
                                           : NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_CTXSW_STATE_SWITCH);
    return REG_PUT(word, NV_PFIFO_INTR_CTXSW_TIMEOUT_INFO_NEXT_TSGID,
                   nv_pfifo_id(state->next_tsg_id) & 0xfff);
}

static uint32_t nv_pfifo_of_engine(const struct nv_host *host, uint32_t offset, uint32_t engine_id,
                                   uint32_t stored)
{
    const struct nv_engine *engine = nv_engine_by_id(host, engine_id);

    if (!engine)
        return stored;
    if (offset >= NV_PFIFO_ENGINE_STATUS_INST)
        return nv_pfifo_inst(host, engine->state->channel_id);
    if (offset >= NV_PFIFO_ENGINE_STATUS_NEXT_INST)
        return nv_pfifo_inst(host, engine->state->next_channel_id);
    return nv_pfifo_engine_status(engine);
}

/* ---- PBDMAs ---------------------------------------------------------------------------------- */

static uint32_t nv_pfifo_pbdma_status(const struct nv_pbdma *pbdma)
{
    const struct nv_pbdma_state *state = pbdma->state;
    const uint32_t id = nv_pfifo_id(state->tsg_id);

    switch (state->phase) {
    case NV_PBDMA_EMPTY:
        return 0;
    case NV_PBDMA_LOADING:
        return REG_PUT(id << NV_PFIFO_PBDMA_STATUS_NEXT_ID_LO, NV_PFIFO_PBDMA_STATUS_CHAN_STATUS,
                       NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_LOAD);
    case NV_PBDMA_SAVING:
        return REG_PUT(id, NV_PFIFO_PBDMA_STATUS_CHAN_STATUS,
                       NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_CHSW_SAVE);
    default:
        return REG_PUT(id, NV_PFIFO_PBDMA_STATUS_CHAN_STATUS,
                       NV_PFIFO_PBDMA_STATUS_CHAN_STATUS_VALID);
    }
}

/* PBDMA_STATUS_USERD and _HI: as RAMFC has it, without the bits of its own. */
static uint32_t nv_pfifo_pbdma_userd(const struct nv_pbdma *pbdma, bool high)
{
    const uint32_t low = nv_pbdma_reg(pbdma, NV_PPBDMA_USERD);

    return high ? nv_pbdma_reg(pbdma, NV_PPBDMA_USERD_HI) & 0xff : low & 0xffffff03;
}

static uint32_t nv_pfifo_of_pbdma(const struct nv_host *host, uint32_t offset, uint32_t pbdma_id,
                                  uint32_t stored)
{
    const struct nv_pbdma *pbdma = &host->pbdmas[pbdma_id];

    if (pbdma_id >= host->model->pbdma_count)
        return stored;
    if (offset >= NV_PFIFO_PBDMA_STATUS)
        return nv_pfifo_pbdma_status(pbdma);
    if (nv_pbdma_is_free(pbdma))
        return 0;
    return offset >= NV_PFIFO_PBDMA_STATUS_USERD
               ? nv_pfifo_pbdma_userd(pbdma, offset >= NV_PFIFO_PBDMA_STATUS_USERD_HI)
               : nv_pfifo_inst(host, pbdma->state->channel_id);
}

/* A list is taken at once: RUNLIST_FETCH is never busy. */
static uint32_t nv_pfifo_sched_status(const struct nv_host *host)
{
    bool switching = false;

    for (uint32_t i = 0; i < host->model->pbdma_count; i++)
        switching |= host->pbdmas[i].state->phase == NV_PBDMA_LOADING ||
                     host->pbdmas[i].state->phase == NV_PBDMA_SAVING;
    return REG_PUT(0, NV_PFIFO_SCHED_STATUS_CHSW, switching);
}

/* ---- runlists -------------------------------------------------------------------------------- */

/* Turing. */
static uint32_t nv_pfifo_of_runlist(const struct nv_host *host, uint32_t offset,
                                    uint32_t runlist_id, uint32_t stored)
{
    if (runlist_id >= host->model->runlist_count)
        return stored;
    return offset >= NV_PFIFO_RUNLIST_INFO ? nv_runlist_info(&host->runlists[runlist_id])
                                           : nv_runlist_submit_info(&host->runlists[runlist_id]);
}

uint32_t nv_pfifo_status(const struct nv_host *host, uint32_t offset, uint32_t stored)
{
    const bool turing = host->generation->bit == NV_TURING;
    const bool volta = turing || host->generation->bit == NV_VOLTA;
    uint32_t i;

    if (nv_pfifo_is(offset, NV_PFIFO_ENGINE_STATUS, 8, &i) ||
        (volta && (nv_pfifo_is(offset, NV_PFIFO_ENGINE_STATUS_INST, 4, &i) ||
                   nv_pfifo_is(offset, NV_PFIFO_ENGINE_STATUS_NEXT_INST, 4, &i))))
        return nv_pfifo_of_engine(host, offset, i, stored);
    if (nv_pfifo_is(offset, NV_PFIFO_PBDMA_STATUS, 4, &i) ||
        (volta && nv_pfifo_is(offset, NV_PFIFO_PBDMA_STATUS_INST, 4, &i)) ||
        (turing && (nv_pfifo_is(offset, NV_PFIFO_PBDMA_STATUS_USERD, 4, &i) ||
                    nv_pfifo_is(offset, NV_PFIFO_PBDMA_STATUS_USERD_HI, 4, &i))))
        return nv_pfifo_of_pbdma(host, offset, i, stored);
    if (turing && (nv_pfifo_is(offset, NV_PFIFO_RUNLIST_SUBMIT_INFO, 16, &i) ||
                   nv_pfifo_is(offset, NV_PFIFO_RUNLIST_INFO, 4, &i)))
        return nv_pfifo_of_runlist(host, offset, i, stored);
    if (volta && offset == NV_PFIFO_SCHED_STATUS)
        return nv_pfifo_sched_status(host);
    return stored;
}
