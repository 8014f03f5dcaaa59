/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "emu/log/chunk_private.h"
#include "emu/base/deflate.h"
#include "emu/base/handoff.h"
#include "emu/base/input.h"
#include "emu/base/opened.h"

/* What the caller sees of the place in the file, chunk by chunk. */
struct chunk_place {
    uint64_t file_offset; /* of the next chunk */
    bool saw_index, was_cut;
};

/* One chunk, and how it went. */
struct chunk_slot {
    struct chunk chunk;
    uint8_t *raw;
    size_t raw_capacity;
    enum chunk_result result;
    struct chunk_place place;
};

/* Reads chunk after chunk; belongs to the second thread while there is one. */
struct chunk_source {
    int fd;
    bool saw_index, was_cut;
    char name[CHUNK_NAME_BYTES];
    struct deflate_unpacker *unpacker;
    uint8_t *stored;
    size_t stored_capacity;
    uint64_t file_offset, count;
    /* Checksums of the chunks met and of the chunks listed: they agree, or the file was spliced. */
    uint32_t met_crc, listed_crc;
    uint64_t listed_count;
    bool sought, tee;
    int tee_fd;
    off_t read_offset;        /* where to read; -1: at the descriptor's own offset */
    struct gfe_error failure; /* kept: a damaged file stays damaged */
};

struct chunk_reader {
    struct chunk_source source;
    bool own_fd, may_read_ahead;
    uint64_t raw_bytes;                /* of the chunks that the caller got */
    uint64_t spent_bytes, limit_bytes; /* unpacked, and at most */
    struct chunk_slot slots[HANDOFF_SLOTS];
    struct chunk_slot *at;   /* what the caller got last; NULL at the start */
    struct handoff *handoff; /* reads ahead; NULL: chunks are read when asked for */
};

struct chunk_reader *chunk_reader_new(int fd, bool own_fd, const char *name,
                                      struct gfe_error *error)
{
    struct chunk_reader *reader = calloc(1, sizeof *reader);

    if (reader && !(reader->source.unpacker = deflate_unpacker_new())) {
        free(reader);
        reader = NULL;
    }
    if (!reader) {
        error_set_errno(error, ENOMEM, "%s", name);
        if (own_fd)
            (void)close(fd);
        return NULL;
    }
    reader->source.fd = fd;
    reader->source.read_offset = input_offset(fd);
    reader->own_fd = own_fd;
    reader->limit_bytes = CHUNK_UNPACKED_MAX_BYTES;
    chunk_name_copy(reader->source.name, name);
    return reader;
}

struct chunk_reader *chunk_reader_open(const char *path, struct gfe_error *error)
{
    char name[CHUNK_NAME_BYTES];

    if (strcmp(path, "-") == 0) {
        struct chunk_reader *reader =
            chunk_reader_new(STDIN_FILENO, false, "standard input", error);

        if (reader)
            reader->source.read_offset = -1; /* who reads it later goes on behind */
        return reader;
    }
    const int fd = opened_read(path);

    if (fd < 0) {
        const int cause = errno;
        chunk_name_copy(name, path);
        error_set_errno(error, cause, "%s", name);
        return NULL;
    }
    return chunk_reader_new(fd, true, path, error);
}

/* ---- the source ------------------------------------------------------------------------------ */

/* The thread goes; what it has read ahead is forgotten. */
static void read_ahead_end(struct chunk_reader *reader)
{
    if (!reader->handoff)
        return;
    handoff_stop(reader->handoff);
    handoff_end(reader->handoff);
    reader->handoff = NULL;
    reader->may_read_ahead = true;
}

/* Is this where the next chunk comes from anyway? */
static bool is_next(const struct chunk_reader *reader, uint64_t file_offset, uint64_t number)
{
    return reader->source.sought && reader->at && reader->at->result == CHUNK_GOT &&
           reader->at->place.file_offset == file_offset && reader->at->chunk.number + 1 == number;
}

void chunk_reader_seek(struct chunk_reader *reader, uint64_t file_offset, uint64_t number)
{
    struct chunk_source *source = &reader->source;

    if (is_next(reader, file_offset, number))
        return;
    read_ahead_end(reader);
    reader->at = NULL;
    reader->raw_bytes = 0; /* who jumps about does not want what lies ahead */
    source->failure = (struct gfe_error){0};
    source->sought = true;
    source->read_offset = (off_t)file_offset;
    source->file_offset = file_offset;
    source->count = number;
    source->saw_index = false;
}

void chunk_reader_tee(struct chunk_reader *reader, int fd)
{
    reader->source.tee = true;
    reader->source.tee_fd = fd;
}

