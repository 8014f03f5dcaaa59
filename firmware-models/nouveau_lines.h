/* SPDX-License-Identifier: MIT */
/*
 * The lines of the nouveau kernel driver, as texts of emu/event_line.h: fifo/gf100.c
 * (gf100_fifo_mmu_fault_recover), fifo/runl.c (CGRP_ERROR), nouveau_chan.c
 * (nouveau_channel_killed), of Linux 6.2 and later.
 *
 * ASSUMED: the GPU's place on the bus, and the name behind a channel's instance block, which is the
 * program's.  Names of Pascal's engines and clients are left out.
 */
#ifndef GFE_FIRMWARE_MODELS_NOUVEAU_LINES_H
#define GFE_FIRMWARE_MODELS_NOUVEAU_LINES_H

#define NOUVEAU_LINE "nouveau 0000:01:00.0: "

/* clang-format off */
#define NOUVEAU_FAULT_REASONS                                                                        \
    "0:PDE|1:PDE_SIZE|2:PTE|3:VA_LIMIT_VIOLATION|4:UNBOUND_INST_BLOCK|5:PRIV_VIOLATION|"               \
    "6:RO_VIOLATION|7:WO_VIOLATION|8:PITCH_MASK_VIOLATION|9:WORK_CREATION|10:UNSUPPORTED_APERTURE|"    \
    "11:COMPRESSION_FAILURE|12:UNSUPPORTED_KIND|13:REGION_VIOLATION"

#define NOUVEAU_LINES                                                                                \
    {"DRIVER_FAULT",                                                                                   \
     NOUVEAU_LINE "fifo: fault {access:02x} [{access=0:READ|1:WRITE|2:ATOMIC}] at {address:016x} "     \
     "engine {engine_id:02x} [] client {client:02x} [{is_hub=0:GPC|1:HUB}/] reason {reason:02x} "      \
     "[{reason=" NOUVEAU_FAULT_REASONS "}] on channel {channel_id} [{instance_address:010x} unknown]"},\
    {"DRIVER_KILL", NOUVEAU_LINE "unknown: channel {channel_id} killed!"},
/* clang-format on */

#endif
