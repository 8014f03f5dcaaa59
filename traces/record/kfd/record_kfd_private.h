/* SPDX-License-Identifier: MIT */
/*
 * What the files of the KFD stand-in share: its state, and the functions of each.
 */
#ifndef GFE_TRACES_RECORD_KFD_RECORD_KFD_PRIVATE_H
#define GFE_TRACES_RECORD_KFD_RECORD_KFD_PRIVATE_H

#include "traces/record/kfd/record_kfd.h"
#include "traces/record/kfd/record_kfd_live.h"
#include "traces/record/kfd/record_kfd_pass.h"
#include "traces/record/kfd/record_kfd_uapi.h"

enum {
    RECORD_KFD_PAGE_BYTES = 4096,
    RECORD_KFD_DOORBELL_BYTES = 8, /* of one, on gfx9 */
    RECORD_KFD_DOORBELLS_BYTES = 8192,
    RECORD_KFD_DOORBELLS = RECORD_KFD_DOORBELLS_BYTES / RECORD_KFD_DOORBELL_BYTES,
    RECORD_KFD_QUEUES_MAX = 1024,
    RECORD_KFD_ARGUMENT_BYTES_MAX = 512,
    RECORD_KFD_AQL_BYTES = 64,
    RECORD_KFD_CODE_BYTES_MAX = 1 << 16,
    RECORD_KFD_KERNARG_BYTES_MAX = 256, /* when the descriptor does not say */
};

/* A memory object. */
struct record_kfd_object {
    uint64_t handle, va, bytes;
    uint64_t offset; /* in the file, unless is_user */
    uint8_t *host;   /* our view, or the program's memory; NULL: we cannot see it */
    bool is_user;
    uint32_t number; /* in the trace */
    uint32_t flags;
    uint32_t mapped; /* bit n: on the n-th GPU */
    unsigned gpu;    /* of which it was asked */
};

struct record_kfd_gpu {
    const struct record_kfd_board *board;
    uint32_t gpu_id, location_id;
    uint64_t vram_used;
    uint64_t *doorbells; /* our view; NULL: none yet */
    uint64_t doorbells_offset;
    uint8_t *program_at; /* where the program has them */
    size_t program_bytes;
    bool is_polled;
    uint32_t rings[RECORD_KFD_DOORBELLS]; /* index of the queue + 1 */
};

struct record_kfd_queue {
    bool used;
    uint32_t number;    /* the trace's */
    uint32_t kernel_id; /* what the program calls it */
    unsigned gpu, doorbell;
    uint32_t type, percentage;
    uint64_t ring_va, ring_bytes, read_va, write_va;
    bool rung;           /* 0 is a value, too */
    uint64_t highest;    /* SDMA: end of what was shown; AQL: the last packet shown */
    uint64_t told, read; /* the next to be recorded; to be worked on */
    uint64_t polled;     /* the doorbell when it was looked at last */
    bool waits_for_scratch;
    /* Above a real driver: a dispatch that wants more scratch than there was. */
    uint64_t scratch_index;
    uint32_t scratch_wanted, scratch_lane; /* bytes of a lane: wanted (0: none), there then */
};

/* What comes with an event: kfd_hsa_memory_exception_data, kfd_hsa_hw_exception_data. */
union record_kfd_exception_data {
    uint8_t bytes[32];
    struct {
        uint32_t not_present, read_only, no_execute, imprecise;
        uint64_t va;
        uint32_t gpu_id, error_type;
    } memory;
    struct {
        uint32_t reset_type, reset_cause, memory_lost, gpu_id;
    } hardware;
};

struct record_kfd_event {
    bool used, signaled, auto_reset;
    uint32_t type;
    uint32_t waiters; /* calls that wait for it */
    uint64_t set;     /* the kfd->event_sets of the last time */
    union record_kfd_exception_data exception;
};

/* What the trace was last told of 8 bytes that packets wait for or change. */
struct record_kfd_told {
    uint64_t va; /* 0: free */
    uint64_t value;
};

/* A kernel that is in the trace. */
struct record_kfd_kernel {
    uint64_t address;
    uint8_t descriptor[64];
    uint32_t code_crc;
};

