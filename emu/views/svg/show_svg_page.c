/* SPDX-License-Identifier: MIT */
/* What all SVG pictures have: style, title, time axis with its cuts, and the rules that made wait.
 */
#include <config.h>

#include "emu/views/svg/show_svg_page.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/markup.h"
#include "emu/views/show_lists.h"
#include "emu/base/text.h"

enum {
    TICK_WIDTH_MIN = 90,
    RULES_LISTED_MAX = 8,
    RULE_LETTERS = 11, /* of a label that fits left of the axis as it is */
};

/* ---- style ----------------------------------------------------------------------------------- */

/* As in the style. */
const char *const svg_colours[SVG_COLOURS] = {"#e69f00", "#56b4e9", "#009e73", "#f0e442",
                                              "#0072b2", "#d55e00", "#cc79a7"};

/* Colours of grids: Okabe and Ito's palette without black, see jfly.uni-koeln.de/color. */
/* clang-format off */
static const char style[] =
    "<style>\n"
    "text{font-family:Helvetica,Arial,\"DejaVu Sans\",sans-serif;font-size:11px;fill:#222}\n"
    ".title{font-size:15px;font-weight:bold}.sub{fill:#555}\n"
    ".name{text-anchor:end}.axis{text-anchor:middle}.in{font-size:10px;text-anchor:middle;"
    "fill:#000}.low{font-size:8.5px}.tk4,.tsubmit{fill:#fff}"
    ".twait,.tcpuwait,.tloaded{fill:#222}\n"
    ".page{fill:#fff}.lane{fill:#f4f5f7}.line{stroke:#999;fill:none}"
    ".grid{stroke:#dde0e4}.cutband{fill:#fff}.zigzag{stroke:#888;fill:none}"
    ".cut{font-size:10px;fill:#555;text-anchor:middle}\n"
    ".k0{fill:#e69f00}.k1{fill:#56b4e9}.k2{fill:#009e73}.k3{fill:#f0e442}.k4{fill:#0072b2}"
    ".k5{fill:#d55e00}.k6{fill:#cc79a7}.copy{fill:#8f8f8f}.draw{fill:#b9a44c}"
    ".merged{fill:#777}\n"
    "rect[class^=k],.copy,.draw{stroke:#222;stroke-width:.5}.m{stroke:none}\n"
    ".submit{fill:#555b66}.cpuwait{fill:#d5d9e0}.queued{fill:#d5d9e0;stroke:#8a909b;"
    "stroke-width:.5;stroke-dasharray:2 2}.loaded{fill:#dfe6f2}.loading{fill:#b3c0da}.segment{fill:#6f87b8}"
    ".wait{fill:url(#hatch);stroke:#8a909b;stroke-width:.5}.hatch{stroke:#a9aeb8}\n"
    ".doorbell,.write,.acquire,.release{fill:#222}.write{fill:#0072b2}"
    ".release{fill:#009e73}.interrupt{fill:#d55e00}.error{stroke:#d00;stroke-width:2;fill:none}\n"
    "@media (prefers-color-scheme:dark){text{fill:#e4e6ea}.sub,.cut{fill:#a3a9b5}"
    ".in,.tsubmit{fill:#000}.tk4{fill:#fff}.twait,.tcpuwait,.tloaded{fill:#e4e6ea}"
    ".page,.cutband{fill:#14161a}"
    ".lane{fill:#1e2127}.line{stroke:#777}.grid{stroke:#30343c}"
    ".submit{fill:#9aa2b1}.cpuwait,.queued{fill:#3a3f4a}.loaded{fill:#27324a}.loading{fill:#3d4d70}"
    ".doorbell,.acquire{fill:#e4e6ea}.hatch{stroke:#5c626e}.merged{fill:#9a9a9a}}\n"
    "</style>\n"
    "<defs><pattern id=\"hatch\" width=\"5\" height=\"5\" patternUnits=\"userSpaceOnUse\">"
    "<path class=\"hatch\" d=\"M-1 1l2-2M0 5l5-5M4 6l2-2\"/></pattern></defs>\n";
