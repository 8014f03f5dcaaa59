# SPDX-License-Identifier: MIT

core_files += \
	%D%/examiner_config.c \
	%D%/examiner_config.h \
	%D%/examiner_config_action.c \
	%D%/examiner_config_spot.h \
	%D%/examiner_config_spot.c \
	%D%/examiner_result.c \
	%D%/examiner_result.h \
	%D%/examiner_text.c \
	%D%/examiner_text.h \
	%D%/hip_config.c \
	%D%/hip_config.h \
	%D%/hip_result.c \
	%D%/hip_result.h
