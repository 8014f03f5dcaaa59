/* SPDX-License-Identifier: MIT */
/*
 * The CUDA runtime and user-mode driver.  The model turns the calls of host threads into what a GPU
 * sees of them: memory, GP entries and doorbells.
 *
 * Each process has one context with the channels that the kernel driver made for it (rm.h,
 * rm_cuda_context_build_with()).  A call puts an operation into the queue of its stream (T.G1). The
 * operation at the head of a stream's queue goes on when the rules of the NULL stream let it (T.N1,
 * T.N2) and, if it is a kernel, its stream holds one of the compute channels (B.R2): a QMD and a
 * pushbuffer are written and the channel's doorbell is rung (T.G2, T.C1).  The GPU releases a
 * semaphore when the operation is complete (T.G4, T.C4).  A stream takes a channel when a kernel
 * joins its queue, and holds it until its last kernel has been dispatched (B.C1).  Choice point
 * cuda.channel_next says which waiting stream gets a free channel (B.C2).  Its alternative static
 * is what an H100 was seen to do: a stream has one channel for ever (CUDA.CHANNEL_TURN), and the
 * streams of a channel have their work done in the order of the calls (CUDA.CHANNEL_ORDER).
 *
 * With cuda.send_ahead a stream has several operations with the GPU at a time (CUDA.AHEAD), and the
 * acquire of a semaphore keeps their order there (CUDA.STREAM_ACQUIRE).  Events and the NULL
 * stream's order are still the runtime's: what waits for them is not sent.
 *
 * Sources: Amert et al. 2017, s.3.2 and 4; Bakita and Anderson 2024, s.V-B and VI-A; the CUDA
 * programming guide (streams, events, implicit synchronization); CUDA driver API (stream
 * synchronization behavior: CUDA.PER_THREAD).  ASSUMED, because the runtime is not
 * published: that without cuda.send_ahead order within a stream is kept by sending an operation
 * when the one before it has completed; how it learns that a kernel has been dispatched (here: the
 * kernel's blocks count themselves as they start); that copies by copy engines have channels of
 * their own, by direction, of which streams share four (cuda_route.c says which copies go another
 * way); that all copies of a process go to and from the same two places; registers of kernels; all
 * times.
 *
 * A process may begin in the middle of a run: it makes its context then, which interrupts other
 * processes' kernels (B.D1), and its tasks begin when the context is initialised.  A large
 * allocation interrupts them once.
 *
 * With MPS (cuda_mps.c) processes are clients of one server.
 *
 * Not modelled: launches from the device (refused), graphs, managed memory, callbacks, several
 * GPUs, the time of the examiner's own small copies of its results.
 */
#ifndef GFE_FIRMWARE_MODELS_CUDA_CUDA_H
#define GFE_FIRMWARE_MODELS_CUDA_CUDA_H

#include "devices/core/cost.h"
#include "firmware-models/cuda/cuda_program.h"
#include "firmware-models/rm/rm.h"

struct nv_chip;
struct nv_qmd_layout;

#define CUDA_NONE UINT32_MAX

enum {
    CUDA_INLINE_MAX = 1 << 18,   /* bytes of a copy in a pushbuffer */
    CUDA_OPERATIONS_MAX = 65536, /* in the queues of all streams */
    CUDA_DEPTH_MAX = 4096,       /* of a stream's queue */
    CUDA_AHEAD_MAX = 32,         /* of a stream's operations with the GPU at a time */
};

GFE_STATE_BEGIN
struct cuda_operation {
    uint64_t operation_id; /* in the order of the calls */
    uint64_t iteration;
    uint32_t stream, task, call;
    uint32_t next; /* 1 + the next operation in its stream's queue, or in the list of free ones */
    uint32_t submitted;
    uint32_t wait_rule; /* the rule that it waits by; RULE_NONE = it goes on */
    gfe_ps wait_from_ps;
    uint64_t blocker_id; /* operation; 0 = none */
    gfe_ps released_ps;  /* its response time counts from here */
    uint64_t awaited_id; /* of a wait for an event: the event's record operation; 0 = none */
    uint32_t awaited_stream;
    uint32_t channel_id; /* that it was sent to, if `sent` */
    uint32_t sent;
    uint32_t next_on_channel; /* 1 + the one called next that has the same static channel */
    uint32_t payload;         /* that its end releases to its stream's semaphore, if `sent` */
    uint32_t channel;     /* index of the process's channel that it has room in, if `submitted` */
    uint32_t behind_copy; /* of CUDA_RELEASE: 1 + the call of the copy whose channel it has; 0: the
                             stream's compute channel */
    uint32_t reserved;
};

