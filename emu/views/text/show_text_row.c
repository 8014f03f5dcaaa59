/* SPDX-License-Identifier: MIT */
/* Rows of a text picture: of characters, and of what a track holds. */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/views/text/show_text_private.h"

/* Everything from here on is an instant. */
#define INSTANTS ((TEXT_BIT(SHOW_ERROR + 1) - 1) & ~(TEXT_BIT(SHOW_DOORBELL) - 1))

void text_cell_put(struct text_picture *picture, uint32_t column, const char *glyph)
{
    if (column < picture->columns)
        (void)strcpy(picture->cells[column].bytes, glyph);
}

uint32_t text_column_of(const struct text_picture *picture, gfe_ps time_ps)
{
    const uint32_t column = show_scale_x(&picture->scale, time_ps) / TEXT_COLUMN_X;

    return column < picture->columns ? column : picture->columns - 1;
}

void text_row_clear(struct text_picture *picture)
{
    for (uint32_t i = 0; i < picture->columns; i++)
        text_cell_put(picture, i, " ");
}

/* Cuts go through all rows. */
static void row_cut(struct text_picture *picture)
{
    for (uint32_t i = 0; i < picture->scale.span_count; i++) {
        const struct show_span *span = &picture->scale.spans[i];
        if (!span->is_cut)
            continue;
        const uint32_t from = (span->from_x + TEXT_COLUMN_X / 2) / TEXT_COLUMN_X;
        const uint32_t to = (span->to_x + TEXT_COLUMN_X / 2) / TEXT_COLUMN_X;
        for (uint32_t column = from; column < to && column < picture->columns; column++)
            text_cell_put(picture, column, picture->glyphs->cut);
    }
}

void text_row_write(struct text_picture *picture, const char *label)
{
    uint32_t used = picture->columns;

    while (used > 0 && strcmp(picture->cells[used - 1].bytes, " ") == 0)
        used--;
    fprintf(picture->file, "%-*s", used ? TEXT_LABEL_COLUMNS + 1 : 0, label);
    for (uint32_t i = 0; i < used; i++)
        fputs(picture->cells[i].bytes, picture->file);
    fputc('\n', picture->file);
}

void text_row_print(struct text_picture *picture, const char *label)
{
    row_cut(picture);
    text_row_write(picture, label);
}

/* Columns that an item fills: at least one; an end in the first half of a column does not. */
static void item_columns(const struct text_picture *picture, const struct show_item *item,
                         uint32_t *from, uint32_t *to)
{
    *from = text_column_of(picture, item->begin_ps);
    *to = text_column_of(picture, item->end_ps);
    if (*to > *from &&
        show_scale_x(&picture->scale, item->end_ps) % TEXT_COLUMN_X < TEXT_COLUMN_X / 2)
        --*to;
}

const char *text_item_glyph(const struct text_glyphs *glyphs, uint8_t kind)
{
    switch ((enum show_item_kind)kind) {
    case SHOW_SUBMIT:
        return glyphs->submit;
    case SHOW_CPU_WAIT:
        return glyphs->cpu_wait;
    case SHOW_QUEUED:
    case SHOW_IN_RING:
        return glyphs->queued;
    case SHOW_PACKET:
        return glyphs->packet;
    case SHOW_DISPATCHING:
        return glyphs->dispatching;
    case SHOW_WAIT:
        return glyphs->wait;
    case SHOW_LOADED:
        return glyphs->loaded;
    case SHOW_LOADING:
        return glyphs->loading;
    case SHOW_LEAVING:
        return glyphs->leaving;
    case SHOW_SAVING:
        return glyphs->saving;
    case SHOW_RESTORING:
        return glyphs->restoring;
    case SHOW_SEGMENT:
        return glyphs->segment;
    case SHOW_DOORBELL:
        return glyphs->doorbell;
    case SHOW_INLINE_WRITE:
        return glyphs->write;
    case SHOW_ACQUIRE:
        return glyphs->acquire;
    case SHOW_RELEASE:
        return glyphs->release;
    case SHOW_INTERRUPT:
        return glyphs->interrupt;
    case SHOW_ERROR:
        return glyphs->error;
    case SHOW_OPERATION:
    case SHOW_BLOCK:
    case SHOW_SLICE: /* not in this picture: show_load_all() */
        break;
    }
    return glyphs->run;
}

const char *const *text_shades(const struct text_glyphs *glyphs, uint8_t kind)
{
    return kind == SHOW_OPERATION ? glyphs->runs : kind == SHOW_SEGMENT ? glyphs->segments : NULL;
}

