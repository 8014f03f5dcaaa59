# SPDX-License-Identifier: MIT

core_files += \
	%D%/hash.c \
	%D%/hash.h \
	%D%/hash_trace.c \
	%D%/hash_trace.h \
	%D%/scrub_origin.c \
	%D%/scrub_origin.h \
	%D%/scrub_write.c \
	%D%/scrub_write.h \
	%D%/trace.h \
	%D%/trace_aql.c \
	%D%/trace_aql.h \
	%D%/trace_codec.c \
	%D%/trace_codec.h \
	%D%/trace_dump.c \
	%D%/trace_dump.h \
	%D%/trace_reader.c \
	%D%/trace_schema.c \
	%D%/trace_schema.h \
	%D%/trace_sdma.c \
	%D%/trace_sdma.h \
	%D%/trace_space.c \
	%D%/trace_space.h \
	%D%/trace_store.c \
	%D%/trace_store.h \
	%D%/trace_window.c \
	%D%/trace_window.h \
	%D%/trace_writer.c

# Also in the libraries that are preloaded into a recorded program, which are linked with nothing of
# libgfe: name every file that they need, also those of other folders.
preload_files += \
	%D%/trace_codec.c \
	%D%/trace_schema.c \
	%D%/trace_window.c \
	%D%/trace_writer.c
