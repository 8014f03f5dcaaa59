/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/perfetto/protobuf.h"

#include <stdlib.h>

bool protobuf_init(struct protobuf *out, FILE *file)
{
    *out = (struct protobuf){.file = file,
                             .bytes = malloc(PROTOBUF_BUFFER_BYTES + PROTOBUF_SPILL_BYTES)};
    out->at = out->bytes;
    out->full = out->bytes ? out->bytes + PROTOBUF_BUFFER_BYTES - PROTOBUF_MESSAGE_MAX : NULL;
    return out->bytes != NULL;
}

void protobuf_fini(struct protobuf *out)
{
    free(out->bytes);
    *out = (struct protobuf){0};
}

bool protobuf_flush(struct protobuf *out)
{
    const size_t bytes = (size_t)(out->at - out->bytes);

    if (!out->failed && fwrite(out->bytes, 1, bytes, out->file) != bytes)
        out->failed = true;
    out->flushed_bytes += bytes;
    out->at = out->bytes;
    return !out->failed;
}

/* Bytes of the character that begins here, 0 if it is none of UTF-8 (RFC 3629, section 4). */
static size_t utf8_bytes(const uint8_t *text)
{
    static const struct {
        uint8_t first, last, second_first, second_last, bytes;
    } rows[] = {
        {0x01, 0x7f, 0, 0, 1},       {0xc2, 0xdf, 0x80, 0xbf, 2}, {0xe0, 0xe0, 0xa0, 0xbf, 3},
        {0xe1, 0xec, 0x80, 0xbf, 3}, {0xed, 0xed, 0x80, 0x9f, 3}, {0xee, 0xef, 0x80, 0xbf, 3},
        {0xf0, 0xf0, 0x90, 0xbf, 4}, {0xf1, 0xf3, 0x80, 0xbf, 4}, {0xf4, 0xf4, 0x80, 0x8f, 4}};

    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        if (text[0] < rows[row].first || text[0] > rows[row].last)
            continue;
        if (rows[row].bytes > 1 &&
            (text[1] < rows[row].second_first || text[1] > rows[row].second_last))
            return 0;
        for (size_t i = 2; i < rows[row].bytes; i++)
            if (text[i] < 0x80 || text[i] > 0xbf)
                return 0;
        return rows[row].bytes;
    }
    return 0;
}

uint8_t *protobuf_string(uint8_t *to, uint32_t field, const char *text, size_t limit)
{
    const uint8_t *from = (const uint8_t *)text;
    uint8_t *const inside = protobuf_open(to, field);

    to = inside;
    while (*from) {
        const size_t bytes = utf8_bytes(from);
        if ((size_t)(to - inside) + (bytes ? bytes : 1) > limit)
            break;
        if (bytes)
            memcpy(to, from, bytes);
        else
            *to = '?';
        from += bytes ? bytes : 1;
        to += bytes ? bytes : 1;
    }
    return protobuf_close(inside, to);
}
