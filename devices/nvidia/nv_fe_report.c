/* SPDX-License-Identifier: MIT */
/*
 * Report semaphores and notifiers: what tells the program how far the graphics engine has come, and
 * acquires, which hold it.  Described, field by field, in open-gpu-doc classes/3d/clc197.h and
 * classes/compute/clc1c0.h; what the fields do is INFERRED from their names and from what Mesa's
 * nvc0 does with them (nvc0_query_hw.c, nvc0_screen.c).
 *
 * RELEASE writes the payload, or reduces with it.  REPORT_ONLY writes a counter: one of 64 bits in
 * place of the payload, one of 32 behind it (nv_report.h).  Nothing is counted here: counters are
 * 0, and reported unless REPORT is NONE.  TRAP writes nothing and raises the non-stalling
 * interrupt. ASSUMED: a report of any PIPELINE_LOCATION comes when all work in front of it is
 * complete (locations other than ALL and NONE are reported); FLUSH_DISABLE and the kind of RELEASE
 * change nothing, because there are no caches; the comparison GE of an ACQUIRE is circular, as
 * Host's; an ACQUIRE sees a value when it is written.
 */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/formats/nv_methods.h"
#include "devices/nvidia/nv_pbdma.h"
#include "devices/nvidia/nv_runlist.h"
#include "devices/nvidia/nv_release.h"
#include "devices/nvidia/formats/nv_report.h"
#include "devices/nvidia/nv_tables.h"

static bool nv_fe_report_push(struct nv_fe *fe, const struct nv_method *method,
                              struct nv_fe_report report, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_context *context = nv_fe_current(fe);
    uint32_t link;

    if (!context || context->reports.count == NV_FE_REPORTS ||
        state->report_pool.count == NV_FE_ALL_REPORTS_MAX)
        return nv_fe_refuse(fe, method, RULE_NV_FE_FULL, rule);
    report.gp_sequence = method->gp_sequence;
    report.order = ++state->order;
    report.queued_ps = machine_now(fe->machine);
    report.channel_id = method->channel_id;
    report.space_id = method->space_id;
    report.class_id = nv_fe_class(fe, method->subchannel);
    report.data = method->data;
    report.remaining = context->outstanding.count;
    link = nv_fe_pool_take(&state->report_pool, state->report_next, NV_FE_ALL_REPORTS_MAX);
    state->reports[link - 1] = report;
    nv_fe_queue_push(&context->reports, state->report_next, link);
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_REPORT, RULE_NONE, report.channel_id,
                report.address, report.class_id, report.gp_sequence);
    nv_fe_report_advance(fe, context);
    return true;
}

/* ---- acquires -------------------------------------------------------------------------------- */

static bool nv_fe_acquire(struct nv_fe *fe, const struct nv_method *method, uint64_t address,
                          uint32_t *rule)
{
    const uint32_t payload = nv_fe_shadow(fe, method->subchannel, NVA097_SET_REPORT_SEMAPHORE_C);
    const enum nv_acquire test = nv_field(method->data, NVC197_SET_REPORT_SEMAPHORE_D_COMPARISON) ==
                                         NVC197_SET_REPORT_SEMAPHORE_D_COMPARISON_EQ
                                     ? NV_ACQUIRE_EQUAL
                                     : NV_ACQUIRE_CIRC_GEQ;
    struct address_space_range where;
    uint64_t contiguous, fault;
    uint32_t value;

    if (!machine_vm_read(fe->machine, method->space_id, address, &value, sizeof value, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, false);
        return true;
    }
    if (nv_semaphore_acquired(test, 32, value, payload)) {
        MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_ACQUIRE, RULE_NV_FE_ACQ, method->channel_id,
                    address, value, 1);
        return true;
    }
    if (address_space_translate(&fe->machine->spaces, method->space_id, address, &where,
                                &contiguous))
        machine_watch(fe->machine, fe->unit, NV_FE_ACQUIRE + method->pbdma_id, 0,
                      (enum memory_aperture)where.aperture, where.physical);
    *rule = RULE_NV_FE_ACQ;
    return false;
}

void nv_fe_acquire_due(struct nv_fe *fe, uint32_t pbdma_id)
{
    struct nv_pbdma *pbdma = &fe->pbdmas[pbdma_id];

    /* Another channel may be on the PBDMA by now.  The channel that waits is on the same runlist,
     * and gets a turn. */
    nv_runlist_stir(&pbdma->runlists[pbdma->state->runlist_id]);
    nv_pbdma_resume(pbdma);
}

/* ---- reports --------------------------------------------------------------------------------- */

/* True when a field means something that is not modelled, or nothing. */
static bool nv_fe_odd_report(uint32_t data, bool is_3d)
{
    const uint32_t operation = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_OPERATION);
    const uint32_t location = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_PIPELINE_LOCATION);
    const bool reduces = operation == NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE &&
                         nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_ENABLE);

    if (reduces && nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_FORMAT) >
                       NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_FORMAT_SIGNED_32)
        return true;
    if (!is_3d)
        return operation != NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE &&
               operation != NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_TRAP;
    if (operation == NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_REPORT_ONLY &&
        nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REPORT) !=
            NVC197_SET_REPORT_SEMAPHORE_D_REPORT_NONE)
        return true;
    return operation != NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_ACQUIRE &&
           location != NVC197_SET_REPORT_SEMAPHORE_D_PIPELINE_LOCATION_ALL &&
           location != NVC197_SET_REPORT_SEMAPHORE_D_PIPELINE_LOCATION_NONE;
}