static ssize_t read_some(struct chunk_source *source, uint8_t *to, size_t bytes)
{
    ssize_t done;

    if (source->read_offset < 0)
        return read(source->fd, to, bytes);
    done = pread(source->fd, to, bytes, source->read_offset);
    if (done > 0)
        source->read_offset += done;
    return done;
}

static bool tee_all(struct chunk_source *source, const uint8_t *data, size_t bytes)
{
    while (source->tee && bytes > 0) {
        const ssize_t done = write(source->tee_fd, data, bytes);

        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return error_set_errno(&source->failure, errno, "%s: cannot be kept in a file",
                                   source->name);
        data += done;
        bytes -= (size_t)done;
    }
    return true;
}

/* Reads until `bytes` are there or the file ends; *got says how many came. */
static bool read_all(struct chunk_source *source, uint8_t *to, size_t bytes, size_t *got)
{
    *got = 0;
    while (*got < bytes) {
        const ssize_t done = read_some(source, to + *got, bytes - *got);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return error_set_errno(&source->failure, errno, "%s: cannot read", source->name);
        if (done == 0)
            break;
        *got += (size_t)done;
    }
    return tee_all(source, to, *got);
}

static bool cut_off(struct chunk_source *source, size_t got, size_t wanted)
{
    source->was_cut = true;
    return error_set(&source->failure, ERROR_INPUT,
                     "%s: cut off in the chunk at offset %llu: %zu of %zu bytes", source->name,
                     (unsigned long long)source->file_offset, got, wanted);
}

static bool damaged(struct chunk_source *source, const char *what)
{
    return error_set(&source->failure, ERROR_INPUT, "%s: offset %llu: %s", source->name,
                     (unsigned long long)source->file_offset, what);
}

static bool not_a_chunk(struct chunk_source *source)
{
    return damaged(source, source->file_offset == 0
                               ? "this is no gfe file: it does not begin with \"gfeC\""
                               : "damaged: no chunk begins here");
}

/* The magic is already checked. */
static bool head_check(struct chunk_source *source, const uint8_t bytes[CHUNK_HEAD_BYTES],
                       struct chunk_head *head)
{
    const uint64_t bound = CHUNK_RAW_MAX_BYTES + CHUNK_RAW_MAX_BYTES / 8;

    *head = (struct chunk_head){.version = (uint16_t)chunk_get32(bytes + 4),
                                .kind = (uint16_t)(chunk_get32(bytes + 4) >> 16),
                                .raw_bytes = chunk_get32(bytes + 8),
                                .stored_bytes = chunk_get32(bytes + 12),
                                .raw_crc = chunk_get32(bytes + 16),
                                .head_crc = chunk_get32(bytes + 20)};
    if (head->head_crc != deflate_crc(0, bytes, CHUNK_HEAD_BYTES - 4))
        return damaged(source, "damaged: checksum of the chunk's header");
    if (head->version != CHUNK_VERSION)
        return error_set(&source->failure, ERROR_INPUT,
                         "%s: offset %llu: chunk version %u, but this gfe reads version %u",
                         source->name, (unsigned long long)source->file_offset, head->version,
                         (unsigned)CHUNK_VERSION);
    if (head->kind < CHUNK_TRACE || head->kind >= CHUNK_KIND_END)
        return error_set(&source->failure, ERROR_INPUT, "%s: offset %llu: chunk of unknown kind %u",
                         source->name, (unsigned long long)source->file_offset, head->kind);
    if (head->raw_bytes > CHUNK_RAW_MAX_BYTES || head->stored_bytes > bound)
        return damaged(source, "damaged: the chunk claims to be larger than chunks may be");
    if (head->raw_bytes > (uint64_t)head->stored_bytes * CHUNK_EXPANSION_MAX)
        return damaged(source, "damaged: the chunk claims to expand more than zlib can");
    return true;
}

static bool reserve(struct chunk_source *source, uint8_t **buffer, size_t *capacity, size_t bytes)
{
    if (bytes <= *capacity)
        return true;
    /* Large ones come in steps: then they can be exchanged, and are used again more often. */
    if (bytes > CHUNK_BUFFER_STEP_BYTES)
        bytes = (bytes + CHUNK_BUFFER_STEP_BYTES - 1) / CHUNK_BUFFER_STEP_BYTES *
                CHUNK_BUFFER_STEP_BYTES;
    free(*buffer);
    *capacity = 0;
    *buffer = malloc(bytes);
    if (!*buffer)
        return error_set_errno(&source->failure, ENOMEM, "%s: cannot read", source->name);
    *capacity = bytes;
    return true;
}

static bool body_read(struct chunk_source *source, const struct chunk_head *head,
                      struct chunk_slot *slot)
{
    size_t got;

