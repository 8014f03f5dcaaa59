/* SPDX-License-Identifier: MIT */
/* The option --gpu: the name of a built-in GPU, or a file.  Private to cmd_*.c. */
#ifndef GFE_EMU_PROGRAM_CMD_GPU_H
#define GFE_EMU_PROGRAM_CMD_GPU_H

#include <stdbool.h>

#include "emu/sim/gpu_file.h"

struct args;

/* Owns the GPU of a file. */
struct cmd_gpu {
    const char *name;            /* of the GPU, as the user gave it or as its file has it */
    const struct gpu *described; /* NULL: a built-in GPU, or no GPU, is called so */
    struct gpu_file *file;
};
/* What a command declares such a variable with, so that it is freed wherever the command returns.
 */
#define CMD_GPU_OWNED __attribute__((cleanup(cmd_gpu_fini)))

/* Takes the last option's argument.  A name is looked up later; a file is read here.  Returns
 * false, after a message, if the file is wrong: return args->status. */
bool cmd_gpu_take(struct args *args, struct cmd_gpu *to);
/* Reads the GPU of the log's head; leaves `to` empty if it is a built-in one.  Returns false with a
 * message if the description is wrong. */
bool cmd_gpu_of_log(const struct event_log_reader *log, struct cmd_gpu *to,
                    struct gfe_error *error);
/* Writes the limits of blocks on the log's GPU; *known is false, and the limits are as they were,
 * if no GPU here is called so.  Returns false with a message if the head's description is wrong. */
bool cmd_gpu_limits(const struct event_log_reader *log, struct check_limits *limits, bool *known,
                    struct gfe_error *error);
void cmd_gpu_fini(struct cmd_gpu *of);

#endif
