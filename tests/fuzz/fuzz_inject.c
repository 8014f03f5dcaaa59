/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_inject.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "emu/engine/machine_mark.h"
#include "emu/sim/any_simulation.h"
#include "emu/faults/inject.h"
#include "firmware-models/cuda/cuda.h"

enum { TEXT_BYTES = 4096, EVENTS_MAX = 20000, PASSED = 20 };

static void must(bool so)
{
    if (!so)
        abort();
}

static const char tasks[] =
    "{\"gfe_scenario\":1,\"name\":\"own\",\"processes\":[{\"streams\":[{\"name\":\"a\"},{\"name\":\"b\"}],"
    "\"tasks\":[{\"name\":\"t\",\"release\":0.001,\"period\":0.002,\"iterations\":2,\"calls\":["
    "{\"launch\":{\"name\":\"k\",\"blocks\":3,\"threads\":8,\"work\":0.0001}},{\"record\":\"e\"},"
    "{\"wait\":\"e\",\"stream\":\"b\"},"
    "{\"copy\":{\"bytes\":4096,\"direction\":\"to device\",\"synchronous\":true}},"
    "{\"synchronize\":\"device\"}]}]}]}";

static const char plugins[] =
    "{\"name\":\"two\",\"plugins\":[{\"filename\":\"matrix_multiply.so\",\"label\":\"a\","
    "\"thread_count\":[16,16],\"block_count\":8,\"max_iterations\":2},"
    "{\"filename\":\"matrix_multiply.so\",\"label\":\"b\",\"thread_count\":[16,16],"
    "\"block_count\":8,\"max_iterations\":2,\"compute_unit_mask\":\"1111\"}]}";

/* Both are made once: a run does not change them. */
static void program_nvidia(struct any_program *program, struct simulation_options *options)
{
    static struct scenario *scenario;
    const struct nv_chip *model = nv_chip_by_name("gtx1060");
    const struct scenario_options wanted = {
        .priority_levels = cuda_priority_levels(model),
        .model = model,
    };
    struct gfe_error error = {0};

    if (!scenario)
        scenario = scenario_parse(tasks, sizeof tasks - 1, "tasks", &wanted, &error);
    must(scenario != NULL);
    program->scenario = scenario;
    options->gpu = "gtx1060";
}

static void program_amd(struct any_program *program, struct simulation_options *options)
{
    static char path[40];

    if (!path[0]) {
        const int fd = memfd_create("fuzz", MFD_CLOEXEC);

        must(fd >= 0 && write(fd, plugins, sizeof plugins - 1) == (ssize_t)sizeof plugins - 1);
        (void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    }
    program->hip_path = path;
    options->gpu = "radeon-vii";
}

/* Those that parse; a random trigger is drawn among a few. */
static uint32_t parse_all(const struct machine *machine, char *lines,
                          struct inject_fault faults[INJECT_FAULTS_MAX])
{
    const struct inject_sites *sites = &machine->inject->sites;
    uint32_t count = 0;
    char *rest = NULL;

    for (char *line = strtok_r(lines, "\n", &rest); line && count < INJECT_FAULTS_MAX;
         line = strtok_r(NULL, "\n", &rest)) {
        struct gfe_error error = {0};
        const uint32_t first = count;
        char drawn[INJECT_TEXT_MAX];

        if (!inject_parse_set(machine, sites, line, faults, &count, INJECT_FAULTS_MAX - count,
                              &error)) {
            must(error.text[0] != 0 && !strchr(error.text, '\n'));
            count = first;
        }
        must(count <= INJECT_FAULTS_MAX);
        for (uint32_t i = first; i < count; i++) {
            must(inject_draw(sites, &faults[i], PASSED, GFE_PS_PER_S));
            memcpy(drawn, faults[i].text, sizeof drawn);
            must(inject_parse(machine, sites, drawn, &faults[i], &error));
        }
    }
    return count;
}

/* A simulation, wired once, and its mark. */
struct fuzz_simulation {
    struct any_simulation simulation;
    struct machine_mark *mark;
};

static void simulation_make(bool nvidia, struct any_simulation *simulation)
{
    struct simulation_options options = {.max_events = EVENTS_MAX, .injects = true};
    struct any_program program = {0};
    struct gfe_error error = {0};

    if (nvidia)
        program_nvidia(&program, &options);
    else
        program_amd(&program, &options);
    must(any_simulation_new(&program, &options, simulation, &error));
}

/* The one that is kept, as it was after its wiring. */
static struct any_simulation *simulation_again(bool nvidia)
{
    static struct fuzz_simulation kept[2];
    struct fuzz_simulation *one = &kept[nvidia];
    struct gfe_error error = {0};

    if (!one->mark) {
        simulation_make(nvidia, &one->simulation);
        one->mark = machine_mark_new(one->simulation.machine, &error);
        must(one->mark != NULL);
    }
    must(machine_mark_return(one->mark, NULL));
    return &one->simulation;
}

static void must_run(struct any_simulation *simulation, char *lines)
{
    struct inject_fault faults[INJECT_FAULTS_MAX];
    struct gfe_error error = {0};
    uint32_t count;

    count = parse_all(simulation->machine, lines, faults);
    inject_arm(simulation->machine->inject, faults, count);
    if (!any_simulation_run(simulation, GFE_PS_NEVER, &error))
        must(count > 0 && (error.kind == ERROR_INPUT || error.kind == ERROR_LIMIT));
}

void fuzz_inject_hash(const uint8_t *data, size_t bytes, bool fresh,
                      struct check_machine_hashes *hashes)
{
    struct any_simulation own, *simulation = &own;
    char text[TEXT_BYTES], *lines;
    bool nvidia;

    if (bytes >= sizeof text)
        return;
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    lines = strchr(text, '\n');
    if (!lines)
        return;
    *lines++ = '\0';
    nvidia = strcmp(text, "nvidia") == 0;
    if (fresh)
        simulation_make(nvidia, simulation);
    else
        simulation = simulation_again(nvidia);
    must_run(simulation, lines);
    if (hashes)
        check_machine_hash(simulation->machine, hashes);
    if (fresh)
        any_simulation_free(simulation);
}

int fuzz_inject(const uint8_t *data, size_t bytes)
{
    fuzz_inject_hash(data, bytes, false, NULL);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_inject(data, bytes);
}
#endif
