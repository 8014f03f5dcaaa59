/* SPDX-License-Identifier: MIT */
/*
 * The lines of the nouveau kernel driver, as texts of emu/log/event_line.h: fifo/gf100.c
 * (gf100_fifo_mmu_fault_recover, gf100_fifo_intr_sched, gf100_runq_intr), fifo/gk104.c
 * (gk104_runq_intr_1, and the names of bits: from Kepler on), fifo/gv100.c (names), fifo/tu102.c
 * (tu102_fifo_intr_sched), fifo/runl.c and its CGRP_ERROR and RUNL_ERROR, fifo/chan.c
 * (nvkm_chan_error), gr/gf100.c (gf100_gr_intr), nouveau_chan.c (nouveau_channel_killed), of Linux
 * 6.2 and later.  On Fermi, which is not modelled, bit 23 of a PBDMA is EMPTY_SUBC.
 *
 * ASSUMED: the GPU's place on the bus, and the program's name after a channel's instance block.
 * Names of Pascal's engines and clients are left out, as are names of later chips' engines and
 * clients that the model does not have.  A number that no channel has is -1.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_LINES_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_NOUVEAU_LINES_H

#define NOUVEAU_LINE "nouveau 0000:01:00.0: "

/* clang-format off */
#define NOUVEAU_FAULT_REASONS                                                                        \
    "0:PDE|1:PDE_SIZE|2:PTE|3:VA_LIMIT_VIOLATION|4:UNBOUND_INST_BLOCK|5:PRIV_VIOLATION|"               \
    "6:RO_VIOLATION|7:WO_VIOLATION|8:PITCH_MASK_VIOLATION|9:WORK_CREATION|10:UNSUPPORTED_APERTURE|"    \
    "11:COMPRESSION_FAILURE|12:UNSUPPORTED_KIND|13:REGION_VIOLATION"

/* fifo/gv100.c and tu102.c; engines have their own names. */
#define NOUVEAU_FAULT_ENGINES                                                                        \
    "15:ce0|16:ce1|17:ce2|18:ce3|19:ce4|20:ce5|21:ce6|22:ce7|23:ce8|32:HOST0|33:HOST1|34:HOST2|"       \
    "35:HOST3|36:HOST4|37:HOST5|38:HOST6|39:HOST7|40:HOST8|41:HOST9|42:HOST10|43:HOST11|44:HOST12|"    \
    "45:HOST13|64:gr"
#define NOUVEAU_FAULT_CLIENTS                                                                        \
    "1:CE0|2:CE1|4:FE|6:HOST|24:CE2|32:HSCE0|33:HSCE1|34:HSCE2|35:HSCE3|36:HSCE4|37:HSCE5|38:HSCE6|"    \
    "39:HSCE7|40:HSCE8|41:HSCE9"
#define NOUVEAU_FAULT_ACCESSES                                                                       \
    "0:VIRT_READ|1:VIRT_WRITE|2:VIRT_ATOMIC|3:VIRT_PREFETCH|4:VIRT_ATOMIC_WEAK|8:PHYS_READ|"           \
    "9:PHYS_WRITE|10:PHYS_ATOMIC|11:PHYS_PREFETCH"

/* gk104_runq_intr_0_names: the others have no names there. */
#define NOUVEAU_PBDMA_BITS                                                                           \
    "0:MEMREQ|1:MEMACK_TIMEOUT|2:MEMACK_EXTRA|3:MEMDAT_TIMEOUT|4:MEMDAT_EXTRA|5:MEMFLUSH|6:MEMOP|"     \
    "7:LBCONNECT|8:LBREQ|9:LBACK_TIMEOUT|10:LBACK_EXTRA|11:LBDAT_TIMEOUT|12:LBDAT_EXTRA|13:GPFIFO|"    \
    "14:GPPTR|15:GPENTRY|16:GPCRC|17:PBPTR|18:PBENTRY|19:PBCRC|20:XBARCONNECT|21:METHOD|"              \
    "22:METHODCRC|23:DEVICE|25:SEMAPHORE|26:ACQUIRE|27:PRI|29:NO_CTXSW_SEG|30:PBSEG|31:SIGNATURE"
