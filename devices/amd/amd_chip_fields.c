/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/amd/amd_chip_fields.h"

#include <stdio.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "devices/amd/amd_cu.h"
#include "devices/amd/amd_sdma.h"
#include "devices/amd/formats/amd_sdma_regs.h"

enum { KIB = 1 << 10 };
#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)
#define MHZ UINT64_C(1000000)
#define MB  UINT64_C(1000000)

/* clang-format off */
#define OF(member) .at = offsetof(struct amd_chip, member), .bytes = sizeof(((struct amd_chip *)0)->member)
#define NUMBER(member, low, high, of, text)                                                        \
    {.name = #member, .kind = CHIP_NUMBER, OF(member), .least = (low), .most = (high),             \
     .figure = (of), .doc = (text)}
#define MEMORY(member, of, text)                                                             \
    {.name = #member, .kind = CHIP_NUMBER, OF(member), .least = 64 * MIB, .most = TIB,           \
     .multiple_of = 4096, .figure = (of), .doc = (text)}
#define TEXT(key, member, text) {.name = key, .kind = CHIP_TEXT, OF(member), .doc = (text)}
#define ELEMENT(member) .bytes = sizeof(((struct amd_chip *)0)->member[0]), .at = offsetof(struct amd_chip, member)

#define VGPRS "VGPRs per SIMD (of a lane), unit"
#define PIPES "MECs, pipes each, queues each"
static const struct chip_field cu_fields[] = {
    {.name = "", .kind = CHIP_NUMBER, .bytes = 1, .least = 1, .most = AMD_CUS_PER_ENGINE_MAX, .doc = "CUs"}, {0}};

const struct chip_field amd_chip_fields[] = {
    TEXT("name", name, "what gfe calls the GPU"),
    TEXT("card", title, "the vendor's name for it"),
    TEXT("chip", chip, "the chip's name, by which gfe tells where a rule was seen"),
    TEXT("isa", isa, "the target that programs are compiled for: gfx906, gfx908 or gfx90a"),
    NUMBER(gfx_target_version, 1, 999999, NULL, "the same as KFD reports it: 90006, 90008 or 90010"),
    {.name = "pci_id", .kind = CHIP_NUMBER, OF(pci_id), .most = UINT32_MAX, .is_hex = true, .figure = "PCI id", .doc = "vendor and device"},
    MEMORY(vram_bytes, "video memory", "video memory"),
    MEMORY(sysmem_bytes, "system memory", "memory of the host"),
    NUMBER(shader_hz, MHZ, 10000 * MHZ, "clock of CUs and front end", "clock of CUs and of the front end"),
    NUMBER(reference_hz, MHZ, 10000 * MHZ, "clock of time stamps", "clock of the time stamps that packets write"),
    NUMBER(system_bytes_per_second, MB, 100000000 * MB, "link to system memory", "rate of the link, each direction"),
    NUMBER(local_bytes_per_second, MB, 100000000 * MB, "memory bandwidth", "rate of the GPU's memory, reading and writing together"),
    NUMBER(arrays_per_engine, 1, 1, NULL, "shader arrays of a shader engine; the model has one"),
    NUMBER(cu_slots_per_engine, 1, AMD_CUS_PER_ENGINE_MAX, NULL, "CUs of a shader engine as made"),
    {.name = "engine_cus", .kind = CHIP_LIST, ELEMENT(engine_cus), .least = 1, .most = AMD_SHADER_ENGINES_MAX,
     .count_at = offsetof(struct amd_chip, shader_engine_count), .fields = cu_fields, .figure = "CUs",
     .doc = "for each shader engine the CUs that the product has"},
    NUMBER(simds_per_cu, 1, AMD_SIMDS_MAX, NULL, "SIMDs of a CU"),
    NUMBER(waves_per_simd, 1, AMD_CU_WAVES_MAX, "waves per SIMD", "waves that a SIMD holds"),
    NUMBER(threads_per_wave, 64, 64, NULL, "threads of a wave"),
    NUMBER(threads_per_workgroup, 64, 1024, "threads per workgroup", "threads that a workgroup may have"),
    NUMBER(vgprs_per_simd, 1, 2048, VGPRS, "vector registers of a SIMD, of a lane"),
    NUMBER(vgpr_unit, 1, 64, VGPRS, "they are allocated in multiples of this, a power of 2"),
    NUMBER(vgprs_per_wave, 1, 512, VGPRS, "that a wave may have"),
    NUMBER(sgprs_per_simd, 16, 4096, "SGPRs per SIMD", "scalar registers of a SIMD"),
    NUMBER(sgpr_unit, 1, 64, "SGPRs of a wave, unit", "they are allocated in multiples of this, a power of 2"),
    NUMBER(sgprs_per_wave, 16, 128, "SGPRs of a wave, unit", "that a wave may have"),
    NUMBER(lds_bytes_per_cu, KIB, 1024 * KIB, "LDS per CU", "local data share of a CU"),
    NUMBER(lds_unit_bytes, 4, 64 * KIB, "unit of LDS", "it is allocated in multiples of this, a power of 2"),
    NUMBER(mec_count, 1, 2, PIPES, "micro engines that the driver knows; KFD's queues are on the first"),
    NUMBER(pipes_per_mec, 1, AMD_PIPES_MAX, PIPES, "ACEs of a micro engine"),
    NUMBER(queues_per_pipe, 1, AMD_QUEUES_PER_PIPE_MAX, PIPES, "hardware queue slots of an ACE"),
    NUMBER(kernel_queues_per_pipe, 0, AMD_QUEUES_PER_PIPE_MAX - 1, "queues the kernel driver keeps", "of these, slots that amdgpu keeps"),
    NUMBER(first_kfd_vmid, 1, AMD_VMIDS - 1, "VMIDs of compute processes", "VMIDs of compute processes begin here"),
    NUMBER(sdma_engine_count, 1, AMD_SDMA_ENGINES_MAX, "SDMA engines", "SDMA engines for any queue"),
    NUMBER(sdma_xgmi_engine_count, 0, AMD_SDMA_ENGINES_MAX - 1, "SDMA engines", "SDMA engines for links between GPUs"),
    NUMBER(sdma_queues_per_engine, 1, AMD_SDMA_QUEUES_MAX, "SDMA queues per engine", "queues of an SDMA engine"),
    NUMBER(doorbell_bytes, 8, 8, "doorbell", "bytes of a doorbell"),
    NUMBER(gws_count, 0, 64, "global wave sync resources", "global wave sync resources"),
    NUMBER(gds_bytes, 0, 1024 * KIB, "global data share", "global data share"),
    {.name = "figures", .kind = CHIP_LIST, ELEMENT(figures), .most = CHIP_FIGURES_MAX - 1,
     .count_at = CHIP_LIST_HAS_NULL, .fields = chip_figure_fields, .doc = "what the figures rest on"},
    {0},
};
/* clang-format on */

