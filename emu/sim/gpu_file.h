/* SPDX-License-Identifier: MIT */
/*
 * A GPU in a file (docs/gpu-files.md): JSON with what a built-in GPU has as a table, complete or as
 * differences from a built-in GPU.
 *
 *     {"gfe_gpu": 1, "inherits": "h100", "name": "h100-pcie", "sm_count": 114, ...}
 *
 * A value may stand in {"value": 114, "basis": "DOCUMENTED", "source": "..."}, which becomes a
 * figure of the GPU.  A file that says what a built-in GPU is, is that GPU.
 */
#ifndef GFE_EMU_SIM_GPU_FILE_H
#define GFE_EMU_SIM_GPU_FILE_H

#include "emu/sim/gpus.h"

struct event_log_reader;
struct gpu_file;
struct json_t;

/* Returns true if the word for a GPU is the path of a file: it has a slash, or ends in ".json". */
bool gpu_file_is(const char *word);
/* Reads a file, or the text of one; `name` is for messages.  Returns NULL with a message on error;
 * the message names the place in the JSON. */
struct gpu_file *gpu_file_load(const char *path, struct gfe_error *error);
struct gpu_file *gpu_file_parse(const char *text, size_t bytes, const char *name,
                                struct gfe_error *error);
/* Reads the description that the head of a log has (a head from event_log_head_take()).  Returns
 * NULL without a message if the log is of a built-in GPU; with one if the description is wrong. */
struct gpu_file *gpu_file_of_head(const struct json_t *head, const char *name,
                                  struct gfe_error *error);
/* Frees it, and the GPU.  NULL is ignored. */
void gpu_file_free(struct gpu_file *file);
/* Returns the GPU, which lives as long as the file: the built-in one if the file says the same. */
const struct gpu *gpu_file_gpu(const struct gpu_file *file);

/* Returns the complete description of a GPU, which the caller releases.  Returns NULL when memory
 * is short. */
struct json_t *gpu_file_describe(const struct gpu *gpu);
/* Returns the JSON schema of GPU files, which the caller releases, or NULL when memory is short. */
struct json_t *gpu_file_schema(void);

#endif