struct record_kfd {
    struct record_out *out;
    struct record_kfd_numbers *numbers;
    unsigned gpu_count;
    struct record_kfd_gpu gpus[RECORD_KFD_GPUS_MAX];
    bool is_client; /* CLIENT and what goes with it are in the trace */
    uint32_t client_id;

    int fd; /* of the memory's file, at a high number; -1: none yet */
    dev_t file_device;
    ino_t file_inode;
    uint64_t cursor, next_handle;
    struct record_kfd_object *objects; /* in the order of their addresses */
    uint32_t object_count, object_capacity;
    uint64_t lost_page; /* the last page found unmapped */

    struct record_kfd_queue queues[RECORD_KFD_QUEUES_MAX];
    uint32_t queue_count; /* places in use so far */

    struct record_kfd_event events[KFD_EVENTS_MAX];
    uint64_t event_sets; /* how often events have been set */
    uint32_t event_count;
    uint64_t mailboxes; /* the GPU's address of their page; 0: the program gave none */

    struct record_kfd_told *told; /* open addressing */
    uint32_t told_count, told_capacity;
    struct record_kfd_kernel *kernels;
    uint32_t kernel_count, kernel_capacity;
    uint8_t refused[256 / 8], refused_drm[256 / 8];
    enum record_kfd_fault fault;                /* none without RECORD_BROKEN */
    uint32_t rung_count;                        /* counted for a fault */
    struct record_kfd_pass *pass;               /* above a real driver; NULL: it is we who answer */
    const struct record_kfd_live_ops *live_ops; /* NULL: no GPU is emulated; else: */
    void *live;
    struct record_caller live_caller; /* of the call that is under way */
    int live_result;                  /* what came of the last record; else 0 */
    uint64_t live_takes_ns;           /* and of all since the call began */
};

static inline bool record_kfd_is_broken(const struct record_kfd *kfd, enum record_kfd_fault fault)
{
#ifdef RECORD_BROKEN
    return kfd->fault == fault;
#else
    (void)kfd;
    (void)fault;
    return false;
#endif
}

/* Index of the GPU that has KFD's number, or gpu_count. */
unsigned record_kfd_gpu_find(const struct record_kfd *kfd, uint32_t gpu_id);
uint64_t record_kfd_gpu_clock(const struct record_kfd *kfd, unsigned gpu);

/* ---- record_kfd_memory.c ---- */

int record_kfd_alloc_memory(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_alloc_memory *alloc);
int record_kfd_free_memory(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct kfd_free_memory *which);
int record_kfd_map_memory(struct record_kfd *kfd, const struct record_caller *caller,
                          struct kfd_map_memory *map);
int record_kfd_unmap_memory(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_map_memory *map);
/* A new object goes into the table; false when memory is short. */
bool record_kfd_object_enter(struct record_kfd *kfd, const struct record_kfd_object *object);
/* The page of doorbells is there, or a negative errno. */
int record_kfd_doorbells_make(struct record_kfd *kfd, unsigned gpu);
struct record_kfd_object *record_kfd_object_of_handle(struct record_kfd *kfd, uint64_t handle);
/* The object on some GPU at an address, and how many bytes of it are from there on; NULL. */
const struct record_kfd_object *record_kfd_object_at(const struct record_kfd *kfd, uint64_t va,
                                                     uint64_t *bytes);
/* Where `bytes` at a GPU's address lie in this process; NULL, and a MARK once, when they do not. */
void *record_kfd_at(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                    uint64_t bytes);
/* False when part of a range is nowhere; what was in front of it is copied. */
bool record_kfd_copy(struct record_kfd *kfd, const struct record_caller *caller, uint64_t to,
                     uint64_t from, uint64_t bytes);
bool record_kfd_fill(struct record_kfd *kfd, const struct record_caller *caller, uint64_t to,
                     uint32_t value, uint64_t bytes);
void record_kfd_memory_free(struct record_kfd *kfd);

/* ---- record_kfd_tell.c: what goes into the trace ---- */

