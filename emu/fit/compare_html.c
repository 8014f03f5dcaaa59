/* SPDX-License-Identifier: MIT */
/*
 * A comparison as a page: of each experiment the two timelines, the real one above the emulated
 * one, on one scale, and its figures.
 */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/base/markup.h"
#include "emu/fit/compare.h"
#include "emu/fit/compare_words.h"

/* Sizes of a picture, in its own units. */
enum {
    LEFT = 150, /* names of lanes */
    WIDTH = 900,
    LANE = 14,
    GAP = 24,        /* above each half: its heading */
    LANES_MAX = 48,  /* of a half; further ones are counted */
    BARS_MAX = 4096, /* of a lane */
};

static const char style[] =
    "body{font:15px/1.45 system-ui,sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#1b1f24;"
    "background:#fff}h1{font-size:1.5em}h2{font-size:1.15em;margin-top:2em}table{border-collapse:collapse}"
    "th,td{padding:.2em .8em;text-align:right;border-bottom:1px solid #d0d7de}"
    "th:first-child,td:first-child{text-align:left}svg{width:100%;height:auto}text{font-size:11px;"
    "fill:#1b1f24}.real{fill:#1f5a94}.emulated{fill:#b3541e}.far{background:#fff1d6}"
    "line{stroke:#d0d7de}.head{font-weight:600}p.note{color:#57606a}"
    "@media(prefers-color-scheme:dark){body{background:#15191e;color:#e6e9ec}text{fill:#e6e9ec}"
    ".real{fill:#7db7ee}.emulated{fill:#eda571}.far{background:#4a3a17}th,td{border-color:#3a424b}"
    "line{stroke:#3a424b}p.note{color:#a5adb5}}";

/* ---- pictures -------------------------------------------------------------------------------- */

struct picture {
    FILE *file;
    const struct fit_experiment *experiment;
    double begin_ns[2], length_ns; /* begin: of the real half and of the emulated one */
    uint32_t top;                  /* of the half that is being drawn */
    bool emulated;
};

static const struct fit_seen *seen_of(const struct picture *picture,
                                      const struct fit_operation *operation)
{
    return picture->emulated ? &operation->emulated : &operation->real;
}

static bool is_drawn(const struct fit_part *part)
{
    return part->form != FIT_LATENCY && part->form != FIT_REPEAT;
}

/* A lane is a stream of a process. */
static uint32_t lane_count(const struct fit_experiment *experiment)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < experiment->part_count; i++)
        if (is_drawn(&experiment->parts[i]))
            count += experiment->parts[i].stream_count;
    return count < LANES_MAX ? count : LANES_MAX;
}

/* Takes the times of a half into account. */
static void measure(struct picture *picture, double *end_ns)
{
    double begin = FIT_NEVER, end = FIT_NEVER;

    for (uint32_t i = 0; i < picture->experiment->part_count; i++) {
        const struct fit_part *part = &picture->experiment->parts[i];

        for (uint32_t k = 0; is_drawn(part) && k < part->operation_count; k++) {
            const struct fit_span *spans = seen_of(picture, &part->operations[k])->spans;

            for (uint32_t n = 0; n < part->operations[k].times; n++) {
                if (spans[n].begin_ns != FIT_NEVER &&
                    (begin == FIT_NEVER || spans[n].begin_ns < begin))
                    begin = spans[n].begin_ns;
                if (spans[n].end_ns != FIT_NEVER && (end == FIT_NEVER || spans[n].end_ns > end))
                    end = spans[n].end_ns;
            }
        }
    }
    picture->begin_ns[picture->emulated] = begin == FIT_NEVER ? 0 : begin;
    *end_ns = end == FIT_NEVER ? 0 : end - picture->begin_ns[picture->emulated];
}

/* The place of a time, in tenths of a unit. */
static int place_of(const struct picture *picture, double time_ns)
{
    const double from = time_ns - picture->begin_ns[picture->emulated];

    return picture->length_ns > 0 ? (int)(from / picture->length_ns * WIDTH * 10) : 0;
}

static void print_tenths(FILE *file, const char *attribute, int tenths)
{
    markup_print(file, " %s=\"%d.%d\"", attribute, tenths / 10, tenths % 10);
}

