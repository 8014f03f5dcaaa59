/* SPDX-License-Identifier: MIT */
/*
 * gfe debug: a run forward and back, step by step, with breakpoints, watches and questions.
 */
#include <config.h>

#include "emu/program/cmd_gpu.h"
#include "emu/program/cmd_debug.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/base/text_stream.h"
#include "emu/base/args.h"
#include "emu/program/cmd.h"
#include "emu/program/cmd_program.h"
#include "emu/program/cmd_settings.h"
#include "emu/base/input.h"
#include "emu/base/limits.h"
#include "emu/base/output.h"

enum { DEBUG_LINE_BYTES = 4096 };

enum {
    DEBUG_OPTION_BATCH = ARGS_LONG_ONLY,
    DEBUG_OPTION_GPU,
    DEBUG_OPTION_SEED,
    DEBUG_OPTION_OPEN_LOOP,
    DEBUG_OPTION_PARAM,
    DEBUG_OPTION_POLICY,
    DEBUG_OPTION_COST,
    DEBUG_OPTION_LINES,
};

static const struct args_option debug_options[] = {
    {'e', "command", "COMMAND", "carry out COMMAND first; may be repeated"},
    {'x', "commands", "FILE", "carry out the lines of FILE first; may be repeated"},
    {DEBUG_OPTION_BATCH, "batch", NULL, "then leave: read no commands from standard input"},
    {DEBUG_OPTION_LINES, "lines", NULL, "type lines at a terminal, too, without panes"},
    {DEBUG_OPTION_GPU, "gpu", "GPU",
     "emulate this GPU, by name or from a GPU file (default: as\ngfe run)"},
    {DEBUG_OPTION_SEED, "seed", "N", "seed of the choice points decided by chance (default 0)"},
    {DEBUG_OPTION_OPEN_LOOP, "open-loop", NULL, "keep the program's recorded times"},
    {DEBUG_OPTION_PARAM, "param", "ID=N", "set a parameter; may be repeated"},
    {DEBUG_OPTION_POLICY, "policy", "ID=NAME",
     "take this alternative at a choice point; may be repeated"},
    {DEBUG_OPTION_COST, "cost", "NAME=TIME",
     "how long a block of a plugin works, as gfe run has it; may be repeated"},
    LIMITS_OPTION_EVENTS,
    LIMITS_OPTION_TIME,
    LIMITS_OPTION_MEMORY,
    LIMITS_OPTION_EXPANSION,
    {0, NULL, NULL, NULL},
};

static const struct args_command debug_command_line = {
    .name = "debug",
    .usage = "[OPTION...] TRACE | CONFIG.json...",
    .summary =
        "Debugs a run: of a recording, of CUDA programs (as gfe run CONFIG.json), or of a\n"
        "configuration for AMD GPUs.  It stands before the first event.  Commands step forward and\n"
        "back, by events, methods, packets, slices and kernels; stop at events, rules, channels,\n"
        "methods, addresses, registers and faults; watch what changes; show registers with their\n"
        "fields, memory, runlists and queues; say what waits by which rule (why) and what is where\n"
        "(who); and write registers and memory.  The same run is made each time, so going back\n"
        "leads to the same states (hash shows it).\n"
        "\n"
        "  step method 3       three dwords of a pushbuffer on\n"
        "  break rule NV.WFI   continue stops where something has waited by that rule\n"
        "  reverse             back to the last breakpoint before here\n"
        "  print NV_PPBDMA_GET, info runlist0, why, where, goto 2ms, back kernel\n"
        "\n"
        "help lists all, help COMMAND explains one.  Commands come from -e and -x, in their order,\n"
        "then from standard input.  At a terminal there are panes: the time line, events with a\n"
        "cursor, the stream, queues, a unit's registers, memory, the last rule and what waits (F1\n"
        "lists the keys).  A line can be edited, completed with Tab and found again with the\n"
        "arrows, and Ctrl-C stops a run that takes long.  Elsewhere commands are shown before what\n"
        "they say, and the first that fails ends the session.\n"
        "Exit status: 0 done; 1 the input is bad, or a command failed; 2 wrong usage.\n",
    .options = debug_options,
};

