/* SPDX-License-Identifier: MIT */
/* What gfe explain prints for programs; docs/explain.md describes it. */
#include <config.h>

#include <inttypes.h>

#include "emu/analysis/explain/explain_print.h"

/* A string as JSON.  Only a file's name can be other bytes than UTF-8. */
static void text_print(const struct explain_print *print, const char *text)
{
    fputc('"', print->file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++)
        if (*c == '"' || *c == '\\')
            fprintf(print->file, "\\%c", *c);
        else if (*c < ' ' || *c >= 0x7f)
            fprintf(print->file, "\\u%04x", *c < 0x80 ? *c : (unsigned)'?');
        else
            fputc(*c, print->file);
    fputc('"', print->file);
}

static void member(const struct explain_print *print, const char *key, const char *text)
{
    fprintf(print->file, "\"%s\": ", key);
    if (text)
        text_print(print, text);
    else
        fputs("null", print->file);
}

static void residents_print(const struct explain_print *print, gfe_ps at_ps)
{
    char name[EXPLAIN_NAME_BYTES];
    const char *separator = "";

    fputs(", \"resident\": [", print->file);
    for (uint32_t i = explain_resident_next(print->explain, at_ps, 0); i != EXPLAIN_NONE;
         i = explain_resident_next(print->explain, at_ps, i + 1)) {
        fputs(separator, print->file);
        text_print(print,
                   explain_name(print->explain, (struct explain_ref){EXPLAIN_LAUNCH, i}, name));
        separator = ", ";
    }
    fputc(']', print->file);
}

static void by_print(const struct explain_print *print, struct explain_by by)
{
    char name[EXPLAIN_NAME_BYTES];

    explain_by_name(print->explain, by, name);
    member(print, "by", *name ? name : NULL);
    if (by.kind == EXPLAIN_BY_GRIDS)
        residents_print(print, by.id);
}

static void piece_print(const struct explain_print *print, const struct explain_piece *piece)
{
    const struct explain_what_row *row = &explain_whats[piece->what];

    fprintf(print->file, "{\"begin_ps\": %" PRIu64 ", \"end_ps\": %" PRIu64 ", ", piece->begin_ps,
            piece->end_ps);
    if (piece->what == EXPLAIN_WAIT) {
        fputs("\"kind\": \"wait\", ", print->file);
        member(print, "rule",
               piece->rule == RULE_NONE ? NULL : explain_rule(print->explain, piece->rule));
        fputs(", ", print->file);
        by_print(print, piece->by);
    } else if (piece->what == EXPLAIN_UNATTRIBUTED) {
        fputs("\"kind\": \"unattributed\"", print->file);
    } else {
        fputs("\"kind\": \"service\", ", print->file);
        member(print, "unit", row->unit);
        fputs(", ", print->file);
        member(print, "what", row->text);
        fputs(", \"parameters\": [", print->file);
        for (uint32_t i = 0; i < EXPLAIN_PARAMETERS && row->parameters[i]; i++)
            fprintf(print->file, "%s\"%s\"", i ? ", " : "", row->parameters[i]);
        fputc(']', print->file);
    }
    fputc('}', print->file);
}

static void parent_print(const struct explain_print *print, struct explain_ref ref)
{
    const struct explain *explain = print->explain;
    const uint32_t parent = ref.kind == EXPLAIN_BLOCK ? explain->blocks[ref.index].launch
                                                      : explain->operations[ref.index].parent;
    char name[EXPLAIN_NAME_BYTES];

    member(print, "parent",
           parent == EXPLAIN_NONE
               ? NULL
               : explain_name(explain,
                              (struct explain_ref){
                                  (enum explain_kind)explain->operations[parent].kind, parent},
                              name));
}

static bool unfinished(const struct explain *explain, struct explain_ref ref)
{
    return ref.kind == EXPLAIN_BLOCK ? explain->blocks[ref.index].end_ps == GFE_PS_NEVER
                                     : explain->operations[ref.index].unfinished;
}

