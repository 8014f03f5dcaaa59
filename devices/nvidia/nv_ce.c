/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_ce.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_open.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_tables.h"

static void nv_ce_event(void *unit, const struct event *event);
static uint32_t nv_ce_read(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t stored);
static void nv_ce_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                        uint32_t written);
static void nv_ce_finish(void *unit);
static const struct unit_ops nv_ce_ops = {
    .event = nv_ce_event, .read = nv_ce_read, .write = nv_ce_write, .finish = nv_ce_finish};

/* ---- engine ---------------------------------------------------------------------------------- */

const struct nv_engine_ops nv_ce_engine_ops = {
    .suspend = nv_ce_suspend,
    .resume = nv_ce_resume,
    .busy = nv_ce_busy,
    .runs = nv_ce_runs,
    .has_work = nv_ce_has_work,
    .state_bytes = nv_ce_state_bytes,
    .reset = nv_ce_reset,
};

static void nv_ce_suspended(void *engine)
{
    nv_engine_suspended(engine);
}

void nv_ce_connect(struct nv_ce *ce, struct nv_engine *engine)
{
    ce->engine = engine;
    ce->suspended = nv_ce_suspended;
    ce->suspended_context = engine;
    nv_engine_connect(engine, &nv_ce_engine_ops, ce);
}

/* ---- wiring ---------------------------------------------------------------------------------- */

static void nv_ce_fill_known(struct nv_ce *ce)
{
    const uint32_t classes[NV_CE_CLASSES] = {ce->model->class_copy, ce->model->class_copy_older};

    _Static_assert((int)NV_CE_METHODS == (int)NV_CLASS_METHODS, "one bit for each");
    for (uint32_t c = 0; c < NV_CE_CLASSES; c++)
        nv_class_known(nv_class_find(classes[c]), ce->known[c]);
}

/* All copy engines of a GPU share what is kept of channels and of contexts. */
static void nv_ce_wire_common(struct nv_ce *ce)
{
    uint32_t kept[NV_CE_METHODS / 32] = {1u << NVA097_SET_OBJECT / 4};

    _Static_assert((int)NV_CE_METHODS == (int)NV_HCE_METHODS_END, "the same method space");
    for (uint32_t i = 0; i < NV_CE_METHODS / 32; i++)
        kept[i] |= ce->known[0][i] | ce->known[1][i];
    nv_hce_wire(ce->hce, ce->machine, ce->host->channel_slots, kept);
    nv_losses_fill(&ce->hce->losses[0], nv_class_find(ce->model->class_copy));
    nv_losses_fill(&ce->hce->losses[1], nv_class_find(ce->model->class_copy_older));
    ce->saved = machine_alloc(ce->machine, sizeof *ce->saved);
    ce->saved->free_count = NV_CE_SAVED;
}

void nv_ce_reset_registers(struct nv_ce *ce)
{
    if (!ce->regs)
        return;
    ce->regs->storage[ce->layout->intr_en / 4] = ce->layout->intr_en_reset;
    if (ce->layout->has_status)
        ce->regs->storage[NV_CE_LCE_OPT / 4] = ce->layout->opt_reset;
}

/* Makes room for the class state of each runqueue that feeds the engine: one of a GRCE, which the
 * runqueue of its number has alone; of another engine all of its runlist. */
static void nv_ce_wire_feeds(struct nv_ce *ce)
{
    const struct nv_engine *engine = nv_engine_by_id(ce->host, ce->engine_id);

    ce->feed_count = engine && engine->row->kind == NV_CHIP_LCE
                         ? nv_runlist_queue_count(ce->model, engine->row->runlist_id)
                         : 1;
    ce->feeds = machine_alloc(ce->machine, ce->feed_count * sizeof *ce->feeds);
}

void nv_ce_wire(struct nv_ce *ces, uint32_t number, const struct nv_ce_common *common,
                uint32_t engine_id, uint32_t instance)
{
    struct nv_ce *ce = &ces[number];

    ce->machine = common->host->machine;
    ce->model = common->host->model;
    ce->host = common->host;
    ce->pbdmas = common->host->pbdmas;
    ce->fe = common->fe;
    ce->hce = common->hce;
    ce->pce = common->pce;
    ce->layout = nv_ce_layout_of(ce->model->class_host);
    ce->number = number;
    ce->engine_id = engine_id;
    ce->instance = instance;
    (void)snprintf(ce->name, sizeof ce->name, "nv_ce%u", instance);
    ce->unit = machine_add_unit(ce->machine, ce->name, &nv_ce_ops, ce);
    ce->regs = machine_add_window(ce->machine, ce->unit, ce->layout->block,
                                  ce->layout->block_base + ce->layout->block_stride * instance,
                                  ce->layout->block_bytes, instance);
    ce->state = machine_alloc(ce->machine, sizeof *ce->state);
    ce->state->tsg_id = ce->state->bound_channel = UINT32_MAX;
    nv_ce_wire_feeds(ce);
    nv_ce_reset_registers(ce);
    nv_ce_fill_known(ce);
    if (number == 0)
        nv_ce_wire_common(ce);
    ce->saved = ces[0].saved;
}

