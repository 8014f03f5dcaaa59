/* SPDX-License-Identifier: MIT */
/* A PBDMA decodes: dwords become methods, methods go to their engines. */
#include <config.h>

#include "devices/gpu_model.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_header.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_tables.h"

static void nv_pbdma_error_due(struct nv_pbdma *pbdma, uint32_t intr_bit)
{
    pbdma->state->due_intr = intr_bit;
    nv_pbdma_schedule(pbdma, NV_PBDMA_ERROR, 0);
}

static void nv_pbdma_set_header(struct nv_pbdma *pbdma, const struct nv_header *header)
{
    const uint32_t types[NV_HEADER_KIND_COUNT] = {
        [NV_HEADER_INC] = NV_PPBDMA_PB_HEADER_TYPE_INC,
        [NV_HEADER_NON_INC] = NV_PPBDMA_PB_HEADER_TYPE_NON_INC,
        [NV_HEADER_ONE_INC] = NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE,
        [NV_HEADER_IMMD] = NV_PPBDMA_PB_HEADER_TYPE_IMMD,
    };
    uint32_t word = REG_PUT(0, NV_PPBDMA_PB_HEADER_TYPE, types[header->kind]);

    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_METHOD, header->method / 4u);
    word = REG_PUT(word, NV_PPBDMA_PB_HEADER_SUBCH, header->subchannel);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_HEADER, REG_PUT(word, NV_PPBDMA_PB_HEADER_FIRST, 1));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_COUNT, header->count);
}

/* Puts a method into METHOD0 and DATA0. */
static void nv_pbdma_set_method(struct nv_pbdma *pbdma, uint32_t method, uint32_t subchannel,
                                uint32_t data)
{
    uint32_t word = REG_PUT(0, NV_PPBDMA_METHOD0_VALID, 1);

    word = REG_PUT(word, NV_PPBDMA_METHOD0_ADDR, method / 4);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, REG_PUT(word, NV_PPBDMA_METHOD0_SUBCH, subchannel));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_DATA0, data);
    pbdma->state->segment_methods++;
}

enum nv_pbdma_dword { NV_DWORD_NOTHING, NV_DWORD_METHOD, NV_DWORD_BAD, NV_DWORD_END_SEGMENT };

/* A dword where a header is expected. */
static enum nv_pbdma_dword nv_pbdma_header(struct nv_pbdma *pbdma, uint32_t dword)
{
    const struct nv_header header = nv_header_decode(dword);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HDR_SHADOW, dword);
    switch (header.kind) {
    case NV_HEADER_INC:
    case NV_HEADER_NON_INC:
    case NV_HEADER_ONE_INC:
        if (nv_header_method(&header, header.count - 1u) > NV_METHOD_MAX_BYTES)
            return NV_DWORD_BAD;
        nv_pbdma_set_header(pbdma, &header);
        return NV_DWORD_NOTHING;
    case NV_HEADER_IMMD:
        nv_pbdma_set_header(pbdma, &header);
        nv_pbdma_set_method(pbdma, header.method, header.subchannel, header.immediate);
        return NV_DWORD_METHOD;
    case NV_HEADER_END_SEGMENT:
        return NV_DWORD_END_SEGMENT;
    case NV_HEADER_INVALID:
        return NV_DWORD_BAD;
    default:
        return NV_DWORD_NOTHING; /* NOP; subdevice masks: this GPU is always the one addressed */
    }
}

