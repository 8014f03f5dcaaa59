# SPDX-License-Identifier: MIT

core_files += \
	%D%/show.c \
	%D%/show.h \
	%D%/show_amd.c \
	%D%/show_amd.h \
	%D%/show_build.c \
	%D%/show_csv.c \
	%D%/show_csv.h \
	%D%/show_events.c \
	%D%/show_events.h \
	%D%/show_lists.c \
	%D%/show_lists.h \
	%D%/show_name.c \
	%D%/show_place.c \
	%D%/show_private.h \
	%D%/show_runlist.c \
	%D%/show_scale.c \
	%D%/show_scale.h \
	%D%/show_stack.c \
	%D%/show_stack.h \
	%D%/show_suspend.c \
	%D%/show_take.c