/* ---- class state ----------------------------------------------------------------------------- */

uint32_t nv_ce_class(const struct nv_ce *ce)
{
    return nv_ce_feed(ce)->object ? nv_ce_feed(ce)->object : ce->model->class_copy;
}

static bool nv_ce_known(const struct nv_ce *ce, uint32_t method)
{
    const uint32_t other = nv_ce_class(ce) != ce->model->class_copy;

    return ce->known[other][method / 128] >> (method / 4 % 32) & 1;
}

uint32_t nv_ce_pces(const struct nv_ce *ce)
{
    return nv_pce_serving(ce->pce, ce->instance);
}

static const struct nv_losses *nv_ce_losses(const struct nv_ce *ce)
{
    return &ce->hce->losses[nv_ce_class(ce) != ce->model->class_copy];
}

bool nv_ce_visible(const struct nv_ce *ce, uint32_t method, uint32_t data)
{
    return method == NVC1B5_LAUNCH_DMA || method == NVA097_SET_OBJECT ||
           method == NVA0B5_SET_RENDER_ENABLE_C || !nv_ce_known(ce, method) ||
           (nv_losses_has(nv_ce_losses(ce), method) &&
            nv_losses_hit(nv_ce_losses(ce), method, data) != NULL);
}

/* Conditions, physical addresses, classes and methods that Host does not let pass. */
bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *bit)
{
    const uint32_t class_id = REG_GET(method->data, NVA097_SET_OBJECT_CLASS_ID);
    const uint32_t hce = nv_pbdma_reg(&ce->pbdmas[method->pbdma_id], NV_PPBDMA_HCE_CTRL);
    const uint32_t mode = REG_GET(method->data, NVA0B5_SET_RENDER_ENABLE_C_MODE);

    switch (method->method) {
    case NVA097_SET_OBJECT:
        *bit = NV_PPBDMA_INTR_1_HCE_ILLEGAL_CLASS_LO;
        return class_id != ce->model->class_copy &&
               (class_id != ce->model->class_copy_older || class_id == 0);
    case NVA0B5_SET_RENDER_ENABLE_C:
        *bit = NV_PPBDMA_INTR_1_HCE_RE_ILLEGAL_OP_LO;
        if (mode > NVA0B5_SET_RENDER_ENABLE_C_MODE_RENDER_IF_NOT_EQUAL)
            return true;
        /* ASSUMED: what is compared are 64-bit words. */
        *bit = NV_PPBDMA_INTR_1_HCE_RE_ALIGNB_LO;
        return mode >= NVA0B5_SET_RENDER_ENABLE_C_MODE_CONDITIONAL &&
               nv_ce_shadow(ce, NVA0B5_SET_RENDER_ENABLE_B) % 8 != 0;
    case NVC1B5_LAUNCH_DMA:
        *bit = NV_PPBDMA_INTR_1_HCE_PRIV_LO;
        return (REG_GET(method->data, NVC1B5_LAUNCH_DMA_SRC_TYPE) ||
                REG_GET(method->data, NVC1B5_LAUNCH_DMA_DST_TYPE)) &&
               !REG_GET(hce, NV_PPBDMA_HCE_CTRL_PRIV_MODE);
    default:
        *bit = NV_PPBDMA_INTR_1_HCE_ILLEGAL_MTHD_LO;
        return !nv_ce_known(ce, method->method);
    }
}

/* Class c1b5 has two ways to give an origin, of 16 and of 32 bits a coordinate.  ASSUMED: they set
 * the same state, and the last one written counts. */
static void nv_ce_origin(struct nv_ce *ce, uint32_t word, uint32_t method_x)
{
    nv_ce_feed(ce)->shadow[method_x / 4] = REG_GET(word, NVA0B5_SET_SRC_ORIGIN_X);
    nv_ce_feed(ce)->shadow[method_x / 4 + 1] = REG_GET(word, NVA0B5_SET_SRC_ORIGIN_Y);
}

