/* SPDX-License-Identifier: MIT */
/*
 * Whose kernels and copies they are, and in which colour: seven colours, then the same with stripes
 * or dots, so that 28 streams differ also for who sees no colours well.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/id_map.h"
#include "emu/base/markup.h"
#include "emu/views/svg/show_svg_sms.h"

enum { PATTERNS = SVG_OWNER_STYLES / SVG_COLOURS, LEGEND_MAX = 96, TASKS_NAMED_MAX = 2 };

/* Channels come behind streams, whose key is their place in the log's list. */
#define KEY_CHANNEL (UINT64_C(1) << 32)

/* ---- finding them ---------------------------------------------------------------------------- */

/* What the operation is of; KEY_CHANNEL and the number in logs that know of no stream. */
static uint64_t key_of(const struct show *show, const struct show_operation *operation)
{
    const struct streams_operation *made = streams_of_hardware(
        &show->streams, operation->kind == SHOW_GRID ? STREAMS_GRID : STREAMS_COPY, operation->id);
    const uint32_t index = made ? streams_index(&show->streams, made->stream_id) : ID_MAP_NONE;

    return index == ID_MAP_NONE ? KEY_CHANNEL | operation->channel_id : index;
}

/* Notes the key; false: no memory. */
static bool key_add(struct svg_sms *sms, struct id_map *map, uint64_t key)
{
    if (id_map_find(map, key) != ID_MAP_NONE)
        return true;
    sms->owners[sms->owner_count].key = key;
    return id_map_add(map, key, sms->owner_count++);
}

static bool keys_find(struct svg_sms *sms, struct id_map *map)
{
    const struct show *show = &sms->view;
    bool good = true;

    for (uint32_t i = 0; i < show->operation_count && good; i++)
        if (show->operations[i].kind != SHOW_WORK)
            good = key_add(sms, map, key_of(show, &show->operations[i]));
    for (uint32_t i = 0; i < show->streams.operation_count && good; i++) {
        const struct streams_operation *made = &show->streams.operations[i];
        const struct program_call *call = program_call(&show->streams.program, made->call);
        const uint32_t index = streams_index(&show->streams, made->stream_id);
        if (call && call->kind == PROGRAM_KERNEL && index != ID_MAP_NONE)
            good = key_add(sms, map, index);
    }
    return good;
}

static int key_order(const void *left, const void *right)
{
    const struct sms_owner *a = left, *b = right;

    return a->key < b->key ? -1 : a->key > b->key;
}

static uint32_t owner_by_key(const struct svg_sms *sms, uint64_t key)
{
    const struct sms_owner wanted = {.key = key};
    const struct sms_owner *found =
        sms->owner_count > 0
            ? bsearch(&wanted, sms->owners, sms->owner_count, sizeof wanted, key_order)
            : NULL;

    return found ? (uint32_t)(found - sms->owners) : SHOW_NONE;
}

uint32_t sms_owner_of_stream(const struct svg_sms *sms, uint64_t stream_id)
{
    const uint32_t index = streams_index(&sms->view.streams, stream_id);

    return index == ID_MAP_NONE ? SHOW_NONE : owner_by_key(sms, index);
}

/* ---- what they are called -------------------------------------------------------------------- */

static void append(char *to, const char *text)
{
    const size_t used = strlen(to);

    (void)snprintf(to + used, SMS_OWNER_WORDS - used, "%s", text);
}

/* " of S1, S2 ...": whose calls go there. */
static void tasks_append(const struct program *program, uint64_t stream_id, char *to)
{
    uint32_t last = PROGRAM_NONE, count = 0;

    for (uint32_t i = 0; i < program->call_count; i++) {
        const struct program_call *call = &program->calls[i];
        if (call->stream != stream_id || call->task == PROGRAM_NONE || call->task == last)
            continue;
        last = call->task;
        if (count++ == TASKS_NAMED_MAX) {
            append(to, " ...");
            return;
        }
        append(to, count == 1 ? " of " : ", ");
        append(to, program->tasks[call->task].label);
    }
}

static void words_make(const struct show *show, struct sms_owner *owner)
{
    const struct streams *streams = &show->streams;
    char words[SMS_OWNER_WORDS], name[PROGRAM_STREAM_BYTES];

    if (owner->key >= KEY_CHANNEL) {
        (void)snprintf(owner->words, sizeof owner->words, "%s %" PRIu64, show->words.channel,
                       owner->key - KEY_CHANNEL);
        return;
    }
    const struct streams_stream *stream = &streams->list[owner->key];
    (void)snprintf(owner->words, sizeof owner->words, "%s %" PRIu64, streams_word(stream->kind),
                   stream->id);
    if (program_stream_name(&streams->program, stream->id, name)) {
        append(owner->words, " ");
        append(owner->words, name);
    }
    tasks_append(&streams->program, stream->id, owner->words);
    (void)snprintf(words, sizeof words, ", priority %" PRIu64, stream->priority);
    append(owner->words, words);
    for (uint32_t i = 0; i < streams->stream_count; i++)
        if (streams->list[i].process != stream->process) {
            (void)snprintf(words, sizeof words, ", process %" PRIu64, stream->process);
            append(owner->words, words);
            return;
        }
}

