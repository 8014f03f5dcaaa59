/* SPDX-License-Identifier: MIT */
/* What the debugger's commands say of themselves, and the words that a line can go on with. */
#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "devices/amd/amd_chip.h"
#include "emu/debug/debug_private.h"
#include "emu/sim/gpus.h"
#include "emu/debug/debug_command.h"
#include "emu/debug/inspection.h"
#include "emu/sim/describe.h"
#include "emu/analysis/inspect_queues.h"

/* ---- help ------------------------------------------------------------------------------------ */

static void help_all(FILE *file)
{
    const struct debug_command_row *row;

    for (uint32_t i = 0; (row = debug_command_at(i)) != NULL; i++)
        fprintf(file,
                row->arguments[0] ? "  %-9s%-3s %s\n"
                : row->brief      ? "  %-9s%s\n"
                                  : "  %s\n",
                row->name, row->brief ? row->brief : "", row->arguments);
    fputs("help COMMAND says more; names may be cut as long as they are clear\n", file);
}

static void help_event(const struct event_kind_row *row, FILE *file)
{
    fprintf(file, "%s", row->name);
    for (uint32_t i = 0; i < event_kind_argument_count(row); i++)
        fprintf(file, " %s", row->arguments[i]);
    fputc('\n', file);
    if (row->doc && row->doc[0] != '\0')
        describe_wrapped(file, 4, row->doc);
}

/* Prints the event of that name, or all events that runs of this program can have if `name` is
 * NULL.  Returns their number. */
static uint32_t help_events(const struct debug *debug, const char *name, FILE *file)
{
    uint32_t count = 0;

    for (uint32_t t = 0; t < debug->machine->table_count; t++)
        for (uint32_t k = 0; k < debug->machine->tables[t]->event_count; k++) {
            const struct event_kind_row *row = &debug->machine->tables[t]->events[k];

            if (!row->name || (name && strcmp(row->name, name) != 0))
                continue;
            help_event(row, file);
            count++;
        }
    return count;
}

bool debug_help(const struct debug_shell *shell, const char *topic, FILE *file,
                struct gfe_error *error)
{
    const struct debug_command_row *row;

    if (topic[0] == '\0') {
        help_all(file);
        return true;
    }
    if (strcmp(topic, "events") == 0)
        return help_events(shell->debug, NULL, file) > 0;
    if (strncmp(topic, "event ", 6) == 0)
        return help_events(shell->debug, topic + 6, file) > 0 ||
               error_set(error, ERROR_INPUT, "no event of this run is called '%.60s'", topic + 6);
    row = debug_command_find(topic, error);
    if (!row)
        return false;
    fprintf(file, "%s%s%s\n", row->name, row->arguments[0] ? " " : "", row->arguments);
    describe_wrapped(file, 4, row->doc);
    return true;
}

/* ---- completion ------------------------------------------------------------------------------ */

/* Whose words may follow, and what the word so far is. */
struct completion {
    const struct debug *debug;
    const char *word;
    void (*take)(void *context, const char *word);
    void *context;
};

static void offer(const struct completion *completion, const char *word)
{
    if (word && strncmp(word, completion->word, strlen(completion->word)) == 0)
        completion->take(completion->context, word);
}

static void offer_commands(const struct completion *completion)
{
    const struct debug_command_row *row;

    for (uint32_t i = 0; (row = debug_command_at(i)) != NULL; i++)
        offer(completion, row->name);
}

static void offer_kinds(const struct completion *completion)
{
    for (uint32_t i = 1; i < TABLE_END; i++) {
        const struct event_log_kind *kind = event_log_kind(completion->debug->words, i);

        offer(completion, kind ? kind->name : NULL);
    }
}

static void offer_rules(const struct completion *completion)
{
    for (uint32_t i = RULE_NONE + 1; i < TABLE_END; i++) {
        const struct event_log_rule *rule = event_log_rule(completion->debug->words, i);

        offer(completion, rule ? rule->label : NULL);
    }
}

