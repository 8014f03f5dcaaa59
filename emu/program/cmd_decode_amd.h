/* SPDX-License-Identifier: MIT */
/*
 * gfe decode --format: files of bare packets and descriptors of AMD GPUs, without a trace round
 * them.
 */
#ifndef GFE_EMU_CMD_DECODE_AMD_H
#define GFE_EMU_CMD_DECODE_AMD_H

#include <stdbool.h>

#include "emu/base/error.h"

struct decode_amd_request {
    const char *format; /* amd-pm4 */
    const char *path;   /* "-" = standard input */
    const char *gpu;    /* whose units registers of a kernel are given out in */
    bool hex;           /* the file is text: dwords in hexadecimal */
    bool json;
};

/* Their names with commas between, for messages. */
#define DECODE_AMD_FORMATS                                                                         \
    "amd-pm4, amd-aql, amd-sdma, amd-mqd, amd-hqd, amd-sdma-mqd, amd-ih, "                         \
    "amd-kernel-descriptor"

/* Writes what the file holds to output_path ("-" = standard output); what could not be is in the
 * error, ERROR_USAGE when the format or the GPU is none. */
void decode_amd_file(const struct decode_amd_request *request, const char *output_path,
                     struct gfe_error *error);

#endif
