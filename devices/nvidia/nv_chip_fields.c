/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/nvidia/nv_chip_fields.h"

#include "devices/nvidia/nv_chip.h"
#include "devices/nvidia/nv_gpu.h"

static const char *const kinds[] = {
    [NV_CHIP_GRAPHICS] = "graphics", [NV_CHIP_GRCE] = "grce",     [NV_CHIP_LCE] = "lce",
    [NV_CHIP_NVDEC] = "nvdec",       [NV_CHIP_NVENC] = "nvenc",   [NV_CHIP_SEC] = "sec",
    [NV_CHIP_MSVLD] = "msvld",       [NV_CHIP_MSPDEC] = "mspdec", [NV_CHIP_MSPPP] = "msppp",
    [NV_CHIP_MSENC] = "msenc",       [NV_CHIP_NVJPG] = "nvjpg",   [NV_CHIP_OFA] = "ofa",
    [NV_CHIP_ENGINE_KINDS] = NULL,
};

enum { KIB = 1 << 10 };
#define MIB (UINT64_C(1) << 20)
#define TIB (UINT64_C(1) << 40)
#define MHZ UINT64_C(1000000)
#define MB  UINT64_C(1000000)

/* clang-format off */
#define OF(type, member) .at = offsetof(struct type, member), .bytes = sizeof(((struct type *)0)->member)
#define NUMBER(type, member, low, high, of, text)                                                  \
    {.name = #member, .kind = CHIP_NUMBER, OF(type, member), .least = (low), .most = (high),       \
     .figure = (of), .doc = (text)}
#define HEX(type, member, low, high, of, text)                                                     \
    {.name = #member, .kind = CHIP_NUMBER, OF(type, member), .least = (low), .most = (high),       \
     .is_hex = true, .figure = (of), .doc = (text)}
