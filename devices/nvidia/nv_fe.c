/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_fault.h"
#include "devices/nvidia/nv_fe.h"

#include <assert.h>
#include <string.h>

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/formats/nv_class.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/nv_tables.h"

/* The classes of the front end share these offsets. */
_Static_assert((int)NVA097_WAIT_FOR_IDLE == (int)NVA0C0_WAIT_FOR_IDLE, "one offset");
_Static_assert((int)NVA097_LAUNCH_DMA == (int)NVA0C0_LAUNCH_DMA, "one offset");
_Static_assert((int)NVA097_LAUNCH_DMA == (int)NVA040_LAUNCH_DMA, "one offset");
_Static_assert((int)NVA097_NOTIFY == (int)NV902D_NOTIFY, "one offset");
_Static_assert((int)NVC197_SET_REPORT_SEMAPHORE_D == (int)NVA0C0_SET_REPORT_SEMAPHORE_D, "");
_Static_assert((int)NVC797_REPORT_SEMAPHORE_EXECUTE == (int)NVC7C0_REPORT_SEMAPHORE_EXECUTE, "");

static void nv_fe_event(void *unit, const struct event *event);
static void nv_fe_finish(void *unit);
static void nv_fe_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                        uint32_t written);
static const struct unit_ops nv_fe_ops = {
    .event = nv_fe_event, .read = nv_fe_read, .write = nv_fe_write, .finish = nv_fe_finish};

/* A pipe for each runqueue of the graphics runlist. */
static void nv_fe_wire_pipes(struct nv_fe *fe)
{
    fe->pipe_count = 1;
    for (uint32_t i = 0; i < fe->model->engine_count; i++)
        if (fe->model->engines[i].kind == NV_CHIP_GRAPHICS && fe->model->engines[i].instance == 0)
            fe->pipe_count = nv_runlist_queue_count(fe->model, fe->model->engines[i].runlist_id);
    fe->pipes = machine_alloc(fe->machine, fe->pipe_count * sizeof *fe->pipes);
    for (uint32_t i = 0; i < fe->pipe_count; i++)
        fe->pipes[i].context_channel = fe->pipes[i].context_tsg = NV_FE_NOBODY;
}

void nv_fe_wire(struct nv_fe *fe, struct nv_host *host, struct dispatch *dispatch)
{
    fe->machine = host->machine;
    fe->model = host->model;
    fe->host = host;
    fe->pbdmas = host->pbdmas;
    fe->dispatch = dispatch;
    fe->unit = machine_add_unit(fe->machine, "nv_fe", &nv_fe_ops, fe);
    fe->regs = machine_add_part(fe->machine, fe->unit, &nv_pgraph_list, NV_PGRAPH_BASE, 0,
                                NV_PGRAPH_BYTES);
    (void)machine_add_part(fe->machine, fe->unit, &nv_pgraph_list, NV_PGRAPH_BASE,
                           NV_PGRAPH_FE_OBJECT_TABLE, 4 * NV_FE_SUBCHANNELS);
    (void)machine_add_part(fe->machine, fe->unit, &nv_pgraph_list, NV_PGRAPH_BASE,
                           NV_PGRAPH_FECS_CURRENT_CTX, 4);
    for (uint32_t s = 0; s < NV_FE_SUBCHANNELS; s++)
        fe->action_class[s] = UINT32_MAX;
    fe->state = machine_alloc(fe->machine, sizeof *fe->state);
    nv_fe_wire_pipes(fe);
    fe->work_timer = machine_add_timer(fe->machine);
    nv_fe_context_wire(fe);
    dispatch->client = (struct dispatch_client){.grid_done = nv_compute_grid_done,
                                                .suspended = nv_fe_dispatch_suspended,
                                                .why_off = nv_fe_why_off,
                                                .started = nv_compute_started,
                                                .client = fe,
                                                .sm_site = NV_INJECT_SM};
}

/* ---- class state ----------------------------------------------------------------------------- */

uint32_t nv_fe_class(const struct nv_fe *fe, uint32_t subchannel)
{
    const uint16_t classes[NV_FE_SUBCHANNELS] = {fe->model->class_3d, fe->model->class_compute,
                                                 fe->model->class_inline, fe->model->class_2d};
    const uint32_t object = nv_fe_pipe(fe)->objects[subchannel];

    return object || fe->machine->choices[CHOICE_NV_GR_UNBOUND] == NV_GR_UNBOUND_NOTHING
               ? object
               : classes[subchannel];
}

