/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/import/import_bus.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/args.h"
#include "emu/engine/memory.h"
#include "emu/engine/reg_assign.h"
#include "traces/format/trace.h"
#include "emu/base/input.h"

enum { BUS_VERSION = 1, LINE_BYTES = 4096, WORDS_MAX = 64, DWORDS_BYTES = 4096 };
#define MAP_VA_END (UINT64_C(1) << 49)

struct bus {
    FILE *file;
    const char *name;
    struct gfe_error *error;
    struct trace_writer *writer;
    const struct import_bus_chips *chips;
    struct import_bus_chip gpu; /* mmio is NULL until the text has named it */
    uint64_t line_number;
    char line[LINE_BYTES];
    char *words[WORDS_MAX];
    int word_count;
    bool is_bus;
    uint64_t time_ns;

    bool in_words;
    uint32_t words_as; /* where the next dwords go */
    uint64_t words_at;
    uint8_t dwords[DWORDS_BYTES]; /* collected, not written yet */
    uint32_t dword_bytes;
};

static bool wrong(struct bus *bus, const char *format, ...) __attribute__((format(printf, 2, 3)));

static bool wrong(struct bus *bus, const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(bus->error, ERROR_INPUT, "%s: line %" PRIu64 ": %s", bus->name,
                     bus->line_number, text);
}

/* ---- words ----------------------------------------------------------------------------------- */

static bool number(struct bus *bus, int word, uint64_t highest, uint64_t *value)
{
    if (!args_parse_number(bus->words[word], value))
        return wrong(bus, "'%s' is not a number", bus->words[word]);
    if (*value > highest)
        return wrong(bus, "%s is more than 0x%" PRIx64, bus->words[word], highest);
    return true;
}

/* One to eight hexadecimal digits, 0x in front or not. */
static bool hex(struct bus *bus, const char *word, uint32_t *value)
{
    const char *digits = strncmp(word, "0x", 2) == 0 ? word + 2 : word;
    const size_t count = strspn(digits, "0123456789abcdefABCDEF");

    if (count == 0 || count > 8 || digits[count] != '\0')
        return wrong(bus, "'%s' is not a dword in hexadecimal", word);
    *value = (uint32_t)strtoul(digits, NULL, 16);
    return true;
}

/* The optional last word of a statement; video memory without. */
static bool aperture(struct bus *bus, int word, bool *is_system)
{
    *is_system = word < bus->word_count && strcmp(bus->words[word], "sysmem") == 0;
    return word >= bus->word_count || *is_system || strcmp(bus->words[word], "vram") == 0 ||
           wrong(bus, "memory is 'vram' or 'sysmem', not '%s'", bus->words[word]);
}

/* Parts a copy of the text into words; the text stays. */
static bool split(struct bus *bus, char *copy)
{
    static const char blanks[] = " \t\r\n";
    char *rest = NULL;

    bus->word_count = 0;
    for (char *word = strtok_r(copy, blanks, &rest); word; word = strtok_r(NULL, blanks, &rest)) {
        if (bus->word_count == WORDS_MAX)
            return wrong(bus, "more than %d words", WORDS_MAX);
        bus->words[bus->word_count++] = word;
    }
    return true;
}

/* ---- records --------------------------------------------------------------------------------- */

static bool put(struct bus *bus, uint16_t kind, struct trace_record record)
{
    record.head.kind = kind;
    record.head.time_ns = bus->time_ns;
    record.head.process_id = record.head.thread_id = 1;
    return trace_write(bus->writer, &record, bus->error);
}

static struct trace_str str(const char *text)
{
    return (struct trace_str){text, (uint32_t)strlen(text)};
}

static bool put_start(struct bus *bus)
{
    const struct trace_meta meta = {
        .format = TRACE_FORMAT,
        .driver = str("none"),
        .gpu = str(bus->gpu.name),
        .chipset = bus->gpu.chip_id,
        .pci_id = bus->gpu.pci_id,
        .vram_bytes = bus->gpu.vram_bytes,
        .completions = TRACE_COMPLETIONS_HARDWARE,
        .recorder = str("gfe import bus"),
        .host = str(""),
        .program = str(""),
    };

    return put(bus, TRACE_META, (struct trace_record){.meta = meta}) &&
           put(bus, TRACE_CLIENT,
               (struct trace_record){.client = {.layer = TRACE_LAYER_BUS, .name = str("bus")}});
}

