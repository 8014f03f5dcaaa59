# SPDX-License-Identifier: MIT

core_files += \
	%D%/account.c \
	%D%/account.h \
	%D%/bus_program.c \
	%D%/bus_program.h \
	%D%/invariant.c \
	%D%/invariant.h \
	%D%/invariant_opinion.c \
	%D%/invariant_private.h \
	%D%/invariant_put.c \
	%D%/invariant_room.c \
	%D%/invariant_same.c \
	%D%/invariant_turns.c \
	%D%/invariant_waits.c \
	%D%/invariant_work.c \
	%D%/selftest.c \
	%D%/selftest.h \
	%D%/shrink.c \
	%D%/tally.c \
	%D%/tally.h \
	%D%/world.c \
	%D%/world.h \
	%D%/world_bus.c \
	%D%/world_bus.h \
	%D%/world_bus_text.c \
	%D%/world_cuda.c \
	%D%/world_disturb.c \
	%D%/world_file.c \
	%D%/world_hip.c \
	%D%/world_load.c \
	%D%/world_load.h \
	%D%/world_make.c \
	%D%/world_make.h \
	%D%/world_run.c
