/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_raw.h"

#include "tests/fuzz/fuzz_import.h"
#include "traces/import/import_raw.h"

int fuzz_raw(const uint8_t *data, size_t bytes)
{
    return fuzz_import(import_raw, data, bytes);
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_raw(data, bytes);
}
#endif
