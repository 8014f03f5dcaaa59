/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"
#include "emu/sim/occupancy.h"

#include <stdio.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "devices/nvidia/nv_chip.h"
#include "firmware-models/cuda/cuda_shared.h"

static void add_limit(struct occupancy *answer, struct occupancy_limit limit)
{
    const uint32_t index = answer->limit_count++;

    answer->limits[index] = limit;
    if (limit.blocks < answer->limits[answer->bound].blocks)
        answer->bound = index;
}

const char *occupancy_rule_label(uint32_t rule)
{
    static const struct table_set *const sets[] = {&core_tables, &amd_tables};

    for (uint32_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (rule >= sets[i]->base && rule - sets[i]->base < sets[i]->rule_count)
            return sets[i]->rules[rule - sets[i]->base].label;
    return "-";
}

uint32_t occupancy_blocks(const struct occupancy *answer)
{
    return answer->possible ? answer->limits[answer->bound].blocks : 0;
}

/* ---- NVIDIA ---------------------------------------------------------------------------------- */

static void answer_nvidia_limits(const struct exec_limits *sm, const struct exec_need *need,
                                 struct occupancy *answer)
{
    const struct exec_blocks by = exec_blocks_by_limit(sm, need);
    const uint32_t registers = sm->registers_per_sm / sm->partitions;
    struct occupancy_limit threads = {"threads", "threads", by.threads, RULE_T_R2, ""};
    struct occupancy_limit slots = {"block_slots", "block slots", by.slots, RULE_T_SLOT, ""};
    struct occupancy_limit warps = {"warp_slots", "warp slots", by.warps, RULE_T_SLOT, ""};
    struct occupancy_limit shared = {"shared_memory", "shared memory", by.shared_bytes, RULE_T_R3,
                                     ""};
    struct occupancy_limit file = {"registers", "registers", by.registers, RULE_T_REG, ""};

    (void)snprintf(threads.of, sizeof threads.of, "%u of %u each", sm->threads_per_sm,
                   need->threads);
    (void)snprintf(slots.of, sizeof slots.of, "%u", sm->blocks_per_sm);
    (void)snprintf(warps.of, sizeof warps.of, "%u of %u each", sm->warps_per_sm, need->warps);
    (void)snprintf(shared.of, sizeof shared.of, "%u bytes of %u each", sm->shared_bytes_per_sm,
                   need->shared_bytes);
    if (need->warp_registers > 0)
        (void)snprintf(file.of, sizeof file.of, "%u sub-partitions with %u: %u warps of %u on each",
                       sm->partitions, registers, registers / need->warp_registers,
                       need->warp_registers);
    if (sm->one_pool)
        threads.rule = RULE_Y_R1;
    add_limit(answer, threads);
    add_limit(answer, slots);
    add_limit(answer, warps);
    add_limit(answer, shared);
    add_limit(answer, file);
}

void occupancy_nvidia(const struct gpu *gpu, const struct occupancy_question *question,
                      struct occupancy *answer)
{
    const struct nv_chip *model = gpu->nvidia;
    const struct exec_limits *sm = &model->sm;
    struct exec_need need;

    *answer =
        (struct occupancy){.gpu = model->name,
                           .unit = "SM",
                           .group = "warp",
                           .units = model->sm_count,
                           .groups_per_unit = sm->warps_per_sm,
                           .driver_bytes = question->bare ? 0 : cuda_shared_of(model).driver_bytes};
    answer->possible = exec_need_make(sm, question->threads, question->registers,
                                      question->shared_bytes + answer->driver_bytes,
                                      question->half_sm, &need, &answer->refused_by);
    answer->groups_per_block = need.warps;
    if (answer->possible)
        answer_nvidia_limits(sm, &need, answer);
}

/* ---- AMD ------------------------------------------------------------------------------------- */

static uint32_t rounded(uint64_t value, uint32_t unit)
{
    return (uint32_t)((value + unit - 1) / unit * unit);
}

/* Blocks by what each SIMD has for a wave: its waves are dealt out to the SIMDs. */
static uint32_t by_simds(const struct amd_chip *chip, uint32_t waves_per_simd, uint32_t waves)
{
    return waves_per_simd * chip->simds_per_cu / waves;
}

static void answer_amd_limits(const struct amd_chip *chip,
                              const struct occupancy_question *question, uint32_t waves,
                              struct occupancy *answer)
{
    const uint32_t vgprs = rounded(question->registers ? question->registers : 1, chip->vgpr_unit);
    const uint32_t sgprs = rounded(question->sgprs, chip->sgpr_unit);
    const uint32_t lds = rounded(question->shared_bytes, chip->lds_unit_bytes);
    struct occupancy_limit slots = {"wave_slots", "wave slots",
                                    by_simds(chip, chip->waves_per_simd, waves), RULE_A_D5, ""};
    struct occupancy_limit vector = {"vector_registers", "vector registers",
                                     by_simds(chip, chip->vgprs_per_simd / vgprs, waves), RULE_A_D5,
                                     ""};
    struct occupancy_limit scalar = {
        "scalar_registers", "scalar registers",
        sgprs ? by_simds(chip, chip->sgprs_per_simd / sgprs, waves) : UINT32_MAX, RULE_A_D5, ""};
    struct occupancy_limit share = {"lds", "LDS", lds ? chip->lds_bytes_per_cu / lds : UINT32_MAX,
                                    RULE_A_D5, ""};

    (void)snprintf(slots.of, sizeof slots.of, "%u SIMDs with %u", chip->simds_per_cu,
                   chip->waves_per_simd);
    (void)snprintf(vector.of, sizeof vector.of, "%u a SIMD, %u a wave", chip->vgprs_per_simd,
                   vgprs);
    (void)snprintf(scalar.of, sizeof scalar.of, "%u a SIMD, %u a wave", chip->sgprs_per_simd,
                   sgprs);
    (void)snprintf(share.of, sizeof share.of, "%u bytes of %u each", chip->lds_bytes_per_cu, lds);
    add_limit(answer, slots);
    add_limit(answer, vector);
    add_limit(answer, scalar);
    add_limit(answer, share);
}

void occupancy_amd(const struct gpu *gpu, const struct occupancy_question *question,
                   struct occupancy *answer)
{
    const struct amd_chip *chip = gpu->amd;
    const uint32_t waves =
        rounded(question->threads, chip->threads_per_wave) / chip->threads_per_wave;

    *answer = (struct occupancy){.gpu = chip->name,
                                 .unit = "CU",
                                 .group = "wave",
                                 .units = chip->cu_count,
                                 .groups_per_block = waves,
                                 .groups_per_unit = chip->simds_per_cu * chip->waves_per_simd,
                                 .refused_by = RULE_A_D5};
    answer->possible = question->threads > 0 && question->threads <= chip->threads_per_workgroup &&
                       question->registers <= chip->vgprs_per_wave &&
                       question->sgprs <= chip->sgprs_per_wave &&
                       question->shared_bytes <= chip->lds_bytes_per_cu;
    if (answer->possible)
        answer_amd_limits(chip, question, waves, answer);
}
