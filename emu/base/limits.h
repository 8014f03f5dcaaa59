/* SPDX-License-Identifier: MIT */
/*
 * Bounds on what a file may demand, wherever the file comes from.
 *
 * They limit how much a file may unpack to.  They also limit how much guest memory and simulated
 * time, and how many events, its replay may take.  The defaults are beyond what recordings of
 * programs need.  Each message names the option that raises its bound.  The options mean the same
 * in every command.
 */
#ifndef GFE_EMU_BASE_LIMITS_H
#define GFE_EMU_BASE_LIMITS_H

#include "emu/base/args.h"
#include "emu/base/input.h"

struct limits {
    uint64_t events;          /* of a run; 0 means any number */
    gfe_ps time_ps;           /* simulated; 0 means as long as gfe_ps can count */
    uint64_t memory_bytes;    /* guest memory that was written to */
    uint64_t expansion_bytes; /* a file's unpacked data, with what its references stand for */
    uint64_t input_bytes;     /* of a text or another recorder's file; 0 means the reader's own */
};

#define LIMITS_DEFAULT                                                                             \
    {                                                                                              \
        .events = UINT64_C(1000000000), .time_ps = 30 * 24 * 3600 * GFE_PS_PER_S,                  \
        .memory_bytes = UINT64_C(8) << 30, .expansion_bytes = UINT64_C(64) << 30, .input_bytes = 0 \
    }

/* Numbers of the options, beyond the commands' own. */
enum { LIMITS_EVENTS = 1000, LIMITS_TIME, LIMITS_MEMORY, LIMITS_EXPANSION, LIMITS_INPUT };

/* Rows for a command's list of options. */
#define LIMITS_OPTION_EVENTS                                                                       \
    {                                                                                              \
        LIMITS_EVENTS, "max-events", "N",                                                          \
            "stop with an error before more events (default 1000000000;\n0: any number)"           \
    }
#define LIMITS_OPTION_TIME                                                                         \
    {                                                                                              \
        LIMITS_TIME, "max-time", "TIME",                                                           \
            "stop with an error when simulated time passes TIME, such as\n2.5s (default "          \
            "2592000s, 30 "                                                                        \
            "days; 0: as long as it can be)"                                                       \
    }
#define LIMITS_OPTION_MEMORY                                                                       \
    {                                                                                              \
        LIMITS_MEMORY, "max-memory", "SIZE",                                                       \
            "stop with an error when the GPU's memory takes more than\nSIZE, such as 512M "        \
            "(default 8G)"                                                                         \
    }
#define LIMITS_OPTION_EXPANSION                                                                    \
    {                                                                                              \
        LIMITS_EXPANSION, "max-expansion", "SIZE",                                                 \
            "stop with an error when the file unpacks to more than SIZE\n(default 64G)"            \
    }
#define LIMITS_OPTION_INPUT(usual)                                                                 \
    {                                                                                              \
        LIMITS_INPUT, "max-input", "SIZE",                                                         \
            "stop with an error when a file is larger than SIZE\n(default " usual ")"              \
    }

/* Returns the bound of a reader: the option's, or `usual` if it was not given. */
static inline struct input_bound limits_input(const struct limits *limits, uint64_t usual)
{
    return (struct input_bound){limits->input_bytes > 0 ? limits->input_bytes : usual,
                                "--max-input"};
}
/* Returns true if `option` is one of these. */
static inline bool limits_is(int option)
{
    return option >= LIMITS_EVENTS && option <= LIMITS_INPUT;
}
/* Takes the argument of such an option.  Returns false after a message. */
bool limits_take(struct args *args, int option, struct limits *limits);

#endif
