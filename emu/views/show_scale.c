/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/show_scale.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "emu/base/text.h"

/* ---- what is active -------------------------------------------------------------------------- */

/* Disjoint, ascending. */
struct activity {
    struct stretch {
        gfe_ps from_ps, to_ps;
    } * stretches;
    uint32_t count, capacity;
};

/* Waiting and being loaded is not activity: a channel may stay loaded for ever.  Of an AMD GPU all
 * queues change their slots whenever a program makes one. */
static bool is_activity(const struct show_track *track, const struct show_item *item)
{
    if (track->kind == SHOW_SLOT)
        return item->kind == SHOW_SAVING || item->kind == SHOW_RESTORING;
    return item->kind != SHOW_LOADED && item->kind != SHOW_CPU_WAIT && item->kind != SHOW_WAIT &&
           item->kind != SHOW_QUEUED && item->kind != SHOW_IN_RING;
}

static bool stretch_add(struct activity *activity, gfe_ps from_ps, gfe_ps to_ps)
{
    if (activity->count == activity->capacity) {
        const uint32_t capacity = activity->capacity ? 2 * activity->capacity : 64;
        void *grown = realloc(activity->stretches, capacity * sizeof *activity->stretches);
        if (!grown)
            return false;
        activity->stretches = grown;
        activity->capacity = capacity;
    }
    activity->stretches[activity->count++] = (struct stretch){from_ps, to_ps};
    return true;
}

static int stretch_order(const void *left, const void *right)
{
    const struct stretch *a = left, *b = right;

    if (a->from_ps != b->from_ps)
        return a->from_ps < b->from_ps ? -1 : 1;
    return a->to_ps < b->to_ps ? -1 : a->to_ps > b->to_ps;
}

/* Joins stretches that touch or overlap; they are sorted. */
static void stretches_join(struct activity *activity)
{
    uint32_t kept = 0;

    for (uint32_t i = 1; i < activity->count; i++) {
        struct stretch *last = &activity->stretches[kept];
        const struct stretch next = activity->stretches[i];
        if (next.from_ps > last->to_ps)
            activity->stretches[++kept] = next;
        else if (next.to_ps > last->to_ps)
            last->to_ps = next.to_ps;
    }
    if (activity->count > 0)
        activity->count = kept + 1;
}

/* The items of one track come sorted, so joining them at once keeps the list short. */
static bool track_activity(struct activity *activity, const struct show *show,
                           const struct show_track *track)
{
    const uint32_t before = activity->count;

    for (uint32_t i = 0; i < track->item_count; i++) {
        const struct show_item *item = &track->items[i];
        const gfe_ps from = item->begin_ps < show->from_ps ? show->from_ps : item->begin_ps;
        const gfe_ps to = item->end_ps > show->to_ps ? show->to_ps : item->end_ps;
        if (!is_activity(track, item))
            continue;
        struct stretch *last =
            activity->count > before ? &activity->stretches[activity->count - 1] : NULL;
        if (last && from <= last->to_ps)
            last->to_ps = to > last->to_ps ? to : last->to_ps;
        else if (!stretch_add(activity, from, to))
            return false;
    }
    return true;
}

static bool activity_find(struct activity *activity, const struct show *show)
{
    *activity = (struct activity){0};
    for (uint32_t t = 0; t < show->track_count; t++)
        if (!track_activity(activity, show, &show->tracks[t]))
            return false;
    if (activity->count > 0)
        qsort(activity->stretches, activity->count, sizeof *activity->stretches, stretch_order);
    stretches_join(activity);
    return true;
}

/* ---- cutting --------------------------------------------------------------------------------- */

static bool span_add(struct show_scale *scale, gfe_ps from_ps, gfe_ps to_ps, bool is_cut)
{
    if (from_ps == to_ps && scale->span_count > 0)
        return true;
    struct show_span *grown = realloc(scale->spans, (scale->span_count + 1) * sizeof *scale->spans);
    if (!grown)
        return false;
    scale->spans = grown;
    scale->spans[scale->span_count++] =
        (struct show_span){.from_ps = from_ps, .to_ps = to_ps, .is_cut = is_cut};
    scale->cut_count += is_cut;
    return true;
}

static gfe_ps active_ps(const struct activity *activity)
{
    gfe_ps sum = 0;

    for (uint32_t i = 0; i < activity->count; i++)
        sum += activity->stretches[i].to_ps - activity->stretches[i].from_ps;
    return sum;
}

static bool whole(struct show_scale *scale, const struct show *show)
{
    return span_add(scale, show->from_ps, show->to_ps, false);
}

/* Cuts the gaps that are longer than `limit_ps`, leaving a little of them on both sides so that
 * what stands at an edge can be seen. */
static bool gaps_cut(struct show_scale *scale, const struct show *show,
                     const struct activity *activity, gfe_ps limit_ps)
{
    const gfe_ps margin_ps = limit_ps / 16;
    gfe_ps from_ps = show->from_ps;

    for (uint32_t i = 0; i <= activity->count; i++) {
        const gfe_ps gap_from = i == 0 ? show->from_ps : activity->stretches[i - 1].to_ps;
        const gfe_ps gap_to = i == activity->count ? show->to_ps : activity->stretches[i].from_ps;
        if (gap_to <= gap_from || gap_to - gap_from <= limit_ps)
            continue;
        const gfe_ps cut_from = i == 0 ? gap_from : gap_from + margin_ps;
        const gfe_ps cut_to = i == activity->count ? gap_to : gap_to - margin_ps;
        if (!span_add(scale, from_ps, cut_from, false) || !span_add(scale, cut_from, cut_to, true))
            return false;
        from_ps = cut_to;
    }
    return span_add(scale, from_ps, show->to_ps, false);
}

