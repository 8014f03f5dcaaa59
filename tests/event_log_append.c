/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/event_log_append.h"

#include "emu/log/event_log_batch.h"

void event_log_append(struct event_log *log, const struct log_event *event)
{
    const struct event_log_source source = {event->time_ps, event->kind,   event->unit,
                                            event->rule,    event->origin, event->argument_count};

    if (!event_log_put(log, source, event->argument))
        (void)event_log_put_rest(log, source, event->argument);
}
