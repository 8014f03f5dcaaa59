/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_chip.h"

#include <stdio.h>
#include <string.h>

/* clang-format off */
#define ROCM_TABLE "ROCm documentation 6.2.4, accelerator and GPU hardware specifications"
#define AMDGPU "amdgpu driver (freebsd/drm-kmod @129bf0f2) "
#define PRODUCT "AMD, product page of the card, specifications"
#define OTTERNESS "Otterness and Anderson 2022"
#define LLVM_USAGE "LLVM AMDGPUUsage"
#define LLVM_BASE "LLVM lib/Target/AMDGPU/Utils/AMDGPUBaseInfo.cpp "

/* What all of gfx9 up to MI200 has in common. */
#define GFX9_COMMON                                                                                \
    .sysmem_bytes = UINT64_C(16) << 30,                                                            \
    .arrays_per_engine = 1, .simds_per_cu = 4, .threads_per_wave = 64,                             \
    .threads_per_workgroup = 1024,                                                                 \
    .sgprs_per_simd = 800, .sgpr_unit = 16, .sgprs_per_wave = 112,                                 \
    .lds_bytes_per_cu = 65536, .lds_unit_bytes = 512,                                              \
    .mec_count = 2, .pipes_per_mec = 4, .queues_per_pipe = 8, .kernel_queues_per_pipe = 2,         \
    .sdma_engine_count = 2, .sdma_queues_per_engine = 8, .doorbell_bytes = 8, .gws_count = 64
#define GFX9_FIGURES                                                                               \
    {"SIMDs per CU, threads per wave", "4, 64", DOCUMENTED, ROCM_TABLE " (wave); " LLVM_BASE "(getEUsPerCU)"},    \
    {"threads per workgroup", "1024", DOCUMENTED, LLVM_BASE "(getMaxFlatWorkGroupSize)"},                                       \
    {"SGPRs per SIMD", "800", DOCUMENTED, ROCM_TABLE ": 12.5 KiB a CU"},                           \
    {"SGPRs of a wave, unit", "112, 16", DOCUMENTED, LLVM_USAGE " (102 and VCC, FLAT_SCRATCH, XNACK); unit: " LLVM_BASE "(getSGPREncodingGranule)"},\
    {"LDS per CU", "64 KiB", DOCUMENTED, ROCM_TABLE},                                              \
    {"unit of LDS", "512 bytes", DOCUMENTED, LLVM_USAGE " (GRANULATED_LDS_SIZE: 128 dwords)"},       \
    {"MECs, pipes each, queues each", "2, 4, 8", DOCUMENTED, AMDGPU "gfx_v9_0.c, sw_init"},        \
    {"queues the kernel driver keeps", "0 and 1 of each pipe of MEC1", INFERRED,                   \
     AMDGPU "amdgpu_gfx.c: 8 compute rings, spread over the pipes; KFD debugfs of an MI308X"},     \
    {"doorbell", "8 bytes", DOCUMENTED, "ROCT-Thunk-Interface src/queues.c"},                      \
    {"global wave sync resources", "64", DOCUMENTED, AMDGPU "gfx_v9_0.c, set_gds_init"},           \
    {"SDMA queues per engine", "8", DOCUMENTED, "amdkfd kfd_device.c (num_sdma_queues_per_engine)"},           \
    {"system memory", "16 GiB", ASSUMED, "gfe: of the host, not of the card"}

/* Vega 20. */
#define VEGA20_COMMON                                                                              \
    .chip = "Vega 20", .isa = "gfx906", .gfx_target_version = 90006,                               \
    .reference_hz = 25000000, .local_bytes_per_second = UINT64_C(1024000000000),                   \
    .shader_engine_count = 4, .cu_slots_per_engine = 16, .waves_per_simd = 10,                     \
    .vgprs_per_simd = 256, .vgpr_unit = 4, .vgprs_per_wave = 256,                                  \
    .first_kfd_vmid = 8, .sdma_xgmi_engine_count = 0, .gds_bytes = 65536, GFX9_COMMON
#define VEGA20_FIGURES                                                                             \
    {"memory bandwidth", "1024 GB/s", INFERRED, PRODUCT},                                          \
    {"clock of time stamps", "25 MHz", ASSUMED, "gfe: as ROCr was answered when it was recorded"}, \
    {"shader engines, arrays each", "4, 1", INFERRED, "4 x 1 x 16 in KFD's topology; " OTTERNESS},\
    {"waves per SIMD", "10", INFERRED,                                                             \
     OTTERNESS ": 2560 threads a CU in its data (40 waves); its text says 2048"},                  \
    {"VGPRs per SIMD (of a lane), unit", "256, 4", DOCUMENTED,                                     \
     ROCM_TABLE ": 256 KiB a CU; unit: LLVM review D65010"},                                       \
    {"VMIDs of compute processes", "8 to 15", DOCUMENTED, AMDGPU "gmc_v9_0.c, first_kfd_vmid"},    \
    {"SDMA engines", "2", DOCUMENTED, AMDGPU "amdgpu_discovery.c"},                                \
    {"global data share", "64 KiB", DOCUMENTED, AMDGPU "gfx_v9_0.c, set_gds_init"},                \
    GFX9_FIGURES
