/* SPDX-License-Identifier: MIT */
/*
 * Entries of the IH ring.  An interrupt is eight dwords, which give the kernel driver its source,
 * its process and its reason.
 *
 *     dword 0        client, source (of the client), ring, VMID, hub of the VMID
 *     dwords 1, 2    time stamp; TIMESTAMP_SRC
 *     dword 3        PASID of that VMID, by IH_VMID_n_LUT
 *     dwords 4 to 7  data of the source (CONTEXT_ID_0 to 3): of an event its number, of a page
 *                    fault the page
 *
 * Sources: amdgpu driver vega10_ih.c (vega10_ih_decode_iv), osssys_4_0_sh_mask.h (IH_COOKIE_*),
 * soc15_ih_clientid.h, ivsrcid/gfx/irqsrcs_gfx_9_0.h, ivsrcid/sdma0/irqsrcs_sdma0_4_0.h; amdkfd
 * soc15_int.h.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_IH_ENTRY_H
#define GFE_DEVICES_AMD_FORMATS_AMD_IH_ENTRY_H

#include "devices/amd/formats/amd_layout.h"

enum { AMD_IH_ENTRY_DWORDS = 8, AMD_IH_ENTRY_BYTES = 32 };

/* Numbers of clients. */
enum {
    AMD_IH_CLIENT_SDMA0_ID = 0x08, /* SDMA1 is 0x09 */
    AMD_IH_CLIENT_SDMA1_ID = 0x09,
    AMD_IH_CLIENT_VMC = 0x12, /* the hub of memory and SDMA (MMHUB) */
    AMD_IH_CLIENT_GRBM_CP_ID = 0x14,
    AMD_IH_CLIENT_UTCL2 = 0x1b, /* the graphics core's hub (GFXHUB) */
};

/* clang-format off */
#define AMD_IH_ENTRY_FIELDS(F, R)                                                                  \
    F(IH_ENTRY, CLIENT_ID, 0, 0, 8, 0, HEX, ih_clients)                                            \
    F(IH_ENTRY, SOURCE_ID, 0, 8, 8, 0, DEC, NULL)                                                  \
    F(IH_ENTRY, RING_ID, 0, 16, 8, 0, DEC, NULL)                                                   \
    F(IH_ENTRY, VMID, 0, 24, 4, 0, DEC, NULL)                                                      \
    F(IH_ENTRY, VMID_TYPE, 0, 31, 1, 0, DEC, ih_hubs)                                              \
    F(IH_ENTRY, TIMESTAMP, 1, 0, 48, 0, DEC, NULL)                                                 \
    F(IH_ENTRY, TIMESTAMP_SRC, 2, 31, 1, 0, DEC, NULL)                                             \
    F(IH_ENTRY, PASID, 3, 0, 16, 0, HEX, NULL)                                                     \
    F(IH_ENTRY, PASID_SRC, 3, 31, 1, 0, DEC, NULL)                                                 \
    F(IH_ENTRY, CONTEXT_ID_0, 4, 0, 32, 0, HEX, NULL)                                              \
    F(IH_ENTRY, CONTEXT_ID_1, 5, 0, 32, 0, HEX, NULL)                                              \
    F(IH_ENTRY, CONTEXT_ID_2, 6, 0, 32, 0, HEX, NULL)                                              \
    F(IH_ENTRY, CONTEXT_ID_3, 7, 0, 32, 0, HEX, NULL)
/* clang-format on */

enum { AMD_IH_ENTRY_FIELDS(AMD_FIELD_CONST, AMD_FIELD_CONST_R) };

/* Decodes the entry at reader->at and advances past it.  Returns false at the end. */
bool amd_ih_next(struct amd_reader *reader, struct amd_packet *packet);
/* Returns the name of a client's source, "CP_END_OF_PIPE", or NULL if it is not known. */
const char *amd_ih_source_name(uint32_t client_id, uint32_t source_id);

#endif
