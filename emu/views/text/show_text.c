/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/text/show_text.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/show_lists.h"
#include "emu/views/text/show_text_private.h"

enum {
    CUT_COLUMNS = 2,
    ROWS_OF_KIND_MAX = 64, /* channels, SMs, ... */
    QUEUES_MAX = 8,        /* of AMD's: of more each has a row only */
};

/* clang-format off */
static const struct text_glyphs block_glyphs = {
    .submit = "▓", .cpu_wait = "░", .queued = "·", .run = "█", .wait = "┄", .loaded = "─", .loading = "▒",
    .packet = "▪", .dispatching = "▓", .leaving = "┈", .saving = "▾", .restoring = "▴",
    .segment = "▄", .cut = "╱", .doorbell = "▾", .write = "▪", .release = "▴", .acquire = "▹",
    .interrupt = "!", .error = "✗", .tick = "┴", .rule = "─",
    .levels = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
    .runs = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"},
    .segments = {" ", "▁", "▁", "▂", "▂", "▃", "▃", "▄", "▄"}};
static const struct text_glyphs ascii_glyphs = {
    .submit = "S", .cpu_wait = ".", .queued = ":", .run = "#", .wait = "~", .loaded = "-", .loading = "%",
    .packet = "b", .dispatching = "d", .leaving = "<", .saving = "s", .restoring = "r",
    .segment = "=", .cut = "/", .doorbell = "v", .write = "w", .release = "^", .acquire = ">",
    .interrupt = "i", .error = "!", .tick = "+", .rule = "-",
    .levels = {" ", ".", ":", "-", "=", "+", "*", "#", "@"},
    .runs = {" ", ",", ",", "+", "+", "*", "*", "#", "#"},
    .segments = {" ", "_", "_", "_", "_", "=", "=", "=", "="}};
/* clang-format on */

/* ---- SMs ------------------------------------------------------------------------------------- */

static void loads_add(struct text_picture *picture, const struct show_track *track)
{
    for (uint32_t i = 0; i < track->item_count; i++)
        text_load_add(picture, &track->items[i], track->items[i].height);
}

/* How full so many SMs are on average, in eighths, by column. */
static void levels_make(struct text_picture *picture, uint32_t sm_count, uint8_t *levels)
{
    const uint64_t full = (uint64_t)show_threads_top(picture->show) * TEXT_COLUMN_X * sm_count;

    for (uint32_t column = 0; column < picture->columns; column++) {
        const uint64_t level = (picture->load[column] * TEXT_LEVELS + full / 2) / full;
        levels[column] = level < TEXT_LEVELS ? (uint8_t)level : TEXT_LEVELS;
        if (level == 0 && picture->load[column] > 0)
            levels[column] = 1;
    }
}

static void sm_levels(struct text_picture *picture, const struct show_track *track, uint8_t *levels)
{
    memset(picture->load, 0, picture->columns * sizeof *picture->load);
    loads_add(picture, track);
    levels_make(picture, 1, levels);
}

/* Rounding alone does not make rows differ. */
static bool same_levels(const struct text_picture *picture, const uint8_t *a, const uint8_t *b)
{
    for (uint32_t column = 0; column < picture->columns; column++)
        if (a[column] > b[column] + 1 || b[column] > a[column] + 1)
            return false;
    return true;
}

static void levels_print(struct text_picture *picture, const char *label)
{
    for (uint32_t column = 0; column < picture->columns; column++)
        text_cell_put(picture, column, picture->glyphs->levels[picture->levels[0][column]]);
    text_row_print(picture, label);
    picture->levels_used = true;
}

/* A row for each shader engine: how full its CUs are on average. */
static void engines_draw(struct text_picture *picture, uint32_t first_track)
{
    const struct show *show = picture->show;
    const struct gpu_words *words = &show->words;

    for (uint32_t engine = 0; engine < words->engine_count; engine++) {
        const uint32_t from = words->first_cu[engine], to = words->first_cu[engine + 1];
        char label[16];
        bool any = false;
        memset(picture->load, 0, picture->columns * sizeof *picture->load);
        for (uint32_t t = first_track; t < show->track_count; t++)
            if (show->tracks[t].id >= from && show->tracks[t].id < to) {
                loads_add(picture, &show->tracks[t]);
                any = true;
            }
        if (!any)
            continue;
        levels_make(picture, to - from, picture->levels[0]);
        (void)snprintf(label, sizeof label, "SE %" PRIu32, engine);
        levels_print(picture, label);
    }
}

