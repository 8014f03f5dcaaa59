/* SPDX-License-Identifier: MIT */
/* A PBDMA decodes: dwords become methods, methods go to their engines. */
#include <config.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_ce.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_engine.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/formats/nv_header.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma_private.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/engine/passage.h"

/* ---- methods --------------------------------------------------------------------------------- */

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
        .gp_sequence = nv_channel_get(pbdma->host, state->channel_id)->gp_sequence - 1,
    };
}

static bool nv_pbdma_is_host(const struct nv_method *method)
{
    return method->method < NV_CLASS_HOST_END && method->method != NVA06F_SET_OBJECT;
}

/* Primary is graphics, where the runlist has it, else its copy engine, else the engine with the
 * lowest number (ASSUMED where a runlist without graphics has several engines). */
void nv_pbdma_route(struct nv_pbdma *pbdma, uint32_t runlist_id, struct nv_ce *ce)
{
    const struct nv_runlist *runlist = &pbdma->runlists[runlist_id];
    uint32_t primary = NV_PPBDMA_TARGET_ENGINE_SW;

    for (uint32_t i = 0; i < runlist->engine_count; i++) {
        const struct nv_chip_engine *engine = &pbdma->model->engines[runlist->engines[i]];

        if (engine->engine_id < primary)
            primary = engine->engine_id;
    }
    if (primary != NV_TARGET_GR && ce)
        primary = ce->engine_id;
    pbdma->ce_of_runlist[runlist_id] = ce;
    pbdma->primary_of_runlist[runlist_id] = primary;
}

bool nv_pbdma_is_ce(const struct nv_pbdma *pbdma, uint32_t engine_id)
{
    const struct nv_ce *ce = nv_pbdma_ce(pbdma);

    return ce && ce->engine_id == engine_id;
}

/* Engine number in TARGET that a subchannel stands for. */
static uint32_t nv_pbdma_engine(const struct nv_pbdma *pbdma, uint32_t subchannel)
{
    if (subchannel < 4 || (subchannel == 4 && !nv_pbdma_has_graphics(pbdma)))
        return pbdma->state->primary;
    if (subchannel == 4 && nv_pbdma_ce(pbdma))
        return nv_pbdma_ce(pbdma)->engine_id;
    return NV_PPBDMA_TARGET_ENGINE_SW;
}

bool nv_pbdma_serves(const struct nv_pbdma *pbdma, uint32_t engine_id)
{
    return nv_pbdma_engine(pbdma, 0) == engine_id || nv_pbdma_engine(pbdma, 4) == engine_id;
}

/* Host forces TARGET to an engine that the runqueue serves (gv100/dev_pbdma.ref.txt).  ASSUMED:
 * software's number, with which drivers begin, stays. */
void nv_pbdma_check_target(struct nv_pbdma *pbdma)
{
    const uint32_t target = nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET);
    const uint32_t engine = REG_GET(target, NV_PPBDMA_TARGET_ENGINE);

    if (engine != NV_PPBDMA_TARGET_ENGINE_SW && engine != nv_pbdma_engine(pbdma, 4))
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_TARGET,
                         REG_PUT(target, NV_PPBDMA_TARGET_ENGINE, pbdma->state->primary));
}

static bool nv_pbdma_switches(const struct nv_pbdma *pbdma, uint32_t engine)
{
    const uint32_t target = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);

    return target != engine && target != NV_PPBDMA_TARGET_ENGINE_SW;
}

bool nv_pbdma_target_idle(struct nv_pbdma *pbdma)
{
    const uint32_t target = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);

    if (target == NV_TARGET_GR && nv_pbdma_has_graphics(pbdma))
        return nv_fe_idle(pbdma->fe, pbdma->pbdma_id);
    return !nv_pbdma_is_ce(pbdma, target) || nv_ce_idle(nv_pbdma_ce(pbdma), pbdma->pbdma_id);
}

/* ---- sinks ----------------------------------------------------------------------------------- */

static bool nv_pbdma_take_nothing(void *pbdma, uint32_t subchannel, uint32_t method, uint32_t data)
{
    (void)pbdma;
    (void)subchannel;
    (void)method;
    (void)data;
    return false;
}

static bool nv_pbdma_take_host(void *pbdma, uint32_t subchannel, uint32_t method, uint32_t data)
{
    (void)subchannel;
    return nv_pbdma_host_private(pbdma, method) && nv_pbdma_host_method(pbdma, method, data);
}

