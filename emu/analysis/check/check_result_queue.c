/* SPDX-License-Identifier: MIT */
/* Measurements: kernels of a process that went ahead of another one's turn. */
#include <config.h>

#include <inttypes.h>
#include <stdlib.h>

#include "emu/analysis/check/check_result_private.h"

#define NO_BLOCK UINT32_MAX

/* Kernels of a process by the start of their first block. */
struct turns {
    struct result_check *check;
    const struct result_kernel **kernels; /* owned; borrows */
    uint32_t count;
};

static int turn_compare(const void *left, const void *right)
{
    const struct result_kernel *a = *(const struct result_kernel *const *)left;
    const struct result_kernel *b = *(const struct result_kernel *const *)right;

    if (a->first_ps != b->first_ps)
        return a->first_ps < b->first_ps ? -1 : 1;
    return a < b ? -1 : a > b; /* of one array */
}

/* ---- what is proven -------------------------------------------------------------------------- */

/* A block of `late` that starts between two of `early`, so while that was at the head of its queue
 * with blocks to come; NO_BLOCK: none. */
static uint32_t block_between(const struct result_check *check, const struct result_kernel *early,
                              const struct result_kernel *late)
{
    const gfe_ps noise_ps = check->rules->tolerance_ps;

    for (uint32_t i = 0; i < late->kernel->block_count; i++) {
        const gfe_ps start_ps = late->kernel->blocks[i].start_ps;

        if (result_after(start_ps, early->first_ps, noise_ps) &&
            result_after(early->last_ps, start_ps, noise_ps))
            return i;
    }
    return NO_BLOCK;
}

/* When the kernel was at the head of its stream for certain, on the CPU's clock.  An iteration
 * begins when the one before is over. */
static gfe_ps head_ps(const struct result_check *check, const struct result_kernel *kernel)
{
    const gfe_ps noise_ps = check->rules->clock_error_ps;
    const gfe_ps end_ps = kernel->before_ps;
    const gfe_ps sure_ps = end_ps < GFE_PS_NEVER - noise_ps ? end_ps + noise_ps : GFE_PS_NEVER;

    return end_ps > 0 && sure_ps > kernel->kernel->launched_ps ? sure_ps
                                                               : kernel->kernel->launched_ps;
}

/* Blocks of `early` that start after that time. */
static uint32_t blocks_after(const struct result_kernel *early, gfe_ps time_ps)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < early->kernel->block_count; i++)
        count += early->kernel->blocks[i].start_ps > time_ps;
    return count;
}

/* ---- violations ------------------------------------------------------------------------------ */

static struct check_event block_event(const struct result_check *check,
                                      const struct result_kernel *kernel, uint32_t block)
{
    return result_block_event(check, kernel, block, true);
}

/* Returns the rule that `late` breaks if it gets a block before its turn.  Returns NULL if it
 * breaks none, or if that is not known. */
static const char *rule_of(const struct result_check *check, const struct result_kernel *early,
                           const struct result_kernel *late)
{
    const struct result_stream *a = &check->streams[early->stream];
    const struct result_stream *b = &check->streams[late->stream];

    if (!a->has_priority || !b->has_priority || b->priority < a->priority)
        return NULL;
    return b->priority == a->priority ? "T.X1" : "T.A2";
}

/* Two kernels whose blocks start in overlapping spans of time.  Where priorities are known, one of
 * the two is not the lower one. */
