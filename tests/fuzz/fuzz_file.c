/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/core/core_events.h"
#include "devices/nvidia/nv_events.h"
#include "emu/log/chunk.h"
#include "emu/log/event_list.h"
#include "emu/log/event_log_head.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "tests/fuzz/fuzz_head.h"

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])

static const struct event_kind_row emu_rows[] = {EMU_EVENTS(EVENT_ROW)};
static const struct event_kind_row core_rows[] = {CORE_EVENTS(EVENT_ROW)};
static const struct event_kind_row nv_rows[] = {NV_EVENTS(EVENT_ROW)};
static const struct event_kind_row cuda_rows[] = {CUDA_EVENTS(EVENT_ROW)};
static const struct rule core_rules[] = {CORE_RULES(RULE_ROW)};

void fuzz_must(bool so)
{
    if (!so)
        abort();
}

void fuzz_error_check(const struct gfe_error *error, bool good)
{
    fuzz_must(good == (error->kind == ERROR_NONE));
    fuzz_must(good == (error->text[0] == 0));
    fuzz_must(!strchr(error->text, '\n'));
}

int fuzz_file_new(char path[FUZZ_PATH_BYTES])
{
    const int fd = memfd_create("fuzz", MFD_CLOEXEC);

    fuzz_must(fd >= 0);
    (void)snprintf(path, FUZZ_PATH_BYTES, "/proc/self/fd/%d", fd);
    return fd;
}

int fuzz_file(const void *data, size_t bytes, char path[FUZZ_PATH_BYTES])
{
    const int fd = fuzz_file_new(path);

    fuzz_must(bytes == 0 || write(fd, data, bytes) == (ssize_t)bytes);
    return fd;
}

/* ---- logs ------------------------------------------------------------------------------------ */

/* Two tasks with calls of every sort, the last of which is not there. */
static const char program[] =
    "{\"name\":\"p\",\"tasks\":["
    "{\"name\":\"a\",\"first_call\":0,\"call_count\":3,\"log_name\":\"../a.json\"},"
    "{\"name\":\"a\",\"first_call\":3,\"call_count\":2,\"process\":1}],\"calls\":["
    "{\"kind\":\"copy\",\"phase\":\"copy_in\",\"direction\":\"to device\"},"
    "{\"kind\":\"kernel\",\"phase\":\"execute\",\"name\":\"<K&1>\",\"block_count\":2},"
    "{\"kind\":\"stream synchronize\",\"phase\":\"copy_out\"},"
    "{\"kind\":\"kernel\",\"name\":\"<K&1>\",\"stream\":1,\"thread_count\":32},"
    "{\"kind\":7}]}";

static const struct table_set emu_set = {
    .base = TABLE_EMU, .events = emu_rows, .event_count = COUNT_OF(emu_rows)};
static const struct table_set core_set = {.base = TABLE_CORE,
                                          .rules = core_rules,
                                          .rule_count = COUNT_OF(core_rules),
                                          .events = core_rows,
                                          .event_count = COUNT_OF(core_rows)};
static const struct table_set nv_set = {
    .base = TABLE_NVIDIA, .events = nv_rows, .event_count = COUNT_OF(nv_rows)};
static const struct table_set cuda_set = {
    .base = TABLE_FIRMWARE_NVIDIA_CUDA, .events = cuda_rows, .event_count = COUNT_OF(cuda_rows)};
static const struct table_set *const sets[] = {&emu_set, &core_set, &nv_set, &cuda_set};

static char *head_make(void)
{
    static const char *const units[] = {"a", "b", "c", "d", "e", "f"};

    return event_log_head_build(&(struct event_log_head){.units = units,
                                                         .unit_count = COUNT_OF(units),
                                                         .sets = sets,
                                                         .set_count = COUNT_OF(sets),
                                                         .program_json = program});
}

/* Which rows the encoded events name, as a reader of all rows comes to them (the form is that of
 * emu/log/event_log.h): no row that it looks for is left out. */
struct named {
    bool kinds[TABLE_END], rules[TABLE_END];
};

struct encoded {
    const uint8_t *at, *end;
};

