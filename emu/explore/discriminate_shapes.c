/* SPDX-License-Identifier: MIT */
/* Which scenarios are tried, in which order, and how one is made smaller. */
#include <config.h>

#include <stdlib.h>

#include "emu/explore/discriminate_private.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_shared.h"

enum {
    SMALL_THREADS = 32, /* a warp */
    COPY_WORDS = 128 << 20,
    SHARED_WORDS = 10240, /* the most for which the tool has a kernel */
    APART_MS = 1000,      /* more than a kernel of two waves takes */
    TOGETHER_MS = 20,
    ALL_SHAPES_MAX = 3, /* with more kernels those in the middle are alike */
    COPY_KERNELS_MAX = 2,
};

uint32_t discriminate_block_count(const struct discriminate_scenario *scenario)
{
    uint32_t blocks = 0;

    for (uint32_t i = 0; i < scenario->kernel_count; i++)
        blocks += scenario->kernels[i].blocks;
    return blocks;
}

uint32_t discriminate_release_ms(const struct discriminate_scenario *scenario, uint32_t stream)
{
    return stream * (scenario->apart ? APART_MS : TOGETHER_MS);
}

/* ---- shapes of a kernel ---------------------------------------------------------------------- */

enum shape {
    SHAPE_ONE,   /* a block of a warp */
    SHAPE_FULL,  /* fills all SMs */
    SHAPE_TWICE, /* fills them twice */
    SHAPE_SHARED,
    SHAPE_LARGE, /* one block of as many threads as it can have */
    SHAPE_TWO,   /* so many blocks of a warp, and so on */
    SHAPE_THREE,
    SHAPE_FOUR,
    SHAPE_SIX,
    SHAPE_EIGHT,
    SHAPE_TWELVE,
    SHAPE_SIXTEEN,
    SHAPE_TWENTY_FOUR,
    SHAPE_THIRTY_TWO,
    SHAPE_EACH,      /* as many as there are SMs */
    SHAPE_EACH_MORE, /* and one more */
    SHAPES,
};

static const uint32_t block_counts[SHAPES] = {
    [SHAPE_TWO] = 2,      [SHAPE_THREE] = 3,        [SHAPE_FOUR] = 4,
    [SHAPE_SIX] = 6,      [SHAPE_EIGHT] = 8,        [SHAPE_TWELVE] = 12,
    [SHAPE_SIXTEEN] = 16, [SHAPE_TWENTY_FOUR] = 24, [SHAPE_THIRTY_TWO] = 32,
};

/* Those of which all combinations are tried, by the number of kernels. */
static const uint32_t shapes_tried[ALL_SHAPES_MAX + 1] = {0, SHAPES, SHAPE_THREE, SHAPE_SHARED};

static uint32_t small_threads(const struct nv_chip *model)
{
    const uint32_t most = model->sm.threads_per_block;

    return most < SMALL_THREADS ? 1 : SMALL_THREADS;
}

static struct discriminate_kernel kernel_of(const struct nv_chip *model, enum shape shape)
{
    const uint32_t most = model->sm.threads_per_block;
    const uint32_t each = model->sm.threads_per_sm / most;
    struct discriminate_kernel kernel = {.blocks = 1, .threads = small_threads(model)};

    if (shape == SHAPE_FULL || shape == SHAPE_TWICE) {
        kernel.threads = most;
        kernel.blocks = model->sm_count * (each ? each : 1) * (shape == SHAPE_TWICE ? 2 : 1);
    } else if (shape == SHAPE_LARGE) {
        kernel.threads = most;
    } else if (shape == SHAPE_SHARED) {
        kernel.shared_words =
            SHARED_WORDS * 4 <= cuda_shared_of(model).by_default ? SHARED_WORDS : 0;
    } else if (shape == SHAPE_EACH || shape == SHAPE_EACH_MORE) {
        kernel.blocks = model->sm_count + (shape == SHAPE_EACH_MORE);
    } else if (block_counts[shape] > 0) {
        kernel.blocks = block_counts[shape];
    }
    return kernel;
}

/* ---- what else there is ---------------------------------------------------------------------- */

enum extra {
    EXTRA_NONE,
    EXTRA_HIGH_FIRST,
    EXTRA_HIGH_LAST,
    EXTRA_NULL_FIRST,
    EXTRA_NULL_LAST,
    EXTRA_APART,
    EXTRA_COPY, /* before the last kernel */
    EXTRA_PROCESSES,
    EXTRA_PROCESSES_COPY,
    EXTRAS,
};

static uint32_t kernels_in(const struct discriminate_scenario *scenario, uint32_t stream)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < scenario->kernel_count; i++)
        count += scenario->kernels[i].stream == stream;
    return count;
}

/* Copies take the simulation long, so only the smallest kernels have them. */
static bool may_copy(const struct discriminate_scenario *scenario)
{
    return scenario->kernel_count <= COPY_KERNELS_MAX &&
           discriminate_block_count(scenario) == scenario->kernel_count &&
           scenario->kernels[0].shared_words == 0 && scenario->kernels[0].threads <= SMALL_THREADS;
}

