# SPDX-License-Identifier: MIT

core_files += \
	%D%/record_directory.c \
	%D%/record_directory.h \
	%D%/record_drm_uapi.h \
	%D%/record_finish.c \
	%D%/record_finish.h \
	%D%/record_live.c \
	%D%/record_live.h \
	%D%/record_memory.c \
	%D%/record_memory.h \
	%D%/record_memory_files.c \
	%D%/record_out.c \
	%D%/record_out.h \
	%D%/record_parts.c \
	%D%/record_parts.h \
	%D%/record_preload.h \
	%D%/record_program.c \
	%D%/record_program.h \
	%D%/record_recover.c \
	%D%/record_recover.h \
	%D%/record_run.c \
	%D%/record_run.h \
	%D%/record_saved.c \
	%D%/record_saved.h \
	%D%/record_say.c \
	%D%/record_say.h \
	%D%/record_shared.c \
	%D%/record_shared.h \
	%D%/record_state_file.c \
	%D%/record_state_file.h \
	%D%/record_step.h \
	%D%/record_tree.c \
	%D%/record_tree.h \
	%D%/record_tree_files.h \
	%D%/record_user.c \
	%D%/record_user.h \
	%D%/record_wait.c \
	%D%/record_wait.h

# Also in the libraries that are preloaded into a recorded program, which are linked with nothing of
# libgfe: name every file that they need, also those of other folders.
preload_files += \
	devices/nvidia/formats/nv_header.c \
	emu/base/deflate.c \
	emu/base/error.c \
	emu/base/handoff.c \
	emu/base/text.c \
	emu/base/visible.c \
	emu/log/chunk.c \
	%D%/record_memory_files.c \
	%D%/record_own_fd.c \
	%D%/record_own_fd.h \
	%D%/record_process.h \
	%D%/record_process_kfd.h \
	%D%/record_process_kfd_pass.c \
	%D%/record_process_pass.c \
	%D%/record_process_state.h \
	%D%/record_saved.c \
	%D%/record_shared.c \
	%D%/record_state_file.c \
	%D%/record_tree.c \
	%D%/record_user.c

# Compiled for each of these libraries anew: they look at RECORD_BROKEN, RECORD_UNDER or RECORD_LIVE,
# themselves or through record_step.h or record_preload.h.
preload_own_files += \
	%D%/record_exit.c \
	%D%/record_hooks.c \
	%D%/record_memory.c \
	%D%/record_out.c \
	%D%/record_preload.c \
	%D%/record_process.c \
	%D%/record_process_gpu.c \
	%D%/record_process_kfd.c \
	%D%/record_process_kfd_trap.c \
	%D%/record_process_part.c
