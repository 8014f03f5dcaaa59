/* SPDX-License-Identifier: MIT */
/*
 * A simulation of a recording of user-mode queues (layer RING, of ROCm's libraries) on an AMD GPU:
 * the recorded program, the kernel driver's and the firmware's models, and the GPU, wired into one
 * machine.
 */
#ifndef GFE_EMU_SIM_KFD_SIMULATION_H
#define GFE_EMU_SIM_KFD_SIMULATION_H

#include "emu/sim/kfd_replay.h"
#include "emu/sim/simulation.h"

struct kfd_simulation {
    struct simulation_base *base; /* the machine with GPU, driver and firmware */
    struct machine *machine;      /* of the base, as the node is */
    struct amd_node *node;
    const struct replay_input *input;
    const struct amd_chip *chip;
    struct inject *inject;
    struct kfd_replay *runtime;
    struct replay *replay;
};

/* Returns true if the recording is one of user-mode queues. */
bool kfd_simulation_is(const struct replay_input *input);
/* Wires a machine.  The input stays the caller's and must outlive it.  Pokes are not supported.
 * Returns NULL with a message on error. */
struct kfd_simulation *kfd_simulation_new(const struct replay_input *input,
                                          const struct simulation_options *options,
                                          struct gfe_error *error);
/* Runs the events before until_ps.  Once no event is left, logs the open waits.  Returns false with
 * a message if the run had to stop. */
bool kfd_simulation_run_until(struct kfd_simulation *simulation, gfe_ps until_ps,
                              struct gfe_error *error);
/* Write the head and the end of the event log through the machine's log. */
bool kfd_simulation_log_head(struct kfd_simulation *simulation, struct gfe_error *error);
bool kfd_simulation_log_end(struct kfd_simulation *simulation, struct gfe_error *error);
/* Runs the simulation to its end, with head and end of the log. */
bool kfd_simulation_run(struct kfd_simulation *simulation, struct gfe_error *error);
/* Writes the identity that its snapshots carry: version, trace, GPU, seed, loop, layout. */
void kfd_simulation_identity(const struct kfd_simulation *simulation,
                             struct snapshot_identity *identity);
void kfd_simulation_free(struct kfd_simulation *simulation);

#endif
