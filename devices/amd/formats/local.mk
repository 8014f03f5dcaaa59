# SPDX-License-Identifier: MIT

core_files += \
	%D%/amd_aql.c \
	%D%/amd_aql.h \
	%D%/amd_compute_regs.h \
	%D%/amd_cp_regs.h \
	%D%/amd_decode.c \
	%D%/amd_decode.h \
	%D%/amd_effect.c \
	%D%/amd_effect.h \
	%D%/amd_hqd_regs.h \
	%D%/amd_ih_entry.c \
	%D%/amd_ih_entry.h \
	%D%/amd_ih_regs.h \
	%D%/amd_kernel.c \
	%D%/amd_kernel.h \
	%D%/amd_layout.c \
	%D%/amd_layout.h \
	%D%/amd_mqd.c \
	%D%/amd_mqd.h \
	%D%/amd_pm4.c \
	%D%/amd_pm4.h \
	%D%/amd_pm4_fields.h \
	%D%/amd_pm4_gfx10_fields.h \
	%D%/amd_regs.c \
	%D%/amd_sdma5_fields.h \
	%D%/amd_sdma6_fields.h \
	%D%/amd_sdma_fields.h \
	%D%/amd_sdma_mqd.c \
	%D%/amd_sdma_mqd.h \
	%D%/amd_sdma_packet.c \
	%D%/amd_sdma_packet.h \
	%D%/amd_sdma_regs.h \
	%D%/amd_variants.h \
	%D%/amd_vm_l2_regs.h
