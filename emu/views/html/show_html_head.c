/* SPDX-License-Identifier: MIT */
/* The head of a page's data: what everything is called. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "emu/views/html/show_html_private.h"
#include "emu/views/show_lists.h"
#include "emu/views/show_stack.h"
#include "emu/views/show_scale.h"

enum { SCALE_WIDTH = 1 << 20, CUT_WIDTH = SCALE_WIDTH / 24 };

static void text_put(struct html_bytes *to, const char *key, const char *text)
{
    html_print(to, ",\"%s\":", key);
    html_json(to, text);
}

/* ---- rules ----------------------------------------------------------------------------------- */

/* All that the log knows: labels by number, for the waits, and what they say. */
static void rules_put(const struct html *html, struct html_bytes *to)
{
    const char *before = "";

    html_print(to, ",\"rules\":{");
    for (uint32_t i = 0; i < TABLE_END; i++) {
        const struct event_log_rule *rule =
            i == RULE_NONE ? NULL : event_log_rule(html->show->log, i);

        if (!rule || !rule->label)
            continue;
        html_print(to, "%s\"%" PRIu32 "\":[", before, i);
        before = ",";
        html_json(to, rule->label);
        html_byte(to, ',');
        html_json(to, rule->text);
        html_byte(to, ',');
        html_json(to, rule->basis_words);
        html_byte(to, ',');
        html_json(to, rule->enforcer);
        html_byte(to, ']');
    }
    html_byte(to, '}');
}

/* ---- tracks ---------------------------------------------------------------------------------- */

static const char *stream_name(const struct html *html, uint32_t stream,
                               char to[STORY_NAME_BYTES + PROGRAM_STREAM_BYTES + 2])
{
    const struct story *story = &html->story;
    char name[STORY_NAME_BYTES], own[PROGRAM_STREAM_BYTES];
    const struct program *program = &story->program;
    bool has_name = program_stream_name(program, story->streams[stream].stream_id, own);

    (void)snprintf(to, STORY_NAME_BYTES + PROGRAM_STREAM_BYTES + 2, "%s%s%s",
                   story_stream_name(story, stream, name), has_name ? " " : "",
                   has_name ? own : "");
    return to;
}

static void track_put(const struct html *html, struct html_bytes *to,
                      const struct show_track *track, const char *name)
{
    uint32_t engine, index;

    html_print(to,
               "{\"kind\":%d,\"id\":%" PRIu32 ",\"items\":%" PRIu32 ",\"top\":%" PRIu32
               ",\"lanes\":%" PRIu32 ",\"waits\":%" PRIu32,
               (int)track->kind, track->id, track->item_count, track->top, track->lane_count,
               track->wait_lane_count);
    if (track->kind == SHOW_SM && gpu_words_engine(&html->show->words, track->id, &engine, &index))
        html_print(to, ",\"se\":%" PRIu32, engine);
    text_put(to, "name", name);
    html_byte(to, '}');
}

static void tracks_put(const struct html *html, struct html_bytes *to)
{
    char name[STORY_NAME_BYTES + PROGRAM_STREAM_BYTES + 2];

    html_print(to, ",\"tracks\":[");
    for (uint32_t t = 0; t < html->show->track_count; t++) {
        html_print(to, "%s", t ? ",\n" : "");
        track_put(html, to, &html->show->tracks[t], html->show->tracks[t].name);
    }
    for (uint32_t t = 0; t < html->stream_count; t++) {
        html_print(to, "%s", t || html->show->track_count ? ",\n" : "");
        track_put(html, to, &html->streams[t], stream_name(html, t, name));
    }
    html_byte(to, ']');
}

/* ---- blocks in pieces ------------------------------------------------------------------------ */

/* Adds the track's blocks to "pieces", which maps an item to threads and bottom of each of its
 * pieces, in one list.  Returns the number of the next track's first item. */
