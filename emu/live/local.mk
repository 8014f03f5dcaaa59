# SPDX-License-Identifier: MIT

core_files += \
	%D%/live_kfd.c \
	%D%/live_kfd.h \
	%D%/live_kfd_call.c \
	%D%/live_kfd_watch.c \
	%D%/live_machine.c \
	%D%/live_machine.h \
	%D%/live_nouveau.c \
	%D%/live_nouveau.h \
	%D%/live_rest.c \
	%D%/live_rest.h

# In libgfe-live.so alone.
live_files += \
	%D%/live_preload.c \
	%D%/live_preload.h \
	%D%/live_preload_kfd.c \
	%D%/live_preload_nouveau.c
