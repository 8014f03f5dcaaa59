/* SPDX-License-Identifier: MIT */
#include <config.h>

#include "emu/faults/campaign_plan.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emu/sim/gpu_file.h"
#include "emu/base/args.h"
#include "emu/faults/campaign_stats.h"
#include "emu/faults/inject.h"
#include "emu/base/json_text.h"
#include "emu/base/input.h"

enum { PLAN_BYTES_MAX = 16 << 20, LIST_MAX = 1 << 16, NUMBER_BYTES = 24 };
#define RATE_UNIT       UINT64_C(1000000) /* millionths */
#define RATE_MAX        (UINT64_C(1000000000) * RATE_UNIT)
#define LATE_DEFAULT_PS (10000 * GFE_PS_PER_NS)

/* Where in the plan something stands, for messages. */
struct place {
    struct campaign_plan *plan;
    struct gfe_error *error;
    char text[96];
};

static __attribute__((format(printf, 2, 3))) bool wrong(const struct place *place,
                                                        const char *format, ...)
{
    char text[256];
    va_list arguments;

    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return error_set(place->error, ERROR_INPUT, "%s: %s%s%s", place->plan->path, place->text,
                     place->text[0] ? ": " : "", text);
}

static bool no_memory(const struct place *place)
{
    return error_set(place->error, ERROR_SYSTEM, "%s: no memory for the plan", place->plan->path);
}

static struct place place_in(const struct place *place, const char *key)
{
    struct place inside = {place->plan, place->error, ""};

    (void)snprintf(inside.text, sizeof inside.text, "%.60s%s%.30s", place->text,
                   place->text[0] ? "." : "", key);
    return inside;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A string, or a number as text; NULL with a message. */
static char *value_text(const struct place *place, const json_t *value)
{
    char number[NUMBER_BYTES];
    char *text;

    if (json_is_integer(value))
        (void)snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (!json_is_string(value)) {
        (void)wrong(place, "text or a whole number is needed");
        return NULL;
    }
    text = strdup(json_is_string(value) ? json_string_value(value) : number);
    if (!text)
        (void)no_memory(place);
    return text;
}

static bool take_list(const struct place *place, const json_t *value, struct campaign_list *list)
{
    const size_t count = json_array_size(value);

    if (!json_is_array(value) || count == 0 || count > LIST_MAX)
        return wrong(place, "a list of 1 to %d is needed", LIST_MAX);
    list->texts = calloc(count, sizeof *list->texts);
    if (!list->texts)
        return no_memory(place);
    while (list->count < count) {
        list->texts[list->count] = value_text(place, json_array_get(value, list->count));
        if (!list->texts[list->count++])
            return false;
    }
    return true;
}

static bool take_string(const struct place *place, const json_t *value, const char **text)
{
    *text = json_string_value(value);
    return *text || wrong(place, "text is needed");
}

static bool take_number(const struct place *place, const json_t *value, uint64_t *number)
{
    if (json_is_integer(value) && json_integer_value(value) >= 0) {
        *number = (uint64_t)json_integer_value(value);
        return true;
    }
    return (json_is_string(value) && args_parse_number(json_string_value(value), number)) ||
           wrong(place, "a number from 0 on is needed");
}

/* "2.5" or 3, in millionths: at most six digits behind the point. */
static bool take_rate(const struct place *place, const json_t *value, uint64_t *rate)
{
    char *text = value_text(place, value);
    uint64_t figure = 0, unit = RATE_UNIT;
    const char *at = text;
    bool point = false;

    if (!text)
        return false;
    for (; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++)
        if (*at == '.')
            point = true;
        else if (unit > 0 && figure <= RATE_MAX) /* one more digit shows that it is too much */
            figure = point ? figure + (uint64_t)(*at - '0') * (unit /= 10)
                           : figure * 10 + (uint64_t)(*at - '0') * unit;
    *rate = *at == '\0' && figure <= RATE_MAX ? figure : 0;
    free(text);
    return *rate > 0 ||
           wrong(place, "a rate such as \"2.5\" is needed, above 0 and up to a billion");
}

static bool take_bool(const struct place *place, const json_t *value, bool *is_so)
{
    *is_so = json_is_true(value);
    return json_is_boolean(value) || wrong(place, "true or false is needed");
}

/* "2.5%" in ppm: at most four digits behind the point. */
static bool take_percent(const struct place *place, const json_t *value, uint32_t *ppm)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    uint64_t figure = 0, unit = 10000;
    bool point = false;
    const char *at;

