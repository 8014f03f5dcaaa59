/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_ce.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/gpu_model.h"
#include "devices/nvidia/nv_ce_regs.h"
#include "devices/nvidia/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_pbdma_regs.h"
#include "devices/nvidia/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

enum nv_ce_event { NV_CE_COPY_END, NV_CE_RESUME };

static void nv_ce_event(void *unit, const struct event *event);
static uint32_t nv_ce_read(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t stored);
static void nv_ce_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                        uint32_t written);
static void nv_ce_finish(void *unit);
static const struct unit_ops nv_ce_ops = {
    .event = nv_ce_event, .read = nv_ce_read, .write = nv_ce_write, .finish = nv_ce_finish};

/* ---- wiring --------------------------------------------------------------------------------- */

static void nv_ce_fill_known(struct nv_ce *ce)
{
    const uint32_t classes[NV_CE_CLASSES] = {ce->model->class_copy, ce->model->class_copy_older};

    _Static_assert((int)NV_CE_METHODS == (int)NV_CLASS_METHODS, "one bit for each");
    for (uint32_t c = 0; c < NV_CE_CLASSES; c++)
        nv_class_known(nv_class_find(classes[c]), ce->known[c]);
}

void nv_ce_wire(struct nv_ce *ce, struct nv_host *host, struct nv_fe *fe, uint32_t engine_id,
                uint32_t instance)
{
    ce->machine = host->machine;
    ce->model = host->model;
    ce->host = host;
    ce->pbdmas = host->pbdmas;
    ce->fe = fe;
    ce->engine_id = engine_id;
    ce->instance = instance;
    (void)snprintf(ce->name, sizeof ce->name, "nv_ce%u", instance);
    ce->unit = machine_add_unit(ce->machine, ce->name, &nv_ce_ops, ce);
    ce->regs = machine_add_window(ce->machine, ce->unit, &nv_lce_list, NV_CE_LCE_BASE(instance),
                                  NV_CE_LCE_BYTES, instance);
    ce->state = machine_alloc(ce->machine, sizeof *ce->state);
    nv_ce_fill_known(ce);
}

/* The map as Pascal's two registers have it: four bits for each PCE, a byte for each GRCE. */
static void nv_ce_fill_map(const struct gpu_model *model, struct mmio_window *shared)
{
    uint32_t map = 0, grces = 0;

    for (uint32_t i = 0; i < model->pce_count && i < 8; i++) {
        const uint32_t lce = model->pce_to_lce[i];

        map |= (lce == GPU_PCE_UNUSED ? NV_CE_PCE2LCE_CONFIG_PCE0_ASSIGNED_LCE_NONE : lce) << 4 * i;
    }
    for (uint32_t i = 0; i < 2; i++)
        grces |= (model->grce[i].shared_lce | (uint32_t)model->grce[i].is_shared << 3) << 8 * i;
    shared->storage[NV_CE_PCE_MAP / 4] = (UINT32_C(1) << model->pce_count) - 1;
    shared->storage[NV_CE_PCE2LCE_CONFIG / 4] = map;
    shared->storage[NV_CE_GRCE_CONFIG / 4] = grces;
}

void nv_ce_wire_shared(struct nv_ce *ces, uint32_t count)
{
    const struct gpu_model *model;
    struct mmio_window *shared;

    if (count == 0)
        return;
    model = ces->model;
    shared = machine_add_window(ces->machine, ces->unit, &nv_ce_list, NV_CE_BASE, NV_CE_BYTES, 0);
    for (uint32_t i = 0; i < count; i++)
        ces[i].shared = shared;
    if (shared)
        nv_ce_fill_map(model, shared);
}

/* ---- class state ---------------------------------------------------------------------------- */

uint32_t nv_ce_class(const struct nv_ce *ce)
{
    return ce->state->object ? ce->state->object : ce->model->class_copy;
}

static bool nv_ce_known(const struct nv_ce *ce, uint32_t method)
{
    const uint32_t other = nv_ce_class(ce) != ce->model->class_copy;

    return ce->known[other][method / 128] >> (method / 4 % 32) & 1;
}

