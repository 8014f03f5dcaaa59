/* SPDX-License-Identifier: MIT */
/* Contexts of the front end: what of a TSG is on its way, and class state. */
#include <config.h>

#include <assert.h>
#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_channel.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/nv_tables.h"

/* ---- records --------------------------------------------------------------------------------- */

uint32_t nv_fe_pool_take(struct nv_fe_pool *pool, uint32_t *next, uint32_t limit)
{
    uint32_t link = pool->free;

    assert(pool->count < limit);
    (void)limit;
    pool->count++;
    if (link == 0)
        return ++pool->used;
    pool->free = next[link - 1];
    next[link - 1] = 0;
    return link;
}

void nv_fe_pool_give(struct nv_fe_pool *pool, uint32_t *next, uint32_t link)
{
    next[link - 1] = pool->free;
    pool->free = link;
    pool->count--;
}

void nv_fe_queue_push(struct nv_fe_queue *queue, uint32_t *next, uint32_t link)
{
    next[link - 1] = 0;
    if (queue->last != 0)
        next[queue->last - 1] = link;
    else
        queue->first = link;
    queue->last = link;
    queue->count++;
}

void nv_fe_queue_remove(struct nv_fe_queue *queue, uint32_t *next, uint32_t before)
{
    const uint32_t link = before ? next[before - 1] : queue->first;

    if (before != 0)
        next[before - 1] = next[link - 1];
    else
        queue->first = next[link - 1];
    if (queue->last == link)
        queue->last = before;
    next[link - 1] = 0;
    queue->count--;
}

/* ---- contexts -------------------------------------------------------------------------------- */

/* Until somebody names a TSG, everything is one context's. */
void nv_fe_context_wire(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;

    state->current = nv_fe_pool_take(&state->context_pool, state->context_next, NV_FE_CONTEXTS_MAX);
    state->contexts[state->current - 1] = (struct nv_fe_context){
        .phase = NV_FE_ON, .tsg_id = NV_FE_NOBODY, .channel_id = NV_FE_NOBODY};
}

/* Channels outside TSGs and, from Ampere on, runlists have their numbers in the upper bits. */
static uint32_t *nv_fe_hash(const struct nv_fe *fe, uint32_t tsg_id)
{
    return &fe->state->hash[(tsg_id ^ tsg_id >> 16 ^ tsg_id >> 10) % NV_FE_HASH];
}

struct nv_fe_context *nv_fe_context_find(const struct nv_fe *fe, uint32_t tsg_id)
{
    struct nv_fe_state *state = fe->state;

    for (uint32_t link = *nv_fe_hash(fe, tsg_id); link != 0; link = state->context_next[link - 1])
        if (state->contexts[link - 1].tsg_id == tsg_id)
            return &state->contexts[link - 1];
    return NULL;
}

static void nv_fe_context_name(struct nv_fe *fe, struct nv_fe_context *context, uint32_t tsg_id)
{
    const uint32_t link = (uint32_t)(context - fe->state->contexts) + 1;
    uint32_t *hash = nv_fe_hash(fe, tsg_id);

    context->tsg_id = tsg_id;
    fe->state->context_next[link - 1] = *hash;
    *hash = link;
}

static struct nv_fe_context *nv_fe_context_new(struct nv_fe *fe, uint32_t tsg_id)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t link =
        nv_fe_pool_take(&state->context_pool, state->context_next, NV_FE_CONTEXTS_MAX);
    struct nv_fe_context *context = &state->contexts[link - 1];

    *context = (struct nv_fe_context){.phase = NV_FE_OFF, .channel_id = NV_FE_NOBODY};
    nv_fe_context_name(fe, context, tsg_id);
    return context;
}

void nv_fe_context_free(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t link = (uint32_t)(context - state->contexts) + 1;
    uint32_t *at = nv_fe_hash(fe, context->tsg_id);

    while (*at != 0 && *at != link)
        at = &state->context_next[*at - 1];
    if (*at != 0)
        *at = state->context_next[link - 1];
    *context = (struct nv_fe_context){0};
    nv_fe_pool_give(&state->context_pool, state->context_next, link);
}