/* What only AMD's GPUs have. */
static const char amd_style[] =
    "<style>\n"
    ".inring{fill:#e4e1d3}.packet{fill:#b9b2c9;stroke:#222;stroke-width:.5}"
    ".dispatching{fill:#222;fill-opacity:.55}.leaving{fill:#666;fill-opacity:.8}"
    ".saving{fill:#d00}.restoring{fill:#070}\n"
    "@media (prefers-color-scheme:dark){.inring{fill:#3a382c}.dispatching{fill:#000}}\n"
    "</style>\n";
/* clang-format on */

static void name_put(struct svg_page *page)
{
    char words[SHOW_LISTS_WORDS];

    if (!page->title)
        show_lists_name(page->show, words, sizeof words);
    markup_text(page->file, page->title ? page->title : words);
}

static void title_put(struct svg_page *page)
{
    char counts[SHOW_LISTS_WORDS], window[SHOW_LISTS_WORDS];

    fputs("<text class=\"title\" x=\"12\" y=\"22\">", page->file);
    name_put(page);
    show_lists_counts(page->show, counts, sizeof counts);
    show_lists_window(page->show, window, sizeof window);
    const bool is_long =
        (strlen(counts) + 2 + strlen(window)) * SVG_LETTER_WIDTH + 24 > page->width;
    markup_print(page->file, "</text>\n<text class=\"sub%s\" x=\"12\" y=\"38\">%s; %s</text>\n",
                 is_long ? " low" : "", counts, window);
}

/* What a reader that speaks tells of the picture. */
static void about_put(struct svg_page *page, const char *about)
{
    char words[SHOW_LISTS_WORDS];

    fputs("<title id=\"title\">", page->file);
    name_put(page);
    fputs("</title>\n<desc id=\"about\">", page->file);
    markup_text(page->file, about);
    fputs(": ", page->file);
    show_lists_counts(page->show, words, sizeof words);
    markup_print(page->file, "%s; ", words);
    show_lists_window(page->show, words, sizeof words);
    markup_print(page->file, "%s</desc>\n", words);
}

void svg_open(struct svg_page *page, const char *about)
{
    markup_print(page->file,
                 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRIu32 "\" height=\"%" PRIu32
                 "\" viewBox=\"0 0 %" PRIu32 " %" PRIu32
                 "\" role=\"graphics-document document\" aria-labelledby=\"title about\">\n",
                 page->width, page->height, page->width, page->height);
    about_put(page, about);
    fputs(style, page->file);
    if (page->show->words.is_amd)
        fputs(amd_style, page->file);
    markup_print(page->file,
                 "<rect class=\"page\" width=\"%" PRIu32 "\" height=\"%" PRIu32 "\"/>\n",
                 page->width, page->height);
    title_put(page);
}

bool svg_body_begin(struct svg_page *page)
{
    FILE *body = text_stream_open(&page->body);

    if (!body)
        return false;
    page->behind = page->file;
    page->file = body;
    return true;
}

bool svg_body_end(struct svg_page *page, const char *about)
{
    char *body = text_stream_close(&page->body, page->file);

    page->file = page->behind;
    page->behind = NULL;
    if (body) {
        svg_open(page, about);
        fputs(body, page->file);
        fputs("</svg>\n", page->file);
    }
    free(body);
    return body != NULL;
}

/* ---- axis and cuts --------------------------------------------------------------------------- */

static void span_axis(struct svg_page *page, const struct show_span *span, gfe_ps step_ps,
                      const uint32_t edges[2], uint32_t *free_x)
{
    struct show_tick tick = {.time_ps = GFE_PS_NEVER};

    while (show_scale_tick(span, step_ps, &tick)) {
        const uint32_t x = svg_x(page, tick.time_ps);
        const uint32_t wide = (uint32_t)strlen(tick.text) * 13 * SVG_X / 2;
        const uint32_t left = x > *free_x + wide / 2 ? x - wide / 2 : x;
        markup_print(page->file,
                     "<path class=\"grid\" d=\"M" SVG_PX " %" PRIu32 "V%" PRIu32 "\"/>"
                     "<path class=\"line\" d=\"M" SVG_PX " %" PRIu32 "v4\"/>",
                     SVG_PX_OF(x), edges[0], edges[1], SVG_PX_OF(x), edges[1]);
        if (left < *free_x || left + wide > page->width * SVG_X)
            continue;
        fputs(left == x ? "<text" : "<text class=\"axis\"", page->file);
        markup_print(page->file, " x=\"" SVG_PX "\" y=\"%" PRIu32 "\">%s</text>\n", SVG_PX_OF(x),
                     edges[1] + 16, tick.text);
        *free_x = left + wide + 8 * SVG_X;
    }
    markup_print(page->file, "<path class=\"line\" d=\"M" SVG_PX " %" PRIu32 "H" SVG_PX "\"/>\n",
                 SVG_PX_OF(svg_x(page, span->from_ps)), edges[1],
                 SVG_PX_OF(svg_x(page, span->to_ps)));
}

