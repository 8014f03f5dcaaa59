/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/svg/show_svg_threads.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/markup.h"
#include "emu/views/svg/show_svg_page.h"

enum { THREADS_HEIGHT = 300, TICKS = 4, LEGEND_ENTRY = 18 };

struct threads {
    struct svg_page page;
    uint32_t columns, area_count;
    /* Of each area: its kernel's name, and threads times places in each column; `steps`: where
     * blocks begin and end that fill columns whole. */
    char names[SHOW_THREADS_AREAS][SHOW_NAME_BYTES];
    uint64_t *sums[SHOW_THREADS_AREAS];
    int64_t *steps[SHOW_THREADS_AREAS];
    uint32_t *area_of; /* of show.operations: 1 + area; 0: not looked up */
    uint64_t block_count, top;
    bool crowded; /* the last area is of several kernels */
};

static void threads_fini(struct threads *threads)
{
    show_scale_fini(&threads->page.scale);
    for (uint32_t i = 0; i < SHOW_THREADS_AREAS; i++) {
        free(threads->sums[i]);
        free(threads->steps[i]);
    }
    free(threads->area_of);
}

static bool threads_init(struct threads *threads, const struct show *show)
{
    bool good;

    threads->columns = threads->page.width - SVG_LEFT - SVG_RIGHT;
    threads->area_of = calloc(show->operation_count + (size_t)1, sizeof *threads->area_of);
    good = threads->area_of != NULL;
    for (uint32_t i = 0; i < SHOW_THREADS_AREAS; i++) {
        threads->sums[i] = calloc(threads->columns + (size_t)1, sizeof *threads->sums[i]);
        threads->steps[i] = calloc(threads->columns + (size_t)2, sizeof *threads->steps[i]);
        good = good && threads->sums[i] && threads->steps[i];
    }
    return good;
}

/* ---- areas ------------------------------------------------------------------------------------
 */

/* The name without the number of the launch. */
static void kernel_name(const struct show *show, const struct show_operation *operation,
                        char name[SHOW_NAME_BYTES])
{
    const struct streams_operation *of =
        streams_of_hardware(&show->streams, STREAMS_GRID, operation->id);
    const struct program_call *call = of ? program_call(&show->streams.program, of->call) : NULL;

    if (call)
        (void)snprintf(name, SHOW_NAME_BYTES, "%s", call->label);
    else
        show_operation_name(show, operation, name, SHOW_NAME_BYTES);
}

static uint32_t area_of(struct threads *threads, uint32_t operation)
{
    char name[SHOW_NAME_BYTES];
    uint32_t area = 0;

    if (threads->area_of[operation] != 0)
        return threads->area_of[operation] - 1;
    kernel_name(threads->page.show, &threads->page.show->operations[operation], name);
    while (area < threads->area_count && strcmp(threads->names[area], name) != 0)
        area++;
    if (area == SHOW_THREADS_AREAS) {
        area--;
        threads->crowded = true;
    } else if (area == threads->area_count) {
        memcpy(threads->names[area], name, sizeof name);
        threads->area_count++;
    }
    threads->area_of[operation] = area + 1;
    return area;
}

/* A block's threads, from place to place of the axis. */
static void block_add(struct threads *threads, uint32_t area, uint32_t height, uint32_t from,
                      uint32_t to)
{
    const uint32_t first = from / SVG_X, last = to / SVG_X;

    if (to <= from || last > threads->columns)
        return;
    if (first == last) {
        threads->sums[area][first] += (uint64_t)height * (to - from);
        return;
    }
    threads->sums[area][first] += (uint64_t)height * (SVG_X - from % SVG_X);
    threads->sums[area][last] += (uint64_t)height * (to % SVG_X);
    threads->steps[area][first + 1] += height;
    threads->steps[area][last] -= height;
}

static void blocks_add(struct threads *threads)
{
    const struct show *show = threads->page.show;

    for (uint32_t t = 0; t < show->track_count; t++) {
        const struct show_track *track = &show->tracks[t];

        for (uint32_t i = 0; track->kind == SHOW_SM && i < track->item_count; i++) {
            const struct show_item *item = &track->items[i];

            if (item->kind != SHOW_BLOCK || item->operation >= show->operation_count)
                continue;
            threads->block_count++;
            block_add(threads, area_of(threads, item->operation), item->height,
                      show_scale_x(&threads->page.scale, item->begin_ps),
                      show_scale_x(&threads->page.scale, item->end_ps));
        }
    }
}

/* 1, 2 or 5 times a power of ten, so that TICKS of it are enough. */
static uint64_t round_step(uint64_t highest)
{
    uint64_t step = 1;

    for (;;) {
        for (uint32_t i = 0; i < 3; i++) {
            static const uint8_t times[] = {1, 2, 5};

            if (step * times[i] * TICKS >= highest)
                return step * times[i];
        }
        step *= 10;
    }
}

/* Makes sums of the areas below, too. */
static void areas_stack(struct threads *threads)
{
    uint64_t highest = 1;

    for (uint32_t a = 0; a < threads->area_count; a++) {
        int64_t whole = 0;

        for (uint32_t c = 0; c < threads->columns; c++) {
            whole += threads->steps[a][c];
            threads->sums[a][c] += (uint64_t)whole * SVG_X;
            if (a > 0)
                threads->sums[a][c] += threads->sums[a - 1][c];
            if (threads->sums[a][c] > highest)
                highest = threads->sums[a][c];
        }
    }
    threads->top = TICKS * round_step((highest + SVG_X - 1) / SVG_X);
}

/* ---- drawing ----------------------------------------------------------------------------------
 */

/* Tenths of a pixel above the bottom. */
static uint32_t level(const struct threads *threads, uint64_t sum)
{
    return (uint32_t)((unsigned __int128)sum * THREADS_HEIGHT * 10 / threads->top / SVG_X);
}

