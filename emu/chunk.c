/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/chunk.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/deflate.h"

static const uint8_t chunk_magic[4] = {'g', 'f', 'e', 'C'};

enum {
    NAME_BYTES = 256,       /* longer names lose their front: the message matters more */
    INDEX_ENTRY_BYTES = 12, /* u64 offset, u32 kind */
    INDEX_COUNT_BYTES = 4,
    INDEX_ENTRIES_MAX = (CHUNK_RAW_MAX_BYTES - INDEX_COUNT_BYTES) / INDEX_ENTRY_BYTES,
};

struct chunk_head {
    uint16_t version, kind;
    uint32_t raw_bytes, stored_bytes, raw_crc, head_crc;
};

struct chunk_writer {
    int fd;
    bool broken; /* a write failed: the file ends in the middle of a chunk */
    char name[NAME_BYTES];
    struct deflate_packer *packer;
    uint8_t *buffer; /* head and zlib data of one chunk, so that one write(2) carries it */
    size_t buffer_bytes;
    uint64_t file_offset, count;
    uint8_t *index; /* INDEX_ENTRY_BYTES for each chunk: the only thing that grows */
    size_t index_capacity;
};

struct chunk_reader {
    int fd;
    bool own_fd, saw_index, was_cut;
    char name[NAME_BYTES];
    struct deflate_unpacker *unpacker;
    uint8_t *stored, *raw;
    size_t stored_capacity, raw_capacity;
    uint64_t file_offset, count;
    /* Checksums of the chunks met and of the chunks listed: they agree, or the file was spliced. */
    uint32_t met_crc, listed_crc;
    uint64_t listed_count;
    struct gfe_error failure; /* kept: a damaged file stays damaged */
};

/* ---- little endian, names ------------------------------------------------------------------- */

static void put32(uint8_t *to, uint32_t value)
{
    for (int i = 0; i < 4; i++)
        to[i] = (uint8_t)(value >> (8 * i));
}

static void put64(uint8_t *to, uint64_t value)
{
    put32(to, (uint32_t)value);
    put32(to + 4, (uint32_t)(value >> 32));
}

static uint32_t get32(const uint8_t *from)
{
    return from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 | (uint32_t)from[3] << 24;
}

static uint32_t crc_of(const void *data, size_t bytes)
{
    return deflate_crc(0, data, bytes);
}

/* Keeps a message to one line and leaves room for its words, whatever the file is called. */
static void name_copy(char to[NAME_BYTES], const char *name)
{
    const size_t bytes = strlen(name);

    if (bytes < NAME_BYTES) {
        memcpy(to, name, bytes + 1);
    } else {
        memcpy(to, "...", 3);
        memcpy(to + 3, name + bytes - (NAME_BYTES - 4), NAME_BYTES - 3);
    }
    for (char *c = to; *c; c++)
        if ((unsigned char)*c < ' ' || *c == 0x7f)
            *c = '?';
}

const char *chunk_file_kind(enum chunk_kind kind)
{
    switch (kind) {
    case CHUNK_TRACE:
        return "a trace";
    case CHUNK_LOG_HEAD:
    case CHUNK_LOG_EVENTS:
    case CHUNK_LOG_END:
        return "an event log";
    case CHUNK_SNAPSHOT_HEAD:
    case CHUNK_SNAPSHOT_ARENA:
    case CHUNK_SNAPSHOT_MEMORY:
    case CHUNK_SNAPSHOT_LOG:
        return "a snapshot";
    default:
        return "an index";
    }
}

/* ---- writing -------------------------------------------------------------------------------- */

struct chunk_writer *chunk_writer_new(int fd, const char *name, struct gfe_error *error)
{
    struct chunk_writer *writer = calloc(1, sizeof *writer);