/* ---- places ---------------------------------------------------------------------------------- */

static uint32_t part_of(uint64_t whole_x, gfe_ps part_ps, gfe_ps whole_ps)
{
    return whole_ps ? (uint32_t)((unsigned __int128)part_ps * whole_x / whole_ps) : 0;
}

static void places_give(struct show_scale *scale, uint32_t width_x, uint32_t cut_x)
{
    gfe_ps to_scale_ps = 0, passed_ps = 0;
    uint64_t cuts_passed = 0;

    for (uint32_t i = 0; i < scale->span_count; i++)
        if (!scale->spans[i].is_cut)
            to_scale_ps += scale->spans[i].to_ps - scale->spans[i].from_ps;
    if (scale->cut_count > 0 && cut_x > width_x / 3 / scale->cut_count)
        cut_x = (uint32_t)(width_x / 3 / scale->cut_count);
    const uint32_t plain_x = width_x - (uint32_t)(cut_x * scale->cut_count);
    for (uint32_t i = 0; i < scale->span_count; i++) {
        struct show_span *span = &scale->spans[i];
        span->from_x = part_of(plain_x, passed_ps, to_scale_ps) + (uint32_t)(cuts_passed * cut_x);
        if (span->is_cut)
            cuts_passed++;
        else
            passed_ps += span->to_ps - span->from_ps;
        span->to_x = part_of(plain_x, passed_ps, to_scale_ps) + (uint32_t)(cuts_passed * cut_x);
    }
    scale->width_x = width_x;
}

bool show_scale_init(struct show_scale *scale, const struct show *show, uint32_t width_x,
                     uint32_t cut_x, bool with_cuts, struct gfe_error *error)
{
    struct activity activity;

    *scale = (struct show_scale){0};
    bool good = activity_find(&activity, show);
    const gfe_ps limit_ps = active_ps(&activity) / 4;
    if (good && with_cuts && limit_ps > 0)
        good = gaps_cut(scale, show, &activity, limit_ps);
    else if (good)
        good = whole(scale, show);
    free(activity.stretches);
    if (!good) {
        show_scale_fini(scale);
        return error_set_errno(error, ENOMEM, "%s", event_log_name(show->log));
    }
    places_give(scale, width_x, cut_x);
    return true;
}

void show_scale_fini(struct show_scale *scale)
{
    free(scale->spans);
    *scale = (struct show_scale){0};
}

uint32_t show_scale_x(const struct show_scale *scale, gfe_ps time_ps)
{
    uint32_t low = 0, high = scale->span_count;

    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (scale->spans[middle].from_ps <= time_ps)
            low = middle;
        else
            high = middle;
    }
    const struct show_span *span = &scale->spans[low];
    if (time_ps <= span->from_ps)
        return span->from_x;
    if (time_ps >= span->to_ps)
        return span->to_x;
    return span->from_x +
           part_of(span->to_x - span->from_x, time_ps - span->from_ps, span->to_ps - span->from_ps);
}

gfe_ps show_scale_step(const struct show_scale *scale, uint32_t least_x)
{
    static const uint32_t steps[] = {1, 2, 5};
    gfe_ps to_scale_ps = 0;
    uint64_t plain_x = 0;

    for (uint32_t i = 0; i < scale->span_count; i++) {
        if (scale->spans[i].is_cut)
            continue;
        to_scale_ps += scale->spans[i].to_ps - scale->spans[i].from_ps;
        plain_x += scale->spans[i].to_x - scale->spans[i].from_x;
    }
    if (to_scale_ps == 0 || plain_x == 0)
        return 0;
    for (gfe_ps power = 1; power <= UINT64_C(1000000000000000000); power *= 10)
        for (uint32_t i = 0; i < sizeof steps / sizeof steps[0]; i++)
            if ((unsigned __int128)(power * steps[i]) * plain_x >=
                (unsigned __int128)least_x * to_scale_ps)
                return power * steps[i];
    return 0;
}

/* ---- ticks ----------------------------------------------------------------------------------- */

bool show_scale_tick(const struct show_span *span, gfe_ps step_ps, struct show_tick *tick)
{
    const gfe_ps first_ps = step_ps ? (span->from_ps + (step_ps - 1)) / step_ps * step_ps : 0;
    const bool has_multiple = step_ps && first_ps >= span->from_ps && first_ps <= span->to_ps;

    if (tick->time_ps == GFE_PS_NEVER && !has_multiple) {
        tick->time_ps = span->from_ps;
        (void)text_time(tick->text, sizeof tick->text, span->from_ps);
        return true;
    }
    if (tick->time_ps == GFE_PS_NEVER) {
        tick->time_ps = first_ps;
        (void)text_time_exact(tick->text, sizeof tick->text, first_ps, step_ps);
        return true;
    }
    if (!has_multiple || span->to_ps - tick->time_ps < step_ps)
        return false;
    tick->time_ps += step_ps;
    tick->text[0] = '+';
    if (first_ps / step_ps < 1000)
        (void)text_time_exact(tick->text, sizeof tick->text, tick->time_ps, step_ps);
    else
        (void)text_time_exact(tick->text + 1, sizeof tick->text - 1, tick->time_ps - first_ps,
                              step_ps);
    return true;
}
