/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the resource-manager model. */
#ifndef GFE_FIRMWARE_MODELS_RM_RM_TABLES_H
#define GFE_FIRMWARE_MODELS_RM_RM_TABLES_H

#include "devices/core/papers.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define RM_EVENTS(EVENT)                                                                             \
    EVENT(RM_CHANNEL, rm_channel, "the resource manager makes a channel",                            \
          channel_id, tsg_id, runlist_id, instance_address, gpfifo_address, userd_address)           \
    EVENT(RM_RUNLIST, rm_runlist,                                                                    \
          "it writes a runlist into the buffer that is not in use, and submits it",                  \
          runlist_id, base_address, entry_count)                                                     \
    EVENT(RM_TIMESLICE, rm_timeslice, "SET_TIMESLICE: (timeout << scale) units of 1,024 ns",         \
          runlist_id, tsg_id, timeout, scale)                                                        \
    EVENT(RM_CONTEXT_INIT, rm_context_init,                                                          \
          "a piece of a new CUDA context's initialisation is sent",                                  \
          runlist_id, tsg_id, channel_id, piece, pieces)                                             \
    EVENT(RM_CONTEXT_READY, rm_context_ready, "the CUDA context is initialised",                     \
          runlist_id, tsg_id, took_ps)                                                               \
    EVENT(RM_XID_MMU_FAULT, rm_xid_mmu_fault, "Xid 31: an MMU fault",                                \
          channel_id, intr_bits, engine, client, address, fault_type, access)                        \
    EVENT(RM_XID_PBDMA, rm_xid_pbdma, "Xid 32: an error of a PBDMA, bits of INTR_0",                 \
          channel_id, intr_bits, pbdma_id)                                                           \
    EVENT(RM_XID_PBDMA_1, rm_xid_pbdma_1, "Xid 32: the same, bits of INTR_1",                        \
          channel_id, intr_bits, pbdma_id, hce_dbg0, hce_dbg1)                                       \
    EVENT(RM_XID_REMOVAL, rm_xid_removal, "Xid 45: a channel is torn down for another's error",      \
          channel_id, previous_xid)                                                                  \
    EVENT(RM_XID_CRC, rm_xid_crc, "Xid 80: a CRC of GP entries or pushbuffer is another",            \
          channel_id, intr_bits, pbdma_id)                                                           \
    EVENT(RM_RC_BEGIN, rm_rc_begin, "teardown of a TSG in error begins",                             \
          runlist_id, tsg_id, channel_id, xid)                                                       \
    EVENT(RM_RC_SCHED_DISABLE, rm_rc_sched_disable, "1: nothing else of the runlist is scheduled",   \
          runlist_id, tsg_id)                                                                        \
    EVENT(RM_RC_DISABLE, rm_rc_disable, "2: a channel of the TSG is disabled",                       \
          runlist_id, tsg_id, channel_id)                                                            \
    EVENT(RM_RC_PREEMPT, rm_rc_preempt, "3: the TSG is preempted; its PENDING is not looked at",     \
          runlist_id, tsg_id)                                                                        \
    EVENT(RM_RC_CLEAR, rm_rc_clear, "4: interrupts of a PBDMA that hold the channel are cleared",    \
          pbdma_id, intr_bits, intr_1_bits)                                                          \
    EVENT(RM_RC_OFF, rm_rc_off, "4: the TSG is on no PBDMA and engine of the runlist any more",      \
          runlist_id, tsg_id, polls, waited_ps)                                                      \
    EVENT(RM_RC_RESET, rm_rc_reset, "5: it has not left an engine in time, which is reset: PMC",     \
          runlist_id, tsg_id, engine_id)                                                             \
    EVENT(RM_RC_CLEAR_FAULTED, rm_rc_clear_faulted, "6: the faulted bits of a channel are cleared",  \
          runlist_id, tsg_id, channel_id, state)                                                     \
    EVENT(RM_RC_REMOVE, rm_rc_remove, "7: a list without the TSG is submitted",                      \
          runlist_id, tsg_id)                                                                        \
    EVENT(RM_RC_NOTIFIER, rm_rc_notifier,                                                            \
          "8: a channel's error notifier is set (address 0: the recording has it)",                  \
          channel_id, xid, address)                                                                  \
    EVENT(RM_RC_END, rm_rc_end, "9: the runlist is scheduled again",                                 \
          runlist_id, tsg_id, took_ps)                                                               \
    EVENT(RM_ENGINE, rm_engine, "an engine that PTOP tells of, and the runlist that it is bound to", \
          type, instance, runlist_id)                                                                \
    EVENT(RM_TSG, rm_tsg, "a TSG of a CUDA context: its compute TSG (0), or one of copies",          \
          runlist_id, tsg_id, which)                                                                 \
    EVENT(RM_XID_CTXSW, rm_xid_ctxsw, "Xid 109: a context switch takes too long",                    \
          channel_id, info)                                                                          \
    EVENT(RM_ALLOCATION, rm_allocation, "a large allocation needs the graphics engine once",         \
          runlist_id, tsg_id, channel_id, byte_count) \
    EVENT(RM_XID_GR, rm_xid_gr, "Xid 13: the graphics engine does not take a method, or an exception", \
          channel_id, class_id, method, data, intr_bits)                                             \
    EVENT(RM_SW_METHOD, rm_sw_method, "a method of a software class, answered or not (Xid 32)",      \
          channel_id, subchannel, class_id, method, data, answered)

