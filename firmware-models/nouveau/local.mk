# SPDX-License-Identifier: MIT

core_files += \
	%D%/nouveau.c \
	%D%/nouveau.h \
	%D%/nouveau_bind.c \
	%D%/nouveau_channel.c \
	%D%/nouveau_chip.c \
	%D%/nouveau_chip.h \
	%D%/nouveau_fault.c \
	%D%/nouveau_fence.c \
	%D%/nouveau_fence.h \
	%D%/nouveau_interrupt.c \
	%D%/nouveau_job.c \
	%D%/nouveau_job.h \
	%D%/nouveau_lines.h \
	%D%/nouveau_memory.c \
	%D%/nouveau_overwrite.c \
	%D%/nouveau_recover.c \
	%D%/nouveau_submit.c \
	%D%/nouveau_syncobj.c \
	%D%/nouveau_tables.c \
	%D%/nouveau_tables.h \
	%D%/nouveau_top.c
