/* SPDX-License-Identifier: MIT */
/* Which operations gfe explain lists, in which order, and their waits rule by rule. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>

#include "emu/analysis/explain/explain_print.h"

static bool no_memory(const struct explain_print *print)
{
    return error_set_errno(print->error, ENOMEM, "%s", event_log_name(print->explain->log));
}

/* A walk over all operations, with one life for all of them. */
struct walk {
    const struct explain_print *print;
    explain_list_take *take;
    void *context;
    struct explain_life life;
    uint32_t *first_block, *next_block; /* of a launch, of a block: to list them below it */
};

static bool visit(struct walk *walk, struct explain_ref ref, uint32_t depth)
{
    if (walk->print->only != EXPLAIN_KINDS && walk->print->only != ref.kind)
        return true;
    if (!explain_life(walk->print->explain, ref, &walk->life))
        return no_memory(walk->print);
    return walk->take(walk->print, ref, &walk->life, depth, walk->context);
}

static bool visit_operation(struct walk *walk, uint32_t index, uint32_t depth)
{
    const struct explain *explain = walk->print->explain;
    const struct explain_operation *operation = &explain->operations[index];

    if (!visit(walk, (struct explain_ref){(enum explain_kind)operation->kind, index}, depth))
        return false;
    /* A submission has entries below it, an entry what its methods start, and these nothing. */
    for (uint32_t i = operation->first_child; i != EXPLAIN_NONE && depth < EXPLAIN_KINDS;
         i = explain->operations[i].next_child)
        if (!visit_operation(walk, i, depth + 1))
            return false;
    if (!walk->first_block)
        return true;
    for (uint32_t i = walk->first_block[index]; i != EXPLAIN_NONE; i = walk->next_block[i])
        if (!visit(walk, (struct explain_ref){EXPLAIN_BLOCK, i}, depth + 1))
            return false;
    return true;
}

/* The blocks of each launch as lists, in the order of their starts. */
static bool blocks_link(struct walk *walk)
{
    const struct explain *explain = walk->print->explain;

    walk->first_block = malloc((explain->operation_count + 1) * sizeof *walk->first_block);
    walk->next_block = malloc((explain->block_count + 1) * sizeof *walk->next_block);
    if (!walk->first_block || !walk->next_block)
        return no_memory(walk->print);
    for (uint32_t i = 0; i < explain->operation_count; i++)
        walk->first_block[i] = EXPLAIN_NONE;
    for (uint32_t i = explain->block_count; i > 0; i--) {
        const uint32_t launch = explain->blocks[i - 1].launch;
        walk->next_block[i - 1] = walk->first_block[launch];
        walk->first_block[launch] = i - 1;
    }
    return true;
}

static bool walk_all(const struct explain_print *print, explain_list_take *take, void *context)
{
    const struct explain *explain = print->explain;
    struct walk walk = {.print = print, .take = take, .context = context};
    bool good = true;

    if (print->blocks || print->only == EXPLAIN_BLOCK)
        good = blocks_link(&walk);
    for (uint32_t i = 0; good && i < explain->operation_count; i++)
        if (explain->operations[i].parent == EXPLAIN_NONE)
            good = visit_operation(&walk, i, 0);
    explain_life_fini(&walk.life);
    free(walk.first_block);
    free(walk.next_block);
    return good;
}

/* ---- the longest waits ----------------------------------------------------------------------- */

struct ranked {
    gfe_ps wait_ps;
    struct explain_ref ref;
    uint32_t order;
};

struct ranking {
    struct ranked *rows;
    uint32_t count, capacity;
};

static bool rank(const struct explain_print *print, struct explain_ref ref,
                 const struct explain_life *life, uint32_t depth, void *context)
{
    struct ranking *ranking = context;

    (void)depth;
    if (ranking->count == ranking->capacity) {
        const uint32_t wanted = ranking->capacity ? 2 * ranking->capacity : 256;
        struct ranked *moved = realloc(ranking->rows, wanted * sizeof *moved);
        if (!moved)
            return no_memory(print);
        ranking->rows = moved;
        ranking->capacity = wanted;
    }
    ranking->rows[ranking->count] =
        (struct ranked){explain_total(life).wait_ps, ref, ranking->count};
    ranking->count++;
    return true;
}

static int ranked_order(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;

    if (a->wait_ps != b->wait_ps)
        return a->wait_ps > b->wait_ps ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

bool explain_list(const struct explain_print *print, explain_list_take *take, void *context)
{
    struct explain_life life = {0};
    struct ranking ranking = {0};
    bool good;

    if (print->top == 0)
        return walk_all(print, take, context);
    good = walk_all(print, rank, &ranking);
    if (good && ranking.count > 0)
        qsort(ranking.rows, ranking.count, sizeof *ranking.rows, ranked_order);
    for (uint32_t i = 0; good && i < ranking.count && i < print->top; i++) {
        good = explain_life(print->explain, ranking.rows[i].ref, &life) || no_memory(print);
        good = good && take(print, ranking.rows[i].ref, &life, 0, context);
    }
    explain_life_fini(&life);
    free(ranking.rows);
    return good;
}

/* ---- rule by rule ---------------------------------------------------------------------------- */

struct rules {
    struct explain_rule_row *rows;
    uint32_t count;
    uint64_t operations; /* seen so far */
};

static struct explain_rule_row *row_of(struct rules *rules, uint32_t rule, enum explain_kind kind)
{
    for (uint32_t i = 0; i < rules->count; i++)
        if (rules->rows[i].rule == rule && rules->rows[i].kind == kind)
            return &rules->rows[i];
    if (rules->count == EXPLAIN_RULE_ROWS)
        return NULL;
    rules->rows[rules->count] = (struct explain_rule_row){.rule = rule, .kind = kind};
    return &rules->rows[rules->count++];
}

/* An operation counts once for each rule, however often it waits under it. */
static bool add_up(const struct explain_print *print, struct explain_ref ref,
                   const struct explain_life *life, uint32_t depth, void *context)
{
    struct rules *rules = context;

    (void)print;
    (void)depth;
    rules->operations++;
    for (uint32_t i = 0; i < life->count; i++) {
        const struct explain_piece *piece = &life->pieces[i];
        const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
        struct explain_rule_row *row =
            piece->what == EXPLAIN_WAIT ? row_of(rules, piece->rule, ref.kind) : NULL;
        if (!row)
            continue;
        row->operation_count += row->counted != rules->operations;
        row->counted = rules->operations;
        row->piece_count++;
        row->total_ps += took_ps;
        if (took_ps <= row->longest_ps)
            continue;
        row->longest_ps = took_ps;
        row->longest = ref;
        row->by = piece->by;
    }
    return true;
}

static int row_order(const void *left, const void *right)
{
    const struct explain_rule_row *a = left, *b = right;

    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    if (a->total_ps != b->total_ps)
        return a->total_ps > b->total_ps ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

uint32_t explain_rules(const struct explain_print *print,
                       struct explain_rule_row rows[EXPLAIN_RULE_ROWS])
{
    struct rules rules = {.rows = rows};

    if (!walk_all(print, add_up, &rules))
        return UINT32_MAX;
    if (rules.count > 0)
        qsort(rows, rules.count, sizeof *rows, row_order);
    return rules.count;
}
