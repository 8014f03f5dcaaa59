/* SPDX-License-Identifier: MIT */
/* What the drivers print: every event kind that has a line.  One row for each, in one place, as
 * summaries are made of logs alone. */
#include <config.h>

#include "emu/log/event_line.h"
#include "firmware-models/kfd/amdgpu_lines.h"
#include "firmware-models/kfd/kfd_lines.h"
#include "firmware-models/nouveau/nouveau_lines.h"
#include "firmware-models/rm/rm_lines.h"

const struct event_line_row gfe_event_lines[] = {
    AMDGPU_LINES KFD_LINES NOUVEAU_LINES RM_LINES{NULL, NULL}};