/* Adds it; false: it makes no sense there. */
static bool extra_add(const struct nv_chip *model, enum extra extra,
                      struct discriminate_scenario *scenario)
{
    const uint32_t last = scenario->kernel_count - 1, last_stream = scenario->stream_count - 1;
    const bool copies = extra == EXTRA_COPY || extra == EXTRA_PROCESSES_COPY;
    const bool is_first = extra == EXTRA_HIGH_FIRST || extra == EXTRA_NULL_FIRST;
    const uint32_t stream = is_first ? 0 : last_stream;

    if (last_stream == 0 && extra != EXTRA_NONE)
        return false; /* alone it changes nothing */
    if (copies && !may_copy(scenario))
        return false;
    scenario->apart = extra == EXTRA_APART;
    scenario->processes = extra >= EXTRA_PROCESSES;
    if (scenario->processes && scenario->kernel_count > ALL_SHAPES_MAX)
        return false; /* many contexts need more memory than small GPUs have */
    if (extra == EXTRA_HIGH_FIRST || extra == EXTRA_HIGH_LAST) {
        scenario->streams[stream].high = true;
        return cuda_priority_levels(model) > 1;
    }
    if (extra == EXTRA_NULL_FIRST || extra == EXTRA_NULL_LAST) {
        scenario->streams[stream].null_stream = true;
        return kernels_in(scenario, stream) == 1;
    }
    if (copies)
        scenario->kernels[last].copy_in_words = COPY_WORDS;
    return true;
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Which kernels share a stream: in one; each its own; the first ones; the last ones. */
enum grouping { GROUP_ONE, GROUP_EACH, GROUP_FIRST, GROUP_LAST, GROUPINGS };

static bool group(enum grouping grouping, struct discriminate_scenario *scenario)
{
    const uint32_t n = scenario->kernel_count;

    scenario->stream_count = grouping == GROUP_ONE ? 1 : grouping == GROUP_EACH ? n : 2;
    for (uint32_t i = 0; i < n; i++)
        scenario->kernels[i].stream = grouping == GROUP_ONE     ? 0
                                      : grouping == GROUP_EACH  ? i
                                      : grouping == GROUP_FIRST ? i == n - 1
                                                                : i > 0;
    return grouping == GROUP_ONE || (grouping == GROUP_EACH && n > 1) ||
           (n > 2 && n <= ALL_SHAPES_MAX);
}

/* The n-th combination of shapes; false: there are not so many. */
static bool shape_all(const struct nv_chip *model, uint32_t n,
                      struct discriminate_scenario *scenario)
{
    const uint32_t kernels = scenario->kernel_count;
    const bool all = kernels <= ALL_SHAPES_MAX;
    const uint32_t free = all ? kernels : 3;

