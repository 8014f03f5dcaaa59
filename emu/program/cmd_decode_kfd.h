/* SPDX-License-Identifier: MIT */
/* gfe decode of a trace of AMD's KFD: queues, CU masks, each packet, kernels and doorbells. */
#ifndef GFE_EMU_PROGRAM_CMD_DECODE_KFD_H
#define GFE_EMU_PROGRAM_CMD_DECODE_KFD_H

#include <stdbool.h>
#include <stdio.h>

#include "emu/base/error.h"

enum { DECODE_VENDOR_AMD = 0x1002 };

struct trace_reader;

/* Prints all of the trace, whose GPU is AMD's. */
bool decode_kfd(FILE *file, struct trace_reader *reader, struct gfe_error *error);

#endif