static uint32_t nv_ce_pces_of(const struct nv_ce *ce, uint32_t instance)
{
    const uint32_t map = ce->shared->storage[NV_CE_PCE2LCE_CONFIG / 4];
    uint32_t pces = 0;

    for (uint32_t i = 0; i < ce->model->pce_count; i++)
        if ((map >> (4 * i) & 0xf) == instance)
            pces |= 1u << i;
    return pces;
}

uint32_t nv_ce_pces(const struct nv_ce *ce)
{
    const uint32_t config = ce->shared->storage[NV_CE_GRCE_CONFIG / 4];
    const uint32_t grce = ce->instance < 2 ? config >> 8 * ce->instance : 0;

    return nv_ce_pces_of(ce, REG_GET(grce, NV_CE_GRCE_CONFIG_0_SHARED)
                                 ? REG_GET(grce, NV_CE_GRCE_CONFIG_0_SHARED_LCE)
                                 : ce->instance);
}

bool nv_ce_visible(const struct nv_ce *ce, uint32_t method)
{
    return method == NVC1B5_LAUNCH_DMA || method == NVC197_SET_OBJECT ||
           method == NVC1B5_SET_RENDER_ENABLE_C || !nv_ce_known(ce, method);
}

/* Conditions, physical addresses, classes and methods that Host does not let pass. */
bool nv_ce_illegal(const struct nv_ce *ce, const struct nv_method *method, uint32_t *bit)
{
    const uint32_t class_id = REG_GET(method->data, NVC197_SET_OBJECT_CLASS_ID);
    const uint32_t hce = nv_pbdma_reg(&ce->pbdmas[method->pbdma_id], NV_PPBDMA_HCE_CTRL);
    const uint32_t mode = REG_GET(method->data, NVC1B5_SET_RENDER_ENABLE_C_MODE);

    switch (method->method) {
    case NVC197_SET_OBJECT:
        *bit = NV_PPBDMA_INTR_1_HCE_ILLEGAL_CLASS_LO;
        return class_id != ce->model->class_copy &&
               (class_id != ce->model->class_copy_older || class_id == 0);
    case NVC1B5_SET_RENDER_ENABLE_C:
        *bit = NV_PPBDMA_INTR_1_HCE_RE_ILLEGAL_OP_LO;
        if (mode > NVC1B5_SET_RENDER_ENABLE_C_MODE_RENDER_IF_NOT_EQUAL)
            return true;
        /* ASSUMED: what is compared are 64-bit words. */
        *bit = NV_PPBDMA_INTR_1_HCE_RE_ALIGNB_LO;
        return mode >= NVC1B5_SET_RENDER_ENABLE_C_MODE_CONDITIONAL &&
               nv_ce_shadow(ce, NVC1B5_SET_RENDER_ENABLE_B) % 8 != 0;
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
    ce->state->shadow[method_x / 4] = REG_GET(word, NVC1B5_SET_SRC_ORIGIN_X);
    ce->state->shadow[method_x / 4 + 1] = REG_GET(word, NVC1B5_SET_SRC_ORIGIN_Y);
}

void nv_ce_private(struct nv_ce *ce, const struct nv_method *method)
{
    ce->state->shadow[method->method / 4] = method->data;
    if (method->method == NVC1B5_SET_SRC_ORIGIN)
        nv_ce_origin(ce, method->data, NVC1B5_SRC_ORIGIN_X);
    else if (method->method == NVC1B5_SET_DST_ORIGIN)
        nv_ce_origin(ce, method->data, NVC1B5_DST_ORIGIN_X);
}

static void nv_ce_unmodelled(struct nv_ce *ce, uint32_t method, uint32_t data, uint32_t what)
{
    uint32_t *reported = &ce->state->reported[method / 128];

    if (*reported >> (method / 4 % 32) & 1)
        return;
    *reported |= 1u << (method / 4 % 32);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_UNMODELLED, RULE_NONE, what,
                (uint64_t)nv_ce_class(ce) << 16 | method, data);
}

