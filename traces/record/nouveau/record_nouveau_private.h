/* SPDX-License-Identifier: MIT */
/*
 * What the files of the stand-in's nouveau share: its state, and the answers that have files of
 * their own (record_file.c, record_object.c, record_prime.c, record_submit.c, record_nvif.c,
 * record_bind.c, record_exec.c, record_sync.c).  Above a real driver (record_pass.h) the same state
 * says what that driver has.
 *
 * struct record_nouveau_table is what a kernel would know.  It lies in memory that all recorded
 * processes share, so it has no pointers and no sizes that grow, and it is sparse: what was never
 * used costs nothing.  A process can be killed at any instruction, with the lock held.  So whatever
 * is made is first written to the trace and into the file, then entered here, and the member that
 * makes it count is stored last; whatever ends is first taken out here.  record_nouveau_repair()
 * derives the rest again.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_NOUVEAU_PRIVATE_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_NOUVEAU_PRIVATE_H

#include <pthread.h>

#include "traces/record/nouveau/record_nouveau.h"
#include "traces/record/nouveau/record_nouveau_live.h"
#include "traces/record/nouveau/record_syncobj.h"
#include "traces/record/nouveau/record_uapi.h"
#include "traces/record/nouveau/record_vm.h"
#include "traces/record/nouveau/record_walk.h"

enum {
    RECORD_NOUVEAU_CHANNELS_MAX = 64, /* of the device */
    RECORD_NOUVEAU_FILES_MAX = 512,
    RECORD_NOUVEAU_PAGE_HANDLES = 1024,
    RECORD_NOUVEAU_HANDLES_MAX = 1 << 20, /* of a file */
    RECORD_NOUVEAU_FILE_PAGES = RECORD_NOUVEAU_HANDLES_MAX / RECORD_NOUVEAU_PAGE_HANDLES,
    RECORD_NOUVEAU_PAGES_MAX = 2048,    /* of all files */
    RECORD_NOUVEAU_IOCTLS = 256,        /* the number is one byte of the request */
    RECORD_NOUVEAU_SYNCS_MAX = 1 << 16, /* of one job, and operations of one VM_BIND */
    RECORD_NOUVEAU_DMABUF_BITS = 1 << 16,
    RECORD_NOUVEAU_NAMES_MAX = 1 << 16, /* of synchronisation objects, above a real driver */
};

#define RECORD_NOUVEAU_GART_BYTES (1ull << 40)
#define RECORD_NOUVEAU_BAR_BYTES  (256ull << 20) /* ASSUMED: BAR1 as it is without resizing */

/* A buffer object; its buffer is that of the same number. */
struct record_nouveau_bo {
    uint32_t number; /* in the trace, never used again; 0: there is no object */
    uint32_t domain, tile_mode, tile_flags;
    uint32_t flink_name;      /* 0: none */
    uint32_t handle_count;    /* of all files */
    uint32_t listed_submit;   /* the submission whose list last named it, to find duplicates */
    uint32_t last_submission; /* that listed it; 0: none */
    uint32_t is_exported;     /* a PRIME descriptor of it was made */
    uint32_t no_share;
    uint32_t vm_files; /* that manage their addresses themselves and have a handle */
    uint32_t bound_by; /* a file whose own address space shows it without a handle: serial, or 0 */
    uint64_t prime_device, prime_inode; /* of the file that its descriptors are of */
    uint64_t home_va;                   /* in the space of its first handle (record_buffer.as_id) */

    /* Above a real driver. */
    uint64_t map_handle; /* where mmap(2) of the node finds it */
    uint32_t is_mapped;  /* a program has mapped it: the CPU may write there */
    uint32_t untold;     /* said in the trace already that it cannot be looked into */
};

/* If a process dies while it changes a number, the number is not given again: the trace may or may
 * not have its CHANNEL or CHANNEL_END. */
enum record_nouveau_channel_used {
    RECORD_NOUVEAU_CHANNEL_FREE,
    RECORD_NOUVEAU_CHANNEL_USED,
    RECORD_NOUVEAU_CHANNEL_CHANGING
};

struct record_nouveau_channel {
    uint32_t used;     /* enum record_nouveau_channel_used */
    uint32_t number;   /* in the trace; the place in the table but above a real driver */
    uint32_t file;     /* serial */
    uint32_t notifier; /* handle */
    uint32_t as_id;
    struct record_walk walk;
};

/* What one open(2) of the node made, however many descriptors and processes have it: the kernel's
 * struct drm_file with its nouveau_cli. */
