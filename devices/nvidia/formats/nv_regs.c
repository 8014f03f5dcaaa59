/* SPDX-License-Identifier: MIT */
/* The register lists as data, for registers' storage, decoding and `gfe regs`. */
#include <config.h>

#include "devices/nvidia/formats/nv_ce_regs.h"
#include "devices/nvidia/formats/nv_fault_regs.h"
#include "devices/nvidia/formats/nv_fe_regs.h"
#include "devices/nvidia/formats/nv_generation.h"
#include "devices/nvidia/formats/nv_intr_regs.h"
#include "devices/nvidia/formats/nv_pbdma_regs.h"
#include "devices/nvidia/formats/nv_ram.h"
#include "devices/nvidia/formats/nv_regs.h"
#include "devices/nvidia/formats/nv_runlist_regs.h"

#define FIFO_MANUAL                                                                                \
    "open-gpu-doc gv100/dev_fifo.ref.txt, tu104/dev_fifo.ref.txt; nvgpu hw_fifo_gp106.h, "         \
    "hw_fifo_gp10b.h @6ecfb593"
#define RAM_MANUAL "open-gpu-doc tu104/dev_ram.ref.txt; nvgpu hw_ram_gp10b.h @6ecfb593"

#define ROWS(unit, list)                                                                           \
    static const struct reg_row unit##_rows[] = {list(REG_ROW, FIELD_ROW, VALUE_ROW)}
#define LIST_OF(unit, generations, is_complete, manual)                                            \
    const struct reg_list unit##_list = {                                                          \
        .name = #unit,                                                                             \
        .source = manual,                                                                          \
        .rows = unit##_rows,                                                                       \
        .row_count = sizeof unit##_rows / sizeof unit##_rows[0],                                   \
        .variants = (generations),                                                                 \
        .complete = (is_complete),                                                                 \
        .variant_names = nv_generation_names,                                                      \
    }
#define LIST(unit, manual)                       LIST_OF(unit, NV_ALL_GENERATIONS, false, manual)
#define COMPLETE_LIST(unit, generations, manual) LIST_OF(unit, generations, true, manual)

/* Lists of registers that only some generations have.  Their reset values, and the bits that they
 * keep, depend on the engines of the chip's model. */
#define COPY_LIST(unit, generations, manual)                                                       \
    const struct reg_list unit##_list = {                                                          \
        .name = #unit,                                                                             \
        .source = manual,                                                                          \
        .rows = unit##_rows,                                                                       \
        .row_count = sizeof unit##_rows / sizeof unit##_rows[0],                                   \
        .variants = (generations),                                                                 \
        .variant_names = nv_generation_names,                                                      \
    }

ROWS(nv_pmc, NV_PMC_REGS);
ROWS(nv_runlist, NV_RUNLIST_REGS);
ROWS(nv_chram, NV_CHRAM_REGS);
ROWS(nv_virtual_function, NV_VIRTUAL_FUNCTION_REGS);
ROWS(nv_ctrl, NV_CTRL_REGS);
ROWS(nv_pfifo, NV_PFIFO_REGS);
ROWS(nv_pccsr, NV_PCCSR_REGS);
ROWS(nv_usermode, NV_USERMODE_REGS);
ROWS(nv_pbdma, NV_PBDMA_REGS);
ROWS(nv_ce, NV_CE_REGS);
ROWS(nv_ce_gv100, NV_CE_GV100_REGS);
ROWS(nv_ce_ga100, NV_CE_GA100_REGS);
ROWS(nv_pce, NV_CE_PCE_REGS);
ROWS(nv_lce, NV_CE_LCE_REGS);
ROWS(nv_ce_gk104, NV_CE_GK104_REGS);
ROWS(nv_pgraph, NV_PGRAPH_REGS);
ROWS(nv_ramuserd, NV_RAMUSERD_REGS);
ROWS(nv_ramin, NV_RAMIN_REGS);
ROWS(nv_ramrl, NV_RAMRL_REGS);
ROWS(nv_ramrl_gv100, NV_RAMRL_GV100_REGS);
ROWS(nv_pfb, NV_PFB_REGS);
static const struct reg_row nv_pfb_gv100_rows[] = {
    NV_PFB_REGS(REG_ROW, FIELD_ROW, VALUE_ROW) NV_PFB_GV100_REGS(REG_ROW, FIELD_ROW, VALUE_ROW)};
