/* SPDX-License-Identifier: MIT */
/*
 * AMD's HIP runtime: HIP, ROCclr and ROCr.  The model turns the calls of host threads into what the
 * kernel driver and a GPU see of them.  HIP and ROCclr turn streams into HSA queues, and launches
 * into AQL packets.  ROCr's queues are rings in memory, which it registers with the kernel driver's
 * model (kfd.h).
 *
 *     thread -> hip_runtime_launch() -> stream -> HSA queue: ring, write index, doorbell
 *            <- signal: polled, or by interrupt <--------------- completion
 *
 * A process has an address space, one HSA queue of ROCr's own and hip.initial_queues of the pool. A
 * stream makes an HSA queue of its own until its priority's pool has hip.max_hw_queues.  Then it
 * gets the queue with the fewest users, of several the oldest.  A stream with a CU mask always
 * makes a queue of its own, which it never shares; the mask is set before anything is launched
 * (A.Q2, A.M2).  If the driver refuses a queue, the runtime asks again with half the ring, down to
 * 64 packets.  After that it shares a queue.
 *
 * A kernel's packet has the barrier bit and no signal.  To wait for a stream, a thread writes a
 * barrier packet after the kernel's packet, also with the barrier bit, and with a completion
 * signal. So streams that share a queue keep their order, and wait for each other (A.Q3).  The
 * thread polls the signal for hip.active_wait_ps, then it sleeps until the interrupt of the
 * signal's event.
 *
 * Sources: ROCclr @442ede03 (rocm-5.2.x) device/rocm/rocdevice.cpp (acquireQueue(),
 * getQueueFromPool(): the same in 4.2), rocvirtual.cpp (packet headers, dispatchBarrierPacket(),
 * releaseGpuMemoryFence()), rocvirtual.hpp (WaitForSignal()), utils/flags.hpp; ROCR-Runtime
 * amd_aql_queue.cpp, interrupt_signal.cpp, amd_hsa_queue.h, amd_hsa_signal.h; ROCT-Thunk-Interface
 * src/queues.c (sizes of what is saved of waves).  From recordings: what queues a process has,
 * rings of 4,096 packets, priorities 0, 7 and 15.  ASSUMED: addresses, and in which memory things
 * lie; that a least used queue is the oldest (the runtime's table is ordered by address); that
 * streams are made one after another, in the order in which they were asked for; one signal for
 * each stream, where ROCclr has some in turn; all times.  Not modelled: copies and fills, kernel
 * arguments, scratch memory, events and callbacks, cooperative queues, ROC_GLOBAL_CU_MASK, ends of
 * streams and processes.
 */
#ifndef GFE_FIRMWARE_MODELS_HIP_HIP_RUNTIME_H
#define GFE_FIRMWARE_MODELS_HIP_HIP_RUNTIME_H

#include "emu/engine/machine.h"
#include "firmware-models/extent.h"
#include "firmware-models/kfd/kfd.h"

#define HIP_NONE UINT32_MAX

enum {
    HIP_PROCESSES_MAX = 128,
    HIP_STREAMS_MAX = 128,
    HIP_KERNELS_MAX = 256, /* of a process */
    /* Each stream makes one at most, each process hip.utility_queues and hip.initial_queues. */
    HIP_QUEUES_MAX = 1024,
    HIP_MASK_WORDS = 8,
    HIP_RING_PACKETS = 4096,
    HIP_RING_PACKETS_MIN = 64,
    HIP_UTILITY_RING_PACKETS = 64,
    HIP_PRIORITIES = 3, /* pools */
};

/* Priorities of hipStreamCreateWithPriority(). */
enum hip_priority { HIP_PRIORITY_HIGH = -1, HIP_PRIORITY_NORMAL = 0, HIP_PRIORITY_LOW = 1 };

/* A stream to be made, with a priority or with a mask of mask_bits bits; 0 bits mean no mask. */
struct hip_stream_options {
    int32_t priority;
    uint32_t mask_bits; /* up to 32 * HIP_MASK_WORDS */
    const uint32_t *mask;
};

