/* SPDX-License-Identifier: MIT */
/*
 * The head of a run's log: the description of the run and of its machine that every kind of run
 * has, in one order, and the members that only some kinds have.  emu/log/event_log_head.h makes
 * JSON of it.
 */
#ifndef GFE_EMU_SIM_RUN_HEAD_H
#define GFE_EMU_SIM_RUN_HEAD_H

#include <stdbool.h>
#include <stdint.h>

struct gfe_error;
struct machine;

/* A string that is NULL is left out. */
struct run_head {
    const char *driver_model;
    const char *engine_cus; /* AMD: the CUs of each shader engine (amd_chip_engines()) */
    const char *trace_hash;
    const char *loop;        /* "open", "closed" or "live" */
    const char *completions; /* of a recording: by "hardware" or a "stand-in" */
    const char *processes;   /* of each thread of a recording, if there are several */
    const char *assumed; /* names of ASSUMED values that replace what the recording lacks; NULL if
                            it lacks nothing */
    const char *costs;   /* the given costs of kernels */
    const char *default_stream; /* "per-thread" if the caller asked for it; else NULL */
    const char *const *engines; /* by Host's number; NULL: no name for that number */
    const char *const *pokes;   /* in the order in which they were given */
    const char *program_json;   /* an object; NULL means that there is none */
    uint32_t engine_count, poke_count;
};

/* Writes the head of the machine's log.  Returns false with an error if memory is short or the log
 * cannot be written. */
bool run_head_write(struct machine *machine, const struct run_head *of, struct gfe_error *error);

#endif
