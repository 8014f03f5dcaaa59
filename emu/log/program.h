/* SPDX-License-Identifier: MIT */
/*
 * The programs of a scenario, as the head of its log describes them (member "program", see
 * event_log_head.h): tasks, which are host threads, and the calls that each task makes once in an
 * iteration.  Events name both by number.
 *
 * Every task has a unique label; a task without a name is "task 3".  The label of a call names its
 * operations.  A kernel's label is its name, "K4".  If another task has a kernel of that name, the
 * task's label precedes it, "S1/K2".  If the task itself has the kernel's name, the task's label
 * stands alone; tasks of equal names are numbered, "K2 (1)".  Other calls have the task and their
 * kind: "S1/copy", "S1/memset", "S1/record", "S1/wait".  Calls of one task may share a label.  From
 * the second call on, numbers tell their operations apart, "S1/copy#2" (emu/analysis/streams.h).
 * Labels are printable ASCII: other bytes become '?'.
 *
 * Logs are not trusted: a malformed member is treated as absent.
 */
#ifndef GFE_EMU_LOG_PROGRAM_H
#define GFE_EMU_LOG_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/log/event_log.h"

enum { PROGRAM_STREAM_BYTES = 32, PROGRAM_TASK_BYTES = 48, PROGRAM_LABEL_BYTES = 96 };

#define PROGRAM_NONE UINT32_MAX

enum program_call_kind { PROGRAM_KERNEL, PROGRAM_COPY, PROGRAM_OTHER };
/* Phases of an iteration of a benchmark. */
enum program_phase { PROGRAM_COPY_IN, PROGRAM_EXECUTE, PROGRAM_COPY_OUT, PROGRAM_PHASES };

/* Strings belong to the head; they are NULL, and numbers are 0, if the head does not have them. */
struct program_task {
    const char *name, *benchmark, *text_label, *log_name, *scenario;
    int64_t release_ps;
    uint64_t process, data_bytes, thread_count, block_count;
    uint32_t first_call, call_count; /* of the program's calls: these calls are this task's alone */
    char label[PROGRAM_TASK_BYTES];
};

struct program_call {
    enum program_call_kind kind;
    enum program_phase phase;
    const char *kind_name, *name, *direction; /* "kernel", "copy", ...; "K4"; "to host" */
    uint64_t stream;
    uint64_t block_count, thread_count, shared_bytes; /* of a kernel; threads of a block */
    uint64_t byte_count;                              /* of a copy */
    uint32_t task;                                    /* PROGRAM_NONE if no task makes the call */
    uint32_t first_same;                              /* the first call with the same label */
    char label[PROGRAM_LABEL_BYTES];
};

struct program {
    json_t *head; /* the whole head, which owns the strings; shared with the log's reader */
    const char *name;
    const json_t *stream_names; /* by number; NULL if there are none */
    struct program_task *tasks;
    struct program_call *calls;
    uint32_t task_count, call_count; /* 0 if the log is not of a scenario */
};

/* Reads the log's head; a log without a program has no tasks and calls.  Returns false, with a
 * message and nothing to free, when memory is short. */
bool program_init(struct program *program, const struct event_log_reader *log,
                  struct gfe_error *error);
void program_fini(struct program *program);
/* Return the task or call of that number, as events have it, or NULL if there is none. */
const struct program_task *program_task(const struct program *program, uint64_t number);
const struct program_call *program_call(const struct program *program, uint64_t number);
/* Writes the program's name for a stream, in printable ASCII like labels.  Returns false if the
 * stream has no name. */
bool program_stream_name(const struct program *program, uint64_t stream_id,
                         char to[PROGRAM_STREAM_BYTES]);

#endif
