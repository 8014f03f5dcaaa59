/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/fuzz/fuzz_debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/debug/debug_command.h"
#include "emu/debug/debug_private.h"
#include "firmware-models/cuda/cuda.h"
#include "tests/fuzz/fuzz_file.h"

enum { TEXT_BYTES = 4096, EVENTS_MAX = 20000, LINES_MAX = 12 };

static const char tasks[] =
    "{\"gfe_scenario\":1,\"name\":\"own\",\"processes\":[{\"streams\":[{\"name\":\"a\"},"
    "{\"name\":\"b\"}],\"tasks\":[{\"name\":\"t\",\"iterations\":1,\"calls\":["
    "{\"launch\":{\"name\":\"k\",\"blocks\":3,\"threads\":8,\"work\":0.0001}},"
    "{\"record\":\"e\"},{\"wait\":\"e\",\"stream\":\"b\"},"
    "{\"copy\":{\"bytes\":4096,\"direction\":\"to device\",\"synchronous\":true}},"
    "{\"synchronize\":\"device\"}]}]}]}";

/* Parsed once: a run does not change it. */
static const struct scenario *scenario_once(void)
{
    static struct scenario *scenario;
    const struct nv_chip *model = nv_chip_by_name("gtx1060");
    const struct scenario_options options = {.priority_levels = cuda_priority_levels(model),
                                             .model = model};

    if (!scenario)
        scenario = scenario_parse(tasks, sizeof tasks - 1, "tasks", &options, NULL);
    fuzz_must(scenario != NULL);
    return scenario;
}

static bool not_too_long(void *context)
{
    uint32_t *asked = context;

    return ++*asked > 1000;
}

/* The one session, as it was when it was new: no breakpoints, no pokes, at the start. */
static struct debug *session_again(void)
{
    static struct debug *debug;
    const struct simulation_options options = {.gpu = "gtx1060", .max_events = EVENTS_MAX};
    const struct any_program program = {.scenario = scenario_once()};
    struct gfe_error error = {0};

    if (!debug) {
        debug = debug_new(&program, &options, &error);
        fuzz_must(debug != NULL);
        return debug;
    }
    debug->stop_count = debug->last_number = debug->poke_count = 0;
    debug_forget_marks(debug, 0);
    debug->stride = DEBUG_FIRST_STRIDE;
    fuzz_must(debug_restore(debug, 0, &error));
    debug_stream_forget(debug);
    debug->seen = *debug->machine->log.cursor;
    debug->units = 0;
    memset(debug->first_of, 0, sizeof debug->first_of);
    return debug;
}

int fuzz_debug(const uint8_t *data, size_t bytes)
{
    struct debug_shell shell = {0};
    struct gfe_error error = {0};
    char text[TEXT_BYTES], *rest = NULL;
    FILE *sink = fopen("/dev/null", "we");
    uint32_t lines = 0, asked = 0;

    if (bytes >= sizeof text) {
        fclose(sink);
        return 0;
    }
    memcpy(text, data, bytes);
    text[bytes] = '\0';
    shell.debug = session_again();
    debug_on_interrupt(shell.debug, not_too_long, &asked);
    for (char *line = strtok_r(text, "\n", &rest); line && !shell.quit && lines < LINES_MAX;
         line = strtok_r(NULL, "\n", &rest), lines++) {
        error = (struct gfe_error){0};
        fuzz_error_check(&error, debug_command(&shell, line, sink, &error));
    }
    fclose(sink);
    return 0;
}

#ifdef GFE_FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    return fuzz_debug(data, bytes);
}
#endif
