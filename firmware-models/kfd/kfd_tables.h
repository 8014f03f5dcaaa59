/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the models of AMD's kernel driver (KFD) and scheduling firmware. */
#ifndef GFE_FIRMWARE_MODELS_KFD_KFD_TABLES_H
#define GFE_FIRMWARE_MODELS_KFD_KFD_TABLES_H

#include "devices/core/papers.h"
#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define KFD_EVENTS(EVENT)                                                                            \
    EVENT(HWS_RUN_LIST, hws_run_list,                                                                \
          "the firmware takes up a new list of queues; chained: it begins again at its end",         \
          process_count, queue_count, slot_count, chained)                                           \
    EVENT(HWS_MAP, hws_map,                                                                          \
          "a queue gets a hardware slot; waited: since it was in the list, or had to leave",         \
          queue_id, pasid, pipe_index, slot_index, vmid, waited_ps)                                  \
    EVENT(HWS_PREEMPT, hws_preempt, "it has to leave its slot; busy: though it has work",            \
          queue_id, pasid, pipe_index, slot_index, busy)                                             \
    EVENT(HWS_UNMAP, hws_unmap, "it has left",                                                       \
          queue_id, pasid, pipe_index, slot_index)                                                   \
    EVENT(HWS_REFUSED, hws_refused, "it has not left in time, and keeps the slot",                   \
          queue_id, pasid, pipe_index, slot_index)                                                   \
    EVENT(HWS_FENCE, hws_fence,                                                                      \
          "QUERY_STATUS: all packets before it are done, and it writes its fence",                   \
          address, value)                                                                            \
    EVENT(HWS_STOP, hws_stop,                                                                        \
          "the firmware cannot go on with a packet, and reads no more (result: hws_packet.h)",       \
          result, header)                                                                            \
    EVENT(KFD_QUEUE, kfd_queue, "the driver makes a queue of a program",                             \
          queue_id, pasid, doorbell, mqd_address, priority, active)                                  \
    EVENT(KFD_QUEUE_CHANGE, kfd_queue_change,                                                        \
          "it writes a queue's MQD anew: ring, priority, CU mask",                                   \
          queue_id, pasid, priority, active)                                                         \
    EVENT(KFD_QUEUE_GONE, kfd_queue_gone, "a queue is taken away",                                   \
          queue_id, pasid)                                                                           \
    EVENT(KFD_REFUSED, kfd_refused, "a queue is refused, as it would be one too many",               \
          pasid, queue_count, slot_count, process_count, process_limit)                              \
    EVENT(KFD_RUN_LIST, kfd_run_list, "the driver writes a list of queues, and submits it",          \
          address, dword_count, process_count, queue_count)                                          \
    EVENT(KFD_OVERSUBSCRIBED, kfd_oversubscribed, "the first list that holds more than fits",        \
          queue_count, slot_count, process_count, process_limit)                                     \
    EVENT(KFD_UNMAP, kfd_unmap, "the driver has the list taken off, and waits for the fence",        \
          queue_count)                                                                               \
    EVENT(KFD_UNMAPPED, kfd_unmapped, "the fence has come",                                          \
          waited_ps)                                                                                 \
    EVENT(KFD_NOT_PREEMPTED, kfd_not_preempted,                                                      \
          "but a queue has not left: its doorbell stands in the HIQ's MQD",                          \
          doorbell)                                                                                  \
    EVENT(KFD_FENCE_TIMEOUT, kfd_fence_timeout, "the fence has not come in time",                    \
          waited_ps)                                                                                 \
    EVENT(KFD_HANG, kfd_hang, "the driver gives the firmware up: every later call fails",            \
          queue_count)                                                                               \
    EVENT(KFD_HQD_LOAD, kfd_hqd_load, "without the firmware, the driver loads a slot itself",        \
          queue_id, pasid, pipe_index, slot_index, vmid)                                             \
    EVENT(KFD_HQD_TIMEOUT, kfd_hqd_timeout, "a slot has not become empty in time",                   \
          queue_id, pasid, pipe_index, slot_index)                                                   \
    EVENT(KFD_SDMA_QUEUE, kfd_sdma_queue, "a queue is given its place on an SDMA engine",            \
          queue_id, pasid, engine_index, slot_index)                                                 \
    EVENT(KFD_SDMA_FULL, kfd_sdma_full, "no SDMA engine has a place left: no queue is made",         \
          pasid, queue_count)                                                                        \
    EVENT(KFD_XGMI_FULL, kfd_xgmi_full, "nor has one of those for links to other GPUs",              \
          pasid, queue_count)                                                                        \
    EVENT(KFD_SDMA_LOAD, kfd_sdma_load,                                                              \
          "without the firmware, the driver loads an SDMA queue itself",                             \
          queue_id, pasid, engine_index, slot_index, vmid)                                           \
    EVENT(KFD_SDMA_TIMEOUT, kfd_sdma_timeout, "an SDMA queue has not become idle in time",           \
          queue_id, pasid, engine_index, slot_index)                                                 \
    EVENT(HWS_SDMA_MAP, hws_sdma_map, "a queue gets a place on its SDMA engine; waited: as HWS_MAP", \
          queue_id, pasid, engine_index, slot_index, vmid, waited_ps)                                \
    EVENT(HWS_SDMA_PREEMPT, hws_sdma_preempt,                                                        \
          "it has to leave its SDMA engine; busy: though it has work",                               \
          queue_id, pasid, engine_index, slot_index, busy)                                           \
    EVENT(HWS_SDMA_UNMAP, hws_sdma_unmap, "it has left the SDMA engine",                             \
          queue_id, pasid, engine_index, slot_index)                                                 \
    EVENT(HWS_SDMA_REFUSED, hws_sdma_refused, "it has not left the SDMA engine in time",             \
          queue_id, pasid, engine_index, slot_index)                                                 \
    EVENT(KFD_RESET, kfd_reset, "the GPU is reset: processes lose their queues, and are told",       \
          process_count, queue_count)                                                                \
    EVENT(KFD_RESET_END, kfd_reset_end, "it goes on, for new queues of other processes",             \
          reset_count)                                                                               \
    EVENT(HWS_QUANTUM, hws_quantum, "queues wait for slots, and some have work: a quantum begins",   \
          duration_ps)                                                                               \
    EVENT(KFD_QUEUE_RESET, kfd_queue_reset,                                                          \
          "a queue that has not left its slot is reset: its work is lost, it gets no slot any "      \
          "more, and its process is told",                                                           \
          queue_id, pasid)                                                                           \
    EVENT(KFD_CREATE_FAILED, kfd_create_failed, "a program's queue cannot be made, or not mapped",   \
          pasid, type, errno_number)                                                                 \
    EVENT(KFD_CREATE_FAILED_PID, kfd_create_failed_pid, "the same, in the words of newer kernels",   \
          process, type, errno_number)                                                               \
    EVENT(KFD_SUSPEND_FAILED, kfd_suspend_failed,                                                    \
          "before a reset the firmware does not take the queues of a process off either",            \
          pasid, process, queue_count)                                                               \
    EVENT(KFD_QUIESCE, kfd_quiesce,                                                                      \
          "pages of a process's user pointers move, and its queues are taken off until they are "    \
          "pinned again",                                                                            \
          pasid, queue_count)                                                                        \
    EVENT(KFD_QUIESCE_FAILED, kfd_quiesce_failed, "its queues could not be taken off",                   \
          pasid, errno_number)                                                                       \
    EVENT(KFD_RESUME, kfd_resume, "the pages are pinned again, and its queues are put back",         \
          pasid, queue_count)                                                                        \
    EVENT(KFD_RESUME_FAILED, kfd_resume_failed, "they could not be put back; nobody tries again",    \
          pasid, errno_number)