    for (at = text; (*at >= '0' && *at <= '9') || (*at == '.' && !point); at++)
        if (*at == '.') {
            point = true;
        } else {
            figure = point ? figure + (uint64_t)(*at - '0') * (unit /= 10)
                           : figure * 10 + (uint64_t)(*at - '0') * unit;
            if (figure > CAMPAIGN_PPM)
                break;
        }
    *ppm = (uint32_t)figure;
    return (at > text && strcmp(at, "%") == 0 && figure > 0 && figure < CAMPAIGN_PPM) ||
           wrong(place, "a percentage such as \"1%%\" is needed");
}

static bool take_time(const struct place *place, const json_t *value, gfe_ps *time_ps)
{
    return (json_is_string(value) && args_parse_time(json_string_value(value), time_ps)) ||
           wrong(place, "a time such as \"10us\" is needed");
}

static bool take_settings(const struct place *place, json_t *value,
                          struct campaign_setting *settings, uint32_t *count)
{
    const char *key;
    json_t *member;

    if (!json_is_object(value) || json_object_size(value) > CAMPAIGN_SETTINGS_MAX)
        return wrong(place, "an object of at most %d names and values is needed",
                     CAMPAIGN_SETTINGS_MAX);
    json_object_foreach(value, key, member)
    {
        const struct place inside = place_in(place, key);
        struct campaign_setting *setting = &settings[(*count)++];

        setting->id = strdup(key);
        setting->value = value_text(&inside, member);
        if (!setting->value)
            return false;
        if (!setting->id)
            return no_memory(place);
    }
    return true;
}

static bool take_costs(const struct place *place, json_t *value)
{
    struct campaign_plan *plan = place->plan;
    const char *key;
    json_t *member;

    if (!json_is_object(value) || json_object_size(value) > CAMPAIGN_SETTINGS_MAX)
        return wrong(place, "an object of at most %d names and times is needed",
                     CAMPAIGN_SETTINGS_MAX);
    json_object_foreach(value, key, member)
    {
        const struct place inside = place_in(place, key);
        struct campaign_cost *cost = &plan->costs[plan->cost_count++];

        cost->name = strdup(key);
        if (!cost->name)
            return no_memory(place);
        if (!take_time(&inside, member, &cost->block_ps))
            return false;
    }
    return true;
}

/* ---- families of faults ---------------------------------------------------------------------- */

static bool take_words(const struct place *place, json_t *value, struct campaign_entry *entry)
{
    const struct place from = place_in(place, "from"), count = place_in(place, "count");

    if (!json_is_object(value) || json_object_size(value) != 2)
        return wrong(place, "{\"from\": \"vid:ADDRESS\", \"count\": WORDS} is needed");
    if (!take_string(&from, json_object_get(value, "from"), &entry->words_from) ||
        !take_number(&count, json_object_get(value, "count"), &entry->word_count))
        return false;
    return (entry->word_count > 0 && entry->word_count <= UINT32_MAX) ||
           wrong(&count, "1 to %" PRIu32 " words", UINT32_MAX);
}

static struct campaign_list *entry_list(struct campaign_entry *entry, const char *key)
{
    const struct {
        const char *key;
        struct campaign_list *list;
    } lists[] = {
        {"models", &entry->models}, {"fields", &entry->fields}, {"subjects", &entry->subjects},
        {"bits", &entry->bits},     {"values", &entry->values}, {"delays", &entry->delays},
        {"drops", &entry->drops},   {"pages", &entry->pages},   {"triggers", &entry->triggers},
    };

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        if (strcmp(lists[i].key, key) == 0)
            return lists[i].list;
    return NULL;
}

