/* SPDX-License-Identifier: MIT */
/*
 * The programs of a scenario, as the head of its log tells them (member "program", see
 * event_log_head.h): tasks, which are host threads, and the calls that each of them makes once an
 * iteration.  Events name both by number.
 *
 * Every task has a label that no other one has, "task 3" where it has no name.  A call's label is
 * what its operations are called: a kernel's name, "K4"; with its task's in front of it, "S1/K2",
 * when another task has a kernel of that name (and its task's alone, "K2 (1)", when both are called
 * the same); of other calls the task and what they are, "S1/copy", "S1/memset", "S1/record",
 * "S1/wait".  Calls of one task may share a label: from the second on their operations are told
 * apart by numbers, "S1/copy#2" (emu/analysis/streams.h).  Labels are printable ASCII: other bytes
 * become
 * '?'.
 *
 * Logs are not trusted: what is not as it should be is as if it were not there.
 */
#ifndef GFE_EMU_PROGRAM_H
#define GFE_EMU_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "emu/log/event_log.h"

enum { PROGRAM_STREAM_BYTES = 32, PROGRAM_TASK_BYTES = 48, PROGRAM_LABEL_BYTES = 96 };

#define PROGRAM_NONE UINT32_MAX

enum program_call_kind { PROGRAM_KERNEL, PROGRAM_COPY, PROGRAM_OTHER };
/* Of an iteration of a benchmark. */
enum program_phase { PROGRAM_COPY_IN, PROGRAM_EXECUTE, PROGRAM_COPY_OUT, PROGRAM_PHASES };

/* Strings are the head's, and NULL when it does not have them; numbers are 0 then. */
struct program_task {
    const char *name, *benchmark, *text_label, *log_name, *scenario;
    int64_t release_ps;
    uint64_t process, data_bytes, thread_count, block_count;
    uint32_t first_call, call_count; /* of the program's calls: there, and no other task's */
    char label[PROGRAM_TASK_BYTES];
};

struct program_call {
    enum program_call_kind kind;
    enum program_phase phase;
    const char *kind_name, *name, *direction; /* "kernel", "copy", ...; "K4"; "to host" */
    uint64_t stream;
    uint64_t block_count, thread_count, shared_bytes; /* of a kernel; threads of a block */
    uint64_t byte_count;                              /* of a copy */
    uint32_t task;                                    /* PROGRAM_NONE: nobody makes it */
    uint32_t first_same;                              /* the first call with the same label */
    char label[PROGRAM_LABEL_BYTES];
};

struct program {
    json_t *head; /* all of it, which the strings are in */
    const char *name;
    const json_t *stream_names; /* by number; NULL: none */
    struct program_task *tasks;
    struct program_call *calls;
    uint32_t task_count, call_count; /* 0: the log is of no scenario */
};

/* Reads the log's head; a log without a program has no tasks and calls.  False with a message:
 * memory is short, and there is nothing to free. */
bool program_init(struct program *program, const struct event_log_reader *log,
                  struct gfe_error *error);
void program_fini(struct program *program);
/* The task or call of that number, as events have it; NULL: there is none. */
const struct program_task *program_task(const struct program *program, uint64_t number);
const struct program_call *program_call(const struct program *program, uint64_t number);
/* What the program calls a stream; false: it has no name.  Printable ASCII, as labels are. */
bool program_stream_name(const struct program *program, uint64_t stream_id,
                         char to[PROGRAM_STREAM_BYTES]);

#endif
