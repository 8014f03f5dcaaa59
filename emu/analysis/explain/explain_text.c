/* SPDX-License-Identifier: MIT */
/* What gfe explain prints for people. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/analysis/explain/explain_print.h"
#include "emu/base/text.h"

enum {
    TIME_BYTES = 48,
    WIDTH = 100,
    NAME_WIDTH = 20,
    BELOW_LISTED = 12,
    HEAD_PIECES = 40,
    AGAINST_BYTES = TIME_BYTES + 16
};

/* Always three decimals, so that columns line up. */
static void time_rounded(char to[TIME_BYTES], gfe_ps time_ps)
{
    static const struct {
        gfe_ps ps;
        const char *name;
    } units[] = {{GFE_PS_PER_S, "s"},
                 {GFE_PS_PER_S / 1000, "ms"},
                 {GFE_PS_PER_US, "us"},
                 {GFE_PS_PER_NS, "ns"}};

    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++) {
        const gfe_ps thousandth = units[i].ps / 1000;
        if (time_ps < units[i].ps)
            continue;
        const gfe_ps rounded =
            time_ps / thousandth + (time_ps % thousandth >= (thousandth + 1) / 2 && thousandth > 1);
        (void)snprintf(to, TIME_BYTES, "%" PRIu64 ".%03" PRIu64 " %s", rounded / 1000,
                       rounded % 1000, units[i].name);
        return;
    }
    (void)snprintf(to, TIME_BYTES, time_ps == 0 ? "0" : "%" PRIu64 " ps", time_ps);
}

/* "2.466 us", or with --exact "2466135 ps"; columns are aligned by the caller. */
static const char *time_text(const struct explain_print *print, char to[TIME_BYTES], gfe_ps time_ps)
{
    if (print->exact) {
        (void)snprintf(to, TIME_BYTES, "%" PRIu64 " ps", time_ps);
        return to;
    }
    time_rounded(to, time_ps);
    return to;
}

static int time_width(const struct explain_print *print)
{
    return print->exact ? 18 : 11;
}

/* ---- against another run --------------------------------------------------------------------- */

static const char *against_text(const struct explain_print *print,
                                const struct explain_against_row *row, char to[AGAINST_BYTES])
{
    char by[TIME_BYTES];

    switch (row->what) {
    case AGAINST_MOVED:
    case AGAINST_LENGTH:
        (void)snprintf(to, AGAINST_BYTES, "%s %s", time_text(print, by, row->by_ps),
                       row->what == AGAINST_MOVED ? (row->is_less ? "earlier" : "later")
                                                  : (row->is_less ? "shorter" : "longer"));
        return to;
    case AGAINST_NO_END:
        return "does not end";
    case AGAINST_HAS_END:
        return "ends";
    case AGAINST_NEW:
        return "only here";
    default:
        return "";
    }
}

/* What the other run has, and this one has not. */
static void missing_print(const struct explain_print *print)
{
    const struct explain_against *against = print->against;
    char name[EXPLAIN_NAME_BYTES], what[EXPLAIN_WORDS_BYTES];

    fprintf(print->file, "\nonly in %s: %s\n", explain_log_name(&against->other),
            against->missing_count == 0 ? "nothing" : "");
    for (uint32_t i = 0; i < against->missing_count; i++) {
        const uint32_t index = against->missing[i];
        const struct explain_ref ref = {(enum explain_kind)against->other.operations[index].kind,
                                        index};

        if (print->only == EXPLAIN_KINDS || print->only == ref.kind)
            fprintf(print->file, "  %-18s %s\n", explain_name(&against->other, ref, name),
                    explain_describe(&against->other, ref, what));
    }
}

/* ---- a line for each --------------------------------------------------------------------------
 */

/* A column of its own, or nothing. */
static bool against_column(const struct explain_print *print, struct explain_ref ref,
                           const struct explain_life *life, char to[AGAINST_BYTES + 3])
{
    struct explain_against_row row;
    char text[AGAINST_BYTES];

    if (!print->against)
        return true;
    if (!explain_against_row(print->against, ref, life, &row))
        return error_set(print->error, ERROR_SYSTEM, "%s: no memory to explain an operation",
                         event_log_name(print->explain->log));
    (void)snprintf(to, AGAINST_BYTES + 3, "%-18s  ", against_text(print, &row, text));
    return true;
}

