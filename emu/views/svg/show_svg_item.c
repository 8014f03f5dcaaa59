/* SPDX-License-Identifier: MIT */
/* One item of an SVG picture: its box, its colour, what is written on it and what its tooltip says.
 */
#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "emu/views/show_lists.h"
#include "emu/base/markup.h"
#include "emu/views/svg/show_svg_page.h"
#include "emu/base/text.h"

/* Class of an item's rectangle; operations and blocks have the colour of their operation. */
void svg_class(char *to, size_t bytes, const struct svg_page *page, const struct show_item *item)
{
    static const char *const names[] = {
        [SHOW_SUBMIT] = "submit",      [SHOW_CPU_WAIT] = "cpuwait",
        [SHOW_QUEUED] = "queued",      [SHOW_WAIT] = "wait",
        [SHOW_LOADED] = "loaded",      [SHOW_LOADING] = "loading",
        [SHOW_SEGMENT] = "segment",    [SHOW_IN_RING] = "inring",
        [SHOW_PACKET] = "packet",      [SHOW_DISPATCHING] = "dispatching",
        [SHOW_LEAVING] = "leaving",    [SHOW_SAVING] = "saving",
        [SHOW_RESTORING] = "restoring"};
    const struct show_operation *operation;

    if (item->kind == SHOW_LOADED && page->owner_of_queue) {
        const uint32_t owner = page->owner_of_queue(page, item->number);
        if (owner != SHOW_NONE) {
            (void)snprintf(to, bytes, "o%" PRIu32, owner % SVG_OWNER_STYLES);
            return;
        }
    }
    if (item->kind != SHOW_OPERATION && item->kind != SHOW_BLOCK) {
        (void)snprintf(to, bytes, "%s", names[item->kind]);
        return;
    }
    operation = &page->show->operations[item->operation];
    if (page->owners)
        (void)snprintf(to, bytes, "o%" PRIu32, page->owners[item->operation] % SVG_OWNER_STYLES);
    else if (operation->kind == SHOW_GRID)
        (void)snprintf(to, bytes, "k%" PRIu32, (operation->number - 1) % SVG_COLOURS);
    else
        (void)snprintf(to, bytes, "%s", operation->kind == SHOW_COPY ? "copy" : "draw");
}

void svg_item_name(char *to, size_t bytes, const struct show *show, const struct show_item *item)
{
    const size_t room = bytes / 2;

    *to = '\0';
    switch ((enum show_item_kind)item->kind) {
    case SHOW_OPERATION:
        show_operation_name(show, &show->operations[item->operation], to, bytes);
        break;
    case SHOW_BLOCK:
        show_operation_name(show, &show->operations[item->operation], to, room);
        (void)snprintf(to + strlen(to), room, ":%" PRIu32, item->number);
        break;
    case SHOW_WAIT:
        (void)snprintf(to, bytes, "%s", show_rule_label(show, show->waits[item->number].rule));
        break;
    case SHOW_SUBMIT:
        (void)snprintf(to, bytes, "submission %" PRIu32, item->number);
        break;
    case SHOW_CPU_WAIT:
        (void)snprintf(to, bytes, "waits");
        break;
    case SHOW_LOADED:
        if (show->words.is_amd)
            (void)snprintf(to, bytes, "%" PRIu32, item->number);
        break;
    case SHOW_SEGMENT:
        (void)snprintf(to, bytes, "GP entry %" PRIu32, item->number);
        break;
    default:
        break;
    }
}

static void wait_title(FILE *file, const struct show *show, const struct show_wait *wait)
{
    const struct event_log_rule *rule =
        wait->rule == RULE_NONE ? NULL : event_log_rule(show->log, wait->rule);
    char waiter[SHOW_NAME_BYTES], blocker[SHOW_NAME_BYTES];

    show_subject_name(show, wait->subject_kind, wait->subject_id, waiter, sizeof waiter);
    show_subject_name(show, wait->blocker_kind, wait->blocker_id, blocker, sizeof blocker);
    markup_text(file, waiter);
    fputs(" waits", file);
    if (wait->blocker_kind != SUBJECT_NONE) {
        fputs(" for ", file);
        markup_text(file, blocker);
    }
    if (!rule)
        return;
    fputs(": ", file);
    markup_text(file, rule->label);
    fputs(": ", file);
    markup_text(file, rule->text);
}