uint32_t nv_fe_shadow(const struct nv_fe *fe, uint32_t subchannel, uint32_t method)
{
    return nv_fe_pipe(fe)->shadow[subchannel][method / 4];
}

uint64_t nv_fe_address(const struct nv_fe *fe, uint32_t subchannel, uint32_t method,
                       uint32_t upper_mask)
{
    const uint64_t upper = nv_fe_shadow(fe, subchannel, method) & upper_mask;

    return upper << 32 | nv_fe_shadow(fe, subchannel, method + 4);
}

/* The engine behind a class id: 3D, compute and so on share the low byte over the generations. */
static bool nv_fe_is_3d(uint32_t class_id)
{
    return (class_id & 0xff) == 0x97;
}

static bool nv_fe_is_compute(uint32_t class_id)
{
    return (class_id & 0xff) == 0xc0;
}

static bool nv_fe_has_inline(uint32_t class_id)
{
    return nv_fe_is_3d(class_id) || nv_fe_is_compute(class_id) || (class_id & 0xff) == 0x40;
}

static bool nv_fe_is_constant_load(uint32_t class_id, uint32_t method)
{
    return nv_fe_is_3d(class_id) && method >= NVA097_LOAD_CONSTANT_BUFFER &&
           method < NVA097_LOAD_CONSTANT_BUFFER + 16 * 4;
}

/* CALL_MME_MACRO; the other methods there are CALL_MME_DATA, arguments of the last call. */
static bool nv_fe_is_macro(uint32_t method)
{
    return method >= NVA097_CALL_MME_MACRO;
}

/* A report, asked for in the one way or, from GA10x on, the other. */
static bool nv_fe_is_report(uint32_t class_id, uint32_t method)
{
    if (!nv_fe_is_3d(class_id) && !nv_fe_is_compute(class_id))
        return false;
    return method == NVC197_SET_REPORT_SEMAPHORE_D || nv_fe_is_report_execute(class_id, method);
}

/* ASSUMED: WAIT_FOR_IDLE_SCG_TYPE waits for graphics, too, which is one engine with compute. */
static bool nv_fe_is_compute_wait(uint32_t class_id, uint32_t method)
{
    return nv_fe_is_compute(class_id) && class_id >= MAXWELL_COMPUTE_B &&
           method == NVB1C0_WAIT_FOR_IDLE_SCG_TYPE;
}

/* What a method asks for.  Most only set class state: one look into a table tells. */
enum nv_fe_action {
    NV_FE_PRIVATE, /* sets class state */
    NV_FE_VISIBLE,
    NV_FE_LOST,      /* with some data words loses an effect, which is logged; else private */
    NV_FE_NO_METHOD, /* the class does not have it */
    NV_FE_NO_CLASS,  /* the chip does not have the class, or none is bound */
    NV_FE_BEGIN,
    NV_FE_INDEX, /* inline indices come word by word: the first after a BEGIN is the draw */
    NV_FE_INLINE_DATA,
};

static enum nv_fe_action nv_fe_action(const struct nv_losses *losses, uint32_t class_id,
                                      uint32_t method, bool is_known)
{
    if (!is_known)
        return NV_FE_NO_METHOD;
    switch (method) {
    case NVA097_SET_OBJECT:
    case NVA097_WAIT_FOR_IDLE:
    case NVA097_NOTIFY:
        return NV_FE_VISIBLE;
    default:
        break;
    }
    if (nv_fe_has_inline(class_id) && method == NVA097_LAUNCH_DMA)
        return NV_FE_VISIBLE;
    if (nv_fe_has_inline(class_id) && method == NVA097_LOAD_INLINE_DATA)
        return NV_FE_INLINE_DATA;
    if (nv_fe_is_report(class_id, method) || nv_fe_is_compute_wait(class_id, method) ||
        nv_compute_is_inline(class_id, method))
        return NV_FE_VISIBLE;
    if (nv_fe_is_compute(class_id) &&
        (method == NVA0C0_SEND_SIGNALING_PCAS_B ||
         (method == NVC6C0_SEND_SIGNALING_PCAS2_B && class_id >= AMPERE_COMPUTE_A)))
        return NV_FE_VISIBLE;
    if (nv_fe_is_3d(class_id) && method == NVC197_BEGIN)
        return NV_FE_BEGIN;
    if (nv_fe_is_inline_index(class_id, method))
        return NV_FE_INDEX;
    if (nv_fe_is_constant_load(class_id, method) || nv_fe_is_draw(class_id, method))
        return NV_FE_VISIBLE;
    return losses->first[method / 4] != 0 ? NV_FE_LOST : NV_FE_PRIVATE;
}

