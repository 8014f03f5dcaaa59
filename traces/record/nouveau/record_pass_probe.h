/* SPDX-License-Identifier: MIT */
/*
 * Looks for a real nouveau kernel driver to record above.
 */
#ifndef GFE_TRACES_RECORD_NOUVEAU_RECORD_PASS_PROBE_H
#define GFE_TRACES_RECORD_NOUVEAU_RECORD_PASS_PROBE_H

#include <stdbool.h>

#include "emu/base/error.h"
#include "traces/record/nouveau/record_pass.h"

/* Asks the render nodes in `directory` (/dev/dri) one after the other, and describes the first that
 * is nouveau's.  `gpu` names the GPU in the trace; NULL stands for gfe's name of the board with its
 * chip.  Returns false with a message if none is nouveau's. */
bool record_pass_probe(const char *directory, const char *gpu, struct record_pass_device *device,
                       struct gfe_error *error);

#endif