/* What is with a channel in a PBDMA, or with a queue in its slot or ring. */
static void state_title(FILE *file, const struct show *show, const struct show_track *track,
                        const struct show_item *item)
{
    static const char *const types[] = {
        "vendor-specific packet", "invalid packet", "dispatch",
        "barrier-AND packet",     "agent dispatch", "barrier-OR packet"};
    static const char *const words[] = {
        [SHOW_LOADED] = " is in ",
        [SHOW_LOADING] = " is being loaded into ",
        [SHOW_LEAVING] = " has to leave ",
        [SHOW_SAVING] = ": its waves are saved, in ",
        [SHOW_RESTORING] = ": its waves are restored, in ",
    };

    if (item->kind == SHOW_IN_RING)
        markup_print(file, "%s: packets wait in the ring", track->name);
    else if (item->kind == SHOW_PACKET)
        markup_print(file, "%s: %s", track->name,
                     item->number < sizeof types / sizeof types[0] ? types[item->number]
                                                                   : "packet");
    else if (item->kind == SHOW_DISPATCHING)
        markup_print(file, "%s: not all blocks have started yet", track->name);
    else if (show->words.is_amd)
        markup_print(file, "queue %" PRIu32 "%s%s", item->number, words[item->kind], track->name);
    else
        markup_print(file, "channel %" PRIu32 "%s", item->number,
                     item->kind == SHOW_LOADED ? " is loaded"
                                               : " and its context are being loaded");
}

static void title_put(struct svg_page *page, const struct show_track *track,
                      const struct show_item *item)
{
    const struct show *show = page->show;
    FILE *file = page->file;
    char what[2 * SHOW_NAME_BYTES], from[48], took[48];

    fputs("<title>", file);
    svg_item_name(what, sizeof what, show, item);
    if (item->kind == SHOW_BLOCK) {
        markup_text(file, what);
        markup_print(file, " on %s: %" PRIu32 " threads", track->name, item->height);
    } else if (item->kind == SHOW_OPERATION || item->kind == SHOW_QUEUED) {
        show_operation_name(show, &show->operations[item->operation], what, sizeof what);
        markup_text(file, what);
        fputs(item->kind == SHOW_QUEUED ? ", queued: " : ": ", file);
        show_lists_operation(show, &show->operations[item->operation], what, sizeof what);
        markup_text(file, what);
    } else if (item->kind == SHOW_WAIT)
        wait_title(file, show, &show->waits[item->number]);
    else if (item->kind == SHOW_SUBMIT)
        markup_print(file, "driver call of submission %" PRIu32, item->number);
    else if (item->kind == SHOW_CPU_WAIT)
        markup_print(file, "the program waits for submission %" PRIu32, item->number);
    else if (item->kind != SHOW_SEGMENT)
        state_title(file, show, track, item);
    else
        markup_print(file, "methods of GP entry %" PRIu32 " of channel %" PRIu32, item->number,
                     item->channel_id);
    markup_print(file, "; from %s for %s%s</title>", text_time(from, sizeof from, item->begin_ps),
                 text_time(took, sizeof took, item->end_ps - item->begin_ps),
                 item->unfinished ? " and on" : "");
}

void svg_rect_open(struct svg_page *page, const struct svg_box *box, const char *class)
{
    markup_print(page->file,
                 "<rect class=\"%s\" x=\"" SVG_PX "\" y=\"" SVG_PX "\" width=\"" SVG_PX
                 "\" height=\"" SVG_PX "\">",
                 class, SVG_PX_OF(box->x), SVG_PX_OF(box->y), SVG_PX_OF(box->width),
                 SVG_PX_OF(box->height));
}

bool svg_label(struct svg_page *page, const struct svg_box *box, const char *class,
               const char *label)
{
    const uint32_t length_x = (uint32_t)strlen(label) * SVG_LETTER_WIDTH * SVG_X;
    const uint32_t middle_x = box->x + box->width / 2;
    const uint32_t middle_y =
        box->y + box->height / 2 + (box->height < 11 * SVG_X ? 3 * SVG_X : 7 * SVG_X / 2);

    if (!*label || length_x + 2 * SVG_X > box->width || box->height < 9 * SVG_X)
        return false;
    markup_print(page->file, "<text class=\"in%s t%s\" x=\"" SVG_PX "\" y=\"" SVG_PX "\">",
                 box->height < 11 * SVG_X ? " low" : "", class, SVG_PX_OF(middle_x),
                 SVG_PX_OF(middle_y));
    markup_text(page->file, label);
    fputs("</text>", page->file);
    return true;
}

void svg_item(struct svg_page *page, const struct show_track *track, const struct show_item *item,
              const struct svg_box *box)
{
    char class[16], label[64];

    svg_class(class, sizeof class, page, item);
    svg_item_name(label, sizeof label, page->show, item);
    svg_rect_open(page, box, class);
    title_put(page, track, item);
    fputs("</rect>", page->file);
    if (svg_label(page, box, class, label)) {
        page->named_blocks += item->kind == SHOW_BLOCK;
    } else if (item->kind == SHOW_SUBMIT) {
        (void)snprintf(label, sizeof label, "%" PRIu32, item->number);
        (void)svg_label(page, box, class, label);
    }
    fputc('\n', page->file);
}