/* The members of an operation but its pieces. */
static void operation_print(const struct explain_print *print, struct explain_ref ref,
                            const struct explain_life *life)
{
    const struct explain_total total = explain_total(life);
    char name[EXPLAIN_NAME_BYTES], what[EXPLAIN_WORDS_BYTES];

    member(print, "name", explain_name(print->explain, ref, name));
    fputs(", ", print->file);
    member(print, "kind", explain_kind_name(ref.kind));
    fputs(", ", print->file);
    member(print, "what", explain_describe(print->explain, ref, what));
    fputs(", ", print->file);
    parent_print(print, ref);
    fprintf(print->file,
            ",\n     \"begin_ps\": %" PRIu64 ", \"end_ps\": %" PRIu64 ", \"finished\": %s"
            ", \"total_ps\": %" PRIu64 ", \"service_ps\": %" PRIu64 ", \"wait_ps\": %" PRIu64
            ", \"unattributed_ps\": %" PRIu64 ", \"longest_wait\": ",
            life->birth_ps, life->end_ps, unfinished(print->explain, ref) ? "false" : "true",
            total.total_ps, total.service_ps, total.wait_ps, total.unattributed_ps);
    if (total.wait_ps == 0) {
        fputs("null", print->file);
        return;
    }
    fputc('{', print->file);
    member(print, "rule",
           total.rule == RULE_NONE ? NULL : explain_rule(print->explain, total.rule));
    fprintf(print->file, ", \"total_ps\": %" PRIu64 ", ", total.rule_ps);
    by_print(print, total.by);
    fputc('}', print->file);
}

static void pieces_print(const struct explain_print *print, const struct explain_life *life)
{
    fputs(",\n     \"pieces\": [", print->file);
    for (uint32_t i = 0; i < life->count; i++) {
        fputs(i ? ",\n       " : "\n       ", print->file);
        piece_print(print, &life->pieces[i]);
    }
    fputs("]", print->file);
}

/* "against": null where nothing differs. */
static bool against_print(const struct explain_print *print, struct explain_ref ref,
                          const struct explain_life *life)
{
    static const char *const words[] = {[AGAINST_MOVED] = "moved",
                                        [AGAINST_LENGTH] = "length",
                                        [AGAINST_NO_END] = "no end",
                                        [AGAINST_HAS_END] = "has end",
                                        [AGAINST_NEW] = "only here"};
    struct explain_against_row row;

    if (!print->against)
        return true;
    if (!explain_against_row(print->against, ref, life, &row))
        return error_set(print->error, ERROR_SYSTEM, "%s: no memory to explain an operation",
                         event_log_name(print->explain->log));
    if (row.what == AGAINST_SAME)
        fputs(",\n     \"against\": null", print->file);
    else
        fprintf(print->file, ",\n     \"against\": {\"what\": \"%s\", \"by_ps\": %s%" PRIu64 "}",
                words[row.what], row.is_less ? "-" : "", row.by_ps);
    return true;
}

/* What only the other run has. */
static void missing_print(const struct explain_print *print)
{
    char name[EXPLAIN_NAME_BYTES], what[EXPLAIN_WORDS_BYTES];

    fputs(",\n  \"missing\": [", print->file);
    for (uint32_t i = 0; i < print->against->missing_count; i++) {
        const struct explain *const other = &print->against->other;
        const uint32_t index = print->against->missing[i];
        const struct explain_ref ref = {(enum explain_kind)other->operations[index].kind, index};

        fputs(i > 0 ? ",\n    {" : "\n    {", print->file);
        member(print, "name", explain_name(other, ref, name));
        fputs(", ", print->file);
        member(print, "what", explain_describe(other, ref, what));
        fputc('}', print->file);
    }
    fputs("]", print->file);
}

