/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/visible.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/retry.h"
#include "emu/base/text.h"

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define VISIBLE_WITH_SANITIZER 1
#endif
#endif
#if defined __SANITIZE_ADDRESS__ || defined VISIBLE_WITH_SANITIZER
#include <sanitizer/lsan_interface.h>
#else
#define __lsan_ignore_object(object) ((void)(object))
#endif

enum {
    SHOWN_BYTES = 8,     /* "\u001b", and its end */
    CHARACTER_BYTES = 4, /* of UTF-8, at most */
    PIECE_BYTES = 4096,
    BUFFER_BYTES = 1 << 16,
};

/* ---- one character --------------------------------------------------------------------------- */

/* Returns the number of a character of UTF-8 that takes `bytes` bytes. */
static uint32_t visible_code(const char *text, size_t bytes)
{
    const uint8_t *at = (const uint8_t *)text;

    switch (bytes) {
    case 1:
        return at[0];
    case 2:
        return (at[0] & 0x1fu) << 6 | (at[1] & 0x3fu);
    case 3:
        return (at[0] & 0xfu) << 12 | (at[1] & 0x3fu) << 6 | (at[2] & 0x3fu);
    default:
        return (at[0] & 7u) << 18 | (at[1] & 0x3fu) << 12 | (at[2] & 0x3fu) << 6 | (at[3] & 0x3fu);
    }
}

static bool visible_commands(uint32_t code)
{
    return code < 0x20 || (code >= 0x7f && code <= 0x9f) || code == 0x061c || code == 0x200e ||
           code == 0x200f || (code >= 0x2028 && code <= 0x202e) ||
           (code >= 0x2066 && code <= 0x2069);
}

/* Writes how the character at `text`, which is not at its end, is shown, and returns how many bytes
 * of the text that stands for.  The text ends with a zero byte or after a whole character. */
static size_t visible_character(const char *text, bool is_name, char shown[SHOWN_BYTES])
{
    const size_t bytes = text_utf8_bytes(text);
    const uint32_t code = bytes > 0 ? visible_code(text, bytes) : 0;

    if (bytes == 0)
        (void)snprintf(shown, SHOWN_BYTES, "\\x%02x", (unsigned)(uint8_t)*text);
    else if (visible_commands(code) && (is_name || (code != '\n' && code != '\t')))
        (void)snprintf(shown, SHOWN_BYTES, "\\u%04x", (unsigned)code);
    else {
        memcpy(shown, text, bytes);
        shown[bytes] = '\0';
    }
    return bytes > 0 ? bytes : 1;
}

/* ---- names ----------------------------------------------------------------------------------- */

bool visible_is(const char *text)
{
    for (size_t bytes; *text; text += bytes) {
        bytes = text_utf8_bytes(text);
        if (bytes == 0 || visible_commands(visible_code(text, bytes)))
            return false;
    }
    return true;
}

char *visible_name(char *to, size_t bytes, const char *name)
{
    char shown[SHOWN_BYTES];
    size_t used = 0;

    while (*name) {
        name += visible_character(name, true, shown);
        if (used + strlen(shown) >= bytes)
            break;
        memcpy(to + used, shown, strlen(shown));
        used += strlen(shown);
    }
    to[used] = '\0';
    return to;
}

void visible_mark(char *name)
{
    for (size_t bytes; *name; name += bytes) {
        bytes = text_utf8_bytes(name);
        if (bytes == 0 || visible_commands(visible_code(name, bytes)))
            memset(name, '?', bytes > 0 ? bytes : 1);
        bytes = bytes > 0 ? bytes : 1;
    }
}

/* ---- streams --------------------------------------------------------------------------------- */

struct visible {
    int fd;
    size_t held; /* bytes of a character whose end is still to come */
    char hold[CHARACTER_BYTES + 1];
};

static bool visible_put(const struct visible *visible, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written;

        RETRY(written, write(visible->fd, text, bytes));
        if (written < 0)
            return false;
        text += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Returns the length of the text's beginning that may be written as it is. */
static size_t visible_plain(const char *text, size_t bytes)
{
    size_t length = 0;

    while (length < bytes && (((uint8_t)text[length] >= ' ' && (uint8_t)text[length] < 0x7f) ||
                              text[length] == '\n' || text[length] == '\t'))
        length++;
    return length;
}

/* Returns how many bytes a character that begins so has: 1 if it is none of UTF-8. */
static size_t visible_expected(char first)
{
    const uint8_t byte = (uint8_t)first;

    return byte < 0xc2 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : byte < 0xf5 ? 4 : 1;
}

/* Moves bytes to what is held until a character is whole, or cannot become whole any more.  Returns
 * how many were taken. */
static size_t visible_hold(struct visible *visible, const char *text, size_t bytes)
{
    size_t taken = 0;

    while (taken < bytes &&
           (visible->held == 0 || (visible->held < visible_expected(visible->hold[0]) &&
                                   ((uint8_t)text[taken] & 0xc0) == 0x80)))
        visible->hold[visible->held++] = text[taken++];
    visible->hold[visible->held] = '\0';
    return taken;
}

/* Shows what is held: a character, or bytes that are none. */
static bool visible_release(struct visible *visible)
{
    char shown[SHOWN_BYTES], text[CHARACTER_BYTES * SHOWN_BYTES];
    size_t used = 0;

    for (size_t at = 0; at < visible->held; used += strlen(shown)) {
        if (visible->hold[at] == '\0') {
            (void)snprintf(shown, sizeof shown, "\\u0000");
            at++;
        } else
            at += visible_character(visible->hold + at, false, shown);
        memcpy(text + used, shown, strlen(shown));
    }
    visible->held = 0;
    return visible_put(visible, text, used);
}

static ssize_t visible_write(void *cookie, const char *text, size_t bytes)
{
    struct visible *visible = cookie;
    bool good = true;

    for (size_t at = 0; good && at < bytes;) {
        const size_t plain = visible->held == 0 ? visible_plain(text + at, bytes - at) : 0;

        good = plain == 0 || visible_put(visible, text + at, plain);
        at += plain;
        at += visible_hold(visible, text + at, bytes - at);
        if (good && visible->held > 0 &&
            (at < bytes || visible->held == visible_expected(visible->hold[0])))
            good = visible_release(visible);
    }
    return good ? (ssize_t)bytes : 0;
}

static int visible_close(void *cookie)
{
    struct visible *visible = cookie;
    const bool good = visible->held == 0 || visible_release(visible);
    const int closed = close(visible->fd);

    free(visible);
    return good ? closed : -1;
}

FILE *visible_open(int fd)
{
    struct visible *visible = calloc(1, sizeof *visible);
    FILE *file =
        visible
            ? fopencookie(visible, "w",
                          (cookie_io_functions_t){.write = visible_write, .close = visible_close})
            : NULL;

    if (!file) {
        free(visible);
        return NULL;
    }
    /* The sanitizer's own fopencookie() keeps it where its search for leaks does not look. */
    __lsan_ignore_object(visible);
    visible->fd = fd;
    (void)setvbuf(file, NULL, isatty(fd) ? _IOLBF : _IOFBF, BUFFER_BYTES);
    return file;
}

void visible_command(int fd, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)vdprintf(fd, format, arguments);
    va_end(arguments);
}

bool visible_stdio(void)
{
    FILE *out = visible_open(STDOUT_FILENO), *err = visible_open(STDERR_FILENO);

    if (!out || !err)
        return false;
    (void)setvbuf(err, NULL, _IONBF, 0);
    stdout = out;
    stderr = err;
    return true;
}
