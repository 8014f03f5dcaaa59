/* SPDX-License-Identifier: MIT */
/* Events, rules, parameters and choice points that both vendors share. */
#ifndef GFE_DEVICES_CORE_CORE_EVENTS_H
#define GFE_DEVICES_CORE_CORE_EVENTS_H

#include "devices/core/papers.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define CORE_EVENTS(EVENT)                                                                           \
    EVENT(GRID_QUEUE, grid_queue, "a grid is handed to the block dispatcher",                        \
          grid_id, channel_id, block_count, block_threads, shared_bytes, registers, gp_sequence,     \
          descriptor_address)                                                                        \
    EVENT(GRID_START, grid_start, "its first block starts",                                          \
          grid_id, channel_id)                                                                       \
    EVENT(GRID_DISPATCHED, grid_dispatched, "its last block starts; it leaves the queue",            \
          grid_id, channel_id)                                                                       \
    EVENT(GRID_END, grid_end, "its last block ends",                                                 \
          grid_id, channel_id, queued_ps, started_ps)                                                \
    EVENT(BLOCK_START, block_start, "a block starts on an SM or CU",                                 \
          grid_id, block_index, sm_index, slot_index)                                                \
    EVENT(BLOCK_END, block_end, "a block ends",                                                      \
          grid_id, block_index, sm_index, slot_index)                                                \
    EVENT(COPY_QUEUE, copy_queue, "a copy is handed to a copy engine",                               \
          copy_id, channel_id, engine_id, byte_count, source, destination, gp_sequence)              \
    EVENT(COPY_START, copy_start, "the copy engine starts it",                                       \
          copy_id, channel_id, engine_id, byte_count, traffic_bytes, limited_by, pce_bits)           \
    EVENT(COPY_END, copy_end, "it is complete, its bytes are in memory",                             \
          copy_id, channel_id, engine_id, byte_count, limited_by)                                    \
    EVENT(COPY_SPEED, copy_speed, "other copies slow it down, or do so no more: of its speed alone", \
          copy_id, channel_id, engine_id, speed_ppm, limited_by)                                     \
    EVENT(COPY_SUSPEND, copy_suspend, "it stops where it can, its context leaves the engine",        \
          copy_id, channel_id, engine_id, moved_bytes)                                               \
    EVENT(COPY_RESUME, copy_resume, "what is left of it is set up again",                            \
          copy_id, channel_id, engine_id, moved_bytes, limited_by, pce_bits)                         \
    EVENT(COPY_DROP, copy_drop,                                                                      \
          "a copy is not done: its channel has been stopped, or its engine reset",                   \
          copy_id, channel_id, engine_id)                                                            \
    EVENT(WORK_START, work_start, "work that the model only gives a time to (draws) starts",         \
          work_id, channel_id, engine_id, class_id, method, gp_sequence)                             \
    EVENT(WORK_END, work_end, "it ends",                                                             \
          work_id, channel_id, engine_id)                                                            \
    EVENT(GRID_SUSPEND, grid_suspend, "its running blocks stop: another context gets the SMs",       \
          grid_id, channel_id, block_count)                                                          \
    EVENT(GRID_RESUME, grid_resume, "they go on, where they were",                                   \
          grid_id, channel_id, from_ps, by_channel_id)                                               \
    EVENT(WORK_SUSPEND, work_suspend, "running work stops: another context gets the engine",         \
          work_id, channel_id, engine_id)                                                            \
    EVENT(WORK_RESUME, work_resume, "it goes on",                                                    \
          work_id, channel_id, engine_id, from_ps, by_channel_id)                                    \
    EVENT(GRID_DROP, grid_drop, "it will not end: its engine has been reset",                        \
          grid_id, channel_id)                                                                       \
    EVENT(WORK_DROP, work_drop, "likewise",                                                          \
          work_id, channel_id, engine_id)                                                            \
    EVENT(GRID_COST, grid_cost,                                                                      \
          "what is known of it: the higher its priority the sooner; a block's time",                 \
          grid_id, priority, block_ps, block_cycles)                                                 \
    EVENT(GRID_SPLIT, grid_split,                                                                    \
          "the shared memory that an SM needs at least for its blocks, and that it chooses",         \
          grid_id, least_bytes, chosen_bytes)                                                        \
    EVENT(GRID_MASK, grid_mask,                                                                      \
          "the SMs that its descriptor disables, sms_per_bit of them by each bit; passed is 1 if grids " \
          "behind it may start while it finds no place",                                             \
          grid_id, mask_lo, mask_hi, sms_per_bit, passed)                                            \
    EVENT(GRID_CLUSTER, grid_cluster, "how many of its blocks start together",                       \
          grid_id, block_count)

