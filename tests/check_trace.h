/* SPDX-License-Identifier: MIT */
/*
 * Small traces of a program on nouveau, written by the test, and simulations of them.  The program
 * has one address space, buffers at CHECK_TRACE_VA + 64 KiB * handle, and channels with numbers
 * from 0 on.  Uses Check: a failure fails the running test.
 */
#ifndef TESTS_CHECK_TRACE_H
#define TESTS_CHECK_TRACE_H

#include "emu/sim/simulation.h"
#include "tests/check_machine.h"
#include "tests/trace_samples.h"
#include "traces/format/trace.h"

#define CHECK_TRACE_VA             UINT64_C(0x100000000)
#define CHECK_TRACE_BUFFER(handle) (CHECK_TRACE_VA + UINT64_C(0x10000) * (handle))
enum { CHECK_TRACE_BUFFER_BYTES = 0x10000 };

struct check_trace {
    struct memory_file file;
    struct trace_writer *writer;
    uint64_t time_ns;   /* of the next records */
    uint32_t thread_id; /* of the next records */
    uint32_t submission_count;
};

/* Begin a trace of a GTX 1060, or of another GPU, with META, CLIENT and AS_CREATE. */
void check_trace_begin(struct check_trace *trace);
void check_trace_begin_on(struct check_trace *trace, const char *gpu);
void check_trace_put(struct check_trace *trace, struct trace_record record);
void check_trace_map(struct check_trace *trace, uint32_t handle);
void check_trace_unmap(struct check_trace *trace, uint32_t handle);
void check_trace_channel(struct check_trace *trace, uint32_t channel_id);
void check_trace_channel_end(struct check_trace *trace, uint32_t channel_id);
/* Stores dwords at the start of a buffer and submits them in `push_count` pushes. */
void check_trace_submit(struct check_trace *trace, uint32_t channel_id, uint32_t handle,
                        const uint32_t *dwords, uint32_t count, uint32_t push_count);
#define CHECK_TRACE_SUBMIT(trace, channel, handle, ...)                                            \
    check_trace_submit((trace), (channel), (handle), (const uint32_t[]){__VA_ARGS__},              \
                       sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t), 1)
void check_trace_wait(struct check_trace *trace, uint32_t channel_id, uint32_t submission_id,
                      enum trace_wait_how how);
/* Ends the trace with END, frees its file, and returns the loaded trace. */
struct replay_input *check_trace_end(struct check_trace *trace);
/* Like check_trace_end(), but keeps trace->file, which the caller frees. */
struct replay_input *check_trace_end_keep(struct check_trace *trace);

/* A simulation with its decoded log. */
struct check_simulation {
    struct simulation *simulation;
    struct log_event *events;
    uint32_t event_count;
    char log_hash[65];
};
/* Makes a simulation of a trace.  If `options` is NULL, the defaults apply. */
struct simulation *check_simulation_new(const struct replay_input *input,
                                        const struct simulation_options *options);
/* Wires a simulation and runs it to its end. */
void check_simulation_run(struct check_simulation *check, const struct replay_input *input,
                          const struct simulation_options *options);
/* Runs a wired simulation to its end.  Returns false with `error` set if the run fails. */
bool check_simulation_finish(struct check_simulation *check, struct simulation *simulation,
                             struct gfe_error *error);
void check_simulation_end(struct check_simulation *check);
uint32_t check_simulation_count(const struct check_simulation *check, uint32_t kind, uint32_t rule);
/* As a rule: any rule. */
enum { CHECK_ANY_RULE = UINT16_MAX };
const struct log_event *check_simulation_event(const struct check_simulation *check, uint32_t kind,
                                               uint32_t n);

#endif
