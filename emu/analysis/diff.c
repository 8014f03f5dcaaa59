/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/analysis/diff.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Task, call and iteration, of which a program has fewer than 2^12, 2^20, 2^32. */
static uint64_t key_of(const struct story_operation *operation)
{
    return operation->iteration << 32 | (uint64_t)(operation->task & 0xfff) << 20 |
           (operation->call & 0xfffff);
}

/* ---- decisions ------------------------------------------------------------------------------- */

/* The n-th decision of a kind. */
struct step {
    uint64_t key; /* what was decided; the same in both runs if they agree */
    uint64_t place;
    gfe_ps time_ps; /* GFE_PS_NEVER: there are not so many */
    struct story_subject subject;
    uint32_t index; /* of holds, works or blocks */
};

static struct step step_channel(const struct story *story, uint32_t n)
{
    const struct story_hold *hold = n < story->hold_count ? &story->holds[n] : NULL;

    if (!hold)
        return (struct step){.time_ps = GFE_PS_NEVER, .index = n};
    return (struct step){
        .key = story->streams[hold->stream].stream_id, .time_ps = hold->from_ps, .index = n};
}

static struct step step_queue(const struct story *story, uint32_t n)
{
    const struct story_work *work = n < story->work_count ? &story->works[n] : NULL;

    if (!work)
        return (struct step){.time_ps = GFE_PS_NEVER, .index = n};
    return (struct step){.key = work->operation == STORY_NONE
                                    ? UINT64_MAX
                                    : key_of(&story->operations[work->operation]),
                         .time_ps = work->queued_ps,
                         .subject = {work->operation, STORY_NONE},
                         .index = n};
}

static struct step step_block(const struct story *story, uint32_t n)
{
    const struct story_block *block = n < story->block_count ? &story->blocks[n] : NULL;
    uint32_t operation;

    if (!block)
        return (struct step){.time_ps = GFE_PS_NEVER, .index = n};
    operation = story->works[block->work].operation;
    return (struct step){.key = operation == STORY_NONE
                                    ? UINT64_MAX
                                    : key_of(&story->operations[operation]) ^
                                          (uint64_t)block->index * UINT64_C(0x9e3779b97f4a7c15),
                         .place = block->sm,
                         .time_ps = block->start_ps,
                         .subject = {operation, n},
                         .index = n};
}

typedef struct step step_of(const struct story *story, uint32_t n);

/* The first step that differs; false: all are the same. */
static bool first_difference(const struct diff *diff, step_of *step, struct step found[2])
{
    for (uint32_t n = 0;; n++) {
        found[0] = step(diff->story[0], n);
        found[1] = step(diff->story[1], n);
        if (found[0].time_ps == GFE_PS_NEVER && found[1].time_ps == GFE_PS_NEVER)
            return false;
        if (found[0].time_ps == GFE_PS_NEVER || found[1].time_ps == GFE_PS_NEVER ||
            found[0].key != found[1].key || found[0].place != found[1].place)
            return true;
    }
}

static gfe_ps earlier(const struct step found[2])
{
    return found[0].time_ps < found[1].time_ps ? found[0].time_ps : found[1].time_ps;
}

/* ---- words ----------------------------------------------------------------------------------- */

static void say(const struct story *story, enum diff_kind kind, const struct step *step,
                struct diff_side *side)
{
    char name[STORY_NAME_BYTES] = "an operation of no call";

    side->time_ps = step->time_ps;
    if (step->time_ps == GFE_PS_NEVER) {
        (void)snprintf(side->says, sizeof side->says, "there is no such decision");
        return;
    }
    if (kind == DIFF_CHANNEL)
        story_stream_name(story, story->holds[step->index].stream, name);
    else if (step->subject.operation != STORY_NONE)
        story_name(story, step->subject, name);
    if (kind == DIFF_CHANNEL)
        (void)snprintf(side->says, sizeof side->says, "%s gets a channel", name);
    else if (kind == DIFF_QUEUE)
        (void)snprintf(side->says, sizeof side->says, "%s joins its queue", name);
    else
        (void)snprintf(side->says, sizeof side->says, "%s starts on SM %" PRIu64, name,
                       step->place);
}