/* Response times of a call's operations, to their completion.  They count from the call, or in a
 * task with a period from the release of its iteration. */
struct cuda_response {
    uint64_t count, worst_iteration;
    gfe_ps best_ps, worst_ps, first_ps, last_ps;
    gfe_ps sum_ps;
};

/* What cudaEventRecord() did last. */
struct cuda_event_state {
    uint64_t operation_id; /* 0 = never */
    uint32_t stream, reserved;
};

struct cuda_stream_state {
    uint32_t first, last, count; /* 1 + operation */
    uint32_t next, sending;      /* 1 + the first operation that is not submitted, and not sent */
    uint32_t ahead;              /* operations that are submitted and need the GPU */
    uint32_t last_channel;       /* index of the channel that it was sent to last */
    uint32_t channel;      /* index of the process's channel that it holds; CUDA_NONE = none */
    uint32_t payload;      /* of its semaphore, which counts its operations */
    uint32_t kernel_count; /* of the operations in its queue that need a compute channel */
    uint32_t dispatched;   /* 1: as many of its kernel's blocks have started as B.C1 asks */
    uint32_t last_copy; /* 1 + the call of its last operation, if a copy engine makes it; else 0 */
    gfe_ps since_ps;    /* when it began to wait for a channel; GFE_PS_NEVER = it does not wait */
};

struct cuda_process_state {
    uint32_t put[RM_CONTEXT_CHANNELS_MAX];       /* GP_PUT of its channels */
    uint32_t in_flight[RM_CONTEXT_CHANNELS_MAX]; /* GP entries of operations that are submitted */
    uint64_t entries[RM_CONTEXT_CHANNELS_MAX];   /* GP entries so far */
    uint32_t objects[RM_CONTEXT_CHANNELS_MAX];   /* bit per subchannel that has its object */
    uint32_t holder[RM_CONTEXT_COMPUTE_MAX];     /* 1 + stream; 0 = free */
    /* Of static channels: 1 + the operations that have not been handed over, oldest first. */
    uint32_t first[RM_CONTEXT_COMPUTE_MAX], last[RM_CONTEXT_COMPUTE_MAX];
    struct rm_cuda_context context;
};

/* The state of a host thread. */
enum cuda_task_phase {
    CUDA_TASK_BEGINS,
    CUDA_TASK_AT_BARRIER, /* the one before its release */
    CUDA_TASK_SLEEPS,     /* until its release */
    CUDA_TASK_MEETS,      /* before an iteration */
    CUDA_TASK_BETWEEN,    /* until its next release */
    CUDA_TASK_CALLS,
    CUDA_TASK_IN_CALL, /* until its time has passed */
    CUDA_TASK_WAITS,   /* until a stream, the device or room in a queue */
    CUDA_TASK_ENDED,
};

struct cuda_task_state {
    uint32_t phase; /* enum cuda_task_phase */
    uint32_t call;  /* its next call, counted from its first */
    uint32_t warm;  /* 1: its warm-up is over, or it has none */
    uint32_t wait_kind;
    uint64_t iteration;
    uint64_t wait_id; /* the operation that, with all before it, has to be complete */
    gfe_ps released_ps, iteration_ps, call_ps;
};

struct cuda_state {
    uint32_t free_operation, used_operations;
    uint32_t tasks_left, reserved;
    uint64_t operation_count;            /* calls so far that made an operation */
    uint32_t at_barrier[CUDA_TASKS_MAX]; /* by group */
    struct cuda_event_state events[CUDA_EVENTS_MAX];
    struct cuda_operation operations[CUDA_OPERATIONS_MAX];
};
GFE_STATE_END

