/* SPDX-License-Identifier: MIT */
/* Parts of the reader of GPU files.  Private to gpu_file*.c. */
#ifndef GFE_EMU_SIM_GPU_FILE_PRIVATE_H
#define GFE_EMU_SIM_GPU_FILE_PRIVATE_H

#include <jansson.h>

#include "devices/amd/amd_chip.h"
#include "devices/core/chip_field.h"
#include "devices/nvidia/nv_chip.h"
#include "emu/sim/gpu_file.h"
#include "emu/sim/simulation.h"
#include "traces/config/examiner_config_spot.h"

enum { GPU_FILE_SETTINGS_MAX = 64, GPU_FILE_NUMBER_BYTES = 24 };

/* Parameters or choices, in the order of the tables. */
struct gpu_file_settings {
    struct simulation_setting rows[GPU_FILE_SETTINGS_MAX];
    char numbers[GPU_FILE_SETTINGS_MAX][GPU_FILE_NUMBER_BYTES];
    uint32_t count;
};

struct gpu_file {
    struct gpu gpu;
    union {
        struct nv_chip nvidia;
        struct amd_chip amd;
    } chip; /* which one says gpu.vendor */
    struct gpu_file_settings parameters, choices;
    json_t *all;       /* complete; texts of the chips are its own */
    char *description; /* JSON */
};

/* One reading.  `all` is what the file inherits, with what the file says. */
struct gpu_file_merge {
    const struct gpu *from; /* NULL: the file inherits nothing */
    const struct chip_field *fields;
    json_t *all;
    json_t *news; /* figures of what the file says: objects like those of "figures" */
    json_t *said; /* a null for each field that the file gives another value, by path */
};

/* Puts what the object of a file says over merge->all.  Returns false with a message. */
bool gpu_file_merge(struct gpu_file_merge *merge, const struct spot *file);
/* Adds merge->news to the figures, and marks inherited figures that speak of another value. */
bool gpu_file_merge_figures(struct gpu_file_merge *merge, const struct spot *file);
/* Reads "parameters" and "choices" of merge->all.  Returns false with a message. */
bool gpu_file_settings_load(struct gpu_file *file, const struct spot *all);

#endif
