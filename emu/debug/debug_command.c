/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/debug/debug_command.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "emu/debug/debug_private.h"
#include "emu/base/args.h"

enum { CONTEXT_DWORDS = 4, EVENTS_DEFAULT = 10, STEP_EVENTS_MAX = 12, WORD_BYTES = 96 };

/* The next word; returns what follows the blanks behind it. */
static const char *word_take(const char *text, char word[WORD_BYTES])
{
    const size_t length = strcspn(text, " \t");

    (void)snprintf(word, WORD_BYTES, "%.*s", (int)(length < WORD_BYTES ? length : WORD_BYTES - 1),
                   text);
    return text + length + strspn(text + length, " \t");
}

static bool nothing_follows(const char *text, const char *name, struct gfe_error *error)
{
    return text[0] == '\0' || error_set(error, ERROR_INPUT, "nothing follows %s", name);
}

/* ---- going ----------------------------------------------------------------------------------- */

/* What the last step logged, or of other steps than those by event what made it one. */
static bool say_events(struct debug *debug, const struct debug_goal *goal, FILE *file,
                       struct gfe_error *error)
{
    const bool by_unit = goal->kind == DEBUG_BY_UNIT;
    const bool by_event = by_unit && (goal->unit == DEBUG_EVENT || goal->unit == DEBUG_TICK);
    const uint32_t count = debug->logged;

    if (!by_unit || (by_event && count > 0))
        return debug_event_count(debug) == 0 ||
               debug_events(debug,
                            !by_event                 ? 1
                            : count < STEP_EVENTS_MAX ? count
                                                      : STEP_EVENTS_MAX,
                            file, error);
    if (!by_event && goal->unit != DEBUG_METHOD)
        debug_log_print(debug, file, &debug->first_of[goal->unit]);
    return true;
}

/* Why the run stands there, what was logged last, and where it is. */
static bool say_halt(struct debug_shell *shell, const struct debug_goal *goal,
                     const struct debug_halt *halt, FILE *file, struct gfe_error *error)
{
    static const char *const words[] = {[DEBUG_AT_END] = "the run has ended",
                                        [DEBUG_AT_START] = "this is the start",
                                        [DEBUG_INTERRUPTED] = "interrupted"};
    const bool by_method = goal->kind == DEBUG_BY_UNIT && goal->unit == DEBUG_METHOD;
    const struct debug *debug = shell->debug;

    if (halt->why == DEBUG_STOPPED) {
        for (uint32_t i = 0; i < debug->stop_count; i++)
            if (debug->stops[i].number == halt->stop)
                fprintf(file, "%s %" PRIu32 " (%s): %s\n",
                        debug->stops[i].is_watch ? "watch" : "breakpoint", halt->stop,
                        debug->stops[i].text, halt->text);
    } else if (halt->why == DEBUG_FAILED) {
        return debug_where(shell->debug, by_method ? 1 : 0, file, error) &&
               error_set(error, ERROR_INPUT, "the run cannot go on: %s", halt->text);
    } else if (halt->why != DEBUG_DONE) {
        fprintf(file, "%s\n", words[halt->why]);
    } else if (!say_events(shell->debug, goal, file, error)) {
        return false;
    }
    return debug_where(shell->debug, by_method ? 1 : 0, file, error);
}

/* [UNIT] [N] */
static bool unit_take(const struct debug_shell *shell, const char *text, struct debug_goal *goal,
                      struct gfe_error *error)
{
    char word[WORD_BYTES];

    *goal = (struct debug_goal){.kind = DEBUG_BY_UNIT, .unit = DEBUG_EVENT, .value = 1};
    if (text[0] != '\0' && (text[0] < '0' || text[0] > '9')) {
        text = word_take(text, word);
        for (goal->unit = 0; goal->unit < DEBUG_UNITS; goal->unit++)
            if (strcmp(debug_unit_name(goal->unit), word) == 0)
                break;
        if (goal->unit == DEBUG_UNITS)
            return error_set(
                error, ERROR_INPUT,
                "'%s': steps are by event, tick, method, packet, slice or kernel%s", word,
                strcmp(word, "back") == 0 ? "; 'back' alone goes back, 'back method' by one" : "");
    }
    if (goal->unit == DEBUG_METHOD && debug_is_amd(shell->debug))
        return error_set(error, ERROR_INPUT, "methods are NVIDIA's: step packet");
    return text[0] == '\0' || (args_parse_number(text, &goal->value) && goal->value > 0) ||
           error_set(error, ERROR_INPUT, "'%.60s' is no number of steps", text);
}

