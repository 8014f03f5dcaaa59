/* SPDX-License-Identifier: MIT */
/*
 * A GPU file from the files of nvdebug, J. Bakita's kernel module: /proc/gpuN, or a copy of that
 * folder.  What is in the files was read from the module's sources (device_info_procfs.c,
 * copy_topology_procfs.c, nvdebug_entry.c, nvdebug.h) and from Appendix A of Bakita and Anderson
 * 2024.
 *
 *   device_info        engines, one box each: type, instance, fault id, address, reset id; up to
 *                      Turing Host's engine id, runlist and interrupt, from Ampere on the address
 *                      of the runlist's registers
 *   copy_topology      "LCE02 -> PCE03": the last PCE of each LCE; "GRCE0 -> LCE03": a GRCE shares
 *   lce_for_pceN, shared_lce_for_grceN, pce_map
 *                      the same in earlier versions of the module, and a mask of the PCEs
 *   num_gpcs, gpc_mask, num_tpc_per_gpc, gpcN_tpc_mask
 *                      the most GPCs and TPCs; a bit is set where one is disabled
 *   local_memory       "6442450944 bytes"
 *
 * Only device_info is needed.  The files do not say which chip it is: the GPU file inherits the
 * built-in GPU whose engines are most like those of device_info.
 */
#ifndef GFE_EMU_SIM_GPU_FROM_NVDEBUG_H
#define GFE_EMU_SIM_GPU_FROM_NVDEBUG_H

#include <stdbool.h>
#include <stddef.h>

struct gfe_error;
struct json_t;

/* Where the files come from. */
struct gpu_nvdebug_source {
    /* Sets *text to the file's text, which the caller frees, or to NULL if there is no such file.
     * Returns false with a message if the file cannot be read. */
    bool (*load)(void *context, const char *name, char **text, struct gfe_error *error);
    void *context;
    const char *name; /* of the folder, for messages */
};

/* Returns a GPU file from a folder, which the caller releases.  Returns NULL with a message. */
struct json_t *gpu_from_nvdebug(const char *folder, struct gfe_error *error);
struct json_t *gpu_from_nvdebug_source(const struct gpu_nvdebug_source *source,
                                       struct gfe_error *error);

#endif
