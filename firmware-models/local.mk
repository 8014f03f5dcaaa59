# SPDX-License-Identifier: MIT

core_files += \
	%D%/driver.h \
	%D%/extent.c \
	%D%/extent.h
