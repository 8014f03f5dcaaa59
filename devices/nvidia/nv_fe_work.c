/* SPDX-License-Identifier: MIT */
/* Draws, clears and blits: opaque work, one after another, each for its default cost. */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_tables.h"

/* From Turing on a draw has two methods, of which the second has the count (open-gpu-doc
 * classes/3d/clc597.h); ASSUMED: the second starts it. */
static bool nv_fe_is_3d_draw(uint32_t class_id, uint32_t method)
{
    switch (method) {
    case NVC597_DRAW_INDEX_BUFFER_BEGIN_END_B:
    case NVC597_DRAW_VERTEX_ARRAY_BEGIN_END_B:
        return class_id >= TURING_A;
    case NVA097_CLEAR_SURFACE:
    case NVA097_DRAW_VERTEX_ARRAY:
    case NVA097_DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_FIRST:
    case NVA097_DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_SUBSEQUENT:
    case NVA097_DRAW_AUTO:
    case NVA097_DRAW_INDEX_BUFFER:
    case NVA097_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST:
    case NVA097_DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_FIRST:
    case NVA097_DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_FIRST:
    case NVA097_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_SUBSEQUENT:
    case NVA097_DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_SUBSEQUENT:
    case NVA097_DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_SUBSEQUENT:
        return true;
    default:
        return false;
    }
}

/* The 2D class's last coordinate starts a blit; a solid primitive starts with its last point.
 * ASSUMED: every second point of RENDER_SOLID_PRIM ends a primitive (lines and rectangles). */
static bool nv_fe_is_2d_draw(uint32_t method)
{
    return method == NV902D_PIXELS_FROM_MEMORY_SRC_Y0_INT ||
           (method >= NV902D_RENDER_SOLID_PRIM_POINT_Y &&
            method < NV902D_RENDER_SOLID_PRIM_POINT_Y + 64 * 8 &&
            (method - NV902D_RENDER_SOLID_PRIM_POINT_Y) % 16 == 8);
}

bool nv_fe_is_inline_index(uint32_t class_id, uint32_t method)
{
    return (class_id & 0xff) == 0x97 &&
           (method == NVA097_DRAW_INLINE_INDEX4X8 || method == NVA097_DRAW_INLINE_INDEX ||
            method == NVA097_DRAW_INLINE_INDEX2X16);
}

bool nv_fe_is_draw(uint32_t class_id, uint32_t method)
{
    if ((class_id & 0xff) == 0x97)
        return nv_fe_is_3d_draw(class_id, method) || nv_fe_is_inline_index(class_id, method);
    return (class_id & 0xff) == 0x2d && nv_fe_is_2d_draw(method);
}

/* Returns, for the log, the channel that had the engine last in the meantime. */
static uint32_t nv_fe_work_by(const struct nv_fe *fe)
{
    return fe->state->turn_channel;
}

static void nv_fe_work_run(struct nv_fe *fe, struct nv_fe_work *work, gfe_ps end_ps)
{
    work->phase = NV_FE_WORK_RUNS;
    work->end_ps = end_ps;
    work->held_ps = GFE_PS_NEVER;
    machine_set_timer(fe->machine, fe->work_timer, fe->unit, end_ps, NV_FE_WORK_END, 0);
}

/* The first of the context's draws, NULL = it has none. */
static struct nv_fe_work *nv_fe_work_head(const struct nv_fe *fe,
                                          const struct nv_fe_context *context)
{
    return context->works.first ? &fe->state->works[context->works.first - 1] : NULL;
}

static void nv_fe_work_start(struct nv_fe *fe, const struct nv_fe_context *context)
{
    struct nv_fe_work *work = nv_fe_work_head(fe, context);
    const gfe_ps now = machine_now(fe->machine);

    if (!work || work->phase != NV_FE_WORK_QUEUED)
        return;
    if (context->phase != NV_FE_ON) {
        if (work->held_ps == GFE_PS_NEVER)
            work->held_ps = now;
        return;
    }
    MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_START, RULE_NV_DRAW, work->work_id,
                work->channel_id, 0, work->class_id, work->method, work->gp_sequence);
    if (work->queued_ps < now)
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WAIT, RULE_NV_DRAW, work->queued_ps, SUBJECT_WORK,
                    work->work_id, SUBJECT_ENGINE, 0);
    if (work->held_ps < now) /* the last part of it */
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WAIT, RULE_T_P1, work->held_ps, SUBJECT_WORK,
                    work->work_id, SUBJECT_CHANNEL, nv_fe_work_by(fe));
    nv_fe_work_run(fe, work, clock_add(now, machine_parameter(fe->machine, PARAM_NV_DRAW_PS)));
}

