/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/live/live_preload.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/base/text_stream.h"
#include "traces/record/record_process_state.h"

/* ---- the log ----------------------------------------------------------------------------------
 */

void live_orders_check(struct live_orders *orders)
{
    if (record_own_fd_good(&orders->log))
        return;
    if (record_own_fd_take(&orders->log,
                           record_process_real()->openat(AT_FDCWD, orders->log_path,
                                                         O_WRONLY | O_APPEND | O_CLOEXEC)))
        chunk_writer_set_fd(orders->writer, orders->log.fd);
}

void live_orders_flush(struct live_orders *orders)
{
    event_log_flush(&orders->machine->log);
    orders->flushed_events = machine_event_count(orders->machine);
}

void live_orders_flush_many(struct live_orders *orders)
{
    if (machine_event_count(orders->machine) - orders->flushed_events > LIVE_FLUSH_EVENTS)
        live_orders_flush(orders);
}

void live_give_up(const char *text)
{
    char whole[600];

    (void)snprintf(whole, sizeof whole, "the emulation had to stop: %s", text);
    record_process_give_up(whole);
    (void)kill(getpid(), SIGKILL);
    abort();
}

bool live_orders_log(struct live_orders *orders, const char *directory, struct gfe_error *error)
{
    if ((size_t)snprintf(orders->log_path, sizeof orders->log_path, "%s/live-%010d.gfl", directory,
                         (int)getpid()) >= sizeof orders->log_path ||
        !record_own_fd_take(&orders->log, record_process_real()->openat(
                                              AT_FDCWD, orders->log_path,
                                              O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)))
        return error_set_errno(error, errno, "%s", orders->log_path);
    orders->writer = chunk_writer_new(orders->log.fd, orders->log_path, error);
    orders->options.log = orders->writer;
    return orders->writer != NULL;
}

/* ---- the orders -------------------------------------------------------------------------------
 */

static void line_take(struct live_orders *orders, char *line)
{
    char *value = strchr(line, ' '), *equal;

    if (!value)
        return;
    *value++ = '\0';
    if (strcmp(line, "seed") == 0)
        orders->options.seed = strtoull(value, NULL, 10);
    else if (strcmp(line, "fault") == 0 && orders->fault_count < LIVE_LINES_MAX)
        orders->faults[orders->fault_count++] = value;
    equal = strchr(value, '=');
    if (!equal || strcmp(line, "fault") == 0)
        return;
    *equal++ = '\0';
    if (strcmp(line, "param") == 0 && orders->options.parameter_count < LIVE_LINES_MAX)
        orders->parameters[orders->options.parameter_count++] =
            (struct simulation_setting){value, equal};
    else if (strcmp(line, "policy") == 0 && orders->options.choice_count < LIVE_LINES_MAX)
        orders->choices[orders->options.choice_count++] = (struct simulation_setting){value, equal};
}

/* Returns the text of the file, or NULL without memory or with an error of reading. */
static char *file_text(FILE *file)
{
    struct text_stream stream;
    FILE *memory = text_stream_open(&stream);
    char *text;
    int byte;

    while (memory && (byte = getc(file)) != EOF)
        putc(byte, memory);
    text = text_stream_close(&stream, memory);
    if (!ferror(file))
        return text;
    free(text);
    return NULL;
}

bool live_orders_read(struct live_orders *orders, const char *directory, struct gfe_error *error)
{
    char path[PATH_MAX], *line = NULL, *rest = NULL;
    FILE *file;

    if ((size_t)snprintf(path, sizeof path, "%s/live", directory) >= sizeof path)
        return false;
    file = record_process_real()->fopen(path, "re");
    if (!file)
        return errno != ENOENT && error_set_errno(error, errno, "%s", path);
    orders->text = file_text(file);
    fclose(file);
    if (!orders->text)
        return error_set(error, ERROR_SYSTEM, "%s: cannot be read", path);
    for (line = strtok_r(orders->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        line_take(orders, line);
    orders->options.parameters = orders->parameters;
    orders->options.choices = orders->choices;
    return true;
}