static bool run_step(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    struct debug_goal goal;
    struct debug_halt halt;

    return unit_take(shell, text, &goal, error) && debug_run(shell->debug, &goal, &halt, error) &&
           say_halt(shell, &goal, &halt, file, error);
}

static bool run_back(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    struct debug_goal goal;
    struct debug_halt halt;

    return unit_take(shell, text, &goal, error) &&
           debug_run_back(shell->debug, &goal, &halt, error) &&
           say_halt(shell, &goal, &halt, file, error);
}

static bool run_continue(struct debug_shell *shell, const char *text, FILE *file,
                         struct gfe_error *error)
{
    const struct debug_goal goal = {.kind = DEBUG_TO_END};
    struct debug_halt halt;

    return nothing_follows(text, "continue", error) &&
           debug_run(shell->debug, &goal, &halt, error) &&
           say_halt(shell, &goal, &halt, file, error);
}

static bool run_reverse(struct debug_shell *shell, const char *text, FILE *file,
                        struct gfe_error *error)
{
    const struct debug_goal goal = {.kind = DEBUG_TO_END};
    struct debug_halt halt;

    return nothing_follows(text, "reverse", error) &&
           debug_run_back(shell->debug, &goal, &halt, error) &&
           say_halt(shell, &goal, &halt, file, error);
}

/* TIME, event:N, step:N, start, end */
static bool goal_take(const char *text, struct debug_goal *goal, struct gfe_error *error)
{
    *goal = (struct debug_goal){.kind = DEBUG_TO_END};
    if (strcmp(text, "end") == 0)
        return true;
    goal->kind = strncmp(text, "event:", 6) == 0                                ? DEBUG_TO_EVENT
                 : strncmp(text, "step:", 5) == 0 || strcmp(text, "start") == 0 ? DEBUG_TO_POSITION
                                                                                : DEBUG_TO_TIME;
    if (strcmp(text, "start") == 0)
        return true;
    if (goal->kind == DEBUG_TO_TIME ? args_parse_time(text, &goal->value)
                                    : args_parse_number(strchr(text, ':') + 1, &goal->value))
        return true;
    return error_set(
        error, ERROR_INPUT,
        "'%.60s' is no place of a run: a time such as 2ms, event:N, step:N, start, end", text);
}

static bool run_run(struct debug_shell *shell, const char *text, FILE *file,
                    struct gfe_error *error)
{
    struct debug_goal goal;
    struct debug_halt halt;

    return goal_take(text[0] ? text : "end", &goal, error) &&
           debug_run(shell->debug, &goal, &halt, error) &&
           say_halt(shell, &goal, &halt, file, error);
}

static bool run_goto(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    struct debug_goal goal;
    struct debug_halt halt;

    return goal_take(text, &goal, error) && debug_goto(shell->debug, &goal, &halt, error) &&
           say_halt(shell, &goal, &halt, file, error);
}

/* ---- breakpoints ----------------------------------------------------------------------------- */

static bool add_stop(struct debug_shell *shell, const char *text, bool is_watch, FILE *file,
                     struct gfe_error *error)
{
    uint32_t number;

    if (text[0] == '\0') {
        debug_list_stops(shell->debug, file);
        return true;
    }
    number = debug_break(shell->debug, text, is_watch, error);
    if (number > 0)
        fprintf(file, "%s %" PRIu32 ": %s\n", is_watch ? "watch" : "breakpoint", number, text);
    return number > 0;
}

static bool run_break(struct debug_shell *shell, const char *text, FILE *file,
                      struct gfe_error *error)
{
    return add_stop(shell, text, false, file, error);
}

static bool run_watch(struct debug_shell *shell, const char *text, FILE *file,
                      struct gfe_error *error)
{
    return add_stop(shell, text, true, file, error);
}

static bool run_delete(struct debug_shell *shell, const char *text, FILE *file,
                       struct gfe_error *error)
{
    uint64_t number = 0;

