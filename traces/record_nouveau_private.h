/* SPDX-License-Identifier: MIT */
/*
 * What the files of the stand-in's nouveau share: its state, and the answers that have files of
 * their own (record_object.c, record_submit.c, record_nvif.c, record_bind.c, record_exec.c,
 * record_sync.c).
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_PRIVATE_H
#define GFE_TRACES_RECORD_NOUVEAU_PRIVATE_H

#include "traces/record_nouveau.h"
#include "traces/record_syncobj.h"
#include "traces/record_uapi.h"
#include "traces/record_vm.h"
#include "traces/record_walk.h"

enum {
    NOUVEAU_CHANNELS_MAX = 64,
    NOUVEAU_HANDLES_MAX = 1 << 20,
    NOUVEAU_AS_ID = 0,
    NOUVEAU_CLIENT_ID = 0,
    NOUVEAU_IOCTLS = 256, /* the number is one byte of the request */
    NOUVEAU_CLIENTS_MAX = 4096,
    NOUVEAU_SYNCS_MAX = 1 << 16, /* of one job, and operations of one VM_BIND */
};

#define NOUVEAU_GART_BYTES (1ull << 40)
#define NOUVEAU_BAR_BYTES  (256ull << 20) /* ASSUMED: BAR1 as it is without resizing */

/* A handle of a buffer object. */
struct nouveau_bo {
    struct record_buffer *buffer; /* NULL: the handle is free */
    uint32_t domain, tile_mode, tile_flags;
    bool no_share;
    uint64_t prime_inode;   /* of its exported descriptor; 0: never exported */
    uint32_t listed_submit; /* the submission whose list last named it, to find duplicates */
};

/* Who opened the node, if it matters: it has asked for VM_INIT, or for something after which it may
 * not. */
struct nouveau_client {
    uint32_t client_id;
    uint32_t as_id;
    struct record_vm *vm; /* NULL: the kernel manages its addresses */
};

struct nouveau_channel {
    bool used;
    uint32_t client_id;
    const struct record_vm *vm; /* its client's, or NULL */
    uint32_t notifier;          /* handle */
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
    struct nouveau_client *clients;
    uint32_t client_count, client_capacity;
    struct record_vm **vms; /* of all clients, also of those that began anew */
    uint32_t vm_count, vm_capacity;
    uint32_t as_count;              /* address spaces made */
    struct record_buffer **orphans; /* without a handle, but still bound */
    uint32_t orphan_count, orphan_capacity;
    struct record_syncobjs syncobjs;
    uint64_t nonce; /* tells this stand-in's descriptors from another's */
    uint32_t bind_count;

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

/* What a job waits for and signals: numbers of the trace. */
struct nouveau_syncs {
    struct trace_sync *waits, *signals;
    uint32_t *signal_handles;
    uint32_t wait_count, signal_count;
};
/* As a job's lists arrive. */
struct nouveau_sync_lists {
    uint64_t waits, signals;
    uint32_t wait_count, signal_count;
};

/* What a submission's callbacks need. */
struct nouveau_submission {
    struct record_nouveau *nouveau;
    const struct record_caller *caller;
    uint32_t channel;
};
/* Records a change of memory; of type record_memory_changed. */
void nouveau_record_changed(void *submission, const struct record_buffer *buffer, uint64_t va,
                            const uint8_t *data, uint32_t bytes);
/* Makes and records a completion; of type record_walk_found. */
void nouveau_complete(void *submission, const struct record_walk_write *write);

/* The client that makes the call; NULL: no memory, or too many. */
struct nouveau_client *nouveau_client_of(struct record_nouveau *nouveau,
                                         const struct record_caller *caller);
/* From now on the kernel manages its addresses, unless it does so itself already. */
void nouveau_client_is_legacy(struct record_nouveau *nouveau, const struct record_caller *caller);
/* Its own address space, or NULL. */
struct record_vm *nouveau_client_vm(struct record_nouveau *nouveau,
                                    const struct record_caller *caller);

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
int record_bind_init(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_bind_ioctl(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_exec_ioctl(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_create(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_destroy(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_to_fd(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_from_fd(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_wait(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_timeline_wait(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_reset(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_signal(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_timeline_signal(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_query(struct record_nouveau *nouveau, struct nouveau_call *call);
int record_sync_transfer(struct record_nouveau *nouveau, struct nouveau_call *call);

/* A job's lists, copied from the caller and checked: 0, or a negative errno.  Free them then. */
int record_sync_take(struct record_nouveau *nouveau, const struct nouveau_sync_lists *lists,
                     struct nouveau_syncs *syncs);
/* The job is done: what it signals is signalled. */
void record_sync_done(struct record_nouveau *nouveau, const struct nouveau_syncs *syncs);
void record_sync_free(struct nouveau_syncs *syncs);
/* Buffers without a handle that nothing shows any more go. */
void record_bind_sweep(struct record_nouveau *nouveau);

#endif
