/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/golden_text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *file_read(const char *path, size_t *bytes)
{
    FILE *file = fopen(path, "rbe");
    char *text = NULL;

    ck_assert_msg(file != NULL, "%s is not there; GFE_UPDATE_GOLDEN=1 writes it", path);
    FILE *memory = open_memstream(&text, bytes);
    for (int c = fgetc(file); c != EOF; c = fgetc(file))
        fputc(c, memory);
    fclose(memory);
    fclose(file);
    return text;
}

void golden_text_check(const char *name, const char *text, size_t bytes)
{
    const char *folder = getenv("top_srcdir");
    char path[512];
    size_t wanted_bytes, at = 0, line = 1;

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : ".", name);
    if (getenv("GFE_UPDATE_GOLDEN")) {
        FILE *file = fopen(path, "wbe");
        ck_assert_msg(file && fwrite(text, 1, bytes, file) == bytes && fclose(file) == 0,
                      "cannot write %s", path);
        return;
    }
    char *wanted = file_read(path, &wanted_bytes);
    while (at < bytes && at < wanted_bytes && text[at] == wanted[at])
        line += text[at++] == '\n';
    ck_assert_msg(at == bytes && at == wanted_bytes,
                  "%s differs in line %zu; GFE_UPDATE_GOLDEN=1 accepts what there is now", path,
                  line);
    free(wanted);
}