/* Host swaps the state of the copy class with the channel (tu104/dev_pbdma.ref.txt, HCE_CTRL). */
void nv_ce_context_save(struct nv_ce *ce, uint32_t channel_id, uint32_t space_id)
{
    struct nv_ce_state *state = ce->state;
    const uint64_t image = nv_fe_context_image(ce->fe, channel_id);
    uint64_t fault;

    if (image == 0)
        return;
    (void)machine_vm_write(ce->machine, space_id, image + NV_FE_IMAGE_BYTES, state->shadow,
                           NV_CE_STATE_METHODS * sizeof state->shadow[0], &fault);
}

void nv_ce_context_load(struct nv_ce *ce, uint32_t channel_id, uint32_t space_id)
{
    struct nv_ce_state *state = ce->state;
    const uint64_t image = nv_fe_context_image(ce->fe, channel_id);
    uint64_t fault;

    memset(state->shadow, 0, sizeof state->shadow);
    if (image != 0)
        (void)machine_vm_read(ce->machine, space_id, image + NV_FE_IMAGE_BYTES, state->shadow,
                              NV_CE_STATE_METHODS * sizeof state->shadow[0], &fault);
    state->object = REG_GET(state->shadow[NVC197_SET_OBJECT / 4], NVC197_SET_OBJECT_CLASS_ID);
}

/* ---- the queue ------------------------------------------------------------------------------ */

bool nv_ce_idle(struct nv_ce *ce, uint32_t pbdma_id)
{
    if (ce->state->count == 0 && !nv_ce_held(ce))
        return true;
    if (pbdma_id < GPU_PBDMAS_MAX)
        ce->state->waiting_pbdmas |= 1u << pbdma_id;
    return false;
}

static void nv_ce_resume_waiting(struct nv_ce *ce)
{
    if (ce->state->waiting_pbdmas)
        machine_schedule(ce->machine, ce->unit, machine_now(ce->machine), NV_CE_RESUME, 0);
}

static struct nv_ce_copy *nv_ce_head(struct nv_ce *ce)
{
    return &ce->state->copies[ce->state->head];
}

static void nv_ce_pop(struct nv_ce *ce)
{
    struct nv_ce_state *state = ce->state;

    *nv_ce_head(ce) = (struct nv_ce_copy){0};
    state->head = (state->head + 1) % NV_CE_QUEUE;
    state->count--;
    state->running = 0;
    if (state->count == 0)
        state->head = 0;
}

/* Every queued copy tells what it has been waiting for until now. */
static void nv_ce_tell_waiting(struct nv_ce *ce, uint32_t rule, uint32_t blocker_kind,
                               uint64_t blocker)
{
    struct nv_ce_state *state = ce->state;
    const gfe_ps now = machine_now(ce->machine);

    for (uint32_t i = 0; i < state->count; i++) {
        struct nv_ce_copy *copy = &state->copies[(state->head + i) % NV_CE_QUEUE];

        if (copy->waiting_ps < now)
            MACHINE_LOG(ce->machine, ce->unit, EVENT_WAIT, rule, copy->waiting_ps, SUBJECT_COPY,
                        copy->copy_id, blocker_kind, blocker);
        copy->waiting_ps = now;
    }
}