bool nv_fe_report(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    const bool is_3d = (nv_fe_class(fe, method->subchannel) & 0xff) == 0x97;
    struct nv_fe_report report = {
        .address = nv_fe_address(fe, method->subchannel, NVA097_SET_REPORT_SEMAPHORE_A, UINT8_MAX),
        .payload = nv_fe_shadow(fe, method->subchannel, NVA097_SET_REPORT_SEMAPHORE_C),
    };

    if (nv_fe_odd_report(method->data, is_3d))
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    switch (nv_field(method->data, NVC197_SET_REPORT_SEMAPHORE_D_OPERATION)) {
    case NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE:
        report.kind = NV_FE_RELEASE;
        break;
    case NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_TRAP:
        report.kind = NV_FE_TRAP;
        break;
    case NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_REPORT_ONLY:
        if (!is_3d)
            return true;
        report.kind = NV_FE_COUNTER;
        break;
    default:
        return !is_3d || nv_fe_acquire(fe, method, report.address, rule);
    }
    return nv_fe_report_push(fe, method, report, rule);
}

/* The notifier's layout is not in the class headers.  ASSUMED: sixteen bytes, time in ns first,
 * then zeroes ("done"), as the open kernel modules' NvNotification has it. */
bool nv_fe_notify(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    /* 2D and inline-to-memory have 25 upper bits, 3D and compute eight. */
    const uint32_t class_id = nv_fe_class(fe, method->subchannel);
    const uint32_t upper = class_id == 0x902d || class_id == 0xa140 ? 0x1ffffff : UINT8_MAX;
    const struct nv_fe_report notify = {
        .address = nv_fe_address(fe, method->subchannel, NVA097_SET_NOTIFY_A, upper),
        .kind = NV_FE_NOTIFIER,
    };

    if (method->data > NVA097_NOTIFY_TYPE_WRITE_THEN_AWAKEN)
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    return nv_fe_report_push(fe, method, notify, rule);
}

void nv_fe_report_advance(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_report *head;

    if (context->reports.first == 0 || context != nv_fe_current(fe))
        return;
    head = &state->reports[context->reports.first - 1];
    if (head->remaining > 0 || head->scheduled)
        return;
    head->scheduled = 1;
    context->in_flight++;
    if (head->queued_ps < machine_now(fe->machine))
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WAIT, RULE_NV_REPORT, head->queued_ps,
                    SUBJECT_SEMAPHORE, head->address, SUBJECT_ENGINE, 0);
    machine_schedule(
        fe->machine, fe->unit,
        nv_host_after(fe->host, machine_parameter(fe->machine, PARAM_NV_MEMORY_CYCLES)),
        NV_FE_REPORT, nv_fe_tag(fe, context, 0));
}

/* ---- writing --------------------------------------------------------------------------------- */

static void nv_fe_report_write(struct nv_fe *fe, const struct nv_fe_report *report)
{
    const uint32_t data = report->data;
    const struct nv_release release = {
        .address = report->address,
        .payload = nv_report_counts_64_bits(data) ? 0 : report->payload,
        .gp_sequence = report->gp_sequence,
        .channel_id = report->channel_id,
        .space_id = report->space_id,
        .class_id = report->class_id,
        .rule = RULE_NV_REPORT,
        .has_time = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_STRUCTURE_SIZE) ==
                    NVC197_SET_REPORT_SEMAPHORE_D_STRUCTURE_SIZE_FOUR_WORDS,
        .reduces = report->kind == NV_FE_RELEASE &&
                   nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_ENABLE),
        .is_signed = nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_FORMAT) ==
                     NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_FORMAT_SIGNED_32,
        .reduction = nv_semaphore_graphics_reduction(
            nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_OP)),
    };
    uint64_t fault;

    if (!nv_release_write(fe->machine, fe->unit, &release, &fault))
        nv_fe_fault(fe, report->channel_id, fault, true);
    else if (nv_field(data, NVC197_SET_REPORT_SEMAPHORE_D_AWAKEN_ENABLE))
        nv_fe_interrupt(fe, report->channel_id, 1u << NV_PGRAPH_INTR_SEMAPHORE_LO, false);
}

static void nv_fe_notify_write(struct nv_fe *fe, const struct nv_fe_report *report)
{
    const uint64_t words[2] = {machine_now(fe->machine) / GFE_PS_PER_NS, 0};
    uint64_t fault;

    if (!machine_vm_write(fe->machine, report->space_id, report->address, words, sizeof words,
                          &fault)) {
        nv_fe_fault(fe, report->channel_id, fault, true);
        return;
    }
    machine_vm_wrote_own(fe->machine, report->space_id, report->address, 8);
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_NOTIFY, RULE_NONE, report->channel_id,
                report->address, report->class_id);
    if (report->data == NVA097_NOTIFY_TYPE_WRITE_THEN_AWAKEN)
        nv_fe_interrupt(fe, report->channel_id, 1u << NV_PGRAPH_INTR_NOTIFY_LO, false);
}

void nv_fe_report_due(struct nv_fe *fe, struct nv_fe_context *context)
{
    struct nv_fe_state *state = fe->state;
    const uint32_t link = context->reports.first;
    const struct nv_fe_report report = state->reports[link - 1];

    assert(report.scheduled);
    state->reports[link - 1] = (struct nv_fe_report){0};
    nv_fe_queue_remove(&context->reports, state->report_next, 0);
    nv_fe_pool_give(&state->report_pool, state->report_next, link);
    context->in_flight--;
    if (report.kind == NV_FE_NOTIFIER)
        nv_fe_notify_write(fe, &report);
    else if (report.kind == NV_FE_TRAP)
        nv_fe_interrupt(fe, report.channel_id, 1u << NV_PGRAPH_INTR_NONSTALL_TRAP_LO, true);
    else
        nv_fe_report_write(fe, &report);
    nv_fe_report_advance(fe, context);
    nv_fe_resume_waiting(fe);
    nv_fe_context_changed(fe, context);
}
