/* SPDX-License-Identifier: MIT */
/*
 * Protocol Buffers' wire format, written into a buffer that goes to a file whenever it is full.
 * The format is described in protobuf.dev, "Encoding".  This header has only what this program
 * writes: no groups, no packed fields, no floating point.
 *
 * A message is a row of fields, each a tag (number << 3 | type) and a value.  A message within a
 * message begins with its length.  protobuf_open() leaves two bytes for the length, which is filled
 * in once the message is complete, so that no bytes have to be moved.  A length below 128 then has
 * one byte more than it needs, which the format allows and every reader accepts.  Because of the
 * two bytes a message is shorter than PROTOBUF_MESSAGE_MAX.
 *
 * The functions that take `to` write there and return the address after their last byte.  They
 * check nothing: the caller must write at most PROTOBUF_MESSAGE_MAX after each protobuf_room().
 * From the returned address on, they may overwrite up to PROTOBUF_SPILL_BYTES without meaning.
 */
#ifndef GFE_EMU_VIEWS_PERFETTO_PROTOBUF_H
#define GFE_EMU_VIEWS_PERFETTO_PROTOBUF_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum protobuf_type { PROTOBUF_VARINT = 0, PROTOBUF_FIXED64 = 1, PROTOBUF_BYTES = 2 };

enum {
    PROTOBUF_MESSAGE_MAX = 1 << 14,
    PROTOBUF_VARINT_BYTES = 10,
    PROTOBUF_SPILL_BYTES = 16,
    PROTOBUF_BUFFER_BYTES = 1 << 18,
};

struct protobuf {
    uint8_t *bytes, *at, *full; /* past `full` there is no room for another message */
    FILE *file;                 /* borrowed */
    uint64_t flushed_bytes;
    bool failed; /* a write has failed; later bytes are dropped */
};

/* Prepares the buffer.  `file` is borrowed, and the caller checks ferror(file) at the end.  Returns
 * false if memory is short. */
bool protobuf_init(struct protobuf *out, FILE *file);
void protobuf_fini(struct protobuf *out);
/* Writes the buffer to the file.  Returns false if this or an earlier write failed. */
bool protobuf_flush(struct protobuf *out);

/* Returns the address for the next message, after flushing the buffer if it is full. */
static inline uint8_t *protobuf_room(struct protobuf *out)
{
    if (out->at > out->full)
        (void)protobuf_flush(out);
    return out->at;
}

/* Writes eight bytes, the lowest first. */
static inline void protobuf_word(uint8_t *to, uint64_t word)
{
    to[0] = (uint8_t)word;
    to[1] = (uint8_t)(word >> 8);
    to[2] = (uint8_t)(word >> 16);
    to[3] = (uint8_t)(word >> 24);
    to[4] = (uint8_t)(word >> 32);
    to[5] = (uint8_t)(word >> 40);
    to[6] = (uint8_t)(word >> 48);
    to[7] = (uint8_t)(word >> 56);
}

static inline uint8_t *protobuf_varint(uint8_t *to, uint64_t value)
{
    while (value >= 0x80) {
        *to++ = (uint8_t)(value | 0x80);
        value >>= 7;
    }
    *to++ = (uint8_t)value;
    return to;
}

/* A number below 2^49 as it is written: the bytes of its varint, the first lowest, and above them
 * how many follow the first.  0 stays 0. */
static inline uint64_t protobuf_short(uint64_t value)
{
    uint64_t word = 0, count = 0;

    assert(value >> 49 == 0);
    do {
        word |= (value & 0x7f) << 8 * count++;
        value >>= 7;
        word |= value ? UINT64_C(0x80) << 8 * (count - 1) : 0;
    } while (value);
    return (count - 1) << 56 | word;
}

/* Writes a number that protobuf_short() made. */
static inline uint8_t *protobuf_short_put(uint8_t *to, uint64_t number)
{
    protobuf_word(to, number);
    return to + 1 + (number >> 56);
}

/* The encoding of the number written last, for numbers that are likely to be written again. */
struct protobuf_number {
    uint64_t value;
    uint8_t bytes[PROTOBUF_SPILL_BYTES];
    uint32_t count; /* 0 if no number has been written yet */
};

static inline uint8_t *protobuf_varint_kept(uint8_t *to, uint64_t value,
                                            struct protobuf_number *kept)
{
    if (kept->value != value || kept->count == 0) {
        kept->value = value;
        kept->count = (uint32_t)(protobuf_varint(kept->bytes, value) - kept->bytes);
    }
    memcpy(to, kept->bytes, sizeof kept->bytes);
    return to + kept->count;
}

static inline uint8_t *protobuf_tag(uint8_t *to, uint32_t field, enum protobuf_type type)
{
    return protobuf_varint(to, (uint64_t)field << 3 | type);
}

static inline uint8_t *protobuf_uint(uint8_t *to, uint32_t field, uint64_t value)
{
    return protobuf_varint(protobuf_tag(to, field, PROTOBUF_VARINT), value);
}

static inline uint8_t *protobuf_fixed64(uint8_t *to, uint32_t field, uint64_t value)
{
    to = protobuf_tag(to, field, PROTOBUF_FIXED64);
    protobuf_word(to, value);
    return to + 8;
}

/* Begins a message as a field.  All bytes written before protobuf_close() are its inside. */
static inline uint8_t *protobuf_open(uint8_t *to, uint32_t field)
{
    return protobuf_tag(to, field, PROTOBUF_BYTES) + 2;
}

/* Ends a message.  `inside` is the result of protobuf_open(), and `to` is the end of the inside. */
static inline uint8_t *protobuf_close(uint8_t *inside, uint8_t *to)
{
    const size_t bytes = (size_t)(to - inside);

    assert(bytes < PROTOBUF_MESSAGE_MAX);
    inside[-2] = (uint8_t)(bytes | 0x80);
    inside[-1] = (uint8_t)(bytes >> 7);
    return to;
}

/* Writes at most `limit` bytes of a string.  Bytes that are not UTF-8 become '?', because readers
 * may refuse a whole message with such bytes. */
uint8_t *protobuf_string(uint8_t *to, uint32_t field, const char *text, size_t limit);

#endif
