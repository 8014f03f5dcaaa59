/* SPDX-License-Identifier: MIT */
/*
 * State and functions that the files of the passthrough recorder share (record_pass.h).
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_PASS_STATE_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_PASS_STATE_H

#include "traces/record/nouveau/record_nouveau_private.h"
#include "traces/record/nouveau/record_pass.h"

enum {
    PASS_PENDING_MAX = 4096, /* completion values that a process looks for; older are given up */
    PASS_FDS = 1024,         /* descriptors whose file is remembered if /proc cannot be read */
    PASS_EXPORTED_MAX = 256, /* objects without a handle that a dma-buf may still be for */
};

/* This process's own mapping of an object. */
struct pass_mapping {
    uint8_t *at;
    uint64_t bytes;
    uint32_t number; /* of the object; 0: there is none */
    uint32_t failed; /* it cannot be mapped */
};

/* A completion value that the GPU will write, by the methods of a submission. */
struct pass_pending {
    uint64_t va;
    uint64_t offset;        /* into the object */
    uint32_t bo, bo_number; /* place in the table, and in the trace */
    uint32_t bytes;
    uint32_t payload, payload_hi;
    uint32_t file;    /* serial */
    uint32_t channel; /* place in the table */
    uint32_t number;  /* of the channel, in the trace */
    uint32_t submission_id;
    uint8_t why;
    bool is_unknown; /* the value is not known beforehand: counters, reductions, times */
    bool two_words;  /* both halves of the payload are written */
};

struct record_pass {
    struct record_pass_next next;
    const struct record_pass_device *device;
    struct record_board board; /* the known figures of the device */
    uint32_t nonce;            /* of the marks: distinguishes this recording's from another's */
    int fd;                    /* of the call that is being recorded */
    uint32_t fd_files[PASS_FDS];
    struct pass_mapping
        *mappings;    /* by the place of the object; a forked child finds them zeroed */
    uint32_t *mapped; /* places of the mappings that exist; `mapped_count` of them */
    uint32_t mapped_count, mapped_capacity;
    struct pass_pending pending[PASS_PENDING_MAX]; /* in the order of the methods */
    uint32_t pending_count;
    uint8_t live[RECORD_MEMORY_BATCH_PAGES * RECORD_MEMORY_PAGE_BYTES];
};

void record_pass_free(struct record_pass *pass);

/* ---- record_pass_mark.c: marks on open files ---- */

enum record_pass_kind { RECORD_PASS_FILE, RECORD_PASS_SYNC };

/* Returns the number of the open file; 0 means that it has none. */
uint32_t record_pass_mark_read(struct record_pass *pass, int fd, enum record_pass_kind kind);
bool record_pass_mark_write(struct record_pass *pass, int fd, enum record_pass_kind kind,
                            uint32_t number);
/* Returns true while an open file has that number of RECORD_PASS_FILE.  pass->fd, which is of
 * another file, is used for the check. */
bool record_pass_file_is_open(const struct record_pass *pass, uint32_t number);
void record_pass_order_init(pthread_mutex_t *order);

/* ---- record_pass_object.c: objects and channels ---- */

void record_pass_object_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_pass_call *call);
void record_pass_object_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                              struct record_pass_call *call);
/* Returns the object of a dma-buf by its inode, or NULL. */
struct record_nouveau_bo *record_pass_object_of_dmabuf(struct record_nouveau *nouveau, int fd);
/* Returns the object that mmap(2) of the node at `offset` maps, or NULL. */
struct record_nouveau_bo *record_pass_object_at(struct record_nouveau *nouveau, uint64_t offset);

/* ---- record_pass_memory.c: the contents of objects ---- */

/* Returns this process's mapping of an object of the calling file, or of `fd` at `offset`; or NULL.
 */
const uint8_t *record_pass_memory_at(struct record_nouveau *nouveau,
                                     const struct record_caller *caller,
                                     struct record_nouveau_bo *bo, int fd, uint64_t offset);
bool record_pass_memory_is_mapped(const struct record_nouveau *nouveau,
                                  const struct record_nouveau_bo *bo);
/* Reads bytes of an object that a program has mapped.  Returns false if that is not possible. */
bool record_pass_memory_read(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_nouveau_bo *bo, uint64_t offset, void *to,
                             uint32_t bytes);
/* Takes the contents as known, because no process of the recording wrote them. */
void record_pass_memory_take(struct record_nouveau *nouveau, struct record_nouveau_bo *bo,
                             const uint8_t *from);
/* Record the bytes that the CPU changed in an object, at `va` of space `as_id`; and in all objects
 * that are mapped. */
void record_pass_memory_tell(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_nouveau_bo *bo, uint32_t as_id, uint64_t va);
void record_pass_memory_tell_all(struct record_nouveau *nouveau,
                                 const struct record_caller *caller);
/* Ends the mappings of objects that no longer exist. */
void record_pass_memory_sweep(struct record_nouveau *nouveau);

/* ---- record_pass_submit.c ---- */

void record_pass_submit_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_pass_call *call);
void record_pass_submit_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                              struct record_pass_call *call, int result);

void record_pass_submit_free(struct record_pass_call *call);

/* ---- record_pass_complete.c: completion values ---- */

void record_pass_complete_expect(struct record_nouveau *nouveau,
                                 const struct pass_pending *pending);
/* Makes words that the GPU wrote, or will have written, look unchanged.  `live` are the present
 * `bytes` of an object from `offset` on. */
void record_pass_complete_hide(struct record_nouveau *nouveau, const struct record_nouveau_bo *bo,
                               uint64_t offset, uint8_t *live, uint64_t bytes);

/* ---- record_pass_sync.c: synchronisation objects ---- */

void record_pass_sync_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_pass_call *call);
void record_pass_sync_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                            struct record_pass_call *call, int result);
/* Returns the handle of record_syncobj.h that the calling file's handle stands for; 0 means none.
 */
uint32_t record_pass_sync_object(const struct record_nouveau *nouveau, uint32_t handle);
/* Ends the objects of the calling file, which ends. */
void record_pass_sync_end(struct record_nouveau *nouveau, const struct record_caller *caller);

#endif
