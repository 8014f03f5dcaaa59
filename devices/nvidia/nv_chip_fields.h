/* SPDX-License-Identifier: MIT */
/* What a file may say of an NVIDIA chip, and what it may not (emu/sim/gpu_file.h). */
#ifndef GFE_DEVICES_NVIDIA_NV_CHIP_FIELDS_H
#define GFE_DEVICES_NVIDIA_NV_CHIP_FIELDS_H

#include <stdbool.h>

#include "devices/core/chip_field.h"

struct nv_chip;

/* All members of struct nv_chip but its operations; ends with name NULL. */
extern const struct chip_field nv_chip_fields[];

/* Sets the operations of a chip that was read from a file. */
void nv_chip_complete(struct nv_chip *chip);
/* Returns true if a machine can be wired from a chip whose members are each in their range.
 * Otherwise says in *fault what is wrong. */
bool nv_chip_is_sound(const struct nv_chip *chip, struct chip_fault *fault);

#endif
