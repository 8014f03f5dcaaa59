/* SPDX-License-Identifier: MIT */
/*
 * DRM's synchronisation objects as the stand-in plays them (drm_syncobj.c, dma-fence-chain.c).
 *
 * Because a submission is done when it is made, a fence is always signalled: of an object remains
 * whether it has one, and for a timeline which points it has reached.  So nothing waits but for
 * what nobody has submitted yet.  In the trace objects have numbers that never come again, handles
 * and descriptors do not occur, and a sync file is an object of its own (SYNCOBJ FILE), so that
 * replay, in which fences do take time, knows whose state went where.
 *
 * A descriptor of an object or of a sync file is a small file that names it.  Not modelled:
 * ioctls and poll(2) on a sync file (it always polls as signalled), eventfds, the deadline of
 * waits. An object that was ever exported is never destroyed in the trace: whether its descriptor
 * is closed, the stand-in does not see.
 */
#ifndef GFE_TRACES_RECORD_SYNCOBJ_H
#define GFE_TRACES_RECORD_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

enum { RECORD_SYNCOBJS_MAX = 1 << 16, RECORD_SYNCOBJ_HANDLES_MAX = 1 << 18 };

struct record_syncobj {
    uint32_t id;      /* in the trace, from 1; 0: the place is free */
    uint32_t handles; /* that name it */
    bool has_fence, is_timeline;
    bool is_file;                 /* a sync file: only descriptors name it */
    uint64_t point, point_before; /* the last of the timeline and the one before it, 0 = none */
    bool exported;                /* there may be descriptors of it */
};

/* All zeros is an empty one; in memory that all recorded processes share. */
struct record_syncobj_table {
    uint32_t count; /* places ever used */
    uint32_t last_id;
    struct record_syncobj objects[RECORD_SYNCOBJS_MAX];
    uint32_t handles[RECORD_SYNCOBJ_HANDLES_MAX]; /* index is handle - 1: index of the object + 1 */
};

/* Zero it first.  The table is the caller's; without one it gets its own. */
struct record_syncobjs {
    struct record_syncobj_table *table;
    bool own;
};

void record_syncobjs_free(struct record_syncobjs *objects);

/* A handle of a new object, 0 = no room. */
uint32_t record_syncobj_create(struct record_syncobjs *objects);
/* A handle of an object that there is, by its index; 0 = no room. */
uint32_t record_syncobj_handle(struct record_syncobjs *objects, uint32_t index);
uint32_t record_syncobj_index(const struct record_syncobjs *objects,
                              const struct record_syncobj *object);
/* A place for a sync file; NULL = no room. */
struct record_syncobj *record_syncobj_file(struct record_syncobjs *objects);
/* The object of a handle, valid until the next create, handle or file; NULL = none. */
struct record_syncobj *record_syncobj_find(const struct record_syncobjs *objects, uint32_t handle);
/* The object of that number; NULL = none. */
struct record_syncobj *record_syncobj_by_id(const struct record_syncobjs *objects, uint32_t id);
/* Ends a handle.  *destroyed: the number of the object that went with it, 0 = it stays.  False:
 * there is none. */
bool record_syncobj_destroy(struct record_syncobjs *objects, uint32_t handle, uint32_t *destroyed);

/* Its fence is replaced by one that is signalled; by none. */
void record_syncobj_signal(struct record_syncobj *object);
void record_syncobj_reset(struct record_syncobj *object);
/* A signalled point joins its timeline. */
void record_syncobj_add_point(struct record_syncobj *object, uint64_t point);
/* Is there a fence for the point (0: any)?  Then it is signalled. */
bool record_syncobj_has(const struct record_syncobj *object, uint64_t point);
/* `to` gets what `from` has at a point; from has it. */
void record_syncobj_copy(struct record_syncobj *to, const struct record_syncobj *from,
                         uint64_t point);

#endif
