/* SPDX-License-Identifier: MIT */
/* Bytes, numbers and JSON of a page. */
#include <config.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/views/html/show_html_private.h"

void html_bytes_fini(struct html_bytes *bytes)
{
    free(bytes->at);
    bytes->at = NULL;
    bytes->count = bytes->capacity = 0;
}

static bool room(struct html_bytes *bytes, size_t more)
{
    size_t capacity = bytes->capacity ? bytes->capacity : 4096;
    uint8_t *grown;

    if (bytes->failed || bytes->capacity - bytes->count >= more)
        return !bytes->failed;
    while (capacity - bytes->count < more)
        capacity *= 2;
    grown = realloc(bytes->at, capacity);
    if (!grown) {
        bytes->failed = true;
        return false;
    }
    bytes->at = grown;
    bytes->capacity = capacity;
    return true;
}

void html_byte(struct html_bytes *bytes, uint8_t value)
{
    if (room(bytes, 1))
        bytes->at[bytes->count++] = value;
}

void html_append(struct html_bytes *bytes, const void *data, size_t count)
{
    if (count == 0 || !room(bytes, count))
        return;
    memcpy(bytes->at + bytes->count, data, count);
    bytes->count += count;
}

void html_varint(struct html_bytes *bytes, uint64_t value)
{
    if (!room(bytes, 10))
        return;
    while (value >= 0x80) {
        bytes->at[bytes->count++] = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    bytes->at[bytes->count++] = (uint8_t)value;
}

void html_difference(struct html_bytes *bytes, uint64_t value, uint64_t before)
{
    const uint64_t difference = value - before;

    html_varint(bytes, difference << 1 ^ (difference >> 63 ? UINT64_MAX : 0));
}

void html_print(struct html_bytes *bytes, const char *format, ...)
{
    char text[256];
    va_list arguments;
    int length;

    va_start(arguments, format);
    length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (length > 0)
        html_append(bytes, text, (size_t)length < sizeof text ? (size_t)length : sizeof text - 1);
}

void html_json(struct html_bytes *bytes, const char *text)
{
    if (!text) {
        html_print(bytes, "null");
        return;
    }
    html_byte(bytes, '"');
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            html_byte(bytes, '\\');
        if ((unsigned char)*c < ' ')
            html_print(bytes, "\\u%04x", (unsigned)*c);
        else
            html_byte(bytes, (uint8_t)*c);
    }
    html_byte(bytes, '"');
}
