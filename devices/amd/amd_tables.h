/* SPDX-License-Identifier: MIT */
/* Events, rules, parameters and choice points of AMD's hardware. */
#ifndef GFE_DEVICES_AMD_AMD_TABLES_H
#define GFE_DEVICES_AMD_AMD_TABLES_H

#include "devices/core/papers.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define AMD_EVENTS(EVENT)                                                                            \
    EVENT(AMD_DISPATCH, amd_dispatch,                                                                \
          "what a dispatch's blocks need, and the CUs of shader engines 0 and up that they may "     \
          "have, 16 bits each",                                                                      \
          grid_id, ace_index, queue_index, wave_count, sgpr_count, cu_mask_lo, cu_mask_hi,           \
          block_ps)                                                                                  \
    EVENT(AMD_ACE_TURN, amd_ace_turn, "an ACE turns to another of its queues",                       \
          ace_index, queue_index, grid_id)                                                           \
    EVENT(AMD_BLOCK_STAGE, amd_block_stage,                                                          \
          "an ACE puts a block into its slot of a shader engine's workload manager",                 \
          grid_id, block_index, se_index, ace_index)                                                 \
    EVENT(AMD_BLOCK_UNSTAGE, amd_block_unstage,                                                      \
          "it is taken back before it began: its queue leaves its slot",                             \
          grid_id, block_index, se_index, ace_index)                                                 \
    EVENT(AMD_BLOCK_STOP, amd_block_stop,                                                            \
          "a block's waves are stopped: so many bytes of them are saved, or, with 0, they are "      \
          "thrown away",                                                                             \
          grid_id, block_index, sm_index, slot_index, wave_count, byte_count)                        \
    EVENT(AMD_BLOCK_GO_ON, amd_block_go_on, "they go on, on a CU that need not be the same",         \
          grid_id, block_index, sm_index, slot_index, wave_count, from_ps)

#define AMD_RULES(RULE)                                                                              \
    RULE(RULE_A_D1, "A.D1", SEEN_BY_OTTERNESS, HARDWARE, PAPER_OTTERNESS "s.4.3",                      \
         "An ACE alternates between the heads of its queues, round robin, in time slices.")            \
    RULE(RULE_A_D2, "A.D2", SEEN_BY_OTTERNESS, HARDWARE, PAPER_OTTERNESS "s.4.3 and 4.4",              \
         "Consecutive blocks go to consecutive shader engines; one is passed over only when the CU mask leaves it no CU.") \
    RULE(RULE_A_D3, "A.D3", SEEN_BY_OTTERNESS, HARDWARE, PAPER_OTTERNESS "s.4.3",                      \
         "A shader engine's workload manager has one slot for each ACE and serves them round robin.")  \
    RULE(RULE_A_D4, "A.D4", SEEN_BY_OTTERNESS, HARDWARE, PAPER_OTTERNESS "s.4.3",                      \
         "When no CU has room for a slot's block, blocks of other slots that fit cut ahead of it.")    \
    RULE(RULE_A_D5, "A.D5", SEEN_BY_OTTERNESS, HARDWARE, PAPER_OTTERNESS "s.4.3",                      \
         "A block needs a CU with room for all its waves at once; what a block holds is freed as its waves end.") \
    RULE(RULE_A_M1, "A.M1", SEEN_BY_OTTERNESS, HARDWARE, PAPER_OTTERNESS "s.5.1, Fig. 8",              \
         "A dispatch's blocks get only CUs that its queue's CU mask enables: bit i is CU i / 4 of shader engine i mod 4 (of four).") \
    RULE(RULE_A_O1, "A.O1", DOCUMENTED, HARDWARE, PAPER_OTTERNESS "s.4.3; HSA PRM 1.2 s.2.13",         \
         "Blocks of a dispatch are assigned in the order of their flattened ids.")                     \
    RULE(RULE_A_R1, "A.R1", MEASURED_ON("Vega 20 (Radeon VII)"), HARDWARE, PAPER_OTTERNESS "s.3.1 and its data", \
         "The waves of a CU are bounded: 10 of each SIMD (amd.cu_waves), of which the paper's blocks could use 32.") \
    RULE(RULE_AMD_CWSR, "AMD.CWSR", DOCUMENTED, HARDWARE, "amdgpu gc_9_0_sh_mask.h (SAVE_WAVES), amdkfd kfd_mqd_manager_v9.c", \
         "The waves of a queue that is to leave its slot are stopped and saved; they go on where they were when the queue is in a slot again.")