static void draw_bar(const struct picture *picture, const struct fit_operation *operation,
                     const struct fit_span *span, uint32_t lane)
{
    const int begin = place_of(picture, span->begin_ns);
    int width = place_of(picture, span->end_ns) - begin;
    char from[FIT_WORD_BYTES], to[FIT_WORD_BYTES];

    if (span->begin_ns == FIT_NEVER || span->end_ns == FIT_NEVER || begin < 0)
        return;
    width = width < 10 ? 10 : width;
    markup_print(picture->file, "<rect class=\"%s\"", picture->emulated ? "emulated" : "real");
    print_tenths(picture->file, "x", LEFT * 10 + begin);
    markup_print(picture->file, " y=\"%u\"", picture->top + lane * LANE + 2);
    print_tenths(picture->file, "width", width > 15 ? width - 5 : width);
    markup_print(
        picture->file, " height=\"%d\"><title>%s: %s to %s</title></rect>\n", LANE - 4,
        operation->name,
        fit_value_text(from, FIT_TIME, span->begin_ns - picture->begin_ns[picture->emulated]),
        fit_value_text(to, FIT_TIME, span->end_ns - picture->begin_ns[picture->emulated]));
}

static void draw_lane(const struct picture *picture, const struct fit_part *part, uint32_t stream,
                      uint32_t lane)
{
    markup_print(picture->file, "<text x=\"0\" y=\"%u\">%s%s%s</text>\n",
                 picture->top + (lane + 1) * LANE - 3, part->name, *part->name ? " " : "",
                 part->streams[stream].name);
    for (uint32_t k = 0; k < part->operation_count; k++) {
        const struct fit_operation *operation = &part->operations[k];

        for (uint32_t n = 0; operation->stream == stream && n < operation->times && n < BARS_MAX;
             n++)
            draw_bar(picture, operation, &seen_of(picture, operation)->spans[n], lane);
    }
}

static void draw_half(const struct picture *picture)
{
    uint32_t lane = 0;

    markup_print(picture->file, "<text class=\"head\" x=\"%d\" y=\"%u\">%s</text>\n", LEFT,
                 picture->top - 6, picture->emulated ? "emulated" : "real");
    for (uint32_t i = 0; i < picture->experiment->part_count; i++) {
        const struct fit_part *part = &picture->experiment->parts[i];

        for (uint32_t s = 0; is_drawn(part) && s < part->stream_count && lane < LANES_MAX; s++)
            draw_lane(picture, part, s, lane++);
    }
}

static void draw(FILE *file, const struct fit_experiment *experiment)
{
    struct picture picture = {.file = file, .experiment = experiment};
    const uint32_t lanes = lane_count(experiment), half = GAP + lanes * LANE;
    char length[FIT_WORD_BYTES];
    double ends[2];

    if (lanes == 0)
        return;
    measure(&picture, &ends[0]);
    picture.emulated = true;
    measure(&picture, &ends[1]);
    picture.length_ns = ends[0] > ends[1] ? ends[0] : ends[1];
    markup_print(
        file,
        "<svg viewBox=\"0 0 %d %u\" role=\"img\"><title>%s: real above, emulated below</title>\n",
        LEFT + WIDTH + 2, 2 * half + GAP, experiment->name);
    for (uint32_t i = 0; i < 2; i++) {
        picture.emulated = i == 1;
        picture.top = i * half + GAP;
        draw_half(&picture);
    }
    markup_print(file, "<line x1=\"%d\" y1=\"%u\" x2=\"%d\" y2=\"%u\"></line>", LEFT, 2 * half + 4,
                 LEFT + WIDTH, 2 * half + 4);
    markup_print(
        file,
        "<text x=\"%d\" y=\"%u\">0</text><text x=\"%d\" y=\"%u\" text-anchor=\"end\">%s</text></svg>\n",
        LEFT, 2 * half + 18, LEFT + WIDTH, 2 * half + 18,
        fit_value_text(length, FIT_TIME, picture.length_ns));
}

/* ---- tables ---------------------------------------------------------------------------------- */