static bool take_member(const struct place *place, const char *key, json_t *value,
                        struct campaign_entry *entry)
{
    struct campaign_list *list = entry_list(entry, key);

    if (list)
        return take_list(place, value, list);
    if (strcmp(key, "site") == 0)
        return take_string(place, value, &entry->site);
    if (strcmp(key, "words") == 0)
        return take_words(place, value, entry);
    if (strcmp(key, "times") == 0)
        return take_number(place, value, &entry->times) &&
               (entry->times > 0 || wrong(place, "1 or more are needed"));
    if (strcmp(key, "rate") == 0)
        return take_rate(place, value, &entry->rate);
    if (strcmp(key, "count") == 0)
        return take_number(place, value, &entry->count) &&
               ((entry->count > 0 && entry->count <= INJECT_FAULTS_MAX) ||
                wrong(place, "1 to %d faults can act together", INJECT_FAULTS_MAX));
    return wrong(place, "no family of faults has that");
}

static bool take_family(const struct place *place, json_t *value, struct campaign_entry *entry)
{
    const char *key;
    json_t *member;

    if (!json_is_object(value))
        return wrong(place, "an object is needed");
    entry->count = 1;
    json_object_foreach(value, key, member)
    {
        const struct place inside = place_in(place, key);

        if (!take_member(&inside, key, member, entry))
            return false;
    }
    if (!entry->site || entry->models.count == 0)
        return wrong(place, "%s is missing", entry->site ? "models" : "site");
    if (entry->times > 0 && entry->triggers.count > 0)
        return wrong(place, "times and triggers exclude each other");
    return !(entry->words_from && entry->subjects.count > 0) ||
           wrong(place, "words and subjects exclude each other");
}

/* The index-th object in a list. */
static struct place place_at(const struct place *place, const char *list, uint32_t index)
{
    struct place inside = {place->plan, place->error, ""};

    (void)snprintf(inside.text, sizeof inside.text, "%.60s%s%s[%" PRIu32 "]", place->text,
                   place->text[0] ? "." : "", list, index);
    return inside;
}

static bool take_together(const struct place *place, const json_t *value,
                          struct campaign_entry *entry)
{
    const struct place list = place_in(place, "together");
    const size_t count = json_array_size(json_object_get(value, "together"));
    const json_t *rate = json_object_get(value, "rate");
    const struct place rate_place = place_in(place, "rate");
    uint64_t faults = 0;

    if (json_object_size(value) != (rate ? 2 : 1))
        return wrong(place, "together stands alone: other members are those of its families");
    if (rate && !take_rate(&rate_place, rate, &entry->rate))
        return false;
    if (count < 2 || count > INJECT_FAULTS_MAX)
        return wrong(&list, "a list of 2 to %d families is needed", INJECT_FAULTS_MAX);
    entry->together = calloc(count, sizeof *entry->together);
    if (!entry->together)
        return no_memory(place);
    while (entry->together_count < count) {
        const uint32_t i = entry->together_count++;
        const struct place inside = place_at(place, "together", i);

        if (!take_family(&inside, json_array_get(json_object_get(value, "together"), i),
                         &entry->together[i]))
            return false;
        if (entry->together[i].rate > 0)
            return wrong(&inside, "the rate is that of the families together: beside the list");
        faults += entry->together[i].count;
    }
    return faults <= INJECT_FAULTS_MAX ||
           wrong(&list, "%" PRIu64 " faults: at most %d can act together", faults,
                 INJECT_FAULTS_MAX);
}

static bool take_entry(const struct place *place, json_t *value, struct campaign_entry *entry)
{
    return json_object_get(value, "together") ? take_together(place, value, entry)
                                              : take_family(place, value, entry);
}

