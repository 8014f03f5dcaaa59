/* SPDX-License-Identifier: MIT */
/*
 * The records of a trace (.gft): one list, from which structs, writer, reader, dump and the
 * format's documentation are made (docs/trace-format.md is printed by `gfe hash --schema`).
 *
 * A trace is a stream of chunks (emu/log/chunk.h).  Chunks of kind CHUNK_TRACE hold records, back
 * to back.  Every record starts with struct trace_head; its fields follow in the order of the list,
 * little endian, without padding.  A `str` is u32 length and bytes without a terminator; `bytes` is
 * u32 length and bytes; `pushes` is u32 count and that many struct trace_push; `u32s` is u32 count
 * and values; `syncs` is u32 count and that many struct trace_sync, `binds` of struct trace_bind.
 *
 * Records that belong to a submission (MEM above all) stand before it.  Times are nanoseconds
 * since the start of the recording.  Fields marked HOST describe the recording machine and are
 * left out of the trace's identity (`gfe hash`).
 */
#ifndef GFE_TRACES_FORMAT_TRACE_SCHEMA_H
#define GFE_TRACES_FORMAT_TRACE_SCHEMA_H

#include <stdint.h>

/* Kind numbers are part of the format: never renumber, only append. */
/* clang-format off */
#define TRACE_RECORDS(RECORD)                                                                        \
    RECORD(META,        meta,        1, "what was recorded and by which recorder; the first record of a trace") \
    RECORD(CLIENT,      client,      2, "one open of the device, and the layer at which the recorder observed it") \
    RECORD(AS_CREATE,   as_create,   3, "an address space is created")                               \
    RECORD(AS_MAP,      as_map,      4, "a range of an address space is backed by a memory object")   \
    RECORD(AS_UNMAP,    as_unmap,    5, "a range of an address space loses its backing")              \
    RECORD(MEM,         mem,         6, "bytes that the CPU wrote, found before the next submission") \
    RECORD(MMIO_WRITE,  mmio_write,  7, "a register write (layer BUS)")                               \
    RECORD(MMIO_READ,   mmio_read,   8, "a register read and its answer (layer BUS)")                 \
    RECORD(DOORBELL,    doorbell,    9, "a doorbell store (layers RING and BUS)")                     \
    RECORD(CHANNEL,     channel,    10, "a channel or hardware queue is created")                    \
    RECORD(CHANNEL_END, channel_end,11, "a channel or hardware queue ends")                          \
    RECORD(OBJECT,      object,     12, "an engine object is created on a channel")                   \
    RECORD(SUBMIT,      submit,     13, "push entries as the driver gave them (layer UAPI)")          \
    RECORD(CPU_WAIT,    cpu_wait,   14, "the program waited for the GPU")                             \
    RECORD(GPU_WRITE,   gpu_write,  15, "a write by the GPU, or by the recorder in its place; never replayed") \
    RECORD(MODULE,      module,     16, "an ELF image of GPU code")                                   \
    RECORD(DURATION,    duration,   17, "a measured execution time")                                  \
    RECORD(MARK,        mark,       18, "a note in the stream of one thread")                         \
    RECORD(END,         end,        19, "the recording is complete; the last record of a trace")       \
    RECORD(VM_INIT,     vm_init,    20, "a client takes over most of an address space (layer UAPI)")    \
    RECORD(VM_BIND,     vm_bind,    21, "maps and unmaps of an address space that has VM_INIT, as one job") \
    RECORD(EXEC,        exec,       22, "a submission that the kernel queues, with the objects that it waits for") \
    RECORD(SYNCOBJ,     syncobj,    23, "a synchronisation object is created, ended, or set by the CPU") \
    RECORD(SYNCOBJ_WAIT, syncobj_wait, 24, "the program waited for synchronisation objects, or saw them done") \
    RECORD(DEVICE,      device,     25, "a GPU that a client of a KFD sees")                            \
    RECORD(QUEUE,       queue,      26, "a user-mode queue is created (layer RING)")                 \
    RECORD(QUEUE_UPDATE, queue_update, 27, "the ring, share or priority of a queue is changed")      \
    RECORD(CU_MASK,     cu_mask,    28, "the compute units that a queue may use")                       \
    RECORD(QUEUE_END,   queue_end,  29, "a user-mode queue ends")                                    \
    RECORD(PACKET,      packet,     30, "a packet in a queue's ring, or memory that one points to, in front of the packet's DOORBELL") \
    RECORD(KERNEL,      kernel,     31, "the descriptor and code of a kernel that a dispatch names, as they lie in memory") \
    RECORD(QUEUE_SCRATCH, queue_scratch, 32, "a queue stops because it needs scratch memory, or goes on with more") \
    RECORD(EVENT,       event,      33, "an event of the kernel driver is created, ended, set or reset") \
    RECORD(EVENT_WAIT,  event_wait, 34, "the program waited for events")