#define CORE_RULES(RULE)                                                                             \
    RULE(RULE_T_G3, "T.G3", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.3.2",                              \
         "A kernel leaves the dispatcher's queue once its last block is assigned.")                    \
    RULE(RULE_T_X1, "T.X1", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.3.2",                              \
         "Only blocks of the kernel at the head of the queue may be assigned.")                        \
    RULE(RULE_T_A1, "T.A1", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.4.2",                              \
         "Each priority has a queue of its own; a kernel joins that of its stream's.")                 \
    RULE(RULE_T_A2, "T.A2", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.4.2",                              \
         "A queue is served only while those of all higher priorities are empty, even if their heads do not fit.") \
    RULE(RULE_T_R1, "T.R1", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.3.2",                              \
         "A block is assigned only when one SM has all the resources that it needs.")                  \
    RULE(RULE_T_R2, "T.R2", DOCUMENTED, HARDWARE, "CUDA C++ Programming Guide, technical specifications: resident threads per SM; " PAPER_AMERT "s.3.2", \
         "The threads of an SM bound the blocks on it.")                                               \
    RULE(RULE_Y_R1, "Y.R1", SEEN_BY_YANG, HARDWARE, PAPER_YANG "R1",                                   \
         "A block is assigned when the free threads of the whole GPU suffice (model yang17, in place of T.R2).") \
    RULE(RULE_T_R3, "T.R3", DOCUMENTED, HARDWARE, "CUDA C++ Programming Guide, technical specifications: shared memory per SM; " PAPER_AMERT "s.3.2", \
         "The shared memory of an SM bounds the blocks on it.")                                        \
    RULE(RULE_T_REG, "T.REG", DOCUMENTED, HARDWARE, "cuda_occupancy.h (CUDA 13.0)",                    \
         "The registers of an SM bound the blocks on it: each of its sub-partitions has an equal part of " \
         "them and gives them to warps, in the vendor's allocation units.")                            \
    RULE(RULE_T_SLOT, "T.SLOT", DOCUMENTED, HARDWARE, "cuda_occupancy.h (CUDA 13.0)",                  \
         "The block and warp slots of an SM bound the blocks on it.")                                  \
    RULE(RULE_CORE_SM_SPLIT, "CORE.SM_SPLIT", MEASURED_ON("GH100 (H100 SXM5 80GB)"), HARDWARE,                           \
         "tests/hardware/data: sm_order, carve_out (h100); splits: CUDA C++ Programming Guide, shared memory by compute capability", \
         "An SM keeps the split of L1 and shared memory that the kernel which found it empty chose: another's " \
         "block starts beside it only if that split has room for it, and for as many of its kind as fit on an SM.") \
    RULE(RULE_CORE_GRIDS, "CORE.GRIDS", DOCUMENTED, HARDWARE,                                          \
         "CUDA C++ Programming Guide, technical specifications: resident grids; 128 seen on an H100, tests/hardware/data", \
         "No more grids than the GPU can keep resident have blocks: the next one waits for the end of one.") \
    RULE(RULE_CORE_SM_MASK, "CORE.SM_MASK", DOCUMENTED, HARDWARE, "open-gpu-doc classes/compute/cl*qmd.h: SM_DISABLE_MASK; a bit for a TPC: Bakita and Anderson 2023", \
         "Blocks of a kernel get no SM that its descriptor disables.")                                 \
    RULE(RULE_CORE_CLUSTER, "CORE.CLUSTER", MEASURED_ON("GH100 (H100)"), HARDWARE,                    \
         "CUDA programming guide, thread block clusters; tests/hardware/data, h100: clusters of blocks, gpcs of sm_order", \
         "The blocks of a cluster start together, each on another SM of one GPC (on an H100: of one virtual " \
         "GPC, or of a TPC that is in none).")                                                         \
    RULE(RULE_CORE_MASK_PASSED, "CORE.MASK_PASSED", MEASURED_ON("GH100 (H100)"), HARDWARE,             \
         "tests/hardware/data, h100: green_contexts of blocks",                                       \
         "A kernel that finds no place on the SMs that its descriptor leaves it does not hold up kernels with " \
         "another mask, or with none.")                                                                \
    RULE(RULE_CORE_BLOCK_ORDER, "CORE.BLOCK_ORDER", ASSUMED, HARDWARE, "gfe",                          \
         "The blocks of a kernel are placed one after another, in the order of their numbers.")        \
    RULE(RULE_T_C2, "T.C2", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.3.2",                              \
         "A copy engine runs one copy at a time.")                                                     \
    RULE(RULE_T_C3, "T.C3", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.3.2",                              \
         "A copy leaves the queue of its copy engine when the engine starts it.")                      \
    RULE(RULE_T_Q, "T.Q", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "s.3.2",                                \
         "Each address space has a queue of its own for kernels, first in, first out.")                \
    RULE(RULE_T_P1, "T.P1", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "app. A",                             \
         "Kernels of different address spaces are time-sliced and never run together: from Pascal on " \
         "blocks are stopped and go on later, before it they run to their ends.")                      \
    RULE(RULE_T_P2, "T.P2", SEEN_BY_AMERT, HARDWARE, PAPER_AMERT "app. A",                             \
         "Priorities have no effect between address spaces: a kernel of high priority is stopped for another's, too.") \
    RULE(RULE_Y_R2, "Y.R2", SEEN_BY_YANG, RUNTIME, PAPER_YANG "R2",                                    \
         "A kernel joins the primary queue when it is at the head of its stream's (model yang17, in place of T.G2).") \
    RULE(RULE_CORE_SAVED, "CORE.SAVED", ASSUMED, HARDWARE, "gfe",                                      \
         "A context with more blocks than can be kept (core.saved_blocks) is suspended when enough of " \
         "them have ended.")                                                                           \
    RULE(RULE_CORE_COPY_SHARE, "CORE.COPY_SHARE", ASSUMED, HARDWARE, "gfe",                            \
         "Copies that meet at a full link (to system memory, each way, or the local memory) are "      \
         "slowed by the same factor; what one leaves of a link the others have.")                      \
    RULE(RULE_CORE_CLIENT_SHARE, "CORE.CLIENT_SHARE", ASSUMED, HARDWARE,                               \
         "NVIDIA Multi-Process Service, execution resource provisioning: the limit; gfe: how it is kept", \
         "A client of MPS has blocks on no more SMs than its share. While it is there its kernels wait for room " \
         "on those, and other clients' kernels do not wait for its.")

#define CORE_PARAMETERS(PARAMETER)                                                                   \
    PARAMETER(PARAM_BLOCK_BASE_CYCLES, "core.block_base_cycles", "SM cycles", 2000, ASSUMED, "gfe",    \
              "Default time of a block: what every block takes, whatever its size.")                   \
    PARAMETER(PARAM_BLOCK_WARP_CYCLES, "core.block_warp_cycles", "SM cycles", 100, ASSUMED, "gfe",     \
              "Default time of a block: what each of its warps adds.")                                 \
    PARAMETER(PARAM_DISPATCH_CYCLES, "core.dispatch_cycles", "SM cycles", 4, ASSUMED, "gfe",           \
              "Time between two blocks that the dispatcher places.")                                   \
    PARAMETER(PARAM_COPY_SETUP_CYCLES, "core.copy_setup_cycles", "host cycles", 753, INFERRED,         \
              "\"Revealing NVIDIA Closed-Source Driver Command Streams\", arXiv 2604.26889, 2026: about 500 ns, of another chip", \
              "Time of a copy before its first byte; on h100 and h200 8,000 (4 us), MEASURED: tests/hardware/data, " \
              "copy_times.")                                                 \
    PARAMETER(PARAM_COPY_RATE_PERCENT, "core.copy_rate_percent", "percent", 100, ASSUMED, "gfe",        \
              "What copies get of the rates of engines, links and memory that the GPU's model has.")   \
    PARAMETER(PARAM_LARGEST_GRID_BLOCKS, "core.largest_grid_blocks", "blocks", 1 << 26, ASSUMED, "gfe",\
              "A grid of more blocks stops the run: it would take the host too long.")                 \
    PARAMETER(PARAM_LARGEST_COPY_BYTES, "core.largest_copy_bytes", "bytes", UINT64_C(8) << 30, ASSUMED,\
              "gfe", "A copy of more bytes stops the run: it would take the host too long.")           \
    PARAMETER(PARAM_LARGEST_COPY_RUNS, "core.largest_copy_runs", "pieces", 1 << 25, ASSUMED, "gfe",    \
              "A copy in more pieces (4096 bytes of a line, 16 of a tiled one) stops the run.")         \
    PARAMETER(PARAM_TURNS_GROUP, "core.turns_group", "virtual GPC", 0, ASSUMED,                        \
              "gfe; on a real GPU it hangs on what ran before",                                        \
              "Turns: the virtual GPC, from 0, that has the first turn behind the singletons, modulo their number.") \
    PARAMETER(PARAM_TURNS_SINGLETONS, "core.turns_singletons", "half", 1, ASSUMED,                     \
              "gfe; on a real GPU it hangs on what ran before",                                        \
              "Turns: the half of the singletons that is first in the first kernel: 0 or 1; it changes from kernel to kernel.") \
    PARAMETER(PARAM_SAVED_BLOCKS, "core.saved_blocks", "blocks", 8192, ASSUMED, "gfe",                \
              "Blocks of all suspended contexts together that are kept, at most 8192.")

#define CORE_CHOICES(CHOICE)                                                                         \
    CHOICE(CHOICE_BLOCK_TO_SM, "core.block_to_sm", 0, ASSUMED,                                         \
           "no published source but for turns, which the H100 and H200 take (tests/hardware/data); "   \
           "block-to-SM order is never checked",                                                       \
           "Which of the SMs that can take the next block gets it; on h100 and h200 by default turns.",      \
           "most-free", "round-robin", "lowest", "random", "turns")                                    \
    CHOICE(CHOICE_MASKED_GRIDS, "core.masked_grids", CORE_MASKED_HOLD, INFERRED,                       \
           "tests/hardware/data, h100: green_contexts of blocks; of other GPUs nothing is published",  \
           "T.X1 and masks of SMs: whether a kernel that finds no place on the SMs that its descriptor leaves " \
           "it holds up the kernels behind it, or those with another mask pass it (CORE.MASK_PASSED); the " \
           "default of H100 and H200.",                                                                \
           "hold", "passed")
/* clang-format on */

/* core.masked_grids */
enum { CORE_MASKED_HOLD, CORE_MASKED_PASSED };
/* The last alternative of core.block_to_sm. */
enum { CORE_BLOCK_TO_SM_TURNS = 4 };

enum { PARAM_CORE_FIRST_ = TABLE_CORE - 1, CORE_PARAMETERS(PARAMETER_ID) PARAM_CORE_END };
enum { CHOICE_CORE_FIRST_ = TABLE_CORE - 1, CORE_CHOICES(CHOICE_ID) CHOICE_CORE_END };
enum { EVENT_CORE_FIRST_ = TABLE_CORE - 1, CORE_EVENTS(EVENT_ID) EVENT_CORE_END };
CORE_EVENTS(EVENT_STRUCT)
enum { RULE_CORE_FIRST_ = TABLE_CORE - 1, CORE_RULES(RULE_ID) RULE_CORE_END };

extern const struct table_set core_tables;

#endif