    (void)file;
    if (text[0] != '\0' &&
        (!args_parse_number(text, &number) || number == 0 || number > UINT32_MAX))
        return error_set(error, ERROR_INPUT, "'%.60s' is no number of a breakpoint", text);
    return debug_delete(shell->debug, (uint32_t)number) ||
           error_set(error, ERROR_INPUT, "there is no breakpoint or watch %" PRIu64, number);
}

/* ---- looking --------------------------------------------------------------------------------- */

/* [N] */
static bool number_take(const char *text, uint64_t highest, uint64_t *number,
                        struct gfe_error *error)
{
    return text[0] == '\0' || (args_parse_number(text, number) && *number <= highest) ||
           error_set(error, ERROR_INPUT, "'%.60s' is no number up to %" PRIu64, text, highest);
}

static bool run_where(struct debug_shell *shell, const char *text, FILE *file,
                      struct gfe_error *error)
{
    uint64_t context = CONTEXT_DWORDS;

    return number_take(text, 1000, &context, error) &&
           debug_where(shell->debug, (uint32_t)context, file, error);
}

static bool run_events(struct debug_shell *shell, const char *text, FILE *file,
                       struct gfe_error *error)
{
    uint64_t count = EVENTS_DEFAULT;

    return number_take(text, 10000, &count, error) &&
           debug_events(shell->debug, (uint32_t)count, file, error);
}

static bool run_why(struct debug_shell *shell, const char *text, FILE *file,
                    struct gfe_error *error)
{
    return text[0] == '\0' ? debug_why_waits(shell->debug, file, error)
                           : debug_explain(shell->debug, text, file, error);
}

static bool run_who(struct debug_shell *shell, const char *text, FILE *file,
                    struct gfe_error *error)
{
    return nothing_follows(text, "who", error) && debug_who(shell->debug, file, error);
}

static bool run_print(struct debug_shell *shell, const char *text, FILE *file,
                      struct gfe_error *error)
{
    return debug_print(shell->debug, text, file, error);
}

static bool run_x(struct debug_shell *shell, const char *text, FILE *file, struct gfe_error *error)
{
    return debug_dump(shell->debug, text, file, error);
}

static bool run_info(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    if (strcmp(text, "breaks") == 0)
        debug_list_stops(shell->debug, file);
    else if (strcmp(text, "pokes") == 0)
        debug_list_pokes(shell->debug, file);
    else
        return debug_view(shell->debug, text, file, error);
    return true;
}

static bool run_explain(struct debug_shell *shell, const char *text, FILE *file,
                        struct gfe_error *error)
{
    return debug_explain(shell->debug, text, file, error);
}

static bool run_hash(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    char hex[65];

    if (!nothing_follows(text, "hash", error))
        return false;
    if (!debug_hash(shell->debug, hex))
        return error_set(error, ERROR_SYSTEM, "no memory for the hash");
    fprintf(file, "%s\n", hex);
    return true;
}

/* ---- the rest -------------------------------------------------------------------------------- */

static bool run_poke(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    (void)file;
    return debug_poke(shell->debug, text, error);
}

static bool run_help(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    return debug_help(shell, text, file, error);
}

static bool run_quit(struct debug_shell *shell, const char *text, FILE *file,
                     struct gfe_error *error)
{
    (void)file;
    shell->quit = nothing_follows(text, "quit", error);
    return shell->quit;
}