struct record_nouveau_file {
    uint32_t serial;    /* never used again; 0: there is none */
    uint32_t is_client; /* CLIENT is in the trace */
    uint32_t has_space; /* and the AS_CREATE of as_id */
    uint32_t has_vm;    /* it manages that space itself (VM_INIT) */
    uint32_t is_legacy; /* it has made something after which it may not */
    uint32_t client_id, as_id;
    uint32_t process_id, thread_id; /* who used it last */
    uint32_t last_submission;
    uint32_t seen_value; /* last completion made */
    uint64_t seen_address;
    uint32_t sync_count;   /* names of synchronisation objects that it has (record_pass_sync.c) */
    uint32_t free_hint;    /* no handle below it is free */
    pthread_mutex_t order; /* its submissions to a real driver come one after the other */
    uint32_t pages[RECORD_NOUVEAU_FILE_PAGES]; /* index + 1 of the pages of its handles */
};

struct record_nouveau_page {
    uint32_t used;
    uint32_t bos[RECORD_NOUVEAU_PAGE_HANDLES]; /* number of the buffer + 1; 0: the handle is free */
    uint64_t vas[RECORD_NOUVEAU_PAGE_HANDLES]; /* where the file's address space shows it */
};

/* A file's name for a synchronisation object, above a real driver. */
struct record_nouveau_name {
    uint32_t file;   /* serial; 0: never used; UINT32_MAX: not used any more */
    uint32_t handle; /* the real driver's */
    uint32_t object; /* a handle of record_syncobj.h */
};

struct record_nouveau_table {
    uint64_t vram_used_bytes;
    uint32_t submission_count;
    uint32_t list_count; /* of buffer lists seen, for listed_submit */
    uint32_t bo_count, client_count, space_count, file_count, flink_count,
        bind_count; /* ever made */
    uint64_t nonce; /* tells this stand-in's descriptors from another's */
    struct record_nouveau_channel channels[RECORD_NOUVEAU_CHANNELS_MAX];
    struct record_nouveau_file files[RECORD_NOUVEAU_FILES_MAX];
    struct record_nouveau_page pages[RECORD_NOUVEAU_PAGES_MAX];
    struct record_nouveau_bo bos[RECORD_MEMORY_BUFFERS_MAX];
    struct record_syncobj_table syncobjs;
    struct record_nouveau_name names[RECORD_NOUVEAU_NAMES_MAX];
    _Atomic uint8_t dmabufs[RECORD_NOUVEAU_DMABUF_BITS]; /* 1: one may have an inode of that hash */
};

/* An address space that a file manages itself.  Only the process that made it, and its children,
 * know what is bound there. */
struct record_nouveau_space {
    uint32_t file; /* serial */
    uint32_t as_id;
    struct record_vm *vm;
};

/* The driver as one process uses it. */
struct record_nouveau {
    const struct record_board *board;
    struct record_memory *memory;
    struct record_out *out;
    const char *directory;    /* of the recording, where PRIME's files are; NULL: there is none */
    struct record_pass *pass; /* above a real driver; NULL: this is the stand-in */
    struct record_nouveau_table *table;
    bool own_table;
    struct record_nouveau_file *file; /* of the call that is being answered */
    struct record_nouveau_space *spaces;
    uint32_t space_count, space_capacity;
    struct record_syncobjs syncobjs;

    const struct record_nouveau_live_ops *live_ops; /* NULL: no GPU is emulated; else: */
    void *live;
    int live_result;        /* what came of the last record; else 0 */
    uint64_t live_takes_ns; /* and how long the call should take */

    bool refused[RECORD_NOUVEAU_IOCTLS]; /* noted in the trace already */
    enum record_nouveau_fault fault;
    uint64_t run_count; /* for RECORD_FAULT_PAGES */

    /* A submission's arrays, copied from the caller. */
    struct uapi_pushbuf_buffer buffers[UAPI_PUSHBUF_BUFFERS_MAX];
    struct uapi_pushbuf_reloc relocs[UAPI_PUSHBUF_RELOCS_MAX];
    struct uapi_pushbuf_push pushes[UAPI_PUSHBUF_PUSHES_MAX];
    struct trace_push trace_pushes[UAPI_PUSHBUF_PUSHES_MAX];
};

/* The ioctl that is being answered. */
struct record_nouveau_call {
    const struct record_caller *caller;
    void *argument; /* the stand-in's copy, written back when the request says so */
    size_t bytes;   /* of the caller's argument */
};

