/* SPDX-License-Identifier: MIT */
/* Events, rules and figures of the bare-channel model. */
#ifndef GFE_FIRMWARE_MODELS_BARE_BARE_TABLES_H
#define GFE_FIRMWARE_MODELS_BARE_BARE_TABLES_H

#include "emu/log/event_struct.h"
#include "emu/log/rule.h"

/* clang-format off */
#define BARE_EVENTS(EVENT)                                                                           \
    EVENT(BARE_RUNLIST, bare_runlist, "a bare channel goes to a runlist",                            \
          channel_id, runlist_id)                                                                    \
    EVENT(BARE_CHANNEL_MADE, bare_channel_made, "a bare channel is made, at its first submission",        \
          channel_id, tsg_id, gpfifo_address, recorded_id)                                           \
    EVENT(BARE_GP_ENTRY, bare_gp_entry, "a recorded GP entry is written into the ring",              \
          channel_id, gp_sequence, gp_index, address, dword_count, submission_id)                    \
    EVENT(BARE_KICK, bare_kick, "GP_PUT is stored, and the doorbell rung",                           \
          channel_id, gp_put_index)                                                                  \
    EVENT(BARE_FETCHED, bare_fetched, "GP_GET is seen to have moved: entries fetched in all",        \
          channel_id, entry_count)

#define BARE_RULES(RULE)                                                                             \
    RULE(RULE_BARE_TSG, "BARE.TSG", ASSUMED, KERNEL_DRIVER, "gfe",                                     \
         "A channel of a capture is alone in a time-slice group, or outside groups up to Maxwell: the capture does not say.") \
    RULE(RULE_BARE_RUNLIST, "BARE.RUNLIST", ASSUMED, KERNEL_DRIVER, "gfe",                             \
         "A channel of a capture that has copy objects alone is on the first runlist of copies, every other on the graphics engine's.") \
    RULE(RULE_BARE_RING, "BARE.RING", ASSUMED, KERNEL_DRIVER, "gfe",                                   \
         "A submission waits until the ring has room for its entries: whose ring the capture had is not known.") \
    RULE(RULE_BARE_WAIT, "BARE.WAIT", ASSUMED, KERNEL_DRIVER, "gfe",                                   \
         "A wait for a channel ends when Host has fetched all of its entries (GP_GET): what the program looked at is not known.")

#define BARE_PARAMETERS(PARAMETER)                                                                   \
    PARAMETER(PARAM_BARE_TIMESLICE_UNITS, "bare.timeslice_units", "units", 1024, ASSUMED, "gfe; what open-gpu-kernel-modules gives a new TSG", \
              "Timeslice of a channel's TSG, in units of 1,024 ns.")                                   \
    PARAMETER(PARAM_BARE_RING_ENTRIES, "bare.ring_entries", "entries", 1024, ASSUMED, "gfe",           \
              "GP entries of a channel's ring: a power of two, 2 to 4096.")
/* clang-format on */

enum { EVENT_BARE_FIRST_ = TABLE_BARE - 1, BARE_EVENTS(EVENT_ID) };
BARE_EVENTS(EVENT_STRUCT)
enum { RULE_BARE_FIRST_ = TABLE_BARE - 1, BARE_RULES(RULE_ID) };
enum { PARAM_BARE_FIRST_ = TABLE_BARE - 1, BARE_PARAMETERS(PARAMETER_ID) };

extern const struct table_set bare_tables;

#endif