static const struct debug_command_row commands[] = {
    {"step", "s", "[UNIT] [N]",
     "On by N (1) of UNIT: event (of the log; the default), tick (any step), method, packet (a GP "
     "entry, or a queue's packet), slice (of a runlist, or a queue's slot), kernel (its start or "
     "end).  Stops at breakpoints, too.",
     run_step},
    {"back", "bs", "[UNIT] [N]", "Back by as much, past breakpoints.", run_back},
    {"continue", "c", "", "On to the next breakpoint or watch, or the end.", run_continue},
    {"reverse", "rc", "", "Back to the last breakpoint or change before here, or the start.",
     run_reverse},
    {"run", "r", "[WHEN]",
     "On to a time such as 2ms, after all its events; to event:N of the log; to step:N; to the end "
     "(the default); or to a breakpoint before.",
     run_run},
    {"goto", "g", "WHEN", "There, forward or back, past breakpoints; also start.", run_goto},
    {"break", "b", "[WHAT]",
     "Stop at: event KIND [ARGUMENT=VALUE...], rule LABEL, channel N, queue N, method NAME|OFFSET, "
     "address PLACE [BYTES], register NAME[.FIELD], fault.  Without WHAT it lists them.",
     run_break},
    {"watch", "w", "REGISTER[.FIELD]|PLACE [BYTES]", "Stop where it changes, and show the change.",
     run_watch},
    {"delete", "d", "[N]", "Take breakpoint or watch N away, or all.", run_delete},
    {"where", NULL, "[N]",
     "Position, time, and where each PBDMA is in its stream, with N (4) dwords around it; of AMD's "
     "queues with something to do the packet at hand and the N after it.",
     run_where},
    {"events", "e", "[N]", "The last N (10) events of the log.", run_events},
    {"why", NULL, "[OPERATION]",
     "What waits now: for what, by which rule, since when and, as the run goes on, until when.  "
     "With OPERATION what that one waited for so far, as explain says it.",
     run_why},
    {"who", NULL, "", "What is on each engine, and the queues before them.", run_who},
    {"print", "p", "NAME",
     "A register with its fields, REGISTER.FIELD, SLOT/REGISTER (AMD: ME.PIPE.QUEUE, or the doorbell "
     "of the queue in it), PLACE, a "
     "parameter, a choice point or a rule.",
     run_print},
    {"x", NULL, "PLACE [DWORDS]",
     "Memory: vid:ADDRESS, sys:ADDRESS, or SPACE:ADDRESS, virtual, of an address space by number.",
     run_x},
    {"info", "i", "VIEW|breaks|pokes",
     "A view of gfe inspect: runlist0, channels, hqds, regs UNIT ...", run_info},
    {"explain", NULL, "[OPERATION]",
     "Where the time of an operation went so far, as gfe explain says it; or of all.", run_explain},
    {"poke", NULL, "ASSIGNMENT|VERB ID|memory PLACE = VALUE",
     "Write a register or memory now, as gfe run --poke does; again whenever the run comes here.",
     run_poke},
    {"hash", NULL, "", "SHA-256 of all state: equal where states are.", run_hash},
    {"help", "h", "[COMMAND|events|event KIND]", "This, or all about one.", run_help},
    {"quit", "q", "", "Leave.", run_quit},
};
enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct debug_command_row *debug_command_at(uint32_t i)
{
    return i < COMMANDS ? &commands[i] : NULL;
}

/* By its name, its short name, or what it begins with. */
const struct debug_command_row *debug_command_find(const char *word, struct gfe_error *error)
{
    const struct debug_command_row *found = NULL;

    for (uint32_t i = 0; i < COMMANDS; i++) {
        if (strcmp(commands[i].name, word) == 0 ||
            (commands[i].brief && strcmp(commands[i].brief, word) == 0))
            return &commands[i];
        if (strncmp(commands[i].name, word, strlen(word)) != 0)
            continue;
        if (found) {
            error_set(error, ERROR_INPUT, "'%s' may be %s or %s", word, found->name,
                      commands[i].name);
            return NULL;
        }
        found = &commands[i];
    }
    if (!found)
        error_set(error, ERROR_INPUT, "there is no command '%s'; help lists them", word);
    return found;
}

bool debug_command(struct debug_shell *shell, const char *line, FILE *file, struct gfe_error *error)
{
    const struct debug_command_row *command;
    struct gfe_error why = {0};
    char text[1000], word[WORD_BYTES];
    const char *rest;
    size_t length;

    line += strspn(line, " \t");
    length = strcspn(line, "\r\n");
    while (length > 0 && (line[length - 1] == ' ' || line[length - 1] == '\t'))
        length--;
    if (length >= sizeof text)
        return error_set(error, ERROR_INPUT, "a line has less than %zu characters", sizeof text);
    (void)snprintf(text, sizeof text, "%.*s", (int)length, line);
    if (text[0] == '\0' || text[0] == '#')
        return true;
    rest = word_take(text, word);
    command = debug_command_find(word, error);
    if (!command)
        return false;
    if (command->run(shell, rest, file, &why))
        return true;
    return error_set(error, why.kind == ERROR_USAGE ? ERROR_INPUT : why.kind, "%s", why.text);
}
