/* SPDX-License-Identifier: MIT */
/* Measurements: what the blocks of a process hold. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/check/check_result_private.h"

/* A block takes its place, or leaves it. */
struct change {
    gfe_ps time_ps;
    uint32_t kernel, block;
    bool takes;
};

/* What a process has on the SMs. */
struct account {
    struct result_check *check;
    struct change *changes; /* owned */
    size_t count;
    struct check_grid *grids; /* owned; of each kernel of the experiment */
    struct check_sm sms[CHECK_SMS_MAX];
    uint64_t threads; /* on all of them */
    uint32_t threads_at_most;
    struct check_event last; /* block that started */
};

/* What is left goes before what comes: a place changes hands in one instant. */
static int change_compare(const void *left, const void *right)
{
    const struct change *a = left, *b = right;

    if (a->time_ps != b->time_ps)
        return a->time_ps < b->time_ps ? -1 : 1;
    if (a->takes != b->takes)
        return a->takes ? 1 : -1;
    if (a->kernel != b->kernel)
        return a->kernel < b->kernel ? -1 : 1;
    return a->block < b->block ? -1 : a->block > b->block;
}

/* Its blocks fit an SM, and the account. */
static bool grid_set(struct account *account, uint32_t index)
{
    struct result_check *check = account->check;
    const struct examiner_result_kernel *kernel = check->kernels[index].kernel;
    struct check_grid *grid = &account->grids[index];
    const uint64_t shared =
        (uint64_t)kernel->shared_bytes + check->rules->limits->driver_shared_bytes;
    const uint64_t values[] = {0, 0, kernel->block_count, (uint64_t)kernel->threads, shared, 0};

    grid->queued = check_event_at(kernel->launch_ps, "%s times[%u]: its launch call",
                                  check->streams[check->kernels[index].stream].who, kernel->index);
    if (check_grid_absurd(values)) {
        check_report_add(check->report, "LOG", NULL, &grid->queued, "no GPU has such blocks");
        return false;
    }
    check_grid_need(check->rules->limits, grid, values);
    check_grid_limits(check->report, check->rules->limits, grid, values);
    return true;
}

/* Blocks are taken to end earlier by the noise: what clashes for no longer is gone then. */
static void changes_add(struct account *account, uint32_t index)
{
    const struct result_check *check = account->check;
    const struct examiner_result_kernel *kernel = check->kernels[index].kernel;

    for (uint32_t i = 0; i < kernel->block_count; i++) {
        const struct examiner_result_block *block = &kernel->blocks[i];

        if (!result_after(block->end_ps, block->start_ps, check->rules->tolerance_ps) ||
            block->sm >= check->rules->limits->sm_count || block->sm >= CHECK_SMS_MAX)
            continue;
        account->changes[account->count++] = (struct change){block->start_ps, index, i, true};
        account->changes[account->count++] =
            (struct change){block->end_ps - check->rules->tolerance_ps, index, i, false};
    }
}

static void change_apply(struct account *account, const struct change *change)
{
    struct result_check *check = account->check;
    const struct result_kernel *kernel = &check->kernels[change->kernel];
    const struct check_grid *grid = &account->grids[change->kernel];
    const uint32_t index = kernel->kernel->blocks[change->block].sm;
    struct check_sm *sm = &account->sms[index];
    struct check_event event;

    check_sm_take(check->rules->limits, sm, grid, 0,
                  change->takes); /* the result does not say which slot */
    account->threads += change->takes ? grid->threads : -(uint64_t)grid->threads;
    if (!change->takes)
        return;
    event = result_block_event(check, kernel, change->block, true);
    check_sm_limits(check->report, check->rules->limits, sm, index, &event);
    if (account->threads > account->threads_at_most)
        check_report_add(check->report, "T.R2", account->last.text[0] ? &account->last : NULL,
                         &event, "the GPU holds %" PRIu64 " threads, of at most %u",
                         account->threads, account->threads_at_most);
    sm->last = account->last = event;
}

/* Room for the blocks of all kernels. */
static bool account_init(struct account *account, struct result_check *check)
{
    size_t blocks = 1;

    for (uint32_t i = 0; i < check->kernel_count; i++)
        blocks += check->kernels[i].kernel->block_count;
    account->check = check;
    account->changes = calloc(blocks, 2 * sizeof account->changes[0]);
    account->grids = calloc((size_t)check->kernel_count + 1, sizeof account->grids[0]);
    return account->changes && account->grids;
}

static void account_run(struct account *account, int32_t pid)
{
    struct result_check *check = account->check;

    account->threads_at_most = UINT32_MAX;
    for (uint32_t i = 0; i < check->kernel_count; i++) {
        const struct examiner_result *result = check->streams[check->kernels[i].stream].result;

        if (result->pid != pid)
            continue;
        if (result->resident_threads < account->threads_at_most)
            account->threads_at_most = result->resident_threads;
        if (grid_set(account, i) && result->blocks_timed)
            changes_add(account, i);
    }
    qsort(account->changes, account->count, sizeof account->changes[0], change_compare);
    for (size_t i = 0; i < account->count; i++)
        change_apply(account, &account->changes[i]);
}

bool result_sms_check(struct result_check *check, int32_t pid)
{
    struct account *account = calloc(1, sizeof *account);
    const bool done = account && account_init(account, check);

    if (done)
        account_run(account, pid);
    if (account) {
        free(account->changes);
        free(account->grids);
    }
    free(account);
    return done;
}
