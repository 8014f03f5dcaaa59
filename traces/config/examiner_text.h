/* SPDX-License-Identifier: MIT */
/* JSON texts of cuda_scheduling_examiner, in files and in memory.  Private to the readers of its
 * configurations and results, but for the two that load a file. */
#ifndef GFE_TRACES_EXAMINER_TEXT_H
#define GFE_TRACES_EXAMINER_TEXT_H

#include <jansson.h>
#include <stddef.h>

#include "emu/base/error.h"

/*
 * All bytes of the file, or of standard input where `path` is "-"; where there are more than
 * `highest`, one more than that.  The caller frees them.  NULL: an error (ERROR_SYSTEM).
 */
char *examiner_text_load(const char *path, size_t highest, size_t *bytes, struct gfe_error *error);

/* What messages call that file. */
const char *examiner_text_name(const char *path);

/*
 * The JSON tree of a text of at most `highest` bytes, which is a number of MiB.  The caller drops
 * it with json_decref().  NULL: an error (ERROR_INPUT) with the line, or memory is short.
 */
json_t *examiner_text_json(const char *text, size_t bytes, size_t highest, const char *name,
                           struct gfe_error *error);

#endif