bool nv_fe_busy(void *unit)
{
    const struct nv_fe_context *context = nv_fe_current(unit);

    return context && !nv_fe_context_idle(context);
}

/* A grid that no SM may hold never ends, and what waits for it does not either. */
bool nv_fe_runs(void *unit)
{
    const struct nv_fe *fe = unit;
    const struct nv_fe_context *context = nv_fe_current(fe);

    return context && !nv_fe_context_idle(context) &&
           (context->in_flight > 0 || context->works.count > 0 ||
            dispatch_goes_on(fe->dispatch, (uint32_t)(context - fe->state->contexts)));
}

bool nv_fe_has_work(void *unit, uint32_t tsg_id)
{
    const struct nv_fe_context *context = nv_fe_context_find(unit, tsg_id);

    return context && !nv_fe_context_idle(context);
}

uint64_t nv_fe_state_bytes(void *unit, uint32_t tsg_id)
{
    const struct nv_fe *fe = unit;
    const struct nv_fe_context *context = nv_fe_context_find(fe, tsg_id);

    return NV_FE_IMAGE_BYTES +
           (context ? dispatch_state_bytes(fe->dispatch, (uint32_t)(context - fe->state->contexts))
                    : 0);
}

gfe_ps nv_fe_own_move_ps(void *unit, uint32_t tsg_id)
{
    const struct nv_fe *fe = unit;
    const struct nv_fe_context *context = nv_fe_context_find(fe, tsg_id);

    return context ? dispatch_warps_move_ps(
                         fe->dispatch, (uint32_t)(context - fe->state->contexts),
                         machine_parameter(fe->machine, PARAM_NV_GR_WARPS_KIB_PS),
                         machine_parameter(fe->machine, PARAM_NV_GR_WARP_ALONE_KIB_PS))
                   : 0;
}

/* ---- leaving --------------------------------------------------------------------------------- */

/* By the compute class: PASCAL_COMPUTE_A is the first. */
bool nv_fe_stops_inside(const struct nv_fe *fe)
{
    return fe->model->class_compute >= 0xc0c0;
}

static void nv_fe_suspended(struct nv_fe *fe)
{
    if (fe->client.suspended)
        fe->client.suspended(fe->client.client);
}

/* The context that leaves is off if nothing holds it. */
static inline void nv_fe_leave(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;

    if (!context->dispatch_off || context->in_flight > 0 || nv_fe_work_runs(fe, context))
        return;
    if (context->to_end && context->asked_ps < machine_now(fe->machine))
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WAIT, RULE_CORE_SAVED, context->asked_ps,
                    SUBJECT_ENGINE, 0, SUBJECT_CHANNEL, context->channel_id);
    context->phase = NV_FE_OFF;
    context->to_end = 0;
    state->turn_channel = context->channel_id;
    state->current = 0;
    if (nv_fe_context_idle(context))
        nv_fe_context_free(fe, context);
    nv_fe_suspended(fe);
}

static inline void nv_fe_begin_leave(struct nv_fe *fe, struct nv_fe_context *context)
{
    context->phase = NV_FE_LEAVING;
    nv_fe_work_suspend(fe, context);
    context->dispatch_off =
        dispatch_suspend(fe->dispatch, (uint32_t)(context - fe->state->contexts),
                         nv_fe_stops_inside(fe) ? DISPATCH_AT_ONCE : DISPATCH_AT_BLOCK_ENDS);
    nv_fe_leave(fe, context);
}

/* Nothing is left to stop, or its time has come. */
static void nv_fe_stop_now(struct nv_fe *fe, struct nv_fe_context *context)
{
    context->stopping = 0;
    (void)machine_cancel(fe->machine, fe->unit, NV_FE_STOP);
    nv_fe_begin_leave(fe, context);
}

