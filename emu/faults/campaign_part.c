/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_part.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/faults/campaign_condition.h"
#include "emu/base/args.h"
#include "emu/faults/campaign_sample.h"

enum { WORD_BYTES = 4 };

static __attribute__((format(printf, 3, 4))) bool
part_wrong(const struct campaign_part *part, struct gfe_error *error, const char *format, ...)
{
    char text[300], together[32] = "";
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (part->together != CAMPAIGN_ALONE)
        (void)snprintf(together, sizeof together, ".together[%" PRIu32 "]", part->together);
    return error_set(error, ERROR_INPUT, "%s: faults[%" PRIu32 "]%s: %s", part->plan_path,
                     part->entry_index, together, text);
}

/* ---- dimensions ------------------------------------------------------------------------------ */

static bool takes_bits(enum inject_model model)
{
    return model == INJECT_FLIP || model == INJECT_STUCK_0 || model == INJECT_STUCK_1;
}

static const struct campaign_list *arguments_of(const struct campaign_part *part)
{
    switch (part->model) {
    case INJECT_VALUE:
        return &part->entry->values;
    case INJECT_DELAY:
        return &part->entry->delays;
    case INJECT_DROP:
        return &part->entry->drops;
    case INJECT_WRONG_PAGE:
        return &part->entry->pages;
    default:
        return NULL;
    }
}

/* Width of a named field, 0: there is none of that name; of the whole site with NULL. */
static uint32_t field_bits(const struct campaign_part *part, const char *name)
{
    if (!name)
        return 8 * part->site->bytes;
    for (const struct inject_field *field = inject_fields(part->site, part->machine);
         field && field->name; field++)
        if (strcmp(field->name, name) == 0)
            return field->high - field->low + 1;
    return 0;
}

/* Bits or arguments that a fault can have at a field. */
static uint64_t field_positions(const struct campaign_part *part, const char *name)
{
    const struct campaign_entry *entry = part->entry;
    const struct campaign_list *arguments = arguments_of(part);

    if (takes_bits(part->model))
        return entry->bits.count > 0 ? entry->bits.count : field_bits(part, name);
    return arguments && arguments->count > 0 ? arguments->count : 1;
}

static bool count_positions(struct campaign_part *part, struct gfe_error *error)
{
    const struct campaign_list *fields = &part->entry->fields;

    if (fields->count == 0)
        part->positions = field_positions(part, NULL);
    for (uint32_t i = 0; i < fields->count; i++) {
        if (field_bits(part, fields->texts[i]) == 0)
            return part_wrong(part, error, "%s has no field '%.60s'", part->site->name,
                              fields->texts[i]);
        part->positions += field_positions(part, fields->texts[i]);
    }
    return part->positions > 0 || part_wrong(part, error, "%s has no contents for '%s'",
                                             part->site->name, inject_model_name(part->model));
}

static uint64_t subject_count(const struct campaign_entry *entry)
{
    if (entry->words_from)
        return entry->word_count;
    return entry->subjects.count > 0 ? entry->subjects.count : 1;
}

static bool by_passage(const struct campaign_part *part)
{
    return part->site->place == INJECT_PASSAGE && part->model != INJECT_SPURIOUS &&
           part->entry->times == 0 && part->entry->triggers.count == 0;
}

static bool count_passages(struct campaign_part *part, struct gfe_error *error)
{
    const struct campaign_list *subjects = &part->entry->subjects;
    const uint32_t count = subjects->count > 0 ? subjects->count : 1;

    part->passages = calloc(count, sizeof *part->passages);
    if (!part->passages)
        return error_set(error, ERROR_SYSTEM, "no memory for a campaign's faults");
    for (uint32_t i = 0; i < count; i++) {
        uint64_t subject = INJECT_ANY;

        if (subjects->count > 0 && !args_parse_number(subjects->texts[i], &subject))
            return part_wrong(part, error, "'%.60s' is no number of a %s", subjects->texts[i],
                              part->site->subject ? part->site->subject : "subject");
        part->passages[i] = campaign_run_passages(part->run, part->site_number, subject);
        if (part->passages[i] == 0)
            return part_wrong(part, error, "nothing passes %s%s%.60s in %.100s", part->site->name,
                              subjects->count ? ":" : "", subjects->count ? subjects->texts[i] : "",
                              part->program);
        part->faults += part->passages[i] * part->positions;
    }
    return true;
}