void svg_axis(struct svg_page *page, uint32_t top, uint32_t bottom)
{
    const gfe_ps step_ps = show_scale_step(&page->scale, TICK_WIDTH_MIN * SVG_X);
    uint32_t free_x = 0;

    for (uint32_t i = 0; i < page->scale.span_count; i++)
        if (!page->scale.spans[i].is_cut)
            span_axis(page, &page->scale.spans[i], step_ps, (const uint32_t[]){top, bottom},
                      &free_x);
}

/* A torn edge down the page. */
static void zigzag_put(struct svg_page *page, uint32_t x, uint32_t top, uint32_t bottom)
{
    markup_print(page->file, "M" SVG_PX " %" PRIu32, SVG_PX_OF(x), top);
    for (uint32_t y = top; y + 8 <= bottom; y += 8)
        fputs("l3 4l-3 4", page->file);
}

static void cut_draw(struct svg_page *page, const struct show_span *span, const uint32_t edges[2],
                     uint32_t *free_x)
{
    const uint32_t top = edges[0], bottom = edges[1];
    const uint32_t from = SVG_LEFT * SVG_X + span->from_x, to = SVG_LEFT * SVG_X + span->to_x;
    char text[48];

    markup_print(page->file,
                 "<rect class=\"cutband\" x=\"" SVG_PX "\" y=\"%" PRIu32 "\" width=\"" SVG_PX
                 "\" height=\"%" PRIu32 "\"><title>nothing runs on the GPU for %s</title></rect>",
                 SVG_PX_OF(from), top, SVG_PX_OF(to - from), bottom - top + 5,
                 text_time(text, sizeof text, span->to_ps - span->from_ps));
    if (to - from < 6 * SVG_X)
        return;
    fputs("<path class=\"zigzag\" d=\"", page->file);
    zigzag_put(page, from, top, bottom + 4);
    zigzag_put(page, to - 3 * SVG_X, top, bottom + 4);
    fputs("\"/>", page->file);
    const uint32_t wide = (uint32_t)strlen(text) * SVG_LETTER_WIDTH * SVG_X;
    const uint32_t left = (from + to) / 2 - wide / 2;
    if (left >= *free_x) {
        markup_print(page->file, "<text class=\"cut\" x=\"" SVG_PX "\" y=\"%" PRIu32 "\">%s</text>",
                     SVG_PX_OF((from + to) / 2), top - 4, text);
        *free_x = left + wide;
    }
    fputc('\n', page->file);
}

void svg_cuts(struct svg_page *page, uint32_t top, uint32_t bottom)
{
    uint32_t free_x = 0;

    for (uint32_t i = 0; i < page->scale.span_count; i++)
        if (page->scale.spans[i].is_cut)
            cut_draw(page, &page->scale.spans[i], (const uint32_t[]){top, bottom}, &free_x);
}

/* ---- words ----------------------------------------------------------------------------------- */

uint32_t svg_words(const struct svg_page *page, uint32_t y, const char *words, bool draw)
{
    const size_t room = (page->width - SVG_LEFT - SVG_RIGHT) / SVG_LETTER_WIDTH;

    while (*words) {
        size_t bytes = strlen(words);
        if (bytes > room) {
            for (bytes = room; bytes > 0 && words[bytes] != ' ';)
                bytes--;
            if (bytes == 0)
                bytes = strcspn(words, " ");
        }
        if (draw)
            markup_print(page->file, "<text class=\"sub\" x=\"%d\" y=\"%" PRIu32 "\">%.*s</text>\n",
                         SVG_LEFT, y, (int)bytes, words);
        words += bytes;
        words += strspn(words, " ");
        y += SVG_LINE_HEIGHT;
    }
    return y;
}

