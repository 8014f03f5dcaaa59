# SPDX-License-Identifier: MIT

core_files += \
	%D%/amdgpu.c \
	%D%/amdgpu.h \
	%D%/amdgpu_lines.h \
	%D%/amdgpu_tables.c \
	%D%/amdgpu_tables.h \
	%D%/kfd.c \
	%D%/kfd.h \
	%D%/kfd_cu_mask.c \
	%D%/kfd_cu_mask.h \
	%D%/kfd_evict.c \
	%D%/kfd_hiq.c \
	%D%/kfd_hqd.c \
	%D%/kfd_lines.h \
	%D%/kfd_mqd.c \
	%D%/kfd_mqd.h \
	%D%/kfd_open.c \
	%D%/kfd_queue.c \
	%D%/kfd_reset.c \
	%D%/kfd_runlist.c \
	%D%/kfd_runlist.h \
	%D%/kfd_sdma.c \
	%D%/kfd_tables.c \
	%D%/kfd_tables.h \
	%D%/kfd_userptr.c