static void pair_check(struct result_check *check, const struct result_kernel *a,
                       const struct result_kernel *b)
{
    const struct result_kernel *const early[2] = {a, b}, *const late[2] = {b, a};
    const uint32_t between[2] = {block_between(check, a, b), block_between(check, b, a)};
    struct check_event first, second;

    for (int i = 0; i < 2; i++) {
        const char *rule = rule_of(check, early[i], late[i]);

        if (!rule || between[i] == NO_BLOCK)
            continue;
        first = block_event(check, early[i], result_block_at(early[i], early[i]->first_ps));
        second = block_event(check, late[i], between[i]);
        check_report_add(check->report, rule, &first, &second,
                         "the kernel at the head of the queue has %u of its %u blocks to assign",
                         blocks_after(early[i], second.time_ps), early[i]->kernel->block_count);
        return;
    }
    if (between[0] == NO_BLOCK || between[1] == NO_BLOCK)
        return;
    first = block_event(check, b, between[0]);
    second = block_event(check, a, between[1]);
    check_report_add(check->report, "T.X1", &first, &second,
                     "each of two kernels starts a block while the other has some to assign");
}

/* `late` was launched when `early` was at the head of the queue, and had none of its blocks yet. */
static void launch_check(struct result_check *check, const struct result_kernel *early,
                         const struct result_kernel *late)
{
    const gfe_ps noise_ps = check->rules->tolerance_ps;
    const gfe_ps way_ps = check->rules->clock_error_ps; /* of a launch to the queue, too */
    const char *rule = rule_of(check, early, late);
    struct check_event first, second;

    if (!rule || block_between(check, early, late) != NO_BLOCK ||
        !result_after(late->kernel->launch_ps, head_ps(check, early), way_ps) ||
        !result_after(early->last_ps, late->first_ps, noise_ps))
        return;
    first = block_event(check, early, result_block_at(early, early->last_ps));
    second = block_event(check, late, result_block_at(late, late->first_ps));
    check_report_add(check->report, rule, &second, &first,
                     "a kernel that was launched after another was ready starts before its last "
                     "block");
}

/* ---- a process ------------------------------------------------------------------------------- */

/* Kernels up to the one whose blocks begin after the last of this one. */
static void overlaps_check(const struct turns *turns, uint32_t index)
{
    const struct result_kernel *kernel = turns->kernels[index];

    for (uint32_t i = index + 1; i < turns->count && turns->kernels[i]->first_ps < kernel->last_ps;
         i++)
        if (turns->kernels[i]->stream != kernel->stream)
            pair_check(turns->check, kernel, turns->kernels[i]);
}

/* The first kernel whose blocks begin at that time or later. */
static uint32_t turns_from(const struct turns *turns, gfe_ps time_ps)
{
    uint32_t low = 0, high = turns->count;

    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (turns->kernels[middle]->first_ps < time_ps)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Kernels that begin while this one was at the head of its stream. */
static void launches_check(const struct turns *turns, const struct result_kernel *kernel)
{
    const struct result_check *check = turns->check;
    const gfe_ps noise_ps = check->rules->clock_error_ps;
    const gfe_ps head = head_ps(check, kernel);

    if (!check->streams[kernel->stream].in_plain_view)
        return;
    for (uint32_t i = turns_from(turns, head > noise_ps ? head - noise_ps : 0);
         i < turns->count && turns->kernels[i]->first_ps < kernel->last_ps; i++)
        if (turns->kernels[i]->stream != kernel->stream)
            launch_check(turns->check, kernel, turns->kernels[i]);
}

bool result_queue_check(struct result_check *check, int32_t pid)
{
    struct turns turns = {.check = check};

    turns.kernels = calloc((size_t)check->kernel_count + 1, sizeof turns.kernels[0]);
    if (!turns.kernels)
        return false;
    for (uint32_t i = 0; i < check->kernel_count; i++) {
        const struct examiner_result *result = check->streams[check->kernels[i].stream].result;

        if (result->pid == pid && result->blocks_timed &&
            !check->streams[check->kernels[i].stream].masked)
            turns.kernels[turns.count++] = &check->kernels[i];
    }
    qsort(turns.kernels, turns.count, sizeof turns.kernels[0], turn_compare);
    for (uint32_t i = 0; i < turns.count; i++) {
        overlaps_check(&turns, i);
        launches_check(&turns, turns.kernels[i]);
    }
    free(turns.kernels);
    return true;
}
