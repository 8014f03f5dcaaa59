/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/story/explain_story_why.h"

#include <string.h>

/* ---- what SMs lack -----------------------------------------------------------------------------
 */

struct amounts {
    uint64_t of[STORY_RESOURCES];
};

const char *story_resource_name(enum story_resource resource)
{
    static const char *const names[STORY_RESOURCES] = {[STORY_NOTHING] = "nothing",
                                                       [STORY_THREADS] = "threads",
                                                       [STORY_BLOCK_SLOTS] = "block slots",
                                                       [STORY_WARPS] = "warps",
                                                       [STORY_SHARED] = "bytes of shared memory",
                                                       [STORY_REGISTERS] = "registers"};

    return names[resource];
}

static uint64_t round_up(uint64_t value, uint32_t unit)
{
    return unit ? (value + unit - 1) / unit * unit : value;
}

static uint32_t warp_registers_of(const struct check_limits *limits, const struct story_work *work)
{
    const uint32_t lanes = limits->threads_per_warp ? limits->threads_per_warp : 1;

    return (uint32_t)round_up((uint64_t)work->registers * lanes, limits->register_unit);
}

static struct amounts need_of(const struct check_limits *limits, const struct story_work *work)
{
    const uint32_t lanes = limits->threads_per_warp ? limits->threads_per_warp : 1;
    const uint64_t warps = round_up(work->block_threads, lanes) / lanes;
    struct amounts need = {{0}};

    need.of[STORY_THREADS] = work->block_threads;
    need.of[STORY_BLOCK_SLOTS] = 1;
    need.of[STORY_WARPS] = warps;
    need.of[STORY_SHARED] = round_up(work->shared_bytes, limits->shared_unit_bytes);
    need.of[STORY_REGISTERS] = warp_registers_of(limits, work) * warps;
    return need;
}

static struct amounts limits_of(const struct check_limits *limits)
{
    struct amounts of = {{0}};

    of.of[STORY_THREADS] = limits->threads_per_sm;
    of.of[STORY_BLOCK_SLOTS] = limits->blocks_per_sm;
    of.of[STORY_WARPS] = limits->warps_per_sm;
    of.of[STORY_SHARED] = limits->shared_bytes_per_sm;
    of.of[STORY_REGISTERS] = limits->registers_per_sm;
    return of;
}

/* On an SM at that time, before the next one starts. */
static bool block_holds(const struct story *story, const struct story_block *block,
                        uint32_t process, gfe_ps time_ps)
{
    return block->end_ps > time_ps && block->sm < story->sm_count && block->sm < STORY_SMS_MAX &&
           story_process(story, block->work) == process;
}

static void lacks_find(const struct story *story, const struct amounts *need,
                       const struct amounts used[STORY_SMS_MAX],
                       struct story_lack lacks[STORY_SMS_MAX])
{
    const struct amounts limit = limits_of(story->limits);

    for (uint32_t sm = 0; sm < story->sm_count; sm++) {
        lacks[sm] = (struct story_lack){.lacks = STORY_NOTHING};
        for (uint32_t i = STORY_THREADS; i < STORY_RESOURCES; i++)
            if (used[sm].of[i] + need->of[i] > limit.of[i]) {
                lacks[sm].lacks = (enum story_resource)i;
                lacks[sm].used = used[sm].of[i];
                lacks[sm].limit = limit.of[i];
                lacks[sm].need = need->of[i];
                break;
            }
    }
}

/* An SM with registers enough may have none for these warps: what is left lies on sub-partitions of
 * which each has too few.  `large` are the warps on each SM that take as many registers or more. */
static void lacks_registers(const struct story *story, uint32_t work,
                            const uint64_t large[STORY_SMS_MAX],
                            struct story_lack lacks[STORY_SMS_MAX])
{
    const uint32_t size = warp_registers_of(story->limits, &story->works[work]);
    const uint32_t most = check_warps_of_registers(story->limits, size);
    const uint64_t warps = need_of(story->limits, &story->works[work]).of[STORY_WARPS];

    for (uint32_t sm = 0; sm < story->sm_count && story->limits->partitions > 1; sm++)
        if (lacks[sm].lacks == STORY_NOTHING && large[sm] + warps > most)
            lacks[sm] = (struct story_lack){.lacks = STORY_REGISTERS,
                                            .used = large[sm] * size,
                                            .limit = (uint64_t)most * size,
                                            .need = warps * size};
}

bool story_lacks(const struct story *story, uint32_t work, gfe_ps time_ps,
                 struct story_lack lacks[STORY_SMS_MAX])
{
    const uint32_t process = story_process(story, work);
    struct amounts used[STORY_SMS_MAX], need;
    uint64_t large[STORY_SMS_MAX] = {0};

