/* SPDX-License-Identifier: MIT */
/*
 * The lines of NVIDIA's kernel driver for its "Xid" events, as texts of emu/event_line.h.
 *
 * The text around the message is from open-gpu-kernel-modules @df1c9a3d kernel_rc.c,
 * krcReportXid_IMPL: `Xid (PCI:domain:bus:device): number, pid=, name=, message[ caused by previous
 * Xid number]`.  Words of faults are those of kern_gmmu_gp100.c and kernel_fifo_gv100.c there
 * (kgmmuGetFaultTypeString, kfifoGetFaultAccessTypeString).  The other messages come from the
 * driver's firmware, which is not published; they are as seen in kernel logs of drivers 4xx to 57x
 * (in reports to open-gpu-kernel-modules, gpud and others); 580 and later say "channel 0x%08x" for
 * "Ch %08x", "Channel ID %08x" and "ChID %04x".
 *
 * ASSUMED: the GPU's place on the bus.  Process and name are what the driver prints when it does
 * not know them, because a recording of registers does not hold them.
 */
#ifndef GFE_FIRMWARE_MODELS_RM_RM_LINES_H
#define GFE_FIRMWARE_MODELS_RM_RM_LINES_H

#define RM_XID(number) "NVRM: Xid (PCI:0000:01:00): " number ", pid='<unknown>', name=<unknown>, "

/* clang-format off */
#define RM_FAULT_ENGINES                                                                             \
    "0:GRAPHICS|256:HOST0|257:HOST1|258:HOST2|259:HOST3|260:HOST4|261:HOST5|262:HOST6|263:HOST7|"      \
    "264:HOST8|265:HOST9|266:HOST10|267:HOST11|268:HOST12|269:HOST13|270:HOST14|271:HOST15|"           \
    "512:CE0|513:CE1|514:CE2|515:CE3|516:CE4|517:CE5|518:CE6|519:CE7|520:CE8|521:CE9"
/* dev_fault: NV_PFAULT_CLIENT_HUB_*, those that the model has. */
#define RM_FAULT_CLIENTS                                                                             \
    "1:HUBCLIENT_CE0|2:HUBCLIENT_CE1|4:HUBCLIENT_FE|6:HUBCLIENT_HOST|12:HUBCLIENT_CE3|"                 \
    "24:HUBCLIENT_CE2|"                                                                              \
    "32:HUBCLIENT_HSCE0|33:HUBCLIENT_HSCE1|34:HUBCLIENT_HSCE2|35:HUBCLIENT_HSCE3|36:HUBCLIENT_HSCE4|"  \
    "37:HUBCLIENT_HSCE5|38:HUBCLIENT_HSCE6|39:HUBCLIENT_HSCE7|40:HUBCLIENT_HSCE8|41:HUBCLIENT_HSCE9|"  \
    "64:HUBCLIENT_HSCE10|65:HUBCLIENT_HSCE11|66:HUBCLIENT_HSCE12|67:HUBCLIENT_HSCE13|"                 \
    "68:HUBCLIENT_HSCE14|69:HUBCLIENT_HSCE15"
#define RM_FAULT_TYPES                                                                               \
    "0:FAULT_PDE|1:FAULT_PDE_SIZE|2:FAULT_PTE|3:FAULT_VA_LIMIT_VIOLATION|4:FAULT_UNBOUND_INST_BLOCK|"  \
    "5:FAULT_PRIV_VIOLATION|6:FAULT_RO_VIOLATION|7:FAULT_WO_VIOLATION|8:FAULT_PITCH_MASK_VIOLATION|"   \
    "9:FAULT_WORK_CREATION|10:FAULT_UNSUPPORTED_APERTURE|11:FAULT_COMPRESSION_FAILURE|"                \
    "12:FAULT_INFO_TYPE_UNSUPPORTED_KIND|13:FAULT_INFO_TYPE_REGION_VIOLATION|"                         \
    "14:FAULT_INFO_TYPE_POISONED|15:FAULT_INFO_TYPE_ATOMIC_VIOLATION"
/* Pascal's are 32 and up here. */
#define RM_FAULT_ACCESSES                                                                            \
    "32:READ|33:WRITE|34:ATOMIC|0:VIRT_READ|1:VIRT_WRITE|2:VIRT_ATOMIC|3:VIRT_PREFETCH|"        \
    "4:VIRT_ATOMIC|8:PHYS_READ|9:PHYS_WRITE|10:PHYS_ATOMIC|11:PHYS_PREFETCH"

#define RM_LINES                                                                                     \
    {"RM_XID_MMU_FAULT",                                                                               \
     RM_XID("31") "Ch {channel_id:08x}, intr {intr_bits:08x}. MMU Fault: "                             \
     "ENGINE {engine=" RM_FAULT_ENGINES "} {client=" RM_FAULT_CLIENTS "} faulted @ {address:va}. "     \
     "Fault is of type {fault_type=" RM_FAULT_TYPES "} ACCESS_TYPE_{access=" RM_FAULT_ACCESSES "}"},   \
    {"RM_XID_GR",                                                                                      \
     RM_XID("13") "Graphics Exception: ChID {channel_id:04x}, Class {class_id:08x}, "                  \
     "Offset {method:08x}, Data {data:08x}"},                                                          \
    {"RM_XID_PBDMA", RM_XID("32") "Channel ID {channel_id:08x} intr {intr_bits:08x}"},                 \
    {"RM_XID_PBDMA_1",                                                                                 \
     RM_XID("32") "Channel ID {channel_id:08x} intr1 {intr_bits:08x} HCE_DBG0 {hce_dbg0:08x} "         \
     "HCE_DBG1 {hce_dbg1:08x}"},                                                                       \
    {"RM_XID_REMOVAL", RM_XID("45") "Ch {channel_id:08x} caused by previous Xid {previous_xid}"},      \
    {"RM_XID_CRC", RM_XID("80") "Channel ID {channel_id:08x} intr {intr_bits:08x}"},                   \
    {"RM_XID_CTXSW",                                                                                   \
     RM_XID("109") "Ch {channel_id:08x}, errorString CTX SWITCH TIMEOUT, Info 0x{info:x}"},
/* clang-format on */

#endif
