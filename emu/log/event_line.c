/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/event_line.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A piece of text on its way. */
struct piece {
    char *to;
    size_t at, bytes;
};

static void put(struct piece *piece, const char *text, size_t length)
{
    for (size_t i = 0; i < length && piece->at + 1 < piece->bytes; i++)
        piece->to[piece->at++] = text[i];
    piece->to[piece->at] = '\0';
}

static void put_string(struct piece *piece, const char *text)
{
    put(piece, text, strlen(text));
}

/* The word behind "value:" in the list `words`, which ends at `end`. */
static void put_word(struct piece *piece, const char *words, const char *end, uint64_t value)
{
    char number[24];

    while (words < end) {
        const char *next = memchr(words, '|', (size_t)(end - words));
        const char *stop = next ? next : end;
        uint64_t of = 0;

        while (words < stop && *words >= '0' && *words <= '9')
            of = 10 * of + (uint64_t)(*words++ - '0');
        if (of == value && words < stop) {
            put(piece, words + 1, (size_t)(stop - words - 1)); /* behind the ':' */
            return;
        }
        words = stop + 1;
    }
    (void)snprintf(number, sizeof number, "0x%" PRIx64, value);
    put_string(piece, number);
}

/* The names behind "bit:" in the list of those bits that the value has. */
static void put_bits(struct piece *piece, const char *words, const char *end, uint64_t value)
{
    bool first = true;

    while (words < end) {
        const char *next = memchr(words, '|', (size_t)(end - words));
        const char *stop = next ? next : end;
        unsigned bit = 0;

        while (words < stop && *words >= '0' && *words <= '9')
            bit = 10 * bit + (unsigned)(*words++ - '0');
        if (words < stop && bit < 64 && (value >> bit & 1)) {
            put(piece, " ", first ? 0 : 1);
            put(piece, words + 1, (size_t)(stop - words - 1));
            first = false;
        }
        words = stop + 1;
    }
}

static void put_value(struct piece *piece, const char *form, const char *end, uint64_t value)
{
    char number[40];

    if (form < end && *form == '=') {
        put_word(piece, form + 1, end, value);
        return;
    }
    if (form < end && *form == '&') {
        put_bits(piece, form + 1, end, value);
        return;
    }
    if (end - form == 2 && form[1] == 'x')
        (void)snprintf(number, sizeof number, "%" PRIx64, value);
    else if (end - form >= 4 && form[1] == '0' && (end[-1] == 'x' || end[-1] == 'X'))
        (void)snprintf(number, sizeof number, end[-1] == 'x' ? "%0*" PRIx64 : "%0*" PRIX64,
                       (int)strtol(form + 1, NULL, 10), value);
    else if (end - form == 2 && form[1] == 'd')
        (void)snprintf(number, sizeof number, "%" PRId32, (int32_t)value);
    else if (end - form == 3 && form[1] == 'v')
        (void)snprintf(number, sizeof number, "0x%" PRIx64 "_%08" PRIx64, value >> 32,
                       value & UINT32_MAX);
    else
        (void)snprintf(number, sizeof number, "%" PRIu64, value);
    put_string(piece, number);
}

/* The argument of that name; 0 when the log's events have none. */
static uint64_t value_of(const struct event_log_kind *kind, const struct log_event *event,
                         const char *name, size_t length)
{
    for (uint32_t i = 0; i < kind->argument_count && i < event->argument_count; i++)
        if (strlen(kind->arguments[i]) == length && memcmp(kind->arguments[i], name, length) == 0)
            return event->argument[i];
    return 0;
}

/* ".7-4" at `form`: the bits of the value, and *form behind it; else the value. */
static uint64_t bits_of(uint64_t value, const char **form)
{
    unsigned hi, lo;
    int used = 0;

    if (sscanf(*form, ".%2u-%2u%n", &hi, &lo, &used) != 2 || hi > 63 || lo > hi)
        return value;
    *form += used;
    return value >> lo & (UINT64_MAX >> (63 - (hi - lo)));
}

const struct event_line_row *event_line(const struct event_line_row *rows,
                                        const struct event_log_reader *log,
                                        const struct log_event *event, char *to, size_t bytes)
{
    const struct event_log_kind *kind = event_log_kind(log, event->kind);
    struct piece piece = {.to = to, .bytes = bytes};
    const char *text, *open, *close;

    if (!kind || bytes == 0)
        return NULL;
    while (rows->kind && strcmp(rows->kind, kind->name) != 0)
        rows++;
    if (!rows->kind)
        return NULL;
    to[0] = '\0';
    for (text = rows->text; (open = strchr(text, '{')) != NULL; text = close + 1) {
        const size_t length = strcspn(open + 1, ".:=&}");
        const char *form = open + 1 + length;
        uint64_t value = value_of(kind, event, open + 1, length);

        close = strchr(open, '}');
        if (!close)
            break;
        put(&piece, text, (size_t)(open - text));
        value = bits_of(value, &form);
        put_value(&piece, form, close, value);
    }
    put_string(&piece, text);
    return rows;
}