static bool nv_pbdma_take_copy(void *context, uint32_t subchannel, uint32_t method, uint32_t data)
{
    const struct nv_pbdma *pbdma = context;
    struct nv_ce *ce = nv_pbdma_ce(pbdma);

    if (nv_ce_visible(ce, method, data))
        return false;
    nv_ce_private(ce,
                  &(struct nv_method){.subchannel = subchannel, .method = method, .data = data});
    return true;
}

/* The log need not say again that this engine is not modelled. */
static bool nv_pbdma_take_unmodelled(void *context, uint32_t subchannel, uint32_t method,
                                     uint32_t data)
{
    const struct nv_pbdma_state *state = ((const struct nv_pbdma *)context)->state;

    (void)subchannel;
    (void)method;
    (void)data;
    return state->unmodelled >> state->primary & 1;
}

void nv_pbdma_wire_sinks(struct nv_pbdma *pbdma)
{
    for (uint32_t i = 0; i < NV_PBDMA_SUBCHANNELS; i++)
        pbdma->sinks.engine[i] = (struct nv_pbdma_sink){nv_pbdma_take_nothing, pbdma};
    pbdma->sinks.host = (struct nv_pbdma_sink){nv_pbdma_take_host, pbdma};
    pbdma->sinks.crc = &pbdma->crc;
    pbdma->graphics_sinks = pbdma->grcopy_sinks = pbdma->copy_sinks = pbdma->unmodelled_sinks =
        pbdma->sinks;
    for (uint32_t i = 0; i < NV_FE_SUBCHANNELS; i++)
        pbdma->graphics_sinks.engine[i] = (struct nv_pbdma_sink){nv_fe_take, pbdma->fe};
    pbdma->grcopy_sinks.engine[4] = (struct nv_pbdma_sink){nv_pbdma_take_copy, pbdma};
    for (uint32_t i = 0; i <= 4; i++) {
        pbdma->copy_sinks.engine[i] = (struct nv_pbdma_sink){nv_pbdma_take_copy, pbdma};
        pbdma->unmodelled_sinks.engine[i] = (struct nv_pbdma_sink){nv_pbdma_take_unmodelled, pbdma};
    }
}

/* Methods to the engine that TARGET names are taken at once, those to another need an event. */
static const struct nv_pbdma_sinks *nv_pbdma_choose_sinks(struct nv_pbdma *pbdma)
{
    const uint32_t target = REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE);
    const struct nv_engine *engine = nv_engine_by_id(pbdma->host, target);

    if (engine && engine->ops &&
        !nv_engine_is_on(engine, pbdma->state->tsg_id, pbdma->state->channel_id))
        return &pbdma->sinks;
    if (nv_pbdma_will_lose(pbdma, NV_PBDMA_INJECT_ENGINE) || !nv_pbdma_has_context(pbdma, target) ||
        !nv_pbdma_takes_subchannel_4(pbdma))
        return &pbdma->sinks; /* the method comes to nv_pbdma_send() */
    if (nv_pbdma_is_ce(pbdma, target)) {
        (void)nv_pbdma_hce(pbdma); /* whose words the methods set */
        return nv_pbdma_has_graphics(pbdma) ? &pbdma->grcopy_sinks : &pbdma->copy_sinks;
    }
    if (!nv_pbdma_has_graphics(pbdma))
        return target == pbdma->state->primary ? &pbdma->unmodelled_sinks : &pbdma->sinks;
    if (target != NV_TARGET_GR)
        return &pbdma->sinks;
    nv_fe_prepare(pbdma->fe);
    return &pbdma->graphics_sinks;
}

/* ---- batches --------------------------------------------------------------------------------- */

void nv_pbdma_fold_latch(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    uint32_t crc = nv_pbdma_reg(pbdma, NV_PPBDMA_PB_CRC);

    while (state->crc_left > 0) { /* twice where the latch wraps round */
        const uint32_t at =
            (state->latch_at + NV_PBDMA_LATCH_DWORDS - state->crc_left) % NV_PBDMA_LATCH_DWORDS;
        const uint32_t to_end = NV_PBDMA_LATCH_DWORDS - at;
        const uint32_t count = state->crc_left < to_end ? state->crc_left : to_end;

        crc = nv_crc_dwords(&pbdma->crc, crc, &state->latch[at], count);
        state->crc_left -= count;
    }
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_CRC, crc);
}