static void nv_fe_fill_actions(struct nv_fe *fe, uint32_t subchannel, uint32_t class_id)
{
    const bool exists = nv_fe_has_class(fe, class_id);
    uint32_t known[NV_FE_METHODS / 32] = {0};

    _Static_assert((int)NV_FE_METHODS == (int)NV_CLASS_METHODS, "one bit for each");
    nv_class_known(nv_class_find(class_id), known);
    nv_losses_fill(&fe->losses[subchannel], nv_class_find(class_id));
    for (uint32_t m = 0; m < NV_FE_METHODS; m++)
        fe->actions[subchannel][m] =
            (uint8_t)(4 * m == NVA097_SET_OBJECT ? NV_FE_VISIBLE
                      : !exists                  ? NV_FE_NO_CLASS
                                : nv_fe_action(&fe->losses[subchannel], class_id, 4 * m,
                                               known[m / 32] >> m % 32 & 1));
    fe->action_class[subchannel] = class_id;
}

void nv_fe_prepare(struct nv_fe *fe)
{
    nv_fe_class_state(fe);
    for (uint32_t s = 0; s < NV_FE_SUBCHANNELS; s++)
        if (fe->action_class[s] != nv_fe_class(fe, s))
            nv_fe_fill_actions(fe, s, nv_fe_class(fe, s));
}

/* Handles a method that is not simply class state.  Returns false if the method has a visible
 * effect, which needs an event. */
static bool nv_fe_takes(struct nv_fe *fe, uint32_t subchannel, uint32_t method, uint32_t data)
{
    switch ((enum nv_fe_action)fe->actions[subchannel][method / 4]) {
    case NV_FE_VISIBLE:
    case NV_FE_NO_METHOD:
    case NV_FE_NO_CLASS:
        return false;
    case NV_FE_LOST:
        return nv_losses_hit(&fe->losses[subchannel], method, data) == NULL;
    case NV_FE_BEGIN:
        nv_fe_pipe(fe)->inline_indices = 0;
        return true;
    case NV_FE_INDEX:
        return nv_fe_pipe(fe)->inline_indices;
    case NV_FE_INLINE_DATA:
        if (nv_inline_data_visible(fe, subchannel))
            return false;
        nv_inline_data_private(fe, subchannel, data);
        return true;
    default:
        return true;
    }
}

/* Apart, so that nv_fe_take() needs no room on the stack. */
static __attribute__((noinline)) bool nv_fe_take_other(struct nv_fe *fe, uint32_t subchannel,
                                                       uint32_t method, uint32_t data)
{
    if (!nv_fe_takes(fe, subchannel, method, data))
        return false;
    nv_fe_pipe(fe)->shadow[subchannel][method / 4] = data;
    return true;
}

bool nv_fe_take(void *context, uint32_t subchannel, uint32_t method, uint32_t data)
{
    struct nv_fe *fe = context;

    if (fe->actions[subchannel][method / 4] != NV_FE_PRIVATE)
        return nv_fe_take_other(fe, subchannel, method, data);
    nv_fe_pipe(fe)->shadow[subchannel][method / 4] = data;
    return true;
}

/* ---- methods that can be seen ---------------------------------------------------------------- */

/* What is bound stays bound, even if the chip does not have it. */
static bool nv_fe_set_object(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    const uint32_t class_id = REG_GET(method->data, NVA097_SET_OBJECT_CLASS_ID);

    nv_fe_pipe(fe)->objects[method->subchannel] = class_id;
    if (!nv_fe_has_class(fe, class_id))
        return nv_fe_illegal(fe, method, NV_FE_ERROR_CLASS, rule);
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_SET_OBJECT, RULE_NV_SUBCHANNEL, method->channel_id,
                method->subchannel, class_id);
    return true;
}

