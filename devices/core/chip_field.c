/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/core/chip_field.h"

#include <stdarg.h>
#include <stdio.h>

/* In the order of enum basis. */
static const char *const bases[] = {"DOCUMENTED", "PUBLISHED", "MEASURED",
                                    "INFERRED",   "ASSUMED",   NULL};

/* clang-format off */
#define FIGURE_TEXT(member, doc_)                                                                  \
    {.name = #member, .kind = CHIP_TEXT, .at = offsetof(struct chip_figure, member),               \
     .bytes = sizeof(const char *), .doc = (doc_)}
const struct chip_field chip_figure_fields[] = {
    FIGURE_TEXT(name, "what the figure is of"),
    FIGURE_TEXT(value, "as a reader has it"),
    {.name = "basis", .kind = CHIP_WORD, .at = offsetof(struct chip_figure, basis),
     .bytes = sizeof(enum basis), .words = bases, .doc = "what it rests on (docs/sources.md)"},
    FIGURE_TEXT(source, "where it stands, or how it was measured"),
    {0},
};
/* clang-format on */

bool chip_fault_set(struct chip_fault *fault, const char *path, const char *format, ...)
{
    va_list arguments;

    (void)snprintf(fault->path, sizeof fault->path, "%s", path);
    va_start(arguments, format);
    (void)vsnprintf(fault->text, sizeof fault->text, format, arguments);
    va_end(arguments);
    return false;
}