static bool take_entries(const struct place *place, const json_t *value)
{
    struct campaign_plan *plan = place->plan;
    const size_t count = json_array_size(value);

    if (!json_is_array(value) || count == 0 || count > CAMPAIGN_ENTRIES_MAX)
        return wrong(place, "a list of 1 to %d objects is needed", CAMPAIGN_ENTRIES_MAX);
    plan->entries = calloc(count, sizeof *plan->entries);
    if (!plan->entries)
        return no_memory(place);
    while (plan->entry_count < count) {
        const struct place top = {plan, place->error, ""};
        const uint32_t i = plan->entry_count++;
        const struct place inside = place_at(&top, "faults", i);

        if (!take_entry(&inside, json_array_get(value, i), &plan->entries[i]))
            return false;
    }
    return true;
}

/* ---- the plan -------------------------------------------------------------------------------- */

/* From where the user is: the plan's folder and the path, unless that begins at the root. */
static char *program_path(const char *plan, const char *path)
{
    const char *slash = strrchr(plan, '/');
    const size_t folder = slash && path[0] != '/' ? (size_t)(slash - plan) + 1 : 0;
    char *text = malloc(folder + strlen(path) + 1);

    if (text) {
        memcpy(text, plan, folder);
        memcpy(text + folder, path, strlen(path) + 1);
    }
    return text;
}

static bool take_programs(const struct place *place, const json_t *value)
{
    struct campaign_plan *plan = place->plan;

    if (!json_is_array(value) || json_array_size(value) == 0 ||
        json_array_size(value) > CAMPAIGN_PROGRAMS_MAX)
        return wrong(place, "a list of 1 to %d paths is needed", CAMPAIGN_PROGRAMS_MAX);
    while (plan->program_count < json_array_size(value)) {
        const char *path = json_string_value(json_array_get(value, plan->program_count));

        if (!path)
            return wrong(place, "a path is needed");
        plan->programs[plan->program_count] = program_path(plan->path, path);
        if (!plan->programs[plan->program_count++])
            return no_memory(place);
    }
    return true;
}

static bool take_margin(const struct place *place, const json_t *value)
{
    place->plan->size = CAMPAIGN_MARGIN;
    return take_percent(place, value, &place->plan->margin_ppm);
}

static bool take_confidence(const struct place *place, const json_t *value)
{
    return take_percent(place, value, &place->plan->confidence_ppm) &&
           (campaign_level(place->plan->confidence_ppm) ||
            wrong(place, "90, 95, 98, 99, 99.5, 99.8 or 99.9 %% is needed"));
}

static bool take_samples(const struct place *place, const json_t *value)
{
    return take_number(place, value, &place->plan->samples) &&
           ((place->plan->samples > 0 && place->plan->samples <= INT64_MAX) ||
            wrong(place, "1 or more are needed"));
}

static bool take_exhaustive(const struct place *place, const json_t *value)
{
    bool is_so;

    if (!take_bool(place, value, &is_so))
        return false;
    if (is_so)
        place->plan->size = CAMPAIGN_EXHAUSTIVE;
    return true;
}

static bool take_boundary(const struct place *place, const json_t *value)
{
    return (json_is_string(value) &&
            outcome_boundary_parse(json_string_value(value), &place->plan->isolation.boundary)) ||
           wrong(place, "context, process or tenant is needed");
}

static bool take_tenants(const struct place *place, const json_t *value)
{
    if (!json_is_array(value) || json_array_size(value) == 0)
        return wrong(place, "a list of lists of channels or queues is needed");
    for (uint32_t t = 0; t < json_array_size(value); t++) {
        const json_t *holders = json_array_get(value, t);

        if (!json_is_array(holders) || json_array_size(holders) == 0)
            return wrong(place, "a list of lists of channels or queues is needed");
        for (uint32_t i = 0; i < json_array_size(holders); i++) {
            uint64_t holder;

            if (!take_number(place, json_array_get(holders, i), &holder))
                return false;
            if (!outcome_tenant_add(&place->plan->isolation, holder, t + 1))
                return wrong(place, "at most %d channels or queues can be given to tenants",
                             OUTCOME_TENANTS_MAX);
        }
    }
    return true;
}