/* ---- statements ------------------------------------------------------------------------------ */

static bool say_bus(struct bus *bus)
{
    uint64_t version;

    if (!number(bus, 1, UINT64_MAX, &version))
        return false;
    if (version != BUS_VERSION)
        return wrong(bus, "version %" PRIu64 " is not known: only %d is", version, BUS_VERSION);
    bus->is_bus = true;
    return true;
}

static bool say_gpu(struct bus *bus)
{
    bool is_known = true;

    if (bus->gpu.mmio)
        return wrong(bus, "the GPU is said already");
    if (!bus->chips->open(bus->words[1], &bus->gpu, &is_known, bus->error))
        return is_known ? false
                        : wrong(bus, "no GPU is called '%s'; gfe gpus lists them", bus->words[1]);
    return put_start(bus);
}

static bool say_words(struct bus *bus)
{
    bool is_system;

    if (!number(bus, 1, UINT64_MAX, &bus->words_at) || !aperture(bus, 2, &is_system))
        return false;
    if (bus->words_at % 4)
        return wrong(bus, "dwords lie at multiples of 4");
    bus->words_as = is_system ? TRACE_AS_PHYSICAL_SYSTEM : TRACE_AS_PHYSICAL;
    bus->in_words = true;
    return true;
}

static bool flush_dwords(struct bus *bus)
{
    const uint32_t bytes = bus->dword_bytes;
    const struct trace_mem mem = {
        .as_id = bus->words_as, .address = bus->words_at, .data = {bus->dwords, bytes}};

    bus->words_at += bytes;
    bus->dword_bytes = 0;
    return bytes == 0 || put(bus, TRACE_MEM, (struct trace_record){.mem = mem});
}

/* A line between `words` and `end`. */
static bool say_dwords(struct bus *bus)
{
    if (bus->word_count == 1 && strcmp(bus->words[0], "end") == 0) {
        bus->in_words = false;
        return flush_dwords(bus);
    }
    for (int i = 0; i < bus->word_count; i++) {
        uint32_t dword = 0;

        if (!hex(bus, bus->words[i], &dword) ||
            (bus->dword_bytes == DWORDS_BYTES && !flush_dwords(bus)))
            return false;
        for (int j = 0; j < 4; j++)
            bus->dwords[bus->dword_bytes++] = (uint8_t)(dword >> 8 * j);
    }
    return true;
}

/* ROOT VA SIZE of map and unmap. */
static bool range(struct bus *bus, uint64_t *as_id, uint64_t *va, uint64_t *size_bytes)
{
    uint64_t root;

    if (!number(bus, 1, bus->gpu.vram_bytes - 1, &root) || !number(bus, 2, MAP_VA_END - 1, va))
        return false;
    if (!args_parse_bytes(bus->words[3], size_bytes) &&
        !args_parse_number(bus->words[3], size_bytes))
        return wrong(bus, "'%s' is not a size", bus->words[3]);
    if (root % MEMORY_PAGE_BYTES || *va % MEMORY_PAGE_BYTES || *size_bytes % MEMORY_PAGE_BYTES ||
        *size_bytes == 0 || *size_bytes > MAP_VA_END - *va)
        return wrong(bus, "root, address and size are of whole pages of %d bytes below 2^49",
                     MEMORY_PAGE_BYTES);
    *as_id = root / MEMORY_PAGE_BYTES;
    return true;
}

static bool say_map(struct bus *bus)
{
    uint64_t as_id = 0, va, size_bytes, physical;
    bool is_system;

    if (!range(bus, &as_id, &va, &size_bytes) || !number(bus, 4, UINT64_MAX, &physical) ||
        !aperture(bus, 5, &is_system))
        return false;
    if (physical % MEMORY_PAGE_BYTES)
        return wrong(bus, "%s is not the address of a page", bus->words[4]);
    return put(bus, TRACE_AS_MAP,
               (struct trace_record){.as_map = {.as_id = (uint32_t)as_id,
                                                .va = va,
                                                .size_bytes = size_bytes,
                                                .object_offset = physical,
                                                .aperture = is_system ? TRACE_APERTURE_SYSMEM
                                                                      : TRACE_APERTURE_VRAM}});
}

