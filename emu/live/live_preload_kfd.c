/* SPDX-License-Identifier: MIT */
/* Joins the stand-in for KFD (traces/record/kfd/record_kfd_live.h) with the emulation (live_kfd.h).
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "emu/live/live_kfd.h"
#include "emu/live/live_preload.h"
#include "traces/record/kfd/record_kfd_live.h"
#include "traces/record/record_process_state.h"

struct live_process {
    struct live_orders orders;
    struct live_kfd *live;
};

/* ---- the program's side -----------------------------------------------------------------------
 */

static bool process_read(void *program, uint64_t va, void *data, size_t bytes)
{
    return record_kfd_live_read(program, va, data, bytes);
}

static bool process_write(void *program, uint64_t va, const void *data, size_t bytes)
{
    return record_kfd_live_write(program, va, data, bytes);
}

static void process_kernel(void *program, uint64_t kernel, uint64_t arguments)
{
    record_kfd_live_kernel(program, kernel, arguments);
}

static void process_event(void *program, uint32_t event_id)
{
    record_kfd_live_event(program, event_id);
}

static uint32_t process_exception(void *program, const struct live_exception *exception)
{
    const struct record_kfd_exception told = {.type = exception->type,
                                              .address = exception->address,
                                              .not_present = exception->not_present,
                                              .read_only = exception->read_only,
                                              .is_reset = exception->is_reset};

    return record_kfd_live_exception(program, &told);
}

/* ---- the emulation's --------------------------------------------------------------------------
 */

static bool has_ended(const struct live_process *process)
{
    return process->live->machine->state->ended != 0;
}

static int process_act(void *context, uint64_t now_ns, const struct trace_record *record,
                       uint64_t *takes_ns)
{
    struct live_process *process = context;
    int result;

    if (has_ended(process))
        return 0;
    live_orders_check(&process->orders);
    result = live_kfd_do(process->live, live_ps(now_ns), record);
    *takes_ns += process->live->base.takes_ps / GFE_PS_PER_NS;
    return result;
}

static uint64_t process_clock(void *context, uint64_t now_ns)
{
    const struct live_process *process = context;

    return live_kfd_clock(process->live, live_ps(now_ns));
}

static void process_flush(void *context, uint64_t now_ns, bool last)
{
    struct live_process *process = context;
    struct gfe_error error = {0};

    if (has_ended(process))
        return;
    live_orders_check(&process->orders);
    if (!last)
        live_orders_flush(&process->orders);
    else if (!live_kfd_end(process->live, live_ps(now_ns), &error) ||
             !chunk_writer_finish(process->orders.writer, &error))
        record_process_give_up(error.text);
}

static bool process_run(void *context, uint64_t now_ns, uint64_t *next_ns, bool *waits)
{
    struct live_process *process = context;
    const uint64_t before = machine_event_count(process->live->machine);
    gfe_ps next_ps = GFE_PS_NEVER;
    struct gfe_error error = {0};

    if (has_ended(process))
        return false;
    live_orders_check(&process->orders);
    if (!live_kfd_run(process->live, live_ps(now_ns), &next_ps, waits, &error))
        live_give_up(error.text);
    *next_ns = live_ns(next_ps);
    live_orders_flush_many(&process->orders);
    /* More than the look itself: */
    return machine_event_count(process->live->machine) > before + 1;
}

static const struct record_kfd_live_ops process_ops = {process_act, process_run, process_clock,
                                                       process_flush};

bool record_process_live(struct record_kfd *kfd, const char *gpu, const char *directory,
                         struct gfe_error *error)
{
    struct live_process *process = calloc(1, sizeof *process);
    struct live_orders *orders = process ? &process->orders : NULL;
    const struct live_program program = {process_read,  process_write,     process_kernel,
                                         process_event, process_exception, kfd};

    if (!process)
        return error_set_errno(error, ENOMEM, "live");
    if (!live_orders_read(orders, directory, error)) {
        free(process);
        return error->kind == ERROR_NONE;
    }
    if (live_orders_log(orders, directory, error))
        process->live = live_kfd_new(gpu, &orders->options, orders->faults, orders->fault_count,
                                     &program, error);
    if (!process->live) /* the process ends; what was made stays */
        return false;
    orders->machine = process->live->machine;
    record_kfd_live(kfd, &process_ops, process);
    return true;
}
