/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_space.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/faults/campaign_sample.h"
#include "emu/faults/campaign_stats.h"

/* ---- an experiment --------------------------------------------------------------------------- */

/* A part's sets turn fastest from the last part on; in a set the faults are in the part's order. */
static void stratum_faults(const struct campaign_stratum *stratum, campaign_wide index,
                           char text[INJECT_SET_MAX])
{
    uint64_t things[INJECT_FAULTS_MAX];
    campaign_wide after = stratum->size;
    size_t at = 0;

    for (uint32_t p = 0; p < stratum->part_count; p++) {
        const struct campaign_part *part = &stratum->parts[p];

        after /= part->size;
        campaign_set(part->faults, part->count, index / after, things);
        index %= after;
        for (uint32_t i = part->count; i > 0; i--) {
            if (at > 0) {
                memcpy(text + at, "; ", 2);
                at += 2;
            }
            campaign_part_fault(part, things[i - 1], text + at);
            at += strlen(text + at);
        }
    }
}

uint32_t campaign_space_fault(const struct campaign_space *space, uint64_t i,
                              char text[INJECT_SET_MAX])
{
    uint32_t stratum = 0;
    campaign_wide index = i;

    if (space->plan->size == CAMPAIGN_EXHAUSTIVE) {
        for (; index >= space->strata[stratum].size; stratum++)
            index -= space->strata[stratum].size;
    } else {
        stratum = campaign_draws_at(&space->draws, i, &index);
    }
    stratum_faults(&space->strata[stratum], index, text);
    return stratum;
}

/* ---- labels ---------------------------------------------------------------------------------- */

/* Adds a word to a label, "2x word" of two. */
static void label_add(char label[CAMPAIGN_LABEL_BYTES], uint32_t count, const char *word)
{
    const size_t at = strlen(label);
    char times[16] = "";

    if (count > 1)
        (void)snprintf(times, sizeof times, "%" PRIu32 "x ", count);
    (void)snprintf(label + at, CAMPAIGN_LABEL_BYTES - at, "%s%s%s", at > 0 ? " + " : "", times,
                   word);
}

static bool has_unit(const struct campaign_stratum *stratum, uint32_t parts, const char *unit)
{
    for (uint32_t p = 0; p < parts; p++)
        if (strcmp(stratum->parts[p].site->unit, unit) == 0)
            return true;
    return false;
}

void campaign_space_labels(const struct campaign_stratum *stratum, struct campaign_labels *labels)
{
    *labels = (struct campaign_labels){.unit = ""};
    for (uint32_t p = 0; p < stratum->part_count; p++) {
        const struct campaign_part *part = &stratum->parts[p];

        if (!has_unit(stratum, p, part->site->unit))
            label_add(labels->unit, 1, part->site->unit);
        label_add(labels->site, part->count, part->site->name);
        label_add(labels->model, 1, inject_model_name(part->model));
    }
}

/* ---- the space ------------------------------------------------------------------------------- */

/* Families that act together; of others itself. */
static uint32_t family_count(const struct campaign_entry *entry)
{
    return entry->together ? entry->together_count : 1;
}

static const struct campaign_entry *family_at(const struct campaign_entry *entry, uint32_t index)
{
    return entry->together ? &entry->together[index] : entry;
}

/* Choices of a model for each of its families, no more than are too many. */
static uint64_t model_choices(const struct campaign_entry *entry)
{
    uint64_t choices = 1;

    for (uint32_t f = 0; f < family_count(entry) && choices <= CAMPAIGN_STRATA_MAX; f++)
        choices *= family_at(entry, f)->models.count;
    return choices;
}

