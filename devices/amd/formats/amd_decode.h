/* SPDX-License-Identifier: MIT */
/*
 * Text and JSON of the results of the decoders: PM4, AQL and SDMA packets, MQDs and kernel
 * descriptors.  A packet is a line:
 *
 *   000020 c0023f00 INDIRECT_BUFFER      IB_BASE=0x7f00a000 IB_SIZE=7 VALID
 *   |      |        |                    fields; of those of one bit only the ones that are set
 *   |      |        name
 *   |      first dword
 *   byte offset
 *
 * Below it stands a line for each register that it writes, with the fields that are not 0.  Further
 * lines have the dwords after its fields, bits in no field (RESERVED, or REST where a field is cut
 * off), and any problem (!truncated: 3 of 5 dwords).
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_DECODE_H
#define GFE_DEVICES_AMD_FORMATS_AMD_DECODE_H

#include <jansson.h>
#include <stdio.h>

#include "devices/amd/formats/amd_layout.h"

/* Prints the packet.  `at_bytes` is its offset from the start of the decoded data. */
void amd_decode_print(FILE *file, const struct amd_packet *packet, uint64_t at_bytes);
/*
 * Returns a packet as JSON:
 *
 *     {"offset": 32, "name": "...", "code": 63, "dwords": ["c0023f00", ...],
 *      "fields": {"IB_SIZE": 7, ...}, "names": {"DST_SEL": "MEMORY"},
 *      "registers": [{"name", "offset", "value", "fields"}], "data": [...],
 *      "reserved": {"2": "00010000"}, "problem": null or "truncated"}
 *
 * Fields that are hexadecimal in the text are strings; `dwords` has at most the 512 of an MQD.  The
 * reference is the caller's.  Returns NULL when memory is short.
 */
json_t *amd_decode_json(const struct amd_packet *packet, uint64_t at_bytes);

#endif
