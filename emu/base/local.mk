# SPDX-License-Identifier: MIT

core_files += \
	%D%/args.c \
	%D%/args.h \
	%D%/clock.c \
	%D%/clock.h \
	%D%/csv.c \
	%D%/csv.h \
	%D%/deflate.c \
	%D%/deflate.h \
	%D%/digest.c \
	%D%/digest.h \
	%D%/error.c \
	%D%/error.h \
	%D%/handoff.c \
	%D%/handoff.h \
	%D%/id_map.c \
	%D%/id_map.h \
	%D%/input.c \
	%D%/input.h \
	%D%/json_text.c \
	%D%/json_text.h \
	%D%/limits.c \
	%D%/limits.h \
	%D%/markup.c \
	%D%/markup.h \
	%D%/mask128.h \
	%D%/often.h \
	%D%/opened.c \
	%D%/opened.h \
	%D%/output.c \
	%D%/output.h \
	%D%/retry.h \
	%D%/state.h \
	%D%/text.c \
	%D%/text.h \
	%D%/text_stream.c \
	%D%/text_stream.h \
	%D%/visible.c \
	%D%/visible.h
