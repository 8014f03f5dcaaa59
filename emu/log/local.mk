# SPDX-License-Identifier: MIT

core_files += \
	%D%/chunk.c \
	%D%/chunk.h \
	%D%/chunk_private.h \
	%D%/chunk_reader.c \
	%D%/chunk_salvage.c \
	%D%/chunk_salvage.h \
	%D%/event_fields.c \
	%D%/event_fields.h \
	%D%/event_line.c \
	%D%/event_line.h \
	%D%/event_list.c \
	%D%/event_list.h \
	%D%/event_log.c \
	%D%/event_log.h \
	%D%/event_log_ahead.c \
	%D%/event_log_ahead.h \
	%D%/event_log_batch.c \
	%D%/event_log_batch.h \
	%D%/event_log_encode.h \
	%D%/event_log_head.c \
	%D%/event_log_head.h \
	%D%/event_log_reader.c \
	%D%/event_log_reader.h \
	%D%/event_log_tables.c \
	%D%/event_loss.h \
	%D%/event_struct.h \
	%D%/gpu_words.c \
	%D%/gpu_words.h \
	%D%/program.c \
	%D%/program.h \
	%D%/rule.c \
	%D%/rule.h
