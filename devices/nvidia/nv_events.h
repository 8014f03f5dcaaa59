/* SPDX-License-Identifier: MIT */
/* Events of the NVIDIA front end. */
#ifndef GFE_DEVICES_NVIDIA_NV_EVENTS_H
#define GFE_DEVICES_NVIDIA_NV_EVENTS_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define NV_EVENTS(EVENT)                                                                             \
    EVENT(NV_DOORBELL, nv_doorbell, "Host snoops a store of GP_PUT into USERD",                      \
          channel_id, gp_put_index)                                                                  \
    EVENT(NV_CHANNEL_BIND, nv_channel_bind, "an instance block is bound to a channel",               \
          channel_id, instance_address)                                                              \
    EVENT(NV_CHANNEL_UNBIND, nv_channel_unbind, "",                                                  \
          channel_id)                                                                                \
    EVENT(NV_CHANNEL_ENABLE, nv_channel_enable, "",                                                  \
          channel_id, enabled)                                                                       \
    EVENT(NV_BIND_ERROR, nv_bind_error, "INTR_0 BIND_ERROR",                                         \
          channel_id, code)                                                                          \
    EVENT(NV_RUNLIST_SUBMIT, nv_runlist_submit, "a runlist is submitted",                            \
          runlist_id, base_address, entry_count)                                                     \
    EVENT(NV_SCHED_ERROR, nv_sched_error, "INTR_0 SCHED_ERROR",                                      \
          runlist_id, code)                                                                          \
    EVENT(NV_TSG_START, nv_tsg_start,                                                                \
          "a time-slice group goes on its runlist's PBDMA (1073741824 and up: a channel outside "    \
          "TSGs; runlist 64 and up: its second runqueue)",                                                                                   \
          runlist_id, tsg_id, timeslice_ps)                                                          \
    EVENT(NV_TSG_END, nv_tsg_end,                                                                    \
          "it leaves, by the rule if it could go on; what counted for its slice",                    \
          runlist_id, tsg_id, ran_ps, counted_ps)                                                    \
    EVENT(NV_SLICE_PAUSE, nv_slice_pause,                                                            \
          "the channel that is on needs an engine that has to load its context; its slice does "     \
          "not count meanwhile",                                                                     \
          runlist_id, tsg_id, channel_id, counted_ps)                                                \
    EVENT(NV_CHANNEL_LOAD, nv_channel_load, "a channel's RAMFC is in the PBDMA's registers",         \
          channel_id, pbdma_id, runlist_id, gp_get_index, gp_put_index)                              \
    EVENT(NV_CHANNEL_SAVE, nv_channel_save, "it is back in memory",                                  \
          channel_id, pbdma_id, runlist_id, gp_get_index, gp_put_index)                              \
    EVENT(NV_PREEMPT, nv_preempt, "software takes a TSG or channel off its PBDMA",                   \
          channel_id, tsg_id, pbdma_id)                                                              \
    EVENT(NV_SCHED_DISABLE, nv_sched_disable, "software holds a runlist's scheduler, or not",        \
          runlist_id, disabled)                                                                      \
    EVENT(NV_CONTEXT_LOAD, nv_context_load, "an engine begins to load a context",                    \
          engine_id, tsg_id, channel_id, load_ps)                                                    \
    EVENT(NV_GP_FETCH, nv_gp_fetch, "a GP entry is read and committed",                              \
          channel_id, pbdma_id, gp_index, address, dword_count, entry1_flags, gp_sequence,           \
          fetch_ps)                                                                                  \
    EVENT(NV_PB_FETCH, nv_pb_fetch, "pushbuffer dwords are read and latched",                        \
          channel_id, pbdma_id, address, dword_count, fetch_ps)                                      \
    EVENT(NV_SEGMENT_END, nv_segment_end, "all methods of a GP entry's segment are sent",            \
          channel_id, pbdma_id, gp_index, method_count, gp_sequence)                                 \
    EVENT(NV_SUBDEVICE, nv_subdevice, "a subdevice mask turns methods on or off",                    \
          channel_id, pbdma_id, mask, is_active)                                                     \
    EVENT(NV_SET_OBJECT, nv_set_object, "a class is set on a subchannel",                            \
          channel_id, subchannel, class_id)                                                          \
    EVENT(NV_LAUNCH, nv_launch, "the front end takes a launch; the dispatcher gets it later",        \
          channel_id, descriptor_address, gp_sequence)                                               \
    EVENT(NV_REPORT, nv_report, "the front end takes a report; it is written later",                 \
          channel_id, address, class_id, gp_sequence)                                                \
    EVENT(NV_RELEASE, nv_release, "a semaphore release is in memory",                                \
          channel_id, address, value, byte_count, source_class, gp_sequence)                         \
    EVENT(NV_ACQUIRE, nv_acquire, "a semaphore acquire succeeds",                                    \
          channel_id, address, value, tries)                                                         \
    EVENT(NV_INLINE_WRITE, nv_inline_write, "inline data is in memory",                              \
          channel_id, address, byte_count, class_id, gp_sequence)                                    \
    EVENT(NV_NOTIFY, nv_notify, "a notifier is written",                                             \
          channel_id, address, class_id)                                                             \
    EVENT(NV_PBDMA_INTR, nv_pbdma_intr, "a PBDMA interrupt (32 and up: of INTR_1)",                  \
          channel_id, pbdma_id, intr_bit, method, data)                                              \
    EVENT(NV_PBDMA_INTR_CLEAR, nv_pbdma_intr_clear, "software cleared interrupt bits",               \
          channel_id, pbdma_id, cleared_bits)                                                        \
    EVENT(NV_CHANNEL_INTR, nv_channel_intr, "INTR_0 CHANNEL_INTR: a non-stalling interrupt",         \
          channel_id)                                                                                \
    EVENT(NV_CE_CONDITION, nv_ce_condition, "SET_RENDER_ENABLE switches copies on or off",           \
          channel_id, engine_id, mode, enabled)                                                      \
    EVENT(NV_CE_LAUNCHERR, nv_ce_launcherr, "a copy engine refuses a launch; it is dropped",         \
          copy_id, channel_id, engine_id, code, launch)                                              \
    EVENT(NV_CE_INTR, nv_ce_intr, "a copy engine raises an interrupt",                               \
          channel_id, engine_id, intr_bits, code)                                                    \
    EVENT(NV_MMU_FAULT, nv_mmu_fault, "an access found no translation; the channel stops",           \
          channel_id, address, fault_type, is_write, unit_kind)                                      \
    EVENT(NV_ENGINE_ERROR, nv_engine_error, "an engine refused what it was given",                   \
          channel_id, engine_id, class_id, method, data, code)                                       \
    EVENT(NV_CHANNEL_STOP, nv_channel_stop, "a channel with an error will not run on",               \
          channel_id, intr_bits)                                                                     \
    EVENT(NV_REDUCTION, nv_reduction, "a release reduces: what was there, and the operand",          \
          channel_id, address, reduction, is_signed, old_value, operand)                             \
    EVENT(NV_MEM_OP, nv_mem_op,                                                                      \
          "a memory operation of Host is complete (32: FB_FLUSH, 33: the barrier of a "              \
          "wait-for-idle)",                                                                          \
          channel_id, operation, took_ps, gp_sequence)                                               \
    EVENT(NV_YIELD, nv_yield, "a YIELD method; it leaves when another TSG can run",                  \
          channel_id, tsg_id, operation, leaves)                                                     \
    EVENT(NV_GR_INTR, nv_gr_intr,                                                                    \
          "the graphics engine raises bits of PGRAPH_INTR or, 1, INTR_NONSTALL",                     \
          channel_id, intr_bits, nonstall)                                                           \
    EVENT(NV_NOTIFY_PENDING, nv_notify_pending,                                                      \
          "software makes a channel pending: NOTIFY_CHANNEL_PENDING",                                \
          channel_id, token)                                                                         \
    EVENT(NV_PBDMA_INJECT, nv_pbdma_inject, "fault injection: a PBDMA is to raise an interrupt",     \
          pbdma_id, intr_bit)                                                                        \
    EVENT(NV_CTXSW_TIMEOUT, nv_ctxsw_timeout, "a context switch takes longer than its timeout",      \
          engine_id, tsg_id, next_tsg_id, since)                                                     \
    EVENT(NV_CLEAR_FAULTED, nv_clear_faulted,                                                        \
          "CLEAR_FAULTED clears a channel's PBDMA_FAULTED, or, 1, its ENG_FAULTED",                  \
          channel_id, faulted_channel_id, engine)                                                    \
    EVENT(NV_ENGINE_RESET, nv_engine_reset,                                                          \
          "software puts an engine into reset, 1, with what is on it, or takes it out, 0",           \
          engine_id, tsg_id, next_tsg_id, in_reset)                                                  \
    EVENT(NV_CHANNEL_GO_ON, nv_channel_go_on,                                                        \
          "software has cleared the faulted bits of a channel that a fault has stopped",             \
          channel_id)
/* clang-format on */

enum { EVENT_NV_FIRST_ = TABLE_NVIDIA - 1, NV_EVENTS(EVENT_ID) EVENT_NV_END };
NV_EVENTS(EVENT_STRUCT)

#endif
