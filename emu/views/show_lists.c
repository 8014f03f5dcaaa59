/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show_lists.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/text.h"

enum {
    OPERATIONS_LISTED_MAX = 12,
    WAITS_LISTED_MAX = 5,
    PRECISION_PS = 1000, /* of points in time */
};

/* ---- title ----------------------------------------------------------------------------------- */

/* Last part of a path. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

void show_lists_name(const struct show *show, char *to, size_t bytes)
{
    const char *gpu = event_log_run(show->log, "gpu");

    (void)snprintf(to, bytes, "%s on %s", base_name(event_log_name(show->log)),
                   gpu ? gpu : "an unknown GPU");
}

static void counted(char *to, size_t bytes, uint64_t count, const char *one, const char *many)
{
    const size_t used = strlen(to);

    if (count > 0)
        (void)snprintf(to + used, bytes - used, "%s%" PRIu64 " %s", used ? ", " : "", count,
                       count == 1 ? one : many);
}

void show_lists_counts(const struct show *show, char *to, size_t bytes)
{
    uint64_t counts[SHOW_OPERATION_KINDS] = {0};

    for (uint32_t i = 0; i < show->operation_count; i++)
        counts[show->operations[i].kind]++;
    *to = '\0';
    counted(to, bytes, show->submission_count, "submission", "submissions");
    counted(to, bytes, counts[SHOW_GRID], show->words.grid, show->words.grids);
    counted(to, bytes, counts[SHOW_COPY], "copy", "copies");
    counted(to, bytes, counts[SHOW_WORK], "draw", "draws");
    if (!*to)
        (void)snprintf(to, bytes, "no submissions");
}

void show_lists_window(const struct show *show, char *to, size_t bytes)
{
    char from[48], until[48], end[48];

    if (show->item_count == 0) {
        const gfe_ps length_ps = show->asked_to_ps - show->from_ps;

        (void)text_time_of_range(from, sizeof from, show->from_ps, length_ps);
        (void)text_time_of_range(until, sizeof until, show->asked_to_ps, length_ps);
        (void)text_time(end, sizeof end, show->end_ps);
        if (show->asked_to_ps == GFE_PS_NEVER)
            (void)snprintf(to, bytes, "nothing happens from %s on; the log ends at %s", from, end);
        else
            (void)snprintf(to, bytes, "nothing happens between %s and %s; the log ends at %s", from,
                           until, end);
        return;
    }
    const gfe_ps length_ps = show->to_ps - show->from_ps;

    (void)snprintf(to, bytes, "%s to %s of simulated time",
                   text_time_of_range(from, sizeof from, show->from_ps, length_ps),
                   text_time_of_range(until, sizeof until, show->to_ps, length_ps));
}

/* ---- operations ------------------------------------------------------------------------------ */

/* " to host", where the program says so. */
static const char *direction_of(const struct show *show, const struct show_operation *copy,
                                char to[32])
{
    const struct streams_operation *made =
        streams_of_hardware(&show->streams, STREAMS_COPY, copy->id);
    const struct program_call *call =
        made ? program_call(&show->streams.program, made->call) : NULL;
    static const char *const known[] = {"to device", "to host", "on device"};

    to[0] = '\0';
    for (size_t i = 0; call && call->direction && i < sizeof known / sizeof known[0]; i++)
        if (strcmp(call->direction, known[i]) == 0)
            (void)snprintf(to, 32, " %s", known[i]);
    return to;
}

