/* SPDX-License-Identifier: MIT */
/*
 * A simulation on an NVIDIA GPU.  It wires a recorded program, the driver model that its trace
 * names, and a GPU into one machine.  For a scenario it wires the scenario's programs, the models
 * of the CUDA runtime and of the resource manager, and a GPU.  Only here replay, firmware models
 * and devices meet.
 */
#ifndef GFE_EMU_SIM_SIMULATION_H
#define GFE_EMU_SIM_SIMULATION_H

#include "devices/nvidia/nv_chip.h"
#include "emu/replay/replay.h"
#include "emu/sim/simulation_base.h"
#include "emu/engine/snapshot.h"

struct cuda;
struct gpu;
struct inject;
struct pokes;
struct scenario;

struct simulation_setting {
    const char *id, *value; /* a parameter's number or a choice point's alternative */
};

struct simulation_options {
    const char *gpu; /* NULL: the GPU that the trace names */
    const struct gpu
        *described; /* the GPU, if a file describes it (emu/sim/gpu_file.h); else NULL */
    uint64_t seed;
    uint32_t batch_limit;
    uint64_t max_events;       /* 0 = any number */
    uint64_t lost_event;       /* the event that is lost on its way, from 1; 0 = none */
    gfe_ps max_time_ps;        /* 0 = any time that can be counted */
    uint64_t max_memory_bytes; /* 0 = the machine's default */
    bool open_loop;
    struct chunk_writer *log; /* NULL: kept in memory */
    const struct simulation_setting *parameters, *choices;
    uint32_t parameter_count, choice_count;
    const char *const *pokes; /* emu/engine/poke.h */
    uint32_t poke_count;
    bool injects; /* faults can be injected (emu/faults/inject.h) */
    /* takes its machine from here, and gives it back (emu/sim/simulation_base.h); NULL: the run
     * wires a machine of its own */
    struct simulation_pool *pool;
};

struct simulation {
    struct simulation_base *base; /* the machine with GPU and driver, whose parts stand here too */
    struct machine *machine;
    const struct nv_chip *model;
    void *gpu;
    struct nouveau *nouveau;
    struct bare *bare;     /* of a capture of another driver's stream; else NULL */
    struct rm *rm;         /* at layer BUS with choice rm.recovery, of a scenario, with `bare` */
    struct cuda *cuda;     /* of a scenario; else NULL */
    struct replay *replay; /* of a recording; else NULL, like its input */
    const struct replay_input *input;
    const struct scenario *scenario;
    const char *name;              /* of the program, for messages */
    struct pokes *pokes;           /* NULL: none */
    struct inject *inject;         /* NULL: no faults can be injected */
    const char *const *poke_texts; /* the options', in their order */
    uint32_t poke_count;
    char durations[512]; /* of a scenario with ASSUMED times: machine->duration_sources; or "" */
};

/* Sets the options' parameters and choices of a machine that is being wired.  Returns false with a
 * message on error. */
bool simulation_set(struct machine *machine, const struct simulation_options *options,
                    struct gfe_error *error);
/* Wires a machine.  The input and the pokes' texts stay the caller's and must outlive it.  Returns
 * NULL with a message on error. */
struct simulation *simulation_new(const struct replay_input *input,
                                  const struct simulation_options *options,
                                  struct gfe_error *error);
/* Wires a machine for a scenario, which stays the caller's and must outlive it.  options->gpu names
 * the GPU.  Returns NULL with a message on error. */
struct simulation *simulation_new_scenario(const struct scenario *scenario,
                                           const struct simulation_options *options,
                                           struct gfe_error *error);
/* Runs the events before until_ps.  Once no event is left, looks the completion values up and logs
 * the open waits.  Returns false with a message if the run had to stop. */
bool simulation_run(struct simulation *simulation, gfe_ps until_ps, struct gfe_error *error);
/* Returns true if no event is left and the end is logged. */
bool simulation_ended(const struct simulation *simulation);
/* Writes the head of the event log through the machine's log; simulation_log_end() writes the end.
 * `trace_hash` identifies the trace or the scenario; "-" means that it is not known. */
bool simulation_log_head(struct simulation *simulation, const char *trace_hash,
                         struct gfe_error *error);
/* Notes the path of the trace in its log, as it was given; for a pipe it notes nothing. */
bool simulation_note_trace(struct event_log *log, const char *path, struct gfe_error *error);
bool simulation_log_end(struct simulation *simulation, struct gfe_error *error);
/* Writes the identity that its snapshots carry: trace, GPU, seed, loop, version, layout. */
void simulation_identity(const struct simulation *simulation, const char *trace_hash,
                         struct snapshot_identity *identity);
void simulation_free(struct simulation *simulation);
/* Returns true if a recording runs in bare channels, without a model of a driver: another driver's
 * than nouveau's, or a capture for a chip that nouveau's model does not know. */
bool simulation_is_bare(const struct replay_input *input, const struct nv_chip *model);
/* Returns the GPU that a simulation would use, or NULL with a message. */
const struct nv_chip *simulation_model(const struct replay_input *input, const char *name,
                                       const struct gpu *described, struct gfe_error *error);

#endif
