/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the model of the CUDA runtime. */
#ifndef GFE_FIRMWARE_MODELS_CUDA_CUDA_TABLES_H
#define GFE_FIRMWARE_MODELS_CUDA_CUDA_TABLES_H

#include "devices/core/papers.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define CUDA_EVENTS(EVENT)                                                                           \
    EVENT(CUDA_STREAM, cuda_stream,                                                                  \
          "a stream; kind 0: blocking, 1: non-blocking, 2: the NULL stream, 3: a host thread's "     \
          "default stream",                                                                          \
          stream_id, process_id, kind, priority)                                                     \
    EVENT(CUDA_OPERATION, cuda_operation, "a call puts an operation into its stream's queue",        \
          operation_id, stream_id, task_id, call_id, iteration)                                      \
    EVENT(CUDA_CHANNEL, cuda_channel, "the stream gets a channel, which it holds",                   \
          stream_id, channel_id)                                                                     \
    EVENT(CUDA_CHANNEL_FREE, cuda_channel_free, "the stream gives its channel back",                 \
          stream_id, channel_id)                                                                     \
    EVENT(CUDA_STREAM_CHANNEL, cuda_stream_channel,                                                  \
          "the channel to which the stream's work goes, beside that of other streams",               \
          stream_id, channel_id)                                                                     \
    EVENT(CUDA_SUBMIT, cuda_submit,                                                                  \
          "the operation is handed to a channel: the head of its stream, or one behind operations "  \
          "that have been",                                                                          \
          operation_id, channel_id, gp_sequence, descriptor_address)                                 \
    EVENT(CUDA_RECORD, cuda_record,                                                                  \
          "the record of an event is handed to the channel of its stream's last work, as a release", \
          operation_id, channel_id, gp_sequence)                                                     \
    EVENT(CUDA_COMPLETE, cuda_complete, "it leaves its stream's queue",                              \
          operation_id, stream_id)                                                                   \
    EVENT(CUDA_CALL, cuda_call, "a call of a host thread, or its sleep, returns",                    \
          task_id, call_id, iteration, begin_ps)                                                     \
    EVENT(CUDA_ITERATION, cuda_iteration, "a host thread has done its calls once",                   \
          task_id, iteration, begin_ps)                                                              \
    EVENT(CUDA_TASK, cuda_task, "a host thread is released",                                         \
          task_id)                                                                                   \
    EVENT(CUDA_CLIENT, cuda_client,                                                                  \
          "a process is a client of the MPS server: whose channels it uses, and how many SMs at "    \
          "most",                                                                                    \
          process_id, context_id, sm_count)