static bool list_line(const struct explain_print *print, struct explain_ref ref,
                      const struct explain_life *life, uint32_t depth, void *context)
{
    const struct explain_total total = explain_total(life);
    char name[EXPLAIN_NAME_BYTES], what[EXPLAIN_WORDS_BYTES], text[3][TIME_BYTES],
        longest[128] = "", against[AGAINST_BYTES + 3] = "";
    const int width = time_width(print);
    uint64_t *lines = context;

    explain_name(print->explain, ref, name);
    explain_describe(print->explain, ref, what);
    time_text(print, text[0], total.total_ps);
    time_text(print, text[1], total.service_ps);
    time_text(print, text[2], total.wait_ps);
    if (total.wait_ps > 0) {
        char rule[TIME_BYTES];
        (void)snprintf(longest, sizeof longest, "%-14.30s %*s",
                       explain_rule(print->explain, total.rule), width,
                       time_text(print, rule, total.rule_ps));
    }
    if (!against_column(print, ref, life, against))
        return false;
    if ((*lines)++ == 0)
        fprintf(print->file, "%-*s %*s %*s %*s  %-*s  %s%s\n", NAME_WIDTH, "operation", width,
                "total", width, "service", width, "waits", 15 + width, "longest in all, by rule",
                print->against ? "against the other   " : "", "what");
    fprintf(print->file, "%*s%-*s %*s %*s %*s  %-*s  %s%s%s%s\n", (int)(2 * depth), "",
            NAME_WIDTH - (int)(2 * depth), name, width, text[0], width, text[1], width, text[2],
            15 + width, longest, against, what,
            life->count > 0 && total.unattributed_ps > 0 ? ", partly unattributed" : "",
            ref.kind != EXPLAIN_BLOCK && print->explain->operations[ref.index].unfinished
                ? ", does not end"
                : "");
    return true;
}

static void head_print(const struct explain_print *print)
{
    static const char *const words[EXPLAIN_KINDS][2] = {
        [EXPLAIN_SUBMISSION] = {"submission", "submissions"},
        [EXPLAIN_ENTRY] = {"GP entry", "GP entries"},
        [EXPLAIN_LAUNCH] = {"launch", "launches"},
        [EXPLAIN_DRAW] = {"draw", "draws"},
        [EXPLAIN_COPY] = {"copy", "copies"},
        [EXPLAIN_SEMAPHORE] = {"semaphore operation", "semaphore operations"},
        [EXPLAIN_BLOCK] = {"block", "blocks"}};
    const char *gpu = event_log_run(print->explain->log, "gpu");
    const char *separator = ": ";

    fprintf(print->file, "%s on %s", explain_log_name(print->explain), gpu ? gpu : "a GPU");
    for (uint32_t i = 0; i < EXPLAIN_KINDS; i++) {
        const uint32_t count = print->explain->counts[i];
        if (count == 0)
            continue;
        fprintf(print->file, "%s%" PRIu32 " %s", separator, count, words[i][count != 1]);
        separator = ", ";
    }
    fputs("\n\n", print->file);
}

bool explain_text_list(const struct explain_print *print)
{
    uint64_t lines = 0;

    head_print(print);
    if (!explain_list(print, list_line, &lines))
        return false;
    if (lines == 0)
        fputs("nothing to explain\n", print->file);
    if (print->against)
        missing_print(print);
    return true;
}

/* ---- one, piece by piece ----------------------------------------------------------------------
 */

/* Tenths of a percent, without overflow. */
static uint32_t share(gfe_ps part_ps, gfe_ps whole_ps)
{
    return whole_ps == 0
               ? 0
               : (uint32_t)(((unsigned __int128)part_ps * 1000 + whole_ps / 2) / whole_ps);
}