    if (!story->limits || story->sm_count == 0)
        return false;
    memset(used, 0, sizeof used);
    for (uint32_t i = 0; i < story->block_count && story->blocks[i].start_ps <= time_ps; i++) {
        const struct story_block *block = &story->blocks[i];

        if (!block_holds(story, block, process, time_ps))
            continue;
        need = need_of(story->limits, &story->works[block->work]);
        for (uint32_t k = 0; k < STORY_RESOURCES; k++)
            used[block->sm].of[k] += need.of[k];
        if (warp_registers_of(story->limits, &story->works[block->work]) >=
            warp_registers_of(story->limits, &story->works[work]))
            large[block->sm] += need.of[STORY_WARPS];
    }
    need = need_of(story->limits, &story->works[work]);
    lacks_find(story, &need, (const struct amounts *)used, lacks);
    lacks_registers(story, work, large, lacks);
    for (uint32_t i = 0; i < story->block_count && story->blocks[i].start_ps <= time_ps; i++) {
        const struct story_block *block = &story->blocks[i];
        struct story_lack *lack;

        if (!block_holds(story, block, process, time_ps))
            continue;
        lack = &lacks[block->sm];
        need = need_of(story->limits, &story->works[block->work]);
        if (need.of[lack->lacks] == 0)
            continue;
        if (lack->holder_count < STORY_HOLDERS_MAX)
            lack->holders[lack->holder_count] = i;
        lack->holder_count++;
    }
    return true;
}

/* ---- what was in the way -----------------------------------------------------------------------
 */

/* Blocks of the grid that had started by then. */
static uint32_t started_by(const struct story *story, uint32_t work, gfe_ps time_ps)
{
    const uint32_t block = story_block_from(story, work, time_ps + 1);

    return block == STORY_NONE ? story->works[work].started : story->blocks[block].order;
}

static struct story_subject subject_of_block(const struct story *story, uint32_t block)
{
    return (struct story_subject){story->works[story->blocks[block].work].operation, block};
}

/* What kept a grid from having all its blocks is told by the one that starts last. */
static struct story_subject subject_of_head(const struct story *story, uint32_t work)
{
    const struct story_work *head = &story->works[work];

    if (head->is_copy || head->started == 0)
        return (struct story_subject){head->operation, STORY_NONE};
    return subject_of_block(story, story->block_order[head->first_block + head->started - 1]);
}

static void why_head(const struct story *story, const struct story_piece *piece,
                     struct story_why *why)
{
    const uint32_t work = (uint32_t)piece->by_id;
    const struct story_work *head = &story->works[work];
    const uint32_t started = started_by(story, work, piece->begin_ps);

    why->head = work;
    why->unassigned = head->block_count > started ? head->block_count - started : 0;
    why->blocker = subject_of_head(story, work);
}

/* Returns the stream's operation that was handed over last by then, or STORY_NONE. */
static uint32_t submitted_by(const struct story *story, uint32_t stream, gfe_ps time_ps)
{
    uint32_t found = STORY_NONE;

    for (uint32_t i = story->streams[stream].first; i != STORY_NONE; i = story->operations[i].next)
        if (story->operations[i].kind == STORY_KERNEL &&
            story->operations[i].submitted_ps <= time_ps)
            found = i;
    return found;
}

/* Streams of a process that wait for a channel at that time and do not get one. */
static bool waits_for_channel(const struct story *story, uint32_t operation, gfe_ps time_ps)
{
    for (uint32_t i = story->operations[operation].first_wait; i != STORY_NONE;
         i = story->waits[i].next)
        if (story_role(story, story->waits[i].rule) == STORY_ROLE_CHANNEL &&
            story->waits[i].begin_ps < time_ps && story->waits[i].end_ps >= time_ps)
            return true;
    return false;
}

static void why_channel(const struct story *story, uint32_t operation,
                        const struct story_piece *piece, struct story_why *why)
{
    const uint32_t stream = story->operations[operation].stream;
    const uint32_t context = story->streams[stream].context;

    for (uint32_t i = 0; i < story->hold_count && story->holds[i].from_ps <= piece->end_ps; i++) {
        const struct story_hold *hold = &story->holds[i];

        if (story->streams[hold->stream].context == context && hold->from_ps <= piece->begin_ps &&
            hold->to_ps > piece->begin_ps)
            why->held_count++;
        if (hold->stream != stream || hold->to_ps <= piece->begin_ps)
            continue;
        why->channel = hold->channel;
        why->got_rule = hold->rule;
        why->got_ps = hold->from_ps;
    }
    for (uint32_t i = 0; i < story->hold_count && why->channel != STORY_NONE; i++)
        if (story->holds[i].channel == why->channel && story->holds[i].to_ps == why->got_ps &&
            story->holds[i].stream != stream)
            why->freed_stream = story->holds[i].stream;
    for (uint32_t i = 0;
         i < story->operation_count && story->operations[i].called_ps <= piece->end_ps; i++)
        why->waiting_count += story->streams[story->operations[i].stream].context == context &&
                              waits_for_channel(story, i, piece->end_ps);
    if (why->freed_stream == STORY_NONE)
        return;
    why->blocker.operation = submitted_by(story, why->freed_stream, piece->end_ps);
    if (why->blocker.operation != STORY_NONE &&
        story->operations[why->blocker.operation].work != STORY_NONE)
        why->blocker = subject_of_head(story, story->operations[why->blocker.operation].work);
}

