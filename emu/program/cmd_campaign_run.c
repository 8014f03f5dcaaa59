/* SPDX-License-Identifier: MIT */
/* gfe campaign run: makes what a campaign still lacks. */
#include <config.h>

#include <errno.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "emu/base/visible.h"
#include "emu/faults/campaign_workers.h"
#include "emu/faults/campaign_sample.h"
#include "emu/program/cmd_campaign.h"
#include "emu/sim/gfe.h"

enum { COMMIT_MS = 250, SHOW_MS = 250, BAR = 30, NUMBER_BYTES = 48 };

struct job {
    const struct campaign_request *request;
    struct campaign_db *db;
    uint64_t first, last; /* of this shard */
    uint8_t *is_there;    /* bits from first on */
    uint64_t at;          /* looked at so far */
    uint64_t had, made;   /* experiments that were there, and those made */
    int64_t began_ms, committed_ms, shown_ms;
    bool open; /* a transaction is */
};

static int64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- the database ---------------------------------------------------------------------------- */

static bool job_is_same(struct job *job, const char *key, const char *value,
                        struct gfe_error *error)
{
    char *held;
    bool same;

    if (!campaign_db_get(job->db, key, &held, error))
        return false;
    same = held && strcmp(held, value) == 0;
    if (!same)
        error_set(error, ERROR_INPUT, "%s: holds another campaign: its %s is %.40s, not %.40s",
                  campaign_db_path(job->db), key, held ? held : "missing", value);
    free(held);
    return same;
}

/* Finds the plan's folder, which the caller frees; NULL means that no path leads there now. Returns
 * false with a message when memory is short. */
static bool plan_folder(const char *path, char **folder, struct gfe_error *error)
{
    char *copy = strdup(path);

    errno = ENOMEM;
    *folder = copy ? realpath(dirname(copy), NULL) : NULL;
    free(copy);
    return *folder || errno != ENOMEM || error_set_errno(error, ENOMEM, "%s", path);
}

static bool job_stratum(struct job *job, const struct campaign_plan *plan, uint32_t id,
                        const struct campaign_stratum *stratum, struct gfe_error *error)
{
    const json_t *programs = json_object_get(plan->json, "programs");
    struct campaign_labels labels;
    const struct campaign_db_stratum row = {
        .id = id,
        .family = stratum->entry_index,
        .program = json_string_value(json_array_get(programs, stratum->program)),
        .unit = labels.unit,
        .site = labels.site,
        .model = labels.model,
        .faults = stratum->size,
    };

    campaign_space_labels(stratum, &labels);
    return campaign_db_set_stratum(job->db, &row, error);
}

/* Writes what is run; or, if that stands there, compares. */
static bool job_begin(struct job *job, const struct campaign_programs *programs,
                      struct gfe_error *error)
{
    const struct campaign_space *space = &programs->space;
    const struct campaign_plan *plan = programs->plan;
    char count[NUMBER_BYTES], shard[NUMBER_BYTES];
    char *held = NULL, *folder = NULL;
    bool good =
        campaign_db_get(job->db, "hash", &held, error) && plan_folder(plan->path, &folder, error);

    (void)snprintf(count, sizeof count, "%" PRIu64, space->experiment_count);
    (void)snprintf(shard, sizeof shard, "%" PRIu32 "/%" PRIu32, job->request->shard,
                   job->request->shards);
    // clang-format off
    const char *const keys[][2] = {
        {"format", CAMPAIGN_DB_FORMAT},   {"hash", programs->hash}, {"version", gfe_version()},
        {"shard", shard},  {"experiments", count},   {"plan", plan->canonical},
        {"folder", folder ? folder : "."},
    };
    // clang-format on
    if (held) {
        for (size_t i = 0; good && i < 4; i++)
            good = job_is_same(job, keys[i][0], keys[i][1], error);
    } else {
        good = good && campaign_db_begin(job->db, error);
        for (size_t i = 0; good && i < sizeof keys / sizeof keys[0]; i++)
            good = campaign_db_set(job->db, keys[i][0], keys[i][1], error);
        for (uint32_t i = 0; good && i < space->stratum_count; i++)
            good = job_stratum(job, plan, i, &space->strata[i], error);
        good = good && campaign_db_commit(job->db, error);
    }
    free(held);
    free(folder);
    return good;
}

static bool job_mark(void *context, uint64_t id)
{
    struct job *job = context;

    if (id >= job->first && id < job->last) {
        job->is_there[(id - job->first) / 8] |= (uint8_t)(1u << (id - job->first) % 8);
        job->had++;
    }
    return true;
}

