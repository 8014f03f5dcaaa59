/* SPDX-License-Identifier: MIT */
/* Files of measurements as texts, unpacked if they are packed. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "emu/base/input.h"
#include "emu/fit/measured_private.h"

enum { GZIP_WINDOW = 15 + 16, FIRST_BYTES = 1 << 16 }; /* zlib.h, inflateInit2() */

static bool is_packed(const char *text, size_t bytes)
{
    return bytes > 2 && (uint8_t)text[0] == 0x1f && (uint8_t)text[1] == 0x8b; /* RFC 1952 */
}

/* Doubles the room for the text that is unpacked.  Returns false with a message. */
static bool more_room(char **text, size_t *room, const char *path, struct gfe_error *error)
{
    const size_t wanted = *room ? 2 * *room : FIRST_BYTES;
    char *grown;

    if (wanted > FIT_FILE_BYTES_MAX)
        return error_set(error, ERROR_LIMIT, "%s: more than %d bytes unpacked", path,
                         FIT_FILE_BYTES_MAX);
    grown = realloc(*text, wanted + 1);
    if (!grown)
        return error_set_errno(error, ENOMEM, "%s", path);
    *text = grown;
    *room = wanted;
    return true;
}

static char *unpack(const char *packed, size_t packed_bytes, const char *path, size_t *bytes,
                    struct gfe_error *error)
{
    z_stream stream = {.next_in = (Bytef *)(uintptr_t)packed, .avail_in = (uInt)packed_bytes};
    char *text = NULL;
    size_t room = 0;
    int state = inflateInit2(&stream, GZIP_WINDOW);
    bool good = state == Z_OK || error_set_errno(error, ENOMEM, "%s", path);

    while (good && state == Z_OK) {
        if (stream.total_out == room && !more_room(&text, &room, path, error)) {
            good = false;
            break;
        }
        stream.next_out = (Bytef *)text + stream.total_out;
        stream.avail_out = (uInt)(room - stream.total_out);
        state = inflate(&stream, Z_NO_FLUSH);
        if (state == Z_BUF_ERROR && stream.avail_in > 0)
            state = Z_OK;
    }
    if (good && state != Z_STREAM_END)
        good =
            error_set(error, ERROR_INPUT, "%s: damaged, or cut off: gzip cannot unpack it", path);
    *bytes = stream.total_out;
    (void)inflateEnd(&stream);
    if (!good) {
        free(text);
        return NULL;
    }
    text[*bytes] = '\0';
    return text;
}

char *fit_file_text(const char *path, size_t *bytes, struct gfe_error *error)
{
    char *text = input_load(path, input_fixed(FIT_FILE_BYTES_MAX), bytes, error), *unpacked;

    if (!text || !is_packed(text, *bytes))
        return text;
    unpacked = unpack(text, *bytes, path, bytes, error);
    free(text);
    return unpacked;
}
