/* SPDX-License-Identifier: MIT */
/*
 * The graphics engine is reset: what its front end, the dispatcher and the SMs have is lost.
 *
 * So are launches, reports and the releases of grids that are on their way: software halts the
 * engine's memory interface first (tu104/dev_fifo.ref.txt, "Channel Teardown Sequence", step 5).
 * Their events come all the same, and are recognised by the context's count of resets.  Class state
 * is what the channel's image has, when methods come again; PGRAPH's interrupts are gone, and what
 * INTR_EN lets through stays (ASSUMED: drivers set it again, with the same value).
 */
#include <config.h>

#include <string.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/nv_host.h"

enum { NV_FE_TAG_INDEX_BITS = 16, NV_FE_TAG_RESETS = 32 };
_Static_assert(NV_FE_CONTEXTS_MAX <= 1 << NV_FE_TAG_INDEX_BITS &&
                   NV_FE_ALL_OUTSTANDING_MAX <= 1 << NV_FE_TAG_INDEX_BITS,
               "both fit into an event's argument");

/* ---- events on their way --------------------------------------------------------------------- */

uint64_t nv_fe_tag(const struct nv_fe *fe, const struct nv_fe_context *context, uint32_t index)
{
    const uint64_t link = (uint64_t)(context - fe->state->contexts);

    return (uint64_t)fe->state->resets[link] << NV_FE_TAG_RESETS | link << NV_FE_TAG_INDEX_BITS |
           index;
}

struct nv_fe_context *nv_fe_tagged(const struct nv_fe *fe, uint64_t tag, uint32_t *index)
{
    const uint32_t link = (uint32_t)tag >> NV_FE_TAG_INDEX_BITS;

    *index = (uint32_t)tag & ((1u << NV_FE_TAG_INDEX_BITS) - 1);
    return fe->state->resets[link] == tag >> NV_FE_TAG_RESETS ? &fe->state->contexts[link] : NULL;
}

/* ---- what a context has ---------------------------------------------------------------------- */

static void nv_fe_drop_works(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;

    if (nv_fe_work_runs(fe, context)) {
        const struct nv_fe_work *work = &state->works[context->works.first - 1];

        machine_stop_timer(fe->machine, fe->work_timer);
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_SUSPEND, RULE_NONE, work->work_id,
                    work->channel_id, 0);
    }
    while (context->works.first != 0) {
        const uint32_t link = context->works.first;
        const struct nv_fe_work work = state->works[link - 1];

        MACHINE_LOG(fe->machine, fe->unit, EVENT_WORK_DROP, RULE_NONE, work.work_id,
                    work.channel_id, 0);
        state->works[link - 1] = (struct nv_fe_work){0};
        nv_fe_queue_remove(&context->works, state->work_next, 0);
        nv_fe_pool_give(&state->work_pool, state->work_next, link);
    }
}

static void nv_fe_drop_reports(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;

    while (context->reports.first != 0) {
        const uint32_t link = context->reports.first;

        state->reports[link - 1] = (struct nv_fe_report){0};
        nv_fe_queue_remove(&context->reports, state->report_next, 0);
        nv_fe_pool_give(&state->report_pool, state->report_next, link);
    }
}

static void nv_fe_drop_outstanding(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;

    while (context->outstanding.first != 0) {
        const uint32_t link = context->outstanding.first;

        state->outstanding[link - 1] = (struct nv_fe_outstanding){0};
        nv_fe_queue_remove(&context->outstanding, state->outstanding_next, 0);
        nv_fe_pool_give(&state->outstanding_pool, state->outstanding_next, link);
    }
}

static void nv_fe_drop(struct nv_fe *fe, struct nv_fe_context *context)
{
    const uint32_t index = (uint32_t)(context - fe->state->contexts);

    fe->state->resets[index]++;
    if (context->stopping)
        (void)machine_cancel(fe->machine, fe->unit, NV_FE_STOP);
    nv_fe_drop_works(fe, context);
    nv_fe_drop_reports(fe, context);
    nv_fe_drop_outstanding(fe, context);
    dispatch_drop(fe->dispatch, index);
    nv_fe_context_free(fe, context);
}

/* ---- the engine ------------------------------------------------------------------------------ */

/* Drops the class state of all pipes, whichever channels' it is. */
static void nv_fe_forget_class_state(struct nv_fe *fe)
{
    nv_constant_flush_all(fe);
    for (uint32_t i = 0; i < fe->pipe_count; i++)
        nv_fe_pipe_clear(&fe->pipes[i]);
    fe->state->switched = 0;
}

void nv_fe_reset(void *unit, uint32_t tsg_id)
{
    struct nv_fe *fe = unit;
    struct nv_fe_state *state = fe->state;
    struct nv_fe_context *current = nv_fe_current(fe), *kept;

    nv_fe_forget_class_state(fe);
    memset(state->launches, 0, sizeof state->launches);
    state->launch_count = state->launch_head = 0;
    if (current) {
        state->turn_channel = current->channel_id;
        state->current = 0;
        nv_fe_drop(fe, current);
    }
    kept = nv_fe_context_find(fe, tsg_id);
    if (kept)
        nv_fe_drop(fe, kept);
    fe->regs->storage[NV_PGRAPH_INTR / 4] = fe->regs->storage[NV_PGRAPH_INTR_NONSTALL / 4] = 0;
    nv_host_gr_interrupt(fe->host, false);
    nv_fe_resume_waiting(fe);
}
