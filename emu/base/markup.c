/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/markup.h"

#include <assert.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/text.h"

enum { SPECIFIER_BYTES = 16, NUMBER_BYTES = 64 };

/* Returns what stands for a character of one byte, or NULL if that is the character itself. */
static const char *markup_reference(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\t':
    case '\n':
    case '\r':
        return NULL;
    default:
        return (uint8_t)character < ' ' || (uint8_t)character == 0x7f ? "?" : NULL;
    }
}

/* Returns true for C1, and for U+FFFE and U+FFFF, which are no characters of XML. */
static bool markup_is_none(const char *text, size_t bytes)
{
    const uint8_t *at = (const uint8_t *)text;

    return (bytes == 2 && at[0] == 0xc2 && at[1] < 0xa0) ||
           (bytes == 3 && at[0] == 0xef && at[1] == 0xbf && at[2] >= 0xbe);
}

static void markup_put(FILE *file, const char *text, size_t length)
{
    const char *end = text + length;

    while (text < end) {
        const size_t bytes = text_utf8_bytes(text);
        const char *reference = bytes == 1 ? markup_reference(*text) : NULL;

        if (bytes == 0 || bytes > (size_t)(end - text) || markup_is_none(text, bytes))
            reference = "?";
        if (reference)
            fputs(reference, file);
        else
            (void)fwrite(text, 1, bytes, file);
        text += bytes > 0 ? bytes : 1;
    }
}

void markup_text(FILE *file, const char *text)
{
    markup_put(file, text, strlen(text));
}

/* ---- formats --------------------------------------------------------------------------------- */

/* A conversion of a format: "%", flags, width, precision, length and letter. */
struct specifier {
    char text[SPECIFIER_BYTES];
    size_t bytes;
    uint32_t longs, stars;
    bool is_size;
};

static struct specifier specifier_read(const char *format)
{
    struct specifier specifier = {.bytes = 1};

    while (strchr("-+ #0123456789.*lz", format[specifier.bytes]) && format[specifier.bytes]) {
        specifier.longs += format[specifier.bytes] == 'l';
        specifier.stars += format[specifier.bytes] == '*';
        specifier.is_size = specifier.is_size || format[specifier.bytes] == 'z';
        specifier.bytes++;
    }
    specifier.bytes++;
    assert(specifier.bytes < SPECIFIER_BYTES && specifier.stars <= 1);
    memcpy(specifier.text, format, specifier.bytes);
    return specifier;
}

/* Prints an argument that is a number or a character.  It has no letters that need an escape but
 * for %c, which is escaped. */
static void markup_number(FILE *file, const struct specifier *specifier, va_list *arguments)
{
    const char letter = specifier->text[specifier->bytes - 1];
    const char *format = specifier->text;
    char number[NUMBER_BYTES] = "";

    assert(strchr("diuxXc", letter));
/* The compiler has checked the format where markup_print() is called. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    if (specifier->stars > 0) {
        const int width = va_arg(*arguments, int);

        (void)snprintf(number, sizeof number, format, width, va_arg(*arguments, int));
    } else if (specifier->is_size)
        (void)snprintf(number, sizeof number, format, va_arg(*arguments, size_t));
    else if (specifier->longs == 2)
        (void)snprintf(number, sizeof number, format, va_arg(*arguments, long long));
    else if (specifier->longs == 1)
        (void)snprintf(number, sizeof number, format, va_arg(*arguments, long));
    else
        (void)snprintf(number, sizeof number, format, va_arg(*arguments, int));
#pragma GCC diagnostic pop
    markup_text(file, number);
}

void markup_print(FILE *file, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    while (*format) {
        const size_t plain = strcspn(format, "%");
        struct specifier specifier;

        (void)fwrite(format, 1, plain, file);
        format += plain;
        if (!*format)
            break;
        specifier = specifier_read(format);
        format += specifier.bytes;
        if (specifier.text[specifier.bytes - 1] == '%')
            fputc('%', file);
        else if (specifier.text[specifier.bytes - 1] == 's') {
            const size_t most = specifier.stars > 0 ? (size_t)va_arg(arguments, int)
                                : specifier.bytes > 2
                                    ? (size_t)strtoul(specifier.text + 2, NULL, 10)
                                    : SIZE_MAX;
            const char *text = va_arg(arguments, const char *);

            assert(specifier.bytes == 2 || specifier.text[1] == '.');
            markup_put(file, text, strnlen(text, most));
        } else
            markup_number(file, &specifier, &arguments);
    }
    va_end(arguments);
}