#define TRACE_META_FIELDS(F)                                                                         \
    F(u32, format,            "version of this list: TRACE_FORMAT")                                    \
    F(str, driver,            "kernel interface and its version, such as nouveau 1.3.1")               \
    F(str, gpu,               "gfe's name of the GPU, such as gtx1060")                                \
    F(u32, chipset,           "the chip's own number, such as 0x136")                                  \
    F(u32, pci_id,            "vendor << 16 | device")                                                 \
    F(u64, vram_bytes,        "bytes of video memory that the driver library was told of")           \
    F(u8,  completions,       "enum trace_completions: whether hardware or the recorder wrote the completion values") \
    F(str, recorder,          "HOST: program and version that recorded")                               \
    F(str, host,              "HOST: operating system and machine")                                    \
    F(str, program,           "HOST: name of the recorded command; its arguments only if asked for") \
    F(u64, epoch_ns,          "HOST: wall-clock time of the start, ns since 1970")

#define TRACE_CLIENT_FIELDS(F)                                                                       \
    F(u32, client_id,         "number of the client in this trace, from 0")                            \
    F(u8,  layer,             "enum trace_layer: the layer that replay drives")                      \
    F(str, name,              "HOST: process name")

#define TRACE_AS_CREATE_FIELDS(F)                                                                    \
    F(u32, as_id,             "number of the address space, from 0")                                   \
    F(u32, client_id,         "client that owns the address space")

#define TRACE_AS_MAP_FIELDS(F)                                                                       \
    F(u32, as_id,             "address space; TRACE_AS_OBJECTS: mapped nowhere until a VM_BIND; layer BUS: root >> 12") \
    F(u64, va,                "GPU virtual address, bytes")                                            \
    F(u64, size_bytes,        "")                                                                      \
    F(u32, handle,            "number of the memory object; the same in every address space")          \
    F(u64, object_offset,     "offset into the object, bytes")                                         \
    F(u8,  aperture,          "enum trace_aperture")                                                   \
    F(u32, tile_mode,         "nouveau tile_mode; 0 means linear")                                   \
    F(u32, tile_flags,        "nouveau tile_flags (page kind in 15:8)")

#define TRACE_AS_UNMAP_FIELDS(F)                                                                     \
    F(u32, as_id,             "")                                                                      \
    F(u64, va,                "")                                                                      \
    F(u64, size_bytes,        "")                                                                      \
    F(u32, handle,            "")

#define TRACE_MEM_FIELDS(F)                                                                          \
    F(u32, as_id,             "address space of `address`, or one of TRACE_AS_...: physical, system, objects") \
    F(u64, address,           "")                                                                      \
    F(bytes, data,            "the new contents (in the file: inline, or a reference, see trace.h)")

#define TRACE_MMIO_WRITE_FIELDS(F)                                                                   \
    F(u8,  bar,               "")                                                                      \
    F(u64, offset,            "bytes from the start of the BAR")                                       \
    F(u8,  size_bytes,        "1, 2, 4 or 8")                                                          \
    F(u64, value,             "")

#define TRACE_MMIO_READ_FIELDS(F)                                                                    \
    F(u8,  bar,               "")                                                                      \
    F(u64, offset,            "")                                                                      \
    F(u8,  size_bytes,        "")                                                                      \
    F(u64, value,             "")

#define TRACE_DOORBELL_FIELDS(F)                                                                     \
    F(u32, channel_id,        "channel, or queue_id of QUEUE")                                       \
    F(u64, value,             "")

