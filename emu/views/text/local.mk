# SPDX-License-Identifier: MIT

core_files += \
	%D%/show_text.c \
	%D%/show_text.h \
	%D%/show_text_legend.c \
	%D%/show_text_private.h \
	%D%/show_text_row.c