/* What one run did first the other did not do at that time: the rule by which it waited there. */
static const char *rule_in_the_way(const struct diff *diff, const struct step found[2])
{
    const uint32_t early = found[1].time_ps < found[0].time_ps;
    const struct story *other = diff->story[1 - early];
    struct story_subject subject;
    struct story_life life = {0};
    char name[STORY_NAME_BYTES];
    const char *rule = "-";

    if (found[early].subject.operation == STORY_NONE)
        return rule;
    story_name(diff->story[early], found[early].subject, name);
    if (story_find(other, name, &subject) && story_life(other, subject, &life))
        for (uint32_t i = 0; i < life.count && strcmp(rule, "-") == 0; i++)
            if (life.pieces[i].what == STORY_WAIT && life.pieces[i].end_ps > found[early].time_ps)
                rule = story_rule(other, life.pieces[i].rule);
    story_life_fini(&life);
    return rule;
}

static const char *rule_of(const struct diff *diff, enum diff_kind kind, const struct step found[2])
{
    const uint32_t at = found[0].time_ps == GFE_PS_NEVER ? 1 : 0;

    if (kind == DIFF_CHANNEL)
        return story_rule(diff->story[at], diff->story[at]->holds[found[at].index].rule);
    if (kind == DIFF_PLACE)
        return "core.block_to_sm";
    return rule_in_the_way(diff, found);
}

/* Takes the difference of a kind if it is the first in time so far. */
static void consider(struct diff *diff, enum diff_kind kind, step_of *step)
{
    struct diff_decision *decision = &diff->decision;
    struct step found[2];
    gfe_ps so_far = decision->side[0].time_ps < decision->side[1].time_ps
                        ? decision->side[0].time_ps
                        : decision->side[1].time_ps;

    if (!first_difference(diff, step, found) ||
        (decision->kind != DIFF_NOTHING && earlier(found) >= so_far))
        return;
    if (kind == DIFF_START && found[0].key == found[1].key)
        kind = DIFF_PLACE;
    decision->kind = kind;
    decision->rule = rule_of(diff, kind, found);
    for (uint32_t i = 0; i < 2; i++)
        say(diff->story[i], kind, &found[i], &decision->side[i]);
}

/* ---- operations ------------------------------------------------------------------------------ */

static gfe_ps took(const struct story_operation *operation)
{
    return operation->completed_ps == GFE_PS_NEVER ? GFE_PS_NEVER
                                                   : operation->completed_ps - operation->called_ps;
}

static bool compare_operations(struct diff *diff, struct id_map *by_key)
{
    const struct story *a = diff->story[0], *b = diff->story[1];
    uint32_t found = 0;

    for (uint32_t i = 0; i < b->operation_count; i++)
        if (id_map_find(by_key, key_of(&b->operations[i])) == ID_MAP_NONE &&
            !id_map_add(by_key, key_of(&b->operations[i]), i))
            return false;
    for (uint32_t i = 0; i < a->operation_count; i++) {
        const uint32_t other = id_map_find(by_key, key_of(&a->operations[i]));
        struct diff_row row = {{i, other}, {took(&a->operations[i]), 0}};

        if (other == ID_MAP_NONE) {
            diff->only_count[0]++;
            continue;
        }
        found++;
        row.took_ps[1] = took(&b->operations[other]);
        if (row.took_ps[0] == row.took_ps[1])
            diff->same_count++;
        else
            diff->rows[diff->row_count++] = row;
    }
    diff->only_count[1] = b->operation_count > found ? b->operation_count - found : 0;
    return true;
}

bool diff_make(struct diff *diff, const struct story *a, const struct story *b,
               struct gfe_error *error)
{
    struct id_map by_key = {0};
    bool good;

    *diff = (struct diff){.story = {a, b}, .decision = {.rule = "-"}};
    if (a->call_count != b->call_count)
        return error_set(error, ERROR_INPUT,
                         "the logs are of different programs: one has %u calls, the other %u",
                         a->call_count, b->call_count);
    diff->rows = calloc(a->operation_count ? a->operation_count : 1, sizeof *diff->rows);
    good = diff->rows && compare_operations(diff, &by_key);
    id_map_fini(&by_key);
    if (!good) {
        diff_fini(diff);
        return error_set(error, ERROR_SYSTEM, "no memory to compare the logs");
    }
    consider(diff, DIFF_CHANNEL, step_channel);
    consider(diff, DIFF_QUEUE, step_queue);
    consider(diff, DIFF_START, step_block);
    return true;
}

void diff_fini(struct diff *diff)
{
    free(diff->rows);
    diff->rows = NULL;
}
