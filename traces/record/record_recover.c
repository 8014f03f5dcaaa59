/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "traces/record/record_recover.h"

#include <stdlib.h>

#include "emu/base/output.h"
#include "traces/record/record_directory.h"
#include "traces/record/record_parts.h"
#include "traces/record/record_say.h"

enum { PROBLEM_BYTES = 500 };

/* ---- recovering ------------------------------------------------------------------------------ */

static bool has_losses(const struct record_totals *totals)
{
    return totals->loss.chunks > 0 || totals->loss.references > 0 || totals->lost_parts > 0;
}

static void say_losses(const char *path, const char *output_path,
                       const struct record_totals *totals)
{
    record_say("%s: damaged, and left out: chunks: %llu, pieces of memory that lay in them: %llu, "
               "whole parts: %u of %u%s%s; %s stays (gfe record --clean deletes it)",
               output_path, (unsigned long long)totals->loss.chunks,
               (unsigned long long)totals->loss.references, (unsigned)totals->lost_parts,
               (unsigned)totals->parts, totals->lost_part.text[0] ? ", the first one: " : "",
               totals->lost_part.text, path);
}

/* The trace is made: says what it has not, and deletes the directory unless it has more. */
static void recovered(struct record_directory *directory, const char *path, const char *output_path,
                      const struct record_totals *totals, bool quiet)
{
    char problem[PROBLEM_BYTES];

    if (record_parts_problem(directory, problem, sizeof problem))
        record_say("%s: incomplete: %s", output_path, problem);
    if (has_losses(totals)) {
        say_losses(path, output_path, totals);
        record_directory_leave(directory);
    } else {
        record_directory_remove(directory);
    }
    if (!quiet)
        record_say_summary(output_path, totals);
}

int record_recover(const char *path, const char *output_path, bool quiet)
{
    const struct trace_end end = {.how = TRACE_END_RECOVERED};
    struct record_directory directory = {.lock_fd = -1};
    struct output output = {0};
    struct record_totals totals;
    struct gfe_error error = {0};
    bool done = false;

    if (!record_directory_take(&directory, path, &error))
        return record_say_error(&error);
    if (!record_parts_exist(&directory))
        error_set(&error, ERROR_INPUT, "%s: nothing was recorded there", path);
    else if (record_parts_output(&output, output_path, &error))
        done = record_parts_join(&directory, true, &output, output_path, &end, &totals, &error);
    output_abort(&output);
    if (done) {
        recovered(&directory, path, output_path, &totals, quiet);
        return 0;
    }
    record_directory_leave(&directory);
    return record_say_error(&error);
}

/* ---- what is left ---------------------------------------------------------------------------- */

static void say_cleaned(void *context, const char *path, bool removed)
{
    bool *failed = context;

    record_say(removed ? "%s: deleted" : "%s: cannot be deleted", path);
    *failed = *failed || !removed;
}

static void clean_quietly(void *context, const char *path, bool removed)
{
    if (!removed)
        say_cleaned(context, path, removed);
}

int record_clean(bool quiet)
{
    bool failed = false;

    record_directory_clean(quiet ? clean_quietly : say_cleaned, &failed);
    return failed;
}

void record_say_left(void)
{
    char *first = NULL;
    const unsigned count = record_directory_left(&first);

    if (count > 0)
        record_say("%s%s left by a recording that could not be ended: gfe record --recover "
                   "%s -o F.gft makes a trace of it, gfe record --clean deletes such folders",
                   first, count > 1 ? " and others were" : " was", first);
    free(first);
}
