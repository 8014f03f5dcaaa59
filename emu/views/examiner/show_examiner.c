/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/views/examiner/show_examiner.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "emu/base/output.h"
#include "emu/views/examiner/show_examiner_private.h"

enum { STEM_BYTES = 200 };

/* ---- names of files -------------------------------------------------------------------------- */

typedef char file_name[SHOW_EXAMINER_NAME_BYTES];

/* A name without its ".json" that is one in the folder, whatever the text. */
static void stem_of(const char *text, char stem[STEM_BYTES])
{
    static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                  "._-+";
    const size_t bytes = strlen(text);
    const bool has_end = bytes > 5 && strcmp(text + bytes - 5, ".json") == 0;
    size_t length = has_end ? bytes - 5 : bytes;

    length = length < STEM_BYTES - 1 ? length : STEM_BYTES - 1;
    for (size_t i = 0; i < length; i++)
        stem[i] = strchr(allowed, text[i]) && !(i == 0 && text[i] == '.') ? text[i] : '_';
    stem[length] = 0;
}

static bool is_taken(const file_name *names, uint32_t count, const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Names of all tasks' files, each another; NULL: no memory. */
static file_name *names_of(const struct program *program)
{
    file_name *names = calloc(program->task_count, sizeof *names);

    for (uint32_t i = 0; names && i < program->task_count; i++) {
        const struct program_task *task = &program->tasks[i];
        const bool has_name = task->log_name && task->log_name[0];
        char stem[STEM_BYTES];

        stem_of(has_name ? task->log_name : task->label, stem);
        (void)snprintf(names[i], sizeof names[i], "%s.json", stem);
        for (uint32_t n = 2; is_taken(names, i, names[i]); n++)
            (void)snprintf(names[i], sizeof names[i], "%s-%" PRIu32 ".json", stem, n);
    }
    return names;
}

/* ---- writing --------------------------------------------------------------------------------- */

static bool write_file(struct examiner *examiner, const struct show_examiner_options *options,
                       uint32_t task, const char *name, struct gfe_error *error)
{
    const size_t bytes = strlen(options->directory) + strlen(name) + 2;
    const uint32_t sm_count = options->sm_count ? options->sm_count : (uint32_t)examiner->sm_end;
    char *path = malloc(bytes);
    struct output output = {0};
    bool good;

    if (!path)
        return error_set_errno(error, ENOMEM, "%s", name);
    (void)snprintf(path, bytes, "%s/%s", options->directory, name);
    good = output_differs(path, options->log_path, error) && output_open_text(&output, path, error);
    if (good && !examiner_print(output.file, examiner, task, sm_count ? sm_count : 1))
        good = error_set_errno(error, ENOMEM, "%s", path);
    good = good && output_commit(&output, error);
    output_abort(&output);
    free(path);
    return good;
}

static bool write_files(struct examiner *examiner, const struct show_examiner_options *options,
                        struct gfe_error *error)
{
    const struct program *program = &examiner->streams.program;
    file_name *names;
    bool good = true;

    if (mkdir(options->directory, 0777) != 0 && errno != EEXIST)
        return error_set_errno(error, errno, "%s", options->directory);
    names = names_of(program);
    if (!names)
        return error_set_errno(error, ENOMEM, "%s", options->directory);
    for (uint32_t i = 0; i < program->task_count && good; i++)
        good = write_file(examiner, options, i, names[i], error);
    free(names);
    return good;
}

/* ---- reading --------------------------------------------------------------------------------- */

static bool read_all(struct examiner *examiner, struct event_log_reader *log,
                     struct gfe_error *error)
{
    enum event_log_result result;
    struct log_event event;

    while ((result = event_log_read(log, &event, error)) == EVENT_LOG_GOT)
        if (!examiner_take(examiner, &event))
            return error_set_errno(error, ENOMEM, "%s", event_log_name(log));
    for (uint32_t i = 0; i < examiner->streams.program.task_count; i++)
        for (uint32_t p = 0; p < PROGRAM_PHASES; p++)
            if (examiner->tasks[i].released &&
                examiner->tasks[i].now.phases[p].begin_ps != GFE_PS_NEVER) {
                examiner->left_out++;
                break;
            }
    return result == EVENT_LOG_AT_END;
}

bool show_examiner(struct event_log_reader *log, const struct show_examiner_options *options,
                   uint64_t *left_out, struct gfe_error *error)
{
    struct examiner examiner;
    uint32_t count;
    bool good;

    *left_out = 0;
    if (!examiner_init(&examiner, log, error))
        return false;
    count = examiner.streams.program.task_count;
    if (count == 0)
        good = error_set(error, ERROR_INPUT,
                         "%s: is not of a configuration of cuda_scheduling_examiner: result files "
                         "are made of what gfe run made of one",
                         event_log_name(log));
    else if (count > SHOW_EXAMINER_TASKS_MAX)
        good = error_set(error, ERROR_LIMIT, "%s: more than %d tasks", event_log_name(log),
                         SHOW_EXAMINER_TASKS_MAX);
    else
        good = read_all(&examiner, log, error) && write_files(&examiner, options, error);
    *left_out = examiner.left_out;
    examiner_fini(&examiner);
    return good;
}