/* What a job waits for and signals: numbers of the trace. */
struct record_nouveau_syncs {
    struct trace_sync *waits, *signals;
    uint32_t *signal_handles;
    uint32_t wait_count, signal_count;
};
/* As a job's lists arrive. */
struct record_nouveau_sync_lists {
    uint64_t waits, signals;
    uint32_t wait_count, signal_count;
};

/* The lists of one VM_BIND. */
struct record_nouveau_bind_lists {
    struct uapi_vm_bind_op *raw;
    struct record_vm_op *ops;
    struct trace_bind *binds;
    struct record_nouveau_syncs syncs;
};

/* What a submission's callbacks need. */
struct record_nouveau_submission {
    struct record_nouveau *nouveau;
    const struct record_caller *caller;
    uint32_t channel;
};
/* A CPU_WAIT record that ends now. */
void record_nouveau_wait_record(struct record_nouveau *nouveau, const struct record_caller *caller,
                                const struct trace_cpu_wait *wait);
/* Records a change of memory; of type record_memory_changed. */
void record_nouveau_record_changed(void *submission, const struct record_buffer *buffer,
                                   uint64_t va, const uint8_t *data, uint32_t bytes);
/* Makes and records a completion; of type record_walk_found. */
void record_nouveau_complete(void *submission, const struct record_walk_write *write);

/* The calling file has a CLIENT in the trace from here on; and an address space. */
void record_nouveau_file_client(struct record_nouveau *nouveau, const struct record_caller *caller);
void record_nouveau_file_tell(struct record_nouveau *nouveau, const struct record_caller *caller);
/* The address space that the calling file manages itself, or NULL. */
struct record_vm *record_nouveau_client_vm(struct record_nouveau *nouveau);
/* The one that a channel has, or NULL. */
struct record_vm *record_nouveau_channel_vm(struct record_nouveau *nouveau,
                                            const struct record_nouveau_channel *channel);
/* Returns a new address space of the calling file, with the number as_id, or NULL without memory.
 */
struct record_vm *record_nouveau_space_new(struct record_nouveau *nouveau, uint32_t as_id,
                                           uint64_t kernel_va, uint64_t kernel_bytes);
/* The file of a serial, or NULL. */
struct record_nouveau_file *record_nouveau_file_find(const struct record_nouveau *nouveau,
                                                     uint32_t serial);
/* Returns the place of a handle of the calling file, which holds the number of its buffer + 1, or
 * 0. With `make` a missing place is made.  Returns NULL if there is no place. */
uint32_t *record_nouveau_handle_place(struct record_nouveau *nouveau, uint32_t handle, bool make);

/* Where the calling file's address space shows the object of a handle that it has. */
uint64_t record_nouveau_handle_va(const struct record_nouveau *nouveau, uint32_t handle);
void record_nouveau_handle_va_set(struct record_nouveau *nouveau, uint32_t handle, uint64_t va);

/* The object of a handle of the file that is calling, or NULL. */
struct record_nouveau_bo *record_nouveau_bo_find(const struct record_nouveau *nouveau,
                                                 uint32_t handle);
struct record_buffer *record_nouveau_bo_buffer(const struct record_nouveau *nouveau,
                                               const struct record_nouveau_bo *bo);
/* Makes an object: its handle, or 0.  `domain` is VRAM or GART. */
uint32_t record_nouveau_bo_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                               const struct uapi_gem_new *wanted, uint32_t domain);
/* An object without a handle yet, or NULL. */
struct record_nouveau_bo *record_nouveau_bo_new(struct record_nouveau *nouveau,
                                                const struct uapi_gem_new *wanted, uint32_t domain);
void record_nouveau_bo_free(struct record_nouveau *nouveau, struct record_nouveau_bo *bo);
/* The calling file has the object by a handle that is free, shown at `va`.  False when there is no
 * room. */
bool record_nouveau_handle_put(struct record_nouveau *nouveau, const struct record_caller *caller,
                               struct record_nouveau_bo *bo, uint32_t handle, uint64_t va);
/* 0, or -EINVAL when there is no such handle. */
int record_nouveau_bo_close(struct record_nouveau *nouveau, const struct record_caller *caller,
                            uint32_t handle);
/* Frees objects that no process can reach any more. */
void record_nouveau_bo_sweep(struct record_nouveau *nouveau);
/* The channel of a number if it is the calling file's, or NULL. */
struct record_nouveau_channel *record_nouveau_channel_find(struct record_nouveau *nouveau,
                                                           uint32_t channel);
/* A free place for a channel, or NULL. */
struct record_nouveau_channel *record_nouveau_channel_place(struct record_nouveau *nouveau,
                                                            const struct record_caller *caller);