static bool count_triggers(struct campaign_part *part, struct gfe_error *error)
{
    const struct campaign_entry *entry = part->entry;
    unsigned __int128 size;

    if (by_passage(part))
        return count_passages(part, error);
    part->triggers = entry->triggers.count > 0 ? entry->triggers.count
                     : entry->times > 0        ? entry->times
                                               : part->run->end_ps + 1;
    size = (unsigned __int128)part->triggers * part->positions * subject_count(entry);
    if (size > CAMPAIGN_FAULTS_MAX)
        return part_wrong(part, error, "more than 2^62 faults");
    part->faults = (uint64_t)size;
    return true;
}

/* ---- a fault as text ------------------------------------------------------------------------- */

/* " SITE.FIELD" and which bit or argument of it. */
static const char *text_field(const struct campaign_part *part, uint64_t *position)
{
    const struct campaign_list *fields = &part->entry->fields;

    for (uint32_t i = 0; i < fields->count; i++) {
        const uint64_t here = field_positions(part, fields->texts[i]);

        if (*position < here)
            return fields->texts[i];
        *position -= here;
    }
    return NULL;
}

static void text_argument(const struct campaign_part *part, uint64_t position, char *text,
                          size_t bytes)
{
    const struct campaign_list *arguments = arguments_of(part);

    text[0] = '\0';
    if (takes_bits(part->model) && part->entry->bits.count > 0)
        (void)snprintf(text, bytes, "=%.40s", part->entry->bits.texts[position]);
    else if (takes_bits(part->model))
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

static void text_subject(const struct campaign_part *part, uint64_t subject, char *text,
                         size_t bytes)
{
    const struct campaign_entry *entry = part->entry;

    text[0] = '\0';
    if (entry->words_from)
        text_word(entry->words_from, subject, text, bytes);
    else if (entry->subjects.count > 0)
        (void)snprintf(text, bytes, ":%.110s", entry->subjects.texts[subject]);
}

static void text_trigger(const struct campaign_part *part, uint64_t trigger, char *text,
                         size_t bytes)
{
    const struct campaign_entry *entry = part->entry;
    const uint64_t end_ps = part->run->end_ps;

    if (by_passage(part))
        (void)snprintf(text, bytes, "@#%" PRIu64, trigger + 1);
    else if (entry->triggers.count > 0)
        (void)snprintf(text, bytes, "%.70s", entry->triggers.texts[trigger]);
    else if (entry->times > 0)
        (void)snprintf(
            text, bytes, "@%" PRIu64 "ps",
            (uint64_t)((unsigned __int128)end_ps * (2 * trigger + 1) / (2 * entry->times)));
    else
        (void)snprintf(text, bytes, "@%" PRIu64 "ps", trigger);
}

void campaign_part_fault(const struct campaign_part *part, uint64_t index,
                         char text[INJECT_TEXT_MAX])
{
    char subject[128], argument[48], trigger[72];
    uint64_t number = 0, position, triggers = part->triggers;
    const char *field;

    if (part->passages)
        for (; index >= part->passages[number] * part->positions; number++)
            index -= part->passages[number] * part->positions;
    else
        number = index / (triggers * part->positions);
    position = index % part->positions;
    index /= part->positions;
    text_trigger(part, part->passages ? index : index % triggers, trigger, sizeof trigger);
    text_subject(part, number, subject, sizeof subject);
    field = text_field(part, &position);
    text_argument(part, position, argument, sizeof argument);
    (void)snprintf(text, INJECT_TEXT_MAX, "%.24s%s%.30s%.110s %s%.44s %.70s", part->site->name,
                   field ? "." : "", field ? field : "", subject, inject_model_name(part->model),
                   argument, trigger);
}

/* ---- what it must be ------------------------------------------------------------------------- */

/* A trigger that the run without faults does not have. */
static __attribute__((format(printf, 3, 4))) bool
check_missing(struct campaign_part *part, struct gfe_error *error, const char *format, ...)
{
    char text[300];
    va_list arguments;

    part->may_never_come = true;
    if (part->together != CAMPAIGN_ALONE)
        return true;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return part_wrong(part, error, "%s", text);
}

static bool check_trigger(struct campaign_part *part, const struct inject_fault *fault,
                          struct gfe_error *error)
{
    struct campaign_run *run = part->run;
    const struct inject_trigger *trigger = &fault->trigger;

    if (trigger->when == INJECT_AT_TIME && trigger->time_ps > run->end_ps)
        return check_missing(part, error, "'%.150s': the program ends before, at %" PRIu64 " ps",
                             fault->text, run->end_ps);
    if (trigger->when == INJECT_AT_EVENT && run->kinds[trigger->event_kind] < trigger->count)
        return check_missing(part, error, "'%.150s': there are only %" PRIu64 " such events",
                             fault->text, run->kinds[trigger->event_kind]);
    if (trigger->when == INJECT_AT_RANDOM)
        return part_wrong(part, error, "'%.150s': samples are drawn by the plan", fault->text);
    if (!campaign_condition_learn(run, fault, error))
        return false;
    if (trigger->when == INJECT_AT_VALUE && campaign_run_start(run, fault) == UINT32_MAX)
        return check_missing(part, error, "'%.150s': that never holds", fault->text);
    return trigger->when != INJECT_AT_PASSAGE || campaign_run_start(run, fault) != UINT32_MAX ||
           check_missing(part, error, "'%.150s': so many do not pass", fault->text);
}

static bool check_fault(struct campaign_part *part, uint64_t index, struct gfe_error *error)
{
    const struct machine *machine = part->run->simulation.machine;
    char text[INJECT_TEXT_MAX];
    struct gfe_error cause = {0};
    struct inject_fault fault;

    campaign_part_fault(part, index, text);
    if (!inject_parse(machine, &machine->inject->sites, text, &fault, &cause))
        return part_wrong(part, error, "'%.150s': %s", text, cause.text);
    return check_trigger(part, &fault, error);
}

/* Do the faults mean something?  All are made of the same lists: each subject, of words the first
 * and the last, is looked at with each trigger, bit and argument that are given. */
static bool part_check(struct campaign_part *part, struct gfe_error *error)
{
    const uint64_t triggers = part->entry->triggers.count > 0 ? part->triggers : 1;
    const uint64_t each = part->positions * triggers;
    const uint64_t subjects = part->passages ? 1 : subject_count(part->entry);

    for (uint64_t subject = 0; subject < subjects; subject++) {
        if (part->entry->words_from && subject == 1)
            subject = subjects - 1;
        for (uint64_t i = 0; i < each; i++)
            if (!check_fault(part, subject * (part->faults / subjects) + i, error))
                return false;
    }
    return true;
}

bool campaign_part_init(struct campaign_part *part, const char *model, struct gfe_error *error)
{
    const struct machine *machine = part->run->simulation.machine;
    const struct inject_sites *sites = &machine->inject->sites;
    uint32_t number = 0;

    part->machine = machine;
    part->site_number = inject_site_by_name(sites, part->entry->site);
    if (part->site_number == UINT32_MAX)
        return part_wrong(part, error, "no site is called '%.60s'; gfe inject --list has them",
                          part->entry->site);
    part->site = inject_site(sites, part->site_number);
    while (number < INJECT_MODELS &&
           strcmp(inject_model_name((enum inject_model)number), model) != 0)
        number++;
    if (number == INJECT_MODELS || !(part->site->models & INJECT_BIT(number)))
        return part_wrong(part, error, "%s cannot have '%.60s'; gfe inject --list says what it can",
                          part->site->name, model);
    part->model = (enum inject_model)number;
    if (!count_positions(part, error) || !count_triggers(part, error) || !part_check(part, error))
        return false;
    part->size = campaign_sets(part->faults, part->count);
    if (part->size == 0)
        return part_wrong(part, error, "there are not %" PRIu32 " different faults", part->count);
    return part->size <= CAMPAIGN_WIDE_MAX ||
           part_wrong(part, error,
                      "more than 2^126 sets of %" PRIu32 " faults; give times or triggers",
                      part->count);
}

void campaign_part_fini(struct campaign_part *part)
{
    free(part->passages);
    part->passages = NULL;
}
