/* SPDX-License-Identifier: MIT */
/* What stands around the rows of a text picture: axis, legend, what is cut out. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/views/text/show_text_private.h"
#include "emu/base/text.h"

/* Writes a label where nothing is written yet; false when it does not fit there. */
static bool label_put(struct text_picture *picture, uint32_t column, const char *text)
{
    uint32_t length = 0;

    for (const char *c = text; *c; c++)
        length += (*c & 0xc0) != 0x80;
    if (column + length > picture->columns)
        return false;
    for (uint32_t i = column > 0 ? column - 1 : 0; i < column + length; i++)
        if (strcmp(picture->cells[i].bytes, " ") != 0)
            return false;
    for (uint32_t i = column; *text; i++) {
        size_t bytes = 1;
        while ((text[bytes] & 0xc0) == 0x80)
            bytes++;
        memcpy(picture->cells[i].bytes, text, bytes);
        picture->cells[i].bytes[bytes] = '\0';
        text += bytes;
    }
    return true;
}

static void span_ticks(struct text_picture *picture, const struct show_span *span, gfe_ps step_ps,
                       bool labels)
{
    struct show_tick tick = {.time_ps = GFE_PS_NEVER};

    while (show_scale_tick(span, step_ps, &tick)) {
        const uint32_t column = text_column_of(picture, tick.time_ps);
        if (labels)
            (void)label_put(picture, column, tick.text);
        else
            text_cell_put(picture, column, picture->glyphs->tick);
    }
}

void text_axis_draw(struct text_picture *picture)
{
    const struct show_scale *scale = &picture->scale;
    const gfe_ps step_ps = show_scale_step(scale, 10 * TEXT_COLUMN_X);

    text_row_clear(picture);
    for (uint32_t i = 0; i < scale->span_count; i++)
        if (!scale->spans[i].is_cut)
            span_ticks(picture, &scale->spans[i], step_ps, true);
    /* Labels may lie over cuts, which are marked in the next line. */
    text_row_write(picture, "");
    for (uint32_t i = 0; i < picture->columns; i++)
        text_cell_put(picture, i, picture->glyphs->rule);
    for (uint32_t i = 0; i < scale->span_count; i++)
        if (!scale->spans[i].is_cut)
            span_ticks(picture, &scale->spans[i], step_ps, false);
    text_row_print(picture, "");
}

struct legend_row {
    uint8_t kind;
    const char *words, *amd_words; /* NULL: the same */
};

/* clang-format off */
static const struct legend_row legend_rows[] = {
    {SHOW_SUBMIT, "driver call", NULL},        {SHOW_CPU_WAIT, "program waits", NULL},
    {SHOW_IN_RING, "packets in the ring", NULL},
    {SHOW_QUEUED, "queued", NULL},             {SHOW_OPERATION, "runs", NULL},
    {SHOW_DISPATCHING, "runs, and blocks still to start", NULL},
    {SHOW_PACKET, "barrier or other packet", NULL},
    {SHOW_WAIT, "waits, see below", NULL},     {SHOW_LOADED, "channel loaded", "queue in the slot"},
    {SHOW_LOADING, "channel being loaded", "queue being loaded"},
    {SHOW_LEAVING, "has to leave", NULL},      {SHOW_SAVING, "waves being saved", NULL},
    {SHOW_RESTORING, "waves being restored", NULL},
    {SHOW_SEGMENT, "methods processed", NULL}, {SHOW_DOORBELL, "doorbell", NULL},
    {SHOW_INLINE_WRITE, "inline write", "write"}, {SHOW_ACQUIRE, "semaphore acquired", NULL},
    {SHOW_RELEASE, "semaphore release", "signal"}, {SHOW_INTERRUPT, "interrupt", NULL},
    {SHOW_ERROR, "error", NULL},
};
/* clang-format on */

/* Prints each glyph once, from the lowest share to the whole column. */
static void shades_print(FILE *file, const char *const *shades)
{
    for (uint32_t level = 1; level <= TEXT_LEVELS; level++)
        if (strcmp(shades[level], shades[level - 1]) != 0)
            fputs(shades[level], file);
}

void text_legend_print(struct text_picture *picture)
{
    char entry[96];
    uint32_t column = 0;

    for (size_t i = 0; i < sizeof legend_rows / sizeof legend_rows[0]; i++) {
        const struct legend_row *row = &legend_rows[i];
        const char *words =
            picture->show->words.is_amd && row->amd_words ? row->amd_words : row->words;
        const char *const *shades = text_shades(picture->glyphs, row->kind);
        const uint32_t length = (uint32_t)strlen(words) + (shades ? 20 : 4);
        if (!(picture->used & TEXT_BIT(row->kind)))
            continue;
        if (column > 0 && column + length > picture->columns + TEXT_LABEL_COLUMNS) {
            fputc('\n', picture->file);
            column = 0;
        }
        fputs(column > 0 ? "  " : "", picture->file);
        if (shades)
            shades_print(picture->file, shades);
        else
            fputs(text_item_glyph(picture->glyphs, row->kind), picture->file);
        fprintf(picture->file, " %s%s", words, shades ? " (share)" : "");
        column += length;
    }
    fputc('\n', picture->file);
    if (picture->used & (TEXT_BIT(SHOW_OPERATION) | TEXT_BIT(SHOW_SEGMENT)))
        fputs("(share): of the column's time; other marks fill each column that they touch\n",
              picture->file);
    if (picture->levels_used) {
        for (uint32_t i = 1; i <= TEXT_LEVELS; i++)
            fputs(picture->glyphs->levels[i], picture->file);
        (void)snprintf(entry, sizeof entry, " threads on %s, up to %" PRIu32,
                       picture->show->words.is_amd ? "a CU" : "an SM",
                       show_threads_top(picture->show));
        fprintf(picture->file, "%s\n", entry);
    }
}

void text_cuts_print(struct text_picture *picture)
{
    enum { LISTED_MAX = 4 };
    char text[48];
    uint32_t listed = 0;

    if (picture->scale.cut_count == 0)
        return;
    fprintf(picture->file, "%s idle time left out:", picture->glyphs->cut);
    for (uint32_t i = 0; i < picture->scale.span_count && listed < LISTED_MAX; i++) {
        const struct show_span *span = &picture->scale.spans[i];
        if (!span->is_cut)
            continue;
        fprintf(picture->file, "%s %s", listed ? "," : "",
                text_time(text, sizeof text, span->to_ps - span->from_ps));
        listed++;
    }
    if (picture->scale.cut_count > listed)
        fprintf(picture->file, ", %" PRIu64 " more", picture->scale.cut_count - listed);
    fputs(" (see --no-cuts)\n", picture->file);
}
