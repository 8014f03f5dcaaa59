/* SPDX-License-Identifier: MIT */
/*
 * gfe decode --format: files of bare packets and descriptors of AMD GPUs, without a trace.
 */
#ifndef GFE_EMU_PROGRAM_CMD_DECODE_AMD_H
#define GFE_EMU_PROGRAM_CMD_DECODE_AMD_H

#include <stdbool.h>

#include "emu/base/error.h"

/* Whose registers a kernel descriptor is shown with, if no GPU is named. */
#define DECODE_AMD_GPU "radeon-vii"

struct decode_amd_request {
    const char *format; /* amd-pm4 */
    const char *path;   /* "-" = standard input */
    /* the GPU whose packets, and whose allocation units for a kernel's registers; or NULL */
    const char *gpu;
    const struct gpu *described; /* that GPU, if a file describes it; else NULL */
    const char *generation;      /* whose packets: gfx10, or sdma5; NULL if it was not said */
    bool hex;                    /* the file is text: dwords in hexadecimal */
    bool json;
    const struct limits *limits;
};

/* The names of the formats with commas between, for messages. */
#define DECODE_AMD_FORMATS                                                                         \
    "amd-pm4, amd-aql, amd-sdma, amd-mqd, amd-hqd, amd-sdma-mqd, amd-ih, "                         \
    "amd-kernel-descriptor"

/* Decodes the file to output_path ("-" = standard output).  Sets *error on failure, to ERROR_USAGE
 * if the format or the GPU is unknown. */
void decode_amd_file(const struct decode_amd_request *request, const char *output_path,
                     struct gfe_error *error);

#endif