static void offer_settings(const struct completion *completion)
{
    const struct machine *machine = completion->debug->machine;

    for (uint32_t t = 0; t < machine->table_count; t++) {
        for (uint32_t i = 0; i < machine->tables[t]->parameter_count; i++)
            offer(completion, machine->tables[t]->parameters[i].id);
        for (uint32_t i = 0; i < machine->tables[t]->choice_count; i++)
            offer(completion, machine->tables[t]->choices[i].id);
    }
}

/* Each list once, however many windows it has. */
static void offer_registers(const struct completion *completion)
{
    const struct mmio *mmio = &completion->debug->machine->mmio;

    for (uint32_t w = 0; w < mmio->window_count; w++) {
        const struct mmio_window *window = &mmio->windows[w];
        bool is_first = true;

        for (uint32_t before = 0; before < w && is_first; before++)
            is_first = mmio->windows[before].list != window->list;
        for (uint32_t i = 0; i < window->list->row_count && is_first; i++)
            if (window->list->rows[i].kind == ROW_REG &&
                (window->list->rows[i].variants & window->variants))
                offer(completion, window->list->rows[i].name);
    }
}

/* Without the numbers that may follow. */
static void offer_views(const struct completion *completion)
{
    // clang-format off
    static const char *const names[] = {"device_info", "runlist",     "pce_map", "lce_for_pce",
                                        "channels",    "tsgs",        "pbdma",   "engines",
                                        "regs",        "hqds",        "mqds",    "rls",
                                        "shared_lce_for_grce"};
    // clang-format on
    uint32_t number;

    offer(completion, "breaks");
    offer(completion, "pokes");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char with_number[40];
        const struct inspect_view *view = inspection_view_find(names[i], &number);

        (void)snprintf(with_number, sizeof with_number, "%s0", names[i]);
        if (!view)
            view = inspection_view_find(with_number, &number);
        if (view && (view->vendors & completion->debug->simulation.ops->vendor->views))
            offer(completion, names[i]);
    }
}

static void offer_list(const struct completion *completion, const char *const *words)
{
    for (uint32_t i = 0; words[i]; i++)
        offer(completion, words[i]);
}

/* What may follow the command's name; `before`: the words up to the last one. */
static void offer_arguments(const struct completion *completion, const char *command,
                            const char *before)
{
    static const char *const forms[] = {"event",   "rule",     "channel", "queue", "method",
                                        "address", "register", "fault",   NULL};
    static const char *const places[] = {"event:", "step:", "start", "end", NULL};

    if (strcmp(command, "step") == 0 || strcmp(command, "back") == 0)
        for (uint32_t unit = 0; unit < DEBUG_UNITS; unit++)
            offer(completion, debug_unit_name(unit));
    else if (strcmp(command, "run") == 0 || strcmp(command, "goto") == 0)
        offer_list(completion, places);
    else if (strcmp(command, "help") == 0)
        offer_commands(completion);
    else if (strcmp(command, "info") == 0)
        offer_views(completion);
    else if (strcmp(command, "break") == 0 && strstr(before, " event "))
        offer_kinds(completion);
    else if (strcmp(command, "break") == 0 && strstr(before, " rule "))
        offer_rules(completion);
    else if (strcmp(command, "break") == 0 && !strstr(before, " register "))
        offer_list(completion, forms);
    else if (strcmp(command, "break") == 0 || strcmp(command, "watch") == 0 ||
             strcmp(command, "poke") == 0)
        offer_registers(completion);
    if (strcmp(command, "print") == 0) {
        offer_registers(completion);
        offer_settings(completion);
        offer_rules(completion);
    }
}

void debug_complete(const struct debug_shell *shell, const char *line,
                    void (*take)(void *context, const char *word), void *context)
{
    const char *last = strrchr(line, ' ');
    struct completion completion = {
        .debug = shell->debug, .word = last ? last + 1 : line, .take = take, .context = context};
    const struct debug_command_row *row;
    struct gfe_error error = {0};
    char before[200], name[32];

    if (!last) {
        offer_commands(&completion);
        return;
    }
    (void)snprintf(before, sizeof before, "%.*s", (int)(last + 1 - line), line);
    (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(line, " "), line);
    row = debug_command_find(name, &error);
    if (row)
        offer_arguments(&completion, row->name, before);
}
