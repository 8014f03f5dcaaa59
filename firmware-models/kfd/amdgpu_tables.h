/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the model of AMD's kernel driver's interrupt handling (amdgpu.h). */
#ifndef GFE_FIRMWARE_MODELS_KFD_AMDGPU_TABLES_H
#define GFE_FIRMWARE_MODELS_KFD_AMDGPU_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define AMDGPU_EVENTS(EVENT)                                                                         \
    EVENT(AMDGPU_IH_OVERFLOW, amdgpu_ih_overflow,                                                    \
          "entries of the IH ring were written over before they were read; it goes on at the "       \
          "oldest left",                                                                             \
          write_pointer, read_pointer, next_pointer)                                                 \
    EVENT(AMDGPU_VM_FAULT, amdgpu_vm_fault,                                                          \
          "a page fault is handled; status: VM_L2_PROTECTION_FAULT_STATUS",                          \
          hub, source_id, ring_id, vmid, pasid, address, client_id, status)                          \
    EVENT(AMDGPU_CP_ERROR, amdgpu_cp_error,                                                          \
          "a micro engine complains of a command (183 opcode, 184 register, 185 instruction)",       \
          source_id, ring_id, vmid, pasid)                                                           \
    EVENT(KFD_NO_PASID, kfd_no_pasid,                                                                \
          "an interrupt of a program's queue names no process; said once",                           \
          client_id, source_id, vmid)                                                                \
    EVENT(KFD_EVICT, kfd_evict, "all queues of a process are taken off, for good",                   \
          pasid, queue_count)                                                                        \
    EVENT(KFD_EXCEPTION, kfd_exception,                                                              \
          "a process is told, by events of that type (8 memory, 3 hardware) that it waits for or "   \
          "not",                                                                                     \
          pasid, type, event_count, address, not_present, read_only)                                 \
    EVENT(KFD_UNHANDLED, kfd_unhandled, "it has no event of that type",                              \
          process, pasid, type)

#define AMDGPU_RULES(RULE)                                                                           \
    RULE(RULE_AMDGPU_IH, "AMDGPU.IH", DOCUMENTED, KERNEL_DRIVER, "amdgpu vega10_ih.c (vega10_ih_get_wptr)", \
         "A full IH ring is written over; the driver goes on at the oldest entry left, and what was written over is lost.") \
    RULE(RULE_KFD_EVICT, "KFD.EVICT", DOCUMENTED, KERNEL_DRIVER,                                       \
         "amdkfd kfd_int_process_v9.c, kfd_device_queue_manager.c (kfd_process_vm_fault)",             \
         "After a page fault all queues of the process leave their slots and come back no more; those of others go on.")

#define AMDGPU_PARAMETERS(PARAMETER)                                                                 \
    PARAMETER(PARAM_AMDGPU_INTERRUPT_PS, "amdgpu.interrupt_ps", "ps", 0, ASSUMED,                      \
              "gfe: 0, as what a program takes until it goes on is its own, or its runtime's, figure", \
              "From an interrupt to the driver's handler.")                                            \
    PARAMETER(PARAM_AMDGPU_IH_DWORDS_LOG2, "amdgpu.ih_dwords_log2", "log2 of dwords", 16, DOCUMENTED,  \
              "amdgpu vega10_ih.c: 256 KiB",                                                           \
              "Size of the IH ring that the driver makes; 4 to 16.")
/* clang-format on */

enum { EVENT_AMDGPU_FIRST_ = TABLE_FIRMWARE_AMDGPU - 1, AMDGPU_EVENTS(EVENT_ID) };
AMDGPU_EVENTS(EVENT_STRUCT)
enum { RULE_AMDGPU_FIRST_ = TABLE_FIRMWARE_AMDGPU - 1, AMDGPU_RULES(RULE_ID) };
enum { PARAM_AMDGPU_FIRST_ = TABLE_FIRMWARE_AMDGPU - 1, AMDGPU_PARAMETERS(PARAMETER_ID) };

extern const struct table_set amdgpu_tables;

#endif