#define TRACE_CHANNEL_FIELDS(F)                                                                      \
    F(u32, channel_id,        "number that the driver's interface gave it")                            \
    F(u32, client_id,         "")                                                                      \
    F(u32, as_id,             "")                                                                      \
    F(u32, class_id,          "channel class, such as 0xc06f; 0 = the driver model's choice")          \
    F(u64, ring_address,      "0 = the driver model's choice")                                         \
    F(u32, ring_entries,      "0 = the driver model's choice")                                         \
    F(u64, userd_address,     "0 = the driver model's choice")                                         \
    F(u32, engine,            "engine in the numbering of the driver's interface (nouveau: tt_ctxdma)") \
    F(u32, priority,          "")                                                                      \
    F(u64, timeslice_ps,      "0 = the driver model's choice")

#define TRACE_CHANNEL_END_FIELDS(F)                                                                  \
    F(u32, channel_id,        "")

#define TRACE_OBJECT_FIELDS(F)                                                                       \
    F(u32, channel_id,        "")                                                                      \
    F(u32, handle,            "")                                                                      \
    F(u32, class_id,          "")

#define TRACE_SUBMIT_FIELDS(F)                                                                       \
    F(u32, channel_id,        "")                                                                      \
    F(u32, submission_id,     "number of the submission in this trace, from 1")                        \
    F(pushes, pushes,         "may be empty: the driver library probes the kernel so")               \
    F(u64, seen_address,      "address of the last completion value that the program could see; 0 = none") \
    F(u32, seen_value,        "that value")

#define TRACE_CPU_WAIT_FIELDS(F)                                                                     \
    F(u8,  how,               "enum trace_wait_how")                                                   \
    F(u32, channel_id,        "channel that the program waited for, or TRACE_ANY")                   \
    F(u32, handle,            "memory object that the program waited for, or TRACE_ANY")             \
    F(u32, submission_id,     "last submission that the wait covers; 0 = none")                          \
    F(u64, begin_ns,          "")                                                                      \
    F(u64, end_ns,            "")                                                                      \
    F(str, call,              "the call that waited, such as glFinish")

#define TRACE_GPU_WRITE_FIELDS(F)                                                                    \
    F(u32, channel_id,        "channel, or queue_id of QUEUE")                                       \
    F(u64, address,           "GPU virtual address in the channel's address space")                  \
    F(u8,  why,               "enum trace_gpu_write_why")                                              \
    F(bytes, data,            "")

#define TRACE_MODULE_FIELDS(F)                                                                       \
    F(u64, address,           "")                                                                      \
    F(str, name,              "")                                                                      \
    F(bytes, image,           "")

#define TRACE_DURATION_FIELDS(F)                                                                     \
    F(u32, submission_id,     "")                                                                      \
    F(u32, launch_index,      "number of the launch in that submission")                             \
    F(u64, block_ps,          "execution time of one block")

#define TRACE_VM_INIT_FIELDS(F)                                                                      \
    F(u32, as_id,             "")                                                                      \
    F(u64, kernel_address,    "begin of the range that the kernel keeps for itself, bytes")          \
    F(u64, kernel_size_bytes, "")

#define TRACE_VM_BIND_FIELDS(F)                                                                      \
    F(u32, as_id,             "")                                                                      \
    F(u32, bind_id,           "number of the job in this trace, from 1")                               \
    F(u32, flags,             "1: the call returns at once; 0: it returns when the job is done")     \
    F(binds, binds,           "the operations, in the order of their execution")                     \
    F(syncs, waits,           "objects, all of which the job waits for")                             \
    F(syncs, signals,         "objects that the job signals at its end")

#define TRACE_EXEC_FIELDS(F)                                                                         \
    F(u32, channel_id,        "")                                                                      \
    F(u32, submission_id,     "number of the submission; EXEC and SUBMIT share one numbering")       \
    F(pushes, pushes,         "by virtual address; may be empty: the job is then only a fence")      \
    F(syncs, waits,           "objects, all of which the job waits for")                             \
    F(syncs, signals,         "objects that the job signals at its end")

