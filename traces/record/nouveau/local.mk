# SPDX-License-Identifier: MIT

core_files += \
	%D%/record_bind.c \
	%D%/record_board.c \
	%D%/record_board.h \
	%D%/record_exec.c \
	%D%/record_file.c \
	%D%/record_nouveau.c \
	%D%/record_nouveau.h \
	%D%/record_nouveau_live.c \
	%D%/record_nouveau_live.h \
	%D%/record_nouveau_private.h \
	%D%/record_nvif.c \
	%D%/record_object.c \
	%D%/record_pass.c \
	%D%/record_pass.h \
	%D%/record_pass_complete.c \
	%D%/record_pass_mark.c \
	%D%/record_pass_memory.c \
	%D%/record_pass_object.c \
	%D%/record_pass_state.h \
	%D%/record_pass_probe.c \
	%D%/record_pass_probe.h \
	%D%/record_pass_submit.c \
	%D%/record_pass_sync.c \
	%D%/record_prime.c \
	%D%/record_submit.c \
	%D%/record_sync.c \
	%D%/record_sync.h \
	%D%/record_sync_wait.c \
	%D%/record_syncobj.c \
	%D%/record_syncobj.h \
	%D%/record_uapi.h \
	%D%/record_vm.c \
	%D%/record_vm.h \
	%D%/record_walk.c \
	%D%/record_walk.h

# Also in the libraries that are preloaded into a recorded program, which are linked with nothing of
# libgfe: name every file that they need, also those of other folders.
preload_files += \
	%D%/record_bind.c \
	%D%/record_board.c \
	%D%/record_exec.c \
	%D%/record_file.c \
	%D%/record_nouveau_live.c \
	%D%/record_nvif.c \
	%D%/record_pass.c \
	%D%/record_pass_complete.c \
	%D%/record_pass_mark.c \
	%D%/record_pass_memory.c \
	%D%/record_pass_object.c \
	%D%/record_pass_submit.c \
	%D%/record_pass_sync.c \
	%D%/record_prime.c \
	%D%/record_submit.c \
	%D%/record_sync.c \
	%D%/record_sync_wait.c \
	%D%/record_syncobj.c \
	%D%/record_vm.c \
	%D%/record_walk.c

# Compiled for each of these libraries anew: they look at RECORD_BROKEN, RECORD_UNDER or RECORD_LIVE,
# themselves or through record_step.h or record_preload.h.
preload_own_files += \
	%D%/record_nouveau.c \
	%D%/record_object.c