void nv_fe_stop(struct nv_fe *fe)
{
    struct nv_fe_context *context = nv_fe_current(fe);

    if (context && context->stopping)
        nv_fe_stop_now(fe, context);
}

/* Its blocks, if it has any on the SMs, run on for a while. */
static void nv_fe_ask_to_stop(struct nv_fe *fe, struct nv_fe_context *context)
{
    const gfe_ps stop_ps = machine_parameter(fe->machine, PARAM_NV_GR_STOP_PS);

    if (stop_ps == 0 || !nv_fe_stops_inside(fe) ||
        dispatch_state_bytes(fe->dispatch, (uint32_t)(context - fe->state->contexts)) == 0) {
        nv_fe_begin_leave(fe, context);
        return;
    }
    context->stopping = 1;
    machine_schedule(fe->machine, fe->unit, clock_add(machine_now(fe->machine), stop_ps),
                     NV_FE_STOP, 0);
}

void nv_fe_suspend(void *unit, uint32_t tsg_id)
{
    struct nv_fe *fe = unit;
    struct nv_fe_context *context = nv_fe_context_find(fe, tsg_id);

    if (!context || context != nv_fe_current(fe)) {
        nv_fe_suspended(fe);
        return;
    }
    assert(context->phase == NV_FE_ON);
    nv_constant_flush_all(fe);
    for (uint32_t i = 0; i < fe->pipe_count; i++)
        nv_inline_flush_all(fe, &fe->pipes[i]);
    context->asked_ps = machine_now(fe->machine);
    if (fe->state->context_pool.count == NV_FE_CONTEXTS_MAX && !nv_fe_context_idle(context))
        context->to_end = 1; /* the next one would find no record */
    else
        nv_fe_ask_to_stop(fe, context);
}

void nv_fe_dispatch_suspended(void *unit, uint32_t context_index)
{
    struct nv_fe *fe = unit;
    struct nv_fe_context *context = &fe->state->contexts[context_index];

    context->dispatch_off = 1;
    nv_fe_leave(fe, context);
}

void nv_fe_context_changed(struct nv_fe *fe, struct nv_fe_context *context)
{
    const bool idle = nv_fe_context_idle(context);

    if (context->phase == NV_FE_LEAVING)
        nv_fe_leave(fe, context);
    else if (idle && context->stopping)
        nv_fe_stop_now(fe, context);
    else if (idle && context->phase == NV_FE_ON && context->to_end)
        nv_fe_begin_leave(fe, context);
    else if (idle && context->phase == NV_FE_ON && fe->client.work_changed)
        fe->client.work_changed(fe->client.client, context->tsg_id);
    else if (idle && context->phase == NV_FE_OFF)
        nv_fe_context_free(fe, context);
}

/* ---- coming back ----------------------------------------------------------------------------- */

/* The context that is on, and idle, gives way without being asked. */
static void nv_fe_give_way(struct nv_fe *fe)
{
    struct nv_fe_context *context = nv_fe_current(fe);

    assert(context->phase == NV_FE_ON && nv_fe_context_idle(context) && context->in_flight == 0);
    (void)dispatch_suspend(fe->dispatch, (uint32_t)(context - fe->state->contexts),
                           DISPATCH_AT_ONCE);
    fe->state->turn_channel = context->channel_id;
    fe->state->current = 0;
    nv_fe_context_free(fe, context);
}

static void nv_fe_context_on(struct nv_fe *fe, struct nv_fe_context *context, uint32_t channel_id)
{
    fe->state->current = (uint32_t)(context - fe->state->contexts) + 1;
    context->phase = NV_FE_ON;
    dispatch_resume(fe->dispatch, fe->state->current - 1, channel_id);
    nv_fe_work_resume(fe, context);
    nv_fe_report_advance(fe, context);
    nv_fe_resume_waiting(fe);
}

