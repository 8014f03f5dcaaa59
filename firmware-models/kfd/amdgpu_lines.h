/* SPDX-License-Identifier: MIT */
/*
 * The lines of AMD's kernel driver for interrupts, as texts of emu/log/event_line.h: amdgpu
 * gmc_v9_0.c, vega10_ih.c, gfx_v9_0.c (bad opcodes: of newer kernels), amdkfd kfd_events.c,
 * kfd_int_process_v9.c. Several rows of one kind are several lines.
 *
 * ASSUMED: the GPU's place on the bus; names and numbers of processes are what the driver prints
 * when it does not know them, because recordings do not keep them.
 */
#ifndef GFE_FIRMWARE_MODELS_KFD_AMDGPU_LINES_H
#define GFE_FIRMWARE_MODELS_KFD_AMDGPU_LINES_H

#define AMDGPU_DEVICE "amdgpu 0000:03:00.0: amdgpu: "

/* clang-format off */
#define AMDGPU_CLIENTS "18:VMC|27:UTCL2"
/* gfxhub_client_ids; of MMHUBs Vega 20's and Arcturus's engines. */
#define AMDGPU_CIDS "4:CPF|5:CPC|6:CPG|8:TCP|15:SDMA0|46:SDMA1|256:SDMA0|257:SDMA1|258:SDMA2|259:SDMA3|" \
                    "260:SDMA4|261:SDMA5|262:SDMA6|263:SDMA7"

#define AMDGPU_LINES                                                                                 \
    {"AMDGPU_VM_FAULT",                                                                                \
     AMDGPU_DEVICE "[{hub=0:gfxhub0|1:mmhub0}] no-retry page fault (src_id:{source_id} ring:{ring_id} " \
     "vmid:{vmid} pasid:{pasid}, for process  pid 0 thread  pid 0)"},                                  \
    {"AMDGPU_VM_FAULT",                                                                                \
     AMDGPU_DEVICE "  in page starting at address 0x{address:016x} from IH client 0x{client_id:x} "    \
     "({client_id=" AMDGPU_CLIENTS "})"},                                                              \
    {"AMDGPU_VM_FAULT", AMDGPU_DEVICE "VM_L2_PROTECTION_FAULT_STATUS:0x{status:08X}"},                 \
    {"AMDGPU_VM_FAULT",                                                                                \
     AMDGPU_DEVICE "\t Faulty UTCL2 client ID: {status.17-9=" AMDGPU_CIDS "} (0x{status.17-9:x})"},    \
    {"AMDGPU_VM_FAULT", AMDGPU_DEVICE "\t MORE_FAULTS: 0x{status.0-0:x}"},                             \
    {"AMDGPU_VM_FAULT", AMDGPU_DEVICE "\t WALKER_ERROR: 0x{status.3-1:x}"},                            \
    {"AMDGPU_VM_FAULT", AMDGPU_DEVICE "\t PERMISSION_FAULTS: 0x{status.7-4:x}"},                       \
    {"AMDGPU_VM_FAULT", AMDGPU_DEVICE "\t MAPPING_ERROR: 0x{status.8-8:x}"},                           \
    {"AMDGPU_VM_FAULT", AMDGPU_DEVICE "\t RW: 0x{status.18-18:x}"},                                    \
    {"AMDGPU_IH_OVERFLOW",                                                                             \
     AMDGPU_DEVICE "IH ring buffer overflow (0x{write_pointer:08X}, 0x{read_pointer:08X}, "            \
     "0x{next_pointer:08X})"},                                                                         \
    {"AMDGPU_CP_ERROR",                                                                                \
     "[drm:gfx_v9_0_{source_id=183:bad_op|184:priv_reg|185:priv_inst}_irq [amdgpu]] *ERROR* Illegal "  \
     "{source_id=183:opcode|184:register access|185:instruction} in command stream"},                  \
    {"KFD_NO_PASID", "FW bug: No PASID in KFD interrupt"},                                             \
    {"KFD_EVICT", "amdgpu: Evicting PASID 0x{pasid:x} queues"},                                        \
    {"KFD_UNHANDLED",                                                                                  \
     "kfd kfd: amdgpu: Process {process} (pasid 0x{pasid:x}) got unhandled exception"},
/* clang-format on */

#endif
