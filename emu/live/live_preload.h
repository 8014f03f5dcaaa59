/* SPDX-License-Identifier: MIT */
/*
 * Joins the stand-in for a kernel driver with the emulation, in the process of the program: the
 * part of libgfe-live that libgfe-record lacks (live_preload_kfd.c, live_preload_nouveau.c).
 *
 * The recording's directory holds a file "live" of lines: "seed N", "fault TEXT", "param ID=N",
 * "policy ID=NAME".  The log of each process is written there, as live-PID.gfl.  If the emulation
 * has to stop, the process is killed, because its waits would never end.
 */
#ifndef GFE_EMU_LIVE_LIVE_PRELOAD_H
#define GFE_EMU_LIVE_LIVE_PRELOAD_H

#include <limits.h>

#include "emu/sim/simulation.h"
#include "traces/record/record_own_fd.h"

enum { LIVE_LINES_MAX = 64, LIVE_FLUSH_EVENTS = 4096 };

/* The orders for the emulation of a process, and its log. */
struct live_orders {
    struct machine *machine; /* the emulation's */
    struct chunk_writer *writer;
    struct record_own_fd log;
    char log_path[PATH_MAX];
    char *text; /* of the file; the texts below point into it */
    const char *faults[LIVE_LINES_MAX];
    struct simulation_setting parameters[LIVE_LINES_MAX], choices[LIVE_LINES_MAX];
    struct simulation_options options;
    uint32_t fault_count;
    uint64_t flushed_events;
};

/* Reads the orders.  Returns false if the recording's directory has no such file, or with a message
 * on error. */
bool live_orders_read(struct live_orders *orders, const char *directory, struct gfe_error *error);
/* Makes the log's file and its writer, and sets the writer in the options.  Returns false with a
 * message on error. */
bool live_orders_log(struct live_orders *orders, const char *directory, struct gfe_error *error);
/* Checks the log's descriptor, which the program may have closed by its number.  Call it before any
 * work that logs. */
void live_orders_check(struct live_orders *orders);
/* Write the logged events into the file; the second only if more than LIVE_FLUSH_EVENTS are
 * waiting. */
void live_orders_flush(struct live_orders *orders);
void live_orders_flush_many(struct live_orders *orders);
_Noreturn void live_give_up(const char *text);

static inline gfe_ps live_ps(uint64_t ns)
{
    return clock_times(ns, GFE_PS_PER_NS);
}

static inline uint64_t live_ns(gfe_ps time_ps)
{
    return time_ps == GFE_PS_NEVER ? UINT64_MAX : time_ps / GFE_PS_PER_NS;
}

#endif
