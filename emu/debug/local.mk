# SPDX-License-Identifier: MIT

core_files += \
	%D%/debug.c \
	%D%/debug.h \
	%D%/debug_command.c \
	%D%/debug_command.h \
	%D%/debug_help.c \
	%D%/debug_log.c \
	%D%/debug_look.c \
	%D%/debug_now.c \
	%D%/debug_place.c \
	%D%/debug_poke.c \
	%D%/debug_private.h \
	%D%/debug_run.c \
	%D%/debug_show.c \
	%D%/debug_slot.c \
	%D%/debug_stop.c \
	%D%/debug_stream.c \
	%D%/debug_why.c \
	%D%/inspection.c \
	%D%/inspection.h \
	%D%/inspection_private.h \
	%D%/inspection_rerun.c \
	%D%/inspection_scenario.c \
	%D%/kfd_inspect.c \
	%D%/kfd_inspect.h \
	%D%/kfd_inspect_print.c
