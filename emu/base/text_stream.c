/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/text_stream.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_STREAM_BYTES = 256 };

/* Makes room for `bytes` further bytes and for the zero after the text. */
static bool text_stream_grow(struct text_stream *stream, size_t bytes)
{
    const size_t room = 2 * (stream->used + bytes) + TEXT_STREAM_BYTES;
    char *text;

    if (bytes < stream->room - stream->used)
        return true;
    text = realloc(stream->text, room);
    if (!text)
        return false;
    stream->text = text;
    stream->room = room;
    return true;
}

/* After a piece was lost, none is taken. */
static ssize_t text_stream_write(void *cookie, const char *piece, size_t bytes)
{
    struct text_stream *stream = cookie;

    stream->failed = stream->failed || !text_stream_grow(stream, bytes);
    if (stream->failed)
        return 0;
    memcpy(stream->text + stream->used, piece, bytes);
    stream->used += bytes;
    return (ssize_t)bytes;
}

FILE *text_stream_open(struct text_stream *stream)
{
    *stream = (struct text_stream){0};
    return fopencookie(stream, "w", (cookie_io_functions_t){.write = text_stream_write});
}

char *text_stream_close(struct text_stream *stream, FILE *file)
{
    if (!file)
        return NULL;
    if (fclose(file) == 0 && !stream->failed && text_stream_grow(stream, 0)) {
        stream->text[stream->used] = '\0';
        return stream->text;
    }
    free(stream->text);
    return NULL;
}
