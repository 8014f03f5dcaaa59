/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/formats/nv_class_diff.h"
#include "devices/nvidia/formats/nv_effect.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

/* ---- what differs ---------------------------------------------------------------------------- */

static const struct nv_class_row *diff_row_at(const struct nv_class *nv_class, size_t slot)
{
    return nv_class->index->methods[slot] != 0 ? &nv_class_rows[nv_class->index->methods[slot]]
                                               : NULL;
}

/* The field that a value belongs to. */
static const struct nv_class_row *diff_field_of(const struct nv_class_row *value)
{
    while (value->kind == NV_ROW_VALUE)
        value--;
    return value;
}

static bool diff_is_same(const struct nv_class_row *a, const struct nv_class_row *b)
{
    if (a->kind != b->kind || strcmp(nv_class_row_name(a), nv_class_row_name(b)) != 0)
        return false;
    if (a->kind == NV_ROW_VALUE)
        return a->number == b->number && strcmp(nv_class_row_name(diff_field_of(a)),
                                                nv_class_row_name(diff_field_of(b))) == 0;
    return a->hi == b->hi && a->lo == b->lo && a->count == b->count && a->stride == b->stride &&
           a->inner_count == b->inner_count && a->inner_stride == b->inner_stride;
}

/* The next row of the method that `row` belongs to, or NULL. */
static const struct nv_class_row *diff_row_after(const struct nv_class_row *row)
{
    row++;
    return row->kind == NV_ROW_FIELD || row->kind == NV_ROW_VALUE ? row : NULL;
}

bool nv_class_diff_has(const struct nv_class_row *method, const struct nv_class_row *row)
{
    for (const struct nv_class_row *other = method; other; other = diff_row_after(other))
        if (diff_is_same(other, row))
            return true;
    return false;
}

/* Does method `a` have all rows of `b`? */
static bool diff_has_all(const struct nv_class_row *a, const struct nv_class_row *b)
{
    for (const struct nv_class_row *row = b; row; row = diff_row_after(row))
        if (!nv_class_diff_has(a, row))
            return false;
    return true;
}

/* Two classes may be like different ones, so that equal methods have rows of their own. */
static bool diff_is_equal(const struct nv_class_row *a, const struct nv_class_row *b)
{
    return a == b || (a && b && diff_has_all(a, b) && diff_has_all(b, a));
}

bool nv_class_diff_next(const struct nv_class *nv_class, struct nv_class_diff *diff)
{
    const struct nv_class *before = nv_class_find(nv_class->before_id);

    for (size_t slot = diff->slot; before && slot < NV_CLASS_SLOTS; slot++) {
        const struct nv_class_row *was = diff_row_at(before, slot);
        const struct nv_class_row *is = diff_row_at(nv_class, slot);

        if (!diff_is_equal(was, is)) {
            *diff = (struct nv_class_diff){was, is, slot + 1};
            return true;
        }
    }
    return false;
}

struct nv_class_diff_counts nv_class_diff_count(const struct nv_class *nv_class)
{
    struct nv_class_diff_counts counts = {0};
    struct nv_class_diff diff = {0};

    while (nv_class_diff_next(nv_class, &diff)) {
        counts.added += diff.before == NULL;
        counts.removed += diff.now == NULL;
        counts.changed += diff.before != NULL && diff.now != NULL;
    }
    return counts;
}

/* ---- pages ----------------------------------------------------------------------------------- */

static void print_method(FILE *file, const char *mark, const struct nv_class_row *method)
{
    fprintf(file, "%s", mark);
    if (method->kind == NV_ROW_FORMAT)
        fprintf(file, "in memory");
    else
        fprintf(file, "0x%04x", method->offset);
    if (method->stride > 0)
        fprintf(file, " + i * %u, i < %u", method->stride, method->count);
    if (method->inner_count > 0)
        fprintf(file, ", + j * %u, j < %u", method->inner_stride, method->inner_count);
    fprintf(file, "  %s\n", nv_class_row_name(method));
}

/* A field or a value. */
static void print_owned(FILE *file, char mark, const struct nv_class_row *row)
{
    if (row->kind == NV_ROW_VALUE)
        fprintf(file, "       %c              = 0x%-6" PRIx32 " %s\n", mark, row->number,
                nv_class_row_name(row));
    else if (row->hi == row->lo)
        fprintf(file, "       %c bit %-7u %s\n", mark, row->hi, nv_class_row_name(row));
    else
        fprintf(file, "       %c bits %2u:%-3u %s\n", mark, row->hi, row->lo,
                nv_class_row_name(row));
}

static void print_whole(FILE *file, const char *mark, const struct nv_class_row *method)
{
    print_method(file, mark, method);
    for (const struct nv_class_row *row = method; (row = diff_row_after(row)) != NULL;)
        print_owned(file, ' ', row);
}

/* Prints which effect of a method the model leaves out, and whether the method is on no list of
 * nv_effect_list.h yet. */
