/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/show_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/show_lists.h"
#include "emu/show_scale.h"

enum {
    LABEL_COLUMNS = 14,
    COLUMN_X = 1 << 20, /* places in a column: fine, so that narrow blocks add up */
    CUT_COLUMNS = 2,
    LEVELS = 8,
    ROWS_OF_KIND_MAX = 64, /* channels, SMs, ... */
};

#define BIT(kind) (UINT32_C(1) << (kind))
/* Everything from here on is an instant. */
#define INSTANTS  ((BIT(SHOW_ERROR + 1) - 1) & ~(BIT(SHOW_DOORBELL) - 1))

struct glyphs {
    const char *submit, *cpu_wait, *queued, *run, *wait, *loaded, *loading, *segment, *cut;
    const char *doorbell, *write, *release, *acquire, *interrupt, *error;
    const char *tick, *rule;
    const char *levels[LEVELS + 1];
};

/* clang-format off */
static const struct glyphs block_glyphs = {
    .submit = "▓", .cpu_wait = "░", .queued = "·", .run = "█", .wait = "┄", .loaded = "─", .loading = "▒",
    .segment = "▄", .cut = "╱", .doorbell = "▾", .write = "▪", .release = "▴", .acquire = "▹",
    .interrupt = "!", .error = "✗", .tick = "┴", .rule = "─",
    .levels = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"}};
static const struct glyphs ascii_glyphs = {
    .submit = "S", .cpu_wait = ".", .queued = ":", .run = "#", .wait = "~", .loaded = "-", .loading = "%",
    .segment = "=", .cut = "/", .doorbell = "v", .write = "w", .release = "^", .acquire = ">",
    .interrupt = "i", .error = "!", .tick = "+", .rule = "-",
    .levels = {" ", ".", ":", "-", "=", "+", "*", "#", "@"}};
/* clang-format on */

/* One character cell; UTF-8 needs up to three bytes here. */
struct cell {
    char bytes[4];
};

struct picture {
    FILE *file;
    const struct show *show;
    const struct glyphs *glyphs;
    struct show_scale scale;
    uint32_t columns;
    struct cell *cells; /* of the row being drawn */
    uint64_t *load;     /* of an SM: threads times places, by column */
    uint8_t *levels[2]; /* of SMs: the row to be printed, the one at hand */
    uint32_t used;      /* bit for each item kind that was drawn */
    bool levels_used;
};

/* ---- rows ----------------------------------------------------------------------------------- */

static void cell_put(struct picture *picture, uint32_t column, const char *glyph)
{
    if (column < picture->columns)
        (void)strcpy(picture->cells[column].bytes, glyph);
}

static uint32_t column_of(const struct picture *picture, gfe_ps time_ps)
{
    const uint32_t column = show_scale_x(&picture->scale, time_ps) / COLUMN_X;

    return column < picture->columns ? column : picture->columns - 1;
}

static void row_clear(struct picture *picture)
{
    for (uint32_t i = 0; i < picture->columns; i++)
        cell_put(picture, i, " ");
}

/* Cuts go through all rows. */
static void row_cut(struct picture *picture)
{
    for (uint32_t i = 0; i < picture->scale.span_count; i++) {
        const struct show_span *span = &picture->scale.spans[i];
        if (!span->is_cut)
            continue;
        const uint32_t from = (span->from_x + COLUMN_X / 2) / COLUMN_X;
        const uint32_t to = (span->to_x + COLUMN_X / 2) / COLUMN_X;
        for (uint32_t column = from; column < to && column < picture->columns; column++)
            cell_put(picture, column, picture->glyphs->cut);
    }
}

static void row_write(struct picture *picture, const char *label)
{
    uint32_t used = picture->columns;

    while (used > 0 && strcmp(picture->cells[used - 1].bytes, " ") == 0)
        used--;
    fprintf(picture->file, "%-*s", used ? LABEL_COLUMNS + 1 : 0, label);
    for (uint32_t i = 0; i < used; i++)
        fputs(picture->cells[i].bytes, picture->file);
    fputc('\n', picture->file);
}

static void row_print(struct picture *picture, const char *label)
{
    row_cut(picture);
    row_write(picture, label);
}

/* Columns that an item fills: at least one; an end in the first half of a column does not. */
static void item_columns(const struct picture *picture, const struct show_item *item,
                         uint32_t *from, uint32_t *to)
{
    *from = column_of(picture, item->begin_ps);
    *to = column_of(picture, item->end_ps);
    if (*to > *from && show_scale_x(&picture->scale, item->end_ps) % COLUMN_X < COLUMN_X / 2)
        --*to;
}

static const char *item_glyph(const struct glyphs *glyphs, uint8_t kind)
{
    switch ((enum show_item_kind)kind) {
    case SHOW_SUBMIT:
        return glyphs->submit;
    case SHOW_CPU_WAIT:
        return glyphs->cpu_wait;
    case SHOW_QUEUED:
        return glyphs->queued;
    case SHOW_WAIT:
        return glyphs->wait;
    case SHOW_LOADED:
        return glyphs->loaded;
    case SHOW_LOADING:
        return glyphs->loading;
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
        break;
    }
    return glyphs->run;
}

static void bar_draw(struct picture *picture, const struct show_item *item)
{
    const char *glyph = item_glyph(picture->glyphs, item->kind);
    uint32_t from, to;

    item_columns(picture, item, &from, &to);
    for (uint32_t column = from; column <= to; column++)
        cell_put(picture, column, glyph);
    picture->used |= BIT(item->kind);
}

/* Writes the item's name over its bar.  That of an operation may go on where nothing is drawn. */
static void name_draw(struct picture *picture, const struct show_item *item)
{
    const struct show *show = picture->show;
    const char *glyph = item_glyph(picture->glyphs, item->kind);
    char name[SHOW_NAME_BYTES] = "";
    uint32_t from, to;

    if (item->kind == SHOW_OPERATION)
        show_operation_name(show, &show->operations[item->operation], name, sizeof name);
    else if (item->kind == SHOW_WAIT)
        (void)snprintf(name, sizeof name, "%s",
                       show_rule_label(show, show->waits[item->number].rule));
    item_columns(picture, item, &from, &to);
    const uint32_t end = from + (uint32_t)strlen(name);
    if (end > picture->columns || (item->kind == SHOW_WAIT && end > to))
        return;
    for (uint32_t column = from; column < end; column++)
        if (strcmp(picture->cells[column].bytes, column <= to ? glyph : " ") != 0)
            return;
    for (uint32_t column = from; column < end; column++)
        cell_put(picture, column, (const char[]){name[column - from], '\0'});
}

/* Only operations and waits have lanes. */
static bool in_lane(const struct show_item *item, uint32_t lane)
{
    return (item->kind != SHOW_OPERATION && item->kind != SHOW_QUEUED && item->kind != SHOW_WAIT) ||
           item->lane == lane;
}

/* Draws the track's items of these kinds, later kinds over earlier ones, of one lane. */
static void items_draw(struct picture *picture, const struct show_track *track, uint32_t kinds,
                       uint32_t lane)
{
    row_clear(picture);
    for (uint32_t kind = 0; kind <= SHOW_ERROR; kind++)
        for (uint32_t i = 0; kinds & BIT(kind) && i < track->item_count; i++)
            if (track->items[i].kind == kind && in_lane(&track->items[i], lane))
                bar_draw(picture, &track->items[i]);
    row_cut(picture);
    for (uint32_t i = 0; i < track->item_count; i++)
        if (kinds & BIT(track->items[i].kind) && in_lane(&track->items[i], lane))
            name_draw(picture, &track->items[i]);
}

static bool has_kinds(const struct show_track *track, uint32_t kinds)
{
    for (uint32_t i = 0; i < track->item_count; i++)
        if (kinds & BIT(track->items[i].kind))
            return true;
    return false;
}

static void track_draw(struct picture *picture, const struct show_track *track)
{
    static const uint32_t kinds[SHOW_TRACK_KINDS] = {
        [SHOW_THREAD] = BIT(SHOW_CPU_WAIT) | BIT(SHOW_SUBMIT),
        [SHOW_CHANNEL] = BIT(SHOW_QUEUED) | BIT(SHOW_OPERATION),
        [SHOW_PBDMA] = BIT(SHOW_LOADED) | BIT(SHOW_LOADING) | BIT(SHOW_SEGMENT),
        [SHOW_GR] = BIT(SHOW_OPERATION),
        [SHOW_CE] = BIT(SHOW_OPERATION),
    };

    for (uint32_t lane = 0; lane == 0 || lane < track->lane_count; lane++) {
        items_draw(picture, track, kinds[track->kind], lane);
        row_print(picture, lane == 0 ? track->name : "");
    }
    for (uint32_t lane = 0; lane < track->wait_lane_count; lane++) {
        items_draw(picture, track, BIT(SHOW_WAIT), lane);
        row_print(picture, lane == 0 ? "  waits" : "");
    }
    if (has_kinds(track, INSTANTS)) {
        items_draw(picture, track, INSTANTS, 0);
        row_print(picture, "  memory");
    }
}

/* ---- SMs ------------------------------------------------------------------------------------ */

/* Threads of all SMs have the same scale. */
static uint32_t threads_top(const struct show *show)
{
    uint32_t top = 1;

    for (uint32_t t = 0; t < show->track_count; t++)
        if (show->tracks[t].top > top)
            top = show->tracks[t].top;
    return top;
}

static void block_load(struct picture *picture, const struct show_item *item)
{
    const uint32_t end = picture->columns * COLUMN_X;
    uint32_t from = show_scale_x(&picture->scale, item->begin_ps);
    const uint32_t to = show_scale_x(&picture->scale, item->end_ps);

    while (from < to && from < end) {
        const uint32_t column = from / COLUMN_X;
        const uint32_t next = (column + 1) * COLUMN_X < to ? (column + 1) * COLUMN_X : to;
        picture->load[column] += (uint64_t)(next - from) * item->height;
        from = next;
    }
}

/* How full the SM is, in eighths, by column. */
static void sm_levels(struct picture *picture, const struct show_track *track, uint8_t *levels)
{
    const uint64_t full = (uint64_t)threads_top(picture->show) * COLUMN_X;

    memset(picture->load, 0, picture->columns * sizeof *picture->load);
    for (uint32_t i = 0; i < track->item_count; i++)
        block_load(picture, &track->items[i]);
    for (uint32_t column = 0; column < picture->columns; column++) {
        const uint64_t level = (picture->load[column] * LEVELS + full / 2) / full;
        levels[column] = level < LEVELS ? (uint8_t)level : LEVELS;
        if (level == 0 && picture->load[column] > 0)
            levels[column] = 1;
    }
}

/* Rounding alone does not make rows differ. */
static bool same_levels(const struct picture *picture, const uint8_t *a, const uint8_t *b)
{
    for (uint32_t column = 0; column < picture->columns; column++)
        if (a[column] > b[column] + 1 || b[column] > a[column] + 1)
            return false;
    return true;
}

static void sms_print(struct picture *picture, uint32_t first, uint32_t last)
{
    char label[32];

    if (first == last)
        (void)snprintf(label, sizeof label, "SM %" PRIu32, first);
    else
        (void)snprintf(label, sizeof label, "SM %" PRIu32 "-%" PRIu32, first, last);
    for (uint32_t column = 0; column < picture->columns; column++)
        cell_put(picture, column, picture->glyphs->levels[picture->levels[0][column]]);
    row_print(picture, label);
    picture->levels_used = true;
}

/* Neighbours that look the same share a row, which is that of the first. */
static void sms_draw(struct picture *picture, uint32_t first_track)
{
    const struct show *show = picture->show;
    uint32_t first_id = show->tracks[first_track].id, last_id = first_id, rows = 0;

    sm_levels(picture, &show->tracks[first_track], picture->levels[0]);
    for (uint32_t t = first_track + 1; t < show->track_count && rows < ROWS_OF_KIND_MAX; t++) {
        const struct show_track *track = &show->tracks[t];
        sm_levels(picture, track, picture->levels[1]);
        if (track->id != last_id + 1 ||
            !same_levels(picture, picture->levels[0], picture->levels[1])) {
            sms_print(picture, first_id, last_id);
            rows++;
            first_id = track->id;
            memcpy(picture->levels[0], picture->levels[1], picture->columns);
        }
        last_id = track->id;
    }
    if (rows < ROWS_OF_KIND_MAX)
        sms_print(picture, first_id, last_id);
    else
        fprintf(picture->file, "and more SMs from %" PRIu32 " on: see --as svg\n", first_id);
}

static void tracks_draw(struct picture *picture)
{
    const struct show *show = picture->show;
    uint32_t rows[SHOW_TRACK_KINDS] = {0};

    for (uint32_t t = 0; t < show->track_count; t++) {
        const struct show_track *track = &show->tracks[t];
        if (track->kind == SHOW_SM) {
            sms_draw(picture, t);
            return;
        }
        if (rows[track->kind]++ < ROWS_OF_KIND_MAX)
            track_draw(picture, track);
        else if (rows[track->kind] == ROWS_OF_KIND_MAX + 1)
            fprintf(picture->file, "%s and more of its kind: see --as svg\n", track->name);
    }
}

/* ---- axis and legend ------------------------------------------------------------------------ */

/* Writes a label where nothing is written yet; false when it does not fit there. */
static bool label_put(struct picture *picture, uint32_t column, const char *text)
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

static void span_ticks(struct picture *picture, const struct show_span *span, gfe_ps step_ps,
                       bool labels)
{
    struct show_tick tick = {.time_ps = GFE_PS_NEVER};

    while (show_scale_tick(span, step_ps, &tick)) {
        const uint32_t column = column_of(picture, tick.time_ps);
        if (labels)
            (void)label_put(picture, column, tick.text);
        else
            cell_put(picture, column, picture->glyphs->tick);
    }
}

static void axis_draw(struct picture *picture)
{
    const struct show_scale *scale = &picture->scale;
    const gfe_ps step_ps = show_scale_step(scale, 10 * COLUMN_X);

    row_clear(picture);
    for (uint32_t i = 0; i < scale->span_count; i++)
        if (!scale->spans[i].is_cut)
            span_ticks(picture, &scale->spans[i], step_ps, true);
    /* Labels may lie over cuts, which are marked in the next line. */
    row_write(picture, "");
    for (uint32_t i = 0; i < picture->columns; i++)
        cell_put(picture, i, picture->glyphs->rule);
    for (uint32_t i = 0; i < scale->span_count; i++)
        if (!scale->spans[i].is_cut)
            span_ticks(picture, &scale->spans[i], step_ps, false);
    row_print(picture, "");
}

struct legend_row {
    uint8_t kind;
    const char *words;
};

/* clang-format off */
static const struct legend_row legend_rows[] = {
    {SHOW_SUBMIT, "driver call"},        {SHOW_CPU_WAIT, "program waits"},
    {SHOW_QUEUED, "queued"},             {SHOW_OPERATION, "runs"},
    {SHOW_WAIT, "waits, see below"},     {SHOW_LOADED, "channel loaded"},
    {SHOW_LOADING, "channel being loaded"},
    {SHOW_SEGMENT, "methods processed"}, {SHOW_DOORBELL, "doorbell"},
    {SHOW_INLINE_WRITE, "inline write"}, {SHOW_ACQUIRE, "semaphore acquired"},
    {SHOW_RELEASE, "semaphore release"}, {SHOW_INTERRUPT, "interrupt"},
    {SHOW_ERROR, "error"},
};
/* clang-format on */

static void legend_print(struct picture *picture)
{
    char entry[96];
    uint32_t column = 0;

    for (size_t i = 0; i < sizeof legend_rows / sizeof legend_rows[0]; i++) {
        const struct legend_row *row = &legend_rows[i];
        const uint32_t length = (uint32_t)strlen(row->words) + 4;
        if (!(picture->used & BIT(row->kind)))
            continue;
        if (column > 0 && column + length > picture->columns + LABEL_COLUMNS) {
            fputc('\n', picture->file);
            column = 0;
        }
        fprintf(picture->file, "%s%s %s", column > 0 ? "  " : "",
                item_glyph(picture->glyphs, row->kind), row->words);
        column += length;
    }
    fputc('\n', picture->file);
    if (picture->levels_used) {
        for (uint32_t i = 1; i <= LEVELS; i++)
            fputs(picture->glyphs->levels[i], picture->file);
        (void)snprintf(entry, sizeof entry, " threads on an SM, up to %" PRIu32,
                       threads_top(picture->show));
        fprintf(picture->file, "%s\n", entry);
    }
}

static void cuts_print(struct picture *picture)
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
                show_time(text, sizeof text, span->to_ps - span->from_ps));
        listed++;
    }
    if (picture->scale.cut_count > listed)
        fprintf(picture->file, ", %" PRIu64 " more", picture->scale.cut_count - listed);
    fputs(" (see --no-cuts)\n", picture->file);
}