/* Updates registers and counters after some decoded dwords.  A change of SUBDEVICE_STATUS waits for
 * its event. */
static void nv_pbdma_store(struct nv_pbdma *pbdma, const struct nv_pbdma_decoder *decoder,
                           enum nv_pbdma_stop stop)
{
    struct nv_pbdma_state *state = pbdma->state;
    struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    const struct nv_gp_entry decoded = nv_gp_entry_decode(entry->word[0], entry->word[1]);
    uint32_t header = REG_PUT(0, NV_PPBDMA_PB_HEADER_LEVEL, decoded.subroutine);

    header = REG_PUT(header, NV_PPBDMA_PB_HEADER_CONDITIONAL, decoded.conditional);
    if (decoder->instruction_at != UINT32_MAX)
        header = REG_PUT(header, NV_PPBDMA_PB_HEADER_FINAL,
                         entry->done + decoder->instruction_at + 1 == entry->length);
    state->crc_left += decoder->taken;
    entry->done += decoder->taken;
    state->latch_at = (state->latch_at + decoder->taken) % NV_PBDMA_LATCH_DWORDS;
    state->latch_count -= decoder->taken;
    state->batch_left -= decoder->taken;
    state->batch_taken += decoder->taken;
    state->batch_count += decoder->taken;
    state->local_cycles += decoder->taken * nv_pbdma_cycles(pbdma, PARAM_NV_DWORD_CYCLES);
    state->segment_methods += decoder->method_count;
    state->first = decoder->first;
    if (decoder->decoded)
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_HDR_SHADOW, decoder->instruction);
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_HEADER, nv_pbdma_decoder_header(decoder, header));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_PB_COUNT, nv_pbdma_decoder_count(decoder));
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD_CRC, decoder->method_crc);
    if (stop == NV_PBDMA_STOP_MASK)
        state->due_subdevice = decoder->subdevice;
    else
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_SUBDEVICE, decoder->subdevice);
    nv_pbdma_store_get(pbdma);
}

/* The method that was refused: METHOD0 and DATA0 will hold it when its event comes. */
static void nv_pbdma_due_method(struct nv_pbdma *pbdma, const struct nv_pbdma_decoder *decoder)
{
    uint32_t word = REG_PUT(0, NV_PPBDMA_METHOD0_VALID, 1);

    word = REG_PUT(word, NV_PPBDMA_METHOD0_ADDR, decoder->refused.method / 4);
    word = REG_PUT(word, NV_PPBDMA_METHOD0_SUBCH, decoder->refused.subchannel);
    word = REG_PUT(word, NV_PPBDMA_METHOD0_FIRST,
                   REG_GET(nv_pbdma_reg(pbdma, NV_PPBDMA_PB_HEADER), NV_PPBDMA_PB_HEADER_FIRST));
    pbdma->state->due_method = word;
    pbdma->state->due_data = decoder->refused.data;
}

void nv_pbdma_method_here(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;

    if (state->due_method) {
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, state->due_method);
        nv_pbdma_set_reg(pbdma, NV_PPBDMA_DATA0, state->due_data);
    }
    state->due_method = state->due_data = 0;
    if (state->preempt) {
        nv_pbdma_start_batch(pbdma);
        nv_pbdma_leave(pbdma);
        return;
    }
    nv_pbdma_execute(pbdma);
}

/* Handles what follows some decoded dwords.  Returns false if an event has to come first. */
static bool nv_pbdma_stopped(struct nv_pbdma *pbdma, const struct nv_pbdma_decoder *decoder,
                             enum nv_pbdma_stop stop)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    const uint32_t limit = pbdma->machine->config.batch_limit;

    switch (stop) {
    case NV_PBDMA_STOP_METHOD:
        nv_pbdma_due_method(pbdma, decoder);
        nv_pbdma_schedule(pbdma, NV_PBDMA_METHOD, 0);
        return false;
    case NV_PBDMA_STOP_MASK:
        nv_pbdma_schedule(pbdma, NV_PBDMA_MASK, 0);
        return false;
    case NV_PBDMA_STOP_BAD:
        state->bad_header = 1;
        state->due_intr = NV_PPBDMA_INTR_0_PBENTRY_LO;
        nv_pbdma_schedule(pbdma, NV_PBDMA_ERROR, 0);
        return false;
    case NV_PBDMA_STOP_END_SEGMENT:
        nv_pbdma_schedule(pbdma, NV_PBDMA_SEGMENT_END, 0);
        return false;
    default:
        break;
    }
    if (state->batch_left == 0)
        nv_pbdma_schedule(
            pbdma, entry->done == entry->length ? NV_PBDMA_SEGMENT_END : NV_PBDMA_SEGMENT, 0);
    else if (limit && state->batch_count >= limit)
        nv_pbdma_schedule(pbdma, NV_PBDMA_DWORDS, 0);
    else
        return true; /* the latch wraps round */
    return false;
}

