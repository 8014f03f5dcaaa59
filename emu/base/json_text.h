/* SPDX-License-Identifier: MIT */
/*
 * JSON values and their text, whole or not at all.
 *
 * jansson's own functions can fail silently when memory gets short (version 2.14).  They print
 * broken JSON and report success, because they do not check whether an object's key was written.
 * The parser leaves out bytes of strings.  json_pack() leaves out a member whose string is optional
 * (s*).  json_string() returns NULL for a short memory and for bytes that are not UTF-8.  The
 * functions here detect these cases.
 */
#ifndef GFE_EMU_BASE_JSON_TEXT_H
#define GFE_EMU_BASE_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Makes a value like json_pack(), for formats with optional members (s*, s?).  Returns NULL also
 * when memory was short for one of these. */
json_t *json_text_pack(const char *format, ...);
/* Returns a text as a JSON string, or null if its bytes are not UTF-8, as those of a file's name.
 * Returns NULL when memory is short. */
json_t *json_text_string(const char *text);
/* Append a value to a list, or set it in an object, and release it.  Both return the list or the
 * object.  They return NULL when one of the two is NULL or memory is short, and release the list or
 * the object then: what a loop makes of values is whole or NULL. */
json_t *json_text_append(json_t *list, json_t *value);
json_t *json_text_set(json_t *object, const char *key, json_t *value);
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