static bool nv_fe_wait_idle(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    return nv_fe_idle(fe, method->pbdma_id) || nv_fe_refuse(fe, method, RULE_NV_WFI, rule);
}

/* Executes a method of one kind of class, or one that has no effect here (which is logged later).
 * Returns false if it is refused. */
static bool nv_fe_other(struct nv_fe *fe, const struct nv_method *method, uint32_t class_id,
                        uint32_t *rule)
{
    if (nv_fe_is_draw(class_id, method->method))
        return nv_fe_draw(fe, method, rule);
    if (nv_fe_is_report(class_id, method->method))
        return nv_fe_report(fe, method, rule);
    if (nv_fe_is_compute_wait(class_id, method->method))
        return nv_fe_wait_idle(fe, method, rule);
    if (nv_compute_is_inline(class_id, method->method))
        return nv_compute_inline(fe, method, rule);
    if (nv_fe_is_constant_load(class_id, method->method))
        nv_constant_load(fe, method);
    return true;
}

static bool nv_fe_execute(struct nv_fe *fe, const struct nv_method *method, uint32_t class_id,
                          uint32_t *rule)
{
    switch (method->method) {
    case NVA097_SET_OBJECT:
        return nv_fe_set_object(fe, method, rule);
    case NVA097_WAIT_FOR_IDLE:
        return nv_fe_wait_idle(fe, method, rule);
    case NVA097_NOTIFY:
        return nv_fe_notify(fe, method, rule);
    case NVA097_LAUNCH_DMA:
        if (nv_fe_has_inline(class_id)) {
            nv_inline_launch(fe, method);
            return true;
        }
        break;
    case NVA097_LOAD_INLINE_DATA:
        if (nv_fe_has_inline(class_id)) {
            nv_inline_data(fe, method);
            return true;
        }
        break;
    case NVA0C0_SEND_SIGNALING_PCAS_B:
        if (nv_fe_is_compute(class_id))
            return nv_compute_launch(fe, method, rule);
        break;
    case NVC6C0_SEND_SIGNALING_PCAS2_B:
        if (nv_fe_is_compute(class_id) && class_id >= AMPERE_COMPUTE_A)
            return nv_compute_launch(fe, method, rule);
        break;
    default:
        break;
    }
    return nv_fe_other(fe, method, class_id, rule);
}

/* Logs what the method that was executed loses of its effect. */
static void nv_fe_account(struct nv_fe *fe, const struct nv_method *method)
{
    const uint32_t subchannel = method->subchannel;
    const struct nv_loss *loss =
        nv_losses_hit(&fe->losses[subchannel], method->method, method->data);

    if (loss != NULL && loss->field != NULL)
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    else if (loss != NULL && nv_fe_is_macro(method->method))
        nv_fe_unmodelled(fe, method, UNMODELLED_MACRO);
    else if (loss != NULL)
        nv_fe_unmodelled(fe, method, UNMODELLED_METHOD);
}

bool nv_fe_method(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    const uint32_t action = fe->actions[method->subchannel][method->method / 4];
    uint32_t class_id;

    nv_fe_class_state(fe);
    class_id = nv_fe_class(fe, method->subchannel);
    if (!nv_fe_is_constant_load(class_id, method->method))
        nv_constant_flush_log(fe, nv_fe_pipe(fe));
    if (action == NV_FE_NO_METHOD || action == NV_FE_NO_CLASS)
        return nv_fe_illegal(
            fe, method, action == NV_FE_NO_METHOD ? NV_FE_ERROR_METHOD : NV_FE_ERROR_CLASS, rule);
    nv_fe_pipe(fe)->shadow[method->subchannel][method->method / 4] = method->data;
    if (!nv_fe_execute(fe, method, class_id, rule))
        return false;
    nv_fe_account(fe, method);
    return true;
}

/* ---- waiting --------------------------------------------------------------------------------- */

/* Returns the context of the channel on a PBDMA: that of its TSG, or the only one if TSGs are not
 * told apart. */