static void piece_words(const struct explain_print *print, const struct explain_piece *piece,
                        char *to, size_t bytes)
{
    const struct explain_what_row *row = &explain_whats[piece->what];
    char by[EXPLAIN_NAME_BYTES];

    if (piece->what != EXPLAIN_WAIT) {
        (void)snprintf(to, bytes, "%-11s  %s", row->unit, row->text);
        return;
    }
    explain_by_name(print->explain, piece->by, by);
    (void)snprintf(to, bytes, "waits        %.40s%s%s", explain_rule(print->explain, piece->rule),
                   *by ? ", because of " : "", by);
}

static void piece_line(const struct explain_print *print, const struct explain_life *life,
                       const struct explain_piece *piece)
{
    const struct explain_what_row *row = &explain_whats[piece->what];
    const gfe_ps took_ps = piece->end_ps - piece->begin_ps;
    const uint32_t tenths = share(took_ps, life->end_ps - life->birth_ps);
    char at[TIME_BYTES], took[TIME_BYTES], words[160];
    const int width = time_width(print);

    piece_words(print, piece, words, sizeof words);
    fprintf(print->file, "  %*s %*s %3" PRIu32 ".%" PRIu32 " %%  ", width,
            time_text(print, at, piece->begin_ps - life->birth_ps), width,
            time_text(print, took, took_ps), tenths / 10, tenths % 10);
    if (row->parameters[0])
        fprintf(print->file, "%-46s %s%s%s\n", words, row->parameters[0],
                row->parameters[1] ? ", " : "", row->parameters[1] ? row->parameters[1] : "");
    else
        fprintf(print->file, "%s\n", words);
}

static void pieces_print(const struct explain_print *print, const struct explain_life *life)
{
    const uint32_t left_out =
        print->all || life->count <= EXPLAIN_TEXT_PIECES ? 0 : life->count - EXPLAIN_TEXT_PIECES;
    const int width = time_width(print);

    fprintf(print->file, "\n  %*s %*s   share  %-46s %s\n", width, "after", width, "for",
            "who works, or why it waits", "parameter");
    for (uint32_t i = 0; i < life->count; i++) {
        if (left_out > 0 && i == HEAD_PIECES) {
            fprintf(print->file, "  ... %" PRIu32 " pieces more; --all prints them\n", left_out);
            i += left_out;
        }
        piece_line(print, life, &life->pieces[i]);
    }
}

/* The rules of its waits, longest total first: at most as many as a life's total adds up. */
static void waits_print(const struct explain_print *print, const struct explain_life *life)
{
    struct explain_life left = *life; /* of which rules drop out one by one */
    struct explain_piece *pieces = life->pieces;
    uint32_t printed = 0;
    char text[TIME_BYTES];

    for (;;) {
        const struct explain_total total = explain_total(&left);
        uint32_t count = 0, kept = 0;
        if (total.wait_ps == 0)
            return;
        for (uint32_t i = 0; i < left.count; i++) {
            const bool is_it = pieces[i].what != EXPLAIN_WAIT || pieces[i].rule == total.rule;
            count += is_it && pieces[i].what == EXPLAIN_WAIT;
            if (!is_it)
                pieces[kept++] = pieces[i];
        }
        left.count = kept;
        if (printed++ == 0)
            fputs("\nWaits, rule by rule\n", print->file);
        const struct event_log_rule *rule = event_log_rule(print->explain->log, total.rule);
        fprintf(print->file, "  %s: %s in %" PRIu32 " wait%s\n",
                explain_rule(print->explain, total.rule), time_text(print, text, total.rule_ps),
                count, count == 1 ? "" : "s");
        if (rule && total.rule != RULE_NONE) {
            char words[800];
            (void)snprintf(words, sizeof words, "%s (%s, enforced by %s)", rule->text,
                           rule->basis_words, rule->enforcer);
            text_paragraph(print->file, words, 7, WIDTH);
        }
    }
}

