/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "tests/campaign_pair.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct simulation_options options;

void campaign_pair_init(struct campaign_pair *pair, const char *file, const char *plan)
{
    const char *folder = getenv("top_srcdir");
    struct any_program subject = {0};
    struct gfe_error error = {0};
    char path[4096];

    (void)snprintf(path, sizeof path, "%s/tests/golden/%s", folder ? folder : "..", file);
    subject.input = pair->input = replay_load(path, &error);
    ck_assert_msg(pair->input != NULL, "%s", error.text);
    pair->plan = campaign_plan_parse(plan, strlen(plan), "plan", &error);
    ck_assert_msg(pair->plan != NULL, "%s", error.text);
    pair->runs[0] = &pair->run;
    ck_assert_msg(
        campaign_run_init(&pair->run, &subject, &options, pair->plan->late_ps, UINT64_MAX,
                          &error) &&
            inject_run_init(&pair->whole, &subject, &options, pair->plan->late_ps, &error) &&
            campaign_space_init(&pair->space, pair->plan, pair->runs, "00000000000000b7", &error),
        "%s", error.text);
}

void campaign_pair_fini(struct campaign_pair *pair)
{
    campaign_space_fini(&pair->space);
    campaign_plan_free(pair->plan);
    campaign_run_fini(&pair->run);
    inject_run_fini(&pair->whole);
    replay_input_free(pair->input);
}

static void same(const char *fault, const struct campaign_result *result,
                 const struct outcome *from_start)
{
    const struct outcome *a = &result->outcome, *b = from_start;

    ck_assert_msg(a->most == b->most && a->classes == b->classes, "%s: %s, not %s", fault,
                  outcome_class_name(a->most), outcome_class_name(b->most));
    ck_assert_msg(a->latency_ps == b->latency_ps && a->detected_by == b->detected_by &&
                      a->recovered == b->recovered,
                  "%s: detected otherwise", fault);
    ck_assert_msg(a->different == b->different && a->missing == b->missing &&
                      a->extra == b->extra && a->late == b->late && a->latest_ps == b->latest_ps,
                  "%s: other results", fault);
    ck_assert_msg(a->memory_words == b->memory_words && a->first_word == b->first_word,
                  "%s: other memory", fault);
    ck_assert_msg(a->victim_count == b->victim_count &&
                      memcmp(a->victims, b->victims, sizeof a->victims) == 0,
                  "%s: others are affected", fault);
}

void campaign_pair_make(struct campaign_pair *pair, const char *text,
                        struct campaign_result *result)
{
    struct inject_experiment experiment;
    const struct inject *inject;
    struct gfe_error error = {0};
    struct inject_fault faults[INJECT_FAULTS_MAX];
    struct outcome_owners owners;
    struct outcome outcome;
    uint64_t acted = 0;
    uint32_t count = 0, activated = 0;

    ck_assert_msg(inject_run_parse_set(&pair->whole, text, faults, &count, &error), "%s",
                  error.text);
    ck_assert_msg(
        campaign_run_make(&pair->run, faults, count, result, &error) &&
            inject_run_make(&pair->whole, faults, count, UINT64_MAX, &experiment, &outcome, &error),
        "%s: %s", text, error.text);
    same(text, result, &outcome);
    inject = experiment.simulation.machine->inject;
    for (uint32_t i = 0; i < count; i++) {
        acted += inject->state->faults[i].acted;
        activated += inject->state->faults[i].acted > 0;
    }
    ck_assert_msg(result->acted == acted && result->activated == activated,
                  "%s: %u acted, %llu times, not %u, %llu times", text, result->activated,
                  (unsigned long long)result->acted, activated, (unsigned long long)acted);
    ck_assert_msg(acted == 0 || result->first_ps == inject_run_acted_ps(inject),
                  "%s: it first acted at %llu ps", text, (unsigned long long)result->first_ps);
    owners = inject_run_owners(inject, UINT64_MAX);
    ck_assert_msg(result->owners.count == owners.count &&
                      memcmp(result->owners.who, owners.who, owners.count * sizeof owners.who[0]) ==
                          0,
                  "%s: others'", text);
    inject_experiment_fini(&experiment);
}