void amd_chip_complete(struct amd_chip *chip)
{
    chip->cu_count = 0;
    for (uint32_t i = 0; i < chip->shader_engine_count; i++)
        chip->cu_count += chip->engine_cus[i];
}

static bool is_power(uint32_t value)
{
    return (value & (value - 1)) == 0;
}

/* Programs are compiled for an ISA, of which the built-in chips are. */
static bool isa_is_sound(const struct amd_chip *chip, struct chip_fault *fault)
{
    for (uint32_t i = 0; i < amd_chip_count; i++)
        if (strcmp(amd_chips[i]->isa, chip->isa) == 0)
            return amd_chips[i]->gfx_target_version == chip->gfx_target_version ||
                   chip_fault_set(fault, "gfx_target_version", "%u is not the version of %s, %u",
                                  chip->gfx_target_version, chip->isa,
                                  amd_chips[i]->gfx_target_version);
    return chip_fault_set(fault, "isa",
                          "'%.20s' is the ISA of no chip that gfe knows (gfx906, gfx908, gfx90a)",
                          chip->isa);
}

static bool cus_are_sound(const struct amd_chip *chip, struct chip_fault *fault)
{
    for (uint32_t i = 0; i < chip->shader_engine_count; i++)
        if (chip->engine_cus[i] > chip->cu_slots_per_engine) {
            (void)chip_fault_set(fault, "", "%u is more than cu_slots_per_engine, %u",
                                 chip->engine_cus[i], chip->cu_slots_per_engine);
            (void)snprintf(fault->path, sizeof fault->path, "engine_cus[%u]", (unsigned)i);
            return false;
        }
    if (chip->simds_per_cu * chip->waves_per_simd > AMD_CU_WAVES_MAX)
        return chip_fault_set(fault, "waves_per_simd", "a CU would hold %u waves; the model has %d",
                              chip->simds_per_cu * chip->waves_per_simd, AMD_CU_WAVES_MAX);
    if (!is_power(chip->vgpr_unit))
        return chip_fault_set(fault, "vgpr_unit", "%u is no power of 2", chip->vgpr_unit);
    if (!is_power(chip->sgpr_unit))
        return chip_fault_set(fault, "sgpr_unit", "%u is no power of 2", chip->sgpr_unit);
    if (!is_power(chip->lds_unit_bytes))
        return chip_fault_set(fault, "lds_unit_bytes", "%u is no power of 2", chip->lds_unit_bytes);
    if (chip->vgprs_per_wave > chip->vgprs_per_simd)
        return chip_fault_set(fault, "vgprs_per_wave", "%u is more than the %u of the SIMD",
                              chip->vgprs_per_wave, chip->vgprs_per_simd);
    if (chip->sgprs_per_wave > chip->sgprs_per_simd)
        return chip_fault_set(fault, "sgprs_per_wave", "%u is more than the %u of the SIMD",
                              chip->sgprs_per_wave, chip->sgprs_per_simd);
    return true;
}

/* The most SDMA engines whose registers have a place of their own: from the third engine on the
 * places are closer together than the queues of some versions are long. */
static uint32_t sdma_engines_most(const struct amd_chip *chip)
{
    const struct amd_sdma_place *place = amd_sdma_place(amd_variant_of(chip->isa));
    const uint32_t end = place->start + AMD_SDMA_QUEUES_MAX * place->stride_bytes;

    return end <= AMD_SDMA_BASE(3) - AMD_SDMA_BASE(2) ? AMD_SDMA_ENGINES_MAX : 2;
}

bool amd_chip_is_sound(const struct amd_chip *chip, struct chip_fault *fault)
{
    const uint32_t engines = chip->sdma_engine_count + chip->sdma_xgmi_engine_count;

    if (!isa_is_sound(chip, fault) || !cus_are_sound(chip, fault))
        return false;
    if (chip->kernel_queues_per_pipe >= chip->queues_per_pipe)
        return chip_fault_set(fault, "kernel_queues_per_pipe",
                              "%u of the %u slots of a pipe leave none to programs",
                              chip->kernel_queues_per_pipe, chip->queues_per_pipe);
    if (engines > sdma_engines_most(chip))
        return chip_fault_set(fault, "sdma_xgmi_engine_count",
                              "with sdma_engine_count there would be %u SDMA engines; at most %u",
                              engines, sdma_engines_most(chip));
    return true;
}
