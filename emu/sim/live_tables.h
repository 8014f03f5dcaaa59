/* SPDX-License-Identifier: MIT */
/* Events and figures of a GPU that is emulated below a running program (emu/live/live_kfd.h). */
#ifndef GFE_EMU_SIM_LIVE_TABLES_H
#define GFE_EMU_SIM_LIVE_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* A log calls the member errno_code errno; in C that name is a macro (live_tables.c). */
/* clang-format off */
#define LIVE_EVENTS(EVENT)                                                                           \
    EVENT(LIVE_MAP, live_map,                                                                        \
          "memory of the program gets an address of the GPU's; lost: its page tables never hear "    \
          "of it",                                                                                   \
          map_index, address, size_bytes, aperture, lost)                                            \
    EVENT(LIVE_CALL, live_call,                                                                      \
          "a call of the program for a queue has returned (0, or an errno), or another has failed",  \
          call, queue_index, errno_code, call_ps)                                                    \
    EVENT(LIVE_FAULT, live_fault,                                                                    \
          "an injected fault has acted, so many times by now (0: it changed nothing, it was so "     \
          "already)",                                                                                \
          fault_index, acted_count, subject, old_value, new_value)                                   \
    EVENT(LIVE_EXCEPTION, live_exception,                                                            \
          "the program is told of an exception (8 memory, 3 hardware) by so many of its events",     \
          type, event_count, address)                                                                \
    EVENT(LIVE_END, live_end,                                                                        \
          "the program has ended while work was under way: what follows is what the GPU would do "   \
          "by itself, until it rests",                                                               \
          next_ps)
/* clang-format on */

enum { EVENT_LIVE_FIRST_ = TABLE_LIVE - 1, LIVE_EVENTS(EVENT_ID) };
LIVE_EVENTS(EVENT_STRUCT)

extern const struct table_set live_tables;

#endif
