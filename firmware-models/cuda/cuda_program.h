/* SPDX-License-Identifier: MIT */
/*
 * Programs that use CUDA, as far as a GPU's front end notices.  A program has processes, their
 * streams, the kernels that they launch, and for each host thread (a task) the calls that it makes
 * again and again.  A configuration (emu/sim/scenario.h) makes the program.  The model of the
 * runtime (cuda.h) carries it out and never changes it.
 */
#ifndef GFE_FIRMWARE_MODELS_CUDA_CUDA_PROGRAM_H
#define GFE_FIRMWARE_MODELS_CUDA_CUDA_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/mask128.h"

enum {
    CUDA_PROCESSES_MAX = 64,
    CUDA_STREAMS_MAX = 4096,
    CUDA_TASKS_MAX = 4096,
    CUDA_KERNELS_MAX = 4096,
    CUDA_CALLS_MAX = 1 << 20,
    CUDA_EVENTS_MAX = 4096,
};

enum cuda_call_kind {
    CUDA_LAUNCH,             /* <<<...>>> */
    CUDA_MEMCPY,             /* cudaMemcpyAsync; `synchronous`: cudaMemcpy */
    CUDA_MEMSET,             /* cudaMemsetAsync; `synchronous`: cudaMemset */
    CUDA_STREAM_SYNCHRONIZE, /* cudaStreamSynchronize */
    CUDA_DEVICE_SYNCHRONIZE, /* cudaDeviceSynchronize */
    CUDA_EVENT_RECORD,       /* cudaEventRecord */
    CUDA_STREAM_WAIT_EVENT,  /* cudaStreamWaitEvent */
    CUDA_MALLOC,             /* cudaMalloc and cudaHostAlloc: a call, and if large B.D1 */
    CUDA_FREE,               /* cudaFree: waits for the device */
    CUDA_SLEEP,              /* no call: the thread sleeps */
};

enum cuda_direction { CUDA_HOST_TO_DEVICE, CUDA_DEVICE_TO_HOST, CUDA_DEVICE_TO_DEVICE };

/* The part of a benchmark's iteration that a call belongs to. */
enum cuda_phase { CUDA_COPY_IN, CUDA_EXECUTE, CUDA_COPY_OUT, CUDA_PHASES };

/* How long each block takes. */
enum cuda_time {
    CUDA_TIME_DEFAULT, /* core.block_*_cycles */
    CUDA_TIME_CLOCK,   /* picoseconds by the clock, from its start: spins until they have passed */
    CUDA_TIME_WORK,    /* picoseconds of work: the count stops while the block is off its SM */
    CUDA_TIME_LOOPS,   /* rounds of a loop (cuda.loop_cycles) */
};

struct cuda_kernel {
    char *name;           /* never NULL */
    uint64_t block_count; /* 1 or more */
    uint32_t block_threads, shared_bytes;
    uint32_t registers; /* of a thread; 0: the default (cuda.registers) */
    /* 1 + the preferred carve-out in per cent of the most shared memory of an SM; 0: none is asked
     * for (cudaFuncAttributePreferredSharedMemoryCarveout) */
    uint32_t carveout;
    uint32_t cluster;       /* blocks of a cluster; 0: no clusters */
    struct mask128 sm_mask; /* bit n: not on TPC n */
    enum cuda_time time;
    uint64_t amount; /* in the unit of `time` */
};

struct cuda_call {
    enum cuda_call_kind kind;
    enum cuda_phase phase;
    uint32_t stream; /* index; of LAUNCH, MEMCPY, MEMSET, STREAM_SYNCHRONIZE and those of events */
    uint32_t kernel; /* index; of LAUNCH */
    uint32_t event;  /* of EVENT_RECORD and STREAM_WAIT_EVENT */
    uint64_t bytes;  /* of MEMCPY, MEMSET and MALLOC */
    enum cuda_direction direction;
    uint32_t rows; /* of a two-dimensional copy of MEMCPY; 0 or 1: the copy has one dimension */
    bool pageable; /* of MEMCPY: the host's memory is not pinned */
    bool synchronous;
    bool graphics; /* of MEMCPY: by the graphics runlist's copy engine, as OpenGL uploads go */
    gfe_ps sleep_ps;
};

enum cuda_stream_kind {
    CUDA_BLOCKING_STREAM,     /* cudaStreamCreate: T.N1, T.N2 */
    CUDA_NON_BLOCKING_STREAM, /* cudaStreamNonBlocking */
    CUDA_NULL_STREAM,         /* the process's, at most one */
    CUDA_PER_THREAD_STREAM,   /* cudaStreamPerThread: a blocking one of a host thread's own */
};

struct cuda_stream {
    uint32_t process;
    enum cuda_stream_kind kind;
    uint32_t priority; /* T.A1: 0 = the lowest */
};

/* A host thread.  It sleeps, then makes its calls once in each iteration. */
struct cuda_task {
    char *name; /* never NULL; may be "" */
    uint32_t process;
    uint32_t first_call, call_count; /* of the program's calls */
    uint32_t group;                  /* tasks that wait for each other at barriers */
    gfe_ps start_ps;                 /* when the thread begins */
    gfe_ps release_ps;               /* its sleep after the barrier at its start */
    gfe_ps period_ps; /* iteration n begins n periods after the release, or when the one before it
                         is done if that is later; 0: always when the one before it is done */
    uint64_t max_iterations; /* 0: no limit */
    gfe_ps max_time_ps;      /* iterations start only in this time after the release; 0: no limit */
    bool warms_up;           /* an iteration before the barrier, which does not count */
    bool meets;              /* waits before each iteration for all tasks of its group */
};

struct cuda_program {
    char *name;
    bool mps; /* its processes are clients of one MPS server, whatever parameter cuda.mps is */
    uint32_t process_count, stream_count, kernel_count, call_count, task_count, event_count;
    uint32_t group_count;
    uint32_t shares_ppm[CUDA_PROCESSES_MAX]; /* of the GPU's SMs, of clients of MPS; 0: all */
    /* When a process makes its context, which then is initialised (B.D1), before its tasks begin;
     * 0: before the run. */
    gfe_ps starts_ps[CUDA_PROCESSES_MAX];
    struct cuda_stream *streams;
    struct cuda_kernel *kernels;
    struct cuda_call *calls;
    struct cuda_task *tasks;
};

#endif