#define PCIE_3 {"link to system memory", "12 GB/s a direction", ASSUMED,                           \
                "gfe: PCIe 3.0 x16 in practice"}
#define PCIE_4 {"link to system memory", "24 GB/s a direction", ASSUMED,                           \
                "gfe: PCIe 4.0 x16 in practice"}
#define PCI_ID {"PCI id", "as in the heading", DOCUMENTED,                                         \
                "PCI id repository, Debian pci.ids 0.0~2023.04.11-1"}
#define CLOCK(mhz) {"clock of CUs and front end", mhz " MHz (peak)", INFERRED,                     \
                    PRODUCT "; that the front end has it is ASSUMED"}

static const struct amd_chip amd_radeon_vii = {
    .name = "radeon-vii", .title = "Radeon VII", .pci_id = 0x100266af,
    .vram_bytes = UINT64_C(16) << 30, .shader_hz = 1801000000,
    .system_bytes_per_second = UINT64_C(12000000000),
    .engine_cus = {15, 15, 15, 15}, .cu_count = 60,
    VEGA20_COMMON,
    .figures = {
        {"CUs", "60, 15 of each shader engine", MEASURED, OTTERNESS ", Figs. 8 and 9"},
        {"clock of CUs and front end", "1801 MHz (peak)", MEASURED,
         OTTERNESS ": 1.79 to 1.8 GHz in its data; that the front end has it is ASSUMED"},
        VEGA20_FIGURES, PCIE_3, PCI_ID,
    },
};

static const struct amd_chip amd_mi50 = {
    .name = "mi50", .title = "Instinct MI50 16GB", .pci_id = 0x100266a1,
    .vram_bytes = UINT64_C(16) << 30, .shader_hz = 1725000000,
    .system_bytes_per_second = UINT64_C(24000000000),
    .engine_cus = {15, 15, 15, 15}, .cu_count = 60,
    VEGA20_COMMON,
    .figures = {
        {"CUs", "60", DOCUMENTED, ROCM_TABLE},
        {"CUs of each shader engine", "15", ASSUMED, "gfe: spread evenly, as Radeon VII's"},
        CLOCK("1725"), VEGA20_FIGURES, PCIE_4, PCI_ID,
    },
};

static const struct amd_chip amd_mi60 = {
    .name = "mi60", .title = "Instinct MI60", .pci_id = 0x100266a0,
    .vram_bytes = UINT64_C(32) << 30, .shader_hz = 1800000000,
    .system_bytes_per_second = UINT64_C(24000000000),
    .engine_cus = {16, 16, 16, 16}, .cu_count = 64,
    VEGA20_COMMON,
    .figures = {
        {"CUs", "64, 16 of each shader engine", DOCUMENTED, ROCM_TABLE ": all that the chip has"},
        CLOCK("1800"), VEGA20_FIGURES, PCIE_4,
        {"PCI id", "as in the heading", ASSUMED,
         "gfe: pci.ids has 66a0 as Radeon Instinct without a number"},
    },
};

/* Arcturus. */
static const struct amd_chip amd_mi100 = {
    .name = "mi100", .title = "Instinct MI100", .chip = "Arcturus", .isa = "gfx908",
    .gfx_target_version = 90008, .pci_id = 0x1002738c,
    .vram_bytes = UINT64_C(32) << 30, .shader_hz = 1502000000, .reference_hz = 25000000,
    .system_bytes_per_second = UINT64_C(24000000000),
    .local_bytes_per_second = UINT64_C(1228800000000),
    .shader_engine_count = 8, .cu_slots_per_engine = 16,
    .engine_cus = {15, 15, 15, 15, 15, 15, 15, 15}, .cu_count = 120, .waves_per_simd = 10,
    .vgprs_per_simd = 256, .vgpr_unit = 4, .vgprs_per_wave = 256,
    .first_kfd_vmid = 3, .sdma_xgmi_engine_count = 6, .gds_bytes = 4096, GFX9_COMMON,
    .figures = {
        {"CUs", "120", DOCUMENTED, ROCM_TABLE},
        {"CUs of each shader engine", "15", ASSUMED, "gfe: spread evenly; not published"},
        CLOCK("1502"),
        {"memory bandwidth", "1228.8 GB/s", INFERRED, PRODUCT},
        {"clock of time stamps", "25 MHz", ASSUMED, "gfe: as Vega 20's"},
        {"shader engines, arrays each", "8, 1", INFERRED,
         AMDGPU "gfx_v9_0.c: masks of SE0 to SE7 on 9.4.1; 16 CUs each is ASSUMED (120 of 128)"},
        {"waves per SIMD", "10", DOCUMENTED, LLVM_BASE "(getMaxWavesPerEU)"},
        {"VGPRs per SIMD (of a lane), unit", "256, 4", DOCUMENTED,
         ROCM_TABLE ": 256 KiB a CU; the 256 accumulation registers beside them go with them; unit: "
         LLVM_BASE "(getVGPRAllocGranule)"},
        {"VMIDs of compute processes", "3 to 15", DOCUMENTED, AMDGPU "gmc_v9_0.c, first_kfd_vmid"},
        {"SDMA engines", "2, and 6 for xGMI", DOCUMENTED,
         AMDGPU "amdgpu_discovery.c: 8; amdkfd kfd_device.c (arcturus_device_info)"},
        {"global data share", "4 KiB", DOCUMENTED, AMDGPU "gfx_v9_0.c, set_gds_init"},
        GFX9_FIGURES, PCIE_4, PCI_ID,
    },
};

