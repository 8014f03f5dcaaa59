# SPDX-License-Identifier: MIT

core_files += \
	%D%/record_kfd.c \
	%D%/record_kfd.h \
	%D%/record_kfd_aql.c \
	%D%/record_kfd_blit.c \
	%D%/record_kfd_board.c \
	%D%/record_kfd_board.h \
	%D%/record_kfd_drm.c \
	%D%/record_kfd_event.c \
	%D%/record_kfd_live.c \
	%D%/record_kfd_live.h \
	%D%/record_kfd_memory.c \
	%D%/record_kfd_pass.c \
	%D%/record_kfd_pass.h \
	%D%/record_kfd_pass_complete.c \
	%D%/record_kfd_pass_private.h \
	%D%/record_kfd_private.h \
	%D%/record_kfd_probe.c \
	%D%/record_kfd_probe.h \
	%D%/record_kfd_queue.c \
	%D%/record_kfd_sdma.c \
	%D%/record_kfd_store.c \
	%D%/record_kfd_store.h \
	%D%/record_kfd_tell.c \
	%D%/record_kfd_tree.c \
	%D%/record_kfd_tree.h \
	%D%/record_kfd_uapi.h

# Also in the libraries that are preloaded into a recorded program, which are linked with nothing of
# libgfe: name every file that they need, also those of other folders.
preload_files += \
	%D%/record_kfd_blit.c \
	%D%/record_kfd_board.c \
	%D%/record_kfd_drm.c \
	%D%/record_kfd_live.c \
	%D%/record_kfd_pass.c \
	%D%/record_kfd_pass_complete.c \
	%D%/record_kfd_store.c \
	%D%/record_kfd_tell.c \
	%D%/record_kfd_tree.c

# Compiled for each of these libraries anew: they look at RECORD_BROKEN, RECORD_UNDER or RECORD_LIVE,
# themselves or through record_step.h or record_preload.h.
preload_own_files += \
	%D%/record_kfd.c \
	%D%/record_kfd_aql.c \
	%D%/record_kfd_event.c \
	%D%/record_kfd_memory.c \
	%D%/record_kfd_queue.c \
	%D%/record_kfd_sdma.c
