/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the picture of SMs share.  Private to show_svg_sms*.c:
 *
 *     show_svg_sms.c         the page: rows of SMs and of copies, launches, axis, words
 *     show_svg_sms_owner.c   streams (in recordings channels): colours, legend
 *     show_svg_sms_block.c   an SM's row
 *     show_svg_sms_launch.c  arrows
 *     show_svg_sms_amd.c     shader engines, slots of queues
 */
#ifndef GFE_EMU_VIEWS_SVG_SHOW_SVG_SMS_H
#define GFE_EMU_VIEWS_SVG_SHOW_SVG_SMS_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/id_map.h"
#include "emu/views/show_stack.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/svg/show_svg_page.h"

enum { SMS_OWNER_WORDS = 112, SMS_ROWS_MAX = 512, SMS_RECTANGLES_MAX = 12000 };

/* The owner of kernels and copies: a stream, or a channel in logs that have no streams. */
struct sms_owner {
    uint64_t key;
    bool used; /* a kernel or copy of this owner is drawn */
    char words[SMS_OWNER_WORDS];
};

struct sms_launch {
    gfe_ps time_ps;
    uint32_t operation; /* index in the log's streams; in recordings in show.operations */
    uint32_t owner;
};

/* An arrow for launches that are too close together for an arrow each. */
struct sms_arrow {
    uint32_t x;            /* places */
    uint32_t first, count; /* launches */
    int32_t level;         /* of the label, from 0; -1 if the arrow has no label */
};

/* One SM, which may have had no blocks. */
struct sms_row {
    const struct show_track *track; /* NULL if the SM had no blocks */
    uint32_t id;
    uint32_t top; /* pixels below the first row */
};

struct svg_sms {
    struct svg_page page; /* of `view`; the first member, so that &page is the address of all */
    struct show view;     /* the copy engines and SMs, while anything is on them */
    const struct show_svg_options *options;
    struct sms_owner *owners; /* streams by number, then channels by number */
    uint32_t owner_count;
    uint32_t *owner_of; /* by index of show.operations; SHOW_NONE if not drawn */
    struct sms_launch *launches;
    uint32_t launch_count, launch_capacity;
    struct sms_arrow *arrows; /* from the left */
    uint32_t arrow_count, levels;
    struct sms_row rows[SMS_ROWS_MAX];
    uint32_t rows_height;                         /* pixels */
    uint32_t row_count, idle_count, beyond_count; /* SMs drawn; idle ones and those left out */
    struct show_stack stack;
    struct sms_load *loads; /* for one row, by column and style */
    uint32_t *tops;         /* for one row, by pixel: the height of its boxes, in threads */
    uint32_t bucket;        /* pixels of a column */
    uint64_t merged_blocks, narrow_copies;
    struct id_map queue_map; /* AMD: from queue to index in queue_owners */
    uint32_t *queue_owners;  /* SHOW_NONE if a queue has several owners */
    bool in_pieces;          /* true if a block is drawn in pieces */
};

/* Writes the picture of SHOW_SVG_SMS for show_svg().  Returns false with `error` set on failure. */
bool show_svg_sms(FILE *file, const struct show *show, const struct show_svg_options *options,
                  struct gfe_error *error);

/* Draws what a row's height means, if there is room for it. */
void sms_threads_put(struct svg_sms *sms, uint32_t top);

/* Finds the owner of each operation.  Functions here return false with `error` set on failure. */
bool sms_owners_init(struct svg_sms *sms, struct gfe_error *error);
uint32_t sms_owner_of_stream(const struct svg_sms *sms, uint64_t stream_id);
/* Writes the colours of the used owners, as style and patterns. */
void sms_owners_style(struct svg_sms *sms);
/* Draws the legend from y on.  Returns the y at which the legend ends.  If `draw` is false it draws
 * nothing and only returns that y. */
uint32_t sms_legend(struct svg_sms *sms, uint32_t y, bool draw);
/* Writes the class of the owner's colour: "o3". */
void sms_class(char *to, size_t bytes, uint32_t owner);

/* Chooses which blocks are merged, and finds the height that a row needs. */
bool sms_blocks_init(struct svg_sms *sms, struct gfe_error *error);
bool sms_blocks(struct svg_sms *sms, const struct show_track *track, uint32_t top,
                struct gfe_error *error);

/* The functions from here to sms_engine_lanes() are for AMD's GPUs.  sms_queues_init() finds the
 * owners of queues; sms_queues_use() puts these owners into the legend. */
bool sms_queues_init(struct svg_sms *sms, struct gfe_error *error);
void sms_queues_use(struct svg_sms *sms);
/* Draws slots from `top` on: their bands if `bands` is true, or else the items in them.  Returns
 * the y at which the slots end.  If `draw` is false it draws nothing and only returns that y.
 * sms_slots_kinds() returns the kinds of items, a bit each, that the legend has to explain. */
uint32_t sms_slots(struct svg_sms *sms, uint32_t top, bool bands, bool draw);
uint32_t sms_slots_kinds(const struct svg_sms *sms);
/* Returns the shader engine that a row belongs to, or SHOW_NONE if the log does not have it.
 * sms_engine_lanes() draws the bands of all rows. */
uint32_t sms_engine_of(const struct svg_sms *sms, uint32_t row);
void sms_engine_lanes(struct svg_sms *sms, uint32_t top);

bool sms_launches_init(struct svg_sms *sms, struct gfe_error *error);
/* Groups launches into arrows.  The page's scale must be known. */
bool sms_arrows_init(struct svg_sms *sms, struct gfe_error *error);
/* Returns the height of the row of launches in pixels, or 0 if there are no launches. */
uint32_t sms_launches_height(const struct svg_sms *sms);
void sms_launches(struct svg_sms *sms, uint32_t top);

#endif