/* CLIENT, DEVICE and AS_CREATE, once. */
void record_kfd_tell_client(struct record_kfd *kfd, const struct record_caller *caller);
void record_kfd_tell_memory(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                            const void *data, uint32_t bytes);
/* 8 bytes that a packet waits for or changes: tells them if the trace has another value. */
void record_kfd_tell_value(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                           uint64_t value);
/* The trace knows the value, by a GPU_WRITE. */
void record_kfd_told_value(struct record_kfd *kfd, uint64_t va, uint64_t value);
/* The value that the trace has; false when it has none. */
bool record_kfd_told_find(const struct record_kfd *kfd, uint64_t va, uint64_t *value);
void record_kfd_tell_gpu_write(struct record_kfd *kfd, const struct record_caller *caller,
                               const struct record_kfd_queue *queue, uint64_t va,
                               enum trace_gpu_write_why why, const void *data, uint32_t bytes);
void record_kfd_tell_packet(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct record_kfd_queue *queue, enum trace_packet_what what,
                            uint64_t index, uint64_t va, const void *data, uint32_t bytes);
/* Code and arguments of a dispatch. */
void record_kfd_tell_kernel(struct record_kfd *kfd, const struct record_caller *caller,
                            uint64_t kernel, uint64_t arguments);
/* An address range is another's from now on. */
void record_kfd_tell_forget(struct record_kfd *kfd, uint64_t va, uint64_t bytes);

/* ---- record_kfd_event.c ---- */

int record_kfd_create_event(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_create_event *create);
int record_kfd_event_number(struct record_kfd *kfd, const struct record_caller *caller, unsigned nr,
                            const struct kfd_event_number *which);
int record_kfd_wait_events(struct record_kfd *kfd, const struct record_caller *caller,
                           struct kfd_wait_events *wait, struct record_kfd_wait *state);
/* What a real driver did: an event it made, a wait that has ended. */
void record_kfd_event_enter(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct kfd_create_event *create);
void record_kfd_wait_told(struct record_kfd *kfd, const struct record_caller *caller,
                          const struct kfd_wait_events *wait);
/* An interrupt with the event's number. */
void record_kfd_event_fire(struct record_kfd *kfd, uint32_t event_id);

/* An exception: the events of that type are set; their number. */
uint32_t record_kfd_event_except(struct record_kfd *kfd, uint32_t type,
                                 const union record_kfd_exception_data *data);

/* ---- record_kfd_live.c ---- */

enum record_kfd_left record_kfd_live_step(struct record_kfd *kfd,
                                          const struct record_caller *caller);

/* ---- record_kfd_queue.c ---- */

int record_kfd_create_queue(struct record_kfd *kfd, const struct record_caller *caller,
                            struct kfd_create_queue *create);
int record_kfd_destroy_queue(struct record_kfd *kfd, const struct record_caller *caller,
                             const struct kfd_destroy_queue *which);
int record_kfd_update_queue(struct record_kfd *kfd, const struct record_caller *caller,
                            const struct kfd_update_queue *update);
int record_kfd_set_cu_mask(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct kfd_set_cu_mask *set);
int record_kfd_queue_gws(struct record_kfd *kfd, const struct record_caller *caller,
                         struct kfd_queue_gws *gws);
bool record_kfd_queue_is_aql(const struct record_kfd_queue *queue);
/* A queue with a doorbell of its own, and its record; NULL when there are too many. */
struct record_kfd_queue *record_kfd_queue_enter(struct record_kfd *kfd,
                                                const struct record_caller *caller,
                                                const struct kfd_create_queue *create, unsigned gpu,
                                                unsigned doorbell);

/* ---- record_kfd_aql.c, record_kfd_sdma.c: a queue's packets ---- */

/* Records what was shown and is there. */
void record_kfd_aql_tell(struct record_kfd *kfd, const struct record_caller *caller,
                         struct record_kfd_queue *queue);
void record_kfd_sdma_tell(struct record_kfd *kfd, const struct record_caller *caller,
                          struct record_kfd_queue *queue);