void nv_fe_resume(void *unit, uint32_t tsg_id, uint32_t channel_id, uint32_t space_id)
{
    struct nv_fe *fe = unit;
    struct nv_fe_state *state = fe->state;
    struct nv_fe_context *context = nv_fe_context_find(fe, tsg_id), *current = nv_fe_current(fe);

    if (!context && current && current->tsg_id == NV_FE_NOBODY) {
        context = current;
        nv_fe_context_name(fe, context, tsg_id);
    }
    if (current && current != context)
        nv_fe_give_way(fe);
    if (!context)
        context = nv_fe_context_new(fe, tsg_id);
    if (channel_id != NV_FE_NOBODY) {
        context->channel_id = channel_id;
        state->next_channel = channel_id;
        state->next_tsg = tsg_id;
        state->next_space = space_id;
        state->switched = 1;
    }
    if (state->current == 0)
        nv_fe_context_on(fe, context, context->channel_id);
    else
        dispatch_set_channel(fe->dispatch, state->current - 1, context->channel_id);
}

/* ---- class state ----------------------------------------------------------------------------- */

/* Whose context: the page-aligned address of the channel's instance block and, below it, the number
 * of its binding, because both number and block may be used again.  UINT64_MAX: not bound. */
static uint64_t nv_fe_instance(const struct nv_fe *fe, uint32_t channel_id)
{
    enum memory_aperture aperture;
    uint64_t instance;

    return channel_id != UINT32_MAX && nv_host_instance(fe->host, channel_id, &instance, &aperture)
               ? instance | nv_channel_get(fe->host, channel_id)->bindings
               : UINT64_MAX;
}

uint64_t nv_fe_context_image(const struct nv_fe *fe, uint32_t channel_id)
{
    enum memory_aperture aperture;
    uint32_t pointer[2];
    uint64_t instance;

    if (channel_id == UINT32_MAX || !nv_host_instance(fe->host, channel_id, &instance, &aperture) ||
        !machine_read(fe->machine, aperture, instance + NV_RAMIN_GR_WFI, pointer, sizeof pointer) ||
        !REG_GET(pointer[0], NV_RAMIN_GR_WFI_MODE))
        return 0;
    return (uint64_t)pointer[1] << 32 | (pointer[0] & ~UINT32_C(0xfff));
}

_Static_assert(sizeof((struct nv_fe_pipe *)0)->objects + sizeof((struct nv_fe_pipe *)0)->shadow +
                       sizeof((struct nv_fe_pipe *)0)->inlines +
                       sizeof((struct nv_fe_pipe *)0)->inline_indices <=
                   NV_FE_IMAGE_BYTES,
               "the image has room for objects, shadow, and transfers in flight");

/* Returns where the class state of the channel's pipe is: in the image, or behind the first pipe's
 * for a channel of the second runqueue; 0 if there is no image. */
static uint64_t nv_fe_pipe_image(const struct nv_fe *fe, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(fe->host, channel_id);
    const uint64_t image = nv_fe_context_image(fe, channel_id);

    return image == 0 || !channel ? image : image + (uint64_t)channel->runqueue * NV_FE_IMAGE_BYTES;
}

void nv_fe_pipe_clear(struct nv_fe_pipe *pipe)
{
    memset(pipe->objects, 0, sizeof pipe->objects);
    memset(pipe->shadow, 0, sizeof pipe->shadow);
    memset(pipe->inlines, 0, sizeof pipe->inlines);
    pipe->inline_indices = 0;
    pipe->context_channel = pipe->context_tsg = NV_FE_NOBODY;
    pipe->context_instance = 0;
}

static void nv_fe_pipe_save(struct nv_fe *fe, const struct nv_fe_pipe *pipe)
{
    const uint64_t image = nv_fe_pipe_image(fe, pipe->context_channel);
    const uint32_t space_id = pipe->context_space;
    uint64_t at = image, fault;

    machine_vm_wrote_own(fe->machine, space_id, image, NV_FE_IMAGE_BYTES);
    (void)machine_vm_write(fe->machine, space_id, at, pipe->objects, sizeof pipe->objects, &fault);
    at += sizeof pipe->objects;
    (void)machine_vm_write(fe->machine, space_id, at, pipe->shadow, sizeof pipe->shadow, &fault);
    at += sizeof pipe->shadow;
    (void)machine_vm_write(fe->machine, space_id, at, pipe->inlines, sizeof pipe->inlines, &fault);
    at += sizeof pipe->inlines;
    (void)machine_vm_write(fe->machine, space_id, at, &pipe->inline_indices,
                           sizeof pipe->inline_indices, &fault);
}

