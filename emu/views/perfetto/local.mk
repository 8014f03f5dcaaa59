# SPDX-License-Identifier: MIT

core_files += \
	%D%/perfetto.c \
	%D%/perfetto.h \
	%D%/protobuf.c \
	%D%/protobuf.h \
	%D%/show_perfetto.c \
	%D%/show_perfetto.h \
	%D%/show_perfetto_amd.c \
	%D%/show_perfetto_block.c \
	%D%/show_perfetto_channel.c \
	%D%/show_perfetto_private.h \
	%D%/show_perfetto_program.c \
	%D%/show_perfetto_table.c \
	%D%/show_perfetto_track.c \
	%D%/show_perfetto_wait.c \
	%D%/show_perfetto_work.c
