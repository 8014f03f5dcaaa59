# SPDX-License-Identifier: MIT

core_files += \
	%D%/rm.c \
	%D%/rm.h \
	%D%/rm_channel.c \
	%D%/rm_chip.c \
	%D%/rm_chip.h \
	%D%/rm_context.c \
	%D%/rm_context_init.c \
	%D%/rm_gr.c \
	%D%/rm_interrupt.c \
	%D%/rm_lines.h \
	%D%/rm_recover.c \
	%D%/rm_reset.c \
	%D%/rm_runlist.c \
	%D%/rm_software.c \
	%D%/rm_tables.c \
	%D%/rm_tables.h \
	%D%/rm_timeout.c \
	%D%/rm_top.c \
	%D%/rm_xid.c \
	%D%/rm_xid.h \
	%D%/rm_xid_gr.c \
	%D%/rm_xid_host.c \
	%D%/rm_xid_nouveau.c
