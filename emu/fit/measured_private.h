/* SPDX-License-Identifier: MIT */
/* Functions that the readers of measurements share.  Private to measured*.c. */
#ifndef GFE_EMU_FIT_MEASURED_PRIVATE_H
#define GFE_EMU_FIT_MEASURED_PRIVATE_H

#include <jansson.h>

#include "emu/fit/measured.h"
#include "traces/config/examiner_config_spot.h"

/* ---- measured_file.c ------------------------------------------------------------------------- */

/* Reads a file, unpacks it if it is of gzip, and returns its text, which the caller frees.  Returns
 * NULL with a message. */
char *fit_file_text(const char *path, size_t *bytes, struct gfe_error *error);

/* ---- measured_member.c ----------------------------------------------------------------------- */

#define FIT_TIME_MAX (INT64_MAX / 4)
enum { FIT_SMS_MAX = 4096, FIT_SMALL_THREADS = 32 /* of kernels whose lines do not say it */ };

/* Sets the error that memory is short.  Returns false. */
bool fit_no_memory(const struct spot *spot);
/* Returns zeroed memory, or NULL with a message. */
void *fit_room(const struct spot *spot, size_t count, size_t bytes);
/* Reads a number.  Returns false with a message if it is missing or out of bounds. */
bool fit_number(const struct spot *object, const char *key, int64_t lowest, int64_t highest,
                const char *what, int64_t *value);
/* Reads a number that may be missing; the value stays as it is then. */
bool fit_may_number(const struct spot *object, const char *key, int64_t lowest, int64_t highest,
                    const char *what, int64_t *value);
/* Reads a string into a copy, which the caller frees. */
bool fit_string(const struct spot *object, const char *key, char **copy);
/* Appends a space and a string to a name. */
bool fit_name_append(const struct spot *spot, char **name);
/* Reads a time of an array, in ns from `base` on. */
bool fit_time_of(const struct spot *array, size_t index, int64_t base, double *ns);
/* Reads an array [begin, end, ...] of `size` numbers. */
bool fit_span_of(const struct spot *array, size_t size, int64_t base, struct fit_span *span);
/* Reads what a kernel needs; members that are missing leave what is there. */
bool fit_shape_read(const struct spot *object, struct fit_operation *operation);
bool fit_way_of(const struct spot *spot, enum fit_way *way);
/* Sets *number to that of the stream which the object names; adds the stream if it is new. */
bool fit_stream_of(const struct spot *object, struct fit_part *part, uint32_t *number);
/* Gives the part one stream: the program's NULL stream. */
bool fit_stream_null(const struct spot *line, struct fit_part *part);
/* Gives the part `count` streams of its own. */
bool fit_streams_own(const struct spot *line, struct fit_part *part, uint32_t count);
/* Gives the part `count` operations, each called for once, with a span each and a name such as
 * "kernel 1". */
bool fit_operations_own(const struct spot *line, struct fit_part *part, uint32_t count,
                        const char *what);

/* ---- measured_line.c ------------------------------------------------------------------------- */

/* Returns true if the line has one of the forms that are read. */
bool fit_line_is_known(const json_t *line);
/* Reads a line into a part that is zeroed, with its times counted from `base`.  Returns false with
 * a message. */
bool fit_line_read(const struct spot *line, int64_t base, struct fit_part *part);
/* Returns the first time of a line whose times count from no beginning of the experiment, or
 * INT64_MAX. */
int64_t fit_line_first(const json_t *line);
/* Returns what tells the experiment of a line from others of its name, which the caller frees, or
 * NULL. */
char *fit_line_detail(const json_t *line);
void fit_part_free(struct fit_part *part);

/* ---- measured_process.c ---------------------------------------------------------------------- */

/* Returns true for a process with one call again and again. */
bool fit_process_is(const json_t *line);
/* Reads a part with one operation in one stream, by the members that its line has. */
bool fit_process_read(const struct spot *line, int64_t base, struct fit_part *part);

/* ---- measured_round.c: slice_times.cu -------------------------------------------------------- */

/* Returns true for a round of a process. */
bool fit_round_is(const json_t *line);
/* Returns true for a round in which the process does nothing. */
bool fit_round_is_idle(const json_t *line);
/* Returns true for a round in which a stream waits for a value. */
bool fit_round_is_wait(const json_t *line);
/* Returns true if the round's work is one that is read. */
bool fit_round_is_known(const json_t *line);
/* Reads what the round's word says and its members do not. */
bool fit_round_read(const struct spot *line, struct fit_part *part);

/* ---- measured_kernels.c: launch_times.cu and sm_order.cu ------------------------------------- */

/* Returns true for kernels of one stream, as lists of their starts and ends. */
bool fit_chain_is(const json_t *line);
bool fit_chain_read(const struct spot *line, struct fit_part *part);
/* Returns true for a kernel, or two, with the SM of each block. */
bool fit_placed_is(const json_t *line);
bool fit_placed_read(const struct spot *line, struct fit_part *part);

/* ---- measured_copies.c: copy_times.cu -------------------------------------------------------- */

/* Returns true for one copy again and again, each waited for. */
bool fit_repeat_is(const json_t *line);
bool fit_repeat_read(const struct spot *line, struct fit_part *part);
/* Returns true for copies that all begin when a kernel ends. */
bool fit_race_is(const json_t *line);
bool fit_race_read(const struct spot *line, struct fit_part *part);
/* Adds another run of the same copies.  Returns false with a message. */
bool fit_race_again(const struct spot *line, struct fit_part *part);
/* Returns true for a copy beside a kernel. */
bool fit_beside_is(const json_t *line);
bool fit_beside_read(const struct spot *line, struct fit_part *part);

/* ---- measured_examiner.c --------------------------------------------------------------------- */

struct examiner_result;
/* Returns true if the text is a result file of cuda_scheduling_examiner. */
bool fit_result_is(const char *text, size_t bytes);
/* Adds a benchmark to the experiment of its scenario.  Returns false with a message. */
bool fit_result_add(const struct spot *file, const struct examiner_result *read,
                    struct fit_experiment *experiment);
/* Completes an experiment when all its benchmarks have been added.  Returns false when memory is
 * short. */
bool fit_result_finish(struct fit_experiment *experiment);

/* ---- measured_supplement.c ------------------------------------------------------------------- */

/* Adds to an experiment what a supplement says.  Returns false with a message. */
bool fit_supplement_apply(const struct spot *supplement, struct fit_experiment *experiment);

#endif
