# SPDX-License-Identifier: MIT

core_files += \
	%D%/bare.c \
	%D%/bare.h \
	%D%/bare_channel.c \
	%D%/bare_memory.c \
	%D%/bare_tables.c \
	%D%/bare_tables.h
