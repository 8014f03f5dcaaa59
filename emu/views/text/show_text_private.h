/* SPDX-License-Identifier: MIT */
/*
 * What the parts of a text picture share.  Private to show_text*.c: show_text_row.c draws rows, and
 * show_text_legend.c draws the legend and the other texts around the rows.
 */
#ifndef GFE_EMU_VIEWS_TEXT_SHOW_TEXT_PRIVATE_H
#define GFE_EMU_VIEWS_TEXT_SHOW_TEXT_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/views/show.h"
#include "emu/views/show_scale.h"

enum {
    TEXT_LABEL_COLUMNS = 14,
    TEXT_COLUMN_X = 1 << 20, /* places in a column; enough that narrow blocks add up */
    TEXT_LEVELS = 8,
};

#define TEXT_BIT(kind) (UINT32_C(1) << (kind))

struct text_glyphs {
    const char *submit, *cpu_wait, *queued, *run, *wait, *loaded, *loading, *segment, *cut;
    const char *packet, *dispatching, *leaving, *saving, *restoring;
    const char *doorbell, *write, *release, *acquire, *interrupt, *error;
    const char *tick, *rule;
    /* By eighths: an SM's threads, the share of a column in which an operation runs, and that in
     * which a PBDMA works through methods. */
    const char *levels[TEXT_LEVELS + 1], *runs[TEXT_LEVELS + 1], *segments[TEXT_LEVELS + 1];
};

/* One character cell.  The characters used here need up to three bytes of UTF-8. */
struct text_cell {
    char bytes[4];
};

struct text_picture {
    FILE *file;
    const struct show *show;
    const struct text_glyphs *glyphs;
    struct show_scale scale;
    uint32_t columns;
    struct text_cell *cells; /* of the row being drawn */
    uint64_t *load;          /* by column: an SM's threads times places, or a row's places */
    uint8_t *levels[2];      /* SM rows: the row to be printed next, and the current row */
    uint32_t used;           /* a bit for each item kind that was drawn */
    bool levels_used;
    bool is_compact; /* true if there are too many queues for rows of waits and marks */
};

void text_cell_put(struct text_picture *picture, uint32_t column, const char *glyph);
uint32_t text_column_of(const struct text_picture *picture, gfe_ps time_ps);
void text_row_clear(struct text_picture *picture);
/* Print the row after its label.  text_row_print() adds the cuts, which go through all rows;
 * text_row_write() does not. */
void text_row_print(struct text_picture *picture, const char *label);
void text_row_write(struct text_picture *picture, const char *label);
/* Adds `height` times the places of each column that the item fills to picture->load. */
void text_load_add(struct text_picture *picture, const struct show_item *item, uint32_t height);
/* Returns the glyphs by eighths of a kind that is shaded by its share of a column, or NULL for a
 * kind that fills each column that it touches. */
const char *const *text_shades(const struct text_glyphs *glyphs, uint8_t kind);
const char *text_item_glyph(const struct text_glyphs *glyphs, uint8_t kind);
/* Draws all rows of a track that is not an SM. */
void text_track_draw(struct text_picture *picture, const struct show_track *track);

void text_axis_draw(struct text_picture *picture);
void text_legend_print(struct text_picture *picture);
void text_cuts_print(struct text_picture *picture);

#endif
