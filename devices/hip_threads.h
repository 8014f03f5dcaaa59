/* SPDX-License-Identifier: MIT */
/*
 * The host threads of a hip_plugin_framework configuration: each launches its kernel, waits until
 * it is complete, and launches it again; and where their streams end up, which decides who shares
 * what.
 *
 * A.Q2: streams without a CU mask share hip.max_hw_queues HSA queues in turn, one with a mask has a
 * queue of its own; the firmware puts queues into slots of one pipe (ACE) after the other (A.H1,
 * firmware-models/hws.h), behind the slots that the kernel driver keeps.  Masks are split by the
 * kernel driver (A.M1, firmware-models/kfd_cu_mask.h).
 *
 * Not modelled here: packets, rings, doorbells and the runlist, for which hip.launch_ps stands;
 * what a kernel reads and writes, so what two of them do to each other's memory.
 */
#ifndef GFE_DEVICES_HIP_THREADS_H
#define GFE_DEVICES_HIP_THREADS_H

#include "devices/amd/amd_dispatch.h"
#include "emu/machine.h"
#include "traces/hip_config.h"

enum { HIP_SAMPLES_MAX = 1 << 16 }; /* of each plugin: later ones are counted only */

GFE_STATE_BEGIN
struct hip_thread {
    uint64_t grid_id;  /* of the launch that is not complete; 0: none */
    gfe_ps launch_ps;  /* when it was launched */
    uint32_t launched; /* iterations that have begun, and that are complete */
    uint32_t completed;
    uint32_t ace, queue;
    uint32_t stopped; /* 1: it begins no more */
    uint32_t reserved;
    uint32_t cu_masks[AMD_SHADER_ENGINES_MAX];
};

struct hip_threads_state {
    uint32_t going; /* threads with a limit that have not reached it */
    uint32_t reserved;
    struct hip_thread threads[HIP_PLUGINS_MAX];
};
GFE_STATE_END

struct hip_threads {
    struct machine *machine;
    struct amd_dispatch *dispatch;
    const struct hip_config *config;
    uint32_t unit;
    struct hip_threads_state *state;
    uint64_t
        block_ps[HIP_PLUGINS_MAX]; /* work of their blocks; 0: hip.thread_work_ps of each thread */
    gfe_ps *samples[HIP_PLUGINS_MAX]; /* response times; owned */
};

/* Adds the threads as a unit, above the dispatcher; the configuration lives as long.  block_ps[]
 * may be set until the first event.  False with a message: memory is short, or a plugin could never
 * run. */
bool hip_threads_wire(struct hip_threads *threads, struct machine *machine,
                      struct amd_dispatch *dispatch, const struct hip_config *config,
                      struct gfe_error *error);
/* Gives queues and masks, when the parameters are set; false with a message. */
bool hip_threads_begin(struct hip_threads *threads, const char *name, struct gfe_error *error);
void hip_threads_fini(struct hip_threads *threads);

/* CUs that a plugin's mask enables. */
uint32_t hip_threads_cus(const struct hip_threads *threads, uint32_t plugin);

/* Response times of a plugin. */
struct hip_responses {
    uint32_t count;
    gfe_ps least_ps, p05_ps, median_ps, p95_ps, most_ps;
    gfe_ps mean_ps;
};
/* Of those that were kept; all 0 where there is none.  Sorts the samples. */
struct hip_responses hip_threads_responses(struct hip_threads *threads, uint32_t plugin);

#endif