/* A dword that is data of the current header. */
static void nv_pbdma_data(struct nv_pbdma *pbdma, uint32_t dword, uint32_t count)
{
    uint32_t header = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_HEADER);
    const uint32_t type = REG_GET(header, NV_PPBDMA_PB_HEADER_TYPE);
    const uint32_t method = REG_GET(header, NV_PPBDMA_PB_HEADER_METHOD);

    nv_pbdma_set_method(pbdma, 4 * method, REG_GET(header, NV_PPBDMA_PB_HEADER_SUBCH), dword);
    if (type != NV_PPBDMA_PB_HEADER_TYPE_NON_INC)
        header = REG_PUT(header, NV_PPBDMA_PB_HEADER_METHOD, (method + 1) & 0xfff);
    if (type == NV_PPBDMA_PB_HEADER_TYPE_INC_ONCE)
        header = REG_PUT(header, NV_PPBDMA_PB_HEADER_TYPE, NV_PPBDMA_PB_HEADER_TYPE_NON_INC);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_HEADER, REG_PUT(header, NV_PPBDMA_PB_HEADER_FIRST, 0));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_COUNT, count - 1);
}

/* ---- methods -------------------------------------------------------------------------------- */

struct nv_method nv_pbdma_method(const struct nv_pbdma *pbdma)
{
    const uint32_t word = nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0);
    const struct nv_pbdma_state *state = pbdma->state;

    return (struct nv_method){
        .channel_id = state->channel_id,
        .space_id = state->space_id,
        .tsg_id = state->tsg_id,
        .pbdma_id = pbdma->pbdma_id,
        .subchannel = REG_GET(word, NV_PPBDMA_METHOD0_SUBCH),
        .method = 4 * REG_GET(word, NV_PPBDMA_METHOD0_ADDR),
        .data = nv_pbdma_reg(pbdma, NV_PPBDMA_DATA0),
        .gp_sequence = pbdma->host->state->channels[state->channel_id].gp_sequence - 1,
    };
}

static bool nv_pbdma_is_host(const struct nv_method *method)
{
    return method->method < NV_CLASS_HOST_END && method->method != NVC06F_SET_OBJECT;
}

/* Engine number in TARGET that a subchannel stands for. */
static uint32_t nv_pbdma_engine(const struct nv_pbdma *pbdma, uint32_t subchannel)
{
    if (subchannel < 4)
        return NV_TARGET_GR;
    if (subchannel == 4 && pbdma->ce)
        return pbdma->ce->engine_id;
    return NV_PPBDMA_TARGET_ENGINE_SW;
}

static bool nv_pbdma_switches(const struct nv_pbdma *pbdma, uint32_t engine)
{
    const uint32_t target = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);

    return target != engine && target != NV_PPBDMA_TARGET_ENGINE_SW;
}

bool nv_pbdma_target_idle(struct nv_pbdma *pbdma)
{
    const uint32_t target = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);

    if (target == NV_TARGET_GR)
        return nv_fe_idle(pbdma->fe, pbdma->pbdma_id);
    return !pbdma->ce || target != pbdma->ce->engine_id || nv_ce_idle(pbdma->ce, pbdma->pbdma_id);
}

/* True when nobody outside can see the method being executed. */
static bool nv_pbdma_private(struct nv_pbdma *pbdma)
{
    const struct nv_method method = nv_pbdma_method(pbdma);
    const uint32_t engine = nv_pbdma_engine(pbdma, method.subchannel);

    if (nv_pbdma_is_host(&method)) {
        if (!nv_pbdma_host_private(method.method))
            return false;
        (void)nv_pbdma_host_method(pbdma, method.method, method.data);
        return true;
    }
    if (engine == NV_PPBDMA_TARGET_ENGINE_SW || nv_pbdma_switches(pbdma, engine))
        return false;
    if (engine == NV_TARGET_GR) {
        if (nv_fe_visible(pbdma->fe, method.subchannel, method.method))
            return false;
        nv_fe_private(pbdma->fe, &method);
    } else {
        if (nv_ce_visible(pbdma->ce, method.method))
            return false;
        nv_ce_private(pbdma->ce, &method);
    }
    nv_pbdma_set_reg(
        pbdma, NV_PPBDMA_TARGET,
        REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE, engine));
    return true;
}

