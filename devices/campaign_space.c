/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "devices/campaign_space.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "devices/campaign_condition.h"
#include "emu/args.h"
#include "emu/campaign_sample.h"

enum { WORD_BYTES = 4 };
#define SPACE_MAX (UINT64_C(1) << 62)

static __attribute__((format(printf, 4, 5))) bool wrong(const struct campaign_space *space,
                                                        const struct campaign_stratum *stratum,
                                                        struct gfe_error *error,
                                                        const char *format, ...)
{
    char text[300];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(error, ERROR_INPUT, "%s: faults[%" PRIu32 "]: %s", space->plan->path,
                     stratum->entry_index, text);
}

/* ---- dimensions ------------------------------------------------------------------------------ */

static bool takes_bits(enum inject_model model)
{
    return model == INJECT_FLIP || model == INJECT_STUCK_0 || model == INJECT_STUCK_1;
}

static const struct campaign_list *arguments_of(const struct campaign_stratum *stratum)
{
    switch (stratum->model) {
    case INJECT_VALUE:
        return &stratum->entry->values;
    case INJECT_DELAY:
        return &stratum->entry->delays;
    case INJECT_DROP:
        return &stratum->entry->drops;
    case INJECT_WRONG_PAGE:
        return &stratum->entry->pages;
    default:
        return NULL;
    }
}

/* Width of a named field, 0: there is none of that name; of the whole site with NULL. */
static uint32_t field_bits(const struct campaign_stratum *stratum, const char *name)
{
    if (!name)
        return 8 * stratum->site->bytes;
    for (const struct inject_field *field = inject_fields(stratum->site, stratum->machine);
         field && field->name; field++)
        if (strcmp(field->name, name) == 0)
            return field->high - field->low + 1;
    return 0;
}

/* Bits or arguments that a fault can have at a field. */
static uint64_t field_positions(const struct campaign_stratum *stratum, const char *name)
{
    const struct campaign_entry *entry = stratum->entry;
    const struct campaign_list *arguments = arguments_of(stratum);

    if (takes_bits(stratum->model))
        return entry->bits.count > 0 ? entry->bits.count : field_bits(stratum, name);
    return arguments && arguments->count > 0 ? arguments->count : 1;
}

static bool count_positions(const struct campaign_space *space, struct campaign_stratum *stratum,
                            struct gfe_error *error)
{
    const struct campaign_list *fields = &stratum->entry->fields;

    if (fields->count == 0)
        stratum->positions = field_positions(stratum, NULL);
    for (uint32_t i = 0; i < fields->count; i++) {
        if (field_bits(stratum, fields->texts[i]) == 0)
            return wrong(space, stratum, error, "%s has no field '%.60s'", stratum->site->name,
                         fields->texts[i]);
        stratum->positions += field_positions(stratum, fields->texts[i]);
    }
    return stratum->positions > 0 ||
           wrong(space, stratum, error, "%s has no contents for '%s'", stratum->site->name,
                 inject_model_name(stratum->model));
}

static uint64_t subject_count(const struct campaign_entry *entry)
{
    if (entry->words_from)
        return entry->word_count;
    return entry->subjects.count > 0 ? entry->subjects.count : 1;
}

static bool by_passage(const struct campaign_stratum *stratum)
{
    return stratum->site->place == INJECT_PASSAGE && stratum->model != INJECT_SPURIOUS &&
           stratum->entry->times == 0 && stratum->entry->triggers.count == 0;
}

static bool count_passages(const struct campaign_space *space, struct campaign_stratum *stratum,
                           struct gfe_error *error)
{
    const struct campaign_list *subjects = &stratum->entry->subjects;
    const uint32_t count = subjects->count > 0 ? subjects->count : 1;

    stratum->passages = calloc(count, sizeof *stratum->passages);
    if (!stratum->passages)
        return error_set(error, ERROR_SYSTEM, "no memory for a campaign's faults");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t subject = INJECT_ANY;