/* The upper edge of what lies below an area, or of it: steps of one column; same ones are one. */
static void edge_put(const struct threads *threads, uint32_t area, uint32_t bottom, bool back)
{
    const uint64_t *sums = threads->sums[area];
    uint32_t last = UINT32_MAX;

    for (uint32_t n = 0; n < threads->columns; n++) {
        const uint32_t c = back ? threads->columns - 1 - n : n;
        const uint32_t y = level(threads, sums[c]);

        if (y == last)
            continue;
        last = y;
        markup_print(threads->page.file, "%sH%" PRIu32 "V%" PRIu32 ".%" PRIu32,
                     n % 64 == 63 ? "\n" : "", SVG_LEFT + c + (back ? 1 : 0), bottom - (y + 9) / 10,
                     (10 - y % 10) % 10);
    }
    markup_print(threads->page.file, "H%" PRIu32, back ? SVG_LEFT : SVG_LEFT + threads->columns);
}

static void areas_put(const struct threads *threads, uint32_t bottom)
{
    FILE *file = threads->page.file;

    for (uint32_t a = 0; a < threads->area_count; a++) {
        markup_print(file, "<path class=\"area k%" PRIu32 "\" d=\"M%d %" PRIu32, a % SVG_COLOURS,
                     SVG_LEFT, bottom);
        edge_put(threads, a, bottom, false);
        markup_print(file, "V%" PRIu32, bottom);
        if (a > 0)
            edge_put(threads, a - 1, bottom, true);
        fputs("Z\"><title>", file);
        markup_text(file, threads->names[a]);
        fputs("</title></path>\n", file);
    }
}

static void ticks_put(const struct threads *threads, uint32_t bottom, bool lines)
{
    for (uint32_t i = 0; i <= TICKS; i++) {
        const uint32_t y = bottom - THREADS_HEIGHT * i / TICKS;

        if (lines)
            markup_print(threads->page.file,
                         "<path class=\"grid\" d=\"M%d %" PRIu32 ".5H%" PRIu32 "\"/>", SVG_LEFT, y,
                         SVG_LEFT + threads->columns);
        else
            markup_print(threads->page.file,
                         "<text class=\"name\" x=\"%d\" y=\"%" PRIu32 "\">%" PRIu64 "</text>\n",
                         SVG_LEFT - 8, y + 4, threads->top / TICKS * i);
    }
    if (!lines)
        markup_print(threads->page.file,
                     "<text class=\"axis sub\" transform=\"translate(24 %" PRIu32
                     ") rotate(-90)\">active threads</text>\n",
                     bottom - THREADS_HEIGHT / 2);
}

/* From y on; draw false: only where they would end. */
static uint32_t words_put(const struct threads *threads, uint32_t y, bool draw)
{
    char words[200];

    (void)snprintf(words, sizeof words,
                   "%" PRIu64 " block%s; threads of a block count until it ends. A column is a "
                   "pixel wide and shows the mean over its time.",
                   threads->block_count, threads->block_count == 1 ? "" : "s");
    return svg_words(&threads->page, y, words, draw);
}

/* One entry below the other: names can be long. */
static uint32_t legend_put(const struct threads *threads, uint32_t y)
{
    for (uint32_t a = 0; a < threads->area_count; a++, y += LEGEND_ENTRY) {
        markup_print(threads->page.file,
                     "<rect class=\"k%" PRIu32 "\" x=\"%d\" y=\"%" PRIu32
                     "\" width=\"12\" height=\"12\"/><text x=\"%d\" y=\"%" PRIu32 "\">",
                     a % SVG_COLOURS, SVG_LEFT, y, SVG_LEFT + 18, y + 10);
        markup_text(threads->page.file, threads->names[a]);
        fputs(threads->crowded && a + 1 == threads->area_count ? " and others</text>\n"
                                                               : "</text>\n",
              threads->page.file);
    }
    return y;
}

static void page_draw(struct threads *threads)
{
    static const char about[] = "Threads that are active over time, kernel by kernel, stacked";
    struct svg_page *page = &threads->page;
    const uint32_t top = SVG_TITLE_HEIGHT + (page->scale.cut_count ? SVG_CUT_LABEL_HEIGHT : 0) + 6;
    const uint32_t bottom = top + THREADS_HEIGHT, legend = bottom + SVG_AXIS_HEIGHT + 10;

    page->height = words_put(threads, legend + threads->area_count * LEGEND_ENTRY + 12, false) - 4;
    svg_open(page, about);
    fputs("<style>.area{stroke:none}</style>\n", page->file);
    svg_axis(page, top, bottom);
    ticks_put(threads, bottom, true);
    areas_put(threads, bottom);
    svg_cuts(page, top, bottom);
    ticks_put(threads, bottom, false);
    (void)words_put(threads, legend_put(threads, legend) + 12, true);
    fputs("</svg>\n", page->file);
}

bool show_svg_threads(FILE *file, const struct show *show, const struct show_svg_options *options,
                      struct gfe_error *error)
{
    struct threads *threads = calloc(1, sizeof *threads);
    bool good = false;

    if (threads) {
        threads->page = (struct svg_page){
            .file = file,
            .show = show,
            .title = options->title,
            .width = options->width,
            .least_x = SVG_X,
        };
        if (!threads_init(threads, show))
            error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
        else
            good = show_scale_init(&threads->page.scale, show, threads->columns * SVG_X,
                                   SVG_CUT_WIDTH * SVG_X, !options->to_scale, error);
        if (good) {
            blocks_add(threads);
            areas_stack(threads);
            page_draw(threads);
        }
        threads_fini(threads);
        free(threads);
        return good;
    }
    return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
}
