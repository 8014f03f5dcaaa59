/* SPDX-License-Identifier: MIT */
/*
 * A measured experiment (measured.h), made again on an emulated GPU: as a scenario
 * (docs/scenario.schema.json), whose log says what happened.
 *
 * An experiment of one process is made behind a kernel of one block, as
 * tests/hardware/block_times.cu launches one first, and, if it is not the first of its program,
 * behind one more with a block for each SM: on some GPUs the order of SMs depends on the kernels
 * before.  Which SM's turn it is when the experiment begins is then still open, since the file has
 * not all that ran before; see struct fit_begin.
 *
 * What the program asked for is what its lines say, and when it asked as well, as far as they say
 * it: a call gives its operation to the GPU at its end, which is when the next call was made,
 * unless that was more than FIT_PAUSE_NS later.  Calls of which no time is known are made one after
 * the other, however long the emulated calls take.  Processes begin together, 20 us one behind the
 * other, in the order in which the real ones came to the GPU, as far as their times tell.
 */
#ifndef GFE_EMU_FIT_EXPERIMENT_H
#define GFE_EMU_FIT_EXPERIMENT_H

#include "devices/nvidia/nv_chip.h"
#include "emu/fit/measured.h"
#include "emu/sim/simulation.h"

#define FIT_PAUSE_NS 100e3
#define FIT_CALL_NS                                                                                \
    100. /* what a call takes whose time is known (cuda.call_ps); the rest is slept */

enum { FIT_EVENTS_MAX = 50000000 }; /* of a run: one that goes on longer is an error */

/* A state in which an experiment may find the order of SMs: whose turn it is
 * (core.turns_group), and which half of the singletons is first (core.turns_singletons). */
struct fit_begin {
    uint32_t group, singletons;
};

/* Returns the number of such states that a chip can be in: 1 if it gives out blocks without turns.
 */
uint32_t fit_begin_count(const struct nv_chip *model);
struct fit_begin fit_begin_of(uint32_t number);

/* Returns the experiment as a scenario's text, which the caller frees.  Returns NULL when memory is
 * short. */
char *fit_experiment_scenario(const struct fit_experiment *experiment, const struct nv_chip *model);
/* Returns true if the file says when the calls were made. */
bool fit_experiment_is_timed(const struct fit_experiment *experiment);
/* Returns true if all copies of the part wait for the event behind one kernel. */
bool fit_part_races(const struct fit_part *part);
/* Returns the number of launches that the scenario makes before those of the experiment. */
uint32_t fit_experiment_prelude(const struct fit_experiment *experiment);

/* An experiment that has been made. */
struct fit_made {
    uint32_t experiment, experiment_count; /* its number, from 1 */
    uint32_t run;                          /* of a fit, all experiments are made in each; 0: none */
    double
        error; /* of a fit: the root of the mean square after the last round; -1: not known yet */
};

struct fit_machine {
    const struct nv_chip *model;
    const struct gpu *described; /* the GPU, if a file describes it; else NULL */
    const struct simulation_setting *parameters, *choices; /* of the caller, beside the file's */
    uint32_t parameter_count, choice_count;
    uint64_t seed;
    /* Called after each experiment; may be NULL. */
    void (*made)(void *context, const struct fit_made *made);
    void *made_context;
};

/* Calls machine->made, if there is one. */
static inline void fit_machine_made(const struct fit_machine *machine, const struct fit_made *made)
{
    if (machine->made)
        machine->made(machine->made_context, made);
}

/* Sets *value to what a parameter is on the machine, with its settings.  Returns false with a
 * message if no parameter is called so. */
bool fit_parameter_value(const struct fit_machine *machine, const char *id, uint64_t *value,
                         struct gfe_error *error);
/* Makes the experiment, and sets what each operation's `emulated` is.  Returns false with a message
 * that names the experiment. */
bool fit_experiment_run(struct fit_experiment *experiment, const struct fit_machine *machine,
                        struct fit_begin begin, struct gfe_error *error);
/* Makes the experiment from each state that it may begin in, until all first blocks are on the
 * measured SM, and keeps the run with the most of them there. */
bool fit_experiment_make(struct fit_experiment *experiment, const struct fit_machine *machine,
                         struct gfe_error *error);

#endif
