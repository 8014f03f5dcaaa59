/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/explore/scrub.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "emu/sim/kfd_simulation.h"
#include "emu/base/retry.h"

/* ---- the log --------------------------------------------------------------------------------- */

static void log_observe(void *context, const struct chunk *chunk)
{
    hash_log_add(context, chunk);
}

static bool log_run(const struct replay_input *input, const struct simulation_options *options,
                    struct gfe_error *error)
{
    struct simulation *simulation = simulation_new(input, options, error);
    const bool done = simulation && simulation_log_head(simulation, "-", error) &&
                      simulation_run(simulation, GFE_PS_NEVER, error) &&
                      simulation_log_end(simulation, error) &&
                      chunk_writer_finish(options->log, error);

    simulation_free(simulation);
    return done;
}

/* Replays a trace of a ROCm program to get its log. */
static bool log_run_ring(const struct replay_input *input, const struct simulation_options *options,
                         struct gfe_error *error)
{
    struct kfd_simulation *simulation = kfd_simulation_new(input, options, error);
    const bool done = simulation && kfd_simulation_run(simulation, error) &&
                      chunk_writer_finish(options->log, error);

    kfd_simulation_free(simulation);
    return done;
}

bool scrub_log_hash(const char *path, const struct scrub_options *options, char hex[HASH_HEX_BYTES],
                    struct gfe_error *error)
{
    const struct limits *limits = options->limits;
    struct replay_input *input = replay_load_within(path, limits->expansion_bytes, error);
    struct chunk_writer *writer = input ? chunk_writer_new(-1, "the event log", error) : NULL;
    const struct simulation_options run = {
        .gpu = options->gpu,
        .described = options->described,
        .max_events = limits->events,
        .max_time_ps = limits->time_ps,
        .max_memory_bytes = limits->memory_bytes ? limits->memory_bytes : 1,
        .log = writer,
        .pool = options->pool,
    };
    struct hash_log hash;
    bool done = false;

    hash_log_start(&hash, true);
    if (writer)
        chunk_writer_observe(writer, log_observe, &hash);
    if (writer)
        done = (kfd_simulation_is(input) ? log_run_ring : log_run)(input, &run, error);
    hash_log_end(&hash, hex);
    chunk_writer_free(writer);
    replay_input_free(input);
    return done;
}

/* ---- which zeroes the log bears -------------------------------------------------------------- */

/* keep[]: MEM records that stay as they are; those tried without success are among them. */
struct search {
    const struct scrub_plan *plan;
    const struct scrub_options *options;
    const char *path, *name;
    int fd;
    struct scrub_report *report;
    char wanted[HASH_HEX_BYTES];
    uint8_t *keep;
    bool written; /* what is in the file is what keep[] says, and gives the same log */
    struct gfe_error *error;
};

static bool search_write(struct search *search, FILE *strings)
{
    const struct scrub_write_options options = {
        .origin = &search->plan->origin,
        .keep_records = search->keep,
        .keep_host = search->options->keep_host,
        .strings = strings,
        .limit_bytes = search->options->limits->memory_bytes,
        .expansion_bytes = search->options->limits->expansion_bytes,
    };

    int result;

    RETRY(result, ftruncate(search->fd, 0));
    if (result != 0 || lseek(search->fd, 0, SEEK_SET) != 0)
        return error_set_errno(search->error, errno, "%s", search->name);
    return scrub_write(search->path, &options, search->fd, search->name, &search->report->totals,
                       search->error);
}

/* Writes and replays; *same tells whether the log is.  A replay that ends with an error is none.
 * False when it cannot be told: the operating system failed. */
static bool search_try(struct search *search, bool *same)
{
    char path[40], hex[HASH_HEX_BYTES];
    struct gfe_error inner = {0};

    *same = search->written = false;
    if (!search_write(search, NULL))
        return false;
    /* Behind the sandbox this path is read through a copy of the descriptor (opened_read()). */
    if (lseek(search->fd, 0, SEEK_SET) != 0)
        return error_set_errno(search->error, errno, "%s", search->name);
    (void)snprintf(path, sizeof path, "/proc/self/fd/%d", search->fd);
    search->report->tries++;
    if (scrub_log_hash(path, search->options, hex, &inner))
        *same = search->written = strcmp(hex, search->wanted) == 0;
    else if (inner.kind == ERROR_SYSTEM)
        return error_set(search->error, inner.kind, "%s", inner.text);
    return true;
}

static void keep_range(struct search *search, uint64_t from, uint64_t to, bool keep)
{
    for (uint64_t record = from; record < to; record++) {
        const uint8_t bit = (uint8_t)(1 << record % 8);

        search->keep[record / 8] =
            (uint8_t)(keep ? search->keep[record / 8] | bit : search->keep[record / 8] & ~bit);
    }
    if (keep)
        search->report->kept_records += to - from;
}

/* Lets as many of the MEM records [from, to) be scrubbed as the log bears. */
static bool search_range(struct search *search, uint64_t from, uint64_t to)
{
    const uint64_t middle = from + (to - from) / 2;
    bool same;

    if (search->report->tries >= SCRUB_TRIES) {
        search->report->kept_records += to - from;
        return true;
    }
    keep_range(search, from, to, false);
    if (!search_try(search, &same))
        return false;
    if (same)
        return true;
    keep_range(search, from, to, true);
    if (to - from <= 1)
        return true;
    search->report->kept_records -= to - from;
    return search_range(search, from, middle) && search_range(search, middle, to);
}

/* The file as keep[] says in the end, with the strings that are left. */
static bool search_end(struct search *search)
{
    bool same = true;

    if (!search->written && !search_try(search, &same))
        return false;
    if (!same)
        return error_set(search->error, ERROR_INPUT,
                         "%s: its log changes even if all its memory is kept: not scrubbed",
                         search->path);
    return !search->options->strings || search_write(search, search->options->strings);
}

static bool search_all(struct search *search)
{
    const uint64_t records = search->plan->origin.record_count;

    if (search->options->unverified)
        return search_write(search, search->options->strings);
    if (!scrub_log_hash(search->path, search->options, search->wanted, search->error))
        return false;
    search->keep = malloc(records / 8 + 1);
    if (!search->keep)
        return error_set(search->error, ERROR_SYSTEM, "no memory for the trace's records");
    memset(search->keep, UINT8_MAX, records / 8 + 1);
    if (!search_range(search, 0, records) || !search_end(search))
        return false;
    memcpy(search->report->log_hash, search->wanted, sizeof search->wanted);
    return true;
}

bool scrub_apply(const struct scrub_plan *plan, const char *path,
                 const struct scrub_options *options, int fd, const char *name,
                 struct scrub_report *report, struct gfe_error *error)
{
    struct search search = {.plan = plan,
                            .options = options,
                            .path = path,
                            .name = name,
                            .fd = fd,
                            .report = report,
                            .error = error};
    bool done;

    *report = (struct scrub_report){0};
    done = search_all(&search);
    free(search.keep);
    return done;
}