void show_lists_operation(const struct show *show, const struct show_operation *operation, char *to,
                          size_t bytes)
{
    char engine[48], direction[32];

    switch (operation->kind) {
    case SHOW_GRID:
        (void)snprintf(to, bytes,
                       "%" PRIu32 " block%s of %" PRIu32 " thread%s, %" PRIu32
                       " registers, %" PRIu32 " B shared",
                       operation->block_count, operation->block_count == 1 ? "" : "s",
                       operation->block_threads, operation->block_threads == 1 ? "" : "s",
                       operation->registers, operation->shared_bytes);
        break;
    case SHOW_COPY:
        show_subject_name(show, SUBJECT_ENGINE, operation->engine_id, engine, sizeof engine);
        (void)snprintf(to, bytes, "copy of %" PRIu64 " bytes%s on %s", operation->byte_count,
                       direction_of(show, operation, direction), engine);
        break;
    case SHOW_WORK:
        (void)snprintf(to, bytes, "draw or blit: class %04" PRIx32 ", method 0x%" PRIx32,
                       operation->class_id, operation->method);
        break;
    case SHOW_OPERATION_KINDS:
        break;
    }
}

static bool in_window(const struct show *show, const struct show_operation *operation)
{
    const gfe_ps begin =
        operation->queued_ps != GFE_PS_NEVER ? operation->queued_ps : operation->start_ps;

    return begin <= show->to_ps && operation->end_ps >= show->from_ps;
}

/* When it ran, as words behind its channel. */
static void operation_times(const struct show *show, const struct show_operation *operation,
                            char *to, size_t bytes)
{
    char start[48], took[48] = "", queued[64] = "";

    if (operation->start_ps == GFE_PS_NEVER) {
        (void)snprintf(to, bytes, "%s %" PRIu32 ", never starts", show->words.channel,
                       operation->channel_id);
        return;
    }
    if (operation->end_ps != GFE_PS_NEVER)
        (void)text_time(took, sizeof took, operation->end_ps - operation->start_ps);
    if (operation->queued_ps < operation->start_ps) {
        memcpy(queued, ", queued ", 10);
        (void)text_time(queued + 9, sizeof queued - 9, operation->start_ps - operation->queued_ps);
    }
    (void)snprintf(to, bytes, "%s %" PRIu32 ", at %s, %s%s%s", show->words.channel,
                   operation->channel_id,
                   text_time_exact(start, sizeof start, operation->start_ps, PRECISION_PS),
                   *took ? "runs " : "does not end", took, queued);
}

static void operation_print(FILE *file, const struct show *show,
                            const struct show_operation *operation, uint32_t width)
{
    char name[SHOW_NAME_BYTES], what[96], times[192];

    show_operation_name(show, operation, name, sizeof name);
    show_lists_operation(show, operation, what, sizeof what);
    operation_times(show, operation, times, sizeof times);
    const bool is_long = strlen(name) > 4;
    const size_t indent = is_long ? strlen(name) + 4 : 7;

    if (indent + 2 + strlen(what) + strlen(times) <= width)
        fprintf(file, "  %-4s%s %s; %s\n", name, is_long ? ":" : "", what, times);
    else
        fprintf(file, "  %-4s%s %s\n       %s\n", name, is_long ? ":" : "", what, times);
}

void show_lists_operations(FILE *file, const struct show *show, uint32_t width)
{
    uint32_t listed = 0, more = 0;

    for (uint32_t i = 0; i < show->operation_count; i++) {
        if (!in_window(show, &show->operations[i]))
            continue;
        if (listed == 0)
            fputs("\nWhat ran\n", file);
        if (listed == OPERATIONS_LISTED_MAX)
            more++;
        else
            operation_print(file, show, &show->operations[i], width);
        listed += listed < OPERATIONS_LISTED_MAX;
    }
    if (more > 0)
        fprintf(file, "  ...  and %" PRIu32 " more\n", more);
}

/* ---- waits ----------------------------------------------------------------------------------- */

static int rule_order(const void *left, const void *right)
{
    const struct show_lists_rule *a = left, *b = right;

    if (a->total_ps != b->total_ps)
        return a->total_ps > b->total_ps ? -1 : 1;
    return a->rule < b->rule ? -1 : a->rule > b->rule;
}

