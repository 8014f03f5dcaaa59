/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/nouveau/record_syncobj.h"

#include <stdlib.h>
#include <string.h>

void record_syncobjs_free(struct record_syncobjs *objects)
{
    if (objects->own)
        free(objects->table);
    *objects = (struct record_syncobjs){0};
}

static bool table_ready(struct record_syncobjs *objects)
{
    if (objects->table)
        return true;
    objects->table = calloc(1, sizeof *objects->table);
    objects->own = objects->table != NULL;
    return objects->own;
}

/* A free place, with its number; NULL when there is none. */
static struct record_syncobj *object_new(struct record_syncobjs *objects)
{
    struct record_syncobj_table *table;
    uint32_t at = 0;

    if (!table_ready(objects))
        return NULL;
    table = objects->table;
    while (at < table->count && table->objects[at].id != 0)
        at++;
    if (at == RECORD_SYNCOBJS_MAX)
        return NULL;
    table->objects[at] = (struct record_syncobj){.id = ++table->last_id};
    if (at == table->count)
        table->count++;
    return &table->objects[at];
}

/* The lowest free handle, as the kernel's; 0 when there is none. */
static uint32_t handle_new(const struct record_syncobjs *objects)
{
    for (uint32_t handle = 1; handle <= RECORD_SYNCOBJ_HANDLES_MAX; handle++)
        if (objects->table->handles[handle - 1] == 0)
            return handle;
    return 0;
}

uint32_t record_syncobj_index(const struct record_syncobjs *objects,
                              const struct record_syncobj *object)
{
    return (uint32_t)(object - objects->table->objects);
}

uint32_t record_syncobj_handle(struct record_syncobjs *objects, uint32_t index)
{
    const uint32_t handle = handle_new(objects);

    if (handle == 0)
        return 0;
    objects->table->handles[handle - 1] = index + 1;
    objects->table->objects[index].handles++;
    return handle;
}

uint32_t record_syncobj_create(struct record_syncobjs *objects)
{
    struct record_syncobj *object = object_new(objects);
    uint32_t handle;

    if (!object)
        return 0;
    handle = record_syncobj_handle(objects, record_syncobj_index(objects, object));
    if (handle == 0)
        *object = (struct record_syncobj){0};
    return handle;
}

struct record_syncobj *record_syncobj_file(struct record_syncobjs *objects)
{
    struct record_syncobj *object = object_new(objects);

    if (object)
        object->is_file = true;
    return object;
}

struct record_syncobj *record_syncobj_find(const struct record_syncobjs *objects, uint32_t handle)
{
    if (handle == 0 || handle > RECORD_SYNCOBJ_HANDLES_MAX || !objects->table ||
        objects->table->handles[handle - 1] == 0)
        return NULL;
    return &objects->table->objects[objects->table->handles[handle - 1] - 1];
}

struct record_syncobj *record_syncobj_by_id(const struct record_syncobjs *objects, uint32_t id)
{
    for (uint32_t i = 0; objects->table && i < objects->table->count && id != 0; i++)
        if (objects->table->objects[i].id == id)
            return &objects->table->objects[i];
    return NULL;
}

bool record_syncobj_destroy(struct record_syncobjs *objects, uint32_t handle, uint32_t *destroyed)
{
    struct record_syncobj *object = record_syncobj_find(objects, handle);

    *destroyed = 0;
    if (!object)
        return false;
    objects->table->handles[handle - 1] = 0;
    if (--object->handles == 0 && !object->exported) {
        *destroyed = object->id;
        *object = (struct record_syncobj){0};
    }
    return true;
}

/* ---- fences ---------------------------------------------------------------------------------- */

void record_syncobj_signal(struct record_syncobj *object)
{
    object->has_fence = true;
    object->is_timeline = false;
    object->point = object->point_before = 0;
}

void record_syncobj_reset(struct record_syncobj *object)
{
    object->has_fence = object->is_timeline = false;
    object->point = object->point_before = 0;
}

/* A point that is not later than the last begins a new row of points, and takes the last's number:
 * a timeline's number never falls. */
void record_syncobj_add_point(struct record_syncobj *object, uint64_t point)
{
    const uint64_t last = object->is_timeline ? object->point : 0;

    object->point_before = point > last ? last : 0;
    object->point = point > last ? point : last;
    object->has_fence = object->is_timeline = true;
}

bool record_syncobj_has(const struct record_syncobj *object, uint64_t point)
{
    if (point == 0)
        return object->has_fence;
    return object->is_timeline && object->point >= point;
}

/* A point that the last one of a timeline stands for is that last one; an earlier one is gone, and
 * what is left of it is a plain signalled fence. */
void record_syncobj_copy(struct record_syncobj *to, const struct record_syncobj *from,
                         uint64_t point)
{
    const bool is_last = from->is_timeline && (point == 0 || point > from->point_before);
    const uint64_t last = from->point, before = from->point_before;

    record_syncobj_signal(to);
    if (is_last) {
        to->is_timeline = true;
        to->point = last;
        to->point_before = before;
    }
}
