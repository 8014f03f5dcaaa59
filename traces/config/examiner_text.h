/* SPDX-License-Identifier: MIT */
/* JSON texts of cuda_scheduling_examiner, in files and in memory.  Private to the readers of its
 * configurations and results, except for the first two functions, which load a file. */
#ifndef GFE_TRACES_CONFIG_EXAMINER_TEXT_H
#define GFE_TRACES_CONFIG_EXAMINER_TEXT_H

#include <jansson.h>
#include <stddef.h>

#include "emu/base/error.h"

/*
 * Reads all bytes of the file, or of standard input if `path` is "-".  Stops after `highest` + 1
 * bytes.  The caller frees the bytes.  Returns NULL on error (ERROR_SYSTEM).
 */
char *examiner_text_load(const char *path, size_t highest, size_t *bytes, struct gfe_error *error);

/* Returns the name of that file for messages. */
const char *examiner_text_name(const char *path);

/*
 * Returns the JSON tree of a text of at most `highest` bytes, which is a multiple of 1 MiB.  The
 * caller releases it with json_decref().  Returns NULL on error (ERROR_INPUT with the line), or if
 * memory is short.
 */
json_t *examiner_text_json(const char *text, size_t bytes, size_t highest, const char *name,
                           struct gfe_error *error);

#endif