static void nv_ce_keep(struct nv_ce *ce, const struct nv_method *method)
{
    struct nv_ce_feed *feed = nv_ce_feed(ce);

    feed->shadow[method->method / 4] = method->data;
    feed->shadow_used = 1;
}

void nv_ce_private(struct nv_ce *ce, const struct nv_method *method)
{
    nv_ce_keep(ce, method);
    if (method->method == NVA0B5_SET_SRC_ORIGIN)
        nv_ce_origin(ce, method->data, NVC1B5_SRC_ORIGIN_X);
    else if (method->method == NVA0B5_SET_DST_ORIGIN)
        nv_ce_origin(ce, method->data, NVC1B5_DST_ORIGIN_X);
}

/* Logs what the method loses of its effect, if anything. */
static void nv_ce_account(struct nv_ce *ce, const struct nv_method *method)
{
    const struct nv_loss *loss = nv_losses_hit(nv_ce_losses(ce), method->method, method->data);

    if (loss != NULL)
        MACHINE_LOG(ce->machine, ce->unit, EVENT_UNMODELLED, RULE_NONE,
                    loss->field != NULL ? UNMODELLED_FIELD : UNMODELLED_METHOD,
                    (uint64_t)nv_ce_class(ce) << 16 | method->method, method->data);
}

/* Host swaps the state of the copy class with the channel (tu104/dev_pbdma.ref.txt, HCE_CTRL).  A
 * channel that has sent it no method has nothing to swap. */
void nv_ce_context_save(struct nv_ce *ce, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(ce->host, channel_id);
    const uint32_t slot = nv_host_slot(ce->host, channel_id);

    if (nv_ce_feed(ce)->shadow_used)
        nv_hce_save(ce->hce, slot, channel->instance, channel->bindings, nv_ce_feed(ce)->shadow);
    else
        nv_hce_save_nothing(ce->hce, slot);
}

void nv_ce_context_load(struct nv_ce *ce, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(ce->host, channel_id);
    const uint32_t slot = nv_host_slot(ce->host, channel_id);
    struct nv_ce_feed *feed = nv_ce_feed(ce);

    if (!feed->shadow_used && !nv_hce_has(ce->hce, slot, channel->instance, channel->bindings))
        return;
    feed->shadow_used =
        nv_hce_load(ce->hce, slot, channel->instance, channel->bindings, feed->shadow);
    feed->object = REG_GET(feed->shadow[NVA097_SET_OBJECT / 4], NVA097_SET_OBJECT_CLASS_ID);
}

/* ---- launching ------------------------------------------------------------------------------- */

/* The hardware would copy it; here it is a question of patience. */
static void nv_ce_check_size(struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    const uint64_t bytes = (uint64_t)copy->line_elements * copy->to.element_bytes;
    const uint32_t run = copy->from.block_linear || copy->to.block_linear ? 16 : NV_CE_PIECE_BYTES;
    const uint64_t runs = bytes ? copy->line_count * (bytes / run + 1) : 0;

    if (copy->byte_count > machine_parameter(ce->machine, PARAM_LARGEST_COPY_BYTES) ||
        runs > machine_parameter(ce->machine, PARAM_LARGEST_COPY_RUNS))
        machine_fail(ce->machine, ERROR_LIMIT,
                     "channel %u starts a copy of %llu bytes in %llu pieces, more than "
                     "core.largest_copy_bytes or core.largest_copy_runs allow",
                     copy->channel_id, (unsigned long long)copy->byte_count,
                     (unsigned long long)runs);
}

