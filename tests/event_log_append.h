/* SPDX-License-Identifier: MIT */
/* Appends by a function call; the machine appends inline (emu/log/event_log_batch.h). */
#ifndef GFE_TESTS_EVENT_LOG_APPEND_H
#define GFE_TESTS_EVENT_LOG_APPEND_H

#include "emu/log/event_log.h"

void event_log_append(struct event_log *log, const struct log_event *event);

#endif