static uint32_t track_pieces_put(struct html_bytes *to, const struct show_track *track,
                                 uint32_t first, struct show_stack *stack, bool *any)
{
    for (uint32_t i = 0; track->kind == SHOW_SM && i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];

        if (item->kind != SHOW_BLOCK)
            continue;
        to->failed |=
            !show_stack_put_at(stack, item->begin_ps, item->end_ps, item->height, item->bottom);
        if (!item->in_pieces || to->failed)
            continue;
        html_print(to, "%s\"%" PRIu32 "\":[", *any ? "," : "", first + i);
        for (uint32_t p = 0; p < stack->piece_count; p++)
            html_print(to, "%s%" PRIu32 ",%" PRIu32, p ? "," : "", stack->pieces[p].height,
                       stack->pieces[p].bottom);
        html_byte(to, ']');
        *any = true;
    }
    return first + track->item_count;
}

static void pieces_put(const struct html *html, struct html_bytes *to)
{
    struct show_stack stack;
    uint32_t first = 0;
    bool any = false;

    show_stack_init(&stack, html->show->ceiling, html->show->wave_threads);
    html_print(to, ",\"pieces\":{");
    for (uint32_t t = 0; t < html->show->track_count; t++) {
        show_stack_clear(&stack);
        first = track_pieces_put(to, &html->show->tracks[t], first, &stack, &any);
    }
    html_byte(to, '}');
    show_stack_fini(&stack);
}

/* ---- time ------------------------------------------------------------------------------------ */

/* Stretches of the window; of each whether it is idle and may be left out. */
static bool spans_put(const struct html *html, struct html_bytes *to)
{
    struct show_scale scale;

    if (!show_scale_init(&scale, html->show, SCALE_WIDTH, CUT_WIDTH, true, html->error))
        return false;
    html_print(to, ",\"spans\":[");
    for (uint32_t i = 0; i < scale.span_count; i++)
        html_print(to, "%s[%" PRIu64 ",%" PRIu64 ",%d]", i ? "," : "", scale.spans[i].from_ps,
                   scale.spans[i].to_ps, scale.spans[i].is_cut);
    html_byte(to, ']');
    show_scale_fini(&scale);
    return true;
}

static void names_put(const struct html *html, struct html_bytes *to)
{
    char name[STORY_NAME_BYTES];

    html_print(to, ",\n\"names\":[");
    for (uint32_t i = 0; i < html->operation_count; i++) {
        if (i > 0)
            html_byte(to, ',');
        html_json(to, html_name(html, i, name));
    }
    html_byte(to, ']');
}

bool html_head_write(struct html *html, struct html_bytes *to)
{
    const struct show *show = html->show;
    const char *gpu = event_log_run(show->log, "gpu"), *path = event_log_name(show->log);
    const char *slash = strrchr(path, '/');
    char words[SHOW_LISTS_WORDS];

    html_print(to,
               "{\"format\":1,\"from\":%" PRIu64 ",\"to\":%" PRIu64 ",\"end\":%" PRIu64
               ",\"amd\":%d,\"story\":%d,\"threads\":%" PRIu32,
               show->from_ps, show->to_ps, show->end_ps, show->words.is_amd, html->is_story,
               html->options->threads_per_sm);
    text_put(to, "untold", html->untold.kind == ERROR_NONE ? NULL : html->untold.text);
    text_put(to, "log", slash && slash[1] ? slash + 1 : path);
    text_put(to, "gpu", gpu);
    text_put(to, "version", PACKAGE_VERSION);
    text_put(to, "sm", show->words.sm);
    text_put(to, "sms", show->words.sms);
    text_put(to, "grids", show->words.grids);
    text_put(to, "channels", show->words.channels);
    show_lists_counts(show, words, sizeof words);
    text_put(to, "counts", words);
    show_lists_window(show, words, sizeof words);
    text_put(to, "window", words);
    rules_put(html, to);
    tracks_put(html, to);
    pieces_put(html, to);
    names_put(html, to);
    if (!spans_put(html, to))
        return false;
    html_byte(to, '}');
    return !to->failed || error_set_errno(html->error, ENOMEM, "%s", path);
}
