/* SPDX-License-Identifier: MIT */
/* The reader of AMDHSA code objects on any bytes. */
#ifndef TESTS_FUZZ_FUZZ_AMD_OBJECT_H
#define TESTS_FUZZ_FUZZ_AMD_OBJECT_H

#include <stddef.h>
#include <stdint.h>

/* Returns 0; aborts where a kernel has a name that does not print, or an error none. */
int fuzz_amd_object(const uint8_t *data, size_t bytes);

#endif