#define TRACE_SYNCOBJ_FIELDS(F)                                                                      \
    F(u8,  what,              "enum trace_syncobj_what")                                               \
    F(u32, syncobj_id,        "number of the object in this trace, from 1; never reused")            \
    F(u64, point,             "point of a timeline; 0 = the object itself")                          \
    F(u32, from_id,           "TRANSFER, FILE: object whose fence is taken over")                    \
    F(u64, from_point,        "TRANSFER, FILE: point of that object; 0 = the object itself")

#define TRACE_SYNCOBJ_WAIT_FIELDS(F)                                                                 \
    F(u32, flags,             "bits: 1 waits for all; 2 waits for the submission too; 4 waits for the submission only; 0x100 the program saw completion without a wait") \
    F(syncs, syncs,           "")                                                                      \
    F(u64, begin_ns,          "")                                                                      \
    F(u64, end_ns,            "")                                                                      \
    F(u32, timed_out,         "1: the wait ended at its time limit, before the objects were signalled") \
    F(str, call,              "the call that waited, such as SYNCOBJ_WAIT")

#define TRACE_DEVICE_FIELDS(F)                                                                       \
    F(u32, client_id,         "")                                                                      \
    F(u32, gpu_id,            "number that the kernel driver gave the GPU; never 0")                 \
    F(str, gpu,               "gfe's name of the GPU, such as radeon-vii")                             \
    F(u32, gfx_version,       "the kernel's gfx_target_version: 90006 means gfx906")                 \
    F(u32, pci_id,            "vendor << 16 | device")                                                 \
    F(u32, location_id,       "PCI bus << 8 | device << 3 | function")                                 \
    F(u64, vram_bytes,        "")

#define TRACE_QUEUE_FIELDS(F)                                                                        \
    F(u32, queue_id,          "number of the queue in this trace; DOORBELL.channel_id names it")       \
    F(u32, client_id,         "")                                                                      \
    F(u32, as_id,             "address space of all addresses in this record and in the packets of the queue") \
    F(u32, gpu_id,            "GPU, by the gpu_id of its DEVICE")                                    \
    F(u8,  what,              "enum trace_queue_what")                                                 \
    F(u64, ring_address,      "")                                                                      \
    F(u64, ring_bytes,        "")                                                                      \
    F(u64, write_address,     "address of the write index (AQL: in packets; SDMA: in bytes)")        \
    F(u64, read_address,      "address of the read index")                                           \
    F(u32, doorbell_offset,   "offset of the doorbell in the GPU's page of doorbells, bytes")        \
    F(u32, priority,          "0 to 15")                                                               \
    F(u32, percentage,        "share; 0: the queue must not run")                                    \
    F(u64, eop_address,       "address of the end-of-pipe buffer")                                   \
    F(u64, eop_bytes,         "")                                                                      \
    F(u64, save_address,      "address of the context save area")                                    \
    F(u32, save_bytes,        "")                                                                      \
    F(u32, control_stack_bytes, "")

#define TRACE_QUEUE_UPDATE_FIELDS(F)                                                                 \
    F(u32, queue_id,          "")                                                                      \
    F(u64, ring_address,      "")                                                                      \
    F(u64, ring_bytes,        "")                                                                      \
    F(u32, priority,          "")                                                                      \
    F(u32, percentage,        "")

#define TRACE_CU_MASK_FIELDS(F)                                                                      \
    F(u32, queue_id,          "")                                                                      \
    F(u32, bit_count,         "")                                                                      \
    F(bytes, mask,            "bit n of the little-endian words is compute unit n in the kernel driver's order")

#define TRACE_QUEUE_END_FIELDS(F)                                                                    \
    F(u32, queue_id,          "")

#define TRACE_PACKET_FIELDS(F)                                                                       \
    F(u32, queue_id,          "")                                                                      \
    F(u8,  what,              "enum trace_packet_what")                                                \
    F(u64, index,             "AQL: number of the packet; SDMA: number of its first byte; neither wraps") \
    F(u64, address,           "")                                                                      \
    F(bytes, data,            "contents of that memory when the recorder found the packet; replay stores them there")

#define TRACE_KERNEL_FIELDS(F)                                                                       \
    F(u32, as_id,             "")                                                                      \
    F(u64, kernel_address,    "address of the descriptor, which the dispatch names")                 \
    F(u64, entry_address,     "")                                                                      \
    F(u8,  what,              "enum trace_kernel_what")                                                \
    F(bytes, descriptor,      "")                                                                      \
    F(bytes, code,            "code from the entry to the end of its memory object, at most 64 KiB")