/* A block, of any SM; NULL: there is none. */
static const struct show_item *any_block(const struct show *show)
{
    for (uint32_t t = 0; t < show->track_count; t++)
        if (show->tracks[t].kind == SHOW_SM && show->tracks[t].item_count > 0)
            return &show->tracks[t].items[0];
    return NULL;
}

void svg_block_words(const struct svg_page *page, char to[SVG_BLOCK_WORDS])
{
    const struct show_item *block = any_block(page->show);
    char kernel[SHOW_NAME_BYTES];
    size_t used;

    *to = '\0';
    if (page->named_blocks > 0) {
        (void)snprintf(to, SVG_BLOCK_WORDS, "Kn:b is block b of kernel Kn. It is");
    } else if (block) {
        show_operation_name(page->show, &page->show->operations[block->operation], kernel,
                            sizeof kernel);
        (void)snprintf(to, SVG_BLOCK_WORDS,
                       "No block here is large enough for its name: in its tooltip and for gfe "
                       "explain block %" PRIu32 " of %.60s is %.60s:%" PRIu32 ". Each is",
                       block->number, kernel, kernel, block->number);
    } else {
        (void)snprintf(to, SVG_BLOCK_WORDS, "A block is");
    }
    used = strlen(to);
    (void)snprintf(to + used, SVG_BLOCK_WORDS - used,
                   " as high as its threads; %s's row is %" PRIu32 " threads high.",
                   page->show->words.is_amd ? "a CU" : "an SM", page->threads_top);
}

/* ---- rules ----------------------------------------------------------------------------------- */

static uint32_t rules_listed(uint32_t count)
{
    return count < RULES_LISTED_MAX ? count : RULES_LISTED_MAX;
}

uint32_t svg_rules_height(const struct svg_page *page)
{
    struct show_lists_rule rules[SHOW_LISTS_RULES_MAX];

    return rules_listed(show_lists_rules(page->show, rules)) * SVG_LINE_HEIGHT;
}

/* As many words as fit the picture's width, and whether they are all. */
static bool words_fit(const struct svg_page *page, char *words)
{
    size_t end = (page->width - SVG_LEFT - SVG_RIGHT) / SVG_LETTER_WIDTH;

    if (strlen(words) <= end)
        return true;
    while (end > 0 && words[end] != ' ')
        end--;
    words[end] = '\0';
    return false;
}

void svg_rules(struct svg_page *page, uint32_t y)
{
    struct show_lists_rule rules[SHOW_LISTS_RULES_MAX];
    const uint32_t count = rules_listed(show_lists_rules(page->show, rules));

    for (uint32_t i = 0; i < count; i++) {
        const struct event_log_rule *rule =
            rules[i].rule == RULE_NONE ? NULL : event_log_rule(page->show->log, rules[i].rule);
        char total[48], words[400];
        (void)snprintf(words, sizeof words, "%" PRIu32 " wait%s, %s: %s", rules[i].count,
                       rules[i].count == 1 ? "" : "s",
                       text_time(total, sizeof total, rules[i].total_ps),
                       rule ? rule->text : "no rule is named");
        const bool all = words_fit(page, words);
        const bool is_long = rule && strlen(rule->label) > RULE_LETTERS;
        markup_print(page->file, "<text class=\"name%s\" x=\"%d\" y=\"%" PRIu32 "\">",
                     is_long ? " low" : "", SVG_LEFT - 8, y);
        markup_text(page->file, rule ? rule->label : "-");
        markup_print(page->file, "</text><text x=\"%d\" y=\"%" PRIu32 "\">", SVG_LEFT, y);
        markup_text(page->file, words);
        markup_print(page->file, "%s</text>\n", all ? "" : " ...");
        y += SVG_LINE_HEIGHT;
    }
}
