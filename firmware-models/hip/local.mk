# SPDX-License-Identifier: MIT

core_files += \
	%D%/hip_runtime.c \
	%D%/hip_runtime.h \
	%D%/hip_runtime_launch.c \
	%D%/hip_runtime_queue.c \
	%D%/hip_tables.c \
	%D%/hip_tables.h
