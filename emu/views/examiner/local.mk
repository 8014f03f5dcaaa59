# SPDX-License-Identifier: MIT

core_files += \
	%D%/show_examiner.c \
	%D%/show_examiner.h \
	%D%/show_examiner_live.c \
	%D%/show_examiner_live.h \
	%D%/show_examiner_print.c \
	%D%/show_examiner_private.h \
	%D%/show_examiner_take.c