void text_load_add(struct text_picture *picture, const struct show_item *item, uint32_t height)
{
    const uint32_t end = picture->columns * TEXT_COLUMN_X;
    uint32_t from = show_scale_x(&picture->scale, item->begin_ps);
    const uint32_t to = show_scale_x(&picture->scale, item->end_ps);

    while (from < to && from < end) {
        const uint32_t column = from / TEXT_COLUMN_X;
        const uint32_t next = (column + 1) * TEXT_COLUMN_X < to ? (column + 1) * TEXT_COLUMN_X : to;
        picture->load[column] += (uint64_t)(next - from) * height;
        from = next;
    }
}

static void bar_draw(struct text_picture *picture, const struct show_item *item)
{
    const char *glyph = text_item_glyph(picture->glyphs, item->kind);
    uint32_t from, to;

    item_columns(picture, item, &from, &to);
    for (uint32_t column = from; column <= to; column++)
        text_cell_put(picture, column, glyph);
    picture->used |= TEXT_BIT(item->kind);
}

static bool in_lane(const struct show_item *item, uint32_t lane)
{
    return (show_has_lanes(item->kind) ? item->lane : 0) == lane;
}

/* Draws the lane's items of a kind, shaded by the share of each column that they fill together.  An
 * item shows at least in the column in which it begins. */
static void shades_draw(struct text_picture *picture, const struct show_track *track, uint8_t kind,
                        uint32_t lane)
{
    const char *const *shades = text_shades(picture->glyphs, kind);

    memset(picture->load, 0, picture->columns * sizeof *picture->load);
    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];

        if (item->kind != kind || !in_lane(item, lane))
            continue;
        picture->used |= TEXT_BIT(kind);
        text_load_add(picture, item, 1);
        uint64_t *first = &picture->load[text_column_of(picture, item->begin_ps)];
        if (*first < TEXT_COLUMN_X / TEXT_LEVELS)
            *first = TEXT_COLUMN_X / TEXT_LEVELS;
    }
    for (uint32_t column = 0; column < picture->columns; column++) {
        const uint64_t level =
            (picture->load[column] * TEXT_LEVELS + TEXT_COLUMN_X / 2) / TEXT_COLUMN_X;

        if (level > 0)
            text_cell_put(picture, column, shades[level < TEXT_LEVELS ? level : TEXT_LEVELS]);
    }
}

/* Returns true if the cell is part of a bar of that kind. */
static bool is_bar(const struct text_picture *picture, uint32_t column, uint8_t kind)
{
    const char *cell = picture->cells[column].bytes;
    const char *const *shades = text_shades(picture->glyphs, kind);

    for (uint32_t level = 1; shades && level <= TEXT_LEVELS; level++)
        if (strcmp(cell, shades[level]) == 0)
            return true;
    return !shades && strcmp(cell, text_item_glyph(picture->glyphs, kind)) == 0;
}

/* Returns true if nothing is drawn there, or the end of the operation alone. */
static bool is_free(const struct text_picture *picture, uint32_t column,
                    const struct show_item *item)
{
    const uint32_t end = show_scale_x(&picture->scale, item->end_ps);

    return strcmp(picture->cells[column].bytes, " ") == 0 ||
           (item->kind == SHOW_OPERATION && column == end / TEXT_COLUMN_X &&
            picture->load[column] <= end % TEXT_COLUMN_X);
}

/* Writes the item's name over its bar.  That of an operation may go on where nothing is drawn. */
static void name_draw(struct text_picture *picture, const struct show_item *item)
{
    const struct show *show = picture->show;
    char name[SHOW_NAME_BYTES] = "";
    uint32_t from, to;

    if (item->kind == SHOW_OPERATION)
        show_operation_name(show, &show->operations[item->operation], name, sizeof name);
    else if (item->kind == SHOW_WAIT)
        (void)snprintf(name, sizeof name, "%s",
                       show_rule_label(show, show->waits[item->number].rule));
    else if (item->kind == SHOW_LOADED && show->words.is_amd)
        (void)snprintf(name, sizeof name, "%" PRIu32, item->number);
    item_columns(picture, item, &from, &to);
    /* A queue has its number where it is neither being loaded nor leaving. */
    while (item->kind == SHOW_LOADED && from < to && !is_bar(picture, from, item->kind))
        from++;
    /* A kernel's name stands behind the time in which not all of its blocks have started. */
    while (item->kind == SHOW_OPERATION && from < to &&
           strcmp(picture->cells[from].bytes, picture->glyphs->dispatching) == 0)
        from++;
    const uint32_t end = from + (uint32_t)strlen(name);
    if (end > picture->columns || (item->kind != SHOW_OPERATION && end > to))
        return;
    for (uint32_t column = from; column < end; column++)
        if (column <= to ? !is_bar(picture, column, item->kind) : !is_free(picture, column, item))
            return;
    for (uint32_t column = from; column < end; column++)
        text_cell_put(picture, column, (const char[]){name[column - from], '\0'});
}

