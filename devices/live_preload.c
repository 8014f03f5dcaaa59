/* SPDX-License-Identifier: MIT */
/*
 * What joins the stand-in for KFD (traces/record_kfd_live.h) with the emulation (live_kfd.h), in
 * the process of the program: the part of libgfe-live that libgfe-record has not.
 *
 * The recording's directory holds a file "live" of lines: "seed N", "fault TEXT", "param ID=N",
 * "policy ID=NAME"; the log of each process goes there, as live-PID.gfl.  When the emulation has to
 * stop, the process is killed: nothing that it waits for would come any more.
 */
#include <config.h>

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "devices/live_kfd.h"
#include "traces/record_kfd_live.h"
#include "traces/record_own_fd.h"
#include "traces/record_process_private.h"

enum { LIVE_LINES_MAX = 64, LIVE_FLUSH_EVENTS = 4096 };

struct live_process {
    struct record_kfd *kfd;
    struct live_kfd *live;
    struct chunk_writer *writer;
    struct record_own_fd log;
    char log_path[PATH_MAX];
    char *text; /* of the file; the lines below point into it: */
    const char *faults[LIVE_LINES_MAX];
    struct simulation_setting parameters[LIVE_LINES_MAX], choices[LIVE_LINES_MAX];
    struct simulation_options options;
    uint32_t fault_count;
    uint64_t seen_events, flushed_events;
};

static gfe_ps live_ps(uint64_t ns)
{
    return clock_times(ns, GFE_PS_PER_NS);
}

/* ---- the program's side -----------------------------------------------------------------------
 */

static bool process_read(void *program, uint64_t va, void *data, size_t bytes)
{
    return record_kfd_live_read(program, va, data, bytes);
}

static bool process_write(void *program, uint64_t va, const void *data, size_t bytes)
{
    return record_kfd_live_write(program, va, data, bytes);
}

static void process_kernel(void *program, uint64_t kernel, uint64_t arguments)
{
    record_kfd_live_kernel(program, kernel, arguments);
}

static void process_event(void *program, uint32_t event_id)
{
    record_kfd_live_event(program, event_id);
}

static uint32_t process_exception(void *program, const struct live_exception *exception)
{
    const struct record_kfd_exception told = {.type = exception->type,
                                              .address = exception->address,
                                              .not_present = exception->not_present,
                                              .read_only = exception->read_only,
                                              .is_reset = exception->is_reset};

    return record_kfd_live_exception(program, &told);
}

/* ---- the emulation's --------------------------------------------------------------------------
 */

/* The program may have closed the log's descriptor, by its number. */
static void log_check(struct live_process *process)
{
    if (record_own_fd_good(&process->log))
        return;
    if (record_own_fd_take(&process->log,
                           record_process_real()->openat(AT_FDCWD, process->log_path,
                                                         O_WRONLY | O_APPEND | O_CLOEXEC)))
        chunk_writer_set_fd(process->writer, process->log.fd);
}

static _Noreturn void give_up(const char *text)
{
    char whole[600];

    (void)snprintf(whole, sizeof whole, "the emulation had to stop: %s", text);
    record_process_give_up(whole);
    (void)kill(getpid(), SIGKILL);
    abort();
}

static bool has_ended(const struct live_process *process)
{
    return process->live->machine->state->ended != 0;
}

static int process_act(void *context, uint64_t now_ns, const struct trace_record *record,
                       uint64_t *takes_ns)
{
    struct live_process *process = context;
    int result;

    if (has_ended(process))
        return 0;
    log_check(process);
    result = live_kfd_do(process->live, live_ps(now_ns), record);
    *takes_ns += process->live->takes_ps / GFE_PS_PER_NS;
    return result;
}

static uint64_t process_clock(void *context, uint64_t now_ns)
{
    const struct live_process *process = context;

    return live_kfd_clock(process->live, live_ps(now_ns));
}

static void process_flush(void *context, uint64_t now_ns, bool last)
{
    struct live_process *process = context;
    struct gfe_error error = {0};

    if (has_ended(process))
        return;
    log_check(process);
    if (last && (!live_kfd_end(process->live, live_ps(now_ns), &error) ||
                 !chunk_writer_finish(process->writer, &error)))
        record_process_give_up(error.text);
    else if (!last)
        event_log_flush(&process->live->machine->log);
    process->flushed_events = process->seen_events;
}