/* How the work of a call reaches the GPU. */
enum cuda_way {
    CUDA_BY_ENGINE,   /* by a copy channel; calls without work have this way, too */
    CUDA_BY_GRAPHICS, /* by the copy object of the stream's compute channel */
    CUDA_INLINE,      /* as data in the pushbuffer of the stream's compute channel */
    CUDA_BY_KERNEL,
    CUDA_RELEASE, /* an event's record, as a release in the channel of the stream's last work */
};

struct cuda_call_route {
    enum cuda_way way;
    uint32_t kernel; /* index of struct cuda's `kernels`, if `way` is CUDA_BY_KERNEL */
};

struct cuda {
    struct machine *machine;
    const struct nv_chip *model;
    const struct cuda_program *program; /* borrowed */
    struct rm *rm;
    struct cost_table *costs;
    const struct nv_qmd_layout *layout;
    uint32_t unit;
    struct cuda_kernel *kernels; /* the program's, then those of copies; owned, not their names */
    struct cuda_call_route *routes; /* by call; owned */
    uint32_t kernel_count;
    uint32_t inline_bytes; /* of the largest copy whose way is CUDA_INLINE, in whole pages */
    uint64_t data_bytes;   /* of the largest copy, in whole pages */
    uint32_t first_streams[CUDA_PROCESSES_MAX + 1]; /* of each process; the last is the end */
    uint32_t group_sizes[CUDA_TASKS_MAX];
    struct cuda_state *state;
    struct cuda_stream_state *streams;
    struct cuda_process_state *processes;
    struct cuda_task_state *tasks;
    struct cuda_response *responses; /* by call */
};

/* Adds the model to a machine that is being wired, as a unit after the resource manager's.  The
 * program and the costs are borrowed.  Returns NULL with a message if the runtime cannot drive the
 * GPU, or if the GPU is too small. */
struct cuda *cuda_new(struct machine *machine, const struct nv_chip *model, struct rm *rm,
                      struct cost_table *costs, const struct cuda_program *program,
                      struct gfe_error *error);
void cuda_free(struct cuda *cuda);
/* Returns how many levels cudaDeviceGetStreamPriorityRange() reports: two on the TX2 (Amert et al.
 * 2017, s.4.2).  ASSUMED: two on all chips up to Pascal; six on later ones. */
uint32_t cuda_priority_levels(const struct nv_chip *model);
/* Returns true if clients of MPS may have shares of the GPU, as they may from Volta on. */
bool cuda_mps_has_shares(const struct nv_chip *model);
/* Checks the model's parameters, and settles the ways of copies by them.  Returns false with a
 * message if a value is impossible. */
bool cuda_check_parameters(struct cuda *cuda, struct gfe_error *error);

/* ---- between the parts of the model ---------------------------------------------------------- */

/* Events of the unit.  The low bits of an event's kind say which event it is; the other bits say
 * which stream, task or process it belongs to. */
enum cuda_event { CUDA_WAKE, CUDA_SUBMITS, CUDA_DONE, CUDA_STARTED, CUDA_MAKES, CUDA_EVENT_KINDS };

static inline struct cuda_operation *cuda_operation(const struct cuda *cuda, uint32_t link)
{
    return &cuda->state->operations[link - 1];
}
static inline const struct cuda_call *cuda_call_of(const struct cuda *cuda,
                                                   const struct cuda_operation *operation)
{
    return &cuda->program->calls[operation->call];
}
/* Returns the way of the operation's work. */
static inline enum cuda_way cuda_way_of(const struct cuda *cuda,
                                        const struct cuda_operation *operation)
{
    return cuda->routes[operation->call].way;
}
/* Returns true if the operation needs one of the compute channels, as kernels do. */
static inline bool cuda_computes(const struct cuda *cuda, const struct cuda_operation *operation)
{
    return cuda_way_of(cuda, operation) != CUDA_BY_ENGINE && operation->behind_copy == 0;
}
/* Returns the kernel of an operation whose way is CUDA_BY_KERNEL. */
static inline const struct cuda_kernel *cuda_kernel_of(const struct cuda *cuda,
                                                       const struct cuda_operation *operation)
{
    return &cuda->kernels[cuda->routes[operation->call].kernel];
}
static inline gfe_ps cuda_parameter(const struct cuda *cuda, uint32_t parameter)
{
    return machine_parameter(cuda->machine, parameter);
}

