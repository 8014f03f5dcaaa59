/* SPDX-License-Identifier: MIT */
/*
 * From time to place: the axis of a picture, broken where nothing runs on the GPU for long.
 *
 * A program thinks for milliseconds between microseconds of GPU work; drawn to scale, the work
 * would vanish.  Gaps between activity that are longer than a quarter of all activity are cut: each
 * gets a narrow strip that states how long it is.  Everything between two cuts (a span) has the
 * same scale.  Places are in fractions of a column or pixel that the drawing chooses.
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
    struct show_span *spans; /* without gaps, from show.from_ps to show.to_ps */
    uint32_t span_count;
    uint32_t width_x;
    uint64_t cut_count;
};

/* `cut_x`: width of a cut; all cuts together get a third of the width at most. */
bool show_scale_init(struct show_scale *scale, const struct show *show, uint32_t width_x,
                     uint32_t cut_x, bool with_cuts, struct gfe_error *error);
void show_scale_fini(struct show_scale *scale);
/* Place of a time; times outside the window lie at its ends. */
uint32_t show_scale_x(const struct show_scale *scale, gfe_ps time_ps);
/* The round distance of two ticks that are at least `least_x` apart: 1, 2 or 5 times a power of
 * ten; 0 when nothing is to scale. */
gfe_ps show_scale_step(const struct show_scale *scale, uint32_t least_x);

/* Ticks of a span: multiples of the step, or its beginning alone where it holds none.  The first
 * says what time it is; so do the others where that is short, else how much later they are. */
struct show_tick {
    gfe_ps time_ps;
    char text[48];
};
/* The tick after `tick` (at first: {.time_ps = GFE_PS_NEVER}); false: there is none. */
bool show_scale_tick(const struct show_span *span, gfe_ps step_ps, struct show_tick *tick);

#endif
