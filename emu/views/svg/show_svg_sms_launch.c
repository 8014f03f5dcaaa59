/* SPDX-License-Identifier: MIT */
/*
 * Launches: an arrow at the time of the call (in recordings, where the program's calls are not
 * known: when the kernel is queued), with the kernel's name.
 *
 * A name stands to the right of its arrow's shaft.  Where names would overlap, those further left
 * hang lower, so no shaft crosses a name; what finds no place within LEVELS has no name, but a
 * tooltip.
 */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/svg/show_svg_sms.h"
#include "emu/base/markup.h"
#include "emu/base/text.h"

enum {
    LEVELS = 4,
    NEAR_X = 4 * SVG_X, /* arrows that are nearer are one */
    ARROW_HEIGHT = 12,  /* pixels */
    LEVEL_HEIGHT = 12,
    LABEL_LETTERS = 28,
    LETTER_WIDTH = 7, /* kernels' names have capitals and digits */
    NAMED_MAX = 8,    /* in a tooltip */
};

/* ---- which there are ------------------------------------------------------------------------- */

static bool launch_add(struct svg_sms *sms, gfe_ps time_ps, uint32_t operation, uint32_t owner)
{
    const uint32_t wanted = sms->launch_capacity ? 2 * sms->launch_capacity : 64;
    struct sms_launch *moved;

    if (time_ps < sms->view.asked_from_ps || time_ps > sms->view.asked_to_ps || owner == SHOW_NONE)
        return true;
    if (sms->launch_count == sms->launch_capacity) {
        moved = realloc(sms->launches, wanted * sizeof *moved);
        if (!moved)
            return false;
        sms->launches = moved;
        sms->launch_capacity = wanted;
    }
    sms->launches[sms->launch_count++] = (struct sms_launch){time_ps, operation, owner};
    sms->owners[owner].used = true;
    return true;
}

static bool has_program(const struct svg_sms *sms)
{
    return sms->view.streams.program.call_count > 0;
}

bool sms_launches_init(struct svg_sms *sms, struct gfe_error *error)
{
    const struct show *show = &sms->view;
    bool good = true;

    for (uint32_t i = 0; i < show->streams.operation_count && good; i++) {
        const struct streams_operation *made = &show->streams.operations[i];
        const struct program_call *call = program_call(&show->streams.program, made->call);
        if (call && call->kind == PROGRAM_KERNEL)
            good = launch_add(sms, made->called_ps, i, sms_owner_of_stream(sms, made->stream_id));
    }
    for (uint32_t i = 0; !has_program(sms) && i < show->operation_count && good; i++)
        if (show->operations[i].kind == SHOW_GRID)
            good = launch_add(sms, show->operations[i].queued_ps, i, sms->owner_of[i]);
    return good || error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
}

static void launch_name(const struct svg_sms *sms, uint32_t launch, char to[SHOW_NAME_BYTES])
{
    const uint32_t operation = sms->launches[launch].operation;

    if (has_program(sms))
        (void)streams_name(&sms->view.streams, &sms->view.streams.operations[operation], to);
    else
        show_operation_name(&sms->view, &sms->view.operations[operation], to, SHOW_NAME_BYTES);
}

/* ---- where they are -------------------------------------------------------------------------- */

/* "K1", "K1, K2", or "K1 to K9 (9)". */
static void label_of(const struct svg_sms *sms, const struct sms_arrow *arrow,
                     char to[2 * SHOW_NAME_BYTES + 32])
{
    char last[SHOW_NAME_BYTES];
    size_t used;

    launch_name(sms, arrow->first, to);
    if (arrow->count == 1)
        return;
    used = strlen(to);
    launch_name(sms, arrow->first + arrow->count - 1, last);
    if (arrow->count == 2)
        (void)snprintf(to + used, SHOW_NAME_BYTES + 32, ", %s", last);
    else
        (void)snprintf(to + used, SHOW_NAME_BYTES + 32, " to %s (%" PRIu32 ")", last, arrow->count);
}

/* The lowest level at which the label of arrow `at` meets none to its right. */
static int32_t level_of(const struct svg_sms *sms, uint32_t at)
{
    const struct sms_arrow *arrow = &sms->arrows[at];
    char label[2 * SHOW_NAME_BYTES + 32];
    int32_t level = 0;

    label_of(sms, arrow, label);
    const uint32_t letters = (uint32_t)strlen(label);
    const uint32_t end_x = arrow->x + (10 + letters * LETTER_WIDTH) * SVG_X;
    if (letters > LABEL_LETTERS || end_x > sms->page.width * SVG_X)
        return -1;
    for (uint32_t i = at + 1; i < sms->arrow_count && sms->arrows[i].x < end_x; i++) {
        /* Also an arrow without a name stands in the first level's line. */
        const int32_t taken = sms->arrows[i].level > 0 ? sms->arrows[i].level : 0;
        if (taken >= level)
            level = taken + 1;
    }
    return level < LEVELS ? level : -1;
}