static bool plan_member(const struct place *place, const char *key, json_t *value)
{
    struct campaign_plan *plan = place->plan;

    if (strcmp(key, "programs") == 0)
        return take_programs(place, value);
    if (strcmp(key, "gpu") == 0)
        return take_string(place, value, &plan->gpu) &&
               (!gpu_file_is(plan->gpu) ||
                wrong(place, "a campaign runs on a built-in GPU, not on one in a file"));
    if (strcmp(key, "seed") == 0)
        return take_number(place, value, &plan->seed);
    if (strcmp(key, "owner") == 0)
        return take_number(place, value, &plan->owner);
    if (strcmp(key, "open_loop") == 0)
        return take_bool(place, value, &plan->open_loop);
    if (strcmp(key, "early_stop") == 0)
        return take_bool(place, value, &plan->early_stop);
    if (strcmp(key, "prune") == 0)
        return take_bool(place, value, &plan->prune);
    if (strcmp(key, "late") == 0)
        return take_time(place, value, &plan->late_ps);
    if (strcmp(key, "policies") == 0)
        return take_settings(place, value, plan->policies, &plan->policy_count);
    if (strcmp(key, "parameters") == 0)
        return take_settings(place, value, plan->parameters, &plan->parameter_count);
    if (strcmp(key, "costs") == 0)
        return take_costs(place, value);
    if (strcmp(key, "faults") == 0)
        return take_entries(place, value);
    if (strcmp(key, "samples") == 0)
        return take_samples(place, value);
    if (strcmp(key, "margin") == 0)
        return take_margin(place, value);
    if (strcmp(key, "confidence") == 0)
        return take_confidence(place, value);
    if (strcmp(key, "exhaustive") == 0)
        return take_exhaustive(place, value);
    if (strcmp(key, "boundary") == 0)
        return take_boundary(place, value);
    if (strcmp(key, "tenants") == 0)
        return take_tenants(place, value);
    return wrong(place, "no plan has that");
}

/* Either all families have rates, or none has. */
static bool plan_rates(const struct place *place)
{
    struct campaign_plan *plan = place->plan;
    uint32_t given = 0;

    for (uint32_t i = 0; i < plan->entry_count; i++)
        given += plan->entries[i].rate > 0;
    plan->has_rates = given > 0;
    return given == 0 || given == plan->entry_count ||
           wrong(place, "%" PRIu32 " of %" PRIu32 " families have a rate: all need one, or none",
                 given, plan->entry_count);
}

static bool plan_is_whole(const struct place *place)
{
    struct campaign_plan *plan = place->plan;
    const int sizes =
        (plan->samples > 0) + (plan->margin_ppm > 0) + (plan->size == CAMPAIGN_EXHAUSTIVE);

    if (plan->program_count == 0 || plan->entry_count == 0)
        return wrong(place, "%s is missing", plan->entry_count ? "programs" : "faults");
    if (sizes != 1)
        return wrong(place, "one of samples, margin and exhaustive is needed");
    if (!plan_rates(place))
        return false;
    if (plan->early_stop && plan->size != CAMPAIGN_MARGIN)
        return wrong(place, "early_stop needs a margin");
    if (plan->size == CAMPAIGN_MARGIN)
        plan->samples = campaign_sample_size(0, plan->margin_ppm,
                                             campaign_level(plan->confidence_ppm)->t_hundredths);
    return true;
}

static bool plan_take(struct campaign_plan *plan, struct gfe_error *error)
{
    const struct place top = {plan, error, ""};
    const char *key;
    json_t *value;

    if (!json_is_object(plan->json))
        return wrong(&top, "a plan is a JSON object");
    json_object_foreach(plan->json, key, value)
    {
        const struct place inside = place_in(&top, key);

        if (!plan_member(&inside, key, value))
            return false;
    }
    plan->canonical = json_text(plan->json, JSON_COMPACT | JSON_SORT_KEYS);
    return plan->canonical ? plan_is_whole(&top) : no_memory(&top);
}