static void sms_print(struct text_picture *picture, uint32_t first, uint32_t last)
{
    const struct gpu_words *words = &picture->show->words;
    char label[2 * GPU_WORDS_BYTES + 2], name[GPU_WORDS_BYTES];

    (void)snprintf(label, sizeof label, "%s", gpu_words_sm(words, first, name));
    if (first != last)
        (void)snprintf(label + strlen(label), GPU_WORDS_BYTES + 2, "-%s",
                       gpu_words_sm_number(words, last, name));
    levels_print(picture, label);
}

/* Neighbours that look the same share a row, which is that of the first. */
static void sms_draw(struct text_picture *picture, uint32_t first_track)
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
        fprintf(picture->file, "and more %s from %" PRIu32 " on: see --as svg\n", show->words.sms,
                first_id);
}

static bool has_many_queues(const struct show *show)
{
    uint32_t count = 0;

    for (uint32_t t = 0; t < show->track_count; t++)
        count += show->tracks[t].kind == SHOW_CHANNEL;
    return show->words.is_amd && count > QUEUES_MAX;
}

static void tracks_draw(struct text_picture *picture)
{
    const struct show *show = picture->show;
    uint32_t rows[SHOW_TRACK_KINDS] = {0};

    picture->is_compact = has_many_queues(show);

    for (uint32_t t = 0; t < show->track_count; t++) {
        const struct show_track *track = &show->tracks[t];
        if (track->kind == SHOW_SM) {
            engines_draw(picture, t);
            sms_draw(picture, t);
            return;
        }
        if (rows[track->kind]++ < ROWS_OF_KIND_MAX)
            text_track_draw(picture, track);
        else if (rows[track->kind] == ROWS_OF_KIND_MAX + 1)
            fprintf(picture->file, "%s and more of its kind: see --as svg\n", track->name);
    }
}

/* ---- all ------------------------------------------------------------------------------------- */

static void title_print(struct text_picture *picture)
{
    char words[SHOW_LISTS_WORDS];

    show_lists_name(picture->show, words, sizeof words);
    fprintf(picture->file, "%s: ", words);
    show_lists_counts(picture->show, words, sizeof words);
    fprintf(picture->file, "%s\n", words);
    show_lists_window(picture->show, words, sizeof words);
    fprintf(picture->file, "%s\n\n", words);
}

static bool picture_init(struct text_picture *picture, FILE *file, const struct show *show,
                         const struct show_text_options *options, struct gfe_error *error)
{
    *picture = (struct text_picture){.file = file,
                                     .show = show,
                                     .glyphs = options->ascii ? &ascii_glyphs : &block_glyphs,
                                     .columns = options->width - TEXT_LABEL_COLUMNS - 1};
    picture->cells = calloc(picture->columns, sizeof *picture->cells);
    picture->levels[0] = calloc(picture->columns, 1);
    picture->levels[1] = calloc(picture->columns, 1);
    picture->load = calloc(picture->columns, sizeof *picture->load);
    if (!picture->cells || !picture->load || !picture->levels[0] || !picture->levels[1])
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    return show_scale_init(&picture->scale, show, picture->columns * TEXT_COLUMN_X,
                           CUT_COLUMNS * TEXT_COLUMN_X, !options->to_scale, error);
}

/* What stands below the tracks. */
static void notes_print(struct text_picture *picture, uint32_t width)
{
    fputc('\n', picture->file);
    text_legend_print(picture);
    if (picture->is_compact)
        fprintf(picture->file,
                "more than %d queues: their waits and marks are not drawn (see --as svg --view "
                "all)\n",
                QUEUES_MAX);
    text_cuts_print(picture);
    show_lists_operations(picture->file, picture->show, width);
    show_lists_waits(picture->file, picture->show, width);
}

bool show_text(FILE *file, const struct show *show, const struct show_text_options *options,
               struct gfe_error *error)
{
    struct text_picture picture;
    const bool good = picture_init(&picture, file, show, options, error);

    if (good && !options->tracks_only)
        title_print(&picture);
    if (good && show->item_count > 0) {
        text_axis_draw(&picture);
        tracks_draw(&picture);
        if (!options->tracks_only)
            notes_print(&picture, options->width);
    }
    show_scale_fini(&picture.scale);
    free(picture.cells);
    free(picture.levels[0]);
    free(picture.levels[1]);
    free(picture.load);
    return good;
}