static bool process_run(void *context, uint64_t now_ns, uint64_t *next_ns, bool *waits)
{
    struct live_process *process = context;
    struct machine *machine = process->live->machine;
    const uint64_t before = machine_event_count(machine);
    gfe_ps next_ps = GFE_PS_NEVER;
    struct gfe_error error = {0};

    if (has_ended(process))
        return false;
    log_check(process);
    if (!live_kfd_run(process->live, live_ps(now_ns), &next_ps, waits, &error))
        give_up(error.text);
    *next_ns = next_ps == GFE_PS_NEVER ? UINT64_MAX : next_ps / GFE_PS_PER_NS;
    process->seen_events = machine_event_count(machine);
    if (process->seen_events - process->flushed_events > LIVE_FLUSH_EVENTS)
        process_flush(process, now_ns, false);
    return process->seen_events > before + 1; /* more than the look itself */
}

static const struct record_kfd_live_ops process_ops = {process_act, process_run, process_clock,
                                                       process_flush};

/* ---- beginning --------------------------------------------------------------------------------
 */

static void line_take(struct live_process *process, char *line)
{
    char *value = strchr(line, ' '), *equal;

    if (!value)
        return;
    *value++ = '\0';
    if (strcmp(line, "seed") == 0)
        process->options.seed = strtoull(value, NULL, 10);
    else if (strcmp(line, "fault") == 0 && process->fault_count < LIVE_LINES_MAX)
        process->faults[process->fault_count++] = value;
    equal = strchr(value, '=');
    if (!equal || strcmp(line, "fault") == 0)
        return;
    *equal++ = '\0';
    if (strcmp(line, "param") == 0 && process->options.parameter_count < LIVE_LINES_MAX)
        process->parameters[process->options.parameter_count++] =
            (struct simulation_setting){value, equal};
    else if (strcmp(line, "policy") == 0 && process->options.choice_count < LIVE_LINES_MAX)
        process->choices[process->options.choice_count++] =
            (struct simulation_setting){value, equal};
}

/* False: there is none. */
static bool file_read(struct live_process *process, const char *directory)
{
    char path[PATH_MAX], *line = NULL, *rest = NULL;
    size_t bytes = 0;
    FILE *file, *memory;
    int byte;

    if ((size_t)snprintf(path, sizeof path, "%s/live", directory) >= sizeof path)
        return false;
    file = record_process_real()->fopen(path, "re");
    memory = file ? open_memstream(&process->text, &bytes) : NULL;
    while (memory && (byte = getc(file)) != EOF)
        putc(byte, memory);
    if (file)
        fclose(file);
    if (!memory || fclose(memory) != 0)
        return false;
    for (line = strtok_r(process->text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
        line_take(process, line);
    process->options.parameters = process->parameters;
    process->options.choices = process->choices;
    return true;
}

static bool log_make(struct live_process *process, const char *directory, struct gfe_error *error)
{
    if ((size_t)snprintf(process->log_path, sizeof process->log_path, "%s/live-%010d.gfl",
                         directory, (int)getpid()) >= sizeof process->log_path ||
        !record_own_fd_take(&process->log, record_process_real()->openat(
                                               AT_FDCWD, process->log_path,
                                               O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600)))
        return error_set_errno(error, errno, "%s", process->log_path);
    process->writer = chunk_writer_new(process->log.fd, process->log_path, error);
    process->options.log = process->writer;
    return process->writer != NULL;
}

bool record_process_live(struct record_kfd *kfd, const char *gpu, const char *directory,
                         struct gfe_error *error)
{
    struct live_process *process = calloc(1, sizeof *process);
    const struct live_program program = {process_read,  process_write,     process_kernel,
                                         process_event, process_exception, kfd};

    if (!process)
        return error_set_errno(error, ENOMEM, "live");
    process->kfd = kfd;
    if (!file_read(process, directory)) {
        free(process->text);
        free(process);
        return true;
    }
    if (log_make(process, directory, error))
        process->live = live_kfd_new(gpu, &process->options, process->faults, process->fault_count,
                                     &program, error);
    if (!process->live) /* the process ends; what was made stays */
        return false;
    record_kfd_live(kfd, &process_ops, process);
    return true;
}
