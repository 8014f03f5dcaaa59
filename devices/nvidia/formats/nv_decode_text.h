/* SPDX-License-Identifier: MIT */
#ifndef DEVICES_NVIDIA_NV_DECODE_TEXT_H
#define DEVICES_NVIDIA_NV_DECODE_TEXT_H

#include <stdbool.h>
#include <stdio.h>

#include "devices/nvidia/formats/nv_decode.h"

/*
 * Prints the items of nv_decode.h as text.  One line for each method, in fixed columns:
 *
 *   R s1 c1c0 02bc 00000003 SEND_SIGNALING_PCAS_B                    INVALIDATE=TRUE SCHEDULE=TRUE
 *   | |  |    |    |        |                                        its fields (nv_class_format)
 *   | |  |    |    |        NVIDIA's name of the method
 *   | |  |    |    data
 *   | |  |    byte offset
 *   | |  class: the subchannel's object; Host's for its own methods; ---- when nothing is bound
 *   | subchannel
 *   R: recorded, M: modelled (the kernel driver's own)
 *
 * A grid is one line of sizes, then one line for each field of its descriptor that is not 0.  All
 * of these have "qmd" in place of the offset.  Lines that are not methods have "----" there.
 *
 * Raw form: one line for each dword of the pushbuffer.  A header is "R 102a00000 800120ab IMMD s1
 * 02ac x1"; data has the address and the columns above.  The grid's descriptor has 8 dwords in each
 * line.
 */
void nv_decode_print(FILE *file, const struct nv_decode_item *item, bool raw);

/*
 * Prints an entry: "R gp 0 GET=0x102a00000 LENGTH=1064 SYNC=PROCEED buffer=5+0x0".  `index` is its
 * number in the submission.  `note` ends the line and may be "".
 */
void nv_decode_print_entry(FILE *file, enum nv_decode_origin origin, uint32_t index,
                           const struct nv_gp_entry *entry, const char *note);

#endif