/* Takes the class state out of a pipe.  A channel that has ended has no image any more, even if
 * another one has its number now. */
static void nv_fe_pipe_leave(struct nv_fe *fe, struct nv_fe_pipe *pipe)
{
    nv_constant_flush_log(fe, pipe);
    if (nv_fe_context_image(fe, pipe->context_channel) != 0 &&
        nv_fe_instance(fe, pipe->context_channel) == pipe->context_instance) {
        nv_inline_flush_all(fe, pipe);
        nv_fe_pipe_save(fe, pipe);
    }
    nv_fe_pipe_clear(pipe);
}

static void nv_fe_pipe_restore(struct nv_fe *fe, struct nv_fe_pipe *pipe, uint32_t channel_id,
                               uint32_t space_id)
{
    const uint64_t image = nv_fe_pipe_image(fe, channel_id);
    uint64_t at = image, fault;

    if (image == 0)
        return;
    (void)machine_vm_read(fe->machine, space_id, at, pipe->objects, sizeof pipe->objects, &fault);
    at += sizeof pipe->objects;
    (void)machine_vm_read(fe->machine, space_id, at, pipe->shadow, sizeof pipe->shadow, &fault);
    at += sizeof pipe->shadow;
    (void)machine_vm_read(fe->machine, space_id, at, pipe->inlines, sizeof pipe->inlines, &fault);
    at += sizeof pipe->inlines;
    (void)machine_vm_read(fe->machine, space_id, at, &pipe->inline_indices,
                          sizeof pipe->inline_indices, &fault);
    nv_inline_restored(pipe, channel_id, space_id);
}

/* Returns true if the pipe's class state has to leave before methods of the next channel come: if
 * it is in that channel's pipe, of another TSG, or that channel's own from before its runqueue
 * changed. */
static bool nv_fe_pipe_is_in_the_way(const struct nv_fe *fe, const struct nv_fe_pipe *pipe)
{
    return pipe == nv_fe_pipe(fe) || (pipe->context_channel != NV_FE_NOBODY &&
                                      (pipe->context_tsg != fe->state->next_tsg ||
                                       pipe->context_channel == fe->state->next_channel));
}

/* Returns the number of the pipe that the channel's runqueue feeds. */
static uint32_t nv_fe_pipe_number(const struct nv_fe *fe, uint32_t channel_id)
{
    const struct nv_channel *channel = nv_channel_get(fe->host, channel_id);

    return channel && channel->runqueue < fe->pipe_count ? channel->runqueue : 0;
}

void nv_fe_class_state(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_pipe *pipe;
    uint64_t instance;

    if (!state->switched)
        return;
    state->switched = 0;
    state->pipe = nv_fe_pipe_number(fe, state->next_channel);
    pipe = nv_fe_pipe(fe);
    instance = nv_fe_instance(fe, state->next_channel);
    if (pipe->context_tsg == state->next_tsg && pipe->context_channel == state->next_channel &&
        pipe->context_instance == instance)
        return;
    for (uint32_t i = 0; i < fe->pipe_count; i++)
        if (nv_fe_pipe_is_in_the_way(fe, &fe->pipes[i]))
            nv_fe_pipe_leave(fe, &fe->pipes[i]);
    nv_fe_pipe_restore(fe, pipe, state->next_channel, state->next_space);
    pipe->context_channel = state->next_channel;
    pipe->context_tsg = state->next_tsg;
    pipe->context_space = state->next_space;
    pipe->context_instance = instance;
}