static void print_effect(FILE *file, const struct nv_class *nv_class,
                         const struct nv_class_row *method)
{
    const enum nv_effect effect = nv_effect_of_method(nv_class, method);

    for (const struct nv_loss *loss = NULL; (loss = nv_loss_row(nv_class, method, loss)) != NULL;)
        fprintf(file, "       not modelled: %s%s%s\n", loss->field ? loss->field : "",
                loss->field ? ", " : "", loss->lost);
    if (effect == NV_EFFECT_WORK)
        fprintf(file, "       only its time is modelled\n");
    if (effect == NV_EFFECT_UNLISTED)
        fprintf(file, "       on no list of what is modelled\n");
    if (effect != NV_EFFECT_MODELLED)
        return;
    for (const struct nv_class_row *field = method;
         (field = nv_class_next(field, NV_ROW_FIELD)) != NULL;)
        if (!nv_effect_has_field(nv_class, method, field))
            fprintf(file, "       %s: on no list of what is modelled\n", nv_class_row_name(field));
}

/* Prints what `from` has and `to` lacks.  A field that both have is printed above values that only
 * one has. */
static void print_lacking(FILE *file, char mark, const struct nv_class_row *from,
                          const struct nv_class_row *to)
{
    const struct nv_class_row *field = NULL;

    for (const struct nv_class_row *row = from; (row = diff_row_after(row)) != NULL;) {
        if (row->kind == NV_ROW_FIELD)
            field = row;
        if (nv_class_diff_has(to, row))
            continue;
        if (row->kind == NV_ROW_VALUE && field && nv_class_diff_has(to, field))
            print_owned(file, ' ', field);
        field = NULL;
        print_owned(file, mark, row);
    }
}

static void print_changed(FILE *file, const struct nv_class_diff *diff)
{
    print_method(file, "changed  ", diff->now);
    if (!nv_class_diff_has(diff->before, diff->now))
        print_method(file, "  before ", diff->before);
    print_lacking(file, '+', diff->now, diff->before);
    print_lacking(file, '-', diff->before, diff->now);
}

void nv_class_print_line(FILE *file, const struct nv_class *nv_class)
{
    const struct nv_class_diff_counts counts = nv_class_diff_count(nv_class);
    uint32_t methods = 0;

    for (size_t slot = 0; slot < NV_CLASS_METHODS; slot++)
        methods += nv_class->index->methods[slot] != 0;
    fprintf(file, "%04x  %-26s %3" PRIu32 " method%s", nv_class->id, nv_class->name, methods,
            methods == 1 ? " " : "s");
    if (nv_class->before_id == 0)
        fprintf(file, "   first of its family\n");
    else
        fprintf(file,
                "   after %04x: %" PRIu32 " added, %" PRIu32 " changed, %" PRIu32 " removed\n",
                nv_class->before_id, counts.added, counts.changed, counts.removed);
}

/* Is this a method or format whose name contains the word? */
static bool print_wants(const struct nv_class_row *method, const char *word)
{
    const size_t length = word ? strlen(word) : 0;

    if (!method)
        return false;
    for (const char *name = nv_class_row_name(method); strlen(name) >= length; name++)
        if (length == 0 || strncasecmp(name, word, length) == 0)
            return true;
    return false;
}

uint32_t nv_class_methods_named(const struct nv_class *nv_class, const char *word)
{
    uint32_t count = 0;

    for (size_t slot = 0; slot < NV_CLASS_SLOTS; slot++)
        count += print_wants(diff_row_at(nv_class, slot), word);
    return count;
}

void nv_class_print(FILE *file, const struct nv_class *nv_class, const char *word)
{
    fprintf(file, "%s (%04x)\n", nv_class->name, nv_class->id);
    for (size_t slot = 0; slot < NV_CLASS_SLOTS; slot++)
        if (print_wants(diff_row_at(nv_class, slot), word)) {
            fputc('\n', file);
            print_whole(file, "", diff_row_at(nv_class, slot));
            if (slot < NV_CLASS_METHODS)
                print_effect(file, nv_class, diff_row_at(nv_class, slot));
        }
}

void nv_class_print_new(FILE *file, const struct nv_class *nv_class)
{
    const struct nv_class_diff_counts counts = nv_class_diff_count(nv_class);
    const struct nv_class *before = nv_class_find(nv_class->before_id);
    struct nv_class_diff diff = {0};

    fprintf(file, "%s (%04x)", nv_class->name, nv_class->id);
    if (!before) {
        fprintf(file, " is the first class of its family here: all its methods are new\n");
        return;
    }
    if (counts.added + counts.changed + counts.removed == 0) {
        fprintf(file, " has nothing new: its methods are those of %s (%04x)\n", before->name,
                before->id);
        return;
    }
    fprintf(file,
            " after %s (%04x): %" PRIu32 " added, %" PRIu32 " changed, %" PRIu32 " removed\n\n",
            before->name, before->id, counts.added, counts.changed, counts.removed);
    while (nv_class_diff_next(nv_class, &diff)) {
        if (!diff.before)
            print_whole(file, "added    ", diff.now);
        else if (!diff.now)
            print_method(file, "removed  ", diff.before);
        else
            print_changed(file, &diff);
    }
}
