/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the models of AMD's kernel driver (KFD) and scheduling firmware. */
#ifndef GFE_FIRMWARE_MODELS_KFD_TABLES_H
#define GFE_FIRMWARE_MODELS_KFD_TABLES_H

#include "emu/rule.h"

/* clang-format off */
#define KFD_EVENTS(EVENT)                                                                            \
    EVENT(EVENT_HWS_RUN_LIST, "HWS_RUN_LIST", "the firmware takes up a new list of queues; chained: it begins again at its end", \
          "process_count", "queue_count", "slot_count", "chained")                                     \
    EVENT(EVENT_HWS_MAP, "HWS_MAP", "a queue gets a hardware slot; waited: since it was in the list, or had to leave", \
          "queue_id", "pasid", "pipe_index", "slot_index", "vmid", "waited_ps")                        \
    EVENT(EVENT_HWS_PREEMPT, "HWS_PREEMPT", "it has to leave its slot; busy: though it has work",      \
          "queue_id", "pasid", "pipe_index", "slot_index", "busy")                                     \
    EVENT(EVENT_HWS_UNMAP, "HWS_UNMAP", "it has left",                                                 \
          "queue_id", "pasid", "pipe_index", "slot_index")                                             \
    EVENT(EVENT_HWS_REFUSED, "HWS_REFUSED", "it has not left in time, and keeps the slot",             \
          "queue_id", "pasid", "pipe_index", "slot_index")

#define KFD_RULES(RULE)                                                                              \
    RULE(RULE_A_H1, "A.H1", DOCUMENTED, FIRMWARE, "Otterness and Anderson 2022, s.4.2",                 \
         "The driver hands a list of queues to the firmware, which gives them hardware slots, one pipe after the other.") \
    RULE(RULE_A_H2, "A.H2", DOCUMENTED, FIRMWARE, "Otterness and Anderson 2022, s.4.2",                 \
         "More queues than slots share them in time, without priority; a queue with work may have to leave for one without.") \
    RULE(RULE_A_H_UNMAP, "A.H.UNMAP", DOCUMENTED, KERNEL_DRIVER,                                       \
         "amdkfd kfd_packet_manager.c, kfd_device_queue_manager.c",                                    \
         "Before it changes the list the driver has the queues taken off their slots.")                \
    RULE(RULE_A_H_REFUSED, "A.H.REFUSED", DOCUMENTED, FIRMWARE, "amdkfd kfd_device_queue_manager.c",   \
         "A queue that does not leave its slot in time is given up, and its doorbell noted in the HIQ's MQD.")

#define KFD_PARAMETERS(PARAMETER)                                                                    \
    PARAMETER(PARAM_HWS_QUANTUM_PS, "hws.quantum_ps", "ps", 1000000000, ASSUMED, "gfe",                 \
              "What a unit of a process's quantum (PROCESS_QUANTUM of MAP_PROCESS) lasts.")            \
    PARAMETER(PARAM_HWS_UNMAP_LATENCY_PS, "hws.unmap_latency_ps", "ps", 100000000000, DOCUMENTED,      \
              "amdkfd kfd_pm4_headers_ai.h",                                                           \
              "What a unit of UNMAP_LATENCY of SET_RESOURCES lasts: so long a queue may take to leave.")

/* hws.swap */
enum { HWS_SWAP_LIST, HWS_SWAP_OLDEST, HWS_SWAP_IDLE, HWS_SWAP_READY, HWS_SWAP_PRIORITY };
#define KFD_CHOICES(CHOICE)                                                                          \
    CHOICE(CHOICE_HWS_SWAP, "hws.swap", HWS_SWAP_LIST, ASSUMED,                                        \
           "the firmware is not published; idle: gem5's hw_scheduler.cc; ready: Puthoor et al. 2018",  \
           "A.H2: which queues leave their slots at the end of a quantum, and which come: all leave, and the " \
           "list goes on; as many as wait, oldest first; only idle ones; only for queues with work; or " \
           "only for queues of no lower priority.",                                                    \
           "list", "oldest", "idle", "ready", "priority")
/* clang-format on */

enum { EVENT_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_EVENTS(EVENT_ID) };
enum { RULE_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_RULES(RULE_ID) };
enum { PARAM_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_PARAMETERS(PARAMETER_ID) };
enum { CHOICE_KFD_FIRST_ = TABLE_FIRMWARE_AMD - 1, KFD_CHOICES(CHOICE_ID) };

extern const struct table_set kfd_tables;

#endif
