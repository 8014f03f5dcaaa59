# SPDX-License-Identifier: MIT

core_files += \
	%D%/bus_build.c \
	%D%/bus_build.h