/* UINT64_MAX at the end. */
static uint64_t varint_take(struct encoded *from)
{
    uint64_t value = 0;

    for (uint32_t shift = 0; shift < 64 && from->at < from->end; shift += 7) {
        const uint8_t byte = *from->at++;

        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    from->at = from->end;
    return UINT64_MAX;
}

static const struct event_kind_row *kind_row(uint64_t kind)
{
    for (size_t i = 0; i < COUNT_OF(sets); i++)
        if (kind >= sets[i]->base && kind < sets[i]->base + sets[i]->event_count)
            return &sets[i]->events[kind - sets[i]->base];
    return NULL;
}

/* One log of so many, by its bytes, has the whole tables: all others would spend their time on
 * reading them. */
enum { WHOLE_EACH = 32 };

static bool is_whole(const uint8_t *data, size_t bytes)
{
    uint32_t sum = 0;

    for (size_t i = 0; i < bytes; i++)
        sum = sum * 31 + data[i];
    return sum % WHOLE_EACH == 0;
}

static void named_scan(struct named *named, const uint8_t *data, size_t bytes)
{
    struct encoded from = {data, data + bytes};

    if (is_whole(data, bytes)) {
        memset(named, true, sizeof *named);
        return;
    }
    *named = (struct named){.rules = {[RULE_NONE] = true}};
    while (from.at < from.end) {
        const uint64_t head = varint_take(&from);
        const struct event_kind_row *row = kind_row(head >> 1);
        uint64_t rule;

        if (!row)
            return; /* no reader comes farther */
        named->kinds[head >> 1] = true;
        (void)varint_take(&from);
        if (!(head & 1)) {
            (void)varint_take(&from);
            rule = varint_take(&from);
            if (rule < TABLE_END)
                named->rules[rule] = true;
        }
        for (uint32_t i = event_kind_argument_count(row); i > 0; i--)
            (void)varint_take(&from);
    }
}

static bool is_named(const void *context, bool is_rule, uint32_t id)
{
    const struct named *named = context;

    return is_rule ? named->rules[id] : named->kinds[id];
}

/* The head that all logs have whose inputs have none. */
static char *head_of(const void *events, size_t bytes)
{
    static struct fuzz_head pieces;
    struct named named;

    if (!pieces.rest)
        fuzz_head_split(&pieces, head_make());
    named_scan(&named, events, bytes);
    return fuzz_head_join(&pieces, is_named, &named);
}

void fuzz_log_write(int fd, const void *head, size_t head_bytes, const void *events, size_t bytes)
{
    struct chunk_writer *writer = chunk_writer_new(fd, "fuzz", NULL);
    char *own = head_bytes == 0 ? head_of(events, bytes) : NULL;

    fuzz_must(writer != NULL);
    fuzz_must(chunk_write(writer, CHUNK_LOG_HEAD, own ? own : head, own ? strlen(own) : head_bytes,
                          NULL));
    fuzz_must(bytes == 0 || chunk_write(writer, CHUNK_LOG_EVENTS, events, bytes, NULL));
    fuzz_must(chunk_write(writer, CHUNK_LOG_END, "{}", 2, NULL) &&
              chunk_writer_finish(writer, NULL));
    chunk_writer_free(writer);
    free(own);
}

/* ---- what is drawn --------------------------------------------------------------------------- */

void fuzz_text_check(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++) {
        const unsigned char byte = (unsigned char)text[i];

        fuzz_must((byte >= 0x20 && byte != 0x7f) || byte == '\n' || byte == '\t');
    }
}

/* The elements of gfe's SVG and HTML; scripts are compared by who calls. */
static const char *const elements[] = {
    "!DOCTYPE", "?xml",     "a",    "body",   "circle",  "clipPath", "code",   "defs",
    "desc",     "div",      "g",    "h1",     "h2",      "head",     "html",   "line",
    "li",       "link",     "main", "marker", "meta",    "p",        "path",   "pattern",
    "polygon",  "polyline", "pre",  "rect",   "section", "span",     "style",  "svg",
    "table",    "tbody",    "td",   "text",   "th",      "thead",    "title",  "tr",
    "tspan",    "ul",       "i",    "use",    "b",       "em",       "strong",
};

static bool element_is_known(const char *name, size_t bytes)
{
    for (size_t i = 0; i < COUNT_OF(elements); i++)
        if (strlen(elements[i]) == bytes && memcmp(elements[i], name, bytes) == 0)
            return true;
    return false;
}

void fuzz_markup_check(const char *text, size_t bytes)
{
    const char *const end = text + bytes;

    fuzz_text_check(text, bytes);
    for (const char *at = text; (at = memchr(at, '<', (size_t)(end - at))) != NULL;) {
        const char *name = at + 1;

        if (name < end && *name == '/')
            name++;
        at = name;
        while (at < end && !memchr(" />\n\t", *at, 5))
            at++;
        if (!element_is_known(name, (size_t)(at - name)))
            fprintf(stderr, "unknown element: %.*s\n", (int)(at - name), name);
        fuzz_must(element_is_known(name, (size_t)(at - name)));
    }
}
