/* SPDX-License-Identifier: MIT */
/* Joins the stand-in for nouveau (traces/record/nouveau/record_nouveau_live.h) with the emulation
 * (live_nouveau.h).
 */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "emu/live/live_nouveau.h"
#include "emu/live/live_preload.h"
#include "traces/record/nouveau/record_nouveau_live.h"
#include "traces/record/record_process_state.h"

struct live_process {
    struct live_orders orders;
    struct live_nouveau *live;
};

/* ---- the program's side -----------------------------------------------------------------------
 */

static bool process_read(void *program, uint64_t address, void *data, size_t bytes)
{
    return record_nouveau_live_read(program, address, data, bytes);
}

static bool process_write(void *program, uint64_t address, const void *data, size_t bytes)
{
    return record_nouveau_live_write(program, address, data, bytes);
}

/* ---- the emulation's --------------------------------------------------------------------------
 */

static bool has_ended(const struct live_process *process)
{
    return process->live->machine->state->ended != 0;
}

/* After each call.  A machine that had to stop does nothing any more. */
static void process_look(struct live_process *process)
{
    const struct machine *machine = process->live->machine;

    if (machine_failed(machine))
        live_give_up(machine->error.text);
    if (process->live->is_news)
        live_orders_flush(&process->orders);
    process->live->is_news = false;
    live_orders_flush_many(&process->orders);
}

static int process_act(void *context, uint64_t now_ns, const struct trace_record *record,
                       uint64_t *takes_ns)
{
    struct live_process *process = context;
    int result;

    if (has_ended(process))
        return 0;
    live_orders_check(&process->orders);
    result = live_nouveau_do(process->live, live_ps(now_ns), record);
    *takes_ns += process->live->base.takes_ps / GFE_PS_PER_NS;
    process_look(process);
    return result;
}

static void process_run(void *context, uint64_t now_ns, uint64_t *next_ns)
{
    struct live_process *process = context;
    gfe_ps next_ps = GFE_PS_NEVER;
    struct gfe_error error = {0};

    *next_ns = UINT64_MAX;
    if (has_ended(process))
        return;
    live_orders_check(&process->orders);
    if (!live_nouveau_run(process->live, live_ps(now_ns), &next_ps, &error))
        live_give_up(error.text);
    *next_ns = live_ns(next_ps);
    process_look(process);
}

static bool process_is_done(void *context, uint64_t now_ns, uint32_t submission_id,
                            uint64_t begin_ns)
{
    struct live_process *process = context;
    bool done;

    if (has_ended(process))
        return true;
    live_orders_check(&process->orders);
    done = live_nouveau_is_done(process->live, live_ps(now_ns), submission_id, live_ps(begin_ns));
    process_look(process);
    return done;
}

static void process_finish(void *context, uint64_t now_ns, uint32_t submission_id,
                           uint64_t *takes_ns)
{
    struct live_process *process = context;

    if (has_ended(process))
        return;
    live_orders_check(&process->orders);
    live_nouveau_finish(process->live, live_ps(now_ns), submission_id);
    *takes_ns += process->live->base.takes_ps / GFE_PS_PER_NS;
    process_look(process);
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
    else if (!live_nouveau_end(process->live, live_ps(now_ns), &error) ||
             !chunk_writer_finish(process->orders.writer, &error))
        record_process_give_up(error.text);
}

static const struct record_nouveau_live_ops process_ops = {
    process_act, process_run, process_is_done, process_finish, process_flush};

bool record_process_live_nouveau(struct record_nouveau *nouveau, const char *gpu,
                                 const char *directory, struct gfe_error *error)
{
    struct live_process *process = calloc(1, sizeof *process);
    struct live_orders *orders = process ? &process->orders : NULL;
    const struct machine_host host = {process_read, process_write, nouveau};

    if (!process)
        return error_set_errno(error, ENOMEM, "live");
    if (!live_orders_read(orders, directory, error)) {
        free(process);
        return error->kind == ERROR_NONE;
    }
    if (live_orders_log(orders, directory, error))
        process->live = live_nouveau_new(gpu, &orders->options, orders->faults, orders->fault_count,
                                         &host, error);
    if (!process->live) /* the process ends; what was made stays */
        return false;
    orders->machine = process->live->machine;
    record_nouveau_live(nouveau, &process_ops, process);
    return true;
}
