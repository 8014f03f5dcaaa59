/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_amd_object.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/formats/amd_kernel.h"

static void must(bool so)
{
    if (!so)
        abort();
}

static bool fuzz_take(void *context, const struct amd_kernel *kernel)
{
    uint32_t *count = context;

    for (const char *at = kernel->name; *at; at++)
        must(isprint((unsigned char)*at));
    for (uint32_t i = 0; i < amd_chip_count; i++)
        must(amd_kernel_vgprs(amd_chips[i]->vgpr_unit, kernel->descriptor) > 0 &&
             amd_kernel_sgprs(amd_chips[i]->sgpr_unit, kernel->descriptor) > 0);
    return ++*count < 1000;
}

int fuzz_amd_object(const uint8_t *data, size_t bytes)
{
    /* Of its own, so that a read behind its end is seen. */
    uint8_t *copy = malloc(bytes > 0 ? bytes : 1);
    struct gfe_error error = {0};
    uint32_t count = 0;

    must(copy != NULL);
    memcpy(copy, data, bytes);
    must(amd_kernel_walk(copy, bytes, fuzz_take, &count, &error) ==
         (error.kind == ERROR_NONE && error.text[0] == '\0'));
    must(memcmp(copy, data, bytes) == 0);
    free(copy);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_amd_object(data, bytes);
}
#endif