/* What is given elsewhere takes the place of what stands in the plan. */
static bool plan_resize(json_t *json, const struct campaign_sizes *sizes)
{
    static const char *const names[] = {"samples", "margin", "exhaustive"};

    if (!sizes || !json_is_object(json))
        return true;
    if (sizes->samples || sizes->margin)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            (void)json_object_del(json, names[i]);
    return (!sizes->samples ||
            json_object_set_new(json, "samples", json_string(sizes->samples)) == 0) &&
           (!sizes->margin ||
            json_object_set_new(json, "margin", json_string(sizes->margin)) == 0) &&
           (!sizes->confidence ||
            json_object_set_new(json, "confidence", json_string(sizes->confidence)) == 0);
}

static struct campaign_plan *plan_parse(const char *text, size_t bytes, const char *path,
                                        const struct campaign_sizes *sizes, struct gfe_error *error)
{
    struct campaign_plan *plan = calloc(1, sizeof *plan);
    json_error_t cause;

    if (plan)
        plan->path = strdup(path);
    if (!plan || !plan->path) {
        free(plan);
        error_set(error, ERROR_SYSTEM, "%s: no memory for the plan", path);
        return NULL;
    }
    plan->owner = UINT64_MAX;
    plan->prune = true;
    plan->isolation = outcome_isolation_default;
    plan->late_ps = LATE_DEFAULT_PS;
    plan->confidence_ppm = 950000;
    plan->json = json_text_load(text, bytes, JSON_REJECT_DUPLICATES, &cause);
    if (!plan->json)
        error_set(error, ERROR_INPUT, "%s:%d: %s", path, cause.line, cause.text);
    if (plan->json && !plan_resize(plan->json, sizes))
        error_set(error, ERROR_SYSTEM, "%s: no memory for the plan", path);
    else if (plan->json && plan_take(plan, error))
        return plan;
    campaign_plan_free(plan);
    return NULL;
}

struct campaign_plan *campaign_plan_parse(const char *text, size_t bytes, const char *path,
                                          struct gfe_error *error)
{
    return plan_parse(text, bytes, path, NULL, error);
}

struct campaign_plan *campaign_plan_load(const char *path, const struct campaign_sizes *sizes,
                                         struct gfe_error *error)
{
    size_t bytes;
    char *text = input_load(path, input_fixed(PLAN_BYTES_MAX), &bytes, error);
    struct campaign_plan *plan = text ? plan_parse(text, bytes, path, sizes, error) : NULL;

    free(text);
    return plan;
}

static void list_free(struct campaign_list *list)
{
    for (uint32_t i = 0; i < list->count; i++)
        free(list->texts[i]);
    free(list->texts);
}

static void entry_free(struct campaign_entry *entry)
{
    static const char *const lists[] = {"models", "fields", "subjects", "bits",    "values",
                                        "delays", "drops",  "pages",    "triggers"};

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++)
        list_free(entry_list(entry, lists[i]));
}

uint32_t campaign_plan_faults(const struct campaign_plan *plan)
{
    uint64_t most = 0;

    for (uint32_t i = 0; i < plan->entry_count; i++) {
        const struct campaign_entry *entry = &plan->entries[i];
        uint64_t count = entry->together ? 0 : entry->count;

        for (uint32_t k = 0; k < entry->together_count; k++)
            count += entry->together[k].count;
        most = count > most ? count : most;
    }
    return (uint32_t)most;
}

void campaign_plan_free(struct campaign_plan *plan)
{
    if (!plan)
        return;
    for (uint32_t i = 0; i < plan->entry_count; i++) {
        for (uint32_t k = 0; k < plan->entries[i].together_count; k++)
            entry_free(&plan->entries[i].together[k]);
        free(plan->entries[i].together);
        entry_free(&plan->entries[i]);
    }
    for (uint32_t i = 0; i < CAMPAIGN_SETTINGS_MAX; i++) {
        free(plan->policies[i].id);
        free(plan->policies[i].value);
        free(plan->parameters[i].id);
        free(plan->parameters[i].value);
        free(plan->costs[i].name);
    }
    for (uint32_t i = 0; i < plan->program_count; i++)
        free(plan->programs[i]);
    free(plan->entries);
    free(plan->canonical);
    free(plan->path);
    json_decref(plan->json);
    free(plan);
}
