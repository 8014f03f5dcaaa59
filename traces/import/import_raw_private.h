/* SPDX-License-Identifier: MIT */
/* The parts of gfe import raw among themselves: import_raw.c reads lines, knows what is said of the
 * GPU and its memory; import_raw_channel.c has the statements about channels. */
#ifndef GFE_TRACES_IMPORT_IMPORT_RAW_PRIVATE_H
#define GFE_TRACES_IMPORT_IMPORT_RAW_PRIVATE_H

#include "traces/import/import_raw.h"
#include "traces/format/trace.h"

enum {
    RAW_VERSION = 1,
    LINE_BYTES = 4096,
    WORDS_MAX = 64, /* on a line */
    REGIONS_MAX = 4096,
    CHANNELS_MAX = 64,
    PUSHES_MAX = 512,
    SUBCHANNELS = 8,
    PAGE_BYTES = 4096,
    BINDINGS_BYTES = 1 << 16, /* of the importer's own memory object */
    PROCESS_ID = 1,
    THREAD_ID = 1,
};
#define VA_END           (UINT64_C(1) << 49) /* of Pascal's page tables; of those before it 2^40 */
#define GP_VA_END        (UINT64_C(1) << 40) /* of a GP entry */
#define PUSH_MAX_BYTES   UINT64_C(0x7ffffc)
#define DEFAULT_VRAM     (UINT64_C(6) << 30)
#define MEMORY_MAX_BYTES (UINT64_C(1) << 38)

struct raw_region {
    uint64_t va, size_bytes;
    uint32_t handle;
};

struct raw_channel {
    uint32_t channel_id;
    uint32_t submission_id;         /* the last */
    uint32_t class_id[SUBCHANNELS]; /* to be bound; 0: nothing */
};

struct raw {
    FILE *file;
    const char *name;
    struct gfe_error *error;
    struct trace_writer *writer;
    uint64_t line_number;
    char line[LINE_BYTES];
    char *words[WORDS_MAX];
    int word_count;

    char gpu[64], driver[64];
    struct trace_meta meta;
    bool is_raw, started;
    uint64_t time_ns;
    uint64_t words_va; /* inside of `words`: where the next dword goes; else 0 */
    bool in_words;

    struct raw_region regions[REGIONS_MAX];
    uint32_t region_count;
    struct raw_channel channels[CHANNELS_MAX];
    uint32_t channel_count;
    struct trace_push pushes[PUSHES_MAX]; /* of the next submission */
    uint32_t push_count;
    uint32_t submission_count;
    uint64_t bindings_bytes; /* used of the importer's memory object; it exists if not 0 */
};

/* Sets an error that names the line that is being read.  Returns false. */
bool raw_wrong(struct raw *raw, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Words of the line as a number up to `highest`, a size, one to eight hexadecimal digits. */
bool raw_number(struct raw *raw, int word, uint64_t highest, uint64_t *value);
bool raw_number32(struct raw *raw, int word, uint32_t highest, uint32_t *value);
bool raw_size(struct raw *raw, int word, uint64_t *value);
bool raw_hex(struct raw *raw, const char *word, uint32_t *value);

/* Writes a record of that kind at the current time. */
bool raw_put(struct raw *raw, uint16_t kind, struct trace_record record);
struct trace_str raw_str(const char *text);
/* The memory object that holds all of the range, or NULL. */
const struct raw_region *raw_region(const struct raw *raw, uint64_t va, uint64_t bytes);
/* A new memory object, which must not overlap another. */
bool raw_map(struct raw *raw, uint64_t va, uint64_t size_bytes, uint8_t aperture);
/* Stores bytes inside of a memory object. */
bool raw_store(struct raw *raw, uint64_t va, const void *data, uint32_t bytes);

/* Statements. */
bool raw_say_channel(struct raw *raw);
bool raw_say_bind(struct raw *raw);
bool raw_say_push(struct raw *raw);
bool raw_say_ib(struct raw *raw);
bool raw_say_submit(struct raw *raw);
bool raw_say_wait(struct raw *raw);
bool raw_say_expect(struct raw *raw);
bool raw_say_time(struct raw *raw);
bool raw_say_mark(struct raw *raw);

#endif
