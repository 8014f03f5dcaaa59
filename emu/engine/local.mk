# SPDX-License-Identifier: MIT

core_files += \
	%D%/address_space.c \
	%D%/address_space.h \
	%D%/arena.c \
	%D%/arena.h \
	%D%/arena_watch.c \
	%D%/arena_watch.h \
	%D%/event_queue.c \
	%D%/event_queue.h \
	%D%/event_queue_list.c \
	%D%/event_queue_list.h \
	%D%/event_queue_step.h \
	%D%/inspect.c \
	%D%/inspect.h \
	%D%/inspect_regs.c \
	%D%/inspect_regs.h \
	%D%/machine.c \
	%D%/machine.h \
	%D%/machine_mark.c \
	%D%/machine_mark.h \
	%D%/machine_memory.c \
	%D%/memory.c \
	%D%/memory.h \
	%D%/memory_private.h \
	%D%/memory_visit.c \
	%D%/mmio.c \
	%D%/mmio.h \
	%D%/passage.h \
	%D%/poke.c \
	%D%/poke.h \
	%D%/random.c \
	%D%/random.h \
	%D%/reg.c \
	%D%/reg.h \
	%D%/reg_assign.c \
	%D%/reg_assign.h \
	%D%/snapshot.c \
	%D%/snapshot.h \
	%D%/snapshot_file.c \
	%D%/snapshot_identity.c