/* ---- while it works -------------------------------------------------------------------------- */

static bool is_there(const struct job *job, uint64_t id)
{
    return job->is_there[(id - job->first) / 8] >> (id - job->first) % 8 & 1;
}

static bool job_next(void *context, uint64_t most, uint64_t *first, uint64_t *last)
{
    struct job *job = context;

    while (job->at < job->last && is_there(job, job->at))
        job->at++;
    *first = job->at;
    while (job->at < job->last && job->at - *first < most && !is_there(job, job->at))
        job->at++;
    *last = job->at;
    return *last > *first;
}

static uint64_t job_left(void *context)
{
    const struct job *job = context;

    return job->last - job->at;
}

static bool job_commit(struct job *job, struct gfe_error *error)
{
    if (!job->open)
        return true;
    job->open = false;
    job->committed_ms = now_ms();
    return campaign_db_commit(job->db, error);
}

static bool job_done(void *context, const struct campaign_row *row, struct gfe_error *error)
{
    struct job *job = context;

    if (!job->open && !campaign_db_begin(job->db, error))
        return false;
    job->open = true;
    job->made++;
    return campaign_db_put(job->db, row, error);
}

static void job_show(struct job *job, int64_t now)
{
    const uint64_t all = job->last - job->first, there = job->had + job->made;
    const uint64_t passed = (uint64_t)(now - job->began_ms) + 1, rate = job->made * 1000 / passed;
    char bar[BAR + 1];

    job->shown_ms = now;
    for (uint64_t i = 0; i < BAR; i++)
        bar[i] = i * all < there * BAR ? '#' : '.';
    bar[BAR] = '\0';
    visible_command(STDERR_FILENO, "\r[%s] %" PRIu64 " of %" PRIu64 ", %" PRIu64 "/s", bar, there,
                    all, rate);
    if (rate > 0)
        visible_command(STDERR_FILENO, ", %" PRIu64 " s left  ", (all - there) / rate);
}

static bool job_look(void *context, struct gfe_error *error)
{
    struct job *job = context;
    const int64_t now = now_ms();

    if (job->request->progress && now - job->shown_ms >= SHOW_MS)
        job_show(job, now);
    return now - job->committed_ms < COMMIT_MS || job_commit(job, error);
}

static bool job_work(struct job *job, const struct campaign_programs *programs,
                     struct gfe_error *error)
{
    const struct campaign_work work = {.space = &programs->space,
                                       .next = job_next,
                                       .left = job_left,
                                       .done = job_done,
                                       .look = job_look,
                                       .context = job};
    struct gfe_error second = {0};
    bool good;

    job->began_ms = job->committed_ms = job->shown_ms = now_ms();
    good = campaign_work(&work, job->request->workers, error);
    if (job->request->progress) {
        job_show(job, now_ms());
        fputc('\n', stderr);
    }
    return job_commit(job, good ? error : &second) && good;
}

static bool job_run(struct job *job, const struct campaign_programs *programs,
                    struct gfe_error *error)
{
    campaign_shard(programs->space.experiment_count, job->request->shard, job->request->shards,
                   &job->first, &job->last);
    job->at = job->first;
    job->is_there = calloc((job->last - job->first) / 8 + 1, 1);
    if (!job->is_there)
        return error_set(error, ERROR_SYSTEM, "no memory for a campaign");
    job->db = campaign_db_open(job->request->db, CAMPAIGN_DB_WRITE, error);
    if (!job->db || !job_begin(job, programs, error) ||
        !campaign_db_ids(job->db, job_mark, job, error) || !job_work(job, programs, error))
        return false;
    printf("%s: %" PRIu64 " experiments, %" PRIu64 " of them made now\n", job->request->db,
           job->last - job->first, job->made);
    return true;
}

bool campaign_do_run(const struct campaign_request *request, bool *work_left,
                     struct gfe_error *error)
{
    struct campaign_plan *plan = campaign_plan_load(request->operands[0], &request->sizes, error);
    struct campaign_programs *programs = plan ? malloc(sizeof *programs) : NULL;
    struct job job = {.request = request};
    bool good;

    if (plan && !programs) {
        campaign_plan_free(plan);
        return error_set(error, ERROR_SYSTEM, "no memory for a campaign");
    }
    if (!programs)
        return false;
    good = campaign_programs_init(programs, plan, &request->limits, error) &&
           job_run(&job, programs, error);
    *work_left = programs->work_left;
    campaign_db_close(job.db);
    free(job.is_there);
    campaign_programs_fini(programs);
    free(programs);
    return good;
}
