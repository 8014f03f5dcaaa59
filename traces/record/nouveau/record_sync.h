/* SPDX-License-Identifier: MIT */
/*
 * Functions that the files for DRM's synchronisation objects share (record_sync.c,
 * record_sync_wait.c, record_pass_sync.c).
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_SYNC_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_SYNC_H

#include "traces/record/nouveau/record_nouveau_private.h"

/* The arguments of reset, signal, query and the waits. */
struct record_nouveau_sync_array {
    uint32_t count;
    uint32_t *handles;
    uint64_t *points; /* zeros when the call has none */
};

/* A wait, or a poll, as the trace has it. */
struct record_nouveau_sync_wait {
    const char *call;
    uint64_t handles, points; /* the caller's addresses; points 0: none */
    int64_t timeout_ns;
    uint32_t count, flags;
    uint32_t *first_signaled;
};

/* Writes a SYNCOBJ record. */
void record_nouveau_sync_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                                const struct trace_syncobj *what);
/* Writes a SYNCOBJ_WAIT record; writes none if the wait was for nothing. */
void record_nouveau_sync_wait_record(struct record_nouveau *nouveau,
                                     const struct record_caller *caller,
                                     const struct record_nouveau_sync_wait *wait,
                                     const struct record_nouveau_sync_array *array, bool timed_out);

/* Copies an array of handles, every one of which must name an object.  Returns 0 or a negative
 * errno. Free the array in either case. */
int record_nouveau_sync_array_take(struct record_nouveau *nouveau, uint64_t handles, uint32_t count,
                                   struct record_nouveau_sync_array *array);
/* Copies the array of their points, if there is one.  Returns 0 or a negative errno. */
int record_nouveau_sync_points_take(struct record_nouveau_sync_array *array, uint64_t points);
/* Returns the i-th object; NULL means that another thread has destroyed it since. */
struct record_syncobj *record_nouveau_sync_array_at(const struct record_nouveau *nouveau,
                                                    const struct record_nouveau_sync_array *array,
                                                    uint32_t i);
void record_nouveau_sync_array_free(struct record_nouveau_sync_array *array);

#endif