uint32_t show_lists_rules(const struct show *show,
                          struct show_lists_rule rules[SHOW_LISTS_RULES_MAX])
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < show->wait_count; i++) {
        const struct show_wait *wait = &show->waits[i];
        const gfe_ps waited_ps = wait->end_ps - wait->begin_ps;
        uint32_t at = 0;
        while (at < count && rules[at].rule != wait->rule)
            at++;
        if (at == SHOW_LISTS_RULES_MAX)
            continue;
        if (at == count)
            rules[count++] = (struct show_lists_rule){.rule = wait->rule};
        rules[at].count++;
        rules[at].total_ps += waited_ps;
        if (waited_ps > rules[at].longest_ps)
            rules[at].longest_ps = waited_ps;
    }
    if (count > 0)
        qsort(rules, count, sizeof *rules, rule_order);
    return count;
}

/* The wait of the rule that comes after `last` when the longest come first; SHOW_NONE: none. */
static uint32_t next_longest(const struct show *show, uint32_t rule, uint32_t last)
{
    uint32_t best = SHOW_NONE;
    gfe_ps best_ps = 0;

    for (uint32_t i = 0; i < show->wait_count; i++) {
        const gfe_ps waited_ps = show->waits[i].end_ps - show->waits[i].begin_ps;
        if (show->waits[i].rule != rule)
            continue;
        if (last != SHOW_NONE) {
            const gfe_ps last_ps = show->waits[last].end_ps - show->waits[last].begin_ps;
            if (waited_ps > last_ps || (waited_ps == last_ps && i <= last))
                continue;
        }
        if (best == SHOW_NONE || waited_ps > best_ps) {
            best = i;
            best_ps = waited_ps;
        }
    }
    return best;
}

static void rule_print(FILE *file, const struct show *show, const struct show_lists_rule *entry,
                       uint32_t width)
{
    const struct event_log_rule *rule = event_log_rule(show->log, entry->rule);
    char total[48], at[48], waiter[SHOW_NAME_BYTES], blocker[SHOW_NAME_BYTES];
    uint32_t wait = SHOW_NONE;

    fprintf(file, "  %s: %" PRIu32 " wait%s, %s in all\n", rule ? rule->label : "-", entry->count,
            entry->count == 1 ? "" : "s", text_time(total, sizeof total, entry->total_ps));
    if (rule) {
        char words[800];
        (void)snprintf(words, sizeof words, "%s (%s, enforced by %s; %s)", rule->text,
                       rule->basis_words, rule->enforcer, rule->source);
        text_paragraph(file, words, 7, width);
    }
    for (uint32_t i = 0; i < WAITS_LISTED_MAX; i++) {
        wait = next_longest(show, entry->rule, wait);
        if (wait == SHOW_NONE)
            return;
        const struct show_wait *row = &show->waits[wait];
        show_subject_name(show, row->subject_kind, row->subject_id, waiter, sizeof waiter);
        show_subject_name(show, row->blocker_kind, row->blocker_id, blocker, sizeof blocker);
        fprintf(file, "       %s waits %s from %s on%s%s%s\n", waiter,
                text_time(total, sizeof total, row->end_ps - row->begin_ps),
                text_time_exact(at, sizeof at, row->begin_ps, PRECISION_PS),
                row->blocker_kind == SUBJECT_NONE ? "" : ", because of ",
                row->blocker_kind == SUBJECT_NONE ? "" : blocker,
                row->unfinished ? "; it has not ended" : "");
    }
    if (entry->count > WAITS_LISTED_MAX)
        fprintf(file, "       ... and %" PRIu32 " shorter ones\n", entry->count - WAITS_LISTED_MAX);
}

void show_lists_waits(FILE *file, const struct show *show, uint32_t width)
{
    struct show_lists_rule rules[SHOW_LISTS_RULES_MAX];
    const uint32_t count = show_lists_rules(show, rules);

    if (count > 0)
        fputs("\nWhat waited, and why\n", file);
    for (uint32_t i = 0; i < count; i++)
        rule_print(file, show, &rules[i], width);
}
