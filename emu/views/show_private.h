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

/* An item that has begun.  On an SM the list is kept by `bottom`, elsewhere in order of
 * beginning. */
struct show_open {
    uint64_t key;
    struct show_item item;
};

/* A block that stands still. */
struct show_stopped {
    uint32_t track;
    struct show_open open;
};

struct show_build {
    struct show *show;
    struct gfe_error *error;
    uint64_t event_number; /* of the event at hand, and its kind: for messages */
    uint32_t event_kind;
    uint32_t sequence;
    uint32_t operation_counts[SHOW_OPERATION_KINDS];
    struct id_map operations[SHOW_OPERATION_KINDS]; /* id to index */
    struct id_map tracks[SHOW_TRACK_KINDS];         /* id to index */
    struct show_stopped *stopped;
    uint32_t stopped_count, stopped_capacity;
};

/* All that fail have set the error. */

bool show_build_absurd(struct show_build *build, const char *what, uint64_t number);
bool show_build_no_memory(struct show_build *build);
/* Makes room for one more element; `array` is the address of the array's pointer. */
bool show_build_room(struct show_build *build, void *array, uint32_t count, uint32_t *capacity,
                     size_t element_bytes);
void show_build_fini(struct show_build *build);

/* The track of that kind and number, made when it is new.  Valid until the next call. */
struct show_track *show_build_track(struct show_build *build, enum show_track_kind kind,
                                    uint64_t id);
/* Keeps a finished item if any of it lies in the window. */
bool show_build_keep(struct show_build *build, struct show_track *track,
                     const struct show_item *item);
struct show_item show_build_instant(enum show_item_kind kind, gfe_ps now_ps, uint64_t channel_id);

/* Begins an item, last in the track's list or at a position.  `track` NULL: fails. */
bool show_build_open(struct show_build *build, struct show_track *track, uint64_t key,
                     const struct show_item *item);
bool show_build_open_at(struct show_build *build, struct show_track *track, uint32_t at,
                        uint64_t key, const struct show_item *item);
/* Position of the first open item with that kind and key, or SHOW_NONE. */
uint32_t show_build_find_open(const struct show_track *track, enum show_item_kind kind,
                              uint64_t key);
/* Ends the open item; one that is not there began before the log and is nothing to draw. */
bool show_build_close(struct show_build *build, struct show_track *track, enum show_item_kind kind,
                      uint64_t key, gfe_ps now_ps);

/* Adds a wait to the show's list, and to the track of who waits. */
bool show_build_wait(struct show_build *build, const struct show_wait *wait);
/* The track of the operation's engine. */
struct show_track *show_build_engine(struct show_build *build,
                                     const struct show_operation *operation);

/* show_take.c: takes a record of the model. */
bool show_take(struct show_build *build, const struct model_record *record);

/* show_suspend.c: a grid's blocks, a draw or a copy stand still; and go on. */
bool show_build_suspend(struct show_build *build, const struct model_record *record);
bool show_build_go_on(struct show_build *build, const struct model_record *record);

/* show_runlist.c: a time-slice group is on its runlist's PBDMA, and is not any more. */
bool show_build_slice_begin(struct show_build *build, const struct model_record *record);
bool show_build_slice_end(struct show_build *build, const struct model_record *record);

/* Sorts the track's items and gives lanes to those that may overlap. */
void show_build_finish_track(struct show *show, uint32_t track);

struct show_operation *show_build_operation(struct show_build *build, enum show_operation_kind kind,
                                            uint64_t id);
struct show_operation *show_build_find_operation(struct show_build *build,
                                                 enum show_operation_kind kind, uint64_t id);
/* The operation that a record of the type model_done is about. */
struct show_operation *show_build_done_operation(struct show_build *build,
                                                 const struct model_record *record);

#endif