    if (!writer) {
        error_set_errno(error, ENOMEM, "%s", name);
        return NULL;
    }
    writer->fd = fd;
    name_copy(writer->name, name);
    writer->packer = deflate_packer_new();
    if (!writer->packer) {
        error_set_errno(error, ENOMEM, "%s", writer->name);
        free(writer);
        return NULL;
    }
    return writer;
}

static bool write_all(struct chunk_writer *writer, const uint8_t *data, size_t bytes,
                      struct gfe_error *error)
{
    while (bytes > 0) {
        const ssize_t done = write(writer->fd, data, bytes);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0) {
            writer->broken = true;
            return error_set_errno(error, errno, "%s: cannot write", writer->name);
        }
        data += done;
        bytes -= (size_t)done;
    }
    return true;
}

static bool buffer_reserve(struct chunk_writer *writer, size_t bytes, struct gfe_error *error)
{
    if (bytes <= writer->buffer_bytes)
        return true;
    free(writer->buffer);
    writer->buffer_bytes = 0;
    writer->buffer = malloc(bytes);
    if (!writer->buffer)
        return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
    writer->buffer_bytes = bytes;
    return true;
}

static bool index_add(struct chunk_writer *writer, enum chunk_kind kind, struct gfe_error *error)
{
    if (writer->count == writer->index_capacity) {
        const size_t capacity = writer->index_capacity ? 2 * writer->index_capacity : 64;
        uint8_t *index = realloc(writer->index, capacity * INDEX_ENTRY_BYTES);
        if (!index)
            return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
        writer->index = index;
        writer->index_capacity = capacity;
    }
    uint8_t *entry = writer->index + writer->count * INDEX_ENTRY_BYTES;
    put64(entry, writer->file_offset);
    put32(entry + 8, kind);
    return true;
}

static void head_encode(uint8_t to[CHUNK_HEAD_BYTES], const struct chunk_head *head)
{
    memcpy(to, chunk_magic, sizeof chunk_magic);
    put32(to + 4, head->version | (uint32_t)head->kind << 16);
    put32(to + 8, head->raw_bytes);
    put32(to + 12, head->stored_bytes);
    put32(to + 16, head->raw_crc);
    put32(to + 20, crc_of(to, CHUNK_HEAD_BYTES - 4));
}

/* Compresses and writes a chunk; the index is the caller's business. */
static bool chunk_put(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                      size_t raw_bytes, struct gfe_error *error)
{
    if (writer->broken)
        return error_set(error, ERROR_SYSTEM, "%s: an earlier write failed", writer->name);
    if (!buffer_reserve(writer, CHUNK_HEAD_BYTES + deflate_bound(writer->packer, raw_bytes), error))
        return false;
    const size_t stored_bytes =
        deflate_pack(writer->packer, writer->buffer + CHUNK_HEAD_BYTES, raw, raw_bytes);
    head_encode(writer->buffer, &(struct chunk_head){.version = CHUNK_VERSION,
                                                     .kind = (uint16_t)kind,
                                                     .raw_bytes = (uint32_t)raw_bytes,
                                                     .stored_bytes = (uint32_t)stored_bytes,
                                                     .raw_crc = crc_of(raw, raw_bytes)});
    if (!write_all(writer, writer->buffer, CHUNK_HEAD_BYTES + stored_bytes, error))
        return false;
    writer->file_offset += CHUNK_HEAD_BYTES + stored_bytes;
    return true;
}

bool chunk_write(struct chunk_writer *writer, enum chunk_kind kind, const void *raw,
                 size_t raw_bytes, struct gfe_error *error)
{
    assert(kind != CHUNK_INDEX && raw_bytes <= CHUNK_RAW_MAX_BYTES);
    if (!index_add(writer, kind, error) || !chunk_put(writer, kind, raw, raw_bytes, error))
        return false;
    writer->count++;
    return true;
}