        if (subjects->count > 0 && !args_parse_number(subjects->texts[i], &subject))
            return wrong(space, stratum, error, "'%.60s' is no number of a %s", subjects->texts[i],
                         stratum->site->subject ? stratum->site->subject : "subject");
        stratum->passages[i] = campaign_run_passages(space->runs[stratum->program],
                                                     stratum->site_number, subject);
        if (stratum->passages[i] == 0)
            return wrong(space, stratum, error, "nothing passes %s%s%.60s in %.100s",
                         stratum->site->name, subjects->count ? ":" : "",
                         subjects->count ? subjects->texts[i] : "",
                         space->plan->programs[stratum->program]);
        stratum->size += stratum->passages[i] * stratum->positions;
    }
    return true;
}

static bool count_triggers(const struct campaign_space *space, struct campaign_stratum *stratum,
                           struct gfe_error *error)
{
    const struct campaign_entry *entry = stratum->entry;
    unsigned __int128 size;

    if (by_passage(stratum))
        return count_passages(space, stratum, error);
    stratum->triggers = entry->triggers.count > 0 ? entry->triggers.count
                        : entry->times > 0        ? entry->times
                                                  : space->runs[stratum->program]->end_ps + 1;
    size = (unsigned __int128)stratum->triggers * stratum->positions * subject_count(entry);
    if (size > SPACE_MAX)
        return wrong(space, stratum, error, "more than 2^62 faults");
    stratum->size = (uint64_t)size;
    return true;
}

/* ---- a fault as text ------------------------------------------------------------------------- */

/* " SITE.FIELD" and which bit or argument of it. */
static const char *text_field(const struct campaign_stratum *stratum, uint64_t *position)
{
    const struct campaign_list *fields = &stratum->entry->fields;

    for (uint32_t i = 0; i < fields->count; i++) {
        const uint64_t here = field_positions(stratum, fields->texts[i]);

        if (*position < here)
            return fields->texts[i];
        *position -= here;
    }
    return NULL;
}

static void text_argument(const struct campaign_stratum *stratum, uint64_t position, char *text,
                          size_t bytes)
{
    const struct campaign_list *arguments = arguments_of(stratum);

    text[0] = '\0';
    if (takes_bits(stratum->model) && stratum->entry->bits.count > 0)
        (void)snprintf(text, bytes, "=%.40s", stratum->entry->bits.texts[position]);
    else if (takes_bits(stratum->model))
        (void)snprintf(text, bytes, "=%" PRIu64, position);
    else if (arguments && arguments->count > 0)
        (void)snprintf(text, bytes, "=%.40s", arguments->texts[position]);
}

/* The word'th one behind "vid:0x1000". */
static void text_word(const char *from, uint64_t word, char *text, size_t bytes)
{
    const char *colon = strchr(from, ':');
    uint64_t address = 0;

    if (colon && args_parse_number(colon + 1, &address))
        (void)snprintf(text, bytes, ":%.*s:0x%" PRIx64, (int)(colon - from), from,
                       address + word * WORD_BYTES);
    else
        (void)snprintf(text, bytes, ":%.60s", from);
}

static void text_subject(const struct campaign_stratum *stratum, uint64_t subject, char *text,
                         size_t bytes)
{
    const struct campaign_entry *entry = stratum->entry;

    text[0] = '\0';
    if (entry->words_from)
        text_word(entry->words_from, subject, text, bytes);
    else if (entry->subjects.count > 0)
        (void)snprintf(text, bytes, ":%.110s", entry->subjects.texts[subject]);
}

static void text_trigger(const struct campaign_space *space, const struct campaign_stratum *stratum,
                         uint64_t trigger, char *text, size_t bytes)
{
    const struct campaign_entry *entry = stratum->entry;
    const uint64_t end_ps = space->runs[stratum->program]->end_ps;

    if (by_passage(stratum))
        (void)snprintf(text, bytes, "@#%" PRIu64, trigger + 1);
    else if (entry->triggers.count > 0)
        (void)snprintf(text, bytes, "%.70s", entry->triggers.texts[trigger]);
    else if (entry->times > 0)
        (void)snprintf(text, bytes, "@%" PRIu64 "ps",
                       (uint64_t)((unsigned __int128)end_ps * (2 * trigger + 1) /
                                  (2 * entry->times)));
    else
        (void)snprintf(text, bytes, "@%" PRIu64 "ps", trigger);
}

