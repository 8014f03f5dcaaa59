/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_names.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/log/event_log_head.h"
#include "emu/sim/any_simulation.h"
#include "emu/views/show_csv.h"
#include "emu/views/svg/show_svg.h"
#include "emu/views/text/show_text.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/fuzz/fuzz_file.h"
#include "tests/fuzz/fuzz_pool.h"

enum { NAMES = 5, NAME_BYTES = 200, EVENTS_MAX = 4000 };

static void names_split(const uint8_t *data, size_t bytes, char names[NAMES][NAME_BYTES])
{
    for (int i = 0; i < NAMES; i++) {
        const uint8_t *end = bytes > 0 ? memchr(data, '\n', bytes) : NULL;
        const size_t length = end ? (size_t)(end - data) : bytes;
        const size_t kept = length < NAME_BYTES - 1 ? length : NAME_BYTES - 1;

        if (kept > 0)
            memcpy(names[i], data, kept);
        names[i][kept] = '\0';
        data += length + (end != NULL);
        bytes -= length + (end != NULL);
    }
}

/* NULL: a name is not UTF-8, so that no JSON can have it. */
static char *scenario_text(char names[NAMES][NAME_BYTES])
{
    json_t *json = json_pack(
        "{s:i,s:s,s:[{s:[{s:s}],s:[{s:s,s:i,s:[{s:{s:s,s:i,s:i,s:f},s:s},{s:s,s:s},{s:s}]}]}]}",
        "gfe_scenario", 1, "name", names[0], "processes", "streams", "name", names[1], "tasks",
        "name", names[2], "iterations", 1, "calls", "launch", "name", names[3], "blocks", 2,
        "threads", 32, "work", 0.0001, "stream", names[1], "record", names[4], "stream", names[1],
        "synchronize", "device");
    char *text = json ? json_dumps(json, JSON_COMPACT) : NULL;

    json_decref(json);
    return text;
}

/* Returns false if the log cannot be read. */
static bool log_draw(const char *path, int form)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    struct show show;
    bool done;

    fuzz_must(log && file);
    if (!show_load(&show, log, 0, GFE_PS_NEVER, &error)) {
        fclose(file);
        free(text);
        event_log_close(log);
        return false;
    }
    if (form == 0)
        done = show_text(file, &show, &(struct show_text_options){.width = 100}, &error);
    else if (form == 1)
        done = show_svg(file, &show, &(struct show_svg_options){.width = 500}, &error);
    else
        done = show_csv(file, &show, &error);
    fuzz_error_check(&error, done);
    fuzz_must(fclose(file) == 0);
    if (form == 1)
        fuzz_markup_check(text, bytes);
    else if (form == 0)
        fuzz_text_check(text, bytes);
    free(text);
    show_fini(&show);
    event_log_close(log);
    return true;
}

/* ---- the log ----------------------------------------------------------------------------------
 */

enum { ROWS_MAX = 192, LOG_BYTES_MAX = 256 << 10 };

/* The kinds of events and the rules that runs have had so far, and the beginning of a head with
 * these.  All tables take longer to read than everything else. */
struct log_head {
    struct table_set sets[ROWS_MAX]; /* a row each */
    const struct table_set *list[ROWS_MAX];
    uint32_t count;
    char *text; /* up to the program */
    size_t bytes;
};

static const char PROGRAM[] = "\"program\":";

/* Adds the row of a number, once. */
static void head_add(struct log_head *head, const struct machine *machine, uint32_t number,
                     bool is_rule)
{
    struct table_set set = {.base = number};

    for (uint32_t i = 0; i < head->count; i++)
        if (head->sets[i].base == number && (head->sets[i].rule_count > 0) == is_rule)
            return;
    for (uint32_t i = 0; i < machine->table_count; i++) {
        const struct table_set *table = machine->tables[i];

        if (is_rule && number >= table->base && number < table->base + table->rule_count)
            set.rules = &table->rules[number - table->base];
        if (!is_rule && number >= table->base && number < table->base + table->event_count)
            set.events = &table->events[number - table->base];
    }
    set.rule_count = set.rules != NULL;
    set.event_count = set.events != NULL;
    fuzz_must(head->count < ROWS_MAX);
    head->list[head->count] = &head->sets[head->count];
    head->sets[head->count++] = set;
}

