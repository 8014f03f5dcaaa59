/* SPDX-License-Identifier: MIT */
/*
 * The files of /sys/kernel/debug/kfd on a machine with an AMD GPU, as views for gfe inspect in the
 * kernel's own form.
 *
 *     hqds   for each node the registers of the kernel driver's queue (HIQ), of each slot that
 *            programs' queues may have, and of each queue of the SDMA engines
 *     mqds   for each process the descriptors of its queues, byte for byte
 *     rls    the list that the firmware was given, as it lies in memory
 *
 * Slots are read as the driver reads them: GRBM_GFX_CNTL selects one, then its 56 registers follow
 * each other.  For a GPU after its reset, without a driver, the views show its registers; the
 * kernel would report that the device is stopped.
 *
 * Sources: amdkfd kfd_topology.c, kfd_device_queue_manager.c (hqds; seq_reg_dump(): a new line
 * where an address does not follow on, or after eight), kfd_process.c, kfd_process_queue_manager.c
 * (mqds), kfd_packet_manager.c (rls), amdgpu_amdkfd_gfx_v9.c (which registers), all of Linux 6.6;
 * dumps of a real machine agree.  ASSUMED: processes are numbered from 1, because recordings do not
 * keep their ids, and are in the order in which they opened the device (the kernel's order is that
 * of a hash table).
 */
#ifndef GFE_EMU_DEBUG_KFD_INSPECT_H
#define GFE_EMU_DEBUG_KFD_INSPECT_H

#include "emu/engine/inspect.h"

extern const struct inspect_view kfd_inspect_views[];
extern const uint32_t kfd_inspect_view_count;

/* kfd_inspect_print.c: print a view as the kernel's files have it. */
void kfd_inspect_print_hqds(FILE *file, const json_t *view);
void kfd_inspect_print_mqds(FILE *file, const json_t *view);
void kfd_inspect_print_rls(FILE *file, const json_t *view);

#endif
