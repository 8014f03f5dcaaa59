# SPDX-License-Identifier: MIT

core_files += \
	%D%/explain.c \
	%D%/explain.h \
	%D%/explain_against.c \
	%D%/explain_against.h \
	%D%/explain_build.c \
	%D%/explain_channel.c \
	%D%/explain_json.c \
	%D%/explain_life.c \
	%D%/explain_list.c \
	%D%/explain_name.c \
	%D%/explain_print.h \
	%D%/explain_private.h \
	%D%/explain_resident.c \
	%D%/explain_text.c \
	%D%/explain_work.c \
	%D%/operation_name.c \
	%D%/operation_name.h