#define AMD_PARAMETERS(PARAMETER)                                                                    \
    PARAMETER(PARAM_AMD_CU_WAVES, "amd.cu_waves", "waves", 40, MEASURED_ON("Vega 20 (Radeon VII)"),    \
              PAPER_OTTERNESS "its data: 2560 threads; its text says 2048 (32 waves)",                 \
              "Waves that a CU holds at most.")                                                        \
    PARAMETER(PARAM_AMD_FULL_RATE_WAVES, "amd.full_rate_waves", "waves", 25, MEASURED_ON("Vega 20 (Radeon VII)"), \
              PAPER_OTTERNESS "isolated timeline: 16 waves alone on a CU take 0.90 of the time of 32", \
              "Waves from which on a CU does all the work that it can.")                               \
    PARAMETER(PARAM_AMD_WAVE_DISPATCH_CYCLES, "amd.wave_dispatch_cycles", "shader cycles", 1, MEASURED_ON("Vega 20 (Radeon VII)"), \
              PAPER_OTTERNESS "isolated timeline: 20 cycles for a block of 16 waves",                  \
              "Time of a workload manager for each wave of a block that it places.")                   \
    PARAMETER(PARAM_AMD_ACE_SLICE_PS, "amd.ace_slice_ps", "ps", UINT64_C(1000000000), ASSUMED,         \
              "gfe: the driver writes CP_HQD_QUANTUM 0x111, of which the unit is not published",       \
              "How long an ACE stays with one of several queues that have work (amd.ace_turn timeslice).") \
    PARAMETER(PARAM_AMD_LARGEST_GRID_BLOCKS, "amd.largest_grid_blocks", "blocks", 1 << 26, ASSUMED, "gfe", \
              "A dispatch of more blocks stops the run: it would take the host too long.")             \
    PARAMETER(PARAM_AMD_SAVE_WAVE_BYTES, "amd.save_wave_bytes", "bytes", 100, INFERRED,                \
              "ROCR-Runtime libhsakmt queues.c: 4096 bytes for the waves of a CU",                     \
              "What a saved wave takes besides registers and LDS: the state of the hardware.")

#define AMD_CHOICES(CHOICE)                                                                          \
    CHOICE(CHOICE_AMD_ACE_TURN, "amd.ace_turn", 0, ASSUMED,                                            \
           PAPER_OTTERNESS "s.4.3: time-sliced; how, is not published",                                \
           "When an ACE turns to its next queue that has work: after a slice, each block, or each dispatch.", \
           "timeslice", "block", "dispatch")                                                           \
    CHOICE(CHOICE_AMD_BATON, "amd.baton", 1, INFERRED_OPEN,                                            \
           PAPER_OTTERNESS "isolated timeline, counted by docs/block-order.md; s.4.3: a block goes to a CU to be assigned", \
           "When the next shader engine has its turn: once a block is staged in this one, or once it is on a CU.", \
           "staged", "placed")                                                                         \
    CHOICE(CHOICE_AMD_WLM, "amd.wlm_arbitration", 0, INFERRED,                                         \
           PAPER_OTTERNESS "s.4.3, note 17: ideally round robin",                                      \
           "Which of the staged blocks that fit on a CU a workload manager places first.",             \
           "round-robin", "oldest-first", "lowest-ace", "largest-first", "smallest-first")             \
    CHOICE(CHOICE_AMD_RELEASE, "amd.release", 0, SEEN_BY_OTTERNESS,                                    \
           PAPER_OTTERNESS "s.4.3; its isolated timeline has 125 blocks on 60 CUs that hold 120",      \
           "A.D5: when others may have what a wave holds: as the wave ends, or with the last one of its block.", \
           "wave", "block")                                                                            \
    CHOICE(CHOICE_AMD_BLOCK_TO_CU, "amd.block_to_cu", 1, MEASURED_ON("Vega 20 (Radeon VII)"),          \
           PAPER_OTTERNESS "isolated timeline: the first blocks go to the CUs in their order",         \
           "Which of a shader engine's CUs with room gets a block.",                                   \
           "most-free", "round-robin", "lowest", "random")                                             \
    CHOICE(CHOICE_AMD_RESTORE, "amd.restore", 0, ASSUMED, "gfe",                                       \
           "AMD.CWSR: where a saved block goes on: in the shader engine that it was in, or, as new blocks, in the next one in turn.", \
           "same-engine", "cyclic")
/* clang-format on */

enum { PARAM_AMD_FIRST_ = TABLE_AMD - 1, AMD_PARAMETERS(PARAMETER_ID) PARAM_AMD_END };
enum { CHOICE_AMD_FIRST_ = TABLE_AMD - 1, AMD_CHOICES(CHOICE_ID) CHOICE_AMD_END };
enum { EVENT_AMD_FIRST_ = TABLE_AMD - 1, AMD_EVENTS(EVENT_ID) EVENT_AMD_END };
AMD_EVENTS(EVENT_STRUCT)
enum { RULE_AMD_FIRST_ = TABLE_AMD - 1, AMD_RULES(RULE_ID) RULE_AMD_END };

extern const struct table_set amd_tables;

#endif
