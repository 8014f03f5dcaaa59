/* SPDX-License-Identifier: MIT */
/*
 * PTOP's list of devices (nv_top.h) for a chip: made from the chip's model, and added to the
 * machine as a window of registers.
 */
#ifndef GFE_DEVICES_NVIDIA_NV_TOP_TABLE_H
#define GFE_DEVICES_NVIDIA_NV_TOP_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "devices/nvidia/formats/nv_top.h"
#include "emu/engine/machine.h"

struct nv_chip;

/* Returns the form of the chip's table. */
enum nv_top_form nv_top_form_of(const struct nv_chip *model);
/* Returns the type by which the table of that form names a kind of engine. */
uint32_t nv_top_type(enum nv_top_form form, uint32_t nv_chip_engine_kind, uint32_t instance);
/* Writes the model's table and returns its number of rows.  The other rows are zeroed. */
uint32_t nv_top_fill(const struct nv_chip *model, uint32_t rows[NV_TOP_ROWS_MAX]);
/* Adds the window with the table to `unit`.  Returns false when memory is short. */
bool nv_top_wire(struct machine *machine, uint32_t unit, const struct nv_chip *model);

#endif
