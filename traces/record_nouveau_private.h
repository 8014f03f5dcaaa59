/* SPDX-License-Identifier: MIT */
/*
 * What the files of the stand-in's nouveau share: its state, and the answers that have files of
 * their own (record_object.c, record_submit.c, record_nvif.c).
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_PRIVATE_H
#define GFE_TRACES_RECORD_NOUVEAU_PRIVATE_H

#include "traces/record_nouveau.h"
#include "traces/record_uapi.h"
#include "traces/record_walk.h"

enum {
    NOUVEAU_CHANNELS_MAX = 64,
    NOUVEAU_HANDLES_MAX = 1 << 20,
    NOUVEAU_AS_ID = 0,
    NOUVEAU_CLIENT_ID = 0,
    NOUVEAU_IOCTLS = 256, /* the number is one byte of the request */
};

#define NOUVEAU_GART_BYTES (1ull << 40)

/* A handle of a buffer object. */
struct nouveau_bo {
    struct record_buffer *buffer; /* NULL: the handle is free */
    uint32_t domain, tile_mode, tile_flags;
    uint64_t prime_inode;   /* of its exported descriptor; 0: never exported */
    uint32_t listed_submit; /* the submission whose list last named it, to find duplicates */
};

struct nouveau_channel {
    bool used;
    uint32_t notifier; /* handle */
    struct record_walk walk;
};

struct record_nouveau {
    const struct record_board *board;
    struct record_memory *memory;
    struct record_out *out;

    struct nouveau_bo *bos; /* index is handle - 1 */
    uint32_t bo_capacity;
    uint64_t vram_used_bytes;
    struct nouveau_channel channels[NOUVEAU_CHANNELS_MAX];

    uint32_t submission_count;
    uint32_t list_count; /* of buffer lists seen, for listed_submit */
    uint64_t seen_address;
    uint32_t seen_value;

    bool refused[NOUVEAU_IOCTLS]; /* noted in the trace already */
    enum record_nouveau_fault fault;
    uint64_t run_count; /* for RECORD_FAULT_PAGES */

    /* A submission's arrays, copied from the caller. */
    struct uapi_pushbuf_buffer buffers[UAPI_PUSHBUF_BUFFERS_MAX];
    struct uapi_pushbuf_reloc relocs[UAPI_PUSHBUF_RELOCS_MAX];
    struct uapi_pushbuf_push pushes[UAPI_PUSHBUF_PUSHES_MAX];
    struct trace_push trace_pushes[UAPI_PUSHBUF_PUSHES_MAX];
};

/* The ioctl that is being answered. */
struct nouveau_call {
    const struct record_caller *caller;
    void *argument; /* the stand-in's copy, written back when the request says so */
    size_t bytes;   /* of the caller's argument */
};

/* The object of a handle, or NULL. */
struct nouveau_bo *nouveau_bo_find(struct record_nouveau *nouveau, uint32_t handle);
/* Makes an object: its handle, or 0.  `domain` is VRAM or GART. */
uint32_t nouveau_bo_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                        const struct uapi_gem_new *wanted, uint32_t domain);
/* 0, or -EINVAL when there is no such handle. */
int nouveau_bo_close(struct record_nouveau *nouveau, const struct record_caller *caller,
                     uint32_t handle);
/* The channel of a number, or NULL. */
struct nouveau_channel *nouveau_channel_find(struct record_nouveau *nouveau, uint32_t channel);
/* An OBJECT record, if the chip has the class: 0, or -EINVAL. */
int nouveau_object_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                       uint32_t channel, uint32_t handle, int32_t class_id);

/* Answers to ioctls: 0, or a negative errno. */
int record_object_new(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_object_info(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_object_close(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_object_export(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_object_import(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_submit_pushbuf(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_nvif_ioctl(struct record_nouveau *nouveau, struct nouveau_call *call);

#endif
