/* SPDX-License-Identifier: MIT */
/* What gfe inject prints: sites, what faults did, and outcomes. */
#include <config.h>

#include "emu/program/cmd_inject.h"

#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "emu/base/json_text.h"
#include "emu/base/text.h"

enum {
    TIME_BYTES = 48,
    WHO_BYTES = 48,
    LIST_COLUMNS = 96,
    LIST_FIELDS_MAX = 40,
    LIST_FIELDS_FIRST = 12
};

/* ---- sites ----------------------------------------------------------------------------------- */

static void list_models(FILE *file, const struct inject_site *site)
{
    fputs("  models ", file);
    for (uint32_t model = 0; model < INJECT_MODELS; model++)
        if (site->models & INJECT_BIT(model))
            fprintf(file, " %s", inject_model_name((enum inject_model)model));
    fputc('\n', file);
}

/* Lists the fields of a site; of the hundreds of an MQD only the first ones. */
static void list_fields(FILE *file, const struct inject_site *site)
{
    uint32_t count = 0, listed;
    int column = 0;

    while (site->fields && site->fields[count].name)
        count++;
    listed = count > LIST_FIELDS_MAX ? LIST_FIELDS_FIRST : count;
    for (const struct inject_field *field = site->fields; listed-- > 0; field++) {
        if (column == 0 || column + (int)strlen(field->name) + 6 > LIST_COLUMNS)
            column = fprintf(file, "%s%s", column > 0 ? "\n" : "",
                             column > 0 ? "         " : "  fields ");
        column += fprintf(file, " .%s(%" PRIu32 ")", field->name, field->high - field->low + 1);
    }
    if (count > LIST_FIELDS_MAX)
        fprintf(file, "\n          and %" PRIu32 " more; --json lists all",
                count - LIST_FIELDS_FIRST);
    if (column > 0)
        fputc('\n', file);
}

static void list_site(FILE *file, const struct inject_site *site)
{
    fprintf(file, "\n%s%s%s\n", site->name, site->subject ? ":" : "",
            site->subject ? site->subject : "");
    fprintf(file, "  %s: %s", site->unit, site->doc);
    if (site->bytes > 0)
        fprintf(file, "; %" PRIu32 " bits", 8 * site->bytes);
    fputc('\n', file);
    list_fields(file, site);
    list_models(file, site);
}

void inject_list(FILE *file, const struct inject_vendor *vendors, uint32_t count)
{
    fputs("ANY GPU\n", file);
    for (uint32_t i = 0; i < INJECT_SITE_VENDOR; i++)
        list_site(file, inject_site(vendors[0].sites, i));
    for (uint32_t v = 0; v < count; v++) {
        fprintf(file, "\n%s\n", vendors[v].name);
        for (uint32_t i = 0; i < vendors[v].sites->count; i++)
            list_site(file, &vendors[v].sites->rows[i]);
    }
}

static json_t *site_json(const char *vendor, const struct inject_site *site)
{
    json_t *fields = json_array(), *models = json_array();

    for (const struct inject_field *field = site->fields; field && field->name; field++)
        fields = json_text_append(fields, json_pack("{ss,si,si}", "name", field->name, "high",
                                                    (int)field->high, "low", (int)field->low));
    for (uint32_t model = 0; model < INJECT_MODELS; model++)
        if (site->models & INJECT_BIT(model))
            models =
                json_text_append(models, json_string(inject_model_name((enum inject_model)model)));
    return json_text_pack("{ss,ss?,ss,ss,ss?,si,so,so}", "name", site->name, "vendor", vendor,
                          "unit", site->unit, "doc", site->doc, "subject", site->subject, "bits",
                          (int)(8 * site->bytes), "fields", fields, "models", models);
}

bool inject_list_json(FILE *file, const struct inject_vendor *vendors, uint32_t count)
{
    json_t *list = json_array();
    bool done = list != NULL;

    for (uint32_t i = 0; done && i < INJECT_SITE_VENDOR; i++)
        done = json_array_append_new(list, site_json(NULL, inject_site(vendors[0].sites, i))) == 0;
    for (uint32_t v = 0; v < count; v++)
        for (uint32_t i = 0; done && i < vendors[v].sites->count; i++)
            done = json_array_append_new(
                       list, site_json(vendors[v].name, &vendors[v].sites->rows[i])) == 0;
    done = done && json_text_print(file, list);
    json_decref(list);
    return done;
}

/* ---- faults ---------------------------------------------------------------------------------- */

static void print_fault(FILE *file, const struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    const struct inject_fault_state *state = &inject->state->faults[index];
    const struct inject_site *site = inject_site(&inject->sites, fault->site);
    char time[TIME_BYTES];

    fprintf(file, "fault      %s\n", fault->text);
    if (state->acted == 0) {
        fprintf(file, "           not activated");
        if (state->is_futile) {
            fputs(": changed nothing, it was so already\n", file);
            return;
        }
        if (site->place == INJECT_PASSAGE)
            fprintf(file, ": %" PRIu64 " passed there", state->passed);
        fputc('\n', file);
        return;
    }
    fprintf(file, "           acted first at %s", text_time(time, sizeof time, state->first_ps));
    if (state->acted > 1)
        fprintf(file, ", %" PRIu64 " times in all", state->acted);
    if (site->subject && site->place == INJECT_PASSAGE)
        fprintf(file, ", %s %" PRIu64, site->subject, state->subject);
    if (INJECT_BIT(fault->model) & INJECT_CHANGES)
        fprintf(file, ": 0x%" PRIx64 " -> 0x%" PRIx64, state->old_value, state->new_value);
    fputc('\n', file);
}

