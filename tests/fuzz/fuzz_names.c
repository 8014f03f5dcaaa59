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

static void log_draw(const char *path, int form)
{
    struct gfe_error error = {0};
    struct event_log_reader *log = event_log_open(path, &error);
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    struct show show;
    bool done;

    fuzz_must(log && file && show_load(&show, log, 0, GFE_PS_NEVER, &error));
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
}

/* ---- the log ----------------------------------------------------------------------------------
 */

enum { KINDS_MAX = 128, LOG_BYTES_MAX = 256 << 10 };

/* The kinds of events that runs have had so far, and the beginning of a head with these kinds.  All
 * tables take longer to read than everything else. */
struct log_head {
    struct table_set sets[KINDS_MAX];
    const struct table_set *list[KINDS_MAX];
    uint32_t count;
    char *text; /* up to the program */
    size_t bytes;
};

static const char PROGRAM[] = "\"program\":";

static bool head_has(const struct log_head *head, uint32_t kind)
{
    for (uint32_t i = 0; i < head->count; i++)
        if (head->sets[i].base == kind)
            return true;
    return false;
}

/* Adds kinds that the log has had; returns false if there were none that are new. */
static bool head_add(struct log_head *head, const struct machine *machine)
{
    static const struct event_log_last none;
    const uint32_t before = head->count;

    for (uint32_t t = 0; t < machine->table_count; t++)
        for (uint32_t i = 0; i < machine->tables[t]->event_count; i++) {
            const uint32_t kind = machine->tables[t]->base + i;

            if (memcmp(&machine->log.cursor->last[kind], &none, sizeof none) == 0 ||
                head_has(head, kind))
                continue;
            fuzz_must(head->count < KINDS_MAX);
            head->sets[head->count] = (struct table_set){
                .base = kind, .events = &machine->tables[t]->events[i], .event_count = 1};
            head->list[head->count] = &head->sets[head->count];
            head->count++;
        }
    return head->count > before;
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

/* Writes the log of a run that has ended. */
static void log_write(int fd, const struct machine *machine, const char *program)
{
    static struct log_head head;
    const size_t program_bytes = strlen(program);
    uint64_t count;
    const uint8_t *events = event_log_bytes(&machine->log, &count);
    char *text;

    fuzz_must(count < LOG_BYTES_MAX);
    if (head_add(&head, machine))
        head_make(&head, machine);
    text = malloc(head.bytes + program_bytes + 1);
    fuzz_must(text != NULL);
    memcpy(text, head.text, head.bytes);
    memcpy(text + head.bytes, program, program_bytes);
    text[head.bytes + program_bytes] = '}';
    fuzz_log_write(fd, text, head.bytes + program_bytes + 1, events, count);
    free(text);
}

static void scenario_run(const struct scenario *scenario, int form)
{
    const struct simulation_options options = {
        .gpu = "gtx1060", .max_events = EVENTS_MAX, .pool = fuzz_pool()};
    const struct any_program program = {.scenario = scenario};
    struct any_simulation simulation;
    struct gfe_error error = {0};
    char path[FUZZ_PATH_BYTES];
    const int fd = fuzz_file_new(path);

    fuzz_must(any_simulation_new(&program, &options, &simulation, &error));
    fuzz_must(any_simulation_run(&simulation, GFE_PS_NEVER, &error));
    log_write(fd, simulation.machine, scenario->json);
    any_simulation_free(&simulation);
    log_draw(path, form);
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
