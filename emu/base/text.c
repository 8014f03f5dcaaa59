/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/text.h"

#include <inttypes.h>
#include <string.h>

struct time_unit {
    const char *name;
    uint64_t ps;
    uint32_t decimals; /* down to a picosecond */
};

static const struct time_unit time_units[] = {
    {"s", UINT64_C(1000000000000), 12},
    {"ms", UINT64_C(1000000000), 9},
    {"us", UINT64_C(1000000), 6},
    {"ns", UINT64_C(1000), 3},
    {"ps", 1, 0},
};

static const struct time_unit *unit_of(gfe_ps time_ps)
{
    const struct time_unit *unit = time_units;

    while (unit->ps > 1 && time_ps < unit->ps)
        unit++;
    return unit;
}

/* `time_ps` is a multiple of what the decimals can hold. */
static char *time_put(char *to, size_t bytes, gfe_ps time_ps, const struct time_unit *unit)
{
    char decimals[16];
    size_t length;

    (void)snprintf(decimals, sizeof decimals, ".%0*" PRIu64, (int)unit->decimals,
                   time_ps % unit->ps);
    length = strlen(decimals);
    while (length > 0 && (decimals[length - 1] == '0' || decimals[length - 1] == '.'))
        decimals[--length] = '\0';
    (void)snprintf(to, bytes, "%" PRIu64 "%s %s", time_ps / unit->ps, decimals, unit->name);
    return to;
}

/* The unit's decimals, at most three. */
static uint64_t quantum_of(const struct time_unit *unit)
{
    return unit->ps >= 1000 ? unit->ps / 1000 : 1;
}

static char *time_rounded(char *to, size_t bytes, gfe_ps time_ps, uint64_t quantum)
{
    const struct time_unit *unit = unit_of(time_ps);

    if (time_ps <= UINT64_MAX - quantum)
        time_ps = (time_ps + quantum / 2) / quantum * quantum;
    if (unit != time_units && time_ps >= unit->ps * 1000) /* 999.9996 us */
        unit--;
    return time_put(to, bytes, time_ps, unit);
}

char *text_time(char *to, size_t bytes, gfe_ps time_ps)
{
    return time_ps == 0 ? memcpy(to, "0", 2)
                        : time_rounded(to, bytes, time_ps, quantum_of(unit_of(time_ps)));
}

char *text_time_of_range(char *to, size_t bytes, gfe_ps time_ps, gfe_ps length_ps)
{
    const uint64_t usual = quantum_of(unit_of(time_ps));
    uint64_t quantum = 1;

    if (time_ps == 0 || length_ps == 0)
        return text_time(to, bytes, time_ps);
    while (quantum < usual && quantum * 10 <= length_ps / 100)
        quantum *= 10;
    return time_rounded(to, bytes, time_ps, quantum);
}

char *text_time_exact(char *to, size_t bytes, gfe_ps time_ps, gfe_ps step_ps)
{
    uint64_t quantum = 1;

    if (time_ps == 0)
        return memcpy(to, "0", 2);
    while (step_ps >= 10) {
        quantum *= 10;
        step_ps /= 10;
    }
    return time_put(to, bytes, time_ps / quantum * quantum, unit_of(time_ps));
}

/* The first line has no indent of its own if `is_behind` something else. */
static void paragraph_print(FILE *file, const char *text, uint32_t indent, uint32_t width,
                            bool is_behind)
{
    while (*text) {
        size_t length = strlen(text);
        const size_t room = width - indent;
        if (length > room) {
            length = room;
            while (length > 0 && text[length] != ' ')
                length--;
            if (length == 0)
                length = strcspn(text, " ");
        }
        fprintf(file, "%*s%.*s\n", is_behind ? 0 : (int)indent, "", (int)length, text);
        is_behind = false;
        text += length;
        while (*text == ' ')
            text++;
    }
}

void text_paragraph(FILE *file, const char *text, uint32_t indent, uint32_t width)
{
    paragraph_print(file, text, indent, width, false);
}

void text_paragraph_behind(FILE *file, const char *text, uint32_t indent, uint32_t width)
{
    paragraph_print(file, text, indent, width, true);
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

size_t text_utf8_bytes(const char *text)
{
    static const struct {
        uint8_t first, last, second_first, second_last, bytes;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};
    const uint8_t *at = (const uint8_t *)text;

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (at[0] < rows[row].first || at[0] > rows[row].last)
            continue;
        if (rows[row].bytes > 1 &&
            (at[1] < rows[row].second_first || at[1] > rows[row].second_last))
            return 0;
        for (size_t i = 2; i < rows[row].bytes; i++)
            if (at[i] < 0x80 || at[i] > 0xbf)
                return 0;
        return rows[row].bytes;
    }
    return 0;
}

bool text_is_utf8(const char *text)
{
    while (*text) {
        const size_t bytes = text_utf8_bytes(text);

        if (bytes == 0)
            return false;
        text += bytes;
    }
    return true;
}