/* The index-th fault of a stratum. */
static void stratum_fault(const struct campaign_space *space,
                          const struct campaign_stratum *stratum, uint64_t index,
                          char text[INJECT_TEXT_MAX])
{
    char subject[128], argument[48], trigger[72];
    uint64_t number = 0, position, triggers = stratum->triggers;
    const char *field;

    if (stratum->passages)
        for (; index >= stratum->passages[number] * stratum->positions; number++)
            index -= stratum->passages[number] * stratum->positions;
    else
        number = index / (triggers * stratum->positions);
    position = index % stratum->positions;
    index /= stratum->positions;
    text_trigger(space, stratum, stratum->passages ? index : index % triggers, trigger,
                 sizeof trigger);
    text_subject(stratum, number, subject, sizeof subject);
    field = text_field(stratum, &position);
    text_argument(stratum, position, argument, sizeof argument);
    (void)snprintf(text, INJECT_TEXT_MAX, "%.24s%s%.30s%.110s %s%.44s %.70s", stratum->site->name,
                   field ? "." : "", field ? field : "", subject,
                   inject_model_name(stratum->model), argument, trigger);
}

uint32_t campaign_space_fault(const struct campaign_space *space, uint64_t i,
                              char text[INJECT_TEXT_MAX])
{
    uint32_t stratum = 0;
    uint64_t index = i;

    if (space->plan->size == CAMPAIGN_EXHAUSTIVE) {
        for (; index >= space->strata[stratum].size; stratum++)
            index -= space->strata[stratum].size;
    } else {
        stratum = (uint32_t)(i % space->stratum_count);
        index = campaign_draw(space->seed, i, space->strata[stratum].size);
    }
    stratum_fault(space, &space->strata[stratum], index, text);
    return stratum;
}

/* ---- the space ------------------------------------------------------------------------------- */

static bool stratum_check_trigger(const struct campaign_space *space,
                                  const struct campaign_stratum *stratum,
                                  const struct inject_fault *fault, struct gfe_error *error)
{
    struct campaign_run *run = space->runs[stratum->program];
    const struct inject_trigger *trigger = &fault->trigger;

    if (trigger->when == INJECT_AT_TIME && trigger->time_ps > run->end_ps)
        return wrong(space, stratum, error, "'%.150s': the program ends before, at %" PRIu64 " ps",
                     fault->text, run->end_ps);
    if (trigger->when == INJECT_AT_EVENT && run->kinds[trigger->event_kind] < trigger->count)
        return wrong(space, stratum, error, "'%.150s': there are only %" PRIu64 " such events",
                     fault->text, run->kinds[trigger->event_kind]);
    if (trigger->when == INJECT_AT_RANDOM)
        return wrong(space, stratum, error, "'%.150s': samples are drawn by the plan", fault->text);
    if (!campaign_condition_learn(run, fault, error))
        return false;
    if (trigger->when == INJECT_AT_VALUE && campaign_run_start(run, fault) == UINT32_MAX)
        return wrong(space, stratum, error, "'%.150s': that never holds", fault->text);
    return trigger->when != INJECT_AT_PASSAGE || campaign_run_start(run, fault) != UINT32_MAX ||
           wrong(space, stratum, error, "'%.150s': so many do not pass", fault->text);
}

static bool stratum_check_fault(const struct campaign_space *space,
                                const struct campaign_stratum *stratum, uint64_t index,
                                struct gfe_error *error)
{
    const struct machine *machine = space->runs[stratum->program]->simulation.machine;
    char text[INJECT_TEXT_MAX];
    struct gfe_error cause = {0};
    struct inject_fault fault;

    stratum_fault(space, stratum, index, text);
    if (!inject_parse(machine, &machine->inject->sites, text, &fault, &cause))
        return wrong(space, stratum, error, "'%.150s': %s", text, cause.text);
    return stratum_check_trigger(space, stratum, &fault, error);
}

/* Do the faults mean something?  All of a stratum are made of the same lists: each subject, of words
 * the first and the last, is looked at with each trigger, bit and argument that are given. */
