/* SPDX-License-Identifier: MIT */
/*
 * Configurations of hip_plugin_framework, the tool with which Otterness and Anderson measured how
 * kernels on an AMD GPU slow each other down.  The reader checks the JSON text and puts it into
 * plain structs.
 *
 *     {"name": "...", "max_iterations": 200, "max_time": 60, "plugins": [
 *       {"filename": "bin/matrix_multiply.so", "label": "MM1024", "thread_count": [32, 32],
 *        "block_count": 1024, "compute_unit_mask": "1010..."}, ...]}
 *
 * Source: yalue/hip_plugin_framework, src/parse_config.c (@04664e6d).  A setting that is not known
 * is an error, and names that begin with "comment" are free.  A plugin is a host thread, or with
 * use_processes a process, with a stream of its own.  It launches its kernel, waits for it, and
 * repeats.  compute_unit_mask is a list of true and false, bit 0 first, and bits after its end are
 * set.  A string after 0x is hexadecimal, its first digit CUs 0 to 3 with the low bit first, and
 * bits after its end are set.  A mask of which all bits are set counts as no mask
 * (plugin_hip_utilities.cpp).  With sync_every_iteration an iteration begins when all plugins have
 * completed the one before (runner.c).  job_deadline counts the iterations that take longer.
 *
 * gfe's own: compute_unit_mask may also be a string with a digit for each bit, as the paper's
 * figures write it, and bits after its end are not set; thread_count and block_count may be lists
 * of up to three factors; stream_priority (hipStreamCreateWithPriority's: -1 high, 0, 1 low).
 *
 * Different: max_iterations and max_time may be missing or 0; a plugin that has neither goes on
 * until the plugins with a limit are done; in the tool a plugin that ends leaves the others at the
 * barrier of sync_every_iteration for ever, here the others go on.  Of additional_info only the
 * size of a matrix, an image or a vector is read, of which matrix_multiply, mandelbrot and
 * vector_add make their grids.  Not modelled: the rest of it, pinning, warm-up, result files,
 * copies before the first iteration, initialization_delay (all begin together after it), and the
 * kernel module that orders the GPU's work by job_deadline (yalue/gpu_locking_module).
 */
#ifndef GFE_TRACES_CONFIG_HIP_CONFIG_H
#define GFE_TRACES_CONFIG_HIP_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "emu/base/clock.h"
#include "emu/base/error.h"

enum {
    HIP_TEXT_BYTES_MAX = 1 << 20,
    HIP_PLUGINS_MAX = 128,
    HIP_THREADS_MAX = 1024,
    HIP_MASK_BITS_MAX = 256,
    HIP_ITERATIONS_MAX = 1000000,
};

struct hip_plugin {
    char *name;       /* the filename without folder and .so */
    char *label;      /* the name if none is said */
    uint32_t threads; /* of a block */
    uint64_t blocks;
    uint32_t iterations; /* 0: no limit */
    gfe_ps time_ps;      /* no iteration starts later; 0: no limit */
    gfe_ps release_ps;   /* the sleep before the first iteration */
    gfe_ps deadline_ps;  /* of each iteration, from its start; 0: none */
    int32_t priority;    /* of its stream: -1 high, 0 normal, 1 low */
    uint32_t mask_bits;  /* 0: no mask */
    uint32_t mask[HIP_MASK_BITS_MAX / 32];
};

struct hip_config {
    char *name;
    bool meets;            /* sync_every_iteration: iterations begin together */
    bool use_processes;    /* each plugin is a process, not a thread of one process */
    uint32_t plugin_count; /* 1 or more */
    struct hip_plugin plugins[HIP_PLUGINS_MAX];
};

/* Returns true if the text is an object with a member "plugins", as such configurations are. */
bool hip_config_is(const char *text, size_t bytes);
/* Reads a text in memory; `name` is for messages, which name the JSON path.  Returns a
 * configuration that the caller frees.  Returns NULL on error; `error` then says what is wrong. */
struct hip_config *hip_config_parse(const char *text, size_t bytes, const char *name,
                                    struct gfe_error *error);
void hip_config_free(struct hip_config *config);

#endif
