/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/log/chunk_salvage.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/base/deflate.h"
#include "emu/base/retry.h"
#include "emu/log/chunk_private.h"

enum {
    STORED_MAX_BYTES = CHUNK_RAW_MAX_BYTES + CHUNK_RAW_MAX_BYTES / 8,
    SEARCH_BYTES = 64 << 10,
    BYTE_VALUES = 256,
    BLOCK_BYTES = 4096,
};

struct chunk_salvage {
    char name[CHUNK_NAME_BYTES];
    int fd;
    uint64_t offset, file_bytes, count;
    struct deflate_unpacker *unpacker;
    uint8_t *stored, *raw; /* grow to the largest chunk met */
    size_t stored_capacity, raw_capacity;
    struct chunk_loss loss;
};

struct chunk_salvage *chunk_salvage_open(const char *path, struct gfe_error *error)
{
    struct chunk_salvage *salvage = calloc(1, sizeof *salvage);
    struct stat status;

    if (!salvage) {
        error_set_errno(error, ENOMEM, "%s", path);
        return NULL;
    }
    chunk_name_copy(salvage->name, path);
    RETRY(salvage->fd, open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK));
    if (salvage->fd < 0 || fstat(salvage->fd, &status) != 0) {
        error_set_errno(error, errno, "%s", salvage->name);
    } else if (!S_ISREG(status.st_mode)) {
        error_set(error, ERROR_INPUT, "%s: is no regular file", salvage->name);
    } else {
        salvage->file_bytes = (uint64_t)status.st_size;
        salvage->unpacker = deflate_unpacker_new();
        if (salvage->unpacker)
            return salvage;
        error_set_errno(error, ENOMEM, "%s", salvage->name);
    }
    chunk_salvage_free(salvage);
    return NULL;
}

void chunk_salvage_free(struct chunk_salvage *salvage)
{
    if (!salvage)
        return;
    if (salvage->fd >= 0)
        (void)close(salvage->fd);
    deflate_unpacker_free(salvage->unpacker);
    free(salvage->stored);
    free(salvage->raw);
    free(salvage);
}

struct chunk_loss chunk_salvage_loss(const struct chunk_salvage *salvage)
{
    return salvage->loss;
}

/* Makes room for so many bytes; what was in the buffer is lost. */
static bool reserve(const struct chunk_salvage *salvage, uint8_t **buffer, size_t *capacity,
                    size_t bytes, struct gfe_error *error)
{
    if (bytes <= *capacity)
        return true;
    free(*buffer);
    *capacity = 0;
    *buffer = malloc(bytes);
    if (!*buffer)
        return error_set_errno(error, ENOMEM, "%s: cannot read", salvage->name);
    *capacity = bytes;
    return true;
}

/* ---- heads and data -------------------------------------------------------------------------- */

/* Looks at the magic first: where the next head is searched for, few bytes are it. */
static bool head_is_sound(const uint8_t bytes[CHUNK_HEAD_BYTES], struct chunk_head *head)
{
    if (bytes[0] != (uint8_t)CHUNK_MAGIC[0] || memcmp(bytes, CHUNK_MAGIC, CHUNK_MAGIC_BYTES) != 0)
        return false;
    *head = (struct chunk_head){.version = (uint16_t)chunk_get32(bytes + 4),
                                .kind = (uint16_t)(chunk_get32(bytes + 4) >> 16),
                                .raw_bytes = chunk_get32(bytes + 8),
                                .stored_bytes = chunk_get32(bytes + 12),
                                .raw_crc = chunk_get32(bytes + 16),
                                .head_crc = chunk_get32(bytes + 20)};
    return head->head_crc == deflate_crc(0, bytes, CHUNK_HEAD_BYTES - 4) &&
           head->version == CHUNK_VERSION && head->kind >= CHUNK_TRACE &&
           head->kind < CHUNK_KIND_END && head->raw_bytes <= CHUNK_RAW_MAX_BYTES &&
           head->stored_bytes <= STORED_MAX_BYTES;
}

/* Changes one byte so that the head is sound; false if no such change is. */
static bool head_mend(uint8_t bytes[CHUNK_HEAD_BYTES], struct chunk_head *head)
{
    for (unsigned at = 0; at < CHUNK_HEAD_BYTES; at++) {
        const uint8_t was = bytes[at];

        for (unsigned change = 1; change < BYTE_VALUES; change++) {
            bytes[at] = (uint8_t)(was ^ change);
            if (head_is_sound(bytes, head))
                return true;
        }
        bytes[at] = was;
    }
    return false;
}

/* Room for the chunk as it is stored and as it is unpacked, of which either may be nothing. */
static bool chunk_reserve(struct chunk_salvage *salvage, const struct chunk_head *head,
                          struct gfe_error *error)
{
    return reserve(salvage, &salvage->stored, &salvage->stored_capacity,
                   (size_t)head->stored_bytes + 1, error) &&
           reserve(salvage, &salvage->raw, &salvage->raw_capacity, (size_t)head->raw_bytes + 1,
                   error);
}

static bool data_is_sound(struct chunk_salvage *salvage, const struct chunk_head *head)
{
    return deflate_unpack(salvage->unpacker, salvage->stored, head->stored_bytes, salvage->raw,
                          head->raw_bytes) &&
           deflate_crc(0, salvage->raw, head->raw_bytes) == head->raw_crc;
}

