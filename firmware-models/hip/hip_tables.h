/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the model of AMD's HIP runtime, and of the host threads above it. */
#ifndef GFE_FIRMWARE_MODELS_HIP_HIP_TABLES_H
#define GFE_FIRMWARE_MODELS_HIP_HIP_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/*
 * MEASURED: the time from a launch to the return, without the time of the blocks, is 30 us.  It is
 * made up of hip.launch_ps, the cost of the packets' way, and hip.interrupt_ps.  The packets' way
 * is amd.doorbell_ps, amd.packet_ps twice (of the dispatch and of the barrier packet after it), and
 * amd.eop_ps.
 */
#define HIP_OVERHEAD_PS    30000000
#define HIP_PACKETS_WAY_PS (500000 + 2 * 1000000 + 1000000)
#define HIP_INTERRUPT_PS   10000000

/* clang-format off */
#define HIP_EVENTS(EVENT)                                                                            \
    EVENT(HIP_OWN_QUEUE, hip_own_queue,                                                              \
          "before any stream the runtime makes an HSA queue: one of the pool, or to keep to itself", \
          process_index, hsa_queue_index, doorbell_index, is_pooled)                                 \
    EVENT(HIP_QUEUE, hip_queue, "a stream has got an HSA queue, which so many users share now",      \
          stream_index, hsa_queue_index, doorbell_index, process_index, priority, has_mask,          \
          user_count)                                                                                \
    EVENT(HIP_CU_MASK, hip_cu_mask, "its queue has got the stream's CU mask",                        \
          stream_index, doorbell_index, mask_lo, mask_hi)                                            \
    EVENT(HIP_LAUNCH, hip_launch,                                                                    \
          "a plugin's thread launches its kernel, in the stream of that queue",                      \
          plugin_index, iteration_index, doorbell_index)                                             \
    EVENT(HIP_SUBMIT, hip_submit,                                                                    \
          "a packet of the stream stands in the ring, and the doorbell is rung: AQL's type; its "    \
          "kernel, or the signal that it completes",                                                 \
          stream_index, doorbell_index, packet_index, code, address)                                 \
    EVENT(HIP_RETURN, hip_return,                                                                    \
          "the thread knows that the kernel of that packet is complete; slept: an interrupt woke "   \
          "it",                                                                                      \
          plugin_index, iteration_index, doorbell_index, packet_index, response_ps, slept)

#define HIP_RULES(RULE)                                                                              \
    RULE(RULE_A_Q2, "A.Q2", DOCUMENTED, RUNTIME,                                                       \
         "Otterness and Anderson 2022, s.4.1 and 4.2; ROCclr device/rocm/rocdevice.cpp",               \
         "Streams of a priority share a pool of four HSA queues, the least used first; one with a CU mask has a queue of its own.") \
    RULE(RULE_A_M2, "A.M2", DOCUMENTED, RUNTIME,                                                       \
         "Otterness and Anderson 2022, s.5.1; ROCclr device/rocm/rocdevice.cpp",                       \
         "A stream's CU mask is fixed when it is made: its queue gets it before the first packet, and nobody else the queue.")

