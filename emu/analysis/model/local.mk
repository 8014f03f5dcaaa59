# SPDX-License-Identifier: MIT

core_files += \
	%D%/model.c \
	%D%/model.h \
	%D%/model_fold.c \
	%D%/model_list.h \
	%D%/model_live.c \
	%D%/model_live.h \
	%D%/model_members.h \
	%D%/model_private.h
