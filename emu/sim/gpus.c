/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/sim/gpus.h"

#include <stdlib.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/amd_chip_fields.h"
#include "devices/amd/amd_inject.h"
#include "devices/amd/formats/amd_compute_regs.h"
#include "devices/amd/formats/amd_cp_regs.h"
#include "devices/amd/formats/amd_hqd_regs.h"
#include "devices/amd/formats/amd_ih_regs.h"
#include "devices/amd/formats/amd_vm_l2_regs.h"
#include "devices/amd/formats/amd_sdma_regs.h"
#include "devices/amd/amd_sdma_tables.h"
#include "devices/amd/amd_mec_tables.h"
#include "devices/amd/amd_tables.h"
#include "devices/core/core_events.h"
#include "emu/sim/bare_gpu.h"
#include "emu/sim/bare_node.h"
#include "emu/sim/live_tables.h"
#include "emu/sim/occupancy.h"
#include "firmware-models/hip/hip_tables.h"
#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_chip_fields.h"
#include "devices/nvidia/nv_inject.h"
#include "devices/nvidia/formats/nv_fault_regs.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/formats/nv_intr_regs.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"
#include "devices/nvidia/nv_tables.h"
#include "devices/nvidia/formats/nv_top.h"
#include "emu/analysis/check/check.h"
#include "emu/base/digest.h"
#include "emu/engine/inspect.h"
#include "emu/engine/snapshot.h"
#include "firmware-models/bare/bare_tables.h"
#include "firmware-models/kfd/amdgpu_tables.h"
#include "firmware-models/nouveau/nouveau_tables.h"
#include "firmware-models/cuda/cuda_shared.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/kfd/kfd_tables.h"
#include "firmware-models/rm/rm_tables.h"

const struct table_set *const gfe_table_sets[] = {
    &emu_tables,      &core_tables,    &nv_tables,   &amd_tables,  &amd_mec_tables,
    &amd_sdma_tables, &nouveau_tables, &rm_tables,   &cuda_tables, &kfd_tables,
    &amdgpu_tables,   &hip_tables,     &live_tables, &bare_tables};
const uint32_t gfe_table_set_count = sizeof gfe_table_sets / sizeof gfe_table_sets[0];

const struct reg_list *const gfe_reg_lists[] = {
    &nv_pmc_list,
    &nv_pfifo_list,
    &nv_ptop_list,
    &nv_ptop_ga100_list,
    &nv_pccsr_list,
    &nv_usermode_list,
    &nv_runlist_list,
    &nv_chram_list,
    &nv_virtual_function_list,
    &nv_ctrl_list,
    &nv_pbdma_list,
    &nv_ce_list,
    &nv_ce_gv100_list,
    &nv_ce_ga100_list,
    &nv_pce_list,
    &nv_lce_list,
    &nv_ce_gk104_list,
    &nv_pgraph_list,
    &nv_ramuserd_list,
    &nv_ramin_list,
    &nv_ramrl_list,
    &nv_ramrl_gv100_list,
    &nv_pfb_list,
    &nv_pfb_gv100_list,
    &nv_virtual_function_mmu_list,
    &nv_mmu_fault_buf_list,
    &amd_grbm_list,
    &amd_cp_list,
    &amd_hqd_list,
    &amd_compute_list,
    &amd_spi_list,
    &amd_vm_l2_list,
    &amd_ih_list,
    &amd_sdma_list,
    &amd_sdma_queue_list,
    &amd_sdma_queue_4_2_2_list,
    &amd_sdma_queue_4_4_0_list,
};
const uint32_t gfe_reg_list_count = sizeof gfe_reg_lists / sizeof gfe_reg_lists[0];

/* ---- vendors ------------------------------------------------------------------------------------
 */

static struct check_limits nv_limits(const struct nv_chip *model)
{
    const struct exec_limits *sm = &model->sm;

    return (struct check_limits){
        .sm_count = model->sm_count,
        .threads_per_sm = sm->threads_per_sm,
        .warps_per_sm = sm->warps_per_sm,
        .blocks_per_sm = sm->blocks_per_sm,
        .registers_per_sm = sm->registers_per_sm,
        .registers_per_block = sm->registers_per_block,
        .registers_per_thread = sm->registers_per_thread,
        .shared_bytes_per_sm = sm->shared_bytes_per_sm,
        .shared_bytes_per_block = sm->shared_bytes_per_block,
        .threads_per_block = sm->threads_per_block,
        .threads_per_warp = sm->threads_per_warp,
        .register_unit = sm->register_unit,
        .partitions = sm->partitions,
        .shared_unit_bytes = sm->shared_unit_bytes,
        .driver_shared_bytes = cuda_shared_of(model).driver_bytes,
        .grids = sm->grids,
    };
}

