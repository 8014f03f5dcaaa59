/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/csv.h"

#include <stdbool.h>
#include <string.h>

#include "emu/base/visible.h"

enum { CSV_CELL_BYTES = 32768 }; /* what spreadsheets keep of a cell */

static bool csv_is_formula(const char *text)
{
    return *text && strchr("=+-@\t\r", *text);
}

void csv_quoted(FILE *file, const char *text)
{
    char cell[CSV_CELL_BYTES];

    fputs(csv_is_formula(text) ? "\"'" : "\"", file);
    for (const char *at = visible_name(cell, sizeof cell, text); *at; at++) {
        if (*at == '"')
            fputc('"', file);
        fputc(*at, file);
    }
    fputc('"', file);
}

void csv_text(FILE *file, const char *text)
{
    if (csv_is_formula(text) || strpbrk(text, ",\"") || !visible_is(text))
        csv_quoted(file, text);
    else
        fputs(text, file);
}