    for (uint32_t i = 0; i < free; i++) {
        const uint32_t count = all ? shapes_tried[kernels] : i == 0 ? 3 : 2;
        const enum shape shape = (enum shape)(n % count);

        n /= count;
        if (all || i == 0)
            scenario->kernels[i] = kernel_of(model, shape);
        else if (i == 2)
            scenario->kernels[kernels - 1] = kernel_of(model, shape);
        else
            for (uint32_t k = 1; k + 1 < kernels; k++)
                scenario->kernels[k] = kernel_of(model, shape);
    }
    return n == 0;
}

struct candidate {
    struct discriminate_scenario scenario;
    uint32_t blocks, extra, number;
};

static int compare_candidates(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    const uint32_t keys[][2] = {{x->scenario.stream_count, y->scenario.stream_count},
                                {x->blocks, y->blocks},
                                {x->extra, y->extra},
                                {x->number, y->number}};

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

struct candidates {
    struct candidate *list;
    uint32_t count, capacity;
};

static bool candidates_add(struct candidates *candidates,
                           const struct discriminate_scenario *scenario, enum extra extra)
{
    struct candidate *grown;

    if (candidates->count == candidates->capacity) {
        candidates->capacity = candidates->capacity ? 2 * candidates->capacity : 64;
        grown = realloc(candidates->list, candidates->capacity * sizeof *grown);
        if (!grown)
            return false;
        candidates->list = grown;
    }
    candidates->list[candidates->count] =
        (struct candidate){.scenario = *scenario,
                           .blocks = discriminate_block_count(scenario),
                           .extra = extra,
                           .number = candidates->count};
    candidates->count++;
    return true;
}

/* Adds all candidates that one combination of shapes allows. */
static bool add_all(const struct nv_chip *model, const struct discriminate_scenario *shaped,
                    struct candidates *candidates)
{
    for (enum grouping g = GROUP_ONE; g < GROUPINGS; g++)
        for (enum extra extra = EXTRA_NONE; extra < EXTRAS; extra++) {
            struct discriminate_scenario scenario = *shaped;

            if (group(g, &scenario) && extra_add(model, extra, &scenario) &&
                !candidates_add(candidates, &scenario, extra))
                return false;
        }
    return true;
}

bool discriminate_enumerate(const struct nv_chip *model, uint32_t kernels,
                            struct discriminate_scenario **list, uint32_t *count)
{
    struct discriminate_scenario shaped = {.kernel_count = kernels};
    struct candidates candidates = {0};
    bool good = true;

    for (uint32_t n = 0; good && shape_all(model, n, &shaped); n++)
        good = add_all(model, &shaped, &candidates);
    *list = good ? calloc(candidates.count + (size_t)1, sizeof **list) : NULL;
    if (*list && candidates.count > 0)
        qsort(candidates.list, candidates.count, sizeof *candidates.list, compare_candidates);
    for (uint32_t i = 0; *list && i < candidates.count; i++)
        (*list)[i] = candidates.list[i].scenario;
    *count = candidates.count;
    free(candidates.list);
    return *list != NULL;
}

/* ---- smaller --------------------------------------------------------------------------------- */

static void remove_stream(struct discriminate_scenario *scenario, uint32_t stream)
{
    for (uint32_t i = stream; i + 1 < scenario->stream_count; i++)
        scenario->streams[i] = scenario->streams[i + 1];
    for (uint32_t i = 0; i < scenario->kernel_count; i++)
        scenario->kernels[i].stream -= scenario->kernels[i].stream > stream;
    scenario->stream_count--;
}

static bool remove_kernel(struct discriminate_scenario *scenario, uint32_t kernel)
{
    const uint32_t stream = scenario->kernels[kernel].stream;

    if (scenario->kernel_count == 1)
        return false;
    for (uint32_t i = kernel; i + 1 < scenario->kernel_count; i++)
        scenario->kernels[i] = scenario->kernels[i + 1];
    scenario->kernel_count--;
    if (kernels_in(scenario, stream) == 0)
        remove_stream(scenario, stream);
    return true;
}

/* The kernels of the stream go into the one before it. */
static bool merge_stream(struct discriminate_scenario *scenario, uint32_t stream)
{
    if (stream == 0 || stream >= scenario->stream_count || scenario->streams[stream].null_stream ||
        scenario->streams[stream - 1].null_stream ||
        scenario->streams[stream].high != scenario->streams[stream - 1].high)
        return false;
    for (uint32_t i = 0; i < scenario->kernel_count; i++)
        if (scenario->kernels[i].stream == stream)
            scenario->kernels[i].stream--;
    remove_stream(scenario, stream);
    return true;
}

static bool fewer_blocks(struct discriminate_kernel *kernel, uint32_t way)
{
    const uint32_t blocks = kernel->blocks;
    const uint32_t ways[] = {1, blocks / 2, blocks - blocks / 4, blocks - blocks / 8, blocks - 1};

    if (ways[way] == 0 || ways[way] >= blocks)
        return false;
    kernel->blocks = ways[way];
    return true;
}

enum { STEPS_OF_ALL = 2, STEPS_OF_KERNEL = 11 };

static bool reduce_kernel(struct discriminate_scenario *scenario, const struct nv_chip *model,
                          uint32_t index, uint32_t step)
{
    struct discriminate_kernel *kernel = &scenario->kernels[index];
    struct discriminate_stream *stream = &scenario->streams[index];
    bool had;

    switch (step) {
    case 0:
        return remove_kernel(scenario, index);
    case 1:
        return merge_stream(scenario, index); /* streams are not more than kernels */
    case 2:
        had = stream->high;
        stream->high = false;
        return had;
    case 3:
        had = stream->null_stream;
        stream->null_stream = false;
        return had;
    case 4:
        had = kernel->copy_in_words > 0 || kernel->shared_words > 0;
        kernel->copy_in_words = kernel->shared_words = 0;
        return had;
    case 5:
        had = kernel->threads > small_threads(model);
        kernel->threads = small_threads(model);
        return had;
    default:
        return fewer_blocks(kernel, step - 6);
    }
}

bool discriminate_reduce(const struct discriminate_scenario *from, const struct nv_chip *model,
                         uint32_t step, struct discriminate_scenario *to, bool *is_smaller)
{
    const uint32_t kernel = (step - STEPS_OF_ALL) % from->kernel_count;
    bool *const flag = step == 0 ? &to->processes : &to->apart;

    *to = *from;
    *is_smaller = false;
    if (step >= STEPS_OF_ALL) {
        const uint32_t of_kernel = (step - STEPS_OF_ALL) / from->kernel_count;

        if (of_kernel < STEPS_OF_KERNEL)
            *is_smaller = reduce_kernel(to, model, kernel, of_kernel);
        return of_kernel < STEPS_OF_KERNEL;
    }
    *is_smaller = *flag;
    *flag = false;
    return true;
}
