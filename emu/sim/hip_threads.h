/* SPDX-License-Identifier: MIT */
/*
 * The host threads of a hip_plugin_framework configuration.  Each has a stream, launches its kernel
 * in it, waits until the kernel is complete, and launches it again.  The runtime
 * (firmware-models/hip/hip_runtime.h) turns a launch into packets; a process's threads share one
 * runtime.  All threads begin when all have their streams, as in the tool, whose plugins wait for
 * each other before the first iteration.  With sync_every_iteration they wait for each other before
 * each.
 *
 * The unit also has the cost of each kernel by the address of its descriptor, which is the only
 * identification of a kernel in a dispatch (hip_threads_cost()).
 *
 * Not modelled: the memory that kernels read and write, and so their effect on each other's memory;
 * threads that end their streams.
 */
#ifndef GFE_EMU_SIM_HIP_THREADS_H
#define GFE_EMU_SIM_HIP_THREADS_H

#include "emu/sim/amd_node.h"
#include "emu/engine/machine.h"
#include "firmware-models/hip/hip_runtime.h"
#include "traces/config/hip_config.h"

enum { HIP_SAMPLES_MAX = 1 << 16 }; /* response times kept for each plugin; later ones only count */

GFE_STATE_BEGIN
struct hip_thread {
    uint64_t kernel_address;
    uint64_t packet;   /* of its last launch */
    gfe_ps launch_ps;  /* when the last launch was made */
    uint32_t launched; /* iterations that have begun, and that are complete */
    uint32_t completed;
    uint32_t dispatched; /* dispatches of its kernel by the GPU */
    uint32_t stopped;    /* 1: it begins no further iteration */
    uint32_t stream, space_id;
    uint32_t waits;  /* 1: for the others, with sync_every_iteration */
    uint32_t missed; /* iterations that took longer than their deadline */
};

struct hip_threads_state {
    gfe_ps begin_ps;  /* when all had their streams */
    uint32_t going;   /* threads with a limit that have not reached it */
    uint32_t waiting; /* threads that wait for the others */
    struct hip_thread threads[HIP_PLUGINS_MAX];
};
GFE_STATE_END

struct hip_threads {
    struct machine *machine;
    struct amd_node *node;
    const struct hip_config *config;
    struct hip_runtime runtime;
    uint32_t unit;
    struct hip_threads_state *state;
    uint64_t
        block_ps[HIP_PLUGINS_MAX]; /* work of their blocks; 0: hip.thread_work_ps of each thread */
    gfe_ps *samples[HIP_PLUGINS_MAX]; /* response times; in the arena */
};

/* Adds the threads and their runtime as units above the node, whose client they become.  The
 * configuration must outlive them.  block_ps[] may be set until the first event. */
void hip_threads_wire(struct hip_threads *threads, struct amd_node *node,
                      const struct hip_config *config);
/* Checks the plugins once the parameters are set.  Returns false with a message if one could never
 * run. */
bool hip_threads_check(struct hip_threads *threads, const char *name, struct gfe_error *error);

/* Returns how many CUs a plugin's mask enables. */
uint32_t hip_threads_cus(const struct hip_threads *threads, uint32_t plugin);
/* Returns the slot that its queue is in now; AMD_NO_SLOT means none. */
uint32_t hip_threads_slot(const struct hip_threads *threads, uint32_t plugin);

/* Response times of a plugin. */
struct hip_responses {
    uint32_t count;
    gfe_ps least_ps, p05_ps, median_ps, p95_ps, most_ps;
    gfe_ps mean_ps;
};
/* Returns the statistics of the response times that were kept; all 0 if there are none. */
struct hip_responses hip_threads_responses(const struct hip_threads *threads, uint32_t plugin);
/* Returns the response times that were kept, in the order of the iterations; *count is their
 * number.
 */
const gfe_ps *hip_threads_times(const struct hip_threads *threads, uint32_t plugin,
                                uint32_t *count);

#endif