bool nv_fe_draw(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_context *context = nv_fe_current(fe);
    struct nv_fe_work *work;
    uint32_t link;

    if (!nv_fe_outstanding_room(fe) || context->works.count == NV_FE_WORKS ||
        state->work_pool.count == NV_FE_ALL_WORKS_MAX)
        return nv_fe_refuse(fe, method, RULE_NV_FE_FULL, rule);
    link = nv_fe_pool_take(&state->work_pool, state->work_next, NV_FE_ALL_WORKS_MAX);
    work = &state->works[link - 1];
    *work = (struct nv_fe_work){
        .work_id = machine_operation_id(fe->machine),
        .gp_sequence = method->gp_sequence,
        .order = ++state->order,
        .queued_ps = machine_now(fe->machine),
        .held_ps = GFE_PS_NEVER,
        .channel_id = method->channel_id,
        .class_id = nv_fe_class(fe, method->subchannel),
        .method = method->method,
    };
    nv_fe_pipe(fe)->inline_indices |= nv_fe_is_inline_index(work->class_id, work->method);
    nv_fe_queue_push(&context->works, state->work_next, link);
    nv_fe_outstanding_add(fe, work->work_id, work->order);
    nv_fe_work_start(fe, context);
    return true;
}

void nv_fe_work_end(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_context *context = nv_fe_current(fe);
    const uint32_t link = context->works.first;
    const struct nv_fe_work work = state->works[link - 1];

    assert(work.phase == NV_FE_WORK_RUNS);
    if (!machine_inject(fe->machine, fe->unit, NV_INJECT_WORK_END, work.channel_id, NULL, 0))
        return;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_END, RULE_NONE, work.work_id, work.channel_id, 0);
    state->works[link - 1] = (struct nv_fe_work){0};
    nv_fe_queue_remove(&context->works, state->work_next, 0);
    nv_fe_pool_give(&state->work_pool, state->work_next, link);
    nv_fe_work_start(fe, context);
    nv_fe_outstanding_done(fe, context, work.work_id);
}

/* ---- contexts -------------------------------------------------------------------------------- */

bool nv_fe_work_runs(const struct nv_fe *fe, const struct nv_fe_context *context)
{
    const struct nv_fe_work *work = nv_fe_work_head(fe, context);

    return work && work->phase == NV_FE_WORK_RUNS;
}

void nv_fe_work_suspend(struct nv_fe *fe, const struct nv_fe_context *context)
{
    struct nv_fe_work *work = nv_fe_work_head(fe, context);
    const gfe_ps now = machine_now(fe->machine);

    /* One whose end was lost hangs: it does not stop inside either. */
    if (!nv_fe_work_runs(fe, context) || !nv_fe_stops_inside(fe) ||
        fe->machine->choices[CHOICE_NV_DRAW_PREEMPTION] != 0 || work->end_ps < now)
        return;
    machine_stop_timer(fe->machine, fe->work_timer);
    work->phase = NV_FE_WORK_STOPPED;
    work->end_ps -= now;
    work->held_ps = now;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_SUSPEND, RULE_T_P1, work->work_id,
                work->channel_id, 0);
}

void nv_fe_work_resume(struct nv_fe *fe, const struct nv_fe_context *context)
{
    struct nv_fe_work *work = nv_fe_work_head(fe, context);

    if (work && work->phase == NV_FE_WORK_STOPPED) {
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_RESUME, RULE_T_P1, work->work_id,
                    work->channel_id, 0, work->held_ps, nv_fe_work_by(fe));
        nv_fe_work_run(fe, work, clock_add(machine_now(fe->machine), work->end_ps));
    }
    if (work && work->phase == NV_FE_WORK_QUEUED)
        nv_fe_work_start(fe, context);
}
