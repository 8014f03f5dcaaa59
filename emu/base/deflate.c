/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/base/deflate.h"

#include <assert.h>
#include <stdlib.h>

/* The preload library keeps to zlib: the fewer libraries in a recorded program, the better. */
#if defined HAVE_LIBDEFLATE && !defined DEFLATE_ZLIB_ONLY

#include <libdeflate.h>

#ifdef GFE_FUZZ
/* Stored only: making room for a compressor takes longer than a small input does. */
enum { DEFLATE_LEVEL = 0 };
#else
/* About what zlib's level 3 saves, three times as fast. */
enum { DEFLATE_LEVEL = 1 };
#endif

struct deflate_packer *deflate_packer_new(void)
{
    return (struct deflate_packer *)libdeflate_alloc_compressor(DEFLATE_LEVEL);
}

size_t deflate_bound(struct deflate_packer *packer, size_t raw_bytes)
{
    return libdeflate_zlib_compress_bound((struct libdeflate_compressor *)packer, raw_bytes);
}

size_t deflate_pack(struct deflate_packer *packer, uint8_t *to, const void *raw, size_t raw_bytes)
{
    const size_t bytes = libdeflate_zlib_compress((struct libdeflate_compressor *)packer, raw,
                                                  raw_bytes, to, deflate_bound(packer, raw_bytes));

    assert(bytes > 0); /* the bound promises the room */
    return bytes;
}

void deflate_packer_free(struct deflate_packer *packer)
{
    libdeflate_free_compressor((struct libdeflate_compressor *)packer);
}

struct deflate_unpacker *deflate_unpacker_new(void)
{
    return (struct deflate_unpacker *)libdeflate_alloc_decompressor();
}

bool deflate_unpack(struct deflate_unpacker *unpacker, const uint8_t *stored, size_t stored_bytes,
                    uint8_t *raw, size_t raw_bytes)
{
    size_t used, got;

    return libdeflate_zlib_decompress_ex((struct libdeflate_decompressor *)unpacker, stored,
                                         stored_bytes, raw, raw_bytes, &used,
                                         &got) == LIBDEFLATE_SUCCESS &&
           used == stored_bytes && got == raw_bytes;
}

void deflate_unpacker_free(struct deflate_unpacker *unpacker)
{
    libdeflate_free_decompressor((struct libdeflate_decompressor *)unpacker);
}

uint32_t deflate_crc(uint32_t crc, const void *data, size_t bytes)
{
    return libdeflate_crc32(crc, data, bytes);
}

#else

#include <zlib.h>

enum { DEFLATE_LEVEL = 3 }; /* storage only; the recorded program waits for it */

struct deflate_packer {
    z_stream stream;
};

struct deflate_unpacker {
    z_stream stream;
};

struct deflate_packer *deflate_packer_new(void)
{
    struct deflate_packer *packer = calloc(1, sizeof *packer);

    if (packer && deflateInit(&packer->stream, DEFLATE_LEVEL) == Z_OK)
        return packer;
    free(packer);
    return NULL;
}

size_t deflate_bound(struct deflate_packer *packer, size_t raw_bytes)
{
    return deflateBound(&packer->stream, (uLong)raw_bytes);
}

size_t deflate_pack(struct deflate_packer *packer, uint8_t *to, const void *raw, size_t raw_bytes)
{
    z_stream *stream = &packer->stream;
    const size_t bound = deflate_bound(packer, raw_bytes);
    int result;

    stream->next_in = (z_const Bytef *)raw;
    stream->avail_in = (uInt)raw_bytes;
    stream->next_out = to;
    stream->avail_out = (uInt)bound;
    result = deflate(stream, Z_FINISH);
    assert(result == Z_STREAM_END); /* the bound promises the room */
    (void)result;
    (void)deflateReset(stream);
    return bound - stream->avail_out;
}

void deflate_packer_free(struct deflate_packer *packer)
{
    if (packer)
        (void)deflateEnd(&packer->stream);
    free(packer);
}

struct deflate_unpacker *deflate_unpacker_new(void)
{
    struct deflate_unpacker *unpacker = calloc(1, sizeof *unpacker);

    if (unpacker && inflateInit(&unpacker->stream) == Z_OK)
        return unpacker;
    free(unpacker);
    return NULL;
}

bool deflate_unpack(struct deflate_unpacker *unpacker, const uint8_t *stored, size_t stored_bytes,
                    uint8_t *raw, size_t raw_bytes)
{
    z_stream *stream = &unpacker->stream;

    (void)inflateReset(stream);
    stream->next_in = (z_const Bytef *)stored;
    stream->avail_in = (uInt)stored_bytes;
    stream->next_out = raw;
    stream->avail_out = (uInt)raw_bytes + 1; /* the extra byte shows data that is too long */
    return inflate(stream, Z_FINISH) == Z_STREAM_END && stream->avail_in == 0 &&
           stream->avail_out == 1;
}

void deflate_unpacker_free(struct deflate_unpacker *unpacker)
{
    if (unpacker)
        (void)inflateEnd(&unpacker->stream);
    free(unpacker);
}

uint32_t deflate_crc(uint32_t crc, const void *data, size_t bytes)
{
    return (uint32_t)crc32_z(crc, data, bytes);
}

#endif