#define FLAG(type, member, of, text)                                                               \
    {.name = #member, .kind = CHIP_FLAG, OF(type, member), .most = 1, .figure = (of), .doc = (text)}
#define ID(type, member, high, text)                                                               \
    {.name = #member, .kind = CHIP_NUMBER, OF(type, member), .most = (high), .may_lack = true,     \
     .none = NV_CHIP_ID_NONE, .doc = (text)}
#define MEMORY(type, member, of, text)                                                             \
    {.name = #member, .kind = CHIP_NUMBER, OF(type, member), .least = 64 * MIB, .most = TIB,           \
     .multiple_of = 4096, .figure = (of), .doc = (text)}
#define TEXT(type, member, text)                                                                   \
    {.name = #member, .kind = CHIP_TEXT, OF(type, member), .doc = (text)}
#define CLASS(key, member, text)                                                                   \
    {.name = key, .kind = CHIP_NUMBER, OF(nv_chip, member), .least = 1, .most = 0xffff,            \
     .is_hex = true, .figure = "classes", .doc = (text)}

#define THREADS "threads, warps, blocks per SM"
#define REGISTERS "registers per SM, block, thread"
#define SHARED "shared memory per SM, block"
static const struct chip_field split_fields[] = {
    {.name = "", .kind = CHIP_NUMBER, .bytes = 2, .most = 1024, .doc = "KiB"}, {0}};
static const struct chip_field sm_fields[] = {
    NUMBER(exec_limits, threads_per_sm, 1, 4096, THREADS, "threads that an SM holds"),
    NUMBER(exec_limits, warps_per_sm, 1, 128, THREADS, "warps that an SM holds"),
    NUMBER(exec_limits, blocks_per_sm, 1, EXEC_SLOTS_MAX, THREADS, "blocks that an SM holds"),
    NUMBER(exec_limits, registers_per_sm, 1, 1 << 16, REGISTERS, "registers of an SM"),
    NUMBER(exec_limits, registers_per_block, 1, 1 << 16, REGISTERS, "registers that a block may have"),
    NUMBER(exec_limits, registers_per_thread, 1, 255, REGISTERS, "registers that a thread may have"),
    NUMBER(exec_limits, shared_bytes_per_sm, KIB, 1 << 30, SHARED, "shared memory of an SM"),
    NUMBER(exec_limits, shared_bytes_per_block, KIB, 1 << 30, SHARED, "shared memory that a descriptor may ask for: what a program may have and what CUDA's driver has beside it"),
    NUMBER(exec_limits, threads_per_block, 1, 1024, THREADS, "threads that a block may have"),
    NUMBER(exec_limits, threads_per_warp, 1, 32, THREADS, "threads of a warp"),
    NUMBER(exec_limits, register_unit, 1, 4096, REGISTERS, "registers are allocated to a warp in multiples of this"),
    NUMBER(exec_limits, partitions, 1, EXEC_PARTITIONS_MAX, NULL, "sub-partitions of an SM: 1, 2 or 4"),
    NUMBER(exec_limits, shared_unit_bytes, 1, 64 * KIB, SHARED, "shared memory is allocated in multiples of this"),
    FLAG(exec_limits, one_pool, NULL, "the SM stands for a whole GPU (rule Y.R1)"),
    FLAG(exec_limits, has_half_mode, NULL, "a block may be bound to one half of the sub-partitions"),
    {.name = "splits_kib", .kind = CHIP_LIST, .at = offsetof(struct exec_limits, splits_kib), .bytes = 2,
     .most = EXEC_SPLITS_MAX, .count_at = offsetof(struct exec_limits, split_count), .fields = split_fields,
     .figure = "shared memory beside L1", .doc = "shared memory that an SM may have, ascending; empty: L1 has a memory of its own"},
    NUMBER(exec_limits, grids, 1, UINT32_MAX, "resident grids", "grids of one context that may have blocks at once"),
    {0},
};

static const struct chip_field number_fields[] = {
    {.name = "", .kind = CHIP_NUMBER, .bytes = 1, .least = 1, .most = UINT8_MAX, .doc = "TPCs"}, {0}};
static const struct chip_field lce_fields[] = {
    {.name = "", .kind = CHIP_NUMBER, .bytes = 1, .most = 14, .may_lack = true, .none = NV_CHIP_PCE_UNUSED,
     .doc = "the LCE that the PCE serves; null: none"}, {0}};
static const struct chip_field pbdma_fields[] = {
    {.name = "", .kind = CHIP_BITS, .bytes = 4, .most = NV_CHIP_RUNLISTS_MAX - 1, .doc = "the runlists that the PBDMA serves"}, {0}};
static const struct chip_field grce_fields[] = {
    NUMBER(nv_chip_grce, shared_lce, 0, 7, NULL, "the LCE"),
    FLAG(nv_chip_grce, is_shared, NULL, "whether it works with that LCE's PCEs"),
    {0},
};
static const struct chip_field runlist_fields[] = {
    HEX(nv_chip_runlist, pri_base, 0, 0x3fffc00, NULL, "address of its registers in BAR0; 0 before Ampere"),
    NUMBER(nv_chip_runlist, doorbell_id, 0, 0xffff, NULL, "RUNLIST_ID of the doorbell's word"),
    {0},
};
static const struct chip_field engine_fields[] = {
    TEXT(nv_chip_engine, name, "such as GRCE0/LCE0"),
    {.name = "kind", .kind = CHIP_WORD, OF(nv_chip_engine, kind), .words = kinds, .doc = "what the engine is"},
    NUMBER(nv_chip_engine, instance, 0, 15, NULL, "which of its kind"),
    NUMBER(nv_chip_engine, runlist_id, 0, NV_CHIP_RUNLISTS_MAX - 1, NULL, "its runlist"),
    NUMBER(nv_chip_engine, engine_id, 0, NV_CHIP_ENGINES_MAX - 1, NULL, "Host's number"),
    ID(nv_chip_engine, reset_id, 0xff, "bit of its reset"),
    ID(nv_chip_engine, intr_id, 0xff, "its interrupt"),
    ID(nv_chip_engine, fault_id, 0x7ff, "its id at the MMU"),
    HEX(nv_chip_engine, pri_base, 0, 0x3ffff00, NULL, "address of its registers in BAR0; 0: none"),
    NUMBER(nv_chip_engine, rleng_id, 0, 3, NULL, "index among its runlist's engines"),
    {0},
};
#define SWITCH(member, text) NUMBER(nv_chip_switch, member, 0, 1000000000, "context switch", text)
static const struct chip_field switch_fields[] = {
    SWITCH(save_cycles, "nv.gr.context_save_cycles"),
    SWITCH(load_cycles, "nv.gr.context_load_cycles; 0: not known, this and the others are carried over from an H100 by the number of SMs and the clock"),
    SWITCH(save_ps_per_kib, "nv.gr.save_ps_per_kib"),
    SWITCH(load_ps_per_kib, "nv.gr.load_ps_per_kib"),
    SWITCH(warps_ps_per_kib, "the same of shared memory, of its own warps"),
    SWITCH(warp_alone_ps_per_kib, "the same where one warp is alone"),
    SWITCH(stop_ps, "nv.gr.stop_ps: how long work runs on when its slice is over"),
    {0},
};
static const struct chip_field class_fields[] = {
    CLASS("host", class_host, "of channels"),
    CLASS("compute", class_compute, "of compute"),
    CLASS("3d", class_3d, "of graphics"),
    CLASS("2d", class_2d, "of 2D"),
    CLASS("inline", class_inline, "of inline to memory"),
    CLASS("copy", class_copy, "of copy engines"),
    {.name = "copy_older", .kind = CHIP_NUMBER, OF(nv_chip, class_copy_older), .most = 0xffff,
     .is_hex = true, .may_lack = true, .doc = "another class that copy engines accept"},
    {0},
};
#define LIST(key, member, low, high, count, of, element_fields, text)                              \
    {.name = key, .kind = CHIP_LIST, .at = offsetof(struct nv_chip, member),                       \
     .bytes = sizeof(((struct nv_chip *)0)->member[0]), .least = (low), .most = (high),            \
     .count_at = (count), .fields = (element_fields), .figure = (of), .doc = (text)}
#define COUNT(member) offsetof(struct nv_chip, member)

const struct chip_field nv_chip_fields[] = {
    TEXT(nv_chip, name, "what gfe calls the GPU"),
    {.name = "alias", .kind = CHIP_TEXT, OF(nv_chip, alias), .may_lack = true, .doc = "another name for it"},
    {.name = "card", .kind = CHIP_TEXT, OF(nv_chip, title), .doc = "the vendor's name for it"},
    TEXT(nv_chip, chip, "the chip's name, by which gfe tells where a rule was seen"),
    HEX(nv_chip, chip_id, 1, 0x1ff, NULL, "the chip's number in PMC_BOOT_42"),
    HEX(nv_chip, pci_id, 0, UINT32_MAX, "PCI id", "vendor and device; 0 if it is not on PCI"),
    MEMORY(nv_chip, vram_bytes, "video memory", "video memory"),
    MEMORY(nv_chip, sysmem_bytes, "system memory", "memory of the host"),
    NUMBER(nv_chip, sm_hz, MHZ, 10000 * MHZ, "graphics clock", "clock of SMs"),
    NUMBER(nv_chip, host_hz, MHZ, 10000 * MHZ, "host clock", "clock of the front end"),
    NUMBER(nv_chip, pce_bytes_per_second, MB, 100000000 * MB, "copy engine rate", "rate of a physical copy engine"),
    NUMBER(nv_chip, system_bytes_per_second, MB, 100000000 * MB, "link to system memory", "rate of the link, each direction"),
    NUMBER(nv_chip, local_bytes_per_second, MB, 100000000 * MB, "memory bandwidth", "rate of the GPU's memory, reading and writing together"),
    LIST("pce_to_lce", pce_to_lce, 1, NV_CHIP_PCES_MAX, COUNT(pce_count), "PCE to LCE", lce_fields, "for each PCE the LCE that it serves after a reset"),
    LIST("grces", grce, NV_CHIP_GRCES_MAX, NV_CHIP_GRCES_MAX, CHIP_LIST_IS_FULL, "GRCEs", grce_fields, "the copy engines of the graphics runlist"),
    NUMBER(nv_chip, gpc_count, 1, 32, "GPCs, TPCs", "GPCs of the product"),
    NUMBER(nv_chip, tpc_count, 1, EXEC_SMS_MAX - 1, "GPCs, TPCs", "TPCs of the product"),
    LIST("vgpc_tpcs", vgpc_tpcs, 0, NV_CHIP_VGPCS_MAX, COUNT(vgpc_count), "virtual GPCs", number_fields, "TPCs of each virtual GPC; empty: not known"),
    NUMBER(nv_chip, singleton_tpcs, 0, EXEC_SMS_MAX - 1, "virtual GPCs", "TPCs in no virtual GPC"),
    NUMBER(nv_chip, sm_count, 1, EXEC_SMS_MAX - 1, "SMs", "SMs of the product"),
    {.name = "sm", .kind = CHIP_GROUP, OF(nv_chip, sm), .fields = sm_fields, .doc = "limits of an SM"},
    {.name = "context_switch", .kind = CHIP_GROUP, OF(nv_chip, context_switch), .fields = switch_fields, .doc = "what a context switch takes"},
    NUMBER(nv_chip, launch_cycles, 0, 1000000000, "launch", "nv.launch_cycles; 0: that of the tables"),
    NUMBER(nv_chip, copy_setup_cycles, 0, 1000000000, "set-up of a copy", "core.copy_setup_cycles; 0: that of the tables"),
    FLAG(nv_chip, holds_split, NULL, "nv.sm_split is held unless told otherwise"),
    FLAG(nv_chip, passes_masked, NULL, "core.masked_grids is passed unless told otherwise"),
    NUMBER(nv_chip, channel_count, 64, 4096, "channels", "channels of the chip; from Ampere on of each runlist"),
    LIST("pbdma_runlists", pbdma_runlists, 1, NV_CHIP_PBDMAS_MAX, COUNT(pbdma_count), "PBDMA", pbdma_fields, "for each PBDMA the runlists that it serves"),
    LIST("runlists", runlists, 1, NV_CHIP_RUNLISTS_MAX, COUNT(runlist_count), "runlists", runlist_fields, "the runlists by number"),
    LIST("engines", engines, 1, NV_CHIP_ENGINES_MAX, COUNT(engine_count), "engines", engine_fields, "the engines in the order of PTOP's rows"),
    {.name = "classes", .kind = CHIP_GROUP, .at = 0, .bytes = sizeof(struct nv_chip), .fields = class_fields, .doc = "the classes that channels and engines accept"},
    LIST("figures", figures, 0, CHIP_FIGURES_MAX - 1, CHIP_LIST_HAS_NULL, NULL, chip_figure_fields, "what the figures rest on"),
    {0},
};
/* clang-format on */

void nv_chip_complete(struct nv_chip *chip)
{
    chip->wire = nv_gpu_wire;
    chip->unwire = nv_gpu_unwire;
    chip->costs = nv_gpu_costs;
}