/* cuda_mps.c: processes as clients of one MPS server. */
bool cuda_mps(const struct cuda *cuda);
/* Returns true if the clients share the server's context, as they do up to Pascal. */
bool cuda_mps_shared(const struct cuda *cuda);
/* Returns the process whose context this process uses: its own or, with cuda_mps_shared(), the
 * first. */
uint32_t cuda_context_of(const struct cuda *cuda, uint32_t process);
/* Return the first stream of all processes that use that context, and the end, which is exclusive.
 */
uint32_t cuda_context_first_stream(const struct cuda *cuda, uint32_t context);
uint32_t cuda_context_end_stream(const struct cuda *cuda, uint32_t context);
/* Checks the limits of MPS.  Returns false with a message if there are more clients than a server
 * takes, or more channels than its groups hold. */
bool cuda_mps_check(const struct cuda *cuda, struct gfe_error *error);
/* Returns how many SMs the blocks of a process's kernels may occupy. */
uint32_t cuda_mps_sms(const struct cuda *cuda, uint32_t process);
/* Returns the TPCs that its kernels may not use, in addition to a kernel's own mask. */
struct mask128 cuda_mps_mask(const struct cuda *cuda, uint32_t process);
/* Returns true for the chip of which static channels, ways of copies and shares of MPS were seen.
 */
bool cuda_is_gh100(const struct nv_chip *model);
/* Logs the clients of the server. */
void cuda_mps_tell(const struct cuda *cuda);

/* cuda_stream.c */
/* Returns the rule by which a kernel joins the GPU's queue: T.G2, or Y.R2 on the poster's GPU. */
uint32_t cuda_rule_head(const struct cuda *cuda);
/* Returns how many of a stream's operations may be with the GPU at a time (CUDA.AHEAD). */
uint32_t cuda_ahead(const struct cuda *cuda);
/* Puts an operation into its stream's queue (T.G1).  Returns its id; 0 means that the queue is
 * full. */
uint64_t cuda_stream_enqueue(struct cuda *cuda, uint32_t task, uint32_t call, uint64_t iteration);
/* Returns 1 + the operation behind this one in its stream that is to be sent next; 0 means that
 * none has been submitted. */
uint32_t cuda_stream_unsent(const struct cuda *cuda, const struct cuda_operation *operation);
/* Handles a release of the stream's semaphore. */
void cuda_stream_done(struct cuda *cuda, uint32_t stream);
/* Lets the heads of all streams of a process go on where the rules allow it. */
void cuda_stream_review(struct cuda *cuda, uint32_t process);
/* Returns true if the operation with that id, and all before it in its stream, have left the queue.
 */
bool cuda_stream_passed(const struct cuda *cuda, uint32_t stream, uint64_t operation_id);
/* Logs the waits that have no end. */
void cuda_stream_log_open(struct cuda *cuda);
/* Returns the id of the last operation in the stream's queue; 0 means that the queue is empty. */
uint64_t cuda_stream_last(const struct cuda *cuda, uint32_t stream);

/* cuda_channel.c */
/* Returns true if the stream, whose head is a kernel, holds a channel or gets one now. */
bool cuda_channel_get(struct cuda *cuda, uint32_t stream);
/* Frees the stream's channel if the stream no longer needs it, and gives it to a waiting stream. */
void cuda_channel_review(struct cuda *cuda, uint32_t stream);
/* Returns true if streams keep their channels for ever (CUDA.CHANNEL_TURN). */
bool cuda_channel_static(const struct cuda *cuda);
/* Gives each stream its static channel, if channels are static, and logs it. */
void cuda_channel_start(struct cuda *cuda);
/* Logs the static channels of a process's streams, once its context is made. */
void cuda_channel_tell(const struct cuda *cuda, uint32_t process);
/* Puts an operation that needs a compute channel, by its link, behind the others of its static
 * channel. */
