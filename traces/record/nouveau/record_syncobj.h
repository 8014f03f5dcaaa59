/* SPDX-License-Identifier: MIT */
/*
 * DRM's synchronisation objects as the stand-in plays them (drm_syncobj.c, dma-fence-chain.c).
 *
 * A submission is done when it is made, so a fence is always signalled.  An object's state is
 * therefore only whether it has a fence, and for a timeline which points it has reached.  So the
 * only waits are for work that has not been submitted yet.  In the trace objects have numbers that
 * are never used again; handles and descriptors do not occur.  A sync file is an object of its own
 * (SYNCOBJ FILE), so that replay, in which fences do take time, knows which state was copied where.
 *
 * A descriptor of an object or of a sync file is a small file that names it.  Not modelled:
 * ioctls and poll(2) on a sync file (it always polls as signalled), eventfds, the deadline of
 * waits. An object that was ever exported is never destroyed in the trace, because the stand-in
 * does not see whether its descriptor is closed.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_SYNCOBJ_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_SYNCOBJ_H

#include <stdbool.h>
#include <stdint.h>

enum { RECORD_SYNCOBJS_MAX = 1 << 16, RECORD_SYNCOBJ_HANDLES_MAX = 1 << 18 };

struct record_syncobj {
    uint32_t id;      /* in the trace, from 1; 0: the place is free */
    uint32_t handles; /* how many handles name it */
    bool has_fence, is_timeline;
    bool is_file;                 /* a sync file: only descriptors name it */
    uint64_t point, point_before; /* the last of the timeline and the one before it, 0 = none */
    bool exported;                /* there may be descriptors of it */
};

/* A table of all zeros is empty.  It lies in memory that all recorded processes share. */
struct record_syncobj_table {
    uint32_t count; /* places ever used */
    uint32_t last_id;
    struct record_syncobj objects[RECORD_SYNCOBJS_MAX];
    uint32_t handles[RECORD_SYNCOBJ_HANDLES_MAX]; /* index is handle - 1: index of the object + 1 */
};

/* Zero the struct first.  The table is the caller's; if it is NULL the objects get their own. */
struct record_syncobjs {
    struct record_syncobj_table *table;
    bool own;
};

void record_syncobjs_free(struct record_syncobjs *objects);

/* Makes an object and returns a handle of it; 0 means no room. */
uint32_t record_syncobj_create(struct record_syncobjs *objects);
/* Makes another handle of an existing object, by its index; 0 means no room. */
uint32_t record_syncobj_handle(struct record_syncobjs *objects, uint32_t index);
uint32_t record_syncobj_index(const struct record_syncobjs *objects,
                              const struct record_syncobj *object);
/* Makes a sync file and returns it; NULL means no room. */
struct record_syncobj *record_syncobj_file(struct record_syncobjs *objects);
/* Returns the object of a handle, valid until the next create, handle or file; NULL means none. */
struct record_syncobj *record_syncobj_find(const struct record_syncobjs *objects, uint32_t handle);
/* Returns the object of that number; NULL means none. */
struct record_syncobj *record_syncobj_by_id(const struct record_syncobjs *objects, uint32_t id);
/* Ends a handle.  *destroyed is the number of the object that ended with it; 0 means that the
 * object stays.  Returns false if there is no such handle. */
bool record_syncobj_destroy(struct record_syncobjs *objects, uint32_t handle, uint32_t *destroyed);

/* Replace the object's fence: record_syncobj_signal() by a signalled one, record_syncobj_reset() by
 * none. */
void record_syncobj_signal(struct record_syncobj *object);
void record_syncobj_reset(struct record_syncobj *object);
/* Adds a signalled point to the object's timeline. */
void record_syncobj_add_point(struct record_syncobj *object, uint64_t point);
/* Returns true if there is a fence for the point, which is then signalled.  Point 0 stands for any
 * fence. */
bool record_syncobj_has(const struct record_syncobj *object, uint64_t point);
/* Copies the fence of `from` at a point to `to`.  `from` must have that fence. */
void record_syncobj_copy(struct record_syncobj *to, const struct record_syncobj *from,
                         uint64_t point);

#endif
