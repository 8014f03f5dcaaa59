/* SPDX-License-Identifier: MIT */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/base/args.h"
#include "traces/import/import_raw_private.h"
#include "emu/base/input.h"

bool raw_wrong(struct raw *raw, const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(raw->error, ERROR_INPUT, "%s: line %" PRIu64 ": %s", raw->name,
                     raw->line_number, text);
}

/* ---- words ----------------------------------------------------------------------------------- */

bool raw_number(struct raw *raw, int word, uint64_t highest, uint64_t *value)
{
    if (!args_parse_number(raw->words[word], value))
        return raw_wrong(raw, "'%s' is not a number", raw->words[word]);
    if (*value > highest)
        return raw_wrong(raw, "%s is more than 0x%" PRIx64, raw->words[word], highest);
    return true;
}

bool raw_number32(struct raw *raw, int word, uint32_t highest, uint32_t *value)
{
    uint64_t wide = 0;
    const bool good = raw_number(raw, word, highest, &wide);

    *value = (uint32_t)wide;
    return good;
}

bool raw_size(struct raw *raw, int word, uint64_t *value)
{
    return args_parse_bytes(raw->words[word], value) ||
           raw_wrong(raw, "'%s' is not a size", raw->words[word]);
}

/* One to eight hexadecimal digits, 0x in front or not. */
bool raw_hex(struct raw *raw, const char *word, uint32_t *value)
{
    const char *digits = strncmp(word, "0x", 2) == 0 ? word + 2 : word;
    const size_t count = strspn(digits, "0123456789abcdefABCDEF");

    if (count == 0 || count > 8 || digits[count] != '\0')
        return raw_wrong(raw, "'%s' is not a dword in hexadecimal", word);
    *value = (uint32_t)strtoul(digits, NULL, 16);
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

bool raw_put(struct raw *raw, uint16_t kind, struct trace_record record)
{
    record.head.kind = kind;
    record.head.time_ns = raw->time_ns;
    record.head.process_id = PROCESS_ID;
    record.head.thread_id = THREAD_ID;
    return trace_write(raw->writer, &record, raw->error);
}

struct trace_str raw_str(const char *text)
{
    return (struct trace_str){text, (uint32_t)strlen(text)};
}

/* META and what belongs to it, before the first statement that is a record. */
static bool raw_start(struct raw *raw)
{
    if (raw->started)
        return true;
    if (!raw->gpu[0] || raw->meta.chipset == 0)
        return raw_wrong(raw, "gpu and chipset have to be said before it");
    raw->started = true;
    raw->meta.format = TRACE_FORMAT;
    raw->meta.driver = raw_str(raw->driver);
    raw->meta.gpu = raw_str(raw->gpu);
    raw->meta.recorder = raw_str("gfe import raw");
    raw->meta.host = raw->meta.program = raw_str("");
    return raw_put(raw, TRACE_META, (struct trace_record){.meta = raw->meta}) &&
           raw_put(raw, TRACE_CLIENT,
                   (struct trace_record){
                       .client = {.layer = TRACE_LAYER_UAPI, .name = raw_str("raw")}}) &&
           raw_put(raw, TRACE_AS_CREATE, (struct trace_record){0});
}

const struct raw_region *raw_region(const struct raw *raw, uint64_t va, uint64_t bytes)
{
    for (uint32_t i = 0; i < raw->region_count; i++) {
        const struct raw_region *region = &raw->regions[i];

        if (va >= region->va && va - region->va < region->size_bytes &&
            bytes <= region->size_bytes - (va - region->va))
            return region;
    }
    return NULL;
}

bool raw_map(struct raw *raw, uint64_t va, uint64_t size_bytes, uint8_t aperture)
{
    if (raw->region_count == REGIONS_MAX)
        return raw_wrong(raw, "more than %d memory objects", REGIONS_MAX);
    for (uint32_t i = 0; i < raw->region_count; i++)
        if (va < raw->regions[i].va + raw->regions[i].size_bytes &&
            raw->regions[i].va < va + size_bytes)
            return raw_wrong(raw, "there is memory at 0x%" PRIx64 " already", va);
    raw->regions[raw->region_count] = (struct raw_region){va, size_bytes, raw->region_count + 1};
    return raw_put(raw, TRACE_AS_MAP,
                   (struct trace_record){.as_map = {.va = va,
                                                    .size_bytes = size_bytes,
                                                    .handle = ++raw->region_count,
                                                    .aperture = aperture}});
}

bool raw_store(struct raw *raw, uint64_t va, const void *data, uint32_t bytes)
{
    if (!raw_region(raw, va, bytes))
        return raw_wrong(raw, "0x%" PRIx64 " lies in no memory object", va);
    return raw_put(raw, TRACE_MEM,
                   (struct trace_record){.mem = {.address = va, .data = {data, bytes}}});
}

/* ---- statements about the GPU ---------------------------------------------------------------- */

static bool raw_name(struct raw *raw, char room[64])
{
    if (strlen(raw->words[1]) >= 64)
        return raw_wrong(raw, "that name is too long");
    (void)strcpy(room, raw->words[1]);
    return true;
}

static bool say_raw(struct raw *raw)
{
    uint64_t version;

    if (!raw_number(raw, 1, UINT64_MAX, &version))
        return false;
    if (version != RAW_VERSION)
        return raw_wrong(raw, "version %" PRIu64 " is not known: only %d is", version, RAW_VERSION);
    raw->is_raw = true;
    return true;
}

static bool say_gpu(struct raw *raw)
{
    return raw_name(raw, raw->gpu);
}

static bool say_driver(struct raw *raw)
{
    return raw_name(raw, raw->driver);
}

static bool say_chipset(struct raw *raw)
{
    return raw_number32(raw, 1, UINT32_MAX, &raw->meta.chipset);
}

static bool say_pci(struct raw *raw)
{
    return raw_number32(raw, 1, UINT32_MAX, &raw->meta.pci_id);
}

static bool say_vram(struct raw *raw)
{
    return raw_size(raw, 1, &raw->meta.vram_bytes);
}

static bool say_completions(struct raw *raw)
{
    const bool stand_in = strcmp(raw->words[1], "stand-in") == 0;

    if (!stand_in && strcmp(raw->words[1], "hardware") != 0)
        return raw_wrong(raw, "completions are of 'hardware' or 'stand-in'");
    raw->meta.completions = stand_in ? TRACE_COMPLETIONS_STAND_IN : TRACE_COMPLETIONS_HARDWARE;
    return true;
}

/* ---- statements about memory ----------------------------------------------------------------- */

static bool say_memory(struct raw *raw)
{
    uint8_t aperture = TRACE_APERTURE_VRAM;
    uint64_t va, size_bytes;

    if (!raw_number(raw, 1, VA_END - 1, &va) || !raw_size(raw, 2, &size_bytes))
        return false;
    if (va % PAGE_BYTES || size_bytes % PAGE_BYTES || size_bytes == 0 ||
        size_bytes > MEMORY_MAX_BYTES || size_bytes > VA_END - va)
        return raw_wrong(raw, "memory has whole pages of %d bytes below 2^40", PAGE_BYTES);
    if (va < IMPORT_RAW_VA + BINDINGS_BYTES && va + size_bytes > IMPORT_RAW_VA)
        return raw_wrong(raw, "0x%" PRIx64 " to 0x%" PRIx64 " is the importer's own", IMPORT_RAW_VA,
                         IMPORT_RAW_VA + BINDINGS_BYTES - 1);
    if (raw->word_count == 4 && strcmp(raw->words[3], "sysmem") == 0)
        aperture = TRACE_APERTURE_SYSMEM;
    else if (raw->word_count == 4 && strcmp(raw->words[3], "vram") != 0)
        return raw_wrong(raw, "memory is 'vram' or 'sysmem'");
    return raw_map(raw, va, size_bytes, aperture);
}

static bool say_words(struct raw *raw)
{
    if (!raw_number(raw, 1, VA_END - 1, &raw->words_va))
        return false;
    if (raw->words_va % 4)
        return raw_wrong(raw, "dwords lie at multiples of 4");
    raw->in_words = true;
    return true;
}

/* A line between `words` and `end`. */
static bool raw_dwords(struct raw *raw)
{
    uint8_t bytes[4 * WORDS_MAX];

    if (raw->word_count == 1 && strcmp(raw->words[0], "end") == 0) {
        raw->in_words = false;
        return true;
    }
    for (int i = 0; i < raw->word_count; i++) {
        uint32_t dword = 0;

        if (!raw_hex(raw, raw->words[i], &dword))
            return false;
        for (int j = 0; j < 4; j++)
            bytes[4 * i + j] = (uint8_t)(dword >> 8 * j);
    }
    if (!raw_store(raw, raw->words_va, bytes, 4 * (uint32_t)raw->word_count))
        return false;
    raw->words_va += 4 * (uint64_t)raw->word_count;
    return true;
}

/* The path as the text means it: from its own folder. */
static FILE *raw_open(struct raw *raw, const char *path)
{
    const char *slash = strrchr(raw->name, '/');
    struct stat status;
    char *whole = NULL;
    FILE *file;

    if (path[0] != '/' && slash &&
        asprintf(&whole, "%.*s/%s", (int)(slash - raw->name), raw->name, path) < 0) {
        error_set(raw->error, ERROR_SYSTEM, "no memory for a path");
        return NULL;
    }
    /* Whether it is a file is asked first: opening a pipe could wait for ever. */
    if (stat(whole ? whole : path, &status) == 0 && !S_ISREG(status.st_mode)) {
        (void)raw_wrong(raw, "%s is no file", path);
        file = NULL;
    } else {
        file = fopen(whole ? whole : path, "rbe");
        if (!file)
            error_set_errno(raw->error, errno, "%s: line %" PRIu64 ": %s", raw->name,
                            raw->line_number, whole ? whole : path);
    }
    free(whole);
    return file;
}

/* Stores what the file holds from its current place on, at most `bytes`; UINT64_MAX: all. */
static bool raw_copy(struct raw *raw, FILE *file, uint64_t va, uint64_t bytes)
{
    uint8_t data[PAGE_BYTES];
    uint64_t done = 0;
    size_t got;

    while (done < bytes) {
        const uint64_t rest = bytes - done;

        got = fread(data, 1, rest < sizeof data ? (size_t)rest : sizeof data, file);
        if (got == 0)
            break;
        if (!raw_store(raw, va + done, data, (uint32_t)got))
            return false;
        done += got;
    }
    if (ferror(file))
        return error_set_errno(raw->error, errno, "%s", raw->words[2]);
    return bytes == UINT64_MAX || done == bytes ||
           raw_wrong(raw, "%s has only %" PRIu64 " bytes there", raw->words[2], done);
}

static bool say_file(struct raw *raw)
{
    uint64_t va, from = 0, bytes = UINT64_MAX;
    FILE *file;
    bool done;

    if (!raw_number(raw, 1, VA_END - 1, &va) ||
        (raw->word_count > 3 && !raw_number(raw, 3, INT64_MAX, &from)) ||
        (raw->word_count > 4 && !raw_size(raw, 4, &bytes)))
        return false;
    file = raw_open(raw, raw->words[2]);
    if (!file)
        return false;
    done = fseeko(file, (off_t)from, SEEK_SET) == 0
               ? raw_copy(raw, file, va, bytes)
               : error_set_errno(raw->error, errno, "%s", raw->words[2]);
    (void)fclose(file);
    return done;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static const struct raw_statement {
    const char *name;
    bool (*say)(struct raw *raw);
    int at_least, at_most; /* words behind the name */
    bool is_about_gpu;     /* comes before the others */
} statements[] = {
    {"gfe-raw", say_raw, 1, 1, true},
    {"gpu", say_gpu, 1, 1, true},
    {"chipset", say_chipset, 1, 1, true},
    {"pci", say_pci, 1, 1, true},
    {"vram", say_vram, 1, 1, true},
    {"driver", say_driver, 1, 1, true},
    {"completions", say_completions, 1, 1, true},
    {"memory", say_memory, 2, 3, false},
    {"words", say_words, 1, 1, false},
    {"file", say_file, 2, 4, false},
    {"channel", raw_say_channel, 1, 2, false},
    {"bind", raw_say_bind, 3, 3, false},
    {"push", raw_say_push, 2, 3, false},
    {"ib", raw_say_ib, 2, 2, false},
    {"submit", raw_say_submit, 1, 1, false},
    {"wait", raw_say_wait, 1, 1, false},
    {"expect", raw_say_expect, 3, 3, false},
    {"time", raw_say_time, 1, 1, false},
    {"mark", raw_say_mark, 1, WORDS_MAX, false},
};

static bool raw_say(struct raw *raw)
{
    const struct raw_statement *statement = NULL;
    const int count = raw->word_count - 1;

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (strcmp(raw->words[0], statements[i].name) == 0)
            statement = &statements[i];
    if (!raw->is_raw && (!statement || statement->say != say_raw))
        return raw_wrong(raw, "this is no text for gfe import raw: 'gfe-raw %d' was expected",
                         RAW_VERSION);
    if (!statement)
        return raw_wrong(raw, "there is no statement '%s'", raw->words[0]);
    if (count < statement->at_least || count > statement->at_most)
        return raw_wrong(raw, "%s needs %d to %d words after it", statement->name,
                         statement->at_least, statement->at_most);
    if (statement->is_about_gpu && raw->started)
        return raw_wrong(raw, "%s comes before memory and channels", statement->name);
    return (statement->is_about_gpu || raw_start(raw)) && statement->say(raw);
}

/* Parts the line into words. */
static bool raw_split(struct raw *raw)
{
    static const char blanks[] = " \t\r\n";
    char *rest = NULL;

    raw->line[strcspn(raw->line, "#")] = '\0';
    raw->word_count = 0;
    for (char *word = strtok_r(raw->line, blanks, &rest); word;
         word = strtok_r(NULL, blanks, &rest)) {
        if (raw->word_count == WORDS_MAX)
            return raw_wrong(raw, "more than %d words", WORDS_MAX);
        raw->words[raw->word_count++] = word;
    }
    return true;
}

/* The next line; *end when there is none. */
static bool raw_line(struct raw *raw, bool *end)
{
    const enum input_line line = input_line(raw->file, raw->line, sizeof raw->line);

    *end = line == INPUT_END || line == INPUT_FAILED;
    if (line == INPUT_FAILED)
        return error_set_errno(raw->error, errno, "%s", raw->name);
    if (*end)
        return true;
    raw->line_number++;
    if (line == INPUT_ZERO)
        return raw_wrong(raw, "the line has a zero byte: this is no text");
    if (line == INPUT_LONG)
        return raw_wrong(raw, "the line is longer than %zu characters", sizeof raw->line - 2);
    return true;
}

static bool raw_all(struct raw *raw)
{
    bool end = false;

    while (raw_line(raw, &end) && !end)
        if (!raw_split(raw) ||
            (raw->word_count > 0 && !(raw->in_words ? raw_dwords(raw) : raw_say(raw))))
            return false;
    if (!end || raw->error->kind != ERROR_NONE)
        return false;
    if (raw->in_words)
        return raw_wrong(raw, "'end' is missing");
    if (raw->push_count > 0)
        return raw_wrong(raw, "the last entries are not submitted");
    if (!raw->is_raw)
        return raw_wrong(raw, "the text is empty");
    return raw_start(raw) && raw_put(raw, TRACE_END, (struct trace_record){0}) &&
           trace_writer_finish(raw->writer, raw->error);
}

bool import_raw(FILE *file, const char *name, int fd, const char *output_name,
                struct gfe_error *error)
{
    struct raw *raw = calloc(1, sizeof *raw);
    bool done = false;

    if (!raw)
        return error_set(error, ERROR_SYSTEM, "%s: no memory to read it", name);
    raw->file = file;
    raw->name = name;
    raw->error = error;
    raw->meta.pci_id = 0x10de0000;
    raw->meta.vram_bytes = DEFAULT_VRAM;
    raw->meta.completions = TRACE_COMPLETIONS_HARDWARE;
    (void)strcpy(raw->driver, "nouveau");
    raw->writer = trace_writer_new(fd, output_name, error);
    if (raw->writer)
        done = raw_all(raw);
    trace_writer_free(raw->writer);
    free(raw);
    return done;
}