/* A CHANNEL record of the calling file; the caller sets the notifier and `used`. */
void record_nouveau_channel_begin(struct record_nouveau *nouveau,
                                  const struct record_caller *caller,
                                  struct record_nouveau_channel *channel, uint32_t number,
                                  uint32_t engine);
void record_nouveau_channel_end(struct record_nouveau *nouveau, const struct record_caller *caller,
                                struct record_nouveau_channel *channel);
/* An OBJECT record. */
void record_nouveau_object_record(struct record_nouveau *nouveau,
                                  const struct record_caller *caller, uint32_t channel,
                                  uint32_t handle, int32_t class_id);
/* The same if the chip has the class: 0, or -EINVAL. */
int record_nouveau_object_add(struct record_nouveau *nouveau, const struct record_caller *caller,
                              uint32_t channel, uint32_t handle, int32_t class_id);

/* A new descriptor that stands for the object, or a negative errno; `flags` may have O_CLOEXEC. */
int record_nouveau_prime_open(struct record_nouveau *nouveau, struct record_nouveau_bo *bo,
                              uint32_t flags);
/* True while such a descriptor is open in any process. */
bool record_nouveau_prime_is_open(const struct record_nouveau *nouveau,
                                  const struct record_nouveau_bo *bo);
void record_nouveau_prime_remove(const struct record_nouveau *nouveau,
                                 const struct record_nouveau_bo *bo);
/* Returns the object that a descriptor stands for, by its file, or NULL if there is none. */
struct record_nouveau_bo *record_nouveau_prime_find(const struct record_nouveau *nouveau,
                                                    uint64_t device, uint64_t inode);

/* With an emulated GPU: GEM_CPU_PREP's answer (RECORD_NOUVEAU_AGAIN: the call waits on). */
int record_nouveau_live_prep(struct record_nouveau *nouveau, const struct record_caller *caller,
                             uint32_t submission_id, bool waits);
/* Memory that the submission uses is going to be given back; nothing without an emulated GPU. */
void record_nouveau_live_finish(struct record_nouveau *nouveau, const struct record_caller *caller,
                                uint32_t submission_id);

/* Answers to ioctls: 0, or a negative errno. */
int record_object_new(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_object_info(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_object_close(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_object_flink(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_object_open(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_object_export(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_object_import(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_submit_pushbuf(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_nvif_ioctl(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_bind_init(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_bind_ioctl(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_exec_ioctl(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_create(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_destroy(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_to_fd(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_from_fd(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_wait(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_timeline_wait(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_reset(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_signal(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_timeline_signal(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_query(struct record_nouveau *nouveau, struct record_nouveau_call *call);
int record_sync_transfer(struct record_nouveau *nouveau, struct record_nouveau_call *call);

/* The calling file manages its addresses itself from here on: 0, or a negative errno. */
int record_nouveau_bind_begin(struct record_nouveau *nouveau,
                              const struct record_nouveau_call *call);
/* A VM_BIND's lists, copied and checked: 0, or a negative errno.  Free them in either case. */
int record_nouveau_bind_lists_take(struct record_nouveau *nouveau,
                                   struct record_nouveau_bind_lists *lists,
                                   const struct uapi_vm_bind *bind);
void record_nouveau_bind_lists_free(struct record_nouveau_bind_lists *lists);
void record_nouveau_bind_record(struct record_nouveau *nouveau,
                                const struct record_nouveau_call *call,
                                const struct record_nouveau_bind_lists *lists);
/* An EXEC record. */
void record_nouveau_exec_record(const struct record_nouveau_submission *submission,
                                const struct uapi_exec *exec, const struct uapi_exec_push *pushes,
                                const struct record_nouveau_syncs *syncs);

/* A job's lists, copied from the caller and checked: 0, or a negative errno.  Free them then. */
int record_sync_take(struct record_nouveau *nouveau, const struct record_nouveau_sync_lists *lists,
                     struct record_nouveau_syncs *syncs);
/* The job is done: what it signals is signalled. */
void record_sync_done(struct record_nouveau *nouveau, const struct record_nouveau_syncs *syncs);
void record_sync_free(struct record_nouveau_syncs *syncs);
/* The object of a handle of the file that is calling, or NULL. */
struct record_syncobj *record_nouveau_syncobj_find(const struct record_nouveau *nouveau,
                                                   uint32_t handle);
/* True when an address space of the calling file, managed by itself, shows the object. */
bool record_bind_shows(const struct record_nouveau *nouveau, const struct record_nouveau_bo *bo);
/* Objects without a handle that nothing shows any more go. */
void record_bind_sweep(struct record_nouveau *nouveau);

#endif