    if (!reserve(source, &source->stored, &source->stored_capacity, head->stored_bytes) ||
        !reserve(source, &slot->raw, &slot->raw_capacity, (size_t)head->raw_bytes + 1) ||
        !read_all(source, source->stored, head->stored_bytes, &got))
        return false;
    if (got < head->stored_bytes)
        return cut_off(source, CHUNK_HEAD_BYTES + got,
                       (size_t)CHUNK_HEAD_BYTES + head->stored_bytes);

    if (!deflate_unpack(source->unpacker, source->stored, head->stored_bytes, slot->raw,
                        head->raw_bytes))
        return damaged(source, "damaged: the chunk does not unpack to the size that it states");
    if (deflate_crc(0, slot->raw, head->raw_bytes) != head->raw_crc)
        return damaged(source, "damaged: checksum of the chunk's data");
    return true;
}

static bool index_check(struct chunk_source *source, const uint8_t *raw, uint32_t raw_bytes)
{
    if (raw_bytes < CHUNK_INDEX_COUNT_BYTES ||
        raw_bytes - CHUNK_INDEX_COUNT_BYTES != (uint64_t)chunk_get32(raw) * CHUNK_INDEX_ENTRY_BYTES)
        return damaged(source, "damaged: the index has not the size that its count asks for");
    source->listed_crc = deflate_crc(source->listed_crc, raw + CHUNK_INDEX_COUNT_BYTES,
                                     raw_bytes - CHUNK_INDEX_COUNT_BYTES);
    source->listed_count += chunk_get32(raw);
    source->saw_index = true;
    return true;
}

static void met(struct chunk_source *source, uint16_t kind)
{
    uint8_t entry[CHUNK_INDEX_ENTRY_BYTES];

    chunk_put64(entry, source->file_offset);
    chunk_put32(entry + 8, kind);
    source->met_crc = deflate_crc(source->met_crc, entry, sizeof entry);
}

/* The file ended between two chunks. */
static enum chunk_result end_check(struct chunk_source *source)
{
    if (!source->saw_index || source->sought)
        return CHUNK_AT_END;
    if (source->listed_count == source->count && source->listed_crc == source->met_crc)
        return CHUNK_AT_END;
    error_set(&source->failure, ERROR_INPUT,
              "%s: the index (%llu chunks) does not fit the file (%llu chunks): parts are missing",
              source->name, (unsigned long long)source->listed_count,
              (unsigned long long)source->count);
    return CHUNK_FAILED;
}

/* One chunk of any kind.  Sets *kind; CHUNK_GOT leaves file_offset at the chunk. */
static enum chunk_result any_read(struct chunk_source *source, struct chunk_head *head,
                                  struct chunk_slot *slot)
{
    uint8_t bytes[CHUNK_HEAD_BYTES];
    size_t got;

    if (!read_all(source, bytes, sizeof bytes, &got))
        return CHUNK_FAILED;
    if (got == 0)
        return end_check(source);
    if (memcmp(bytes, CHUNK_MAGIC, got < CHUNK_MAGIC_BYTES ? got : CHUNK_MAGIC_BYTES) != 0) {
        (void)not_a_chunk(source);
        return CHUNK_FAILED;
    }
    if (got < sizeof bytes) {
        (void)cut_off(source, got, sizeof bytes);
        return CHUNK_FAILED;
    }
    if (!head_check(source, bytes, head) || !body_read(source, head, slot))
        return CHUNK_FAILED;
    return CHUNK_GOT;
}

static enum chunk_result next_read(struct chunk_source *source, struct chunk_slot *slot)
{
    for (;;) {
        struct chunk_head head;
        const enum chunk_result result = any_read(source, &head, slot);

        if (result != CHUNK_GOT)
            return result;
        const uint64_t file_offset = source->file_offset;
        if (head.kind != CHUNK_INDEX && source->saw_index) {
            (void)damaged(source, "a chunk follows the index");
            return CHUNK_FAILED;
        }
        if (head.kind == CHUNK_INDEX && !index_check(source, slot->raw, head.raw_bytes))
            return CHUNK_FAILED;
        if (head.kind != CHUNK_INDEX)
            met(source, head.kind);
        source->file_offset += (uint64_t)CHUNK_HEAD_BYTES + head.stored_bytes;
        if (head.kind == CHUNK_INDEX)
            continue;
        slot->chunk = (struct chunk){.kind = head.kind,
                                     .raw_bytes = head.raw_bytes,
                                     .raw = slot->raw,
                                     .file_offset = file_offset,
                                     .number = source->count++};
        return CHUNK_GOT;
    }
}