/* The resources of a kernel: vector registers of a lane, scalar registers of a wave, LDS of a
 * block. */
struct hip_kernel {
    uint32_t vgprs, sgprs, lds_bytes;
};

struct hip_dispatch {
    uint64_t kernel_address; /* of hip_runtime_kernel() */
    uint32_t block_threads;  /* 1 to 65535 */
    uint32_t block_count;    /* 1 and more; threads of all fit into 32 bits */
    uint32_t lds_bytes;
};

struct hip_runtime_ops {
    /* Stores 8 bytes to the doorbell of that number. */
    void (*ring)(void *client, uint32_t doorbell_index, uint64_t value);
    /* Reports that all streams have been made. */
    void (*ready)(void *client);
    /* Reports that a stream cannot be made, because the kernel driver refused a queue with that
     * answer (such as "EPERM").  The client stops the run. */
    void (*refused)(void *client, uint32_t stream, const char *answer);
    /* Reports that a launch has returned.  `packet` is its packet's number in the stream's queue.
     */
    void (*launched)(void *client, uint32_t stream, uint64_t packet);
    /* Reports that all work launched in the stream is complete.  `slept` is true if the thread
     * slept until an interrupt. */
    void (*synchronized)(void *client, uint32_t stream, bool slept);
};

GFE_STATE_BEGIN
struct hip_process {
    uint32_t used, space_id;
    uint32_t kfd_process; /* KFD_NONE: it has not opened the device yet */
    uint32_t queue_count, kernel_count;
    uint32_t reserved;
};

struct hip_queue {
    uint64_t address;     /* of amd_queue_t; the ring and the save area of waves follow it */
    uint64_t write_index; /* packets ever written */
    uint32_t process, kfd_queue;
    uint32_t pool;  /* enum hip_pool */
    uint32_t users; /* streams; the runtime counts as a user of each queue that it made first */
    uint32_t ring_packets;
    uint32_t doorbell_index;
};

struct hip_stream {
    uint64_t dispatch_kernel; /* the launch that is under way */
    uint32_t dispatch_threads, dispatch_blocks, dispatch_lds;
    uint32_t process;
    uint32_t queue; /* HIP_NONE: not made yet */
    uint32_t pool;
    uint32_t mask_bits;
    uint32_t mask[HIP_MASK_WORDS];
    uint32_t waiting; /* enum hip_waiting */
    gfe_ps since_ps;
};

struct hip_runtime_state {
    struct extents vram, sysmem;
    uint32_t process_count, stream_count, queue_count;
    /* What is being made: */
    uint32_t stream; /* for which */
    uint32_t step;   /* enum hip_step */
    uint32_t queue;  /* HIP_NONE: none */
    uint32_t is_own; /* it is for no stream */
    uint32_t started;
    uint32_t blocked; /* its call waits for the driver's lock */
    uint32_t reserved;
    struct hip_process processes[HIP_PROCESSES_MAX];
    struct hip_queue queues[HIP_QUEUES_MAX];
    struct hip_stream streams[HIP_STREAMS_MAX];
};
GFE_STATE_END

struct hip_runtime {
    struct machine *machine;
    struct kfd *kfd;
    const struct hip_runtime_ops *ops;
    void *client;
    struct hip_runtime_state *state;
    uint32_t unit;
};

/* Adds the model to a machine that is being wired, with hip_tables in it, above a kernel driver's
 * model.  The runtime allocates from the system memory below physical address sysmem_bytes.  `ops`
 * and `client` are borrowed. */
void hip_runtime_wire(struct hip_runtime *runtime, struct machine *machine, struct kfd *kfd,
                      uint64_t sysmem_bytes, const struct hip_runtime_ops *ops, void *client);

/* Adds a process and returns its index.  There must be fewer than HIP_PROCESSES_MAX (asserted), and
 * the driver has started.  Returns HIP_NONE, and stops the run, if memory is short or the driver
 * has too many processes. */
uint32_t hip_runtime_process(struct hip_runtime *runtime);
uint32_t hip_runtime_space(const struct hip_runtime *runtime, uint32_t process);
/* Adds a kernel to a process.  Returns the address of its descriptor, which launches and the GPU
 * use.  There must be fewer than HIP_KERNELS_MAX (asserted). */
