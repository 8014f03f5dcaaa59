/* SPDX-License-Identifier: MIT */
/*
 * Streams whose text stays in memory, whole or not at all.
 *
 * Streams of open_memstream() are not used, because they can fail silently when memory gets short
 * (glibc 2.36).  A piece that finds no room is lost, and neither ferror() nor fclose() tells.
 * fclose() itself can leave no text, and succeed.
 */
#ifndef GFE_EMU_BASE_TEXT_STREAM_H
#define GFE_EMU_BASE_TEXT_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* What a stream writes to, and only the functions here look into. */
struct text_stream {
    char *text;
    size_t used, room;
    bool failed;
};

/* Opens a stream.  `stream` has to stay where it is until the stream is closed.  Returns NULL when
 * memory is short. */
FILE *text_stream_open(struct text_stream *stream);
/* Closes the stream.  Returns its text, which the caller frees.  Returns NULL when memory was short
 * at any time, or when `file` is NULL. */
char *text_stream_close(struct text_stream *stream, FILE *file);

#endif