#define KFD_RULES(RULE)                                                                              \
    RULE(RULE_A_H1, "A.H1", SEEN_BY_OTTERNESS, FIRMWARE, PAPER_OTTERNESS "s.4.2",                      \
         "The driver hands a list of queues to the firmware, which gives them hardware slots, one pipe after the other.") \
    RULE(RULE_A_H2, "A.H2", SEEN_BY_OTTERNESS, FIRMWARE, PAPER_OTTERNESS "s.4.2",                      \
         "More queues than slots share them in time, without priority; a queue with work may have to leave for one without.") \
    RULE(RULE_A_H_UNMAP, "A.H.UNMAP", DOCUMENTED, KERNEL_DRIVER,                                       \
         "amdkfd kfd_packet_manager.c, kfd_device_queue_manager.c",                                    \
         "Before it changes the list the driver has the queues taken off their slots.")                \
    RULE(RULE_A_H_REFUSED, "A.H.REFUSED", DOCUMENTED, FIRMWARE, "amdkfd kfd_device_queue_manager.c",   \
         "A queue that does not leave its slot in time is given up, and its doorbell noted in the HIQ's MQD.") \
    RULE(RULE_A_H3, "A.H3", DOCUMENTED, KERNEL_DRIVER,                                                 \
         "Otterness and Anderson 2022, s.4.2, note 14; amdkfd kfd_process_queue_manager.c",            \
         "Without over-subscription (sched_policy 1) a queue more than there are slots, or processes at a time, is not made.") \
    RULE(RULE_A_H_SDMA, "A.H.SDMA", DOCUMENTED, KERNEL_DRIVER, "amdkfd kfd_device_queue_manager.c (allocate_sdma_queue)", \
         "A queue of SDMA has its place on an engine from its making to its end; with all places taken no other is made.") \
    RULE(RULE_KFD_USERPTR, "KFD.USERPTR", DOCUMENTED, KERNEL_DRIVER,                                   \
         "amdgpu amdgpu_amdkfd_gpuvm.c (amdgpu_amdkfd_evict_userptr), amdkfd kfd_device_queue_manager.c", \
         "When pages of a process's user pointers move, all its queues leave their slots until the pages are pinned again.")

