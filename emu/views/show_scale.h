/* SPDX-License-Identifier: MIT */
/*
 * Maps time to place: the axis of a picture, cut where nothing runs on the GPU for long.
 *
 * A program computes for milliseconds between microseconds of GPU work; drawn to scale, the work
 * would vanish.  A gap that is longer than a quarter of all activity is therefore cut: it becomes a
 * narrow strip that states its length.  Everything between two cuts (a span) has the same scale.
 * Places are in fractions of a column or pixel; the drawing chooses the fraction.
 */
#ifndef GFE_EMU_VIEWS_SHOW_SCALE_H
#define GFE_EMU_VIEWS_SHOW_SCALE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/views/show.h"

struct show_span {
    gfe_ps from_ps, to_ps;
    uint32_t from_x, to_x;
    bool is_cut;
};

struct show_scale {
    struct show_span *spans; /* they cover show.from_ps to show.to_ps without gaps */
    uint32_t span_count;
    uint32_t width_x;
    uint64_t cut_count;
};

/* Builds the axis of `show`, `width_x` places wide.  `cut_x` is the width of a cut; all cuts
 * together get at most a third of the width.  Returns false with `error` set on failure. */
bool show_scale_init(struct show_scale *scale, const struct show *show, uint32_t width_x,
                     uint32_t cut_x, bool with_cuts, struct gfe_error *error);
void show_scale_fini(struct show_scale *scale);
/* Returns the place of a time.  Times outside the window lie at its ends. */
uint32_t show_scale_x(const struct show_scale *scale, gfe_ps time_ps);
/* Returns the time between two ticks, which are at least `least_x` places apart.  The time is 1, 2
 * or 5 times a power of ten, in ps.  0 means that nothing is to scale. */
gfe_ps show_scale_step(const struct show_scale *scale, uint32_t least_x);

/* A tick of a span.  Ticks are at multiples of the step; a span that holds none has a tick at its
 * beginning alone.  The text of the first tick is its time.  The texts of the others are their
 * times if those are short, or else their distances from the first tick. */
struct show_tick {
    gfe_ps time_ps;
    char text[48];
};
/* Replaces `tick` by the span's next tick.  Begin with {.time_ps = GFE_PS_NEVER}.  Returns false if
 * there is no further tick. */
bool show_scale_tick(const struct show_span *span, gfe_ps step_ps, struct show_tick *tick);

#endif