static struct check_limits amd_limits(const struct amd_chip *chip)
{
    const uint32_t waves = chip->simds_per_cu * chip->waves_per_simd;
    struct check_limits limits = {
        .sm_count = chip->cu_count,
        .threads_per_sm = waves * chip->threads_per_wave,
        .warps_per_sm = waves,
        .blocks_per_sm = waves,
        .registers_per_thread = chip->vgprs_per_wave,
        .shared_bytes_per_sm = chip->lds_bytes_per_cu,
        .shared_bytes_per_block = chip->lds_bytes_per_cu,
        .threads_per_block = chip->threads_per_workgroup,
        .threads_per_warp = chip->threads_per_wave,
        .shared_unit_bytes = chip->lds_unit_bytes,
        .engine_count = chip->shader_engine_count,
        .ace_count = chip->pipes_per_mec,
        .queues_per_ace = chip->queues_per_pipe,
        .simds_per_cu = chip->simds_per_cu,
        .waves_per_simd = chip->waves_per_simd,
        .vgprs_per_simd = chip->vgprs_per_simd,
        .vgpr_unit = chip->vgpr_unit,
        .sgprs_per_simd = chip->sgprs_per_simd,
        .sgpr_unit = chip->sgpr_unit,
        .shader_hz = chip->shader_hz,
        .system_bytes_per_second = chip->system_bytes_per_second,
        .local_bytes_per_second = chip->local_bytes_per_second,
        .first_vmid = chip->first_kfd_vmid,
        .vmid_count = AMD_VMIDS,
    };

    memcpy(limits.engine_cus, chip->engine_cus, sizeof limits.engine_cus);
    return limits;
}

static bool nv_find(const char *name, struct gpu *gpu)
{
    const struct nv_chip *model = nv_chip_by_name(name);

    if (model)
        *gpu = (struct gpu){.vendor = &gpu_nvidia, .name = model->name, .nvidia = model};
    return model != NULL;
}

static void nv_limits_of(const struct gpu *gpu, struct check_limits *limits)
{
    *limits = nv_limits(gpu->nvidia);
}

static const char *nv_chip_of(const struct gpu *gpu)
{
    return gpu->nvidia->chip;
}

static uint32_t nv_reg_variants(const struct gpu *gpu)
{
    return nv_chip_reg_variants(gpu->nvidia);
}

static const void *nv_members(const struct gpu *gpu)
{
    return gpu->nvidia;
}

static bool nv_take(void *chip, struct gpu *gpu, struct chip_fault *fault)
{
    nv_chip_complete(chip);
    gpu->nvidia = chip;
    return nv_chip_is_sound(chip, fault);
}

static bool nv_bare_open(const struct gpu *gpu, struct gpu_bare *to, struct gfe_error *error)
{
    const struct nv_chip *model = gpu->nvidia;
    struct bare_gpu *bare = calloc(1, sizeof *bare);

    *to = (struct gpu_bare){.gpu = model->name, .subject.model = model, .bare = bare};
    if (!bare)
        return error_set(error, ERROR_SYSTEM, "no memory for a GPU");
    if (!bare_gpu_init(bare, model, error))
        return false;
    to->subject.machine = bare->machine;
    return true;
}

static void nv_bare_close(struct gpu_bare *of)
{
    if (of->bare)
        bare_gpu_fini(of->bare);
    free(of->bare);
}

static bool amd_find(const char *name, struct gpu *gpu)
{
    const struct amd_chip *chip = amd_chip_by_name(name);

    if (chip)
        *gpu = (struct gpu){.vendor = &gpu_amd, .name = chip->name, .amd = chip};
    return chip != NULL;
}

static void amd_limits_of(const struct gpu *gpu, struct check_limits *limits)
{
    _Static_assert((int)CHECK_ENGINES_OF_CUS == (int)AMD_SHADER_ENGINES_MAX, "a byte for each");
    *limits = amd_limits(gpu->amd);
}

static const char *amd_chip_of(const struct gpu *gpu)
{
    return gpu->amd->chip;
}

static uint32_t amd_reg_variants(const struct gpu *gpu)
{
    return amd_variant_of(gpu->amd->isa);
}

static const void *amd_members(const struct gpu *gpu)
{
    return gpu->amd;
}

