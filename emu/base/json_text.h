/* SPDX-License-Identifier: MIT */
/*
 * JSON values as text.  jansson's own functions print broken JSON and report success when memory
 * gets short in the middle of it (2.14 does not look whether an object's key could be put out), and
 * its parser leaves out bytes of strings then; what is made here is whole or not there.
 */
#ifndef GFE_EMU_JSON_TEXT_H
#define GFE_EMU_JSON_TEXT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The text of a value, flags as for json_dumps(); the caller frees it.  NULL when memory is short,
 * or the value is NULL. */
char *json_text(const json_t *value, size_t flags);
/* The value of a text, flags and cause as for json_loadb(); the caller drops it with json_decref().
 * NULL: it is not JSON or, as json_error_code() of the cause says, memory was short at any time. */
json_t *json_text_load(const char *text, size_t bytes, size_t flags, json_error_t *cause);
/* The same of a string; NULL for NULL, too. */
json_t *json_text_loads(const char *text);
/* Prints it, indented by 2, and a newline.  False, with nothing printed, when memory is short; what
 * the file itself has to say is left to its owner (ferror()). */
bool json_text_print(FILE *file, const json_t *value);

#endif