/* Does what comes pass a fault that waits for dwords? */
static inline bool nv_pbdma_is_passed(const struct nv_pbdma *pbdma)
{
    const struct inject *inject = pbdma->machine->inject;

    return inject &&
           (inject_waits(inject, NV_INJECT_HEADER) || inject_waits(inject, NV_INJECT_DATA));
}

void nv_pbdma_advance(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_sinks *sinks = nv_pbdma_choose_sinks(pbdma);
    const uint32_t limit = pbdma->machine->config.batch_limit;
    struct nv_pbdma_decoder decoder = {.subdevice = nv_pbdma_reg(pbdma, NV_PPBDMA_SUBDEVICE),
                                       .method_crc = nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD_CRC),
                                       .first = state->first};
    enum nv_pbdma_stop stop = NV_PBDMA_STOP_DRY;

    nv_pbdma_decoder_load(&decoder, nv_pbdma_reg(pbdma, NV_PPBDMA_PB_HEADER),
                          nv_pbdma_reg(pbdma, NV_PPBDMA_PB_COUNT));
    if (state->bad_header || nv_pbdma_decoder_wraps(&decoder)) { /* not mended */
        state->due_intr = NV_PPBDMA_INTR_0_PBENTRY_LO;
        nv_pbdma_schedule(pbdma, NV_PBDMA_ERROR, 0);
        return;
    }
    do {
        const uint32_t to_end = NV_PBDMA_LATCH_DWORDS - state->latch_at;
        uint32_t count = state->batch_left < to_end ? state->batch_left : to_end;

        if (limit && count > limit - state->batch_count)
            count = limit - state->batch_count;
        if (nv_pbdma_is_passed(pbdma)) { /* dword by dword: each passes once */
            count = 1;
            (void)nv_pbdma_passes(pbdma, decoder.left > 0 ? NV_INJECT_DATA : NV_INJECT_HEADER,
                                  &state->latch[state->latch_at], sizeof state->latch[0]);
        }
        decoder.method_count = 0;
        stop = nv_pbdma_decode(&decoder, sinks, &state->latch[state->latch_at], count);
        nv_pbdma_store(pbdma, &decoder, stop);
    } while (nv_pbdma_stopped(pbdma, &decoder, stop));
}

void nv_pbdma_mask(struct nv_pbdma *pbdma)
{
    struct nv_pbdma_state *state = pbdma->state;
    const struct nv_pbdma_entry *entry = nv_pbdma_current(pbdma);
    const bool inactive = nv_pbdma_is_inactive(state->due_subdevice);

    nv_pbdma_set_reg(pbdma, NV_PPBDMA_SUBDEVICE, state->due_subdevice);
    MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_NV_SUBDEVICE, RULE_NV_SUBDEVICE,
                state->channel_id, pbdma->pbdma_id, nv_pbdma_reg(pbdma, NV_PPBDMA_HDR_SHADOW),
                !inactive);
    state->due_subdevice = 0;
    if (inactive && nv_gp_entry_decode(entry->word[0], entry->word[1]).conditional)
        nv_pbdma_discard_segment(pbdma);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_segment(pbdma);
}

/* METHOD_CRC, of a method that was sent to an engine. */
static void nv_pbdma_sent(struct nv_pbdma *pbdma, const struct nv_method *method)
{
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD_CRC,
                     nv_crc_method(&pbdma->crc, nv_pbdma_reg(pbdma, NV_PPBDMA_METHOD_CRC),
                                   method->subchannel, method->method, method->data));
}

static void nv_pbdma_set_target(struct nv_pbdma *pbdma, uint32_t engine)
{
    nv_pbdma_set_reg(
        pbdma, NV_PPBDMA_TARGET,
        REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_TARGET), NV_PPBDMA_TARGET_ENGINE, engine));
}