/* Works through latched dwords until something can be seen from outside. */
void nv_pbdma_advance(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const uint32_t limit = pbdma->machine->config.batch_limit;
    const uint64_t cost = nv_pbdma_cycles(pbdma, PARAM_NV_DWORD_CYCLES);

    state->phase = NV_PBDMA_DWORDS;
    while (state->taken < state->latched) {
        const uint32_t count = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_COUNT);
        enum nv_pbdma_dword what = NV_DWORD_METHOD;
        uint32_t dword;

        if (limit && state->batch_count == limit) {
            nv_pbdma_schedule(pbdma, NV_PBDMA_DWORDS, 0);
            return;
        }
        dword = state->latch[state->taken++];
        state->batch_count++;
        state->local_cycles += cost;
        if (count > 0)
            nv_pbdma_data(pbdma, dword, count);
        else
            what = nv_pbdma_header(pbdma, dword);
        if (what == NV_DWORD_BAD) {
            nv_pbdma_error_due(pbdma, NV_PPBDMA_INTR_0_PBENTRY_LO);
            return;
        }
        if (what == NV_DWORD_END_SEGMENT) {
            state->taken = state->latched;
            state->segment_left = 0;
        } else if (what == NV_DWORD_METHOD && !nv_pbdma_private(pbdma)) {
            nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, 0);
            return;
        }
    }
    /* The last method is done: a channel that leaves now must not find it again. */
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
    if (state->segment_left > 0)
        nv_pbdma_next_fetch(pbdma);
    else
        nv_pbdma_schedule(pbdma, NV_PBDMA_SEGMENT_END, 0);
}

/* Sends METHOD0 to its engine.  False: it waits or an interrupt was raised. */
static bool nv_pbdma_send(struct nv_pbdma *pbdma, const struct nv_method *method)
{
    const uint32_t engine = nv_pbdma_engine(pbdma, method->subchannel);
    uint32_t rule = RULE_NONE, illegal;
    bool done;

    if (engine != NV_TARGET_GR && engine != NV_PPBDMA_TARGET_ENGINE_SW &&
        nv_ce_illegal(pbdma->ce, method, &illegal)) {
        nv_pbdma_interrupt(pbdma, NV_PBDMA_INTR_1 + illegal);
        return false;
    }
    if (engine == NV_PPBDMA_TARGET_ENGINE_SW) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_DEVICE_LO);
        return false;
    }
    if (nv_pbdma_switches(pbdma, engine) && !nv_pbdma_target_idle(pbdma)) {
        nv_pbdma_block(pbdma, RULE_NV_SUBCH);
        return false;
    }
    nv_pbdma_set_reg(
        pbdma, NV_PPBDMA_TARGET,
        REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE, engine));
    if (engine != NV_TARGET_GR)
        done = nv_ce_visible(pbdma->ce, method->method) ? nv_ce_method(pbdma->ce, method, &rule)
                                                        : (nv_ce_private(pbdma->ce, method), true);
    else
        done = nv_fe_visible(pbdma->fe, method->subchannel, method->method)
                   ? nv_fe_method(pbdma->fe, method, &rule)
                   : (nv_fe_private(pbdma->fe, method), true);
    if (!done)
        nv_pbdma_block(pbdma, rule);
    return done;
}

/* Executes METHOD0, which can be seen from outside. */
void nv_pbdma_execute(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_method method = nv_pbdma_method(pbdma);
    const bool valid = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD0), NV_PPBDMA_METHOD0_VALID);
    bool done = true;

    if (valid)
        done = nv_pbdma_is_host(&method) ? nv_pbdma_host_method(pbdma, method.method, method.data)
                                         : nv_pbdma_send(pbdma, &method);
    if (!done || state->phase == NV_PBDMA_STOPPED)
        return;
    nv_pbdma_unblock(pbdma);
    if (nv_pbdma_is_host(&method))
        nv_pbdma_semaphore_done(pbdma);
    state->host_step = 0;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
    nv_pbdma_start_batch(pbdma);
    if (state->yields)
        nv_pbdma_leave(pbdma);
    else
        nv_pbdma_advance(pbdma);
}