static bool nv_ce_launch(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule)
{
    struct nv_ce_state *state = ce->state;
    const uint64_t credits = machine_parameter(ce->machine, PARAM_NV_CE_CREDITS);
    const uint32_t launch = method->data;
    const bool disabled = REG_GET(nv_pbdma_reg(&ce->pbdmas[method->pbdma_id], NV_PPBDMA_HCE_CTRL),
                                  NV_PPBDMA_HCE_CTRL_RENDER_DISABLED);
    const bool transfers = REG_GET(launch, NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE) !=
                               NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE_NONE &&
                           !disabled;
    struct nv_ce_copy *copy;

    if (state->suspending ||
        (state->count > 0 && (state->count >= credits || state->count == NV_CE_QUEUE))) {
        state->waiting_pbdmas |= UINT64_C(1) << method->pbdma_id;
        *rule = nv_ce_held(ce) ? RULE_NV_CE_INTR : RULE_T_C2;
        return false;
    }
    nv_ce_account(ce, method);
    if (disabled && ce->machine->choices[CHOICE_NV_CE_RENDER_DISABLED])
        return true; /* the whole launch is dropped */
    copy = &state->copies[(state->head + state->count) % NV_CE_QUEUE];
    (void)machine_inject(ce->machine, ce->unit, NV_INJECT_COPY, method->channel_id,
                         &nv_ce_feed(ce)->shadow[NVC0B5_OFFSET_IN_UPPER / 4], 32);
    *copy = nv_ce_decode(ce, method, transfers);
    copy->copy_id = machine_operation_id(ce->machine);
    state->count++;
    nv_ce_work_changed(ce, copy->tsg_id);
    nv_ce_check_size(ce, copy);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_QUEUE, RULE_NONE, copy->copy_id, copy->channel_id,
                ce->engine_id, copy->byte_count, copy->from.base, copy->to.base, copy->gp_sequence);
    nv_ce_advance(ce);
    return true;
}

/* Host looks at the memory and keeps the answer in HCE_CTRL, which belongs to the channel. */
static void nv_ce_render_enable(struct nv_ce *ce, const struct nv_method *method)
{
    struct nv_pbdma *pbdma = &ce->pbdmas[method->pbdma_id];
    uint64_t fault;
    bool enabled;

    if (!nv_ce_condition(ce, method, &enabled, &fault)) {
        nv_ce_fault(ce, method->channel_id, fault, false, false);
        return;
    }
    nv_pbdma_set_reg(pbdma, NV_PPBDMA_HCE_CTRL,
                     REG_PUT(nv_pbdma_reg(pbdma, NV_PPBDMA_HCE_CTRL),
                             NV_PPBDMA_HCE_CTRL_RENDER_DISABLED, !enabled));
    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_CE_CONDITION, RULE_NONE, method->channel_id,
                ce->engine_id, REG_GET(method->data, NVA0B5_SET_RENDER_ENABLE_C_MODE), enabled);
}

bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule)
{
    nv_ce_keep(ce, method);
    if (method->method == NVC1B5_LAUNCH_DMA)
        return nv_ce_launch(ce, method, rule);
    if (method->method == NVA0B5_SET_RENDER_ENABLE_C) {
        nv_ce_render_enable(ce, method);
        return true;
    }
    if (method->method != NVA097_SET_OBJECT) {
        nv_ce_private(ce, method);
        nv_ce_account(ce, method);
        return true;
    }
    nv_ce_feed(ce)->object = REG_GET(method->data, NVA097_SET_OBJECT_CLASS_ID);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_SET_OBJECT, RULE_NV_SUBCHANNEL, method->channel_id,
                method->subchannel, nv_ce_feed(ce)->object);
    return true;
}

/* ---- registers and events -------------------------------------------------------------------- */

static void nv_ce_event(void *unit, const struct event *event)
{
    struct nv_ce *ce = unit;
    const uint64_t waiting = ce->state->waiting_pbdmas;

    if (event->kind == NV_CE_COPY_END) {
        nv_ce_copy_end(ce);
        return;
    }
    assert(event->kind == NV_CE_RESUME);
    ce->state->waiting_pbdmas = 0;
    for (uint32_t i = 0; i < ce->model->pbdma_count; i++)
        if (waiting >> i & 1)
            nv_pbdma_resume(&ce->pbdmas[i]);
}

/* The channel for which the engine works, or last did. */
static uint32_t nv_ce_bind_status(const struct nv_ce *ce)
{
    const struct nv_channel *channel = nv_channel_get(ce->host, ce->state->bound_channel);
    uint32_t word;

    if (ce->state->bound_channel == UINT32_MAX || !channel || !channel->bound)
        return 0;
    word =
        REG_PUT(1, NV_CE_LCE_BIND_STATUS_CTX_PTR, (uint32_t)(channel->instance >> 12) & 0xfffffff);
    return REG_PUT(word, NV_CE_LCE_BIND_STATUS_CTX_TARGET,
                   channel->instance_aperture == MEMORY_VRAM ? 0 : 2);
}

static uint32_t nv_ce_read(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t stored)
{
    const struct nv_ce *ce = unit;

    (void)window;
    if (!ce->layout->has_status)
        return stored;
    switch (offset) {
    case NV_CE_LCE_STATUS:
        return REG_PUT(0, NV_CE_LCE_STATUS_TOP, ce->state->count > 0 || nv_ce_held(ce));
    case NV_CE_LCE_BIND_STATUS:
        return nv_ce_bind_status(ce);
    case NV_CE_LCE_ENGCTL:
        return REG_PUT(stored, NV_CE_LCE_ENGCTL_STALLACK,
                       REG_GET(stored, NV_CE_LCE_ENGCTL_STALLREQ) &&
                           ce->state->phase == NV_CE_RESTS);
    default:
        return stored;
    }
}