#define CUDA_RULES(RULE)                                                                             \
    RULE(RULE_T_G1, "T.G1", SEEN_BY_AMERT, RUNTIME, PAPER_AMERT "s.3.2",                               \
         "An operation joins the queue of its stream when its API call is made.")                      \
    RULE(RULE_T_G2, "T.G2", SEEN_BY_AMERT, RUNTIME, PAPER_AMERT "s.3.2",                               \
         "A kernel joins the queue of kernels when it is at the head of its stream's queue.")          \
    RULE(RULE_T_G4, "T.G4", SEEN_BY_AMERT, RUNTIME, PAPER_AMERT "s.3.2",                               \
         "A kernel leaves the queue of its stream when all of its blocks have completed.")             \
    RULE(RULE_T_C1, "T.C1", SEEN_BY_AMERT, RUNTIME, PAPER_AMERT "s.3.2",                               \
         "A copy joins the queue of its copy engine when it is at the head of its stream's queue.")    \
    RULE(RULE_T_C4, "T.C4", SEEN_BY_AMERT, RUNTIME, PAPER_AMERT "s.3.2",                               \
         "A copy leaves the queue of its stream when it is complete.")                                 \
    RULE(RULE_T_N1, "T.N1", DOCUMENTED, RUNTIME, "CUDA driver API, stream synchronization behavior; " PAPER_AMERT "s.4.1", \
         "The head of the NULL stream goes on when the head of every other stream is absent or was launched later.") \
    RULE(RULE_T_N2, "T.N2", DOCUMENTED, RUNTIME, "CUDA driver API, stream synchronization behavior; " PAPER_AMERT "s.4.1", \
         "The head of a stream goes on only if the head of the NULL stream is absent or was launched later.") \
    RULE(RULE_B_R2, "B.R2", SEEN_BY_BAKITA, RUNTIME, PAPER_BAKITA "s.V-B",                             \
         "A stream needs a channel: with more streams than channels some wait that need not.")         \
    RULE(RULE_B_C1, "B.C1", SEEN_BY_BAKITA, RUNTIME, PAPER_BAKITA "s.VI-A",                            \
         "A stream gives its channel back when its last kernel has been dispatched.")                  \
    RULE(RULE_B_C2, "B.C2", SEEN_BY_BAKITA, RUNTIME, PAPER_BAKITA "s.VI-A",                            \
         "Streams that wait for a channel do not get one in the order in which they came.")            \
    RULE(RULE_CUDA_CHANNEL_TURN, "CUDA.CHANNEL_TURN", MEASURED_ON("GH100 (H100)"), RUNTIME,       \
         "tests/hardware/data, h100: capture_streams, _priorities and streams_8, _32",                \
         "Each new stream takes the next of its process's channels, round and round, for ever: the first one "  \
         "takes the second channel, as the NULL stream has the first.")                               \
    RULE(RULE_CUDA_CHANNEL_ORDER, "CUDA.CHANNEL_ORDER", MEASURED_ON("GH100 (H100)"), RUNTIME,     \
         "tests/hardware/data, h100: streams_1, _8 and _32, streams_deep",                            \
         "Streams of one channel have their work done in the order of the calls: what waits there for the work " \
         "in front of it in its own stream holds up the other streams' later calls (a false dependency).") \
    RULE(RULE_CUDA_AHEAD, "CUDA.AHEAD", MEASURED_ON("GH100 (H100)"), RUNTIME,                           \
         "tests/hardware/data, h100: other_tiny of processes; launch_times, period_ready",            \
         "With static channels the runtime hands a stream's operations over before those in front of them are " \
         "complete, up to cuda.send_ahead of them and as far as the channel's ring of 1,024 GP entries has room.") \
    RULE(RULE_CUDA_STREAM_ACQUIRE, "CUDA.STREAM_ACQUIRE", INFERRED, RUNTIME,                            \
         "tests/hardware/data, h100: other_tiny of processes (the group keeps its slice), period_ready (the next " \
         "kernel starts 1.8 us later), streams_wide (streams of one channel run side by side)",       \
         "What is handed over while the operation in front of it in its stream is not complete begins with an " \
         "acquire of the stream's semaphore, which does not give the slice up (ACQUIRE_SWITCH_TSG of DIS).") \
    RULE(RULE_CUDA_EVENT_CHANNEL, "CUDA.EVENT_CHANNEL", INFERRED, RUNTIME,                              \
         "tests/hardware/data, h100 and h200: together of copy_times (35 of 35 and 33 of 33 late events end with " \
         "a copy of the same way); findings.py",                                                      \
         "What is sent ahead has its events, too: the record of one is a release in the channel of the stream's " \
         "last work, behind whatever other streams have there.")                                      \
    RULE(RULE_CUDA_EVENT, "CUDA.EVENT", DOCUMENTED, RUNTIME, "CUDA programming guide, events",         \
         "What follows a wait for an event in a stream waits until what was in front of the record has completed.") \
    RULE(RULE_CUDA_PER_THREAD, "CUDA.PER_THREAD", DOCUMENTED, RUNTIME,                                 \
         "CUDA driver API, stream synchronization behavior",                                          \
         "A per-thread default stream is its host thread's own: it and the NULL stream wait for each other " \
         "as those of T.N1 and T.N2 do, it and other streams do not.")                                 \
    RULE(RULE_CUDA_MPS_CLIENT, "CUDA.MPS_CLIENT", DOCUMENTED, RUNTIME,                                               \
         "NVIDIA Multi-Process Service, introduction and s. on its benefits; Bakita and Anderson 2024, note 13", \
         "Clients of the MPS server share one set of channel groups: none is time-sliced against another " \
         "(one task to B.R4), and before Volta they share address space and channels, too.")