static const struct nv_fe_context *nv_fe_context_of(const struct nv_fe *fe, uint32_t pbdma_id)
{
    const struct nv_fe_context *current = nv_fe_current(fe);

    if (current && current->tsg_id == NV_FE_NOBODY)
        return current;
    return nv_fe_context_find(fe, fe->pbdmas[pbdma_id].state->tsg_id);
}

bool nv_fe_idle(struct nv_fe *fe, uint32_t pbdma_id)
{
    const struct nv_fe_context *context = nv_fe_context_of(fe, pbdma_id);

    if (!context || nv_fe_context_idle(context))
        return true;
    fe->state->waiting_pbdmas |= UINT64_C(1) << pbdma_id;
    return false;
}

bool nv_fe_refuse(struct nv_fe *fe, const struct nv_method *method, uint32_t rule_id,
                  uint32_t *rule)
{
    fe->state->waiting_pbdmas |= UINT64_C(1) << method->pbdma_id;
    *rule = rule_id;
    return false;
}

/* Everybody who was refused tries again; who is refused again is noted again. */
void nv_fe_resume_waiting(struct nv_fe *fe)
{
    if (fe->state->waiting_pbdmas)
        machine_schedule(fe->machine, fe->unit, machine_now(fe->machine), NV_FE_RESUME, 0);
}

static void nv_fe_retry(struct nv_fe *fe)
{
    const uint64_t waiting = fe->state->waiting_pbdmas;

    fe->state->waiting_pbdmas = 0;
    for (uint32_t i = 0; i < fe->model->pbdma_count; i++)
        if (waiting >> i & 1)
            nv_pbdma_resume(&fe->pbdmas[i]);
}

bool nv_fe_outstanding_room(const struct nv_fe *fe)
{
    const struct nv_fe_context *context = nv_fe_current(fe);

    return context && context->outstanding.count < NV_FE_OUTSTANDING &&
           fe->state->outstanding_pool.count < NV_FE_ALL_OUTSTANDING_MAX;
}

void nv_fe_outstanding_add(struct nv_fe *fe, uint64_t operation_id, uint64_t order)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t link = nv_fe_pool_take(&state->outstanding_pool, state->outstanding_next,
                                          NV_FE_ALL_OUTSTANDING_MAX);

    state->outstanding[link - 1] = (struct nv_fe_outstanding){
        .operation_id = operation_id, .order = order, .context = state->current - 1};
    nv_fe_queue_push(&nv_fe_current(fe)->outstanding, state->outstanding_next, link);
}

/* The link in front of the operation's, 0 when it is the first. */
static uint32_t nv_fe_outstanding_before(const struct nv_fe *fe,
                                         const struct nv_fe_context *context, uint64_t operation_id)
{
    const struct nv_fe_state *state = fe->state;
    uint32_t before = 0, link = context->outstanding.first;

    while (link != 0 && state->outstanding[link - 1].operation_id != operation_id) {
        before = link;
        link = state->outstanding_next[link - 1];
    }
    assert(link != 0);
    return before;
}

struct nv_fe_outstanding *
nv_fe_outstanding_find(struct nv_fe *fe, const struct nv_fe_context *context, uint64_t operation_id)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t before = nv_fe_outstanding_before(fe, context, operation_id);
    const uint32_t link = before ? state->outstanding_next[before - 1] : context->outstanding.first;

    return &state->outstanding[link - 1];
}

void nv_fe_outstanding_done(struct nv_fe *fe, struct nv_fe_context *context, uint64_t operation_id)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t before = nv_fe_outstanding_before(fe, context, operation_id);
    const uint32_t link = before ? state->outstanding_next[before - 1] : context->outstanding.first;
    const uint64_t order = state->outstanding[link - 1].order;

    state->outstanding[link - 1] = (struct nv_fe_outstanding){0};
    nv_fe_queue_remove(&context->outstanding, state->outstanding_next, before);
    nv_fe_pool_give(&state->outstanding_pool, state->outstanding_next, link);
    for (uint32_t at = context->reports.first; at != 0; at = state->report_next[at - 1])
        if (state->reports[at - 1].order > order)
            state->reports[at - 1].remaining--;
    nv_fe_report_advance(fe, context);
    nv_fe_resume_waiting(fe);
    nv_fe_context_changed(fe, context);
}

