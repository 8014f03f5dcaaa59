/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the nouveau kernel-driver model. */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_TABLES_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define NOUVEAU_EVENTS(EVENT)                                                                        \
    EVENT(DRIVER_CHANNEL, driver_channel, "the driver creates a channel and puts it on a runlist",   \
          channel_id, tsg_id, runlist_id, instance_address, gpfifo_address, userd_address)           \
    EVENT(DRIVER_GP_ENTRY, driver_gp_entry, "the driver writes a GP entry into the ring",            \
          channel_id, gp_sequence, gp_index, address, dword_count, submission_id)                    \
    EVENT(DRIVER_KICK, driver_kick, "the driver stores GP_PUT",                                      \
          channel_id, gp_put_index)                                                                  \
    EVENT(DRIVER_FENCE, driver_fence, "the driver adds its own fence behind a submission",           \
          channel_id, address, value, submission_id)                                                 \
    EVENT(DRIVER_INTERRUPT, driver_interrupt, "the driver handles PFIFO's interrupts",               \
          intr_0_bits)                                                                               \
    EVENT(DRIVER_SW_METHOD, driver_sw_method, "the driver answers a software method",                \
          channel_id, subchannel, method, data, handled)                                             \
    EVENT(DRIVER_ERROR, driver_error, "the driver reports an error of the GPU",                      \
          unit_index, intr_bits, code)                                                               \
    EVENT(DRIVER_KILL, driver_kill, "the driver gives a channel up: disabled and preempted",         \
          channel_id, tsg_id, intr_bits, runlist_id)                                                 \
    EVENT(DRIVER_CE_INTERRUPT, driver_ce_interrupt, "the driver clears a copy engine's interrupt",   \
          ce_index, intr_bits, launch_error)                                                         \
    EVENT(DRIVER_GR_INTERRUPT, driver_gr_interrupt, "the driver clears PGRAPH's interrupts",         \
          intr_bits)                                                                                 \
    EVENT(DRIVER_JOB, driver_job, "the driver queues a job: an EXEC or a VM_BIND",                   \
          is_exec, number, queue, item_count, wait_count, signal_count)                              \
    EVENT(DRIVER_JOB_DONE, driver_job_done, "the driver sees that a job is done",                    \
          is_exec, number, queue)                                                                    \
    EVENT(DRIVER_BIND, driver_bind, "the driver carries an operation of VM_BIND out",                \
          bind_id, as_id, operation, address, size_bytes, physical_address)                          \
    EVENT(DRIVER_FAULT, driver_fault, "the driver reads what an MMU fault was",                      \
          channel_id, engine_id, client, is_hub, reason, access, address, instance_address)          \
    EVENT(DRIVER_FAULT_GV100, driver_fault_gv100,                                                    \
          "the driver reads what an MMU fault was, on Volta and Turing",                             \
          channel_id, engine_id, client, is_hub, reason, access, address, instance_address)          \
    EVENT(DRIVER_SCHED_ERROR, driver_sched_error, "the driver reports an error of the scheduler",    \
          code, is_named)                                                                            \
    EVENT(DRIVER_RC_TRIGGER, driver_rc_trigger, "the driver has the MMU raise a fault of an engine", \
          runlist_id, engine_id, fault_id)                                                           \
    EVENT(DRIVER_RC, driver_rc, "the driver blocks a runlist, to recover from a channel group",      \
          runlist_id, tsg_id, channel_id)                                                            \
    EVENT(DRIVER_RC_RESET, driver_rc_reset, "the driver resets an engine",                           \
          runlist_id, tsg_id, engine_id)                                                             \
    EVENT(DRIVER_RC_END, driver_rc_end, "the runlist goes on without the channel group",             \
          runlist_id, took_ps)                                                                       \
    EVENT(DRIVER_REFUSED, driver_refused, "a submission fails: its channel was killed",              \
          channel_id, submission_id)                                                                 \
    EVENT(DRIVER_PBDMA, driver_pbdma, "the driver prints what a PBDMA raised: bits of INTR_0",       \
          pbdma_id, intr_bits, channel_id, instance_address, subchannel, method, data)               \
    EVENT(DRIVER_PBDMA_1, driver_pbdma_1, "the same, bits of INTR_1",                                \
          pbdma_id, intr_bits, channel_id, hce_dbg0, hce_dbg1)                                       \
    EVENT(DRIVER_CTXNOTVALID, driver_ctxnotvalid,                                                    \
          "the driver prints that a channel has no context for its engine, and gives it up",         \
          pbdma_id, channel_id)                                                                      \
    EVENT(DRIVER_GR_ERROR, driver_gr_error,                                                          \
          "the driver prints which method the graphics engine does not take",                        \
          channel_id, intr_bit, instance_address, subchannel, class_id, method, data)                \
    EVENT(DRIVER_GR_TRAP, driver_gr_trap,                                                            \
          "the driver prints that a unit of the graphics engine raised an exception",                \
          channel_id, instance_address)