static bool say_unmap(struct bus *bus)
{
    uint64_t as_id = 0, va, size_bytes;

    return range(bus, &as_id, &va, &size_bytes) &&
           put(bus, TRACE_AS_UNMAP,
               (struct trace_record){
                   .as_unmap = {.as_id = (uint32_t)as_id, .va = va, .size_bytes = size_bytes}});
}

static bool say_bar1(struct bus *bus)
{
    uint64_t offset, value;

    if (!number(bus, 1, UINT64_MAX, &offset) || !number(bus, 3, UINT32_MAX, &value))
        return false;
    if (strcmp(bus->words[2], "=") != 0 || offset % 4)
        return wrong(bus, "'bar1 OFFSET = NUMBER' was expected, with a multiple of 4");
    return put(bus, TRACE_MMIO_WRITE,
               (struct trace_record){
                   .mmio_write = {.bar = 1, .offset = offset, .size_bytes = 4, .value = value}});
}

static bool say_doorbell(struct bus *bus)
{
    uint64_t channel_id, value;

    return number(bus, 1, UINT32_MAX, &channel_id) && number(bus, 2, UINT32_MAX, &value) &&
           put(bus, TRACE_DOORBELL,
               (struct trace_record){
                   .doorbell = {.channel_id = (uint32_t)channel_id, .value = value}});
}

static bool assign(struct bus *bus, const char *text, struct reg_assign *assign)
{
    struct reg_assign_message message;

    if (!reg_assign_parse(bus->gpu.mmio, text, assign, &message))
        return wrong(bus, "%s", message.text);
    if (assign->mask != UINT32_MAX)
        return wrong(bus, "one field alone cannot be written here: say the register's others, "
                          "as in NAME FIELD=VALUE FIELD=VALUE");
    return true;
}

static bool say_read(struct bus *bus)
{
    struct reg_assign read;

    return assign(bus, bus->line + (bus->words[1] - bus->words[0]), &read) &&
           put(bus, TRACE_MMIO_READ,
               (struct trace_record){
                   .mmio_read = {.offset = read.offset, .size_bytes = 4, .value = read.value}});
}

static bool say_write(struct bus *bus)
{
    struct reg_assign write;

    return assign(bus, bus->line, &write) &&
           put(bus, TRACE_MMIO_WRITE,
               (struct trace_record){
                   .mmio_write = {.offset = write.offset, .size_bytes = 4, .value = write.value}});
}

static bool say_mark(struct bus *bus)
{
    return put(
        bus, TRACE_MARK,
        (struct trace_record){.mark.text = str(bus->line + (bus->words[1] - bus->words[0]))});
}

static const struct bus_statement {
    const char *name;
    bool (*say)(struct bus *bus);
    int at_least, at_most; /* words behind the name */
} statements[] = {
    {"gfe-bus", say_bus, 1, 1},       {"gpu", say_gpu, 1, 1},
    {"words", say_words, 1, 2},       {"map", say_map, 4, 5},
    {"unmap", say_unmap, 3, 3},       {"bar1", say_bar1, 3, 3},
    {"doorbell", say_doorbell, 2, 2}, {"read", say_read, 1, WORDS_MAX},
    {"mark", say_mark, 1, WORDS_MAX},
};

/* ---- lines ----------------------------------------------------------------------------------- */

static bool say(struct bus *bus)
{
    const struct bus_statement *statement = NULL;
    const int count = bus->word_count - 1;

    for (size_t i = 0; i < sizeof statements / sizeof statements[0]; i++)
        if (strcmp(bus->words[0], statements[i].name) == 0)
            statement = &statements[i];
    if (!bus->is_bus && (!statement || statement->say != say_bus))
        return wrong(bus, "this is no text for gfe import bus: 'gfe-bus %d' was expected",
                     BUS_VERSION);
    if (bus->is_bus && !bus->gpu.mmio && (!statement || statement->say != say_gpu))
        return wrong(bus, "'gpu NAME' comes first");
    if (!statement)
        return say_write(bus);
    if (count < statement->at_least || count > statement->at_most)
        return wrong(bus, "%s needs %d to %d words after it", statement->name, statement->at_least,
                     statement->at_most);
    return statement->say(bus);
}