#define HIP_PARAMETERS(PARAMETER)                                                                    \
    PARAMETER(PARAM_HIP_QUEUES, "hip.max_hw_queues", "queues", 4, DOCUMENTED,                          \
              "Otterness and Anderson 2022, s.4.1; ROCclr utils/flags.hpp: GPU_MAX_HW_QUEUES",         \
              "HSA queues of each priority that streams without a CU mask share; 0: any number.")      \
    PARAMETER(PARAM_HIP_UTILITY_QUEUES, "hip.utility_queues", "queues", 1, INFERRED,                   \
              "recordings of HIP 5.2.3 and 5.7.1 above the stand-in",                                  \
              "HSA queues of a process that the runtime keeps to itself, made first.")                 \
    PARAMETER(PARAM_HIP_INITIAL_QUEUES, "hip.initial_queues", "queues", 1, INFERRED,                   \
              "recordings above the stand-in: 1 with HIP 5.2.3, 0 with HIP 5.7.1",                     \
              "HSA queues of the pool that are there, and count as used once, before any stream.")     \
    PARAMETER(PARAM_HIP_THREAD_WORK_PS, "hip.thread_work_ps", "ps", 165039, MEASURED_ON("Vega 20 (Radeon VII)"), \
              "Otterness and Anderson 2022, MM1024 alone: median 3.203 ms",                            \
              "Work of a thread of matrix_multiply, of a whole CU: 169 us for 1,024.")                 \
    PARAMETER(PARAM_HIP_BLOCK_JITTER_PPM, "hip.block_jitter_ppm", "millionths", 110000, MEASURED_ON("Vega 20 (Radeon VII)"), \
              "Otterness and Anderson 2022, isolated timeline: standard deviation 7 %",                \
              "How far the work of a block lies from the mean, at most.")                              \
    PARAMETER(PARAM_HIP_WAVE_JITTER_PPM, "hip.wave_jitter_ppm", "millionths", 55000, MEASURED_ON("Vega 20 (Radeon VII)"), \
              "Otterness and Anderson 2022, isolated timeline: 125 blocks resident",                   \
              "How far the work of a wave lies from its share of the block's, at most.")               \
    PARAMETER(PARAM_HIP_COLD_PPM, "hip.cold_ppm", "millionths", 220000, MEASURED_ON("Vega 20 (Radeon VII)"), \
              "Otterness and Anderson 2022, isolated timeline: 0.746 to 0.61",                         \
              "What blocks take more that start on a CU before any wave of their dispatch has ended there.") \
    PARAMETER(PARAM_HIP_LAUNCH_PS, "hip.launch_ps", "ps",                                              \
              HIP_OVERHEAD_PS - HIP_PACKETS_WAY_PS - HIP_INTERRUPT_PS, MEASURED_ON("Vega 20 (Radeon VII)"), \
              "Otterness and Anderson 2022, Fig. 9 with one CU: 30 us, less what the packets' way and the interrupt take", \
              "From the launch to the doorbell.")                                                      \
    PARAMETER(PARAM_HIP_ACTIVE_WAIT_PS, "hip.active_wait_ps", "ps", 300000000, DOCUMENTED,             \
              "ROCclr device/rocm/rocvirtual.hpp: 100 us; ROCR-Runtime interrupt_signal.cpp: 200 us",  \
              "So long a thread that waits polls the signal; then it sleeps until the interrupt.")     \
    PARAMETER(PARAM_HIP_POLL_PS, "hip.poll_ps", "ps", 1000000, ASSUMED, "gfe",                         \
              "From a signal to the return of a thread that polls it.")                                \
    PARAMETER(PARAM_HIP_INTERRUPT_PS, "hip.interrupt_ps", "ps", HIP_INTERRUPT_PS, ASSUMED,             \
              "gfe; a part of the 30 us measured",                                                     \
              "From the interrupt to the return of a thread that sleeps.")                             \
    PARAMETER(PARAM_HIP_GAP_PS, "hip.gap_ps", "ps", 75000000, MEASURED_ON("Vega 20 (Radeon VII)"),     \
              "Otterness and Anderson 2022, isolated runs: 73 to 78 us",                               \
              "From a kernel's completion to the thread's next launch.")
/* clang-format on */

enum { EVENT_HIP_FIRST_ = TABLE_HIP - 1, HIP_EVENTS(EVENT_ID) };
HIP_EVENTS(EVENT_STRUCT)
enum { RULE_HIP_FIRST_ = TABLE_HIP - 1, HIP_RULES(RULE_ID) };
enum { PARAM_HIP_FIRST_ = TABLE_HIP - 1, HIP_PARAMETERS(PARAMETER_ID) };

extern const struct table_set hip_tables;

#endif