/* METHOD0 is for an engine that is not modelled. */
static bool nv_pbdma_drop(struct nv_pbdma *pbdma, const struct nv_method *method, uint32_t engine)
{
    uint32_t *unmodelled = &pbdma->state->unmodelled;

    if (!(*unmodelled >> engine & 1))
        MACHINE_LOG(pbdma->machine, pbdma->unit, EVENT_UNMODELLED, RULE_NONE, UNMODELLED_ENGINE,
                    (uint64_t)engine << 16 | method->method, method->data);
    *unmodelled |= 1u << engine;
    nv_pbdma_set_target(pbdma, engine);
    nv_pbdma_sent(pbdma, method);
    return true;
}

/* True when the engine has the channel's context; else the PBDMA is resumed when it has. */
static bool nv_pbdma_need(struct nv_pbdma *pbdma, uint32_t engine_id)
{
    const struct nv_pbdma_state *state = pbdma->state;
    struct nv_engine *engine = nv_engine_by_id(pbdma->host, engine_id);

    return !engine || !engine->ops ||
           nv_engine_need(engine, state->tsg_id, state->channel_id, state->space_id,
                          pbdma->pbdma_id);
}

/* Hands METHOD0 to a modelled engine.  Returns false if it waits; *rule is the rule then. */
static bool nv_pbdma_hand_over(struct nv_pbdma *pbdma, const struct nv_method *method,
                               bool to_copy_engine, uint32_t *rule)
{
    if (to_copy_engine)
        return nv_pbdma_take_copy(pbdma, method->subchannel, method->method, method->data) ||
               nv_ce_method(nv_pbdma_ce(pbdma), method, rule);
    nv_fe_prepare(pbdma->fe);
    return nv_fe_take(pbdma->fe, method->subchannel, method->method, method->data) ||
           nv_fe_method(pbdma->fe, method, rule);
}

/* Sends METHOD0 to its engine.  Returns false if it waits or an interrupt was raised. */
static bool nv_pbdma_send(struct nv_pbdma *pbdma, const struct nv_method *method)
{
    const uint32_t engine = nv_pbdma_engine(pbdma, method->subchannel);
    const bool to_copy_engine = nv_pbdma_is_ce(pbdma, engine);
    uint32_t rule = RULE_NONE, illegal;

    if (engine == NV_PPBDMA_TARGET_ENGINE_SW) {
        nv_pbdma_interrupt(pbdma, NV_PPBDMA_INTR_0_DEVICE_LO);
        return false;
    }
    if (!nv_pbdma_has_context(pbdma, engine) ||
        (method->subchannel == 4 && !nv_pbdma_takes_subchannel_4(pbdma))) {
        nv_pbdma_interrupt(pbdma, NV_PBDMA_INTR_1 + NV_PPBDMA_INTR_1_CTXNOTVALID_LO);
        return false;
    }
    if (!to_copy_engine && !nv_pbdma_has_graphics(pbdma))
        return nv_pbdma_drop(pbdma, method, engine);
    if (to_copy_engine && nv_ce_illegal(nv_pbdma_hce(pbdma), method, &illegal)) {
        nv_pbdma_interrupt(pbdma, NV_PBDMA_INTR_1 + illegal);
        return false;
    }
    if (nv_pbdma_switches(pbdma, engine) && !nv_pbdma_target_idle(pbdma)) {
        nv_pbdma_block(pbdma, RULE_NV_SUBCH);
        return false;
    }
    if (!nv_pbdma_need(pbdma, engine)) {
        nv_pbdma_block(pbdma, RULE_B_R4);
        return false;
    }
    if (nv_pbdma_lost(pbdma, NV_PBDMA_INJECT_ENGINE))
        return false;
    nv_pbdma_set_target(pbdma, engine);
    if (!nv_pbdma_hand_over(pbdma, method, to_copy_engine, &rule)) {
        nv_pbdma_block(pbdma, rule);
        return false;
    }
    if (!to_copy_engine || method->method != NVA06F_SET_OBJECT)
        nv_pbdma_sent(pbdma, method);
    return true;
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
    nv_runlist_progress(nv_pbdma_queue(pbdma));
    nv_runlist_stir(nv_pbdma_queue(pbdma));
    if (nv_pbdma_is_host(&method))
        nv_pbdma_semaphore_done(pbdma);
    state->host_step = 0;
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_METHOD0, 0);
    nv_pbdma_start_batch(pbdma);
    nv_pbdma_segment(pbdma);
}