void cuda_channel_append(struct cuda *cuda, uint32_t link);
/* Returns the id of the operation that was called before and has to be handed to the static channel
 * first (CUDA.CHANNEL_ORDER).  Returns 0 if there is none. */
uint64_t cuda_channel_blocker(const struct cuda *cuda, const struct cuda_operation *operation);
/* Notes that the operation, the first of its static channel, is handed over.  Returns the process
 * whose operation is the first now, or CUDA_NONE. */
uint32_t cuda_channel_pass(struct cuda *cuda, const struct cuda_operation *operation);
/* Notes that blocks of the stream's kernel have started. */
void cuda_channel_started(struct cuda *cuda, uint32_t stream);

/* Return how many compute channels of a process streams may get, and how many are made. */
uint32_t cuda_channel_count(const struct cuda *cuda);
uint32_t cuda_channel_made(const struct cuda *cuda);

/* cuda_route.c */
/* Makes room for the ways of a program's calls.  Returns false if there is no memory. */
bool cuda_route_alloc(struct cuda *cuda);
void cuda_route_free(struct cuda *cuda);
/* Decides the way of each call.  Returns false with a message if the copies need too many kernels.
 */
bool cuda_route_settle(struct cuda *cuda, struct gfe_error *error);

/* cuda_context.c */
/* Makes the contexts of the processes that are there from the start on, and schedules the others.
 */
void cuda_submit_start(struct cuda *cuda);
/* Makes the context of a process that begins now, and has it initialised (B.D1). */
void cuda_submit_make(struct cuda *cuda, uint32_t process);
/* Tells the kernel driver of memory that a process allocates, which may need the graphics engine
 * (B.D1). */
void cuda_submit_allocate(struct cuda *cuda, uint32_t process, uint64_t bytes);
/* Returns the full id of a channel of a process's context, as the GPU's events have it. */
uint32_t cuda_submit_channel_id(const struct cuda *cuda, uint32_t process, uint32_t channel);

/* cuda_submit.c */
/* Hands the first operation of the stream that is submitted and not sent to its channel. */
void cuda_submit(struct cuda *cuda, uint32_t stream);
/* Returns how many GP entries the operation takes. */
uint32_t cuda_submit_entries(const struct cuda *cuda, const struct cuda_operation *operation);
/* Returns true if the ring of the operation's channel has room for it. */
bool cuda_submit_has_room(const struct cuda *cuda, const struct cuda_operation *operation);
/* Takes room in the ring for an operation, and gives it back once the operation is complete. */
void cuda_submit_reserve(struct cuda *cuda, struct cuda_operation *operation);
void cuda_submit_release(struct cuda *cuda, const struct cuda_operation *operation);
/* Watches for the next release of the stream's semaphore. */
void cuda_submit_watch(struct cuda *cuda, uint32_t stream);
/* Returns the value of the stream's semaphore. */
uint32_t cuda_submit_semaphore(struct cuda *cuda, uint32_t stream);
/* Watches for the next start of a block of the stream's kernel, if the blocks report their starts.
 */
void cuda_submit_watch_started(struct cuda *cuda, uint32_t stream);
/* Returns how many blocks of the stream's kernel have started. */
uint32_t cuda_submit_started(struct cuda *cuda, uint32_t stream);

/* cuda_task.c */
/* Returns the time from which the response time of an operation in the task's present iteration
 * counts. */
gfe_ps cuda_task_release(const struct cuda *cuda, uint32_t task);
void cuda_task_start(struct cuda *cuda);
void cuda_task_wake(struct cuda *cuda, uint32_t task);
/* Wakes the threads that wait for an operation of the process that has completed. */
void cuda_task_completed(struct cuda *cuda, uint32_t process);
/* Logs the threads whose wait has no end. */
void cuda_task_log_open(struct cuda *cuda);

#endif