static void head_make(struct log_head *head, const struct machine *machine)
{
    const struct event_log_head_string run[] = {{"gpu", machine->config.gpu}};
    const char *units[MACHINE_UNITS_MAX];
    char *program;

    for (uint32_t i = 0; i < machine->unit_count; i++)
        units[i] = machine->units[i].name;
    free(head->text);
    head->text = event_log_head_build(&(struct event_log_head){.run = run,
                                                               .run_count = 1,
                                                               .units = units,
                                                               .unit_count = machine->unit_count,
                                                               .sets = head->list,
                                                               .set_count = head->count,
                                                               .program_json = "{}"});
    program = head->text ? strstr(head->text, PROGRAM) : NULL;
    fuzz_must(program != NULL);
    head->bytes = (size_t)(program - head->text) + sizeof PROGRAM - 1;
}

/* Adds what the log of a run has; it is read with all tables for that. */
static void head_learn(struct log_head *head, struct any_simulation *simulation)
{
    char path[FUZZ_PATH_BYTES];
    const int fd = fuzz_file_new(path);
    struct chunk_writer *writer = chunk_writer_new(fd, "log", NULL);
    struct event_log_reader *log;
    struct log_event event;

    fuzz_must(writer && any_simulation_log_write(simulation, writer, NULL));
    chunk_writer_free(writer);
    log = event_log_open(path, NULL);
    fuzz_must(log != NULL);
    while (event_log_read(log, &event, NULL) == EVENT_LOG_GOT) {
        head_add(head, simulation->machine, event.kind, false);
        head_add(head, simulation->machine, event.rule, true);
    }
    event_log_close(log);
    close(fd);
    head_make(head, simulation->machine);
}

static void log_write(int fd, const struct log_head *head, const struct machine *machine,
                      const char *program)
{
    const size_t program_bytes = strlen(program), bytes = head->bytes + program_bytes + 1;
    uint64_t count;
    const uint8_t *events = event_log_bytes(&machine->log, &count);
    char *text = malloc(bytes);

    fuzz_must(text && count < LOG_BYTES_MAX);
    memcpy(text, head->text, head->bytes);
    memcpy(text + head->bytes, program, program_bytes);
    text[bytes - 1] = '}';
    fuzz_must(ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0);
    fuzz_log_write(fd, text, bytes, events, count);
    free(text);
}

static void scenario_run(const struct scenario *scenario, int form)
{
    static struct log_head head;
    const struct simulation_options options = {
        .gpu = "gtx1060", .max_events = EVENTS_MAX, .pool = fuzz_pool()};
    const struct any_program program = {.scenario = scenario};
    struct any_simulation simulation;
    struct gfe_error error = {0};
    char path[FUZZ_PATH_BYTES];
    const int fd = fuzz_file_new(path);

    fuzz_must(any_simulation_new(&program, &options, &simulation, &error));
    fuzz_must(any_simulation_run(&simulation, GFE_PS_NEVER, &error));
    if (head.count == 0)
        head_learn(&head, &simulation);
    log_write(fd, &head, simulation.machine, scenario->json);
    if (!log_draw(path, form)) { /* it has had something new */
        head_learn(&head, &simulation);
        log_write(fd, &head, simulation.machine, scenario->json);
        fuzz_must(log_draw(path, form));
    }
    any_simulation_free(&simulation);
    close(fd);
}

int fuzz_names(const uint8_t *data, size_t bytes)
{
    const struct nv_chip *model = nv_chip_by_name("gtx1060");
    const struct scenario_options options = {.priority_levels = cuda_priority_levels(model),
                                             .model = model};
    char names[NAMES][NAME_BYTES] = {{0}};
    struct gfe_error error = {0};
    struct scenario *scenario;
    char *text;

    names_split(data, bytes, names);
    text = scenario_text(names);
    if (!text)
        return 0;
    scenario = scenario_parse(text, strlen(text), "names", &options, &error);
    fuzz_error_check(&error, scenario != NULL);
    if (scenario)
        scenario_run(scenario, (int)(bytes % 3));
    scenario_free(scenario);
    free(text);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_names(data, bytes);
}
#endif
