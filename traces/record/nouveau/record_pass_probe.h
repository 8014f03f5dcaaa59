/* SPDX-License-Identifier: MIT */
/*
 * Looks for a real nouveau kernel driver to record above.
 */
#ifndef GFE_TRACES_RECORD_PASS_PROBE_H
#define GFE_TRACES_RECORD_PASS_PROBE_H

#include <stdbool.h>

#include "emu/base/error.h"
#include "traces/record/nouveau/record_pass.h"

/* Asks the render nodes in `directory` (/dev/dri) one after the other; the first that is nouveau's
 * is described.  `gpu` names the GPU in the trace; NULL: gfe's name of the board with its chip.
 * False with a message when none is nouveau's. */
bool record_pass_probe(const char *directory, const char *gpu, struct record_pass_device *device,
                       struct gfe_error *error);

#endif
