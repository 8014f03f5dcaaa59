/* SPDX-License-Identifier: MIT */
/* Any bytes as a recording that gfe imports, for the fuzz targets of the importers. */
#ifndef TESTS_FUZZ_FUZZ_IMPORT_H
#define TESTS_FUZZ_FUZZ_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "emu/base/error.h"

typedef bool fuzz_importer(FILE *file, const char *name, int fd, const char *output_name,
                           struct gfe_error *error);

/* Imports them: there is a trace that can be read to its end, or a message of one line.  Aborts
 * when that is not so.  0. */
int fuzz_import(fuzz_importer *import, const uint8_t *data, size_t bytes);

#endif