/* How long the copy takes, from now on. */
static gfe_ps nv_ce_end(struct nv_ce *ce, struct nv_ce_copy *copy, uint64_t *traffic_bytes)
{
    const struct machine *machine = ce->machine;
    const uint32_t pces = nv_ce_pces(ce);
    const struct copy_traffic traffic = nv_ce_traffic(ce->machine, copy);
    const struct copy_rates rates = {
        .engine = ce->model->pce_bytes_per_second * (uint32_t)__builtin_popcount(pces ? pces : 1),
        .system = ce->model->system_bytes_per_second,
        .local = ce->model->local_bytes_per_second,
    };
    const bool pipelined = REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE) ==
                           NVC1B5_LAUNCH_DMA_DATA_TRANSFER_TYPE_PIPELINED;
    const bool flushes = REG_GET(copy->launch, NVC1B5_LAUNCH_DMA_FLUSH_ENABLE);
    enum copy_limit limit;
    gfe_ps end = copy_ready_ps(&ce->host->clock, copy->queued_ps, machine_now(machine),
                               machine_parameter(machine, PARAM_COPY_SETUP_CYCLES), pipelined);

    end = clock_add(end, copy_transfer_ps(&ce->state->carry, &rates, &traffic, &limit));
    copy->limited_by = limit;
    *traffic_bytes = traffic.read_bytes + traffic.written_bytes;
    if (!flushes)
        return end;
    return clock_after_cycles(&ce->host->clock, end,
                              machine_parameter(machine, PARAM_NV_CE_FLUSH_CYCLES));
}

static void nv_ce_run(struct nv_ce *ce, struct nv_ce_copy *copy)
{
    uint64_t traffic_bytes;
    const gfe_ps end = nv_ce_end(ce, copy, &traffic_bytes);

    ce->state->running = 1;
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_START, RULE_T_C2, copy->copy_id, copy->channel_id,
                ce->engine_id, copy->byte_count, traffic_bytes, copy->limited_by, nv_ce_pces(ce));
    machine_schedule(ce->machine, ce->unit, end, NV_CE_COPY_END, 0);
}

static void nv_ce_launch_error(struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    const bool config = copy->launch_error == NV_CE_LCE_LAUNCHERR_REPORT_INVALID_CONFIG;

    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_CE_LAUNCHERR, RULE_NONE, copy->copy_id,
                copy->channel_id, ce->engine_id, copy->launch_error, copy->launch);
    ce->regs->storage[NV_CE_LCE_LAUNCHERR / 4] = copy->launch_error;
    nv_ce_interrupt(ce, copy->channel_id,
                    1u << NV_CE_LCE_INTR_STATUS_LAUNCHERR_LO |
                        (config ? 1u << NV_CE_LCE_INTR_STATUS_INVALID_CONFIG_LO : 0),
                    copy->launch_error);
}

/* Takes up what is at the head, unless it runs already or an interrupt holds the engine. */
static void nv_ce_advance(struct nv_ce *ce)
{
    struct nv_ce_state *state = ce->state;

    while (state->count > 0 && !state->running && !nv_ce_held(ce)) {
        struct nv_ce_copy *copy = nv_ce_head(ce);

        if (nv_channel_get(ce->host, copy->channel_id)->stopped) {
            MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_DROP, RULE_NONE, copy->copy_id,
                        copy->channel_id, ce->engine_id);
            nv_ce_pop(ce);
        } else if (copy->launch_error) {
            nv_ce_launch_error(ce, copy);
            nv_ce_pop(ce);
        } else {
            nv_ce_run(ce, copy);
        }
    }
    nv_ce_resume_waiting(ce);
}

/* ---- launching ------------------------------------------------------------------------------ */

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

    if (state->count > 0 && (state->count >= credits || state->count == NV_CE_QUEUE)) {
        state->waiting_pbdmas |= 1u << method->pbdma_id;
        *rule = nv_ce_held(ce) ? RULE_NV_CE_INTR : RULE_T_C2;
        return false;
    }
    if (REG_GET(launch, NVC1B5_LAUNCH_DMA_VPRMODE) ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_RESERVED_START_OF_COPY) ||
        REG_GET(launch, NVC1B5_LAUNCH_DMA_RESERVED_ERR_CODE))
        nv_ce_unmodelled(ce, NVC1B5_LAUNCH_DMA, launch, UNMODELLED_FIELD);
    if (disabled && ce->machine->choices[CHOICE_NV_CE_RENDER_DISABLED])
        return true; /* the whole launch is dropped */
    copy = &state->copies[(state->head + state->count) % NV_CE_QUEUE];
    *copy = nv_ce_decode(ce, method, transfers);
    copy->copy_id = machine_operation_id(ce->machine);
    state->count++;
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
                ce->engine_id, REG_GET(method->data, NVC1B5_SET_RENDER_ENABLE_C_MODE), enabled);
}