#define CUDA_PARAMETERS(PARAMETER)                                                                   \
    PARAMETER(PARAM_CUDA_START_PS, "cuda.start_ps", "ps", 0, ASSUMED, "gfe",                            \
              "When the programs have initialised themselves and their tasks begin.")                  \
    PARAMETER(PARAM_CUDA_CALL_PS, "cuda.call_ps", "ps", 5000000, ASSUMED, "gfe",                        \
              "How long a call takes that does not wait.")                                             \
    PARAMETER(PARAM_CUDA_RETURN_PS, "cuda.return_ps", "ps", 10000000, ASSUMED, "gfe",                   \
              "From the end of what a call waits for to its return.")                                  \
    PARAMETER(PARAM_CUDA_SUBMIT_PS, "cuda.submit_ps", "ps", 1000000, ASSUMED, "gfe",                    \
              "From when an operation may go on to its channel's doorbell.")                           \
    PARAMETER(PARAM_CUDA_CHANNELS, "cuda.channels", "channels", 0, SEEN_BY_BAKITA,                     \
              PAPER_BAKITA "s.V-B: 8 on x86_64, 2 on Xavier, 4 on Orin",                               \
              "Compute channels of a process that streams get, at most 32; 0: as its GPU's driver makes them " \
              "(2 of a client of MPS from Volta on: NVIDIA Multi-Process Service, CUDA_DEVICE_MAX_CONNECTIONS).") \
    PARAMETER(PARAM_CUDA_REGISTERS, "cuda.registers", "registers", 32, ASSUMED, "gfe",                 \
              "Registers of a thread of a kernel of which nothing is said.")                           \
    PARAMETER(PARAM_CUDA_LOOP_CYCLES, "cuda.loop_cycles", "SM cycles", 16, ASSUMED, "gfe",              \
              "What a round of counter_spin's loop takes.")                                            \
    PARAMETER(PARAM_CUDA_QUEUE_DEPTH, "cuda.queue_depth", "operations", 1024, ASSUMED, "gfe",          \
              "A call waits when its stream's queue has so many operations, at most 4096.")             \
    PARAMETER(PARAM_CUDA_SEND_AHEAD, "cuda.send_ahead", "operations", 1, ASSUMED,                      \
              "gfe: 8 for H100 and H200, whose driver has eight places for descriptors (tests/hardware/data, " \
              "h100: capture_descriptors); 1, what T.G2 says, for others",                            \
              "Operations of a stream that are with the GPU at a time, at most 32 (CUDA.AHEAD). One where " \
              "channels are not static, and before Hopper.")                                           \
    PARAMETER(PARAM_CUDA_INLINE_BYTES, "cuda.inline_bytes", "bytes", 32768, MEASURED_ON("GH100 (H100)"), \
              "tests/hardware/data, h100: capture_copies: 24,576 bytes through the compute channel, 32,768 not", \
              "Copies to the device from pinned memory that are smaller go through the stream's compute " \
              "channel (choice cuda.copy_way at by-size).")                                           \
    PARAMETER(PARAM_CUDA_INLINE_PAGEABLE_BYTES, "cuda.inline_pageable_bytes", "bytes", 65537,        \
              MEASURED_ON("GH100 (H100)"),                                                             \
              "tests/hardware/data, h100: capture_copies: 65,536 bytes through the compute channel, 131,072 not", \
              "The same from pageable memory.")                                                        \
    PARAMETER(PARAM_CUDA_INLINE_SET_BYTES, "cuda.inline_set_bytes", "bytes", 4097,                    \
              MEASURED_ON("GH100 (H100)"),                                                             \
              "tests/hardware/data, h100: capture_copies: 4,096 bytes through the compute channel, 8,192 by a kernel", \
              "Memsets that are smaller go through the stream's compute channel; others are kernels.") \
    PARAMETER(PARAM_CUDA_COPY_KERNEL_PS, "cuda.copy_kernel_ps", "ps", 3000000, ASSUMED, "gfe",         \
              "The least time that a kernel of a copy or memset takes.")                               \
    PARAMETER(PARAM_CUDA_MPS, "cuda.mps", "0 or 1", 0, ASSUMED, "gfe run --mps",                        \
              "1: all processes of the run are clients of one MPS server.")                            \
    PARAMETER(PARAM_CUDA_MPS_SERVER_PS, "cuda.mps_server_ps", "ps", 5000000, ASSUMED,                  \
              "NVIDIA Multi-Process Service, introduction: work passes through the server up to Pascal", \
              "What that adds before a channel's doorbell; none from Volta on.")                         \
    PARAMETER(PARAM_CUDA_CARVEOUT_THREADS, "cuda.carveout_threads", "threads", 512, ASSUMED,             \
              "gfe: tests/hardware/data: seen of blocks of 256 threads and fewer, not of 1,024",         \
              "A kernel with blocks of no more threads chooses a larger split of L1 and shared memory than " \
              "it needs.")                                                                             \
    PARAMETER(PARAM_CUDA_CARVEOUT_PERCENT, "cuda.carveout_percent", "percent", 215, ASSUMED,           \
              "gfe: tests/hardware/data fit 201 to 231 (sm_order, capture_descriptors, capture_library)", \
              "Such a kernel chooses a split with room for what it needs times this, but for no more blocks " \
              "than an SM has slots for.")                                                             \
    PARAMETER(PARAM_CUDA_CARVEOUT_MOST_KIB, "cuda.carveout_most_kib", "KiB", 132, ASSUMED,              \
              "gfe: tests/hardware/data, of an H100 (sm_order, capture_library)",                       \
              "And no larger one, unless the kernel needs it.")