#define RM_RULES(RULE)                                                                               \
    RULE(RULE_B_T3, "B.T3", MEASURED_ON("GP106 (GTX 1060)"), RUNTIME, PAPER_BAKITA "Fig. 6: slices of about 2 ms; a recorded CUDA context: SET_TIMESLICE on the compute TSG", \
         "The compute TSG of a CUDA context has a timeslice of its own, 250 << 3 units of 1,024 ns.") \
    RULE(RULE_B_T1B, "B.T1b", MEASURED_ON("GP10B (Jetson TX2)"), KERNEL_DRIVER, PAPER_BAKITA "s.V-C, Fig. 9", \
         "The compute TSG of a CUDA context on a TX2 has a timeslice of 250 << 2 units of 1,024 ns.")   \
    RULE(RULE_B_R5, "B.R5", SEEN_BY_BAKITA, HARDWARE, PAPER_BAKITA "s.V-C",                            \
         "The number of runlists limits what can run independently: with fewer, TSGs share them.")     \
    RULE(RULE_B_R6, "B.R6", SEEN_BY_BAKITA, HARDWARE, PAPER_BAKITA "s.V-D",                            \
         "A runlist may be bound to more than one engine.")                                            \
    RULE(RULE_B_R7, "B.R7", SEEN_BY_BAKITA, HARDWARE, PAPER_BAKITA "s.V-D",                            \
         "Each engine is bound to one runlist.")                                                       \
    RULE(RULE_B_D1, "B.D1", MEASURED_ON("GP106 (GTX 1060)"), KERNEL_DRIVER, PAPER_BAKITA "Fig. 6, note 14",     \
         "Making a CUDA context needs the graphics engine several times in about 100 ms, a large allocation of device-mapped memory once: that interrupts who computes.") \
    RULE(RULE_RM_RC, "RM.RC", DOCUMENTED, KERNEL_DRIVER, "open-gpu-doc tu104 dev_fifo, ga100 dev_runlist, Channel Teardown Sequence; nvgpu rc_gv11b.c", \
         "A TSG in error is torn down: scheduling off, channels off, preempt, wait, faulted bits, off the runlist, notifiers, scheduling on.")

