/* SPDX-License-Identifier: MIT */
/*
 * Cells of CSV (RFC 4180) that hold a text.
 *
 * A spreadsheet takes a cell that begins with = + - @, a tab or a carriage return for a formula,
 * quoted or not, and a formula can fetch addresses and start programs (CWE-1236).  Such a text gets
 * an apostrophe in front, which spreadsheets take for the sign of a text, and is quoted (OWASP,
 * "CSV Injection").  Numbers are printed as numbers, without this function.
 */
#ifndef GFE_EMU_BASE_CSV_H
#define GFE_EMU_BASE_CSV_H

#include <stdio.h>

/* Prints a cell, quoted if it has to be, without the comma behind it.  Characters that command a
 * terminal, and ends of lines, are shown as visible_name() does. */
void csv_text(FILE *file, const char *text);
/* Prints a cell like csv_text(), in quotes in any case. */
void csv_quoted(FILE *file, const char *text);

#endif