bool sms_arrows_init(struct svg_sms *sms, struct gfe_error *error)
{
    sms->arrows = calloc((size_t)sms->launch_count + 1, sizeof *sms->arrows);
    if (!sms->arrows)
        return error_set_errno(error, ENOMEM, "%s", event_log_name(sms->view.log));
    for (uint32_t i = 0; i < sms->launch_count; i++) {
        const uint32_t x = svg_x(&sms->page, sms->launches[i].time_ps);
        struct sms_arrow *last = sms->arrow_count ? &sms->arrows[sms->arrow_count - 1] : NULL;
        if (last && x < last->x + NEAR_X)
            last->count++;
        else
            sms->arrows[sms->arrow_count++] = (struct sms_arrow){x, i, 1, -1};
    }
    for (uint32_t at = sms->arrow_count; at-- > 0;) {
        sms->arrows[at].level = level_of(sms, at);
        if (sms->arrows[at].level >= (int32_t)sms->levels)
            sms->levels = (uint32_t)sms->arrows[at].level + 1;
    }
    return true;
}

uint32_t sms_launches_height(const struct svg_sms *sms)
{
    return sms->launch_count == 0 ? 0 : ARROW_HEIGHT + sms->levels * LEVEL_HEIGHT + 4;
}

/* ---- drawing --------------------------------------------------------------------------------- */

static void arrow_title(struct svg_sms *sms, const struct sms_arrow *arrow)
{
    const struct sms_launch *first = &sms->launches[arrow->first];
    const struct sms_launch *last = first + arrow->count - 1;
    FILE *file = sms->page.file;
    char name[SHOW_NAME_BYTES], at[48];

    fputs("<title>", file);
    for (uint32_t i = 0; i < arrow->count && i < NAMED_MAX; i++) {
        launch_name(sms, arrow->first + i, name);
        fputs(i ? ", " : "", file);
        markup_text(file, name);
    }
    if (arrow->count > NAMED_MAX)
        markup_print(file, " and %" PRIu32 " more", arrow->count - NAMED_MAX);
    markup_print(file, arrow->count == 1 ? " is %s" : " are %s",
                 has_program(sms) ? "launched" : "queued");
    if (arrow->count == 1) {
        fputs(" in ", file);
        markup_text(file, sms->owners[first->owner].words);
    }
    markup_print(file, ", at %s", text_time_exact(at, sizeof at, first->time_ps, 1000));
    if (last->time_ps != first->time_ps)
        markup_print(file, " to %s", text_time_exact(at, sizeof at, last->time_ps, 1000));
    fputs("</title>", file);
}

/* The colour of those that are all of one stream. */
static void arrow_class(const struct svg_sms *sms, const struct sms_arrow *arrow, char to[16])
{
    const uint32_t owner = sms->launches[arrow->first].owner;

    (void)snprintf(to, 16, "a%" PRIu32, owner % SVG_OWNER_STYLES);
    for (uint32_t i = 1; i < arrow->count; i++)
        if (sms->launches[arrow->first + i].owner != owner)
            (void)snprintf(to, 16, "amixed");
}

void sms_launches(struct svg_sms *sms, uint32_t top)
{
    FILE *file = sms->page.file;

    if (sms->launch_count == 0)
        return;
    markup_print(file, "<text class=\"name\" x=\"%d\" y=\"%" PRIu32 "\">%s</text>\n", SVG_LEFT - 8,
                 top + ARROW_HEIGHT, has_program(sms) ? "launches" : "queued");
    for (uint32_t i = 0; i < sms->arrow_count; i++) {
        const struct sms_arrow *arrow = &sms->arrows[i];
        const int32_t hangs = arrow->level > 0 ? arrow->level * LEVEL_HEIGHT : 0;
        char class[16], label[2 * SHOW_NAME_BYTES + 32];
        arrow_class(sms, arrow, class);
        markup_print(file,
                     "<g class=\"launch %s\"><path d=\"M" SVG_PX " %" PRIu32 "l-3.5 6h7zv%" PRId32
                     "\"/>",
                     class, SVG_PX_OF(arrow->x), top + 1, hangs + ARROW_HEIGHT - (hangs ? 0 : 1));
        arrow_title(sms, arrow);
        fputs("</g>", file);
        if (arrow->level >= 0) {
            label_of(sms, arrow, label);
            markup_print(file, "<text x=\"" SVG_PX "\" y=\"%" PRIu32 "\">",
                         SVG_PX_OF(arrow->x + 5 * SVG_X), top + ARROW_HEIGHT + (uint32_t)hangs);
            markup_text(file, label);
            fputs("</text>", file);
        }
        fputc('\n', file);
    }
}
