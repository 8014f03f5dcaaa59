/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/json_text.h"

#include <stdlib.h>
#include <string.h>

struct json_sink {
    char *text; /* NULL once memory was short */
    size_t used, room;
    bool failed;
};

static int json_sink_add(const char *piece, size_t bytes, void *context)
{
    struct json_sink *sink = context;

    if (sink->failed)
        return -1;
    if (sink->used + bytes + 1 > sink->room) {
        const size_t room = 2 * (sink->used + bytes + 1);
        char *text = realloc(sink->text, room);

        if (!text) {
            sink->failed = true;
            return -1;
        }
        sink->text = text;
        sink->room = room;
    }
    memcpy(sink->text + sink->used, piece, bytes);
    sink->used += bytes;
    sink->text[sink->used] = '\0';
    return 0;
}

char *json_text(const json_t *value, size_t flags)
{
    struct json_sink sink = {0};

    if (json_dump_callback(value, json_sink_add, &sink, flags) == 0 && !sink.failed && sink.text)
        return sink.text;
    free(sink.text);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* jansson asks for memory by one function of the process, which gets nothing but a number of bytes.
 * So what it says stands here, for the thread that reads, and only while it does. */
static _Thread_local bool json_short;
static _Thread_local json_malloc_t json_own_malloc;

static void *json_malloc_told(size_t bytes)
{
    void *memory = json_own_malloc ? json_own_malloc(bytes) : malloc(bytes);

    json_short |= !memory;
    return memory;
}

json_t *json_text_load(const char *text, size_t bytes, size_t flags, json_error_t *cause)
{
    json_malloc_t own_malloc;
    json_free_t own_free;
    json_error_t unused;
    json_t *value;

    cause = cause ? cause : &unused;
    json_get_alloc_funcs(&own_malloc, &own_free);
    json_short = false;
    json_own_malloc = own_malloc == json_malloc_told ? NULL : own_malloc;
    json_set_alloc_funcs(json_malloc_told, own_free);
    value = json_loadb(text, bytes, flags, cause);
    json_set_alloc_funcs(json_own_malloc ? json_own_malloc : malloc, own_free);
    json_own_malloc = NULL;
    if (!json_short)
        return value;
    json_decref(value);
    /* As jansson does: the text, and the code behind its end. */
    (void)snprintf(cause->text, JSON_ERROR_TEXT_LENGTH - 1, "out of memory");
    cause->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_out_of_memory;
    return NULL;
}

json_t *json_text_loads(const char *text)
{
    return text ? json_text_load(text, strlen(text), 0, NULL) : NULL;
}

bool json_text_print(FILE *file, const json_t *value)
{
    char *text = json_text(value, JSON_INDENT(2));

    if (!text)
        return false;
    fprintf(file, "%s\n", text);
    free(text);
    return true;
}