/* What held the engine is gone. */
static void nv_ce_released(struct nv_ce *ce)
{
    if (ce->state->phase == NV_CE_RESTS)
        nv_ce_tell_waiting(ce, RULE_NV_CE_INTR, SUBJECT_ENGINE, ce->engine_id);
    nv_ce_advance(ce);
}

static void nv_ce_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                        uint32_t written)
{
    struct nv_ce *ce = unit;
    uint32_t *word = &ce->regs->storage[offset / 4];

    (void)window;
    if (ce->layout->has_status && offset == NV_CE_LCE_ENGCTL) {
        *word = REG_PUT(0, NV_CE_LCE_ENGCTL_STALLREQ, REG_GET(written, NV_CE_LCE_ENGCTL_STALLREQ));
        if (REG_GET(old, NV_CE_LCE_ENGCTL_STALLREQ) && !nv_ce_held(ce))
            nv_ce_released(ce);
    } else if (offset == ce->layout->intr_en) {
        nv_ce_interrupt_changed(ce);
    } else if (offset == ce->layout->intr_status) {
        nv_ce_interrupt_changed(ce);
        if (nv_ce_holds(old & written) && !nv_ce_held(ce))
            nv_ce_released(ce);
    }
}

/* Reports a copy that has not ended, and the semaphore that it would release. */
static void nv_ce_log_open(struct nv_ce *ce, const struct nv_ce_copy *copy, uint32_t rule,
                           const struct machine_wait *blocker)
{
    struct machine_wait wait = *blocker;

    wait.begin_ps = copy->waiting_ps;
    wait.subject_kind = SUBJECT_COPY;
    wait.subject_id = copy->copy_id;
    if (rule == RULE_GFE_LOST)
        machine_log_lost(ce->machine, ce->unit, &wait);
    else if (rule != RULE_NONE)
        machine_log_open(ce->machine, ce->unit, rule, &wait);
    if (REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE) !=
        NVC1B5_LAUNCH_DMA_SEMAPHORE_TYPE_NONE)
        machine_log_holds(ce->machine, ce->unit, SUBJECT_COPY, copy->copy_id, SUBJECT_SEMAPHORE,
                          copy->semaphore_address);
}

/* The first copy runs, or the engine is held; the others wait for the one in front. */
static void nv_ce_finish_queue(struct nv_ce *ce)
{
    uint64_t before = 0;

    for (uint32_t i = 0; i < ce->state->count; i++) {
        const struct nv_ce_copy *copy = &ce->state->copies[(ce->state->head + i) % NV_CE_QUEUE];
        struct machine_wait wait = {.blocker_kind = SUBJECT_COPY, .blocker_id = before};
        uint32_t rule = RULE_T_C2;

        if (i == 0) {
            const bool held = ce->state->phase == NV_CE_RESTS && nv_ce_held(ce);

            wait.blocker_kind = held ? SUBJECT_ENGINE : SUBJECT_NONE;
            wait.blocker_id = held ? ce->engine_id : 0;
            /* nv_pce.c reports the one that moves */
            rule = held                              ? RULE_NV_CE_INTR
                   : ce->state->phase == NV_CE_MOVES ? RULE_NONE
                                                     : RULE_GFE_LOST;
        }
        nv_ce_log_open(ce, copy, rule, &wait);
        before = copy->copy_id;
    }
}

/* Reports the copies that have not ended when no event is left: an interrupt was never cleared, or
 * their context does not come back. */
static void nv_ce_finish(void *unit)
{
    struct nv_ce *ce = unit;

    nv_ce_finish_queue(ce);
    for (uint32_t chain = 0; ce->saved->free_count < NV_CE_SAVED && chain < NV_CE_SAVED_CHAINS;
         chain++)
        for (uint32_t n = ce->saved->heads[chain]; n; n = ce->saved->saved[n - 1].next) {
            const struct nv_ce_saved *saved = &ce->saved->saved[n - 1];
            struct machine_wait wait = {0};

            if (saved->ce == ce->number)
                nv_ce_log_open(ce, &saved->copy, nv_open_tsg(ce->host, saved->copy.tsg_id, &wait),
                               &wait);
        }
}