enum { DEBUG_SOURCES_MAX = 64 };

/* A command, or a file of them. */
struct debug_source {
    const char *text;
    bool is_file;
};

struct debug_request {
    struct cmd_gpu gpu;
    struct simulation_options options;
    struct simulation_setting parameters[CMD_SETTINGS_MAX], choices[CMD_SETTINGS_MAX];
    struct scenario_cost costs[SCENARIO_COSTS_MAX];
    uint32_t cost_count;
    struct debug_source sources[DEBUG_SOURCES_MAX];
    uint32_t source_count;
    struct limits limits;
    bool batch, lines;
};

/* ---- options --------------------------------------------------------------------------------- */

static bool debug_source(struct args *args, struct debug_request *request, bool is_file)
{
    if (request->source_count == DEBUG_SOURCES_MAX) {
        args_wrong(args, "too many --%s", args->option);
        return false;
    }
    request->sources[request->source_count++] = (struct debug_source){args->value, is_file};
    return true;
}

static bool debug_option(struct args *args, struct debug_request *request, int option)
{
    if (limits_is(option))
        return limits_take(args, option, &request->limits);
    switch (option) {
    case 'e':
    case 'x':
        return debug_source(args, request, option == 'x');
    case DEBUG_OPTION_GPU:
        if (!cmd_gpu_take(args, &request->gpu))
            return false;
        request->options.gpu = request->gpu.name;
        request->options.described = request->gpu.described;
        return true;
    case DEBUG_OPTION_SEED:
        return args_number(args, &request->options.seed);
    case DEBUG_OPTION_OPEN_LOOP:
        request->options.open_loop = true;
        return true;
    case DEBUG_OPTION_PARAM:
        return cmd_settings_take(args, request->parameters, &request->options.parameter_count);
    case DEBUG_OPTION_POLICY:
        return cmd_settings_take(args, request->choices, &request->options.choice_count);
    case DEBUG_OPTION_COST:
        return cmd_settings_cost(args, request->costs, &request->cost_count);
    case DEBUG_OPTION_LINES:
        request->lines = true;
        return true;
    default:
        request->batch = true;
        return true;
    }
}

/* ---- a session ------------------------------------------------------------------------------- */

/* A session, and where what its commands say goes. */
struct debug_session {
    struct debug_shell shell;
    FILE *file;
};

/* Shows a line that was not typed, and carries it out.  `number` is the line's number in its file,
 * or 0 if it is from no file. */
static bool debug_shown(struct debug_session *session, const char *line, const char *name,
                        uint64_t number, struct gfe_error *error)
{
    struct gfe_error why = {0};

    fprintf(session->file, "(gfe) %.*s\n", (int)strcspn(line, "\r\n"), line);
    if (debug_command(&session->shell, line, session->file, &why))
        return session->file != stdout || output_flush_stdout(error);
    return number > 0 ? error_set(error, why.kind, "%s:%llu: %s", name, (unsigned long long)number,
                                  why.text)
                      : error_set(error, why.kind, "%s: %s", name, why.text);
}

/* Lines of a file that is no terminal, until one fails or says quit. */
static bool debug_file(struct debug_session *session, FILE *file, const char *name,
                       struct gfe_error *error)
{
    char line[DEBUG_LINE_BYTES];
    enum input_line got = INPUT_LINE;
    uint64_t number = 0;
    bool good = true;

    while (good && !session->shell.quit &&
           (got = input_line(file, line, sizeof line)) == INPUT_LINE) {
        number++;
        good = debug_shown(session, line, name, number, error);
    }
    if (good && got == INPUT_FAILED)
        good = error_set(error, ERROR_SYSTEM, "%s: cannot be read", name);
    else if (good && (got == INPUT_LONG || got == INPUT_ZERO))
        good = error_set(error, ERROR_INPUT, "%s:%llu: %s", name, (unsigned long long)number + 1,
                         got == INPUT_ZERO ? "the line has a zero byte: this is no text"
                                           : "the line is longer than 4094 characters");
    return good;
}

