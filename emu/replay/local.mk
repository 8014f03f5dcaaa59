# SPDX-License-Identifier: MIT

core_files += \
	%D%/replay.c \
	%D%/replay.h \
	%D%/replay_bus.c \
	%D%/replay_bus.h \
	%D%/replay_check.c \
	%D%/replay_check.h \
	%D%/replay_fences.c \
	%D%/replay_fences.h \
	%D%/replay_input.c \
	%D%/replay_needs.c \
	%D%/replay_needs.h \
	%D%/replay_next.c \
	%D%/replay_next.h \
	%D%/replay_records.c \
	%D%/replay_records.h \
	%D%/replay_ring.c \
	%D%/replay_ring.h \
	%D%/replay_wait.c \
	%D%/replay_wait.h