static void print_victims(FILE *file, const struct outcome *outcome)
{
    char who[WHO_BYTES];

    for (uint32_t i = 0; i < outcome->victim_count && i < OUTCOME_VICTIMS_MAX; i++) {
        const struct outcome_victim *victim = &outcome->victims[i];

        outcome_who(victim->who, who, sizeof who);
        fprintf(file,
                "%s %s: %" PRIu32 " results different, %" PRIu32 " missing, %" PRIu32
                " late, %" PRIu32 " errors%s%s\n",
                i == 0 ? "affected  " : "          ", who, victim->different, victim->missing,
                victim->late, victim->detections, victim->reach != OUTCOME_REACH_NONE ? "; " : "",
                victim->reach != OUTCOME_REACH_NONE ? outcome_reach_name(victim->reach) : "");
    }
    if (outcome->victim_count > OUTCOME_VICTIMS_MAX)
        fprintf(file, "           and %" PRIu32 " more\n",
                outcome->victim_count - OUTCOME_VICTIMS_MAX);
}

void inject_print(FILE *file, const struct inject *inject, const struct outcome *outcome,
                  const struct inject_wake *wake, const char *stopped)
{
    char time[TIME_BYTES];

    for (uint32_t i = 0; i < inject->fault_count; i++)
        print_fault(file, inject, i);
    fprintf(file, "outcome    %s", outcome_class_name(outcome->most));
    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        if (c != outcome->most && outcome->classes >> c & 1)
            fprintf(file, ", also %s", outcome_class_name((enum outcome_class)c));
    fputc('\n', file);
    if (outcome->detected_by)
        fprintf(file, "detected   by %s, %s after it acted; %s\n", outcome->detected_by,
                text_time(time, sizeof time, outcome->latency_ps),
                outcome->recovered ? "the rest went on" : "not recovered");
    if (stopped)
        fprintf(file, "stopped    %s\n", stopped);
    if (outcome->latest_ps > 0)
        fprintf(file, "late       %" PRIu32 " results, the latest by %s\n", outcome->late,
                text_time(time, sizeof time, outcome->latest_ps));
    if (outcome->memory_words > 0)
        fprintf(file, "memory     %" PRIu64 " words differ, the first at %s:0x%" PRIx64 "\n",
                outcome->memory_words, outcome->first_word >> 63 ? "sys" : "vid",
                4 * (outcome->first_word & INT64_MAX));
    print_victims(file, outcome);
    inject_lines_print(file, &wake->lines);
    inject_wake_print(file, wake);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *fault_json(const struct inject *inject, uint32_t index)
{
    const struct inject_fault *fault = &inject->faults[index];
    const struct inject_fault_state *state = &inject->state->faults[index];

    return json_pack("{ss,sb,sb,sI,sI,so,sI,sI,sI}", "fault", fault->text, "acted",
                     state->acted > 0, "changed_nothing", state->acted == 0 && state->is_futile,
                     "acts", (json_int_t)state->acted, "passed", (json_int_t)state->passed,
                     "first_ps",
                     state->acted > 0 ? json_integer((json_int_t)state->first_ps) : json_null(),
                     "subject", (json_int_t)state->subject, "old_value",
                     (json_int_t)state->old_value, "new_value", (json_int_t)state->new_value);
}

static json_t *victims_json(const struct outcome *outcome)
{
    json_t *list = json_array();
    char who[WHO_BYTES];

    for (uint32_t i = 0; i < outcome->victim_count && i < OUTCOME_VICTIMS_MAX; i++) {
        const struct outcome_victim *victim = &outcome->victims[i];

        outcome_who(victim->who, who, sizeof who);
        list = json_text_append(
            list, json_pack("{ss,si,si,si,si,ss}", "who", who, "different", (int)victim->different,
                            "missing", (int)victim->missing, "late", (int)victim->late, "errors",
                            (int)victim->detections, "reach", outcome_reach_name(victim->reach)));
    }
    return list;
}

static json_t *classes_json(const struct outcome *outcome)
{
    json_t *list = json_array();

    for (uint32_t c = 0; c < OUTCOME_CLASSES; c++)
        if (outcome->classes >> c & 1)
            list = json_text_append(list, json_string(outcome_class_name((enum outcome_class)c)));
    return list;
}

bool inject_print_json(FILE *file, const struct inject *inject, const struct outcome *outcome,
                       const struct inject_wake *wake, const char *stopped)
{
    json_t *faults = json_array(), *json;
    bool done;

    for (uint32_t i = 0; i < inject->fault_count; i++)
        faults = json_text_append(faults, fault_json(inject, i));
    json = json_text_pack(
        "{so,ss,so,ss?,so,sb,ss?,si,si,si,si,sI,sI,so,so,so,sI}", "faults", faults, "outcome",
        outcome_class_name(outcome->most), "classes", classes_json(outcome), "detected_by",
        outcome->detected_by, "latency_ps",
        outcome->latency_ps == GFE_PS_NEVER ? json_null()
                                            : json_integer((json_int_t)outcome->latency_ps),
        "recovered", outcome->recovered, "stopped", stopped, "different", (int)outcome->different,
        "missing", (int)outcome->missing, "extra", (int)outcome->extra, "late", (int)outcome->late,
        "latest_ps", (json_int_t)outcome->latest_ps, "memory_words",
        (json_int_t)outcome->memory_words, "affected", victims_json(outcome), "wake",
        inject_wake_json(wake), "kernel_log", inject_lines_json(&wake->lines), "kernel_lines",
        (json_int_t)wake->lines.count);
    done = json_text_print(file, json);
    json_decref(json);
    return done;
}
