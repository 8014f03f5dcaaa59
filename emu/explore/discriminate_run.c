/* SPDX-License-Identifier: MIT */
/* One run of a scenario with one alternative, and what result files would show of it. */
#include <config.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "devices/core/core_events.h"
#include "emu/explore/discriminate_private.h"
#include "devices/nvidia/nv_tables.h"
#include "emu/sim/gpus.h"
#include "emu/views/examiner/show_examiner.h"
#include "emu/views/examiner/show_examiner_live.h"
#include "firmware-models/cuda/cuda.h"
#include "firmware-models/cuda/cuda_tables.h"
#include "firmware-models/rm/rm_tables.h"

enum { TIMES = 3, TIME_PARAMETERS = 3 };

/* Times on the way to a block that are not published: other figures of the same order. */
static const struct simulation_setting times[TIMES][TIME_PARAMETERS] = {
    {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}},
    {{"cuda.call_ps", "20000000"}, {"cuda.submit_ps", "7000000"}, {"core.dispatch_cycles", "40"}},
    {{"cuda.call_ps", "2000000"}, {"cuda.submit_ps", "300000"}, {"core.dispatch_cycles", "1"}},
};

/* Those whose other choice points may be otherwise, as gfe run --explore all walks them. */
static const struct table_set *const others[] = {&core_tables, &cuda_tables};

/* The tables of machines that run scenarios (simulation_new_scenario()). */
static const struct table_set *const sets[] = {&core_tables, &nv_tables, &rm_tables, &cuda_tables};

const struct choice_point *discriminate_point(const char *id)
{
    for (uint32_t s = 0; s < gfe_table_set_count; s++)
        for (uint32_t i = 0; i < gfe_table_sets[s]->choice_count; i++)
            if (strcmp(gfe_table_sets[s]->choices[i].id, id) == 0)
                return &gfe_table_sets[s]->choices[i];
    return NULL;
}

uint32_t discriminate_alternative(const struct choice_point *point, const char *name)
{
    for (uint32_t i = 0; i < CHOICE_ALTERNATIVES_MAX && point->alternatives[i]; i++)
        if (strcmp(point->alternatives[i], name) == 0)
            return i;
    return UINT32_MAX;
}

bool discriminate_is_met(const struct choice_point *point)
{
    for (size_t s = 0; s < sizeof sets / sizeof sets[0]; s++)
        if (point >= sets[s]->choices && point < sets[s]->choices + sets[s]->choice_count)
            return true;
    return false;
}

struct scenario *discriminate_parse(const struct discriminate *discriminate, bool backwards,
                                    struct gfe_error *error)
{
    const struct nv_chip *model = discriminate->question.model;
    const struct scenario_options options = {
        .priority_levels = cuda_priority_levels(model),
        .model = model,
    };
    char *text = discriminate_config_text(discriminate, backwards);
    struct scenario *scenario = NULL;

    if (text)
        scenario = scenario_parse(text, strlen(text), "the configuration", &options, error);
    else
        error_set_errno(error, ENOMEM, "the configuration");
    free(text);
    return scenario;
}

/* ---- otherwise ------------------------------------------------------------------------------- */

/* Static channels are never given back, so that a question about when they are has no answer. */
static bool is_moot(const struct choice_point *asked, const struct choice_point *point, uint32_t a)
{
    return strcmp(asked->id, "cuda.channel_free") == 0 &&
           strcmp(point->id, "cuda.channel_next") == 0 && a == CUDA_NEXT_STATIC;
}

/* The n-th alternative of another choice point that is not its default; false: there are not so
 * many, and *n is less by those that there are. */
static bool other_choice(const struct choice_point *asked, uint32_t *n,
                         struct simulation_setting *setting)
{
    for (size_t s = 0; s < sizeof others / sizeof others[0]; s++)
        for (uint32_t i = 0; i < others[s]->choice_count; i++) {
            const struct choice_point *point = &others[s]->choices[i];

            for (uint32_t a = 0; a < CHOICE_ALTERNATIVES_MAX && point->alternatives[a]; a++) {
                if (point == asked || a == point->default_index || is_moot(asked, point, a))
                    continue;
                if (*n == 0) {
                    *setting = (struct simulation_setting){point->id, point->alternatives[a]};
                    return true;
                }
                (*n)--;
            }
        }
    return false;
}

uint32_t discriminate_noise_count(const struct discriminate *discriminate)
{
    struct simulation_setting setting;
    uint32_t left = UINT32_MAX;

    (void)other_choice(discriminate->question.point, &left, &setting);
    return TIMES + (UINT32_MAX - left);
}

/* A machine that writes its log through the writer. */
static struct simulation *simulation_of(const struct discriminate *discriminate,
                                        const struct scenario *scenario, uint32_t side,
                                        struct discriminate_variant variant,
                                        struct chunk_writer *writer, struct gfe_error *error)
{
    const struct discriminate_question *question = &discriminate->question;
    struct simulation_setting choices[2] = {
        {question->point->id, question->point->alternatives[question->alternatives[side]]}};
    const bool other_times = variant.noise > 0 && variant.noise < TIMES;
    uint32_t other = variant.noise - TIMES;
    const bool otherwise =
        variant.noise >= TIMES && other_choice(question->point, &other, &choices[1]);
    const struct simulation_options options = {
        .gpu = question->model->name,
        .described = question->described,
        .seed = variant.seed,
        .log = writer,
        .choices = choices,
        .choice_count = otherwise ? 2 : 1,
        .parameters = times[other_times ? variant.noise : 0],
        .parameter_count = other_times ? TIME_PARAMETERS : 0,
    };

