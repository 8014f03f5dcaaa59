# SPDX-License-Identifier: MIT

core_files += \
	%D%/cuda.c \
	%D%/cuda.h \
	%D%/cuda_channel.c \
	%D%/cuda_context.c \
	%D%/cuda_mps.c \
	%D%/cuda_place.c \
	%D%/cuda_program.h \
	%D%/cuda_push.c \
	%D%/cuda_push.h \
	%D%/cuda_qmd.c \
	%D%/cuda_route.c \
	%D%/cuda_shared.h \
	%D%/cuda_split.c \
	%D%/cuda_split.h \
	%D%/cuda_stream.c \
	%D%/cuda_submit.c \
	%D%/cuda_tables.c \
	%D%/cuda_tables.h \
	%D%/cuda_task.c
