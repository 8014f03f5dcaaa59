/* SPDX-License-Identifier: MIT */
/* Report semaphores and notifiers: what tells the program how far the graphics engine has come. */
#include <config.h>

#include <assert.h>

#include "devices/nvidia/nv_events.h"
#include "devices/nvidia/nv_fe.h"
#include "devices/nvidia/nv_host.h"
#include "devices/nvidia/nv_methods.h"
#include "devices/nvidia/nv_tables.h"

static bool nv_fe_report_push(struct nv_fe *fe, const struct nv_method *method,
                              struct nv_fe_report report, uint32_t *rule)
{
    struct nv_fe_state *state = fe->state;

    if (state->report_count == NV_FE_REPORTS)
        return nv_fe_refuse(fe, method, RULE_NV_FE_FULL, rule);
    report.gp_sequence = method->gp_sequence;
    report.order = ++state->order;
    report.queued_ps = machine_now(fe->machine);
    report.channel_id = method->channel_id;
    report.space_id = method->space_id;
    report.class_id = nv_fe_class(fe, method->subchannel);
    report.remaining = state->outstanding_count;
    state->reports[(state->report_head + state->report_count) % NV_FE_REPORTS] = report;
    state->report_count++;
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_REPORT, RULE_NONE, report.channel_id,
                report.address, report.class_id, report.gp_sequence);
    nv_fe_report_advance(fe);
    return true;
}

bool nv_fe_report(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    const uint32_t d = method->data;
    const uint32_t operation = REG_GET(d, NVC197_SET_REPORT_SEMAPHORE_D_OPERATION);
    const bool releases = operation == NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE;
    const bool counts = operation == NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_REPORT_ONLY;
    const bool reduces = REG_GET(d, NVC197_SET_REPORT_SEMAPHORE_D_REDUCTION_ENABLE);
    const struct nv_fe_report report = {
        .address = nv_fe_address(fe, method->subchannel, NVC197_SET_REPORT_SEMAPHORE_A, UINT8_MAX),
        /* REPORT_ONLY writes a counter; no draw here counts anything. */
        .payload = counts ? 0 : nv_fe_shadow(fe, method->subchannel, NVC197_SET_REPORT_SEMAPHORE_C),
        .four_words = !REG_GET(d, NVC197_SET_REPORT_SEMAPHORE_D_STRUCTURE_SIZE),
    };

    if (!releases || reduces || REG_GET(d, NVC197_SET_REPORT_SEMAPHORE_D_AWAKEN_ENABLE))
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    if (reduces || (!releases && !counts))
        return true;
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
        .address = nv_fe_address(fe, method->subchannel, NVC197_SET_NOTIFY_A, upper),
        .is_notify = 1,
    };

    if (method->data == NVC197_NOTIFY_TYPE_WRITE_THEN_AWAKEN)
        nv_fe_unmodelled(fe, method, UNMODELLED_FIELD);
    return nv_fe_report_push(fe, method, notify, rule);
}

/* The report at the head is due once nothing in front of it runs. */
void nv_fe_report_advance(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    struct nv_fe_report *head = &state->reports[state->report_head];

    if (state->report_count == 0 || head->remaining > 0 || head->scheduled)
        return;
    head->scheduled = 1;
    if (head->queued_ps < machine_now(fe->machine))
        MACHINE_LOG(fe->machine, fe->unit, EVENT_WAIT, RULE_NV_REPORT, head->queued_ps,
                    SUBJECT_SEMAPHORE, head->address, SUBJECT_ENGINE, 0);
    machine_schedule(
        fe->machine, fe->unit,
        nv_host_after(fe->host, machine_parameter(fe->machine, PARAM_NV_MEMORY_CYCLES)),
        NV_FE_REPORT, 0);
}

bool nv_fe_release(struct nv_fe *fe, uint32_t channel_id, uint32_t space_id, uint64_t address,
                   uint32_t payload, bool four_words, uint32_t class_id, uint64_t gp_sequence)
{
    const uint64_t now_ns = machine_now(fe->machine) / GFE_PS_PER_NS;
    const uint32_t words[4] = {payload, 0, (uint32_t)now_ns, (uint32_t)(now_ns >> 32)};
    const size_t bytes = four_words ? sizeof words : sizeof words[0];
    uint64_t fault;

    if (!machine_vm_write(fe->machine, space_id, address, words, bytes, &fault)) {
        nv_fe_fault(fe, channel_id, fault, true);
        return false;
    }
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_RELEASE, RULE_NV_REPORT, channel_id, address,
                payload, bytes, class_id, gp_sequence);
    return true;
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
    MACHINE_LOG(fe->machine, fe->unit, EVENT_NV_NOTIFY, RULE_NONE, report->channel_id,
                report->address, report->class_id);
}

void nv_fe_report_due(struct nv_fe *fe)
{
    struct nv_fe_state *state = fe->state;
    const struct nv_fe_report report = state->reports[state->report_head];

    assert(state->report_count > 0 && report.scheduled);
    state->reports[state->report_head] = (struct nv_fe_report){0};
    state->report_head = (state->report_head + 1) % NV_FE_REPORTS;
    state->report_count--;
    if (report.is_notify)
        nv_fe_notify_write(fe, &report);
    else
        (void)nv_fe_release(fe, report.channel_id, report.space_id, report.address, report.payload,
                            report.four_words, report.class_id, report.gp_sequence);
    nv_fe_report_advance(fe);
    nv_fe_resume_waiting(fe);
}