/* Works on them as far as it can; true when there are some left. */
bool record_kfd_aql_work(struct record_kfd *kfd, const struct record_caller *caller,
                         struct record_kfd_queue *queue);
bool record_kfd_sdma_work(struct record_kfd *kfd, const struct record_caller *caller,
                          struct record_kfd_queue *queue);
/* A signal is set, with its event. */
void record_kfd_signal_set(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_queue *queue, uint64_t signal, uint64_t value);

void record_kfd_tell_scratch(struct record_kfd *kfd, const struct record_caller *caller,
                             const struct record_kfd_queue *queue, enum trace_scratch_what what,
                             uint32_t private_bytes);
/* Bytes of scratch that each lane of a queue has; false when its amd_queue_t is nowhere. */
bool record_kfd_lane_bytes(struct record_kfd *kfd, const struct record_caller *caller,
                           const struct record_kfd_queue *queue, uint32_t *bytes);

/* ---- record_kfd_pass.c, record_kfd_pass_complete.c: above a real driver; nothing above none ----
 */

enum record_kfd_pending_what {
    RECORD_KFD_PENDING_SIGNAL, /* a packet takes one off 64 bits */
    RECORD_KFD_PENDING_FENCE,  /* a packet writes 32 bits */
    RECORD_KFD_PENDING_WATCH,  /* a packet waits for 64 bits, until the read index passes `value` */
};
/* A packet of the queue that was shown will write or look there. */
void record_kfd_pass_pending(struct record_kfd *kfd, const struct record_caller *caller,
                             const struct record_kfd_queue *queue,
                             enum record_kfd_pending_what what, uint64_t va, uint64_t value);
/* Memory, or a queue, is no more: nothing is looked for there. */
void record_kfd_pass_forget(struct record_kfd *kfd, uint64_t va, uint64_t bytes);
void record_kfd_pass_queue_end(struct record_kfd *kfd, const struct record_kfd_queue *queue);
/* A value was seen: is it what packets made of the one that the trace has?  Then it has been told.
 */
bool record_kfd_pass_value(struct record_kfd *kfd, const struct record_caller *caller, uint64_t va,
                           uint64_t value);
/* Records, before a doorbell is recorded, the completions that have come until then. */
void record_kfd_pass_before_doorbell(struct record_kfd *kfd, const struct record_caller *caller);
/* Reads how far the GPU is in the queue's ring.  Returns false if the read index is not in memory.
 */
bool record_kfd_pass_read_index(const struct record_kfd *kfd, const struct record_kfd_queue *queue,
                                uint64_t *index);
/* Records, before packets of a queue are looked at, the completions that have come until then. */
void record_kfd_pass_refresh(struct record_kfd *kfd, const struct record_caller *caller,
                             struct record_kfd_queue *queue);
/* A dispatch was shown that wants scratch. */
void record_kfd_pass_scratch(struct record_kfd *kfd, const struct record_caller *caller,
                             struct record_kfd_queue *queue, uint32_t wanted);
/* The round over all queues. */
enum record_kfd_left record_kfd_pass_step(struct record_kfd *kfd,
                                          const struct record_caller *caller);
/* A store goes to the real doorbell. */
void record_kfd_pass_store(struct record_kfd *kfd, unsigned gpu, uint64_t offset, uint64_t value,
                           unsigned bytes);
void record_kfd_pass_free(struct record_kfd *kfd);

/* ---- record_kfd_queue.c: for record_kfd_pass_complete.c ---- */

void record_kfd_queue_tell(struct record_kfd *kfd, const struct record_caller *caller,
                           struct record_kfd_queue *queue);
void record_kfd_queue_ring(struct record_kfd *kfd, const struct record_caller *caller,
                           struct record_kfd_queue *queue, uint64_t value);

/* ---- record_kfd_blit.c ---- */

/* Is it one of ROCr's own kernels? */
enum trace_kernel_what record_kfd_blit_what(struct record_kfd *kfd,
                                            const struct record_caller *caller, uint64_t kernel);
void record_kfd_blit_run(struct record_kfd *kfd, const struct record_caller *caller,
                         uint64_t kernel, uint64_t arguments);

#endif