#define TRACE_QUEUE_SCRATCH_FIELDS(F)                                                                      \
    F(u32, queue_id,          "")                                                                      \
    F(u8,  what,              "enum trace_scratch_what")                                               \
    F(u64, index,             "number of the packet")                                                \
    F(u32, private_bytes,     "scratch bytes of a work item that the packet asks for")               \
    F(u32, lane_bytes,        "scratch bytes that a lane of a wave has")                             \
    F(u32, tmpring_size,      "COMPUTE_TMPRING_SIZE, as the runtime set it in amd_queue_t")          \
    F(u64, address,           "address of the scratch memory")                                       \
    F(u64, size_bytes,        "")

#define TRACE_EVENT_FIELDS(F)                                                                        \
    F(u32, client_id,         "")                                                                      \
    F(u8,  what,              "enum trace_event_what")                                                 \
    F(u32, event_id,          "number that the kernel driver gave the event; unique within the client") \
    F(u32, kind,              "CREATE: event type of the kernel interface; 0 means a signal")        \
    F(u32, auto_reset,        "")

#define TRACE_EVENT_WAIT_FIELDS(F)                                                                   \
    F(u32, client_id,         "")                                                                      \
    F(bytes, events,          "a u32 event_id for each event, in the order of the call")             \
    F(u32, all,               "1: the wait is for all events; 0: for any")                           \
    F(u32, timeout_ms,        "")                                                                      \
    F(u64, begin_ns,          "")                                                                      \
    F(u64, end_ns,            "")                                                                      \
    F(u32, timed_out,         "")

#define TRACE_MARK_FIELDS(F)                                                                         \
    F(str, text,              "")

#define TRACE_END_FIELDS(F)                                                                          \
    F(u64, record_count,      "number of records in front of this one")                              \
    F(u32, exit_status,       "HOST: wait status of the recorded program")                             \
    F(u8,  how,               "enum trace_end_how")
/* clang-format on */

enum {
    TRACE_FORMAT = 1,
};

/* Values that stand in place of an address space in MEM: addresses are physical, of video memory or
 * (PHYSICAL_SYSTEM) of system memory.  At layer BUS, which has no driver, AS_MAP stands for page
 * tables that the recording does not have.  Its as_id is then the root's address >> 12 in video
 * memory (which the instance block's PAGE_DIR_BASE names); 0 is BAR1's.  object_offset is the
 * physical address. */
#define TRACE_AS_PHYSICAL        UINT32_MAX
#define TRACE_AS_PHYSICAL_SYSTEM (UINT32_MAX - 2)
/* The space of memory objects that the kernel maps nowhere; they lie one after another.  AS_MAP
 * makes one, and `va` is its address for MEM.  AS_UNMAP ends its handle; parts that are still bound
 * stay. */
#define TRACE_AS_OBJECTS         (UINT32_MAX - 1)
#define TRACE_ANY                UINT32_MAX

