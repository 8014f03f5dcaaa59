/* SPDX-License-Identifier: MIT */
/* What the files of nvdebug say.  Private to gpu_from_nvdebug.c and gpu_from_nvdebug_*.c. */
#ifndef GFE_EMU_SIM_GPU_FROM_NVDEBUG_PRIVATE_H
#define GFE_EMU_SIM_GPU_FROM_NVDEBUG_PRIVATE_H

#include <stdint.h>

#include "devices/nvidia/nv_chip.h"
#include "emu/base/error.h"
#include "emu/sim/gpu_from_nvdebug.h"

/* An engine of device_info, with its kind and name as gfe has them. */
struct nvdebug_engine {
    struct nv_chip_engine row; /* name: of `name` */
    char name[24];
    uint32_t runlist_base; /* from Ampere on */
};

struct nvdebug_said {
    struct nvdebug_engine engines[NV_CHIP_ENGINES_MAX];
    uint32_t engine_count, runlist_count, left_out; /* left_out: boxes that are no engines of gfe */
    uint32_t runlist_bases[NV_CHIP_RUNLISTS_MAX];
    bool has_blocks;    /* from Ampere on */
    uint32_t pce_count; /* 0: the files do not say it */
    bool last_only;     /* of several PCEs of an LCE pce_to_lce has the last one alone */
    uint8_t pce_to_lce[NV_CHIP_PCES_MAX];
    struct nv_chip_grce grce[NV_CHIP_GRCES_MAX];
    uint32_t gpc_count, tpc_count; /* 0: the files do not say it */
    uint64_t local_bytes;          /* 0: the files do not say it */
};

/* Reads a file with one number; *has is false if there is none.  Returns false with a message. */
bool nvdebug_number(const struct gpu_nvdebug_source *source, const char *name, uint64_t most,
                    uint64_t *value, bool *has, struct gfe_error *error);
/* Reads device_info.  Returns false with a message. */
bool nvdebug_engines_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                          struct gfe_error *error);
/* Reads the map of the copy engines.  Returns false with a message. */
bool nvdebug_copies_read(const struct gpu_nvdebug_source *source, struct nvdebug_said *said,
                         struct gfe_error *error);

#endif