/* An index too large for one chunk goes on in the next: each begins with its own count. */
bool chunk_writer_finish(struct chunk_writer *writer, struct gfe_error *error)
{
    uint64_t first = 0;

    do {
        const uint64_t left = writer->count - first;
        const uint32_t part = left < INDEX_ENTRIES_MAX ? (uint32_t)left : INDEX_ENTRIES_MAX;
        const size_t bytes = INDEX_COUNT_BYTES + (size_t)part * INDEX_ENTRY_BYTES;
        uint8_t *raw = malloc(bytes);

        if (!raw)
            return error_set_errno(error, ENOMEM, "%s: cannot write", writer->name);
        put32(raw, part);
        if (part > 0)
            memcpy(raw + INDEX_COUNT_BYTES, writer->index + first * INDEX_ENTRY_BYTES,
                   bytes - INDEX_COUNT_BYTES);
        const bool done = chunk_put(writer, CHUNK_INDEX, raw, bytes, error);
        free(raw);
        if (!done)
            return false;
        first += part;
    } while (first < writer->count);
    return true;
}

uint64_t chunk_writer_count(const struct chunk_writer *writer)
{
    return writer->count;
}

const char *chunk_writer_name(const struct chunk_writer *writer)
{
    return writer->name;
}

void chunk_writer_free(struct chunk_writer *writer)
{
    if (!writer)
        return;
    deflate_packer_free(writer->packer);
    free(writer->buffer);
    free(writer->index);
    free(writer);
}

/* ---- reading -------------------------------------------------------------------------------- */

struct chunk_reader *chunk_reader_new(int fd, bool own_fd, const char *name,
                                      struct gfe_error *error)
{
    struct chunk_reader *reader = calloc(1, sizeof *reader);

    if (reader && !(reader->unpacker = deflate_unpacker_new())) {
        free(reader);
        reader = NULL;
    }
    if (!reader) {
        error_set_errno(error, ENOMEM, "%s", name);
        if (own_fd)
            (void)close(fd);
        return NULL;
    }
    reader->fd = fd;
    reader->own_fd = own_fd;
    name_copy(reader->name, name);
    return reader;
}

struct chunk_reader *chunk_reader_open(const char *path, struct gfe_error *error)
{
    char name[NAME_BYTES];

    if (strcmp(path, "-") == 0)
        return chunk_reader_new(STDIN_FILENO, false, "standard input", error);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) {
        const int cause = errno;
        name_copy(name, path);
        error_set_errno(error, cause, "%s", name);
        return NULL;
    }
    return chunk_reader_new(fd, true, path, error);
}

/* Reads until `bytes` are there or the file ends; *got says how many came. */
static bool read_all(struct chunk_reader *reader, uint8_t *to, size_t bytes, size_t *got)
{
    *got = 0;
    while (*got < bytes) {
        const ssize_t done = read(reader->fd, to + *got, bytes - *got);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return error_set_errno(&reader->failure, errno, "%s: cannot read", reader->name);
        if (done == 0)
            break;
        *got += (size_t)done;
    }
    return true;
}

static bool cut_off(struct chunk_reader *reader, size_t got, size_t wanted)
{
    reader->was_cut = true;
    return error_set(&reader->failure, ERROR_INPUT,
                     "%s: cut off in the chunk at offset %llu: %zu of %zu bytes", reader->name,
                     (unsigned long long)reader->file_offset, got, wanted);
}

static bool damaged(struct chunk_reader *reader, const char *what)
{
    return error_set(&reader->failure, ERROR_INPUT, "%s: offset %llu: %s", reader->name,
                     (unsigned long long)reader->file_offset, what);
}

static bool not_a_chunk(struct chunk_reader *reader)
{
    return damaged(reader, reader->file_offset == 0
                               ? "this is no gfe file: it does not begin with \"gfeC\""
                               : "damaged: no chunk begins here");
}