bool sms_owners_init(struct svg_sms *sms, struct gfe_error *error)
{
    const struct show *show = &sms->view;
    struct id_map map = {0};
    bool good;

    sms->owners =
        calloc((size_t)show->operation_count + show->streams.stream_count + 1, sizeof *sms->owners);
    sms->owner_of = calloc((size_t)show->operation_count + 1, sizeof *sms->owner_of);
    good = sms->owners && sms->owner_of && keys_find(sms, &map);
    id_map_fini(&map);
    if (!good)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    qsort(sms->owners, sms->owner_count, sizeof *sms->owners, key_order);
    for (uint32_t i = 0; i < sms->owner_count; i++)
        words_make(show, &sms->owners[i]);
    for (uint32_t i = 0; i < show->operation_count; i++)
        sms->owner_of[i] = show->operations[i].kind == SHOW_WORK
                               ? SHOW_NONE
                               : owner_by_key(sms, key_of(show, &show->operations[i]));
    return true;
}

/* ---- colours --------------------------------------------------------------------------------- */

void sms_class(char *to, size_t bytes, uint32_t owner)
{
    (void)snprintf(to, bytes, "o%" PRIu32, owner % SVG_OWNER_STYLES);
}

/* What lies over the colour. */
static const char *const patterns[PATTERNS] = {
    "",
    "<path d=\"M-1 1l2-2M0 6l6-6M5 7l2-2\" stroke=\"#fff\" stroke-width=\"1.4\"/>",
    "<circle cx=\"3\" cy=\"3\" r=\"1.3\" fill=\"#fff\"/>",
    "<path d=\"M0 3h6\" stroke=\"#222\" stroke-width=\"1\"/>",
};

void sms_owners_style(struct svg_sms *sms)
{
    FILE *file = sms->page.file;
    bool used[SVG_OWNER_STYLES] = {false};

    for (uint32_t i = 0; i < sms->owner_count; i++)
        used[i % SVG_OWNER_STYLES] |= sms->owners[i].used;
    fputs("<defs>", file);
    for (uint32_t i = SVG_COLOURS; i < SVG_OWNER_STYLES; i++)
        if (used[i]) {
            markup_print(file,
                         "<pattern id=\"p%" PRIu32
                         "\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
                         "<rect width=\"6\" height=\"6\" fill=\"%s\"/>",
                         i, svg_colours[i % SVG_COLOURS]);
            fputs(patterns[i / SVG_COLOURS], file);
            fputs("</pattern>", file);
        }
    fputs("</defs>\n<style>\nrect[class^=o]{stroke:#222;stroke-width:.5}rect.m{stroke:none}"
          ".threads{font-size:8.5px;text-anchor:end;fill:#666}.launch{stroke-width:1.4}\n"
          "@media (prefers-color-scheme:dark){.threads{fill:#a3a9b5}}\n",
          file);
    for (uint32_t i = 0; i < SVG_OWNER_STYLES; i++) {
        const char *colour = svg_colours[i % SVG_COLOURS];
        if (!used[i])
            continue;
        if (i < SVG_COLOURS)
            markup_print(file, ".o%" PRIu32 "{fill:%s}", i, colour);
        else
            markup_print(file, ".o%" PRIu32 "{fill:url(#p%" PRIu32 ")}", i, i);
        markup_print(file, ".a%" PRIu32 "{fill:%s;stroke:%s}", i, colour, colour);
        markup_print(file, ".to%" PRIu32 "{fill:%s", i, i % SVG_COLOURS == 4 ? "#fff" : "#000");
        if (i >= SVG_COLOURS) /* legible on a pattern */
            markup_print(file, ";stroke:%s;stroke-width:3px;paint-order:stroke", colour);
        fputs("}\n", file);
    }
    fputs(".amixed{fill:#777;stroke:#777}\n</style>\n", file);
}

/* ---- legend ---------------------------------------------------------------------------------- */

static uint32_t entry_width(const struct svg_sms *sms)
{
    size_t letters = 1;

    for (uint32_t i = 0; i < sms->owner_count; i++)
        if (sms->owners[i].used && strlen(sms->owners[i].words) > letters)
            letters = strlen(sms->owners[i].words);
    return 34 + (uint32_t)letters * SVG_LETTER_WIDTH;
}

static void entry_put(struct svg_sms *sms, uint32_t owner, uint32_t x, uint32_t y)
{
    char class[16];

    sms_class(class, sizeof class, owner);
    markup_print(sms->page.file,
                 "<rect class=\"%s\" x=\"%" PRIu32 "\" y=\"%" PRIu32
                 "\" width=\"14\" height=\"10\"/><text x=\"%" PRIu32 "\" y=\"%" PRIu32 "\">",
                 class, x, y - 9, x + 19, y);
    markup_text(sms->page.file, sms->owners[owner].words);
    fputs("</text>\n", sms->page.file);
}

uint32_t sms_legend(struct svg_sms *sms, uint32_t y, bool draw)
{
    const uint32_t wide = entry_width(sms), room = sms->page.width - SVG_LEFT - SVG_RIGHT;
    const uint32_t columns = room / wide > 1 ? room / wide : 1;
    uint32_t count = 0, listed = 0;

    for (uint32_t i = 0; i < sms->owner_count; i++) {
        if (!sms->owners[i].used || count++ >= LEGEND_MAX)
            continue;
        if (draw)
            entry_put(sms, i, SVG_LEFT + listed % columns * wide,
                      y + listed / columns * SVG_LINE_HEIGHT);
        listed++;
    }
    y += (listed + columns - 1) / columns * SVG_LINE_HEIGHT;
    if (count == listed)
        return y;
    if (draw)
        markup_print(sms->page.file,
                     "<text class=\"sub\" x=\"%d\" y=\"%" PRIu32 "\">and %" PRIu32 " more</text>\n",
                     SVG_LEFT, y, count - listed);
    return y + SVG_LINE_HEIGHT;
}