ROWS(nv_virtual_function_mmu, NV_VIRTUAL_FUNCTION_MMU_REGS);
ROWS(nv_mmu_fault_buf, NV_MMU_FAULT_BUF_REGS);

LIST(nv_pmc, "envytools rnndb/nv_mc.xml; nouveau gm200.c @0fc72ee9");
COMPLETE_LIST(nv_pfifo, NV_UP_TO_TURING, FIFO_MANUAL);
COMPLETE_LIST(nv_pccsr, NV_UP_TO_TURING,
              "open-gpu-doc gv100/dev_fifo.ref.txt; nvgpu hw_ccsr_gp106.h @6ecfb593");
COMPLETE_LIST(nv_usermode, NV_FROM_VOLTA,
              "open-gpu-doc gv100/dev_usermode.ref.txt, tu104/dev_usermode.ref.txt, "
              "ga100/dev_ctrl.ref.txt");
COMPLETE_LIST(nv_runlist, NV_FROM_AMPERE, "open-gpu-doc ga100/dev_runlist.ref.txt");
COMPLETE_LIST(nv_chram, NV_FROM_AMPERE, "open-gpu-doc ga100/dev_runlist.ref.txt");
COMPLETE_LIST(nv_virtual_function, NV_FROM_TURING,
              "open-gpu-doc tu104/dev_vm.ref.txt, ga100/dev_vm.ref.txt");
COMPLETE_LIST(nv_ctrl, NV_FROM_TURING,
              "open-gpu-doc tu104/dev_ctrl.ref.txt, ga100/dev_ctrl.ref.txt");
LIST(nv_pbdma, "open-gpu-doc gv100/dev_pbdma.ref.txt; nvgpu hw_pbdma_gp106.h @6ecfb593");
COPY_LIST(nv_ce, NV_PASCAL,
          "open-gpu-doc tu104/dev_ce.ref.txt; nvdebug copy topology (Pascal's addresses)");
COPY_LIST(nv_ce_gv100, NV_VOLTA_AND_TURING, "open-gpu-doc tu104/dev_ce.ref.txt");
COPY_LIST(nv_ce_ga100, NV_FROM_AMPERE,
          "open-gpu-doc ga102/dev_ce.ref.txt; open RM dev_ce_base.h @df1c9a3d");
COPY_LIST(nv_pce, NV_FROM_PASCAL, "open-gpu-doc tu104/dev_ce.ref.txt, ga102/dev_ce.ref.txt");
COPY_LIST(nv_ce_gk104, NV_UP_TO_MAXWELL, "nouveau ce/gk104.c @02d8f11d");
COPY_LIST(nv_lce, NV_FROM_PASCAL,
          "open-gpu-doc tu104/dev_ce.ref.txt, ga102/dev_ce.ref.txt; nvgpu hw_ce_gp106.h @6ecfb593");
LIST(nv_pgraph, "nvgpu hw_gr_gp106.h @6ecfb593");
LIST(nv_ramuserd, RAM_MANUAL);
LIST(nv_ramin, RAM_MANUAL);
LIST_OF(nv_ramrl, NV_UP_TO_PASCAL, false, RAM_MANUAL "; nouveau gk110.c @0604aa87");
LIST_OF(nv_ramrl_gv100, NV_FROM_VOLTA, false,
        "open-gpu-doc gv100/dev_ram.ref.txt, tu104/dev_ram.ref.txt, ga100/dev_ram.ref.txt");
LIST_OF(nv_pfb, NV_UP_TO_PASCAL, false,
        "open-gpu-kernel-modules pascal/gp100/dev_fb.h @df1c9a3d; nvgpu hw_fb_gp106.h @6ecfb593");
LIST_OF(nv_pfb_gv100, NV_VOLTA, false,
        "open-gpu-kernel-modules volta/gv100/dev_fb.h @df1c9a3d; nvgpu hw_fb_gv11b.h @6ecfb593");
LIST_OF(nv_virtual_function_mmu, NV_FROM_TURING, false,
        "open-gpu-kernel-modules turing/tu102/dev_vm.h @df1c9a3d");
LIST_OF(nv_mmu_fault_buf, NV_FROM_VOLTA, false,
        "open-gpu-doc gv100/dev_mmu_fault.ref.txt, tu104/dev_mmu_fault.ref.txt");