static bool amd_take(void *chip, struct gpu *gpu, struct chip_fault *fault)
{
    amd_chip_complete(chip);
    gpu->amd = chip;
    return amd_chip_is_sound(chip, fault);
}

static bool amd_bare_open(const struct gpu *gpu, struct gpu_bare *to, struct gfe_error *error)
{
    const struct amd_chip *chip = gpu->amd;
    struct bare_node *bare = calloc(1, sizeof *bare);

    *to = (struct gpu_bare){.gpu = chip->name, .bare = bare};
    if (!bare)
        return error_set(error, ERROR_SYSTEM, "no memory for a GPU");
    if (!bare_node_init(bare, chip, error))
        return false;
    to->subject.machine = bare->machine;
    to->subject.node = &bare->node;
    return true;
}

static void amd_bare_close(struct gpu_bare *of)
{
    if (of->bare)
        bare_node_fini(of->bare);
    free(of->bare);
}

const struct gpu_vendor gpu_nvidia = {
    .name = "NVIDIA",
    .default_gpu = "gtx1060",
    .has_methods = true,
    .views = INSPECT_NVIDIA,
    .sites = &nv_inject_sites,
    .find = nv_find,
    .limits = nv_limits_of,
    .chip = nv_chip_of,
    .reg_variants = nv_reg_variants,
    .fields = nv_chip_fields,
    .members = nv_members,
    .take = nv_take,
    .occupancy = occupancy_nvidia,
    .bare_open = nv_bare_open,
    .bare_close = nv_bare_close,
};

const struct gpu_vendor gpu_amd = {
    .name = "AMD",
    .default_gpu = "radeon-vii",
    .runs_configurations = true,
    .views = INSPECT_AMD,
    .sites = &amd_inject_sites,
    .is_another = "an AMD GPU, which runs recordings of ROCm's libraries and configurations of "
                  "hip_plugin_framework",
    .find = amd_find,
    .limits = amd_limits_of,
    .chip = amd_chip_of,
    .reg_variants = amd_reg_variants,
    .fields = amd_chip_fields,
    .members = amd_members,
    .take = amd_take,
    .occupancy = occupancy_amd,
    .bare_open = amd_bare_open,
    .bare_close = amd_bare_close,
};

const struct gpu_vendor *const gpu_vendors[GPU_VENDORS] = {&gpu_nvidia, &gpu_amd};

bool gpu_find(const char *name, const struct gpu *described, struct gpu *gpu)
{
    if (described) {
        *gpu = *described;
        return true;
    }
    for (uint32_t i = 0; name && i < GPU_VENDORS; i++)
        if (gpu_vendors[i]->find(name, gpu))
            return true;
    return false;
}

const struct gpu_vendor *gpu_vendor_of(const char *gpu)
{
    struct gpu found;

    return gpu_find(gpu, NULL, &found) ? found.vendor : NULL;
}

const struct nv_chip *gpu_find_nvidia(const char *name, const struct gpu *described)
{
    struct gpu found;

    return gpu_find(name, described, &found) ? found.nvidia : NULL;
}

const struct amd_chip *gpu_find_amd(const char *name, const struct gpu *described)
{
    struct gpu found;

    return gpu_find(name, described, &found) ? found.amd : NULL;
}

bool gpu_missing(const char *name, const struct gpu *described, struct gfe_error *error)
{
    struct gpu found;

    if (gpu_find(name, described, &found) && found.vendor->is_another)
        return error_set(error, ERROR_USAGE, "%s is %s", name, found.vendor->is_another);
    return error_set(error, ERROR_USAGE, "no GPU is called '%s'; gfe gpus lists them", name);
}

bool gpu_find_limits(const char *name, const struct gpu *described, struct check_limits *limits)
{
    struct gpu found;

    if (!gpu_find(name, described, &found))
        return false;
    found.vendor->limits(&found, limits);
    return true;
}

const char *gpu_find_chip(const char *name, const struct gpu *described)
{
    struct gpu found;

    return gpu_find(name, described, &found) ? found.vendor->chip(&found) : NULL;
}

void gpu_identity_add(struct snapshot_identity *identity, const struct gpu *described)
{
    struct digest digest;
    char hex[DIGEST_HEX_BYTES];

    if (!described)
        return;
    digest_start(&digest);
    digest_add(&digest, described->description, strlen(described->description));
    digest_end_hex(&digest, hex);
    snapshot_identity_add(identity, "description of the gpu", hex);
}