bool nv_ce_method(struct nv_ce *ce, const struct nv_method *method, uint32_t *rule)
{
    ce->state->shadow[method->method / 4] = method->data;
    if (method->method == NVC1B5_LAUNCH_DMA)
        return nv_ce_launch(ce, method, rule);
    if (method->method == NVC1B5_SET_RENDER_ENABLE_C) {
        nv_ce_render_enable(ce, method);
        return true;
    }
    assert(method->method == NVC197_SET_OBJECT); /* nv_ce_illegal() has refused all others */
    ce->state->object = REG_GET(method->data, NVC197_SET_OBJECT_CLASS_ID);
    MACHINE_LOG(ce->machine, ce->unit, EVENT_NV_SET_OBJECT, RULE_NV_SUBCHANNEL, method->channel_id,
                method->subchannel, ce->state->object);
    return true;
}

/* ---- the end of a copy ---------------------------------------------------------------------- */

static void nv_ce_complete(struct nv_ce *ce, const struct nv_ce_copy *copy)
{
    uint64_t fault;
    bool is_write;

    if (!nv_ce_move(ce->machine, copy, &fault, &is_write)) {
        nv_ce_fault(ce, copy->channel_id, fault, is_write,
                    (is_write ? &copy->to : &copy->from)->aperture != MEMORY_APERTURE_COUNT);
        return;
    }
    MACHINE_LOG(ce->machine, ce->unit, EVENT_COPY_END, RULE_NONE, copy->copy_id, copy->channel_id,
                ce->engine_id, copy->byte_count, copy->limited_by);
    nv_ce_signal(ce, copy);
}

static void nv_ce_copy_end(struct nv_ce *ce)
{
    const struct nv_ce_copy copy = *nv_ce_head(ce);

    assert(ce->state->count > 0 && ce->state->running);
    nv_ce_pop(ce);
    nv_ce_complete(ce, &copy);
    nv_ce_tell_waiting(ce, RULE_T_C2, SUBJECT_COPY, copy.copy_id);
    nv_ce_advance(ce);
}

static void nv_ce_event(void *unit, const struct event *event)
{
    struct nv_ce *ce = unit;
    const uint32_t waiting = ce->state->waiting_pbdmas;

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

/* ---- registers ------------------------------------------------------------------------------ */

static uint32_t nv_ce_read(void *unit, const struct mmio_window *window, uint32_t offset,
                           uint32_t stored)
{
    const struct nv_ce *ce = unit;

    if (window == ce->regs && offset == NV_CE_LCE_STATUS)
        return REG_PUT(0, NV_CE_LCE_STATUS_TOP, ce->state->count > 0 || nv_ce_held(ce));
    return stored;
}

static void nv_ce_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                        uint32_t written)
{
    struct nv_ce *ce = unit;

    if (window != ce->regs || (offset != NV_CE_LCE_INTR_STATUS && offset != NV_CE_LCE_INTR_EN))
        return;
    nv_ce_interrupt_changed(ce);
    if (offset == NV_CE_LCE_INTR_EN || !nv_ce_holds(old & written) || nv_ce_held(ce))
        return;
    nv_ce_tell_waiting(ce, RULE_NV_CE_INTR, SUBJECT_ENGINE, ce->engine_id);
    nv_ce_advance(ce);
}

/* Copies that still wait when nothing is left to happen: an interrupt that nobody cleared. */
static void nv_ce_finish(void *unit)
{
    struct nv_ce *ce = unit;

    for (uint32_t i = 0; i < ce->state->count; i++) {
        const struct nv_ce_copy *copy = &ce->state->copies[(ce->state->head + i) % NV_CE_QUEUE];

        MACHINE_LOG(ce->machine, ce->unit, EVENT_WAIT_OPEN, RULE_NV_CE_INTR, copy->waiting_ps,
                    SUBJECT_COPY, copy->copy_id, SUBJECT_ENGINE, ce->engine_id);
    }
}