enum trace_layer { TRACE_LAYER_API = 1, TRACE_LAYER_UAPI, TRACE_LAYER_RING, TRACE_LAYER_BUS };
enum trace_completions { TRACE_COMPLETIONS_HARDWARE = 1, TRACE_COMPLETIONS_STAND_IN };
enum trace_aperture { TRACE_APERTURE_VRAM = 1, TRACE_APERTURE_SYSMEM };
enum trace_wait_how {
    TRACE_WAIT_CALL = 1, /* a call of a library that waits: glFinish, glClientWaitSync ... */
    TRACE_WAIT_IOCTL,    /* a call of the kernel interface: GEM_CPU_PREP ... */
};
enum trace_gpu_write_why {
    TRACE_WHY_HOST_SEMAPHORE = 1,
    TRACE_WHY_SHORT_REPORT, /* one word */
    TRACE_WHY_LONG_REPORT,  /* four words */
    TRACE_WHY_I2M_SEMAPHORE,
    TRACE_WHY_COPY_SEMAPHORE,
    TRACE_WHY_NOTIFY,
    TRACE_WHY_COUNTER,    /* a report without a payload: no sign of completion */
    TRACE_WHY_SIGNAL,     /* a signal's value, after a packet or by an atomic of SDMA */
    TRACE_WHY_MAILBOX,    /* the number of the event that goes with it */
    TRACE_WHY_SDMA_FENCE, /* a fence packet of SDMA */
};
enum trace_queue_what { TRACE_QUEUE_AQL = 1, TRACE_QUEUE_SDMA, TRACE_QUEUE_PM4 };
enum trace_packet_what {
    TRACE_PACKET_AQL = 1,
    TRACE_PACKET_SDMA,
    TRACE_PACKET_PM4, /* the indirect buffer of a vendor packet of AQL */
};
enum trace_kernel_what {
    TRACE_KERNEL_APPLICATION = 1, /* its effects are not in the trace */
    TRACE_KERNEL_COPY,            /* the runtime's own for copies and fills, */
    TRACE_KERNEL_FILL,            /* which take effect */
};
enum trace_scratch_what { TRACE_SCRATCH_WANTED = 1, TRACE_SCRATCH_GIVEN };
enum trace_event_what {
    TRACE_EVENT_CREATE = 1,
    TRACE_EVENT_DESTROY,
    TRACE_EVENT_SET, /* by the program; by the GPU: see GPU_WRITE, MAILBOX */
    TRACE_EVENT_RESET,
};
enum trace_end_how { TRACE_END_EXIT = 1, TRACE_END_KILLED, TRACE_END_RECOVERED };

/* One entry of a submission, as the driver gave it. */
struct trace_push {
    uint32_t handle; /* memory object; TRACE_ANY when `address` is a virtual address */
    uint32_t flags;  /* TRACE_PUSH_NO_PREFETCH */
    uint64_t offset; /* into the object, or the virtual address; bytes */
    uint64_t length_bytes;
};
enum { TRACE_PUSH_NO_PREFETCH = 1 };

/* One synchronisation object of a list. */
struct trace_sync {
    uint32_t syncobj_id;
    uint32_t flags; /* TRACE_SYNC_TIMELINE */
    uint64_t point; /* of a timeline */
};
enum { TRACE_SYNC_TIMELINE = 1 };

/* One operation of VM_BIND. */
struct trace_bind {
    uint32_t op;     /* enum trace_bind_op */
    uint32_t handle; /* memory object; TRACE_ANY when there is none */
    uint64_t va, object_offset, size_bytes;
    uint32_t page_kind; /* of a MAP */
    uint32_t reserved;
};
enum trace_bind_op {
    TRACE_BIND_MAP = 1,
    TRACE_BIND_UNMAP,
    TRACE_BIND_MAP_SPARSE, /* a range where nothing is mapped, and that the GPU may access */
    TRACE_BIND_UNMAP_SPARSE,
};
enum { TRACE_BIND_ASYNC = 1 };

enum trace_syncobj_what {
    TRACE_SYNCOBJ_CREATE = 1,
    TRACE_SYNCOBJ_DESTROY,
    TRACE_SYNCOBJ_RESET,        /* it has no fence any longer; no wait for it can begin */
    TRACE_SYNCOBJ_SIGNAL,       /* the CPU signals it */
    TRACE_SYNCOBJ_SIGNAL_POINT, /* the CPU adds a signalled point to a timeline */
    TRACE_SYNCOBJ_TRANSFER, /* it, or its point, takes over the fence that another has at that time
                             */
    TRACE_SYNCOBJ_FILE,     /* a file is made with the fence that another has at that time */
};
enum {
    TRACE_SYNCOBJ_ALL = 1,
    TRACE_SYNCOBJ_FOR_SUBMIT = 2,
    TRACE_SYNCOBJ_AVAILABLE = 4,
    TRACE_SYNCOBJ_SEEN = 0x100,
};

/* The head of every record, in the file and in memory. */
struct trace_head {
    uint16_t kind; /* enum trace_kind */
    uint16_t reserved;
    uint32_t length_bytes; /* of the fields that follow */
    uint64_t time_ns;
    uint32_t process_id; /* HOST: replaced by a running number in `gfe hash` */
    uint32_t thread_id;  /* HOST: replaced by a running number in `gfe hash` */
    uint64_t sequence;   /* counts in the whole recording, over all processes */
};

#endif