/* As head_mend().  zlib's own checksum and the chunk's agree on the change. */
static bool data_mend(struct chunk_salvage *salvage, const struct chunk_head *head)
{
    if (head->stored_bytes > CHUNK_SALVAGE_MEND_BYTES)
        return false;
    for (uint32_t at = 0; at < head->stored_bytes; at++) {
        const uint8_t was = salvage->stored[at];

        for (unsigned change = 1; change < BYTE_VALUES; change++) {
            salvage->stored[at] = (uint8_t)(was ^ change);
            if (data_is_sound(salvage, head))
                return true;
        }
        salvage->stored[at] = was;
    }
    return false;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Reads at an offset until `bytes` are there or the file ends.  *got says how many came.  Blocks
 * that the disk cannot read are zeros: the checksums find them. */
static bool read_at(struct chunk_salvage *salvage, uint64_t offset, uint8_t *to, size_t bytes,
                    size_t *got, struct gfe_error *error)
{
    *got = 0;
    while (*got < bytes) {
        ssize_t done;

        RETRY(done, pread(salvage->fd, to + *got, bytes - *got, (off_t)(offset + *got)));
        if (done < 0 && errno == EIO && offset + *got < salvage->file_bytes) {
            const size_t block = BLOCK_BYTES - (size_t)((offset + *got) % BLOCK_BYTES);

            done = (ssize_t)(block < bytes - *got ? block : bytes - *got);
            memset(to + *got, 0, (size_t)done);
        }
        if (done < 0)
            return error_set_errno(error, errno, "%s: cannot read", salvage->name);
        if (done == 0)
            break;
        *got += (size_t)done;
    }
    return true;
}

/* Finds the first sound head at or behind `from`.  *found is the file's size if there is none. */
static bool head_find(struct chunk_salvage *salvage, uint64_t from, uint64_t *found,
                      struct gfe_error *error)
{
    const uint64_t left = salvage->file_bytes - salvage->offset;
    struct chunk_head head;
    size_t got;

    if (!reserve(salvage, &salvage->stored, &salvage->stored_capacity,
                 left < SEARCH_BYTES ? (size_t)left : SEARCH_BYTES, error))
        return false;
    for (; from < salvage->file_bytes; from += SEARCH_BYTES - (CHUNK_HEAD_BYTES - 1)) {
        const uint64_t rest = salvage->file_bytes - from;
        const size_t bytes = rest < SEARCH_BYTES ? (size_t)rest : SEARCH_BYTES;

        if (!read_at(salvage, from, salvage->stored, bytes, &got, error))
            return false;
        for (size_t at = 0; at + CHUNK_HEAD_BYTES <= got; at++)
            if (head_is_sound(salvage->stored + at, &head)) {
                *found = from + at;
                return true;
            }
    }
    *found = salvage->file_bytes;
    return true;
}

/* Gives up the chunk at hand and goes on at the next sound head.  `end` is where this chunk ends, 0
 * if that is not known.  A chunk that the file's end cuts off is none. */
static enum chunk_result chunk_lose(struct chunk_salvage *salvage, uint64_t end, bool was_cut,
                                    struct chunk *chunk, struct gfe_error *error)
{
    const uint64_t begin = salvage->offset;
    uint64_t next;

    if (!head_find(salvage, begin + 1, &next, error))
        return CHUNK_FAILED;
    salvage->offset = next;
    if (next == salvage->file_bytes && was_cut)
        return CHUNK_AT_END;
    salvage->loss.chunks++;
    salvage->loss.bytes += next - begin;
    salvage->loss.numbers_unknown = salvage->loss.numbers_unknown || next != end;
    *chunk = (struct chunk){.kind = CHUNK_TRACE, .file_offset = begin, .number = salvage->count++};
    return CHUNK_GOT;
}

/* The chunk at hand, of any kind. */
static enum chunk_result any_read(struct chunk_salvage *salvage, struct chunk *chunk,
                                  struct gfe_error *error)
{
    uint8_t bytes[CHUNK_HEAD_BYTES];
    struct chunk_head head;
    uint64_t end;
    size_t got;
    bool mended;

    if (!read_at(salvage, salvage->offset, bytes, sizeof bytes, &got, error))
        return CHUNK_FAILED;
    if (got < sizeof bytes)
        return CHUNK_AT_END;
    mended = !head_is_sound(bytes, &head);
    if (mended && !head_mend(bytes, &head))
        return chunk_lose(salvage, 0, false, chunk, error);
    end = salvage->offset + CHUNK_HEAD_BYTES + head.stored_bytes;
    if (!chunk_reserve(salvage, &head, error) ||
        !read_at(salvage, salvage->offset + CHUNK_HEAD_BYTES, salvage->stored, head.stored_bytes,
                 &got, error))
        return CHUNK_FAILED;
    if (got < head.stored_bytes)
        return chunk_lose(salvage, 0, true, chunk, error);
    if (!data_is_sound(salvage, &head)) {
        if (!data_mend(salvage, &head))
            return chunk_lose(salvage, end, false, chunk, error);
        mended = true;
    }
    salvage->loss.mended += mended;
    *chunk = (struct chunk){.kind = (enum chunk_kind)head.kind,
                            .raw_bytes = head.raw_bytes,
                            .raw = salvage->raw,
                            .file_offset = salvage->offset,
                            .number = salvage->count};
    salvage->count += head.kind != CHUNK_INDEX;
    salvage->offset = end;
    return CHUNK_GOT;
}

enum chunk_result chunk_salvage_read(struct chunk_salvage *salvage, struct chunk *chunk,
                                     struct gfe_error *error)
{
    enum chunk_result result;

    do {
        result = any_read(salvage, chunk, error);
    } while (result == CHUNK_GOT && chunk->kind == CHUNK_INDEX);
    return result;
}
