# SPDX-License-Identifier: MIT

core_files += \
	%D%/diff.c \
	%D%/diff.h \
	%D%/hip_calls.c \
	%D%/hip_calls.h \
	%D%/inspect_queues.c \
	%D%/inspect_queues.h \
	%D%/inspect_queues_amd.c \
	%D%/inspect_queues_json.c \
	%D%/inspect_queues_print.c \
	%D%/inspect_queues_private.h \
	%D%/open_waits.c \
	%D%/open_waits.h \
	%D%/streams.c \
	%D%/streams.h
