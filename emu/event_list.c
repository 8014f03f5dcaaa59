/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/event_list.h"

static const struct event_kind_row emu_events[] = {EMU_EVENTS(EVENT_ROW)};
/* Number 0 stands for "no rule", so that every log can name it. */
static const struct rule emu_rules[] = {
    {"-", DOCUMENTED, HARDWARE, "gfe", "No rule was needed."},
    {"GFE.PROGRAM", DOCUMENTED, RUNTIME, "gfe, docs/design.md section 4",
     "A thread goes on after a wait once the GPU has done what it waited for."},
    {"GFE.INFERRED", INFERRED, RUNTIME, "gfe, docs/design.md section 4",
     "A program whose waits make no call goes on once the completion that it saw is in memory."},
    {"GFE.UNMAP", INFERRED, KERNEL_DRIVER, "nouveau nouveau_gem.c (nouveau_gem_object_unmap)",
     "A memory object is unmapped when the GPU is done with it; here the thread waits for that."},
    {"GFE.OVERWRITE", INFERRED, RUNTIME, "gfe, docs/design.md section 4",
     "A program does not change commands that the GPU has not fetched: it waits for their fence."},
};

const struct table_set emu_tables = {
    .name = "emu",
    .base = TABLE_EMU,
    .rules = emu_rules,
    .rule_count = sizeof emu_rules / sizeof emu_rules[0],
    .events = emu_events,
    .event_count = sizeof emu_events / sizeof emu_events[0],
};