static bool stratum_check(const struct campaign_space *space,
                          const struct campaign_stratum *stratum, struct gfe_error *error)
{
    const uint64_t triggers = stratum->entry->triggers.count > 0 ? stratum->triggers : 1;
    const uint64_t each = stratum->positions * triggers;
    const uint64_t subjects = stratum->passages ? 1 : subject_count(stratum->entry);

    for (uint64_t subject = 0; subject < subjects; subject++) {
        if (stratum->entry->words_from && subject == 1)
            subject = subjects - 1;
        for (uint64_t i = 0; i < each; i++)
            if (!stratum_check_fault(space, stratum, subject * (stratum->size / subjects) + i,
                                     error))
                return false;
    }
    return true;
}

static bool stratum_init(struct campaign_space *space, struct campaign_stratum *stratum,
                         const char *model, struct gfe_error *error)
{
    const struct machine *machine = space->runs[stratum->program]->simulation.machine;
    const struct inject_sites *sites = &machine->inject->sites;
    uint32_t number = 0;

    stratum->machine = machine;
    stratum->site_number = inject_site_by_name(sites, stratum->entry->site);
    if (stratum->site_number == UINT32_MAX)
        return wrong(space, stratum, error, "no site is called '%.60s'; gfe inject --list has them",
                     stratum->entry->site);
    stratum->site = inject_site(sites, stratum->site_number);
    while (number < INJECT_MODELS &&
           strcmp(inject_model_name((enum inject_model)number), model) != 0)
        number++;
    if (number == INJECT_MODELS || !(stratum->site->models & INJECT_BIT(number)))
        return wrong(space, stratum, error, "%s cannot have '%.60s'; gfe inject --list says what it "
                     "can", stratum->site->name, model);
    stratum->model = (enum inject_model)number;
    if (!count_positions(space, stratum, error) || !count_triggers(space, stratum, error) ||
        !stratum_check(space, stratum, error))
        return false;
    if (space->size + stratum->size > SPACE_MAX)
        return wrong(space, stratum, error, "more than 2^62 faults");
    space->size += stratum->size;
    return true;
}

static bool space_count(struct campaign_space *space, struct gfe_error *error)
{
    const struct campaign_plan *plan = space->plan;
    uint64_t count = 0;

    for (uint32_t e = 0; e < plan->entry_count; e++)
        count += (uint64_t)plan->entries[e].models.count * plan->program_count;
    if (count > CAMPAIGN_STRATA_MAX)
        return error_set(error, ERROR_INPUT, "%s: more than %d programs x families x models",
                         plan->path, CAMPAIGN_STRATA_MAX);
    space->strata = calloc(count, sizeof *space->strata);
    return space->strata || error_set(error, ERROR_SYSTEM, "no memory for a campaign's faults");
}

bool campaign_space_init(struct campaign_space *space, const struct campaign_plan *plan,
                         struct campaign_run *const *runs, const char *hash,
                         struct gfe_error *error)
{
    *space = (struct campaign_space){.plan = plan, .runs = runs, .seed = campaign_seed(hash)};
    if (!space_count(space, error))
        return false;
    for (uint32_t p = 0; p < plan->program_count; p++)
        for (uint32_t e = 0; e < plan->entry_count; e++)
            for (uint32_t m = 0; m < plan->entries[e].models.count; m++) {
                struct campaign_stratum *stratum = &space->strata[space->stratum_count++];

                stratum->entry = &plan->entries[e];
                stratum->program = p;
                stratum->entry_index = e;
                if (!stratum_init(space, stratum, plan->entries[e].models.texts[m], error))
                    return false;
            }
    space->experiment_count = plan->size == CAMPAIGN_EXHAUSTIVE ? space->size : plan->samples;
    return space->experiment_count <= CAMPAIGN_EXPERIMENTS_MAX ||
           error_set(error, ERROR_INPUT, "%s: %" PRIu64 " experiments; give times, triggers or fewer "
                     "samples", plan->path, space->experiment_count);
}

void campaign_space_fini(struct campaign_space *space)
{
    for (uint32_t i = 0; i < space->stratum_count; i++)
        free(space->strata[i].passages);
    free(space->strata);
    *space = (struct campaign_space){0};
}