#define KFD_PARAMETERS(PARAMETER)                                                                    \
    PARAMETER(PARAM_HWS_QUANTUM_PS, "hws.quantum_ps", "ps", 1000000000, ASSUMED, "gfe",                 \
              "What a unit of a process's quantum (PROCESS_QUANTUM of MAP_PROCESS) lasts.")            \
    PARAMETER(PARAM_HWS_UNMAP_LATENCY_PS, "hws.unmap_latency_ps", "ps", 100000000000, DOCUMENTED,      \
              "amdkfd kfd_pm4_headers_ai.h",                                                           \
              "What a unit of UNMAP_LATENCY of SET_RESOURCES lasts: so long a queue may take to leave.") \
    PARAMETER(PARAM_KFD_NUM_KCQ, "kfd.num_kcq", "queues", 8, DOCUMENTED,                               \
              "amdgpu amdgpu_drv.c (num_kcq), amdgpu_amdkfd.c",                                        \
              "Slots of the first MEC that the graphics driver keeps; 24 of 32 are left for programs.") \
    PARAMETER(PARAM_KFD_CWSR_ENABLE, "kfd.cwsr_enable", "0 or 1", 1, DOCUMENTED,                       \
              "amdgpu amdgpu_drv.c (cwsr_enable)",                                                     \
              "1: waves of queues that have to leave their slots are saved; 0: they end first.")       \
    PARAMETER(PARAM_KFD_HWS_MAX_CONC_PROC, "kfd.hws_max_conc_proc", "processes", 0, DOCUMENTED,        \
              "amdgpu amdgpu_drv.c (hws_max_conc_proc)",                                               \
              "Processes that may be on at a time; 0: as many as there are VMIDs for them.")           \
    PARAMETER(PARAM_KFD_PREEMPTION_TIMEOUT_PS, "kfd.preemption_timeout_ps", "ps",                      \
              UINT64_C(9000000000000), DOCUMENTED,                                                     \
              "amdgpu amdgpu_drv.c (queue_preemption_timeout_ms)",                                     \
              "So long the driver waits for the firmware's fence, or for a slot to become empty.")     \
    PARAMETER(PARAM_AMDGPU_RESET_PS, "amdgpu.reset_ps", "ps", UINT64_C(500000000000), ASSUMED, "gfe",  \
              "What a reset of the GPU takes; until then every call for a queue fails.")               \
    PARAMETER(PARAM_KFD_USERPTR_RESTORE_PS, "kfd.userptr_restore_ps", "ps", 1000000000, DOCUMENTED,    \
              "amdgpu amdgpu_amdkfd_gpuvm.c (AMDGPU_USERPTR_RESTORE_DELAY_MS)",                        \
              "After pages of user pointers have moved, so long until the driver pins them again and puts the queues back.")

