/* SPDX-License-Identifier: MIT */
/* How show.c builds its tracks: bounds, memory, items that have begun.  Private to show.c and
 * show_take.c. */
#ifndef GFE_EMU_VIEWS_SHOW_PRIVATE_H
#define GFE_EMU_VIEWS_SHOW_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/analysis/model/model.h"
#include "emu/log/event_list.h"
#include "emu/base/id_map.h"
#include "emu/views/show.h"

/* An item that has begun and has not ended.  A track's list is in the order in which its items
 * began. */
struct show_open {
    uint64_t key;
    struct show_item item;
};

/* A block that is off its SM with its grid's context. */
struct show_off {
    uint64_t key;
    bool is_back; /* this entry is free */
};

struct show_build {
    struct show *show;
    struct gfe_error *error;
    uint64_t event_number; /* current event, for messages */
    uint32_t event_kind;   /* kind of the current event, for messages */
    uint32_t sequence;
    uint32_t operation_counts[SHOW_OPERATION_KINDS];
    struct id_map operations[SHOW_OPERATION_KINDS]; /* from id to index */
    uint32_t last_operation; /* 1 + index of the one that was searched last; 0: none */
    struct id_map tracks[SHOW_TRACK_KINDS];     /* from id to index */
    struct show_off *offs;                      /* in the order in which they left */
    uint32_t off_count, off_capacity, off_next; /* off_next: where the next search begins */
};

/* All functions below that return false or NULL for a failure have set the error. */

/* Set the error and return false.  The first names the event and what is wrong with it. */
bool show_build_absurd(struct show_build *build, const char *what, uint64_t number);
bool show_build_no_memory(struct show_build *build);
/* Grows an array so that one more element fits.  `array` is the address of the array's pointer. */
bool show_build_room(struct show_build *build, void *array, uint32_t count, uint32_t *capacity,
                     size_t element_bytes);
void show_build_fini(struct show_build *build);

/* Returns the track of the given kind and number, and makes the track if it is new.  The pointer is
 * valid until the next call. */
struct show_track *show_build_track(struct show_build *build, enum show_track_kind kind,
                                    uint64_t id);
/* Keeps a finished item if any of it lies in the window. */
bool show_build_keep(struct show_build *build, struct show_track *track,
                     const struct show_item *item);
struct show_item show_build_instant(enum show_item_kind kind, gfe_ps now_ps, uint64_t channel_id);

/* Begins an item.  Returns false if `track` is NULL. */
bool show_build_open(struct show_build *build, struct show_track *track, uint64_t key,
                     const struct show_item *item);
/* Returns the position of the first open item with that kind and key, or SHOW_NONE if there is no
 * such item. */
uint32_t show_build_find_open(const struct show_track *track, enum show_item_kind kind,
                              uint64_t key);
/* Ends the open item with that kind and key.  If there is no such item, it began before the log and
 * nothing is drawn. */
bool show_build_close(struct show_build *build, struct show_track *track, enum show_item_kind kind,
                      uint64_t key, gfe_ps now_ps);

/* Like show_build_close(), for an operation that is lost: it will not be done. */
bool show_build_lose(struct show_build *build, struct show_track *track, enum show_item_kind kind,
                     uint64_t key, gfe_ps now_ps);

/* Adds a wait to the show's list and to the track of its subject. */
bool show_build_wait(struct show_build *build, const struct show_wait *wait);
/* Returns the track of the operation's engine. */
struct show_track *show_build_engine(struct show_build *build,
                                     const struct show_operation *operation);

/* Turns a record of the model into items (show_take.c). */
bool show_take(struct show_build *build, const struct model_record *record);

/* Suspend and resume an operation, and a block of a grid (show_suspend.c). */
bool show_build_suspend(struct show_build *build, const struct model_record *record);
bool show_build_go_on(struct show_build *build, const struct model_record *record);
bool show_build_block_off(struct show_build *build, const struct model_record *record);
bool show_build_block_back(struct show_build *build, const struct model_record *record);
/* Returns the key of a block's open item. */
static inline uint64_t show_build_block_key(const struct model_block *block)
{
    return block->grid_id << 32 ^ block->index;
}
/* Begins a block's item on its SM; `is_back` if the block was off its SM with its grid's context
 * (show_take.c). */
bool show_build_block(struct show_build *build, const struct model_record *record, bool is_back);

/* Begin and end the time in which a time-slice group is on its runlist's PBDMA
 * (show_runlist.c). */
bool show_build_slice_begin(struct show_build *build, const struct model_record *record);
bool show_build_slice_end(struct show_build *build, const struct model_record *record);

/* Sorts the track's items and assigns lanes to those that may overlap. */
void show_build_finish_track(struct show *show, uint32_t track);

struct show_operation *show_build_operation(struct show_build *build, enum show_operation_kind kind,
                                            uint64_t id);
struct show_operation *show_build_find_operation(struct show_build *build,
                                                 enum show_operation_kind kind, uint64_t id);
/* Returns the operation of a model_done record. */
struct show_operation *show_build_done_operation(struct show_build *build,
                                                 const struct model_record *record);

#endif
