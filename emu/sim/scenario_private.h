/* SPDX-License-Identifier: MIT */
/* A scenario that is being made.  Private to scenario.c, scenario_examiner.c, scenario_json.c. */
#ifndef GFE_DEVICES_SCENARIO_PRIVATE_H
#define GFE_DEVICES_SCENARIO_PRIVATE_H

#include <jansson.h>

#include "emu/sim/scenario.h"
#include "traces/config/examiner_config.h"

struct scenario_build {
    struct scenario *scenario;
    const struct scenario_options *options;
    const char *path; /* of the file, for messages */
    struct gfe_error *error;
    uint32_t stream_capacity, kernel_capacity, call_capacity, task_capacity;
    uint32_t process;             /* that what is added belongs to */
    uint32_t null_stream;         /* of it; UINT32_MAX: none yet */
    uint32_t thread_stream;       /* the default stream of the last task's thread; likewise */
    json_t *json, *tasks, *names; /* the head's: all, its tasks, and of each call a kernel's name */
    json_t *stream_names;         /* of those that have one, by number */
};

/* Adds one more, all zeros; NULL with a message: memory is short, or there are too many. */
struct cuda_stream *scenario_add_stream(struct scenario_build *build);
struct cuda_kernel *scenario_add_kernel(struct scenario_build *build, const char *name);
struct cuda_call *scenario_add_call(struct scenario_build *build, enum cuda_call_kind kind,
                                    enum cuda_phase phase, uint32_t stream);
struct cuda_task *scenario_add_task(struct scenario_build *build, const char *name);
/* The default stream, which is made when it is first asked for: the process's NULL stream, or that
 * of the host thread that is the task which was added last. */
bool scenario_default_stream(struct scenario_build *build, enum scenario_default_stream which,
                             uint32_t *index);
/* What is in the way of a share of MPS; NULL: nothing. */
const char *scenario_no_share(const struct scenario_build *build);
/* The message that memory is short; always false. */
bool scenario_no_memory(struct scenario_build *build);

/* From here on streams are of another process; false with a message: there are too many. */
bool scenario_next_process(struct scenario_build *build);
/* A task of a task set, for the utilisation of all. */
void scenario_note_set(struct scenario_build *build, gfe_ps cost_ps, gfe_ps period_ps,
                       uint32_t block_threads);

/* scenario_own.c: all of one of gfe's own scenarios; is it one? */
bool scenario_own_is(const char *text, size_t bytes);
bool scenario_add_own(struct scenario_build *build, const char *text, size_t bytes);

/* scenario_examiner.c: all of a configuration. */
bool scenario_add_examiner(struct scenario_build *build, const struct examiner_config *config);

/* scenario_json.c: what the head tells of the task that was added last, which is a benchmark; and
 * of the program when all are there. */
bool scenario_json_task(struct scenario_build *build, const struct examiner_config *config,
                        const struct examiner_benchmark *benchmark);
bool scenario_json_end(struct scenario_build *build);
/* What the program calls a stream. */
bool scenario_json_stream(struct scenario_build *build, uint32_t stream, const char *name);
/* The same of a task of one of gfe's own scenarios. */
bool scenario_json_own_task(struct scenario_build *build);

#endif
