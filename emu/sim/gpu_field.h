/* SPDX-License-Identifier: MIT */
/* The members of a chip as JSON: written, read and described by the rows of chip_field.h. */
#ifndef GFE_EMU_SIM_GPU_FIELD_H
#define GFE_EMU_SIM_GPU_FIELD_H

#include <jansson.h>

#include "devices/core/chip_field.h"
#include "traces/config/examiner_config_spot.h"

/* Returns the row of that name, or NULL if there is none. */
const struct chip_field *gpu_field_find(const struct chip_field *fields, const char *name);
/* Returns an object with all members of the struct at `of`, which the caller releases.  Returns
 * NULL when memory is short. */
json_t *gpu_fields_json(const struct chip_field *fields, const void *of);
/* Reads all members of the struct at `to` from an object.  Texts are the JSON tree's.  Returns
 * false with a message that names the place. */
bool gpu_fields_load(const struct chip_field *fields, const struct spot *object, void *to);
/* Returns a JSON schema of such an object, which the caller releases, or NULL when memory is short.
 * If `wraps`, a value may also stand in {"value", "basis", "source"}, and none is required. */
json_t *gpu_fields_schema(const struct chip_field *fields, bool wraps);

#endif
