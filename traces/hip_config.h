/* SPDX-License-Identifier: MIT */
/*
 * Configurations of hip_plugin_framework, the tool with which Otterness and Anderson measured what
 * kernels on an AMD GPU do to each other: the JSON text, checked, in plain structs.
 *
 *     {"name": "...", "max_iterations": 200, "max_time": 60, "plugins": [
 *       {"filename": "bin/matrix_multiply.so", "label": "MM1024", "thread_count": [32, 32],
 *        "block_count": 1024, "compute_unit_mask": "1010..."}, ...]}
 *
 * ASSUMED: the names of members.  The tool grew out of cuda_scheduling_examiner, whose names they
 * are where its result files show the same; compute_unit_mask is a string with a digit for each bit
 * of the flat mask, bit 0 first, as the paper's figures write it.  As there, a setting that is not
 * known is an error, and names that begin with "comment" are free.  A plugin is a host thread with
 * a stream of its own that launches its kernel, waits for it, and so on.
 *
 * Different: max_iterations and max_time may be missing or 0; a plugin that has neither goes on
 * until those that have one are done.  Not modelled: additional_info, pinning, warm-up, result
 * files, copies before the first iteration, processes of their own.
 */
#ifndef GFE_TRACES_HIP_CONFIG_H
#define GFE_TRACES_HIP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/clock.h"
#include "emu/error.h"

enum {
    HIP_TEXT_BYTES_MAX = 1 << 20,
    HIP_PLUGINS_MAX = 24, /* queues that KFD maps at a time on the smallest chip */
    HIP_THREADS_MAX = 1024,
    HIP_MASK_BITS_MAX = 256,
    HIP_ITERATIONS_MAX = 1000000,
};

struct hip_plugin {
    char *name;       /* the filename without folder and .so */
    char *label;      /* name where none is said */
    uint32_t threads; /* of a block */
    uint64_t blocks;
    uint32_t iterations; /* 0: no limit */
    gfe_ps time_ps;      /* starts no iteration later; 0: no limit */
    gfe_ps release_ps;   /* sleeps so long before the first one */
    uint32_t mask_bits;  /* 0: no mask */
    uint32_t mask[HIP_MASK_BITS_MAX / 32];
};

struct hip_config {
    char *name;
    uint32_t plugin_count; /* 1 or more */
    struct hip_plugin plugins[HIP_PLUGINS_MAX];
};

/* Is the text an object with a member "plugins", as these are? */
bool hip_config_is(const char *text, size_t bytes);
/* Reads a text in memory; `name` is for messages, which name the JSON path.  NULL: `error` says
 * what is wrong.  The caller frees it. */
struct hip_config *hip_config_parse(const char *text, size_t bytes, const char *name,
                                    struct gfe_error *error);
void hip_config_free(struct hip_config *config);

#endif