/* The magic is already checked. */
static bool head_check(struct chunk_reader *reader, const uint8_t bytes[CHUNK_HEAD_BYTES],
                       struct chunk_head *head)
{
    const uint64_t bound = CHUNK_RAW_MAX_BYTES + CHUNK_RAW_MAX_BYTES / 8;

    *head = (struct chunk_head){.version = (uint16_t)get32(bytes + 4),
                                .kind = (uint16_t)(get32(bytes + 4) >> 16),
                                .raw_bytes = get32(bytes + 8),
                                .stored_bytes = get32(bytes + 12),
                                .raw_crc = get32(bytes + 16),
                                .head_crc = get32(bytes + 20)};
    if (head->head_crc != crc_of(bytes, CHUNK_HEAD_BYTES - 4))
        return damaged(reader, "damaged: checksum of the chunk's header");
    if (head->version != CHUNK_VERSION)
        return error_set(&reader->failure, ERROR_INPUT,
                         "%s: offset %llu: chunk version %u, but this gfe reads version %u",
                         reader->name, (unsigned long long)reader->file_offset, head->version,
                         (unsigned)CHUNK_VERSION);
    if (head->kind < CHUNK_TRACE || head->kind >= CHUNK_KIND_END)
        return error_set(&reader->failure, ERROR_INPUT, "%s: offset %llu: chunk of unknown kind %u",
                         reader->name, (unsigned long long)reader->file_offset, head->kind);
    if (head->raw_bytes > CHUNK_RAW_MAX_BYTES || head->stored_bytes > bound)
        return damaged(reader, "damaged: the chunk claims to be larger than chunks may be");
    if (head->raw_bytes > (uint64_t)head->stored_bytes * CHUNK_EXPANSION_MAX)
        return damaged(reader, "damaged: the chunk claims to expand more than zlib can");
    return true;
}

static bool reserve(struct chunk_reader *reader, uint8_t **buffer, size_t *capacity, size_t bytes)
{
    if (bytes <= *capacity)
        return true;
    free(*buffer);
    *capacity = 0;
    *buffer = malloc(bytes);
    if (!*buffer)
        return error_set_errno(&reader->failure, ENOMEM, "%s: cannot read", reader->name);
    *capacity = bytes;
    return true;
}

static bool body_read(struct chunk_reader *reader, const struct chunk_head *head)
{
    size_t got;

    if (!reserve(reader, &reader->stored, &reader->stored_capacity, head->stored_bytes) ||
        !reserve(reader, &reader->raw, &reader->raw_capacity, (size_t)head->raw_bytes + 1) ||
        !read_all(reader, reader->stored, head->stored_bytes, &got))
        return false;
    if (got < head->stored_bytes)
        return cut_off(reader, CHUNK_HEAD_BYTES + got,
                       (size_t)CHUNK_HEAD_BYTES + head->stored_bytes);

    if (!deflate_unpack(reader->unpacker, reader->stored, head->stored_bytes, reader->raw,
                        head->raw_bytes))
        return damaged(reader, "damaged: the chunk does not unpack to the size that it states");
    if (crc_of(reader->raw, head->raw_bytes) != head->raw_crc)
        return damaged(reader, "damaged: checksum of the chunk's data");
    return true;
}

static bool index_check(struct chunk_reader *reader, uint32_t raw_bytes)
{
    const uint8_t *raw = reader->raw;

    if (raw_bytes < INDEX_COUNT_BYTES ||
        raw_bytes - INDEX_COUNT_BYTES != (uint64_t)get32(raw) * INDEX_ENTRY_BYTES)
        return damaged(reader, "damaged: the index has not the size that its count asks for");
    reader->listed_crc =
        deflate_crc(reader->listed_crc, raw + INDEX_COUNT_BYTES, raw_bytes - INDEX_COUNT_BYTES);
    reader->listed_count += get32(raw);
    reader->saw_index = true;
    return true;
}

