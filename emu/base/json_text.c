/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/json_text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/text.h"

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

/* ---- memory ---------------------------------------------------------------------------------- */

/* jansson asks for memory by one function of the process, which gets nothing but a number of bytes.
 * So what it says stands here, for the thread that reads or makes a value, and only while it does.
 */
static _Thread_local bool json_short;
static _Thread_local json_malloc_t json_own_malloc;
static _Thread_local json_free_t json_own_free;

/* Once memory was short nothing of the value counts any more, but the parser has to come to its
 * end: where it can't note a byte of a string it goes on all the same, and one that misses a byte
 * of an escape stops the process.  So there is room in reserve, which is not given twice; when that
 * is used up, too, the parser gives up, as it does wherever it makes a value. */
static _Thread_local struct {
    unsigned char *bytes;
    size_t used, room;
} json_reserve;

#ifdef GFE_FUZZ
enum { RESERVE_BYTES = 1 << 8 }; /* memory is not short there, and room costs more than a text */
#else
enum { RESERVE_BYTES = 1 << 16 };
#endif
enum { RESERVE_ALIGN = 16 };

static void *json_reserve_take(size_t bytes)
{
    const size_t whole = (bytes + RESERVE_ALIGN - 1) / RESERVE_ALIGN * RESERVE_ALIGN;
    void *memory = json_reserve.bytes + json_reserve.used;

    if (whole < bytes || whole > json_reserve.room - json_reserve.used)
        return NULL;
    json_reserve.used += whole;
    return memory;
}

static void *json_malloc_told(size_t bytes)
{
    void *memory = json_own_malloc ? json_own_malloc(bytes) : malloc(bytes);

    if (memory)
        return memory;
    json_short = true;
    return json_reserve_take(bytes);
}

static void json_free_told(void *memory)
{
    const uintptr_t at = (uintptr_t)memory, from = (uintptr_t)json_reserve.bytes;

    if (memory && at >= from && at - from < json_reserve.room)
        return;
    if (json_own_free)
        json_own_free(memory);
    else
        free(memory);
}

/* Notes from here on whether memory was short. */
static void json_watch_begin(void)
{
    json_malloc_t own_malloc;
    json_free_t own_free;

    json_get_alloc_funcs(&own_malloc, &own_free);
    json_short = false;
    json_own_malloc = own_malloc == json_malloc_told ? NULL : own_malloc;
    json_own_free = own_free == json_free_told ? NULL : own_free;
    json_set_alloc_funcs(json_malloc_told, json_free_told);
}

/* Ends this, and frees the room in reserve. */
static void json_watch_end(void)
{
    json_set_alloc_funcs(json_own_malloc ? json_own_malloc : malloc,
                         json_own_free ? json_own_free : free);
    json_own_malloc = NULL;
    json_own_free = NULL;
    free(json_reserve.bytes);
    json_reserve.bytes = NULL;
    json_reserve.used = 0;
    json_reserve.room = 0;
}

/* ---- making ---------------------------------------------------------------------------------- */

json_t *json_text_pack(const char *format, ...)
{
    va_list arguments;
    json_t *value;

    json_watch_begin();
    va_start(arguments, format);
    value = json_vpack_ex(NULL, 0, format, arguments);
    va_end(arguments);
    if (json_short) {
        json_decref(value);
        value = NULL;
    }
    json_watch_end();
    return value;
}

json_t *json_text_string(const char *text)
{
    return text_is_utf8(text) ? json_string(text) : json_null();
}

json_t *json_text_append(json_t *list, json_t *value)
{
    if (json_array_append_new(list, value) == 0)
        return list;
    json_decref(list);
    return NULL;
}

json_t *json_text_set(json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) == 0)
        return object;
    json_decref(object);
    return NULL;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* As jansson does: the text, and the code behind its end. */
static json_t *json_no_memory(json_error_t *cause)
{
    (void)snprintf(cause->text, JSON_ERROR_TEXT_LENGTH - 1, "out of memory");
    cause->text[JSON_ERROR_TEXT_LENGTH - 1] = (char)json_error_out_of_memory;
    return NULL;
}

json_t *json_text_load(const char *text, size_t bytes, size_t flags, json_error_t *cause)
{
    json_error_t unused;
    json_t *value;

    cause = cause ? cause : &unused;
    json_reserve.used = 0;
    json_reserve.room = 2 * bytes + RESERVE_BYTES; /* the longest string doubles as it grows */
    json_reserve.bytes = malloc(json_reserve.room);
    if (!json_reserve.bytes)
        return json_no_memory(cause);
    json_watch_begin();
    value = json_loadb(text, bytes, flags, cause);
    if (json_short) {
        json_decref(value);
        value = json_no_memory(cause);
    }
    json_watch_end();
    return value;
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
