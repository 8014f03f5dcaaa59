/* SPDX-License-Identifier: MIT */
/*
 * The lines of AMD's kernel driver for its events, as texts of emu/log/event_line.h; amdkfd
 * kfd_packet_manager.c (5.5), kfd_device_queue_manager.c, kfd_process_queue_manager.c
 * (pqm_create_queue), kfd_process.c (kfd_process_evict_queues, kfd_suspend_all_processes),
 * amdgpu_amdkfd_gfx_v9.c, and amdgpu_amdkfd_gpuvm.c (amdgpu_amdkfd_evict_userptr,
 * amdgpu_amdkfd_restore_userptr_worker).  The module's name stands before each line as its pr_fmt
 * has it.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_KFD_LINES_H
#define GFE_FIRMWARE_MODELS_KFD_KFD_LINES_H

/* clang-format off */
#define KFD_LINES                                                                                    \
    {"KFD_OVERSUBSCRIBED",                                                                             \
     "amdgpu: Runlist is getting oversubscribed. Expect reduced ROCm performance."},                   \
    {"KFD_FENCE_TIMEOUT", "amdgpu: qcm fence wait loop timeout expired"},                              \
    {"KFD_HANG",                                                                                       \
     "amdgpu: The cp might be in an unrecoverable state due to an unsuccessful queues preemption"},    \
    {"KFD_NOT_PREEMPTED",                                                                              \
     "amdgpu: HIQ MQD's queue_doorbell_id0 is not 0, Queue preemption time out"},                      \
    {"KFD_CREATE_FAILED",                                                                              \
     "amdgpu: Pasid 0x{pasid:x} DQM create queue type {type} failed. ret -{errno_number}"},            \
    {"KFD_CREATE_FAILED_PID",                                                                          \
     "amdgpu: process pid {process} DQM create queue type {type} failed. ret -{errno_number}"},        \
    {"KFD_SUSPEND_FAILED", "amdgpu: Evicting PASID 0x{pasid:x} queues"},                               \
    {"KFD_SUSPEND_FAILED", "amdgpu: Failed to evict process queues"},                                  \
    {"KFD_SUSPEND_FAILED", "amdgpu: Failed to suspend process 0x{pasid:x}"},                           \
    {"KFD_HQD_TIMEOUT", "amdgpu: cp queue preemption time out."},                                      \
    {"KFD_SDMA_FULL", "amdgpu: No more SDMA queue to allocate"},                                       \
    {"KFD_XGMI_FULL", "amdgpu: No more XGMI SDMA queue to allocate"},                                  \
    {"KFD_RESET", "amdgpu 0000:03:00.0: amdgpu: GPU reset begin!"},                                    \
    {"KFD_RESET_END", "amdgpu 0000:03:00.0: amdgpu: GPU reset succeeded, trying to resume"},           \
    {"KFD_RESET_END", "amdgpu 0000:03:00.0: amdgpu: GPU reset({reset_count}) succeeded!"},             \
    {"KFD_SDMA_TIMEOUT", "amdgpu: SDMA RLC not idle in kgd_hqd_sdma_destroy"},                         \
    {"KFD_QUIESCE", "amdgpu: Evicting PASID 0x{pasid:x} queues"},                                        \
    {"KFD_QUIESCE_FAILED", "amdgpu: Failed to evict process queues"},                                    \
    {"KFD_QUIESCE_FAILED", "amdgpu: Failed to quiesce KFD"},                                             \
    {"KFD_RESUME", "amdgpu: Restoring PASID 0x{pasid:x} queues"},                                      \
    {"KFD_RESUME_FAILED", "amdgpu: Failed to restore process queues"},                                 \
    {"KFD_RESUME_FAILED", "amdgpu: amdgpu_amdkfd_restore_userptr_worker: Failed to resume KFD"},
/* clang-format on */

#endif