/* With the choice-th models of its families, those of the last turning fastest. */
static bool stratum_init(struct campaign_space *space, struct campaign_stratum *stratum,
                         uint64_t choice, struct gfe_error *error)
{
    const struct campaign_plan *plan = space->plan;
    const struct campaign_entry *entry = &plan->entries[stratum->entry_index];
    uint64_t after = model_choices(entry);
    bool comes = false;
    campaign_wide size = 1;

    for (uint32_t f = 0; f < family_count(entry); f++) {
        const struct campaign_entry *family = family_at(entry, f);
        struct campaign_part *part = &stratum->parts[stratum->part_count++];

        after /= family->models.count;
        *part = (struct campaign_part){
            .entry = family,
            .run = space->runs[stratum->program],
            .plan_path = plan->path,
            .program = plan->programs[stratum->program],
            .entry_index = stratum->entry_index,
            .together = entry->together ? f : CAMPAIGN_ALONE,
            .count = (uint32_t)family->count,
        };
        if (!campaign_part_init(part, family->models.texts[choice / after], error))
            return false;
        choice %= after;
        comes |= !part->may_never_come;
        size = size <= CAMPAIGN_WIDE_MAX / part->size ? size * part->size : CAMPAIGN_WIDE_MAX + 1;
    }
    if (!comes)
        return error_set(error, ERROR_INPUT,
                         "%s: faults[%" PRIu32
                         "]: each family has triggers that never come of themselves",
                         plan->path, stratum->entry_index);
    if (size > CAMPAIGN_WIDE_MAX - space->size)
        return error_set(error, ERROR_INPUT,
                         "%s: faults[%" PRIu32
                         "]: more than 2^126 combinations; give times or triggers",
                         plan->path, stratum->entry_index);
    stratum->size = size;
    space->size += size;
    return true;
}

static bool space_count(struct campaign_space *space, struct gfe_error *error)
{
    const struct campaign_plan *plan = space->plan;
    uint64_t count = 0;

    for (uint32_t e = 0; e < plan->entry_count; e++)
        count += model_choices(&plan->entries[e]) * plan->program_count;
    if (count > CAMPAIGN_STRATA_MAX)
        return error_set(error, ERROR_INPUT, "%s: more than %d programs x families x models",
                         plan->path, CAMPAIGN_STRATA_MAX);
    space->strata = calloc(count, sizeof *space->strata);
    return space->strata || error_set(error, ERROR_SYSTEM, "no memory for a campaign's faults");
}

static bool space_too_many(const struct campaign_space *space, campaign_wide experiments,
                           struct gfe_error *error)
{
    char text[CAMPAIGN_WIDE_BYTES];

    campaign_wide_text(experiments, text);
    return error_set(error, ERROR_INPUT,
                     "%s: %s experiments; give times, triggers or fewer samples", space->plan->path,
                     text);
}

/* How many are made: no more than there are. */
static bool space_experiments(struct campaign_space *space, struct gfe_error *error)
{
    const struct campaign_plan *plan = space->plan;
    campaign_wide wanted = plan->samples;

    if (plan->size == CAMPAIGN_MARGIN && space->size <= UINT64_MAX)
        wanted = campaign_sample_size((uint64_t)space->size, plan->margin_ppm,
                                      campaign_level(plan->confidence_ppm)->t_hundredths);
    if (plan->size == CAMPAIGN_EXHAUSTIVE || wanted > space->size)
        wanted = space->size;
    space->experiment_count = (uint64_t)wanted;
    return wanted <= CAMPAIGN_EXPERIMENTS_MAX || space_too_many(space, wanted, error);
}

static bool space_draws(struct campaign_space *space, const char *hash, struct gfe_error *error)
{
    campaign_wide *sizes = calloc(space->stratum_count, sizeof *sizes);
    bool good = sizes != NULL;

    for (uint32_t i = 0; good && i < space->stratum_count; i++)
        sizes[i] = space->strata[i].size;
    good = good &&
           campaign_draws_init(&space->draws, sizes, space->stratum_count, campaign_seed(hash));
    free(sizes);
    return good || error_set(error, ERROR_SYSTEM, "no memory for a campaign's faults");
}

bool campaign_space_init(struct campaign_space *space, const struct campaign_plan *plan,
                         struct campaign_run *const *runs, const char *hash,
                         struct gfe_error *error)
{
    *space = (struct campaign_space){.plan = plan, .runs = runs};
    if (!space_count(space, error))
        return false;
    for (uint32_t p = 0; p < plan->program_count; p++)
        for (uint32_t e = 0; e < plan->entry_count; e++)
            for (uint64_t m = 0; m < model_choices(&plan->entries[e]); m++) {
                struct campaign_stratum *stratum = &space->strata[space->stratum_count++];

                stratum->program = p;
                stratum->entry_index = e;
                if (!stratum_init(space, stratum, m, error))
                    return false;
            }
    return space_experiments(space, error) &&
           (plan->size == CAMPAIGN_EXHAUSTIVE || space_draws(space, hash, error));
}

void campaign_space_fini(struct campaign_space *space)
{
    for (uint32_t i = 0; i < space->stratum_count; i++)
        for (uint32_t p = 0; p < space->strata[i].part_count; p++)
            campaign_part_fini(&space->strata[i].parts[p]);
    free(space->strata);
    campaign_draws_fini(&space->draws);
    *space = (struct campaign_space){0};
}