#define NOUVEAU_PBDMA_BITS_1                                                                         \
    "0:HCE_RE_ILLEGAL_OP|1:HCE_RE_ALIGNB|2:HCE_PRIV|3:HCE_ILLEGAL_MTHD|4:HCE_ILLEGAL_CLASS"
#define NOUVEAU_OF_METHOD                                                                            \
    "ch {channel_id:d} [{instance_address:010x} unknown] subc {subchannel} "

#define NOUVEAU_LINES                                                                                \
    {"DRIVER_FAULT",                                                                                   \
     NOUVEAU_LINE "fifo: fault {access:02x} [{access=0:READ|1:WRITE|2:ATOMIC}] at {address:016x} "     \
     "engine {engine_id:02x} [] client {client:02x} [{is_hub=0:GPC|1:HUB}/] reason {reason:02x} "      \
     "[{reason=" NOUVEAU_FAULT_REASONS "}] on channel {channel_id} [{instance_address:010x} unknown]"},\
    {"DRIVER_FAULT_GV100",                                                                             \
     NOUVEAU_LINE "fifo: fault {access:02x} [{access=" NOUVEAU_FAULT_ACCESSES "}] at {address:016x} "  \
     "engine {engine_id:02x} [{engine_id=" NOUVEAU_FAULT_ENGINES "}] client {client:02x} "             \
     "[{is_hub=0:GPC|1:HUB}/{client=" NOUVEAU_FAULT_CLIENTS "}] reason {reason:02x} "                  \
     "[{reason=" NOUVEAU_FAULT_REASONS "|14:POISONED|15:ATOMIC_VIOLATION}] on channel {channel_id} "   \
     "[{instance_address:010x} unknown]"},                                                             \
    {"DRIVER_PBDMA",                                                                                   \
     NOUVEAU_LINE "fifo: PBDMA{pbdma_id}: {intr_bits:08x} [{intr_bits&" NOUVEAU_PBDMA_BITS "}] "       \
     NOUVEAU_OF_METHOD "mthd {method:04x} data {data:08x}"},                                           \
    {"DRIVER_PBDMA_1",                                                                                 \
     NOUVEAU_LINE "fifo: PBDMA{pbdma_id}: {intr_bits:08x} [{intr_bits&" NOUVEAU_PBDMA_BITS_1 "}] "     \
     "ch {channel_id} {hce_dbg0:08x} {hce_dbg1:08x}"},                                                 \
    {"DRIVER_CTXNOTVALID", NOUVEAU_LINE "fifo: PBDMA{pbdma_id}:CTXNOTVALID chid:{channel_id}"},        \
    {"DRIVER_GR_ERROR",                                                                                \
     NOUVEAU_LINE "gr: {intr_bit=4:ILLEGAL_MTHD|5:ILLEGAL_CLASS} " NOUVEAU_OF_METHOD                   \
     "class {class_id:04x} mthd {method:04x} data {data:08x}"},                                        \
    {"DRIVER_GR_TRAP",                                                                                 \
     NOUVEAU_LINE "gr: TRAP ch {channel_id:d} [{instance_address:010x} unknown]"},                     \
    {"DRIVER_SCHED_ERROR",                                                                             \
     NOUVEAU_LINE "fifo: SCHED_ERROR {code:02x} [{code=10:CTXSW_TIMEOUT}]"},                           \
    {"DRIVER_RC", NOUVEAU_LINE "fifo:{runlist_id:06x}:{tsg_id:04x}:[unknown] rc scheduled"},           \
    {"DRIVER_RC", NOUVEAU_LINE "fifo:{runlist_id:06x}: rc scheduled"},                                 \
    {"DRIVER_KILL",                                                                                    \
     NOUVEAU_LINE "fifo:{runlist_id:06x}:{tsg_id:04x}:{channel_id:04x}:[unknown] errored - disabling " \
     "channel"},                                                                                       \
    {"DRIVER_KILL", NOUVEAU_LINE "unknown: channel {channel_id} killed!"},
/* clang-format on */

#endif
