/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_inspect.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "emu/debug/inspection.h"
#include "tests/fuzz/fuzz_file.h"

enum { UNPACKED_BYTES = 16 << 20 };

static const char *const views[] = {"queues", "runlist0",    "channels", "slots",
                                    "sms",    "device_info", "pbdma0",   "hqd"};

static void view_try(const struct inspection *inspection, const char *name,
                     const struct inspection_when *when, FILE *sink)
{
    struct gfe_error error = {0};
    uint32_t number;
    const struct inspect_view *view = inspection_view_find(name, &number);
    json_t *json;

    if (!view)
        return;
    json = inspection_from_log(inspection, view, number, when, &error);
    fuzz_error_check(&error, json != NULL);
    if (json)
        inspect_print(sink, inspection_log_view(view), json);
    json_decref(json);
}

enum { VIEWS = sizeof views / sizeof views[0] };

/* Views first to last, of one log. */
static void views_try(const uint8_t *data, size_t bytes, uint32_t first, uint32_t last)
{
    static const struct inspection_when whens[] = {
        {GFE_PS_NEVER, UINT64_MAX}, {UINT64_C(500000000), UINT64_MAX}, {GFE_PS_NEVER, 3}};
    char path[FUZZ_PATH_BYTES];
    const int fd = fuzz_file_new(path);
    FILE *sink = fopen("/dev/null", "we");
    struct gfe_error error = {0};
    struct inspection *inspection;

    fuzz_must(sink != NULL);
    if (bytes >= 4 && memcmp(data, "gfeC", 4) == 0)
        fuzz_must(write(fd, data, bytes) == (ssize_t)bytes);
    else
        fuzz_log_write(fd, data, bytes > 0 && data[0] == '{' ? bytes : 0, data,
                       bytes > 0 && data[0] == '{' ? 0 : bytes);
    inspection = inspection_open(path, NULL, UNPACKED_BYTES, &error);
    fuzz_error_check(&error, inspection != NULL);
    for (uint32_t i = first; inspection && i <= last; i++)
        view_try(inspection, views[i], &whens[(bytes + i) % 3], sink);
    if (inspection)
        inspection_close(inspection);
    fclose(sink);
    close(fd);
}

int fuzz_inspect(const uint8_t *data, size_t bytes)
{
    views_try(data, bytes, 0, VIEWS - 1);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    uint32_t view = 0;

    /* One view for each input, which its bytes choose: a mutant comes to another. */
    for (size_t i = 0; i < bytes; i++)
        view = view * 31 + data[i];
    view %= VIEWS;
    views_try(data, bytes, view, view);
    return 0;
}
#endif