/* ---- all ------------------------------------------------------------------------------------ */

static void title_print(struct picture *picture)
{
    char words[SHOW_LISTS_WORDS];

    show_lists_name(picture->show, words, sizeof words);
    fprintf(picture->file, "%s: ", words);
    show_lists_counts(picture->show, words, sizeof words);
    fprintf(picture->file, "%s\n", words);
    show_lists_window(picture->show, words, sizeof words);
    fprintf(picture->file, "%s\n\n", words);
}

static bool picture_init(struct picture *picture, FILE *file, const struct show *show,
                         const struct show_text_options *options, struct gfe_error *error)
{
    *picture = (struct picture){.file = file,
                                .show = show,
                                .glyphs = options->ascii ? &ascii_glyphs : &block_glyphs,
                                .columns = options->width - LABEL_COLUMNS - 1};
    picture->cells = calloc(picture->columns, sizeof *picture->cells);
    picture->levels[0] = calloc(picture->columns, 1);
    picture->levels[1] = calloc(picture->columns, 1);
    picture->load = calloc(picture->columns, sizeof *picture->load);
    if (!picture->cells || !picture->load || !picture->levels[0] || !picture->levels[1])
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    return show_scale_init(&picture->scale, show, picture->columns * COLUMN_X,
                           CUT_COLUMNS * COLUMN_X, !options->to_scale, error);
}

bool show_text(FILE *file, const struct show *show, const struct show_text_options *options,
               struct gfe_error *error)
{
    struct picture picture;
    const bool good = picture_init(&picture, file, show, options, error);

    if (good)
        title_print(&picture);
    if (good && show->item_count > 0) {
        axis_draw(&picture);
        tracks_draw(&picture);
        fputc('\n', file);
        legend_print(&picture);
        cuts_print(&picture);
        show_lists_operations(file, show, options->width);
        show_lists_waits(file, show, options->width);
    }
    show_scale_fini(&picture.scale);
    free(picture.cells);
    free(picture.levels[0]);
    free(picture.levels[1]);
    free(picture.load);
    return good;
}
