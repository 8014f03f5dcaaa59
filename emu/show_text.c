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
    const char *micro;
    struct show_scale scale;
    uint32_t columns;
    struct cell *cells; /* of the row being drawn */
    struct cell *last;  /* of the row before, for SMs */
    uint64_t *load;     /* threads times places, by column */
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
static void row_cut(struct picture *picture, struct cell *cells)
{
    for (uint32_t i = 0; i < picture->scale.span_count; i++) {
        const struct show_span *span = &picture->scale.spans[i];
        if (!span->is_cut)
            continue;
        const uint32_t from = (span->from_x + COLUMN_X / 2) / COLUMN_X;
        const uint32_t to = (span->to_x + COLUMN_X / 2) / COLUMN_X;
        for (uint32_t column = from; column < to && column < picture->columns; column++)
            (void)strcpy(cells[column].bytes, picture->glyphs->cut);
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
    row_cut(picture, picture->cells);
    row_write(picture, label);
}

/* Fills an item's columns, at least one, and writes its name into them if it fits. */
static void bar_draw(struct picture *picture, const struct show_item *item, const char *glyph,
                     const char *name)
{
    const uint32_t from = column_of(picture, item->begin_ps);
    uint32_t to = column_of(picture, item->end_ps);
    const uint32_t length = (uint32_t)strlen(name);

    /* An end in the first half of a column does not fill it. */
    if (to > from && show_scale_x(&picture->scale, item->end_ps) % COLUMN_X < COLUMN_X / 2)
        to--;
    for (uint32_t column = from; column <= to; column++)
        cell_put(picture, column, glyph);
    for (uint32_t i = 0; length <= to - from && i < length; i++)
        cell_put(picture, from + i, (const char[]){name[i], '\0'});
    picture->used |= BIT(item->kind);
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

static void item_draw(struct picture *picture, const struct show_item *item)
{
    const struct show *show = picture->show;
    char name[64] = "";

    if (item->kind == SHOW_OPERATION)
        show_operation_name(&show->operations[item->operation], name, sizeof name);
    else if (item->kind == SHOW_WAIT)
        (void)snprintf(name, sizeof name, "%s",
                       show_rule_label(show, show->waits[item->number].rule));
    bar_draw(picture, item, item_glyph(picture->glyphs, item->kind), name);
}

static bool has_lane(const struct show_item *item)
{
    return item->kind == SHOW_OPERATION || item->kind == SHOW_QUEUED || item->kind == SHOW_WAIT;
}

/* Draws the track's items of these kinds, later kinds over earlier ones, of one lane. */
static void items_draw(struct picture *picture, const struct show_track *track, uint32_t kinds,
                       uint32_t lane)
{
    row_clear(picture);
    for (uint32_t kind = 0; kind <= SHOW_ERROR; kind++)
        for (uint32_t i = 0; kinds & BIT(kind) && i < track->item_count; i++) {
            const struct show_item *item = &track->items[i];
            if (item->kind == kind && (!has_lane(item) || item->lane == lane))
                item_draw(picture, item);
        }
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

static void sm_draw(struct picture *picture, const struct show_track *track, uint32_t top)
{
    const uint64_t full = (uint64_t)top * COLUMN_X;

    memset(picture->load, 0, picture->columns * sizeof *picture->load);
    for (uint32_t i = 0; i < track->item_count; i++)
        block_load(picture, &track->items[i]);
    for (uint32_t column = 0; column < picture->columns; column++) {
        uint64_t level = (picture->load[column] * LEVELS + full / 2) / full;
        if (level == 0 && picture->load[column] > 0)
            level = 1;
        cell_put(picture, column, picture->glyphs->levels[level < LEVELS ? level : LEVELS]);
    }
    row_cut(picture, picture->cells);
    picture->levels_used = true;
}

static void sm_label_print(struct picture *picture, uint32_t first, uint32_t last)
{
    char label[32];
    struct cell *drawn = picture->cells;

    if (first == last)
        (void)snprintf(label, sizeof label, "SM %" PRIu32, first);
    else
        (void)snprintf(label, sizeof label, "SM %" PRIu32 "-%" PRIu32, first, last);
    picture->cells = picture->last;
    row_print(picture, label);
    picture->cells = drawn;
}

/* Neighbours that look the same share a row. */
static void sms_draw(struct picture *picture, uint32_t first_track)
{
    const struct show *show = picture->show;
    const uint32_t top = threads_top(show);
    const size_t row_bytes = picture->columns * sizeof *picture->cells;
    uint32_t first_id = 0, last_id = 0, rows = 0;

    memset(picture->cells, 0, row_bytes);
    for (uint32_t t = first_track; t < show->track_count; t++) {
        const struct show_track *track = &show->tracks[t];
        memset(picture->cells, 0, row_bytes);
        sm_draw(picture, track, top);
        const bool same = t > first_track && track->id == last_id + 1 &&
                          memcmp(picture->cells, picture->last, row_bytes) == 0;
        if (t > first_track && !same) {
            sm_label_print(picture, first_id, last_id);
            rows++;
        }
        if (!same)
            first_id = track->id;
        last_id = track->id;
        memcpy(picture->last, picture->cells, row_bytes);
        if (rows == ROWS_OF_KIND_MAX) {
            fprintf(picture->file, "%-*s(%" PRIu32 " more)\n", LABEL_COLUMNS + 1, "SM ...",
                    show->track_count - t);
            return;
        }
    }
    sm_label_print(picture, first_id, last_id);
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

    while (show_scale_tick(span, step_ps, picture->micro, &tick)) {
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
                show_time(text, sizeof text, span->to_ps - span->from_ps, picture->micro));
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
    show_lists_window(picture->show, picture->micro, words, sizeof words);
    fprintf(picture->file, "%s\n\n", words);
}

static bool picture_init(struct picture *picture, FILE *file, const struct show *show,
                         const struct show_text_options *options, struct gfe_error *error)
{
    *picture = (struct picture){.file = file,
                                .show = show,
                                .glyphs = options->ascii ? &ascii_glyphs : &block_glyphs,
                                .micro = options->ascii ? "us" : "µs",
                                .columns = options->width - LABEL_COLUMNS - 1};
    picture->cells = calloc(picture->columns, sizeof *picture->cells);
    picture->last = calloc(picture->columns, sizeof *picture->last);
    picture->load = calloc(picture->columns, sizeof *picture->load);
    if (!picture->cells || !picture->last || !picture->load)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    return show_scale_init(&picture->scale, show, picture->columns * COLUMN_X,
                           CUT_COLUMNS * COLUMN_X, !options->to_scale, error);
}

bool show_text(FILE *file, const struct show *show, const struct show_text_options *options,
               struct gfe_error *error)
{
    struct picture picture;
    const bool good = picture_init(&picture, file, show, options, error);

    if (good) {
        title_print(&picture);
        axis_draw(&picture);
        tracks_draw(&picture);
        fputc('\n', file);
        legend_print(&picture);
        cuts_print(&picture);
        show_lists_operations(file, show, options->width, picture.micro);
        show_lists_waits(file, show, options->width, picture.micro);
    }
    show_scale_fini(&picture.scale);
    free(picture.cells);
    free(picture.last);
    free(picture.load);
    return good;
}
