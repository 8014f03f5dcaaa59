/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_nvt.h"

#include "tests/fuzz/fuzz_import.h"
#include "traces/import/import_nvt.h"

int fuzz_nvt(const uint8_t *data, size_t bytes)
{
    return fuzz_import(import_nvt, data, bytes);
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_nvt(data, bytes);
}
#endif