static bool list_item(const struct explain_print *print, struct explain_ref ref,
                      const struct explain_life *life, uint32_t depth, void *context)
{
    uint64_t *count = context;

    (void)depth;
    fputs((*count)++ ? ",\n    {" : "\n    {", print->file);
    operation_print(print, ref, life);
    if (!against_print(print, ref, life))
        return false;
    if (print->with_pieces)
        pieces_print(print, life);
    fputc('}', print->file);
    return true;
}

/* What all forms begin with. */
static void head_print(const struct explain_print *print)
{
    const char *gpu = event_log_run(print->explain->log, "gpu");

    fputs("{\"format\": 1, ", print->file);
    member(print, "log", explain_log_name(print->explain));
    fputs(", ", print->file);
    member(print, "gpu", gpu);
    fprintf(print->file, ", \"end_ps\": %" PRIu64 ",\n  \"parameters\": {", print->explain->end_ps);
    bool any = false;
    for (uint32_t i = 0; i < EXPLAIN_WHATS; i++)
        for (uint32_t p = 0; p < EXPLAIN_PARAMETERS && explain_whats[i].parameters[p]; p++) {
            uint64_t value;
            if (!event_log_parameter(print->explain->log, explain_whats[i].parameters[p], &value))
                continue;
            fprintf(print->file, "%s\"%s\": %" PRIu64, any ? ", " : "",
                    explain_whats[i].parameters[p], value);
            any = true;
        }
    fputs("},\n", print->file);
}

bool explain_json_list(const struct explain_print *print)
{
    uint64_t count = 0;

    head_print(print);
    fputs("  \"operations\": [", print->file);
    if (!explain_list(print, list_item, &count))
        return false;
    fputs(count ? "\n  ]" : "]", print->file);
    if (print->against)
        missing_print(print);
    fputs("}\n", print->file);
    return true;
}

bool explain_json_one(const struct explain_print *print, struct explain_ref ref)
{
    struct explain_life life = {0};
    struct explain_print with_pieces = *print;
    uint64_t count = 0;

    if (!explain_life(print->explain, ref, &life)) {
        explain_life_fini(&life);
        return error_set(print->error, ERROR_SYSTEM, "%s: no memory to explain an operation",
                         event_log_name(print->explain->log));
    }
    with_pieces.with_pieces = true;
    head_print(print);
    fputs("  \"operations\": [", print->file);
    (void)list_item(&with_pieces, ref, &life, 0, &count);
    fputs("\n  ]}\n", print->file);
    explain_life_fini(&life);
    return true;
}

bool explain_json_rules(const struct explain_print *print)
{
    struct explain_rule_row rows[EXPLAIN_RULE_ROWS];
    const uint32_t count = explain_rules(print, rows);
    char name[EXPLAIN_NAME_BYTES];

    if (count == UINT32_MAX)
        return false;
    head_print(print);
    fputs("  \"rules\": [", print->file);
    for (uint32_t i = 0; i < count; i++) {
        fputs(i ? ",\n    {" : "\n    {", print->file);
        member(print, "kind", explain_kind_name(rows[i].kind));
        fputs(", ", print->file);
        member(print, "rule",
               rows[i].rule == RULE_NONE ? NULL : explain_rule(print->explain, rows[i].rule));
        fprintf(print->file,
                ", \"operation_count\": %" PRIu64 ", \"wait_count\": %" PRIu64
                ", \"total_ps\": %" PRIu64 ", \"longest_ps\": %" PRIu64 ", ",
                rows[i].operation_count, rows[i].piece_count, rows[i].total_ps, rows[i].longest_ps);
        member(print, "longest", explain_name(print->explain, rows[i].longest, name));
        fputs(", ", print->file);
        by_print(print, rows[i].by);
        fputc('}', print->file);
    }
    fputs(count ? "\n  ]}\n" : "]}\n", print->file);
    return true;
}