static void family_print(const struct explain_print *print, struct explain_ref ref)
{
    const struct explain *explain = print->explain;
    const uint32_t parent = ref.kind == EXPLAIN_BLOCK ? explain->blocks[ref.index].launch
                                                      : explain->operations[ref.index].parent;
    char name[EXPLAIN_NAME_BYTES];
    uint32_t listed = 0;

    if (parent != EXPLAIN_NONE) {
        const enum explain_kind kind = (enum explain_kind)explain->operations[parent].kind;
        fprintf(print->file, "  of %s\n",
                explain_name(explain, (struct explain_ref){kind, parent}, name));
    }
    if (ref.kind == EXPLAIN_BLOCK)
        return;
    for (uint32_t i = explain->operations[ref.index].first_child; i != EXPLAIN_NONE;
         i = explain->operations[i].next_child) {
        const enum explain_kind kind = (enum explain_kind)explain->operations[i].kind;
        if (listed++ == BELOW_LISTED) {
            fputs(", ...", print->file);
            break;
        }
        fprintf(print->file, "%s%s", listed == 1 ? "  below it: " : ", ",
                explain_name(explain, (struct explain_ref){kind, i}, name));
    }
    if (listed > 0)
        fputc('\n', print->file);
}

bool explain_text_one(const struct explain_print *print, struct explain_ref ref)
{
    struct explain_life life = {0};
    char name[EXPLAIN_NAME_BYTES], what[EXPLAIN_WORDS_BYTES], text[3][TIME_BYTES];

    if (!explain_life(print->explain, ref, &life)) {
        explain_life_fini(&life);
        return error_set(print->error, ERROR_SYSTEM, "%s: no memory to explain %s",
                         event_log_name(print->explain->log),
                         explain_name(print->explain, ref, name));
    }
    const struct explain_total total = explain_total(&life);
    fprintf(print->file, "%s: %s\n", explain_name(print->explain, ref, name),
            explain_describe(print->explain, ref, what));
    family_print(print, ref);
    text_time_exact(text[0], TIME_BYTES, life.birth_ps, 1);
    text_time_exact(text[1], TIME_BYTES, life.end_ps, 1);
    fprintf(print->file, "  from %s to %s of simulated time\n", text[0], text[1]);
    fprintf(print->file, "  %s = %s service + %s waiting",
            time_text(print, text[0], total.total_ps), time_text(print, text[1], total.service_ps),
            time_text(print, text[2], total.wait_ps));
    if (total.unattributed_ps > 0)
        fprintf(print->file, " + %s unattributed",
                time_text(print, text[0], total.unattributed_ps));
    fputc('\n', print->file);
    if (life.count > 0)
        pieces_print(print, &life);
    waits_print(print, &life);
    explain_life_fini(&life);
    return true;
}

/* ---- rule by rule ------------------------------------------------------------------------------
 */

bool explain_text_rules(const struct explain_print *print)
{
    struct explain_rule_row rows[EXPLAIN_RULE_ROWS];
    const uint32_t count = explain_rules(print, rows);
    const int width = time_width(print);
    char total[TIME_BYTES], longest[TIME_BYTES], name[EXPLAIN_NAME_BYTES], by[EXPLAIN_NAME_BYTES];

    if (count == UINT32_MAX)
        return false;
    head_print(print);
    if (count == 0)
        fputs("nothing waits\n", print->file);
    for (uint32_t i = 0; i < count; i++) {
        const struct explain_rule_row *row = &rows[i];
        if (i == 0)
            fprintf(print->file, "%-11s %-16s %10s %10s %*s %*s  %s\n", "who waits", "rule",
                    "how many", "waits", width, "total", width, "longest", "whose, because of");
        explain_name(print->explain, row->longest, name);
        explain_by_name(print->explain, row->by, by);
        fprintf(print->file, "%-11s %-16.30s %10" PRIu64 " %10" PRIu64 " %*s %*s  %s%s%s\n",
                i > 0 && rows[i - 1].kind == row->kind ? "" : explain_kind_name(row->kind),
                explain_rule(print->explain, row->rule), row->operation_count, row->piece_count,
                width, time_text(print, total, row->total_ps), width,
                time_text(print, longest, row->longest_ps), name, *by ? ", " : "", by);
    }
    return true;
}