static void why_by(const struct story *story, const struct story_piece *piece,
                   struct story_why *why)
{
    if (piece->by == STORY_BY_OPERATION)
        why->blocker.operation = (uint32_t)piece->by_id;
    else if (piece->by == STORY_BY_WORK)
        why->blocker = subject_of_head(story, (uint32_t)piece->by_id);
    else if (piece->by == STORY_BY_BLOCK)
        why->blocker = subject_of_block(story, (uint32_t)piece->by_id);
}

void story_why(const struct story *story, struct story_subject subject,
               const struct story_piece *piece, struct story_why *why)
{
    const enum story_role role = story_role(story, piece->rule);
    const uint32_t work = story->operations[subject.operation].work;

    *why = (struct story_why)STORY_WHY_NONE;
    if (role >= STORY_ROLE_RING)
        return; /* AMD: the piece says who; that one waits for nothing of which this one knows */
    why_by(story, piece, why);
    if ((role == STORY_ROLE_HEAD || role == STORY_ROLE_HIGHER) && piece->by == STORY_BY_WORK)
        why_head(story, piece, why);
    if ((role == STORY_ROLE_RESOURCE || role == STORY_ROLE_SHARE) && work != STORY_NONE) {
        why->lacking = story_block_from(story, work, piece->end_ps);
        why->freed = piece->by == STORY_BY_BLOCK ? (uint32_t)piece->by_id : STORY_NONE;
    }
    if (role == STORY_ROLE_CHANNEL)
        why_channel(story, subject.operation, piece, why);
    if (why->blocker.operation == STORY_NONE)
        why->blocker.block = STORY_NONE;
}

/* ---- what the blocker did ----------------------------------------------------------------------
 */

/* Pieces of one kind between two times. */
struct heap {
    enum story_what what;
    uint32_t rule, count;
    gfe_ps sum_ps;
    const struct story_piece *longest;
    gfe_ps longest_ps;
};

enum { HEAPS = STORY_WHATS + STORY_RULES_MAX };

static uint32_t heaps_make(const struct story_life *life, gfe_ps from_ps, gfe_ps to_ps,
                           struct heap heaps[HEAPS])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < life->count; i++) {
        const struct story_piece *piece = &life->pieces[i];
        const gfe_ps begin_ps = piece->begin_ps > from_ps ? piece->begin_ps : from_ps;
        const gfe_ps end_ps = piece->end_ps < to_ps ? piece->end_ps : to_ps;
        uint32_t at = 0;

        if (end_ps <= begin_ps)
            continue;
        while (at < count && (heaps[at].what != piece->what || heaps[at].rule != piece->rule))
            at++;
        if (at == HEAPS)
            continue;
        if (at == count)
            heaps[count++] = (struct heap){.what = piece->what, .rule = piece->rule};
        heaps[at].count++;
        heaps[at].sum_ps += end_ps - begin_ps;
        if (end_ps - begin_ps > heaps[at].longest_ps) {
            heaps[at].longest_ps = end_ps - begin_ps;
            heaps[at].longest = piece;
        }
    }
    return count;
}

bool story_most(const struct story_life *life, gfe_ps from_ps, gfe_ps to_ps,
                struct story_most *most)
{
    struct heap heaps[HEAPS];
    const uint32_t count = heaps_make(life, from_ps, to_ps, heaps);
    const struct heap *best = NULL;
    gfe_ps waited_ps = 0, all_ps = 0;

    for (uint32_t i = 0; i < count; i++) {
        waited_ps += heaps[i].what == STORY_WAIT ? heaps[i].sum_ps : 0;
        all_ps += heaps[i].sum_ps;
    }
    most->is_root = waited_ps < (to_ps - from_ps) / 20 && waited_ps < all_ps;
    for (uint32_t i = 0; i < count; i++)
        if ((heaps[i].what == STORY_WAIT) != (most->is_root || waited_ps == 0) &&
            (!best || heaps[i].sum_ps > best->sum_ps))
            best = &heaps[i];
    if (!best)
        return false;
    most->is_root = best->what != STORY_WAIT;
    most->piece = *best->longest;
    most->from_ps = most->piece.begin_ps > from_ps ? most->piece.begin_ps : from_ps;
    most->to_ps = most->piece.end_ps < to_ps ? most->piece.end_ps : to_ps;
    most->sum_ps = best->sum_ps;
    most->count = best->count;
    return true;
}

bool story_late(const struct story_life *life, gfe_ps since_ps, const struct story_most *served,
                struct story_most *late)
{
    return served->piece.begin_ps > since_ps &&
           story_most(life, since_ps, served->piece.begin_ps, late) && !late->is_root;
}
