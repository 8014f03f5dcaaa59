/* SPDX-License-Identifier: MIT */
/*
 * How many blocks of a kernel an SM of NVIDIA's or a CU of AMD's holds at once, by each of its
 * limits.  For NVIDIA that is what its occupancy calculator says (devices/core/exec_pool.h); for
 * AMD what the model's CUs hold (devices/amd/amd_cu.h), of waves that are dealt out evenly to the
 * SIMDs.
 */
#ifndef GFE_EMU_SIM_OCCUPANCY_H
#define GFE_EMU_SIM_OCCUPANCY_H

#include <stdbool.h>
#include <stdint.h>

struct gpu;

struct occupancy_question {
    uint32_t threads;      /* of a block, not 0 */
    uint32_t registers;    /* of a thread; of AMD's vector registers */
    uint32_t sgprs;        /* scalar registers of a wave; AMD only */
    uint32_t shared_bytes; /* of a block, without what a driver adds */
    bool bare;             /* without what CUDA's driver adds to it */
    bool half_sm;          /* nv.half_sm */
};

enum { OCCUPANCY_LIMITS_MAX = 6 };

struct occupancy_limit {
    const char *name;  /* in JSON */
    const char *label; /* in text */
    uint32_t blocks;   /* UINT32_MAX means that such blocks take none of it */
    uint32_t rule;
    char of[96]; /* what there is of it */
};

struct occupancy {
    const char *gpu;
    const char *unit, *group; /* "SM", "warp" or "CU", "wave" */
    uint32_t units, groups_per_block, groups_per_unit;
    uint32_t driver_bytes; /* that CUDA's driver adds */
    struct occupancy_limit limits[OCCUPANCY_LIMITS_MAX];
    uint32_t limit_count;
    uint32_t bound; /* the limit that binds: the first of the lowest */
    bool possible;  /* false: no unit can ever hold such a block */
    uint32_t refused_by;
};

/* The rows of gpu_vendor (emu/sim/gpus.h).  The GPU is one of the vendor. */
void occupancy_nvidia(const struct gpu *gpu, const struct occupancy_question *question,
                      struct occupancy *answer);
void occupancy_amd(const struct gpu *gpu, const struct occupancy_question *question,
                   struct occupancy *answer);
/* Returns the blocks that a unit holds; 0 if it can hold none. */
uint32_t occupancy_blocks(const struct occupancy *answer);
/* Returns the label of a rule of a limit. */
const char *occupancy_rule_label(uint32_t rule);

#endif