static bool debug_source_run(struct debug_session *session, const struct debug_source *source,
                             struct gfe_error *error)
{
    FILE *file;
    bool good;

    if (!source->is_file)
        return debug_shown(session, source->text, source->text, 0, error);
    file = fopen(source->text, "re");
    if (!file)
        return error_set(error, ERROR_INPUT, "%s: cannot be opened: %m", source->text);
    good = debug_file(session, file, source->text, error);
    (void)fclose(file);
    return good;
}

static bool debug_sources_run(struct debug_session *session, const struct debug_request *request,
                              struct gfe_error *error)
{
    bool good = true;

    for (uint32_t i = 0; good && !session->shell.quit && i < request->source_count; i++)
        good = debug_source_run(session, &request->sources[i], error);
    return good;
}

/* With panes, where what is said first will stand among the rest; or, without a terminal that can
 * show them, by lines. */
static bool debug_on_screen(struct debug_session *session, const struct debug_request *request,
                            struct gfe_error *error)
{
    struct text_stream stream;
    char *said;
    bool good, shown;

    session->file = text_stream_open(&stream);
    if (!session->file)
        return error_set(error, ERROR_SYSTEM, "no memory for the terminal");
    good = debug_sources_run(session, request, error);
    said = text_stream_close(&stream, session->file);
    if (!said)
        good = error_set(error, ERROR_SYSTEM, "no memory for the terminal");
    shown = good && !session->shell.quit && cmd_debug_screen(&session->shell, said);
    if (said && !shown)
        fputs(said, stdout);
    free(said);
    return good && (shown || session->shell.quit || cmd_debug_terminal(&session->shell, error));
}

static bool debug_on_lines(struct debug_session *session, const struct debug_request *request,
                           struct gfe_error *error)
{
    session->file = stdout;
    if (!debug_sources_run(session, request, error) || session->shell.quit || request->batch)
        return error->kind == ERROR_NONE;
    return cmd_debug_is_terminal() ? cmd_debug_terminal(&session->shell, error)
                                   : debug_file(session, stdin, "standard input", error);
}

static bool debug_session(const struct debug_request *request, const struct any_program *program,
                          struct gfe_error *error)
{
    struct debug_session session = {.shell.debug = debug_new(program, &request->options, error)};
    const bool has_panes =
        !request->batch && !request->lines && cmd_debug_is_terminal() && !cmd_debug_is_dumb();
    const bool good = session.shell.debug &&
                      (has_panes ? debug_on_screen : debug_on_lines)(&session, request, error);

    debug_free(session.shell.debug);
    return good && output_flush_stdout(error);
}

static bool debug_program(struct debug_request *request, const char *const *paths,
                          uint32_t path_count, struct gfe_error *error)
{
    struct cmd_program program;
    bool done;

    request->options.parameters = request->parameters;
    request->options.choices = request->choices;
    request->options.max_events = request->limits.events;
    request->options.max_time_ps = request->limits.time_ps;
    request->options.max_memory_bytes = request->limits.memory_bytes;
    done = cmd_program_load(&program, paths, path_count, &request->options, request->costs,
                            request->cost_count, request->limits.expansion_bytes, error) &&
           debug_session(request, &program.program, error);
    cmd_program_fini(&program);
    return done;
}

int cmd_debug(int argc, char **argv)
{
    struct debug_request *request = calloc(1, sizeof *request);
    struct gfe_error error = {0};
    struct args args;
    int option, status;

    args_start(&args, &debug_command_line, argc, argv);
    if (!request) {
        error_set(&error, ERROR_SYSTEM, "no memory");
        return args_failed(&args, &error);
    }
    request->limits = (struct limits)LIMITS_DEFAULT;
    while ((option = args_next(&args)) >= 0)
        if (!debug_option(&args, request, option))
            break;
    if (option != ARGS_END || !args_operands(&args, 1, SCENARIO_FILES_MAX))
        status = args.status;
    else
        status = debug_program(request, (const char *const *)args.operands,
                               (uint32_t)args.operand_count, &error)
                     ? 0
                     : args_failed(&args, &error);
    cmd_gpu_fini(&request->gpu);
    free(request);
    return status;
}
