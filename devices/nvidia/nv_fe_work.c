/* SPDX-License-Identifier: MIT */
/* Draws, clears and blits: opaque work, one after another, each for its default cost. */
#include <config.h>

#include <assert.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_tables.h"

static bool nv_fe_is_3d_draw(uint32_t method)
{
    switch (method) {
    case NVC197_CLEAR_SURFACE:
    case NVC197_DRAW_VERTEX_ARRAY:
    case NVC197_DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_FIRST:
    case NVC197_DRAW_VERTEX_ARRAY_BEGIN_END_INSTANCE_SUBSEQUENT:
    case NVC197_DRAW_AUTO:
    case NVC197_DRAW_INDEX_BUFFER:
    case NVC197_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_FIRST:
    case NVC197_DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_FIRST:
    case NVC197_DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_FIRST:
    case NVC197_DRAW_INDEX_BUFFER32_BEGIN_END_INSTANCE_SUBSEQUENT:
    case NVC197_DRAW_INDEX_BUFFER16_BEGIN_END_INSTANCE_SUBSEQUENT:
    case NVC197_DRAW_INDEX_BUFFER8_BEGIN_END_INSTANCE_SUBSEQUENT:
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
           (method == NVC197_DRAW_INLINE_INDEX4X8 || method == NVC197_DRAW_INLINE_INDEX ||
            method == NVC197_DRAW_INLINE_INDEX2X16);
}

bool nv_fe_is_draw(uint32_t class_id, uint32_t method)
{
    if ((class_id & 0xff) == 0x97)
        return nv_fe_is_3d_draw(method) || nv_fe_is_inline_index(class_id, method);
    return (class_id & 0xff) == 0x2d && nv_fe_is_2d_draw(method);
}

static void nv_fe_work_start(struct nv_fe *fe)
{
    struct nv_fe_work *work = &fe->state->works[fe->state->work_head];
    const gfe_ps now = machine_now(fe->machine);

    if (fe->state->work_count == 0 || work->started)
        return;
    work->started = 1;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_START, RULE_NV_DRAW, work->work_id,
                work->channel_id, 0, work->class_id, work->method, work->gp_sequence);
    if (work->queued_ps < now)
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WAIT, RULE_NV_DRAW, work->queued_ps, SUBJECT_WORK,
                    work->work_id, SUBJECT_ENGINE, 0);
    machine_schedule(fe->machine, fe->unit,
                     clock_add(now, machine_parameter(fe->machine, PARAM_NV_DRAW_PS)),
                     NV_FE_WORK_END, 0);
}

bool nv_fe_draw(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_work *work;

    if (state->work_count == NV_FE_WORKS || state->outstanding_count == NV_FE_OUTSTANDING)
        return nv_fe_refuse(fe, method, RULE_NV_FE_FULL, rule);
    work = &state->works[(state->work_head + state->work_count) % NV_FE_WORKS];
    *work = (struct nv_fe_work){
        .work_id = machine_operation_id(fe->machine),
        .gp_sequence = method->gp_sequence,
        .order = ++state->order,
        .queued_ps = machine_now(fe->machine),
        .channel_id = method->channel_id,
        .class_id = nv_fe_class(fe, method->subchannel),
        .method = method->method,
    };
    state->inline_indices |= nv_fe_is_inline_index(work->class_id, work->method);
    state->work_count++;
    (void)nv_fe_outstanding_add(fe, work->work_id, work->order);
    nv_fe_work_start(fe);
    return true;
}

void nv_fe_work_end(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    const struct nv_fe_work work = state->works[state->work_head];

    assert(state->work_count > 0 && work.started);
    MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_END, RULE_NONE, work.work_id, work.channel_id, 0);
    state->works[state->work_head] = (struct nv_fe_work){0};
    state->work_head = (state->work_head + 1) % NV_FE_WORKS;
    state->work_count--;
    nv_fe_work_start(fe);
    nv_fe_outstanding_done(fe, work.work_id);
}