#define NOUVEAU_RULES(RULE)                                                                          \
    RULE(RULE_NV_RING, "NV.RING", DOCUMENTED, KERNEL_DRIVER,                                           \
         "nouveau nouveau_dma.c (nv50_dma_wait), intel-lab-lkp/linux @375a9d04",                       \
         "A submission waits until the GPFIFO has room for its entries and the driver's own.")         \
    RULE(RULE_NOUVEAU_FENCE, "NOUVEAU.FENCE", DOCUMENTED, KERNEL_DRIVER,                               \
         "nouveau nvc0_fence.c, intel-lab-lkp/linux @3499af52",                                        \
         "Behind each submission the driver puts a semaphore release and an interrupt of its own.")    \
    RULE(RULE_NOUVEAU_KICK, "NOUVEAU.KICK", DOCUMENTED, KERNEL_DRIVER,                                 \
         "nouveau nouveau_dma.c (nv50_dma_push), intel-lab-lkp/linux @375a9d04",                       \
         "GP_PUT is stored after every GP entry.")                                                     \
    RULE(RULE_NOUVEAU_TSG, "NOUVEAU.TSG", DOCUMENTED, KERNEL_DRIVER,                                   \
         "nouveau gk110.c @0604aa87, gp100.c @06db7fde",                                               \
         "From Pascal on every channel is alone in a TSG of timeslice 128 << 3.")                                     \
    RULE(RULE_NOUVEAU_SW, "NOUVEAU.SW", DOCUMENTED, KERNEL_DRIVER,                                     \
         "nouveau sw/chan.c @2c55d703, sw/gf100.c @01d64afc",                                          \
         "A software method is answered if the channel has a software object, then replaced by a NOP.")\
    RULE(RULE_NOUVEAU_LOCK, "NOUVEAU.LOCK", DOCUMENTED, KERNEL_DRIVER,                                 \
         "nouveau nouveau_gem.c (nouveau_abi16_get)",                                                  \
         "Submissions of one client take turns in the kernel.")                                        \
    RULE(RULE_NOUVEAU_KILL, "NOUVEAU.KILL", DOCUMENTED, KERNEL_DRIVER,                                 \
         "nouveau fifo/gf100.c (gf100_runq_intr, 0xc67fe000), fifo/chan.c (nvkm_chan_error)",          \
         "A channel that raises one of these bits of a PBDMA's INTR_0 is disabled and its TSG "        \
         "preempted; then METHOD0 becomes a NOP and the bits are cleared.")                            \
    RULE(RULE_NOUVEAU_RC, "NOUVEAU.RC", DOCUMENTED, KERNEL_DRIVER,                                     \
         "nouveau fifo/gf100.c (gf100_fifo_mmu_fault_recover, gf100_fifo_intr_ctxsw_timeout), "         \
         "fifo/runl.c (nvkm_runl_rc)",                                                                 \
         "A channel group that faulted, or does not leave its engine, is disabled and taken off its "  \
         "runlist for good, and the engines that it is on are reset.")          \
    RULE(RULE_NOUVEAU_SYNC, "NOUVEAU.SYNC", DOCUMENTED, KERNEL_DRIVER,                                 \
         "nouveau nouveau_sched.c (nouveau_job_add_deps), intel-lab-lkp/linux @18d53216; "             \
         "drm_syncobj.c, torvalds/linux @0177cfb2",                                                    \
         "A job runs when all that its wait list stood for at its submission is done.")                \
    RULE(RULE_NOUVEAU_QUEUE, "NOUVEAU.QUEUE", DOCUMENTED, KERNEL_DRIVER,                               \
         "nouveau nouveau_sched.c (one entity per channel, one for a client's binds), "                \
         "intel-lab-lkp/linux @18d53216",                                                              \
         "Jobs of a channel, and the binds of a client, run in the order of their submission.")        \
    RULE(RULE_NOUVEAU_CREDITS, "NOUVEAU.CREDITS", DOCUMENTED, KERNEL_DRIVER,                           \
         "nouveau nouveau_exec.c (credits: pushes and a fence), intel-lab-lkp/linux @18d53216",        \
         "Unfinished EXECs of a channel take no more GP entries than its ring has.")