/* cuda.channel_free */
enum { CUDA_FREE_FULLY, CUDA_FREE_PARTLY };
/* cuda.channel_next */
enum { CUDA_NEXT_RANDOM, CUDA_NEXT_FIFO, CUDA_NEXT_NEWEST, CUDA_NEXT_STATIC };
/* cuda.copy_way */
enum { CUDA_COPY_ENGINES, CUDA_COPY_BY_SIZE };
#define CUDA_CHOICES(CHOICE)                                                                         \
    CHOICE(CHOICE_CUDA_CHANNEL_FREE, "cuda.channel_free", CUDA_FREE_FULLY, INFERRED,                   \
           "Bakita and Anderson 2024, s.VI-A: at the earliest when partly, surely when fully dispatched", \
           "B.C1: when a stream gives its channel back: its last kernel has all its blocks assigned, or one.", \
           "fully-dispatched", "partly-dispatched")                                                    \
    CHOICE(CHOICE_CUDA_CHANNEL_NEXT, "cuda.channel_next", CUDA_NEXT_RANDOM, INFERRED,                  \
           "Bakita and Anderson 2024, s.VI-A: not in FIFO order",                                      \
           "B.C2: which of the streams that wait for a channel gets it. static: streams do not wait for one, "   \
           "each has its own from the start (CUDA.CHANNEL_TURN), with others (CUDA.CHANNEL_ORDER); the default "  \
           "of H100 and H200.", \
           "random", "fifo", "newest", "static")                                                       \
    CHOICE(CHOICE_CUDA_COPY_WAY, "cuda.copy_way", CUDA_COPY_ENGINES, INFERRED,                         \
           "tests/hardware/data, h100: capture_copies; Bakita and Anderson 2024, s.V-C: copies by copy engines", \
           "How copies reach the GPU: all by copy engines, or by kind and size: on the device and large " \
           "memsets as kernels, small ones to the device through the compute channel, as on H100 and H200, " \
           "where that is the default.",                                                              \
           "engines", "by-size")
/* clang-format on */

enum { EVENT_CUDA_FIRST_ = TABLE_FIRMWARE_NVIDIA_CUDA - 1, CUDA_EVENTS(EVENT_ID) };
CUDA_EVENTS(EVENT_STRUCT)
enum { RULE_CUDA_FIRST_ = TABLE_FIRMWARE_NVIDIA_CUDA - 1, CUDA_RULES(RULE_ID) };
enum { PARAM_CUDA_FIRST_ = TABLE_FIRMWARE_NVIDIA_CUDA - 1, CUDA_PARAMETERS(PARAMETER_ID) };
enum { CHOICE_CUDA_FIRST_ = TABLE_FIRMWARE_NVIDIA_CUDA - 1, CUDA_CHOICES(CHOICE_ID) };

extern const struct table_set cuda_tables;

#endif