/* A time in front of the statement, which is taken off the line. */
static bool take_time(struct bus *bus, char *line)
{
    const size_t bytes = strcspn(line, " \t");
    const bool after = line[0] == '+';
    char word[64];
    gfe_ps time_ps;
    uint64_t time_ns;

    if (bytes == 0 || bytes >= sizeof word)
        return true;
    memcpy(word, line, bytes);
    word[bytes] = '\0';
    if (!args_parse_time(word + after, &time_ps))
        return !after || wrong(bus, "'%s' is no time", word);
    if (time_ps % GFE_PS_PER_NS)
        return wrong(bus, "times have whole nanoseconds: '%s' has not", word);
    time_ns = time_ps / GFE_PS_PER_NS;
    if (after && time_ns > UINT64_MAX / GFE_PS_PER_NS - bus->time_ns)
        return wrong(bus, "'%s' is too late", word);
    if (after)
        time_ns += bus->time_ns;
    if (time_ns < bus->time_ns)
        return wrong(bus, "time does not go back");
    bus->time_ns = time_ns;
    memmove(line, line + bytes + strspn(line + bytes, " \t"),
            strlen(line + bytes + strspn(line + bytes, " \t")) + 1);
    return true;
}

/* Comment, and blanks at both ends, go. */
static void trim(char *line)
{
    const size_t lead = strspn(line, " \t");
    size_t bytes;

    line[strcspn(line, "#\r\n")] = '\0';
    if (lead <= strlen(line))
        memmove(line, line + lead, strlen(line + lead) + 1);
    bytes = strlen(line);
    while (bytes > 0 && (line[bytes - 1] == ' ' || line[bytes - 1] == '\t'))
        line[--bytes] = '\0';
}

static bool take_line(struct bus *bus)
{
    char copy[LINE_BYTES];

    trim(bus->line);
    if (!bus->in_words && bus->is_bus && bus->gpu.mmio && !take_time(bus, bus->line))
        return false;
    memcpy(copy, bus->line, strlen(bus->line) + 1);
    if (!split(bus, copy))
        return false;
    return bus->word_count == 0 || (bus->in_words ? say_dwords(bus) : say(bus));
}

/* The next line; *end when there is none. */
static bool next_line(struct bus *bus, bool *end)
{
    const enum input_line line = input_line(bus->file, bus->line, sizeof bus->line);

    *end = line == INPUT_END || line == INPUT_FAILED;
    if (line == INPUT_FAILED)
        return error_set_errno(bus->error, errno, "%s: cannot be read", bus->name);
    if (*end)
        return true;
    bus->line_number++;
    if (line == INPUT_ZERO)
        return wrong(bus, "the line has a zero byte: this is no text");
    if (line == INPUT_LONG)
        return wrong(bus, "the line is longer than %zu characters", sizeof bus->line - 2);
    return true;
}

static bool all_lines(struct bus *bus)
{
    bool end = false;

    while (next_line(bus, &end) && !end)
        if (!take_line(bus))
            return false;
    if (!end || bus->error->kind != ERROR_NONE)
        return false;
    if (bus->in_words)
        return wrong(bus, "'end' is missing");
    if (!bus->gpu.mmio)
        return wrong(bus, "the text ends before it names a GPU");
    return put(bus, TRACE_END, (struct trace_record){0}) &&
           trace_writer_finish(bus->writer, bus->error);
}

bool import_bus(FILE *file, const char *name, int fd, const char *output_name,
                const struct import_bus_chips *chips, struct gfe_error *error)
{
    struct bus *bus = calloc(1, sizeof *bus);
    bool done = false;

    if (!bus)
        return error_set(error, ERROR_SYSTEM, "%s: no memory to read it", name);
    bus->file = file;
    bus->name = name;
    bus->chips = chips;
    bus->error = error;
    bus->writer = trace_writer_new(fd, output_name, error);
    if (bus->writer)
        done = all_lines(bus);
    trace_writer_free(bus->writer);
    chips->close(&bus->gpu);
    free(bus);
    return done;
}
