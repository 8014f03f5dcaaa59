# SPDX-License-Identifier: MIT

core_files += \
	%D%/show_vcd.c \
	%D%/show_vcd.h \
	%D%/show_vcd_front.c \
	%D%/show_vcd_private.h \
	%D%/show_vcd_signal.c \
	%D%/show_vcd_take.c