static void slot_fill(struct chunk_source *source, struct chunk_slot *slot)
{
    slot->result = source->failure.kind == ERROR_NONE ? next_read(source, slot) : CHUNK_FAILED;
    slot->place = (struct chunk_place){source->file_offset, source->saw_index, source->was_cut};
}

/* ---- reading ahead --------------------------------------------------------------------------- */

bool chunk_reader_is_regular(const struct chunk_reader *reader)
{
    struct stat status;

    return fstat(reader->source.fd, &status) == 0 && S_ISREG(status.st_mode);
}

void chunk_reader_read_ahead(struct chunk_reader *reader)
{
    /* A pipe may never come to its end, so waiting for the thread might never end. */
    reader->may_read_ahead = chunk_reader_is_regular(reader);
}

static void read_ahead(struct handoff *handoff, void *context)
{
    struct chunk_reader *reader = context;
    uint32_t number;
    bool more = true;

    while (more && (number = handoff_fill(handoff)) != HANDOFF_NONE) {
        slot_fill(&reader->source, &reader->slots[number]);
        more = reader->slots[number].result == CHUNK_GOT;
        handoff_filled(handoff);
    }
}

/* The next slot; the one before is given up. */
static struct chunk_slot *slot_next(struct chunk_reader *reader)
{
    if (reader->handoff) {
        handoff_taken(reader->handoff);
        return &reader->slots[handoff_take(reader->handoff)];
    }
    if (reader->may_read_ahead && reader->raw_bytes >= CHUNK_THREAD_FROM_BYTES) {
        reader->may_read_ahead = false;
        reader->handoff = handoff_start(read_ahead, reader);
        if (reader->handoff)
            return &reader->slots[handoff_take(reader->handoff)];
    }
    slot_fill(&reader->source, &reader->slots[0]);
    return &reader->slots[0];
}

enum chunk_result chunk_read(struct chunk_reader *reader, struct chunk *chunk,
                             struct gfe_error *error)
{
    /* What ended stays ended. */
    if (!reader->at || reader->at->result == CHUNK_GOT)
        reader->at = slot_next(reader);
    if (reader->at->result == CHUNK_FAILED)
        (void)error_set(error, reader->source.failure.kind, "%s", reader->source.failure.text);
    /* At the end too: the bound may have been set behind the last chunk. */
    if (reader->at->result == CHUNK_AT_END && !chunk_reader_spend(reader, 0, error))
        return CHUNK_FAILED;
    if (reader->at->result == CHUNK_GOT) {
        reader->raw_bytes += reader->at->chunk.raw_bytes;
        if (!chunk_reader_spend(reader, reader->at->chunk.raw_bytes, error))
            return CHUNK_FAILED;
        *chunk = reader->at->chunk;
    }
    return reader->at->result;
}

uint8_t *chunk_reader_exchange(struct chunk_reader *reader, uint8_t *buffer, size_t capacity)
{
    struct chunk_slot *slot = reader->at;
    uint8_t *raw;

    if (!slot || slot->result != CHUNK_GOT || slot->raw_capacity != capacity)
        return NULL;
    raw = slot->raw;
    slot->raw = buffer;
    return raw;
}

void chunk_reader_limit(struct chunk_reader *reader, uint64_t unpacked_bytes)
{
    reader->limit_bytes = unpacked_bytes;
}

bool chunk_reader_spend(struct chunk_reader *reader, uint64_t bytes, struct gfe_error *error)
{
    reader->spent_bytes += bytes;
    if (reader->spent_bytes <= reader->limit_bytes)
        return true;
    return error_set(error, ERROR_LIMIT, "%s: unpacks to more than %llu bytes (--max-expansion)",
                     reader->source.name, (unsigned long long)reader->limit_bytes);
}

bool chunk_reader_saw_index(const struct chunk_reader *reader)
{
    return reader->at && reader->at->place.saw_index;
}

bool chunk_reader_was_cut(const struct chunk_reader *reader)
{
    return reader->at && reader->at->place.was_cut;
}

uint64_t chunk_reader_offset(const struct chunk_reader *reader)
{
    return reader->at ? reader->at->place.file_offset : 0;
}

const char *chunk_reader_name(const struct chunk_reader *reader)
{
    return reader->source.name;
}

void chunk_reader_free(struct chunk_reader *reader)
{
    if (!reader)
        return;
    read_ahead_end(reader);
    deflate_unpacker_free(reader->source.unpacker);
    if (reader->own_fd)
        (void)close(reader->source.fd);
    free(reader->source.stored);
    for (uint32_t i = 0; i < HANDOFF_SLOTS; i++)
        free(reader->slots[i].raw);
    free(reader);
}
