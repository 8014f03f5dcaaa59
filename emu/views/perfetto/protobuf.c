/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/perfetto/protobuf.h"

#include <stdlib.h>

#include "emu/base/text.h"

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

uint8_t *protobuf_string(uint8_t *to, uint32_t field, const char *text, size_t limit)
{
    const uint8_t *from = (const uint8_t *)text;
    uint8_t *const inside = protobuf_open(to, field);

    to = inside;
    while (*from) {
        const size_t bytes = *from < 0x80 ? 1 : text_utf8_bytes((const char *)from);
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
