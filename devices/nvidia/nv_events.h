/* SPDX-License-Identifier: MIT */
/* Events of the NVIDIA front end. */
#ifndef GFE_DEVICES_NVIDIA_NV_EVENTS_H
#define GFE_DEVICES_NVIDIA_NV_EVENTS_H

#include "emu/log/rule.h"

/* clang-format off */
#define NV_EVENTS(EVENT)                                                                             \
    EVENT(EVENT_NV_DOORBELL, "NV_DOORBELL", "Host snoops a store of GP_PUT into USERD",                \
          "channel_id", "gp_put_index")                                                                \
    EVENT(EVENT_NV_CHANNEL_BIND, "NV_CHANNEL_BIND", "an instance block is bound to a channel",         \
          "channel_id", "instance_address")                                                            \
    EVENT(EVENT_NV_CHANNEL_UNBIND, "NV_CHANNEL_UNBIND", "", "channel_id")                              \
    EVENT(EVENT_NV_CHANNEL_ENABLE, "NV_CHANNEL_ENABLE", "", "channel_id", "enabled")                   \
    EVENT(EVENT_NV_BIND_ERROR, "NV_BIND_ERROR", "INTR_0 BIND_ERROR", "channel_id", "code")             \
    EVENT(EVENT_NV_RUNLIST_SUBMIT, "NV_RUNLIST_SUBMIT", "a runlist is submitted",                      \
          "runlist_id", "base_address", "entry_count")                                                 \
    EVENT(EVENT_NV_SCHED_ERROR, "NV_SCHED_ERROR", "INTR_0 SCHED_ERROR", "runlist_id", "code")          \
    EVENT(EVENT_NV_TSG_START, "NV_TSG_START", "a time-slice group goes on its runlist's PBDMA "        \
          "(1073741824 and up: a channel outside TSGs)", "runlist_id", "tsg_id", "timeslice_ps")                                                      \
    EVENT(EVENT_NV_TSG_END, "NV_TSG_END", "it leaves, by the rule if it could go on; what "   \
          "counted for its slice", "runlist_id", "tsg_id", "ran_ps", "counted_ps")               \
    EVENT(EVENT_NV_SLICE_PAUSE, "NV_SLICE_PAUSE", "the channel that is on needs an engine that has "   \
          "to load its context; its slice does not count meanwhile", "runlist_id", "tsg_id",           \
          "channel_id", "counted_ps")                                                                  \
    EVENT(EVENT_NV_CHANNEL_LOAD, "NV_CHANNEL_LOAD", "a channel's RAMFC is in the PBDMA's registers",   \
          "channel_id", "pbdma_id", "runlist_id", "gp_get_index", "gp_put_index")                      \
    EVENT(EVENT_NV_CHANNEL_SAVE, "NV_CHANNEL_SAVE", "it is back in memory",                            \
          "channel_id", "pbdma_id", "runlist_id", "gp_get_index", "gp_put_index")                      \
    EVENT(EVENT_NV_PREEMPT, "NV_PREEMPT", "software takes a TSG or channel off its PBDMA",             \
          "channel_id", "tsg_id", "pbdma_id")                                                          \
    EVENT(EVENT_NV_SCHED_DISABLE, "NV_SCHED_DISABLE", "software holds a runlist's scheduler, or not",  \
          "runlist_id", "disabled")                                                                    \
    EVENT(EVENT_NV_CONTEXT_LOAD, "NV_CONTEXT_LOAD", "an engine begins to load a context",              \
          "engine_id", "tsg_id", "channel_id", "load_ps")                                                         \
    EVENT(EVENT_NV_GP_FETCH, "NV_GP_FETCH", "a GP entry is read and committed",                        \
          "channel_id", "pbdma_id", "gp_index", "address", "dword_count", "entry1_flags",              \
          "gp_sequence", "fetch_ps")                                                                   \
    EVENT(EVENT_NV_PB_FETCH, "NV_PB_FETCH", "pushbuffer dwords are read and latched",                  \
          "channel_id", "pbdma_id", "address", "dword_count", "fetch_ps")                                          \
    EVENT(EVENT_NV_SEGMENT_END, "NV_SEGMENT_END", "all methods of a GP entry's segment are sent",      \
          "channel_id", "pbdma_id", "gp_index", "method_count", "gp_sequence")                         \
    EVENT(EVENT_NV_SUBDEVICE, "NV_SUBDEVICE", "a subdevice mask turns methods on or off",              \
          "channel_id", "pbdma_id", "mask", "is_active")                                               \
    EVENT(EVENT_NV_SET_OBJECT, "NV_SET_OBJECT", "a class is set on a subchannel",                      \
          "channel_id", "subchannel", "class_id")                                                      \
    EVENT(EVENT_NV_LAUNCH, "NV_LAUNCH", "the front end takes a launch; the dispatcher gets it later",  \
          "channel_id", "descriptor_address", "gp_sequence")                                           \
    EVENT(EVENT_NV_REPORT, "NV_REPORT", "the front end takes a report; it is written later",           \
          "channel_id", "address", "class_id", "gp_sequence")                                          \
    EVENT(EVENT_NV_RELEASE, "NV_RELEASE", "a semaphore release is in memory",                          \
          "channel_id", "address", "value", "byte_count", "source_class", "gp_sequence")             \
    EVENT(EVENT_NV_ACQUIRE, "NV_ACQUIRE", "a semaphore acquire succeeds",                              \
          "channel_id", "address", "value", "tries")                                                   \
    EVENT(EVENT_NV_INLINE_WRITE, "NV_INLINE_WRITE", "inline data is in memory",                        \
          "channel_id", "address", "byte_count", "class_id", "gp_sequence")                          \
    EVENT(EVENT_NV_NOTIFY, "NV_NOTIFY", "a notifier is written", "channel_id", "address", "class_id")  \
    EVENT(EVENT_NV_PBDMA_INTR, "NV_PBDMA_INTR", "a PBDMA interrupt (32 and up: of INTR_1)", \
          "channel_id", "pbdma_id", "intr_bit", "method", "data")                                      \
    EVENT(EVENT_NV_PBDMA_INTR_CLEAR, "NV_PBDMA_INTR_CLEAR", "software cleared interrupt bits",         \
          "channel_id", "pbdma_id", "cleared_bits")                                                    \
    EVENT(EVENT_NV_CHANNEL_INTR, "NV_CHANNEL_INTR", "INTR_0 CHANNEL_INTR: a non-stalling interrupt",   \
          "channel_id")                                                                                \
    EVENT(EVENT_NV_CE_CONDITION, "NV_CE_CONDITION", "SET_RENDER_ENABLE switches copies on or off",      \
          "channel_id", "engine_id", "mode", "enabled")                                                \
    EVENT(EVENT_NV_CE_LAUNCHERR, "NV_CE_LAUNCHERR", "a copy engine refuses a launch; it is dropped",   \
          "copy_id", "channel_id", "engine_id", "code", "launch")                                      \
    EVENT(EVENT_NV_CE_INTR, "NV_CE_INTR", "a copy engine raises an interrupt",                         \
          "channel_id", "engine_id", "intr_bits", "code")                                              \
    EVENT(EVENT_NV_MMU_FAULT, "NV_MMU_FAULT", "an access found no translation; the channel stops",     \
          "channel_id", "address", "fault_type", "is_write", "unit_kind")                              \
    EVENT(EVENT_NV_ENGINE_ERROR, "NV_ENGINE_ERROR", "an engine refused what it was given",             \
          "channel_id", "engine_id", "class_id", "method", "data", "code")                             \
    EVENT(EVENT_NV_CHANNEL_STOP, "NV_CHANNEL_STOP", "a channel with an error will not run on",         \
          "channel_id", "intr_bits")                                                                   \
    EVENT(EVENT_NV_REDUCTION, "NV_REDUCTION", "a release reduces: what was there, and the operand",    \
          "channel_id", "address", "reduction", "is_signed", "old_value", "operand")                   \
    EVENT(EVENT_NV_MEM_OP, "NV_MEM_OP", "a memory operation of Host is complete (32: FB_FLUSH, 33: the "\
          "barrier of a wait-for-idle)", "channel_id", "operation", "took_ps", "gp_sequence")          \
    EVENT(EVENT_NV_YIELD, "NV_YIELD", "a YIELD method; it leaves when another TSG can run",            \
          "channel_id", "tsg_id", "operation", "leaves")                                               \
    EVENT(EVENT_NV_GR_INTR, "NV_GR_INTR", "the graphics engine raises bits of PGRAPH_INTR or, 1, "     \
          "INTR_NONSTALL", "channel_id", "intr_bits", "nonstall")                                      \
    EVENT(EVENT_NV_NOTIFY_PENDING, "NV_NOTIFY_PENDING", "software makes a channel pending: "           \
          "NOTIFY_CHANNEL_PENDING", "channel_id", "token")                                             \
    EVENT(EVENT_NV_PBDMA_INJECT, "NV_PBDMA_INJECT", "fault injection: a PBDMA is to raise an "         \
          "interrupt", "pbdma_id", "intr_bit")                                                        \
    EVENT(EVENT_NV_CTXSW_TIMEOUT, "NV_CTXSW_TIMEOUT", "a context switch takes longer than its timeout", \
          "engine_id", "tsg_id", "next_tsg_id", "since")                                             \
    EVENT(EVENT_NV_CLEAR_FAULTED, "NV_CLEAR_FAULTED", "CLEAR_FAULTED clears a channel's PBDMA_FAULTED, " \
          "or, 1, its ENG_FAULTED", "channel_id", "faulted_channel_id", "engine")                      \
    EVENT(EVENT_NV_ENGINE_RESET, "NV_ENGINE_RESET", "software puts an engine into reset, 1, with what is " \
          "on it, or takes it out, 0", "engine_id", "tsg_id", "next_tsg_id", "in_reset")               \
    EVENT(EVENT_NV_CHANNEL_GO_ON, "NV_CHANNEL_GO_ON", "software has cleared the faulted bits of a channel " \
          "that a fault has stopped", "channel_id")
/* clang-format on */

enum { EVENT_NV_FIRST_ = TABLE_NVIDIA - 1, NV_EVENTS(EVENT_ID) EVENT_NV_END };

#endif
