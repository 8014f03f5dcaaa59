# SPDX-License-Identifier: MIT

core_files += \
	%D%/summary.c \
	%D%/summary.h \
	%D%/summary_amd.c \
	%D%/summary_amd.h \
	%D%/summary_losses.c \
	%D%/summary_losses.h \
	%D%/summary_print.c \
	%D%/summary_private.h \
	%D%/summary_take.c \
	%D%/summary_tasks.c \
	%D%/summary_tasks.h
