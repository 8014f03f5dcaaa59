/* SPDX-License-Identifier: MIT */
/*
 * Report semaphores and notifiers: what tells the program how far the graphics engine has come, and
 * acquires, which hold it.  Described, field by field, in open-gpu-doc classes/3d/clc197.h and
 * classes/compute/clc1c0.h; what the fields do is INFERRED from their names and from what Mesa's
 * nvc0 does with them (nvc0_query_hw.c, nvc0_screen.c).  From GA102 on there is
 * REPORT_SEMAPHORE_EXECUTE too (clc797.h, clc7c0.h), with the same fields in other places.
 *
 * RELEASE writes the payload, or reduces with it.  REPORT_ONLY writes a counter: one of 64 bits in
 * place of the payload, one of 32 behind it (nv_report.h).  Nothing is counted here: counters are
 * 0, which is logged unless REPORT is NONE.  TRAP writes nothing and raises the non-stalling
 * interrupt. ASSUMED: a report of any PIPELINE_LOCATION comes when all work in front of it is
 * complete (locations other than ALL and NONE are logged); FLUSH_DISABLE and the kind of RELEASE
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

/* The newer form has no COMPARISON: it tests for equality (ASSUMED). */
static bool nv_fe_acquire(struct nv_fe *fe, const struct nv_method *method,
                          const struct nv_fe_report *asked, uint32_t *rule)
{
    const uint64_t address = asked->address;
    const uint64_t payload = (uint64_t)asked->payload_upper << 32 | asked->payload;
    const enum nv_acquire test = nv_field(asked->data, NVC197_SET_REPORT_SEMAPHORE_D_COMPARISON) ==
                                         NVC197_SET_REPORT_SEMAPHORE_D_COMPARISON_EQ
                                     ? NV_ACQUIRE_EQUAL
                                     : NV_ACQUIRE_CIRC_GEQ;
    struct address_space_range where;
    uint64_t contiguous, fault, value = 0;

    if (!machine_vm_read(fe->machine, method->space_id, address, &value, asked->bits / 8, &fault)) {
        nv_fe_fault(fe, method->channel_id, fault, false);
        return true;
    }
    if (nv_semaphore_acquired(test, asked->bits, value, payload)) {
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
    nv_runlist_stir(nv_pbdma_queue(pbdma));
    nv_pbdma_resume(pbdma);
}

/* ---- reports --------------------------------------------------------------------------------- */

/* The upper bits that an address has: 25 from Hopper on, eight before. */
static uint32_t nv_fe_report_upper(uint32_t class_id)
{
    return class_id >= HOPPER_A ? 0x1ffffff : UINT8_MAX;
}

bool nv_fe_is_report_execute(uint32_t class_id, uint32_t method)
{
    return method == NVC797_REPORT_SEMAPHORE_EXECUTE &&
           (((class_id & 0xff) == 0x97 && class_id >= AMPERE_B) ||
            ((class_id & 0xff) == 0xc0 && class_id >= AMPERE_COMPUTE_B));
}

/* Moves a field from the one form of a report to the other. */
#define FROM(form, field, to)                                                                      \
    nv_field_put(NVC197_SET_REPORT_SEMAPHORE_D_##to,                                               \
                 nv_field(data, form##_REPORT_SEMAPHORE_EXECUTE_##field))

/* REPORT_SEMAPHORE_EXECUTE's data as those of SET_REPORT_SEMAPHORE_D, which say the same elsewhere
 * (open-gpu-doc classes/3d/clc797.h, classes/compute/clc7c0.h); the payload is apart. */
static uint32_t nv_fe_report_data(uint32_t data, bool is_3d)
{
    const uint32_t one_word = nv_field_put(NVC197_SET_REPORT_SEMAPHORE_D_STRUCTURE_SIZE, 1);

    if (is_3d)
        return FROM(NVC797, OPERATION, OPERATION) | FROM(NVC797, AWAKEN_ENABLE, AWAKEN_ENABLE) |
               FROM(NVC797, PIPELINE_LOCATION, PIPELINE_LOCATION) | FROM(NVC797, REPORT, REPORT) |
               FROM(NVC797, SUB_REPORT, SUB_REPORT) |
               FROM(NVC797, REDUCTION_ENABLE, REDUCTION_ENABLE) |
               FROM(NVC797, REDUCTION_OP, REDUCTION_OP) |
               FROM(NVC797, REDUCTION_FORMAT, REDUCTION_FORMAT) |
               (nv_field(data, NVC797_REPORT_SEMAPHORE_EXECUTE_STRUCTURE_SIZE) ? one_word : 0);
    return FROM(NVC7C0, OPERATION, OPERATION) | FROM(NVC7C0, AWAKEN_ENABLE, AWAKEN_ENABLE) |
           FROM(NVC7C0, REDUCTION_ENABLE, REDUCTION_ENABLE) |
           FROM(NVC7C0, REDUCTION_OP, REDUCTION_OP) |
           FROM(NVC7C0, REDUCTION_FORMAT, REDUCTION_FORMAT) |
           (nv_field(data, NVC7C0_REPORT_SEMAPHORE_EXECUTE_STRUCTURE_SIZE) ? one_word : 0);
}

static bool nv_fe_report_has_64_bits(uint32_t data, bool is_3d)
{
    return is_3d ? nv_field(data, NVC797_REPORT_SEMAPHORE_EXECUTE_PAYLOAD_SIZE64)
                 : nv_field(data, NVC7C0_REPORT_SEMAPHORE_EXECUTE_PAYLOAD_SIZE64);
}

/* What the method asks for, in the words of the older form. */
static struct nv_fe_report nv_fe_report_asked(const struct nv_fe *fe,
                                              const struct nv_method *method, bool is_3d)
{
    const uint32_t s = method->subchannel, upper = nv_fe_report_upper(nv_fe_class(fe, s));

    if (method->method == NVC197_SET_REPORT_SEMAPHORE_D)
        return (struct nv_fe_report){.address =
                                         nv_fe_address(fe, s, NVA097_SET_REPORT_SEMAPHORE_A, upper),
                                     .payload = nv_fe_shadow(fe, s, NVA097_SET_REPORT_SEMAPHORE_C),
                                     .data = method->data,
                                     .bits = 32};
    return (struct nv_fe_report){
        .address =
            (uint64_t)(nv_fe_shadow(fe, s, NVC797_SET_REPORT_SEMAPHORE_ADDRESS_UPPER) & upper)
                << 32 |
            nv_fe_shadow(fe, s, NVC797_SET_REPORT_SEMAPHORE_ADDRESS_LOWER),
        .payload = nv_fe_shadow(fe, s, NVC797_SET_REPORT_SEMAPHORE_PAYLOAD_LOWER),
        .payload_upper = nv_fe_shadow(fe, s, NVC797_SET_REPORT_SEMAPHORE_PAYLOAD_UPPER),
        .data = nv_fe_report_data(method->data, is_3d),
        .bits = nv_fe_report_has_64_bits(method->data, is_3d) ? 64 : 32};
}

bool nv_fe_report(struct nv_fe *fe, const struct nv_method *method, uint32_t *rule)
{
    const uint32_t class_id = nv_fe_class(fe, method->subchannel);
    const bool is_3d = (class_id & 0xff) == 0x97;
    const bool has_all = is_3d || nv_fe_is_report_execute(class_id, method->method);
    struct nv_fe_report report = nv_fe_report_asked(fe, method, is_3d);

    switch (nv_field(report.data, NVC197_SET_REPORT_SEMAPHORE_D_OPERATION)) {
    case NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_RELEASE:
        report.kind = NV_FE_RELEASE;
        break;
    case NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_TRAP:
        report.kind = NV_FE_TRAP;
        break;
    case NVC197_SET_REPORT_SEMAPHORE_D_OPERATION_REPORT_ONLY:
        if (!has_all)
            return true;
        report.kind = NV_FE_COUNTER;
        break;
    default:
        return !has_all || nv_fe_acquire(fe, method, &report, rule);
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
        .data = method->data,
        .kind = NV_FE_NOTIFIER,
    };

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
        .payload = nv_report_counts_64_bits(data)
                       ? 0
                       : (uint64_t)report->payload_upper << 32 | report->payload,
        .bits = report->bits,
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
