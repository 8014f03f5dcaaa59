/* SPDX-License-Identifier: MIT */
/*
 * What the files of the passthrough recorder share (record_pass.h).
 */
#ifndef GFE_TRACES_RECORD_PASS_STATE_H
#define GFE_TRACES_RECORD_PASS_STATE_H

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
    bool is_unknown; /* what will be written is not known: counters, reductions, times */
    bool two_words;  /* both halves of the payload are */
};

struct record_pass {
    struct record_pass_next next;
    const struct record_pass_device *device;
    struct record_board board; /* what of it can be known */
    uint32_t nonce;            /* of the marks: tells this recording's from another's */
    int fd;                    /* of the call that is being recorded */
    uint32_t fd_files[PASS_FDS];
    struct pass_mapping
        *mappings;    /* by the place of the object; a forked child finds them zeroed */
    uint32_t *mapped; /* places of those that are there; `mapped_count` of them */
    uint32_t mapped_count, mapped_capacity;
    struct pass_pending pending[PASS_PENDING_MAX]; /* in the order of the methods */
    uint32_t pending_count;
    uint8_t live[RECORD_MEMORY_BATCH_PAGES * RECORD_MEMORY_PAGE_BYTES];
};

void record_pass_free(struct record_pass *pass);

/* ---- record_pass_mark.c: marks on open files ---- */

enum record_pass_kind { RECORD_PASS_FILE, RECORD_PASS_SYNC };

/* The number that the open file has, 0: none. */
uint32_t record_pass_mark_read(struct record_pass *pass, int fd, enum record_pass_kind kind);
bool record_pass_mark_write(struct record_pass *pass, int fd, enum record_pass_kind kind,
                            uint32_t number);
/* True while an open file has the number of RECORD_PASS_FILE; asked from pass->fd, which is of
 * another one. */
bool record_pass_file_is_open(const struct record_pass *pass, uint32_t number);
void record_pass_order_init(pthread_mutex_t *order);

/* ---- record_pass_object.c: objects and channels ---- */

void record_pass_object_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_pass_call *call);
void record_pass_object_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                              struct record_pass_call *call);
/* The object of a dma-buf by its inode, or NULL. */
struct record_nouveau_bo *record_pass_object_of_dmabuf(struct record_nouveau *nouveau, int fd);
/* The object that mmap(2) of the node at `offset` shows, or NULL. */
struct record_nouveau_bo *record_pass_object_at(struct record_nouveau *nouveau, uint64_t offset);

/* ---- record_pass_memory.c: what lies in objects ---- */

/* This process's mapping of an object that the calling file, or `fd` at `offset`, shows; NULL. */
const uint8_t *record_pass_memory_at(struct record_nouveau *nouveau,
                                     const struct record_caller *caller,
                                     struct record_nouveau_bo *bo, int fd, uint64_t offset);
bool record_pass_memory_is_mapped(const struct record_nouveau *nouveau,
                                  const struct record_nouveau_bo *bo);
/* Reads bytes of an object that a program has mapped; false when that is not possible. */
bool record_pass_memory_read(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_nouveau_bo *bo, uint64_t offset, void *to,
                             uint32_t bytes);
/* The contents are as they are: nobody of the recording wrote them. */
void record_pass_memory_take(struct record_nouveau *nouveau, struct record_nouveau_bo *bo,
                             const uint8_t *from);
/* Records what the CPU changed in an object, at `va` of space `as_id`; in all that are mapped. */
void record_pass_memory_tell(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_nouveau_bo *bo, uint32_t as_id, uint64_t va);
void record_pass_memory_tell_all(struct record_nouveau *nouveau,
                                 const struct record_caller *caller);
/* Ends the mappings of objects that are gone. */
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
/* Words of `bytes` of an object from `offset` on, now `live`, that the GPU wrote or will have
 * written, are made to look unchanged. */
void record_pass_complete_hide(struct record_nouveau *nouveau, const struct record_nouveau_bo *bo,
                               uint64_t offset, uint8_t *live, uint64_t bytes);

/* ---- record_pass_sync.c: synchronisation objects ---- */

void record_pass_sync_before(struct record_nouveau *nouveau, const struct record_caller *caller,
                             struct record_pass_call *call);
void record_pass_sync_after(struct record_nouveau *nouveau, const struct record_caller *caller,
                            struct record_pass_call *call, int result);
/* The handle of record_syncobj.h that the calling file's handle stands for, 0: none. */
uint32_t record_pass_sync_object(const struct record_nouveau *nouveau, uint32_t handle);
/* The calling file ends. */
void record_pass_sync_end(struct record_nouveau *nouveau, const struct record_caller *caller);

#endif
