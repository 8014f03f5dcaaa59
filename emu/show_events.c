/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/show_events.h"

#include <inttypes.h>
#include <string.h>

#include "emu/event_list.h"

/* Arguments that are addresses or words of hardware are hexadecimal. */
static bool show_events_is_hex(const char *name)
{
    static const char *const names[] = {"address", "data",   "method",       "class_id", "value",
                                        "source",  "_bits",  "entry1_flags", "_class",   "destination",
                                        "code",    "payload"};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(name, names[i]))
            return true;
    return false;
}

static void show_events_line(FILE *file, struct event_log_reader *log,
                             const struct log_event *event)
{
    static const char *const origins[] = {"", " RECORDED", " MODELLED"};
    const struct event_log_kind *kind = event_log_kind(log, event->kind);
    const struct event_log_rule *rule = event_log_rule(log, event->rule);

    fprintf(file, "%" PRIu64 ".%06" PRIu64 " %s %s", event->time_ps / GFE_PS_PER_US,
            event->time_ps % GFE_PS_PER_US, event_log_unit(log, event->unit), kind->name);
    for (uint32_t i = 0; i < event->argument_count; i++)
        fprintf(file, show_events_is_hex(kind->arguments[i]) ? " %s=0x%" PRIx64 : " %s=%" PRIu64,
                kind->arguments[i], event->argument[i]);
    if (event->rule != RULE_NONE && rule)
        fprintf(file, " [%s]", rule->label);
    fprintf(file, "%s\n", event->origin < 3 ? origins[event->origin] : "");
}

bool show_events(FILE *file, struct event_log_reader *log, gfe_ps from_ps, gfe_ps to_ps,
                 struct gfe_error *error)
{
    struct log_event event;

    for (;;) {
        switch (event_log_read(log, &event, error)) {
        case EVENT_LOG_GOT:
            if (event.time_ps >= from_ps && event.time_ps <= to_ps)
                show_events_line(file, log, &event);
            break;
        case EVENT_LOG_AT_END:
            return true;
        case EVENT_LOG_FAILED:
            return false;
        }
    }
}
