/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the host side of a hip_plugin_framework configuration. */
#ifndef GFE_DEVICES_HIP_TABLES_H
#define GFE_DEVICES_HIP_TABLES_H

#include "emu/rule.h"

/* clang-format off */
#define HIP_EVENTS(EVENT)                                                                            \
    EVENT(EVENT_HIP_QUEUE, "HIP_QUEUE", "a plugin's stream has got an HSA queue, in a slot of an ACE", \
          "plugin_index", "hsa_queue_index", "ace_index", "queue_index", "has_mask")                   \
    EVENT(EVENT_HIP_LAUNCH, "HIP_LAUNCH", "a plugin's thread launches its kernel",                     \
          "plugin_index", "iteration_index")                                                           \
    EVENT(EVENT_HIP_RETURN, "HIP_RETURN", "it knows that the kernel is complete",                      \
          "plugin_index", "iteration_index", "grid_id", "response_ps")

#define HIP_RULES(RULE)                                                                              \
    RULE(RULE_A_Q2, "A.Q2", DOCUMENTED, RUNTIME, "Otterness and Anderson 2022, s.4.1 and 4.2",          \
         "Streams share a pool of four HSA queues; one with a CU mask has a queue of its own.")

#define HIP_PARAMETERS(PARAMETER)                                                                    \
    PARAMETER(PARAM_HIP_QUEUES, "hip.max_hw_queues", "queues", 4, DOCUMENTED,                          \
              "Otterness and Anderson 2022, s.4.1: GPU_MAX_HW_QUEUES",                                 \
              "HSA queues that streams without a CU mask share.")                                      \
    PARAMETER(PARAM_HIP_THREAD_WORK_PS, "hip.thread_work_ps", "ps", 165039, MEASURED,                  \
              "Otterness and Anderson 2022, MM1024 alone: median 3.203 ms",                            \
              "Work of a thread of matrix_multiply, of a whole CU: 169 us for 1,024.")                 \
    PARAMETER(PARAM_HIP_BLOCK_JITTER_PPM, "hip.block_jitter_ppm", "millionths", 110000, MEASURED,      \
              "Otterness and Anderson 2022, isolated timeline: standard deviation 7 %",                \
              "How far the work of a block lies from the mean, at most.")                              \
    PARAMETER(PARAM_HIP_WAVE_JITTER_PPM, "hip.wave_jitter_ppm", "millionths", 55000, MEASURED,         \
              "Otterness and Anderson 2022, isolated timeline: 125 blocks resident",                   \
              "How far the work of a wave lies from its share of the block's, at most.")               \
    PARAMETER(PARAM_HIP_COLD_PPM, "hip.cold_ppm", "millionths", 220000, MEASURED,                      \
              "Otterness and Anderson 2022, isolated timeline: 0.746 to 0.61",                         \
              "What blocks take more that start on a CU before any wave of their dispatch has ended there.") \
    PARAMETER(PARAM_HIP_LAUNCH_PS, "hip.launch_ps", "ps", 30000000, MEASURED,                          \
              "Otterness and Anderson 2022, Fig. 9 with one CU",                                       \
              "From the launch to the dispatch at the head of its queue, with what the return takes.") \
    PARAMETER(PARAM_HIP_GAP_PS, "hip.gap_ps", "ps", 75000000, MEASURED,                                \
              "Otterness and Anderson 2022, isolated runs: 73 to 78 us",                               \
              "From a kernel's completion to the thread's next launch.")
/* clang-format on */

enum { EVENT_HIP_FIRST_ = TABLE_HIP - 1, HIP_EVENTS(EVENT_ID) };
enum { RULE_HIP_FIRST_ = TABLE_HIP - 1, HIP_RULES(RULE_ID) };
enum { PARAM_HIP_FIRST_ = TABLE_HIP - 1, HIP_PARAMETERS(PARAMETER_ID) };

extern const struct table_set hip_tables;

#endif
