/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/live_control.h"

#include <stdlib.h>
#include <string.h>

/* A line of an output, with its newline. */
struct line {
    const char *text;
    size_t bytes;
};

/* Takes the next line; `rest` moves on.  False at the end. */
static bool line_next(struct line *rest, struct line *line)
{
    const char *newline = rest->bytes > 0 ? memchr(rest->text, '\n', rest->bytes) : NULL;

    *line = (struct line){rest->text, newline ? (size_t)(newline - rest->text) + 1 : rest->bytes};
    rest->text += line->bytes;
    rest->bytes -= line->bytes;
    return line->bytes > 0;
}

static bool lines_equal(const struct line *a, const struct line *b)
{
    return a->bytes == b->bytes && memcmp(a->text, b->text, a->bytes) == 0;
}

static struct line output_of(const struct live_observation *run)
{
    return (struct line){run->output ? run->output : "", run->output ? run->output_bytes : 0};
}

static size_t lines_count(const struct live_observation *run)
{
    struct line rest = output_of(run), line;
    size_t count = 0;

    while (line_next(&rest, &line))
        count++;
    return count;
}

/* ---- widening ---------------------------------------------------------------------------------
 */

static bool varies_reserve(struct live_observation *golden)
{
    if (golden->line_varies)
        return true;
    golden->output_lines = lines_count(golden);
    golden->line_varies = calloc(golden->output_lines + 1, sizeof *golden->line_varies);
    return golden->line_varies != NULL;
}

static void output_widen(struct live_observation *golden, const struct live_observation *control)
{
    struct line ours = output_of(golden), theirs = output_of(control), a, b;

    if (lines_count(control) != golden->output_lines)
        golden->length_varies = true;
    for (size_t i = 0; !golden->length_varies && i < golden->output_lines; i++)
        if (line_next(&ours, &a) && line_next(&theirs, &b) && !lines_equal(&a, &b))
            golden->line_varies[i] = true;
}

static void refusals_widen(struct live_observation *golden, const struct live_observation *control)
{
    for (uint32_t i = 0; i < control->refusal_count; i++) {
        const struct live_refusal *other = &control->refusals[i];
        struct live_refusal *at = golden->refusals;
        const struct live_refusal *end = at + golden->refusal_count;

        while (at < end && (at->call != other->call || at->error_number != other->error_number))
            at++;
        if (at == golden->refusals + LIVE_REFUSALS_KEPT)
            continue;
        if (at == end) {
            *at = *other;
            golden->refusal_count++;
        } else if (other->count > at->count) {
            at->count = other->count;
        }
    }
}

static void victims_widen(struct live_observation *golden, const struct live_observation *control)
{
    for (uint32_t i = 0; i < control->victim_count; i++) {
        bool is_there = false;

        for (uint32_t k = 0; k < golden->victim_count; k++)
            is_there = is_there || golden->victims[k] == control->victims[i];
        if (!is_there && golden->victim_count < LIVE_VICTIMS_KEPT)
            golden->victims[golden->victim_count++] = control->victims[i];
    }
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

bool live_control_add(struct live_observation *golden, const struct live_observation *control)
{
    if (!varies_reserve(golden))
        return false;
    output_widen(golden, control);
    refusals_widen(golden, control);
    victims_widen(golden, control);
    golden->line_count = larger(golden->line_count, control->line_count);
    golden->exception_count = larger(golden->exception_count, control->exception_count);
    golden->refused_count = larger(golden->refused_count, control->refused_count);
    golden->took_ns = larger(golden->took_ns, control->took_ns);
    return true;
}

/* ---- comparing --------------------------------------------------------------------------------
 */

struct live_compared live_control_compare(const struct live_observation *golden,
                                          const struct live_observation *faulty)
{
    struct line ours = output_of(golden), theirs = output_of(faulty), a, b;
    struct live_compared compared = {.length_varies = golden->length_varies};
    const size_t lines = lines_count(golden);

    if (golden->length_varies)
        return compared;
    compared.differs = lines_count(faulty) != lines;
    compared.lines = lines;
    for (size_t i = 0; i < lines; i++) {
        if (golden->line_varies && golden->line_varies[i])
            compared.varying_lines++;
        if (!line_next(&ours, &a) || !line_next(&theirs, &b))
            continue;
        if (!lines_equal(&a, &b) && !(golden->line_varies && golden->line_varies[i]))
            compared.differs = true;
    }
    return compared;
}
