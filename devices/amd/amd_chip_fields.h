/* SPDX-License-Identifier: MIT */
/* What a file may say of an AMD chip, and what it may not (emu/sim/gpu_file.h). */
#ifndef GFE_DEVICES_AMD_AMD_CHIP_FIELDS_H
#define GFE_DEVICES_AMD_AMD_CHIP_FIELDS_H

#include <stdbool.h>

#include "devices/core/chip_field.h"

struct amd_chip;

/* All members of struct amd_chip but cu_count, which is a sum; ends with name NULL. */
extern const struct chip_field amd_chip_fields[];

/* Sets the members of a chip that follow from others. */
void amd_chip_complete(struct amd_chip *chip);
/* Returns true if a machine can be wired from a chip whose members are each in their range.
 * Otherwise says in *fault what is wrong. */
bool amd_chip_is_sound(const struct amd_chip *chip, struct chip_fault *fault);

#endif
