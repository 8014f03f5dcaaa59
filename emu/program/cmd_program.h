/* SPDX-License-Identifier: MIT */
/*
 * The program that a command is to run: a recording, CUDA programs for an NVIDIA GPU, or a
 * configuration of hip_plugin_framework for an AMD GPU.  The contents of the files and the name of
 * the GPU decide.  Private to cmd_*.c.
 */
#ifndef GFE_EMU_PROGRAM_CMD_PROGRAM_H
#define GFE_EMU_PROGRAM_CMD_PROGRAM_H

#include "emu/sim/any_simulation.h"

struct cmd_program {
    struct any_program program;
    struct replay_input *input; /* of a recording; `scenario` is NULL then */
    struct scenario *scenario;
};

/* Loads the program.  Sets options->gpu if neither the user nor the files name a GPU.  The paths
 * and costs stay the caller's and must outlive the program.  Returns false with a message on error.
 * Call cmd_program_fini() in any case. */
bool cmd_program_load(struct cmd_program *program, const char *const *paths, uint32_t path_count,
                      struct simulation_options *options, const struct scenario_cost *costs,
                      uint32_t cost_count, uint64_t expansion_bytes, struct gfe_error *error);
void cmd_program_fini(struct cmd_program *program);

#endif
