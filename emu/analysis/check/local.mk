# SPDX-License-Identifier: MIT

core_files += \
	%D%/check.c \
	%D%/check.h \
	%D%/check_block.c \
	%D%/check_client.c \
	%D%/check_cluster.c \
	%D%/check_copy.c \
	%D%/check_dispatch.c \
	%D%/check_dispatch.h \
	%D%/check_dispatch_cu.c \
	%D%/check_dispatch_queue.c \
	%D%/check_dma.c \
	%D%/check_mask.c \
	%D%/check_private.h \
	%D%/check_result.c \
	%D%/check_result.h \
	%D%/check_result_config.c \
	%D%/check_result_private.h \
	%D%/check_result_queue.c \
	%D%/check_result_sm.c \
	%D%/check_rotation.c \
	%D%/check_stream.c