    return simulation_new_scenario(scenario, &options, error);
}

static bool simulate(struct simulation *simulation, const struct scenario *scenario,
                     struct chunk_writer *writer, struct gfe_error *error)
{
    return simulation_log_head(simulation, scenario->hash, error) &&
           simulation_run(simulation, GFE_PS_NEVER, error) &&
           simulation_log_end(simulation, error) && chunk_writer_finish(writer, error);
}

/* ---- without a log --------------------------------------------------------------------------- */

/* The result files, read back; false with a message.  *complete: they have all of the scenario, and
 * no order in it hangs on some microseconds. */
static bool results_read(const struct discriminate *discriminate, struct show_examiner_live *live,
                         bool backwards, struct examiner_result **results, bool *complete,
                         struct gfe_error *error)
{
    const struct discriminate_scenario *scenario = &discriminate->scenario;
    char says[160];

    *complete = show_examiner_live_closest(live) >= DISCRIMINATE_CLOSE_PS;
    for (uint32_t i = 0; i < scenario->stream_count; i++) {
        const uint32_t task = backwards ? scenario->stream_count - 1 - i : i;
        char *text =
            show_examiner_live_text(live, task, discriminate->question.model->sm_count, error);

        if (text)
            results[i] = examiner_result_parse(text, strlen(text), "an emulated result", error);
        free(text);
        if (!results[i])
            return false;
        *complete = *complete && discriminate_fits(scenario, i, results[i], says, sizeof says);
    }
    return true;
}

static bool outcome_read(const struct discriminate *discriminate, struct show_examiner_live *live,
                         bool backwards, struct discriminate_outcome *outcome, bool *complete,
                         struct gfe_error *error)
{
    struct examiner_result *results[DISCRIMINATE_KERNELS_MAX] = {NULL};
    bool good = results_read(discriminate, live, backwards, results, complete, error);

    if (good && *complete) {
        outcome->values = discriminate_take(&discriminate->scenario, results, error);
        good = outcome->values != NULL;
    }
    for (uint32_t i = 0; i < DISCRIMINATE_KERNELS_MAX; i++)
        examiner_result_free(results[i]);
    return good;
}

bool discriminate_run(struct discriminate *discriminate, const struct scenario *scenario,
                      uint32_t side, struct discriminate_variant variant,
                      struct discriminate_outcome *outcome, bool *complete, bool *drew,
                      struct gfe_error *error)
{
    struct show_examiner_live *live = show_examiner_live_new("an emulated run", error);
    struct chunk_writer *writer = live ? chunk_writer_new(-1, "an emulated run", error) : NULL;
    struct simulation *simulation =
        writer ? simulation_of(discriminate, scenario, side, variant, writer, error) : NULL;
    bool good = false;

    outcome->values = NULL;
    discriminate->simulation_count++;
    if (simulation) {
        const uint64_t random = simulation->machine->random->state;

        chunk_writer_observe(writer, show_examiner_live_chunk, live);
        good = simulate(simulation, scenario, writer, error);
        *drew = simulation->machine->random->state != random;
    }
    simulation_free(simulation);
    chunk_writer_free(writer);
    good = good && outcome_read(discriminate, live, variant.backwards, outcome, complete, error);
    show_examiner_live_free(live);
    return good;
}

/* ---- with a log ------------------------------------------------------------------------------ */

struct event_log_reader *discriminate_log(const struct discriminate *discriminate,
                                          const struct scenario *scenario, uint32_t side,
                                          struct gfe_error *error)
{
    static const char name[] = "the log of an emulated run";
    const struct discriminate_variant plain = {discriminate->question.seed, 0, false};
    const int fd = memfd_create("log", MFD_CLOEXEC);
    struct chunk_writer *writer = NULL;
    struct simulation *simulation = NULL;
    bool good = false;

    if (fd < 0)
        error_set_errno(error, errno, "%s", name);
    else
        writer = chunk_writer_new(fd, name, error);
    if (writer)
        simulation = simulation_of(discriminate, scenario, side, plain, writer, error);
    if (simulation)
        good = simulate(simulation, scenario, writer, error);
    simulation_free(simulation);
    chunk_writer_free(writer);
    if (good && lseek(fd, 0, SEEK_SET) != 0)
        good = error_set_errno(error, errno, "%s", name);
    if (good)
        return event_log_open_fd(fd, name, error);
    if (fd >= 0)
        (void)close(fd);
    return NULL;
}

bool discriminate_write_results(const struct discriminate *discriminate, uint32_t side,
                                const char *directory, struct gfe_error *error)
{
    const struct show_examiner_options options = {.directory = directory,
                                                  .log_path = "-",
                                                  .sm_count =
                                                      discriminate->question.model->sm_count};
    struct scenario *scenario = discriminate_parse(discriminate, false, error);
    struct event_log_reader *log =
        scenario ? discriminate_log(discriminate, scenario, side, error) : NULL;
    uint64_t left_out;
    const bool good = log && show_examiner(log, &options, &left_out, error);

    event_log_close(log);
    scenario_free(scenario);
    return good;
}
