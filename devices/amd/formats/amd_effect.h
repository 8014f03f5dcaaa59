/* SPDX-License-Identifier: MIT */
/*
 * What the model does with each packet of PM4, SDMA and AQL.
 *
 *   MODELLED  A unit carries the packet out.
 *   LOST      The packet, or a value of one of its fields, has an effect that the model ignores.
 *             Each occurrence is logged (UNMODELLED); `lost` says what is lost.
 *
 * For a packet on neither list tests/test_amd_effect.c fails.
 *
 * What a packet does is from the headers that amd_pm4.h, amd_sdma_packet.h and amd_aql.h name, or
 * INFERRED from its name and fields there.
 */
#ifndef GFE_DEVICES_AMD_FORMATS_AMD_EFFECT_H
#define GFE_DEVICES_AMD_FORMATS_AMD_EFFECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "devices/amd/formats/amd_layout.h"

enum amd_packet_kind { AMD_PACKET_PM4, AMD_PACKET_SDMA, AMD_PACKET_AQL };

struct amd_loss {
    uint8_t kind;       /* enum amd_packet_kind */
    uint16_t code;      /* opcode; of SDMA with the sub-opcode, of AQL the type */
    uint32_t bits;      /* AMD_BITS() of a field; 0 means the whole packet */
    uint64_t harmless;  /* a bit for each value of the field that loses nothing */
    const char *packet; /* names; NULL for `field` means the whole packet */
    const char *field;
    const char *lost;
};

/* Returns a row, or NULL after the last.  The rows of a packet follow each other. */
const struct amd_loss *amd_loss_at(size_t index);

/* Sets rows[code % 256] to 1 + the index of the first row of each packet of the kind. */
void amd_losses_fill(enum amd_packet_kind kind, uint8_t rows[256]);

/* Returns the first row from `index` on, of the same packet, by which it loses an effect, or NULL
 * if there is none. */
const struct amd_loss *amd_loss_hit(size_t index, const uint32_t *dwords);

/* Returns the index of the first row of a packet of this name, or the number of rows. */
size_t amd_loss_of(enum amd_packet_kind kind, const char *packet);

/* Return the number by which the log names a row, and the row of such a number, with the value that
 * was logged.  Returns NULL if no row has it. */
uint64_t amd_loss_name(const struct amd_loss *loss);
const struct amd_loss *amd_loss_named(enum amd_packet_kind kind, uint64_t name, uint64_t value);

/* The names of the packets of each kind that a unit carries out, with a space on both sides of
 * each.
 */
extern const char *const amd_modelled[];

#endif
