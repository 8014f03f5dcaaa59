/* SPDX-License-Identifier: MIT */
/*
 * What the parts of the picture of SMs share.  Private to show_svg_sms*.c:
 *
 *     show_svg_sms.c         the page: rows of SMs and of copies, launches, axis, words
 *     show_svg_sms_owner.c   streams (of recordings channels): colours, legend
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

/* Who has kernels and copies: a stream, or in logs that know none a channel. */
struct sms_owner {
    uint64_t key;
    bool used; /* something of it is drawn */
    char words[SMS_OWNER_WORDS];
};

struct sms_launch {
    gfe_ps time_ps;
    uint32_t operation; /* of the log's streams; in recordings of show.operations */
    uint32_t owner;
};

/* Launches that are too near to each other to have an arrow each. */
struct sms_arrow {
    uint32_t x;            /* places */
    uint32_t first, count; /* launches */
    int32_t level;         /* of the label, from 0; -1: it has none */
};

/* One SM, which may have had no blocks. */
struct sms_row {
    const struct show_track *track; /* NULL: none */
    uint32_t id;
    uint32_t top; /* pixels below the first */
};

struct svg_sms {
    struct svg_page page; /* of `view`; first, as a page's client finds the rest by it */
    struct show view;     /* the log's engines of copies and SMs, as long as anything is on them */
    const struct show_svg_options *options;
    struct sms_owner *owners; /* streams by number, then channels by number */
    uint32_t owner_count;
    uint32_t *owner_of; /* of show.operations; SHOW_NONE: not drawn */
    struct sms_launch *launches;
    uint32_t launch_count, launch_capacity;
    struct sms_arrow *arrows; /* from the left */
    uint32_t arrow_count, levels;
    struct sms_row rows[SMS_ROWS_MAX];
    uint32_t rows_height;                         /* pixels */
    uint32_t row_count, idle_count, beyond_count; /* SMs drawn; idle ones and those left out */
    struct show_stack stack;
    struct sms_load *loads; /* of a row: by column and style */
    uint32_t *tops;         /* of a row, in threads, by pixel: how high boxes are */
    uint32_t bucket;        /* pixels of a column */
    uint64_t merged_blocks, narrow_copies;
    struct id_map queue_map; /* AMD: queues to places of queue_owners */
    uint32_t *queue_owners;  /* SHOW_NONE: several */
    bool in_pieces;          /* a block is */
};

/* show_svg() of SHOW_SVG_SMS. */
bool show_svg_sms(FILE *file, const struct show *show, const struct show_svg_options *options,
                  struct gfe_error *error);

/* What a row's height means, where there is room to say it. */
void sms_threads_put(struct svg_sms *sms, uint32_t top);

/* Finds who owns what.  False with the error set, as below. */
bool sms_owners_init(struct svg_sms *sms, struct gfe_error *error);
uint32_t sms_owner_of_stream(const struct svg_sms *sms, uint64_t stream_id);
/* Colours of those that are used, as style and patterns. */
void sms_owners_style(struct svg_sms *sms);
/* The legend from y on; draw false: only where it would end. */
uint32_t sms_legend(struct svg_sms *sms, uint32_t y, bool draw);
/* The colour's class: "o3". */
void sms_class(char *to, size_t bytes, uint32_t owner);

/* Chooses what is merged, and finds how high a row must be. */
bool sms_blocks_init(struct svg_sms *sms, struct gfe_error *error);
bool sms_blocks(struct svg_sms *sms, const struct show_track *track, uint32_t top,
                struct gfe_error *error);

/* The rest is of AMD's GPUs.  Whose queue it is; owners of queues are in the legend. */
bool sms_queues_init(struct svg_sms *sms, struct gfe_error *error);
void sms_queues_use(struct svg_sms *sms);
/* Slots from `top` on, their bands or what is in them; draw false: only where they would end. Which
 * kinds of items the legend has to explain. */
uint32_t sms_slots(struct svg_sms *sms, uint32_t top, bool bands, bool draw);
uint32_t sms_slots_kinds(const struct svg_sms *sms);
/* The shader engine that a row belongs to; SHOW_NONE: the log does not tell.  All rows' bands. */
uint32_t sms_engine_of(const struct svg_sms *sms, uint32_t row);
void sms_engine_lanes(struct svg_sms *sms, uint32_t top);

bool sms_launches_init(struct svg_sms *sms, struct gfe_error *error);
/* When the page's scale is known. */
bool sms_arrows_init(struct svg_sms *sms, struct gfe_error *error);
/* Pixels of the row; 0: there are no launches. */
uint32_t sms_launches_height(const struct svg_sms *sms);
void sms_launches(struct svg_sms *sms, uint32_t top);

#endif
