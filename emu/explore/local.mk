# SPDX-License-Identifier: MIT

core_files += \
	%D%/block_order.c \
	%D%/block_order.h \
	%D%/block_order_count.c \
	%D%/block_order_judge.c \
	%D%/discriminate.c \
	%D%/discriminate.h \
	%D%/discriminate_compare.c \
	%D%/discriminate_config.c \
	%D%/discriminate_cuda.c \
	%D%/discriminate_cuda_text.h \
	%D%/discriminate_private.h \
	%D%/discriminate_run.c \
	%D%/discriminate_shapes.c \
	%D%/discriminate_why.c \
	%D%/explore.c \
	%D%/explore.h \
	%D%/hip_explore.c \
	%D%/hip_explore.h \
	%D%/responses.c \
	%D%/responses.h \
	%D%/scrub.c \
	%D%/scrub.h \
	%D%/scrub_plan.c