static void met(struct chunk_reader *reader, uint16_t kind)
{
    uint8_t entry[INDEX_ENTRY_BYTES];

    put64(entry, reader->file_offset);
    put32(entry + 8, kind);
    reader->met_crc = deflate_crc(reader->met_crc, entry, sizeof entry);
}

/* The file ended between two chunks. */
static enum chunk_result end_check(struct chunk_reader *reader)
{
    if (!reader->saw_index)
        return CHUNK_AT_END;
    if (reader->listed_count == reader->count && reader->listed_crc == reader->met_crc)
        return CHUNK_AT_END;
    error_set(&reader->failure, ERROR_INPUT,
              "%s: the index (%llu chunks) does not fit the file (%llu chunks): parts are missing",
              reader->name, (unsigned long long)reader->listed_count,
              (unsigned long long)reader->count);
    return CHUNK_FAILED;
}

/* One chunk of any kind.  Sets *kind; CHUNK_GOT leaves file_offset at the chunk. */
static enum chunk_result any_read(struct chunk_reader *reader, struct chunk_head *head)
{
    uint8_t bytes[CHUNK_HEAD_BYTES];
    size_t got;

    if (!read_all(reader, bytes, sizeof bytes, &got))
        return CHUNK_FAILED;
    if (got == 0)
        return end_check(reader);
    if (memcmp(bytes, chunk_magic, got < 4 ? got : 4) != 0) {
        (void)not_a_chunk(reader);
        return CHUNK_FAILED;
    }
    if (got < sizeof bytes) {
        (void)cut_off(reader, got, sizeof bytes);
        return CHUNK_FAILED;
    }
    if (!head_check(reader, bytes, head) || !body_read(reader, head))
        return CHUNK_FAILED;
    return CHUNK_GOT;
}

static enum chunk_result next_read(struct chunk_reader *reader, struct chunk *chunk)
{
    for (;;) {
        struct chunk_head head;
        const enum chunk_result result = any_read(reader, &head);

        if (result != CHUNK_GOT)
            return result;
        const uint64_t file_offset = reader->file_offset;
        if (head.kind != CHUNK_INDEX && reader->saw_index) {
            (void)damaged(reader, "a chunk follows the index");
            return CHUNK_FAILED;
        }
        if (head.kind == CHUNK_INDEX && !index_check(reader, head.raw_bytes))
            return CHUNK_FAILED;
        if (head.kind != CHUNK_INDEX)
            met(reader, head.kind);
        reader->file_offset += (uint64_t)CHUNK_HEAD_BYTES + head.stored_bytes;
        if (head.kind == CHUNK_INDEX)
            continue;
        *chunk = (struct chunk){.kind = head.kind,
                                .raw_bytes = head.raw_bytes,
                                .raw = reader->raw,
                                .file_offset = file_offset,
                                .number = reader->count++};
        return CHUNK_GOT;
    }
}

enum chunk_result chunk_read(struct chunk_reader *reader, struct chunk *chunk,
                             struct gfe_error *error)
{
    enum chunk_result result = CHUNK_FAILED;

    if (reader->failure.kind == ERROR_NONE)
        result = next_read(reader, chunk);
    if (result == CHUNK_FAILED)
        (void)error_set(error, reader->failure.kind, "%s", reader->failure.text);
    return result;
}

bool chunk_reader_saw_index(const struct chunk_reader *reader)
{
    return reader->saw_index;
}

bool chunk_reader_was_cut(const struct chunk_reader *reader)
{
    return reader->was_cut;
}

uint64_t chunk_reader_offset(const struct chunk_reader *reader)
{
    return reader->file_offset;
}

const char *chunk_reader_name(const struct chunk_reader *reader)
{
    return reader->name;
}

void chunk_reader_free(struct chunk_reader *reader)
{
    if (!reader)
        return;
    deflate_unpacker_free(reader->unpacker);
    if (reader->own_fd)
        (void)close(reader->fd);
    free(reader->stored);
    free(reader->raw);
    free(reader);
}