#define RM_PARAMETERS(PARAMETER)                                                                     \
    PARAMETER(PARAM_RM_TIMESLICE_UNITS, "rm.timeslice_units", "units", 1024, DOCUMENTED,               \
              "open-gpu-kernel-modules @df1c9a3d kernel_channel_group (128 << 3)",                     \
              "Timeslice of a new TSG, in units of 1,024 ns that the driver calls microseconds.")      \
    PARAMETER(PARAM_RM_COMPUTE_TIMESLICE_UNITS, "rm.compute_timeslice_units", "units", 2000,           \
              MEASURED_ON("GP106 (GTX 1060)"), PAPER_BAKITA "Fig. 6: slices of about 2 ms",            \
              "Timeslice of a CUDA context's compute TSG: 250 << 3; 250 << 2 on a TX2.")                                   \
    PARAMETER(PARAM_RM_RUNQUEUES, "rm.runqueues", "runqueues", 2,                                      \
              MEASURED_ON("GH100 (H100)"),                                                             \
              "tests/hardware/data/h100: flags of the channels' allocations; ASSUMED of other GPUs",   \
              "Compute channels of a CUDA context take turns among so many runqueues of their runlist, as far as there are.") \
    PARAMETER(PARAM_RM_CONTEXT_INIT_PS, "rm.context_init_ps", "ps", UINT64_C(100000000000),            \
              MEASURED_ON("GP106 (GTX 1060)"), PAPER_BAKITA "s.V-C, Fig. 6: about 100 ms",             \
              "How long a new CUDA context is initialised.")                                           \
    PARAMETER(PARAM_RM_CONTEXT_INIT_PIECES, "rm.context_init_pieces", "pieces", 8, ASSUMED,            \
              PAPER_BAKITA "s.V-C, Fig. 6: several times",                                             \
              "How often it needs the graphics engine meanwhile, at equal distances.")                 \
    PARAMETER(PARAM_RM_LARGE_ALLOCATION_BYTES, "rm.large_allocation_bytes", "bytes", 64 << 20, ASSUMED, \
              PAPER_BAKITA "note 14: large; how large is not said",                                    \
              "From this size on an allocation needs the graphics engine once.")                       \
    PARAMETER(PARAM_RM_INTERRUPT_PS, "rm.interrupt_ps", "ps", 3000000, ASSUMED, "gfe",                 \
              "From the interrupt line to the driver's handler.")                                      \
    PARAMETER(PARAM_RM_POLL_PS, "rm.poll_ps", "ps", 10000000, ASSUMED, "gfe",                          \
              "Between two looks at whether a TSG in error is off its PBDMAs and engines.")            \
    PARAMETER(PARAM_RM_RC_TIMEOUT_PS, "rm.rc_timeout_ps", "ps", UINT64_C(100000000000), DOCUMENTED,    \
              "nvgpu: ctxsw_timeout_period_ms, also of polls in recovery",                             \
              "After this an engine that the TSG is still on is reset, as rm.reset_scope has it.")

/* rm.recovery, rm.ctxsw_timeout, rm.reset_scope */
enum { RM_RECOVERY_OFF, RM_RECOVERY_ON };
enum { RM_CTXSW_TIMEOUT_ON, RM_CTXSW_TIMEOUT_OFF };
enum { RM_RESET_ENGINE, RM_RESET_NONE, RM_RESET_GPU };
#define RM_CHOICES(CHOICE)                                                                           \
    CHOICE(CHOICE_RM_RECOVERY, "rm.recovery", RM_RECOVERY_OFF, ASSUMED, "gfe",                         \
           "Who answers interrupts of a recording of registers: nobody but what was recorded, or NVIDIA's driver.", \
           "off", "on")                                                                                \
    CHOICE(CHOICE_RM_CTXSW_TIMEOUT, "rm.ctxsw_timeout", RM_CTXSW_TIMEOUT_ON, ASSUMED,                  \
           "gfe; nvgpu has timeouts_disabled_by_user",                                                 \
           "Whether the driver recovers from a context switch that takes too long, or looks away.",    \
           "on", "off")                                                                                \
    CHOICE(CHOICE_RM_RESET_SCOPE, "rm.reset_scope", RM_RESET_ENGINE, ASSUMED,                          \
           "engine: nvgpu rc_gv11b.c; the others: gfe",                                                \
           "What is reset when a TSG in error has not left an engine after rm.rc_timeout_ps: that engine; nothing; or all engines, and every TSG is torn down.", \
           "engine", "none", "gpu")
/* clang-format on */

enum { EVENT_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_EVENTS(EVENT_ID) };
RM_EVENTS(EVENT_STRUCT)
enum { RULE_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_RULES(RULE_ID) };
enum { PARAM_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_PARAMETERS(PARAMETER_ID) };

enum { CHOICE_RM_FIRST_ = TABLE_FIRMWARE_NVIDIA_RM - 1, RM_CHOICES(CHOICE_ID) };

extern const struct table_set rm_tables;

#endif