/* Draws the track's items of these kinds, later kinds over earlier ones, of one lane. */
static void items_draw(struct text_picture *picture, const struct show_track *track, uint32_t kinds,
                       uint32_t lane)
{
    text_row_clear(picture);
    for (uint32_t kind = 0; kind <= SHOW_ERROR; kind++) {
        if (!(kinds & TEXT_BIT(kind)))
            continue;
        if (text_shades(picture->glyphs, (uint8_t)kind)) {
            shades_draw(picture, track, (uint8_t)kind, lane);
            continue;
        }
        for (uint32_t i = 0; i < track->item_count; i++)
            if (track->items[i].kind == kind && in_lane(&track->items[i], lane))
                bar_draw(picture, &track->items[i]);
    }
    row_cut(picture);
    for (uint32_t i = 0; i < track->item_count; i++)
        if (kinds & TEXT_BIT(track->items[i].kind) && in_lane(&track->items[i], lane))
            name_draw(picture, &track->items[i]);
}

static bool has_kinds(const struct show_track *track, uint32_t kinds)
{
    for (uint32_t i = 0; i < track->item_count; i++)
        if (kinds & TEXT_BIT(track->items[i].kind))
            return true;
    return false;
}

/* A program's thread rings doorbells; a queue's packets write memory, too. */
static const char *marks_name(const struct show *show, const struct show_track *track)
{
    return show->words.is_amd && !has_kinds(track, INSTANTS & ~TEXT_BIT(SHOW_DOORBELL))
               ? "  doorbells"
               : "  memory";
}

void text_track_draw(struct text_picture *picture, const struct show_track *track)
{
    static const uint32_t kinds[SHOW_TRACK_KINDS] = {
        [SHOW_THREAD] = TEXT_BIT(SHOW_CPU_WAIT) | TEXT_BIT(SHOW_SUBMIT),
        [SHOW_CHANNEL] = TEXT_BIT(SHOW_IN_RING) | TEXT_BIT(SHOW_QUEUED) | TEXT_BIT(SHOW_OPERATION) |
                         TEXT_BIT(SHOW_PACKET) | TEXT_BIT(SHOW_DISPATCHING),
        [SHOW_SLOT] = TEXT_BIT(SHOW_LOADED) | TEXT_BIT(SHOW_LOADING) | TEXT_BIT(SHOW_LEAVING) |
                      TEXT_BIT(SHOW_SAVING) | TEXT_BIT(SHOW_RESTORING),
        [SHOW_PBDMA] = TEXT_BIT(SHOW_LOADED) | TEXT_BIT(SHOW_LOADING) | TEXT_BIT(SHOW_SEGMENT),
        [SHOW_GR] = TEXT_BIT(SHOW_OPERATION),
        [SHOW_CE] = TEXT_BIT(SHOW_OPERATION),
    };

    const bool is_amd = picture->show->words.is_amd;
    const char *name = track->name;

    for (uint32_t lane = 0; lane == 0 || lane < track->lane_count; lane++) {
        if (is_amd && lane == 0 && !has_kinds(track, kinds[track->kind]))
            continue; /* the next row has the name */
        items_draw(picture, track, kinds[track->kind], lane);
        text_row_print(picture, name);
        name = "";
    }
    if (picture->is_compact && track->kind == SHOW_CHANNEL && !*name)
        return;
    for (uint32_t lane = 0; lane < track->wait_lane_count; lane++) {
        items_draw(picture, track, TEXT_BIT(SHOW_WAIT), lane);
        text_row_print(picture, *name ? name : lane == 0 ? "  waits" : "");
        name = "";
    }
    if (has_kinds(track, INSTANTS)) {
        items_draw(picture, track, INSTANTS, 0);
        text_row_print(picture, *name ? name : marks_name(picture->show, track));
    }
}
