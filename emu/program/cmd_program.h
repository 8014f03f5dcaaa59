/* SPDX-License-Identifier: MIT */
/*
 * The program that a command is to run: a recording, CUDA programs for an NVIDIA GPU, or a
 * configuration of hip_plugin_framework for an AMD GPU, by what the files are and which GPU is
 * named.  Private to cmd_*.c.
 */
#ifndef GFE_EMU_CMD_PROGRAM_H
#define GFE_EMU_CMD_PROGRAM_H

#include "emu/sim/any_simulation.h"

struct cmd_program {
    struct any_program program;
    struct replay_input *input; /* of the program; the others are NULL then */
    struct scenario *scenario;
};

/* Loads it.  options->gpu is set where none was named and the files do not say one.  The paths and
 * costs stay the caller's and must outlive the program.  False with a message; cmd_program_fini()
 * in any case. */
bool cmd_program_load(struct cmd_program *program, const char *const *paths, uint32_t path_count,
                      struct simulation_options *options, const struct scenario_cost *costs,
                      uint32_t cost_count, uint64_t expansion_bytes, struct gfe_error *error);
void cmd_program_fini(struct cmd_program *program);

#endif