uint64_t hip_runtime_kernel(struct hip_runtime *runtime, uint32_t process,
                            const struct hip_kernel *kernel);
/* Adds a stream, which hip_runtime_start() will make, and returns its index.  There must be fewer
 * than HIP_STREAMS_MAX (asserted). */
uint32_t hip_runtime_stream(struct hip_runtime *runtime, uint32_t process,
                            const struct hip_stream_options *options);
/* Makes all streams, one after the other.  Calls ops->ready() or ops->refused(), from within or
 * later. */
void hip_runtime_start(struct hip_runtime *runtime);

/* Call hipLaunchKernel() and hipStreamSynchronize().  ops->launched() and ops->synchronized()
 * report that they return.  A stream can have one call at a time (asserted). */
void hip_runtime_launch(struct hip_runtime *runtime, uint32_t stream,
                        const struct hip_dispatch *dispatch);
void hip_runtime_synchronize(struct hip_runtime *runtime, uint32_t stream);

/* Returns true if the stream's thread is in a call of the runtime, or its stream is being made. */
bool hip_runtime_has(const struct hip_runtime *runtime, uint32_t stream);

/* Returns the stream's HSA queue. */
const struct hip_queue *hip_runtime_queue_of(const struct hip_runtime *runtime, uint32_t stream);

/* ---- from the kernel driver ------------------------------------------------------------------ */

/* Handles the end of a call that was pending. */
void hip_runtime_called(struct hip_runtime *runtime, enum kfd_result result);
/* Tries the call again that waits for the driver's lock, if one does. */
void hip_runtime_lock_free(struct hip_runtime *runtime);
/* Handles an interrupt with an event's number from one of the process's queues. */
void hip_runtime_interrupt(struct hip_runtime *runtime, uint32_t space_id, uint32_t event_id);

/* ---- between the parts of the model ---------------------------------------------------------- */

/* The pools of queues that streams share, one for each priority.  Queues with masks and the
 * runtime's own queues are never shared. */
enum hip_pool { HIP_POOL_HIGH, HIP_POOL_NORMAL, HIP_POOL_LOW, HIP_POOL_MASKED, HIP_POOL_UTILITY };
enum hip_step { HIP_STEP_NEXT, HIP_STEP_CREATE, HIP_STEP_PRIORITY, HIP_STEP_MASK, HIP_STEP_MADE };
/* HIP_WAITS: a thread waits for the stream's signal.  HIP_TOLD: it has seen the signal, and is
 * about to return. */
enum hip_waiting { HIP_WAITS_NOT, HIP_WAITS, HIP_TOLD };
/* Events of the unit.  Watches have a kind for each stream. */
enum hip_event { HIP_EVENT_SUBMIT, HIP_EVENT_POLLED, HIP_EVENT_WOKEN, HIP_EVENT_WATCH };

/* hip_runtime.c: stores to memory of a process as the program does.  The memory is mapped
 * (asserted). */
void hip_runtime_write(struct hip_runtime *runtime, uint32_t process, uint64_t address,
                       const void *data, size_t bytes);
/* Maps zeroed system memory at that address of the process.  Returns false if system memory is
 * short. */
bool hip_runtime_map(struct hip_runtime *runtime, uint32_t process, uint64_t address,
                     uint64_t bytes);
void hip_runtime_unmap(struct hip_runtime *runtime, uint32_t process, uint64_t address,
                       uint64_t bytes);
uint64_t hip_runtime_signal(uint32_t stream);
/* Offsets of a queue's parts from its amd_queue_t. */
enum {
    HIP_QUEUE_READ_INDEX = 0x80, /* amd_queue_t */
    HIP_QUEUE_WRITE_INDEX = 0x38,
    HIP_QUEUE_RING = 0x1000,
};

/* hip_runtime_launch.c: handles HIP_EVENT_SUBMIT and the kinds after it. */
void hip_runtime_event(struct hip_runtime *runtime, uint32_t kind, uint32_t stream);

#endif
