/* SPDX-License-Identifier: MIT */
/* What the front end still holds when nothing is left to happen: launches, draws, reports, releases
 * of grids.  Grids report themselves (dispatch_open.c). */
#include <config.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_open.h"
#include "devices/nvidia/nv_tables.h"

static void nv_fe_open_log(struct nv_fe *fe, uint32_t rule, const struct machine_wait *wait)
{
    if (rule == RULE_GFE_LOST)
        machine_log_lost(fe->machine, fe->unit, wait);
    else
        machine_log_open(fe->machine, fe->unit, rule, wait);
}

/* Draws run one after the other: the first one runs or is held, the others wait for the one in
 * front. */
static void nv_fe_open_works(struct nv_fe *fe, const struct nv_fe_context *context)
{
    const struct nv_fe_state *state = fe->state;
    uint64_t before = 0;

    for (uint32_t link = context->works.first; link != 0; link = state->work_next[link - 1]) {
        const struct nv_fe_work *work = &state->works[link - 1];
        struct machine_wait wait = {work->held_ps < work->queued_ps || work->held_ps == GFE_PS_NEVER
                                        ? work->queued_ps
                                        : work->held_ps,
                                    SUBJECT_WORK, work->work_id, SUBJECT_NONE, 0};
        uint32_t rule = RULE_GFE_LOST;

        if (before != 0) {
            wait.blocker_kind = SUBJECT_WORK;
            wait.blocker_id = before;
            rule = RULE_NV_DRAW;
        } else if (context->phase == NV_FE_OFF) {
            rule = nv_open_tsg(fe->host, context->tsg_id, &wait);
        }
        nv_fe_open_log(fe, rule, &wait);
        before = work->work_id;
    }
}

/* Reports wait for the work in front of them, and then for memory. */
static void nv_fe_open_reports(struct nv_fe *fe, const struct nv_fe_context *context)
{
    const struct nv_fe_state *state = fe->state;

    for (uint32_t link = context->reports.first; link != 0; link = state->report_next[link - 1]) {
        const struct nv_fe_report *report = &state->reports[link - 1];
        struct machine_wait wait = {report->queued_ps, SUBJECT_SEMAPHORE, report->address,
                                    SUBJECT_ENGINE, 0};
        uint32_t rule = report->scheduled ? RULE_GFE_LOST : RULE_NV_REPORT;

        if (!report->scheduled && report->remaining == 0 && context->phase == NV_FE_OFF)
            rule = nv_open_tsg(fe->host, context->tsg_id, &wait);
        nv_fe_open_log(fe, rule, &wait);
        machine_log_holds(fe->machine, fe->unit, SUBJECT_SEMAPHORE, report->address,
                          SUBJECT_SEMAPHORE, report->address);
    }
}

/* Launches and releases of grids that are on their way: nothing has them but an event. */
static void nv_fe_open_flights(struct nv_fe *fe, const struct nv_fe_context *context)
{
    const struct nv_fe_state *state = fe->state;
    uint32_t scheduled = 0;

    for (uint32_t link = context->reports.first; link != 0; link = state->report_next[link - 1])
        scheduled += state->reports[link - 1].scheduled;
    if (context->in_flight > scheduled)
        machine_log_lost(fe->machine, fe->unit,
                         &(struct machine_wait){machine_now(fe->machine), SUBJECT_CHANNEL,
                                                context->channel_id, SUBJECT_NONE, 0});
}

/* What the grids of the context would write at their ends. */
static void nv_fe_open_releases(struct nv_fe *fe, const struct nv_fe_context *context)
{
    const struct nv_fe_state *state = fe->state;

    for (uint32_t link = context->outstanding.first; link != 0;
         link = state->outstanding_next[link - 1]) {
        const struct nv_fe_outstanding *operation = &state->outstanding[link - 1];

        for (uint32_t i = 0; i < 2; i++)
            if (operation->end.release[i].enable)
                machine_log_holds(fe->machine, fe->unit, SUBJECT_GRID, operation->operation_id,
                                  SUBJECT_SEMAPHORE, operation->end.release[i].address);
    }
}

void nv_fe_log_open_waits(struct nv_fe *fe)
{
    const struct nv_fe_state *state = fe->state;

    for (uint32_t i = 0; i < state->context_pool.used; i++) {
        const struct nv_fe_context *context = &state->contexts[i];

        if (context->phase == NV_FE_FREE)
            continue;
        nv_fe_open_works(fe, context);
        nv_fe_open_reports(fe, context);
        nv_fe_open_flights(fe, context);
        nv_fe_open_releases(fe, context);
    }
}

uint32_t nv_fe_why_off(void *unit, uint32_t context, struct machine_wait *wait)
{
    const struct nv_fe *fe = unit;

    return nv_open_tsg(fe->host, fe->state->contexts[context].tsg_id, wait);
}