/* ---- errors ---------------------------------------------------------------------------------- */

void nv_fe_unmodelled(struct nv_fe *fe, const struct nv_method *method, uint32_t what)
{
    MACHINE_LOG(fe->machine, fe->unit, EVENT_UNMODELLED, RULE_NONE, what,
                (uint64_t)nv_fe_class(fe, method->subchannel) << 16 | method->method, method->data);
}

void nv_fe_stop_channel(struct nv_fe *fe, uint32_t channel_id)
{
    nv_host_stop_channel(fe->host, channel_id, 0);
    for (uint32_t i = 0; i < fe->model->pbdma_count; i++) {
        struct nv_pbdma *pbdma = &fe->pbdmas[i];

        if (pbdma->state->phase != NV_PBDMA_EMPTY && pbdma->state->channel_id == channel_id)
            nv_pbdma_stop(pbdma);
    }
}

void nv_fe_fault(struct nv_fe *fe, uint32_t channel_id, uint64_t address, bool is_write)
{
    const struct nv_fault fault = {
        .unit_kind = NV_FAULT_GR,
        .channel_id = channel_id,
        .address = address,
        .access = is_write ? NV_PFAULT_ACCESS_TYPE_WRITE : NV_PFAULT_ACCESS_TYPE_READ,
    };

    nv_fault_raise(fe->host->faults, fe->unit, &fault);
    nv_fe_stop_channel(fe, channel_id);
}

/* ---- interrupts ------------------------------------------------------------------------------ */

static void nv_fe_interrupt_changed(struct nv_fe *fe)
{
    nv_host_gr_interrupt(fe->host, (fe->regs->storage[NV_PGRAPH_INTR / 4] &
                                    fe->regs->storage[NV_PGRAPH_INTR_EN / 4]) != 0);
}

void nv_fe_interrupt(struct nv_fe *fe, uint32_t channel_id, uint32_t bits, bool nonstall)
{
    fe->regs->storage[(nonstall ? NV_PGRAPH_INTR_NONSTALL : NV_PGRAPH_INTR) / 4] |= bits;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_GR_INTR, RULE_NONE, channel_id, bits, nonstall);
    nv_fe_interrupt_changed(fe);
}

static void nv_fe_write(void *unit, const struct mmio_window *window, uint32_t offset, uint32_t old,
                        uint32_t written)
{
    const struct nv_fe *fe = unit;

    (void)window, (void)offset, (void)old, (void)written;
    nv_fe_interrupt_changed(unit);
    if (fe->state->trapped)
        nv_fe_resume_waiting(unit);
}

/* ---- events ---------------------------------------------------------------------------------- */

/* What is still to be said when the run ends: about constant buffers, and about reports. */
static void nv_fe_finish(void *unit)
{
    nv_constant_flush_all(unit);
    nv_fe_log_open_waits(unit);
}

/* Something that a context had on its way, unless it has been lost since. */
static void nv_fe_arrived(struct nv_fe *fe, const struct event *event)
{
    uint32_t index;
    struct nv_fe_context *context = nv_fe_tagged(fe, event->argument, &index);

    if (!context)
        return;
    if (event->kind == NV_FE_LAUNCH)
        nv_compute_launch_due(fe);
    else if (event->kind == NV_FE_REPORT)
        nv_fe_report_due(fe, context);
    else
        nv_compute_release_due(fe, index);
}

static void nv_fe_event(void *unit, const struct event *event)
{
    struct nv_fe *fe = unit;

    switch (event->kind) {
    case NV_FE_LAUNCH:
    case NV_FE_REPORT:
    case NV_FE_GRID_RELEASE:
        nv_fe_arrived(fe, event);
        break;
    case NV_FE_WORK_END:
        nv_fe_work_end(fe);
        break;
    case NV_FE_RESUME:
        nv_fe_retry(fe);
        break;
    case NV_FE_STOP:
        nv_fe_stop(fe);
        break;
    default:
        assert(event->kind >= NV_FE_ACQUIRE && event->kind < NV_FE_ACQUIRE + NV_CHIP_PBDMAS_MAX);
        nv_fe_acquire_due(fe, event->kind - NV_FE_ACQUIRE);
    }
}