static void family_row(FILE *file, const struct fit_family *family)
{
    char error[FIT_WORD_BYTES], near[FIT_WORD_BYTES], blocks[FIT_WORD_BYTES], pairs[FIT_WORD_BYTES];

    markup_print(file,
                 "<tr><td>%s</td><td>%u</td><td>%u</td><td>%s</td><td>%s</td><td>%s</td><td>%s</td>"
                 "</tr>\n",
                 family->name ? family->name : "all", family->experiment_count, family->value_count,
                 fit_error_text(error, family->median_error),
                 fit_share_text(near, family->near_count, family->value_count),
                 fit_share_text(blocks, family->blocks_on_sm, family->block_count),
                 fit_share_text(pairs, family->pairs_in_order, family->pair_count));
}

static void figure_row(FILE *file, const struct fit_figure *figure)
{
    char real[FIT_WORD_BYTES], emulated[FIT_WORD_BYTES], error[FIT_WORD_BYTES];

    if (!fit_figure_is_value(figure)) {
        markup_print(file, "<tr><td>%s</td><td></td><td>%s</td><td></td></tr>\n", figure->name,
                     fit_share_text(real, figure->emulated, figure->real));
        return;
    }
    fputs(fit_figure_error(figure) > FIT_NEAR ? "<tr class=\"far\">" : "<tr>", file);
    markup_print(file, "<td>%s</td><td>%s</td><td>%s</td><td>%s</td></tr>\n", figure->name,
                 fit_value_text(real, figure->kind, figure->real),
                 fit_value_text(emulated, figure->kind, figure->emulated),
                 fit_error_text(error, fit_figure_error(figure)));
}

static void experiment_part(FILE *file, const struct fit_experiment *experiment,
                            const struct fit_figures *figures)
{
    char settings[FIT_SETTINGS_BYTES];

    markup_print(file, "<h2>%s, %s%s%s%s</h2>\n<p class=\"note\">%s, line %u</p>\n",
                 experiment->family, experiment->name, experiment->detail ? ": " : "",
                 experiment->detail ? experiment->detail : "",
                 fit_settings_text(settings, experiment), experiment->path, experiment->line);
    draw(file, experiment);
    markup_print(
        file,
        "<table><thead><tr><th>figure</th><th>real</th><th>emulated</th><th>error</th></tr></thead>"
        "<tbody>\n");
    for (uint32_t i = 0; i < figures->count; i++)
        figure_row(file, &figures->list[i]);
    fputs("</tbody></table>\n", file);
    if (experiment->waits_left_out > 0)
        markup_print(file,
                     "<p class=\"note\">Left out: processes that wait for a value (%u).</p>\n",
                     experiment->waits_left_out);
}

void fit_comparison_html(const struct fit_comparison *comparison, const char *gpu, FILE *file)
{
    const struct fit_measured *measured = &comparison->measured;
    const char *real = measured->gpu ? measured->gpu : "a GPU without a name";

    markup_print(
        file,
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
        "style-src 'unsafe-inline'\"><meta name=\"viewport\" content=\"width=device-width\"><title>"
        "Measured and emulated</title><style>");
    fputs(style, file);
    markup_print(file, "</style></head><body>\n<h1>%s beside gfe's %s</h1>\n", real, gpu);
    markup_print(
        file,
        "<table><thead><tr><th>family</th><th>experiments</th><th>figures</th><th>median error</th>"
        "<th>within 10 %%</th><th>first blocks on the measured SM</th><th>starts in the measured order</th>"
        "</tr></thead><tbody>\n");
    for (uint32_t i = 0; i < comparison->family_count; i++)
        family_row(file, &comparison->families[i]);
    if (comparison->family_count > 1)
        family_row(file, &comparison->all);
    fputs("</tbody></table>\n", file);
    for (uint32_t i = 0; i < measured->experiment_count; i++)
        if (measured->experiments[i].part_count > 0)
            experiment_part(file, &measured->experiments[i], &comparison->figures[i]);
    if (measured->strangers > 0)
        markup_print(file, "<p class=\"note\">Not read: lines of other forms (%u: %s).</p>\n",
                     measured->strangers, measured->strangers_of);
    fputs("</body></html>\n", file);
}
