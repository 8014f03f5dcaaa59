# SPDX-License-Identifier: MIT

core_files += \
	%D%/import_bus.c \
	%D%/import_bus.h \
	%D%/import_nvt.c \
	%D%/import_nvt.h \
	%D%/import_nvt_memory.c \
	%D%/import_nvt_memory.h \
	%D%/import_nvt_private.h \
	%D%/import_nvt_vm.c \
	%D%/import_raw.c \
	%D%/import_raw.h \
	%D%/import_raw_channel.c \
	%D%/import_raw_private.h