/* hws.swap, kfd.sched_policy */
enum { HWS_SWAP_LIST, HWS_SWAP_OLDEST, HWS_SWAP_IDLE, HWS_SWAP_READY, HWS_SWAP_PRIORITY };
enum { KFD_SCHED_HWS, KFD_SCHED_NO_OVERSUBSCRIPTION, KFD_SCHED_NO_HWS };
enum { AMDGPU_RECOVERY_ON, AMDGPU_RECOVERY_OFF };
enum { KFD_QUEUE_RESET_OFF, KFD_QUEUE_RESET_ON };
enum { KFD_PROCESS_PASID, KFD_PROCESS_PID };
#define KFD_CHOICES(CHOICE)                                                                          \
    CHOICE(CHOICE_HWS_SWAP, "hws.swap", HWS_SWAP_LIST, ASSUMED,                                        \
           "the firmware is not published; idle: gem5's hw_scheduler.cc; ready: Puthoor et al. 2018",  \
           "A.H2: which queues leave their slots at the end of a quantum, and which come: all leave, and the " \
           "list goes on; as many as wait, oldest first; only idle ones; only for queues with work; or " \
           "only for queues of no lower priority.",                                                    \
           "list", "oldest", "idle", "ready", "priority")                                              \
    CHOICE(CHOICE_KFD_SCHED_POLICY, "kfd.sched_policy", KFD_SCHED_HWS, DOCUMENTED,                     \
           "amdgpu amdgpu_drv.c (sched_policy)",                                                       \
           "A.H3: who gives queues their slots: the firmware; the firmware, and no more queues than fit; or the driver.", \
           "hws", "no_oversubscription", "no_hws")                                                     \
    CHOICE(CHOICE_AMDGPU_GPU_RECOVERY, "amdgpu.gpu_recovery", AMDGPU_RECOVERY_ON, DOCUMENTED,          \
           "amdgpu amdgpu_drv.c (gpu_recovery), amdgpu_device.c (amdgpu_device_should_recover_gpu)",   \
           "Whether the driver resets the GPU when the scheduling firmware has not answered.",         \
           "on", "off")                                                                                \
    CHOICE(CHOICE_KFD_QUEUE_RESET, "kfd.queue_reset", KFD_QUEUE_RESET_OFF, ASSUMED,                    \
           "amdkfd kfd_device_queue_manager.c (reset_hung_queues), in kernels that have it",           \
           "Whether a compute queue that has not left its slot in time is reset alone; else the call that asked for it fails.", \
           "off", "on")                                                                                \
    CHOICE(CHOICE_KFD_PROCESS_NAME, "kfd.process_name", KFD_PROCESS_PASID, DOCUMENTED,                 \
           "amdkfd kfd_process_queue_manager.c (pqm_create_queue): \"Pasid 0x%x\", and \"process pid "  \
           "%d\" since KFD uses amdgpu's PASIDs (2025)",                                               \
           "By what a line about a process names it: its PASID, or, in newer kernels, its number.",    \
           "pasid", "pid")
/* clang-format on */

enum { EVENT_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_EVENTS(EVENT_ID) };
KFD_EVENTS(EVENT_STRUCT)
enum { RULE_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_RULES(RULE_ID) };
enum { PARAM_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_PARAMETERS(PARAMETER_ID) };
enum { CHOICE_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_CHOICES(CHOICE_ID) };

extern const struct table_set kfd_tables;

#endif