/* Aldebaran: one of its dies (GCD). */
static const struct amd_chip amd_mi210 = {
    .name = "mi210", .title = "Instinct MI210", .chip = "Aldebaran", .isa = "gfx90a",
    .gfx_target_version = 90010, .pci_id = 0x1002740f,
    .vram_bytes = UINT64_C(64) << 30, .shader_hz = 1700000000, .reference_hz = 100000000,
    .system_bytes_per_second = UINT64_C(24000000000),
    .local_bytes_per_second = UINT64_C(1638400000000),
    .shader_engine_count = 8, .cu_slots_per_engine = 14,
    .engine_cus = {13, 13, 13, 13, 13, 13, 13, 13}, .cu_count = 104, .waves_per_simd = 8,
    .vgprs_per_simd = 512, .vgpr_unit = 8, .vgprs_per_wave = 512,
    .first_kfd_vmid = 3, .sdma_xgmi_engine_count = 3, .gds_bytes = 0, GFX9_COMMON,
    .figures = {
        {"CUs", "104", DOCUMENTED, ROCM_TABLE},
        {"CUs of each shader engine", "13", ASSUMED, "gfe: spread evenly; not published"},
        CLOCK("1700"),
        {"memory bandwidth", "1638.4 GB/s", INFERRED, PRODUCT},
        {"clock of time stamps", "100 MHz", ASSUMED, "gfe: not published for this chip"},
        {"shader engines, arrays each", "8, 1", DOCUMENTED, AMDGPU "gfx_v9_4_2.c: SE_ID_MAX, masks"},
        {"CUs of a shader engine as made", "14", INFERRED, "AMD CDNA 2 white paper: 112 CUs of a die, in 8 shader engines"},
        {"waves per SIMD", "8", DOCUMENTED, LLVM_BASE "(getMaxWavesPerEU); sample output of llvm-calc-occupancy"},
        {"VGPRs per SIMD (of a lane), unit", "512, 8", DOCUMENTED,
         ROCM_TABLE ": 512 KiB a CU, accumulation registers among them; unit: " LLVM_BASE "(getVGPRAllocGranule)"},
        {"VMIDs of compute processes", "3 to 15", DOCUMENTED, AMDGPU "gmc_v9_0.c, first_kfd_vmid"},
        {"SDMA engines", "2, and 3 for xGMI", DOCUMENTED,
         AMDGPU "amdgpu_discovery.c: 5; amdkfd kfd_device.c (aldebaran_device_info)"},
        {"global data share", "none", DOCUMENTED, AMDGPU "gfx_v9_0.c, set_gds_init"},
        GFX9_FIGURES, PCIE_4, PCI_ID,
    },
};
/* clang-format on */

const struct amd_chip *const amd_chips[] = {&amd_radeon_vii, &amd_mi50, &amd_mi60, &amd_mi100,
                                            &amd_mi210};
const uint32_t amd_chip_count = sizeof amd_chips / sizeof amd_chips[0];

const struct amd_chip *amd_chip_by_name(const char *name)
{
    for (uint32_t i = 0; i < amd_chip_count; i++)
        if (strcmp(amd_chips[i]->name, name) == 0)
            return amd_chips[i];
    return NULL;
}

const char *amd_chip_engines(const struct amd_chip *chip, char to[AMD_CHIP_ENGINES_BYTES])
{
    size_t used = 0;

    to[0] = '\0';
    for (uint32_t i = 0; i < chip->shader_engine_count; i++) {
        (void)snprintf(to + used, AMD_CHIP_ENGINES_BYTES - used, "%s%u", i ? " " : "",
                       chip->engine_cus[i]);
        used += strlen(to + used);
    }
    return to;
}
