/* SPDX-License-Identifier: MIT */
/* The columns of a page: items, waits, operations. */
#include <config.h>

#include <string.h>

#include "emu/views/html/show_html_private.h"

struct columns {
    struct html_bytes of[HTML_COLUMNS];
};

static void item_put(struct columns *to, const struct show_item *item,
                     const struct show_item *before)
{
    uint64_t place = item->address;

    if (item->kind == SHOW_BLOCK)
        place = item->bottom;
    else if (item->kind < SHOW_DOORBELL)
        place = show_has_lanes(item->kind) ? item->lane : 0;
    html_byte(&to->of[HTML_ITEM_KIND], (uint8_t)(item->kind | (item->unfinished ? 0x80 : 0)));
    html_varint(&to->of[HTML_ITEM_BEGIN], item->begin_ps - before->begin_ps);
    html_varint(&to->of[HTML_ITEM_LENGTH], item->end_ps - item->begin_ps);
    html_difference(&to->of[HTML_ITEM_OPERATION], item->operation + 1, before->operation + 1);
    html_difference(&to->of[HTML_ITEM_NUMBER], item->number, before->number);
    html_varint(&to->of[HTML_ITEM_PLACE], place);
    html_difference(&to->of[HTML_ITEM_CHANNEL], item->channel_id, before->channel_id);
}

static void track_put(struct columns *to, const struct show_track *track)
{
    struct show_item before = {.operation = SHOW_NONE};

    for (uint32_t i = 0; i < track->item_count; i++) {
        item_put(to, &track->items[i], &before);
        before = track->items[i];
    }
}

static void waits_put(const struct html *html, struct columns *to)
{
    const struct show *show = html->show;
    struct show_wait before = {0};

    for (uint32_t i = 0; i < show->wait_count; i++) {
        const struct show_wait *wait = &show->waits[i];
        html_varint(&to->of[HTML_WAIT_RULE], wait->rule);
        html_byte(&to->of[HTML_WAIT_SUBJECT], wait->subject_kind);
        html_difference(&to->of[HTML_WAIT_SUBJECT_ID], wait->subject_id, before.subject_id);
        html_byte(&to->of[HTML_WAIT_BLOCKER], wait->blocker_kind);
        html_difference(&to->of[HTML_WAIT_BLOCKER_ID], wait->blocker_id, before.blocker_id);
        before = *wait;
    }
}

/* ---- operations ------------------------------------------------------------------------------ */

/* What gfe explain says of one that pictures do not draw. */
static struct show_operation other_of(const struct html *html, uint32_t operation)
{
    const uint32_t index = html->tells[operation] - 1;
    struct show_operation other = {.start_ps = GFE_PS_NEVER, .channel_id = SHOW_NONE};

    if (html->is_story) {
        const struct story_operation *of = &html->story.operations[index];
        other.id = of->operation_id;
        other.queued_ps = of->called_ps;
        other.start_ps = of->submitted_ps;
        other.end_ps = of->completed_ps;
    } else {
        const struct explain_operation *of = &html->explain.operations[index];
        other.id = of->id;
        other.queued_ps = of->birth_ps;
        other.end_ps = of->unfinished ? GFE_PS_NEVER : of->end_ps;
    }
    return other;
}

/* Of scenarios streams have colours, else channels. */
static void colour_put(const struct html *html, uint32_t operation, uint32_t channel_id,
                       struct id_map *channels, struct html_bytes *to)
{
    uint32_t colour = id_map_find(channels, channel_id);

    if (html->is_story && html->tells[operation]) {
        colour = html->story.operations[html->tells[operation] - 1].stream;
    } else if (colour == ID_MAP_NONE) {
        colour = channels->count;
        to->failed |= !id_map_add(channels, channel_id, colour);
    }
    html_varint(to, colour);
}

static void since(struct html_bytes *to, gfe_ps time_ps, gfe_ps since_ps)
{
    html_varint(to, time_ps == GFE_PS_NEVER || time_ps < since_ps ? 0 : time_ps - since_ps + 1);
}

static void operations_put(const struct html *html, struct columns *to)
{
    const struct show *show = html->show;
    struct show_operation before = {0};
    struct id_map channels = {0};

    for (uint32_t i = 0; i < html->operation_count; i++) {
        const bool drawn = i < show->operation_count;
        struct show_operation operation = drawn ? show->operations[i] : other_of(html, i);

        if (operation.queued_ps == GFE_PS_NEVER)
            operation.queued_ps =
                operation.start_ps != GFE_PS_NEVER ? operation.start_ps : show->end_ps;
        html_byte(&to->of[HTML_OP_KIND], (uint8_t)(drawn ? operation.kind : HTML_OTHER));
        html_difference(&to->of[HTML_OP_ID], operation.id, before.id);
        html_difference(&to->of[HTML_OP_QUEUED], operation.queued_ps, before.queued_ps);
        since(&to->of[HTML_OP_START], operation.start_ps, operation.queued_ps);
        since(&to->of[HTML_OP_END], operation.end_ps, operation.queued_ps);
        html_difference(&to->of[HTML_OP_CHANNEL], operation.channel_id, before.channel_id);
        colour_put(html, i, operation.channel_id, &channels, &to->of[HTML_OP_COLOUR]);
        html_varint(&to->of[HTML_OP_BLOCKS], operation.block_count);
        html_varint(&to->of[HTML_OP_THREADS], operation.block_threads);
        html_byte(&to->of[HTML_OP_STORY], html_is_told(html, i));
        before = operation;
    }
    id_map_fini(&channels);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void columns_join(struct columns *columns, struct html_bytes *to)
{
    for (uint32_t c = 0; c < HTML_COLUMNS; c++) {
        struct html_bytes *column = &columns->of[c];

        to->failed |= column->failed || column->count > UINT32_MAX;
        for (uint32_t byte = 0; byte < 4; byte++)
            html_byte(to, (uint8_t)(column->count >> 8 * byte));
        html_append(to, column->at, column->count);
        html_bytes_fini(column);
    }
}

void html_items_write(struct html *html, struct html_bytes *to)
{
    struct columns columns = {0};

    for (uint32_t t = 0; t < html->show->track_count; t++)
        track_put(&columns, &html->show->tracks[t]);
    for (uint32_t t = 0; t < html->stream_count; t++)
        track_put(&columns, &html->streams[t]);
    waits_put(html, &columns);
    operations_put(html, &columns);
    columns_join(&columns, to);
}
