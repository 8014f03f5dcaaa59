# SPDX-License-Identifier: MIT

core_files += \
	%D%/model.c \
	%D%/model.h \
	%D%/model_list.h