#define NOUVEAU_PARAMETERS(PARAMETER)                                                                \
    PARAMETER(PARAM_NOUVEAU_SUBMIT_PS, "nouveau.submit_ps", "ps", 2000000, ASSUMED, "gfe",             \
              "From the call to the first GP entry: checks, buffer validation.")                       \
    PARAMETER(PARAM_NOUVEAU_ENTRY_PS, "nouveau.entry_ps", "ps", 500000, ASSUMED, "gfe",                \
              "Writing one GP entry and GP_PUT.")                                                      \
    PARAMETER(PARAM_NOUVEAU_RETURN_PS, "nouveau.return_ps", "ps", 500000, ASSUMED, "gfe",              \
              "From the last GP entry to the program going on.")                                       \
    PARAMETER(PARAM_NOUVEAU_SCHED_PS, "nouveau.sched_ps", "ps", 5000000, ASSUMED, "gfe",               \
              "From a job that may run to its first GP entry: the scheduler's worker wakes up.")       \
    PARAMETER(PARAM_NOUVEAU_BIND_PS, "nouveau.bind_ps", "ps", 1000000, ASSUMED, "gfe",                 \
              "Carrying out one operation of VM_BIND.")                                                \
    PARAMETER(PARAM_NOUVEAU_POLL_PS, "nouveau.poll_ps", "ps", 1000000, ASSUMED, "gfe",                 \
              "Between two looks at GP_GET while the ring is full.")                                   \
    PARAMETER(PARAM_NOUVEAU_PREEMPT_POLL_PS, "nouveau.preempt_poll_ps", "ps", 10000000, ASSUMED, "gfe", \
              "Between two looks at whether a preempted channel is off its PBDMA.")                    \
    PARAMETER(PARAM_NOUVEAU_PREEMPT_TIMEOUT_PS, "nouveau.preempt_timeout_ps", "ps",                    \
              UINT64_C(10000000000000), DOCUMENTED, "nouveau fifo/base.c @06db7fde (chan_msec)",       \
              "After this the driver goes on although the channel is not off.")                        \
    PARAMETER(PARAM_NOUVEAU_WORK_PS, "nouveau.work_ps", "ps", 20000000, ASSUMED, "gfe",                \
              "From a recovery that is scheduled to the worker that does it.")                         \
    PARAMETER(PARAM_NOUVEAU_IDLE_TIMEOUT_PS, "nouveau.idle_timeout_ps", "ps",                          \
              UINT64_C(2000000000000), DOCUMENTED, "nouveau fifo/runl.c (nvkm_runl_rc, nvkm_msec of "  \
              "2000)", "From Volta on: after this an engine is reset although a PBDMA is not idle.")   \
    PARAMETER(PARAM_NOUVEAU_INTERRUPT_PS, "nouveau.interrupt_ps", "ps", 3000000, ASSUMED, "gfe",       \
              "From the interrupt line to the driver's handler.")                                      \
    PARAMETER(PARAM_NOUVEAU_RING_ENTRIES, "nouveau.ring_entries", "entries", 1024, DOCUMENTED,         \
              "nouveau nouveau_chan.c: 0x2000 bytes at 0x10000 of the channel's buffer",               \
              "GP entries of a channel's ring; a power of two.")                                       \
    PARAMETER(PARAM_NOUVEAU_TIMESLICE_TIMEOUT, "nouveau.timeslice_timeout", "units", 128, DOCUMENTED,  \
              "nouveau gk110.c @0604aa87", "TIMEOUT of every TSG.")                                    \
    PARAMETER(PARAM_NOUVEAU_TIMESLICE_SCALE, "nouveau.timeslice_scale", "log2", 3, DOCUMENTED,         \
              "nouveau gk110.c @0604aa87", "SCALE of every TSG.")

/* nouveau.volta_fence */
enum { NOUVEAU_FENCE_SEMAPHORED, NOUVEAU_FENCE_SEM_EXECUTE };
/* nouveau.recovery */
enum { NOUVEAU_RECOVERY_OFF, NOUVEAU_RECOVERY_ON };
#define NOUVEAU_CHOICES(CHOICE)                                                                      \
    CHOICE(CHOICE_NOUVEAU_FENCE, "nouveau.volta_fence", NOUVEAU_FENCE_SEMAPHORED, DOCUMENTED,          \
           "nouveau nvc0_fence.c @3499af52 (up to Linux 6.15); gv100_fence.c @74f1af95 (later)",       \
           "Of which methods the driver's fences are on Volta and Turing.",                            \
           "semaphored", "sem_execute")                                                                \
    CHOICE(CHOICE_NOUVEAU_RECOVERY, "nouveau.recovery", NOUVEAU_RECOVERY_OFF, ASSUMED, "gfe",          \
           "What follows an MMU fault, and a context switch that takes too long: nothing (a recording " \
           "went on there), or what the driver does.",                                                 \
           "off", "on")
/* clang-format on */

enum { EVENT_NOUVEAU_FIRST_ = TABLE_FIRMWARE_NVIDIA - 1, NOUVEAU_EVENTS(EVENT_ID) };
NOUVEAU_EVENTS(EVENT_STRUCT)
enum { RULE_NOUVEAU_FIRST_ = TABLE_FIRMWARE_NVIDIA - 1, NOUVEAU_RULES(RULE_ID) };
enum { PARAM_NOUVEAU_FIRST_ = TABLE_FIRMWARE_NVIDIA - 1, NOUVEAU_PARAMETERS(PARAMETER_ID) };
enum { CHOICE_NOUVEAU_FIRST_ = TABLE_FIRMWARE_NVIDIA - 1, NOUVEAU_CHOICES(CHOICE_ID) };

extern const struct table_set nouveau_tables;

#endif
