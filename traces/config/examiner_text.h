/* SPDX-License-Identifier: MIT */
/* JSON texts of cuda_scheduling_examiner.  Private to the readers of its configurations and
 * results, which read files by emu/base/input.h. */
#ifndef GFE_TRACES_CONFIG_EXAMINER_TEXT_H
#define GFE_TRACES_CONFIG_EXAMINER_TEXT_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/error.h"

/* Returns the JSON tree of a text of at most `highest` bytes.  The caller releases it with
 * json_decref().  Returns NULL on error (ERROR_INPUT with the line), or if memory is short. */
json_t *examiner_text_json(const char *text, size_t bytes, uint64_t highest, const char *name,
                           struct gfe_error *error);

#endif
