/* SPDX-License-Identifier: MIT */
/*
 * JSON values as text, whole or not at all.
 *
 * jansson's own functions can fail silently when memory gets short (version 2.14).  They print
 * broken JSON and report success, because they do not check whether an object's key was written.
 * The parser leaves out bytes of strings.  The functions here detect both cases.
 */
#ifndef GFE_EMU_BASE_JSON_TEXT_H
#define GFE_EMU_BASE_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Returns the text of a value, which the caller frees.  `flags` are those of json_dumps().  Returns
 * NULL when memory is short, or when the value is NULL. */
char *json_text(const json_t *value, size_t flags);
/* Parses a text and returns its value, which the caller releases with json_decref().  `flags` and
 * `cause` are those of json_loadb().  Returns NULL if the text is not JSON, or if memory was short
 * at any time; json_error_code() of the cause says which. */
json_t *json_text_load(const char *text, size_t bytes, size_t flags, json_error_t *cause);
/* Parses a string like json_text_load().  Returns NULL if `text` is NULL, too. */
json_t *json_text_loads(const char *text);
/* Prints a value, indented by 2, and a newline.  Returns false, with nothing printed, when memory
 * is short.  Does not check `file` for write errors: call ferror() for those. */
bool json_text_print(FILE *file, const json_t *value);

#endif
