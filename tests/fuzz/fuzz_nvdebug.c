/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_nvdebug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "emu/base/error.h"
#include "emu/base/json_text.h"
#include "emu/sim/gpu_file.h"
#include "emu/sim/gpu_from_nvdebug.h"

enum { HEAD_BYTES = 40 };

static void must(bool so)
{
    if (!so)
        abort();
}

/* gpu_nvdebug_source.load of a text with all files */
static bool section_load(void *context, const char *name, char **text, struct gfe_error *error)
{
    const char *all = context, *begin, *end;
    char head[HEAD_BYTES];

    (void)error;
    (void)snprintf(head, sizeof head, "@%s\n", name);
    begin = strstr(all, head);
    *text = NULL;
    if (!begin)
        return true;
    begin += strlen(head);
    end = strchr(begin, '@');
    *text = end ? strndup(begin, (size_t)(end - begin)) : strdup(begin);
    return true;
}

/* What was made is taken as a GPU file, or refused with words. */
static void made_check(const json_t *json)
{
    struct gfe_error error = {0};
    char *text = json_text(json, JSON_COMPACT);
    struct gpu_file *file;

    must(text != NULL);
    file = gpu_file_parse(text, strlen(text), "made", &error);
    must(file || (error.kind != ERROR_NONE && strncmp(error.text, "made:", 5) == 0));
    gpu_file_free(file);
    free(text);
}

int fuzz_nvdebug(const uint8_t *data, size_t bytes)
{
    char *all = calloc(1, bytes + 1);
    const struct gpu_nvdebug_source source = {
        .load = section_load, .context = all, .name = "folder"};
    struct gfe_error error = {0};
    json_t *json;

    if (!all)
        return 0;
    memcpy(all, data, bytes);
    json = gpu_from_nvdebug_source(&source, &error);
    if (json) {
        must(error.kind == ERROR_NONE);
        made_check(json);
    } else {
        must(error.kind == ERROR_INPUT && strncmp(error.text, "folder", 6) == 0 &&
             !strchr(error.text, '\n'));
    }
    json_decref(json);
    free(all);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_nvdebug(data, bytes);
}
#endif
