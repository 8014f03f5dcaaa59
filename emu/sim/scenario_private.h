/* SPDX-License-Identifier: MIT */
/* A scenario that is being made.  Private to scenario.c, scenario_examiner.c, scenario_json.c. */
#ifndef GFE_EMU_SIM_SCENARIO_PRIVATE_H
#define GFE_EMU_SIM_SCENARIO_PRIVATE_H

#include <jansson.h>

#include "emu/sim/scenario.h"
#include "traces/config/examiner_config.h"

struct scenario_build {
    struct scenario *scenario;
    const struct scenario_options *options;
    const char *path; /* of the file, for messages */
    struct gfe_error *error;
    uint32_t stream_capacity, kernel_capacity, call_capacity, task_capacity;
    uint32_t process;       /* the process that new parts belong to */
    uint32_t null_stream;   /* the process's NULL stream; UINT32_MAX: none yet */
    uint32_t thread_stream; /* the default stream of the last task's thread; UINT32_MAX: none */
    json_t *json, *tasks, *names; /* for the head: all, its tasks, and each call's kernel name */
    json_t *stream_names;         /* names of the streams that have one, by number */
};

/* Add a part, all zeros.  Return NULL with a message if memory is short, or if there are too many.
 */
struct cuda_stream *scenario_add_stream(struct scenario_build *build);
struct cuda_kernel *scenario_add_kernel(struct scenario_build *build, const char *name);
struct cuda_call *scenario_add_call(struct scenario_build *build, enum cuda_call_kind kind,
                                    enum cuda_phase phase, uint32_t stream);
struct cuda_task *scenario_add_task(struct scenario_build *build, const char *name);
/* Finds the default stream, and makes it on the first call.  It is the process's NULL stream, or
 * the default stream of the host thread of the task that was added last. */
bool scenario_default_stream(struct scenario_build *build, enum scenario_default_stream which,
                             uint32_t *index);
/* Returns a text that says why no share of MPS is possible; NULL means that one is possible. */
const char *scenario_no_share(const struct scenario_build *build);
/* Sets the message that memory is short.  Returns false. */
bool scenario_no_memory(struct scenario_build *build);

/* Adds a name to scenario->assumed, if it is not there; a line to scenario->warnings. */
void scenario_assume(struct scenario_build *build, const char *name);
void scenario_warn(struct scenario_build *build, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Begins another process, which new streams belong to.  Returns false with a message if there are
 * too many. */
bool scenario_next_process(struct scenario_build *build);
/* Adds a task of a task set to the utilisation of the set. */
void scenario_note_set(struct scenario_build *build, gfe_ps cost_ps, gfe_ps period_ps,
                       uint32_t block_threads);

/* scenario_own.c: scenario_own_is() returns true if the text is one of gfe's own scenarios, and
 * scenario_add_own() adds all of it. */
bool scenario_own_is(const char *text, size_t bytes);
bool scenario_add_own(struct scenario_build *build, const char *text, size_t bytes);

/* scenario_examiner.c: adds all of a configuration. */
bool scenario_add_examiner(struct scenario_build *build, const struct examiner_config *config);

/* scenario_json.c: scenario_json_task() describes for the head the task that was added last, which
 * is a benchmark.  scenario_json_end() describes the program once all tasks are there. */
bool scenario_json_task(struct scenario_build *build, const struct examiner_config *config,
                        const struct examiner_benchmark *benchmark);
bool scenario_json_end(struct scenario_build *build);
/* Notes the program's name of a stream. */
bool scenario_json_stream(struct scenario_build *build, uint32_t stream, const char *name);
/* Like scenario_json_task(), for a task of one of gfe's own scenarios. */
bool scenario_json_own_task(struct scenario_build *build);

#endif
